// The bytes of secure.js are those of package privacy/secure, whose test runs this: node secure.test.mjs < round.json.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mask, newParty, newRound, open, reveal, specOf } from "./secure.js";

const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const { spec, empty, parties, merged, survivors } = JSON.parse(readFileSync(0, "utf8"));
const all = [];
for (const p of parties) { // PKCS #8 of a raw private key
  const der = Buffer.concat([Buffer.from("302e020100300506032b656e04220420", "hex"), bytes(p.key)]);
  const privateKey = await crypto.subtle.importKey("pkcs8", der, "X25519", false, ["deriveBits"]);
  all.push({ publicKey: bytes(p.public), privateKey, own: bytes(p.own) });
}
assert.equal(specOf(bytes(empty)), spec.trim());
const round = await newRound(spec, all.map((p) => p.publicKey));
const masked = [], revealed = [];
for (const [i, p] of all.entries()) {
  masked.push(await mask(p, round, bytes(parties[i].learner)));
  assert.deepEqual(masked[i], bytes(parties[i].masked), "masked");
}
const there = all.slice(0, survivors);
for (const [i, p] of there.entries()) {
  revealed.push(await reveal(p, there.map((o) => o.publicKey)));
  assert.deepEqual(revealed[i], bytes(parties[i].revealed), "revealed");
}
assert.deepEqual(await open(round, bytes(empty), masked.slice(0, survivors), revealed), bytes(merged), "opened");

await assert.rejects(newRound(spec, there.slice(0, 2).map((p) => p.publicKey)), /at least 3 parties, got 2/);
await assert.rejects(newRound(spec, [0, 1, 1].map((i) => all[i].publicKey)), /each party joins once/);
await assert.rejects(mask(all[0], round, bytes(parties[0].learner)), /masks once/);
await assert.rejects(mask(await newParty(), round, bytes(parties[0].learner)), /one of the 4 of this round/);
await assert.rejects(reveal(all[0], all.map((p) => p.publicKey)), /has revealed seeds for other parties/);
await assert.rejects(open(round, bytes(empty), masked, revealed), /about the 0 that are missing/);
await assert.rejects(open(round, bytes(empty), masked.slice(0, 3), revealed.slice(1)), /of all 3 parties/);
await assert.rejects(open(round, bytes(empty), [masked[0], masked[1], masked[1]], revealed), /each party once/);

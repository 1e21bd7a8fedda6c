// Keyed maps: the key is in no model unless it is asked for, and a wrong one is told.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { deriveKey, errorOf, load, loadFor, randomRows, rejectionOf, sameBits } from "./helper.mjs";

const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const hex = Buffer.from(key).toString("hex");
const X = randomRows(5, 3);

let ts, map;
before(async () => {
  ts = await load({ threads: 0 });
  map = ts.featureMap({ nFeatures: 3, key });
});

test("a keyed map is the map of the bytes, and its params and model do not hold the key", () => {
  sameBits(map.transform(X), ts.featureMap({ nFeatures: 3, seed: key }).transform(X));
  assert.equal(map.params.hash, "key");
  assert.ok(!("key" in map.params) && !("seed" in map.params));
  // The model of sketch/model/key_test.go.
  assert.equal(JSON.stringify(map),
    '{"format":"tensorsketch-model","version":1,"method":"tensor-sketch","nFeatures":3,"nComponents":100,' +
    '"degree":2,"gamma":1,"coef0":0,"normalize":"none","output":"real","repeats":1,"methodParams":{},"hash":"key",' +
      '"keyCheck":"9cecf85488b0251b20be4a40e53b4849"}');
  assert.ok(!JSON.stringify({ map, params: map.params }).includes(hex.slice(0, 8)));
  assert.deepEqual(map.toJSON({ includeKey: false }), map.toJSON());
  assert.deepEqual(map.toJSON({ includeKey: true }), { ...map.toJSON(), key: hex });
  assert.deepEqual(ts.featureMap({ nFeatures: 3 }).toJSON({ includeKey: true }),
    ts.featureMap({ nFeatures: 3 }).toJSON());
});

test("the model makes the map again with its key", async (t) => {
  const want = map.transform(X);
  const other = await loadFor(t, { threads: 0 });
  for (const back of [other.fromJSON(map.toJSON(), { key }), other.fromJSON(JSON.stringify(map), { key }),
    other.fromJSON(map.toJSON({ includeKey: true })),
    other.featureMap({ ...map.params, key })]) {
    sameBits(back.transform(X), want);
    assert.deepEqual(back.toJSON(), map.toJSON());
  }
  const given = key.slice();
  const copied = ts.featureMap({ nFeatures: 3, key: given });
  given.fill(0);
  assert.deepEqual(copied.toJSON({ includeKey: true }).key, hex);
});

test("a missing or wrong key is one clear error, and no error holds a key", () => {
  const model = map.toJSON();
  const held = map.toJSON({ includeKey: true });
  const wrong = key.slice();
  wrong[31]++;
  const cases = [
    [() => ts.fromJSON(model), "key",
      /^key is missing: this model does not hold the key of its map, so give it: fromJSON\(model, \{ key \}\)$/],
    [() => ts.fromJSON(model, { key: wrong }), "key", /^key must be the key of the model, and this is another one$/],
    [() => ts.fromJSON(held, { key: wrong }), "key", /another one$/],
    [() => ts.fromJSON({ ...held, key: `ff${hex.slice(2)}` }), "key", /another one$/],
    [() => ts.fromJSON({ ...held, key: hex.toUpperCase() }), "model.key",
      /^model\.key must be 64 hexadecimal digits in lower case$/],
    [() => ts.fromJSON({ ...held, key: 5 }), "model.key", /^model\.key must be/],
    [() => ts.fromJSON({ ...model, keyCheck: "00" }, { key }), "model.keyCheck", /got "00"$/],
    [() => ts.fromJSON({ ...model, keyCheck: undefined }, { key }), "keyCheck", /lacks its key "keyCheck"$/],
    [() => ts.fromJSON({ ...model, seed: "5" }, { key }), "seed", /^unknown key of the model "seed"/],
    [() => ts.fromJSON(ts.featureMap({ nFeatures: 3 }).toJSON(), { key }), "key",
      /^key must be left out: this model has no key$/],
    [() => ts.fromJSON(model, { key: hex }), "key",
      /^key must be a Uint8Array of 32 bytes; deriveKey makes one from a passphrase, got a text of length 64$/],
    [() => ts.fromJSON(model, { key: 5 }), "key", /got number$/],
    [() => ts.fromJSON(model, { keys: key }), "keys", /did you mean key\?$/],
    [() => ts.fromJSON(model, null), "options", /got null$/],
    [() => ts.featureMap({ nFeatures: 3, key: key.subarray(1) }), "key", /got an array of length 31$/],
    [() => ts.featureMap({ nFeatures: 3, key: [...key] }), "key", /got an array of length 32$/],
    [() => ts.featureMap({ nFeatures: 3, key, seed: 5 }), "seed", /^seed and key exclude each other/],
    [() => ts.featureMap({ nFeatures: 3, key, randomState: 5 }), "key", /^key and randomState exclude each other/],
    [() => ts.featureMap(map.params), "key", /^key is missing: the parameters of a keyed map do not hold it/],
    [() => map.toJSON({ includeKey: 1 }), "includeKey", /got 1$/],
    [() => map.toJSON({ include: true }), "include", /^unknown option/],
  ];
  for (const [call, argument, message] of cases) {
    const error = errorOf(call, "ERR_PARAM", argument);
    assert.match(error.message, message);
    assert.ok(!error.message.includes(hex.slice(0, 8)));
  }
  sameBits(ts.fromJSON(model, { key }).transform(X), map.transform(X));
});

test("sums of a keyed map hold no key, and merge under the same key only", () => {
  const accumulator = map.accumulator();
  accumulator.add(X);
  const text = JSON.stringify(accumulator);
  assert.ok(!text.includes(hex.slice(0, 8)) && text.includes("keyCheck"));
  assert.equal(JSON.stringify(map.accumulator({ from: text })), text);
  const other = ts.featureMap({ nFeatures: 3, key: new Uint8Array(32) });
  errorOf(() => other.accumulator({ from: text }), "ERR_PARAM", "keyCheck");
  errorOf(() => ts.featureMap({ nFeatures: 3, seed: key }).accumulator().merge(accumulator), "ERR_PARAM", "hash");
});

test("workers have the key", async (t) => {
  const parallel = await loadFor(t, { threads: 2 });
  await parallel.warm();
  const rows = randomRows(20_000, 3);
  sameBits(await parallel.featureMap({ nFeatures: 3, key }).transformAsync(rows), map.transform(rows));
});

test("deriveKey is PBKDF2-HMAC-SHA-256", async () => {
  const salt = Uint8Array.from({ length: 16 }, (_, i) => i);
  // By Python's hashlib.pbkdf2_hmac, as in sketch/model/key_test.go.
  const want = "6d3a6b88067400ba09e0623aacafbf31fc8886d1709f603060463b522332562d";
  const derived = await deriveKey("correct horse – naïve", salt);
  assert.equal(Buffer.from(derived).toString("hex"), want);
  ts.featureMap({ nFeatures: 3, key: derived });
  const cases = [
    [deriveKey("", salt), "passphrase"], [deriveKey(5, salt), "passphrase"],
    [deriveKey("\ud800", salt), "passphrase"], [deriveKey("a"), "salt"],
    [deriveKey("a", salt.subarray(1)), "salt"], [deriveKey("a", [...salt]), "salt"],
    [deriveKey("a", salt, 599_999), "iterations"],
    [deriveKey("a", salt, 2 ** 31), "iterations"], [deriveKey("a", salt, 600_000.5), "iterations"],
  ];
  for (const [promise, argument] of cases) await rejectionOf(promise, "ERR_PARAM", argument);
  const secret = await rejectionOf(deriveKey(["secret words"], salt), "ERR_PARAM", "passphrase");
  assert.ok(!secret.message.includes("secret"));
});

test("a model file and a passphrase are all that the features need", async () => {
  const salt = Uint8Array.from({ length: 16 }, (_, i) => i);
  const passphrase = "correct horse – naïve";
  const made = ts.featureMap({ nFeatures: 3, key: await deriveKey(passphrase, salt) });
  const keySalt = { salt, iterations: 600_000 };
  const text = JSON.stringify(made.toJSON({ keySalt }));
  // sketch/model/key_test.go has the same text.
  assert.ok(text.includes('"hash":"key","keyCheck":"') &&
    text.endsWith('","keySalt":{"salt":"000102030405060708090a0b0c0d0e0f","iterations":600000}}'), text);
  const model = JSON.parse(text);
  const back = ts.fromJSON(text, { key: await deriveKey(passphrase, model.keySalt) });
  sameBits(back.transform(X), made.transform(X));
  assert.equal(JSON.stringify(back), text); // it is kept
  assert.ok(!("keySalt" in made.toJSON()) && !JSON.stringify(back.accumulator()).includes("keySalt"));
  made.accumulator().merge(back.accumulator()); // they are sums of one map

  for (const [bad, argument] of [[5, "model.keySalt"], [{ salt: "00" }, "model.keySalt.salt"],
    [{ ...model.keySalt, salt: model.keySalt.salt.toUpperCase() }, "model.keySalt.salt"],
    [{ ...model.keySalt, iterations: 599_999 }, "model.keySalt.iterations"], [{ ...model.keySalt, more: 1 }, "more"]]) {
    errorOf(() => ts.fromJSON({ ...model, keySalt: bad }, { key }), "ERR_PARAM", argument);
  }
  errorOf(() => ts.featureMap({ nFeatures: 3 }).toJSON({ keySalt }), "ERR_PARAM", "keySalt");
  errorOf(() => ts.fromJSON({ ...ts.featureMap({ nFeatures: 3 }).toJSON(), keySalt: model.keySalt }),
    "ERR_PARAM", "keySalt");
  errorOf(() => made.toJSON({ keySalt: { salt: salt.subarray(1), iterations: 600_000 } }), "ERR_PARAM", "keySalt.salt");
  await rejectionOf(deriveKey(passphrase, model.keySalt, 600_000), "ERR_PARAM", "iterations");
  await rejectionOf(deriveKey(passphrase, { salt }), "ERR_PARAM", "salt.iterations");
});

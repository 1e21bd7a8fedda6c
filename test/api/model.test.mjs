// Model files: what toJSON writes, fromJSON reads; everything else is refused. Keyed maps: the key is in no model
// unless it is asked for, and a wrong one is told.

import assert from "node:assert/strict";
import { test } from "node:test";
import { deriveKey, errorOf, load, loadFor, randomRows, rejectionOf, sameBits } from "./helper.mjs";
import { sentencesOf } from "./said.mjs";

const said = sentencesOf(import.meta.url);

const ts = await load({ threads: 0 });

const X = randomRows(5, 3);
const key = Uint8Array.from({ length: 32 }, (_, i) => i);
const hex = Buffer.from(key).toString("hex");
const map = ts.featureMap({ nFeatures: 3, key });

test("the model file has the keys of version 1, in order", () => {
  const map = ts.featureMap({ nFeatures: 64, nComponents: 1024, coef0: 1, seed: 5 });
  assert.equal(JSON.stringify(map), '{"format":"tensorsketch-model","version":1,"method":"tensor-sketch",' +
    '"nFeatures":64,"nComponents":1024,"degree":2,' +
    '"gamma":1,"coef0":1,"normalize":"none","output":"real","repeats":1,"methodParams":{},"hash":"seed","seed":"5"}');
  assert.deepEqual(ts.featureMap({ nFeatures: 3, seed: "5" }).toJSON().seed, { string: "5" });
  assert.deepEqual(ts.featureMap({ nFeatures: 3, seed: new Uint8Array(32).fill(171) }).toJSON().seed,
    { bytes: "ab".repeat(32) });
  assert.equal(ts.featureMap({ nFeatures: 3, seed: 2n ** 64n - 1n }).toJSON().seed, "18446744073709551615");
});

test("a map of products comes back from its model", () => {
  const product = ts.featureMap({ nFeatures: [2, 4, 3], coef0: 1 });
  const back = ts.fromJSON(JSON.stringify(product));
  assert.deepEqual(back.nFeatures, [2, 4, 3]);
  const Xs = [randomRows(2, 2), randomRows(2, 4), randomRows(2, 3)];
  sameBits(back.transformProduct(Xs), product.transformProduct(Xs));
});

test("keys may stand in any order", () => {
  const model = ts.featureMap({ nFeatures: 3, seed: "x" }).toJSON();
  const reversed = Object.fromEntries(Object.entries(model).reverse());
  assert.deepEqual(ts.fromJSON(reversed).params.seed, "x");
});

test("anything else is ERR_PARAM with the key", (t) => {
  const model = ts.featureMap({ nFeatures: 3, seed: 5 }).toJSON();
  const tables = ts.featureMap({ nFeatures: 3, nComponents: 5,
    indexHash: [[0, 1, 4], [4, 1, 0]], bitHash: [[1, -1, 1], [-1, -1, 1]] }).toJSON();
  const without = (key) => Object.fromEntries(Object.entries(model).filter(([name]) => name !== key));
  const cases = [
    ["[]", "model"],
    ["null", "model"],
    [undefined, "model"],
    [5, "model"],
    [Promise.resolve(model), "model"],
    [new Response(JSON.stringify(model)), "model"],
    [new TextEncoder().encode(JSON.stringify(model)), "model"],
    [{}, "model.format"],
    [{ ...model, format: "other" }, "model.format"],
    [{ ...model, version: 3 }, "model.version"],
    [{ ...model, version: "1" }, "model.version"],
    [{ ...model, hash: "other" }, "model.hash"],
    [{ ...model, hash: "toString" }, "model.hash"],
    [{ ...model, extra: 1 }, "extra"],
    [{ ...model, degre: 1 }, "degre"],
    [{ ...model, randomState: 1 }, "randomState"],
    [{ ...tables, seed: "5" }, "seed"],
    [{ ...model, repeats: 0 }, "repeats"],
    [{ ...model, methodParams: { k: 1 } }, "methodParams.k"],
    [{ ...model, methodParams: { h01: true } }, "methodParams.h01"],
    [{ ...model, methodParams: [] }, "methodParams"],
    [{ ...model, landmarks: [] }, "landmarks"],
    [{ ...model, method: "nystroem" }, "landmarks"],
    [{ ...model, method: "nystroem", landmarks: [1] }, "model.landmarks"],
    [{ ...model, method: "nystroem", landmarks: [1, "2"] }, "model.landmarks[1]"],
    ...[null, false, 0, "", {}].map((landmarks) => [{ ...model, method: "nystroem", landmarks }, "model.landmarks"]),
    [{ ...model, method: "nystroem", landmarks: [1, 1e39] }, "model.landmarks[1]"],
    [{ ...model, method: "k-space" }, "projection"],
    [{ ...model, method: "k-space", projection: {} }, "model.projection"],
    [{ ...model, method: "k-space", projection: [1, null] }, "model.projection[1]"],
    [{ ...model, method: "k-space", projection: [1] }, "model.projection"],
    [{ ...model, nComponents: "1024" }, "nComponents"],
    [{ ...model, nComponents: 0 }, "nComponents"],
    [{ ...model, gamma: null }, "gamma"],
    [{ ...model, method: "other" }, "method"],
    [{ ...model, nFeatures: [3] }, undefined],
    [{ ...tables, bitHash: [[1, 1, 1]] }, "bitHash"],
    ...[5, -1, "05", "-5", "5.0", "1e3", "", "18446744073709551616", "99999999999999999999999", null, [], {},
      { string: 5 }, { string: "a", bytes: "b" },
      { bytes: "AB".repeat(32) }, { bytes: "ab".repeat(31) }, { bytes: "zz".repeat(32) }, { text: "a" },
        { string: "\ud800" }]
      .map((seed) => [{ ...model, seed }, undefined]),
  ];
  for (const key of Object.keys(model)) cases.push([without(key)]);
  for (const bad of ["", "{"]) errorOf(() => ts.fromJSON(bad), "ERR_PARAM", "model", /^model must be JSON: /);
  for (const [bad, argument] of cases) said(t, errorOf(() => ts.fromJSON(bad), "ERR_PARAM", argument));
  sameBits(ts.fromJSON(model).transform(X), ts.featureMap({ nFeatures: 3, seed: 5 }).transform(X));
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
  const other = await loadFor(t, { threads: 1 });
  await other.warm();
  for (const back of [other.fromJSON(map.toJSON(), { key }), other.fromJSON(JSON.stringify(map), { key }),
    other.fromJSON(map.toJSON({ includeKey: true })),
    other.featureMap({ ...map.params, key })]) {
    sameBits(back.transform(X), want);
    sameBits(await back.transformAsync(X), want, "in a worker");
    assert.deepEqual(back.toJSON(), map.toJSON());
  }
  const given = key.slice();
  const copied = ts.featureMap({ nFeatures: 3, key: given });
  given.fill(0);
  assert.deepEqual(copied.toJSON({ includeKey: true }).key, hex);
});

test("a missing or wrong key is one clear error, and no error holds a key", (t) => {
  const model = map.toJSON();
  const held = map.toJSON({ includeKey: true });
  const wrong = key.slice();
  wrong[31]++;
  const cases = [
    [() => ts.fromJSON(model), "key"],
    [() => ts.fromJSON(model, { key: wrong }), "key"],
    [() => ts.fromJSON(held, { key: wrong }), "key"],
    [() => ts.fromJSON({ ...held, key: `ff${hex.slice(2)}` }), "key"],
    [() => ts.fromJSON({ ...held, key: hex.toUpperCase() }), "model.key"],
    [() => ts.fromJSON({ ...held, key: 5 }), "model.key"],
    [() => ts.fromJSON({ ...model, keyCheck: "00" }, { key }), "model.keyCheck"],
    [() => ts.fromJSON({ ...model, keyCheck: undefined }, { key }), "keyCheck"],
    [() => ts.fromJSON({ ...model, seed: "5" }, { key }), "seed"],
    [() => ts.fromJSON(ts.featureMap({ nFeatures: 3 }).toJSON(), { key }), "key"],
    [() => ts.fromJSON(model, { key: hex }), "key"],
    [() => ts.fromJSON(model, { key: 5 }), "key"],
    [() => ts.fromJSON(model, { keys: key }), "keys"],
    [() => ts.fromJSON(model, null), "options"],
    [() => ts.featureMap({ nFeatures: 3, key: key.subarray(1) }), "key"],
    [() => ts.featureMap({ nFeatures: 3, key: [...key] }), "key"],
    [() => ts.featureMap({ nFeatures: 3, key, seed: 5 }), "seed"],
    [() => ts.featureMap({ nFeatures: 3, key, randomState: 5 }), "key"],
    [() => ts.featureMap(map.params), "key"],
    [() => map.toJSON({ includeKey: 1 }), "includeKey"],
    [() => map.toJSON({ include: true }), "include"],
  ];
  for (const [call, argument] of cases) {
    const error = errorOf(call, "ERR_PARAM", argument);
    said(t, error);
    assert.ok(!error.message.includes(hex.slice(0, 8)));
  }
  sameBits(ts.fromJSON(model, { key }).transform(X), map.transform(X));
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
  assert.ok(!("keySalt" in made.toJSON()));

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

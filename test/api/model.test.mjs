// Model files: what toJSON writes, fromJSON reads; everything else is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, load, randomRows, sameBits } from "./helper.mjs";

const ts = await load({ threads: 0 });

const X = randomRows(5, 3);
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

test("anything else is ERR_PARAM with the key", () => {
  const model = ts.featureMap({ nFeatures: 3, seed: 5 }).toJSON();
  const tables = ts.featureMap({ nFeatures: 3, nComponents: 5,
    indexHash: [[0, 1, 4], [4, 1, 0]], bitHash: [[1, -1, 1], [-1, -1, 1]] }).toJSON();
  const without = (key) => Object.fromEntries(Object.entries(model).filter(([name]) => name !== key));
  const cases = [
    ["", "model", /^model must be JSON: /],
    ["{", "model", /^model must be JSON: /],
    ["[]", "model", /^model must be a model object or its JSON text, got an array/],
    ["null", "model", /got null$/],
    [undefined, "model", /got undefined$/],
    [5, "model", /got 5$/],
    [{}, "model.format", /^model\.format must be "tensorsketch-model", got undefined$/],
    [{ ...model, format: "other" }, "model.format", /got "other"$/],
    [{ ...model, version: 2 }, "model.version", /^model\.version must be 1, which this release reads, got 2$/],
    [{ ...model, version: "1" }, "model.version", /got "1"$/],
    [{ ...model, hash: "other" }, "model.hash", /got "other"$/],
    [{ ...model, hash: "toString" }, "model.hash", /got "toString"$/],
    [{ ...model, extra: 1 }, "extra", /^unknown key of the model "extra"/],
    [{ ...model, degre: 1 }, "degre", /did you mean degree\?$/],
    [{ ...model, randomState: 1 }, "randomState", /^unknown key of the model "randomState"/],
    [{ ...tables, seed: "5" }, "seed", /^unknown key of the model "seed"/],
    [{ ...model, repeats: 0 }, "repeats", /^repeats must be an integer from 1 to 65536, got 0$/],
    [{ ...model, methodParams: { k: 1 } }, "methodParams.k", /^methodParams.k must be a parameter of a method: h01, /],
    [{ ...model, methodParams: { h01: true } }, "methodParams.h01",
      /must be left out for method "tensor-sketch", got true$/],
    [{ ...model, methodParams: [] }, "methodParams",
      /^methodParams must be an object of parameters of the method, got an array of length 0$/],
    [{ ...model, landmarks: [] }, "landmarks", /^unknown key of the model "landmarks"/],
    [{ ...model, method: "nystroem" }, "landmarks", /^the model lacks its key "landmarks"$/],
    [{ ...model, method: "nystroem", landmarks: [1] }, "model.landmarks",
      /must hold repeats × nComponents × nFeatures = 300 numbers, got 1$/],
    [{ ...model, method: "nystroem", landmarks: [1, "2"] }, "model.landmarks[1]",
      /^model\.landmarks\[1\] must be a number within the range of float32, got "2"$/],
    ...[null, false, 0, "", {}].map((landmarks) => [{ ...model, method: "nystroem", landmarks }, "model.landmarks",
      /^model\.landmarks must be an array of numbers/]),
    [{ ...model, method: "nystroem", landmarks: [1, 1e39] }, "model.landmarks[1]", /got 1e\+39$/],
    [{ ...model, nComponents: "1024" }, "nComponents", /^nComponents must be a number, got "1024"$/],
    [{ ...model, nComponents: 0 }, "nComponents", /got 0$/],
    [{ ...model, gamma: null }, "gamma", /got null$/],
    [{ ...model, method: "other" }, "method", /got "other"$/],
    [{ ...model, nFeatures: [3] }, undefined, /nFeatures/],
    [{ ...tables, bitHash: [[1, 1, 1]] }, "bitHash", /^bitHash must have the shape of indexHash, 2 × 3, got 1 × 3$/],
    ...[5, -1, "05", "-5", "5.0", "1e3", "", "18446744073709551616", "99999999999999999999999", null, [], {},
      { string: 5 }, { string: "a", bytes: "b" },
      { bytes: "AB".repeat(32) }, { bytes: "ab".repeat(31) }, { bytes: "zz".repeat(32) }, { text: "a" },
        { string: "\ud800" }]
      .map((seed) => [{ ...model, seed }, undefined, /seed must be/]),
  ];
  for (const key of Object.keys(model)) cases.push([without(key), undefined, new RegExp(key)]);
  for (const [bad, argument, message] of cases) {
    errorOf(() => ts.fromJSON(bad), "ERR_PARAM", argument, message);
  }
  sameBits(ts.fromJSON(model).transform(X), ts.featureMap({ nFeatures: 3, seed: 5 }).transform(X));
});

// Parameters: defaults, seeds, and the message of each mistake.

import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { checkAlive, errorOf, load, sameBits } from "./helper.mjs";
import { sentencesOf } from "./said.mjs";

const said = sentencesOf(import.meta.url);

const X = Float32Array.of(1, 2, 3, -1, 0.5, 0);
const ts = await load({ threads: 0 });

const features = (params) => ts.featureMap({ nFeatures: 3, ...params }).transform(X);

test("defaults are filled in", () => {
  assert.deepEqual(ts.featureMap({ nFeatures: 3 }).params, {
    method: "tensor-sketch", nFeatures: 3, nComponents: 100, degree: 2, gamma: 1, coef0: 0,
    normalize: "none", output: "real",
    repeats: 1, methodParams: {}, hash: "seed", seed: 0,
  });
  assert.equal(ts.featureMap({ nFeatures: 3, method: "count-sketch" }).params.degree, 1);
  assert.equal(ts.featureMap({ nFeatures: [3, 4, 5] }).params.degree, 3);
  assert.equal(ts.featureMap({ nFeatures: 3, degree: undefined, seed: undefined }).params.degree, 2);
});

test("params, nFeatures and nComponents are as given, frozen, and copies", () => {
  const nFeatures = [2, 3];
  const seed = new Uint8Array(32).fill(7);
  const map = ts.featureMap({
    nFeatures, nComponents: 10, gamma: 0.5, coef0: 1, seed, normalize: "kernel", output: "spectrum",
  });
  nFeatures[0] = 99;
  seed[0] = 99;
  assert.deepEqual(map.nFeatures, [2, 3]);
  assert.equal(map.nComponents, 10);
  assert.deepEqual(map.params.seed, new Uint8Array(32).fill(7));
  map.params.seed[0] = 99; // bytes cannot be frozen, but are a copy
  assert.equal(map.toJSON().seed.bytes, "07".repeat(32));
  assert.ok(Object.isFrozen(map.params) && Object.isFrozen(map.nFeatures) && Object.isFrozen(map.params.methodParams));
});

test("the three sources of tables show in params", () => {
  const tables = { indexHash: [[0, 1, 2], [2, 1, 0]], bitHash: [[1, -1, 1], [-1, 1, 1]] };
  const { seed, ...common } = ts.featureMap({ nFeatures: 3, nComponents: 5 }).params;
  assert.equal(seed, 0);
  assert.deepEqual(ts.featureMap({ nFeatures: 3, nComponents: 5, randomState: 42 }).params, {
    ...common, hash: "random-state", randomState: 42,
  });
  assert.deepEqual(ts.featureMap({ nFeatures: 3, nComponents: 5, ...tables }).params, {
    ...common, hash: "tables", ...tables,
  });
});

test("of params a part can be changed", () => {
  assert.equal(ts.featureMap({ ...ts.featureMap({ nFeatures: 3, randomState: 42 }).params, gamma: 2 }).params.gamma, 2);
  assert.deepEqual(ts.featureMap(ts.featureMap({ nFeatures: [2, 3] }).params).nFeatures, [2, 3]);
});

test("integer seeds are the same as number and bigint; every other seed differs", () => {
  sameBits(features({ seed: 5 }), features({ seed: 5n }), "5 and 5n");
  sameBits(features({}), features({ seed: 0 }), "the default");
  sameBits(features({ seed: -0 }), features({ seed: 0n }), "−0");
  const bytes = (first) => Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? first : 0));
  const seeds = [0, 5, 2 ** 53 - 1, 2n ** 53n, 2n ** 64n - 1n, "", "0", "5", "05", "é", "e\u0301", "😀", bytes(0),
    bytes(5), Buffer.alloc(32, 1)];
  const outputs = seeds.map((seed) => Buffer.from(features({ seed }).buffer).toString("hex"));
  assert.equal(new Set(outputs).size, seeds.length);
});

test("seeds come back as they were given", () => {
  for (const [given, back] of [[5n, 5], [2n ** 53n, 2n ** 53n], [2n ** 64n - 1n, 2n ** 64n - 1n], ["5", "5"],
    [new Uint8Array(32), new Uint8Array(32)]]) {
    assert.deepEqual(ts.featureMap({ nFeatures: 3, seed: given }).params.seed, back);
  }
});

test("arrays of another realm are as good", () => {
  const made = "({ X: Float32Array.of(1, 2, 3, -1, 0.5, 0), seed: new Uint8Array(32) })";
  const { X: foreign, seed } = runInNewContext(made);
  const map = ts.featureMap({ nFeatures: 3, seed });
  sameBits(map.transform(foreign), features({ seed: new Uint8Array(32) }));
});

test("bad seeds are ERR_PARAM", () => {
  const rest = "seed must be an integer from 0 to 2^64 − 1 (a bigint above 2^53 − 1), well-formed text, " +
    "or a Uint8Array of 32 bytes, got ";
  const cases = [[-1, "-1"], [1.5, "1.5"], [NaN, "NaN"], [2 ** 53, "9007199254740992"], [-1n, "-1n"],
    [2n ** 64n, "18446744073709551616n"],
    ["\ud800", '"\\ud800"'], [null, "null"], [true, "true"], [new Uint8Array(31), "Uint8Array of 31 bytes"],
    [new Int8Array(32), "Int8Array of 32 bytes"], [[1], "an array of length 1"]];
  for (const [seed, got] of cases) {
    errorOf(() => ts.featureMap({ nFeatures: 3, seed }), "ERR_PARAM", "seed", rest + got);
  }
});

test("each bad parameter is named with its value and what would be right, and the module goes on", (t) => {
  const map = ts.featureMap({ nFeatures: 3 });
  const want = map.transform(X);
  const table = [[0, 1, 2], [2, 1, 0]];
  const signs = [[1, -1, 1], [-1, 1, 1]];
  const alone = [
    ["nComponents", -3, 0, 2 ** 24 + 1, 1.5, NaN, Infinity, "100", 100n], ["nFeatures", 0, 2 ** 31],
    ["degree", 0, 65, NaN],
    ["repeats", 0, "2"], ["randomState", -1, 2 ** 32, "1"], ["gamma", 0, Infinity, null], ["coef0", -1, NaN],
    ["normalize", true], ["output", "complex"],
  ].flatMap(([name, ...values]) => values.map((value) => [{ [name]: value }, name]));
  const cases = [...alone,
    [{ nFeatures: undefined }, "nFeatures"],
    [{ nFeatures: "3" }, "nFeatures"],
    [{ nFeatures: [] }, "nFeatures"],
    [{ nFeatures: [3, "4"] }, "nFeatures[1]"],
    [{ nFeatures: [3, -4] }, "nFeatures"],
    [{ nFeatures: [3, 4], degree: 3 }, "nFeatures"],
    [{ degree: 2, method: "count-sketch" }, "degree"],
    [{ method: "tensorsketch" }, "method"],
    [{ seed: 1, randomState: 1 }, "seed"],
    [{ seed: 0, indexHash: table, bitHash: signs }, "seed"],
    [{ randomState: 1, bitHash: signs }, "randomState"],
    [{ indexHash: table }, "bitHash"],
    [{ bitHash: signs }, "indexHash"],
    [{ indexHash: table, bitHash: signs, degree: 3 }, "indexHash, bitHash"],
    [{ indexHash: table, bitHash: [[1, 1], [1, 1]] }, "bitHash"],
    [{ indexHash: [[0, 1, 2], [2, 1]], bitHash: signs }, "indexHash[1]"],
    [{ indexHash: [[0, 1.5, 2], [2, 1, 0]], bitHash: signs }, "indexHash[0][1]"],
    [{ indexHash: [[0, 2 ** 32, 2], [2, 1, 0]], bitHash: signs }, "indexHash[0][1]"],
    [{ indexHash: table, bitHash: [[1, -1, 1], [-1, 7, 1]] }, "bitHash[1][1]"],
    [{ indexHash: [[0, 100, 2], [2, 1, 0]], bitHash: signs }, undefined],
    [{ indexHash: [[0, -1, 2], [2, 1, 0]], bitHash: signs }, undefined],
    [{ indexHash: table, bitHash: [[1, 0, 1], [1, 1, 1]] }, undefined],
    [{ indexHash: table, bitHash: signs, coef0: 1 }, undefined], // needs d + 1 columns
    [{ indexHash: [[]], bitHash: [[]], degree: 1 }, "indexHash"],
    [{ repeats: 2, randomState: 1 }, "repeats"],
    [{ methodParams: { h01: true } }, "methodParams.h01"],
    [{ methodParams: [] }, "methodParams"],
    [{ methodParams: { order: null } }, "methodParams.order"],
    [{ methodParams: { coefficients: [1, "2"] } }, "methodParams.coefficients[1]"],
    [{ hash: "seed", randomState: 1 }, "hash"],
    [{ hash: "tables" }, "hash"],
  ];
  for (const [params, argument] of cases) {
    const error = errorOf(() => ts.featureMap({ nFeatures: 3, ...params }), "ERR_PARAM", argument);
    said(t, error);
    assert.equal(error.row, undefined);
  }
  checkAlive(map, X, want);
});

test("an unknown parameter is named with the nearest known one", () => {
  for (const [name, known] of Object.entries({ ncomponents: "nComponents", n_components: "nComponents",
    random_state: "randomState", coef: "coef0", sed: "seed" })) {
    errorOf(() => ts.featureMap({ nFeatures: 3, [name]: 5 }), "ERR_PARAM", name,
      `unknown parameter "${name}"; did you mean ${known}?`);
  }
  errorOf(() => ts.featureMap({ nFeatures: 3, kernelWidth: 1 }), "ERR_PARAM", "kernelWidth",
    /^unknown parameter .*known are method, nFeatures/);
  for (const params of [undefined, null, 5, "x", [3]]) errorOf(() => ts.featureMap(params), "ERR_PARAM", "params");
});

test("a map cannot be cloned, and says what it is", () => {
  const map = ts.featureMap({ nFeatures: 3, key: new Uint8Array(32).fill(170) });
  const objects = [ts, map, ts.ledger({ epsilon: 1, delta: 1e-5 }),
    ts.compressedProduct(X.subarray(0, 2), X.subarray(0, 2), { m: 2, k: 1, n: 2 }, { nComponents: 4 })];
  const { port1 } = new MessageChannel();
  for (const object of objects) {
    assert.throws(() => structuredClone(object), { name: "DataCloneError" });
    assert.throws(() => port1.postMessage({ object }), { name: "DataCloneError" });
  }
  port1.close();
  assert.equal(String(map), "[object FeatureMap]");
  const inspect = (value) => JSON.stringify(value);
  const shown = (map) => map[Symbol.for("nodejs.util.inspect.custom")](2, {}, inspect);
  assert.equal(shown(map), `FeatureMap ${JSON.stringify(map.params)}`);
  assert.ok(!shown(map).includes("170"), "the key");
  map.dispose();
  assert.match(shown(map), /^FeatureMap \(disposed\) {"method":"tensor-sketch"/);
});

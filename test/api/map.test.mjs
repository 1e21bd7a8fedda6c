// tensorsketch/map and tensorsketch/map/simd: maps alone.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compiler, dist, errorOf, load, rejectionOf, TensorSketchError } from "./helper.mjs";

const skip = compiler === "tinygo" ? false : "TinyGo alone compiles the core for maps";
const [maps, simd] = skip ? [] : await Promise.all(["map.js", "mapsimd.js"].map((name) => import(new URL(name, dist))));

const rows = Float32Array.from({ length: 200 * 12 }, (_, i) => Math.sin(i));
const params = [
  { nFeatures: 12, nComponents: 64, degree: 3, coef0: 1, seed: 7 },
  { nFeatures: 12, nComponents: 64, method: "random-fourier", gamma: 0.1, seed: "a" },
  { nFeatures: 12, nComponents: 64, method: "tree-tensor-sketch", degree: 4, key: new Uint8Array(32).fill(3) },
  { nFeatures: 12, nComponents: 16, method: "nystroem", degree: 2, seed: 2 },
  { nFeatures: 12, nComponents: 8, method: "k-space", degree: 2, seed: 2 },
];

test("maps have the bits of the whole core, in this thread and in workers, and read and write the same files",
  { skip }, async () => {
    const [whole, ...small] = await Promise.all([load(), maps.load(), maps.load({ build: "scalar", threads: 1 }),
      simd.load({ threads: 0 })]);
    for (const p of params) {
      const want = whole.featureMap(p);
      if (["nystroem", "k-space"].includes(p.method)) want.fit(rows);
      const features = want.transform(rows);
      const file = JSON.stringify(want.toJSON({ includeKey: true }));
      for (const ts of small) {
        const map = ts.fromJSON(file);
        assert.deepEqual(await map.transformAsync(rows), features, p.method);
        assert.equal(JSON.stringify(map.toJSON({ includeKey: true })), file);
        const own = ts.featureMap(p);
        if (["nystroem", "k-space"].includes(p.method)) own.fit(rows);
        assert.deepEqual(own.transform(rows), features, p.method);
        assert.equal(own.privacy, undefined);
      }
      const [x, y] = [rows.subarray(0, 12), rows.subarray(12, 24)];
      if (!["nystroem", "k-space"].includes(p.method)) {
        assert.deepEqual(small[0].featureMap(p).theory.stdError(x, y), want.theory.stdError(x, y));
      }
      assert.deepEqual(small[0].fromJSON(file).nearest(features, features.subarray(0, want.nComponents), 5),
        want.nearest(features, features.subarray(0, want.nComponents), 5));
    }
    await small[0].warm();
    assert.ok(small[0].capabilities.threads > 0, small[0].capabilities.noThreadsBecause);
    const big = Float32Array.from({ length: 12 * 20_000 }, (_, i) => Math.cos(i));
    const want = whole.featureMap(params[0]).transform(big);
    assert.deepEqual(await small[0].featureMap(params[0]).transformAsync(big), want);
    for (const ts of [whole, ...small]) ts.dispose();
  });

test("what maps alone do not have is refused by name", { skip }, async (t) => {
  const whole = await load(), ts = await maps.load();
  t.after(() => [whole, ts].forEach((module) => module.dispose()));
  const labels = Array.from({ length: 200 }, (_, i) => i % 2);
  const model = await whole.fit(rows, labels, { task: "classify", search: "off" });
  errorOf(() => ts.fromJSON(JSON.stringify(model)), "ERR_PARAM", "model",
    /^model must be the file of a map alone, got a model that predicts: import load from "tensorsketch"/);
  const map = ts.featureMap(params[0]), Z = map.transform(rows);
  errorOf(() => map.nearest(Z, Z, 1, { metric: "cosine" }), "ERR_PARAM", "metric", /unknown option "metric"/);
  await rejectionOf(map.nearestAsync(Z, Z, 1, { metric: "cosine" }), "ERR_PARAM", "metric", /unknown option "metric"/);
  errorOf(() => ts.fromJSON("{}", { task: "classify" }), "ERR_PARAM", "task", /unknown option "task"/);
  assert.ok((await maps.load({ threads: 0 })).featureMap(params[0]) instanceof Object);
  assert.equal(maps.TensorSketchError, TensorSketchError);
  const core = readFileSync(new URL("tensorsketch.map.wasm", dist));
  await rejectionOf(load({ build: "auto", wasmBinary: core }), "ERR_LOAD", undefined,
    /the file is the core of tensorsketch\/map, which does not learn: give the content of tensorsketch\.wasm/);
});

test("without SIMD, tensorsketch/map takes its scalar core, and tensorsketch/map/simd says what to import",
  { skip }, async (t) => {
    const validate = WebAssembly.validate;
    WebAssembly.validate = () => false; // an engine without SIMD
    t.after(() => (WebAssembly.validate = validate));
    const ts = await maps.load({ threads: 0 });
    t.after(() => ts.dispose());
    assert.equal(ts.capabilities.build, "scalar");
    await rejectionOf(simd.load(), "ERR_LOAD", undefined, new RegExp("^this engine has no WebAssembly SIMD: import " +
      'load from "tensorsketch/map"$'));
    WebAssembly.validate = validate;
    await rejectionOf(simd.load({ build: "scalar" }), "ERR_LOAD", undefined, /^there is no scalar build here: import/);
  });

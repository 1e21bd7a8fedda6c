// tensorsketch/learn, tensorsketch/simd and tensorsketch/index.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { compiler, dist, errorOf, load, rejectionOf } from "./helper.mjs";

const skip = compiler === "tinygo" ? false : "TinyGo alone compiles the cores of entries";
const entry = (name) => import(new URL(name, dist));
const [learn, simd, maps, index] = skip ? []
  : await Promise.all(["learn.js", "simd.js", "map.js", "index.js"].map(entry));

const rows = Float32Array.from({ length: 300 * 6 }, (_, i) => Math.sin(i * i));
const labels = Array.from({ length: 300 }, (_, i) => (rows[6 * i] * rows[6 * i + 1] > 0 ? "same" : "opposite"));
const options = { search: "off", map: { nComponents: 64 } };

test("tensorsketch/learn and tensorsketch/simd fit what tensorsketch fits, also in workers", { skip }, async (t) => {
  const [whole, ...others] = await Promise.all([load({ threads: 0 }), learn.load({ threads: 1 }),
    learn.load({ build: "scalar", threads: 0 }), simd.load({ threads: 0 })]);
  t.after(() => [whole, ...others].forEach((ts) => ts.dispose()));
  const model = await whole.fit(rows, labels, options);
  const want = JSON.stringify(model);
  await others[0].warm();
  assert.ok(others[0].capabilities.threads > 0);
  for (const ts of others) {
    const own = await ts.fit(rows, labels, options);
    assert.equal(JSON.stringify(own), want);
    assert.deepEqual(await ts.fromJSON(want).predictAsync(rows), model.predict(rows));
    assert.deepEqual(own.map.transform(rows), model.map.transform(rows));
    const spec = ts.prepare(rows, labels, { map: { nComponents: 64 } });
    const parts = [0, 1].map(() => ts.learner(spec));
    parts.forEach((part, i) => part.add(rows.subarray(900 * i, 900 * (i + 1)), labels.slice(150 * i, 150 * (i + 1))));
    parts[0].merge(ts.learner({ from: parts[1].toBytes() }));
    assert.equal(parts[0].count, 300);
    const Z = own.map.transform(rows);
    assert.equal(own.map.nearest(Z, Z.subarray(0, 64), 1, { metric: "euclidean" }).estimates[0], 0);
  }
});

test("what tensorsketch/learn does not have is refused by name", { skip }, async (t) => {
  const ts = await learn.load({ threads: 0 });
  t.after(() => ts.dispose());
  const spec = ts.prepare(rows, labels, { map: { nComponents: 16 } });
  errorOf(() => ts.learner({ ...spec, classes: ["same", "opposite"], radius: 3, grid: undefined, private: true }),
    "ERR_PARAM", "private", 'a learner with private is not in tensorsketch/learn: import load from "tensorsketch"');
  await rejectionOf(ts.learner(spec).compare(ts.learner(spec)), "ERR_PARAM", undefined,
    'compare is not in tensorsketch/learn: import load from "tensorsketch"');
  assert.equal(ts.featureMap({ nFeatures: 3, nComponents: 8 }).privacy, undefined);
  const core = (name) => readFileSync(new URL(name, dist));
  await rejectionOf(load({ wasmBinary: core("tensorsketch.learn.wasm") }), "ERR_LOAD", undefined,
    "cannot load wasmBinary: the file is the core of tensorsketch/learn, which makes no private releases: give the " +
      "content of tensorsketch.wasm");
  await rejectionOf(learn.load({ wasmBinary: core("tensorsketch.map.wasm") }), "ERR_LOAD", undefined,
    /the file is the core of tensorsketch\/map, which does not learn/);
});

test("tensorsketch/index searches for maps of every entry", { skip }, async (t) => {
  const [whole, small] = await Promise.all([load({ threads: 0 }), maps.load({ threads: 0 })]);
  t.after(() => [whole, small].forEach((ts) => ts.dispose()));
  const params = { nFeatures: 6, nComponents: 64, coef0: 1, seed: 3 };
  const want = await whole.index({ map: whole.featureMap(params), bits: 8, metric: "euclidean" });
  const got = await index.makeIndex(small, { map: small.featureMap(params), bits: 8, metric: "euclidean" });
  for (const one of [want, got]) one.add(rows);
  assert.deepEqual(got.search(rows.subarray(0, 6), 5), want.search(rows.subarray(0, 6), 5));
  assert.deepEqual(got.toBytes(), want.toBytes());
  const again = await index.openIndex(small, got.toBytes());
  assert.deepEqual(again.map.params, want.map.params);
  await rejectionOf(index.makeIndex({}, { nFeatures: 3 }), "ERR_PARAM", "ts", /^ts must be what load returned/);
});

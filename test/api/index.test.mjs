// ts.index: searches in rows of few bits (package sketch/index).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { dist, errorOf, load, rejectionOf } from "./helper.mjs";

const ts = await load({ threads: 0 });
test.after(() => ts.dispose());

/** The rows of pseudo in sketch/index/index_test.go. */
function pseudo(rows, d) {
  let state = 1;
  return Float32Array.from({ length: rows * d }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24 - 0.5;
  });
}

const sample = pseudo(1500, 48);

// TestDigests of sketch/index has the same digests: file and scores have the same bits in Go and here, with SIMD or
// without.
for (const [options, want] of [
  [{ metric: "cosine", bits: 4 }, "b4b7172ddc631c0f"],
  [{ metric: "euclidean", bits: 8, keep: true, seed: 7 }, "11156d3bb2abffee"],
  [{ metric: "inner", bits: 32 }, "44c3518e9471ccb0"],
]) {
  test(`bytes and scores of ${JSON.stringify(options)} are those of Go`, async () => {
    const index = await ts.index({ nFeatures: 48, ...options });
    index.add(sample);
    assert.equal(index.remove([3, 77, 1499, 1499]), 3);
    const bytes = index.toBytes();
    // Distances are square roots, and every other score a sum: equal everywhere.
    const { ids, scores, k } = index.search(sample.subarray(0, 20 * 48), 7);
    const hash = createHash("sha256").update(bytes);
    for (let i = 0; i < ids.length; i++) {
      hash.update(new Uint8Array(scores.buffer, 8 * i, 8)).update(new Uint8Array(ids.buffer, 4 * i, 4));
    }
    assert.equal(k, 7);
    assert.equal(hash.digest("hex").slice(0, 16), want);
    const again = await ts.index.from(bytes);
    assert.ok(Buffer.compare(again.toBytes(), bytes) === 0);
    assert.deepEqual([again.size, again.metric, again.bits, again.keep], [1497, options.metric, options.bits,
      options.keep ?? options.bits === 32]);
  });
}

test("an index of a map takes its rows, and its file has the map", async () => {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 256, coef0: 1, seed: 3 });
  const index = await ts.index({ map, bits: 32 });
  const rows = Array.from({ length: 300 }, (_, i) => [Math.cos(i), Math.sin(i), Math.cos(3 * i), Math.sin(2 * i)]);
  assert.deepEqual(index.add(rows.slice(0, 200), Array.from({ length: 200 }, (_, i) => 1000 + i)),
    Uint32Array.from({ length: 200 }, (_, i) => 1000 + i));
  assert.equal(await index.addAsync(rows.slice(200)), 1200, "ids count on from the largest");
  const { ids, scores } = index.search(rows.slice(7, 9), 2);
  assert.deepEqual([ids[0], ids[2]], [1007, 1008]);
  assert.ok(Math.abs(scores[0] - 1) < 1e-6);
  const Z = map.transform(rows);
  const nearest = map.nearest(Z, Z.subarray(7 * 256, 9 * 256), 2, { metric: "cosine" });
  assert.deepEqual([...nearest.rows].map((row) => row + 1000), [...ids]);
  nearest.estimates.forEach((cosine, i) => assert.ok(Math.abs(cosine - scores[i]) < 1e-6));
  const again = await ts.index.from(index.toBytes());
  assert.deepEqual(again.map.params, map.params);
  assert.deepEqual(again.search(rows.slice(7, 9), 2), { ids, scores, k: 2 });
  const other = ts.featureMap({ nFeatures: 4, nComponents: 256, coef0: 1, seed: 4 });
  await rejectionOf(ts.index.from(index.toBytes(), { map: other }), "ERR_PARAM", "map");
  const sparse = { indptr: [0, 2], indices: [0, 2], data: [1, 0.5] };
  assert.deepEqual(index.search(sparse, 3), index.search([1, 0, 0.5, 0], 3));
});

test("removed rows are never found, and come back when they are added again", async () => {
  const index = await ts.index({ nFeatures: 48, bits: 4 });
  index.add(sample);
  const q = sample.subarray(0, 48);
  assert.equal(index.search(q, 1).ids[0], 0);
  assert.equal(index.remove(0), 1);
  assert.equal(index.remove([0, 4000]), 0);
  assert.equal(index.has(0), false);
  assert.ok(!index.search(q, 2000).ids.includes(0));
  assert.equal(index.search(q, 2000).k, 1499, "there are no more rows");
  index.add(q, [0]);
  assert.equal(index.search(q, 1).ids[0], 0);
  assert.equal(index.add(q), 1500, "an id is not given twice");
});

test("results that no engine can hold are refused", async () => {
  const index = await ts.index({ nFeatures: 1, metric: "inner", bits: 32 });
  const many = new Float32Array(2 ** 18).fill(1);
  index.add(many);
  errorOf(() => index.search(many, 2 ** 18), "ERR_MEMORY", undefined,
    /^the result needs 274877906944 bytes, more .*: give fewer queries$/);
});

test("an empty index finds nothing", async () => {
  const index = await ts.index({ nFeatures: 3 });
  assert.deepEqual(index.search([1, 2, 3], 5), { ids: new Uint32Array(0), scores: new Float64Array(0), k: 0 });
  assert.equal(index.size, 0);
  assert.equal((await ts.index.from(index.toBytes())).size, 0);
});

test("a call that fails leaves the index as it was", async () => {
  const index = await ts.index({ nFeatures: 48, bits: 8 });
  index.add(sample.subarray(0, 480));
  const before = index.toBytes();
  const bad = sample.slice();
  bad[1400 * 48 + 5] = NaN; // in another block
  errorOf(() => index.add(bad), "ERR_NONFINITE", "X",
    "X row 1400, column 5 must be finite: remove or replace NaN and infinite values, got NaN");
  const large = Array.from(bad);
  large[1400 * 48 + 5] = 1e300;
  errorOf(() => index.add(large), "ERR_NONFINITE", "X",
    "X row 1400, column 5 must be within the range of float32, ±3.4028235e38, got 1e+300");
  bad.fill(0, 1400 * 48, 1401 * 48);
  await rejectionOf(index.addAsync(bad), "ERR_PARAM", "X",
    "X row 1400 must have a number that is not 0: a row of zeros has no cosine");
  const aborted = new AbortController();
  const onProgress = (done, total) => { if (done === total) aborted.abort(); };
  const adding = index.addAsync(sample, undefined, { signal: aborted.signal, onProgress });
  errorOf(() => index.remove([1]), "ERR_PARAM", undefined, /addAsync must end before the index changes/);
  await adding.catch(() => {});
  assert.equal(index.size, 1510, "an abort after the last row comes too late");
  index.remove(Array.from({ length: 1500 }, (_, i) => 10 + i));
  errorOf(() => index.add(sample.subarray(0, 96), [3, 20]), "ERR_PARAM", "ids",
    "ids[0] must be new: remove the row that has it first, got 3");
  errorOf(() => index.add(sample.subarray(0, 96), [20, 20]), "ERR_PARAM", "ids",
    "ids[1] must be there once, got 20");
  errorOf(() => index.add(sample.subarray(0, 96), [20]), "ERR_SHAPE", "ids",
    "ids must have one id for each of the 2 rows, got 1");
  errorOf(() => index.add(sample.subarray(0, 48), [1.5]), "ERR_PARAM", "ids",
    /^ids\[0\] must be an integer from 0 to 4294967294: keep/);
  errorOf(() => index.add(sample.subarray(0, 48), Uint32Array.of(2 ** 32 - 1)), "ERR_PARAM", "ids",
    /^ids\[0\] must be an integer from 0 to 4294967294: keep/);
  errorOf(() => index.remove(new DataView(new ArrayBuffer(8))), "ERR_PARAM", "ids",
    /^ids must be an array of integers/);
  const twice = { indptr: [0, 1, 3], indices: [1, 1, 1], data: [1, 2, 3] };
  errorOf(() => index.add(twice), "ERR_SHAPE", "X", /^X row 1, column 1 must hold each column once/);
  errorOf(() => index.search(twice), "ERR_SHAPE", "q", /^q row 1, column 1 must hold each column once/);
  errorOf(() => index.add(sample.subarray(0, 47)), "ERR_SHAPE", "X", /multiple of nFeatures = 48, got length 47/);
  errorOf(() => index.search(sample.subarray(0, 48), 0), "ERR_PARAM", "k",
    "k must be an integer from 1 to 2147483647, got 0");
  errorOf(() => index.search(new Float32Array(48), 1), "ERR_PARAM", "q", /^q row 0 must have a number that is not 0/);
  errorOf(() => index.search(sample.subarray(0, 48), 1, { rerank: 0 }), "ERR_PARAM", "rerank");
  errorOf(() => index.search(sample.subarray(0, 48), 1, { reRank: 5 }), "ERR_PARAM", "reRank", /did you mean rerank/);
  assert.equal(index.search(sample.subarray(0, 48), 1).ids[0], 0);
  index.remove(Array.from({ length: 5 }, (_, i) => 5 + i));
  index.dispose();
  errorOf(() => index.search([1], 1), "ERR_DISPOSED");
  assert.ok(before.length > 0);
});

test("rows that are not added, and the rounding that they began, leave nothing behind", async () => {
  const index = await ts.index({ nFeatures: 48, bits: 8, metric: "euclidean" });
  index.add(sample.subarray(0, 900 * 48));
  const before = index.toBytes();
  const bad = sample.slice(900 * 48);
  bad[bad.length - 1] = NaN;
  errorOf(() => index.add(bad), "ERR_NONFINITE", "X", /^X row 599, column 47/);
  assert.ok(Buffer.compare(index.toBytes(), before) === 0);
  const many = pseudo(6000, 48), stop = new AbortController();
  const onProgress = (done) => { if (done < 6000) stop.abort(); };
  await index.addAsync(many, undefined, { signal: stop.signal, onProgress }).then(() => assert.fail(), () => {});
  assert.ok(Buffer.compare(index.toBytes(), before) === 0);
  index.add(sample.subarray(900 * 48));
  const whole = await ts.index({ nFeatures: 48, bits: 8, metric: "euclidean" });
  whole.add(sample);
  assert.ok(Buffer.compare(index.toBytes(), whole.toBytes()) === 0);
});

test("addAsync gives way between the blocks of rows that no map makes", async (t) => {
  const index = await ts.index({ nFeatures: 48, bits: 8 });
  let now = 0, turns = 0;
  t.mock.method(performance, "now", () => (now += 5)); // a block takes 5 ms or more, and a slice 8 ms
  const turn = () => { turns++; timer = setTimeout(turn); };
  let timer = setTimeout(turn);
  await index.addAsync(pseudo(12_000, 48)); // in 9 blocks
  clearTimeout(timer);
  assert.ok(turns >= 3, `${turns}`);
});

test("the nearest rows by distances are found far from the origin", async () => {
  const far = sample.subarray(0, 700 * 9).map((v) => 3e5 + 40 * v); // products in float32 say nothing there
  const index = await ts.index({ nFeatures: 9, metric: "euclidean", bits: 32 });
  index.add(far);
  for (const q of [far.subarray(0, 9), far.subarray(900, 909)]) {
    const all = Array.from({ length: 700 }, (_, row) =>
      [Math.sqrt(q.reduce((sum, v, j) => sum + (v - far[9 * row + j]) ** 2, 0)), row]);
    const want = all.sort(([a, i], [b, j]) => a - b || i - j).slice(0, 5);
    const { ids, scores } = index.search(q, 5);
    assert.deepEqual(Array.from(ids, (id, i) => [scores[i], id]), want);
  }
});

test("files that are written at the same time are whole", async () => {
  const index = await ts.index({ nFeatures: 48, bits: 8 });
  index.add(sample);
  const want = index.toBytes(), [one, other] = [index.blocks(), index.blocks()], parts = [[], []];
  for (const block of one) {
    parts[0].push(block);
    assert.ok(Buffer.compare(index.toBytes(), want) === 0);
    parts[1].push(other.next().value);
  }
  for (const part of parts) assert.ok(Buffer.compare(Buffer.concat(part), want) === 0);
  const adding = index.addAsync(pseudo(6000, 48)), blocks = index.blocks();
  blocks.next();
  await adding;
  errorOf(() => blocks.next(), "ERR_PARAM", undefined, /before the index changes/);
});

test("options that are wrong are named", async () => {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 16 });
  await rejectionOf(ts.index({}), "ERR_PARAM", "map", /got neither$/);
  await rejectionOf(ts.index({ map, nFeatures: 4 }), "ERR_PARAM", "map", /got both$/);
  await rejectionOf(ts.index({ map: {} }), "ERR_PARAM", "map");
  await rejectionOf(ts.index({ map, bits: 16 }), "ERR_PARAM", "bits", "bits must be 32, 8 or 4, got 16");
  await rejectionOf(ts.index({ map, metric: "cos" }), "ERR_PARAM", "metric");
  await rejectionOf(ts.index({ map, keep: 1 }), "ERR_PARAM", "keep");
  await rejectionOf(ts.index({ nFeatures: 2 ** 21 }), "ERR_PARAM", "nFeatures");
  await rejectionOf(ts.index({ map, seed: -1 }), "ERR_PARAM", "seed");
  await rejectionOf(ts.index({ map, Bits: 4 }), "ERR_PARAM", "Bits", /did you mean bits/);
  await rejectionOf(ts.index({ map, wasmBinary: "index.wasm" }), "ERR_PARAM", "wasmBinary",
    'wasmBinary must be the bytes of index.wasm, got "index.wasm"');
  await rejectionOf(ts.index({ map, wasmBinary: new Uint8Array(9) }), "ERR_LOAD", undefined,
    /^cannot load wasmBinary:/);
});

test("a damaged file is refused, in one piece or in many", async () => {
  const index = await ts.index({ nFeatures: 48, bits: 4 });
  index.add(sample);
  const bytes = index.toBytes();
  for (const i of [0, 8, 9, 20, 47, 200, 7000, bytes.length - 1]) {
    bytes[i] ^= 4;
    await rejectionOf(ts.index.from(bytes), "ERR_PARAM", "bytes");
    bytes[i] ^= 4;
  }
  await rejectionOf(ts.index.from(bytes.subarray(0, 9000)), "ERR_PARAM", "bytes", /got 9000 bytes, which end early/);
  await rejectionOf(ts.index.from([bytes, Uint8Array.of(0)]), "ERR_PARAM", "bytes", /bytes after its end/);
  await rejectionOf(ts.index.from("index.bin"), "ERR_PARAM", "bytes");
  const locked = new Blob([bytes]).stream();
  locked.getReader();
  await rejectionOf(ts.index.from(locked), "ERR_PARAM", "bytes", /^bytes must be a stream that nobody reads/);
  const used = new Response(bytes);
  await used.text();
  await rejectionOf(ts.index.from(used), "ERR_PARAM", "bytes", /^bytes must be a stream that nobody reads/);
  const gone = bytes.slice();
  gone.buffer.transfer ? gone.buffer.transfer() : structuredClone(gone, { transfer: [gone.buffer] });
  await rejectionOf(ts.index.from(gone), "ERR_PARAM", "bytes", /got 0 bytes/);
  await rejectionOf(ts.index.from(new Response("", { status: 404 })), "ERR_PARAM", "bytes", /got "404/);
  const q = sample.subarray(0, 48);
  const want = index.search(q, 5);
  for (const file of [new Blob([bytes]), new Response(bytes), new Blob([bytes]).stream(), index.blocks(), bytes.buffer,
    [bytes.subarray(0, 5), bytes.subarray(5, 5), bytes.subarray(5)]]) {
    assert.deepEqual((await ts.index.from(file)).search(q, 5), want);
  }
  const blocks = index.blocks();
  blocks.next();
  index.remove([1]);
  errorOf(() => blocks.next(), "ERR_PARAM", undefined, /before the index changes/);
});

test("a map with a preprocessing is the map of an index that was made before it had one", async () => {
  const map = ts.featureMap({ nFeatures: 1, nComponents: 16 });
  const index = await ts.index({ map });
  index.add([1]);
  const preprocessing = { format: "tensorsketch-preprocessing", version: 1, unitNorm: false,
    columns: [{ name: "x", role: "number", missing: "drop", scaling: "none" }] };
  const saved = ts.fromJSON(map.toJSON({ preprocessing }));
  assert.equal((await ts.index.from(index.toBytes(), { map: saved })).map, saved);
});

test("the map of a file is made once, and ends with its index", async () => {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 16, key: new Uint8Array(32).fill(7) });
  const index = await ts.index({ map });
  index.add([1, 2, 3, 4]);
  const bytes = index.toBytes();
  await rejectionOf(ts.index.from(bytes), "ERR_PARAM", "key");
  const key = new Uint8Array(32).fill(7);
  const [own, given] = [await ts.index.from(bytes, { key }), await ts.index.from(bytes, { map })];
  await rejectionOf(ts.index.from(bytes, { map, key }), "ERR_PARAM", "key", /^key must be left out/);
  const plain = await ts.index({ nFeatures: 4 });
  await rejectionOf(ts.index.from(plain.toBytes(), { key }), "ERR_PARAM", "key", /^key must be left out/);
  for (const each of [own, given, index]) each.dispose();
  errorOf(() => own.map.transform([1, 2, 3, 4]), "ERR_DISPOSED");
  assert.equal(map.transform([1, 2, 3, 4]).length, 16);
});

test("an index works in a worker, which sends its file", async () => {
  const worker = new Worker(`
    const { parentPort, workerData } = require("node:worker_threads");
    import(workerData.from).then(async ({ load }) => {
      const ts = await load({ threads: 0 });
      const index = await ts.index({ nFeatures: 48, bits: 4 });
      await index.addAsync(workerData.rows);
      const bytes = index.toBytes();
      parentPort.postMessage(bytes, [bytes.buffer]);
    });`, { eval: true, workerData: { from: new URL("tensorsketch.js", dist).href, rows: sample } });
  const bytes = await new Promise((resolve, reject) => worker.on("message", resolve).on("error", reject));
  await worker.terminate();
  const index = await ts.index({ nFeatures: 48, bits: 4 });
  index.add(sample);
  assert.ok(Buffer.compare(bytes, index.toBytes()) === 0);
});

test("floats that are kept rank the best rows again", async () => {
  const options = { nFeatures: 48, metric: "euclidean", bits: 4 };
  const [rounded, kept, exact] = await Promise.all([options, { ...options, keep: true }, { ...options, bits: 32 }]
    .map((each) => ts.index(each)));
  for (const index of [rounded, kept, exact]) index.add(sample);
  const q = sample.subarray(9 * 48, 10 * 48);
  assert.deepEqual(kept.search(q, 10), exact.search(q, 10));
  assert.notDeepEqual(rounded.search(q, 10).scores, exact.search(q, 10).scores);
  const distance = Math.hypot(...Array.from(q, (v, j) => v - sample[j]));
  const { ids, scores } = exact.search(q, 1500);
  assert.ok(Math.abs(scores[ids.indexOf(0)] - distance) < 1e-9);
});

test("nearest by cosines and by distances", async () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 8 });
  const Z = pseudo(90, 8).map((v, i) => v * (1 + i % 7));
  const q = Z.subarray(16, 32);
  const row = (X, i) => Array.from(X.subarray(8 * i, 8 * i + 8));
  const dot = (a, b) => a.reduce((sum, v, j) => sum + v * b[j], 0);
  const scores = {
    inner: dot,
    cosine: (a, b) => dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b)),
    euclidean: (a, b) => -Math.hypot(...a.map((v, i) => v - b[i])),
  };
  for (const [metric, score] of Object.entries(scores)) {
    const { rows, estimates } = map.nearest(Z, q, 5, { metric });
    for (const i of [0, 1]) {
      const all = Array.from({ length: 90 }, (_, j) => [score(row(q, i), row(Z, j)), j]).sort((a, b) => b[0] - a[0]);
      assert.deepEqual([...rows.subarray(5 * i, 5 * i + 5)], all.slice(0, 5).map(([, j]) => j), metric);
      all.slice(0, 5).forEach(([value], at) =>
        assert.ok(Math.abs(Math.abs(value) - Math.abs(estimates[5 * i + at])) < 1e-6));
    }
    assert.deepEqual(await map.nearestAsync(Z, q, 5, { metric }), { rows, estimates });
  }
  assert.deepEqual(map.nearest(Z, q, 5), map.nearest(Z, q, 5, { metric: "inner" }));
  errorOf(() => map.nearest(Z, q, 5, { metric: "l2" }), "ERR_PARAM", "metric");
  const far = Z.map((v) => v + 1000); // where ‖z‖² is much larger than distances
  const { rows, estimates } = map.nearest(far, far.subarray(16, 24), 2, { metric: "euclidean" });
  assert.deepEqual([rows[0], estimates[0]], [2, 0]);
  const apart = Math.hypot(...row(far, 2).map((v, i) => v - row(far, rows[1])[i]));
  assert.ok(Math.abs(estimates[1] - apart) < 1e-6, `${estimates[1]} ${apart}`);
  for (const exponent of [-45, -30, -20, 20, 38]) { // squares are no float32
    const scaled = (X) => X.map((v) => v * (exponent < 0 ? 64 : 0.4) * 10 ** exponent);
    const [large, asked] = [scaled(Z), scaled(q)];
    const { rows, estimates } = map.nearest(large, asked, 4, { metric: "euclidean" });
    for (const i of [0, 1]) {
      const all = Array.from({ length: 90 }, (_, j) =>
        [Math.hypot(...row(asked, i).map((v, at) => v - row(large, j)[at])), j]);
      all.sort(([a, k], [b, l]) => a - b || k - l);
      assert.deepEqual([...rows.subarray(4 * i, 4 * i + 4)], all.slice(0, 4).map(([, j]) => j), `1e${exponent}`);
      all.slice(0, 4).forEach(([value], at) => assert.ok(Math.abs(value - estimates[4 * i + at]) <= 1e-14 * value));
    }
  }
  for (const bad of [NaN, Infinity]) {
    errorOf(() => map.nearest(Z.with(17, bad), q, 1, { metric: "euclidean" }), "ERR_NONFINITE", "Z",
      `Z row 2, column 1 must be finite: remove or replace NaN and infinite values, got ${bad}`);
  }
  errorOf(() => map.nearest([1], q, 1, { metric: "euclidean" }), "ERR_PARAM", "Z");
  errorOf(() => map.nearest(Z, [1], 1, { metric: "euclidean" }), "ERR_PARAM", "q");
  errorOf(() => map.nearest(new Float32Array(16), q, 1, { metric: "cosine" }), "ERR_PARAM", "Z",
    "Z row 0 must have a number that is not 0: a row of zeros has no cosine, got zeros");
});

// The stage for the ids makes memory grow, and a view of memory that was made before is of no use then.
test("a new index takes many ids at once", async () => {
  const rows = 70_000, ids = Uint32Array.from({ length: rows }, (_, i) => rows - i);
  for (const begin of [(index) => index.add(new Float32Array(2 * rows).fill(1), ids),
    (index) => index.addAsync(new Float32Array(2 * rows).fill(1), ids)]) {
    const index = await ts.index({ nFeatures: 2 });
    await begin(index);
    assert.deepEqual([index.size, index.has(rows), index.has(0)], [rows, true, false]);
    assert.deepEqual([index.remove(ids), index.size], [rows, 0]);
    index.dispose();
  }
  for (const length of [15_407, 65_536, 200_000]) {
    const index = await ts.index({ nFeatures: 2 });
    assert.equal(index.remove(new Uint32Array(length)), 0);
    index.dispose();
  }
});

test("an index of a map with signs gives the estimates of the map, by inner products alone", async () => {
  const map = ts.featureMap({ method: "spherical", nFeatures: 3, nComponents: 64, degree: 1,
    methodParams: { signed: true } });
  assert.ok(map.signs.includes(-1), "some signs are −1");
  const X = Array.from({ length: 300 }, (_, i) => [Math.sin(i), Math.cos(2 * i), Math.sin(3 * i + 1)])
    .map((x) => x.map((v) => v / Math.hypot(...x)));
  const Z = map.transform(X), q = X.slice(7, 9);
  for (const options of [{ bits: 32 }, { bits: 8, keep: true }]) {
    const index = await ts.index({ map, metric: "inner", ...options });
    index.add(X);
    for (const each of [index, await ts.index.from(index.toBytes())]) {
      const { ids, scores } = each.search(q, 300, { rerank: 300 });
      const { rows, estimates } = map.nearest(Z, map.transform(q), 300);
      assert.deepEqual(ids, Uint32Array.from(rows));
      scores.forEach((score, i) => assert.ok(Math.abs(score - estimates[i]) < 1e-6, `${score} ${estimates[i]}`));
    }
  }
  for (const metric of [undefined, "cosine", "euclidean"]) {
    await rejectionOf(ts.index({ map, metric }), "ERR_PARAM", "metric",
      `metric must be "inner" for a map with signs, got "${metric ?? "cosine"}"`);
  }
});

test("an index is no JSON", async () => {
  const index = await ts.index({ nFeatures: 2 });
  assert.throws(() => JSON.stringify({ index }), { code: "ERR_PARAM", message: "an index is no JSON: keep toBytes()" });
});

test("an id, or ids, that are none are named as they were given", async () => {
  const index = await ts.index({ nFeatures: 2 });
  index.add([[1, 2], [3, 4]]);
  const want = "must be an integer from 0 to 4294967294: keep other names in a list of yours, got";
  for (const [id, got] of [["x", '"x"'], [-1, "-1"], [undefined, "undefined"], [[1], "an array of length 1"]]) {
    errorOf(() => index.has(id), "ERR_PARAM", "id", `id ${want} ${got}`);
  }
  errorOf(() => index.remove(-1), "ERR_PARAM", "ids", `ids ${want} -1`);
  errorOf(() => index.remove([0, "x"]), "ERR_PARAM", "ids", `ids[1] ${want} "x"`);
  errorOf(() => index.remove(0n), "ERR_PARAM", "ids", "ids must be an array of integers from 0 to 4294967294, got 0n");
  assert.deepEqual([index.has(1), index.remove([1, 1]), index.remove(1), index.size], [true, 1, 0, 1]);
});

test("ids that change while rows are added are those that were given", async () => {
  const index = await ts.index({ nFeatures: 48 });
  const ids = Uint32Array.from({ length: 60_000 }, (_, i) => i), X = pseudo(60_000, 48);
  const added = index.addAsync(X, ids, { onProgress: () => ids.fill(7) });
  assert.deepEqual((await added).subarray(0, 3), Uint32Array.of(0, 1, 2));
  assert.deepEqual([index.size, index.has(59_999)], [60_000, true]);
});

test("a map that is fitted anew fits no index any more", async () => {
  const map = ts.featureMap({ nFeatures: 48, nComponents: 8, method: "nystroem" });
  map.fit(sample);
  const index = await ts.index({ map });
  index.add(sample);
  const bytes = index.toBytes(), first = await ts.index.from(bytes, { map });
  map.fit(sample.subarray(48 * 500));
  const want = "the map of this index has been fitted anew: make another index";
  for (const made of [index, first]) {
    errorOf(() => made.search(sample.subarray(0, 48)), "ERR_PARAM", "map", want);
    errorOf(() => made.add(sample), "ERR_PARAM", "map", want);
    await rejectionOf(made.addAsync(sample), "ERR_PARAM", "map", want);
    assert.equal(made.size, 1500);
  }
  const again = await ts.index.from(index.toBytes());
  assert.deepEqual(again.search(sample.subarray(0, 48), 1).ids, Uint32Array.of(0));
  again.map.fit(sample.subarray(48 * 500));
  errorOf(() => again.search(sample.subarray(0, 48)), "ERR_PARAM", "map", want);
});

test("rows that end their index while they are added are an error, and no fault", async () => {
  const begin = async () => ts.index({ nFeatures: 2 });
  for (const rows of [
    (index) => (function* () { index.dispose(); yield [1, 2]; })(),
    (index) => [Object.defineProperty([1, 2], 1, { get() { index.dispose(); return 2; } })],
  ]) {
    const index = await begin(), other = await begin();
    errorOf(() => index.add(rows(index)), "ERR_DISPOSED");
    await rejectionOf(other.addAsync(rows(other)), "ERR_DISPOSED");
  }
});

// gram and nearest: the bits of estimate, in this thread and in workers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, load, loadFor, randomRows, rejectionOf, watchWorkers } from "./helper.mjs";

const D = 300;
const params = { nFeatures: 4, nComponents: D, coef0: 1 };
const ts = await load({ threads: 0 });
const map = ts.featureMap(params);
const A = randomRows(500, D, 1), B = randomRows(333, D, 2);
const row = (Z, i) => Z.subarray(i * D, (i + 1) * D);

function sameNumbers(got, want, message) {
  assert.ok(got instanceof Float64Array);
  assert.equal(got.length, want.length, message);
  const at = got.findIndex((value, i) => !Object.is(value, want[i]));
  if (at >= 0) assert.fail(`${message}: number ${at} is ${got[at]}, want ${want[at]}`);
}

/** All estimates, one by one. */
const estimates = (A, B) => Float64Array.from({ length: A.length / D * (B.length / D) }, (_, at) =>
  map.estimate(row(A, Math.floor(at / (B.length / D))), row(B, at % (B.length / D))));

/** The k best rows for each query by a full sort. */
function best(Z, q, k) {
  const rows = [], values = [];
  for (let i = 0; i < q.length / D; i++) {
    const all = estimates(row(q, i), Z);
    const order = Array.from(all.keys()).sort((a, b) => all[b] - all[a] || a - b).slice(0, k);
    rows.push(...order);
    values.push(...order.map((r) => all[r]));
  }
  return { rows: Int32Array.from(rows), estimates: Float64Array.from(values) };
}

test("gram has the bits of estimate, for tiles of every shape", () => {
  for (const [m, n] of [[500, 333], [1, 333], [500, 1], [3, 5], [17, 16], [0, 4], [4, 0]]) {
    const [a, b] = [A.subarray(0, m * D), B.subarray(0, n * D)];
    sameNumbers(map.gram(a, b), estimates(a, b), `${m} × ${n}`);
  }
  sameNumbers(map.gram(row(A, 3)), estimates(row(A, 3), row(A, 3)), "of A itself");
  const wide = ts.featureMap({ nFeatures: 4, nComponents: 300_000 }); // a row is larger than a chunk
  const Z = wide.transform(randomRows(3, 4));
  const G = wide.gram(Z);
  const part = (i) => Z.subarray(i * 300_000, (i + 1) * 300_000);
  assert.deepEqual(Array.from(G), [0, 1, 2].flatMap((i) => [0, 1, 2].map((j) => wide.estimate(part(i), part(j)))));
  wide.dispose();
});

test("the mean over repeats", () => {
  const three = ts.featureMap({ nFeatures: 4, nComponents: 10, repeats: 3 });
  const Z = three.transform(randomRows(5, 4));
  assert.equal(three.gram(Z)[7], three.estimate(Z.subarray(30, 60), Z.subarray(60, 90)));
});

test("nearest is the head of a full sort, ties by row", () => {
  const Z = Float32Array.from(A);
  for (let i = 100; i < 300; i++) Z.set(row(A, i % 7), i * D); // equal rows
  const q = B.subarray(0, 5 * D);
  q.fill(0, 4 * D); // all estimates 0
  for (const k of [1, 10, 250, 500, 9000]) {
    assert.deepEqual(map.nearest(Z, q, k), best(Z, q, k), `k ${k}`);
  }
  assert.deepEqual(map.nearest(Z.subarray(0, 0), q, 3), { rows: new Int32Array(0), estimates: new Float64Array(0) });
  assert.deepEqual(map.nearest(Z, q.subarray(0, 0), 3), { rows: new Int32Array(0), estimates: new Float64Array(0) });
  const alone = randomRows(2000, D, 9);
  assert.equal(map.nearest(alone, row(alone, 1500), 1).rows[0], 1500, "the row itself");
});

for (const threads of [0, 1, 3]) {
  test(`${threads} threads give the same bits`, async (t) => {
    const workers = watchWorkers(t);
    const other = await loadFor(t, { threads });
    await other.warm();
    const of = other.featureMap(params);
    const A = randomRows(1500, D, 3);
    const want = map.gram(A, B);
    const seen = [];
    sameNumbers(await of.gramAsync(A, B, { onProgress: (...at) => seen.push(at) }), want, "gramAsync");
    assert.deepEqual(seen.at(-1), [1500 * 333, 1500 * 333]);
    assert.ok(seen.every(([done, total], i) => total === 1500 * 333 && (i === 0 || done > seen[i - 1][0])));
    sameNumbers(await of.gramAsync(A), map.gram(A), "gramAsync of A itself");
    assert.deepEqual(await of.nearestAsync(A, B, 20), map.nearest(A, B, 20));
    assert.equal(workers.some(({ returned }) => returned > 0), threads > 0, "the workers worked");
    let empty = 0;
    assert.deepEqual(await of.gramAsync(A, B.subarray(0, 0), { onProgress: () => { empty++; } }), new Float64Array(0));
    assert.equal(empty, 1);
  });
}

test("a worker that dies has its tile redone", async (t) => {
  const workers = watchWorkers(t);
  const other = await loadFor(t, { threads: 2 });
  await other.warm();
  const A = randomRows(2500, D, 3);
  let killed = 0;
  const onProgress = (done, total) => {
    if (killed === 0 && done > 0.1 * total) workers[killed++].terminate();
  };
  sameNumbers(await other.featureMap(params).gramAsync(A, A, { onProgress }), map.gram(A), "after a death");
  assert.equal(killed, 1);
});

test("an abort, a dispose and a throwing callback end the call", async (t) => {
  const other = await loadFor(t, { threads: 1 });
  await other.warm();
  const of = other.featureMap(params);
  const A = randomRows(4000, D, 3);
  const controller = new AbortController();
  await assert.rejects(of.gramAsync(A, A, { signal: controller.signal, onProgress: () => controller.abort() }),
    { name: "AbortError" });
  await assert.rejects(of.gramAsync(A, A, { signal: AbortSignal.abort() }), { name: "AbortError" });
  await assert.rejects(of.nearestAsync(A, A, 2, { onProgress() { throw new RangeError("mine"); } }), /mine/);
  const call = of.gramAsync(A, A);
  await sleep(1);
  of.dispose();
  await rejectionOf(call, "ERR_DISPOSED");
  errorOf(() => of.gram(A, A), "ERR_DISPOSED");
  errorOf(() => of.nearest(A, A, 1), "ERR_DISPOSED");
});

test("wrong input", async (t) => {
  const other = await loadFor(t, { threads: 1 });
  const of = other.featureMap(params);
  await other.warm();
  const wrong = async (code, argument, message, call) => {
    errorOf(() => call(map, ""), code, argument, message);
    await rejectionOf(call(of, "Async"), code, argument, message);
  };
  const gram = (...args) => (map, suffix) => map[`gram${suffix}`](...args);
  const nearest = (...args) => (map, suffix) => map[`nearest${suffix}`](...args);
  await wrong("ERR_PARAM", "A", /^A must be a Float32Array of rows of 300 features, got an array of length 300$/,
    gram(Array.from(row(A, 0)), B));
  await wrong("ERR_PARAM", "B", /^B must be a Float32Array/, gram(A, Float64Array.from(B)));
  await wrong("ERR_SHAPE", "B", /^B must have a length that is a multiple of nComponents = 300, got length 299$/,
    gram(A, B.subarray(1, 300)));
  await wrong("ERR_SHAPE", "q", /^q must have a length/, nearest(A, B.subarray(1, 300), 1));
  await wrong("ERR_PARAM", "Z", /^Z must be a Float32Array/, nearest(undefined, B, 1));
  for (const k of [0, 1.5, -1, "3", undefined, NaN]) {
    await wrong("ERR_PARAM", "k", /^k must be a number of rows, an integer ≥ 1, got /, nearest(A, B, k));
  }
  const bad = Float32Array.from(A);
  bad[444 * D + 7] = NaN;
  bad[490 * D] = Infinity;
  await wrong("ERR_NONFINITE", "A", /^A row 444, column 7 must be finite: .*, got NaN$/, gram(bad, B));
  await wrong("ERR_NONFINITE", "B", /^B row 444, column 7 must be finite/, gram(A, bad));
  await wrong("ERR_NONFINITE", "Z", /^Z row 444, column 7 must be finite/, nearest(bad, B, 3));
  await wrong("ERR_NONFINITE", "q", /^q row 444, column 7 must be finite/, nearest(B, bad, 3));
  const error = errorOf(() => map.gram(bad, B), "ERR_NONFINITE");
  assert.deepEqual([error.row, error.column, error.rowsDone], [444, 7, undefined]);
  await rejectionOf(of.gramAsync(A, B, { out: A }), "ERR_PARAM", "out", /^unknown option "out"/);
  await rejectionOf(of.gramAsync(A, B, { signal: 1 }), "ERR_PARAM", "signal");
  await rejectionOf(of.nearestAsync(A, B, 1, { onProgress: 1 }), "ERR_PARAM", "onProgress");
  const moved = Float32Array.from(A);
  const onProgress = () => structuredClone(moved, { transfer: [moved.buffer] });
  await rejectionOf(of.gramAsync(moved, moved, { onProgress }), "ERR_SHAPE", "A",
    /^A must stay as it is until the call ends/);
  const little = (await loadFor(t, { threads: 0, maxMemory: 32 * 2 ** 20 })).featureMap({
    nFeatures: 1, nComponents: 900_000, method: "count-sketch", indexHash: [[0]], bitHash: [[1]] });
  const Z = new Float32Array(2 * 900_000).fill(1);
  errorOf(() => little.gram(Z), "ERR_MEMORY", "maxMemory");
});

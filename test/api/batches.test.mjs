// transformBatches: the bits of transform, batch by batch, of rows that come in time.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, load, randomRows, rejectionOf, sameBits, toCSR, toNested } from "./helper.mjs";

const d = 16, n = 1000, D = 32;
let ts, map, X, want, rows;
before(async () => {
  ts = await load({ threads: 1 });
  map = ts.featureMap({ nFeatures: d, nComponents: D, coef0: 1 });
  X = randomRows(n, d).map((v, i) => (i % 3 ? v : 0));
  want = map.transform(X);
  rows = Array.from({ length: n }, (_, row) => X.subarray(row * d, (row + 1) * d));
});

/** All batches of a call. */
async function collect(X, options) {
  const batches = [];
  for await (const Z of map.transformBatches(X, options)) batches.push(Z);
  return batches;
}

/** Gives items of a list in time, and notes how many were taken and that it was closed. */
function stream(items, note = {}) {
  note.taken = 0;
  return (async function* () {
    try {
      for (const item of items) {
        note.taken++;
        yield item;
      }
    } finally {
      note.closed = true;
    }
  })();
}

test("every form of rows gives the bits of transform, in batches of batchSize and a rest", async () => {
  const again = new Float32Array(d);
  const blocks = (size, form) => Array.from({ length: Math.ceil(n / size) }, (_, i) => form(i * size,
    Math.min(n, (i + 1) * size)));
  const tensor = (from, to) => ({ data: X.slice(from * d, to * d), dims: [to - from, d] });
  const forms = {
    flat: X,
    nested: toNested(X, d),
    CSR: toCSR(X, d),
    tensor: { data: X, dims: [n, d] },
    generator: (function* () {
      for (const row of rows) {
        again.set(row); // the same array for every row
        yield again;
      }
    })(),
    stream: stream(rows),
    promises: rows.map(async (row) => row),
    tensors: blocks(77, tensor),
    "blocks in time": stream(blocks(300, tensor)),
    "lists of rows": stream([[], ...blocks(99, (from, to) => rows.slice(from, to)), []]),
    "blocks of CSR": stream(blocks(130, (from, to) => toCSR(X.subarray(from * d, to * d), d))),
    "CSR and dense": stream(blocks(50, (from, to) => (from % 100 ? toCSR(X.subarray(from * d, to * d), d)
      : tensor(from, to)))),
  };
  for (const [name, form] of Object.entries(forms)) {
    const batches = await collect(form, { batchSize: 300 });
    assert.deepEqual(batches.map((Z) => Z.length / D), [300, 300, 300, 100], name);
    sameBits(Float32Array.from(batches.flatMap((Z) => Array.from(Z))), want, name);
  }
  assert.deepEqual((await collect(X)).map((Z) => Z.length / D), [1000]);
  assert.deepEqual((await collect(stream(rows), { batchSize: 500 })).length, 2, "no empty batch at the end");
  for (const none of [[], new Float32Array(0), stream([]), new Set(), { indptr: [0], indices: [], data: [] }]) {
    assert.deepEqual(await collect(none), []);
  }
});

test("it works ahead by one batch, and waits for the caller", async () => {
  const note = {};
  const batches = map.transformBatches(stream(rows, note), { batchSize: 100 });
  assert.equal(note.taken, 0, "before the first");
  for (let i = 0; i < 10; i++) {
    const { value } = await batches.next();
    sameBits(value, want.slice(100 * i * D, 100 * (i + 1) * D));
    await sleep(20);
    assert.equal(note.taken, Math.min(n, 100 * (i + 2)), "rows taken");
  }
  assert.equal((await batches.next()).done, true);
  assert.equal(note.closed, true);
});

test("a batch does not wait for the rows of the next one", async () => {
  let more;
  const waits = new Promise((resolve) => { more = resolve; });
  const batches = map.transformBatches((async function* () {
    yield* rows.slice(0, 10);
    await waits;
    yield rows[10];
  })(), { batchSize: 10 });
  assert.equal((await batches.next()).value.length, 10 * D);
  more();
  assert.equal((await batches.next()).value.length, D);
});

test("an abort ends it at once, also while rows are awaited, and closes the stream", async () => {
  const reason = new Error("enough");
  await assert.rejects(collect(rows, { signal: AbortSignal.abort(reason) }), reason);
  {
    const note = {}, controller = new AbortController();
    let got = 0;
    await assert.rejects(async () => {
      for await (const Z of map.transformBatches(stream(rows, note), { batchSize: 10, signal: controller.signal })) {
        got += Z.length / D;
        if (got === 30) controller.abort(reason);
      }
    }, reason);
    assert.deepEqual([got, note.closed, note.taken <= 40], [30, true, true]);
  }
  const controller = new AbortController();
  const never = (async function* () { yield await new Promise(() => {}); })();
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(collect(never, { signal: controller.signal }), reason);
});

test("a loop that is left closes the stream and takes no more of it", async () => {
  const note = {};
  for await (const Z of map.transformBatches(stream(rows, note), { batchSize: 10 })) {
    sameBits(Z, want.slice(0, 10 * D));
    break;
  }
  await sleep(20);
  assert.ok(note.taken <= 21, `${note.taken} rows`);
  assert.equal(note.closed, true);
});

test("errors name the row of the whole stream, or the item", async () => {
  const bad = (row, item) => stream(rows.with(row, item));
  const faults = [
    [bad(777, rows[0].with(3, NaN)), "ERR_NONFINITE", "X", "X row 777, column 3 must be finite: ", 777, 700],
    [bad(777, [...rows[0].slice(0, 15), 1e39]), "ERR_NONFINITE", "X",
      "X row 777, column 15 must be within the range of float32, ±3.4028235e38, got 1e+39", 777, 700],
    [bad(301, Array(d).fill(1n)), "ERR_PARAM", "X", "X row 301, column 0 must be a number, got 1n", 301, 300],
    [bad(42, X.subarray(0, 2 * d)), "ERR_SHAPE", "X[42]", `X[42] must be one row of nFeatures = ${d} numbers: give ` +
      "several rows as an array of rows, { data, dims } or CSR, got length 32"],
    [bad(42, { data: X.subarray(0, 2 * d), dims: [1, 2 * d] }), "ERR_SHAPE", "X[42].dims", "X[42].dims must be"],
    [bad(42, undefined), "ERR_PARAM", "X[42]", "X[42] must be a typed array of numbers"],
  ];
  for (const [stream, code, argument, message, row, rowsDone] of faults) {
    const error = await rejectionOf(collect(stream, { batchSize: 100 }), code, argument);
    assert.ok(error.message.startsWith(message), error.message);
    assert.deepEqual([error.row, error.rowsDone], [row, rowsDone]);
  }
  const mine = new Error("mine");
  await assert.rejects(collect((function* () {
    yield rows[0];
    throw mine;
  })()), mine);
});

test("mistakes in the arguments throw at once; a map that is disposed ends it", async () => {
  errorOf(() => map.transformBatches("rows"), "ERR_PARAM", "X");
  errorOf(() => map.transformBatches(new Float32Array(d + 1)), "ERR_SHAPE", "X");
  errorOf(() => map.transformBatches(X, { size: 5 }), "ERR_PARAM", "size");
  for (const batchSize of [0, -1, 1.5, "5", NaN]) {
    errorOf(() => map.transformBatches(X, { batchSize }), "ERR_PARAM", "batchSize");
  }
  errorOf(() => map.transformBatches(X, { signal: "stop" }), "ERR_PARAM", "signal");
  errorOf(() => ts.featureMap({ nFeatures: [2, 3] }).transformBatches(X), "ERR_SHAPE", "X");
  const short = ts.featureMap({ nFeatures: d });
  await rejectionOf((async () => {
    for await (const Z of short.transformBatches(X, { batchSize: 10 })) {
      assert.equal(Z.length, 1000);
      short.dispose();
    }
  })(), "ERR_DISPOSED");
  errorOf(() => short.transformBatches(X), "ERR_DISPOSED");
});

test("a map that is fitted anew ends the batches of before", async () => {
  const map = ts.featureMap({ nFeatures: d, nComponents: 8, method: "nystroem" });
  map.fit(X);
  await rejectionOf((async () => {
    for await (const Z of map.transformBatches(rows, { batchSize: 10 })) map.fit(X.subarray(Z.length));
  })(), "ERR_PARAM", "map", "the map of this iterator has been fitted anew: make another iterator");
});

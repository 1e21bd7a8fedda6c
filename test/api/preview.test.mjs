// What the page shows of an embedding: public/page/preview.js, by the map's own formulas and by plain loops.

import assert from "node:assert/strict";
import { test } from "node:test";
import { haveCore } from "../../public/page/engines.js";
import { embedToShow } from "../../public/page/look.js";
import { KeptRows, Preview, randomBelow, somePairs } from "../../public/page/preview.js";
import { mapOfRows, withDays } from "../../public/page/rowsmap.js";
import { firstOf, headOf, inTurn } from "../../public/page/through.js";
import { load, randomRows, toCSR, unitRows as signedRows } from "./helper.mjs";

const d = 5, D = 16;
const ts = await load({ threads: 0 });

/** Rows as a block: of a file whose row i is in line 2·i + 3, and is labelled i. */
function blockOf(X, width = d, first = 0) {
  const rows = X.length / width;
  const cells = Array.from({ length: rows }, (_, i) => new TextEncoder().encode(String(first + i)));
  const offsets = Int32Array.from({ length: rows + 1 }, (_, i) => cells.slice(0, i).reduce((n, c) => n + c.length, 0));
  return { rows, X, cells: Uint8Array.from(cells.flatMap((cell) => [...cell])), offsets,
    places: Float64Array.from({ length: rows }, (_, i) => 2 * (first + i) + 3) };
}

/** The same rows as CSR, with their zeros left out. */
function sparse(block) {
  const { indptr, indices, data } = toCSR(block.X, d);
  return { ...block, X: { indptr: Int32Array.from(indptr), indices: Int32Array.from(indices),
    data: Float32Array.from(data) } };
}

/** A preview of rows of length 1, by a map. */
async function previewOf(X, params = {}) {
  const map = ts.featureMap({ nFeatures: d, nComponents: D, coef0: 1, seed: 3, ...params });
  if (params.method === "nystroem") map.fit(X);
  const preview = new Preview(map);
  preview.add(blockOf(X, map.nFeatures), map.transform(X));
  return { map, preview, report: await preview.compare() };
}

/** `n` rows of length 1, of positive numbers. */
const unitRows = (n) => signedRows(n, d, 1, Math.abs);

const groups = (numbers) => Array.from({ length: numbers.length / 4 }, (_, k) => numbers.slice(4 * k, 4 * k + 4));
const close = (got, want) => assert.ok(Math.abs(got - want) <= 1e-12 * Math.abs(want), `${got}, want ${want}`);

test("every figure of three pairs is by its definition", async () => {
  const X = unitRows(3);
  const { map, report } = await previewOf(X);
  const Z = map.transform(X);
  const pairs = groups(report.pairs);
  assert.equal(pairs.length, 3);
  [[0, 1], [0, 2], [1, 2]].forEach(([i, j], k) => {
    let inner = 1, estimate = 0;
    for (let c = 0; c < d; c++) inner += X[i * d + c] * X[j * d + c];
    for (let c = 0; c < D; c++) estimate += Z[i * D + c] * Z[j * D + c];
    const [exact, got, bias, sigma] = pairs[k];
    close(exact, inner ** 2);
    close(got, estimate);
    assert.equal(bias, 0);
    const [x, y] = [i, j].map((row) => X.subarray(row * d, (row + 1) * d));
    assert.equal(sigma, map.theory.stdError(x, y).sigma);
  });
  assert.equal(report.kind, 0);
  const rows = [0, 1, 2].map((i) => X.subarray(i * d, (i + 1) * d));
  close(report.self, rows.reduce((sum, x) => sum + map.theory.kernel(x, x), 0) / 3);
});

test("bias and σ are the map's, and their kind is told", async () => {
  const X = unitRows(3);
  for (const [params, kind] of [[{}, 0], [{ normalize: "kernel" }, 1],
    [{ method: "spherical", coef0: undefined }, 0]]) {
    const { map: { theory }, report } = await previewOf(X, params);
    assert.equal(report.kind, kind, JSON.stringify(params));
    const [, , bias, sigma] = report.pairs;
    const [x, y] = [X.subarray(0, d), X.subarray(d, 2 * d)];
    assert.deepEqual([bias, sigma], [theory.bias(x, y), theory.stdError(x, y).sigma]);
  }
});

test("where no formula tells σ, the measured error is there all the same", async () => {
  const { report } = await previewOf(unitRows(40), { method: "nystroem", nComponents: 10 });
  const pairs = groups(report.pairs);
  assert.equal(pairs.length, (40 * 39) / 2);
  assert.ok(pairs.every(([exact, estimate, bias, sigma]) => exact !== estimate && bias === 0 && Number.isNaN(sigma)));
});

test("pairs of rows that differ are told from others", async () => {
  const X = unitRows(20);
  const params = { method: "random-fourier", gamma: 1e6, coef0: undefined };
  const twice = Float32Array.of(...X, ...X.subarray(0, d));
  const { report } = await previewOf(twice, params);
  assert.equal(report.unlike, (21 * 20) / 2 - 1);
  assert.ok(report.apart < 1e-6 && report.self === 1);
  const same = await previewOf(Float32Array.of(...X.subarray(0, d), ...X.subarray(0, d)), params);
  assert.equal(same.report.unlike, 0);
});

test("one row, or none, leaves nothing to compare", async () => {
  for (const n of [0, 1]) {
    const { preview, report } = await previewOf(unitRows(n));
    assert.deepEqual([preview.rows, preview.first.length, report.pairs.length], [n, n, 0]);
  }
});

test("the first rows are shown with their labels, and rows of zeros are counted", async () => {
  const X = unitRows(9);
  X.fill(0, 3 * d, 4 * d);
  for (const block of [blockOf(X), sparse(blockOf(X))]) {
    const map = ts.featureMap({ nFeatures: d, nComponents: D, coef0: 0 });
    const preview = new Preview(map);
    const Z = map.transform(X);
    preview.add(block, Z);
    assert.deepEqual([preview.rows, preview.zeroRows], [9, 1]);
    assert.deepEqual(preview.first.map(({ label }) => label), ["0", "1", "2", "3", "4", "5"]);
    preview.first.forEach(({ features }, i) => assert.deepEqual(features, Z.slice(i * D, (i + 1) * D)));
  }
});

test("the sample of rows is even, and depends on their number alone", async () => {
  const n = 10_000;
  const sampled = async (nComponents) => {
    const map = { nFeatures: 1, nComponents, theory: { kernel: (x, y) => x[0] * 20_000 + y[0],
      stdError: () => ({ sigma: 0, kind: "exact" }), bias: () => 0 } };
    const preview = new Preview(map);
    for (let row = 0; row < n; row++) preview.add(blockOf(Float32Array.of(row), 1), new Float32Array(nComponents));
    const { pairs } = await preview.compare();
    return new Set(groups(pairs).flatMap(([exact]) => [Math.floor(exact / 20_000), exact % 20_000]));
  };
  const rows = await sampled(1);
  const tenths = Array(10).fill(0);
  for (const row of rows) tenths[Math.floor((10 * row) / n)]++;
  assert.ok(rows.size > 390 && rows.size <= 400 && tenths.every((count) => count >= 20 && count <= 60), `${tenths}`);
  assert.deepEqual(await sampled(1), rows);
  const few = await sampled(1 << 13); // 64 MB hold no more of them
  assert.equal(few.size, 400);
});

test("of wide rows fewer pairs are compared, and a stopped comparison has the first of them", async () => {
  const wide = 1 << 18, n = 40;
  const map = ts.featureMap({ nFeatures: wide, nComponents: D, coef0: 1 });
  const preview = new Preview(map);
  const upTo = (length) => Int32Array.from({ length }, (_, i) => i);
  const X = { indptr: upTo(n + 1), indices: upTo(n), data: new Float32Array(n).fill(2) };
  preview.add({ ...blockOf(new Float32Array(n * d)), X }, map.transform({ ...X, rows: n }));
  const whole = await preview.compare();
  assert.equal(whole.pairs.length, 4 * 128); // of 780
  let asked = 0;
  const part = await preview.compare(() => ++asked === 3);
  assert.equal(asked, 3);
  assert.ok(part.pairs.length > 0 && part.pairs.length < whole.pairs.length, `${part.pairs.length}`);
  assert.deepEqual(part.pairs, whole.pairs.slice(0, part.pairs.length));
  assert.equal(part.self, whole.self);
});

test("all pairs of a few rows are compared, of many 2,000, all different", () => {
  for (const [n, want] of [[0, 0], [1, 0], [2, 1], [63, 1953], [64, 2000], [400, 2000]]) {
    const pairs = somePairs(n);
    assert.equal(pairs.length, want);
    assert.equal(new Set(pairs.map(String)).size, want);
    assert.ok(pairs.every(([i, j]) => 0 <= i && i < j && j < n));
  }
});

test("randomBelow is SplitMix64", () => {
  // the first values that the authors' C code gives for the seed 1234567
  const random = randomBelow(1234567n);
  for (const want of [6457827717110365317n, 3203168211198807973n, 9817491932198370423n, 4593380528125082431n]) {
    assert.equal(random(2 ** 53), Number(want % (1n << 53n)));
  }
});

test("the heaviest column has the largest share of the squared length", async () => {
  const X = Float32Array.of(3, 4, 0, 0, 0, 0, 0, 0, 0, 2);
  const { preview } = await previewOf(X);
  const columns = [{ name: "a", width: 1 }, { name: "b", width: 3 }, { name: "c", width: 1 }];
  assert.deepEqual(preview.heaviest(columns), { name: "c", share: 0.5 });
  assert.equal(preview.heaviest([{ name: "all", width: 5 }]).share, 1);
});

test("few rows are read once, many each time", () => {
  let reads = 0;
  const rowsOf = (blocks) => new KeptRows({ id: 1, nFeatures: d, widths: [], read: (onCounts) => {
    reads++;
    onCounts({ unused: 7 });
    return blocks;
  } });
  const few = rowsOf([blockOf(unitRows(4)), blockOf(unitRows(3))]);
  const [first] = few.blocks();
  assert.equal(first.rows, 4);
  assert.equal(few.isWhole, false, "a reading that was left off is whole");
  for (let k = 0; k < 3; k++) assert.equal([...few.blocks()].reduce((n, { rows }) => n + rows, 0), 7);
  assert.deepEqual([reads, few.rows, few.isWhole, few.counts.unused], [2, 7, true, 7]);
  const large = { rows: 1, X: { length: 5 << 20 } };
  const many = rowsOf([large, large]);
  for (let k = 0; k < 2; k++) assert.equal([...many.blocks()].length, 2);
  assert.deepEqual([reads, many.rows, many.isWhole], [4, 2, false]);
});

test("rows go through a map in their order, in parts, until it is stopped", async () => {
  const map = ts.featureMap({ nFeatures: d, nComponents: D });
  const X = randomRows(50, d, 9);
  const blocks = () => [blockOf(X.subarray(0, 20 * d)), blockOf(X.subarray(20 * d), d, 20)];
  const want = map.transform(X);
  for (const [rowsOfPart, ahead] of [[1, 0], [7, 1], [7, 3], [20, 9], [99, 2]]) {
    let working = 0, most = 0, at = 0;
    const features = async (part) => {
      most = Math.max(most, ++working);
      await Promise.resolve();
      working--;
      return map.transform(part);
    };
    for await (const { part, Z } of inTurn(blocks(), { rowsOfPart, ahead, features, goesOn: async () => true })) {
      assert.ok(part.rows <= rowsOfPart);
      assert.deepEqual(Z, want.slice(at * D, (at + part.rows) * D));
      assert.equal(part.places[0], 2 * at + 3);
      at += part.rows;
    }
    assert.equal(at, 50, `parts of ${rowsOfPart}`);
    assert.ok(most <= ahead + 1);
  }
  let asked = 0, rows = 0;
  const options = { rowsOfPart: 5, ahead: 2, features: (part) => map.transformAsync(part) };
  for await (const { part } of inTurn(blocks(), { ...options, goesOn: async () => ++asked < 3 })) rows += part.rows;
  assert.equal(rows, 15);
});

test("a row that the map refuses is named by its place in the file", async () => {
  const map = ts.featureMap({ nFeatures: d, nComponents: D });
  const X = randomRows(50, d, 9);
  X[33 * d + 1] = Infinity;
  const parts = inTurn([blockOf(X)], { rowsOfPart: 10, ahead: 2, features: (part) => map.transformAsync(part),
    goesOn: async () => true });
  let rows = 0;
  await assert.rejects(async () => { for await (const { part } of parts) rows += part.rows; },
    { code: "ERR_NONFINITE", row: 3, place: 2 * 33 + 3 });
  assert.equal(rows, 30);
});

test("the first rows are whole blocks that fit", () => {
  const blocks = [blockOf(unitRows(4)), blockOf(unitRows(3), d, 4)][Symbol.iterator]();
  assert.deepEqual([...firstOf(blocks, 5)].map(({ rows, places }) => [rows, places[0]]), [[4, 3], [1, 11]]);
  assert.equal(blocks.next().done, true);
  const head = headOf([blockOf(unitRows(4)), blockOf(unitRows(3), d, 4)]);
  assert.deepEqual([head.rows, head.X.length, head.places[5], head.isWhole], [7, 7 * d, 13, true]);
  const wide = { rows: 1, X: new Float32Array(5 << 20), places: [1] };
  const some = headOf([wide, wide, wide]);
  assert.deepEqual([some.rows, some.isWhole], [1, false]);
});

test("a preview closes what it reads, also where a row is refused and where it stops", async (t) => {
  globalThis.postMessage = () => {}; // as a worker has it: a slow machine is told how far the preview is
  t.after(() => delete globalThis.postMessage);
  await haveCore(); // it says how many parts are on their way
  const map = ts.featureMap({ nFeatures: d, nComponents: D });
  const bad = unitRows(4);
  bad[7] = Infinity;
  for (const [X, now, code] of [[unitRows(4), { stopped: false }], [unitRows(4), { stopped: true }],
    [bad, { stopped: false }, "ERR_NONFINITE"]]) {
    let closed = false;
    const rows = new KeptRows({ id: 1, nFeatures: d, widths: [], *read() {
      try {
        yield blockOf(X);
        for (let k = 1; k < 30; k++) yield blockOf(unitRows(4)); // more than are on their way
      } finally {
        closed = true;
      }
    } });
    const made = embedToShow(now, map, rows, { first: 0, most: 0, share: () => 1 });
    if (code) await assert.rejects(made, { code, row: 1, place: 5 });
    else assert.equal((await made).preview.rows, now.stopped ? 4 : 120);
    assert.equal(closed, true, `stopped ${now.stopped}, ${code}`);
  }
});

test("the map of the rows has their places, and what is shown of each", async () => {
  const n = 40;
  const X = unitRows(n);
  const map = ts.featureMap({ nFeatures: d, nComponents: D, coef0: 1, seed: 3 });
  const preview = new Preview(map);
  const Z = map.transform(X);
  preview.add(blockOf(X), Z);
  const xy = Array.from({ length: 2 * n }, (_, i) => i / 3);
  const products = await map.gramAsync(Z);
  const dataset = { components(given, rows) {
    assert.deepEqual([given, rows], [products, n]);
    return { xy, share: [0.5, 0.25] };
  } };
  const got = await mapOfRows(dataset, map, preview.sampled(), [{ name: "a", width: 2 }, { name: "b", width: 3 }]);
  assert.deepEqual([...got.numbers], [0.5, 0.25, ...xy, ...Array.from({ length: n }, (_, i) => 2 * i + 3), 2, 3]);
  assert.deepEqual([got.labels.split("\0")[7], got.width, got.names], ["7", d, "a\0b"]);
  assert.deepEqual(got.X, X);
  assert.equal(got.days, "\n\n\n\n");
});

test("the map of the rows has the days of a column of dates", async () => {
  const sample = [0, 1, 0.5].map((x, i) =>
    ({ x: Float32Array.of(2, 3, x, x), z: new Float32Array(4), label: "", place: i }));
  const map = { nFeatures: 4, nComponents: 4, gramAsync: async () => new Float32Array(16) };
  const dataset = { components: () => ({ xy: [], share: [1, 0] }) };
  const columns = [{ name: "a", role: "category" }, { name: "b", role: "date", center: 19723, scale: 366 },
    { name: "c", role: "date", scaling: "none" }];
  const widths = [{ name: "a", width: 2 }, { name: "b", width: 1 }, { name: "c", width: 1 }];
  const daysOf = async (unitNorm) =>
    (await mapOfRows(dataset, map, sample, withDays(widths, { columns, unitNorm }))).days.split("\n");
  assert.deepEqual((await daysOf(false)).map((text) => text.split("\0")), [[""], [""],
    ["2024-01-01", "2025-01-01", "2024-07-02"], ["1970-01-01", "1970-01-02", "1970-01-02"]]);
  assert.deepEqual(await daysOf(true), ["", "", "", ""], "rows that were divided by their length");
});

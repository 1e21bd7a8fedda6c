// Arrow in the API: columns and tables as two libraries make them give the features, models and errors of plain arrays.

import assert from "node:assert/strict";
import { test } from "node:test";
import * as arrow from "apache-arrow";
import * as flechette from "@uwdata/flechette";
import { load, toArrow } from "tensorsketch";

const ts = await load({ threads: 1 });
const d = 5;
const n = 1000;
const map = ts.featureMap({ nFeatures: d, nComponents: 64, degree: 2, seed: 1 });
let state = 1;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
const X = Float32Array.from({ length: n * d }, random);
const want = map.transform(X);

const { Field, FixedSizeList, Float16, Float32, Float64, List, Table, Utf8, vectorFromArray } = arrow;
const rows = Array.from({ length: n }, (_, row) => Array.from(X.subarray(row * d, (row + 1) * d)));
const lists = (type, of = rows) => vectorFromArray(of, new FixedSizeList(d, new Field("item", type)));
const viaFlechette = (table) => flechette.tableFromIPC(arrow.tableToIPC(table));

/** Calls and returns the error. */
function errorOf(call) {
  try {
    call();
  } catch (error) {
    return error;
  }
  return assert.fail("expected an error");
}

test("a column of lists, of a fixed length or not, in one chunk or several", () => {
  for (const vector of [
    lists(new Float32()), lists(new Float64()),
    vectorFromArray(rows, new List(new Field("item", new Float32()))),
    lists(new Float32(), rows.slice(0, 333)).concat(lists(new Float32(), rows.slice(333))),
    lists(new Float32(), [...rows.slice(0, 9), ...rows]).slice(9),
    viaFlechette(new Table({ v: lists(new Float32()) })).getChildAt(0),
  ]) {
    assert.deepEqual(map.transform(vector), want);
  }
  assert.equal(map.transform(lists(new Float32(), [])).length, 0);
});

test("the numeric columns of a table or a record batch, in the schema's order", () => {
  const table = new Table({
    a: vectorFromArray(rows.map((row) => row[0]), new Float64()),
    name: vectorFromArray(rows.map((_, i) => `row ${i}`), new Utf8()),
    b: vectorFromArray(rows.map((row) => row[1]), new Float32()),
    rest: vectorFromArray(rows.map((row) => row.slice(2)), new FixedSizeList(3, new Field("item", new Float32()))),
  });
  for (const of of [table, viaFlechette(table), table.batches[0]]) assert.deepEqual(map.transform(of), want);
});

test("integers of every width, also BigInts, and float16", () => {
  const small = ts.featureMap({ nFeatures: 3, nComponents: 32, degree: 2, seed: 1 });
  const numbers = [[1, 2, 3], [4, 5, 6], [-7, 8, 9]];
  const plain = small.transform(numbers);
  const of = (type) => new Table(Object.fromEntries([0, 1, 2].map((k) =>
    [`c${k}`, vectorFromArray(numbers.map((row) => row[k]), type)])));
  for (const type of [new arrow.Int8(), new arrow.Int16(), new arrow.Int32(), new Float16()]) {
    assert.deepEqual(small.transform(of(type)), plain, String(type));
    assert.deepEqual(small.transform(viaFlechette(of(type))), plain, String(type));
  }
  const big = new Table(Object.fromEntries([0, 1, 2].map((k) =>
    [`c${k}`, vectorFromArray(numbers.map((row) => BigInt(row[k])), new arrow.Int64())])));
  assert.deepEqual(small.transform(big), plain);
  const bigLists = numbers.map((row) => row.map(BigInt));
  const type = new FixedSizeList(3, new Field("item", new arrow.Int64()));
  assert.deepEqual(small.transform(vectorFromArray(bigLists, type)), plain);
});

test("every call that takes rows", async () => {
  const vector = lists(new Float32());
  assert.deepEqual(await map.transformAsync(vector), want);
  const parts = [];
  const halves = [rows.slice(0, 400), rows.slice(400)].map((half) => lists(new Float32(), half));
  const table = new Table({ v: halves[0].concat(halves[1]) });
  for await (const Z of map.transformBatches(table.batches)) parts.push(...Z);
  assert.deepEqual(Float32Array.from(parts), want);
  assert.deepEqual(map.transformProduct([vector, vector]), map.transformProduct([X, X]));
});

test("a model from columns: features, texts, numbers and dictionaries", async () => {
  const vector = lists(new Float32());
  const labels = rows.map((row) => (row[0] * row[1] > 0 ? "plus" : "minus"));
  const map = { nComponents: 64, degree: 2, seed: 1 }, options = { search: "off", map };
  const plain = await ts.fit(X, labels, options);
  const ragged = vectorFromArray(rows, new List(new Field("item", new Float32())));
  assert.equal(JSON.stringify(await ts.fit(ragged, labels, options)), JSON.stringify(plain));
  for (const y of [vectorFromArray(labels, new Utf8()), vectorFromArray(labels)]) {
    const model = await ts.fit(vector, y, options);
    assert.equal(JSON.stringify(model), JSON.stringify(plain));
    assert.deepEqual(model.evaluate(vector, y), plain.evaluate(X, labels));
  }
  const targets = rows.map((row) => row[0] * row[1] + row[2]);
  const learner = ts.learner({ map, ...ts.prepare(vector, vectorFromArray(targets, new Float64()),
    { ...options, task: "regress" }) });
  learner.add(vector, vectorFromArray(targets, new Float64()));
  const other = ts.learner({ map, ...ts.prepare(X, targets, { ...options, task: "regress" }) });
  other.add(X, targets);
  assert.equal(JSON.stringify(await learner.fit()), JSON.stringify(await other.fit()));
  const big = vectorFromArray(rows.map((_, i) => BigInt(i % 3)), new arrow.Int64());
  assert.deepEqual((await ts.fit(vector, big, { ...options, task: "classify" })).classes, [0, 1, 2]);
});

test("features as a column, which shares their memory", () => {
  const vector = toArrow(arrow, want, 64);
  assert.equal(vector.length, n);
  assert.equal(String(vector.type), "FixedSizeList[64]<Float32>");
  assert.equal(vector.data[0].children[0].values.buffer, want.buffer);
  assert.deepEqual(Float32Array.from(vector.get(7)), want.slice(7 * 64, 8 * 64));
  const read = arrow.tableFromIPC(arrow.tableToIPC(new Table({ features: vector }))).getChildAt(0);
  assert.deepEqual(Float32Array.from(read.get(n - 1)), want.slice((n - 1) * 64));
  const next = ts.featureMap({ nFeatures: 64, nComponents: 16, seed: 2 });
  assert.deepEqual(next.transform(vector), next.transform(want));
});

test("errors name the row, the column and the remedy", () => {
  const gap = errorOf(() => map.transform(lists(new Float32(), [rows[0], null, rows[1]])));
  assert.deepEqual([gap.code, gap.argument, gap.row], ["ERR_PARAM", "X", 1]);
  assert.match(gap.message, /must be numbers: leave rows with nulls out, or fill the nulls in, got null/);
  const inside = errorOf(() => map.transform(lists(new Float32(), [rows[0], [1, 2, null, 4, 5]])));
  assert.equal(inside.row, 1);
  const names = ["a", "b", "c", "d", "e"];
  const table = new Table(Object.fromEntries(names.map((name, k) =>
    [name, vectorFromArray(rows.map((row, i) => (i === 3 && k === 2 ? null : row[k])), new Float64())])));
  const null3 = errorOf(() => map.transform(table));
  assert.deepEqual([null3.row, null3.column], [3, 2]);
  assert.match(null3.message, /got null in column "c"/);
  const few = errorOf(() => map.transform(table.select(["a", "b"])));
  assert.equal(few.code, "ERR_SHAPE");
  assert.match(few.message, /must have nFeatures = 5 numeric columns: select .* cast decimals.*, got 2 \("a", "b"\)/);
  const two = new FixedSizeList(2, new Field("item", new Float32()));
  const wide = errorOf(() => map.transform(vectorFromArray([[1, 2]], two)));
  assert.match(wide.message, /must be a column of lists of nFeatures = 5 numbers, got lists of 2/);
  const texts = errorOf(() => map.transform(vectorFromArray(["a"], new Utf8())));
  assert.match(texts.message, /got the type "Utf8"/);
  const anyLength = new List(new Field("item", new Float32()));
  const ragged = errorOf(() => map.transform(vectorFromArray([rows[0], [1, 2]], anyLength)));
  assert.deepEqual([ragged.code, ragged.row], ["ERR_SHAPE", 1]);
  const infinite = errorOf(() => map.transform(lists(new Float64(), [rows[0], [1, 2, Infinity, 4, 5]])));
  assert.deepEqual([infinite.code, infinite.row, infinite.column], ["ERR_NONFINITE", 1, 2]);
  const large = errorOf(() => map.transform(lists(new Float64(), [[1e300, 2, 3, 4, 5]])));
  assert.match(large.message, /within the range of float32, .*got 1e\+300/);
  assert.match(errorOf(() => toArrow({}, want, 64)).message, /arrow must be the module apache-arrow.* has makeData/);
  assert.match(errorOf(() => toArrow(arrow, want, 65)).message, /Z must be a Float32Array of rows of nComponents = 65/);
});

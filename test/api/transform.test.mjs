// transform: every form of input gives the same bits, and every mistake is named. transformProduct: the sketch of
// x₁⊗…⊗x_p for vectors of one or several lengths.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAlive, errorOf, load, loadFor, near, randomRows, rejectionOf, sameBits, toCSR,
  toNested } from "./helper.mjs";
import { sentencesOf } from "./said.mjs";

const said = sentencesOf(import.meta.url);

const ts = await load({ threads: 0 });

test("CSR in any order, with explicit zeros, in typed arrays of any type", () => {
  const map = ts.featureMap({ nFeatures: 6, nComponents: 20, coef0: 1 });
  const want = map.transform([0, 2, 0, -1, 0, 3, 0, 0, 0, 0, 0, 0]);
  sameBits(map.transform({ indptr: [0, 4, 4], indices: [5, 0, 1, 3], data: [3, 0, 2, -1] }), want);
  sameBits(map.transform({
    indptr: Uint32Array.of(0, 3, 4), indices: Uint8Array.of(1, 3, 5, 2), data: Float64Array.of(2, -1, 3, 0),
  }), want);
});

test("typed arrays of every kind, tensors and iterables of rows give the bits of the same numbers", () => {
  const d = 6, n = 5;
  const map = ts.featureMap({ nFeatures: d, nComponents: 20, coef0: 1 });
  const numbers = Array.from({ length: n * d }, (_, i) => (7 * i) % 11);
  const want = map.transform(numbers);
  const kinds = [Int8Array, Uint8Array, Uint8ClampedArray, Int16Array, Uint16Array, Int32Array, Uint32Array,
    globalThis.Float16Array, Float32Array, Float64Array].filter(Boolean);
  for (const Kind of kinds) {
    const X = Kind.from(numbers);
    const rows = Array.from({ length: n }, (_, row) => X.subarray(row * d, (row + 1) * d));
    const again = new Kind(d); // the same array for every row
    const forms = {
      flat: X,
      rows,
      dims: { data: X, dims: [n, d] },
      shape: { data: X, shape: Int32Array.of(n, d), stride: [d, 1] },
      set: new Set(rows),
      generator: (function* () {
        for (const row of rows) {
          again.set(row);
          yield again;
        }
      })(),
      tensors: rows.map((data) => ({ data, dims: [1, d] })),
    };
    for (const [name, form] of Object.entries(forms)) sameBits(map.transform(form), want, `${name} of ${Kind.name}`);
    sameBits(map.transform({ data: rows[0], dims: [d] }), want.slice(0, 20), "one row");
  }
  const { Buffer } = globalThis; // a part of one shares its bytes
  if (Buffer) {
    const again = Buffer.alloc(d);
    const rows = toNested(Uint8Array.from(numbers), d);
    sameBits(map.transform((function* () {
      for (const row of rows) yield again.fill(Buffer.from(row));
    })()), want, "Buffer");
  }
  sameBits(map.transform({ data: numbers, shape: [n, d] }), want, "an array with a shape");
  sameBits(map.transform({ ...toCSR(numbers, d), shape: [n, d] }), want, "CSR with a shape");
  sameBits(map.transform(new Set([numbers.slice(0, d)])), want.slice(0, 20), "a set of one row");
});

test("an array whose buffer was transferred or shrunk is an error, and not 0 rows", () => {
  const map = ts.featureMap({ nFeatures: 3, nComponents: 4 });
  const gone = (Kind = Float32Array) => {
    const X = new Kind(6);
    structuredClone(X, { transfer: [X.buffer] });
    return X;
  };
  const buffer = new ArrayBuffer(48, { maxByteLength: 48 });
  const shrunk = new Float32Array(buffer, 24, 6);
  buffer.resize(30);
  const inputs = [
    [gone(), "X"], [gone(Uint8Array), "X"], [shrunk, "X"], [[[1, 2, 3], gone()], "X[1]"],
    [{ data: gone(), dims: [2, 3] }, "X.data"], [{ indptr: [0], indices: gone(), data: gone() }, "X.indices"],
  ];
  for (const [X, argument] of inputs) {
    errorOf(() => map.transform(X), "ERR_SHAPE", argument,
      `${argument} must keep its buffer: transfer a copy of it, got one that was transferred or shrunk`);
  }
  errorOf(() => map.fit(gone()), "ERR_SHAPE", "X");
  errorOf(() => map.gram(gone(), new Float32Array(4)), "ERR_SHAPE", "A");
  errorOf(() => map.transform(randomRows(2, 3), gone()), "ERR_SHAPE", "out");
});

test("many rows cross in several blocks with the same bits", () => {
  const d = 50;
  const X = randomRows(3001, d).map((v, i) => (i % 3 ? 0 : v));
  const map = ts.featureMap({ nFeatures: d, nComponents: 512 });
  const want = map.transform(X);
  sameBits(map.transform(toCSR(X, d)), want);
  for (const row of [0, 1, 250, 251, 255, 256, 257, 1999, 3000]) {
    sameBits(map.transform(X.subarray(row * d, (row + 1) * d)), want.slice(row * 512, (row + 1) * 512), `row ${row}`);
  }
});

test("rows larger than a block", () => {
  const d = 300_000;
  const X = randomRows(3, d);
  const map = ts.featureMap({ nFeatures: d, nComponents: 200_000, degree: 1 });
  const want = map.transform(X);
  sameBits(map.transform(X.subarray(d, 2 * d)), want.slice(200_000, 400_000));
  sameBits(map.transform(toCSR(X, d)), want);
});

test("out is written and returned; it may be a part of a larger array", () => {
  const map = ts.featureMap({ nFeatures: 3, nComponents: 4 });
  const X = randomRows(2, 3);
  const want = map.transform(X);
  const whole = new Float32Array(12).fill(9);
  const out = whole.subarray(2, 10);
  assert.equal(map.transform(X, out), out);
  sameBits(out, want);
  assert.deepEqual([...whole.subarray(0, 2), ...whole.subarray(10)], [9, 9, 9, 9]);
  assert.equal(map.transform(X, out), out, "again");
  sameBits(out, want);
  sameBits(map.transform(X, new Float32Array(new SharedArrayBuffer(32))), want, "shared memory");
});

// One row takes a short way, which compares numbers before it asks whose buffers they are in.
test("out may lie beside its row in one buffer, but not on it", () => {
  const d = 4, D = 6, at = 10;
  const map = ts.featureMap({ nFeatures: d, nComponents: D });
  for (const fill of [() => 0, () => 1, (i) => i + 1, (i) => (i % 3 ? i : NaN)]) {
    for (let from = 0; from <= 20; from++) {
      const whole = Float32Array.from({ length: 26 }, (_, i) => fill(i));
      const x = whole.subarray(at, at + d), out = whole.subarray(from, from + D);
      if (from + D > at && from < at + d) {
        errorOf(() => map.transform(x, out), "ERR_PARAM", "out", /not overlap the input/);
      } else if (x.some(Number.isNaN)) {
        errorOf(() => map.transform(x, out), "ERR_NONFINITE", "X");
      } else {
        const want = map.transform([...x]);
        sameBits(map.transform(x, out), want, `out from ${from} on`);
      }
    }
  }
});

test("no rows give no features", () => {
  const map = ts.featureMap({ nFeatures: 3 });
  for (const X of [[], new Float32Array(0), new Float64Array(0), { indptr: [0], indices: [], data: [] }]) {
    assert.deepEqual(map.transform(X), new Float32Array(0));
  }
  const out = new Float32Array(0);
  assert.equal(map.transform([], out), out);
});

test("wrong shapes are ERR_SHAPE", (t) => {
  const map = ts.featureMap({ nFeatures: 3, nComponents: 4 });
  const X = randomRows(2, 3);
  const want = map.transform(X);
  const csr = (indptr, indices = [], data = indices.map(() => 1)) => ({ indptr, indices, data });
  const cases = [
    [new Float32Array(4), "X"],
    [[1, 2], "X"],
    [[[1, 2, 3], [1, 2]], "X", 1],
    [[[1, 2, 3], 5], "X", 1],
    [[[1, 2, 3], , [1, 2, 3]], "X", 1],
    [[, [1, 2, 3]], "X", 0],
    [[null, [1, 2, 3]], "X", 0],
    [[[[1, 2, 3]]], "X", 0],
    [new Set([1, 2, 3]), "X", 0],
    [new Uint8Array(4), "X"],
    [{ data: new Float32Array(6), dims: [1, 6] }, "X.dims"],
    [{ data: new Float32Array(6), shape: [1, 2, 3] }, "X.shape"],
    [{ data: new Float32Array(6), dims: 3 }, "X.dims"],
    [{ data: new Float32Array(5), dims: [2, 3] }, "X.data"],
    [{ data: new Float32Array(6), shape: [2, 3], stride: [1, 2] }, "X"],
    [[{ data: new Float32Array(6), dims: [2, 3] }], "X", 0],
    [[[1, 2, 3], { data: new Float32Array(6), dims: [1, 6] }], "X[1].dims"],
    [{ ...csr([0, 0]), shape: [1, 4] }, "X.shape"],
    [{ ...csr([0, 0]), shape: [2, 3] }, "X.shape"],
    [[[]], "X", 0],
    [csr([]), "X.indptr"],
    [csr([1, 1], [0]), "X.indptr", 0],
    [csr([0, 2, 1], [0, 1]), "X.indptr", 2],
    [csr([0, 0.5], [0]), "X.indptr", 1],
    [csr([0, 1], [0, 1]), "X.indptr", 1],
    [csr([0, 1], [0], [1, 2]), "X.indices"],
    [csr([0, 0, 1], [3]), "X.indices", 1],
    [csr([0, 1], [-1]), "X.indices", 0],
    [csr([0, 1], [0.5]), "X.indices", 0],
    [csr([0, 1], [2 ** 32]), "X.indices", 0],
  ];
  for (const [bad, argument, row] of cases) {
    const error = errorOf(() => map.transform(bad), "ERR_SHAPE", argument);
    said(t, error);
    assert.equal(error.row, row, error.message);
    checkAlive(map, X, want, error.message);
  }
  const duplicate = errorOf(() => map.transform(csr([0, 1, 4], [0, 2, 1, 2])), "ERR_SHAPE", "X");
  assert.deepEqual([duplicate.row, duplicate.column, duplicate.rowsDone], [1, 2, 1]);
  checkAlive(map, X, want);
});

test("wrong types are ERR_PARAM", (t) => {
  const map = ts.featureMap({ nFeatures: 3, nComponents: 4 });
  const X = randomRows(2, 3);
  const want = map.transform(X);
  for (const bad of [undefined, null, 5, "1,2,3", {}, new ArrayBuffer(12), { indptr: [0], indices: [] }]) {
    errorOf(() => map.transform(bad), "ERR_PARAM", "X",
      /^X must be a typed array of numbers, an array of numbers, .*, or a column or table of Arrow, got /);
  }
  const remedies = [
    [new BigInt64Array(3), "X"],
    [Promise.resolve(X), "X"],
    [(async function* () {})(), "X"],
    [{ data: new BigUint64Array(3), dims: [1, 3] }, "X.data"],
    [{ data: () => X, shape: [2, 3] }, "X.data"],
    [{ data: new Uint16Array(3), dims: [1, 3], type: "float16" }, "X.data"],
    [{ get data() { throw new Error("The data is not on CPU"); }, dims: [1, 3] }, "X.data"],
  ];
  for (const [bad, argument] of remedies) said(t, errorOf(() => map.transform(bad), "ERR_PARAM", argument));
  errorOf(() => map.transform({ indptr: [0], indices: 5, data: [] }), "ERR_PARAM", "X.indices", /got 5$/);
  const cases = [
    [[1, 2, "3"], 0, 2],
    [[1, , 3], 0, 1],
    [[1, [2], 3], 0, 1],
    [[1, 2, 3, 4, undefined, 6], 1, 1],
    [[1, 2, 3, 4, 5, 6n], 1, 2],
    [[[1, 2, 3], [null, 2, 3]], 1, 0],
    [{ indptr: [0, 1], indices: [2], data: ["1"] }, 0, 2],
  ];
  for (const [bad, row, column] of cases) {
    const error = errorOf(() => map.transform(bad), "ERR_PARAM");
    said(t, error);
    assert.deepEqual([error.row, error.column, error.rowsDone], [row, column, 0]);
  }
  errorOf(() => map.transform(X, new Float64Array(8)), "ERR_PARAM", "out");
  errorOf(() => map.transform(X, []), "ERR_PARAM", "out");
  said(t, errorOf(() => map.transform(X, new Float32Array(9)), "ERR_SHAPE", "out"));
  const both = new Float32Array(12);
  errorOf(() => map.transform(both.subarray(0, 6), both.subarray(4, 12)), "ERR_PARAM", "out");
  errorOf(() => map.transform({ data: both.subarray(0, 6), dims: [2, 3] }, both.subarray(4, 12)), "ERR_PARAM", "out");
  assert.equal(map.transform(both.subarray(0, 3), both.subarray(3, 7)).length, 4, "apart in one buffer");
  checkAlive(map, X, want);
});

/** X with one value replaced, in every form, with rows beyond the first block. */
function* badRows(n, d, row, column, value) {
  const X = Float64Array.from(randomRows(n, d));
  X[row * d + column] = value;
  yield X;
  yield Float32Array.from(X);
  yield Array.from(X);
  yield toNested(X, d);
  yield toCSR(X, d);
}

test("NaN, infinities and numbers beyond float32 are ERR_NONFINITE with row and column of the whole call", () => {
  const d = 6, n = 2050;
  const map = ts.featureMap({ nFeatures: d, nComponents: 256 });
  const good = randomRows(n, d);
  const want = map.transform(good);
  for (const [row, column] of [[0, 0], [3, 5], [1027, 2], [n - 1, 4]]) {
    for (const value of [NaN, Infinity, -Infinity, 1e39, -1.7e308]) {
      for (const X of badRows(n, d, row, column, value)) {
        const out = new Float32Array(n * 256);
        const error = errorOf(() => map.transform(X, out), "ERR_NONFINITE", "X",
          new RegExp(`^X row ${row}, column ${column} must be `));
        assert.deepEqual([error.row, error.column, error.rowsDone], [row, column, row], error.message);
        sameBits(out.subarray(0, 256 * row), want.slice(0, 256 * row), `rows before ${row}`);
        if (Number.isFinite(value) && !(X instanceof Float32Array)) {
          const shown = String(value).replace("+", "\\+");
          assert.match(error.message,
            new RegExp(`must be within the range of float32, ±3\\.4028235e38, got ${shown}$`));
        }
      }
    }
  }
  checkAlive(map, good, want);
});

test("features beyond float32 are ERR_OVERFLOW with the row", () => {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 16, degree: 4 });
  const X = randomRows(700, 4);
  const want = map.transform(X);
  const large = X.slice();
  large.fill(1e30, 4 * 600, 4 * 601);
  const error = errorOf(() => map.transform(large), "ERR_OVERFLOW", "X", /^X row 600 must .*float32/);
  assert.deepEqual([error.row, error.rowsDone], [600, 600]);
  checkAlive(map, X, want);
});

test("subnormal and largest float32 values pass", () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 3, degree: 1 });
  const max = 3.4028234663852886e38;
  assert.ok(map.transform([max, 1e-45]).every(Number.isFinite));
  assert.ok(map.transform([[-max, 0]]).every(Number.isFinite));
});

test("a column of the script, which Safari and Bun note in errors, is not taken for one of the rows", async (t) => {
  Object.defineProperty(Error.prototype, "column", { value: 16, configurable: true, writable: true });
  t.after(() => delete Error.prototype.column);
  const map = (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: 2, degree: 30 });
  const error = errorOf(() => map.transform([1, 1, 1e30, 1e30]), "ERR_OVERFLOW");
  assert.deepEqual([error.row, error.column], [1, undefined]);
  assert.deepEqual(errorOf(() => map.transform([1, NaN]), "ERR_NONFINITE").column, 1);
});

test("the product of x with itself is transform, bit for bit", () => {
  for (const params of [{ degree: 2 }, { degree: 3, coef0: 1, gamma: 0.5 }, { degree: 2, normalize: "kernel" },
    { degree: 4, output: "spectrum" }]) {
    const map = ts.featureMap({ nFeatures: 10, nComponents: 60, ...params });
    const X = randomRows(9, 10);
    sameBits(map.transformProduct(Array(map.params.degree).fill(X)), map.transform(X), JSON.stringify(params));
  }
});

test("every form of input gives the same bits, in batches and alone", () => {
  const lengths = [7, 30, 11];
  const map = ts.featureMap({ nFeatures: lengths, nComponents: 40, coef0: 1, gamma: 0.7 });
  const Xs = lengths.map((d, k) => randomRows(6, d, k).map((v, i) => (i % 4 ? v : 0)));
  const want = map.transformProduct(Xs);
  sameBits(map.transformProduct(Xs.map((X, k) => toCSR(X, lengths[k]))), want, "CSR");
  sameBits(map.transformProduct([Float64Array.from(Xs[0]), toNested(Xs[1], 30), toCSR(Xs[2], 11)]), want, "mixed");
  const out = new Float32Array(240);
  assert.equal(map.transformProduct(Xs, out), out);
  sameBits(out, want, "out");
  for (let row = 0; row < 6; row++) {
    const single = map.transformProduct(Xs.map((X, k) => X.subarray(row * lengths[k], (row + 1) * lengths[k])));
    sameBits(single, want.slice(40 * row, 40 * (row + 1)), `row ${row}`);
  }
  assert.equal(map.transformProduct([[], [], []]).length, 0);
});

test("rows in several blocks", () => {
  const map = ts.featureMap({ nFeatures: [100, 20], nComponents: 300 });
  const Xs = [randomRows(2000, 100), randomRows(2000, 20)];
  const want = map.transformProduct(Xs);
  sameBits(map.transformProduct([toCSR(Xs[0], 100), Xs[1]]), want);
  sameBits(map.transformProduct([Xs[0].subarray(150_000), Xs[1].subarray(30_000)]), want.slice(450_000),
    "the last quarter");
});

test("kernel is Π (γ⟨x_k, y_k⟩ + c), and its σ is exact", () => {
  const map = ts.featureMap({ nFeatures: [5, 3], nComponents: 32, gamma: 0.5, coef0: 2 });
  const [x, y] = [randomRows(1, 8, 1), randomRows(1, 8, 2)];
  const dot = (from, to) => x.subarray(from, to).reduce((sum, v, i) => sum + v * y[from + i], 0);
  near(map.theory.kernel(x, y), (0.5 * dot(0, 5) + 2) * (0.5 * dot(5, 8) + 2), 1e-12, "kernel");
  const { sigma, kind } = map.theory.stdError(x, y);
  assert.ok(sigma > 0);
  assert.equal(kind, "exact");
});

test("a map of unlike lengths sends transform to transformProduct", async () => {
  const map = ts.featureMap({ nFeatures: [2, 3], nComponents: 8 });
  errorOf(() => map.transform([1, 2]), "ERR_SHAPE", "X", /call transformProduct$/);
  await rejectionOf(map.transformAsync([1, 2]), "ERR_SHAPE", "X", /call transformProduct$/);
});

test("mistakes are named, and the map goes on", (t) => {
  const map = ts.featureMap({ nFeatures: [2, 3], nComponents: 8 });
  const Xs = [randomRows(4, 2), randomRows(4, 3)];
  const want = map.transformProduct(Xs);
  const check = () => sameBits(map.transformProduct(Xs), want);
  const cases = [
    [[Xs[0]], "ERR_SHAPE", "Xs"],
    [Xs[0], "ERR_PARAM", "Xs"],
    [[Xs[0], randomRows(3, 3)], "ERR_SHAPE", "Xs[1]"],
    [[Xs[0], new Float32Array(4)], "ERR_SHAPE", "Xs[1]"],
    [[5, Xs[1]], "ERR_PARAM", "Xs[0]"],
    [[[1, 2, "3", 4, 5, 6, 7, 8], Xs[1]], "ERR_PARAM", "Xs[0]"],
  ];
  for (const [bad, ...expected] of cases) {
    said(t, errorOf(() => map.transformProduct(bad), ...expected));
    check();
  }
  errorOf(() => map.transformProduct(Xs, new Float32Array(31)), "ERR_SHAPE", "out");
  errorOf(() => map.transformProduct([Xs[0].subarray(0, 2), Xs[1].subarray(0, 3)],
    new Float32Array(Xs[1].buffer, 8, 8)), "ERR_PARAM", "out");

  const error = errorOf(() => map.transformProduct([Xs[0], Xs[1].with(7, NaN)]), "ERR_NONFINITE");
  assert.deepEqual([error.row, error.column, error.rowsDone], [2, 1, 2]);
  said(t, errorOf(() => map.transformProduct([Xs[0], [...Xs[1]].with(5, 1e300)]), "ERR_NONFINITE", "Xs[1]"));
  errorOf(() => map.transformProduct([Xs[0], new Float32Array(12).fill(3e38)]), "ERR_OVERFLOW");
  check();
});

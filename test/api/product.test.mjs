// transformProduct: the sketch of x₁⊗…⊗x_p for vectors of one or several lengths.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, load, near, randomRows, rejectionOf, sameBits, toCSR, toNested } from "./helper.mjs";

const ts = await load({ threads: 0 });

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

test("mistakes are named, and the map goes on", () => {
  const map = ts.featureMap({ nFeatures: [2, 3], nComponents: 8 });
  const Xs = [randomRows(4, 2), randomRows(4, 3)];
  const want = map.transformProduct(Xs);
  const check = () => sameBits(map.transformProduct(Xs), want);
  const cases = [
    [[Xs[0]], "ERR_SHAPE", "Xs", "Xs must hold one input per degree, 2, got 1"],
    [Xs[0], "ERR_PARAM", "Xs", "Xs must be an array of 2 inputs, one per degree, got Float32Array of 32 bytes"],
    [[Xs[0], randomRows(3, 3)], "ERR_SHAPE", "Xs[1]", "Xs[1] must have as many rows as Xs[0], 4, got 3 rows"],
    [[Xs[0], new Float32Array(4)], "ERR_SHAPE", "Xs[1]",
      "Xs[1] must have a length that is a multiple of nFeatures = 3, got length 4"],
    [[5, Xs[1]], "ERR_PARAM", "Xs[0]", /^Xs\[0\] must be a typed array of numbers/],
    [[[1, 2, "3", 4, 5, 6, 7, 8], Xs[1]], "ERR_PARAM", "Xs[0]", 'Xs[0] row 1, column 0 must be a number, got "3"'],
  ];
  for (const [bad, ...expected] of cases) {
    errorOf(() => map.transformProduct(bad), ...expected);
    check();
  }
  errorOf(() => map.transformProduct(Xs, new Float32Array(31)), "ERR_SHAPE", "out");
  errorOf(() => map.transformProduct([Xs[0].subarray(0, 2), Xs[1].subarray(0, 3)],
    new Float32Array(Xs[1].buffer, 8, 8)), "ERR_PARAM", "out");

  const error = errorOf(() => map.transformProduct([Xs[0], Xs[1].with(7, NaN)]), "ERR_NONFINITE");
  assert.deepEqual([error.row, error.column, error.rowsDone], [2, 1, 2]);
  errorOf(() => map.transformProduct([Xs[0], [...Xs[1]].with(5, 1e300)]), "ERR_NONFINITE", "Xs[1]",
    "Xs[1] row 1, column 2 must be within the range of float32, ±3.4028235e38, got 1e+300");
  errorOf(() => map.transformProduct([Xs[0], new Float32Array(12).fill(3e38)]), "ERR_OVERFLOW");
  check();
});

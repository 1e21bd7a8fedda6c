// pool and poolProduct: sums of the features of sets of rows.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, load, randomRows } from "./helper.mjs";

const D = 300;
const ts = await load({ threads: 0 });
const map = ts.featureMap({ nFeatures: 4, nComponents: D, coef0: 1 });
const two = ts.featureMap({ nFeatures: [3, 5], nComponents: D });

/** The sums of features in float64, rounded once. */
const sumOf = (Z) => Float32Array.from({ length: D }, (_, j) => {
  let sum = 0;
  for (let at = j; at < Z.length; at += D) sum += Z[at];
  return sum;
});

test("pool has the bits of the sums of transform, in as many blocks as there are", () => {
  const X = randomRows(5000, 4, 1); // several blocks of the core
  const Z = map.transform(X);
  assert.deepEqual(map.pool(X), sumOf(Z));
  assert.deepEqual(map.pool(X, { size: 1 }), Z);
  const halves = map.pool(X, { size: 2500 });
  assert.deepEqual(halves.subarray(D), sumOf(Z.subarray(2500 * D)));
  const sets = map.pool(X, { size: [0, 4999, 0, 1, 0] });
  assert.deepEqual(sets, Float32Array.of(...new Float32Array(D), ...sumOf(Z.subarray(0, 4999 * D)),
    ...new Float32Array(D), ...Z.subarray(4999 * D), ...new Float32Array(D)));
  assert.equal(map.pool([]).length, 0);
  assert.deepEqual(map.pool([], { size: [0, 0] }), new Float32Array(2 * D));
});

test("poolProduct has the bits of the sums of transformProduct", () => {
  const Xs = [randomRows(70, 3, 2), randomRows(70, 5, 3)];
  const Z = two.transformProduct(Xs);
  assert.deepEqual(two.poolProduct(Xs, { size: 35 }),
    Float32Array.of(...sumOf(Z.subarray(0, 35 * D)), ...sumOf(Z.subarray(35 * D))));
});

test("the inner product of two sets estimates the sum of the kernels of their pairs", () => {
  const [X, Y] = [randomRows(20, 4, 4), randomRows(30, 4, 5)];
  let exact = 0;
  for (let i = 0; i < 20; i++) {
    for (let j = 0; j < 30; j++) {
      exact += map.theory.kernel(X.subarray(4 * i, 4 * i + 4), Y.subarray(4 * j, 4 * j + 4));
    }
  }
  // σ is at most √((2 + 3^p)/D) times the norms of the two tensors (Avron, Nguyen & Woodruff 2014). The norm of a set's
  // tensor is the root of the sum of its own kernels. The mean of 50 seeds is within 4 σ/√50.
  const own = (Z) => {
    let sum = 0;
    for (let i = 0; i < Z.length; i += 4) {
      for (let j = 0; j < Z.length; j += 4) sum += map.theory.kernel(Z.subarray(i, i + 4), Z.subarray(j, j + 4));
    }
    return sum;
  };
  const sigma = Math.sqrt(11 / D * own(X) * own(Y));
  let mean = 0;
  for (let seed = 0; seed < 50; seed++) {
    const seeded = ts.featureMap({ ...map.params, seed });
    mean += seeded.estimate(seeded.pool(X), seeded.pool(Y)) / 50;
    seeded.dispose();
  }
  assert.ok(Math.abs(mean - exact) < 4 * sigma / Math.sqrt(50), `mean ${mean}, want ${exact} within ${sigma}`);
});

test("signed-root takes roots, and makes the length 1", () => {
  const X = randomRows(12, 4, 6);
  const [plain, rooted] = [map.pool(X), map.pool(X, { normalize: "signed-root" })];
  const length = Math.sqrt(plain.reduce((sum, value) => sum + Math.abs(value), 0));
  plain.forEach((value, j) => assert.ok(Math.abs(rooted[j] * Math.abs(rooted[j]) - value / length ** 2) < 1e-6));
  assert.ok(Math.abs(map.estimate(rooted, rooted) - 1) < 1e-6);
  const zeros = map.pool([], { size: [0], normalize: "signed-root" });
  assert.deepEqual(zeros, new Float32Array(D));
});

test("errors name the argument, the value and the remedy", () => {
  const X = randomRows(6, 4);
  errorOf(() => map.pool(X, { size: 4 }), "ERR_SHAPE", "size", "size must divide the number of rows, 6, got 4");
  errorOf(() => map.pool(X, { size: [3, 2] }), "ERR_SHAPE", "size",
    "size must have the sum 6, the number of rows, got the sum 5");
  errorOf(() => map.pool(X, { size: 1.5 }), "ERR_PARAM", "size",
    "size must be a number of rows, or one for each set, got 1.5");
  errorOf(() => map.pool(X, { size: [7, -1] }), "ERR_PARAM", "size[1]");
  errorOf(() => map.pool(X, { size: "6" }), "ERR_PARAM", "size");
  errorOf(() => map.pool(X, { normalize: "root" }), "ERR_PARAM", "normalize",
    'normalize must be "none" or "signed-root", got "root"');
  errorOf(() => map.pool(X, { sizes: 6 }), "ERR_PARAM", "sizes");
  errorOf(() => map.pool(Float32Array.of(1, 2, 3, 4, 1, NaN, 3, 4)), "ERR_NONFINITE", "X", /row 1/);
  errorOf(() => two.pool(X), "ERR_SHAPE", "X");
  errorOf(() => two.poolProduct([X]), "ERR_SHAPE", "Xs");
  const large = ts.featureMap({ nFeatures: 1, nComponents: 1, degree: 1 });
  errorOf(() => large.pool(new Float32Array(4).fill(3e38)), "ERR_OVERFLOW", "X",
    "the sum of set 0 exceeds float32: scale the rows down, or take smaller sets");
  const gone = ts.featureMap({ nFeatures: 1 });
  gone.dispose();
  errorOf(() => gone.pool([1]), "ERR_DISPOSED");
});

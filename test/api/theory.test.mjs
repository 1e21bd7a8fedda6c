// kernel, estimate, stdError and chooseComponents. That they are the formulas is tested in Go; digests.test.mjs has the
// same numbers.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, load, randomRows } from "./helper.mjs";

const ts = await load({ threads: 0 });

const x = Array.from(randomRows(1, 8, 1));
const y = Array.from(randomRows(1, 8, 2));

test("stdError says whether its σ is exact", () => {
  const kindOf = (params) => ts.featureMap({ nFeatures: 8, nComponents: 16, ...params }).theory.stdError(x, y).kind;
  assert.deepEqual([kindOf({}), kindOf({ normalize: "kernel" })], ["exact", "first-order"]);
});

test("estimate is the inner product in float64", () => {
  const map = ts.featureMap({ nFeatures: 8, nComponents: 50 });
  const zx = map.transform(x), zy = map.transform(y);
  let want = 0;
  for (let i = 0; i < 50; i++) want += zx[i] * zy[i];
  assert.equal(map.estimate(zx, zy), want);
  assert.equal(map.estimate(zx, zy, { how: "mean" }), want);
  assert.equal(map.estimate(zx, zy, { how: "median" }), want);
  assert.equal(map.estimate(Array.from(zx), Float64Array.from(zy)), want);
});

test("where no D would do it is Infinity; where σ is beyond float64 it is unknown; a D may exceed the largest", () => {
  const map = ts.featureMap({ nFeatures: 8, degree: 2 });
  const large = x.map((v) => v * 1e100);
  assert.deepEqual(map.theory.stdError(large, large), { sigma: NaN, kind: "unknown" });
  assert.deepEqual(map.theory.chooseComponents(large, large, 1, 0.1), { guaranteed: Infinity, typical: Infinity });
  const { guaranteed, typical } = map.theory.chooseComponents(x, y, 1e-6, 1e-20);
  assert.ok(guaranteed > typical && typical > 2 ** 24 && Number.isFinite(guaranteed), `${guaranteed} and ${typical}`);
  assert.deepEqual(map.theory.chooseComponents(x, y, 1e9, 0.5), { guaranteed: 1, typical: 1 });
  const scaled = ts.featureMap({ nFeatures: 8, degree: 2, normalize: "kernel" });
  const normalized = scaled.theory.chooseComponents(x, y, 0.1, 0.1);
  assert.ok(Number.isNaN(normalized.guaranteed) && normalized.typical >= 1);
});

test("mistakes are named, and the map goes on", () => {
  const map = ts.featureMap({ nFeatures: 8, nComponents: 4 });
  const want = map.theory.kernel(x, y);
  const z = map.transform(x);
  const short = x.slice(1);
  const bad = x.with ? x.with(3, NaN) : x.map((v, i) => (i === 3 ? NaN : v));
  for (const name of ["kernel", "stdError", "chooseComponents"]) {
    const call = (a, b) => () => map.theory[name](a, b, 0.1, 0.1);
    errorOf(call(short, y), "ERR_SHAPE", "x", "x must have 8 numbers, got 7");
    errorOf(call(x, short), "ERR_SHAPE", "y");
    errorOf(call(undefined, y), "ERR_PARAM", "x");
    errorOf(call(x, "12345678"), "ERR_PARAM", "y");
    errorOf(call(x, [1, 2, 3, "4", 5, 6, 7, 8]), "ERR_PARAM", "y[3]");
    const error = errorOf(call(x, bad), "ERR_NONFINITE", "y");
    assert.equal(error.column, 3, error.message);
  }
  for (const [epsilon, delta, argument] of [[0, 0.1, "epsilon"], [-1, 0.1, "epsilon"], [NaN, 0.1, "epsilon"],
    ["1", 0.1, "epsilon"],
    [0.1, 0, "delta"], [0.1, 1, "delta"], [0.1, NaN, "delta"], [0.1, undefined, "delta"]]) {
    errorOf(() => map.theory.chooseComponents(x, y, epsilon, delta), "ERR_PARAM", argument);
  }
  errorOf(() => map.estimate(z.subarray(1), z), "ERR_SHAPE", "zx",
    "zx must be one row of nComponents = 4 numbers, got 3");
  errorOf(() => map.estimate(z, undefined), "ERR_PARAM", "zy");
  errorOf(() => map.estimate(z, [1, 2, "3", 4]), "ERR_PARAM", "zy[2]");
  assert.equal(errorOf(() => map.estimate(z, [1, 2, 3, Infinity]), "ERR_NONFINITE", "zy").column, 3);
  errorOf(() => map.estimate(z, z, { how: "max" }), "ERR_PARAM", "how");
  errorOf(() => map.estimate(z, z, { hwo: "mean" }), "ERR_PARAM", "hwo");
  assert.equal(map.theory.kernel(x, y), want);
});

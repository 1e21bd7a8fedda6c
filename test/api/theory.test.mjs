// kernel, estimate, stdError and chooseComponents against the formulas.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { errorOf, load, randomRows } from "./helper.mjs";

let ts;
before(async () => { ts = await load({ threads: 0 }); });

const x = Array.from(randomRows(1, 8, 1));
const y = Array.from(randomRows(1, 8, 2));
const grid = [];
for (const degree of [1, 2, 3]) {
  for (const gamma of [1, 0.5]) {
    for (const coef0 of [0, 1]) {
      for (const nComponents of [16, 17]) grid.push({ nFeatures: 8, degree, gamma, coef0, nComponents });
    }
  }
}

const close = (got, want, message) => assert.ok(Math.abs(got - want) <= 1e-9 * Math.abs(want),
  `${message}: ${got}, want ${want}`);
const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);

test("kernel is (γ⟨x, y⟩ + c)^p", () => {
  for (const params of grid) {
    close(ts.featureMap(params).theory.kernel(x, y), (params.gamma * dot(x, y) + params.coef0) ** params.degree,
      JSON.stringify(params));
  }
});

/** The exact variance, as DESIGN states it. */
function variance({ degree: p, gamma, coef0, nComponents: D }) {
  const scaled = (v) => [...v.map((value) => Math.sqrt(gamma) * value), Math.sqrt(coef0)];
  const a = scaled(x), b = scaled(y);
  const T = dot(a, b) ** 2;
  const N = dot(a, a) * dot(b, b);
  const s = a.reduce((sum, v, i) => sum + v * v * b[i] * b[i], 0);
  const q = D % 2 ? 1 : 2;
  return ((T + N - s) ** p + (2 * T - s) ** p - 2 * T ** p) / D +
    (q * ((2 * T + N - 2 * s) ** p - (T + N - s) ** p - (2 * T - s) ** p + T ** p)) / D ** 2;
}

test("stdError is the exact σ, and says so", () => {
  for (const params of grid) {
    const { sigma, kind } = ts.featureMap(params).theory.stdError(x, y);
    close(sigma, Math.sqrt(variance(params)), JSON.stringify(params));
    assert.equal(kind, "exact");
  }
  const normalized = ts.featureMap({ ...grid[4], normalize: "kernel" }).theory.stdError(x, y);
  assert.equal(normalized.kind, "first-order");
  assert.ok(normalized.sigma > 0);
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

test("chooseComponents gives Chebyshev's D and the normal one", () => {
  const base = { nFeatures: 8, degree: 2, coef0: 1 };
  const map = ts.featureMap(base);
  const epsilon = 0.05, delta = 0.05;
  const { guaranteed, typical } = map.theory.chooseComponents(x, y, epsilon, delta);
  const sigma = (nComponents) => ts.featureMap({ ...base, nComponents }).theory.stdError(x, y).sigma;
  const chebyshev = sigma(guaranteed) ** 2 / (epsilon ** 2 * delta);
  assert.ok(chebyshev <= 1 && chebyshev > 0.99, `failure probability over δ: ${chebyshev}`);
  const normal = (1.959964 * sigma(typical)) / epsilon;
  assert.ok(normal <= 1.0001 && normal > 0.99, `1.96 σ over ε: ${normal}`);
  assert.ok(guaranteed / typical > 4 && guaranteed / typical < 7);
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
    assert.equal(errorOf(call(short, y), "ERR_SHAPE", "x").message, "x must have 8 numbers, got 7");
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
  assert.equal(errorOf(() => map.estimate(z.subarray(1), z), "ERR_SHAPE", "zx").message,
    "zx must be one row of nComponents = 4 numbers, got 3");
  errorOf(() => map.estimate(z, undefined), "ERR_PARAM", "zy");
  errorOf(() => map.estimate(z, [1, 2, "3", 4]), "ERR_PARAM", "zy[2]");
  assert.equal(errorOf(() => map.estimate(z, [1, 2, 3, Infinity]), "ERR_NONFINITE", "zy").column, 3);
  errorOf(() => map.estimate(z, z, { how: "max" }), "ERR_PARAM", "how");
  errorOf(() => map.estimate(z, z, { hwo: "mean" }), "ERR_PARAM", "hwo");
  assert.equal(map.theory.kernel(x, y), want);
});

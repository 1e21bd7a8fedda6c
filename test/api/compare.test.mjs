// Two-sample tests of learners and of their releases.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, randomRows, rejectionOf, watchWorkers } from "./helper.mjs";

const d = 5, D = 48;
const ts = await load({ threads: 0 });
const map = { nFeatures: d, nComponents: D, degree: 2, coef0: 1, seed: 5 };
const spec = { map, task: "classify", radius: 6 };

/** Rows of numbers that Go makes as well (TestComparisonBits of sketch/learn), moved by shift. */
function rowsOf(n, from, shift = 0) {
  return Float32Array.from({ length: n * d }, (_, i) => (((from + i) * 7919) % 1013) / 1013 - 0.5 + shift);
}

function learned(X, options = spec, of = ts) {
  const learner = of.learner(options);
  const n = X.length / d;
  learner.add(X, options.task === "regress" ? new Float64Array(n) : Array.from({ length: n }, (_, row) => row % 2));
  return learner;
}

test("the bits of Go, in this thread and in workers, whatever labels and folds are", async (t) => {
  const want = { mmd2: 0.3769695650562853, stdError: 0.03861866353831191, biased: 0.4013731054464976,
    pValue: 1.2538398653931865e-11 };
  const one = learned(rowsOf(120, 0)), other = learned(rowsOf(80, 1000, 0.2));
  const got = await one.compare(other);
  assert.deepEqual(got, { ...want, rows: [120, 80] });
  assert.ok(Object.isFrozen(got) && Object.isFrozen(got.rows));
  const regression = learned(rowsOf(80, 1000, 0.2), { ...spec, task: "regress", targetRange: [-1, 1], folds: 0 });
  assert.deepEqual(await one.compare(regression), got);
  watchWorkers(t);
  const threaded = await load({ threads: 2 });
  t.after(() => threaded.dispose());
  const progress = [];
  const inWorker = await learned(rowsOf(120, 0), spec, threaded).compare(other, {
    onProgress: (...args) => progress.push(args),
  });
  assert.deepEqual(inWorker, got);
  for (const [done, total] of progress) assert.ok(done >= 0 && done <= 1 && total === 1);
});

test("the estimate is the U-statistic of the features, and a copy does not differ", async () => {
  const [X, Y] = [randomRows(60, d, 1), randomRows(40, d, 2).map((v) => v + 0.3)];
  const one = learned(X, { ...spec, radius: 10 }), other = learned(Y, { ...spec, radius: 10 });
  const { mmd2, pValue } = await one.compare(other);
  const dot = (a, b) => a.reduce((sum, v, i) => sum + v * b[i], 0);
  const rows = (Z) => Array.from({ length: Z.length / D }, (_, row) => Array.from(Z.subarray(row * D, (row + 1) * D)));
  const [Zx, Zy] = [X, Y].map((rows_) => rows(one.map.transform(rows_)));
  const mean = (A, B) => {
    let [sum, pairs] = [0, 0];
    A.forEach((a, i) => B.forEach((b, j) => {
      if (A === B && i === j) return;
      sum += dot(a, b);
      pairs++;
    }));
    return sum / pairs;
  };
  const want = mean(Zx, Zx) + mean(Zy, Zy) - 2 * mean(Zx, Zy);
  assert.ok(Math.abs(mmd2 - want) < 1e-2 * Math.abs(want), `${mmd2} and ${want}`);
  assert.ok(pValue > 0 && pValue < 0.05, String(pValue));
  const copied = await one.compare(ts.learner({ from: one.toBytes() }));
  assert.ok(copied.pValue === 1 && copied.mmd2 < 0);
});

test("releases are compared with their noise", async () => {
  const secret = { ...spec, classes: [0, 1], private: true };
  const ledger = ts.ledger({ epsilon: 100, delta: 1e-5 });
  const release = (learner, epsilon) => learner.release({ epsilon, delta: 1e-5, ledger });
  const [one, same, other] = [learned(rowsOf(2000, 0), secret), learned(rowsOf(1500, 77), secret),
    learned(rowsOf(1500, 77, 0.4), secret)];
  const exact = await one.compare(other);
  const noisy = await release(one, 30).compare(release(other, 30));
  assert.deepEqual(noisy.rows, [2000, 1500]);
  assert.ok(Math.abs(noisy.mmd2 - exact.mmd2) < 5 * noisy.stdError, `${noisy.mmd2} and ${exact.mmd2}`);
  assert.ok(noisy.stdError > exact.stdError && noisy.pValue < 0.05, JSON.stringify(noisy));
  assert.ok((await release(one, 2).compare(same)).pValue > 1e-4);
});

test("wrong input", async () => {
  const one = learned(rowsOf(30, 0));
  for (const other of [undefined, null, {}, "learner"]) {
    await rejectionOf(one.compare(other), "ERR_PARAM", "other", /learner/);
  }
  const against = (options, X = rowsOf(30, 0)) => one.compare(learned(X, { ...spec, ...options }));
  await rejectionOf(against({ map: { ...map, seed: 6 } }), "ERR_PARAM", "seed", /same for both sets/);
  await rejectionOf(against({ radius: 600 }), "ERR_PARAM", "step", /radius/);
  await rejectionOf(against({ preprocessing: "another" }), "ERR_PARAM", "preprocessing", /both sets/);
  await rejectionOf(against({ private: true, classes: [0, 1] }), "ERR_PARAM", "bound", /both sets/);
  await rejectionOf(against({}, rowsOf(9, 0)), "ERR_PARAM", "rows", /at least 10/);
  await rejectionOf(one.compare(one, { sigma: 1 }), "ERR_PARAM", "sigma", /./);
  const alike = new Float32Array(30 * d).fill(0.5);
  await rejectionOf(learned(alike).compare(learned(alike)), "ERR_PARAM", "rows", /differ/);
  await assert.rejects(one.compare(one, { signal: AbortSignal.abort(new Error("enough")) }), /enough/);
  const gone = learned(rowsOf(30, 0));
  gone.dispose();
  await rejectionOf(one.compare(gone), "ERR_DISPOSED", undefined, /./);
  await rejectionOf(gone.compare(one), "ERR_DISPOSED", undefined, /./);
});

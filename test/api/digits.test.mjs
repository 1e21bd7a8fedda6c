// On real data the squared errors are those that the exact variance predicts, over seeds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { generator, load, sharedFile } from "./helper.mjs";

const { skip, text } = sharedFile("data", "digits.csv");

const SEEDS = 400, PAIRS = 2000, ROWS = 1000, d = 64, D = 1024;

/** ROWS rows of the file, chosen at random, each scaled to norm 1. */
function unitRows(random) {
  const lines = text.trim().split(/\r?\n/).slice(1);
  const X = new Float32Array(ROWS * d);
  for (let row = 0; row < ROWS; row++) {
    const [line] = lines.splice(Math.floor(random() * lines.length), 1);
    const values = line.split(",").slice(0, d).map(Number);
    const norm = Math.hypot(...values);
    X.set(values.map((v) => v / norm), row * d);
  }
  return X;
}

test(`over ${SEEDS} seeds and ${PAIRS} pairs of digits, squared errors over exact variances lie in 0.8–1.2`,
  { skip }, async (t) => {
  const ts = await load({ threads: 0 });
  t.after(() => ts.dispose());
  const random = generator(5620);
  const X = unitRows(random);
  const pairs = Array.from({ length: PAIRS }, () => [Math.floor(ROWS * random()), Math.floor(ROWS * random())]);
  const row = (Z, i, width) => Z.subarray(i * width, (i + 1) * width);

  const reference = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, coef0: 1 });
  const exact = pairs.map(([i, j]) => reference.theory.kernel(row(X, i, d), row(X, j, d)));
  const { theory } = reference;
  const variances = pairs.reduce((sum, [i, j]) => sum + theory.stdError(row(X, i, d), row(X, j, d)).sigma ** 2, 0);

  const Z = new Float32Array(ROWS * D);
  let squares = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const map = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, coef0: 1, seed });
    map.transform(X, Z);
    pairs.forEach(([i, j], k) => {
      squares += (map.estimate(row(Z, i, D), row(Z, j, D)) - exact[k]) ** 2;
    });
    map.dispose();
  }
  const ratio = squares / SEEDS / variances;
  t.diagnostic(`ratio ${ratio.toFixed(3)}`);
  assert.ok(ratio > 0.8 && ratio < 1.2, `ratio ${ratio}`);
});

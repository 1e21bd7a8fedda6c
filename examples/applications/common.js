// What the programs of this folder share: data beside the project, a line for a figure, and least squares. None of
// it is part of the package.

import { existsSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

export { normal, uniform } from "./random.js";

/** Reads a file of ../shared/data, or of the folder TENSORSKETCH_DATA. Without it, says so and ends the program. */
export function shared(name, instead = "") {
  const folder = process.env.TENSORSKETCH_DATA ?? "../../../shared/data";
  if (!existsSync(`${folder}/${name}`)) {
    console.log(`skipped: ${name} is not in ${folder}; TENSORSKETCH_DATA names another folder${instead}`);
    process.exit(0);
  }
  const content = readFileSync(`${folder}/${name}`);
  return name.endsWith(".gz") ? gunzipSync(content) : content;
}

/** Prints a figure beside its reference, and ends the program with an error where they differ by more than they may. */
export function figure(what, here, reference, there, within) {
  const digits = (value) => value.toPrecision(4);
  console.log(`${what}: ${digits(here)} here, ${digits(there)} ${reference}, may differ by ${digits(within)}`);
  if (!(Math.abs(here - there) <= within)) throw new Error(`${what} differs by ${Math.abs(here - there)}`);
}

/**
 * With SEEDS=20 before the command, measures the standard deviation of a figure over 20 seeds, and compares it with the
 * stated one, from which a program derives how far its figure may be from its reference. Of n seeds it has itself an
 * error of 1/√(2(n − 1)).
 */
export function spread(what, stated, ofSeed) {
  const seeds = Number(process.env.SEEDS ?? 0);
  if (seeds === 0) return;
  const values = Float64Array.from({ length: seeds }, (_, i) => ofSeed(1000 + i));
  const mean = values.reduce((sum, value) => sum + value, 0) / seeds;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (seeds - 1));
  console.log(`over ${seeds} seeds, ${what} has the mean ${mean.toPrecision(4)}`);
  figure("its standard deviation", deviation, "stated", stated, 3 * stated / Math.sqrt(2 * (seeds - 1)));
}

/**
 * Prints the share of hits beside that of a reference on the same rows. They may differ by three standard errors of a
 * difference of shares that are paired, √(rows which only one of both has right)/rows (McNemar 1947).
 */
export function sharesRight(what, hits, reference, others) {
  const share = (list) => list.filter(Boolean).length / list.length;
  const single = hits.filter((hit, i) => hit !== others[i]).length;
  figure(what, share(hits), reference, share(others), 3 * Math.sqrt(single) / hits.length);
}

/** The map that leaves rows of d numbers as they are: with it, `ts.fit` fits a linear model to features made before. */
export const asTheyAre = (d) => ({ method: "count-sketch", nFeatures: d, nComponents: d, coef0: 0,
  indexHash: [Array.from({ length: d }, (_, i) => i)], bitHash: [Array(d).fill(1)] });

export function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** Solves min ‖x·columns − b‖ for an array of columns, by the normal equations. */
export const leastSquares = (columns, b) =>
  solve(columns.map((c) => columns.map((other) => dot(c, other))), columns.map((c) => dot(c, b)));

/** Solves A·x = b for a positive definite A, an array of rows, by Cholesky's method. A becomes its factor. */
export function solve(A, b) {
  const x = Float64Array.from(b);
  for (let i = 0; i < x.length; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = A[i][j];
      for (let m = 0; m < j; m++) sum -= A[i][m] * A[j][m];
      A[i][j] = i === j ? Math.sqrt(sum) : sum / A[j][j];
    }
    for (let m = 0; m < i; m++) x[i] -= A[i][m] * x[m];
    x[i] /= A[i][i];
  }
  for (let i = x.length - 1; i >= 0; i--) {
    for (let m = i + 1; m < x.length; m++) x[i] -= A[m][i] * x[m];
    x[i] /= A[i][i];
  }
  return x;
}

/** Returns Spearman's rank correlation. Equal values share the mean of their ranks. */
export function rankCorrelation(a, b) {
  const ranks = (values) => values.map((value) => {
    let rank = 0;
    for (const other of values) rank += other < value ? 1 : other === value ? 0.5 : 0;
    return rank - values.length / 2;
  });
  const [x, y] = [ranks(a), ranks(b)];
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y));
}

// Least squares with a Kronecker product, min ‖(A ⊗ B)x − b‖, without forming A ⊗ B (Diao, Song, Sun & Woodruff 2018;
// Malik & Becker 2018). Column (i, j) of A ⊗ B is a_i ⊗ b_j, and its sketch comes from the two short columns.
// 160,000 equations with 64 unknowns become D equations. The residual grows by about √(1 + 64/(D − 65)).
//
// Run it in this folder, after ./build.sh dist:
//
//     npm install --no-save ../../dist/npm && node kronecker.js
//
// It prints:
//
//     160000 equations with 64 unknowns become 256, 1024, 4096
//     residual over the least one, D 256: 1.145 here, 1.155 expected, may differ by 0.05920
//     residual over the least one, D 1024: 1.032 here, 1.033 expected, may differ by 0.01180
//     residual over the least one, D 4096: 1.007 here, 1.008 expected, may differ by 0.002807

import { load } from "tensorsketch";
import { dot, figure, leastSquares, normal } from "./common.js";

const [n, k, SIZES] = [400, 8, [256, 1024, 4096]];
const random = normal(1);
const columns = () => Array.from({ length: k }, () => Float32Array.from({ length: n }, random));
const [A, B] = [columns(), columns()];
const pairs = A.flatMap((_, i) => B.map((_, j) => [i, j]));

// b, as n rows of n numbers, is a combination of the columns and noise.
const truth = pairs.map(random);
const b = Array.from({ length: n }, () => Float32Array.from({ length: n }, () => 3 * random()));
addTo(b, truth, 1);

/** Adds times·(A ⊗ B)x to n rows of n numbers. */
function addTo(rows, x, times) {
  rows.forEach((row, r) => {
    const mixed = Float64Array.from({ length: k }, (_, j) => A.reduce((sum, a, i) => sum + a[r] * x[i * k + j], 0));
    for (let s = 0; s < n; s++) row[s] += times * B.reduce((sum, column, j) => sum + mixed[j] * column[s], 0);
  });
}

function residual(x) {
  const rest = b.map((row) => Float64Array.from(row));
  addTo(rest, x, -1);
  return Math.sqrt(rest.reduce((sum, row) => sum + dot(row, row), 0));
}

/** The exact solution: (A ⊗ B)ᵀ(A ⊗ B) = AᵀA ⊗ BᵀB, so one side after the other is solved. */
function exact() {
  const byB = b.map((row) => leastSquares(B, row)); // n rows of k
  const solved = B.map((_, j) => leastSquares(A, byB.map((row) => row[j]))); // for each j, over i
  return pairs.map(([i, j]) => solved[j][i]);
}

const ts = await load({ threads: 0 });
// b is the sum of (unit vector r) ⊗ (row r of b), so its sketch is a pooled one.
const unit = { indptr: Array.from({ length: n + 1 }, (_, r) => r), indices: Array.from({ length: n }, (_, r) => r),
  data: new Float32Array(n).fill(1) };

/** The solution of the D equations of a sketch. */
function bySketch(D) {
  const map = ts.featureMap({ nFeatures: [n, n], nComponents: D, seed: 3 });
  const sketches = map.transformProduct([pairs.map(([i]) => A[i]), pairs.map(([, j]) => B[j])]);
  const sketchOfB = map.poolProduct([unit, b]);
  map.dispose();
  return leastSquares(pairs.map((_, at) => sketches.subarray(at * D, (at + 1) * D)), sketchOfB);
}

const least = residual(exact());
console.log(`${n * n} equations with ${k * k} unknowns become ${SIZES.join(", ")}`);
for (const D of SIZES) {
  // The square grows by a ratio of two χ², of 64 and of D − 64 degrees of freedom. The root may differ by two standard
  // deviations, half as large as the one of the square.
  const grows = k * k / (D - k * k - 1);
  const root = Math.sqrt(1 + grows);
  const deviation = grows * Math.sqrt(2 / (k * k) + 2 / (D - k * k)) / 2 / root;
  figure(`residual over the least one, D ${D}`, residual(bySketch(D)) / least, "expected", root, 2 * deviation);
}
ts.dispose();

// Tanimoto random features of fingerprints (Tripp, Bacallado, Singh & Hernández-Lobato 2023): error, speed and search.
// Fingerprints of 2,048 bits, about 48 of them set, are drawn around parents, as analogues of a molecule are.
// ../molecules makes real ones of SMILES. Two forms are shown:
//
//   - min–max, Σ min/Σ max: signs by `tensorsketch/tanimoto`
//   - dot product, ⟨x, y⟩/(‖x‖² + ‖y‖² − ⟨x, y⟩): Σ_r a^r with a = ⟨x, y⟩/(‖x‖² + ‖y‖²), each term by a tensor sketch
// of
//     ⟨x, y⟩^r and of exponentials of the lengths, whose products sum to (‖x‖² + ‖y‖²)^−r
//
// For bits both are the same kernel. Run it in this folder, after ./build.sh dist; it takes a number of fingerprints,
// by default 2,000. fingerprints.html does a million in a tab:
//
//     npm install --no-save ../../dist/npm && node fingerprints.js 1000000
//
// Without a number it prints:
//
//     min–max, root mean square error in σ: 0.9933 here, 1.000 expected, may differ by 0.2500
//     of the exact top 10, 0.99 are in the top 10 by estimates
//     of the exact top 10 in the top 50 by estimates: 1.000 here, 1.000 wanted, may differ by 0.05000
//     dot product, root mean square error in σ: 0.7440 here, 1.000 expected, may differ by 0.5000
//     most that is left out: 0.0004

import { load } from "tensorsketch";
import { tanimotoMap } from "tensorsketch/tanimoto";
import { dot, figure } from "./common.js";
import { drawn } from "./drawn.js";

const [BITS, D, QUERIES, TOP] = [2048, 1024, 10, 10];
const n = Number(process.argv[2] ?? 2000);
const bits = drawn(n);
const row = (i) => ({ bits: bits.subarray(i * BITS / 8, (i + 1) * BITS / 8) });

const map = tanimotoMap({ nFeatures: BITS, nComponents: D, seed: 1 });
const started = performance.now();
const signs = map.signs({ bits });
if (process.argv[2]) console.log(`${Math.round(n / (performance.now() - started) * 1000)} fingerprints a second`);
const signsOf = (i) => signs.subarray(i * map.words, (i + 1) * map.words);

/** Pairs of a fingerprint and a relative or a stranger. */
const pairs = Array.from({ length: 400 }, (_, i) => [i, (i + [20, 7, 40, 60][i % 4]) % n]);
const rms = (errors) => Math.sqrt(dot(errors, errors) / errors.length);
const errors = pairs.map(([i, j]) => {
  return (map.estimate(signsOf(i), signsOf(j)) - map.kernel(row(i), row(j))) / map.stdError(row(i), row(j)).sigma;
});
figure("min–max, root mean square error in σ", rms(errors), "expected", 1, 0.25);

const exactOf = Array.from({ length: n <= 20000 ? QUERIES : 0 }, (_, q) =>
  Array.from({ length: n }, (_, i) => map.kernel(row(20 * q), row(i)))); // of parents

/** The share of the exact ten that are among the `looked` with the largest estimates. */
function recall(looked) {
  let hits = 0;
  for (let q = 0; q < QUERIES; q++) {
    const exact = exactOf[q];
    const tenth = [...exact].sort((a, b) => b - a)[TOP - 1];
    const found = Array.from(map.nearest(signs, signsOf(20 * q), looked).rows, (i) => exact[i] >= tenth);
    hits += Math.min(TOP, found.filter(Boolean).length);
  }
  return hits / QUERIES / TOP;
}
if (exactOf.length > 0) {
  console.log(`of the exact top ${TOP}, ${recall(TOP).toFixed(2)} are in the top ${TOP} by estimates`);
  figure(`of the exact top ${TOP} in the top 50 by estimates`, recall(50), "wanted", 1, 0.05);
}

// The dot-product form. (u + v)^−r = ∫ s^(r−1) e^(−su) e^(−sv) ds / Γ(r), by the trapezoidal rule in ln s.
const ORDERS = 6, STEP = 0.5, NODES = 30;
const ts = await load({ threads: 0 });
const gamma = (r) => r <= 1 ? 1 : (r - 1) * gamma(r - 1);
const lengths = (u, r) => Float64Array.from({ length: NODES }, (_, k) => {
  const t = STEP * (k - NODES / 2) - Math.log(96);
  return Math.sqrt(STEP / gamma(r)) * Math.exp(r * t / 2 - Math.exp(t) * u);
});
const maps = Array.from({ length: ORDERS }, (_, i) => ts.featureMap({
  nFeatures: [NODES, ...Array(i + 1).fill(BITS)], nComponents: D, seed: 30 + i }));
const spread = (i) => Float32Array.from({ length: BITS }, (_, bit) => row(i).bits[bit >> 3] >> (bit & 7) & 1);

/** The input of each degree, for r = 1 … 6: what the length gives, and r times the fingerprint. */
const inputs = (i) => {
  const x = spread(i);
  return maps.map((_, r) => [lengths(dot(x, x), r + 1), ...Array(r + 1).fill(x)]);
};
const some = pairs.slice(0, 40).map(([i, j]) => {
  const [x, y] = [inputs(i), inputs(j)];
  let [estimate, variance, kept] = [0, 0, 0];
  maps.forEach((of, r) => {
    const features = (vectors) => of.transformProduct(vectors.map((v) => [v]));
    estimate += of.estimate(features(x[r]), features(y[r]));
    kept += of.theory.kernel(x[r].flatMap(toArray), y[r].flatMap(toArray));
    variance += of.theory.stdError(x[r].flatMap(toArray), y[r].flatMap(toArray)).sigma ** 2;
  });
  return { error: (estimate - kept) / Math.sqrt(variance), left: map.kernel(row(i), row(j)) - kept };
});
function toArray(values) {
  return Array.from(values);
}
figure("dot product, root mean square error in σ", rms(some.map(({ error }) => error)), "expected", 1, 0.5);
// Orders above 6 are left out: a^7/(1 − a) of the kernel, at most 1/64.
console.log(`most that is left out: ${Math.max(...some.map(({ left }) => left)).toFixed(4)}`);
ts.dispose();

// Tanimoto random features of fingerprints (Tripp, Bacallado, Singh & Hernández-Lobato 2023): error, speed and search.
// Fingerprints of 2,048 bits, about 48 of them set, are drawn around parents, as analogues of a molecule are.
// ../molecules makes real ones of SMILES. Two forms are shown:
//
//   - min–max, Σ min/Σ max: signs by `tensorsketch/tanimoto`
//   - dot product, ⟨x, y⟩/(‖x‖² + ‖y‖² − ⟨x, y⟩): Σ_r a^r with a = ⟨x, y⟩/(‖x‖² + ‖y‖²), each term by a tensor sketch
//     of ⟨x, y⟩^r and of exponentials of the lengths, whose products sum to (‖x‖² + ‖y‖²)^−r
//
// For bits both are the same kernel; the second is shown for counts, too. Run it in this folder, after ./build.sh dist;
// it takes a number of fingerprints, by default 2,000, and D, by default 1,024. fingerprints.html does a million in a
// tab.
//
//     npm install --no-save ../../dist/npm && node fingerprints.js
//
// By default it prints:
//
//     min–max, root mean square error in σ: 0.9933 here, 1.000 expected, may differ by 0.07000
//     of the ten most like a parent, in the top 10: 0.9700 here, 0.9669 expected, may differ by 0.03795
//     of the ten most like a parent, in the top 50: 1.000 here, 1.000 expected, may differ by 0.005000
//     of the ten most like any fingerprint, in the top 10: 0.8850 here, 0.8207 expected, may differ by 0.08138
//     of the ten most like any fingerprint, in the top 50: 0.9750 here, 0.9173 expected, may differ by 0.05842
//     dot product of bits, root mean square error in σ: 0.7376 here, 1.000 expected, may differ by 0.5200
//     dot product of bits, most that is left out: 0.0003586 here, 0.000 at least, may differ by 0.01563
//     dot product of counts, root mean square error in σ: 1.065 here, 1.000 expected, may differ by 0.5200
//     dot product of counts, most that is left out: 0.0007046 here, 0.000 at least, may differ by 0.01563

import { load } from "tensorsketch";
import { tanimotoMap } from "tensorsketch/tanimoto";
import { dot, figure, spread } from "./common.js";
import { drawn } from "./drawn.js";

const [BITS, QUERIES, TOP] = [2048, 20, 10];
const [n, D] = [2000, 1024].map((value, at) => Number(process.argv[2 + at] ?? value));
const bits = drawn(n);
const row = (i) => ({ bits: bits.subarray(i * BITS / 8, (i + 1) * BITS / 8) });

const map = tanimotoMap({ nFeatures: BITS, nComponents: D, seed: 1 });
const started = performance.now();
const signs = map.signs({ bits });
if (process.argv[2]) console.log(`${Math.round(n / (performance.now() - started) * 1000)} fingerprints a second`);
const wordsOf = (map, signs, i) => signs.subarray(i * map.words, (i + 1) * map.words);
const signsOf = (i) => wordsOf(map, signs, i);

/** Pairs of a fingerprint and a relative or a stranger. */
const pairs = Array.from({ length: 400 }, (_, i) => [i, (i + [20, 7, 40, 60][i % 4]) % n]);
const rms = (errors) => Math.sqrt(dot(errors, errors) / errors.length);
const errorsOf = (of, signOf) => rms(pairs.map(([i, j]) =>
  (of.estimate(signOf(i), signOf(j)) - of.kernel(row(i), row(j))) / of.stdError(row(i), row(j)).sigma));
// All pairs have one map, so their root mean square varies: it may differ by two standard deviations over seeds.
const [OF_SIGNS, OF_SKETCHES] = [0.035, 0.26];
figure("min–max, root mean square error in σ", errorsOf(map, signsOf), "expected", 1, 2 * OF_SIGNS);
spread("this error", OF_SIGNS, (seed) => {
  const other = tanimotoMap({ nFeatures: BITS, nComponents: D, seed });
  return errorsOf(other, (i) => other.signs(row(i)));
});

/** The exact kernels of a fingerprint and all n, and the tenth greatest of them. */
function relatives(q) {
  const exact = Array.from({ length: n }, (_, i) => map.kernel(row(q), row(i)));
  return { q, exact, tenth: [...exact].sort((a, b) => b - a)[TOP - 1] };
}

/** The share of the exact ten most like these that is among the `looked` best estimates. */
const recall = (map, signs, queries, looked) => queries.reduce((hits, { q, exact, tenth }) => {
  const found = Array.from(map.nearest(signs, wordsOf(map, signs, q), looked).rows, (i) => exact[i] >= tenth);
  return hits + Math.min(TOP, found.filter(Boolean).length);
}, 0) / queries.length / TOP;

/** The normal distribution by a logistic function, to 0.0002 (Bowling et al. 2009). */
const under = (z) => 1 / (1 + Math.exp(-0.07056 * z ** 3 - 1.5976 * z));

/**
 * The share that theory expects: estimates are normal with the variance (1 − T²)/D, and the best ones are above a level
 * that `looked` of them are expected to exceed.
 */
const expectedRecall = (queries, looked) => queries.reduce((hits, { exact, tenth }) => {
  const above = (T, level) => under((T - level) / Math.sqrt((1 - T * T) / D + 1e-12));
  let [low, high] = [-1, 1];
  for (let i = 0; i < 30; i++) {
    const level = (low + high) / 2;
    if (exact.reduce((sum, T) => sum + above(T, level), 0) > looked) low = level;
    else high = level;
  }
  return hits + Math.min(TOP, exact.reduce((sum, T) => sum + (T >= tenth ? above(T, low) : 0), 0));
}, 0) / queries.length / TOP;

// The tenth relative of a far relative is hardly more alike than a stranger is, so the estimates confuse them. A share
// may differ by three standard errors, √(p(1 − p)/answers) each, or by one answer.
if (n <= 20000) {
  for (const [whom, apart] of [["a parent", 20], ["any fingerprint", 97]]) {
    const queries = Array.from({ length: QUERIES }, (_, i) => relatives(i * apart % n));
    for (const looked of [TOP, 50]) {
      const what = `of the ten most like ${whom}, in the top ${looked}`;
      const share = expectedRecall(queries, looked);
      const error = Math.sqrt(share * (1 - share) / QUERIES / TOP);
      figure(what, recall(map, signs, queries, looked), "expected", share, Math.max(3 * error, 1 / QUERIES / TOP));
      spread(what, error, (seed) => {
        const other = tanimotoMap({ nFeatures: BITS, nComponents: D, seed });
        return recall(other, other.signs({ bits }), queries, looked);
      });
    }
  }
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
/** A fingerprint as numbers: bits, or counts from 1 to 3 by their places. */
const numbers = (i, most) => Float32Array.from({ length: BITS }, (_, bit) =>
  (row(i).bits[bit >> 3] >> (bit & 7) & 1) * (1 + bit % most));

/** The input of each order r = 1 … 6: what the length gives, and r times the fingerprint. */
const inputs = (x) => Array.from({ length: ORDERS }, (_, r) => [lengths(dot(x, x), r + 1), ...Array(r + 1).fill(x)]);

/** For pairs, the errors of the estimates in σ, and what is left out with the orders above 6. */
function dotProducts(seed, most) {
  const maps = Array.from({ length: ORDERS }, (_, r) => ts.featureMap({
    nFeatures: [NODES, ...Array(r + 1).fill(BITS)], nComponents: D, seed: seed + r }));
  const found = pairs.slice(0, 24).map(([i, j]) => {
    const [x, y] = [numbers(i, most), numbers(j, most)];
    const [ofX, ofY] = [inputs(x), inputs(y)];
    let [estimate, variance, kept] = [0, 0, 0];
    maps.forEach((of, r) => {
      const features = (vectors) => of.transformProduct(vectors.map((v) => [v]));
      const [a, b] = [ofX[r], ofY[r]].map((vectors) => vectors.flatMap((v) => Array.from(v)));
      estimate += of.estimate(features(ofX[r]), features(ofY[r]));
      kept += of.theory.kernel(a, b);
      variance += of.theory.stdError(a, b).sigma ** 2;
    });
    const kernel = dot(x, y) / (dot(x, x) + dot(y, y) - dot(x, y));
    return { error: (estimate - kept) / Math.sqrt(variance), left: kernel - kept };
  });
  maps.forEach((of) => of.dispose());
  return { error: rms(found.map(({ error }) => error)), left: Math.max(...found.map(({ left }) => Math.abs(left))) };
}
for (const [kind, most] of [["bits", 1], ["counts", 3]]) {
  const { error, left } = dotProducts(30, most);
  figure(`dot product of ${kind}, root mean square error in σ`, error, "expected", 1, 2 * OF_SKETCHES);
  // The terms of orders above 6 are a^7/(1 − a), a ≤ 1/2.
  figure(`dot product of ${kind}, most that is left out`, left, "at least", 0, 1 / 64);
}
spread("the error of dot products", OF_SKETCHES, (seed) => dotProducts(10 * seed, 3).error);
ts.dispose();

// Clusters of digits by k-means on features: kernel k-means in time linear in the rows (Wu et al. 2018; Xu & Pham
// 2024). Each step is a sum of integers, so three parts of the rows, merged in any order, make the centres of all rows
// to the last bit. The reference is scikit-learn's KMeans on all 2,145 products of two coordinates, from the same ten
// rows (reference.py); a sketch has 512 numbers instead.
//
// Run it in this folder, after ./build.sh dist, with ../../../shared/data/digits.csv:
//
//     npm install --no-save ../../dist/npm && node clusters.js
//
// It prints:
//
//     one step of three parts, merged, has the bits of a step of all rows: true
//     17 steps for 2000 rows of 512 features
//     squared distance to the centre, mean: 0.3340 here, 0.3339 by scikit-learn, may differ by 0.01000
//     adjusted Rand index with the digits: 0.5253 here, 0.5810 by scikit-learn, may differ by 0.1000

import { load } from "tensorsketch";
import { figure, shared } from "./common.js";
import { kmeans, means, merge, onGrid, randIndex, step } from "./kmeans.js";

const ROWS = 2000;

const lines = shared("digits.csv").toString().trim().split("\n").slice(1, ROWS + 1);
const table = lines.map((line) => line.split(",").map(Number));
const digits = table.map((row) => row[64]);
const X = Float32Array.from(table.flatMap((row) => {
  const pixels = row.slice(0, 64);
  const length = Math.hypot(...pixels);
  return pixels.map((value) => value / length);
}));

const ts = await load({ threads: 0 });
const D = 512;
const map = ts.featureMap({ nFeatures: 64, nComponents: D, degree: 2, coef0: 0.1, seed: 1 });
const rows = onGrid(map.transform(X));

const first = Float64Array.from(rows.subarray(0, 10 * D));
const whole = means(step(rows, D, first), first);
const parts = [rows.subarray(900 * D), rows.subarray(0, 300 * D), rows.subarray(300 * D, 900 * D)];
const merged = means(parts.map((part) => step(part, D, first)).reduce(merge), first);
console.log(`one step of three parts, merged, has the bits of a step of all rows: ${
  whole.every((value, at) => value === merged[at])}`);

const { inertia, labels, steps } = kmeans(rows, D, first);
console.log(`${steps} steps for ${digits.length} rows of ${D} features`);
// The same rows by scikit-learn 1.9.1 on the products themselves: python3 reference.py clusters
figure("squared distance to the centre, mean", inertia / digits.length, "by scikit-learn", 0.3339, 0.01);
figure("adjusted Rand index with the digits", randIndex(labels, digits), "by scikit-learn", 0.581, 0.1);
ts.dispose();

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
//     squared distance to the centre, mean: 0.3381 here, 0.3339 by scikit-learn, may differ by 0.008000
//     adjusted Rand index with the digits: 0.5253 here, 0.5810 by scikit-learn, may differ by 0.08000

import { load } from "tensorsketch";
import { dot, figure, shared, spread } from "./common.js";
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
const rowsOf = (seed) => {
  const map = ts.featureMap({ nFeatures: 64, nComponents: D, degree: 2, coef0: 0.1, seed });
  const rows = onGrid(map.transform(X));
  map.dispose();
  return rows;
};
const found = (rows) => kmeans(rows, D, Float64Array.from(rows.subarray(0, 10 * D)));

/** The mean squared distance of rows to the centres of their clusters, by the kernel itself. */
function distance(labels) {
  const row = (i) => X.subarray(i * 64, (i + 1) * 64);
  const kernel = (i, j) => (dot(row(i), row(j)) + 0.1) ** 2;
  let sum = 0;
  for (let cluster = 0; cluster < 10; cluster++) {
    const members = digits.map((_, i) => i).filter((i) => labels[i] === cluster);
    members.forEach((i, at) => {
      sum += kernel(i, i) * (1 - 1 / members.length);
      for (const j of members.slice(0, at)) sum -= 2 * kernel(i, j) / members.length;
    });
  }
  return sum / digits.length;
}

const rows = rowsOf(1);
const first = Float64Array.from(rows.subarray(0, 10 * D));
const whole = means(step(rows, D, first), first);
const parts = [rows.subarray(900 * D), rows.subarray(0, 300 * D), rows.subarray(300 * D, 900 * D)];
const merged = means(parts.map((part) => step(part, D, first)).reduce(merge), first);
console.log(`one step of three parts, merged, has the bits of a step of all rows: ${
  whole.every((value, at) => value === merged[at])}`);

const { labels, steps } = found(rows);
console.log(`${steps} steps for ${digits.length} rows of ${D} features`);
// The same rows by scikit-learn 1.9.1 on the products themselves: python3 reference.py clusters
// A figure may differ by two of its standard deviations over seeds.
const [OF_DISTANCE, OF_INDEX] = [0.004, 0.04];
figure("squared distance to the centre, mean", distance(labels), "by scikit-learn", 0.3339, 2 * OF_DISTANCE);
figure("adjusted Rand index with the digits", randIndex(labels, digits), "by scikit-learn", 0.581, 2 * OF_INDEX);
spread("squared distance", OF_DISTANCE, (seed) => distance(found(rowsOf(seed)).labels));
spread("Rand index", OF_INDEX, (seed) => randIndex(found(rowsOf(seed)).labels, digits));
ts.dispose();

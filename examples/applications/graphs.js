// Clusters of a graph in the tab (Fettal, Labiod & Nadif 2023; Draief, Kutzkov, Scaman & Vojnovic 2018): features of
// nodes are smoothed by the powers of the adjacency, sketched, and clustered by k-means. The graph is drawn from a
// block model: 900 nodes of three groups, 16 neighbours in the own group and 2 in each other one. Of ten columns, two
// are correlated, and the sign of the correlation tells the group: means are the same for all. So smoothing must come
// after the products, and the reference is k-means on all 55 products, smoothed.
//
// Run it in this folder, after ./build.sh dist:
//
//     npm install --no-save ../../dist/npm && node graphs.js
//
// It prints:
//
//     k-means on the columns: 0.01, smoothed: 0.26
//     on the sketch: 0.00
//     on the sketch, smoothed: 0.4537 here, 0.4288 with all products, may differ by 0.1000

import { load } from "tensorsketch";
import { figure, normal, uniform } from "./common.js";
import { farRows, kmeans, onGrid, randIndex } from "./kmeans.js";

const [n, d, D] = [900, 10, 512];
const [random, gauss] = [uniform(5), normal(6)];
const group = Array.from({ length: n }, (_, i) => i % 3);
const neighbours = Array.from({ length: n }, (_, i) => [i]);
for (let i = 0; i < n; i++) {
  for (let j = 0; j < i; j++) {
    if (random() < (group[i] === group[j] ? 16 : 2) / 300) {
      neighbours[i].push(j);
      neighbours[j].push(i);
    }
  }
}
const X = Float32Array.from({ length: n * d }, gauss);
group.forEach((of, i) => {
  const at = i * d;
  X[at + 1] = ([0.8, 0, -0.8][of] * X[at] + 0.6 * X[at + 1]) / (of === 1 ? 0.6 : 1); // the sign of the correlation
});

/** Each node gets the mean of its neighbours and itself, `power` times. */
function smooth(Z, width, power) {
  if (power === 0) return Z;
  const out = new Float32Array(Z.length);
  neighbours.forEach((of, i) => of.forEach((j) => {
    for (let c = 0; c < width; c++) out[i * width + c] += Z[j * width + c] / of.length;
  }));
  return smooth(out, width, power - 1);
}

/** The adjusted Rand index of the groups and what k-means finds, from rows far apart. */
function found(Z, width) {
  const rows = onGrid(Z);
  return randIndex(kmeans(rows, width, farRows(rows, width, 3)).labels, group);
}

const ts = await load({ threads: 0 });
const map = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, seed: 2 });
const all = Float32Array.from({ length: n * d * d }, (_, at) => {
  const [i, j, k] = [Math.floor(at / d / d), Math.floor(at / d) % d, at % d];
  return X[i * d + j] * X[i * d + k];
});
console.log(`k-means on the columns: ${found(X, d).toFixed(2)}, smoothed: ${found(smooth(X, d, 2), d).toFixed(2)}`);
const sketch = map.transform(X);
console.log(`on the sketch: ${Math.abs(found(sketch, D)).toFixed(2)}`);
const reference = found(smooth(all, d * d, 2), d * d);
figure("on the sketch, smoothed", found(smooth(sketch, D, 2), D), "with all products", reference, 0.1);
ts.dispose();

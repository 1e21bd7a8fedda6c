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
//     k-means on the columns: -0.00, smoothed: 0.26
//     on the sketch: 0.00
//     on the sketch, smoothed: 0.9542 here, 0.9671 with all products, may differ by 0.02000

import { load } from "tensorsketch";
import { figure, normal, spread, uniform } from "./common.js";
import { bestOf, onGrid, randIndex } from "./kmeans.js";

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

/** The adjusted Rand index of the groups and what k-means finds, the best of five starts. */
const found = (Z, width) => randIndex(bestOf(5, onGrid(Z), width, 3).labels, group);

const ts = await load({ threads: 0 });
const sketched = (seed) => {
  const map = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, seed });
  const Z = map.transform(X);
  map.dispose();
  return Z;
};
const all = Float32Array.from({ length: n * d * d }, (_, at) => {
  const [i, j, k] = [Math.floor(at / d / d), Math.floor(at / d) % d, at % d];
  return X[i * d + j] * X[i * d + k];
});
console.log(`k-means on the columns: ${found(X, d).toFixed(2)}, smoothed: ${found(smooth(X, d, 2), d).toFixed(2)}`);
const sketch = sketched(2);
console.log(`on the sketch: ${Math.abs(found(sketch, D)).toFixed(2)}`);
const reference = found(smooth(all, d * d, 2), d * d);
const SPREAD = 0.01; // the standard deviation over seeds, twice as much as the figure may differ by
figure("on the sketch, smoothed", found(smooth(sketch, D, 2), D), "with all products", reference, 2 * SPREAD);
spread("the index", SPREAD, (seed) => found(smooth(sketched(seed), D, 2), D));
ts.dispose();

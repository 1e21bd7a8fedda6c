// A drawn graph with features of its nodes, and the clusters that k-means finds, for graphs.js and graphs.html. The
// graph is drawn from a block model: 900 nodes of three groups, 16 neighbours in the own group and 2 in each other one.
// Of ten columns, two are correlated, and the sign of the correlation tells the group: means are the same for all.

import { bestOf, onGrid, randIndex } from "./kmeans.js";
import { normal, uniform } from "./random.js";

/** The number of nodes, of their columns, and of features of a sketch. */
export const [n, d, D] = [900, 10, 512];

const [random, gauss] = [uniform(5), normal(6)];
/** The group of each node. */
export const group = Array.from({ length: n }, (_, i) => i % 3);
/** The neighbours of each node, the node itself first. */
export const neighbours = Array.from({ length: n }, (_, i) => [i]);
for (let i = 0; i < n; i++) {
  for (let j = 0; j < i; j++) {
    if (random() < (group[i] === group[j] ? 16 : 2) / 300) {
      neighbours[i].push(j);
      neighbours[j].push(i);
    }
  }
}
/** The columns of all nodes, row after row. */
export const X = Float32Array.from({ length: n * d }, gauss);
group.forEach((of, i) => {
  const at = i * d;
  X[at + 1] = ([0.8, 0, -0.8][of] * X[at] + 0.6 * X[at + 1]) / (of === 1 ? 0.6 : 1); // the sign of the correlation
});

/** Each node gets the mean of its neighbours and itself, `power` times. */
export function smooth(Z, width, power = 2) {
  if (power === 0) return Z;
  const out = new Float32Array(Z.length);
  neighbours.forEach((of, i) => of.forEach((j) => {
    for (let c = 0; c < width; c++) out[i * width + c] += Z[j * width + c] / of.length;
  }));
  return smooth(out, width, power - 1);
}

/** Returns the tensor sketches of degree 2 of the nodes. */
export function sketched(ts, seed = 2) {
  const map = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, seed });
  const Z = map.transform(X);
  map.dispose();
  return Z;
}

/** Returns the clusters that k-means finds, the best of five starts, and their adjusted Rand index with the groups. */
export function clusters(Z, width) {
  const { labels } = bestOf(5, onGrid(Z), width, 3);
  return { labels, index: randIndex(labels, group) };
}

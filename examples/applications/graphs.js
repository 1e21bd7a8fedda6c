// Clusters of a graph in the tab (Fettal, Labiod & Nadif 2023; Draief, Kutzkov, Scaman & Vojnovic 2018): features of
// nodes are sketched, smoothed by the powers of the adjacency, and clustered by k-means. Groups of the graph of
// graph.js differ in the correlation of two columns, and their means are the same. So smoothing must come after the
// products, and the reference is k-means on all 55 products, smoothed. graphs.html runs the same code in a tab, and
// draws the nodes.
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
import { figure, spread } from "./common.js";
import { clusters, d, D, n, sketched, smooth, X } from "./graph.js";

const found = (Z, width) => clusters(Z, width).index;
const ts = await load({ threads: 0 });
const all = Float32Array.from({ length: n * d * d }, (_, at) => {
  const [i, j, k] = [Math.floor(at / d / d), Math.floor(at / d) % d, at % d];
  return X[i * d + j] * X[i * d + k];
});
console.log(`k-means on the columns: ${found(X, d).toFixed(2)}, smoothed: ${found(smooth(X, d), d).toFixed(2)}`);
const sketch = sketched(ts);
console.log(`on the sketch: ${Math.abs(found(sketch, D)).toFixed(2)}`);
const reference = found(smooth(all, d * d), d * d);
const SPREAD = 0.01; // the standard deviation over seeds, twice as much as the figure may differ by
figure("on the sketch, smoothed", found(smooth(sketch, D), D), "with all products", reference, 2 * SPREAD);
spread("the index", SPREAD, (seed) => found(smooth(sketched(ts, seed), D), D));
ts.dispose();

// Measures the frequencies of random Fourier features beside each other, independent, orthogonal and structured:
// node bench/fourier.mjs [FOLDER OF DATA]. The package is dist/npm. It prints Markdown for docs/performance.md.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { load } from "../dist/npm/tensorsketch.js";
import { randomRows } from "./measure.js";

const [data = process.env.TENSORSKETCH_DATA ?? "../shared/data"] = process.argv.slice(2);
const TIME_ROWS = 128, ERROR_ROWS = 40, SEEDS = 10, MS = 250;
const ts = await load({ threads: 0 });

/** The rows of a workload from … to − 1. */
function part({ X, d }, from, to) {
  if (!X.indptr) return X.subarray(from * d, to * d);
  const [begin, end] = [X.indptr[from], X.indptr[to]];
  return { indptr: X.indptr.slice(from, to + 1).map((at) => at - begin), indices: X.indices.subarray(begin, end),
    data: X.data.subarray(begin, end) };
}

const mapOf = ({ d, D }, methodParams, { nComponents = D, seed = 0 } = {}) =>
  ts.featureMap({ method: "random-fourier", nFeatures: d, nComponents, seed, gamma: 1, methodParams });

/** The least microseconds of a row. */
function time(workload, methodParams, nComponents) {
  const map = mapOf(workload, methodParams, { nComponents });
  const X = part(workload, 0, TIME_ROWS), out = new Float32Array(TIME_ROWS * map.nComponents);
  let least = Infinity;
  for (const end = performance.now() + MS; performance.now() < end; ) {
    const start = performance.now();
    map.transform(X, out);
    least = Math.min(least, performance.now() - start);
  }
  map.dispose();
  return (1000 * least) / TIME_ROWS;
}

/** The root mean square of the errors over all pairs of 40 rows and ten seeds. */
function error(workload, methodParams, nComponents) {
  const X = part(workload, TIME_ROWS, TIME_ROWS + ERROR_ROWS);
  let sum = 0, count = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    const map = mapOf(workload, methodParams, { nComponents, seed });
    const Z = map.transform(X), D = map.nComponents;
    const dense = new Float64Array(workload.d);
    const x = (r) => {
      if (!X.indptr) return X.subarray(r * workload.d, (r + 1) * workload.d);
      dense.fill(0);
      for (let at = X.indptr[r]; at < X.indptr[r + 1]; at++) dense[X.indices[at]] = X.data[at];
      return dense.slice();
    };
    for (let i = 0; i < ERROR_ROWS; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [x(i), x(j)];
        const kernel = Math.exp(-a.reduce((all, v, k) => all + (v - b[k]) ** 2, 0));
        sum += (map.estimate(Z.subarray(i * D, (i + 1) * D), Z.subarray(j * D, (j + 1) * D)) - kernel) ** 2;
        count++;
      }
    }
    map.dispose();
  }
  return Math.sqrt(sum / count);
}

/** Independent frequencies that take about this time: their error. */
function errorAtTime(workload, us, paired) {
  let D = workload.D / 4;
  for (let step = 0; step < 4; step++) D = Math.max(2, 2 * Math.round((D * us) / time(workload, { paired }, D) / 2));
  return error(workload, { paired }, D);
}

function mnist() {
  const bytes = gunzipSync(readFileSync(join(data, "mnist-t10k-images-idx3-ubyte.gz"))).subarray(16);
  const X = new Float32Array(1000 * 784);
  for (let r = 0; r < 1000; r++) {
    const row = bytes.subarray(r * 784, (r + 1) * 784), length = Math.hypot(...row);
    row.forEach((v, i) => (X[r * 784 + i] = v / length));
  }
  return X;
}

function basehock() {
  const indptr = [0], indices = [], values = [];
  for (const line of gunzipSync(readFileSync(join(data, "basehock.libsvm.gz"))).toString().split("\n").slice(0, 500)) {
    const cells = line.trim().split(/\s+/).slice(1).map((cell) => cell.split(":").map(Number));
    const length = Math.hypot(...cells.map(([, v]) => v));
    for (const [at, v] of cells) indices.push(at - 1), values.push(v / length);
    indptr.push(indices.length);
  }
  return { indptr: Int32Array.from(indptr), indices: Int32Array.from(indices), data: Float32Array.from(values) };
}

const workloads = {
  "A (d 780, D 4096)": { d: 780, D: 4096, X: randomRows(200, 780) },
  "B (d 123, D 1024)": { d: 123, D: 1024, X: randomRows(200, 123) },
  "MNIST (d 784, D 1000)": { d: 784, D: 1000, X: mnist() },
  "MNIST (d 784, D 4096)": { d: 784, D: 4096, X: mnist() },
  "D (d 4862, sparse, D 4096)": { d: 4862, D: 4096, X: basehock() },
  "d 16, D 1024": { d: 16, D: 1024, X: randomRows(200, 16) },
};
console.log(`WebAssembly SIMD in Node, one thread; γ 1, rows of length 1; the least of ${MS} ms; errors over the 780
pairs of 40 rows and ${SEEDS} seeds. The last column is the error of independent frequencies in the time
of structured ones.

| µs per row (error) | \`iid\` | \`orthogonal\` | \`structured\` | \`iid\`, equal time |
|---|---|---|---|---|`);
const figure = (us, e) => `${us.toPrecision(3)} (${e.toPrecision(2)})`;
for (const [name, workload] of Object.entries(workloads)) {
  for (const paired of [false, true]) {
    const of = (projection) => {
      const us = time(workload, { projection, paired });
      return [us, error(workload, { projection, paired })];
    };
    const [iid, orthogonal, structured] = ["iid", workload.d <= 256 && "orthogonal", "structured"]
      .map((projection) => projection && of(projection));
    console.log(`| ${name}${paired ? ", paired" : ""} | ${figure(...iid)} | ` +
      `${orthogonal ? figure(...orthogonal) : "–"} | ${figure(...structured)} | ` +
      `${errorAtTime(workload, structured[0], paired).toPrecision(2)} |`);
  }
}
ts.dispose();

// Compares the feature maps on the rows of a workload. For each it takes the time of a row and the error at the
// workload's D, and again at the D at which the map takes as long as the tensor sketch.

import { BASIS, FITTED, METHODS, TAKES } from "../public/api/tables.js";
import { randomRows } from "./measure.js";

const SEEDS = 5;
const ERROR_ROWS = 40; // whose pairs give the error
const TIME_ROWS = 128;
const LEAST = 16; // components: a Taylor sketch needs one for each term
const MOST_LANDMARKS = 1024; // fitting takes D³ steps

/** All whose features estimate the kernel, but the tensor sketch of degree 1. */
const COMPARED = METHODS.filter((method) => method !== "count-sketch" && !BASIS.includes(method));
const REFERENCE = "tensor-sketch";

/** Other ways to use a method, as mapVariants of tools/bench/maps.go names them. */
const VARIANTS = {
  "random-fourier, structured": { method: "random-fourier", methodParams: { projection: "structured" } },
  "random-fourier, cauchy": { method: "random-fourier", methodParams: { kernel: "cauchy" } },
  "taylor-sketch, arc-cosine": { method: "taylor-sketch", methodParams: { kernel: "arc-cosine" } },
};

/**
 * Returns { method: { usPerRow, error, equalTime: { nComponents, usPerRow, error } } }, variants too. A workload is
 * { nFeatures, degree, nComponents, X, ms }.
 */
export function measureMaps(ts, workload) {
  const results = {};
  const reference = timeOf(ts, REFERENCE, workload, workload.nComponents);
  for (const method of [...COMPARED, ...Object.keys(VARIANTS)]) {
    const { nComponents } = workload;
    const measured = {};
    if (!FITTED.includes(method) || nComponents <= MOST_LANDMARKS) {
      measured.usPerRow = timeOf(ts, method, workload, nComponents);
      measured.error = errorOf(ts, method, workload, nComponents);
    }
    measured.equalTime = equalTime(ts, method, workload, reference);
    results[method] = measured;
  }
  return results;
}

/** The D at which a row takes the given time, found by secants, with its error. */
function equalTime(ts, method, workload, usPerRow) {
  if (method === REFERENCE) {
    return { nComponents: workload.nComponents, usPerRow, error: errorOf(ts, method, workload, workload.nComponents) };
  }
  const most = FITTED.includes(method) ? MOST_LANDMARKS : 2 ** 16;
  let D = workload.nComponents / 4, best;
  for (let step = 0; step < 5; step++) {
    D = Math.min(most, quick(Math.max(LEAST, D)));
    const time = timeOf(ts, method, workload, D);
    if (!best || Math.abs(Math.log(time / usPerRow)) < Math.abs(Math.log(best.usPerRow / usPerRow))) {
      best = { nComponents: D, usPerRow: time };
    }
    if (Math.abs(time / usPerRow - 1) < 0.05) break;
    D *= Math.min(4, Math.max(0.25, usPerRow / time));
  }
  return { ...best, error: errorOf(ts, method, workload, best.nComponents) };
}

/** The nearest even number whose half is a product of 2, 3 and 5, as an FFT likes it. */
function quick(D) {
  const half = Math.round(D / 2);
  const isSmooth = (n) => [2, 3, 5].reduce((rest, p) => { while (rest % p === 0) rest /= p; return rest; }, n) === 1;
  for (let k = 0; ; k++) {
    for (const n of [half - k, half + k]) if (n > 0 && isSmooth(n)) return 2 * n;
  }
}

function timeOf(ts, method, workload, nComponents) {
  return withMap(ts, method, workload, nComponents, 0, (features) => {
    const X = rowsOf(workload, 0, TIME_ROWS);
    const rows = X.indptr ? X.indptr.length - 1 : X.length / workload.nFeatures;
    const out = new Float32Array(rows * features.nComponents);
    features.transform(X, out);
    let least = Infinity;
    for (const end = performance.now() + workload.ms; performance.now() < end; ) {
      const start = performance.now();
      features.transform(X, out);
      least = Math.min(least, performance.now() - start);
    }
    return round((1000 * least) / rows);
  });
}

/** Root mean square error over all pairs of rows and a few seeds, the kernel of a row with itself being 1. */
function errorOf(ts, method, workload, nComponents) {
  const { nFeatures } = workload;
  let sum = 0, count = 0;
  for (let seed = 0; seed < SEEDS; seed++) {
    withMap(ts, method, workload, nComponents, seed, (features) => {
      const X = rowsOf(workload, TIME_ROWS, TIME_ROWS + ERROR_ROWS);
      const Z = features.transform(X);
      const dense = toDense(X, nFeatures);
      const row = (matrix, r, width) => matrix.subarray(r * width, (r + 1) * width);
      const [x, z] = [(r) => row(dense, r, nFeatures), (r) => row(Z, r, features.nComponents)];
      const self = features.theory.kernel(x(0), x(0)); // rows have length 1
      for (let i = 0; i < ERROR_ROWS; i++) {
        for (let j = 0; j < i; j++) {
          const error = (features.estimate(z(i), z(j)) - features.theory.kernel(x(i), x(j))) / self;
          sum += error * error;
          count++;
        }
      }
    });
  }
  return round(Math.sqrt(sum / count));
}

/** Calls `measure` with the map, of kernel (⟨x, y⟩ + 1)^p where it has one, fitted to rows of its own if need be. */
function withMap(ts, name, workload, nComponents, seed, measure) {
  const { method, ...others } = VARIANTS[name] ?? { method: name };
  const params = { nFeatures: workload.nFeatures, nComponents, seed, method, ...others };
  if (TAKES.degree.includes(method)) params.degree = workload.degree;
  if (TAKES.coef0.includes(method)) params.coef0 = 1;
  const features = ts.featureMap(params);
  try {
    if (FITTED.includes(method)) {
      features.fit(rowsOf(workload, TIME_ROWS + ERROR_ROWS, TIME_ROWS + ERROR_ROWS + 2 * MOST_LANDMARKS));
    }
    return measure(features);
  } finally {
    features.dispose();
  }
}

/** Rows from … to − 1, or up to the last. */
function rowsOf({ X, nFeatures }, from, to) {
  if (!X.indptr) return X.subarray(from * nFeatures, to * nFeatures);
  const indptr = X.indptr.subarray(from, to + 1);
  const [begin, end] = [indptr[0], indptr.at(-1)];
  return { indptr: indptr.map((at) => at - begin), indices: X.indices.subarray(begin, end),
    data: X.data.subarray(begin, end) };
}

function toDense(X, nFeatures) {
  if (!X.indptr) return X;
  const dense = new Float32Array((X.indptr.length - 1) * nFeatures);
  for (let r = 0; r < X.indptr.length - 1; r++) {
    for (let at = X.indptr[r]; at < X.indptr[r + 1]; at++) dense[r * nFeatures + X.indices[at]] = X.data[at];
  }
  return dense;
}

function round(x) {
  return Number(x.toPrecision(4));
}

/** The workloads of measure.js, by name; `data` gives MNIST and basehock where they are, `ms` is how long each time is
 *  measured at least. One small one if `quick`. */
export function workloads(data, { quick }) {
  const rows = TIME_ROWS + ERROR_ROWS + 2 * MOST_LANDMARKS, ms = 120;
  if (quick) return { B: { nFeatures: 64, degree: 2, nComponents: 64, X: randomRows(rows, 64), ms: 5 } };
  const all = {
    A: { nFeatures: 780, degree: 4, nComponents: 4096, X: randomRows(rows, 780), ms },
    B: { nFeatures: 123, degree: 2, nComponents: 1024, X: randomRows(rows, 123), ms },
  };
  if (data.mnist) all.C = { nFeatures: 780, degree: 2, nComponents: 1000, X: data.mnist, ms };
  if (data.basehock) all.D = { nFeatures: 4862, degree: 2, nComponents: 4096, X: data.basehock, ms };
  return all;
}

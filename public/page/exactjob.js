// Ridge regression with the exact kernel, to show what sketching loses:
//
//	(κ(X, X) + αI)·a = t − b,  Σ a = 0
//
// as KernelRidge of sketch/learn fits it. With classes the targets are ±1, one class against all others. It takes the
// square of the rows in memory and their cube in time, so only some of the rows of a file are used.

const HELD_AT_ONCE = 256;
const SLICE_PRODUCTS = 4e6;
const SAMPLES = 400; // of the bootstrap

/** Fits the exact kernel to the sampled rows of a session of learnjob.js, and tries it on the held-out rows. */
export async function learnExactly(ts, session, { identity, goesOn, onProgress }) {
  const started = performance.now();
  const { trainRows, heldRows, head: { nFeatures, task, train }, params, points } = session;
  const n = trainRows.rows.length;
  const best = points.get(Math.max(...points.keys()));
  // α is a weight beside a sum over rows, so fewer rows take less of it
  const alpha = best.model.alpha * n / best.point.rows;
  const map = ts.featureMap({ ...params, nFeatures, nComponents: 16 });
  const dense = (sample, from, to) => denseRows(sample.input(nFeatures, from, to), to - from, nFeatures);
  try {
    const X = dense(trainRows, 0, n);
    const kernel = await kernelOf(map, identity, X, nFeatures);
    const K = await kernel(X, X, async (done) => (onProgress(.4 * done), goesOn()));
    if (!K) return null;
    const classes = task === "regress" ? null : best.model.classes;
    const machine = await solve(K, n, targetsOf(trainRows.labels, classes), alpha,
      async (done) => (onProgress(.4 + .5 * done), goesOn()));
    if (!machine) return null;
    const { rows } = heldRows;
    const found = [];
    for (let from = 0; from < rows.length; from += HELD_AT_ONCE) {
      const to = Math.min(from + HELD_AT_ONCE, rows.length);
      const k = await kernel(dense(heldRows, from, to), X, async () => true);
      for (let i = 0; i < to - from; i++) found.push(predict(machine, k.subarray(i * n, (i + 1) * n)));
      onProgress(.9 + .1 * to / rows.length);
      if (!(await goesOn())) return null;
    }
    const truth = heldRows.labels;
    const score = classes ? accuracyOf(truth.map((label) => classes.indexOf(label)), found) : r2Of(truth, found);
    return { ...score, rows: n, of: train, alpha, ms: performance.now() - started };
  } finally {
    map.dispose();
    identity.dispose();
  }
}

function denseRows(X, rows, nFeatures) {
  if (!X.indptr) return X;
  const dense = new Float32Array(rows * nFeatures);
  for (let i = 0; i < rows; i++) {
    for (let at = X.indptr[i]; at < X.indptr[i + 1]; at++) dense[i * nFeatures + X.indices[at]] = X.data[at];
  }
  return dense;
}

/**
 * Returns a function (A, B, goesOn) ↦ the kernel of all rows of A with all of B, or null if it is stopped. The
 * polynomial kernel comes from inner products, which the core computes fast; others are asked pair by pair.
 */
export async function kernelOf(map, identity, X, nFeatures) {
  const { degree = 1, gamma = 1, coef0 = 0 } = map.params;
  const row = (Z, i) => Z.subarray(i * nFeatures, (i + 1) * nFeatures);
  const ofProduct = (s) => power(gamma * s + coef0, degree);
  const probe = X.subarray(0, Math.min(X.length, 8 * nFeatures));
  const products = await identity.gramAsync(probe, probe);
  const m = probe.length / nFeatures;
  const isPolynomial = products.every((s, at) => {
    const want = map.theory.kernel(row(probe, Math.floor(at / m)), row(probe, at % m));
    return Math.abs(ofProduct(s) - want) <= 1e-9 * Math.max(1, Math.abs(want));
  });
  if (isPolynomial) {
    return async (A, B, goesOn) => {
      const K = await identity.gramAsync(A, B);
      for (let i = 0; i < K.length; i++) K[i] = ofProduct(K[i]);
      return (await goesOn(1)) ? K : null;
    };
  }
  return async (A, B, goesOn) => {
    const [a, b] = [A.length / nFeatures, B.length / nFeatures];
    const K = new Float64Array(a * b);
    for (let i = 0, since = performance.now(); i < a; i++) {
      const x = row(A, i);
      const first = A === B ? i : 0; // it is symmetric
      for (let j = first; j < b; j++) {
        K[i * b + j] = map.theory.kernel(x, row(B, j));
        if (first) K[j * b + i] = K[i * b + j];
      }
      if (A === B && i === 0) for (let j = 1; j < b; j++) K[j * b] = K[j];
      if (performance.now() - since < 20) continue;
      if (!(await goesOn(i / a))) return null;
      since = performance.now();
    }
    return K;
  };
}

function power(x, p) {
  let product = x;
  for (let k = 1; k < p; k++) product *= x;
  return product;
}

/** Returns the targets, one list for each output: ±1 for classes, and the numbers themselves for null. */
export function targetsOf(labels, classes) {
  if (!classes) return [Float64Array.from(labels)];
  return classes.map((label) => Float64Array.from(labels, (each) => (each === label ? 1 : -1)));
}

/** Solves for each output. Returns { a, b }, lists by output, or null if it is stopped. K is overwritten. */
export async function solve(K, n, targets, alpha, goesOn = async () => true) {
  for (let i = 0; i < n; i++) K[i * n + i] += alpha;
  if (!(await factor(K, n, goesOn))) return null;
  const ones = backSolve(K, n, new Float64Array(n).fill(1));
  const all = sum(ones);
  const a = [], b = [];
  for (const t of targets) {
    const x = backSolve(K, n, t.slice());
    const offset = sum(x) / all;
    b.push(offset);
    a.push(x.map((value, i) => value - offset * ones[i]));
  }
  return { a, b };
}

const BLOCK = 32;

/** Writes the Cholesky factor into the lower half of K. Returns false if it is stopped. */
async function factor(K, n, goesOn) {
  let products = 0;
  for (let from = 0; from < n; from += BLOCK) {
    const to = Math.min(from + BLOCK, n);
    for (let j = from; j < to; j++) {
      const at = j * n;
      const d = K[at + j] - dot(K, at, at, j);
      if (!(d > 0)) {
        throw new Error("the kernel matrix cannot be solved with so small a λ: scale the rows, or lower the degree");
      }
      K[at + j] = Math.sqrt(d);
      for (let i = j + 1; i < to; i++) K[i * n + j] = (K[i * n + j] - dot(K, i * n, at, j)) / K[at + j];
    }
    for (let i = to; i < n; i++) {
      for (let j = from; j < to; j++) K[i * n + j] = (K[i * n + j] - dot(K, i * n, j * n, j)) / K[j * n + j];
      products += BLOCK * to;
      if (products < SLICE_PRODUCTS) continue;
      products = 0;
      if (!(await goesOn((to / n) ** 2))) return false;
    }
  }
  return true;
}

/** Returns the product of n numbers at p and at q, in four sums, which a processor adds up side by side. */
function dot(K, p, q, n) {
  let a = 0, b = 0, c = 0, d = 0, k = 0;
  for (; k + 3 < n; k += 4) {
    a += K[p + k] * K[q + k];
    b += K[p + k + 1] * K[q + k + 1];
    c += K[p + k + 2] * K[q + k + 2];
    d += K[p + k + 3] * K[q + k + 3];
  }
  for (; k < n; k++) a += K[p + k] * K[q + k];
  return a + b + c + d;
}

/** Solves L·Lᵀ·x = t in place. */
function backSolve(L, n, t) {
  for (let i = 0; i < n; i++) {
    let x = t[i];
    for (let k = 0; k < i; k++) x -= L[i * n + k] * t[k];
    t[i] = x / L[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    t[i] /= L[i * n + i];
    for (let k = 0; k < i; k++) t[k] -= L[i * n + k] * t[i];
  }
  return t;
}

/** Returns the number of the largest score, or for one output the score. */
export function predict({ a, b }, k) {
  let best = 0, score = -Infinity;
  for (const [output, weights] of a.entries()) {
    let s = b[output];
    for (let i = 0; i < k.length; i++) s += weights[i] * k[i];
    if (a.length === 1) return s;
    if (s > score) [best, score] = [output, s];
  }
  return best;
}

function sum(numbers) {
  return numbers.reduce((a, b) => a + b, 0);
}

/** The share of right classes, with its 95 % interval by Wilson. */
function accuracyOf(truth, found) {
  const n = truth.length, z = 1.959963984540054;
  const p = truth.filter((label, i) => label === found[i]).length / n;
  const middle = p + z * z / (2 * n), width = z * Math.sqrt(p * (1 - p) / n + z * z / (4 * n * n));
  return { score: p, low: (middle - width) / (1 + z * z / n), high: (middle + width) / (1 + z * z / n) };
}

/** R², with the 95 % interval of a bootstrap that draws the same rows each time. */
function r2Of(truth, found) {
  const n = truth.length;
  const of = (pick) => {
    let t = 0, tt = 0, rest = 0;
    for (let k = 0; k < n; k++) {
      const i = pick(k);
      t += truth[i];
      tt += truth[i] ** 2;
      rest += (truth[i] - found[i]) ** 2;
    }
    return 1 - rest / (tt - t * t / n);
  };
  let state = 1;
  const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  const drawn = Array.from({ length: SAMPLES }, () => of(() => Math.floor(random() * n))).sort((a, b) => a - b);
  return { score: of((k) => k), low: drawn[Math.floor(.025 * SAMPLES)], high: drawn[Math.floor(.975 * SAMPLES)] };
}

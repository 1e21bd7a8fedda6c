// Rows with their labels for a private model: which rows are held out, and samples of them.

import { HELD_OUT } from "../api/tables.js";

/**
 * Deals rows to the training and the held-out part. Whether a row is held out depends on its number among the labelled
 * rows and the seed alone.
 */
export class Split {
  #random;

  constructor(seed = 1) {
    this.#random = below(seed);
  }

  /** Reports whether the next row is held out. */
  next() {
    return this.#random(HELD_OUT.of) === 0;
  }
}

/** Returns a generator of integers from 0 to n − 1, n ≤ 2^32: splitmix32. Rows are many, and BigInts are slow. */
function below(seed) {
  let state = Math.imul(seed, 0x9e3779b9) | 0;
  return (n) => {
    state = (state + 0x9e3779b9) | 0;
    let z = state ^ (state >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return Math.floor(((z ^ (z >>> 15)) >>> 0) / 2 ** 32 * n);
  };
}

/** Keeps an even sample of rows (Vitter's algorithm R): { x, label, place } each. */
export class Sample {
  rows = [];
  seen = 0;
  #most;
  #random;

  constructor(most, seed) {
    this.#most = most;
    this.#random = below(seed);
  }

  add(X, i, nFeatures, label, place) {
    const at = this.seen < this.#most ? this.seen : this.#random(this.seen + 1);
    this.seen++;
    if (at >= this.#most) return;
    this.rows[at] = { x: rowOf(X, i, nFeatures), label, place };
  }

  get labels() {
    return this.rows.map(({ label }) => label);
  }

  /** Returns the rows `from` to `to` as input for a map. */
  input(nFeatures, from = 0, to = this.rows.length) {
    return inputOf(this.rows.slice(from, to).map(({ x }) => x), nFeatures);
  }
}

/** Returns row i of X, as numbers or { indices, data }. */
function rowOf(X, i, nFeatures) {
  if (!X.indptr) return X.slice(i * nFeatures, (i + 1) * nFeatures);
  const [from, to] = [X.indptr[i], X.indptr[i + 1]];
  return { indices: X.indices.slice(from, to), data: X.data.slice(from, to) };
}

function inputOf(rows, nFeatures) {
  if (!rows[0]?.indices) {
    const X = new Float32Array(rows.length * nFeatures);
    rows.forEach((x, i) => X.set(x, i * nFeatures));
    return X;
  }
  const indptr = Int32Array.from([0, ...rows]);
  rows.forEach(({ data }, i) => (indptr[i + 1] = indptr[i] + data.length));
  const [indices, data] = [new Int32Array(indptr.at(-1)), new Float32Array(indptr.at(-1))];
  rows.forEach((row, i) => {
    indices.set(row.indices, indptr[i]);
    data.set(row.data, indptr[i]);
  });
  return { indptr, indices, data };
}

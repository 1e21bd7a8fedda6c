// What the page shows of an embedding: its first rows, and of sampled pairs of rows the exact kernel beside the
// estimate.

import { sizeOf } from "./blocks.js";
import { giveWay } from "../api/slices.js";
import { KINDS } from "../api/tables.js";

const FIRST_ROWS = 6;
const SAMPLED_ROWS = 400; // at most, and
const SAMPLED_BYTES = 64 << 20; // their vectors and features
const PAIRS = 2000;
const SELF_NUMBERS = 4096; // in the rows whose kernel with themselves is averaged
const SLICE_MS = 8;
const KEPT_NUMBERS = 8 << 20; // 32 MB

/** Rows of a file or of the sample. Few are kept, so that a preview of other parameters need not read them again. */
export class KeptRows {
  counts = null; // of the cells read, once there are blocks
  rows = 0; // read so far
  isWhole = false; // all rows are kept
  #read;
  #kept = null;

  /**
   * `read` returns the blocks, and passes on their counts; `id` tells these rows from others. There are `nFeatures`
   * numbers in a row, of columns with `widths`.
   */
  constructor({ id, nFeatures, widths, read }) {
    Object.assign(this, { id, nFeatures, widths });
    this.#read = read;
  }

  /** All rows from the beginning. */
  *blocks() {
    if (this.isWhole) {
      yield* this.#kept;
      return;
    }
    this.#kept = [];
    this.rows = 0;
    let numbers = 0;
    for (const block of this.#read((counts) => (this.counts = counts))) {
      this.rows += block.rows;
      numbers += sizeOf(block.X);
      if (numbers > KEPT_NUMBERS) this.#kept = null;
      this.#kept?.push(block);
      yield block;
    }
    this.isWhole = this.#kept !== null;
  }
}

/** Gathers what is shown, from rows and their features as they come. */
export class Preview {
  rows = 0;
  zeroRows = 0; // whose features are all zero
  first = []; // { label, features }
  #map;
  #sample = []; // { x, z }
  #capacity;
  #random = randomBelow(1n);

  constructor(map) {
    this.#map = map;
    const bytes = 4 * (map.nFeatures + map.nComponents);
    this.#capacity = Math.min(Math.max(Math.floor(SAMPLED_BYTES / bytes), 2), SAMPLED_ROWS);
  }

  /**
   * Takes a block of rows and its features. Of all rows an even sample is kept (Vitter's algorithm R), which depends on
   * nothing but their number.
   */
  add(block, Z) {
    const D = this.#map.nComponents;
    for (let i = 0; i < block.rows; i++) {
      const z = Z.subarray(i * D, (i + 1) * D);
      const at = this.rows < this.#capacity ? this.rows : this.#random(this.rows + 1);
      if (at < this.#capacity) this.#sample[at] = { x: vectorOf(block.X, i, this.#map.nFeatures), z: z.slice() };
      if (isZero(z)) this.zeroRows++;
      if (this.rows < FIRST_ROWS) this.first.push({ label: labelOf(block, i), features: z.slice() });
      this.rows++;
    }
  }

  /**
   * The report: `pairs` has four numbers for each pair, the kernel, its estimate, and the bias and standard deviation σ
   * of that. `kind` is the position in KINDS of the weakest σ. `self` is the mean kernel of a row with itself, over
   * some of the rows; `apart` the largest of the `unlike` pairs of rows that differ, in absolute value.
   */
  async compare() {
    const { theory, nFeatures } = this.#map;
    const chosen = somePairs(this.#sample.length);
    const report = { pairs: new Float64Array(4 * chosen.length), kind: 0, self: 0, apart: 0, unlike: 0 };
    let since = performance.now();
    for (const [k, [i, j]] of chosen.entries()) {
      const [a, b] = [this.#sample[i], this.#sample[j]];
      const exact = theory.kernel(a.x, b.x);
      const { sigma, kind } = theory.stdError(a.x, b.x);
      report.pairs.set([exact, dot(a.z, b.z), theory.bias(a.x, b.x) || 0, sigma], 4 * k);
      report.kind = Math.max(report.kind, KINDS.indexOf(kind));
      if (a.x.some((value, c) => value !== b.x[c])) {
        report.unlike++;
        report.apart = Math.max(report.apart, Math.abs(exact));
      }
      if (performance.now() - since > SLICE_MS) {
        await giveWay();
        since = performance.now();
      }
    }
    const selves = this.#sample.slice(0, Math.ceil(SELF_NUMBERS / (2 * nFeatures)));
    for (const { x } of selves) report.self += theory.kernel(x, x);
    report.self /= Math.max(selves.length, 1);
    return report;
  }

  /** The one of the columns { name, width } with the largest mean share of a row's squared length, and that share. */
  heaviest(columns) {
    const shares = columns.map(() => 0);
    for (const { x } of this.#sample) {
      const length = dot(x, x);
      let at = 0;
      columns.forEach(({ width }, c) => {
        const own = x.subarray(at, at + width);
        if (length > 0) shares[c] += dot(own, own) / length / this.#sample.length;
        at += width;
      });
    }
    const share = Math.max(0, ...shares);
    return { name: columns[shares.indexOf(share)]?.name ?? "", share };
  }
}

/** The coordinates of row i of X, dense or CSR. */
function vectorOf(X, i, nFeatures) {
  if (!X.indptr) return X.slice(i * nFeatures, (i + 1) * nFeatures);
  const x = new Float32Array(nFeatures);
  for (let at = X.indptr[i]; at < X.indptr[i + 1]; at++) x[X.indices[at]] = X.data[at];
  return x;
}

/** The first cell of row i that is kept as it is. */
function labelOf({ rows, cells, offsets }, i) {
  const perRow = (offsets.length - 1) / rows;
  return perRow < 1 ? "" : new TextDecoder().decode(cells.subarray(offsets[i * perRow], offsets[i * perRow + 1]));
}

function isZero(z) {
  for (let i = 0; i < z.length; i++) if (z[i] !== 0) return false;
  return true;
}

function dot(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

/** All pairs i < j < n, or 2,000 of them, all different. */
export function somePairs(n) {
  const pairs = [];
  if ((n * (n - 1)) / 2 <= PAIRS) {
    for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) pairs.push([i, j]);
    return pairs;
  }
  const random = randomBelow(2n);
  const taken = new Set();
  while (pairs.length < PAIRS) {
    const [i, j] = [random(n), random(n)];
    const pair = [Math.min(i, j), Math.max(i, j)];
    if (i === j || taken.has(pair[0] * n + pair[1])) continue;
    taken.add(pair[0] * n + pair[1]);
    pairs.push(pair);
  }
  return pairs;
}

/**
 * A generator of integers from 0 to n − 1: SplitMix64 by Steele, Lea and Flood (OOPSLA 2014), whose first state is
 * `seed`. The bias is n/2⁶⁴.
 */
export function randomBelow(seed) {
  const wrap = (x) => BigInt.asUintN(64, x);
  let state = seed;
  return (n) => {
    state = wrap(state + 0x9e3779b97f4a7c15n);
    let z = wrap((state ^ (state >> 30n)) * 0xbf58476d1ce4e5b9n);
    z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
    return Number((z ^ (z >> 31n)) % BigInt(n));
  };
}

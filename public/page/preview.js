// The preview of an embedding: its first rows and, for sampled pairs of rows, the exact kernel beside the estimate.

import { sizeOf } from "./blocks.js";
import { giveWay } from "../api/slices.js";
import { KEPT_NUMBERS, KINDS } from "../api/tables.js";

const FIRST_ROWS = 6;
const SAMPLED_ROWS = 400; // maximum number of sampled rows
const SAMPLED_BYTES = 64 << 20; // maximum bytes of their vectors and features
const PAIRS = 2000;
const PAIR_NUMBERS = 32 << 20; // numbers in the first vectors of all pairs: fewer pairs of wide rows are compared
const SELF_NUMBERS = 4096; // numbers in the rows whose kernel with themselves is averaged
const SLICE_MS = 8;

/** Rows of a file or of the sample. Small sets are kept, so that the next preview need not read them again. */
export class KeptRows {
  counts = null; // counts of the cells read, after the first block
  rows = 0; // read so far
  isWhole = false; // whether all rows are kept
  #read;
  #kept = null;

  /**
   * `read` returns the blocks and passes on their counts. `id` identifies these rows. A row has `nFeatures` numbers,
   * from columns with `widths`.
   */
  constructor({ id, nFeatures, widths, read }) {
    Object.assign(this, { id, nFeatures, widths });
    this.#read = read;
  }

  /** Yields all rows from the beginning. */
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

/** Collects the content of the preview from rows and their features as they arrive. */
export class Preview {
  rows = 0;
  zeroRows = 0; // whose features are all zero
  first = []; // { label, features }
  #map;
  #sample = []; // { x, z, label, place }
  #capacity;
  #random = randomBelow(1n);

  constructor(map) {
    this.#map = map;
    const bytes = 4 * (map.nFeatures + map.nComponents);
    this.#capacity = Math.min(Math.max(Math.floor(SAMPLED_BYTES / bytes), 2), SAMPLED_ROWS);
  }

  /**
   * Takes a block of rows and its features. It keeps an even sample of all rows (Vitter's algorithm R), which depends
   * only on their number.
   */
  add(block, Z) {
    const D = this.#map.nComponents;
    for (let i = 0; i < block.rows; i++) {
      const z = Z.subarray(i * D, (i + 1) * D);
      const at = this.rows < this.#capacity ? this.rows : this.#random(this.rows + 1);
      if (at < this.#capacity) {
        const kept = this.#sample[at]?.z ?? new Float32Array(D); // a new one each time would leave 10 MB of garbage
        kept.set(z);
        this.#sample[at] = { x: vectorOf(block.X, i, this.#map.nFeatures), z: kept, label: labelOf(block, i),
          place: block.places[i] };
      }
      if (isZero(z)) this.zeroRows++;
      if (this.rows < FIRST_ROWS) this.first.push({ label: labelOf(block, i), features: z.slice() });
      this.rows++;
    }
  }

  /**
   * Returns the report. `pairs` has four numbers for each pair: the kernel, its estimate, and the estimate's bias and
   * standard deviation σ. `of` has the two rows of each pair, by their index in the sample. `kind` is the index in
   * KINDS of the weakest σ. `self` is the mean kernel of a row with itself, over some of the rows. `unlike` counts the
   * pairs of rows that differ, and `apart` is their largest kernel in absolute value. `isOver` is asked every SLICE_MS.
   * When it returns true, the report covers the pairs so far.
   */
  async compare(isOver = () => false) {
    const { theory, nFeatures } = this.#map;
    const chosen = somePairs(this.#sample.length, Math.min(PAIRS, Math.ceil(PAIR_NUMBERS / nFeatures)));
    const report = { pairs: new Float64Array(4 * chosen.length), of: Float64Array.from(chosen.flat()), kind: 0, self: 0,
      apart: 0, unlike: 0 };
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
        if (isOver()) {
          report.pairs = report.pairs.slice(0, 4 * (k + 1));
          break;
        }
        since = performance.now();
      }
    }
    const selves = this.#sample.slice(0, Math.ceil(SELF_NUMBERS / (2 * nFeatures)));
    for (const { x } of selves) report.self += theory.kernel(x, x);
    report.self /= Math.max(selves.length, 1);
    return report;
  }

  /** Returns the sampled rows: { x, z, label, place } of each. */
  sampled() {
    return this.#sample;
  }

  /** Returns the column { name, width } with the largest mean share of a row's squared length, as { name, share }. */
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

/** Returns the coordinates of row i of X, dense or CSR. */
function vectorOf(X, i, nFeatures) {
  if (!X.indptr) return X.slice(i * nFeatures, (i + 1) * nFeatures);
  const x = new Float32Array(nFeatures);
  for (let at = X.indptr[i]; at < X.indptr[i + 1]; at++) x[X.indices[at]] = X.data[at];
  return x;
}

/** Returns the first of the cells of row i that are kept as they are, or "" if there are none. */
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

/** Returns all pairs i < j < n, or `most` different ones. */
export function somePairs(n, most = PAIRS) {
  const pairs = [];
  if ((n * (n - 1)) / 2 <= most) {
    for (let j = 0; j < n; j++) for (let i = 0; i < j; i++) pairs.push([i, j]);
    return pairs;
  }
  const random = randomBelow(2n);
  const taken = new Set();
  while (pairs.length < most) {
    const [i, j] = [random(n), random(n)];
    const pair = [Math.min(i, j), Math.max(i, j)];
    if (i === j || taken.has(pair[0] * n + pair[1])) continue;
    taken.add(pair[0] * n + pair[1]);
    pairs.push(pair);
  }
  return pairs;
}

/**
 * Returns a generator of integers from 0 to n − 1: SplitMix64 by Steele, Lea and Flood (OOPSLA 2014) with first state
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

// pool and poolProduct: the sum of the features of each set of rows. The features of single rows are not kept.

import { checkOptions, hasLength, paramError, shapeError, TensorSketchError } from "./errors.js";

const NORMALIZE = ["none", "signed-root"];

/**
 * Returns a row of features for each set. `transform(sums)` computes the features of all rows and gives them to
 * `sums.set` in their order.
 */
export function pool(rows, nComponents, options, transform) {
  const { size = rows, normalize = "none" } = checkOptions(options, ["size", "normalize"]);
  if (!NORMALIZE.includes(normalize)) throw paramError("normalize", 'be "none" or "signed-root"', normalize);
  const sums = new Sums(endsOf(size, rows), nComponents);
  transform(sums);
  return sums.result(normalize);
}

/** Returns the row after the last of each set. */
function endsOf(size, rows) {
  if (typeof size !== "number") return endsOfSizes(size, rows);
  if (!Number.isInteger(size) || size < 0) throw paramError("size", "be a number of rows, or one for each set", size);
  if (rows === 0) return [];
  if (size === 0 || rows % size !== 0) throw shapeError("size", `divide the number of rows, ${rows}`, size);
  return Array.from({ length: rows / size }, (_, set) => (set + 1) * size);
}

function endsOfSizes(sizes, rows) {
  if (!hasLength(sizes)) throw paramError("size", "be a number of rows, or one for each set", sizes);
  let end = 0;
  const ends = Array.from(sizes, (size, set) => {
    if (Number.isInteger(size) && size >= 0) return end += size;
    throw paramError(`size[${set}]`, "be a number of rows, an integer ≥ 0", size);
  });
  if (end !== rows) throw shapeError("size", `have the sum ${rows}, the number of rows`, `the sum ${end}`);
  return ends;
}

/** Takes features as a Float32Array would, and adds each row to its set, in float64 and in the order of rows. */
class Sums {
  #ends;
  #nComponents;
  #set = 0;
  #row = 0;
  #sum;
  #done;

  constructor(ends, nComponents) {
    Object.assign(this, { length: ends.length * nComponents });
    this.#ends = ends;
    this.#nComponents = nComponents;
    this.#sum = new Float64Array(nComponents);
    this.#done = new Float32Array(this.length);
  }

  set(features) {
    const D = this.#nComponents;
    const sum = this.#sum;
    for (let at = 0; at < features.length; at += D) {
      this.#close();
      for (let j = 0; j < D; j++) sum[j] += features[at + j];
      this.#row++;
    }
  }

  /** Ends the sets that have all their rows. */
  #close() {
    for (; this.#set < this.#ends.length && this.#ends[this.#set] === this.#row; this.#set++) {
      this.#done.set(this.#sum, this.#set * this.#nComponents);
      this.#sum.fill(0);
    }
  }

  result(normalize) {
    this.#close();
    const { length } = this;
    const D = this.#nComponents;
    const bad = this.#done.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      throw new TensorSketchError("ERR_OVERFLOW",
        `the sum of set ${Math.floor(bad / D)} exceeds float32: scale the rows down, or take smaller sets`,
        { argument: "X" });
    }
    for (let at = 0; at < length && normalize !== "none"; at += D) signedRoot(this.#done.subarray(at, at + D));
    return this.#done;
  }
}

/** Takes the root of each number, with its sign, and divides them all by their length, which is Σ|z| to the half. */
function signedRoot(z) {
  const length = Math.sqrt(z.reduce((sum, value) => sum + Math.abs(value), 0));
  if (length > 0) z.forEach((value, j) => z[j] = Math.sign(value) * Math.sqrt(Math.abs(value)) / length);
}

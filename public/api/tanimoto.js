// Random features of the Tanimoto kernel, in integers: every platform gives the same bits, without the core. The
// documentation is tanimoto.d.ts.

import { checkIsNumber, checkOptions, isObject, isTyped, paramError, rowError, shapeError, show } from "./errors.js";
import { checkColumns, rowSource } from "./rows.js";

const BLOCK_BYTES = 1 << 22;
const MOST = 2 ** 24; // of nFeatures and of nComponents
const LIMIT = 2 ** 31 - 1; // the largest value of an element

export function tanimotoMap(params) {
  const { nFeatures, nComponents = 1024, seed = 0 } = checkOptions(params, ["nFeatures", "nComponents", "seed"]);
  checkWhole("nFeatures", nFeatures, 1, MOST);
  checkWhole("nComponents", nComponents, 32, MOST);
  if (nComponents % 32 !== 0) throw paramError("nComponents", "be a multiple of 32", nComponents);
  checkWhole("seed", seed, 0, 2 ** 32 - 1);
  return new TanimotoMap(nFeatures, nComponents, seed);
}

function checkWhole(name, value, least, most) {
  checkIsNumber(name, value);
  if (Number.isInteger(value) && value >= least && value <= most) return;
  throw paramError(name, `be an integer from ${least} to ${most}`, value);
}

class TanimotoMap {
  #elements = new Map(); // those seen so far
  #least;

  constructor(nFeatures, nComponents, seed) {
    Object.assign(this, { nFeatures, nComponents, seed, words: nComponents / 32 });
    this.#least = new Int32Array(nComponents);
    Object.freeze(this);
  }

  signs(X) {
    const next = this.#rows(X, "X");
    const signs = new Uint32Array(next.rows * this.words);
    for (let row = 0; row < next.rows; row++) {
      const elements = next();
      if (elements.length === 0) {
        throw rowError("ERR_PARAM", "X", row, undefined, "have a bit or a count: leave out a row without", "none");
      }
      this.#sign(elements, signs.subarray(row * this.words, (row + 1) * this.words));
    }
    return signs;
  }

  transform(X) {
    return this.features(this.signs(X));
  }

  features(signs) {
    this.#countSigns(signs, "signs");
    const size = 1 / Math.sqrt(this.nComponents);
    const Z = new Float32Array(signs.length * 32);
    for (let j = 0; j < Z.length; j++) Z[j] = signs[j >> 5] >>> (j & 31) & 1 ? size : -size;
    return Z;
  }

  estimate(sx, sy) {
    for (const [name, signs] of [["sx", sx], ["sy", sy]]) {
      if (this.#countSigns(signs, name) === 1) continue;
      throw shapeError(name, `be one row of ${this.words} words`, signs.length);
    }
    return 1 - 2 * differing(sx, 0, sy, 0, this.words) / this.nComponents;
  }

  nearest(signs, q, k) {
    const n = this.#countSigns(signs, "signs");
    const queries = this.#countSigns(q, "q");
    checkWhole("k", k, 1, 2 ** 31 - 1);
    const most = Math.min(k, n);
    const rows = new Int32Array(queries * most);
    const estimates = new Float64Array(queries * most);
    for (let i = 0; i < queries; i++) {
      const distances = Uint32Array.from({ length: n }, (_, row) =>
        differing(q, i * this.words, signs, row * this.words, this.words));
      smallest(distances, most, this.nComponents).forEach((row, at) => {
        rows[i * most + at] = row;
        estimates[i * most + at] = 1 - 2 * distances[row] / this.nComponents;
      });
    }
    return { rows, estimates };
  }

  kernel(x, y) {
    const [a, b] = [this.#one(x, "x"), this.#one(y, "y")];
    const counted = new Set(a);
    const both = b.reduce((count, element) => count + counted.has(element), 0);
    return both / (a.length + b.length - both);
  }

  stdError(x, y) {
    const kernel = this.kernel(x, y);
    return { sigma: Math.sqrt((1 - kernel * kernel) / this.nComponents), kind: "exact" };
  }

  /**
   * Sets bit j of a row to the sign of component j: the lowest bit of the least value of its elements. Of n elements
   * only values below 8/n of the range are looked at, in their order. All others are for the few components without
   * such a value, about three in ten thousand.
   */
  #sign(elements, signs) {
    const limit = elements.length > 8 ? Math.floor(LIMIT * 8 / elements.length) : LIMIT;
    const least = this.#least.fill(LIMIT);
    for (const element of elements) {
      const { values, components } = this.#smallFirst(element);
      for (let at = 0; at < values.length && values[at] < limit; at++) {
        const j = components[at];
        const over = values[at] - least[j];
        least[j] += over & over >> 31; // the lesser of both, without a branch
      }
    }
    for (let j = 0; j < least.length; j++) {
      if (least[j] === LIMIT) least[j] = this.#leastOf(elements, j);
      signs[j >> 5] |= (least[j] & 1) << (j & 31);
    }
  }

  #leastOf(elements, j) {
    return elements.reduce((least, element) => Math.min(least, valueOf(this.#startOf(element), j)), LIMIT);
  }

  #startOf(element) {
    return mix(mix(this.seed) ^ element);
  }

  /** Returns the values of an element, one for each component, smallest first, with their components. */
  #smallFirst(element) {
    const known = this.#elements.get(element);
    if (known) return known;
    const start = this.#startOf(element);
    const all = Int32Array.from({ length: this.nComponents }, (_, j) => valueOf(start, j));
    const components = Uint32Array.from(all.keys()).sort((a, b) => all[a] - all[b]);
    const values = Int32Array.from(components, (j) => all[j]);
    this.#elements.set(element, { values, components });
    return { values, components };
  }

  #countSigns(signs, name) {
    if (!isTyped(signs, "Uint32Array")) throw paramError(name, "be a Uint32Array, as signs(X) makes it", signs);
    if (signs.length % this.words === 0) return signs.length / this.words;
    throw shapeError(name, `have ${this.words} words for each row`, `length ${signs.length}`);
  }

  /** Returns the elements of one fingerprint. */
  #one(x, name) {
    const next = this.#rows(x, name);
    if (next.rows !== 1) throw shapeError(name, "be one row", `${next.rows} rows`);
    return next();
  }

  /** Returns a function that gives the elements of one row after another; its `rows` is their number. */
  #rows(X, name) {
    if (isObject(X) && X.bits !== undefined) return this.#rowsOfBits(X, name);
    const source = rowSource(X, this.nFeatures, name);
    return source.sparse ? this.#rowsOfSparse(source, name) : this.#rowsOfDense(source, name);
  }

  #rowsOfBits(X, name) {
    const { bits } = checkOptions(X, ["bits"]);
    if (!isTyped(bits, "Uint8Array")) throw paramError(`${name}.bits`, "be a Uint8Array", bits);
    const bytes = Math.ceil(this.nFeatures / 8);
    if (bits.length % bytes !== 0) {
      throw shapeError(`${name}.bits`, `have ${bytes} bytes for each row`, `length ${bits.length}`);
    }
    let at = 0;
    const next = () => {
      const elements = [];
      for (let byte = 0; byte < bytes; byte++, at++) {
        for (let left = bits[at]; left > 0; left &= left - 1) elements.push(8 * byte + 31 - Math.clz32(left & -left));
      }
      if (elements.length > 0 && elements.at(-1) >= this.nFeatures) {
        throw rowError("ERR_SHAPE", `${name}.bits`, at / bytes - 1, undefined,
          `have no bit beyond nFeatures = ${this.nFeatures}`, `bit ${elements.at(-1)}`);
      }
      return elements;
    };
    return Object.assign(next, { rows: bits.length / bytes });
  }

  #rowsOfDense(source, name) {
    const d = this.nFeatures;
    const most = Math.max(1, Math.floor(BLOCK_BYTES / (4 * d)));
    let [row, block] = [0, null];
    const next = () => {
      if (row % most === 0) {
        const rows = Math.min(most, source.rows - row);
        block = new Float32Array(rows * d);
        source.write(block.buffer, 0, row, rows);
      }
      const from = (row % most) * d;
      const elements = [];
      for (let i = 0; i < d; i++) if (block[from + i] !== 0) this.#add(elements, i, block[from + i], name, row);
      row++;
      return elements;
    };
    return Object.assign(next, { rows: source.rows });
  }

  #rowsOfSparse(source, name) {
    let row = 0;
    const next = () => {
      const elements = [];
      source.write(new ArrayBuffer(source.byteLength(row, 1)), 0, row, 1); // checks the row
      const { indices, data } = source.copy(row);
      checkColumns(indices, name, row);
      for (let at = 0; at < indices.length; at++) this.#add(elements, indices[at], data[at], name, row);
      row++;
      return elements;
    };
    return Object.assign(next, { rows: source.rows });
  }

  /** Adds the elements of a count: 3 of feature i are three elements, whose sets have the min–max kernel of counts. */
  #add(elements, i, count, name, row) {
    if (!Number.isInteger(count) || count < 0 || count > 255) {
      throw rowError("ERR_PARAM", name, row, i, "be a count, an integer from 0 to 255: scale and round other weights",
        show(count));
    }
    for (let copy = 0; copy < count; copy++) elements.push(i + copy * this.nFeatures);
  }
}

/** Returns 31 bits that look random, by what #startOf gives for an element, and a component. */
function valueOf(start, j) {
  return mix(start ^ mix(j + 1)) >>> 1;
}

/** The 32-bit finaliser of MurmurHash3 (Appleby 2011). */
function mix(value) {
  value = Math.imul(value ^ value >>> 16, 0x85ebca6b);
  value = Math.imul(value ^ value >>> 13, 0xc2b2ae35);
  return value ^ value >>> 16;
}

/** Counts the bits in which two rows differ. */
function differing(a, atA, b, atB, words) {
  let sum = 0;
  for (let word = 0; word < words; word++) {
    let bits = a[atA + word] ^ b[atB + word];
    bits -= bits >>> 1 & 0x55555555;
    bits = (bits & 0x33333333) + (bits >>> 2 & 0x33333333);
    sum += Math.imul(bits + (bits >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return sum;
}

/** Returns the places of the k smallest of some integers from 0 to `largest`, in order, equal ones by their place. */
function smallest(distances, k, largest) {
  const counts = new Uint32Array(largest + 1);
  for (const distance of distances) counts[distance]++;
  let [limit, below] = [0, 0];
  while (below + counts[limit] < k) below += counts[limit++];
  const places = [];
  for (let row = 0, left = k - below; row < distances.length; row++) {
    if (distances[row] < limit || (distances[row] === limit && left-- > 0)) places.push(row);
  }
  return places.sort((a, b) => distances[a] - distances[b] || a - b);
}

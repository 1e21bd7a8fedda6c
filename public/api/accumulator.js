// Accumulator: exact sums of rows of features. The core adds rows; this file keeps the sums. There is one sum for the
// weights and one for each component. Each sum is an integer in two's complement, in units of 2^UNIT, stored as WORDS
// words of 32 bits, the lowest word first.

import {
  memoryError, paramError, readFile, rejectUnknownKeys, rowError, shapeError, show, showJSON, TensorSketchError,
} from "./errors.js";
import { featureRows, withLargeValue } from "./rows.js";

const FORMAT = "tensorsketch-sums";
const VERSION = 1;
const KEYS = ["format", "version", "model", "preprocessing", "count", "rows", "weight", "sums"];
export const WORDS = 20;
const BITS = 32 * WORDS;
const UNIT = -298;
const MOST_ROWS = 2 ** 52;
const PRODUCT_BITS = 256n - BigInt(UNIT); // a product of two float32 is below 2^PRODUCT_BITS units
const NUMBER = /^(?:0|(-?)([1-9a-f][0-9a-f]*)p(0|-?[1-9]\d{0,2}))$/; // in a file: hexadecimal digits times a power of 2

export class Accumulator {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("send or store JSON.stringify(sums), for map.accumulator({ from })");
  #map; // from a FeatureMap: { core, nComponents, model, preprocessing, source(X), living() }
  #preprocessing;
  #count = 0;
  #rows = 0;
  #words; // the weights' sum, then one for each component

  constructor(map, options = {}) {
    if (typeof options !== "object" || options === null) throw paramError("options", "be an object", options);
    rejectUnknownKeys(options, ["from", "preprocessing"], "option");
    const { from, preprocessing = map.preprocessing ? JSON.stringify(map.preprocessing) : undefined } = options;
    if (preprocessing !== undefined && typeof preprocessing !== "string") {
      throw paramError("preprocessing", "be a text", preprocessing);
    }
    this.#map = map;
    this.#preprocessing = preprocessing ?? "";
    this.#words = newWords(1 + map.nComponents);
    if (from !== undefined) this.#load(from, preprocessing);
  }

  get count() {
    return this.#count;
  }

  add(X, weights) {
    const map = this.#map.living();
    const source = this.#map.source(X);
    this.#adding(source.rows, weights, (words, factors) => {
      try {
        this.#map.core.addRows(map, source, factors, words);
      } catch (error) {
        throw withLargeValue(error, [source]);
      }
    });
  }

  addFeatures(Z, weights) {
    this.#map.living();
    const { core, nComponents } = this.#map;
    this.#adding(featureRows(Z, nComponents), weights,
      (words, factors) => core.addFeatures(nComponents, Z, factors, words));
  }

  merge(other) {
    this.#merge(other, 1);
  }

  subtract(other) {
    this.#merge(other, -1);
  }

  sum() {
    return this.#results((sum) => Number(sum) * 2 ** UNIT);
  }

  mean() {
    const weight = integer(this.#words, 0);
    if (weight === 0n) throw paramError("weights", "not add up to 0 for a mean: add rows first", 0);
    return this.#results(dividedBy(weight));
  }

  toJSON() {
    const [weight, ...sums] = Array.from({ length: 1 + this.#map.nComponents },
      (_, i) => write(integer(this.#words, i)));
    return {
      format: FORMAT, version: VERSION, model: structuredClone(this.#map.model), preprocessing: this.#preprocessing,
      count: this.#count, rows: this.#rows, weight, sums,
    };
  }

  /** Calls `add` to add n rows to a copy of the sums. The copy replaces the sums only if the call succeeds. */
  #adding(n, weights, add) {
    this.#checkRows(n);
    const factors = readWeights(weights, n);
    const words = newWords(1 + this.#map.nComponents);
    words.set(this.#words);
    add(words, factors);
    if (!factors) addCount(words, n);
    this.#words = words;
    this.#count += n;
    this.#rows += n;
  }

  #merge(other, sign) {
    if (!(other instanceof Accumulator)) {
      throw paramError("other", "be an accumulator of this library; one from elsewhere comes as JSON, with " +
        "accumulator({ from })", other);
    }
    checkSame(this.#map.model, other.#map.model);
    checkSame({ preprocessing: this.#preprocessing }, { preprocessing: other.#preprocessing });
    this.#checkRows(other.#rows);
    addWords(this.#words, other.#words, sign);
    this.#count += sign * other.#count;
    this.#rows += other.#rows;
  }

  #checkRows(more) {
    if (more > MOST_ROWS - this.#rows) {
      throw paramError("rows", "be at most 2^52 together, those taken away included: begin new sums",
        this.#rows + more);
    }
  }

  #results(of) {
    return Float64Array.from({ length: this.#map.nComponents }, (_, j) => of(integer(this.#words, 1 + j)));
  }

  #load(from, preprocessing) {
    const file = readSums(from);
    checkSame(this.#map.model, file.model);
    if (preprocessing !== undefined) checkSame({ preprocessing }, { preprocessing: file.preprocessing });
    this.#preprocessing = file.preprocessing;
    const numbers = [file.weight, ...file.sums];
    if (file.sums.length !== this.#map.nComponents) {
      throw shapeError("sums", `hold nComponents = ${this.#map.nComponents} numbers`, file.sums.length);
    }
    numbers.forEach((text, i) => store(this.#words, i, read(text, i === 0 ? "weight" : `sums[${i - 1}]`, file.rows)));
    this.#count = file.count;
    this.#rows = file.rows;
  }
}

/** Allocates the words of `sums` sums, all 0. */
function newWords(sums) {
  try {
    return new Uint32Array(sums * WORDS);
  } catch {
    throw memoryError(`${sums} exact sums need ${4 * WORDS * sums} bytes, more than this engine can ` +
      `allocate: take fewer components`);
  }
}

/** a += sign · b, integer by integer. */
function addWords(a, b, sign) {
  for (let from = 0; from < a.length; from += WORDS) {
    let carry = 0;
    for (let i = from; i < from + WORDS; i++) {
      const sum = a[i] + sign * b[i] + carry;
      a[i] = sum;
      carry = Math.floor(sum / 2 ** 32);
    }
  }
}

/** Returns sum number i as a BigInt. */
function integer(words, i) {
  let n = 0n;
  for (let at = (i + 1) * WORDS - 1; at >= i * WORDS; at--) n = n << 32n | BigInt(words[at]);
  return BigInt.asIntN(BITS, n);
}

function store(words, i, n) {
  for (let at = i * WORDS; at < (i + 1) * WORDS; at++) {
    words[at] = Number(BigInt.asUintN(32, n));
    n >>= 32n;
  }
}

/** Adds n weights of 1. */
function addCount(words, n) {
  const count = new Uint32Array(WORDS);
  store(count, 0, BigInt(n) << BigInt(-UNIT));
  addWords(words.subarray(0, WORDS), count, 1);
}

/** Checks the weights of n rows and returns them as float32, or undefined if none are given. */
function readWeights(weights, n) {
  if (weights === undefined) return undefined;
  if (typeof weights !== "object" || weights === null || !Number.isInteger(weights.length)) {
    throw paramError("weights", "be an array of numbers, one per row", weights);
  }
  if (weights.length !== n) throw shapeError("weights", `hold one number per row, ${n}`, `length ${weights.length}`);
  const bad = Array.prototype.findIndex.call(weights, (weight) => typeof weight !== "number");
  if (bad >= 0) throw rowError("ERR_PARAM", "weights", bad, undefined, "be a number", show(weights[bad]));
  const factors = Float32Array.from(weights);
  const row = factors.findIndex((weight) => !Number.isFinite(weight));
  if (row >= 0) {
    throw rowError("ERR_NONFINITE", "weights", row, undefined, "be within the range of float32, ±3.4028235e38",
      weights[row]);
  }
  return factors;
}

/**
 * Returns the function n ↦ the float64 nearest to n/weight. The quotient is computed to at least 64 bits, plus one
 * bit that is 1 if there is a remainder. Number then rounds it.
 */
function dividedBy(weight) {
  const size = (n) => (n < 0n ? -n : n);
  const divisor = size(weight);
  const shift = 66 + divisor.toString(2).length;
  return (n) => {
    const dividend = size(n) << BigInt(shift);
    const quotient = Number(dividend / divisor << 1n | (dividend % divisor === 0n ? 0n : 1n)) * 2 ** (-shift - 1);
    return (n < 0n) === (weight < 0n) || n === 0n ? quotient : -quotient;
  };
}

/** Returns a sum as text for a file: an odd number and a power of 2. */
function write(n) {
  if (n === 0n) return "0";
  const digits = (n < 0n ? -n : n).toString(2);
  const zeros = digits.length - 1 - digits.lastIndexOf("1");
  return `${n < 0n ? "-" : ""}${BigInt(`0b${digits.slice(0, digits.length - zeros)}`).toString(16)}p${zeros + UNIT}`;
}

/** The inverse of write. It throws for a sum that `rows` rows cannot reach. */
function read(text, argument, rows) {
  const match = typeof text === "string" && text.length < BITS && NUMBER.exec(text);
  const [, minus, digits, exponent] = match || [];
  const n = digits && exponent >= UNIT && exponent < BITS ? BigInt(`0x${digits}`) << BigInt(exponent - UNIT) : 0n;
  if (!match || (digits && n === 0n) || n > BigInt(rows) << PRODUCT_BITS) {
    throw paramError(argument, `be a sum of ${rows} rows, such as "-1fp-3" for −31/8`, text);
  }
  return minus ? -n : n;
}

/** Reads a file of sums and checks everything except its numbers and the content of its model. */
function readSums(from) {
  const want = "be what toJSON of an accumulator gave, or its text";
  const file = readFile("from", from, { want, format: FORMAT, version: VERSION });
  rejectUnknownKeys(file, KEYS, "key of the sums");
  const { model, preprocessing, count, rows, sums } = file;
  if (typeof model !== "object" || model === null) throw paramError("from.model", "be a model", model);
  if (typeof preprocessing !== "string") throw paramError("from.preprocessing", "be a text", preprocessing);
  if (!Number.isInteger(rows) || rows < 0 || rows > MOST_ROWS) {
    throw paramError("from.rows", "be an integer from 0 to 2^52", rows);
  }
  if (!Number.isInteger(count) || Math.abs(count) > rows || (rows - count) % 2 !== 0) {
    throw paramError("from.count", `be a number of rows that ${rows} added and taken away can leave`, count);
  }
  if (!Array.isArray(sums)) throw paramError("from.sums", "be an array of texts", sums);
  return file;
}

/** Throws if two models differ. The error names the first key that differs. */
function checkSame(model, other) {
  for (const key of new Set([...Object.keys(model), ...Object.keys(other)])) {
    if (same(model[key], other[key])) continue;
    const [want, got] = [model[key], other[key]].map((value) =>
      (key === "methodParams" ? showJSON(value) : show(value)));
    throw new TensorSketchError("ERR_PARAM", `${key} must be the same as in the sums to merge into, ${want}, got ` +
      `${got}`, { argument: key });
  }
}

/** Reports whether two JSON values are equal. */
function same(a, b) {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return a === b;
  const keys = Object.keys(a);
  return Array.isArray(a) === Array.isArray(b) && keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && same(a[key], b[key]));
}

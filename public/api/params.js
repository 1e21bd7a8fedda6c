// Parameters: checked by name and type, completed with defaults, and encoded for the core. The core checks every range
// and contradiction itself, so that its messages are the same everywhere.

import { checkIsNumber, checkObject, fault, isPlain, isTyped, paramError, rejectUnknownKeys } from "./errors.js";
import { readKey, toHex } from "./key.js";
import { METHODS, NORMALIZE, OUTPUT } from "./tables.js";

const HASHES = ["seed", "random-state", "tables"]; // the core treats a key as a seed
const SEED_KINDS = ["integer", "string", "bytes"];
const KEYS = ["method", "nFeatures", "nComponents", "degree", "gamma", "coef0", "seed", "normalize", "output",
  // only the `params` of a map have hash
  "repeats", "key", "randomState", "indexHash", "bitHash", "methodParams", "hash"];
const KINDS = ["boolean", "number", "string", "object"]; // types of method parameters; an object is an array of numbers
const MOST_SEED = 2n ** 64n - 1n;
const BLOCK_VERSION = 3;
const CHECK_BYTES = 16;

/**
 * Returns the settings of a map: Params with defaults filled in, except the defaults that depend on the method
 * (withResolved). `hash` names the source of the tables, `seed` is { kind, value }, and tables are flattened.
 */
export function resolveParams(params) {
  if (!isPlain(params) || params.format) {
    throw paramError("params", "be an object with nFeatures, such as map.params; fromJSON takes files",
      params);
  }
  rejectUnknownKeys(params, KEYS, "parameter");
  const nFeatures = readFeatures(params.nFeatures);
  const settings = {
    method: readChoice("method", params.method, METHODS),
    nFeatures,
    nComponents: readNumber("nComponents", params.nComponents, 100),
    degree: readNumber("degree", params.degree, Array.isArray(nFeatures) ? nFeatures.length : undefined),
    gamma: readNumber("gamma", params.gamma, 1),
    coef0: readNumber("coef0", params.coef0, 0),
    normalize: readChoice("normalize", params.normalize, NORMALIZE),
    output: readChoice("output", params.output, OUTPUT),
    repeats: readNumber("repeats", params.repeats, 1),
    methodParams: readMethodParams(params.methodParams),
    ...readHash(params),
  };
  const { degree } = settings;
  if (Array.isArray(nFeatures) && nFeatures.length !== degree) {
    throw fault("nFeatures", `nFeatures must have one entry per degree, ${degree}, or be one number, ` +
      `got ${nFeatures.length} entries`);
  }
  const { hash = settings.hash } = params;
  if (hash !== settings.hash) throw paramError("hash", `be "${settings.hash}", from where the tables come`, hash);
  return settings;
}

/** Returns the method's parameters by name. The core checks which ones the method takes, and their values. */
function readMethodParams(methodParams = {}) {
  const given = Object.entries(checkObject("methodParams", methodParams)).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (isList(value)) Array.from(value, (v, i) => checkIsNumber(`methodParams.${name}[${i}]`, v));
    else if (typeof value === "object" || !KINDS.includes(typeof value)) {
      throw paramError(`methodParams.${name}`, "be true, false, a number, a text, or an array of numbers", value);
    }
  }
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === "object" ? [...value] : value]));
}

function isList(value) {
  return Array.isArray(value) || isTyped(value, "Float64Array") || isTyped(value, "Float32Array");
}

/**
 * Returns the settings with the degree, the check value of a key and the method's parameters, all as the core resolved
 * them (ts_map_params).
 */
export function withResolved(settings, bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const methodParams = {};
  let at = 0;
  const number = () => view.getFloat64((at += 8) - 8, true);
  const text = (length) => {
    const from = at;
    at += padded(length);
    return new TextDecoder().decode(bytes.subarray(from, from + length));
  };
  const values = {
    boolean: () => number() !== 0,
    number,
    string: () => text(number()),
    object: () => Object.freeze(Array.from({ length: number() }, number)),
  };
  const degree = number();
  const keyCheck = toHex(bytes.subarray(at, (at += CHECK_BYTES)));
  while (at < bytes.length) {
    const kind = KINDS[number()];
    const name = text(number());
    methodParams[name] = values[kind]();
  }
  const resolved = { ...settings, degree, methodParams: Object.freeze(methodParams) };
  return settings.hash === "key" ? { ...resolved, keyCheck } : resolved;
}

/**
 * Returns a frozen copy of the settings as the caller sees them. With the key added, resolveParams takes it.
 */
export function publicParams(settings) {
  const { hash, seed, keyCheck, randomState, tables, ...common } = settings;
  const sources = { seed: () => ({ seed: publicSeed(seed) }), key: () => ({}), "random-state": () => ({ randomState }),
    tables: () => unflatten(tables) };
  const source = sources[hash]();
  return Object.freeze({ ...common, hash, ...source });
}

/** Returns the two tables as nested arrays of p rows each. */
export function unflatten({ width, index, bit }) {
  const rows = (table) => {
    const list = [];
    for (let at = 0; at < table.length; at += width) list.push(Object.freeze([...table.subarray(at, at + width)]));
    return Object.freeze(list);
  };
  return { indexHash: rows(index), bitHash: rows(bit) };
}

/** Returns the parameter block for ts_map_new: float64 header, nFeatures, seed, the method's parameters, tables. */
export function encodeParams(settings) {
  const { seed = readSeed(0), tables, methodParams } = settings; // the block always has a seed, used or not
  const features = [settings.nFeatures].flat();
  const payload = seedBytes(seed);
  const block = new Block();
  block.numbers(
    BLOCK_VERSION, METHODS.indexOf(settings.method), settings.nComponents, settings.degree ?? -0, settings.gamma,
      settings.coef0,
    NORMALIZE.indexOf(settings.normalize), OUTPUT.indexOf(settings.output), settings.repeats,
    HASHES.indexOf(settings.hash === "key" ? "seed" : settings.hash),
    SEED_KINDS.indexOf(seed.kind), payload.length, settings.randomState ?? 0, features.length,
      Object.keys(methodParams).length,
    tables?.rows ?? 0, tables?.width ?? 0, ...features,
  );
  block.padded(payload);
  for (const [name, value] of Object.entries(methodParams)) block.methodParam(name, value);
  if (tables) {
    block.raw(tables.index);
    block.raw(tables.bit);
  }
  return block.bytes();
}

/** Returns the block for ts_product_new. */
export function encodeProduct({ m, n, nComponents, repeats = 0, seed = 0 }) {
  const source = readSeed(seed);
  const payload = seedBytes(source);
  const block = new Block();
  block.numbers(m, n, nComponents, repeats, SEED_KINDS.indexOf(source.kind), payload.length);
  block.padded(payload);
  return block.bytes();
}

/** Returns the block of a question for ts_plan. */
export function encodeQuestion({ nFeatures, nnzPerRow = NaN, degree = NaN, gamma = NaN, coef0 = NaN, cosine = NaN,
  epsilon = NaN, delta = NaN,
  nComponents = NaN, methods }) {
  const block = new Block();
  block.numbers(nFeatures, nnzPerRow, degree, gamma, coef0, cosine, epsilon, delta, nComponents, methods?.length ?? 0);
  block.numbers(...(methods ?? []).map((method) => METHODS.indexOf(method)));
  return block.bytes();
}

/** Builds a block from little-endian parts, one after another. */
export class Block {
  #parts = [];

  raw({ buffer, byteOffset, byteLength }) {
    this.#parts.push(new Uint8Array(buffer, byteOffset, byteLength));
  }

  numbers(...values) {
    const view = new DataView(new ArrayBuffer(8 * values.length));
    values.forEach((value, i) => view.setFloat64(8 * i, value, true));
    this.raw(view);
  }

  padded(bytes) {
    this.raw(bytes);
    this.raw(new Uint8Array(padded(bytes.length) - bytes.length));
  }

  methodParam(name, value) {
    const utf8 = new TextEncoder();
    const key = utf8.encode(name);
    this.numbers(KINDS.indexOf(typeof value), key.length);
    this.padded(key);
    if (typeof value === "string") {
      const text = utf8.encode(value);
      this.numbers(text.length);
      this.padded(text);
    } else if (typeof value === "object") {
      this.numbers(value.length, ...value);
    } else {
      this.numbers(Number(value));
    }
  }

  bytes() {
    const bytes = new Uint8Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }
}

/** Rounds a length up to a multiple of 8 bytes. */
function padded(length) {
  return Math.ceil(length / 8) * 8;
}

function readNumber(name, value, fallback) {
  if (value === undefined) return fallback;
  checkIsNumber(name, value);
  return value;
}

/** Returns a value, which must be one of some choices: the first unless it is given. */
export function readChoice(name, value, choices) {
  if (value === undefined) return choices[0];
  if (!choices.includes(value)) throw paramError(name, `be one of ${quoted(choices)}`, value);
  return value;
}

/** Returns names as a message lists them. */
export const quoted = (names) => names.map((name) => `"${name}"`).join(", ");

/** Returns the number of input features, or a frozen copy of one for each degree. The core checks their range. */
export function readFeatures(value) {
  if (value === undefined) {
    throw fault("nFeatures", "nFeatures is missing: give the number of input features");
  }
  if (typeof value === "number") return value;
  if (!Array.isArray(value) || value.length === 0) {
    throw paramError("nFeatures", "be a number, or an array of one number per degree", value);
  }
  value.forEach((d, k) => checkIsNumber(`nFeatures[${k}]`, d));
  return Object.freeze([...value]);
}

/** Returns the one source of the hash tables: seed (the default), key, randomState, or both tables. */
function readHash({ seed, key, randomState, indexHash, bitHash, hash }) {
  const tables = indexHash === undefined ? bitHash : indexHash;
  const given = { seed, key, randomState, "indexHash and bitHash": tables };
  const sources = Object.keys(given).filter((name) => given[name] !== undefined);
  if (sources.length > 1) {
    throw fault(sources[0], `${sources.join(" and ")} exclude each other: the hash tables come from one of them`);
  }
  if (key !== undefined) return { hash: "key", seed: { kind: "bytes", value: readKey(key) } };
  if (hash === "key" && sources.length === 0) {
    throw fault("key", "key is missing: params do not hold it, so give it beside them");
  }
  if (randomState !== undefined) return { hash: "random-state", randomState: readNumber("randomState", randomState) };
  if (tables !== undefined) return { hash: "tables", tables: readTables(indexHash, bitHash) };
  return { hash: "seed", seed: readSeed(seed === undefined ? 0 : seed) };
}

function readSeed(seed) {
  if (Number.isSafeInteger(seed) && seed >= 0) {
    return { kind: "integer", value: BigInt(seed) };
  }
  if (typeof seed === "bigint" && seed >= 0n && seed <= MOST_SEED) return { kind: "integer", value: seed };
  if (typeof seed === "string" && !/\p{Surrogate}/u.test(seed)) return { kind: "string", value: seed };
  if (isTyped(seed, "Uint8Array") && seed.length === 32) return { kind: "bytes", value: Uint8Array.from(seed) };
  throw paramError("seed", "be an integer from 0 to 2^64 − 1 (a bigint above 2^53 − 1), well-formed text, or a " +
    "Uint8Array of 32 bytes", seed);
}

function publicSeed({ kind, value }) {
  if (kind === "integer") return value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  return kind === "bytes" ? value.slice() : value;
}

function seedBytes({ kind, value }) {
  if (kind === "string") return new TextEncoder().encode(value);
  if (kind === "bytes") return value;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function readTables(indexHash, bitHash) {
  const index = flatten("indexHash", indexHash);
  const bit = flatten("bitHash", bitHash, (sign) => sign === 1 || sign === -1, "be -1 or 1");
  if (bit.rows !== index.rows || bit.width !== index.width) {
    throw fault("bitHash",
      `bitHash must have the shape of indexHash, ${index.rows} × ${index.width}, got ${bit.rows} × ${bit.width}`);
  }
  return { rows: index.rows, width: index.width, index: index.values, bit: bit.values };
}

const isInt32 = (value) => typeof value === "number" && value === (value | 0);

/** Returns a table as int32, row after row. The core checks the range of buckets. */
function flatten(name, table, isValid = isInt32, want = "be an integer of 32 bits") {
  const isList = (value) => Array.isArray(value) || ArrayBuffer.isView(value);
  if (!Array.isArray(table) || !isList(table[0]) || table[0].length === 0) {
    throw paramError(name, "be an array of one row of integers per degree (indexHash and bitHash go together)", table);
  }
  const width = table[0].length;
  const values = new Int32Array(table.length * width);
  for (let k = 0; k < table.length; k++) {
    if (!isList(table[k]) || table[k].length !== width) {
      throw paramError(`${name}[${k}]`, `be an array of ${width} integers like the rows before it`, table[k]);
    }
    for (let i = 0; i < width; i++) {
      const value = table[k][i];
      if (!isValid(value)) throw paramError(`${name}[${k}][${i}]`, want, value);
      values[k * width + i] = value;
    }
  }
  return { rows: table.length, width, values };
}

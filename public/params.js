// Parameters: checked by name and type, completed with their defaults, and encoded for the core,
// which checks every range and contradiction itself, so that its messages are the same everywhere.

import { isTyped, paramError, rejectUnknownKeys, TensorSketchError } from "./errors.js";

const METHODS = ["tensor-sketch", "count-sketch"];
const NORMALIZE = ["none", "kernel"];
const OUTPUT = ["real", "spectrum"];
const HASHES = ["seed", "random-state", "tables"];
const SEED_KINDS = ["integer", "string", "bytes"];
const KEYS = ["method", "nFeatures", "nComponents", "degree", "gamma", "coef0", "seed", "normalize", "output",
  "randomState", "indexHash", "bitHash"];
const RESOLVED = ["repeats", "methodParams", "hash"]; // what `params` of a map adds to them
const MOST_SEED = 2n ** 64n - 1n;
const BLOCK_VERSION = 1;

/**
 * The settings of a map: Params with every default filled in, `hash` saying
 * where the tables come from, `seed` as { kind, value } and tables flattened.
 */
export function resolveParams(params) {
  if (typeof params !== "object" || params === null || Array.isArray(params)) {
    throw paramError("params", "be an object with at least nFeatures", params);
  }
  rejectUnknownKeys(params, [...KEYS, ...RESOLVED], "parameter");
  const nFeatures = readFeatures(params.nFeatures);
  const method = readChoice("method", params.method, METHODS);
  const defaultDegree = Array.isArray(nFeatures) ? nFeatures.length : method === "count-sketch" ? 1 : 2;
  const degree = readNumber("degree", params.degree, defaultDegree);
  if (Array.isArray(nFeatures) && nFeatures.length !== degree) {
    throw new TensorSketchError("ERR_PARAM", `nFeatures must have one entry per degree, ${degree}, or be one number, got ${nFeatures.length} entries`,
      { argument: "nFeatures" });
  }
  const settings = {
    method,
    nFeatures,
    nComponents: readNumber("nComponents", params.nComponents, 100),
    degree,
    gamma: readNumber("gamma", params.gamma, 1),
    coef0: readNumber("coef0", params.coef0, 0),
    normalize: readChoice("normalize", params.normalize, NORMALIZE),
    output: readChoice("output", params.output, OUTPUT),
    ...readHash(params, degree),
  };
  checkResolved(settings.hash, params);
  return settings;
}

/** What only resolved parameters and models state: it can but be what this release does and the rest says. */
function checkResolved(source, { repeats = 1, methodParams = {}, hash = source }) {
  if (repeats !== 1) throw paramError("repeats", "be 1 until a later release", repeats);
  if (typeof methodParams !== "object" || methodParams === null || Array.isArray(methodParams) || Object.keys(methodParams).length > 0) {
    throw paramError("methodParams", "be {} until a later release", methodParams);
  }
  if (hash !== source) throw paramError("hash", `be "${source}", from where the tables come`, hash);
}

/** The settings as the caller sees them, and as resolveParams takes them. Frozen, and a copy. */
export function publicParams(settings) {
  const { hash, seed, randomState, tables, ...common } = settings;
  const source = hash === "seed" ? { seed: publicSeed(seed) } : hash === "random-state" ? { randomState } : unflatten(tables);
  return Object.freeze({ ...common, repeats: 1, methodParams: Object.freeze({}), hash, ...source });
}

/** The two tables as nested arrays, p rows each. */
export function unflatten({ width, index, bit }) {
  const rows = (table) => {
    const list = [];
    for (let at = 0; at < table.length; at += width) list.push(Object.freeze([...table.subarray(at, at + width)]));
    return Object.freeze(list);
  };
  return { indexHash: rows(index), bitHash: rows(bit) };
}

/** The parameter block that ts_map_new reads: float64 header, nFeatures, seed, tables. */
export function encodeParams(settings) {
  const { seed = readSeed(0), tables } = settings; // there is always a seed, used or not
  const features = [settings.nFeatures].flat();
  const payload = seedBytes(seed);
  const header = [
    BLOCK_VERSION, METHODS.indexOf(settings.method), settings.nComponents, settings.degree, settings.gamma, settings.coef0,
    NORMALIZE.indexOf(settings.normalize), OUTPUT.indexOf(settings.output), HASHES.indexOf(settings.hash),
    SEED_KINDS.indexOf(seed.kind), payload.length, settings.randomState ?? 0, features.length, tables?.width ?? 0,
    ...features,
  ];
  const padded = Math.ceil(payload.length / 8) * 8;
  const tableBytes = tables ? tables.index.byteLength + tables.bit.byteLength : 0;
  const block = new Uint8Array(8 * header.length + padded + tableBytes);
  const view = new DataView(block.buffer);
  header.forEach((value, i) => view.setFloat64(8 * i, value, true));
  block.set(payload, 8 * header.length);
  if (tables) {
    const at = 8 * header.length + padded;
    new Int32Array(block.buffer, at, tables.index.length).set(tables.index);
    new Int32Array(block.buffer, at + tables.index.byteLength, tables.bit.length).set(tables.bit);
  }
  return block;
}

function readNumber(name, value, fallback) {
  if (value === undefined) return fallback;
  if (typeof value !== "number") throw paramError(name, "be a number", value);
  return value;
}

function readChoice(name, value, choices) {
  if (value === undefined) return choices[0];
  if (!choices.includes(value)) throw paramError(name, `be one of ${choices.map((c) => `"${c}"`).join(", ")}`, value);
  return value;
}

function readFeatures(value) {
  if (value === undefined) {
    throw new TensorSketchError("ERR_PARAM", "nFeatures is missing: give the number of input features, an integer from 1 to 2147483647",
      { argument: "nFeatures" });
  }
  if (!Array.isArray(value)) {
    if (typeof value !== "number") throw paramError("nFeatures", "be a number, or an array of one number per degree", value);
    return value;
  }
  if (value.length === 0) throw paramError("nFeatures", "be a number, or an array of one number per degree", value);
  value.forEach((d, k) => {
    if (typeof d !== "number") throw paramError(`nFeatures[${k}]`, "be a number", d);
  });
  return Object.freeze([...value]);
}

/** The one source of the hash tables: seed (also by default), randomState, or both tables. */
function readHash({ seed, randomState, indexHash, bitHash }, degree) {
  const hasTables = indexHash !== undefined || bitHash !== undefined;
  const sources = [];
  if (seed !== undefined) sources.push("seed");
  if (randomState !== undefined) sources.push("randomState");
  if (hasTables) sources.push("indexHash and bitHash");
  if (sources.length > 1) {
    throw new TensorSketchError("ERR_PARAM", `${sources.join(" and ")} exclude each other: the hash tables come from one of them`,
      { argument: sources[0] });
  }
  if (randomState !== undefined) return { hash: "random-state", randomState: readNumber("randomState", randomState) };
  if (hasTables) return { hash: "tables", tables: readTables(indexHash, bitHash, degree) };
  return { hash: "seed", seed: readSeed(seed === undefined ? 0 : seed) };
}

function readSeed(seed) {
  if (typeof seed === "number" && Number.isSafeInteger(seed) && seed >= 0) return { kind: "integer", value: BigInt(seed) };
  if (typeof seed === "bigint" && seed >= 0n && seed <= MOST_SEED) return { kind: "integer", value: seed };
  if (typeof seed === "string" && !/\p{Surrogate}/u.test(seed)) return { kind: "string", value: seed };
  if (isTyped(seed, "Uint8Array") && seed.length === 32) return { kind: "bytes", value: Uint8Array.from(seed) };
  throw paramError("seed", "be an integer from 0 to 2^64 − 1 (a bigint above 2^53 − 1), well-formed text, or a Uint8Array of 32 bytes", seed);
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

function readTables(indexHash, bitHash, degree) {
  const index = flatten("indexHash", indexHash);
  const bit = flatten("bitHash", bitHash);
  for (const [argument, { rows, width }] of Object.entries({ indexHash: index, bitHash: bit })) {
    if (rows === degree && width === index.width) continue;
    throw new TensorSketchError("ERR_PARAM",
      `${argument} must have one row per degree, ${degree}, each of length ${index.width}, got ${rows} rows of length ${width}`, { argument });
  }
  return { width: index.width, index: index.values, bit: bit.values };
}

/** A table as int32, row after row. Ranges are the core's to check; here only what int32 cannot hold. */
function flatten(name, table) {
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
      if (!Number.isInteger(value) || value !== (value | 0)) throw paramError(`${name}[${k}][${i}]`, "be an integer of 32 bits", value);
      values[k * width + i] = value;
    }
  }
  return { rows: table.length, width, values };
}

// The model file (docs/SPEC.md): what toJSON writes and fromJSON reads, here and in Go.

import { fault, isObject, paramError, readFile, rejectUnknownKeys, showJSON } from "./errors.js";
import { fromHex, readKey, readKeySalt, toHex } from "./key.js";
import { resolveParams, unflatten } from "./params.js";
import { readPreprocessing } from "./preprocessing.js";

export const FORMAT = "tensorsketch-model";
const VERSION = 1;

/** The version of files that have a preparation. */
export const PREPARED_VERSION = 2;

const COMMON = ["format", "version", "method", "nFeatures", "nComponents", "degree", "gamma", "coef0", "normalize",
  "output",
  "repeats", "methodParams", "hash"];
const HASH_KEYS = { seed: ["seed"], key: ["keyCheck"], "random-state": ["randomState"],
  tables: ["indexHash", "bitHash"] };

/** The key of what a map was fitted to, by method. */
const FIT_KEYS = { nystroem: "landmarks", "k-space": "projection" };

/**
 * Returns the model of a map. `fit` is what it was fitted to, if its method needs that. `preprocessing`
 * makes its rows, if known. The key is included only if `includeKey` is set. `keySalt` is public: { salt, iterations }
 * of the passphrase that the key was derived from.
 */
export function toModel(settings, { fit, preprocessing, keySalt, includeKey = false }) {
  const { method, nFeatures, nComponents, degree, gamma, coef0, normalize, output, repeats, methodParams, hash } =
    settings;
  const model = {
    format: FORMAT, version: VERSION, method,
    nFeatures: Array.isArray(nFeatures) ? [...nFeatures] : nFeatures,
    nComponents, degree, gamma, coef0, normalize, output, repeats, methodParams: { ...methodParams }, hash,
  };
  if (hash === "seed") model.seed = seedToModel(settings.seed);
  else if (hash === "key") Object.assign(model, { keyCheck: settings.keyCheck },
    keySalt ? { keySalt: { ...keySalt } } : {}, includeKey ? { key: toHex(settings.seed.value) } : {});
  else if (hash === "random-state") model.randomState = settings.randomState;
  else Object.assign(model, unflatten(settings.tables));
  if (method === "nystroem") model.landmarks = Array.from(fit, shortest);
  if (method === "k-space") model.projection = Array.from(fit, (value) => value + 0);
  if (preprocessing) model.preprocessing = structuredClone(preprocessing);
  return model;
}

/** Returns the number with the fewest digits that rounds to the same float32. */
function shortest(value) {
  for (let digits = 1; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
}

/**
 * Reads a model file, given as text or parsed. Returns its settings, its other parts { fit, keyCheck, keySalt,
 * preprocessing }, and its head, if it has one, or null. `learned` reads what a model has beside its map
 * (learnedparts.js). Anything unexpected is ERR_PARAM.
 */
export function fromModel(input, key, learned) {
  const model = readFile("model", input, { want: "be a model object or its JSON text", format: FORMAT,
    version: VERSION, prepared: PREPARED_VERSION });
  if (typeof model.hash !== "string" || !Object.hasOwn(HASH_KEYS, model.hash)) {
    throw paramError("model.hash", 'be one of "seed", "key", "random-state", "tables"', model.hash);
  }

  const isFitted = typeof model.method === "string" && Object.hasOwn(FIT_KEYS, model.method);
  const fitKey = isFitted ? FIT_KEYS[model.method] : null;
  const known = [...COMMON, ...HASH_KEYS[model.hash], ...(fitKey ? [fitKey] : [])];
  const optional = ["preprocessing", "preparation", "head", ...(model.hash === "key" ? ["keySalt", "key"] : [])];
  rejectUnknownKeys(model, [...known, ...optional], "key of the model");
  for (const key of known) {
    if (model[key] === undefined) {
      throw fault(key, `the model lacks its key "${key}"`);
    }
  }
  const { format, version, landmarks, projection, keyCheck, keySalt, preprocessing, preparation, head, ...params } =
    model;
  if (model.hash === "seed") params.seed = seedFromModel(params.seed);
  if (model.hash === "key") params.key = keyOfModel(model, key);
  else if (key !== undefined) throw fault("key", "key must be left out: this model has no key");
  const settings = resolveParams(params);
  const read = learned({ preparation, head, isPrepared: version > VERSION }, settings);
  const held = {
    keyCheck,
    keySalt: keySalt === undefined ? undefined : readKeySalt("model.keySalt", keySalt),
    fit: fitKey ? readFit(model, fitKey, settings) : undefined,
    preprocessing: preprocessing === undefined ? undefined
      : readPreprocessing(preprocessing, read.preparation?.nFeatures ?? settings.nFeatures),
    ...(read.preparation ? { preparation: read.preparation } : {}),
  };
  return { settings, held, head: read.head };
}

/** Returns the given key, or else the key in the model. The core checks that it is the right one. */
function keyOfModel(model, given) {
  if (typeof model.keyCheck !== "string" || !/^[0-9a-f]{32}$/.test(model.keyCheck)) {
    throw paramError("model.keyCheck", "be 32 hexadecimal digits in lower case", model.keyCheck);
  }
  if (model.key !== undefined && (typeof model.key !== "string" || !/^[0-9a-f]{64}$/.test(model.key))) {
    throw fault("model.key", "model.key must be 64 hexadecimal digits in lower case");
  }
  if (given !== undefined) return readKey(given);
  if (model.key !== undefined) return fromHex(model.key);
  throw fault("key", "key is missing: the model does not hold it, so give it as an option");
}

/** Returns the landmarks, or the projection, whose length the core checks. */
function readFit(model, key, settings) {
  const numbers = model[key];
  if (!Array.isArray(numbers)) throw paramError(`model.${key}`, "be an array of numbers", numbers);
  if (key === "landmarks") return readLandmarks(numbers, settings);
  const bad = numbers.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) throw paramError(`model.${key}[${bad}]`, "be a finite number", numbers[bad]);
  return Float64Array.from(numbers);
}

function readLandmarks(landmarks, { repeats, nComponents, nFeatures }) {
  const bad = landmarks.findIndex((value) => typeof value !== "number" || !Number.isFinite(Math.fround(value)));
  if (bad >= 0) throw paramError(`model.landmarks[${bad}]`, "be a number within the range of float32", landmarks[bad]);
  const length = repeats * nComponents * nFeatures;
  if (landmarks.length !== length) {
    throw paramError("model.landmarks", `hold repeats × nComponents × nFeatures = ${length} numbers`, landmarks.length);
  }
  return Float32Array.from(landmarks);
}

/** Returns a seed as the model has it: decimal text for an integer, { string } for text, { bytes } in hexadecimal. */
function seedToModel({ kind, value }) {
  if (kind === "integer") return value.toString();
  if (kind === "string") return { string: value };
  return { bytes: toHex(value) };
}

function seedFromModel(seed) {
  if (typeof seed === "string" && /^(0|[1-9]\d{0,19})$/.test(seed)) return BigInt(seed);
  if (isObject(seed) && Object.keys(seed).length === 1) {
    if (typeof seed.string === "string") return seed.string;
    if (typeof seed.bytes === "string" && /^[0-9a-f]{64}$/.test(seed.bytes)) {
      return fromHex(seed.bytes);
    }
  }
  throw paramError("model.seed", 'be decimal text, {"string": text} or {"bytes": 64 hexadecimal digits in lower case}',
    isObject(seed) ? showJSON(seed) : seed);
}

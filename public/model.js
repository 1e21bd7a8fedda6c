// The model file, version 1 (docs/SPEC.md): what toJSON writes and fromJSON reads, here and in Go.

import { paramError, rejectUnknownKeys, show, TensorSketchError } from "./errors.js";
import { resolveParams, unflatten } from "./params.js";

const FORMAT = "tensorsketch-model";
const VERSION = 1;
const COMMON = ["format", "version", "method", "nFeatures", "nComponents", "degree", "gamma", "coef0", "normalize", "output",
  "repeats", "methodParams", "hash"];
const FITTED_METHOD = "nystroem"; // whose models hold their landmarks as well
const HASH_KEYS = { seed: ["seed"], "random-state": ["randomState"], tables: ["indexHash", "bitHash"] };

/** The model of a map; `landmarks` is what it was fitted to, if it needs that. */
export function toModel(settings, landmarks) {
  const { method, nFeatures, nComponents, degree, gamma, coef0, normalize, output, repeats, methodParams, hash } = settings;
  const model = {
    format: FORMAT, version: VERSION, method,
    nFeatures: Array.isArray(nFeatures) ? [...nFeatures] : nFeatures,
    nComponents, degree, gamma, coef0, normalize, output, repeats, methodParams: { ...methodParams }, hash,
  };
  if (hash === "seed") model.seed = seedToModel(settings.seed);
  else if (hash === "random-state") model.randomState = settings.randomState;
  else Object.assign(model, unflatten(settings.tables));
  if (method === FITTED_METHOD) model.landmarks = Array.from(landmarks, shortest);
  return model;
}

/** The number with the fewest digits that is the same float32. */
function shortest(value) {
  for (let digits = 1; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
}

/** The settings of a model file, given as text or parsed, and the landmarks. Everything unexpected is ERR_PARAM. */
export function fromModel(input) {
  const model = typeof input === "string" ? parse(input) : input;
  if (typeof model !== "object" || model === null || Array.isArray(model)) throw paramError("model", "be a model object or its JSON text", model);
  if (model.format !== FORMAT) throw paramError("model.format", `be "${FORMAT}"`, model.format);
  if (model.version !== VERSION) throw paramError("model.version", `be ${VERSION}, which this release reads`, model.version);
  if (!Object.hasOwn(HASH_KEYS, model.hash)) throw paramError("model.hash", 'be one of "seed", "random-state", "tables"', model.hash);

  const known = [...COMMON, ...HASH_KEYS[model.hash], ...(model.method === FITTED_METHOD ? ["landmarks"] : [])];
  rejectUnknownKeys(model, known, "key of the model");
  for (const key of known) {
    if (model[key] === undefined) throw new TensorSketchError("ERR_PARAM", `the model lacks its key "${key}"`, { argument: key });
  }
  const { format, version, landmarks, ...params } = model;
  if (model.hash === "seed") params.seed = seedFromModel(params.seed);
  const settings = resolveParams(params);
  return { settings, landmarks: model.method === FITTED_METHOD ? readLandmarks(landmarks, settings) : undefined };
}

function readLandmarks(landmarks, { repeats, nComponents, nFeatures }) {
  if (!Array.isArray(landmarks)) throw paramError("model.landmarks", "be an array of numbers", landmarks);
  const bad = landmarks.findIndex((value) => typeof value !== "number" || !Number.isFinite(Math.fround(value)));
  if (bad >= 0) throw paramError(`model.landmarks[${bad}]`, "be a number within the range of float32", landmarks[bad]);
  const length = repeats * nComponents * nFeatures;
  if (landmarks.length !== length) throw paramError("model.landmarks", `hold repeats × nComponents × nFeatures = ${length} numbers`, landmarks.length);
  return Float32Array.from(landmarks);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new TensorSketchError("ERR_PARAM", `model must be JSON: ${error.message}`, { argument: "model" });
  }
}

/** Decimal text for an integer, { string } for text, { bytes } in hexadecimal. */
function seedToModel({ kind, value }) {
  if (kind === "integer") return value.toString();
  if (kind === "string") return { string: value };
  return { bytes: Array.from(value, (byte) => byte.toString(16).padStart(2, "0")).join("") };
}

function seedFromModel(seed) {
  if (typeof seed === "string" && /^(0|[1-9]\d{0,19})$/.test(seed)) return BigInt(seed);
  if (typeof seed === "object" && seed !== null && Object.keys(seed).length === 1) {
    if (typeof seed.string === "string") return seed.string;
    if (typeof seed.bytes === "string" && /^[0-9a-f]{64}$/.test(seed.bytes)) {
      return Uint8Array.from(seed.bytes.match(/../g), (hex) => parseInt(hex, 16));
    }
  }
  throw paramError("model.seed", 'be decimal text, {"string": text} or {"bytes": 64 hexadecimal digits in lower case}',
    typeof seed === "object" && seed !== null ? JSON.stringify(seed) : seed);
}

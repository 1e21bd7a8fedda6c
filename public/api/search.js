// A search for the preparation and the map of a model (sketch/learn/search.go), by held-out rows. The core does it, in
// a worker. What options type of the map narrows it.

import { fault, isPlain, paramError } from "./errors.js";
import { Block } from "./params.js";
import { decode } from "./preparation.js";
import { FORMS, LIMIT, MOST_COMPONENTS } from "./tables.js";

const KINDS = [["tensor-sketch"], ["random-fourier", "gaussian"], ["random-fourier", "laplacian"], ["random-fourier"],
  ["random-fourier", "gaussian", "structured"]]; // the last one is chosen alone
const TYPED = ["method", "methodParams", "degree", "gamma", "coef0", "nComponents", "nFeatures", "seed"];
const CLOSED = ["radius", "grid", "preprocessing", "weights"]; // typed, they leave nothing to search for
const NAMES = ["gaussian", "gaussian-wide", "laplacian", "gaussian-ranks", "polynomial-2", "polynomial-3", "linear",
  "linear-uncut", "linear-unit", "codes-gaussian-wide", "codes-laplacian", "codes-linear", "gaussian-weights",
  "laplacian-weights", "codes-gaussian-weights", "codes-laplacian-weights"];
const FIELDS = 21; // of a result
const CANDIDATE_FIELDS = 8;

/**
 * Returns what options leave for a search, or null: with search "off", or where nothing is left to choose from. Whether
 * a candidate fits what was typed, the core knows: where none does, `mayFail` says that the default map is taken.
 */
export function readSearch({ search = "auto", indicators = [], unitNorm, ...options }) {
  const names = typeof search === "string" ? [search] : search;
  if (!Array.isArray(names) || names.length === 0 || names.some((name) => typeof name !== "string")) {
    throw paramError("search", 'be "auto", "off" or an array of names of candidates', search);
  }
  const isOff = names[0] === "off", isAuto = isOff || names[0] === "auto";
  const unknown = isAuto ? undefined : names.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw paramError("search", `name candidates: ${NAMES.join(", ")}`, unknown);
  const why = isOff ? 'search "off"' : closedBy(options);
  if (!Array.isArray(indicators) || !indicators.every((j) => Number.isInteger(j) && j >= 0)) {
    throw paramError("indicators", "be an array of columns, 0 for the first", indicators);
  }
  if (!["boolean", "undefined"].includes(typeof unitNorm)) throw paramError("unitNorm", "be true or false", unitNorm);
  if (why === null) {
    const places = [FORMS.indexOf(options.preparation), unitNorm === undefined ? -1 : Number(unitNorm)];
    return { ...typedOf(options.map ?? {}, places), names: isAuto ? [] : names, indicators,
      mayFail: isAuto && unitNorm === undefined };
  }
  const useless = indicators.length > 0 ? "indicators" : unitNorm === undefined ? "search" : "unitNorm";
  if (useless === "search" && isAuto) return null;
  throw fault(useless, `${why} leaves nothing to search for: leave out it, or ${useless}`);
}

/** Returns what is typed that leaves nothing to search for, or null. */
function closedBy({ map = {}, loss = "squared", private: isPrivate = false, preparation, ...options }) {
  const closed = CLOSED.find((key) => options[key] !== undefined);
  if (closed) return closed;
  if (preparation !== undefined && !FORMS.includes(preparation)) return "preparation";
  if (isPrivate) return "private";
  if (loss !== "squared") return `loss "${loss}"`;
  if (!isPlain(map) || map.format !== undefined) return "map";
  const key = Object.keys(map).find((name) => map[name] !== undefined && !TYPED.includes(name));
  if (key) return `map.${key}`;
  if (!isSeed(map.seed ?? 0)) return "map.seed";
  const { kernel, ...others } = map.methodParams ?? {};
  if (Object.keys(others).length > 0) return "map.methodParams";
  if (map.nComponents > MOST_COMPONENTS) return "map.nComponents";
  const { method = kernel ? "random-fourier" : undefined } = map;
  if (method !== undefined && !KINDS.some(([name, its]) => name === method && its === kernel)) return "map.method";
  return null;
}

/** Reports whether a search takes a seed: an integer from 0 to 2^64 − 1 or a text. */
function isSeed(seed) {
  return typeof seed === "string" || Number.isSafeInteger(seed) && seed >= 0 ||
    typeof seed === "bigint" && BigInt.asUintN(64, seed) === seed;
}

/** Returns the fields of a block for what is typed of the map, and then `places`; and the seed. */
function typedOf({ method, methodParams, degree = 0, gamma = 0, coef0 = 0, nComponents = 0, seed }, places) {
  const kernel = methodParams?.kernel;
  const kind = KINDS.findIndex(([name, its]) => its === kernel && (method === undefined ? kernel : name === method));
  const number = BigInt(typeof seed === "string" ? 0 : seed ?? 0);
  return { seed, fields: [kind, degree, gamma, coef0, nComponents, Number(BigInt.asUintN(32, number)),
    Number(number >> 32n), Number(seed !== undefined), ...places] };
}

/** Returns the block for ts_search_new: for so many classes, or targets of a row. */
export function encodeSearch({ fields, names, indicators, seed }, outputs, isRegression) {
  const block = new Block();
  block.numbers(outputs, Number(isRegression), ...fields, indicators.length, ...indicators.map((j) => j + 1));
  block.raw(new TextEncoder().encode(names.join(",") + (typeof seed === "string" ? `\n${seed}` : "")));
  return block.bytes();
}

/** Returns the report of a search that could not be, and why. */
export function notSearched(why) {
  return { rows: 0, folds: 0, components: 0, chosen: null, linearIsAsGood: false, seedsTried: 0, heldOut: null, all: [],
    notes: [`nothing was searched for, and the default map is taken: ${why}`] };
}

/** Returns what a search has chosen, as options of a learner, with the report of the candidates. */
export function decodeSearch(bytes, typedSeed) {
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 8));
  const [kind, nComponents, degree, gamma, coef0, seed, radius, step, keep, finerBytes, rows, folds, linear, seeds,
    heldRows, r2, accuracy, count, notes, preparationBytes, withoutLinear] = numbers;
  let at = 8 * (FIELDS + CANDIDATE_FIELDS * count);
  const preparation = decode(bytes.slice(at, (at += preparationBytes)));
  const finer = bytes.subarray(at, (at += finerBytes));
  const lines = new TextDecoder().decode(bytes.subarray(at)).split("\n");
  const known = (value) => (Number.isNaN(value) ? null : value);
  const all = Array.from({ length: count }, (_, i) => {
    const [error, stdError, right, behind, behindStdError, alpha, itsGamma, rounds] =
      numbers.subarray(FIELDS + CANDIDATE_FIELDS * i);
    const skipped = lines[1 + count + i];
    const isTried = alpha > 0;
    return { name: lines[1 + i], error: isTried ? error : null, stdError: isTried ? stdError : null,
      accuracy: known(right), behind, behindStdError, alpha, ...(itsGamma ? { gamma: itsGamma } : {}),
      ...(rounds ? { rounds } : {}), ...(skipped ? { skipped } : {}) };
  });
  const heldOut = heldRows > 0 ? { rows: heldRows, ...(Number.isNaN(r2) ? {} : { r2 }),
    ...(Number.isNaN(accuracy) ? {} : { accuracy }) } : null;
  const [method, kernel, projection] = KINDS[kind] ?? [];
  const map = kind < 0 ? null : { method, nComponents, gamma, seed: typedSeed ?? seed,
    ...(kernel ? { methodParams: projection ? { kernel, projection } : { kernel } } : { degree, coef0 }) };
  return {
    map, nComponents, preparation, radius, keep, ...(withoutLinear ? { linear: false } : {}),
    grid: { step, limit: LIMIT, ...(finerBytes ? { finer: btoa(String.fromCharCode(...finer)) } : {}) },
    candidates: { rows, folds, components: 512, chosen: lines[0], linearIsAsGood: linear === 1, seedsTried: seeds,
      heldOut, all, notes: lines.slice(1 + 2 * count, 1 + 2 * count + notes) },
  };
}

// The files of learners (sketch/model/spec.go): JSON, and a binary form of the same.

import { checkIsBoolean, fault, isTyped, paramError, readFile, rejectUnknownKeys } from "./errors.js";
import { readSortedClasses } from "./labels.js";
import { PREPARED_VERSION } from "./model.js";

const FORMAT = "tensorsketch-learner";
const VERSION = 1;
const GRID_VERSION = 3; // with a grid of 16 bits
const MAGIC = "TSLEARN2"; // TSLEARN1 without a checksum
const KEYS = ["format", "version", "model", "preprocessing", "preparation", "task", "classes", "classesGiven",
  "targets", "targetRange", "radius", "step", "grid", "folds", "keep", "private", "cut", "missing", "tally",
  "kept", "moments", "linear"];
const HEAD_BYTES = 16;
const CHECKED = 0x6522df69; // the CRC-32 of bytes with their CRC-32 behind them, in 8 bytes

/** Returns the JSON of a learner. `words` are the words of its views, as bytes. */
export function writeLearner(state, [moments, linear]) {
  return { ...headOf(state), moments: toBase64(moments), ...(linear ? { linear: toBase64(linear) } : {}) };
}

/** Returns the binary form of a learner. */
export function writeLearnerBytes(state, views) {
  const head = new TextEncoder().encode(JSON.stringify(headOf(state)));
  const length = (head.length + 7) & ~7;
  const bytes = new Uint8Array(HEAD_BYTES + length + views.reduce((sum, words) => sum + words.length, 8));
  bytes.fill(0x20, HEAD_BYTES, HEAD_BYTES + length);
  bytes.set(new TextEncoder().encode(MAGIC));
  new DataView(bytes.buffer).setBigUint64(8, BigInt(length), true);
  bytes.set(head, HEAD_BYTES);
  let at = HEAD_BYTES + length;
  for (const words of views) {
    bytes.set(words, at);
    at += words.length;
  }
  new DataView(bytes.buffer).setInt32(at, crc32(bytes.subarray(0, at)), true);
  return bytes;
}

/** Returns the CRC-32 of words of four bytes, as in gzip: four tables take a thirtieth of the time of bits. */
function crc32(bytes) {
  const tables = new Int32Array(1024), view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let n = 0; n < 1024; n++) {
    let x = n < 256 ? n : tables[n - 256];
    if (n > 255) x = (x >>> 8) ^ tables[x & 255];
    else for (let bit = 8; bit--;) x = (x >>> 1) ^ (x & 1 && 0xedb88320);
    tables[n] = x;
  }
  let sum = -1;
  for (let at = 0; at < bytes.length; at += 4) {
    sum ^= view.getInt32(at, true);
    sum = tables[768 + (sum & 255)] ^ tables[512 + (sum >> 8 & 255)] ^ tables[256 + (sum >> 16 & 255)] ^
      tables[sum >>> 24];
  }
  return ~sum;
}

function headOf(state) {
  const { model, preprocessing, preparation, task, classes, isFixed, targets, targetRange, radius, step, grid, folds,
    keep, cut, missing, tally, kept } = state;
  return {
    format: FORMAT, version: grid ? GRID_VERSION : preparation || keep > 0 ? PREPARED_VERSION : VERSION, model,
    preprocessing,
    ...(preparation ? { preparation: structuredClone(preparation) } : {}), task,
    ...(task === "classify" ? { classes: [...classes], classesGiven: isFixed }
      : { targets, targetRange: [...targetRange] }),
    radius, step, ...(grid ? { grid } : {}), folds, ...(keep > 0 ? { keep } : {}),
    ...(state.private ? { private: true } : {}),
    ...(preparation ? { cut } : {}),
    ...(missing === undefined ? {} : { missing }),
    ...(tally ? { tally: toBase64(tally) } : {}), ...(kept ? { kept: toBase64(kept) } : {}),
  };
}

/**
 * Reads a learner's file. Returns what writeLearner was given, and two functions: `words` gives the words of views of
 * these sizes, and `tally` the bytes of the tally, so many, or null for a file without one. The learner checks the
 * rest.
 */
export function readLearner(from) {
  const isBinary = from instanceof ArrayBuffer || isTyped(from, "Uint8Array");
  const { text, rest } = isBinary ? split(from instanceof ArrayBuffer ? new Uint8Array(from) : from) : { text: from };
  const want = "be what toJSON or toBytes gave";
  const file = readFile("from", text, { want, format: FORMAT, version: VERSION,
    prepared: PREPARED_VERSION, others: [GRID_VERSION] });
  rejectUnknownKeys(file, KEYS, "key of the learner");
  if (file.private !== undefined) checkIsBoolean("from.private", file.private);
  const { model, preprocessing, preparation, task, classes, classesGiven, targets, targetRange, radius, step, grid,
    folds, keep = 0, cut, missing } = file;
  if ((grid !== undefined) !== (file.version === GRID_VERSION)) {
    throw fault("from.grid", "from.grid is for version 3");
  }
  if (preparation === undefined ? cut !== undefined : !Number.isSafeInteger(cut) || cut < 0) {
    throw paramError("from.cut", "be an integer ≥ 0 beside a preparation alone", cut);
  }
  const state = { model, preprocessing, preparation, task, targets, targetRange, radius, step, grid, folds, keep,
    cut, private: file.private, missing };
  if (task === "classify") {
    checkIsBoolean("from.classesGiven", classesGiven);
    Object.assign(state, { classes: readSortedClasses("from.classes", classes), isFixed: classesGiven });
  }
  if (file.private && file.tally !== undefined) {
    throw fault("from.tally", "from.tally must be absent in private sums");
  }
  for (const [key, text] of Object.entries({ preprocessing, missing: missing ?? "" })) {
    if (typeof text !== "string") throw paramError(`from.${key}`, "be a text", text);
  }
  if (keep === 0 ? file.kept !== undefined || file.keep !== undefined : file.version < 2 || !(keep > 0 && keep <= 1)) {
    throw paramError("from.keep", "be above 0, at most 1, in version 2 or 3", keep);
  }
  const words = (sizes) => (isBinary ? wordsOf(rest, sizes) : sizes.map((size, i) => fromBase64(
    ["moments", "linear"][i], file[["moments", "linear"][i]], size)));
  const tally = (size) => (file.tally === undefined ? null : fromBase64("tally", file.tally, size));
  const kept = file.kept === undefined ? new Uint8Array(0) : fromBase64("kept", file.kept);
  return { state, words, tally, kept };
}

/** Returns the head of a binary form as text, and the rest. */
function split(bytes) {
  const textOf = (from, to) => new TextDecoder().decode(bytes.subarray(from, to));
  const magic = textOf(0, 8), end = bytes.length - (magic === MAGIC ? 8 : 0);
  const head = end < HEAD_BYTES ? NaN
    : HEAD_BYTES + Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(8, true));
  if (!(head <= end) || (magic === MAGIC ? bytes.length & 7 || crc32(bytes) !== CHECKED : magic !== "TSLEARN1")) {
    throw fault("from", "from is damaged or cut: pass what toBytes gave");
  }
  return { text: textOf(HEAD_BYTES, head), rest: bytes.subarray(head, end) };
}

function wordsOf(rest, sizes) {
  const length = sizes.reduce((a, b) => a + b);
  if (rest.length !== length) throw paramError("from", `hold ${length} bytes of moments`, rest.length);
  let at = 0;
  return sizes.map((size) => rest.slice(at, (at += size)));
}

function toBase64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x3000) { // a multiple of 3
    text += btoa(String.fromCharCode(...bytes.subarray(at, at + 0x3000)));
  }
  return text;
}

/** Returns the bytes of a key: exactly `size`, if that is given. */
function fromBase64(key, text, size) {
  if (!isBase64(text)) throw paramError(`from.${key}`, "be words of 8 bytes in base64", text);
  const bytes = bytesOfBase64(text);
  if (bytes.length !== (size ?? bytes.length)) throw paramError(`from.${key}`, `hold ${size} bytes`, bytes.length);
  return bytes;
}

/** Reports whether a value is bytes in base64. atob takes white space, and no padding, too. */
export const isBase64 = (text) =>
  typeof text === "string" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);

export const bytesOfBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

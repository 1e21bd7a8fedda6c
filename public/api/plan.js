// Plans which map and which D to use. It checks the question by name and type, reduces the sample to the rows that the
// core looks at, and scales the answers to the speed of this machine.

import { checkIsNumber, checkObject, checkWhole, moved, paramError, shapeError } from "./errors.js";
import { METHODS } from "./tables.js";
import { encodeParams, encodeQuestion, readChoice, resolveParams } from "./params.js";
import { checkRows, joinRows, rowSource } from "./rows.js";

const NUMBERS = ["nFeatures", "nnzPerRow", "degree", "gamma", "coef0", "cosine", "epsilon", "delta", "nComponents"];
const KEYS = [...NUMBERS, "sample", "methods"];
const SAMPLE_ROWS = 1024; // that the core looks at
const REFERENCE = { nFeatures: 128, nComponents: 1024, degree: 2 };
const REFERENCE_ROWS = 64;
const PATIENCE_MS = 20; // stop after this long without a quicker run: the engine has finished compiling
const MOST_MS = 200;
const LEAST_RUNS = 8; // the first runs include the time to compile

export function plan(engine, question) {
  const numbers = checkNumbers(checkObject("question", question, KEYS));
  const methods = checkMethods(question.methods);
  const sample = question.sample === undefined ? null : readSample(question.sample, question.nFeatures);
  if (sample && numbers.cosine === 0) { // which is the core's default
    throw paramError("cosine", "be left out with a sample, whose rows have angles of their own", 0);
  }
  const ask = (block, source) => engine.core.plan(block, source, METHODS.length);
  const found = answersOf(() => ask(encodeQuestion({ ...numbers, methods }), sample?.source), sample?.rows);
  engine.slowness ??= slowness(engine.core, ask);
  return found.map(({ method, nComponents, sigma, kind, microseconds, reached }) => ({
    method: METHODS[method], nComponents, predictedSigma: sigma, kind,
      microsecondsPerRow: microseconds * engine.slowness,
    ...(question.epsilon === undefined ? {} : { reached }),
  }));
}

function checkNumbers(question) {
  if (question.nFeatures === undefined) throw paramError("nFeatures", "be the number of input features", undefined);
  const numbers = {};
  for (const name of NUMBERS) {
    const value = question[name];
    if (value === undefined) continue;
    checkIsNumber(name, value);
    if (Number.isNaN(value)) throw paramError(name, "be a number", value); // NaN stands for "not given"
    numbers[name] = value;
  }
  return numbers;
}

function checkMethods(methods) {
  if (methods === undefined) return null;
  if (!Array.isArray(methods) || methods.length === 0) {
    throw paramError("methods", "be an array of one or more methods, or be left out", methods);
  }
  methods.forEach((method, i) => readChoice(`methods[${i}]`, method ?? null, METHODS));
  return methods;
}

/** Splits X into equal stretches and picks one row at random from each. Returns the rows and their indices in X. */
function readSample(X, nFeatures) {
  checkWhole("nFeatures", nFeatures, 1, 2 ** 31 - 1);
  const source = rowSource(X, nFeatures, "sample");
  if (source.rows < 2) {
    throw shapeError("sample", "hold at least 2 rows", source.rows);
  }
  checkRows(source);
  const count = Math.min(source.rows, SAMPLE_ROWS);
  const rows = Array.from({ length: count }, (_, i) => Math.floor(((i + jitter(i)) * source.rows) / count));
  return { rows, source: count === source.rows ? source
    : joinRows(rows.map((row) => source.copy(row)), nFeatures, "sample") };
}

/** Returns a fixed pseudo-random number in [0, 1) for i, so that a regular order of rows does not bias the choice. */
function jitter(i) {
  return (Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
}

/** Returns the result of `ask`. An error about a row names the caller's row. */
function answersOf(ask, rows) {
  try {
    return ask();
  } catch (error) {
    throw error.row === undefined ? error : moved(error, { row: rows[error.row], rowsDone: undefined });
  }
}

/** Returns the time of this machine and build relative to the machine of the core's times. */
function slowness(core, ask) {
  const settings = resolveParams(REFERENCE);
  const [{ microseconds: expected }] = ask(encodeQuestion({ ...REFERENCE, methods: [settings.method] }));
  const map = core.newMap(encodeParams(settings), settings.nComponents);
  const X = new Float32Array(REFERENCE_ROWS * REFERENCE.nFeatures).fill(1);
  const out = new Float32Array(REFERENCE_ROWS * REFERENCE.nComponents);
  const begun = performance.now();
  let least = Infinity;
  for (let now = begun, improved = begun, runs = 0; runs < LEAST_RUNS ||
    now < Math.min(improved + PATIENCE_MS, begun + MOST_MS); runs++) {
    core.transform(map, [rowSource(X, REFERENCE.nFeatures, "X")], out);
    const ms = performance.now() - now;
    now += ms;
    if (ms < 0.9 * least) improved = now;
    least = Math.min(least, ms);
  }
  core.freeMap(map);
  return (1000 * least) / REFERENCE_ROWS / expected || 1;
}

// Which map, which D: a question checked by name and type, a sample cut down to what is looked at, and answers with
// the times of this machine.

import { checkIsNumber, moved, paramError, rejectUnknownKeys, TensorSketchError } from "./errors.js";
import { METHODS } from "./tables.js";
import { encodeParams, encodeQuestion, resolveParams } from "./params.js";
import { checkRows, rowSource, someRows } from "./rows.js";

const NUMBERS = ["nFeatures", "nnzPerRow", "degree", "gamma", "coef0", "cosine", "epsilon", "delta", "nComponents"];
const KEYS = [...NUMBERS, "sample", "methods"];
const SAMPLE_ROWS = 1024; // that the core looks at
const REFERENCE = { nFeatures: 128, nComponents: 1024, degree: 2 };
const REFERENCE_ROWS = 64;
const PATIENCE_MS = 20; // without a quicker run, after which the engine has compiled what it will
const MOST_MS = 200;
const LEAST_RUNS = 8; // the first ones take the time to compile

export function plan(engine, question) {
  if (typeof question !== "object" || question === null) {
    throw paramError("question", "be an object with at least nFeatures", question);
  }
  rejectUnknownKeys(question, KEYS, "key of the question");
  const numbers = checkNumbers(question);
  const methods = checkMethods(question.methods);
  const sample = question.sample === undefined ? null : readSample(question.sample, question.nFeatures);
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
    if (Number.isNaN(value)) throw paramError(name, "be a number", value); // which would stand for "not given"
    numbers[name] = value;
  }
  return numbers;
}

function checkMethods(methods) {
  if (methods === undefined) return null;
  if (!Array.isArray(methods) || methods.length === 0) {
    throw paramError("methods", "be an array of one or more methods, or be left out", methods);
  }
  methods.forEach((method, i) => {
    if (!METHODS.includes(method)) {
      throw paramError(`methods[${i}]`, `be one of ${METHODS.map((m) => `"${m}"`).join(", ")}`, method);
    }
  });
  return methods;
}

/** The rows to look at, one at random of each of as many stretches, and which rows of the caller's they are. */
function readSample(X, nFeatures) {
  if (!Number.isInteger(nFeatures) || nFeatures < 1) {
    throw paramError("nFeatures", "be an integer from 1 to 2147483647", nFeatures);
  }
  const source = rowSource(X, nFeatures, "sample");
  if (source.rows < 2) {
    throw new TensorSketchError("ERR_SHAPE", `sample must hold at least 2 rows, got ${source.rows}`,
      { argument: "sample" });
  }
  checkRows(source);
  const count = Math.min(source.rows, SAMPLE_ROWS);
  const rows = Array.from({ length: count }, (_, i) => Math.floor(((i + jitter(i)) * source.rows) / count));
  return { rows, source: count === source.rows ? source : someRows(source, rows) };
}

/** A number from 0 up to 1, always the same for an i, so that rows in any regular order are not chosen by it. */
function jitter(i) {
  return (Math.imul(i + 1, 0x9e3779b1) >>> 0) / 2 ** 32;
}

/** What `ask` returns; an error about a row names the caller's. */
function answersOf(ask, rows) {
  try {
    return ask();
  } catch (error) {
    throw error.row === undefined ? error : moved(error, { row: rows[error.row], rowsDone: undefined });
  }
}

/** How many times as long this machine and build take as the one that the core's times are of. */
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

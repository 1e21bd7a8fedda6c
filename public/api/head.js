// The head of a model file (docs/SPEC.md): what predicts from features.

import { checkIsBoolean, checkObject, fault, paramError } from "./errors.js";
import { readSortedClasses } from "./labels.js";
import { Block } from "./params.js";
import { list } from "./preparation.js";
import { CONFORMAL_BINS, LOSSES, RULES, TASKS } from "./tables.js";

const KEYS = ["task", "loss", "classes", "alpha", "intercept", "weights", "calibration", "conformal",
  "report"];
const SOFTMAX = "softmax";
const CALIBRATED = { not: 0, softmax: 1, matrix: 2, clip: 3 };

/**
 * Reads the head of a model file for rows of nComponents features. The core checks the rest when the model is made.
 * isPrepared says that the file has a preparation; with isNew its version is 2.
 */
export function readHead(file, nComponents, isPrepared = false, isNew = isPrepared) {
  const { task, loss, classes, alpha, intercept, weights, calibration, conformal, report } =
    object("head", file, KEYS);
  choice("head.task", task, TASKS);
  choice("head.loss", loss, LOSSES);
  if (task === "classify") required("head.classes", classes);
  else absent("head.classes", classes, 'where the task is "regress"');
  const head = {
    task, loss,
    classes: classes === undefined ? null : readSortedClasses("head.classes", classes),
    alpha: number("head.alpha", alpha),
    intercept: numbers("head.intercept", intercept),
    weights: numbers("head.weights", weights),
    calibration: null, conformal: null,
  };
  if (classes && classes.length !== head.intercept.length) {
    throw paramError("head.intercept", `hold one number for each class, ${classes.length}`, intercept.length);
  }
  head.calibration = readCalibration(calibration, head.intercept.length, isNew);
  if (conformal !== undefined) head.conformal = readConformal(conformal, isNew ? head : null);
  const length = head.intercept.length * nComponents;
  if (head.weights.length !== length) {
    throw paramError("head.weights", `hold ${head.intercept.length} × ${nComponents} numbers`, weights.length);
  }
  return { ...head, report: readReport(report, classes?.length, isPrepared) };
}

/** Returns a head whose report says how many cells its preparation cut, or as it is where there is none. */
export function withCut(head, cut) {
  if (cut === null) return head;
  const { rows, counts, clipped, ...rest } = head.report;
  return { ...head, report: { rows, ...(counts ? { counts } : {}), clipped, cut, ...rest } };
}

/**
 * Returns a head whose report has what a search says: of rows that no choice has seen, its notes, and the candidates.
 */
export function withCandidates(head, candidates) {
  if (candidates === undefined) return head;
  const { heldOut: cross, linear, solver, warnings = [], ...rest } = head.report;
  const { heldOut: unseen, notes = [] } = checkObject("candidates", candidates);
  const heldOut = unseen ?? cross;
  const said = [...warnings, ...notes];
  return { ...head, report: { ...rest, ...(heldOut ? { heldOut } : {}), ...(linear ? { linear } : {}),
    ...(solver ? { solver } : {}), ...(said.length > 0 ? { warnings: said } : {}), candidates } };
}

/** The inverse of readHead, with its keys in their order. */
export function writeHead({ task, loss, classes, alpha, intercept, weights, calibration, conformal, report }) {
  const head = { task, loss };
  if (classes) head.classes = [...classes];
  Object.assign(head, { alpha, intercept: Array.from(intercept), weights: Array.from(weights) });
  if (calibration === SOFTMAX) head.calibration = SOFTMAX;
  else if (calibration?.clip) head.calibration = { ...calibration };
  else if (calibration) {
    head.calibration = { offset: Array.from(calibration.offset), matrix: Array.from(calibration.matrix) };
  }
  if (conformal) {
    const { unit, counts } = conformal;
    head.conformal = { ...(unit ? { unit: Array.from(unit) } : {}), counts: counts.map((list) => Array.from(list)) };
  }
  const { candidates: _, notes: __, unused: ___, ...kept } = report; // of a search and of rows: no file has them
  return { ...head, report: structuredClone(kept) };
}

/** Returns the block for ts_head_new. */
export function encodeHead({ task, loss, alpha, intercept, weights, calibration }, nComponents) {
  const block = new Block();
  const calibrated = !calibration ? CALIBRATED.not : calibration === SOFTMAX ? CALIBRATED.softmax
    : calibration.clip ? CALIBRATED.clip : CALIBRATED.matrix;
  block.numbers(nComponents, intercept.length, TASKS.indexOf(task), LOSSES.indexOf(loss), alpha, calibrated);
  block.raw(intercept);
  block.raw(weights);
  if (calibrated === CALIBRATED.clip) block.numbers(calibration.clip);
  if (calibrated === CALIBRATED.matrix) {
    block.raw(calibration.offset);
    block.raw(calibration.matrix);
  }
  return block.bytes();
}

/** Reads what intervals come from (sketch/learn/conformal.go). `head` is null where its version has none. */
function readConformal(conformal, head) {
  if (head === null) throw paramError("head.conformal", "be left out in version 1", conformal);
  const { unit, counts } = object("head.conformal", conformal, ["unit", "counts"]);
  const outputs = head.intercept.length;
  const isList = Array.isArray(counts) && counts.length === (head.classes ? 1 : outputs);
  if (!isList || !counts.every((list) => Array.isArray(list) && list.length === CONFORMAL_BINS)) {
    throw paramError("head.conformal.counts", `hold ${CONFORMAL_BINS} counts once, or for each target`, counts);
  }
  const read = {
    counts: counts.map((list, k) => Float64Array.from(list, (n) => count(`head.conformal.counts[${k}]`, n))),
  };
  if (head.classes) {
    absent("head.conformal.unit", unit, "for classes");
    return read;
  }
  const units = numbers("head.conformal.unit", unit);
  if (units.length === outputs && units.every((u) => u > 0)) return { unit: units, ...read };
  throw paramError("head.conformal.unit", "hold one number > 0 for each target", unit);
}

function readCalibration(calibration, outputs, isNew) {
  if (calibration === undefined) return null;
  if (typeof calibration === "string") return choice("head.calibration", calibration, [SOFTMAX]);
  if (isNew && calibration?.clip !== undefined) {
    const { clip } = object("head.calibration", calibration, ["clip"]);
    if (clip > 0 && clip <= 1) return { clip };
    throw paramError("head.calibration.clip", "be a number above 0 and at most 1", clip);
  }
  const { offset, matrix } = object("head.calibration", calibration, ["offset", "matrix"]);
  const read = {
    offset: numbers("head.calibration.offset", offset), matrix: numbers("head.calibration.matrix", matrix),
  };
  if (read.offset.length !== outputs) {
    throw paramError("head.calibration.offset", `hold one number for each class, ${outputs}`, offset.length);
  }
  if (read.matrix.length === outputs ** 2) return read;
  throw paramError("head.calibration.matrix", `hold ${outputs} × ${outputs} numbers`, matrix.length);
}

/** Checks a report and returns a frozen copy. `classes` is their number, or undefined. */
function readReport(report, classes, isPrepared) {
  const at = "head.report";
  const keys = ["rows", "counts", "clipped", ...(isPrepared ? ["cut"] : []), "rule", "df", "heldOut", "linear",
    "solver", "private", "warnings"];
  const { rows, counts, clipped, cut, rule, df, heldOut, linear, solver, private: guarantee, warnings } =
    object(at, report, keys);
  const copy = { rows: count(`${at}.rows`, rows) };
  if (counts !== undefined) {
    if (!Array.isArray(counts) || counts.length !== classes) {
      throw paramError(`${at}.counts`, `hold one number for each of ${classes ?? 0} classes`, counts);
    }
    copy.counts = Object.freeze(counts.map((n, k) => count(`${at}.counts[${k}]`, n)));
  }
  copy.clipped = count(`${at}.clipped`, clipped);
  if (isPrepared) copy.cut = count(`${at}.cut`, cut);
  copy.rule = choice(`${at}.rule`, rule, RULES);
  if (df !== undefined) copy.df = number(`${at}.df`, df);
  if (heldOut !== undefined) copy.heldOut = readHeldOut(`${at}.heldOut`, heldOut);
  if (linear !== undefined) copy.linear = readLinear(`${at}.linear`, linear);
  if (solver !== undefined) {
    const { iterations, gradient, converged } = object(`${at}.solver`, solver, ["iterations", "gradient", "converged"]);
    checkIsBoolean(`${at}.solver.converged`, converged);
    copy.solver = Object.freeze({
      iterations: count(`${at}.solver.iterations`, iterations), gradient: number(`${at}.solver.gradient`, gradient),
      converged,
    });
  }
  if (guarantee !== undefined) {
    const { epsilon, delta } = object(`${at}.private`, guarantee, ["epsilon", "delta"]);
    copy.private = Object.freeze({
      epsilon: number(`${at}.private.epsilon`, epsilon), delta: number(`${at}.private.delta`, delta),
    });
  }
  if (warnings !== undefined) {
    if (!Array.isArray(warnings) || !warnings.every((text) => typeof text === "string")) {
      throw paramError(`${at}.warnings`, "be an array of texts", warnings);
    }
    copy.warnings = Object.freeze([...warnings]);
  }
  return Object.freeze(copy);
}

function readLinear(at, linear) {
  const { missing, alpha, df, heldOut } = object(at, linear, ["missing", "alpha", "df", "heldOut"]);
  if (missing !== undefined) {
    for (const [key, value] of Object.entries({ alpha, df, heldOut })) absent(`${at}.${key}`, value, "beside missing");
    if (typeof missing !== "string") throw paramError(`${at}.missing`, "be a text", missing);
    return Object.freeze({ missing });
  }
  const copy = { alpha: number(`${at}.alpha`, alpha), df: number(`${at}.df`, df) };
  if (heldOut !== undefined) copy.heldOut = readHeldOut(`${at}.heldOut`, heldOut);
  return Object.freeze(copy);
}

function readHeldOut(at, heldOut) {
  const { rows, r2, accuracy } = object(at, heldOut, ["rows", "r2", "accuracy"]);
  const copy = { rows: count(`${at}.rows`, rows) };
  if (r2 !== undefined) copy.r2 = number(`${at}.r2`, r2);
  if (accuracy !== undefined) copy.accuracy = number(`${at}.accuracy`, accuracy);
  return Object.freeze(copy);
}

function object(argument, value, keys) {
  required(argument, value);
  return checkObject(argument, value, keys);
}

function required(argument, value) {
  if (value === undefined) {
    throw fault(argument, `the model lacks its key "${argument}"`);
  }
}

function absent(argument, value, where) {
  if (value !== undefined) {
    throw fault(argument, `${argument} must be left out ${where}`);
  }
}

function choice(argument, value, choices) {
  required(argument, value);
  if (choices.includes(value)) return value;
  throw paramError(argument, `be ${choices.map((c) => `"${c}"`).join(" or ")}`, value);
}

function number(argument, value) {
  required(argument, value);
  if (Number.isFinite(value)) return value + 0; // −0 is written as 0
  throw paramError(argument, "be a finite number", value);
}

function count(argument, value) {
  required(argument, value);
  if (Number.isSafeInteger(value) && value >= 0) return value + 0;
  throw paramError(argument, "be an integer ≥ 0", value);
}

function numbers(argument, value) {
  required(argument, value);
  return Float64Array.from(list(argument, value));
}

// Reads the options of learners and fits, and the labels and weights of rows: checks them, and fills in the defaults.

import { checkSame } from "./compare.js";
import {
  checkIsBoolean, checkObject, fault, hasLength, isObject, paramError, rowError, shapeError, show,
} from "./errors.js";
import { FeatureMap } from "./featuremap.js";
import { classesOf, indicesOf, readClasses, readLabels, readTargets } from "./labels.js";
import { isBase64 } from "./learnerfile.js";
import { readPreparation } from "./preparation.js";
import { valuesOf } from "./rows.js";
import { LIMIT, TASKS } from "./tables.js";

export const SPEC_KEYS = ["map", "nFeatures", "task", "classes", "targets", "radius", "grid", "targetRange",
  "preprocessing", "preparation", "folds", "keep", "linear", "private", "candidates"];
export const FIT_KEYS = ["alpha", "alphaRange", "alphaCount", "intercept"];

/** Returns the options that make a learner like the one of a file. Beside `from`, a map can be given, as with a key. */
export function optionsOf(state, given) {
  const { model, preprocessing, preparation, task, classes, isFixed, targets, targetRange, radius, folds,
    keep } = state;
  for (const key of Object.keys(given)) {
    if (key === "from" || key === "map" || given[key] === undefined) continue;
    throw fault(key, `${key} must be left out where from is given: the file says it`);
  }
  if (given.map instanceof FeatureMap) {
    const { keySalt, preprocessing: _, ...mine } = given.map.toJSON();
    checkSame(mine, model);
  } else if (given.map !== undefined) throw paramError("map", "be a feature map where from is given", given.map);
  return { map: given.map ?? model, preprocessing, preparation, task, classes: isFixed ? classes : undefined, targets,
    targetRange, radius, folds, keep, private: state.private };
}

/** Returns the task that is given, or the one that the other options and the kind of y leave. */
export function taskOf(options, y) {
  const { classes, targets, targetRange, task = guessedTask(options, y) } = options;
  if (!TASKS.includes(task)) throw paramError("task", 'be "classify" or "regress"', task);
  checkAbsent(`task "${task}"`, task === "regress" ? { classes } : { targetRange, targets });
  return task;
}

/** Throws for an option that does not go with another one. */
export function checkAbsent(other, options) {
  const argument = Object.keys(options).find((key) => options[key] !== undefined);
  if (argument) throw fault(argument, `${argument} must be left out for ${other}`);
}

function guessedTask({ classes, targets, targetRange }, y) {
  if (targets !== undefined || targetRange !== undefined) return "regress";
  if (classes !== undefined || ["string", "boolean"].includes(typeof y?.[0])) return "classify";
  throw fault("task", 'task is missing: give "classify" where numbers are labels, and "regress" ' + "where they are " +
    "to be predicted");
}

export const readTargetCount = (targets) => readCount("targets", targets, 1);

/** Returns an integer ≥ 1, or what stands for one that is not given. */
export function readCount(argument, value, absent) {
  if (value === undefined) return absent;
  if (Number.isInteger(value) && value >= 1) return value;
  throw paramError(argument, "be an integer ≥ 1", value);
}

export function readTaskClasses(classes) {
  if (classes === undefined) return [];
  const list = classesOf(readClasses("classes", classes));
  if (list.length < 2) throw paramError("classes", "be at least two labels", classes);
  return list;
}

export function readRadius(radius) {
  if (radius === undefined) {
    throw fault("radius", "radius is missing: give the largest length that rows have, or take it from rows with " +
      "prepare");
  }
  if (Number.isFinite(radius) && radius > 0) return radius;
  throw paramError("radius", "be a finite number > 0", radius);
}

export function readRange(range) {
  if (range === undefined) {
    throw fault("targetRange", "targetRange is missing: give [lowest, highest] of all targets, or take it from rows " +
      "with prepare");
  }
  const [low, high] = pairOf(range);
  if (Number.isFinite(low) && Number.isFinite(high)) return [low, high];
  throw paramError("targetRange", "be two finite numbers, the lower first", range);
}

/** Returns the two values of a range, or none. */
function pairOf(range) {
  const pair = isObject(range) && range[Symbol.iterator] ? [...range] : [];
  return pair.length === 2 ? pair : [];
}

/** Reads the option `private`. Throws if the learner would then take something from its rows. */
export function readPrivate({ private: isPrivate = false, radius, classes, targetRange }, task) {
  checkIsBoolean("private", isPrivate);
  const check = (argument, value, what) => {
    if (value !== undefined) return;
    throw fault(argument, `${argument} must be stated for private moments: ${what} must be known ` + "or public, " +
      "since taken from the rows it would show something of them");
  };
  if (isPrivate) {
    check("radius", radius, "the largest length of a row");
    if (task === "classify") check("classes", classes, "the labels");
    else check("targetRange", targetRange, "the range of the targets");
  }
  return isPrivate;
}

/** Returns the preparation of options, or null. */
export function preparationOf({ preparation, private: isPrivate }) {
  if (preparation === undefined) return null;
  if (isPrivate) {
    throw fault("preparation", "preparation must be left out for private moments: its means, ends and weights would " +
      "show something of the rows they were taken from. State ranges of the columns instead, and scale rows by them");
  }
  if (typeof preparation === "string") {
    throw paramError("preparation", "be an object here: take the one that prepare makes of rows", preparation);
  }
  return readPreparation("preparation", preparation);
}

/** Returns the grids that options or a file state: [the grid of the features, the grid of the rows themselves]. */
export function readGrids(grid) {
  if (grid === undefined) return [undefined, undefined];
  checkObject("grid", grid, ["step", "limit", "finer", "linear"]);
  const { linear, ...features } = grid;
  if (features.limit !== LIMIT) throw paramError("grid.limit", `be ${LIMIT}`, features.limit);
  const read = (name, { step, finer = "" }) => {
    if (typeof step !== "number") throw paramError(`${name}.step`, "be a number", step);
    if (!isBase64(finer)) throw paramError(`${name}.finer`, "be bytes in base64", finer);
    return { step, limit: LIMIT, finer };
  };
  if (linear === undefined) return [read("grid", features), undefined];
  checkObject("grid.linear", linear, ["step", "finer"]);
  return [read("grid", features), read("grid.linear", linear)];
}

/** Returns the grids of a file. */
export function gridsOfFile({ step, grid }) {
  return grid ? readGrids({ step, ...grid }) : [{ step, limit: 0 }, undefined];
}

/** As #readLabels of a Learner. */
export function readRowLabels(given, n, weights, { task, targets, classes: known, isFixed }) {
  const y = valuesOf(given);
  const used = readWeights(weights, n);
  if (task === "regress") {
    return { classes: null, labels: { values: readTargets(y, n, targets), each: targets, weights: used } };
  }
  readLabels(y, n);
  const classes = withNew(known, isFixed, y, used);
  return { classes, labels: { values: indicesOf(y, classes), each: 1, weights: used } };
}

/** Returns the known classes and the classes of the rows that count. Throws for a new one if the classes are fixed. */
function withNew(known, isFixed, y, used) {
  const labels = new Set(used ? Array.from(y).filter((_, row) => used[row]) : y);
  const all = classesOf([...known, ...labels]);
  if (all.length === known.length) return known;
  if (!isFixed) return all;
  const given = new Set(known);
  const row = Array.prototype.findIndex.call(y, (label, i) => !given.has(label) && (!used || used[i]));
  throw rowError("ERR_PARAM", "y", row, undefined, "be one of the classes that were given: add it to classes",
    show(y[row]));
}

function readWeights(weights, n) {
  if (weights === undefined) return null;
  if (!hasLength(weights)) {
    throw paramError("weights", "be an array of 0 and 1, one per row", weights);
  }
  if (weights.length !== n) throw shapeError("weights", `hold one number per row, ${n}`, `length ${weights.length}`);
  for (let row = 0; row < n; row++) {
    if (weights[row] !== 0 && weights[row] !== 1) {
      throw rowError("ERR_PARAM", "weights", row, undefined, "be 0 or 1", show(weights[row]));
    }
  }
  return Uint8Array.from(weights);
}

/** Returns the options of a fit as the core takes them. */
export function readFitOptions({ alpha = "auto", alphaRange, alphaCount, intercept = true }) {
  if (alpha !== "auto" && !(Number.isFinite(alpha) && alpha > 0)) {
    throw paramError("alpha", 'be a finite number > 0, or "auto" to choose it', alpha);
  }
  if (alpha !== "auto") checkAbsent(`alpha ${alpha}`, { alphaRange, alphaCount });
  checkIsBoolean("intercept", intercept);
  const [low, high] = alphaRange === undefined ? [0, 0] : readAlphaRange(alphaRange);
  return { alpha: alpha === "auto" ? 0 : alpha, low, high, count: readCount("alphaCount", alphaCount, 0), intercept };
}

function readAlphaRange(range) {
  const [low, high] = pairOf(range);
  if (low > 0 && high >= low && Number.isFinite(high)) return [low, high];
  throw paramError("alphaRange", "be two numbers > 0, the lower first", range);
}

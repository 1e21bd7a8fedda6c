// Learner: exact sums of products of features, from which models are fitted. This file keeps the sums as bytes, and the
// labels; the core adds rows and fits. The sums have a view of the features and, for the linear model beside, one of
// the rows themselves. Their words are int64, in the order that sketch/model/spec.go says.

import { drop } from "./buffers.js";
import { checkSame, hasSide } from "./compare.js";
import { wholeLanes } from "./denserows.js";
import {
  checkCallback, checkOptions, checkSignal, disposedError, fault, moved, paramError, rejectUnknownKeys, rowError,
  shapeError, show,
} from "./errors.js";
import { FeatureMap, partsOf } from "./featuremap.js";
import { encodePasses, FitTask, headOf, headOfPasses, RowsTask, runTask, SearchTask } from "./fit.js";
import { withCandidates, withCut } from "./head.js";
import { readLearner, writeLearner, writeLearnerBytes } from "./learnerfile.js";
import { classesOf, indicesOf, readClasses, readLabels, readTargets } from "./labels.js";
import { learnedParts } from "./learnedparts.js";
import { fromModel } from "./model.js";
import { Block, resolveParams } from "./params.js";
import { Model } from "./predict.js";
import { checkOutputs, linearOf, prepareFor, readPreparation } from "./preparation.js";
import { readPreprocessing } from "./preprocessing.js";
import { arrowWidth, featureRows, rowSource, someRows, valuesOf, withLargeValue } from "./rows.js";
import { decodeSearch, encodeSearch, notSearched, readSearch } from "./search.js";
import {
  FITTED, KEPT_ROWS, LEARNING, LIMIT, MOST_COMPONENTS, SEARCHED, TAKES, TALLY_WORDS, TASKS,
} from "./tables.js";

const PARTS = { 0: 1, 1: 2, 5: 5 }; // of sums, by folds
const SOON = { rows: 1000, nComponents: 256, dense: ["gaussian", "linear"], sparse: ["linear-unit", "polynomial-2"] };
const GRID = { rows: 4096, group: 16 }; // of whose features prepare takes the grid
export const SPEC_KEYS = ["map", "nFeatures", "task", "classes", "targets", "radius", "grid", "targetRange",
  "preprocessing", "preparation", "folds", "keep", "linear", "private", "candidates"];
const RELEASE_KEYS = ["epsilon", "delta", "ledger", "rows"];
export const FIT_KEYS = ["alpha", "alphaRange", "alphaCount", "intercept", "signal", "onProgress"];
const ADD_KEYS = ["weights", "signal", "onProgress"];
const NONE = new Uint8Array(0);
const ROWS_PER_COMPONENT = 20; // from here on sums make passes fewer, as in sketch/learn/rowsfit.go
const PRODUCTS_PER_MS = 8e6; // until it is measured
const FIRST_WORDS = 2; // of a part: its rows, and what was clipped
const HEAD_WORDS = FIRST_WORDS + TALLY_WORDS; // files have the tally, of sketch/learn/tally.go, beside
const UNFIXED = "found in the rows";

/**
 * Returns what the parts of a fit must share, from rows with their labels or targets: options for a learner. With a
 * search it is a promise.
 */
export function prepare(engine, X, labels, asked = {}) {
  const { search = "off", indicators, unitNorm, signal, onProgress, ...options } = checkOptions(asked,
    [...SPEC_KEYS, "search", "indicators", "unitNorm", "signal", "onProgress"]);
  const wanted = readSearch({ ...options, search, indicators, unitNorm });
  if (wanted) return searched(engine, X, labels, options, wanted, { signal, onProgress });
  if (search !== "off") return Promise.resolve(prepare(engine, X, labels, options));
  const y = checkGiven(valuesOf(labels));
  checkNumbers(X);
  const { map, nFeatures, task: _, classes, targets: _targets, radius, grid, targetRange, folds: given, keep,
    ...others } = options;
  const isForm = typeof options.preparation === "string" && !options.private;
  let prepared = isForm ? null : preparationOf(options);
  const task = taskOf(options, y);
  const isPrivate = readPrivate(options, task);
  const targets = task === "regress" ? readTargetCount(options.targets) : 1;
  const width = prepared?.nFeatures ?? nFeatures ?? (isForm ? undefined : map?.nFeatures) ?? widthOf(X, y, targets);
  const source = rowSource(X, width, "X");
  if (source.rows === 0) throw shapeError("X", "have rows", "none");
  if (isForm) prepared = preparedFor(engine, source, options.preparation);
  const spec = { task,
    map: map instanceof FeatureMap ? map : mapParams(map, prepared?.nOutputs ?? width, source.rows) };
  if (task === "classify") {
    readLabels(y, source.rows);
    spec.classes = classes ?? classesOf(y);
    if (classes === undefined && spec.classes.length < 2) {
      throw paramError("y", "have labels of at least two classes: there is nothing to tell apart", spec.classes[0]);
    }
  } else {
    const numbers = readTargets(y, source.rows, targets);
    Object.assign(spec, { targets, targetRange: targetRange ?? engine.core.targetRange(numbers) });
  }
  spec.map = fittedTo(engine, spec.map, X, prepared);
  spec.radius = radius ?? engine.core.radius(prepared ? withPrepared(engine, prepared, (map) =>
    largestSquare(source, () => engine.core.countPrepared(partsOf(map).living, source).largestSquare))
    : largestSquare(source, () => engine.core.largestSquare(source)));
  if (radius === undefined && grid === undefined && !isPrivate) {
    spec.grid = gridsOf(engine, spec.map, width, prepared, source, options.linear ?? true);
  } else if (grid !== undefined) spec.grid = grid;
  if (prepared) others.preparation = prepared.file;
  const folds = given ?? (isPrivate ? 0 : LEARNING.folds[task]);
  const kept = keep ?? (folds === 5 ? Math.min(1, KEPT_ROWS / source.rows) : 0);
  return { ...spec, folds, ...(kept > 0 ? { keep: kept } : {}), ...others };
}

/** Returns the promise of what prepare returns, with a search (search.js) and its `candidates`. */
export async function searched(engine, X, labels, options, wanted, running) {
  checkSignal(running.signal);
  checkCallback(running.onProgress);
  const y = checkGiven(valuesOf(labels));
  checkNumbers(X);
  const { map: _, nFeatures, task: _task, classes: given, targets: _targets, targetRange, folds = 5,
    preparation: _form, ...others } = options;
  const task = taskOf(options, y);
  const targets = task === "regress" ? readTargetCount(options.targets) : 1;
  const source = rowSource(X, nFeatures ?? options.map?.nFeatures ?? widthOf(X, y, targets), "X");
  if (source.rows === 0) throw shapeError("X", "have rows", "none");
  const beyond = wanted.indicators.find((j) => j >= source.nFeatures);
  if (beyond !== undefined) throw paramError("indicators", `be columns below ${source.nFeatures}`, beyond);
  const spec = { task };
  const { seed, mayFail } = wanted;
  let values;
  if (task === "classify") {
    readLabels(y, source.rows);
    const present = classesOf(y);
    if (present.length < 2) {
      throw paramError("y", "have labels of at least two classes: there is nothing to tell apart", present[0]);
    }
    spec.classes = given ?? present;
    values = indicesOf(y, present);
    wanted = encodeSearch(wanted, present.length, false);
  } else {
    values = readTargets(y, source.rows, targets);
    Object.assign(spec, { targets, targetRange: targetRange ?? engine.core.targetRange(values) });
    wanted = encodeSearch(wanted, targets, true);
  }
  running.signal?.throwIfAborted();
  let bytes;
  try {
    bytes = await runTask(engine, {}, new SearchTask(wanted, ...sampled(source, values)), running);
  } catch (error) {
    if (!mayFail || !["search", "maxMemory"].includes(error.argument)) throw error;
    const without = prepare(engine, X, labels, options);
    return error.argument === "search" ? without : { ...without, candidates: notSearched(error.message) };
  }
  const found = decodeSearch(bytes, seed);
  const { map, nComponents, candidates, keep, ...chosen } = found;
  const kept = Math.min(keep, KEPT_ROWS / source.rows);
  return { ...spec, map: map ?? identityParams(nComponents), ...chosen, folds, ...(folds === 5 ? { keep: kept } : {}),
    ...others, candidates };
}

/** Returns the rows for a search and their labels: all, or of many dense ones some that are evenly spread. */
function sampled(source, values) {
  const n = Math.min(SEARCHED.rows, Math.floor(SEARCHED.numbers / source.nFeatures));
  if (source.sparse || source.rows <= n) return [source, values];
  const [rows, some] = spread(source, values, n);
  return [rowSource(rows, source.nFeatures, "X"), some];
}

/** Returns at most n of the indices 0 to rows − 1, evenly spread. */
function evenly(rows, n) {
  const length = Math.min(n, rows);
  return Array.from({ length }, (_, i) => Math.floor(i * rows / length));
}

/** Returns at most n rows, evenly spread, as rows of a call, with what an array holds of each. */
function spread(source, values, n) {
  const places = evenly(source.rows, n), each = values.length / source.rows;
  return [someRows(source, places), values.constructor.from(places.flatMap((row) =>
    Array.from(values.slice(row * each, (row + 1) * each))))];
}

/**
 * Returns the rows, the labels and the options of a fit that gives an answer soon: of a part of the rows, with few
 * features and, where nothing is typed that says which, few candidates.
 */
export function soon(X, y, options) {
  const { map = {}, search = "auto", preparation, unitNorm } = options;
  const values = Array.from(checkGiven(valuesOf(y)));
  const targets = taskOf(options, values) === "regress" ? readTargetCount(options.targets) : 1;
  const nFeatures = options.nFeatures ?? map.nFeatures ?? widthOf(X, values, targets);
  const source = rowSource(X, nFeatures, "X");
  const isOpen = preparation === undefined && unitNorm === undefined;
  return [...spread(source, values, SOON.rows), { ...options, nFeatures,
    ...(nFeatures > SOON.nComponents ? { linear: false } : {}), // it would take longer than the model
    ...soonOf(map, search, isOpen, source.sparse) }];
}

/** Returns the map and the search of a fit that gives an answer soon. */
function soonOf(map, search, isOpen, sparse) {
  const { nComponents, nFeatures, seed, ...typed } = map;
  const isFree = isOpen && search === "auto" && Object.keys(typed).length === 0;
  return { map: { ...map, nComponents: Math.min(nComponents ?? SOON.nComponents, SOON.nComponents) },
    search: isFree ? SOON[sparse ? "sparse" : "dense"] : search };
}

/** Returns the rows as objects and the options of such a fit. */
export function soonOfRecords(rows, { map = {}, search = "auto", columns, ...options }) {
  const isOpen = columns?.unitNorm === undefined;
  return [evenly(rows.length, SOON.rows).map((i) => rows[i]),
    { ...options, columns, ...soonOf(map, search, isOpen, false) }];
}

/** Returns the grids of the features and of the rows themselves, as learners take them. */
function gridsOf(engine, map, width, prepared, source, linear) {
  const { parts: { settings, held } } = readMap(map, width, undefined, prepared);
  const made = checkSingle(new engine.Map(engine, settings, held));
  const beside = prepared && linearOf(prepared);
  const d = beside?.nOutputs ?? width;
  const identity = linear && d <= MOST_COMPONENTS ? identityMap(engine, d, beside) : null;
  const of = (map, ranges) => {
    const { step, finer } = engine.core.grid(partsOf(map).living, source, ranges);
    return { step, ...(finer.length > 0 ? { finer: btoa(String.fromCharCode(...finer)) } : {}) };
  };
  try {
    if (made.nComponents > MOST_COMPONENTS) return undefined;
    const { step, ...finer } = of(made, gridRanges(source.rows));
    return { step, limit: LIMIT, ...finer, ...(identity ? { linear: of(identity, [[0, source.rows]]) } : {}) };
  } catch (error) {
    throw withLargeValue(error, [source]);
  } finally {
    made.dispose();
    identity?.dispose();
  }
}

/** Returns the rows [from, to] whose features are looked at, of n: all, or groups that are evenly spread. */
function gridRanges(n) {
  if (n <= GRID.rows) return [[0, n]];
  const count = GRID.rows / GRID.group;
  return Array.from({ length: count }, (_, i) => Math.floor(i * n / count)).map((from) => [from, from + GRID.group]);
}

/** Returns the grids that options or a file state: [the grid of the features, the grid of the rows themselves]. */
function readGrids(grid) {
  if (grid === undefined) return [undefined, undefined];
  if (typeof grid !== "object" || grid === null) throw paramError("grid", "be what prepare returns", grid);
  rejectUnknownKeys(grid, ["step", "limit", "finer", "linear"], "key of grid");
  const { linear, ...features } = grid;
  if (features.limit !== LIMIT) throw paramError("grid.limit", `be ${LIMIT}`, features.limit);
  const read = (name, { step, finer = "" }) => {
    if (typeof step !== "number") throw paramError(`${name}.step`, "be a number", step);
    if (typeof finer !== "string" || !/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(finer)) {
      throw paramError(`${name}.finer`, "be bytes in base64", finer);
    }
    return { step, limit: LIMIT, finer };
  };
  if (linear === undefined) return [read("grid", features), undefined];
  if (typeof linear !== "object" || linear === null) throw paramError("grid.linear", "be an object", linear);
  rejectUnknownKeys(linear, ["step", "finer"], "key of grid.linear");
  return [read("grid", features), read("grid.linear", linear)];
}

/** Returns y. Throws if it is no list of labels or numbers, or one of them is missing. */
function checkGiven(y) {
  if (y === undefined) {
    throw fault("y", "y is missing: give the label or number of each row, as an array");
  }
  if (typeof y !== "object" || y === null || !Number.isInteger(y.length)) {
    throw paramError("y", "be an array with the label or number of each row", y);
  }
  const row = Array.prototype.findIndex.call(y, (label) => label === undefined || label === null);
  if (row < 0) return y;
  throw rowError("ERR_PARAM", "y", row, undefined,
    "be the label or number of its row: leave out rows without one, in X as well", show(y[row]));
}

/** Throws if the rows of X are objects with names, which have no order. */
function checkNumbers(X) {
  const row = Array.isArray(X) ? X[0] : undefined;
  if (typeof row !== "object" || row === null || Object.getPrototypeOf(row) !== Object.prototype) return;
  const names = Object.keys(row).slice(0, 3).join(", ");
  throw fault("X", "X must have arrays of numbers as rows, got objects: take the numbers in " + `one order, X.map(({ ` +
    `${names} }) => [${names}]), or read a file of them with tensorsketch/dataset`);
}

/** Returns a map, or the model file of a map whose method is fitted to rows first. */
function fittedTo(engine, map, X, prepared) {
  if (map instanceof FeatureMap || map.format !== undefined || !FITTED.includes(map.method)) return map;
  const made = checkSingle(new engine.Map(engine, resolveParams(map)));
  try {
    made.fit(prepared ? withPrepared(engine, prepared, (identity) => identity.transform(X)) : X);
    return made.toJSON();
  } finally {
    made.dispose();
  }
}

/** Returns the preparation of a form for the rows of a source. */
function preparedFor({ core }, source, form) {
  try {
    return prepareFor(core, source, form);
  } catch (error) {
    throw withLargeValue(error, [source]);
  }
}

/** Returns the preparation of options, or null. */
function preparationOf({ preparation, private: isPrivate }) {
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

/** Calls `use` with the map whose features are prepared rows. */
function withPrepared(engine, prepared, use) {
  const map = identityMap(engine, prepared.nOutputs, prepared);
  try {
    return use(map);
  } finally {
    map.dispose();
  }
}

function largestSquare(source, largest) {
  try {
    return largest();
  } catch (error) {
    throw withLargeValue(error, [source]);
  }
}

/** Returns the task that is given, or the one that the other options and the kind of y leave. */
export function taskOf({ task, classes, targets, targetRange }, y) {
  if (task !== undefined) {
    if (!TASKS.includes(task)) throw paramError("task", 'be "classify" or "regress"', task);
    return task;
  }
  if (targets !== undefined || targetRange !== undefined) return "regress";
  if (classes !== undefined || ["string", "boolean"].includes(typeof y?.[0])) return "classify";
  throw fault("task", 'task is missing: give "classify" where numbers are labels, and "regress" ' + "where they are " +
    "to be predicted");
}

function readTargetCount(targets = 1) {
  if (Number.isInteger(targets) && targets >= 1) return targets;
  throw paramError("targets", "be an integer ≥ 1", targets);
}

/** Returns the width of the rows of X, by their form or by the number of labels. */
function widthOf(X, y, targets) {
  const ofArrow = arrowWidth(X);
  if (ofArrow !== null) return ofArrow;
  const shape = X?.dims ?? X?.shape;
  if (shape?.length > 0) return shape[shape.length - 1];
  if (Array.isArray(X) && typeof X[0] === "object") return X[0]?.length ?? widthOf(X[0], [0], 1);
  const rows = typeof y?.[0] === "object" ? y.length : y?.length / targets;
  const width = X?.length / rows;
  if (Number.isInteger(width) && width > 0) return width;
  throw fault("nFeatures", "nFeatures is missing: give the number of input features, an integer from 1 to 2147483647");
}

/**
 * Returns the parameters of a map, with the defaults for learning filled in, as far as its method takes them. A method
 * that is fitted to rows has no more components than there are.
 */
export function mapParams(map = {}, nFeatures, rows = Infinity) {
  if (typeof map !== "object" || map === null) throw paramError("map", "be a feature map or its parameters", map);
  if (map.format !== undefined) return map; // a model file
  const { method = "tensor-sketch" } = map;
  const { components, degree, coef0, fewComponents, manyFeatures, fewDegree } = LEARNING;
  const params = { nComponents: Math.min(components, FITTED.includes(method) ? rows : Infinity), ...map };
  const { kernel = "polynomial", coefficients } = map.methodParams ?? {};
  const takes = kernel === "polynomial" && !coefficients ? TAKES[method] : [];
  if (takes?.includes("coef0")) params.coef0 ??= coef0;
  if (params.nFeatures === undefined && nFeatures !== undefined) params.nFeatures = nFeatures;
  const isFew = params.nComponents <= fewComponents && params.nFeatures >= manyFeatures;
  if (takes?.includes("degree")) params.degree ??= isFew ? fewDegree : degree;
  return params;
}

/**
 * Reads a map that is given as a map, as its parameters, or as a model file, and the preprocessing of its rows. Returns
 * its `parts`, which are settings and what it holds beside, and the text of the preprocessing.
 */
export function readMap(map, nFeatures, preprocessing, prepared = null) {
  const parts = readParts(map, prepared?.nOutputs ?? nFeatures);
  if (!prepared) return withPreprocessing(parts, preprocessing);
  checkOutputs(prepared, parts.settings.nFeatures);
  return withPreprocessing({ ...parts, held: { ...parts.held, preparation: prepared } }, preprocessing);
}

function withPreprocessing(parts, preprocessing) {
  const { held, settings } = parts;
  const own = held.preprocessing ? JSON.stringify(held.preprocessing) : "";
  const text = typeof preprocessing === "object" && preprocessing !== null ? JSON.stringify(preprocessing)
    : preprocessing ?? own;
  if (typeof text !== "string") throw paramError("preprocessing", "be a text or an object", preprocessing);
  if (text === own || !isPreprocessing(text)) return { parts, text };
  return { parts: { settings, held: { ...held, preprocessing: readPreprocessing(text,
    held.preparation?.nFeatures ?? settings.nFeatures) } }, text };
}

function readParts(map, nFeatures) {
  if (map instanceof FeatureMap) return partsOf(map);
  const params = mapParams(map, nFeatures);
  if (params.format !== undefined) return fromModel(params, undefined, learnedParts);
  if (FITTED.includes(params.method)) {
    throw paramError("map.method", "be fitted to rows first: take what ts.prepare(X, y, { map }) returns, or a map " +
      "that was fitted by its fit(X)", params.method);
  }
  return { settings: resolveParams(params), held: {} };
}

/** Returns the grids of a file. */
function gridsOfFile({ step, grid }) {
  return grid ? readGrids({ step, ...grid }) : [{ step, limit: 0 }, undefined];
}

/** Returns the options that make a learner like the one of a file. Beside `from`, a map can be given, as with a key. */
function optionsOf(state, given) {
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

/** The error of a module of tensorsketch/learn, which does not have `what`. */
function notHere(what, argument) {
  return fault(argument, `${what} is not in tensorsketch/learn: import load from "tensorsketch"`);
}

/** For rowsfit.js: (learner, options) ↦ the promise of a head, and fitPasses as #fitPasses. */
export let fitSums, fitPasses;

export class Learner {
  static {
    fitSums = (learner, options) => learner.#fit(options);
    fitPasses = (learner, ...args) => learner.#fitPasses(...args);
  }

  /** As of FeatureMap. */
  cannotBeCloned = Symbol("send or store JSON.stringify(learner), for ts.learner({ from })");
  #engine;
  #map; // of the features; null after dispose
  #identity = null; // of the rows themselves
  #parts; // settings and the rest of the map, for models
  #spec; // what parts must share
  #preprocessing;
  #isFixed; // whether the classes were given
  #classes; // labels in their order, or null
  #views; // [{ nComponents, step, map }]
  #missing; // why there is no view of the rows
  #words = null; // of the views, one after another; null without rows
  #kept = NONE; // rows of the first view (sketch/learn/kept.go); none without rows, and where they are not known
  #cost;
  #prepared; // what makes the rows of the map (preparation.js), or null
  #plain = null; // the map without it, once it is asked for
  #cut = 0; // cells
  #candidates; // of the search that chose the map, if there was one

  constructor(engine, given = {}) {
    checkOptions(given, [...SPEC_KEYS, "from"]);
    const file = given.from === undefined ? null : readLearner(given.from);
    const options = file ? optionsOf(file.state, given) : given;
    const { map, nFeatures, preprocessing, folds, keep = 0, linear = true } = options;
    this.#engine = engine;
    this.#candidates = options.candidates;
    hasSide(this, () => this.#side());
    const task = taskOf(options);
    const isPrivate = readPrivate(options, task);
    if (isPrivate && !engine.releases) throw notHere("a learner with private", "private");
    this.#isFixed = options.classes !== undefined;
    this.#classes = task === "regress" ? null : readTaskClasses(options.classes);
    const targets = task === "regress" ? readTargetCount(options.targets) : 0;
    const range = task === "regress" ? readRange(options.targetRange) : absentRange(options);
    const parts = folds ?? (isPrivate ? 0 : LEARNING.folds[task]);
    if (!Object.hasOwn(PARTS, parts)) throw paramError("folds", "be 0, 1 or 5", folds);
    if (!(keep >= 0 && keep <= 1)) throw paramError("keep", "be a share of the rows, 0 to 1", keep);
    if (typeof linear !== "boolean") throw paramError("linear", "be true or false", linear);
    this.#prepared = preparationOf(options);
    ({ parts: this.#parts, text: this.#preprocessing } = readMap(map, nFeatures, preprocessing, this.#prepared));
    const radius = file?.state.radius === 0 ? 0 : readRadius(options.radius);
    this.#map = checkSingle(new engine.Map(engine, this.#parts.settings, this.#parts.held));
    try {
      this.#spec = { task, private: isPrivate, targets, radius, targetRange: range, folds: Number(parts), keep };
      this.#makeViews(radius, file ? gridsOfFile(file.state) : readGrids(options.grid), linear, file !== null);
      if (file) this.#load(file); // else sums are tried out, so that what cannot be is refused
      else engine.core.freeSums(engine.core.newSums(this.#blocks(this.#views, this.#classes)));
    } catch (error) {
      this.dispose();
      throw error;
    }
  }

  get task() {
    return this.#spec.task;
  }

  get classes() {
    return this.#classes && Object.freeze([...this.#classes]);
  }

  get count() {
    return rowsOf(this.#words, this.#layout(0), this.#spec.folds);
  }

  get map() {
    const map = this.#living();
    const { settings, held: { preparation, preprocessing: _, ...held } } = this.#parts;
    if (!preparation) return map;
    this.#plain ??= new this.#engine.Map(this.#engine, settings, held);
    return this.#plain;
  }

  add(X, y, weights) {
    const task = this.#adding(X, y, weights);
    try {
      const cut = this.#cutCells(task);
      if (task.rows > 0) task.compute(this.#engine.core, 0, task.rows);
      this.#add(task);
      this.#cut += cut;
    } catch (error) {
      throw task.failure(error);
    } finally {
      task.end();
    }
  }

  async addAsync(X, y, options = {}) {
    const { weights, signal, onProgress } = checkOptions(options, ADD_KEYS);
    checkSignal(signal);
    checkCallback(onProgress);
    signal?.throwIfAborted();
    const task = this.#adding(X, y, weights);
    if (task.rows === 0) {
      onProgress?.(0, 0);
      return;
    }
    const cut = this.#cutCells(task);
    await this.#run(task, { signal, onProgress });
    this.#living();
    this.#add(task);
    this.#cut += cut;
  }

  addFeatures(Z, y, weights) {
    this.#living();
    const { core } = this.#engine;
    const nComponents = this.#views[0].nComponents;
    const n = featureRows(Z, nComponents);
    const { classes, labels } = this.#readLabels(y, n, weights);
    const views = this.#views.slice(0, 1);
    const sums = core.newSums(this.#blocks(views, classes));
    try {
      core.addFeaturesToSums(sums, nComponents, Z, labels);
      const words = core.takeSums(sums);
      if (n === 0) return;
      const [size] = this.#sizes(classes);
      this.#dropLinear("features were added without their rows");
      this.#replace(classes, words.subarray(0, size), words.subarray(size));
    } finally {
      core.freeSums(sums);
    }
  }

  merge(other) {
    this.#merge(other, false);
  }

  subtract(other) {
    this.#merge(other, true);
  }

  async fit(options = {}) {
    const { settings, held } = this.#parts;
    return new Model(this.#engine, settings, held, await this.#fit(options));
  }

  /** Returns the head of a fit to the sums. */
  async #fit(options) {
    this.#living();
    const { signal, onProgress, ...rest } = checkOptions(options, FIT_KEYS);
    const fitOptions = readFitOptions(rest);
    checkSignal(signal);
    checkCallback(onProgress);
    signal?.throwIfAborted();
    this.#checkClasses();
    const [own, ...others] = this.#viewWords(true);
    const task = new FitTask(this.#blocks(this.#views, this.#classes), [joined([own, this.#kept]), ...others],
      fitOptions);
    const [result, linear = { missing: this.#missing }] = await this.#run(task, { signal, onProgress });
    const head = headOf(result, { task: this.task, classes: this.classes }, linear);
    return withCandidates(withCut(head, this.#prepared && this.#cut), this.#candidates);
  }

  /** Returns the head of a fit in passes over the rows that the sums are of. It begins at another head. */
  async #fitPasses(start, X, y, weights, solver, options) {
    const { living, source: sourceOf } = partsOf(this.#map);
    const source = sourceOf(X);
    const { labels } = this.#readLabels(y, source.rows, weights);
    const block = encodePasses({ ...solver, outputs: start.intercept.length, holdOut: this.#spec.folds > 0,
      precondition: this.count >= ROWS_PER_COMPONENT * this.#views[0].nComponents }, start);
    const [view] = this.#blocks(this.#views, this.#classes);
    const task = new RowsTask(living, block, source, labels, view, this.#viewWords(true)[0]);
    return withCut(headOfPasses(await this.#run(task, options), solver.loss, start), this.#prepared && this.#cut);
  }

  async compare(other, options = {}) {
    const { compare } = this.#engine;
    if (!compare) throw notHere("compare", "compare");
    return compare(this.#engine, this, other, options);
  }

  /** Returns what compare.js needs. */
  #side() {
    const [{ block, nComponents }] = this.#blocks(this.#views.slice(0, 1), this.#classes);
    return { block, nComponents, words: this.#viewWords(true)[0], release: null, shared: this.#sharedSide() };
  }

  /** What learners and releases that are compared must have in common. */
  #sharedSide() {
    const [{ step, limit, bound }] = this.#views;
    return { ...this.#living().toJSON(), preprocessing: this.#preprocessing, preparation: this.#prepared?.file, bound,
      step, limit };
  }

  release(options) {
    this.#living();
    const { core, releases } = this.#engine;
    const { epsilon, delta, ledger, rows = this.count } = checkOptions(options, RELEASE_KEYS);
    if (!this.#spec.private) {
      throw fault("private", "private must be true for a release, since rows are clipped while they are added: make " +
        "a learner with private, a radius and classes or targetRange that do not come from the rows, and add the " +
        "rows to it");
    }
    if (rows !== this.count) {
      throw paramError("rows", `be the number of rows that the learner has, ${this.count}: it is public, so none may ` +
        "be left out for what it holds", rows);
    }
    const [view] = this.#views;
    const [own] = this.#blocks([view], this.#classes);
    const { sigma, words } = releases.releaseMoments(core, { ...own, bound: view.bound }, this.#viewWords()[0],
      this.#layout(0).words - HEAD_WORDS, { epsilon, delta, rows, ledger });
    const [{ block }] = this.#blocks([view], this.#classes, 0);
    return new releases.ReleasedMoments(this.#engine, { parts: this.#parts, block, words, task: this.task,
      classes: this.classes, nComponents: view.nComponents, bound: view.bound, sigma, epsilon, delta, rows,
      shared: this.#sharedSide() });
  }

  toJSON() {
    this.#living();
    const { views, ...counted } = this.#fileWords();
    return writeLearner({ ...this.#state(), ...counted }, views);
  }

  toBytes() {
    this.#living();
    const { views, ...counted } = this.#fileWords();
    return writeLearnerBytes({ ...this.#state(), ...counted }, views);
  }

  get [Symbol.toStringTag]() {
    return "Learner";
  }

  dispose() {
    for (const made of [this.#map, this.#identity, this.#plain]) made?.dispose();
    this.#map = null;
  }

  /** What a file holds beside the words. */
  #state() {
    const { keySalt, preprocessing, ...model } = this.#map.toJSON();
    const missing = this.#views.length === 1 ? this.#missing : undefined;
    return { ...this.#spec, model, preprocessing: this.#preprocessing, preparation: this.#prepared?.file,
      cut: this.#cut, classes: this.#classes, isFixed: this.#isFixed,
      step: this.#views[0].step, grid: this.#gridOfFile(), missing };
  }

  /** Returns what a file has of the grids beside the step of the features. Grids of 2^12 have nothing. */
  #gridOfFile() {
    const [{ limit, finer }, linear] = this.#views;
    if (limit === 0) return undefined;
    const of = ({ finer }) => (finer ? { finer } : {});
    return { limit, ...of({ finer }), ...(linear ? { linear: { step: linear.step, ...of(linear) } } : {}) };
  }

  /** Returns the words of each view. They change with the next rows, unless they are copied. */
  #viewWords(copied = false) {
    const sizes = this.#sizes();
    const words = this.#words ?? new Uint8Array(sizes.reduce((a, b) => a + b));
    let at = 0;
    return sizes.map((size) => words[copied ? "slice" : "subarray"](at, (at += size)));
  }

  /** Returns the words of each view as files have them, what was counted of the rows, or undefined, and kept rows. */
  #fileWords() {
    const tally = [];
    const views = this.#viewWords().map((words, i) => {
      const part = 8 * this.#layout(i).words;
      const kept = [];
      for (let at = 0; at < words.length; at += part) {
        const [first, rest] = [at + 8 * FIRST_WORDS, at + 8 * HEAD_WORDS];
        tally.push(words.subarray(first, rest));
        kept.push(words.subarray(at, first), words.subarray(rest, at + part));
      }
      return joined(kept);
    });
    const isKnown = this.#spec.keep > 0 && (this.#kept.length > 0 || this.#words === null);
    const kept = isKnown ? (this.#words ? this.#kept : new Uint8Array(4)) : undefined;
    return { views, tally: this.#spec.private ? undefined : joined(tally), kept };
  }

  /** Returns the words of views with what was counted of their rows, where a file says it, and else with zeros. */
  #countedWords(views, tally) {
    const size = 8 * TALLY_WORDS;
    const count = this.#views.length * PARTS[this.#spec.folds];
    const counted = tally(count * size) ?? new Uint8Array(count * size);
    let next = 0;
    return views.map((words, i) => {
      const part = 8 * (this.#layout(i).words - TALLY_WORDS);
      const all = [];
      for (let at = 0; at < words.length; at += part) {
        all.push(words.subarray(at, at + 8 * FIRST_WORDS), counted.subarray(next, (next += size)),
          words.subarray(at + 8 * FIRST_WORDS, at + part));
      }
      return joined(all);
    });
  }

  /** Takes the words of a file, which the core checks. */
  #load({ state, words, tally, kept }) {
    if (state.task === "classify") {
      this.#classes = [...state.classes];
      this.#isFixed = state.isFixed;
    }
    if (state.missing !== undefined) {
      this.#dropLinear(state.missing);
      this.#missing = state.missing;
    } else if (this.#views.length === 1) {
      throw paramError("from.missing", "say why there is no linear model", state.missing);
    }
    const sizes = this.#sizes();
    const less = 8 * TALLY_WORDS * PARTS[this.#spec.folds];
    const views = this.#countedWords(words(sizes.map((size) => size - less)), tally);
    const all = new Uint8Array(sizes.reduce((a, b) => a + b));
    views.forEach((view, i) => all.set(view, i * sizes[0]));
    this.#engine.core.checkWords(this.#blocks(this.#views, this.#classes), sizes, joined([all, kept]));
    const rows = this.#views.map((_, i) => rowsOf(views[i], this.#layout(i), this.#spec.folds));
    if (rows.some((n) => n !== rows[0])) throw paramError("from.linear", `hold ${rows[0]} rows`, rows[1]);
    if (this.#classes && !this.#isFixed && this.#withRows(all, this.#classes).length < this.#classes.length) {
      throw fault("from.classes", "from.classes must have rows each, unless they were given");
    }
    this.#words = all;
    this.#kept = kept;
    this.#cut = state.cut ?? 0;
  }

  #living() {
    if (this.#map === null) throw disposedError("learner");
    return this.#map;
  }

  /** Makes the views: the grid of the features and, if there can be one, of the rows themselves. */
  #makeViews(radius, [own, other], linear, isFile) {
    const { core } = this.#engine;
    const beside = this.#prepared && linearOf(this.#prepared);
    const nFeatures = beside?.nOutputs ?? this.#map.nFeatures;
    const limit = own?.limit ?? (this.#spec.private || isFile ? 0 : LIMIT);
    const view = (map, grid, isPrivate, radiusOf) => {
      const { living } = partsOf(map);
      const bound = isPrivate ? core.privateBound(living, radius) : 0;
      const { step, finer = "" } = grid ?? { step: core.gridStep(living, radiusOf?.(living) || radius, limit > 0) };
      return { nComponents: map.nComponents, step, limit, finer, bound, map: living };
    };
    this.#views = [view(this.#map, own, this.#spec.private)];
    Object.assign(this.#spec, (({ step, limit, finer }) => ({ step, limit, finer }))(this.#views[0]));
    if (!linear) this.#missing = "left out by choice";
    else if (this.#spec.private) {
      this.#missing = "not fitted beside private moments: a release of it would cost as much again";
    } else if (radius === 0) this.#missing = "the radius of the rows was not stated";
    else if (nFeatures > MOST_COMPONENTS) {
      this.#missing = `${nFeatures} columns are more than moments take, ${MOST_COMPONENTS}: ` +
        "fit it in passes over the rows";
    } else {
      this.#identity = identityMap(this.#engine, nFeatures, beside);
      this.#views.push(view(this.#identity, other, false, beside && ((map) => core.preparedRadius(map))));
    }
    const products = this.#views.reduce((sum, { nComponents: D }) => sum + D * (D + 1) / 2, 0);
    this.#cost = { msPerRow: partsOf(this.#map).living.msPerRow + products / PRODUCTS_PER_MS, measured: false };
  }

  #dropLinear(missing) {
    if (this.#views.length === 1) return;
    const [size] = this.#sizes();
    this.#words = this.#words?.slice(0, size) ?? null;
    this.#views = this.#views.slice(0, 1);
    this.#missing = missing;
  }

  /** Returns views with the blocks of their moments for ts_moments_new. */
  #blocks(views, classes, folds = this.#spec.folds) {
    const { task, targets, targetRange: [low, high], keep } = this.#spec;
    const count = task === "classify" ? Math.max(1, classes.length) : 0;
    return views.map(({ nComponents, step, limit, finer, bound, map }, i) => {
      const block = new Block();
      const bytes = Uint8Array.from(atob(finer), (letter) => letter.charCodeAt(0));
      block.numbers(nComponents, count, targets, step, low, high, folds, bound, views[i] === this.#views[0] ? keep : 0,
        limit, bytes.length);
      block.padded(bytes);
      return { map, nComponents, block: block.bytes() };
    });
  }

  #layout(view, classes = this.#classes) {
    const { task, targets: K } = this.#spec;
    const D = this.#views[view].nComponents;
    const head = HEAD_WORDS + D * (D + 1) / 2;
    if (task === "regress") return { D, head, words: head + D + K + K * (K + 1) / 2 + K * D };
    const count = Math.max(1, classes.length);
    return { D, head, words: head + count + count * D };
  }

  /** Returns the bytes of the words of each view. */
  #sizes(classes = this.#classes) {
    return this.#views.map((_, i) => 8 * PARTS[this.#spec.folds] * this.#layout(i, classes).words);
  }

  /** Reads the labels or targets of n rows. Returns the classes with new ones among them, and what the core needs. */
  #readLabels(y, n, weights) {
    const { task, targets } = this.#spec;
    return readRowLabels(y, n, weights, { task, targets, classes: this.#classes, isFixed: this.#isFixed });
  }

  #adding(X, y, weights) {
    const source = rowSource(X, this.#prepared?.nFeatures ?? this.#living().nFeatures, "X");
    const { classes, labels } = this.#readLabels(y, source.rows, weights);
    return new AddTask(this.#engine.core, this.#blocks(this.#views, classes), source, labels, classes, this.#cost,
      { wordBytes: this.#sizes(classes).reduce((a, b) => a + b), ...this.#keptShape() });
  }

  /** Returns how many cells of the rows of a task are cut. */
  #cutCells({ source, labels: { weights } }) {
    if (!this.#prepared || source.rows === 0) return 0;
    try {
      return this.#engine.core.countPrepared(partsOf(this.#living()).living, source, weights).cut;
    } catch (error) {
      throw withLargeValue(error, [source]);
    }
  }

  /** Adds the words of a finished task. */
  #add(task) {
    const words = task.result();
    if (words) this.#replace(task.classes, words, task.kept);
  }

  /** Returns what the core must know of kept rows. */
  #keptShape() {
    const { keep, targets } = this.#spec;
    return { keep, width: this.#views[0].nComponents, each: Math.max(1, targets) };
  }

  /** Returns kept rows of these classes as rows of others. */
  #keptWithClasses(kept, classes, others) {
    if (kept.length === 0 || sameList(classes, others)) return kept;
    const { width, each } = this.#keptShape();
    const view = new DataView(kept.slice().buffer);
    for (let at = 4; at < kept.length; at += 4 * each + 4 * Math.ceil(width / 2)) {
      view.setInt32(at, others.indexOf(classes[view.getInt32(at, true)]), true);
    }
    return new Uint8Array(view.buffer);
  }

  /** Adds the words of new rows, which have these classes, and the rows among them that are kept. */
  #replace(classes, sums, rows) {
    const words = sums.subarray(0, this.#sizes(classes).reduce((a, b) => a + b)); // of the views that are left
    const more = rowsOf(words, this.#layout(0, classes), this.#spec.folds);
    const most = this.task === "regress" ? 2 ** 25 - 1 : this.#views[0].limit > 0 ? 2 ** 33 - 1 : 2 ** 39 - 1;
    if (this.count + more > most) {
      throw paramError("rows", `be at most ${most} together, so that no sum exceeds 64 bits`, this.count + more);
    }
    const all = classes && !this.#isFixed ? classesOf([...this.#classes, ...classes]) : classes;
    const added = this.#withClasses(words, classes, all);
    const sum = this.#withClasses(this.#words, this.#classes, all);
    if (sum) {
      this.#engine.core.addWords(sum, added);
      drop([added.buffer]);
    }
    const kept = this.#keptWithClasses(rows, classes, all);
    this.#kept = sum ? this.#engine.core.mergeKept(this.#keptShape(),
      this.#keptWithClasses(this.#kept, this.#classes, all), kept) : kept;
    this.#words = sum ?? added;
    this.#classes = all;
  }

  #merge(other, isAway) {
    this.#living();
    if (!(other instanceof Learner)) {
      throw paramError("other", "be a learner of this library; one from elsewhere comes as JSON, with " +
        "learner({ from })", other);
    }
    checkSame(this.#shared(), other.#shared());
    const cut = this.#cut + (isAway ? -other.#cut : other.#cut);
    if (cut < 0) throw paramError("rows", `have been added: these hold ${this.#cut} cut cells`, other.#cut);
    const [mine, its] = [this.#views.length, other.#views.length];
    if (mine > its) this.#dropLinear(`a part has none: ${other.#missing}`);
    const theirs = mine < its ? other.#words?.slice(0, other.#sizes()[0]) : other.#words;
    const all = this.#classes && !this.#isFixed ? classesOf([...this.#classes, ...other.#classes]) : this.#classes;
    const views = this.#blocks(this.#views, all);
    const sizes = this.#sizes(all);
    const empty = () => new Uint8Array(sizes.reduce((a, b) => a + b));
    const own = this.#withClasses(this.#words, this.#classes, all) ?? empty();
    const more = this.#withClasses(theirs, other.#classes, all) ?? empty();
    const sum = this.#engine.core.mergeWords(views, sizes,
      joined([own, this.#keptWithClasses(this.#kept, this.#classes, all)]),
      joined([more, this.#keptWithClasses(other.#kept, other.#classes, all)]), isAway);
    const words = sum.subarray(0, own.length);
    const left = all && !this.#isFixed ? this.#withRows(words, all) : all;
    this.#words = this.#withClasses(words, all, left);
    this.#kept = this.#keptWithClasses(sum.subarray(own.length), all, left);
    this.#classes = left;
    this.#cut = cut;
  }

  /** Returns the classes that have rows. */
  #withRows(words, classes) {
    const { head, words: perPart } = this.#layout(0, classes);
    const counts = new BigInt64Array(words.buffer, words.byteOffset, words.length / 8);
    return classes.filter((_, k) => Array.from({ length: PARTS[this.#spec.folds] }, (_, part) =>
      counts[part * perPart + head + k]).some((count) => count !== 0n));
  }

  /** Reorders the sums in words for another list of classes. New classes get zeros. */
  #withClasses(words, classes, others) {
    if (!words || sameList(classes, others)) return words;
    const moved = new Uint8Array(this.#sizes(others).reduce((a, b) => a + b));
    let [from, to] = [0, 0];
    for (const view of this.#views.keys()) {
      const [old, next] = [this.#layout(view, classes), this.#layout(view, others)];
      for (let part = 0; part < PARTS[this.#spec.folds]; part++) {
        moved.set(words.subarray(from, from + 8 * old.head), to);
        const sums = [from + 8 * (old.head + Math.max(1, classes.length)),
          to + 8 * (next.head + Math.max(1, others.length))];
        classes.forEach((label, k) => {
          const at = others.indexOf(label);
          if (at < 0) return;
          const [count, row] = [from + 8 * (old.head + k), sums[0] + 8 * k * old.D];
          moved.set(words.subarray(count, count + 8), to + 8 * (next.head + at));
          moved.set(words.subarray(row, row + 8 * old.D), sums[1] + 8 * at * old.D);
        });
        from += 8 * old.words;
        to += 8 * next.words;
      }
    }
    return moved;
  }

  /** What merged learners must have in common. */
  #shared() {
    const { task, ...spec } = this.#spec;
    return { ...this.#map.toJSON(), preprocessing: this.#preprocessing, preparation: this.#prepared?.file, task,
      classes: this.#isFixed ? this.#classes : UNFIXED, ...spec };
  }

  #checkClasses() {
    if (this.#classes === null || this.#words === null) return;
    const present = this.#withRows(this.#words, this.#classes);
    if (present.length === 1) {
      throw paramError("classes", "have rows of at least two: there is nothing to tell apart", present[0]);
    }
  }

  #run(task, options) {
    return runTask(this.#engine, this, task, options);
  }
}

if (Symbol.dispose) Learner.prototype[Symbol.dispose] = Learner.prototype.dispose;

/** The task (tasks.js) of adding rows to sums. Workers hold sums of their own until they are collected. */
class AddTask {
  isHeld = true;
  words = null;
  kept = NONE;
  #core;
  #shape;
  #sums = null; // of this thread

  /** `shape` has the bytes of the words, and what the core must know of kept rows. */
  constructor(core, views, source, labels, classes, cost, shape) {
    const maps = views.map(({ map }) => map);
    Object.assign(this, { views, maps, source, labels, classes, cost, rows: source.rows });
    this.#core = core;
    this.#shape = shape;
  }

  take(start, left, { lanes, ms, bytes, share = 1 }) {
    const { cost, source, maps: [map] } = this;
    const whole = (cost.measured ? ms : ms / 4) / cost.msPerRow;
    const most = Math.min(whole, Math.max(left * share, whole / 5), bytes / (8 * map.nComponents));
    return source.take(start, Math.min(left, wholeLanes(most, lanes)), bytes / 2, lanes);
  }

  leastMs(lanes) {
    return this.cost.msPerRow * lanes;
  }

  compute(core, start, rows) {
    this.#sums ??= core.newSums(this.views);
    core.addToSums(this.#sums, this.source, this.labels, start, start + rows);
  }

  bytes(start, rows) {
    const { targetsAt, weightsAt } = this.#places(start, rows);
    return { input: weightsAt + (this.labels.weights ? rows : 0), output: 0, targetsAt };
  }

  write(input, start, rows) {
    const { source, labels: { values, each, weights } } = this;
    const { targetsAt, weightsAt } = this.#places(start, rows);
    source.write(input, 0, start, rows);
    new values.constructor(input, targetsAt, rows * each).set(values.subarray(start * each, (start + rows) * each));
    if (weights) new Uint8Array(input, weightsAt, rows).set(weights.subarray(start, start + rows));
    return {
      task: "add", views: this.views.map(({ map, block }) => ({ map: map.id, block })), rows,
      nnz: source.sparse ? source.nnz(start, rows) : 0, sparse: source.sparse, targetsAt, each,
      isRegression: values instanceof Float64Array, weightsAt: weights ? weightsAt : -1,
    };
  }

  receive() {}

  collect(output) {
    this.#addWords(new Uint8Array(output));
  }

  moved(error, start) {
    delete error.rowsDone;
    return error.row === undefined ? error : moved(error, { row: error.row + start });
  }

  failure(error) {
    const failed = withLargeValue(error, [this.source]);
    delete failed.rowsDone;
    return failed;
  }

  changed() {
    return null;
  }

  doing(start, rows) {
    return `added rows ${start} to ${start + rows - 1}`;
  }

  result() {
    if (this.#sums) this.#addWords(this.#core.takeSums(this.#sums));
    this.#sums = null;
    return this.words;
  }

  end() {
    if (this.#sums) this.#core.freeSums(this.#sums);
    this.#sums = null;
  }

  #addWords(sums) {
    const { wordBytes } = this.#shape;
    const [words, kept] = [sums.subarray(0, wordBytes), sums.slice(wordBytes)];
    if (!this.words) {
      this.words = words;
      this.kept = kept;
      return;
    }
    this.#core.addWords(this.words, words);
    this.kept = this.#core.mergeKept(this.#shape, this.kept, kept);
    drop([sums.buffer]);
  }

  /** Returns the places of labels and weights behind the rows of a block. */
  #places(start, rows) {
    const { values, each } = this.labels;
    const targetsAt = 8 * Math.ceil(this.source.byteLength(start, rows) / 8);
    return { targetsAt, weightsAt: targetsAt + values.BYTES_PER_ELEMENT * rows * each };
  }
}

function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns the number of rows of words whose first view has this layout. */
function rowsOf(words, { words: perPart }, folds) {
  if (!words) return 0;
  const numbers = new BigInt64Array(words.buffer, words.byteOffset, perPart * PARTS[folds]);
  let rows = 0;
  for (let part = 0; part < PARTS[folds]; part++) rows += Number(numbers[part * perPart]);
  return rows;
}

/** Returns the map. Throws if its rows consist of several vectors. */
export function checkSingle(map) {
  if (!Array.isArray(map.nFeatures)) return map;
  map.dispose();
  throw paramError("nFeatures", "be one number: a learner takes single rows", map.nFeatures);
}

/** Returns the map whose features are the rows themselves, after a preparation if there is one. */
export function identityMap(engine, nFeatures, preparation) {
  return new engine.Map(engine, resolveParams(identityParams(nFeatures)), { preparation });
}

function identityParams(nFeatures) {
  return { method: "count-sketch", nFeatures, nComponents: nFeatures, coef0: 0,
    indexHash: [Array.from({ length: nFeatures }, (_, i) => i)], bitHash: [new Array(nFeatures).fill(1)] };
}

/** Reads the option `private`. Throws if the learner would then take something from its rows. */
function readPrivate({ private: isPrivate = false, radius, classes, targetRange }, task) {
  if (typeof isPrivate !== "boolean") throw paramError("private", "be true or false", isPrivate);
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

function readTaskClasses(classes) {
  if (classes === undefined) return [];
  const list = classesOf(readClasses("classes", classes));
  if (list.length < 2) throw paramError("classes", "be at least two labels", classes);
  return list;
}

function readRadius(radius) {
  if (radius === undefined) {
    throw fault("radius", "radius is missing: give the largest length that rows have, or take it from rows with " +
      "prepare");
  }
  if (typeof radius === "number" && radius > 0 && Number.isFinite(radius)) return radius;
  throw paramError("radius", "be a finite number > 0", radius);
}

function readRange(range) {
  if (range === undefined) {
    throw fault("targetRange", "targetRange is missing: give [lowest, highest] of all targets, or take it from rows " +
      "with prepare");
  }
  const [low, high, ...more] = typeof range === "object" && range?.[Symbol.iterator] ? range : [];
  if (Number.isFinite(low) && Number.isFinite(high) && more.length === 0) return [low, high];
  throw paramError("targetRange", "be two finite numbers, the lower first", range);
}

function absentRange({ targetRange, targets }) {
  for (const [argument, value] of Object.entries({ targetRange, targets })) {
    if (value === undefined) continue;
    throw fault(argument, `${argument} must be left out for task "classify"`);
  }
  return [0, 0];
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
  if (typeof weights !== "object" || weights === null || !Number.isInteger(weights.length)) {
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
  if (alpha !== "auto" && !(typeof alpha === "number" && alpha > 0 && Number.isFinite(alpha))) {
    throw paramError("alpha", 'be a finite number > 0, or "auto" to choose it', alpha);
  }
  if (typeof intercept !== "boolean") throw paramError("intercept", "be true or false", intercept);
  const [low, high] = alphaRange === undefined ? [0, 0] : readAlphaRange(alphaRange);
  if (alphaCount !== undefined && !(Number.isInteger(alphaCount) && alphaCount >= 1)) {
    throw paramError("alphaCount", "be an integer ≥ 1", alphaCount);
  }
  return { alpha: alpha === "auto" ? 0 : alpha, low, high, count: alphaCount ?? 0, intercept };
}

function readAlphaRange(range) {
  const [low, high, ...more] = typeof range === "object" && range?.[Symbol.iterator] ? range : [];
  if (low > 0 && high >= low && Number.isFinite(high) && more.length === 0) return [low, high];
  throw paramError("alphaRange", "be two numbers > 0, the lower first", range);
}

function isPreprocessing(text) {
  try {
    return JSON.parse(text)?.format === "tensorsketch-preprocessing";
  } catch {
    return false;
  }
}

function sameList(a, b) {
  return a === b || (a?.length === b?.length && a.every((label, i) => Object.is(label, b[i])));
}

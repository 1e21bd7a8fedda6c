// What the parts of a fit share, and what a search chooses, from rows and their labels: options for a Learner.

import {
  checkCallback, checkRunning, checkSignal, fault, isObject, paramError, rowError, shapeError, show,
} from "./errors.js";
import { FeatureMap, partsOf } from "./featuremap.js";
import { runTask, SearchTask } from "./fit.js";
import { classesOf, indicesOf, readLabels, readTargets } from "./labels.js";
import { checkSingle, identityMap, identityParams, mapParams, readMap } from "./learnermap.js";
import { checkAbsent, preparationOf, readPrivate, readTargetCount, SPEC_KEYS, taskOf } from "./learneroptions.js";
import { readFeatures, resolveParams } from "./params.js";
import { linearOf, prepareFor } from "./preparation.js";
import { isRecords } from "./records.js";
import { arrowWidth, rowSource, someRows, valuesOf, withLargeValue } from "./rows.js";
import { decodeSearch, encodeSearch, notSearched, readSearch } from "./search.js";
import { FITTED, KEPT_ROWS, LEARNING, LIMIT, MOST_COMPONENTS, MOST_KEPT, SEARCHED } from "./tables.js";

const SOON = { rows: 1000, nComponents: 256, dense: ["gaussian", "linear"], sparse: ["linear-unit", "polynomial-2"] };
const GRID = { rows: 4096, group: 16 }; // of whose features prepare takes the grid

/**
 * Returns what the parts of a fit must share, from rows with their labels or targets: options for a learner. With a
 * search it is a promise.
 */
export function prepare(engine, X, labels, asked = {}) {
  const { search = "off", indicators, unitNorm, signal, onProgress, ...options } = checkRunning(asked,
    [...SPEC_KEYS, "search", "indicators", "unitNorm"]);
  const wanted = readSearch({ ...options, search, indicators, unitNorm });
  if (wanted) return searched(engine, X, labels, options, wanted, { signal, onProgress });
  if (search !== "off") return Promise.resolve(prepare(engine, X, labels, options));
  checkAbsent('search "off"', { signal, onProgress });
  const { y, task, targets } = given(X, labels, options);
  const { map, nFeatures, task: _, classes, targets: _targets, radius, grid, targetRange, folds: foldCount, keep,
    ...others } = options;
  const isForm = typeof options.preparation === "string" && !options.private;
  let prepared = isForm ? null : preparationOf(options);
  const isPrivate = readPrivate(options, task);
  const width = prepared?.nFeatures ?? nFeatures ?? (isForm ? undefined : map?.nFeatures) ?? widthOf(X, y, targets);
  const source = rowsOf(X, width);
  if (isForm) prepared = ofRows(source, () => prepareFor(engine.core, source, options.preparation));
  const spec = { task,
    map: map instanceof FeatureMap ? map : mapParams(map, prepared?.nOutputs ?? width, source.rows) };
  if (task === "classify") {
    readLabels(y, source.rows);
    spec.classes = classes ?? presentIn(y);
  } else {
    const numbers = readTargets(y, source.rows, targets);
    Object.assign(spec, { targets, targetRange: targetRange ?? engine.core.targetRange(numbers) });
  }
  spec.map = fittedTo(engine, spec.map, X, prepared);
  spec.radius = radius ?? engine.core.radius(prepared ? withPrepared(engine, prepared, (map) =>
    ofRows(source, () => engine.core.countPrepared(partsOf(map).living, source).largestSquare))
    : ofRows(source, () => engine.core.largestSquare(source)));
  if (radius === undefined && grid === undefined && !isPrivate) {
    spec.grid = gridsOf(engine, spec.map, width, prepared, source, options.linear ?? true);
  } else if (grid !== undefined) spec.grid = grid;
  if (prepared) others.preparation = prepared.file;
  const folds = foldCount ?? (isPrivate ? 0 : LEARNING.folds[task]);
  const kept = keep ?? (folds === 5 ? Math.min(1, KEPT_ROWS / source.rows) : 0);
  return { ...spec, folds, ...(kept !== 0 ? { keep: kept } : {}), ...others };
}

/**
 * Returns the promise of what prepare returns, with a search (search.js) and its `candidates`. With `isAhead` these are
 * a promise: another worker can go on while the search predicts the rows that no choice has seen.
 */
export async function searched(engine, X, labels, options, wanted, { isAhead = false, ...running }) {
  checkSignal(running.signal);
  checkCallback(running.onProgress);
  const { y, task, targets } = given(X, labels, options);
  const { map: _, nFeatures, task: _task, classes, targets: _targets, targetRange, folds = 5,
    preparation: _form, ...others } = options;
  const source = rowsOf(X, nFeatures ?? options.map?.nFeatures ?? widthOf(X, y, targets));
  const beyond = wanted.indicators.find((j) => j >= source.nFeatures);
  if (beyond !== undefined) throw paramError("indicators", `be columns below ${source.nFeatures}`, beyond);
  const spec = { task };
  const { seed, mayFail } = wanted;
  let values;
  if (task === "classify") {
    readLabels(y, source.rows);
    const present = presentIn(y);
    spec.classes = classes ?? present;
    values = indicesOf(y, present);
    wanted = encodeSearch(wanted, present.length, false);
  } else {
    values = readTargets(y, source.rows, targets);
    Object.assign(spec, { targets, targetRange: targetRange ?? engine.core.targetRange(values) });
    wanted = encodeSearch(wanted, targets, true);
  }
  running.signal?.throwIfAborted();
  let bytes, judged;
  try {
    const task = new SearchTask(wanted, ...sampled(source, values));
    const all = runTask(engine, {}, task, running);
    bytes = await (isAhead ? Promise.race([all, task.chosen]) : all);
    while (task.held) await Promise.race([all, task.held]);
    task.isQuiet = true;
    judged = all.then((last) => decodeSearch(last, seed).candidates);
    judged.catch(() => {}); // the fit waits for it, unless it fails before
  } catch (error) {
    if (!mayFail || !["search", "maxMemory"].includes(error?.argument)) throw error;
    const without = prepare(engine, X, labels, options);
    return error.argument === "search" ? without : { ...without, candidates: notSearched(error.message) };
  }
  const found = decodeSearch(bytes, seed);
  const { map, nComponents, candidates, keep, ...chosen } = found;
  // 1 spreads rows that recur often over all folds.
  const kept = keep === 1 && source.rows <= MOST_KEPT ? 1 : Math.min(keep, KEPT_ROWS / source.rows);
  return { ...spec, map: map ?? identityParams(nComponents), ...chosen, folds, ...(folds === 5 ? { keep: kept } : {}),
    ...others, candidates: isAhead ? judged : candidates };
}

/** Returns what labels say: y, as an array, the task, and the number of targets. */
function given(X, labels, options) {
  if (X?.length === 0) throw noRows();
  const y = checkGiven(valuesOf(labels));
  checkNumbers(X);
  const task = taskOf(options, y);
  return { y, task, targets: task === "regress" ? readTargetCount(options.targets) : 1 };
}

/** Returns the rows of X, of so many columns. Throws if there are none. */
function rowsOf(X, nFeatures) {
  const source = rowSource(X, readFeatures(nFeatures), "X");
  if (source.rows > 0) return source;
  throw noRows();
}

const noRows = () => shapeError("X", "have rows", "none");

/** Returns the classes of labels. Throws if they are fewer than two. */
function presentIn(y) {
  const present = classesOf(y);
  if (present.length > 1) return present;
  throw paramError("y", "have labels of at least two classes: there is nothing to tell apart", present[0]);
}

/** Returns the rows for a search and their labels: all, or of many dense ones some, evenly spread, and which. */
function sampled(source, values) {
  const n = Math.min(SEARCHED.rows, Math.floor(SEARCHED.numbers / source.nFeatures));
  if (source.sparse || source.rows <= n) return [source, values];
  const [rows, some] = spread(source, values, n);
  return [rowSource(rows, source.nFeatures, "X"), some, evenly(source.rows, n)];
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
  const { y: labels, targets } = given(X, y, options);
  const values = Array.from(labels);
  const nFeatures = options.nFeatures ?? map.nFeatures ?? widthOf(X, values, targets);
  const source = rowsOf(X, nFeatures);
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

/** Returns y. Throws if it is no list of labels or numbers, or one of them is missing. */
function checkGiven(y) {
  if (y === undefined) {
    throw fault("y", "y is missing: give the label or number of each row, as an array");
  }
  if (!isObject(y) || !(y.length > 0)) {
    throw paramError("y", "be an array with the label or number of each row", y);
  }
  const row = Array.prototype.findIndex.call(y, (label) => label === undefined || label === null);
  if (row < 0) return y;
  throw rowError("ERR_PARAM", "y", row, undefined,
    "be the label or number of its row: leave out rows without one, in X as well", show(y[row]));
}

/** Throws if the rows of X are objects with names, which have no order. */
function checkNumbers(X) {
  if (!isRecords(X)) return;
  const names = Object.keys(X[0] ?? X).slice(0, 3).join(", ");
  throw fault("X", "X must have arrays of numbers as rows, got objects: take the numbers in one order, " +
    `X.map(({ ${names} }) => [${names}]), or call ts.fit(X, { label })`);
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

/** Calls `use` with the map whose features are prepared rows. */
function withPrepared(engine, prepared, use) {
  const map = identityMap(engine, prepared.nOutputs, prepared);
  try {
    return use(map);
  } finally {
    map.dispose();
  }
}

/** Returns what `make` makes of the rows of a source. */
function ofRows(source, make) {
  try {
    return make();
  } catch (error) {
    throw withLargeValue(error, [source]);
  }
}

/** Returns the width of the rows of X, by their form or by the number of labels. CSR may have none. */
function widthOf(X, y, targets) {
  const ofArrow = arrowWidth(X);
  if (ofArrow !== null) return ofArrow;
  const shape = X?.dims ?? X?.shape;
  if (shape?.length > 0) return shape[shape.length - 1];
  const first = Array.isArray(X) && X.find(isObject);
  if (first) return first.length ?? widthOf(first, [0], 1);
  const rows = typeof y?.[0] === "object" ? y.length : y?.length / targets;
  const width = X?.length / rows;
  if (Number.isInteger(width) && width > 0) return width;
  if (X?.indptr) return undefined;
  rowsOf(X, 1);
  throw shapeError("X", `have a length that is a multiple of ${rows}, the rows of y`, `length ${X.length}`);
}

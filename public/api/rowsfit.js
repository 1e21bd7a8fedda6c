// ts.fit: a model from rows in one call. Up to MOST_COMPONENTS features the rows become sums in a learner. The squared
// loss is fitted to these, and the other losses begin there. With more features all losses take passes over the rows.
// With more features or columns the linear model beside does.

import { checkCallback, checkRunning, checkSignal, fault, paramError, TensorSketchError } from "./errors.js";
import { partsOf } from "./featuremap.js";
import { besideOf, encodePasses, headOfPasses, RowsTask, runTask } from "./fit.js";
import { withCut } from "./head.js";
import { fitPasses, fitSums, Learner } from "./learner.js";
import { checkSingle, identityMap, readMap } from "./learnermap.js";
import { checkAbsent, FIT_KEYS, readCount, readFitOptions, readRowLabels, SPEC_KEYS } from "./learneroptions.js";
import { readChoice } from "./params.js";
import { Model } from "./predict.js";
import { linearOf, readPreparation } from "./preparation.js";
import { prepare, searched, soon } from "./prepare.js";
import { readSearch } from "./search.js";
import { LOSSES, MOST_COMPONENTS } from "./tables.js";

const OWN_KEYS = ["loss", "search", "indicators", "unitNorm", "weights"];
const PASS_KEYS = ["C", "tolerance", "maxPasses"];
const ADDING = 0.6; // of the work of a fit to rows
const SEARCHING = 0.5; // of the work, where the map is searched for
const BESIDE = 0.7; // of the work, before the linear model takes passes over the rows

/** Fits a model to rows. Where there is a search, `onFirst` gets a model of a part of the rows soon. */
export const fitRows = (engine, X, y, options = {}) => fitFirst(engine, options, {
  all: (options) => fitAll(engine, X, y, options),
  async soon(options) {
    if (!readSearch(options)) return null;
    const [rows, labels, narrowed] = soon(X, y, options);
    return fitAll(engine, rows, labels, { ...narrowed, signal: options.signal });
  },
});

/**
 * Fits a model by `all`. `onFirst` of the options gets one of a part of the rows, which `soon` fits: at the same time
 * if there are two workers, and else before. Where `soon` returns null or fails there is none.
 */
export async function fitFirst(engine, options, { all, soon }) {
  if (options?.onFirst === undefined) return all(options);
  const { onFirst, ...others } = options;
  checkCallback(onFirst, "onFirst");
  const stop = new AbortController();
  let failure;
  const first = fitSoon(others, soon, stop).then((model) => model && onFirst(model)).catch((error) => {
    const isOfRows = error instanceof TensorSketchError || error?.name === "DatasetError";
    if (!(isOfRows || stop.signal.aborted)) failure = error;
  });
  try {
    if (engine.pool.threads < 2) await first;
    const model = failure === undefined ? await all(others) : null;
    if (failure === undefined) return model;
    model?.dispose();
    throw failure;
  } finally {
    stop.abort();
  }
}

/** Returns what `soon` fits, or null. Its errors are also of the whole fit. */
async function fitSoon({ onProgress, signal, ...options }, soon, stop) {
  checkSignal(signal);
  signal?.addEventListener("abort", () => stop.abort(), { signal: stop.signal });
  if (signal?.aborted) return null;
  const model = await soon({ ...options, signal: stop.signal });
  if (!stop.signal.aborted) return model;
  model?.dispose();
  return null;
}

async function fitAll(engine, X, y, options = {}) {
  const { loss: given, search, indicators, unitNorm, weights, signal, onProgress, alpha, alphaRange, alphaCount,
    intercept, C, tolerance, maxPasses, ...spec } = checkRunning(options,
    [...SPEC_KEYS, ...OWN_KEYS, ...FIT_KEYS, ...PASS_KEYS]);
  const loss = readChoice("loss", given, LOSSES);
  if (spec.private) {
    throw fault("private", "private must be left out for fit, which is exact: make a learner with private, add the " +
      "rows, and fit what its release returns");
  }
  const isSquared = loss === "squared";
  const passes = readPasses({ C, tolerance, maxPasses });
  checkAbsent(`loss "${loss}"`, isSquared ? { C } : { alpha, alphaRange, alphaCount, intercept });
  if (!isSquared && spec.task === undefined) spec.task = "classify";
  if (!isSquared && spec.task !== "classify") throw paramError("loss", 'be "squared" for task "regress"', loss);
  signal?.throwIfAborted();
  const wanted = readSearch({ loss, search, indicators, unitNorm, weights, ...spec });
  const [first, later] = wanted ? halves(onProgress) : [undefined, onProgress];
  const shared = wanted
    ? await searched(engine, X, y, spec, wanted, { signal, onProgress: first, isAhead: true })
    : prepare(engine, X, y, spec);
  const rows = new Rows(engine, X, y, weights, shared, signal);
  try {
    const { nComponents } = rows.map;
    const nFeatures = rows.columns;
    const isLarge = nComponents > MOST_COMPONENTS;
    const linearInPasses = (isLarge || nFeatures > MOST_COMPONENTS) && spec.linear !== false;
    const part = progressOf(later, linearInPasses ? BESIDE : 1);
    let head;
    if (isLarge) {
      checkAbsent(`more than ${MOST_COMPONENTS} components`, { alphaRange, alphaCount, intercept });
      const cost = isSquared ? readFitOptions({ alpha }).alpha : passes.cost;
      head = await rows.fitInPasses({ ...passes, loss, cost }, part(0, 1));
    } else if (isSquared) {
      checkAbsent(`loss "${loss}"`, { tolerance, maxPasses });
      head = await rows.fitSums({ alpha, alphaRange, alphaCount, intercept }, part(0, ADDING), part(ADDING, 1));
    } else {
      const start = await rows.fitSums({}, part(0, ADDING / 2), part(ADDING / 2, ADDING));
      head = await rows.fitFrom(start, { ...passes, loss }, part(ADDING, 1));
    }
    if (linearInPasses) head.report.linear = await rows.fitLinear(passes, progressOf(later)(BESIDE, 1));
    return rows.model(head);
  } finally {
    rows.dispose();
  }
}

/** The rows of a fit, with their labels or targets and what prepare took from them. Its fits return heads. */
class Rows {
  #engine;
  #rows; // [X, y, weights]
  #spec;
  #signal;
  #parts; // of the map, for the model
  #learner = null;
  #identity = null;
  #beside; // the preparation of the linear model, if there is one

  constructor(engine, X, y, weights, spec, signal) {
    this.#engine = engine;
    this.#rows = [X, y, weights];
    this.#spec = spec;
    this.#signal = signal;
    const prepared = spec.preparation && readPreparation("preparation", spec.preparation);
    this.#parts = readMap(spec.map, spec.nFeatures, spec.preprocessing, prepared).parts;
    this.#beside = prepared && linearOf(prepared);
    this.map = checkSingle(new engine.Map(engine, this.#parts.settings, this.#parts.held));
  }

  async fitSums(options, adding, fitting) {
    const [X, y, weights] = this.#rows;
    const signal = this.#signal;
    this.#learner = new Learner(this.#engine, this.#spec);
    await this.#learner.addAsync(X, y, { weights, signal, onProgress: adding });
    return fitSums(this.#learner, { ...options, signal, onProgress: fitting });
  }

  /** The columns of the linear model beside. */
  get columns() {
    return this.#beside?.nOutputs ?? this.map.nFeatures;
  }

  /** Returns how many cells the preparation cuts, or null without one. */
  #cutCells() {
    if (!this.#beside) return null;
    const [X, , weights] = this.#rows;
    const { living, source } = partsOf(this.map);
    return this.#engine.core.countPrepared(living, source(X), weights ? Uint8Array.from(weights) : null).cut;
  }

  /** Begins at the head of fitSums. */
  fitFrom(start, solver, onProgress) {
    return fitPasses(this.#learner, start, ...this.#rows, solver, { signal: this.#signal, onProgress });
  }

  async fitInPasses(solver, onProgress) {
    const { task, classes } = this.#spec;
    const result = await this.#pass(this.map, solver, onProgress);
    const head = headOfPasses(result, solver.loss, { task, classes,
      report: { linear: { missing: "left out by choice" } } });
    return withCut(head, this.#cutCells());
  }

  /** Returns what a report says of the linear model beside. */
  async fitLinear(solver, onProgress) {
    this.#identity = identityMap(this.#engine, this.columns, this.#beside);
    try {
      const result = await this.#pass(this.#identity, { ...solver, loss: "squared", cost: 0 }, onProgress);
      return besideOf(result, this.#spec.classes);
    } catch (error) { // the model itself stands
      if (!(error instanceof TensorSketchError)) throw error;
      return { missing: error.message };
    }
  }

  model(head) {
    return new Model(this.#engine, this.#parts.settings, this.#parts.held, head);
  }

  dispose() {
    for (const made of [this.map, this.#learner, this.#identity]) made?.dispose();
  }

  #pass(map, solver, onProgress) {
    const [X, y, weights] = this.#rows;
    const { task: kind, classes, targets = 0, folds } = this.#spec;
    const { living, source: sourceOf } = partsOf(map);
    const source = sourceOf(X);
    const { labels } = readRowLabels(y, source.rows, weights, { task: kind, targets, classes, isFixed: true });
    const block = encodePasses({ ...solver, outputs: classes?.length ?? targets, targets, holdOut: folds > 0 });
    const task = new RowsTask(living, block, source, labels);
    return runTask(this.#engine, map, task, { signal: this.#signal, onProgress });
  }
}

/** Returns the progress of a search, and of the fit after it. */
function halves(onProgress) {
  if (!onProgress) return [undefined, undefined];
  return [(done, total) => onProgress(SEARCHING * done / total, 1),
    (done, total) => onProgress(SEARCHING + (1 - SEARCHING) * done / total, 1)];
}

/** Returns a function that gives onProgress of a part of the work up to `end`, or undefined. */
function progressOf(onProgress, end = 1) {
  return (from, to) => onProgress && ((done, total) => {
    if (to * end === 1 || done < total) return onProgress(end * (from + (to - from) * done / total), 1);
  });
}

function readPasses({ C, tolerance, maxPasses }) {
  const isPositive = (value) => Number.isFinite(value) && value > 0;
  if (C !== undefined && !isPositive(C)) throw paramError("C", "be a finite number > 0", C);
  if (tolerance !== undefined && !(isPositive(tolerance) && tolerance < 1)) {
    throw paramError("tolerance", "be a number between 0 and 1", tolerance);
  }
  return { cost: C ?? 0, tolerance: tolerance ?? 0, maxPasses: readCount("maxPasses", maxPasses, 0) };
}

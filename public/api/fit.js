// Fits models to sums of products, in a worker or in slices of this thread.

import { moved, TensorSketchError } from "./errors.js";
import { Job } from "./job.js";
import { placesOf } from "./learncore.js";
import { Block } from "./params.js";
import { withLargeValue } from "./rows.js";
import { SLICE, giveWay } from "./slices.js";
import { CONFORMAL_BINS, LOSSES, RULES } from "./tables.js";

const PROGRESS_MS = 30;
const LONG_MS = 1e4; // that passes over rows may take
// The first fold that a second worker holds out, and the fits that it helps. A fit with few features is done before the
// worker has begun; one with more features, or with many rows, holds one fold out (isOneFold in sketch/learn/fit.go).
const LENT = { from: 3, least: 256, most: 1024, rows: 40000 };

/**
 * Fits the words of a view (learner.js). Yields how much is done, from 0 to 1, and returns the core's bytes. It leaves
 * out the folds that come into `lent`, { fold, numbers }, from holdFolds.
 */
function* steps(core, view, words, options, lent = []) {
  const { release, compare } = options;
  const fit = compare ? core.beginComparison(sidesOf(compare, words))
    : release ? core.beginReleased(view, words, release) : core.beginRidge(view, words, options);
  try {
    for (let done = core.stepRidge(fit); done <= 1; done = core.stepRidge(fit)) {
      yield done;
      for (const { fold, numbers } of lent.splice(0)) core.foldsOf(fit)[fold]?.set(numbers);
    }
    return core.takeRidge(fit);
  } finally {
    core.freeSums(fit);
  }
}

/** Returns the sides of a comparison (compare.js), whose words follow one another. */
function sidesOf(sides, words) {
  let at = 0;
  return sides.map(({ bytes, ...side }) => ({ ...side, words: words.subarray(at, (at += bytes)) }));
}

/**
 * Runs a task in workers, for an owner, and returns the promise of its result. A promise that onProgress returns is
 * `held` of the task until it is fulfilled, or the job ends: long blocks wait for it, and so does the result. A task
 * that `isQuiet` tells no progress.
 */
export function runTask(engine, owner, task, { signal, onProgress }) {
  let missed = null; // the last progress while the task was held
  const tell = (...done) => {
    if (task.isQuiet) return;
    if (task.held) {
      missed = done;
      return;
    }
    const held = onProgress(...done);
    if (!held?.then) return;
    const fulfilled = Promise.resolve(held).catch((error) => job.reject(error));
    task.held = Promise.race([fulfilled, job.promise.catch(() => {})]).then(() => {
      const last = missed;
      task.held = missed = null;
      if (last && !job.settled) tell(...last);
    }).catch((error) => job.reject(error));
  };
  const job = new Job({ owner, task, signal, onProgress: onProgress && tell });
  task.id = job.id;
  engine.pool.run(job);
  return job.promise;
}

/** Runs steps to their end, as a worker does. `onProgress` gets how much is done, and is waited for. */
export async function atOnce(run, onProgress) {
  let last = performance.now();
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value;
    if (performance.now() - last < PROGRESS_MS) continue;
    await onProgress(step.value);
    last = performance.now();
  }
}

/** Fits at once. `lent` is as for steps. */
export const fitAtOnce = (core, { view, options }, words, onProgress, lent) =>
  atOnce(steps(core, view, words, options, lent), onProgress);

/** Holds the last folds of a fit out, as a worker does. `onFold` gets what came of each, and is waited for. */
export async function holdFolds(core, { view, options }, words, onFold) {
  const fit = core.beginRidge(view, words, options);
  try {
    core.stepRidge(fit);
    const folds = core.foldsOf(fit);
    for (const numbers of folds.slice(0, LENT.from)) numbers[0] = 1; // the fit itself holds them out
    for (let fold = LENT.from, done = 0; fold < folds.length && done < 2; done = core.stepRidge(fit)) {
      const numbers = core.foldsOf(fit)[fold];
      if (numbers?.[0] > 0) await onFold({ fold: fold++, numbers: numbers.slice() });
    }
  } finally {
    core.freeSums(fit);
  }
}

/**
 * Runs a FitTask as runTask does, to sums of so many rows. A second worker, where there is one, holds folds of the
 * first view out meanwhile. The fit does not wait for it: it holds out itself what has not come, which gives the same
 * bits.
 */
export function runFit(engine, owner, task, rows, running) {
  const fit = runTask(engine, owner, task, running);
  const { nComponents: D } = task.views[0];
  if (engine.pool.threads < 2 || rows >= LENT.rows || D < LENT.least || D > LENT.most) return fit;
  const stop = new AbortController();
  runTask(engine, owner, new FoldsTask(task), { signal: stop.signal }).catch(() => {});
  return fit.finally(() => stop.abort());
}

/**
 * The task (tasks.js) of a fit. Each view (learner.js) is a block. The first must succeed; the others are linear models
 * beside, which choose their own alpha. It results in the core's bytes for each view, or { missing } with the reason
 * why there are none.
 */
export class FitTask {
  isLong = true;
  maps = [];
  name = "fit"; // in workers
  lent = []; // what came of folds that another worker has held out, until the worker of the first view gets it
  #shares; // of each block, how much is done

  /** `views` are { block, nComponents }, and `words` has the words of each. */
  constructor(views, words, options) {
    this.weights = views.map(({ nComponents }) => nComponents ** 3);
    const ms = 3e-7 * this.weights.reduce((a, b) => a + b, 0);
    this.rows = views.length;
    this.cost = { msPerRow: ms / this.rows, measured: false };
    this.#shares = views.map(() => 0);
    Object.assign(this, { views, words, options, results: [] });
  }

  take() {
    return 1;
  }

  /** Returns how much of the fit is done, when `share` of a block is. The worker that is at it waits for `held`. */
  done(start, share, thread, part) {
    if (part) this.lent.push(part);
    else if (start === 0 && thread) {
      for (const lent of this.lent.splice(0)) thread.post({ type: "fold", job: this.id, lent });
    }
    if (this.held && thread) {
      const tell = (isHeld) => thread.post({ type: "hold", job: this.id, isHeld });
      tell(true);
      this.held.then(() => tell(false));
    }
    this.#shares[start] = share;
    const sum = (values) => values.reduce((a, b) => a + b);
    return sum(this.weights.map((weight, i) => weight * this.#shares[i])) / sum(this.weights);
  }

  /** Returns the steps of a block in this thread. */
  steps(core, start) {
    return steps(core, this.views[start], this.words[start], this.#options(start));
  }

  async compute(core, start, rows, job) {
    const run = this.steps(core, start);
    try {
      for (let began = performance.now(), step = run.next(); ; step = run.next()) {
        if (step.done) {
          this.results[start] = step.value;
          return;
        }
        if (performance.now() - began < SLICE.ms) continue;
        job.progressed(start, step.value);
        await giveWay();
        await this.held;
        if (job.settled) return;
        began = performance.now();
      }
    } finally {
      run.return();
    }
  }

  bytes(start) {
    return { input: this.words[start].length, output: 0 };
  }

  write(input, start) {
    new Uint8Array(input).set(this.words[start]);
    const { block, nComponents } = this.views[start];
    return { task: this.name, view: { block, nComponents }, wordBytes: this.words[start].length,
      options: this.#options(start) };
  }

  receive(start, rows, output, result) {
    this.results[start] = result;
  }

  /** Reports whether the fit goes on without a block that failed. */
  spares(start, error) {
    if (start === 0 || !(error instanceof TensorSketchError)) return false;
    this.results[start] = { missing: error.message };
    return true;
  }

  moved(error) {
    delete error.rowsDone;
    return error;
  }

  failure(error) {
    return this.moved(error);
  }

  changed() {
    return null;
  }

  doing() {
    return "fitted a model";
  }

  result() {
    return this.results;
  }

  #options(start) {
    return start === 0 ? this.options : { ...this.options, alpha: 0 };
  }
}

/** The task (tasks.js) of holding folds out for a fit, which another worker is at. It is one block without a result. */
class FoldsTask extends FitTask {
  name = "folds";

  constructor(fit) {
    super(fit.views.slice(0, 1), fit.words, fit.options);
    Object.assign(this, { fit, lent: fit.lent });
  }

  get held() {
    return this.fit.held;
  }

  async compute() {} // this thread would only be slower
}

/**
 * The task (tasks.js) of a search (search.js). It is one block, and results in the core's bytes. `chosen` is a promise
 * of these before rows are predicted that no choice has seen.
 */
export class SearchTask extends FitTask {
  #choose;

  /**
   * `values` are the int32 classes or float64 targets of the rows, and `block` of ts_search_new (wasm/search.go).
   * `places` says which rows of the caller these are, if not all.
   */
  constructor(block, source, values, places) {
    super([{ nComponents: 1 }], [new Uint8Array(0)], null);
    Object.assign(this, { block, source, values, places });
    this.cost = { msPerRow: LONG_MS, measured: false };
    this.chosen = new Promise((resolve) => (this.#choose = resolve));
  }

  done(start, share, thread, chosen) {
    if (chosen) this.#choose(chosen);
    return super.done(start, share, thread);
  }

  steps(core) {
    return core.search(this.block, this.source, this.values);
  }

  bytes() {
    return { input: this.#places().all, output: 0 };
  }

  write(input) {
    const { block, source, values } = this;
    const places = this.#places();
    source.write(input, 0, 0, source.rows);
    new values.constructor(input, places.values, values.length).set(values);
    new Uint8Array(input, places.block, block.length).set(block);
    return { task: "search", rows: source.rows, nnz: source.nnz(0, source.rows),
      sparse: source.sparse, nFeatures: source.nFeatures, length: values.length,
      isRegression: values instanceof Float64Array, places, blockBytes: block.length };
  }

  failure(error) {
    const failed = withLargeValue(this.moved(error), [this.source]);
    return this.places && failed.row >= 0 ? moved(failed, { row: this.places[failed.row] }) : failed;
  }

  doing() {
    return "searched for a model";
  }

  result() {
    return this.results[0];
  }

  /** Returns where the parts of the input begin, and its length. */
  #places() {
    const { block, source, values } = this;
    return placesOf({ rows: source.byteLength(0, source.rows), values: values.byteLength, block: block.length });
  }
}

/** The task (tasks.js) of a fit in passes over rows. It is one block. */
export class RowsTask extends FitTask {
  /**
   * `labels` is { values, each, weights } of the rows of the source, and `block` of ts_rows_fit (wasm/rowsfit.go).
   * `view` with its `words` are the moments of the same rows. Without them `view` is null.
   */
  constructor(map, block, source, labels, view = null, words = new Uint8Array(0)) {
    super([{ nComponents: 1 }], [words], null);
    Object.assign(this, { map, maps: [map], block, source, labels, view });
    this.cost = { msPerRow: source.rows * map.msPerRow + LONG_MS, measured: false };
  }

  async compute(core, start, rows, job) {
    await giveWay();
    const { map, block, source, labels, view, words: [words] } = this;
    this.results[start] = core.fitInPasses(map, block, source, labels, view, words, (share) => {
      job.progressed(start, share);
      return !job.settled;
    });
  }

  bytes() {
    return { input: this.#places().all, output: 0 };
  }

  write(input) {
    const { source, labels: { values, each, weights }, block, words: [words], view, map } = this;
    const places = this.#places();
    source.write(input, 0, 0, source.rows);
    new values.constructor(input, places.labels, values.length).set(values);
    if (weights) new Uint8Array(input, places.weights, source.rows).set(weights);
    new Uint8Array(input, places.block, block.length).set(block);
    new Uint8Array(input, places.words, words.length).set(words);
    return {
      task: "passes", map: map.id, rows: source.rows, nnz: source.nnz(0, source.rows),
      sparse: source.sparse, each, isRegression: values instanceof Float64Array, isWeighted: weights !== null, places,
      blockBytes: block.length, wordBytes: words.length,
      view: view && { block: view.block, nComponents: view.nComponents },
    };
  }

  failure(error) {
    return withLargeValue(this.moved(error), [this.source]);
  }

  doing() {
    return "fitted a model in passes over the rows";
  }

  result() {
    return this.results[0];
  }

  /** Returns where the parts of the input begin, and its length. */
  #places() {
    const { source, labels: { values }, block, words: [words] } = this;
    return placesOf({ rows: source.byteLength(0, source.rows), labels: values.byteLength, weights: source.rows,
      block: block.length, words: words.length });
  }
}

/** Returns the head of a fit in passes, which began at another head. */
export function headOfPasses(bytes, loss, { task, classes, report: { linear } }) {
  const { report: { warnings, solver, ...report }, ...head } = readResult(bytes, classes);
  return { task, loss, classes, ...head, report: { ...report, linear, solver, ...(warnings ? { warnings } : {}) } };
}

/**
 * Returns the block for ts_rows_fit. `targets` is their number, or 0 for classes. `cost` is C or alpha, or 0 for the
 * default. A fit begins at the head `start` if there is one.
 */
export function encodePasses({ loss, outputs, targets = 0, cost, tolerance, maxPasses, holdOut, precondition = false },
  start) {
  const block = new Block();
  block.numbers(LOSSES.indexOf(loss), outputs, Number(targets > 0), cost, tolerance, maxPasses, Number(holdOut),
    Number(precondition), Number(start !== undefined));
  if (start) {
    block.raw(start.intercept);
    block.raw(start.weights);
  }
  return block.bytes();
}

/** Returns the head of a fit to released moments, with the guarantee of the release. */
export function headOfReleased(bytes, { task, classes, epsilon, delta }) {
  const { report: { warnings, ...report }, ...head } = readResult(bytes, classes);
  return { task, loss: "squared", classes, ...head, report: { ...report, private: { epsilon, delta }, warnings } };
}

/** Returns the head (head.js) of a fit's result. `linear` is the result of the rows themselves, or { missing }. */
export function headOf(bytes, { task, classes }, linear) {
  const { report, ...head } = readResult(bytes, classes);
  if (linear.missing !== undefined) report.linear = { missing: linear.missing };
  else report.linear = besideOf(linear, classes);
  const { warnings, ...rest } = report; // the last key of a report
  return { task, loss: "squared", classes, ...head, report: warnings ? { ...rest, warnings } : rest };
}

/** Returns what a report says of the linear model beside, from its result. */
export function besideOf(bytes, classes) {
  const { alpha, report: { df = 0, heldOut } } = readResult(bytes, classes);
  return { alpha, df, ...(heldOut ? { heldOut } : {}) };
}

/** Reads the result of a fit (wasm/learn.go). */
function readResult(bytes, classes) {
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 8));
  const [D, K, alpha, rule, df, rows, clipped, calibrated, heldRows, r2, accuracy, iterations, gradient, converged,
    textBytes, lists] = numbers;
  let at = 16;
  const take = (n) => numbers.slice(at, (at += n));
  const counts = take(K);
  const intercept = take(K);
  const weights = take(K * D);
  const calibration = calibrated === 0 ? null : calibrated === 2 ? "softmax"
    : calibrated === 3 ? { clip: take(1)[0] } : { offset: take(K), matrix: take(K * K) };
  const conformal = lists === 0 ? null : {
    ...(classes ? {} : { unit: take(K) }), counts: Array.from({ length: lists }, () => take(CONFORMAL_BINS)),
  };
  const text = new TextDecoder().decode(bytes.subarray(8 * at, 8 * at + textBytes));
  const report = { rows };
  if (classes && counts[0] >= 0) report.counts = Array.from(counts);
  Object.assign(report, { clipped, rule: RULES[rule] });
  if (df !== 0) report.df = df;
  if (heldRows > 0) {
    report.heldOut = { rows: heldRows };
    if (!Number.isNaN(r2)) report.heldOut.r2 = r2;
    if (!Number.isNaN(accuracy)) report.heldOut.accuracy = accuracy;
  }
  if (!Number.isNaN(gradient)) report.solver = { iterations, gradient, converged: converged === 1 };
  if (text) report.warnings = text.split("\n").slice(0, -1);
  return { alpha, intercept, weights, calibration, conformal, report };
}

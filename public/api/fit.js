// Fits models to sums of products, in a worker or in slices of this thread.

import { TensorSketchError } from "./errors.js";
import { SLICE, giveWay } from "./slices.js";

const RULES = ["given", "cross-validation", "held-out", "noise"];
const PROGRESS_MS = 30;

/**
 * Fits the words of each view (learner.js). Yields how much is done, from 0 to 1, after each step, and returns a result
 * for each view: bytes of the core, or { missing } with the reason why there is none. Only the first view must succeed.
 */
export function* fitSteps(core, views, words, options) {
  const weights = views.map(({ nComponents }) => nComponents ** 3);
  const total = weights.reduce((a, b) => a + b);
  const results = [];
  let done = 0;
  for (const [i, view] of views.entries()) {
    try {
      // the linear model beside chooses its own alpha
      for (const share of steps(core, view, words[i], i === 0 ? options : { ...options, alpha: 0 }, results)) {
        yield (done + share * weights[i]) / total;
      }
    } catch (error) {
      if (i === 0 || !(error instanceof TensorSketchError)) throw error;
      results.push({ missing: error.message });
    }
    done += weights[i];
  }
  return results;
}

function* steps(core, view, words, options, results) {
  const fit = core.beginRidge(view, words, options);
  try {
    for (let done = core.stepRidge(fit); done <= 1; done = core.stepRidge(fit)) yield done;
    results.push(core.takeRidge(fit));
  } finally {
    core.freeSums(fit);
  }
}

/** Runs a fit to its end, as a worker does. `onProgress` gets how much is done. */
export function fitAtOnce(core, { views, sizes, options }, words, onProgress) {
  const run = fitSteps(core, views, split(words, sizes), options);
  let last = performance.now();
  for (let step = run.next(); ; step = run.next()) {
    if (step.done) return step.value;
    if (performance.now() - last < PROGRESS_MS) continue;
    last = performance.now();
    onProgress(step.value);
  }
}

function split(words, sizes) {
  let at = 0;
  return sizes.map((size) => words.subarray(at, (at += size)));
}

/** The task (tasks.js) of a fit. It is one block. */
export class FitTask {
  isLong = true;
  maps = [];
  rows = 1;

  /** `views` are { block, nComponents }, and `sizes` the bytes of each of them in `words`. */
  constructor(views, sizes, words, options) {
    const ms = views.reduce((sum, { nComponents }) => sum + 3e-7 * nComponents ** 3, 0);
    Object.assign(this, { views, sizes, words, options, cost: { msPerRow: ms, measured: false }, results: null });
  }

  take() {
    return 1;
  }

  async compute(core, start, rows, job) {
    const run = fitSteps(core, this.views, split(this.words, this.sizes), this.options);
    try {
      for (let began = performance.now(), step = run.next(); ; step = run.next()) {
        if (step.done) {
          this.results = step.value;
          return;
        }
        if (performance.now() - began < SLICE.ms) continue;
        job.progressed(step.value);
        await giveWay();
        if (job.settled) return;
        began = performance.now();
      }
    } finally {
      run.return();
    }
  }

  bytes() {
    return { input: this.words.length, output: 0 };
  }

  write(input) {
    new Uint8Array(input).set(this.words);
    const views = this.views.map(({ block, nComponents }) => ({ block, nComponents }));
    return { task: "fit", views, sizes: this.sizes, options: this.options };
  }

  receive(start, rows, output, results) {
    this.results = results;
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
}

/** Returns the head (head.js) of a fit's result. `linear` is the result of the rows themselves, or { missing }. */
export function headOf(bytes, { task, classes }, linear) {
  const { report, ...head } = readResult(bytes, classes);
  if (linear.missing !== undefined) report.linear = { missing: linear.missing };
  else {
    const beside = readResult(linear, classes);
    report.linear = { alpha: beside.alpha, df: beside.report.df ?? 0 };
    if (beside.report.heldOut) report.linear.heldOut = beside.report.heldOut;
  }
  const { warnings, ...rest } = report; // the last key of a report
  return { task, loss: "squared", classes, ...head, report: warnings ? { ...rest, warnings } : rest };
}

/** Reads the result of a fit (wasm/learn.go). */
function readResult(bytes, classes) {
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 8));
  const [D, K, alpha, rule, df, rows, clipped, isCalibrated, heldRows, heldR2, textBytes] = numbers;
  let at = 11;
  const take = (n) => numbers.slice(at, (at += n));
  const counts = take(K);
  const intercept = take(K);
  const weights = take(K * D);
  const calibration = isCalibrated ? { offset: take(K), matrix: take(K * K) } : null;
  const text = new TextDecoder().decode(bytes.subarray(8 * at, 8 * at + textBytes));
  const report = { rows };
  if (classes) report.counts = Array.from(counts);
  Object.assign(report, { clipped, rule: RULES[rule] });
  if (df !== 0) report.df = df;
  if (!Number.isNaN(heldR2)) report.heldOut = { rows: heldRows, r2: heldR2 };
  if (text) report.warnings = text.split("\n").slice(0, -1);
  return { alpha, intercept, weights, calibration, report };
}

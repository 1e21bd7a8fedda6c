// Model: a map with a head, which predicts labels or numbers from rows.

import { allocate } from "./buffers.js";
import { checkCallback, checkOptions, checkRunning, fault, paramError } from "./errors.js";
import { partsOf } from "./featuremap.js";
import { encodeHead, writeHead } from "./head.js";
import { importances } from "./importance.js";
import { Job } from "./job.js";
import { indicesOf, readLabels, readTargets } from "./labels.js";
import { PREPARED_VERSION } from "./model.js";
import { isRecords } from "./records.js";
import { repeatable, valuesOf } from "./rows.js";
import { CONFORMAL_BINS } from "./tables.js";
import { WholeTask } from "./wholetask.js";

/** Returns the bin of the row at a level. Throws if the rows are too few to say. */
function binAt(counts, level) {
  const rows = counts.reduce((a, b) => a + b);
  const place = Math.ceil((rows + 1) * level);
  if (place > rows) throw paramError("interval", `be lower: ${rows} rows that were held out say nothing of it`, level);
  let sum = 0;
  return counts.findIndex((n) => (sum += n) >= place);
}

function checkTop(k) {
  if (!Number.isInteger(k) || k < 1) throw paramError("k", "be a whole number of classes, 1 or more", k);
}

export class Model {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("send or store JSON.stringify(model), for ts.fromJSON");
  #engine;
  #head;
  #map; // a FeatureMap of its own
  #parts; // settings and the rest, with a preparation
  #plain = null; // the map without the preparation, once it is asked for
  #classes; // as a program has them
  #told = false; // that cells were cut
  #toldOf = new Set(); // notes of rows as objects

  /** `head` is what readHead gives; `settings` and `held` make the map. `classes` take the place of the head's. */
  constructor(engine, settings, held, head, classes = head.classes) {
    this.#engine = engine;
    this.#head = head;
    this.#classes = classes && Object.freeze([...classes]);
    this.#parts = { settings, held };
    this.#map = new engine.Map(engine, settings, {
      ...held,
      head: { block: encodeHead(head, settings.repeats * settings.nComponents), outputs: head.intercept.length },
    });
  }

  get task() {
    return this.#head.task;
  }

  get loss() {
    return this.#head.loss;
  }

  get classes() {
    return this.#classes;
  }

  get alpha() {
    return this.#head.alpha;
  }

  get report() {
    return this.#head.report;
  }

  get map() {
    const { settings, held: { preparation, preprocessing: _, ...held } } = this.#parts;
    if (!preparation) return this.#map;
    this.#plain ??= new this.#engine.Map(this.#engine, settings, held);
    return this.#plain;
  }

  get preparation() {
    return this.#parts.held.preparation?.file ?? null;
  }

  predict(X, options = {}) {
    const { interval, onNotes } = checkOptions(options, ["interval", "onNotes"]);
    const rows = this.#numbers(X, onNotes);
    if (interval !== undefined) return this.#within(rows, interval, X);
    this.#tellCut(X, rows);
    return this.#labelled(this.#task(rows).run());
  }

  /** Returns predictions with intervals, or with sets of classes, of a level (sketch/learn/conformal.go). */
  #within(X, level, given) {
    const { conformal, intercept: { length: K } } = this.#head;
    if (typeof level !== "number" || !(level > 0 && level < 1)) {
      throw paramError("interval", "be between 0 and 1, such as 0.9", level);
    }
    if (!conformal) {
      throw fault("interval", "interval must be left out: this model does not know how far off it is on rows that it " +
        "has not seen. Fit it mergeable, with folds 5 and loss squared, from rows and not from sums alone");
    }
    const bins = conformal.counts.map((counts) => binAt(counts, level));
    this.#tellCut(given, X);
    if (this.task === "regress") {
      const values = this.scores(X);
      const radii = bins.map((i, k) => 2 ** Math.floor(i / 32) * (1 + (i % 32) / 32) * conformal.unit[k]);
      return { values, low: values.map((v, i) => v - radii[i % K]), high: values.map((v, i) => v + radii[i % K]) };
    }
    const p = this.probabilities(X);
    const least = 1 - (bins[0] + 1) / CONFORMAL_BINS;
    const labels = this.#labelled(this.#task(X).run());
    const sets = labels.map((label, i) => this.classes.filter((c, k) => c === label || p[i * K + k] >= least));
    return { labels, sets };
  }

  async predictAsync(X, options) {
    const rows = await this.#come(X, options);
    this.#tellCut(X, rows);
    return this.#labelled(await this.#run(this.#task(rows), options));
  }

  scores(X) {
    return this.#task(this.#numbers(X), "scores").run();
  }

  async scoresAsync(X, options) {
    return this.#run(this.#task(await this.#come(X, options), "scores"), options);
  }

  probabilities(X) {
    return this.#task(this.#numbers(X), "probabilities").run();
  }

  async probabilitiesAsync(X, options) {
    return this.#run(this.#task(await this.#come(X, options), "probabilities"), options);
  }

  top(X, k = 3) {
    checkTop(k);
    return this.#ranked(this.probabilities(X), k);
  }

  async topAsync(X, k = 3, options) {
    checkTop(k);
    return this.#ranked(await this.probabilitiesAsync(X, options), k);
  }

  evaluate(X, y) {
    const { task, measures } = this.#evaluation(X, y);
    return measures(task.run());
  }

  async evaluateAsync(X, y, options) {
    if (isRecords(X)) await this.#engine.reader.fetched();
    const { task, measures } = this.#evaluation(X, y);
    return measures(await this.#run(task, options));
  }

  /** Returns the task that predicts rows with labels, and what makes measures of what it finds. */
  #evaluation(X, y) {
    const { rows, labels, ...said } = this.#labelledRows(X, y);
    const task = this.#task(rows);
    const truth = this.#truth(task, labels);
    return { task, measures: (found) =>
      ({ ...this.#metrics(truth, found, task.losses), ...this.#cutOf(rows), ...said }) };
  }

  cut(X) {
    const rows = this.#numbers(X);
    this.#task(rows); // checks them
    return this.#cutOf(rows).cut ?? 0;
  }

  /** Returns rows as numbers: rows as objects are read by the columns of the model, and their notes told. */
  #numbers(X, onNotes) {
    checkCallback(onNotes, "onNotes");
    if (!isRecords(X)) return repeatable(X);
    const { rows, notes } = this.#read(X);
    this.#tell(notes, onNotes);
    return rows;
  }

  /** Does the same once what reads rows as objects is there. */
  async #come(X, options = {}) {
    const { onNotes } = checkRunning(options, ["onNotes"]);
    if (isRecords(X)) await this.#engine.reader.fetched();
    return this.#numbers(X, onNotes);
  }

  /** Reads rows as objects: { rows, notes }, with the labels of the file if they are wanted. */
  #read(X, task) {
    const { preprocessing } = this.#parts.held;
    if (!preprocessing) {
      throw fault("X", "X must be rows of numbers, got rows as objects: this model knows no columns, as one of " +
        "ts.fit(rows, { label }) does");
    }
    const { reader: { atHand } } = this.#engine, { preparation } = this;
    return atHand.readRows(X, { preprocessing, preparation }, task && { task, classes: this.#head.classes });
  }

  /** Returns rows with their labels, which rows as objects have themselves, unless y is given. */
  #labelledRows(X, y) {
    if (!isRecords(X)) return { rows: repeatable(X), labels: y ?? (X?.length === 0 ? X : y) };
    const { rows, labels, notes } = this.#read(X, y === undefined ? this.task : undefined);
    const { classes } = this.#head;
    return { rows, notes, labels: y ?? (classes ? labels.map((label) => this.#classes[classes.indexOf(label)] ?? label)
      : labels) };
  }

  /** Tells what was seen in rows as objects and not used or replaced: to the caller, or once to the console. */
  #tell(notes, onNotes) {
    if (onNotes !== undefined) {
      onNotes(notes);
      return;
    }
    for (const { code, column, what, remedy } of notes) {
      const key = `${code} ${column}`;
      if (this.#toldOf.has(key)) continue;
      this.#toldOf.add(key);
      console.warn(`tensorsketch: rows: ${what}${remedy ? `; ${remedy}` : ""}. This is said once for a model; ` +
        "onNotes hears it each time.");
    }
  }

  #ranked(p, k) {
    const { classes } = this;
    return Array.from({ length: p.length / classes.length }, (_, row) =>
      classes.map((label, c) => ({ label, probability: p[row * classes.length + c] }))
        .sort((a, b) => b.probability - a.probability).slice(0, k));
  }

  /** Warns at the first rows of numbers that have cells which the preparation cuts. Rows as objects have notes. */
  #tellCut(X, rows) {
    const { cut = 0 } = this.#told || isRecords(X) ? {} : this.#cutOf(rows);
    if (cut === 0) return;
    this.#told = true;
    console.warn("tensorsketch: numbers of X that lie outside the range that the model was prepared for, and count " +
      `as its end, or that are missing where none was, and count as the mean: ${cut}. Check them. model.cut(X) ` +
      "counts them; this is said once for a model.");
  }

  /** Returns how many cells of rows the preparation cuts, as { cut }, or {} without one. */
  #cutOf(X) {
    if (!this.preparation) return {};
    const { source, living } = partsOf(this.#map);
    return { cut: this.#engine.core.countPrepared(living, source(X)).cut };
  }

  importance(X, y, options = {}) {
    const { columns } = checkOptions(options, ["columns"]);
    if (isRecords(X)) {
      throw fault("X", "X must be rows of numbers for importance, got rows as objects");
    }
    const given = repeatable(X);
    const rows = partsOf(this.#map).source(given);
    if (rows.sparse) throw paramError("X", "be dense for importance", "sparse rows");
    const truth = this.#truth(this.#task(given), y);
    const outputs = this.#head.intercept.length;
    if (this.task === "regress" && outputs > 1) throw paramError("targets", "be 1 for importance", outputs);
    const dense = new Float32Array(rows.rows * rows.nFeatures);
    rows.write(dense.buffer, 0, 0, rows.rows);
    const mean = truth.reduce((a, b) => a + b, 0) / truth.length;
    const spread = this.task === "regress" ? truth.reduce((sum, t) => sum + (t - mean) ** 2 / truth.length, 0) : 1;
    return importances(dense, rows.nFeatures, columns, (changed) => Float64Array.from(this.#task(changed).run(),
      (found, i) => (this.task === "regress" ? (found - truth[i]) ** 2 / spread : Number(found !== truth[i]))));
  }

  toJSON(options) {
    const { preparation } = this;
    return { ...this.#map.toJSON(options),
      ...(preparation || this.#head.calibration?.clip || this.#head.conformal ? { version: PREPARED_VERSION } : {}),
      ...(preparation ? { preparation: structuredClone(preparation) } : {}),
      head: writeHead(this.#head) };
  }

  get [Symbol.toStringTag]() {
    return "Model";
  }

  /** What console.log shows in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { task, loss, alpha, classes, report } = this.#head;
    return `Model ${inspect({ task, loss, alpha, ...(classes ? { classes } : {}), report }, options)}`;
  }

  dispose() {
    this.#map.dispose();
    this.#plain?.dispose();
  }

  /** Returns the task that predicts `want`, by default what `predict` does. */
  #task(X, want = this.task === "classify" ? "classes" : "scores") {
    const { source, living } = partsOf(this.#map);
    if (want === "probabilities") this.#mustHaveProbabilities();
    return new PredictTask(this.#engine.core, living, source(X), want);
  }

  #mustHaveProbabilities() {
    if (this.task !== "classify") {
      throw fault("task", 'task must be "classify" for probabilities, got "regress"');
    }
    if (this.#head.calibration) return;
    const why = this.#head.report?.warnings?.find((text) => text.startsWith("no probabilities"));
    throw fault("calibration", why ? `calibration is missing: ${why}` : "this model has no probabilities, since no " +
      "rows were held out when it was fitted; fit it with folds 1 or 5");
  }

  #labelled(found) {
    return this.task === "regress" ? found : Array.from(found, (k) => this.classes[k]);
  }

  /** Reads the labels or targets of the rows of a task, and has the task look up the losses of labels. */
  #truth(task, given) {
    const y = valuesOf(given);
    if (this.task === "regress") return readTargets(y, task.rows, this.#head.intercept.length);
    const truth = indicesOf(readLabels(y, task.rows), this.classes);
    if (this.#head.calibration) task.compareWith(truth);
    return truth;
  }

  #metrics(truth, found, losses) {
    const outputs = this.#head.intercept.length;
    if (this.task === "classify") {
      return classMetrics(this.#engine.core.classMetrics(outputs, truth, found, losses), outputs);
    }
    const all = this.#engine.core.targetMetrics(outputs, truth, found);
    const targets = Array.from({ length: outputs }, (_, k) => targetMetrics(all.subarray(9 * k, 9 * k + 9)));
    const rows = truth.length / outputs;
    return outputs === 1 ? { rows, ...targets[0] } : { rows, targets };
  }

  async #run(task, options = {}) {
    const { signal, onProgress } = checkRunning(options, ["onNotes"]);
    signal?.throwIfAborted();
    if (task.rows > 0) {
      const job = new Job({ owner: this, task, signal, onProgress });
      this.#engine.pool.run(job);
      return job.promise;
    }
    onProgress?.(0, 0);
    return task.result();
  }
}

if (Symbol.dispose) Model.prototype[Symbol.dispose] = Model.prototype.dispose;

/** The task (tasks.js) of predicting from rows. */
class PredictTask extends WholeTask {
  truth = null;
  losses = null;
  #core;

  constructor(core, map, source, want) {
    const each = want === "classes" ? 1 : map.head.outputs;
    super([map], source, map, map.nComponents + map.head.outputs);
    Object.assign(this, { map, want, each, Numbers: want === "classes" ? Int32Array : Float64Array });
    this.#core = core;
    this.out = newNumbers(this.Numbers, each * source.rows);
  }

  compareWith(truth) {
    this.truth = truth;
    this.losses = newNumbers(Float64Array, this.rows);
  }

  run() {
    try {
      this.compute(this.#core, 0, this.rows);
    } catch (error) {
      throw this.failure(error);
    }
    return this.out;
  }

  compute(core, start, rows) {
    const part = (list, each) => list?.subarray(start * each, (start + rows) * each);
    core.predict(this.map, this.source, this.want, part(this.out, this.each),
      { truth: part(this.truth, 1), losses: part(this.losses, 1), start, end: start + rows });
  }

  bytes(start, rows) {
    const { inputBytes, outputBytes } = this.#sizes(start, rows);
    return { input: inputBytes + (this.truth ? 4 * rows : 0), output: outputBytes + (this.truth ? 8 * rows : 0) };
  }

  write(input, start, rows) {
    const { map, source, want } = this;
    source.write(input, 0, start, rows);
    const { inputBytes } = this.#sizes(start, rows);
    if (this.truth) new Int32Array(input, inputBytes, rows).set(this.truth.subarray(start, start + rows));
    return { task: "predict", map: map.id, rows, nnz: source.nnz(start, rows),
      sparse: source.sparse, want, truthAt: this.truth ? inputBytes : -1 };
  }

  receive(start, rows, output) {
    this.out.set(new this.Numbers(output, 0, rows * this.each), start * this.each);
    const { outputBytes } = this.#sizes(start, rows);
    this.losses?.set(new Float64Array(output, outputBytes, rows), start);
  }

  doing(start, rows) {
    return `predicted rows ${start} to ${start + rows - 1}`;
  }

  result() {
    return this.out;
  }

  /** Returns the bytes of a block's rows, and of what is predicted for them. */
  #sizes(start, rows) {
    const { BYTES_PER_ELEMENT } = this.Numbers;
    return { inputBytes: this.source.byteLength(start, rows),
      outputBytes: 8 * Math.ceil(BYTES_PER_ELEMENT * this.each * rows / 8) };
  }
}

function newNumbers(Numbers, length) {
  return allocate(Numbers, length,
    `${length} predicted numbers are more than this engine can allocate: predict fewer rows at a time`);
}

/** Returns numbers of the core as the metrics of classes. */
function classMetrics(numbers, outputs) {
  const [rows, unknown, accuracy, low, high, logLoss] = numbers;
  const list = (at, n = outputs) => Array.from(numbers.subarray(at, at + n));
  return {
    rows, unknown, accuracy, accuracyInterval: [low, high], logLoss,
    precision: list(6), recall: list(6 + outputs),
    confusion: Array.from({ length: outputs }, (_, t) => list(6 + (2 + t) * outputs)),
  };
}

function targetMetrics([r2, r2Low, r2High, rmse, rmseLow, rmseHigh, mae, maeLow, maeHigh]) {
  return { r2, r2Interval: [r2Low, r2High], rmse, rmseInterval: [rmseLow, rmseHigh], mae,
    maeInterval: [maeLow, maeHigh] };
}

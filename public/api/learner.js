// Learner: exact sums of products of features, from which models are fitted. This file keeps the sums as bytes, and the
// labels; the core adds rows and fits. The sums have a view of the features and, for the linear model beside, one of
// the rows themselves. sumwords.js knows their words, learneroptions.js the options, addtask.js adds rows.

import { AddTask } from "./addtask.js";
import { drop } from "./buffers.js";
import { checkSame, hasSide } from "./compare.js";
import { checkIsBoolean, checkOptions, checkRunning, disposedError, fault, paramError } from "./errors.js";
import { partsOf } from "./featuremap.js";
import { encodePasses, FitTask, headOf, headOfPasses, RowsTask, runFit, runTask } from "./fit.js";
import { withCandidates, withCut } from "./head.js";
import { classesOf } from "./labels.js";
import { bytesOfBase64, readLearner, writeLearner, writeLearnerBytes } from "./learnerfile.js";
import { checkSingle, identityMap, readMap } from "./learnermap.js";
import {
  FIT_KEYS, gridsOfFile, optionsOf, preparationOf, readFitOptions, readGrids, readPrivate, readRadius,
  readRange, readRowLabels, readTargetCount, readTaskClasses, SPEC_KEYS, taskOf,
} from "./learneroptions.js";
import { noveltyOf } from "./novelty.js";
import { Block } from "./params.js";
import { Model } from "./predict.js";
import { linearOf } from "./preparation.js";
import { featureRows, repeatable, rowSource, withLargeValue } from "./rows.js";
import {
  classesWithRows, joined, keptWithClasses, layoutOf, NONE, PARTS, releasedWords, rowsOf, sameList, withClasses,
  withoutTally, withTally,
} from "./sumwords.js";
import { LEARNING, LIMIT, MOST_COMPONENTS, TALLY_WORDS } from "./tables.js";

const RELEASE_KEYS = ["epsilon", "delta", "ledger", "rows"];
const ROWS_PER_COMPONENT = 20; // from here on sums make passes fewer, as in sketch/learn/rowsfit.go
const PRODUCTS_PER_MS = 8e6; // until it is measured
const UNFIXED = "found in the rows";

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
  #candidates; // of the search that chose the map, if there was one; of ts.fit a promise

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
    const range = task === "regress" ? readRange(options.targetRange) : [0, 0];
    const parts = folds === undefined ? isPrivate ? 0 : LEARNING.folds[task] : folds;
    if (![0, 1, 5].includes(parts)) throw paramError("folds", "be 0, 1 or 5", folds);
    if (typeof keep !== "number" || !(keep >= 0 && keep <= 1)) {
      throw paramError("keep", "be a share of the rows, 0 to 1", keep);
    }
    checkIsBoolean("linear", linear);
    this.#prepared = preparationOf(options);
    ({ parts: this.#parts, text: this.#preprocessing } = readMap(map, nFeatures, preprocessing, this.#prepared));
    const radius = file?.state.radius === 0 ? 0 : readRadius(options.radius);
    this.#map = checkSingle(new engine.Map(engine, this.#parts.settings, this.#parts.held));
    try {
      this.#spec = { task, private: isPrivate, targets, radius, targetRange: range, folds: parts, keep };
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
    return rowsOf(this.#words, this.#layouts()[0], this.#spec.folds);
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
    const { weights, signal, onProgress } = checkRunning(options, ["weights"]);
    signal?.throwIfAborted();
    const task = this.#adding(X, y, weights);
    if (task.rows === 0) {
      onProgress?.(0, 0);
      return;
    }
    const cut = this.#cutCells(task);
    await this.#run(task, { signal, onProgress }).finally(() => this.#living());
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
    const { signal, onProgress, ...rest } = checkRunning(options, FIT_KEYS);
    const fitOptions = readFitOptions(rest);
    signal?.throwIfAborted();
    this.#checkClasses();
    const [own, ...others] = this.#viewWords(true);
    const task = new FitTask(this.#blocks(this.#views, this.#classes), [joined([own, this.#kept]), ...others],
      fitOptions);
    const [result, linear = { missing: this.#missing }] = await runFit(this.#engine, this, task,
      this.count, { signal, onProgress });
    const head = headOf(result, { task: this.task, classes: this.classes }, linear);
    return withCandidates(withCut(head, this.#prepared && this.#cut), await this.#candidates);
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

  novelty(X) {
    const rows = repeatable(X);
    const Z = this.#living().transform(rows);
    const cut = this.#cutCells({ source: partsOf(this.#map).source(rows), labels: {} });
    return { cut, ...noveltyOf(this.#engine.core, this.#blocks(this.#views, this.#classes)[0],
      joined([this.#viewWords(true)[0], this.#kept]), Z) };
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
      throw fault("private", "private must be true for a release: make a learner with private, with a radius and " +
        "classes or targetRange that are public, and add the rows to it");
    }
    if (rows !== this.count) {
      throw paramError("rows", `be ${this.count}, the public number of rows: none may be left out for what it ` +
        "holds", rows);
    }
    const [view] = this.#views;
    const [own] = this.#blocks([view], this.#classes);
    const { sigma, words } = releases.releaseMoments(core, { ...own, bound: view.bound }, this.#viewWords()[0],
      releasedWords(this.#layouts()[0]), { epsilon, delta, rows, ledger });
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
    const layouts = this.#layouts();
    const views = this.#viewWords().map((words, i) => withoutTally(words, layouts[i]));
    const isKnown = this.#spec.keep > 0 && (this.#kept.length > 0 || this.#words === null);
    const kept = isKnown ? (this.#words ? this.#kept : new Uint8Array(4)) : undefined;
    return { views: views.map(({ words }) => words), kept,
      tally: this.#spec.private ? undefined : joined(views.flatMap(({ tally }) => tally)) };
  }

  /** Returns the words of views with what was counted of their rows, where a file says it, and else with zeros. */
  #countedWords(views, tally) {
    const size = 8 * TALLY_WORDS * PARTS[this.#spec.folds], bytes = this.#views.length * size;
    const counted = tally(bytes) ?? new Uint8Array(bytes);
    const layouts = this.#layouts();
    return views.map((words, i) => withTally(words, layouts[i], counted.subarray(i * size, (i + 1) * size)));
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
    const layouts = this.#layouts();
    const rows = this.#views.map((_, i) => rowsOf(views[i], layouts[i], this.#spec.folds));
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
    if (!this.#engine.alive()) throw disposedError("module");
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
      const bytes = bytesOfBase64(finer);
      block.numbers(nComponents, count, targets, step, low, high, folds, bound, views[i] === this.#views[0] ? keep : 0,
        limit, bytes.length);
      block.padded(bytes);
      return { map, nComponents, block: block.bytes() };
    });
  }

  /** Returns the layout of the words of each view (sumwords.js). */
  #layouts(classes = this.#classes) {
    return this.#views.map(({ nComponents }) => layoutOf(nComponents, this.#spec, classes));
  }

  /** Returns the bytes of the words of each view. */
  #sizes(classes = this.#classes) {
    return this.#layouts(classes).map(({ words }) => 8 * PARTS[this.#spec.folds] * words);
  }

  /** Reads the labels or targets of n rows. Returns the classes with new ones among them, and what the core needs. */
  #readLabels(y, n, weights) {
    const { task, targets } = this.#spec;
    return readRowLabels(y, n, weights, { task, targets, classes: this.#classes, isFixed: this.#isFixed });
  }

  #adding(X, y, weights) {
    const { nFeatures } = this.#living();
    const source = rowSource(X, this.#prepared?.nFeatures ?? nFeatures, "X");
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
    return keptWithClasses(kept, this.#keptShape(), classes, others);
  }

  /** Adds the words of new rows, which have these classes, and the rows among them that are kept. */
  #replace(classes, sums, rows) {
    const words = sums.subarray(0, this.#sizes(classes).reduce((a, b) => a + b)); // of the views that are left
    const more = rowsOf(words, this.#layouts(classes)[0], this.#spec.folds);
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
      throw paramError("other", "be a learner; one from elsewhere comes as JSON, with " +
        "learner({ from })", other);
    }
    other.#living();
    checkSame(this.#shared(), other.#shared());
    const before = [this.#views, this.#words, this.#missing];
    try {
      this.#mergeSame(other, isAway);
    } catch (error) {
      [this.#views, this.#words, this.#missing] = before;
      throw error;
    }
  }

  #mergeSame(other, isAway) {
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
    return classesWithRows(words, this.#layouts(classes)[0], this.#spec.folds, classes);
  }

  /** Returns words of these classes as words of others. */
  #withClasses(words, classes, others) {
    if (!words || sameList(classes, others)) return words;
    return withClasses(words, this.#spec.folds, [classes, this.#layouts(classes)], [others, this.#layouts(others)]);
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

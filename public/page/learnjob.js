// Learns from the rows of a file, for the half "Your file" of Learn. filejob.js imports it at the first request whose
// type begins with "learn", and passes { type, … } on to `answer`.
//
// A `learn` opens a session, which ends with the next one. Requests:
//
// - learn: { session, rows, file | sample, options, plan, params, key, sizes, task, seed }: reads the rows, as
//   preview of filejob.js does, and fits a model for each number of components in `sizes`, and a linear one. `session`
//   counts the sessions and comes back in each message. `rows` identifies the rows: small sets are kept for the next
//   session, and so are the points of a session that differs in `sizes` alone. `task` is "auto",
//   "classify" or "regress". `seed` deals the held-out rows.
//   Returns { stopped, ms }, or null if another session has begun.
// - learnStop, learnPause, learnResume: of what is running. A stopped session keeps its points; of a file that is too
//   large to be kept, the rows so far are learned from.
// - learnBand: { seeds }: the points again under other seeds of the map
// - learnExact: {}: the exact kernel on some of the rows. Returns { rows, of, score, low, high, ms, alpha }, or null
// - learnDetail: { D }: what the model with D components predicts for the held-out rows; D 0 is the linear model, and
//   the answer is null without it. Classes: { classes, confusion (flat, true classes as rows), precision, recall }.
//   Numbers: { truth, predicted, rmse, rmseInterval, mae }, at most SHOWN of each, with `rows`, their indices
// - learnRows: { D, truth, predicted, from, most } or { D, row }: rows behind a cell of the confusion matrix (indices
//   of classes), or the held-out row of that index: { total, rows: [{ place, label, predicted, scores, values }] }, and
//   `width`, of the values that are sent
// - learnModel: { D, probabilities }: the text of the model file, with the preprocessing of the rows. `probabilities`
//   fits it again with rows held out for them.
//
// While a session or a band runs, messages { progress: { learn: session, … } } come with some of:
//
// - phase: "reading" (the first pass), "measuring", "training"; rows; done (0 to 1 of all work); paused
// - head: { task, canBeNumbers, train, held, heldOf, nFeatures, isKept, notes }: `notes` of the file and its rows.
//   Of `heldOf` held-out rows `held` are kept.
// - point: { D, score, low, high, alpha, ms, clipped, rows, isFinal }: score is the accuracy or R². D 0 is the linear
//   model. `problem` instead of the figures says why there is none.
// - band: { D, seed, score }: of seed number 1, 2 …

import { drop } from "../api/buffers.js";
import { joinRows, sizeOf } from "./blocks.js";
import { haveCore, ts } from "./engines.js";
import { denseOf, MOST_CLASSES, openRows, Sample, Split } from "./learnrows.js";
import { giveWay } from "../api/slices.js";
import { FITTED } from "../api/tables.js";
import { fit } from "./through.js";

const KEPT_NUMBERS = 8 << 20; // up to so many numbers, rows are kept: 32 MB
const BATCH_NUMBERS = 2 << 20; // rows of a larger file are added so many numbers at a time
const HELD_ROWS = 20_000; // held-out rows that are kept
const HELD_NUMBERS = 4 << 20;
export const EXACT_ROWS = 4000;
const LINEAR_MOST = 4096; // columns that moments take
const SHOWN = 2000; // points of a scatter plot
const PROGRESS_MS = 150;
const GROWS_TO = 1024; // components up to which figures grow while a large file is read

let session = null;
let control = null; // of what runs: { stopped, paused, resume, abort }
let told = 0;

class LearnError extends Error {}

/** Answers a request. */
export async function answer({ type, ...request }) {
  const name = type.slice("learn".length) || "Learn";
  return REQUESTS[name](request);
}

const REQUESTS = {
  Learn: learn,
  Stop() {
    if (!control) return;
    control.stopped = true;
    control.abort.abort();
    REQUESTS.Resume();
  },
  Pause: () => void (control && (control.paused ??= new Promise((resolve) => (control.resume = resolve)))),
  Resume() {
    control?.resume?.();
    if (control) control.paused = control.resume = null;
  },
  Band: band,
  Exact: exact,
  Detail: detail,
  Rows: rowsBehind,
  Model: modelText,
};

/** What is known of the rows and of the models fitted to them. */
class Session {
  points = new Map(); // by D: { model, metrics, point }
  isWhole = false; // all rows are kept
  constructor(request) {
    Object.assign(this, request);
  }

  /** What the points depend on, beside the rows. */
  get pointsKey() {
    const { params: { nComponents, ...params }, task, seed } = this;
    return JSON.stringify([params, task, seed], (_, value) => (typeof value === "bigint" ? `${value}n` : value));
  }

  dispose() {
    for (const { model } of this.points.values()) model?.dispose();
    this.points.clear();
  }
}

async function learn(request) {
  await end();
  const now = begin();
  const before = session;
  const started = performance.now();
  try {
    await haveCore();
    session = new Session(request);
    if (before && before.rows === session.rows && before.isWhole && !request.key) {
      const { data, read, heldRows, trainRows, head, isWhole, lowest, highest, numbers, radius,
        preprocessing } = before;
      if (before.task === session.task && before.seed === session.seed) {
        Object.assign(session, { data, read, heldRows, trainRows, head, isWhole, lowest, highest, numbers, radius,
          preprocessing });
        if (before.pointsKey === session.pointsKey) {
          session.points = before.points;
          before.points = new Map();
        }
      }
    }
    before?.dispose();
    if (!session.head) await readRows(now, session);
    if (now.dropped) return null;
    tell({ head: session.head }, true);
    if (now.stopped && !session.isWhole && !session.streamed) return { stopped: true, ms: 0 };
    await train(now, session, session.params, session.sizes, true, (point) => tell({ point }, true));
    return now.dropped ? null : { stopped: now.stopped, ms: performance.now() - started };
  } catch (error) {
    if (now.dropped) return null;
    throw error;
  } finally {
    finish(now);
  }
}

/** Ends what runs, and waits until it has. */
async function end() {
  if (!control) return;
  control.dropped = true;
  const { over } = control;
  REQUESTS.Stop();
  await over;
}

function begin() {
  const now = { stopped: false, dropped: false, paused: null, resume: null, abort: new AbortController() };
  now.over = new Promise((resolve) => (now.end = resolve));
  control = now;
  return now;
}

function finish(now) {
  if (control === now) control = null;
  now.end();
}

/** Lets messages arrive, and waits while it is paused. Returns whether the work goes on. */
async function goesOn(now) {
  await giveWay();
  if (now.paused) {
    tell({ paused: true }, true);
    await now.paused;
    tell({ paused: false }, true);
  }
  return !now.stopped;
}

let news = {};

/** Sends news to the page: at once, or a few times a second. */
function tell(more, atOnce = false) {
  Object.assign(news, more);
  if (!atOnce && performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  postMessage({ progress: { ...news, learn: session.session } });
  news = {};
}

/**
 * Reads the rows once: what the labels are, how long the rows are, and which are held out. Small sets are kept as
 * `data` { X, y (texts), weights }; then train needs no more reading.
 */
async function readRows(now, s) {
  const { file, sample, options, plan, seed } = s;
  const opened = await openRows({ file, sample, options, plan });
  let counts = null;
  try {
    for (const _ of opened.prepare()) {
      tell({ phase: "reading", done: opened.share() });
      if (!(await goesOn(now))) return stop(s);
    }
    const { nFeatures } = opened;
    const labels = opened.labels();
    let stats = labels.see([]);
    const parts = [], texts = [], places = [];
    let numbers = 0, radius = 0, rows = 0;
    for (const block of opened.blocks((seen) => (counts = seen))) {
      numbers += sizeOf(block.X);
      const kept = numbers <= KEPT_NUMBERS;
      const each = opened.texts(block);
      stats = labels.see(each, block.places);
      radius = Math.max(radius, radiusOf(block.X, block.rows, nFeatures));
      if (kept) {
        parts.push(block.X);
        for (const text of each) texts.push(text);
        for (const place of block.places) places.push(place);
      }
      rows += block.rows;
      tell({ phase: "measuring", rows, done: opened.share() });
      if (!(await goesOn(now))) return stop(s);
    }
    const isWhole = numbers <= KEPT_NUMBERS;
    const task = s.task === "auto" ? stats.task : s.task;
    check(stats, task, rows);
    s.numbers = stats.numbers;
    s.radius = radius;
    s.preprocessing = opened.preprocessing;
    s.isWhole = isWhole;
    s.read = null;
    s.head = { task, canBeNumbers: stats.canBeNumbers, nFeatures, isKept: isWhole,
      notes: [...counts?.notes ?? [], ...labels.notes(task)],
      all: rows, train: 0, held: 0, heldOf: 0 };
    [s.lowest, s.highest] = [stats.low, stats.high];
    s.heldRows = new Sample(Math.max(1, Math.min(HELD_ROWS, Math.floor(HELD_NUMBERS / nFeatures))), 7);
    s.trainRows = new Sample(Math.max(1, Math.min(EXACT_ROWS, Math.floor(HELD_NUMBERS / nFeatures))), 8);
    if (isWhole) {
      const split = new Split(seed);
      const X = joinRows(parts);
      s.data = deal(s, split, { X, rows: texts.length, places }, texts, labels);
      settle(s);
      checkDealt(s);
    } else {
      s.read = { file, options, plan };
    }
  } finally {
    opened.close();
  }
}

function stop(s) {
  s.streamed = false;
  s.head = null;
  throw new LearnError("Stopped before the rows were read. Press Learn to begin again.");
}

function radiusOf(X, rows, nFeatures) {
  if (rows === 0) return 0;
  // what prepare takes from rows, whatever their labels are
  return ts.prepare(X, new Float64Array(rows), { task: "regress", targetRange: [0, 1], nFeatures }).radius;
}

/** Throws for labels that cannot be learned. */
function check(labels, task, rows) {
  if (rows === 0) throw new LearnError("No row can be used: see what was wrong with them in Embed.");
  if (labels.unlabelled === rows) {
    throw new LearnError("The label is empty in every row: choose another label column.");
  }
  if (task === "regress" && rows - labels.unlabelled - labels.notNumbers === 0) {
    throw new LearnError("The labels are no numbers: predict classes, or choose another label column.");
  }
  if (task === "classify" && labels.different < 2) {
    throw new LearnError("All rows have the same label, so there is nothing to tell apart: choose another label " +
      "column.");
  }
  if (task === "classify" && labels.different > MOST_CLASSES) {
    throw new LearnError(`The label has more than ${MOST_CLASSES.toLocaleString("en")} different values: ` +
      (labels.canBeNumbers ? "predict a number, or choose another label column."
        : "choose a label column with fewer."));
  }
  if (task === "classify" && labels.different > (rows - labels.unlabelled) / 2) {
    throw new LearnError(`There are ${labels.different} classes and only ${rows - labels.unlabelled} rows, fewer ` +
      "than two for each class: " + (labels.canBeNumbers ? "predict a number, or " : "") +
      "choose a label column with fewer different values.");
  }
  if (task === "regress" && labels.low === labels.high) {
    throw new LearnError("All rows have the same number, so there is nothing to predict: choose another label " +
      "column.");
  }
}

function checkDealt({ head, heldRows }) {
  if (head.train < 2 || heldRows.rows.length === 0) {
    throw new LearnError(`There are only ${head.train + head.heldOf} rows with a label: too few to learn from some ` +
      "and try the others.");
  }
}

/**
 * Deals the rows of a block: returns { X, y, weights } with weight 1 for a row to learn from. Held-out rows go to the
 * sample; rows without a usable label to neither.
 */
function deal(s, split, { X, rows, places }, texts, labels) {
  const { head, lowest } = s;
  const isNumber = head.task === "regress";
  const y = isNumber ? new Float64Array(rows).fill(lowest) : new Array(rows).fill("");
  const weights = new Uint8Array(rows);
  const each = isNumber ? labels.numbers(texts) : labels.read(texts);
  for (let i = 0; i < rows; i++) {
    const label = each[i];
    if (label === null || Number.isNaN(label)) continue;
    y[i] = label;
    if (split.next()) {
      head.heldOf++;
      s.heldRows.add(X, i, head.nFeatures, label, places[i]);
    } else {
      head.train++;
      weights[i] = 1;
      s.trainRows.add(X, i, head.nFeatures, label, places[i]);
    }
  }
  return { X, y, weights };
}

/** Brings the counts of the head up to date. */
function settle(s) {
  s.head.held = s.heldRows.rows.length;
}

/** Yields { X, y, weights } of the rows to learn from: the kept ones, or read again in batches. */
async function* batches(now, s, isFirst) {
  if (s.isWhole) {
    yield { ...s.data, done: () => 1 };
    return;
  }
  const opened = await openRows(s.read);
  if (isFirst) {
    Object.assign(s.head, { train: 0, heldOf: 0, held: 0 });
    s.heldRows = new Sample(Math.max(1, Math.min(HELD_ROWS, Math.floor(HELD_NUMBERS / s.head.nFeatures))), 7);
    s.trainRows = new Sample(Math.max(1, Math.min(EXACT_ROWS, Math.floor(HELD_NUMBERS / s.head.nFeatures))), 8);
  }
  const keep = isFirst ? s : { ...s, head: { ...s.head }, heldRows: { add() {} }, trainRows: { add() {} } };
  try {
    for (const _ of opened.prepare()) if (!(await goesOn(now))) return;
    const split = new Split(s.seed), labels = opened.labels({ numbers: s.numbers });
    let parts = [], texts = [], places = [], numbers = 0;
    const take = () => {
      const X = joinRows(parts);
      const dealt = deal(keep, split, { X, rows: texts.length, places }, texts, labels);
      [parts, texts, places, numbers] = [[], [], [], 0];
      settle(keep);
      return { ...dealt, done: opened.share };
    };
    for (const block of opened.blocks()) {
      parts.push(block.X);
      for (const text of opened.texts(block)) texts.push(text);
      for (const place of block.places) places.push(place);
      numbers += sizeOf(block.X);
      if (numbers < BATCH_NUMBERS) continue;
      yield take();
      if (!(await goesOn(now))) return;
    }
    if (parts.length > 0) yield take();
  } finally {
    opened.close();
  }
}

/** A model that is being learned: D components, or the rows themselves if D is 0. */
class Learning {
  ms = 0;
  problem = "";
  constructor(D, learner) {
    Object.assign(this, { D, learner });
  }
}

/** Returns the Learning of a size, or one with a problem. */
function learningOf(s, params, D) {
  const { head, radius, lowest, highest, preprocessing, key } = s;
  const { nFeatures, task } = head;
  let map;
  try {
    if (D === 0) {
      if (nFeatures > LINEAR_MOST) {
        throw new LearnError(`${nFeatures} columns are more than the linear model takes here, ${LINEAR_MOST}`);
      }
      map = identity(nFeatures);
    } else {
      map = ts.featureMap({ ...params, ...(key ? { key } : {}), nFeatures, nComponents: D });
      if (FITTED.includes(params.method)) fitMap(map, s, D);
    }
    const options = { map, task, radius, folds: 0, linear: false, ...(preprocessing ? { preprocessing } : {}) };
    if (task === "regress") options.targetRange = [lowest, highest];
    return new Learning(D, ts.learner(options));
  } catch (error) {
    return Object.assign(new Learning(D, null), { problem: error.message });
  } finally {
    map?.dispose();
  }
}

function fitMap(map, s, D) {
  const { rows } = s.trainRows;
  if (rows.length < D) throw new LearnError(`${rows.length} rows are too few for ${D} landmarks`);
  fit(map, { X: s.trainRows.input(s.head.nFeatures), places: rows.map(({ place }) => place) });
}

/** The map whose features are the rows themselves. */
export function identity(nFeatures) {
  return ts.featureMap({ method: "count-sketch", nFeatures, nComponents: nFeatures,
    indexHash: [Array.from({ length: nFeatures }, (_, i) => i)], bitHash: [new Array(nFeatures).fill(1)] });
}

/**
 * Fits a model for each size, and the linear one after the first, and reports the points. Points that the session has
 * are reported at once. Kept rows are learned from for one size after the other; others are read once, for all sizes
 * at the same time.
 */
async function train(now, s, params, sizes, isFirst, report) {
  const known = isFirst ? s.points : new Map();
  for (const D of [...known.keys()]) if (D !== 0 && !sizes.includes(D)) forget(known, D);
  const order = [sizes[0], 0, ...sizes.slice(1)].filter((D) => isFirst || D !== 0);
  for (const D of order) if (known.has(D)) report(known.get(D).point);
  const left = order.filter((D) => !known.has(D));
  if (left.length === 0) return;
  if (s.isWhole) {
    const work = left.map((D) => (D || s.head.nFeatures) ** 2 * s.head.all + 2 * (D || s.head.nFeatures) ** 3);
    const all = work.reduce((a, b) => a + b);
    let done = 0;
    for (const [k, D] of left.entries()) {
      if (!(await goesOn(now))) return;
      const learning = learningOf(s, params, D);
      await add(now, learning, s.data, (share) => tell({ phase: "training", rows: s.head.all,
        done: (done + work[k] * share / 2) / all }));
      await conclude(now, s, learning, true, isFirst, report);
      done += work[k];
      tell({ phase: "training", done: done / all });
    }
    return;
  }
  await streamAll(now, s, params, left, isFirst, report);
}

function forget(points, D) {
  points.get(D).model?.dispose();
  points.delete(D);
}

async function streamAll(now, s, params, sizes, isFirst, report) {
  const learnings = [];
  let rows = 0, grown = 0;
  try {
    for await (const batch of batches(now, s, isFirst)) {
      if (learnings.length === 0) for (const D of sizes) learnings.push(learningOf(s, params, D));
      for (const learning of learnings) {
        await add(now, learning, batch);
        if (now.stopped) break;
      }
      if (now.stopped) break;
      rows += batch.weights.length;
      tell({ phase: "training", rows, done: Math.min(1, batch.done()) });
      if (isFirst) tell({ head: s.head });
      drop([batch.X.buffer ?? batch.X.data.buffer]);
      if (!isFirst || rows < 2 * grown || batch.done() > .7) continue;
      grown = rows;
      for (const learning of learnings) {
        if (learning.D <= GROWS_TO && !now.stopped) await conclude(now, s, learning, false, isFirst, report);
      }
    }
    if (now.dropped) return;
    if (isFirst) {
      settle(s);
      tell({ head: s.head }, true);
      checkDealt(s);
    }
    // the rows so far are learned from, also after Stop
    const last = { ...now, abort: new AbortController(), stopped: false };
    for (const learning of learnings) {
      if (now.dropped) return;
      await conclude(last, s, learning, true, isFirst, report);
    }
  } finally {
    for (const { learner } of learnings) learner?.dispose();
  }
}

/** Adds rows to the learner of a size. */
async function add(now, learning, { X, y, weights }, onShare) {
  if (learning.problem) return;
  const started = performance.now();
  try {
    await learning.learner.addAsync(X, y, { weights, signal: now.abort.signal,
      onProgress: onShare && ((done, of) => onShare(done / of)) });
  } catch (error) {
    if (!now.stopped) learning.problem = error.message;
  }
  learning.ms += performance.now() - started;
}

/** Fits the model of a size and reports its point. */
async function conclude(now, s, learning, isFinal, isFirst, report) {
  const { D, learner } = learning;
  let model = null, metrics = null, started = performance.now();
  if (now.stopped && isFinal) {
    learner?.dispose();
    return;
  }
  try {
    if (!learning.problem) model = await learner.fit({ signal: now.abort.signal });
    const ms = learning.ms + performance.now() - started;
    if (model) metrics = await evaluate(now, s, model);
    const point = learning.problem ? { D, problem: learning.problem, isFinal }
      : pointOf(D, model, metrics, ms, isFinal);
    if (isFirst) {
      s.points.get(D)?.model?.dispose();
      s.points.set(D, { model, metrics, point });
    } else model?.dispose();
    report(point);
  } catch (error) {
    model?.dispose();
    if (!now.stopped) report({ D, problem: error.message, isFinal });
  } finally {
    if (isFinal) learner?.dispose();
  }
}

function pointOf(D, model, metrics, ms, isFinal) {
  const isNumber = model.task === "regress";
  const [low, high] = isNumber ? metrics.r2Interval : metrics.accuracyInterval;
  return { D, score: isNumber ? metrics.r2 : metrics.accuracy, low, high, alpha: model.alpha, ms,
    clipped: model.report.clipped, rows: model.report.rows, isFinal };
}

async function evaluate(now, s, model) {
  const { heldRows, head: { nFeatures } } = s;
  const labels = heldRows.labels;
  const y = model.task === "regress" ? Float64Array.from(labels) : labels;
  return model.evaluateAsync(heldRows.input(nFeatures), y, { signal: now.abort.signal });
}

/** Fits the sizes again under other seeds. */
async function band({ seeds }) {
  await end();
  const now = begin();
  const s = session;
  try {
    for (let seed = 1; seed <= seeds && !now.stopped; seed++) {
      const params = { ...s.params, seed: otherSeed(s.params.seed, seed) };
      await train(now, s, params, s.sizes, false, ({ D, score }) => {
        if (score !== undefined) tell({ band: { D, seed, score } }, true);
      });
    }
    return { stopped: now.stopped };
  } finally {
    finish(now);
  }
}

/** Returns seed number k after a seed. */
function otherSeed(seed = 0, k) {
  if (typeof seed === "string") return `${seed} ${k}`;
  return BigInt.asUintN(64, BigInt(seed) + BigInt(k));
}

async function exact() {
  await end();
  const now = begin();
  try {
    const { learnExactly } = await import("./exactjob.js");
    return await learnExactly(ts, session, { identity: identity(session.head.nFeatures),
      goesOn: () => goesOn(now), onProgress: (done) => tell({ phase: "exact", done }) });
  } finally {
    finish(now);
  }
}

async function detail({ D }) {
  const found = session?.points.get(D);
  if (!found?.model) return null;
  const { model, metrics } = found;
  const { heldRows } = session;
  if (model.task === "classify") {
    return { classes: model.classes.map(String), confusion: Float64Array.from(metrics.confusion.flat()),
      precision: metrics.precision, recall: metrics.recall };
  }
  const all = await predictions(found);
  const step = Math.max(1, Math.ceil(heldRows.rows.length / SHOWN));
  const rows = [], truth = [], predicted = [];
  for (let i = 0; i < heldRows.rows.length; i += step) {
    rows.push(i);
    truth.push(heldRows.rows[i].label);
    predicted.push(all[i]);
  }
  const { rmse, rmseInterval, mae } = metrics;
  return { rows: Float64Array.from(rows), truth: Float64Array.from(truth), predicted: Float64Array.from(predicted),
    rmse, rmseInterval, mae };
}

/** What a model predicts for the held-out rows: indices of classes, or numbers. */
async function predictions(found) {
  const { model } = found;
  found.predicted ??= await model.predictAsync(session.heldRows.input(session.head.nFeatures));
  return found.predicted;
}

const VALUES = 1024; // numbers of a row that are sent

async function rowsBehind({ D, truth, predicted, from = 0, most = 12, row }) {
  const found = session?.points.get(D);
  if (!found?.model) return null;
  const { model } = found;
  const { heldRows, head: { nFeatures } } = session;
  const all = await predictions(found);
  let indices = [row];
  if (row === undefined) {
    const [t, p] = [model.classes[truth], model.classes[predicted]];
    indices = [...heldRows.rows.keys()].filter((i) => heldRows.rows[i].label === t && all[i] === p);
  }
  const shown = indices.slice(from, from + most);
  const rows = [];
  for (const i of shown) {
    const { label, place } = heldRows.rows[i];
    const scores = model.scores(heldRows.input(nFeatures, i, i + 1));
    rows.push({ place, label: String(label), predicted: String(all[i]), scores,
      values: denseOf(heldRows.rows[i].x, nFeatures).slice(0, VALUES) });
  }
  return { total: indices.length, rows, width: nFeatures };
}

async function modelText({ D, probabilities = false }) {
  const found = session?.points.get(D);
  if (!found?.model) return null;
  let { model } = found;
  if (probabilities && session.isWhole && model.task === "classify") {
    const { head, radius, preprocessing, data } = session;
    const learner = ts.learner({ map: model.map, task: head.task, radius, folds: 1, linear: false,
      ...(preprocessing ? { preprocessing } : {}) });
    await learner.addAsync(data.X, data.y, { weights: data.weights });
    model = await learner.fit({ alpha: found.model.alpha });
    learner.dispose();
  }
  const text = JSON.stringify(model.toJSON(session.preprocessing ? { preprocessing: session.preprocessing } : {}));
  if (model !== found.model) model.dispose();
  return text;
}

// Trains a model privately (docs/privacy.md, "Private models"), and the same model without noise beside it.
//
// usePrivate: { file, isSample, options, plan, ranges, params, task, classes or targetRange, epsilon, delta,
// budget }. `ranges` [{ name, low, high }], if any, scale number columns.
// All of it is typed or public, and none may depend on the rows; `plan` has unit length and the label's column. A
// quarter of the rows is held out, by their number and a fixed seed: which ones these are depends on no row. The
// release is charged to the file's ledger, unless the file is the sample, whose rows are nobody's.
//
// Returns { rows, held, odd, sigma, text, ledger, plain, noisy }, or null if it was stopped before the release. `text`
// is the private model file, and the ledger's state is as after the release. `plain` and `noisy` { score, low, high }
// are the accuracy, or R², of both models on the rows held out; `odd` rows had a label or target that is not among the
// public ones. These figures carry no noise: they are for the visitor alone.

import { haveDataset, ts } from "./engines.js";
import { isColumnar } from "../api/dataset.js";
import { checkBudget, checkRelease, checkTyped, contentOf, openTyped, refusal, rowsOfRelease } from "./filerelease.js";
import { Sample, Split } from "./learnrows.js";
import { charge, ledgerOf, storedLedger } from "./ledgerstore.js";
import { HELD_OUT } from "../api/tables.js";

const SPLIT_SEED = 11; // public: which rows are held out depends on their number alone

export async function trainPrivately(now, request) {
  const { file, isSample, options, plan, ranges = [], epsilon, delta, budget, params, task } = request;
  checkRelease({ kind: "rows", epsilon, delta, budget });
  const from = await haveDataset(isColumnar(options.format));
  for (const { name, low, high } of ranges) {
    for (const column of plan.columns.filter((c) => c.name === name && c.role === "number")) {
      Object.assign(column, { scaling: "min-max", center: low, scale: high - low });
    }
  }
  const columns = plan.columns.filter(({ role }) => role !== "label");
  if (plan.columns.some(({ role }) => role === "keep")) throw refusal("kept columns carry no noise: ignore them");
  checkTyped(from, { reading: options, plan: { ...plan, columns }, method: params.method ?? "tensor-sketch" });
  const content = isSample ? null : await contentOf(file, () => !now.stopped);
  if (content === null && !isSample) return null;
  const stored = isSample ? null : await storedLedger(content);
  const prepared = from.preprocessing(plan);
  if (prepared.needsFit) throw refusal("the plan of the columns leaves something to be learned from the rows: type it");
  const spec = { map: { ...params, nFeatures: prepared.nFeatures }, task, radius: 1, folds: 0, linear: false,
    preprocessing: prepared.model,
    ...(task === "classify" ? { classes: request.classes } : { targetRange: request.targetRange }) };
  const learners = [];
  let opened = null;
  try {
    for (const isPrivate of [true, false]) learners.push(ts.learner({ ...spec, private: isPrivate }));
    const [secret, plain] = learners;
    if (!isSample) checkBudget(ts, secret.map, { epsilon, delta, radius: 1, budget }, stored);
    let read = 0;
    opened = openTyped(from, file, options, (at) => void (read = at));
    const labels = from.labels(opened.layout, prepared, { classes: task === "classify" ? request.classes : undefined });
    const dealer = new Dealer(request, labels, prepared.nFeatures);
    for (const block of rowsOfRelease(opened, prepared)) {
      const { X, y, weights } = dealer.deal(block, from.texts(block));
      for (const learner of learners) await learner.addAsync(X, y, { weights });
      if (!(await now.goesOn({ rows: dealer.rows, read, size: file.size }))) return null;
    }
    if (secret.count === 0) throw new Error(`${file.name} has no rows to learn from`);
    const release = (ledger) => secret.release({ epsilon, delta, ledger });
    const released = isSample ? release(ts.ledger({ epsilon, delta }))
      : await charge(ts, { content, budget, job: crypto.randomUUID(), again: { epsilon, delta } }, release);
    const noisy = await released.fit();
    const exact = await plain.fit().catch(() => null); // it must not lose the model that was charged
    const text = JSON.stringify(noisy.toJSON());
    const ledger = isSample ? null : stateOf(ledgerOf(ts, await storedLedger(content)));
    const scores = [noisy, exact].map((model) => model && dealer.score(model));
    [noisy, exact].forEach((model) => model?.dispose());
    return { rows: released.rows, held: dealer.held.rows.length, odd: dealer.odd, sigma: released.sigma, text, ledger,
      noisy: scores[0], plain: scores[1] };
  } finally {
    learners.forEach((learner) => learner.dispose());
    opened?.source.close();
  }
}

const stateOf = ({ epsilon, delta, spent, left, releases }) => ({ epsilon, delta, spent, left,
  releases: [...releases] });

/** Deals rows to learn from and rows held out, by their number alone. */
class Dealer {
  rows = 0;
  odd = 0; // rows whose label or target is not among the public ones
  held;
  #split = new Split(SPLIT_SEED);
  #classes; // a Set
  #range;
  #labels;
  #nFeatures;

  constructor({ task, classes, targetRange }, labels, nFeatures) {
    this.#classes = task === "classify" ? new Set(classes) : null;
    this.#range = targetRange;
    this.#labels = labels;
    this.#nFeatures = nFeatures;
    this.held = new Sample(Math.max(1, Math.min(HELD_OUT.rows, Math.floor(HELD_OUT.numbers / nFeatures))), 9);
  }

  /** Returns { X, y, weights }. A row whose label cannot be used becomes a row of zeros of the first class. */
  deal({ X, rows, places }, texts) {
    const y = new Array(rows), weights = new Uint8Array(rows);
    const each = this.#classes ? this.#labels.read(texts) : this.#labels.numbers(texts);
    for (let i = 0; i < rows; i++) {
      const { label, isOdd } = this.#labelOf(each[i]);
      y[i] = label;
      this.rows++;
      weights[i] = this.#split.next() ? 0 : 1;
      if (weights[i] === 0 && !isOdd) this.held.add(X, i, this.#nFeatures, label, places[i]);
      if (!isOdd) continue;
      this.odd++;
      if (X.indptr) X.data.fill(0, X.indptr[i], X.indptr[i + 1]);
      else X.fill(0, i * this.#nFeatures, (i + 1) * this.#nFeatures);
    }
    return { X, y: this.#classes ? y : Float64Array.from(y), weights };
  }

  #labelOf(label) {
    if (this.#classes) {
      const isOdd = !this.#classes.has(label);
      return { label: isOdd ? [...this.#classes][0] : label, isOdd };
    }
    const [low, high] = this.#range;
    if (Number.isNaN(label)) return { label: (low + high) / 2, isOdd: true };
    return { label: Math.min(Math.max(label, low), high), isOdd: false };
  }

  /** Returns the accuracy or R² of a model on the rows held out, or null without any. */
  score(model) {
    const { held } = this;
    if (held.rows.length === 0) return null;
    const isNumber = model.task === "regress";
    const m = model.evaluate(held.input(this.#nFeatures), isNumber ? Float64Array.from(held.labels) : held.labels);
    const [low, high] = isNumber ? m.r2Interval : m.accuracyInterval;
    return { score: isNumber ? m.r2 : m.accuracy, low, high };
  }
}

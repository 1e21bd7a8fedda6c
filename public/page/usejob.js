// Uses a trained model, for the half "Your file" of Learn. filejob.js imports it at the first request whose type begins
// with "use", and passes { type, … } on to `answer`.
//
// - useModel: { text, plan }: the model file that the next requests use. `plan` is that of its rows if the file has no
//   preprocessing. Returns { text (with the preprocessing), task, classes (texts), hasProbabilities, nFeatures,
//   columns: their number if a row is made of numbers alone, else 0, and largest: the largest number of any column, or
//   0 if the model does not say it }
// - useCheck: { saved }: nothing, or the error of a parsed model file
// - useAnswer: { row }: what the model says to one row of numbers, as they stand in a file: { best, shares, numbers }:
//   the index of the predicted class, and the probabilities of all classes, or their scores if there are none
// - usePredict: { file, options, saved }: predictions for the rows of a file, read as the model's preprocessing says. A
//   parsed model file `saved` predicts instead of the model in use. Returns
//   { task, blob, rows, unused, notes, stopped, labelled, score, low, high }. `blob` is CSV: the line or number
//   of the row, the label if the file has it, the prediction, the number of each class, and why there is none: a row
//   that cannot be used holds its place. `score` is the accuracy or R² over the `labelled` rows
// - useStop: ends usePredict or usePrivate; the rows predicted so far are returned
// - useONNX: { text }: a model file as ONNX, a Uint8Array
// - usePage: a page that predicts, as text
// - usePrivate: see privatejob.js
//
// Meanwhile messages { progress: { use: { rows, read, size } } } are sent.

import { inTurn } from "./through.js";
import { free } from "../api/buffers.js";
import { haveCore, haveDataset, sizesOf, sniff, ts } from "./engines.js";
import { isColumnar } from "../api/dataset.js";
import { giveWay } from "../api/slices.js";
import { pageOf } from "./predictpage.js";
import { trainPrivately } from "./privatejob.js";

const PROGRESS_MS = 150;
const BLOB_BYTES = 4 << 20; // of text that becomes a Blob, which the browser may move to the disk
const Z95 = 1.959963984540054;

let used = null; // { model, text }
let control = null; // of what runs: { stopped }
let told = 0;

/** Answers a request. */
export async function answer({ type, ...request }) {
  await haveCore();
  return REQUESTS[type](request);
}

const REQUESTS = {
  useModel,
  useCheck: ({ saved }) => ts.fromJSON(saved).dispose(),
  useAnswer,
  usePredict: (request) => alone((now) => predict(now, request)),
  useONNX: async ({ text }) => (await haveDataset()).onnx(text),
  usePage: () => pageOf(used.text),
  usePrivate: (request) => alone((now) => trainPrivately(now, request)),
  useStop() {
    if (control) control.stopped = true;
  },
};

async function alone(work) {
  if (control) throw new Error("something else is running here: stop that first");
  const now = {
    stopped: false,
    /** Sends progress, lets messages arrive, and returns whether the work goes on. */
    async goesOn(use) {
      if (performance.now() - told >= PROGRESS_MS) {
        told = performance.now();
        postMessage({ progress: { use } });
      }
      await giveWay();
      return !now.stopped;
    },
  };
  control = now;
  try {
    return await work(now);
  } finally {
    control = null;
  }
}

async function useModel({ text, plan }) {
  let model = ts.fromJSON(text);
  if (plan && !model.map.preprocessing) {
    const prepared = (await haveDataset()).preprocessing(plan);
    text = JSON.stringify(model.toJSON({ preprocessing: prepared.model }));
    model.dispose();
    model = ts.fromJSON(text);
  }
  used?.model.dispose();
  used = { model, text };
  const { preprocessing } = model.map;
  const columns = preprocessing?.columns.filter(({ role }) => role !== "label" && role !== "keep") ?? [];
  const isPlain = !preprocessing || (!preprocessing.sparseWidth && columns.every(({ role }) => role === "number"));
  const largest = columns.map(({ scaling, center, scale }) => (scaling === "min-max" ? center + scale : 0));
  return { text, task: model.task, classes: (model.classes ?? []).map(String),
    hasProbabilities: hasProbabilities(model),
    nFeatures: model.map.nFeatures, columns: isPlain ? model.map.nFeatures : 0, largest: Math.max(0, ...largest) };
}

/** A model has no probabilities if no rows were held out when it was fitted. */
const hasProbabilities = (model) => model.task === "classify" && Boolean(model.toJSON().head.calibration);

function useAnswer({ row }) {
  const { model } = used;
  const x = prepared(row, model.map.preprocessing);
  const scores = model.scores(x);
  const shares = hasProbabilities(model);
  return { best: largestOf(scores), shares, numbers: shares ? model.probabilities(x) : scores };
}

/** Returns the numbers of a row as dataset.wasm prepares them (docs/formats.md). */
function prepared(row, preprocessing) {
  if (!preprocessing) return Float32Array.from(row);
  const columns = preprocessing.columns.filter(({ role }) => role === "number");
  const x = Float32Array.from(columns, ({ scaling, center, scale }, i) =>
    (scaling === "none" ? row[i] : (row[i] - center) / scale));
  if (!preprocessing.unitNorm) return x;
  const norm = Math.sqrt(x.reduce((sum, number) => sum + number * number, 0));
  return norm > 0 ? x.map((number) => number / norm) : x;
}

const largestOf = (numbers) => numbers.reduce((best, number, k) => (number > numbers[best] ? k : best), 0);

async function predict(now, { saved, ...request }) {
  if (!saved) return predictBy(used.model, now, request);
  const model = ts.fromJSON(saved);
  try {
    return await predictBy(model, now, request);
  } finally {
    model.dispose();
  }
}

async function predictBy(model, now, { file, options }) {
  let read = 0, unused = 0, notes = [];
  const opened = await openRows(file, options, model, (at) => void (read = at));
  const { from, source, layout, rows: prepared } = opened;
  try {
    if (prepared.nFeatures !== model.map.nFeatures) {
      throw new Error(`the model takes rows of ${model.map.nFeatures} numbers, and ${file.name} has ` +
        `${prepared.nFeatures}: choose a file with the columns of the file that it has learned from`);
    }
    const label = prepared.model.columns.find(({ role }) => role === "label")?.name;
    const hasLabel = layout.columns.some(({ name }) => name === label);
    const labels = hasLabel ? from.labels(layout, prepared, { classes: model.classes }) : null;
    const known = labels && compareWith(model, labels);
    const isClassifier = model.task === "classify", each = hasProbabilities(model);
    const names = isClassifier ? model.classes.map((name) => `${each ? "probability" : "score"} ${name}`) : [];
    const out = new Out(["row", ...(hasLabel ? [label] : []), "prediction", ...names, "why"]);
    const why = new Map(); // by the place of a row that cannot be used
    const holdPlaces = model.map.method !== "spherical"; // which takes no row of zeros
    let rows = 0;
    const blocks = from.rows(source, layout, prepared, (counts) => ({ unused, notes } = counts),
      { holdPlaces, onProblem: holdPlaces ? (problem) => why.set(problem.row, reasonOf(problem)) : undefined });
    const numbers = async (X) => ({ scores: await model.scoresAsync(X),
      shown: each ? await model.probabilitiesAsync(X) : null });
    const parts = inTurn(blocks, { ...sizesOf(model.map), features: numbers,
      goesOn: () => now.goesOn({ rows, read, size: file.size }) });
    for await (const { part, Z: { scores, shown } } of parts) {
      const K = isClassifier ? model.classes.length : 1;
      const texts = hasLabel ? from.texts(part) : null, said = [];
      for (let i = 0; i < part.rows; i++) {
        const own = scores.subarray(i * K, (i + 1) * K);
        const reason = why.get(part.places[i]);
        why.delete(part.places[i]);
        said.push(reason ? null : isClassifier ? model.classes[largestOf(own)] : own[0]);
        const shares = isClassifier ? (shown ?? scores).subarray(i * K, (i + 1) * K) : [];
        out.row([part.places[i], ...(hasLabel ? [texts[i]] : []), ...[said[i], ...shares].map((n) => (reason ? "" : n)),
          reason ?? ""]);
        if (!reason) rows++;
      }
      known?.see(texts, said);
      for (const array of part.done) free(array);
    }
    return { task: model.task, blob: out.end(), rows, unused, notes: [...notes, ...labels?.notes() ?? []],
      stopped: now.stopped, ...(known?.result() ?? { labelled: 0 }) };
  } finally {
    source.close();
  }
}

const reasonOf = ({ where, what }) => `${where.replace(/^(line|row) \d+(, )?/, "")}: ${what}`.replace(/^: /, "");

/** Opens a file for the model. A model without preprocessing takes the columns as they are. */
async function openRows(file, options, { map: { preprocessing } }, onRead) {
  if (isColumnar(options?.format)) await haveDataset(true);
  const opened = await sniff(file, { options, onRead, model: preprocessing });
  const { from, layout } = opened;
  if (preprocessing) return { ...opened, rows: from.fromModel(preprocessing) };
  const plan = from.plan(layout);
  const columns = plan.columns.map((column) => ({ ...column, ...(column.role === "number" && { scaling: "none" }) }));
  return { ...opened, rows: from.preprocessing({ ...plan, columns }) };
}

/** Returns what compares predictions with the labels of a file. */
function compareWith(model, labels) {
  return model.task === "classify" ? new ClassCount(labels) : new NumberSums(labels);
}

/** Counts right predictions. A label that the model does not know is never right. */
class ClassCount {
  #rows = 0;
  #right = 0;
  #labels;

  constructor(labels) {
    this.#labels = labels;
  }

  see(texts, said) {
    for (const [i, truth] of this.#labels.read(texts).entries()) {
      if (truth === null || said[i] === null) continue;
      this.#rows++;
      if (truth === said[i]) this.#right++;
    }
  }

  result() {
    return { labelled: this.#rows, score: this.#right / this.#rows, ...wilson(this.#right, this.#rows) };
  }
}

/** Returns Wilson's 95 % interval. */
function wilson(right, rows) {
  const p = right / rows, z = Z95 ** 2 / rows;
  const middle = (p + z / 2) / (1 + z), half = Math.sqrt(z * (p * (1 - p) + z / 4)) / (1 + z);
  return { low: middle - half, high: middle + half };
}

/** Sums for R². */
class NumberSums {
  #rows = 0;
  #mean = 0;
  #squares = 0; // around the mean
  #errors = 0;
  #labels;

  constructor(labels) {
    this.#labels = labels;
  }

  see(texts, said) {
    for (const [i, truth] of this.#labels.numbers(texts).entries()) {
      if (Number.isNaN(truth) || said[i] === null) continue;
      this.#rows++;
      const off = truth - this.#mean;
      this.#mean += off / this.#rows;
      this.#squares += off * (truth - this.#mean);
      this.#errors += (truth - said[i]) ** 2;
    }
  }

  result() {
    return { labelled: this.#rows, score: 1 - this.#errors / this.#squares };
  }
}

/** Writes CSV into a Blob. */
class Out {
  #parts = [];
  #text = "";

  constructor(names) {
    this.row(names);
  }

  row(cells) {
    this.#text += cells.map(cellOf).join(",") + "\n";
    if (this.#text.length >= BLOB_BYTES) this.#turn();
  }

  #turn() {
    this.#parts.push(new Blob([this.#text]));
    this.#text = "";
  }

  end() {
    this.#turn();
    return new Blob(this.#parts, { type: "text/csv" });
  }
}

const cellOf = (cell) => (typeof cell === "string" && /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"`
  : String(cell));

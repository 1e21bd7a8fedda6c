// Uses a trained model, for the half "Your file" of Learn. filejob.js imports it at the first request whose type begins
// with "use", and passes { type, … } on to `answer`.
//
// - useModel: { text }: the model file that the next requests use. Returns { text, task, classes (texts),
//   hasProbabilities, nFeatures, columns: their number if a row is made of numbers alone, else 0, and largest: the
//   largest number of any column, or 0 if the model does not say it }
// - useCheck: { saved }: nothing, or the error of a parsed model file
// - useAnswer: { row }: what the model says to one row of numbers, as they stand in a file: { best, shares, numbers }:
//   the index of the predicted class, and the probabilities of all classes, or their scores if there are none
// - usePredict: { file, options, saved }: predictions for the rows of a file, by the shell's job. A parsed model file
//   `saved` predicts instead of the model in use. Returns { ...PredictReply of jobs/predict.go, blob }, of CSV
// - useStop: ends usePredict or usePrivate; the rows predicted so far are returned
// - useONNX: { text }: a model file as ONNX, a Uint8Array
// - usePage: a page that predicts, as text
// - usePrivate: { file, isSample, options, plan, params, … }, the rest as a PrivateFitRequest of jobs/private.go:
//   trains a model privately. Returns { text, …PrivateFitReply }, or null if it was stopped before the release
//
// Meanwhile messages { progress: { use: { rows, read, size } } } are sent.

import { mapOf, modelOf } from "../api/filejobs.js";
import { doJob, haveCore, haveDataset, ts } from "./engines.js";
import { pageOf } from "./predictpage.js";
import { withLedgers } from "./ledgerstore.js";

const PROGRESS_MS = 150;

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
    if (!control) return;
    control.stopped = true;
    control.job?.stop();
  },
};

async function alone(work) {
  if (control) throw new Error("something else is running here: stop that first");
  const now = {
    stopped: false,
    /** Sends progress. */
    tell(use) {
      if (performance.now() - told < PROGRESS_MS) return;
      told = performance.now();
      postMessage({ progress: { use } });
    },
  };
  control = now;
  try {
    return await work(now);
  } finally {
    control = null;
  }
}

async function useModel({ text }) {
  const model = ts.fromJSON(text);
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

async function useAnswer({ row }) {
  const { model } = used;
  const x = await prepared(row, model.map.preprocessing);
  const scores = model.scores(x);
  const shares = hasProbabilities(model);
  return { best: largestOf(scores), shares, numbers: shares ? model.probabilities(x) : scores };
}

/** Returns the numbers of a row as dataset.wasm prepares them: it is read as a file of one row. */
async function prepared(row, model) {
  if (!model) return Float32Array.from(row);
  const dataset = await haveDataset();
  const preprocessing = dataset.fromModel(model);
  const columns = model.columns.filter(({ role }) => role === "number");
  const names = columns.map(({ name }) => `"${name.replaceAll('"', '""')}"`);
  const source = dataset.source(new TextEncoder().encode(`${names}\n${row}\n`), { name: "the drawing" });
  try {
    const layout = dataset.sniff(source, { format: "csv", header: true, delimiter: "," }, { preprocessing });
    for (const { X } of dataset.rows(source, layout, preprocessing)) return X;
    return new Float32Array(preprocessing.nFeatures);
  } finally {
    source.close();
  }
}

const largestOf = (numbers) => numbers.reduce((best, number, k) => (number > numbers[best] ? k : best), 0);

/** Does a job of the shell with the rows of a file. A stop ends it. */
const work = (now, name, file, request, given) => doJob(name, file, request, {
  onJob(job) {
    now.job = job;
    if (now.stopped) job.stop();
  },
  onProgress: (_, rows, done) => now.tell({ rows, read: done * file.size, size: file.size }), ...given });

/** Trains a model privately by jobs/private.go. The rows of the sample are nobody's: they have no ledger. */
async function trainPrivately(now, { file, isSample, options, params, ...ask }) {
  const request = { reading: options, isSample, ...mapOf(params), ask: { ...ask, job: crypto.randomUUID() } };
  try {
    return await withLedgers((ledgers) => work(now, "private", file, request, ledgers));
  } catch (error) {
    if (error.code !== "STOPPED") throw error;
    return null;
  }
}

/** Predicts by the job of the shell. A stop ends it, and what was written by then is returned. */
async function predict(now, { file, options, saved }) {
  const parts = [];
  const request = { reading: options, model: modelOf(saved ?? used.text, { name: "the model" }) };
  const reply = await work(now, "predict", file, request, {
    write: (bytes) => void parts.push(new Blob([bytes])), // which the browser may move to the disk
  });
  return { ...reply, blob: new Blob(parts, { type: "text/csv" }) };
}

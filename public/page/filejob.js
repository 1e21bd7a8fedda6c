// The worker that embeds files. It reads a file block by block, lets the pool transform the blocks, and writes the
// features into the origin's private file system. So neither the file nor the features need to fit into memory.
//
// `options` are the typed settings of a file's reading (docs/formats.md).
//
// Each request { id, type, … } is answered by { begun: id } at once, and by { id, result } or { id, error } at its end.
// While a file is read, the worker also sends { progress } messages.
//
// - preview: { file, plan, params, … }: makes the preview of an embedding, which is not saved; see look.js
// - mapRows: { shown }: places the sampled rows of that preview in a plane
// - run: { file, plan, params, format, rowNumbers }, { file, model, format, rowNumbers } or { job, file }; see run
// - model: { job, key, includeKey }: the text of a job's model file, with its preprocessing. It contains the key only
//   if `key` is given and `includeKey` is set
// - release: { job }: a text for the receiver of a private release: its noise and its model
// - export: { job, format }: the features of a job as a File on disk. A complete release can be exported in another
//   format: the same noisy rows, with no further charge
// - learn, learnStop, …: learning from the rows, see learnjob.js
// - useModel, usePredict, …: what one does with a trained model, see usejob.js
// - ledger: { file, budget }: the cost of the releases of these rows so far, { epsilon, delta, spent, left, releases,
//   json }. `json` is the text to be saved. If there is no ledger, it describes a new one with the budget; null if
//   there is neither
// - loadLedger: { file, text }: adds the releases of a saved ledger of these rows, and returns the same as `ledger`.
//   The spent budget never decreases
// - kept, keep, forget: the file that is kept with its settings, see kept.js
// - resetLedger: { file }: deletes the ledger, and returns a sentence about the consequences
//
// A `release` makes a run private (docs/privacy.md). { kind: "rows", epsilon, delta, radius, rows, budget } adds noise
// to the features of each row; without `rows` it counts the rows first. { kind: "mean", … } writes one row, the mean
// of all rows, and needs `rows`. `budget` { epsilon, delta } is for the first release of a file and cannot be changed
// afterwards. Output that depends on the rows and has no noise is refused. The progress messages and the job's state
// have three counts for the visitor alone: `clipped` (rows longer than the radius), and `unusable` and `zeroed` (rows
// that count as zeros because of their cells, or because the map cannot take them). A stopped mean has released
// nothing, and starts again when it is resumed. Released rows stay as they are. A job is charged once.
//
// A `key` is 32 bytes, with `keySalt` { salt, iterations } if they come from a passphrase, or it is { passphrase, salt,
// iterations }. No job state stores the key, so every request that needs it must include it.

import { collect, free } from "../api/buffers.js";
import { isColumnar } from "../api/dataset.js";
import { mapOf, modelOf } from "../api/filejobs.js";
import { doJob, haveCore, haveDataset, inWordsOfThePage, mapOfModel, prepare, sniff, ts } from "./engines.js";
import { imagesToRows } from "./images.js";
import { createJob, fileOf, listJobs, openJob, removeJob, stateOf } from "./jobstore.js";
import { forget, keep, kept } from "./kept.js";
import { FORMAT as LEDGER_FORMAT, withLedgers } from "./ledgerstore.js";
import { RAW } from "../api/tables.js";
import { FORMAT as MODEL_FORMAT } from "../api/model.js";
import { mapRows, preview, stopPreview, time } from "./look.js";
import "./requests.js";
import { deriveKey } from "../api/tensorsketch.js";

// bytes of a block that becomes a row group or record batch: readers prefer few large ones
const COLUMNAR_FEATURE_BYTES = 4 << 20;
// the format of a job without features: the row number, label and kept cells of each row, as CSV
const LABELS = "labels";
const UNUSED = "unused"; // the format of a job that lists the rows left out
const OWN_HEAD = 1 << 20;
const SAVE_MS = 250; // between saves of the state: if the run is cut off, features written since the last one are lost
const COLLECT_MS = 2000; // between garbage collections, which save 10 MB
const PROGRESS_MS = 250;

let control = null; // control of the run: { paused, stopped, resume, job }

const REQUESTS = {
  core: haveCore,
  prepare,
  open,
  preview,
  stopPreview,
  mapRows,
  time,
  run,
  pause() {
    if (!control) return;
    control.paused ??= new Promise((resolve) => (control.resume = resolve));
    control.job?.pause();
  },
  resume() {
    control?.resume?.();
    control?.job?.resume();
    if (control) control.paused = control.resume = null;
  },
  stop() {
    if (control) control.stopped = true;
    control?.job?.stop();
    REQUESTS.resume();
  },
  jobs: async () => (await listJobs()).filter(({ copyOf }) => !copyOf),
  remove: ({ job }) => removeJob(job),
  kept,
  keep,
  forget,
  export: exportJob,
  model: exportModel,
  release: releaseFile,
  ledger: ({ file, budget }) => ledger(file, { budget }),
  loadLedger: ({ file, text }) => ledger(file, { load: text }),
  resetLedger: async ({ file }) => (await ledger(file, { reset: true })).said,
  images,
  ownFiles: ({ files }) => Promise.all(files.map(ownFile)),
};

const KEY_IN_ONNX = "anyone who has an ONNX file can repeat its map, as with the key: save the model file, or allow " +
  "that by “Write the key into the model file”";

const NO_COLUMNS = "this model file says nothing about the columns of a file: choose one that was saved with an " +
  "embedding, or say what the columns become";

addEventListener("message", async ({ data: { id, type, ...request } }) => {
  postMessage({ begun: id });
  try {
    const columns = request.plan?.columns; // from ui.wasm as a text
    if (typeof columns === "string") request.plan.columns = JSON.parse(columns);
    const result = await (REQUESTS[type] ? REQUESTS[type](request) : learn({ type, ...request }));
    postMessage({ id, result });
    if (type === "preview" || type === "mapRows") collect(); // or its garbage stays in memory while the page draws
  } catch (error) {
    const { name, message, problem, code, argument, row, place } = error.ended ? inWordsOfThePage(error) : error;
    const what = (place && problem?.what) || message; // of a row, for which the page has its own remedy
    postMessage({ id, error: { name, message: what, problem, code, argument, row, place } });
  }
});

/** Passes a request on to learnjob.js or usejob.js, which are fetched when they are first needed. */
const learn = async (request) => (await (request.type.startsWith("use") ? import("./usejob.js")
  : import("./learnjob.js"))).answer(request);

/** Returns a table of images as a File, and the problems of images left out; null if it is stopped. */
async function images({ files, width, height }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  try {
    return await imagesToRows(files, { width, height,
      onProgress: (images, of) => { tell({ phase: "images", images, of }); return !control.stopped; } });
  } finally {
    control = null;
  }
}

// how model files and saved ledgers begin
const CUT = new RegExp(`^\\s*\\{\\s*"format":\\s*"(${MODEL_FORMAT}|${LEDGER_FORMAT})"`);

/** Returns the file's content if it is a model or a saved ledger, or null. It first looks for a format in the head. */
async function ownFile(file) {
  const head = await file.slice(0, OWN_HEAD).text().catch(() => {
    throw new Error(`${file.name} cannot be read: it is a folder, or a file that has changed or moved since it was ` +
      "chosen. Choose a file.");
  });
  const format = /^\s*\{/.test(head) && [MODEL_FORMAT, LEDGER_FORMAT].find((name) => head.includes(`"${name}"`));
  if (!format) return null;
  const text = await file.text();
  try {
    const object = JSON.parse(text);
    return object.format === format ? object : null;
  } catch {
    if (!CUT.test(text)) return null; // JSON Lines: each row is an object
    throw new Error(`${file.name} begins as a file that this page has saved, and is cut off or damaged: choose ` +
      "another copy, or save it again.");
  }
}

/** Returns the layout of a file, from its head, and the plan that the layout suggests. */
async function open({ file, options, model }) {
  const { from, source, layout } = await sniff(file, { options, model: model?.preprocessing });
  try {
    const plan = from.plan(layout);
    layout.close();
    const columns = layout.columns.map(({ name, type, role, usual, example, odd, values, measure = "" }) =>
      [name, type, role, usual, example, odd, values, measure]);
    return { layout: { ...layout, columns: JSON.stringify(columns) }, plan }; // the page reads one text faster
  } finally {
    source.close();
  }
}

/**
 * Embeds a file from the beginning, or from where `job` stopped. `plan` says what the columns become, and `params` has
 * the parameters of the feature map without nFeatures. A `model` file, as text or parsed, gives both instead. A keyed
 * map needs its `key`, also when a job is resumed. A `release` makes the run private. Returns the state of the job,
 * done or stopped, or null if it was stopped before there was a job. A job without rows is kept only if it is a
 * release. The formats "model" and "onnx" make no job: they return { text }, the model file of such a job, and
 * { onnx }, its map as ONNX. The model file contains the key if `includeKey` is set, and a keyed map is written as ONNX
 * only then.
 *
 * `rowNumbers` writes the number that each row has in the file. The formats "labels" and "unused" are CSV without
 * features. "labels" has the row numbers, labels and kept cells that belong to a .npy. "unused" lists all rows that are
 * left out. A release allows none of the three.
 */
async function run(request) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  collect();
  const { job: id, file } = request;
  const now = { job: null }; // the job that is written
  let emptied = false;
  try {
    await haveCore();
    request.key = await keyOf(request.key);
    if (id !== undefined) {
      now.job = await openJob(id);
      news.rows = now.job.state.rows; // else these seem to be embedded in no time
      const { options, model, format, rowNumbers, release } = checkFile(now.job.state, file);
      Object.assign(request, { options, model, format, rowNumbers, release });
    }
    if (now.job?.state.done) return now.job.state;
    if (request.format === "onnx" && request.key && !request.includeKey) throw new Error(KEY_IN_ONNX);
    const result = await (request.release ? embedPrivately : embed)(now, request);
    emptied = !request.release && now.job?.state.rows === 0 && !now.job.state.done;
    return result;
  } catch (error) {
    emptied = id === undefined && now.job?.state.rows === 0;
    throw error;
  } finally {
    now.job?.close();
    control = null;
    if (emptied) await removeJob(now.job.id); // nothing to resume
  }
}

/** Begins the job of a run, with its model file. */
const beginJob = (model, stem, { file, options, format, rowNumbers, release, content }) => createJob({
  file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem, options, format, rowNumbers,
  release, content, model });

const TEXTS = ["model", "onnx"];
const textOf = (dataset, format, text) => (format === "model" ? { text } : { onnx: dataset.onnx(text) });

const ONLY = { [LABELS]: "cells", [UNUSED]: "unused" };
const PHASES = { transforming: "embed", listing: "list", count: "count" };

/** Reports whether a model file says what the columns become, or is none: dataset.wasm says then what is wrong. */
function saysColumns(model) {
  try {
    return Boolean(JSON.parse(modelOf(model).text).preprocessing);
  } catch {
    return true;
  }
}

/** Returns a function that saves a job from time to time, and collects garbage. */
function saver() {
  let saved = -Infinity, collected = performance.now();
  return (job) => {
    const time = performance.now();
    if (time - saved > SAVE_MS) {
      job.flush();
      saved = time;
    }
    if (time - collected > COLLECT_MS) {
      collect();
      collected = time;
    }
  };
}

/** Embeds by the job of the shell (wasm/work/files.go). Rows that the job already has are skipped. */
async function embed(now, request) {
  const { options, plan, model, format, rowNumbers } = request;
  if (model && !plan && !saysColumns(model)) throw new Error(NO_COLUMNS);
  const target = TEXTS.includes(format) || ONLY[format] ? "csv" : format;
  const output = outputOf(now);
  let made;
  const reply = await work("embed", now, request, target, { plan, only: ONLY[format],
    to: { format: target, rowNumbers: rowNumbers || format === UNUSED }, ...output.from() }, {
    ...output,
    async made(text, stem) {
      made = text;
      if (!TEXTS.includes(format)) now.job ??= await beginJob(JSON.parse(text), stem, request);
      return !TEXTS.includes(format);
    },
    wrote(rows, encoder) {
      output.append(rows - now.job.state.rows, encoder);
      tell({ phase: format === UNUSED ? "list" : "embed", rows, bytes: now.job.state.bytes });
    },
  });
  if (TEXTS.includes(format) && reply !== STOPPED) return textOf(await haveDataset(), format, made);
  return output.end(reply);
}

const STOPPED = Symbol("stopped before there was anything to keep");

/** Does a job of features, and returns its reply, or STOPPED. */
async function work(name, now, { file, options, params, model, key, keySalt, includeKey }, target, more, given) {
  const request = { reading: options, ...mapOf(params ?? {}, key), ...(model && { model: modelOf(model, { key }) }),
    ...more };
  try {
    return await doJob(name, file, request, { keySalt, includeKey, ...given,
      onJob(job) {
        control.job = job;
        if (control.paused) job.pause();
        if (control.stopped) job.stop();
      },
      onProgress(phase, rows, share, paused) {
        if (paused) {
          now.job?.flush();
          told = 0; // what is kept is told now, for nothing follows
        }
        tell({ phase: PHASES[phase] ?? phase, ...(share >= 0 && { read: share * file.size, size: file.size }) });
      },
    }, isColumnar(options?.format) || isColumnar(target));
  } catch (error) {
    if (error.code !== "STOPPED") throw error;
    return STOPPED;
  }
}

/**
 * Returns what passes the bytes of an output on to the job that is written: write and rewrite, append(rows, encoder),
 * which stores what was written, end(reply), and from(), where the job goes on.
 */
function outputOf(now) {
  if (now.job?.state.rows === 0) now.job.restart();
  let header = new Uint8Array(0), pending = [];
  const save = saver();
  const append = (rows, encoder) => {
    pending.forEach((bytes, k) => {
      now.job.append(bytes, k === pending.length - 1 ? rows : 0, encoder);
      free(bytes);
    });
    pending = [];
    save(now.job);
  };
  return {
    append,
    write: (bytes) => void pending.push(bytes),
    rewrite: (bytes) => void (header = bytes),
    from: () => (now.job?.state.rows > 0 ? { from: { rows: now.job.state.rows, encoder: now.job.state.encoder } } : {}),
    async end(reply) {
      if (reply === STOPPED) return now.job?.state ?? null;
      Object.assign(now.job.state, reply.seen);
      if (now.job.state.bytes === 0) append(0);
      const footer = new Uint8Array(await new Blob(pending).arrayBuffer());
      now.job.finish({ header, footer }, { done: !reply.stopped });
      return now.job.state;
    },
  };
}

/**
 * Embeds by jobs/release.go, which writes only output with noise. Returns the state of the job, or null if it was
 * stopped before.
 */
async function embedPrivately(now, request) {
  const { plan, format, rowNumbers, release, includeKey, ...rest } = request;
  const isText = TEXTS.includes(format), target = isText || ONLY[format] ? "csv" : format;
  const output = outputOf(now);
  const { id, content, clipped = 0, zeroed = 0, unusable = 0 } = now.job?.state ?? {};
  const ask = { plan, release, job: id, content, seen: { clipped, zeroed, unusable }, ...output.from(),
    to: { format: target, rowNumbers: rowNumbers || Boolean(ONLY[format]) }, withoutRows: isText };
  const reply = await withLedgers((ledgers) => work("release", now, { ...rest, ...(isText && { includeKey }) }, target,
    { ask }, {
      ...output, ...ledgers,
      async begin(text, model) {
        const { stem, ...more } = JSON.parse(text);
        now.job = await beginJob(JSON.parse(model), stem, { ...request, ...more });
        return now.job.id;
      },
      wrote(rows, encoder, counts) {
        const seen = JSON.parse(counts);
        Object.assign(now.job.state, seen);
        output.append(rows - now.job.state.rows, encoder);
        tell({ ...seen, phase: "embed", rows, bytes: now.job.state.bytes });
      },
    }));
  if (isText && reply !== STOPPED) return textOf(await haveDataset(), format, reply.model);
  return output.end(reply);
}

/** Returns the 32 bytes of a key, if one is given. */
function keyOf(key) {
  if (key === undefined || ArrayBuffer.isView(key)) return key;
  return deriveKey(key.passphrase, key.salt, key.iterations);
}

/** Returns the settings of a job. Throws if this is not the file that the job was begun with. */
function checkFile(state, file) {
  const { name, size, lastModified } = state.file;
  if (file.name === name && file.size === size && file.lastModified === lastModified) return state;
  throw new Error(`${file.name} is not the file this embedding was begun with (${name}, ${size} bytes), or has ` +
    `changed: choose that one, or begin anew`);
}

/** Returns the ledger of a file (jobs/ledger.go), or null. */
const ledger = (file, ask) => withLedgers((ledgers) =>
  doJob("ledger", file, { ask }, { ...ledgers, onJob() {} }, false));

/** Returns the text for the receiver of a private release. */
async function releaseFile({ job }) {
  const { release, model } = await stateOf(job);
  if (!release) throw new Error("this embedding is no private release: it has no noise");
  return (await haveDataset()).releaseFile(release, model);
}

/**
 * Returns the features that a job has so far, as a File on disk. Only a complete release can have another format than
 * the one it was made in.
 */
async function exportJob({ job: id, format: wanted }) {
  const begun = await stateOf(id);
  if (wanted && wanted !== begun.format) return exportAs(begun, wanted);
  const job = await openJob(id);
  const { format, model, rows } = job.state;
  const from = await haveDataset(isColumnar(format));
  const encoder = encoderFor(from, job.state, from.fromModel(model.preprocessing), model.repeats * model.nComponents);
  job.finish(encoder.finish(rows));
  encoder.close();
  job.close();
  return fileOf(id);
}

/**
 * Writes the noisy rows of a release in another format, into a job of their own. The next such export removes that job.
 */
async function exportAs({ id, format: stored, release, done, model, rows, file, stem }, format) {
  if (!release || !done || !RAW.includes(stored)) {
    throw new Error("only a private release that is whole can be had in another format: embed the file again for it");
  }
  for (const { id: copy, copyOf } of await listJobs()) if (copyOf) await removeJob(copy);
  const from = await haveDataset(isColumnar(format));
  const [plain, n] = [from.fromModel(model.preprocessing), model.repeats * model.nComponents];
  const [decoded, encoder] = [encoderFor(from, { format: stored }, plain, n), encoderFor(from, { format }, plain, n)];
  const features = await fileOf(id);
  const job = await createJob({ file, stem, format, release, model, copyOf: id });
  job.append(encoder.header, 0);
  const bytes = 4 * n * Math.max(1, Math.floor(COLUMNAR_FEATURE_BYTES / (4 * n)));
  const end = decoded.header.length + 4 * n * rows;
  for (let at = decoded.header.length; at < end; at += bytes) {
    const Z = new Float32Array(await features.slice(at, Math.min(at + bytes, end)).arrayBuffer());
    job.append(encoder.encode(Z, { cells: new Uint8Array(0), offsets: new Int32Array(0) }), Z.length / n,
      encoder.state);
  }
  job.finish(encoder.finish(rows), { done: true });
  job.close();
  [decoded, encoder].forEach((each) => each.close());
  return fileOf(job.id);
}

/** Returns the text of the model file of a job. */
async function exportModel({ job: id, key, includeKey = false }) {
  const { model } = await stateOf(id);
  if (!includeKey) return JSON.stringify(model);
  [, key] = await Promise.all([haveCore(), keyOf(key)]);
  const map = mapOfModel(model, { key });
  try {
    return JSON.stringify(map.toJSON({ includeKey }));
  } finally {
    map.dispose();
  }
}

/** Returns an encoder that begins a job, or continues from its state. A raw format holds only numbers. */
function encoderFor(from, { format, rowNumbers, encoder: state }, { cells }, nComponents) {
  if (ONLY[format]) return from.encoder("csv", [], 0, { state, rowNumbers: true });
  return from.encoder(format, RAW.includes(format) ? [] : cells, nComponents, { state, rowNumbers });
}

let told = 0, news = {};

/** Sends the progress of the run to the page, a few times a second. */
function tell(more) {
  Object.assign(news, more);
  if (performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  postMessage({ progress: news });
}

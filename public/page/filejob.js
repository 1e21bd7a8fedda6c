// The worker that embeds files. It reads a file block by block, lets the pool transform the blocks, and writes the
// features into the origin's private file system. So neither the file nor the features need to fit into memory.
//
// `options` are the typed settings of a file's reading (docs/formats.md).
//
// Each request { id, type, … } is answered by { begun: id } at once, and by { id, result } or { id, error } at its end.
// While a file is read, the worker also sends { progress } messages.
//
// - preview: { file, plan, params, … }: makes the preview of an embedding, which is not saved; see look.js
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

import { joinCells } from "./blocks.js";
import { collect, free } from "../api/buffers.js";
import { isColumnar, loadDataset } from "../api/dataset.js";
import { checkWidth, haveCore, haveDataset, inWordsOfThePage, mapOfModel, prepare, sizesOf, sniff, ts }
  from "./engines.js";
import { checkBudget, checkRelease, checkTyped, contentOf, FileRelease, openTyped, refusal, releaseFile,
  rowsOfRelease } from "./filerelease.js";
import { imagesToRows } from "./images.js";
import { createJob, fileOf, listJobs, openJob, removeJob, stateOf } from "./jobstore.js";
import { FORMAT as LEDGER_FORMAT, ledgerFile, ledgerOf, loadLedger, OVER, resetLedger, storedLedger }
  from "./ledgerstore.js";
import { FITTED, RAW } from "../api/tables.js";
import { FORMAT as MODEL_FORMAT } from "../api/model.js";
import { preview, stopPreview, time } from "./look.js";
import "./requests.js";
import { giveWay } from "../api/slices.js";
import { deriveKey } from "../api/tensorsketch.js";
import { arraysOf, fit, headOf, inTurn } from "./through.js";

// bytes of a block that becomes a row group or record batch: readers prefer few large ones
const COLUMNAR_FEATURE_BYTES = 4 << 20;
// the format of a job without features: the row number, label and kept cells of each row, as CSV
const LABELS = "labels";
const UNUSED = "unused"; // the format of a job that lists the rows left out
const PROBLEM_CELLS = ["place", "what", "remedy"];
const PROBLEMS = 1000; // rows left out that are written at a time
const OWN_HEAD = 1 << 20;
const SAVE_MS = 250; // between saves of the state: if the run is cut off, features written since the last one are lost
const COLLECT_MS = 2000; // between garbage collections, which save 10 MB
const PROGRESS_MS = 250;

let control = null; // control of the run: { paused, stopped, resume }

const REQUESTS = {
  core: haveCore,
  prepare,
  open,
  preview,
  stopPreview,
  time,
  run,
  pause: () => void (control && (control.paused ??= new Promise((resolve) => (control.resume = resolve)))),
  resume() {
    control?.resume?.();
    if (control) control.paused = control.resume = null;
  },
  stop() {
    if (control) control.stopped = true;
    REQUESTS.resume();
  },
  jobs: async () => (await listJobs()).filter(({ copyOf }) => !copyOf),
  remove: ({ job }) => removeJob(job),
  export: exportJob,
  model: exportModel,
  release: async ({ job }) => JSON.stringify(releaseFile(await stateOf(job))),
  ledger: ledgerState,
  async loadLedger({ file, text }) {
    await haveCore();
    await loadLedger(ts, await contentOf(file), text);
    return ledgerState({ file });
  },
  async resetLedger({ file }) {
    await resetLedger(await contentOf(file));
    return RESET;
  },
  images,
  ownFiles: ({ files }) => Promise.all(files.map(ownFile)),
};

const KEY_IN_ONNX = "anyone who has an ONNX file can repeat its map, as with the key: save the model file, or allow " +
  "that by “Write the key into the model file”";

const RESET = "What the releases of this file have cost is forgotten here. That does not undo them: anyone who has a " +
  "release of these rows can still add it to the next one.";

addEventListener("message", async ({ data: { id, type, ...request } }) => {
  postMessage({ begun: id });
  try {
    const columns = request.plan?.columns; // from ui.wasm as a text
    if (typeof columns === "string") request.plan.columns = JSON.parse(columns);
    const result = await (REQUESTS[type] ? REQUESTS[type](request) : learn({ type, ...request }));
    postMessage({ id, result });
  } catch (error) {
    const { name, message, problem, code, row, place } = error.ended ? inWordsOfThePage(error) : error;
    postMessage({ id, error: { name, message, problem, code, row, place } });
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

/** Returns the file's content if it is a model or a saved ledger, or null. It first looks for a format in the head. */
async function ownFile(file) {
  const head = await file.slice(0, OWN_HEAD).text();
  const format = /^\s*\{/.test(head) && [MODEL_FORMAT, LEDGER_FORMAT].find((name) => head.includes(`"${name}"`));
  if (!format) return null;
  try {
    const object = JSON.parse(await file.text());
    return object.format === format ? object : null;
  } catch {
    return null; // JSON Lines: each row is an object
  }
}

/** Returns the layout of a file, from its head, and the plan that the layout suggests. */
async function open({ file, options, model }) {
  const { from, source, layout } = await sniff(file, { options, model: model?.preprocessing });
  try {
    const plan = from.plan(layout);
    layout.close();
    const columns = layout.columns.map(({ name, type, role, usual, example, odd }) =>
      [name, type, role, usual, example, odd]);
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
async function run({ job: id, file, options, plan, params, model, key, keySalt, includeKey, format, rowNumbers,
  release }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  collect();
  let job, source, map, emptied = false;
  try {
    await haveCore();
    key = await keyOf(key);
    job = id === undefined ? null : await openJob(id);
    if (job) ({ options, model, format, rowNumbers, release } = checkFile(job.state, file));
    if (job?.state.done) return job.state;
    if (release && (rowNumbers || format === LABELS || format === UNUSED)) {
      throw refusal("row numbers, labels and the list of the rows left out carry no noise: leave them out");
    }
    if (!job && release) release = checkRelease(release);
    const content = release && await contentOf(file, (at) => { heard(file)(at); return !control.stopped; });
    if (content === null) return job?.state ?? null;
    if (job && content !== job.state.content) throw otherFile(job.state, file);
    if (model) map = mapOfModel(model, { key });
    const opened = release ? await openPrivately({ file, options, format, plan, map, params, isNew: !job })
      : await sniff(file, { options, format, onRead: heard(file), model: map?.preprocessing });
    const { from, layout } = opened;
    source = opened.source;
    const preprocessing = map?.preprocessing || (model && !plan) ? preprocessingOf(from, map)
      : await learned(opened, release ? { ...plan, reading: options } : plan, release);
    if (!preprocessing) return null;
    const rows = (onState, onProblem) => (release ? rowsOfRelease(opened, preprocessing, release.rows, onState)
      : from.rows(source, layout, preprocessing, onState, { onProblem }));
    map ??= mapOf({ ...params, key, nFeatures: preprocessing.nFeatures }, rows);
    checkWidth(map, preprocessing.nFeatures);
    if (format === "model" || format === "onnx") {
      if (format === "onnx" && key && !includeKey) throw new Error(KEY_IN_ONNX);
      const text = JSON.stringify(map.toJSON({ preprocessing: preprocessing.model, keySalt, includeKey }));
      return format === "model" ? { text } : { onnx: from.onnx(text) };
    }
    const writes = format === UNUSED ? await loadDataset() : from; // `from` cannot be called while it reports a row
    const encoder = encoderFor(writes, { format, rowNumbers, encoder: job?.state.encoder }, preprocessing,
      map.nComponents);
    if (release && !job) release = await announced(release, map, await storedLedger(content), rows);
    if (release === null) return null;
    job ??= await createJob({
      file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem: layout.stem,
      options, format, rowNumbers, release, content, model: map.toJSON({ preprocessing: preprocessing.model, keySalt }),
    });
    if (release) await embedPrivately(job, map, encoder, rows);
    else if (format === UNUSED) await listUnused(job, encoder, rows);
    else await embed(job, map, encoder, rows(), format === LABELS ? { features: async () => new Float32Array(0) } : {});
    job.finish(encoder.finish(job.state.rows), { done: !control.stopped });
    encoder.close();
    emptied = !release && job.state.rows === 0 && !job.state.done;
    return job.state;
  } catch (error) {
    emptied = id === undefined && job?.state.rows === 0;
    throw error;
  } finally {
    map?.dispose();
    job?.close();
    source?.close();
    control = null;
    if (emptied) await removeJob(job.id); // nothing to resume
  }
}

/** Returns the same as `sniff`, for a release. A new release is refused before a byte of the file is looked at. */
async function openPrivately({ file, options: reading = {}, format, plan, map, params, isNew }) {
  const from = await haveDataset(isColumnar(reading.format) || isColumnar(format));
  if (isNew) {
    checkTyped(from, { reading, plan, preprocessing: map?.preprocessing, method: map?.params.method ?? params.method });
  }
  return openTyped(from, file, reading, heard(file));
}

/** Returns the 32 bytes of a key, if one is given. */
function keyOf(key) {
  if (key === undefined || ArrayBuffer.isView(key)) return key;
  return deriveKey(key.passphrase, key.salt, key.iterations);
}

/** Returns the settings of a job. Throws if this is not the file that the job was begun with. */
function checkFile(state, file) {
  const { name, size, lastModified } = state.file;
  if (file.name !== name || file.size !== size || file.lastModified !== lastModified) throw otherFile(state, file);
  return state;
}

function otherFile({ file: { name, size } }, file) {
  return new Error(`${file.name} is not the file this embedding was begun with (${name}, ${size} bytes), or has ` +
    `changed: choose that one, or begin anew`);
}

/** Returns a callback that tells the page how much of a file has been read. */
const heard = (file) => (at) => tell({ read: at, size: file.size });

/**
 * Returns the state of a file's ledger, or of a new one with that budget. `over` says that more is spent than it has.
 */
async function ledgerState({ file, budget }) {
  await haveCore();
  const content = await contentOf(file);
  const stored = await storedLedger(content);
  if (!stored && !budget) return null;
  const ledger = stored?.over ? ts.ledger({ from: stored.ledger }) : ledgerOf(ts, stored, budget);
  const { epsilon, delta, spent, left, releases } = ledger;
  return { epsilon, delta, spent, left, releases: [...releases], json: ledgerFile(content, stored, ledger),
    over: stored?.over ? OVER : "" };
}

/** Returns the preprocessing of the model that a map comes from. */
function preprocessingOf(from, { preprocessing }) {
  if (preprocessing) return from.fromModel(preprocessing);
  throw new Error("this model file says nothing about the columns of a file: choose one that was saved with an " +
    "embedding, or say what the columns become");
}

/** Returns the preprocessing of a plan, after a first pass if needed; null if the pass is stopped. */
async function learned({ from, source, layout }, plan, release) {
  const preprocessing = from.preprocessing(plan);
  if (!preprocessing.needsFit) return preprocessing;
  if (release) throw refusal("the plan of the columns leaves something to be learned from the rows: type all of it");
  const steps = from.fitting(source, layout, preprocessing);
  for (;;) {
    tell({ phase: "first pass" });
    const { value, done } = steps.next();
    if (done) return value;
    await breath();
    if (control.stopped) return null;
  }
}

/** Lets messages arrive, and waits while the run is paused. The job is saved before the wait. */
async function breath(job) {
  await giveWay();
  if (!control.paused) return;
  job?.flush();
  await control.paused;
}

/** Makes a map and fits it to the first rows if its method needs that. */
function mapOf(params, rows) {
  const map = ts.featureMap(params);
  try {
    if (FITTED.includes(params.method)) fit(map, headOf(rows()));
    return map;
  } catch (error) {
    map.dispose();
    throw error;
  }
}

/**
 * Reads, transforms and writes at the same time. Rows that the job already has are skipped. `features` makes the
 * features of rows X, and `write` gets them in order.
 */
async function embed(job, map, encoder, blocks, {
  features = (X) => map.transformAsync(X),
  write = (Z, part) => {
    const bytes = encoder.encode(Z, part);
    job.append(bytes, part.rows, encoder.state);
    [Z, bytes].forEach(free);
  },
} = {}) {
  if (job.state.bytes === 0) job.append(encoder.header, 0);
  let { rows } = job.state;
  let saved = -Infinity, collected = performance.now();
  const goesOn = async () => {
    await breath(job);
    return !control.stopped;
  };
  const sizes = sizesOf(map, isColumnar(job.state.format) ? COLUMNAR_FEATURE_BYTES : undefined);
  for await (const { part, Z } of inTurn(blocks, { ...sizes, skip: rows, features, goesOn })) {
    await write(Z, part);
    [part.offsets, ...part.done].forEach(free);
    rows += part.rows;
    tell({ phase: "embed", rows, bytes: job.state.bytes });
    const now = performance.now();
    if (now - saved > SAVE_MS) {
      job.flush();
      saved = now;
    }
    if (now - collected > COLLECT_MS) {
      collect();
      collected = now;
    }
  }
}

/** Writes the rows that are left out, and skips the ones that the job already has. */
async function listUnused(job, encoder, rows) {
  if (job.state.bytes === 0) job.append(encoder.header, 0);
  const before = job.state.rows;
  let met = 0, told = [], saved = performance.now();
  const write = () => {
    if (told.length === 0) return;
    job.append(encoder.encode(new Float32Array(0), cellsOfProblems(told)), told.length, encoder.state);
    told = [];
  };
  const hear = (problem) => {
    if (met++ < before) return;
    told.push(problem);
    if (told.length === PROBLEMS) write();
  };
  for (const block of rows(undefined, hear)) {
    arraysOf(block).forEach(free);
    write();
    tell({ phase: "list", rows: job.state.rows, bytes: job.state.bytes });
    if (performance.now() - saved > SAVE_MS) {
      job.flush();
      saved = performance.now();
    }
    await breath(job);
    if (control.stopped) break;
  }
  write();
}

/** Returns problems as cells for an encoder. */
function cellsOfProblems(problems) {
  const cells = problems.flatMap(({ where, what, remedy }) => [where, what, remedy]).map((text) =>
    new TextEncoder().encode(text));
  return { ...joinCells(cells), places: Float64Array.from(problems, ({ row }) => row ?? 0) };
}

/**
 * Checks a release against the file's ledger. Returns it in the form of a job's state, with its number of rows and its
 * noise, or null if it is stopped.
 */
async function announced(release, map, stored, blocks) {
  checkBudget(ts, map, release, stored);
  const { kind, epsilon, delta, radius } = release;
  const rows = release.rows ?? await count(blocks());
  if (control.stopped) return null;
  const { sigma, signal } = map.privacy.meter({ epsilon, delta, radius, rows: kind === "mean" ? rows : 1 });
  return { ...release, rows, nComponents: map.nComponents, bound: signal, sigma };
}

async function count(blocks) {
  tell({ phase: "count" });
  let rows = 0;
  for (const block of blocks) {
    rows += block.rows;
    await breath();
    if (control.stopped) break;
  }
  return rows;
}

/** Embeds as `embed` does, but writes only output with noise. */
async function embedPrivately(job, map, encoder, rows) {
  const release = new FileRelease(ts, map, job);
  const blocks = rows(({ unused }) => (release.unusable = unused));
  const features = (X) => release.features(X);
  const write = async (made, part) => {
    const noisy = await release.take(made);
    if (noisy) job.append(encoder.encode(noisy, part), part.rows, encoder.state);
    tell(release.seen);
  };
  try {
    const isMean = job.state.release.kind === "mean";
    if (!isMean || job.state.rows === 0) { // otherwise the mean was released before the job ended
      await embed(job, map, encoder, blocks, { features, write });
      if (isMean && !control.stopped) {
        job.append(encoder.encode(await release.mean(), { cells: new Uint8Array(0), offsets: new Int32Array(0) }), 1,
          encoder.state);
      }
    }
  } finally {
    job.save({ ...job.state, ...release.seen });
  }
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
  if (format === LABELS || format === UNUSED) {
    return from.encoder("csv", format === UNUSED ? PROBLEM_CELLS : cells, 0, { state, rowNumbers: true });
  }
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

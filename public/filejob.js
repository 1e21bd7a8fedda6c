// The worker that embeds files: it reads them block by block, has the pool transform the blocks, and writes the features
// into the origin's private file system as they come, so that neither file nor features need fit into memory.
//
// Requests are { id, type, … }, and each is answered by { id, result } or { id, error }; while a file is read there are
// { progress } messages.

import { HEAD_NUMBERS, joinRows, rowsOf, sizeOf } from "./blocks.js";
import { loadDataset } from "./dataset.js";
import { createJob, fileOf, listJobs, openJob, removeJob } from "./jobstore.js";
import { load } from "./tensorsketch.js";

const FEATURE_BYTES = 4 << 20; // of a block that is transformed and written at a time
const PROGRESS_MS = 100;

let dataset, ts;
let control = null; // of the run: { paused, stopped, resume }
let reading = null; // what `read` has opened: { id, blocks, at, counts, end }
let readings = 0;

const REQUESTS = {
  prepare,
  open,
  read,
  next,
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
  jobs: listJobs,
  remove: ({ job }) => removeJob(job),
  export: exportJob,
};

addEventListener("message", async ({ data: { id, type, ...request } }) => {
  try {
    const result = await REQUESTS[type](request);
    postMessage({ id, result }, result?.places ? buffersOf(result) : []);
  } catch (error) {
    const { name, message, problem, code, row, place } = error;
    postMessage({ id, error: { name, message, problem, code, row, place } });
  }
});

/** Loads what files need, while there is a network. */
async function prepare() {
  [dataset, ts] = await Promise.all([dataset ?? loadDataset(), ts ?? load()]);
}

/** What the head of a file says: its layout, and the plan that suggests. */
async function open({ file, options }) {
  dataset ??= await loadDataset();
  const source = dataset.source(file);
  try {
    const layout = dataset.sniff(source, options);
    const plan = dataset.plan(layout);
    dataset.close(layout.layout);
    return { layout, plan };
  } finally {
    source.close();
  }
}

/**
 * Opens the rows of a file, all of them or about the `most` first ones, from which then also is learned what the plan
 * asks for. Another `read` ends this one.
 */
async function read({ file, options, plan, most }) {
  dataset ??= await loadDataset();
  reading?.end();
  const source = dataset.source(file, { onRead: (at) => void (reading.at = at) });
  reading = { id: ++readings, at: 0, counts: null, end: source.close };
  const layout = dataset.sniff(source, options);
  let preprocessing = dataset.preprocessing(plan);
  if (preprocessing.needsFit) preprocessing = dataset.fit(source, layout, preprocessing, most);
  const blocks = dataset.rows(source, layout, preprocessing, (counts) => (reading.counts = counts));
  Object.assign(reading, { blocks, end: () => { blocks.return(); source.close(); } });
  const { nFeatures, sparse, cells, model } = preprocessing;
  return { reading: reading.id, nFeatures, sparse, cells, model };
}

/** The next block of what `read` opened, with how far the file is read; without rows and with counts after the last. */
function next({ reading: id }) {
  if (reading?.id !== id) throw new Error("another reading has begun");
  const { value, done } = reading.blocks.next();
  const { at, counts } = reading;
  return done ? { rows: 0, at, counts } : { ...value, at, counts };
}

const buffersOf = ({ X, cells, offsets, places }) =>
  [...(X.indptr ? [X.indptr, X.indices, X.data] : [X]), cells, offsets, places].map(({ buffer }) => buffer);

/**
 * Embeds a file, from the beginning or where `job` has been left. `plan` says what its columns become; params are those
 * of a feature map but for nFeatures, which follows. Returns the state of the job, done or stopped; null where it was
 * stopped during the first pass. A job without rows is not kept.
 */
async function run({ job: id, file, options, plan, params, format }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  let job, source;
  try {
    await prepare();
    job = id === undefined ? null : await openJob(id);
    if (job) ({ options, format } = checkFile(job.state, file));
    source = dataset.source(file, { onRead: (at) => tell({ read: at, size: file.size }) });
    const layout = dataset.sniff(source, options);
    const preprocessing = await learned(job, source, layout, plan);
    if (!preprocessing) return null;
    const map = job ? ts.fromJSON(job.state.model) : ts.featureMap({ ...params, nFeatures: preprocessing.nFeatures });
    try {
      if (!job && map.params.method === "nystroem") map.fit(headOf(dataset.rows(source, layout, preprocessing)));
      const encoder = encoderFor(format, preprocessing, map.nComponents);
      job ??= await createJob({
        file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem: layout.stem,
        options, format, preprocessing: preprocessing.model, model: map.toJSON(),
      });
      await embed(job, map, encoder, dataset.rows(source, layout, preprocessing));
      job.replaceHeader(encoder.finalHeader(job.state.rows));
      encoder.close();
      job.save({ ...job.state, done: !control.stopped });
      return job.state;
    } finally {
      map.dispose();
    }
  } finally {
    job?.close();
    if (job?.state.rows === 0 && !job.state.done) await removeJob(job.id);
    source?.close();
    control = null;
  }
}

/** The settings of a job, if this is the file it was begun with. */
function checkFile(state, file) {
  const { name, size, lastModified } = state.file;
  if (file.name !== name || file.size !== size || file.lastModified !== lastModified) {
    throw new Error(`${file.name} is not the file this embedding was begun with (${name}, ${size} bytes), or has changed: choose that one, or begin anew`);
  }
  return state;
}

/** The preprocessing of a job, or a new one after a first pass if it needs that; null if that is stopped. */
async function learned(job, source, layout, plan) {
  if (job) return dataset.fromModel(job.state.preprocessing);
  const preprocessing = dataset.preprocessing(plan);
  if (!preprocessing.needsFit) return preprocessing;
  const steps = dataset.fitting(source, layout, preprocessing);
  for (;;) {
    tell({ phase: "first pass" });
    const { value, done } = steps.next();
    if (done) return value;
    await breath();
    if (control.stopped) return null;
  }
}

/** Lets messages be heard, and waits while the run is paused. */
async function breath() {
  await new Promise((resolve) => setTimeout(resolve));
  await control.paused;
}

/** The first rows, to be fitted to. */
function headOf(blocks) {
  const parts = [];
  let numbers = 0;
  for (const { X } of blocks) {
    numbers += sizeOf(X);
    if (parts.length > 0 && numbers > HEAD_NUMBERS) break;
    parts.push(X);
  }
  return joinRows(parts);
}

/** Reads, transforms and writes, each while the others go on; rows that the job has are passed over. */
async function embed(job, map, encoder, blocks) {
  if (job.state.bytes === 0) job.append(encoder.header, 0);
  const most = ts.capabilities.threads + 1; // blocks on their way
  const queue = [];
  const writeNext = async () => {
    const { part, Z } = queue.shift();
    const features = await Z.catch((error) => { throw Object.assign(error, { place: part.places[error.row] }); });
    job.append(encoder.encode(features, part), part.rows);
    tell({ phase: "embed", rows: job.state.rows, bytes: job.state.bytes });
  };
  let passed = 0;
  for (const block of blocks) {
    for (const part of partsOf(block, Math.max(1, Math.floor(FEATURE_BYTES / (4 * map.nComponents))), job.state.rows - passed)) {
      const Z = map.transformAsync(part.X);
      Z.catch(() => {}); // waited for in its turn
      queue.push({ part, Z });
      if (queue.length > most) await writeNext();
      await breath();
      if (control.stopped) break;
    }
    passed += block.rows;
    if (control.stopped) break;
  }
  while (queue.length > 0) await writeNext();
}

/** A block in parts of some rows, without the first `skip` ones. */
function* partsOf(block, rows, skip) {
  for (let from = Math.max(0, skip); from < block.rows; from += rows) yield rowsOf(block, from, Math.min(from + rows, block.rows));
}

/** The features that a job has, as a File on disk, whole or not. */
async function exportJob({ job: id }) {
  dataset ??= await loadDataset();
  const job = await openJob(id);
  const { format, preprocessing, model, rows } = job.state;
  const encoder = encoderFor(format, dataset.fromModel(preprocessing), model.nComponents);
  job.replaceHeader(encoder.finalHeader(rows));
  encoder.close();
  job.close();
  return fileOf(id);
}

/** .npy holds numbers alone. */
function encoderFor(format, { cells }, nComponents) {
  return dataset.encoder(format, format === "npy" ? [] : cells, nComponents);
}

let told = 0, news = {};

/** Tells the page how far the run is, a few times a second. */
function tell(more) {
  Object.assign(news, more);
  if (performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  postMessage({ progress: news });
}

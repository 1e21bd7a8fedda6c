// The worker that embeds files: it reads them block by block, has the pool transform the blocks, and writes the features
// into the origin's private file system as they come, so that neither file nor features need fit into memory.
//
// Requests are { id, type, … }, and each is answered by { id, result } or { id, error }; while a file is read there are
// { progress } messages.
//
// - run: { file, plan, params, format }, { file, model, format } or { job, file }; see run
// - model: { job, key, includeKey }: the text of a job's model file, with which its preprocessing goes; with its key only if
//   that is given and asked for
//
// A `key` is 32 bytes or { passphrase, salt, iterations }. It is in no state of a job, and so each request that needs it has it.

import { DatasetError, loadDataset } from "./dataset.js";
import { createJob, fileOf, listJobs, openJob, removeJob, stateOf } from "./jobstore.js";
import { deriveKey, load } from "./tensorsketch.js";

const FEATURE_BYTES = 4 << 20; // of a block that is transformed and written at a time
const PROGRESS_MS = 100;

let dataset, ts;
let control = null; // of the run: { paused, stopped, resume }

const REQUESTS = {
  open,
  run,
  pause: () => void (control.paused ??= new Promise((resolve) => (control.resume = resolve))),
  resume() {
    control.resume?.();
    control.paused = control.resume = null;
  },
  stop() {
    control.stopped = true;
    REQUESTS.resume();
  },
  jobs: listJobs,
  remove: ({ job }) => removeJob(job),
  export: exportJob,
  model: exportModel,
};

addEventListener("message", async ({ data: { id, type, ...request } }) => {
  try {
    postMessage({ id, result: await REQUESTS[type](request) });
  } catch (error) {
    const { name, message, problem, code } = error;
    postMessage({ id, error: { name, message, problem, code } });
  }
});

/** What the head of a file says: its layout, and the plan that suggests. */
async function open({ file, options }) {
  dataset ??= await loadDataset();
  const source = dataset.source(file);
  try {
    const layout = dataset.sniff(source, options);
    return { layout, plan: dataset.plan(layout) };
  } finally {
    source.close();
  }
}

/**
 * Embeds a file, from the beginning or where `job` has been left. `plan` says what its columns become and params are those
 * of a feature map but for nFeatures, which follows; or both are those of a `model` file, text or parsed. A keyed map takes its
 * `key`, also when a job goes on. Returns the state of the job, done or stopped.
 */
async function run({ job: id, file, options, plan, params, model, key, format }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  let job, source, map, emptied = false;
  try {
    [dataset, ts, key] = await Promise.all([dataset ?? loadDataset(), ts ?? load(), keyOf(key)]);
    job = id === undefined ? null : await openJob(id);
    if (job) ({ options, plan, params, model, format } = checkFile(job.state, file));
    source = dataset.source(file, { onRead: (at) => { tell({ read: at, size: file.size }); return !control.stopped; } });
    const layout = dataset.sniff(source, options);
    if (model) map = ts.fromJSON(model, { key });
    const preprocessing = model ? preprocessingOf(map) : learned(source, layout, plan);
    map ??= ts.featureMap({ ...params, key, nFeatures: preprocessing.nFeatures });
    const encoder = encoderFor(format, preprocessing, map.nComponents);
    job ??= await createJob({
      file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem: layout.stem,
      options, plan, params, format, model: map.toJSON({ preprocessing: preprocessing.model }),
    });
    await embed(job, map, encoder, dataset.rows(source, layout, preprocessing));
    job.replaceHeader(encoder.finalHeader(job.state.rows));
    encoder.close();
    job.save({ ...job.state, done: !control.stopped });
    return job.state;
  } catch (error) {
    if (error instanceof DatasetError && error.stopped) return job?.state ?? null;
    emptied = id === undefined && job?.state.rows === 0;
    throw error;
  } finally {
    map?.dispose();
    job?.close();
    if (emptied) await removeJob(job.id); // there is nothing to go on with
    source?.close();
    control = null;
  }
}

/** The 32 bytes of a key, if there is one. */
function keyOf(key) {
  if (key === undefined || ArrayBuffer.isView(key)) return key;
  return deriveKey(key.passphrase, key.salt, key.iterations);
}

/** The settings of a job, if this is the file it was begun with. */
function checkFile(state, file) {
  const { name, size, lastModified } = state.file;
  if (file.name !== name || file.size !== size || file.lastModified !== lastModified) {
    throw new Error(`${file.name} is not the file this embedding was begun with (${name}, ${size} bytes), or has changed: choose that one, or begin anew`);
  }
  return state;
}

/** The preprocessing of the model that a map comes from. */
function preprocessingOf({ preprocessing }) {
  if (preprocessing) return dataset.fromModel(preprocessing);
  throw new Error("this model file says nothing about the columns of a file: choose one that was saved with an embedding, or say what the columns become");
}

/** The preprocessing of a plan, after a first pass if it needs that. */
function learned(source, layout, plan) {
  const preprocessing = dataset.preprocessing(plan);
  if (!preprocessing.needsFit) return preprocessing;
  tell({ phase: "first pass" });
  return dataset.fit(source, layout, preprocessing);
}

/** Reads, transforms and writes, each while the others go on; rows that the job has are passed over. */
async function embed(job, map, encoder, blocks) {
  if (job.state.bytes === 0) job.append(encoder.header, 0);
  const most = ts.capabilities.threads + 1; // blocks on their way
  const queue = [];
  const writeNext = async () => {
    const { part, Z } = queue.shift();
    job.append(encoder.encode(await Z, part), part.rows);
    tell({ phase: "embed", rows: job.state.rows, bytes: job.state.bytes });
  };
  let passed = 0;
  for (const block of blocks) {
    for (const part of partsOf(block, Math.max(1, Math.floor(FEATURE_BYTES / (4 * map.nComponents))), job.state.rows - passed)) {
      const Z = map.transformAsync(part.X);
      Z.catch(() => {}); // waited for in its turn
      queue.push({ part, Z });
      if (queue.length > most) await writeNext();
      await control.paused;
      if (control.stopped) break;
    }
    passed += block.rows;
    await new Promise((resolve) => setTimeout(resolve)); // messages are heard
    if (control.stopped) break;
  }
  while (queue.length > 0) await writeNext();
}

/** A block in parts of some rows, without the first `skip` ones. */
function* partsOf(block, rows, skip) {
  const cells = (block.offsets.length - 1) / block.rows;
  const d = block.X.indptr ? 0 : block.X.length / block.rows;
  for (let from = Math.max(0, skip); from < block.rows; from += rows) {
    const to = Math.min(from + rows, block.rows);
    const offsets = block.offsets.slice(from * cells, to * cells + 1);
    const [begin, end] = [offsets[0], offsets.at(-1)];
    yield {
      rows: to - from,
      X: block.X.indptr ? csrRows(block.X, from, to) : block.X.subarray(from * d, to * d),
      cells: block.cells.subarray(begin, end),
      offsets: offsets.map((at) => at - begin),
    };
  }
}

function csrRows({ indptr, indices, data }, from, to) {
  const [begin, end] = [indptr[from], indptr[to]];
  return { indptr: indptr.slice(from, to + 1).map((at) => at - begin), indices: indices.subarray(begin, end), data: data.subarray(begin, end) };
}

/** The features that a job has, as a File on disk, whole or not. */
async function exportJob({ job: id }) {
  dataset ??= await loadDataset();
  const job = await openJob(id);
  const { format, model, rows } = job.state;
  const encoder = encoderFor(format, dataset.fromModel(model.preprocessing), model.repeats * model.nComponents);
  job.replaceHeader(encoder.finalHeader(rows));
  encoder.close();
  job.close();
  return fileOf(id);
}

/** The text of the model file of a job. */
async function exportModel({ job: id, key, includeKey = false }) {
  const { model } = await stateOf(id);
  if (!includeKey) return JSON.stringify(model);
  [ts, key] = await Promise.all([ts ?? load(), keyOf(key)]);
  const map = ts.fromJSON(model, { key });
  try {
    return JSON.stringify(map.toJSON({ includeKey }));
  } finally {
    map.dispose();
  }
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

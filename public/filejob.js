// The worker that embeds files: it reads them block by block, has the pool transform the blocks, and writes the features
// into the origin's private file system as they come, so that neither file nor features need fit into memory.
//
// Requests are { id, type, … }, and each is answered by { id, result } or { id, error }; while a file is read there are
// { progress } messages.

import { DatasetError, free, loadDataset } from "./dataset.js";
import { createJob, fileOf, listJobs, openJob, removeJob } from "./jobstore.js";
import { load } from "./tensorsketch.js";

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
 * Embeds a file, from the beginning or where `job` has been left. `plan` says what its columns become; params are those
 * of a feature map but for nFeatures, which follows. Returns the state of the job, done or stopped.
 */
async function run({ job: id, file, options, plan, params, format }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  let job, source;
  try {
    [dataset, ts] = await Promise.all([dataset ?? loadDataset(), ts ?? load()]);
    job = id === undefined ? null : await openJob(id);
    if (job) ({ options, plan, params, format } = checkFile(job.state, file));
    source = dataset.source(file, { onRead: (at) => { tell({ read: at, size: file.size }); return !control.stopped; } });
    const layout = dataset.sniff(source, options);
    const preprocessing = learned(job, source, layout, plan);
    const map = ts.featureMap({ ...params, nFeatures: preprocessing.nFeatures });
    try {
      const encoder = encoderFor(format, preprocessing, map.nComponents);
      job ??= await createJob({
        file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem: layout.stem,
        options, plan, params, format, preprocessing: preprocessing.model, model: map.toJSON(),
      });
      await embed(job, map, encoder, dataset.rows(source, layout, preprocessing));
      job.replaceHeader(encoder.finalHeader(job.state.rows));
      encoder.close();
      job.save({ ...job.state, done: !control.stopped });
      return job.state;
    } finally {
      map.dispose();
    }
  } catch (error) {
    if (error instanceof DatasetError && error.stopped) return job?.state ?? null;
    throw error;
  } finally {
    job?.close();
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

/** The preprocessing of a job, or a new one after a first pass if it needs that. */
function learned(job, source, layout, plan) {
  if (job) return dataset.fromModel(job.state.preprocessing);
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
    const features = await Z;
    const bytes = encoder.encode(features, part);
    job.append(bytes, part.rows);
    [features, bytes, part.offsets, ...part.done].forEach(free);
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
    for (let k = 0; k < offsets.length; k++) offsets[k] -= begin;
    yield {
      rows: to - from,
      X: block.X.indptr ? csrRows(block.X, from, to) : block.X.subarray(from * d, to * d),
      cells: block.cells.subarray(begin, end),
      offsets,
      done: to === block.rows ? arraysOf(block) : [], // with this part, the last
    };
  }
}

function arraysOf({ X, cells, offsets }) {
  return [...(X.indptr ? [X.indptr, X.indices, X.data] : [X]), cells, offsets];
}

function csrRows({ indptr, indices, data }, from, to) {
  const [begin, end] = [indptr[from], indptr[to]];
  return { indptr: indptr.slice(from, to + 1).map((at) => at - begin), indices: indices.subarray(begin, end), data: data.subarray(begin, end) };
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

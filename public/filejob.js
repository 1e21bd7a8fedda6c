// The worker that embeds files: it reads them block by block, has the pool transform the blocks, and writes the features
// into the origin's private file system as they come, so that neither file nor features need fit into memory.
//
// Requests are { id, type, … }, and each is answered by { id, result } or { id, error }; while a file is read there are
// { progress } messages.

import { DatasetError, isColumnar, loadDataset } from "./dataset.js";
import { imagesToRows } from "./images.js";
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
  images,
};

addEventListener("message", async ({ data: { id, type, ...request } }) => {
  try {
    postMessage({ id, result: await REQUESTS[type](request) });
  } catch (error) {
    const { name, message, problem, code } = error;
    postMessage({ id, error: { name, message, problem, code } });
  }
});

/** The table of some images, as a File, and what is wrong with those that are left out; null if it is stopped. */
async function images({ files, width, height }) {
  if (control) throw new Error("a file is being embedded: stop that first");
  control = { paused: null, stopped: false };
  news = {};
  try {
    return await imagesToRows(files, { width, height, onProgress: (images, of) => { tell({ phase: "images", images, of }); return !control.stopped; } });
  } finally {
    control = null;
  }
}

/** What the head of a file says: its layout, and the plan that suggests. */
async function open({ file, options }) {
  const { source, layout } = await sniff(file, options);
  try {
    return { layout, plan: dataset.plan(layout) };
  } finally {
    source.close();
  }
}

/** A source and its layout, with what can read it: `dataset` takes up Parquet and Arrow when a file or `format` wants it. */
async function sniff(file, options, format, source) {
  await haveDataset(isColumnar(format));
  const opened = dataset.source(file, source);
  try {
    return { source: opened, layout: dataset.sniff(opened, options) };
  } catch (error) {
    opened.close();
    if (!error.columnar) throw error;
    await haveDataset(true);
    return sniff(file, options, format, source);
  }
}

async function haveDataset(columnar) {
  if (!dataset || (columnar && !dataset.columnar)) dataset = await loadDataset({ columnar });
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
    ts ??= await load();
    job = id === undefined ? null : await openJob(id);
    if (job) ({ options, plan, params, format } = checkFile(job.state, file));
    const opened = await sniff(file, options, format, { onRead: (at) => { tell({ read: at, size: file.size }); return !control.stopped; } });
    const { layout } = opened;
    source = opened.source;
    const preprocessing = learned(job, source, layout, plan);
    const map = ts.featureMap({ ...params, nFeatures: preprocessing.nFeatures });
    try {
      const encoder = encoderFor(format, preprocessing, map.nComponents, job?.state.encoder);
      job ??= await createJob({
        file: { name: file.name, size: file.size, lastModified: file.lastModified }, stem: layout.stem,
        options, plan, params, format, preprocessing: preprocessing.model, model: map.toJSON(),
      });
      await embed(job, map, encoder, dataset.rows(source, layout, preprocessing));
      job.finish(encoder.finish(job.state.rows), { done: !control.stopped });
      encoder.close();
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
    job.append(encoder.encode(await Z, part), part.rows, encoder.state);
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
  const job = await openJob(id);
  const { format, preprocessing, model, rows, encoder: state } = job.state;
  await haveDataset(isColumnar(format));
  const encoder = encoderFor(format, dataset.fromModel(preprocessing), model.nComponents, state);
  job.finish(encoder.finish(rows));
  encoder.close();
  job.close();
  return fileOf(id);
}

/** .npy holds numbers alone. */
function encoderFor(format, { cells }, nComponents, state) {
  return dataset.encoder(format, format === "npy" ? [] : cells, nComponents, state);
}

let told = 0, news = {};

/** Tells the page how far the run is, a few times a second. */
function tell(more) {
  Object.assign(news, more);
  if (performance.now() - told < PROGRESS_MS) return;
  told = performance.now();
  postMessage({ progress: news });
}

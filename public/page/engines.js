// The engines of the worker: the core, dataset.wasm, and the files that it opens.

import { isColumnar, loadDataset } from "../api/dataset.js";
import { doJob as doJobBy } from "../api/filejobs.js";
import { load } from "../api/tensorsketch.js";
import { defaultThreads } from "../api/thread.js";
import { workerURL } from "./requests.js";

const FEATURE_BYTES = 512 << 10; // bytes of features that are transformed at a time

const READER_BYTES = 1 << 30; // of memory, which dataset.wasm may have

/** The core, after haveCore has loaded it. */
export let ts;

let dataset;
let loading = null; // the promise of ts

/**
 * Loads everything that files need while there is a network, and so starts the workers. It then ends them, because the
 * next step may not need them.
 */
export async function prepare() {
  await Promise.all([haveDataset(), haveCore()]);
  await ts.warm();
  ts.rest();
}

/** Returns dataset.wasm, or the larger build with Parquet and Arrow. */
export async function haveDataset(columnar = false) {
  if (!dataset || (columnar && !dataset.columnar)) {
    dataset = await loadDataset({ columnar, maxMemory: READER_BYTES });
  }
  return dataset;
}

/**
 * Returns a core with a worker for every processor except the one that reads, and at least one worker. The workers
 * start when a map has enough work for them.
 */
export async function haveCore() {
  loading ??= defaultThreads().then((threads) => load({ threads: Math.max(1, threads - 1), workerURL }));
  try {
    ts = await loading;
  } catch (error) {
    loading = null; // lets the next request try again
    throw error;
  }
}

/**
 * Returns a source, its layout, and `from`, the dataset module that reads it. Parquet and Arrow need the columnar one.
 * `options` are the typed settings of the reading. The other settings come from the preprocessing of a `model` or are
 * guessed.
 */
export async function sniff(file, { options, onRead, model }) {
  const from = await haveDataset();
  const source = from.source(file, { onRead });
  try {
    const prepared = model && from.fromModel(model);
    const layout = from.sniff(source, options, { preprocessing: prepared });
    prepared?.close();
    return { from, source, layout };
  } catch (error) {
    source.close();
    if (!error.columnar) throw error;
    await haveDataset(true);
    return sniff(file, { options, onRead, model });
  }
}

/** Does a job of package jobs with the rows of a file (filejobs.js). */
export const doJob = (name, file, request, given, columnar = isColumnar(request.reading?.format)) =>
  doJobBy(name, file, request, { api: ts, load: haveDataset, ...given }, columnar);

/** Returns the error of a reader that has ended, for people who cannot give it more memory. */
export function inWordsOfThePage({ name, problem, message }) {
  if (!problem) return { name, message };
  const remedy = "the next file is read by another; cut this one into smaller files, or take the command line";
  return { name, problem: { ...problem, remedy }, message: `${problem.file}: ${problem.what}; ${remedy}.` };
}

/** Returns the map of a model file. A model with a head has it within. */
export function mapOfModel(model, options) {
  const made = ts.fromJSON(model, options);
  return made.map ?? made;
}

export function checkWidth(map, nFeatures) {
  if (map.nFeatures === nFeatures) return;
  throw new Error(`the model takes rows of ${map.nFeatures} numbers, and these columns make ${nFeatures}: change the ` +
    `use of columns`);
}

/** Returns the rows of a part that is transformed at once, and the number of parts at a time. */
export const sizesOf = (map) => ({
  rowsOfPart: Math.max(1, Math.floor(FEATURE_BYTES / (4 * map.nComponents))), ahead: ts.capabilities.threads + 1,
});

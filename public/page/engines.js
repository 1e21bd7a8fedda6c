// What the worker computes with: the core, dataset.wasm, and the files that it opens.

import { isColumnar, loadDataset } from "../api/dataset.js";
import { load } from "../api/tensorsketch.js";
import { defaultThreads } from "../api/thread.js";

const FEATURE_BYTES = 512 << 10; // of a block that is transformed and written at a time

/** The core, once haveCore has loaded it. */
export let ts;

let dataset;
let loading = null; // the promise of ts

/**
 * Loads what files need, while there is a network, and the workers of the core by work that is made up. They end then:
 * what comes next may do without them.
 */
export async function prepare() {
  await Promise.all([haveDataset(), haveCore()]);
  const map = ts.featureMap({ nFeatures: 1, nComponents: 1024, degree: 16 });
  await map.transformAsync(new Float32Array(250 * ts.capabilities.threads)); // some tens of milliseconds each
  map.dispose();
  ts.rest();
}

/** dataset.wasm, or the larger one that has Parquet and Arrow too. */
export async function haveDataset(columnar = false) {
  if (!dataset || (columnar && !dataset.columnar)) dataset = await loadDataset({ columnar });
  return dataset;
}

/**
 * A core with workers for all processors but the one that reads, or one. They start when a map takes more than that can
 * do.
 */
export async function haveCore() {
  loading ??= defaultThreads().then((threads) => load({ threads: Math.max(1, threads - 1) }));
  try {
    ts = await loading;
  } catch (error) {
    loading = null; // the next request tries again
    throw error;
  }
}

/**
 * A source and its layout, and `from` what can read it: of Parquet and Arrow, or where such a `format` is to be
 * written, another. `options` are the settings of its reading that are typed; the others are as the preprocessing of a
 * `model` says, or guessed.
 */
export async function sniff(file, { options, format, onRead, model }) {
  const from = await haveDataset(isColumnar(format));
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
    return sniff(file, { options, format, onRead, model });
  }
}

export function checkWidth(map, nFeatures) {
  if (map.nFeatures === nFeatures) return;
  throw new Error(`the model takes rows of ${map.nFeatures} numbers, and these columns make ${nFeatures}: change the ` +
    `use of columns`);
}

/** In how large parts rows are transformed, and how many at a time. */
export const sizesOf = (map, bytes = FEATURE_BYTES) => ({
  rowsOfPart: Math.max(1, Math.floor(bytes / (4 * map.nComponents))), ahead: ts.capabilities.threads + 1,
});

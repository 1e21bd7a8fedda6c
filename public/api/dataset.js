// tensorsketch/dataset: what reads files of rows, and the jobs of the command line. dataset.d.ts has the documentation.

import { loadDataset } from "./datasetmodule.js";
import * as jobs from "./filejobs.js";

export { DatasetError } from "./dataseterror.js";
export { isColumnar } from "./datasetmodule.js";
export { loadDataset };

export async function fit(ts, file, options) {
  return jobs.fit(ts, file, options, shared);
}

export async function predict(ts, file, options) {
  return jobs.predict(ts, file, options, shared);
}

export async function evaluate(ts, file, options) {
  return jobs.evaluate(ts, file, options, shared);
}

const loaded = new Map(); // promises of Datasets: the larger build by true

/** Returns the Dataset that these functions share. */
function shared(columnar) {
  const known = loaded.get(true) ?? loaded.get(columnar);
  if (known) return known;
  const promise = loadDataset({ columnar });
  loaded.set(columnar, promise);
  promise.catch(() => loaded.delete(columnar)); // the next call tries again
  return promise;
}

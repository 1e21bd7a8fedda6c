// FeatureMap with what maps of tensorsketch/map do without: private releases of rows, and neighbours by cosine.

import { checkOptions, paramError, rowError } from "./errors.js";
import { accessTo, FeatureMap as Embedding } from "./featuremap.js";
import { Privacy } from "./privacy.js";
import { featureRows } from "./rows.js";

export class FeatureMap extends Embedding {
  #privacy = null;

  get privacy() {
    this.#privacy ??= new Privacy((what) => accessTo(this, what));
    return this.#privacy;
  }

  nearest(Z, q, k, options = {}) {
    const { metric } = checkOptions(options, ["metric"]);
    const scaled = scalerOf(metric, this.nComponents);
    return super.nearest(scaled(Z, "Z"), scaled(q, "q"), k);
  }

  async nearestAsync(Z, q, k, options = {}) {
    const { metric, ...rest } = checkOptions(options, ["metric", "signal", "onProgress"]);
    const scaled = scalerOf(metric, this.nComponents);
    return super.nearestAsync(scaled(Z, "Z"), scaled(q, "q"), k, rest);
  }
}

/** Returns a function that gives rows of features as a metric compares them by inner products. */
function scalerOf(metric = "inner", nComponents) {
  if (metric === "inner") return (Z) => Z;
  if (metric === "cosine") return (Z, argument) => unitRows(Z, nComponents, argument);
  throw paramError("metric", 'be "inner" or "cosine": ts.index has distances', metric);
}

/** Returns a copy of rows of features, divided by their lengths. */
function unitRows(Z, nComponents, argument) {
  const unit = new Float32Array(Z);
  for (let row = 0; row < featureRows(Z, nComponents, argument); row++) {
    const z = unit.subarray(row * nComponents, (row + 1) * nComponents);
    let sum = 0;
    for (let j = 0; j < nComponents; j++) sum += z[j] * z[j];
    if (sum === 0) {
      throw rowError("ERR_PARAM", argument, row, undefined,
        "have a number that is not 0: a row of zeros has no cosine", "zeros");
    }
    const scale = 1 / Math.sqrt(sum);
    for (let j = 0; j < nComponents; j++) z[j] *= scale;
  }
  return unit;
}

// FeatureMap with neighbours by cosines and by distances. Maps of tensorsketch/map do without.

import { checkOptions, paramError, rowError } from "./errors.js";
import { FeatureMap as Embedding } from "./featuremap.js";
import { featureRows } from "./rows.js";

export class FeatureMap extends Embedding {
  nearest(Z, q, k, options = {}) {
    const { metric } = checkOptions(options, ["metric"]);
    const { rows, queries, width, finish } = compared(metric, this, Z, q);
    return finish(super.nearest(rows, queries, k, {}, width));
  }

  async nearestAsync(Z, q, k, options = {}) {
    const { metric, ...rest } = checkOptions(options, ["metric", "signal", "onProgress"]);
    const { rows, queries, width, finish } = compared(metric, this, Z, q);
    return finish(await super.nearestAsync(rows, queries, k, rest, width));
  }
}

/** Returns rows and queries whose inner products a metric orders, their width, and what makes its values of these. */
function compared(metric = "inner", { nComponents, params }, Z, q) {
  const same = { width: nComponents, finish: (found) => found };
  if (metric === "inner") return { rows: Z, queries: q, ...same };
  if (params.methodParams.signed) {
    throw paramError("metric", 'be "inner" where methodParams.signed is true: it has the order of the others', metric);
  }
  if (metric === "cosine") {
    return { rows: unitRows(Z, nComponents, "Z"), queries: unitRows(q, nComponents, "q"), ...same };
  }
  if (metric !== "euclidean") throw paramError("metric", 'be "inner", "cosine" or "euclidean"', metric);
  const [n, m] = [featureRows(Z, nComponents, "Z"), featureRows(q, nComponents, "q")];
  let largest = 0;
  for (const X of [Z, q]) for (const v of X) largest = Math.max(largest, Math.abs(v));
  const scale = 2 ** -Math.min(127, Math.floor(Math.log2(largest || 1)));
  return { rows: withLengths(Z, n, scale, nComponents), queries: withLengths(q, m, scale, nComponents, 1),
    width: nComponents + 2, finish: (found) => byDistance(found, Z, q, nComponents) };
}

/**
 * The least ‖q − z‖ has the largest ⟨q, z⟩ − ‖z‖²/2. So a row gets two more numbers: −‖z‖²/2 in float32, and what is
 * left of it. A query gets ones. The core adds products in float64. The scale is a power of two that makes the largest
 * of all numbers 1 to 2: squares of others may be no float32.
 */
function withLengths(Z, n, scale, nComponents, one) {
  const width = nComponents + 2, rows = new Float32Array(n * width);
  for (let row = 0; row < n; row++) {
    const at = row * width + nComponents, z = rows.subarray(at - nComponents, at);
    for (let j = 0; j < nComponents; j++) z[j] = Z[row * nComponents + j] * scale;
    const half = -squares(z) / 2;
    rows[at] = one ?? half;
    rows[at + 1] = one ?? half - rows[at];
  }
  return rows;
}

/** Puts exact distances in the place of products, and the rows of each query in their order. */
function byDistance({ rows, estimates }, Z, q, nComponents) {
  const each = rows.length / (q.length / nComponents);
  for (let from = 0; from < rows.length; from += each) {
    const query = from / each * nComponents;
    const found = Array.from(rows.subarray(from, from + each), (row) => {
      let sum = 0;
      for (let j = 0; j < nComponents; j++) sum += (q[query + j] - Z[row * nComponents + j]) ** 2;
      return [Math.sqrt(sum), row];
    }).sort(([a, i], [b, j]) => a - b || i - j);
    found.forEach(([distance, row], i) => {
      estimates[from + i] = distance;
      rows[from + i] = row;
    });
  }
  return { rows, estimates };
}

function squares(z) {
  let sum = 0;
  for (let j = 0; j < z.length; j++) sum += z[j] * z[j];
  return sum;
}

/** Returns a copy of rows of features, divided by their lengths. */
function unitRows(Z, nComponents, argument) {
  const unit = new Float32Array(Z);
  for (let row = 0; row < featureRows(Z, nComponents, argument); row++) {
    const z = unit.subarray(row * nComponents, (row + 1) * nComponents);
    const sum = squares(z);
    if (sum === 0) {
      throw rowError("ERR_PARAM", argument, row, undefined,
        "have a number that is not 0: a row of zeros has no cosine", "zeros");
    }
    const scale = 1 / Math.sqrt(sum) || 1; // with a number that is not finite, whose place the core tells
    for (let j = 0; j < nComponents; j++) z[j] *= scale;
  }
  return unit;
}

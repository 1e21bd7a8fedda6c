// What columns are worth to a model: how much worse it predicts where the values of a column are exchanged between rows
// (Breiman, Random forests, Machine Learning 45, 2001), as sketch/learn/importance.go says.

import { paramError, shapeError } from "./errors.js";

const REPEATS = 5;

/**
 * Returns { drop, stdError } of each column of dense rows, or of each group of columns. `lossesOf` returns a loss of
 * each of n rows of d numbers.
 */
export function importances(X, d, groups, lossesOf) {
  const n = X.length / d;
  if (n < 2) throw shapeError("X", "have at least two rows", n);
  const before = lossesOf(X);
  const changed = X.slice();
  const random = draws();
  return groupsOf(groups, d).map((columns) => {
    const worse = new Float64Array(n);
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const order = shuffled(n, random);
      for (let i = 0; i < n; i++) for (const j of columns) changed[i * d + j] = X[order[i] * d + j];
      lossesOf(changed).forEach((loss, i) => (worse[i] += (loss - before[i]) / REPEATS));
    }
    for (let i = 0; i < n; i++) for (const j of columns) changed[i * d + j] = X[i * d + j];
    const drop = worse.reduce((a, b) => a + b, 0) / n;
    const square = worse.reduce((sum, w) => sum + (w - drop) ** 2, 0);
    return { drop, stdError: Math.sqrt(square / (n * (n - 1))) };
  });
}

function groupsOf(groups, d) {
  if (groups === undefined) return Array.from({ length: d }, (_, j) => [j]);
  const isColumn = (j) => Number.isInteger(j) && j >= 0 && j < d;
  const isGroup = (columns) => Array.isArray(columns) && columns.every(isColumn);
  if (Array.isArray(groups) && groups.every(isGroup)) return groups;
  throw paramError("columns", `be arrays of columns from 0 to ${d - 1}`, groups);
}

/** Returns 0 … n − 1 in some order (Fisher and Yates). */
function shuffled(n, random) {
  const order = Int32Array.from({ length: n }, (_, i) => i);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Returns what draws numbers from 0 to 1, always the same ones. */
function draws() {
  let state = 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
}

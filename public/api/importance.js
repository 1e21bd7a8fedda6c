// What columns are worth to a model: how much worse it predicts where the values of a column are exchanged between rows
// (Breiman, Random forests, Machine Learning 45, 2001), as sketch/learn/importance.go says.

import { paramError, shapeError } from "./errors.js";
import { IMPORTANCE_REPEATS } from "./tables.js";

/**
 * Returns { drop, stdError } of each column of dense rows, or of each group of columns. `lossesOf` returns a loss of
 * each of n rows of d numbers.
 */
export function importances(X, d, groups, lossesOf) {
  const n = X.length / d;
  if (n < 2) throw shapeError("X", "have at least two rows", n);
  const before = lossesOf(X);
  const changed = X.slice();
  const below = minimalStandard();
  return groupsOf(groups, d).map((columns) => {
    const worse = new Float64Array(n);
    for (let repeat = 0; repeat < IMPORTANCE_REPEATS; repeat++) {
      const order = shuffled(n, below);
      for (let i = 0; i < n; i++) for (const j of columns) changed[i * d + j] = X[order[i] * d + j];
      lossesOf(changed).forEach((loss, i) => (worse[i] += (loss - before[i]) / IMPORTANCE_REPEATS));
    }
    for (let i = 0; i < n; i++) for (const j of columns) changed[i * d + j] = X[i * d + j];
    const drop = worse.reduce((sum, w) => sum + w / n, 0);
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

/** Returns 0 … n − 1 in some order (Fisher and Yates, inside out). */
function shuffled(n, below) {
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) {
    const j = below(i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  return order;
}

/** Returns what draws from 0 to n − 1: minimalStandard of sketch/learn/importance.go. */
function minimalStandard() {
  let state = 1;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return Math.floor((state * n) / 2147483647);
  };
}

// Two-sample tests: whether the rows of two learners, or of their releases, come from the same distribution.

import { checkRunning, disposedError, fault, paramError, show, showJSON } from "./errors.js";
import { FitTask, runTask } from "./fit.js";
import { joined } from "./sumwords.js";

const sides = new WeakMap();

/**
 * Lets an object be compared. `side()` returns { block, nComponents, words, release, shared }: the block and words of
 * its moments, what its release was, or null, and what both sides must have in common.
 */
export function hasSide(object, side) {
  sides.set(object, side);
}

/** Compares two objects that have sides. */
export async function compare(engine, mine, other, options) {
  if (!engine.alive()) throw disposedError("module");
  const { signal, onProgress } = checkRunning(options);
  if (typeof other !== "object" || !sides.has(other)) {
    throw paramError("other", "be a learner or a release of one", other);
  }
  const both = [mine, other].map((object) => sides.get(object)());
  checkSame(both[0].shared, both[1].shared, "for both sets",
    "give both what prepare returns, or the same map, preprocessing and radius");
  signal?.throwIfAborted();
  const words = joined(both.map((side) => side.words));
  const compared = both.map(({ block, release, words: { length } }) => ({ block, release, bytes: length }));
  const task = new FitTask(both.slice(0, 1), [words], { compare: compared });
  const [result] = await runTask(engine, mine, task, { signal, onProgress });
  const [mmd2, stdError, biased, pValue, ...rows] = new Float64Array(result.slice().buffer);
  return Object.freeze({ mmd2, stdError, biased, pValue, rows: Object.freeze(rows) });
}

/** Throws for the first thing in which two learners differ that must have it in common. */
export function checkSame(mine, other, where = "in all parts",
  remedy = "share what prepare returns, or state it") {
  for (const key of new Set([...Object.keys(mine), ...Object.keys(other)])) {
    const [want, got] = [mine[key], other[key]].map((value) =>
      (typeof value === "object" ? showJSON(value) : show(value)));
    if (want === got) continue;
    throw fault(key, `${key} must be the same ${where}, ${want}, got ${got}: ${remedy}`);
  }
}

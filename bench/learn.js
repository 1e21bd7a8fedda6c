// Measures learning in Node (node.mjs) and in a page (page.js): MNIST from pixels in memory to a fitted classifier, and
// batches of products. Times are seconds of one run, since a run is long.

import { randomRows } from "./measure.js";

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
const now = () => performance.now();

/**
 * Returns the figures of one thread and of all workers. `data.digits` is { nFeatures, train, test }, where both hold X
 * with rows of length 1 and labels y. peers/sklearn_learn.py measures the same.
 */
export async function measureLearn(load, { digits }, { quick = false } = {}) {
  const results = { gram: await gram(load, quick) };
  if (!digits) return results;
  const { rows, map, X, y } = workload(digits, quick, 1024);
  results.rows = rows;
  for (const [name, threads] of [["oneThread", 0], ["workers", undefined]]) {
    const ts = await load({ build: "simd", threads });
    await ts.warm();
    results[name] = { ...await ridge(ts, map, X, y, digits.test, 0), ...await svm(ts, map, X, y, digits.test) };
    ts.dispose();
  }
  return results;
}

/**
 * Returns the figures of ridge with five folds: with D 1,024 and 4,096, in one thread and in two workers. `features` is
 * the time of the features alone, block by block, beside `moments`, which is of both. `processor` returns the
 * milliseconds that this process has had of a processor: one thread is measured by it, since machines are shared.
 */
export async function measureFolds(load, { digits }, { quick = false, sizes = [1024, 4096], processor, ...given }) {
  const results = {};
  for (const D of sizes) {
    const { rows, map, X, y } = workload(digits, quick, D);
    const of = results[map.nComponents] = { rows };
    for (const threads of given.threads ?? [0, 2]) {
      const ts = await load({ build: "simd", threads, maxMemory: 2 ** 31 });
      await ts.warm();
      const clock = threads === 0 ? processor : now;
      of[threads === 0 ? "oneThread" : "workers"] = { features: await featuresAlone(ts, map, X, clock),
        ...await ridge(ts, map, X, y, digits.test, 5, clock) };
      ts.dispose();
    }
  }
  return results;
}

/** Returns the rows of a run, and a map of D features or, of a quick run, of few. */
function workload({ nFeatures, train }, quick, D) {
  const rows = quick ? 500 : train.y.length;
  return { rows, map: { nFeatures, nComponents: quick ? D / 16 : D, degree: 2, coef0: 1, seed: 1 },
    X: train.X.subarray(0, rows * nFeatures), y: train.y.subarray(0, rows) };
}

/** Returns the seconds that the features of all rows take, where nothing is done with them. */
async function featuresAlone(ts, map, X, clock) {
  const made = ts.featureMap(map);
  const began = clock();
  for await (const _ of made.transformBatches(X, { batchSize: 1024, reuse: true }));
  const time = clock() - began;
  made.dispose();
  return seconds(time);
}

/** Ridge with its λ chosen, from the moments: on the grid of `prepare`, with folds 0 without held-out rows. */
async function ridge(ts, map, X, y, test, folds, clock = now) {
  const began = clock();
  const learner = ts.learner(ts.prepare(X, y, { map, task: "classify", classes: CLASSES, linear: false, folds }));
  await learner.addAsync(X, y);
  const added = clock();
  const model = await learner.fit();
  const fitted = clock();
  const { accuracy } = model.evaluate(test.X, test.y);
  model.dispose();
  learner.dispose();
  return { moments: seconds(added - began), fit: seconds(fitted - added), ridge: seconds(fitted - began),
    ridgeAccuracy: accuracy };
}

/** A linear SVM on the same features, with scikit-learn's C. */
async function svm(ts, map, X, y, test) {
  const began = performance.now();
  const model = await ts.fit(X, y, { map, task: "classify", loss: "squared-hinge", C: 1, radius: 1,
    linear: false });
  const time = performance.now() - began;
  const { accuracy } = model.evaluate(test.X, test.y);
  model.dispose();
  return { svm: seconds(time), svmAccuracy: accuracy };
}

/** Seconds for 2,000 × 1,000 products at D 1,024. */
async function gram(load, quick) {
  const [m, n, D] = quick ? [20, 10, 64] : [2000, 1000, 1024];
  const A = randomRows(m, D, 1), B = randomRows(n, D, 1);
  const times = {};
  for (const [name, threads] of [["oneThread", 0], ["workers", undefined]]) {
    const ts = await load({ build: "simd", threads });
    await ts.warm();
    const map = ts.featureMap({ nFeatures: 2, nComponents: D });
    let least = Infinity;
    for (let run = 0; run < 3; run++) {
      const began = performance.now();
      await map.gramAsync(A, B);
      least = Math.min(least, performance.now() - began);
    }
    times[name] = seconds(least);
    ts.dispose();
  }
  return times;
}

function seconds(ms) {
  return Number((ms / 1000).toPrecision(4));
}

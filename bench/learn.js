// Measures learning in Node (node.mjs) and in a page (page.js): MNIST from pixels in memory to a fitted classifier, and
// batches of products. Times are seconds of one run, since a run is long.

import { randomRows } from "./measure.js";

const CLASSES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * Returns the figures of one thread and of all workers. `data.digits` is { nFeatures, train, test }, where both hold X
 * with rows of length 1 and labels y. peers/sklearn_learn.py measures the same.
 */
export async function measureLearn(load, { digits }, { quick = false } = {}) {
  const results = { gram: await gram(load, quick) };
  if (!digits) return results;
  const rows = quick ? 500 : digits.train.y.length;
  const map = { nFeatures: digits.nFeatures, nComponents: quick ? 64 : 1024, degree: 2, coef0: 1, seed: 1 };
  const X = digits.train.X.subarray(0, rows * map.nFeatures), y = digits.train.y.subarray(0, rows);
  results.rows = rows;
  for (const [name, threads] of [["oneThread", 0], ["workers", undefined]]) {
    const ts = await load({ build: "simd", threads });
    await ts.warm();
    results[name] = { ...await ridge(ts, map, X, y, digits.test), ...await svm(ts, map, X, y, digits.test) };
    ts.dispose();
  }
  return results;
}

/** Ridge with its λ chosen, from the moments. */
async function ridge(ts, map, X, y, test) {
  const began = performance.now();
  const learner = ts.learner({ map, task: "classify", classes: CLASSES, radius: 1, linear: false });
  await learner.addAsync(X, y);
  const added = performance.now();
  const model = await learner.fit();
  const fitted = performance.now();
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

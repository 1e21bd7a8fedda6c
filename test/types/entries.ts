// What the types of the smaller entries allow, and, after @ts-expect-error, what the compiler must refuse there.

import { makeIndex, openIndex } from "../../public/api/index.js";
import { load as loadLearn } from "../../public/api/learn.js";
import type { Classifier, Learner, LearnMap, LearnModule, Model } from "../../public/api/learn.js";
import { load as loadMap, TensorSketchError, type EmbeddingMap, type EmbeddingModule } from "../../public/api/map.js";
import type { Features, FeatureMap, RowIndex, TensorSketch } from "../../public/api/tensorsketch.js";

export async function maps(X: Float32Array, whole: TensorSketch): Promise<Features> {
  const ts: EmbeddingModule = await loadMap({ threads: 0 });
  const map: EmbeddingMap = ts.featureMap({ nFeatures: 64, method: "random-fourier", gamma: 0.1 });
  const Z = await map.transformAsync(X);
  const [first] = map.nearest(Z, Z, 3).rows;
  const { estimates } = await map.nearestAsync(Z, Z, 3, { onProgress: (done, all) => show(done / all) });
  const read: EmbeddingMap = ts.fromJSON(JSON.stringify(map), { key: new Uint8Array(32) });
  show(first, estimates, map.theory.stdError(X, X), read);
  const larger: EmbeddingMap = whole.featureMap({ nFeatures: 64 });
  for await (const block of larger.transformBatches(X)) show(block.length);
  // @ts-expect-error: neighbours by inner products alone
  map.nearest(Z, Z, 3, { metric: "cosine" });
  // @ts-expect-error: also in the workers
  await map.nearestAsync(Z, Z, 3, { metric: "euclidean" });
  // @ts-expect-error: no private releases
  map.privacy;
  // @ts-expect-error: no models
  await ts.fit(X, ["a"]);
  // @ts-expect-error: no learners
  ts.learner({ task: "classify" });
  // @ts-expect-error: no searches of its own
  await ts.index({ nFeatures: 3 });
  // @ts-expect-error: no plans
  ts.plan({ nFeatures: 3, error: 0.1, rows: X });
  // @ts-expect-error: files of maps alone
  ts.fromJSON("{}", { task: "classify" });
  // @ts-expect-error: a promise of a file
  ts.fromJSON(Promise.resolve("{}"));
  // @ts-expect-error: an unknown method
  ts.featureMap({ nFeatures: 64, method: "fourier" });
  // @ts-expect-error: a map of this entry is none of the whole package
  const whole64: FeatureMap = map;
  show(whole64 instanceof TensorSketchError);
  return Z;
}

export async function models(X: Float32Array, labels: ("ham" | "spam")[], form: FormData, whole: TensorSketch) {
  const ts: LearnModule = await loadLearn();
  const model: Classifier<"ham" | "spam"> = await ts.fit(X, labels, { map: { nComponents: 256 } });
  const label: "ham" | "spam" | undefined = model.predict(X)[0];
  const rows = [{ petal: 5, kind: "setosa" as "setosa" | "other" }];
  const kinds = await ts.fit(rows, { label: "kind" });
  const best: "setosa" | "other" | undefined = (await kinds.topAsync(form, 1))[0]?.[0]?.label;
  const values: Float64Array = (await ts.fit(X, [1, 2], { task: "regress" })).predict(X);
  show(label, best, values, ts.fromJSON(JSON.stringify(model), { task: "classify" }).classes, ts.prepare(X, labels));
  const Z = ts.featureMap({ nFeatures: 64 }).transform(X);
  show(ts.featureMap({ nFeatures: 64 }).nearest(Z, Z, 3, { metric: "euclidean" }).estimates);
  const smaller: LearnModule = whole;
  const map: LearnMap = whole.featureMap({ nFeatures: 64 }), again: LearnMap = ts.fromJSON(JSON.stringify(map));
  ts.learner({ from: ts.learner({ task: "classify", classes: labels, map }).toBytes(), map });
  show(await makeIndex(ts, { map: again }));
  // @ts-expect-error: no private releases
  ts.featureMap({ nFeatures: 64 }).privacy;
  // @ts-expect-error: nor of a map from a file
  ts.fromJSON(JSON.stringify(map)).privacy;
  // @ts-expect-error: nor of a model's map
  model.map.privacy;
  const learner: Learner<Classifier<"ham" | "spam">> = ts.learner({ task: "classify", classes: labels });
  learner.merge(ts.learner({ task: "classify", classes: labels }));
  // @ts-expect-error: nor of a learner's map
  learner.map.privacy;
  // @ts-expect-error: nor of the map of its model
  (await learner.fit()).map.privacy;
  // @ts-expect-error: nor of a learner's sums
  learner.release({ epsilon: 1, delta: 1e-6, ledger: whole.ledger({ epsilon: 1, delta: 1e-6 }) });
  // @ts-expect-error: no comparisons
  learner.compare;
  whole.learner({ task: "classify", classes: labels }).merge(learner);
  const any: Model = await whole.fit(X, labels);
  show(any.map, (await whole.fit(X, labels)).map.privacy);
  // @ts-expect-error: a map of this entry is none of the whole package
  const whole64: FeatureMap = ts.featureMap({ nFeatures: 64 });
  // @ts-expect-error: the labels of the model
  const eggs: "eggs" | undefined = model.predict(X)[0];
  // @ts-expect-error: no such metric
  ts.featureMap({ nFeatures: 64 }).nearest(Z, Z, 3, { metric: "dot" });
  // @ts-expect-error: texts are no numbers to predict
  await ts.fit(X, labels, { task: "regress" });
  // @ts-expect-error: a promise of a file
  ts.learner({ from: Promise.resolve("{}") });
  // @ts-expect-error: no searches of its own
  await smaller.index({ nFeatures: 3 });
  // @ts-expect-error: no plans
  ts.plan({ nFeatures: 3, error: 0.1, rows: X });
  // @ts-expect-error: no ledgers
  ts.ledger({ epsilon: 1, delta: 1e-6 });
  // @ts-expect-error: no products of matrices
  ts.compressedProduct(X, X, { m: 2, k: 3, n: 4 }, { nComponents: 64 });
  // @ts-expect-error: numbers have no probabilities
  (await ts.fit(X, [1, 2], { task: "regress" })).probabilities(X);
  return eggs ?? whole64;
}

export async function searches(X: Float32Array, map: EmbeddingMap): Promise<RowIndex> {
  const index = await makeIndex(await loadMap(), { map, metric: "euclidean", bits: 4 });
  index.add(X);
  // @ts-expect-error: bits are 32, 8 or 4
  await makeIndex(await loadMap(), { nFeatures: 3, bits: 16 });
  // @ts-expect-error: a module comes first
  await makeIndex({ nFeatures: 3 });
  return openIndex(await loadLearn(), index.toBytes(), { map });
}

declare function show(...values: unknown[]): void;

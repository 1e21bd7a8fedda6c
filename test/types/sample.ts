// A program that uses every name of tensorsketch.d.ts as its documentation says, and, after @ts-expect-error,
// in ways the compiler must refuse. It is compiled, not run.

import {
  deriveKey, load, TensorSketchError, type BatchOptions, type Classifier, type ClassifyOptions,
  type Comparison, type CompressedProduct, type CSR, type FeatureBlock, type FeatureMap, type Features, type FitOptions,
  type FitRowsOptions, type Fitter, type Found, type Label, type Labels, type LabelsFor,
  type LabelsOf, type Learner, type LearnMap,
  type LearnOptions,
  type Ledger, type LoadOptions, type Method, type Model, type ModelReport, type Nearest, type Numbers, type Own,
  type Params, type PlanAnswer, type PlanQuestion, type PoolOptions, type PredictOptions, type Preprocessing,
  type PrivacyMeter, type PrivacyOptions, type PrivateMean, type PrivateRelease, type PrivateRows, type ProductOptions,
  type Records, type RecordsOf, type RowIndex, type SharedFeatures,
  type Regression, type ReleasedMoments, type ResolvedParams, type Rows,
  type SavedFile, type Seed, type Targets, type Tensor,
  type TensorSketch,
  type TransformOptions,
} from "../../public/api/tensorsketch.js";
import {
  DatasetError, evaluate, fit, loadDataset, predict, type Block, type ColumnPlan, type Counts, type Dataset,
  type Encoder, type FileAtHand,
  type FileToCome, type Format, type Layout, type Plan, type PreparedRows, type Problem, type Reading,
  type SavedModel,
} from "../../public/api/dataset.js";
import { tanimotoMap, type Fingerprints, type TanimotoMap, type TanimotoParams } from "../../public/api/tanimoto.js";

const controller = new AbortController();

export async function embed(X: Float32Array): Promise<Float32Array> {
  const options: LoadOptions = {
    build: "auto",
    baseURL: new URL("https://example.org/tensorsketch/"),
    threads: 4,
    maxMemory: 256 * 2 ** 20,
    signal: controller.signal,
    onProgress: (loadedBytes, totalBytes) => show(loadedBytes / totalBytes),
  };
  const ts: TensorSketch = await load(options);
  await ts.warm();
  const { build, lanes, threads, noThreadsBecause } = ts.capabilities;
  show(ts.version, build, lanes, threads, noThreadsBecause ?? "");
  await load({ module: await WebAssembly.compile(new Uint8Array()), workerURL: "worker.js" });
  await load({ wasmBinary: new ArrayBuffer(8) });
  // @ts-expect-error: an address is no core
  await load({ wasmBinary: "tensorsketch.wasm" });

  const params: Params = { nFeatures: 64, nComponents: 1024, degree: 2, gamma: 1, coef0: 1, seed: 5n,
    normalize: "kernel", output: "spectrum" };
  const map = ts.featureMap(params);
  const out = new Float32Array((X.length / 64) * map.nComponents);
  const o: TransformOptions = {
    out, signal: controller.signal, onProgress: (rowsDone, rowsTotal) => show(rowsDone, rowsTotal),
  };
  const Z = await map.transformAsync(X, o);
  return Z.subarray(0, map.nComponents);
}

export async function learn(ts: TensorSketch, X: Rows): Promise<Label[]> {
  const y: Labels = ["a", "b"], numbers: Targets = [[1, 2], [3, 4]];
  const options: LearnOptions = { map: { nComponents: 512, seed: 5 }, task: "classify", folds: 1, linear: false };
  const spec = ts.prepare(X, y, options);
  const learner: Learner = ts.learner(spec);
  learner.add(X, y, [1, 0]);
  await learner.addAsync(X, new Int32Array(2), {
    signal: controller.signal, onProgress: (done, total) => show(done, total),
  });
  learner.addFeatures(learner.map.transform(X), y);
  learner.merge(ts.learner({ from: learner.toBytes() }));
  learner.subtract(ts.learner({ from: JSON.stringify(learner), map: learner.map }));
  show(learner.count, learner.classes ?? [], learner.task);
  const { mmd2, stdError, biased, pValue, rows }: Comparison = await learner.compare(ts.learner(spec), {
    signal: controller.signal, onProgress: (done) => show(done),
  });
  show(mmd2, stdError, biased, pValue, rows[0], rows[1]);
  const fit: FitOptions = { alpha: "auto", alphaRange: [1e-6, 1], alphaCount: 9, intercept: true,
    onProgress: (done) => show(done) };
  const model: Model = await learner.fit(fit);
  const regression = await ts.fit(X, numbers, { task: "regress", targets: 2, targetRange: [0, 9], loss: "squared" });
  // @ts-expect-error: a label is no object
  learner.add(X, [{}]);
  const report: ModelReport = model.report;
  show(report.linear?.missing ?? "", model.scores(X), model.probabilities(X), regression.predict(X));
  const metrics = await model.evaluateAsync(X, y, { signal: controller.signal });
  if ("accuracy" in metrics) show(metrics.accuracy, metrics.confusion[0]?.[1] ?? 0);
  show(ts.fromJSON<Model>(JSON.stringify(model)).loss);
  const predict: PredictOptions = {};
  const found = await model.predictAsync(X, predict);
  model.dispose();
  return found instanceof Float64Array ? [] : found;
}

/** What a model predicts follows from its task and its labels. */
export async function tasks(ts: TensorSketch, X: Rows, y: ("ham" | "spam")[], numbers: number[], file: string) {
  const classifier: Classifier<"ham" | "spam"> = await ts.fit(X, y);
  const label: "ham" | "spam" | undefined = classifier.predict(X)[0];
  const accuracy: number = classifier.evaluate(X, y).accuracy;
  show(label, accuracy, classifier.classes[0], (await classifier.predictAsync(X)).length);
  const coded: number[] = (await ts.fit(X, numbers, { task: "classify" })).predict(X);
  const regression: Regression = await ts.fit(X, numbers, { task: "regress" });
  const values: Float64Array = regression.predict(X);
  show(coded, values, regression.evaluate(X, numbers).r2, regression.classes);
  const read: Classifier = ts.fromJSON(file, { task: "classify" });
  show(read.probabilities(X), ts.fromJSON<"a" | "b">(file, { task: "classify" }).predict(X)[0] === "a");
  show(ts.fromJSON(file, { task: "regress" }).predict(X).length);
  const spec: ClassifyOptions<"ham" | "spam"> = ts.prepare(X, y);
  const learner: Learner<Classifier<"ham" | "spam">> = ts.learner(spec);
  show((await learner.fit()).predict(X)[0] === "ham", (await ts.learner({ task: "regress" }).fit()).predict(X));
  const labels: LabelsOf<string> = ["a"], options: FitRowsOptions = { task: "regress" };
  const targets: LabelsFor<"regress"> = [1, 2], classes: LabelsFor<"classify"> = ["a", 1];
  const unsaid: LabelsFor<undefined> = targets;
  const searched = await ts.prepare(X, y, { search: ["gaussian", "linear"], indicators: [1], task: "classify" });
  show(searched.candidates?.chosen, ts.learner(searched), (await ts.fit(X, y, { search: "off" })).report.candidates);
  const any: Model = await ts.fit(X, labels, options);
  show(any.predict(X), (await ts.fit(X, true ? y : numbers)).predict(X));

  // @ts-expect-error: a classifier has no such measure
  classifier.evaluate(X, y).r2;
  // @ts-expect-error: nor this label
  classifier.predict(X)[0] === "eggs";
  // @ts-expect-error: numbers have no accuracy
  regression.evaluate(X, numbers).accuracy;
  // @ts-expect-error: nor classes
  regression.classes[0];
  // @ts-expect-error: nor probabilities
  regression.probabilities(X);
  // @ts-expect-error: texts are no targets
  regression.evaluate(X, y);
  // @ts-expect-error: a file without a task may be of a map
  ts.fromJSON(file).probabilities(X);
  // @ts-expect-error: no such task
  ts.fromJSON(file, { task: "cluster" });
  // @ts-expect-error: the model of an unknown task may predict numbers
  any.evaluate(X, labels).accuracy;
  // @ts-expect-error: an unknown option
  await ts.fit(X, y, { epochs: 5 });
  // @ts-expect-error: an unknown option, beside a task
  await ts.fit(X, numbers, { task: "regress", epochs: 5 });
  // @ts-expect-error: labels are classes, and this is no label
  await ts.fit(X, [null], { task: "classify" });
  // @ts-expect-error: texts are no numbers to predict
  await ts.fit(X, y, { task: "regress" });
  // @ts-expect-error: neither for a search
  await ts.fit(X, y, { task: "regress", search: ["gaussian"] });
  // @ts-expect-error: nor in what parts share
  ts.prepare(X, y, { task: "regress" });
  // @ts-expect-error: nor in a search for it
  await ts.prepare(X, y, { task: "regress", search: "auto" });
  // @ts-expect-error: truth values neither
  await ts.fit(X, [true, false], { task: "regress" });
  // @ts-expect-error: two numbers a row are no label
  await ts.fit(X, [[1, 2]], { task: "classify" });
  // @ts-expect-error: a learner of numbers takes no texts
  ts.learner(ts.prepare(X, numbers, { task: "regress" })).add(X, y);
  // @ts-expect-error: neither in its workers
  await ts.learner(ts.prepare(X, numbers, { task: "regress" })).addAsync(X, y);
  // @ts-expect-error: nor with features
  ts.learner(ts.prepare(X, numbers, { task: "regress" })).addFeatures(new Float32Array(9), y);
  show(targets, classes, unsaid);
  const either = true as boolean ? "regress" : "classify";
  show(await ts.fit(X, numbers, { task: either }), ts.prepare(X, numbers, { task: either }));
  ts.learner({ from: file }).add(X, y);
  ts.learner(spec).add(X, numbers);
}

/** A model file is a text, or an object without methods. */
export async function saved(ts: TensorSketch, answer: Response, learner: Learner, map: FeatureMap): Promise<void> {
  const file: { format: string; version: number } = JSON.parse("{}"), text: SavedFile = "{}";
  show(text, ts.fromJSON(await answer.text()), ts.fromJSON(await answer.json()));
  show(ts.fromJSON(map.toJSON()), ts.fromJSON(file));
  show(ts.learner({ from: learner.toJSON() }), ts.ledger({ from: file }), ts.fromJSON({ ...file, method: "craft" }));
  // @ts-expect-error: a promise of it
  ts.fromJSON(answer.text());
  // @ts-expect-error: also where its task is known
  ts.fromJSON(answer.text(), { task: "classify" });
  // @ts-expect-error: neither
  ts.fromJSON(answer.text(), { task: "regress" });
  // @ts-expect-error: nor with labels
  ts.fromJSON(answer.text(), { labels: ["ham"] });
  // @ts-expect-error: what a server answers
  ts.fromJSON(answer);
  // @ts-expect-error: the map itself
  ts.fromJSON(map);
  // @ts-expect-error: bytes
  ts.fromJSON(new Uint8Array(3));
  // @ts-expect-error: a promise of a learner's file
  ts.learner({ from: answer.json() });
  // @ts-expect-error: the learner itself
  ts.learner({ from: learner });
  // @ts-expect-error: a promise of a ledger's file
  ts.ledger({ from: answer.text() });
}

/** Rows as objects give a model its keys and labels. */
export async function records(ts: TensorSketch, form: FormData, file: string) {
  const rows = [{ petal: 5.1, width: 3.5, day: new Date(), kind: "setosa" as "setosa" | "other", big: true }];
  const model = await ts.fit(rows, { label: "kind", map: { nComponents: 64 }, columns: { missing: "mean" },
    onFirst: (early) => show(early.predict(rows).length) });
  const label: "setosa" | "other" | undefined = model.predict([{ petal: 5, width: "3" }])[0];
  const best: "setosa" | "other" | undefined = model.top(form, 1)[0]?.[0]?.label;
  show(label, best, model.predict([new Map(form as never)]), (await model.topAsync(rows))[0]);
  show(model.evaluate(rows).accuracy, model.evaluate(rows, ["other"]).notes, (await model.evaluateAsync(rows)).recall);
  // @ts-expect-error: the notes are in what it returns
  await model.evaluateAsync(rows, undefined, { onNotes: show });
  show(model.report.notes?.[0]?.what, model.report.unused, model.predict(rows, { onNotes: (notes) => show(notes[0]) }));
  const truth: boolean[] = (await ts.fit(rows, { label: "big" })).predict(form);
  const width: Regression<RecordsOf<{ petal: number; width: number }>> =
    await ts.fit(rows.map(({ petal, width }) => ({ petal, width })), { label: "width", task: "regress" });
  const numbers: Float64Array = width.predict([{ petal: 2 }]);
  const coded: number[] = (await ts.fit(rows, { label: "petal", task: "classify" })).predict(rows);
  const either: number[] | Float64Array = (await ts.fit(rows, { label: "petal" })).predict(rows);
  show(truth, numbers, coded, either, width.evaluate(rows).r2);
  const read: Classifier<"a" | "b", Rows | Records> = ts.fromJSON(file, { labels: ["a", "b"] });
  const one: "a" | "b" | undefined = (await read.predictAsync([{ any: 1 }], { onNotes: show }))[0];
  show(one, read.predict([[1, 2]]), read.evaluate([{ kind: "a" }]).accuracy, ts.fromJSON(file, { task: "regress" })
    .predict([{ x: 1 }]).length);
  interface Person { age: number; town?: string }
  const people: Person[] = [{ age: 3 }];
  show((await ts.fit(people, { label: "town" })).predict(people)[0]?.length);

  // @ts-expect-error: no row has such a key
  await ts.fit(rows, { label: "knd" });
  // @ts-expect-error: the key of the labels is missing
  await ts.fit(rows, {});
  // @ts-expect-error: rows as objects have their labels themselves
  await ts.fit(rows, ["setosa"]);
  // @ts-expect-error: an unknown option
  await ts.fit(rows, { label: "kind", epochs: 5 });
  // @ts-expect-error: the model has no such column
  model.predict([{ pedal: 5 }]);
  // @ts-expect-error: nor such a label
  model.predict(form)[0] === "virginica";
  // @ts-expect-error: the model of objects knows keys, and no order of them
  model.predict([[5.1, 3.5]]);
  // @ts-expect-error: numbers have no most probable class
  width.top(rows);
  // @ts-expect-error: the classes of a regression
  ts.fromJSON(file, { task: "regress", labels: ["a"] });
  // @ts-expect-error: a model of rows of numbers does not know columns
  (await ts.fit([[1, 2]], ["a"])).predict([{ x: 1 }]);
  // @ts-expect-error: a map neither
  ts.featureMap({ nFeatures: 1 }).transform([{ x: 1 }]);
  // @ts-expect-error: what reads rows is no text
  await load({ dataset: "tensorsketch/dataset" });
  show((await load({ dataset: loadDataset })).version, (await load({ dataset: await loadDataset() })).version);
}

/** What excludes each other, one by one. */
export async function excluded(ts: TensorSketch, X: Rows, y: string[], key: Uint8Array, bytes: ArrayBuffer) {
  const fits: FitRowsOptions[] = [{ alpha: 1 }, { loss: "squared", alphaCount: 9 }, { loss: "logistic", C: 1 },
    { loss: "squared-hinge", maxPasses: 9 }];
  const map = ts.featureMap({ nFeatures: 1 });
  show(fits, await ts.fit(X, y, { loss: "logistic", C: 1 }), ts.learner({ from: key, map }));
  // @ts-expect-error: two seeds
  ts.featureMap({ nFeatures: 3, seed: 5, key });
  // @ts-expect-error: a seed and the tables of another
  ts.featureMap({ nFeatures: 3, seed: 5, randomState: 5 });
  // @ts-expect-error: a key and tables
  ts.featureMap({ nFeatures: 3, key, indexHash: [[0]], bitHash: [[1]] });
  // @ts-expect-error: buckets without signs
  ts.featureMap({ nFeatures: 3, indexHash: [[0]] });
  // @ts-expect-error: two cores
  await load({ wasmBinary: bytes, baseURL: "/" });
  // @ts-expect-error: a loss without its penalty
  await ts.fit(X, y, { loss: "logistic", alpha: 1 });
  // @ts-expect-error: the other way round
  await ts.fit(X, y, { C: 1 });
  // @ts-expect-error: a loss of classes
  await ts.fit(X, [1, 2], { task: "regress", loss: "squared-hinge" });
  // @ts-expect-error: a fit is exact
  await ts.fit(X, y, { private: true });
  // @ts-expect-error: a learner that is there has its options
  ts.learner({ from: key, task: "classify" });
  // @ts-expect-error: a ledger as well
  ts.ledger({ from: "{}", epsilon: 1, delta: 1e-5 });
  // @ts-expect-error: alpha is given, or chosen
  await ts.fit([{ a: 1, b: "x" }], { label: "b", alpha: 1, alphaRange: [1, 2] });
}

/** The functions of tensorsketch/dataset know the task of a model that they have fitted. */
export async function jobs(ts: TensorSketch, file: string) {
  const { model, report } = await fit(ts, file, { task: "classify" });
  const { accuracy, classes } = await evaluate(ts, file, { model });
  const { predictions, task } = await predict(ts, file, { model });
  const label: string | number | boolean | null | undefined = predictions[0]?.prediction;
  const { brier, calibration, commonest, thresholds } = await evaluate(ts, file, { model });
  show(brier ?? 0, calibration?.[0]?.interval.low, commonest, thresholds?.[0]?.f1, report.columns?.[0]?.role,
    report.crossFitted?.accuracy?.value, report.heldOut?.interval?.high, report.clipped);
  show(accuracy.value, classes[0], task satisfies "classify", label, report.classes[0], ts.fromJSON(model));
  const numbers = await fit(ts, file, { task: "regress", alpha: 1 });
  const { predictions: [first] } = await predict(ts, file, { model: numbers.model });
  show((first?.prediction ?? 0) + 1, (await evaluate(ts, file, numbers)).r2.low,
    (await evaluate(ts, file, numbers)).residuals[0]?.share);
  const any = await fit(ts, file), judged = await evaluate(ts, file, { model: file });
  if (judged.task === "classify") show(judged.confusion[0]?.[0], any.report.task);
  else show(judged.rmse.value, (await predict(ts, file, { model: any.model, write: show })).rows);
  // @ts-expect-error: numbers have no accuracy
  (await evaluate(ts, file, { model: numbers.model })).accuracy;
  // @ts-expect-error: a model of an unknown task may predict numbers
  judged.accuracy;
  // @ts-expect-error: labels are no numbers
  (predictions[0]?.prediction ?? 0) + 1;
  // @ts-expect-error: alpha is given, or chosen
  await fit(ts, file, { alpha: 1, alphaRange: [1, 2] });
  // @ts-expect-error: no such task
  await fit(ts, file, { task: "cluster" });
  // @ts-expect-error: the model is missing
  await predict(ts, file, {});
  // @ts-expect-error: what is written in another format needs a place
  await predict(ts, file, { model, format: "csv" });
}

export async function searches(ts: TensorSketch, map: FeatureMap, X: Rows): Promise<Own<"Uint32Array">> {
  const index: RowIndex = await ts.index({ map, metric: "euclidean", bits: 4, keep: true });
  const first: number = index.add(X);
  const ids: Own<"Uint32Array"> = await index.addAsync(X, [5, 6], { onProgress: (done, total) => show(done / total) });
  const { scores, k }: Found = index.search(X, 3, { rerank: 50 });
  show(first, ids, scores, k, index.remove(5), index.remove(ids), index.has(6), index.size, index.map?.nComponents);
  const again = await ts.index.from(index.blocks(), { map });
  show(again.toBytes(), await ts.index.from(new Blob([again.toBytes()])), await ts.index.from(new Response()));
  // @ts-expect-error: bits are 32, 8 or 4
  await ts.index({ nFeatures: 3, bits: 16 });
  // @ts-expect-error: rows are of a map, or have nFeatures
  await ts.index({ bits: 8 });
  // @ts-expect-error: not of both
  await ts.index({ map, nFeatures: 3 });
  // @ts-expect-error: no such metric
  map.nearest(new Float32Array(0), new Float32Array(0), 3, { metric: "dot" });
  return index.search(X).ids;
}

export async function products(map: FeatureMap, Z: Features): Promise<Own<"Int32Array">> {
  const options: ProductOptions = { signal: controller.signal, onProgress: (done, total) => show(done / total) };
  const all: Own<"Float64Array"> = map.gram(Z, Z);
  show(map.gram(Z).length, all, await map.gramAsync(Z, Z, options), await map.gramAsync(Z));
  // @ts-expect-error: features are float32
  map.gram(all);
  const { rows, estimates }: Nearest = map.nearest(Z, Z, 3);
  show(estimates, (await map.nearestAsync(Z, Z, 3, options)).estimates);
  return rows;
}

export function sets(map: FeatureMap, X: Rows): Features {
  const options: PoolOptions = { size: [2, 0, 3], normalize: "signed-root" };
  show(map.pool(X), map.pool(X, { size: 5 }), map.poolProduct([X, X], options));
  // @ts-expect-error: one of two
  map.pool(X, { normalize: "root" });
  return map.pool(X, options);
}

export function fingerprints(counts: Rows, bits: Uint8Array): Own<"Float32Array"> {
  const params: TanimotoParams = { nFeatures: 2048, nComponents: 256, seed: 5 };
  const map: TanimotoMap = tanimotoMap(params);
  const both: Fingerprints[] = [counts, { bits }];
  const signs: Own<"Uint32Array"> = map.signs(both[1]!);
  show(map.estimate(signs, signs), map.nearest(signs, signs, 3).rows, map.kernel({ bits }, counts), map.words);
  show(map.stdError(counts, counts).sigma, map.transform(counts), map.nFeatures, map.nComponents, map.seed);
  // @ts-expect-error: signs are words
  map.features(bits);
  return map.features(signs);
}

export function everyInput(map: FeatureMap): Float32Array {
  const csr: CSR = { indptr: [0, 2], indices: Int32Array.of(0, 3), data: new Float64Array(2), shape: [1, 4] };
  const tensor: Tensor = { data: new Float32Array(4), dims: [1, 4] as readonly number[] };
  const anyTensor: { data: Float32Array | BigInt64Array | string[]; dims: number[] } = { data: [], dims: [] };
  const pixels: Numbers = new Uint8ClampedArray(4);
  const inputs: Rows[] = [new Float32Array(4), new Float64Array(4), [1, 2, 3, 4], [[1, 2], [3, 4]], csr, tensor,
    anyTensor, pixels, new Int8Array(4), new Uint32Array(4), [pixels], [tensor], new Set([[1, 2]]), lines(),
    { data: [1, 2], shape: new Int32Array(2) }];
  const nested: readonly (readonly number[])[] = [[1, 2]];
  inputs.push(nested);
  const Z = map.transform(inputs[0]!);
  map.transform(csr, Z);
  return map.transformProduct([csr, [[1, 2]]], Z);
}

async function* batchesOf(): AsyncGenerator<{ age: number }> {
  yield { age: 33 };
}

function* lines(): Generator<number[]> {
  yield [1, 2];
}

export async function batches(map: FeatureMap, times: AsyncIterable<Float32Array>): Promise<Features[]> {
  const options: BatchOptions = { batchSize: 100, signal: controller.signal };
  const all: Features[] = [];
  for await (const Z of map.transformBatches(times, options)) all.push(Z);
  map.transformBatches(new Float32Array(4));
  map.transformBatches([Promise.resolve([1, 2])]);
  map.transformBatches(lines(), { batchSize: 10 });
  // @ts-expect-error: no such option
  map.transformBatches(times, { size: 10 });
  return all;
}

/** Where features go decides their type. */
export async function places(map: FeatureMap, X: Float32Array): Promise<SharedFeatures> {
  const blocks: FeatureBlock[] = await map.transformAsync(X, { out: "blocks", signal: controller.signal });
  for (const { start, rows, values } of blocks) show(start + rows, new Blob([values]).size);
  for await (const Z of map.transformBatches(X, { reuse: true })) show(Z.length, 0);
  // @ts-expect-error: blocks are no array of numbers
  const flat: Float32Array = await map.transformAsync(X, { out: "blocks" });
  // @ts-expect-error: a new array is no list of blocks
  const list: FeatureBlock[] = await map.transformAsync(X);
  // @ts-expect-error: no such place
  await map.transformAsync(X, { out: "block" });
  // @ts-expect-error: one thread needs no blocks
  map.transform(X, "blocks");
  // @ts-expect-error: reuse is yes or no
  map.transformBatches(X, { reuse: 2 });
  // @ts-expect-error: the memory of a new array is not shared
  const memory: SharedArrayBuffer = (await map.transformAsync(X)).buffer;
  const shared = await map.transformAsync(X, { out: "shared", onProgress: (done, total) => show(done, total) });
  const cells: SharedArrayBuffer = shared.buffer;
  show(flat.length + list.length, memory.byteLength + cells.byteLength);
  return shared;
}

/** The arrays that this library makes are not shared. TypeScript 5.9 takes no others into a Blob. */
export async function unshared(map: FeatureMap, X: Float32Array, ledger: Ledger, encoder: Encoder): Promise<unknown[]> {
  const Z = map.transform(X);
  const mine = new Float32Array(100);
  return [new Blob([Z]), new Response(Z), new Blob([map.transform(X)]), new Response(await map.transformAsync(X)),
    new Blob([await map.transformAsync(X, { signal: controller.signal })]), new Blob([map.transform(X, mine)]),
    new Blob([await map.transformAsync(X, { out: mine })]), new Blob([map.transformProduct([X, X])]),
    new Blob([map.privacy.mean({ epsilon: 1, delta: 1e-5, rows: 2 }).release(ledger)]), new Blob([encoder.header])];
}

export function maybe(map: FeatureMap, X: Float32Array, out: Float32Array | undefined): Float32Array {
  return map.transform(X, out);
}

export function numbers(map: FeatureMap, x: number[], y: Float64Array): number[] {
  const z = map.transform(x);
  const { sigma, kind } = map.theory.stdError(x, y);
  const kinds: "exact" | "first-order" | "bound" | "unknown" = kind;
  const { guaranteed, typical } = map.theory.chooseComponents(x, y, 0.1, 0.05);
  const median: number = map.estimate(z, Array.from(z), { how: "median" });
  const d: number | number[] = map.nFeatures;
  show(kinds, d);
  return [map.theory.kernel(x, y), map.estimate(z, z), median, sigma, guaranteed, typical];
}

export function privacy(ts: TensorSketch, map: FeatureMap, X: Float32Array, x: number[]): Float32Array[] {
  const ledger: Ledger = ts.ledger({ epsilon: 4, delta: 1e-5 });
  const again = ts.ledger({ from: JSON.stringify(ledger) });
  const guarantee: PrivacyOptions = { epsilon: 1, delta: 1e-5, radius: 1 };
  const Z = map.transform(X);
  const blocks: PrivateRows = map.privacy.rows({ ...guarantee, ledger, rows: 2000 });
  const mean: PrivateMean = map.privacy.mean({ ...guarantee, rows: 2000 });
  mean.add(X);
  mean.addFeatures(Z);
  const meter: PrivacyMeter = map.privacy.meter({ ...guarantee, rows: 2000 });
  const { nComponents, sketch, noise, both } = meter.tradeoff(x, x, { nComponents: "best", noisy: "x" });
  const releases: readonly PrivateRelease[] = ledger.releases;
  show(ledger.epsilon, ledger.delta, ledger.spent, again.left, releases, blocks.bound, blocks.sigma, mean.bound,
    mean.sigma, mean.count);
  show(meter.signal, meter.noise, meter.leastNoise, meter.sigma, meter.squaredNorm(x), meter.squaredNormStdError(1),
    nComponents, sketch, noise, both);
  // @ts-expect-error a release is charged to a ledger
  map.privacy.privatize(Z, guarantee);
  const spec: LearnOptions = { map, task: "classify", classes: [0, 1], radius: 1, private: true };
  const moments: ReleasedMoments = ts.learner(spec).release({ epsilon: 1, delta: 1e-5, ledger, rows: 2000 });
  show(moments.task, moments.classes ?? [], moments.epsilon, moments.delta, moments.rows, moments.bound, moments.sigma);
  moments.fit({ signal: controller.signal, onProgress: (done) => show(done) }).then((model: Model) =>
    show(model.report.private?.epsilon ?? 0));
  moments.compare(moments).then(({ pValue }) => show(pValue));
  // @ts-expect-error λ comes from the noise
  moments.fit({ alpha: 1 });
  // @ts-expect-error a release is charged to a ledger
  ts.learner(spec).release({ epsilon: 1, delta: 1e-5 });
  // @ts-expect-error the number of rows is public
  map.privacy.mean(guarantee);
  return [map.privacy.privatize(Z, { ...guarantee, ledger }), blocks.privatize(Z), mean.release(ledger)];
}

export function family(ts: TensorSketch, X: Float32Array): number[] {
  const map = ts.featureMap({ nFeatures: 3, method: "random-maclaurin", repeats: 3,
    methodParams: { kernel: "series", coefficients: [1, 0.5], order: 3 } });
  const nystroem = ts.featureMap({ nFeatures: 3, method: "nystroem", methodParams: { kernel: "gaussian" } });
  nystroem.fit(X);
  const kspace = ts.featureMap({ nFeatures: 3, method: "k-space", methodParams: { m: 20, r: 40 } });
  const fitter: Fitter = kspace.fitter({ radius: 1 });
  fitter.add(X);
  if (fitter.rows > 0) fitter.finish();
  const x = X.subarray(0, 3);
  const { chebyshev, hoeffding, median } = map.theory.missProbability(x, x, 0.1);
  return [map.theory.bias(x, x), chebyshev, hoeffding, median, ts.subspaceDimension(3, 2, 0.5, 0.1),
    ts.matrixProductDimension(2, 0.5, 0.1)];
}

export function which(ts: TensorSketch, sample: Float32Array): string {
  const question: PlanQuestion = {
    nFeatures: 64, degree: 3, sample, epsilon: 0.1, delta: 0.01, methods: ["tensor-sketch", "nystroem"],
  };
  const [best]: PlanAnswer[] = ts.plan(question);
  return best ? `${best.method} ${best.nComponents} ${best.predictedSigma} ${best.kind} ${best.microsecondsPerRow} ` +
    `${best.reached === true}` : "";
}

export function product(ts: TensorSketch, A: Float32Array, B: Float32Array): number {
  const c: CompressedProduct = ts.compressedProduct(A, B, { m: 2, k: 3, n: 4 },
    { nComponents: 64, repeats: 5, seed: "a" });
  const entries: { i: number; j: number; value: number }[] = c.largest(3);
  // @ts-expect-error nComponents is needed
  ts.compressedProduct(A, B, { m: 2, k: 3, n: 4 }, {});
  return entries.reduce((sum, { i, j, value }) => sum + value + c.entry(i, j) + c.stdError(i, j), 0);
}

export function seeds(ts: TensorSketch): FeatureMap[] {
  const all: Seed[] = [5, 5n, "5", new Uint8Array(32)];
  const methods: Method[] = ["tensor-sketch", "count-sketch", "complex-tensor-sketch", "random-maclaurin",
    "tensorized-random-projection", "complex-tensorized-random-projection", "tensor-srht", "complex-tensor-srht",
    "craft", "tree-tensor-sketch", "spherical", "random-fourier", "taylor-sketch", "nystroem", "k-space"];
  const maps = all.map((seed) => ts.featureMap({ nFeatures: 3, seed }));
  maps.push(...methods.map((method) => ts.featureMap({ nFeatures: 3, method, degree: 1 })));
  maps.push(ts.featureMap({ nFeatures: [2, 3, 4], degree: 3 }));
  maps.push(ts.featureMap({ nFeatures: 3, randomState: 42 }));
  maps.push(ts.featureMap(maps[0]!.params), ts.featureMap({ ...maps[0]!.params, nComponents: 2048 }));
  maps.push(ts.featureMap({ nFeatures: 2, indexHash: [[0, 1], [1, 0]], bitHash: [[1, -1], [1, 1]] }));
  return maps;
}

export function model(ts: TensorSketch, map: FeatureMap): FeatureMap[] {
  const file: object = map.toJSON();
  return [ts.fromJSON(file), ts.fromJSON(JSON.stringify(map))];
}

export async function keyed(ts: TensorSketch, salt: Uint8Array): Promise<FeatureMap[]> {
  const key: Uint8Array = await deriveKey("passphrase", salt);
  await deriveKey("passphrase", salt, 1_000_000);
  const map = ts.featureMap({ nFeatures: 3, key });
  // @ts-expect-error: a key is bytes
  ts.featureMap({ nFeatures: 3, key: "passphrase" });
  return [ts.fromJSON(map.toJSON(), { key }), ts.fromJSON(map.toJSON({ includeKey: true })),
    ts.featureMap({ ...map.params, key })];
}

export function resolved(params: ResolvedParams): string {
  const common: [Method, number | number[], number, number, number, number, "none" | "kernel", "real" | "spectrum",
    number] = [params.method,
    params.nFeatures, params.nComponents, params.degree, params.gamma, params.coef0, params.normalize,
    params.output, params.repeats];
  const own: Readonly<Record<string, number | string | boolean | readonly number[]>> = params.methodParams;
  show(common, own);
  switch (params.hash) {
    case "seed":
      return String(params.seed);
    case "key":
      return "keyed";
    case "random-state":
      return params.randomState.toFixed();
    case "tables":
      return `${params.indexHash[0]![0]! + params.bitHash[0]![0]!}`;
  }
}

export function failure(error: unknown): string {
  if (!(error instanceof TensorSketchError)) throw error;
  const where: (string | number | undefined)[] = [error.argument, error.row, error.column, error.rowsDone];
  switch (error.code) {
    case "ERR_PARAM":
    case "ERR_SHAPE":
    case "ERR_NONFINITE":
    case "ERR_OVERFLOW":
    case "ERR_DISPOSED":
    case "ERR_MEMORY":
    case "ERR_LOAD":
    case "ERR_WORKER":
    case "ERR_INTERNAL":
      return `${error.message} ${where.join()}`;
    default: {
      const never: never = error.code;
      return never;
    }
  }
}

export async function files(ts: TensorSketch, model: string, file: Uint8Array): Promise<string> {
  const dataset: Dataset = await loadDataset({
    url: new URL("https://example.org/dataset.wasm"), signal: controller.signal, onProgress: show,
  });
  const source = dataset.source(file, { name: "rows.csv", onRead: (at) => at < 1e9 });
  const layout: Layout = dataset.sniff(source, {
    format: "csv", header: true, thousands: "", encoding: "windows-1252", keys: [{ name: "a", length: 2 }],
    skip: 3, comment: "#", rownames: false, sheet: 2, quote: '\\"',
  });
  const reading: Reading = layout.reading;
  const guessed: readonly (keyof Reading)[] = layout.guessed;
  const scaling: ColumnPlan["scaling"] = layout.scaling;
  show(reading.decimal, guessed[0], scaling);
  show(dataset.plan(layout, { a: "category" }).columns.length);
  // @ts-expect-error there is no such role
  dataset.plan(layout, { a: "numeric" });
  // @ts-expect-error there is no such setting
  dataset.sniff(source, { encodng: "utf-8" });
  const plan: Plan = dataset.plan(layout);
  const typed: ColumnPlan = {
    name: "a", role: "number", missing: "constant", fill: 0, scaling: "standard", center: 1, scale: 2,
  };
  plan.columns.push(typed, { name: "b", role: "category", values: ["x", "y"] },
    { name: "c", role: "words", words: [1, 2], chars: [0, 0], width: 1024 });
  let prepared: PreparedRows = dataset.preprocessing(plan);
  if (prepared.needsFit) prepared = dataset.fit(source, layout, prepared);
  show(prepared.nFeatures, prepared.sparse, prepared.cells);

  const map = ts.fromJSON(model);
  const preprocessing: Preprocessing | null = map.preprocessing;
  const signs: Float32Array | null = map.signs;
  show(signs?.length ?? 0);
  const again: Layout = dataset.sniff(source, reading, { preprocessing: prepared });
  show(again.reading.base);
  const applied = preprocessing ? dataset.fromModel(preprocessing) : prepared;
  const onState = (counts: Counts): void =>
    counts.first.forEach((problem: Problem) => show(problem.where, problem.remedy));
  try {
    for (const block of dataset.rows(source, layout, applied, onState)) {
      const { X, rows, cells, offsets }: Block = block;
      show(map.transform(X), rows, cells, offsets);
    }
  } catch (error) {
    if (error instanceof DatasetError) show(error.message, error.problem?.what, error.columnar);
  }
  dataset.source("rows.csv").close();
  dataset.source(new Blob([]));
  dataset.source({ size: 3, read: (at, into) => into.length - at });
  const given: FileAtHand[] = [new ArrayBuffer(3), new SharedArrayBuffer(3), new DataView(new ArrayBuffer(3)), "a\n1",
    [{ age: 33, town: "Ulm" }], [[1, 2], [3, 4]], new URL("file:///rows.csv")];
  const later: FileToCome[] = [new Response("a\n1"), new Blob([]).stream(), batchesOf(), ...given];
  for (const file of given) dataset.source(file, { name: "rows.csv" });
  for (const file of later) (await dataset.sourceAsync(file, { signal: controller.signal })).close();
  await dataset.sourceAsync(fetch("rows.csv"));
  // @ts-expect-error: it is not at hand
  dataset.source(new Response("a\n1"));
  const format: Format = "parquet";
  const encoder: Encoder = dataset.encoder(format, prepared.cells, map.nComponents, {
    rowNumbers: true, state: undefined,
  });
  for (const block of dataset.rows(source, layout, applied, undefined,
    { onProblem: ({ row, what }) => show(row, what) })) {
    show(encoder.header, encoder.encode(map.transform(block.X), block), encoder.state);
  }
  show(encoder.encode(new Float32Array(2), { cells: new Uint8Array(0), offsets: new Int32Array(0) }),
    encoder.finish(2).footer);
  encoder.close();
  const held: SavedModel = map, onnx: Uint8Array = dataset.onnx(held);
  show(onnx.length, dataset.onnx(map.toJSON({ includeKey: true })), dataset.onnx(JSON.stringify(map)));
  // @ts-expect-error: a model is an object or a text
  dataset.onnx(7);
  // @ts-expect-error: no promise of one
  dataset.onnx(ts.fit([[1], [2]], ["a", "b"]));
  // @ts-expect-error: nor what a server answers
  dataset.onnx(new Response("{}"));
  // @ts-expect-error: neither for predictions
  await predict(ts, "rows.csv", { model: fetch("model.json") });
  // @ts-expect-error: nor for measures
  await evaluate(ts, "rows.csv", { model: Promise.resolve("{}") });
  prepared[Symbol.dispose]();
  dataset.close(layout);
  // @ts-expect-error: handles are no part of it
  show(layout.layout, prepared.preprocessing);
  // @ts-expect-error: no such policy
  dataset.preprocessing({ ...plan, columns: [{ name: "a", role: "number", missing: "ignore" }] });
  return JSON.stringify(applied.model ? map.toJSON({ preprocessing: applied.model }) : map);
}

export function mapsOfLearners(ts: TensorSketch, map: FeatureMap, ofSmaller: LearnMap, params: ResolvedParams): void {
  const file: { format: string; version: number; method: string } = JSON.parse("{}");
  for (const one of [map, ofSmaller, map.toJSON(), file, params, { ...params, nComponents: 8 }, {}]) {
    const options: LearnOptions = { map: one, task: "classify" };
    ts.prepare([[1, 2]], ["a"], options);
  }
}

export function end(ts: TensorSketch, map: FeatureMap): void {
  map.dispose();
  map[Symbol.dispose]();
  ts.rest();
  ts.dispose();
  ts[Symbol.dispose]();
}

export async function refused(ts: TensorSketch, map: FeatureMap): Promise<void> {
  // @ts-expect-error: no such build
  await load({ build: "fast" });
  // @ts-expect-error: an unknown option
  await load({ workers: 2 });
  // @ts-expect-error: nFeatures is missing
  ts.featureMap({ nComponents: 100 });
  // @ts-expect-error: an unknown parameter
  ts.featureMap({ nFeatures: 3, components: 5 });
  // @ts-expect-error: the map itself
  ts.featureMap(map);
  // @ts-expect-error: no such method
  ts.featureMap({ nFeatures: 3, method: "fourier" });
  // @ts-expect-error: no such value of a parameter of the method
  ts.featureMap({ nFeatures: 3, methodParams: { kernel: null } });
  // @ts-expect-error: a number as text
  ts.featureMap({ nFeatures: "3" });
  // @ts-expect-error: bytes of another kind
  ts.featureMap({ nFeatures: 3, seed: new Int8Array(32) });
  // @ts-expect-error: BigInts are not numbers
  map.transform(new BigInt64Array(3));
  // @ts-expect-error: rows of rows of numbers
  map.transform([[[1, 2]]]);
  // @ts-expect-error: a promise of rows
  map.transform(Promise.resolve([1, 2]));
  // @ts-expect-error: features are float32
  map.transform([1, 2], new Float64Array(100));
  // @ts-expect-error: out is an option here
  await map.transformAsync([1, 2], new Float32Array(100));
  // @ts-expect-error: one input per degree
  map.transformProduct([1, 2]);
  // @ts-expect-error: no such way
  map.estimate([1], [1], { how: "max" });
  // @ts-expect-error: δ is missing
  map.theory.chooseComponents([1], [1], 0.1);
  // @ts-expect-error: read only
  map.nComponents = 5;
  // @ts-expect-error: read only
  map.params.degree = 5;
  // @ts-expect-error: read only
  ts.capabilities.threads = 5;
  // @ts-expect-error: no such question
  ts.plan({ nFeatures: 3, error: 0.1 });
  // @ts-expect-error: names of later releases are absent
  map.privacy.privatize(new Float32Array(3), {});
  // @ts-expect-error: a misspelt parameter of a map
  await ts.fit([[1, 2]], ["a"], { map: { ncomponents: 3 } });
  // @ts-expect-error: a number as text
  ts.prepare([[1, 2]], ["a"], { map: { nComponents: "3" } });
  // @ts-expect-error: errors are made by the library
  new TensorSketchError("ERR_PARAM");
}

declare function show(...values: unknown[]): void;

// What a caller does wrong: the error names the argument, the value and the remedy, and nothing is left out in silence.

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

import { dist, errorOf, load, rejectionOf, wasmFile } from "./helper.mjs";

const ts = await load({ threads: 0 });
const { tanimotoMap } = await import(new URL("tanimoto.js", dist));
after(() => ts.dispose());

const X = Array.from({ length: 40 }, (_, i) => [Math.sin(i), Math.cos(2 * i)]);
const y = X.map(([a]) => (a > 0 ? "high" : "low"));
const numbers = X.map(([a, b]) => a - b);
const small = { map: { nComponents: 16 }, search: "off" };

/** The rows of X, once. */
function* once(rows = X) {
  yield* rows;
}

/** Loads another copy of the library, as a page has it that two bundles bring. */
async function otherCopy(t) {
  const folder = mkdtempSync(join(tmpdir(), "copy-"));
  t.after(() => rmSync(folder, { recursive: true }));
  cpSync(fileURLToPath(dist), folder, { recursive: true, filter: (name) => !name.endsWith(".wasm") });
  const copy = await import(new URL("tensorsketch.js", pathToFileURL(`${folder}/`)));
  const other = await copy.load({ threads: 0, wasmBinary: readFileSync(wasmFile) });
  t.after(() => other.dispose());
  return other;
}

test("a map that another copy made is named, with the remedy", async (t) => {
  const other = await otherCopy(t);
  const want = "map must be a feature map of this copy of the library, its parameters or JSON.parse of its file, " +
    "got an object (FeatureMap)";
  const map = other.featureMap({ nFeatures: 2, nComponents: 16 });
  await rejectionOf(ts.fit(X, y, { map }), "ERR_PARAM", "map", want);
  errorOf(() => ts.prepare(X, y, { map }), "ERR_PARAM", "map", want);
  errorOf(() => ts.learner({ task: "classify", radius: 2, map }), "ERR_PARAM", "map", want);
  const model = await ts.fit(X, y, { map: JSON.parse(JSON.stringify(map)) });
  assert.equal(model.map.nComponents, 16);
  await rejectionOf(ts.fit(X, y, { map: model }), "ERR_PARAM", "map", want.replace("FeatureMap", "Model"));
  await rejectionOf(ts.fit(X, y, { map: 5 }), "ERR_PARAM", "map", /^map must be a feature map .*, got 5$/);
});

test("rows and labels that are missing, or of lengths that do not fit, are named", async () => {
  for (const task of [undefined, "classify", "regress"]) {
    const options = { ...small, ...(task && { task }) };
    for (const none of [[], new Float32Array(0)]) {
      await rejectionOf(ts.fit(none, [], options), "ERR_SHAPE", "X", "X must have rows, got none");
      await rejectionOf(ts.fit(none, task === "regress" ? [1] : ["a"], options), "ERR_SHAPE", "X",
        "X must have rows, got none");
    }
    await rejectionOf(ts.fit(X, [], options), "ERR_PARAM", "y",
      "y must be an array with the label or number of each row, got an array of length 0");
  }
  errorOf(() => ts.prepare([], []), "ERR_SHAPE", "X", "X must have rows, got none");
  await rejectionOf(ts.fit(new Float32Array(7), ["a", "b"], small), "ERR_SHAPE", "X",
    "X must have a length that is a multiple of 2, the rows of y, got length 7");
  await rejectionOf(ts.fit([1, 2, 3], [1, 2], { ...small, task: "regress" }), "ERR_SHAPE", "X",
    "X must have a length that is a multiple of 2, the rows of y, got length 3");
  for (const [rows, got] of [[undefined, "undefined"], [null, "null"], ["rows.csv", '"rows.csv"'],
    [new Date(), "an object \\(Date\\)"]]) {
    await rejectionOf(ts.fit(rows, ["a", "b"], small), "ERR_PARAM", "X",
      new RegExp(`^X must be a typed array of numbers, .*, got ${got}$`));
  }
  await rejectionOf(ts.fit(Promise.resolve(X), y, small), "ERR_PARAM", "X", /await it first/);
  await rejectionOf(ts.fit([null, ...X], ["a", ...y], small), "ERR_SHAPE", "X",
    "X row 0 must be an array of nFeatures = 2 numbers, got null");
  for (const rows of [X, X.flat()]) {
    await rejectionOf(ts.fit(rows, y, { ...small, nFeatures: "2" }), "ERR_PARAM", "nFeatures",
      'nFeatures must be a number, or an array of one number per degree, got "2"');
  }
  const sparse = { indptr: [0, 1, 2], indices: [0, 1], data: [1, 2] };
  await rejectionOf(ts.fit(sparse, ["a", "b"], small), "ERR_PARAM", "nFeatures", /^nFeatures is missing/);
});

test("rows that come once are read once, and all of them count", async (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const fromOnce = await ts.fit(once(), y);
  const model = await ts.fit(X, y);
  assert.equal(JSON.stringify(fromOnce), JSON.stringify(model));
  assert.equal(model.preparation.form !== undefined, true);
  const far = X.map(([a, b]) => [50 * a, b]);
  assert.deepEqual(model.predict(once(far)), model.predict(far));
  assert.match(warn.mock.calls[0].arguments[0], /lie outside the range/);
  assert.deepEqual(await model.predictAsync(once(far)), model.predict(far));
  assert.ok(model.cut(far) > 0);
  assert.equal(model.cut(once(far)), model.cut(far));
  assert.deepEqual(model.evaluate(once(far), y), model.evaluate(far, y));
  assert.deepEqual(await model.evaluateAsync(once(far), y), model.evaluate(far, y));
  assert.deepEqual(model.importance(once(), y), model.importance(X, y));
  const one = await ts.fit(X.map(([first]) => [first]), y, small);
  for (const call of [() => one.predict(new Set([1, 2])), () => ts.prepare(new Set([1, 2]), ["a", "b"], small)]) {
    assert.throws(call, { argument: "X", message: /, got 1$/ }); // numbers are no rows
  }
  const sets = await ts.fit(X, y, { ...small, folds: 5 });
  assert.deepEqual(sets.predict(once(), { interval: 0.5 }), sets.predict(X, { interval: 0.5 }));
  const options = ts.prepare(X, y, { ...small, preparation: "std" });
  assert.deepEqual(ts.prepare(once(), y, { ...small, preparation: "std" }), options);
  const learner = ts.learner(options);
  learner.add(once(), y);
  assert.deepEqual(learner.novelty(once(far)), learner.novelty(far));
  const nystroem = { map: { method: "nystroem", nComponents: 8 }, search: "off" };
  assert.equal(JSON.stringify(await ts.fit(once(), y, nystroem)), JSON.stringify(await ts.fit(X, y, nystroem)));
});

test("an option that would change nothing is refused", async () => {
  const fitted = (options, task) => ts.fit(X, task === "regress" ? numbers : y, { ...small, ...options,
    ...(task && { task }) });
  for (const [options, argument, message] of [
    [{ keep: -1 }, "keep", "keep must be a share of the rows, 0 to 1, got -1"],
    [{ keep: NaN }, "keep", "keep must be a share of the rows, 0 to 1, got NaN"],
    [{ alpha: 1, alphaRange: [1e-6, 1] }, "alphaRange", "alphaRange must be left out for alpha 1"],
    [{ alpha: 1, alphaCount: 9 }, "alphaCount", "alphaCount must be left out for alpha 1"],
    [{ indicators: [0] }, "indicators",
      'search "off" leaves nothing to search for: leave out it, or indicators'],
    [{ indicators: "0" }, "indicators", 'indicators must be an array of columns, 0 for the first, got "0"'],
    [{ unitNorm: true }, "unitNorm", 'search "off" leaves nothing to search for: leave out it, or unitNorm'],
    [{ unitNorm: 1 }, "unitNorm", "unitNorm must be true or false, got 1"],
    [{ search: "auto", weights: y.map(() => 1), unitNorm: true }, "unitNorm",
      "weights leaves nothing to search for: leave out it, or unitNorm"],
    [{ candidates: 5 }, "candidates", "candidates must be a plain object, got 5"],
  ]) {
    await rejectionOf(fitted(options), "ERR_PARAM", argument, message);
  }
  for (const [task, options] of [["regress", { classes: ["a", "b"] }], ["classify", { targets: 2 }],
    ["classify", { targetRange: [0, 1] }]]) {
    const [argument] = Object.keys(options);
    const message = `${argument} must be left out for task "${task}"`;
    await rejectionOf(fitted(options, task), "ERR_PARAM", argument, message);
    errorOf(() => ts.prepare(X, task === "regress" ? numbers : y, { task, ...options }), "ERR_PARAM", argument,
      message);
    errorOf(() => ts.learner({ task, nFeatures: 2, radius: 2, ...(task === "regress" && { targetRange: [0, 1] }),
      ...options }), "ERR_PARAM", argument, message);
  }
  errorOf(() => ts.learner({ task: "classify", nFeatures: 2, radius: 1e30 }), "ERR_PARAM", "radius",
    "radius must give features a length from 2^-85 to 2^112: scale the rows, or change gamma and coef0, got 1e+30");
});

test("a model checks what it does not need", async () => {
  const model = await ts.fit(X, numbers, { ...small, task: "regress", folds: 5 });
  errorOf(() => model.predict(X, { interval: "0.9" }), "ERR_PARAM", "interval",
    'interval must be between 0 and 1, such as 0.9, got "0.9"');
  errorOf(() => model.predict(X, { onNotes: 5 }), "ERR_PARAM", "onNotes", "onNotes must be a function, got 5");
  assert.equal(model.cut(X), 0);
  errorOf(() => model.cut([[1]]), "ERR_SHAPE", "X", "X row 0 must have nFeatures = 2 numbers, got 1");
  model.dispose();
  errorOf(() => model.cut(X), "ERR_DISPOSED");
});

test("errors about rows of features name the argument and the place", () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 4 });
  const Z = map.transform(X.slice(0, 3));
  errorOf(() => map.gram([1, 2]), "ERR_PARAM", "A", /^A must be a Float32Array/);
  const bad = Z.slice();
  bad[6] = NaN;
  for (const metric of ["inner", "cosine", "euclidean"]) {
    for (const [name, ...args] of [["Z", bad, Z], ["q", Z, bad]]) {
      errorOf(() => map.nearest(...args, 1, { metric }), "ERR_NONFINITE", name,
        `${name} row 1, column 2 must be finite: remove or replace NaN and infinite values, got NaN`);
    }
  }
  for (const method of ["nystroem", "k-space"]) {
    errorOf(() => ts.featureMap({ nFeatures: 2, nComponents: 4, method }).fit([]), "ERR_SHAPE", "X",
      /^X must hold at least nComponents = 4 rows .*, got 0 rows$/);
  }
});

test("an index says which number is not finite", async () => {
  for (const metric of ["cosine", "inner", "euclidean"]) {
    const index = await ts.index({ nFeatures: 2, metric });
    index.add(X);
    for (const bad of [NaN, Infinity, -Infinity]) {
      const rows = [[1, 2], [1, bad]], csr = { indptr: [0, 1, 2], indices: [0, 1], data: [1, bad] };
      const want = ` row 1, column 1 must be finite: remove or replace NaN and infinite values, got ${bad}`;
      for (const given of [rows, csr, Float64Array.from(rows.flat())]) {
        errorOf(() => index.add(given), "ERR_NONFINITE", "X", `X${want}`);
        await rejectionOf(index.addAsync(given), "ERR_NONFINITE", "X", `X${want}`);
        errorOf(() => index.search(given), "ERR_NONFINITE", "q", `q${want}`);
      }
    }
    index.dispose();
  }
});

test("a column that a fingerprint has twice is refused", () => {
  const map = tanimotoMap({ nFeatures: 12, nComponents: 64 });
  const twice = { indptr: [0, 1, 3], indices: [1, 5, 5], data: [1, 1, 1] };
  errorOf(() => map.signs(twice), "ERR_SHAPE", "X",
    "X row 1, column 5 must hold each column once: add the values up, got two values");
  const one = { indptr: [0, 2], indices: [5, 5], data: [1, 1] };
  errorOf(() => map.kernel(one, one), "ERR_SHAPE", "x", /^x row 0, column 5 must hold each column once/);
});

test("what is called too late, or given to load, rejects", async () => {
  const gone = await load({ threads: 0 });
  gone.dispose();
  await rejectionOf(gone.index({ nFeatures: 2 }), "ERR_DISPOSED");
  await rejectionOf(gone.index.from(new Uint8Array(8)), "ERR_DISPOSED");
  const { loadDataset } = await import(new URL("dataset.js", dist));
  const want = "dataset must be loadDataset of tensorsketch/dataset, or what it returned, got an object (Object)";
  const rows = X.map(([a, b], i) => ({ a, b, kind: y[i] }));
  const wrong = await load({ threads: 0, dataset: async () => ({ loadDataset }) });
  await rejectionOf(wrong.fit(rows, { label: "kind" }), "ERR_PARAM", "dataset", want);
  wrong.dispose();
  const right = await load({ threads: 0, dataset: loadDataset });
  await assert.rejects(right.fit([null, ...rows], { label: "kind" }), { name: "DatasetError",
    message: "rows, row 1, must be an object of columns or an array of numbers, got null" });
  right.dispose();
});

test("a fit in parts whose last progress fails may be finished again", async () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 4, method: "k-space" });
  const fitter = map.fitter({ radius: 2 });
  fitter.add(X);
  for (const fail of [() => { throw new Error("mine"); }, () => Promise.reject(new Error("mine"))]) {
    await assert.rejects(fitter.finishAsync({ onProgress: (done) => (done === 1 ? fail() : undefined) }), /mine/);
  }
  errorOf(() => map.transform(X), "ERR_PARAM", "method", /fitted to rows before/);
  await fitter.finishAsync();
  const whole = ts.featureMap({ nFeatures: 2, nComponents: 4, method: "k-space" });
  whole.fit(X);
  assert.equal(map.transform(X).length, whole.transform(X).length);
});

test("what this library made, and a Map, are no options", async () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 16 });
  const learner = ts.learner({ ...small, search: undefined, task: "classify", nFeatures: 2, radius: 2 });
  const ledger = ts.ledger({ epsilon: 1, delta: 1e-6 });
  const params = "params must be an object with nFeatures, such as map.params; fromJSON takes files, got ";
  errorOf(() => ts.featureMap(map), "ERR_PARAM", "params", `${params}an object (FeatureMap)`);
  errorOf(() => ts.featureMap(map.toJSON()), "ERR_PARAM", "params", `${params}an object (Object)`);
  errorOf(() => ts.featureMap(new Map([["nFeatures", 2]])), "ERR_PARAM", "params", `${params}an object (Map)`);
  assert.deepEqual(ts.featureMap(map.params).params, map.params);
  for (const [call, argument] of [
    [() => ts.learner(learner), "options"],
    [() => ts.ledger(ledger), "options"],
    [() => ts.plan(map), "question"],
    [() => map.fitter(map), "options"],
    [() => map.nearest(map.transform(X), map.transform(X), 1, new Map([["metric", "cosine"]])), "options"],
    [() => ts.featureMap({ nFeatures: 2, methodParams: new Map() }), "methodParams"],
    [() => ts.compressedProduct(new Float32Array(1), new Float32Array(1), [1, 1, 1], { nComponents: 8 }), "shape"],
  ]) errorOf(call, "ERR_PARAM", argument, new RegExp(`^${argument} must be a plain object, got an (object|array)`));
  await rejectionOf(ts.index(map), "ERR_PARAM", "options",
    "options must be a plain object, got an object (FeatureMap)");
  await rejectionOf(ts.fit(X, y, new Map([["search", "off"]])), "ERR_PARAM", "options");
  await rejectionOf(ts.fit(X, y, { map: new Map([["nComponents", 16]]) }), "ERR_PARAM", "map");
  await rejectionOf(ts.fit(X, y, { map: { method: "constructor" } }), "ERR_PARAM", "method");
  learner.dispose();
});

test("the number of columns is what the map of a learner says", async () => {
  const options = { task: "classify", radius: 2 }, params = { nFeatures: 2, nComponents: 16 };
  for (const map of [params, ts.featureMap(params), ts.featureMap(params).toJSON()]) {
    errorOf(() => ts.learner({ ...options, map, nFeatures: 3 }), "ERR_PARAM", "nFeatures",
      "nFeatures must be left out, or 2 as the map says, got 3");
    ts.learner({ ...options, map, nFeatures: 2 }).dispose();
  }
  await rejectionOf(ts.fit(X.map((row) => [...row, 1]), y, { ...small, nFeatures: 3, map: params }), "ERR_PARAM",
    "nFeatures");
});

test("labels and a task that a model cannot have are named", async () => {
  const file = (await ts.fit(X, y, small)).toJSON();
  const targets = (await ts.fit(X, numbers, { ...small, task: "regress" })).toJSON();
  const map = ts.featureMap({ nFeatures: 2 }).toJSON();
  for (const [model, options, argument, message] of [
    [file, { labels: null }, "labels", "labels must be an array of labels, got null"],
    [file, { labels: false }, "labels", "labels must be an array of labels, got false"],
    [file, { labels: [Object.create(null), ...y] }, "labels[0]", /^labels\[0\] must be true, false, a finite number/],
    [file, { labels: [["high"], ["low"]] }, "labels[0]", /, got an array of length 1$/],
    [file, { task: null }, "task", 'task must be "classify" or "regress", got null'],
    [targets, { task: "regress", labels: ["high"] }, "labels", 'labels must be left out for task "regress"'],
    [targets, { labels: ["high"] }, "model", /^model must be the file of a model with the task "classify", got one/],
    [map, { labels: ["high"] }, "model", /, got the file of a map alone$/],
  ]) errorOf(() => ts.fromJSON(model, options), "ERR_PARAM", argument, message);
  assert.deepEqual(ts.fromJSON(file, { labels: ["low", "high"], task: undefined }).classes, ["high", "low"]);
});

test("a release is no JSON, and a learner that is disposed at work says so", async () => {
  const options = { task: "classify", nFeatures: 2, radius: 2, classes: ["high", "low"], map: { nComponents: 16 } };
  const learner = ts.learner({ ...options, private: true });
  learner.add(X, y);
  const release = learner.release({ epsilon: 1, delta: 1e-6, ledger: ts.ledger({ epsilon: 1, delta: 1e-6 }) });
  errorOf(() => JSON.stringify({ release }), "ERR_PARAM", undefined,
    "a release is no JSON: fit a model, and keep JSON.stringify(model)");
  assert.ok(JSON.stringify(await release.fit()).length > 100);
  const other = ts.learner({ ...options, map: { nComponents: 256 } });
  const added = other.addAsync(new Float32Array(80_000).fill(0.5), new Array(40_000).fill("low"));
  other.dispose();
  await rejectionOf(added, "ERR_DISPOSED", undefined, "this learner has been disposed: make a new one");
});

test("what prepares rows without a search takes no signal, and targets of a row are counted", async () => {
  const wait = { signal: new AbortController().signal, onProgress() {} };
  for (const [argument, value] of Object.entries(wait)) {
    errorOf(() => ts.prepare(X, y, { [argument]: value }), "ERR_PARAM", argument,
      `${argument} must be left out for search "off"`);
    errorOf(() => ts.prepare(X, y, { search: "auto", [argument]: 5 }), "ERR_PARAM", argument, /, got 5$/);
  }
  const { map } = await ts.prepare(X, y, { search: "auto", map: { nComponents: 16, repeats: 2 }, ...wait });
  assert.equal(map.repeats, 2);
  await rejectionOf(ts.fit(X, X, { ...small, task: "regress" }), "ERR_SHAPE", "y",
    "y row 0 must hold targets = 1 numbers, got an array of length 2");
});

// A learner went on, in an instance that nothing freed, and a fit in parts was said to have no memory.
test("what a module made ends with it", async () => {
  const module = await load({ threads: 0 });
  const spec = module.prepare(X, y, { preparation: "std", map: { nComponents: 16 } });
  const learners = [module.learner(spec), module.learner({ ...small, search: undefined, task: "classify", nFeatures: 2,
    radius: 2 })];
  const map = module.featureMap({ nFeatures: 2, nComponents: 4, method: "k-space" });
  const fitter = map.fitter({ radius: 2 }), other = module.featureMap(map.params), end = other.fitter({ radius: 2 });
  for (const one of [...learners, fitter, end]) one.add(X, y);
  other.dispose();
  errorOf(() => end.add(X), "ERR_DISPOSED", undefined, "this feature map has been disposed: make a new one");
  module.dispose();
  const want = "this module has been disposed: load it again";
  for (const learner of learners) {
    errorOf(() => learner.add(X, y), "ERR_DISPOSED", undefined, want);
    errorOf(() => learner.addFeatures(new Float32Array(16), ["low"]), "ERR_DISPOSED", undefined, want);
    await rejectionOf(learner.addAsync(X, y), "ERR_DISPOSED", undefined, want);
    await rejectionOf(learner.fit(), "ERR_DISPOSED", undefined, want);
    assert.equal(learner.count, 40);
    learner.dispose();
  }
  errorOf(() => fitter.add(X), "ERR_DISPOSED", undefined, want);
  errorOf(() => fitter.finish(), "ERR_DISPOSED", undefined, want);
  await rejectionOf(fitter.finishAsync(), "ERR_DISPOSED", undefined, want);
  fitter.dispose();
});

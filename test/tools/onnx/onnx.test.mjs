// ONNX files in onnxruntime-node: for each method that can be written, maps and models say about 1,000 rows what the
// package says. The files, the first rows and their answers go to the folder cases/, for page.js and for the Go test.
// The largest differences go to the diagnostics.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import ort from "onnxruntime-node";
import { load } from "tensorsketch";
import { loadDataset } from "tensorsketch/dataset";

const ts = await load({ threads: 0 });
const dataset = await loadDataset();
const d = 12, n = 1000;
const shown = 200; // rows that page.js has

let state = 1;
const random = () => ((state = (state * 48271) % 2147483647) / 2147483647) * 2 - 1;
const rowsOf = () => Float32Array.from({ length: n * d }, random);
const [X, Xtest] = [rowsOf(), rowsOf()];
const targetsOf = (X) => Float64Array.from({ length: n },
  (_, i) => X[i * d] * X[i * d + 1] + X[i * d + 2] / 2 - X[i * d + 3] ** 2);
const y = targetsOf(X);

const LABELS = {
  numbers: (v) => Math.floor(4 * v),
  texts: (v) => (v > 0 ? "über" : v > -0.5 ? "middle" : "below"),
  booleans: (v) => v > 0,
  fractions: (v) => (v > 0 ? 0.5 : 1e21),
};

const MAPS = {
  "tensor-sketch": [
    { degree: 1, coef0: 1 },
    { degree: 2, coef0: 1 },
    { degree: 3, gamma: 0.3, coef0: 0.5, normalize: "kernel" },
    { degree: 2, nComponents: 135, repeats: 3 },
    { degree: 4, gamma: 0.2, coef0: 1, output: "spectrum" },
    { degree: 3, gamma: 0.2, coef0: 1, output: "spectrum", nComponents: 75, normalize: "kernel", repeats: 2 },
    { degree: 2, randomState: 7, coef0: 1 },
    { degree: 2, nComponents: 1 },
    { degree: 2, nComponents: 2, coef0: 1 },
  ],
  "count-sketch": [{}, { coef0: 2, gamma: 0.5 }, { normalize: "kernel", repeats: 3, coef0: 1 }, { output: "spectrum" }],
  "complex-tensor-sketch": [
    { degree: 1 },
    { degree: 2, coef0: 1 },
    { degree: 3, gamma: 0.3, coef0: 0.5, normalize: "kernel", repeats: 2, nComponents: 90 },
    { degree: 2, output: "spectrum", coef0: 1 },
  ],
  "random-fourier": [
    { gamma: 0.5 },
    { gamma: 0.1, nComponents: 90, repeats: 2, methodParams: { paired: true } },
    { gamma: 0.2, normalize: "kernel", methodParams: { kernel: "laplacian" } },
    { gamma: 0.2, methodParams: { kernel: "cauchy" } },
    { gamma: 0.3, methodParams: { projection: "structured" } },
    { gamma: 0.3, nComponents: 90, methodParams: { projection: "orthogonal", paired: true } },
  ],
};

const folder = new URL("cases/", import.meta.url);
mkdirSync(folder);
const cases = [];
const worst = {};

/** Runs an ONNX file on rows, and returns its outputs. */
async function runOn(bytes, X, width) {
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 3 });
  const said = await session.run({ X: new ort.Tensor("float32", X, [X.length / width, width]) });
  assert.deepEqual(Object.keys(said), session.outputNames);
  return said;
}

/** The largest difference of two arrays, as a share of the range of the second. */
function differenceOf(got, want) {
  assert.equal(got.length, want.length);
  let low = Infinity, high = -Infinity, largest = 0;
  want.forEach((v, i) => {
    [low, high] = [Math.min(low, v), Math.max(high, v)];
    largest = Math.max(largest, Math.abs(got[i] - v));
  });
  assert.ok(largest >= 0, "no NaN");
  return largest / (high - low);
}

/** Compares what an ONNX file says of rows with what is wanted: the outputs by name. */
async function check(kind, model, X, width, want) {
  const bytes = dataset.onnx(model);
  const said = await runOn(bytes, X, width);
  assert.deepEqual(Object.keys(said), Object.keys(want));
  for (const [name, values] of Object.entries(want)) {
    if (name === "label") {
      const labels = [...said.label.data].map((v) => (typeof v === "bigint" ? Number(v) : v));
      assert.deepEqual(labels, values);
      continue;
    }
    const difference = differenceOf(said[name].data, values);
    worst[`${kind} ${name}`] = Math.max(worst[`${kind} ${name}`] ?? 0, difference);
    assert.ok(difference <= 1e-4, `${kind}: ${name} is off by ${difference} of its range`);
  }
  const file = `${cases.length}.onnx`;
  writeFileSync(new URL(file, folder), bytes);
  writeFileSync(new URL(`${cases.length}.json`, folder), typeof model === "string" ? model : JSON.stringify(model));
  const first = (values) => Array.from(values.slice(0, values.length / (X.length / width) * shown));
  cases.push({ file, kind, width, X: first(X),
    want: Object.fromEntries(Object.entries(want).map(([name, values]) => [name, first(values)])) });
}

const textsOf = (labels) => (labels.every(Number.isSafeInteger) ? labels : labels.map(String));

/** What the package says of rows, by the names of the outputs. */
function answersOf(model, X) {
  if (model.task === "regress") return { variable: model.scores(X) };
  const hasProbabilities = Boolean(model.toJSON().head.calibration);
  return { label: textsOf(model.predict(X)), ...(hasProbabilities ? { probabilities: model.probabilities(X) } : {}),
    scores: model.scores(X) };
}

for (const [method, variants] of Object.entries(MAPS)) {
  for (const variant of variants) {
    test(`${method} ${JSON.stringify(variant)}`, async () => {
      const params = { method, nComponents: 128, ...variant };
      if (params.randomState === undefined) params.seed = 5;
      const map = ts.featureMap({ ...params, nFeatures: d });
      await check("features", map.toJSON(), Xtest, d, { features: map.transform(Xtest) });
      const kinds = Object.keys(LABELS);
      const kind = kinds[cases.length % kinds.length];
      const labels = Array.from(y, LABELS[kind]);
      const classifier = await ts.fit(X, labels, { map: params, search: "off", task: "classify" });
      await check("classify", classifier, Xtest, d, answersOf(classifier, Xtest));
      const regression = await ts.fit(X, y, { map: params, search: "off", task: "regress" });
      await check("regress", regression, Xtest, d, answersOf(regression, Xtest));
    });
  }
}

test("several targets, other losses, no probabilities, given tables, products, and a degree of 20", async () => {
  const map = { nComponents: 128, degree: 2, coef0: 1, seed: 3 };
  const labels = Array.from(y, LABELS.numbers);
  for (const loss of ["squared-hinge", "logistic"]) {
    const model = await ts.fit(X, labels, { map, task: "classify", loss });
    await check(loss, model, Xtest, d, answersOf(model, Xtest));
  }
  const learner = ts.learner({ map: { ...map, nFeatures: d }, task: "classify", radius: 4, folds: 0 });
  learner.add(X, labels);
  const without = await learner.fit();
  await check("no probabilities", without, Xtest, d, answersOf(without, Xtest));
  const targets = Float64Array.from({ length: 2 * n }, (_, i) => (i % 2 ? X[(i >> 1) * d] : y[i >> 1]));
  const two = ts.learner({ map: { ...map, nFeatures: d }, task: "regress", targets: 2, radius: 4,
    targetRange: [-4, 4] });
  two.add(X, targets);
  const fitted = await two.fit();
  await check("two targets", fitted, Xtest, d, answersOf(fitted, Xtest));
  const tables = ts.featureMap({ nFeatures: d, nComponents: 4, degree: 1,
    indexHash: [Array.from({ length: d }, (_, i) => i % 4)],
    bitHash: [Array.from({ length: d }, (_, i) => (i % 3 ? 1 : -1))] });
  await check("tables", tables.toJSON(), Xtest, d, { features: tables.transform(Xtest) });
  for (const normalize of ["none", "kernel"]) {
    const products = ts.featureMap({ nFeatures: [5, 7], nComponents: 64, coef0: 1, seed: 2, normalize });
    const parts = [5, 7].map((width, k) => Float32Array.from({ length: n * width },
      (_, i) => Xtest[Math.floor(i / width) * d + 5 * k + (i % width)]));
    await check("products", products.toJSON(), Xtest, d, { features: products.transformProduct(parts) });
  }
  const high = ts.featureMap({ nFeatures: d, nComponents: 512, degree: 20, gamma: 0.2, coef0: 0.2, seed: 1 });
  await check("degree 20", high.toJSON(), Xtest, d, { features: high.transform(Xtest) });
});

test("the columns of a file: filled, scaled and of length 1 in the graph, or prepared before", async () => {
  const names = ["a", "b", "size, in m"];
  for (const { city, scaling, unitNorm, missing, far = 5 } of [
    { city: "ignore", scaling: "min-max", unitNorm: false, missing: "mean" },
    { city: "keep", scaling: "standard", unitNorm: true, missing: "zero" },
    { city: "ignore", scaling: "none", unitNorm: true, missing: "mean" },
    { city: "category", scaling: "min-max", unitNorm: true, missing: "mean" },
    { city: "ignore", scaling: "standard", unitNorm: false, missing: "mean", far: 16000001.3 }, // no float32
  ]) {
    const cell = (i, k) => (i % 7 === k ? NaN : Math.fround(X[i * d + k] * 10 ** k + (k === 2 ? far : 5)));
    const numbers = Float32Array.from({ length: n * 3 }, (_, i) => cell(Math.floor(i / 3), i % 3));
    const quoted = (text) => `"${text}"`;
    const csv = [[...names.map(quoted), "city", "label"], ...Array.from({ length: n }, (_, i) =>
      [...names.map((_, k) => (Number.isNaN(cell(i, k)) ? "" : cell(i, k))), i % 5 ? "Bern" : "Basel",
        y[i] > 0 ? "up" : "down"])].map((row) => row.join(",")).join("\n");
    const source = dataset.source(new TextEncoder().encode(csv), { name: "rows.csv" });
    const layout = dataset.sniff(source);
    const plan = dataset.plan(layout, { city });
    for (const column of plan.columns) {
      if (names.includes(column.name)) Object.assign(column, { missing, scaling });
    }
    plan.unitNorm = unitNorm;
    plan.columns = plan.columns.filter(({ role }) => role !== "ignore");
    const planned = dataset.preprocessing(plan);
    const prepared = planned.needsFit ? dataset.fit(source, layout, planned) : planned;
    const [block] = dataset.rows(source, layout, prepared);
    const model = await ts.fit(block.X, dataset.texts(block), { search: "off", task: "classify",
      map: { nComponents: 64, degree: 2, coef0: 1, seed: 1 } });
    const file = model.toJSON({ preprocessing: prepared.model });
    const isNumbers = city !== "category";
    await check(`columns, ${city}`, file, isNumbers ? numbers : block.X, prepared.nFeatures,
      answersOf(model, block.X));
  }
});

test("a preparation is in the graph: numbers cut, scaled and filled, knots, weights, the length", async () => {
  const cells = X.map((v, i) => (i % d === 4 ? Number(v > 0) : i % d === 3 && i % 5 === 0 ? NaN
    : 1000 * v + 10 ** (i % d)));
  const number = (missing) => ({ mean: 1000, scale: 500, low: -200, high: 2000, fill: 900, ...missing });
  const columns = Array.from({ length: d }, (_, j) => (j === 4 ? { indicator: true } : j === 5 ? { unused: true }
    : number(j === 3 ? { missing: true } : {})));
  const knots = { knots: [-900, 0, 800, 2500], values: [-2, -0.5, 0.25, 2] };
  const scored = columns.map((column) => (column.mean === undefined ? column : { ...column, ...knots }));
  const weights = Array.from({ length: d }, (_, j) => 1 / (j + 1));
  const coded = columns.map((column, j) => (j === 0 ? { ...column, codes: [cells[0], cells[d]].sort((a, b) => a - b) }
    : column));
  for (const preparation of [{ form: "std", columns }, { form: "std", columns: coded },
    { form: "mm", columns, unit: true }, { form: "qn", columns: scored, weights }]) {
    for (const map of [{ degree: 2, coef0: 1 }, { method: "random-fourier", gamma: 0.1 }]) {
      const params = { nComponents: 64, seed: 1, nFeatures: d + 2 * (preparation.columns === coded), ...map };
      const model = await ts.fit(cells, y, { map: params, preparation, task: "regress" });
      await check(`preparation ${preparation.form}`, model, cells, d, answersOf(model, cells));
    }
  }
});

test("what ONNX cannot hold is refused by name", () => {
  const map = (more) => ts.featureMap({ nFeatures: 4, nComponents: 8, ...more });
  const key = new Uint8Array(32).fill(9);
  for (const [model, says] of [
    [map({ method: "tensor-srht" }), /method "tensor-srht" cannot be written as ONNX; .* one of tensor-sketch, /],
    [map({ key }), /the key is missing: .* give map\.toJSON\(\{ includeKey: true \}\)/],
    [ts.featureMap({ nFeatures: 1 << 20, nComponents: 1024 }), /matrices of 2152728576 numbers/],
    [{ ...map({}).toJSON(), gamma: -1 }, /gamma must be a finite number > 0, got -1/],
    [{ ...map({}).toJSON(), nComponents: 0 }, /nComponents must be an integer from 1/],
    ["{}", /format is missing/],
  ]) {
    assert.throws(() => dataset.onnx(model), { name: "DatasetError", message: says });
  }
  assert.ok(dataset.onnx(map({ key }).toJSON({ includeKey: true })).length > 0);
});

test.after(() => {
  writeFileSync(new URL("cases.json", folder), JSON.stringify(cases));
  writeFileSync(new URL("worst.json", folder), JSON.stringify(worst));
});

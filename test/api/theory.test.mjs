// kernel, estimate, stdError and chooseComponents. That they are the formulas is tested in Go; digests.test.mjs has the
// same numbers. plan: which map, which D.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, load, loadFor, randomRows, toCSR, toNested } from "./helper.mjs";

const ts = await load({ threads: 0 });

const x = Array.from(randomRows(1, 8, 1));
const y = Array.from(randomRows(1, 8, 2));

test("stdError says whether its σ is exact", () => {
  const kindOf = (params) => ts.featureMap({ nFeatures: 8, nComponents: 16, ...params }).theory.stdError(x, y).kind;
  assert.deepEqual([kindOf({}), kindOf({ normalize: "kernel" })], ["exact", "first-order"]);
});

test("estimate is the inner product in float64", () => {
  const map = ts.featureMap({ nFeatures: 8, nComponents: 50 });
  const zx = map.transform(x), zy = map.transform(y);
  let want = 0;
  for (let i = 0; i < 50; i++) want += zx[i] * zy[i];
  assert.equal(map.estimate(zx, zy), want);
  assert.equal(map.estimate(zx, zy, { how: "mean" }), want);
  assert.equal(map.estimate(zx, zy, { how: "median" }), want);
  assert.equal(map.estimate(Array.from(zx), Float64Array.from(zy)), want);
});

test("where no D would do it is Infinity; where σ is beyond float64 it is unknown", () => {
  const { theory } = ts.featureMap({ nFeatures: 8, degree: 2 });
  const large = x.map((v) => v * 1e100);
  assert.deepEqual(theory.stdError(large, large), { sigma: NaN, kind: "unknown" });
  assert.deepEqual(theory.chooseComponents(large, large, 1, 0.1), { guaranteed: Infinity, typical: Infinity });
});

test("mistakes are named, and the map goes on", () => {
  const map = ts.featureMap({ nFeatures: 8, nComponents: 4 });
  const want = map.theory.kernel(x, y);
  const z = map.transform(x);
  const short = x.slice(1);
  const bad = x.with ? x.with(3, NaN) : x.map((v, i) => (i === 3 ? NaN : v));
  for (const name of ["kernel", "stdError", "chooseComponents"]) {
    const call = (a, b) => () => map.theory[name](a, b, 0.1, 0.1);
    errorOf(call(short, y), "ERR_SHAPE", "x", "x must have 8 numbers, got 7");
    errorOf(call(x, short), "ERR_SHAPE", "y");
    errorOf(call(undefined, y), "ERR_PARAM", "x");
    errorOf(call(x, "12345678"), "ERR_PARAM", "y");
    errorOf(call(x, [1, 2, 3, "4", 5, 6, 7, 8]), "ERR_PARAM", "y[3]");
    const error = errorOf(call(x, bad), "ERR_NONFINITE", "y");
    assert.equal(error.column, 3, error.message);
  }
  for (const [epsilon, delta, argument] of [[0, 0.1, "epsilon"], [-1, 0.1, "epsilon"], [NaN, 0.1, "epsilon"],
    ["1", 0.1, "epsilon"],
    [0.1, 0, "delta"], [0.1, 1, "delta"], [0.1, NaN, "delta"], [0.1, undefined, "delta"]]) {
    errorOf(() => map.theory.chooseComponents(x, y, epsilon, delta), "ERR_PARAM", argument);
  }
  errorOf(() => map.estimate(z.subarray(1), z), "ERR_SHAPE", "zx",
    "zx must be one row of nComponents = 4 numbers, got 3");
  errorOf(() => map.estimate(z, undefined), "ERR_PARAM", "zy");
  errorOf(() => map.estimate(z, [1, 2, "3", 4]), "ERR_PARAM", "zy[2]");
  assert.equal(errorOf(() => map.estimate(z, [1, 2, 3, Infinity]), "ERR_NONFINITE", "zy").column, 3);
  errorOf(() => map.estimate(z, z, { how: "max" }), "ERR_PARAM", "how");
  errorOf(() => map.estimate(z, z, { hwo: "mean" }), "ERR_PARAM", "hwo");
  assert.equal(map.theory.kernel(x, y), want);
});

const X = randomRows(60, 20);

test("at equal error every answer has the D that the error needs, the quickest first", () => {
  const answers = ts.plan({ nFeatures: 64, degree: 3, coef0: 1, cosine: 0.5, epsilon: 0.5, delta: 0.05 });
  assert.deepEqual(answers.map(({ method }) => method).sort(),
    ["complex-tensor-sketch", "complex-tensor-srht", "complex-tensorized-random-projection",
    "craft", "random-maclaurin", "tensor-sketch", "tensor-srht", "tensorized-random-projection", "tree-tensor-sketch"]);
  assert.ok(answers.every(({ reached }) => reached));
  assert.ok(ts.plan({ nFeatures: 64, epsilon: 1e-6 }).every(({ reached }) => !reached));
  answers.forEach(({ method, nComponents, predictedSigma, kind, microsecondsPerRow }, i) => {
    assert.ok(predictedSigma > 0 && predictedSigma <= 0.5 / 1.959, `${method}: σ ${predictedSigma}`);
    assert.equal(kind, "exact");
    assert.ok(microsecondsPerRow > 0 && (i === 0 || microsecondsPerRow >= answers[i - 1].microsecondsPerRow), method);
    ts.featureMap({ method, nFeatures: 64, degree: 3, coef0: 1, nComponents }).dispose(); // it is one that there is
  });
});

test("a small memory is enough for a small question", async (t) => {
  const small = await loadFor(t, { threads: 0, maxMemory: 32 * 2 ** 20 });
  assert.ok(small.plan({ nFeatures: 1_000_000, epsilon: 0.1 }).length > 5);
  errorOf(() => small.plan({ nFeatures: 20_000, sample: new Float32Array(200 * 20_000) }), "ERR_MEMORY", "maxMemory",
    /pass less data at once|give fewer or sparser rows in the sample/);
});

test("the sample may have any form, and nystroem is measured on it", () => {
  const ask = (sample) => ts.plan({ nFeatures: 20, sample, epsilon: 0.5, nnzPerRow: 20 })
    .map(({ microsecondsPerRow, ...answer }) => answer).sort((a, b) => (a.method < b.method ? -1 : 1));
  const want = ask(X);
  assert.equal(want.find(({ method }) => method === "nystroem").kind, "measured");
  for (const sample of [Float64Array.from(X), toNested(X, 20), toCSR(X, 20)]) assert.deepEqual(ask(sample), want);
  const large = randomRows(5000, 20, 3);
  const [first] = ts.plan({ nFeatures: 20, sample: large, methods: ["tensor-sketch"], nComponents: 100 });
  const [sparse] = ts.plan({ nFeatures: 20, sample: toCSR(large, 20), methods: ["tensor-sketch"], nComponents: 100 });
  assert.equal(first.predictedSigma, sparse.predictedSigma);
});

test("times are this machine's: the least of some runs of 64 rows of 128 numbers, by the clock", async (t) => {
  for (const step of [1, 3]) { // milliseconds that each run takes, except some that take longer
    let now = 0, reads = 0;
    t.mock.method(performance, "now", () => (now += reads++ % 3 === 0 ? 7 * step : step));
    const [{ microsecondsPerRow }] = (await loadFor(t, { threads: 0 })).plan({
      nFeatures: 128, nComponents: 1024, degree: 2, methods: ["tensor-sketch"],
    });
    assert.ok(Math.abs(microsecondsPerRow / (1000 * step / 64) - 1) < 1e-9, `${microsecondsPerRow} µs`);
    t.mock.restoreAll();
  }
});

test("a question that has no answer says why", () => {
  const cases = [
    [undefined, "question", /be a plain object/],
    [{}, "nFeatures", /number of input features/],
    [{ nFeatures: 0 }, "nFeatures", /from 1 to 2147483647, got 0$/],
    [{ nFeatures: "5" }, "nFeatures", /be a number, got "5"$/],
    [{ nFeatures: 5, eps: 1 }, "eps", /unknown key of question "eps"/],
    [{ nFeatures: 5, nnzPerRow: 6 }, "nnzPerRow", /from 1 to nFeatures = 5$|from 1 to nFeatures = 5, got 6$/],
    [{ nFeatures: 5, degree: 0 }, "degree", /from 1 to 64, got 0$/],
    [{ nFeatures: 5, gamma: 0 }, "gamma", /be > 0, got 0$/],
    [{ nFeatures: 5, coef0: -1 }, "coef0", /≥ 0, got -1$/],
    [{ nFeatures: 5, cosine: 2 }, "cosine", /from -1 to 1, got 2$/],
    [{ nFeatures: 5, cosine: NaN }, "cosine", /got NaN$/],
    [{ nFeatures: 5, epsilon: 0 }, "epsilon", /be > 0, got 0$/],
    [{ nFeatures: 5, epsilon: 1, nComponents: 5 }, "epsilon", /be left out with nComponents/],
    [{ nFeatures: 5, epsilon: 1, delta: 1 }, "delta", /between 0 and 1/],
    [{ nFeatures: 5, delta: 0.1 }, "delta", /left out without epsilon/],
    [{ nFeatures: 5, methods: [] }, "methods", /one or more/],
    [{ nFeatures: 5, methods: ["tensor-sketch", "sketch"] }, "methods[1]", /got "sketch"$/],
    [{ nFeatures: 5, methods: ["random-fourier"] }, "methods[0]",
      /be a map of the polynomial kernel, which that is not/],
    [{ nFeatures: 5, methods: ["k-space"] }, "methods[0]", /be a map whose inner products estimate the kernel/],
    [{ nFeatures: 5, methods: ["nystroem"] }, "methods[0]", /without a sample to fit/],
    [{ nFeatures: 2, sample: [1, 2], cosine: 0.5 }, "sample", /at least 2 rows/, "ERR_SHAPE"],
    [{ nFeatures: 2, sample: [1, 2, 3, 4], cosine: 0.5 }, "cosine", /left out with a sample/],
    [{ nFeatures: 2, sample: [1, 2, 3, 4], cosine: 0 }, "cosine",
      /^cosine must be left out with a sample, whose rows have angles of their own, got 0$/],
    [{ nFeatures: 2, sample: [1, 2, 3] }, "sample", /multiple of nFeatures/, "ERR_SHAPE"],
    [{ nFeatures: 2, sample: [1, 2, 3, NaN] }, "sample",
      /^sample row 1, column 1 must be finite: .*, got NaN$/, "ERR_NONFINITE"],
    [{ nFeatures: 2, sample: { indptr: [0, 2, 2], indices: [1, 1], data: [1, 1] } }, "sample",
      /^sample row 0, column 1 must hold each column once/, "ERR_SHAPE"],
    [{ nFeatures: 5, methods: Array(20).fill("tensor-sketch") }, "methods[1]", /be named once, got "tensor-sketch"$/],
  ];
  for (const [question, argument, message, code = "ERR_PARAM"] of cases) {
    errorOf(() => ts.plan(question), code, argument, message);
  }
});

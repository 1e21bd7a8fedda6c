// Every method through the one API: bits, errors, models, workers, and what only some of them have.

import assert from "node:assert/strict";
import { test } from "node:test";
import { errorOf, generator, load, loadFor, near, randomRows, rejectionOf, sameBits, toCSR, toNested,
  unitRows } from "./helper.mjs";

const d = 6;
/** One set of parameters for each method, for each thing that a method can be told, and for each source of tables. */
const FAMILY = [
  { method: "tensor-sketch", coef0: 0.5, repeats: 3 },
  { method: "count-sketch", repeats: 2 },
  { method: "complex-tensor-sketch", degree: 3 },
  { method: "random-maclaurin", coef0: 1, methodParams: { order: 3 } },
  { method: "random-maclaurin", degree: 3, coef0: 1, methodParams: { h01: true, distribution: "gaussian" } },
  { method: "random-maclaurin", methodParams: { kernel: "exponential" } },
  { method: "tensorized-random-projection" },
  { method: "tensorized-random-projection", methodParams: { distribution: "gaussian" } },
  { method: "complex-tensorized-random-projection", coef0: 0.5 },
  { method: "tensor-srht", normalize: "kernel" },
  { method: "complex-tensor-srht" },
  { method: "craft", methodParams: { base: "tensor-srht", upComponents: 256 } },
  { method: "tree-tensor-sketch", degree: 3, coef0: 0.2 },
  { method: "spherical", degree: 6, methodParams: { a: 3 } },
  { method: "spherical", degree: 1, repeats: 2, methodParams: { signed: true } },
  { method: "random-fourier", gamma: 0.3, methodParams: { kernel: "laplacian", paired: true } },
  { method: "random-fourier", gamma: 0.3, methodParams: { kernel: "cauchy" } },
  { method: "random-fourier", methodParams: { projection: "structured" } },
  { method: "random-fourier" },
  { method: "taylor-sketch", gamma: 0.5 },
  { method: "taylor-sketch", methodParams: { kernel: "series", coefficients: [1, 0, 0.5, 0.25] } },
  { nComponents: 17, degree: 3, gamma: 0.1, coef0: 1e-7, normalize: "kernel", output: "spectrum",
    seed: 2n ** 64n - 1n },
  { nComponents: 97, degree: 4, coef0: 0.5, normalize: "kernel", seed: "text with \" quotes, \n and 😀" },
  { nFeatures: 1, nComponents: 1, degree: 1, seed: "" },
  { nFeatures: 33, degree: 3, coef0: 1, gamma: 0.3, seed: Uint8Array.from({ length: 32 }, (_, i) => 8 * i) },
  { nComponents: 16, method: "count-sketch", coef0: 1, seed: "5" },
  { nComponents: 30, randomState: 2 ** 32 - 1, seed: undefined },
  { nFeatures: 3, nComponents: 5, indexHash: [[0, 1, 4], [4, 1, 0]], bitHash: [[1, -1, 1], [-1, -1, 1]],
    seed: undefined },
  { method: "nystroem", nComponents: 20, coef0: 1 },
].map((params) => ({ nFeatures: d, nComponents: 64, seed: 5, ...params }));

const name = ({ nFeatures, seed, ...params }) => JSON.stringify(params);

/** Rows of length 1, a third of them zeros, which every method takes. */
const rowsFor = ({ nFeatures }, n = 50) => unitRows(n, nFeatures, 1, (v, i) => (nFeatures > 1 && i % 3 === 1 ? 0 : v));

const X = rowsFor({ nFeatures: d });
const ts = await load({ threads: 0 });

/** The map, fitted where it needs that. */
function mapOf(params, module = ts) {
  const map = module.featureMap(params);
  if (params.method === "nystroem") map.fit(X);
  return map;
}

for (const params of FAMILY) {
  test(`${name(params)}: every form of rows, batch, params and model give the same bits`, () => {
    const map = mapOf(params);
    const X = rowsFor(params), { nComponents: D, nFeatures: d } = map;
    const want = map.transform(X);
    assert.equal(D, (params.repeats ?? 1) * params.nComponents);
    assert.equal(want.length, 50 * D);
    for (const rows of [Float64Array.from(X), Array.from(X), toNested(X, d), toCSR(X, d)]) {
      sameBits(map.transform(rows), want);
    }
    for (const row of [0, 7, 49]) {
      sameBits(map.transform(X.subarray(row * d, (row + 1) * d)), want.subarray(row * D, (row + 1) * D), "one row");
    }
    const text = JSON.stringify(map);
    for (const model of [text, JSON.parse(text), map.toJSON()]) {
      const back = ts.fromJSON(model);
      sameBits(back.transform(X), want, "from the model");
      assert.equal(JSON.stringify(back), text);
      assert.deepEqual(back.params, map.params);
      back.dispose();
    }
    const again = mapOf(map.params);
    assert.deepEqual(again.params, map.params);
    sameBits(again.transform(X), want, "from params");
    for (const made of [map, again]) made.dispose();
  });
}

test("workers give the bits of transform, fitted maps too, and a new fit ends calls of the old", async (t) => {
  const module = await loadFor(t, { threads: 2 });
  await module.warm();
  for (const params of FAMILY) {
    const map = mapOf(params, module), rows = rowsFor(params, 4000);
    sameBits(await map.transformAsync(rows), map.transform(rows), name(params));
    map.dispose();
  }
  const rows = rowsFor({ nFeatures: d }, 4000);
  const map = mapOf(FAMILY.at(-1), module);
  const pending = map.transformAsync(rows);
  map.fit(rows);
  await rejectionOf(pending, "ERR_DISPOSED", undefined, /fitted anew: call transformAsync again/);
  sameBits(await map.transformAsync(rows), map.transform(rows), "after the new fit");
});

test("params show what the method assumes", () => {
  const paramsOf = (params) => {
    const { degree, methodParams } = ts.featureMap({ nFeatures: 3, ...params }).params;
    return { degree, methodParams };
  };
  assert.deepEqual(paramsOf({ method: "random-fourier" }), { degree: 1, methodParams: { kernel: "gaussian" } });
  assert.deepEqual(paramsOf({ method: "craft" }), { degree: 2, methodParams: { base: "tensor-sketch" } });
  assert.deepEqual(paramsOf({ method: "random-maclaurin" }), {
    degree: 2, methodParams: { order: 2, distribution: "rademacher", kernel: "polynomial" },
  });
  assert.deepEqual(paramsOf({ method: "random-maclaurin", methodParams: { kernel: "series", coefficients: [1, 2] } }),
    { degree: 1, methodParams: { order: 2, distribution: "rademacher", kernel: "series", coefficients: [1, 2] } });
  assert.deepEqual(paramsOf({ method: "spherical", methodParams: { a: undefined, paired: false } }),
    { degree: 2, methodParams: { a: 2 } });
  assert.ok(Object.isFrozen(ts.featureMap({ nFeatures: 3, method: "craft" }).params.methodParams));
});

test("wrong combinations name the parameter and the remedy", () => {
  const cases = [
    [{ method: "complex-tensor-sketch", nComponents: 7 }, "nComponents",
      /even for method "complex-tensor-sketch".*: take 8, got 7$/],
    [{ method: "random-fourier", degree: 3 }, "degree",
      /^degree must be 1 for method "random-fourier", or be left out, got 3$/],
    [{ method: "random-maclaurin", methodParams: { kernel: "series", coefficients: [1, -2] } },
      "methodParams.coefficients[1]", /negative coefficient has no feature map/],
    [{ method: "taylor-sketch", methodParams: { kernel: "series", coefficients: [1, -2] } },
      "methodParams.coefficients[1]", /negative coefficient/],
    [{ method: "taylor-sketch", methodParams: { terms: 0 } }, "methodParams.terms", /positive integer, got 0$/],
    [{ method: "random-fourier", methodParams: { kernel: "sigmoid" } }, "methodParams.kernel",
      /must be another one: no features have tanh.* not positive definite, got "sigmoid"$/],
    [{ method: "random-fourier", methodParams: { kernel: "exponential" } }, "methodParams.kernel",
      /must be one of "gaussian", "laplacian", "cauchy", got "exponential"$/],
    [{ method: "spherical", normalize: "kernel", methodParams: { signed: true } }, "normalize",
      /^normalize must be "none" where methodParams.signed is true: .* got "kernel"$/],
    [{ method: "random-fourier", methodParams: { signed: true } }, "methodParams.signed",
      /^methodParams.signed must be left out for method "random-fourier"/],
    [{ method: "craft", methodParams: { upComponents: 10 } }, "methodParams.upComponents", /got 10$/],
    [{ method: "tensor-srht", randomState: 1 }, "randomState", /be left out for method "tensor-srht": give a seed$/],
    [{ method: "tensor-srht", output: "spectrum" }, "output", /must be "real" for method "tensor-srht"/],
    [{ method: "tree-tensor-sketch", methodParams: { arity: 3 } }, "methodParams.arity",
      /^methodParams.arity must be a parameter of a method: h01, /],
  ];
  for (const [params, argument, message] of cases) {
    errorOf(() => ts.featureMap({ nFeatures: 3, ...params }), "ERR_PARAM", argument, message);
  }
  const spherical = ts.featureMap({ nFeatures: 2, method: "spherical" });
  assert.equal(errorOf(() => spherical.transform([0.6, 0.8, 3, 4]), "ERR_PARAM", "X",
    /^X row 1 must have norm 1.*got ‖x‖² = 25$/).row, 1);
  assert.deepEqual(spherical.theory.stdError([2, 0], [1, 0]), { sigma: NaN, kind: "unknown" });
  assert.equal(spherical.theory.bias([2, 0], [1, 0]), NaN);
  const craft = ts.featureMap({ nFeatures: 4, nComponents: 16, method: "craft" });
  assert.equal(ts.featureMap({ ...craft.params, nComponents: 512 }).params.nComponents, 512);
  const tree = ts.featureMap({ nFeatures: 2, method: "tree-tensor-sketch" });
  errorOf(() => tree.transformProduct([[1, 2], [3, 4]]), "ERR_PARAM", "method",
    /must be "tensor-sketch" for products of unlike vectors, got "tree-tensor-sketch"/);
});

test("estimates, gram and nearest take the signs of spherical features into account", async () => {
  const params = { nFeatures: d, nComponents: 1000, method: "spherical", degree: 1, repeats: 3, seed: 5 };
  assert.equal(ts.featureMap(params).signs, null);
  const map = ts.featureMap({ ...params, methodParams: { signed: true } });
  const { signs, nComponents } = map, Z = map.transform(X), n = 50, k = 7;
  assert.equal(signs.length, 3000);
  assert.ok(signs.includes(1) && signs.includes(-1) && signs.every((sign) => Math.abs(sign) === 1));
  assert.notEqual(map.signs, signs, "a caller's own array");
  sameBits(ts.fromJSON(JSON.stringify(map)).signs, signs, "of the model");
  const row = (i) => Z.subarray(i * nComponents, (i + 1) * nComponents);
  const estimate = (i, j, from = 0, to = nComponents) => {
    let sum = 0;
    for (let c = from; c < to; c++) sum += signs[c] * row(i)[c] * row(j)[c];
    return sum;
  };
  const all = Float64Array.from({ length: n * n }, (_, at) => estimate(Math.floor(at / n), at % n));
  let error = 0;
  for (let i = 0; i < n; i++) {
    assert.equal(map.estimate(row(0), row(i)), all[i]);
    assert.equal(map.estimate(Array.from(row(0)), row(i)), all[i]);
    const each = [0, 1, 2].map((r) => 3 * estimate(0, i, 1000 * r, 1000 * (r + 1))).sort((a, b) => a - b);
    assert.equal(map.estimate(row(0), row(i), { how: "median" }), each[1]);
    const [x, y] = [X.subarray(0, d), X.subarray(i * d, (i + 1) * d)];
    const { sigma, kind } = map.theory.stdError(x, y);
    assert.equal(kind, "exact");
    error = Math.max(error, Math.abs(all[i] - map.theory.kernel(x, y) - map.theory.bias(x, y)) / sigma);
  }
  assert.ok(error > 0.1 && error < 5, `an estimate is ${error} σ off`);
  assert.deepEqual(map.gram(Z), all);
  assert.deepEqual(await map.gramAsync(Z), all);
  const near = map.nearest(Z, Z, k);
  for (let i = 0; i < n; i++) {
    const order = Array.from({ length: n }, (_, j) => j).sort((a, b) => all[i * n + b] - all[i * n + a] || a - b);
    assert.deepEqual(Array.from(near.rows.subarray(i * k, (i + 1) * k)), order.slice(0, k));
    assert.equal(near.estimates[i * k], all[i * n + order[0]]);
  }
  assert.deepEqual(await map.nearestAsync(Z, Z, k), near);
  for (const metric of ["cosine", "euclidean"]) {
    errorOf(() => map.nearest(Z, Z, k, { metric }), "ERR_PARAM", "metric", /"inner" where methodParams.signed is true/);
    await rejectionOf(map.nearestAsync(Z, Z, k, { metric }), "ERR_PARAM", "metric");
  }
  errorOf(() => map.nearest(Z, Z.subarray(1), k), "ERR_SHAPE", "q");
  errorOf(() => map.gram(Z.subarray(1), Z), "ERR_SHAPE", "A");
  errorOf(() => map.gram(Z.with(3, NaN), Z), "ERR_NONFINITE", "A");
  map.dispose();
  errorOf(() => map.signs, "ERR_DISPOSED");
});

test("nystroem is fitted first, and says which row is wrong", () => {
  const map = ts.featureMap({ nFeatures: 2, nComponents: 3, method: "nystroem", seed: 5 });
  errorOf(() => map.transform([1, 2]), "ERR_PARAM", undefined, /fit/i);
  errorOf(() => map.toJSON(), "ERR_PARAM", undefined, /call fit\(X\)/);
  errorOf(() => map.fit([1, 2, 3, 4]), "ERR_SHAPE", "X", /at least nComponents = 3 rows/);
  errorOf(() => ts.featureMap({ nFeatures: 2 }).fit([1, 2]), "ERR_PARAM", "method",
    /must be "nystroem" or "k-space" to be fitted: the others need no rows, got "tensor-sketch"/);
  const rows = randomRows(20, 2);
  map.fit(rows);
  const want = map.transform(rows);
  assert.equal(map.theory.bias([1, 2], [3, 4]), NaN);
  assert.deepEqual(map.theory.stdError([1, 2], [3, 4]), { sigma: NaN, kind: "unknown" });
  for (const [bad, value] of [[7, NaN], [13, Infinity]]) {
    const error = errorOf(() => map.fit(rows.with(bad, value)), "ERR_NONFINITE", "X");
    assert.deepEqual([error.row, error.column], [bad >> 1, bad & 1]);
  }
  errorOf(() => map.fit(Float64Array.from(rows).with(9, 1e39)), "ERR_NONFINITE", "X",
    /^X row 4, column 1 must be within the range of float32/);
  errorOf(() => map.fit({ indptr: [0, 2], indices: [1, 1], data: [1, 1] }), "ERR_SHAPE", undefined,
    /at least nComponents|twice/);
  errorOf(() => map.fit({ indptr: [0, 2, 2, 2], indices: [1, 1], data: [1, 1] }), "ERR_SHAPE", "X",
    /^X row 0, column 1 must hold each column once: add the values up, got two values$/);
  const huge = ts.featureMap({ nFeatures: 1, nComponents: 3, degree: 10, method: "nystroem", seed: 1 });
  assert.equal(errorOf(() => huge.fit([1, 2, 1e38, 3, 4]), "ERR_OVERFLOW", "X",
    /^X row 2 must have a kernel with itself within/).row, 2);
  sameBits(map.transform(rows), want, "after errors the old fit stays");
  map.fit(toCSR(rows, 2));
  sameBits(map.transform(rows), want, "fitted to sparse rows");
  const two = ts.featureMap({ nFeatures: 2, nComponents: 3, repeats: 2, method: "nystroem" });
  two.fit(rows);
  assert.equal(two.toJSON().landmarks.length, 12);
  const own = Array.from(rows.subarray(8, 14)); // as many rows as landmarks: all are taken
  map.fit(own);
  const pairs = (values) => [0, 2, 4].map((at) => values.slice(at, at + 2).map(Math.fround).join()).sort();
  assert.deepEqual(pairs(map.toJSON().landmarks), pairs(own));
});

test("nystroem draws landmarks by what the others leave over", () => {
  const params = { nFeatures: 2, nComponents: 4, method: "nystroem", gamma: 2, methodParams: { kernel: "gaussian" } };
  const map = ts.featureMap({ ...params, seed: 3 });
  // Three of 300 rows are far from all others, and from one another.
  const rows = randomRows(300, 2).map((v) => 0.001 * v);
  const far = [17, 140, 299];
  far.forEach((row, i) => rows.fill(i + 2, 2 * row, 2 * row + 2));
  const lost = () => map.transform(rows).reduce((sum, z) => sum - z * z, 300);
  map.fit(rows, { landmarks: "uniform" });
  const plain = map.toJSON();
  map.fit(rows);
  assert.deepEqual(map.toJSON(), plain);
  assert.ok(lost() > 2.5, `uniform landmarks lose ${lost()} of 300`);
  map.fit(rows, { landmarks: "pivoted" });
  assert.ok(lost() < 0.2, `pivoted landmarks lose ${lost()} of 300`);
  const { landmarks } = map.toJSON();
  const pairs = Array.from({ length: 4 }, (_, i) => landmarks.slice(2 * i, 2 * i + 2));
  for (const row of far) assert.ok(pairs.some(([x]) => Math.fround(x) === rows[2 * row]), `row ${row} is no landmark`);
  const want = map.transform(rows);
  map.fit(toCSR(rows, 2), { landmarks: "pivoted" });
  sameBits(map.transform(rows), want, "of sparse rows");
  sameBits(ts.fromJSON(map.toJSON()).transform(rows), want, "of its file");

  errorOf(() => map.fit(rows, { landmarks: "all" }), "ERR_PARAM", "landmarks",
    /^landmarks must be "uniform" or "pivoted", got "all"$/);
  errorOf(() => map.fit(rows.subarray(0, 6), { landmarks: "pivoted" }), "ERR_SHAPE", "X",
    /at least nComponents = 4 rows/);
  const error = errorOf(() => map.fit(rows.with(77, NaN), { landmarks: "pivoted" }), "ERR_NONFINITE", "X");
  assert.deepEqual([error.row, error.column], [38, 1]);
  errorOf(() => map.fit(Float64Array.from(rows).with(9, 1e39), { landmarks: "pivoted" }), "ERR_NONFINITE", "X",
    /^X row 4, column 1 must be within the range of float32/);
  const huge = ts.featureMap({ nFeatures: 1, nComponents: 3, degree: 10, method: "nystroem", seed: 1 });
  assert.equal(errorOf(() => huge.fit([1, 2, 1e38, 3, 4], { landmarks: "pivoted" }), "ERR_OVERFLOW", "X").row, 2);
  for (const method of ["k-space", "tensor-sketch"]) {
    errorOf(() => ts.featureMap({ nFeatures: 2, nComponents: 4, method }).fit(rows, { landmarks: "pivoted" }),
      "ERR_PARAM", "method", /^method must be "nystroem"/);
  }
  sameBits(map.transform(rows), want, "after errors the old fit stays");
});

test("the core draws the landmarks that Go draws", () => { // TestPivotedRowsBits in sketch
  const X = Float32Array.from({ length: 300 }, (_, i) => (i * i * 37 % 64) / 64);
  const map = ts.featureMap({ nFeatures: 3, nComponents: 8, method: "nystroem", gamma: 3, seed: 5,
    methodParams: { kernel: "gaussian" } });
  map.fit(X, { landmarks: "pivoted" });
  const want = [90, 40, 38, 93, 94, 91, 5, 67].flatMap((row) => Array.from(X.subarray(3 * row, 3 * row + 3)));
  assert.deepEqual(map.toJSON().landmarks, want);
});

test("k-space is fitted to all rows, at once or in parts, with the same bits in any order", async (t) => {
  const [n, d, k] = [120, 7, 5];
  const rows = randomRows(n, d);
  const params = { nFeatures: d, nComponents: k, method: "k-space", degree: 3, coef0: 1, repeats: 2, seed: 5 };
  const map = ts.featureMap(params);
  assert.deepEqual(map.params.methodParams, {});
  errorOf(() => map.transform(rows), "ERR_PARAM", undefined, /call fit/);
  errorOf(() => map.toJSON(), "ERR_PARAM", "method", /where it is "k-space": call fit\(X\)/);
  errorOf(() => map.fit(rows.subarray(0, 4 * d)), "ERR_SHAPE", "X", /at least nComponents = 5 rows to fit to/);
  errorOf(() => ts.featureMap({ nFeatures: 2 }).fitter(), "ERR_PARAM", "method",
    /must be "k-space" to be fitted in parts, got "tensor-sketch"$/);
  map.fit(rows);
  const want = map.transform(rows);
  for (let i = 0; i < k; i++) { // the first repeat, times √2, has orthonormal columns
    for (let j = 0; j <= i; j++) {
      let sum = 0;
      for (let r = 0; r < n; r++) sum += 2 * want[2 * k * r + i] * want[2 * k * r + j];
      near(sum, i === j ? 1 : 0, 1e-4, `column ${i} times ${j}`);
    }
  }
  assert.deepEqual(map.theory.stdError(rows.subarray(0, d), rows.subarray(d, 2 * d)), { sigma: NaN, kind: "unknown" });

  const model = map.toJSON();
  assert.equal(model.projection.length, 2 * 4 * k * k);
  const again = ts.fromJSON(JSON.stringify(model));
  sameBits(again.transform(rows), want, "from the model");
  assert.equal(JSON.stringify(again), JSON.stringify(map));
  sameBits(await map.transformAsync(rows), want, "in workers");

  errorOf(() => map.fit(rows.with(3 * d + 2, NaN)), "ERR_NONFINITE", "X", /^X row 3, column 2/);
  sameBits(map.transform(rows), want, "after an error the old fit stays");

  const radius = Math.max(...Array.from({ length: n }, (_, r) => Math.hypot(...rows.subarray(r * d, (r + 1) * d))));
  const parted = ts.featureMap(params);
  const fitter = parted.fitter({ radius });
  for (let from = n; from > 0; from -= 24) {
    const part = rows.subarray((from - 24) * d, from * d);
    fitter.add(from % 48 === 0 ? toCSR(part, d) : part);
  }
  errorOf(() => fitter.add([9, 9, 9, 9, 9, 9, 9]), "ERR_SHAPE", "X", /^X row 0 must have a norm of at most radius/);
  errorOf(() => fitter.measure(rows), "ERR_PARAM", "radius", /be 0, and no row added yet/);
  assert.equal(fitter.rows, n);
  const shares = [];
  await assert.rejects(fitter.finishAsync({ signal: AbortSignal.abort() }), /abort/i);
  await fitter.finishAsync({ onProgress: (done) => shares.push(done) });
  assert.deepEqual(shares, [...shares].sort((a, b) => a - b));
  assert.equal(shares.at(-1), 1);
  sameBits(parted.transform(rows), want, "in parts");
  errorOf(() => fitter.add(rows), "ERR_DISPOSED", undefined, /has finished or was disposed/);
  fitter.dispose();

  const large = ts.featureMap({ ...params, nComponents: 60 }).fitter({ radius });
  large.add(rows);
  const stopped = new AbortController(); // half way
  await assert.rejects(large.finishAsync({ signal: stopped.signal, onProgress: (done) => {
    assert.ok(done >= 0 && done < 1, `${done}`);
    stopped.abort();
  } }), /abort/i);
  await large.finishAsync();

  const measured = ts.featureMap(params).fitter();
  errorOf(() => measured.add(rows), "ERR_PARAM", "radius",
    "radius must be given, or measured from all rows before any is added, got 0");
  measured.dispose();
  errorOf(() => map.fitter({ radius: -1 }), "ERR_PARAM", "radius", /largest norm of a row/);
  errorOf(() => map.fitter({ radius: "1" }), "ERR_PARAM", "radius", /must be a number/);
  const small = await loadFor(t, { maxMemory: 32 << 20 });
  errorOf(() => small.featureMap({ nFeatures: 2, nComponents: 200, method: "k-space" }).fit(randomRows(500, 2)),
    "ERR_MEMORY", "maxMemory", /lower nComponents, methodParams.m or methodParams.r/);
});

test("repeats: mean and median of independent sketches, and the bounds for them", () => {
  const params = { nFeatures: d, nComponents: 32, repeats: 5, seed: 3 };
  const map = ts.featureMap(params);
  const [x, y] = [X.subarray(0, d), X.subarray(2 * d, 3 * d)];
  const zx = map.transform(x), zy = map.transform(y);
  const single = [0, 1, 2, 3, 4].map((r) => {
    let sum = 0;
    for (let i = 32 * r; i < 32 * (r + 1); i++) sum += zx[i] * zy[i];
    return 5 * sum;
  });
  near(map.estimate(zx, zy), single.reduce((a, b) => a + b) / 5, 1e-9, "mean");
  errorOf(() => map.estimate(zx, zy, null), "ERR_PARAM", "options");
  near(map.estimate(zx, zy, { how: "median" }), [...single].sort((a, b) => a - b)[2], 1e-9, "median");
  const once = ts.featureMap({ ...params, repeats: 1 });
  near(single[0], 5 * once.estimate(zx.subarray(0, 32), zy.subarray(0, 32)), 1e-9, "the first");
  near(map.theory.stdError(x, y).sigma, once.theory.stdError(x, y).sigma / Math.sqrt(5), 1e-9, "σ");

  const { sigma } = map.theory.stdError(x, y);
  const { chebyshev, hoeffding, median } = map.theory.missProbability(x, y, 4 * sigma);
  near(chebyshev, 1 / 16, 1e-9, "Chebyshev");
  const norm1 = (v) => v.reduce((sum, value) => sum + Math.abs(value), 0);
  near(hoeffding, Math.min(1, 2 * Math.exp((-5 * (4 * sigma) ** 2) / (2 * (norm1(x) * norm1(y)) ** 4))), 1e-9,
    "Hoeffding");
  assert.ok(median > 0 && median < 1);
  errorOf(() => map.theory.missProbability(x, y, 0), "ERR_PARAM", "epsilon", /> 0, got 0$/);
  assert.equal(ts.featureMap({ nFeatures: d, method: "tensorized-random-projection",
    methodParams: { distribution: "gaussian" } }).theory.missProbability(x, y, 1).hoeffding, NaN);
});

test("compressedProduct finds the large entries of A·B, and its error is the one stated", () => {
  const [m, k, n] = [30, 2000, 40]; // several chunks of columns
  const random = generator(7);
  const A = Float32Array.from({ length: m * k }, () => random() - 0.5),
    B = Float32Array.from({ length: k * n }, () => random() - 0.5);
  for (let t = 0; t < k; t++) B[t * n + 11] += 3 * A[4 * k + t];
  const exact = (i, j) => {
    let sum = 0;
    for (let t = 0; t < k; t++) sum += A[i * k + t] * B[t * n + j];
    return sum;
  };
  const product = ts.compressedProduct(A, B, { m, n, k }, { nComponents: 1024, seed: 1 });
  const [first, ...others] = product.largest(3);
  assert.deepEqual([first.i, first.j], [4, 11]);
  assert.equal(first.value, product.entry(4, 11));
  assert.equal(others.length, 2);
  assert.ok(Math.abs(first.value - exact(4, 11)) < 4 * product.stdError(4, 11),
    `${first.value}, exact ${exact(4, 11)}`);
  assert.equal(product.largest(10_000).length, m * n);
  assert.deepEqual(product.largest(0), []);
  const again = ts.compressedProduct(A, B, { m, n, k }, { nComponents: 1024, seed: 1n, repeats: 11 });
  assert.equal(again.entry(2, 3), product.entry(2, 3), "the default is the least odd number ≥ log₂(m·n)");
  product.dispose();
  product.dispose();
  errorOf(() => product.entry(0, 0), "ERR_DISPOSED");

  const make = (...args) => () => ts.compressedProduct(...args);
  const shape = { m, n, k }, options = { nComponents: 16 };
  for (const [args, code, argument, message] of [
    [[A, B, { m, n }, options], "ERR_PARAM", "shape.k"], [[A, B, { ...shape, rows: 3 }, options], "ERR_PARAM", "rows"],
    [[Array.from(A), B, shape, options], "ERR_PARAM", "A"],
    [[A, B, { m, n, k: 3 }, options], "ERR_SHAPE", "A", /m × k = 30 × 3 = 90, got length 60000$/],
    [[A, B.subarray(1), shape, options], "ERR_SHAPE", "B"], [[A, B, shape, {}], "ERR_PARAM", "nComponents"],
    [[A, B, shape], "ERR_PARAM", "options"], [[A, B, shape, { nComponents: 0 }], "ERR_PARAM", "nComponents"],
    [[A, B, shape, { ...options, seed: -1 }], "ERR_PARAM", "seed"],
    ...[0, 2000, 70_000, 1e10, 1.5, NaN, "2"].map((repeats) => [[A, B, shape, { ...options, repeats }], "ERR_PARAM",
      "repeats", /^repeats must be an integer from 1 to 1024, got /]),
  ]) errorOf(make(...args), code, argument, message);
  errorOf(make(A, B, shape, { nComponents: 2 ** 24, repeats: 1023 }), "ERR_MEMORY");
  const error = errorOf(make(A.with(3 * k + 1900, NaN), B, shape, options), "ERR_NONFINITE", "A");
  assert.deepEqual([error.row, error.column], [3, 1900]);
  for (const [i, j, argument] of [[-1, 0, "i"], [m, 0, "i"], [0, n, "j"], [0, 0.5, "j"]]) {
    errorOf(() => again.entry(i, j), "ERR_PARAM", argument);
  }
  errorOf(() => again.largest(-1), "ERR_PARAM", "count");
  const empty = ts.compressedProduct(new Float32Array(0), new Float32Array(0), { m: 2, n: 2, k: 0 },
    { nComponents: 4 });
  assert.equal(empty.entry(1, 1), 0);
});

test("dimensions of subspaces and of matrix products", () => {
  assert.equal(ts.subspaceDimension(3, 2, 0.5, 0.1), Math.ceil((9 * 11) / (0.25 * 0.1)));
  assert.equal(ts.matrixProductDimension(3, 0.5, 0.25), Math.ceil(29 / (0.25 * 0.25)));
  for (const [args, argument] of [[[0, 2, 0.5, 0.1], "k"], [[1.5, 2, 0.5, 0.1], "k"], [[3, 0, 0.5, 0.1], "degree"],
    [[3, 2, 0, 0.1], "epsilon"],
    [[3, 2, 0.5, 1], "delta"], [[3, 2, "1", 0.1], "epsilon"]]) {
    errorOf(() => ts.subspaceDimension(...args), "ERR_PARAM", argument);
  }
  errorOf(() => ts.matrixProductDimension(65, 0.5, 0.1), "ERR_PARAM", "degree");
});

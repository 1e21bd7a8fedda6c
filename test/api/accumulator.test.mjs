// Exact sums: any order, grouping, form of input and module gives the same bits.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { errorOf, generator, load, loadFor, randomRows, toCSR, toNested } from "./helper.mjs";

const d = 7, D = 33, n = 9000; // more rows than cross the border at a time
const params = { nFeatures: d, nComponents: D, coef0: 1, seed: 5 };

const ts = await load({ threads: 0 });
const map = ts.featureMap(params);
const random = generator(3);
const X = randomRows(n, d).map((x) => x * 2 ** Math.floor(60 * random() - 30));
const weights = randomRows(n, 1, 2);

function added(rows, factors, of = map) {
  const accumulator = of.accumulator();
  accumulator.add(rows, factors);
  return accumulator;
}

const textOf = (accumulator) => JSON.stringify(accumulator);
const part = (from, to) => added(X.subarray(from * d, to * d), weights.subarray(from, to));

/** A float32 in units of 2^-149. */
const scaled = (value) => BigInt(value * 2 ** 149);

/** The exact sum of the products of float32, in units of 2^-298. */
const exactSum = (values, factors) =>
  values.reduce((sum, value, i) => sum + scaled(value) * scaled(factors[i]), 0n);

test("sum and mean are the exact ones, rounded once", () => {
  const n = 500, few = X.subarray(0, n * d);
  const Z = map.transform(few);
  const ones = new Float32Array(n).fill(1);
  for (const factors of [undefined, weights.subarray(0, n)]) {
    const accumulator = added(few, factors);
    assert.equal(accumulator.count, n);
    const w = factors ?? ones;
    const total = exactSum(w, ones);
    const sum = accumulator.sum(), mean = accumulator.mean();
    assert.ok(sum instanceof Float64Array && sum.length === D && mean.length === D);
    for (let j = 0; j < D; j++) {
      const exact = exactSum(Float32Array.from({ length: n }, (_, row) => Z[row * D + j]), w);
      assert.equal(sum[j], Number(exact) * 2 ** -298, `sum ${j}`);
      // The mean is the nearest: the exact quotient is between the middles to its neighbours.
      const bits = new BigInt64Array(Float64Array.of(mean[j]).buffer);
      const [below, above] = [-1n, 1n].map((step) => new Float64Array(BigInt64Array.of(bits[0] + step).buffer)[0]);
      const times = (x) => BigInt(Math.round(x * 2 ** 200)) * total; // x has no bits below 2^-200 here
      const twice = 2n * exact << 200n;
      const [a, b] = [times(mean[j]) + times(below), times(mean[j]) + times(above)].sort((p, q) => (p < q ? -1 : 1));
      assert.ok(a <= twice && twice <= b, `mean ${j}`);
    }
  }
});

test("any order, grouping and form of the rows gives the same text", async (t) => {
  const want = textOf(added(X, weights));
  assert.equal(textOf(added(toNested(X, d), Array.from(weights))), want);
  assert.equal(textOf(added(toCSR(X, d), Float64Array.from(weights))), want);
  assert.equal(textOf(added(Float64Array.from(X), weights)), want);

  const order = Array.from({ length: n }, (_, i) => i).sort(() => random() - 0.5);
  const shuffled = Float32Array.from({ length: n * d }, (_, i) => X[order[Math.floor(i / d)] * d + i % d]);
  assert.equal(textOf(added(shuffled, order.map((row) => weights[row]))), want);

  const groups = [];
  for (let from = 0; from < n;) {
    const to = Math.min(n, from + 1 + Math.floor(700 * random()));
    groups.push(part(from, to));
    from = to;
  }
  while (groups.length > 1) {
    const at = Math.floor((groups.length - 1) * random());
    groups[at].merge(groups.splice(at + 1, 1)[0]);
  }
  assert.equal(textOf(groups[0]), want);

  const features = map.accumulator();
  features.addFeatures(map.transform(X), weights);
  assert.equal(textOf(features), want);
  const other = await loadFor(t, { threads: 2 });
  await other.warm();
  const fromWorkers = other.featureMap(params).accumulator();
  fromWorkers.addFeatures(await other.fromJSON(map.toJSON()).transformAsync(X), weights);
  assert.equal(textOf(fromWorkers), want);
});

test("parts of two modules merge, directly and through JSON, to the sums of all rows", async (t) => {
  const want = textOf(added(X, weights));
  const other = await loadFor(t, { threads: 0, build: "scalar" });
  const theirs = added(X.subarray(4000 * d), weights.subarray(4000), other.featureMap(params));
  const direct = part(0, 4000);
  direct.merge(theirs);
  assert.equal(textOf(direct), want);
  for (const from of [textOf(theirs), theirs.toJSON(), JSON.parse(textOf(theirs))]) {
    const accumulator = map.accumulator({ from });
    assert.equal(textOf(accumulator), textOf(theirs));
    accumulator.merge(part(0, 4000));
    assert.equal(textOf(accumulator), want);
  }
});

test("what was added can be taken away", () => {
  const accumulator = part(0, 5000);
  const want = accumulator.sum();
  accumulator.merge(part(5000, n));
  accumulator.subtract(part(5000, n));
  assert.deepEqual(accumulator.sum(), want);
  assert.equal(accumulator.count, 5000);
  accumulator.subtract(accumulator);
  assert.equal(accumulator.count, 0);
  assert.ok(accumulator.sum().every((x) => Object.is(x, 0)));
  errorOf(() => accumulator.mean(), "ERR_PARAM", "weights");
  accumulator.subtract(part(0, 10));
  assert.equal(accumulator.count, -10);
  assert.deepEqual(accumulator.mean(), part(0, 10).mean());
  assert.equal(textOf(map.accumulator({ from: textOf(accumulator) })), textOf(accumulator));
});

test("weights: 1 is none, 2 is twice, the ends of float32 are exact", () => {
  assert.equal(textOf(added(X, new Float32Array(n).fill(1))), textOf(added(X)));
  const twice = added(X);
  twice.merge(twice);
  assert.deepEqual(added(X, new Float32Array(n).fill(2)).sum(), twice.sum());
  const one = ts.featureMap({ nFeatures: 1, nComponents: 1, method: "count-sketch" });
  const ends = one.accumulator();
  const [most, least] = [3.4028234663852886e38, 1.401298464324817e-45];
  ends.addFeatures(Float32Array.of(most, least, -most), [most, least, most]);
  assert.deepEqual([...ends.sum()], [least * least]); // 2^-298
});

// The digest of sketch/model/sums_test.go.
test("the text is that of Go", () => {
  let state = 12345;
  const draw = (length) => Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state | 0) >> 8) / 2 ** 23;
  });
  const own = ts.featureMap({ nFeatures: 5, nComponents: 21, coef0: 1, seed: 5 });
  const [a, b] = [own.accumulator({ preprocessing: "log1p" }), own.accumulator({ preprocessing: "log1p" })];
  a.add(draw(100 * 5), draw(100));
  b.add(draw(30 * 5));
  a.subtract(b);
  assert.equal(createHash("sha256").update(textOf(a)).digest("hex"),
    "96a17e35e7dbc02fc8c9b616031e62053d4310427d6cb7c5f8d3f2a62687da81");
});

test("a refused call names the place and changes nothing", () => {
  const accumulator = part(0, 100);
  const want = textOf(accumulator);
  const with_ = (rows, at, value) => Object.assign(rows.slice(), { [at]: value });
  const huge = X.slice();
  huge.fill(3e38, 8500 * d, 8501 * d);
  const few = X.subarray(0, 2 * d);
  const cases = [
    [() => accumulator.add(with_(X, 8999 * d + 3, NaN)), "ERR_NONFINITE", "X", /^X row 8999, column 3 must be finite/],
    [() => accumulator.add(with_(Float64Array.from(X), 8999 * d + 3, 1e300)), "ERR_NONFINITE", "X",
      /^X row 8999, column 3 must be within the range of float32, ±3.4028235e38, got 1e\+300$/],
    [() => accumulator.add(huge), "ERR_OVERFLOW", "X", /^X row 8500 must /],
    [() => accumulator.add(X.subarray(1)), "ERR_SHAPE", "X", /multiple of nFeatures = 7/],
    [() => accumulator.add("rows"), "ERR_PARAM", "X", /got "rows"$/],
    [() => accumulator.add(few, [1]), "ERR_SHAPE", "weights",
      /^weights must hold one number per row, 2, got length 1$/],
    [() => accumulator.add(few, []), "ERR_SHAPE", "weights", /got length 0$/],
    [() => accumulator.add(few, 2), "ERR_PARAM", "weights", /got 2$/],
    [() => accumulator.add(few, null), "ERR_PARAM", "weights", /got null$/],
    [() => accumulator.add(few, [1, NaN]), "ERR_NONFINITE", "weights",
      /^weights row 1 must be within the range of float32, ±3.4028235e38, got NaN$/],
    [() => accumulator.add(few, [1e39, 1]), "ERR_NONFINITE", "weights", /^weights row 0 must .* got 1e\+39$/],
    [() => accumulator.add(few, [1, "2"]), "ERR_PARAM", "weights", /^weights row 1 must be a number, got "2"$/],
    [() => accumulator.addFeatures(with_(new Float32Array(n * D), 8999 * D + 5, -Infinity)), "ERR_NONFINITE", "Z",
      /^Z row 8999, column 5 must be finite/],
    [() => accumulator.addFeatures(new Float32Array(D + 1)), "ERR_SHAPE", "Z",
      /multiple of nComponents = 33, got length 34$/],
    [() => accumulator.addFeatures([1]), "ERR_PARAM", "Z", /got an array of length 1$/],
    [() => accumulator.merge({}), "ERR_PARAM", "other", /^other must be an accumulator of this library/],
    [() => accumulator.merge(textOf(accumulator)), "ERR_PARAM", "other", /accumulator\(\{ from \}\)/],
    [() => map.accumulator(null), "ERR_PARAM", "options", /got null$/],
    [() => map.accumulator({ form: "" }), "ERR_PARAM", "form", /did you mean from\?$/],
    [() => map.accumulator({ preprocessing: 5 }), "ERR_PARAM", "preprocessing", /got 5$/],
  ];
  for (const [call, code, argument, message] of cases) {
    assert.equal(errorOf(call, code, argument, message).rowsDone, undefined);
  }
  assert.equal(textOf(accumulator), want);
  const product = ts.featureMap({ nFeatures: [2, 3] });
  errorOf(() => product.accumulator().add([1, 2]), "ERR_SHAPE", "X");
  product.accumulator().addFeatures(product.transformProduct([[1, 2], [1, 2, 3]]));
});

test("unlike maps, seeds and preprocessing do not merge, and the error names what differs", () => {
  const accumulator = added(X.subarray(0, d));
  const want = textOf(accumulator);
  const changes = {
    method: { method: "complex-tensor-sketch", nComponents: 34 }, nComponents: { nComponents: 34 },
    degree: { degree: 3 }, gamma: { gamma: 0.5 },
    coef0: { coef0: 2 }, normalize: { normalize: "kernel" }, output: { output: "spectrum" }, repeats: { repeats: 2 },
    hash: { seed: undefined, randomState: 5 }, seed: { seed: "5" },
  };
  for (const [argument, change] of Object.entries(changes)) {
    const other = ts.featureMap({ ...params, ...change }).accumulator();
    errorOf(() => accumulator.merge(other), "ERR_PARAM", argument);
    errorOf(() => accumulator.subtract(other), "ERR_PARAM", argument);
    errorOf(() => map.accumulator({ from: other.toJSON() }), "ERR_PARAM", argument);
  }
  errorOf(() => accumulator.merge(ts.featureMap({ ...params, seed: 6 }).accumulator()), "ERR_PARAM", "seed",
    'seed must be the same as in the sums to merge into, "5", got "6"');
  const prepared = map.accumulator({ preprocessing: "log" });
  errorOf(() => accumulator.merge(prepared), "ERR_PARAM", "preprocessing");
  errorOf(() => map.accumulator({ from: prepared.toJSON(), preprocessing: "exp" }), "ERR_PARAM", "preprocessing");
  assert.equal(map.accumulator({ from: prepared.toJSON() }).toJSON().preprocessing, "log");
  assert.equal(textOf(accumulator), want);

  const [maclaurin, other] = [2, 3].map((order) =>
    ts.featureMap({ nFeatures: d, method: "random-maclaurin", methodParams: { order } }).accumulator());
  errorOf(() => maclaurin.merge(other), "ERR_PARAM", "methodParams");
  const nystroem = ts.featureMap({ nFeatures: 1, nComponents: 2, method: "nystroem" });
  errorOf(() => nystroem.accumulator(), "ERR_PARAM", "method");
  nystroem.fit([1, 2]);
  const before = nystroem.accumulator();
  nystroem.fit([3, 4]);
  errorOf(() => before.merge(nystroem.accumulator()), "ERR_PARAM", "landmarks");
  errorOf(() => before.add([1]), "ERR_PARAM", "map");
  const kspace = ts.featureMap({ nFeatures: 1, nComponents: 1, method: "k-space" });
  kspace.fit([1, 2]);
  const first = kspace.accumulator();
  kspace.fit([3, 4, 5]);
  errorOf(() => first.merge(kspace.accumulator()), "ERR_PARAM", "projection");
});

test("files that no accumulator wrote are ERR_PARAM or ERR_SHAPE with the key", () => {
  const file = part(0, 10).toJSON();
  const sums = (text) => ({ ...file, sums: file.sums.with ? file.sums.with(0, text) : [text, ...file.sums.slice(1)] });
  const cases = [
    ["", "from"], ["[]", "from"], [null, "from"], [5, "from"], [{}, "from.format"],
    [{ ...file, format: "x" }, "from.format"],
    [{ ...file, version: 2 }, "from.version"], [{ ...file, more: 1 }, "more"], [{ ...file, model: 5 }, "from.model"],
    [{ ...file, model: null }, "from.model"],
    [{ ...file, model: { ...file.model, coef0: 2 } }, "coef0"],
    [{ ...file, model: { ...file.model, extra: 2 } }, "extra"],
    [{ ...file, preprocessing: undefined }, "from.preprocessing"], [{ ...file, count: 11 }, "from.count"],
    [{ ...file, count: 9 }, "from.count"],
    [{ ...file, count: "10" }, "from.count"], [{ ...file, rows: -1 }, "from.rows"],
    [{ ...file, rows: 2 ** 53 }, "from.rows"], [{ ...file, weight: undefined }, "weight"],
    [{ ...file, weight: 5 }, "weight"], [{ ...file, sums: undefined }, "from.sums"],
    [{ ...file, sums: file.sums.slice(1) }, "sums"],
    ...[5, null, "", "-0", "0p0", "01p0", "1", "p5", "1p", "1p-299", "1p+5", "1P5", "ABp0", "1p1000", "1p264",
      "-1p264", "1e5", "1p0 ", `${"f".repeat(700)}p-298`]
      .map((text) => [sums(text), "sums[0]"]),
  ];
  for (const [from, argument] of cases) {
    errorOf(() => map.accumulator({ from }), argument === "sums" ? "ERR_SHAPE" : "ERR_PARAM", argument);
  }
  map.accumulator({ from: sums("-1p259") });
  map.accumulator({ from: { ...file, model: Object.fromEntries(Object.entries(file.model).reverse()) } });
});

test("no more than 2^52 rows are taken", () => {
  const full = map.accumulator({ from: { ...map.accumulator().toJSON(), rows: 2 ** 52, count: 2 ** 52 } });
  full.add([]);
  errorOf(() => full.add(X), "ERR_PARAM", "rows");
  errorOf(() => full.subtract(part(0, 1)), "ERR_PARAM", "rows");
});

test("a disposed map adds no more, and its sums can still be read", async (t) => {
  const other = await loadFor(t, { threads: 0 });
  const own = other.featureMap(params);
  const accumulator = added(X, weights, own);
  const want = textOf(part(0, n));
  own.dispose();
  errorOf(() => accumulator.add(X), "ERR_DISPOSED");
  errorOf(() => accumulator.addFeatures(new Float32Array(D)), "ERR_DISPOSED");
  errorOf(() => own.accumulator(), "ERR_DISPOSED");
  assert.equal(textOf(accumulator), want);
  other.dispose();
  assert.equal(accumulator.mean().length, D);
});

test("beyond maxMemory a call is refused, and the sums are as before", async (t) => {
  const small = await loadFor(t, { threads: 0, maxMemory: 32 * 2 ** 20 });
  const wide = small.featureMap({ nFeatures: 2, nComponents: 20_000 });
  const accumulator = wide.accumulator();
  accumulator.add([1, 2]);
  const want = textOf(accumulator);
  const ballast = [];
  errorOf(() => {
    for (;;) ballast.push(small.featureMap({ nFeatures: 2, nComponents: 10_000 }));
  }, "ERR_MEMORY");
  errorOf(() => accumulator.add(new Float32Array(2000)), "ERR_MEMORY");
  assert.equal(textOf(accumulator), want);
  for (const map of ballast) map.dispose();
  accumulator.add(new Float32Array(2000));
  assert.deepEqual(accumulator.sum(), wide.accumulator({ from: want }).sum());
});

// ts.fit by people who do not know it: every method, labels and rows of other forms, labels that say nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { dist, load, rejectionOf, toCSR } from "./helper.mjs";

const { FITTED, METHODS } = await import(new URL("tables.js", dist));

let ts;
before(async () => { ts = await load({ threads: 0 }); });
after(() => ts.dispose());

/** Returns numbers from 0 to 1. */
function uniform(seed) {
  let s = seed;
  return () => (s = (s * 48271) % 2147483647) / 2147483647;
}

/** Rows of length 1, as one method wants them, with labels that say whether the first number is positive. */
function rows(n, d) {
  const u = uniform(5);
  const X = Array.from({ length: n }, () => {
    const row = Array.from({ length: d }, () => u() - 0.5);
    const length = Math.hypot(...row);
    return row.map((v) => v / length);
  });
  return [X, X.map(([first]) => (first > 0 ? "up" : "down"))];
}

test("each method learns with nothing but its name, and no default is blamed", async () => {
  const [X, y] = rows(60, 4);
  for (const method of METHODS) {
    const few = FITTED.includes(method) ? {} : { nComponents: 32 };
    for (const map of [{ method, ...few }, { method, ...few, methodParams: { kernel: "gaussian" } },
      { method, ...few, methodParams: { kernel: "exponential" } }]) {
      try {
        const model = await ts.fit(X, y, { map, search: "off" });
        assert.ok(model.evaluate(X, y).accuracy > 0.6, method);
        ts.fromJSON(JSON.stringify(model)).dispose();
        model.dispose();
      } catch (error) {
        if (!map.methodParams) throw error;
        assert.match(error.message, /kernel/, `${JSON.stringify(map)}: ${error.message}`);
      }
    }
  }
});

test("a method that is fitted to rows is fitted by prepare, and its parts merge", async () => {
  const [X, y] = rows(60, 4);
  const spec = ts.prepare(X, y, { map: { method: "nystroem", nComponents: 16 } });
  const [whole, half, rest] = [[0, 60], [0, 30], [30, 60]].map(([from, to]) => {
    const learner = ts.learner(spec);
    learner.add(X.slice(from, to), y.slice(from, to));
    return learner;
  });
  half.merge(rest);
  assert.deepEqual(half.toJSON(), whole.toJSON());
  assert.throws(() => ts.learner({ ...spec, map: { method: "nystroem", nFeatures: 4 } }), /ts\.prepare/);
});

test("what is wrong with rows and labels is named, with a remedy", async () => {
  const [X, y] = rows(20, 3);
  const task = { task: "classify" };
  await rejectionOf(ts.fit(X), "ERR_PARAM", "y", /^y is missing: give the label or number of each row/);
  await rejectionOf(ts.fit(X, undefined, task), "ERR_PARAM", "y", /^y is missing/);
  await rejectionOf(ts.fit(X, new Set(y)), "ERR_PARAM", "y", /array with the label or number of each row/);
  await rejectionOf(ts.fit(X, { labels: y }), "ERR_PARAM", "y", /array with the label or number of each row/);
  const missing = y.map((label, i) => (i === 3 ? null : label));
  const error = await rejectionOf(ts.fit(X, missing), "ERR_PARAM", "y", /leave out rows without one, in X as well/);
  assert.equal(error.row, 3);
  await rejectionOf(ts.fit([{ a: 1, b: 2 }, { a: 2, b: 1 }], ["u", "v"]), "ERR_PARAM", "y",
    /^y must be \{ label \} for rows as objects, such as ts\.fit\(rows, \{ label: "species" \}\)/);
});

test("a coin costs what a coin costs, and few rows are sure of nothing", async () => {
  const u = uniform(7);
  const g = () => Math.sqrt(-2 * Math.log(u())) * Math.cos(2 * Math.PI * u());
  for (const [n, d, loss] of [[100, 2, "squared"], [12, 10, "squared"], [12, 384, "logistic"], [400, 10, "logistic"]]) {
    const made = (count) => [Float32Array.from({ length: count * d }, g),
      Array.from({ length: count }, (_, i) => (i < 2 || u() < 0.5 ? ["a", "b"][i % 2] : "b"))];
    const fair = (count) => [made(count)[0], Array.from({ length: count }, () => (u() < 0.5 ? "a" : "b"))];
    const [X, y] = fair(n);
    const [test, truth] = fair(1000);
    const search = n === 12 ? "off" : "auto";
    const model = await ts.fit(X, y, { loss, search, map: { nComponents: 128 } });
    const { logLoss } = model.evaluate(test, truth);
    assert.ok(logLoss < 0.8, `${n} × ${d}, ${loss}: log loss ${logLoss}`);
    if (n === 12) assert.match(model.report.warnings.join("\n"), /fewer than 8 distinct rows/);
    model.dispose();
  }
});

test("a model without probabilities says why", async () => {
  const [X, y] = rows(30, 3);
  const model = await ts.fit(X, y, { folds: 0, search: "off", map: { nComponents: 16 } });
  assert.throws(() => model.probabilities(X), /no rows were held out when it was fitted; fit it with folds 1 or 5/);
  model.dispose();
});

test("what rounding cost travels with a learner, and older files do not know it", async () => {
  const [X, y] = rows(40, 3);
  const learner = ts.learner(ts.prepare(X, y, { map: { nComponents: 16 } }));
  learner.add(X, y);
  const file = learner.toJSON();
  assert.ok(file.tally.length > 500);
  assert.deepEqual(ts.learner({ from: file }).toJSON(), file);
  assert.deepEqual(ts.learner({ from: ts.learner({ from: learner.toBytes() }).toBytes() }).toJSON(), file);
  const { tally, ...older } = file;
  const read = ts.learner({ from: older });
  assert.equal(read.count, 40);
  assert.deepEqual((await read.fit()).toJSON().head.weights, (await learner.fit()).toJSON().head.weights);
  const other = ts.learner({ from: file });
  read.merge(other);
  other.merge(learner);
  other.subtract(learner);
  assert.deepEqual(other.toJSON(), file);
  assert.throws(() => ts.learner({ from: { ...file, tally: btoa("x") } }), /from\.tally must hold/);
});

test("a row far from the others is refused where the grid would round these to nothing", async () => {
  const u = uniform(9);
  const X = Array.from({ length: 300 }, (_, i) => Array.from({ length: 3 }, () => (i === 7 ? 1000 : 1) * (u() - 0.5)));
  const y = X.map(([a, b]) => (a * b > 0 ? "same" : "opposite"));
  await rejectionOf(ts.fit(X, y, { search: "off", map: { degree: 3, nComponents: 512 } }), "ERR_PARAM", "radius",
    /must be smaller: rounding .* state the length of ordinary rows/);
  const model = await ts.fit(X, y, { map: { degree: 3, nComponents: 512 }, radius: 1 });
  assert.ok(model.evaluate(X, y).accuracy > 0.8);
  model.dispose();
});

test("a number that is not finite is named with its row, column and value, however rows are looked at", async () => {
  const [X, y] = rows(60, 4), numbers = X.map(([a, b]) => a * b);
  const must = { Infinity: "be finite: remove or replace NaN and infinite values, got Infinity",
    "1e+39": "be within the range of float32, ±3.4028235e38, got 1e+39" };
  for (const row of [3, 20, 59]) {
    for (const value of [Infinity, 1e39]) {
      const wrong = X.with(row, [1, value, 1, 1]);
      const said = async (call) => {
        const error = await rejectionOf(Promise.resolve().then(call), "ERR_NONFINITE");
        assert.equal(error.message, `X row ${row}, column 1 must ${must[value]}`);
        assert.deepEqual([error.argument, error.row, error.column], ["X", row, 1]);
      };
      await said(() => ts.fit(wrong, y));
      await said(() => ts.fit(wrong, numbers, { task: "regress" }));
      await said(() => ts.fit(wrong, y, { search: "off" }));
      await said(() => ts.prepare(wrong, y, { search: "auto" }));
      await said(() => ts.prepare(wrong, y, { preparation: "qn" }));
      await said(() => ts.prepare(toCSR(wrong.flat(), 4), y, { nFeatures: 4 }));
    }
  }
  const n = 50_000; // of which a search takes 40,000
  const many = new Float32Array(n).map((_, i) => Math.sin(i * i));
  many[n - 5] = Infinity;
  const error = await rejectionOf(ts.fit(many, Array.from({ length: n }, (_, i) => i % 2 === 0), { nFeatures: 1 }),
    "ERR_NONFINITE");
  assert.deepEqual([error.argument, error.row, error.column], ["X", n - 5, 0]);
});

test("a fit that is aborted rejects with the reason, whatever it is", async () => {
  const [X, y] = rows(2000, 4);
  for (const reason of [null, undefined, 0, "enough"]) {
    for (const call of [(signal) => ts.fit(X, y, { signal }), (signal) => ts.prepare(X, y, { search: "auto", signal }),
      (signal) => ts.fit(X, y, { signal, onFirst() {} })]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 5);
      await assert.rejects(call(controller.signal), (error) => error === controller.signal.reason);
    }
  }
});

// The learner and the models of sketch/model/testdata/learned, which Go writes: every byte is the same here.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadFor } from "./helper.mjs";

const n = 600, d = 8;
const file = (name) => readFileSync(new URL(`../../sketch/model/testdata/learned/${name}`, import.meta.url), "utf8");

/** As learnedRows of sketch/model/vectors_test.go. */
function learnedRows() {
  const X = new Float32Array(n * d), labels = [], targets = [];
  for (let row = 0; row < n; row++) {
    const product = [0, 0, 0];
    for (let i = 0; i < d; i++) {
      const v = (row * row * 7919 + row * 31 * (i + 1) + i * i * 17) % 201 - 100;
      X[row * d + i] = v / 128;
      if (i < 6) product[i >> 1] = i % 2 === 0 ? v : v * Math.max(1, product[i >> 1]);
    }
    labels.push(`class ${product.indexOf(Math.max(...product))}`);
    targets.push((product[0] - product[1]) / 1024);
  }
  return { X, labels, targets };
}

const { X, labels, targets } = learnedRows();
const map = { nFeatures: d, nComponents: 24, degree: 2, coef0: 1, seed: 7 };
const textOf = (value) => `${JSON.stringify(value)}\n`;
const digestOf = (model) => `${createHash("sha256").update(JSON.stringify(model)).digest("hex")}\n`;

for (const threads of [0, 2]) {
  for (const loss of ["squared", "squared-hinge", "logistic"]) {
    test(`${loss} with ${threads} threads has the bytes of Go`, async (t) => {
      const ts = await loadFor(t, { threads });
      await ts.warm();
      const model = await ts.fit(X, labels, { map, loss, search: "off", ...(loss === "squared" ? {} : { C: 1 }) });
      assert.equal(textOf(model), file(`model-${loss}.json`));
      if (loss === "squared") return;
      assert.equal(digestOf(await ts.fit(X, labels, { map, loss })), file(`chosen-${loss}.sha256`));
    });
  }
}

for (const threads of [0, 2]) {
  test(`more features than moments take, with ${threads} threads`, async (t) => {
    const ts = await loadFor(t, { threads });
    await ts.warm();
    const rows = X.subarray(0, 60 * d);
    const large = { map: { ...map, nComponents: 4100 } };
    const logistic = await ts.fit(rows, labels.slice(0, 60), { ...large, loss: "logistic", C: 1, tolerance: 1e-3 });
    assert.equal(digestOf(logistic), file("large-logistic.sha256"));
    const regression = await ts.fit(rows, targets.slice(0, 60), { ...large, task: "regress", alpha: 2 });
    assert.equal(digestOf(regression), file("large-regress.sha256"));
  });
}

for (const threads of [0, 2]) {
  test(`kept rows with ${threads} threads have the bytes of Go`, async (t) => {
    const ts = await loadFor(t, { threads });
    await ts.warm();
    for (const keep of [0.5, 1]) {
      const options = ts.prepare(X, labels, { map, folds: 5, ...(keep < 1 ? { keep } : {}) });
      const learner = ts.learner(options);
      for (const from of [400, 0, 200]) { // in parts
        const rows = X.subarray(from * d, (from + 200) * d);
        if (from === 0) learner.add(rows, labels.slice(0, 200));
        else await learner.addAsync(rows, labels.slice(from, from + 200));
      }
      const more = ts.learner(options);
      more.add(X.map((x) => x / 2).subarray(0, 40 * d), labels.slice(0, 40));
      learner.merge(more);
      learner.subtract(more);
      if (keep < 1) {
        assert.equal(textOf(learner), file("learner-kept.json"));
        assert.equal(textOf(ts.learner({ from: file("learner-kept.json") })), file("learner-kept.json"));
        assert.deepEqual(ts.learner({ from: learner.toBytes() }).toBytes(), learner.toBytes());
      }
      const model = await learner.fit();
      assert.equal(textOf(model), file(`model-kept-${keep}.json`));
      assert.equal(textOf(ts.fromJSON(JSON.stringify(model))), textOf(model));
      const again = ts.learner({ from: JSON.stringify(learner) });
      assert.equal(textOf(await again.fit()), textOf(model));
    }
  });
}

test("a regression and a learner have the bytes of Go", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  assert.equal(textOf(await ts.fit(X, targets, { map, search: "off", task: "regress" })), file("model-regress.json"));
  const learner = ts.learner(ts.prepare(X, labels, { map }));
  learner.add(X, labels);
  assert.equal(textOf(learner), file("learner.json"));
  assert.equal(textOf(ts.learner({ from: file("learner.json") })), file("learner.json"));
  const model = ts.fromJSON(file("model-squared-hinge.json"));
  assert.equal(textOf(model), file("model-squared-hinge.json"));
  assert.ok(model.evaluate(X, labels).accuracy > 0.6);
});

/** As preparedRows of sketch/model/vectors_test.go. */
function preparedRows(form) {
  const rows = X.slice(0, 300 * d);
  for (let row = 0; row < 300 && form !== "raw"; row++) {
    if (row % 9 === 0) rows[row * d + 2] = NaN;
    rows[row * d + 4] = 1;
    rows[row * d + 7] = row % 2;
  }
  rows[d + 1] = 1e8;
  return rows;
}

for (const threads of [0, 2]) {
  for (const form of ["std", "mm", "qn", "raw", "codes"]) {
    test(`files with a preparation, ${form}, have the bytes of Go, with ${threads} threads`, async (t) => {
      const ts = await loadFor(t, { threads });
      await ts.warm();
      const rows = preparedRows(form), own = labels.slice(0, 300);
      const scores = JSON.parse(file(`prepared-${form}-scores.json`));
      for (const [name, which] of [[`prepared-${form}.json`, "model"], [`prepared-${form}-linear.json`, "linear"]]) {
        const model = ts.fromJSON(file(name));
        assert.equal(textOf(model), file(name));
        assert.deepEqual([...model.scores(rows.subarray(0, 20 * d))], scores[which]);
        assert.deepEqual([...await model.scoresAsync(rows.subarray(0, 20 * d))], scores[which]);
        assert.deepEqual(model.preparation, JSON.parse(file(name)).preparation);
        assert.equal(model.map.nFeatures, JSON.parse(file(name)).nFeatures);
      }
      const learnerFile = file(`prepared-${form}-learner.json`);
      const read = ts.learner({ from: learnerFile });
      assert.equal(textOf(read), learnerFile);
      assert.equal(textOf(await read.fit()), file(`prepared-${form}.json`));
      const { preparation } = JSON.parse(learnerFile);
      const nFeatures = JSON.parse(learnerFile).model.nFeatures;
      const spec = ts.prepare(rows, own, { map: { ...map, nFeatures }, preparation });
      const learner = ts.learner(spec);
      if (threads) await learner.addAsync(rows, own);
      else learner.add(rows, own);
      assert.equal(textOf(learner), learnerFile);
      const fitted = await ts.fit(rows, own, { map: { ...map, nFeatures }, preparation });
      assert.equal(textOf(fitted), file(`prepared-${form}.json`));
      if (form === "std" || form === "raw") { // column 7 of the others is an indicator, which no form has by name
        const own = ts.prepare(rows, labels.slice(0, 300), { map: { nComponents: 24 }, preparation: form });
        const columns = (p) => JSON.stringify(p.columns?.slice(0, 7));
        assert.equal(columns(own.preparation), columns(preparation));
        assert.equal(own.map.nFeatures, form === "raw" ? d : 8);
      }
      learner.subtract(read);
      assert.equal(learner.count, 0);
      assert.equal(JSON.parse(textOf(learner)).cut, 0);
      learner.merge(read);
      assert.equal(textOf(learner), learnerFile);
    });
  }
}

test("what a preparation may not be is an error that names its key", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const good = JSON.parse(file("prepared-qn.json"));
  const fails = (message, change) => {
    const model = structuredClone(good);
    change(model, model.preparation, model.preparation.columns[0]);
    assert.throws(() => ts.fromJSON(model), (error) => error.code === "ERR_PARAM" && error.message.includes(message)
      || assert.fail(error));
  };
  fails("model.preparation is a key of version 2, got version 1", (m) => (m.version = 1));
  fails("ascending codes", (m, p, c) => {
    c.codes = [2, 1];
    p.weights = [...p.weights, 1, 1];
    m.nFeatures += 2;
  });
  fails("codes[0] must be a finite number", (m, p, c) => (c.codes = ["1"]));
  fails('unknown key of head.report "cut"', (m) => delete m.preparation);
  fails("head is missing", (m) => delete m.head);
  fails('"head.report.cut"', (m) => delete m.head.report.cut);
  fails('model.preparation.form must be "std", "mm"', (m, p) => (p.form = "rank"));
  fails("model.preparation.unit must be true, or left out", (m, p) => (p.unit = false));
  fails("model.preparation.weights must hold one number for each prepared coordinate", (m, p) => p.weights.pop());
  fails("model.preparation.columns[0].mean must be a finite number", (m, p, c) => (c.mean = null));
  fails("model.preparation.columns[0].values must hold one number for each knot", (m, p, c) => c.values.pop());
  fails("preparation.columns[0] must have a scale > 0", (m, p, c) => (c.scale = 0));
  fails("preparation.columns[0] must have ascending knots", (m, p, c) => c.knots.reverse());
  fails("nFeatures must be the number of prepared coordinates, 9", (m, p) => {
    delete p.weights;
    p.columns.push({ indicator: true });
  });
  const model = ts.fromJSON(good);
  const row = [0, 0, NaN, 0, 1, 0, 0, 1];
  assert.equal(model.scores([row]).length, 3);
  assert.throws(() => model.scores([row.with(7, NaN)]), { code: "ERR_NONFINITE", row: 0, column: 7 });
  assert.throws(() => model.scores([row, row.with(0, Infinity)]), { code: "ERR_NONFINITE", row: 1, column: 0 });
  const { preparation } = good;
  const spec = { map: { nFeatures: 8, nComponents: 16 }, preparation, task: "classify", radius: 1 };
  assert.throws(() => ts.learner({ ...spec, private: true, classes: ["a", "b"] }), /preparation must be left out/);
  const other = { ...preparation, weights: preparation.weights.map((w) => w / 2) };
  assert.throws(() => ts.learner(spec).merge(ts.learner({ ...spec, preparation: other })),
    /preparation must be the same in all parts/);
});

test("a form by name is prepared from the rows, as in Go", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const rows = preparedRows("qn"), own = labels.slice(0, 300);
  const made = ts.prepare(rows, own, { preparation: "qn" }).preparation;
  const { preparation } = JSON.parse(file("prepared-qn.json"));
  assert.deepEqual(made.columns.slice(0, 7), preparation.columns.slice(0, 7));
  const model = await ts.fit(rows, own, { preparation: "mm", map: { nComponents: 64 } });
  assert.equal(model.preparation.form, "mm");
  assert.ok(model.report.cut >= 1);
  assert.throws(() => ts.prepare(rows, own, { preparation: "rank" }),
    /preparation must be "std", "mm", "qn", "raw" or/);
  assert.throws(() => ts.prepare(new Float32Array(80), own.slice(0, 10), { preparation: "std" }),
    /X must have a column that is not constant/);
  assert.throws(() => ts.prepare(rows, own, { preparation: "std", private: true, radius: 1, classes: ["a", "b"] }),
    /preparation must be left out for private moments/);
  assert.throws(() => ts.learner({ preparation: "std", task: "classify", radius: 1, map: { nFeatures: 8 } }),
    /preparation must be an object.*prepare/);
});

test("sparse rows of the form raw have the bits of dense ones", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const model = ts.fromJSON(file("prepared-raw.json"));
  const rows = [[0, 0.5, 0, 0, -0.25, 0, 0, 0.125], [0, 0, 0, 0, 0, 0, 0, 0]];
  const sparse = { indptr: [0, 3, 3], indices: [7, 1, 4], data: [0.125, 0.5, -0.25] };
  assert.deepEqual(model.scores(sparse), model.scores(rows));
  assert.throws(() => ts.fromJSON(file("prepared-std.json")).scores(sparse), /X must be dense for a preparation/);
});

test("a learner's file of version 1 gives the model that it gave", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const learner = ts.learner({ from: file("learner-1.json") });
  assert.equal(textOf(learner), file("learner-1.json"));
  assert.equal(textOf(await learner.fit()), file("model-squared-1.json"));
});

test("intervals hold about as many numbers as they should, and sets classes", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const numbers = await ts.fit(X, targets, { map, search: "off", task: "regress" });
  const { values, low, high } = numbers.predict(X, { interval: 0.9 });
  assert.deepEqual(values, numbers.predict(X));
  const inside = targets.filter((y, i) => low[i] <= y && y <= high[i]).length / n;
  assert.ok(inside > 0.86 && inside < 0.97, `${inside}`);
  assert.throws(() => numbers.predict(X, { interval: 1 }), { argument: "interval" });
  const classes = ts.fromJSON(file("model-kept-1.json"));
  const { labels: predicted, sets } = classes.predict(X, { interval: 0.9 });
  assert.deepEqual(predicted, classes.predict(X));
  assert.ok(sets.every((set, i) => set.includes(predicted[i])));
  assert.ok(labels.filter((label, i) => sets[i].includes(label)).length / n > 0.86);
  assert.throws(() => ts.fromJSON(file("model-squared.json")).predict(X, { interval: 0.9 }), { argument: "interval" });
});

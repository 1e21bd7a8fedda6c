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

for (const threads of [0, 2]) {
  for (const loss of ["squared", "squared-hinge", "logistic"]) {
    test(`${loss} with ${threads} threads has the bytes of Go`, async (t) => {
      const ts = await loadFor(t, { threads });
      await ts.warm();
      const model = await ts.fit(X, labels, { map, loss });
      assert.equal(textOf(model), file(`model-${loss}.json`));
    });
  }
}

for (const threads of [0, 2]) {
  test(`more features than moments take, with ${threads} threads`, async (t) => {
    const ts = await loadFor(t, { threads });
    await ts.warm();
    const rows = X.subarray(0, 60 * d);
    const digestOf = (model) => `${createHash("sha256").update(JSON.stringify(model)).digest("hex")}\n`;
    const large = { map: { ...map, nComponents: 4100 } };
    const logistic = await ts.fit(rows, labels.slice(0, 60), { ...large, loss: "logistic", tolerance: 1e-3 });
    assert.equal(digestOf(logistic), file("large-logistic.sha256"));
    const regression = await ts.fit(rows, targets.slice(0, 60), { ...large, task: "regress", alpha: 2 });
    assert.equal(digestOf(regression), file("large-regress.sha256"));
  });
}

test("a regression and a learner have the bytes of Go", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  assert.equal(textOf(await ts.fit(X, targets, { map, task: "regress" })), file("model-regress.json"));
  const learner = ts.learner(ts.prepare(X, labels, { map }));
  learner.add(X, labels);
  assert.equal(textOf(learner), file("learner.json"));
  assert.equal(textOf(ts.learner({ from: file("learner.json") })), file("learner.json"));
  const model = ts.fromJSON(file("model-squared-hinge.json"));
  assert.equal(textOf(model), file("model-squared-hinge.json"));
  assert.ok(model.evaluate(X, labels).accuracy > 0.6);
});

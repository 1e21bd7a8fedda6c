// How a file is read: typed, guessed, or kept in a model file (docs/formats.md).

import assert from "node:assert/strict";
import { test } from "node:test";
import { dist, loadFor } from "./helper.mjs";

const { loadDataset } = await import(new URL("dataset.js", dist));
const dataset = await loadDataset();
const bytes = (text) => new TextEncoder().encode(text);
const sourceOf = (text, name = "f.csv") => dataset.source(typeof text === "string" ? bytes(text) : text, { name });

/** All numbers of all rows. */
const numbers = (source, layout, prepared) => [...dataset.rows(source, layout, prepared)]
  .flatMap(({ X }) => [...(X.data ?? X)]);

test("a layout says how the file is read and what of that was guessed", () => {
  const source = sourceOf("sep=;\r\nPreis;Tag\r\n1.234,50;31.12.2026\r\n0,5;1.2.2026\r\n");
  const layout = dataset.sniff(source);
  const reading = { format: "csv", compression: "none", encoding: "utf-8", delimiter: ";", quote: "\"", decimal: ",",
    thousands: ".", header: true, dates: "day-month-year" };
  assert.deepEqual(layout.reading, reading);
  assert.deepEqual(layout.guessed, Object.keys(reading));
  assert.deepEqual(layout.columns.map(({ name, type }) => [name, type]), [["Preis", "number"], ["Tag", "date"]]);
  assert.deepEqual(dataset.sniff(source, { decimal: ",", header: true }).guessed,
    ["format", "compression", "encoding", "delimiter", "quote", "thousands", "dates"]);
  const typed = dataset.sniff(source, layout.reading);
  assert.deepEqual(typed.guessed, []);
  assert.deepEqual(typed.reading, reading);
  assert.deepEqual(typed.columns.map(({ name, type, example }) => [name, type, example]),
    [["Preis", "empty", ""], ["Tag", "empty", ""]]);
  const prepared = dataset.preprocessing({
    columns: [{ name: "Preis", role: "number" }], sparse: false, unitNorm: false,
  });
  assert.deepEqual(numbers(source, typed, prepared), [1234.5, 0.5]);
});

test("a setting that there is not, or not with that value, is refused by name", () => {
  const source = sourceOf("a,b\n1,2\n");
  for (const [reading, message] of [
    [{ encodng: "utf-8" }, /"encodng" is no setting of a reading; there are format, compression, encoding, /],
    [{ encoding: "latin-1" }, /encoding must be "utf-8", "utf-16" or "windows-1252", got "latin-1"$/],
    [{ header: "yes" }, /header must be true or false, got "yes"$/],
    [{ format: "csv", base: 0 }, /base is a setting of libsvm, and format is "csv"; leave it out$/],
    ["csv", /reading must be an object, got "csv"$/],
  ]) assert.throws(() => dataset.sniff(source, reading), { name: "DatasetError", message });
});

test("a model keeps how its file was read, and another file is read likewise", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const train = sourceOf("1 0:1 2:5\n0 1:3\n", "train.svm");
  const layout = dataset.sniff(train);
  const plan = dataset.plan(layout);
  assert.deepEqual(plan.reading, { format: "libsvm", compression: "none", encoding: "utf-8", base: 0 });
  const { model, nFeatures } = dataset.fit(train, layout, dataset.preprocessing(plan));
  assert.deepEqual([model.version, model.reading], [2, plan.reading]);
  const map = ts.fromJSON(
    JSON.stringify(ts.featureMap({ nFeatures, nComponents: 8, seed: 1 }).toJSON({ preprocessing: model })));
  assert.deepEqual(map.preprocessing, model);
  assert.throws(() => ts.fromJSON({ ...map.toJSON(), preprocessing: { ...model, reading: undefined } }),
    { argument: "preprocessing.reading" });
  assert.throws(() => ts.fromJSON({ ...map.toJSON(), preprocessing: { ...model, version: 1 } }),
    { argument: "preprocessing.reading" });
  assert.throws(() => dataset.fromModel({ ...model, reading: { ...model.reading, bas: 0 } }),
    /"bas" is no setting of a reading/);

  const preprocessing = dataset.fromModel(map.preprocessing);
  const shard = sourceOf("1 1:2 2:7\n", "shard.svm"); // no index 0
  assert.equal(dataset.sniff(shard).reading.base, 1);
  const next = dataset.sniff(shard, {}, { preprocessing });
  assert.equal(next.reading.base, 0);
  assert.ok(!next.guessed.includes("base"));
  const [{ X }] = dataset.rows(shard, next, preprocessing);
  assert.deepEqual([[...X.indices], [...X.data]], [[1, 2], [2, 7]]);
  assert.equal(dataset.sniff(shard, { base: 1 }, { preprocessing }).reading.base, 1);
});

test("a plan may name columns to be ignored; its model does not, and goes into a model file", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const { model } = dataset.preprocessing({
    columns: [{ name: "a", role: "number" }, { name: "b", role: "ignore" }], sparse: false, unitNorm: false,
  });
  assert.deepEqual(model.columns.map(({ name }) => name), ["a"]);
  const map = ts.featureMap({ nFeatures: 1, nComponents: 4, seed: 1 });
  assert.ok(ts.fromJSON(map.toJSON({ preprocessing: model })));
});

// Models with a preprocessing, and files of rows in Node: one model file gives new rows the same bits here, in the page
// (test/page/filejob_test.go) and in Go (dataset/model_test.go).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { dist, errorOf, load, sameBits } from "./helper.mjs";

const { loadDataset, DatasetError } = await import(new URL("dataset.js", dist));
const dataset = await loadDataset();
const ts = await load({ threads: 0 });
const shared = (name) => new URL(`../../dataset/testdata/${name}`, import.meta.url);
const modelText = readFileSync(shared("model.json"), "utf8");
const featuresDigest = readFileSync(shared("new-rows.sha256"), "utf8").trim();

/** The features of a source, with the map of a model. */
function featuresOf(map, file, options) {
  const source = dataset.source(file, options);
  const blocks = [];
  for (const { X } of dataset.rows(source, dataset.sniff(source), dataset.fromModel(map.preprocessing))) {
    blocks.push(Buffer.from(map.transform(X).buffer));
  }
  source.close();
  return Buffer.concat(blocks);
}

const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

test("a table gives the model file that Go writes, byte for byte, and its map new rows the same bits", () => {
  const source = dataset.source(shared("rows.csv"));
  const layout = dataset.sniff(source);
  assert.deepEqual(layout.columns.map(({ name, type }) => [name, type]), [["size", "number"], ["weight", "number"],
    ["colour", "text"], ["day", "date"], ["note", "text"], ["label", "integer"]]);
  const plan = dataset.plan(layout);
  assert.deepEqual(plan.reading, layout.reading);
  delete plan.reading; // version 1, whose files stay as they are
  const column = (name) => plan.columns.find((column) => column.name === name);
  Object.assign(column("size"), { missing: "mean", scaling: "standard" });
  Object.assign(column("weight"), { missing: "zero", scaling: "min-max" });
  Object.assign(column("colour"), { role: "category", missing: "zero" });
  Object.assign(column("day"), { role: "date", missing: "mean", scaling: "standard", parts: ["days", "year", "week"] });
  Object.assign(column("note"), { role: "words", missing: "drop", words: [1, 2], chars: [3, 3], width: 64 });
  const unfitted = dataset.preprocessing(plan);
  assert.equal(unfitted.needsFit, true);
  assert.equal(unfitted.model, undefined);
  const fitted = dataset.fit(source, layout, unfitted);
  assert.equal(fitted.counts.rows, 5);
  const map = ts.featureMap({ nFeatures: fitted.nFeatures, nComponents: 32, coef0: 1, seed: 5 });
  assert.equal(map.preprocessing, null);
  assert.equal(JSON.stringify(map.toJSON({ preprocessing: fitted.model })), modelText);
  assert.equal(JSON.stringify(map.toJSON({ preprocessing: JSON.stringify(fitted.model) })), modelText);
  assert.ok(!("preprocessing" in map.toJSON()));

  const again = ts.fromJSON(modelText);
  assert.deepEqual(again.preprocessing, fitted.model);
  assert.throws(() => again.preprocessing.columns.push({}), TypeError);
  assert.equal(JSON.stringify(again), modelText);
  assert.equal(digest(featuresOf(again, shared("new-rows.csv"))), featuresDigest);
});

test("a file is given by its path, its address, its bytes, or as what can be read at a place", (t) => {
  const map = ts.fromJSON(modelText);
  const folder = mkdtempSync(join(tmpdir(), "tensorsketch-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const bytes = readFileSync(shared("new-rows.csv"));
  const path = join(folder, "naïve name.csv");
  writeFileSync(path, bytes);
  const pieces = { size: bytes.length, read: (at, into) => bytes.copy(into, 0, at, at + Math.min(7, into.length)) };
  for (const file of [path, pathToFileURL(path), bytes, pieces]) {
    assert.equal(digest(featuresOf(map, file)), featuresDigest);
  }
  assert.equal(dataset.source(path).name, "naïve name.csv");
  assert.equal(dataset.source(pathToFileURL(path)).name, "naïve name.csv");
  assert.throws(() => dataset.source(join(folder, "none.csv")), /ENOENT/);
  assert.throws(() => dataset.source(new Blob([bytes])), /in Node a path or a file: URL$/);
});

test("columns are found by name, and the error names one that is absent", () => {
  const map = ts.fromJSON(modelText);
  const rows = readFileSync(shared("new-rows.csv"), "utf8").trimEnd().split("\n").map((line) => line.split(","));
  const write = (...names) => Buffer.from(rows
    .map((cells) => `${names.map((name) => cells[rows[0].indexOf(name)]).join(",")}\n`).join(""));
  for (const columns of [["note", "day", "label", "colour", "weight", "size"],
    ["note", "day", "colour", "weight", "size"]]) { // without its label
    assert.equal(digest(featuresOf(map, write(...columns))), featuresDigest);
  }
  assert.throws(() => featuresOf(map, write("note", "day", "colour", "size"), { name: "new.csv" }), {
    name: "DatasetError", message: 'new.csv: it has no column "weight", and the preprocessing needs it; ' +
      "rename the column or choose another file.",
  });
});

test("what is typed is not learned", () => {
  const column = { name: "a", role: "number", missing: "zero" };
  const plan = (more) => ({ columns: [{ ...column, ...more }], sparse: false, unitNorm: false });
  const typed = dataset.preprocessing(plan({ scaling: "standard", center: 2, scale: 4 }));
  assert.equal(typed.needsFit, false);
  assert.deepEqual(typed.model.columns[0], {
    name: "a", role: "number", missing: "zero", scaling: "standard", center: 2, scale: 4,
  });
  assert.equal(dataset.preprocessing(plan({ role: "category", values: ["x", "y"] })).nFeatures, 2);
  for (const [more, message] of [
    [{ scaling: "standard", center: 2 },
      'column "a": center and scale go together; give both, or neither to have them learned'],
    [{ center: 2, scale: 1 }, 'column "a": center and scale are for a column that is scaled; choose its scaling'],
    [{ scaling: "standard", center: 2, scale: 0 }, 'dataset: column "a": scale must be above 0, got 0'],
    [{ scaling: "standard", center: 2, scale: 1, missing: "mean" }, 'column "a": the mean that missing cells count ' +
      'as is learned, and center and scale are typed; choose another policy for missing cells'],
    [{ values: ["x"] }, 'column "a": values are for a category that is not hashed; leave them out'],
    [{ role: "category", hashed: 4, values: ["x"] },
      'column "a": values are for a category that is not hashed; leave them out'],
    [{ role: "category", values: ["y", "x"] }, 'dataset: column "a": ' +
      'values must be texts in increasing order of their bytes, none empty or twice, got "x" at 1'],
  ]) assert.throws(() => dataset.preprocessing(plan(more)), { name: "DatasetError", message });
});

test("a preprocessing that is none, or of rows of other lengths, is refused", () => {
  const model = JSON.parse(modelText);
  const { preprocessing } = model;
  const map = ts.featureMap({ nFeatures: model.nFeatures + 1 });
  const message = `nFeatures must be ${model.nFeatures}, as in the preprocessing, got ${model.nFeatures + 1}`;
  errorOf(() => map.toJSON({ preprocessing }), "ERR_PARAM", "nFeatures", message);
  errorOf(() => ts.fromJSON({ ...model, nFeatures: model.nFeatures + 1 }), "ERR_PARAM", "nFeatures", message);
  errorOf(() => ts.featureMap({ nFeatures: [3, 4] }).toJSON({ preprocessing }), "ERR_PARAM", "nFeatures",
    /got one per degree$/);
  const changed = (change) => {
    const copy = structuredClone(preprocessing);
    change(copy);
    return copy;
  };
  for (const [bad, argument, message] of [
    [null, "preprocessing", /^preprocessing must be an object, got null$/],
    [[], "preprocessing", /must be an object/],
    ["{", "preprocessing", /^preprocessing must be JSON: /],
    [changed((p) => { p.format = "x"; }), "preprocessing.format", /must be "tensorsketch-preprocessing", got "x"$/],
    [changed((p) => { p.version = 3; }), "preprocessing.version", /must be 1 or 2, which this release reads, got 3$/],
    [changed((p) => { p.other = 2; }), "other", /^unknown key of preprocessing "other"/],
    [changed((p) => { delete p.columns; }), "preprocessing.columns", /must be an array of columns, got undefined$/],
    [changed((p) => { p.columns[1] = 5; }), "preprocessing.columns[1]", /must be an object, got 5$/],
    [changed((p) => { p.columns[1].role = "other"; }), "preprocessing.columns[1]",
      /must be a column as dataset.js writes it/],
    [changed((p) => { p.columns[1].colour = "other"; }), "colour",
      /^unknown key of preprocessing.columns\[1\] "colour"/],
    [changed((p) => { delete p.columns[2].values; }), "preprocessing.columns[2]", /must be a column/],
    [changed((p) => { p.columns[4].width = 2.5; }), "preprocessing.columns[4]", /must be a column/],
    [changed((p) => { p.sparseWidth = 2; }), "nFeatures",
      new RegExp(`be ${model.nFeatures + 2}, .* got ${model.nFeatures}$`)],
  ]) {
    errorOf(() => ts.fromJSON({ ...model, preprocessing: bad }), "ERR_PARAM", argument, message);
    errorOf(() => ts.fromJSON(model).toJSON({ preprocessing: bad }), "ERR_PARAM", argument, message);
  }
  const misread = changed((p) => { p.columns[0].scaling = "other"; }); // which the map does not look at
  assert.throws(() => dataset.fromModel(ts.fromJSON({ ...model, preprocessing: misread }).preprocessing), DatasetError);
});

test("sums of a map with a preprocessing are compared by it", () => {
  const map = ts.fromJSON(modelText);
  const sums = map.accumulator();
  sums.add(new Float32Array(map.nFeatures).fill(1));
  const file = sums.toJSON();
  assert.equal(file.preprocessing, JSON.stringify(map.preprocessing));
  assert.ok(!("preprocessing" in file.model));
  assert.deepEqual(map.accumulator({ from: file }).sum(), sums.sum());
  const changed = JSON.parse(modelText);
  changed.preprocessing.columns[0].center = 1;
  errorOf(() => ts.fromJSON(changed).accumulator().merge(sums), "ERR_PARAM", "preprocessing");
  errorOf(() => ts.fromJSON(changed).accumulator({ from: file }), "ERR_PARAM", "preprocessing");
});

test("a keyed model holds its preprocessing, and its key only if asked for", () => {
  const { preprocessing, nFeatures } = JSON.parse(modelText);
  const key = new Uint8Array(32).fill(7);
  const map = ts.featureMap({ nFeatures, key });
  const model = map.toJSON({ preprocessing });
  assert.ok(!("key" in model));
  const back = ts.fromJSON(model, { key });
  assert.deepEqual(back.preprocessing, preprocessing);
  assert.equal(back.toJSON({ includeKey: true }).key, "07".repeat(32));
  const X = new Float32Array(nFeatures).fill(0.5);
  sameBits(back.transform(X), map.transform(X));
});

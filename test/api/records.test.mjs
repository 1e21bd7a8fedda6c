// ts.fit of rows as objects, and its models: what is said of rows that are not as they were at the fit.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dist, errorOf, load, rejectionOf } from "./helper.mjs";

const { loadDataset } = await import(new URL("dataset.js", dist));
const ts = await load({ threads: 0, dataset: loadDataset });

const rows = Array.from({ length: 120 }, (_, i) => ({
  age: 20 + (i % 50), town: ["Ulm", "Bonn"][i % 2], born: new Date(Date.UTC(2000, 0, i)), old: i % 50 >= 25,
  vote: i % 50 < 25 ? "yes" : "no",
}));
const options = { map: { nComponents: 32 }, search: "off", columns: { missing: "mean", unitNorm: false } };
const model = await ts.fit(rows, { label: "vote", ...options });

/** What a prediction says of rows: code, column and count of each note. */
function notesOf(given) {
  let said;
  model.predict(given, { onNotes: (notes) => (said = notes.map(({ code, column, count }) => [code, column, count])) });
  return said;
}

test("rows as objects are predicted, ranked and judged by their own labels", async () => {
  assert.deepEqual(model.classes, ["no", "yes"]);
  assert.deepEqual(model.predict([rows[3], rows[40]]), ["yes", "no"]);
  assert.equal(model.top([rows[3]], 1)[0][0].label, "yes");
  assert.deepEqual(await model.topAsync([rows[3]]), model.top([rows[3]]));
  const judged = model.evaluate(rows);
  assert.ok(judged.accuracy > 0.95 && judged.notes.length === 0);
  assert.deepEqual(await model.evaluateAsync(rows), judged);
  assert.deepEqual(model.evaluate(rows, rows.map(({ vote }) => vote)), judged);
  assert.equal(model.scores(rows).length, 2 * rows.length);
  assert.equal(model.cut([{ ...rows[0], age: 1000 }]), model.preparation ? 1 : 0);
  assert.deepEqual(model.report.unused, 0);
  const none = model.evaluate([]); // it was an error of y
  assert.deepEqual([none.rows, none.accuracy, await model.evaluateAsync([])], [0, NaN, none]);
});

// They were TypeErrors about "file", which no caller had named.
test("rows that are no objects are errors about rows", async () => {
  const wanted = "must be an object of columns or an array of numbers, got";
  const twice = new URLSearchParams("age=1&age=2");
  for (const [given, message] of [
    [[rows[0], null], `rows, row 2, ${wanted} null`], [[rows[0], 5], `rows, row 2, ${wanted} 5`],
    [rows[0], "rows must be an array of objects, got an object (Object): take [row] if it is a row"],
    [twice, 'rows, row 1, key "age", must have one value: delete the others'],
  ]) {
    const wrong = { name: "DatasetError", code: "ERR_PARAM", argument: "rows", message };
    assert.throws(() => model.predict(given), wrong);
    assert.throws(() => model.evaluate(given), wrong);
    await assert.rejects(model.predictAsync(given), wrong);
    await assert.rejects(ts.fit(given, { label: "vote", ...options }), wrong);
  }
});

for (const threads of [0, 2]) {
  test(`a first model of rows as objects comes before the search has ended: ${threads} threads`, async () => {
    const ts = await load({ threads, dataset: loadDataset });
    const many = Array.from({ length: 1500 }, (_, i) => rows[i % rows.length]);
    const options = { label: "vote", search: ["gaussian", "linear"], map: { nComponents: 64 } };
    let first;
    const fitted = await ts.fit(many, { ...options, onFirst: (early) => { first = early; } });
    if (threads < 2 || first) { // beside a search it may be late
      assert.equal(first.report.rows, 1000);
      assert.ok(first.evaluate(many).accuracy > 0.95 && first.report.candidates.heldOut.accuracy > 0.9);
      assert.deepEqual(first.classes, ["no", "yes"]);
      first.dispose();
    }
    assert.equal(JSON.stringify(fitted), JSON.stringify(await ts.fit(many, options)));
    ts.dispose();
  });
}

test("a first model of rows as objects: none without a search, nor of one class alone", async () => {
  const onFirst = () => assert.fail("there is a first model");
  await ts.fit(rows, { label: "vote", ...options, onFirst });
  const last = Array.from({ length: 3000 }, (_, i) => ({ ...rows[i % 120], vote: i % 3 === 1 ? "yes" : "no" }));
  const rare = await ts.fit(last, { label: "vote", search: ["linear"], map: { nComponents: 32 }, onFirst });
  assert.deepEqual(rare.classes, ["no", "yes"]);
  await rejectionOf(ts.fit(rows, { label: "vote", onFirst: 1 }), "ERR_PARAM", "onFirst");
  const wrong = new Error("of the callback");
  await assert.rejects(ts.fit(rows, { label: "vote", search: ["linear"], onFirst() { throw wrong; } }), wrong);
});

test("a file keeps the columns; another program fetches the reader when it first needs it", async () => {
  const file = JSON.stringify(model);
  assert.ok(!file.includes("notes"));
  let fetched = 0;
  const other = await load({ threads: 0, dataset: () => (fetched++, loadDataset()) });
  const read = other.fromJSON(file, { labels: ["yes", "no"] });
  assert.equal(fetched, 0);
  errorOf(() => read.predict([rows[0]]), "ERR_PARAM", "X", /dataset.wasm is there.*predictAsync/);
  assert.deepEqual(await read.predictAsync(rows), model.predict(rows));
  assert.deepEqual(read.predict([rows[0]]), ["yes"]);
  assert.equal(fetched, 1);
  errorOf(() => other.fromJSON(file, { labels: ["yes"] }), "ERR_PARAM", "labels",
    'labels must have all classes of the model, and lack "no"');
  other.dispose();
  const without = await load({ threads: 0 });
  errorOf(() => without.fromJSON(file).predict([rows[0]]), "ERR_PARAM", "X",
    /load\({ dataset: loadDataset }\)/);
  await rejectionOf(without.fit(rows, { label: "vote" }), "ERR_PARAM", "X", /tensorsketch\/dataset/);
  without.dispose();
  await rejectionOf(load({ dataset: 5 }), "ERR_PARAM", "dataset", /loadDataset/);
  const failing = await load({ threads: 0, dataset: () => Promise.reject(new Error("offline")) });
  for (let i = 0; i < 2; i++) await assert.rejects(failing.fromJSON(file).predictAsync(rows), /offline/);
  failing.dispose();
});

test("what rows lack, or have besides, is said and counted", () => {
  assert.deepEqual(notesOf([rows[0], rows[1]]), []);
  assert.deepEqual(notesOf([{ age: 30, town: "Ulm", born: "2000-01-05", old: "true", shoe: 43 }]),
    [["column-unknown", "shoe", 1]]);
  assert.deepEqual(notesOf([rows[0], { age: NaN, town: "Rom", born: rows[0].born, old: false, a: { b: 1 } }]),
    [["column-unknown", "a", 1], ["cells-replaced", "age", 1], ["category-unknown", "town", 1]]);
  assert.deepEqual(notesOf([{ age: 30, town: null, old: undefined }]),
    ["town", "born", "old"].map((key) => ["cells-replaced", key, 1]));
});

test("a model says which cells it fills or cuts, once, and names no setting of a fit", async (t) => {
  const fills = await ts.fit(rows, { label: "vote", search: ["linear"], map: { nComponents: 32 } });
  let said;
  fills.predict([{ ...rows[0], age: null }], { onNotes: (notes) => (said = notes) });
  const mean = { code: "cells-replaced", column: "age", count: 1, remedy: "learn from rows that lack some, too",
    what: '1 number of column "age" is missing and counts as the mean, since no row that the model was prepared with ' +
      "lacked one" };
  assert.deepEqual(said, [mean]);
  const beyond = { ...rows[0], age: 1e6 };
  const warn = t.mock.method(console, "warn", () => {});
  for (let i = 0; i < 2; i++) fills.predict([beyond]);
  assert.equal(fills.cut([beyond]), 1);
  assert.equal(warn.mock.callCount(), 1);
  const { notes, cut } = fills.evaluate([beyond, { ...rows[0], age: null }]);
  assert.equal(cut, 2);
  assert.deepEqual(notes, [{ code: "cells-cut", column: "age", count: 1, remedy: "check them",
    what: '1 number of column "age" lies outside the range that the model was prepared for, and counts as its end' },
  mean]);
});

test("without onNotes each note is said once on the console", (t) => {
  const warn = t.mock.method(console, "warn", () => {});
  const again = ts.fromJSON(JSON.stringify(model));
  for (let i = 0; i < 3; i++) again.predict([{ ...rows[0], shoe: 43 }]);
  assert.equal(warn.mock.callCount(), 1);
  assert.match(warn.mock.calls[0].arguments[0], /1 cell of column "shoe" is not used: the model has no such column/);
});

test("forms, maps and texts are rows", () => {
  const form = new FormData();
  for (const [key, value] of Object.entries({ age: "22", town: "Ulm", born: "2000-01-05", old: "false" })) {
    form.append(key, value);
  }
  const plain = [{ age: 22, town: "Ulm", born: new Date("2000-01-05"), old: false }];
  const want = model.scores(plain);
  for (const X of [form, [form], [new Map(form)], new URLSearchParams([...form])]) {
    assert.deepEqual(model.scores(X), want);
  }
  form.append("age", "23");
  assert.throws(() => model.predict(form), /rows, row 1, key "age", must have one value: delete the others$/);
  form.set("age", new Blob(["23"]));
  assert.throws(() => model.predict(form), /rows, row 1, key "age", must be a text, and is a file: delete the key$/);
});

test("a row that cannot be used is an error with its row, key, value and remedy", () => {
  const because = (row, message) => assert.throws(() => model.predict([rows[0], row]),
    { name: "DatasetError", message });
  because({ ...rows[0], age: "old" }, 'rows, row 2, column 1 ("age"): the value "old" is not a number; correct it, ' +
    "or use the column for something else than a number.");
  because({ ...rows[0], town: { name: "Ulm" } }, /row 2, column 2 \("town"\): the value .* is no single cell; write/);
  because({ shoe: 43 }, /row 2, key "shoe": no key of the row is a column of the model; give it the column "age"/);
  assert.throws(() => model.evaluate([{ age: 3 }]), /rows, row 1: the label is missing; correct it/);
  errorOf(() => model.importance(rows, ["yes"]), "ERR_PARAM", "X", /rows as objects/);
});

test("labels keep their type, also where the file has them as texts or numbers", async () => {
  const truth = await ts.fit(rows, { label: "old", ...options });
  assert.deepEqual(truth.classes, [false, true]);
  assert.deepEqual(truth.predict([rows[3], rows[40]]), [false, true]);
  assert.ok(truth.evaluate(rows).accuracy > 0.9);
  const coded = rows.map(({ vote, ...row }) => ({ ...row, vote: vote === "yes" ? "1" : "0" }));
  const texts = await ts.fit(coded, { label: "vote", ...options });
  assert.deepEqual(texts.predict([rows[3], rows[40]]), ["1", "0"]);
  assert.deepEqual(ts.fromJSON(JSON.stringify(texts)).classes, [0, 1]);
  assert.deepEqual(ts.fromJSON(JSON.stringify(texts), { labels: ["0", "1"] }).classes, ["0", "1"]);
  const ages = await ts.fit(rows, { label: "age", task: "regress", ...options });
  assert.ok(ages.predict([rows[0]]) instanceof Float64Array && ages.evaluate(rows).rows === 120);
});

test("a fit without the key of its labels says what to give", async () => {
  await rejectionOf(ts.fit(rows), "ERR_PARAM", "y", /ts.fit\(rows, { label: "species" }\), got undefined/);
  await rejectionOf(ts.fit(rows, rows.map(({ vote }) => vote)), "ERR_PARAM", "y", /label/);
  await rejectionOf(ts.fit(rows, {}), "ERR_PARAM", "label", /"age", "town"/);
  await assert.rejects(ts.fit(rows, { label: "voet" }), { name: "DatasetError", argument: "label",
    message: /"voet".*"vote"/ });
  await rejectionOf(ts.fit(rows, { label: "vote", serach: "off" }), "ERR_PARAM", "serach", /did you mean search/);
  const reason = new Error("enough");
  await assert.rejects(ts.fit(rows, { label: "vote", signal: AbortSignal.abort(reason) }), reason);
  await assert.rejects(ts.fit([], { label: "vote" }), { name: "DatasetError", message: /empty list; .* one row/ });
  const alone = /got an object \(Object\): take \[row\] if it is a row$/;
  await assert.rejects(ts.fit(rows[0], { label: "vote" }), { name: "DatasetError", message: alone });
  await rejectionOf(ts.fit(rows[0], {}), "ERR_PARAM", "label", /"age", "town"/);
  for (const call of ["predict", "scores", "top"]) {
    assert.throws(() => model[call](rows[0]), { name: "DatasetError", message: alone }, call);
  }
  const numbers = await ts.fit([[1, 2], [3, 4], [1, 1], [4, 4]], ["a", "b", "a", "b"], { search: "off", folds: 0 });
  errorOf(() => numbers.predict([{ x: 1 }]), "ERR_PARAM", "X", /knows no columns/);
});

test("labels of two types that a file cannot tell apart are an error, and texts of one type are not", async () => {
  const labelled = (...three) => rows.map(({ age, born }, i) => ({ age, born, vote: three[i % 3] }));
  for (const [a, b, c, got] of [[1, "1", "2", '1 and "1"'], [true, "true", "no", 'true and "true"']]) {
    await rejectionOf(ts.fit(labelled(a, b, c), { label: "vote", ...options }), "ERR_PARAM", "label",
      `label must have labels of one type, got ${got}`);
  }
  assert.deepEqual((await ts.fit(labelled("a", " a", "b"), { label: "vote", ...options })).classes, ["a", "b"]);
  const numbers = await ts.fit(labelled(1, "1", 2.5), { label: "vote", task: "regress", ...options });
  assert.equal(numbers.report.unused, 0);
});

test("a function in place of a number is not a missing cell", async () => {
  const rows = Array.from({ length: 60 }, (_, i) => ({ age: i, kind: i < 30 ? "young" : "old" }));
  const model = await ts.fit(rows, { label: "kind", search: "off", map: { nComponents: 32 } });
  for (const age of [() => 30, Symbol("30")]) {
    await assert.rejects(model.predictAsync([{ age }]), /row 1.*"age".*30.*is not a number/);
  }
  assert.equal((await model.predictAsync([{ age: 3, born: () => 2023 }]))[0], "young"); // of no column
});

test("an infinite cell is not a missing one", async () => {
  const said = /rows, row 1, column 1 \("age"\): the value "-?Infinity" is not a number; correct it/;
  for (const age of [Infinity, -Infinity]) {
    assert.throws(() => model.predict([{ ...rows[0], age }]), said);
    const fitted = await ts.fit([...rows, { ...rows[0], age }], { label: "vote", ...options });
    assert.equal(fitted.report.unused, 1);
    assert.match(fitted.report.notes[0].what, /1 row is left out, row 121, column 1 \("age"\): the value "-?Infinity"/);
  }
});

test("rows without one label that can be used are an error that says what is wrong with the first", async () => {
  for (const search of ["off", "auto"]) {
    const fitted = (vote, task) =>
      ts.fit(rows.map((row) => ({ ...row, vote })), { label: "vote", task, ...options, search });
    await assert.rejects(fitted("yes", "regress"),
      { message: /^data, row 1: none of the 120 rows can be used: "yes" is not a number; correct it, or leave/ });
    await assert.rejects(fitted(null, "classify"),
      { message: /^data, row 1: none of the 120 rows can be used: the label is missing; correct it, or leave/ });
  }
});

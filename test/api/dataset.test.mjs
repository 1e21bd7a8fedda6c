// Files of rows in Node: how a file is read (docs/formats.md), a file that changes while it is read, rows that are left
// out, what an encoder writes, and what is kept until it is closed. preprocessing.test.mjs tests what becomes of the columns.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist, load, printedBy } from "./helper.mjs";

const { isColumnar, loadDataset, DatasetError } = await import(new URL("dataset.js", dist));
const dataset = await loadDataset();
const ts = await load({ threads: 0 });
const bytesOf = (text) => new TextEncoder().encode(text);
const textOf = (bytes) => new TextDecoder().decode(bytes);

const sourceOf = (text, name = "f.csv") => dataset.source(bytesOf(text), { name });

/** A plan whose numbers are not scaled, so that nothing is to be learned. */
const asTheyAre = (plan) => ({ ...plan, columns: plan.columns.map((column) => ({ ...column, scaling: "none" })) });

/** A source with its layout and the preprocessing that this suggests. */
function opened(file, options) {
  const source = dataset.source(file, options);
  const layout = dataset.sniff(source);
  return { source, layout, prepared: dataset.preprocessing(asTheyAre(dataset.plan(layout))) };
}

const problemOf = (what, name = "rows.csv") => (error) => error instanceof DatasetError &&
  error.problem?.file === name && error.message.includes(what);

/** What a script prints that has `dataset` and collects garbage by gc(). */
const printed = (script) => printedBy(`
  const { loadDataset } = await import(${JSON.stringify(new URL("dataset.js", dist).href)});
  const dataset = await loadDataset();
  ${script}
`, "--expose-gc");

test("a file that is cut off, written to or touched while it is read ends in an error that says so", () => {
  const told = printed(`
    import { appendFileSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
    import { tmpdir } from "node:os";
    import { join } from "node:path";
    const folder = mkdtempSync(join(tmpdir(), "tensorsketch-"));
    const path = join(folder, "rows.csv");
    const text = "a,b\\n" + "1,2\\n".repeat(1e6);
    const later = new Date(Date.now() + 5000);
    for (const change of [
      () => truncateSync(path, 3e6),
      () => appendFileSync(path, "1,2\\n"),
      () => { writeFileSync(path, text); utimesSync(path, later, later); },
    ]) {
      writeFileSync(path, text);
      const source = dataset.source(path);
      const layout = dataset.sniff(source);
      const columns = ["a", "b"].map((name) => ({ name, role: "number" }));
      const rows = dataset.rows(source, layout, dataset.preprocessing({ columns, sparse: false, unitNorm: false }));
      rows.next();
      change();
      try {
        for (const block of rows);
        console.log("no error");
      } catch (error) {
        console.log(error.name, error.message);
      }
      source.close();
    }
    rmSync(folder, { recursive: true });
  `);
  const want =
    "DatasetError rows.csv: it has changed while it was read; open it again when nothing writes to it any more.";
  assert.deepEqual(told.split("\n"), [want, want, want]);
});

test("a source that has fewer bytes than its size, or reads none, is an error that says so", () => {
  const text = bytesOf(`a,b\n${"1,2\n".repeat(300_000)}`);
  const end = 4 + 4 * 200_000; // at the end of a row
  const cut = { size: text.length, read: (at, into) => copy(text.subarray(0, end), at, into) };
  function copy(from, at, into) {
    const part = from.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  }
  const { source, layout, prepared } = opened(cut, { name: "rows.csv" });
  assert.throws(() => [...dataset.rows(source, layout, prepared)],
    problemOf(`it had ${text.length} bytes when it was opened and ends after ${end}; open it again`));
  const broken = new Error("the disk is gone");
  for (const [read, cause] of [[() => { throw broken; }, broken], [() => -1], [() => NaN], [() => 1e9],
    [() => undefined]]) {
    const source = dataset.source({ size: 100, read }, { name: "rows.csv" });
    assert.throws(() => dataset.sniff(source), (error) => {
      assert.ok(error.cause === cause || error.cause instanceof TypeError, error.cause);
      return problemOf("the file can no longer be read")(error);
    });
  }
  assert.equal(opened(bytesOf("a\n1\n")).layout.columns.length, 1, "what failed before is forgotten");
});

test("every row that is left out is told, and counts hold the first 20", () => {
  const lines = Array.from({ length: 10_000 }, (_, i) => (i % 3 === 1 ? "x,y" : i % 3 === 2 ? ",1" : "1,2"));
  const { source, layout, prepared } = opened(bytesOf(`a,b\n${lines.join("\n")}\n`), { name: "rows.csv" });
  const told = [];
  let counts;
  for (const { rows } of dataset.rows(source, layout, prepared, (now) => (counts = now),
    { onProblem: (problem) => told.push(problem) })) {
    assert.ok(rows > 0);
  }
  assert.equal(counts.rows + told.length, 10_000);
  assert.equal(counts.unused, told.length);
  assert.equal(counts.first.length, 20);
  assert.deepEqual(told.map(({ row }) => row).sort((a, b) => a - b),
    lines.flatMap((line, i) => (line === "1,2" ? [] : [i + 2])));
  assert.deepEqual(told.find(({ row }) => row === 3), { file: "rows.csv", row: 3, where: 'line 3, column 1 ("a")',
    what: '"x" is not a number', remedy: told.find(({ row }) => row === 3).remedy });
  const stop = new Error("the disk is full");
  assert.throws(() => [...dataset.rows(source, layout, prepared, undefined, { onProblem() { throw stop; } })], stop);
  assert.equal([...dataset.rows(source, layout, prepared)].length > 0, true, "and it can be read again");
});

test("an encoder writes the place of each row first where that is asked for, and labels alone beside a .npy", () => {
  const { source, layout, prepared } = opened(bytesOf('a,row,label\n1,"x, y",p\n\n,u,q\n2,z,r\n'),
    { name: "rows.csv" });
  const plan = asTheyAre(dataset.plan(layout));
  plan.columns[0].missing = "drop";
  const [block] = dataset.rows(source, layout, dataset.preprocessing(plan));
  assert.deepEqual([...block.places], [2, 5]);
  assert.deepEqual(prepared.cells, ["label", "row"]);
  const Z = Float32Array.of(0.5, 1, 2, 3);
  const written = (format, cells, nComponents, options, Z, block) => {
    const encoder = dataset.encoder(format, cells, nComponents, options);
    const bytes = encoder.encode(Z, block);
    const text = textOf(encoder.header) + textOf(bytes) + textOf(encoder.finish(2).footer);
    encoder.close();
    return text;
  };
  assert.equal(written("csv", prepared.cells, 2, { rowNumbers: true }, Z, block),
    'row,label,row (2),f0,f1\n2,p,"x, y",0.5,1\n5,r,z,2,3\n');
  assert.equal(written("csv", prepared.cells, 2, {}, Z, block), 'label,row,f0,f1\np,"x, y",0.5,1\nr,z,2,3\n');
  assert.equal(written("jsonl", ["label", "row"], 2, { rowNumbers: true }, Z, block),
    '{"row":2,"label":"p","row (2)":"x, ' +
      'y","features":[0.5,1]}\n{"row":5,"label":"r","row (2)":"z","features":[2,3]}\n');
  assert.equal(written("csv", prepared.cells, 0, { rowNumbers: true }, new Float32Array(0), block),
    'row,label,row (2)\n2,p,"x, y"\n5,r,z\n');
  assert.equal(written("jsonl", [], 0, { rowNumbers: true }, new Float32Array(0),
    { ...block, cells: new Uint8Array(0), offsets: new Int32Array(0) }), '{"row":2}\n{"row":5}\n');
  assert.throws(() => dataset.encoder("npy", ["label"], 2),
    /write labels and kept columns beside it, as CSV or JSON Lines with row numbers and nComponents 0/);
  assert.throws(() => dataset.encoder("npy", [], 2, { rowNumbers: true }),
    /npy has no place for the number of a row; write them beside it/);
  assert.throws(() => dataset.encoder("csv", ["a"], 0), /nComponents must be from 1 to/);
  assert.throws(() => written("csv", [], 2, { rowNumbers: true }, Z, { cells: block.cells, offsets: block.offsets }),
    /places must have one number for each of the 2 rows, got 0/);
});

test("what is kept is closed once, and is not taken for another", async () => {
  const { source, layout, prepared } = opened(bytesOf("a,b\n1,2\n3,4\n"));
  const fitted = dataset.fit(source, layout, prepared);
  prepared.close();
  assert.equal([...dataset.rows(source, layout, fitted)][0].rows, 2,
    "what was learned stands without what it was learned from");
  layout.close();
  layout.close();
  assert.throws(() => dataset.plan(layout), { name: "TypeError", message: "layout was closed: make it again" });
  assert.throws(() => [...dataset.rows(source, dataset.sniff(source), prepared)], /preprocessing was closed/);
  assert.throws(() => dataset.plan(fitted), {
    message: "layout must be a Layout, as this module gives it, got object",
  });
  assert.throws(() => dataset.plan(null), /got null/);
  const other = await loadDataset();
  assert.throws(() => other.plan(dataset.sniff(source)), /layout belongs to another Dataset/);
  const encoder = dataset.encoder("csv", [], 1);
  dataset.close(encoder);
  assert.throws(() => encoder.finish(1), /encoder was closed/);
  if (Symbol.dispose) fitted[Symbol.dispose]();
});

test("layouts that nothing refers to are forgotten", () => {
  assert.equal(printed(`
    let closed = 0;
    dataset.close = () => closed++; // by which that happens
    const source = dataset.source(new TextEncoder().encode("a,b\\n1,2\\n"));
    for (let i = 0; i < 20; i++) dataset.sniff(source);
    for (let i = 0; i < 100 && closed < 15; i++) {
      gc();
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    console.log(closed >= 15);
  `), "true");
});

test("the first sheet of a workbook is read by the columnar build", async () => {
  const bytes = readFileSync(new URL("../../dataset/columnar/testdata/openpyxl-1904.xlsx", import.meta.url));
  const options = { name: "f.xlsx" };
  assert.throws(() => dataset.sniff(dataset.source(bytes, options)), { name: "DatasetError", columnar: true });
  const columnar = await loadDataset({ columnar: isColumnar("xlsx") });
  const source = columnar.source(bytes, options);
  const layout = columnar.sniff(source);
  assert.deepEqual(layout.reading, { format: "xlsx", compression: "none", header: true });
  const columns = [{ name: "width", role: "number" }, { name: "day", role: "date", missing: "zero" }];
  const [block] = columnar.rows(source, layout, columnar.preprocessing({ columns, sparse: false, unitNorm: false }));
  assert.deepEqual([block.rows, ...block.X.subarray(0, 4)], [7, 0.5, 19780, 1.5, 19781]);
  assert.deepEqual([...block.places], [2, 3, 4, 5, 6, 7, 12]);
});

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
  assert.deepEqual([...dataset.rows(source, typed, prepared)].flatMap(({ X }) => [...X]), [1234.5, 0.5]);
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

test("a model keeps how its file was read, and another file is read likewise", () => {
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

test("a plan may name columns to be ignored; its model does not, and goes into a model file", () => {
  const { model } = dataset.preprocessing({
    columns: [{ name: "a", role: "number" }, { name: "b", role: "ignore" }], sparse: false, unitNorm: false,
  });
  assert.deepEqual(model.columns.map(({ name }) => name), ["a"]);
  const map = ts.featureMap({ nFeatures: 1, nComponents: 4, seed: 1 });
  assert.ok(ts.fromJSON(map.toJSON({ preprocessing: model })));
});

// Files of rows in Node: how a file is read (docs/formats.md), a file that changes while it is read, rows that are left
// out, what an encoder writes, and what is kept until it is closed. Models with a preprocessing: one model file gives
// new rows the same bits here, in the page (test/page/filejob_test.go) and in Go (dataset/model_test.go).

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { dist, errorOf, load, printedBy, sameBits } from "./helper.mjs";

const { fit, isColumnar, loadDataset, DatasetError } = await import(new URL("dataset.js", dist));
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

const shared = (name) => new URL(`../../dataset/testdata/${name}`, import.meta.url);
const modelText = readFileSync(shared("model.json"), "utf8");
const featuresDigest = readFileSync(shared("new-rows.sha256"), "utf8").trim();

/** The numbers and the texts of a source, as they stand. */
function contentOf(source) {
  const layout = dataset.sniff(source);
  const plan = asTheyAre(dataset.plan(layout));
  plan.columns.filter(({ name }) => name === "town").forEach((column) => { column.role = "keep"; });
  const found = { X: [], cells: [] };
  for (const block of dataset.rows(source, layout, dataset.preprocessing(plan))) {
    found.X.push(...block.X);
    if (block.offsets.length > 1) found.cells.push(...dataset.texts(block));
  }
  return found;
}

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
  const lines = Array.from({ length: 10_000 }, (_, i) => (i % 3 === 1 ? "x,y" : i % 3 === 2 ? ",1" : `${i},2`));
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
    lines.flatMap((line, i) => (line.endsWith(",2") ? [] : [i + 2])));
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
  assert.deepEqual([dataset.texts(block), dataset.texts(block, 1)], [["p", "r"], ["x, y", "z"]]);
  assert.throws(() => dataset.texts(block, 2), /k must be from 0 to 1, as each row has 2 cells, got 2/);
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

test("a sheet of a workbook is read by the columnar build; its name or number chooses another", async () => {
  const bytes = readFileSync(new URL("../../dataset/columnar/testdata/openpyxl-1904.xlsx", import.meta.url));
  const options = { name: "f.xlsx" };
  assert.throws(() => dataset.sniff(dataset.source(bytes, options)), { name: "DatasetError", columnar: true });
  const columnar = await loadDataset({ columnar: isColumnar("xlsx") });
  const source = columnar.source(bytes, options);
  const layout = columnar.sniff(source);
  assert.deepEqual(layout.reading, { format: "xlsx", compression: "none", header: true, sheet: "Rows" });
  const columns = [{ name: "width", role: "number" }, { name: "day", role: "date", missing: "zero" }];
  const [block] = columnar.rows(source, layout, columnar.preprocessing({ columns, sparse: false, unitNorm: false }));
  assert.deepEqual([block.rows, ...block.X.subarray(0, 4)], [7, 0.5, 19780, 1.5, 19781]);
  assert.deepEqual([...block.places], [2, 3, 4, 5, 6, 7, 12]);
  assert.deepEqual(layout.notes.map(({ code, what }) => [code, what]), [
    ["part-chosen", 'sheet "Rows" is read, and not "Other"'],
    ["cells-replaced",
      'column "kind" has 1 cell with an error such as #N/A in the first 8 rows, which count as missing'],
    ["label-guessed", 'column "kind" is taken as the label, because it is the last text of few different values'],
    ["column-not-used", 'column "day" is not used: 2 of the first 8 cells are empty or no dates'],
    ["column-not-used", 'column "at" is not used: 2 of the first 8 cells are empty or no dates'],
  ]);
  for (const sheet of [2, "Other"]) {
    const { columns } = columnar.sniff(source, { sheet, header: false });
    assert.deepEqual(columns.map(({ example }) => example), ["not", "this"]);
  }
  assert.throws(() => columnar.sniff(source, { sheet: "x" }),
    /it has no sheet "x"; set sheet to one of "Rows", "Other"/);
});

test("lines around a table are guessed with a note, or typed; without a column of numbers the error says why", () => {
  const guessed = dataset.sniff(sourceOf("Sensors\nin May\n\na,b\n1.5,2\n3,4\n"));
  assert.equal(guessed.reading.skip, 3);
  assert.ok(guessed.guessed.includes("skip"));
  assert.deepEqual(guessed.notes.map(({ code, count }) => [code, count]), [["lines-skipped", 3]]);
  const source = sourceOf("x\ny\na,b\nr,1,2\n// no\ns,3,4\n");
  const typed = dataset.sniff(source, { skip: 2, comment: "//", rownames: true });
  assert.deepEqual(typed.columns.map(({ name }) => name), ["column 1", "a", "b"]);
  const numbers = dataset.preprocessing({ columns: [{ name: "b", role: "number" }], sparse: false, unitNorm: false });
  assert.deepEqual([...[...dataset.rows(source, typed, numbers)][0].X.subarray(0, 2)], [2, 4]);
  assert.throws(() => dataset.sniff(source, { skip: -1 }), /skip must be a number of lines from 0 to 1000000, got -1/);
  const names = sourceOf("who\nanna\nbob\nzoe\n");
  const layout = dataset.sniff(names, { header: true });
  assert.throws(() => [...dataset.rows(names, layout, dataset.preprocessing(dataset.plan(layout)))],
    { name: "DatasetError", message: /no column becomes a number: "who" \(.*\); give a column the role number/ });
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
  // TestReadingErrors of package dataset has the others.
  assert.throws(() => dataset.sniff(source, "csv"), {
    name: "DatasetError", message: /reading must be an object, got "csv"$/,
  });
});

test("a model keeps how its file was read, and another file is read in the same way", () => {
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
  assert.throws(() => dataset.source(new Blob([bytes])), /sourceAsync\(file\), or read it in a worker of a browser$/);
});

test("a file is given in any form that is at hand", () => {
  const text = "age,town\n33,Ulm\n21,Bonn\n";
  const bytes = bytesOf(text), within = new Uint8Array(bytes.length + 9), common = new SharedArrayBuffer(bytes.length);
  within.set(bytes, 5);
  new Uint8Array(common).set(bytes);
  const want = contentOf(dataset.source(bytes));
  assert.deepEqual(want.cells, ["Ulm", "Bonn"]);
  for (const file of [bytes.buffer, common, new Uint8Array(common), new DataView(within.buffer, 5, bytes.length), text,
    new Int8Array(within.buffer, 5, bytes.length), [{ age: 33, town: "Ulm" }, { town: "Bonn", age: 21n }]]) {
    assert.deepEqual(contentOf(dataset.source(file)), want);
  }
  const lists = contentOf(dataset.source([[1, 2], Float32Array.of(3, NaN), [5, 6]]));
  assert.deepEqual(lists, { X: [1, 2, 5, 6], cells: [] }, "NaN is missing, and its row dropped");
  const [date] = dataset.sniff(dataset.source([{ day: new Date(0) }, { day: new Date(1e11) }])).columns;
  assert.deepEqual([date.name, date.type], ["day", "date"]);
});

test("a file that comes by and by is taken whole", async () => {
  const text = "age,town\n33,Ulm\n21,Bonn\n";
  const want = contentOf(dataset.source(bytesOf(text)));
  async function* parts(...all) {
    yield* all;
  }
  const answer = Object.defineProperty(new Response(text), "url", { value: "https://x.org/a/f%C3%BCnf.csv?v=1" });
  for (const file of [answer.clone(), new Blob([text]).stream(), new Blob([text]), new File([text], "f.csv"),
    Promise.resolve(bytesOf(text)), parts(text.slice(0, 11), bytesOf(text.slice(11))), Readable.from([text]), text,
    parts({ age: 33, town: "Ulm" }, { age: 21, town: "Bonn" }), bytesOf(text)]) {
    assert.deepEqual(contentOf(await dataset.sourceAsync(file)), want);
  }
  const lists = await dataset.sourceAsync(parts([1, 2], Float32Array.of(3, 4)));
  assert.deepEqual(contentOf(lists), { X: [1, 2, 3, 4], cells: [] });
  await assert.rejects(dataset.sourceAsync(parts({ age: 1 }, null)),
    /^TypeError: file, row 2, must be an object .*got null/);
  assert.equal((await dataset.sourceAsync(answer)).name, "fünf.csv");
  assert.equal((await dataset.sourceAsync(new File([text], "50%25.csv"))).name, "50%25.csv");
  assert.equal((await dataset.sourceAsync(new Response(text), { name: "h.csv" })).name, "h.csv");
  await assert.rejects(dataset.sourceAsync(new Response("no", { status: 404, statusText: "Not Found" })),
    { message: "file must be an answer with a file, got 404 Not Found" });
  await assert.rejects(dataset.sourceAsync(answer), /Body|locked|disturbed|used/i, "its body was read before");
  const controller = new AbortController();
  async function* endless() {
    for (;;) {
      controller.abort("enough");
      yield text;
    }
  }
  await assert.rejects(dataset.sourceAsync(endless(), { signal: controller.signal }), (reason) => reason === "enough");
});

test("parts may end anywhere, and be in memory that is used again", async () => {
  const text = "name,x\r\n\"a 😀 \r\n b\",1\r\nü,2\r\n", bytes = bytesOf(text);
  const want = contentOf(dataset.source(bytes, { name: "f.csv" }));
  async function* reused(memory) {
    for (const byte of bytes) {
      new Uint8Array(memory.buffer ?? memory)[0] = byte;
      yield memory;
    }
  }
  const halves = (async function* () { yield* text.split(""); })(); // also of letters
  for (const file of [halves, reused(new Uint8Array(1)), reused(Buffer.from(new ArrayBuffer(1))),
    reused(new DataView(new ArrayBuffer(1))), reused(new ArrayBuffer(1)),
    reused(new Uint8Array(new SharedArrayBuffer(1)))]) {
    assert.deepEqual(contentOf(await dataset.sourceAsync(file, { name: "f.csv" })), want);
  }
  const row = new Float32Array(2);
  const rows = (async function* () { for (row[0] = 1; row[0] < 4; row[0]++) yield row; })();
  assert.deepEqual(contentOf(await dataset.sourceAsync(rows)).X, [1, 0, 2, 0, 3, 0]);
  const bad = (async function* () { yield* [text, 5]; })();
  await assert.rejects(dataset.sourceAsync(bad), { name: "TypeError",
    message: "file part 1 must be bytes, a text or a row, got 5" });
  const locked = new Blob([text]).stream();
  locked.getReader();
  const used = new Response(text);
  await used.text();
  for (const file of [locked, used]) {
    await assert.rejects(dataset.sourceAsync(file), { name: "TypeError",
      message: /^file must be a stream that nobody reads, or has read \(locked or used\), got an object/ });
  }
});

test("options of loadDataset and of sources that are wrong are named", async () => {
  for (const [options, argument, message] of [
    [null, "options", /^options must be a plain object, got null/],
    [{ columner: true }, "columner", 'unknown option "columner"; did you mean columnar?'],
    [{ columnar: 1 }, "columnar", "columnar must be true or false, got 1"],
    [{ url: 5 }, "url", "url must be the address of dataset.wasm, got 5"],
    [{ wasmBinary: "dataset.wasm" }, "wasmBinary", 'wasmBinary must be the bytes of dataset.wasm, got "dataset.wasm"'],
    [{ wasmBinary: null }, "wasmBinary", "wasmBinary must be the bytes of dataset.wasm, got null"],
    [{ signal: 5 }, "signal", "signal must be an AbortSignal, got 5"],
    [{ onProgress: 5 }, "onProgress", "onProgress must be a function, got 5"],
  ]) {
    await assert.rejects(loadDataset(options), { name: "TensorSketchError", code: "ERR_PARAM", argument, message });
  }
  await assert.rejects(loadDataset({ wasmBinary: new Uint8Array(9) }), { code: "ERR_LOAD",
    message: /^cannot load wasmBinary: .*; give the bytes of dataset.wasm as they are$/ });
  const aborted = AbortSignal.abort("enough");
  await assert.rejects(loadDataset({ signal: aborted }), (reason) => reason === "enough");
  const file = "a,b\n1,2\n";
  for (const [options, argument, message] of [
    [null, "options", "options must be a plain object, got null"],
    [{ nam: "a.csv" }, "nam", 'unknown option "nam"; did you mean name?'],
    [{ name: 5 }, "name", "name must be a text, got 5"],
    [{ onRead: 5 }, "onRead", "onRead must be a function, got 5"],
  ]) {
    const want = { name: "TensorSketchError", code: "ERR_PARAM", argument, message };
    assert.throws(() => dataset.source(file, options), want);
    await assert.rejects(dataset.sourceAsync(file, options), want);
  }
});

test("an abort ends the waiting for what does not come, and cancels its stream", { timeout: 20_000 }, async () => {
  const ts = await load({ threads: 0 });
  let cancelled = [];
  const stream = () => new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode("a,b\n")),
    cancel: (reason) => { cancelled.push(reason); },
  });
  const never = () => new Promise(() => {});
  const parts = async function* () {
    yield Uint8Array.of(97, 10);
    await never();
  };
  const opened = (file, options) => ts.index.from(file, options);
  const calls = [(...given) => dataset.sourceAsync(...given), (...given) => fit(ts, ...given), opened];
  for (const [call, after] of calls.flatMap((call) => [[call, 20], [call, 0]])) { // before anything is read, too
    cancelled = [];
    for (const file of [stream(), new Response(stream()), parts(), ...(call === opened ? [] : [never()])]) {
      const controller = new AbortController();
      const pending = call(file, { signal: controller.signal });
      setTimeout(() => controller.abort("enough"), after);
      await assert.rejects(pending, (reason) => reason === "enough");
    }
    assert.deepEqual(cancelled, ["enough", "enough"]);
    await assert.rejects(call(stream(), { signal: {} }), { message: /^signal must be an AbortSignal, got an object/ });
  }
  ts.dispose();
});

test("what is no file, source or format is named, with what is wanted", () => {
  const cyclic = { age: 21 };
  cyclic.self = cyclic;
  const kinds = /^file must be a File, bytes, a path or file: URL, .* an array of rows or .*, got /;
  for (const [file, message] of [
    [undefined, kinds], [null, kinds], [5, kinds], [{}, kinds], [new Float64Array(3), /got Float64Array of 24 bytes$/],
    [[1, 2], /^file, row 1, must be an object of columns or an array of numbers, got 1$/],
    [{ age: 33 }, /got an object \(Object\): take \[row\] if it is a row$/],
    [new Set([{ age: 33 }]), /got an object \(Set\): take \[\.\.\.rows\]$/],
    [[{ age: 33 }, cyclic], new RegExp('^file, row 2, key "self", must be a number, a text, true, false or a Date, ' +
      "got an object \\(Object\\), which JSON cannot hold \\(Converting circular .* to JSON\\): leave the key out$")],
    [[{ age: 33, no: { toJSON() { throw new Error("mine"); } } }], /row 1, key "no", .*cannot hold \(mine\): leave/],
    [new Response("a\n1"), /^file must be at hand, got an object \(Response\): take await dataset\.sourceAsync/],
    [new Blob(["a\n1"]), /sourceAsync\(file\), or read it in a worker of a browser$/],
    [new URL("https://x.org/rows.csv"), /a Response, to await dataset\.sourceAsync\(response\)$/],
    ["https://x.org/rows.csv", /^file must be at hand, got https:\/\/x\.org\/rows\.csv: give what the server answers/],
  ]) {
    assert.throws(() => dataset.source(file), { name: "TypeError", message });
  }
  for (const source of [undefined, null, "rows.csv", {}]) {
    assert.throws(() => dataset.sniff(source), /^TypeError: source must be what dataset\.source\(file\) returns, got /);
  }
  assert.throws(() => dataset.encoder("feather", [], 10),
    { message: /format must be one of csv, jsonl, libsvm, npy, parquet, arrow, got "feather"$/ });
  assert.throws(() => dataset.fromModel(null), { name: "DatasetError", message: /^preprocessing must come from a/ });
});

test("a plan takes roles by name", () => {
  const layout = dataset.sniff(sourceOf("age,town,town\n33,Ulm,a\n21,Bonn,b\n"));
  const suggested = dataset.plan(layout), { columns } = dataset.plan(layout, { age: "label", town: "ignore" });
  assert.deepEqual(columns.map(({ role }) => role), ["label", "ignore", suggested.columns[2].role]);
  const texts = dataset.sniff(sourceOf("kind,x\na,1\nb,2\na,3\nb,4\n")); // a category, whose missing cells are 0
  for (const [role, nFeatures] of [["keep", 1], ["words", 2 ** 18 + 1], ["ignore", 1]]) {
    assert.equal(dataset.preprocessing(dataset.plan(texts, { kind: role, x: "number" })).nFeatures, nFeatures, role);
  }
  assert.throws(() => dataset.preprocessing(dataset.plan(layout, { age: "numeric" })), { name: "DatasetError",
    message: 'column "age": role must be one of number category date words label keep ignore, got "numeric"' });
  assert.throws(() => dataset.plan(layout, { Town: "label" }), { name: "DatasetError",
    message: `roles must name columns of the file, which are ${suggested.columns.map(({ name }) =>
      JSON.stringify(name)).join(", ")}, got "Town"` });
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
    [{ scaling: "standard", center: 2, scale: 0 }, 'column "a": scale must be above 0, got 0'],
    [{ scaling: "standard", center: 2, scale: 1, missing: "mean" }, 'column "a": the mean that missing cells count ' +
      'as is learned, and center and scale are typed; choose another policy for missing cells'],
    [{ values: ["x"] }, 'column "a": values are for a category that is not hashed; leave them out'],
    [{ role: "category", hashed: 4, values: ["x"] },
      'column "a": values are for a category that is not hashed; leave them out'],
    [{ role: "category", values: ["y", "x"] }, 'column "a": ' +
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
    [null, "preprocessing", /^preprocessing must be a plain object, got null$/],
    [[], "preprocessing", /must be a plain object/],
    ["{", "preprocessing", /^preprocessing must be JSON: /],
    [changed((p) => { p.format = "x"; }), "preprocessing.format", /must be "tensorsketch-preprocessing", got "x"$/],
    [changed((p) => { p.version = 6; }), "preprocessing.version",
      /must be 1 to 5, which this release reads, got 6$/],
    [changed((p) => { p.other = 2; }), "other", /^unknown key of preprocessing "other"/],
    [changed((p) => { delete p.columns; }), "preprocessing.columns", /must be an array of columns, got undefined$/],
    [changed((p) => { p.columns[1] = 5; }), "preprocessing.columns[1]", /must be a plain object, got 5$/],
    [changed((p) => { p.columns[1].role = "other"; }), "preprocessing.columns[1]",
      /must be a column as dataset.js writes it/],
    [changed((p) => { p.columns[1].colour = "other"; }), "colour",
      /^unknown key of preprocessing.columns\[1\] "colour"/],
    [changed((p) => { delete p.columns[2].values; }), "preprocessing.columns[2]", /must be a column/],
    [changed((p) => { p.columns[4].width = 2.5; }), "preprocessing.columns[4]", /must be a column/],
    [changed((p) => { p.version = 3; p.columns[2].other = true; }), "nFeatures", // one more coordinate
      new RegExp(`be ${model.nFeatures + 1}, .* got ${model.nFeatures}$`)],
    [changed((p) => { p.sparseWidth = 2; }), "nFeatures",
      new RegExp(`be ${model.nFeatures + 2}, .* got ${model.nFeatures}$`)],
  ]) {
    errorOf(() => ts.fromJSON({ ...model, preprocessing: bad }), "ERR_PARAM", argument, message);
    errorOf(() => ts.fromJSON(model).toJSON({ preprocessing: bad }), "ERR_PARAM", argument, message);
  }
  const misread = changed((p) => { p.columns[0].scaling = "other"; }); // which the map does not look at
  assert.throws(() => dataset.fromModel(ts.fromJSON({ ...model, preprocessing: misread }).preprocessing), DatasetError);
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

test("labels are decided as the command line does, and notes say what is not used", () => {
  const source = sourceOf("a,name,y\n1,u,1.0\n2,v,2.0\n3,w,\n4,x,1\n");
  const layout = dataset.sniff(source);
  assert.deepEqual(layout.notes.map(({ code, column }) => [code, column]),
    [["label-guessed", "y"], ["column-not-used", "name"]]);
  const prepared = dataset.preprocessing(asTheyAre(dataset.plan(layout)));
  const labels = dataset.labels(layout, prepared);
  const read = [];
  let counts;
  for (const block of dataset.rows(source, layout, prepared, (told) => (counts = told))) {
    const { task, numbers, different, unlabelled } = labels.see(dataset.texts(block), block.places);
    assert.deepEqual([task, numbers, different, unlabelled], ["classify", true, 2, 1]);
    read.push(...labels.read(dataset.texts(block)));
    assert.deepEqual([...labels.numbers(dataset.texts(block))], [1, 2, NaN, 1]);
  }
  assert.deepEqual(read, [1, 2, null, 1]);
  assert.deepEqual(counts.notes, layout.notes);
  assert.deepEqual(labels.notes().map(({ what }) => what), ["1 row is left out, line 4: the label is missing"]);
  const known = dataset.labels(layout, prepared, { classes: ["007", 1, "red"] });
  assert.deepEqual(known.read(["007", "1", "red", "1.0", "7"]), ["007", 1, "red", "1.0", 7]);
  assert.deepEqual(known.notes().map(({ count, what }) => [count, what]), [[2,
    '2 rows have labels that the model does not know, such as "1.0" and "7"']]);
  known.close();
  assert.throws(() => known.read([]), /labels was closed/);
  source.close();
});

test("rows that cannot be used hold their places where that is asked for", () => {
  const source = sourceOf("a,b\n1,2\n,3\n4\n5,6\n");
  const layout = dataset.sniff(source);
  const prepared = dataset.preprocessing(asTheyAre(dataset.plan(layout)));
  const why = new Map();
  let counts;
  const blocks = [...dataset.rows(source, layout, prepared, (told) => (counts = told),
    { holdPlaces: true, onProblem: ({ row, what }) => why.set(row, what) })];
  assert.deepEqual([...blocks[0].places], [2, 3, 4, 5]);
  assert.deepEqual([...blocks[0].X], [1, 2, 0, 0, 0, 0, 5, 6]);
  assert.deepEqual([...why.keys()].sort(), [3, 4]);
  assert.deepEqual([counts.rows, counts.unused], [2, 2]);
  assert.ok(counts.notes.every(({ what }) => /^1 row has no answer, line [34]/.test(what)));
  source.close();
});

test("an argument of a Dataset that is missing, or of another kind, is named", async () => {
  const { source, layout, prepared } = opened("a,b\n1,2\n2,3\n");
  const [block] = dataset.rows(source, layout, prepared), plan = dataset.plan(layout), options = "options";
  const model = await fit(ts, [{ a: 1, k: "x" }, { a: 2, k: "y" }], { label: "k", search: "off", dataset })
    .then((fitted) => fitted.model);
  for (const [argument, call, got] of [
    ["block", () => dataset.texts(), "undefined"],
    ["block", () => dataset.texts({ rows: 2 }), "an object (Object)"],
    ["block", () => dataset.texts({ ...block, offsets: [0, 1] }), "an object (Object)"],
    ["release", () => dataset.misfit(), "undefined"],
    ["release", () => dataset.misfit(null), "null"],
    ["roles", () => dataset.plan(layout, null), "null"],
    ["roles", () => dataset.plan(layout, new Map([["a", "label"]])), "an object (Map)"],
    ["plan", () => dataset.preprocessing(), "undefined"],
    ["plan", () => dataset.preprocessing(prepared.model.columns), "an array of length 2"],
    ["model", () => dataset.onnx(), "undefined"],
    ["model", () => dataset.onnx(Promise.resolve(model)), "an object (Promise)"],
    ["model", () => dataset.onnx(new Response(model)), "an object (Response)"],
    ["model", () => dataset.onnx(bytesOf(model)), `Uint8Array of ${model.length} bytes`],
    [options, () => dataset.sniff(source, {}, null), "null"],
    [options, () => dataset.labels(layout, prepared, null), "null"],
    [options, () => dataset.encoder("csv", [], 2, null), "null"],
    [options, () => [...dataset.rows(source, layout, prepared, undefined, null)], "null"],
    ["onState", () => [...dataset.rows(source, layout, prepared, 5)], "5"],
    ["onProblem", () => [...dataset.rows(source, layout, prepared, undefined, { onProblem: 5 })], "5"],
  ]) {
    assert.throws(call, ({ name, argument: named, message }) => {
      assert.deepEqual([name, named], ["TensorSketchError", argument], message);
      assert.ok(message.startsWith(`${argument} must be a`) && message.endsWith(`, got ${got}`), message);
      return true;
    });
  }
  assert.throws(() => dataset.misfit({ plan, metod: "mean" }), { argument: "metod", message: /did you mean method/ });
  assert.throws(() => [...dataset.rows(source, layout, prepared, undefined, { keepall: true })],
    { argument: "keepall", message: /did you mean keepAll/ });
  source.close();
});

test("a source of another Dataset, or a closed one, is not read as another file", async () => {
  const other = await loadDataset(), mine = [dataset.source("a\n1\n"), dataset.source("b\n2\n")];
  const [theirs] = [other.source("c\n3\n"), other.source("d\n4\n")];
  assert.deepEqual(other.sniff(theirs).columns.map(({ name }) => name), ["c"]);
  assert.throws(() => dataset.sniff(theirs), { name: "TypeError",
    message: "source belongs to another Dataset: make it with this one" });
  mine[0].close();
  assert.throws(() => dataset.sniff(mine[0]), { name: "TypeError", message: "source was closed: make it again" });
  const layout = dataset.sniff(mine[1]);
  const fitted = fit(ts, "a,k\n".concat("1,x\n2,y\n".repeat(30)), { label: "k", search: "off", dataset: other });
  await new Promise((resolve) => setTimeout(resolve));
  const kept = other.sniff(theirs);
  other.dispose();
  const gone = { name: "DatasetError", message: "this Dataset was disposed: call loadDataset for another" };
  await assert.rejects(fitted, gone);
  for (const call of [() => other.plan(kept), () => other.sniff(theirs), () => [...other.rows(theirs, kept, kept)]]) {
    assert.throws(call, gone);
  }
  assert.equal(dataset.plan(layout).columns[0].name, "b");
  mine[1].close();
});

// A Float64Array was written as the float32 that its bytes are, half a row as none, and a file without rows as one.
test("what an encoder or a reader of labels cannot take is named", () => {
  const { source, layout, prepared } = opened("a,k\n1,x\n2,y\n");
  const cells = new Uint8Array(0), offsets = new Int32Array(0), block = { cells, offsets };
  const encoder = dataset.encoder("npy", [], 2), labels = dataset.labels(layout, prepared);
  for (const [argument, call, message] of [
    ["Z", () => encoder.encode(Float64Array.of(1, 2), block), /rows of 2 features, got Float64Array of 16 bytes$/],
    ["Z", () => encoder.encode([1, 2], block), /rows of 2 features, got an array of length 2$/],
    ["Z", () => encoder.encode(Float32Array.of(1), block), /^Z must be a Float32Array of rows of 2 features, got /],
    ["block", () => encoder.encode(Float32Array.of(1, 2)), "block must be a block that rows gave, got undefined"],
    ["block", () => encoder.encode(Float32Array.of(1, 2), { cells, offsets: [0] }), /got an object \(Object\)$/],
    ["block", () => dataset.texts({ rows: 2, cells, offsets: new Int32Array(4) }), /got an object \(Object\)$/],
    ["rows", () => encoder.finish(), /^rows must be an integer from 0 to \d+, got undefined$/],
    ["rows", () => encoder.finish(-1), /, got -1$/],
    ["texts", () => labels.see(), "texts must be an array of texts, as dataset.texts gives them, got undefined"],
    ["texts", () => labels.read("x"), /got "x"$/],
    ["texts[1]", () => labels.read(["x", 5]), "texts[1] must be a text, got 5"],
  ]) assert.throws(call, { name: "TensorSketchError", code: "ERR_PARAM", argument, message });
  assert.equal(encoder.encode(Float32Array.of(1, 2), block).length, 8);
  source.close();
});

test("a file that is gone, a folder, no text and parts of two kinds are named", async () => {
  const lost = bytesOf("a\n1\n");
  structuredClone(lost, { transfer: [lost.buffer] });
  const want = "file must keep its buffer, got one that was transferred: transfer a copy of it";
  for (const file of [lost, lost.buffer]) {
    assert.throws(() => dataset.source(file), { name: "TypeError", message: want });
  }
  assert.throws(() => dataset.source(tmpdir()), { name: "TypeError", message: /^file must be no folder, got "/ });
  assert.throws(() => dataset.source(""), { name: "TypeError", message: /^file must be a File, .*, got ""$/ });
  const parts = async function* (...all) { yield* all; };
  for (const row of [null, { a: 1 }]) {
    await assert.rejects(dataset.sourceAsync(parts("a\n", row)), { name: "TypeError",
      message: "file parts must be bytes and texts, or rows, and not both" });
  }
  (await dataset.sourceAsync(parts())).close();
});

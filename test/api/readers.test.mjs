// Readers of hostile files: dataset.wasm refuses what takes too much memory, ends where it must, and starts again. No
// error speaks Go, and none is a bare TypeError.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { dist, draws, fuzzSeed, printedBy, soakSeconds } from "./helper.mjs";

const { loadDataset, DatasetError } = await import(new URL("dataset.js", dist));
const MIB = 2 ** 20;
const bytesOf = (text) => new TextEncoder().encode(text);
const GOOD = "a,b\n1,2\n3,4\n";

/** The number of rows of a file, read as the page does. At most `most` blocks are read. */
function rowsOf(dataset, bytes, name = "f.csv", most = 20) {
  const source = dataset.source(bytes, { name });
  const made = [source]; // closed at the end: a loop that never waits leaves the collector no turn
  const keep = (each) => (made.push(each), each);
  try {
    const layout = keep(dataset.sniff(source, name.endsWith(".txt") ? { format: "text" } : {}));
    let prepared = keep(dataset.preprocessing(dataset.plan(layout)));
    if (prepared.needsFit) prepared = keep(dataset.fit(source, layout, prepared, 1));
    let rows = 0, blocks = 0;
    for (const block of dataset.rows(source, layout, prepared)) {
      rows += block.rows;
      if (++blocks === most) break;
    }
    return rows;
  } finally {
    made.forEach((each) => each.close());
  }
}

/** A table whose names take a small reader more memory than it has. */
const wide = bytesOf(`${Array.from({ length: 260_000 }, (_, i) => `column number ${i}`).join(",")}\n` +
  `${"1,".repeat(259_999)}1\n`);

const isGo = /goroutine|runtime\.|panic|dataset: |\.go:|TypeError|\bimport\b|package|call Fit|struct field|undefined/;

test("8,000,000 commas are refused before columns are made, and nothing is printed", () => {
  const printed = printedBy(`
    const { loadDataset } = await import(${JSON.stringify(new URL("dataset.js", dist).href)});
    const dataset = await loadDataset();
    const before = process.memoryUsage().rss;
    const source = dataset.source(new Uint8Array(8e6).fill(44), { name: "f.csv" });
    try { dataset.sniff(source); } catch (error) { console.log(error.name, error.message); }
    console.log(process.memoryUsage().rss - before < 200e6);
    const good = dataset.source(new TextEncoder().encode("a,b\\n1,2\\n"), { name: "g.csv" });
    console.log(dataset.sniff(good).columns.length);
    process.exit();
  `);
  assert.equal(printed, "DatasetError f.csv, line 1: the row has more than 262144 cells; write it as LIBSVM, which " +
    "is sparse.\ntrue\n2");
});

test("a reader without memory ends with an error that names the file, and the next call has another", async () => {
  const dataset = await loadDataset({ maxMemory: 64 * MIB });
  const kept = dataset.source(bytesOf(GOOD), { name: "kept.csv" });
  const layout = dataset.sniff(kept), prepared = dataset.preprocessing({ columns: [{ name: "a", role: "number" }],
    sparse: false, unitNorm: false });
  const reading = dataset.rows(kept, layout, prepared);
  const encoder = dataset.encoder("csv", [], 1);
  for (let n = 0; n < 2; n++) {
    assert.throws(() => rowsOf(dataset, wide, "wide.csv"), (error) => {
      assert.ok(error instanceof DatasetError && error.ended, error.stack);
      assert.equal(error.message, "wide.csv: reading it takes more than the 64 MB of memory that it may have; cut " +
        "the file into smaller ones, or give loadDataset a larger maxMemory.");
      assert.equal(error.problem.file, "wide.csv");
      assert.match(error.cause.message, /out of memory/);
      assert.doesNotMatch(error.cause.message, /goroutine/);
      return true;
    });
    assert.equal(rowsOf(dataset, bytesOf(GOOD)), 2);
  }
  for (const [name, call] of [["layout", () => dataset.plan(layout)], ["preprocessing", () =>
    dataset.rows(kept, dataset.sniff(kept), prepared).next()], ["encoder", () => encoder.finish(0)]]) {
    assert.throws(call, { name: "DatasetError", message: `${name} was lost with the program that read files, which ` +
      "has ended: make it again" });
  }
  assert.throws(() => reading.next(), { name: "DatasetError" });
  for (const lost of [layout, prepared, encoder]) lost.close(); // which does not touch handles of the new program
  assert.equal(dataset.sniff(kept).columns.length, 2, "sources are the host's");
});

test("maxMemory is a number of bytes", async () => {
  for (const maxMemory of [0, 1000, 2 ** 33, NaN, "1 GB", null]) {
    await assert.rejects(loadDataset({ maxMemory }), { name: "DatasetError",
      message: /^maxMemory must be a number of bytes from 67108864 \(64 MiB\) to 4294967296 \(4 GiB\), got / });
  }
  const small = await loadDataset({ maxMemory: 64 * MIB });
  assert.throws(() => small.encoder("csv", [], 1).encode(new Float32Array(16 * MIB), { cells: new Uint8Array(0),
    offsets: new Int32Array(1) }), { name: "DatasetError", message: /bytes at once are too many/ });
  assert.equal(rowsOf(small, bytesOf(GOOD)), 2);
});

test("a Dataset that was disposed says so, and has closed its sources", async () => {
  const dataset = await loadDataset();
  let closed = 0;
  const bytes = bytesOf(GOOD);
  const source = dataset.source({ size: bytes.length, close: () => closed++,
    read: (at, into) => {
      into.set(bytes.subarray(at, at + into.length));
      return Math.min(into.length, bytes.length - at);
    } });
  const layout = dataset.sniff(source);
  dataset.dispose();
  dataset.dispose();
  assert.equal(closed, 1);
  source.close();
  layout.close();
  assert.equal(closed, 1);
  const message = "this Dataset was disposed: call loadDataset for another";
  assert.throws(() => dataset.source(bytes), { name: "DatasetError", message });
  assert.throws(() => dataset.sniff(source), { name: "DatasetError", message });
  assert.throws(() => dataset.misfit({ plan: {}, method: "tensor-sketch" }), { name: "DatasetError", message });
  if (Symbol.dispose) assert.equal(typeof dataset[Symbol.dispose], "function");
});

test("an error of the caller's own function ends the reading, and the program goes on", async () => {
  const dataset = await loadDataset();
  const source = dataset.source(bytesOf(GOOD), { onRead() { throw new Error("mine"); } });
  assert.throws(() => dataset.sniff(source), (error) => error.cause?.message === "mine" && !error.ended);
  assert.equal(rowsOf(dataset, bytesOf(GOOD)), 2);
});

test("no error speaks Go", async () => {
  const dataset = await loadDataset();
  const source = dataset.source(bytesOf(GOOD), { name: "f.csv" });
  const layout = dataset.sniff(source);
  const plan = dataset.plan(layout);
  const scaled = plan.columns.map((column) => ({ ...column, scaling: "standard" }));
  const unfitted = dataset.preprocessing({ ...plan, columns: scaled });
  const said = {
    columnar: "parquet needs the larger build: loadDataset({ columnar: true })",
    unfitted: "the preprocessing has to learn from the rows first: take what fit(source, layout, preprocessing) " +
      "returns",
    number: "plan.columns[0].name must be a text, got number",
  };
  const calls = {
    columnar: () => dataset.encoder("parquet", [], 1),
    unfitted: () => dataset.rows(source, layout, unfitted).next(),
    number: () => dataset.preprocessing({ columns: [{ name: 5, role: "number" }], sparse: false, unitNorm: false }),
    text: () => dataset.onnx("{"), model: () => dataset.onnx({ format: 3 }), model2: () => dataset.fromModel({}),
    model3: () => dataset.fromModel([]), reading: () => dataset.sniff(source, { format: 3 }),
    reading2: () => dataset.sniff(source, { kind: "csv" }), plan: () => dataset.preprocessing({ columns: 1 }),
    parquet: () => dataset.sniff(dataset.source(bytesOf("PAR1"), { name: "x.parquet" })),
    cells: () => dataset.encoder("csv", [1, 2], 3), cells2: () => dataset.encoder("csv", "abc", 3),
    components: () => dataset.encoder("csv", [], "many"), role: () => dataset.preprocessing({ ...plan,
      columns: [{ name: "a", role: "x" }] }),
  };
  for (const [name, call] of Object.entries(calls)) {
    assert.throws(call, (error) => {
      assert.ok(error instanceof DatasetError, `${name}: ${error.stack}`);
      assert.doesNotMatch(error.message, isGo, name);
      if (said[name]) assert.equal(error.message, said[name]);
      return true;
    });
  }
});

test("mutated files of every format end in rows or in a sentence, and the next good file is read", async (t) => {
  const dataset = await loadDataset({ columnar: true, maxMemory: 512 * MIB });
  const { below, pick, next } = draws(fuzzSeed);
  const files = { "f.csv": [bytesOf("a,b,when,label\n1,2,2024-01-05,x\n3,,2024-02-06,\"y\nz\"\n5,0.5,2024-03-07,x\n")],
    "f.tsv": [bytesOf("a\tb\n1\t2\n3\t4\n")], "f.jsonl": [bytesOf('{"a":1,"v":[1,2.5]}\n{"a":true,"v":[3,4]}\n')],
    "f.json": [bytesOf('[{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]')], "f.svm": [bytesOf("1 1:0.5 3:2\n-1 2:1\n")],
    "f.idx": [Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4)],
    "f.txt": [bytesOf("one line of words\n\nanother, with a comma\n")],
    "f.csv.gz": [new Uint8Array(gzipSync(GOOD.repeat(9)))] };
  const fixtures = new URL("../../dataset/columnar/testdata/", import.meta.url);
  for (const name of readdirSync(fixtures).filter((each) => /\.(parquet|arrow|xlsx)$/.test(each))) {
    (files[`f.${name.split(".").pop()}`] ??= []).push(new Uint8Array(readFileSync(new URL(name, fixtures))));
  }
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n";
  files["f.npy"] = [Uint8Array.of(0x93, ...bytesOf("NUMPY"), 1, 0, header.length, 0, ...bytesOf(header),
    ...new Uint8Array(32))];
  const least = soakSeconds > 0 ? 2000 : 40;
  for (const [name, good] of Object.entries(files)) {
    let rows = 0, ended = 0, slowest = 0;
    for (let n = 0; n < least; n++) {
      let bytes = pick(good).slice();
      for (let k = 1 + below(4); k > 0 && bytes.length > 0; k--) {
        const at = next() < 0.3 ? Math.max(0, bytes.length - 1 - below(64)) : below(bytes.length);
        const kind = below(5);
        if (kind < 2) bytes[at] ^= 1 << below(8);
        else if (kind === 2) bytes.fill(pick([0, 255, 127, 128]), at, at + pick([1, 2, 4, 8]));
        else if (kind === 3) bytes = bytes.slice(0, at);
        else bytes = Uint8Array.of(...bytes.subarray(0, at), ...bytes.subarray(below(at + 1)));
      }
      const started = performance.now();
      try {
        rows += rowsOf(dataset, bytes, name) > 0;
      } catch (error) {
        const told = `${name} ${n} of seed ${fuzzSeed}`;
        assert.ok(error instanceof DatasetError, `${told}: ${error.stack}`);
        assert.doesNotMatch(error.message, isGo, told);
        assert.doesNotMatch(error.message, /internal error|\n/, told);
        assert.ok(error.message.length < 600, told);
        ended += error.ended;
      }
      slowest = Math.max(slowest, performance.now() - started);
      if (n % 20 === 0) assert.equal(rowsOf(dataset, bytesOf(GOOD)), 2, `after ${name} ${n} of seed ${fuzzSeed}`);
    }
    assert.equal(ended, 0, `${name} of seed ${fuzzSeed}`);
    t.diagnostic(`${name}: ${rows} of ${least} have rows, ${Math.round(slowest)} ms at most`);
  }
});

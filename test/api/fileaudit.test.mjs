// An audit of private releases by files. Pairs of files that differ in one row are released with the same noise. The
// numbers may differ only by the stated sensitivity, 2C for a row; no other row may differ at all.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { isColumnar, loadDataset } from "../../public/api/dataset.js";
import { draws, fuzzSeed, load, releaseBy, soakSeconds, withFixedNoise } from "./helper.mjs";

const PAIRS = 30; // of each format; `soak` has more
const N = 12; // rows of a file
const D = 16;
const GUARANTEE = { epsilon: 90, delta: 1e-2 };
const MAP = { nComponents: D, coef0: 1, normalize: "kernel" };

const numbers = ["a", "b", "c"].map((name) => ({ name, role: "number", missing: "zero" }));
const unnamed = numbers.map((column, i) => ({ ...column, name: `column ${i + 1}` }));
const features = numbers.map((column, i) => ({ ...column, name: `features[${i}]` }));
const plain = (columns) => ({ columns, sparse: false, unitNorm: false });
const text = (more) => ({ compression: "none", encoding: "utf-8", ...more });
const csv = (more) => text({
  format: "csv", delimiter: ",", quote: '"', decimal: ".", thousands: "", header: true, dates: "iso", ...more,
});

const ts = await load({ threads: 0 });
const [small, columnar] = await Promise.all([loadDataset(), loadDataset({ columnar: true })]);

const utf8 = (lines) => new TextEncoder().encode(lines.join(""));
const ended = (row) => `${row}\n`;

// What rows of any format may hold.
const ODD = ["", " ", "\t", "\r", '"', '"1', '1,"2', '1,2,"3\\', "'1", "a,b,c", "label", "1,2", "1,2,3,4", ",,",
  ";;;", "1;2;3", "2.0", "1.234,5", "1e308,1e308,1e308", "1e999,1,1",
  "nan,inf,-inf", "NULL,NA,n/a", "\u0000", "\u0000".repeat(9), "\u001b[2J\u0007", "\ufeff1,2,3", "\ufeff", "#",
  "# 1 2 3", "// x", "1 0:1", "1 1:1", "0 9:1", "1 3:1 2:1", "1 2:1 2:2", "1 99999999999:1", "1 -1:1",
  "1 2:x", "1 qid:3 1:1", "{", "}", "[", "]", "[]", "{}", '{"a":1}', '{"b":[1]}', '{"a":1,"b":[1,2],"z":5}',
  '{"a":"x","b":[1,2,3]}', '{"a":1,"a":2,"b":[1,2]}', '{"b":[1,2],"a":1}', '{"a":[1],"b":7}', '[1,2,3]',
  '[1,2]', "[1,[2],3]",
  '{"a":1e400,"b":[1,2]}', '{"a":1,"b":[null,true]}', "null", "true", "7", '"x"', "{".repeat(200), "[".repeat(200),
  "\u001f\u008b\u0008", "PK\u0003\u0004", "(\u00b5/\u00fd", "PAR1", "ARROW1", "\u0093NUMPY", "%PDF-", "BZh9",
  "sep=;", "2026-11-20", "31.12.2026", "word ".repeat(3000), "9".repeat(5000), "-", "+1,+2,+3", "0x10,1,1", "1 2 3",
  "1\t2\t3", "1|2|3", "äöü,ß,é", "\u{1f600}", "\ud800"];

/** A format: how a file of it is read, what its columns become, its usual rows, what is before them, and its bytes. */
const FORMATS = {
  "csv": { name: "f.csv", reading: csv(), plan: plain(numbers), head: ["a,b,c\n"],
    row: (r) => `${r.next()},${-r.next()},${r.below(3) ? r.next() : ""}` },
  "csv, an ignored column": { name: "f.csv", reading: csv({ delimiter: ";", decimal: "," }),
    plan: plain(numbers.slice(0, 2)), head: ["a;b;x\n"], row: (r) => `0,${r.below(99)};0,${r.below(99)};0,5` },
  "csv without header": { name: "f.csv", reading: csv({ header: false }), plan: plain(unnamed), head: [],
    row: (r) => `${r.next()},0.5,${r.below(9)}` },
  "csv by spaces": { name: "f.dat", reading: csv({ delimiter: " ", quote: "'" }), plan: plain(numbers),
    head: ["a b c\n"], row: (r) => `${r.next()}  0.5 ${r.below(9)}` },
  "csv without quotes": { name: "f.csv", reading: csv({ quote: "", thousands: " " }), plan: plain(numbers),
    head: ["a,b,c\n"], row: (r) => `1 ${100 + r.below(900)},0.5,1` },
  "csv with categories, dates and words": {
    name: "f.csv", reading: csv({ dates: "day-month-year" }),
    head: ["a,b,c,d\n"], row: (r) => `${r.pick(["x", "y"])},0${1 + r.below(9)}.05.2026,"some, ` +
      `${r.pick(["red", "green"])} words",${r.pick(["u", "v"])}`,
    plan: plain([{ name: "a", role: "category", missing: "zero", values: ["x", "y"] },
      { name: "b", role: "date", missing: "zero", parts: ["year", "week"] },
      { name: "c", role: "words", words: [1, 2], chars: [2, 3], width: 64 },
      { name: "d", role: "category", missing: "zero", hashed: 8 }]),
  },
  "csv, scaled": { name: "f.csv", reading: csv(), plan: { ...plain([{ name: "a", role: "number", missing: "constant",
    fill: 2, scaling: "standard", center: 1, scale: 2 }, numbers[1]]), unitNorm: true }, head: ["a,b\n"],
    row: (r) => `${r.next()},${r.below(9)}` },
  "csv in Windows-1252": { name: "f.csv", reading: csv({ encoding: "windows-1252" }), plan: plain(numbers),
    head: ["a,b,c\n"], row: (r) => `${r.next()},0.5,1` },
  "csv in gzip": { name: "f.csv.gz", reading: csv({ compression: "gzip" }), plan: plain(numbers), head: ["a,b,c\n"],
    row: (r) => `${r.next()},0.5,1`, bytes: (lines) => gzipSync(utf8(lines), { level: 1 }) },
  "jsonl": {
    name: "f.jsonl",
    reading: text({ format: "jsonl", keys: [{ name: "a", length: 0 }, { name: "b", length: 2 }] }), head: [],
    plan: plain([{ ...numbers[0] }, { ...numbers[1], name: "b[0]" }, { ...numbers[1], name: "b[1]" }]),
    row: (r) => `{"a":${r.next()},"b":[${r.next()},${r.below(9)}]}`,
  },
  "jsonl of lists": { name: "f.jsonl", reading: text({ format: "jsonl", lists: 3 }), plan: plain(unnamed), head: [],
    row: (r) => `[${r.next()},0.5,${r.below(9)}]` },
  "libsvm from 1": { name: "f.libsvm", reading: text({ format: "libsvm", base: 1 }), plan: { columns: [],
    sparse: true, sparseWidth: 9, unitNorm: false }, head: [], row: (r) => `1 1:${r.next()} ${2 + r.below(8)}:0.5` },
  "libsvm from 0": { name: "f.libsvm", reading: text({ format: "libsvm", base: 0 }), plan: { columns: [],
    sparse: true, sparseWidth: 9, unitNorm: true }, head: [], row: (r) => `-1 0:${r.next()} ${1 + r.below(8)}:0.5` },
  "text": { name: "f.txt", reading: text({ format: "text" }),
    plan: plain([{ name: "text", role: "words", words: [1, 1], chars: [0, 0], width: 32 }]), head: [], row: (r) =>
    `some ${r.pick(["red", "green", "blue", "dark", "light"])} and ${r.pick(["round", "long", "flat"])} words` },
  ...Object.fromEntries(["npy", "idx"].map((format) => [format,
    { name: `f.${format}`, reading: { format, compression: "none" }, plan: plain(unnamed), ...binary(format) }])),
  "parquet": parquet("parquet"),
  "parquet of unlike lists": { ...parquet("lists"),
    odd: (r) => (r.below(8) ? Array.from({ length: r.below(7) }, () => r.pick([0, 1, -1, 0.5, 3e38, NaN])) : null),
  },
  "arrow": { name: "f.arrow", reading: { format: "arrow", compression: "none" },
    plan: plain(features), ...binary("arrow") },
};

function parquet(bytes) {
  const reading = { format: "parquet", compression: "none", keys: [{ name: "features", length: 3 }] };
  return { name: "f.parquet", reading, plan: plain(features), ...binary(bytes) };
}

/** Formats of numbers: a row is three of them, and any 96 bits are a row. */
function binary(format) {
  const floats = (rows) => Float32Array.from(rows.flat());
  const bytes = {
    npy: (rows) => {
      const head = "{'descr': '<f4', 'fortran_order': False, 'shape': (" + rows.length + ", 3), }";
      return Buffer.concat([Buffer.from("\u0093NUMPY\u0001\u0000v\u0000", "latin1"),
        Buffer.from(head.padEnd(117) + "\n"), new Uint8Array(floats(rows).buffer)]);
    },
    lists: parquetOfLists,
    idx: (rows) => {
      const view = new DataView(new ArrayBuffer(12 + 12 * rows.length));
      [0x0d02, rows.length, 3].forEach((n, i) => view.setUint32(4 * i, n));
      rows.flat().forEach((x, i) => view.setFloat32(12 + 4 * i, x));
      return new Uint8Array(view.buffer);
    },
  }[format] ?? ((rows) => {
    const encoder = columnar.encoder(format, [], 3);
    const parts = [encoder.header, encoder.encode(floats(rows),
      { cells: new Uint8Array(0), offsets: new Int32Array(0) }), encoder.finish(rows.length).footer];
    encoder.close();
    return Buffer.concat(parts);
  });
  const cells = [0, -0, 1, -1, 1e-45, 3e38, -3e38, Infinity, -Infinity, NaN];
  return { head: [], isBinary: true, row: (r) => [r.next(), r.next(), -r.next()],
    odd: (r) => [0, 1, 2].map(() => r.pick(cells)), bytes };
}

/**
 * A Parquet file with an optional list of required floats in each row. A list has any length or is null. The file has
 * one row group of one page; the encoder of dataset.js writes only lists of one length.
 */
function parquetOfLists(rows) {
  const varint = (n) => (n < 128 ? [n] : [n % 128 + 128, ...varint(Math.floor(n / 128))]);
  const name = (text) => [...varint(text.length), ...Buffer.from(text)];
  const list = (type, items) => [16 * items.length + type, ...items.flat()]; // of fewer than 15
  /**
   * A structure of Thrift's compact protocol: [field, type, bytes] each; 5 is a whole number, which is written zigzag.
   */
  const struct = (...fields) => [...fields.flatMap(([id, type, value], i) =>
    [16 * (id - (fields[i - 1]?.[0] ?? 0)) + type, ...(type === 5 || type === 6 ? varint(2 * value) : value)]), 0];
  const [I32, I64, BINARY, LIST, STRUCT] = [5, 6, 8, 9, 12];

  // Definition levels: 0 no list, 1 an empty one, 2 a number.
  const entries = rows.flatMap((row) => (row?.length ? row.map((_, i) => [i ? 1 : 0, 2]) : [[0, row ? 1 : 0]]));
  const levels = (at) => {
    const runs = entries.flatMap((entry) => [2, entry[at]]); // runs of one
    return [...new Uint8Array(Uint32Array.of(runs.length).buffer), ...runs];
  };
  const floats = Float32Array.from(rows.flatMap((row) => row ?? []));
  const page = [...levels(0), ...levels(1), ...new Uint8Array(floats.buffer)];
  const header = struct([1, I32, 0], [2, I32, page.length], [3, I32, page.length],
    [5, STRUCT, struct([1, I32, entries.length], [2, I32, 0], [3, I32, 3], [4, I32, 3])]);
  const bytes = header.length + page.length;
  const chunk = struct([1, I32, 4], [2, LIST, list(I32, [varint(0), varint(6)])],
    [3, LIST, list(BINARY, ["features", "list", "element"].map(name))], [4, I32, 0],
    [5, I64, entries.length], [6, I64, bytes], [7, I64, bytes], [9, I64, 4]);
  const schema = [
    struct([4, BINARY, name("schema")], [5, I32, 1]),
    struct([3, I32, 1], [4, BINARY, name("features")], [5, I32, 1], [6, I32, 3]),
    struct([3, I32, 2], [4, BINARY, name("list")], [5, I32, 1]),
    struct([1, I32, 4], [3, I32, 0], [4, BINARY, name("element")]),
  ];
  const group = struct([1, LIST, list(STRUCT, [struct([2, I64, 4], [3, STRUCT, chunk])])], [2, I64, bytes],
    [3, I64, rows.length]);
  const footer = struct([1, I32, 1], [2, LIST, list(STRUCT, schema)], [3, I64, rows.length],
    [4, LIST, list(STRUCT, [group])]);
  return Buffer.from([...Buffer.from("PAR1"), ...header, ...page, ...footer,
    ...new Uint8Array(Uint32Array.of(footer.length).buffer),
    ...Buffer.from("PAR1")]);
}

/** Another row in place of one: of any kind. */
function another(format, r, row) {
  if (format.odd) return r.below(4) ? format.odd(r) : format.row(r);
  switch (r.below(5)) {
    case 0: return format.row(r);
    case 1: { // one character changed
      const at = r.below(row.length);
      return row.slice(0, at) + r.pick([..."\"',;:.0-9eE#{}[]\u0000\u00ff\ud83d \t", ""]) + row.slice(at + 1);
    }
    case 2: return row.slice(0, r.below(row.length));
    default: return r.pick(ODD).replaceAll("\n", "");
  }
}

/** Returns the rows Z of a release, with the same noise for each file, and their bound C. */
async function released({ name, reading, plan }, bytes, rows) {
  const dataset = isColumnar(reading.format) ? columnar : small;
  const { bytes: npy, reply } = await withFixedNoise(() => releaseBy(dataset, ts, {
    bytes: Object.assign(bytes, { name }), reading, plan, to: { format: "npy" }, map: MAP, seed: "3",
    release: { kind: "rows", ...GUARANTEE, radius: 1, rows, budget: GUARANTEE } }));
  const Z = Array.from(new Float32Array(new Uint8Array(npy.subarray(128)).buffer));
  assert.equal(Z.length, rows * D, "rows are missing");
  const { bound } = reply.release;
  return { Z, bound,
    mean: Array.from({ length: D }, (_, i) => Z.reduce((sum, z, k) => sum + (k % D === i ? z : 0), 0) / rows) };
}

const distance = (a, b) => Math.hypot(...a.map((x, i) => x - b[i]));

/** Compares the releases of a file and of one in which row `at` is another. */
function compare(one, other, at, what) {
  for (let i = 0; i < N; i++) {
    const [z, w] = [one, other].map(({ Z }) => Z.slice(i * D, (i + 1) * D));
    if (i !== at) assert.deepEqual(w, z, `${what}: row ${i} changed`);
    else assert.ok(distance(z, w) <= 2 * one.bound * (1 + 1e-5), `${what}: the row moved by ${distance(z, w)}`);
  }
  const moved = distance(one.mean, other.mean);
  assert.ok(moved <= 2 * one.bound / N * (1 + 1e-5),
    `${what}: the mean moved by ${moved}, and 2C/n is ${2 * one.bound / N}`);
}

for (const [name, format] of Object.entries(FORMATS)) {
  test(`neighbouring files release alike: ${name}`, async () => {
    const r = draws(fuzzSeed + name.length);
    const bytesOf = (rows) => (format.isBinary ? format.bytes(rows)
      : (format.bytes ?? utf8)([...format.head, ...rows.map(ended)]));
    const until = performance.now() + 1000 * soakSeconds / Object.keys(FORMATS).length;
    let rows, one;
    for (let pair = 0; pair < PAIRS || performance.now() < until; pair++) {
      if (pair % 30 === 0) {
        rows = Array.from({ length: N }, () => format.row(r));
        one = await released(format, bytesOf(rows), N);
        const seen = new Set(Array.from({ length: N }, (_, i) => String(one.Z.slice(i * D, (i + 1) * D))));
        assert.ok(seen.size > N / 3, `${seen.size} of ${N} usual rows differ: they are not read`);
        compare(one, await released(format, bytesOf(rows), N), -1, "the same file");
      }
      const at = r.below(4) ? r.below(N) : r.pick([0, N - 1]);
      const other = another(format, r, rows[at]);
      const what = `seed ${fuzzSeed}, ` +
        `row ${at} is ${JSON.stringify(other).slice(0, 80)} in place of ${JSON.stringify(rows[at])}`;
      const changed = await released(format, bytesOf(rows.with(at, other)),
        N).catch((error) => assert.fail(`${what}: ${error.message}`));
      compare(one, changed, at, what);
    }
  });
}

test("rows that once changed how all are read, or ended a release, change themselves alone", async () => {
  for (const [name, row, ...others] of [
    ["libsvm from 1", "1 1:0.9 2:0.1", "1 0:1"], ["csv, an ignored column", "0,5;0,25;0,5", "0,5;0,25;2.0"],
    ["csv", "0.5,0.25,1", "a,b,c", '0.5,0.25,"x', ""], ["jsonl", '{"a":1,"b":[0.5,0.25]}', '{"a":1,"b":[0.5]}'],
  ]) {
    const format = FORMATS[name], rows = Array(N).fill(row);
    const bytesOf = (first) => utf8([...format.head, ...rows.with(0, first).map(ended)]);
    const one = await released(format, bytesOf(row), N);
    for (const other of others) compare(one, await released(format, bytesOf(other), N), 0, `${name}: ${other}`);
  }
});

test("a list of another length is a row of zeros, also the first", async () => {
  const lists = { "parquet of unlike lists": [0, 0, 0], "jsonl": '{"a":0,"b":[0,0]}', "jsonl of lists": "[0,0,0]" };
  const others = {
    "parquet of unlike lists": [null, [], [1], [1, 2], [1, 2, 3, 4]],
    "jsonl": ['{"a":1,"b":[]}', '{"a":1,"b":[1]}', '{"a":1,"b":[1,2,3]}'],
    "jsonl of lists": ["[]", "[1,2]", "[1,2,3,4]"],
  };
  for (const [name, zeros] of Object.entries(lists)) {
    const format = FORMATS[name];
    const r = draws(fuzzSeed);
    const rows = Array.from({ length: N }, () => format.row(r));
    const bytesOf = format.bytes ?? ((lines) => utf8(lines.map(ended)));
    for (const at of [0, 5, N - 1]) {
      const want = await released(format, bytesOf(rows.with(at, zeros)), N);
      for (const other of others[name]) {
        const got = await released(format, bytesOf(rows.with(at, other)), N);
        assert.deepEqual(got.Z, want.Z, `${name}: row ${at} is ${JSON.stringify(other)}`);
      }
    }
  }
});

test("what is read in a way that no row can be kept apart by is refused", async () => {
  const refused = (reading, why) => assert.match(columnar.misfit({ reading, plan: plain(numbers),
    method: "tensor-sketch" }), why);
  refused(csv({ encoding: "utf-16" }), /shifts all rows after it: save the file as UTF-8$/);
  refused(csv({ compression: "zip" }), /unpack it, or compress it with gzip or zstd$/);
  refused({ format: "npy", compression: "zip" }, /ZIP archive/); // .npz
  refused(text({ format: "json", lists: 3 }), /save it as JSON Lines$/);

  // The length of Parquet's lists is typed: their first rows are not asked.
  const encoder = columnar.encoder("parquet", [], 3);
  const block = encoder.encode(Float32Array.of(1, 2, 3, 4, 5, 6), {
    cells: new Uint8Array(0), offsets: new Int32Array(0),
  });
  const bytes = Buffer.concat([encoder.header, block, encoder.finish(2).footer]);
  encoder.close();
  const reading = { format: "parquet", compression: "none" };
  const of = (reading, length) => released({ name: "f.parquet", reading, plan: plain(Array.from({ length }, (_, i) =>
    ({ ...numbers[0], name: `features[${i}]` }))) }, Buffer.from(bytes), 2);
  await assert.rejects(of(reading, 3), { message: /keys would be guessed from the rows/ });
  for (const length of [2, 3, 4]) await of({ ...reading, keys: [{ name: "features", length }] }, length);
  await assert.rejects(of({ ...reading, keys: [{ name: "x", length: 3 }] }, 3), { message: /has no column "x"/ });
});

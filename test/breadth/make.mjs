// Writes tables by programs of npm, and what these programs read back from them: node make.mjs FOLDER

import { Buffer } from "node:buffer";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as arrow from "apache-arrow";
import ExcelJS from "exceljs";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { parquetWriteBuffer } from "hyparquet-writer";
import { gzipSync } from "node:zlib";
import XLSX from "xlsx";

const folder = process.argv[2];
const made = [];

/** Writes a file and notes its cells as read returns them: { column: [kind, texts] }. */
async function put(file, write, read) {
  try {
    const content = await write();
    writeFileSync(join(folder, file), Buffer.from(content));
    made.push({ file, columns: await read(readFileSync(join(folder, file))) });
  } catch (problem) {
    made.push({ file, skipped: String(problem).slice(0, 200) });
  }
}

let state = 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
const rows = (n, f) => Array.from({ length: n }, (_, i) => f(i));
const words = ["red", "green", "", "grün", "a,b;c", 'say "no"', "漢字🙂", "x".repeat(40)];
const sparse = (f) => (i) => (i % 7 === 3 ? null : f(i));
const day = (i) => new Date(Date.UTC(2020, 1, 25 + (i % 900), i % 24, i % 60, 7, 250));

/** The cell of a value: as the library shows it. */
const text = (v) =>
  v === null || v === undefined || Number.isNaN(v)
    ? null
    : v instanceof Date
      ? iso(v)
      : String(v);
const iso = (d) =>
  d
    .toISOString()
    .replace(/\.?0*Z$/, "")
    .replace(/T00:00(:00)?$/, "");
const column = (kind, values) => [kind, values.map(text)];

const flat = (n) => ({
  i: {
    type: "INT32",
    data: rows(
      n,
      sparse((i) => (i ? Math.floor((random() - 0.5) * 2 ** 32) : -(2 ** 31))),
    ),
    kind: "exact",
  },
  big: {
    type: "INT64",
    data: rows(
      n,
      sparse((i) => (BigInt(i) - 5n) * 1234567890123456n),
    ),
    kind: "exact",
  },
  f: {
    type: "FLOAT",
    data: rows(
      n,
      sparse(() => Math.fround(random() * 1e6)),
    ),
    kind: "number",
  },
  d: {
    type: "DOUBLE",
    data: rows(
      n,
      sparse(() => (random() - 0.5) * 10 ** (random() * 20)),
    ),
    kind: "number",
  },
  h: {
    type: "FLOAT16",
    data: rows(
      n,
      sparse((i) => (i % 512) / 8),
    ),
    kind: "number",
  },
  yes: {
    type: "BOOLEAN",
    data: rows(
      n,
      sparse(() => random() < 0.5),
    ),
    kind: "exact",
  },
  word: {
    type: "STRING",
    data: rows(
      n,
      sparse((i) => words[i % words.length]),
    ),
    kind: "text",
  },
  note: { type: "STRING", data: rows(n, (i) => `note ${i} ${words[i % 5]}`), kind: "text" },
  at: { type: "TIMESTAMP", data: rows(n, sparse(day)), kind: "loose" },
  id: {
    type: "UUID",
    data: rows(
      n,
      sparse((i) => `0e6b6d55-0000-4000-8000-${String(i).padStart(12, "0")}`),
    ),
    kind: "text",
  },
  json: { type: "JSON", data: rows(n, (i) => ({ a: i })), kind: "json" },
});

function parquetFiles() {
  const options = [];
  for (const codec of ["UNCOMPRESSED", "SNAPPY", "GZIP"]) for (const n of [1, 50, 3000]) options.push({ codec, n });
  for (const pageSize of [10, 300]) options.push({ codec: "SNAPPY", n: 400, pageSize });
  options.push({ codec: "SNAPPY", n: 900, rowGroupSize: 100 }, { codec: "SNAPPY", n: 900, dictionarySize: 1 });
  const encodings = {
    i: "DELTA_BINARY_PACKED",
    big: "DELTA_BINARY_PACKED",
    f: "BYTE_STREAM_SPLIT",
    d: "BYTE_STREAM_SPLIT",
    word: "DELTA_BYTE_ARRAY",
    note: "DELTA_LENGTH_BYTE_ARRAY",
    yes: "RLE",
    at: "DELTA_BINARY_PACKED",
  };
  for (const n of [1, 2, 33, 129, 1500]) options.push({ codec: "UNCOMPRESSED", n, encodings });
  for (const { n, encodings, ...rest } of options) {
    const table = flat(n);
    const columnData = Object.entries(table).map(([name, { type, data }]) => ({
      name,
      type,
      data,
      encoding: encodings?.[name],
    }));
    const file = `hyparquet-${Object.values(rest).join("-")}-${n}${encodings ? "-encodings" : ""}.parquet`;
    put(
      file,
      () => parquetWriteBuffer({ columnData, ...rest, compressors: { GZIP: (b) => gzipSync(b) } }),
      async (content) => {
        const back = await parquetReadObjects({
          file: content.buffer.slice(content.byteOffset, content.byteOffset + content.length),
          compressors,
        });
        return Object.fromEntries(
          Object.entries(table).map(([name, { kind }]) => [
            name,
            kind === "json"
              ? column(
                  "text",
                  back.map((row) => JSON.stringify(row[name])),
                )
              : column(
                  kind,
                  back.map((row) => row[name]),
                ),
          ]),
        );
      },
    );
  }
}

function arrowFiles() {
  const n = 700;
  const types = {
    i8: [new arrow.Int8(), (i) => (i % 256) - 128, "exact"],
    u16: [new arrow.Uint16(), (i) => (i * 97) % 65536, "exact"],
    i64: [new arrow.Int64(), (i) => BigInt(i) * 9007199254740993n, "exact"],
    f32: [new arrow.Float32(), () => Math.fround(random()), "number"],
    f64: [new arrow.Float64(), () => random() * 1e9, "number"],
    yes: [new arrow.Bool(), (i) => i % 3 === 0, "exact"],
    text: [new arrow.Utf8(), (i) => words[i % words.length] + i, "text"],
    large: [new arrow.LargeUtf8(), (i) => `large ${i}`, "text"],
    word: [new arrow.Dictionary(new arrow.Utf8(), new arrow.Int16(), 1), (i) => words[i % 4], "text"],
    day: [new arrow.DateDay(), (i) => new Date(Date.UTC(1999, 0, i)), "loose"],
    ms: [new arrow.DateMillisecond(), (i) => new Date(86400000 * i), "loose"],
  };
  const nested = {
    st: new arrow.Struct([
      new arrow.Field("text", new arrow.Utf8(), true),
      new arrow.Field("n", new arrow.Float64(), true),
      new arrow.Field("yes", new arrow.Bool(), true),
    ]),
    li: new arrow.List(new arrow.Field("item", new arrow.Float64(), true)),
    fx: new arrow.FixedSizeList(2, new arrow.Field("item", new arrow.Int32(), true)),
  };
  for (const kind of ["file", "stream"])
    for (const cuts of [
      [0, n],
      [0, 1, 300, 300, n],
    ])
      for (const gaps of [false, true]) {
        const values = (f) => rows(n, gaps ? sparse(f) : f);
        const columns = {},
          want = {};
        for (const [name, [type, f, as]] of Object.entries(types)) {
          const data = values(f);
          columns[name] = arrow.vectorFromArray(data, type);
          want[name] = column(as, data);
        }
        const st = values((i) => ({ text: i % 5 ? words[i % 4] : null, n: i / 8, yes: i % 2 === 0 })),
          li = values((i) => [i, i + 0.5]),
          fx = values((i) => [i, -i]);
        Object.assign(columns, {
          st: arrow.vectorFromArray(st, nested.st),
          li: arrow.vectorFromArray(li, nested.li),
          fx: arrow.vectorFromArray(fx, nested.fx),
        });
        Object.assign(want, {
          "st.text": column(
            "text",
            st.map((v) => v?.text),
          ),
          "st.n": column(
            "number",
            st.map((v) => v?.n),
          ),
          "st.yes": column(
            "exact",
            st.map((v) => v?.yes),
          ),
        });
        for (const k of [0, 1]) {
          want[`li[${k}]`] = column(
            "number",
            li.map((v) => v?.[k]),
          );
          want[`fx[${k}]`] = column(
            "number",
            fx.map((v) => v?.[k]),
          );
        }
        const whole = new arrow.Table(columns);
        const parts = cuts.slice(1).map((to, k) => whole.slice(cuts[k], to));
        const table = parts.length > 1 ? parts[0].concat(...parts.slice(1)) : whole;
        put(
          `arrow-js-${kind}-${cuts.length - 1}-${gaps ? "nulls" : "whole"}.arrow`,
          () => arrow.tableToIPC(table, kind),
          (content) => {
            if (arrow.tableFromIPC(content).numRows !== n) throw new Error("it has other rows");
            return want;
          },
        );
      }
}

const sheetOf = (n) =>
  rows(n, (i) => [
    i % 9 ? words[i % words.length].slice(0, 30) || null : `row ${i}`,
    i / 4 - 3,
    i % 2 === 0,
    day(i),
    i * 1e9,
    i % 6 ? `t${i}` : null,
  ]);
const head = ["word", "size", "yes", "at", "big", "gap"];
const kinds = ["cell", "number", "exact", "loose", "number", "cell"];

async function workbooks() {
  for (const n of [3, 400]) {
    const table = sheetOf(n);
    const want = Object.fromEntries(
      head.map((name, k) => [
        name,
        column(
          kinds[k],
          table.map((row) => row[k]),
        ),
      ]),
    );
    for (const [k, options] of [{}, { bookSST: true }, { compression: true }, { cellDates: true }].entries()) {
      const sheet = XLSX.utils.aoa_to_sheet([head, ...table], { cellDates: options.cellDates, UTC: true });
      const book = XLSX.utils.book_new();
      XLSX.utils.book_append_sheet(book, sheet, "Data");
      await put(
        `sheetjs-${k}-${n}.xlsx`,
        () => XLSX.write(book, { type: "buffer", bookType: "xlsx", ...options }),
        (content) => {
          const back = XLSX.utils.sheet_to_json(XLSX.read(content).Sheets.Data, { header: 1 });
          if (back.length !== n + 1) throw new Error("it has other rows");
          return want;
        },
      );
    }
    for (const options of [
      { useSharedStrings: true, useStyles: true },
      { useSharedStrings: false, useStyles: true },
    ]) {
      await put(
        `exceljs-${options.useSharedStrings}-${n}.xlsx`,
        async () => {
          const book = new ExcelJS.Workbook();
          const sheet = book.addWorksheet("Data");
          sheet.addRows([head, ...table]);
          sheet.getColumn(4).numFmt = "yyyy-mm-dd hh:mm:ss";
          return book.xlsx.writeBuffer(options);
        },
        async (content) => {
          const book = new ExcelJS.Workbook();
          await book.xlsx.load(content);
          const back = [];
          book.worksheets[0].eachRow((row, k) => {
            if (k > 1) back.push(head.map((_, c) => row.getCell(c + 1).value));
          });
          return Object.fromEntries(
            head.map((name, k) => [
              name,
              column(
                kinds[k],
                back.map((row) => row[k]),
              ),
            ]),
          );
        },
      );
    }
  }
  const table = sheetOf(60).map((row) => [...row.slice(0, 3), iso(row[3]), ...row.slice(4)]);
  const sheet = XLSX.utils.aoa_to_sheet([head, ...table]);
  for (const [name, FS] of [
    ["comma", ","],
    ["semicolon", ";"],
    ["tab", "\t"],
  ]) {
    await put(
      `sheetjs-${name}.csv`,
      () => XLSX.utils.sheet_to_csv(sheet, { FS, rawNumbers: true }),
      () =>
        Object.fromEntries(
          head.map((name, k) => [
            name,
            column(
              "cell",
              table.map((row) => (typeof row[k] === "boolean" ? String(row[k]).toUpperCase() : row[k])),
            ),
          ]),
        ),
    );
  }
}

parquetFiles();
arrowFiles();
await workbooks();
writeFileSync(join(folder, "node.json"), JSON.stringify(made));

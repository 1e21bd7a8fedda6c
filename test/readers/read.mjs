// Reads a Parquet or Arrow file with hyparquet or apache-arrow, and prints its rows as JSON: for each the cells, a list
// of numbers being one of them.
//
//     node test/readers/read.mjs FILE

import { readFileSync } from "node:fs";
import { tableFromIPC } from "apache-arrow";
import { parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";

const bytes = readFileSync(process.argv[2]);

async function rows() {
  if (bytes.subarray(0, 4).toString() === "PAR1") {
    return parquetReadObjects({
      file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length), compressors,
    });
  }
  return tableFromIPC(bytes).toArray().map((row) => row.toJSON());
}

/** What JSON takes. */
function plain(value) {
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Date) return value.toISOString();
  return value !== null && typeof value === "object" ? [...value].map(plain) : value;
}

console.log(
  JSON.stringify((await rows()).map((row) => Object.entries(row).map(([name, value]) => [name, plain(value)]))));

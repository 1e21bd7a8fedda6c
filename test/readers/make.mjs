// Writes the files of dataset/columnar/testdata/arrow-js with apache-arrow: one table of 600 rows in 3 record batches.
//
//     node test/readers/make.mjs dataset/columnar/testdata/arrow-js

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Dictionary, Int32, Table, tableToIPC, Utf8, vectorFromArray } from "apache-arrow";

const column = (f) => Array.from({ length: 600 }, (_, i) => f(i));
const whole = new Table({
  x: vectorFromArray(Float32Array.from(column((i) => i / 4))),
  name: vectorFromArray(column((i) => ["red", "green", "blue"][i % 3]), new Dictionary(new Utf8(), new Int32())),
  note: vectorFromArray(column((i) => (i % 5 ? `note ${i}` : null)), new Utf8()),
});
const batches = whole.slice(0, 250).concat(whole.slice(250, 500), whole.slice(500));
for (const kind of ["file", "stream"]) writeFileSync(join(process.argv[2], `${kind}.arrow`), tableToIPC(batches, kind));

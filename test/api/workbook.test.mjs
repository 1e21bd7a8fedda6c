// The first sheet of a workbook, as openpyxl wrote it (dataset/columnar/testdata/workbook.py).

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist } from "./helper.mjs";

const { isColumnar, loadDataset } = await import(new URL("dataset.js", dist));
const bytes = readFileSync(new URL("../../dataset/columnar/testdata/openpyxl-1904.xlsx", import.meta.url));

test("the first sheet of a workbook is read", async () => {
  const small = await loadDataset();
  assert.throws(() => small.sniff(small.source(bytes, { name: "f.xlsx" })), { name: "DatasetError", columnar: true });
  const dataset = await loadDataset({ columnar: isColumnar("xlsx") });
  const source = dataset.source(bytes, { name: "f.xlsx" });
  const layout = dataset.sniff(source);
  assert.deepEqual(layout.reading, { format: "xlsx", compression: "none", header: true });
  assert.deepEqual(layout.columns.map(({ name, type }) => `${name} ${type}`),
    ["width number", "kind text", "day date", "at date", "yes integer", "own number"]);
  const columns = [{ name: "width", role: "number" }, { name: "day", role: "date", missing: "zero" },
    { name: "kind", role: "keep" }];
  const prepared = dataset.preprocessing({ columns, sparse: false, unitNorm: false });
  const problems = [];
  const [block] = dataset.rows(source, dataset.sniff(source, layout.reading, { preprocessing: prepared }), prepared,
    undefined, { onProblem: ({ where }) => problems.push(where) });
  assert.equal(block.rows, 7);
  assert.deepEqual([...block.X].slice(0, 4), [0.5, 19780, 1.5, 19781]);
  assert.deepEqual([...block.places], [2, 3, 4, 5, 6, 7, 12]);
  assert.deepEqual(problems, ["row 9, column 1 (\"width\")"]);
});

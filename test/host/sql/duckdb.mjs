// DuckDB for Node runs the statements of docs/sql.md: node duckdb.mjs PAGE MODULE FOLDER. FOLDER has t.csv and
// start.tsm.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DuckDBInstance } from "@duckdb/node-api";
import { registerCore } from "./core.js";
import { isWrong, number, report, speed, statements } from "./statements.mjs";

const [page, module, folder] = process.argv.slice(2);
const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
registerCore(connection, readFileSync(module));
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRowsJS();

await ask(`CREATE TABLE t AS SELECT i, [a, b, c]::FLOAT[] AS x, y AS label FROM '${folder}/t.csv'`);
let accuracy;
for (const sql of statements(page, "sql")) {
  if (isWrong(sql)) {
    await assert.rejects(ask(sql), /tensorsketch_sums: row 1: labels must be 2, since there are 2 rows.*got 1/);
  } else {
    const rows = await ask(sql);
    if (sql.startsWith("SELECT")) [[accuracy]] = rows;
  }
}
const [[model]] = await ask("SELECT model FROM model");
const [[fromStart]] = await ask(`WITH spec AS (SELECT tensorsketch_spec_of(content) AS spec
    FROM read_blob('${folder}/start.tsm')),
  sums AS (SELECT tensorsketch_sums(any_value(spec), list(x), list(label)) AS s FROM t, spec GROUP BY i % 7)
  SELECT tensorsketch_fit(tensorsketch_merge(list(s)), '{}') FROM sums`);
report("duckdb", accuracy, model, fromStart);

assert.deepEqual(await ask("SELECT tensorsketch_predict(NULL, [1, 2, 3]::FLOAT[])"), [[null]]);
for (const [sql, want] of [
  ["SELECT tensorsketch_sums(spec, [[1, 2, 3]], [NULL]) FROM spec", /item 1 of a list is NULL: filter such rows/],
  ["SELECT tensorsketch_merge([s, 'ab'::BLOB]) FROM sums LIMIT 1", /sums\[2\]: model: not a JSON object/],
  ["SELECT tensorsketch_fit(s, '{\"beta\":1}') FROM sums LIMIT 1", /options: .*unknown field "beta"/],
]) await assert.rejects(ask(sql), want);
await assert.rejects(ask("SELECT tensorsketch_predict('', [1, 2, 3]::FLOAT[])"), /first argument is an empty text/);
const each = await ask(`WITH g AS (SELECT i % 3 AS g, list(x) AS xs, list(label) AS ls FROM t GROUP BY g)
  SELECT tensorsketch_spec('{"degree":2,"nComponents":16}', xs, ls) LIKE '%"nComponents":16,"degree":2,%',
    tensorsketch_fit(tensorsketch_sums(tensorsketch_spec('{"nComponents":8}', xs, ls), xs, ls), '{"alpha":7}')
      LIKE '%"alpha":7,%' FROM g`);
assert.deepEqual(each, [[true, true], [true, true], [true, true]], "the options of every group");

const n = 100_000;
await ask(`CREATE TABLE wide AS SELECT i, [(${number("i", "j")})::FLOAT FOR j IN range(64)] AS x,
  (i % 3)::VARCHAR AS label FROM range(${n}) AS r(i)`);
await ask(`CREATE TABLE wide_spec AS SELECT tensorsketch_spec('{"nComponents":256,"degree":2,"folds":1,
  "candidates":["polynomial-2"]}', list(x), list(label)) AS spec FROM (FROM wide WHERE i < 400)`);
let began = performance.now();
await ask(`CREATE TABLE wide_sums AS SELECT tensorsketch_sums(any_value(spec), list(x), list(label)) AS s
  FROM wide, wide_spec GROUP BY i // 5000`);
speed("DuckDB in Node, sums, d 64, D 256", n, began);
began = performance.now();
await ask("SELECT tensorsketch_fit(tensorsketch_merge(list(s)), '') FROM wide_sums");
console.log(`# merge of 20 sums and fit: ${Math.round(performance.now() - began)} ms`);

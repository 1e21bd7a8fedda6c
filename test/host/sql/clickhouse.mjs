// ClickHouse, as chdb has it, runs the statements of docs/sql.md: node clickhouse.mjs PAGE MODULE FOLDER. FOLDER has
// t.csv and start.tsm.
import assert from "node:assert/strict";
import { join } from "node:path";
import chdb from "chdb";
import { isWrong, number, report, speed, statements } from "./statements.mjs";

const [page, module, folder] = process.argv.slice(2);
const session = new chdb.Session(join(folder, "data"), { connectionArgs: ["--allow_experimental_webassembly_udf=1"] });
const ask = (sql) => session.query(sql, "TabSeparatedRaw");
const file = (name, format, columns) => `file('${join(folder, name)}', '${format}', '${columns}')`;

for (const sql of statements(page, "sql clickhouse")) ask(sql.replace("'tensorsketch.host.wasm'", `'${module}'`));
ask(`CREATE TABLE t ENGINE = Memory AS SELECT i, [a, b, c] AS x, y AS label
  FROM ${file("t.csv", "CSVWithNames", "i UInt32, a Float32, b Float32, c Float32, y String")}`);
let accuracy;
for (const sql of statements(page, "sql")) {
  if (isWrong(sql)) {
    assert.throws(() => ask(sql), /returned nullptr/);
    const why = ask(sql.replace("tensorsketch_sums", "tensorsketch_sums_error"));
    assert.match(String(why), /labels must be 2, since there are 2 rows.*got 1/);
  } else {
    const out = String(ask(sql));
    if (sql.startsWith("SELECT")) accuracy = Number(out);
  }
}
const model = String(ask("SELECT model FROM model"));
const fromStart = String(ask(`WITH spec AS (SELECT tensorsketch_spec_of(s) AS spec
    FROM ${file("start.tsm", "RawBLOB", "s String")}),
  sums AS (SELECT tensorsketch_sums(any(spec), groupArray(x), groupArray(label)) AS s
    FROM t CROSS JOIN spec GROUP BY i % 7)
  SELECT tensorsketch_fit(tensorsketch_merge(groupArray(s)), '{}') FROM sums`));
report("clickhouse", accuracy, model, fromStart);

const n = 100_000;
ask(`CREATE TABLE wide ENGINE = Memory AS SELECT number AS i,
  arrayMap(j -> (${number("i", "j")}) :: Float32, range(64)) AS x, toString(i % 3) AS label FROM numbers(${n})`);
ask(`CREATE TABLE wide_spec ENGINE = Memory AS SELECT tensorsketch_spec('{"nComponents":256,"degree":2,"folds":1,
  "candidates":["polynomial-2"]}', groupArray(x), groupArray(label)) AS spec FROM wide WHERE i < 400`);
let began = performance.now();
ask(`CREATE TABLE wide_sums ENGINE = Memory AS
  SELECT tensorsketch_sums(any(spec), groupArray(x), groupArray(label)) AS s
  FROM wide CROSS JOIN wide_spec GROUP BY intDiv(i, 5000) SETTINGS max_threads = 1`);
speed(`ClickHouse ${String(ask("SELECT version()")).trim()}, sums, d 64, D 256`, n, began);
began = performance.now();
ask("SELECT ignore(tensorsketch_fit(tensorsketch_merge(groupArray(s)), '')) FROM wide_sums");
console.log(`# merge of 20 sums and fit: ${Math.round(performance.now() - began)} ms`);
session.cleanup();

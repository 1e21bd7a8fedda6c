// Features and predictions in DuckDB, by functions of Node: npm ci && npm install --no-save ../../dist/npm &&
// node example.js
import assert from "node:assert/strict";
import { DuckDBInstance } from "@duckdb/node-api";
import { load } from "tensorsketch";
import { registerFeatures, registerPredict } from "./udf.js";

const n = 100_000, d = 16;
const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
await connection.run("SELECT setseed(0.5)");
await connection.run(`CREATE TABLE t AS SELECT i, [random()::FLOAT - 0.5::FLOAT FOR _ IN range(${d})] AS x
  FROM range(${n}) AS r(i)`);
await connection.run("ALTER TABLE t ADD COLUMN label VARCHAR");
await connection.run("UPDATE t SET label = CASE WHEN x[1] * x[2] > 0 THEN 'same' ELSE 'different' END");

// A model learns from 5,000 rows of the table.
const ask = async (sql) => (await connection.runAndReadAll(sql)).getRowsJS();
const rows = await ask("SELECT x, label FROM t WHERE i < 5000 ORDER BY i");
const ts = await load();
const map = ts.featureMap({ nFeatures: d, nComponents: 256, degree: 2, coef0: 1, seed: 5 });
const model = await ts.fit(Float32Array.from(rows.flatMap(([x]) => x)), rows.map(([, label]) => label), { map });
registerFeatures(connection, "features", map);
registerPredict(connection, "predict", model);

// The same bits and labels as without DuckDB.
for (const [x, z, label] of await ask("SELECT x, features(x), predict(x) FROM t WHERE i >= 5000 LIMIT 3000")) {
  assert.deepEqual(Float32Array.from(z), map.transform(Float32Array.from(x)));
  assert.equal(label, model.predict(Float32Array.from(x))[0]);
}
const [[right]] = await ask("SELECT avg((predict(x) = label)::INT) FROM t WHERE i >= 5000");
console.log(`${(100 * right).toFixed(1)} % of the other rows have the predicted label`);
assert.deepEqual(await ask("SELECT features(NULL), predict(NULL::FLOAT[])"), [[null, null]]);
await assert.rejects(ask("SELECT features([1, 2]::FLOAT[])"), /features: a row has 2 numbers, want 16/);
await assert.rejects(ask(`SELECT features([NULL FOR _ IN range(${d})]::FLOAT[])`), /features: .*must be finite/);

for (const [name, sql] of [["features", "sum(features(x)[1])"], ["predict", "count(predict(x))"]]) {
  const before = performance.now();
  await ask(`SELECT ${sql} FROM t`);
  console.log(`${name}: ${Math.round(n / ((performance.now() - before) / 1000))} rows/s, d ${d}, D 256`);
}

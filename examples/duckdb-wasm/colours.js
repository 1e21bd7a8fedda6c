// A query of DuckDB-wasm becomes a classifier. ts.fit takes the Arrow table of the result as rows: its numeric columns
// are the features, and its text column has the labels. A colour is grey if its red, green and blue are nearly equal,
// which no linear model can tell. The columns are from 0 to 1 already; scale others in the query.
//
// Run it in this folder, after ./build.sh dist:
//
//     npm install --no-save ../../dist/npm && node colours.js
//
// It writes ../model.json, with which ../predict.html predicts, and prints:
//
//     1000 new rows have 128 features each
//     right on new rows: 97.8 %, a linear model: 57.6 %
//     R² on rows held out: 0.765, a linear model: -0.003

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createDuckDB, NODE_RUNTIME, VoidLogger } from "@duckdb/duckdb-wasm/blocking";
import { load } from "tensorsketch";

// In a page, take AsyncDuckDB and await each query. The tables are the same.
const mainModule = fileURLToPath(import.meta.resolve("@duckdb/duckdb-wasm/dist/duckdb-eh.wasm"));
const db = await createDuckDB({ mvp: { mainModule }, eh: { mainModule } }, new VoidLogger(), NODE_RUNTIME);
await db.instantiate();
const connection = db.connect();

connection.query("SELECT setseed(0.5)");
connection.query(`CREATE TABLE colours AS
  SELECT id, red, green, blue,
    CASE WHEN greatest(red, green, blue) - least(red, green, blue) < 0.45 THEN 'grey' ELSE 'vivid' END AS label
  FROM (SELECT id, random() AS red, random() AS green, random() AS blue FROM range(5000) AS numbers(id))`);
const train = connection.query("SELECT red, green, blue, label FROM colours WHERE id < 4000");
const test = connection.query("SELECT red, green, blue, label FROM colours WHERE id >= 4000");

const ts = await load();
const labels = train.getChild("label");
const model = await ts.fit(train, labels, { map: { nComponents: 128, degree: 4 } });
const linear = await ts.fit(train, labels, { map: { nComponents: 128, degree: 1 } }); // degree 1 has no products

const features = model.map.transform(test); // a Float32Array; predict and evaluate take the table itself
console.log(`${test.numRows} new rows have ${features.length / test.numRows} features each`);
const percent = (fitted) => `${(100 * fitted.evaluate(test, test.getChild("label")).accuracy).toFixed(1)} %`;
console.log(`right on new rows: ${percent(model)}, a linear model: ${percent(linear)}`);

// The report compares as well, on rows held out of the training, and needs no second fit.
const { heldOut, linear: beside } = model.report;
console.log(`R² on rows held out: ${heldOut.r2.toFixed(3)}, a linear model: ${beside.heldOut.r2.toFixed(3)}`);

writeFileSync(new URL("../model.json", import.meta.url), JSON.stringify(model));
ts.dispose();

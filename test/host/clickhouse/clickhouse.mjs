// ClickHouse, as chdb has it, runs tensorsketch.host.wasm: node clickhouse.mjs LIBRARY MODULE FOLDER. LIBRARY is the
// folder of the npm package, with whose bits it compares, and FOLDER is empty.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import chdb from "chdb";

const [library, module, folder] = process.argv.slice(2).map((path) => resolve(path));
const { load } = await import(pathToFileURL(join(library, "tensorsketch.js")));
const n = 100_000, d = 64, D = 256;

const ts = await load();
const map = ts.featureMap({ nFeatures: d, nComponents: D, degree: 2, coef0: 1, seed: 5 });
const X = new Float32Array(n * d);
let state = 1;
for (let i = 0; i < X.length; i++) {
  state = (Math.imul(state, 1664525) + 1013904223) | 0;
  X[i] = state / 2 ** 31;
}
const labels = Array.from({ length: 2000 }, (_, i) => (X[i * d] > X[i * d + 1] ? "first" : "second"));
const model = await ts.fit(X.subarray(0, 2000 * d), labels, { map, search: "off" });

const identity = join(folder, "identity.wasm");
execFileSync("wasm-as", [join(import.meta.dirname, "identity.wat"), "--enable-bulk-memory", "-o", identity]);
const text = (value) => `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
const session = new chdb.Session(join(folder, "data"), { connectionArgs: ["--allow_experimental_webassembly_udf=1"] });
const ask = (sql, format = "TabSeparatedRaw") => session.query(sql, format);

for (const [name, file] of [["tensorsketch", module], ["identity", identity]]) {
  ask(`INSERT INTO system.webassembly_modules (name, code)
    SELECT '${name}', code FROM file(${text(file)}, 'RawBLOB', 'code String')`);
}
const define = (name, from, takes, returns) =>
  ask(`CREATE FUNCTION ${name} LANGUAGE WASM ABI BUFFERED_V1 FROM '${from}' :: '${name}' ARGUMENTS (${takes})
    RETURNS ${returns} SETTINGS serialization_format = 'RowBinary', webassembly_udf_enable_fuel = false`);
const takes = "model String, row Array(Float32)";
define("tensorsketch_features", "tensorsketch", takes, "Array(Float32)");
define("tensorsketch_predict", "tensorsketch", takes, "String");
define("tensorsketch_probabilities", "tensorsketch", takes, "Array(Float64)");
define("tensorsketch_error", "tensorsketch", takes, "String");
define("unchanged", "identity", "row Array(Float32)", "Array(Float32)");

// The rows, as a table, and the model, as a row of another.
const rows = new DataView(new ArrayBuffer(n * (1 + 4 * d)));
for (let i = 0, at = 0; i < n; i++) {
  rows.setUint8(at++, d);
  for (let j = 0; j < d; j++, at += 4) rows.setFloat32(at, X[i * d + j], true);
}
writeFileSync(join(folder, "rows.bin"), rows);
writeFileSync(join(folder, "model.json"), JSON.stringify(model));
ask("CREATE TABLE t (id UInt32, x Array(Float32)) ENGINE = MergeTree ORDER BY id");
ask(`INSERT INTO t SELECT rowNumberInAllBlocks(), x FROM file(${text(join(folder, "rows.bin"))}, 'RowBinary',
  'x Array(Float32)') SETTINGS max_threads = 1, max_insert_threads = 1`);

const MODEL = `(SELECT m FROM file(${text(join(folder, "model.json"))}, 'RawBLOB', 'm String'))`;
const settings = "SETTINGS max_threads = 1, max_block_size = 8192";
const call = (name) => `${name}(if(rowNumberInBlock() = 0, ${MODEL}, ''), x)`;
let failed = 0;
const check = (name, ok) => {
  if (!ok) failed++;
  console.log(`${ok ? "ok" : "not ok"} - ${name}`);
};

// written returns the bytes of one column, in the format RowBinary.
function written(expression, type) {
  const file = join(folder, `${Math.random()}.bin`);
  ask(`INSERT INTO FUNCTION file(${text(file)}, 'RowBinary', 'r ${type}')
    SELECT ${expression} FROM (SELECT * FROM t ORDER BY id) ${settings}`);
  return readFileSync(file);
}

// numbers returns the arrays of K numbers, each with the bytes of its length before.
function numbers(bytes, Kind, K) {
  const head = K < 128 ? 1 : 2;
  const size = head + K * Kind.BYTES_PER_ELEMENT;
  const all = new Uint8Array(n * K * Kind.BYTES_PER_ELEMENT);
  for (let i = 0; i < n; i++) all.set(bytes.subarray(i * size + head, (i + 1) * size), i * (size - head));
  return bytes.length === n * size ? Buffer.from(all.buffer) : Buffer.alloc(0);
}

const bytesOf = (values) => Buffer.from(values.buffer, values.byteOffset, values.byteLength);

const features = written(call("tensorsketch_features"), "Array(Float32)");
check("features have the bits of the npm package",
  numbers(features, Float32Array, D).equals(bytesOf(map.transform(X))));
const predicted = model.predict(X);
const names = written(call("tensorsketch_predict"), "String");
check("labels are the npm package's", names.equals(Buffer.concat(predicted.map((label) =>
  Buffer.from([label.length, ...Buffer.from(label)])))));
const probabilities = written(call("tensorsketch_probabilities"), "Array(Float64)");
check("probabilities have the bits of the npm package",
  numbers(probabilities, Float64Array, 2).equals(bytesOf(model.probabilities(X))));
const unchanged = written("unchanged(x)", "Array(Float32)");
check("the function without work returns its input", unchanged.equals(Buffer.from(rows.buffer)));

const small = JSON.stringify(ts.featureMap({ nFeatures: 2, nComponents: 4, seed: 5 }));
const row = (file, x) => `(${text(file)}, [${x}] :: Array(Float32))`;
const constant = ask(`SELECT sum(length(tensorsketch_features${row(small, "number, 1")})) FROM numbers(1000)`);
check("a constant model in every row", String(constant).trim() === "4000");
for (const [what, args, want] of [
  ["a bad model", row("{", "1, 2"), "not a JSON object"],
  ["a row too short", row(small, "1"), "the row has 1 numbers"],
  ["NaN", row(small, "nan, 1"), "finite"],
]) {
  let error = "";
  try {
    ask(`SELECT tensorsketch_features${args}`);
  } catch (e) {
    error = String(e);
  }
  const why = String(ask(`SELECT tensorsketch_error${args}`));
  check(`${what} is an error, and tensorsketch_error says why`, /returned nullptr/.test(error) && why.includes(want));
}

const functions = ["tensorsketch_features", "tensorsketch_predict"].map((name) => [name, call(name)]);
for (const [name, expression] of [["no function", "x"], ["unchanged", "unchanged(x)"], ...functions]) {
  const times = [];
  for (let round = 0; round < 3; round++) {
    const before = performance.now();
    ask(`SELECT count() FROM (SELECT ${expression} AS r FROM t) WHERE NOT ignore(r) ${settings}`);
    times.push(performance.now() - before);
  }
  const speed = Math.round(n / (times.sort((a, b) => a - b)[1] / 1000));
  console.log(`# ${name}: ${speed} rows/s, in one thread, d ${d}, D ${D}`);
}
session.cleanup();
process.exit(failed ? 1 : 0);

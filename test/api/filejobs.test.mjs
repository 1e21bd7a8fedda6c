// fit, predict and evaluate of tensorsketch/dataset: against the command line on tables of ../shared/data/tables, which
// are skipped by name without the tables or Go, and on rows as objects.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { dist, load } from "./helper.mjs";

const { evaluate, fit, loadDataset, predict } = await import(new URL("dataset.js", dist));
const root = fileURLToPath(new URL("../../", import.meta.url));
const tables = resolve(process.env.TENSORSKETCH_DATA ?? `${root}../shared/data`, "tables");
const folder = mkdtempSync(join(tmpdir(), "filejobs-")), program = join(folder, "tensorsketch");
const ts = await load({ threads: 0, dataset: loadDataset });
// tools/check allows this reason: test/cases/cases.go has it, too
let skip = existsSync(tables) ? false : `nothing lies beside the project: there is no ${tables}`;

before(() => {
  try {
    if (!skip) execFileSync("go", ["build", "-o", program, "./cmd/tensorsketch"], { cwd: root, stdio: "pipe" });
  } catch (error) {
    skip = `the command line cannot be built: ${error.message}`;
  }
});
after(() => rmSync(folder, { recursive: true }));

/** What the command line writes to a file. */
function shell(name, ...args) {
  execFileSync(program, [...args, "-o", join(folder, name), "--quiet"], { stdio: "pipe" });
  return readFileSync(join(folder, name), "utf8").trimEnd();
}

for (const [table, search] of [["segment", "off"], ["credit-g", "off"], ["heart-c", "auto"], ["autompg", "auto"]]) {
  test(`${table}, search ${search}: model, predictions and metrics are the command line's`, async (t) => {
    if (skip) return t.skip(skip);
    const file = join(tables, `${table}.csv.gz`);
    const label = gunzipSync(readFileSync(file)).toString().split("\n", 1)[0].split(",").at(-1);
    const want = shell("model.json", "fit", file, "--label", label, "--components", "64", "--search", search);
    const { model, report } = await fit(ts, file, { label, map: { nComponents: 64 }, search });
    assert.ok(model === want, `the model is another: ${model.slice(0, 300)}`);
    assert.equal(report.candidates?.chosen !== undefined, search === "auto");
    assert.ok(report.rows > 100 && report.task === (report.classes ? "classify" : "regress"));
    const path = join(folder, "model.json");
    let csv = "";
    const decoder = new TextDecoder();
    const reply = await predict(ts, file, { model, columns: { noLabel: true },
      write: (bytes) => (csv += decoder.decode(bytes, { stream: true })) });
    assert.equal(csv.trimEnd(), shell("predictions.csv", "predict", file, "--model", path));
    assert.equal(reply.rows + reply.unused, csv.trimEnd().split("\n").length - 1);
    const judged = JSON.parse(execFileSync(program, ["evaluate", file, "--model", path, "--json"]));
    assert.deepEqual(await evaluate(ts, file, { model }), judged);
  });
}

for (const [table, cell] of [["segment", Number], ["credit-g", String]]) {
  test(`${table}, rows as objects: the model is the command line's of the CSV`, async (t) => {
    if (skip) return t.skip(skip);
    const file = join(tables, `${table}.csv.gz`);
    const [names, ...lines] = gunzipSync(readFileSync(file)).toString().trim().split("\n").slice(0, 301)
      .map((line) => line.split(","));
    writeFileSync(join(folder, "rows.csv"), [names, ...lines].map((line) => `${line.join()}\n`).join(""));
    const label = names.at(-1);
    const want = shell("model.json", "fit", join(folder, "rows.csv"), "--label", label, "--components", "64",
      "--search", "off");
    const rows = lines.map((line) => Object.fromEntries(line.map((text, i) =>
      [names[i], names[i] === label ? text : cell(text)])));
    const model = await ts.fit(rows, { label, map: { nComponents: 64 }, search: "off" });
    assert.ok(JSON.stringify(model) === want, `the model is another: ${JSON.stringify(model).slice(0, 900)}`);
    const { predictions } = await predict(ts, join(folder, "rows.csv"), { model, columns: { noLabel: true } });
    assert.deepEqual(model.predict(rows), predictions.map(({ prediction }) => prediction));
  });
}

// Each call has its sums read, and 190 rows at a time of a map with 1,024 components took 4 times as long as thousands.
test("rows of a file are added by thousands", async (t) => {
  if (skip) return t.skip(skip);
  const learner = ts.learner({ map: { nFeatures: 2 }, task: "classify", radius: 1 });
  const { mock } = t.mock.method(Object.getPrototypeOf(learner), "addAsync");
  learner.dispose();
  await fit(ts, join(tables, "segment.csv.gz"), { label: "class", map: { nComponents: 1024 }, search: "off" });
  assert.deepEqual(mock.calls.map(({ arguments: [, labels] }) => labels.length), [2310]);
});

// Each row without a label ended a call.
test("rows without a label do not part the others", async (t) => {
  const learner = ts.learner({ map: { nFeatures: 2 }, task: "classify", radius: 1 });
  const { mock } = t.mock.method(Object.getPrototypeOf(learner), "addAsync");
  learner.dispose();
  const rows = Array.from({ length: 200 }, (_, i) => `${i % 7},${i % 3},${i % 10 === 9 ? "" : "ab"[i % 2]}`);
  const csv = (rows) => new TextEncoder().encode(["x,z,label", ...rows, ""].join("\n"));
  const options = { label: "label", map: { nComponents: 64 }, search: "off" };
  const { model, report } = await fit(ts, csv(rows), options);
  assert.deepEqual(mock.calls.map(({ arguments: [, labels] }) => labels.length), [180]);
  assert.equal(report.unused, 20);
  assert.equal(model, (await fit(ts, csv(rows.filter((row) => !row.endsWith(","))), options)).model);
});

const people = Array.from({ length: 120 }, (_, i) => ({ age: 20 + (i % 50), town: ["Ulm", "Bonn"][i % 2],
  likes: i % 50 < 25 ? 1 : 0 }));

test("rows as objects: labels come back as they went in, and rows without an answer keep their place", async () => {
  const { model, report } = await fit(ts, people, { label: "likes", map: { nComponents: 128 }, search: "off",
    columns: { unitNorm: false } });
  assert.deepEqual(report.classes, [0, 1]);
  const { predictions, task, unused } = await predict(ts, [{ age: 22, town: "Ulm" }, { age: null, town: "Bonn" },
    { age: 66, town: "Bonn" }], { model: JSON.parse(model), probabilities: true });
  assert.equal(task, "classify");
  assert.equal(unused, 1);
  assert.deepEqual(predictions.map(({ prediction }) => prediction), [1, null, 0]);
  assert.ok(predictions[0]["probability 1"] > 0.9 && predictions[1].why.includes("the cell is missing"));
  const { accuracy } = await evaluate(ts, people, { model: ts.fromJSON(model) });
  assert.ok(accuracy.value > 0.9, `${accuracy.value}`);
});

test("numbers are predicted as numbers, with intervals", async () => {
  const rows = people.map(({ age }) => ({ age, pay: 1000 + 7.5 * age }));
  const { model, report } = await fit(ts, rows, { label: "pay", task: "regress", columns: { unitNorm: false },
    search: "off" });
  assert.equal(report.task, "regress");
  const { predictions: [{ prediction }] } = await predict(ts, [{ age: 40 }], { model });
  assert.ok(Math.abs(prediction - 1300) < 5, `${prediction}`);
  const { r2 } = await evaluate(ts, rows, { model });
  assert.ok(r2.value > 0.99);
});

test("errors name argument, value and remedy; what runs can be stopped", async () => {
  await assert.rejects(fit(ts, people, { lable: "likes" }), { code: "ERR_PARAM", message: /lable.*label/ });
  await assert.rejects(fit(ts, people, { label: "town", alpha: 1, alphaRange: [1, 2] }), { name: "DatasetError",
    argument: "alphaRange", message: /alphaRange is for alpha auto; leave one out/ });
  await assert.rejects(fit(ts, people, { label: "toun" }),
    { name: "DatasetError", argument: "label", message: /toun.*town/ });
  await assert.rejects(predict(ts, people, {}), { code: "ERR_PARAM", argument: "model" });
  await assert.rejects(predict(ts, people, { model: "{}", format: "csv" }), { code: "ERR_PARAM", argument: "write" });
  await assert.rejects(fit(ts, people, { label: "likes", map: { degree: 0.5 } }), { message: /degree/ });
  const reason = new Error("enough");
  await assert.rejects(fit(ts, people, { label: "likes", signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  const phases = [];
  const stopped = fit(ts, people, { label: "likes", signal: controller.signal,
    onProgress: (phase) => (phases.push(phase), controller.abort(reason)) });
  await assert.rejects(stopped, reason);
  assert.ok(phases.length > 0);
});

// A prediction that is stopped had replied with the rows that it had done, or with none.
test("predict and evaluate reject with the reason when they are aborted", async () => {
  const rows = Array.from({ length: 5000 }, (_, i) => ({ x: i % 50, k: i % 50 < 25 ? "a" : "b" }));
  const { model } = await fit(ts, rows.slice(0, 200), { label: "k", search: "off", map: { nComponents: 32 } });
  const reason = new Error("enough");
  for (const [name, work] of [["predict", predict], ["evaluate", evaluate], ["predict with write",
    (ts, rows, options) => predict(ts, rows, { ...options, write() {} })]]) {
    const controller = new AbortController();
    const { signal } = controller;
    await assert.rejects(work(ts, rows, { model, signal, onProgress: () => controller.abort(reason) }), reason, name);
    assert.ok(controller.signal.aborted, `${name} tells its progress`);
  }
});

// It was swallowed: the work went on to its end.
test("what onProgress throws ends the work and rejects it", async () => {
  const mine = new Error("mine");
  const options = { label: "likes", search: "off", map: { nComponents: 32 } };
  const { model } = await fit(ts, people, options);
  for (const onProgress of [() => { throw mine; }, async () => { throw mine; }]) {
    await assert.rejects(fit(ts, people, { ...options, onProgress }), mine);
    await assert.rejects(ts.fit(people, { ...options, onProgress }), mine);
    await assert.rejects(predict(ts, people, { model, onProgress }), mine);
    await assert.rejects(evaluate(ts, people, { model, onProgress }), mine);
  }
});

test("a Dataset of one's own reads the rows", async () => {
  const dataset = await loadDataset({ maxMemory: 2 ** 28 });
  const { report } = await fit(ts, people, { label: "likes", map: { nComponents: 32 }, search: "off", dataset });
  assert.equal(report.rows, 120);
  dataset.dispose();
  await assert.rejects(fit(ts, people, { label: "likes", dataset }), { message: /disposed/ });
});

test("what is misspelt, or cannot be sent, is an error that names it", async () => {
  const rows = Array.from({ length: 40 }, (_, i) => ({ x: i, k: i % 2 ? "a" : "b" }));
  const common = { label: "k", search: "off", map: { nComponents: 8 } };
  for (const [options, argument, message] of [
    [{ columns: { scalin: "none" } }, "scalin", 'unknown key of columns "scalin"; did you mean scaling?'],
    [{ columns: { roles: { categorie: ["x"] } } }, "categorie", 'unknown role "categorie"; did you mean category?'],
    [{ columns: ["x"] }, "columns", "columns must be a plain object, got an array of length 1"],
    [{ columns: 5 }, "columns", "columns must be a plain object, got 5"],
    [{ map: { nComponent: 8 } }, "nComponent", 'unknown key of map "nComponent"; did you mean nComponents?'],
    [{ map: "tensor-sketch" }, "map", 'map must be a plain object, got "tensor-sketch"'],
    [{ map: ts.featureMap({ nFeatures: 1 }) }, "map",
      /^map must be parameters such as { nComponents: 1024 }, since columns decide .*, got an object \(FeatureMap\)$/],
    [{ map: ts.featureMap({ nFeatures: 1 }).toJSON() }, "map", /^map must be parameters .*, got an object \(Object\)$/],
    [{ map: null }, "map", "map must be a plain object, got null"],
    [{ map: { nComponents: NaN } }, "map", "map must hold texts, finite numbers, true and false, got NaN"],
    [{ map: { nComponents: 0 } }, "nComponents", "nComponents must be > 0, or left out, got 0"],
    [{ map: { gamma: 0 } }, "gamma", "gamma must be > 0, or left out, got 0"],
    [{ map: { seed: NaN } }, "seed", "seed must be an integer from 0 to 2^64 − 1, or well-formed text, got NaN"],
    [{ map: { seed: new Uint8Array(32) } }, "seed", /^seed must be an integer .*, got Uint8Array of 32 bytes$/],
    [{ alpha: NaN }, "alpha", "alpha must hold texts, finite numbers, true and false, got NaN"],
    [{ alpha: 0 }, "alpha", "alpha must be > 0, or left out, got 0"],
    [{ alpha: 1n }, "alpha", "alpha must hold texts, finite numbers, true and false, got 1n"],
    [{ alphaRange: [1, Infinity] }, "alphaRange", /^alphaRange must hold texts, finite numbers.*, got Infinity$/],
    [{ targetRange: [] }, "targetRange", "targetRange must not be empty: leave it out"],
    [{ classes: [] }, "classes", "classes must not be empty: leave it out"],
    [{ folds: null }, "folds", "folds must not be empty: leave it out"],
    [{ task: "" }, "task", "task must not be empty: leave it out"],
    [{ search: [] }, "search", "search must not be empty: leave it out"],
    [{ label: 2 }, "label", "label must be the name of a column, or its number from 1 as a text, got 2"],
    [{ onProgress: 5 }, "onProgress", "onProgress must be a function, got 5"],
    [{ signal: {} }, "signal", "signal must be an AbortSignal, got an object (Object)"],
    [{ dataset: {} }, "dataset", "dataset must be what loadDataset returns, got an object (Object)"],
  ]) {
    const want = { name: "TensorSketchError", code: "ERR_PARAM", argument, message };
    await assert.rejects(fit(ts, rows, { ...common, ...options }), want, JSON.stringify(Object.keys(options)));
    if (options.label || options.dataset) continue;
    await assert.rejects(ts.fit(rows, { ...common, ...options }), { code: "ERR_PARAM" }, Object.keys(options)[0]);
  }
  const { model } = await fit(ts, rows, { ...common, columns: undefined, alpha: undefined, signal: undefined });
  await assert.rejects(predict(ts, rows, { model, interval: NaN }), { code: "ERR_PARAM", argument: "interval" });
  await assert.rejects(predict(ts, rows, { model, interval: 0 }), { code: "ERR_PARAM", argument: "interval" });
  await assert.rejects(predict(ts, rows, { model, classWeight: null }), { code: "ERR_PARAM", argument: "classWeight" });
  await assert.rejects(predict(ts, rows, { model, write: 5 }), { code: "ERR_PARAM", argument: "write" });
  for (const wrong of [Promise.resolve(model), new Response(model), undefined, 5]) {
    for (const call of [predict, evaluate]) {
      await assert.rejects(call(ts, rows, { model: wrong }), { argument: "model",
        message: /^model must be a model: the model that fit returned, a Model, or a model file, got / });
    }
  }
  await assert.rejects(evaluate(ts, rows, { model, columns: { scalin: "none" } }), { argument: "scalin" });
});

// A list in one row makes a column of lists, and the other rows are left out. The error did not say that.
test("an error has what was seen in the file before it", async () => {
  const rows = Array.from({ length: 80 }, (_, i) => ({ a: i, b: i === 0 ? [1, 2] : i, y: i % 2 ? "yes" : "no" }));
  await assert.rejects(fit(ts, rows, { label: "y" }), ({ name, notes }) => {
    const [left] = notes.filter(({ code }) => code === "rows-left-out");
    assert.deepEqual([name, left.count], ["DatasetError", 79]);
    assert.match(left.what, /^79 rows are left out, the first at row 2, key "b": there is no list of 2 numbers$/);
    return true;
  });
});

test("a promise that write returns is awaited, and what it throws or rejects ends the work", async () => {
  const { model } = await fit(ts, people, { label: "likes", search: "off", map: { nComponents: 32 } });
  const many = Array.from({ length: 300 }, () => people).flat(), mine = new Error("mine");
  let writing = 0, written = 0;
  const reply = await predict(ts, many, { model, async write(bytes) {
    assert.equal(++writing, 1);
    await new Promise((resolve) => setTimeout(resolve, 1));
    written += bytes.length;
    writing--;
  } });
  assert.deepEqual([reply.rows, writing], [many.length, 0]);
  assert.ok(written > 5 * many.length);
  for (const write of [() => { throw mine; }, async () => { throw mine; }]) {
    await assert.rejects(predict(ts, many, { model, write }), mine);
  }
  const stop = new AbortController();
  await assert.rejects(predict(ts, many, { model, signal: stop.signal, write() {
    setTimeout(() => stop.abort("enough"));
    return new Promise(() => {});
  } }), (reason) => reason === "enough");
});

test("a key, a format and a reading that are none are named", async () => {
  const options = { label: "likes", search: "off", map: { nComponents: 32 } };
  const fitted = await fit(ts, people, options), { model } = fitted, key = new Uint8Array(32);
  await assert.rejects(predict(ts, people, { model: fitted }), { argument: "model",
    message: "model must be a model: the model that fit returned, a Model, or a model file, got an object (Object)" });
  for (const call of [predict, evaluate]) {
    for (const wrong of ["abc", 5, null, new Uint8Array(3)]) {
      await assert.rejects(call(ts, people, { model, key: wrong }), { code: "ERR_PARAM", argument: "key",
        message: /^key must be a Uint8Array of 32 bytes/ });
    }
  }
  const keyed = await ts.fit([[1, 2], [3, 4]], ["a", "b"], { search: "off",
    map: ts.featureMap({ nFeatures: 2, nComponents: 8, key }) });
  await assert.rejects(predict(ts, [[1, 2]], { model: keyed }), { name: "DatasetError", message: /, give it as key$/ });
  assert.equal((await predict(ts, [[1, 2]], { model: keyed, key })).predictions[0].prediction, "a");
  await assert.rejects(predict(ts, people, { model, format: "xls", write() {} }), { name: "DatasetError",
    message: /^format must be one of csv, jsonl, .*, got "xls"$/ });
  for (const [given, argument] of [
    [{ reading: new Map([["delimiter", ";"]]) }, "reading"],
    [{ columns: { roles: new Map([["ignore", ["age"]]]) } }, "roles"],
    [{ columns: { roles: ["age"] } }, "roles"],
    [{ map: { method: "random-fourier", methodParams: new Map([["kernel", "laplacian"]]) } }, "methodParams"],
  ]) {
    await assert.rejects(fit(ts, people, { ...options, ...given }), { code: "ERR_PARAM", argument,
      message: new RegExp(`^${argument} must be a plain object, got an`) });
  }
  await assert.rejects(fit(ts, people, { ...options, map: { seed: "\ud800" } }), { code: "ERR_PARAM", argument: "seed",
    message: /^seed must be an integer from 0 to 2\^64 − 1, or well-formed text, got "/ });
});

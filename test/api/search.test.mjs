// A search for a model (ts.fit, ts.prepare): the same bytes as Go, narrowing, progress and abort.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { generator, loadFor, randomRows, rejectionOf, watchWorkers } from "./helper.mjs";

const sign = (x) => (x > 0 ? "up" : "down");
const plain = (row, column, v) => v / 128;
// As searchedTables of sketch/model/search_test.go.
const tables = {
  "two-classes": { n: 300, d: 4, number: plain, label: (x) => sign(Math.fround(x[0] * x[1])) },
  "three-classes": { n: 240, d: 3, number: plain, label: (x) => Math.floor(Math.fround(x[0] + 1) * 1.5) },
  numbers: { n: 260, d: 5, number: plain, target: (x) => Math.fround(x[0] * x[0]) },
  gaps: { n: 200, d: 4, number: (row, column, v) => (column === 2 && row % 7 === 0 ? NaN : v / 128),
    target: (x) => Math.fround(x[0] - x[1]) },
  codes: { n: 220, d: 6, number: (row, column, v) => (column > 2 ? (v + 100) % (column + 1) : v / 128),
    label: (x) => sign(Math.fround(Math.fround(x[4] - 1.5) + x[0])) },
  wide: { n: 180, d: 66, number: plain, kernel: "gaussian", target: (x) => Math.fround(x[0] * x[0]) },
};

function make({ n, d, number, label, target }) {
  const X = new Float32Array(n * d);
  const y = [];
  let state = 1;
  for (let row = 0; row < n; row++) {
    for (let column = 0; column < d; column++) {
      state = (state * 48271) % 2147483647;
      X[row * d + column] = number(row, column, (state % 201) - 100);
    }
    y.push((label ?? target)(X.subarray(row * d, (row + 1) * d)));
  }
  return { X, y, task: label ? "classify" : "regress" };
}

for (const [name, table] of Object.entries(tables)) {
  test(`${name}: a search and its fit have the bytes of Go`, async (t) => {
    const ts = await loadFor(t, { threads: name === "gaps" ? 0 : 2 });
    const { X, y, task } = make(table);
    const model = await ts.fit(X, y, { task, search: "auto",
      map: { nComponents: 64, ...(table.kernel && { methodParams: { kernel: table.kernel } }) } });
    const digest = createHash("sha256").update(JSON.stringify(model)).digest("hex");
    const file = new URL(`../../sketch/model/testdata/learned/searched-${name}.sha256`, import.meta.url);
    assert.equal(`${digest}\n`, readFileSync(file, "utf8"), JSON.stringify(model.report));
    const { candidates } = model.report;
    assert.ok(candidates.all.some((one) => one.name === candidates.chosen && one.behind === 0));
    assert.deepEqual(ts.fromJSON(JSON.stringify(model)).toJSON(), model.toJSON());
  });
}

test("what is typed narrows a search, and what leaves nothing says so", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const { X, y } = make({ ...tables["two-classes"], n: 150 });
  const map = { nComponents: 64 };
  const model = await ts.fit(X, y, { search: "auto", map: { degree: 2, nComponents: 32, seed: 7 } });
  assert.deepEqual(model.report.candidates.all.map(({ name }) => name), ["polynomial-2"]);
  const { degree, nComponents, seed } = model.map.toJSON();
  assert.deepEqual([degree, nComponents, Number(seed)], [2, 32, 7]);
  const far = X.slice(0, 8);
  const near = X.slice(0, 8);
  far[2] = 1e6;
  assert.deepEqual([model.cut(X), model.cut(far), model.evaluate(far, y.slice(0, 2)).cut], [model.report.cut, 1, 1]);
  const warn = t.mock.method(console, "warn", () => {});
  model.predict(near);
  assert.equal(warn.mock.callCount(), 0);
  model.predict(far);
  await model.predictAsync(far);
  const [said, ...more] = warn.mock.calls.map((call) => call.arguments[0]);
  const words = new RegExp("^tensorsketch: numbers of X that lie outside the range that the model was prepared for, " +
    "and count as its end, or that are missing where none was, and count as the mean: 1\\. Check them\\.");
  assert.match(said, words); // a missing number was said to lie outside
  assert.deepEqual(more, []);
  const gap = ts.fromJSON(JSON.stringify(model), { task: "classify" });
  gap.predict([...X.slice(0, 3), NaN]);
  assert.match(warn.mock.calls[1].arguments[0], words);
  const drops = model.importance(X, y).map(({ drop, stdError }) => drop / stdError);
  assert.ok(Math.min(drops[0], drops[1]) > 5 && drops.length === 4, String(drops));
  const [pair] = model.importance(X, y, { columns: [[0, 1]] });
  assert.ok(pair.drop > 0.2 && pair.stdError < 0.05);
  const named = await ts.prepare(X, y, { search: ["linear", "gaussian"], map });
  assert.deepEqual(named.candidates.all.map(({ name }) => name), ["gaussian", "linear"]);
  const learner = ts.learner(JSON.parse(JSON.stringify({ ...named, candidates: undefined })));
  await learner.addAsync(X, y);
  assert.ok((await learner.fit()).evaluate(X, y).accuracy > 0.5);
  const many = Float32Array.from({ length: 80200 }, (_, i) => Math.sin(i * i)); // of these 40,000 rows are searched
  const spec = await ts.prepare(many, Array.from({ length: 40100 }, (_, i) => many[2 * i]), { task: "regress",
    search: ["linear"] });
  assert.deepEqual([spec.keep, spec.candidates.rows], [2000 / 40100, 4000]);
  const kept = await ts.fit(X, y, { search: ["linear"], indicators: [1] });
  assert.deepEqual(kept.preparation.columns[1], { indicator: true });
  await rejectionOf(ts.fit(X, y, { search: ["linear"], indicators: [4] }), "ERR_PARAM", "indicators");
  await rejectionOf(ts.fit(X, y, { search: ["linear"], radius: 1 }), "ERR_PARAM", "search", /radius leaves nothing/);
  await rejectionOf(ts.fit(X, y, { search: ["linaer"] }), "ERR_PARAM", "search", /gaussian-wide/);
});

test("a search tells its progress, and ends when it is aborted", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 1 });
  await ts.warm();
  const { X, y } = make({ ...tables["two-classes"], n: 2000 });
  const abort = new AbortController();
  let at = 0;
  const told = [];
  await assert.rejects(ts.fit(X, y, { search: "auto", signal: abort.signal, onProgress(done, total) {
    told.push(done / total);
    if (told.length !== 3) return;
    at = performance.now();
    abort.abort();
  } }), { name: "AbortError" });
  t.diagnostic(`it ended ${Math.round(performance.now() - at)} ms after the abort; wanted: 200`);
  assert.deepEqual([told.length, workers[0].sent, workers[0].returned], [3, 1, 0], "it ended within a block");
  assert.deepEqual(told, [...told].sort((a, b) => a - b));
  assert.ok(told[2] > 0 && told[2] < 0.5, String(told));
});

for (const threads of [0, 2]) {
  test(`a first model comes before the search has ended, and changes no bit: ${threads} threads`, async (t) => {
    const ts = await loadFor(t, { threads });
    const { X, y } = make({ ...tables["two-classes"], n: 1200 });
    const options = { search: ["gaussian"], map: { nComponents: 64 } };
    let first;
    let told = 0;
    const model = await ts.fit(X, y, { ...options, onProgress: (done) => { told = done; }, onFirst(early) {
      assert.equal(first, undefined);
      first = early;
      assert.ok(threads > 1 || told === 0, String(told));
    } });
    if (threads < 2 || first) { // beside a search of few rows it may be late
      const { rows, candidates } = first.report;
      assert.equal(rows, 1000);
      assert.ok(candidates.heldOut.rows > 150 && candidates.heldOut.accuracy > 0.75, JSON.stringify(candidates));
      assert.ok(first.evaluate(X, y).accuracy > 0.75);
      first.dispose();
    }
    assert.equal(JSON.stringify(model), JSON.stringify(await ts.fit(X, y, options)));
  });
}

test("copies of a row that recurs often are held out one by one", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const random = generator(5), n = 2400, X = new Float32Array(3 * n), y = [];
  const contents = Float32Array.from({ length: 36 }, random), shares = Array.from({ length: 12 }, random);
  let right = 0;
  for (let row = 0; row < n; row++) {
    const at = Math.floor(12 * random());
    X.set(contents.subarray(3 * at, 3 * at + 3), 3 * row);
    y.push(random() < shares[at] ? "a" : "b");
    right += Math.max(shares[at], 1 - shares[at]);
  }
  const { report } = await ts.fit(X, y, { map: { nComponents: 128, nFeatures: 3 } });
  assert.deepEqual(report.warnings.filter((text) => /copies|equal/.test(text)),
    ["2400 of 2400 rows are copies of rows that recur often, and the search holds out each by itself"]);
  assert.ok(Math.abs(report.heldOut.accuracy - right / n) < 0.07, JSON.stringify([report.heldOut, right / n]));
});

test("a first model of sparse rows, of numbers, and none where there is no search", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const { X, y } = make(tables.numbers);
  const X2 = { indptr: Array.from({ length: 261 }, (_, i) => 5 * i), data: X,
    indices: Array.from({ length: 1300 }, (_, i) => i % 5) };
  const map = { nComponents: 32, nFeatures: 5 };
  const firsts = [];
  const onFirst = (model) => firsts.push(model);
  await ts.fit(X, y, { task: "regress", search: ["gaussian"], map, onFirst });
  await ts.fit(X2, y, { task: "regress", search: ["polynomial-2"], map, onFirst });
  await ts.fit(X, y, { task: "regress", search: "off", map, onFirst });
  assert.deepEqual(firsts.map(({ task, report: { rows } }) => [task, rows]), [["regress", 260], ["regress", 260]]);
  await rejectionOf(ts.fit(X, y, { onFirst: 1 }), "ERR_PARAM", "onFirst");
  const wrong = new Error("of the callback");
  await assert.rejects(ts.fit(X, y, { task: "regress", search: ["linear"], map, onFirst() { throw wrong; } }), wrong);
});

for (const [threads, late] of [[0, 0], [2, 0], [2, 2000]]) {
  const what = late ? "a late promise" : "a promise";
  test(`with ${threads} threads ${what} of onProgress holds a fit and a search`, async (t) => {
    const ts = await loadFor(t, { threads });
    await ts.warm();
    const d = 64, X = randomRows(2000, d);
    const y = Array.from({ length: 2000 }, (_, i) => (X[i * d] * X[i * d + 1] > 0 ? "a" : "b"));
    const learner = ts.learner({ task: "classify", map: { nFeatures: d, nComponents: 600, degree: 2 }, radius: 9 });
    learner.add(X, y);
    const work = {
      fit: (options) => learner.fit(options),
      search: (options) => ts.prepare(X, y, { search: ["gaussian", "polynomial-2"], task: "classify", ...options }),
    };
    for (const [name, begin] of Object.entries(work)) {
      let goOn, last, calls = 0, isHeld = false, hasEnded = false;
      const want = JSON.stringify(await begin({}));
      const call = begin({ onProgress(done) {
        assert.ok(!isHeld, `${name}: onProgress is called while the call is held`);
        last = done;
        if (++calls > 1) return undefined;
        for (const began = performance.now(); performance.now() - began < late;); // workers may have ended meanwhile
        isHeld = true;
        return new Promise((resolve) => (goOn = resolve));
      } });
      call.then(() => (hasEnded = true));
      while (!isHeld) await sleep(1);
      await sleep(late ? 100 : 1500); // longer than the rest takes
      assert.ok(!hasEnded, `${name} has ended while it was held`);
      isHeld = false;
      goOn();
      assert.equal(JSON.stringify(await call), want, name);
      assert.equal(last, 1, `${name}: the end is told`);
      const mine = new RangeError("mine");
      await assert.rejects(begin({ onProgress: () => Promise.reject(mine) }), mine, name);
      const stop = new AbortController();
      await assert.rejects(begin({ signal: stop.signal, onProgress: () => (stop.abort(), new Promise(() => {})) }),
        { name: "AbortError" }, name);
      assert.equal(JSON.stringify(await begin({})), want, `${name} afterwards`);
    }
  });
}

// The second worker holds folds of a fit out, and the rows are added while the search predicts those held out of it.
const shared = (() => {
  const d = 6, X = randomRows(1500, d, 11), options = { search: ["gaussian"], map: { nComponents: 512 } };
  const is = (i) => Math.sign(X[i * d] * X[i * d + 1]);
  const y = Array.from({ length: 1500 }, (_, i) => (is(i) > 0 ? "a" : X[i * d + 2] > 0 ? "b" : "c"));
  return { X, y, options, numbers: Float64Array.from({ length: 3000 }, (_, i) => is(i >> 1) + X[3 * i]) };
})();

test("a fit whose folds a second worker holds out has the same bits", async (t) => {
  const workers = watchWorkers(t);
  const [one, two] = [await loadFor(t, { threads: 0 }), await loadFor(t, { threads: 2 })];
  await two.warm();
  const { X, y, numbers } = shared;
  const map = { nFeatures: 6, nComponents: 700, degree: 2 };
  for (const [task, targets] of [["classify", y], ["regress", numbers]]) {
    const learners = [one, two].map((ts) => ts.learner({ task, map, radius: 9, folds: 5,
      ...(task === "regress" ? { targets: 2, targetRange: [-9, 9] } : {}) }));
    for (const learner of learners) await learner.addAsync(X, targets);
    const want = JSON.stringify(await learners[0].fit());
    for (const worker of workers) worker.folds = 0;
    for (let tries = 0; tries < 30 && !workers.some(({ folds }) => folds > 0); tries++) { // it may come late
      assert.equal(JSON.stringify(await learners[1].fit()), want, task);
    }
    assert.ok(workers.some(({ folds }) => folds > 0), `${task}: no fold was held out by another worker`);
    const given = { alpha: 0.5 };
    assert.equal(JSON.stringify(await learners[1].fit(given)), JSON.stringify(await learners[0].fit(given)));
  }
});

test("a worker that dies in a search or a fit changes no bit", async (t) => {
  const { X, y, options } = shared;
  const one = await loadFor(t, { threads: 0 });
  const want = await one.fit(X, y, options);
  for (const [when, is] of Object.entries({
    "holds folds out": { sent: ({ task }) => task === "folds" },
    fits: { sent: ({ task }) => task === "fit" },
    searches: { sent: ({ task }) => task === "search" },
    "predicts rows held out of the search": { got: ({ part }) => part instanceof Uint8Array },
  })) {
    let killed = 0;
    const kill = (worker) => (killed++ > 0 ? undefined : worker.terminate());
    const watch = (worker) => {
      const post = worker.postMessage.bind(worker);
      worker.postMessage = (message, ...rest) => {
        post(message, ...rest);
        if (is.sent?.(message)) kill(worker);
      };
      worker.on("message", (message) => is.got?.(message) && kill(worker));
    };
    process.on("worker", watch);
    const ts = await loadFor(t, { threads: 2 });
    await ts.warm();
    const model = await ts.fit(X, y, options);
    process.off("worker", watch);
    assert.ok(killed > 0, when);
    assert.equal(JSON.stringify(model), JSON.stringify(want), when);
    assert.deepEqual(model.report, want.report, when);
  }
});

test("with two workers progress rises to the end, and a fit is aborted after its choice", async (t) => {
  const { X, y, options } = shared;
  const ts = await loadFor(t, { threads: 2 });
  await ts.warm();
  const told = [];
  const want = await ts.fit(X, y, { ...options, onProgress: (done, total) => void told.push(done / total) });
  assert.deepEqual(told, [...told].sort((a, b) => a - b));
  assert.ok(told.at(-1) === 1 && told.some((done) => done < 0.5), String(told));
  for (const from of [0, 0.5]) {
    const stop = new AbortController();
    await assert.rejects(ts.fit(X, y, { ...options, signal: stop.signal,
      onProgress: (done) => void (done >= from && stop.abort()) }), { name: "AbortError" });
    const mine = new RangeError("mine");
    const onProgress = (done) => done >= from && Promise.reject(mine);
    await assert.rejects(ts.fit(X, y, { ...options, onProgress }), mine);
  }
  assert.equal(JSON.stringify(await ts.fit(X, y, options)), JSON.stringify(want));
});

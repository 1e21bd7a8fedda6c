// Learners and models: exact sums that merge, the same bits in any number of workers, and models that predict.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import {
  errorOf, generator, load, loadFor, randomRows, rejectionOf, toCSR, toNested, watchWorkers,
} from "./helper.mjs";

const d = 6, D = 64, n = 3000;
const ts = await load({ threads: 0 });

/** Rows of length 1 of three classes by the largest of three products, which no line tells apart. */
const X = randomRows(n, d, 4);
for (let row = 0; row < n; row++) {
  const x = X.subarray(row * d, (row + 1) * d);
  const norm = Math.hypot(...x);
  x.forEach((v, i) => { x[i] = v / norm; });
}
const y = Array.from({ length: n }, (_, row) => {
  const [a, b, c] = [0, 2, 4].map((i) => X[row * d + i] * X[row * d + i + 1]);
  return a > b && a > c ? "ä" : b > c ? "b" : "\u{1f600}";
});
const numbers = Float64Array.from({ length: n }, (_, row) => 3 * X[row * d] * X[row * d + 1] - 1);
const map = { nFeatures: d, nComponents: D, degree: 2, coef0: 1, seed: 5 };
const spec = ts.prepare(X, y, { map });
const regression = ts.prepare(X, numbers, { map, task: "regress" });

const part = (from, to) => X.subarray(from * d, to * d);
function learned(from = 0, to = n, options = spec, of = ts, targets = y) {
  const learner = of.learner(options);
  learner.add(part(from, to), targets.slice(from, to));
  return learner;
}
const textOf = (object) => JSON.stringify(object);
const whole = textOf(learned());
const large = ts.prepare(X, y, { map: { ...map, nComponents: 512, degree: 3 } }); // enough work for workers
const wholeLarge = learned(0, n, large);

test("prepare takes from rows what parts must share", () => {
  const { grid } = spec;
  assert.deepEqual([grid.limit, Number.isInteger(Math.log2(grid.step)), Number.isInteger(Math.log2(grid.linear.step))],
    [32767, true, true]);
  assert.equal(atob(grid.finer).length, D);
  assert.deepEqual({ ...spec, radius: 0, grid: undefined }, { grid: undefined,
    map: { nFeatures: d, nComponents: D, degree: 2, coef0: 1, seed: 5 },
    task: "classify", classes: ["b", "ä", "\u{1f600}"], radius: 0, folds: 1 });
  assert.equal(spec.radius, 1);
  assert.deepEqual(regression.targetRange, [Math.min(...numbers), Math.max(...numbers)]);
  assert.deepEqual([regression.folds, regression.targets], [5, 1]);
  assert.deepEqual(JSON.parse(textOf(spec)), spec, "it can be sent");
  const defaults = ts.prepare(randomRows(2, 40), [true, false]);
  assert.deepEqual(defaults.map, { nComponents: 1024, coef0: 1, nFeatures: 40, degree: 3 });
  assert.deepEqual(defaults.classes, [false, true]);
  const few = (nFeatures) => ts.prepare(randomRows(2, nFeatures), [true, false], { map: { nComponents: 512 } });
  assert.deepEqual([few(29).map.degree, few(30).map.degree], [3, 2]);
});

test("order, parts, forms of rows and weights change no bit", () => {
  const random = generator(2);
  for (let round = 0; round < 3; round++) {
    const parts = [];
    for (let from = 0; from < n;) {
      const to = Math.min(n, from + 1 + Math.floor(900 * random()));
      parts.push(learned(from, to));
      from = to;
    }
    while (parts.length > 1) {
      const at = Math.floor((parts.length - 1) * random());
      parts[at].merge(parts.splice(at + 1, 1)[0]);
    }
    assert.equal(textOf(parts[0]), whole);
  }
  for (const rows of [toNested(X, d), toCSR(X, d), Float64Array.from(X)]) {
    const learner = ts.learner(spec);
    learner.add(rows, y);
    assert.equal(textOf(learner), whole);
  }
  const twice = ts.learner(spec);
  twice.add(Float32Array.of(...X, ...X), [...y, ...y], Array.from({ length: 2 * n }, (_, row) => Number(row < n)));
  assert.equal(textOf(twice), whole);
  assert.equal(twice.count, n);
});

test("what was merged can be taken away, and a class goes with its last row", () => {
  const open = { ...spec, classes: undefined };
  const first = learned(0, 1000, open);
  const before = textOf(first);
  const other = ts.learner(open);
  other.add(part(1000, 1002), [7, "b"]);
  assert.deepEqual(other.classes, [7, "b"]);
  first.merge(other);
  assert.deepEqual(first.classes, [7, "b", "ä", "\u{1f600}"]);
  assert.equal(first.count, 1002);
  first.subtract(other);
  assert.equal(textOf(first), before);
  errorOf(() => other.subtract(first), "ERR_PARAM", "rows", /have been added before they are taken away/);
  assert.equal(textOf(first), before);
  const without = ts.learner({ ...open, linear: false });
  without.add(part(0, 1000), y.slice(0, 1000));
  without.add(part(1000, 1002), [7, "b"]);
  errorOf(() => first.subtract(without), "ERR_PARAM", "rows");
  assert.equal(textOf(first), before, "the linear model stays");
});

const fitted = wholeLarge.fit();

for (const threads of [0, 1, 2, 8]) {
  test(`${threads} threads give the same sums and model`, async (t) => {
    const workers = watchWorkers(t);
    const other = await loadFor(t, { threads });
    await other.warm();
    const learner = other.learner(large);
    const seen = [];
    await learner.addAsync(X, y, { onProgress: (...at) => seen.push(at) });
    assert.equal(textOf(learner), textOf(wholeLarge));
    assert.deepEqual(seen.at(-1), [n, n]);
    const want = await fitted;
    const shares = [];
    const model = await learner.fit({ onProgress: (share) => shares.push(share) });
    assert.equal(textOf(model), textOf(want));
    assert.ok(shares.every((share, i) => share >= 0 && share <= 1 && (i === 0 || share >= shares[i - 1])));
    assert.deepEqual(await model.scoresAsync(X), want.scores(X));
    assert.deepEqual(await model.predictAsync(X), want.predict(X));
    assert.deepEqual(await model.probabilitiesAsync(X), want.probabilities(X));
    assert.deepEqual(await model.evaluateAsync(X, y), want.evaluate(X, y));
    assert.equal(workers.some(({ sent }) => sent > 0), threads > 0);
  });
}

test("a worker that dies loses nothing, and an aborted add changes nothing", async (t) => {
  const workers = watchWorkers(t);
  const other = await loadFor(t, { threads: 2 });
  await other.warm();
  const want = textOf(wholeLarge);
  let learner;
  for (const at of [0.2, 0.95]) {
    learner = other.learner(large);
    let killed;
    await learner.addAsync(X, y, { onProgress(done) {
      if (done <= at * n || killed) return;
      killed = workers.find(({ exited, returned }) => exited === undefined && returned > 0);
      killed?.terminate();
    } });
    assert.ok(killed, `a worker was killed after ${at}`);
    while (killed.exited === undefined) await sleep(1); // else the next call gives it a block
    assert.equal(textOf(learner), want);
  }
  const controller = new AbortController();
  await assert.rejects(learner.addAsync(X, y, { signal: controller.signal, onProgress: () => controller.abort() }),
    { name: "AbortError" });
  assert.equal(textOf(learner), want);
  const bad = Float32Array.from(X);
  bad[2500 * d + 1] = NaN;
  await rejectionOf(learner.addAsync(bad, y), "ERR_NONFINITE", "X", /^X row 2500, column 1 must be finite/);
  errorOf(() => learner.add(bad, y), "ERR_NONFINITE", "X", /^X row 2500, column 1 must be finite/);
  assert.equal(textOf(learner), want);
  const stop = new AbortController();
  const fit = learner.fit({ signal: stop.signal, onProgress: () => stop.abort() });
  await assert.rejects(fit, { name: "AbortError" });
  assert.equal(textOf(await learner.fit()), textOf(await ts.learner({ from: want }).fit()), "the next fit");
});

test("files of both forms hold every bit", () => {
  for (const learner of [learned(), ts.learner(spec), learned(0, 50, { ...spec, classes: undefined, linear: false }),
    learned(0, n, regression, ts, numbers)]) {
    const want = textOf(learner);
    for (const from of [want, learner.toJSON(), learner.toBytes(), learner.toBytes().buffer]) {
      const again = ts.learner({ from });
      assert.equal(textOf(again), want);
      assert.deepEqual(again.toBytes(), learner.toBytes());
      assert.equal(again.count, learner.count);
    }
  }
  const half = ts.learner({ from: textOf(learned(0, 1500)) });
  half.add(part(1500, n), y.slice(1500));
  assert.equal(textOf(half), whole);
});

test("bytes of sums that are damaged are refused, and those of 0.3.0 are read", () => {
  const bytes = learned(0, 50).toBytes();
  const checksum = gzipSync(bytes.subarray(0, -8)).subarray(-8, -4); // the same CRC-32
  assert.deepEqual([...bytes.subarray(-8)], [...checksum, 0, 0, 0, 0]);
  for (let at = 0; at < bytes.length; at += 97) {
    const damaged = bytes.slice();
    damaged[at] ^= 1 << (at % 8);
    errorOf(() => ts.learner({ from: damaged }), "ERR_PARAM", "from", /damaged or cut/);
  }
  errorOf(() => ts.learner({ from: bytes.subarray(0, -8) }), "ERR_PARAM", "from", /damaged or cut/);
  const old = bytes.slice(0, -8);
  old.set(new TextEncoder().encode("TSLEARN1"));
  assert.deepEqual(ts.learner({ from: old }).toBytes(), bytes);
});

test("features without their rows leave out the linear model", async () => {
  const learner = ts.learner(spec);
  learner.addFeatures(learner.map.transform(X), y);
  const model = await learner.fit();
  assert.deepEqual(model.report.linear, { missing: "features were added without their rows" });
  const full = await learned().fit();
  assert.deepEqual(model.scores(X), full.scores(X));
});

test("models predict, evaluate and travel as one file", async () => {
  const model = await ts.fit(X, y, { map, search: "off" });
  assert.equal(textOf(model), textOf(await learned().fit()));
  assert.deepEqual([model.task, model.loss, model.classes], ["classify", "squared", ["b", "ä", "\u{1f600}"]]);
  const { rows, accuracy, accuracyInterval: [low, high], confusion, recall, logLoss } = model.evaluate(X, y);
  assert.equal(rows, n);
  assert.ok(accuracy > 0.85 && low < accuracy && accuracy < high, `accuracy ${accuracy}`);
  assert.equal(confusion.flat().reduce((a, b) => a + b), n);
  const found = model.predict(X);
  assert.equal(found.filter((label, row) => label === y[row]).length / n, accuracy);
  assert.equal(recall[0], confusion[0][0] / confusion[0].reduce((a, b) => a + b));
  const P = model.probabilities(X), scores = model.scores(X);
  let loss = 0;
  for (let row = 0; row < n; row++) {
    const p = P.subarray(3 * row, 3 * row + 3), s = scores.subarray(3 * row, 3 * row + 3);
    assert.ok(Math.abs(p[0] + p[1] + p[2] - 1) < 1e-12);
    assert.equal(found[row], model.classes[s.indexOf(Math.max(...s))]);
    loss -= Math.log(p[model.classes.indexOf(y[row])]) / n;
  }
  assert.ok(Math.abs(loss - logLoss) < 1e-9);
  model.top(X, 2).forEach((list, row) => {
    const p = Array.from(P.subarray(3 * row, 3 * row + 3));
    const sorted = p.map((probability, k) => ({ label: model.classes[k], probability }))
      .sort((a, b) => b.probability - a.probability);
    assert.deepEqual(list, sorted.slice(0, 2));
  });
  assert.equal(model.top(X.subarray(0, d)).length, 1);
  assert.equal(model.top(X.subarray(0, d))[0].length, 3);
  errorOf(() => model.top(X, 0), "ERR_PARAM", "k", "k must be a whole number of classes, 1 or more, got 0");
  assert.ok(model.report.linear.heldOut.r2 < model.report.heldOut.r2 - 0.2, "the linear model is worse");
  const again = ts.fromJSON(textOf(model), { task: "classify" });
  assert.equal(textOf(again), textOf(model));
  errorOf(() => ts.fromJSON(textOf(model), { task: "regress" }), "ERR_PARAM", "model",
    'model must be the file of a model with the task "regress", got one with the task "classify"');
  errorOf(() => ts.fromJSON(model.map.toJSON(), { task: "classify" }), "ERR_PARAM", "model",
    'model must be the file of a model with the task "classify", got the file of a map alone');
  errorOf(() => ts.fromJSON(textOf(model), { task: "x" }), "ERR_PARAM", "task",
    'task must be "classify" or "regress", got "x"');
  assert.deepEqual(again.scores(X), scores);
  assert.deepEqual(again.map.params, model.map.params);
  model.dispose();
  errorOf(() => model.predict(X), "ERR_DISPOSED", undefined, /^this model has been disposed: /);
  again.dispose();
});

test("novelty is the distance to the second nearest kept row, and without kept rows what the sums say", async () => {
  const known = learned(0, 400, { ...spec, keep: 1 });
  const { novelty, share, cut } = known.novelty(part(400, 480));
  assert.equal(cut, 0);
  const features = ts.featureMap(known.map.params).transform(X.subarray(0, 480 * d));
  const row = (i) => features.subarray(i * D, (i + 1) * D);
  const second = (i, others) => others.map((j) => row(i).reduce((sum, z, k) => sum + (z - row(j)[k]) ** 2, 0))
    .sort((a, b) => a - b)[1];
  const rows = Array.from({ length: 400 }, (_, j) => j);
  const among = rows.map((i) => second(i, rows.filter((j) => j !== i)));
  novelty.forEach((found, k) => {
    const want = second(400 + k, rows);
    assert.ok(Math.abs(found - want) < 1e-3 * (1 + want), `row ${k}: ${found}, by its features ${want}`);
    const less = among.filter((other) => other < found).length / 400;
    assert.ok(Math.abs(share[k] - less) < 0.01, `row ${k}: share ${share[k]}, counted ${less}`);
  });
  const odd = known.novelty(new Float32Array(d).fill(1));
  assert.deepEqual([...odd.share], [1]);
  const merged = learned(0, 150, { ...spec, keep: 1 });
  merged.merge(learned(150, 500, { ...spec, keep: 1 }));
  merged.subtract(learned(400, 500, { ...spec, keep: 1 }));
  assert.deepEqual(merged.novelty(part(400, 480)), { novelty, share, cut }, "merged, and rows taken away");
  const file = ts.learner({ from: known.toBytes() });
  assert.deepEqual(file.novelty(toNested(part(400, 480), d)), { novelty, share, cut }, "from a file");
  assert.deepEqual(known.novelty(new Float32Array(0)),
    { novelty: new Float64Array(0), share: new Float64Array(0), cut: 0 });
  const prepared = ts.learner(await ts.prepare(X, y, { search: "auto" }));
  prepared.add(X, y);
  assert.equal(prepared.novelty([[1e6, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0]]).cut, 1);

  const sums = learned(0, 400, { ...spec, keep: 0 });
  const plain = sums.novelty(part(400, 480));
  assert.equal(plain.share, null);
  const G = Array.from({ length: D }, (_, j) => Array.from({ length: D }, (_, k) =>
    rows.reduce((sum, i) => sum + row(i)[j] * row(i)[k] / 400, 0)));
  const trace = G.reduce((sum, line, j) => sum + line[j], 0);
  G.forEach((line, j) => { line[j] += 0.01 * trace / D; });
  for (const k of [0, 40, 79]) {
    const z = [...row(400 + k)], w = solved(G, z);
    const want = z.reduce((sum, v, j) => sum + v * w[j], 0);
    assert.ok(Math.abs(plain.novelty[k] - want) < 1e-2 * want, `row ${k}: ${plain.novelty[k]}, not ${want}`);
  }

  errorOf(() => ts.learner({ ...spec, keep: 1 }).novelty(X), "ERR_PARAM", "rows",
    /at least 1, with features other than 0: add rows before/);
  const nought = ts.learner({ ...spec, map: { ...map, coef0: 0 }, folds: 0 });
  nought.add(new Float32Array(2 * d), ["b", "ä"]);
  errorOf(() => nought.novelty(X), "ERR_PARAM", "rows", /with features other than 0: .*, got 2$/);
  errorOf(() => known.novelty(X.subarray(1)), "ERR_SHAPE", "X");
  errorOf(() => known.novelty([[1, 2, NaN, 0, 0, 0]]), "ERR_NONFINITE", "X", /row 0/);
  known.dispose();
  errorOf(() => known.novelty(X), "ERR_DISPOSED");
});

/** Returns what solves a system, by Gaussian elimination with pivots. */
function solved(G, z) {
  const rows = G.map((line, i) => [...line, z[i]]);
  for (let k = 0; k < rows.length; k++) {
    const best = rows.slice(k).reduce((at, line, i) => (Math.abs(line[k]) > Math.abs(rows[at][k]) ? k + i : at), k);
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (const line of rows.slice(k + 1)) {
      const part = line[k] / rows[k][k];
      for (let j = k; j < line.length; j++) line[j] -= part * rows[k][j];
    }
  }
  const x = [];
  for (let k = rows.length - 1; k >= 0; k--) {
    x[k] = (rows[k].at(-1) - x.reduce((sum, v, j) => sum + (j > k ? rows[k][j] * v : 0), 0)) / rows[k][k];
  }
  return x;
}

test("labels come back as they went in", async () => {
  for (const labels of [[true, false], [-1, 2.5], [0, "0"], [false, 0, "", "x"]]) {
    const few = Array.from({ length: 400 }, (_, row) => labels[row % labels.length]);
    const model = await ts.fit(part(0, 400), few, { map, search: "off", task: "classify" });
    assert.ok(model.predict(part(0, 400)).every((label) => labels.includes(label)));
    assert.equal(model.evaluate(part(0, 400), few).unknown, 0);
    assert.equal(model.evaluate(part(0, 400), few.map(() => "none")).unknown, 400);
  }
});

test("regression, of one target and of several", async () => {
  const model = await ts.fit(X, numbers, { map, search: "off", task: "regress" });
  const { r2, r2Interval, rmse, mae } = model.evaluate(X, numbers);
  assert.ok(r2 > 0.9 && r2Interval[0] <= r2 && rmse >= mae, `R² ${r2}`);
  assert.equal(model.report.rule, "held-out");
  assert.deepEqual(model.predict(X), model.scores(X));
  const two = Array.from(numbers, (t, row) => [t, X[row * d]]);
  const both = await ts.fit(X, two, { map, search: "off", task: "regress", targets: 2, targetRange: [-10, 10] });
  const { targets } = both.evaluate(X, two);
  assert.ok(targets.length === 2 && targets[1].r2 > 0.9, textOf(targets));
  assert.equal(both.predict(X).length, 2 * n);
});

test("alpha is chosen from a path that can be stated", async () => {
  const learner = learned();
  const chosen = await learner.fit();
  const given = await learner.fit({ alpha: chosen.alpha });
  assert.deepEqual(given.scores(X), chosen.scores(X));
  assert.equal(given.report.rule, "given");
  const one = await learner.fit({ alphaRange: [1e-3, 1e-3], alphaCount: 1 });
  assert.ok(Math.abs(one.alpha / n / 1e-3 - 2.85) < 0.1, `alpha ${one.alpha}`); // Σ‖z − mean‖² is about 2.85 n
});

test("passes over the rows: progress, abort, weights, and what they are told", async (t) => {
  const other = await loadFor(t, { threads: 1 });
  await other.warm();
  const shares = [];
  const svm = await other.fit(X, y, { map, loss: "squared-hinge", onProgress: (share) => shares.push(share) });
  assert.ok(svm.report.solver.converged && svm.report.solver.gradient <= 1e-5);
  assert.equal(svm.report.rule, "held-out"); // chooses C
  assert.ok(svm.evaluate(X, y).accuracy > 0.85);
  assert.ok(svm.report.linear.alpha > 0 && svm.report.heldOut.accuracy > 0.8);
  assert.ok(shares.every((share, i) => share <= 1 && (i === 0 || share >= shares[i - 1] - 1e-9)), shares.join());
  const doubled = await other.fit(Float32Array.of(...X, ...X), [...y, ...y], { map, loss: "squared-hinge", folds: 0,
    weights: Array.from({ length: 2 * n }, (_, row) => Number(row < n)) });
  const single = await other.fit(X, y, { map, loss: "squared-hinge", folds: 0 });
  assert.equal(single.alpha, 0.5, "C is 1 where no rows are held out");
  const [a, b] = [doubled.scores(X), single.scores(X)];
  assert.ok(a.every((score, i) => Math.abs(score - b[i]) < 1e-3));
  assert.equal(textOf(await other.fit(toCSR(X, d), y, { map, loss: "logistic" })),
    textOf(await ts.fit(X, y, { map, loss: "logistic" })), "sparse rows, and this thread");
  const few = await other.fit(X, y, { map, loss: "logistic", C: 1e6, maxPasses: 3 });
  assert.equal(few.report.solver.converged, false);
  assert.match(few.report.warnings[0], /had not converged/);
  const controller = new AbortController();
  const wide = { ...map, nComponents: 1000 };
  await assert.rejects(other.fit(X, y, { map: wide, loss: "logistic", signal: controller.signal,
    onProgress: (share) => { if (share > 0.6) controller.abort(); } }), { name: "AbortError" });
  await rejectionOf(ts.fit(X, y, { map, loss: "hinge" }), "ERR_PARAM", "loss", /be one of "squared", /);
  await rejectionOf(ts.fit(X, y, { map, loss: "logistic", alpha: 1 }), "ERR_PARAM", "alpha", /left out for loss/);
  await rejectionOf(ts.fit(X, y, { map, C: 1 }), "ERR_PARAM", "C", /left out for loss "squared"/);
  await rejectionOf(ts.fit(X, y, { map, loss: "logistic", C: 0 }), "ERR_PARAM", "C");
  await rejectionOf(ts.fit(X, y, { map, loss: "logistic", tolerance: 2 }), "ERR_PARAM", "tolerance");
  await rejectionOf(ts.fit(X, numbers, { map, loss: "logistic", task: "regress" }), "ERR_PARAM", "loss");
  const bad = Float32Array.from(X);
  bad[77 * d] = NaN;
  await rejectionOf(ts.fit(bad, y, { map, loss: "logistic" }), "ERR_NONFINITE", "X", /^X row 77/);
});

test("more features than moments take: passes over the rows for every loss", async (t) => {
  const other = await loadFor(t, { threads: 1 });
  const large = { map: { ...map, nComponents: 4097, degree: 2 } };
  const [rows, labels] = [part(0, 400), y.slice(0, 400)];
  const shares = [];
  const model = await other.fit(rows, labels, { ...large, onProgress: (share) => shares.push(share) });
  assert.equal(model.map.nComponents, 4097);
  assert.equal(model.report.rule, "held-out");
  assert.ok(model.report.heldOut.accuracy > 0.75 && model.report.linear.heldOut.accuracy > 0, textOf(model.report));
  assert.ok(model.evaluate(part(400, 1000), y.slice(400, 1000)).accuracy > 0.8);
  assert.ok(shares.length > 2 && shares.every((share, i) => share <= 1 && (i === 0 || share >= shares[i - 1] - 1e-9)),
    shares.join());
  const regression = await other.fit(rows, numbers.subarray(0, 400), { ...large, task: "regress", linear: false });
  assert.ok(regression.evaluate(part(400, 1000), numbers.subarray(400, 1000)).r2 > 0.9);
  assert.equal(regression.report.linear.missing, "left out by choice");
  const weights = labels.map((_, row) => Number(row % 2));
  const weighted = await other.fit(rows, labels, { ...large, alpha: 0.1, linear: false, weights });
  assert.equal(weighted.report.rows, 200);
  assert.equal(weighted.alpha, 0.1);
  const controller = new AbortController();
  await assert.rejects(other.fit(rows, labels, { ...large, signal: controller.signal,
    onProgress: () => controller.abort() }), { name: "AbortError" });
  for (const [argument, options] of Object.entries({ alphaCount: { alphaCount: 3 }, intercept: { intercept: false },
    alphaRange: { alphaRange: [1, 2] }, C: { C: 1 } })) {
    await rejectionOf(other.fit(rows, labels, { ...large, ...options }), "ERR_PARAM", argument, /left out for/);
  }
  await rejectionOf(other.fit(rows, labels.with(7, "?"), { ...large, classes: ["ä", "b", "\u{1f600}"] }), "ERR_PARAM",
    "y", /^y row 7 must be one of the classes/);
  await rejectionOf(other.fit(rows, labels, { ...large, folds: 0 }), "ERR_PARAM", "alpha", /nothing to choose it by/);
  const wide = new Float32Array(60 * 5000);
  for (let row = 0; row < 60; row++) {
    wide[5000 * row + row % 3] = 1;
    wide[5000 * row + 4000 + row] = 0.1; // no two rows are equal
  }
  const columns = await other.fit(wide, Array.from({ length: 60 }, (_, row) => row % 3), { task: "classify",
    search: "off", map: { nComponents: 64, degree: 2 } });
  assert.equal(columns.report.linear.heldOut.accuracy, 1, "the linear model takes passes over more columns");
  await rejectionOf(other.fit(rows, labels, { ...large, map: { ...large.map, nComponents: 2 ** 22 } }), "ERR_PARAM",
    "classes", /keep classes × \(nComponents \+ 1\) within/);
});

test("wrong input", async () => {
  const make = (options) => () => ts.learner({ ...spec, ...options });
  errorOf(make({ task: "cluster" }), "ERR_PARAM", "task", /be "classify" or "regress"/);
  errorOf(make({ radius: undefined }), "ERR_PARAM", "radius", /^radius is missing: /);
  errorOf(make({ radius: -1 }), "ERR_PARAM", "radius");
  for (const folds of [2, null, "5", [1n], Object.create(null)]) {
    errorOf(make({ folds }), "ERR_PARAM", "folds", /be 0, 1 or 5/);
  }
  for (const keep of [2, null, "0.5", true, 1n, Symbol("all"), NaN]) {
    errorOf(make({ keep }), "ERR_PARAM", "keep", /be a share of the rows, 0 to 1/);
  }
  errorOf(make({ classes: ["a"] }), "ERR_PARAM", "classes", /be at least two/);
  errorOf(make({ classes: [1, NaN] }), "ERR_PARAM", "classes[1]");
  errorOf(make({ classes: Array.from({ length: 10_000 }, (_, k) => k) }), "ERR_PARAM", "classes", /at most 1000/);
  errorOf(make({ map: { ...map, nComponents: 5000 } }), "ERR_PARAM", "nComponents", /from 1 to 4096 for moments/);
  errorOf(make({ targetRange: [0, 1] }), "ERR_PARAM", "targetRange");
  errorOf(make({ lossy: 1 }), "ERR_PARAM", "lossy", /^unknown option/);
  errorOf(() => ts.learner({ ...regression, targetRange: undefined }), "ERR_PARAM", "targetRange");
  errorOf(() => ts.learner({ ...regression, targetRange: [1, 1] }), "ERR_PARAM", "targetRange");
  errorOf(() => ts.prepare(X, Array.from(y.keys())), "ERR_PARAM", "task", /^task is missing/);
  errorOf(() => ts.prepare(X, y.slice(1), { map }), "ERR_SHAPE", "y", /hold one label per row, 3000, got length 2999/);
  errorOf(() => ts.prepare(X, y.map(() => "b"), { map }), "ERR_PARAM", "y",
    /^y must have labels of at least two classes: .*, got "b"$/);
  errorOf(() => ts.prepare([], [], { map, task: "classify" }), "ERR_SHAPE", "X");

  const learner = ts.learner(spec);
  errorOf(() => learner.add(X, ["c", ...y.slice(1)]), "ERR_PARAM", "y", /^y row 0 must be one of the classes/);
  errorOf(() => learner.add(X, [null, ...y.slice(1)]), "ERR_PARAM", "y", /^y row 0 must be true, false/);
  errorOf(() => learner.add(X, y, [2, ...new Array(n - 1).fill(1)]), "ERR_PARAM", "weights",
    /^weights row 0 must be 0 or 1/);
  errorOf(() => learner.add(X, y, [1]), "ERR_SHAPE", "weights");
  await rejectionOf(learner.fit(), "ERR_PARAM", "rows", /at least 1/);
  await rejectionOf(learner.fit({ alpha: -1 }), "ERR_PARAM", "alpha", /> 0, or "auto"/);
  learner.add(part(0, 5), new Array(5).fill("b"));
  await rejectionOf(learner.fit(), "ERR_PARAM", "classes", /nothing to tell apart, got "b"$/);
  learner.add(part(5, 6), ["ä"]);
  const few = await learner.fit();
  assert.ok(few.report.warnings.length > 0, "n < D");
  assert.ok(few.scores(X).every(Number.isFinite));

  const targets = ts.learner(regression);
  errorOf(() => targets.add(part(0, 2), [0, 1e6]), "ERR_PARAM", "y", /^y row 1.* must be within targetRange/);
  errorOf(() => targets.add(part(0, 2), [0, NaN]), "ERR_NONFINITE", "y", /^y row 1 must be finite/);
  targets.add(part(0, 40), new Array(40).fill(-1));
  const flat = await targets.fit();
  assert.ok(flat.scores(part(0, 40)).every((v) => Math.abs(v + 1) < 1e-4), "equal targets");

  const others = { radius: { radius: 2 }, folds: { folds: 5 }, seed: { map: { ...map, seed: 6 } },
    classes: { classes: undefined }, preprocessing: { preprocessing: "other" } };
  for (const [key, option] of Object.entries(others)) {
    errorOf(() => learner.merge(ts.learner({ ...spec, ...option })), "ERR_PARAM", key,
      /must be the same in all parts, .*: share what prepare returns, or state it$/);
  }
  errorOf(() => learner.merge({}), "ERR_PARAM", "other");
  const gone = ts.learner(spec);
  gone.dispose();
  errorOf(() => learner.merge(gone), "ERR_DISPOSED");
  errorOf(() => learner.subtract(gone), "ERR_DISPOSED");
  await ts.fit(X, y, { task: "classify", map, search: "off", onFirst: undefined });
  errorOf(() => ts.learner({ from: "{}" }), "ERR_PARAM", "from.format");
  errorOf(() => ts.learner({ from: new Uint8Array(9) }), "ERR_PARAM", "from");
  const file = learned().toJSON();
  errorOf(() => ts.learner({ from: { ...file, moments: file.moments.slice(8) } }), "ERR_PARAM", "from.moments");
  const { moments } = file; // Go takes none of these either
  for (const changed of [moments.replace(/^..../, "$& "), `${moments}\n`, moments.replace(/=+$|.$/, "")]) {
    errorOf(() => ts.learner({ from: { ...file, moments: changed } }), "ERR_PARAM", "from.moments");
  }
  errorOf(() => ts.learner({ from: { ...file, more: 1 } }), "ERR_PARAM", "more");
  errorOf(() => ts.learner({ from: file, radius: 1 }), "ERR_PARAM", "radius");
  const words = new BigInt64Array(Uint8Array.from(atob(file.moments), (c) => c.charCodeAt(0)).buffer);
  words[2] = -5n; // a square
  const bad = btoa(String.fromCharCode(...new Uint8Array(words.buffer)));
  errorOf(() => ts.learner({ from: { ...file, moments: bad } }), "ERR_PARAM", undefined, /be a sum of/);

  const model = await learned().fit();
  const head = model.toJSON();
  for (const [argument, change] of [["head.weights", { weights: [1] }], ["head.intercept", { intercept: [1, 2] }],
    ["head.classes[1]", { classes: ["ä", "b", "\u{1f600}"] }], ["head.alpha", { alpha: -1 }],
    ["head.loss", { loss: "hinge" }], ["head.calibration.matrix", { calibration: { offset: [1, 2, 3], matrix: [1] } }],
    ["head.report", { report: undefined }], ["more", { more: 1 }]]) {
    errorOf(() => ts.fromJSON({ ...head, head: { ...head.head, ...change } }), "ERR_PARAM", argument);
  }
  errorOf(() => model.evaluate(X, y.slice(1)), "ERR_SHAPE", "y");
  errorOf(() => model.predict(X.subarray(1)), "ERR_SHAPE", "X");
  const bare = await learned(0, n, { ...spec, folds: 0 }).fit();
  errorOf(() => bare.probabilities(X), "ERR_PARAM", "calibration", /no rows were held out/);
  learner.dispose();
  errorOf(() => learner.add(X, y), "ERR_DISPOSED");
  await rejectionOf(learner.fit(), "ERR_DISPOSED");
});

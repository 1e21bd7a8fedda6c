// Private models: learners whose sums are released with noise, and what is fitted to them.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { inspect } from "node:util";
import { test } from "node:test";
import { dist, errorOf, load, loadFor, near, rejectionOf, unitRows, wasmFile, watchWorkers } from "./helper.mjs";

const { WholeCore: Core } = await import(new URL("wholecore.js", dist));
const { fitAtOnce } = await import(new URL("fit.js", dist));

const d = 5, n = 400, delta = 1e-5;
const ts = await load({ threads: 0 });
const textOf = (value) => JSON.stringify(value);
const file = (name) => readFileSync(new URL(`../../privacy/testdata/released/${name}`, import.meta.url));
const lineOf = (value) => `${textOf(value)}\n`;
const core = new Core(new WebAssembly.Module(readFileSync(wasmFile)), 2 ** 28); // beside the core of `ts`

/** As releasedRows of privacy/vectors_test.go. */
function releasedRows() {
  const X = new Float32Array(n * d), labels = [], targets = [];
  for (let row = 0; row < n; row++) {
    let sum = 0;
    for (let i = 0; i < d; i++) {
      const v = (row * row * 7919 + row * 31 * (i + 1) + i * i * 17) % 201 - 100;
      X[row * d + i] = v / 128;
      sum += v * (i % 3 - 1);
    }
    labels.push(sum > 0);
    targets.push(sum / 256, sum * sum / 65536);
  }
  return { X, labels, targets };
}

const { X, labels, targets } = releasedRows();
const map = { nFeatures: d, nComponents: 12, degree: 2, coef0: 1, normalize: "kernel", seed: 9 };
const specs = {
  classify: { map, task: "classify", classes: [true, false], radius: 1, private: true },
  regress: { map, task: "regress", targets: 2, targetRange: [-1, 1], radius: 1, folds: 1, private: true },
};
const answers = { classify: labels, regress: targets };

function learned(options = specs.classify, y = labels, rows = X, of = ts) {
  const learner = of.learner(options);
  learner.add(rows, y);
  return learner;
}
const budget = (epsilon = 100) => ts.ledger({ epsilon, delta });
const release = (learner, epsilon = 1, ledger = budget()) => learner.release({ epsilon, delta, ledger });

/** What the core is told of the sums of a learner. */
function viewOf(task, { step } = learned(specs[task], answers[task]).toJSON()) {
  const { signal } = ts.featureMap(map).privacy.meter({ epsilon: 1, delta, radius: 1 });
  const shape = task === "regress" ? [0, 2, step, -1, 1] : [2, 0, step, 0, 0];
  return { nComponents: 12, block: new Uint8Array(Float64Array.of(12, ...shape, 0, signal, 0, 0, 0).buffer) };
}

/** The words of sums in a learner's file. */
function wordsOf(learner) {
  const bytes = Uint8Array.from(atob(learner.toJSON().moments), (letter) => letter.charCodeAt(0));
  return [...new BigInt64Array(bytes.buffer)];
}

for (const [task, spec] of Object.entries(specs)) {
  test(`${task}: sums before the noise have the bytes of Go, in any parts`, () => {
    const y = answers[task], each = y.length / n;
    const want = file(`${task}-learner.json`).toString();
    assert.equal(lineOf(learned(spec, y)), want);
    assert.equal(lineOf(ts.learner({ from: want })), want);
    assert.equal(lineOf(ts.learner({ from: learned(spec, y).toBytes() })), want);
    const half = learned(spec, y.slice(0, 150 * each), X.subarray(0, 150 * d));
    half.merge(learned(spec, y.slice(150 * each), X.subarray(150 * d)));
    assert.equal(lineOf(half), want);
    const features = ts.learner(spec);
    features.addFeatures(features.map.transform(X), y);
    assert.equal(lineOf(features), want);
  });

  test(`${task}: released words give the model of Go, whose file comes back`, async () => {
    const want = file(`${task}-model.json`).toString();
    const model = ts.fromJSON(want);
    assert.equal(lineOf(model), want);
    assert.deepEqual(model.report.private, { epsilon: 4, delta });
    assert.ok(Object.isFrozen(model.report.private));
    const { head } = JSON.parse(want);
    const words = new Uint8Array(file(`${task}-words.bin`));
    const options = { release: { epsilon: 4, delta, rows: n } };
    const bytes = await fitAtOnce(core, { view: viewOf(task), options }, words, () => {});
    const numbers = new Float64Array(bytes.buffer, 0, Math.floor(bytes.length / 8));
    const [D, K, alpha, rule] = numbers, at = 16 + K;
    assert.deepEqual([D, K, alpha, rule], [12, 2, head.alpha, 3]);
    assert.deepEqual([...numbers.subarray(at, at + K)], head.intercept);
    assert.deepEqual([...numbers.subarray(at + K, at + K + K * D)], head.weights);
  });
}


test("a model of a release says what it is, has no probabilities, and travels as a file", async () => {
  const learner = learned();
  const ledger = ts.ledger({ epsilon: 8, delta });
  const released = learner.release({ epsilon: 4, delta, ledger, rows: n });
  const { bound, sigma } = released;
  assert.deepEqual([released.task, released.classes, released.epsilon, released.delta, released.rows],
    ["classify", [false, true], 4, delta, n]);
  near(bound, 2, 1e-15, "C = (1 + 1)^(2/2)");
  assert.deepEqual(ledger.releases,
    [{ kind: "moments", rows: n, nComponents: 12, epsilon: 4, delta, bound, sigma }]);
  near(ledger.spent, 4, 1e-6, "spent");
  learner.dispose();
  const shares = [];
  const model = await released.fit({ onProgress: (share) => shares.push(share) });
  assert.equal(shares.at(-1), 1);
  const { report } = model;
  assert.equal(report.df > 0 && report.df < 12, true);
  assert.deepEqual({ ...report, df: 0, warnings: [] },
    { rows: n, clipped: 0, rule: "noise", df: 0, private: { epsilon: 4, delta }, warnings: [] });
  assert.match(report.warnings.join(), /none were held out, so there are no probabilities/);
  near(model.alpha, 1.6 * sigma * Math.sqrt(12), 1e-9 * model.alpha, "λ by the rule");
  errorOf(() => model.probabilities(X), "ERR_PARAM", "calibration");
  assert.ok(model.evaluate(X, labels).accuracy > 0.6);
  const again = ts.fromJSON(textOf(model));
  assert.equal(textOf(again), textOf(model));
  assert.deepEqual(again.scores(X), model.scores(X));
  assert.equal(textOf(await released.fit()), textOf(model), "a second fit is the same");
  assert.match(inspect(released), /^ReleasedMoments {.*epsilon: 4/s);
  assert.equal(Object.prototype.toString.call(released), "[object ReleasedMoments]");
  assert.throws(() => structuredClone(released), { name: "DataCloneError" });
});

test("regression: targets are cut to the range, and the intercept is its middle", async () => {
  const spec = { ...specs.regress, targets: 1, targetRange: [0, 10] };
  const y = Array.from(labels, (label) => (label ? 9 : 1));
  const far = y.map((value) => (value > 5 ? value : -1e6));
  assert.deepEqual(wordsOf(learned(spec, far)), wordsOf(learned(spec, y.map((value) => (value > 5 ? value : 0)))));
  const model = await release(learned(spec, y), 100).fit();
  const { head } = model.toJSON();
  assert.deepEqual([head.intercept, model.task, model.report.counts], [[5], "regress", undefined]);
  assert.ok(model.evaluate(X, y).r2 > 0);
  errorOf(() => learned(spec, [NaN, ...y.slice(1)]), "ERR_NONFINITE", "y");
});

test("rows beyond the radius are shortened and counted, for the learner alone", async () => {
  const inside = unitRows(n, d, 3);
  assert.equal(wordsOf(learned(specs.classify, labels, inside))[1], 0n);
  const long = inside.map((x, i) => (i < 3 * d ? 50 * x : x));
  const learner = learned(specs.classify, labels, long);
  assert.equal(wordsOf(learner)[1], 36n, "3 rows of 12 features");
  const most = Math.ceil(2 / learner.toJSON().step) + 2; // of ‖q‖
  const one = learned(specs.classify, labels.slice(0, 1), long.subarray(0, d));
  const squares = Array.from({ length: 12 }, (_, i) => wordsOf(one)[2 + i * (i + 3) / 2]);
  const norm = Math.sqrt(Number(squares.reduce((a, b) => a + b)));
  assert.ok(norm <= most && norm > most - 4, `${norm} beside ${most}`);
  assert.equal((await learner.fit()).report.clipped, 36);
  assert.equal((await release(learner).fit()).report.clipped, 0, "that is not released");
});

test("noise is never the same twice, and each release is charged", async () => {
  const learner = learned();
  const before = textOf(learner);
  const ledger = ts.ledger({ epsilon: 2, delta });
  const models = [];
  for (let i = 0; i < 2; i++) models.push((await release(learner, 1, ledger).fit()).toJSON().head);
  const seen = new Set(models.flatMap(({ weights }) => weights.map(Math.abs)));
  assert.ok(seen.size >= 24, `${seen.size} of 24 weights differ`); // the weights of two classes are opposite
  near(ledger.spent, 1.46, 0.005, "two releases");
  const { left } = ledger;
  errorOf(() => release(learner, 2, ledger), "ERR_PARAM", "epsilon", new RegExp(
    `^epsilon must be at most ${String(left).slice(0, 6)}.* which is what 2 releases of these rows leave of their ` +
    "budget of epsilon 2"));
  assert.equal(ledger.releases.length, 2);
  const copy = ts.ledger({ from: textOf(ledger) });
  assert.deepEqual([copy.spent, textOf(copy)], [ledger.spent, textOf(ledger)]);
  learner.map.privacy.privatize(learner.map.transform(X), { epsilon: left / 2, delta, radius: 1, ledger });
  errorOf(() => release(learner, left, ledger), "ERR_PARAM", "epsilon", /3 releases/);
  assert.equal(textOf(learner), before);
  const all = budget(1);
  release(learner, 1, all);
  assert.throws(() => release(learner, 0.001, all), { argument: "epsilon" });
});

// The sums of n rows of zeros are 0, so a release of them is noise alone. Its σ = 2^m, and the factors of the sums say
// how far two rows can be apart: √2·N·f with N = 1.2·B² for classes (docs/privacy.md). Their quotient must be what
// ε and δ allow, which the meter of rows says for rows: σ/(2C).
test("the noise is as large as (ε, δ) asks", () => {
  const D = 150, step = 2 ** -12, bound = 1, B = 2 ** 12 + 2;
  const length = D * (D + 1) / 2 + 2 + 2 * D;
  const numbers = Float64Array.of(D, 2, 0, step, 0, 0, 0, bound, 0, 0, 0);
  const view = { nComponents: D, block: new Uint8Array(numbers.buffer) };
  const head = 2 + 67; // rows, cuts and a tally
  const words = new BigInt64Array(head + length);
  const rows = 5;
  [words[0], words[head + D * (D + 1) / 2]] = [5n, 5n];
  for (const epsilon of [0.5, 8]) {
    const { sigma: ofRows, signal } = ts.featureMap({ ...map, coef0: 0 }).privacy.meter({ epsilon, delta, radius: 1 });
    core.releaseMoments(view, new Uint8Array(words.buffer), length, { epsilon, delta, rows }, (sigma, make) => {
      const noisy = [...new BigInt64Array(make().buffer)].map(Number).slice(0, D * (D + 1) / 2);
      const deviation = Math.sqrt(noisy.reduce((sum, v) => sum + v * v, 0) / noisy.length);
      const power = Math.round(Math.log2(deviation));
      near(deviation / 2 ** power, 1, 4 / Math.sqrt(2 * noisy.length), "σ is a power of two");
      const factor = 2 ** power / (sigma / step ** 2);
      near(factor / Math.round(factor), 1, 1e-12, "the factor is an integer");
      const share = Math.SQRT2 * 1.2 * B ** 2 * factor / 2 ** power * (ofRows / (2 * signal));
      assert.ok(share > 0.999 && share < 1 + 1e-6, `${share} of what is allowed`);
    });
  }
});

// As TestMomentsAlpha of package privacy: one row in place of another changes λ of a fit to exact sums.
test("λ of a release does not see the row that differs", async () => {
  const spec = { ...specs.classify, folds: 0 };
  let found = 0;
  for (let row = 0; row < 40 && found < 2; row++) {
    const rows = X.subarray(0, 30 * d), other = rows.slice();
    other.set([-1, 0, 0, 0, 0], (row % 30) * d);
    const y = labels.slice(0, 30), otherY = y.map((label, i) => (i === row % 30 ? !label : label));
    const [a, b] = [learned(spec, y, rows), learned(spec, otherY, other)];
    const clean = await Promise.all([a.fit(), b.fit()]);
    if (clean[0].alpha === clean[1].alpha) continue;
    found++;
    const models = await Promise.all([release(a, 100).fit(), release(b, 100).fit()]);
    assert.equal(models[0].alpha, models[1].alpha);
    assert.equal(models[0].report.rule, "noise");
  }
  assert.ok(found > 0, "no pair has two λ without noise, so this test sees nothing");
});

test("workers add rows and fit a release, with progress and abort, and it outlives its learner", async (t) => {
  const workers = watchWorkers(t);
  const other = await loadFor(t, { threads: 2 });
  await other.warm();
  const wide = { ...specs.classify, map: { ...map, nComponents: 700 } };
  const sent = () => workers.reduce((sum, worker) => sum + worker.sent, 0);
  const [rows, y] = [Float32Array.of(...X, ...X, ...X, ...X), [...labels, ...labels, ...labels, ...labels]];
  for (const spec of [wide, { ...specs.regress, map: wide.map, targets: 1 }]) {
    const [learner, at] = [other.learner(spec), sent()];
    await learner.addAsync(rows, spec === wide ? y : y.map(Number));
    assert.ok(sent() > at);
    assert.equal(textOf(learner), textOf(learned(spec, spec === wide ? y : y.map(Number), rows)));
  }
  const learner = learned(wide, labels, X, other);
  const released = learner.release({ epsilon: 1, delta, ledger: other.ledger({ epsilon: 1, delta }) });
  learner.dispose();
  const before = sent(), shares = [];
  const model = await released.fit({ onProgress: (share) => shares.push(share) });
  assert.equal(sent(), before + 1);
  assert.ok(shares.length > 1 && shares.at(-1) === 1, shares.join());
  const controller = new AbortController();
  const stopped = released.fit({ signal: controller.signal, onProgress: () => controller.abort(new Error("enough")) });
  await assert.rejects(stopped, /enough/);
  assert.deepEqual((await released.fit()).scores(X), model.scores(X));
  other.dispose();
  await rejectionOf(released.fit(), "ERR_DISPOSED", undefined, /this module has been disposed/);
});

test("wrong input", async () => {
  const make = (options) => () => ts.learner({ ...specs.classify, ...options });
  const stated = /^\w+ must be stated for private moments: .* would show something of them$/;
  errorOf(make({ private: 1 }), "ERR_PARAM", "private", /be true or false, got 1$/);
  errorOf(make({ radius: undefined }), "ERR_PARAM", "radius", stated);
  errorOf(make({ classes: undefined }), "ERR_PARAM", "classes", stated);
  errorOf(() => ts.learner({ ...specs.regress, targetRange: undefined }), "ERR_PARAM", "targetRange", stated);
  errorOf(make({ radius: 1e31 }), "ERR_PARAM", "radius");
  for (const method of ["nystroem", "k-space"]) {
    const fitted = ts.featureMap({ nFeatures: d, nComponents: 4, method });
    fitted.fit(X);
    errorOf(make({ map: fitted }), "ERR_PARAM", "method", /be another one for a private release/);
  }
  errorOf(() => ts.prepare(X, labels, { map, private: true }), "ERR_PARAM", "radius", stated);
  errorOf(() => ts.prepare(X, labels, { map, private: true, radius: 1 }), "ERR_PARAM", "classes", stated);
  const prepared = ts.prepare(X, labels, { map, private: true, radius: 1, classes: [false, true] });
  assert.deepEqual(prepared, { ...specs.classify, classes: [false, true], folds: 0 });
  assert.equal(textOf(learned(prepared)), textOf(learned()));
  await rejectionOf(ts.fit(X, labels, specs.classify), "ERR_PARAM", "private", /^private must be left out for fit/);

  const learner = learned();
  const { private: _, ...open } = specs.classify;
  errorOf(() => release(learned(open)), "ERR_PARAM", "private",
    /^private must be true for a release.*: make a learner with private.* and add the rows to it$/);
  const ledger = ts.ledger({ epsilon: 2, delta });
  const good = { epsilon: 1, delta, ledger };
  for (const [argument, ...values] of [["epsilon", undefined, 0, NaN, "1", 101], ["delta", undefined, 0, 1],
    ["ledger", undefined, null, ledger.toJSON()], ["rows", 0, n - 1, n + 1, "400", null], ["radius", 1], ["bound", 1],
    ["alpha", 1]]) {
    for (const value of values) {
      errorOf(() => learner.release({ ...good, [argument]: value }), "ERR_PARAM", argument);
    }
  }
  for (const options of [undefined, null, 1]) errorOf(() => learner.release(options), "ERR_PARAM", "options");
  errorOf(() => ts.learner(specs.classify).release(good), "ERR_PARAM", "rows", /from 1 to 2147483647, got 0$/);
  const { getRandomValues } = crypto;
  try {
    for (const [random, argument] of [[undefined, "crypto"], [() => { throw new Error("no entropy"); }, "random"]]) {
      crypto.getRandomValues = getRandomValues;
      const fresh = await load({ threads: 0 }); // which holds no random bytes for noise yet
      crypto.getRandomValues = random;
      const own = fresh.ledger({ epsilon: 1, delta });
      errorOf(() => learned(specs.classify, labels, X, fresh).release({ epsilon: 1, delta, ledger: own }), "ERR_PARAM",
        argument);
      assert.deepEqual(own.releases, []);
      fresh.dispose();
    }
  } finally {
    crypto.getRandomValues = getRandomValues;
  }
  assert.deepEqual([ledger.releases, ledger.spent], [[], 0]);
  await rejectionOf(learner.release(good).fit({ alpha: 1 }), "ERR_PARAM", "alpha");

  errorOf(() => learner.merge(learned(open)), "ERR_PARAM", "private", /must be the same in all parts, true, got false/);
  errorOf(() => learned(open).merge(learner), "ERR_PARAM");
  const text = learner.toJSON();
  for (const [argument, change] of [["from.private", { private: "yes" }], ["classes", { classesGiven: false }],
    ["radius", { radius: 0 }], ["from.missing", { missing: undefined }], ["bound", { step: 2 ** -20 }]]) {
    errorOf(() => ts.learner({ from: { ...text, ...change } }), "ERR_PARAM", argument);
  }
  const model = (await learner.release({ ...good, epsilon: 0.5 }).fit()).toJSON();
  for (const [argument, guarantee] of [["head.report.private", 1], ["head.report.private.epsilon", { delta }],
    ["head.report.private.delta", { epsilon: 1, delta: "0" }], ["more", { epsilon: 1, delta, more: 1 }]]) {
    const report = { ...model.head.report, private: guarantee };
    errorOf(() => ts.fromJSON({ ...model, head: { ...model.head, report } }), "ERR_PARAM", argument);
  }
  learner.dispose();
  errorOf(() => learner.release(good), "ERR_DISPOSED");
});

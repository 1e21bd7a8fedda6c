// Private releases: what they cost, how much noise they have, and what is refused.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAlive, dist, errorOf, generator, load, loadFor, near, randomRows, sameBits, toCSR } from "./helper.mjs";

const delta = 1e-5;
const POLYNOMIAL = { nFeatures: 4, nComponents: 64, degree: 2, gamma: 0.5, coef0: 1, normalize: "kernel" };
const { FITTED, METHODS } = await import(new URL("tables.js", dist));
const ts = await load({ threads: 0 });
const map = ts.featureMap(POLYNOMIAL);

/**
 * Runs `use` with seeded bytes in place of crypto's, because a test must not flake. Returns how many bytes each call
 * took.
 */
async function withFixedBytes(seed, use) {
  const random = generator(seed);
  const sizes = [];
  await withRandom((bytes) => {
    sizes.push(bytes.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = 256 * random();
    return bytes;
  }, use);
  return sizes;
}

async function withRandom(getRandomValues, use) {
  const own = Object.getOwnPropertyDescriptor(crypto, "getRandomValues");
  Object.defineProperty(crypto, "getRandomValues", { value: getRandomValues, configurable: true, writable: true });
  try {
    await use();
  } finally {
    delete crypto.getRandomValues;
    if (own) Object.defineProperty(crypto, "getRandomValues", own);
  }
}

test("the meter says what its contract says, and σ is Go's to the bit", () => {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 1024 });
  const one = map.privacy.meter({ epsilon: 1, delta, radius: 1 });
  assert.equal(one.signal, 1);
  near(one.leastNoise, 239, 0.5, "continuous noise of one row"); // the figures; ours is discrete and 8 % more
  near(one.noise, 259, 0.5, "noise of one row");
  const mean = map.privacy.meter({ epsilon: 1, delta, radius: 1, rows: 60_000 });
  assert.deepEqual([mean.signal, mean.noise.toFixed(3), mean.leastNoise.toFixed(3)], [1, "0.004", "0.004"]);
  // TestSigmaBits of package privacy has the same.
  assert.deepEqual([[0.5, 1e-5, 1], [1, 1e-5, 1], [8, 1e-6, 3]].map(([epsilon, d, radius]) =>
    new BigUint64Array(Float64Array.of(map.privacy.meter({ epsilon, delta: d, radius }).sigma).buffer)[0].toString(16)),
  ["402eab2aef19596e", "40202e36a7c2e32e", "4028d083e5994b04"]);
});

test("C is κ(x, x)^½ at the radius for every method that has one", () => {
  const boundOf = (map, radius) => map.privacy.meter({ epsilon: 1, delta, radius }).signal;
  const kernels = [{ method: "random-maclaurin", methodParams: { kernel: "exponential" } },
    { method: "taylor-sketch", methodParams: { kernel: "exponential" } },
    { method: "random-maclaurin", methodParams: { coefficients: [1, 0.5, 0.25] } }, { nFeatures: [2, 3], coef0: 1 },
    ...METHODS.filter((method) => ![...FITTED, "spherical", "random-fourier", "taylor-sketch"].includes(method))
      .flatMap((method) => (method === "count-sketch" ? [{ method, coef0: 1 }]
      : [{ method }, { method, degree: 3, coef0: 1 }, { method, degree: 5, coef0: 0.25 }]))];
  for (const [i, params] of kernels.entries()) {
    const map = ts.featureMap({ nFeatures: 4, nComponents: 16, gamma: [1, 0.5, 2][i % 3], ...params });
    const radius = [1, 2, 0.1][i % 3];
    const x = [map.nFeatures].flat().flatMap((d) => [radius, ...Array(d - 1).fill(0)]);
    const want = Math.sqrt(map.theory.kernel(x, x));
    near(boundOf(map, radius), want, 1e-12 * want, JSON.stringify(params));
    errorOf(() => boundOf(map, undefined), "ERR_PARAM", "radius");
  }
  for (const params of [{ method: "random-fourier" },
    { method: "random-fourier", methodParams: { kernel: "laplacian", paired: true } },
    { method: "spherical" }, { method: "taylor-sketch" }]) {
    const map = ts.featureMap({ nFeatures: 4, nComponents: 16, ...params });
    assert.deepEqual([boundOf(map, undefined), boundOf(map, 7)], [1, 1], JSON.stringify(params));
  }
  errorOf(() => boundOf(ts.featureMap({ nFeatures: 4, method: "nystroem" }), 1), "ERR_PARAM", "method",
    /landmarks of this one are rows of the data/);
  errorOf(() => boundOf(ts.featureMap({ nFeatures: 4, method: "k-space" }), 1), "ERR_PARAM", "method",
    /this one is fitted to rows of the data/);
});

// Row 0 of every two is within C, row 1 is not.
test("noise has the moments of its σ, around features that are scaled to C, and takes at most 65,536 bytes at once",
  async () => {
  const Z = map.transform(Float32Array.of(1, 0, 0, 0, 10, 20, 0, 5));
  const n = 1500, D = map.nComponents;
  const many = new Float32Array(n * Z.length).map((_, i) => Z[i % Z.length]);
  const ledger = ts.ledger({ epsilon: 50, delta });
  for (const epsilon of [0.5, 4]) {
    const release = map.privacy.rows({ epsilon, delta, radius: 2, ledger, rows: 2 * n });
    const scale = [1, release.bound / Math.hypot(...Z.subarray(D))];
    assert.ok(Math.hypot(...Z.subarray(0, D)) < release.bound && scale[1] < 0.2);
    const sizes = await withFixedBytes(7, () => {
      const errors = release.privatize(many)
        .map((z, i) => (z - many[i] * scale[Math.floor(i / D) % 2]) / release.sigma);
      const mean = (f) => errors.reduce((sum, e, i) => sum + f(e, i), 0) / errors.length;
      const unit = 1 / Math.sqrt(errors.length);
      near(mean((e) => e), 0, 4 * unit, "mean");
      near(mean((e) => e ** 2), 1, 4 * Math.sqrt(2) * unit, "variance"); // kurtosis 3
      near(mean((e) => e ** 4), 3, 4 * Math.sqrt(96) * unit, "fourth moment");
      near(mean((e, i) => e * (errors[i - 1] ?? 0)), 0, 4 * unit, "covariance of neighbours");
      for (const row of [0, 1]) {
        const sum = errors.reduce((sum, e, i) => sum + (Math.floor(i / D) % 2 === row ? e * many[i] : 0), 0);
        near(sum / Math.hypot(...Z.subarray(row * D, (row + 1) * D)) / Math.sqrt(n), 0, 4, `around row ${row}`);
      }
    });
    assert.ok(sizes.length > 10 && Math.max(...sizes) <= 65536);
  }
});

test("noise is never the same twice, and the input stays as it is", () => {
  const Z = map.transform(randomRows(5, 4));
  const before = Z.slice();
  const ledger = ts.ledger({ epsilon: 8, delta });
  const seen = new Set();
  for (let i = 0; i < 8; i++) {
    map.privacy.privatize(Z, { epsilon: 1, delta, radius: 1, ledger }).forEach((z) => seen.add(z));
  }
  assert.ok(seen.size > 0.99 * 8 * Z.length, `${seen.size} of ${8 * Z.length} numbers differ`);
  sameBits(Z, before);
});

test("releases of the same rows add up, and beyond the budget are refused with what is left", () => {
  const Z = map.transform(randomRows(3, 4));
  const ledger = ts.ledger({ epsilon: 2, delta });
  assert.equal(ledger.spent, 0);
  near(ledger.left, 2, 1e-6, "left of a new ledger");
  const release = (epsilon) => map.privacy.privatize(Z, { epsilon, delta, radius: 1, ledger });
  release(1);
  near(ledger.spent, 1, 1e-6, "one release");
  release(1);
  near(ledger.spent, 1.46, 0.005, "two releases");
  const { left, spent } = ledger;
  errorOf(() => release(2), "ERR_PARAM", "epsilon", new RegExp(`epsilon must be at most ${String(left).slice(0, 6)}` +
    ".* which is what 2 releases of these rows leave of their budget of epsilon 2"));
  assert.deepEqual([ledger.spent, ledger.releases.length], [spent, 2]);
  release(left);
  near(ledger.spent, 2, 1e-5, "all of it");
  errorOf(() => release(0.01), "ERR_PARAM", "epsilon");
  assert.deepEqual(ledger.releases[0], {
    kind: "rows", rows: 3, nComponents: 64, epsilon: 1, delta, bound: 1.5, sigma: ledger.releases[0].sigma,
  });
  assert.throws(() => ledger.releases.push(1), TypeError);
});

test("after an error nothing is charged", async (t) => {
  const ts = await loadFor(t); // which holds no random bytes yet
  const map = ts.featureMap(POLYNOMIAL);
  const Z = map.transform(randomRows(3, 4));
  const ledger = ts.ledger({ epsilon: 2, delta });
  const o = { epsilon: 1, delta, radius: 1, ledger };
  const bad = Z.slice();
  bad[70] = NaN;
  const error = errorOf(() => map.privacy.privatize(bad, o), "ERR_NONFINITE", "Z");
  assert.deepEqual([error.row, error.column, error.rowsDone], [1, 6, undefined]);
  await withRandom(undefined, () => errorOf(() => map.privacy.privatize(Z, o), "ERR_PARAM", "crypto"));
  await withRandom(() => { throw new Error("no entropy"); },
    () => errorOf(() => map.privacy.privatize(Z, o), "ERR_PARAM", "random"));
  assert.deepEqual(map.privacy.privatize(new Float32Array(0), o), new Float32Array(0));
  assert.deepEqual([ledger.spent, ledger.releases], [0, []]);
  map.privacy.privatize(Z, o);
  assert.equal(ledger.releases.length, 1);
});

test("blocks of one pass are one release of a public number of rows", async (t) => {
  const ts = await loadFor(t, { threads: 2 });
  await ts.warm();
  const map = ts.featureMap(POLYNOMIAL);
  const X = randomRows(30, 4);
  const ledger = ts.ledger({ epsilon: 1, delta });
  const release = map.privacy.rows({ epsilon: 1, delta, radius: 1, ledger, rows: 30 });
  assert.equal(ledger.releases.length, 0);
  for (let row = 0; row < 30; row += 10) {
    const Z = await map.transformAsync(X.subarray(4 * row, 4 * (row + 10)));
    assert.equal(release.privatize(Z).length, Z.length);
    assert.equal(ledger.releases.length, 1);
  }
  assert.equal(ledger.releases[0].rows, 30);
  errorOf(() => release.privatize(map.transform(X.subarray(0, 4))), "ERR_SHAPE", "Z",
    /at most rows = 30 rows in all: the same rows again are another release, got 31 rows/);
});

test("a block beyond a budget spent meanwhile is not released", () => {
  const Z = map.transform(randomRows(2, 4));
  const ledger = ts.ledger({ epsilon: 1, delta });
  const o = { epsilon: 1, delta, radius: 1, ledger };
  const release = map.privacy.rows({ ...o, rows: 2 });
  map.privacy.privatize(Z, o);
  errorOf(() => release.privatize(Z), "ERR_PARAM", "epsilon");
});

test("a mean of rows in any grouping and form is the mean of its features, with noise", async (t) => {
  const [ts, other] = await Promise.all([loadFor(t), loadFor(t)]);
  const map = ts.featureMap({ ...POLYNOMIAL, nComponents: 50 });
  const X = randomRows(300, 4);
  const Z = map.transform(X);
  const ledger = ts.ledger({ epsilon: 20, delta });
  const o = { epsilon: 2, delta, radius: 2, rows: 300 };
  const parts = map.privacy.mean(o);
  parts.addFeatures(Z.subarray(200 * 50));
  parts.add(toCSR(X.subarray(0, 400), 4));
  parts.add(X.subarray(400, 800));
  const whole = other.featureMap(map.params).privacy.mean(o);
  whole.add(X);
  const released = [];
  for (const mean of [whole, parts]) { // each the first release of its module, so that its noise is of the same bytes
    assert.equal(mean.count, 300);
    await withFixedBytes(5, () => released.push(mean.release(ledger)));
  }
  sameBits(...released);
  let squares = 0;
  for (let j = 0; j < 50; j++) {
    let mean = 0;
    for (let i = j; i < Z.length; i += 50) mean += Z[i] / 300;
    squares += ((released[0][j] - mean) / whole.sigma) ** 2;
  }
  near(squares / 50, 1, 4 * Math.sqrt(2 / 50), "noise of the mean");
  assert.deepEqual(ledger.releases.map(({ kind, rows, sigma }) => [kind, rows, sigma]),
    [["mean", 300, whole.sigma], ["mean", 300, whole.sigma]]);
  near(whole.sigma, map.privacy.meter(o).sigma, 0, "σ of the meter");
});

test("a mean takes exactly the public number of rows, and after an error none", () => {
  const ledger = ts.ledger({ epsilon: 2, delta });
  const mean = map.privacy.mean({ epsilon: 1, delta, radius: 1, rows: 4 });
  mean.add(randomRows(3, 4));
  const want = "rows must be 4 in all, the public number; a row without features counts as zeros, got ";
  errorOf(() => mean.release(ledger), "ERR_SHAPE", "rows", `${want}3`);
  errorOf(() => mean.add(randomRows(2, 4)), "ERR_SHAPE", "rows", `${want}5`);
  errorOf(() => mean.add([1, 2, NaN, 4]), "ERR_NONFINITE", "X");
  errorOf(() => mean.add([1, 2, 1e300, 4]), "ERR_NONFINITE", "X");
  assert.deepEqual([mean.count, ledger.releases.length], [3, 0]);
  mean.addFeatures(new Float32Array(64));
  mean.release(ledger);
  mean.release(ledger);
  near(ledger.spent, 1.46, 0.005, "two releases of the same mean");
});

test("a ledger comes back from its JSON, and a changed one does not", async (t) => {
  const other = await loadFor(t);
  const map = ts.featureMap(POLYNOMIAL);
  const ledger = ts.ledger({ epsilon: 3, delta });
  map.privacy.privatize(map.transform(randomRows(3, 4)), { epsilon: 1, delta, radius: 1, ledger });
  const mean = map.privacy.mean({ epsilon: 0.5, delta: 1e-6, radius: 1, rows: 3 });
  mean.add(randomRows(3, 4));
  mean.release(ledger);
  const text = JSON.stringify(ledger);
  for (const from of [text, ledger.toJSON()]) {
    const again = other.ledger({ from });
    assert.equal(JSON.stringify(again), text);
    assert.deepEqual([again.spent, again.left], [ledger.spent, ledger.left]);
    // of another module
    map.privacy.privatize(map.transform(randomRows(1, 4)), { epsilon: 1, delta, radius: 1, ledger: again });
    assert.equal(again.releases.length, 3);
  }
  const changed = (change) => {
    const file = structuredClone(ledger.toJSON());
    change(file);
    return () => ts.ledger({ from: JSON.stringify(file) });
  };
  const cases = {
    "a larger budget": [(f) => { f.epsilon = 10; }, "from.check"],
    "another δ": [(f) => { f.delta = 0.1; }, "from.check"],
    "a release less": [(f) => f.releases.pop(), "from.check"],
    "a smaller release": [(f) => { f.releases[0].epsilon = 0.5; }, "from.check"],
    "releases in another order": [(f) => f.releases.reverse(), "from.check"],
    "another check": [(f) => { f.check = "0".repeat(16); }, "from.check"],
    "no check": [(f) => { delete f.check; }, "from.check"],
    "another format": [(f) => { f.format = "tensorsketch-model"; }, "from.format"],
    "another version": [(f) => { f.version = 2; }, "from.version"],
    "a key more": [(f) => { f.spent = 0; }, "spent"],
    "no releases": [(f) => { f.releases = null; }, "from.releases"],
    "a release that is none": [(f) => { f.releases[0] = 1; }, "from.releases[0]"],
    "a kind that is none": [(f) => { f.releases[1].kind = "median"; }, "from.releases[1].kind"],
    "a release without ε": [(f) => { delete f.releases[1].epsilon; }, "from.releases[1].epsilon"],
    "a key more in a release": [(f) => { f.releases[0].free = true; }, "free"],
  };
  for (const [name, [change, argument]] of Object.entries(cases)) {
    assert.ok(errorOf(changed(change), "ERR_PARAM", argument), name);
  }
  errorOf(() => ts.ledger({ from: text.slice(1) }), "ERR_PARAM", "from");
  errorOf(() => ts.ledger({ from: 5 }), "ERR_PARAM", "from");
  errorOf(() => ts.ledger({ from: text, epsilon: 5 }), "ERR_PARAM", "epsilon");
});

test("wrong input names what is wrong, and the map goes on", () => {
  const X = randomRows(3, 4);
  const Z = map.transform(X);
  const ledger = ts.ledger({ epsilon: 2, delta });
  const good = { epsilon: 1, delta, radius: 1, ledger };
  for (const [argument, ...values] of [["epsilon", undefined, 0, NaN, "1", 101], ["delta", 0, 1],
    ["radius", 0, -1, NaN, Infinity, "1"], ["ledger", undefined, ledger.toJSON()], ["seed", 1], ["rows", 3]]) {
    for (const value of values) {
      errorOf(() => map.privacy.privatize(Z, { ...good, [argument]: value }), "ERR_PARAM", argument);
    }
  }
  errorOf(() => map.privacy.privatize(Z, { ...good, radius: 1e25 }), "ERR_PARAM", "bound");
  for (const options of [null, undefined]) errorOf(() => map.privacy.privatize(Z, options), "ERR_PARAM", "options");
  errorOf(() => map.privacy.privatize(Z.subarray(1), good), "ERR_SHAPE", "Z");
  errorOf(() => map.privacy.privatize([...Z], good), "ERR_PARAM", "Z");
  for (const rows of [undefined, 0, 1.5, 2 ** 31, "3", NaN]) {
    errorOf(() => map.privacy.mean({ epsilon: 1, delta, radius: 1, rows }), "ERR_PARAM", "rows");
    errorOf(() => map.privacy.rows({ ...good, rows }), "ERR_PARAM", "rows");
    if (rows !== undefined) {
      errorOf(() => map.privacy.meter({ epsilon: 1, delta, radius: 1, rows }), "ERR_PARAM", "rows");
    }
  }
  for (const options of [{}, { epsilon: 1 }, { epsilon: -1, delta }, { epsilon: 1, delta: NaN }]) {
    errorOf(() => ts.ledger(options), "ERR_PARAM");
  }
  const meter = map.privacy.meter({ epsilon: 1, delta, radius: 1 });
  errorOf(() => meter.tradeoff([1], [1, 2, 3, 4]), "ERR_SHAPE", "x");
  errorOf(() => meter.tradeoff([1, 2, 3, 4], [1, 2, 3, 4], { noisy: "y" }), "ERR_PARAM", "noisy");
  errorOf(() => meter.tradeoff([1, 2, 3, 4], [1, 2, 3, 4], { nComponents: 0 }), "ERR_PARAM", "nComponents");
  errorOf(() => meter.squaredNorm([1]), "ERR_SHAPE", "z");
  errorOf(() => meter.squaredNormStdError("1"), "ERR_PARAM", "squaredNorm");
  assert.equal(ledger.releases.length, 0);
  checkAlive(map, X, Z);
});

// Go's TestEstimators shows that they have no bias and these σ.
test("estimates by noisy rows are by the formulas of the meter", () => {
  const D = 24;
  const map = ts.featureMap({ nFeatures: 4, nComponents: D, normalize: "kernel" });
  const x = [0.5, 0.5, 0.5, 0.5], y = [0.7, 0.1, 0.1, 0.7]; // of norm 1, as their features
  const meter = map.privacy.meter({ epsilon: 8, delta, radius: 1 });
  const variance = meter.sigma ** 2;
  near(meter.tradeoff(x, y).noise, Math.sqrt(2 * variance + D * variance ** 2), 1e-9, "both noisy");
  near(meter.tradeoff(x, y, { noisy: "x" }).noise, meter.sigma, 1e-9, "x noisy");
  near(meter.squaredNormStdError(1), Math.sqrt(4 * variance + 2 * D * variance ** 2), 1e-9, "norm");
  const z = randomRows(1, D);
  near(meter.squaredNorm(z), z.reduce((sum, v) => sum + v * v, 0) - D * variance, 1e-9, "squaredNorm");
});

test("the trade-off is the sum of both causes, and its best D the least", () => {
  const x = new Array(64).fill(1 / 8), y = x.map((v, i) => (i < 48 ? v : -v)); // ⟨x, y⟩ = ½
  const map = ts.featureMap({ nFeatures: 64, nComponents: 100 });
  const meter = map.privacy.meter({ epsilon: 1, delta, radius: 1, rows: 1000 });
  const best = meter.tradeoff(x, y, { nComponents: "best" });
  near(best.nComponents, 19_526, 2, "the best D of docs/privacy.md");
  near(best.both, 0.017, 0.0005, "its error");
  const at = meter.tradeoff(x, y, { nComponents: 1000 });
  assert.ok(at.nComponents === 1000 && at.both > best.both);
  near(Math.hypot(at.sketch, at.noise), at.both, 1e-12, "both");
  near(meter.tradeoff(x, y).sketch, map.theory.stdError(x, y).sigma, 1e-12, "the sketch's σ");
  const twice = ts.featureMap({ nFeatures: 64, nComponents: 100, repeats: 2 });
  const two = twice.privacy.meter({ epsilon: 1, delta, radius: 1, rows: 1000 }).tradeoff(x, y);
  assert.equal(two.nComponents, 200);
  near(two.sketch, twice.theory.stdError(x, y).sigma, 1e-12, "of two repeats");
  const tree = { method: "craft", methodParams: { base: "tree-tensor-sketch" }, normalize: "kernel" };
  const craft = ts.featureMap({ nFeatures: 64, nComponents: 100, ...tree });
  const unknown = craft.privacy.meter({ epsilon: 1, delta, radius: 1 }).tradeoff(x, y, { nComponents: "best" });
  assert.deepEqual([unknown.nComponents, unknown.sketch, unknown.both], [NaN, NaN, NaN]);
});

test("a wide row is one block, and the memory budget is kept and given back", async (t) => {
  const D = 2 ** 19; // 2 MiB a row, more than is staged at once
  const ts = await loadFor(t, { maxMemory: 64 * 2 ** 20, threads: 0 });
  const map = ts.featureMap({ nFeatures: 4, nComponents: D });
  const ledger = ts.ledger({ epsilon: 4, delta });
  const Z = map.transform(randomRows(2, 4));
  for (let i = 0; i < 3; i++) {
    assert.equal(map.privacy.privatize(Z, { epsilon: 0.5, delta, radius: 1, ledger }).length, 2 * D);
  }
  const mean = map.privacy.mean({ epsilon: 1, delta, radius: 1, rows: 2 });
  mean.addFeatures(Z);
  assert.equal(mean.release(ledger).length, D);
  map.dispose();
  const wide = await loadFor(t, { maxMemory: 40 * 2 ** 20, threads: 0 });
  const wideMap = wide.featureMap({ nFeatures: 1, nComponents: 2 ** 20, method: "count-sketch" });
  const wideMean = wideMap.privacy.mean({ epsilon: 1, delta, radius: 1, rows: 1 });
  errorOf(() => wideMean.addFeatures(new Float32Array(2 ** 20)), "ERR_MEMORY");
  assert.equal(wideMean.count, 0);
});

test("disposed maps and modules refuse", async () => {
  const ts = await load({ threads: 0 });
  const map = ts.featureMap(POLYNOMIAL);
  const Z = map.transform(randomRows(1, 4));
  const ledger = ts.ledger({ epsilon: 4, delta });
  const o = { epsilon: 1, delta, radius: 1 };
  const mean = map.privacy.mean({ ...o, rows: 1 });
  const rows = map.privacy.rows({ ...o, ledger, rows: 1 });
  const meter = map.privacy.meter(o);
  map.dispose();
  for (const call of [() => map.privacy.privatize(Z, { ...o, ledger }), () => mean.addFeatures(Z),
    () => mean.release(ledger),
    () => rows.privatize(Z),
    () => meter.tradeoff([1, 0, 0, 0], [1, 0, 0, 0])]) errorOf(call, "ERR_DISPOSED");
  ts.dispose();
  errorOf(() => ledger.spent, "ERR_DISPOSED");
  errorOf(() => ts.ledger({ epsilon: 1, delta }), "ERR_DISPOSED");
});

// Options, models and files that are right except for some of their parts: each gives what it says, or a
// TensorSketchError that names what is wrong, and the maps beside it keep their bits.

import assert from "node:assert/strict";
import { test } from "node:test";
import { checkAlive, dist, draws, errorOf, fuzzSeed, loadFor, mutated, randomRows, sameBits,
  soakSeconds } from "./helper.mjs";

const { FITTED, METHODS } = await import(new URL("tables.js", dist));
const LEAST = 400; // of each subject
const CODES = ["ERR_PARAM", "ERR_SHAPE", "ERR_NONFINITE", "ERR_OVERFLOW", "ERR_MEMORY"];

const drawn = draws(fuzzSeed);
const { next: random, below, pick } = drawn;

/** What JSON can hold in the wrong place, and what it cannot. */
const jsonJunk = () => pick([null, true, false, 0, -0, 1, -1, 0.5, 3, 1e300, 1e-320, 2 ** 31, 2 ** 53, "", "0", "x",
  "kernel", "__proto__", "constructor",
  "\ud800", "é".repeat(200), [], [0], [[1]], [1, null], {}, { string: "x" }, { length: 3 }, { length: 2 ** 31 },
    below(100), random(), pick(METHODS)]);
const junk = () => (random() < 0.6 ? jsonJunk()
  : pick([undefined, NaN, Infinity, -Infinity, 5n, -1n, 2n ** 64n, Symbol("s"), () => 1, class {}, new Date(0), /x/,
  new Map([[1, 2]]), new Float32Array(3), new Float64Array([1, NaN]), new Uint8Array(32), new BigInt64Array(2),
  new DataView(new ArrayBuffer(8)),
  new ArrayBuffer(8), Object.create(null), Object.freeze({ a: 1 }), new Number(3), new String("x"), new Proxy({}, {}),
    Array(5), new Float32Array([NaN, 1])]));

function mutations(value, wrong) {
  for (let n = below(4); n > 0; n--) {
    value = mutated(value, wrong, drawn, ["x", "seeds", "nComponent", "__proto_", "constructor", "0", "length_"]);
  }
  return value;
}

/** Text with some of its characters changed, left out, doubled, or cut off. */
function mutatedText(text) {
  for (let n = below(4); n > 0; n--) {
    const at = below(text.length);
    text = pick([
      () => text.slice(0, at) + pick(['"', "{", "}", "[", "]", ",", ":", "-", "9", "e", "\\", "\u0000", "null",
        "1e999"]) + text.slice(at + 1),
      () => text.slice(0, at) + text.slice(at + 1 + below(8)),
      () => text.slice(0, at) + text.slice(Math.max(0, at - below(20))),
      () => text.slice(0, at),
    ])();
  }
  return text;
}

const mutatedJSON = (object) =>
  (random() < 0.5 ? mutations(JSON.parse(JSON.stringify(object)), random() < 0.8 ? jsonJunk : junk)
  : mutatedText(JSON.stringify(random() < 0.5 ? object : mutations(object, jsonJunk))));

const params = [
  { nFeatures: 5 }, { nFeatures: 4, nComponents: 16, degree: 3, gamma: 0.5, coef0: 1, seed: "text",
    normalize: "kernel", output: "real", repeats: 2 },
  { nFeatures: [2, 3], nComponents: 9, coef0: 1, seed: 7n }, { nFeatures: 3, randomState: 5, output: "spectrum" },
  { nFeatures: 4, key: new Uint8Array(32) },
  { nFeatures: 2, nComponents: 3, indexHash: [[0, 1], [2, 0]], bitHash: [[1, -1], [-1, 1]] },
  { nFeatures: 4, nComponents: 12, method: "random-maclaurin", coef0: 1,
    methodParams: { h01: true, distribution: "gaussian" } },
  { nFeatures: 4, nComponents: 10, method: "craft", methodParams: { base: "tensor-srht", upComponents: 20 } },
  { nFeatures: 3, nComponents: 20, method: "taylor-sketch",
    methodParams: { kernel: "series", coefficients: [1, 0.5, 0.25] } },
  ...METHODS.map((method) => ({ method, nFeatures: 6, nComponents: 8, methodParams: {} })),
];

const preprocessing = {
  format: "tensorsketch-preprocessing", version: 1, unitNorm: false,
  columns: [{ name: "a", role: "number", missing: "mean", fill: 0.5, scaling: "standard", center: 1, scale: 2 },
    { name: "b", role: "category", encoding: "one-hot", values: ["x", "y"] },
    { name: "c", role: "date", parts: ["days", "week"] },
    { name: "d", role: "words", width: 4, words: [1, 1], chars: [0, 0] }, { name: "e", role: "label" }],
};

/** For each subject what makes a mutated input, and what is done with it. */
function subjects(ts) {
  const map = ts.featureMap({ nFeatures: 4, nComponents: 8, coef0: 1 });
  const X = randomRows(3, 4);
  const models = params.filter(({ method }) => !FITTED.includes(method))
    .map((given) => ts.featureMap(given).toJSON());
  const fitted = ts.featureMap({ method: "nystroem", nFeatures: 4, nComponents: 3 });
  fitted.fit(randomRows(9, 4));
  const kspace = ts.featureMap({ method: "k-space", nFeatures: 4, nComponents: 2, coef0: 1 });
  kspace.fit(randomRows(9, 4));
  models.push(fitted.toJSON(), kspace.toJSON(), { ...ts.featureMap({ nFeatures: 10 }).toJSON(), preprocessing },
    ts.featureMap({ nFeatures: 3, key: new Uint8Array(32) }).toJSON({ includeKey: true }));
  const ledger = ts.ledger({ epsilon: 4, delta: 1e-5 });
  const privateMap = ts.featureMap({ nFeatures: 4, nComponents: 8 });
  privateMap.privacy.privatize(privateMap.transform(X), { epsilon: 0.5, delta: 1e-6, radius: 1, ledger });
  /** The map transforms rows of its own and comes back from its model. */
  const use = (made, again) => {
    if (!FITTED.includes(made.params.method) && !Array.isArray(made.nFeatures) && made.nFeatures <= 100 &&
      made.nComponents <= 10_000) {
      const rows = Float32Array.from({ length: made.nFeatures }, () => 1 / Math.sqrt(made.nFeatures));
      const Z = made.transform(rows);
      const copy = again(made);
      sameBits(copy.transform(rows), Z);
      copy.dispose();
    }
    made.dispose();
  };
  const keyed = ts.featureMap({ nFeatures: 3, key: new Uint8Array(32) }).toJSON();
  const listOf = (value) => (Array.isArray(value) ? value : [value]);
  return {
    "parameters": [() => mutations(pick(params), junk), (value) => {
      const made = ts.featureMap(value);
      use(made, () => ts.featureMap(value.key ? { ...made.params, key: value.key } : made.params));
    }],
    "models": [() => mutatedJSON(pick(models)), (value) => {
      const made = ts.fromJSON(value);
      use(made, () => ts.fromJSON(made.toJSON({ includeKey: true })));
    }],
    "models with a key": [() => mutations([keyed, { key: new Uint8Array(32) }], junk),
      (value) => ts.fromJSON(...listOf(value)).dispose()],
    "ledgers": [() => mutatedJSON(ledger.toJSON()),
      (value) => ts.ledger({ from: ts.ledger({ from: value }).toJSON() }).left],
    "budgets": [() => mutations({ epsilon: 4, delta: 1e-5 }, junk), (value) => ts.ledger(value).left],
    "releases of rows": [() => mutations({ epsilon: 0.1, delta: 1e-6, radius: 1 }, junk),
      (value) => privateMap.privacy.privatize(new Float32Array(16),
        { ...Object(value), ledger: ts.ledger({ epsilon: 100, delta: 1e-3 }) })],
    "questions": [() => mutations(pick([
      { nFeatures: 6, degree: 3, coef0: 1, cosine: 0.5, epsilon: 0.5, delta: 0.05, methods: ["tensor-sketch"] },
      { nFeatures: 6, nComponents: 50, nnzPerRow: 3, sample: [[1, 0, 0, 1, 0, 2], [0, 1, 1, 1, 0, 2]],
        methods: ["random-maclaurin", "count-sketch"], degree: 1 }]), junk),
      (value) => ts.plan(value)],
    "products": [() => mutations([new Float32Array(6), new Float32Array(8), { m: 3, n: 4, k: 2 },
      { nComponents: 10, repeats: 3, seed: 4 }], junk),
      (value) => ts.compressedProduct(...listOf(value)).dispose()],
    "dense rows": [() => mutations([[1, 2, 3, 4], [5, 6, 7, 8]], junk), (value) => map.transform(value)],
    "sparse rows": [() => mutations({ indptr: [0, 2, 3], indices: [0, 3, 1], data: [1, 2, 3] }, junk),
      (value) => map.transform(value)],
    "outputs": [() => mutations(new Float32Array(24), junk), (value) => map.transform(X, value)],
    "vectors": [() => mutations([[1, 2, 3, 4], [5, 6, 7, 8], 0.5, 0.1], junk), (value) => {
      const args = listOf(value);
      map.theory.kernel(...args.slice(0, 2));
      map.theory.stdError(...args.slice(0, 2));
      map.theory.chooseComponents(...args);
    }],
  };
}

test("what JSON cannot hold is named in the error like any other value", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const map = ts.featureMap({ nFeatures: 4 });
  const model = map.toJSON();
  for (const [argument, call] of Object.entries({
    "model.hash": () => ts.fromJSON({ ...model, hash: Object.create(null) }),
    "model.seed": () => ts.fromJSON({ ...model, seed: new BigInt64Array(2) }),
    "from.epsilon": () => ts.ledger({ from: { ...ts.ledger({ epsilon: 4, delta: 1e-5 }).toJSON(), epsilon: 4n } }),
    "preprocessing": () => ts.fromJSON({ ...ts.featureMap({ nFeatures: 1 }).toJSON(),
      preprocessing: {
        format: "tensorsketch-preprocessing", version: 1, unitNorm: 5n, columns: [{ name: "a", role: "number" }],
      } }),
  })) errorOf(call, "ERR_PARAM", argument);
});

test("mutated input gives what it says or an error that names what is wrong", async (t) => {
  const ts = await loadFor(t, { threads: 0, maxMemory: 128 * 2 ** 20 });
  const controls = params.filter(({ method }) => !FITTED.includes(method) && method !== "spherical")
    .filter(({ nFeatures }) => !Array.isArray(nFeatures)).map((given) => {
    const map = ts.featureMap(given);
    const X = randomRows(2, map.nFeatures);
    return { map, X, want: map.transform(X), model: JSON.stringify(map.toJSON()) };
  });
  const check = (when) => {
    for (const { map, X, want, model } of controls) {
      checkAlive(map, X, want, when);
      assert.equal(JSON.stringify(map.toJSON()), model, when);
    }
  };
  for (const [name, [make, use]] of Object.entries(subjects(ts))) {
    const end = performance.now() + 1000 * soakSeconds / 15;
    let n = 0, taken = 0;
    for (; n < LEAST || performance.now() < end; n++) {
      const value = make();
      try {
        use(value);
        taken++;
      } catch (error) {
        const told = `${name} ${n} of seed ${fuzzSeed}`;
        if (error?.name !== "TensorSketchError") { // the one of public/ is another class
          console.log(told, value);
          throw error;
        }
        assert.ok(CODES.includes(error.code), `${told}: ${error.code}: ${error.message}`);
        if (error.code !== "ERR_MEMORY" && typeof error.argument !== "string") {
          console.log(told, value);
          assert.fail(`${told}: no argument: ${error.message}`);
        }
      }
      if (n % 200 === 0) check(`after ${name} ${n} of seed ${fuzzSeed}`);
    }
    check(`after ${name}`);
    t.diagnostic(`${name}: ${n} tried, ${taken} taken`);
    assert.ok(taken > 0 && taken < n, `${name}: ${taken} of ${n} taken`);
  }
});

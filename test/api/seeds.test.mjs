// seeds.js, the page's worker: its estimates equal maps made one by one, whatever the chunks; new work takes the
// place of the old.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, near, randomRows, unitRows } from "./helper.mjs";

const file = new URL("../../public/page/seeds.js", import.meta.url).href;
const { estimates, laws, results } = await import(file);
const { KINDS } = await import(new URL("../api/tables.js", file));

const ts = await load({ threads: 0 });

const work = (changes = {}) => ({
  id: 1, degree: 3, nFeatures: 9, rows: randomRows(2, 9, 4), seed: 40n, chunks: [[0, 2], [7, 3]],
  columns: [8, 16, 128], ...changes,
});

/** The estimates of one seed and D, pair by pair, from a map of its own. */
function direct({ degree, nFeatures, rows }, nComponents, seed) {
  const map = ts.featureMap({ nFeatures, nComponents, degree, seed });
  const results = [];
  for (let from = 0; from < rows.length; from += 2 * nFeatures) {
    const zx = map.transform(rows.subarray(from, from + nFeatures));
    const zy = map.transform(rows.subarray(from + nFeatures, from + 2 * nFeatures));
    results.push(map.estimate(zx, zy));
  }
  map.dispose();
  return results;
}

test("estimates equal a map's made for the seed, bit for bit", () => {
  for (const job of [work(), work({ degree: 1, columns: [16384] }), work({ rows: randomRows(40, 9, 5) }),
    work({ degree: 8, seed: 0n })]) {
    const results = [...estimates(ts, job)];
    const order = results.map(({ column, first }) => [first, column]);
    assert.deepEqual(order, job.chunks.flatMap(([first]) => job.columns.map((_, column) => [first, column])));
    for (const { column, first, estimates } of results) {
      const [, count] = job.chunks.find((chunk) => chunk[0] === first);
      const want = Array.from({ length: count },
        (_, k) => direct(job, job.columns[column], job.seed + BigInt(first + k))).flat();
      assert.ok(estimates instanceof Float64Array);
      assert.deepEqual([...estimates], want, `chunk ${first}, D = ${job.columns[column]}`);
    }
  }
});

test("after the largest seed comes 0", () => {
  const job = work({ seed: 2n ** 64n - 2n, chunks: [[0, 4]], columns: [32] });
  const [{ estimates: got }] = estimates(ts, job);
  assert.deepEqual([...got], [2n ** 64n - 2n, 2n ** 64n - 1n, 0n, 1n].flatMap((seed) => direct(job, 32, seed)));
});

/** All methods that the page compares, with what their maps take of degree 3 and coef0. */
const compared = {
  ...Object.fromEntries(["tensor-sketch", "complex-tensor-sketch", "random-maclaurin", "tensorized-random-projection",
    "complex-tensorized-random-projection", "tensor-srht", "complex-tensor-srht", "craft", "tree-tensor-sketch"]
    .map((method) => [method, { degree: 3, coef0: .5 }])),
  spherical: { degree: 3 },
  "random-fourier": {},
  "taylor-sketch": {},
};

const comparison = (changes = {}) => work({
  rows: unitRows(4, 9, 6), coef0: .5, columns: [8, 64], chunks: [], ...changes,
});

/** Calls f with x, y, κ(x, y) and √(κ(x, x)·κ(y, y)) of each pair, and returns the mean. */
function meanOverPairs(map, { rows, nFeatures }, f) {
  let sum = 0;
  for (let from = 0; from < rows.length; from += 2 * nFeatures) {
    const [x, y] = [rows.subarray(from, from + nFeatures), rows.subarray(from + nFeatures, from + 2 * nFeatures)];
    sum += f(x, y, map.theory.kernel(x, y), Math.sqrt(map.theory.kernel(x, x) * map.theory.kernel(y, y)));
  }
  return sum / (rows.length / nFeatures / 2);
}

test("of a method compared come the squared relative errors of each seed", () => {
  for (const [method, params] of Object.entries(compared)) {
    const job = comparison({ chunks: [[0, 2, method, 1], [7, 3, method, 0]] });
    const results = [...estimates(ts, job)];
    assert.deepEqual(results.map(({ method, column, first, squares }) => [method, column, first, squares.length]),
      [[method, 1, 0, 2], [method, 0, 7, 3]]);
    for (const { column, first, squares } of results) {
      squares.forEach((square, k) => {
        const map = ts.featureMap({
          method, nFeatures: 9, nComponents: job.columns[column], seed: job.seed + BigInt(first + k), ...params,
        });
        const want = meanOverPairs(map, job,
          (x, y, kernel, scale) => ((map.estimate(map.transform(x), map.transform(y)) - kernel) / scale) ** 2);
        near(square, want, 1e-12 * want, `${method}, seed ${first + k}`);
        map.dispose();
      });
    }
  }
});

test("laws: what stdError and bias say, and how long a row takes", () => {
  const job = comparison({ measured: Object.keys(compared) });
  const results = [...laws(ts, job)];
  const first = [0, 1].flatMap((column) => job.measured.map((method) => [column, method]));
  assert.deepEqual(results.map(({ method, column }) => [column, method]), [...first, ...first.toReversed()]);
  assert.deepEqual(results.map(({ law }) => law[3]), [...first.map(() => 0), ...first.map(() => 1)]);
  for (const { method, column, law: [error, kind, micros] } of results) {
    const map = ts.featureMap({ method, nFeatures: 9, nComponents: job.columns[column], ...compared[method] });
    const want = meanOverPairs(map, job,
      (x, y, _, scale) => (map.theory.stdError(x, y).sigma ** 2 + map.theory.bias(x, y) ** 2) / scale ** 2);
    near(error, Math.sqrt(want), 1e-12 * error, method);
    assert.equal(KINDS[kind], "exact", method);
    assert.ok(micros > 0 && micros < 1e5, `${method}: ${micros} µs`);
    map.dispose();
  }
  assert.deepEqual([...laws(ts, comparison())], []);
});

test("a time is kept for jobs of other rows and seeds, and its least counts", () => {
  const timings = new Map();
  const run = (changes) => [...laws(ts, comparison({ measured: ["craft"], ...changes }), timings)]
    .map(({ column, law }) => [column, law[2], law[3]]);
  const timed = run();
  assert.deepEqual(timed.map(([column, , isFinal]) => [column, isFinal]), [[0, 0], [1, 0], [1, 1], [0, 1]]);
  assert.ok(timed[3][1] <= timed[0][1] && timed[2][1] <= timed[1][1]);
  assert.deepEqual(run({ seed: 7n, rows: unitRows(4, 9, 7) }), [timed[3], timed[2]]);
  for (const changes of [{ degree: 2 }, { coef0: 0 }, { nFeatures: 18 }, { columns: [16, 32] },
    { measured: ["tensor-sketch"] }]) {
    assert.equal(run(changes).length, 4);
  }
});

test("the first seeds come before the laws, and then both in turn", () => {
  const job = comparison({ measured: ["craft"], chunks: [[0, 2], [0, 2, "craft", 1], [2, 2]] });
  const kindOf = (result) => ["law", "squares", "estimates"].find((name) => result[name]);
  assert.deepEqual([...results(ts, job)].map(kindOf),
    ["estimates", "estimates", "law", "squares", "law", "estimates", "law", "estimates", "law"]);
  assert.deepEqual([...results(ts, comparison({ chunks: [[0, 2, "craft", 1]] }))].map(kindOf), ["squares"]);
});

test("over many seeds the errors of every method are those that its law says", () => {
  const seeds = 300;
  for (const method of Object.keys(compared)) {
    const job = comparison({
      rows: unitRows(2, 9, 8), columns: [64], measured: [method], chunks: [[0, seeds, method, 0]],
    });
    const [{ law: [error] }] = laws(ts, job);
    const [{ squares }] = estimates(ts, job);
    const mean = squares.reduce((sum, square) => sum + square, 0) / seeds;
    const kurtosis = squares.reduce((sum, square) => sum + square ** 2, 0) / seeds / mean ** 2;
    const tolerance = 4 * Math.sqrt((kurtosis - 1) / seeds);
    assert.ok(Math.abs(mean / error ** 2 - 1) <= tolerance,
      `${method}: (${Math.sqrt(mean)} / ${error})² is not within ${tolerance} of 1`);
  }
});

test("a map that memory does not hold has an empty law and no errors", async () => {
  const small = await load({ threads: 0, maxMemory: 48 * 2 ** 20 });
  const method = "random-fourier";
  const job = comparison({ nFeatures: 256, rows: unitRows(2, 256, 6), columns: [8, 2 ** 16], measured: [method],
    chunks: [[0, 2, method, 1], [0, 2, method, 0]] });
  assert.deepEqual([...laws(small, job)].map(({ law }) => law.length), [4, 0, 4]);
  const [refused, held] = estimates(small, job);
  assert.deepEqual([...refused.squares], [NaN, NaN]);
  assert.ok(held.squares.every((square) => square > 0));
  small.dispose();
});

test("as a worker: it answers, drops the work for newer work, stops, and tells errors", async () => {
  let receive;
  const posted = [];
  const waiting = new Set();
  const globals = {
    DedicatedWorkerGlobalScope: class {},
    addEventListener: (_, listener) => { receive = (data) => listener({ data }); },
    postMessage: (message, transfer = []) => {
      posted.push(structuredClone(message, { transfer }));
      for (const look of waiting) look();
    },
  };
  const until = (condition) => new Promise((resolve) => {
    const look = () => {
      if (!condition()) return;
      waiting.delete(look);
      resolve();
    };
    waiting.add(look);
    look();
  });
  const saved = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const [name, value] of Object.entries(globals)) {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  try {
    await import(`${file}?worker`);
    const of = (id) => posted.filter((message) => message.id === id);

    receive(work());
    await until(() => of(1).length === 6);
    const [first] = of(1);
    assert.deepEqual(Object.keys(first).sort(), ["column", "estimates", "first", "id"]);
    assert.deepEqual([...first.estimates], [40n, 41n].flatMap((seed) => direct(work(), 8, seed)));

    const endless = Array.from({ length: 5000 }, (_, k) => [k, 1]);
    receive(work({ id: 2, chunks: endless }));
    await until(() => of(2).length > 0);
    receive(work({ id: 3 }));
    await until(() => of(3).length === 6);
    const dropped = of(2).length;
    assert.ok(dropped < 100, `${dropped} replies to work that was dropped`);

    receive(work({ id: 4, chunks: endless }));
    await until(() => of(4).length > 0);
    receive({ id: 0 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    const stopped = of(4).length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(of(4).length, stopped, "it goes on after the stop");
    assert.equal(of(2).length, dropped);

    receive(work({ id: 5, degree: 0 }));
    await until(() => of(5).length > 0);
    assert.match(of(5)[0].error, /^degree must be an integer from 1/);
    receive(work({ id: 6 }));
    await until(() => of(6).length === 6);

    receive(comparison({ id: 7, measured: ["craft"], chunks: [[0, 2, "craft", 1]] }));
    await until(() => of(7).length === 5);
    assert.deepEqual(of(7).map((message) => Object.keys(message).sort().join()),
      ["column,id,law,method", "column,first,id,method,squares", ...Array(3).fill("column,id,law,method")]);
  } finally {
    for (const [name, descriptor] of saved) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
});

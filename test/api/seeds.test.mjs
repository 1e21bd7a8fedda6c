// seeds.js, the page's worker: its estimates are those of maps made one by one, whatever the chunks; new work takes the
// place of the old.

import assert from "node:assert/strict";
import { before, test } from "node:test";
import { load, randomRows } from "./helper.mjs";

const file = new URL("../../public/seeds.js", import.meta.url).href;
const { estimates } = await import(file);

let ts;
before(async () => { ts = await load({ threads: 0 }); });

const work = (changes = {}) => ({
  id: 1, degree: 3, nFeatures: 9, rows: randomRows(2, 9, 4), seed: 40n, chunks: [[0, 2], [7, 3]], columns: [8, 16, 128], ...changes,
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

test("estimates are those of a map made for the seed, bit for bit", () => {
  for (const job of [work(), work({ degree: 1, columns: [16384] }), work({ rows: randomRows(40, 9, 5) }), work({ degree: 8, seed: 0n })]) {
    const results = [...estimates(ts, job)];
    const order = results.map(({ column, first }) => [first, column]);
    assert.deepEqual(order, job.chunks.flatMap(([first]) => job.columns.map((_, column) => [first, column])));
    for (const { column, first, estimates } of results) {
      const [, count] = job.chunks.find((chunk) => chunk[0] === first);
      const want = Array.from({ length: count }, (_, k) => direct(job, job.columns[column], job.seed + BigInt(first + k))).flat();
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
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
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
  } finally {
    for (const [name, descriptor] of saved) {
      if (descriptor) Object.defineProperty(globalThis, name, descriptor);
      else delete globalThis[name];
    }
  }
});

// Long runs: many calls, many maps, workers killed under load, memory that ends at each step. By default each is
// short; `./build.sh soak` runs those that depend on time for TENSORSKETCH_SOAK seconds each.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { build, checkAlive, dist, fuzzSeed, generator, loadFor, loading, printedBy, randomRows, sameBits,
  soakSeconds, TensorSketchError, toCSR, unitRows, watchInstances,
  watchWorkers } from "./helper.mjs";

const MIB = 2 ** 20;
const { FITTED, METHODS } = await import(new URL("tables.js", dist));

/** Runs the garbage collector. */
const collect = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
})();

/** The slope of y over x by least squares. */
function slope(points) {
  const mean = (f) => points.reduce((sum, point) => sum + f(point), 0) / points.length;
  const x0 = mean(([x]) => x), y0 = mean(([, y]) => y);
  return mean(([x, y]) => (x - x0) * (y - y0)) / mean(([x]) => (x - x0) ** 2);
}

/**
 * Does something n times. Asserts that over the last half neither this thread's heap nor the memory of the instance
 * grows by `most` bytes each or more.
 */
async function assertFlat(t, instances, n, what, most, once) {
  const samples = 24;
  const heap = [], memory = [];
  for (let i = 0; i < n; i++) {
    once(i);
    if ((i + 1) % Math.floor(n / samples) === 0) {
      await sleep(0); // for finalizers
      collect();
      heap.push([i + 1, process.memoryUsage().heapUsed]);
      memory.push([i + 1, instances.at(-1).exports.mem.buffer.byteLength]);
    }
  }
  for (const [name, points] of Object.entries({ heap, memory })) {
    const late = points.slice(samples / 2);
    const perCall = slope(late);
    t.diagnostic(`${n} ${what}: ${name} ${(late.at(-1)[1] / MIB).toFixed(2)} MiB at the end, ` +
      `slope ${perCall.toFixed(3)} bytes each`);
    assert.ok(perCall < most,
      `${name} grows by ${perCall} bytes per ${what}: ${late.map(([, y]) => (y / MIB).toFixed(2)).join(" ")} MiB`);
  }
}

/** A map of a method, fitted if it has to be. */
function mapOf(ts, method, params = {}) {
  const map = ts.featureMap({ method, nFeatures: 6, nComponents: 32, ...params });
  if (FITTED.includes(method)) map.fit(unitRows(40, 6, 3));
  return map;
}

test("memory is flat over many calls, good and bad", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const maps = METHODS.map((method) => mapOf(ts, method));
  const X = unitRows(3, 6);
  const csr = toCSR(X, 6);
  const bad = X.map((v, i) => (i === 7 ? NaN : v));
  const [x, y] = [X.subarray(0, 6), X.subarray(6, 12)];
  const want = maps.map((map) => map.transform(X));
  const product = ts.featureMap({ nFeatures: 6, nComponents: 32 });
  const calls = [
    (map) => map.transform(X), (map) => map.transform(csr), (map) => map.theory.kernel(x, y),
    (map) => map.theory.stdError(x, y),
    (map) => assert.throws(() => map.transform(bad), { code: "ERR_NONFINITE" }),
    () => product.transformProduct([X, csr]),
    (map) => assert.throws(() => map.transform([1]), { code: "ERR_SHAPE" }),
  ];
  await assertFlat(t, instances, soakSeconds > 0 ? 1_000_000 : 50_000, "calls", soakSeconds > 0 ? 2 : 17,
    (i) => calls[i % calls.length](maps[i % maps.length]));
  maps.forEach((map, i) => checkAlive(map, X, want[i], METHODS[i]));
});

test("memory is flat over many maps made and disposed", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const X = unitRows(2, 6);
  const want = METHODS.map((method) => mapOf(ts, method, { seed: method }).transform(X));
  // The core's memory grows by 1 MiB at a time. A single step in the middle of 800 maps has a slope of 1,970 bytes.
  await assertFlat(t, instances, soakSeconds > 0 ? 10_000 : 1600, "maps", soakSeconds > 0 ? 200 : 2100, (i) => {
    const map = mapOf(ts, METHODS[i % METHODS.length], { seed: METHODS[i % METHODS.length] });
    sameBits(map.transform(X), want[i % METHODS.length]);
    map.dispose();
  });
});

const MANY = soakSeconds > 0 ? 1000 : 250;

test(`${MANY} maps of D = 4,096 live in one module`, async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const d = 64, D = 4096;
  const { ts_in_use: inUse, mem } = instances[0].exports;
  const x = randomRows(1, d);
  ts.featureMap({ nFeatures: d, nComponents: D }).dispose();
  const before = inUse();
  const maps = Array.from({ length: MANY }, (_, seed) => ts.featureMap({ nFeatures: d, nComponents: D, seed }));
  const first = maps.map((map) => map.transform(x));
  t.diagnostic(`${MANY} maps: ${((inUse() - before) / MANY / 1024).toFixed(1)} KiB each by the budget, ` +
    `${(mem.buffer.byteLength / MIB).toFixed(0)} MiB of memory`);
  for (let i = 0; i < MANY; i++) sameBits(maps[i].transform(x), first[i], `map ${i} again`);
  const other = await loadFor(t, { threads: 0 });
  for (let seed = 0; seed < MANY; seed += 37) {
    sameBits(first[seed], other.featureMap({ nFeatures: d, nComponents: D, seed }).transform(x),
      `map ${seed} in a module of its own`);
  }
  for (const map of maps) map.dispose();
  assert.ok(inUse() - before < MIB, `${inUse() - before} bytes are still in use`);
});

test("workers killed at random under load: every call gives its bits, or ERR_WORKER, and the pool recovers",
  async (t) => {
  const random = generator(fuzzSeed);
  const started = watchWorkers(t);
  const living = () => started.filter(({ exited, killed }) => !exited && !killed);
  const threads = 3;
  const ts = await loadFor(t, { threads });
  await ts.warm();
  const X = randomRows(3000, 32);
  const work = [{ nComponents: 512 }, { nComponents: 256, degree: 4 },
    { nComponents: 1024, normalize: "kernel" }].map((params) => {
    const map = ts.featureMap({ nFeatures: 32, ...params });
    return { map, want: map.transform(X) };
  });

  await work[0].map.transformAsync(X); // where no worker was ever ready, none is tried again

  let killing = true, killed = 0, given = 0, rejected = 0;
  const killer = (async () => {
    while (killing) {
      await sleep(100 * random() ** 2); // some as they start, most at work
      const workers = living();
      if (workers.length === 0) continue;
      const worker = workers[Math.floor(workers.length * random())];
      worker.killed = true;
      worker.terminate();
      killed++;
    }
  })();
  const end = performance.now() + 1000 * soakSeconds;
  await Promise.all([0, 1, 2, 3].map(async () => {
    while (performance.now() < end || killed < 10 || given < 10) {
      const { map, want } = work[Math.floor(work.length * random())];
      const rows = 500 + Math.floor(2500 * random());
      try {
        const Z = await map.transformAsync(X.subarray(0, rows * 32));
        sameBits(Z, want.subarray(0, Z.length), `with workers being killed, seed ${fuzzSeed}`);
        given++;
      } catch (error) {
        if (!(error instanceof TensorSketchError)) throw error;
        assert.equal(error.code, "ERR_WORKER", error.message);
        rejected++;
      }
    }
  }));
  killing = false;
  await killer;
  t.diagnostic(`${killed} workers killed; ${given} calls gave their bits, ${rejected} were ERR_WORKER`);
  assert.equal(ts.capabilities.threads, threads, "threads afterwards");
  for (const { map, want } of work) sameBits(await map.transformAsync(X), want, "afterwards");
  await ts.warm(); // these calls are too short to start workers
  assert.equal(living().length, threads, "workers are there again");
  for (const { map, want } of work) sameBits(await map.transformAsync(X), want, "by the new workers");
});

test("memory that ends at any step of a call is ERR_MEMORY, costs nothing, and leaves the rest as it was",
  async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const { exports } = instances[0];
  // Rows of so many features are staged for one call and not kept for the next.
  const d = 300_000, D = 500, few = 300;
  const X = randomRows(5, d);
  const csr = toCSR(X, d);
  const [x, y] = [X.subarray(0, d), X.subarray(d, 2 * d)];
  const narrow = X.subarray(0, 60 * few);
  const map = ts.featureMap({ nFeatures: d, nComponents: D });
  const fitted = ts.featureMap({ method: "nystroem", nFeatures: few, nComponents: 40 });
  const kspace = ts.featureMap({ method: "k-space", nFeatures: few, nComponents: 20 });
  const control = ts.featureMap({ nFeatures: 20, nComponents: 64 });
  const plain = (result) => JSON.stringify(result,
    (_, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value));
  const using = (made, use) => {
    try {
      return use(made);
    } finally {
      made.dispose();
    }
  };
  const calls = {
    "transform": () => map.transform(X),
    "transform of sparse rows": () => map.transform(csr),
    "transformProduct": () => map.transformProduct([X, csr]),
    "kernel": () => map.theory.kernel(x, y),
    "stdError": () => map.theory.stdError(x, y),
    "chooseComponents": () => map.theory.chooseComponents(x, y, 1, 0.1),
    "fit": () => (fitted.fit(narrow), fitted.transform(narrow.subarray(0, few))),
    "fit of k-space": () => (kspace.fit(narrow), kspace.transform(narrow.subarray(0, few))),
    "compressedProduct": () => using(ts.compressedProduct(X.subarray(0, 400), X.subarray(0, 600),
      { m: 20, n: 30, k: 20 }, { nComponents: 5000 }),
      (product) => product.largest(10)),
    "plan": () => ts.plan({ nFeatures: few, nComponents: 100, methods: ["tensor-sketch", "random-maclaurin"] })
      .map(({ nComponents }) => nComponents),
    ...Object.fromEntries((soakSeconds > 0 ? METHODS.filter((method) => ![...FITTED, "spherical"].includes(method))
      : ["tensor-sketch", "craft"])
      .map((method) => [`a ${method} map`,
        () => using(ts.featureMap({ method, nFeatures: few, nComponents: 2000 }), (one) => one.transform(narrow))])),
  };
  const beside = control.transform(X.subarray(0, 60));
  const settle = () => {
    assert.equal(exports.ts_budget(1024 * MIB), 0);
    checkAlive(control, X.subarray(0, 60), beside, "the map beside it");
    return exports.ts_in_use();
  };
  for (const [name, call] of Object.entries(calls)) {
    const want = plain(call());
    const before = settle();
    const works = (extra) => {
      assert.equal(exports.ts_budget(exports.ts_in_use() + extra), 0);
      try {
        assert.equal(plain(call()), want, `${name} with ${extra} bytes more`);
        return true;
      } catch (error) {
        assert.ok(error instanceof TensorSketchError && error.code === "ERR_MEMORY",
          `${name} with ${extra} bytes more: ${error.stack}`);
        return false;
      } finally {
        assert.equal(settle(), before, `${name} with ${extra} bytes more: bytes in use afterwards`);
      }
    };
    let enough = 8192;
    while (!works(enough)) enough *= soakSeconds > 0 ? 2 : 4;
    const step = Math.max(4096, enough / (soakSeconds > 0 ? 64 : 6));
    let refused = 0;
    for (let extra = 0; extra <= enough; extra += step) refused += works(extra) ? 0 : 1;
    t.diagnostic(`${name}: needs up to ${(enough / 1024).toFixed(0)} KiB, ` +
      `refused at ${refused} of ${Math.floor(enough / step) + 1} budgets`);
    assert.ok(instances.length === 1, `${name} has ended the instance`);
  }
});

test("memory that really ends, under load and in every thread, costs the calls that met it and nothing else", (t) => {
  // The engine gives no instance more than 80 MiB, and the library believes in 4 GiB.
  const printed = printedBy(`${loading({ threads: 2, build, maxMemory: 2 ** 32 })}
    await ts.warm();
    const X = Float32Array.from({ length: 64 * 2000 }, (_, i) => Math.sin(i));
    const small = [1, 2, 3].map((seed) => ts.featureMap({ nFeatures: 64, nComponents: 512, seed }));
    const want = small.map((map) => Buffer.from(map.transform(X).buffer));
    const same = (Z, i) => Buffer.compare(want[i], Buffer.from(Z.buffer)) === 0;
    let right = 0, wrong = 0;
    const refused = {}, refusedInWorkers = {};
    const tell = (where) => ({ code }) => { where[code] = (where[code] ?? 0) + 1; };
    // Some blocks of four rows may be done before one meets the end of memory.
    const tellOfWorkers = (rows, isDone) => (error) => {
      const { code, message, rowsDone } = error;
      tell(refusedInWorkers)(error);
      if (code === "ERR_MEMORY" && !(rowsDone < rows && rowsDone % 4 === 0 && /out of memory/.test(message) &&
          isDone(rowsDone))) {
        throw new Error(rowsDone + " rows done: " + message);
      }
    };
    for (let round = 0; round < ${soakSeconds > 0 ? 20 : 1}; round++) {
      const load = small.map(async (map, i) => {
        for (let n = 0; n < 4; n++) {
          const out = new Float32Array(512 * 2000);
          await map.transformAsync(X, { out }).then((Z) => { same(Z, i) ? right++ : wrong++; }, tellOfWorkers(2000,
            (rows) => Buffer.from(out.buffer, 0, 2048 * rows).equals(want[i].subarray(0, 2048 * rows))));
        }
      });
      // Maps until memory has ended twice: an instance that replaces another begins with none, so that there are more
      // than a worker can hold.
      const large = [];
      for (let ends = 0; ends < 2; ) {
        try {
          large.push(ts.featureMap({ nFeatures: 64, nComponents: 2 ** 19, seed: large.length }));
          await new Promise(setImmediate);
          const i = large.length % 3;
          same(small[i].transform(X), i) ? right++ : wrong++;
        } catch (error) {
          tell(refused)(error);
          ends++;
        }
      }
      for (const map of large) {
        await map.transformAsync(X.subarray(0, 64 * 8)).then((Z) => { Z.length === 2 ** 22 ? right++ : wrong++; },
          tellOfWorkers(8, () => true));
      }
      await Promise.all(load);
      for (const map of large) map.dispose();
      for (const [i, map] of small.entries()) {
        same(map.transform(X), i) ? right++ : wrong++;
        same(await map.transformAsync(X), i) ? right++ : wrong++;
      }
    }
    console.log(JSON.stringify({ right, wrong, refused, refusedInWorkers, threads: ts.capabilities.threads }));
    ts.dispose();
  `, "--wasm-max-mem-pages=1280");
  t.diagnostic(printed);
  const { right, wrong, refused, refusedInWorkers, threads } = JSON.parse(printed);
  assert.equal(wrong, 0);
  assert.ok(right > 20, `${right} right`);
  assert.ok(refused.ERR_MEMORY > 0, "memory never ended here");
  assert.ok(refusedInWorkers.ERR_MEMORY > 0, "memory never ended in a worker");
  assert.deepEqual(Object.keys({ ...refused, ...refusedInWorkers }).filter((code) => code !== "ERR_MEMORY" &&
    code !== "ERR_WORKER"), []);
  assert.equal(threads, 2);
});

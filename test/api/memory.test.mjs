// Memory and the end of things: budgets, a real exhaustion and what follows it, dispose.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { build, checkAlive, compiler, errorOf, load, loadFor, loading, printedBy, randomRows, rejectionOf, sameBits,
  soakSeconds, watchInstances, watchWorkers } from "./helper.mjs";

const MIB = 2 ** 20;
const PAGE = 65536;

for (const budget of soakSeconds > 0 ? [32, 48, 100, 256, 1024] : [32, 100]) {
  test(`maxMemory of ${budget} MiB refuses what exceeds it before it is tried, and goes on`, async (t) => {
    const instances = watchInstances(t);
    const ts = await loadFor(t, { threads: 0, maxMemory: budget * MIB });
    const map = ts.featureMap({ nFeatures: 50, nComponents: 200, coef0: 1 });
    const X = randomRows(500, 50);
    const want = map.transform(X);

    // Maps until they are refused: what the instance then holds is within the budget.
    const kept = [];
    let refused;
    for (let n = 0; !refused; n++) {
      assert.ok(n < 10_000, "no map was refused");
      try {
        kept.push(ts.featureMap({ nFeatures: 10, nComponents: budget * 512, seed: n }));
      } catch (error) {
        refused = error;
      }
    }
    errorOf(() => { throw refused; }, "ERR_MEMORY", undefined,
      new RegExp(`maxMemory of ${budget * MIB} bytes is too little: \\d+ are in use and this call needs \\d+ more`));
    const { byteLength } = instances[0].exports.mem.buffer;
    assert.ok(byteLength <= budget * MIB, `${byteLength / MIB} MiB`);
    checkAlive(map, X, want);

    for (const other of kept) other.dispose();
    checkAlive(ts.featureMap({ nFeatures: 50, nComponents: 200, coef0: 1 }), X, want, "a new map");
    assert.equal(instances.length, 1, "instances");
  });
}

// Texts among the constants look like addresses of some 7 MB, which kept a disposed map from being freed. A small
// object in the gap that a large one had left kept the next large one out.
test("maps made one after another take no more memory than the first", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const X = randomRows(3, 784);
  let first;
  for (let seed = 0; seed < 8; seed++) {
    const map = ts.featureMap({ method: "random-fourier", nFeatures: 784, nComponents: 4096, seed });
    map.transform(X);
    first ??= instances[0].exports.mem.buffer.byteLength;
    map.dispose();
  }
  const { byteLength } = instances[0].exports.mem.buffer;
  assert.ok(byteLength < (compiler === "go" ? 3 : 1.5) * first,
    `${byteLength / MIB} MiB, after the first ${first / MIB}`);
});

// Random words of seeds and hashes looked like addresses within sums of 80 MB: six additions took 750 MiB.
test("sums made one after another take no more memory than the first", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  let first;
  for (let seed = 0; seed < 6; seed++) {
    const learner = ts.learner({ map: { nFeatures: 20, nComponents: 2048, seed }, task: "classify", classes: [0, 1],
      radius: 10, folds: 5, linear: false });
    learner.add(randomRows(64, 20), Array.from({ length: 64 }, (_, i) => i % 2));
    learner.dispose();
    first ??= instances[0].exports.mem.buffer.byteLength;
  }
  const { byteLength } = instances[0].exports.mem.buffer;
  assert.ok(byteLength < (compiler === "go" ? 3 : 1.1) * first, `${byteLength / MIB} MiB, after one ${first / MIB}`);
});

// Such words looked like addresses within the matrices of a fit, too: four fits took 138 MiB.
test("fits made one after another take no more memory than the first", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0 });
  const X = randomRows(500, 20), y = Array.from({ length: 500 }, (_, i) => Number(X[20 * i] > X[20 * i + 1]));
  let first;
  for (let seed = 0; seed < 4; seed++) {
    const learner = ts.learner({ map: { nFeatures: 20, nComponents: 768, seed }, task: "classify", classes: [0, 1],
      radius: 10, folds: 5 });
    learner.add(X, y);
    await learner.fit();
    learner.dispose();
    first ??= instances[0].exports.mem.buffer.byteLength;
  }
  const { byteLength } = instances[0].exports.mem.buffer;
  assert.ok(byteLength < (compiler === "go" ? 3 : 1.2) * first, `${byteLength / MIB} MiB, after one ${first / MIB}`);
});

// A call allocates some of its parameters before its first statement: a collector that ran there freed them.
test("what calls leave is collected before a call has begun", async (t) => {
  const map = (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: 3, nComponents: 300 });
  const Z = randomRows(240, 300), want = map.gram(Z);
  for (let i = 0; i < 40; i++) assert.deepEqual(map.gram(Z), want, `call ${i}`);
});

// The search for free memory looked at all pages: a fit of 10,000 × 20 spent 40 % of its time there, and the second fit
// of an instance, beside the first one's memory, took twice as long.
test("a small object costs no more beside a large heap", { skip: compiler === "go" }, async (t) => {
  const instances = watchInstances(t);
  (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: 2 });
  const { ts_alloc: take, ts_free: free } = instances[0].exports;
  const least = () => Math.min(...Array.from({ length: 9 }, () => {
    const began = performance.now();
    for (let i = 0; i < 300; i++) free(take(8192));
    return performance.now() - began;
  }));
  least();
  const small = least();
  const large = take(128 * MIB);
  assert.notEqual(large, 0);
  const beside = least();
  free(large);
  assert.ok(beside < 8 * small + 0.1, `${beside} ms beside 128 MiB, ${small} ms without`);
});

// A freed object at the end of the heap is joined with what is free there.
test("buffers that grow take no more memory than the largest of them", { skip: compiler === "go" }, async (t) => {
  const instances = watchInstances(t);
  (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: 2 });
  const { mem, ts_alloc: take, ts_free: free } = instances[0].exports;
  const before = mem.buffer.byteLength;
  for (let size = MIB; size <= 16 * MIB; size += MIB) assert.equal(free(take(size)), 0);
  const grown = mem.buffer.byteLength - before;
  assert.ok(grown <= 18 * MIB, `${grown / MIB} MiB`);
});

test("many repeats are counted as what they take", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0, maxMemory: 64 * MIB });
  for (const repeats of [100, 3000, 30_000, 65_536]) {
    try {
      ts.featureMap({ nFeatures: 2, nComponents: 30, degree: 3, repeats }).dispose();
    } catch (error) {
      assert.equal(error.code, "ERR_MEMORY", error.message);
    }
    const { byteLength } = instances[0].exports.mem.buffer;
    assert.ok(byteLength <= 64 * MIB, `${repeats} repeats: ${byteLength / MIB} MiB`);
  }
});

test("rows and vectors that need too much are refused too", async (t) => {
  const ts = await loadFor(t, { threads: 0, maxMemory: 32 * MIB });
  const d = 10 * MIB;
  const map = ts.featureMap({ nFeatures: d, nComponents: 8 });
  const sparse = { indptr: [0, 2], indices: [5, d - 1], data: [1, 2] };
  const want = map.transform(sparse);
  assert.equal(errorOf(() => map.transform(new Float32Array(d)), "ERR_MEMORY", undefined,
    /maxMemory of 33554432 bytes is too little/).rowsDone, 0);
  await rejectionOf(map.transformAsync(new Float32Array(d)), "ERR_MEMORY");
  errorOf(() => map.theory.kernel(new Float64Array(d), new Float64Array(d)), "ERR_MEMORY");
  checkAlive(map, sparse, want);
  errorOf(() => ts.featureMap({ nFeatures: 2 ** 31 - 1 }).theory.kernel({ length: 2 ** 31 - 1 }, []), "ERR_MEMORY",
    undefined, /WebAssembly addresses at most 4294967295/);
});

test("where a block of rows does not fit, they cross one at a time", async (t) => {
  const d = MIB; // four rows are 16 MiB
  const map = (await loadFor(t, { threads: 0, maxMemory: 32 * MIB })).featureMap({ nFeatures: d, nComponents: 8 });
  const large = (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: d, nComponents: 8 });
  const X = randomRows(5, d);
  sameBits(map.transform(X), large.transform(X));
});

test("an output that cannot be allocated is ERR_MEMORY", async (t) => {
  const map = (await loadFor(t, { threads: 0 })).featureMap({
    nFeatures: 1, nComponents: 2 ** 24, degree: 1, method: "count-sketch",
  });
  const rows = { indptr: new Uint8Array(2 ** 20 + 1), indices: [], data: [] };
  errorOf(() => map.transform(rows), "ERR_MEMORY", undefined,
    /^the output of 1048576 × 16777216 needs 70368744177664 bytes/);
  assert.equal(map.transform([1]).length, 2 ** 24);
});

/** Takes all addresses that are left, so that Go's next request for memory ends the program. */
function exhaust(instance) {
  const { mem } = instance.exports;
  mem.grow(65536 - mem.buffer.byteLength / PAGE);
}

test("a real exhaustion fails one call; the instance is replaced and live maps give the same bits", async (t) => {
  const instances = watchInstances(t);
  const ts = await loadFor(t, { threads: 0, maxMemory: 4096 * MIB });
  const X = randomRows(300, 20);
  const maps = [{ seed: 1 }, { seed: "a", normalize: "kernel" }, { randomState: 3 },
    { method: "count-sketch", coef0: 1 }]
    .map((params) => ts.featureMap({ nFeatures: 20, nComponents: 64, ...params }));
  const dropped = ts.featureMap({ nFeatures: 20 });
  const want = maps.map((map) => map.transform(X));
  const large = { nFeatures: 20, nComponents: 2 ** 22 };

  exhaust(instances[0]);
  errorOf(() => ts.featureMap(large), "ERR_MEMORY", undefined,
    /^the WebAssembly instance ended \(.*out of memory.*\); it is replaced at the next call/);
  dropped.dispose();
  maps.forEach((map, i) => checkAlive(map, X, want[i], `map ${i}`));
  assert.equal(instances.length, 2, "instances");
  assert.equal(ts.featureMap(large).transform(X.subarray(0, 20)).length, 2 ** 22);

  // While a batch is transformed, with rows of it done. Row 8 is larger than all that was freed before.
  const wide = ts.featureMap({ nFeatures: 2 ** 22, nComponents: 4, degree: 1 });
  const rows = 12;
  const indptr = [0, 0, 0, 0, 0, 0, 0, 0, 0, ...Array(4).fill(2 ** 22 - 8)];
  const indices = Int32Array.from({ length: 2 ** 22 - 8 }, (_, i) => i);
  const out = new Float32Array(4 * rows);
  exhaust(instances[1]);
  const during = errorOf(() => wide.transform({ indptr, indices, data: new Float32Array(indices.length).fill(1) },
    out), "ERR_MEMORY");
  assert.equal(during.rowsDone % 4, 0);
  assert.ok(during.rowsDone <= 8);
  maps.forEach((map, i) => checkAlive(map, X, want[i], `map ${i} after the second`));
  assert.equal(instances.length, 3, "instances");
});

test("a trap at one row fails one call; the next runs another instance", async (t) => {
  const { Instance } = WebAssembly;
  let instances = 0, trapped = false;
  WebAssembly.Instance = function (...args) {
    const { exports } = new Instance(...args);
    instances++;
    return { exports: { ...exports, ts_transform: (...args) => {
      if (trapped) throw new WebAssembly.RuntimeError("unreachable");
      return exports.ts_transform(...args);
    } } };
  };
  t.after(() => { WebAssembly.Instance = Instance; });
  const map = (await loadFor(t, { threads: 0 })).featureMap({ nFeatures: 20, nComponents: 64 });
  const x = randomRows(1, 20), out = new Float32Array(64);
  const want = map.transform(x).slice();
  trapped = true;
  errorOf(() => map.transform(x, out), "ERR_INTERNAL", undefined,
    /^internal error: the WebAssembly instance ended \(unreachable\); it is replaced at the next call$/);
  trapped = false;
  sameBits(map.transform(x, out), want);
  assert.equal(instances, 2);
});

test("memory does not grow with the number of rows, in this thread or in workers", () => {
  // Every thread notes the most its instance held after a block: this one in place 0, workers in place 1.
  const preload = `
    import threads from "node:worker_threads";
    if (threads.isMainThread) threads.setEnvironmentData("bytes", new Int32Array(new SharedArrayBuffer(8)));
    const bytes = threads.getEnvironmentData("bytes");
    const place = threads.isMainThread ? 0 : 1;
    const { Instance } = WebAssembly;
    WebAssembly.Instance = function (...args) {
      const { exports } = new Instance(...args);
      const noting = (call) => (...args) => {
        const status = call(...args);
        bytes[place] = Math.max(bytes[place], exports.mem.buffer.byteLength);
        return status;
      };
      return { exports: { ...exports, ts_transform: noting(exports.ts_transform),
        ts_transform_csr: noting(exports.ts_transform_csr) } };
    };
  `;
  const printed = printedBy(`${loading({ build, threads: 1 })}
    import { getEnvironmentData } from "node:worker_threads";
    const bytes = getEnvironmentData("bytes");
    await ts.warm();
    const map = ts.featureMap({ nFeatures: 100, nComponents: 300 });
    const out = new Float32Array(40_000 * 300);
    for (const rows of [4000, 40_000]) {
      const dense = new Float32Array(rows * 100).fill(1);
      const indptr = Int32Array.from({ length: rows + 1 }, (_, i) => 10 * i);
      const sparse = { indptr, indices: Int32Array.from({ length: 10 * rows }, (_, i) => i % 100),
        data: new Float32Array(10 * rows).fill(1) };
      for (const X of [dense, sparse]) {
        map.transform(X, out.subarray(0, rows * 300));
        await map.transformAsync(X, { out: out.subarray(0, rows * 300) });
      }
      console.log(bytes.join(" "));
    }
  `, `--import=data:text/javascript,${encodeURIComponent(preload)}`);
  const [few, many] = printed.split("\n").map((line) => line.split(" ").map(Number));
  for (const [place, name] of ["this thread", "the worker"].entries()) {
    assert.ok(few[place] > MIB, `${name} noted ${few[place]} bytes`);
    assert.ok(many[place] <= few[place] + MIB,
      `${name}: ${few[place] / MIB} MiB for 4,000 rows, ${many[place] / MIB} MiB for 40,000`);
  }
});

test("a disposed map throws ERR_DISPOSED; others go on; dispose may be called again", async (t) => {
  const ts = await loadFor(t, { threads: 1 });
  const map = ts.featureMap({ nFeatures: 64, nComponents: 512 });
  const other = ts.featureMap({ nFeatures: 64, nComponents: 512 });
  const X = randomRows(5000, 64);
  const x = Array.from(X.subarray(0, 64));
  const want = map.transform(X);
  const pending = map.transformAsync(X);
  const kept = other.transformAsync(X);
  map.dispose();
  map.dispose();
  map[Symbol.dispose]();
  await rejectionOf(pending, "ERR_DISPOSED");
  const z = new Float32Array(512);
  for (const call of [() => map.transform(X), () => map.transformProduct([X, X]), () => map.theory.kernel(x, x),
    () => map.estimate(z, z),
    () => map.theory.stdError(x, x), () => map.theory.chooseComponents(x, x, "1"), () => map.toJSON()]) {
    errorOf(call, "ERR_DISPOSED", undefined, "this feature map has been disposed: make a new one");
  }
  await rejectionOf(map.transformAsync(X), "ERR_DISPOSED");
  assert.equal(map.params.nComponents, 512);
  sameBits(await kept, want);
  checkAlive(other, X, want);
});

test("a disposed module ends its workers; its maps throw ERR_DISPOSED; other modules go on", async (t) => {
  const workers = watchWorkers(t);
  const ts = await load({ threads: 2 });
  await ts.warm();
  const map = ts.featureMap({ nFeatures: 64, nComponents: 512 });
  const X = randomRows(5000, 64);
  const want = await map.transformAsync(X);
  const pending = map.transformAsync(X);
  ts.dispose();
  ts.dispose();
  ts[Symbol.dispose]();
  await rejectionOf(pending, "ERR_DISPOSED");
  assert.equal(workers.length, 2);
  await Promise.all(workers.map((worker) => worker.exited || once(worker, "exit")));
  errorOf(() => map.transform(X), "ERR_DISPOSED");
  await rejectionOf(map.transformAsync(X), "ERR_DISPOSED");
  errorOf(() => ts.featureMap({ nFeatures: 3 }), "ERR_DISPOSED");
  errorOf(() => ts.fromJSON({}), "ERR_DISPOSED");
  assert.equal(ts.capabilities.threads, 0);
  map.dispose();
  checkAlive((await loadFor(t)).featureMap({ nFeatures: 64, nComponents: 512 }), X, want);
});

test("a module that is disposed before its workers are there makes none", async (t) => {
  const workers = watchWorkers(t);
  const ts = await load({ threads: 2 });
  const warm = ts.warm();
  ts.dispose();
  await warm;
  await sleep(50);
  assert.equal(workers.length, 0);
});

test("maps that are dropped without dispose are freed", () => {
  assert.equal(printedBy(`${loading({ threads: 0, maxMemory: 64 * MIB })}
    for (let i = 0; i < 80; i++) {
      ts.featureMap({ nFeatures: 10, nComponents: 2 ** 16, seed: i }); // some 3 MB each
      if (i % 4 === 3) { gc(); await new Promise((resolve) => setTimeout(resolve)); }
    }
    console.log("80 maps");
  `, "--expose-gc"), "80 maps");
});

test("fitters that are dropped, or whose map is disposed before they end, are freed", () => {
  assert.equal(printedBy(`${loading({ threads: 0, maxMemory: 64 * MIB })}
    const errors = new Set();
    for (let i = 0; i < 40; i++) {
      const map = ts.featureMap({ nFeatures: 8, nComponents: 64, method: "k-space" }); // a fitter takes some 6 MB
      const fitter = map.fitter({ radius: 9 });
      fitter.add(Float32Array.from({ length: 800 }, (_, j) => Math.sin(j * j)));
      map.dispose();
      if (i % 2) try { fitter.finish(); } catch ({ code }) { errors.add(code); }
      gc();
      await new Promise((resolve) => setTimeout(resolve));
    }
    console.log(...errors);
  `, "--expose-gc"), "ERR_DISPOSED");
});

test("a module that is dropped with its maps ends its workers", () => {
  assert.equal(printedBy(`
    let started = 0, ended = 0;
    process.on("worker", (worker) => { started++; worker.once("exit", () => ended++); });
    const embed = async () => {
      ${loading({ threads: 2 })}
      await ts.warm();
      const map = ts.featureMap({ nFeatures: 64, nComponents: 512 });
      await map.transformAsync(new Float32Array(64 * 5000));
      return map;
    };
    let map = await embed();
    const turn = () => new Promise((resolve) => setTimeout(resolve, 20));
    for (let i = 0; i < 5; i++) { gc(); await turn(); }
    // the map keeps its module
    console.log(started, ended, (await map.transformAsync(new Float32Array(64 * 5000))).length);
    map = null;
    for (let i = 0; i < 200 && ended < started; i++) { gc(); await turn(); }
    console.log(started, ended);
  `, "--expose-gc"), "2 0 2560000\n2 2");
});

test("a map that is dropped while its call runs is kept until the end", () => {
  for (const threads of [0, 1]) {
    assert.equal(printedBy(`${loading({ threads })}
      const timer = setInterval(gc, 5);
      const Z = await ts.featureMap({ nFeatures: 64, nComponents: 512 })
        .transformAsync(new Float32Array(64 * 5000).fill(1));
      clearInterval(timer);
      console.log(Z.length, ts.capabilities.threads);
    `, "--expose-gc"), `2560000 ${threads}`);
  }
});

// The length of the preparation was in a variable that the core's collector took: one call of seven threw a RangeError.
test("preparations of one table are the same, whatever the collector takes", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const X = randomRows(20, 384), y = Array.from({ length: 20 }, (_, i) => i % 2);
  const made = () => ts.prepare(X, y, { search: "off", preparation: "std", task: "classify" });
  const want = JSON.stringify((await made()).preparation);
  assert.ok(want.includes("std"));
  for (let n = 0; n < 30; n++) assert.equal(JSON.stringify((await made()).preparation), want);
});

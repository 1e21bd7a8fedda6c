// transformAsync: the bits of transform, in workers and without; progress, aborts, deaths, errors, fairness.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkAlive, errorOf, generator, load, loadFor, loading, printedBy, randomRows, rejectionOf, sameBits,
  toCSR, toNested, watchWorkers } from "./helper.mjs";

const d = 64, D = 512;
const params = { nFeatures: d, nComponents: D, coef0: 1 };

/** Much work per row and little output: a call that lasts. The FFT of a prime length is slow. */
const slowParams = { nFeatures: d, nComponents: 251, degree: 64, gamma: 1e-3, coef0: 1 };

/** Waits until a condition holds. */
async function until(condition, what) {
  for (const end = performance.now() + 120_000; performance.now() < end; ) {
    if (condition()) return;
    await sleep(1);
  }
  assert.fail(`two minutes passed before ${what}`);
}

for (const threads of [0, 4]) {
  test(`${threads} threads give the bits of transform, for every form of input`, async (t) => {
    const workers = watchWorkers(t);
    const ts = await loadFor(t, { threads });
    await ts.warm();
    const map = ts.featureMap(params);
    const X = randomRows(3000, d).map((v, i) => (i % 3 ? v : 0));
    const want = map.transform(X);
    for (const rows of [X, Float64Array.from(X), Array.from(X), toNested(X, d), toCSR(X, d)]) {
      sameBits(await map.transformAsync(rows), want);
    }
    assert.equal(ts.capabilities.threads, threads);
    assert.equal(ts.capabilities.noThreadsBecause, threads === 0 ? "threads: 0 was given" : null);
    assert.equal(workers.length, threads);
  });
}

test("neither load nor a call of less than 150 ms starts a worker; many such calls do", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 2 });
  const map = ts.featureMap(params);
  let ms = 0; // a clock that other programs do not keep waiting
  const { mock } = t.mock.method(performance, "now", () => (ms += 0.1));
  for (const rows of [20, 500]) {
    const X = randomRows(rows, d);
    sameBits(await map.transformAsync(X), map.transform(X));
  }
  assert.deepEqual(await map.transformAsync([]), new Float32Array(0));
  assert.equal(workers.length, 0);
  mock.restore();
  const slow = ts.featureMap(slowParams);
  const X = randomRows(500, d);
  await slow.transformAsync(X);
  for (let call = 0; call < 1000 && workers.length === 0; call++) await slow.transformAsync(X);
  assert.ok(workers.length > 0);
});

test("until a worker is ready, this thread works", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 1 });
  const map = ts.featureMap(slowParams);
  const X = randomRows(8000, d);
  let before;
  const onProgress = (done) => { if (workers[0]?.sent === 0) before = done; };
  const Z = await map.transformAsync(X, { onProgress });
  assert.ok(before > 0, "no row was done before the worker had a block");
  assert.ok(workers[0].returned > 0, "the worker did nothing");
  sameBits(Z, map.transform(X));
});

test("warm starts the workers, which end as others do", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 2 });
  await Promise.all([ts.warm(), ts.warm()]);
  assert.equal(workers.length, 2);
  await ts.warm();
  const map = ts.featureMap(slowParams);
  await map.transformAsync(randomRows(200, d));
  assert.ok(workers[0].sent > 0, "a small call goes to workers that are there");
  assert.equal(workers.length, 2);
  ts.rest();
  await until(() => workers.every(({ exited }) => exited), "the workers ended");
  ts.dispose();
  await rejectionOf(ts.warm(), "ERR_DISPOSED");
  assert.equal(ts.capabilities.noThreadsBecause, "this module has been disposed: load it again");
});

test("out is written and returned; progress rises, is throttled, and ends with all rows", async (t) => {
  const { now } = performance;
  let read; // the time that was read last: a busy machine may call onProgress later
  t.mock.method(performance, "now", () => (read = now.call(performance)));
  const n = 5000;
  const X = randomRows(n, d);
  const want = (await loadFor(t, { threads: 0 })).featureMap(slowParams).transform(X);
  for (const threads of [0, 2]) {
    const ts = await loadFor(t, { threads });
    const map = ts.featureMap(slowParams);
    const out = new Float32Array(n * slowParams.nComponents);
    const reports = [];
    const started = performance.now();
    const result = await map.transformAsync(X, {
      out, onProgress: (done, total) => reports.push([done, total, read]),
    });
    const seconds = (performance.now() - started) / 1000;
    assert.equal(result, out);
    sameBits(out, want);
    assert.ok(reports.length >= 3 && reports.length <= 30 * seconds + 2, `${reports.length} reports in ${seconds} s`);
    reports.forEach(([done, total], i) => assert.ok(total === n && done > (reports[i - 1]?.[0] ?? 0),
      `${done} of ${total}`));
    for (let i = 1; i < reports.length - 1; i++) {
      assert.ok(reports[i][2] - reports[i - 1][2] >= 1000 / 30, "more than 30 a second");
    }
    assert.equal(reports.at(-1)[0], n);
  }
});

test("the event loop stays alive without workers", async (t) => {
  const map = (await loadFor(t, { threads: 0 })).featureMap(slowParams);
  const X = randomRows(5000, d);
  const gaps = [];
  let last = performance.now();
  const timer = setInterval(() => {
    gaps.push(performance.now() - last);
    last = performance.now();
  }, 1);
  await map.transformAsync(X);
  clearInterval(timer);
  gaps.sort((a, b) => a - b);
  const typical = gaps[Math.floor(0.8 * gaps.length)]; // the longest come from a busy machine
  t.diagnostic(`${gaps.length} turns, and 80 % took less than ${typical} ms; wanted: 15`);
  assert.ok(gaps.length > 10, `${gaps.length} turns`);
});

test("onProgress of no rows is called once; what it throws rejects the call", async (t) => {
  for (const threads of [0, 1]) {
    const map = (await loadFor(t, { threads })).featureMap(params);
    const reports = [];
    await map.transformAsync([], { onProgress: (...rows) => reports.push(rows) });
    assert.deepEqual(reports, [[0, 0]]);
    const mine = new Error("mine");
    for (const onProgress of [() => { throw mine; }, async () => { throw mine; }]) {
      await assert.rejects(map.transformAsync(randomRows(5000, d), { onProgress }), mine);
    }
    const X = randomRows(3000, d);
    sameBits(await map.transformAsync(X), map.transform(X));
  }
});

test("an abort rejects with the signal's reason, and nothing more is written", async (t) => {
  for (const threads of [0, 2]) {
    const map = (await loadFor(t, { threads })).featureMap({ ...params, nComponents: 4096 });
    const X = randomRows(2000, d);
    const reason = { why: "changed my mind" };
    await assert.rejects(map.transformAsync(X, { signal: AbortSignal.abort(reason) }), (error) => error === reason);

    const controller = new AbortController();
    const out = new Float32Array(2000 * 4096);
    const onProgress = () => controller.abort(reason);
    await assert.rejects(map.transformAsync(X, { out, signal: controller.signal, onProgress }),
      (error) => error === reason);
    const then = out.slice();
    assert.ok(then.subarray(-4096).every((v) => v === 0), "the end was not reached");
    await sleep(150);
    sameBits(out, then, "out after the abort");

    const small = randomRows(50, d);
    sameBits(await map.transformAsync(small), map.transform(small), "the next call");
  }
});

test("workers stop after an abort: at most two blocks each come back, and nothing is sent", async (t) => {
  const workers = watchWorkers(t);
  const map = (await loadFor(t, { threads: 2 })).featureMap(slowParams);
  const X = randomRows(20_000, d);
  await map.transformAsync(X.subarray(0, 2000 * d)); // the workers are there, and the cost of a row is known
  const idle = () => workers.every((worker) => worker.exited || worker.returned === worker.sent);
  const times = [];
  for (let i = 0; i < 5; i++) {
    const controller = new AbortController();
    let aborted;
    const before = workers.map(({ returned }) => returned);
    const busy = () => workers.every((worker, w) => worker.exited ||
      (worker.returned > (before[w] ?? 0) + 1 && worker.sent > worker.returned));
    const onProgress = () => {
      if (!busy()) return;
      controller.abort();
      aborted ??= { at: performance.now(), sent: workers.map(({ sent }) => sent) };
    };
    await assert.rejects(map.transformAsync(X, { signal: controller.signal, onProgress }), { name: "AbortError" });
    aborted.sent.forEach((sent, w) => assert.ok(workers[w].exited || sent - workers[w].returned <= 2,
      "more than two blocks in flight"));
    await until(idle, "the workers stopped");
    times.push(performance.now() - aborted.at);
    await sleep(20);
    assert.deepEqual(workers.slice(0, aborted.sent.length).map(({ sent }) => sent), aborted.sent,
      "blocks sent after the abort");
  }
  t.diagnostic(`the workers stopped after ${times.map(Math.round).join(", ")} ms; wanted: 50`);
});

test("a worker still busy with an aborted block is replaced; other calls lose nothing", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 1 });
  await ts.warm();
  const slow = ts.featureMap({ nFeatures: 10, nComponents: 2 ** 21, degree: 16 }); // far more than 50 ms for a block
  const fast = ts.featureMap(params);
  const X = randomRows(3000, d);
  const want = fast.transform(X);
  const controller = new AbortController();
  const doomed = slow.transformAsync(randomRows(40, 10), { signal: controller.signal });
  const other = fast.transformAsync(X);
  await until(() => workers[0]?.sent > 0, "a worker had a block");
  controller.abort();
  await assert.rejects(doomed, { name: "AbortError" });
  await until(() => workers[0].exited, "the busy worker ended");
  assert.equal(workers[0].returned, 0, "blocks done before it ended");
  sameBits(await other, want);
});

test("a worker that dies has its block redone", async (t) => {
  // A busy machine may notice the end of the first worker when few rows are left: then more rows are given.
  for (let n = 6000, killed = 0; killed < 2; n *= 2) {
    assert.ok(n < 100_000, `the end of a worker is not noticed within ${n / 2} rows`);
    const workers = watchWorkers(t);
    const map = (await loadFor(t, { threads: 2 })).featureMap(slowParams);
    const X = randomRows(n, d);
    const want = map.transform(X);
    let noticed; // rows done when the first worker's end was noticed: its block comes next
    let left; // rows when the second was killed
    killed = 0;
    const onProgress = (done, total) => {
      if (killed === 1 && workers[0].exited) noticed ??= done;
      if ((killed === 0 && done > 0.2 * total) || (killed === 1 && done > noticed + 0.3 * total)) {
        workers[killed++].terminate();
        left = total - done;
      }
    };
    sameBits(await map.transformAsync(X, { onProgress }), want);
    if (killed < 2) continue;
    // On a busy machine little may be left for another worker in the place of the second.
    const isEnough = workers.length === 4 || (workers.length === 3 && left < 2000);
    assert.ok(isEnough, `${workers.length} workers, ${left} rows left`);
    sameBits(await map.transformAsync(X), want, "the next call");
  }
});

test("the same block losing a second worker rejects with ERR_WORKER, and the next call works", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 1 });
  await ts.warm();
  const map = ts.featureMap({ nFeatures: 10, nComponents: 2 ** 21, degree: 16 });
  const call = map.transformAsync(randomRows(40, 10));
  for (const n of [0, 1]) {
    await until(() => workers[n]?.sent > 0, `worker ${n} had a block`);
    workers[n].terminate();
  }
  const error = await rejectionOf(call, "ERR_WORKER", undefined,
    /^2 workers ended while they transformed rows 0 to \d+ \(it exited with code 1\): memory may be short/);
  assert.equal(error.rowsDone, 0);
  const fast = ts.featureMap(params);
  const X = randomRows(2000, d);
  sameBits(await fast.transformAsync(X), fast.transform(X));
});

test("the lowest bad row is reported, with rows before it written", async (t) => {
  const n = 5000;
  const X = Float64Array.from(randomRows(n, d));
  for (const threads of [0, 2]) {
    const map = (await loadFor(t, { threads })).featureMap(params);
    const want = map.transform(X);
    const check = async (rows, code, row, column, message) => {
      const out = new Float32Array(n * D);
      const error = await rejectionOf(map.transformAsync(rows, { out }), code, undefined, message);
      assert.deepEqual([error.row, error.column], [row, column], error.message);
      assert.ok(error.rowsDone <= row && error.rowsDone > row - 2048, `rowsDone ${error.rowsDone}`); // a block
      sameBits(out.slice(0, error.rowsDone * D), want.slice(0, error.rowsDone * D), "rows before");
      errorOf(() => map.transform(rows), code, undefined, error.message);
    };
    const changed = (...changes) => {
      const copy = X.slice();
      for (const [row, column, value] of changes) copy[row * d + column] = value;
      return copy;
    };
    await check(changed([4000, 1, NaN], [3001, 7, Infinity], [4999, 0, NaN]), "ERR_NONFINITE", 3001, 7,
      /^X row 3001, column 7 must be finite/);
    await check(changed([4998, 63, 1e60]), "ERR_NONFINITE", 4998, 63,
      /^X row 4998, column 63 must be within the range of float32, .* got 1e\+60$/);
    await check(toCSR(changed([3500, 63, NaN]), d), "ERR_NONFINITE", 3500, 63, /row 3500/);
    await check(changed([2500, 3, 3e38]), "ERR_OVERFLOW", 2500, undefined, /^X row 2500 must/);
    const numbers = Array.from(X);
    numbers[3333 * d + 5] = "5";
    await check(numbers, "ERR_PARAM", 3333, 5, /^X row 3333, column 5 must be a number, got "5"$/);
    const csr = toCSR(X, d);
    csr.indices[csr.indptr[2222] + 1] = csr.indices[csr.indptr[2222]];
    await check(csr, "ERR_SHAPE", 2222, 0, /^X row 2222, column 0 must hold each column once/);
    sameBits(await map.transformAsync(X), want, "the next call");
  }
});

test("X or out transferred, shrunk or changed meanwhile rejects", async (t) => {
  const resizable = (Kind) => new Kind(new ArrayBuffer(8 * 4 * d * n, { maxByteLength: 8 * 4 * d * n }));
  const n = 2000;
  const X = randomRows(n, d), good = X.subarray(0, 300 * d);
  for (const threads of [0, 1]) {
    const map = (await loadFor(t, { threads })).featureMap(slowParams);
    const all = map.transform(X);
    const check = async (X, change, argument = "X", got = "a buffer that was transferred or resized", out) => {
      let changed = false;
      const onProgress = () => {
        if (!changed) change();
        changed = true;
      };
      await rejectionOf(map.transformAsync(X, { onProgress, out }), "ERR_SHAPE", argument,
        new RegExp(`^${argument}( row \\d+)? must stay as it is until the call ends, got ${got}$`));
      checkAlive(map, good, all.subarray(0, 300 * slowParams.nComponents));
    };
    const moved = (X) => () => structuredClone(X, { transfer: [X.buffer] });
    for (const Kind of [Float32Array, Uint8Array]) {
      const X = new Kind(n * d);
      await check(X, moved(X));
    }
    const shrinking = resizable(Float32Array);
    await check(shrinking, () => shrinking.buffer.resize(4 * d * 100));
    const rows = Array.from({ length: n }, () => new Float32Array(d));
    await check(rows, () => rows.forEach((row) => moved(row)()));
    const list = new Array(n * d).fill(0);
    await check(list, () => { list.length = 5; }, "X", "length 5");
    const csr = toCSR(X, d);
    csr.data = Float32Array.from(csr.data);
    await check(csr, moved(csr.data), "X.data");
    const out = new Float32Array(n * slowParams.nComponents);
    await check(X, moved(out), "out", undefined, out);

    const kept = Array.from({ length: n }, (_, row) => X.subarray(row * d, (row + 1) * d));
    sameBits(await map.transformAsync(kept, { onProgress: () => { kept.length = 0; } }), all, "the outer array");
    const sparse = toCSR(X, d);
    sameBits(await map.transformAsync(sparse, { onProgress: () => { sparse.indptr.fill(-1); } }), all, "indptr");
  }
});

test("mistakes in the arguments reject, and throw nothing", async () => {
  const map = (await load({ threads: 1 })).featureMap(params);
  const X = randomRows(2, d);
  for (const [rows, options, code, argument] of [
    [new Float32Array(5), {}, "ERR_SHAPE", "X"], ["X", {}, "ERR_PARAM", "X"],
    [X, { out: new Float32Array(5) }, "ERR_SHAPE", "out"], [X, { outt: null }, "ERR_PARAM", "outt"],
    [X, { signal: "stop" }, "ERR_PARAM", "signal"], [X, { onProgress: true }, "ERR_PARAM", "onProgress"],
    [X, null, "ERR_PARAM", "options"], [X, new Float32Array(2 * D), "ERR_PARAM"],
  ]) await rejectionOf(map.transformAsync(rows, options), code, argument);
});

test("calls of several maps at once are right", async (t) => {
  const ts = await loadFor(t, { threads: 2 });
  const random = generator(7);
  const calls = Array.from({ length: 12 }, (_, i) => {
    const map = ts.featureMap({ nFeatures: d, nComponents: 100 + 50 * i, degree: 1 + (i % 3), seed: i });
    return { map, X: randomRows(1 + Math.floor(3000 * random()), d, i) };
  });
  const results = await Promise.all(calls.map(({ map, X }) => map.transformAsync(X)));
  calls.forEach(({ map, X }, i) => sameBits(results[i], map.transform(X), `call ${i}`));
});

// Of two workers, the system may stop the one with the short call's last block until the other has done the rest.
for (const threads of [0, 1]) {
  test(`${threads} threads: a short call does not wait for a long one`, async (t) => {
    const map = (await loadFor(t, { threads })).featureMap(params);
    const order = [];
    await Promise.all([
      map.transformAsync(randomRows(20_000, d)).then(() => order.push("long")),
      map.transformAsync(randomRows(2000, d)).then(() => order.push("short")),
    ]);
    assert.deepEqual(order, ["short", "long"]);
  });
}

test("a block too large for two rows a call goes through", async (t) => {
  const map = (await loadFor(t, { threads: 2 })).featureMap({ nFeatures: 3, nComponents: 2 ** 20, degree: 1 });
  const X = randomRows(12, 3);
  sameBits(await map.transformAsync(X), map.transform(X));
});

test("a call that runs keeps Node alive, and one that waits for nothing does not", () => {
  const told = (rows, dispose = "") => printedBy(`${loading({ threads: 2 })}
    const map = ts.featureMap(${JSON.stringify(slowParams)});
    map.transformAsync(new Float32Array(64 * ${rows})).then(
      (Z) => console.log(Z.length, ts.capabilities.threads), (error) => console.log(error.code));
    ${dispose}
  `);
  assert.equal(told(5000), `${5000 * slowParams.nComponents} 2`);
  assert.equal(told(20_000, "map.dispose();"), "ERR_DISPOSED");
  assert.equal(told(20_000, "setTimeout(() => ts.dispose(), 100);"), "ERR_DISPOSED");
});

/** For two tests that workers end: rows that start one where there is none, and few that do not. */
async function oneWorker(t) {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 1 });
  const map = ts.featureMap(slowParams);
  const X = randomRows(5000, d);
  const ended = (worker) => once(worker, "exit", { signal: AbortSignal.timeout(120_000) });
  return { workers, ts, X, ended, want: map.transform(X), few: X.subarray(0, 50 * d),
    transform: (X) => map.transformAsync(X) };
}

test("workers that had nothing to do for 10 s end, and the next call starts others", async (t) => {
  const { workers, X, few, want, transform, ended } = await oneWorker(t);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  await transform(X);
  t.mock.timers.tick(6000);
  await transform(few); // begins a new rest
  t.mock.timers.tick(9999);
  assert.equal(workers.length, 1);
  const end = ended(workers[0]);
  await transform(few);
  assert.equal(workers.length, 1, "it is used until it has ended");
  t.mock.timers.tick(10_000);
  await end;
  sameBits(await transform(X), want);
  assert.equal(workers.length, 2);
});

test("rest ends workers when they have nothing to do; the next call starts some again", async (t) => {
  const { workers, ts, X, few, want, transform, ended } = await oneWorker(t);
  const pending = transform(X);
  ts.rest();
  sameBits(await pending, want);
  assert.equal(workers.length, 1);
  await ended(workers[0]);
  sameBits(await transform(X), want);
  assert.equal(workers.length, 2, "and stays");
  await transform(few);
  assert.equal(workers.length, 2);
  ts.rest();
  ts.rest();
  await ended(workers[1]);
  ts.dispose();
  errorOf(() => ts.rest(), "ERR_DISPOSED");
});

test("where workers cannot be started, calls run in this thread, and capabilities say why", () => {
  const printed = printedBy(`
    globalThis.Worker = class { constructor() { throw new Error("forbidden by policy"); } };
    ${loading({ threads: 4 })}
    await ts.warm();
    const map = ts.featureMap({ nFeatures: 64, nComponents: 1024 });
    const X = new Float32Array(64 * 2000).fill(1);
    const [a, b] = await Promise.all([map.transformAsync(X), map.transformAsync(X)]);
    console.log(ts.capabilities.noThreadsBecause);
    console.log(ts.capabilities.threads, Buffer.compare(Buffer.from(a.buffer), Buffer.from(map.transform(X).buffer)),
      b.length);
  `);
  assert.equal(printed, "no worker could be started: forbidden by policy\n0 0 2048000");
});

test("abandoned calls leave no workers that were replaced", async (t) => {
  const workers = watchWorkers(t);
  const ts = await loadFor(t, { threads: 2 });
  const map = ts.featureMap(params);
  const X = randomRows(3000, d);
  for (let i = 0; i < 10; i++) {
    const call = map.transformAsync(X, { signal: AbortSignal.timeout(8 * i) });
    await call.catch((error) => assert.equal(error.name, "TimeoutError"));
  }
  checkAlive(map, X, await map.transformAsync(X));
  await until(() => workers.filter((worker) => !worker.exited).length <= 2, "replaced workers ended");
});

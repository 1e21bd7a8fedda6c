// Features that are not copied: blocks, batches that workers hand over, and memory that threads share.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, load, loadFor, randomRows, rejectionOf, sameBits, toCSR, toNested, watchWorkers } from "./helper.mjs";

const d = 16, D = 251; // the FFT of a prime length takes long, so that workers get these rows
const params = { nFeatures: d, nComponents: D, degree: 8, gamma: 0.1, coef0: 1 };
const most = 2000;
const X = randomRows(most, d).map((v, i) => (i % 3 ? v : 0));
const want = (await load({ threads: 0 })).featureMap(params).transform(X);
const shares = typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;

/** The features of blocks, after a check that they follow one another. */
function joined(blocks) {
  const Z = new Float32Array(blocks.reduce((sum, { values }) => sum + values.length, 0));
  let at = 0;
  for (const { start, rows, values } of blocks) {
    assert.deepEqual([start, rows * D, values.buffer instanceof ArrayBuffer], [at, values.length, true]);
    Z.set(values, at * D);
    at += rows;
  }
  return Z;
}

async function collect(batches, use = (Z) => Z) {
  const all = [];
  for await (const Z of batches) all.push(use(Z));
  return all;
}

/** A map, and its workers are there. */
async function mapWith(t, threads) {
  const ts = await loadFor(t, { threads });
  if (threads > 0) await ts.warm();
  return ts.featureMap(params);
}

for (const threads of [0, 2]) {
  test(`${threads} threads: blocks, batches and shared memory have the bits of transform`, async (t) => {
    const workers = watchWorkers(t);
    const map = await mapWith(t, threads);
    for (const n of [0, 1, 5, 127, 1025, most]) {
      const rows = X.subarray(0, n * d), features = want.slice(0, n * D);
      sameBits(joined(await map.transformAsync(rows, { out: "blocks" })), features, `blocks of ${n}`);
      for (const batchSize of n === most ? [1024, 300] : [300]) {
        const batches = await collect(map.transformBatches(rows, { batchSize }));
        assert.deepEqual(batches.map((Z) => Z.length / D), Array.from({ length: Math.ceil(n / batchSize) },
          (_, i) => Math.min(batchSize, n - i * batchSize)));
        batches.forEach((Z, i) => sameBits(Z, want.slice(i * batchSize * D, i * batchSize * D + Z.length)));
        const again = await collect(map.transformBatches(rows, { batchSize, reuse: true }), (Z) => Z.slice());
        again.forEach((Z, i) => sameBits(Z, batches[i], "memory that is used again"));
      }
      if (!shares) continue;
      const Z = await map.transformAsync(rows, { out: "shared" });
      assert.ok(Z.buffer instanceof SharedArrayBuffer);
      sameBits(Z, features, `shared, ${n}`);
    }
    assert.equal(workers.length, threads);
    const made = workers.map(({ returned }) => returned); // on a busy machine one may make nearly all
    if (threads > 0) assert.ok(Math.min(...made) > 0, `the workers made ${made} blocks`);
  });

  test(`${threads} threads: an error names the lowest bad row of X`, async (t) => {
    const map = await mapWith(t, threads);
    const bad = Float64Array.from(X);
    for (const [row, value] of [[1900, NaN], [1222, 1e39], [1500, Infinity]]) bad[row * d + 3] = value;
    const list = Array.from(X);
    list[1345 * d + 1] = "1";
    for (const [rows, code, row, column] of [[bad, "ERR_NONFINITE", 1222, 3], [list, "ERR_PARAM", 1345, 1],
      [toCSR(bad, d), "ERR_NONFINITE", 1222, 3]]) {
      const message = new RegExp(`^X row ${row}, column ${column} must`);
      const inBlocks = await rejectionOf(map.transformAsync(rows, { out: "blocks" }), code, undefined, message);
      assert.deepEqual([inBlocks.row, inBlocks.column], [row, column]);
      let got = 0;
      const batches = collect(map.transformBatches(rows, { batchSize: 100 }), (Z) => { got += Z.length / D; });
      const inBatches = await rejectionOf(batches, code, undefined, message);
      assert.deepEqual([inBatches.row, inBatches.column, inBatches.rowsDone, got],
        [row, column, row - row % 100, row - row % 100]);
      if (!shares) continue;
      const out = new Float32Array(new SharedArrayBuffer(4 * most * D));
      const shared = await rejectionOf(map.transformAsync(rows, { out }), code, undefined, message);
      sameBits(out.slice(0, shared.rowsDone * D), want.slice(0, shared.rowsDone * D), "rows before");
    }
    sameBits(joined(await map.transformAsync(X, { out: "blocks" })), want, "the next call");
  });

  test(`${threads} threads: after an abort nothing more is written to shared memory, and no batch comes`, async (t) => {
    const map = await mapWith(t, threads);
    const reason = new Error("enough");
    const rows = new Float32Array(4 * X.length).map((_, i) => X[i % X.length]);
    for (const out of ["blocks", ...(shares ? [new Float32Array(new SharedArrayBuffer(16 * most * D))] : [])]) {
      const controller = new AbortController();
      const options = { out, signal: controller.signal, onProgress: () => controller.abort(reason) };
      await assert.rejects(map.transformAsync(rows, options), reason);
      if (out === "blocks") continue;
      const then = out.slice();
      assert.ok(then.includes(0), "the end was not reached");
      for (let at = 0; at < then.length; at += D) { // whole rows
        assert.equal(then.subarray(at, at + D).every((z) => z === 0) || then[at] === want[at % want.length], true);
      }
      await sleep(100);
      sameBits(out.slice(), then, "out after the abort");
    }
    const controller = new AbortController();
    let got = 0;
    await assert.rejects(collect(map.transformBatches(rows, { batchSize: 500, signal: controller.signal }), () => {
      if (++got === 3) controller.abort(reason);
    }), reason);
    assert.equal(got, 3);
    sameBits(joined(await map.transformAsync(X, { out: "blocks" })), want, "the next call");
  });
}

if (shares) {
  test("a call ends after the last write to shared memory, and a write that never ends does not keep it", async (t) => {
    const workers = watchWorkers(t), map = await mapWith(t, 1), reason = new Error("enough");
    const [worker] = workers, post = worker.postMessage;
    let gate;
    worker.postMessage = (message, ...rest) => {
      gate ??= message.gate;
      post(message, ...rest);
    };
    const out = new Float32Array(new SharedArrayBuffer(16 * most * D));
    const rows = new Float32Array(4 * X.length).map((_, i) => X[i % X.length]);
    for (const ends of [true, false]) {
      const controller = new AbortController();
      let writing = true, ended = 0;
      const onProgress = () => {
        if (controller.signal.aborted) return;
        Atomics.add(gate, 0, 2); // as a worker does that waits for a processor in the middle of its write
        controller.abort(reason);
      };
      gate = undefined;
      const call = assert.rejects(map.transformAsync(rows, { out, signal: controller.signal, onProgress }), reason)
        .then(() => { ended = writing ? 2 : 1; });
      while (!controller.signal.aborted) await sleep(5);
      while (!controller.signal.aborted) await sleep(5);
      await sleep(100);
      assert.equal(ended, 0, "the call ended within a write");
      if (ends) Atomics.sub(gate, 0, 2);
      writing = !ends;
      await call;
      assert.equal(ended, ends ? 1 : 2);
    }
  });
}

test("every form of rows, in blocks and in batches, and many calls at once", async (t) => {
  const map = await mapWith(t, 2);
  const forms = [X, Float64Array.from(X), Array.from(X), toNested(X, d), toCSR(X, d), { data: X, dims: [most, d] }];
  await Promise.all(forms.map(async (rows, i) => {
    const [blocks, batches] = await Promise.all([map.transformAsync(rows, { out: "blocks" }),
      collect(map.transformBatches(rows, { batchSize: 100 + i }))]);
    sameBits(joined(blocks), want);
    batches.forEach((Z, k) => sameBits(Z, want.slice(k * (100 + i) * D).subarray(0, Z.length)));
  }));
});

test("batches of an array are made ahead for all workers, and X is read when they begin", async (t) => {
  const workers = watchWorkers(t);
  const map = await mapWith(t, 2);
  const rows = X.slice();
  const batches = map.transformBatches(rows, { batchSize: 100 });
  assert.equal(workers[0].sent + workers[1].sent, 0, "nothing before the first is asked for");
  sameBits((await batches.next()).value, want.slice(0, 100 * D));
  await sleep(50);
  assert.ok(workers.every(({ sent }) => sent > 0), "both work");
  rows.fill(0);
  const last = (await collect(batches)).at(-1);
  sameBits(last, map.transform(new Float32Array(100 * d)), "the last batch had not begun");
});

test("what was wrong is said with the remedy", async () => {
  const ts = await load({ threads: 0 });
  const map = ts.featureMap(params);
  const or = ', "blocks", or "shared" if crossOriginIsolated';
  for (const out of ["block", new Float64Array(D), ...(shares ? [] : ["shared"])]) {
    await rejectionOf(map.transformAsync(X.subarray(0, d), { out }), "ERR_PARAM", "out",
      new RegExp(`^out must be a Float32Array of length ${D}${or}, got `));
  }
  errorOf(() => map.transformBatches(X, { reuse: 1 }), "ERR_PARAM", "reuse", "reuse must be true or false, got 1");
  ts.dispose();
});

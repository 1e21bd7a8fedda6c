// Where the features of many rows go, and what it costs: one thread and all workers, into memory that was used before
// and into new memory, in turns in one run.

import { randomRows } from "./measure.js";

export const WORKLOADS = {
  A: [{ nFeatures: 780, degree: 4, nComponents: 4096 }, 3000, 0.2],
  B: [{ nFeatures: 123, degree: 2, nComponents: 1024 }, 20_000, 0.2],
  E: [{ nFeatures: 512, degree: 2, nComponents: 4096 }, 5000, 1],
};

/** The ways by name, each a function that makes all features once. */
function waysOf(one, all, X, n, D) {
  const used = new Float32Array(n * D).fill(1);
  const batches = async (options) => {
    for await (const Z of all.transformBatches(X, options)) if (Z.length === 0) throw new Error("an empty batch");
  };
  const ways = {
    oneUsed: () => one.transform(X, used),
    oneNew: () => one.transform(X),
    used: () => all.transformAsync(X, { out: used }),
    new: () => all.transformAsync(X),
    blocks: () => all.transformAsync(X, { out: "blocks" }),
    batches: () => batches({}),
    reuse: () => batches({ batchSize: 256, reuse: true }),
  };
  if (!globalThis.crossOriginIsolated) return ways;
  const common = new Float32Array(new SharedArrayBuffer(used.byteLength)).fill(1);
  return { ...ways, shared: () => all.transformAsync(X, { out: "shared" }),
    sharedUsed: () => all.transformAsync(X, { out: common }) };
}

/** Microseconds a row by workload and way: medians of rounds, in which the ways take turns. */
export async function measureLarge(load, { quick = false } = {}) {
  const [rounds, scale] = quick ? [1, 0.02] : [15, 1];
  const here = await load({ threads: 0 }), ts = await load();
  await ts.warm();
  const results = {};
  for (const [name, [params, rows, density]] of Object.entries(WORKLOADS)) {
    const n = Math.ceil(rows * scale), X = randomRows(n, params.nFeatures, density);
    const maps = [here.featureMap(params), ts.featureMap(params)];
    const ways = waysOf(...maps, X, n, params.nComponents);
    const times = Object.fromEntries(Object.keys(ways).map((way) => [way, []]));
    for (let round = 0; round <= rounds; round++) { // the first warms up
      for (const [way, run] of Object.entries(ways)) {
        globalThis.gc?.(); // what others made is not collected in this turn
        await new Promise((resolve) => setTimeout(resolve, 20));
        const start = performance.now();
        await run();
        if (round > 0) times[way].push(((performance.now() - start) * 1000) / n);
      }
    }
    results[name] = Object.fromEntries(Object.entries(times).map(([way, list]) =>
      [way, list.sort((a, b) => a - b)[rounds >> 1]]));
    for (const map of maps) map.dispose();
  }
  const { threads } = ts.capabilities;
  here.dispose();
  ts.dispose();
  return { threads, workloads: results };
}

// A worker of the place Convergence: estimates of kernels, under many seeds and at many D, by the public API.
//
// A message { id, degree, nFeatures, rows, seed, chunks, columns } is the work: `rows` (Float32Array) hold x and y of
// each pair one after the other, seed number k is `seed` + k modulo 2^64 (a BigInt), `chunks` are [first, count] pairs
// of seed numbers, and `columns` the values of D. The replies { id, column, first, estimates } hold, for one chunk and
// columns[column], the estimates of all pairs under one seed, then under the next. A new message takes the place of the
// work at hand; id 0 means none. An error is replied as { id, error: message }.

import { load } from "./tensorsketch.js";

/** Yields { column, first, estimates } for each chunk and column; `ts` is a loaded module. */
export function* estimates(ts, { degree, nFeatures, rows, seed, chunks, columns }) {
  const pairs = rows.length / (2 * nFeatures);
  const features = new Float32Array(2 * pairs * Math.max(...columns));
  for (const [first, count] of chunks) {
    for (const [column, nComponents] of columns.entries()) {
      const out = features.subarray(0, 2 * pairs * nComponents);
      const results = new Float64Array(count * pairs);
      for (let k = 0; k < count; k++) {
        const map = ts.featureMap({ nFeatures, nComponents, degree, seed: BigInt.asUintN(64, seed + BigInt(first + k)) });
        map.transform(rows, out);
        for (let pair = 0; pair < pairs; pair++) {
          const [zx, zy] = [2 * pair, 2 * pair + 1].map((row) => out.subarray(row * nComponents, (row + 1) * nComponents));
          results[k * pairs + pair] = map.estimate(zx, zy);
        }
        map.dispose();
      }
      yield { column, first, estimates: results };
    }
  }
}

/** Lets messages that have come be seen; a timer would wait 4 ms. */
function turn() {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

function serve() {
  const loaded = load({ threads: 0 }); // at once: the work comes later
  loaded.catch(() => {}); // told to whoever sends work
  let current;
  addEventListener("message", async ({ data: job }) => {
    current = job;
    if (job.id === 0) return;
    try {
      const ts = await loaded;
      if (current !== job) return;
      for (const result of estimates(ts, job)) {
        postMessage({ id: job.id, ...result }, [result.estimates.buffer]);
        await turn();
        if (current !== job) return;
      }
    } catch (error) {
      postMessage({ id: job.id, error: error.message });
    }
  });
}

if (typeof DedicatedWorkerGlobalScope === "function") serve();

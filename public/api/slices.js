// Runs an async call in this thread, in slices short enough that the page stays responsive.

const SLICE = { ms: 5, bytes: 4 << 20 };

/** Runs the blocks of a job one by one and yields to the event loop after each. */
export async function runInSlices(core, job) {
  const next = () => job.next({ lanes: core.lanes, ...SLICE });
  for (let block = next(); block; block = next()) {
    const started = performance.now();
    try {
      core.transform(job.map, [job.source], job.out, { start: block.start, end: block.start + block.rows });
      job.done(block, performance.now() - started);
    } catch (error) {
      job.fail(block, error);
    }
    await giveWay();
  }
}

/** Yields to the event loop, so that pending events and messages are handled. In a page, a timer would wait 4 ms. */
export const giveWay = typeof setImmediate === "function"
  ? () => new Promise((resolve) => setImmediate(resolve))
  : () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

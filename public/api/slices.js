// Runs an async call in this thread, in slices short enough that the page stays responsive.

/** The target size of a slice. */
export const SLICE = { ms: 5, bytes: 4 << 20 };

/**
 * Runs the blocks that `next` returns one by one, until it returns null, and yields to the event loop after each. The
 * milliseconds that each took are given to `onDone`.
 */
export async function runInSlices(core, next, onDone = () => {}) {
  for (let block = next(); block; block = next()) {
    const { job, start, rows } = block;
    const started = performance.now();
    try {
      await job.task.compute(core, start, rows, job);
      const ms = performance.now() - started;
      job.done(block, ms);
      onDone(ms);
    } catch (error) {
      job.fail(block, error);
    }
    await giveWay();
  }
}

/** Yields to the event loop, so that pending events and messages are handled. In a page, a timer would wait 4 ms. */
export const giveWay = typeof setImmediate === "function" ? () => new Promise((resolve) => setImmediate(resolve))
  : typeof MessageChannel === "function" ? () => new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  })
  : () => new Promise((resolve) => setTimeout(resolve));

// Starts worker threads: module workers in pages, Deno and Bun, and worker_threads in Node.

import { isNode, nodeModule } from "./node.js";

/** Bundlers rewrite `new URL("…", import.meta.url)`. They leave an address made with this constant unchanged. */
const HERE = import.meta.url;

/**
 * Starts worker.js. The result has post(message, transfer), end(), and in Node ref() and unref(). If the worker ends
 * without a call of end(), `onEnd(reason)` is called once with a text.
 */
export async function startThread(onMessage, onEnd) {
  const once = (reason) => {
    const call = onEnd;
    onEnd = () => {};
    call(reason);
  };
  const worker = typeof Worker === "function" ? webWorker() : await nodeWorker();
  if (worker.addEventListener) {
    worker.addEventListener("message", (event) => onMessage(event.data));
    worker.addEventListener("messageerror", () => once("it sent what could not be read"));
    worker.addEventListener("error", (event) => {
      event.preventDefault?.();
      once(event.message || "it could not be started");
    });
  } else {
    worker.on("message", onMessage);
    worker.on("error", (error) => once(error.message));
    worker.on("exit", (code) => once(`it exited with code ${code}`));
  }
  return {
    post: (message, transfer = []) => worker.postMessage(message, transfer),
    end: () => {
      onEnd = () => {};
      worker.terminate();
    },
    ref: () => worker.ref?.(),
    unref: () => worker.unref?.(),
  };
}

/** Returns the default number of workers. */
export async function defaultThreads() {
  let count = globalThis.navigator?.hardwareConcurrency;
  if (count === undefined && isNode()) {
    const os = await nodeModule("os");
    count = os.availableParallelism();
  }
  return Math.min(count ?? 1, 8);
}

/** Reports whether this module comes from another origin than the page. Browsers then refuse its worker file. */
export function isCrossOrigin() {
  const { protocol, origin } = new URL(HERE); // may be a file: address from a bundler: not cross-origin
  const page = globalThis.location?.origin;
  return !isNode() && page !== undefined && protocol.startsWith("http") && origin !== page;
}

let makeWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** Sets the function that makes this thread's workers from now on. Each worker must import worker.js. */
export function makeWorkersBy(make) {
  makeWorker = make;
}

function webWorker() {
  return isCrossOrigin() ? blobWorker() : makeWorker();
}

/**
 * Makes a worker of this page's origin that imports the worker file from its own address. If a policy forbids this, the
 * worker reports an error.
 */
function blobWorker() {
  const source = `import ${JSON.stringify(new URL("./worker.js", HERE).href)};`;
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

async function nodeWorker() {
  const { Worker: NodeWorker } = await nodeModule("worker_threads");
  // A Node that was started with --input-type refuses a plain file.
  return new NodeWorker(`import(${JSON.stringify(new URL("./worker.js", HERE).href)})`, { eval: true });
}

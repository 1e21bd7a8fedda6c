// Starts a worker thread where this engine has them: module workers in pages, Deno and Bun, worker_threads in Node.

import { isNode, nodeModule } from "./node.js";

/** Bundlers look for `new URL("…", import.meta.url)`; with this they leave an address alone. */
const HERE = import.meta.url;

/**
 * Starts worker.js. The result has post(message, transfer), end(), and in Node
 * ref() and unref(). `onEnd(reason)` is called at most once, for an end that was not asked for, with text.
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

/** How many workers are worth starting by default. */
export async function defaultThreads() {
  let count = globalThis.navigator?.hardwareConcurrency;
  if (count === undefined && isNode()) {
    const os = await nodeModule("os");
    count = os.availableParallelism();
  }
  return Math.min(count ?? 1, 8);
}

/** Whether this module comes from another origin than the page, where a browser refuses the worker file as such. */
export function isCrossOrigin() {
  const { protocol, origin } = new URL(HERE); // a bundler may put a file: address here: its worker is the page's own
  const page = globalThis.location?.origin;
  return !isNode() && page !== undefined && protocol.startsWith("http") && origin !== page;
}

let makeWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** Has `make` make the workers that this thread starts from now on. Theirs is to import worker.js. */
export function makeWorkersBy(make) {
  makeWorker = make;
}

function webWorker() {
  return isCrossOrigin() ? blobWorker() : makeWorker();
}

/**
 * A worker of this page's origin that imports the file from where it is. A policy may forbid it; then it reports an
 * error.
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
  // A file as such is refused in a Node that was started with --input-type.
  return new NodeWorker(`import(${JSON.stringify(new URL("./worker.js", HERE).href)})`, { eval: true });
}

// Starts worker threads: module workers in pages, Deno and Bun, and worker_threads in Node.

import { remedyFor } from "./hosts.js";
import { givenAddress, isNode, nodeModule } from "./node.js";

const PATIENCE_MS = 30_000; // for a worker to say that it is ready

/** Returns the default number of workers. */
export async function defaultThreads() {
  let count = globalThis.navigator?.hardwareConcurrency;
  if (count === undefined && isNode()) count = (await nodeModule("os")).availableParallelism?.();
  return Math.min(count ?? 1, 8);
}

/**
 * Returns the ways to make a worker: each gets what it needs and returns a function that makes it. The first that
 * works is taken. With `workerURL`, the only way is the file there. Else the ways are the worker of `files`
 * (corefiles.js), and then the same code as a text: browsers refuse the file from another origin, and some bundlers
 * leave it behind. Node needs no file.
 */
export async function waysToStart(workerURL, files) {
  const isWeb = typeof Worker === "function";
  if (workerURL === undefined) {
    if (!isWeb) return [async () => nodeWorker(await files.workerText())];
    return [() => fileWorker(files), () => textWorker(files)];
  }
  const url = await workerAddress(workerURL);
  if (isWeb) return [() => () => new Worker(url, { type: "module" })];
  return [() => nodeWorker(`import(${JSON.stringify(String(url))})`)];
}

/** The file imports nothing. */
function fileWorker(files) {
  return () => new Worker(trusted(files.worker()), { type: "module" });
}

async function textWorker(files) {
  const text = await files.workerText();
  return () => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    // Chromium starts no module worker from the blob: address of a page on disk, and Deno has no others.
    const worker = new Worker(trusted(url), { type: globalThis.Deno ? "module" : "classic" });
    worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
    return worker;
  };
}

async function nodeWorker(text) {
  const { Worker: NodeWorker } = await nodeModule("worker_threads");
  return () => new NodeWorker(text, { eval: true });
}

let policy = null;

/**
 * Returns the address of our own worker in the form that a page with `require-trusted-types-for 'script'` accepts.
 * Where the page allows no policy of ours, the address stays as it is.
 */
function trusted(url) {
  try {
    policy ??= globalThis.trustedTypes?.createPolicy("tensorsketch", { createScriptURL: (own) => own });
  } catch {
    policy = null;
  }
  return policy?.createScriptURL(String(url)) ?? url;
}

/** Returns the address of the worker's file. A TrustedScriptURL stays as it is. */
async function workerAddress(workerURL) {
  if (globalThis.TrustedScriptURL && workerURL instanceof globalThis.TrustedScriptURL) return workerURL;
  return givenAddress("workerURL", "be the URL of worker.js", workerURL);
}

/** A worker that starts, or tries to, until it says that it is ready. */
export class Thread {
  #worker = null;
  #ended = false;
  #keepsAlive = true;

  /**
   * Makes a worker in the first of the `ways` that works, sends it `first`, and calls onReady(way) when it has
   * answered. Later messages go to onMessage. If no way works, or the worker ends by itself, onEnd(reason) is called
   * with a text.
   */
  constructor(ways, first, calls) {
    this.#start(ways, first, calls);
  }

  post(message, transfer = []) {
    this.#worker.postMessage(message, transfer);
  }

  end() {
    this.#ended = true;
    this.#worker?.terminate();
  }

  /** Sets whether the worker keeps a Node process alive. */
  keepAlive(keepsAlive) {
    this.#keepsAlive = keepsAlive;
    if (keepsAlive) this.#worker?.ref?.();
    else this.#worker?.unref?.();
  }

  async #start(ways, first, { onReady, onMessage, onEnd }) {
    await null; // the caller first gets this object
    const reasons = [];
    for (const way of ways) {
      try {
        const make = await way();
        if (this.#ended) return;
        const worker = this.#worker = make();
        this.keepAlive(this.#keepsAlive);
        await this.#untilReady(worker, first, onMessage, onEnd);
        return onReady(way);
      } catch (error) {
        this.#worker?.terminate();
        if (this.#ended) return;
        reasons.push(await remedyFor(error.message, "startRemedy", error.message || "the host does not say why"));
      }
    }
    onEnd([...new Set(reasons)].join("; "));
  }

  #untilReady(worker, first, onMessage, onEnd) {
    return new Promise((resolve, reject) => {
      const lost = (reason) => {
        if (this.#worker !== worker || this.#ended) return;
        if (timer === null) onEnd(reason);
        clearTimeout(timer);
        reject(new Error(reason));
      };
      let timer = setTimeout(lost, PATIENCE_MS, `a worker did not answer within ${PATIENCE_MS / 1000} s`);
      timer.unref?.();
      listen(worker, lost, (message) => {
        if (timer === null) return onMessage(message);
        if (message?.type !== "ready") return;
        clearTimeout(timer);
        timer = null;
        resolve();
      });
      worker.postMessage(first);
    });
  }
}

/** Calls onMessage(message), and onEnd(reason) if the worker ends by itself. */
function listen(worker, onEnd, onMessage) {
  if (worker.addEventListener) {
    worker.addEventListener("message", (event) => onMessage(event.data));
    worker.addEventListener("messageerror", () => onEnd("a worker sent what could not be read"));
    worker.addEventListener("error", (event) => {
      event.preventDefault?.();
      onEnd(event.message || "the worker's file could not be loaded");
    });
  } else {
    worker.on("message", onMessage);
    worker.on("error", (error) => onEnd(error.message));
    worker.on("exit", (code) => onEnd(`it exited with code ${code}`));
  }
}

// Calls the worker that reads and embeds files (filejob.js) from the page. If the worker has ended, the next call
// starts it again.

import { collect } from "../api/buffers.js";

class FileWorker {
  #worker = null;
  #calls = new Map(); // by id: { resolve, reject }
  #last = 0;

  /** Gets the progress of a run, { phase, read, size, rows, bytes }, or of a preview, { preview, rows, done }. */
  onProgress = () => {};

  /** Sends a request to the worker. filejob.js lists the types. */
  call(type, request) {
    this.#worker ??= this.#start();
    if (type === "open" || type === "run") collect(); // or the page's garbage stays in memory
    return new Promise((resolve, reject) => {
      this.#calls.set(++this.#last, { resolve, reject });
      this.#worker.postMessage({ id: this.#last, type, ...request });
    });
  }

  #end(reason) {
    this.#worker.terminate();
    this.#worker = null;
    for (const { reject } of this.#calls.values()) {
      reject(new Error(`the worker that reads files has stopped: ${reason}`));
    }
    this.#calls.clear();
  }

  #start() {
    const worker = new Worker(new URL("filejob.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, result, error, progress } }) => {
      if (progress) return void this.onProgress(progress);
      const { resolve, reject } = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) reject(Object.assign(new Error(error.message), error));
      else resolve(result);
    };
    worker.onerror = (event) => this.#end(event.message ?? "its files cannot be loaded");
    return worker;
  }
}

/** The worker of this page. index.html starts this module before the others, so that the core loads early. */
export const files = new FileWorker();

/** Whether the page is opened to read files. */
export const opensFiles = !/^#\/(buckets|convolution|convergence|about|learn(?!.*\bhalf=file))\b/.test(location.hash);

// The teaching places do not need the worker's core at first: the application asks for it after drawing their picture.
if (opensFiles) files.call("core").catch(() => {});

// Calls the worker that reads and embeds files (filejob.js) from the page. If the worker has ended, the next call
// starts it again. A file that is chosen ends the reading of another one at once.

import { collect } from "../api/buffers.js";

const CHOICES = ["ownFiles", "images", "open"]; // requests with a file that was chosen
const KEPT = ["run", "images", "export"]; // work that no choice ends
const COLLECT_MS = 2500; // between collections of the page's garbage during a run: 1 MB a second, of layouts
const BEGIN_MS = 1000; // a worker that begins no request for so long is busy with a block of an earlier one

/** Has this tab hold what says that the visit goes on in which a release was made (jobstore.js), after its worker. */
const keepForVisit = (id) => navigator.locks.request(`tensorsketch-jobs-visit/${id}`, () => new Promise(() => {}));

class FileWorker {
  #worker = null;
  #isUp = false; // the worker has sent something
  #calls = new Map(); // by id: { type, resolve, reject, begun }
  #last = 0;
  #collected = 0;

  /** Gets the progress of a run, { phase, read, size, rows, bytes }, or of a preview, { preview, rows, done }. */
  onProgress = () => {};

  /** Sends a request to the worker. filejob.js lists the types. */
  call(type, request) {
    if (CHOICES.includes(type) && this.#has(["open"])) this.#supersede();
    if (type === "open" || type === "run") this.#collect(); // or the page's garbage stays in memory
    return new Promise((resolve, reject) => this.#send({ type, request, resolve, reject, begun: false }));
  }

  #collect() {
    collect();
    this.#collected = performance.now();
  }

  #send(call) {
    this.#worker ??= this.#start();
    const id = ++this.#last;
    this.#calls.set(id, call);
    this.#worker.postMessage({ id, type: call.type, ...call.request });
    if (!CHOICES.includes(call.type) || !this.#isUp) return;
    setTimeout(() => {
      if (call.begun || this.#calls.get(id) !== call || this.#has(KEPT)) return;
      this.#calls.delete(id);
      this.#supersede();
      this.#send(call);
    }, BEGIN_MS);
  }

  /** Ends the worker, and with it the reading of the file before, unless it does what no choice ends. */
  #supersede() {
    if (!this.#worker || this.#has(KEPT)) return;
    this.#end(Object.assign(new Error("another file was chosen"), { code: "SUPERSEDED" }));
  }

  #has(types) {
    return [...this.#calls.values()].some(({ type }) => types.includes(type));
  }

  #end(error) {
    this.#worker.terminate();
    this.#worker = null;
    this.#isUp = false;
    const calls = [...this.#calls.values()];
    this.#calls.clear();
    for (const { reject } of calls) reject(error);
  }

  #start() {
    const worker = new Worker(new URL("filejob.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data: { id, result, error, progress, begun } }) => {
      this.#isUp = true;
      if (progress) {
        if (performance.now() - this.#collected > COLLECT_MS) this.#collect();
        return void this.onProgress(progress);
      }
      if (begun) return void (this.#calls.get(begun).begun = true);
      const { resolve, reject } = this.#calls.get(id);
      this.#calls.delete(id);
      if (error) reject(Object.assign(new Error(error.message), error));
      else {
        if (result?.release && result.done) keepForVisit(result.id);
        resolve(result);
      }
    };
    worker.onerror = (event) => this.#end(new Error(`the worker that reads files has stopped: ` +
      `${event.message ?? "its files cannot be loaded"}`));
    return worker;
  }
}

/** The worker of this page. index.html starts this module before the others, so that the core loads early. */
export const files = new FileWorker();

/** Whether the page is opened to read files: by a link to Embed, or to Learn's half of a file. */
export const opensFiles = /^#\/?(embed|start\/7|learn\b.*\bhalf=file)\b/.test(location.hash);

// The teaching places do not need the worker's core at first: the application asks for it after drawing their picture.
if (opensFiles) files.call("core").catch(() => {});

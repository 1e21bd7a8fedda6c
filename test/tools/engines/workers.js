// Tells of workers as Node does: process.on("worker", f), with on("message") and once("exit") of each. Where a worker
// is ended from outside, its owner is not told: only Node does that.

const Own = globalThis.Worker;

export function tellOfWorkers(process) {
  const listeners = new Set();
  const { on, off } = process;
  process.on = (type, f) => (type === "worker" ? listeners.add(f) : on.call(process, type, f));
  process.off = (type, f) => (type === "worker" ? listeners.delete(f) : off.call(process, type, f));
  globalThis.Worker = class Worker extends Own {
    #ended = [];

    constructor(...args) {
      super(...args);
      for (const f of listeners) f(this);
    }

    on(type, f) {
      this.addEventListener(type, ({ data }) => f(data));
    }

    once(type, f) {
      this.#ended.push(f);
    }

    terminate() {
      super.terminate();
      queueMicrotask(() => this.#ended.splice(0).forEach((f) => f()));
    }
  };
}

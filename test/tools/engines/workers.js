// Tells of workers as Node does: process.on("worker", f), with on("message") and once("exit") for each. The owner of
// a worker that is ended from outside is told only in Node.

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

// What the workers of the pool share: each has an instance of the core and its own copy of each map, and does one block
// of work at a time. It is a module worker in pages and a worker_thread in Node. pool.js sends and receives its
// messages. tools/bundle makes one file of each worker.

import { memoryError, toPlain } from "../public/api/errors.js";
import { nodeModule } from "../public/api/node.js";
import { packedRows } from "../public/api/rows.js";
import { gated } from "../public/api/shared.js";

/**
 * `core` of the worker, its `maps` by id, `post(message, transfer)` to pool.js, what a block waits for, and what other
 * workers have `lent` it.
 */
export const worker = { core: null, maps: new Map(), post: null, held: null, lent: [] };

/** Blocks of the tasks (tasks.js) that need a map alone: functions of a message. */
export const MAP_TASKS = {
  transform({ map: id, rows, nnz, sparse, input, output, shared, gate }) {
    const map = worker.maps.get(id);
    const source = packedRows(input, rows, nnz, sparse, map.nFeatures);
    worker.core.transform(map, [source], shared ? gated(shared, gate)
      : new Float32Array(output, 0, rows * map.nComponents));
  },
  products({ nComponents, rows, columns, input, output }) {
    const A = new Float32Array(input, 0, rows * nComponents);
    const B = new Float32Array(input, A.byteLength, columns * nComponents);
    worker.core.products(A, B, nComponents, new Float64Array(output, 0, rows * columns));
  },
};

/** Serves the pool with the calls of a class of cores, the tasks, and functions of other messages, by type. */
export function serve(Core, tasks, others = {}) {
  const handlers = { ...others,
    start({ module, maxMemory }) {
      worker.core = new Core(module, maxMemory);
      return [{ type: "ready" }];
    },
    map(message) {
      // the core makes it when it is first used
      worker.maps.set(message.id, { ...message, handle: 0, headHandle: 0, run: null });
    },
    free({ id }) {
      worker.core.freeMap(worker.maps.get(id));
      worker.maps.delete(id);
    },
    block: (message) => doBlock(tasks, message),
  };
  const later = []; // messages that came while a block gave way
  let atWork = null; // the job of a block that gives way
  let goOn = null; // ends `held`
  const handle = (message) => {
    const reply = handlers[message.type](message);
    if (!reply?.then) return reply && worker.post(...reply);
    atWork = message.job;
    reply.then((made) => {
      atWork = worker.held = null;
      worker.post(...made);
      while (atWork === null && later.length > 0) handle(later.shift());
    });
  };
  listen((message) => {
    if (message.type === "fold") {
      if (message.job === atWork) worker.lent.push(message.lent);
      return;
    }
    if (message.type !== "hold") return atWork === null ? handle(message) : later.push(message);
    goOn?.();
    if (message.job === atWork) worker.held = message.isHeld ? new Promise((resolve) => (goOn = resolve)) : null;
  });
}

/** Does one block and returns both buffers, or the promise of them. Features get a new output if none was sent. */
function doBlock(tasks, message) {
  const reply = { type: "block", input: message.input, output: message.output };
  const started = performance.now();
  const end = (more) => [{ ...reply, ...more, ms: performance.now() - started },
    [reply.input, reply.output].filter(Boolean)];
  const failed = (error) => end({ error: toPlain(error) });
  try {
    reply.output = message.output ??= newBuffer(4 * message.rows * worker.maps.get(message.map).nComponents);
    const result = tasks[message.task](message);
    return result?.then ? result.then((value) => end({ result: value }), failed) : end({ result });
  } catch (error) {
    return failed(error);
  }
}

function newBuffer(bytes) {
  try {
    return new ArrayBuffer(bytes);
  } catch {
    throw memoryError(`a block of rows needs ${bytes} bytes, more than a worker can allocate`);
  }
}

function listen(onMessage) {
  if (typeof WorkerGlobalScope === "function") {
    worker.post = (...args) => globalThis.postMessage(...args);
    addEventListener("message", (event) => onMessage(event.data));
  } else {
    nodeModule("worker_threads").then(({ parentPort }) => {
      worker.post = (...args) => parentPort.postMessage(...args);
      parentPort.on("message", onMessage);
    });
  }
}

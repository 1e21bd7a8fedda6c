// A worker of the pool. It has an instance of the core and its own copy of each map, and does one block of work at
// a time. It is a module worker in pages and a worker_thread in Node. pool.js sends and receives its messages.
// tools/bundle makes one file of it, public/api/worker.js.

import { Core } from "../public/api/core.js";
import { toPlain } from "../public/api/errors.js";
import { nodeModule } from "../public/api/node.js";
import { packedRows } from "../public/api/rows.js";

let core;
const maps = new Map(); // id → map of this core

function handle(message) {
  switch (message.type) {
    case "start":
      core = new Core(message.module, message.maxMemory);
      return [{ type: "ready" }];
    case "map":
      maps.set(message.id, { ...message, handle: 0, headHandle: 0, run: null }); // the core makes it when it is first used
      return null;
    case "free":
      core.freeMap(maps.get(message.id));
      maps.delete(message.id);
      return null;
    case "block":
      return doBlock(message);
  }
}

/** What the blocks of each task are (tasks.js): functions of a message. */
const tasks = {
  transform({ map: id, rows, nnz, sparse, input, output }) {
    const map = maps.get(id);
    const source = packedRows(input, rows, nnz, sparse, map.nFeatures);
    core.transform(map, [source], new Float32Array(output, 0, rows * map.nComponents));
  },
  predict({ map: id, rows, nnz, sparse, want, truthAt, input, output }) {
    const map = maps.get(id);
    const source = packedRows(input, rows, nnz, sparse, map.nFeatures);
    const each = want === "classes" ? 1 : map.head.outputs;
    const out = want === "classes" ? new Int32Array(output, 0, rows) : new Float64Array(output, 0, each * rows);
    core.predict(map, source, want, out, truthAt < 0 ? {} : {
      truth: new Int32Array(input, truthAt, rows),
      losses: new Float64Array(output, 8 * Math.ceil(out.byteLength / 8), rows),
    });
  },
  products({ nComponents, rows, columns, input, output }) {
    const A = new Float32Array(input, 0, rows * nComponents);
    const B = new Float32Array(input, A.byteLength, columns * nComponents);
    core.products(A, B, nComponents, new Float64Array(output, 0, rows * columns));
  },
};

/** Does one block and returns both buffers. */
function doBlock(message) {
  const { input, output } = message;
  const reply = { type: "block", input, output };
  const started = performance.now();
  try {
    tasks[message.task](message);
  } catch (error) {
    reply.error = toPlain(error);
  }
  reply.ms = performance.now() - started;
  return [reply, [input, output]];
}

function serve(message, port) {
  const reply = handle(message);
  if (reply) port.postMessage(...reply);
}

if (typeof WorkerGlobalScope === "function") {
  addEventListener("message", (event) => serve(event.data, globalThis));
} else {
  nodeModule("worker_threads").then(({ parentPort }) => {
    parentPort.on("message", (message) => serve(message, parentPort));
  });
}

// A worker of the pool. It has an instance of the core and its own copy of each map, and transforms one block of rows
// at a time. It is a module worker in pages and a worker_thread in Node. pool.js sends and receives its messages.
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
      maps.set(message.id, { ...message, handle: 0, run: null }); // the core makes it when it is first used
      return null;
    case "free":
      core.freeMap(maps.get(message.id));
      maps.delete(message.id);
      return null;
    case "block":
      return transform(message);
  }
}

/** Transforms one block and returns both buffers. */
function transform({ map: id, rows, nnz, sparse, input, output }) {
  const map = maps.get(id);
  const reply = { type: "block", input, output };
  const started = performance.now();
  try {
    const source = packedRows(input, rows, nnz, sparse, map.nFeatures);
    core.transform(map, [source], new Float32Array(output, 0, rows * map.nComponents));
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

// A worker of the pool: one instance of the core, its own copy of each map, and one block of rows at a time.
// A plain module worker for pages, and a worker_thread in Node. The messages are those of pool.js.

import { Core } from "./core.js";
import { toPlain } from "./errors.js";
import { nodeModule } from "./node.js";
import { packedRows } from "./rows.js";

let core;
const maps = new Map(); // id → map of this core

function handle(message) {
  switch (message.type) {
    case "start":
      core = new Core(message.modules, message.maxMemory);
      return [{ type: "ready" }];
    case "map":
      maps.set(message.id, { ...message, handle: 0, run: null }); // made when it is first used
      return null;
    case "free":
      core.freeMap(maps.get(message.id));
      maps.delete(message.id);
      return null;
    case "block":
      return transform(message);
  }
}

/** Transforms one block and gives both buffers back. */
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

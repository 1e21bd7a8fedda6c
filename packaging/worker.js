// A worker of the pool. It has an instance of the core and its own copy of each map, and does one block of work at
// a time. It is a module worker in pages and a worker_thread in Node. pool.js sends and receives its messages.
// tools/bundle makes one file of it, public/api/worker.js.

import { Core } from "../public/api/core.js";
import { toPlain } from "../public/api/errors.js";
import { fitAtOnce, searchAtOnce } from "../public/api/fit.js";
import { nodeModule } from "../public/api/node.js";
import { packedRows } from "../public/api/rows.js";

let core;
const maps = new Map(); // id → map of this core
const held = new Map(); // id of a job → sums that its blocks were added to
let spare = null; // sums of no rows, which the next job may take if its views are the same

function handle(message) {
  switch (message.type) {
    case "start":
      core = new Core(message.module, message.maxMemory);
      return [{ type: "ready" }];
    case "map":
      // the core makes it when it is first used
      maps.set(message.id, { ...message, handle: 0, headHandle: 0, run: null });
      return null;
    case "free":
      core.freeMap(maps.get(message.id));
      maps.delete(message.id);
      return null;
    case "block":
      return doBlock(message);
    case "collect":
      return collect(message.job);
    case "drop":
      drop(message.job);
      return null;
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
  add({ job, views, rows, nnz, sparse, targetsAt, each, isRegression, weightsAt, input }) {
    const own = views.map(({ map, block }) => ({ map: maps.get(map), block }));
    if (!held.has(job)) held.set(job, sumsFor(own));
    core.addToSums(held.get(job), packedRows(input, rows, nnz, sparse, own[0].map.nFeatures), {
      values: new (isRegression ? Float64Array : Int32Array)(input, targetsAt, rows * each), each,
      weights: weightsAt < 0 ? null : new Uint8Array(input, weightsAt, rows),
    });
  },
  fit({ input, wordBytes, ...fit }) { // the input may be longer
    return fitAtOnce(core, fit, new Uint8Array(input, 0, wordBytes), (share) => post({ type: "progress", share }));
  },
  passes({ map, rows, nnz, sparse, each, isRegression, isWeighted, places, blockBytes, wordBytes, view, input }) {
    const own = maps.get(map);
    const labels = { values: new (isRegression ? Float64Array : Int32Array)(input, places.labels, rows * each), each,
      weights: isWeighted ? new Uint8Array(input, places.weights, rows) : null };
    return core.fitInPasses(own, new Uint8Array(input, places.block, blockBytes),
      packedRows(input, rows, nnz, sparse, own.nFeatures), labels, view, new Uint8Array(input, places.words, wordBytes),
      (share) => {
        post({ type: "progress", share });
        return true;
      });
  },
  search({ rows, nnz, sparse, nFeatures, length, isRegression, places, blockBytes, input }) {
    const values = new (isRegression ? Float64Array : Int32Array)(input, places.values, length);
    return searchAtOnce(core, new Uint8Array(input, places.block, blockBytes),
      packedRows(input, rows, nnz, sparse, nFeatures), values, (share) => post({ type: "progress", share }));
  },
  products({ nComponents, rows, columns, input, output }) {
    const A = new Float32Array(input, 0, rows * nComponents);
    const B = new Float32Array(input, A.byteLength, columns * nComponents);
    core.products(A, B, nComponents, new Float64Array(output, 0, rows * columns));
  },
};

/** Returns the words of the sums of a job. */
function collect(job) {
  try {
    const output = core.readSums(held.get(job), true).buffer;
    freeSpare();
    spare = held.get(job);
    held.delete(job);
    return [{ type: "held", output }, [output]];
  } catch (error) {
    return [{ type: "held", error: toPlain(error) }];
  }
}

function drop(job) {
  if (held.has(job)) core.freeSums(held.get(job));
  held.delete(job);
}

/** Returns the spare sums for these views, or new ones. */
function sumsFor(views) {
  const isSame = spare?.views.length === views.length &&
    views.every(({ block }, i) => block.every((byte, at) => byte === spare.views[i].block[at]));
  if (!isSame || !core.livesOn(spare)) {
    freeSpare();
    return core.newSums(views);
  }
  const sums = Object.assign(spare, { views });
  spare = null;
  return sums;
}

function freeSpare() {
  if (spare) core.freeSums(spare);
  spare = null;
}

/** Does one block and returns both buffers. */
function doBlock(message) {
  const { input, output } = message;
  const reply = { type: "block", input, output };
  const started = performance.now();
  if (message.task !== "add") freeSpare(); // others may need its memory
  try {
    reply.result = tasks[message.task](message);
  } catch (error) {
    reply.error = toPlain(error);
  }
  reply.ms = performance.now() - started;
  return [reply, [input, output]];
}

let post; // (message, transfer) to pool.js

function serve(message) {
  const reply = handle(message);
  if (reply) post(...reply);
}

if (typeof WorkerGlobalScope === "function") {
  post = (...args) => globalThis.postMessage(...args);
  addEventListener("message", (event) => serve(event.data));
} else {
  nodeModule("worker_threads").then(({ parentPort }) => {
    post = (...args) => parentPort.postMessage(...args);
    parentPort.on("message", serve);
  });
}

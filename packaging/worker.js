// A worker of the pool that learns too: public/api/worker.js.

import { toPlain } from "../public/api/errors.js";
import { atOnce, fitAtOnce, holdFolds } from "../public/api/fit.js";
import { packedRows } from "../public/api/rows.js";
import { giveWay } from "../public/api/slices.js";
import { WholeCore } from "../public/api/wholecore.js";
import { MAP_TASKS, serve, worker } from "./serve.js";

const { maps } = worker;
const held = new Map(); // id of a job → sums that its blocks were added to
let spare = null; // sums of no rows, which the next job may take if its views are the same

/** Blocks of the tasks that need no sums: functions of a message. */
const tasks = {
  ...MAP_TASKS,
  predict({ map: id, rows, nnz, sparse, want, truthAt, input, output }) {
    const map = maps.get(id);
    const source = packedRows(input, rows, nnz, sparse, map.nFeatures);
    const each = want === "classes" ? 1 : map.head.outputs;
    const out = want === "classes" ? new Int32Array(output, 0, rows) : new Float64Array(output, 0, each * rows);
    worker.core.predict(map, source, want, out, truthAt < 0 ? {} : {
      truth: new Int32Array(input, truthAt, rows),
      losses: new Float64Array(output, 8 * Math.ceil(out.byteLength / 8), rows),
    });
  },
  fit({ input, wordBytes, ...fit }) { // the input may be longer
    return fitAtOnce(worker.core, fit, new Uint8Array(input, 0, wordBytes), showProgress, worker.lent = []);
  },
  folds({ input, wordBytes, ...fit }) {
    return holdFolds(worker.core, fit, new Uint8Array(input, 0, wordBytes), (part) => showProgress(0, part));
  },
  passes({ map, rows, nnz, sparse, each, isRegression, isWeighted, places, blockBytes, wordBytes, view, input }) {
    const own = maps.get(map);
    const labels = { values: new (isRegression ? Float64Array : Int32Array)(input, places.labels, rows * each), each,
      weights: isWeighted ? new Uint8Array(input, places.weights, rows) : null };
    return worker.core.fitInPasses(own, new Uint8Array(input, places.block, blockBytes),
      packedRows(input, rows, nnz, sparse, own.nFeatures), labels, view, new Uint8Array(input, places.words, wordBytes),
      (share) => {
        worker.post({ type: "progress", share });
        return true;
      });
  },
  search({ rows, nnz, sparse, nFeatures, length, isRegression, places, blockBytes, input }) {
    const values = new (isRegression ? Float64Array : Int32Array)(input, places.values, length);
    return atOnce(worker.core.search(new Uint8Array(input, places.block, blockBytes),
      packedRows(input, rows, nnz, sparse, nFeatures), values, showProgress), showProgress);
  },
};

/** Adds a block of rows to the sums of its job. */
function add({ job, views, rows, nnz, sparse, targetsAt, each, isRegression, weightsAt, input }) {
  const own = views.map(({ map, block }) => ({ map: maps.get(map), block }));
  if (!held.has(job)) held.set(job, sumsFor(own));
  worker.core.addToSums(held.get(job), packedRows(input, rows, nnz, sparse, own[0].map.nFeatures), {
    values: new (isRegression ? Float64Array : Int32Array)(input, targetsAt, rows * each), each,
    weights: weightsAt < 0 ? null : new Uint8Array(input, weightsAt, rows),
  });
}

/** Returns the words of the sums of a job. */
function collect(job) {
  try {
    const output = worker.core.readSums(held.get(job), true).buffer;
    freeSpare();
    spare = held.get(job);
    held.delete(job);
    return [{ type: "held", output }, [output]];
  } catch (error) {
    return [{ type: "held", error: toPlain(error) }];
  }
}

function drop(job) {
  if (held.has(job)) worker.core.freeSums(held.get(job));
  held.delete(job);
}

/** Returns the spare sums for these views, or new ones. */
function sumsFor(views) {
  const isSame = spare?.views.length === views.length &&
    views.every(({ block }, i) => block.every((byte, at) => byte === spare.views[i].block[at]));
  if (!isSame || !worker.core.livesOn(spare)) {
    freeSpare();
    return worker.core.newSums(views);
  }
  const sums = Object.assign(spare, { views });
  spare = null;
  return sums;
}

function freeSpare() {
  if (spare) worker.core.freeSums(spare);
  spare = null;
}

/** Shows progress, and `part` that came of it, lets messages arrive, and waits while the call is held. */
async function showProgress(share, part) {
  worker.post({ type: "progress", share, part });
  await giveWay();
  await worker.held;
}

/** Returns a task that first frees the spare sums, since it may need their memory. */
const alone = (task) => (message) => {
  freeSpare();
  return task(message);
};

serve(WholeCore, { ...Object.fromEntries(Object.entries(tasks).map(([name, task]) => [name, alone(task)])), add },
  { collect: ({ job }) => collect(job), drop: ({ job }) => drop(job) });

// Features as blocks and as batches: what a worker has made is handed over, and not copied.

import { newMatrix } from "./buffers.js";
import { TransformTask } from "./tasks.js";

const AHEAD_BYTES = 128 << 20; // of the batches that are made ahead, unless one has more

/** Rows of a source become blocks { start, rows, values }, each as it was made. */
export class BlocksTask extends TransformTask {
  #blocks = [];

  ownOutput() {
    return null;
  }

  set(values, at) {
    this.#add(at / this.map.nComponents, new Float32Array(values));
  }

  receive(start, rows, output) {
    this.#add(start, this.featuresOf(output, rows));
  }

  result() {
    return this.#blocks.sort((a, b) => a.start - b.start);
  }

  #add(start, values) {
    this.#blocks.push({ start, rows: values.length / this.map.nComponents, values });
  }
}

/**
 * Returns what the batches of a call share: how many are made `ahead`, and `spare` memory to use again. Where rows come
 * in time, `rows` is 0, and a single batch is made ahead.
 */
export function newCall({ nFeatures, nComponents }, rows, batchSize, threads) {
  const most = AHEAD_BYTES / (4 * batchSize * (nFeatures + nComponents));
  const ahead = Math.max(1, rows && Math.min(2 * threads, most));
  return { ahead, window: ahead * batchSize, rows, spare: [] };
}

/**
 * Rows of a source from `first` on become one array. Where enough rows follow for all workers, one of them makes all of
 * it, and its array is handed over.
 */
export class BatchTask extends TransformTask {
  /** `after` are the rows of the call after these, and `later` is a part of them, so that workers start for all. */
  constructor(map, source, first, rows, call) {
    super(map, source);
    const after = Math.max(0, call.rows - first - rows);
    Object.assign(this, { first, rows, call, after, later: after / call.ahead });
  }

  take(start, left, size) {
    const near = Math.min(left + this.after, this.call.window);
    const isWhole = left === this.rows && left <= 2 * size.share * near; // a worker's part is two shares
    return isWhole ? left : super.take(start, left, size);
  }

  ownOutput(rows) {
    return rows === this.rows ? this.call.spare.pop() ?? null : undefined;
  }

  set(values, at) {
    this.out ??= this.#newOut();
    super.set(values, at);
  }

  receive(start, rows, output) {
    if (rows === this.rows) this.out = this.featuresOf(output, rows);
    else super.receive(start, rows, output);
  }

  #newOut() {
    const { rows } = this, spare = this.call.spare.pop();
    return spare ? this.featuresOf(spare, rows) : newMatrix(Float32Array, rows, this.map.nComponents);
  }
}

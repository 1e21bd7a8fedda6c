// The task of adding rows to the sums of a learner.

import { drop } from "./buffers.js";
import { NONE } from "./sumwords.js";
import { WholeTask } from "./wholetask.js";

/** The task (tasks.js) of adding rows to sums. Workers hold sums of their own until they are collected. */
export class AddTask extends WholeTask {
  isHeld = true;
  words = null;
  kept = NONE;
  #core;
  #shape;
  #sums = null; // of this thread

  /** `shape` has the bytes of the words, and what the core must know of kept rows. */
  constructor(core, views, source, labels, classes, cost, shape) {
    super(views.map(({ map }) => map), source, cost);
    Object.assign(this, { views, labels, classes });
    this.#core = core;
    this.#shape = shape;
  }

  compute(core, start, rows) {
    this.#sums ??= core.newSums(this.views);
    core.addToSums(this.#sums, this.source, this.labels, start, start + rows);
  }

  bytes(start, rows) {
    const { targetsAt, weightsAt } = this.#places(start, rows);
    return { input: weightsAt + (this.labels.weights ? rows : 0), output: 0, targetsAt };
  }

  write(input, start, rows) {
    const { source, labels: { values, each, weights } } = this;
    const { targetsAt, weightsAt } = this.#places(start, rows);
    source.write(input, 0, start, rows);
    new values.constructor(input, targetsAt, rows * each).set(values.subarray(start * each, (start + rows) * each));
    if (weights) new Uint8Array(input, weightsAt, rows).set(weights.subarray(start, start + rows));
    return {
      task: "add", views: this.views.map(({ map, block }) => ({ map: map.id, block })), rows,
      nnz: source.nnz(start, rows), sparse: source.sparse, targetsAt, each,
      isRegression: values instanceof Float64Array, weightsAt: weights ? weightsAt : -1,
    };
  }

  receive() {}

  collect(output) {
    this.#addWords(new Uint8Array(output));
  }

  doing(start, rows) {
    return `added rows ${start} to ${start + rows - 1}`;
  }

  result() {
    if (this.#sums) this.#addWords(this.#core.takeSums(this.#sums));
    this.#sums = null;
    return this.words;
  }

  end() {
    if (this.#sums) this.#core.freeSums(this.#sums);
    this.#sums = null;
  }

  #addWords(sums) {
    const { wordBytes } = this.#shape;
    const [words, kept] = [sums.subarray(0, wordBytes), sums.slice(wordBytes)];
    if (!this.words) {
      this.words = words;
      this.kept = kept;
      return;
    }
    this.#core.addWords(this.words, words);
    this.kept = this.#core.mergeKept(this.#shape, this.kept, kept);
    drop([sums.buffer]);
  }

  /** Returns the places of labels and weights behind the rows of a block. */
  #places(start, rows) {
    const { values, each } = this.labels;
    const targetsAt = 8 * Math.ceil(this.source.byteLength(start, rows) / 8);
    return { targetsAt, weightsAt: targetsAt + values.BYTES_PER_ELEMENT * rows * each };
  }
}

// Job: one call that is done in blocks. It knows which blocks remain, which have come back, and how the call ends. The
// workers (pool.js) and the calling thread (slices.js) both take their blocks from it. What a block is, its task says
// (tasks.js).

import { TensorSketchError } from "./errors.js";

const PROGRESS_MS = 1000 / 30;
const DEATHS = 2; // workers that may die at the same block before the call gives up

let lastId = 0;

export class Job {
  id = ++lastId; // in messages to workers
  inFlight = new Set();
  settled = false;
  #redo = []; // blocks whose worker died
  #nextRow = 0;
  #rowsDone = 0; // some of them may still be held by workers
  #rowsHeld = 0;
  #failure = null; // { row: first row of the failed block, error }: the lowest so far
  #lastProgress = -Infinity;
  #onAbort;

  /** `owner` is kept so that the map is not collected while the call runs. */
  constructor({ owner, task, signal, onProgress }) {
    Object.assign(this, { owner, task, signal, onProgress });
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, rejectPromise: reject }));
    this.#onAbort = () => this.reject(signal.reason);
    signal?.addEventListener("abort", this.#onAbort);
    this.ended = () => {}; // set by the runner of the job; called once when the job is settled
  }

  /** Returns the estimated work left, in milliseconds of one thread. */
  get msLeft() {
    const again = this.#redo.reduce((sum, block) => sum + block.rows, 0);
    const { rows, later = 0, cost } = this.task;
    return (rows - this.#nextRow + again + later) * cost.msPerRow;
  }

  /** Reports whether no block is left to give out. */
  get isGivenOut() {
    return this.#redo.length === 0 && (this.#nextRow === this.task.rows || this.#failure !== null);
  }

  /**
   * Returns the next block: about `ms` of work and `bytes`, at most a `share` of the rest. Returns null at the end.
   * Blocks whose worker died are left to other workers unless `retries` is true: they may need too much memory.
   */
  next({ retries = true, ...size }) {
    if (this.settled || !this.#isUnchanged()) return null;
    let block = retries ? this.#redo.pop() : undefined;
    if (!block) {
      const left = this.task.rows - this.#nextRow;
      if (left === 0 || this.#failure) return null;
      block = { job: this, start: this.#nextRow, rows: this.task.take(this.#nextRow, left, size), deaths: 0 };
      this.#nextRow += block.rows;
    }
    this.inFlight.add(block);
    return block;
  }

  /** Takes the output of a block from `start` on. Reports whether the call can go on. */
  receive(start, rows, output, result) {
    if (this.settled) return true;
    try {
      if (this.#isUnchanged()) this.task.receive(start, rows, output, result);
    } catch (error) {
      this.reject(error);
    }
    return !this.settled;
  }

  /** Reports whether the arrays of the call are as they were at first. If they are not, the call ends. */
  #isUnchanged() {
    const error = this.task.changed();
    if (error) this.reject(error);
    return !error;
  }

  /**
   * Records that the block is done and that it took `ms` of one thread. If `held` is true, its worker keeps what came
   * of it until it is collected.
   */
  done(block, ms, held = false) {
    this.inFlight.delete(block);
    if (this.settled) return;
    const { cost } = this.task;
    // A block is slower if its worker is new or the machine is busy, so a single block says little.
    const msPerRow = Math.max(1e-6, ms / block.rows);
    cost.msPerRow = cost.measured ? Math.min(msPerRow, 1.5 * cost.msPerRow) : msPerRow;
    cost.measured = true;
    this.#rowsDone += block.rows;
    if (held) this.#rowsHeld += block.rows;
    if (this.task.done) this.progressed(block.start, 1);
    else this.#tell(this.#rowsDone, this.task.rows);
    this.#endIfComplete();
  }

  /** Takes what a worker made of the blocks that it held. */
  collected(blocks, output) {
    if (this.settled) return;
    try {
      this.task.collect(output);
    } catch (error) {
      this.reject(error);
      return;
    }
    for (const { rows } of blocks) this.#rowsHeld -= rows;
    this.#endIfComplete();
  }

  /** Reports progress within a block, by what `done` of tasks gets. */
  progressed(...progress) {
    if (!this.settled) this.#tell(this.task.done(...progress), 1);
  }

  /** Records that the block failed. Earlier blocks go on, because the lowest failing row is reported. */
  fail(block, error) {
    if (this.task.spares?.(block.start, error)) return this.done(block, 0);
    this.inFlight.delete(block);
    if (this.settled) return;
    if (!this.#failure || block.start < this.#failure.row) this.#failure = { row: block.start, error };
    this.#endIfComplete();
  }

  /**
   * Records that the block's worker ended. `reason` is given if the worker died at this very block, and `held` is true
   * if the block was done, and what came of it was lost.
   */
  lost(block, reason, held = false) {
    this.inFlight.delete(block);
    if (this.settled) return;
    if (held) {
      this.#rowsDone -= block.rows;
      this.#rowsHeld -= block.rows;
    }
    if (reason !== undefined) block.deaths++;
    if (block.deaths < DEATHS) {
      if (!this.#failure || block.start < this.#failure.row) this.#redo.push(block);
      return;
    }
    const doing = this.task.doing(block.start, block.rows);
    this.fail(block, new TensorSketchError("ERR_WORKER",
      `${DEATHS} workers ended while they ${doing} (${reason}): memory may be short; use fewer threads or components`,
      { rowsDone: block.start }));
  }

  reject(reason) {
    const written = this.#settle();
    if (!written) return;
    written.then(() => this.rejectPromise(reason));
    this.ended();
  }

  #endIfComplete() {
    if (this.settled) return;
    if (this.#failure) {
      const { row, error } = this.#failure;
      this.#redo = this.#redo.filter((block) => block.start < row);
      const before = [...this.inFlight].some((block) => block.start < row);
      if (before || this.#redo.length > 0) return;
      this.reject(this.task.failure(error));
    } else if (this.#rowsDone === this.task.rows && this.#rowsHeld === 0) {
      this.#finish();
    }
  }

  /** Ends the call with its result, as soon as nothing holds it. */
  #finish() {
    if (this.task.held) {
      this.task.held.then(() => this.#endIfComplete());
      return;
    }
    try {
      const result = this.task.result();
      if (!this.#settle()) return;
      this.resolve(result);
      this.ended();
    } catch (error) {
      this.reject(error);
    }
  }

  /** Calls onProgress at most 30 times a second, and at the end. An error that it throws ends the call. */
  #tell(done, total) {
    const now = performance.now();
    if (!this.onProgress || (now - this.#lastProgress < PROGRESS_MS && done < total)) return;
    this.#lastProgress = now;
    const fail = (error) => this.reject(error);
    try {
      this.onProgress(done, total)?.then?.(null, fail);
    } catch (error) {
      fail(error);
    }
  }

  /** Ends the call. Returns a promise of the end of what workers still write, or null if the call has ended before. */
  #settle() {
    if (this.settled) return null;
    this.settled = true;
    this.settledAt = performance.now();
    this.signal?.removeEventListener("abort", this.#onAbort);
    return Promise.resolve(this.task.end?.());
  }
}

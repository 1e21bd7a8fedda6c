// Job: one transformAsync call. It knows which blocks of rows remain, which have come back, and how the call ends.
// The workers (pool.js) and the calling thread (slices.js) both take their blocks from it.

import { changedError, TensorSketchError } from "./errors.js";
import { withLargeValue, wholeLanes } from "./rows.js";

const PROGRESS_MS = 1000 / 30;
const DEATHS = 2; // workers that may die at the same block before the call gives up

export class Job {
  inFlight = new Set();
  settled = false;
  #redo = []; // blocks whose worker died
  #nextRow = 0;
  #rowsDone = 0;
  #failure = null; // { row: first row of the failed block, error }: the lowest so far
  #lastProgress = -Infinity;
  #onAbort;

  /** `owner` is kept so that the map is not collected while the call runs. */
  constructor({ owner, map, source, out, signal, onProgress }) {
    Object.assign(this, { owner, map, source, out, signal, onProgress });
    this.promise = new Promise((resolve, reject) => Object.assign(this, { resolve, rejectPromise: reject }));
    this.#onAbort = () => this.reject(signal.reason);
    signal?.addEventListener("abort", this.#onAbort);
    this.ended = () => {}; // set by the runner of the job; called once when the job is settled
  }

  /** Returns the estimated work left, in milliseconds of one thread. */
  get msLeft() {
    const again = this.#redo.reduce((sum, block) => sum + block.rows, 0);
    return (this.source.rows - this.#nextRow + again) * this.map.msPerRow;
  }

  /**
   * Returns the next block: about `ms` of work and `bytes`, at most a `share` of the rest. Returns null at the end.
   * Blocks whose worker died are left to other workers unless `retries` is true: they may need too much memory.
   */
  next({ lanes, ms, bytes, share = 1, retries = true }) {
    if (this.settled || !this.#hasOut()) return null;
    let block = retries ? this.#redo.pop() : undefined;
    if (!block) {
      const left = this.source.rows - this.#nextRow;
      if (left === 0 || this.#failure) return null;
      const whole = (this.map.measured ? ms : ms / 4) / this.map.msPerRow;
      const most = Math.min(whole, Math.max(left * share, whole / 5), bytes / (8 * this.map.nComponents));
      const rows = this.source.take(this.#nextRow, Math.min(left, wholeLanes(most, lanes)), bytes / 2, lanes);
      block = { job: this, start: this.#nextRow, rows, deaths: 0 };
      this.#nextRow += rows;
    }
    this.inFlight.add(block);
    return block;
  }

  /** Writes features from row `start` on. Reports whether `out` could take them. */
  write(start, features) {
    if (this.settled) return true;
    if (this.#hasOut()) this.out.set(features, start * this.map.nComponents);
    return !this.settled;
  }

  /** Reports whether `out` is as it was at first. If it is not, the call ends. */
  #hasOut() {
    if (this.out.length === this.source.rows * this.map.nComponents) return true;
    this.reject(changedError("out", this.out));
    return false;
  }

  /** Records that the block's rows are in `out` and that they took `ms` of one thread. */
  done(block, ms) {
    this.inFlight.delete(block);
    if (this.settled) return;
    const { map } = this;
    // A block is slower if its worker is new or the machine is busy, so a single block says little.
    const msPerRow = Math.max(1e-6, ms / block.rows);
    map.msPerRow = map.measured ? Math.min(msPerRow, 1.5 * map.msPerRow) : msPerRow;
    map.measured = true;
    this.#rowsDone += block.rows;
    this.#report();
    this.#endIfComplete();
  }

  /** Records that the block failed. Earlier blocks go on, because the lowest failing row is reported. */
  fail(block, error) {
    this.inFlight.delete(block);
    if (this.settled) return;
    if (!this.#failure || block.start < this.#failure.row) this.#failure = { row: block.start, error };
    this.#endIfComplete();
  }

  /** Records that the block's worker ended. `reason` is given if the worker died at this very block. */
  lost(block, reason) {
    this.inFlight.delete(block);
    if (this.settled) return;
    if (reason !== undefined) block.deaths++;
    if (block.deaths < DEATHS) {
      if (!this.#failure || block.start < this.#failure.row) this.#redo.push(block);
      return;
    }
    const rows = `rows ${block.start} to ${block.start + block.rows - 1}`;
    this.fail(block, new TensorSketchError("ERR_WORKER",
      `${DEATHS} workers ended while they transformed ${rows} (${reason}): memory may be short; use ` +
        `fewer threads or components`,
      { rowsDone: block.start }));
  }

  reject(reason) {
    if (!this.#settle()) return;
    this.rejectPromise(reason);
    this.ended();
  }

  #endIfComplete() {
    if (this.settled) return;
    if (this.#failure) {
      const { row, error } = this.#failure;
      this.#redo = this.#redo.filter((block) => block.start < row);
      const before = [...this.inFlight].some((block) => block.start < row);
      if (before || this.#redo.length > 0) return;
      this.reject(withLargeValue(error, [this.source]));
    } else if (this.#rowsDone === this.source.rows && this.#settle()) {
      this.resolve(this.out);
      this.ended();
    }
  }

  /** Calls onProgress at most 30 times a second, and at the end. An error that it throws ends the call. */
  #report() {
    const { rows } = this.source;
    const now = performance.now();
    if (!this.onProgress || (now - this.#lastProgress < PROGRESS_MS && this.#rowsDone < rows)) return;
    this.#lastProgress = now;
    try {
      this.onProgress(this.#rowsDone, rows);
    } catch (error) {
      this.reject(error);
    }
  }

  #settle() {
    if (this.settled) return false;
    this.settled = true;
    this.settledAt = performance.now();
    this.signal?.removeEventListener("abort", this.#onAbort);
    return true;
  }
}

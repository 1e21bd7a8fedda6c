// Features batch by batch, of rows that come one after another: from a generator, a stream, a database, or an array.

import { moved, orAborted } from "./errors.js";
import { itemSource, iteratorOf, joinRows, rowSource } from "./rows.js";

/** The rows of X, item by item if X is an iterable. Else `whole` is their source, and null if it is one. */
export class RowStream {
  #iterator;
  #nFeatures;
  #source; // the rows that came last
  #next = 0; // the next row of #source
  #items = 0;
  #isWaiting = false;
  #ended = false;

  constructor(X, nFeatures) {
    this.#nFeatures = nFeatures;
    this.#iterator = iteratorOf(X);
    this.whole = this.#iterator ? null : rowSource(X, nFeatures, "X");
  }

  /** Returns the next rows, at most `most` of them, as a source of copies. Returns null at the end. */
  async take(most) {
    const rows = [];
    while (rows.length < most && await this.#hasRow()) rows.push(this.#source.copy(this.#next++));
    return rows.length === 0 ? null : joinRows(rows, this.#nFeatures, "X");
  }

  /** Tells the iterable that no more rows are wanted. */
  async close() {
    if (this.#ended) return;
    this.#ended = true;
    const closed = this.#iterator?.return?.();
    if (!this.#isWaiting) await closed;
    else closed?.catch?.(() => {}); // a generator that is at work ends when it gives its next item, if ever
  }

  /** Reports whether there is another row, and waits for it. */
  async #hasRow() {
    while (!this.#ended && !(this.#next < this.#source?.rows)) {
      const item = await this.#nextItem();
      if (this.#ended) return false;
      this.#source = itemSource(item, this.#nFeatures, `X[${this.#items++}]`);
      this.#next = 0;
    }
    return !this.#ended;
  }

  async #nextItem() {
    this.#isWaiting = true;
    try {
      const { done, value } = await this.#iterator.next();
      if (done) this.#ended = true;
      return await value;
    } catch (error) {
      this.#ended = true;
      throw error;
    } finally {
      this.#isWaiting = false;
    }
  }
}

/**
 * Yields the features of a stream's rows, batch by batch. While the caller is at work with one, the next are made, as
 * many as the `call` (blocks.js) says. `transform(source, first, rows, signal)` makes the features of rows of a source
 * from `first` on. With `reuse` the memory of batches that the caller has done with is used again.
 */
export async function* featureBatches(stream, { transform, batchSize, signal, call, reuse }) {
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal.reason);
  let first = 0; // row of the next batch
  const make = async () => {
    const { whole } = stream, row = first, at = whole ? row : 0;
    const source = whole ?? await stream.take(batchSize);
    stop.signal.throwIfAborted();
    const rows = Math.min(batchSize, source?.rows - at);
    if (!rows) return null;
    first += rows;
    try {
      return await transform(source, at, rows, stop.signal);
    } catch (error) {
      throw error?.row === undefined ? error : moved(error, { row: row - at + error.row, rowsDone: row });
    }
  };
  const making = [];
  const begin = () => {
    const batch = orAborted(make(), stop.signal);
    batch.catch(() => {}); // it is thrown when the caller asks for this batch
    making.push(batch);
  };
  try {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", onAbort);
    while (making.length < call.ahead) begin();
    for (;;) {
      const Z = await making.shift();
      stop.signal.throwIfAborted();
      if (Z === null) return;
      begin();
      yield Z;
      if (reuse) call.spare.push(Z.buffer);
    }
  } catch (error) {
    await stream.close().catch(() => {});
    throw error;
  } finally {
    signal?.removeEventListener("abort", onAbort);
    stop.abort();
    await stream.close();
  }
}

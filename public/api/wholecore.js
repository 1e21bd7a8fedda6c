// WholeCore: the calls to a core with everything: what plans, multiplies matrices, compares sums and releases with
// noise, beside the calls of LearnCore.

import { instanceOf, pointersOf, withoutRowsDone } from "./core.js";
import { memoryError } from "./errors.js";
import { CHUNK_BYTES } from "./instance.js";
import { LearnCore, newBytes } from "./learncore.js";
import { KINDS } from "./tables.js";

const ANSWER_FIELDS = 6;

export class WholeCore extends LearnCore {
  #wasm = instanceOf(this);

  /**
   * Answers a question (params.js), about rows like the rows of `source` if it is given. Returns an array of
   * { method, nComponents, sigma, kind, microseconds, reached }; `method` is an index of METHODS.
   */
  plan(block, source, room) {
    const { rows = 0 } = source ?? {};
    const out = Math.ceil(block.length / 8) * 8;
    const sample = out + 8 * ANSWER_FIELDS * room;
    const bytes = sample + (source?.byteLength(0, rows) ?? 0);
    return this.#wasm.withBuffer(bytes, (pointer, memory) => {
      new Uint8Array(memory.buffer, pointer, block.length).set(block);
      source?.write(memory.buffer, pointer + sample, 0, rows);
      const { indptr, indices, data, nnz } = pointersOf(source ?? {}, pointer + sample, 0, rows);
      const count = this.#wasm.call("ts_plan", pointer, block.length, data, indices, indptr, rows, nnz, pointer + out,
        room);
      if (count === 0) throw this.#wasm.lastError(rows === 0 ? undefined : 0);
      const numbers = new Float64Array(memory.buffer, pointer + out, ANSWER_FIELDS * Math.min(count, room));
      return Array.from({ length: numbers.length / ANSWER_FIELDS }, (_, a) => {
        const [method, nComponents, sigma, kind, microseconds, reached] =
          numbers.subarray(ANSWER_FIELDS * a, ANSWER_FIELDS * (a + 1));
        return { method, nComponents, sigma, kind: KINDS[kind], microseconds, reached: reached === 1 };
      });
    });
  }

  /** Makes a sketch of A·B (A is m × k, B is k × n) from a block (params.js). It is lost when the instance ends. */
  newProduct(block, A, B, { m, n, k }) {
    const run = this.#wasm.living();
    const product = { run, handle: this.create("ts_product_new", block) };
    try {
      this.#multiply(product, A, B, m, n, k);
    } catch (error) {
      this.freeMap(product);
      throw error;
    }
    return product;
  }

  /** Returns the estimate of entry (i, j) and the standard deviation of one sketch's estimate. */
  entry(product, i, j) {
    const [value, sigma] = this.#wasm.numbers(2, "ts_product_entry", this.#livingProduct(product), i, j);
    return { value, sigma };
  }

  largest(product, count) {
    const handle = this.#livingProduct(product);
    return this.#wasm.withBuffer(24 * count, (pointer, memory) => {
      this.#wasm.ask("ts_product_largest", handle, count, pointer);
      const found = new Float64Array(memory.buffer, pointer, 3 * count);
      return Array.from({ length: count }, (_, e) => ({ i: found[3 * e], j: found[3 * e + 1],
        value: found[3 * e + 2] }));
    });
  }

  /** Returns the components needed for subspaces of k dimensions, or for products of two matrices if k = 0. */
  dimension(k, degree, epsilon, delta) {
    return this.#wasm.numbers(1, "ts_dimension", k, degree, epsilon, delta)[0];
  }

  /**
   * Begins a fit to words that releaseMoments gave. `view` has the block of the moments without folds; `release` is
   * { epsilon, delta, rows } of the release.
   */
  beginReleased(view, words, { epsilon, delta, rows }) {
    return this.begin([view], ([sums]) => this.#wasm.withBytes(words, (at, bytes) =>
      this.#wasm.call("ts_released_fit", sums, epsilon, delta, rows, at, bytes / 8)));
  }

  /**
   * Begins a two-sample test, for stepRidge. Each side has the block of its moments and `words`: the words of the
   * moments, or, if the side has a `release` { epsilon, delta, rows }, the words that releaseMoments gave.
   */
  beginComparison(sides) {
    const released = sides.map(({ release, words }) => (release ? words : new Uint8Array(0)));
    const head = 80; // bytes of the fields of ts_compare_new
    return this.begin(sides, (handles) => {
      sides.forEach(({ release, words }, i) => release || this.setWords(handles[i], words));
      return this.#wasm.withBuffer(head + released[0].length + released[1].length, (pointer, memory) => {
        const places = [pointer + head, pointer + head + released[0].length];
        new Float64Array(memory.buffer, pointer, head / 8).set(sides.flatMap(({ release }, i) => (release
          ? [release.epsilon, release.delta, release.rows, places[i], released[i].length / 8] : [0, 0, 0, 0, 0])));
        released.forEach((words, i) => new Uint8Array(memory.buffer, places[i], words.length).set(words));
        return this.#wasm.call("ts_compare_new", ...handles, pointer);
      });
    });
  }

  /** Returns the norm to which features of rows within a radius are clipped. NaN means that no radius is given. */
  privateBound(map, radius) {
    return this.#wasm.numbers(1, "ts_private_bound", this.handle(map), radius)[0];
  }

  /** Returns the σ of the noise in each component of a released row, and the σ of continuous noise. */
  noiseSigmas({ epsilon, delta, bound }) {
    const [sigma, continuous] = this.#wasm.numbers(2, "ts_mechanism", epsilon, delta, bound);
    return { sigma, continuous };
  }

  /** Returns the ε spent and the ε left of a budget, at its δ. */
  ledger({ epsilon, delta, rho }) {
    const [spent, left] = this.#wasm.numbers(2, "ts_ledger", epsilon, delta, rho);
    return { spent, left };
  }

  /** Returns the ρ spent of a budget after one more release. It throws if the release exceeds the budget. */
  charge({ epsilon, delta, rho, count }, release) {
    return this.#wasm.numbers(1, "ts_charge", epsilon, delta, rho, count, release.epsilon, release.delta,
      release.kind === "moments" ? NaN : release.bound)[0];
  }

  /**
   * Calls `use` with the σ of the noise in released sums, and a function that makes the release: it returns the bytes
   * of `length` words with noise.
   */
  releaseMoments(view, words, length, { epsilon, delta, rows }, use) {
    return this.withWords([view], [words.length], words, (sums) => {
      const args = [sums.handles[0], epsilon, delta, rows];
      const ask = (...out) => this.#wasm.numbers(1, "ts_moments_release", ...args, ...out);
      const [sigma] = ask(0, 0);
      return use(sigma, () => {
        const noisy = newBytes(8 * length);
        return this.#wasm.withBuffer(noisy.length, (pointer, memory) => {
          ask(pointer, length);
          noisy.set(new Uint8Array(memory.buffer, pointer, noisy.length));
          return noisy;
        });
      });
    });
  }

  /** Adds noise to rows of features in place. */
  privatize({ epsilon, delta, bound }, nComponents, Z) {
    this.eachPart(nComponents, Z, (pointer, row, rows, memory) => {
      const status = this.#wasm.call("ts_privatize", epsilon, delta, bound, pointer, rows, nComponents);
      if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
      Z.set(new Float32Array(memory.buffer, pointer, rows * nComponents), row * nComponents);
    });
  }

  /** Adds the features of all rows of the source to a mean (privacy.js). */
  addRowsToMean(map, source, mean) {
    this.#addToMean(mean, (add) => this.eachBlock(map, source, add));
  }

  /** Does the same as addRowsToMean for rows that already are features. */
  addFeaturesToMean(Z, mean) {
    this.#addToMean(mean, (add) => this.eachPart(mean.sums.length, Z, add));
  }

  /** Returns the mean with noise. */
  releaseMean(mean) {
    const n = mean.sums.length;
    return this.#wasm.withBuffer(12 * n, (sums, memory) => {
      const out = sums + 8 * n;
      new BigInt64Array(memory.buffer, sums, n).set(mean.sums);
      this.#wasm.ask("ts_mean_release", ...meanArguments(mean, sums, mean.added), out);
      return new Float32Array(memory.buffer, out, n).slice();
    });
  }

  /** Returns the standard deviations of an estimate from noisy rows of n numbers, or of the best n if n is 0. */
  tradeoff(map, x, y, length, sigmaX, sigmaY, n) {
    const [nComponents, sketch, noise, both] = this.pair("ts_tradeoff", map, x, y, length, sigmaX, sigmaY, n);
    return { nComponents, sketch, noise, both };
  }

  #livingProduct({ handle, run }) {
    if (run === this.#wasm.living()) return handle;
    throw memoryError("the WebAssembly instance of this compressed product ended, and the " +
      "product with it: make it again");
  }

  /** Adds A·B to a product. Each step takes as many columns of A and rows of B as fit a chunk. */
  #multiply({ handle }, A, B, m, n, k) {
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (4 * (m + n))));
    for (let from = 0; from < k; from += most) {
      const count = Math.min(most, k - from);
      this.#wasm.withBuffer(4 * count * (m + n), (pointer, memory) => {
        const columns = new Float32Array(memory.buffer, pointer, m * count);
        for (let i = 0; i < m; i++) columns.set(A.subarray(i * k + from, i * k + from + count), i * count);
        const rows = pointer + columns.byteLength;
        new Float32Array(memory.buffer, rows, n * count).set(B.subarray(from * n, (from + count) * n));
        const status = this.#wasm.call("ts_product_add", handle, pointer, rows, count);
        if (status !== 0) throw this.#wasm.error(status, from);
      });
    }
  }

  /**
   * Calls `use` with a function that adds rows of features in memory to the sums of a mean. An error leaves the sums
   * unchanged.
   */
  #addToMean(mean, use) {
    const { sums, added } = mean;
    this.#wasm.withBuffer(sums.byteLength, (pointer, memory) => {
      new BigInt64Array(memory.buffer, pointer, sums.length).set(sums);
      use((z, row, rows) => {
        const status = this.#wasm.call("ts_mean_add", ...meanArguments(mean, pointer, added + row), z, rows);
        if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
      });
      sums.set(new BigInt64Array(memory.buffer, pointer, sums.length));
    });
  }
}

/** Returns the first arguments of ts_mean_add and ts_mean_release. */
function meanArguments({ mechanism: { epsilon, delta, bound }, sums, rows }, pointer, added) {
  return [epsilon, delta, bound, pointer, sums.length, rows, added];
}

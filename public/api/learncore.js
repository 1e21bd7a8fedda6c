// LearnCore: the calls to a core that learns, beside the calls of Core for maps: sums, fits, the search, predictions.
// They are all calls that the core of tensorsketch/learn has (parts_by_tinygo in build.sh).

import { allocate } from "./buffers.js";
import { Core, instanceOf, pointersOf, withoutRowsDone } from "./core.js";
import { memoryError, TensorSketchError } from "./errors.js";
import { GoProgram } from "./gojs.js";
import { CHUNK_BYTES } from "./instance.js";

const SEARCH_CHOSEN = 0.9; // the share of a search beyond which the choice is made (wasm/search.go)

export class LearnCore extends Core {
  #wasm = instanceOf(this);

  /** `module` is the compiled file of a build (wasmfile.js) that learns. */
  constructor(module, maxMemory) {
    super(module, maxMemory, GoProgram);
    if (this.#wasm.living().exports.ts_ridge_new) return;
    throw new TensorSketchError("ERR_LOAD", "the file is the core of tensorsketch/map, which does not learn: give " +
      'the content of tensorsketch.wasm, or import load from "tensorsketch/map"');
  }

  /** Gives a map that the core has made anew its preparation and its head, where it has them. */
  attach(map) {
    if (map.preparation) this.#prepare(map);
    if (map.head) map.headHandle = this.create("ts_head_new", map.head.block, map.handle);
  }

  /** Returns the largest squared length of the rows of a source, or `largest` if that is larger. */
  largestSquare(source, largest = 0) {
    for (let row = 0; row < source.rows; ) {
      const rows = source.take(row, source.rows - row, CHUNK_BYTES, 1);
      largest = this.#wasm.withBuffer(source.byteLength(row, rows) + 8, (out, memory) => {
        source.write(memory.buffer, out + 8, row, rows);
        const { indptr, indices, data, nnz } = pointersOf(source, out + 8, row, rows);
        const status = this.#wasm.call("ts_largest_square", data, indices, indptr, rows, nnz, source.nFeatures, largest,
          out);
        if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
        return new Float64Array(memory.buffer, out, 1)[0];
      });
      row += rows;
    }
    return largest;
  }

  /**
   * Returns how many cells a map's preparation cuts of the rows of a source, and the largest squared length of a
   * prepared row: { cut, largestSquare }. Rows with weight 0 have no cells.
   */
  countPrepared(map, source, weights = null) {
    const handle = this.handle(map);
    const counted = { cut: 0, largestSquare: 0 };
    for (let row = 0; row < source.rows; ) {
      const rows = source.take(row, source.rows - row, CHUNK_BYTES, 1);
      const at = 16 + 8 * Math.ceil(rows / 8);
      this.#wasm.withBuffer(at + source.byteLength(row, rows), (out, memory) => {
        source.write(memory.buffer, out + at, row, rows);
        if (weights) new Uint8Array(memory.buffer, out + 16, rows).set(weights.subarray(row, row + rows));
        const { indptr, indices, data, nnz } = pointersOf(source, out + at, row, rows);
        const status = this.#wasm.call("ts_map_prepared", handle, data, indices, indptr, rows, nnz,
          weights ? out + 16 : 0, out);
        if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
        const [cut, largest] = new Float64Array(this.#wasm.memory.buffer, out, 2);
        counted.cut += cut;
        counted.largestSquare = Math.max(counted.largestSquare, largest);
      });
      row += rows;
    }
    return counted;
  }

  /** Returns the block of the preparation of a form for the dense rows of a source, of so many bytes at most. */
  newPreparation(form, source, most) {
    const rowBytes = 8 * Math.ceil(source.byteLength(0, source.rows) / 8);
    return this.#wasm.withBuffer(most + rowBytes, (pointer, memory) => {
      source.write(memory.buffer, pointer + most, 0, source.rows);
      const bytes = this.#wasm.call("ts_preparation", form, pointer + most, source.rows, source.nFeatures, pointer,
        most);
      if (bytes === 0) throw withoutRowsDone(this.#wasm.lastError(0));
      return new Uint8Array(this.#wasm.memory.buffer, pointer, bytes).slice();
    });
  }

  /** Returns a length that no row which a map has prepared exceeds, or 0 where there may be any. */
  preparedRadius(map) {
    return this.#wasm.numbers(1, "ts_map_radius", this.handle(map))[0];
  }

  /** Returns the radius of rows with this largest squared length. */
  radius(largestSquare) {
    return this.#wasm.numbers(1, "ts_radius", largestSquare)[0];
  }

  /** Returns the range of targets. */
  targetRange(y) {
    return this.#wasm.withBuffer(y.byteLength + 16, (pointer, memory) => {
      new Float64Array(memory.buffer, pointer + 16, y.length).set(y);
      this.#wasm.ask("ts_target_range", pointer + 16, y.length, pointer);
      return [...new Float64Array(memory.buffer, pointer, 2)];
    });
  }

  /** Returns the step of the grid of a map's features, for rows within a radius: of 16 bits, or else of 2^12. */
  gridStep(map, radius, is16) {
    return this.#wasm.numbers(1, "ts_grid_step", this.handle(map), radius, Number(is16))[0];
  }

  /**
   * Returns the grid { step, finer } of a map's features: `finer` are bytes, one for each or none. It looks at the rows
   * of the source from … to − 1 for each of `ranges`, [from, to].
   */
  grid(map, source, ranges) {
    const { nComponents } = map;
    this.#wasm.ask("ts_grid_begin", nComponents);
    for (const [from, to] of ranges) {
      this.eachBlock(map, source, (z, row, rows) => this.#wasm.ask("ts_grid_add", z, rows), from, to);
    }
    return this.#wasm.withBuffer(16 + nComponents, (out, memory) => {
      this.#wasm.ask("ts_grid_end", out);
      const [step, length] = new Float64Array(memory.buffer, out, 2);
      return { step, finer: new Uint8Array(memory.buffer, out + 16, length).slice() };
    });
  }

  /**
   * Makes sums of no rows. Each of `views` is { map, block }: the map of its features, or null for the rows themselves,
   * and the block of its moments (learner.js). The sums are lost when the instance ends.
   */
  newSums(views) {
    const sums = { run: this.#wasm.living(), views, handles: [] };
    try {
      for (const { block } of views) sums.handles.push(this.create("ts_moments_new", block));
    } catch (error) {
      this.freeSums(sums);
      throw error;
    }
    return sums;
  }

  /** Reports whether the instance of sums lives on. */
  livesOn({ run }) {
    return this.#wasm.isLiving(run);
  }

  freeSums({ run, handles }) {
    if (this.#wasm.isLiving(run)) for (const handle of handles.splice(0)) this.#wasm.call("ts_map_free", handle);
  }

  /**
   * Adds rows `start` to `end` − 1 of the source to sums. `labels` is { values, each, weights }: `each` int32 classes
   * or float64 targets for a row, and bytes 0 or 1, or null for all 1.
   */
  addToSums(sums, source, labels, start = 0, end = source.rows) {
    this.#livingSums(sums);
    const [features, ...others] = sums.views.map(({ map }, i) => ({ map, handle: sums.handles[i] }));
    const isDirect = !source.sparse && !features.map.preparation; // the rows are the rows of the others too
    this.eachBlock(features.map, source, (z, row, rows, x) => {
      this.#addMoments(features.handle, z, row, rows, labels);
      for (const { handle } of isDirect ? others : []) this.#addMoments(handle, x, row, rows, labels);
    }, start, end);
    for (const { map, handle } of isDirect ? [] : others) {
      this.eachBlock(map, source, (z, row, rows) => this.#addMoments(handle, z, row, rows, labels), start, end);
    }
  }

  /** Adds rows that already are features to sums of one view. */
  addFeaturesToSums(sums, nComponents, Z, labels) {
    this.#livingSums(sums);
    this.eachPart(nComponents, Z, (z, row, rows) => this.#addMoments(sums.handles[0], z, row, rows, labels));
  }

  /** Returns the words of sums, one view after another, then the kept rows of the first, and frees the sums. */
  takeSums(sums) {
    try {
      return this.readSums(sums);
    } finally {
      this.freeSums(sums);
    }
  }

  /** As takeSums, without freeing the sums. With `clears` they then have no rows. */
  readSums(sums, clears = false) {
    this.#livingSums(sums);
    const sizes = sums.handles.map((handle) => 8 * this.#wasm.call("ts_moments_size", handle));
    const kept = this.#wasm.written(Uint8Array, "ts_moments_kept", sums.handles[0]);
    const words = newBytes(sizes.reduce((a, b) => a + b) + kept.length);
    words.set(kept, words.length - kept.length);
    let at = 0;
    sums.handles.forEach((handle, i) => {
      for (let from = 0; from < sizes[i]; from += CHUNK_BYTES) {
        const bytes = Math.min(CHUNK_BYTES, sizes[i] - from);
        this.#wasm.withBuffer(bytes, (pointer, memory) => {
          this.#wasm.ask("ts_moments_read", handle, from / 8, bytes / 8, pointer);
          words.set(new Uint8Array(memory.buffer, pointer, bytes), at + from);
        });
      }
      at += sizes[i];
      if (clears) this.#wasm.ask("ts_moments_clear", handle);
    });
    return words;
  }

  /**
   * Returns the kept rows of two sums together, as bytes, or none where one has rows that are not known. `shape` is
   * { keep, width, each } of the moments.
   */
  mergeKept({ keep, width, each }, one, other) {
    const bytes = one.length + other.length;
    return this.#wasm.withBuffer(2 * bytes + 8, (pointer, memory) => {
      const [a, b, out] = [pointer, pointer + one.length, pointer + bytes];
      new Uint8Array(memory.buffer, a, one.length).set(one);
      new Uint8Array(memory.buffer, b, other.length).set(other);
      const length = this.#wasm.call("ts_kept_merge", keep, width, each, a, one.length, b, other.length, out);
      return new Uint8Array(memory.buffer, out, length).slice();
    });
  }

  /** Adds the words of sums to others of the same views, integer by integer. */
  addWords(words, more) {
    const most = Math.min(words.length, CHUNK_BYTES / 2);
    this.#wasm.withBuffer(2 * most, (pointer, memory) => { // once, so that words change only if there is memory
      for (let from = 0; from < words.length; from += most) {
        const to = words.subarray(from, from + most);
        new Uint8Array(memory.buffer, pointer, to.length).set(to);
        new Uint8Array(memory.buffer, pointer + most, to.length).set(more.subarray(from, from + to.length));
        this.#wasm.ask("ts_words_add", pointer, pointer + most, to.length / 8);
        to.set(new Uint8Array(memory.buffer, pointer, to.length));
      }
    });
  }

  /** Checks that words, then kept rows, can be sums. `sizes` has the bytes of each view. */
  checkWords(views, sizes, words) {
    this.withWords(views, sizes, words, () => {});
  }

  /** Returns the words of sums with other words added or, with `subtract`, taken away. */
  mergeWords(views, sizes, words, others, subtract) {
    return this.withWords(views, sizes, words, (sums) => {
      this.withWords(views, sizes, others, (more) => {
        sums.handles.forEach((handle, i) =>
          this.#wasm.ask("ts_moments_merge", handle, more.handles[i], Number(subtract)));
      });
      return this.takeSums(sums);
    });
  }

  /**
   * Begins a fit to the words of a view. The result is for stepRidge. `options` is { alpha, low, high, count,
   * intercept }.
   */
  beginRidge(view, words, { alpha = 0, low = 0, high = 0, count = 0, intercept = true }) {
    return this.begin([view], ([sums]) => {
      this.setWords(sums, words);
      return this.#wasm.call("ts_ridge_new", sums, alpha, low, high, count, Number(intercept));
    });
  }

  /** Begins work on the sums of views, for stepRidge. `make` gets their handles and returns the handle of the work. */
  begin(views, make) {
    const sums = this.newSums(views);
    try {
      const handle = make(sums.handles);
      if (handle === 0) throw this.#wasm.lastError();
      sums.handles.push(handle);
      return sums;
    } catch (error) {
      this.freeSums(sums);
      throw error;
    }
  }

  /** Does some milliseconds of a fit. Returns how much of it is done, from 0 to 1, and 2 after the last step. */
  stepRidge(fit) {
    this.#livingSums(fit);
    const [done, ...folds] = this.#wasm.numbers(4, "ts_ridge_step", fit.handles.at(-1));
    fit.folds = folds;
    return done;
  }

  /**
   * Returns what a fit knows of its folds after a step, as an array of the core's numbers for each: the first is 0
   * until the fold is held out. A fold that has the numbers of another fit to the same words is left out.
   */
  foldsOf({ run, folds: [at, length, count] }) {
    const size = length / count;
    return Array.from({ length: length > 0 ? count : 0 }, (_, i) =>
      new Float64Array(run.memory.buffer, at + 8 * size * i, size));
  }

  /** Returns the result of a fit as bytes (wasm/learn.go), and frees the fit. */
  takeRidge(fit) {
    this.#livingSums(fit);
    try {
      return this.#wasm.written(Uint8Array, "ts_ridge_result", fit.handles.at(-1));
    } finally {
      this.freeSums(fit);
    }
  }

  /**
   * Fits what predicts classes or targets to all rows of the source, in passes over them. Returns the result as bytes,
   * as takeRidge does. `block` is of ts_rows_fit; `labels` are as for addToSums; `view` with its `words`, or null, are
   * the moments of the same rows.
   */
  fitInPasses(map, block, source, labels, view, words, onProgress) {
    const handle = this.handle(map);
    const { values, weights } = labels;
    const at = placesOf({ block: block.length, rows: source.byteLength(0, source.rows), labels: values.byteLength,
      weights: source.rows });
    const sums = view ? this.newSums([view]) : { run: this.#wasm.living(), handles: [] };
    try {
      if (view) this.setWords(sums.handles[0], words);
      return this.#wasm.withBuffer(at.all, (pointer, memory) => {
        new Uint8Array(memory.buffer, pointer, block.length).set(block);
        source.write(memory.buffer, pointer + at.rows, 0, source.rows);
        new values.constructor(memory.buffer, pointer + at.labels, values.length).set(values);
        if (weights) new Uint8Array(memory.buffer, pointer + at.weights, source.rows).set(weights);
        const { indptr, indices, data, nnz } = pointersOf(source, pointer + at.rows, 0, source.rows);
        sums.run.program.onProgress = onProgress;
        const fit = this.#wasm.call("ts_rows_fit", handle, sums.handles[0] ?? 0, pointer, block.length, data, indices,
          indptr, source.rows, nnz, pointer + at.labels, weights ? pointer + at.weights : 0);
        if (fit === 0) throw withoutRowsDone(this.#wasm.lastError(0));
        sums.handles[1] = fit;
        if (!sums.handles[0]) sums.handles[0] = fit;
        return this.takeRidge(sums);
      });
    } finally {
      sums.run.program.onProgress = undefined;
      sums.handles = [...new Set(sums.handles)];
      this.freeSums(sums);
    }
  }

  /**
   * Searches among the rows of a source with their labels, int32 classes or float64 targets. `block` is of
   * ts_search_new. Yields how much is done, from 0 to 1, and returns the result as bytes (wasm/search.go). Before rows
   * are predicted that no choice has seen, `onChosen` gets how much is done, and the result without them.
   */
  *search(block, source, values, onChosen) {
    const at = placesOf({ block: block.length, rows: source.byteLength(0, source.rows), labels: values.byteLength });
    const run = this.#wasm.living();
    const pointer = this.#wasm.buffer(at.all);
    let handle = 0;
    try {
      const { buffer } = run.memory;
      new Uint8Array(buffer, pointer, block.length).set(block);
      source.write(buffer, pointer + at.rows, 0, source.rows);
      new values.constructor(buffer, pointer + at.labels, values.length).set(values);
      const { indptr, indices, data, nnz } = pointersOf(source, pointer + at.rows, 0, source.rows);
      handle = this.#wasm.call("ts_search_new", pointer, block.length, data, indices, indptr, source.rows, nnz,
        source.nFeatures, pointer + at.labels);
      if (handle === 0) throw withoutRowsDone(this.#wasm.lastError(0));
      for (;;) {
        const [done] = this.#wasm.numbers(1, "ts_search_step", handle);
        if (done === 2) return this.#wasm.written(Uint8Array, "ts_search_result", handle);
        if (done > SEARCH_CHOSEN) onChosen?.(done, this.#wasm.written(Uint8Array, "ts_search_result", handle));
        yield done;
        if (!this.#wasm.isLiving(run)) throw memoryError("the core ended while it searched: give fewer rows");
      }
    } finally {
      if (this.#wasm.isLiving(run)) {
        if (handle !== 0) this.#wasm.call("ts_map_free", handle);
        this.#wasm.call("ts_free", pointer);
      }
    }
  }

  /**
   * Writes what a map with a head predicts for rows `start` to `end` − 1 of the source: `want` is "scores",
   * "probabilities" or "classes". `out` has outputs float64 for each row, or int32 for "classes". With `truth`, the
   * int32 classes of the rows, `losses` gets a float64 for each.
   */
  predict(map, source, want, out, { truth, losses, start = 0, end = source.rows } = {}) {
    const each = want === "classes" ? 1 : map.head.outputs;
    this.eachBlock(map, source, (z, row, rows) => {
      const at = row - start;
      const scoreBytes = 8 * rows * map.head.outputs;
      const classBytes = 8 * Math.ceil(rows / 2);
      this.#wasm.withBuffer(scoreBytes + (want === "classes" ? 2 * classBytes + 8 * rows : 0), (scores, memory) => {
        this.#wasm.ask("ts_head_scores", map.headHandle, z, rows, scores);
        if (want !== "classes") {
          if (want === "probabilities") this.#wasm.ask("ts_head_probabilities", map.headHandle, scores, rows);
          out.set(new Float64Array(memory.buffer, scores, each * rows), each * at);
          return;
        }
        const classes = scores + scoreBytes;
        const known = classes + classBytes;
        if (truth) new Int32Array(memory.buffer, known, rows).set(truth.subarray(at, at + rows));
        this.#wasm.ask("ts_head_classes", map.headHandle, scores, rows, classes, losses ? known : 0,
          losses ? known + classBytes : 0);
        out.set(new Int32Array(memory.buffer, classes, rows), at);
        losses?.set(new Float64Array(memory.buffer, known + classBytes, rows), at);
      });
    }, start, end);
  }

  /** Returns the metrics of predicted classes (wasm/head.go), as numbers. `losses` may be null. */
  classMetrics(outputs, truth, predicted, losses) {
    const n = truth.length;
    const classBytes = 8 * Math.ceil(n / 2);
    const results = 6 + 2 * outputs + outputs ** 2;
    return this.#wasm.withBuffer(2 * classBytes + 8 * (n + results), (pointer, memory) => {
      const [found, loss] = [pointer + classBytes, pointer + 2 * classBytes];
      new Int32Array(memory.buffer, pointer, n).set(truth);
      new Int32Array(memory.buffer, found, n).set(predicted);
      if (losses) new Float64Array(memory.buffer, loss, n).set(losses);
      this.#wasm.ask("ts_class_metrics", outputs, pointer, found, losses ? loss : 0, n, loss + 8 * n);
      return new Float64Array(memory.buffer, loss + 8 * n, results).slice();
    });
  }

  /** Returns R², RMSE and MAE of predicted targets, each with its interval: nine numbers for each target. */
  targetMetrics(targets, truth, predicted) {
    const bytes = truth.byteLength;
    return this.#wasm.withBuffer(2 * bytes + 72 * targets, (pointer, memory) => {
      new Float64Array(memory.buffer, pointer, truth.length).set(truth);
      new Float64Array(memory.buffer, pointer + bytes, truth.length).set(predicted);
      const out = pointer + 2 * bytes;
      this.#wasm.ask("ts_target_metrics", targets, pointer, pointer + bytes, truth.length / targets, out);
      return new Float64Array(memory.buffer, out, 9 * targets).slice();
    });
  }

  #prepare({ handle, preparation: { block } }) {
    this.#wasm.withBytes(block, (...at) => this.#wasm.ask("ts_map_prepare", handle, ...at));
  }

  #livingSums({ run }) {
    if (run !== this.#wasm.living()) {
      throw memoryError("the WebAssembly instance of these sums ended, and the call with it: call it again");
    }
  }

  #withSums(views, use) {
    const sums = this.newSums(views);
    try {
      return use(sums);
    } finally {
      this.freeSums(sums);
    }
  }

  /** Calls `use` with sums of views that have these words, then kept rows. `sizes` has the bytes of each view. */
  withWords(views, sizes, words, use) {
    return this.#withSums(views, (sums) => {
      let at = 0;
      sums.handles.forEach((handle, i) => this.setWords(handle, words.subarray(at, (at += sizes[i]))));
      this.#setKept(sums.handles[0], words.subarray(at));
      return use(sums);
    });
  }

  /** Sets the words of moments, which kept rows may follow. */
  setWords(handle, words) {
    const size = 8 * this.#wasm.call("ts_moments_size", handle);
    this.#wasm.withBytes(words.subarray(0, size), (at) => this.#wasm.ask("ts_moments_set", handle, at, size / 8));
    this.#setKept(handle, words.subarray(size));
  }

  #setKept(handle, kept) {
    if (kept.length === 0) return;
    this.#wasm.withBytes(kept, (...at) => this.#wasm.ask("ts_moments_set_kept", handle, ...at));
  }

  /** Adds rows in memory to moments. The first is `row` of the call. */
  #addMoments(handle, z, row, rows, { values, each, weights }) {
    const targets = values?.subarray(row * each, (row + rows) * each);
    const bytes = targets ? 8 * Math.ceil(targets.byteLength / 8) : 0;
    this.#wasm.withBuffer(bytes + rows, (pointer, memory) => {
      if (targets) new targets.constructor(memory.buffer, pointer, targets.length).set(targets);
      if (weights) new Uint8Array(memory.buffer, pointer + bytes, rows).set(weights.subarray(row, row + rows));
      const status = this.#wasm.call("ts_moments_add", handle, z, rows, pointer, weights ? pointer + bytes : 0);
      if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
    });
  }

  /** Does the same as eachBlock for rows that already are features, copied into memory. */
  eachPart(nComponents, Z, use) {
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (4 * nComponents)));
    for (let row = 0; row * nComponents < Z.length; row += most) {
      const part = Z.subarray(row * nComponents, (row + most) * nComponents);
      this.#wasm.withBuffer(part.byteLength, (pointer, memory) => {
        new Float32Array(memory.buffer, pointer, part.length).set(part);
        use(pointer, row, part.length / nComponents, memory);
      });
    }
  }
}

/** Allocates bytes for words. */
export function newBytes(bytes) {
  return allocate(Uint8Array, bytes,
    `sums of products need ${bytes} bytes, more than this engine can allocate: lower nComponents`);
}

/** Returns where parts of so many bytes begin, one after another and 8-aligned, and the length of all. */
export function placesOf(sizes) {
  const places = {};
  let at = 0;
  for (const [name, bytes] of Object.entries(sizes)) {
    places[name] = at;
    at += Math.ceil(bytes / 8) * 8;
  }
  return { ...places, all: at };
}

// Core: the calls from JavaScript to the compiled core for maps, used by the main thread and by each worker. Each block
// of rows crosses into WebAssembly once. If the instance ends (instance.js), each map is made again from its parameter
// block when it is next used. learncore.js and wholecore.js have the other calls.

import { wholeLanes } from "./denserows.js";
import { memoryError } from "./errors.js";
import { CHUNK_BYTES, Instance } from "./instance.js";
import { Program } from "./program.js";
import { KINDS } from "./tables.js";
import { writeVector } from "./rows.js";

/** Returns the instance of a core, for the class that extends it. */
export let instanceOf;

export class Core {
  static {
    instanceOf = (core) => core.#wasm;
  }

  #wasm;

  /** `module` is the compiled file of a build (wasmfile.js). */
  constructor(module, maxMemory, How = Program) {
    this.#wasm = new Instance(module, maxMemory, How);
    this.lanes = this.#wasm.call("ts_lanes");
    this.compiler = this.#wasm.compiler;
  }

  /**
   * Makes a map from a parameter block (params.js). Its output rows have nComponents numbers. `fit` is what the map was
   * fitted to, if it was: landmarks as float32, or the projection of k-Space as float64. `head` is { block, outputs }
   * of what predicts from its features (head.js), if there is one, and `preparation` makes its rows of those that it is
   * given (preparation.js). The other methods take the result as `map`.
   */
  newMap(block, nComponents, fit, head = null, preparation = null) {
    const map = { block, nComponents, fit, head, preparation, handle: 0, headHandle: 0, run: null, row: null };
    this.handle(map);
    return map;
  }

  /** Returns the degree and the method's parameters as bytes, with defaults filled in (withResolved in params.js). */
  resolvedParams(map) {
    return this.#wasm.written(Uint8Array, "ts_map_params", this.handle(map));
  }

  /**
   * Returns the indices of the rows that a map should be fitted to, out of n, or out of the source by what they are; or
   * without either the signs of features.
   */
  landmarkRows(map, n, source) {
    const handle = this.handle(map), size = 4 * map.nComponents;
    return this.#wasm.withBuffer(size + (source ? source.byteLength(0, n) : 0), (pointer, memory) => {
      if (source) {
        source.write(memory.buffer, pointer + size, 0, n);
        const { indptr, indices, data, nnz } = pointersOf(source, pointer + size, 0, n);
        this.#wasm.ask("ts_pivoted_rows", handle, data, indices, indptr, n, nnz, pointer);
      } else if (n >= 0) this.#wasm.ask("ts_landmark_rows", handle, n, pointer);
      else this.#wasm.ask("ts_signs", handle, pointer);
      return new (n ? Int32Array : Float32Array)(memory.buffer, pointer, map.nComponents).slice();
    });
  }

  /** Returns a fitter of a k-Space map. A radius of 0 means that the norms of rows are measured. */
  newFitter(map, radius) {
    const handle = this.#wasm.call("ts_fit_new", this.handle(map), radius);
    if (handle === 0) throw this.#wasm.lastError();
    return { map, handle, run: this.#wasm.living() };
  }

  /** Adds all rows of the source to a fitter. Step 1 only measures the rows, and step 2 checks them. */
  fitRows(fitter, source, step = 0) {
    for (let row = 0; row < source.rows; ) {
      try {
        const rows = source.take(row, source.rows - row, CHUNK_BYTES, 1);
        const base = this.#wasm.staged(source.byteLength(row, rows), row);
        source.write(this.#wasm.memory.buffer, base, row, rows);
        const handle = this.#livingFitter(fitter);
        let status;
        if (source.sparse) {
          const { indptr, indices, data, nnz } = pointersOf(source, base, row, rows);
          status = this.#wasm.call("ts_fit_csr", handle, step, indptr, indices, data, rows, nnz);
        } else {
          status = this.#wasm.call("ts_fit_rows", handle, step, base, rows);
        }
        if (status !== 0) throw withoutRowsDone(this.#wasm.error(status, row));
        row += rows;
      } finally {
        this.#wasm.trim();
      }
    }
  }

  /** Does some milliseconds of a fit to the rows added so far. Returns which part is done, and whether it is all. */
  stepFit(fitter) {
    const [done, finished] = this.#wasm.numbers(2, "ts_fit_step", this.#livingFitter(fitter));
    return { done, finished: finished === 1 };
  }

  /** Returns the projection of a fitter's map after the last step of a fit. */
  projection(fitter) {
    this.#livingFitter(fitter);
    return this.#wasm.written(Float64Array, "ts_projection", fitter.map.handle);
  }

  freeFitter({ handle, run }) {
    if (this.#wasm.isLiving(run)) this.#wasm.call("ts_map_free", handle);
  }

  freeMap(map) {
    for (const handle of [map.handle, map.headHandle]) {
      if (handle && this.#wasm.isLiving(map.run)) this.#wasm.call("ts_map_free", handle);
    }
    map.handle = 0;
    map.headHandle = 0;
  }

  /** Transforms a dense row if nothing is unusual about it. Returns whether it did: transform() says what is wrong. */
  transformRow(map, x, out) {
    const handle = this.handle(map), xBytes = 4 * x.length, base = this.#wasm.stage(xBytes + 4 * out.length);
    if (base === 0) return false;
    let { row } = map;
    if (row?.base !== base || row.x.length === 0) { // views have no elements once the memory has grown
      const { buffer } = this.#wasm.memory;
      row = map.row = { base, x: new Float32Array(buffer, base, x.length),
        z: new Float32Array(buffer, base + xBytes, out.length) };
    }
    row.x.set(x);
    if (this.#wasm.call("ts_transform", handle, base, 1, base + xBytes) !== 0 || row.z.length === 0) return false;
    out.set(row.z);
    return true;
  }

  /**
   * Transforms rows `start` to `end` − 1 of the source into the same rows of `out`. For a product, `sources` holds one
   * source per degree. Row numbers in errors count from the start of the whole source.
   */
  transform(map, sources, out, { product = false, start = 0, end = sources[0].rows } = {}) {
    for (let row = start; row < end; ) {
      try {
        row += this.#transformBlock(map, sources, out, product, row, end);
      } catch (error) {
        error.rowsDone ??= row;
        throw error;
      }
    }
  }

  /** Writes the inner products of the rows of A with the rows of B, of nComponents numbers each, to `out`. */
  products(A, B, nComponents, out) {
    const inputs = Math.ceil((A.byteLength + B.byteLength) / 8) * 8;
    const base = this.#wasm.staged(inputs + out.byteLength);
    try {
      const { memory } = this.#wasm;
      new Float32Array(memory.buffer, base, A.length).set(A);
      new Float32Array(memory.buffer, base + A.byteLength, B.length).set(B);
      this.#wasm.ask("ts_gram", base, A.length / nComponents, base + A.byteLength, B.length / nComponents, nComponents,
        base + inputs);
      out.set(new Float64Array(this.#wasm.memory.buffer, base + inputs, out.length));
    } finally {
      this.#wasm.trim();
    }
  }

  /** Offers estimates of rows from `first` on to a ranking (gram.js), as many for each of its queries. */
  rank(ranking, first, estimates) {
    this.#withRanking(ranking, estimates.byteLength, (args, pointer, memory) => {
      new Float64Array(memory.buffer, pointer, estimates.length).set(estimates);
      const n = estimates.length / ranking.queries;
      this.#wasm.ask("ts_rank_add", ...args, first, pointer, n);
      ranking.count += n;
    });
  }

  /** Puts the rows of a ranking in order. */
  sortRanking(ranking) {
    this.#withRanking(ranking, 0, (args) => this.#wasm.ask("ts_rank_sort", ...args));
  }

  /** Returns κ(x, y). */
  kernel(map, x, y, length) {
    return this.pair("ts_kernel", map, x, y, length)[0];
  }

  /** Returns the mean of the estimate minus κ(x, y). */
  bias(map, x, y, length) {
    return this.pair("ts_bias", map, x, y, length)[0];
  }

  missProbability(map, x, y, length, epsilon) {
    const [chebyshev, hoeffding, median] = this.pair("ts_miss", map, x, y, length, epsilon);
    return { chebyshev, hoeffding, median };
  }

  stdError(map, x, y, length) {
    const [sigma, kind] = this.pair("ts_std_error", map, x, y, length);
    return { sigma, kind: KINDS[kind] };
  }

  chooseComponents(map, x, y, length, epsilon, delta) {
    const [guaranteed, typical] = this.pair("ts_choose", map, x, y, length, epsilon, delta);
    return { guaranteed, typical };
  }

  /** Drops the instance, so that its memory can be collected. */
  dispose() {
    this.#wasm.end();
  }

  #transformBlock(map, sources, out, product, row, end) {
    try {
      const { rows, output, error } = this.#computeBlock(map, sources, product, row, end);
      const done = error ? error.rowsDone - row : rows;
      out.set(new Float32Array(this.#wasm.memory.buffer, output, done * map.nComponents), row * map.nComponents);
      if (error) throw error;
      return rows;
    } finally {
      this.#wasm.trim();
    }
  }

  /**
   * Computes the features of a block of rows from `row` on and leaves them in the staging buffer at `output`. If a row
   * is bad, `error` is set, and only the rows before it have features.
   */
  #computeBlock(map, sources, product, row, end) {
    const handle = this.handle(map);
    let rows = this.#blockRows(map, sources, row, end);
    let layout = blockLayout(map, sources, product, row, rows);
    let base = this.#wasm.stage(layout.bytes);
    if (base === 0 && rows > 1) {
      rows = 1;
      layout = blockLayout(map, sources, product, row, rows);
      base = this.#wasm.stage(layout.bytes);
    }
    if (base === 0) throw this.#wasm.noMemory(row);

    const { memory } = this.#wasm;
    sources.forEach((source, k) => source.write(memory.buffer, base + layout.inputs[k], row, rows));
    const status = product
      ? this.#callProduct(handle, sources, layout, base, row, rows)
      : this.#callSingle(handle, sources[0], layout, base, row, rows);
    return { rows, input: base + layout.inputs[0], output: base + layout.output,
      error: status === 0 ? null : this.#wasm.error(status, row) };
  }

  /** Returns the rows, in whole lanes, that fit a chunk. Each input and the output get an equal share of the chunk. */
  #blockRows(map, sources, row, end) {
    const share = CHUNK_BYTES / (sources.length + 1);
    const most = Math.min(end - row, wholeLanes(share / (4 * map.nComponents), this.lanes));
    return Math.min(...sources.map((source) => source.take(row, most, share, this.lanes)));
  }

  #callSingle(handle, source, layout, base, row, rows) {
    const input = base + layout.inputs[0];
    const output = base + layout.output;
    if (!source.sparse) return this.#wasm.call("ts_transform", handle, input, rows, output);
    const { indptr, indices, data, nnz } = pointersOf(source, input, row, rows);
    return this.#wasm.call("ts_transform_csr", handle, indptr, indices, data, rows, nnz, output);
  }

  #callProduct(handle, sources, layout, base, row, rows) {
    const records = new Int32Array(this.#wasm.memory.buffer, base, 5 * sources.length);
    sources.forEach((source, k) => {
      const { indptr, indices, data, nnz } = pointersOf(source, base + layout.inputs[k], row, rows);
      records.set([Number(source.sparse), data, indices, indptr, nnz], 5 * k);
    });
    return this.#wasm.call("ts_transform_product", handle, base, rows, base + layout.output);
  }

  /** Calls a function of two float64 vectors and returns the numbers that it writes, at most four. */
  pair(name, map, x, y, length, ...more) {
    const handle = this.handle(map);
    const base = this.#wasm.staged(16 * length + 32);
    const { memory } = this.#wasm;
    try {
      writeVector(memory.buffer, base, x, length, "x");
      writeVector(memory.buffer, base + 8 * length, y, length, "y");
      const output = base + 16 * length;
      this.#wasm.ask(name, handle, base, base + 8 * length, ...more, output);
      return [...new Float64Array(memory.buffer, output, 4)];
    } finally {
      this.#wasm.trim();
    }
  }

  /** Returns the handle of a map in the running instance. If the instance was replaced, the map is made again. */
  handle(map) {
    const run = this.#wasm.living();
    if (map.run !== run) {
      map.handle = this.create("ts_map_new", map.block);
      map.run = run;
      map.headHandle = 0;
      try {
        if (map.fit) this.#fit(map);
        this.attach?.(map);
      } catch (error) {
        this.freeMap(map);
        map.run = null;
        throw error;
      }
    }
    return map.handle;
  }

  /** Creates the object that a block describes and returns its handle. */
  create(name, block, ...args) {
    const handle = this.#wasm.withBytes(block, (...at) => this.#wasm.call(name, ...args, ...at));
    if (handle === 0) throw this.#wasm.lastError();
    return handle;
  }

  #fit({ handle, fit }) {
    const name = fit instanceof Float64Array ? "ts_set_projection" : "ts_set_landmarks";
    this.#wasm.withBuffer(fit.byteLength, (pointer, memory) => {
      new fit.constructor(memory.buffer, pointer, fit.length).set(fit);
      this.#wasm.ask(name, handle, pointer, fit.length);
    });
  }

  /** Calls `use` with the arguments of a ranking in memory and the address of further bytes, 8-aligned. */
  #withRanking({ queries, k, count, rows, estimates }, bytes, use) {
    const values = Math.ceil(rows.byteLength / 8) * 8;
    this.#wasm.withBuffer(values + estimates.byteLength + bytes, (pointer, memory) => {
      new Int32Array(memory.buffer, pointer, rows.length).set(rows);
      new Float64Array(memory.buffer, pointer + values, estimates.length).set(estimates);
      use([queries, k, count, pointer, pointer + values], pointer + values + estimates.byteLength, memory);
      rows.set(new Int32Array(memory.buffer, pointer, rows.length));
      estimates.set(new Float64Array(memory.buffer, pointer + values, estimates.length));
    });
  }

  #livingFitter({ handle, run }) {
    if (run === this.#wasm.living()) return handle;
    throw memoryError("the WebAssembly instance of this fit ended: fit again, to fewer rows");
  }

  /**
   * Computes the features of rows `start` to `end` − 1 of the source, by default of all. Calls `use` for each block
   * with the features' address, the first row, the number of rows, and the address of the rows themselves.
   */
  eachBlock(map, source, use, start = 0, end = source.rows) {
    for (let row = start; row < end; ) {
      try {
        const { rows, input, output, error } = this.#computeBlock(map, [source], false, row, end);
        if (error) throw withoutRowsDone(error);
        use(output, row, rows, input);
        row += rows;
      } finally {
        this.#wasm.trim();
      }
    }
  }
}

/** Removes rowsDone from the error of a call that does all or nothing. */
export function withoutRowsDone(error) {
  delete error.rowsDone;
  return error;
}

/** Returns the byte offsets of a block's parts in the staging buffer: product records, inputs, output. */
function blockLayout(map, sources, product, row, rows) {
  let bytes = product ? 20 * sources.length : 0;
  const inputs = sources.map((source) => {
    const offset = bytes;
    bytes += source.byteLength(row, rows);
    return offset;
  });
  const output = bytes;
  return { inputs, output, bytes: bytes + 4 * rows * map.nComponents };
}

/** Returns the addresses of the three arrays of a CSR block. Of dense rows there is `data` alone. */
export function pointersOf(source, input, row, rows) {
  if (!source.sparse) return { indptr: 0, indices: 0, data: input, nnz: 0 };
  const nnz = source.nnz(row, rows);
  const indices = input + 4 * (rows + 1);
  return { indptr: input, indices, data: indices + 4 * nnz, nnz };
}

// One instance of the compiled core: the border between JavaScript and WebAssembly, used by the main thread
// and by every worker. A call crosses the border once per block of rows. If the Go program ends (it cannot
// survive running out of memory), the call that ended it fails, and the next call runs the same module
// again; maps are rebuilt from their parameter blocks when they are next used.

import { WORDS } from "./accumulator.js";
import { errorAt, memoryError, placeOf, TensorSketchError } from "./errors.js";
import { GoProgram } from "./gojs.js";
import { KINDS } from "./tables.js";
import { wholeLanes, writeVector } from "./rows.js";

const ABI_VERSION = 3;
const CHUNK_BYTES = 1 << 20; // of input and output staged per crossing, unless one block of lanes needs more
const TEXT_BYTES = 1024; // for messages
const MOST_BYTES = 2 ** 32 - 1; // what a WebAssembly pointer can address

// Status to code. 7 is a bad pointer or handle, 8 a panic: both are faults of this library.
const CODES = [, "ERR_PARAM", "ERR_SHAPE", "ERR_NONFINITE", "ERR_OVERFLOW", "ERR_DISPOSED", "ERR_MEMORY",
  "ERR_INTERNAL",
  "ERR_INTERNAL"];
const STATUS_MEMORY = 6;
const ANSWER_FIELDS = 6;

const MORE = "tensorsketch.tiny.more.wasm"; // the second file of a build that has one

export class Core {
  #modules;
  #maxMemory;
  #run = null; // the living instance: { exports, memory, program, text, stage, stageBytes }

  /** The modules are the file or the files of a build (wasmfile.js). */
  constructor(modules, maxMemory) {
    this.#modules = modules;
    this.#maxMemory = maxMemory;
    this.lanes = this.#living().exports.ts_lanes();
  }

  /**
   * Makes a map of a parameter block (params.js), with rows of nComponents numbers, fitted to landmarks if it has some.
   * The result is what the other methods take.
   */
  newMap(block, nComponents, landmarks) {
    const map = { block, nComponents, landmarks, handle: 0, run: null };
    this.#handle(map);
    return map;
  }

  /** The degree and the parameters of the method, defaults filled in, as bytes (withResolved in params.js). */
  resolvedParams(map) {
    const handle = this.#handle(map);
    const length = this.#call("ts_map_params", handle, this.#living().text, 0);
    return this.#withBuffer(length, (pointer, memory) => {
      this.#call("ts_map_params", handle, pointer, length);
      return new Uint8Array(memory.buffer, pointer, length).slice();
    });
  }

  /** Which of n rows a map is to be fitted to. */
  landmarkRows(map, n) {
    const handle = this.#handle(map);
    return this.#withBuffer(4 * map.nComponents, (pointer, memory) => {
      const status = this.#call("ts_landmark_rows", handle, n, pointer);
      if (status !== 0) throw this.#error(status);
      return new Int32Array(memory.buffer, pointer, map.nComponents).slice();
    });
  }

  /**
   * The answers to a question (params.js) about rows like those of a source, if there is one: an array of
   * { method, nComponents, sigma, kind, microseconds, reached }, the method as its place in METHODS.
   */
  plan(block, source, room) {
    const { rows = 0, sparse = false } = source ?? {};
    const out = Math.ceil(block.length / 8) * 8;
    const sample = out + 8 * ANSWER_FIELDS * room;
    const bytes = sample + (source?.byteLength(0, rows) ?? 0);
    return this.#withBuffer(bytes, (pointer, memory) => {
      new Uint8Array(memory.buffer, pointer, block.length).set(block);
      source?.write(memory.buffer, pointer + sample, 0, rows);
      const { indptr, indices, data, nnz } = sparse ? csrPointers(source, pointer + sample, 0, rows)
        : { indptr: 0, indices: 0, data: pointer + sample, nnz: 0 };
      const count = this.#call("ts_plan", pointer, block.length, data, indices, indptr, rows, nnz, pointer + out, room);
      if (count === 0) throw this.#error(this.#run.exports.ts_error_status(), rows === 0 ? undefined : 0);
      const numbers = new Float64Array(memory.buffer, pointer + out, ANSWER_FIELDS * Math.min(count, room));
      return Array.from({ length: numbers.length / ANSWER_FIELDS }, (_, a) => {
        const [method, nComponents, sigma, kind, microseconds, reached] =
          numbers.subarray(ANSWER_FIELDS * a, ANSWER_FIELDS * (a + 1));
        return { method, nComponents, sigma, kind: KINDS[kind], microseconds, reached: reached === 1 };
      });
    });
  }

  /** Makes the sketch of A·B, A m × k and B k × n, of a block (params.js). It ends with the instance. */
  newProduct(block, A, B, { m, n, k }) {
    const run = this.#living();
    const product = { run, handle: this.#create("ts_product_new", block) };
    try {
      this.#multiply(product, A, B, m, n, k);
    } catch (error) {
      this.freeMap(product);
      throw error;
    }
    return product;
  }

  /** The estimate of entry (i, j) and the standard deviation of a single sketch's. */
  entry(product, i, j) {
    const handle = this.#livingProduct(product);
    return this.#withBuffer(16, (pointer, memory) => {
      const status = this.#call("ts_product_entry", handle, i, j, pointer);
      if (status !== 0) throw this.#error(status);
      const [value, sigma] = new Float64Array(memory.buffer, pointer, 2);
      return { value, sigma };
    });
  }

  largest(product, count) {
    const handle = this.#livingProduct(product);
    return this.#withBuffer(24 * count, (pointer, memory) => {
      const status = this.#call("ts_product_largest", handle, count, pointer);
      if (status !== 0) throw this.#error(status);
      const found = new Float64Array(memory.buffer, pointer, 3 * count);
      return Array.from({ length: count }, (_, e) => ({ i: found[3 * e], j: found[3 * e + 1],
        value: found[3 * e + 2] }));
    });
  }

  /** Components for subspaces of k dimensions; with k = 0, for products of two matrices. */
  dimension(k, degree, epsilon, delta) {
    return this.#withBuffer(8, (pointer, memory) => {
      const status = this.#call("ts_dimension", k, degree, epsilon, delta, pointer);
      if (status !== 0) throw this.#error(status);
      return new Float64Array(memory.buffer, pointer, 1)[0];
    });
  }

  freeMap(map) {
    if (map.handle !== 0 && map.run === this.#run) this.#call("ts_map_free", map.handle);
    map.handle = 0;
  }

  /**
   * Transforms rows start … end of the source into the same rows of `out`. For a
   * product, `sources` are one per degree. Errors carry rows of the whole source.
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

  /** Adds the features of all rows of the source, times their weights if there are some, to sums (accumulator.js). */
  addRows(map, source, weights, words) {
    this.#addTo(words, weights, (add) => this.#eachBlock(map, source, add));
  }

  /** addRows for rows of features. */
  addFeatures(nComponents, Z, weights, words) {
    this.#addTo(words, weights, (add) => this.#eachPart(nComponents, Z, add));
  }

  /** The norm to which features of rows within a radius are clipped; NaN is a radius that was not given. */
  privateBound(map, radius) {
    return this.#numbers(1, "ts_private_bound", this.#handle(map), radius)[0];
  }

  /** The σ of the noise in each component of a released row, and that of continuous noise. */
  noiseSigmas({ epsilon, delta, bound }) {
    const [sigma, continuous] = this.#numbers(2, "ts_mechanism", epsilon, delta, bound);
    return { sigma, continuous };
  }

  /** The ε spent and left of a budget, at its δ. */
  ledger({ epsilon, delta, rho }) {
    const [spent, left] = this.#numbers(2, "ts_ledger", epsilon, delta, rho);
    return { spent, left };
  }

  /** The ρ spent of a budget after one more release, which it refuses if it is too much. */
  charge({ epsilon, delta, rho, count }, release) {
    return this.#numbers(1, "ts_charge", epsilon, delta, rho, count, release.epsilon, release.delta, release.bound)[0];
  }

  /** Puts noise on rows of features, in their place. */
  privatize({ epsilon, delta, bound }, nComponents, Z) {
    this.#eachPart(nComponents, Z, (pointer, row, rows, memory) => {
      const status = this.#call("ts_privatize", epsilon, delta, bound, pointer, rows, nComponents);
      if (status !== 0) throw withoutRowsDone(this.#error(status, row));
      Z.set(new Float32Array(memory.buffer, pointer, rows * nComponents), row * nComponents);
    });
  }

  /** Adds the features of all rows of the source to a mean (privacy.js). */
  addRowsToMean(map, source, mean) {
    this.#addToMean(mean, (add) => this.#eachBlock(map, source, add));
  }

  /** addRowsToMean for rows of features. */
  addFeaturesToMean(Z, mean) {
    this.#addToMean(mean, (add) => this.#eachPart(mean.sums.length, Z, add));
  }

  /** The mean with noise. */
  releaseMean(mean) {
    const n = mean.sums.length;
    return this.#withBuffer(12 * n, (sums, memory) => {
      const out = sums + 8 * n;
      new BigInt64Array(memory.buffer, sums, n).set(mean.sums);
      const status = this.#call("ts_mean_release", ...meanArguments(mean, sums, mean.added), out);
      if (status !== 0) throw this.#error(status);
      return new Float32Array(memory.buffer, out, n).slice();
    });
  }

  /** The standard deviations of an estimate by noisy rows of n numbers; those of the best n where it is 0. */
  tradeoff(map, x, y, length, sigmaX, sigmaY, n) {
    const [nComponents, sketch, noise, both] = this.#pair("ts_tradeoff", map, x, y, length, sigmaX, sigmaY, n);
    return { nComponents, sketch, noise, both };
  }

  /** κ(x, y). */
  kernel(map, x, y, length) {
    return this.#pair("ts_kernel", map, x, y, length)[0];
  }

  /** The mean of the estimate less κ(x, y). */
  bias(map, x, y, length) {
    return this.#pair("ts_bias", map, x, y, length)[0];
  }

  missProbability(map, x, y, length, epsilon) {
    const [chebyshev, hoeffding, median] = this.#pair("ts_miss", map, x, y, length, epsilon);
    return { chebyshev, hoeffding, median };
  }

  stdError(map, x, y, length) {
    const [sigma, kind] = this.#pair("ts_std_error", map, x, y, length);
    return { sigma, kind: KINDS[kind] };
  }

  chooseComponents(map, x, y, length, epsilon, delta) {
    const [guaranteed, typical] = this.#pair("ts_choose", map, x, y, length, epsilon, delta);
    return { guaranteed, typical };
  }

  /** Lets the instance go; its memory is collected with it. */
  dispose() {
    this.#run = null;
  }

  #transformBlock(map, sources, out, product, row, end) {
    try {
      const { rows, output, error } = this.#computeBlock(map, sources, product, row, end);
      const done = error ? error.rowsDone - row : rows;
      out.set(new Float32Array(this.#run.memory.buffer, output, done * map.nComponents), row * map.nComponents);
      if (error) throw error;
      return rows;
    } finally {
      this.#trim();
    }
  }

  /**
   * The features of some rows from `row` on, left in the staging buffer at `output`; those before a bad row with the
   * error.
   */
  #computeBlock(map, sources, product, row, end) {
    const handle = this.#handle(map);
    let rows = this.#blockRows(map, sources, row, end);
    let layout = blockLayout(map, sources, product, row, rows);
    let base = this.#stage(layout.bytes);
    if (base === 0 && rows > 1) {
      rows = 1;
      layout = blockLayout(map, sources, product, row, rows);
      base = this.#stage(layout.bytes);
    }
    if (base === 0) throw this.#error(STATUS_MEMORY, row);

    const { memory } = this.#run;
    sources.forEach((source, k) => source.write(memory.buffer, base + layout.inputs[k], row, rows));
    const status = product
      ? this.#callProduct(handle, sources, layout, base, row, rows)
      : this.#callSingle(handle, sources[0], layout, base, row, rows);
    return { rows, output: base + layout.output, error: status === 0 ? null : this.#error(status, row) };
  }

  /** Whole blocks of lanes that fit a chunk, of which each input and the output have an equal share. */
  #blockRows(map, sources, row, end) {
    const share = CHUNK_BYTES / (sources.length + 1);
    const most = Math.min(end - row, wholeLanes(share / (4 * map.nComponents), this.lanes));
    return Math.min(...sources.map((source) => source.take(row, most, share, this.lanes)));
  }

  #callSingle(handle, source, layout, base, row, rows) {
    const input = base + layout.inputs[0];
    const output = base + layout.output;
    if (!source.sparse) return this.#call("ts_transform", handle, input, rows, output);
    const { indptr, indices, data, nnz } = csrPointers(source, input, row, rows);
    return this.#call("ts_transform_csr", handle, indptr, indices, data, rows, nnz, output);
  }

  #callProduct(handle, sources, layout, base, row, rows) {
    const records = new Int32Array(this.#run.memory.buffer, base, 5 * sources.length);
    sources.forEach((source, k) => {
      const input = base + layout.inputs[k];
      if (source.sparse) {
        const { indptr, indices, data, nnz } = csrPointers(source, input, row, rows);
        records.set([1, data, indices, indptr, nnz], 5 * k);
      } else {
        records.set([0, input, 0, 0, 0], 5 * k);
      }
    });
    return this.#call("ts_transform_product", handle, base, rows, base + layout.output);
  }

  /** Calls a function of two float64 vectors and returns the numbers it writes, four at most. */
  #pair(name, map, x, y, length, ...more) {
    const handle = this.#handle(map);
    const base = this.#stage(16 * length + 32);
    if (base === 0) throw this.#error(STATUS_MEMORY);
    const { memory } = this.#run;
    try {
      writeVector(memory.buffer, base, x, length, "x");
      writeVector(memory.buffer, base + 8 * length, y, length, "y");
      const output = base + 16 * length;
      const status = this.#call(name, handle, base, base + 8 * length, ...more, output);
      if (status !== 0) throw this.#error(status);
      return [...new Float64Array(memory.buffer, output, 4)];
    } finally {
      this.#trim();
    }
  }

  #livingProduct({ handle, run }) {
    if (run === this.#living()) return handle;
    throw memoryError("the WebAssembly instance of this compressed product ended, and the " +
      "product with it: make it again");
  }

  /** The handle of a map in the living instance, made anew where the instance was replaced. */
  #handle(map) {
    const run = this.#living();
    if (map.run !== run) {
      map.handle = this.#create("ts_map_new", map.block);
      map.run = run;
      try {
        if (map.landmarks) this.#fit(map);
      } catch (error) {
        this.freeMap(map);
        map.run = null;
        throw error;
      }
    }
    return map.handle;
  }

  /** The handle of what a block describes. */
  #create(name, block) {
    const handle = this.#withBuffer(block.length, (pointer, memory) => {
      new Uint8Array(memory.buffer, pointer, block.length).set(block);
      return this.#call(name, pointer, block.length);
    });
    if (handle === 0) throw this.#error(this.#run.exports.ts_error_status());
    return handle;
  }

  #fit({ handle, landmarks }) {
    this.#withBuffer(landmarks.byteLength, (pointer, memory) => {
      new Float32Array(memory.buffer, pointer, landmarks.length).set(landmarks);
      const status = this.#call("ts_set_landmarks", handle, pointer, landmarks.length);
      if (status !== 0) throw this.#error(status, 0);
    });
  }

  /** Adds A·B to a product, as many columns of A and rows of B at a time as fit a chunk. */
  #multiply({ handle }, A, B, m, n, k) {
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (4 * (m + n))));
    for (let from = 0; from < k; from += most) {
      const count = Math.min(most, k - from);
      this.#withBuffer(4 * count * (m + n), (pointer, memory) => {
        const columns = new Float32Array(memory.buffer, pointer, m * count);
        for (let i = 0; i < m; i++) columns.set(A.subarray(i * k + from, i * k + from + count), i * count);
        const rows = pointer + columns.byteLength;
        new Float32Array(memory.buffer, rows, n * count).set(B.subarray(from * n, (from + count) * n));
        const status = this.#call("ts_product_add", handle, pointer, rows, count);
        if (status !== 0) throw this.#error(status, from);
      });
    }
  }

  /** Calls `use` with a function that adds rows of features in memory to sums. They change if all goes well. */
  #addTo(words, weights, use) {
    const rows = weights?.length ?? 0;
    this.#withBuffer(words.byteLength + 4 * rows, (sums, memory) => {
      const factors = sums + words.byteLength;
      const call = (row, ...args) => {
        const status = this.#call("ts_sums_add", ...args);
        if (status !== 0) throw withoutRowsDone(this.#error(status, row));
      };
      new Uint32Array(memory.buffer, sums, words.length).set(words);
      if (weights) {
        new Float32Array(memory.buffer, factors, rows).set(weights);
        call(0, sums, 1, factors, rows, 0);
      }
      use((z, row, count) => call(row, sums + 4 * WORDS, words.length / WORDS - 1, z, count,
        weights ? factors + 4 * row : 0));
      words.set(new Uint32Array(memory.buffer, sums, words.length));
    });
  }

  /**
   * Calls `use` with a function that adds rows of features in memory to the sums of a mean. They change if all goes
   * well.
   */
  #addToMean(mean, use) {
    const { sums, added } = mean;
    this.#withBuffer(sums.byteLength, (pointer, memory) => {
      new BigInt64Array(memory.buffer, pointer, sums.length).set(sums);
      use((z, row, rows) => {
        const status = this.#call("ts_mean_add", ...meanArguments(mean, pointer, added + row), z, rows);
        if (status !== 0) throw withoutRowsDone(this.#error(status, row));
      });
      sums.set(new BigInt64Array(memory.buffer, pointer, sums.length));
    });
  }

  /**
   * Calls `use` with the features of all rows of the source, block by block: where they lie, the first row, and how
   * many.
   */
  #eachBlock(map, source, use) {
    for (let row = 0; row < source.rows; ) {
      try {
        const { rows, output, error } = this.#computeBlock(map, [source], false, row, source.rows);
        if (error) throw withoutRowsDone(error);
        use(output, row, rows);
        row += rows;
      } finally {
        this.#trim();
      }
    }
  }

  /** The same for rows of features that there are. */
  #eachPart(nComponents, Z, use) {
    const most = Math.max(1, Math.floor(CHUNK_BYTES / (4 * nComponents)));
    for (let row = 0; row * nComponents < Z.length; row += most) {
      const part = Z.subarray(row * nComponents, (row + most) * nComponents);
      this.#withBuffer(part.byteLength, (pointer, memory) => {
        new Float32Array(memory.buffer, pointer, part.length).set(part);
        use(pointer, row, part.length / nComponents, memory);
      });
    }
  }

  /** Calls a function that writes so many float64 after its other arguments, and returns them. */
  #numbers(count, name, ...args) {
    return this.#withBuffer(8 * count, (pointer, memory) => {
      const status = this.#call(name, ...args, pointer);
      if (status !== 0) throw this.#error(status);
      return [...new Float64Array(memory.buffer, pointer, count)];
    });
  }

  /** Calls `use` with a buffer of its own and the memory it lies in. */
  #withBuffer(bytes, use) {
    const pointer = this.#alloc(bytes);
    if (pointer === 0) throw this.#error(STATUS_MEMORY);
    const run = this.#run;
    try {
      return use(pointer, run.memory);
    } finally {
      if (this.#run === run) this.#call("ts_free", pointer);
    }
  }

  /** A buffer of at least `bytes`, kept from call to call; 0 where the budget refuses it. */
  #stage(bytes) {
    const run = this.#living();
    if (run.stageBytes < bytes) {
      this.#unstage();
      run.stage = this.#alloc(bytes);
      run.stageBytes = run.stage === 0 ? 0 : bytes;
    }
    return run.stage;
  }

  /** Lets a staging buffer go that is larger than most calls need, whether or not the call went well. */
  #trim() {
    if (this.#run?.stageBytes > CHUNK_BYTES) this.#unstage();
  }

  #unstage() {
    const run = this.#run;
    if (run.stage !== 0) this.#call("ts_free", run.stage);
    run.stage = 0;
    run.stageBytes = 0;
  }

  #alloc(bytes) {
    if (bytes > MOST_BYTES) {
      throw memoryError(`${bytes} bytes are needed at once, and WebAssembly addresses at most ${MOST_BYTES}`);
    }
    return this.#call("ts_alloc", bytes) >>> 0;
  }

  /** Calls an export. A trap or the end of the program leaves the instance unusable. */
  #call(name, ...args) {
    const run = this.#living();
    if (!run.exports[name]) {
      throw new TensorSketchError("ERR_LOAD",
        `this needs ${MORE}, which parts: "maps" leaves out: load with parts: "all"`);
    }
    try {
      return run.exports[name](...args);
    } catch (error) {
      this.#run = null;
      throw ended(error, run.program.text);
    }
  }

  /** The error that the core keeps of its last failed call; `row` is where the block of rows began, if it was one. */
  #error(status, row) {
    const { exports } = this.#run;
    const message = this.#text("ts_error_message");
    const argument = this.#text("ts_error_argument") || undefined;
    const rowInBlock = exports.ts_error_row();
    const column = exports.ts_error_column();
    const where = { argument };
    if (row !== undefined) where.rowsDone = row + Math.max(0, exports.ts_error_rows_done());
    if (column >= 0) where.column = column;
    if (rowInBlock < 0) return new TensorSketchError(CODES[status], message, where);
    const placeInBlock = placeOf({ ...where, row: rowInBlock });
    return errorAt(CODES[status], { ...where, row: row + rowInBlock }, message.slice(placeInBlock.length + 1));
  }

  #text(name) {
    const { exports, memory, text } = this.#run;
    const length = exports[name](text, TEXT_BYTES);
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text, length));
  }

  /** The instance, started where there is none. */
  #living() {
    if (this.#run === null) this.#run = startInstance(this.#modules, this.#maxMemory);
    return this.#run;
  }
}

/** Instantiates the modules, runs main and sets the budget. */
function startInstance(modules, maxMemory) {
  const program = new GoProgram();
  const exports = instantiate(modules, program);
  try {
    // The collector works harder as the heap comes near the budget, so that garbage is not what exceeds it.
    program.start(exports, { GOMEMLIMIT: Math.floor(0.9 * maxMemory) });
  } catch (error) {
    throw ended(error, program.text);
  }
  if (exports.ts_abi() !== ABI_VERSION) {
    throw new TensorSketchError("ERR_LOAD", "the .wasm file and the JavaScript files are of different " +
      "releases: take all from one");
  }
  const refused = exports.ts_budget(maxMemory) !== 0;
  const text = exports.ts_alloc(TEXT_BYTES) >>> 0;
  if (refused || text === 0) throw memoryError(`maxMemory = ${maxMemory} is less than the core needs to start`);
  return { exports, memory: exports.mem, program, text, stage: 0, stageBytes: 0 };
}

/** The exports of the core, and of its second file where there is one, which works in the memory of the first. */
function instantiate([core, more], program) {
  const exports = link(core, program.imports, (reason) => `the file is not the core of this library: ${reason}`);
  if (typeof exports.ts_abi !== "function") {
    throw new TensorSketchError("ERR_LOAD", "the file is not the core of this library: it has no function ts_abi");
  }
  if (!more) return exports;
  const imports = { ...program.imports, core: exports };
  return { ...link(more, imports, (reason) => `${MORE} is of another release: take both from one (${reason})`),
    ...exports };
}

function link(module, imports, message) {
  try {
    return new WebAssembly.Instance(module, imports).exports;
  } catch (error) {
    if (error instanceof RangeError) throw memoryError(`no memory for another WebAssembly instance: ${error.message}`);
    throw new TensorSketchError("ERR_LOAD", message(error.message));
  }
}

/** The error of a call that ended the Go program. A trap is a fault of this library: TinyGo's panics are traps. */
function ended(error, printed) {
  const reason = (printed.trim().split("\n")[0] || error.message).slice(0, 200);
  if (error instanceof WebAssembly.RuntimeError && !printed) {
    return new TensorSketchError("ERR_INTERNAL",
      `internal error: the WebAssembly instance ended (${reason}); it is replaced at the next call`);
  }
  return memoryError(`the WebAssembly instance ended (${reason}); it is replaced at the next call. ` +
    "Where memory is short, take a smaller maxMemory, fewer components or fewer threads");
}

/** The error of a call that does all or nothing. */
function withoutRowsDone(error) {
  delete error.rowsDone;
  return error;
}

/** What ts_mean_add and ts_mean_release take first. */
function meanArguments({ mechanism: { epsilon, delta, bound }, sums, rows }, pointer, added) {
  return [epsilon, delta, bound, pointer, sums.length, rows, added];
}

/** Byte offsets of a block in the staging buffer: product records, inputs, output. */
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

/** Where the three arrays of a CSR block lie. */
function csrPointers(source, input, row, rows) {
  const nnz = source.nnz(row, rows);
  const indices = input + 4 * (rows + 1);
  return { indptr: input, indices, data: indices + 4 * nnz, nnz };
}

// One instance of the compiled core: the border between JavaScript and WebAssembly, used by the main thread
// and by every worker. A call crosses the border once per block of rows. If the Go program ends (it cannot
// survive running out of memory), the call that ended it fails, and the next call runs the same module
// again; maps are rebuilt from their parameter blocks when they are next used.

import { memoryError, TensorSketchError } from "./errors.js";
import { GoProgram } from "./gojs.js";
import { wholeLanes, writeVector } from "./rows.js";

const ABI_VERSION = 1;
const CHUNK_BYTES = 1 << 20; // of input and output staged per crossing, unless one block of lanes needs more
const TEXT_BYTES = 1024; // for messages
const MOST_BYTES = 2 ** 32 - 1; // what a WebAssembly pointer can address

// Status to code. 7 and 8 are faults of this library (a bad pointer, an internal panic); their messages say so.
const CODES = [, "ERR_PARAM", "ERR_SHAPE", "ERR_NONFINITE", "ERR_OVERFLOW", "ERR_DISPOSED", "ERR_MEMORY", "ERR_PARAM", "ERR_PARAM"];
const STATUS_MEMORY = 6;
const STD_ERROR_KINDS = ["exact", "first-order", "bound", "unknown"];

export class Core {
  #module;
  #maxMemory;
  #run = null; // the living instance: { exports, memory, program, text, stage, stageBytes }

  constructor(module, maxMemory) {
    this.#module = module;
    this.#maxMemory = maxMemory;
    this.lanes = this.#living().exports.ts_lanes();
  }

  /** Makes a map of a parameter block (params.js). The result is what the other methods take. */
  newMap(block, nComponents) {
    const map = { block, nComponents, handle: 0, run: null };
    this.#handle(map);
    return map;
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

  /** κ(x, y). */
  kernel(map, x, y, length) {
    return this.#pair("ts_kernel", map, x, y, length)[0];
  }

  stdError(map, x, y, length) {
    const [sigma, kind] = this.#pair("ts_std_error", map, x, y, length);
    return { sigma, kind: STD_ERROR_KINDS[kind] };
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
    const error = status === 0 ? null : this.#error(status, row);
    const done = error ? error.rowsDone - row : rows;
    out.set(new Float32Array(memory.buffer, base + layout.output, done * map.nComponents), row * map.nComponents);
    if (layout.bytes > CHUNK_BYTES) this.#unstage();
    if (error) throw error;
    return rows;
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

  /** Calls a function of two float64 vectors and returns the two numbers it writes. */
  #pair(name, map, x, y, length, ...more) {
    const handle = this.#handle(map);
    const base = this.#stage(16 * length + 16);
    if (base === 0) throw this.#error(STATUS_MEMORY);
    const { memory } = this.#run;
    writeVector(memory.buffer, base, x, length, "x");
    writeVector(memory.buffer, base + 8 * length, y, length, "y");
    const output = base + 16 * length;
    const status = this.#call(name, handle, base, base + 8 * length, ...more, output);
    if (status !== 0) throw this.#error(status);
    const result = [...new Float64Array(memory.buffer, output, 2)];
    if (output - base > CHUNK_BYTES) this.#unstage();
    return result;
  }

  /** The handle of a map in the living instance, made anew where the instance was replaced. */
  #handle(map) {
    const run = this.#living();
    if (map.run !== run) {
      const { block } = map;
      const pointer = this.#alloc(block.length);
      if (pointer === 0) throw this.#error(STATUS_MEMORY);
      new Uint8Array(run.memory.buffer, pointer, block.length).set(block);
      map.handle = this.#call("ts_map_new", pointer, block.length);
      const error = map.handle === 0 ? this.#error(run.exports.ts_error_status()) : null;
      this.#call("ts_free", pointer);
      if (error) throw error;
      map.run = run;
    }
    return map.handle;
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

  #unstage() {
    const run = this.#run;
    if (run.stage !== 0) this.#call("ts_free", run.stage);
    run.stage = 0;
    run.stageBytes = 0;
  }

  #alloc(bytes) {
    if (bytes > MOST_BYTES) throw memoryError(`one row needs ${bytes} bytes, and WebAssembly addresses at most ${MOST_BYTES}`);
    return this.#call("ts_alloc", bytes) >>> 0;
  }

  /** Calls an export. A trap or the end of the program leaves the instance unusable. */
  #call(name, ...args) {
    const run = this.#living();
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
    where.row = row + rowInBlock;
    return new TensorSketchError(CODES[status], message.replace(/ row \d+/, ` row ${where.row}`), where);
  }

  #text(name) {
    const { exports, memory, text } = this.#run;
    const length = exports[name](text, TEXT_BYTES);
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text, length));
  }

  /** The instance, started where there is none. */
  #living() {
    if (this.#run === null) this.#run = startInstance(this.#module, this.#maxMemory);
    return this.#run;
  }
}

/** Instantiates the module, runs main and sets the budget. */
function startInstance(module, maxMemory) {
  const program = new GoProgram();
  const { exports } = instantiate(module, program);
  try {
    // The collector works harder as the heap comes near the budget, so that garbage is not what exceeds it.
    program.start(exports, { GOMEMLIMIT: Math.floor(0.9 * maxMemory) });
  } catch (error) {
    throw ended(error, program.text);
  }
  if (exports.ts_abi() !== ABI_VERSION) {
    throw new TensorSketchError("ERR_LOAD", "the .wasm file and the JavaScript files are of different releases: take all from one");
  }
  const refused = exports.ts_budget(maxMemory) !== 0;
  const text = exports.ts_alloc(TEXT_BYTES) >>> 0;
  if (refused || text === 0) throw memoryError(`maxMemory = ${maxMemory} is less than the core needs to start`);
  return { exports, memory: exports.mem, program, text, stage: 0, stageBytes: 0 };
}

function instantiate(module, program) {
  let instance;
  try {
    instance = new WebAssembly.Instance(module, program.imports);
  } catch (error) {
    if (error instanceof RangeError) throw memoryError(`no memory for another WebAssembly instance: ${error.message}`);
    throw new TensorSketchError("ERR_LOAD", `the file is not the core of this library: ${error.message}`);
  }
  if (typeof instance.exports.ts_abi !== "function") {
    throw new TensorSketchError("ERR_LOAD", "the file is not the core of this library: it has no function ts_abi");
  }
  return instance;
}

/** The error of a call that ended the Go program. */
function ended(error, printed) {
  const reason = (printed.trim().split("\n")[0] || error.message).slice(0, 200);
  return memoryError(`the WebAssembly instance ended (${reason}); it is replaced at the next call. ` +
    "Where memory is short, take a smaller maxMemory, fewer components or fewer threads");
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

// Instance: the running core with its calls, its buffers and its errors. The Go program ends if it runs out of memory.
// The call that ended it then fails, and the next call runs the same module again.

import { errorAt, memoryError, placeOf, TensorSketchError } from "./errors.js";
import { policyRemedy } from "./hosts.js";

const ABI_VERSION = 9;
const TEXT_BYTES = 1024; // for messages
const MOST_BYTES = 2 ** 32 - 1; // what a WebAssembly pointer can address

/** Bytes of input and output staged per call, unless one block of lanes needs more. */
export const CHUNK_BYTES = 1 << 20;

// Error codes by status. 7 is a bad pointer or handle, 8 a panic: both are bugs of this library.
const CODES = [, "ERR_PARAM", "ERR_SHAPE", "ERR_NONFINITE", "ERR_OVERFLOW", "ERR_DISPOSED", "ERR_MEMORY",
  "ERR_INTERNAL",
  "ERR_INTERNAL"];
const STATUS_MEMORY = 6;

export class Instance {
  #module;
  #maxMemory;
  #Program;
  #run = null; // the running instance: { exports, memory, program, text, stage, stageBytes }

  /** `module` is the compiled file of a build (wasmfile.js), and `Program` the class of its runs (program.js). */
  constructor(module, maxMemory, Program) {
    this.#module = module;
    this.#maxMemory = maxMemory;
    this.#Program = Program;
  }

  /** Returns the running instance and starts one if there is none. After an end, the next call returns a new object. */
  living() {
    if (this.#run === null) this.#run = startInstance(this.#module, this.#maxMemory, new this.#Program());
    return this.#run;
  }

  isLiving(run) {
    return run === this.#run;
  }

  /** Drops the instance, so that its memory can be collected. */
  end() {
    this.#run = null;
  }

  get memory() {
    return this.#run.memory;
  }

  /** The compiler of the core: "tinygo", or "go" where it was built without TinyGo. */
  get compiler() {
    return this.#run.exports._initialize ? "tinygo" : "go";
  }

  /** Calls an export. A trap or the end of the program leaves the instance unusable. */
  call(name, ...args) {
    const run = this.living();
    try {
      return run.exports[name](...args);
    } catch (error) {
      this.#run = null;
      throw ended(error, run.program.text);
    }
  }

  /** Calls an export that returns a status, and throws an error if the status is not 0. */
  ask(name, ...args) {
    const status = this.call(name, ...args);
    if (status !== 0) throw this.error(status);
  }

  /** Calls a function that writes `count` float64 to the address in its last argument, and returns the numbers. */
  numbers(count, name, ...args) {
    return this.withBuffer(8 * count, (pointer, memory) => {
      this.ask(name, ...args, pointer);
      return [...new Float64Array(memory.buffer, pointer, count)];
    });
  }

  /** Returns the numbers that a call about a handle writes where it is told to, and whose count it returns. */
  written(Type, name, handle) {
    const count = this.call(name, handle, this.living().text, 0);
    return this.withBuffer(Type.BYTES_PER_ELEMENT * count, (pointer, memory) => {
      this.call(name, handle, pointer, count);
      return new Type(memory.buffer, pointer, count).slice();
    });
  }

  /** Allocates a buffer, calls `use` with its address and the memory that holds it, and frees the buffer. */
  withBuffer(bytes, use) {
    const pointer = this.buffer(bytes);
    const run = this.#run;
    try {
      return use(pointer, run.memory);
    } finally {
      if (this.#run === run) this.call("ts_free", pointer);
    }
  }

  /** Does the same with a buffer that holds bytes. `use` gets its address and their number. */
  withBytes(bytes, use) {
    return this.withBuffer(bytes.length, (pointer, memory) => {
      new Uint8Array(memory.buffer, pointer, bytes.length).set(bytes);
      return use(pointer, bytes.length);
    });
  }

  /** Returns the address of a buffer, which the caller frees by ts_free. */
  buffer(bytes) {
    const pointer = this.#alloc(bytes);
    if (pointer === 0) throw this.noMemory();
    return pointer;
  }

  /** Returns the address of a buffer of at least `bytes`, kept between calls, or 0 if the budget is too small. */
  stage(bytes) {
    const run = this.living();
    if (run.stageBytes < bytes) {
      this.#unstage();
      run.stage = this.#alloc(bytes);
      run.stageBytes = run.stage === 0 ? 0 : bytes;
    }
    return run.stage;
  }

  /** Does the same and throws if the budget is too small. `row` is as for `error`. */
  staged(bytes, row) {
    const base = this.stage(bytes);
    if (base === 0) throw this.noMemory(row);
    return base;
  }

  /** Frees the staging buffer if it is larger than most calls need. Call it after errors too. */
  trim() {
    if (this.#run?.stageBytes > CHUNK_BYTES) this.#unstage();
  }

  #unstage() {
    const run = this.#run;
    if (run.stage !== 0) this.call("ts_free", run.stage);
    run.stage = 0;
    run.stageBytes = 0;
  }

  #alloc(bytes) {
    if (bytes > MOST_BYTES) {
      throw memoryError(`${bytes} bytes are needed at once, and WebAssembly addresses at most ${MOST_BYTES}`);
    }
    return this.call("ts_alloc", bytes) >>> 0;
  }

  /**
   * Returns the core's error for its last failed call. `row` is the first row of a block, if the call is one of
   * several: the error then has rowsDone.
   */
  error(status, row) {
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
    return errorAt(CODES[status], { ...where, row: (row ?? 0) + rowInBlock }, message.slice(placeInBlock.length + 1));
  }

  /** Does the same as `error` for a call that returned a handle or a count, so that its status is not known. */
  lastError(row) {
    return this.error(this.#run.exports.ts_error_status(), row);
  }

  noMemory(row) {
    return this.error(STATUS_MEMORY, row);
  }

  #text(name) {
    const { exports, memory, text } = this.#run;
    const length = exports[name](text, TEXT_BYTES);
    return new TextDecoder().decode(new Uint8Array(memory.buffer, text, length));
  }
}

/** Instantiates the module, runs main and sets the budget. */
function startInstance(module, maxMemory, program) {
  const exports = instantiate(module, program.imports);
  try {
    // The collector works harder as the heap nears the budget, so that garbage alone does not exceed it.
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

/** Returns the exports of a new instance of the core. */
function instantiate(module, imports) {
  const notCore = (reason) =>
    new TensorSketchError("ERR_LOAD", `the file is not the core of this library: ${reason}`);
  try {
    const { exports } = new WebAssembly.Instance(module, imports);
    if (typeof exports.ts_abi === "function") return exports;
  } catch (error) {
    if (error instanceof RangeError) throw memoryError(`no memory for another WebAssembly instance: ${error.message}`);
    const remedy = policyRemedy(error); // WebKit forbids the instance, the others the compilation
    throw remedy ? new TensorSketchError("ERR_LOAD", `${error.message}; ${remedy}`) : notCore(error.message);
  }
  throw notCore("it has no function ts_abi");
}

/** Returns the error for a call that ended the Go program. A trap is a bug of this library: TinyGo panics trap. */
function ended(error, printed) {
  const reason = (printed.trim().split("\n")[0] || error.message).slice(0, 200);
  const what = `the WebAssembly instance ended (${reason}); it is replaced at the next call`;
  if (error instanceof WebAssembly.RuntimeError && !printed) {
    return new TensorSketchError("ERR_INTERNAL", `internal error: ${what}`);
  }
  return memoryError(`${what}. If memory is short, lower maxMemory, components or threads`);
}

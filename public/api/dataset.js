// Reads files of rows: formats, columns and preprocessing, in dataset.wasm (package dataset). Reading blocks the
// thread, so in a browser this module belongs in a worker; in Node it runs in any thread. dataset.d.ts has the
// documentation.

import { drop } from "./buffers.js";
import { show } from "./errors.js";
import { goexec } from "./goexec.js";
import { isNode, nodeModule } from "./node.js";
import { SIZES } from "./sizes.js";
import { COLUMNAR } from "./tables.js";
import { compileFile, ownAddress } from "./wasmfile.js";

const UNREADABLE = -1, CHANGED = -2; // results of `read` that are not a number of bytes
const READ_BYTES = 1 << 20; // read at a time if one part follows the other
const MAX_NAMES = 10; // of columns in a message
const APART_BYTES = 64 << 10; // read at a time if not, as in columns and record batches

const toBytes = (text) => new TextEncoder().encode(text); // importing needs neither
const toText = (bytes) => new TextDecoder().decode(bytes);

/** An error about a file. `message` is the sentence; `problem` has its parts { file, where, what, remedy }. */
export class DatasetError extends Error {
  constructor({ message, problem, columnar = false }, cause) {
    super(message, cause && { cause });
    this.name = "DatasetError";
    this.problem = problem;
    this.columnar = columnar; // the file needs loadDataset({ columnar: true })
  }
}

/**
 * Loads dataset.wasm or, with `columnar`, the build that also reads and writes Parquet and Arrow. The file is fetched
 * from `url`, by default beside this module.
 */
export async function loadDataset({ columnar = false, url, signal, onProgress } = {}) {
  const name = columnar ? "dataset-columnar.wasm" : "dataset.wasm";
  url ??= await ownAddress(FILES[name], name, `give loadDataset the address of ${name} as url`);
  const dataset = await start(await compileFile(url, { size: SIZES[name], signal, onProgress }));
  dataset.columnar = columnar;
  return dataset;
}

/** Written as in wasmfile.js, and for the same readers. */
const FILES = {
  "dataset.wasm"() {
    return new URL("./dataset.wasm", import.meta.url);
  },
  "dataset-columnar.wasm"() {
    return new URL("./dataset-columnar.wasm", import.meta.url);
  },
};

/** Reports whether a format needs the columnar build. */
export const isColumnar = (format) => COLUMNAR.includes(format);

/** The globals that dataset.wasm sees: no network API is among them. goexec adds a file system that only prints. */
const visible = () => {
  const { Object, Array, Uint8Array, Date, TextEncoder, TextDecoder, crypto, performance } = globalThis;
  return { Object, Array, Uint8Array, Date, TextEncoder, TextDecoder, crypto, performance };
};

/** Runs a compiled dataset.wasm. */
async function start(module) {
  const go = new (goexec(visible()))();
  go.env = { GOGC: "50" }; // 11 MB for a CSV in place of 14, and no slower
  const host = { sources: new Map(), memory: null, fs: isNode() ? await nodeModule("fs") : null, onProblem: null,
    failure: null };
  const bytesAt = (address, length) => new Uint8Array(host.memory.buffer, address >>> 0, length);
  const read = (id, at, to, n) => host.sources.get(id).read(at, bytesAt(to, n));
  const problem = (address, length) => host.onProblem?.(JSON.parse(toText(bytesAt(address, length))));
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, dataset: { read, problem } });
  host.memory = instance.exports.mem;
  void go.run(instance);
  return new Dataset(instance.exports, host);
}

const dropped = new FinalizationRegistry(({ dataset, handle }) => dataset.close(handle));

/** An object that a Dataset keeps for its caller until it is closed or garbage-collected. */
class Kept {
  #held;

  constructor(dataset, handle) {
    this.#held = { dataset, handle };
    dropped.register(this, this.#held, this);
  }

  /** Releases the object. It cannot be used afterwards. */
  close() {
    if (this.#held) this.#held.dataset.close(this.#held.handle);
    dropped.unregister(this);
    this.#held = null;
  }

  /** Returns the handle of `kept`, which must be a Type of this dataset. */
  static handleOf(kept, Type, dataset, name) {
    if (!(kept instanceof Type)) {
      throw new TypeError(`${name} must be a ${Type.name}, as this module gives it, got ` +
        `${kept === null ? "null" : typeof kept}`);
    }
    if (!kept.#held) throw new TypeError(`${name} was closed: make it again`);
    if (kept.#held.dataset !== dataset) {
      throw new TypeError(`${name} belongs to another Dataset: make it with this one`);
    }
    return kept.#held.handle;
  }
}

if (Symbol.dispose) Kept.prototype[Symbol.dispose] = Kept.prototype.close;

class Layout extends Kept {
  constructor(dataset, { layout, ...said }) {
    super(dataset, layout);
    Object.assign(this, said);
  }
}

class PreparedRows extends Kept {
  constructor(dataset, { preprocessing, ...said }) {
    super(dataset, preprocessing);
    Object.assign(this, said);
  }
}

/** Writes rows of features: the header, then the bytes of each block, then the bytes that `finish` returns. */
class Encoder extends Kept {
  #calls;

  constructor(dataset, { encoder, header }, state, calls) {
    super(dataset, encoder);
    this.header = header;
    this.state = state;
    this.#calls = calls;
  }

  encode(Z, block) {
    const { bytes, state } = this.#calls.encode(this, Z, block);
    this.state = state;
    return bytes;
  }

  finish(rows) {
    return this.#calls.finish(this, rows);
  }
}

class Dataset {
  #exports;
  #host;
  #lastSource = 0;

  constructor(exports, host) {
    this.#exports = exports;
    this.#host = host;
  }

  source(file, { name = nameOf(file), onRead } = {}) {
    const id = ++this.#lastSource;
    const bytes = reader(file, this.#host.fs);
    this.#host.sources.set(id, {
      read: (at, into) => {
        onRead?.(at);
        try {
          return countOf(bytes.read(at, into), into);
        } catch (error) {
          this.#host.failure = error;
          return error === hasChanged ? CHANGED : UNREADABLE;
        }
      },
    });
    const close = () => {
      if (this.#host.sources.delete(id)) bytes.close?.();
    };
    return { id, name, size: bytes.size, close };
  }

  /**
   * Returns the layout of a source: its format, its columns and the role of each. Settings that `reading` lacks come
   * from `preprocessing` if it is given; otherwise they are guessed.
   */
  sniff(source, reading = {}, { preprocessing } = {}) {
    return new Layout(this, this.#call("sniff", { ...fileOf(source), reading,
      preprocessing: preprocessing && this.#prepared(preprocessing) }));
  }

  /** Returns the plan of a preprocessing that the layout suggests, with other roles. The caller may change it. */
  plan(layout, roles = {}) {
    const plan = this.#call("plan", { layout: this.#layout(layout) });
    for (const [name, role] of Object.entries(roles)) {
      const found = plan.columns.filter((column) => column.name === name);
      if (found.length === 0) {
        const names = plan.columns.slice(0, MAX_NAMES).map((column) => show(column.name)).join(", ");
        const more = plan.columns.length > MAX_NAMES ? ` and ${plan.columns.length - MAX_NAMES} more` : "";
        throw new DatasetError({ message: `roles must name columns of the file, which are ${names}${more}, ` +
          `got ${show(name)}` });
      }
      found.forEach((column) => { column.role = role; });
    }
    return plan;
  }

  /** Returns the preprocessing that a plan describes: { needsFit, nFeatures, sparse, cells, model }. */
  preprocessing(plan) {
    return new PreparedRows(this, this.#call("preprocessing", { plan }));
  }

  /**
   * Returns why no private release can be made by `method` of a file with this reading and with a plan or a model
   * file's preprocessing. It returns "" if one can be made.
   */
  misfit({ reading, plan, preprocessing, method }) {
    return this.#call("misfit", preprocessing ? { reading, preprocessing, method } : { reading, plan, method });
  }

  /** Returns the preprocessing of a model file. */
  fromModel(model) {
    if (model === null || model === undefined) {
      throw new DatasetError({ message: "preprocessing must be that of a model file, but this map was saved without " +
        "one: save it by map.toJSON({ preprocessing: prepared.model })" });
    }
    return new PreparedRows(this, this.#call("model", { model }));
  }

  /** Makes the first pass over all rows or about the first `most`. Returns the same as `preprocessing`, plus counts. */
  fit(source, layout, preprocessing, most) {
    const steps = this.fitting(source, layout, preprocessing, most);
    for (;;) {
      const { value, done } = steps.next();
      if (done) return value;
    }
  }

  /** Does the same as `fit` in steps of one block of rows: a generator that returns the result of `fit`. */
  *fitting(source, layout, preprocessing, most = 0) {
    const fitting = this.#call("fit", { ...fileOf(source), layout: this.#layout(layout),
      preprocessing: this.#prepared(preprocessing), most });
    try {
      for (;;) {
        const learned = this.#call("fitStep", { fitting });
        if (learned) return new PreparedRows(this, learned);
        yield;
      }
    } finally {
      this.close(fitting);
    }
  }

  /**
   * Yields the rows of a source in blocks (blocks.js). It calls `onState` after each block and at the end with what
   * happened to the rows. It calls `onProblem` for each row that is left out, while the block is read.
   */
  *rows(source, layout, preprocessing, onState, { keepAll = false, allRows = 0, onProblem } = {}) {
    const reader = this.#call("open", { ...fileOf(source), layout: this.#layout(layout),
      preprocessing: this.#prepared(preprocessing), keepAll, allRows, report: Boolean(onProblem) });
    try {
      for (;;) {
        const block = this.#hearing(onProblem, () => this.#call("next", { reader }));
        onState?.(this.#call("state", { reader }));
        if (block.rows === 0) return;
        const X = block.dense ? this.#copy(Float32Array, block.dense)
          : { indptr: this.#copy(Int32Array, block.indptr), indices: this.#copy(Int32Array, block.indices),
            data: this.#copy(Float32Array, block.data) };
        yield { X, rows: block.rows, cells: this.#copy(Uint8Array, block.cells),
          offsets: this.#copy(Int32Array, block.offsets), places: this.#copy(Float64Array, block.places) };
      }
    } finally {
      this.close(reader);
    }
  }

  /** Returns the texts of cell k of each row of a block. */
  texts({ rows, cells, offsets }, k = 0) {
    const perRow = rows === 0 ? 0 : (offsets.length - 1) / rows;
    if (!(Number.isInteger(k) && k >= 0 && (k < perRow || rows === 0))) {
      const message = `k must be from 0 to ${perRow - 1}, as each row has ${perRow} cells, got ${k}`;
      throw new DatasetError({ message });
    }
    const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
    return Array.from({ length: rows }, (_, row) => {
      const at = row * perRow + k;
      return utf8.decode(cells.subarray(offsets[at], offsets[at + 1]));
    });
  }

  /** Returns an Encoder (see dataset.d.ts). */
  encoder(format, cells, nComponents, { state, rowNumbers = false } = {}) {
    const { encoder, header } = this.#call("encoder", { format, cells, nComponents, state, rowNumbers });
    return new Encoder(this, { encoder, header: this.#copy(Uint8Array, header) }, state, {
      encode: (kept, Z, { cells, offsets, places = new Float64Array(0) }) =>
        this.#withBytes([Z, cells, offsets, places], ([features, cells, offsets, places]) => {
        const { bytes, state } = this.#call("encode",
          { encoder: Kept.handleOf(kept, Encoder, this, "encoder"), features, cells, offsets, places });
        return { bytes: this.#copy(Uint8Array, bytes), state };
      }),
      finish: (kept, rows) => {
        const { header, footer } = this.#call("finish",
          { encoder: Kept.handleOf(kept, Encoder, this, "encoder"), rows });
        return { header: this.#copy(Uint8Array, header), footer: this.#copy(Uint8Array, footer) };
      },
    });
  }

  /** Returns the ONNX file of a model: the text of a model file, its JSON parsed, or what has toJSON. */
  onnx(model) {
    return this.#copy(Uint8Array, this.#call("onnx",
      { model: typeof model === "string" ? model : JSON.stringify(model) ?? "" }));
  }

  /** Releases `kept`: a handle, or a Layout, PreparedRows or Encoder. */
  close(kept) {
    if (kept instanceof Kept) kept.close();
    else this.#call("close", { handle: kept });
  }

  #layout(layout) {
    return Kept.handleOf(layout, Layout, this, "layout");
  }

  #prepared(preprocessing) {
    return Kept.handleOf(preprocessing, PreparedRows, this, "preprocessing");
  }

  /** Calls f, during which onProblem is called for each bad row. An error that it throws ends the reading. */
  #hearing(onProblem, f) {
    let failure;
    this.#host.onProblem = onProblem && ((problem) => {
      try {
        if (!failure) onProblem(problem);
      } catch (error) {
        failure = { error };
      }
    });
    try {
      return f();
    } finally {
      this.#host.onProblem = null;
      if (failure) throw failure.error;
    }
  }

  #call(call, request) {
    const text = toBytes(JSON.stringify({ call, ...request }));
    return this.#withBytes([text], ([[address, length]]) => {
      const failed = this.#exports.ds_call(address, length);
      const reply = new Uint8Array(this.#host.memory.buffer, this.#exports.ds_reply() >>> 0,
        this.#exports.ds_reply_length());
      const answer = JSON.parse(toText(reply));
      const cause = this.#host.failure;
      this.#host.failure = null;
      if (failed) throw new DatasetError(answer, cause);
      return answer;
    });
  }

  /** Calls f with the place of each array in memory, as [address, length in bytes]. */
  #withBytes(arrays, f) {
    const spans = [];
    try {
      for (const array of arrays) {
        const address = array.byteLength < 2 ** 32 ? this.#exports.ds_alloc(array.byteLength) >>> 0 : 0;
        if (address === 0) {
          throw new DatasetError({ message: `${array.byteLength} bytes at once are too many: ` +
            `give fewer rows at a time` });
        }
        spans.push([address, array.byteLength]);
        new Uint8Array(this.#host.memory.buffer, address).set(new Uint8Array(array.buffer, array.byteOffset,
          array.byteLength));
      }
      return f(spans);
    } finally {
      for (const [address] of spans) this.#exports.ds_free(address);
    }
  }

  #copy(Type, [address, length]) {
    return new Type(this.#host.memory.buffer.slice(address, address + length));
  }
}

/** Returns the description of a source that calls take. */
const fileOf = ({ id, size, name }) => ({ source: id, size, name });

/** Checks and returns the number of bytes that a `read` reports. */
function countOf(n, into) {
  if (Number.isInteger(n) && n >= 0 && n <= into.length) return n;
  throw new TypeError(`read must return how many of the ${into.length} bytes it has filled, got ${n}`);
}

const hasChanged = new Error("its size or its time of modification is another than when it was opened");

/** Returns the last part of a path, or the name of a File. */
function nameOf(file) {
  const path = file instanceof URL ? decodeURIComponent(file.pathname) : file;
  return typeof path === "string" ? path.replace(/^.*[/\\]/, "") : path.name ?? "data";
}

/** Returns { size, read(at, into), close() } for any kind of source. `fs` is Node's module. */
function reader(file, fs) {
  if (typeof file.read === "function") return file;
  if (file instanceof Uint8Array) return readerOfBytes(file);
  if (typeof file === "string" || file instanceof URL) return readerOfPath(file, fs);
  if (typeof FileReaderSync === "undefined") {
    throw new TypeError("a File can be read in a worker of a browser; elsewhere give its bytes, and in " +
      "Node a path or a file: URL");
  }
  const wait = new FileReaderSync();
  let from = 0;
  let bytes = new Uint8Array(0); // the bytes of the file from there on
  return {
    size: file.size,
    read(at, into) {
      if (at < from || at >= from + bytes.length) {
        const isNext = at === from + bytes.length;
        drop([bytes.buffer]);
        bytes = new Uint8Array(0); // also if the next line throws
        const more = isNext ? READ_BYTES : APART_BYTES;
        bytes = new Uint8Array(wait.readAsArrayBuffer(file.slice(at, at + Math.max(into.length, more))));
        from = at;
      }
      const part = bytes.subarray(at - from, at - from + into.length);
      into.set(part);
      return part.length;
    },
  };
}

function readerOfBytes(bytes) {
  return {
    size: bytes.length,
    read(at, into) {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
  };
}

function readerOfPath(path, fs) {
  if (!fs) throw new TypeError("a path can be read in Node only: in a browser give a File, in a worker, or bytes");
  const descriptor = fs.openSync(path);
  const stat = () => fs.fstatSync(descriptor, { bigint: true });
  const { size, mtimeNs } = stat();
  return {
    size: Number(size),
    read(at, into) {
      const n = fs.readSync(descriptor, into, 0, into.length, at);
      const now = stat(); // after reading: a writer changes the time first
      if (now.size !== size || now.mtimeNs !== mtimeNs) throw hasChanged;
      return n;
    },
    close: () => fs.closeSync(descriptor),
  };
}

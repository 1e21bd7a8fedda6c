// Files of rows: formats, columns and preprocessing, in dataset.wasm (package dataset). What reads a file waits for it,
// so in a browser this belongs in a worker; in Node it runs anywhere. The documentation is dataset.d.ts.

import { drop } from "./buffers.js";
import { goexec } from "./goexec.js";
import { isNode, nodeModule } from "./node.js";
import { compileFile } from "./wasmfile.js";

const UNREADABLE = -1;
const READ_BYTES = 1 << 20; // of a file at a time

const toBytes = new TextEncoder(), toText = new TextDecoder();

/** What is wrong with a file: `message` is the sentence, `problem` its parts { file, where, what, remedy }. */
export class DatasetError extends Error {
  constructor({ message, problem, columnar = false }) {
    super(message);
    this.name = "DatasetError";
    this.problem = problem;
    this.columnar = columnar; // it takes what loadDataset({ columnar: true }) gives
  }
}

/** Loads dataset.wasm or, with `columnar`, the one that reads and writes Parquet and Arrow too; from beside this module or `url`. */
export async function loadDataset({ columnar = false, url = address(columnar), signal, onProgress } = {}) {
  const dataset = await start(await compileFile(url, { signal, onProgress }));
  dataset.columnar = columnar;
  return dataset;
}

function address(columnar) {
  return columnar ? new URL("./dataset-columnar.wasm", import.meta.url) : new URL("./dataset.wasm", import.meta.url);
}

/** Whether a format is one of those. */
export const isColumnar = (format) => format === "parquet" || format === "arrow";

/** What dataset.wasm sees of this engine, and nothing to send with. goexec adds a file system that only prints. */
const visible = () => {
  const { Object, Array, Uint8Array, Date, TextEncoder, TextDecoder, crypto, performance } = globalThis;
  return { Object, Array, Uint8Array, Date, TextEncoder, TextDecoder, crypto, performance };
};

/** Runs a compiled dataset.wasm. */
async function start(module) {
  const go = new (goexec(visible()))();
  go.env = { GOGC: "50" }; // 11 MB for a CSV in place of 14, and no slower
  const host = { sources: new Map(), memory: null, fs: isNode() ? await nodeModule("fs") : null };
  const read = (id, at, to, n) => host.sources.get(id).read(at, new Uint8Array(host.memory.buffer, to >>> 0, n));
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, dataset: { read } });
  host.memory = instance.exports.mem;
  void go.run(instance);
  return new Dataset(instance.exports, host);
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
      read(at, into) {
        onRead?.(at);
        try {
          return bytes.read(at, into);
        } catch {
          return UNREADABLE;
        }
      },
    });
    const close = () => {
      if (this.#host.sources.delete(id)) bytes.close?.();
    };
    return { id, name, size: bytes.size, close };
  }

  /**
   * The layout of a source: format, columns, and what to use each for. What `reading` does not say is guessed or, where the
   * file is for a preprocessing, as that says.
   */
  sniff(source, reading = {}, { preprocessing } = {}) {
    return this.#call("sniff", { source: source.id, size: source.size, name: source.name, reading, preprocessing });
  }

  /** What the layout suggests: the plan of a preprocessing, to be changed. */
  plan({ layout }) {
    return this.#call("plan", { layout });
  }

  /** A preprocessing after a plan: { preprocessing, needsFit, nFeatures, sparse, cells, model }. */
  preprocessing(plan) {
    return this.#call("preprocessing", { plan });
  }

  /**
   * Why a private release cannot be made of a file that is read so, with a plan or with the preprocessing of a model file, by
   * a method: "" where one can.
   */
  misfit({ reading, plan, preprocessing, method }) {
    return this.#call("misfit", preprocessing ? { reading, preprocessing, method } : { reading, plan, method });
  }

  /** The preprocessing of a model file. */
  fromModel(model) {
    return this.#call("model", { model });
  }

  /** The first pass over all rows, or about the `most` first ones: what `preprocessing` returns, with counts. */
  fit(source, layout, preprocessing, most) {
    const steps = this.fitting(source, layout, preprocessing, most);
    for (;;) {
      const { value, done } = steps.next();
      if (done) return value;
    }
  }

  /** The same in steps, a block of rows each: a generator that returns what `fit` does. */
  *fitting(source, { layout }, { preprocessing }, most = 0) {
    const fitting = this.#call("fit", { source: source.id, size: source.size, layout, preprocessing, most });
    try {
      for (;;) {
        const learned = this.#call("fitStep", { fitting });
        if (learned) return learned;
        yield;
      }
    } finally {
      this.#call("close", { handle: fitting });
    }
  }

  /** The rows of a source in blocks, as of blocks.js. `onState` is told after each, and at the end, what happened to the rows. */
  *rows(source, { layout }, { preprocessing }, onState, { keepAll = false, allRows = 0 } = {}) {
    const reader = this.#call("open", { source: source.id, size: source.size, layout, preprocessing, keepAll, allRows });
    try {
      for (;;) {
        const block = this.#call("next", { reader });
        onState?.(this.#call("state", { reader }));
        if (block.rows === 0) return;
        const X = block.dense ? this.#copy(Float32Array, block.dense)
          : { indptr: this.#copy(Int32Array, block.indptr), indices: this.#copy(Int32Array, block.indices), data: this.#copy(Float32Array, block.data) };
        yield { X, rows: block.rows, cells: this.#copy(Uint8Array, block.cells), offsets: this.#copy(Int32Array, block.offsets), places: this.#copy(Float64Array, block.places) };
      }
    } finally {
      this.#call("close", { handle: reader });
    }
  }

  /**
   * Writes rows of features: header, then the bytes of each block; `finish` returns the header to be put in place of the
   * first, empty if that is right, and the footer behind the last block. With the `state` that another encoder had behind
   * a block it goes on there.
   */
  encoder(format, cells, nComponents, state) {
    const dataset = this;
    const { encoder, header } = this.#call("encoder", { format, cells, nComponents, state });
    return {
      header: this.#copy(Uint8Array, header),
      state,
      encode(Z, block) {
        const encoded = dataset.#withBytes([Z, block.cells, block.offsets], ([features, cells, offsets]) =>
          dataset.#call("encode", { encoder, features, cells, offsets }));
        this.state = encoded.state;
        return dataset.#copy(Uint8Array, encoded.bytes);
      },
      finish: (rows) => {
        const { header, footer } = this.#call("finish", { encoder, rows });
        return { header: this.#copy(Uint8Array, header), footer: this.#copy(Uint8Array, footer) };
      },
      close: () => this.#call("close", { handle: encoder }),
    };
  }

  /** Forgets a layout, preprocessing or encoder. */
  close(handle) {
    this.#call("close", { handle });
  }

  #call(call, request) {
    const text = toBytes.encode(JSON.stringify({ call, ...request }));
    return this.#withBytes([text], ([[address, length]]) => {
      const failed = this.#exports.ds_call(address, length);
      const reply = new Uint8Array(this.#host.memory.buffer, this.#exports.ds_reply() >>> 0, this.#exports.ds_reply_length());
      const answer = JSON.parse(toText.decode(reply));
      if (failed) throw new DatasetError(answer);
      return answer;
    });
  }

  /** Calls f with where the arrays lie in the memory, as [address, length in bytes]. */
  #withBytes(arrays, f) {
    const spans = [];
    try {
      for (const array of arrays) {
        const address = array.byteLength < 2 ** 32 ? this.#exports.ds_alloc(array.byteLength) >>> 0 : 0;
        if (address === 0) throw new DatasetError({ message: `${array.byteLength} bytes at once are too many: give fewer rows at a time` });
        spans.push([address, array.byteLength]);
        new Uint8Array(this.#host.memory.buffer, address).set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));
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

/** The last part of a path, or the name of a File. */
function nameOf(file) {
  const path = file instanceof URL ? decodeURIComponent(file.pathname) : file;
  return typeof path === "string" ? path.replace(/^.*[/\\]/, "") : path.name ?? "data";
}

/** { size, read(at, into), close() } of what a source may be; `fs` is Node's. */
function reader(file, fs) {
  if (typeof file.read === "function") return file;
  if (file instanceof Uint8Array) return readerOfBytes(file);
  if (typeof file === "string" || file instanceof URL) return readerOfPath(file, fs);
  if (typeof FileReaderSync === "undefined") {
    throw new TypeError("a File can be read in a worker of a browser; elsewhere give its bytes, and in Node a path or a file: URL");
  }
  const wait = new FileReaderSync();
  let from = 0;
  let bytes = new Uint8Array(0); // those of the file from there
  return {
    size: file.size,
    read(at, into) {
      if (at < from || at >= from + bytes.length) {
        drop([bytes.buffer]);
        bytes = new Uint8Array(0); // also where the next line throws
        bytes = new Uint8Array(wait.readAsArrayBuffer(file.slice(at, at + Math.max(into.length, READ_BYTES))));
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
  return {
    size: fs.fstatSync(descriptor).size,
    read: (at, into) => fs.readSync(descriptor, into, 0, into.length, at),
    close: () => fs.closeSync(descriptor),
  };
}

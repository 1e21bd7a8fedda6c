// Files of rows: formats, columns and preprocessing, in dataset.wasm (package dataset). What reads a file waits for it,
// so in a browser this belongs in a worker; in Node it runs anywhere.

import "./wasm_exec.js";
import { compileFile } from "./wasmfile.js";

const STOPPED = -2;
const UNREADABLE = -1;
const READ_BYTES = 2 << 20; // of a file at a time

/** What is wrong with a file: `message` is the sentence, `problem` its parts { file, where, what, remedy }. */
export class DatasetError extends Error {
  constructor({ message, problem, stopped = false }) {
    super(message);
    this.name = "DatasetError";
    this.problem = problem;
    this.stopped = stopped;
  }
}

/** Loads dataset.wasm, from beside this module or `url`. */
export async function loadDataset({ url = new URL("./dataset.wasm", import.meta.url), signal, onProgress } = {}) {
  return start(await compileFile(url, { signal, onProgress }));
}

/** Runs a compiled dataset.wasm. */
export async function start(module) {
  const go = new globalThis.Go();
  const host = { sources: new Map(), memory: null };
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

  /**
   * A file to read: a Blob (in a worker), bytes, or { size, read(at, into) } whose read returns how many bytes it wrote.
   * `onRead(at)` is told how far the reading is and may return false to end it.
   */
  source(file, { name = file.name ?? "data", onRead } = {}) {
    const id = ++this.#lastSource;
    const bytes = reader(file);
    this.#host.sources.set(id, {
      read(at, into) {
        if (onRead?.(at) === false) return STOPPED;
        try {
          return bytes.read(at, into);
        } catch {
          return UNREADABLE;
        }
      },
    });
    return { id, name, size: bytes.size, close: () => this.#host.sources.delete(id) };
  }

  /** The layout of a source: format, columns, and what to use each for. */
  sniff(source, { format, header } = {}) {
    return this.#call("sniff", { source: source.id, name: source.name, format, header });
  }

  /** What the layout suggests: the plan of a preprocessing, to be changed. */
  plan({ layout }) {
    return this.#call("plan", { layout });
  }

  /** A preprocessing after a plan: { preprocessing, needsFit, nFeatures, sparse, cells, model }. */
  preprocessing(plan) {
    return this.#call("preprocessing", { plan });
  }

  /** The preprocessing of a model file. */
  fromModel(model) {
    return this.#call("model", { model });
  }

  /** The first pass: what `preprocessing` returns, with counts. */
  fit(source, { layout }, { preprocessing }) {
    return this.#call("fit", { source: source.id, layout, preprocessing });
  }

  /** The rows of a source, block by block: { X, rows, cells, offsets }, X as FeatureMap.transform takes it. */
  *rows(source, { layout }, { preprocessing }, onState) {
    const reader = this.#call("open", { source: source.id, layout, preprocessing });
    try {
      for (;;) {
        const block = this.#call("next", { reader });
        onState?.(this.#call("state", { reader }));
        if (block.rows === 0) return;
        const X = block.dense ? this.#copy(Float32Array, block.dense)
          : { indptr: this.#copy(Int32Array, block.indptr), indices: this.#copy(Int32Array, block.indices), data: this.#copy(Float32Array, block.data) };
        yield { X, rows: block.rows, cells: this.#copy(Uint8Array, block.cells), offsets: this.#copy(Int32Array, block.offsets) };
      }
    } finally {
      this.#call("close", { handle: reader });
    }
  }

  /** Writes rows of features: header, then the bytes of each block, then what replaces the header. */
  encoder(format, cells, nComponents) {
    const { encoder, header } = this.#call("encoder", { format, cells, nComponents });
    return {
      header: this.#copy(Uint8Array, header),
      encode: (Z, block) => this.#withBytes([Z, block.cells, block.offsets], ([features, cells, offsets]) =>
        this.#copy(Uint8Array, this.#call("encode", { encoder, features, cells, offsets }))),
      finalHeader: (rows) => this.#copy(Uint8Array, this.#call("finish", { encoder, rows })),
      close: () => this.#call("close", { handle: encoder }),
    };
  }

  /** Forgets a layout, preprocessing or encoder. */
  close(handle) {
    this.#call("close", { handle });
  }

  #call(call, request) {
    const text = new TextEncoder().encode(JSON.stringify({ call, ...request }));
    return this.#withBytes([text], ([[address, length]]) => {
      const failed = this.#exports.ds_call(address, length);
      const reply = new Uint8Array(this.#host.memory.buffer, this.#exports.ds_reply() >>> 0, this.#exports.ds_reply_length());
      const answer = JSON.parse(new TextDecoder().decode(reply));
      if (failed) throw new DatasetError(answer);
      return answer;
    });
  }

  /** Calls f with where the arrays lie in the memory, as [address, length in bytes]. */
  #withBytes(arrays, f) {
    const spans = [];
    try {
      for (const array of arrays) {
        const address = this.#exports.ds_alloc(array.byteLength) >>> 0;
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

/** Gives the memory of an array back at once, where the engine can: else tens of MB wait for the garbage collector. */
export function free({ buffer }) {
  buffer.transfer?.(0);
}

/** The same for a buffer that the browser itself has made and holds on to: what is sent to nobody is gone. */
function drop(buffer) {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [buffer]);
  port1.close();
}

function reader(file) {
  if (typeof file.read === "function") return file;
  if (file instanceof Uint8Array) {
    return {
      size: file.length,
      read(at, into) {
        const part = file.subarray(at, at + into.length);
        into.set(part);
        return part.length;
      },
    };
  }
  const wait = new FileReaderSync();
  let from = 0;
  let bytes = new Uint8Array(0); // those of the file from there
  return {
    size: file.size,
    read(at, into) {
      if (at < from || at >= from + bytes.length) {
        drop(bytes.buffer);
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

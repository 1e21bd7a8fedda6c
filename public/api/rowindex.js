// Searches: rows in 8 or 4 bits a number, scanned by index.wasm (package sketch/index). The documentation is
// tensorsketch.d.ts. Each index has its own instance, so that its memory goes with it. A call gets what it is `of`:
// { ts, engine, mapOf(map), files }, where mapOf says what a map is now, and files are of index.wasm (indexfiles.js).

import { allocate } from "./buffers.js";
import {
  checkIsBoolean, checkOptions, checkRunning, checkSignal, checkWhole, disposedError, errorAt, fault, isWhole,
  memoryError, moved, orAborted, paramError, shapeError, show, TensorSketchError,
} from "./errors.js";
import { GoProgram } from "./gojs.js";
import { isClass } from "./records.js";
import { checkColumns, rowSource, someRows, withLargeValue } from "./rows.js";
import { giveWay } from "./slices.js";
import { partsOf } from "./sources.js";
import { compileBuild, loadError } from "./wasmfile.js";

const METRICS = ["cosine", "inner", "euclidean"]; // in the order of Go's constants
const BITS = [32, 8, 4];
const CODES = ["ERR_INTERNAL", "ERR_PARAM", "ERR_SHAPE", "ERR_NONFINITE", "ERR_MEMORY"]; // in the order of sketch.Code
const ABI_VERSION = 2;
const BLOCK_BYTES = 1 << 18; // of rows that cross into WebAssembly at once
const FEATURE_BYTES = 1 << 24; // of features that a map makes at once
const SLICE_MS = 8; // of work between two turns of the event loop
const MOST_ID = 2 ** 32 - 2;
const WANT_ID = `be an integer from 0 to ${MOST_ID}: keep other names in a list of yours`;
const DEFAULT_RERANK = 40;

/** Makes an index. */
export async function makeIndex(of, options) {
  const { map, nFeatures, metric = "cosine", bits = 8, keep = false, seed = 0, ...file } =
    checkOptions(options, ["map", "nFeatures", "metric", "bits", "keep", "seed", "wasmBinary"]);
  if ((map === undefined) === (nFeatures === undefined)) {
    throw fault("map", "map must be given, or nFeatures for rows that are searched as they are, got " +
      (map === undefined ? "neither" : "both"));
  }
  if (map !== undefined) checkMap(map, of);
  if (!METRICS.includes(metric)) throw paramError("metric", 'be "cosine", "inner" or "euclidean"', metric);
  if (!BITS.includes(bits)) throw paramError("bits", "be 32, 8 or 4", bits);
  checkIsBoolean("keep", keep);
  checkWhole("seed", seed, 0, 2 ** 32 - 1);
  if (map === undefined) checkWhole("nFeatures", nFeatures, 1, 2 ** 20);
  const core = await startCore(of, file);
  const width = map?.nComponents ?? nFeatures;
  core.ask("ix_new", width, METRICS.indexOf(metric), bits, Number(keep), seed);
  if (map !== undefined) core.setNote(JSON.stringify(map));
  return new RowIndex(core, { map: map ?? null, width, metric, bits, keep }, of);
}

/** Makes the index of a file: its bytes, a Blob, a Response, a stream, or an iterable of its parts. */
export async function openIndex(of, file, options = {}) {
  const { map, key, signal, ...rest } = checkOptions(options, ["map", "key", "signal", "wasmBinary"]);
  checkSignal(signal);
  if (map !== undefined) checkMap(map, of);
  if (map !== undefined && key !== undefined) throw fault("key", "key must be left out where map is given");
  const core = await startCore(of, rest);
  const parts = new Parts(file, signal);
  try {
    for (let n = core.call("ix_need"); n > 0; n = core.call("ix_need")) {
      signal?.throwIfAborted();
      const at = core.stage(n);
      await parts.read(n, () => core.bytes(at, n));
      core.ask("ix_feed");
    }
    await parts.end();
  } finally {
    await parts.close();
  }
  const note = core.note();
  const [width, metric, bits, keep] = [0, 1, 2, 3].map((which) => core.call("ix_option", which));
  const settings = { map: map ?? null, width, metric: METRICS[metric], bits, keep: keep === 1 };
  if (note === "") {
    const given = ["map", "key"].find((name) => options[name] !== undefined);
    if (!given) return new RowIndex(core, settings, of);
    throw fault(given, `${given} must be left out: the rows of this index were given as they are`);
  }
  if (map === undefined) {
    settings.map = settings.own = of.ts.fromJSON(note, key === undefined ? {} : { key });
  } else if (featuresOf(map.toJSON()) !== featuresOf(JSON.parse(note))) {
    throw paramError("map", "be the map whose features this index has", map);
  }
  return new RowIndex(core, settings, of);
}

/** Returns what a model file says of features: neither how rows are made nor how a key is. */
function featuresOf({ preprocessing, keySalt, ...model }) {
  return JSON.stringify(model);
}

function checkMap(map, { mapOf }) {
  if (!mapOf(map)) throw paramError("map", "be a map of this module, as featureMap makes it", map);
  if (Array.isArray(map.nFeatures)) throw paramError("map", "take one row, not one for each degree", map);
}

class RowIndex {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("send its bytes: toBytes()");
  #core;
  #settings;
  #changes = 0; // so that a file is of one state
  #isAdding = false; // in addAsync
  #map; // what says whether the map is as it was
  #signs; // of the map: ⟨q, x⟩ is the estimate with the signs in q

  constructor(core, settings, of) {
    const { map, metric } = settings;
    this.#core = core;
    this.#settings = settings;
    this.#map = map && of.mapOf(map);
    this.#signs = map?.signs;
    if (this.#signs && metric !== "inner") {
      throw paramError("metric", 'be "inner" for a map with signs', metric);
    }
  }

  get map() {
    return this.#settings.map;
  }

  get nFeatures() {
    return this.#settings.map?.nFeatures ?? this.#settings.width;
  }

  get metric() {
    return this.#settings.metric;
  }

  get bits() {
    return this.#settings.bits;
  }

  get keep() {
    return this.#settings.keep;
  }

  get size() {
    return this.#living().call("ix_count");
  }

  get memoryBytes() {
    return this.#living().memory.buffer.byteLength;
  }

  add(X, ids) {
    const call = this.#begin(X, ids);
    const before = this.#state();
    try {
      for (let row = 0; row < call.rows; row += call.perStep) {
        const features = this.#featuresOf(call, row, Math.min(call.perStep, call.rows - row));
        for (const add of this.#blocksOf(call, row, features)) add();
      }
      this.#living().call("ix_settle");
    } catch (error) {
      this.#restore(before);
      throw error;
    }
    return call.ids ?? call.first;
  }

  async addAsync(X, ids, options = {}) {
    const { signal, onProgress } = checkRunning(options);
    signal?.throwIfAborted();
    const call = { ...this.#begin(X, ids), started: performance.now() };
    this.#isAdding = true;
    const before = this.#state();
    try {
      for (let row = 0; row < call.rows; ) {
        const rows = Math.min(call.perStep, call.rows - row);
        const features = await this.#featuresOf(call, row, rows, (block) => this.map.transformAsync(block, { signal }));
        await this.#addSlowly(call, row, features, signal);
        row += rows;
        onProgress?.(row, call.rows);
      }
      this.#living().call("ix_settle");
    } catch (error) {
      this.#restore(before);
      throw error;
    } finally {
      this.#isAdding = false;
    }
    return call.ids ?? call.first;
  }

  has(id) {
    const ids = oneID("id", id);
    return this.#living().taken(ids) === 0;
  }

  remove(ids) {
    const list = typeof ids === "number" ? oneID("ids", ids) : wholeIDs(ids);
    const core = this.#changing();
    let removed = 0;
    const most = BLOCK_BYTES / 4;
    for (let at = 0; at < list.length; at += most) removed += core.remove(list.subarray(at, at + most));
    return removed;
  }

  search(q, k = 10, options = {}) {
    const core = this.#living();
    const { rerank = DEFAULT_RERANK } = checkOptions(options, ["rerank"]);
    checkWhole("k", k, 1, 2 ** 31 - 1);
    checkWhole("rerank", rerank, 1, 2 ** 31 - 1);
    const source = rowSource(q, this.nFeatures, "q");
    const each = Math.min(k, this.size);
    const list = (Type) => newList(Type, source.rows * each, "the result", "give fewer queries");
    const found = { ids: list(Uint32Array), scores: list(Float64Array), k: each };
    const { width } = this.#settings;
    const most = Math.max(1, Math.floor(BLOCK_BYTES / Math.max(4 * width, 12 * each)));
    for (let row = 0; row < source.rows; row += most) {
      const rows = Math.min(most, source.rows - row);
      const call = { source, argument: "q" };
      const features = this.#featuresOf(call, row, rows);
      this.#signs && features.forEach((value, i) => { features[i] = value * this.#signs[i % width]; });
      this.#placed(call, row, () => core.search(features, rows, k, rerank, found, row * each));
    }
    return found;
  }

  *blocks() {
    const changes = this.#changes;
    const core = this.#living();
    for (let i = 0, sum = 0n; ; i++) {
      if (this.#living() !== core || this.#changes !== changes) {
        throw fault(undefined, "blocks() must end before the index changes: save it again");
      }
      const block = core.block(i, sum);
      if (block === null) return;
      sum = block.sum;
      yield block.bytes;
    }
  }

  toBytes() {
    const bytes = newList(Uint8Array, this.#living().call("ix_file_bytes"), "the file", "write blocks()");
    let at = 0;
    for (const block of this.blocks()) {
      bytes.set(block, at);
      at += block.length;
    }
    return bytes;
  }

  toJSON() {
    throw fault(undefined, "an index is no JSON: keep toBytes()");
  }

  dispose() {
    this.#core = null;
    this.#settings.own?.dispose();
  }

  #living() {
    if (this.#core === null) throw disposedError("index");
    return this.#core;
  }

  /** Returns the core for a call that changes the index. */
  #changing() {
    const core = this.#living();
    if (this.#isAdding) {
      throw fault(undefined, "addAsync must end before the index changes: await it");
    }
    this.#changes++;
    return core;
  }

  #state() {
    const core = this.#living();
    return [core.call("ix_count"), core.call("ix_next")];
  }

  #restore(before) {
    this.#changes++;
    this.#core?.call("ix_truncate", ...before);
  }

  /** Checks the arguments of add. */
  #begin(X, ids) {
    const core = this.#changing();
    const source = rowSource(X, this.nFeatures, "X");
    const { rows } = source;
    const list = ids === undefined ? null : wholeIDs(ids);
    if (list !== null) {
      if (list.length !== rows) throw shapeError("ids", `have one id for each of the ${rows} rows`, `${list.length}`);
      const twice = firstTwice(list);
      const taken = twice < 0 ? core.taken(list) : -1;
      if (twice >= 0) throw idError(ids, twice, "be there once");
      if (taken >= 0) throw idError(ids, taken, "be new: remove the row that has it first");
    }
    const first = core.call("ix_next");
    if (list === null && first + rows > MOST_ID + 1) {
      throw fault("ids", `ids must be given: none are left above ${first - 1}`);
    }
    const bytes = this.map === null ? BLOCK_BYTES : FEATURE_BYTES;
    const perStep = Math.max(1, Math.floor(bytes / (4 * this.#settings.width)));
    return { source, argument: "X", rows, ids: list, first, perStep };
  }

  /** Returns rows as the index takes them: the map's features, by `transform`, or the numbers themselves. */
  #featuresOf(call, row, rows, transform = (block) => this.map.transform(block)) {
    const { source } = call;
    if (this.map === null) return denseRows(source, row, rows);
    this.#map.living();
    const block = source.sparse ? sparseRows(source, row, rows) : denseRows(source, row, rows);
    return this.#placed(call, row, () => transform(block));
  }

  async #addSlowly(call, first, features, signal) {
    for (const add of this.#blocksOf(call, first, features)) {
      signal?.throwIfAborted();
      this.#living();
      this.#changes++;
      add();
      if (performance.now() - call.started < SLICE_MS) continue;
      await giveWay();
      call.started = performance.now();
    }
  }

  /** Returns functions that add blocks of rows one after another. */
  *#blocksOf(call, first, features) {
    const { width } = this.#settings;
    const most = Math.max(1, Math.floor(BLOCK_BYTES / (4 * width)));
    const rows = features.length / width;
    for (let row = 0; row < rows; row += most) {
      const n = Math.min(most, rows - row);
      const ids = call.ids?.subarray(first + row, first + row + n) ?? null;
      const part = features.subarray(row * width, (row + n) * width);
      yield () => this.#placed(call, first + row, () => this.#living().add(part, n, ids));
    }
  }

  /** Does something with rows from `first` on. Its errors name the row of the call. */
  #placed({ source, argument }, first, what) {
    const place = (error) => {
      if (!(error instanceof TensorSketchError) || error.row === undefined) throw error;
      const column = this.map === null || error.argument === "X" ? error.column : undefined;
      throw withLargeValue(moved(error, { argument, row: first + error.row, column, rowsDone: undefined }), [source]);
    };
    try {
      const result = what();
      return typeof result?.then === "function" ? result.catch(place) : result;
    } catch (error) {
      return place(error);
    }
  }
}

if (Symbol.dispose) RowIndex.prototype[Symbol.dispose] = RowIndex.prototype.dispose;

function newList(Type, length, what, remedy) {
  return allocate(Type, length, `${what} needs ${length * Type.BYTES_PER_ELEMENT} bytes, more than this engine can ` +
    `allocate at once: ${remedy}`);
}

const isID = (id) => isWhole(id, 0, MOST_ID);

/** Returns a copy of ids as a Uint32Array, after a check of each. */
function wholeIDs(ids) {
  if (!Array.isArray(ids) && !(ArrayBuffer.isView(ids) && ids.length >= 0)) {
    throw paramError("ids", `be an array of integers from 0 to ${MOST_ID}`, ids);
  }
  for (let i = 0; i < ids.length; i++) {
    if (!isID(ids[i])) throw idError(ids, i, WANT_ID);
  }
  return new Uint32Array(ids);
}

/** Does the same for one id, which an argument is. */
function oneID(argument, id) {
  if (isID(id)) return Uint32Array.of(id);
  throw paramError(argument, WANT_ID, id);
}

function idError(ids, i, want) {
  return fault("ids", `ids[${i}] must ${want}, got ${show(ids[i])}`);
}

/** Returns the place of the first id that stands in the list before, or −1. */
function firstTwice(ids) {
  const seen = new Set();
  return ids.findIndex((id) => seen.size === seen.add(id).size);
}

const sparseRows = (source, row, rows) => someRows(source, Array.from({ length: rows }, (_, i) => row + i));

function denseRows(source, row, rows) {
  const d = source.nFeatures;
  const block = new Float32Array(rows * d);
  if (!source.sparse) {
    source.write(block.buffer, 0, row, rows);
    return block;
  }
  const { indptr, indices, data } = sparseRows(source, row, rows);
  for (let i = 0; i < rows; i++) {
    const columns = indices.slice(indptr[i], indptr[i + 1]);
    checkColumns(columns, source.argument, row + i);
    columns.forEach((column, at) => { block[i * d + column] = data[indptr[i] + at]; });
  }
  return block;
}

/** The calls of an instance of index.wasm. What goes in and out lies in one buffer, the stage. */
class IndexCore {
  #exports;
  #program;

  constructor(exports, program) {
    this.#exports = exports;
    this.#program = program;
    this.memory = exports.mem;
  }

  /** Calls an export. After a trap, as without memory, nothing works any more. */
  call(name, ...args) {
    if (this.#exports === null) throw memoryError("this index has ended: make it again");
    try {
      return this.#exports[name](...args);
    } catch (error) {
      this.#exports = null;
      throw memoryError(`this index has ended (${this.#program.text || error.message}): make it again, with fewer ` +
        "bits or rows");
    }
  }

  /** Calls an export that returns a status, and throws the error that it stands for. */
  ask(name, ...args) {
    if (this.call(name, ...args) !== 0) throw this.#failure();
  }

  /** Returns the address of the stage, which has at least so many bytes. */
  stage(bytes) {
    const at = this.call("ix_stage", bytes) >>> 0;
    if (at === 0) throw noMemory();
    return at;
  }

  bytes(at, length) {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  add(features, rows, ids) {
    const at = this.stage(features.byteLength + 4 * rows);
    new Float32Array(this.memory.buffer, at, features.length).set(features);
    if (ids !== null) new Uint32Array(this.memory.buffer, at + features.byteLength, rows).set(ids);
    this.ask("ix_add", rows, Number(ids !== null));
  }

  /** Returns the place of the first of these ids that the index has, or −1. */
  taken(ids) {
    const most = BLOCK_BYTES / 4;
    for (let from = 0; from < ids.length; from += most) {
      const place = this.#withIDs("ix_taken", ids.subarray(from, from + most));
      if (place >= 0) return from + place;
    }
    return -1;
  }

  remove(ids) {
    return this.#withIDs("ix_remove", ids);
  }

  #withIDs(name, ids) {
    const at = this.stage(4 * ids.length); // which may move the memory
    new Uint32Array(this.memory.buffer, at, ids.length).set(ids);
    return this.call(name, ids.length);
  }

  /** Searches, and writes what is found from place `to` on. */
  search(queries, rows, k, rerank, found, to) {
    const count = rows * found.k;
    const at = this.stage(Math.max(queries.byteLength, 12 * count));
    new Float32Array(this.memory.buffer, at, queries.length).set(queries);
    this.ask("ix_search", rows, k, rerank);
    found.scores.set(new Float64Array(this.memory.buffer, at, count), to);
    found.ids.set(new Uint32Array(this.memory.buffer, at + 8 * count, count), to);
  }

  setNote(text) {
    const note = new TextEncoder().encode(text);
    this.bytes(this.stage(note.length), note.length).set(note);
    this.call("ix_set_note", note.length);
  }

  note() {
    const length = this.call("ix_note");
    const at = this.stage(length);
    this.call("ix_note");
    return new TextDecoder().decode(this.bytes(at, length));
  }

  /** Returns a copy of a block of the file, and the sum to give with the next one, or null after the last. */
  block(i, sum) {
    const at = this.stage(this.call("ix_max_block"));
    const length = this.call("ix_block", i, sum);
    return length === 0 ? null : { bytes: this.bytes(at, length).slice(), sum: this.call("ix_sum") };
  }

  #failure() {
    const at = this.stage(1024);
    this.call("ix_failure");
    const [code, row, column, nameLength, length] = new Int32Array(this.memory.buffer, at, 5);
    if (CODES[code] === "ERR_MEMORY") return noMemory();
    const text = new TextDecoder().decode(this.bytes(at + 20, nameLength + length));
    const [argument, rest] = [text.slice(0, nameLength), text.slice(nameLength)];
    if (row >= 0) return errorAt(CODES[code], { argument, row, ...(column >= 0 && { column }) }, rest);
    return new TensorSketchError(CODES[code], `${argument} ${rest}`, { argument });
  }
}

function noMemory() {
  return memoryError("the index has no memory left, of 4 GiB or of what this engine gives: take fewer bits, or " +
    "several indexes");
}

/** Runs an instance of the build that the module's core has. */
async function startCore(of, { wasmBinary }) {
  const { module, from } = await findModule(of, wasmBinary);
  const program = new GoProgram();
  let exports;
  try {
    ({ exports } = await WebAssembly.instantiate(module, program.imports));
  } catch (error) {
    throw loadError(from, error.message);
  }
  program.start(exports, {});
  if (exports.ix_abi?.() !== ABI_VERSION) {
    throw loadError(from, "the .wasm file and the JavaScript files are of different releases: copy all of one release");
  }
  return new IndexCore(exports, program);
}

async function findModule({ files, engine: { build, baseURL } }, wasmBinary) {
  const from = "wasmBinary";
  if (wasmBinary === undefined) {
    return compileBuild(build, files, { baseURL }, `give ts.index the content of index.wasm as ${from}`);
  }
  const bytes = bytesOf(wasmBinary, from, "the bytes of index.wasm");
  const module = await WebAssembly.compile(bytes).catch(({ message }) => {
    throw loadError(from, `${message}; give the bytes of index.wasm as they are`);
  });
  return { module, from };
}

/** Reads parts of a file into pieces of other sizes. */
class Parts {
  #parts;
  #part = new Uint8Array(0); // what is left of a part
  #length = 0; // read so far
  #signal;

  constructor(file, signal) {
    this.#parts = partsOfFile(file, signal);
    this.#signal = signal;
  }

  /** Fills a piece of so many bytes. `piece()` returns it: a view of memory that may move while parts are awaited. */
  async read(length, piece) {
    for (let at = 0; at < length; ) {
      if (this.#part.length === 0 && !await this.#next()) {
        throw fault("bytes", `bytes must be the whole file of an index, got ${this.#length} bytes, which end early: ` +
          "copy it again");
      }
      const part = this.#part.subarray(0, length - at);
      piece().set(part, at);
      this.#part = this.#part.subarray(part.length);
      at += part.length;
      this.#length += part.length;
    }
  }

  async end() {
    if (this.#part.length === 0 && !await this.#next()) return;
    throw fault("bytes", "bytes must be the file of an index alone, got bytes after its end");
  }

  async close() {
    const closed = this.#parts.return?.();
    if (this.#signal?.aborted) Promise.resolve(closed).catch(() => {}); // what waits for a part waits on
    else await closed;
  }

  /** Goes on to the next part that has bytes, and reports whether there is one. */
  async #next() {
    for (;;) {
      const { done, value } = await orAborted(Promise.resolve(this.#parts.next()), this.#signal);
      if (done) return false;
      this.#part = bytesOf(value);
      if (this.#part.length > 0) return true;
    }
  }
}

const FILE = "the bytes of an index, a Blob, a Response, a stream, or Uint8Arrays";

function bytesOf(part, argument = "bytes", want = FILE) {
  if (part?.byteLength === 0) return new Uint8Array(0); // also of a buffer that was transferred
  if (ArrayBuffer.isView(part)) return new Uint8Array(part.buffer, part.byteOffset, part.byteLength);
  if (isClass(part, "ArrayBuffer")) return new Uint8Array(part);
  throw paramError(argument, `be ${want}`, part);
}

/** Returns an iterator over the parts of a file. */
function partsOfFile(file, signal) {
  if (isClass(file, "Blob") || isClass(file, "File")) return partsOf(file.stream(), signal);
  if (isClass(file, "Response")) return partsOfResponse(file, signal);
  if (isClass(file, "ReadableStream")) return partsOfStream(file, signal);
  if (ArrayBuffer.isView(file) || isClass(file, "ArrayBuffer")) return [file].values();
  const begin = file?.[Symbol.asyncIterator] ?? file?.[Symbol.iterator];
  if (typeof begin === "function" && typeof file !== "string") return begin.call(file);
  return [bytesOf(file)].values();
}

function partsOfResponse(response, signal) {
  const { ok, status, statusText, body } = response;
  if (ok && body) return partsOfStream(body, signal, response.bodyUsed);
  throw paramError("bytes", "be an answer with a file", `${status} ${statusText}`.trim());
}

function partsOfStream(stream, signal, isUsed = false) {
  if (!isUsed && !stream.locked) return partsOf(stream, signal);
  throw paramError("bytes", "be a stream that nobody reads, or has read", stream);
}

// Reads files of rows: formats, columns and preprocessing, in dataset.wasm (package dataset). Reading blocks the
// thread, so in a browser this module belongs in a worker; in Node it runs in any thread. It is the first half
// of dataset.js, and dataset.d.ts has the documentation.

import { DatasetError, disposed, endOf, MIB } from "./dataseterror.js";
import { Encoder, Kept, LabelReader, Layout, PreparedRows, programs } from "./datasetkept.js";
import { restartProgram, startProgram, withMaxMemory } from "./datasetprogram.js";
import { aboutRows, cellsOf, checkCells, checkRecords, joinedRows, labelsOf } from "./datasetrows.js";
import {
  checkCallback, checkIsBoolean, checkObject, checkOptions, checkRunning, checkWhole, isTyped, paramError, show,
} from "./errors.js";
import { checked, fit, modelOf } from "./filejobs.js";
import { givenAddress, isNode, nodeModule } from "./node.js";
import { DATASET } from "./sizes.js";
import { giveWay } from "./slices.js";
import { areRows, awaited, fileOf, hasChanged, nameOf, readerOf } from "./sources.js";
import { COLUMNAR } from "./tables.js";
import { compileFile, loadError, ownAddress } from "./wasmfile.js";

const UNREADABLE = -1, CHANGED = -2; // results of `read` that are not a number of bytes
const MAX_NAMES = 10; // of columns in a message

const toBytes = (text) => new TextEncoder().encode(text); // importing needs neither
const toText = (bytes) => new TextDecoder().decode(bytes);

const LEAST_MEMORY = 64 * MIB, MOST_MEMORY = 4096 * MIB;

/**
 * Loads dataset.wasm or, with `columnar`, the build that also reads and writes Parquet and Arrow. The file is fetched
 * from `url`, by default beside this module, unless its bytes are given as `wasmBinary`. Its memory cannot grow beyond
 * `maxMemory` bytes.
 */
export async function loadDataset(options = {}) {
  const { columnar = false, url, wasmBinary, maxMemory = 1024 * MIB, signal, onProgress } =
    checkRunning(options, ["columnar", "url", "wasmBinary", "maxMemory"]);
  checkIsBoolean("columnar", columnar);
  if (!(Number.isInteger(maxMemory) && maxMemory >= LEAST_MEMORY && maxMemory <= MOST_MEMORY)) {
    throw new DatasetError({ message: `maxMemory must be a number of bytes from ${LEAST_MEMORY} (64 MiB) to ` +
      `${MOST_MEMORY} (4 GiB), got ${typeof maxMemory === "number" ? maxMemory : typeof maxMemory}` });
  }
  const name = columnar ? "dataset-columnar.wasm" : "dataset.wasm", size = DATASET[name];
  const change = (bytes) => withMaxMemory(bytes, maxMemory);
  const address = async () => (url === undefined
    ? ownAddress(FILES[name], name, `give loadDataset the address of ${name} as url`, size)
    : givenAddress("url", `be the address of ${name}`, url));
  const fetched = async () => compileFile(await address(),
    { size, signal, onProgress, variant: `maxMemory ${maxMemory}`, change });
  signal?.throwIfAborted();
  const module = await (wasmBinary === undefined ? fetched() : compileGiven(wasmBinary, name, change));
  const dataset = await start(module, maxMemory);
  dataset.columnar = columnar;
  return dataset;
}

async function compileGiven(bytes, name, change) {
  if (!/ArrayBuffer\]$/.test(Object.prototype.toString.call(bytes)) && !ArrayBuffer.isView(bytes)) {
    throw paramError("wasmBinary", `be the bytes of ${name}`, bytes);
  }
  try {
    return await WebAssembly.compile(change(new Uint8Array(bytes.buffer ?? bytes, bytes.byteOffset ?? 0,
      bytes.byteLength)));
  } catch (error) {
    throw loadError("wasmBinary", `${error.message}; give the bytes of ${name} as they are`);
  }
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

/** Runs a compiled dataset.wasm. */
async function start(module, maxMemory) {
  const host = { sources: new Map(), memory: null, fs: isNode() ? await nodeModule("fs") : null, onProblem: null,
    failure: null };
  const bytesAt = (address, length) => new Uint8Array(host.memory.buffer, address >>> 0, length);
  const imports = {
    read: (id, at, to, n) => host.sources.get(id)?.read(at, bytesAt(to, n)) ?? UNREADABLE,
    problem: (address, length) => host.onProblem?.(JSON.parse(toText(bytesAt(address, length)))),
  };
  const program = await startProgram(module, imports, maxMemory);
  return new Dataset(program, host, { maxMemory, restart: () => restartProgram(module, imports, maxMemory) });
}

class Dataset {
  #host;
  #maxMemory;
  #restart;
  #lastSource = 0;
  #sources = new WeakSet(); // that this Dataset has made
  #lastJob = 0;
  #jobs = new Map(); // at work: { program, reject, file }
  #isDisposed = false;
  #prepares = new WeakMap(); // of preprocessings of models: { program, prepared }

  constructor(program, host, { maxMemory, restart }) {
    this.#host = host;
    this.#maxMemory = maxMemory;
    this.#restart = restart;
    programs.set(this, program);
    host.memory = program.memory;
  }

  source(file, options = {}) {
    const { name = nameOf(file), onRead } = checkOptions(options, ["name", "onRead"]);
    if (typeof name !== "string") throw paramError("name", "be a text", name);
    checkCallback(onRead, "onRead");
    if (this.#isDisposed) throw disposed();
    const id = ++this.#lastSource;
    const bytes = readerOf(file, this.#host.fs);
    this.#host.sources.set(id, {
      close: () => bytes.close?.(),
      read: (at, into) => {
        try {
          onRead?.(at);
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
    const source = { id, name, size: bytes.size, close, ...(areRows(file) && { rows: true }) };
    this.#sources.add(source);
    return source;
  }

  /** Ends the program and its jobs, and closes all sources. The Dataset cannot be used afterwards. */
  dispose() {
    this.#isDisposed = true;
    for (const [id, { program, reject }] of this.#jobs) {
      program.jobs.control(id, "drop");
      reject(disposed());
    }
    this.#jobs.clear();
    programs.set(this, null);
    this.#host.memory = null;
    for (const source of this.#host.sources.values()) source.close();
    this.#host.sources.clear();
  }

  /** Returns a promise of the source of a file that may come by and by: it is held in memory, unless it is at hand. */
  async sourceAsync(file, options = {}) {
    const { signal, ...rest } = checkOptions(options, ["name", "onRead", "signal"]);
    const [given, content] = await awaited(file, signal);
    return this.source(content, { name: nameOf(given), ...rest });
  }

  /**
   * Returns the layout of a source: its format, its columns and the role of each. Settings that `reading` lacks come
   * from `preprocessing` if it is given; otherwise they are guessed.
   */
  sniff(source, reading = {}, options = {}) {
    const { preprocessing } = checkOptions(options, ["preprocessing"]);
    return new Layout(this, this.#call("sniff", { ...this.#fileOf(source), reading,
      preprocessing: preprocessing && this.#prepared(preprocessing) }));
  }

  /** Returns the plan of a preprocessing that the layout suggests, with other roles. The caller may change it. */
  plan(layout, roles = {}) {
    const plan = this.#call("plan", { layout: this.#layout(layout), roles: checkObject("roles", roles) });
    const byName = new Map(plan.columns.map((column) => [column.name, column]));
    for (const [name, role] of Object.entries(roles)) {
      const column = byName.get(name);
      if (!column) {
        const names = plan.columns.slice(0, MAX_NAMES).map((column) => show(column.name)).join(", ");
        const more = plan.columns.length > MAX_NAMES ? ` and ${plan.columns.length - MAX_NAMES} more` : "";
        throw new DatasetError({ message: `roles must name columns of the file, which are ${names}${more}, ` +
          `got ${show(name)}` });
      }
      column.role = role; // also one that is none: `preprocessing` says what there is
    }
    return plan;
  }

  /** Returns the preprocessing that a plan describes: { needsFit, nFeatures, sparse, cells, model }. */
  preprocessing(plan) {
    checkObject("plan", plan);
    return new PreparedRows(this, this.#call("preprocessing", { plan }));
  }

  /**
   * Returns why no private release can be made by `method` of a file with this reading and with a plan or a model
   * file's preprocessing. It returns "" if one can be made.
   */
  misfit(release) {
    const { reading, plan, preprocessing, method } =
      checkObject("release", release, ["reading", "plan", "preprocessing", "method"]);
    if (!(preprocessing ?? plan)) throw paramError("plan", "be what plan returns, or give preprocessing", plan);
    return this.#call("misfit", preprocessing ? { reading, preprocessing, method } : { reading, plan, method });
  }

  /** Returns the preprocessing of a model file. */
  fromModel(model) {
    if (model === null || model === undefined) {
      throw new DatasetError({ message: "preprocessing must come from a model file, but this map was saved without " +
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
    const fitting = this.#keep(this.#call("fit", { ...this.#fileOf(source), layout: this.#layout(layout),
      preprocessing: this.#prepared(preprocessing), most }));
    try {
      for (;;) {
        const learned = this.#call("fitStep", { fitting: this.#handle(fitting, "the first pass") }, source.name);
        if (learned) return new PreparedRows(this, learned);
        yield;
      }
    } finally {
      fitting.close();
    }
  }

  /**
   * Yields the rows of a source in blocks (blocks.js). It calls `onState` after each block and at the end with what
   * happened to the rows. It calls `onProblem` for each row that is left out, while the block is read.
   */
  *rows(source, layout, preprocessing, onState, options = {}) {
    const { keepAll = false, holdPlaces = false, allRows = 0, onProblem, preparation } = checkOptions(options,
      ["keepAll", "holdPlaces", "allRows", "onProblem", "preparation"]);
    checkCallback(onState, "onState");
    checkCallback(onProblem, "onProblem");
    const rows = this.#keep(this.#call("open", { ...this.#fileOf(source), layout: this.#layout(layout),
      preprocessing: this.#prepared(preprocessing), keepAll, allRows, hold: holdPlaces,
      report: Boolean(onProblem), preparation: preparation ?? undefined }));
    try {
      for (;;) {
        const reader = this.#handle(rows, "the reading of rows");
        const block = this.#hearing(onProblem, () => this.#call("next", { reader }, source.name));
        onState?.(this.#call("state", { reader }));
        if (block.rows === 0) return;
        const X = block.dense ? this.#copy(Float32Array, block.dense)
          : { indptr: this.#copy(Int32Array, block.indptr), indices: this.#copy(Int32Array, block.indices),
            data: this.#copy(Float32Array, block.data) };
        yield { X, rows: block.rows, cells: this.#copy(Uint8Array, block.cells),
          offsets: this.#copy(Int32Array, block.offsets), places: this.#copy(Float64Array, block.places) };
      }
    } finally {
      rows.close();
    }
  }

  /** Returns the texts of cell k of each row of a block. */
  texts(block, k = 0) {
    const { rows, cells, offsets } = checkCells(block);
    const perRow = rows === 0 ? 0 : (offsets.length - 1) / rows;
    if (!Number.isInteger(perRow)) throw paramError("block", "be a block that rows gave", block);
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

  /** Returns a LabelReader (see dataset.d.ts). */
  labels(layout, preprocessing, options = {}) {
    const { classes, numbers } = checkOptions(options, ["classes", "numbers"]);
    const handle = this.#call("labels", { layout: this.#layout(layout), preprocessing: this.#prepared(preprocessing),
      classes, numbers });
    const handleOf = (kept) => this.#handle(kept, "labels", LabelReader);
    const call = (name, kept, texts, at = new Float64Array(0)) => this.#withBytes([...cellsOf(texts), at],
      ([cells, offsets, places]) => this.#call(name, { labels: handleOf(kept), cells, offsets, places }));
    return new LabelReader(this, handle, {
      see: (kept, texts, places) => call("seeLabels", kept, texts, places),
      notes: (kept, task) => this.#call("labelNotes", { labels: handleOf(kept), task }),
      read: (kept, texts) => {
        const { fresh, codes } = call("readLabels", kept, texts);
        return { fresh, codes: this.#copy(Int32Array, codes) };
      },
      numbers: (kept, texts) => this.#copy(Float64Array, call("labelNumbers", kept, texts).numbers),
    });
  }

  /** Returns an Encoder (see dataset.d.ts). */
  encoder(format, cells, nComponents, options = {}) {
    const { state, rowNumbers = false } = checkOptions(options, ["state", "rowNumbers"]);
    const { encoder, header } = this.#call("encoder", { format, cells, nComponents, state, rowNumbers });
    return new Encoder(this, { encoder, header: this.#copy(Uint8Array, header) }, state, {
      encode: (kept, Z, block) => {
        const { cells, offsets, places = new Float64Array(0) } = checkCells(block);
        if (!isTyped(Z, "Float32Array") || nComponents > 0 && Z.length % nComponents !== 0) {
          throw paramError("Z", `be a Float32Array of rows of ${nComponents} features`, Z);
        }
        return this.#withBytes([Z, cells, offsets, places], ([features, cells, offsets, places]) => {
          const { bytes, state } = this.#call("encode",
            { encoder: this.#handle(kept, "encoder", Encoder), features, cells, offsets, places });
          return { bytes: this.#copy(Uint8Array, bytes), state };
        });
      },
      finish: (kept, rows) => {
        checkWhole("rows", rows, 0, Number.MAX_SAFE_INTEGER);
        const { header, footer } = this.#call("finish", { encoder: this.#handle(kept, "encoder", Encoder), rows });
        return { header: this.#copy(Uint8Array, header), footer: this.#copy(Uint8Array, footer) };
      },
    });
  }

  /** Fits a model to rows as objects, for recordsfit.js. */
  async fitRows(ts, rows, options) {
    checkRecords(rows);
    try {
      return await fit(ts, Array.isArray(rows) ? rows : [rows], { ...options, dataset: this });
    } catch (error) {
      throw aboutRows(error);
    }
  }

  #sourceOf(records) {
    checkRecords(records);
    try {
      return this.source(records, { name: "rows" });
    } catch (error) {
      throw aboutRows(error);
    }
  }

  /**
   * Reads rows as objects for a model with this preprocessing and preparation: { rows, notes }, the rows as its map
   * takes them. With `labels`, { task, classes }, there are the labels, too. Throws for a row that cannot be used.
   */
  readRows(records, { preprocessing, preparation }, labels) {
    const kept = [], source = this.#sourceOf(records);
    try {
      const prepared = this.#preparedFor(preprocessing);
      const layout = this.sniff(source, {}, { preprocessing: prepared });
      kept.push(layout);
      const reader = labels && this.labels(layout, prepared, labels.classes ? { classes: labels.classes } : {});
      if (reader) kept.push(reader);
      let counts;
      const blocks = [], found = [];
      const onProblem = (problem) => {
        throw new DatasetError({ message: `${problem.file}, ${problem.where}: ${problem.what}; ${problem.remedy}.`,
          problem });
      };
      for (const block of this.rows(source, layout, prepared, (now) => (counts = now),
        { onProblem, preparation })) {
        blocks.push(block.X);
        if (reader) found.push(...labelsOf(reader, this.texts(block), labels.task, found.length));
      }
      return { rows: joinedRows(blocks), notes: counts.notes, ...(reader && { labels: found }) };
    } finally {
      source.close();
      for (const one of kept.reverse()) one.close();
    }
  }

  /** Returns the preprocessing of a model file, which is kept as long as the object is there. */
  #preparedFor(preprocessing) {
    this.#asker(); // starts a program that has ended
    const program = programs.get(this);
    const known = this.#prepares.get(preprocessing);
    if (known?.program === program) return known.prepared;
    const prepared = this.fromModel(preprocessing);
    this.#prepares.set(preprocessing, { program, prepared });
    return prepared;
  }

  /** Returns { xy, share }: coordinates of rows, from their n × n inner products as float64 (subspace.PlaceGram). */
  components(products, rows) {
    return this.#withBytes([products], ([products]) => this.#call("components", { products, rows }));
  }

  /** Returns the ONNX file of a model: the text of a model file, its JSON parsed, or what has toJSON. */
  onnx(model) {
    return this.#copy(Uint8Array, this.#call("onnx", { model: modelOf(checked(model)).text }));
  }

  /** Returns the text for the receiver of a private release, of what its job began with (jobs/release.go). */
  releaseFile(release, model) {
    return this.#call("releaseFile", { release, model });
  }

  /**
   * Begins a job of wasm/work/jobs.go: { done, stop(), drop(), pause(), resume() }. `done` is the promise of its reply.
   * `given` has what the request cannot hold: `api`, a module of tensorsketch.js, and `write(bytes)` for an output.
   * `onProgress` gets the phase, the rows, the share that is done, and whether the job is paused; `onNews` what the job
   * tells before its end.
   */
  job(name, request, { onProgress = () => {}, onNews, ...given }) {
    this.#asker(); // starts a program that has ended
    const files = request.files.map((file) => this.#fileOf(file));
    const program = programs.get(this), id = String(++this.#lastJob), ending = new AbortController();
    let held = null, goOn, last = []; // `held` is the promise of resume() while the job is paused
    const progress = (...news) => onProgress(...(last = news));
    const hold = () => {
      if (held && !last[3]) progress(...last.slice(0, 3), true);
      return held;
    };
    program.onEnd = (error) => void this.#ended(program, undefined, error);
    const done = new Promise((resolve, reject) => {
      this.#jobs.set(id, { program, reject, file: request.files[0].name });
      const { signal } = ending;
      program.jobs.begin(id, name, JSON.stringify({ ...request, files }), { ...given, signal,
        hold, onProgress: progress, onNews: (news) => onNews(JSON.parse(news)), giveWay, end: (failed, reply) => {
          const cause = this.#host.failure;
          this.#host.failure = null;
          this.#jobs.delete(id);
          if (failed) reject(new DatasetError(JSON.parse(reply), cause));
          else resolve(JSON.parse(reply));
        } });
    });
    const tell = (what) => programs.get(this) === program && program.jobs.control(id, what);
    const resume = () => {
      tell("resume");
      if (last[3]) progress(...last.slice(0, 3), false);
      goOn?.();
      held = null;
    };
    const end = (what) => {
      tell(what);
      ending.abort();
      resume();
    };
    return { done, resume, stop: () => end("stop"), drop: () => end("drop"), pause: () => {
      tell("pause");
      held ??= new Promise((resolve) => (goOn = resolve));
    } };
  }

  /** Returns the error of a program that has ended, and ends its jobs. The next call starts another. */
  #ended(program, file, error) {
    if (programs.get(this) === program) programs.set(this, null);
    const end = (name) => endOf(program.program.text, name, this.#maxMemory, error);
    for (const [id, job] of this.#jobs) {
      if (job.program === program && this.#jobs.delete(id)) job.reject(end(job.file));
    }
    return end(file);
  }

  /** Releases `kept`: a handle, or a Layout, PreparedRows or Encoder. */
  close(kept) {
    if (kept instanceof Kept) kept.close();
    else this.#call("close", { handle: kept });
  }

  #keep(handle) {
    return new Kept(this, handle);
  }

  #handle(kept, name, Type = Kept) {
    if (this.#isDisposed) throw disposed();
    return Kept.handleOf(kept, Type, this, name);
  }

  #layout(layout) {
    return this.#handle(layout, "layout", Layout);
  }

  #prepared(preprocessing) {
    return this.#handle(preprocessing, "preprocessing", PreparedRows);
  }

  /** Returns the description of a source that this Dataset has made, and not closed. */
  #fileOf(source) {
    const file = fileOf(source);
    if (this.#isDisposed) throw disposed();
    if (this.#sources.has(source) && this.#host.sources.has(source.id)) return file;
    throw new TypeError(this.#sources.has(source) ? "source was closed: make it again"
      : "source belongs to another Dataset: make it with this one");
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

  /** Calls dataset.wasm. `file` names the file that the call reads. */
  #call(call, request, file = request.name) {
    const text = toBytes(JSON.stringify({ call, ...request }));
    return this.#withBytes([text], ([[address, length]], ask) => {
      const failed = ask("ds_call", address, length);
      const reply = new Uint8Array(this.#host.memory.buffer, ask("ds_reply") >>> 0, ask("ds_reply_length"));
      const answer = JSON.parse(toText(reply));
      const cause = this.#host.failure;
      this.#host.failure = null;
      if (failed) throw new DatasetError(answer, cause);
      return answer;
    }, file);
  }

  /** Returns a function that calls an export of the program. A program that has ended is started again. */
  #asker(file) {
    if (this.#isDisposed) throw disposed();
    let program = programs.get(this);
    if (program === null) {
      try {
        program = this.#restart();
      } catch (error) {
        throw new DatasetError({ message: `the program that reads files has ended, and cannot be started again ` +
          `(${error.message}): call loadDataset again` }, error);
      }
      programs.set(this, program);
      this.#host.memory = program.memory;
    }
    return (name, ...args) => {
      try {
        return program.exports[name](...args);
      } catch (error) {
        throw this.#ended(program, file, error);
      }
    };
  }

  /**
   * Calls f with the place of each array in memory, as [address, length in bytes], and with a function that calls an
   * export.
   */
  #withBytes(arrays, f, file) {
    const ask = this.#asker(file);
    const program = programs.get(this);
    const spans = [];
    try {
      for (const array of arrays) {
        const address = array.byteLength < 2 ** 32 ? ask("ds_alloc", array.byteLength) >>> 0 : 0;
        if (address === 0) {
          throw new DatasetError({ message: `${array.byteLength} bytes at once are too many: ` +
            `give fewer rows at a time` });
        }
        spans.push([address, array.byteLength]);
        new Uint8Array(this.#host.memory.buffer, address).set(new Uint8Array(array.buffer, array.byteOffset,
          array.byteLength));
      }
      return f(spans, ask);
    } finally {
      if (programs.get(this) === program) for (const [address] of spans) ask("ds_free", address);
    }
  }

  #copy(Type, [address, length]) {
    return new Type(this.#host.memory.buffer.slice(address, address + length));
  }
}

if (Symbol.dispose) Dataset.prototype[Symbol.dispose] = Dataset.prototype.dispose;

/** Checks and returns the number of bytes that a `read` reports. */
function countOf(n, into) {
  if (Number.isInteger(n) && n >= 0 && n <= into.length) return n;
  throw new TypeError(`read must return how many of the ${into.length} bytes it has filled, got ${n}`);
}

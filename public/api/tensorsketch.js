// tensorsketch: random features of the polynomial kernel, in WebAssembly. The documentation is tensorsketch.d.ts.
// Importing this module does nothing: load() fetches the core.

import { toArrow } from "./arrow.js";
import { CompressedProduct } from "./compressedproduct.js";
import { Core } from "./core.js";
import { checkIsNumber, disposedError, paramError, rejectUnknownKeys, TensorSketchError } from "./errors.js";
import { checkCallback, checkSignal, FeatureMap } from "./featuremap.js";
import { TASKS } from "./tables.js";
import { noThreadsHere } from "./hosts.js";
import { deriveKey } from "./key.js";
import { Learner, prepare } from "./learner.js";
import { fromModel } from "./model.js";
import { resolveParams } from "./params.js";
import { plan } from "./plan.js";
import { Pool } from "./pool.js";
import { Model } from "./predict.js";
import { makeLedger } from "./privacy.js";
import { isRecords, Reader } from "./records.js";
import { fitRecords, labelsFor } from "./recordsfit.js";
import { fitRows } from "./rowsfit.js";
import { defaultThreads, waysToStart } from "./thread.js";
import { findCore, loadError } from "./wasmfile.js";

export { deriveKey, TensorSketchError, toArrow };

const version = "0.3.0";
const BUILDS = ["auto", "simd", "scalar"];
const OPTIONS = ["build", "baseURL", "module", "wasmBinary", "workerURL", "threads", "maxMemory", "dataset", "signal",
  "onProgress"];
const MIB = 2 ** 20;
const MAX_THREADS = 256;

export async function load(options = {}) {
  const { build: wanted, maxMemory, workerURL, dataset, ...rest } = checkOptions(options);
  const reader = new Reader(dataset);
  const ways = await waysToStart(workerURL);
  const noThreadsBecause = noThreadsHere();
  const threads = noThreadsBecause ? 0 : rest.threads ?? await defaultThreads();
  const { build, module, from } = await findCore(wanted, rest);
  const core = startCore(module, maxMemory, from);
  const pool = new Pool(core, { module, maxMemory, threads, ways, noThreadsBecause });
  return new TensorSketch(build, core, pool, reader);
}

/** Ends the workers of a module that was garbage-collected, with all its maps, without dispose. */
const dropped = new FinalizationRegistry((pool) => pool.dispose(disposedError("module")));

class TensorSketch {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("load the module where it is wanted");
  #engine;

  constructor(build, core, pool, reader) {
    let alive = true;
    dropped.register(this, pool, this);
    this.#engine = {
      build,
      owner: this, // a map in use keeps its module alive
      core,
      pool,
      reader,
      alive: () => alive,
      free(map, reason) {
        if (!alive) return;
        pool.free(map, reason);
        core.freeMap(map);
      },
      dispose() {
        alive = false;
        pool.dispose(disposedError("module"));
        core.dispose();
      },
    };
  }

  get version() {
    return version;
  }

  get capabilities() {
    const { build, core, pool } = this.#engine;
    const { threads, noThreadsBecause } = pool;
    return Object.freeze({ build, compiler: core.compiler, lanes: core.lanes, threads, noThreadsBecause });
  }

  featureMap(params) {
    return new FeatureMap(this.#living(), resolveParams(params));
  }

  fromJSON(model, options = {}) {
    const engine = this.#living();
    if (typeof options !== "object" || options === null) throw paramError("options", "be an object", options);
    rejectUnknownKeys(options, ["key", "task", "labels"], "option");
    const { key, labels } = options;
    const task = options.task ?? (labels && "classify");
    if (![undefined, ...TASKS].includes(task)) throw paramError("task", 'be "classify" or "regress"', task);
    const { settings, held, head } = fromModel(model, key);
    if (task && head?.task !== task) {
      throw new TensorSketchError("ERR_PARAM", `model must be the file of a model with the task "${task}", got ` +
        (head ? `one with the task "${head.task}"` : "the file of a map alone"), { argument: "model" });
    }
    return head ? new Model(engine, settings, held, head, labels && labelsFor(labels, head.classes))
      : new FeatureMap(engine, settings, held);
  }

  prepare(X, y, options) {
    return prepare(this.#living(), X, y, options);
  }

  learner(options) {
    return new Learner(this.#living(), options);
  }

  async fit(X, y, options) {
    const engine = this.#living();
    return isRecords(X) ? fitRecords(this, engine, X, y, options) : fitRows(engine, X, y, options);
  }

  plan(question) {
    return plan(this.#living(), question);
  }

  compressedProduct(A, B, shape, options) {
    return new CompressedProduct(this.#living(), A, B, shape, options);
  }

  ledger(options) {
    return makeLedger(this.#living(), options);
  }

  subspaceDimension(k, degree, epsilon, delta) {
    const { core } = this.#living();
    Object.entries({ k, degree, epsilon, delta }).forEach(([name, value]) => checkIsNumber(name, value));
    if (k === 0) throw paramError("k", "be an integer ≥ 1", k);
    return core.dimension(k, degree, epsilon, delta);
  }

  matrixProductDimension(degree, epsilon, delta) {
    const { core } = this.#living();
    Object.entries({ degree, epsilon, delta }).forEach(([name, value]) => checkIsNumber(name, value));
    return core.dimension(0, degree, epsilon, delta);
  }

  async warm() {
    await this.#living().pool.warm();
  }

  rest() {
    this.#living().pool.rest();
  }

  dispose() {
    if (!this.#engine.alive()) return;
    dropped.unregister(this);
    this.#engine.dispose();
  }

  #living() {
    if (!this.#engine.alive()) throw disposedError("module");
    return this.#engine;
  }
}

if (Symbol.dispose) TensorSketch.prototype[Symbol.dispose] = TensorSketch.prototype.dispose;

function checkOptions(options) {
  if (typeof options !== "object" || options === null) throw paramError("options", "be an object", options);
  rejectUnknownKeys(options, OPTIONS, "option");
  const { build = "auto", threads, maxMemory = 1024 * MIB, signal, onProgress } = options;
  if (!BUILDS.includes(build)) throw paramError("build", `be one of ${BUILDS.map((b) => `"${b}"`).join(", ")}`, build);
  if (threads !== undefined && !isIntegerIn(threads, 0, MAX_THREADS)) {
    throw paramError("threads", `be an integer from 0 to ${MAX_THREADS}`, threads);
  }
  if (!isIntegerIn(maxMemory, 32 * MIB, 4096 * MIB)) {
    throw paramError("maxMemory", `be a number of bytes from ${32 * MIB} (32 MiB) to ${4096 * MIB} (4 GiB)`, maxMemory);
  }
  checkSignal(signal);
  checkCallback(onProgress);
  return { ...options, build, maxMemory };
}

function isIntegerIn(value, least, most) {
  return Number.isInteger(value) && value >= least && value <= most;
}

function startCore(module, maxMemory, url) {
  try {
    return new Core(module, maxMemory);
  } catch (error) {
    if (error.code === "ERR_LOAD") throw loadError(url, error.message);
    throw error;
  }
}

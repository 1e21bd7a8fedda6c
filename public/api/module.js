// EmbeddingModule: a loaded core with the maps of an application and the workers that help. tensorsketch.js extends it.

import { checkOptions, checkRunning, checkWhole, disposedError, fault, isWhole, paramError } from "./errors.js";
import { noThreadsHere } from "./hosts.js";
import { fromModel } from "./model.js";
import { resolveParams } from "./params.js";
import { Pool } from "./pool.js";
import { defaultThreads, waysToStart } from "./thread.js";
import { findCore, loadError } from "./wasmfile.js";

const version = "0.3.0";
const BUILDS = ["auto", "simd", "scalar"];
const OPTIONS = ["build", "baseURL", "module", "wasmBinary", "workerURL", "threads", "maxMemory"];
const MIB = 2 ** 20;
const MAX_THREADS = 256;

/**
 * Loads a core as the options of `load` say, and returns the parts of an EmbeddingModule. `files` are the core's and
 * the worker's (corefiles.js), and `Core` is the class of the core's calls. Options named `others` are the caller's.
 */
export async function loadParts(options, files, Core, others = []) {
  const { build: wanted, maxMemory, workerURL, ...rest } = checkLoading(options, others);
  const ways = await waysToStart(workerURL, files);
  const noThreadsBecause = noThreadsHere();
  const threads = noThreadsBecause ? 0 : rest.threads ?? await defaultThreads();
  const { build, module, from } = await findCore(wanted, rest, files);
  const core = startCore(Core, module, maxMemory, from);
  return { build, core, pool: new Pool(core, { module, maxMemory, threads, ways, noThreadsBecause }) };
}

/** Ends the workers of a module that was garbage-collected, with all its maps, without dispose. */
const dropped = new FinalizationRegistry((pool) => pool.dispose(disposedError("module")));

/** Returns what the maps of a module share. Throws if the module has been disposed. */
export let engineOf;

export class EmbeddingModule {
  static {
    engineOf = (module) => module.#living();
  }

  /** As of FeatureMap. */
  cannotBeCloned = Symbol("load the module where it is wanted");
  #engine;
  #Map;

  /** `others` are what its own classes share besides. `Map` is the class of its maps. */
  constructor({ build, core, pool, ...others }, Map) {
    let alive = true;
    dropped.register(this, pool, this);
    this.#Map = Map;
    this.#engine = {
      ...others,
      build,
      owner: this, // a map in use keeps its module alive
      core,
      pool,
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
    return new this.#Map(this.#living(), resolveParams(params));
  }

  fromJSON(model, options = {}) {
    const engine = this.#living();
    const { settings, held } = fromModel(model, checkOptions(options, ["key"]).key, mapAlone);
    return new this.#Map(engine, settings, held);
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

if (Symbol.dispose) EmbeddingModule.prototype[Symbol.dispose] = EmbeddingModule.prototype.dispose;

/** Reads what a model has beside its map (model.js), where only maps are read. */
function mapAlone({ preparation, head }) {
  if (preparation === undefined && head === undefined) return { head: null };
  throw fault("model", "model must be the file of a map alone, got a model that predicts: " +
    'import load from "tensorsketch"');
}

function checkLoading(options, others) {
  const { build = "auto", threads, maxMemory = 1024 * MIB } = checkRunning(options, OPTIONS, others);
  if (!BUILDS.includes(build)) throw paramError("build", 'be one of "auto", "simd", "scalar"', build);
  if (threads !== undefined) checkWhole("threads", threads, 0, MAX_THREADS);
  if (!isWhole(maxMemory, 32 * MIB, 4096 * MIB)) {
    throw paramError("maxMemory", `be a number of bytes from ${32 * MIB} (32 MiB) to ${4096 * MIB} (4 GiB)`, maxMemory);
  }
  return { ...options, build, maxMemory };
}

function startCore(Core, module, maxMemory, url) {
  try {
    return new Core(module, maxMemory);
  } catch (error) {
    if (error.code === "ERR_LOAD") throw loadError(url, error.message);
    throw error;
  }
}

// FeatureMap: the object that embeds rows for a caller. It checks shapes and lengths. The core of this thread or, for
// transformAsync, the pool does the mathematics.

import { featureBatches, RowStream } from "./batches.js";
import { BatchTask, BlocksTask, newCall } from "./blocks.js";
import { newMatrix } from "./buffers.js";
import { checkIsBoolean, checkIsNumber, checkOptions, checkRunning, checkSignal, disposedError, fault, isTyped, moved,
  paramError, shapeError, TensorSketchError } from "./errors.js";
import { Fitter } from "./fitter.js";
import { gramTask, nearestTask } from "./gram.js";
import { Job } from "./job.js";
import { readKeySalt } from "./key.js";
import { FITTED, SLOW } from "./tables.js";
import { Theory } from "./theory.js";
import { toModel } from "./model.js";
import { encodeParams, publicParams, withResolved } from "./params.js";
import { pool } from "./pooled.js";
import { readPreprocessing } from "./preprocessing.js";
import { checkFeatures, checkRows, pickRows, rowSource, withLargeValue } from "./rows.js";
import { canShare } from "./shared.js";
import { TransformTask } from "./tasks.js";

const BATCH_ROWS = 1024;
const SHORT_WAY = 2 ** 18; // numbers of a row and its features, at most
const PRODUCT_MS = 4e-7; // of two numbers, until it is measured

let lastId = 0;

/** Frees the map of a FeatureMap that was garbage-collected without dispose. */
const dropped = new FinalizationRegistry(({ engine, map }) => engine.free(map, disposedError("feature map")));

/** Returns the parts of a map for other classes: { living, settings, held, source(X) }. `living` is the core's map. */
export let partsOf;

/** Returns a map for other classes, as its #access does. */
export let accessTo;

export class FeatureMap {
  static {
    accessTo = (map, what) => map.#access(what);
    partsOf = (map) => {
      const living = map.#living();
      const held = { fit: living.fit, keySalt: map.#keySalt, preprocessing: map.#preprocessing ?? undefined,
        ...(map.#preparation ? { preparation: map.#preparation } : {}) };
      return { living, settings: map.#settings, held, source: (X) => map.#singleSource(X) };
    };
  }

  /**
   * structuredClone, postMessage and IndexedDB refuse a symbol, and V8 shows its text. Without it they would make {} of
   * this object, whose state is private.
   */
  cannotBeCloned = Symbol("send or store JSON.stringify(map), for ts.fromJSON");
  #engine; // { core, pool, alive(), free(map, reason) }, shared by all maps of a module
  #map; // the core's map; null after dispose
  #settings;
  #params = null;
  #preprocessing;
  #keySalt;
  #productCost = null; // of a product of two rows of features
  #theory = null;
  #head;
  #preparation;

  /**
   * A model also gives the `fit`, which are landmarks or a projection, `keyCheck` to recognise its key, `keySalt` to
   * derive the key from a passphrase, the `preprocessing` that makes its rows, and the `head` of the core's map, if it
   * has one. With a `preparation` (preparation.js) it takes the rows that this prepares; such a map is ours alone.
   */
  constructor(engine, settings, { fit, keyCheck, keySalt, preprocessing, head, preparation } = {}) {
    this.#engine = engine;
    this.#head = head;
    this.#preparation = preparation ?? null;
    this.#settings = settings; // #make needs them
    this.#preprocessing = preprocessing ?? null;
    this.#keySalt = keySalt;
    const map = this.#makeOfModel(fit);
    try {
      this.#settings = withResolved(settings, engine.core.resolvedParams(map));
      if (keyCheck !== undefined && keyCheck !== this.#settings.keyCheck) {
        throw fault("key", "key must be the key of the model, and this is another one");
      }
    } catch (error) {
      engine.free(map, error);
      throw error;
    }
    this.#use(map);
  }

  /** Makes a map in the core with these settings. */
  #make(fit) {
    const { nComponents, repeats } = this.#settings;
    return this.#engine.core.newMap(encodeParams(this.#settings), repeats * nComponents, fit, this.#head,
      this.#preparation);
  }

  /** Returns a Fitter of this map, for rows that `source` makes of its arguments. */
  #newFitter(radius, source) {
    const { core, free } = this.#engine;
    return new Fitter({ core, source, make: () => this.#make(), free, living: () => this.#living(),
      use: (map, fit) => {
        this.#living();
        this.#replace(Object.assign(map, { fit }));
      } }, radius);
  }

  #fitAll(source) {
    const fitter = this.#newFitter(0, (rows) => rows);
    try {
      fitter.measure(source);
      fitter.add(source);
      fitter.finish();
    } finally {
      fitter.dispose();
    }
  }

  /** Puts a fitted map of the core in the place of the one before. */
  #replace(map) {
    this.#release(new TensorSketchError("ERR_DISPOSED", "this map has been fitted anew: call transformAsync again"));
    this.#use(map);
  }

  /** Does the same for a model, whose fit may have a wrong length. */
  #makeOfModel(fit) {
    try {
      return this.#make(fit);
    } catch (error) {
      if (error.argument !== "projection") throw error;
      throw fault("model.projection", `model.${error.message}`);
    }
  }

  #use(map) {
    const nFeatures = this.#width;
    this.#map = Object.assign(map, { id: ++lastId, nFeatures, msPerRow: guessCost(this.#settings), measured: false });
    dropped.register(this, { engine: this.#engine, map }, this);
  }

  get params() {
    return (this.#params ??= publicParams(this.#settings));
  }

  get nFeatures() {
    return this.#settings.nFeatures;
  }

  get nComponents() {
    return this.#settings.repeats * this.#settings.nComponents;
  }

  get preprocessing() {
    return this.#preprocessing;
  }

  get signs() {
    const map = this.#living();
    return this.#settings.methodParams.signed ? (map.signs ??= this.#engine.core.landmarkRows(map)).slice() : null;
  }

  transform(X, out) {
    const map = this.#living();
    const row = this.#transformRow(map, X, out);
    if (row) return row;
    const source = this.#singleSource(X);
    const result = outputFor(out, source.rows, this.nComponents, [source]);
    this.#transform(map, [source], result, false);
    return result;
  }

  async transformAsync(X, options = {}) {
    const map = this.#living();
    const { out, signal, onProgress } = checkRunning(options, ["out"]);
    signal?.throwIfAborted();
    const source = this.#singleSource(X);
    const task = out === "blocks" ? new BlocksTask(map, source) : new TransformTask(map, source,
      outputFor(out, source.rows, this.nComponents, [source], true));
    return this.#run(task, { signal, onProgress });
  }

  transformBatches(X, options = {}) {
    const { living } = this.#access("iterator");
    this.#checkSingle();
    const { batchSize = BATCH_ROWS, signal, reuse = false } = checkOptions(options, ["batchSize", "signal", "reuse"]);
    if (!Number.isInteger(batchSize) || batchSize < 1) {
      throw paramError("batchSize", "be a number of rows, an integer ≥ 1", batchSize);
    }
    checkIsBoolean("reuse", reuse);
    checkSignal(signal);
    const stream = new RowStream(X, this.nFeatures);
    const call = newCall(this, stream.whole?.rows ?? 0, batchSize, this.#engine.pool.threads);
    const transform = (source, first, rows, stop) =>
      this.#run(new BatchTask(living(), source, first, rows, call), { signal: stop });
    return featureBatches(stream, { transform, batchSize, signal, call, reuse });
  }

  transformProduct(Xs, out) {
    const map = this.#living();
    const sources = this.#productSources(Xs);
    const result = outputFor(out, sources[0].rows, this.nComponents, sources);
    this.#transform(map, sources, result, true);
    return result;
  }

  pool(X, options = {}) {
    const map = this.#living();
    const source = this.#singleSource(X);
    return pool(source.rows, this.nComponents, options, (sums) => this.#transform(map, [source], sums, false));
  }

  poolProduct(Xs, options = {}) {
    const map = this.#living();
    const sources = this.#productSources(Xs);
    return pool(sources[0].rows, this.nComponents, options, (sums) => this.#transform(map, sources, sums, true));
  }

  fit(X, options = {}) {
    const map = this.#living();
    const source = this.#singleSource(X);
    const { landmarks } = checkOptions(options, ["landmarks"]);
    if (landmarks === undefined && this.#settings.method === "k-space") {
      this.#fitAll(source);
      return;
    }
    const pivoted = landmarks === "pivoted";
    if (pivoted) checkRows(source);
    else if (![undefined, "uniform"].includes(landmarks)) {
      throw paramError("landmarks", 'be "uniform" or "pivoted"', landmarks);
    }
    const rows = this.#engine.core.landmarkRows(map, source.rows, pivoted && source);
    checkRows(source);
    this.#replace(fitted((landmarks) => this.#make(landmarks), source, rows));
  }

  fitter(options = {}) {
    this.#living();
    const { radius = 0 } = checkOptions(options, ["radius"]);
    checkIsNumber("radius", radius);
    return this.#newFitter(radius, (X) => this.#singleSource(X));
  }

  estimate(zx, zy, options = {}) {
    const { signs } = this;
    const { how = "mean" } = checkOptions(options, ["how"]);
    if (how !== "mean" && how !== "median") throw paramError("how", 'be "mean" or "median"', how);
    checkFeatures("zx", zx, this.nComponents);
    checkFeatures("zy", zy, this.nComponents);
    const { repeats, nComponents } = this.#settings;
    if (how === "mean") return dot(zx, zy, 0, zx.length, signs);
    // Each sketch is divided by √repeats.
    const estimates = Array.from({ length: repeats },
      (_, r) => repeats * dot(zx, zy, r * nComponents, (r + 1) * nComponents, signs));
    return median(estimates);
  }

  gram(A, B = A) {
    return gramTask(this.#products(), A, B).run();
  }

  async gramAsync(A, B = A, options = {}) {
    return this.#runProducts(gramTask(this.#products(), A, B), options);
  }

  /** Rows have `width` numbers where a class that extends this one gives more than features (nearmap.js). */
  nearest(Z, q, k, options = {}, width) {
    checkOptions(options, []);
    return nearestTask(this.#products(width), Z, q, k).run();
  }

  async nearestAsync(Z, q, k, options = {}, width) {
    return this.#runProducts(nearestTask(this.#products(width), Z, q, k), options);
  }

  get theory() {
    return (this.#theory ??= new Theory(() => this.#access("theory")));
  }

  toJSON(options) {
    // JSON.stringify passes the name of the property that holds the map.
    const { includeKey = false, keySalt, preprocessing } =
      checkOptions(typeof options === "object" ? options : {}, ["includeKey", "keySalt", "preprocessing"]);
    checkIsBoolean("includeKey", includeKey);
    if (keySalt !== undefined && this.#settings.hash !== "key") {
      throw fault("keySalt", "keySalt must be left out: this map has no key");
    }
    return this.#model({
      includeKey,
      keySalt: keySalt === undefined ? this.#keySalt : readKeySalt("keySalt", keySalt),
      preprocessing: preprocessing === undefined ? this.#preprocessing
        : readPreprocessing(preprocessing, this.#width),
    });
  }

  get [Symbol.toStringTag]() {
    return "FeatureMap";
  }

  /** What console.log shows in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    return `FeatureMap ${this.#map === null ? "(disposed) " : ""}${inspect(this.params, options)}`;
  }

  dispose() {
    if (this.#map === null) return;
    this.#release(disposedError(this.#what));
    this.#map = null;
  }

  get #what() {
    return this.#head ? "model" : "feature map";
  }

  /** Frees the core's map. Calls that still use it fail with `reason`. */
  #release(reason) {
    dropped.unregister(this);
    this.#engine.free(this.#map, reason);
  }

  #living() {
    if (this.#map === null) throw disposedError(this.#what);
    if (!this.#engine.alive()) throw disposedError("module");
    return this.#map;
  }

  /**
   * Returns this map for other classes: { core, nComponents, vectorLength, source(X), living() }. `what` is the
   * argument's name in errors.
   */
  #access(what) {
    const map = this.#living();
    return {
      core: this.#engine.core,
      nComponents: this.nComponents,
      vectorLength: [this.nFeatures].flat().reduce((sum, d) => sum + d), // d, or Σ d_k for the vectors of all degrees
      source: (X) => this.#singleSource(X),
      living: () => {
        if (this.#living() === map) return map;
        throw fault("map", `the map of this ${what} has been fitted anew: make another ${what}`);
      },
    };
  }

  #singleSource(X) {
    this.#checkSingle();
    return rowSource(X, this.#width, "X");
  }

  #productSources(Xs) {
    const { degree, nFeatures } = this.#settings;
    if (!Array.isArray(Xs)) throw paramError("Xs", `be an array of ${degree} inputs, one per degree`, Xs);
    if (Xs.length !== degree) throw shapeError("Xs", `hold one input per degree, ${degree}`, Xs.length);
    const sources = Xs.map((X, k) => rowSource(X, Array.isArray(nFeatures) ? nFeatures[k] : nFeatures, `Xs[${k}]`));
    const { rows } = sources[0];
    for (const source of sources) {
      if (source.rows !== rows) {
        throw shapeError(source.argument, `have as many rows as Xs[0], ${rows}`, `${source.rows} rows`);
      }
    }
    return sources;
  }

  /** The length of the rows that it is given. */
  get #width() {
    return this.#preparation?.nFeatures ?? this.#settings.nFeatures;
  }

  #checkSingle() {
    if (Array.isArray(this.nFeatures)) {
      throw new TensorSketchError("ERR_SHAPE",
        "this map takes one input per degree: call transformProduct",
        { argument: "X" });
    }
  }

  /** Begins a call in the workers, or in this thread if it is small, and returns its result or a promise of it. */
  #run(task, options) {
    if (task.rows === 0) {
      options.onProgress?.(0, 0);
      return task.result();
    }
    const job = new Job({ owner: this, task, ...options });
    this.#engine.pool.run(job);
    return job.promise;
  }

  #products(nComponents = this.nComponents) {
    this.#productCost ??= { msPerRow: PRODUCT_MS * nComponents, measured: false };
    return { core: this.#engine.core, map: this.#living(), nComponents, cost: this.#productCost, signs: this.signs };
  }

  async #runProducts(task, options) {
    const { signal, onProgress } = checkRunning(options);
    signal?.throwIfAborted();
    return this.#run(task, { signal, onProgress });
  }

  /** Does a short way for one row, where nothing is unusual, and returns its features. Else it returns null. */
  #transformRow(map, X, out) {
    const { nFeatures, nComponents } = map;
    if (!(X instanceof Float32Array) || X.length !== nFeatures || nFeatures + nComponents > SHORT_WAY) return null;
    const row = out ?? new Float32Array(nComponents);
    if (!(row instanceof Float32Array) || row.length !== nComponents) return null;
    // V8 takes 25 ns for each buffer. Arrays with one beginning have the same first number; NaN is refused below.
    if ((row.byteOffset !== X.byteOffset || row[0] === X[0]) && row.buffer === X.buffer) return null;
    return this.#engine.core.transformRow(map, X, row) ? row : null;
  }

  #transform(map, sources, out, product) {
    try {
      this.#engine.core.transform(map, sources, out, { product });
    } catch (error) {
      throw withLargeValue(error, sources);
    }
  }

  #model(options) {
    const { fit } = this.#living();
    const { method } = this.#settings;
    if (FITTED.includes(method) && !fit) {
      throw paramError("method", `be fitted before its model is written, where it is "${method}": call fit(X)`,
        "an unfitted map");
    }
    return toModel(this.#settings, { ...options, fit });
  }
}

if (Symbol.dispose) FeatureMap.prototype[Symbol.dispose] = FeatureMap.prototype.dispose;

/** Returns the caller's `out`, checked, or a new array. With `isAsync` it may be "shared". */
function outputFor(out, rows, nComponents, sources, isAsync = false) {
  const length = rows * nComponents;
  if (out === undefined) return newMatrix(Float32Array, rows, nComponents);
  if (isAsync && out === "shared" && canShare()) return newMatrix(Float32Array, rows, nComponents, SharedArrayBuffer);
  if (!isTyped(out, "Float32Array")) {
    const others = isAsync ? ', "blocks", or "shared" if crossOriginIsolated' : "";
    throw paramError("out", `be a Float32Array of length ${length}${others}`, out);
  }
  if (out.length !== length) {
    throw shapeError("out", `have length rows × nComponents = ${rows} × ${nComponents} = ${length}`,
      `length ${out.length}`);
  }
  if (sources.some(({ values }) => overlaps(out, values))) throw paramError("out", "not overlap the input", out);
  return out;
}

function overlaps(a, b) {
  return ArrayBuffer.isView(b) && a.buffer === b.buffer &&
    a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength;
}

/** Makes a map in the core and fits it to rows picked from X. An error about a landmark names its row in X. */
function fitted(make, source, rows) {
  try {
    return make(pickRows(source, rows));
  } catch (error) {
    throw error.row === undefined ? error : moved(error, { row: rows[error.row], rowsDone: undefined });
  }
}

/** Returns Σ a_i b_i over i = from … to − 1, times signs_i if there are signs. */
function dot(a, b, from, to, signs) {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i] * (signs ? signs[i] : 1);
  return sum;
}

/** Returns the median. For an even number of values it is the mean of the two in the middle. */
function median(values) {
  values.sort((a, b) => a - b);
  const middle = values.length >> 1;
  return values.length % 2 === 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/** Estimates the milliseconds per dense row, for use until blocks have been measured. */
function guessCost({ method, degree, nComponents, repeats, nFeatures }) {
  const features = Array.isArray(nFeatures) ? 0 : nFeatures;
  // hashing, p + 1 transforms
  let steps = 3 * degree * features + (degree + 1) * nComponents * (2 + Math.log2(nComponents));
  if (SLOW.includes(method)) steps = degree * features * nComponents;
  if (method === "nystroem") steps = (features + nComponents) * nComponents;
  if (method === "k-space") steps *= 4 * (1 + nComponents / 16); // a sketch of 4k components, times a matrix
  return 1e-6 * repeats * steps;
}

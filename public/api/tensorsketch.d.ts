/**
 * Random features of the polynomial kernel κ(x, y) = (γ⟨x, y⟩ + c)^p, and of others, in WebAssembly: rows of d numbers
 * become rows of D numbers whose inner products estimate κ. Nothing leaves the machine.
 *
 * ```js
 * import { load } from "./tensorsketch.js";
 *
 * const ts = await load();
 * const map = ts.featureMap({ nFeatures: 64, nComponents: 1024, degree: 2, coef0: 1, seed: 5 });
 * const Z = await map.transformAsync(X);        // X: Float32Array of n × 64, Z: Float32Array of n × 1024
 * const zx = Z.subarray(0, 1024), zy = Z.subarray(1024, 2048);
 * map.estimate(zx, zy);                         // ≈ map.theory.kernel(x, y)
 * map.theory.stdError(x, y);                    // { sigma, kind: "exact" }: the error bar of that estimate
 * map.dispose();
 * ```
 *
 * The same parameters and seed give the same bits in every thread, batch size, input form and platform.
 *
 * It runs in browsers, bundled or not, in workers, and in Node 20 or later; importing it does nothing by itself
 * and is safe during server-side rendering.
 *
 * A page's Content-Security-Policy needs `script-src 'wasm-unsafe-eval'`, `connect-src` for the .wasm file and
 * `worker-src` for worker.js. If worker.js comes from another origin, or a bundler left it behind, workers start from a
 * `blob:` address, which `worker-src` must allow. Without workers everything runs in one thread, and
 * `capabilities.noThreadsBecause` says why.
 *
 * tensorsketch.min.js has the core and the workers in one classic script, whose exports are the global `tensorsketch`.
 */
export as namespace tensorsketch;

import type { AlphaOptions, CommonFitOptions, Dataset, Note } from "./dataset.js";

/**
 * Fetches and compiles the core (178 KB with Brotli). Calls for the same file share one download. Workers start when
 * there is enough work for them.
 *
 * @throws {TensorSketchError} ERR_LOAD naming the address and the remedy: the file is missing, unreachable or not
 *   WebAssembly, or is of another release. ERR_PARAM for a bad or unknown option. ERR_MEMORY where `maxMemory` is less
 *   than the core needs.
 * @throws `signal.reason` when aborted.
 */
export function load(options?: LoadOptions): Promise<TensorSketch>;

export type LoadOptions = CommonLoadOptions & (
  | Pick<CoreOptions, "baseURL"> & Without<"module" | "wasmBinary">
  | Pick<CoreOptions, "module"> & Without<"baseURL" | "wasmBinary">
  | Pick<CoreOptions, "wasmBinary"> & Without<"baseURL" | "module">
);

/** Where the core is. At most one is given. */
export interface CoreOptions {
  /**
   * Folder of the .wasm file, absolute or relative to the page (in Node, to the working directory). Default: beside
   * this module.
   */
  baseURL?: string | Platform<"URL">;
  /**
   * The compiled core, instead of an address, for hosts that can neither fetch nor compile it. Cloudflare Workers
   * import tensorsketch/tensorsketch.wasm as such a module. `build`, `signal` and `onProgress` then have no effect.
   */
  module?: WasmModule;
  /** The bytes of tensorsketch.wasm or tensorsketch.scalar.wasm, instead of an address. They are not changed. */
  wasmBinary?: ArrayBufferLike | ArrayBufferView;
}

export interface CommonLoadOptions {
  /**
   * The core to load. "simd" is tensorsketch.wasm. "scalar" is tensorsketch.scalar.wasm, for engines without
   * WebAssembly SIMD; it is slower. Both give the same bits. "auto" (default) takes the best that the engine supports.
   * Without `baseURL` the scalar file is made of tensorsketch.wasm and of tensorsketch.toscalar.wasm, which says what
   * differs and is a third as large.
   */
  build?: "auto" | "simd" | "scalar";
  /**
   * The address of worker.js, absolute or relative like `baseURL`. The worker needs no other file. Default: beside
   * this module, and else a `blob:` of the same text. Where Trusted Types are enforced, it may be a TrustedScriptURL.
   */
  workerURL?: string | Platform<"URL"> | Platform<"TrustedScriptURL">;
  /**
   * Workers for `transformAsync`, 0 … 256; 0 keeps everything in this thread. Default: one per core, at most 8. Each
   * holds about 8 MB and its own copy of the maps. They start once calls need about 150 ms of work, and end after ten
   * seconds without a call. Until one is ready, this thread works.
   */
  threads?: number;
  /**
   * Bytes of WebAssembly memory that each instance (this thread's and each worker's) may hold, 32 MiB … 4 GiB; default
   * 1 GiB. A call that would exceed it is refused with ERR_MEMORY before it is tried. The limit counts what the core
   * holds. Holes between freed blocks come on top, because WebAssembly memory never shrinks.
   */
  maxMemory?: number;
  /**
   * `loadDataset` of "tensorsketch/dataset", or a Dataset: what reads rows as objects (`Records`). It is called when
   * such rows first come. Other programs do without it, and their bundles without its 1.5 MB.
   */
  dataset?: Dataset | (() => Promise<Dataset>);
  /** Aborts the download; `load` then rejects with `signal.reason`. */
  signal?: Platform<"AbortSignal">;
  /**
   * Called as the file comes in, and at the end. `totalBytes` is 0 where it is unknown. Of two files it is about
   * tensorsketch.wasm; what differs comes after it.
   */
  onProgress?(loadedBytes: number, totalBytes: number): void;
}

/**
 * The key of a passphrase, for `Params.key`: PBKDF2-HMAC-SHA-256 of its UTF-8, without normalisation. The same
 * passphrase, salt and iterations give the same key in browsers, workers, Node and Go. A key is as hard to guess as its
 * passphrase (docs/privacy.md).
 *
 * @param salt At least 16 bytes, drawn once with `crypto.getRandomValues`. They are not secret: keep them in the model
 *   file, with `map.toJSON({ keySalt: { salt, iterations } })`. Or the `keySalt` of a model file, which has the
 *   iterations too: `ts.fromJSON(model, { key: await deriveKey(passphrase, model.keySalt) })`.
 * @param iterations 600,000 (default) … 2^24. The default takes a good part of a second.
 * @returns 32 bytes.
 * @throws {TensorSketchError} ERR_PARAM for a bad argument; ERR_LOAD where there is no `crypto.subtle`: browsers have
 *   it for pages from https and localhost.
 */
export function deriveKey(passphrase: string, salt: Uint8Array, iterations?: number): Promise<Own<"Uint8Array">>;
export function deriveKey(passphrase: string, keySalt: KeySalt): Promise<Own<"Uint8Array">>;

/** What makes a key of a passphrase. A model file holds the salt in hexadecimal digits. */
export interface KeySalt {
  salt: Uint8Array | string;
  iterations: number;
}

/** A loaded module. Several may be loaded; each has its own memory and workers. M is the type of its maps. */
export interface TensorSketch<M extends LearnMap = FeatureMap> {
  /** Release of this library, such as "1.2.3". */
  readonly version: string;
  readonly capabilities: {
    readonly build: "simd" | "scalar";
    /** What compiled the core: "tinygo" in the package, "go" in a build without TinyGo. */
    readonly compiler: "tinygo" | "go";
    /** Rows that the core computes together; batches of a multiple of it are the fastest per row. */
    readonly lanes: number;
    /** Workers that `transformAsync` may use. */
    readonly threads: number;
    /** Why `threads` is 0, else null. Whether workers can start shows when the first one does, such as after `warm`. */
    readonly noThreadsBecause: string | null;
  };
  /**
   * Makes a feature map; the same parameters give the same map.
   *
   * @throws {TensorSketchError} ERR_PARAM naming a bad, missing, contradictory or unknown parameter. ERR_MEMORY where
   *   its tables and workspace would exceed `maxMemory`. ERR_DISPOSED after `dispose`.
   */
  featureMap(params: Params): M;
  /**
   * Makes the map of a model file: what `FeatureMap.toJSON` wrote, on any platform, as text or parsed. A file with a
   * head, from `Model.toJSON`, gives a model that predicts. Say its `task`, so that it is checked, and TypeScript knows
   * it: `ts.fromJSON(file, { task: "classify" }).probabilities(X)`. A model that knows columns, of `fit` of rows as
   * objects or of the command line, takes such rows.
   *
   * With `labels`, all that the model may predict, these stand for its classes, and give them their type:
   * `ts.fromJSON(file, { labels: ["ham", "spam"] })` is a Classifier<"ham" | "spam">. A class that is none of them is
   * an error. `[false, true]` stand for "false" and "true".
   *
   * @param options `key` is the key of a keyed model. It is required unless the model contains its key.
   * @throws {TensorSketchError} ERR_PARAM for anything that is not exactly a model file of version 1 or 2, for a file
   *   without a model of this `task`, for a missing or wrong key, and for a key that the model does not need.
   *   ERR_MEMORY and ERR_DISPOSED as for `featureMap`.
   */
  fromJSON<const L extends Label>(model: SavedFile,
    options: { task?: "classify"; labels: readonly L[]; key?: Uint8Array }): Classifier<L, Rows | Records, M>;
  fromJSON<L extends Label = Label>(model: SavedFile, options: { task: "classify"; key?: Uint8Array }):
    Classifier<L, Rows | Records, M>;
  fromJSON(model: SavedFile, options: { task: "regress"; labels?: undefined; key?: Uint8Array }):
    Regression<Rows | Records, M>;
  fromJSON<Kind extends M | Model<Label, Rows | Records, M> = M>(model: SavedFile,
    options?: { task?: undefined; labels?: undefined; key?: Uint8Array }): Kind;
  /**
   * Fits a model to rows and their labels or targets, in the workers: `prepare`, a learner, `addAsync` and `fit` in one
   * call. What `options` do not say of the map and its preparation, held-out rows choose (`search`). NaN is then a
   * missing number. `report.candidates` says what was tried, and `report.heldOut` is of rows that no choice has seen.
   *
   * ```js
   * const model = await ts.fit(X, y, { task: "classify" });
   * model.predict(Xnew);                          // labels as y has them
   * model.evaluate(Xtest, ytest).accuracy;
   * ```
   *
   * The losses are
   *
   * - "squared" (default): ridge regression, and for classes one against all others
   * - "squared-hinge", for classes: the linear SVM of LIBLINEAR (-s 2 -B 1)
   * - "logistic", for classes: multinomial logistic regression
   *
   * The last two pass over the rows many times, in one worker that needs memory for all of them. So does "squared"
   * beyond 4,096 components, which a learner cannot take. It then chooses λ among 7 values by the error on a fifth of
   * the rows, and `alphaRange`, `alphaCount` and `intercept` must be left out. Without workers, passes block this
   * thread.
   *
   * @param options The options of `prepare`, `addAsync` and, for `loss` "squared", `Learner.fit`.
   * @throws {TensorSketchError} What `prepare`, `learner`, `addAsync` and `fit` throw.
   * @throws `signal.reason` when aborted; what `onProgress` threw, if it did.
   */
  fit<L extends Label = Label>(X: Rows, y: LabelsOf<L>, options: FitRowsOptions & { task: "classify" }):
    Promise<Classifier<L, Rows, M>>;
  fit<L extends boolean | string>(X: Rows, y: ArrayLike<L>, options?: FitRowsOptions & { task?: undefined }):
    Promise<Classifier<L, Rows, M>>;
  fit(X: Rows, y: Targets, options: FitRowsOptions & { task: "regress" }): Promise<Regression<Rows, M>>;
  fit<T extends LearnOptions["task"] = undefined>(X: Rows, y: LabelsFor<T>, options?: FitRowsOptions & { task?: T }):
    Promise<Model<Label, Rows, M>>;
  /**
   * Fits a model to rows as objects, whose labels are under the key `label`. Columns are read, guessed and prepared as
   * by the command line, and the model file has the bytes of its `fit` of a CSV file of these rows. `load` must have
   * got a `dataset`.
   *
   * ```js
   * const ts = await load({ dataset: loadDataset }); // of "tensorsketch/dataset"
   * const model = await ts.fit(rows, { label: "species" }); // rows: { petal: 5.1, sepal: 3.5, species: "setosa" }, …
   * model.predict([{ petal: 5.9, sepal: 3 }]);
   * ```
   *
   * `report.notes` has what was guessed, left out or replaced, and `report.unused` the number of rows left out: a row
   * without a label is. Labels come back as they went in. A model of the file has them as CSV has, unless `fromJSON`
   * gets `labels`: true is "true" there, and "7" is 7. So labels of two types with one text, such as 1 and "1", are an
   * error. Numbers as texts that look like what is to be predicted need a `task`.
   *
   * @throws {DatasetError} For what is wrong with rows or an option. `signal.reason` when aborted.
   */
  fit<R extends object, const K extends keyof R & string>(rows: readonly R[],
    options: FitRecordsOptions<K> & { task: "regress" }): Promise<Regression<RecordsOf<R>, M>>;
  fit<R extends object, const K extends keyof R & string>(rows: readonly R[],
    options: FitRecordsOptions<K> & { task: "classify" }): Promise<Classifier<Extract<R[K], Label>, RecordsOf<R>, M>>;
  fit<R extends object, const K extends keyof R & string>(rows: readonly R[], options: FitRecordsOptions<K>):
    Promise<Extract<R[K], number> extends never ? Classifier<Extract<R[K], Label>, RecordsOf<R>, M>
      : Model<Extract<R[K], Label>, RecordsOf<R>, M>>;
  /**
   * What the parts of a fit must share, taken from rows once: options for `learner`, which can also be sent as JSON.
   * From the rows come the classes or the range of the targets, the largest length of a row (rounded to 12 binary
   * digits), and the width of the rows. What `options` say is kept.
   *
   * With a `search` it is a promise of these options, which also have the `candidates` and for which rows that no
   * choice has seen are held out.
   *
   * @param X All rows, or some that have every class and the longest row.
   * @param y A label or a target for each row, or an array of targets for each.
   * @throws {TensorSketchError} ERR_PARAM, also where y is numbers and `task` is not given; ERR_SHAPE, ERR_NONFINITE.
   */
  prepare<T extends LearnOptions["task"] = undefined>(X: Rows, y: LabelsFor<T>,
    options: SearchedOptions & { task?: T }): Promise<LearnOptions & { task: "classify" | "regress" }>;
  prepare<L extends Label = Label>(X: Rows, y: LabelsOf<L>,
    options: LearnOptions & { task: "classify"; search?: "off" }): ClassifyOptions<L>;
  prepare<L extends boolean | string>(X: Rows, y: ArrayLike<L>, options?: LearnOptions & { task?: undefined }):
    ClassifyOptions<L>;
  prepare(X: Rows, y: Targets, options: LearnOptions & { task: "regress" }): LearnOptions & { task: "regress" };
  prepare<T extends LearnOptions["task"] = undefined>(X: Rows, y: LabelsFor<T>, options?: LearnOptions & { task?: T }):
    LearnOptions & { task: "classify" | "regress" };
  /**
   * A learner without rows. With `from`, what `toJSON` or `toBytes` of a learner gave in JavaScript or Go, it is that
   * learner again. Beside `from`, only `map` may be given, which a keyed map needs.
   *
   * @throws {TensorSketchError} ERR_PARAM naming the option, or the key of the file; ERR_MEMORY; ERR_DISPOSED.
   */
  learner<L extends Label = Label>(options: ClassifyOptions<L>): Learner<Classifier<L, Rows, M>>;
  learner(options: LearnOptions & { task: "regress" }): Learner<Regression<Rows, M>>;
  learner(options: LearnOptions & { from?: undefined }
    | { from: SavedFile | Uint8Array | ArrayBuffer; map?: LearnMap }
      & Without<Exclude<keyof LearnOptions, "map">>): Learner<Model<Label, Rows, M>>;
  /**
   * Tells which map, with which D, estimates the kernel (γ⟨x, y⟩ + c)^p at the least cost; the best comes first. With
   * `epsilon` all have this error and the quickest comes first; maps that cannot reach it come last. Without
   * `epsilon` all have the same cost and the smallest error comes first.
   *
   * It takes from milliseconds up to a second or two for a sample of 1,024 wide rows.
   *
   * @throws {TensorSketchError} ERR_PARAM naming what is wrong with the question; ERR_SHAPE and ERR_NONFINITE for the
   *   sample; ERR_MEMORY where its rows are too wide; ERR_DISPOSED.
   */
  plan(question: PlanQuestion): PlanAnswer[];
  /**
   * The sketch of a matrix product A·B, m × n, made without computing it (Pagh, Compressed matrix multiplication,
   * 2013): for products with a few large entries, in time O(repeats·(m·k + k·n + k·D log D)).
   *
   * @param A m × k, row-major.
   * @param B k × n, row-major.
   * @param options `nComponents` is D, the numbers per sketch, several times the number of entries looked for;
   *   `repeats` (1 … 1024) is how many independent sketches the median is taken of, by default the least odd number ≥
   *   log₂(m·n).
   * @throws {TensorSketchError} ERR_PARAM, ERR_SHAPE and ERR_NONFINITE naming what is wrong; ERR_OVERFLOW where an
   *   outer product of a column of A with its row of B is beyond float32; ERR_MEMORY; ERR_DISPOSED.
   */
  compressedProduct(A: Float32Array, B: Float32Array, shape: { m: number; k: number; n: number },
    options: { nComponents: number; repeats?: number; seed?: Seed }): CompressedProduct;
  /**
   * A new account of the privacy budget (ε, δ) that all private releases of one file's rows may spend together. With
   * `from`, an object or text that `toJSON` of a ledger gave, it is that ledger again. Keep one ledger for each file,
   * with the file. Charge it for every release that touches any of its rows.
   *
   * @param options ε from 0.001 to 100, δ from 1e-30 to 0.1: less than one over the number of rows.
   * @throws {TensorSketchError} ERR_PARAM, also for a file that was changed by mistake. It cannot detect a deliberate
   *   change.
   */
  ledger(options: { epsilon: number; delta: number; from?: undefined }
    | { from: SavedFile; epsilon?: undefined; delta?: undefined }): Ledger;
  /**
   * The D at which a tensor sketch of this degree keeps, with probability 1 − δ, the norms of all vectors of a fixed
   * k-dimensional subspace of tensors within 1 ± ε: k²(2 + 3^degree)/(ε²δ) (Avron, Nguyen & Woodruff 2014, Theorem 1).
   *
   * @throws {TensorSketchError} ERR_PARAM.
   */
  subspaceDimension(k: number, degree: number, epsilon: number, delta: number): number;
  /**
   * The D at which, with probability 1 − δ, the product of two sketched matrices whose columns are tensors of this
   * degree errs by at most ε‖A‖‖B‖ in the Frobenius norm: (2 + 3^degree)/(ε²δ) (the first half of that theorem).
   *
   * @throws {TensorSketchError} ERR_PARAM.
   */
  matrixProductDimension(degree: number, epsilon: number, delta: number): number;
  /**
   * Makes an empty index of rows, for searches among up to millions of rows. It fetches index.wasm (11 KB with Brotli)
   * when it is first called.
   *
   * ```js
   * const index = await ts.index({ map, bits: 4 });
   * await index.addAsync(X);                        // ids 0, 1, 2 …
   * const { ids, scores } = index.search(x, 10);    // the ten rows most like x, by the cosine of their features
   * const again = await ts.index.from(index.toBytes());
   * ```
   *
   * @throws {TensorSketchError} ERR_PARAM naming a bad option; ERR_LOAD.
   */
  readonly index: {
    (options: IndexOptions): Promise<RowIndex>;
    /**
     * Makes the index of a file.
     *
     * @param options `map`, if you have the map of the file already; else it is made anew, with its secret `key` if it
     *   has one.
     * @throws {TensorSketchError} ERR_PARAM for a file that is damaged, cut or of something else, for another map or a
     *   wrong key; ERR_MEMORY; ERR_LOAD.
     */
    from(file: IndexFile, options?: { map?: FeatureMap; key?: Uint8Array; signal?: Platform<"AbortSignal">;
      wasmBinary?: ArrayBuffer | Uint8Array }): Promise<RowIndex>;
  };

  /**
   * Starts all workers, so that the first large call finds them ready. The promise is fulfilled when each has started
   * or failed to; `capabilities` then says how many there are. They end like all workers, ten seconds after the last
   * call.
   *
   * @throws {TensorSketchError} ERR_DISPOSED.
   */
  warm(): Promise<void>;
  /**
   * Ends the workers, which hold about 8 MB each, now instead of ten seconds after the last call. The next call
   * starts new ones. While `transformAsync` calls are pending, the workers end after the last of them.
   */
  rest(): void;
  /**
   * Ends the workers and frees the memory. Pending `transformAsync` calls reject with ERR_DISPOSED, and maps of this
   * module throw it afterwards. An index of `nFeatures` has its own memory and goes on: dispose of it, too. May be
   * called again.
   */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * Determines every random choice of a map. An integer 0 … 2^64 − 1, as number (safe integers) or bigint: 5 and 5n are
 * the same seed. A string is hashed as UTF-8 and never parsed: "5" is another seed. Bytes are exactly 32.
 */
export type Seed = number | bigint | string | Uint8Array;

/**
 * A file that `toJSON` of a map, a model, a learner or a ledger gave: its text, or this parsed. Await the text of an
 * answer first: `ts.fromJSON(await response.text())`.
 */
export type SavedFile = string |
  (object | { readonly [key: string]: unknown }) & Without<"then" | "toJSON" | "text" | "byteLength">;

/** Options that exclude each other. */
export type Without<Keys extends string> = { readonly [Key in Keys]?: undefined };

/** Parameters of a feature map, under the names of scikit-learn. An `undefined` one counts as not given. */
export type Params = MapParams & Without<"toJSON"> & (
  | Pick<RandomParams, "seed"> & Without<"key" | "randomState" | "indexHash" | "bitHash" | "hash">
  | Required<Pick<RandomParams, "key">> & Without<"seed" | "randomState" | "indexHash" | "bitHash" | "hash">
  | Required<Pick<RandomParams, "randomState">> & Without<"seed" | "key" | "indexHash" | "bitHash" | "hash">
  | Required<Pick<RandomParams, "indexHash" | "bitHash">> & Without<"seed" | "key" | "randomState" | "hash">
  | RandomParams & Pick<ResolvedParams, "hash">
);

/** What determines the random choices of a map: one of `seed`, `key`, `randomState`, and `indexHash` with `bitHash`. */
export interface RandomParams {
  /** Default 0. */
  seed?: Seed;
  /**
   * A secret seed instead of `seed`: 32 bytes from `crypto.getRandomValues` or `deriveKey`. The map is the same as
   * with these bytes as `seed`, but its `params` and its models do not hold them. docs/privacy.md says what that
   * protects and what it does not: it is neither encryption nor differential privacy.
   */
  key?: Uint8Array;
  /**
   * For tensor and count sketches: takes the tables that scikit-learn's PolynomialCountSketch fits with this
   * random_state (0 … 2^32 − 1), instead of `seed`.
   */
  randomState?: number;
  /**
   * Takes fitted tables, instead of `seed`: `degree` rows of buckets 0 … D − 1, each of d entries, d + 1 where `coef0`
   * > 0.
   */
  indexHash?: number[][];
  /** The signs −1 and +1 that go with `indexHash`, in its shape. */
  bitHash?: number[][];
}

/** Parameters of a feature map except its random choices. */
export interface MapParams {
  /** Default "tensor-sketch". */
  method?: Method;
  /** d, numbers per input row, 1 … 2^31 − 1; or one per degree, for `transformProduct` of vectors of unlike lengths. */
  nFeatures: number | number[];
  /**
   * D, numbers per sketch, 1 … 2^24; default 100. Even for the complex methods and with `paired`; for
   * "random-maclaurin" with `h01` at least d + 2, for "taylor-sketch" at least one per term that is kept (8 by
   * default).
   *
   * The error falls about as 1/√D, with these exceptions. For the TensorSRHT methods it does not fall steadily. For
   * "craft" with `upComponents` given, it does not fall below the error of its base map. For "nystroem" it depends on
   * the rows. A bias that does not come from normalisation stays. For "k-space" D is the dimension k of a subspace, up
   * to 4,096.
   */
  nComponents?: number;
  /**
   * p, 1 … 64; default 2 (1 for methods and kernels without a degree; the length of `nFeatures` where that is an
   * array).
   */
  degree?: number;
  /** γ > 0; default 1. */
  gamma?: number;
  /** c ≥ 0; default 0. */
  coef0?: number;
  /**
   * "kernel" rescales each row of features to the norm κ(x, x)^½. Errors between similar rows are then far smaller, and
   * estimates have a bias of order 1/D. Default "none".
   */
  normalize?: "none" | "kernel";
  /**
   * "spectrum" leaves the features in the frequency domain. Inner products are the same, for one transform less per
   * row. For "tensor-sketch", "count-sketch" and "complex-tensor-sketch" only. Default "real".
   */
  output?: "real" | "spectrum";
  /**
   * t independent sketches of D components each, in rows of t·D numbers, t·D ≤ 2^24; default 1. `estimate` takes their
   * mean or their median.
   */
  repeats?: number;
  /** Parameters of single methods; see `Method`. */
  methodParams?: Record<string, number | string | boolean | readonly number[]>;
}

/**
 * The feature maps. The kernel is (γ⟨x, y⟩ + c)^p unless another is named; formulas and sources are in docs/theory.md.
 *
 * - "tensor-sketch" (Pham & Pagh 2013): time d + D log D per row; the one to begin with
 * - "count-sketch" (Charikar, Chen & Farach-Colton 2002): γ⟨x, y⟩ + c
 * - "complex-tensor-sketch": complex signs; a smaller error for large p at small D. D even, as for every complex method
 * - "random-maclaurin" (Kar & Karnick 2012): `kernel` "polynomial" (default), "exponential" exp(γ⟨x, y⟩), or "series"
 *   Σ a_n (γ⟨x, y⟩)^n with `coefficients` a_0, a_1 … ≥ 0, which alone choose "series" too; `order` (default 2) of the
 *   law of orders; `allOrders` also draws orders without a term, as the paper does; `h01` keeps the constant and
 *   linear terms exactly; `distribution` as below
 * - "tensorized-random-projection", "complex-tensorized-random-projection" (Meister, Sarlós & Woodruff 2019; Wacker et
 *   al.): `distribution` "rademacher" (default) or "gaussian"
 * - "tensor-srht", "complex-tensor-srht" (Hamid et al. 2014; Wacker et al.): fast Walsh–Hadamard transforms
 * - "craft" (Hamid et al. 2014): `upComponents` components of the `base` method (default "tensor-sketch"), reduced to
 *   D. It takes the parameters of the base too. `params` and models leave out the default of `upComponents`, 8·D, which
 *   follows D
 * - "tree-tensor-sketch" (Ahle et al. 2020): an error polynomial in p
 * - "spherical" (Pennington, Yu & Kumar 2015): (1 − 2/a² + 2⟨x, y⟩/a²)^p with `a` ≥ 2 (default 2), on rows of length 1
 *   only; `paired`. Biased; `signed` takes frequencies of either sign (Liu et al. 2021) for a smaller bias and a larger
 *   variance, which pays from about 1,000 features on where `degree` is small. See `FeatureMap.signs`
 * - "random-fourier" (Rahimi & Recht 2007): `kernel` "gaussian" (default) exp(−γ‖x−y‖²), "laplacian"
 *   exp(−γ‖x−y‖₁) or "cauchy" Π 1/(1 + γ(xᵢ − yᵢ)²); `paired` takes sines too. With "gaussian", `projection`
 *   "orthogonal" (d at most 256) or "structured" (faster for wide rows) draws frequencies in orthogonal blocks, for a
 *   smaller error (Yu et al. 2016)
 * - "taylor-sketch": `kernel` "gaussian" (default), "exponential", "arc-cosine" or "series" with `coefficients`
 *   (which alone choose it too). `terms` of them (default 8, with "series" all) are kept; the others are a bias
 * - "nystroem" (Williams & Seeger 2000): `kernel` "polynomial" (default), "gaussian" or "exponential"; needs `fit`
 *   first
 * - "k-space" (Avron, Nguyen & Woodruff 2014): coordinates of rows in an orthonormal basis, which approximates the
 *   features of the kernel at rank k = D; needs `fit` or `fitter` first. `m` components of one sketch make the
 *   features, and `r` of another choose them. `params` and models leave out the defaults, 4·D up to 4,096 and 8·D up to
 *   8,192. The features are for linear models: their inner products do not estimate the kernel
 */
export type Method = "tensor-sketch" | "count-sketch" | "complex-tensor-sketch" | "random-maclaurin"
  | "tensorized-random-projection" | "complex-tensorized-random-projection" | "tensor-srht" | "complex-tensor-srht"
  | "craft" | "tree-tensor-sketch" | "spherical" | "random-fourier" | "taylor-sketch" | "nystroem"
  | "k-space";

/**
 * The parameters of a map with all defaults filled in. Of `methodParams`, `allOrders`, `h01`, `paired` and `signed` are
 * absent where they are false, and `upComponents` where it is 8·D. `hash` says where the tables come from. The object
 * is frozen. `featureMap` takes it again, also changed: `ts.featureMap({ ...map.params, nComponents: 2048 })`. For a
 * keyed map add the key: `ts.featureMap({ ...map.params, key })`.
 */
export type ResolvedParams =
  Readonly<Required<Pick<MapParams,
    "method" | "nFeatures" | "nComponents" | "degree" | "gamma" | "coef0" | "normalize" | "output" | "repeats">>> & {
    readonly methodParams: Readonly<Record<string, number | string | boolean | readonly number[]>>;
  } & (
    | { readonly hash: "seed"; readonly seed: Seed }
    | { readonly hash: "key" }
    | { readonly hash: "random-state"; readonly randomState: number }
    | { readonly hash: "tables"; readonly indexHash: number[][]; readonly bitHash: number[][] }
  );

/**
 * n rows of d numbers, in any of these forms. All give the same bits for the same numbers.
 *
 * - flat and row-major: a typed array or an array of n × d numbers. Its length must be a multiple of d. If it is, rows
 *   of another width are not noticed
 * - a tensor, which tells its shape
 * - an array of rows, or another iterable of them, such as a generator or a Set: each row is an array or a typed array
 *   of d numbers, or a tensor of one row. An array of rows is kept by reference, other iterables are copied
 * - CSR, for sparse rows
 * - a column or a table of Arrow
 *
 * Numbers are rounded to float32; one beyond its range is ERR_NONFINITE. A Float32Array is the fastest. No rows at all
 * are fine. An array whose buffer was transferred or shrunk is ERR_SHAPE.
 */
export type Rows = Numbers | Tensor | Iterable<Numbers | Tensor> | CSR | ArrowColumn | ArrowTable;

/**
 * Rows as objects of one key for each column, or as the values of a form. They are for models that know columns. A cell
 * is a number, a text, true, false or a Date; "3" in a column of numbers is 3; null, undefined, NaN and a key that is
 * not there are missing. Cells of an object inside are columns such as "size.width". Keys that the model has no column
 * for are not used. What is missing, unknown or not used is told, see `NoteOptions`.
 */
export type Records = readonly object[] | Form;

/** `Records` with the keys of rows R. */
export type RecordsOf<R> = readonly { readonly [Key in keyof R]?: unknown }[] | Form
  | readonly (Form | ReadonlyMap<string, unknown>)[];

/** The values of a form: one row. */
export type Form = Platform<"FormData"> | Platform<"URLSearchParams">;

/**
 * An array or typed array of numbers. A Uint8Array is a number per byte, such as pixels: a file of float32 needs
 * `new Float32Array(buffer)`. BigInt64Array and BigUint64Array are ERR_PARAM: convert them by `Number`.
 */
export type Numbers = readonly number[] | Float32Array | Float64Array | Platform<"Float16Array"> | Int8Array
  | Uint8Array | Uint8ClampedArray | Int16Array | Uint16Array | Int32Array | Uint32Array;

/**
 * Rows with their shape, as tensors of onnxruntime-web and transformers.js have it (`dims`), or ndarrays (`shape`).
 * The shape is [n, d], or [d] for one row; another width or rank is ERR_SHAPE. `data` holds n × d numbers, row after
 * row: with other strides it is ERR_SHAPE. BigInts, and the bits of float16 in a Uint16Array, are ERR_PARAM. For a
 * tensor of TensorFlow.js take `{ data: await t.data(), shape: t.shape }`.
 */
export type Tensor = { readonly data: ArrayLike<unknown> } &
  ({ readonly dims: ArrayLike<number> } | { readonly shape: ArrayLike<number> });

/**
 * Sparse rows. Row r has the values `data[indptr[r]]` … `data[indptr[r + 1] − 1]`, in the columns that `indices` gives.
 * `indptr` has n + 1 entries, begins with 0 and ends with the number of values. Columns may come in any order; one that
 * occurs twice in a row is ERR_SHAPE; explicit zeros change nothing. The result has the bits of the dense call.
 */
export interface CSR {
  readonly indptr: ArrayLike<number>;
  readonly indices: ArrayLike<number>;
  readonly data: ArrayLike<number>;
  /** [n, d]. If it is there, it is checked. */
  readonly shape?: ArrayLike<number>;
}

/**
 * A column of Arrow: a Vector of apache-arrow, as duckdb-wasm gives it, or a Column of flechette. As rows it holds
 * lists of d numbers each, of a fixed length or not. As labels or targets it holds numbers, texts or truth values; a
 * BigInt that is a safe integer counts as a number. An item that is null is ERR_PARAM, with its row.
 */
export interface ArrowColumn {
  readonly type: { readonly typeId: number };
  readonly length: number;
  readonly data: readonly unknown[];
}

/**
 * A table or a record batch of Arrow. Its columns of integers, of floating-point numbers and of lists of these are the
 * features, in the order of its schema, d in all; the others are left out. Decimals, dates and truth values are no
 * numbers: cast them to DOUBLE first. A null is ERR_PARAM, with its row and column.
 */
export interface ArrowTable {
  readonly schema: {
    readonly fields: readonly { readonly name: string; readonly type: { readonly typeId: number } }[];
  };
  readonly numRows: number;
  getChildAt(index: number): unknown;
}

/** What `toArrow` needs of the module apache-arrow: these classes and this function. */
export interface ArrowModule<Vector = unknown> {
  readonly Field: new (...args: any[]) => any;
  readonly FixedSizeList: new (...args: any[]) => any;
  readonly Float32: new () => any;
  readonly Vector: new (...args: any[]) => Vector;
  readonly makeData: (...args: any[]) => any;
}

/**
 * Rows of features as a column of FixedSizeList<Float32> of apache-arrow, for a table or a file. It shares the memory
 * of Z.
 *
 *     import * as arrow from "apache-arrow";
 *     const table = new arrow.Table({ features: toArrow(arrow, Z, map.nComponents) });
 *
 * @param arrow The module apache-arrow, version 9 or later.
 * @param Z Rows of nComponents numbers each, one after another.
 * @throws {TensorSketchError} ERR_PARAM for another module, ERR_SHAPE for a length that is no multiple of nComponents.
 */
export function toArrow<Vector>(arrow: ArrowModule<Vector>, Z: Float32Array, nComponents: number): Vector;

/** Rows of features, nComponents numbers each, one row after another. */
export type Features = Own<"Float32Array">;

/** The same in memory that threads share. With TypeScript before 5.7 it is a Float32Array. */
export type SharedFeatures = Float32Array & { readonly buffer: SharedArrayBuffer };

/** Features of rows of X that follow one another. */
export interface FeatureBlock {
  /** The first of these rows in X. */
  readonly start: number;
  readonly rows: number;
  /** rows × nComponents. */
  readonly values: Features;
}

/** The kernel of a map, and the error of its estimates. It ends with the map. */
export interface MapTheory {
  /**
   * The exact kernel, in float64. For a map with `nFeatures` per degree, x and y hold the vectors of all degrees one
   * after the other, in every question here.
   *
   * @throws {TensorSketchError} ERR_SHAPE for a wrong length, ERR_NONFINITE naming the column.
   */
  kernel(x: ArrayLike<number>, y: ArrayLike<number>): number;

  /**
   * σ of the estimate over seeds, and of what kind it is:
   *
   * - "exact".
   * - "first-order", in 1/n, for the structured frequencies of "random-fourier" in blocks of n ≥ 64.
   * - "first-order", for kernel-normalised maps. For rows of many coordinates it is within 10 % at p ≤ 3 and D ≥ 125,
   *   and too large for high degrees with few components (by a fifth at p 4 and D 100, by half and more at p 8 and D
   *   1000). For rows of two coordinates it is too small, by a quarter to two thirds at p 2. docs/theory.md has a
   *   table.
   * - "bound", which σ does not exceed, for "craft" on a tree.
   * - "unknown", with σ NaN: for "nystroem" and "k-space", for kernel-normalised "craft" on a tree, and where σ²
   *   exceeds float64.
   *
   * Estimates of one seed err together. For p ≥ 2 the root mean square error of a single seed over many pairs is
   * commonly 0.4 to 2.5 times σ; at p = 1 it is often outside that.
   *
   * @throws {TensorSketchError} As `kernel`.
   */
  stdError(x: ArrayLike<number>, y: ArrayLike<number>): {
    sigma: number;
    kind: "exact" | "first-order" | "bound" | "unknown"
  };

  /**
   * The mean of the estimate over seeds less the kernel.
   *
   * - Without kernel normalisation it is exact, and 0 for most methods. It is not 0 for "spherical", "taylor-sketch"
   *   and "random-maclaurin" with `kernel` "exponential", also as the base of "craft". The last leaves out orders above
   *   64, which is negligible for γ⟨x, y⟩ below 20.
   * - With kernel normalisation it is a second-order approximation. It falls as 1/D, except for the bias that
   *   "spherical" and "taylor-sketch" keep. Repeats do not lessen it.
   * - It is NaN where it is not known: for "nystroem" and "k-space", and for kernel-normalised "craft" on a tree.
   *
   * @throws {TensorSketchError} As `kernel`.
   */
  bias(x: ArrayLike<number>, y: ArrayLike<number>): number;

  /**
   * Bounds on the probability that the estimate is ε or more away from the kernel. For the mean of the repeats there
   * are Chebyshev's and Hoeffding's (KDD 2013, Lemma 9), and there is one for their median. A bound that is not known
   * is NaN: all three for "nystroem", "k-space" and under kernel normalisation; Hoeffding's also for "craft",
   * "spherical", "taylor-sketch", and with `distribution` "gaussian".
   *
   * @param epsilon ε > 0, in units of the kernel.
   * @throws {TensorSketchError} ERR_PARAM for ε; else as `kernel`.
   */
  missProbability(x: ArrayLike<number>, y: ArrayLike<number>, epsilon: number): {
    chebyshev: number;
    hoeffding: number;
    median: number
  };

  /**
   * Two answers to "which D for |error| ≤ ε with probability 1 − δ" for this pair, a bias taken into account:
   * `guaranteed` by Chebyshev's inequality, and `typical` by a normal distribution of the errors. D is the D of each
   * repeat.
   *
   * Each is a D that suffices. For "tensor-sketch" and "count-sketch" without kernel normalisation it is the least. For
   * other maps, whose variance may not fall steadily with D, a smaller one may suffice too.
   *
   * Either may exceed the largest `nComponents`, 2^24, and is Infinity if no D suffices. `guaranteed` is NaN where the
   * variance is of first order: for kernel-normalised maps, and structured frequencies. Both are NaN if the variance
   * is not known: for "nystroem" and "k-space", and for kernel-normalised "craft" on a tree.
   *
   * @param epsilon ε > 0, in units of the kernel.
   * @param delta δ, between 0 and 1.
   * @throws {TensorSketchError} ERR_PARAM for ε and δ; else as `kernel`.
   */
  chooseComponents(x: ArrayLike<number>, y: ArrayLike<number>, epsilon: number, delta: number): {
    guaranteed: number;
    typical: number
  };
}

/** Private releases of a map. It ends with the map. */
export interface MapPrivacy {
  /**
   * Rows of features with differential privacy. Each is clipped to norm C and gets its own exact discrete Gaussian
   * noise, from the platform's crypto: never from the seed, and never the same twice. A call is one release, however
   * many rows it has; the ledger is charged if the call succeeds. It runs in this thread, two to four million numbers
   * a second. docs/privacy.md says what it promises and what it does not.
   *
   * C = κ(x, x)^½ for ‖x‖ = `radius`, (γR² + c)^(p/2) for the polynomial kernel. For products of unlike vectors the
   * radius applies to each vector. It must be typed or public. A radius chosen from the data breaks the promise, and
   * so do an ε, a scaling, or a row left out that depend on the data. Longer rows have their features clipped. Use
   * `normalize: "kernel"`: without it the norm is C only on average, and clipping biases the longer ones.
   *
   * ```js
   * const ledger = ts.ledger({ epsilon: 4, delta: 1e-5 });
   * const noisy = map.privacy.privatize(map.transform(X), { epsilon: 2, delta: 1e-5, radius: 1, ledger });
   * ```
   *
   * @param Z n × nComponents, from `transform` or `transformAsync` of this map. It is left as it is.
   * @throws {TensorSketchError} ERR_PARAM for what the ledger's budget does not allow, naming the ε that is left; for
   *   bad numbers; for "nystroem" and "k-space", whose features depend on rows of the data; and where there is no
   *   `crypto.getRandomValues`. ERR_SHAPE and ERR_NONFINITE for Z. ERR_MEMORY. After an error nothing was charged.
   */
  privatize(Z: Float32Array, options: PrivacyOptions & { ledger: Ledger }): Features;

  /**
   * `privatize` block by block, as one release, for files that do not fit in memory. The ledger is charged with the
   * first block.
   *
   * @param options `rows` is the public number of rows; no more are taken, because the same rows twice are two
   *   releases.
   * @throws {TensorSketchError} As `privatize`.
   */
  rows(options: PrivacyOptions & { ledger: Ledger; rows: number }): PrivateRows;

  /**
   * The mean of the features of n rows with differential privacy: its noise is n times less than the noise of a row.
   *
   * @param options `rows` is n: public, known or typed, and not counted after dropping rows.
   * @throws {TensorSketchError} As `privatize`.
   */
  mean(options: PrivacyOptions & { rows: number }): PrivateMean;

  /**
   * What noise would leave of the signal, before anything is released: of single rows, or of the mean of `rows` of them
   * (default 1). It charges nothing and looks at no data.
   *
   * @throws {TensorSketchError} As `privatize`.
   */
  meter(options: PrivacyOptions & { rows?: number }): PrivacyMeter;
}

/**
 * A random feature map f with ⟨f(x), f(y)⟩ ≈ κ(x, y). After `dispose` every method throws ERR_DISPOSED.
 *
 * A map cannot be cloned: `structuredClone`, `postMessage` and IndexedDB throw a DataCloneError. Send or store
 * `JSON.stringify(map)`, and make the map again with `ts.fromJSON`.
 */
export interface FeatureMap {
  readonly params: ResolvedParams;
  /** d, or one per degree. */
  readonly nFeatures: number | number[];
  /** Numbers per row of features: D, or t·D with t repeats. */
  readonly nComponents: number;
  /** How the rows of this map are made, if its model file says so, else null. Frozen. */
  readonly preprocessing: Preprocessing | null;
  /**
   * The signs 1 and −1 of the features, a new array of nComponents numbers, for "spherical" with `signed`; else null.
   * The kernel is then approximately Σ signs[j]·zx[j]·zy[j]. `estimate`, `gram` and `nearest` take the signs into
   * account, and so does `TensorSketch.index` with this map. Where you multiply features yourself, or search them in an
   * index of `nFeatures`, multiply one side, such as the queries, by the signs first. Linear models need no signs:
   * their weights have them.
   */
  readonly signs: Own<"Float32Array"> | null;

  /**
   * Features of the rows of X, n × nComponents, row-major, in this thread.
   *
   * @param out Where to write them: a Float32Array of exactly n × nComponents, apart from X; default: a new one.
   * @returns `out`.
   * @throws {TensorSketchError} ERR_SHAPE for wrong lengths, widths or shapes, malformed CSR, or an array whose buffer
   *   was transferred; ERR_NONFINITE naming row and column; ERR_OVERFLOW where features exceed float32; ERR_PARAM where
   *   X is of no form of `Rows`, holds something that is no number, or a row that the method cannot take, and before
   *   `fit` for "nystroem" and "k-space"; ERR_MEMORY. After an error `out` holds the features of the rows before
   *   `error.rowsDone`.
   */
  transform(X: Rows): Features;
  transform<Out extends Float32Array>(X: Rows, out: Out | undefined): Out | Features;

  /**
   * `transform` in the workers, with the same bits; small calls, and all calls where there are no workers, run in this
   * thread in slices of a few milliseconds. Calls may overlap; each gets its share of the workers. X and `out` must not
   * be changed until the promise is settled. In Node, workers without work do not keep a script from ending.
   *
   * Where the features go decides what a large call costs besides its work:
   *
   * - By default into a new array: this thread copies what the workers have made.
   * - `out: "blocks"` gives the arrays that the workers have made, in the order of rows: nothing is copied.
   * - `out: "shared"`, or an array on a SharedArrayBuffer: the workers write there themselves. It needs Node, or a page
   *   that is cross-origin isolated. Not every API takes such an array: `Blob`, `Response` and IndexedDB refuse it, and
   *   `postMessage` shares it.
   * - An array that was used before is the quickest: new memory costs about as much as the features themselves.
   *
   * @returns A promise of `out`, of a new array, or of blocks.
   * @throws {TensorSketchError} What `transform` throws, with the lowest bad row. ERR_SHAPE where an array of X, or
   *   `out`, was transferred or got another length meanwhile. After an abort or an error `out` holds whole rows, and
   *   the rows before `error.rowsDone` are complete. ERR_WORKER where two workers ended at the same rows. ERR_PARAM for
   *   "shared" in a page that is not isolated.
   * @throws `signal.reason` when aborted, at once or after the last write to shared memory; what `onProgress` threw, if
   *   it did.
   */
  transformAsync(X: Rows, options?: TransformOptions<undefined>): Promise<Features>;
  transformAsync(X: Rows, options: TransformOptions<"blocks">): Promise<FeatureBlock[]>;
  transformAsync(X: Rows, options: TransformOptions<"shared">): Promise<SharedFeatures>;
  transformAsync<Out extends Float32Array>(X: Rows, options: TransformOptions<Out>): Promise<Out | Features>;

  /**
   * `transformAsync` batch by batch, for rows that come over time, or for more rows than fit in memory.
   *
   * ```js
   * for await (const Z of map.transformBatches(rows(), { batchSize: 500 })) save(Z);   // rows is an async generator
   * ```
   *
   * The features of X come in its order, with the bits of `transform`, in new arrays of `batchSize` rows each; the
   * last may have fewer. Leaving the loop closes X.
   *
   * Of an iterable, rows are copied as they come. While you work on one batch, the next is made, and then X waits:
   * memory holds two batches. Where X is there as a whole (a typed array, numbers, a tensor, CSR or Arrow), two batches
   * for each worker are made ahead, in at most 128 MB, and a worker makes all of a batch: its array is handed over and
   * not copied. X must not be changed until the loop has ended. With `reuse` the memory of a batch is used again.
   *
   * @param X Rows as for `transform`, or an iterable or async iterable. Each item of it is one row, or rows that tell
   *   their width: an array of rows, a tensor, or CSR. A flat array of several rows is ERR_SHAPE as an item.
   * @throws {TensorSketchError} What `transform` throws, a wrong X and bad options at once. `error.row` counts from the
   *   beginning of X, `error.rowsDone` are the rows of the batches before, and `argument` of a bad item is such as
   *   "X[7]".
   * @throws `signal.reason` at once when aborted; what X threw, if it did.
   */
  transformBatches(X: Rows | Iterable<Rows | PromiseLike<Rows>> | AsyncIterable<Rows>, options?: BatchOptions):
    AsyncGenerator<Features, void, undefined>;

  /**
   * Features of x₁ ⊗ x₂ ⊗ … ⊗ x_p for each row: one input per degree, all with the same number of rows, of
   * `nFeatures[k]` numbers (or `nFeatures`). The inner product of two results estimates Π_k (γ⟨x_k, y_k⟩ + c). For
   * tensor sketches only.
   *
   * @throws {TensorSketchError} What `transform` throws, `argument` naming the input, such as "Xs[1]".
   */
  transformProduct(Xs: readonly Rows[]): Features;
  transformProduct<Out extends Float32Array>(Xs: readonly Rows[], out: Out | undefined): Out | Features;

  /**
   * The sums of the features of sets of rows: of the patches of an image, or the words of a text. This is compact
   * bilinear pooling (Gao et al. 2016), and kernel pooling for degrees above 2 (Cui et al. 2017). The inner product of
   * two results estimates Σ κ(x, y) over the rows x of one set and y of the other.
   *
   * ```js
   * const Z = map.pool(patches, { size: 25, normalize: "signed-root" }); // 25 patches of each image
   * ```
   *
   * It runs in this thread. Memory holds the sums, and never the features of all rows. Sums are of float64, in the
   * order of the rows, so that every platform gives the same bits.
   *
   * @returns A row of nComponents features for each set. An empty set has zeros.
   * @throws {TensorSketchError} What `transform` throws; ERR_PARAM and ERR_SHAPE for `size`; ERR_OVERFLOW where a sum
   *   exceeds float32.
   */
  pool(X: Rows, options?: PoolOptions): Features;

  /**
   * `pool` of rows of two kinds or more: the sums of the features of x₁ ⊗ x₂ ⊗ … ⊗ x_p, as `transformProduct` makes
   * them of one input per degree. It joins two modes, such as what a patch shows and where it is (Fukui et al. 2016).
   *
   * @throws {TensorSketchError} What `pool` throws, `argument` naming the input, such as "Xs[1]".
   */
  poolProduct(Xs: readonly Rows[], options?: PoolOptions): Features;

  /**
   * For "nystroem" and "k-space" only.
   *
   * - "nystroem" chooses D of the rows as landmarks by the seed, anew for each repeat, and keeps only these. To choose
   *   landmarks yourself, give D rows: all of them are taken. With `landmarks: "pivoted"` rows are drawn by what those
   *   before them leave over, κ(x, x) − ‖f(x)‖² (randomly pivoted Cholesky, Chen et al. 2023): rows that differ from
   *   the most others come in. It takes up to five times as long as the features of all rows, and the core
   *   needs memory for all of them.
   * - "k-space" uses all rows and keeps none. The order of the rows changes no bit. To fit to a sample, give a sample.
   *
   * Calling it again replaces the fit; `transformAsync` calls that are under way then reject with ERR_DISPOSED.
   *
   * @throws {TensorSketchError} ERR_PARAM for another method; ERR_SHAPE for fewer than D rows; else as `transform`.
   *   After an error the map is as it was.
   */
  fit(X: Rows, options?: { landmarks?: "uniform" | "pivoted" }): void;

  /**
   * For "k-space" only: fits the map to rows that come in parts, of a file of any size. The order of the rows and the
   * parts change no bit.
   *
   * ```js
   * using fitter = map.fitter({ radius: 1 }); // rows of length 1
   * for await (const rows of parts) fitter.add(rows);
   * fitter.finish();
   * ```
   *
   * @param options `radius` is the largest norm that rows may have. Without it, or with 0, give all rows to `measure`
   *   first.
   * @throws {TensorSketchError} ERR_PARAM for another method or radius; ERR_MEMORY.
   */
  fitter(options?: { radius?: number }): Fitter;

  /**
   * The estimate of the kernel from two rows of features. "mean" (default) is their inner product, summed in float64
   * with the map's `signs`, if it has them, and so the mean over the repeats. "median" is the median of the repeats'
   * estimates, which is robust against single outliers. For "k-space" neither estimates the kernel.
   *
   * @throws {TensorSketchError} ERR_SHAPE where a row is not nComponents long, ERR_NONFINITE.
   */
  estimate(zx: ArrayLike<number>, zy: ArrayLike<number>, options?: { how?: "mean" | "median" }): number;

  /**
   * The estimates between all rows of A and all rows of B at once, m × n and row-major: number i·n + j has the bits of
   * `estimate` ("mean") of row i of A and row j of B. It runs in this thread, at some billion products of two numbers a
   * second.
   *
   * @param A Features of this map, m × nComponents, such as `transform` gives.
   * @param B n × nComponents, row-major; default: A.
   * @throws {TensorSketchError} ERR_PARAM and ERR_SHAPE naming the argument, ERR_NONFINITE naming row and column too;
   *   ERR_MEMORY where the result is larger than this engine can allocate; ERR_DISPOSED.
   */
  gram(A: Float32Array, B?: Float32Array): Own<"Float64Array">;

  /**
   * `gram` in the workers, with the same bits. A and B must not be changed until the promise is settled.
   *
   * @throws {TensorSketchError} What `gram` throws, with the row of one error if there are several; ERR_SHAPE where A
   *   or B was transferred meanwhile; ERR_WORKER.
   * @throws `signal.reason` at once when aborted; what `onProgress` threw, if it did.
   */
  gramAsync(A: Float32Array, B?: Float32Array, options?: ProductOptions): Promise<Own<"Float64Array">>;

  /**
   * For each row of q the k rows of Z with the largest estimates, largest first: for search and for near-duplicates.
   * Equal estimates come in the order of rows. The estimates have the bits of `estimate` ("mean").
   *
   * ```js
   * const { rows, estimates } = map.nearest(Z, map.transform(x), 10);   // the ten rows of Z most like x
   * ```
   *
   * An inner product is large for long rows, too: where rows differ in length, take the metric "cosine", or
   * "euclidean", whose `estimates` are distances, least first (not in tensorsketch/map; both copy Z). To search many
   * rows again and again, take `TensorSketch.index`. A map with `signs` has the metric "inner" alone.
   *
   * @param Z Features of this map, n × nComponents.
   * @param q One or more rows of features.
   * @param k An integer ≥ 1. There are n results for each row of q if n is less.
   * @returns `rows` of Z, counted from 0, and their `estimates`: k numbers for the first row of q, then for the next.
   * @throws {TensorSketchError} As `gram`.
   */
  nearest(Z: Float32Array, q: Float32Array, k: number, options?: { metric?: Metric }): Nearest;

  /** `nearest` in the workers, with the same results. It throws what `gramAsync` does. */
  nearestAsync(Z: Float32Array, q: Float32Array, k: number, options?: ProductOptions & { metric?: Metric }):
    Promise<Nearest>;

  /** The kernel, and the errors of estimates. */
  readonly theory: MapTheory;

  /** Differentially private releases of the map's features. */
  readonly privacy: MapPrivacy;

  /**
   * The model: everything `fromJSON` needs to make this map again, here or in Go. JSON.stringify(map) gives its text.
   * The file of "nystroem" holds its landmarks, which are rows of the data, and the file of "k-space" holds its
   * projection, m × D numbers. The file of a keyed map holds a value that reveals a wrong key. It holds the key only
   * with `includeKey`.
   *
   * @param options `keySalt` has the salt and the iterations that made the key from a passphrase. By default they come
   *   from the model that this map was made from. They are public: with them, a user of the model needs only the
   *   passphrase. `preprocessing` makes the rows that this map takes, as `Dataset` gives it (./dataset); default: this
   *   map's preprocessing. With it, new files of rows need only the model file.
   * @throws {TensorSketchError} ERR_PARAM for "nystroem" and "k-space" before `fit`, and for a preprocessing that is
   *   none, or makes rows of other than `nFeatures` numbers.
   */
  toJSON(options?: { includeKey?: boolean; keySalt?: KeySalt; preprocessing?: string | Preprocessing | undefined }):
    object;

  /** Frees the map's memory. Its pending `transformAsync` calls reject with ERR_DISPOSED. May be called again. */
  dispose(): void;
  [Symbol.dispose](): void;
  readonly [Symbol.toStringTag]: "FeatureMap";
}

/** A map without private releases, as the entry tensorsketch/learn has them. */
export interface LearnMap extends Omit<FeatureMap, "privacy"> {
}

/** Fits a map of method "k-space" to rows that come in parts. It keeps exact sums, and no rows. */
export interface Fitter {
  /**
   * Raises the radius to the largest norm of these rows, where none was given. Give it all rows before the first `add`.
   *
   * @throws {TensorSketchError} ERR_PARAM where a radius was given or a row added; else as `transform`.
   */
  measure(X: Rows): void;
  /**
   * Adds rows.
   *
   * @throws {TensorSketchError} ERR_PARAM before `measure`, where no radius was given; ERR_SHAPE for rows of another
   *   width, or beyond the radius; ERR_NONFINITE: nothing was added then. ERR_OVERFLOW for rows whose sketches exceed
   *   float32, and ERR_SHAPE for more rows than exact sums hold, some 2^26 of the radius: the fitter is of no further
   *   use then. ERR_DISPOSED after `finish`.
   */
  add(X: Rows): void;
  /** The rows added. */
  readonly rows: number;
  /**
   * Fits the map, in place of an earlier fit, and ends the fitter. The time grows with m²·(m + r).
   *
   * @throws {TensorSketchError} ERR_SHAPE for fewer rows than nComponents: more may be added then.
   */
  finish(): void;
  /**
   * `finish` in slices of some milliseconds, so that the page stays responsive. Rows added meanwhile make it begin
   * anew.
   *
   * @param options `onProgress` gets the part that is done, from 0 to 1.
   * @throws {TensorSketchError} What `finish` throws; ERR_DISPOSED where the fitter or the map was disposed meanwhile.
   * @throws `signal.reason` when aborted, and what `onProgress` threw, if it did. The map is as it was then, and
   *   `finish` may be called again.
   */
  finishAsync(options?: { signal?: Platform<"AbortSignal">; onProgress?: (done: number) => void }): Promise<void>;
  /** Frees the fitter's memory without a fit. May be called again, and after `finish`. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * How the columns of a table become rows, with what was learned from a first file: means, deviations, values of
 * categories. docs/formats.md describes it; `Dataset` (./dataset) makes and applies it, and so does package dataset of
 * Go.
 */
export interface Preprocessing {
  readonly format: "tensorsketch-preprocessing";
  /** 4 with a unit of measure, else 3 with columns as they are for learning, 2 with a reading and 1 without. */
  readonly version: 1 | 2 | 3 | 4 | 5;
  readonly unitNorm: boolean;
  readonly sparseWidth?: number;
  /** How the file was read, as `Reading` of dataset.d.ts. */
  readonly reading?: Readonly<Record<string, unknown>>;
  readonly columns: readonly Readonly<Record<string, unknown>>[];
}

export interface TransformOptions<Out extends Float32Array | "blocks" | "shared" | undefined = Float32Array> {
  /** As for `transform`, or "blocks" or "shared". */
  out?: Out;
  /** Stops the work; the promise rejects with `signal.reason` at once, and nothing more is written. */
  signal?: Platform<"AbortSignal">;
  /** Called at most 30 times a second, and at the end. */
  onProgress?(rowsDone: number, rowsTotal: number): void;
}

/** Options of `pool` and `poolProduct`. */
export interface PoolOptions {
  /**
   * Rows of each set, which follow one another: one number for all sets, or a number for each. Default: all rows are
   * one set.
   */
  size?: number | ArrayLike<number>;
  /**
   * "signed-root" takes the root of each sum, with its sign, and then divides each set by its length, as is usual
   * before a linear model. Default "none".
   */
  normalize?: "none" | "signed-root";
}

/** Options of `gramAsync` and `nearestAsync`. */
export interface ProductOptions {
  /** Stops the work; the promise rejects with `signal.reason` at once. */
  signal?: Platform<"AbortSignal">;
  /** Called with numbers of pairs of rows, at most 30 times a second, and at the end. */
  onProgress?(pairsDone: number, pairsTotal: number): void;
}

/** What `nearest` finds. */
export interface Nearest {
  /** Rows of Z. */
  readonly rows: Own<"Int32Array">;
  /** Inner products, or cosines. */
  readonly estimates: Own<"Float64Array">;
}

/**
 * Which rows are near: those with the largest cosine ⟨q, x⟩/(‖q‖‖x‖) or inner product ⟨q, x⟩, or the least distance
 * ‖q − x‖. Cosines of features estimate κ(q, x)/√(κ(q, q) κ(x, x)), and distances those in the kernel's space. A row of
 * zeros has no cosine: it is an error.
 */
export type Metric = "cosine" | "inner" | "euclidean";

/** Options of `TensorSketch.index`. Either `map` or `nFeatures` is given. */
export type IndexOptions<M = FeatureMap> = CommonIndexOptions & ({
  /** Rows are given as this map takes them, and searched by their features. With `signs` the metric is "inner". */
  map: M;
  nFeatures?: undefined;
} | {
  /** Rows are searched as they are, 1 … 2^20 numbers each. `map.nComponents` for features that are made elsewhere. */
  nFeatures: number;
  map?: undefined;
});

/** Options of every index. */
export interface CommonIndexOptions {
  /** Default "cosine". */
  metric?: Metric;
  /**
   * Bits of a number: 8 (default), 4, or 32 for floats. A row of D numbers, D a multiple of 32, has D·bits/8 + 12
   * bytes, and about 5 for its id.
   */
  bits?: 32 | 8 | 4;
  /**
   * Keeps the floats beside 8 or 4 bits, 4·D bytes a row: `search` ranks the best rows by them again, and its scores
   * are exact (cosines to 1e-7). Default false.
   */
  keep?: boolean;
  /** Of the rotation before rounding, an integer 0 … 2^32 − 1; default 0. */
  seed?: number;
  /** The content of index.wasm, or of index.scalar.wasm; by default it is fetched from where the core is. */
  wasmBinary?: ArrayBuffer | Uint8Array;
}

/** Bytes of an index: in one piece, or in parts as they come. */
export type IndexFile = ArrayBuffer | Uint8Array | Platform<"Blob"> | Platform<"Response"> |
  Platform<"ReadableStream"> | Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/**
 * Rows with ids, to be searched. `TensorSketch.index` makes it.
 *
 * Rows are kept as floats until 1,024 stand in the index together (fewer where a row has more than 1,024 numbers). The
 * centre is their mean. From then on each row is centred, rotated by random signs and Walsh–Hadamard transforms, and
 * rounded with a scale of its own. The estimate of ⟨q, x⟩ has no bias over rotations. For q and x at right angles from
 * the centre, its error relative to their lengths has the deviation 0.108/√D at 4 bits; at 8 bits it is 0.0077/√D for
 * D 1,024. A search looks at all rows, in integers: nothing is missed but by rounding. The same calls give the same
 * bytes and scores on every platform.
 */
export interface RowIndex {
  /** What makes features of the rows, or null. A map that `from` made ends with the index. */
  readonly map: FeatureMap | null;
  /** Numbers of a row, as it is given. */
  readonly nFeatures: number;
  readonly metric: Metric;
  readonly bits: 32 | 8 | 4;
  readonly keep: boolean;
  /** Number of rows. */
  readonly size: number;
  /** Bytes of its WebAssembly memory, which does not shrink. */
  readonly memoryBytes: number;

  /**
   * Adds rows. If the call fails, the index is as it was.
   *
   * @param ids The id of each row, an integer 0 … 2^32 − 2 that no row has. By default they count on from the largest
   *   that the index has ever had, from 0.
   * @returns `ids`, or the first of those that the rows got.
   * @throws {TensorSketchError} ERR_PARAM, ERR_SHAPE; ERR_NONFINITE; ERR_OVERFLOW of the map; ERR_MEMORY. A row must
   *   have a length from 1e-18 to 1e18; zeros are taken except for cosines.
   */
  add(X: Rows, ids: ArrayLike<number>): Own<"Uint32Array">;
  add(X: Rows): number;
  /**
   * `add` in slices, so that a page stays responsive. The map's workers make the features. Until it ends the index may
   * be searched, not changed. A search, `size` or a file has the rows that were added by then, which go again if the
   * call fails.
   */
  addAsync(X: Rows, ids: ArrayLike<number>, options?: IndexAddOptions): Promise<Own<"Uint32Array">>;
  addAsync(X: Rows, ids?: undefined, options?: IndexAddOptions): Promise<number>;
  has(id: number): boolean;
  /** Removes the rows with these ids and returns how many there were. Ids that no row has are passed over. */
  remove(ids: number | ArrayLike<number>): number;
  /**
   * Finds the k rows nearest to each row of q, best first; equal ones in the order of ids. It is `size` rows if that is
   * less.
   *
   * @param k An integer ≥ 1; default 10.
   * @param options `rerank`: how many of the best rows are ranked by their floats again, where those are kept; default
   *   40, at least k.
   */
  search(q: Rows, k?: number, options?: { rerank?: number }): Found;
  /** The file of the index, with its map. A secret key is not in it. It is as large as the index: see `blocks`. */
  toBytes(): Own<"Uint8Array">;
  /** An index is no JSON: `JSON.stringify` of it throws ERR_PARAM. Keep `toBytes()`. */
  toJSON(): never;
  /**
   * The same bytes, in blocks of at most some MiB, so that a large index is not in memory twice. They must be taken
   * before the index changes.
   *
   * ```js
   * const folder = await navigator.storage.getDirectory();          // the browser's private file system
   * const file = await (await folder.getFileHandle("rows.index", { create: true })).createWritable();
   * for (const block of index.blocks()) await file.write(block);
   * await file.close();
   * const again = await ts.index.from(await (await folder.getFileHandle("rows.index")).getFile());
   * ```
   */
  blocks(): IterableIterator<Own<"Uint8Array">>;
  /** Frees the memory. Any other call throws ERR_DISPOSED afterwards. */
  dispose(): void;
  [Symbol.dispose](): void;
}

export interface IndexAddOptions {
  signal?: Platform<"AbortSignal">;
  onProgress?(rowsDone: number, rowsTotal: number): void;
}

/** What `RowIndex.search` finds: k results for the first query, then for the next. */
export interface Found {
  readonly ids: Own<"Uint32Array">;
  /** Inner products, cosines or distances, as the metric says: estimates where no floats are kept. */
  readonly scores: Own<"Float64Array">;
  /** Results of a query: what was asked for, or the number of rows if that is less. */
  readonly k: number;
}

export interface BatchOptions {
  /** Rows of a batch, an integer ≥ 1; default 1024. */
  batchSize?: number;
  /** Ends the loop: the next batch throws `signal.reason`, and X is closed. */
  signal?: Platform<"AbortSignal">;
  /**
   * Whether memory is used again: ask for the next batch, and the array of this one is overwritten, or has no elements
   * any more. Copy what you keep. It saves the cost of new memory. Default false.
   */
  reuse?: boolean;
}

/** Names of classes. 1, "1" and true are three; −0 is 0. Texts are well-formed, and compared as they stand. */
export type Label = boolean | number | string;

/** One label for each row. */
export type Labels = ArrayLike<Label> | ArrowColumn;

/** Labels of a type, such as `"spam" | "ham"`. */
export type LabelsOf<L extends Label> = ArrayLike<L> | ArrowColumn;

/** Finite numbers to predict: one for each row, or `targets` of them, flat or as an array for each row. */
export type Targets = ArrayLike<number> | readonly (readonly number[])[] | ArrowColumn;

/** Labels for "classify", targets for "regress", and either where the task is not known. */
export type LabelsFor<T extends "classify" | "regress" | undefined> =
  [T] extends ["regress"] ? Targets : [T] extends ["classify"] ? Labels : Labels | Targets;

/** What the parts of a fit must share. `prepare` takes from rows what is left out. */
export interface LearnOptions {
  /**
   * A feature map, its parameters, or a model file. Defaults for learning: 1,024 components, coef0 1 where the method
   * and kernel have it, and degree 3 where they have one (2 for at most 512 components of rows of 30 numbers or more).
   * `prepare` and `fit` also fit "nystroem" and "k-space" to the rows, which then have at most as many components as
   * there are rows. A learner has a map of its own.
   */
  map?: LearnMap | Partial<Params> | { readonly format: string };
  /** Numbers per input row, if `map` does not have them. */
  nFeatures?: number;
  /** Whether y has labels, or numbers to predict. By default this follows from y and the other options. */
  task?: "classify" | "regress";
  /**
   * All classes, from two to 1,000. By default a learner takes the classes of its rows, and merging unites them.
   */
  classes?: readonly Label[];
  /** Targets of a row, for "regress"; default 1. */
  targets?: number;
  /**
   * R, the largest length of a row. Without a `grid`, features are rounded to 2^15 steps to either side, as wide as
   * rows of this length need; private ones to 2^12. Features beyond the grid are cut, and counted in `report.clipped`.
   * A fit is ERR_PARAM where rounding to the grid leaves too little of most rows, since few are much longer.
   */
  radius?: number;
  /** To what features are rounded, as `prepare` takes it from rows where no radius is given. */
  grid?: Grid | undefined;
  /** [lowest, highest] of all targets. One beyond it is ERR_PARAM. */
  targetRange?: readonly [number, number] | ArrayLike<number>;
  /**
   * How rows were made: a text, such as the JSON of the columns and their scaling. Only learners with the same text
   * merge.
   */
  preprocessing?: string | Preprocessing | undefined;
  /**
   * What makes the rows of the map from the rows that are given, as `Model.preparation` has it. `nFeatures` of the map
   * is then the number of prepared coordinates, and `radius` is about prepared rows. Only learners with the same
   * preparation merge. Not beside `private`. `prepare` and `fit` also take the name of a form, and make the preparation
   * of that form for their rows.
   */
  preparation?: Preparation | Preparation["form"] | undefined;
  /**
   * How many parts of the rows are held out in turn: 0, 1 (a fifth of the rows; default for "classify") or 5 (default
   * for "regress"). Each part has sums of its own; for 1 there are two. A model without folds has no probabilities.
   */
  folds?: 0 | 1 | 5;
  /**
   * The share of the rows, 0 to 1, that are kept beside the sums, for probabilities and intervals. `prepare` takes one
   * of about 2,000 rows where folds are 5.
   */
  keep?: number;
  /** Whether a linear model is also fitted to the rows themselves, for `report.linear`; default true. */
  linear?: boolean;
  /** What the search of `prepare` tried, for `report.candidates` of the models. */
  candidates?: Candidates;
  /**
   * Allows `Learner.release`; default false. Then `radius` and `classes` or `targetRange` must be typed or public:
   * nothing may come from the rows. Features of rows beyond the radius are scaled down to the norm of rows of that
   * length, and targets are cut to the range. No linear model is fitted to the rows, and `folds` is 0 by default.
   */
  private?: boolean;
}

/**
 * A grid of 16 bits. Feature j is rounded to a multiple of `step`·2^−f_j, f the bytes of `finer` or 0. `linear` is the
 * grid of the rows themselves.
 */
export interface Grid {
  /** A power of two. */
  step: number;
  limit: 32767;
  /** Bytes in base64, one for each feature. */
  finer?: string;
  linear?: { step: number; finer?: string };
}

/** Options of a learner of classes, whose models predict them. */
export type ClassifyOptions<L extends Label = Label> = LearnOptions & { task: "classify"; classes?: readonly L[] };

/** Options of `TensorSketch.fit`. */
export type FitRowsOptions = Omit<LearnOptions, "private"> & SearchOptions & LossOptions & {
  weights?: ArrayLike<number>;
  /**
   * Gets a first model within about a second, where there is a search: of at most 1,000 rows that are evenly spread, at
   * most 256 features, and few candidates. It knows the classes of these rows. `report.candidates.heldOut` says how
   * well it predicts others of them. Two workers fit it beside the search, fewer before it. What the promise resolves
   * to does not depend on it. It is not called where these rows cannot be fitted, as with one class, or where the fit
   * itself has ended before. Dispose of the model. An error that is thrown here ends the fit, at its end.
   */
  onFirst?(model: Model): void;
};

/** Options of `TensorSketch.fit` for rows as objects, as of `fit` of tensorsketch/dataset. */
export type FitRecordsOptions<K extends string = string> = Omit<CommonFitOptions, "dataset" | "reading" | "label"> & (
  | Pick<AlphaOptions, "alpha"> & { alphaRange?: undefined }
  | Pick<AlphaOptions, "alphaRange"> & { alpha?: undefined }
) & {
  /** The key of the labels. */
  label: K;
  /** Gets a first model within about a second, as in FitRowsOptions. */
  onFirst?(model: Model<Label, Records>): void;
};

/** Ridge regression has `alpha`, and the other losses, for classes, have `C`. */
export type LossOptions =
  | FitOptions & Omit<PassOptions, "loss" | "C"> & { loss?: "squared"; C?: undefined }
  | PassOptions & Pick<FitOptions, "signal" | "onProgress">
    & Without<"alpha" | "alphaRange" | "alphaCount" | "intercept">
    & { loss: "squared-hinge" | "logistic"; task?: "classify" };

/** Options of `TensorSketch.prepare` with a search. */
export type SearchedOptions = LearnOptions & Pick<FitOptions, "signal" | "onProgress"> &
  Pick<SearchOptions, "indicators" | "unitNorm"> & { search: "auto" | CandidateName | readonly CandidateName[] };

/**
 * Exact sums of products of features, rounded to a grid, with their classes or targets: all that a fit needs. Order and
 * grouping of `add`, `merge` and `subtract`, workers and platforms change no bit of them. A call that fails leaves them
 * as they were. They need 4·D² bytes for each part, and are counted in `maxMemory` while a call works
 * on them. After `dispose` every method throws ERR_DISPOSED.
 */
export interface Learner<M extends Model<Label, Rows, LearnMap> = Model> {
  readonly task: "classify" | "regress";
  /** The labels in their order: false, true, numbers ascending, texts by their UTF-8 bytes. Null for "regress". */
  readonly classes: readonly Label[] | null;
  /** Rows added less rows taken away. */
  readonly count: number;
  /** The learner's map. It ends with the learner. */
  readonly map: M["map"];
  /**
   * Adds the rows of X in this thread. Each call also copies all sums, so add many rows per call.
   *
   * @param weights 1 for a row that counts and 0 for one that is left out; default all 1.
   * @throws {TensorSketchError} What `transform` throws; ERR_PARAM, ERR_SHAPE and ERR_NONFINITE for y and the weights,
   *   naming the row: a label that is not one of the given classes, a target beyond `targetRange`; ERR_PARAM for more
   *   rows than 64 bits allow, 2^39 or with targets 2^25.
   */
  add(X: Rows, y: LabelsFor<M["task"]>, weights?: ArrayLike<number>): void;
  /**
   * `add` in the workers. Each worker adds up blocks of rows; if one dies, its blocks are done again. X and y must not
   * be changed until the promise is settled.
   *
   * @throws {TensorSketchError} What `add` throws, with the lowest bad row, and ERR_WORKER.
   * @throws `signal.reason` at once when aborted; what `onProgress` threw. The learner is then as it was.
   */
  addAsync(X: Rows, y: LabelsFor<M["task"]>, options?: {
    weights?: ArrayLike<number>;
    signal?: Platform<"AbortSignal">;
    onProgress?(rowsDone: number, rowsTotal: number): void;
  }): Promise<void>;
  /** Adds rows of features of the same map, n × nComponents. From then on no linear model is fitted to the rows. */
  addFeatures(Z: Float32Array, y: LabelsFor<M["task"]>, weights?: ArrayLike<number>): void;
  /**
   * Adds the rows of another learner, also of another module. Classes that were not given are united.
   *
   * @throws {TensorSketchError} ERR_PARAM naming what differs in the map or the options, and what to share.
   */
  merge(other: LearnLearner): void;
  /**
   * Takes the rows of another learner away, exactly.
   *
   * @throws {TensorSketchError} What `merge` throws, and ERR_PARAM if the sums show that the rows were not added. Sums
   * cannot always show it: other rows are taken away all the same.
   */
  subtract(other: LearnLearner): void;
  /**
   * Fits a model to the rows so far, in a worker. Rows may be added meanwhile.
   *
   * @throws {TensorSketchError} ERR_PARAM for no rows, rows of one class, fewer rows than classes, and for an `alpha`
   *   that is too small to solve with; ERR_MEMORY.
   * @throws `signal.reason` at once when aborted; what `onProgress` threw.
   */
  fit(options?: FitOptions): Promise<M>;
  /**
   * How unlike rows are to the rows so far (docs/learn.md, "Novelty"). Where at least 200 rows are kept (`keep`),
   * `novelty` is the squared distance to the second nearest kept row, between features. Else it comes from the
   * sums: zᵀ(G/n + λI)⁻¹z of features z, G being their sums of products. `share` says which part of the kept rows is
   * less novel, 0 … 1: 0.992 says that a row is unlike 99.2 % of what was seen. It is null where no rows are kept.
   * What is known is made ready in each call, so give many rows in one. It blocks this thread.
   *
   * A preparation cuts cells outside the ends of their columns, and weighs columns. A row that is odd only there looks
   * ordinary: `cut` counts these cells, as `cut` of a model does. Of a private learner the result is exact, and not
   * private.
   *
   * ```js
   * const learner = ts.learner({ ...ts.prepare(X, y, { map }), keep: 1 });
   * learner.add(X, y);
   * const { novelty, share } = learner.novelty(newRows);
   * ```
   *
   * @throws {TensorSketchError} What `transform` throws; ERR_PARAM for no rows so far.
   */
  novelty(X: Rows): { novelty: Own<"Float64Array">; share: Own<"Float64Array"> | null; cut: number };
  /**
   * The sums of a learner made with `private`, with differential privacy: noise is added to all of them once, and
   * models are fitted to the result. docs/privacy.md ("Private models") says what it promises. The learner itself, its
   * file and what its own `fit` gives are exact, and not private.
   *
   * The noise is from the platform's crypto and never the same twice. Each call is a release of its own, and is charged
   * to the ledger if it succeeds. It runs in this thread: with 1,024 components for some tenths of a second, with 4,096
   * for some seconds.
   *
   * ```js
   * const learner = ts.learner({ map, private: true, radius: 1, classes: [0, 1], task: "classify" });
   * await learner.addAsync(X, y);
   * const ledger = ts.ledger({ epsilon: 4, delta: 1e-5 });
   * const model = await learner.release({ epsilon: 2, delta: 1e-5, ledger }).fit();
   * ```
   *
   * @param options `rows` is the public number of rows. If it is given, the learner must have as many.
   * @throws {TensorSketchError} ERR_PARAM for a learner without `private`, for what the ledger's budget does not allow,
   *   for bad numbers, and where there is no `crypto.getRandomValues`. ERR_MEMORY. After an error nothing was charged.
   */
  release(options: { epsilon: number; delta: number; ledger: Ledger; rows?: number }): ReleasedMoments<M>;
  /**
   * Tests whether the rows of both come from the same distribution, whatever their labels, in a worker. The other side
   * may be of another module.
   *
   * @throws {TensorSketchError} ERR_PARAM for another map, preprocessing, grid or bound, naming it, for fewer than 10
   *   rows on a side, and for rows that are all alike; ERR_MEMORY.
   * @throws `signal.reason` at once when aborted; what `onProgress` threw.
   */
  compare(other: Learner | ReleasedMoments, options?: Pick<FitOptions, "signal" | "onProgress">): Promise<Comparison>;
  /** The file, for `ts.learner({ from })` or Go (docs/SPEC.md). It does not hold a key. */
  toJSON(): object;
  /** The binary form of the same file, a quarter smaller. */
  toBytes(): Own<"Uint8Array">;
  dispose(): void;
  [Symbol.dispose](): void;
  readonly [Symbol.toStringTag]: "Learner";
}

/** A learner without private releases and comparisons, as the entry tensorsketch/learn has them. */
export interface LearnLearner<M extends Model<Label, Rows, LearnMap> = Model<Label, Rows, LearnMap>>
  extends Omit<Learner<M>, "release" | "compare"> {
}

/** Sums with noise, from `Learner.release`. They hold nothing else of the rows, and no longer need the learner. */
export interface ReleasedMoments<M extends Model<Label, Rows, LearnMap> = Model> {
  readonly task: "classify" | "regress";
  readonly classes: readonly Label[] | null;
  readonly epsilon: number;
  readonly delta: number;
  /** The public number of rows. */
  readonly rows: number;
  /** C, the norm to which the features of each row are clipped. */
  readonly bound: number;
  /** σ of the noise in the sum of squares of each feature. λ of a fit is 1.6·σ·√nComponents, by this rule alone. */
  readonly sigma: number;
  /**
   * Fits a ridge regression to them, in a worker. Its λ comes from the noise, and is doubled while the noisy sums
   * cannot be solved with it. No rows are held out, so the model has no probabilities. Its report has ε and δ in
   * `private`. Any number of fits is as private as the release.
   *
   * @throws {TensorSketchError} ERR_MEMORY; ERR_DISPOSED after `dispose` of the module.
   * @throws `signal.reason` at once when aborted; what `onProgress` threw.
   */
  fit(options?: Pick<FitOptions, "signal" | "onProgress">): Promise<M>;
  /**
   * As `compare` of a learner. The noise of both sides is accounted for: it can make the p-value too large, on average,
   * but not too small. If both sides are releases, the result is as private as they are.
   */
  compare(other: Learner | ReleasedMoments, options?: Pick<FitOptions, "signal" | "onProgress">): Promise<Comparison>;
  readonly [Symbol.toStringTag]: "ReleasedMoments";
}

/** A two-sample test of n and m rows with mean features x̄ and ȳ (docs/learn.md). Frozen. */
export interface Comparison {
  /**
   * The estimate without bias of the squared maximum mean discrepancy ‖E z(x) − E z(y)‖², in the unit of the kernel. It
   * may be negative.
   */
  readonly mmd2: number;
  /** Its standard error, > 0. */
  readonly stdError: number;
  /** ‖x̄ − ȳ‖², the statistic of the test. */
  readonly biased: number;
  /** How often so large a distance occurs where there is no difference, 0 … 1; to a relative error of 1e-6. */
  readonly pValue: number;
  /** n and m. */
  readonly rows: readonly [number, number];
}

/** Options of `ts.fit` for a loss that is minimised in passes over the rows. */
export interface PassOptions {
  loss?: "squared" | "squared-hinge" | "logistic";
  /** C > 0, the weight of the rows' losses beside ½‖w‖²; by default rows held out
   * choose it, and it is 1 without folds. Not for "squared". */
  C?: number;
  /** How small the gradient's norm must become, relative to its norm at zero weights; default 1e-5. */
  tolerance?: number;
  /** Maximum of passes; default 1000. If they do not suffice, `report.solver.converged` is false, with a warning. */
  maxPasses?: number;
}

export interface FitOptions {
  /**
   * λ > 0, the weight of ‖w‖² beside the sum of squared errors of all rows, as alpha of scikit-learn's Ridge. "auto"
   * (default) takes the best of `alphaCount` values by the squared error on the folds. Without folds it is generalised
   * cross-validation among those with at most n/2 degrees of freedom.
   */
  alpha?: number | "auto";
  /** The values that "auto" tries: [lowest, highest] times Σ‖z − mean‖² of all rows; default [1e-11, 1e2]. */
  alphaRange?: readonly [number, number];
  /** How many, at equal ratios, 1 … 1000; default 53. */
  alphaCount?: number;
  /** Whether an intercept is fitted, without a penalty; default true. */
  intercept?: boolean;
  signal?: Platform<"AbortSignal">;
  /**
   * Called at most 30 times a second with how much is done, from 0 to 1; `total` is 1. If it returns a promise, a fit
   * to sums and a search wait until that is fulfilled, and reject if it rejects.
   */
  onProgress?(done: number, total: 1): void | PromiseLike<void>;
}

/**
 * A map with a linear model of its features. JSON.stringify(model) gives the file for `ts.fromJSON`, which Go reads as
 * well. After `dispose` every method throws ERR_DISPOSED. Calls with Async run in the workers, with the same results,
 * `signal` and `onProgress`.
 *
 * A model that knows columns, of `fit` of rows as objects or read with them, takes such rows too (`Records`). Reading
 * them needs dataset.wasm: it is there after `fit`, and calls with Async fetch it. Calls without throw ERR_PARAM
 * before.
 *
 * All calls throw what `transform` throws for X, and a DatasetError for a row as an object that cannot be used.
 */
export interface Model<L extends Label = Label, X = Rows, M = FeatureMap> {
  readonly task: "classify" | "regress";
  readonly loss: "squared" | "squared-hinge" | "logistic";
  readonly classes: readonly L[] | null;
  /** λ of the fit. */
  readonly alpha: number;
  /** How it was fitted. Frozen. */
  readonly report: ModelReport;
  /** The model's map. It ends with the model. With a `preparation` it takes the rows that this makes. */
  readonly map: M;
  /** What makes the rows of the map from the rows that are given, or null if they are the same. Frozen. */
  readonly preparation: Preparation | null;
  /**
   * For each row the class with the largest score, or for "regress" the numbers, n × targets. The first time that cells
   * are cut (see `cut`), a console warning says how many.
   */
  predict(X: X, options?: NoteOptions & { interval?: undefined }): L[] | Own<"Float64Array">;
  /**
   * With `interval`, such as 0.9, intervals of numbers or sets of classes that hold the truth of about that share of
   * rows. The model must have been fitted with folds 5.
   */
  predict(X: X, options: NoteOptions & { interval: number }): Intervals | Sets<L>;
  predictAsync(X: X, options?: PredictOptions): Promise<L[] | Own<"Float64Array">>;
  /** A score for each class or target of each row, n × K. */
  scores(X: X): Own<"Float64Array">;
  scoresAsync(X: X, options?: PredictOptions): Promise<Own<"Float64Array">>;
  /**
   * The probabilities of the classes, n × K, from the scores of rows that were held out (docs/learn.md). The fewer
   * there are, the nearer they are to the shares of the classes. With folds 5 the most probable
   * class is what `predict` says; from sums alone it can differ.
   *
   * @throws {TensorSketchError} ERR_PARAM for a regression, and where no rows were held out.
   */
  probabilities(X: X): Own<"Float64Array">;
  probabilitiesAsync(X: X, options?: PredictOptions): Promise<Own<"Float64Array">>;
  /**
   * For each row its k most probable classes, the most probable first; k is 3 unless given.
   *
   * @throws {TensorSketchError} ERR_PARAM for k, and as `probabilities`.
   */
  top(X: X, k?: number): { label: L; probability: number }[][];
  topAsync(X: X, k?: number, options?: PredictOptions): Promise<{ label: L; probability: number }[][]>;
  /**
   * How well the model predicts the labels or targets of these rows. Rows as objects have them, under their key.
   *
   * @throws {TensorSketchError} ERR_PARAM, ERR_SHAPE and ERR_NONFINITE for y. A label that is no class of the model is
   *   not an error: its row counts as wrong, and in `unknown`.
   */
  evaluate(X: X, y: Labels | Targets): ClassMetrics | TargetMetrics;
  evaluate(rows: Exclude<X, Rows>): ClassMetrics | TargetMetrics;
  evaluateAsync(X: X, y: Labels | Targets, options?: RunOptions): Promise<ClassMetrics | TargetMetrics>;
  evaluateAsync(rows: Exclude<X, Rows>, y?: undefined, options?: RunOptions): Promise<ClassMetrics | TargetMetrics>;
  /**
   * How many cells of rows lie outside the ends of their columns in the rows that the model was prepared for, and count
   * as these ends, or are missing where none of these rows lacked one, and count as the mean. `evaluate` says it, too.
   * 0 for a model without a preparation.
   */
  cut(X: X): number;
  /**
   * What columns are worth: by how much the accuracy, or R² of numbers, falls where a column's values are exchanged
   * between rows, the mean of five times. Take rows that the model was not fitted to. Columns that say the same have
   * little importance each. It blocks this thread.
   *
   * @param options `columns` are groups of columns, 0 for the first, which are exchanged together; default each.
   */
  importance(X: Rows, y: Labels | Targets, options?: { columns?: readonly (readonly number[])[] }):
    { drop: number; stdError: number }[];
  /** The model file: the map's, with the key `head`. Options as of `FeatureMap.toJSON`. */
  toJSON(options?: { includeKey?: boolean; keySalt?: KeySalt; preprocessing?: string | Preprocessing | undefined }):
    object;
  dispose(): void;
  [Symbol.dispose](): void;
  readonly [Symbol.toStringTag]: "Model";
}

/** Predicted numbers, n × targets, with the ends of their intervals. */
export interface Intervals {
  readonly values: Own<"Float64Array">;
  readonly low: Own<"Float64Array">;
  readonly high: Own<"Float64Array">;
}

/** Predicted classes, and for each row the classes that are probable enough. */
export interface Sets<L extends Label = Label> {
  readonly labels: L[];
  readonly sets: L[][];
}

/** A model that predicts classes. */
export interface Classifier<L extends Label = Label, X = Rows, M = FeatureMap> extends Model<L, X, M> {
  readonly task: "classify";
  readonly classes: readonly L[];
  predict(X: X, options?: NoteOptions & { interval?: undefined }): L[];
  predict(X: X, options: NoteOptions & { interval: number }): Sets<L>;
  predictAsync(X: X, options?: PredictOptions): Promise<L[]>;
  evaluate(X: X, y: Labels): ClassMetrics;
  evaluate(rows: Exclude<X, Rows>): ClassMetrics;
  evaluateAsync(X: X, y: Labels, options?: RunOptions): Promise<ClassMetrics>;
  evaluateAsync(rows: Exclude<X, Rows>, y?: undefined, options?: RunOptions): Promise<ClassMetrics>;
}

/** A model that predicts numbers. It has no `probabilities` and no `top`. */
export interface Regression<X = Rows, M = FeatureMap> extends Model<never, X, M> {
  readonly task: "regress";
  readonly classes: null;
  predict(X: X, options?: NoteOptions & { interval?: undefined }): Own<"Float64Array">;
  predict(X: X, options: NoteOptions & { interval: number }): Intervals;
  predictAsync(X: X, options?: PredictOptions): Promise<Own<"Float64Array">>;
  probabilities: never;
  probabilitiesAsync: never;
  top: never;
  topAsync: never;
  evaluate(X: X, y: Targets): TargetMetrics;
  evaluate(rows: Exclude<X, Rows>): TargetMetrics;
  evaluateAsync(X: X, y: Targets, options?: RunOptions): Promise<TargetMetrics>;
  evaluateAsync(rows: Exclude<X, Rows>, y?: undefined, options?: RunOptions): Promise<TargetMetrics>;
}

export interface NoteOptions {
  /**
   * Gets what was seen in rows as objects and not used, replaced, cut or unknown, with its number of cells. Without
   * it, a console warning says each once for a model.
   */
  onNotes?(notes: readonly Note[]): void;
}

/** Options of `evaluateAsync`, whose notes are in what it returns. */
export interface RunOptions {
  signal?: Platform<"AbortSignal">;
  onProgress?(rowsDone: number, rowsTotal: number): void;
}

export interface PredictOptions extends NoteOptions, RunOptions {
}

/** Metrics of classes. Intervals are Wilson's, of 95 %. A number that no row contributes to is NaN. */
export interface ClassMetrics {
  readonly rows: number;
  /** Cells that the preparation cut, for a model with one. */
  readonly cut?: number;
  /** What was seen in rows as objects, see `NoteOptions`. */
  readonly notes?: readonly Note[];
  /** Rows whose label is no class of the model. */
  readonly unknown: number;
  readonly accuracy: number;
  readonly accuracyInterval: readonly [number, number];
  /** Mean −ln of the probability of the true class; NaN without probabilities. */
  readonly logLoss: number;
  /** For each class, the share of right predictions among the rows that were predicted as it. */
  readonly precision: readonly number[];
  /** For each class, the share of its rows that were predicted as it. */
  readonly recall: readonly number[];
  /** `confusion[t][p]` rows of class t were predicted as class p. */
  readonly confusion: readonly (readonly number[])[];
}

/** Metrics of one target, or in `targets` of each. Intervals are of 95 %, from 1,000 bootstrap samples. */
export interface TargetMetrics {
  readonly rows: number;
  readonly cut?: number;
  readonly notes?: readonly Note[];
  readonly r2?: number;
  readonly r2Interval?: readonly [number, number];
  readonly rmse?: number;
  readonly rmseInterval?: readonly [number, number];
  readonly mae?: number;
  readonly maeInterval?: readonly [number, number];
  readonly targets?: readonly Omit<TargetMetrics, "rows" | "notes" | "targets">[];
}

/**
 * What makes the rows of a map from rows of numbers, in which NaN is a missing one (docs/SPEC.md). Numbers are cut to
 * low … high and become (x − mean)/scale for "std", (x − low)/(high − low) for "mm", and the values at knots for "qn".
 * "raw" takes nFeatures numbers as they are. Each is multiplied by its weight. With `unit` the row is divided by its
 * length.
 */
export interface Preparation {
  readonly form: "std" | "mm" | "qn" | "raw";
  readonly nFeatures?: number;
  readonly columns?: readonly PreparedColumn[];
  readonly weights?: readonly number[];
  readonly unit?: true;
}

/**
 * A coordinate that stays as it is, one that is left out, or a number. `missing` adds a coordinate, 1 for NaN, and
 * `codes`, ascending numbers, add one each: 1 where the number is the code.
 */
export interface PreparedColumn {
  readonly indicator?: true;
  readonly unused?: true;
  readonly mean?: number;
  readonly scale?: number;
  readonly low?: number;
  readonly high?: number;
  readonly fill?: number;
  readonly missing?: true;
  readonly knots?: readonly number[];
  readonly values?: readonly number[];
  readonly codes?: readonly number[];
}

/** How a model was fitted. Keys that do not apply are left out. */
export interface ModelReport {
  readonly rows: number;
  /** Of these the rows of each class. */
  readonly counts?: readonly number[];
  /** Features cut to the grid. */
  readonly clipped: number;
  /** Cells that the preparation cut, for a model with one. */
  readonly cut?: number;
  /** How `alpha` was chosen. */
  readonly rule: "given" | "cross-validation" | "held-out" | "noise";
  /** Effective number of parameters of a score. */
  readonly df?: number;
  /** How well a model of the other rows, with the same alpha, fits the rows held out. */
  readonly heldOut?: { readonly rows: number; readonly r2?: number; readonly accuracy?: number };
  /** The linear model of the rows themselves, or why there is none. */
  readonly linear?: {
    readonly missing?: string;
    readonly alpha?: number;
    readonly df?: number;
    readonly heldOut?: { readonly rows: number; readonly r2?: number; readonly accuracy?: number };
  };
  readonly solver?: { readonly iterations: number; readonly gradient: number; readonly converged: boolean };
  /** The guarantee of a model from `Learner.release`. It has no `counts`, and `clipped` is 0: neither is public. */
  readonly private?: { readonly epsilon: number; readonly delta: number };
  readonly warnings?: readonly string[];
  /** What the search tried, of a model that was fitted after one. Files do not have it. */
  readonly candidates?: Candidates;
  /** What was guessed, left out or replaced in rows as objects, and how many were left out. No file has them. */
  readonly notes?: readonly Note[];
  readonly unused?: number;
}

/** What a search tried. Errors are squared ones on held-out rows over the variance: 1 is as good as the mean. */
export interface Candidates {
  /** Rows of the sample that candidates were fitted to, and the parts of it that were held out in turn. */
  readonly rows: number;
  readonly folds: number;
  /** Features of the candidates' maps. */
  readonly components: number;
  /**
   * The name of the one with the least error, or of a steadier one within one standard error of it. Null if memory was
   * too little to search, as `notes` say; then the model has the default map.
   */
  readonly chosen: CandidateName | null;
  /** Whether a linear model is within one standard error of it. */
  readonly linearIsAsGood: boolean;
  readonly seedsTried: number;
  /** How well a model like the chosen one predicts rows that no choice has seen. Null with few rows. */
  readonly heldOut: { readonly rows: number; readonly r2?: number; readonly accuracy?: number } | null;
  readonly all: readonly {
    readonly name: CandidateName;
    readonly error: number | null;
    readonly stdError: number | null;
    readonly accuracy: number | null;
    /** By how much the error is above the chosen one's, and the standard error of that. */
    readonly behind: number;
    readonly behindStdError: number;
    readonly alpha: number;
    readonly gamma?: number;
    /** Rounds of column weights. */
    readonly rounds?: number;
    /** Why it was not tried, or given up. */
    readonly skipped?: string;
  }[];
  readonly notes: readonly string[];
}

export type CandidateName = "gaussian" | "gaussian-wide" | "laplacian" | "gaussian-ranks" | "polynomial-2" |
  "polynomial-3" | "linear" | "linear-uncut" | "linear-unit" | "codes-gaussian-wide" | "codes-laplacian" |
  "codes-linear" | "gaussian-weights" | "laplacian-weights" | "codes-gaussian-weights" | "codes-laplacian-weights";

/** How `fit` and `prepare` choose the map and the preparation by held-out rows. */
export interface SearchOptions {
  /**
   * "auto", "off", or the candidates to try (docs/learn.md). "auto" is the default of `fit`, and "off" of `prepare`.
   * Method, kernel, degree, gamma, coef0, nComponents and seed of `map`, and a `preparation` by its name, narrow
   * "auto". A map itself, other parameters, `preprocessing`, `radius`, `grid`, `weights` and other losses leave nothing
   * to search for.
   */
  search?: "auto" | "off" | CandidateName | readonly CandidateName[];
  /** Columns, 0 for the first, of the 0 and 1 of categories: they are neither cut nor scaled. */
  indicators?: readonly number[];
  /** Whether rows are divided by their length; by default candidates with and without that are tried. */
  unitNorm?: boolean;
}

/** The guarantee of one release under the replacement of one row, and the bound on rows. All of it is public. */
export interface PrivacyOptions {
  /** ε, from 0.001 to 100: no odds about a row change by more than e^ε; 1 is private, 16 is so in name only. */
  epsilon: number;
  /** δ, from 1e-30 to 0.1, the probability that this fails: far less than one over the number of rows. */
  delta: number;
  /**
   * R > 0, the largest norm of a row. Not needed, and without effect, if κ(x, x) is 1 for every row: for
   * "random-fourier", "spherical", and "taylor-sketch" of the Gaussian kernel.
   */
  radius?: number;
}

/** A release of rows in blocks. */
export interface PrivateRows {
  /** C, the norm to which features are clipped. */
  readonly bound: number;
  /** σ of the noise in each number. */
  readonly sigma: number;
  /**
   * The next rows with their noise. After an error, what was released before stays, and the rows may come again.
   *
   * @throws {TensorSketchError} As `MapPrivacy.privatize`; ERR_SHAPE for more than `rows` in all.
   */
  privatize(Z: Float32Array): Features;
}

/** A mean to be released with noise. Sums are of integers, so order and grouping change nothing. */
export interface PrivateMean {
  /** C, the norm to which the features of each row are clipped. */
  readonly bound: number;
  /** σ of the noise in each number of the mean. */
  readonly sigma: number;
  /** Rows added so far. */
  readonly count: number;
  /**
   * Adds the features of the rows of X, all or, after an error, none. Give a row that cannot be used to `addFeatures`,
   * as zeros: do not leave it out, because the number of rows is public.
   *
   * @throws {TensorSketchError} What `transform` throws, and ERR_SHAPE for more than `rows` in all.
   */
  add(X: Rows): void;
  /** Adds rows of features of the same map, n × nComponents, such as `transformAsync` gives. */
  addFeatures(Z: Float32Array): void;
  /**
   * The mean with noise, nComponents numbers. Each call is a separate release: it has other noise and charges the
   * ledger.
   *
   * @throws {TensorSketchError} As `MapPrivacy.privatize`; ERR_SHAPE unless exactly `rows` rows were added.
   */
  release(ledger: Ledger): Own<"Float32Array">;
}

/**
 * What the releases of one file's rows cost. It adds up ρ of concentrated privacy, which costs less than adding ε: two
 * releases at ε = 1, δ = 1e-5 are 1.46 together at that δ. It knows only what it was charged for.
 */
export interface Ledger {
  /** The budget, which all releases keep together. */
  readonly epsilon: number;
  readonly delta: number;
  /** The ε that the releases so far come to, at the budget's δ. */
  readonly spent: number;
  /** The ε that one more release at this δ may have. */
  readonly left: number;
  /** One entry for each release, in their order. Frozen. */
  readonly releases: readonly PrivateRelease[];
  /** The file for `TensorSketch.ledger`. It holds nothing of the data but the public numbers of rows. */
  toJSON(): object;
}

export interface PrivateRelease {
  readonly kind: "rows" | "mean" | "moments";
  readonly rows: number;
  readonly nComponents: number;
  readonly epsilon: number;
  readonly delta: number;
  /** C. */
  readonly bound: number;
  /** σ of the noise in each number released; of moments, in the sum of squares of each feature. */
  readonly sigma: number;
}

/** What noise leaves of the signal. */
export interface PrivacyMeter {
  /** C, the most that the norm of a row of features, or of a mean of them, can be. */
  readonly signal: number;
  /** The noise's norm, σ·√nComponents, root mean square. */
  readonly noise: number;
  /**
   * The same for continuous noise of the analytic Gaussian mechanism (Balle & Wang 2018), which no computer can draw
   * exactly.
   */
  readonly leastNoise: number;
  /** σ of the noise in each number. */
  readonly sigma: number;
  /**
   * An estimate of the squared norm of features by their noisy row, ‖z‖² − σ²·nComponents. It has no bias, so it can be
   * negative. `estimate` of two rows with separate noise needs no such correction.
   *
   * @throws {TensorSketchError} ERR_SHAPE, ERR_NONFINITE.
   */
  squaredNorm(z: ArrayLike<number>): number;
  /**
   * The standard deviation of `squaredNorm` over noises, √(4σ²‖f‖² + 2·nComponents·σ⁴), given the squared norm or an
   * estimate of it.
   */
  squaredNormStdError(squaredNorm: number): number;
  /**
   * The standard deviations of the estimate of κ(x, y) from noisy rows: of the sketch over seeds (NaN if it is not
   * known), of the noise, and of both. As `nComponents` grows, the sketch's deviation falls, and the noise's deviation
   * for two noisy rows grows.
   *
   * @param options `nComponents` is the length of the rows, repeats included: by default this map's, and for "best" the
   *   best even one. `noisy` is "both" (default), or "x" if y has no noise.
   * @throws {TensorSketchError} As `MapTheory.kernel`.
   */
  tradeoff(x: ArrayLike<number>, y: ArrayLike<number>,
    options?: { nComponents?: number | "best"; noisy?: "both" | "x" }): {
      nComponents: number;
      sketch: number;
      noise: number;
      both: number
    };
}

/** A question for `plan`. An `undefined` key counts as not given. */
export interface PlanQuestion {
  /** d. */
  nFeatures: number;
  /** Numbers of a CSR row; default the mean of a CSR sample, else d, which means dense rows. */
  nnzPerRow?: number;
  /** p, default 2. */
  degree?: number;
  /** γ, default 1. */
  gamma?: number;
  /** c, default 0. */
  coef0?: number;
  /**
   * At least 2 rows like those to come. 1,024 of them, drawn by a fixed seed, are looked at. Errors are of their pairs.
   */
  sample?: Rows;
  /** Without a sample: rows of length 1 at this cosine, −1 … 1; default 0. */
  cosine?: number;
  /** The error wanted, > 0, in units of the kernel. */
  epsilon?: number;
  /** The probability of an error beyond it, by the normal approximation; default 0.05. */
  delta?: number;
  /** Without `epsilon`: D of the first method. All methods get its time per row; default 1024. */
  nComponents?: number;
  /**
   * The methods to compare, each once. Default: every method that has this kernel for all rows ("nystroem" with a
   * sample). "spherical" must be named, and needs γ ≤ ½, c = 1 − γ and rows of length 1.
   */
  methods?: readonly Method[];
}

export interface PlanAnswer {
  method: Method;
  /** D, rounded to one that is quick to compute with. */
  nComponents: number;
  /** Root mean square error over pairs of rows and over seeds; NaN where it is not known. */
  predictedSigma: number;
  /** As for `stdError`, or "measured" on the sample ("nystroem"). */
  kind: "exact" | "first-order" | "bound" | "unknown" | "measured";
  /** With `epsilon` only: whether this map comes to it, that is, z·σ ≤ ε, z the normal quantile of 1 − δ/2. */
  reached?: boolean;
  /** In a batch, in one thread of this machine: a model, scaled by one measurement. */
  microsecondsPerRow: number;
}

/**
 * A sketch of a matrix product. After `dispose` every method throws ERR_DISPOSED. Should the instance that holds it end
 * because memory ran out, the product ends with it, and every method throws ERR_MEMORY from then on: make it again.
 */
export interface CompressedProduct {
  /** The estimate of entry (i, j), counted from 0: the median of the sketches' estimates. */
  entry(i: number, j: number): number;
  /**
   * σ of a single sketch's estimate of entry (i, j), √((‖A·B‖² − (A·B)_ij²)/D), from the sketch's own estimates of
   * both: it is an estimate itself, and NaN for D = 1. The median is far off less often.
   */
  stdError(i: number, j: number): number;
  /**
   * The `count` entries whose estimates are largest in magnitude, largest first; all of them if there are fewer. Where
   * fewer entries are large than asked for, it may have to take the medians of all m·n.
   */
  largest(count: number): { i: number; j: number; value: number }[];
  dispose(): void;
  [Symbol.dispose](): void;
}

/**
 * Every error thrown here, except `signal.reason` and what a callback threw. The message names the argument, what would
 * be right and what was given. The module and its maps go on working after any of them but ERR_DISPOSED.
 */
export class TensorSketchError extends Error {
  private constructor();
  /**
   * - ERR_PARAM: a parameter, option or argument is of the wrong type, out of range, missing, unknown or contradictory
   * - ERR_SHAPE: an array has the wrong length or shape, lost its buffer or was changed meanwhile, or CSR is malformed
   * - ERR_NONFINITE: the input holds NaN, an infinity, or a number beyond float32
   * - ERR_OVERFLOW: features exceed float32: scale the rows down, or lower gamma, coef0 or degree
   * - ERR_DISPOSED: the map or module has been disposed
   * - ERR_MEMORY: the call needs more than `maxMemory`, or memory ran out; an instance that ended is replaced at the
   *   next call, except its compressed products
   * - ERR_LOAD: the core could not be loaded, or `deriveKey` has no `crypto.subtle`
   * - ERR_WORKER: workers ended at their work, twice at the same rows
   * - ERR_INTERNAL: a fault of this library, whatever the arguments: please report it with its message
   */
  readonly code: "ERR_PARAM" | "ERR_SHAPE" | "ERR_NONFINITE" | "ERR_OVERFLOW" | "ERR_DISPOSED" | "ERR_MEMORY" |
    "ERR_LOAD" | "ERR_WORKER" | "ERR_INTERNAL";
  /** The argument at fault, such as "nComponents" or "X". */
  readonly argument?: string;
  /** Row of the input at fault, from 0. */
  readonly row?: number;
  /** Column at fault, from 0. */
  readonly column?: number;
  /** Rows of `out` that are complete. */
  readonly rowsDone?: number;
}

/** WebAssembly.Module, from the types of the DOM or of Node. */
export type WasmModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/**
 * A typed array that this library made. Its buffer is not shared, so that `new Blob([Z])`, `new Response(Z)` and
 * WebGPU take it: Float32Array<ArrayBuffer> from TypeScript 5.7 on, and Float32Array before.
 */
export type Own<Name extends "Float32Array" | "Float64Array" | "Int32Array" | "Uint32Array" | "Uint8Array"> =
  ReturnType<(typeof globalThis)[Name]["of"]>;

/**
 * A class of the platform, from the types of the DOM or of Node. In a program that has neither, nothing can be given
 * for it.
 */
export type Platform<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : never;

declare global { // as the library of TypeScript 5.2 has it, for a program that does not name it, and for TypeScript 5.0
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
  interface Disposable {
    [Symbol.dispose](): void;
  }
}

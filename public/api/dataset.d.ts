/**
 * Reads files of rows block by block: CSV, JSON, JSON Lines, LIBSVM, .npy, .npz, IDX and plain text, also inside
 * gzip, zstd or ZIP. It turns their columns into rows of numbers, and makes the preprocessing that goes into model
 * files. docs/formats.md describes the formats.
 *
 * ```js
 * import { load } from "tensorsketch";
 * import { loadDataset } from "tensorsketch/dataset";
 *
 * const [ts, dataset] = await Promise.all([load(), loadDataset()]);
 * const map = ts.fromJSON(model);                               // the text of a model file that holds a preprocessing
 * const preprocessing = dataset.fromModel(map.preprocessing);
 * const source = dataset.source("new-rows.csv");
 * const layout = dataset.sniff(source);
 * for (const { X } of dataset.rows(source, layout, preprocessing)) consume(await map.transformAsync(X));
 * source.close();
 * ```
 *
 * The same file and model give the same bits here, in the page and in Go. Reading waits for the file: in a browser it
 * needs a worker, in Node it runs in any thread. Nothing is loaded before this module is imported, and importing it
 * does nothing by itself. The page hands dataset.wasm no function that could send anything.
 */

import type { ClassScores, HeldOut, Report, TargetScores } from "./reports.js";
import type {
  Candidates, CSR, Own, Params, Platform, Preprocessing, SavedFile, SearchOptions, TensorSketch, Without,
} from "./tensorsketch.js";

/**
 * Fetches and compiles dataset.wasm (about 1.5 MB with Brotli).
 *
 * @param options `columnar` loads dataset-columnar.wasm instead (1.7 MB), which reads Parquet, Arrow and .xlsx too.
 *   `url` is its address, by default beside this module; `wasmBinary` is its content, where nothing may be fetched.
 *   `signal` and `onProgress` are as for `load`. `maxMemory` is the number of bytes beyond which its memory does not
 *   grow, from 64 MiB to 4 GiB; 1 GiB by default. A call that needs more fails with a DatasetError whose `ended` is
 *   true.
 * @throws {TensorSketchError} ERR_LOAD. `signal.reason` when aborted.
 * @throws {DatasetError} For another `maxMemory`. TensorSketchError ERR_PARAM for other options.
 */
export function loadDataset(options?: {
  columnar?: boolean; url?: string | Platform<"URL">; wasmBinary?: ArrayBuffer | Uint8Array; maxMemory?: number;
  signal?: Platform<"AbortSignal">;
    onProgress?(loadedBytes: number, totalBytes: number): void;
}): Promise<Dataset>;

/** Every method throws DatasetError for what is wrong with a file or a plan, and says what would be right. */
export interface Dataset {
  /**
   * A file to read: bytes, a path or a file: URL (in Node), a text of more than one line, a File or Blob (in a worker),
   * an object that reads at any place, or rows: an array of objects, or of lists of numbers. Rows are read as JSON: a
   * Date becomes its ISO text, and null, undefined and NaN are missing.
   *
   * ```js
   * const source = dataset.source([{ age: 33, town: "Ulm" }, { age: 21, town: "Bonn" }]);
   * ```
   *
   * @param options `name` stands in messages, and its ending helps to tell the format. `onRead` is told how far the
   *   reading is, in bytes of the file.
   * @throws {TypeError} For what is not at hand, such as a Response: take `sourceAsync`.
   */
  source(file: FileAtHand, options?: { name?: string; onRead?(at: number): void }): Source;
  /**
   * The same for what comes by and by: a Response, a stream or async iterable of bytes, texts or rows, a File or Blob
   * outside of a worker, or a promise of anything. It is held in memory as a whole. Parts may end anywhere, and their
   * memory may be used again for the next part.
   *
   * ```js
   * const source = await dataset.sourceAsync(fetch("https://example.org/first.csv"));
   * ```
   *
   * @throws {TypeError} Where the server answered with an error, or the stream was read before.
   * @throws `signal.reason` when aborted.
   */
  sourceAsync(file: FileToCome | PromiseLike<FileToCome>,
    options?: { name?: string; onRead?(at: number): void; signal?: Platform<"AbortSignal"> }): Promise<Source>;
  /**
   * Looks at the head of a source: how it is read, its columns, and what to use each for.
   *
   * @param reading What is typed; the rest is guessed. If it is complete for its format, nothing is guessed and no row
   *   is looked at. The columns then have names, but no types, examples or suggested roles.
   * @param options `preprocessing`: the rows are for the preprocessing of a model file. Settings that you do not type
   *   then come from the file that it was made for, if the formats are the same. The first row of a CSV file is a
   *   header if it has the names of its columns.
   */
  sniff(source: Source, reading?: Reading, options?: { preprocessing?: PreparedRows }): Layout;
  /**
   * What the layout suggests: a plan, to be changed as wanted.
   *
   * @param roles What to use columns for instead: `{ town: "category", price: "label" }`.
   * @throws {DatasetError} Where the file has no column of such a name.
   */
  plan(layout: Layout, roles?: Readonly<Record<string, Role>>): Plan;
  /**
   * Why no private release can be made of a file with this reading and method: a sentence with a remedy, or "" if a
   * release can be made. No file is looked at. Give `plan`, or the `preprocessing` of a model file.
   */
  misfit(release: { reading: Reading; plan?: Plan; preprocessing?: Preprocessing; method: string }): string;
  /** The preprocessing of a plan. It needs `fit` if `needsFit`. */
  preprocessing(plan: Plan): PreparedRows;
  /**
   * The preprocessing of a model file: `map.preprocessing`, or its JSON parsed.
   *
   * @throws {DatasetError} For null, which maps have that were saved without a preprocessing, and for what is none.
   */
  fromModel(preprocessing: Preprocessing | null): PreparedRows;
  /** The first pass over a source: learns what the preprocessing needs. */
  fit(source: Source, layout: Layout, preprocessing: PreparedRows, most?: number):
    PreparedRows & { readonly counts: Counts };
  /** `fit` in steps of a block of rows, for callers that do other things in between. */
  fitting(source: Source, layout: Layout, preprocessing: PreparedRows, most?: number):
    Generator<void, PreparedRows & { readonly counts: Counts }>;
  /**
   * The rows of a source, block by block. Columns are found by name. An absent column is an error that names it.
   *
   * @param onState Gets the counts of the rows so far after each block.
   * @param options `onProblem` gets each row that is left out. None is kept, so write them to a file for a complete
   *   list. It must not call this Dataset, and an error it throws ends the reading. With `keepAll`, rows that cannot be
   *   used or would be dropped come as zeros: in a private release neither the number of rows nor the place of one may
   *   depend on another row. With `holdPlaces` they come as zeros, too, and are counted and told to `onProblem`, so
   *   that predictions line up with the rows of the file.
   */
  rows(source: Source, layout: Layout, preprocessing: PreparedRows, onState?: (counts: Counts) => void,
    options?: { keepAll?: boolean; holdPlaces?: boolean; onProblem?(problem: Problem): void }): Generator<Block, void>;
  /**
   * The texts of one cell of each row of a block, such as the labels for a learner. `k` counts `prepared.cells`. The
   * default, 0, is the label if the plan has one.
   *
   * ```js
   * for (const block of dataset.rows(source, layout, prepared)) await learner.addAsync(block.X, dataset.texts(block));
   * ```
   *
   * @throws {DatasetError} Where rows have no such cell.
   */
  texts(block: Pick<Block, "rows" | "cells" | "offsets">, k?: number): string[];
  /**
   * Which label each cell is, as the command line and the page decide it. A cell of a column of numbers is a number,
   * so that 1.0 is 1; codes such as 007 stay texts. With the `classes` of a model, a cell is the class that it spells,
   * or the one of the same number.
   *
   * ```js
   * const labels = dataset.labels(layout, prepared);
   * for (const block of dataset.rows(source, layout, prepared)) labels.see(dataset.texts(block)); // the first pass
   * for (const block of dataset.rows(source, layout, prepared)) {
   *   await learner.addAsync(block.X, labels.read(dataset.texts(block))); // null, a missing label, is an error there
   * }
   * ```
   *
   * @param options `numbers`: whether the column is one of numbers, if a first pass of the same file has said so.
   */
  labels(layout: Layout, preprocessing: PreparedRows,
    options?: { classes?: readonly (string | number | boolean)[] | undefined;
      numbers?: boolean | undefined }): LabelReader;
  /**
   * Writes rows of features in a format: `csv`, `jsonl`, `libsvm`, `npy`, `parquet` or `arrow`, the last two with
   * `loadDataset({ columnar: true })`. The page and Go write the same bytes.
   *
   * ```js
   * const encoder = dataset.encoder("csv", prepared.cells, map.nComponents, { rowNumbers: true });
   * out.write(encoder.header);
   * for (const block of dataset.rows(source, layout, prepared)) {
   *   out.write(encoder.encode(map.transform(block.X), block));
   * }
   * out.write(encoder.finish(rows).footer);
   * encoder.close();
   * ```
   *
   * @param cells Names of the cells that `encode` gets with each row: `prepared.cells`. LIBSVM takes the label alone,
   *   .npy none.
   * @param options `rowNumbers` writes a column `row` first: the line or number, from 1, that each row has in its
   *   file. CSV and JSON Lines then take an `nComponents` of 0, to write labels and kept columns beside a .npy.
   *   `state` is the state of another encoder with the same arguments after a block. This encoder continues there.
   */
  encoder(format: Format, cells: readonly string[], nComponents: number,
    options?: { rowNumbers?: boolean; state?: string | undefined }): Encoder;
  /**
   * The ONNX file (opset 17, float32) of a model or of a map alone, for the runtimes of other languages and devices.
   *
   * ```js
   * const bytes = dataset.onnx(model.toJSON({ preprocessing: prepared.model }));
   * const session = await ort.InferenceSession.create(bytes); // onnxruntime-node or onnxruntime-web
   * const { label } = await session.run({ X: new ort.Tensor("float32", rows, [n, d]) });
   * ```
   *
   * X has the numbers of the columns, if all columns of the preprocessing are numbers; the graph prepares them.
   * Otherwise X has the rows that the map takes, as `rows` gives them. The outputs are `label`, `probabilities` and
   * `scores` of a classifier, `variable` of a regression, and `features` of a map alone. docs/learn.md has the details.
   *
   * @param model A Model or a FeatureMap, its `toJSON()`, or the text of a model file. Its method is `tensor-sketch`,
   *   `count-sketch`, `complex-tensor-sketch` or `random-fourier`. A keyed map needs
   *   `map.toJSON({ includeKey: true })`: a person with the ONNX file can repeat the map.
   * @throws {DatasetError} For another method, a keyed map without its key, or matrices of more than 2^27 numbers.
   */
  onnx(model: SavedModel): Own<"Uint8Array">;
  /** Calls `close` of a layout, a preprocessing or an encoder. */
  close(kept: Layout | PreparedRows | Encoder): void;
  /** Gives its memory back and closes its sources. Every later call throws a DatasetError. */
  dispose(): void;
  [Symbol.dispose](): void;
}

/** What `source` takes. */
export type FileAtHand = ArrayBufferLike | DataView | Int8Array | Uint8Array | Uint8ClampedArray | string |
  readonly object[] | RandomAccess | Platform<"Blob"> | Platform<"URL">;

/** What `sourceAsync` takes. */
export type FileToCome = FileAtHand | Platform<"Response"> | Platform<"ReadableStream"> |
  AsyncIterable<Uint8Array | string | object>;

/**
 * `read` fills `into` with bytes from `at` on and returns their number. If `into` is not full, `read` is called again
 * for the rest. If it returns 0 before `size`, the error says that the file was cut off.
 */
export interface RandomAccess {
  readonly size: number;
  read(at: number, into: Uint8Array): number;
  close?(): void;
}

/** What a Dataset keeps for its caller, until it is closed or nothing refers to it any more. */
export interface Kept {
  /** Forgets it. It cannot be used any more. */
  close(): void;
  [Symbol.dispose](): void;
}

/** What `encoder` returns. */
export interface Encoder extends Kept {
  /** What comes before the first block. */
  readonly header: Own<"Uint8Array">;
  /** The state after the last block, where another encoder can continue. Absent for formats without a footer. */
  readonly state: string | undefined;
  /**
   * The bytes of a block: its features, row after row, and its cells, as `rows` gives them.
   *
   * @param block `places` is needed only with `rowNumbers`.
   */
  encode(Z: Float32Array, block: Pick<Block, "cells" | "offsets"> & Partial<Pick<Block, "places">>):
    Own<"Uint8Array">;
  /**
   * Ends the file after so many rows. `header` replaces the first header, as .npy needs; it is empty if the first one
   * is right. `footer` follows the last block. Further blocks may take the place of the footer.
   */
  finish(rows: number): { readonly header: Own<"Uint8Array">; readonly footer: Own<"Uint8Array"> };
}

/** What `labels` returns. It takes the texts of cells, one for each row. */
export interface LabelReader extends Kept {
  /**
   * Sees labels in a first pass, and says what is known of all so far. `read` then knows whether they are numbers.
   *
   * @param places The places of the block, for `notes`.
   */
  see(texts: readonly string[], places?: Float64Array): LabelStats;
  /** The labels of rows; null where there is none. */
  read(texts: readonly string[]): (string | number | boolean | null)[];
  /** The numbers of rows, for a model that predicts numbers; NaN where there is none. */
  numbers(texts: readonly string[]): Own<"Float64Array">;
  /** The rows that `see` saw without a label for the task, and the labels of `read` that are not among the classes. */
  notes(task?: "classify" | "regress"): Note[];
}

export interface LabelStats {
  /** What the labels suggest: numbers to be predicted if there are fractions or more than 20 of them. */
  readonly task: "classify" | "regress";
  readonly canBeNumbers: boolean;
  /** Whether the column is one of numbers. */
  readonly numbers: boolean;
  /** How many labels differ, up to 1001. */
  readonly different: number;
  readonly unlabelled: number;
  readonly notNumbers: number;
  /** The range of the numbers; null if there are none. */
  readonly low: number | null;
  readonly high: number | null;
}

export interface Source {
  readonly id: number;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  close(): void;
}

export type Format = "csv" | "jsonl" | "json" | "libsvm" | "npy" | "idx" | "text" | "parquet" | "arrow" | "xlsx";

/** How a file is read (docs/formats.md). What is absent is guessed from the head of the file. */
export interface Reading {
  format?: Format;
  compression?: "none" | "gzip" | "zstd" | "zip";
  /** Of csv, jsonl, json, libsvm and text. The byte order mark says how UTF-16 is stored. */
  encoding?: "utf-8" | "utf-16" | "windows-1252";
  /** Of csv, as are the next ones; " " is a run of spaces and tabs. */
  delimiter?: "," | ";" | "\t" | "|" | " ";
  /** '\\"': a backslash stands before each quote inside a cell; "": none. */
  quote?: '"' | "'" | '\\"' | "";
  decimal?: "." | ",";
  /** "": none. */
  thousands?: "" | "." | "," | " " | "'";
  /** The first row names the columns. */
  header?: boolean;
  dates?: "iso" | "day-month-year" | "month-day-year";
  /** Of libsvm: the first index. */
  base?: 0 | 1;
  /**
   * The keys of jsonl and json whose rows are objects, and the lists of parquet and arrow. Length 0 means a single
   * value, length n a list of n numbers.
   */
  keys?: readonly { readonly name: string; readonly length: number }[];
  /** Of jsonl and json whose rows are lists: their length. */
  lists?: number;
  /**
   * Of csv, libsvm and xlsx: lines above the header, or above the first row. This and the next two are 0, "" and false
   * if they are absent and all other settings are present.
   */
  skip?: number;
  /** Of csv and libsvm: lines that begin with it are left out. "": none. */
  comment?: "" | "#" | "%" | "//";
  /** Of csv: each row begins with a cell that the header does not name, as R writes it. */
  rownames?: boolean;
  /** Of xlsx: the name of a sheet, or its number from 1. Absent: the first visible one that holds a table. */
  sheet?: string | number;
}

/** What `sniff` returns. */
export interface Layout extends Kept {
  /** The name of the file without its endings. */
  readonly stem: string;
  readonly format: Format;
  readonly compression: string;
  readonly sparse: boolean;
  readonly delimiter?: string;
  readonly decimal?: string;
  readonly header: boolean;
  /** How the file is read: every setting of its format. */
  readonly reading: Readonly<Reading>;
  /** The keys of it that were guessed. */
  readonly guessed: readonly (keyof Reading)[];
  /**
   * The scaling that `plan` gives the numbers: min-max, unless fewer than a tenth of them are nonzero.
   */
  readonly scaling: "none" | "standard" | "min-max";
  readonly columns: readonly { readonly name: string; readonly type: string; readonly role: Role;
    /** The role that suits it if it is not the label. */
    readonly usual: Role; readonly example: string; readonly odd: number;
    /** What its first cells hold, as text for a reader: a histogram or the commonest values. */
    readonly values: string;
    /** The unit that its numbers have beside them, such as "°C". */
    readonly measure?: string }[];
  /** What was seen in the file and would not be used by `plan`, or was guessed. */
  readonly notes: readonly Note[];
}

/** One thing that was seen in a file and not used, guessed, replaced or left out (docs/formats.md). */
export interface Note {
  /** Its kind, such as "column-not-used". */
  readonly code: string;
  /** The column that it is about. */
  readonly column?: string;
  /** Rows, cells or columns. */
  readonly count?: number;
  readonly what: string;
  readonly remedy?: string;
}

export type Role = "number" | "category" | "date" | "words" | "label" | "keep" | "ignore";

/** What becomes of the columns (docs/formats.md). */
export interface Plan {
  /** How the file of the plan is read: a complete reading, as a layout has it. The model file keeps it. */
  reading?: Readonly<Reading>;
  columns: ColumnPlan[];
  /**
   * Whether the file has sparse features besides its columns, and their number of coordinates. 0 or absent: as many as
   * the first pass finds.
   */
  sparse: boolean;
  sparseWidth?: number;
  /** Rows are divided by their norm. */
  unitNorm: boolean;
}

export interface ColumnPlan {
  name: string;
  role: Role;
  /** The unit that numbers have beside them, such as "°C". */
  measure?: string;
  /** "drop" if absent. `dataset.plan` gives categories "zero": an empty cell is none of the values. */
  missing?: "drop" | "refuse" | "mean" | "zero" | "constant";
  /** What a missing cell counts as, with "constant". */
  fill?: number;
  /** Default "none". */
  scaling?: "none" | "standard" | "min-max";
  /** Both numbers of the scaling (x − center)/scale, typed instead of learned in a first pass. */
  center?: number;
  scale?: number;
  /** Number of coordinates that a category is hashed into. 0 or absent: one for each of its values. */
  hashed?: number;
  /** The values of a category, in order of their UTF-8 bytes, typed instead of learned. */
  values?: string[];
  /** Parts of a date. */
  parts?: ("days" | "year" | "week" | "day")[];
  /** Shortest and longest n-grams of words and of characters; [0, 0] for none. */
  words?: [number, number];
  chars?: [number, number];
  /** Number of coordinates that the n-grams are hashed into. */
  width?: number;
}

/** What `preprocessing`, `fromModel` and `fit` return. */
export interface PreparedRows extends Kept {
  readonly needsFit: boolean;
  /** Numbers per row; before a fit, as far as they are known. */
  readonly nFeatures: number;
  /** Rows come as CSR. */
  readonly sparse: boolean;
  /** Names of the label and the kept columns. */
  readonly cells: readonly string[];
  /** For the model file, once nothing is left to learn: `map.toJSON({ preprocessing: prepared.model })`. */
  readonly model?: Preprocessing;
}

export interface Block {
  readonly rows: number;
  /** As FeatureMap.transform takes it. */
  readonly X: Float32Array | CSR;
  /** The UTF-8 of the label and kept cells, row after row: cell k from offsets[k] to offsets[k + 1]. */
  readonly cells: Uint8Array;
  readonly offsets: Int32Array;
  /** For each row its line in the file or, if the file has no lines, its number from 1. */
  readonly places: Float64Array;
}

export interface Counts {
  readonly rows: number;
  /** For each column of the plan. */
  readonly missing: readonly number[];
  /** Cells with a category that the first pass did not meet. */
  readonly unknown: readonly number[];
  /** Rows passed over, and what was wrong with the first 20 of them. `onProblem` of `rows` gets all. */
  readonly unused: number;
  readonly first: readonly Problem[];
  /** All notes of the file and of its rows so far, in the words of the command line and the page. */
  readonly notes: readonly Note[];
}

export interface Problem {
  readonly file: string;
  /** The line of the row or, in a file without lines, its number from 1. Absent if the problem is not about a row. */
  readonly row?: number;
  readonly where: string;
  readonly what: string;
  readonly remedy: string;
}

export class DatasetError extends Error {
  private constructor();
  /** "ERR_PARAM" if it is about an option, or the code of an error of the core. */
  readonly code?: string;
  /** The option that it is about. */
  readonly argument?: string;
  /** The parts of the message, if it is about a place in a file. */
  readonly problem?: Problem;
  /** What `fit`, `predict` or `evaluate` had seen in the file before it failed, such as rows that are left out. */
  readonly notes?: readonly Note[];
  /** True if the file is Parquet, Arrow or .xlsx, which `loadDataset({ columnar: true })` reads. */
  readonly columnar: boolean;
  /**
   * True if the program that reads files has ended in this call: it needed more than `maxMemory`, or has a fault. The
   * next call starts it again. What it kept (layouts, preprocessings, encoders) is lost, and sources are not.
   */
  readonly ended: boolean;
}

/**
 * Fits a model to the rows of a file, or to rows as objects, as the command `fit` does: the model file has the same
 * bytes. Columns are read, guessed and prepared as there, and what is not typed is searched for. Here models merge: a
 * linear model of more than 4,096 columns is none of the candidates, as with the command's `--mergeable`.
 *
 * ```js
 * import { load } from "tensorsketch";
 * import { evaluate, fit, predict } from "tensorsketch/dataset";
 *
 * const ts = await load();
 * const { model, report } = await fit(ts, "train.csv", { label: "species" });
 * const { predictions } = await predict(ts, [{ length: 5.1, width: 3.5 }], { model });
 * const { accuracy } = await evaluate(ts, "test.csv", { model });
 * ```
 *
 * These three functions fetch dataset.wasm at their first call, and dataset-columnar.wasm for a file that needs it, or
 * take a `dataset`. They read the file more than once. In a browser they need a worker, unless the rows are
 * objects or bytes.
 *
 * @param ts What `load` returned. Its threads do the work.
 * @throws {DatasetError} For what is wrong with a file or an option: `argument` names the option.
 * @throws {TensorSketchError} ERR_PARAM, for an unknown option.
 */
export function fit<const T extends Task = Task>(ts: TensorSketch, file: AnyFile,
  options?: FitOptions & { task?: T }): Promise<{
    /** The text of the model file, for `predict` and `evaluate` here, `ts.fromJSON`, the command line and Python. */
    readonly model: ModelFile<T>;
    readonly report: FitReport<T>;
  }>;

/** Whether a model predicts labels or numbers. */
export type Task = "classify" | "regress";

/** The text of a model file. Its type knows the task of its fit. */
export type ModelFile<T extends Task = Task> = string & { readonly [fitted]?: T };
declare const fitted: unique symbol;

/**
 * Predicts the labels or numbers of rows, as the command `predict` does. A row that cannot be used keeps its place, and
 * has the reason instead of a prediction.
 *
 * Without `write` the predictions come as objects, one for each row: the label and the kept columns if there are any,
 * `prediction`, and what the options ask for. With `write`, they are written as in a file of `format`;
 * a promise that it returns is awaited.
 *
 * @throws {DatasetError} For what is wrong with a file, a model or an option.
 * @throws {TensorSketchError} ERR_PARAM, for an unknown option, and for a format other than JSON Lines without `write`.
 */
export function predict<T extends Task>(ts: TensorSketch, file: AnyFile,
  options: PredictOptions & { model: ModelFile<T>; write?: never; format?: "jsonl" }):
  Promise<PredictReport<T> & { readonly predictions: readonly Prediction<T>[] }>;
export function predict(ts: TensorSketch, file: AnyFile, options: PredictOptions & { write?: never; format?: "jsonl" }):
  Promise<PredictReport & { readonly predictions: readonly Prediction[] }>;
export function predict(ts: TensorSketch, file: AnyFile,
  options: PredictOptions & { format?: "csv" | "jsonl" | "parquet" | "arrow";
    write(bytes: Uint8Array): void | PromiseLike<void> }): Promise<PredictReport>;

/** The cells of a row, what is predicted for it, and what the options ask for. Null: there is no answer, see `why`. */
export type Prediction<T extends Task = Task> = Readonly<Record<string, unknown>> & {
  readonly prediction: (T extends "regress" ? number : T extends "classify" ? string | number | boolean : never) | null;
  /** Why there is no answer. */
  readonly why?: string;
};

/**
 * Compares what a model predicts with the labels of rows, as the command `evaluate` does.
 *
 * @throws {DatasetError} For what is wrong with a file or a model.
 */
export function evaluate<T extends Task>(ts: TensorSketch, file: AnyFile,
  options: FileOptions & ModelOptions & { model: ModelFile<T>; label?: string }): Promise<EvaluateReport<T>>;
export function evaluate(ts: TensorSketch, file: AnyFile, options: FileOptions & ModelOptions & { label?: string }):
  Promise<EvaluateReport>;

/** A file, or what becomes one: rows as objects among them. */
export type AnyFile = FileToCome | PromiseLike<FileToCome>;

export interface FileOptions {
  /** Reads the file instead of the Dataset that these functions share. */
  dataset?: Dataset;
  /** What is typed; the rest is guessed. */
  reading?: Reading;
  columns?: ColumnOptions;
  /** Ends the work: the promise rejects with `signal.reason`. What `write` got by then stays. */
  signal?: Platform<"AbortSignal">;
  /**
   * Gets what is being done, the rows so far, and the share that is done, 0 to 1, or −1 where it is not known. What it
   * throws ends the work and rejects the promise.
   */
  onProgress?(phase: string, rows: number, share: number): void;
}

/** What columns become. A column is given by its name, or its number from 1. */
export interface ColumnOptions {
  /** Columns by their role, such as `{ category: ["town"], ignore: ["id"] }`. */
  roles?: { readonly [role in Role]?: readonly string[] };
  /** Only these become numbers. */
  use?: readonly string[];
  noLabel?: boolean;
  scaling?: "none" | "standard" | "min-max";
  missing?: "drop" | "refuse" | "mean" | "zero" | "constant";
  /** What a missing cell counts as, with "constant". */
  fill?: number;
  /** Divides each row by its length: true by default in `fit` without a search, which else chooses it. */
  unitNorm?: boolean;
  /** Number of coordinates that a category is hashed into. */
  hashed?: number;
  /** Number of coordinates for words. */
  width?: number;
  sparseWidth?: number;
  /** Parts of a date. */
  parts?: readonly ("days" | "year" | "week" | "day")[];
  /** Shortest and longest n-grams of words and of characters. */
  wordNgrams?: readonly [number, number];
  charNgrams?: readonly [number, number];
}

export type FitOptions = CommonFitOptions & (
  | Pick<AlphaOptions, "alpha"> & { alphaRange?: undefined }
  | Pick<AlphaOptions, "alphaRange"> & { alpha?: undefined }
);

/** The penalty of a fit, or what it is chosen from. */
export interface AlphaOptions {
  /** The weight of the penalty; chosen from the rows by default. */
  alpha?: number;
  /** What it is chosen from, times the squared lengths of all rows of features. */
  alphaRange?: readonly [number, number];
}

export interface CommonFitOptions extends FileOptions {
  /** The column of the labels, by its name or its number from 1. By default it is guessed, and a note says so. */
  label?: string;
  /** By default numbers are predicted if there are fractions or more than 20 of them. */
  task?: "classify" | "regress";
  /** What is typed of the map narrows the search. */
  map?: Partial<Omit<Params, "nFeatures" | "key">>;
  /**
   * "auto" (default), "off", or candidates to try, as in `TensorSketch.fit`. Off takes `tensor-sketch` with 1024
   * components, degree 3 and coef0 1, on rows of length 1.
   */
  search?: SearchOptions["search"];
  /** Parts held out: 5 by default, and 1 for classes without a search. */
  folds?: 0 | 1 | 5;
  /** All labels that may occur; by default all that the rows have. */
  classes?: readonly string[];
  /** The largest length of a row, with `unitNorm: false`. */
  radius?: number;
  /** The range of the numbers. */
  targetRange?: readonly [number, number];
}

/** A model or a map itself, or its file, as text or parsed. */
export type SavedModel = SavedFile | (object & Without<"then" | "text" | "byteLength"> & { toJSON(): object });

export interface ModelOptions {
  /** The `model` that `fit` returned, a Model, or a model file, as text or parsed. */
  model: SavedModel;
  /** The 32 bytes of a keyed map. */
  key?: Uint8Array;
}

export interface PredictOptions extends FileOptions, ModelOptions {
  /** The line or number of each row first. */
  rowNumbers?: boolean;
  /** The score of each class, too. */
  scores?: boolean;
  /** The probability of each class, too. */
  probabilities?: boolean;
  /** The level, such as 0.9, of an interval or a set that is told, too. */
  interval?: number;
  /** "balanced" finds rare classes more often. */
  classWeight?: "balanced";
}

/** What was read. */
export interface RowsReport {
  readonly rows: number;
  /** Rows that were left out. */
  readonly unused: number;
  /** What was guessed, dropped or rounded. */
  readonly notes: readonly Note[];
}

/** How a model was fitted: `task` says to what. */
export type FitReport<T extends Task = Task> =
  T extends "classify" ? ClassFit : T extends "regress" ? NumberFit : never;

export interface AnyFit extends RowsReport, Omit<Report, "task" | "classes" | "counts" | "heldOut"> {
  /** What the search tried. */
  readonly candidates?: Candidates;
}

export interface ClassFit extends AnyFit, Pick<Report, "counts" | "heldOut"> {
  readonly task: "classify";
  readonly classes: readonly (string | number | boolean)[];
}

export interface NumberFit extends AnyFit {
  readonly task: "regress";
  readonly classes?: undefined;
  readonly heldOut?: Omit<HeldOut, "accuracy" | "interval">;
}

export interface PredictReport<T extends Task = Task> extends RowsReport {
  readonly task: T;
  /** Rows with a label to compare with, and their accuracy or R². */
  readonly labelled: number;
  readonly score: Estimate;
}

/** The metrics of classes, or of numbers: `task` says which. */
export type EvaluateReport<T extends Task = Task> =
  T extends "classify" ? ClassReport : T extends "regress" ? NumberReport : never;

export interface ClassReport extends RowsReport, ClassScores {
  readonly task: "classify";
}

export interface NumberReport extends RowsReport, TargetScores {
  readonly task: "regress";
}

/** A number with its 95 % interval; null where it is not known. */
export interface Estimate {
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

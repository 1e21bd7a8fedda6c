// Fits, predicts and evaluates from files and rows as objects, by the jobs of the command line (package jobs) in
// dataset.wasm. dataset.d.ts has the documentation. `load(columnar)` returns the Dataset where options have none: the
// larger build if that is asked for.

import { checkCallback, checkObject, checkRunning, fault, isPlain, orAborted, paramError } from "./errors.js";
import { readKey } from "./key.js";
import { awaited, nameOf } from "./sources.js";
import { COLUMN_OPTIONS, MAP_OPTIONS, ROLES } from "./tables.js";

const FILE_KEYS = ["dataset", "reading", "columns"]; // beside signal and onProgress
const FIT_KEYS = ["label", "task", "map", "search", "alpha", "alphaRange", "folds", "classes", "radius",
  "targetRange"];
const OUTPUT_KEYS = ["format", "rowNumbers"];
const POSITIVE = ["nComponents", "degree", "gamma", "repeats", "alpha", "radius", "interval"]; // 0 is absent in Go
const PREDICT_KEYS = ["scores", "probabilities", "interval", "classWeight"];

/** Returns a promise of a model file and of how it was fitted: { model, report }. */
export async function fit(ts, file, options = {}, load) {
  const { label, columns, map, search, ...request } = picked(options, [...FILE_KEYS, ...FIT_KEYS], FIT_KEYS);
  const roles = label === undefined ? columns?.roles : { ...columns?.roles, label: [label] };
  return run("fit", ts, file, options, {
    ...mapOf(map ?? {}),
    fit: { ...request, search: search?.toString(), columns: { ...columns, ...(roles && { roles }) } },
  }, { load });
}

/** Returns a promise of what a model predicts for rows: { predictions, …PredictReply }. */
export async function predict(ts, file, options = {}, load) {
  const keys = ["model", "key", "write", ...OUTPUT_KEYS, ...PREDICT_KEYS];
  const { columns, ...request } = picked(options, [...FILE_KEYS, ...keys], PREDICT_KEYS);
  const { model, key, write, rowNumbers, format = write ? "csv" : "jsonl" } = options;
  const saved = modelOf(checked(model), { key: keyOf(key), name: "model" });
  checkCallback(write, "write");
  if (!write && format !== "jsonl") {
    throw paramError("write", `be a function that takes the bytes of format "${format}"`, write);
  }
  const parts = [];
  const reply = await run("predict", ts, file, options, {
    model: saved, predict: { ...request, columns: columns ?? {}, to: { format, rowNumbers } },
  }, { load, write: write ?? ((bytes) => void parts.push(bytes)),
    columnar: format === "parquet" || format === "arrow" });
  return write ? reply : { predictions: answersOf(objectsOf(parts), JSON.parse(saved.text).head), ...reply };
}

/** Returns a promise of how well a model predicts the labels of rows. */
export async function evaluate(ts, file, options = {}, load) {
  const { columns } = picked(options, [...FILE_KEYS, "model", "key", "label"], []);
  const { label, model, key } = options;
  const roles = label === undefined ? columns?.roles : { ...columns?.roles, label: [label] };
  return run("evaluate", ts, file, options, { model: modelOf(checked(model), { key: keyOf(key), name: "model" }),
    evaluate: { columns: { ...columns, ...(roles && { roles }) } } }, { load });
}

/** Returns the options of a request and `columns`. Throws for one that is not known, or that JSON would change. */
function picked(options, known, keys) {
  const { dataset, label, columns } = checkRunning(options, known);
  if (dataset !== undefined && typeof dataset?.source !== "function") {
    throw paramError("dataset", "be what loadDataset returns", dataset);
  }
  if (columns !== undefined) checkObject("columns", columns, COLUMN_OPTIONS);
  const { map: typed } = options;
  if (typed?.cannotBeCloned || typed?.format) {
    throw paramError("map", "be parameters such as { nComponents: 1024 }, since columns decide what a map takes",
      typed);
  }
  if (typed !== undefined) checkObject("map", typed, MAP_OPTIONS);
  for (const [name, value] of Object.entries({ reading: options.reading, roles: columns?.roles,
    methodParams: typed?.methodParams })) {
    if (value !== undefined) checkObject(name, value, name === "roles" ? ROLES : undefined, "role");
  }
  const { seed, ...map } = options.map ?? {};
  if (label !== undefined && typeof label !== "string") {
    throw paramError("label", "be the name of a column, or its number from 1 as a text", label);
  }
  if (!["undefined", "bigint"].includes(typeof seed) && !Number.isFinite(seed) && !isText(seed)) {
    throw paramError("seed", "be an integer from 0 to 2^64 − 1, or well-formed text", seed);
  }
  const request = Object.fromEntries(["columns", ...keys].map((key) => [key, options[key]]));
  for (const [key, value] of Object.entries({ reading: options.reading, ...request, map })) {
    checkSent(key, value);
  }
  for (const [key, value] of Object.entries({ ...map, ...request })) {
    if (value === 0 && POSITIVE.includes(key)) throw paramError(key, "be > 0, or left out", 0);
  }
  return request;
}

const isText = (seed) => typeof seed === "string" && !/\p{Surrogate}/u.test(seed);

/** Throws for an option that is there and empty, or that JSON would leave out or make null. */
function checkSent(name, value) {
  if (value === null || value === "" || Array.isArray(value) && value.length === 0) {
    throw fault(name, `${name} must not be empty: leave it out`);
  }
  JSON.stringify(value, (_, part) => {
    if (["bigint", "symbol", "function"].includes(typeof part) || typeof part === "number" && !Number.isFinite(part)) {
      throw paramError(name, "hold texts, finite numbers, true and false", part);
    }
    return part;
  });
}

/** Returns a model, or the text of its file. Throws for what is neither, such as a promise of it. */
export function checked(model) {
  const isFile = isPlain(model) && model.format !== undefined;
  if (typeof model === "string" || isFile || typeof model?.toJSON === "function") return model;
  throw paramError("model", "be a model: the model that fit returned, a Model, or a model file", model);
}

const keyOf = (key) => (key === undefined ? key : readKey(key));

/** Returns the parameters of a map as the jobs read them (wasm/work/curve.go). */
export function mapOf({ seed, ...map }, key) {
  return { map, ...(typeof seed === "string" ? { text: seed } : seed !== undefined && { number: String(seed) }),
    ...(key && { key: Array.from(key) }) };
}

/** Returns a model file, a text or parsed, as the jobs read it. Their errors about it begin with `name`. */
export const modelOf = (model, { key, name = "" } = {}) => ({ name, ...(key && { key: Array.from(key) }),
  text: typeof model === "string" ? model : JSON.stringify(model) });

/** Returns rows whose predictions are the labels of a model, or numbers, and null where there is no answer. */
function answersOf(rows, { task, classes = [] }) {
  const labels = new Map(classes.map((label) => [String(label), label]));
  const labelOf = (text) => (task === "regress" ? Number(text) : labels.get(text) ?? text);
  return rows.map(({ prediction, ...row }) => ({ ...row, prediction: prediction === "" ? null : labelOf(prediction) }));
}

/** Returns the objects of JSON Lines. */
function objectsOf(parts) {
  const decoder = new TextDecoder();
  const text = parts.map((bytes) => decoder.decode(bytes, { stream: true })).join("");
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

async function run(name, ts, file, options, request, { load, write, columnar = false }) {
  if (typeof ts?.learner !== "function") throw paramError("ts", "be the module that load of tensorsketch returns", ts);
  const { dataset, reading, signal, onProgress } = options;
  const [come, bytes] = await awaited(file, signal);
  let stop = null, failure = null; // what onProgress or write threw, in an array
  const fail = (error) => {
    failure ??= [error];
    stop?.();
  };
  const heard = (call) => call && ((...args) => { // returns a promise where call does
    try {
      const held = failure ? undefined : call(...args);
      return typeof held?.then === "function" ? orAborted(Promise.resolve(held), signal).catch(fail) : undefined;
    } catch (error) {
      return fail(error);
    }
  });
  const given = Object.fromEntries(Object.entries({ write: heard(write), onProgress: heard(onProgress) })
    .filter(([, call]) => call));
  try {
    const done = await doJob(name, bytes, { reading, ...request }, { api: ts, name: nameOf(come), ...given,
      load: (columnar) => dataset ?? load(columnar),
      onJob(job) {
        stop = () => job.drop();
        signal?.addEventListener("abort", stop);
        if (signal?.aborted || failure) stop();
      } }, columnar);
    signal?.throwIfAborted(); // a job that is stopped may reply with the rows that it had done
    if (failure) throw failure[0];
    return done;
  } catch (error) {
    throw signal?.aborted ? signal.reason : failure ? failure[0] : error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/**
 * Does a job of package jobs with the rows of a file, and returns its reply. `load` returns a Dataset: the larger build
 * if that is asked for. `onJob` gets what stops the job. `given` is as in dataset.js.
 */
export async function doJob(name, file, request, { load, onJob, name: fileName, ...given }, columnar) {
  const from = await load(columnar);
  const source = from.source(file, fileName === undefined ? {} : { name: fileName });
  try {
    const job = from.job(name, { ...request, files: [source] }, given);
    onJob(job);
    return await job.done;
  } catch (error) {
    if (!error.columnar || columnar) throw error;
  } finally {
    source.close();
  }
  return doJob(name, file, request, { load, onJob, name: fileName, ...given }, true);
}

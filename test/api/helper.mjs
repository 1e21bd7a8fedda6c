// What the API tests share. The library is imported from the folder that TENSORSKETCH_DIST names
// (default: dist/npm, which ./build.sh dist makes), as a user would.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folder = process.env.TENSORSKETCH_DIST ? resolve(process.env.TENSORSKETCH_DIST) : resolve(root, "dist/npm");

/** The folder under test, as a URL that ends with a slash. */
export const dist = pathToFileURL(`${folder}/`);
/** The build under test: TENSORSKETCH_BUILD, "simd" (default) or "scalar". */
export const build = process.env.TENSORSKETCH_BUILD ?? "simd";
export const wasmName = { simd: "tensorsketch.wasm", scalar: "tensorsketch.scalar.wasm" }[build];
export const wasmFile = new URL(wasmName, dist);
/** The files that the build under test is made of, where no folder is named (compileBuild in wasmfile.js). */
export const madeOf = ["tensorsketch.wasm", ...(build === "scalar" ? ["tensorsketch.toscalar.wasm"] : [])];
/** What compiled the core under test: TENSORSKETCH_COMPILER, "tinygo" (default) or "go". */
export const compiler = process.env.TENSORSKETCH_COMPILER ?? "tinygo";

/** How long a random test goes on beyond its least: TENSORSKETCH_SOAK seconds (default: not at all). */
export const soakSeconds = Number(process.env.TENSORSKETCH_SOAK ?? 0);
/** The seed of random tests: TENSORSKETCH_SEED, else the same every time, and another one when they soak. */
export const fuzzSeed = Number(process.env.TENSORSKETCH_SEED ?? (soakSeconds > 0 ? Date.now() % 2 ** 32 : 20_240_607));

const library = await import(new URL("tensorsketch.js", dist));
export const { deriveKey, TensorSketchError } = library;

/** load(), of the build under test unless the options name one. */
export function load(options = {}) {
  return library.load(typeof options === "object" && options !== null ? { build, ...options } : options);
}

/** Runs `call` and returns the TensorSketchError it throws. Checks its code and, if given, its argument and message. */
export function errorOf(call, ...expected) {
  try {
    call();
  } catch (error) {
    return checkError(error, ...expected);
  }
  assert.fail(`expected ${expected.join(", ")}, got no error`);
}

/** errorOf for a promise. */
export async function rejectionOf(promise, ...expected) {
  try {
    await promise;
  } catch (error) {
    return checkError(error, ...expected);
  }
  assert.fail(`expected ${expected.join(", ")}, got no rejection`);
}

function checkError(error, code, argument, message) {
  assert.ok(error instanceof TensorSketchError, `expected a TensorSketchError, got ${error.stack ?? error}`);
  assert.equal(error.code, code, error.message);
  assert.equal(error.name, "TensorSketchError");
  if (argument !== undefined) assert.equal(error.argument, argument, error.message);
  if (message instanceof RegExp) assert.match(error.message, message);
  else if (message !== undefined) assert.equal(error.message, message);
  return error;
}

/** Asserts that two float32 arrays hold the same bits. */
export function sameBits(got, want, message) {
  assert.equal(got.length, want.length, message);
  const a = new Uint32Array(got.buffer, got.byteOffset, got.length);
  const b = new Uint32Array(want.buffer, want.byteOffset, want.length);
  const at = a.findIndex((bits, i) => bits !== b[i]);
  if (at >= 0) assert.fail(`${message ?? "outputs"}: element ${at} is ${got[at]}, want ${want[at]}`);
}

/** A seeded generator of numbers from 0 to 1 (mulberry32). */
export function generator(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A seeded generator as above, integers below a number, and items of a list. */
export function draws(seed) {
  const next = generator(seed);
  const below = (n) => Math.floor(n * next());
  return { next, below, pick: (list) => list[below(list.length)] };
}

/** A copy of a value with one part changed, left out, added or exchanged. `wrong` makes parts, `keys` are new ones. */
export function mutated(value, wrong, { next, below, pick }, keys) {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value) || next() < 0.06) return wrong();
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const own = Object.keys(copy), kind = next();
  if (own.length === 0 || kind < 0.08) copy[Array.isArray(copy) ? copy.length : pick([...keys, ...own])] = wrong();
  else if (kind < 0.18) Array.isArray(copy) ? copy.splice(below(copy.length), 1) : delete copy[pick(own)];
  else if (kind < 0.24) copy[pick(own)] = copy[pick(own)];
  else {
    const key = pick(own);
    copy[key] = mutated(copy[key], wrong, { next, below, pick }, keys);
  }
  return copy;
}

/** n × d numbers from −1 to 1. */
export function randomRows(n, d, seed = 1) {
  const random = generator(seed);
  return Float32Array.from({ length: n * d }, () => 2 * random() - 1);
}

/** n rows of d numbers, of length 1, which every method takes: random ones that `change` was applied to. */
export function unitRows(n, d, seed, change = (x) => x) {
  const X = randomRows(n, d, seed).map(change);
  for (let row = 0; row < X.length; row += d) {
    const norm = Math.hypot(...X.subarray(row, row + d));
    for (let i = row; i < row + d; i++) X[i] /= norm;
  }
  return X;
}

/** Asserts that a number is within a tolerance of another. */
export function near(got, want, tolerance, message) {
  assert.ok(Math.abs(got - want) <= tolerance, `${message}: got ${got}, want ${want} ± ${tolerance}`);
}

/** What a module prints that a fresh Node runs. */
export function printedBy(source, ...flags) {
  return execFileSync(process.execPath, [...flags, "--input-type=module", "-e", source],
    { encoding: "utf8", timeout: 600_000 }).trim();
}

/** The beginning of such a module: `load` of the library, and `ts`, a module of it. */
export const loading = (options) => `
  const { load } = await import(${JSON.stringify(new URL("tensorsketch.js", dist).href)});
  const ts = await load(${JSON.stringify(options)});
`;

/** The rows of a flat array as CSR, leaving out zeros. */
export function toCSR(X, d) {
  const indptr = [0], indices = [], data = [];
  for (let row = 0; row < X.length / d; row++) {
    for (let column = 0; column < d; column++) {
      if (X[row * d + column] === 0) continue;
      indices.push(column);
      data.push(X[row * d + column]);
    }
    indptr.push(indices.length);
  }
  return { indptr, indices, data };
}

/** The rows of a flat array, nested. */
export function toNested(X, d) {
  return Array.from({ length: X.length / d }, (_, row) => Array.from(X.subarray(row * d, (row + 1) * d)));
}

/** A module that a test disposes at its end. */
export async function loadFor(t, options) {
  const ts = await load(options);
  t.after(() => ts.dispose());
  return ts;
}

/** Asserts that the map still gives the features it gave before. */
export function checkAlive(map, X, want, message) {
  sameBits(map.transform(X), want, message ?? "after the error");
}

/** The WebAssembly instances made during a test that have a memory, so that it can look at it. */
export function watchInstances(t) {
  const { Instance } = WebAssembly;
  const instances = [];
  WebAssembly.Instance = function (...args) {
    const instance = new Instance(...args);
    if (instance.exports.mem) instances.push(instance);
    return instance;
  };
  t.after(() => { WebAssembly.Instance = Instance; });
  return instances;
}

/**
 * The worker threads that are started during a test: when each exited, how many blocks it was sent and gave back, and
 * how many folds it was sent.
 */
export function watchWorkers(t) {
  const workers = [];
  const watch = (worker) => {
    workers.push(worker);
    Object.assign(worker, { exited: undefined, sent: 0, returned: 0, folds: 0 });
    worker.once("exit", () => { worker.exited = performance.now(); });
    worker.on("message", ({ type }) => { if (type === "block") worker.returned++; });
    const post = worker.postMessage.bind(worker);
    worker.postMessage = (message, ...rest) => {
      if (message.type === "block") worker.sent++;
      if (message.type === "fold") worker.folds++;
      post(message, ...rest);
    };
  };
  process.on("worker", watch);
  t.after(() => process.off("worker", watch));
  return workers;
}

/** Calls f while crypto.getRandomValues gives the same bytes at each call, as `fixed` of jobs/native/release_test.go.
 * */
export async function withFixedNoise(f) {
  const getRandomValues = (array) => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    for (let i = 0; i < bytes.length; i++) bytes[i] = (i * i + 7 * i) >> 3;
    return array;
  };
  Object.defineProperty(globalThis.crypto, "getRandomValues", { value: getRandomValues, configurable: true });
  try {
    return await f();
  } finally {
    delete globalThis.crypto.getRandomValues;
  }
}

/** Makes a private release of a file's bytes by dataset.wasm, charged to a ledger of its own: { bytes, reply }. */
export async function releaseBy(dataset, ts, { bytes: file, reading, plan, to, map, seed, release }) {
  const source = dataset.source(file), parts = [];
  try {
    const job = dataset.job("release", { files: [source], reading, map, ...(seed && { number: seed }),
      ask: { plan, to, release } }, {
      api: ts, lock: async () => null, unlock: async () => {}, begin: async () => "one", wrote() {},
      write: (bytes) => void parts.push(bytes),
      rewrite: (head) => void parts.unshift(head),
    });
    const reply = await job.done;
    let bytes = Buffer.concat(parts);
    if (to.format === "npy") bytes = Buffer.concat([bytes.subarray(0, 128), bytes.subarray(256)]); // the first header
    return { bytes, reply };
  } finally {
    source.close();
  }
}

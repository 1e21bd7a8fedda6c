// The border itself: whatever numbers come in, an export returns a status, and nothing is corrupted or ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist, draws, fuzzSeed, randomRows, sameBits, soakSeconds, unitRows, wasmFile } from "./helper.mjs";

const { GoProgram } = await import(new URL("gojs.js", dist));
const { METHODS } = await import(new URL("tables.js", dist));
const { resolveParams, encodeParams, encodeProduct, encodeQuestion } = await import(new URL("params.js", dist));

const CALLS = 40_000; // at least
const MOST_CALLS = 20 * CALLS; // until each export has succeeded often enough
const BUDGET = 96 * 2 ** 20;
const PARAM = 1, SHAPE = 2, NONFINITE = 3, DISPOSED = 5, MEMORY = 6, ABI = 7;

async function start() {
  const program = new GoProgram();
  const module = await WebAssembly.compile(readFileSync(wasmFile));
  const { exports } = new WebAssembly.Instance(module, program.imports); // as instance.js does
  program.start(exports, { GOMEMLIMIT: Math.floor(0.9 * BUDGET) });
  assert.equal(exports.ts_budget(BUDGET), 0);
  return exports;
}

/** A buffer with the bytes of `data`. */
function place(e, data) {
  const pointer = e.ts_alloc(data.byteLength) >>> 0;
  assert.notEqual(pointer, 0);
  new Uint8Array(e.mem.buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), pointer);
  return pointer;
}

function newMap(e, params) {
  const block = encodeParams(resolveParams(params));
  const pointer = place(e, block);
  const handle = e.ts_map_new(pointer, block.length);
  e.ts_free(pointer);
  return handle;
}

/** The features of X by a handle, through buffers of its own. */
function transform(e, handle, X, rows, D) {
  const x = place(e, X);
  const out = e.ts_alloc(4 * rows * D) >>> 0;
  assert.notEqual(out, 0);
  assert.equal(e.ts_transform(handle, x, rows, out), 0);
  const Z = new Float32Array(e.mem.buffer, out, rows * D).slice();
  assert.equal(e.ts_free(x), 0);
  assert.equal(e.ts_free(out), 0);
  return Z;
}

/** The functions of the border. */
function exportsOf(e) {
  return Object.keys(e).filter((name) => name.startsWith("ts_")).sort();
}

test("ABI version 8 has these exports", async () => {
  const e = await start();
  assert.deepEqual(exportsOf(e), ["ts_abi", "ts_alloc", "ts_bias", "ts_budget", "ts_charge", "ts_choose",
    "ts_class_metrics", "ts_compare_new", "ts_dimension",
    "ts_error_argument", "ts_error_column", "ts_error_message", "ts_error_row",
    "ts_error_rows_done", "ts_error_status", "ts_fit_csr", "ts_fit_new", "ts_fit_rows", "ts_fit_step", "ts_free",
    "ts_gram", "ts_grid_add", "ts_grid_begin", "ts_grid_end", "ts_grid_step",
    "ts_head_classes", "ts_head_new", "ts_head_probabilities", "ts_head_scores", "ts_in_use", "ts_kept_merge",
    "ts_kernel", "ts_landmark_rows", "ts_lanes", "ts_largest_square", "ts_ledger", "ts_map_free",
    "ts_map_new", "ts_map_params", "ts_map_prepare", "ts_map_prepared", "ts_map_radius", "ts_mean_add",
    "ts_mean_release", "ts_mechanism", "ts_miss", "ts_moments_add",
    "ts_moments_clear", "ts_moments_kept", "ts_moments_merge", "ts_moments_new", "ts_moments_read",
    "ts_moments_release", "ts_moments_set", "ts_moments_set_kept", "ts_moments_size", "ts_novelty",
    "ts_pivoted_rows", "ts_plan",
    "ts_preparation", "ts_private_bound",
    "ts_privatize", "ts_product_add",
    "ts_product_entry", "ts_product_largest", "ts_product_new", "ts_projection", "ts_radius", "ts_rank_add",
    "ts_rank_sort", "ts_released_fit", "ts_ridge_new", "ts_ridge_result", "ts_ridge_step", "ts_rows_fit",
    "ts_search_new", "ts_search_result", "ts_search_step",
    "ts_set_landmarks", "ts_set_projection", "ts_signs", "ts_std_error", "ts_target_metrics", "ts_target_range",
    "ts_tradeoff", "ts_transform", "ts_transform_csr", "ts_transform_product", "ts_words_add"]);
});

test("wrong pointers, lengths, alignments and handles give the status that names them", async () => {
  const e = await start();
  const handle = newMap(e, { nFeatures: 3, nComponents: 8 });
  const x = e.ts_alloc(24) >>> 0, out = e.ts_alloc(64) >>> 0;
  const cases = {
    "rows beyond the buffer": [ABI, () => e.ts_transform(handle, x, 3, out)],
    "out beyond the buffer": [ABI, () => e.ts_transform(handle, x, 2, out + 4)],
    "no buffer": [ABI, () => e.ts_transform(handle, 12, 1, out)],
    "misaligned": [ABI, () => e.ts_transform(handle, x + 2, 1, out)],
    "rows × d overflows": [ABI, () => e.ts_transform(handle, x, 0x55555556, out)],
    "a negative number of rows": [ABI, () => e.ts_transform(handle, x, -1, out)],
    "float64 misaligned": [ABI, () => e.ts_kernel(handle, x + 4, x, out)],
    "handle 0": [DISPOSED, () => e.ts_transform(0, x, 1, out)],
    "a handle never given": [DISPOSED, () => e.ts_transform(handle + 1, x, 1, out)],
    "another generation": [DISPOSED, () => e.ts_kernel(handle + 65536, x, x, out)],
    "freeing twice": [ABI, () => e.ts_free(x) || e.ts_free(x)],
    "freeing the inside": [ABI, () => e.ts_free(out + 8)],
    "a freed buffer": [ABI, () => e.ts_transform(handle, x, 1, out)],
    "a freed map": [DISPOSED, () => e.ts_map_free(handle) || e.ts_map_free(handle)],
    "a budget below what is in use": [PARAM, () => e.ts_budget(1000)],
    "noise on rows beyond the buffer": [ABI, () => e.ts_privatize(1, 1e-5, 1, out, 3, 8)],
    "noise on rows of no width": [ABI, () => e.ts_privatize(1, 1e-5, 1, out, 3, 0)],
    "noise without a guarantee": [PARAM, () => e.ts_privatize(NaN, 1e-5, 1, out, 1, 8)],
    "sums misaligned": [ABI, () => e.ts_mean_add(1, 1e-5, 1, out + 4, 2, 9, 0, out, 1)],
    "a mean of half a row": [PARAM, () => e.ts_mean_add(1, 1e-5, 1, out, 2, 0.5, 0, out, 1)],
    "more rows than a mean has": [SHAPE, () => e.ts_mean_add(1, 1e-5, 1, out, 2, 9, 9, out, 1)],
    "a mean not complete": [SHAPE, () => e.ts_mean_release(1, 1e-5, 1, out, 2, 9, 8, out)],
    "a budget spent before": [PARAM, () => e.ts_charge(1, 1e-5, 0.5, 1, 1, 1e-5, 1, out)],
    "a budget of NaN": [PARAM, () => e.ts_budget(NaN)],
  };
  for (const [name, [want, call]] of Object.entries(cases)) {
    assert.equal(call(), want, name);
    assert.equal(e.ts_error_status(), want, name);
  }
  assert.equal(e.ts_alloc(BUDGET) >>> 0, 0);
  assert.equal(e.ts_error_status(), MEMORY);
  const csr = place(e, Int32Array.of(0, 2, 1, 0, 0, 0));
  const map = newMap(e, { nFeatures: 3, nComponents: 8 });
  assert.equal(e.ts_transform_csr(map, csr, csr, csr, 2, 1, out), SHAPE, "indptr that decreases");
  assert.equal(e.ts_transform_csr(map, csr, csr, csr, 6, 1, out), ABI, "indptr beyond the buffer");
});

// Sums were freed with their handle, while a fit read them, which ended the instance.
test("a fit goes on when the handle of its sums is freed", async () => {
  const e = await start();
  const D = 8, rows = 60;
  const fitOf = (isFreed) => {
    const block = Float64Array.of(D, 2, 0, 2 ** -12, 0, 0, 5, 0, 0, 0, 0);
    const sums = e.ts_moments_new(place(e, block), block.byteLength);
    const classes = place(e, Int32Array.from({ length: rows }, (_, row) => row % 2));
    assert.equal(e.ts_moments_add(sums, place(e, randomRows(rows, D, 4)), rows, classes, 0), 0);
    const fit = e.ts_ridge_new(sums, 0, 0, 0, 0, 1);
    if (isFreed) assert.equal(e.ts_map_free(sums), 0);
    assert.equal(e.ts_moments_clear(fit), ABI, "a fit is no sums");
    const out = e.ts_alloc(1000) >>> 0;
    do assert.equal(e.ts_ridge_step(fit, out), 0); while (new Float64Array(e.mem.buffer, out, 1)[0] < 2);
    const bytes = e.ts_ridge_result(fit, out, 1000);
    assert.equal(e.ts_map_free(fit), 0);
    return new Float64Array(e.mem.buffer, out, bytes / 8).slice();
  };
  assert.deepEqual(fitOf(true), fitOf(false));
});

/**
 * Makes calls that are right except for 0 to 3 arguments, replaced by numbers of all kinds: pointers into other
 * buffers, freed ones, handles of freed maps, lengths that overflow. Yields the name and status of each. `spared` are
 * handles of what no call may change.
 */
function* randomCalls(e, { next: random, below, pick }, spared) {
  const number = () => pick([0.1, 0, 1, -1, NaN, Infinity, 1e300, random()]);
  const spare = []; // pointers of buffers, live and freed
  const stale = []; // handles, live and freed
  const maps = []; // live: { handle, d, D }, d as a list for product maps
  const paramSets = [{ nFeatures: 4, nComponents: 16 }, { nFeatures: 2, nComponents: 30, degree: 3 },
    { nFeatures: [2, 3], nComponents: 9, coef0: 1 },
    { nFeatures: 3, randomState: 5, normalize: "kernel" },
    { nFeatures: 2, nComponents: 3, indexHash: [[0, 1], [2, 0]], bitHash: [[1, -1], [-1, 1]] },
    { nFeatures: 6, seed: "seed", output: "spectrum" }, { nFeatures: 3, nComponents: 5, repeats: 3 },
    { nFeatures: 4, nComponents: 12, method: "random-maclaurin", coef0: 1,
      methodParams: { h01: true, distribution: "gaussian" } },
    { nFeatures: 4, nComponents: 10, method: "craft", methodParams: { base: "tensor-srht", upComponents: 20 } },
    { nFeatures: 3, nComponents: 20, method: "taylor-sketch",
      methodParams: { kernel: "series", coefficients: [1, 0.5, 0.25] } },
    { nFeatures: 3, nComponents: 4, method: "nystroem" },
    { nFeatures: 3, nComponents: 2, method: "k-space", methodParams: { m: 8, r: 16 } },
    { nFeatures: 3, nComponents: 6, method: "spherical", degree: 3 },
    { nFeatures: 3, nComponents: 6, method: "spherical", degree: 1, methodParams: { signed: true } },
    { nFeatures: 3, nComponents: 6, method: "random-fourier", methodParams: { kernel: "laplacian", paired: true } },
    { nFeatures: 3, nComponents: 6, method: "random-fourier", methodParams: { projection: "structured" } },
    { nFeatures: 3, nComponents: 8, method: "tree-tensor-sketch", degree: 3 },
    { nFeatures: 3, nComponents: 8, method: "complex-tensor-srht" }];

  const junk = () => pick([0, 1, 4, 8, -1, 2 ** 31, 2 ** 32 - 1, 65536, NaN, 1.5, below(50), below(2 ** 24),
    below(2 ** 32), e.mem.buffer.byteLength - 8,
    pick(spare), pick(spare) + pick([2, 4, 8, -8, 64]), pick(stale)]);
  const changing = ["ts_map_free", "ts_map_prepare", "ts_set_landmarks", "ts_set_projection", "ts_fit_new",
    "ts_fit_step", "ts_product_add", "ts_moments_add"]; // what a handle stands for
  /** Calls with some arguments replaced. */
  const call = (name, ...args) => {
    for (let mistakes = below(4); mistakes > 0 && args.length > 0; mistakes--) {
      args[below(args.length)] = pick([junk(), junk(), number()]);
    }
    if (changing.includes(name) && spared.has(args[0] | 0)) args[0] = 0; // as the border rounds it
    return e[name](...args);
  };
  const alloc = (bytes) => {
    const pointer = e.ts_alloc(bytes) >>> 0;
    if (pointer !== 0) spare.push(pointer);
    while (spare.length > 200) e.ts_free(spare.splice(below(200), 1)[0]);
    return pointer;
  };
  /** A buffer of these numbers, or 0. */
  const placed = (numbers) => {
    const pointer = alloc(numbers.byteLength + 8);
    if (pointer !== 0) new numbers.constructor(e.mem.buffer, pointer, numbers.length).set(numbers);
    return pointer;
  };
  const filled = (Kind, n, share) =>
    placed(Kind.from({ length: n }, () => (random() < share ? number() : random())));
  const floats = (n) => filled(Float32Array, n, 0.01);
  const doubles = (n) => filled(Float64Array, n, 0.02);
  /** The pointers of a CSR block, sometimes a wrong one. */
  const sparse = (rows, d) => {
    const words = [0];
    for (let row = 0; row < rows; row++) words.push(words.at(-1) + below(d + 1));
    const nnz = words.at(-1);
    for (let i = 0; i < nnz; i++) words.push(random() < 0.01 ? junk() : i % d);
    if (random() < 0.05) words[below(words.length)] = junk();
    const pointer = placed(Int32Array.from(words));
    return { indptr: pointer, indices: pointer + 4 * (rows + 1), data: floats(nnz), nnz };
  };
  /** ε, δ and C. */
  const guarantee = () => [pick([1, 2, number()]), 1e-5, pick([1, 2, number()])];
  const makeMap = () => {
    const params = resolveParams(pick(paramSets));
    const block = encodeParams(params);
    const fields = new DataView(block.buffer);
    const mistakes = Math.max(0, below(5) - 2);
    for (let i = 0; i < mistakes; i++) {
      fields.setFloat64(8 * below(18), pick([number(), below(20), below(2 ** 31), junk()]), true);
    }
    const pointer = placed(block);
    if (pointer === 0) return e.ts_error_status();
    const handle = random() < 0.9 ? e.ts_map_new(pointer, block.length) : call("ts_map_new", pointer, block.length);
    if (handle === 0) return e.ts_error_status();
    stale.push(handle);
    if (mistakes > 0) return e.ts_map_free(handle); // it may be large
    maps.push({ handle, method: params.method, d: [params.nFeatures].flat(), p: params.degree ?? 2,
      D: params.repeats * params.nComponents });
    if (maps.length > 40) e.ts_map_free(maps.splice(below(40), 1)[0].handle);
    return 0;
  };
  /** A map that can be fitted, if there is one. */
  const nystroem = (map) => pick(maps.filter(({ method }) => method === "nystroem")) ?? map;
  const handles = { products: [], moments: [], heads: [], fits: [], fitters: [], searches: [] };
  /** Keeps a handle, and returns the status of the call that gave it. */
  const keep = (list, handle) => {
    if (handle === 0) return e.ts_error_status();
    stale.push(handle);
    list.push(handle);
    if (list.length > 10) e.ts_map_free(list.splice(below(10), 1)[0]);
    return 0;
  };
  const block = (...fields) => placed(Float64Array.from(fields, (value) => (random() < 0.02 ? number() : value)));
  /** Draws up to four times, until a call succeeds: for calls that most draws refuse. */
  const often = (draw) => () => draw() && draw() && draw() && draw();
  /** Exports for learning, with moments of 3 features and 2 classes, and for fitting k-space. */
  const momentKinds = () => ({
    ts_moments_new: () => keep(handles.moments,
      call("ts_moments_new", block(3, 2, 0, 2 ** -12, 0, 0, pick([0, 1, 5]),
        ...pick([[0, 0, 0], [1, 0, 0], [1, 0, 0], [1, 0, 0], [0, 0, 32767], [0, pick([1, 1, number()]), 32767]]),
        0), 88)),
    ts_moments_add(map, rows) {
      const classes = placed(Int32Array.from({ length: rows }, () => (random() < 0.02 ? junk() : below(2))));
      return call("ts_moments_add", pick(handles.moments), floats(3 * rows), rows, classes, 0);
    },
    ts_moments_clear: () => call("ts_moments_clear", random() < 0.8 ? 0 : pick(handles.moments)), // others need rows
    ts_moments_size: () => (call("ts_moments_size", pick(handles.moments)) >= 0 ? 0 : e.ts_error_status()),
    ts_moments_read: () => call("ts_moments_read", pick(handles.moments), below(16), below(3), doubles(4)),
    ts_moments_set: often(() => {
      const words = alloc(800);
      const handle = pick(handles.moments);
      const size = e.ts_moments_size(handle);
      if (words === 0 || size < 0 || size > 100) return e.ts_error_status();
      new BigInt64Array(e.mem.buffer, words, 100).fill(random() < 0.9 ? 0n : 3n);
      return call("ts_moments_set", handle, words, size);
    }),
    ts_moments_kept: often(() => (e.ts_moments_kept(pick(handles.moments), doubles(4), below(32)), 0)),
    ts_moments_set_kept: often(() => call("ts_moments_set_kept", pick(handles.moments), doubles(4), below(32))),
    ts_kept_merge: often(() => (e.ts_kept_merge(number(), below(4), below(4), doubles(4), below(16), doubles(4),
      below(16), doubles(4)), 0)),
    ts_moments_merge: () => call("ts_moments_merge", pick(handles.moments), pick(handles.moments), below(2)),
    ts_moments_release: often(() => call("ts_moments_release", pick(handles.moments), pick([1, 1, 1, number()]), 1e-5,
      pick([1, 2, below(9)]), pick([0, doubles(14)]), 14, doubles(1))),
    ts_released_fit: often(() => {
      const words = alloc(112);
      if (words === 0) return e.ts_error_status();
      new BigInt64Array(e.mem.buffer, words, 14).forEach((_, i, all) => { all[i] = BigInt(below(2 ** 32)) << 20n; });
      const args = [pick(handles.moments), pick([1, number()]), 1e-5, 9, words, 14];
      return keep(handles.fits, call("ts_released_fit", ...args));
    }),
    ts_compare_new: often(() => keep(handles.fits, call("ts_compare_new", pick(handles.moments), pick(handles.moments),
      block(1, 1e-5, 20, doubles(14), pick([0, 14, 14]), 1, 1e-5, 20, doubles(14), pick([0, 14, 14]))))),
    ts_words_add: () => call("ts_words_add", doubles(4), doubles(4), below(5)),
    ts_ridge_new: () => keep(handles.fits,
      call("ts_ridge_new", pick(handles.moments), pick([0, 1, number()]), 0, 0, pick([0, 5]), below(2))),
    ts_novelty: often(() => call("ts_novelty", pick(handles.moments), floats(6), below(3), doubles(4))),
    ts_ridge_step() {
      const out = doubles(4), status = call("ts_ridge_step", pick(handles.fits), out);
      const [done, at, length] = status === 0 ? new Float64Array(e.mem.buffer, out, 4) : [2];
      if (done < 2 && length > 0 && random() < 0.5) new Float64Array(e.mem.buffer, at, length).fill(number());
      return status;
    },
    ts_ridge_result() {
      const fit = pick(handles.fits);
      const out = doubles(4);
      for (let step = 0; step < 60 && e.ts_ridge_step(fit, out) === 0; step++) {}
      return call("ts_ridge_result", fit, alloc(600), 600) > 0 ? 0 : e.ts_error_status();
    },
    ts_rows_fit({ handle, d, D }, rows) {
      const n = 4 + rows;
      const targets = below(2);
      const labels = targets ? doubles(2 * n) : placed(Int32Array.from({ length: n }, (_, row) => row % 2));
      const fit = call("ts_rows_fit", handle, random() < 0.5 ? 0 : pick(handles.moments),
        block(below(3), 2, targets, pick([0, 1]), 0.1, 5, below(2), below(2), 0), 72, floats(n * d[0]), 0, 0, n, 0,
        labels, 0);
      return keep(handles.fits, fit);
    },
    ts_search_new(_, rows) {
      const n = 8 + rows;
      for (const one of handles.searches.splice(0)) e.ts_map_free(one); // a search takes a quarter of the budget
      const labels = placed(Int32Array.from({ length: n }, () => (random() < 0.01 ? junk() : below(2))));
      const fields = Float64Array.of(2, 0, -1, 0, 0, 0, 16, 0, 0, 0, -1, -1, 0);
      const names = new TextEncoder().encode(pick(["linear", "linear,polynomial-2"])); // more take long
      const question = placed(Uint8Array.of(...new Uint8Array(fields.buffer), ...names));
      const bytes = fields.byteLength + names.length;
      return keep(handles.searches, call("ts_search_new", question, bytes, floats(3 * n), 0, 0, n, 0, 3, labels));
    },
    ts_search_step: () => call("ts_search_step", pick(handles.searches), doubles(1)),
    ts_search_result() {
      const search = pick(handles.searches);
      const out = doubles(1);
      for (let step = 0; step < 60 && e.ts_search_step(search, out) === 0; step++) {}
      return call("ts_search_result", search, alloc(8000), 8000) > 0 ? 0 : e.ts_error_status();
    },
    ts_head_new(map) {
      const fields = [map.D, 2, 0, below(3), random(), below(3), ...new Array(2 * map.D + 8).fill(0.5)];
      return keep(handles.heads, call("ts_head_new", map.handle, block(...fields), 8 * fields.length));
    },
    ts_head_scores: ({ D }, rows) => call("ts_head_scores", pick(handles.heads), floats(rows * D), rows,
      doubles(2 * rows)),
    ts_head_probabilities: (map, rows) => call("ts_head_probabilities", pick(handles.heads), doubles(2 * rows), rows),
    ts_head_classes(map, rows) {
      const truth = random() < 0.5 ? 0 : filled(Int32Array, rows, 0);
      return call("ts_head_classes", pick(handles.heads), doubles(2 * rows), rows, floats(rows), truth, doubles(rows));
    },
    ts_class_metrics(map, rows) {
      const classes = () => placed(Int32Array.from({ length: rows }, () => below(2)));
      return call("ts_class_metrics", 2, classes(), classes(), random() < 0.5 ? 0 : doubles(rows), rows, doubles(14));
    },
    ts_target_metrics: (map, rows, n = pick([1, rows])) => (random() < 0.9 ? 0
      : call("ts_target_metrics", 2, doubles(2 * n), doubles(2 * n), n, doubles(18))),
    ts_largest_square({ d }, rows) {
      if (random() < 0.5) return call("ts_largest_square", floats(rows * d[0]), 0, 0, rows, 0, d[0], 0, doubles(1));
      const { indptr, indices, data, nnz } = sparse(rows, d[0]);
      return call("ts_largest_square", data, indices, indptr, rows, nnz, d[0], 0, doubles(1));
    },
    ts_radius: () => call("ts_radius", pick([random(), number()]), doubles(1)),
    ts_target_range: () => call("ts_target_range", doubles(4), 1 + below(4), doubles(2)),
    ts_grid_step: ({ handle }) => call("ts_grid_step", handle, pick([1, 2, number()]), below(2), doubles(1)),
    ts_map_prepare({ handle, d }) { // so that rows keep their length
      const column = [0, 0, 0, 0, 1, -1, 1, 0, 0];
      const fields = random() < 0.5 ? [3, below(2), d[0], 0, 0] : [below(2), below(2), 0, d[0], 0,
        ...Array.from({ length: d[0] }, () => column).flat()];
      return call("ts_map_prepare", handle, block(...fields), 8 * fields.length);
    },
    ts_preparation: () => (call("ts_preparation", below(4), floats(12), 4, 3, doubles(40), 320) > 0 ? 0
      : e.ts_error_status()),
    ts_map_prepared: often(() => {
      const { handle, d } = pick(maps);
      return call("ts_map_prepared", handle, floats(2 * d[0]), 0, 0, 2, 0, 0, doubles(2));
    }),
    ts_map_radius: ({ handle }) => call("ts_map_radius", handle, doubles(1)),
    ts_grid_begin: () => call("ts_grid_begin", 1 + below(4)),
    ts_grid_add: (_, rows) => call("ts_grid_add", floats(4 * rows), rows),
    ts_grid_end: () => call("ts_grid_end", doubles(3)),
    ts_fit_new: (map) => keep(handles.fitters,
      call("ts_fit_new", (kSpace() ?? map).handle, pick([0, 2, number()]))),
    ts_fit_rows: (map, rows) => call("ts_fit_rows", pick(handles.fitters), below(3), floats(3 * rows), rows),
    ts_fit_csr(map, rows) {
      const { indptr, indices, data, nnz } = sparse(rows, 3);
      return call("ts_fit_csr", pick(handles.fitters), below(3), indptr, indices, data, rows, nnz);
    },
    ts_fit_step: often(() => call("ts_fit_step", pick(handles.fitters), doubles(2))),
    ts_projection: (map) => (call("ts_projection", (kSpace() ?? map).handle, doubles(16), 16) >= 0 ? 0
      : e.ts_error_status()),
    ts_set_projection: (map) => call("ts_set_projection", (kSpace() ?? map).handle, doubles(16), 16),
  });
  /** A map of k-space, if there is one. */
  const kSpace = () => pick(maps.filter(({ method }) => method === "k-space"));
  const kinds = {
    ts_alloc() {
      const pointer = call("ts_alloc", pick([8, 64, 4096, 40_000])) >>> 0;
      if (pointer !== 0) spare.push(pointer);
      return pointer === 0 ? e.ts_error_status() : 0;
    },
    ts_free: () => call("ts_free", pick(spare)),
    ts_map_new: makeMap,
    ts_map_free: () => call("ts_map_free", pick(stale)),
    ts_transform({ handle, d, D }, rows) {
      return call("ts_transform", handle, floats(rows * d[0]), rows, floats(rows * D));
    },
    ts_transform_csr({ handle, d, D }, rows) {
      const { indptr, indices, data, nnz } = sparse(rows, d[0]);
      return call("ts_transform_csr", handle, indptr, indices, data, rows, nnz, floats(rows * D));
    },
    ts_transform_product({ handle, d, p, D }, rows) {
      const records = [];
      for (let k = 0; k < p; k++) {
        const { indptr, indices, data, nnz } = sparse(rows, d[k % d.length]);
        records.push(...(random() < 0.5 ? [1, data, indices, indptr, nnz]
          : [0, floats(rows * d[k % d.length]), 0, 0, 0]));
      }
      if (random() < 0.2) records[below(records.length)] = junk();
      return call("ts_transform_product", handle, placed(Int32Array.from(records)), rows, floats(rows * D));
    },
    ...Object.fromEntries(Object.entries({ ts_kernel: 1, ts_std_error: 2, ts_bias: 1 }).map(([name, n]) =>
      [name, ({ handle }) => call(name, handle, doubles(8), doubles(8), doubles(n))])),
    ts_choose: ({ handle }) => call("ts_choose", handle, doubles(8), doubles(8), random(), random(), doubles(2)),
    ts_miss: ({ handle }) => call("ts_miss", handle, doubles(8), doubles(8), random(), doubles(3)),
    ts_map_params: ({ handle }) => (call("ts_map_params", handle, alloc(256), 256) > 0 ? 0 : e.ts_error_status()),
    ts_signs: ({ handle, D }) => call("ts_signs", handle, floats(D)),
    ts_landmark_rows: (map, rows, { handle, D } = nystroem(map)) => call("ts_landmark_rows", handle,
      below(100), floats(D)),
    ts_pivoted_rows(map, rows, { handle, d, D } = nystroem(map)) {
      const { indptr, indices, data, nnz } = sparse(rows, d[0]);
      return random() < 0.5 ? call("ts_pivoted_rows", handle, floats(rows * d[0]), 0, 0, rows, 0, floats(D))
        : call("ts_pivoted_rows", handle, data, indices, indptr, rows, nnz, floats(D));
    },
    ts_set_landmarks: (map, rows, { handle, d, D } = nystroem(map)) => call("ts_set_landmarks", handle,
      floats(D * d[0]), D * d[0]),
    ts_dimension: () => call("ts_dimension", below(4), below(5), random(), random(), doubles(1)),
    ts_plan() {
      const methods = random() < 0.5 ? ["tensor-sketch", "random-maclaurin"] : null;
      const block = encodeQuestion({
        nFeatures: 1 + below(5), methods, ...pick([{}, { epsilon: random() }, { nComponents: below(50) }]),
      });
      const pointer = placed(block);
      if (pointer === 0) return e.ts_error_status();
      const rows = below(4);
      const args = random() < 0.5 ? [floats(20), 0, 0, rows, 0]
        : (({ data, indices, indptr, nnz }) => [data, indices, indptr, rows, nnz])(sparse(rows, 3));
      return call("ts_plan", pointer, block.length, ...args, doubles(84), 14) > 0 ? 0 : e.ts_error_status();
    },
    ts_product_new() {
      const block = encodeProduct({
        m: 1 + below(5), n: 1 + below(5), nComponents: 1 + below(20), repeats: below(4), seed: below(9),
      });
      const pointer = placed(block);
      if (pointer === 0) return e.ts_error_status();
      return keep(handles.products, call("ts_product_new", pointer, block.length));
    },
    ts_product_add: () => call("ts_product_add", pick(handles.products), floats(20), floats(20), below(4)),
    ts_product_entry: () => call("ts_product_entry", pick(handles.products), below(5), below(5), doubles(2)),
    ts_product_largest: () => call("ts_product_largest", pick(handles.products), below(25), doubles(75)),
    ts_gram(map, rows, n = below(20), D = 1 + below(9)) {
      return call("ts_gram", floats(rows * D), rows, floats(n * D), n, D, doubles(rows * n));
    },
    ts_rank_add(map, rows, queries = below(4), k = below(5)) {
      return call("ts_rank_add", queries, k, below(9), floats(queries * k), doubles(queries * k), below(99),
        doubles(queries * rows), rows);
    },
    ts_rank_sort: (map, rows, k = below(5)) => call("ts_rank_sort", rows, k, below(9), floats(rows * k),
      doubles(rows * k)),
    ...momentKinds(),
    ts_private_bound: ({ handle }) => call("ts_private_bound", handle, pick([random(), number()]), doubles(1)),
    ts_mechanism: () => call("ts_mechanism", ...guarantee(), doubles(2)),
    ts_ledger: () => call("ts_ledger", 4, 1e-5, random() / 10, doubles(2)),
    ts_charge: () => call("ts_charge", 4, 1e-5, random() / 100, 1 + below(5), pick([0.5, 1, number()]),
      1e-5, 1, doubles(1)),
    ts_privatize: (map, rows, n = 1 + below(9)) => call("ts_privatize", ...guarantee(), floats(rows * n), rows, n),
    ts_mean_add: (map, rows, n = 1 + below(9)) => call("ts_mean_add", ...guarantee(), doubles(n), n, 9, below(4),
      floats(rows * n), rows),
    ts_mean_release: often((rows = below(7), n = 1 + below(9)) => call("ts_mean_release", ...guarantee(), doubles(n), n,
      9, pick([9, 9, rows]), floats(n))),
    ts_tradeoff: ({ handle }) => call("ts_tradeoff", handle, doubles(8), doubles(8), random(), random(),
      below(100), doubles(4)),
    ts_budget() {
      const status = call("ts_budget", BUDGET);
      e.ts_budget(BUDGET);
      return status;
    },
    ...Object.fromEntries(Object.entries({ ts_abi: (value) => value === 9, ts_lanes: (value) => value === 4,
      ts_in_use: (value) => value <= BUDGET, ts_error_status: (value) => value < 8,
      ts_error_row: (value) => value >= -1, ts_error_column: (value) => value >= -1,
      ts_error_rows_done: (value) => value >= -1 })
      .map(([name, isRight]) => [name, () => (isRight(call(name)) ? 0 : -1)])),
    ts_error_message: () => (call("ts_error_message", alloc(64), 64) >= 0 ? 0 : -1),
    ts_error_argument: () => (call("ts_error_argument", alloc(64), 64) >= 0 ? 0 : -1),
  };

  // These take longer.
  const calibrating = ["ts_mechanism", "ts_ledger", "ts_charge", "ts_privatize", "ts_mean_add", "ts_mean_release",
    "ts_moments_release", "ts_released_fit"];
  assert.deepEqual(Object.keys(kinds).sort(), exportsOf(e), "every export is called, and no other");
  const names = Object.keys(kinds).flatMap((name) => (calibrating.includes(name) ? name : [name, name, name]));
  for (let i = 0; i < 20; i++) {
    alloc(64);
    makeMap();
  }
  for (;;) {
    if (maps.length < 10) makeMap();
    const name = pick(names);
    const status = kinds[name](pick(maps) ?? { handle: 0, d: [1], p: 1, D: 1 }, below(7));
    yield { name, status };
  }
}

/** A map of every method and a product, and what they give: whatever is called meanwhile, they keep their bits. */
function controlsOf(e) {
  const rows = 7, d = 5, D = 12;
  const X = unitRows(rows, d, 1);
  const maps = METHODS.map((method) => {
    const handle = newMap(e, {
      method, nFeatures: d, nComponents: D, seed: method, repeats: method === "tensor-sketch" ? 3 : 1,
    });
    assert.notEqual(handle, 0, method);
    if (method === "nystroem") {
      const landmarks = place(e, randomRows(D, d, 9));
      assert.equal(e.ts_set_landmarks(handle, landmarks, D * d), 0);
      e.ts_free(landmarks);
    }
    if (method === "k-space") {
      const projection = place(e, Float64Array.from(randomRows(4 * D, D, 9)));
      assert.equal(e.ts_set_projection(handle, projection, 4 * D * D), 0);
      e.ts_free(projection);
    }
    return { method, handle, D: D * (method === "tensor-sketch" ? 3 : 1) };
  });
  const block = encodeProduct({ m: 4, n: 3, nComponents: 20, repeats: 3, seed: 5 });
  const pointer = place(e, block);
  const product = e.ts_product_new(pointer, block.length);
  const A = place(e, randomRows(4, 2)), B = place(e, randomRows(2, 3));
  assert.equal(e.ts_product_add(product, A, B, 2), 0);
  for (const address of [pointer, A, B]) e.ts_free(address);
  const entries = () => {
    const out = e.ts_alloc(16) >>> 0;
    const values = Array.from({ length: 12 }, (_, at) => {
      assert.equal(e.ts_product_entry(product, Math.floor(at / 3), at % 3, out), 0);
      return new Float64Array(e.mem.buffer, out, 1)[0];
    });
    e.ts_free(out);
    return Float64Array.from(values);
  };
  const outputs = () => [...maps.map(({ handle, D }) => transform(e, handle, X, rows, D)), entries()];
  const names = [...METHODS, "the product"];
  const want = outputs();
  const check = (when) => {
    assert.equal(e.ts_budget(BUDGET + 2 ** 20), 0); // the calls may have used up all of theirs
    outputs().forEach((got, i) => sameBits(got, want[i], `${names[i]} ${when}`));
    assert.equal(e.ts_budget(BUDGET), 0);
  };
  return { handles: new Set([...maps.map(({ handle }) => handle), product]), check };
}

test(`${CALLS} calls or more with random pointers, lengths and handles return a status, ` +
  `and other maps keep their bits`, async (t) => {
  const e = await start();
  const controls = controlsOf(e);
  const calls = randomCalls(e, draws(fuzzSeed), controls.handles);
  const seen = new Map();
  const end = performance.now() + 1000 * soakSeconds;
  const rare = () => exportsOf(e).filter((name) => !((seen.get(`${name} 0`) ?? 0) > 10));
  let n = 0;
  // The calls go on until they went deep enough: each export succeeded more than ten times.
  for (; n < CALLS || performance.now() < end || (n < MOST_CALLS && rare().length > 0); n++) {
    const { name, status } = calls.next().value;
    assert.ok(Number.isInteger(status) && status >= 0 && status < 8,
      `seed ${fuzzSeed}, call ${n}, ${name}: status ${status}`);
    seen.set(`${name} ${status}`, (seen.get(`${name} ${status}`) ?? 0) + 1);
    if (n % 2000 === 0) controls.check(`after call ${n} of seed ${fuzzSeed}`);
  }
  e.ts_alloc(BUDGET - e.ts_in_use());
  controls.check("at the end, with nothing left of the budget");
  t.diagnostic(`${n} calls of seed ${fuzzSeed}, ${e.mem.buffer.byteLength / 2 ** 20} MiB at the end`);
  assert.ok(soakSeconds > 0 || e.mem.buffer.byteLength < 3 * BUDGET,
    "the budget, and holes between 200 buffers of all sizes");
  assert.deepEqual(rare(), [], `succeeded at most ten times in ${n} calls`);
  for (const status of [PARAM, SHAPE, NONFINITE, DISPOSED, MEMORY, ABI]) {
    assert.ok([...seen.keys()].some((key) => key.endsWith(` ${status}`)), `status ${status} never occurred`);
  }
});

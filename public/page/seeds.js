// A worker for Convergence: it estimates kernels under many seeds and at many D through the public API.
//
// A message { id, degree, coef0, nFeatures, rows, seed, measured, chunks, columns } is a job. `rows` (Float32Array)
// holds x and y of each pair one after the other. Seed number k is `seed` + k modulo 2^64 (a BigInt). `columns` are the
// values of D. For each method in `measured` there are replies { id, method, column, law } with the facts about
// columns[column] that hold for every seed (see `laws`). They come after the first seeds of Tensor Sketch, alternating
// with the replies to `chunks`:
//
// - [first, count]: for each column, { id, column, first, estimates }: the estimates of all pairs by Tensor Sketch
//   under one seed, then under the next
// - [first, count, method, column]: { id, method, column, first, squares } with the mean over the pairs of the squared
//   relative error, one number per seed
//
// A new message replaces the current job; id 0 means no job. The reply to an error is { id, error: message }. A map
// that does not fit into memory is no error: its law is empty, and its squares are NaN.
//
// The error of a method is relative to √(κ(x, x)·κ(y, y)) of the kernel κ that the method estimates.

import { KINDS, TAKES } from "../api/tables.js";
import "./requests.js";
import { giveWay } from "../api/slices.js";
import { load } from "../api/tensorsketch.js";

/**
 * Yields all results of a job: the first seeds of Tensor Sketch, then laws and estimates in turn. See `laws` for
 * `timings`.
 */
export function* results(ts, job, timings) {
  const ahead = job.chunks[0]?.length === 2 ? 1 : 0;
  yield* estimates(ts, { ...job, chunks: job.chunks.slice(0, ahead) });
  const queue = [laws(ts, job, timings), estimates(ts, { ...job, chunks: job.chunks.slice(ahead) })];
  while (queue.length > 0) {
    const work = queue.shift();
    const { done, value } = work.next();
    if (done) continue;
    yield value;
    queue.push(work);
  }
}

/** Yields { column, first, estimates } or { method, column, first, squares }; `ts` is a loaded module. */
export function* estimates(ts, job) {
  const features = new Float32Array(rowsOf(job) * Math.max(...job.columns));
  for (const [first, count, method, only] of job.chunks) {
    if (method !== undefined) {
      yield { method, column: only, first, squares: squaresOf(ts, job, method, job.columns[only], first, count,
        features) };
      continue;
    }
    for (const [column, nComponents] of job.columns.entries()) {
      const pairs = rowsOf(job) / 2;
      const results = new Float64Array(count * pairs);
      for (let k = 0; k < count; k++) {
        const map = ts.featureMap(paramsOf("tensor-sketch", job, nComponents, first + k));
        results.set(estimatesOf(map, job, features), k * pairs);
        map.dispose();
      }
      yield { column, first, estimates: results };
    }
  }
}

/**
 * Yields { method, column, law } for the methods in `measured` and all columns. `law` holds four numbers: the expected
 * root mean square error (variance and bias, relative as above); the kind of σ, an index of KINDS; the microseconds
 * that `transform` takes per row; and 1 if the time is final, or 0 if it will be measured again. All is timed twice,
 * the second time in reverse order, and the smaller time counts: at first, code is still being compiled, and other
 * threads compute at the same time.
 *
 * `timings` (a Map) keeps times for later jobs: they depend neither on seeds nor on the numbers in the rows.
 */
export function* laws(ts, job, timings = new Map()) {
  const { rows, nFeatures, degree, coef0, columns, measured = [] } = job;
  if (measured.length === 0) return;
  const many = repeated(rows, Math.ceil(LEAST_TIMED / rowsOf(job)));
  const out = new Float32Array(many.length / nFeatures * Math.max(...columns));
  let work = [...columns.keys()].flatMap((column) => measured.map((method) => ({ method, column })));
  while (work.length > 0) {
    const again = [];
    for (const item of work) {
      const { method, column } = item;
      const nComponents = columns[column];
      const map = mapOrNone(ts, paramsOf(method, job, nComponents, 0));
      if (map === undefined) {
        yield { method, column, law: new Float64Array(0) };
        continue;
      }
      item.error ??= errorOf(map, job);
      const key = [method, nFeatures, degree, coef0, nComponents].join();
      const timing = timings.get(key) ?? { micros: Infinity, times: 0 };
      if (timing.times < TIMES) {
        timing.micros = Math.min(timing.micros, timeOf(map, many,
          out.subarray(0, many.length / nFeatures * nComponents)));
        timing.times++;
        timings.set(key, timing);
      }
      map.dispose();
      const isFinal = timing.times === TIMES;
      yield { method, column, law: Float64Array.of(...item.error, timing.micros, Number(isFinal)) };
      if (!isFinal) again.push(item);
    }
    work = again.reverse();
  }
}

/** The number of times that a map is timed. */
const TIMES = 2;

/** The minimum number of rows that are transformed at once for timing: several times the lanes of the core. */
const LEAST_TIMED = 16;

function rowsOf({ rows, nFeatures }) {
  return rows.length / nFeatures;
}

/** Returns the parameters of a map. degree and coef0 are included only if the method takes them. */
function paramsOf(method, { nFeatures, seed, ...job }, nComponents, k) {
  const params = { method, nFeatures, nComponents, seed: BigInt.asUintN(64, seed + BigInt(k)) };
  for (const name of ["degree", "coef0"]) if (TAKES[name].includes(method)) params[name] = job[name];
  return params;
}

/** Returns the map, or undefined if it does not fit into memory. */
function mapOrNone(ts, params) {
  try {
    return ts.featureMap(params);
  } catch (error) {
    if (error.code === "ERR_MEMORY") return undefined;
    throw error;
  }
}

/** Returns the estimates of all pairs. */
function estimatesOf(map, job, features) {
  const { nComponents } = map;
  const out = features.subarray(0, rowsOf(job) * nComponents);
  map.transform(job.rows, out);
  const row = (k) => out.subarray(k * nComponents, (k + 1) * nComponents);
  return Array.from({ length: rowsOf(job) / 2 }, (_, pair) => map.estimate(row(2 * pair), row(2 * pair + 1)));
}

/** Returns x, y, κ(x, y) and √(κ(x, x)·κ(y, y)) of each pair. */
function pairsOf(map, { rows, nFeatures }) {
  const row = (k) => rows.subarray(k * nFeatures, (k + 1) * nFeatures);
  return Array.from({ length: rows.length / nFeatures / 2 }, (_, pair) => {
    const [x, y] = [row(2 * pair), row(2 * pair + 1)];
    return { x, y, kernel: map.theory.kernel(x, y),
      scale: Math.sqrt(map.theory.kernel(x, x) * map.theory.kernel(y, y)) };
  });
}

const mean = (numbers) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length;

function squaresOf(ts, job, method, nComponents, first, count, features) {
  const squares = new Float64Array(count).fill(NaN);
  let pairs;
  for (let k = 0; k < count; k++) {
    const map = mapOrNone(ts, paramsOf(method, job, nComponents, first + k));
    if (map === undefined) break;
    pairs ??= pairsOf(map, job);
    squares[k] = mean(estimatesOf(map, job, features).map((estimate, i) =>
      ((estimate - pairs[i].kernel) / pairs[i].scale) ** 2));
    map.dispose();
  }
  return squares;
}

/** Returns the expected root mean square error and the kind of σ. */
function errorOf(map, job) {
  let worst = 0;
  const squares = pairsOf(map, job).map(({ x, y, scale }) => {
    const { sigma, kind } = map.theory.stdError(x, y);
    worst = Math.max(worst, KINDS.indexOf(kind));
    return (sigma ** 2 + map.theory.bias(x, y) ** 2) / scale ** 2;
  });
  return [Math.sqrt(mean(squares)), worst];
}

/** Returns microseconds per row: the best of five rounds of at least 2 ms each, for clocks that tick every 0.1 ms. */
function timeOf(map, rows, out) {
  let best = Infinity;
  for (let round = 0; round < 5; round++) {
    let times = 0;
    let elapsed = 0;
    for (const start = performance.now(); elapsed < 2; elapsed = performance.now() - start) {
      map.transform(rows, out);
      times++;
    }
    best = Math.min(best, elapsed / times);
  }
  return 1000 * best / (out.length / map.nComponents);
}

function repeated(rows, times) {
  const many = new Float32Array(rows.length * times);
  for (let k = 0; k < times; k++) many.set(rows, k * rows.length);
  return many;
}

function serve() {
  const loaded = load({ threads: 0 }); // loaded at once, before the first job
  loaded.catch(() => {}); // reported in the reply to the first job
  const timings = new Map();
  let current;
  addEventListener("message", async ({ data: job }) => {
    current = job;
    if (job.id === 0) return;
    try {
      const ts = await loaded;
      if (current !== job) return;
      for (const result of results(ts, job, timings)) {
        const { buffer } = result.law ?? result.squares ?? result.estimates;
        postMessage({ id: job.id, ...result }, [buffer]);
        await giveWay();
        if (current !== job) return;
      }
    } catch (error) {
      postMessage({ id: job.id, error: error.message });
    }
  });
}

if (typeof DedicatedWorkerGlobalScope === "function") serve();

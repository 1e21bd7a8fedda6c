// Measures the public API: the same code in Node (node.mjs) and in a page (page.js). Times are the best of
// several runs, in microseconds per row, since other programs only ever make a run slower.

let seconds = 0.6; // at least, per figure

/** Random rows of length 1, as the peers' programs take. `density` is the share of numbers that are not 0. */
export function randomRows(n, d, density = 0.2) {
  const X = new Float32Array(n * d);
  const random = generator(1);
  for (let r = 0; r < n; r++) {
    let square = 0;
    for (let i = r * d; i < (r + 1) * d; i++) {
      if (random() < density) X[i] = random();
      square += X[i] * X[i];
    }
    const norm = Math.sqrt(square) || 1;
    for (let i = r * d; i < (r + 1) * d; i++) X[i] /= norm;
  }
  return X;
}

/** Marsaglia's xorshift, from 0 to 1. */
function generator(state) {
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** transform of all rows in this thread. */
export function oneThread(ts, params, X, rows) {
  return using(ts, params, (map) => {
    const out = new Float32Array(rows * map.nComponents).fill(1); // touched before
    return best(() => map.transform(X, out), rows);
  });
}

/** transformAsync of all rows, by the workers. */
export async function workers(ts, params, X, rows) {
  await ts.warm();
  const map = ts.featureMap(params);
  try {
    const out = new Float32Array(rows * map.nComponents).fill(1);
    return await bestAsync(() => map.transformAsync(X, { out }), rows);
  } finally {
    map.dispose();
  }
}

/**
 * One thread, as pffft_sketch.mjs measures itself and with its arguments: the least over rounds of 100 ms, in
 * microseconds per row.
 */
export async function duel(load, build, [rows, d, p, D, density]) {
  const ts = await load({ build, threads: 0 });
  const map = ts.featureMap({ nFeatures: d, degree: p, nComponents: D });
  const X = randomRows(rows, d, density), Z = new Float32Array(rows * D);
  let least = Infinity;
  for (let round = 0; round < 12; round++) {
    const start = performance.now();
    let count = 0;
    do {
      map.transform(X, Z);
      count += rows;
    } while (performance.now() - start < 100);
    least = Math.min(least, ((performance.now() - start) * 1000) / count);
  }
  ts.dispose();
  return { us_per_row: least };
}

/** One call with one row: the median of calls, since it costs what the border costs. */
export function oneRow(ts) {
  return using(ts, { nFeatures: 128, nComponents: 256, degree: 2 }, (map) => {
    const x = randomRows(1, 128), out = new Float32Array(256);
    const calls = 2000;
    const times = [];
    for (let i = 0; i < 25; i++) {
      const start = performance.now();
      for (let j = 0; j < calls; j++) map.transform(x, out);
      times.push(((performance.now() - start) * 1000) / calls);
    }
    return round(times.sort((a, b) => a - b)[12]);
  });
}

/** Numbers a second, in millions, that privatize puts noise on: the median of runs. */
export function noise(ts) {
  const rows = 200, runs = 15;
  return using(ts, { nFeatures: 128, nComponents: 1024, degree: 2, normalize: "kernel" }, (map) => {
    const Z = map.transform(randomRows(rows, 128));
    const guarantee = { epsilon: 1, delta: 1e-5 };
    const ledger = ts.ledger(guarantee);
    const release = map.privacy.rows({ ...guarantee, radius: 1, rows: (runs + 1) * rows, ledger });
    release.privatize(Z);
    const times = [];
    for (let i = 0; i < runs; i++) {
      const start = performance.now();
      release.privatize(Z);
      times.push(performance.now() - start);
    }
    return round(Z.length / (1000 * times.sort((a, b) => a - b)[(runs - 1) / 2]));
  });
}

function using(ts, params, measure) {
  const map = ts.featureMap(params);
  try {
    return measure(map);
  } finally {
    map.dispose();
  }
}

function best(run, rows) {
  run();
  let least = Infinity;
  const end = performance.now() + seconds * 1000;
  do {
    // Browsers' clocks tick at 100 µs and more: time several calls where one is short.
    const start = performance.now();
    let calls = 0;
    do {
      run();
      calls++;
    } while (performance.now() - start < 66 * seconds);
    least = Math.min(least, (performance.now() - start) / calls);
  } while (performance.now() < end);
  return round((least * 1000) / rows);
}

async function bestAsync(run, rows) {
  await run();
  let least = Infinity;
  const end = performance.now() + seconds * 1000;
  do {
    const start = performance.now();
    await run();
    least = Math.min(least, performance.now() - start);
  } while (performance.now() < end);
  return round((least * 1000) / rows);
}

function round(x) {
  return Number(x.toPrecision(4));
}

/** Every figure of one build of the core. `data` gives MNIST and basehock where they are. */
export async function measureAll(load, build, data, { quick = false } = {}) {
  if (quick) seconds = 0.02;
  const one = await load({ build, threads: 0 });
  const all = await load({ build });
  const scale = quick ? 0.02 : 1;
  const count = (n) => Math.max(8, Math.round(n * scale));
  const results = {
    build: one.capabilities.build, lanes: one.capabilities.lanes, threads: all.capabilities.threads, workloads: {},
  };
  const A = { nFeatures: 780, degree: 4, nComponents: 4096 }, B = { nFeatures: 123, degree: 2, nComponents: 1024 };
  const E = { nFeatures: 512, degree: 2, nComponents: 4096 };
  for (const [name, params, rows, density] of
    [["A", A, count(5000)], ["B", B, count(20000)], ["E", E, count(5000), 1]]) {
    const X = randomRows(rows, params.nFeatures, density);
    results.workloads[name] = {
      rows,
      oneThread: oneThread(one, params, X.subarray(0, Math.min(rows, 1000) * params.nFeatures), Math.min(rows, 1000)),
      workers: await workers(all, params, X, rows),
    };
    if (name === "A") results.workloads.A.oneThreadSameRows = oneThread(one, params, X, rows);
  }
  if (data.mnist) {
    const params = { nFeatures: 780, degree: 2, nComponents: 1000 };
    const rows = count(data.mnist.length / 780), X = data.mnist.subarray(0, rows * 780);
    results.workloads.C = { rows, oneThread: oneThread(one, params, X.subarray(0, Math.min(rows, 4000) * 780),
      Math.min(rows, 4000)), workers: await workers(all, params, X, rows) };
  }
  if (data.basehock) {
    const params = { nFeatures: 4862, degree: 2, nComponents: 4096 };
    const rows = data.basehock.indptr.length - 1;
    results.workloads.D = {
      rows,
      oneThread: oneThread(one, params, data.basehock, rows),
      workers: await workers(all, params, data.basehock, rows),
    };
  }
  results.oneRow = oneRow(one);
  results.noise = noise(one);
  one.dispose();
  all.dispose();
  return results;
}

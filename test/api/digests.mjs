// The digests of sketch/testdata, by the JavaScript API: what digest_test.go of package sketch does, in the same order.
// It runs in Node and, for the page's tests, in Chromium: it imports nothing.

const ROWS = 9;

/**
 * The lines of digests.txt as a module gives them: the names first, then the sets from … to.
 *
 * @param ts a module of load().
 * @param table the content of digests.json.
 */
export async function digests(ts, table, from = 0, to = table.sets.length) {
  const lines = [[...table.methods.map(({ method }) => method), "compressedProduct"].join(" ")];
  for (let i = from; i < to; i++) {
    const set = table.sets[i];
    const line = [];
    for (const { method, variants } of table.methods) {
      line.push(await digest(ts, paramsOf(set, method, variants[i % variants.length])));
    }
    line.push(await productDigest(ts, set));
    lines.push(line.join(" "));
  }
  return lines;
}

/** The parameters of a set for a variant of a method. */
function paramsOf(set, method, { takes, methodParams, even, roomy, least = 1, most = Infinity }) {
  const { nFeatures, repeats } = set, normalize = methodParams?.signed ? undefined : set.normalize;
  const params = { method, nFeatures, normalize, repeats, seed: seedOf(set.seed), methodParams };
  for (const name of ["degree", "gamma", "coef0", "output"]) {
    if (takes.includes(name)) params[name] = set[name];
  }
  if (takes.includes("nFeaturesEach") && set.nFeaturesEach) {
    params.nFeatures = set.nFeaturesEach;
    params.degree = set.nFeaturesEach.length;
  }
  if (takes.includes("randomState") && set.randomState !== undefined) {
    params.randomState = set.randomState;
    delete params.seed;
    delete params.repeats;
  }
  params.nComponents = Math.max(Math.min(set.nComponents, most), least);
  if (roomy) params.nComponents = Math.max(params.nComponents, nFeatures + 2);
  if (even) params.nComponents += params.nComponents % 2;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}

function seedOf(given) {
  if (given?.integer) return BigInt(given.integer);
  if (given?.bytes) return Uint8Array.from(given.bytes.match(/../g), (byte) => parseInt(byte, 16));
  return given;
}

/** n numbers from a linear congruential generator, exact in float32. */
function input(n) {
  let state = 12345;
  return Float32Array.from({ length: n }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >> 8) / 2 ** 23;
  });
}

/** Divides a row by its norm, as float32. */
function toUnit(x) {
  const norm = Math.fround(Math.sqrt(x.reduce((sum, v) => sum + v * v, 0)));
  x.forEach((v, i) => { x[i] = v / norm; });
}

async function digest(ts, params) {
  const map = ts.featureMap(params);
  try {
    const d = params.nFeatures;
    if (Array.isArray(d)) {
      let at = 0;
      const X = input(ROWS * 64);
      return await digestOf(map.transformProduct(d.map((width) => X.subarray(at, at += ROWS * width))), []);
    }
    const X = input(Math.max(ROWS, params.nComponents) * d);
    if (params.method === "spherical") {
      for (let row = 0; row < X.length; row += d) toUnit(X.subarray(row, row + d));
    }
    if (["nystroem", "k-space"].includes(params.method)) map.fit(X);
    const z = map.transform(X.subarray(0, ROWS * d));
    const [x, y] = [X.subarray(0, d), X.subarray(d, 2 * d)];
    const { guaranteed, typical } = map.theory.chooseComponents(x, y, 0.5, 0.05);
    const values = [map.theory.kernel(x, y), map.theory.stdError(x, y).sigma, guaranteed, typical], D = map.nComponents;
    if (map.signs) values.push(map.estimate(z.subarray(0, D), z.subarray(D, 2 * D)));
    return await digestOf(z, values);
  } finally {
    map.dispose();
  }
}

/** The sketch of a product of 5 × d by d × 7. */
async function productDigest(ts, { nFeatures: k, nComponents, repeats, seed }) {
  const X = input(12 * k);
  const options = { nComponents, ...(repeats && { repeats }), ...(seed !== undefined && { seed: seedOf(seed) }) };
  const product = ts.compressedProduct(X.subarray(0, 5 * k), X.subarray(5 * k), { m: 5, k, n: 7 }, options);
  const values = [];
  for (let i = 0; i < 5; i++) {
    for (let j = 0; j < 7; j++) values.push(product.entry(i, j));
  }
  values.push(product.stdError(4, 6), ...product.largest(3).flatMap(({ i, j, value }) => [i, j, value]));
  product.dispose();
  return digestOf([], values);
}

/** 8 hexadecimal digits of the SHA-256 of float32 and float64 numbers; NaN, which has many forms, counts as −1. */
async function digestOf(z, values) {
  const bytes = new Uint8Array(4 * z.length + 8 * values.length);
  bytes.set(new Uint8Array(Float32Array.from(z).buffer));
  bytes.set(new Uint8Array(Float64Array.from(values, (v) => (Number.isNaN(v) ? -1 : v)).buffer), 4 * z.length);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash.subarray(0, 4), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

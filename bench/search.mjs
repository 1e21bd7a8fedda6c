// Measures searches (ts.index) beside plain loops over floats and, where they are installed, hnswlib-wasm and usearch:
// node bench/search.mjs [FOLDER OF DATA [FOLDER WITH node_modules OF THE PEERS]]. The package is dist/npm. The peers
// come by npm install hnswlib-wasm@0.8.2 usearch@2.25.3 in that folder.
// It prints the tables of packaging/README.md and the figures of docs/performance.md. Times are of the processor, so
// that other work disturbs them less.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { load } from "../dist/npm/tensorsketch.js";

const [data = process.env.TENSORSKETCH_DATA ?? "../shared/data", peers = "."] = process.argv.slice(2);
const K = 10, QUERIES = 100, REPEATS = 5;
const ts = await load({ threads: 0 });

/** Returns [result, milliseconds of the processor]. */
async function timed(what) {
  const start = process.cpuUsage();
  const result = await what();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1000];
}

/** Numbers of a normal distribution, from a seed. */
function normals(seed) {
  let state = seed;
  const next = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) + 0.5) / 2 ** 32;
  return () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next());
}

/** Embeddings as encoders of texts give them: clusters whose coordinates fade, about a common mean, of length 1. */
function clustered(rows, d, clusters) {
  const normal = normals(1);
  const centres = Float64Array.from({ length: clusters * d }, normal);
  const fade = Float64Array.from({ length: d }, (_, j) => 1 / Math.sqrt(1 + j / 16));
  const X = new Float32Array(rows * d);
  for (let i = 0; i < rows; i++) {
    const c = Math.floor(i * 7919 % clusters) * d;
    for (let j = 0; j < d; j++) X[i * d + j] = fade[j] * (centres[c + j] + 0.8 * normal()) + 0.3;
  }
  return unit(X, d);
}

/** Divides rows by their lengths. */
function unit(X, d) {
  for (let from = 0; from < X.length; from += d) {
    let sum = 0;
    for (let j = from; j < from + d; j++) sum += X[j] * X[j];
    for (let j = from; j < from + d; j++) X[j] /= Math.sqrt(sum) || 1;
  }
  return X;
}

function images(name) {
  const bytes = gunzipSync(readFileSync(join(data, name)));
  return Float32Array.from(bytes.subarray(16), (v) => v / 255);
}

/** The k largest products with a query, by a loop over floats. */
function plain(X, d, q, k) {
  const best = [];
  for (let row = 0; row * d < X.length; row++) {
    let sum = 0;
    for (let j = 0, at = row * d; j < d; j++, at++) sum += X[at] * q[j];
    if (best.length === k && sum <= best[k - 1][0]) continue;
    let place = best.length;
    while (place > 0 && best[place - 1][0] < sum) place--;
    best.splice(place, 0, [sum, row]);
    if (best.length > k) best.pop();
  }
  return best.map(([, row]) => row);
}

const recall = (found, want) => found.reduce((sum, ids, i) =>
  sum + want[i].filter((id) => ids.includes(id)).length / want[i].length, 0) / found.length;
const show = (x, digits) => x.toLocaleString("en-US", { maximumFractionDigits: digits, minimumFractionDigits: digits });
const table = [];
const row = (...cells) => {
  table.push(`| ${cells.join(" | ")} |`);
  console.error(table.at(-1)); // as it comes
};

/** Measures one index: rows added a second, milliseconds a query, bytes, recall. */
async function measure(name, options, X, Q, want) {
  const index = await ts.index(options);
  const d = index.nFeatures;
  const [, added] = await timed(() => index.add(X));
  const queries = want.map((_, i) => Q.subarray(i * d, (i + 1) * d));
  const found = queries.map((q) => Array.from(index.search(q, K).ids));
  const times = [];
  for (let i = 0; i < REPEATS; i++) {
    times.push((await timed(() => queries.slice(0, 10).forEach((q) => index.search(q, K))))[1] / 10);
  }
  row(name, show(index.size / added * 1000, 0), show(Math.min(...times), 1), show(index.memoryBytes / 1e6, 1),
    show(recall(found, want), 3));
  index.dispose();
}

async function compare(title, X, Q, d) {
  const queries = Array.from({ length: QUERIES }, (_, i) => Q.subarray(i * d, (i + 1) * d));
  const n = X.length / d;
  plain(X.subarray(0, 1000 * d), d, queries[0], K);
  const [want, ms] = await timed(() => queries.map((q) => plain(X, d, q, K)));
  table.push(`\n${title}: ${show(n, 0)} × ${d}\n`);
  row("", "rows added a second", "ms a query", "MB", "recall@10");
  row("---", "---:", "---:", "---:", "---:");
  row("plain loop over floats", "", show(ms / QUERIES, 1), show(4 * X.length / 1e6, 1), "1");
  for (const [bits, keep] of [[4, false], [4, true], [8, false], [32, false]]) {
    await measure(`\`index\`, ${bits} bits${keep ? ", floats kept" : ""}`,
      { nFeatures: d, bits, keep, metric: "inner" }, X, Q, want);
  }
  await usearch(X, d, queries, want);
  if (n * d < 2e7) await hnswlib(X, d, queries, want); // it takes minutes for more
}

/** The peer in native code; M, ef and precision as it chooses. */
async function usearch(X, d, queries, want) {
  const require = createRequire(pathToFileURL(resolve(peers, "peer.js")));
  let Index;
  try {
    ({ Index } = require("usearch"));
  } catch {
    return;
  }
  const n = X.length / d;
  const index = new Index({ metric: "ip", dimensions: d, quantization: "i8" });
  const [, added] = await timed(() => index.add(BigUint64Array.from({ length: n }, (_, i) => BigInt(i)), X, 1));
  const [found, ms] = await timed(() => queries.map((q) => Array.from(index.search(q, K, 1).keys, Number)));
  row("usearch, native, i8, HNSW", show(n / added * 1000, 0), show(ms / queries.length, 2), "",
    show(recall(found, want), 3));
}

/** The peer in WebAssembly, with the parameters that it has for embeddings. */
async function hnswlib(X, d, queries, want) {
  const lib = await hnswlibModule().catch(() => null);
  if (lib === null) return;
  const n = X.length / d;
  const index = new lib.HierarchicalNSW("ip", d, "");
  index.initIndex(n, 32, 128, 100); // M, efConstruction, seed
  const [, added] = await timed(() => {
    for (let from = 0; from < n; from += 1000) {
      const ids = Array.from({ length: Math.min(1000, n - from) }, (_, i) => from + i);
      index.addPoints(ids.map((id) => X.slice(id * d, (id + 1) * d)), ids, false);
    }
  });
  for (const ef of [128, 512]) {
    index.setEfSearch(ef);
    const [found, ms] = await timed(() => queries.map((q) => Array.from(index.searchKnn(q, K, undefined).neighbors)));
    row(`hnswlib-wasm, ef ${ef}`, show(n / added * 1000, 0), show(ms / queries.length, 2),
      show(lib.HEAPU8.length / 1e6, 1), show(recall(found, want), 3));
  }
}

/** Loads hnswlib-wasm, which must not see Node: it is made for pages alone. */
async function hnswlibModule() {
  const folder = resolve(peers, "node_modules/hnswlib-wasm/dist");
  const name = readdirSync(folder).find((file) => /^hnswlib-[0-9a-f]+\.js$/.test(file));
  const { process } = globalThis;
  Object.assign(globalThis, { window: globalThis, document: {}, process: undefined });
  try {
    return await (await import(pathToFileURL(join(folder, name)))).default();
  } finally {
    Object.assign(globalThis, { process });
    delete globalThis.window;
    delete globalThis.document;
  }
}

/** When a map helps: the same images by their own numbers, and by features of a map. */
async function maps(X, Q, d) {
  const queries = Array.from({ length: QUERIES }, (_, i) => Q.subarray(i * d, (i + 1) * d));
  const want = queries.map((q) => plain(X, d, q, K));
  table.push("\nImages of unit length by cosine, as they are and by features of (⟨x, y⟩ + 1)²\n");
  row("", "rows added a second", "ms a query", "MB", "recall@10 of the cosines");
  row("---", "---:", "---:", "---:", "---:");
  await measure("784 numbers, 8 bits", { nFeatures: d, bits: 8 }, X, Q, want);
  await measure("784 numbers, 4 bits", { nFeatures: d, bits: 4 }, X, Q, want);
  for (const nComponents of [4096, 1024, 256]) {
    const map = ts.featureMap({ nFeatures: d, nComponents, coef0: 1, seed: 1 });
    await measure(`D ${nComponents}, 4 bits`, { map, bits: 4 }, X, Q, want);
    map.dispose();
  }
}

if (existsSync(join(data, "mnist-train-images-idx3-ubyte.gz"))) {
  const d = 784;
  const X = unit(images("mnist-train-images-idx3-ubyte.gz").subarray(0, 30_000 * d), d);
  const Q = unit(images("mnist-t10k-images-idx3-ubyte.gz").subarray(0, QUERIES * d), d);
  const map = ts.featureMap({ nFeatures: d, nComponents: 1024, coef0: 1, seed: 1 });
  await compare("Features of MNIST", map.transform(X), map.transform(Q), 1024);
  await maps(X, Q, d);
}
{
  const rows = 50_000, d = 384;
  const X = clustered(rows + QUERIES, d, 300);
  await compare("Clustered embeddings", X.subarray(0, rows * d), X.subarray(rows * d), d);
}
{
  const rows = 100_000, d = 1024;
  const X = clustered(rows + QUERIES, d, 300);
  await compare("Clustered embeddings", X.subarray(0, rows * d), X.subarray(rows * d), d);
}
console.log(table.join("\n"));
ts.dispose();

// node bench/moments.mjs CORE.wasm [nComponents [folds]] measures ts_moments_add of one core: products of features in
// billions a second, n·D(D + 1)/2, in one thread. It prints the best of several runs of wall time, and the CPU time of
// all of them, which says more on a machine that is shared.

import { readFileSync } from "node:fs";
import { GoProgram } from "../public/api/gojs.js";

const [file, D = 1024, folds = 0] = process.argv.slice(2);
const program = new GoProgram();
const { exports } = await WebAssembly.instantiate(await WebAssembly.compile(readFileSync(file)), program.imports);
program.start(exports, {});

const n = 1000, K = 10;
const z = exports.ts_alloc(4 * n * D), classes = exports.ts_alloc(4 * n), block = exports.ts_alloc(8 * 7);
let state = 1;
const random = () => (state = (Math.imul(state, 1664525) + 1013904223) | 0) / 2 ** 31;
new Float32Array(exports.mem.buffer, z, n * D).forEach((_, i, Z) => (Z[i] = 0.05 * random()));
new Int32Array(exports.mem.buffer, classes, n).forEach((_, i, y) => (y[i] = i % K));
new Float64Array(exports.mem.buffer, block, 7).set([D, K, 0, 2 ** -12, 0, 0, folds]);
const moments = exports.ts_moments_new(block, 56);

const add = () => {
  if (exports.ts_moments_add(moments, z, n, classes, 0) !== 0) throw new Error("ts_moments_add failed");
};
const products = n * D * (Number(D) + 1) / 2;
add();
add();
let best = Infinity, total = 0, runs = 0;
const before = process.cpuUsage();
while (total < 3000) {
  const start = performance.now();
  add();
  const time = performance.now() - start;
  best = Math.min(best, time);
  total += time;
  runs++;
}
const cpu = process.cpuUsage(before).user / 1000 / runs;
const rate = (ms) => (products / ms / 1e6).toFixed(1);
console.log(`D ${D}, folds ${folds}: best ${rate(best)}, by CPU time ${rate(cpu)} billion products a second`);

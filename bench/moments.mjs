// node bench/moments.mjs [FOLDER [D [ROWS]]] measures ts_moments_add of the core in FOLDER, dist/npm by default:
// products of features in billions a second of the processor, n·D(D + 1)/2, in one thread, on the grid of 16 bits that
// `prepare` takes. The features are of MNIST images. It prints the best of several runs for one sum, and the ratio of
// all runs of five folds to all of one sum, which alternate: how many blocks are full differs from run to run.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { GoProgram } from "../public/api/gojs.js";
import { images } from "./mnist.mjs";

const [folder = "dist/npm", only, most = "5120"] = process.argv.slice(2);
const { load } = await import(new URL("tensorsketch.js", pathToFileURL(`${folder}/`)));
const core = await WebAssembly.compile(readFileSync(`${folder}/tensorsketch.wasm`));
const ts = await load({ build: "simd", threads: 0 });
const { X, y } = images("train", Number(most));
const rows = y.length, CLASSES = 10;

const MAPS = {
  "tensor sketch": { degree: 2, coef0: 1 },
  Gaussian: { method: "random-fourier", gamma: 2 },
  Laplacian: { method: "random-fourier", gamma: 0.05, methodParams: { kernel: "laplacian" } },
};

/** Returns a function that adds all rows to sums of the core, and what it adds them to. */
function adder(Z, D, grid, folds) {
  const program = new GoProgram();
  const { exports } = new WebAssembly.Instance(core, program.imports);
  program.start(exports, {});
  const memory = exports.mem ?? exports.memory;
  const put = (values) => {
    const at = exports.ts_alloc(values.byteLength);
    new values.constructor(memory.buffer, at, values.length).set(values);
    return at;
  };
  const finer = Uint8Array.from(atob(grid.finer ?? ""), (letter) => letter.charCodeAt(0));
  const block = new Uint8Array(88 + 8 * Math.ceil(finer.length / 8));
  block.set(new Uint8Array(Float64Array.of(D, CLASSES, 0, grid.step, 0, 0, folds, 0, 0, grid.limit ?? 0, finer.length)
    .buffer));
  block.set(finer, 88);
  const z = put(Z), classes = put(Int32Array.from(y));
  const sums = exports.ts_moments_new(put(block), block.length);
  if (sums === 0) throw new Error("ts_moments_new failed");
  return () => {
    const began = process.cpuUsage();
    if (exports.ts_moments_add(sums, z, rows, classes, 0) !== 0) throw new Error("ts_moments_add failed");
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  };
}

for (const D of only ? [Number(only)] : [1024, 4096]) {
  const runs = D > 1024 ? 4 : 12;
  for (const [name, params] of Object.entries(MAPS)) {
    const map = { nFeatures: 784, nComponents: D, seed: 1, ...params };
    const { grid } = ts.prepare(X, y, { map, task: "classify", linear: false });
    const Z = ts.featureMap(map).transform(X);
    const [one, five] = [0, 5].map((folds) => adder(Z, D, grid, folds));
    one();
    five();
    const times = Array.from({ length: runs }, () => [one(), five()]);
    const best = Math.min(...times.map(([ms]) => ms));
    const total = (i) => times.reduce((sum, run) => sum + run[i], 0);
    console.log(`${name}, D ${D}: ${(rows * D * (D + 1) / 2 / best / 1e6).toFixed(1)} billion products a second; ` +
      `five folds take ${(total(1) / total(0)).toFixed(2)} times one sum`);
  }
}

// node bench/node.mjs FOLDER BUILD [quick|maps|learn|folds] prints the figures of one build as JSON; "maps" compares
// only the feature maps, "learn" measures only learning, and "folds" only ridge with five folds. FOLDER holds the data
// files that tools/bench wrote, and TENSORSKETCH_DIST names the library.
// FOLDER BUILD duel ROWS D_IN DEGREE COMPONENTS DENSITY measures one shape, as ../shared/peers/pffft_sketch.mjs does.

import { existsSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { measureMaps, workloads } from "./family.js";
import { measureFolds, measureLearn } from "./learn.js";
import { duel, measureAll } from "./measure.js";

const [folder, build, mode, ...shape] = process.argv.slice(2);
const { load } = await import(new URL("tensorsketch.js", pathToFileURL(`${process.env.TENSORSKETCH_DIST}/`)));

function read(name, Type) {
  const bytes = readFileSync(`${folder}/${name}`);
  return new Type(bytes.buffer, bytes.byteOffset, bytes.length / Type.BYTES_PER_ELEMENT);
}

if (mode === "duel") {
  console.log(JSON.stringify(await duel(load, build, shape.map(Number))));
  process.exit();
}
const data = {};
if (existsSync(`${folder}/mnist.f32`)) data.mnist = read("mnist.f32", Float32Array);
if (existsSync(`${folder}/basehock.data.f32`)) {
  data.basehock = {
    indptr: read("basehock.indptr.i32", Int32Array),
    indices: read("basehock.indices.i32", Int32Array),
    data: read("basehock.data.f32", Float32Array),
  };
}
if (existsSync(`${folder}/digits.train.f32`)) {
  const set = (name) => ({ X: read(`digits.${name}.f32`, Float32Array), y: read(`digits.${name}.u8`, Uint8Array) });
  data.digits = { nFeatures: 784, train: set("train"), test: set("test") };
}
if (mode === "learn") {
  console.log(JSON.stringify(await measureLearn(load, data, { quick: shape[0] === "quick" })));
  process.exit();
}
if (mode === "folds") {
  const sizes = shape.filter((word) => word !== "quick").map(Number);
  const processor = () => (({ user, system }) => (user + system) / 1000)(process.cpuUsage());
  console.log(JSON.stringify(await measureFolds(load, data, { quick: shape.includes("quick"), processor,
    ...(sizes.length > 0 ? { sizes } : {}) })));
  process.exit();
}
const quick = mode === "quick";
const results = mode === "maps" ? { build } : await measureAll(load, build, data, { quick });
if (build === "simd") {
  const ts = await load({ build, threads: 0 });
  results.maps = {};
  for (const [name, workload] of Object.entries(workloads(data, { quick }))) {
    results.maps[name] = measureMaps(ts, workload);
  }
  ts.dispose();
}
console.log(JSON.stringify(results));

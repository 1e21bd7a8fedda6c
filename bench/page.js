// The figures of one build in a browser: #BUILD, #BUILD,quick, #BUILD,large[,quick], #BUILD,fit,THREADS,ROWS, or
// #BUILD,duel,ROWS,D_IN,DEGREE,COMPONENTS,DENSITY.
// tools/bench serves the library and the data, and reads the result from the body.

import { mixed, timed } from "./fitrows.js";
import { measureLarge } from "./large.js";
import { duel, measureAll } from "./measure.js";
import { load } from "./npm/tensorsketch.js";

async function read(name, Type) {
  const response = await fetch(`data/${name}`);
  return response.ok ? new Type(await response.arrayBuffer()) : null;
}

/** Fits 20 mixed columns three times in one instance. */
async function fits(build, threads, rows) {
  const ts = await load({ build, threads });
  const data = mixed(rows);
  const figures = [];
  for (let round = 0; round < 3; round++) figures.push(await timed(ts, ...data));
  ts.dispose();
  return figures;
}

async function measure() {
  const [build, mode, ...shape] = location.hash.slice(1).split(",");
  if (mode === "duel") return JSON.stringify(await duel(load, build, shape.map(Number)));
  if (mode === "large") return JSON.stringify(await measureLarge(load, { quick: shape[0] === "quick" }));
  if (mode === "fit") return JSON.stringify(await fits(build, ...shape.map(Number)));
  const data = { mnist: await read("mnist.f32", Float32Array) };
  const [indptr, indices, values] = [
    await read("basehock.indptr.i32", Int32Array), await read("basehock.indices.i32", Int32Array),
      await read("basehock.data.f32", Float32Array)];
  if (values) data.basehock = { indptr, indices, data: values };
  return JSON.stringify(await measureAll(load, build, data, { quick: mode === "quick" }));
}

document.body.dataset.result = await measure().catch((error) => `${error.name}: ${error.message}`);

// The figures of one build in a browser: #BUILD, #BUILD,quick, or #BUILD,duel,ROWS,D_IN,DEGREE,COMPONENTS,DENSITY.
// tools/bench serves the library and the data, and reads the result from the body.

import { duel, measureAll } from "./measure.js";
import { load } from "./npm/tensorsketch.js";

async function read(name, Type) {
  const response = await fetch(`data/${name}`);
  return response.ok ? new Type(await response.arrayBuffer()) : null;
}

async function measure() {
  const [build, mode, ...shape] = location.hash.slice(1).split(",");
  if (mode === "duel") return JSON.stringify(await duel(load, build, shape.map(Number)));
  const data = { mnist: await read("mnist.f32", Float32Array) };
  const [indptr, indices, values] = [
    await read("basehock.indptr.i32", Int32Array), await read("basehock.indices.i32", Int32Array),
      await read("basehock.data.f32", Float32Array)];
  if (values) data.basehock = { indptr, indices, data: values };
  return JSON.stringify(await measureAll(load, build, data, { quick: mode === "quick" }));
}

document.body.dataset.result = await measure().catch((error) => `${error.name}: ${error.message}`);

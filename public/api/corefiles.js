// The files of the whole core and of its worker, for bundlers: they look for new URL(…, import.meta.url) and import(…).
// The scalar core is made of the two files (compileBuild in wasmfile.js); its own is for who names it.
// The tracer of Next, Nuxt and serverless hosts sees no expression that an arrow returns.

import { WHOLE } from "./sizes.js";

export const CORE_FILES = {
  names: { simd: "tensorsketch.wasm", scalar: "tensorsketch.scalar.wasm", toScalar: "tensorsketch.toscalar.wasm" },
  sizes: WHOLE,
  simd() {
    return new URL("./tensorsketch.wasm", import.meta.url);
  },
  toScalar() {
    return new URL("./tensorsketch.toscalar.wasm", import.meta.url);
  },
  worker() {
    return new URL("./worker.js", import.meta.url);
  },
  /** Returns worker.js as a text. */
  async workerText() {
    return (await import("./workertext.js")).default;
  },
};

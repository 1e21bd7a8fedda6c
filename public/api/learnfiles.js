// The files of the core for maps and models, and of its worker (corefiles.js).

import { LEARN } from "./sizes.js";

export const LEARN_FILES = {
  names: { simd: "tensorsketch.learn.wasm", scalar: "tensorsketch.learn.scalar.wasm",
    toScalar: "tensorsketch.learn.toscalar.wasm" },
  sizes: LEARN,
  simd() {
    return new URL("./tensorsketch.learn.wasm", import.meta.url);
  },
  toScalar() {
    return new URL("./tensorsketch.learn.toscalar.wasm", import.meta.url);
  },
  worker() {
    return new URL("./worker.js", import.meta.url);
  },
  /** Returns worker.js as a text. */
  async workerText() {
    return (await import("./workertext.js")).default;
  },
};

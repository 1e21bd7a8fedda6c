// The files of the core for maps alone and of its worker (corefiles.js).

import { MAP } from "./sizes.js";

export const MAP_FILES = {
  names: { simd: "tensorsketch.map.wasm", scalar: "tensorsketch.map.scalar.wasm",
    toScalar: "tensorsketch.map.toscalar.wasm" },
  sizes: MAP,
  simd() {
    return new URL("./tensorsketch.map.wasm", import.meta.url);
  },
  toScalar() {
    return new URL("./tensorsketch.map.toscalar.wasm", import.meta.url);
  },
  worker() {
    return new URL("./mapworker.js", import.meta.url);
  },
  /** Returns mapworker.js as a text. */
  async workerText() {
    return (await import("./mapworkertext.js")).default;
  },
};

// The core for maps alone that needs SIMD, and its worker (corefiles.js).

import { MAP } from "./sizes.js";

export const MAP_SIMD_FILES = {
  entry: '"tensorsketch/map"', // which has the scalar build, too
  names: { simd: "tensorsketch.map.wasm" },
  sizes: MAP,
  simd() {
    return new URL("./tensorsketch.map.wasm", import.meta.url);
  },
  worker() {
    return new URL("./mapworker.js", import.meta.url);
  },
  /** Returns mapworker.js as a text. */
  async workerText() {
    return (await import("./mapworkertext.js")).default;
  },
};

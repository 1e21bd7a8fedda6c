// The files of the core for maps alone and of its worker (corefiles.js).

import { MAP } from "./sizes.js";

export const MAP_FILES = {
  entry: '"tensorsketch/map"',
  names: { simd: "tensorsketch.map.wasm", scalar: "tensorsketch.map.scalar.wasm" },
  sizes: MAP,
  simd() {
    return new URL("./tensorsketch.map.wasm", import.meta.url);
  },
  scalar() {
    return new URL("./tensorsketch.map.scalar.wasm", import.meta.url);
  },
  worker() {
    return new URL("./mapworker.js", import.meta.url);
  },
  /** Returns mapworker.js as a text. */
  async workerText() {
    return (await import("./mapworkertext.js")).default;
  },
};

// The whole core and the searches that need SIMD (corefiles.js). Bundlers copy what a module names, used or not.

import { WHOLE } from "./sizes.js";

export const SIMD_FILES = {
  entry: '"tensorsketch"', // which has the scalar build, too
  names: { simd: "tensorsketch.wasm" },
  sizes: WHOLE,
  simd() {
    return new URL("./tensorsketch.wasm", import.meta.url);
  },
  worker() {
    return new URL("./worker.js", import.meta.url);
  },
  /** Returns worker.js as a text. */
  async workerText() {
    return (await import("./workertext.js")).default;
  },
};

/** Files of searches (indexfiles.js). */
export const INDEX_SIMD_FILES = {
  names: { simd: "index.wasm" },
  sizes: {},
  simd() {
    return new URL("./index.wasm", import.meta.url);
  },
};

// The whole core that needs SIMD, and its worker (corefiles.js).

export const SIMD_FILES = {
  entry: '"tensorsketch"',
  names: { simd: "tensorsketch.wasm" },
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

// The files of searches (corefiles.js).

export const INDEX_FILES = {
  names: { simd: "index.wasm", scalar: "index.scalar.wasm" },
  simd() {
    return new URL("./index.wasm", import.meta.url);
  },
  scalar() {
    return new URL("./index.scalar.wasm", import.meta.url);
  },
};

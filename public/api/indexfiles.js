// The files of searches (corefiles.js).

export const INDEX_FILES = {
  names: { simd: "index.wasm", scalar: "index.scalar.wasm", toScalar: "index.toscalar.wasm" },
  sizes: {}, // every page would have them
  simd() {
    return new URL("./index.wasm", import.meta.url);
  },
  toScalar() {
    return new URL("./index.toscalar.wasm", import.meta.url);
  },
};

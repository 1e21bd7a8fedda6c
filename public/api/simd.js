// tensorsketch/simd: as tensorsketch.js, for engines with SIMD.

import { INDEX_SIMD_FILES, SIMD_FILES } from "./simdfiles.js";
import { loadWhole } from "./whole.js";

export { toArrow } from "./arrow.js";
export { TensorSketchError } from "./errors.js";
export { deriveKey } from "./key.js";

export async function load(options = {}) {
  return loadWhole(options, SIMD_FILES, INDEX_SIMD_FILES);
}

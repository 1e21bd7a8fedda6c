// tensorsketch: random features of the polynomial kernel, in WebAssembly. The documentation is tensorsketch.d.ts.
// Importing this module does nothing: load() fetches the core.

import { CORE_FILES } from "./corefiles.js";
import { INDEX_FILES } from "./indexfiles.js";
import { loadWhole } from "./whole.js";

export { toArrow } from "./arrow.js";
export { TensorSketchError } from "./errors.js";
export { deriveKey } from "./key.js";

export async function load(options = {}) {
  return loadWhole(options, CORE_FILES, INDEX_FILES);
}

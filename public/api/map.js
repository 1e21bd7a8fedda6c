// tensorsketch/map: maps alone, with a core without learning. The documentation is map.d.ts.

import { MAP_FILES } from "./mapfiles.js";
import { EmbeddingModule, loadParts } from "./module.js";
import { FeatureMap } from "./featuremap.js";
import { TensorSketchError } from "./errors.js";
import { Core } from "./core.js";

export { TensorSketchError };

export async function load(options = {}) {
  return new EmbeddingModule(await loadParts(options, MAP_FILES, Core), FeatureMap);
}

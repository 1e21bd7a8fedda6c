// tensorsketch/map/simd: as map.js, for engines with SIMD.

import { Core } from "./core.js";
import { TensorSketchError } from "./errors.js";
import { FeatureMap } from "./featuremap.js";
import { MAP_SIMD_FILES } from "./mapsimdfiles.js";
import { EmbeddingModule, loadParts } from "./module.js";

export { TensorSketchError };

export async function load(options = {}) {
  return new EmbeddingModule(await loadParts(options, MAP_SIMD_FILES, Core), FeatureMap);
}

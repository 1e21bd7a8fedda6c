// Types of tensorsketch/map and tensorsketch/map/simd: maps alone, with a core that does not learn. A page that only
// embeds loads less than half of what "tensorsketch" needs.

import type {
  FeatureMap, LoadOptions, Nearest, Params, ProductOptions, SavedFile, TensorSketch,
} from "./tensorsketch.js";

export { TensorSketchError } from "./tensorsketch.js";
export type * from "./tensorsketch.js";

/**
 * As `load` of "tensorsketch", with maps alone: no models, learners, private releases, plans and products of matrices,
 * and no rows from columns and tables of Arrow. The same parameters give the same bits. Of tensorsketch/map/simd it
 * needs an engine with WebAssembly SIMD, and a bundler copies one core.
 *
 * @throws {TensorSketchError} What `load` of "tensorsketch" throws. ERR_LOAD of tensorsketch/map/simd where the engine
 *   has no SIMD or `build` is "scalar".
 */
export function load(options?: LoadOptions): Promise<EmbeddingModule>;

/** A map without private releases. Its neighbours are those with the largest inner products. */
export interface EmbeddingMap extends Omit<FeatureMap, "privacy" | "nearest" | "nearestAsync"> {
  nearest(Z: Float32Array, q: Float32Array, k: number): Nearest;
  nearestAsync(Z: Float32Array, q: Float32Array, k: number, options?: ProductOptions): Promise<Nearest>;
}

/** What `load` gives. Each member is as in `TensorSketch`. */
export interface EmbeddingModule extends Pick<TensorSketch, Extract<keyof TensorSketch,
  "version" | "capabilities" | "warm" | "rest" | "dispose" | symbol>> {
  featureMap(params: Params): EmbeddingMap;
  /**
   * Makes the map of a model file.
   *
   * @param options `key` is the key of a keyed model. It is required unless the model contains its key.
   * @throws {TensorSketchError} ERR_PARAM as in `TensorSketch`, and for the file of a model that predicts.
   */
  fromJSON(model: SavedFile, options?: { key?: Uint8Array }): EmbeddingMap;
}

// Types of tensorsketch/learn: maps and models. A page that fits and predicts loads a tenth less than "tensorsketch".

import type {
  Classifier, FeatureMap, Label, LoadOptions, Model, Params, Records, Regression, Rows, TensorSketch,
} from "./tensorsketch.js";

export { TensorSketchError } from "./tensorsketch.js";
export type * from "./tensorsketch.js";

/**
 * As `load` of "tensorsketch", with maps and models, and learners whose parts merge: no private releases and
 * comparisons, plans, products of matrices and searches, and no rows from columns and tables of Arrow. The same calls
 * give the same bits and the same files.
 *
 * @throws {TensorSketchError} What `load` of "tensorsketch" throws.
 */
export function load(options?: LoadOptions): Promise<LearnModule>;

/** A map without private releases. */
export interface LearnMap extends Omit<FeatureMap, "privacy"> {
}

/** What `load` gives, as in `TensorSketch`; maps have no `privacy`, learners no `release` and `compare`. */
export interface LearnModule extends Omit<TensorSketch, "featureMap" | "fromJSON" | "ledger" | "plan" |
  "compressedProduct" | "subspaceDimension" | "matrixProductDimension" | "index"> {
  featureMap(params: Params): LearnMap;
  fromJSON<const L extends Label>(model: string | object,
    options: { task?: "classify"; labels: readonly L[]; key?: Uint8Array }): Classifier<L, Rows | Records>;
  fromJSON<L extends Label = Label>(model: string | object, options: { task: "classify"; key?: Uint8Array }):
    Classifier<L, Rows | Records>;
  fromJSON(model: string | object, options: { task: "regress"; labels?: undefined; key?: Uint8Array }):
    Regression<Rows | Records>;
  fromJSON<Kind extends LearnMap | Model<Label, Rows | Records> = LearnMap>(model: string | object,
    options?: { task?: undefined; labels?: undefined; key?: Uint8Array }): Kind;
}

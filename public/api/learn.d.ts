// Types of tensorsketch/learn: maps and models. A page that fits and predicts loads a tenth less than "tensorsketch".

import type { LoadOptions, TensorSketch } from "./tensorsketch.js";

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

/** What `load` gives, as in `TensorSketch`; maps have no `privacy`, learners no `release` and `compare`. */
export interface LearnModule extends Omit<TensorSketch, "ledger" | "plan" | "compressedProduct" | "subspaceDimension" |
  "matrixProductDimension" | "index"> {
}

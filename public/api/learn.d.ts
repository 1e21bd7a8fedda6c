// Types of tensorsketch/learn: maps and models. A page that fits and predicts loads a tenth less than "tensorsketch".

import type * as whole from "./tensorsketch.js";
import type { Label, LearnMap, LoadOptions, Rows, TensorSketch } from "./tensorsketch.js";

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
export interface LearnModule extends Omit<TensorSketch<LearnMap>, "ledger" | "plan" | "compressedProduct" |
  "subspaceDimension" | "matrixProductDimension" | "index"> {
}

export type Model<L extends Label = Label, X = Rows> = whole.Model<L, X, LearnMap>;
export type Classifier<L extends Label = Label, X = Rows> = whole.Classifier<L, X, LearnMap>;
export type Regression<X = Rows> = whole.Regression<X, LearnMap>;

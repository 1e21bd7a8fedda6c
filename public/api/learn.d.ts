// Types of tensorsketch/learn: maps and models. A page that fits and predicts loads a tenth less than "tensorsketch".

import type * as whole from "./tensorsketch.js";
import type {
  ClassifyOptions, Label, LearnLearner, LearnMap, LearnOptions, LoadOptions, Rows, SavedFile, TensorSketch,
  Without,
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

/** What `load` gives, as in `TensorSketch`; maps have no `privacy`, learners no `release` and `compare`. */
export interface LearnModule extends Omit<TensorSketch<LearnMap>, "ledger" | "plan" | "compressedProduct" |
  "subspaceDimension" | "matrixProductDimension" | "index" | "learner"> {
  /** As `learner` of a `TensorSketch`. An option `private` is refused. */
  learner<L extends Label = Label>(options: ClassifyOptions<L>): Learner<Classifier<L>>;
  learner(options: LearnOptions & { task: "regress" }): Learner<Regression>;
  learner(options: LearnOptions & { from?: undefined }
    | { from: SavedFile | Uint8Array | ArrayBuffer; map?: LearnMap }
      & Without<Exclude<keyof LearnOptions, "map">>): Learner;
}

export type Model<L extends Label = Label, X = Rows> = whole.Model<L, X, LearnMap>;
export type Classifier<L extends Label = Label, X = Rows> = whole.Classifier<L, X, LearnMap>;
export type Learner<M extends Model = Model> = LearnLearner<M>;
export type Regression<X = Rows> = whole.Regression<X, LearnMap>;

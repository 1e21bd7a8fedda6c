// What a model file has beside its map: the preparation of its rows and the head that predicts.

import { fault } from "./errors.js";
import { readHead } from "./head.js";
import { checkOutputs, readPreparation } from "./preparation.js";

/** Reads these parts of a model (model.js) whose map has these settings: { preparation, head }. Both may be missing. */
export function learnedParts({ preparation, head, isPrepared }, { nFeatures, nComponents, repeats }) {
  if (preparation !== undefined && head === undefined) {
    throw fault("head", "head is missing: the preparation of a model is beside its head");
  }
  const prepared = preparation === undefined ? undefined
    : checkOutputs(readPreparation("model.preparation", preparation), nFeatures);
  return { preparation: prepared, head: head === undefined ? null
    : readHead(head, repeats * nComponents, prepared !== undefined, isPrepared) };
}

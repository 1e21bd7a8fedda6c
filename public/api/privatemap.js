// FeatureMap with private releases of its rows.

import { accessTo, FeatureMap as Embedding } from "./featuremap.js";
import { Privacy } from "./privacy.js";

export class FeatureMap extends Embedding {
  #privacy = null;

  get privacy() {
    this.#privacy ??= new Privacy((what) => accessTo(this, what));
    return this.#privacy;
  }
}

// FeatureMap with private releases of rows.

import { accessTo } from "./featuremap.js";
import { FeatureMap as NearMap } from "./nearmap.js";
import { Privacy } from "./privacy.js";

export class FeatureMap extends NearMap {
  #privacy = null;

  get privacy() {
    this.#privacy ??= new Privacy((what) => accessTo(this, what));
    return this.#privacy;
  }
}

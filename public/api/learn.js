// tensorsketch/learn: maps and models, with a core that makes no private releases. The documentation is learn.d.ts.

import { TensorSketchError } from "./errors.js";
import { LearnCore } from "./learncore.js";
import { LEARN_FILES } from "./learnfiles.js";
import { LearnModule } from "./learnmodule.js";
import { loadParts } from "./module.js";
import { FeatureMap } from "./nearmap.js";
import { Reader } from "./records.js";

export { TensorSketchError };

export async function load(options = {}) {
  const reader = new Reader(options?.dataset);
  return new LearnModule(await loadParts(options, LEARN_FILES, LearnCore, ["dataset"]), { reader }, FeatureMap);
}

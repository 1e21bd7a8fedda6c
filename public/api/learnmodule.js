// LearnModule: a loaded core with maps and models, of which the module of tensorsketch/learn is one.

import { checkOptions, fault, paramError } from "./errors.js";
import { learnedParts } from "./learnedparts.js";
import { Learner } from "./learner.js";
import { checkAbsent } from "./learneroptions.js";
import { fromModel } from "./model.js";
import { EmbeddingModule, engineOf } from "./module.js";
import { Model } from "./predict.js";
import { prepare } from "./prepare.js";
import { isRecords } from "./records.js";
import { fitRecords, labelsFor } from "./recordsfit.js";
import { repeatable } from "./rows.js";
import { fitRows } from "./rowsfit.js";
import { TASKS } from "./tables.js";

export class LearnModule extends EmbeddingModule {
  /** What learners and models share is in `others`: a `reader`, and what private releases need where there are any. */
  constructor(parts, others, Map) {
    super({ ...parts, ...others, Map }, Map);
  }

  fromJSON(model, options = {}) {
    const engine = engineOf(this);
    const { key, labels, task = labels === undefined ? labels : "classify" } =
      checkOptions(options, ["key", "task", "labels"]);
    if (task === "regress") checkAbsent('task "regress"', { labels });
    if (![undefined, ...TASKS].includes(task)) throw paramError("task", 'be "classify" or "regress"', task);
    const { settings, held, head } = fromModel(model, key, learnedParts);
    if (task && head?.task !== task) {
      throw fault("model", `model must be the file of a model with the task "${task}", got ` + (head ? `one with the ` +
        `task "${head.task}"` : "the file of a map alone"));
    }
    if (!head) return new engine.Map(engine, settings, held);
    return new Model(engine, settings, held, head, labels === undefined ? labels : labelsFor(labels, head.classes));
  }

  prepare(X, y, options) {
    return prepare(engineOf(this), repeatable(X), y, options);
  }

  learner(options) {
    return new Learner(engineOf(this), options);
  }

  async fit(X, y, options) {
    const engine = engineOf(this);
    return isRecords(X) || y?.label !== undefined ? fitRecords(this, engine, X, y, options)
      : fitRows(engine, repeatable(X), y, options);
  }
}

// tensorsketch: random features of the polynomial kernel, in WebAssembly. The documentation is tensorsketch.d.ts.
// Importing this module does nothing: load() fetches the core.

import * as arrow from "./arrow.js";
import { CompressedProduct } from "./compressedproduct.js";
import { CORE_FILES } from "./corefiles.js";
import { checkIsNumber, fault, paramError, rejectUnknownKeys, TensorSketchError } from "./errors.js";
import { deriveKey } from "./key.js";
import { learnedParts } from "./learnedparts.js";
import { Learner, prepare } from "./learner.js";
import { fromModel } from "./model.js";
import { EmbeddingModule, engineOf, loadParts } from "./module.js";
import { plan } from "./plan.js";
import { Model } from "./predict.js";
import { makeLedger } from "./privacy.js";
import { FeatureMap } from "./privatemap.js";
import { isRecords, Reader } from "./records.js";
import { fitRecords, labelsFor } from "./recordsfit.js";
import { takeArrow } from "./rows.js";
import { fitRows } from "./rowsfit.js";
import { TASKS } from "./tables.js";
import { loadError } from "./wasmfile.js";
import { WholeCore } from "./wholecore.js";

export { toArrow } from "./arrow.js";
export { deriveKey, TensorSketchError };

export async function load(options = {}) {
  takeArrow(arrow);
  const reader = new Reader(options?.dataset);
  const parts = await loadParts(options, CORE_FILES, WholeCore, ["dataset"]);
  return new TensorSketch({ ...parts, reader, baseURL: options?.baseURL }, FeatureMap);
}

class TensorSketch extends EmbeddingModule {
  fromJSON(model, options = {}) {
    const engine = engineOf(this);
    if (typeof options !== "object" || options === null) throw paramError("options", "be an object", options);
    rejectUnknownKeys(options, ["key", "task", "labels"], "option");
    const { key, labels } = options;
    const task = options.task ?? (labels && "classify");
    if (![undefined, ...TASKS].includes(task)) throw paramError("task", 'be "classify" or "regress"', task);
    const { settings, held, head } = fromModel(model, key, learnedParts);
    if (task && head?.task !== task) {
      throw fault("model", `model must be the file of a model with the task "${task}", got ` + (head ? `one with the ` +
        `task "${head.task}"` : "the file of a map alone"));
    }
    return head ? new Model(engine, settings, held, head, labels && labelsFor(labels, head.classes))
      : new FeatureMap(engine, settings, held);
  }

  prepare(X, y, options) {
    return prepare(engineOf(this), X, y, options);
  }

  learner(options) {
    return new Learner(engineOf(this), options);
  }

  async fit(X, y, options) {
    const engine = engineOf(this);
    return isRecords(X) ? fitRecords(this, engine, X, y, options) : fitRows(engine, X, y, options);
  }

  plan(question) {
    return plan(engineOf(this), question);
  }

  compressedProduct(A, B, shape, options) {
    return new CompressedProduct(engineOf(this), A, B, shape, options);
  }

  ledger(options) {
    return makeLedger(engineOf(this), options);
  }

  subspaceDimension(k, degree, epsilon, delta) {
    const { core } = engineOf(this);
    Object.entries({ k, degree, epsilon, delta }).forEach(([name, value]) => checkIsNumber(name, value));
    if (k === 0) throw paramError("k", "be an integer ≥ 1", k);
    return core.dimension(k, degree, epsilon, delta);
  }

  matrixProductDimension(degree, epsilon, delta) {
    const { core } = engineOf(this);
    Object.entries({ degree, epsilon, delta }).forEach(([name, value]) => checkIsNumber(name, value));
    return core.dimension(0, degree, epsilon, delta);
  }

  get index() {
    const of = { engine: engineOf(this), ts: this, isMap: (map) => map instanceof FeatureMap };
    return Object.assign(async (options) => (await search()).makeIndex(of, options), {
      from: async (bytes, options) => (await search()).openIndex(of, bytes, options),
    });
  }
}

/** What searches take is loaded at the first one. */
async function search() {
  try {
    return await import("./index.js");
  } catch (error) {
    throw loadError("index.js", `${error.message}; searches need the files of the package, beside each other`);
  }
}

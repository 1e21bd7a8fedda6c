// TensorSketch: a loaded core with all that it does. It is the module of the entries tensorsketch.js and simd.js.

import * as arrow from "./arrow.js";
import { compare } from "./compare.js";
import { CompressedProduct } from "./compressedproduct.js";
import { instanceOf } from "./core.js";
import { checkIsNumber, paramError, TensorSketchError } from "./errors.js";
import { accessTo } from "./featuremap.js";
import { LearnModule } from "./learnmodule.js";
import { engineOf, loadParts } from "./module.js";
import { plan } from "./plan.js";
import { makeLedger, releaseMoments } from "./privacy.js";
import { FeatureMap } from "./privatemap.js";
import { Reader } from "./records.js";
import { ReleasedMoments } from "./released.js";
import { takeArrow } from "./rows.js";
import { loadError } from "./wasmfile.js";
import { WholeCore } from "./wholecore.js";

/** Loads the core of these files (corefiles.js). `indexFiles` are of searches. */
export async function loadWhole(options, files, indexFiles) {
  takeArrow(arrow);
  const reader = new Reader(options?.dataset);
  const parts = await loadParts(options, files, FullCore, ["dataset"]);
  return new TensorSketch(parts, { reader, baseURL: options.baseURL, indexFiles, compare,
    releases: { releaseMoments, ReleasedMoments } }, FeatureMap);
}

class FullCore extends WholeCore {
  constructor(module, maxMemory) {
    super(module, maxMemory);
    if (instanceOf(this).living().exports.ts_ledger) return;
    throw new TensorSketchError("ERR_LOAD", "the file is the core of tensorsketch/learn, which makes no private " +
      "releases: give the content of tensorsketch.wasm");
  }
}

class TensorSketch extends LearnModule {
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
    const of = () => {
      const engine = engineOf(this);
      const mapOf = (map) => map instanceof FeatureMap && accessTo(map, "index");
      return { ts: this, engine, mapOf, files: engine.indexFiles };
    };
    return Object.assign(async (options) => (await searches()).makeIndex(of(), options), {
      from: async (bytes, options) => (await searches()).openIndex(of(), bytes, options),
    });
  }
}

/** What searches take is loaded at the first one. */
async function searches() {
  try {
    return await import("./rowindex.js");
  } catch (error) {
    throw loadError("rowindex.js", `${error.message}; searches need the files of the package, beside each other`);
  }
}

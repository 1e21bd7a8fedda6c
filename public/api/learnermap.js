// The map of a learner: its parameters with the defaults for learning, a FeatureMap or a model file; and the map whose
// features are the rows themselves.

import { isObject, isPlain, paramError } from "./errors.js";
import { FeatureMap, partsOf } from "./featuremap.js";
import { learnedParts } from "./learnedparts.js";
import { fromModel } from "./model.js";
import { resolveParams } from "./params.js";
import { checkOutputs } from "./preparation.js";
import { readPreprocessing } from "./preprocessing.js";
import { FITTED, LEARNING, TAKES } from "./tables.js";

/**
 * Returns the parameters of a map, with the defaults for learning filled in, as far as its method takes them. A method
 * that is fitted to rows has no more components than there are.
 */
export function mapParams(map = {}, nFeatures, rows = Infinity) {
  if (!isPlain(map)) {
    throw paramError("map", "be a feature map of this copy of the library, its parameters or JSON.parse of its file",
      map);
  }
  if (map.format !== undefined) return map; // a model file
  const { method = "tensor-sketch" } = map;
  const { components, degree, coef0, fewComponents, manyFeatures, fewDegree } = LEARNING;
  const params = { nComponents: Math.min(components, FITTED.includes(method) ? rows : Infinity), ...map };
  const { kernel = "polynomial", coefficients } = map.methodParams ?? {};
  const takes = (name) => kernel === "polynomial" && !coefficients && TAKES[name].includes(method);
  if (takes("coef0")) params.coef0 ??= coef0;
  if (params.nFeatures === undefined && nFeatures !== undefined) params.nFeatures = nFeatures;
  const isFew = params.nComponents <= fewComponents && params.nFeatures >= manyFeatures;
  if (takes("degree")) params.degree ??= isFew ? fewDegree : degree;
  return params;
}

/**
 * Reads a map that is given as a map, as its parameters, or as a model file, and the preprocessing of its rows. Returns
 * its `parts`, which are settings and what it holds beside, and the text of the preprocessing.
 */
export function readMap(map, nFeatures, preprocessing, prepared = null) {
  const parts = readParts(map, prepared?.nOutputs ?? nFeatures);
  const width = prepared?.nFeatures ?? parts.settings.nFeatures;
  if (![undefined, width].includes(nFeatures)) {
    throw paramError("nFeatures", `be left out, or ${width} as the map says`, nFeatures);
  }
  if (!prepared) return withPreprocessing(parts, preprocessing);
  checkOutputs(prepared, parts.settings.nFeatures);
  return withPreprocessing({ ...parts, held: { ...parts.held, preparation: prepared } }, preprocessing);
}

function withPreprocessing(parts, preprocessing) {
  const { held, settings } = parts;
  const own = held.preprocessing ? JSON.stringify(held.preprocessing) : "";
  const text = isObject(preprocessing) ? JSON.stringify(preprocessing)
    : preprocessing ?? own;
  if (typeof text !== "string") throw paramError("preprocessing", "be a text or an object", preprocessing);
  if (text === own || !isPreprocessing(text)) return { parts, text };
  return { parts: { settings, held: { ...held, preprocessing: readPreprocessing(text,
    held.preparation?.nFeatures ?? settings.nFeatures) } }, text };
}

function readParts(map, nFeatures) {
  if (map instanceof FeatureMap) return partsOf(map);
  const params = mapParams(map, nFeatures);
  if (params.format !== undefined) return fromModel(params, undefined, learnedParts);
  if (FITTED.includes(params.method)) {
    throw paramError("map.method", "be fitted to rows first: take what ts.prepare(X, y, { map }) returns, or a map " +
      "that was fitted by its fit(X)", params.method);
  }
  return { settings: resolveParams(params), held: {} };
}

function isPreprocessing(text) {
  try {
    return JSON.parse(text)?.format === "tensorsketch-preprocessing";
  } catch {
    return false;
  }
}

/** Returns the map. Throws if its rows consist of several vectors. */
export function checkSingle(map) {
  if (!Array.isArray(map.nFeatures)) return map;
  map.dispose();
  throw paramError("nFeatures", "be one number: a learner takes single rows", map.nFeatures);
}

/** Returns the map whose features are the rows themselves, after a preparation if there is one. */
export function identityMap(engine, nFeatures, preparation) {
  return new engine.Map(engine, resolveParams(identityParams(nFeatures)), { preparation });
}

export function identityParams(nFeatures) {
  return { method: "count-sketch", nFeatures, nComponents: nFeatures, coef0: 0,
    indexHash: [Array.from({ length: nFeatures }, (_, i) => i)], bitHash: [new Array(nFeatures).fill(1)] };
}

// tensorsketch/index: searches for any module that load returned. The documentation is index.d.ts.

import { paramError } from "./errors.js";
import { accessTo, FeatureMap } from "./featuremap.js";
import { INDEX_FILES } from "./indexfiles.js";
import { EmbeddingModule, engineOf } from "./module.js";
import * as searches from "./rowindex.js";

export async function makeIndex(ts, options) {
  return searches.makeIndex(of(ts), options);
}

export async function openIndex(ts, file, options) {
  return searches.openIndex(of(ts), file, options);
}

function of(ts) {
  if (!(ts instanceof EmbeddingModule)) throw paramError("ts", "be what load returned", ts);
  const mapOf = (map) => map instanceof FeatureMap && accessTo(map, "index");
  return { ts, engine: engineOf(ts), mapOf, files: INDEX_FILES };
}

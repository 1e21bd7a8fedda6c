// What each tool is given: for some of it every file of the package is needed.

import { load } from "tensorsketch";
import { loadDataset } from "tensorsketch/dataset";

export async function run() {
  const X = Float32Array.from({ length: 64 * 3000 }, (_, i) => ((i * 7919) % 1009) / 1009);
  const results = {};
  for (const build of ["simd", "scalar"]) {
    const ts = await load({ build, threads: 2 });
    const map = ts.featureMap({ nFeatures: 64, nComponents: 1024, degree: 3, coef0: 1, seed: 7 });
    const features = digest(await map.transformAsync(X));
    const dimension = ts.subspaceDimension(3, 2, 0.5, 0.1);
    results[build] = { features, dimension, threads: ts.capabilities.threads }; // 0 where no worker could be started
    ts.dispose();
  }
  for (const columnar of [false, true]) {
    const dataset = await loadDataset({ columnar });
    const { columns } = dataset.sniff(dataset.source(new TextEncoder().encode("a,b\n1,2\n3,4\n")));
    results[columnar ? "columnar" : "dataset"] = columns.map(({ name }) => name).join();
  }
  return results;
}

/** FNV-1a of the bits. */
function digest(features) {
  let hash = 0x811c9dc5;
  for (const bits of new Uint32Array(features.buffer)) hash = Math.imul(hash ^ bits, 0x01000193);
  return (hash >>> 0).toString(16);
}

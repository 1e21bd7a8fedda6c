// The app of the tools that can have every file of the package.

import { load } from "tensorsketch";
import { loadDataset } from "tensorsketch/dataset";
import { runCore } from "./core.js";

export async function run() {
  const results = {};
  for (const build of ["simd", "scalar"]) results[build] = await runCore(load, { build });
  for (const columnar of [false, true]) {
    const dataset = await loadDataset({ columnar });
    const { columns } = dataset.sniff(dataset.source(new TextEncoder().encode("a,b\n1,2\n3,4\n")));
    results[columnar ? "columnar" : "dataset"] = columns.map(({ name }) => name).join();
  }
  return results;
}

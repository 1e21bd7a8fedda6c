// Traces apps/server.js as the builds of Next, Nuxt and serverless hosts do, copies the traced files, and no others, to
// out/deployed/, and prints which .wasm files each entry of the package needs by its trace.

import { cpSync } from "node:fs";
import { basename, join } from "node:path";
import { nodeFileTrace } from "@vercel/nft";

const trace = async (file) => [...(await nodeFileTrace([file])).fileList];
const needs = {};
for (const name of ["tensorsketch", "dataset"]) {
  const files = await trace(`node_modules/tensorsketch/${name}.js`);
  needs[name] = files.map((file) => basename(file)).filter((file) => file.endsWith(".wasm")).sort().join();
}
for (const file of await trace("apps/server.js")) cpSync(file, join("out/deployed", file));
console.log(JSON.stringify(needs));

// Builds apps/ with each bundler as its documentation says, and nothing configured but what the package's README names.
// Then it serves apps/ as Vite does while one develops, prints the address, and goes on until its input ends.

import { resolve } from "node:path";
import esbuild from "esbuild";
import * as vite from "vite";
import webpack from "webpack";

const root = resolve("apps");
const out = (name) => resolve("out", name);
const files = ["tensorsketch", "tensorsketch.toscalar", "dataset", "dataset-columnar"];
const quiet = { logLevel: "error", configFile: false };

await Promise.all([
  vite.build({ ...quiet, root, base: "./", build: { outDir: out("vite") } }),
  vite.build({ ...quiet, root, build: { outDir: out("vite-server"), ssr: resolve(root, "server.js") } }),
  runWebpack({ entry: "./page.js", output: { path: out("webpack"), filename: "page.js" } }),
  runWebpack({ entry: "./server.js", target: "node", output: { path: out("webpack-server"), filename: "server.cjs" } }),
  esbuild.build({
    entryPoints: {
      page: resolve(root, "page.js"),
      inworker: resolve(root, "inworker.js"),
      worker: "tensorsketch/worker.js",
      ...Object.fromEntries(files.map((name) => [name, `tensorsketch/${name}.wasm`])),
    },
    bundle: true, minify: true, format: "esm", loader: { ".wasm": "copy" }, outdir: out("esbuild"),
  }),
]);

function runWebpack(options) {
  return new Promise((done, fail) => {
    webpack({ mode: "production", context: root, performance: { hints: false }, ...options }, (error, stats) => {
      if (error) fail(error);
      else if (stats.hasErrors() || stats.hasWarnings()) fail(new Error(stats.toString({
        all: false, errors: true, warnings: true,
      })));
      else done();
    });
  });
}

const server = await vite.createServer({ ...quiet, root, server: { host: "127.0.0.1" } });
await server.listen();
console.log(server.resolvedUrls.local[0]);
process.stdin.on("end", () => server.close().then(() => process.exit())).resume();

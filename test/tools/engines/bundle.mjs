// Bundles the API tests for engines other than Node. node bundle.mjs REPOSITORY OUT makes OUT/page.js for browsers,
// on a server that has the repository at /repo/, and OUT/program.js for Deno and Bun.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import esbuild from "esbuild";

const [repository, out] = process.argv.slice(2).map((path) => resolve(path));
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const api = join(repository, "test/api");
const names = readdirSync(api).filter((name) => name.endsWith(".test.mjs"));

/** The list of tests, each of which keeps the address it has in the repository. */
const tests = (address) => ({
  name: "tests",
  setup(build) {
    build.onResolve({ filter: /^api-tests$/ }, () => ({ path: "api-tests", namespace: "tests" }));
    build.onLoad({ filter: /./, namespace: "tests" }, () => ({
      contents: `export default { ` +
        `${names.map((name) => `${JSON.stringify(name)}: () => import(${JSON.stringify(join(api, name))})`)} };`,
      resolveDir: repository,
    }));
    build.onLoad({ filter: /test\/api\/.*\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll("import.meta.url", address(path)),
      loader: "js",
    }));
  },
});

const common = { bundle: true, format: "esm", splitting: true, target: "esnext", logLevel: "warning" };
const nodeModules = ["crypto", "events", "fs", "http", "os", "path", "timers/promises", "url", "v8", "vm", "zlib"];
const replaced = { "node:test": here("nodetest.js"), "node:child_process": here("child.js") };

await Promise.all([
  esbuild.build({
    ...common, entryPoints: [here("page.js")], outdir: out, platform: "browser",
    alias: { ...replaced, ...Object.fromEntries(nodeModules.map((name) => [`node:${name}`, here("web.js")])),
      "node:assert/strict": here("strict.js") },
    define: { global: "globalThis" },
    inject: [here("globals.js")],
    plugins: [tests((path) => `new URL(${JSON.stringify(`/repo/test/api/${basename(path)}`)}, location.href).href`)],
  }),
  esbuild.build({
    ...common, entryPoints: [here("program.js")], outdir: join(out, "program"), platform: "node", alias: replaced,
    plugins: [tests((path) => JSON.stringify(pathToFileURL(path).href))],
  }),
]);

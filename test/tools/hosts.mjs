// The bundlers, test runners, engines and policies that the package's README names, and how each gets `load` there.
// node hosts.mjs fast|slow [PATTERN] builds and starts those whose names match, and prints a line of JSON for each:
// { name, wants, told } if it ran here, or { name, wants, page } if a browser has to visit a page.

import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { app, apps, coreOfApp, headers, html, library, moved, node22, ofNode, out, page, port, run, running,
  start, write } from "./hosting.mjs";

const wasm = ["tensorsketch.wasm", "tensorsketch.toscalar.wasm", "index.wasm", "index.toscalar.wasm"];

/** Checks that a bundle has the two files of the core, the two of the search and nothing else of WebAssembly. */
function checkFiles(folder) {
  const sizes = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".wasm"))
    .map((name) => statSync(join(folder, name)).size);
  const want = wasm.map((name) => statSync(join(library, name)).size);
  if (String(sizes.sort()) !== String(want.sort())) throw new Error(`.wasm files of ${sizes} bytes, want ${want}`);
}

async function esbuild(name, format, contents, options) {
  const { build } = await import("esbuild");
  const file = join(out(name), format === "cjs" ? "app.cjs" : "app.js");
  await build({ stdin: { contents, resolveDir: apps }, bundle: true, format, outfile: file, logLevel: "error",
    logOverride: { "empty-import-meta": "silent" }, ...options });
  for (const file of wasm) cpSync(join(library, file), join(out(name), file));
  return file;
}

async function webpackLike(name, bundler, publicPath) {
  await new Promise((done, fail) => bundler({ mode: "production", context: apps, entry: "./small.js",
    output: { path: out(name), filename: "app.js", publicPath }, performance: { hints: false } }, (error, stats) => {
    if (error || stats.hasErrors()) fail(error ?? new Error(stats.toString({ all: false, errors: true })));
    else done();
  }));
  checkFiles(out(name));
  return page(name, publicPath && `<script type="module" src="${publicPath}app.js"></script>`);
}

const viteApp = (name) => write(resolve("src", name), {
  "index.html": html(name),
  "app.js": app(),
  ...coreOfApp,
});

async function viteBuild(version, name = `${version}-build`, base = "./") {
  const { build } = await import(version);
  await build({ configFile: false, logLevel: "error", root: viteApp(name), base,
    build: { outDir: out(name), assetsInlineLimit: 0 } });
  checkFiles(out(name));
  return { page: `http://127.0.0.1:${port}/${name}/` };
}

/** A server with the package in its bundle. The .wasm files stay in node_modules, or are left behind. */
async function viteServer(version, isMoved) {
  const { build } = await import(version);
  const name = `${version}-server-${isMoved ? "moved" : "bundled"}`;
  await build({ configFile: false, logLevel: "error", root: viteApp(name), ssr: { noExternal: true },
    build: { outDir: out(name), ssr: "app.js" } });
  return ofNode(join(isMoved ? elsewhereOnDisk(name) : out(name), "app.js"));
}

/** Moves a built folder, whose programs are ES modules. */
const elsewhereOnDisk = (name) => write(moved(out(name), name), { "package.json": `{ "type": "module" }` });

/** A function as serverless hosts take it: one file, with nothing beside it. */
async function oneFunction(name, options, before) {
  await esbuild(name, "esm", app(options, before), { platform: "node", target: "node20",
    loader: { ".wasm": "binary" } });
  const folder = elsewhereOnDisk(name);
  for (const file of wasm) rmSync(join(folder, file));
  return ofNode(join(folder, "app.js"));
}

async function viteDev(version, exclude) {
  const { createServer } = await import(version);
  const root = viteApp(`${version}-dev-${exclude.length}`);
  const dev = await createServer({ configFile: false, logLevel: "error", root, cacheDir: join(root, ".vite"),
    optimizeDeps: { exclude }, server: { host: "127.0.0.1", port: 0, fs: { strict: false } } });
  await dev.listen();
  running.push(() => dev.close());
  return { page: dev.resolvedUrls.local[0] };
}

/** A library for Node with the package in its bundle, and the .wasm files beside it. */
async function parcelLibrary(isMoved) {
  const { Parcel } = await import("@parcel/core");
  const name = `parcel-library${isMoved ? "-moved" : ""}`, folder = viteApp(name);
  const module = { includeNodeModules: true, isLibrary: true, outputFormat: "esmodule", context: "node",
    engines: { node: ">= 20" }, distDir: out(name), distEntry: "app.mjs", scopeHoist: true };
  await new Parcel({ entries: join(folder, "app.js"), defaultConfig: "@parcel/config-default", mode: "production",
    targets: { module }, cacheDir: join(folder, "cache") }).run();
  return ofNode(join(isMoved ? elsewhereOnDisk(name) : out(name), "app.mjs"));
}

/** An app that is a test, in a folder of its own, with more files; and what it told. */
async function tested(name, imports, files, program, args) {
  const cwd = write(resolve("src", name), {
    ...coreOfApp, ...files,
    "app.test.js": `import { writeFileSync } from "node:fs";
      ${imports}
      import { load } from "tensorsketch";
      import { runCore } from "./core.js";
      test("app", async () => {
        const told = await runCore(load).catch((error) => ({ error: String(error) }));
        writeFileSync("told.json", JSON.stringify(told));
      });`,
  });
  await run(program, args, { cwd });
  return { told: readFileSync(join(cwd, "told.json"), "utf8") };
}

const jest = (environment, setup = "") => tested(`jest-${environment}-${setup.length}`, "", {
  "package.json": `{ "type": "module", "jest": { "testEnvironment": "${environment}", "transform": {},
    "setupFiles": ["./setup.js"] } }`,
  "setup.js": setup,
}, process.execPath, ["--experimental-vm-modules", resolve("node_modules/jest/bin/jest.js")]);

const vitest = () => tested("vitest", 'import { test } from "vitest";', {}, node22,
  [resolve("node_modules/vitest/vitest.mjs"), "run"]);

async function workerd(given) {
  const { Miniflare } = await import("miniflare");
  const file = await esbuild(`workerd-${given}`, "esm", `
    ${given ? 'import module from "tensorsketch/tensorsketch.wasm";' : ""}
    import { load } from "tensorsketch";
    import { runCore } from "./core.js";
    export default {
      fetch: async () => Response.json(await runCore(load, { ${given ? "module" : ""} })
        .catch((error) => ({ error: String(error) }))),
    };`, { external: ["*.wasm"], define: { "import.meta.url": "undefined" } });
  const flare = new Miniflare({ compatibilityDate: "2025-05-05", modulesRoot: dirname(file), modules: [
    { type: "ESModule", path: file },
    { type: "CompiledWasm", path: join(dirname(file), "tensorsketch/tensorsketch.wasm"),
      contents: readFileSync(join(library, "tensorsketch.wasm")) }] });
  running.push(() => flare.dispose());
  return { told: await (await flare.dispatchFetch("http://x/")).text() };
}

/** The package as it is, in lib/, and a page that imports it from an address, with a policy. */
function unbundled(name, { from = "./lib/", policy, before = "", options, script } = {}) {
  const folder = write(out(name), {
    ...coreOfApp,
    "app.js": app(options, before).replace('"tensorsketch"', `"${from}tensorsketch.js"`),
  });
  cpSync(library, join(folder, "lib"), { recursive: true });
  if (policy) headers[name] = { "Content-Security-Policy": policy };
  return page(name, script);
}

const STRICT = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self' http:";
const elsewhere = (path) => `http://localhost:${port}/${path}/`; // another origin than 127.0.0.1
const oneFile = () => `<script>${readFileSync(join(library, "tensorsketch.min.js"), "utf8")}</script>
  <script type="module">${coreOfApp["core.js"].replaceAll("export ", "")}
  tell(runCore(tensorsketch.load));</script>`;

let extensionPage;

/** An MV3 extension. The test starts Chromium with it; its id comes from its key. */
function extension() {
  if (extensionPage) return extensionPage;
  const key = generateKeyPairSync("rsa", { modulusLength: 2048, publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" } }).publicKey;
  const id = createHash("sha256").update(key).digest("hex").slice(0, 32)
    .replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 16)));
  unbundled("extension");
  write(out("extension"), {
    "content.js": `${coreOfApp["core.js"].replaceAll("export ", "")}
      tell(runCore(tensorsketch.load));`,
    "manifest.json": JSON.stringify({
      manifest_version: 3, name: "app", version: "1", key: key.toString("base64"),
      content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
      content_scripts: [{ matches: ["http://127.0.0.1/content/*", "http://127.0.0.1/content-policy/*"],
        js: ["lib/tensorsketch.min.js", "content.js"], all_frames: true, run_at: "document_end" }],
      host_permissions: ["http://127.0.0.1/*"],
      web_accessible_resources: [{ resources: ["index.html"], matches: ["<all_urls>"] }],
    }),
  });
  return extensionPage = { page: `chrome-extension://${id}/index.html` };
}

/** A page that a content script of the extension runs in, with a policy or without. */
function content(name, policy) {
  extension();
  if (policy) headers[name] = { "Content-Security-Policy": policy };
  return page(name, "<p>A page of somebody");
}

/** An AudioWorklet that imports the package, and tells its page. */
function audioWorklet() {
  const hosted = unbundled("audio");
  write(out("audio"), {
    "app.js": `import { tell } from "./core.js";
      const context = new OfflineAudioContext(1, 128, 44100);
      await context.audioWorklet.addModule("processor.js");
      const { port } = new AudioWorkletNode(context, "app");
      tell(new Promise((done) => (port.onmessage = ({ data }) => done(data))));`,
    "processor.js": `import { load } from "./lib/tensorsketch.js";
      import { runCore } from "./core.js";
      registerProcessor("app", class extends AudioWorkletProcessor {
        constructor() {
          super();
          runCore(load).catch((error) => ({ error: String(error) })).then((told) => this.port.postMessage(told));
        }
      });`,
  });
  return hosted;
}

const NO_ADDRESS = "this bundle has no import\\.meta\\.url.*wasmBinary.*module";
const BUNDLED = 'in Vite by ssr: \\{ external: \\["tensorsketch"\\] \\}';
const VITE = 'optimizeDeps: \\{ exclude: \\["tensorsketch"\\] \\}';

/**
 * Each host, how its app is started and, if it cannot do everything, a pattern of the error, or of why there are no
 * threads. The fast ones are part of every test.
 */
const fast = {
  "esbuild esm": async () => (await esbuild("esbuild-esm", "esm", app()), page("esbuild-esm")),
  "esbuild iife": [async () => (await esbuild("esbuild-iife", "iife",
    app(`{ wasmBinary: await (await fetch("tensorsketch.wasm")).arrayBuffer() }`)), page("esbuild-iife"))],
  "esbuild iife, nothing given": [async () => (await esbuild("esbuild-bare", "iife", app()), page("esbuild-bare")),
    { error: NO_ADDRESS }],
  "esbuild cjs": async () => ofNode(await esbuild("esbuild-cjs", "cjs", app(`{ baseURL: "out/esbuild-cjs" }`),
    { platform: "node" })),
  "esbuild cjs, nothing given": [async () => ofNode(await esbuild("esbuild-none", "cjs", app(), { platform: "node" })),
    { error: NO_ADDRESS }],
  "esbuild for Node": async () => ofNode(await esbuild("esbuild-node", "esm", app(), { platform: "node" })),
  "webpack": async () => webpackLike("webpack-small", (await import("webpack")).default),
  "vite 8 build": () => viteBuild("vite"),
  "webpack, publicPath on another origin": async () => webpackLike("webpack-cdn", (await import("webpack")).default,
    elsewhere("webpack-cdn")),
  "vite 8 build, base on another origin": () => viteBuild("vite", "vite-cdn", elsewhere("vite-cdn")),
  "vite 8 dev": () => viteDev("vite", []),
  "vite 8 server, noExternal": () => viteServer("vite"),
  "vite 8 server, noExternal, moved": [() => viteServer("vite", true), { error: BUNDLED }],
  "vite 8 server, noExternal, moved, copied": () => {
    const folder = resolve("../deployed/vite-server-moved");
    for (const file of wasm) cpSync(join(library, file), join(folder, file)); // as the README says
    return ofNode(join(folder, "app.js"));
  },
  "a function in one file": () => oneFunction("function", "{ wasmBinary }",
    'import wasmBinary from "tensorsketch/tensorsketch.wasm";'),
  "a function in one file, nothing given": [() => oneFunction("function-bare"),
    { error: 'esbuild: --loader:\\.wasm=binary' }],
  "AudioWorklet": [audioWorklet, { error: "An AudioWorklet has none: load this package in the page or a worker" }],
  "one file": () => page("one-file", oneFile()),
  "one file, from the disk": () => (page("one-file-disk", oneFile()),
    { page: pathToFileURL(join(out("one-file-disk"), "index.html")) }),
  "strict policy": () => unbundled("strict", { policy: STRICT }),
  "policy without wasm-unsafe-eval": [() => unbundled("no-wasm", { policy: STRICT.replace("'wasm-unsafe-eval'", "") }),
    { error: "needs script-src 'wasm-unsafe-eval'" }],
  "policy without connect-src": [() => unbundled("no-connect", { policy: STRICT.replace("'self' http:",
    "http://127.0.0.1:*/tell/") }), { error: "connect-src" }],
  "Trusted Types": () => unbundled("trusted", { policy: `require-trusted-types-for 'script'; worker-src blob:` }),
  "Trusted Types, workers of the site": () => unbundled("trusted-self",
    { policy: `require-trusted-types-for 'script'; worker-src 'self'` }),
  "Trusted Types without our policy": [() => unbundled("trusted-no",
    { policy: `require-trusted-types-for 'script'; trusted-types other` }), { because: "trusted-types tensorsketch" }],
  "another origin": () => unbundled("cdn", { from: elsewhere("cdn/lib") }),
  "another origin, own workers only": [() => unbundled("cdn-own", { from: elsewhere("cdn-own/lib"),
    policy: "worker-src 'self'" }), { because: "no worker could be started" }],
  "another origin, workerURL": () => unbundled("cdn-url", { from: elsewhere("cdn-url/lib"), policy: "worker-src 'self'",
    options: `{ workerURL: "lib/worker.js" }` }),
  "a page with Node's globals": () => unbundled("globals",
    { before: `globalThis.process = { versions: { node: "20" } };` }),
};

const slow = {
  "extension": extension,
  "extension, content script": () => content("content"),
  "extension, content script under the page's policy": [() => content("content-policy", "script-src 'self'"),
    { error: "The page's policy also binds a content script" }],
  "vite 5 build": () => viteBuild("vite5"),
  "vite 6 build": () => viteBuild("vite6"),
  "vite 7 build": () => viteBuild("vite7"),
  ...Object.fromEntries([5, 6, 7].flatMap((n) => [
    [`vite ${n} dev`, () => viteDev(`vite${n}`, ["tensorsketch"])],
    [`vite ${n} server, noExternal`, () => viteServer(`vite${n}`)],
    [`vite ${n} server, noExternal, moved`, [() => viteServer(`vite${n}`, true), { error: BUNDLED }]],
    [`vite ${n} dev, not excluded`, [() => viteDev(`vite${n}`, []), { error: VITE }]]])),
  "rspack": async () => webpackLike("rspack", (await import("@rspack/core")).rspack),
  "rollup": async () => {
    const { rollup } = await import("rollup");
    const resolveId = (id) => (id === "tensorsketch" ? join(library, "tensorsketch.js") : null);
    const bundle = await rollup({ input: join(apps, "small.js"), plugins: [{ name: "resolve", resolveId }] });
    await bundle.write({ dir: out("rollup"), entryFileNames: "app.js" });
    for (const file of wasm) cpSync(join(library, file), join(out("rollup"), file));
    return page("rollup");
  },
  "parcel": async () => {
    const { Parcel } = await import("@parcel/core");
    const folder = viteApp("parcel");
    await new Parcel({ entries: join(folder, "index.html"), defaultConfig: "@parcel/config-default", mode: "production",
      defaultTargetOptions: { distDir: out("parcel"), publicUrl: "./" }, cacheDir: join(folder, "cache") }).run();
    checkFiles(out("parcel"));
    return { page: `http://127.0.0.1:${port}/parcel/` };
  },
  "parcel, library": () => parcelLibrary(),
  "parcel, library, moved": () => parcelLibrary(true),
  "jest": () => jest("node"),
  "jest, jsdom": [() => jest("jsdom"), { error: 'jsdom hides Node\'s: use testEnvironment "node"' }],
  "jest, jsdom with TextDecoder": () => jest("jsdom",
    `import * as util from "node:util";
    Object.assign(globalThis, { TextDecoder: util.TextDecoder, TextEncoder: util.TextEncoder });`),
  "vitest": () => vitest(),
  ...Object.fromEntries([18, 20, 22, 24, 26].map((n) => [`node ${n}`, () =>
    ofNode("apps/small.js", resolve(`node_modules/node${n}/bin/node`))])),
  "workerd": [() => workerd(true), { because: "Cloudflare Workers have no threads" }],
  "workerd, nothing given": [() => workerd(false), { error: NO_ADDRESS }],
};

const [set, pattern] = process.argv.slice(2);
await start({ fast, slow, all: { ...fast, ...slow } }[set], pattern);

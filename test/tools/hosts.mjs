// The hosts that the package's README names, and how each gets `load` there. node hosts.mjs fast|slow [PATTERN] builds
// and starts those whose names match, and prints a line of JSON for each: { name, wants, told } if it ran here, or
// { name, wants, page } if a browser has to visit a page. Servers go on until the input ends.

import { execFile } from "node:child_process";
import { createHash, generateKeyPairSync } from "node:crypto";
import { cpSync, createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, statSync,
  writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const apps = resolve("apps");
const library = resolve("node_modules/tensorsketch");
const out = (name) => resolve("out", name);
const run = promisify(execFile);
const running = []; // what ends the servers
const headers = {}; // of the answers, by folder of out/

const wasm = ["tensorsketch.wasm", "tensorsketch.scalar.wasm", "index.wasm", "index.scalar.wasm"];
const coreOfApp = { "core.js": readFileSync(join(apps, "core.js"), "utf8") };
const app = (options = "{}", before = "") => `
  ${before}
  import { load } from "tensorsketch";
  import { runCore, tell } from "./core.js";
  tell((async () => runCore(load, ${options}))());`;

function write(folder, files) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm", ".css": "text/css" };
const server = createServer(({ url }, response) => {
  const path = new URL(url, "http://x").pathname;
  const file = join(out(""), path.endsWith("/") ? `${path}index.html` : path);
  if (!existsSync(file)) return response.writeHead(404).end();
  response.writeHead(200, { "Content-Type": types[extname(file)] ?? "text/plain", "Access-Control-Allow-Origin": "*",
    ...headers[path.split("/")[1]] });
  createReadStream(file).pipe(response);
});
await new Promise((done) => server.listen(0, "127.0.0.1", done));
const { port } = server.address();

/** A page of out/ that runs a script. */
function page(name, script) {
  write(out(name), { "index.html": html(name, script) });
  return { page: `http://127.0.0.1:${port}/${name}/` };
}

/** Checks that a bundle has the two cores, the two of the search and nothing else of WebAssembly. */
function checkFiles(folder) {
  const sizes = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".wasm"))
    .map((name) => statSync(join(folder, name)).size);
  const want = wasm.map((name) => statSync(join(library, name)).size);
  if (String(sizes.sort()) !== String(want.sort())) throw new Error(`.wasm files of ${sizes} bytes, want ${want}`);
}

async function ofNode(file, program = process.execPath, options = {}) {
  const { stdout } = await run(program, [].concat(file), { maxBuffer: 1 << 26, ...options });
  return { told: stdout.trim().split("\n").findLast((line) => line.startsWith("{")) };
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

const html = (name, script = `<script type="module" src="app.js"></script>`) =>
  `<!doctype html><meta charset="utf-8"><title>${name}</title>${script}`;
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

/** A server with the package in its bundle. The .wasm files stay in node_modules. */
async function viteServer(version) {
  const { build } = await import(version);
  const name = `${version}-server-bundled`;
  await build({ configFile: false, logLevel: "error", root: viteApp(name), ssr: { noExternal: true },
    build: { outDir: out(name), ssr: "app.js" } });
  return ofNode(join(out(name), "app.js"));
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

/** Serves a folder with files of its own by a command, until the end. Its server tells its port when asked. */
async function command(folder, file, args, ready, options) {
  const child = execFile(file, args, { cwd: folder, ...options });
  running.push(() => child.kill());
  let text = "";
  return new Promise((done, fail) => {
    const hear = (part) => {
      const found = ready.exec(text += part);
      if (found) done(found[1]);
    };
    child.stdout.on("data", hear);
    child.stderr.on("data", hear);
    child.on("exit", (code) => fail(new Error(`${file} ${args.join(" ")} ended with ${code}: ${text}`)));
  });
}

/** A library for Node with the package in its bundle. Parcel leaves addresses in libraries as they are. */
async function parcelLibrary() {
  const { Parcel } = await import("@parcel/core");
  const folder = viteApp("parcel-library");
  const module = { includeNodeModules: true, isLibrary: true, outputFormat: "esmodule", context: "node",
    engines: { node: ">= 20" }, distDir: out("parcel-library"), distEntry: "app.mjs", scopeHoist: true };
  await new Parcel({ entries: join(folder, "app.js"), defaultConfig: "@parcel/config-default", mode: "production",
    targets: { module }, cacheDir: join(folder, "cache") }).run();
  return ofNode(join(out("parcel-library"), "app.mjs"));
}

const builds = new Map(); // Next's servers, by bundler and configuration

async function next(bundler, external, path) {
  const key = `next-${bundler}${external ? "-external" : ""}`;
  if (!builds.has(key)) builds.set(key, startNext(key, bundler, external));
  const address = `${await builds.get(key)}${path}`;
  if (path === "/") return { page: address };
  return { told: (await (await fetch(address)).text()).replace(/^.*<pre>|<\/pre>.*$/gs, "").replaceAll("&quot;", '"')
    .replaceAll("&#x27;", "'") };
}

async function startNext(key, bundler, external) {
  const folder = write(resolve("src", key), {
    "package.json": `{ "private": true }`,
    ...coreOfApp,
    "next.config.mjs": `export default { ${external ? 'serverExternalPackages: ["tensorsketch"],' : ""}
      outputFileTracingRoot: ${JSON.stringify(resolve("."))}, turbopack: { root: ${JSON.stringify(resolve("."))} } };`,
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
    "app/page.js": `"use client";
      import { useEffect } from "react";
      import { load } from "tensorsketch";
      import { runCore, tell } from "../core.js";
      export default function Page() {
        useEffect(() => { tell(runCore(load)); }, []);
        return <p>A client component</p>;
      }`,
    "app/component/page.js": `import { load } from "tensorsketch";
      import { runCore } from "../../core.js";
      export const dynamic = "force-dynamic";
      export default async function Page() {
        const told = await runCore(load).catch((error) => ({ error: String(error) }));
        return <pre>{JSON.stringify(told)}</pre>;
      }`,
    "app/route/route.js": `import { load } from "tensorsketch";
      import { runCore } from "../../core.js";
      export const dynamic = "force-dynamic";
      export const GET = async () => Response.json(
        await runCore(load).catch((error) => ({ error: String(error) })));`,
  });
  const program = resolve("node_modules/next/dist/bin/next");
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1" };
  await run(process.execPath, [program, "build", `--${bundler}`], { cwd: folder, env, maxBuffer: 1 << 26 });
  return command(folder, process.execPath, [program, "start", "-p", "0", "-H", "127.0.0.1"],
    /(http:\/\/127\.0\.0\.1:\d+)/, { env });
}

const kits = new Map(); // SvelteKit's servers, by where the package stands in package.json

async function svelteKit(path, where = "dependencies") {
  const folder = write(resolve(`src/kit-${where}`), {
    "package.json": `{ "private": true, "type": "module", "${where}": { "tensorsketch": "*" } }`,
    ...coreOfApp,
    "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";
      import adapter from "@sveltejs/adapter-node";
      export default { plugins: [sveltekit({ adapter: adapter() })] };`,
    "src/app.html": "<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>",
    "src/routes/+page.svelte": `<script>
      import { onMount } from "svelte";
      import { load } from "tensorsketch";
      import { runCore, tell } from "../../core.js";
      onMount(() => { tell(runCore(load)); });
      </script>`,
    "src/routes/route/+server.js": `import { load } from "tensorsketch";
      import { runCore } from "../../../core.js";
      export const GET = async () => Response.json(await runCore(load).catch((e) => ({ error: String(e) })));`,
  });
  const node = resolve("node_modules/node22/bin/node"); // Kit needs Node 22
  const built = () => run(node, [resolve("node_modules/vite/bin/vite.js"), "build"], { cwd: folder });
  const port = 20_000 + process.pid % 20_000 + kits.size; // adapter-node takes 0 for 3000
  if (!kits.has(where)) {
    kits.set(where, built().then(() => command(folder, node, ["build/index.js"], /(http:\/\/127\.0\.0\.1:\d+)/,
      { env: { ...process.env, HOST: "127.0.0.1", PORT: port } })));
  }
  const address = `${await kits.get(where)}${path}`;
  return path === "/" ? { page: address } : { told: await (await fetch(address)).text() };
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

const vitest = () => tested("vitest", 'import { test } from "vitest";', {}, resolve("node_modules/node22/bin/node"),
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

/** An MV3 extension. The test starts Chromium with it; its id comes from its key. */
function extension() {
  const key = generateKeyPairSync("rsa", { modulusLength: 2048, publicKeyEncoding: { type: "spki", format: "der" },
    privateKeyEncoding: { type: "pkcs8", format: "der" } }).publicKey;
  const id = createHash("sha256").update(key).digest("hex").slice(0, 32)
    .replace(/./g, (digit) => String.fromCharCode(97 + parseInt(digit, 16)));
  unbundled("extension");
  write(out("extension"), { "manifest.json": JSON.stringify({
    manifest_version: 3, name: "app", version: "1", key: key.toString("base64"),
    content_security_policy: { extension_pages: "script-src 'self' 'wasm-unsafe-eval'; object-src 'self'" },
    host_permissions: ["http://127.0.0.1/*"],
    web_accessible_resources: [{ resources: ["index.html"], matches: ["<all_urls>"] }],
  }) });
  return { page: `chrome-extension://${id}/index.html` };
}

const NO_ADDRESS = "this bundle has no import\\.meta\\.url.*wasmBinary.*module";
const VITE = 'optimizeDeps: \\{ exclude: \\["tensorsketch"\\] \\}';
const NEXT = 'serverExternalPackages: \\["tensorsketch"\\]';

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
  "vite 5 build": () => viteBuild("vite5"),
  "vite 6 build": () => viteBuild("vite6"),
  "vite 7 build": () => viteBuild("vite7"),
  ...Object.fromEntries([5, 6, 7].flatMap((n) => [
    [`vite ${n} dev`, () => viteDev(`vite${n}`, ["tensorsketch"])],
    [`vite ${n} server, noExternal`, () => viteServer(`vite${n}`)],
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
  ...Object.fromEntries(["turbopack", "webpack"].flatMap((bundler) => [
    [`next ${bundler}, client component`, () => next(bundler, true, "/")],
    ...["component", "route"].flatMap((path) => [
      [`next ${bundler}, server ${path}`, () => next(bundler, true, `/${path}`)],
      [`next ${bundler}, server ${path}, bundled`, [() => next(bundler, false, `/${path}`),
        bundler === "turbopack" && path === "route" ? {} : { error: NEXT }]]])])), // that one reads the file
  "sveltekit, page": () => svelteKit("/"),
  "sveltekit, route": () => svelteKit("/route"),
  "sveltekit, route, bundled": () => svelteKit("/route", "devDependencies"),
  "parcel, library": () => parcelLibrary(),
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

const [set, pattern = ""] = process.argv.slice(2);
for (const [name, row] of Object.entries({ fast, slow }[set])) {
  if (!new RegExp(pattern).test(name)) continue;
  const [start, wants = {}] = [row].flat();
  const outcome = await Promise.resolve().then(start).catch((error) =>
    ({ told: JSON.stringify({ error: `not started: ${error.message} ${error.stdout ?? ""}` }) }));
  console.log(JSON.stringify({ name, wants, ...outcome }));
}
console.log("{}");
process.stdin.on("end", async () => {
  await Promise.all(running.map((end) => end()));
  process.exit();
}).resume();

// The frameworks and deployed servers that the package's README names, and how each gets `load` there.
// node frameworks.mjs [PATTERN] builds and starts those whose names match, and prints a line of JSON for each, as
// hosts.mjs does. "moved": the built output is where no node_modules is above it.

import { cpSync, mkdirSync, readdirSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { coreOfApp, library, moved, node22, out, port, run, serve, start, told, write } from "./hosting.mjs";

const program = (path) => resolve("node_modules", path);
const quiet = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1",
  ASTRO_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false", OBSERVABLE_TELEMETRY_DISABLE: "true",
  WRANGLER_SEND_METRICS: "false", CI: "" };
const build = (cwd, ...args) => run(node22, args, { cwd, env: quiet, maxBuffer: 1 << 26 });

const made = new Map();

/** Returns what make() promises, made once for each key. */
function once(key, make) {
  if (!made.has(key)) made.set(key, make());
  return made.get(key);
}

/** Copies the .wasm files of the package, as the README says. */
function copyCores(to) {
  for (const name of readdirSync(library)) {
    if (name.endsWith(".wasm")) cpSync(join(library, name), join(to, name));
  }
}

const caught = "await runBuilds(load).catch((error) => ({ error: String(error) }))";
const imports = (up) => `import { load } from "tensorsketch";
  import { runBuilds, runCore, tell } from "${up}core.js";`;
const root = JSON.stringify(resolve("."));

/** A Next app as one server: in its folder by `next start`, and its standalone output, moved. */
async function next(bundler, external) {
  const key = `next-${bundler}${external ? "-external" : ""}`;
  const folder = write(resolve("src", key), {
    "package.json": `{ "private": true }`,
    ...coreOfApp,
    "next.config.mjs": `export default { ${external ? 'serverExternalPackages: ["tensorsketch"],' : ""}
      output: "standalone", outputFileTracingRoot: ${root}, turbopack: { root: ${root} } };`,
    "app/layout.js": "export default ({ children }) => <html><body>{children}</body></html>;",
    "app/page.js": `"use client";
      import { useEffect } from "react";
      ${imports("../")}
      export default function Page() {
        useEffect(() => { tell(runBuilds(load)); }, []);
        return <p>A client component</p>;
      }`,
    "app/component/page.js": `${imports("../../")}
      export const dynamic = "force-dynamic";
      export default async function Page() {
        const told = ${caught};
        return <pre>{JSON.stringify(told)}</pre>;
      }`,
    "app/route/route.js": `${imports("../../")}
      export const dynamic = "force-dynamic";
      export const GET = async () => Response.json(${caught});`,
  });
  await build(folder, program("next/dist/bin/next"), "build", `--${bundler}`);
  return { key, folder };
}

const nextHere = (...app) => once(`here ${app}`, async () => {
  const { folder } = await once(`next ${app}`, () => next(...app));
  return serve(folder, [program("next/dist/bin/next"), "start", "-p", "PORT", "-H", "127.0.0.1"], quiet);
});

const nextMoved = (...app) => once(`moved ${app}`, async () => {
  const { key, folder } = await once(`next ${app}`, () => next(...app));
  const own = join(moved(join(folder, ".next/standalone"), key), "src", key);
  return { own, built: folder, address: await serve(own, ["server.js"]) };
});

/** The same with the folder that Next's documentation copies: a server lists it when it starts. */
const nextPublished = (...app) => once(`published ${app}`, async () => {
  const { own, built } = await nextMoved(...app);
  cpSync(join(built, ".next/static"), join(own, ".next/static"), { recursive: true });
  return serve(own, ["server.js"]);
});

async function component(address) {
  const { told: text } = await told(`${address}/component`);
  return { told: text.replace(/^.*<pre>|<\/pre>.*$/gs, "").replaceAll("&quot;", '"').replaceAll("&#x27;", "'") };
}

/** A SvelteKit app by adapter-node. Its package.json has the package among these dependencies. */
const svelteKit = (where) => once(`kit ${where}`, async () => {
  const folder = write(resolve(`src/kit-${where}`), {
    "package.json": `{ "private": true, "type": "module", "${where}": { "tensorsketch": "*" } }`,
    ...coreOfApp,
    "vite.config.js": `import { sveltekit } from "@sveltejs/kit/vite";
      import adapter from "@sveltejs/adapter-node";
      export default { plugins: [sveltekit({ adapter: adapter() })] };`,
    "src/app.html": "<!doctype html><head>%sveltekit.head%</head><body>%sveltekit.body%</body>",
    "src/routes/+page.svelte": `<script>
      import { onMount } from "svelte";
      ${imports("../../")}
      onMount(() => { tell(runBuilds(load)); });
      </script>`,
    "src/routes/route/+server.js": `${imports("../../../")}
      export const GET = async () => Response.json(${caught});`,
  });
  await build(folder, program("vite/bin/vite.js"), "build");
  return folder;
});

const kitHere = (where) => once(`kit here ${where}`, async () => serve(await svelteKit(where), ["build/index.js"]));

/** The output elsewhere, with a node_modules of the package where package.json has it among its dependencies. */
const kitMoved = (where) => once(`kit moved ${where}`, async () => {
  const to = resolve("..", "deployed", `kit-${where}`);
  cpSync(join(await svelteKit(where), "build"), join(to, "build"), { recursive: true });
  write(to, { "package.json": `{ "type": "module" }` });
  if (where === "dependencies") cpSync(library, join(to, "node_modules/tensorsketch"), { recursive: true });
  return serve(to, ["build/index.js"]);
});

/** A Nuxt app: its .output, moved, or the page of its development server, with or without the setting of 4.4. */
const nuxt = (develops, isSet) => once(`nuxt ${develops} ${isSet}`, async () => {
  const folder = write(resolve(`src/nuxt-${develops}-${isSet}`), {
    "package.json": `{ "private": true, "type": "module", "dependencies": { "tensorsketch": "*" } }`,
    ...coreOfApp,
    "nuxt.config.js": `export default defineNuxtConfig({ compatibilityDate: "2026-07-01", telemetry: false,
      ${isSet ? 'vite: { optimizeDeps: { exclude: ["tensorsketch"] } }' : ""} });`,
    "app/app.vue": `<script setup>
      ${imports("../")}
      onMounted(() => { tell(runBuilds(load)); });
      </script>
      <template><p>A page</p></template>`,
    // A development server does not find what a route imports from beside server/.
    ...(develops ? {} : { "server/api/route.get.js": `${imports("../../")}
      export default defineEventHandler(async () => (${caught}));` }),
  });
  const bin = program("nuxt/bin/nuxt.mjs");
  if (develops) return serve(folder, [bin, "dev", "--host", "127.0.0.1", "--port", "PORT"], quiet);
  await build(folder, bin, "build");
  return serve(moved(join(folder, ".output"), "nuxt"), ["server/index.mjs"]);
});

/** An Astro app by its own adapter for Node: in its folder, or bundled with all packages and moved. */
const astro = (isMoved) => once(`astro ${isMoved}`, async () => {
  const folder = write(resolve(`src/astro-${isMoved}`), {
    "package.json": `{ "private": true, "type": "module", "dependencies": { "tensorsketch": "*" } }`,
    ...coreOfApp,
    "astro.config.mjs": `import { defineConfig } from "astro/config";
      import node from "@astrojs/node";
      export default defineConfig({ output: "server", adapter: node({ mode: "standalone" }),
        ${isMoved ? "vite: { ssr: { noExternal: true } }" : ""} });`,
    "src/pages/index.astro": `<html><body><p>A page</p><script>
      ${imports("../../")}
      tell(runBuilds(load));
      </script></body></html>`,
    "src/pages/route.js": `${imports("../../")}
      export const prerender = false;
      export const GET = async () => Response.json(${caught});`,
  });
  await build(folder, program("astro/bin/astro.mjs"), "build");
  return serve(isMoved ? moved(join(folder, "dist"), "astro") : join(folder, "dist"), ["server/entry.mjs"]);
});

/** A React Router app with its server. */
const reactRouter = () => once("react router", async () => {
  const folder = write(resolve("src/router"), {
    "package.json": `{ "private": true, "type": "module", "dependencies": { "isbot": "*", "tensorsketch": "*" } }`,
    ...coreOfApp,
    "react-router.config.js": "export default { ssr: true };",
    "vite.config.js": `import { reactRouter } from "@react-router/dev/vite";
      export default { plugins: [reactRouter()] };`,
    "app/root.jsx": `import { Outlet, Scripts } from "react-router";
      export default () => <html><body><Outlet /><Scripts /></body></html>;`,
    "app/routes.js": `import { index, route } from "@react-router/dev/routes";
      export default [index("page.jsx"), route("route", "route.js")];`,
    "app/page.jsx": `import { useEffect } from "react";
      ${imports("../")}
      export default function Page() {
        useEffect(() => { tell(runBuilds(load)); }, []);
        return <p>A page</p>;
      }`,
    "app/route.js": `${imports("../")}
      export const loader = async () => Response.json(${caught});`,
  });
  await build(folder, program("@react-router/dev/bin.cjs"), "build");
  return serve(folder, [program("@react-router/serve/bin.cjs"), "build/server/index.js"]);
});

/** An Angular app's folder, with the assets and options that the README names or without. */
const angular = (given) => once(`angular ${given}`, async () => {
  const asset = { glob: "*.wasm", input: "node_modules/tensorsketch", output: "." };
  const options = { browser: "src/main.ts", index: "src/index.html", tsConfig: "tsconfig.json",
    outputPath: "dist", assets: given ? [asset] : [] };
  cpSync(library, resolve(`src/angular-${given}/node_modules/tensorsketch`), { recursive: true });
  return write(resolve(`src/angular-${given}`), {
    "package.json": `{ "private": true, "dependencies": { "tensorsketch": "*" } }`,
    ...coreOfApp,
    "angular.json": JSON.stringify({ version: 1, cli: { cache: { environment: "all" } }, projects: { app: {
      projectType: "application", root: "", sourceRoot: "src", architect: {
        build: { builder: "@angular/build:application", options },
        serve: { builder: "@angular/build:dev-server", options: { buildTarget: "app:build" } } } } } }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, allowJs: true, target: "ES2022",
      module: "preserve", moduleResolution: "bundler", skipLibCheck: false, lib: ["ES2022", "DOM", "DOM.Iterable"] },
    files: ["src/main.ts"] }),
    "src/index.html": `<!doctype html><title>Angular</title><base href="/"><app-root></app-root>`,
    "src/main.ts": `import { Component } from "@angular/core";
      import { bootstrapApplication } from "@angular/platform-browser";
      ${imports("../")}
      @Component({ selector: "app-root", template: "<p>A page</p>" })
      class App {
        constructor() { tell(runCore(load, ${given ? `{ baseURL: "." }` : "{}"})); }
      }
      bootstrapApplication(App);`,
  });
});

const ng = program("@angular/cli/bin/ng.js");

async function angularBuild(given) {
  const folder = await angular(given), name = `angular-${given}`;
  await build(folder, ng, "build", "--output-hashing", "all", "--base-href", "./");
  mkdirSync(out(""), { recursive: true });
  renameSync(join(folder, "dist/browser"), out(name));
  return { page: `http://127.0.0.1:${port}/${name}/` };
}

const angularServe = async (given) =>
  ({ page: `${await serve(await angular(given), [ng, "serve", "--port", "PORT", "--host", "127.0.0.1"], quiet)}/` });

/** A Worker of Cloudflare by `wrangler dev`. */
const wrangler = (given) => once(`wrangler ${given}`, async () => {
  const folder = write(resolve(`src/wrangler-${given}`), {
    "package.json": `{ "private": true, "type": "module" }`,
    ...coreOfApp,
    "wrangler.json": JSON.stringify({ name: "app", main: "index.js", compatibility_date: "2025-05-05" }),
    "index.js": `${given ? 'import module from "tensorsketch/tensorsketch.wasm";' : ""}
      import { load } from "tensorsketch";
      import { runCore } from "./core.js";
      export default { fetch: async () => Response.json(await runCore(load, { ${given ? "module" : ""} })
        .catch((error) => ({ error: String(error) }))) };`,
  });
  return serve(folder, [program("wrangler/bin/wrangler.js"), "dev", "--port", "PORT", "--ip", "127.0.0.1"], quiet);
});

/** A page of Observable Framework, built: with the script of one file, or by an import. */
async function observable(isOneFile) {
  const name = `observable-${isOneFile}`;
  const folder = write(resolve("src", name), {
    "package.json": `{ "private": true, "type": "module" }`,
    "observablehq.config.js": `export default { root: "src", title: "App" };`,
    "src/core.js": coreOfApp["core.js"],
    "src/index.md": `# App
${isOneFile ? '<script src="./tensorsketch.min.js"></script>' : ""}

\`\`\`js
import { runCore, tell } from "./core.js";
${isOneFile ? "const { load } = tensorsketch;" : 'import { load } from "tensorsketch";'}
tell(runCore(load));
\`\`\`
`,
  });
  if (isOneFile) cpSync(join(library, "tensorsketch.min.js"), join(folder, "src/tensorsketch.min.js"));
  await build(folder, program("@observablehq/framework/dist/bin/observable.js"), "build");
  mkdirSync(out(""), { recursive: true });
  renameSync(join(folder, "dist"), out(name));
  return { page: `http://127.0.0.1:${port}/${name}/` };
}

const hosts = {
  ...Object.fromEntries(["turbopack", "webpack"].flatMap((bundler) => [
    [`next ${bundler}, client component`, async () => ({ page: `${await nextHere(bundler, true)}/` })],
    [`next ${bundler}, server component`, async () => component(await nextHere(bundler, true))],
    [`next ${bundler}, route handler`, async () => told(`${await nextHere(bundler, true)}/route`)],
    [`next ${bundler}, server component, bundled`, async () => component(await nextHere(bundler, false))],
    [`next ${bundler}, route handler, bundled`, async () => told(`${await nextHere(bundler, false)}/route`)],
    ...[true, false].flatMap((external) => {
      const name = `next ${bundler} standalone, moved${external ? "" : ", bundled"}`;
      const address = () => nextPublished(bundler, external);
      return [
        [`${name}, without static`, [async () => component((await nextMoved(bundler, external)).address),
          external ? {} : { error: 'serverExternalPackages: \\["tensorsketch"\\]' }]],
        [`${name}, client component`, async () => ({ page: `${await address()}/` })],
        [`${name}, server component`, async () => component(await address())],
        [`${name}, route handler`, async () => told(`${await address()}/route`)],
      ];
    }),
  ])),
  "sveltekit, page": async () => ({ page: `${await kitHere("dependencies")}/` }),
  "sveltekit, route": async () => told(`${await kitHere("dependencies")}/route`),
  "sveltekit, route, bundled": async () => told(`${await kitHere("devDependencies")}/route`),
  "sveltekit, moved, page": async () => ({ page: `${await kitMoved("dependencies")}/` }),
  "sveltekit, moved, route": async () => told(`${await kitMoved("dependencies")}/route`),
  "sveltekit, moved, route, bundled": [async () => told(`${await kitMoved("devDependencies")}/route`),
    { error: 'in SvelteKit by "dependencies"' }],
  "sveltekit, moved, route, bundled, copied": async () => {
    const address = await kitMoved("devDependencies");
    copyCores(resolve("../deployed/kit-devDependencies/build/server/chunks"));
    return told(`${address}/route`);
  },
  "nuxt, moved, page": async () => ({ page: `${await nuxt(false)}/` }),
  "nuxt, moved, route": async () => told(`${await nuxt(false)}/api/route`),
  "nuxt, development, page": async () => ({ page: `${await nuxt(true, false)}/`, alone: true }),
  "nuxt, development, page, as in 4.4": async () => ({ page: `${await nuxt(true, true)}/`, alone: true }),
  "astro, page": async () => ({ page: `${await astro(false)}/` }),
  "astro, route": async () => told(`${await astro(false)}/route`),
  "astro, moved, page": async () => ({ page: `${await astro(true)}/` }),
  "astro, moved, route": [async () => told(`${await astro(true)}/route`), 
    { error: "in astro\\.config" }],
  "astro, moved, route, copied": async () => {
    const address = await astro(true);
    copyCores(resolve("../deployed/astro/server/chunks"));
    return told(`${address}/route`);
  },
  "react router, page": async () => ({ page: `${await reactRouter()}/` }),
  "react router, route": async () => told(`${await reactRouter()}/route`),
  "angular build": () => angularBuild(true),
  "angular build, nothing given": [() => angularBuild(false), { error: "angular.json" }],
  "angular serve": () => angularServe(true),
  "wrangler": [async () => told(await wrangler(true)), { because: "Cloudflare Workers have no threads" }],
  "wrangler, nothing given": [async () => told(await wrangler(false)), { error: "this bundle has no import" }],
  "observable, one file": () => observable(true),
  "observable, import": [() => observable(false), { error: "unable to fetch or parse /_node/tensorsketch" }],
  "angular serve, nothing given": [() => angularServe(false), { error: "angular.json" }],
};

await start(hosts, process.argv[2]);

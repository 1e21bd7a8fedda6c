// Loading: from disk and over the network, what goes wrong on the way, and that importing touches nothing.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync }
  from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import {
  build, compiler, dist, errorOf, load, loadFor, loading, madeOf, printedBy, randomRows, rejectionOf, sameBits,
  wasmFile, wasmName,
} from "./helper.mjs";
import { sentencesOf } from "./said.mjs";

const said = sentencesOf(import.meta.url);

const wasm = readFileSync(wasmFile);

test("load from disk gives a module that says what it is", async (t) => {
  const reports = [];
  const ts = await loadFor(t, { threads: 1, onProgress: (...sizes) => reports.push(sizes) });
  assert.deepEqual(ts.capabilities, { build, compiler, lanes: 4, threads: 1, noThreadsBecause: null });
  const { size } = statSync(new URL(madeOf[0], dist));
  assert.deepEqual(reports.at(-1), [size, size]);
  assert.equal(ts.featureMap({ nFeatures: 3 }).transform([1, 2, 3]).length, 100);
});

test("auto takes SIMD where the engine validates it, else the scalar build; both give the same bits", async (t) => {
  const X = randomRows(11, 30); // digests.test.mjs compares the builds for other maps
  const features = async (options, expected) => {
    const ts = await loadFor(t, { threads: 0, ...options });
    assert.equal(ts.capabilities.build, expected);
    return ts.featureMap({ nFeatures: 30, nComponents: 97, degree: 4, output: "spectrum", seed: "bits" }).transform(X);
  };
  const want = await features({ build: "auto" }, "simd");
  for (const build of ["simd", "scalar"]) sameBits(await features({ build }, build), want, build);
  const { validate } = WebAssembly;
  t.after(() => { WebAssembly.validate = validate; });
  WebAssembly.validate = () => false; // an engine without SIMD
  sameBits(await features({ build: "auto" }, "scalar"), want);
  await rejectionOf(load({ build: "simd" }), "ERR_LOAD", undefined, /this engine has no WebAssembly SIMD/);
});

test("version is the package's; by default there are workers, at most 8", async (t) => {
  const ts = await loadFor(t);
  const { threads } = ts.capabilities;
  assert.ok(threads >= 1 && threads <= 8, `threads is ${threads}`);
  assert.match(ts.version, /^\d+\.\d+\.\d+$/);
  const packageFile = new URL("package.json", dist);
  if (existsSync(packageFile)) assert.equal(ts.version, JSON.parse(readFileSync(packageFile, "utf8")).version);
});

test("baseURL may be a URL, text, relative to the working directory, with or without a slash", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "tensorsketch-")), "a folder");
  for (const baseURL of [new URL(dist), dist.href, dist.href.slice(0, -1)]) (await load({ baseURL })).dispose();
  const error = await rejectionOf(load({ baseURL: "no/such/folder" }), "ERR_LOAD");
  assert.ok(error.message.includes(`${pathToFileURL(process.cwd())}/no/such/folder/${wasmName}`), error.message);
  await rejectionOf(load({ baseURL: pathToFileURL(folder) }), "ERR_LOAD", undefined,
    /no such file; put it beside tensorsketch\.js, or give its folder as baseURL/);
});

test("bad options are ERR_PARAM with the name", async (t) => {
  const cases = [
    [{ build: "fast" }, "build"],
    [{ baseURL: 5 }, "baseURL"],
    [{ baseURL: "http://[" }, "baseURL"],
    ...[-1, 1.5, "2"].map((threads) => [{ threads }, "threads"]),
    ...[1000, 2 ** 33].map((maxMemory) => [{ maxMemory }, "maxMemory"]),
    [{ signal: {} }, "signal"],
    [{ onProgress: 1 }, "onProgress"],
    [{ onprogres: () => {} }, "onprogres"],
    [{ worker: 2 }, "worker"],
    [{ module: new Uint8Array(8) }, "module"],
    [{ wasmBinary: "core.wasm" }, "wasmBinary"],
    [{ module: new WebAssembly.Module(wasm), baseURL: dist }, "baseURL"],
    [{ workerURL: 5 }, "workerURL"],
    [{ workerURL: "http://[" }, "workerURL"],
    [null, "options"],
  ];
  for (const [options, argument] of cases) said(t, await rejectionOf(load(options), "ERR_PARAM", argument));
});

test("the core may be given, compiled or as bytes", async (t) => {
  const x = [1, 2, 3];
  const want = (await loadFor(t)).featureMap({ nFeatures: 3 }).transform(x);
  const copy = Uint8Array.from(wasm);
  const module = new WebAssembly.Module(wasm);
  const foreign = runInNewContext("new WebAssembly.Module(bytes)", { bytes: wasm });
  for (const given of [{ module }, { module: foreign }, { wasmBinary: copy }, { wasmBinary: copy.buffer },
    { wasmBinary: new DataView(copy.buffer) }]) {
    const ts = await loadFor(t, { ...given, build: "auto" });
    assert.equal(ts.capabilities.build, compiler === "go" ? "scalar" : build);
    sameBits(ts.featureMap({ nFeatures: 3 }).transform(x), want);
  }
  assert.equal(copy.length, wasm.length, "what was given is the caller's");
  await rejectionOf(load({ wasmBinary: wasm.subarray(0, 1000) }), "ERR_LOAD", undefined,
    /^cannot load wasmBinary: .*the file is damaged/);
  await rejectionOf(load({ wasmBinary: new Uint8Array(8) }), "ERR_LOAD", undefined,
    /not a WebAssembly file.*; give the bytes of tensorsketch\.wasm as they are$/);
});

test("workerURL is the file of the workers, which needs no other", async (t) => {
  const workerURL = join(mkdtempSync(join(tmpdir(), "tensorsketch-")), "copied.mjs");
  copyFileSync(new URL("worker.js", dist), workerURL);
  for (const [url, threads, because] of [[pathToFileURL(workerURL), 1, /^null$/],
    [pathToFileURL(`${workerURL}.no`), 0, /^no worker could be started: Cannot find module/]]) {
    const ts = await loadFor(t, { threads: 1, workerURL: url });
    await ts.warm();
    assert.equal(ts.capabilities.threads, threads);
    assert.match(String(ts.capabilities.noThreadsBecause), because);
  }
});

test("loads of the same file share one download; an abort ends only its own", async (t) => {
  let requests = 0;
  const baseURL = await serve(t, (response) => {
    requests++;
    response.writeHead(200, { "Content-Length": wasm.length }).write(wasm.subarray(0, 1000));
    setTimeout(() => response.end(wasm.subarray(1000)), 50);
  });
  const first = new AbortController();
  const aborted = load({ baseURL, signal: first.signal, onProgress: () => first.abort("mine") });
  const others = [load({ baseURL }), load({ baseURL })];
  await assert.rejects(aborted, (reason) => reason === "mine");
  for (const ts of await Promise.all(others)) t.after(() => ts.dispose());
  const reports = [];
  await loadFor(t, { baseURL, onProgress: (...sizes) => reports.push(sizes) });
  assert.deepEqual(reports, [[wasm.length, wasm.length]]);
  assert.equal(requests, 1);

  const failing = await serve(t, (response) => {
    requests++;
    response.writeHead(500).end();
  });
  for (const _ of [1, 2]) await rejectionOf(load({ baseURL: failing }), "ERR_LOAD");
  assert.equal(requests, 3, "what failed is tried again");
});

/** A server whose answers the tests choose. */
async function serve(t, answer) {
  const server = createServer((request, response) => answer(response, request));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${server.address().port}/`;
}

test("load over http reports progress, whatever type, length and compression the server tells", async (t) => {
  const zipped = gzipSync(wasm);
  for (const [headers, body] of [[{ "Content-Type": "text/plain", "Content-Length": wasm.length }, wasm], [{}, wasm],
    [{ "Content-Encoding": "gzip" }, zipped]]) {
    const baseURL = await serve(t, (response) => {
      response.writeHead(200, headers).write(body.subarray(0, 1000));
      setTimeout(() => response.end(body.subarray(1000)), 20);
    });
    const reports = [];
    const ts = await loadFor(t, { baseURL, onProgress: (...sizes) => reports.push(sizes) });
    assert.ok(reports.length >= 3 || body === zipped, `${reports.length} reports`);
    assert.deepEqual(reports.at(-1), [wasm.length, wasm.length]);
    reports.forEach(([loaded, total], i) => {
      assert.ok(total === wasm.length || compiler === "go", `total ${total}`);
      assert.ok(i === 0 || loaded >= reports[i - 1][0], "progress went back");
    });
    sameBits(ts.featureMap({ nFeatures: 2 }).transform([1, 2]),
      (await loadFor(t)).featureMap({ nFeatures: 2 }).transform([1, 2]));
  }
});

test("a scalar file is made of the other one, byte by byte, and of no other file", async () => {
  const { change } = await import(new URL("toscalar.js", dist));
  const differences = readdirSync(dist).filter((name) => name.endsWith(".toscalar.wasm"));
  assert.ok(differences.length >= 2, differences.join());
  const hashOf = (bytes) => createHash("sha256").update(bytes).digest("hex");
  for (const name of differences) {
    const [from, scalar, file] = ["", ".scalar", ".toscalar"].map((kind) =>
      readFileSync(new URL(name.replace(".toscalar", kind), dist)));
    const difference = { module: new WebAssembly.Module(file), from: name };
    assert.equal(hashOf(change(from, difference)), hashOf(scalar), name);
    for (const other of [from.subarray(0, -1), scalar, new Uint8Array(from.length)]) {
      assert.throws(() => change(other, difference), { message: `it is not the file that ${name} changes` });
    }
    const none = { module: new WebAssembly.Module(from), from: "itself" };
    assert.throws(() => change(from, none), /it is not the file that itself changes/);
  }
});

test("the two files of a scalar build are fetched once; an abort ends only its own", async (t) => {
  const { compileBuild } = await import(new URL("wasmfile.js", dist));
  const [simd, toScalar] = ["tensorsketch.wasm", "tensorsketch.toscalar.wasm"];
  const content = (name) => readFileSync(new URL(name, dist)), size = content(simd).length;
  const served = async (answers = {}) => {
    const asked = [];
    const origin = await serve(t, (response, { url }) => {
      asked.push(url.slice(1));
      const answer = answers[url.slice(1)] ?? content(url.slice(1));
      if (answer === 404) response.writeHead(404);
      setTimeout(() => response.end(answer === 404 ? "" : answer), 50);
    });
    return { asked, names: { simd, scalar: "no.wasm", toScalar }, sizes: { simd: size },
      simd: () => new URL(simd, origin), toScalar: () => new URL(toScalar, origin) };
  };
  for (const [answers, message] of [
    [{ [simd]: 404 }, /\/tensorsketch\.wasm: the server answered 404/],
    [{ [simd]: "<!doctype html>" }, /\/tensorsketch\.wasm: it is not a WebAssembly file/],
    [{ [toScalar]: 404 }, /\/tensorsketch\.toscalar\.wasm: the server answered 404/],
    [{ [toScalar]: content("index.toscalar.wasm") },
      /\/tensorsketch\.wasm: it is not the file that http.*toscalar\.wasm changes; .*damaged: copy it again$/],
  ]) {
    await rejectionOf(compileBuild("scalar", await served(answers), {}), "ERR_LOAD", undefined, message);
  }

  const files = await served(), first = new AbortController(), reports = [];
  const aborted = compileBuild("scalar", files, { signal: first.signal, onProgress: () => first.abort("mine") });
  const other = compileBuild("scalar", files, { onProgress: (...sizes) => reports.push(sizes) });
  await assert.rejects(aborted, (reason) => reason === "mine");
  const { module, from } = await other;
  assert.equal(from.href, files.simd().href);
  assert.deepEqual(reports.at(-1), [size, size]);
  assert.deepEqual(files.asked.sort(), [toScalar, simd]);
  for (const [build, given] of [["scalar", module], ["simd", (await compileBuild("simd", files, {})).module]]) {
    const { capabilities } = await loadFor(t, { module: given, threads: 0 });
    assert.equal(capabilities.build, compiler === "go" ? "scalar" : build);
  }
});

test("an address of a known host names its remedy", async (t) => {
  const origin = await serve(t, (response) => response.end("<!doctype html>"));
  const inVite = /set optimizeDeps: { exclude: \["tensorsketch"\] } in vite\.config$/;
  const inNuxt = /set vite: { optimizeDeps: { exclude: \["tensorsketch"\] } } in nuxt\.config$/;
  const inAngular = /"input": "node_modules\/tensorsketch", "output": "\." } to assets in angular.json.*baseURL: "\."$/;
  for (const [folder, remedy] of [
    ["node_modules/.vite/deps/", inVite],
    ["@fs/home/me/app/.vitepress/cache/deps/", inVite],
    ["node_modules/.cache/storybook/1/sb-vite/deps/", inVite],
    ["_nuxt/@fs/home/me/app/node_modules/.cache/vite/client/deps/", inNuxt],
    ["@fs/home/me/app/node_modules/.cache/vite/client/deps/", inNuxt],
    ["@fs/home/me/app/.angular/cache/20.3.1/app/vite/deps/", inAngular],
    ["_node/tensorsketch@0.3.0/", /tensorsketch\.min\.js.*call tensorsketch\.load\(\)$/],
    ["_next/static/media/", /serverExternalPackages: \["tensorsketch"\] in next\.config$/],
    ["_nuxt/", /put it beside tensorsketch\.js, or give its folder as baseURL$/], // a server that lacks the file
    ["assets/", /put it beside tensorsketch\.js, or give its folder as baseURL$/],
  ]) {
    await rejectionOf(load({ baseURL: origin + folder }), "ERR_LOAD", undefined, remedy);
  }
  t.after(() => delete globalThis.document);
  globalThis.document = { querySelector: (selector) => (selector === "[ng-version]" ? {} : null) }; // Angular's build
  await rejectionOf(load({ baseURL: origin }), "ERR_LOAD", undefined, inAngular);
});

test("a core that a server's bundle left behind is found in node_modules, or the error says what to do", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tensorsketch-"));
  const modules = join(folder, "node_modules", "tensorsketch");
  mkdirSync(join(folder, "out"));
  const files = readdirSync(dist).filter((name) => /\.js$/.test(name) && !/\.min\./.test(name));
  files.forEach((name) => copyFileSync(new URL(name, dist), join(folder, "out", name))); // as a bundle has the code
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  const sizeOf = (name) => statSync(new URL(name, dist)).size; // also of another compiler's core
  const sizes = { simd: sizeOf("tensorsketch.wasm"), scalar: sizeOf("tensorsketch.scalar.wasm"),
    toScalar: sizeOf("tensorsketch.toscalar.wasm"), "dataset.wasm": sizeOf("dataset.wasm") };
  writeFileSync(join(folder, "out", "sizes.js"),
    `export const WHOLE = ${JSON.stringify(sizes)}, LEARN = WHOLE, MAP = WHOLE, DATASET = WHOLE;`);
  const runs = (calls) => printedBy(`
    const { load } = await import("${pathToFileURL(folder)}/out/tensorsketch.js");
    const { loadDataset } = await import("${pathToFileURL(folder)}/out/dataset.js");
    for (const call of ${calls}) {
      await call().then(() => console.log("loaded"), ({ code, message }) => console.log(code, message));
    }`);
  const core = `() => load({ threads: 0, build: "${build}" })`, both = `[${core}, loadDataset]`;
  const lines = runs(both).split("\n");
  for (const [line, name] of [[lines[0], madeOf[0]], [lines[1], "dataset.wasm"]]) {
    assert.match(line, new RegExp(`^ERR_LOAD cannot load file:.*/out/${name}: there is no such file; ` +
      '.*in Vite by ssr: { external: \\["tensorsketch"\\] }.*deploy node_modules.*--loader:\\.wasm=binary'));
  }

  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, "package.json"), '{ "name": "tensorsketch", "exports": { "./*.wasm": "./*.wasm" } }');
  for (const name of [...madeOf, "dataset.wasm"]) copyFileSync(new URL(name, dist), join(modules, name));
  assert.equal(runs(both), "loaded\nloaded");
  writeFileSync(join(modules, madeOf.at(-1)), "another release");
  assert.match(runs(both), /^ERR_LOAD .*left it behind.*\nloaded$/);

  // Next.js gives its server the path of the pages' file, which is in .next of the folder that the server runs in.
  const inNext = `[() => (process.chdir(${JSON.stringify(folder)}), (${core})())]`;
  const media = join(folder, ".next/static/media");
  const bundled = readFileSync(join(folder, "out/corefiles.js"), "utf8").replace(/new URL\("\.\/(\S+\.wasm)".*?\)/g,
    '({ href: "/_next/static/media/$1", toString() { return this.href; } })');
  writeFileSync(join(folder, "out/corefiles.js"), bundled);
  assert.match(runs(inNext), /^ERR_LOAD .*serverExternalPackages: \["tensorsketch"\] in next\.config$/);
  mkdirSync(media, { recursive: true });
  for (const name of madeOf) copyFileSync(new URL(name, dist), join(media, name));
  assert.equal(runs(inNext), "loaded");
});

test("a policy that forbids WebAssembly is named, in the words of each browser", async (t) => {
  const { compile, Instance } = WebAssembly;
  t.after(() => Object.assign(WebAssembly, { compile, Instance }));
  const refuse = (text) => { throw new EvalError(text); };
  const remedy = /; the Content-Security-Policy needs script-src 'wasm-unsafe-eval'$/;
  for (const text of ["WebAssembly.compile(): Compiling or instantiating WebAssembly module violates the following " +
    "Content Security policy directive because neither 'wasm-eval' nor 'unsafe-eval' is an allowed source of script",
  "call to WebAssembly.compile() blocked by CSP"]) {
    WebAssembly.compile = async () => refuse(text);
    await rejectionOf(load({ wasmBinary: wasm }), "ERR_LOAD", undefined, remedy);
  }
  WebAssembly.compile = async () => { throw new WebAssembly.CompileError("WebAssembly.compile(): "); };
  await rejectionOf(load({ wasmBinary: wasm }), "ERR_LOAD", undefined,
    /^cannot load wasmBinary: WebAssembly\.compile; the Content.*content script: let the extension's service worker/);
  WebAssembly.compile = compile;
  WebAssembly.Instance = class {
    constructor() {
      refuse("Refused to create a WebAssembly object because 'unsafe-eval' or 'wasm-unsafe-eval' is not an allowed " +
        "source of script in the following Content Security Policy directive: \"script-src 'self'\"."); // WebKit
    }
  };
  await rejectionOf(load(), "ERR_LOAD", undefined, remedy);
});

test("a page at a file: address is told what to do", () => {
  const printed = printedBy(`
    const { load } = await import("${dist}tensorsketch.js");
    globalThis.fetch = async () => { throw new TypeError("Failed to fetch"); };
    Object.defineProperty(process, "versions", { value: {} });
    await load({ baseURL: "file:///no/such/" }).catch(({ message }) => console.log(message));
  `);
  assert.match(printed, /Failed to fetch; a page reads no files: serve it over http, take tensorsketch\.min\.js, or/);
});

test("without TextDecoder, the error says what to do in Jest's jsdom, in an AudioWorklet and elsewhere", () => {
  const printed = (before) => printedBy(`
    const { load } = await import("${dist}tensorsketch.js");
    await import("${dist}dataset.js");
    delete globalThis.TextDecoder;
    ${before}
    await load({ baseURL: "http://x/" }).catch(({ code, message }) => console.log(code, message));
  `);
  assert.match(printed(""), /^ERR_LOAD this engine has no TextDecoder.* testEnvironment "node"/);
  assert.match(printed("globalThis.AudioWorkletGlobalScope = class {};"),
    /^ERR_LOAD this engine has no TextDecoder.* in the page or a worker$/);
  assert.match(printed(`Object.defineProperty(process, "versions", { value: {} });`),
    /^ERR_LOAD this engine has no TextDecoder and TextEncoder\. Define both before load$/);
});

test("a host without threads says so before the first call", () => {
  const reason = (before) => printedBy(`
    ${before}
    const { load } = await import("${dist}tensorsketch.js");
    const ts = await load({ build: "${build}", threads: 2 });
    console.log(JSON.stringify(ts.capabilities));
  `);
  for (const [before, because] of [
    ['Object.defineProperty(globalThis, "navigator", { value: { userAgent: "Cloudflare-Workers" } });',
      "Cloudflare Workers have no threads"],
    ["globalThis.AudioWorkletGlobalScope = class {};", "an AudioWorklet starts no workers"],
  ]) {
    const { threads, noThreadsBecause } = JSON.parse(reason(before));
    assert.deepEqual([threads, noThreadsBecause], [0, because]);
  }
});

test("workers of pages with Trusted Types have our policy, or the reason names it", () => {
  const started = (createPolicy) => printedBy(`
    class Address { constructor(url) { this.url = url; } toString() { return this.url; } }
    globalThis.trustedTypes = { createPolicy: ${createPolicy} };
    globalThis.Worker = class {
      constructor(url) {
        if (!(url instanceof Address)) throw new TypeError("This document requires 'TrustedScriptURL' assignment.");
        console.log(String(url).replace(/.*\\//, ""));
        throw new Error("no more");
      }
    };
    const { load } = await import("${dist}tensorsketch.js");
    const ts = await load({ build: "${build}", threads: 1 });
    await ts.warm();
    console.log(ts.capabilities.noThreadsBecause);
  `);
  const allowed = started(`(name, { createScriptURL }) => ({ createScriptURL: (url) =>
    new Address(createScriptURL(url)) })`);
  assert.match(allowed, /^worker\.js\n/);
  assert.match(started(`() => { throw new TypeError("disallowed"); }`),
    /requires 'TrustedScriptURL' assignment\. The Content.*\(trusted-types tensorsketch\).* as workerURL/);
});

test("what goes wrong on the network is ERR_LOAD with address and remedy", async (t) => {
  const cases = [
    [(r) => r.writeHead(404).end(), /\.wasm: the server answered 404 Not Found; put it beside/],
    [(r) => r.end("<!doctype html><title>Not here</title>"), /not a WebAssembly file, it begins with "<!doctype html>/],
    [(r) => r.end(), /not a WebAssembly file/],
    [(r) => r.end(wasm.subarray(0, wasm.length >> 1)), /the file is damaged: copy it again/],
    [(r) => { r.writeHead(200, { "Content-Length": wasm.length }); r.write(wasm.subarray(0, 5000), () => r.destroy());
      }, /the download broke off/],
    [(r) => r.destroy(), /check the connection/],
  ];
  for (const [answer, message] of cases) {
    const baseURL = await serve(t, answer);
    const error = await rejectionOf(load({ baseURL }), "ERR_LOAD", undefined, message);
    assert.ok(error.message.startsWith(`cannot load ${baseURL}${wasmName}: `), error.message);
  }
  (await load()).dispose(); // and the library goes on working
});

test("WebAssembly of something else is ERR_LOAD", async () => {
  const folder = mkdtempSync(join(tmpdir(), "tensorsketch-"));
  const baseURL = pathToFileURL(folder);
  const empty = "0061736d01000000";
  const importing = `${empty}010401600000020701016101620000`; // a function b of a module a
  for (const hex of [empty, importing]) {
    const bytes = Buffer.from(hex, "hex");
    writeFileSync(join(folder, wasmName), bytes);
    await rejectionOf(load({ baseURL }), "ERR_LOAD", undefined, /\.wasm: the file is not the core of this library/);
  }
});

test("files of different releases are ERR_LOAD", async (t) => {
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  WebAssembly.Instance = function (...args) {
    return { exports: { ...new Instance(...args).exports, ts_abi: () => 1 } };
  };
  await rejectionOf(load(), "ERR_LOAD", undefined,
    /\.wasm: the \.wasm file and the JavaScript files are of different releases: take all from one$/);
});

test("an abort rejects with the signal's reason, before, during and after the download", async (t) => {
  const reason = new Error("no longer wanted");
  await assert.rejects(load({ signal: AbortSignal.abort(reason) }), reason);

  const stalled = await serve(t, (response) => response.writeHead(200).write(wasm.subarray(0, 100)));
  const during = new AbortController();
  const loading = load({ baseURL: stalled, signal: during.signal, onProgress: () => during.abort(reason) });
  await assert.rejects(loading, reason);

  const late = new AbortController();
  const onProgress = (loaded, total) => loaded === total && late.abort(reason);
  await assert.rejects(load({ signal: late.signal, onProgress }), reason);
  await assert.rejects(load({ onProgress: () => { throw reason; } }), reason, "what onProgress throws");
});

test("importing touches no window and fetches nothing; nothing leaves globals, and a script ends by itself", () => {
  const printed = printedBy(`
    const own = ["window", "self", "document", "location", "Worker", "fetch"].map((name) =>
      [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    const before = Object.getOwnPropertyNames(globalThis).join();
    for (const [name] of own) {
      Object.defineProperty(globalThis, name, { configurable: true,
        get() { throw new Error("import touched " + name); } });
    }
    const [library, data] = await Promise.all([import("${dist}tensorsketch.js"), import("${dist}dataset.js")]);
    console.log(...[library, data].map((module) => Object.keys(module).sort().join()));
    for (const [name, property] of own) {
      delete globalThis[name];
      if (property) Object.defineProperty(globalThis, name, property);
    }
    const sorted = (names) => names.split(",").sort().join();
    const ts = await library.load({ threads: 2 });
    const map = ts.featureMap({ nFeatures: 64, nComponents: 1024 });
    const Z = await map.transformAsync(new Float32Array(64 * 3000));
    const dataset = await data.loadDataset();
    const { columns } = dataset.sniff(dataset.source(new TextEncoder().encode("a,b\\n1,2\\n")));
    console.log(ts.capabilities.threads, Z.length, columns.length,
      sorted(before) === sorted(Object.getOwnPropertyNames(globalThis).join()));
  `); // without dispose: idle workers must not keep Node alive
  assert.equal(printed,
    "TensorSketchError,deriveKey,load,toArrow DatasetError,evaluate,fit,isColumnar,loadDataset,predict\n" +
    "2 3072000 2 true");
});

test("a fault of the core is ERR_INTERNAL, and the next call works", async (t) => {
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  let broken = {};
  WebAssembly.Instance = class {
    constructor(...args) {
      const { exports } = new Instance(...args);
      const breakable = (name, own) => (...given) => (broken[name] ?? own)(...given);
      this.exports = Object.fromEntries(Object.entries(exports).map(
        ([name, own]) => [name, own instanceof Function ? breakable(name, own) : own]));
    }
  };
  const ts = await loadFor(t, { threads: 0 });
  const dimension = () => ts.subspaceDimension(2, 2, 0.5, 0.1);
  const want = dimension();
  const trap = () => {
    throw new WebAssembly.RuntimeError("unreachable");
  };
  const faults = [[() => 7, /./], [() => 8, /./], [trap, /^internal error: .*ended \(unreachable\)/]];
  for (const [ts_dimension, message] of faults) {
    dimension();
    broken = { ts_dimension };
    errorOf(dimension, "ERR_INTERNAL", undefined, message);
    broken = {};
    assert.equal(dimension(), want);
  }
  const { toPlain } = await import(new URL("errors.js", dist));
  assert.equal(toPlain(new TypeError("of ours, in a worker")).code, "ERR_INTERNAL");
});

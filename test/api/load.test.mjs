// Loading: from disk and over the network, what goes wrong on the way, and that importing touches nothing.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import {
  build, compiler, dist, errorOf, load, loadFor, randomRows, rejectionOf, sameBits, wasmFile, wasmName,
} from "./helper.mjs";

const wasm = readFileSync(wasmFile);

test("load from disk gives a module that says what it is", async (t) => {
  const reports = [];
  const ts = await loadFor(t, { threads: 1, onProgress: (...sizes) => reports.push(sizes) });
  assert.deepEqual(ts.capabilities, { build, compiler, lanes: 4, threads: 1 });
  assert.deepEqual(reports.at(-1), [wasm.length, wasm.length]);
  assert.equal(ts.featureMap({ nFeatures: 3 }).transform([1, 2, 3]).length, 100);
});

test("auto takes SIMD where the engine validates it, else the scalar build; both give the same bits", async (t) => {
  const params = [
    { nFeatures: 30, nComponents: 1024, degree: 3, coef0: 1 },
    { nFeatures: 30, nComponents: 1000, normalize: "kernel" },
    { nFeatures: 30, nComponents: 97, degree: 4, output: "spectrum", seed: "bits" },
  ];
  const X = randomRows(11, 30);
  const features = async (options, expected) => {
    const ts = await loadFor(t, { threads: 0, ...options });
    assert.equal(ts.capabilities.build, expected);
    return params.map((p) => ts.featureMap(p).transform(X));
  };
  const want = await features({ build: "auto" }, "simd");
  for (const [name, got] of [["simd", await features({ build: "simd" }, "simd")],
    ["scalar", await features({ build: "scalar" }, "scalar")]]) {
    got.forEach((Z, i) => sameBits(Z, want[i], `${name}, parameters ${i}`));
  }
  const { validate } = WebAssembly;
  t.after(() => { WebAssembly.validate = validate; });
  WebAssembly.validate = () => false; // an engine without SIMD
  (await features({ build: "auto" }, "scalar")).forEach((Z, i) => sameBits(Z, want[i]));
  assert.match((await rejectionOf(load({ build: "simd" }), "ERR_LOAD")).message, /this engine has no WebAssembly SIMD/);
});

test("version is that of the package", async (t) => {
  const ts = await loadFor(t);
  assert.match(ts.version, /^\d+\.\d+\.\d+$/);
  const packageFile = new URL("package.json", dist);
  if (existsSync(packageFile)) assert.equal(ts.version, JSON.parse(readFileSync(packageFile, "utf8")).version);
});

test("by default there are workers, at most 8", async (t) => {
  const { threads } = (await loadFor(t)).capabilities;
  assert.ok(threads >= 1 && threads <= 8, `threads is ${threads}`);
});

test("baseURL may be a URL, text, relative to the working directory, with or without a slash", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "tensorsketch-")), "a folder");
  for (const baseURL of [new URL(dist), dist.href, dist.href.slice(0, -1)]) (await load({ baseURL })).dispose();
  const error = await rejectionOf(load({ baseURL: "no/such/folder" }), "ERR_LOAD");
  assert.ok(error.message.includes(`${pathToFileURL(process.cwd())}/no/such/folder/${wasmName}`), error.message);
  assert.match((await rejectionOf(load({ baseURL: pathToFileURL(folder) }), "ERR_LOAD")).message,
    /no such file; put it beside tensorsketch\.js, or give its folder as baseURL/);
});

test("bad options are ERR_PARAM with the name", async () => {
  const cases = [
    [{ build: "fast" }, "build", 'build must be one of "auto", "simd", "scalar", got "fast"'],
    [{ baseURL: 5 }, "baseURL", "baseURL must be a string or a URL, got 5"],
    [{ baseURL: "http://[" }, "baseURL", 'baseURL must be the URL of a folder, got "http://["'],
    [{ threads: -1 }, "threads", "threads must be an integer from 0 to 256, got -1"],
    [{ threads: 1.5 }, "threads", "threads must be an integer from 0 to 256, got 1.5"],
    [{ threads: "2" }, "threads", 'threads must be an integer from 0 to 256, got "2"'],
    [{ maxMemory: 1000 }, "maxMemory",
      "maxMemory must be a number of bytes from 33554432 (32 MiB) to 4294967296 (4 GiB), got 1000"],
    [{ maxMemory: 2 ** 33 }, "maxMemory",
      "maxMemory must be a number of bytes from 33554432 (32 MiB) to 4294967296 (4 GiB), got 8589934592"],
    [{ signal: {} }, "signal", "signal must be an AbortSignal, got an object (Object)"],
    [{ onProgress: 1 }, "onProgress", "onProgress must be a function, got 1"],
    [{ onprogres: () => {} }, "onprogres", 'unknown option "onprogres"; did you mean onProgress?'],
    [{ worker: 2 }, "worker",
      'unknown option "worker"; known are build, baseURL, threads, maxMemory, signal, onProgress'],
    [null, "options", "options must be an object, got null"],
  ];
  for (const [options, argument, message] of cases) {
    assert.equal((await rejectionOf(load(options), "ERR_PARAM", argument)).message, message);
  }
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

test("load over http reports progress and minds no wrong type", async (t) => {
  const baseURL = await serve(t, (response) => {
    response.writeHead(200, { "Content-Type": "text/plain", "Content-Length": wasm.length });
    response.write(wasm.subarray(0, 1000));
    setTimeout(() => response.end(wasm.subarray(1000)), 20);
  });
  const reports = [];
  const ts = await loadFor(t, { baseURL, onProgress: (...sizes) => reports.push(sizes) });
  assert.ok(reports.length >= 3, `${reports.length} reports`);
  assert.deepEqual(reports.at(-1), [wasm.length, wasm.length]);
  reports.forEach(([loaded, total], i) => {
    assert.equal(total, wasm.length);
    assert.ok(i === 0 || loaded >= reports[i - 1][0], "progress went back");
  });
  sameBits(ts.featureMap({ nFeatures: 2 }).transform([1, 2]),
    (await loadFor(t)).featureMap({ nFeatures: 2 }).transform([1, 2]));
});

test("without a length the total is 0 until the end", async (t) => {
  const baseURL = await serve(t, (response) => response.write(wasm, () => response.end()));
  const reports = [];
  await loadFor(t, { baseURL, onProgress: (...sizes) => reports.push(sizes) });
  assert.equal(reports[0][1], 0);
  assert.deepEqual(reports.at(-1), [wasm.length, wasm.length]);
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
    const error = await rejectionOf(load({ baseURL }), "ERR_LOAD");
    assert.match(error.message, message);
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
    const error = await rejectionOf(load({ baseURL }), "ERR_LOAD");
    assert.match(error.message, /\.wasm: the file is not the core of this library/);
  }
});

test("files of different releases are ERR_LOAD", async (t) => {
  const { Instance } = WebAssembly;
  t.after(() => (WebAssembly.Instance = Instance));
  WebAssembly.Instance = function (...args) {
    return { exports: { ...new Instance(...args).exports, ts_abi: () => 1 } };
  };
  const error = await rejectionOf(load(), "ERR_LOAD");
  assert.match(error.message,
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
});

test("what onProgress throws rejects load", async () => {
  const mine = new Error("mine");
  await assert.rejects(load({ onProgress: () => { throw mine; } }), mine);
});

/** Runs a module in a fresh Node and returns what it prints. */
function run(source) {
  return execFileSync(process.execPath, ["--input-type=module", "-e", source],
    { encoding: "utf8", timeout: 60_000 }).trim();
}

test("importing touches no window, fetches nothing and leaves no globals", () => {
  const printed = run(`
    for (const name of ["window", "self", "document", "location", "Worker", "fetch"]) {
      Object.defineProperty(globalThis, name, { configurable: true,
        get() { throw new Error("import touched " + name); } });
    }
    const before = Object.getOwnPropertyNames(globalThis).join();
    const modules = await Promise.all([import("${dist}tensorsketch.js"), import("${dist}dataset.js")]);
    console.log(...modules.map((module) => Object.keys(module).sort().join()),
      before === Object.getOwnPropertyNames(globalThis).join());
  `);
  assert.equal(printed, "TensorSketchError,deriveKey,load DatasetError,isColumnar,loadDataset true");
});

test("loading, embedding and reading leave no globals, and a script ends by itself", () => {
  const printed = run(`
    const before = Object.getOwnPropertyNames(globalThis).join();
    const { load } = await import("${dist}tensorsketch.js");
    const ts = await load({ threads: 2 });
    const map = ts.featureMap({ nFeatures: 64, nComponents: 1024 });
    const Z = await map.transformAsync(new Float32Array(64 * 3000));
    const { loadDataset } = await import("${dist}dataset.js");
    const dataset = await loadDataset();
    const { columns } = dataset.sniff(dataset.source(new TextEncoder().encode("a,b\\n1,2\\n")));
    console.log(ts.capabilities.threads, Z.length, columns.length,
      before === Object.getOwnPropertyNames(globalThis).join());
  `); // without dispose: idle workers must not keep Node alive
  assert.equal(printed, "2 3072000 2 true");
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
    assert.match(errorOf(dimension, "ERR_INTERNAL").message, message);
    broken = {};
    assert.equal(dimension(), want);
  }
});

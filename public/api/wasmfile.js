// Fetches and compiles the core over the network, or in Node from disk. Every failure is ERR_LOAD with the address and
// the remedy, except that an abort rejects with the signal's reason.

import { drop, free } from "./buffers.js";
import { fault, paramError, TensorSketchError } from "./errors.js";
import { checkEngine, fetchRemedy, GIVE_CORE, noAddressError, policyRemedy, remedyFor } from "./hosts.js";
import { currentFolder, isNode, nodeModule } from "./node.js";

const MAGIC = [0x00, 0x61, 0x73, 0x6d]; // "\0asm"

// A module with one i8x16.popcnt. An engine that validates it has the fixed-width SIMD instructions.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
  0, 253, 15, 253, 98, 11);

const NO_SIMD = "this engine has no WebAssembly SIMD";

/** Returns the build of `files` to load. "auto" becomes "simd" if the engine supports it. */
function chooseBuild(build, files) {
  checkEngine();
  const simd = WebAssembly.validate(SIMD_PROBE);
  const takesScalar = build === "scalar" || (build === "auto" && !simd);
  if (takesScalar && !files.scalar) {
    throw new TensorSketchError("ERR_LOAD", `${build === "scalar" ? "there is no scalar build here" : NO_SIMD}: ` +
      `import load from ${files.entry}`);
  }
  if (takesScalar) return "scalar";
  if (!simd) throw new TensorSketchError("ERR_LOAD", `${NO_SIMD}: take build "auto" or "scalar"`);
  return "simd";
}

/**
 * Returns the compiled core and its build: what is given as `module` or `wasmBinary`, or the one of `files`
 * (corefiles.js) for `build`.
 */
export async function findCore(build, { module, wasmBinary, baseURL, signal, onProgress }, files) {
  const given = Object.entries({ module, wasmBinary, baseURL }).filter(([, value]) => value !== undefined);
  if (given.length > 1) {
    throw fault(given[1][0], `${given[1][0]} must be left out where ${given[0][0]} is given`);
  }
  if (module !== undefined || wasmBinary !== undefined) {
    checkEngine();
    signal?.throwIfAborted();
    const core = module === undefined ? await compile(bytesOf(wasmBinary), "wasmBinary") : checkModule(module);
    signal?.throwIfAborted();
    return { build: buildOf(core), module: core, from: module === undefined ? "wasmBinary" : "module" };
  }
  const chosen = chooseBuild(build, files);
  const url = await wasmURL(chosen, baseURL, files);
  const compiled = await compileFile(url, { size: files.sizes[files.names[chosen]], signal, onProgress });
  return { build: chosen, module: compiled, from: url };
}

function checkModule(module) {
  if (Object.prototype.toString.call(module) === "[object WebAssembly.Module]") return module; // of any realm
  throw paramError("module", "be a WebAssembly.Module", module);
}

function bytesOf(binary) {
  const isBuffer = /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(binary));
  if (!isBuffer && !ArrayBuffer.isView(binary)) {
    throw paramError("wasmBinary", "be an ArrayBuffer or a typed array: the bytes of a .wasm file", binary);
  }
  return isBuffer ? new Uint8Array(binary) : new Uint8Array(binary.buffer, binary.byteOffset, binary.byteLength);
}

/** Returns the build of a compiled core, which names the SIMD instructions among its features. */
function buildOf(module) {
  const features = WebAssembly.Module.customSections(module, "target_features");
  const hasSIMD = features.some((section) => new TextDecoder().decode(section).includes("+\x07simd128"));
  return hasSIMD ? "simd" : "scalar";
}

/** Returns the address of a build of the core, beside this module or in the folder baseURL. */
async function wasmURL(build, baseURL, files) {
  const name = files.names[build];
  if (baseURL === undefined) return ownAddress(files[build], name, GIVE_CORE, files.sizes[name]);
  if (typeof baseURL !== "string" && !(baseURL instanceof URL)) {
    throw paramError("baseURL", "be a string or a URL", baseURL);
  }
  const folder = String(baseURL).replace(/\/?$/, "/");
  try {
    return new URL(name, new URL(folder, await currentFolder()));
  } catch {
    throw paramError("baseURL", "be the URL of a folder", String(baseURL));
  }
}

/**
 * Returns the address of a file of this package, which `make` makes from import.meta.url. Where there is none, the
 * error says what to give `instead`. If the bundle of a server left the file behind, it is the one in node_modules, if
 * that has this `size`.
 */
export async function ownAddress(make, name, instead, size) {
  let url;
  try {
    url = make();
  } catch {
    throw noAddressError(instead);
  }
  const fs = isNode() ? await nodeModule("fs").catch(() => null) : null;
  if (!fs || (url.protocol === "file:" && fs.existsSync(url))) return url;
  const emitted = url.href.replace(/.*_next(.*wasm).*/, ".next$1"); // a bundle of Next.js knows no more of it
  if (fs.existsSync(emitted)) return new URL(emitted, await currentFolder());
  if (url.protocol !== "file:") return url;
  const other = await installed(fs, name, url, size);
  if (other) return other;
  throw loadError(url, `there is no such file; ${await remedyFor(url, "serverRemedy")}`);
}

/** Returns the address of the file in the node_modules above a bundle, if it is of this release, and else null. */
async function installed(fs, name, bundle, size) {
  try {
    const { createRequire } = await nodeModule("module");
    const path = createRequire(bundle).resolve(`tensorsketch/${name}`);
    return fs.statSync(path).size === size ? (await nodeModule("url")).pathToFileURL(path) : null;
  } catch {
    return null;
  }
}

const downloads = new Map(); // address → Download

/**
 * Loads and compiles the file at `url`. Calls for the same file share one download, and its module as long as somebody
 * uses it. `size` is the file's, for `onProgress(loaded, total)` behind servers that compress; `total` is 0 while it is
 * unknown. `change` returns the bytes to compile in place of the file's, and `variant` names what it does.
 */
export async function compileFile(url, { size = 0, signal, onProgress, variant = "", change }) {
  checkEngine();
  signal?.throwIfAborted();
  const key = `${url.href} ${variant}`;
  let download = downloads.get(key);
  if (!download?.isUsable()) {
    download = new Download(url, size, change);
    downloads.set(key, download);
  }
  return download.join(signal, onProgress);
}

/** A file that is being loaded for some callers, or was. It is aborted when all of them have aborted. */
class Download {
  #abort = new AbortController();
  #listeners = new Set();
  #module = null; // a WeakRef when it is compiled
  #bytes = 0;
  #promise;

  constructor(url, size, change) {
    const onProgress = (...sizes) => this.#listeners.forEach((listener) => listener(...sizes));
    this.#promise = this.#run(url, { size, signal: this.#abort.signal, onProgress, change });
    this.#promise.catch(() => this.#abort.abort()); // it failed: the next call tries again
  }

  isUsable() {
    return !this.#abort.signal.aborted && (this.#module === null || this.#module.deref() !== undefined);
  }

  /** Returns a promise of the module for one more caller. */
  join(signal, onProgress) {
    const kept = this.#module?.deref();
    if (kept) {
      onProgress?.(this.#bytes, this.#bytes);
      signal?.throwIfAborted();
      return kept;
    }
    return new Promise((resolve, reject) => {
      const leave = (settle) => (value) => {
        this.#listeners.delete(listener);
        signal?.removeEventListener("abort", onAbort);
        if (this.#listeners.size === 0 && this.#module === null) this.#abort.abort();
        settle(value);
      };
      const fail = leave(reject);
      const onAbort = () => fail(signal.reason);
      const listener = (...sizes) => {
        try {
          onProgress?.(...sizes);
        } catch (error) {
          fail(error);
        }
      };
      this.#listeners.add(listener);
      signal?.addEventListener("abort", onAbort);
      this.#promise.then(leave(resolve), fail);
    });
  }

  async #run(url, { size, signal, onProgress, change = (bytes) => bytes }) {
    await null; // the first caller joins
    const bytes = await readFile(url, signal) ?? await download(url, { size, signal, onProgress });
    onProgress(bytes.length, bytes.length);
    this.#bytes = bytes.length;
    const module = await compile(bytes, url, change);
    free(bytes);
    this.#module = new WeakRef(module);
    return module;
  }
}

async function compile(bytes, source, change = (bytes) => bytes) {
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    const start = new TextDecoder().decode(bytes.slice(0, 40)).trim();
    throw loadError(source, `it is not a WebAssembly file, it begins with ${JSON.stringify(start)} (some servers ` +
      `answer a missing file with a page); ${await remedyFor(source)}`);
  }
  try {
    return await WebAssembly.compile(change(bytes));
  } catch (error) {
    const reason = error.message.replace(/\W+$/, "") || error.name;
    const remedy = policyRemedy(error) ??
      await remedyFor(error.message, "compileRemedy", "the file is damaged: copy it again");
    throw loadError(source, `${reason}; ${remedy}`);
  }
}

export function loadError(url, reason) {
  return new TensorSketchError("ERR_LOAD", `cannot load ${url}: ${reason}`);
}

/** Returns the bytes of a file: address in Node, and null elsewhere. */
async function readFile(url, signal) {
  if (url.protocol !== "file:" || !isNode()) return null;
  const fs = await nodeModule("fs/promises").catch(() => null);
  if (!fs) return null; // a page that sees Node's globals
  try {
    return await fs.readFile(url, { signal });
  } catch (error) {
    throw loadError(url, error.code === "ENOENT" ? `there is no such file; ${await remedyFor(url)}` : error.message);
  }
}

async function download(url, { size, signal, onProgress }) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw loadError(url, `${error.message}; ${await fetchRemedy(url)}`);
  }
  if (!response.ok) {
    throw loadError(url, `the server answered ${response.status} ${response.statusText}; ${await remedyFor(url)}`);
  }
  return readBody(response, url, size, onProgress);
}

/** Returns the bytes of a response and reports progress as they arrive. */
async function readBody(response, url, size, onProgress) {
  // With a Content-Encoding, Content-Length counts the compressed bytes.
  const isEncoded = response.headers.get("content-encoding") !== null;
  const total = (!isEncoded && Number(response.headers.get("content-length"))) || size;
  const reader = response.body.getReader();
  const read = () => reader.read().catch((error) => {
    throw loadError(url, `the download broke off (${error.message}); try again`);
  });
  const parts = [];
  let loaded = 0;
  for (let part = await read(); !part.done; part = await read()) {
    parts.push(part.value);
    loaded += part.value.length;
    onProgress(loaded, loaded <= total ? total : 0);
  }
  const bytes = new Uint8Array(loaded);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  if (!isNode()) drop(parts.map(({ buffer }) => buffer)); // in Node other code may share the buffers
  return bytes;
}

// Fetches and compiles the core over the network, or in Node from disk. Every failure is ERR_LOAD with the address and
// the remedy, except that an abort rejects with the signal's reason.

import { drop, free } from "./buffers.js";
import { fault, paramError, TensorSketchError } from "./errors.js";
import { checkEngine, fetchRemedy, GIVE_CORE, policyRemedy, remedies, remedyFor } from "./hosts.js";
import { currentFolder, givenAddress, isNode, nodeModule } from "./node.js";

// A module with one i8x16.popcnt. An engine that validates it has the fixed-width SIMD instructions.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
  0, 253, 15, 253, 98, 11);

/** Returns the build of `files` to load. "auto" becomes "simd" if the engine supports it. */
function chooseBuild(build, files) {
  checkEngine();
  const simd = WebAssembly.validate(SIMD_PROBE);
  const takesScalar = build === "scalar" || (build === "auto" && !simd);
  if (takesScalar ? files.entry : !simd) {
    const why = simd ? "there is no scalar build here" : "this engine has no WebAssembly SIMD";
    const remedy = takesScalar ? `import load from ${files.entry}` : 'take build "auto" or "scalar"';
    throw new TensorSketchError("ERR_LOAD", `${why}: ${remedy}`);
  }
  return takesScalar ? "scalar" : "simd";
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
  return { build: chosen, ...await compileBuild(chosen, files, { baseURL, signal, onProgress }) };
}

/**
 * Returns the compiled file of a build, and its address: in the folder baseURL, or beside this module. There the scalar
 * file is made of the other one and of what differs, because bundlers copy all that has an address here. Where there is
 * no address, the error says what to give `instead`.
 */
export async function compileBuild(build, files, { baseURL, ...options }, instead = GIVE_CORE) {
  const load = async (kind, more) => {
    const name = files.names[kind], size = files.sizes[kind];
    const from = baseURL === undefined ? await ownAddress(files[kind], name, instead, size)
      : await addressIn(baseURL, name);
    return { module: await compileFile(from, { ...options, size, ...more }), from };
  };
  if (build === "simd" || baseURL !== undefined) return load(build);
  return load("simd", { variant: build, change: async (bytes, signal) =>
    (await import("./toscalar.js")).change(bytes, await load("toScalar", { signal, onProgress: undefined })) });
}

/** Returns the class of an object of any realm, as "[object Name]". */
const classOf = (value) => Object.prototype.toString.call(value);

function checkModule(module) {
  if (classOf(module) === "[object WebAssembly.Module]") return module;
  throw paramError("module", "be a WebAssembly.Module", module);
}

function bytesOf(binary) {
  const isBuffer = classOf(binary).endsWith("ArrayBuffer]"); // shared or not
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

/** Returns the address of a file in the folder baseURL. */
async function addressIn(baseURL, name) {
  const asFolder = (address) => String(address).replace(/\/?$/, "/");
  return new URL(name, await givenAddress("baseURL", "be the URL of a folder", baseURL, asFolder));
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
    throw new TensorSketchError("ERR_LOAD", await remedyFor(instead, "addressRemedy", instead));
  }
  const fs = isNode() ? await nodeModule("fs").catch(() => null) : null;
  if (!fs || (url.protocol === "file:" && fs.existsSync(url))) return url;
  const other = await (await remedies())?.otherPlace(url, fs, { name, size, nodeModule, currentFolder });
  if (other || url.protocol !== "file:") return other ?? url;
  throw loadError(url, `there is no such file; ${await remedyFor(url, "serverRemedy")}`);
}

const downloads = new Map(); // address → Download

/**
 * Loads and compiles the file at `url`. Calls for the same file share one download, and its module as long as somebody
 * uses it. `size` is the file's, for `onProgress(loaded, total)` behind servers that compress; `total` is 0 while it is
 * unknown. `change` returns the bytes to compile in place of the file's, or a promise of them, and `variant` names what
 * it does.
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

  async #run(url, { size, signal, onProgress, change }) {
    await null; // the first caller joins
    const bytes = await readFile(url, signal) ?? await download(url, { size, signal, onProgress });
    onProgress(bytes.length, bytes.length);
    this.#bytes = bytes.length;
    const module = await compile(bytes, url, change, signal);
    this.#module = new WeakRef(module);
    return module;
  }
}

/** With a `signal`, which a download has, the bytes are released once the engine has its own copy. */
async function compile(bytes, source, change, signal) {
  const start = new TextDecoder().decode(bytes.slice(0, 40)).trim();
  if (!start.startsWith("\0asm")) {
    throw loadError(source, `it is not a WebAssembly file, it begins with ${JSON.stringify(start)}; ` +
      await remedyFor(source, "pageRemedy"));
  }
  try {
    const compiling = WebAssembly.compile(await change?.(bytes, signal) ?? bytes);
    if (signal) free(bytes);
    return await compiling;
  } catch (error) {
    if (error instanceof TensorSketchError) throw error; // of what differs
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
  let bytes = new Uint8Array(total), loaded = 0; // at once, so that a file is not held twice
  for (let part = await read(); !part.done; part = await read()) {
    const { value } = part, end = loaded + value.length;
    if (end > bytes.length) {
      const longer = new Uint8Array(end + loaded);
      longer.set(bytes);
      bytes = longer;
    }
    bytes.set(value, loaded);
    if (!isNode()) drop([value.buffer]); // in Node other code may share the buffer
    onProgress(loaded = end, end <= total ? total : 0);
  }
  return bytes.subarray(0, loaded);
}

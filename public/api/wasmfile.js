// Fetches and compiles the core over the network, or in Node from disk. Every failure is ERR_LOAD with the address and
// the remedy, except that an abort rejects with the signal's reason.

import { drop, free } from "./buffers.js";
import { paramError, TensorSketchError } from "./errors.js";
import { isNode, nodeModule } from "./node.js";

const MAGIC = [0x00, 0x61, 0x73, 0x6d]; // "\0asm"
const REMEDY = "put it beside tensorsketch.js, or give its folder as baseURL";

// A module with one i8x16.popcnt. An engine that validates it has the fixed-width SIMD instructions.
const SIMD_PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
  0, 253, 15, 253, 98, 11);

// Bundlers look for these expressions.
const FILES = {
  simd: () => new URL("./tensorsketch.wasm", import.meta.url),
  scalar: () => new URL("./tensorsketch.scalar.wasm", import.meta.url),
};
const NAMES = { simd: "tensorsketch.wasm", scalar: "tensorsketch.scalar.wasm" };

/** Returns the build to load. "auto" becomes "simd" if the engine supports it. */
export function chooseBuild(build) {
  if (build === "scalar") return build;
  const simd = typeof WebAssembly === "object" && WebAssembly.validate(SIMD_PROBE);
  if (build !== "auto" && !simd) {
    throw new TensorSketchError("ERR_LOAD", 'this engine has no WebAssembly SIMD: take build "auto" or "scalar"');
  }
  return simd ? "simd" : "scalar";
}

/** Returns the address of a build of the core, beside this module or in the folder baseURL. */
export async function wasmURL(build, baseURL) {
  if (baseURL === undefined) return FILES[build]();
  if (typeof baseURL !== "string" && !(baseURL instanceof URL)) {
    throw paramError("baseURL", "be a string or a URL", baseURL);
  }
  const folder = String(baseURL).replace(/\/?$/, "/");
  try {
    return new URL(NAMES[build], new URL(folder, await currentFolder()));
  } catch {
    throw paramError("baseURL", "be the URL of a folder", String(baseURL));
  }
}

/** Loads and compiles the file at `url`. In `onProgress(loaded, total)`, `total` is 0 while it is unknown. */
export async function compileFile(url, { signal, onProgress }) {
  if (typeof WebAssembly !== "object") throw loadError(url, "this engine has no WebAssembly");
  signal?.throwIfAborted();
  let bytes;
  try {
    bytes = url.protocol === "file:" && isNode() ? await readFile(url, signal)
      : await download(url, signal, onProgress);
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  }
  signal?.throwIfAborted();
  onProgress?.(bytes.length, bytes.length);
  if (MAGIC.some((byte, i) => bytes[i] !== byte)) {
    const start = new TextDecoder().decode(bytes.subarray(0, 40)).trim();
    throw loadError(url, `it is not a WebAssembly file, it begins with ${JSON.stringify(start)} (some servers answer ` +
      `a missing file with a page); ${REMEDY}`);
  }
  let module;
  try {
    module = await WebAssembly.compile(bytes);
    free(bytes);
  } catch (error) {
    throw loadError(url, `${error.message}. A Content-Security-Policy needs 'wasm-unsafe-eval' in script-src; else ` +
      `the file is damaged: copy it again`);
  }
  signal?.throwIfAborted();
  return module;
}

export function loadError(url, reason) {
  return new TensorSketchError("ERR_LOAD", `cannot load ${url}: ${reason}`);
}

/** Returns the base of a relative baseURL: the address of the page, or the working directory. */
async function currentFolder() {
  if (!isNode()) return globalThis.document?.baseURI ?? globalThis.location.href;
  const { pathToFileURL } = await nodeModule("url");
  return pathToFileURL(`${globalThis.process.cwd()}/`);
}

async function readFile(url, signal) {
  const fs = await nodeModule("fs/promises");
  try {
    return await fs.readFile(url, { signal });
  } catch (error) {
    throw loadError(url, error.code === "ENOENT" ? `there is no such file; ${REMEDY}` : error.message);
  }
}

async function download(url, signal, onProgress) {
  let response;
  try {
    response = await fetch(url, { signal });
  } catch (error) {
    throw loadError(url, `${error.message}; check the connection and, on another origin, that ` +
      `the server allows it (CORS)`);
  }
  if (!response.ok) throw loadError(url, `the server answered ${response.status} ${response.statusText}; ${REMEDY}`);
  return readBody(response, url, onProgress);
}

/** Returns the bytes of a response and reports progress as they arrive. */
async function readBody(response, url, onProgress) {
  // With a Content-Encoding, Content-Length counts the compressed bytes.
  const encoded = response.headers.get("content-encoding");
  const total = encoded ? 0 : Number(response.headers.get("content-length") ?? 0);
  const reader = response.body.getReader();
  const read = () => reader.read().catch((error) => {
    throw loadError(url, `the download broke off (${error.message}); try again`);
  });
  const parts = [];
  let loaded = 0;
  for (let part = await read(); !part.done; part = await read()) {
    parts.push(part.value);
    loaded += part.value.length;
    onProgress?.(loaded, loaded <= total ? total : 0);
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

// The package in one classic script with the core inside: tools/bundle makes tensorsketch.min.js of it.

import { deriveKey, load as loadFrom, TensorSketchError } from "../public/api/tensorsketch.js";
import compressed from "../public/api/tensorsketch.wasm"; // with gzip, as base64

export { deriveKey, TensorSketchError };

let core = null;

/** As in tensorsketch.js, but the core is the one in this file unless the options name another. */
export async function load(options = {}) {
  const isOurs = typeof options === "object" && options !== null &&
    ["module", "wasmBinary", "baseURL"].every((name) => options[name] === undefined);
  if (!isOurs) return loadFrom(options);
  core ??= decompress();
  return loadFrom({ ...options, wasmBinary: await core });
}

function decompress() {
  const bytes = Uint8Array.from(atob(compressed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

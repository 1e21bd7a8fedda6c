// What goes wrong in hosts that are known, and the remedies; remedies.js has those for files that are not found.
// test/tools tries most of them.

import { TensorSketchError } from "./errors.js";
import { isNode } from "./node.js";

const POLICY = /content.security.policy|unsafe-eval|blocked by CSP/i; // in the errors of Chromium, WebKit and Firefox

const NEEDS_WASM = "the Content-Security-Policy needs script-src 'wasm-unsafe-eval'";

/** What a caller can give instead of an address. */
export const GIVE_CORE = "give load the content of tensorsketch.wasm as wasmBinary, or compiled as module";

const OWN_FOLDER = "put it beside tensorsketch.js, or give its folder as baseURL";

/** Returns what remedies.js exports, or null if it is missing itself. */
export const remedies = () => import("./remedies.js").catch(() => null);

/**
 * Returns what the function of this `name` in remedies.js says of an address or a reason, and else `otherwise`. That
 * file is fetched when something is missing, and may be missing itself.
 */
export async function remedyFor(what, name = "remedyFor", otherwise = OWN_FOLDER) {
  return (await remedies())?.[name](String(what), isNode(), otherwise) ?? otherwise;
}

/** Returns the remedy if `fetch` could not fetch an address. */
export async function fetchRemedy(url) {
  if (url.protocol === "file:") {
    return `a page reads no files: serve it over http, take tensorsketch.min.js, or ${GIVE_CORE}`;
  }
  if (!/^https?:$/.test(url.protocol)) return remedyFor(url);
  return remedyFor(url, "fetchRemedy", "check the connection");
}

/** Returns the remedy for an error by which a policy forbids WebAssembly, or null for another error. */
export function policyRemedy({ message }) {
  return POLICY.test(message) ? NEEDS_WASM : null;
}

/** Throws ERR_LOAD if the engine lacks what every call needs. */
export function checkEngine() {
  if (typeof WebAssembly !== "object") throw new TensorSketchError("ERR_LOAD", "this engine has no WebAssembly");
  if (typeof TextDecoder === "function" && typeof TextEncoder === "function") return;
  throw new TensorSketchError("ERR_LOAD", `this engine has no TextDecoder and TextEncoder. ${noTextRemedy()}`);
}

function noTextRemedy() {
  if (isAudioWorklet()) return "An AudioWorklet has none: load this package in the page or a worker";
  return isNode() ? 'Jest\'s jsdom hides Node\'s: use testEnvironment "node"' : "Define both before load";
}

/** Returns why this host can start no workers, or null if it may be able to. */
export function noThreadsHere() {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return "Cloudflare Workers have no threads";
  if (isAudioWorklet()) return "an AudioWorklet starts no workers";
  return typeof Worker === "function" || isNode() ? null : "this host has no Worker";
}

function isAudioWorklet() {
  return typeof globalThis.AudioWorkletGlobalScope === "function";
}

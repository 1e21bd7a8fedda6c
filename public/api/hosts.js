// What goes wrong in hosts that are known, and the remedies. test/tools tries each host.

import { TensorSketchError } from "./errors.js";
import { isNode } from "./node.js";

const POLICY = /content.security.policy|unsafe-eval|blocked by CSP/i; // in the errors of Chromium, WebKit and Firefox

/** What a caller can give instead of an address. */
export const GIVE_CORE = "give load the content of tensorsketch.wasm as wasmBinary, or compiled as module";

const NEXT = "Next.js bundled this package for its server and cannot read the file there: " +
  'set serverExternalPackages: ["tensorsketch"] in next.config';
const VITE = "Vite's development server moved this package away from its files: " +
  'set optimizeDeps: { exclude: ["tensorsketch"] } in vite.config';

/** Returns the remedy if the file at an address is not there. */
export function remedyFor(url) {
  const address = String(url);
  if (address === "wasmBinary") return "give the bytes of tensorsketch.wasm as they are";
  if (address.includes("/.vite/deps/")) return VITE;
  if (isNode() && address.includes("/_next/")) return NEXT;
  return "put it beside tensorsketch.js, or give its folder as baseURL";
}

/** Returns the remedy if `fetch` could not fetch an address. */
export function fetchRemedy(url) {
  if (url.protocol === "file:") {
    return `a page reads no files: serve it over http, take tensorsketch.min.js, or ${GIVE_CORE}`;
  }
  if (!/^https?:$/.test(url.protocol)) return remedyFor(url);
  return "check the connection, that the Content-Security-Policy allows this address (connect-src) and, on another " +
    "origin, that the server allows it (CORS)";
}

/** Returns the remedy for an error by which a host forbids WebAssembly, or null for another error. */
export function policyRemedy({ message }) {
  if (POLICY.test(message)) return "the Content-Security-Policy needs script-src 'wasm-unsafe-eval'";
  if (/disallowed by embedder/i.test(message)) {
    return "this host compiles nothing at run time: give load the compiled file as module";
  }
  return null;
}

/** The error where a bundle does not know its own address, as esbuild's iife and cjs, and Cloudflare's workerd. */
export function noAddressError(instead) {
  return new TensorSketchError("ERR_LOAD", "this bundle has no import.meta.url, so it does not know where its .wasm " +
    `files are: ${instead}`);
}

/** Throws ERR_LOAD if the engine lacks what every call needs. */
export function checkEngine() {
  if (typeof WebAssembly !== "object") throw new TensorSketchError("ERR_LOAD", "this engine has no WebAssembly");
  if (typeof TextDecoder === "function" && typeof TextEncoder === "function") return;
  throw new TensorSketchError("ERR_LOAD", "this engine has no TextDecoder and TextEncoder. Jest's jsdom hides those " +
    'of Node: use testEnvironment "node", or set both from node:util in a file of setupFiles');
}

// What goes wrong in hosts that are known, and the remedies. test/tools tries most of them.

import { TensorSketchError } from "./errors.js";
import { isNode } from "./node.js";

const POLICY = /content.security.policy|unsafe-eval|blocked by CSP/i; // in the errors of Chromium, WebKit and Firefox

const NEEDS_WASM = "the Content-Security-Policy needs script-src 'wasm-unsafe-eval'";

/** What a caller can give instead of an address. */
export const GIVE_CORE = "give load the content of tensorsketch.wasm as wasmBinary, or compiled as module";

const NEXT = "Next.js bundled this package for its server and cannot read the file there: " +
  'set serverExternalPackages: ["tensorsketch"] in next.config';
const ANGULAR = "Angular does not copy the file: add " +
  '{ "glob": "*.wasm", "input": "node_modules/tensorsketch", "output": "." } to assets in angular.json, ' +
  'and give load baseURL: "."';
const OBSERVABLE = "Observable Framework does not copy the file: take tensorsketch.min.js by <script src> and " +
  "call tensorsketch.load()";
const EXCLUDE = 'optimizeDeps: { exclude: ["tensorsketch"] }';
const MOVED = "the development server of Vite moved this package away from its files: set ";

/** The hosts that a part of an address shows, and what each needs. The first that fits is taken. */
const HOSTS = [
  [/\/\.angular\//, ANGULAR],
  [/\/_node\/tensorsketch@/, OBSERVABLE],
  [/\/_nuxt\/.*\/deps\/|\/\.cache\/vite\/client\/deps\//, `${MOVED}vite: { ${EXCLUDE} } in nuxt.config`],
  [/\/deps(_\w+)?\/[^/]*$/, `${MOVED}${EXCLUDE} in vite.config`], // also VitePress, Astro and Storybook
];

/** Returns the remedy if the file at an address is not there. */
export function remedyFor(url) {
  const address = String(url);
  if (address === "wasmBinary") return "give the bytes of tensorsketch.wasm as they are";
  if (isNode() && address.includes("/_next/")) return NEXT;
  const [, remedy] = HOSTS.find(([part]) => part.test(address)) ?? [];
  if (remedy) return remedy;
  return globalThis.document?.querySelector?.("[ng-version]") ? ANGULAR
    : "put it beside tensorsketch.js, or give its folder as baseURL";
}

/** Returns the remedy if a file of this package is not where a program of Node looks for it. */
export function serverRemedy(url) {
  const address = String(url);
  if (address.includes("/_next/")) return NEXT;
  if (address.includes("/node_modules/tensorsketch/")) return "install the package again, with all of its files";
  return "the server's bundle left it behind. Keep the package out of the bundle: in Vite by ssr: { external: " +
    '["tensorsketch"] }, in SvelteKit by "dependencies" in place of "devDependencies", in Parcel without ' +
    "includeNodeModules. Or copy the file beside the bundle";
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

/**
 * Returns the remedy for an error by which a host forbids WebAssembly, or null for another error. In a content script,
 * Chromium's error has no text behind the name of the function.
 */
export function policyRemedy({ message }) {
  if (POLICY.test(message)) return NEEDS_WASM;
  if (/^(WebAssembly\.\w+\(\):\s*)?$/.test(message)) {
    return `${NEEDS_WASM}. The page's policy also binds a content script: let the extension's service worker or ` +
      "a page of its own compute";
  }
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
  throw new TensorSketchError("ERR_LOAD", `this engine has no TextDecoder and TextEncoder. ${noTextRemedy()}`);
}

function noTextRemedy() {
  if (isAudioWorklet()) return "An AudioWorklet never has them: load this package in the page or in a worker";
  return isNode() ? 'Jest\'s jsdom hides Node\'s: use testEnvironment "node"' : "Define both before you call load";
}

/** Returns why this host can start no workers, or null if it may be able to. */
export function noThreadsHere() {
  if (globalThis.navigator?.userAgent === "Cloudflare-Workers") return "Cloudflare Workers have no threads";
  if (isAudioWorklet()) return "an AudioWorklet starts no workers";
  return typeof Worker === "function" || isNode() ? null : "this host has no Worker";
}

/** Returns why a worker could not be started, with the remedy if it is known. */
export function startRemedy(reason) {
  if (!/TrustedScriptURL/.test(reason)) return reason || "the host does not say why";
  return `${reason} The Content-Security-Policy must allow our policy (trusted-types tensorsketch), or give load a ` +
    "TrustedScriptURL as workerURL";
}

function isAudioWorklet() {
  return typeof globalThis.AudioWorkletGlobalScope === "function";
}

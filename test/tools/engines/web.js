// The part of Node's modules that the API tests use, in a page. The server hands out the files of the repository. A
// test that needs more than a page has is skipped.

import { sha256 } from "@noble/hashes/sha2.js";
import { Buffer } from "buffer/";
export { gzipSync } from "fflate";
import { Skip } from "./nodetest.js";

const lacks = (what) => () => {
  throw new Skip(`a page has no ${what}`);
};

function get(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.overrideMimeType("text/plain; charset=x-user-defined"); // a byte per character
  request.send();
  return request;
}

export const existsSync = (address) => get(address).status === 200;

export function readFileSync(address, encoding) {
  const { status, responseText } = get(address);
  if (status !== 200) throw new Error(`${address}: status ${status}`);
  const bytes = Uint8Array.from(responseText, (character) => character.charCodeAt(0));
  return encoding ? new TextDecoder(encoding).decode(bytes) : bytes;
}

/** As the test's server lists a folder. */
export const readdirSync = (address) => [...get(address).responseText.matchAll(/href="([^"]+)"/g)]
  .map(([, name]) => name);

export const mkdtempSync = lacks("folders");
export const rmSync = lacks("folders");
export const writeFileSync = lacks("folders");
export const tmpdir = lacks("folders");
export const createServer = lacks("server");
export const setFlagsFromString = lacks("flags");

export const join = (...parts) => parts.join("/");
export const resolve = (folder, ...names) => new URL(names.join("/"),
  new URL(`${folder}/`.replace(/\/+$/, "/"), location.href)).href;
export const fileURLToPath = (url) => new URL(url).href;
export const pathToFileURL = (path) => new URL(path, location.href);
export const once = (worker, type) => new Promise((done) => worker.once(type, done));
export const setTimeout = (ms) => new Promise((done) => globalThis.setTimeout(done, ms));

/** Another realm. */
export function runInNewContext(source) {
  const frame = document.body.appendChild(document.createElement("iframe"));
  return frame.contentWindow.eval(source);
}

export function createHash() {
  const hash = sha256.create();
  return {
    update(bytes) {
      hash.update(typeof bytes === "string" ? new TextEncoder().encode(bytes) : new Uint8Array(bytes));
      return this;
    },
    digest(as) {
      const digest = Buffer.from(hash.digest());
      return as ? digest.toString(as) : digest;
    },
  };
}

export const process = { env: {}, cwd: lacks("folders") };

// Differences between Node and browsers.

import { paramError } from "./errors.js";

export function isNode() {
  return typeof globalThis.process?.versions?.node === "string";
}

/** Returns a module of Node in a way that bundlers do not follow. */
export async function nodeModule(name) {
  return globalThis.process?.getBuiltinModule?.(name) ??
    import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

/** Returns the base of a relative address: the address of the page, or in Node the working directory. */
export async function currentFolder() {
  if (!isNode()) return globalThis.document?.baseURI ?? globalThis.location?.href;
  const { pathToFileURL } = await nodeModule("url");
  return pathToFileURL(`${globalThis.process.cwd()}/`);
}

/** Returns an address that an argument gives, its text changed by `change`. It must be what `want` says. */
export async function givenAddress(argument, want, address, change = String) {
  try {
    if (typeof address === "string" || address instanceof URL) return new URL(change(address), await currentFolder());
  } catch {}
  throw paramError(argument, want, address);
}

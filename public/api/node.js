// Differences between Node and browsers.

export function isNode() {
  return typeof globalThis.process?.versions?.node === "string";
}

/** Imports a module of Node in a way that bundlers do not follow. */
export function nodeModule(name) {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

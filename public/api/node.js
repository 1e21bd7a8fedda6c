// What differs in Node.

export function isNode() {
  return typeof globalThis.process?.versions?.node === "string";
}

/** A module of Node, imported so that no bundler looks for it. */
export function nodeModule(name) {
  return import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);
}

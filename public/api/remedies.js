// What to do where a file of this package is not found: where else a server has it, and remedies, by the hosts that are
// known. It is fetched when one is wanted. It imports nothing, so that a bundler leaves it alone.

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

/** Returns the remedy if the file at an address is not there, or undefined if the host is not known. */
export function remedyFor(address, inNode) {
  if (address === "wasmBinary") return "give the bytes of tensorsketch.wasm as they are";
  if (inNode && address.includes("/_next/")) return NEXT;
  const [, remedy] = HOSTS.find(([part]) => part.test(address)) ?? [];
  return remedy ?? (globalThis.document?.querySelector?.("[ng-version]") ? ANGULAR : undefined);
}

/**
 * Returns the address of a file that the bundle of a server left behind, or null: in the folder of Next.js, or in the
 * node_modules above the bundle if it has this `size`, of this release.
 */
export async function otherPlace(bundle, fs, { name, size, nodeModule, currentFolder }) {
  const emitted = bundle.href.replace(/.*_next(.*wasm).*/, ".next$1"); // a bundle of Next.js knows no more of it
  if (fs.existsSync(emitted)) return new URL(emitted, await currentFolder());
  if (bundle.protocol !== "file:") return null;
  try {
    const { createRequire } = await nodeModule("module");
    const path = createRequire(bundle).resolve(`tensorsketch/${name}`);
    return fs.statSync(path).size === size ? (await nodeModule("url")).pathToFileURL(path) : null;
  } catch {
    return null;
  }
}

/** Returns the remedy if a page cannot fetch a file. */
export function fetchRemedy() {
  return "check the connection, that the Content-Security-Policy allows this address (connect-src) and, on another " +
    "origin, that the server allows it (CORS)";
}

/** Returns the remedy if another file came from an address. */
export function pageRemedy(address, inNode, otherwise) {
  return `some servers answer a missing file with a page; ${remedyFor(address, inNode) ?? otherwise}`;
}

/** Returns the remedy where a bundle has no address: of esbuild as iife or cjs, and in Cloudflare's workerd. */
export function addressRemedy(instead) {
  return `this bundle has no import.meta.url, so it does not know where its .wasm files are: ${instead}`;
}

/** How the bundles of servers leave the package out, by a part of the address. The first that fits is taken. */
const BUNDLES = [
  [/\/build\/server\/chunks\//, 'in SvelteKit by "dependencies" in place of "devDependencies"'],
  [/\/server\/chunks\//, 'in Astro by vite: { ssr: { external: ["tensorsketch"] } } in astro.config'],
  [/^/, 'in Vite by ssr: { external: ["tensorsketch"] }'],
];

/** Returns the remedy if a file of this package is not where a program of Node looks for it. */
export function serverRemedy(address) {
  if (address.includes("/_next/")) return NEXT;
  if (address.includes("/node_modules/tensorsketch/")) return "install the package again, with all of its files";
  const [, remedy] = BUNDLES.find(([part]) => part.test(address));
  return `the server's bundle left it behind. Keep the package out of the bundle, ${remedy}, and deploy ` +
    "node_modules. Or copy the file beside the bundle, or give load its content as wasmBinary (esbuild: " +
    "--loader:.wasm=binary)";
}

/** Returns the reason why a worker could not be started with its remedy, or undefined if the remedy is not known. */
export function startRemedy(reason) {
  if (!/TrustedScriptURL/.test(reason)) return undefined;
  return `${reason} The Content-Security-Policy must allow our policy (trusted-types tensorsketch), or give load a ` +
    "TrustedScriptURL as workerURL";
}

/**
 * Returns the remedy for the message of an error by which a host forbids WebAssembly, or undefined for another error.
 * In a content script, Chromium's error has no text behind the name of the function.
 */
export function compileRemedy(message) {
  if (/^(WebAssembly\.\w+\(\):\s*)?$/.test(message)) {
    return "the Content-Security-Policy needs script-src 'wasm-unsafe-eval'. The page's policy also binds a content " +
      "script: let the extension's service worker or a page of its own compute";
  }
  if (!/disallowed by embedder/i.test(message)) return undefined;
  return "this host compiles nothing at run time: give load the compiled file as module";
}

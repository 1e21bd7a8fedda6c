// Stores the page for use without a network: a cache with all files of one release, as release.js lists them.
//
// A browser looks for changes of this file and of release.js after visits. A changed version is installed beside the
// active worker. It replaces that worker when no tab shows the page any more, or when the only such tab asks for it.
// An open page therefore gets all its files from one release, even files that it loads late.
//
// A file is served only with the hash that release.js lists: every page of the origin can write into its caches. Each
// visit also asks the server for release.js. Where that is another project's by now, as on a port of this device, the
// worker removes itself and its caches, and the tab loads what the server has.

importScripts("release.js");

const { version, bytes, files } = self.release;
const OURS = `tensorsketch ${registration.scope} `; // other copies of the page may share the origin
const CACHE = OURS + version;
const DONE = addressOf("release.js"); // put into a cache last, when it has all its files
const PARALLEL = 4;

const hashes = new Map(Object.entries(files).map(([path, hash]) => [addressOf(path), hash]));
let hasLeft = false; // the address belongs to another server
const channel = new BroadcastChannel(`tensorsketch ${registration.scope}`);

addEventListener("install", (event) => event.waitUntil(fill()));

addEventListener("activate", (event) => event.waitUntil(replaceOthers()));

addEventListener("message", (event) => {
  const [port] = event.ports;
  const answer = { state, fill, "take over": takeOver }[event.data]();
  event.waitUntil(answer.then((value) => port.postMessage(value),
    ({ message }) => port.postMessage({ error: message })));
});

// A request that is not in the list goes to the browser. The page is told, because it counts requests.
addEventListener("fetch", (event) => {
  const { request } = event;
  if (hasLeft) return;
  const address = new URL(request.url);
  address.hash = "";
  if (request.mode === "navigate") {
    address.search = "";
    address.pathname = withoutIndex(address.pathname);
    event.waitUntil(leaveToOthers());
  }
  if (request.method === "GET" && hashes.has(address.href)) event.respondWith(kept(request, address.href));
  else channel.postMessage({ passed: request.url });
});

function addressOf(path) {
  return new URL(withoutIndex(path), registration.scope).href;
}

/** Removes index.html from a path: many servers redirect it to the folder. */
function withoutIndex(path) {
  return path.replace(/(^|\/)index\.html$/, "$1");
}

/** Fetches the files that the cache lacks. Files of an interrupted installation are whole: fetch checked their hash. */
async function fill() {
  await removeUnfinished();
  const cache = await caches.open(CACHE);
  const had = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...hashes.keys()].filter((address) => !had.has(address));
  const [large, small] = [true, false].map((is) => missing.filter((address) => address.endsWith(".wasm") === is));
  let left = missing.length;
  let broken = false;
  const take = async (files) => {
    for (let address = files.pop(); address; address = files.pop()) {
      await fetchInto(cache, address);
      left--;
      if (!broken) channel.postMessage({ stored: hashes.size - left, of: hashes.size });
    }
  };
  try {
    // The browser holds a file in memory to check its hash, so that large ones come one after another.
    await Promise.all([large, ...Array(PARALLEL - 1).fill(small)].map(take));
  } catch (error) {
    broken = true;
    large.length = small.length = 0;
    channel.postMessage({ failed: error.message });
    await caches.delete(CACHE); // the disk may be full
    throw error;
  }
  await cache.put(DONE, new Response(version));
  return state();
}

/** Fetches a file into the cache. Bypasses the browser's cache if that is wrong, as after two changes in a second. */
async function fetchInto(cache, address) {
  const response = (await fetchWhole(address, "no-cache")) ?? (await fetchWhole(address, "reload"));
  if (!response) throw new Error(`${address} cannot be fetched, or is not the file that release.js lists`);
  await cache.put(address, response);
}

/** Fetches a file. Returns null unless the file is whole and has the listed hash. */
async function fetchWhole(address, mode) {
  channel.postMessage({ fetched: address });
  try {
    const response = await fetch(address, { integrity: hashes.get(address), cache: mode, redirect: "error" });
    return response.status === 200 ? response : null;
  } catch {
    return null;
  }
}

/** Removes the remains of interrupted installations of other versions. */
async function removeUnfinished() {
  for (const name of await ourCaches()) {
    if (name !== CACHE && !(await caches.match(DONE, { cacheName: name }))) await caches.delete(name);
  }
}

async function replaceOthers() {
  for (const name of await ourCaches()) {
    if (name !== CACHE) await caches.delete(name);
  }
  await clients.claim();
}

async function ourCaches() {
  return (await caches.keys()).filter((name) => name.startsWith(OURS));
}

/** Returns a file from the cache, or from the network if the cache has lost it or has other bytes. */
async function kept(request, address) {
  const stored = await caches.match(address, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
  const content = await stored?.arrayBuffer().catch(() => undefined);
  if (content && (await hashOf(content)) === hashes.get(address)) {
    const headers = new Headers(stored.headers);
    for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name); // of the packed file
    return new Response(content, { headers });
  }
  channel.postMessage({ passed: request.url });
  return fetch(request);
}

async function hashOf(content) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  return `sha256-${btoa(String.fromCharCode(...digest))}`;
}

/** Leaves if the server answers and has no release.js of this page. Without an answer the page is used offline. */
async function leaveToOthers() {
  const address = addressOf("release.js");
  channel.postMessage({ fetched: address });
  const response = await fetch(address, { cache: "no-store", redirect: "error" }).catch(() => null);
  const isGone = response && [404, 410].includes(response.status);
  if (!isGone && !(response?.ok && !(await response.text()).startsWith("self.release = "))) return;
  hasLeft = true;
  for (const name of await ourCaches()) await caches.delete(name);
  await registration.unregister();
  for (let tries = 0; tries < 40; tries++) { // the tab that asks is in the list once it has begun to load
    const windows = await clients.matchAll({ type: "window" });
    if (windows.length > 0) {
      await Promise.all(windows.map((tab) => tab.navigate(tab.url).catch(() => null)));
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Returns the state that the page shows. */
async function state() {
  const done = await caches.match(DONE, { cacheName: CACHE });
  return { files: hashes.size, bytes, done: Boolean(done) };
}

/** Replaces the active worker if only one tab shows the page; otherwise returns the number of tabs. */
async function takeOver() {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tabs = windows.filter(({ url }) => url.startsWith(registration.scope)).length;
  if (tabs <= 1) await self.skipWaiting();
  return { tabs };
}

// Keeps the page for when there is no network: all files of one release, as release.js lists them, in a cache of its
// own.
//
// A browser looks for changes of this file and of release.js after visits. A changed one is installed beside the worker
// that is at work, and takes its place when no tab shows the page any more, or when the one tab that does asks for it.
// So an open page has the files of one release, also those it loads late.

importScripts("release.js");

const { version, bytes, files } = self.release;
const OURS = `tensorsketch ${registration.scope} `; // other copies of the page may share the origin
const CACHE = OURS + version;
const DONE = addressOf("release.js"); // put into a cache that has all its files
const PARALLEL = 4;

const hashes = new Map(Object.entries(files).map(([path, hash]) => [addressOf(path), hash]));
const channel = new BroadcastChannel(`tensorsketch ${registration.scope}`);

addEventListener("install", (event) => event.waitUntil(fill()));

addEventListener("activate", (event) => event.waitUntil(replaceOthers()));

addEventListener("message", (event) => {
  const [port] = event.ports;
  const answer = { state, fill, "take over": takeOver }[event.data]();
  event.waitUntil(answer.then((value) => port.postMessage(value),
    ({ message }) => port.postMessage({ error: message })));
});

// What is not listed is left to the browser, and told to the page, which counts.
addEventListener("fetch", (event) => {
  const { request } = event;
  const address = new URL(request.url);
  address.hash = "";
  if (request.mode === "navigate") {
    address.search = "";
    address.pathname = withoutIndex(address.pathname);
  }
  if (request.method === "GET" && hashes.has(address.href)) event.respondWith(kept(request, address.href));
  else channel.postMessage({ passed: request.url });
});

function addressOf(path) {
  return new URL(withoutIndex(path), registration.scope).href;
}

/** A folder is fetched by its own name: many servers redirect its index.html there. */
function withoutIndex(path) {
  return path.replace(/(^|\/)index\.html$/, "$1");
}

/** Fetches the files that the cache lacks. What an interrupted installation left is whole: fetch checked the hash. */
async function fill() {
  await removeUnfinished();
  const cache = await caches.open(CACHE);
  const had = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...hashes.keys()].filter((address) => !had.has(address));
  let left = missing.length;
  let broken = false;
  const take = async () => {
    for (let address = missing.pop(); address; address = missing.pop()) {
      await fetchInto(cache, address);
      left--;
      if (!broken) channel.postMessage({ stored: hashes.size - left, of: hashes.size });
    }
  };
  try {
    await Promise.all(Array.from({ length: PARALLEL }, take));
  } catch (error) {
    broken = true;
    missing.length = 0;
    channel.postMessage({ failed: error.message });
    await caches.delete(CACHE); // the disk may be full
    throw error;
  }
  await cache.put(DONE, new Response(version));
  return state();
}

/** What the browser's own cache makes of an answer can be wrong, of a file changed twice in a second: then past it. */
async function fetchInto(cache, address) {
  const response = (await fetchWhole(address, "no-cache")) ?? (await fetchWhole(address, "reload"));
  if (!response) throw new Error(`${address} cannot be fetched, or is not the file that release.js lists`);
  await cache.put(address, response);
}

/** The file, if it is whole and the one listed. */
async function fetchWhole(address, mode) {
  channel.postMessage({ fetched: address });
  try {
    const response = await fetch(address, { integrity: hashes.get(address), cache: mode, redirect: "error" });
    return response.status === 200 ? response : null;
  } catch {
    return null;
  }
}

/** Removes what interrupted installations of other versions left. */
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

async function kept(request, address) {
  const response = await caches.match(address, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
  if (response) return response;
  channel.postMessage({ passed: request.url });
  return fetch(request);
}

/** What the page shows. */
async function state() {
  const done = await caches.match(DONE, { cacheName: CACHE });
  return { files: hashes.size, bytes, done: Boolean(done) };
}

/** Takes the place of the worker at work, if one tab alone shows the page; else it tells how many do. */
async function takeOver() {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const tabs = windows.filter(({ url }) => url.startsWith(registration.scope)).length;
  if (tabs <= 1) await self.skipWaiting();
  return { tabs };
}

// Stores the page for use without a network: a cache with all files of one release, as release.js lists them.
//
// A browser looks for changes of this file and of release.js after visits. A changed version is installed beside the
// active worker. It replaces that worker when no tab shows the page any more, or when the only such tab asks for it.
// An open page therefore gets all its files from one release, even files that it loads late.

importScripts("release.js");

const { version, bytes, files } = self.release;
const OURS = `tensorsketch ${registration.scope} `; // other copies of the page may share the origin
const CACHE = OURS + version;
const DONE = addressOf("release.js"); // put into a cache last, when it has all its files
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

// A request that is not in the list goes to the browser. The page is told, because it counts requests.
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

async function kept(request, address) {
  const response = await caches.match(address, { cacheName: CACHE, ignoreVary: true }).catch(() => undefined);
  if (response) return response;
  channel.postMessage({ passed: request.url });
  return fetch(request);
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

// Counts the requests that leave this device after a file was opened. Every worker of the page imports this module too
// and reports its own requests to the page. The workers of the API import it through poolworker.js.
//
// There are two sources, because each misses some requests. The browser's list of resources (PerformanceObserver) has
// the requests of the page and its workers, but only after they have ended. The service worker sees requests begin, but
// it is missing in some browsers and on a first visit. For each address the larger count is used. Requests that the
// service worker makes itself are added, because only it sees them.
//
// A failed request counts, because it was sent or about to be sent. A request that the server answered with "not
// changed" counts too. Requests by the browser itself, such as the check for a new serviceworker.js, are in neither
// list.

/** The channel's name has the folder of index.html, which is also the scope of the service worker. */
export const CHANNEL = `tensorsketch ${new URL("../", import.meta.url).href}`;

/**
 * Reports whether a request in the list of resources has left the device. All do, except requests that the service
 * worker or the browser's own cache answered alone. (workerStart does not help: Chromium 156 also sets it if the
 * service worker left a request to the network.)
 */
export function hasLeft({ name, deliveryType, transferSize, decodedBodySize, responseStatus }, origin) {
  if (!/^https?:/.test(name)) return false;
  if (deliveryType) return !(deliveryType === "cache-storage" || (deliveryType === "cache" && transferSize === 0));
  if (deliveryType === "" || new URL(name).origin !== origin) return true;
  return !(transferSize === 0 && (decodedBodySize > 0 || responseStatus > 0)); // for browsers without deliveryType
}

/** Counts the requests by address. `observed` and `passed` are the same requests, seen twice; `fetched` are others. */
export function requestsOf({ observed, passed, fetched }) {
  const most = (address) => Math.max(count(observed, address), count(passed, address)) + count(fetched, address);
  return new Map([...new Set([...observed, ...passed, ...fetched])].map((address) => [address, most(address)]));
}

function count(addresses, address) {
  return addresses.filter((other) => other === address).length;
}

let seen = null; // since a file was opened
let opened = { name: "", at: Infinity };

/** Returns the name of the file opened last, or "". */
export function openedFile() {
  return opened.name;
}

/** Restarts the count. Call it before the file is read. The event "requests" follows a moment later. */
export function fileOpened(name) {
  opened = { name, at: now() };
  seen = { observed: [], passed: [], fetched: [] };
  queueMicrotask(() => dispatchEvent(new Event("fileopened")));
  tellPage();
}

/**
 * Sends the page an event "requests" after a moment, with the name of the file and { address, times } of each address.
 */
function tellPage() {
  queueMicrotask(() => {
    const left = Array.from(requestsOf(seen), ([address, times]) => ({ address, times }));
    dispatchEvent(new CustomEvent("requests", { detail: { file: opened.name, left } }));
  });
}

/** Returns the time since a moment that is the same in every thread of a page. */
function now() {
  return performance.timeOrigin + performance.now();
}

/** Calls f with the addresses and times of the requests that leave this thread. */
function observe(f) {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes("resource")) return;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (hasLeft(entry, location.origin)) f({ observed: entry.name, at: performance.timeOrigin + entry.startTime });
    }
  });
  observer.observe({ type: "resource", buffered: true });
}

function hear(news) {
  if (!seen || news.at < opened.at) return;
  const kind = ["observed", "passed", "fetched"].find((name) => name in news);
  if (!kind) return;
  seen[kind].push(news[kind].split("#", 1)[0]);
  tellPage();
}

/** Returns the channel, or none if a browser that blocks storage refuses it. */
function openChannel() {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

/** What `load` is given here, so that the requests of the API's workers are counted too. */
export const workerURL = new URL("poolworker.js", import.meta.url);

if (typeof Window === "function" && globalThis instanceof Window) {
  observe(hear);
  openChannel()?.addEventListener("message", ({ data }) => hear(data));
} else if (typeof DedicatedWorkerGlobalScope === "function") {
  let channel;
  observe((news) => (channel ??= openChannel())?.postMessage(news));
}

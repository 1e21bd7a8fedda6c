// Counts the requests that leave this device after a file was opened. Every worker of the page imports this module too
// and tells the page of its own; the workers of the API do so by poolworker.js.
//
// There are two witnesses, since each misses something. The browser's list of resources (PerformanceObserver) has what
// the page and its workers asked for, but only when it has ended. The service worker sees it begin, but is not there in
// every browser and on a first visit. Of one address the larger count holds. What the service worker fetched of its own
// accord is added: nobody else sees that.
//
// What failed counts: it was sent, or was going to be. So does what the server answered with "not changed". What the
// browser does by itself, such as looking for a new serviceworker.js, is in neither list.

import { makeWorkersBy } from "../api/thread.js";

/** Named by the folder of index.html, which is also the scope of the service worker. */
export const CHANNEL = `tensorsketch ${new URL("../", import.meta.url).href}`;

/**
 * Whether an entry of the list of resources has left the device: all do but those that the service worker or the
 * browser's own cache answered alone. (workerStart does not tell: Chromium 156 sets it also where the service worker
 * left a request to the network.)
 */
export function hasLeft({ name, deliveryType, transferSize, decodedBodySize, responseStatus }, origin) {
  if (!/^https?:/.test(name)) return false;
  if (deliveryType) return !(deliveryType === "cache-storage" || (deliveryType === "cache" && transferSize === 0));
  if (deliveryType === "" || new URL(name).origin !== origin) return true;
  return !(transferSize === 0 && (decodedBodySize > 0 || responseStatus > 0)); // browsers that do not tell more
}

/** How many of each address: observed and passed are the same requests, seen twice; fetched are others. */
export function requestsOf({ observed, passed, fetched }) {
  const most = (address) => Math.max(count(observed, address), count(passed, address)) + count(fetched, address);
  return new Map([...new Set([...observed, ...passed, ...fetched])].map((address) => [address, most(address)]));
}

function count(addresses, address) {
  return addresses.filter((other) => other === address).length;
}

let seen = null; // since a file was opened
let opened = { name: "", at: Infinity };

/** The name of the file that was opened last, or "". */
export function openedFile() {
  return opened.name;
}

/** Begins to count anew. To be called before the file is read; who hears of it is told a moment later. */
export function fileOpened(name) {
  opened = { name, at: now() };
  seen = { observed: [], passed: [], fetched: [] };
  queueMicrotask(() => dispatchEvent(new Event("fileopened")));
  tellPage();
}

/**
 * Tells the page in a moment, with an event "requests": the name of the file, and { address, times } of each address.
 */
function tellPage() {
  queueMicrotask(() => {
    const left = Array.from(requestsOf(seen), ([address, times]) => ({ address, times }));
    dispatchEvent(new CustomEvent("requests", { detail: { file: opened.name, left } }));
  });
}

/** In every thread of a page the time since the same moment. */
function now() {
  return performance.timeOrigin + performance.now();
}

/** Calls f with the addresses and times of what leaves this thread. */
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

/** The channel, or none where a browser that blocks storage refuses it. */
function openChannel() {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
}

makeWorkersBy(() => new Worker(new URL("poolworker.js", import.meta.url), { type: "module" }));

if (typeof Window === "function" && globalThis instanceof Window) {
  observe(hear);
  openChannel()?.addEventListener("message", ({ data }) => hear(data));
} else if (typeof DedicatedWorkerGlobalScope === "function") {
  let channel;
  observe((news) => (channel ??= openChannel())?.postMessage(news));
}

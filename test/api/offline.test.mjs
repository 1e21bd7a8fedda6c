// offline.js and requests.js, the page's: what they decide without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

const { howTo, isThisDevice } = await import(new URL("../../public/page/offline.js", import.meta.url).href);
const { hasLeft, requestsOf } = await import(new URL("../../public/page/requests.js", import.meta.url).href);

const origin = "https://here.example";
const entry = (changes) => ({
  name: `${origin}/x.js`, deliveryType: "", transferSize: 0, decodedBodySize: 0, responseStatus: 0, ...changes,
});

// What Chromium 156 gives of each kind of answer, and browsers without deliveryType.
const known = { decodedBodySize: 1000, responseStatus: 200 };
for (const [what, left, changes] of [
  ["a file from the network", true, { transferSize: 1300, ...known }],
  ["an answer without a body", true, { transferSize: 300, responseStatus: 404 }],
  ["a request that failed", true, {}],
  ["a revalidated file", true, { deliveryType: "cache", transferSize: 300, ...known }],
  ["a file from the browser's cache", false, { deliveryType: "cache", ...known }],
  ["a file from the service worker", false, { deliveryType: "cache-storage", ...known }],
  ["a worker's script from the service worker", false, { deliveryType: "cache-storage", responseStatus: 200 }],
  ["another origin that tells nothing", true, { name: "https://there.example/" }],
  ["another origin that tells of a cache", true, { name: "https://there.example/", deliveryType: undefined, ...known }],
  ["a file from some cache, of a browser that does not tell", false,
    { deliveryType: undefined, decodedBodySize: 1000 }],
  ["a failed request of a browser that does not tell", true, { deliveryType: undefined }],
  ["a blob", false, { name: "blob:https://here.example/0", transferSize: 300 }],
  ["a data: address", false, { name: "data:text/plain,x", transferSize: 300 }],
]) {
  test(`${what} has ${left ? "" : "not "}left`, () => assert.equal(hasLeft(entry(changes), origin), left));
}

test("what two have seen is one request, and what the service worker fetched is another", () => {
  const counts = requestsOf({ observed: ["a", "a", "b"], passed: ["a", "c"], fetched: ["b", "d"] });
  assert.deepEqual([...counts], [["a", 2], ["b", 2], ["c", 1], ["d", 1]]);
  assert.equal(requestsOf({ observed: [], passed: [], fetched: [] }).size, 0);
});

for (const [platform, words] of [
  ["Win32", "taskbar"], ["Windows", "taskbar"], ["MacIntel", "menu bar"], ["macOS", "menu bar"],
  ["iPhone", "Swipe down"], ["Android", "Swipe down"],
  ["Chrome OS", "clock"], ["Linux x86_64", "nmcli"], ["", "mobile data"], ["Darwin", "mobile data"],
]) {
  test(`how to switch the network off on ${platform || "an unknown system"}`,
    () => assert.match(howTo(platform), new RegExp(words)));
}

test("this device", () => {
  for (const host of ["localhost", "page.localhost", "127.0.0.1", "127.8.9.10", "[::1]"]) {
    assert.ok(isThisDevice(host), host);
  }
  for (const host of ["example.com", "localhost.example.com", "128.0.0.1", "127.0.0.1.example.com",
    "192.168.0.1", ""]) {
    assert.ok(!isThisDevice(host), host);
  }
});

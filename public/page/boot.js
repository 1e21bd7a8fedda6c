// Starts the page: the worker that embeds, and the application. The application calls JavaScript through
// globalThis.page. Both use the core through the public API.

import { drop } from "../api/buffers.js";
import { files, opensFiles } from "./fileworker.js";
import { goexec } from "../api/goexec.js";
import { isImage } from "./images.js";
import { fileSaved, goOffline, keepOffline, takeNewer } from "./offline.js";
import { keyOf, newSalt } from "./pagekey.js";
import { fileOpened, workerURL } from "./requests.js";
import { giveWay } from "../api/slices.js";

void takeNewer(); // runs while the rest loads

/** Loads the API. No picture of a teaching place needs it, so that it comes after the first. */
let api;
const loadAPI = () => (api ??= import("../api/tensorsketch.js"));
if (opensFiles) loadAPI().catch(() => {});

let core;
const tensorsketch = () => (core ??= loadAPI().then(({ load }) => load({ workerURL })));

/** Draws an SVG at twice its size in pixels, and resolves to a PNG file. */
async function pngOf(svg, width, height) {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Offers a Blob to the visitor as a download. */
function saveFile(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  fileSaved(name);
  // the browser may read the Blob until it has written the file
  setTimeout(() => URL.revokeObjectURL(link.href), 600_000);
}

/** Asks the browser not to clear the page's storage. */
const persist = () => navigator.storage?.persist?.().catch(() => {});

globalThis.page = { fileOpened, files, giveWay, goOffline, isImage, keyOf, newSalt, persist, pngOf, saveFile,
  tensorsketch };

let running = false;
try {
  const go = new (goexec(globalThis))();
  go.env = { GOGC: "400" }; // until main knows the place (collect in ui/main_js.go)
  const written = listen(globalThis.fs);
  const instance = await instantiate("page/ui.wasm", go.importObject);
  running = true;
  const ended = go.run(instance);
  (globalThis.requestIdleCallback ?? setTimeout)(() => { // visible work comes first
    loadAPI().catch(() => {}); // also where nothing keeps the page for use without a network
    void keepOffline();
  });
  await ended;
  throw new Error(`load it again (${written() || "it gave no reason"})`);
} catch (error) {
  document.querySelector("#app").replaceChildren(`The page ` +
    `${running ? "has stopped" : "cannot start"}: ${error.message}`);
}

/** Returns a function that returns the first line which Go has written. If Go ends by itself, it writes why. */
function listen(fs) {
  const { writeSync } = fs;
  let text = "";
  fs.writeSync = (file, bytes) => {
    text += new TextDecoder().decode(bytes);
    return writeSync.call(fs, file, bytes);
  };
  return () => text.split("\n")[0];
}

/** Compiles without streaming, which would hold the bytes three times and require the type application/wasm. */
async function instantiate(name, imports) {
  if (typeof WebAssembly !== "object") throw new Error("this browser has no WebAssembly");
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} is not there (status ${response.status})`);
  const bytes = await response.arrayBuffer();
  const { instance } = await WebAssembly.instantiate(bytes, imports);
  drop([bytes]);
  return instance;
}

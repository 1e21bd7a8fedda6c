// The page without a network: registers the service worker, shows its state, and guides through "Go offline first".

import { CHANNEL, openedFile } from "./requests.js";

const PROBE = "serviceworker.js"; // the service worker leaves this address to the network
const PROBE_MS = 3000;
const LATER = "What is loaded now works without a network until you reload it.";

let registration;
let saved = false; // whether the cache of the worker that controls this page has all files
let said = ""; // the text about its progress
let reason = "the browser ended it"; // of the last installation that failed
let reachable; // whether the page's own server answered the last request; undefined before the first
let nextProbe;
let given = ""; // the name of the file saved last
let putOff; // the waiting worker whose version the visitor does not want yet

const byId = (id) => document.getElementById(id);

/** Returns the browser's service workers, or the reason why there are none. */
function container() {
  if (window !== window.top) {
    throw new Error("Inside another page this one is not saved for use without a network: " +
      "open it in a tab of its own.");
  }
  if (!isSecureContext) {
    throw new Error(`This page is not saved for use without a network: browsers do that only for https addresses and ` +
      `for this device (localhost). ${LATER}`);
  }
  if (!navigator.serviceWorker) {
    throw new Error(`This page is not saved for use without a network: this browser, or this kind of window, has no ` +
      `service workers. ${LATER}`);
  }
  return navigator.serviceWorker;
}

/**
 * Loads the new version if one is waiting and no other tab shows this page. It is called first of all, so that a
 * reload shows the new version.
 */
export async function takeNewer() {
  try {
    const workers = container();
    const { waiting } = (await workers.getRegistration()) ?? {};
    if (waiting && workers.controller && !openedFile()) await reloadWith(workers, waiting);
  } catch {} // keepOffline shows the reason
}

/** Makes a waiting worker take over and reloads the page. Returns false if other tabs show the old version. */
async function reloadWith(workers, waiting) {
  const reload = () => location.reload();
  workers.addEventListener("controllerchange", reload);
  const { tabs } = await ask(waiting, "take over");
  if (tabs > 1) workers.removeEventListener("controllerchange", reload);
  return tabs <= 1;
}

/** Registers the service worker, and shows its progress from now on. */
export async function keepOffline() {
  let workers;
  try {
    workers = container();
    new BroadcastChannel(CHANNEL).addEventListener("message", ({ data }) => hear(data));
    workers.addEventListener("controllerchange", look);
    registration = await workers.register(PROBE, { updateViaCache: "none" });
  } catch (error) {
    say(workers ? failed(error.message) : error.message);
    return;
  }
  const watch = () => registration.installing?.addEventListener("statechange", look);
  registration.addEventListener("updatefound", watch);
  watch();
  await look();
}

/** Asks the service worker for its state. */
async function look() {
  const { controller } = navigator.serviceWorker;
  if (registration?.waiting && controller) showNewer(registration.waiting);
  if (controller) {
    let state = await ask(controller, "state");
    if (!state.done) state = await ask(controller, "fill"); // its cache was emptied
    saved = Boolean(state.done);
    say(saved ? `This page is saved for use without a network: ${state.files} files, ${megabytes(state.bytes)}.`
      : failed(state.error));
  } else if (["installing", "installed"].includes(registration?.installing?.state)) {
    say("This page is being saved for use without a network.");
  } else if (registration?.active?.state === "activated") {
    say("This page is saved for use without a network, but a forced reload went past what is " +
      "saved: reload it once more.");
  } else if (registration && !registration.active) {
    say(failed(reason));
  }
}

/** Handles the progress of an installation. A new version's progress is not shown, because the old one still runs. */
function hear({ stored, of, failed: why }) {
  if (why) reason = why;
  if (why && !saved) look(); // the installation may have ended before its message came
  if (of && !saved) say(`This page is being saved for use without a network: ${stored} of ${of} files.`);
}

function failed(reason) {
  return `This page could not be saved for use without a network: ${reason.replace(/\.$/, "")}. ${LATER} ` +
    `Loading it again tries again.`;
}

/** Asks a service worker, and resolves to its answer. */
function ask(worker, question) {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => {
      port1.close();
      resolve(data);
    };
    worker.postMessage(question, [port2]);
  });
}

function say(text) {
  said = text;
  for (const element of document.querySelectorAll(".offline-state")) element.textContent = text;
  showSteps();
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

function showNewer(waiting) {
  byId("newer").hidden = waiting === putOff;
  byId("newer-later").onclick = () => {
    putOff = waiting;
    byId("newer").hidden = true;
    byId("main")?.focus({ preventScroll: true }); // else the Tab key would begin anew
  };
  byId("newer-reload").onclick = async () => {
    for (let tries = 0; tries < 10; tries++) { // the browser lists a tab that was just closed a moment longer
      if (await reloadWith(navigator.serviceWorker, waiting)) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    byId("newer-text").textContent = "A new version of this page is ready. Close its other tabs, then reload.";
  };
}

// The dialog

/** Opens the dialog that leads through going offline. */
export function goOffline() {
  byId("offline-how").textContent =
    howTo(/android/i.exec(navigator.userAgent)?.[0] ?? navigator.userAgentData?.platform ?? navigator.platform);
  showSteps();
  byId("offline").showModal();
  if (!openedFile()) probe();
}

/** Called after a file was saved for the visitor. */
export function fileSaved(name) {
  given = name;
  showSteps();
}

/** Returns how to switch the network off, by the name of the system. */
export function howTo(platform) {
  if (/^win/i.test(platform)) {
    return "Click the network symbol at the right end of the taskbar and switch “Airplane mode” on; unplug a cable.";
  }
  if (/iphone|ipad|ipod|android/i.test(platform)) {
    return "Swipe down from the top of the screen and switch airplane mode on, and Wi-Fi off if it stays on.";
  }
  if (/^mac/i.test(platform)) return "Click the Wi-Fi symbol in the menu bar and switch Wi-Fi off; unplug a cable.";
  if (/chrome ?os|cros/i.test(platform)) return "Click the clock and switch Wi-Fi off; unplug a cable.";
  if (/linux/i.test(platform)) {
    return "Use the network symbol of the desktop, or type “nmcli networking off”; unplug a cable.";
  }
  return "Switch Wi-Fi and mobile data off, and unplug a cable.";
}

/**
 * Requests a file from the page's own server until it does not answer. It does so only while the dialog is open and no
 * file is, because this request counts like all others. The system's report about its network alone can be wrong.
 */
async function probe() {
  clearTimeout(nextProbe);
  reachable = await fetch(PROBE, { method: "HEAD", cache: "no-store" }).then(() => true, () => false);
  showSteps();
  if (reachable) nextProbe = setTimeout(() => byId("offline").open && !openedFile() && probe(), PROBE_MS);
}

/** Handles the system's events "online" and "offline". */
function networkChanged() {
  reachable = undefined;
  if (byId("offline").open && !openedFile()) probe();
  else showSteps();
}

function showSteps() {
  step("kept", saved, said);
  step("off", reachable === false, network());
  step("chosen", openedFile() !== "", openedFile() && `${openedFile()} is open.`);
  step("saved", given !== "", given && `${given} was saved.`);
}

function step(name, done, text) {
  const element = byId(`offline-${name}`);
  element.classList.toggle("done", done);
  element.textContent = `${done ? "✓ " : ""}${text}`;
}

/** Returns what is known about the network. */
function network() {
  if (reachable === undefined) return navigator.onLine ? "" : "The system reports no network.";
  if (!reachable) {
    return navigator.onLine ? "A request to this page’s server failed, though the system reports a network."
      : "The system reports no network, and a request to this page’s server failed.";
  }
  if (navigator.onLine) return "A request to this page’s server was answered: the network is on.";
  if (isThisDevice(location.hostname)) {
    return `The system reports no network, but this page’s server runs on this device (${location.hostname}) and ` +
      `still answers. Nothing can go further; stop the server too to see the request fail.`;
  }
  return "The system reports no network, but a request to this page’s server was answered.";
}

/** Reports whether a host name is this device itself. */
export function isThisDevice(host) {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(host);
}

if (typeof document === "object") {
  addEventListener("online", networkChanged);
  addEventListener("offline", networkChanged);
  addEventListener("fileopened", () => {
    given = "";
    showSteps();
    byId("offline").close();
  });
  byId("offline-choose").addEventListener("click", () => byId("file").click());
  byId("offline-close").addEventListener("click", () => byId("offline").close());
}

// Stores ledgers of private releases (jobs/ledger.go) in the origin's private file system. Each file has one ledger,
// found by the file's content, so that releases of the same rows add up across tabs and visits. Only workers can use
// this, because files can be written in place only there.

import { readSlots, slotFor, slotsOf, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-ledgers";
export const FORMAT = "tensorsketch-file-ledger"; // of a saved one

async function root() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  } catch {
    throw new Error("This browser, or this private window of it, keeps no files for a page, and so cannot remember " +
      "what is released: open the page in a window that is not private, or in another browser");
  }
}

/** Returns what is stored of a file's content, or null. */
export async function storedLedger(content) {
  const { newest, cutOff, failure } = await readSlots(await root(), content);
  if (failure) throw failure; // the unreadable slot may be the newest and hold spent budget
  if (cutOff && !newest) {
    throw new Error("the ledger of this file cannot be read, so what its releases have cost is not known: reset it " +
      "only if none was handed on");
  }
  return newest;
}

/**
 * Calls f with what a job is given for ledgers (wasm/work/releases.go): lock(content), which waits until no other tab
 * has the ledger of this content, and unlock(text).
 */
export async function withLedgers(f) {
  let content, stored, end = () => {};
  const lock = (name) => new Promise((resolve, reject) => {
    const hold = async () => {
      [content, stored] = [name, await storedLedger(name)];
      resolve(stored && JSON.stringify(stored));
      await new Promise((resolve) => (end = resolve));
    };
    // A browser that keeps no files refuses locks, too, and does not say why.
    root().then(() => navigator.locks.request(`${ROOT}/${name}`, hold)).catch(reject);
  });
  const unlock = async (text) => {
    try {
      if (text === "") await remove(content);
      else if (text !== null) await write(content, stored, JSON.parse(text));
    } finally {
      end();
    }
  };
  try {
    return await f({ lock, unlock });
  } finally {
    end();
  }
}

/** Writes the next record of a file's ledger after the stored one. */
async function write(content, stored, next) {
  const value = { ...next, turn: (stored?.turn ?? 0) + 1 };
  const file = await (await root()).getFileHandle(slotFor(value, slotsOf(content)), { create: true });
  const handle = await file.createSyncAccessHandle();
  try {
    writeSlot(handle, value);
  } catch (error) {
    if (error.name === "QuotaExceededError") {
      error = new DOMException(`${error.message}: nothing was released`, error.name);
    }
    throw error;
  } finally {
    handle.close();
  }
}

async function remove(content) {
  const folder = await root();
  for (const name of slotsOf(content)) await folder.removeEntry(name).catch(() => {});
}

// Stores ledgers of private releases in the origin's private file system. Each file has one ledger, found by the file's
// content, so that releases of the same rows add up across tabs and visits. Only workers can use this, because files
// can be written in place only there.

import { TensorSketchError } from "../api/errors.js";
import { enterRelease } from "../api/privacy.js";
import { readSlots, slotFor, slotsOf, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-ledgers";
export const FORMAT = "tensorsketch-file-ledger";
const VERSION = 1;

async function root() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  } catch {
    throw new Error("this browser, or this private window of it, keeps no files for a page, and so cannot remember " +
      "what is released: open the page in a window that is not private, or in another browser");
  }
}

/** Calls f while no other tab can read or write the ledger of this content. */
function locked(content, f) {
  return navigator.locks.request(`${ROOT}/${content}`, f);
}

/** Returns the stored record of a file or null: { turn, ledger: JSON of the ledger, jobs: the job of each release }. */
export async function storedLedger(content) {
  const { newest, cutOff, failure } = await readSlots(await root(), content);
  if (failure) throw failure; // the unreadable slot may be the newest and hold spent budget
  if (cutOff && !newest) {
    throw new Error("the ledger of this file cannot be read, so what its releases have cost is not known: reset it " +
      "only if none was handed on");
  }
  return newest;
}

/** Returns a ledger as text to be saved. It names the content of its file and the job of each release. */
export function ledgerFile(content, stored, ledger) {
  return JSON.stringify({ format: FORMAT, version: VERSION, content, jobs: stored?.jobs ?? [], ledger,
    ...(stored?.over && { over: true }) }); // more is spent than the ledger could enter
}

/**
 * Adds the releases of a saved ledger to the ledger of a file: releases by other browsers, or by this one before its
 * storage was cleared. A release is identified by its job and counted once.
 */
export function loadLedger(ts, content, text) {
  const saved = readLedgerFile(text);
  if (saved.content !== content) {
    throw new Error("this ledger is of another file, or of a copy with other bytes: choose the " +
      "file that it was saved with");
  }
  return locked(content, async () => {
    const stored = await storedLedger(content);
    const jobs = [...(stored?.jobs ?? [])];
    const loaded = ts.ledger({ from: saved.ledger });
    const ledger = ledgerOf(ts, stored, { epsilon: loaded.epsilon, delta: loaded.delta });
    if (loaded.releases.length !== saved.jobs.length) throw notALedger();
    let over = stored?.over || saved.over === true;
    loaded.releases.forEach((release, i) => {
      if (jobs.includes(saved.jobs[i])) return;
      try {
        enterRelease(ledger, release);
        jobs.push(saved.jobs[i]);
      } catch {
        over = true;
      }
    });
    await write(content, stored, { jobs, ledger, over });
  });
}

function readLedgerFile(text) {
  let saved = null;
  try {
    saved = JSON.parse(text);
  } catch {}
  if (saved?.format !== FORMAT || saved.version !== VERSION || !Array.isArray(saved.jobs)) throw notALedger();
  return saved;
}

const notALedger = () => new Error("this is no ledger that the page has saved: choose a file whose " +
  "name ends in -ledger.json");

export const OVER = "the releases of these rows, from this browser and in the ledgers that were loaded, have spent " +
  "more than the budget together: release nothing more of them";

/** Returns the stored ledger of a file, whose budget cannot be changed, or a new one. */
export function ledgerOf(ts, stored, budget) {
  if (!stored) return ts.ledger(budget);
  if (stored.over) throw new Error(OVER);
  const ledger = ts.ledger({ from: stored.ledger });
  const { epsilon, delta } = ledger;
  if (budget && (budget.epsilon !== epsilon || budget.delta !== delta)) {
    throw new TensorSketchError("ERR_PARAM",
      `budget must be epsilon ${epsilon} at delta ${delta}, as in the ledger of this file, or be left out: it was ` +
        `fixed before its first release`, { argument: "budget" });
  }
  return ledger;
}

/**
 * Calls make(ledger), which charges the ledger of a file, and returns its result after the charge is on disk. A job
 * that was charged before gives `again`, { epsilon, delta }. It then gets a ledger for this one release, and nothing is
 * entered.
 */
export function charge(ts, { content, budget, job, again }, make) {
  return locked(content, async () => {
    const stored = await storedLedger(content);
    if (stored?.jobs.includes(job)) return make(ts.ledger(again));
    const ledger = ledgerOf(ts, stored, budget);
    const made = make(ledger);
    await write(content, stored, { jobs: [...(stored?.jobs ?? []), job], ledger });
    return made;
  });
}

/** Writes the next record of a file's ledger after the stored one. */
async function write(content, stored, next) {
  const value = { turn: (stored?.turn ?? 0) + 1, ...next };
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

/** Deletes the stored costs of a file's releases. */
export function resetLedger(content) {
  return locked(content, async () => {
    const folder = await root();
    for (const name of slotsOf(content)) await folder.removeEntry(name).catch(() => {});
  });
}

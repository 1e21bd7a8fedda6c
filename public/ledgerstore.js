// Ledgers of private releases in the origin's private file system: one for each file, found by its content, so that releasing
// the same rows again adds up, in whatever tab and after any time. For workers: only there are files written in place.

import { TensorSketchError } from "./errors.js";

const ROOT = "tensorsketch-ledgers";

async function root() {
  try {
    return await (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
  } catch {
    throw new Error("this browser, or this private window of it, keeps no files for a page, and so cannot remember what is released: open the page in a window that is not private, or in another browser");
  }
}

/** Calls f while no other tab reads or writes the ledger of this content. */
function locked(content, f) {
  return navigator.locks.request(`${ROOT}/${content}`, f);
}

const slotsOf = (content) => [`${content}-0.json`, `${content}-1.json`]; // written in turn, so that one of them is always whole

/** What is stored of a file: { turn, ledger: JSON of the ledger, jobs: which job each release is of }, or null. */
export async function storedLedger(content) {
  const folder = await root();
  let newest = null, broken = false;
  for (const name of slotsOf(content)) {
    const text = await folder.getFileHandle(name).then(async (handle) => (await handle.getFile()).text(), () => "");
    try {
      const stored = text === "" ? null : JSON.parse(text);
      if (stored && (!newest || stored.turn > newest.turn)) newest = stored;
    } catch {
      broken = true; // cut off while it was written
    }
  }
  if (broken && !newest) throw new Error("the ledger of this file cannot be read, so what its releases have cost is not known: reset it only if none was handed on");
  return newest;
}

/** The ledger that is stored of a file, whose budget cannot be changed, or a new one. */
export function ledgerOf(ts, stored, budget) {
  if (!stored) return ts.ledger(budget);
  const ledger = ts.ledger({ from: stored.ledger });
  const { epsilon, delta } = ledger;
  if (budget && (budget.epsilon !== epsilon || budget.delta !== delta)) {
    throw new TensorSketchError("ERR_PARAM",
      `budget must be that of the ledger of this file, epsilon ${epsilon} at delta ${delta}, or be left out: it was fixed before its first release`, { argument: "budget" });
  }
  return ledger;
}

/**
 * Calls make(ledger), which charges the ledger of a file, and returns its result once the charge is on disk. A job that was
 * charged before is given a ledger for this one release, and nothing is entered: { epsilon, delta } of `again`.
 */
export function charge(ts, { content, budget, job, again }, make) {
  return locked(content, async () => {
    const stored = await storedLedger(content);
    if (stored?.jobs.includes(job)) return make(ts.ledger(again));
    const ledger = ledgerOf(ts, stored, budget);
    const made = make(ledger);
    const turn = (stored?.turn ?? 0) + 1;
    await write(slotsOf(content)[turn % 2], { turn, jobs: [...(stored?.jobs ?? []), job], ledger });
    return made;
  });
}

async function write(name, stored) {
  const handle = await (await (await root()).getFileHandle(name, { create: true })).createSyncAccessHandle();
  try {
    const text = new TextEncoder().encode(JSON.stringify(stored));
    handle.truncate(0);
    if (handle.write(text, { at: 0 }) !== text.length) throw new DOMException("the disk is full: nothing was released", "QuotaExceededError");
    handle.flush();
  } finally {
    handle.close();
  }
}

/** Forgets what the releases of a file have cost. */
export function resetLedger(content) {
  return locked(content, async () => {
    const folder = await root();
    for (const name of slotsOf(content)) await folder.removeEntry(name).catch(() => {});
  });
}

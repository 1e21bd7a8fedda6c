// Keeps one file of rows, with the settings that it has in the page, in the origin's private file system, so that a
// later visit goes on with it. The visitor asks for that. Only workers can write it, because files can be written in
// place only there. filejob.js has the requests:
//
// - kept: { …state, file } or null. `file` is null if the rows were too many to be copied, or are not here any
//   more. A state that another version of the page wrote is { old: true, name }.
// - keep: { state, file }: keeps a state { name, size, … } with a copy of the file, or without `file` a new state of
//   the same rows. Returns whether there is a copy. What was kept before stays until the new one is whole, so that
//   nothing is lost where there is no room.
// - forget: deletes both

import { readSlots, slotFor, slotsOf, writeAll, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-kept";
const STATE = "state"; // the name of its slots
const VERSION = 1;
const COPIES = ["rows", "rows-1"]; // the names of copies, by turns; a state names its own in `rows`
const MAX_COPY = 1 << 30; // bytes of a file that is copied
const CHUNK = 8 << 20;

const root = async () => navigator.storage.getDirectory();

/** Returns the name of the copy that belongs to a state; older states do not name theirs. */
const copyOf = (state) => (state ? state.rows ?? COPIES[0] : null);

export async function kept() {
  const folder = await root().then((top) => top.getDirectoryHandle(ROOT)).catch(() => null);
  const { newest: state } = folder ? await readSlots(folder, STATE) : { newest: null };
  if (!state) return null;
  if (state.version !== VERSION) return { old: true, name: state.name };
  const rows = await folder.getFileHandle(copyOf(state)).then((handle) => handle.getFile()).catch(() => null);
  const file = rows?.size === state.size ? new File([rows], state.name, { lastModified: state.modified }) : null;
  return { ...state, file };
}

export async function keep({ state, file }) {
  await file?.slice(0, 1).arrayBuffer().catch(() => {
    throw new Error(`${state.name} can no longer be read: it has changed or moved since it was chosen; choose it ` +
      "again");
  });
  const folder = await root().then((top) => top.getDirectoryHandle(ROOT, { create: true })).catch((error) => {
    if (isFull(error)) throw noRoom(state.name);
    throw new Error(navigator.storage ? "this browser, or this private window of it, keeps no files for a page: open " +
      "the page in a window that is not private, or choose the file again at each visit" : "a browser keeps files " +
      "only for https addresses and for this device (localhost): choose the file again at each visit");
  });
  const { newest } = await readSlots(folder, STATE);
  const copies = Boolean(file && file.size <= MAX_COPY);
  const rows = file || !newest ? COPIES.find((name) => name !== copyOf(newest)) : copyOf(newest);
  const next = { ...state, rows, version: VERSION, turn: (newest?.turn ?? 0) + 1 };
  try {
    if (copies) await write(folder, rows, (handle) => copy(file, handle));
    await write(folder, slotFor(next, slotsOf(STATE)), (handle) => writeSlot(handle, next));
  } catch (error) {
    if (file) await remove(folder, rows);
    throw isFull(error) ? noRoom(state.name, newest?.name) : error;
  }
  if (file && newest) await remove(folder, copyOf(newest));
  return copies;
}

const isFull = ({ name }) => name === "QuotaExceededError";

const noRoom = (name, other) => new Error(`this browser has no room for ${name}` + (other && other !== name
  ? ` beside ${other}, which stays kept: forget that first` : ": free some of its storage") +
  `, or choose the file again at each visit`);

/** Removes a copy that no state names any more. One that cannot be removed lies there until all is forgotten. */
const remove = (folder, name) => folder.removeEntry(name).catch(() => {});

export const forget = async () => (await root()).removeEntry(ROOT, { recursive: true }).catch((error) => {
  if (error.name !== "NotFoundError") throw error;
});

async function write(folder, name, into) {
  const handle = await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  try {
    await into(handle);
  } finally {
    handle.close();
  }
}

async function copy(file, handle) {
  handle.truncate(0);
  for (let at = 0; at < file.size; at += CHUNK) {
    writeAll(handle, new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()), at);
  }
  handle.flush();
}

// Keeps one file of rows, with the settings that it has in the page, in the origin's private file system, so that a
// later visit goes on with it. The visitor asks for that. Only workers can write it, because files can be written in
// place only there. filejob.js has the requests:
//
// - kept: { …state, file } or null. `file` is null if the rows were too many to be copied, or are not here any
//   more. A state that another version of the page wrote is { old: true, name }.
// - keep: { state, file }: keeps a state { name, size, … } with a copy of the file, or without `file` a new state of
//   the same rows. Returns whether there is a copy.
// - forget: deletes both

import { readSlots, slotFor, slotsOf, writeAll, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-kept";
const STATE = "state"; // the name of its slots
const VERSION = 1;
const MAX_COPY = 1 << 30; // bytes of a file that is copied
const CHUNK = 8 << 20;

const root = () => navigator.storage.getDirectory();

export async function kept() {
  const folder = await root().then((top) => top.getDirectoryHandle(ROOT)).catch(() => null);
  const { newest: state } = folder ? await readSlots(folder, STATE) : { newest: null };
  if (!state) return null;
  if (state.version !== VERSION) return { old: true, name: state.name };
  const rows = await folder.getFileHandle("rows").then((handle) => handle.getFile()).catch(() => null);
  const file = rows?.size === state.size ? new File([rows], state.name, { lastModified: state.modified }) : null;
  return { ...state, file };
}

export async function keep({ state, file }) {
  let folder;
  try {
    if (file) await forget();
    folder = await (await root()).getDirectoryHandle(ROOT, { create: true });
  } catch (error) {
    throw isFull(error) ? noRoom(state.name) : new Error("this browser, or this private window of it, keeps no files " +
      "for a page: open the page in a window that is not private, or choose the file again at each visit");
  }
  const copies = Boolean(file && file.size <= MAX_COPY);
  try {
    if (copies) await write(folder, "rows", (handle) => copy(file, handle));
    const { newest } = await readSlots(folder, STATE);
    const next = { ...state, version: VERSION, turn: (newest?.turn ?? 0) + 1 };
    await write(folder, slotFor(next, slotsOf(STATE)), (handle) => writeSlot(handle, next));
  } catch (error) {
    if (file) await forget();
    throw isFull(error) ? noRoom(state.name) : error;
  }
  return copies;
}

const isFull = ({ name }) => name === "QuotaExceededError";

const noRoom = (name) => new Error(`this browser has no room for ${name}: free some of its storage, or choose the ` +
  `file again at each visit`);

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
  for (let at = 0; at < file.size; at += CHUNK) {
    writeAll(handle, new Uint8Array(await file.slice(at, at + CHUNK).arrayBuffer()), at);
  }
  handle.flush();
}

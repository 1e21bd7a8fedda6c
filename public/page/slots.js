// Stores a value in two slots: JSON files in the origin's private file system, written alternately, so that one of them
// is always whole. The value's `turn` grows by 1 with each write. Only workers can write slots, because files can be
// written in place only there.

export const slotsOf = (name) => [`${name}-0.json`, `${name}-1.json`];

/** Returns the slot, of two, that a value is written to. */
export const slotFor = ({ turn }, slots) => slots[turn % 2];

/**
 * Returns the newest value of two slots, or null. `cutOff` is true if a slot is not JSON because its writing was cut
 * off. `failure` is the error of a slot that exists but could not be read.
 */
export async function readSlots(folder, name) {
  let newest = null, cutOff = false, failure = null;
  for (const slot of slotsOf(name)) {
    const handle = await folder.getFileHandle(slot).catch(() => null);
    try {
      const text = handle ? await (await handle.getFile()).text() : "";
      const value = text === "" ? null : JSON.parse(text);
      if (value && (!newest || value.turn > newest.turn)) newest = value;
    } catch (error) {
      if (error instanceof SyntaxError) cutOff = true;
      else failure = error;
    }
  }
  return { newest, cutOff, failure };
}

/** Writes a value to the open file of its slot. */
export function writeSlot(handle, value) {
  handle.truncate(0);
  writeAll(handle, new TextEncoder().encode(JSON.stringify(value)), 0);
  handle.flush();
}

const NO_ROOM = "the browser has no room left for what this page keeps: remove some of that, or free some of the disk";

/** Writes all bytes at a position of an open file. */
export function writeAll(handle, bytes, at) {
  let written;
  try {
    written = handle.write(bytes, { at });
  } catch (error) {
    if (error.name !== "QuotaExceededError") throw error;
  }
  if (written !== bytes.length) throw new DOMException(NO_ROOM, "QuotaExceededError");
}

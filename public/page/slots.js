// A value in two slots: JSON files in the origin's private file system, written in turn, so that one of them is always
// whole. A value has a `turn`, which grows by 1 each time it is written. Only workers write slots: elsewhere no file is
// written in place.

export const slotsOf = (name) => [`${name}-0.json`, `${name}-1.json`];

/** The slot, of two, that a value is written to. */
export const slotFor = ({ turn }, slots) => slots[turn % 2];

/**
 * The newest value of two slots, or null. `cutOff` says that a slot is no JSON: its writing was cut off. `failure` is
 * the error of a slot that is there and could not be read.
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

/** Writes all the bytes at a place of an open file. */
export function writeAll(handle, bytes, at) {
  if (handle.write(bytes, { at }) !== bytes.length) throw new DOMException("the disk is full", "QuotaExceededError");
}

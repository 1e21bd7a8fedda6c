// Makes large arrays, and returns the memory of unused ones at once: a slow garbage collector would keep tens of MB.

import { memoryError } from "./errors.js";

/** Returns a new array of a length, or a copy of one. Without memory for it, throws an error with this message. */
export function allocate(Type, length, message) {
  try {
    return new Type(length);
  } catch {
    throw memoryError(message);
  }
}

/** Returns a new array of m × n numbers, in memory of `Memory`. */
export function newMatrix(Type, m, n, Memory = ArrayBuffer) {
  const bytes = Type.BYTES_PER_ELEMENT * m * n;
  return new Type(allocate(Memory, bytes, `the output of ${m} × ${n} needs ${bytes} bytes, more than this engine can ` +
    "allocate: give fewer rows"));
}

/** Detaches an array, if the engine supports it. */
export function free({ buffer }) {
  buffer.transfer?.(0);
}

let nobody = null;

/**
 * Releases buffers that the browser itself made for messages and files and keeps alive. Transferring them to a closed
 * port releases them.
 */
export function drop(buffers) {
  if (typeof MessageChannel !== "function") return; // in Jest's jsdom
  if (!nobody) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    nobody = port1;
  }
  nobody.postMessage(null, [...new Set(buffers)]);
}

/**
 * Makes the engine collect garbage in this thread, which it does rarely if little is thrown away at a time. A page
 * cannot request a collection. An allocation that is never touched takes no memory, but it counts towards the next
 * collection.
 */
export function collect() {
  try {
    void new ArrayBuffer(128 << 20);
  } catch {} // there is not that much
}

// Memory that threads share: where it may be, and how the writes of workers end with their call.

const LOST_MS = 1000; // a worker that ended while it wrote never says that the write is over

/** Reports whether threads may share memory: in Node, and in pages that are isolated from other origins. */
export function canShare() {
  return typeof SharedArrayBuffer === "function" && globalThis.crossOriginIsolated !== false;
}

/** Returns a gate for what workers write to a place that they share, and null where they share none. */
export function gateOf({ buffer }) {
  return canShare() && buffer instanceof SharedArrayBuffer ? new Int32Array(new SharedArrayBuffer(4)) : null;
}

/**
 * Closes a gate, and waits until nothing is being written: less than a millisecond, or longer where the machine lets a
 * writing worker wait. Bit 0 of the gate says that it is closed, and each write adds 2.
 */
export async function closeGate(gate) {
  Atomics.or(gate, 0, 1);
  for (const end = performance.now() + LOST_MS; Atomics.load(gate, 0) > 1 && performance.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

/** Returns an array to write to as long as the gate is open. */
export function gated(array, gate) {
  return {
    set(values, at) {
      if (Atomics.add(gate, 0, 2) % 2 === 0) array.set(values, at);
      Atomics.sub(gate, 0, 2);
    },
  };
}

// Memory that threads share: where it may be, and how the writes of workers end with their call.

const WRITES_MS = 5; // an array that is being written is at most 1 MB
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
 * Closes a gate, and waits until nothing is being written, which is less than a millisecond. Returns null, or a promise
 * of the end where the machine lets a writing worker wait. Bit 0 of the gate says that it is closed; each write adds 2.
 */
export function closeGate(gate) {
  Atomics.or(gate, 0, 1);
  const begun = performance.now(), isOver = () => Atomics.load(gate, 0) <= 1;
  while (!isOver() && performance.now() < begun + WRITES_MS);
  return isOver() ? null : new Promise((resolve) => {
    const look = () => isOver() || performance.now() > begun + LOST_MS ? resolve() : setTimeout(look, 1);
    look();
  });
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

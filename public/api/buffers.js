// Memory of arrays that are done with, given back at once: tens of MB would wait for the garbage collector, which takes
// its time.

/** Detaches an array, where the engine can. */
export function free({ buffer }) {
  buffer.transfer?.(0);
}

let nobody = null;

/**
 * The same for buffers that a browser itself has made, of messages and files, and holds on to: what is sent to nobody
 * is gone.
 */
export function drop(buffers) {
  if (!nobody) {
    const { port1, port2 } = new MessageChannel();
    port2.close();
    nobody = port1;
  }
  nobody.postMessage(null, [...new Set(buffers)]);
}

/**
 * Has the engine collect garbage in this thread, which it does rarely where little is thrown away at a time. A page
 * cannot ask for that; but what is allocated and never touched takes no memory, and counts.
 */
export function collect() {
  try {
    void new ArrayBuffer(128 << 20);
  } catch {} // there is not that much
}

// Memory of arrays that are done with, given back at once: tens of MB would wait for the garbage collector, which takes its
// time.

/** Detaches an array, where the engine can. */
export function free({ buffer }) {
  buffer.transfer?.(0);
}

/** The same for buffers that a browser itself has made, of messages and files, and holds on to: what is sent to nobody is gone. */
export function drop(buffers) {
  const { port1, port2 } = new MessageChannel();
  port2.close();
  port1.postMessage(null, [...new Set(buffers)]);
  port1.close();
}

/**
 * Has the engine collect garbage in this thread, which it does rarely where little is thrown away at a time. A page cannot
 * ask for that; but what is allocated and never touched takes no memory, and counts.
 */
export function collect() {
  try {
    void new ArrayBuffer(128 << 20);
  } catch {} // there is not that much
}

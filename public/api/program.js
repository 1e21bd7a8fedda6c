// What a core that TinyGo compiled imports: the little that its runtime needs, and random bytes for noise. It does not
// use syscall/js, and touches no globals of the embedding page.

/** Thrown out of the running call when the program exits, which it does only in a fatal error. */
export class Exit extends Error {}

/**
 * One run of a core. `text` holds the beginning of what it printed. A long call tells `onProgress` how much of it is
 * done, if that is set, and stops if it returns false.
 */
export class Program {
  text = "";
  imports = {
    tensorsketch: {
      random: (to, bytes) => this.#random(to >>> 0, bytes),
      progress: (done) => Number(this.onProgress?.(done) ?? true),
      number: (x, to) => this.#number(x, to >>> 0),
      exhausted: () => {
        throw new Exit("out of memory");
      },
    },
    env: { arc4random: () => Math.floor(2 ** 32 * Math.random()) }, // seeds TinyGo's runtime, and nothing else
  };

  /** Starts an instance, given its exports, until it waits for calls. */
  start(exports) {
    this.memory = exports.mem;
    exports._initialize();
  }

  /** Fills memory with secure random bytes; 1 if it could. */
  #random(to, bytes) {
    try {
      globalThis.crypto.getRandomValues(new Uint8Array(this.memory.buffer, to, bytes));
      return 1;
    } catch {
      return 0;
    }
  }

  /** Writes a number as text, and returns its length. */
  #number(x, to) {
    const text = Object.is(x, -0) ? "-0" : String(x);
    new TextEncoder().encodeInto(text, new Uint8Array(this.memory.buffer, to, text.length));
    return text.length;
  }
}

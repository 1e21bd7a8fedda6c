// Asks the core how unlike rows are to the rows of sums. Workers do not ask it.

import { instanceOf } from "./core.js";

/**
 * Returns { novelty, share } of rows of features: how unlike they are to the rows of a view's words, which kept rows
 * follow, and which share of the kept rows is less so, null where none are kept.
 */
export function noveltyOf(core, view, words, Z) {
  const n = Z.length / view.nComponents;
  return core.withWords([view], [words.length], words, ({ handles: [sums] }) => {
    const wasm = instanceOf(core);
    return wasm.withBuffer(16 * n + Z.byteLength, (out, memory) => {
      const z = out + 16 * n;
      new Float32Array(memory.buffer, z, Z.length).set(Z);
      wasm.ask("ts_novelty", sums, z, n, out);
      const all = new Float64Array(wasm.memory.buffer, out, 2 * n);
      return { novelty: all.slice(0, n), share: Number.isNaN(all[n]) ? null : all.slice(n) };
    });
  });
}

// Fingerprints by a seed, for fingerprints.js and fingerprints.html.

import { uniform } from "./random.js";

/**
 * Returns n fingerprints of 2,048 bits, 256 bytes each. Every 20th is a parent with 32 to 63 bits. The next 19 are its
 * analogues: 5 % of the bits of the first are replaced, 10 % of the second, and so on up to 95 %.
 */
export function drawn(n) {
  const random = uniform(1);
  const below = (limit) => Math.floor(random() * limit);
  const bits = new Uint8Array(n * 256);
  let parent = [];
  for (let i = 0; i < n; i++) {
    if (i % 20 === 0) parent = Array.from({ length: 32 + below(32) }, () => below(2048));
    const changed = i % 20 / 20;
    for (const old of parent) {
      const bit = below(1000) < 1000 * changed ? below(2048) : old;
      bits[i * 256 + (bit >> 3)] |= 1 << (bit & 7);
    }
  }
  return bits;
}

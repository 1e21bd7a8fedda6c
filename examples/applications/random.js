// Random numbers by a seed, the same everywhere, for the programs of this folder and for its pages in a tab.

/** Returns a generator of uniform numbers between 0 and 1 (Park & Miller 1988). */
export function uniform(seed) {
  let state = seed;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

/** Returns a generator of numbers with mean 0 and variance 1, which are nearly normal: sums of twelve uniform ones. */
export function normal(seed) {
  const random = uniform(seed);
  return () => {
    let sum = -6;
    for (let i = 0; i < 12; i++) sum += random();
    return sum;
  };
}

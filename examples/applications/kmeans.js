// Lloyd's k-means on features, in steps that merge exactly, for clusters.js and graph.js. Features are rounded to
// multiples of 2^−15, and sums are of integers: however the rows are parted, and in whatever order the parts come, the
// centres have the same bits (clusters.js prints this). Rounding moves each feature by at most 2^−16, 0.000015, and a
// row of D features by at most √D·2^−16: 0.00035 at D 512. The sum of squared distances is of floating point, and only
// chooses among starts. `step` takes part of the rows, and `merge` adds sums and counts.

const GRID = 2 ** 15;

/** Returns features rounded to integers: multiples of 2^−15. A feature of 65,535 or more, or NaN, is an error. */
export const onGrid = (Z) => Int32Array.from(Z, (value, i) => {
  if (!(Math.abs(value) < 65535)) throw new RangeError(`feature ${i} is ${value}: scale features below 65,535`);
  return Math.round(value * GRID);
});

/** One step over some rows of D integers: the sums and counts of the rows that are nearest to each centre. */
export function step(rows, D, centres) {
  const k = centres.length / D;
  const half = Array.from({ length: k }, (_, c) => squared(centres, c * D, D) / 2);
  const [sums, counts, labels] = [new Float64Array(k * D), new Float64Array(k), new Int32Array(rows.length / D)];
  let inertia = 0;
  for (let row = 0; row < labels.length; row++) {
    let [best, most] = [0, -Infinity];
    for (let c = 0; c < k; c++) {
      let score = -half[c];
      for (let j = 0; j < D; j++) score += rows[row * D + j] * centres[c * D + j];
      if (score > most) [best, most] = [c, score];
    }
    labels[row] = best;
    counts[best]++;
    for (let j = 0; j < D; j++) sums[best * D + j] += rows[row * D + j]; // integers below 2^53: exact
    inertia += squared(rows, row * D, D) - 2 * most;
  }
  return { sums, counts, labels, inertia: inertia / GRID ** 2 };
}

function squared(values, from, length) {
  let sum = 0;
  for (let j = 0; j < length; j++) sum += values[from + j] ** 2;
  return sum;
}

/** Adds the sums and counts of another part of the rows. */
export function merge(into, part) {
  part.sums.forEach((sum, at) => into.sums[at] += sum);
  part.counts.forEach((count, at) => into.counts[at] += count);
  return into;
}

/** Returns the means. A centre without rows stays. */
export const means = ({ sums, counts }, centres) => centres.map((old, at) => {
  const count = counts[Math.floor(at / (centres.length / counts.length))];
  return count === 0 ? old : sums[at] / count;
});

/** Steps until no centre moves, at most 100 times. */
export function kmeans(rows, D, first) {
  let centres = Float64Array.from(first);
  for (let steps = 1; ; steps++) {
    const part = step(rows, D, centres);
    const next = means(part, centres);
    if (steps === 100 || next.every((value, at) => value === centres[at])) return { ...part, centres, steps };
    centres = next;
  }
}

/** Steps from several starts, of rows far apart, and returns the outcome with the least sum of squared distances. */
export function bestOf(starts, rows, D, k) {
  const outcomes = Array.from({ length: starts }, (_, start) => kmeans(rows, D, farRows(rows, D, k, start)));
  return outcomes.reduce((best, next) => next.inertia < best.inertia ? next : best);
}

/** Returns k rows from this one on, each far from those before: k-means++ without chance. */
function farRows(rows, D, k, start) {
  const row = (i) => rows.subarray(i * D, (i + 1) * D);
  const chosen = [start];
  const nearest = new Float64Array(rows.length / D).fill(Infinity);
  while (chosen.length < k) {
    const last = row(chosen.at(-1));
    nearest.forEach((distance, i) => {
      let sum = 0;
      for (let j = 0; j < D; j++) sum += (rows[i * D + j] - last[j]) ** 2;
      nearest[i] = Math.min(distance, sum);
    });
    chosen.push(nearest.indexOf(Math.max(...nearest)));
  }
  return chosen.flatMap((i) => Array.from(row(i)));
}

/** Returns the adjusted Rand index of two labellings (Hubert & Arabie 1985): 1 where they agree, 0 by chance. */
export function randIndex(a, b) {
  const pairs = (keys) => {
    const counts = new Map();
    keys.forEach((key) => counts.set(key, (counts.get(key) ?? 0) + 1));
    return [...counts.values()].reduce((sum, n) => sum + n * (n - 1) / 2, 0);
  };
  const ofA = pairs([...a]), ofB = pairs([...b]), both = pairs(Array.from(a, (label, i) => `${label} ${b[i]}`));
  const chance = ofA * ofB / (a.length * (a.length - 1) / 2);
  return (both - chance) / ((ofA + ofB) / 2 - chance);
}

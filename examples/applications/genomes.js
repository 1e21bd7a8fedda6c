// Similarity of genomes without alignment (Joudaki, Rätsch & Kahles 2020). A window of a sequence is the tensor of all
// pairs of 3-mers in it, one before the other, with gaps between. Its tensor sketch grows k-mer by k-mer, and the slide
// sketch is the sum over windows. Ranks of its distances are compared with ranks of edit distances, on seeded
// mutations. The reference is the tensor itself, 4,096 counts; the sketch has 512 numbers.
//
// Run it in this folder, after ./build.sh dist:
//
//     npm install --no-save ../../dist/npm && node genomes.js
//
// It prints:
//
//     100 pairs of 320 letters, 2 to 150 edits apart
//     rank correlation with the edits, counts of 3-mers: 0.925
//     rank correlation of the slide sketch: 0.9399 here, 0.9548 by all counts, may differ by 0.02500

import { load } from "tensorsketch";
import { figure, rankCorrelation, spread, uniform } from "./common.js";

const [K, D, WINDOW, STRIDE] = [3, 512, 16, 4];
const KMERS = 4 ** K;
const random = uniform(11);
const letter = () => Math.floor(4 * random());

/** Returns a copy in which a share of the letters is replaced, left out or doubled by another. */
function mutated(sequence, rate) {
  return sequence.flatMap((old) => {
    if (random() >= rate) return [old];
    const kind = Math.floor(3 * random());
    return kind === 0 ? [letter()] : kind === 1 ? [] : [old, letter()];
  });
}

/** Levenshtein's distance. */
function edits(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}

const ts = await load({ threads: 0 });
// A count sketch of the unit vectors has the bucket and the sign of each k-mer, for the first place and the second.
const hashesOf = (seed) => [seed, seed + 1].map((seed) => {
  const map = ts.featureMap({ method: "count-sketch", nFeatures: KMERS, nComponents: D, seed });
  const hash = Array.from({ length: KMERS }, (_, kmer) => {
    const z = map.transform({ indptr: [0, 1], indices: [kmer], data: [1] });
    const bucket = z.findIndex((value) => value !== 0);
    return { bucket, sign: z[bucket] };
  });
  map.dispose();
  return hash;
});

const kmersOf = (sequence) => Array.from({ length: sequence.length - K + 1 }, (_, i) =>
  sequence.slice(i, i + K).reduce((code, a) => 4 * code + a, 0));

/** Sums what `addPairs` adds for each window of k-mers. */
function slide(sequence, length, addPairs) {
  const [kmers, sum] = [kmersOf(sequence), new Float64Array(length)];
  for (let i = 0; i + WINDOW <= kmers.length; i += STRIDE) addPairs(kmers.slice(i, i + WINDOW), sum);
  return sum;
}

/** Adds the sketch of the pairs of k-mers: a k-mer comes behind all before it, whose sketch is `before`. */
const sketchPairs = ([firstHash, secondHash]) => (kmers, sum) => {
  const before = new Float64Array(D);
  for (const kmer of kmers) {
    const { bucket, sign } = secondHash[kmer];
    for (let j = 0; j < D; j++) sum[(j + bucket) % D] += sign * before[j];
    before[firstHash[kmer].bucket] += firstHash[kmer].sign;
  }
};

function countPairs(kmers, sum) {
  kmers.forEach((second, at) => kmers.slice(0, at).forEach((first) => sum[first * KMERS + second]++));
}

function countKmers(sequence) {
  const counts = new Float64Array(KMERS);
  for (const kmer of kmersOf(sequence)) counts[kmer]++;
  return counts;
}

const distance = (a, b) => Math.sqrt(a.reduce((sum, value, j) => sum + (value - b[j]) ** 2, 0));
const pairs = Array.from({ length: 100 }, (_, i) => {
  const sequence = Array.from({ length: 320 }, letter);
  return [sequence, mutated(sequence, (i + 1) / 125)];
});
const truth = pairs.map(([a, b]) => edits(a, b));
const ranked = (sketch) => rankCorrelation(pairs.map(([a, b]) => distance(sketch(a), sketch(b))), truth);
console.log(`${pairs.length} pairs of 320 letters, ${Math.min(...truth)} to ${Math.max(...truth)} edits apart`);
console.log(`rank correlation with the edits, counts of ${K}-mers: ${ranked(countKmers).toFixed(3)}`);
const bySketch = (seed) => {
  const add = sketchPairs(hashesOf(seed));
  return ranked((sequence) => slide(sequence, D, add));
};
const SPREAD = 0.0125; // the standard deviation over seeds, twice as much as the figure may differ by
figure("rank correlation of the slide sketch", bySketch(20), "by all counts",
  ranked((sequence) => slide(sequence, KMERS ** 2, countPairs)), 2 * SPREAD);
spread("the rank correlation", SPREAD, bySketch);
ts.dispose();

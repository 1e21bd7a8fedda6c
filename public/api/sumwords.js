// The words of sums, int64 in the order that sketch/model/spec.go says: a part for each fold, and in it the rows, what
// was clipped, a tally, the products, and the rows and sums of each class. Beside them are kept rows
// (sketch/learn/kept.go), with their class first.

import { moved } from "./errors.js";
import { TALLY_WORDS } from "./tables.js";

export const PARTS = { 0: 1, 1: 2, 5: 5 }; // of sums, by folds
export const NONE = new Uint8Array(0); // no kept rows
const FIRST_WORDS = 2; // of a part: its rows, and what was clipped
const HEAD_WORDS = FIRST_WORDS + TALLY_WORDS; // files have the tally, of sketch/learn/tally.go, beside

export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Returns the number of rows of words whose first view has this layout. */
export function rowsOf(words, { words: perPart }, folds) {
  if (!words) return 0;
  const numbers = new BigInt64Array(words.buffer, words.byteOffset, perPart * PARTS[folds]);
  let rows = 0;
  for (let part = 0; part < PARTS[folds]; part++) rows += Number(numbers[part * perPart]);
  return rows;
}

export function sameList(a, b) {
  return a === b || (a?.length === b?.length && a.every((label, i) => Object.is(label, b[i])));
}

/**
 * Returns the layout { D, head, words } of a part of sums of D features: where its classes begin, and its length.
 * `spec` is { task, targets }.
 */
export function layoutOf(D, { task, targets: K }, classes) {
  const head = HEAD_WORDS + D * (D + 1) / 2;
  if (task === "regress") return { D, head, words: head + D + K + K * (K + 1) / 2 + K * D };
  const count = Math.max(1, classes.length);
  return { D, head, words: head + count + count * D };
}

/** Returns how many words of a part are sums that a private release shows. */
export const releasedWords = ({ words }) => words - HEAD_WORDS;

/** Returns the words of a view as files have them, { words, tally }. The tally is a list, of each part. */
export function withoutTally(words, layout) {
  const part = 8 * layout.words, tally = [], kept = [];
  for (let at = 0; at < words.length; at += part) {
    const [first, rest] = [at + 8 * FIRST_WORDS, at + 8 * HEAD_WORDS];
    tally.push(words.subarray(first, rest));
    kept.push(words.subarray(at, first), words.subarray(rest, at + part));
  }
  return { words: joined(kept), tally };
}

/** Returns the words of a view of a file with the tally of its parts. */
export function withTally(words, layout, tally) {
  const part = 8 * (layout.words - TALLY_WORDS), size = 8 * TALLY_WORDS;
  const all = [];
  for (let at = 0, next = 0; at < words.length; at += part) {
    all.push(words.subarray(at, at + 8 * FIRST_WORDS), tally.subarray(next, (next += size)),
      words.subarray(at + 8 * FIRST_WORDS, at + part));
  }
  return joined(all);
}

/** Returns the classes that have rows, in words whose first view has this layout. */
export function classesWithRows(words, { head, words: perPart }, folds, classes) {
  const counts = new BigInt64Array(words.buffer, words.byteOffset, words.length / 8);
  return classes.filter((_, k) => Array.from({ length: PARTS[folds] }, (_, part) =>
    counts[part * perPart + head + k]).some((count) => count !== 0n));
}

/**
 * Reorders the sums in words for another list of classes. New classes get zeros. `from` and `to` are the layouts of the
 * views with these classes and with the others.
 */
export function withClasses(words, folds, [classes, from], [others, to]) {
  const moved = new Uint8Array(8 * PARTS[folds] * to.reduce((sum, { words }) => sum + words, 0));
  let [at, next] = [0, 0];
  from.forEach((old, view) => {
    const made = to[view];
    for (let part = 0; part < PARTS[folds]; part++) {
      moved.set(words.subarray(at, at + 8 * old.head), next);
      const sums = [at + 8 * (old.head + Math.max(1, classes.length)),
        next + 8 * (made.head + Math.max(1, others.length))];
      classes.forEach((label, k) => {
        const place = others.indexOf(label);
        if (place < 0) return;
        const [count, row] = [at + 8 * (old.head + k), sums[0] + 8 * k * old.D];
        moved.set(words.subarray(count, count + 8), next + 8 * (made.head + place));
        moved.set(words.subarray(row, row + 8 * old.D), sums[1] + 8 * place * old.D);
      });
      at += 8 * old.words;
      next += 8 * made.words;
    }
  });
  return moved;
}

/** Returns kept rows of these classes as rows of others. `shape` is { width, each } of the moments. */
export function keptWithClasses(kept, { width, each }, classes, others) {
  if (kept.length === 0 || sameList(classes, others)) return kept;
  const view = new DataView(kept.slice().buffer);
  for (let at = 4; at < kept.length; at += 4 * each + 4 * Math.ceil(width / 2)) {
    view.setInt32(at, others.indexOf(classes[view.getInt32(at, true)]), true);
  }
  return new Uint8Array(view.buffer);
}

// Labels of classes: true, false, numbers and texts. They go to the core as indices of a sorted list.

import { hasLength, isObject, paramError, rowError, shapeError, show } from "./errors.js";

const KINDS = ["boolean", "number", "string"]; // in their order

const isLabel = (value) => typeof value === "boolean" || Number.isFinite(value) ||
  (typeof value === "string" && !/\p{Surrogate}/u.test(value));

const WANT = "be true, false, a finite number or a well-formed text";

/** −1, 0 or 1 in the order of classes: false, true, numbers ascending, texts by their UTF-8 bytes. */
function compareLabels(a, b) {
  const kinds = KINDS.indexOf(typeof a) - KINDS.indexOf(typeof b);
  if (kinds !== 0) return Math.sign(kinds);
  if (typeof a !== "string") return Math.sign(a - b);
  let i = 0;
  while (i < a.length && a.charCodeAt(i) === b.charCodeAt(i)) i++;
  return Math.sign(rank(a, i) - rank(b, i));
}

/** The rank of a UTF-16 unit by UTF-8: surrogates come last. The end of a text comes first. */
function rank(text, i) {
  if (i >= text.length) return -1;
  const unit = text.charCodeAt(i);
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit;
}

/** Returns the labels of y in their order, each once. */
export function classesOf(y) {
  return [...new Set(y)].map((label) => (label === 0 ? 0 : label)).sort(compareLabels); // −0 is 0
}

/** Returns a frozen copy of a list of classes, which must be labels in their order, each once. */
export function readClasses(argument, classes) {
  if (!Array.isArray(classes)) throw paramError(argument, "be an array of labels", classes);
  const copy = Array.from(classes, (label, k) => {
    if (!isLabel(label)) throw paramError(`${argument}[${k}]`, WANT, label);
    return label === 0 ? 0 : label;
  });
  return Object.freeze(copy);
}

/** Does the same, for a list that a file has: it must be in order. */
export function readSortedClasses(argument, classes) {
  const copy = readClasses(argument, classes);
  const bad = copy.findIndex((label, k) => k > 0 && compareLabels(copy[k - 1], label) >= 0);
  if (bad < 0) return copy;
  throw paramError(`${argument}[${bad}]`, `come after ${show(copy[bad - 1])}: false, true, numbers ascending, then ` +
    "texts by their UTF-8 bytes, each once", copy[bad]);
}

/** Checks that y is a list of n labels, and returns it. */
export function readLabels(y, n) {
  checkList(y, n, "label");
  for (let row = 0; row < n; row++) {
    if (!isLabel(y[row])) throw rowError("ERR_PARAM", "y", row, undefined, WANT, show(y[row]));
  }
  return y;
}

/** Returns the index of each label in the classes, or −1. */
export function indicesOf(y, classes) {
  const index = new Map(classes.map((label, k) => [label, k])); // finds 0 for −0
  return Int32Array.from(y, (label) => index.get(label) ?? -1);
}

/** Checks that y has the targets of n rows, and returns them as float64. y may have an array for each row. */
export function readTargets(y, n, targets) {
  const flat = Array.isArray(y) && y.some(isObject) ? flatten(y, targets) : y;
  checkList(flat, n * targets, targets === 1 ? "number" : `number for each of ${targets} targets`);
  const numbers = new Float64Array(n * targets);
  for (let i = 0; i < numbers.length; i++) {
    const at = [Math.floor(i / targets), targets === 1 ? undefined : i % targets];
    if (typeof flat[i] !== "number") throw rowError("ERR_PARAM", "y", ...at, "be a number", show(flat[i]));
    if (!Number.isFinite(flat[i])) {
      throw rowError("ERR_NONFINITE", "y", ...at, "be finite: remove or replace NaN and infinite values",
        String(flat[i]));
    }
    numbers[i] = flat[i];
  }
  return numbers;
}

function flatten(y, targets) {
  return y.flatMap((row, i) => {
    if (typeof row === "object" && row?.length === targets) return Array.from(row);
    throw rowError("ERR_SHAPE", "y", i, undefined, `hold targets = ${targets} numbers`, show(row));
  });
}

function checkList(y, length, each) {
  if (!hasLength(y)) {
    throw paramError("y", `be an array of one ${each} per row`, y);
  }
  if (y.length !== length) throw shapeError("y", `hold one ${each} per row, ${length}`, `length ${y.length}`);
}

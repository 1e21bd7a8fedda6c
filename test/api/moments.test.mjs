// Moments by the core's own exports: the bits that Go has natively, in sketch/learn/testdata/moments.json.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist, wasmFile } from "./helper.mjs";

const { GoProgram } = await import(new URL("gojs.js", dist));
const table = JSON.parse(readFileSync(new URL("../../sketch/learn/testdata/moments.json", import.meta.url), "utf8"));

const program = new GoProgram();
const { exports: e } = new WebAssembly.Instance(new WebAssembly.Module(readFileSync(wasmFile)), program.imports);
program.start(e, {});

/** A buffer with the numbers of a typed array. */
function place(data) {
  const pointer = e.ts_alloc(data.byteLength) >>> 0;
  assert.notEqual(pointer, 0);
  new Uint8Array(e.mem.buffer).set(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), pointer);
  return pointer;
}

/** Returns the grid of a case: a grid of 16 bits comes from its rows. */
function gridOf({ nComponents, is16 }, z, n) {
  if (!is16) return { step: 2 ** -12, limit: 0, finer: [] };
  const out = e.ts_alloc(16 + nComponents) >>> 0;
  assert.deepEqual([e.ts_grid_begin(nComponents), e.ts_grid_add(z, n), e.ts_grid_end(out)], [0, 0, 0]);
  const [step, length] = new Float64Array(e.mem.buffer, out, 2);
  assert.equal(length, nComponents);
  return { step, limit: 32767, finer: new Uint8Array(e.mem.buffer, out + 16, length).slice() };
}

function newMoments(c, { step, limit, finer }) {
  const range = c.targets > 0 ? [-1, 1.5] : [0, 0];
  const fields = Float64Array.of(c.nComponents, c.classes, c.targets, step, ...range, c.folds, 0, 0, limit,
    finer.length);
  const block = new Uint8Array(fields.byteLength + 8 * Math.ceil(finer.length / 8));
  block.set(new Uint8Array(fields.buffer));
  block.set(finer, fields.byteLength);
  const handle = e.ts_moments_new(place(block), block.byteLength);
  assert.notEqual(handle, 0);
  return handle;
}

const TALLY_WORDS = 67; // of a part, after two words

/** Returns the words as files have them. */
function withoutTally(words, { folds }) {
  const parts = { 0: 1, 1: 2, 5: 5 }[folds];
  const each = words.length / parts;
  return Buffer.concat(Array.from({ length: parts }, (_, p) => [words.subarray(p * each, p * each + 16),
    words.subarray(p * each + 8 * (2 + TALLY_WORDS), (p + 1) * each)]).flat());
}

function wordsOf(handle) {
  const n = e.ts_moments_size(handle), out = e.ts_alloc(8 * n) >>> 0;
  assert.equal(e.ts_moments_read(handle, 0, n, out), 0);
  const words = new Uint8Array(e.mem.buffer, out, 8 * n).slice();
  e.ts_free(out);
  return words;
}

/** The rows of each case, from the generator of TestMomentsDigests. */
function* cases() {
  let state = 12345;
  const number = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return (state >> 8) / 2 ** 23;
  };
  const n = 600;
  for (const c of table) {
    const Z = Float32Array.from({ length: n * c.nComponents }, (_, i) => {
      const v = number();
      return Math.fround(v * v * v * 1.2) * (c.is16 ? 2 ** -(i % c.nComponents % 7) : 1);
    });
    const classes = Int32Array.from({ length: c.classes > 0 ? n : 0 }, () => Math.trunc((number() + 1) * 3));
    const y = Float64Array.from({ length: n * c.targets }, number);
    yield { c, n, Z, targets: c.classes > 0 ? classes : y };
  }
}

test("moments have the committed digests, also in parts that are merged", () => {
  let seen = 0;
  for (const { c, n, Z, targets } of cases()) {
    const z = place(Z), t = targets.length > 0 ? place(targets) : 0;
    const grid = gridOf(c, z, n);
    const whole = newMoments(c, grid), sum = newMoments(c, grid), part = newMoments(c, grid);
    assert.equal(e.ts_moments_add(whole, z, n, t, 0), 0);
    const words = wordsOf(whole);
    const digest = createHash("sha256").update(withoutTally(words, c)).digest("hex").slice(0, 16);
    assert.equal(digest, c.digest, JSON.stringify(c));

    const first = 251, eachRow = targets.byteLength / n;
    assert.equal(e.ts_moments_add(part, z, first, t, 0), 0);
    assert.equal(e.ts_moments_add(sum, z + 4 * first * c.nComponents, n - first, t && t + first * eachRow, 0), 0);
    assert.equal(e.ts_moments_merge(sum, part, 0), 0);
    assert.deepEqual(wordsOf(sum), words);
    assert.equal(e.ts_moments_merge(sum, part, 1), 0);
    assert.equal(e.ts_moments_merge(part, sum, 0), 0);
    assert.deepEqual(wordsOf(part), words);

    const copy = newMoments(c, grid);
    assert.equal(e.ts_moments_set(copy, place(words), words.length / 8), 0);
    assert.deepEqual(wordsOf(copy), words);
    for (const handle of [whole, sum, part, copy]) assert.equal(e.ts_map_free(handle), 0);
    seen++;
  }
  assert.ok(seen > 0);
});

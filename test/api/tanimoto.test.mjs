// tensorsketch/tanimoto: features of the Tanimoto kernel of fingerprints.

import assert from "node:assert/strict";
import { test } from "node:test";
import { dist, errorOf } from "./helper.mjs";

const { tanimotoMap } = await import(new URL("tanimoto.js", dist));
const d = 200;

let state = 7;
const random = () => (state = state * 48271 % 2147483647) / 2147483647;

/** Counts of n fingerprints, each like the one before. */
function counts(n, most) {
  const X = new Uint8Array(n * d);
  for (let at = 0; at < X.length; at++) {
    const copied = at >= d && random() < 0.7;
    X[at] = copied ? X[at - d] : random() < 0.2 ? 1 + Math.floor(most * random()) : 0;
  }
  return X;
}

const rowOf = (X, i) => X.subarray(i * d, (i + 1) * d);
const packed = (X) => Uint8Array.from({ length: X.length / 8 }, (_, byte) =>
  X.subarray(8 * byte, 8 * byte + 8).reduce((bits, value, bit) => bits | (value << bit), 0));

/** Σ min / Σ max. */
function exact(x, y) {
  let [least, most] = [0, 0];
  x.forEach((value, i) => {
    least += Math.min(value, y[i]);
    most += Math.max(value, y[i]);
  });
  return least / most;
}

for (const [name, most] of [["bits", 1], ["counts", 5]]) {
  test(`estimates of ${name} have no bias, and σ is the error`, () => {
    const X = counts(6, most);
    let [z, squares, pairs] = [0, 0, 0];
    for (let seed = 0; seed < 60; seed++) {
      const map = tanimotoMap({ nFeatures: d, nComponents: 256, seed });
      const signs = map.signs(X);
      for (let i = 1; i < 6; i++) {
        const [x, y] = [rowOf(X, 0), rowOf(X, i)];
        assert.ok(Math.abs(map.kernel(x, y) - exact(x, y)) < 1e-12);
        const { sigma } = map.stdError(x, y);
        const got = map.estimate(signs.subarray(0, 8), signs.subarray(8 * i, 8 * i + 8));
        const error = (got - exact(x, y)) / sigma;
        z += error;
        squares += error * error;
        pairs++;
      }
    }
    // The five pairs of a seed share a row, so the bounds are of 60 seeds: 4/√60, and 4·√(2/60).
    assert.ok(Math.abs(z / pairs) < 0.52, `mean error is ${z / pairs} σ`);
    assert.ok(Math.abs(squares / pairs - 1) < 0.73, `mean square error is ${squares / pairs} σ²`);
  });
}

test("bits, counts and sparse rows give the same signs, and signs the features", () => {
  const map = tanimotoMap({ nFeatures: d, nComponents: 64 });
  const X = counts(9, 1);
  const signs = map.signs(X);
  assert.deepEqual(map.signs({ bits: packed(X) }), signs);
  const indices = [], indptr = [0];
  for (let i = 0; i < 9; i++) {
    rowOf(X, i).forEach((value, column) => value && indices.push(column));
    indptr.push(indices.length);
  }
  assert.deepEqual(map.signs({ indptr, indices, data: indices.map(() => 1) }), signs);
  const Z = map.transform(X);
  assert.equal(Z.length, 9 * 64);
  const dot = Z.subarray(0, 64).reduce((sum, value, j) => sum + value * Z[64 + j], 0);
  assert.ok(Math.abs(dot - map.estimate(signs.subarray(0, 2), signs.subarray(2, 4))) < 1e-6);
  // Bits that every platform and release has.
  const pinned = tanimotoMap({ nFeatures: 8, nComponents: 32, seed: 5 }).signs({ bits: Uint8Array.of(3, 255) });
  assert.deepEqual(Array.from(pinned), [809535175, 2428019871]);
});

test("nearest has the rows of a full sort", () => {
  const map = tanimotoMap({ nFeatures: d, nComponents: 96 });
  const signs = map.signs(counts(50, 3));
  const row = (i) => signs.subarray(3 * i, 3 * i + 3);
  for (const k of [1, 7, 50, 80]) {
    const { rows, estimates } = map.nearest(signs, signs.subarray(0, 6), k);
    const most = Math.min(k, 50);
    for (const q of [0, 1]) {
      const want = Array.from({ length: 50 }, (_, i) => [i, map.estimate(row(q), row(i))])
        .sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k);
      assert.deepEqual(Array.from(rows.subarray(q * most, (q + 1) * most)), want.map(([i]) => i));
      assert.deepEqual(Array.from(estimates.subarray(q * most, (q + 1) * most)), want.map(([, value]) => value));
    }
  }
});

test("errors name the argument, the value and the remedy", () => {
  errorOf(() => tanimotoMap({ nFeatures: 8, nComponents: 100 }), "ERR_PARAM", "nComponents",
    "nComponents must be a multiple of 32, got 100");
  errorOf(() => tanimotoMap({ nComponents: 64 }), "ERR_PARAM", "nFeatures");
  errorOf(() => tanimotoMap({ nFeatures: 8, seed: -1 }), "ERR_PARAM", "seed");
  errorOf(() => tanimotoMap({ nFeatures: 8, components: 32 }), "ERR_PARAM", "components");
  const map = tanimotoMap({ nFeatures: 4, nComponents: 32 });
  const empty = errorOf(() => map.signs([[1, 0, 0, 0], [0, 0, 0, 0]]), "ERR_PARAM", "X", /row 1.*leave out a row/);
  assert.equal(empty.row, 1);
  errorOf(() => map.signs([[1, 0.5, 0, 0]]), "ERR_PARAM", "X", /scale and round other weights, got 0.5/);
  errorOf(() => map.signs([[1, 2, 0]]), "ERR_SHAPE", "X");
  errorOf(() => map.signs({ bits: Uint8Array.of(1, 31) }), "ERR_SHAPE", "X.bits", /nFeatures = 4, got bit 4/);
  errorOf(() => map.signs({ bits: [1] }), "ERR_PARAM", "X.bits");
  errorOf(() => map.features(new Float32Array(4)), "ERR_PARAM", "signs");
  errorOf(() => map.estimate(new Uint32Array(2), new Uint32Array(1)), "ERR_SHAPE", "sx");
  errorOf(() => map.nearest(new Uint32Array(2), new Uint32Array(1), 0), "ERR_PARAM", "k");
  errorOf(() => map.kernel([[1, 0, 0, 0], [0, 1, 0, 0]], [1, 0, 0, 0]), "ERR_SHAPE", "x");
});

// The exact-kernel ridge of the page (public/page/exactjob.js) solves the system of KernelRidge in sketch/learn:
// (κ(X, X) + αI)·a = t − b, Σ a = 0.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./helper.mjs";

const { kernelOf, predict, solve, targetsOf } = await import("../../public/page/exactjob.js");

const ts = await load();
const [n, d, alpha] = [70, 5, 0.3];
let state = 1;
const random = () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32) * 2 - 1;
const X = Float32Array.from({ length: n * d }, random);
const row = (i) => X.subarray(i * d, (i + 1) * d);

test("kernel and solution of the exact ridge", async () => {
  const identity = ts.featureMap({ method: "count-sketch", nFeatures: d, nComponents: d,
    indexHash: [Array.from({ length: d }, (_, i) => i)], bitHash: [new Array(d).fill(1)] });
  for (const params of [{ degree: 3, coef0: 1 }, { method: "random-fourier" }]) {
    const map = ts.featureMap({ ...params, nFeatures: d, nComponents: 16 });
    const K = await (await kernelOf(map, identity, X, d))(X, X, async () => true);
    for (const [i, j] of [[0, 0], [3, 3], [0, 9], [9, 0], [68, 69], [69, 68]]) {
      const want = map.theory.kernel(row(i), row(j));
      assert.ok(Math.abs(K[i * n + j] - want) < 1e-9, `κ(${i}, ${j}) is ${K[i * n + j]}, want ${want}`);
    }
    const labels = Array.from({ length: n }, (_, i) => (X[i * d] * X[i * d + 1] > 0 ? "a" : "b"));
    for (const targets of [targetsOf(labels, ["a", "b"]), targetsOf(Array.from({ length: n }, random), null)]) {
      const { a, b } = await solve(K.slice(), n, targets, alpha);
      for (const [k, t] of targets.entries()) {
        assert.ok(Math.abs(a[k].reduce((x, y) => x + y)) < 1e-8, "the weights do not add up to 0");
        for (let i = 0; i < n; i++) {
          let sum = b[k] + alpha * a[k][i];
          for (let j = 0; j < n; j++) sum += K[i * n + j] * a[k][j];
          assert.ok(Math.abs(sum - t[i]) < 1e-8, `row ${i} of output ${k} is ${sum}, want ${t[i]}`);
        }
      }
      const found = predict({ a, b }, K.subarray(0, n));
      assert.ok(targets.length === 1 ? Number.isFinite(found) : found === 0 || found === 1);
    }
    map.dispose();
  }
  identity.dispose();
});

// Rules of Go that JavaScript has to know, since it cannot ask: jobs/rules_test.go writes what they say.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist } from "./helper.mjs";

const rules = JSON.parse(readFileSync(new URL("../../jobs/testdata/rules.json", import.meta.url)));

test("the map for learning is the shell's", async () => {
  const { mapParams } = await import(new URL("learnermap.js", dist));
  for (const { map, nFeatures, rows, want } of rules.maps) {
    const { seed: _, ...given } = map;
    const { nComponents, degree = null, coef0 = null } = mapParams(given, nFeatures, rows);
    assert.deepEqual([nComponents, degree, coef0], want, JSON.stringify({ map, nFeatures }));
  }
  assert.ok(rules.maps.length > 200);
});

test("importances have the shell's bits", async () => {
  const { importances } = await import(new URL("importance.js", dist));
  const X = Float32Array.from({ length: 120 }, (_, i) => (i * i) % 17);
  const losses = (X) => Array.from({ length: 40 }, (_, i) => X[3 * i] * X[3 * i + 1] - 2 * X[3 * i + 2]);
  assert.deepEqual(importances(X, 3, [[0], [1], [0, 2]], losses),
    rules.importances.map(({ Drop: drop, StdError: stdError }) => ({ drop, stdError })));
});

// scikit-learn's PolynomialCountSketch, version 1.2.1: features under its own tables, given and derived.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load, sameBits, sharedFile, toCSR } from "./helper.mjs";

const { skip, text } = sharedFile("golden", "sklearn-1.2.1.json");

test("features of scikit-learn 1.2.1, by random_state and by tables, to 1e-6 of the row's norm",
  { skip }, async (t) => {
  const ts = await load({ threads: 0 });
  t.after(() => ts.dispose());
  const { cases } = JSON.parse(text);
  assert.ok(cases.length >= 6);
  for (const c of cases) {
    const common = {
      nFeatures: c.n_features, nComponents: c.n_components, degree: c.degree, gamma: c.gamma, coef0: c.coef0,
    };
    const fitted = ts.featureMap({ ...common, indexHash: c.indexHash, bitHash: c.bitHash });
    const derived = ts.featureMap({ ...common, randomState: c.random_state });
    const Z = fitted.transform(c.X);
    sameBits(derived.transform(c.X), Z, `random_state ${c.random_state}`);
    sameBits(fitted.transform(toCSR(Float64Array.from(c.X.flat()), c.n_features)), Z,
      `CSR, random_state ${c.random_state}`);
    c.Z.forEach((want, row) => {
      const got = Z.subarray(row * c.n_components, (row + 1) * c.n_components);
      const error = Math.hypot(...want.map((w, i) => got[i] - w)) / Math.hypot(...want);
      assert.ok(error < 1e-6, `random_state ${c.random_state}, row ${row}: relative error ${error}`);
    });
  }
});

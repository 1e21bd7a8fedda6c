// What of a private release of a file needs no worker: settings, refusals, clipping, and which files are the same.
// test/page/release_test.go has the rest.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { loadFor, sameBits, toCSR } from "./helper.mjs";
import { loadDataset } from "../../public/api/dataset.js";
import { checkRelease, clipRows, contentOf, featuresOneByOne, releaseFile } from "../../public/page/filerelease.js";

const settings = { kind: "rows", epsilon: 1, delta: 1e-5, radius: 1 };

test("the settings of a release are checked by name", () => {
  assert.deepEqual(checkRelease(settings), { ...settings, rows: undefined, budget: undefined });
  for (const [more, message] of [
    [{ kind: "row" }, 'kind must be "rows", each with noise of its own, or "mean", one of all rows, got "row"'],
    [{ kind: undefined }, 'kind must be "rows", each with noise of its own, or "mean", one of all rows, got undefined'],
    [{ kind: "mean" }, "rows is missing: the number of rows of a mean is public, so type it"],
    [{ rows: 0 }, "rows must be an integer ≥ 1, got 0"],
    [{ rows: "5" }, 'rows must be an integer ≥ 1, got "5"'],
    [{ radius: "1" }, 'radius must be a number, got "1"'],
    [{ sigma: 1 }, 'unknown option "sigma"; known are kind, epsilon, delta, radius, rows, budget'],
    [{ budget: { epsilon: 1, beta: 2 } }, 'unknown key of the budget "beta"; did you mean delta?'],
    [{ budget: 4 }, "budget must be { epsilon, delta }, got 4"],
  ]) assert.throws(() => checkRelease({ ...settings, ...more }), { code: "ERR_PARAM", message });
});

test("what would depend on the rows and have no noise is refused, with its name and what to do", async () => {
  const { misfit } = await rule();
  const number = { name: "a", role: "number", missing: "zero" };
  const plan = (more, rest) => ({ columns: [{ ...number, ...more }], sparse: false, unitNorm: false, ...rest });
  for (const fine of [
    plan({}), plan({ missing: "constant", fill: 3 }), plan({ scaling: "standard", center: 1, scale: 2 }),
    plan({ role: "ignore", missing: "drop" }),
    plan({ role: "words", missing: "drop", words: [1, 1], width: 64 }), plan({ role: "category", values: ["x"] }),
    plan({ role: "category", values: [] }),
    plan({ role: "category", hashed: 8 }), plan({ role: "date", parts: ["days"] }), plan({}, { unitNorm: true }),
    plan({}, { sparse: true, sparseWidth: 9 }),
  ]) assert.equal(misfit({ plan: fine, method: "tensor-sketch" }), "");

  const constant = "count as zero or as a constant";
  for (const [reason, ...plans] of [
    ['column "a" would be handed on as it is, without noise: ignore it', { role: "label" }, { role: "keep" }],
    [`column "a" drops rows with missing cells, and how many would show: have missing cells ${constant}`,
      ...["drop", undefined, null, ""].map((missing) => ({ missing }))],
    [`column "a" ends the release where a cell is missing, which would show: have missing cells ${constant}`,
      { missing: "refuse" }],
    [`column "a" has missing cells count as the mean of these rows: have them ${constant}`, { missing: "mean" }],
    ['column "a" is scaled by what would be learned from the rows: type center and scale, or leave it as it is',
      { scaling: "standard" }, { scaling: "min-max" }],
    ['column "a" has a coordinate for each value that occurs in the rows: type the values, or hash them',
      { role: "category" }, { role: "category", values: null }],
  ]) {
    for (const more of plans) assert.equal(misfit({ plan: plan(more), method: "tensor-sketch" }), reason);
  }
  for (const sparseWidth of [undefined, 0]) {
    assert.equal(misfit({ plan: plan({}, { sparse: true, sparseWidth }), method: "tensor-sketch" }),
      "the number of sparse coordinates would be learned from the rows: type it");
  }
  assert.throws(() => misfit({ plan: plan({ scaling: "standard", center: null, scale: 1 }),
    method: "tensor-sketch" }), /center and scale go together/);
  for (const [reading, missing] of [[undefined, "format"], [{ format: "npy" }, "compression"],
    [{ format: "libsvm", compression: "none", encoding: "utf-8" }, "base"],
    [{ format: "csv", compression: "none", encoding: "utf-8", delimiter: ",", quote: "", decimal: ".", thousands: "",
      dates: "iso" }, "header"],
    [{ format: "jsonl", encoding: "utf-8" }, "compression and keys"]]) {
    assert.equal(misfit({ plan: plan({}), method: "tensor-sketch", reading }),
      `how the file is read would be guessed from its rows: give ${missing} in its reading`);
  }
  assert.match(misfit({ plan: plan({}), method: "nystroem" }),
    /keeps rows of the data as its landmarks: take another one$/);
  assert.match(misfit({ plan: plan({}), method: "k-space" }), /all its features depend on them: take another one$/);
  assert.match(misfit({ plan: plan({}), method: "spherical" }),
    /an error would tell that one is not: take another one$/);
});

test("of a model file it is not known what was typed", async () => {
  const { dataset, misfit } = await rule();
  const of = (column) => {
    const plan = {
      columns: [{ name: "a", role: "number", missing: "zero", ...column }], sparse: false, unitNorm: false,
    };
    return misfit({ preprocessing: dataset.preprocessing(plan).model, method: "tensor-sketch" });
  };
  assert.equal(of({ scaling: "none" }), "");
  assert.equal(of({ role: "category", hashed: 8 }), "");
  const unknown = /\(a model file does not tell what was typed, so say what the columns become\)$/;
  for (const column of [{ scaling: "standard", center: 1, scale: 2 }, { role: "category", values: ["x"] },
    { role: "label", missing: "drop" }]) {
    assert.match(of(column), unknown);
  }
});

/** The one rule for what a release may take, as filejob.js asks it. */
async function rule() {
  const dataset = await loadDataset();
  return { dataset, misfit: (asked) => dataset.misfit({ reading: { format: "npy", compression: "none" }, ...asked }) };
}

test("rows are scaled to the radius, dense and sparse alike", () => {
  const dense = Float32Array.of(3, 4, 0.3, 0.4, 0, 0, -6, 8);
  assert.equal(clipRows(dense, 2, 5), 1);
  assert.deepEqual(dense, Float32Array.of(3, 4, 0.3, 0.4, 0, 0, -3, 4));
  const sparse = {
    indptr: Int32Array.of(0, 2, 2, 3), indices: Int32Array.of(0, 7, 3), data: Float32Array.of(3e38, 4e37, -2),
  };
  assert.equal(clipRows(sparse, 9, 1), 2);
  assert.ok(Math.abs(Math.hypot(sparse.data[0], sparse.data[1]) - 1) < 1e-7);
  assert.equal(sparse.data[2], -1);
});

test("rows that exceed the radius by the rounding of float32 alone are scaled, and not counted", () => {
  const rows = new Float32Array(3 * 1000);
  for (let i = 0; i < rows.length; i += 3) {
    const row = [Math.sin(i), Math.cos(7 * i), Math.sin(3 * i + 1)];
    rows.set(row.map((x) => x / Math.hypot(...row)), i);
  }
  const norms = (X) => Array.from({ length: X.length / 3 }, (_, k) => Math.hypot(...X.subarray(3 * k, 3 * k + 3)));
  assert.ok(norms(rows).filter((norm) => norm > 1).length > 100, "the rows do exceed it");
  const before = rows.slice();
  assert.equal(clipRows(rows, 3, 1), 0);
  assert.ok(rows.some((x, i) => x !== before[i]), "and are scaled");
  assert.equal(clipRows(Float32Array.of(1.000002, 0, 0, 1.0000005, 0, 0), 3, 1), 1);
});

test("a row that the map cannot take counts as zeros, and changes no other", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const map = ts.featureMap({ nFeatures: 2, nComponents: 8, coef0: 1 });
  const X = Float32Array.of(1, 2, 3e38, 0, 0, 4, -1e30, 1e30);
  const want = map.transform([1, 2, 0, 0, 0, 4, 0, 0]);
  for (const rows of [X.slice(),
    { ...toCSR(X, 2), data: Float32Array.from(toCSR(X, 2).data), indices: Int32Array.from(toCSR(X, 2).indices) }]) {
    const { Z, zeroed } = featuresOneByOne(map, rows);
    sameBits(Z, want);
    assert.equal(zeroed, 2);
  }
});

test("a file is known by its content", async () => {
  const bytes = Uint8Array.from({ length: (4 << 20) + 5 }, (_, i) => (i * i) >> 3);
  const sha = (part) => createHash("sha256").update(part).digest();
  const want = sha(Buffer.concat([sha(bytes.subarray(0, 4 << 20)), sha(bytes.subarray(4 << 20))])).toString("hex");
  const seen = [];
  assert.equal(await contentOf(new File([bytes], "a.csv"), (at) => { seen.push(at); }), want);
  assert.deepEqual(seen, [4 << 20, bytes.length]);
  assert.equal(await contentOf(new File([bytes], "b.csv", { lastModified: 5 })), want);
  bytes[bytes.length - 1] ^= 1;
  assert.notEqual(await contentOf(new Blob([bytes])), want);
  assert.equal(await contentOf(new Blob([bytes]), () => false), null);
  assert.equal(await contentOf(new Blob([])), sha(Buffer.alloc(0)).toString("hex"));
});

test("a receiver is told the noise and the map, and nothing else", () => {
  const release = { kind: "mean", epsilon: 1, delta: 1e-5, radius: 2, rows: 10, budget: { epsilon: 4, delta: 1e-5 },
    nComponents: 8, bound: 4, sigma: 3 };
  const state = { release, model: { format: "tensorsketch-model" }, content: "ab", clipped: 3, unusable: 1, zeroed: 0,
    file: { name: "patients.csv" } };
  assert.equal(JSON.stringify(releaseFile(state)),
    '{"format":"tensorsketch-release","version":1,"kind":"mean","rows":10,"nComponents":8,"epsilon":1,' +
      '"delta":0.00001,"radius":2,"bound":4,"sigma":3,"model":{"format":"tensorsketch-model"}}');
  assert.throws(() => releaseFile({ model: state.model }), /has no noise$/);
});

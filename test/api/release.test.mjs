// Private releases of a file by dataset.wasm: what is refused, and the bytes that the shell writes, too.
// jobs/native/release_test.go and test/page/release_test.go have the rest.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load, releaseBy, withFixedNoise } from "./helper.mjs";
import { loadDataset } from "../../public/api/dataset.js";

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

/** The one rule for what a release may take, of dataset/columns/release.go. */
async function rule() {
  const dataset = await loadDataset();
  return { dataset, misfit: (asked) => dataset.misfit({ reading: { format: "npy", compression: "none" }, ...asked }) };
}

/** As Table of test/noise. */
function releaseTable(rows) {
  let text = "a,b,c,d,name\n";
  for (let r = 0; r < rows; r++) {
    text += `${r < 3 ? "0,8,0,0" : `${(r % 7) / 20},${(r % 11) / 40},${-(r % 13) / 50},0.25`},x\n`;
    if (r === 5) text += "1,2,what,4,x\n1,2,3,4,5,6\n";
  }
  return text;
}

/** As Points of test/noise. */
function pointsTable(rows) {
  let text = "x,y,kind\n";
  for (let i = 0; i < rows; i++) {
    const [x, y] = [Math.sin(i * 1.7), Math.cos(i * 2.3)];
    text += `${x.toFixed(3)},${y.toFixed(3)},${i === 4 || i === 9 ? "secret" : x > y ? "outside" : "inside"}\n`;
  }
  return text;
}

test("with the same source of noise, releases and a private model have the bytes of the shell", async () => {
  const [ts, small, columnar] = await Promise.all([load({ threads: 0 }), loadDataset(),
    loadDataset({ columnar: true })]);
  const want = JSON.parse(readFileSync(new URL("../../jobs/native/testdata/releases.json", import.meta.url)));
  const reading = { format: "csv", compression: "none", encoding: "utf-8", delimiter: ",", quote: '"', decimal: ".",
    thousands: "", header: true, dates: "iso" };
  const columns = ["a", "b", "c", "d"].map((name) => ({ name, role: "number", missing: "zero" }));
  await withFixedNoise(async () => {
    for (const kind of ["rows", "mean"]) {
      for (const format of ["npy", "csv", "parquet"]) {
        const { bytes, reply } = await releaseBy(format === "parquet" ? columnar : small, ts, {
          bytes: Object.assign(new TextEncoder().encode(releaseTable(300)), { name: "rows.csv" }), reading,
          plan: { columns, sparse: false, unitNorm: false }, to: { format },
          map: { nComponents: 64, coef0: 1, normalize: "kernel" }, seed: "5",
          release: { kind, epsilon: 4, delta: 1e-5, radius: 1, budget: { epsilon: 5, delta: 1e-5 },
            ...(kind === "mean" && { rows: 302 }) },
        });
        const name = `${kind} as ${format}`;
        assert.equal(createHash("sha256").update(bytes).digest("hex"), want[name], name);
        assert.deepEqual(reply.seen, { clipped: 3, zeroed: 0, unusable: 2 });
      }
    }
    const points = small.source(Object.assign(new TextEncoder().encode(pointsTable(400)), { name: "points.csv" }));
    const { text } = await small.job("private", { files: [points], reading, number: "5",
      map: { nComponents: 64, coef0: 1, normalize: "kernel" },
      ask: { job: "one", task: "classify", classes: ["outside", "inside"], epsilon: 4, delta: 1e-5,
        columns: { roles: { number: ["x", "y"], label: ["kind"] } }, budget: { epsilon: 5, delta: 1e-5 },
        ranges: ["x", "y"].map((name) => ({ name, low: -1, high: 1 })) },
    }, { api: ts, lock: async () => null, unlock: async () => {} }).done;
    points.close();
    assert.equal(createHash("sha256").update(text).digest("hex"), want["a private model"]);
  });
});

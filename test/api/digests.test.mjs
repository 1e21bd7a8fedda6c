// The same bits as Go natively gives: every method over the 200 parameter sets of sketch/testdata/digests.json.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { digests } from "./digests.mjs";
import { loadFor } from "./helper.mjs";

const testdata = (name) => readFileSync(new URL(`../../sketch/testdata/${name}`, import.meta.url), "utf8");

test("every method gives the committed digests", async (t) => {
  const ts = await loadFor(t, { threads: 0 });
  const table = JSON.parse(testdata("digests.json"));
  assert.equal(table.sets.length, 200);
  const got = await digests(ts, table);
  const want = testdata("digests.txt").trimEnd().split("\n");
  assert.equal(got.length, want.length);
  assert.equal(got[0], want[0]);
  const names = want[0].split(" ");
  const differences = [];
  want.slice(1).forEach((line, i) => line.split(" ").forEach((digest, m) => {
    const found = got[i + 1].split(" ")[m];
    if (found !== digest) differences.push(`set ${i} of ${names[m]}: ${found}, want ${digest}`);
  }));
  assert.deepEqual(differences, []);
});

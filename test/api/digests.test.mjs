// The same bits as Go natively gives: every method over the 200 parameter sets of sketch/testdata/digests.json, and its
// vectors in sketch/testdata/vectors.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { digests } from "./digests.mjs";
import { load, sameBits, toCSR } from "./helper.mjs";

const folder = new URL("../../sketch/testdata/", import.meta.url);
const testdata = (name) => readFileSync(new URL(name, folder), "utf8");
const ts = await load({ threads: 0 });

test("every method gives the committed digests", async () => {
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

/** What one map makes of rows. Rows of a map of products are its vectors one after another. */
function transform(map, rows, form) {
  const each = map.params.nFeatures;
  if (!Array.isArray(each)) return map.transform(form(Float32Array.from(rows.flat()), each));
  let from = 0;
  return map.transformProduct(each.map((d) => {
    const x = Float32Array.from(rows.flatMap((row) => row.slice(from, from + d)));
    from += d;
    return form(x, d);
  }));
}

const files = readdirSync(new URL("vectors/", folder));
assert.ok(files.length > 0);
for (const file of files) {
  test(`vectors of ${file}`, () => {
    const cases = JSON.parse(testdata(`vectors/${file}`));
    for (const { name, model, key, rows, features } of cases) {
      assert.equal(`${model.method}.json`, file, name);
      const map = ts.fromJSON(model, key && { key: Buffer.from(key, "hex") });
      const want = Float32Array.from(features.flat());
      sameBits(transform(map, rows, (x) => x), want, name);
      sameBits(transform(map, rows, toCSR), want, `${name}, sparse`);
      assert.equal(JSON.stringify(map.toJSON({ includeKey: model.key !== undefined })), JSON.stringify(model), name);
      map.dispose();
    }
  });
}

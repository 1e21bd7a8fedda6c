// The vectors of every method, sketch/testdata/vectors/: the bits that Go has.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load, sameBits, toCSR } from "./helper.mjs";

const folder = new URL("../../sketch/testdata/vectors/", import.meta.url);
const files = readdirSync(folder).sort();

const ts = await load({ threads: 0 });

/** What one map makes of rows: those of a map of products are its vectors one after another. */
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

test("there are vectors", () => assert.ok(files.length > 0));

for (const file of files) {
  test(file, () => {
    const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
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

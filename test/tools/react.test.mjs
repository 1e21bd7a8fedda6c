// The hook of the README in StrictMode, which runs effects twice: each effect has a model of its own, all but the one
// in use are disposed of, and what a component without one shows is what it shows before.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { act, createElement, StrictMode } from "react";
import { create } from "react-test-renderer";
import { load } from "tensorsketch";
import { loadDataset } from "tensorsketch/dataset";

globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const readme = readFileSync(new URL("README.md", import.meta.resolve("tensorsketch/package.json")), "utf8");
const [hook] = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code)
  .filter((code) => code.startsWith("// useModel.js\n"));
writeFileSync("useModel.mjs", hook);
const { useModel } = await import(new URL("useModel.mjs", import.meta.url));

const rows = Array.from({ length: 60 }, (_, i) => ({ x: i, kind: i < 30 ? "low" : "high" }));
const ts = await load({ threads: 0, dataset: loadDataset });
const options = { label: "kind", map: { nComponents: 32 }, search: "off", columns: { unitNorm: false } };
const file = JSON.stringify(await ts.fit(rows, options));

test("useModel in StrictMode", async () => {
  const seen = new Set();
  function Kind({ file }) {
    const model = useModel(file);
    if (model) seen.add(model);
    return model ? model.classes.join() : "…";
  }
  const page = (file) => createElement(StrictMode, null, createElement(Kind, { file }));
  const shows = async (text) => {
    for (let i = 0; root.toJSON() !== text && i < 100; i++) await act(() => new Promise((end) => setTimeout(end, 20)));
    assert.equal(root.toJSON(), text);
  };
  let root;
  await act(async () => (root = create(page(file), { unstable_strictMode: true })));
  await shows("high,low");
  const [first] = seen;
  assert.deepEqual((await first.topAsync([{ x: 3 }], 1)).map(([{ label }]) => label), ["low"]);
  await act(async () => root.update(page(file.replace('"high"', '"higher"'))));
  await shows("higher,low");
  assert.throws(() => first.scores([[1]]), { code: "ERR_DISPOSED" });
  await act(async () => root.unmount());
  assert.equal(seen.size, 2, "one model for each file was shown");
  for (const model of seen) assert.throws(() => model.scores([[1]]), { code: "ERR_DISPOSED" });
});

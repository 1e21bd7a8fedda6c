// The code of the package's README runs as it stands, and prints what its comments say.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dist } from "./helper.mjs";

const readme = readFileSync(new URL("../../packaging/README.md", import.meta.url), "utf8");

/** What the recipes find: files, and in Node the Worker of a page. */
const found = {
  "first.csv": `age,income,town\n${"21,1200,Ulm\n64,5400,Bonn\n40,3000,Ulm\n".repeat(10)}`,
  "new-rows.csv": "town,income,age\nBonn,2000,30\nUlm,4100,51\n",
  "page.mjs": `
    import { isMainThread, parentPort, Worker } from "node:worker_threads";
    if (isMainThread) {
      globalThis.Worker = class extends Worker {
        addEventListener = (type, heard) => this.on(type, (data) => heard({ data }));
        set onmessage(heard) { this.addEventListener("message", heard); }
      };
    } else {
      globalThis.postMessage = (data, transfer) => parentPort.postMessage(data, transfer);
      Object.defineProperty(globalThis, "onmessage", {
        set: (heard) => parentPort.on("message", (data) => heard({ data })),
      });
    }`,
};

test("the recipes of the README run and print what they say", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "recipes-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const save = (name, text) => writeFileSync(join(folder, name), text);
  Object.entries(found).forEach(([name, text]) => save(name, text));
  const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code
    .replace('"tensorsketch"', JSON.stringify(new URL("tensorsketch.js", dist)))
    .replace('"tensorsketch/dataset"', JSON.stringify(new URL("dataset.js", dist))));
  const [, beginning] = blocks; // of the recipes that load nothing
  let recipes = 0;
  for (const code of blocks) {
    const [, name] = /^\/\/ (\S+\.js)$/m.exec(code) ?? [];
    if (name) {
      save("package.json", '{ "type": "module" }');
      save(name, code);
      continue;
    }
    save("recipe.mjs", code.includes("await load()") || code.includes("loadDataset") ? code : beginning + code);
    const said = [...code.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].flatMap(([, text]) => text.split(" "));
    const printed = execFileSync(process.execPath, ["--import", "./page.mjs", "recipe.mjs"], {
      cwd: folder, encoding: "utf8", timeout: 60_000,
    });
    assert.deepEqual(printed.split("\n").slice(0, -1), said, code);
    recipes++;
  }
  assert.equal(recipes, 11);
});

// The code of the package's README and of the page's place About runs as it stands.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { dist, generator } from "./helper.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const readme = read("packaging/README.md");

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
    .replaceAll(/"tensorsketch\/(dataset|index|learn|map|simd|tanimoto)"/g,
      (_, name) => JSON.stringify(new URL(`${name}.js`, dist))));
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
  assert.equal(recipes, 24);
});

// An estimate beside what it estimates.
test("the code of About runs as it is, with the library beside it", async (t) => {
  const [, shown] = read("ui/about.html").match(/<pre id="code"[^>]*>([^]*?)<\/pre>/);
  const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };
  const code = shown.replace(/<[^>]*>/g, "").replace(/&\w+;/g, (entity) => entities[entity]);
  assert.match(code, /^import \{ load \} from "\.\/tensorsketch\.js";\n/);
  assert.ok(code.trim().split("\n").length <= 12, "about ten lines");
  t.mock.method(Math, "random", generator(1));
  const printed = [];
  t.mock.method(console, "log", (...values) => printed.push(...values));
  const program = code.replace("./tensorsketch.js", new URL("tensorsketch.js", dist));
  await import(`data:text/javascript,${encodeURIComponent(program)}`);
  const numbers = printed.filter((value) => typeof value === "number");
  assert.equal(numbers.length, 3, `printed ${printed}`);
  const [estimate, kernel, sigma] = numbers;
  assert.ok(sigma > 0 && Math.abs(estimate - kernel) < 5 * sigma, `printed ${printed}`);
});

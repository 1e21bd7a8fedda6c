// The code that the page's place About offers to copy: it runs, and prints an estimate beside what it estimates.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { dist, generator } from "./helper.mjs";

const page = readFileSync(new URL("../../ui/about.html", import.meta.url), "utf8");
const entities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&amp;": "&" };

/** What the Copy button copies: the text of #code. */
function codeToCopy() {
  const [, content] = page.match(/<pre id="code"[^>]*>([^]*?)<\/pre>/);
  return content.replace(/<[^>]*>/g, "").replace(/&\w+;/g, (entity) => entities[entity]);
}

test("the code of About runs as it is, with the library beside it", async (t) => {
  const code = codeToCopy();
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

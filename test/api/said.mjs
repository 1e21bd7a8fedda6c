// Pins the sentences that a person reads, as package test/golden does in Go. What the tests of a file say is in
// testdata/FILE.txt: the name of a test, then its sentences in order. After a change of a sentence,
// `SENTENCES=update node --test test/api/FILE.test.mjs` writes that file anew, and its difference shows every sentence
// before and after.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";

const isUpdated = process.env.SENTENCES === "update";

/** Returns said(t, error), which fails unless the error's message is the next sentence of this test. */
export function sentencesOf(url) {
  const [, name] = /([^/]+)\.test\.mjs$/.exec(url);
  const file = new URL(`testdata/${name}.txt`, import.meta.url);
  const known = isUpdated ? new Map() : read(file);
  const met = new Map(); // how many sentences of each test
  return (t, { message }) => {
    const sentence = message.replaceAll("\n", "\\n"), at = met.get(t.name) ?? 0;
    met.set(t.name, at + 1);
    if (isUpdated) {
      known.set(t.name, [...(known.get(t.name) ?? []), sentence]);
      write(file, known);
      return;
    }
    assert.equal(sentence, known.get(t.name)?.[at],
      `sentence ${at} of ${name}.txt: change it there, or run SENTENCES=update node --test test/api/${name}.test.mjs`);
  };
}

function read(file) {
  const known = new Map();
  let sentences;
  for (const line of readFileSync(file, "utf8").split("\n")) {
    if (line.startsWith("\t")) sentences.push(line.slice(1));
    else if (line) known.set(line, (sentences = []));
  }
  return known;
}

function write(file, known) {
  writeFileSync(file, Array.from(known, ([test, sentences]) => [test, ...sentences.map((text) => `\t${text}`), ""])
    .flat().join("\n"));
}

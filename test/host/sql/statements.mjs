// The SQL of docs/sql.md, for the tests in both databases.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** The statements of the page in order, those of one kind of block: "sql", or "sql clickhouse". */
export const statements = (page, kind) =>
  [...readFileSync(page, "utf8").matchAll(/^```(sql.*)\n([^]*?)^```/gm)].filter(([, name]) => name === kind)
    .flatMap(([, , text]) => text.split(";\n")).map((text) => text.trim()).filter((text) => text !== "");

/** The statement that is an error on purpose is the last. */
export const isWrong = (sql) => sql.includes("['in']");

/** A row of the table for speed: 64 numbers of i, in the words of a database for lists. */
export const number = (i, j) => `((${i} * 7919 + ${j} * 104729) % 2003) / 1001.5 - 1`;

export const hash = (text) => createHash("sha256").update(text.trim()).digest("hex").slice(0, 16);

/** Prints what the Go test compares, and how fast sums of groups are made. */
export function report(name, accuracy, model, fromStart) {
  console.log(`accuracy ${accuracy.toFixed(3)}`);
  console.log(`model ${hash(model)}`);
  console.log(`shell ${hash(fromStart)}`);
}

export const speed = (what, n, began) =>
  console.log(`# ${what}: ${Math.round(n / ((performance.now() - began) / 1000))} rows/s, ` +
    `${Math.round(process.memoryUsage().rss / 2 ** 20)} MB`);

// Compiles the JavaScript and TypeScript in the READMEs and in docs/ with the package's types, by tsc --strict. A block
// that names what another place made gets it from `before`. node recipes.mjs TSC

import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** What readers have by then: the beginning of a block that loads nothing itself. */
const before = {
  "packaging/README.md": blocksOf("packaging/README.md")[1].code,
};

function blocksOf(file) {
  return [...readFileSync(`${root}${file}`, "utf8").matchAll(/^```([jt]s)\n(.*?)^```$/gms)]
    .map(([, language, code]) => ({ language, code }));
}

/** What the blocks take of Node: its types are no part of this package. */
const node = `declare module "node:fs" {
  export function readFileSync(path: string): Uint8Array;
  export function readFileSync(path: string, encoding: "utf8"): string;
  export function writeFileSync(path: string, data: string | Uint8Array | Float32Array): void;
}
declare module "react" {
  export function useEffect(effect: () => () => void, of: unknown[]): void;
  export function useState<T>(first: T): [T, (next: T) => void];
}
declare module "@duckdb/node-api" {
  export const DuckDBInstance: { create(path: string): Promise<{ connect(): Promise<object> }> };
}
// of README.md
declare var X: Float32Array, Xnew: Float32Array, Xtest: Float32Array, labels: string[], labelsTest: string[];
`;

const folder = mkdtempSync(join(tmpdir(), "recipes-"));
const config = {
  compilerOptions: {
    strict: true, exactOptionalPropertyTypes: true, noEmit: true, allowJs: true, checkJs: true,
    skipDefaultLibCheck: true, // lib.dom.d.ts is a third of the time, and not ours
    target: "ES2022", lib: ["ES2022", "DOM", "DOM.Iterable"],
    module: "ESNext", moduleResolution: "Bundler", moduleDetection: "force", types: [],
    paths: { tensorsketch: [`${root}public/api/tensorsketch.d.ts`],
      "tensorsketch/dataset": [`${root}public/api/dataset.d.ts`],
      "tensorsketch/simd": [`${root}public/api/tensorsketch.d.ts`],
      "tensorsketch/learn": [`${root}public/api/learn.d.ts`],
      "tensorsketch/index": [`${root}public/api/index.d.ts`],
      "tensorsketch/map": [`${root}public/api/map.d.ts`],
      "tensorsketch/tanimoto": [`${root}public/api/tanimoto.d.ts`] },
  },
  include: ["*"],
};
writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
writeFileSync(join(folder, "node.d.ts"), node);
writeFileSync(join(folder, "core.d.ts"), // examples/duckdb-udf/core.js
  "export function registerCore(connection: object, core: Uint8Array): void;\n");
let count = 0;
const docs = readdirSync(`${root}docs`).filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`);
for (const file of ["README.md", "packaging/README.md", ...docs]) {
  for (const { language, code } of blocksOf(file)) {
    const isWhole = /\b(load|loadDataset)\(|^export /m.test(code);
    const text = isWhole ? code.replace("./dist/npm/tensorsketch.js", "tensorsketch")
      : inside(before[file] ?? "", code);
    const name = `${file.replaceAll(/\W/g, "-")}-${++count}`;
    writeFileSync(join(folder, `${name}.${language}`), text);
    if (text.includes("export const saveModel")) writeFileSync(join(folder, "stores.ts"), storing(name));
  }
}
const program = `${root}../shared/cases/npm/types/app.ts`; // what a developer wrote
if (existsSync(program)) writeFileSync(join(folder, "app.ts"), readFileSync(program));
else console.log("skipped: the program of ../shared/cases is not there");
try {
  execFileSync(process.execPath, [resolve(process.argv[2]), "-p", folder], { cwd: folder, stdio: "inherit" });
  console.log(`${count} blocks compile`);
  rmSync(folder, { recursive: true });
} catch {
  console.error(`look at ${folder}`);
  process.exitCode = 1;
}

/** Returns a program that keeps models by the functions of a block: of rows as objects, of numbers and of a file. */
function storing(block) {
  return `import { load } from "tensorsketch";
import { saveModel, savedModel } from "./${block}";

const ts = await load();
await saveModel("objects", await ts.fit([{ x: 1, kind: "a" }], { label: "kind" }));
await saveModel("numbers", await ts.fit([[1]], [1], { task: "regress" }));
await saveModel("file", ts.fromJSON((await savedModel("numbers")) ?? "", { task: "regress" }));
`;
}

/** Returns a block after what it needs. Its imports stay at the top. */
function inside(beginning, code) {
  const imports = /^import .*\n/gm;
  return `${(code.match(imports) ?? []).join("")}${beginning}\n{\n${code.replaceAll(imports, "")}}\n`;
}

// Reads the labels of tables as the page's worker does, in Node, and has the worker learn from them and save models,
// with D 64. node labels.mjs FOLDER, the folder of the page. Of each line of its input, { file, label, model, params,
// unit, search } as JSON, it prints { sniffed, notes, task, model } as a line of JSON: the notes of sniffing and of
// reading, and the text of the model file; with `search` also as `found` the model that a search finds. The label "?"
// is the one that is guessed, and `unit` divides rows by their length. Without a label, it prints what the page
// predicts for the table by a model file. What went wrong is { error }.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [folder] = process.argv.slice(2);
const page = (name) => import(`${folder}/page/${name}`);
const { haveCore, haveDataset, sniff } = await page("engines.js");
const { answer } = await page("usejob.js");
const { answer: learn } = await page("learnjob.js");

globalThis.postMessage = () => {};
await haveCore();
let asked = 0;

async function tell({ file, label, model, params, unit, search }) {
  const told = {};
  if (!label) {
    const { rows, unused, notes, blob, score, labelled } = await answer({ type: "usePredict", file,
      options: {}, saved: JSON.parse(readFileSync(model, "utf8")) });
    return { rows, unused, notes, score: score.value, labelled, csv: await blob.text() };
  }
  const from = await haveDataset();
  const { source, layout } = await sniff(file, { options: {} });
  told.sniffed = layout.notes;
  const plan = from.plan(layout);
  const of = (role) => plan.columns.filter((column) => column.role === role);
  plan.unitNorm = unit;
  const [{ name } = {}] = of("label");
  if (name && ![name, "?"].includes(label)) throw new Error(`${name} is taken as the label`);
  if (!name) Object.assign(plan.columns.find(({ name }) => name === label), { role: "label",
    missing: "drop", scaling: "none" });
  let rows = from.preprocessing(plan);
  if (rows.needsFit) rows = from.fit(source, layout, rows);
  const labels = from.labels(layout, rows);
  let stats;
  for (const block of from.rows(source, layout, rows, (counts) => (told.notes = counts.notes))) {
    stats = labels.see(from.texts(block), block.places);
  }
  told.notes.push(...labels.notes(stats.task));
  told.task = stats.task;
  asked++;
  await learn({ type: "learn", session: asked, rows: asked, file, options: {}, plan, params, sizes: [64], task: "auto",
    seed: 1 });
  told.model = await learn({ type: "learnModel", D: 64 });
  if (search) told.found = (await learn({ type: "learnSearch" })).model;
  return told;
}

for await (const line of createInterface({ input: process.stdin })) {
  const told = await tell(JSON.parse(line)).catch((error) => ({ error: error.stack }));
  process.stdout.write(`${JSON.stringify(told)}\n`);
}

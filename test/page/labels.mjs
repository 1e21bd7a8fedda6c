// Reads the labels of a table as the page's worker does, in Node, and fits the model that the command `fit` fits to it.
// Prints { sniffed, notes, task, model } as JSON: the notes of sniffing and of reading, and the text of the model file,
// unless a label is missing. Without a label, it prints what the page predicts for the table by a model file.

import { readFileSync } from "node:fs";

const [folder, file, label, model] = process.argv.slice(2);
const page = (name) => import(`${folder}/page/${name}`);
const { joinRows } = await page("blocks.js");
const { haveCore, haveDataset, sniff } = await page("engines.js");
const engines = await page("engines.js");
const { answer } = await page("usejob.js");

/** Fits a model as `fit --components 64 --degree 2` does. */
async function modelOf({ nFeatures, preprocessing }, X, y, task) {
  const map = ts.featureMap({ nFeatures, nComponents: 64, degree: 2, coef0: 1 });
  const { grid, ...spec } = ts.prepare(X, y, { map, task, folds: 1, preprocessing }); // without a search: by the radius
  const learner = ts.learner(spec);
  await learner.addAsync(X, y);
  return JSON.stringify((await learner.fit()).toJSON());
}

globalThis.postMessage = () => {};
await haveCore();
const { ts } = engines;
const told = {};
if (label) {
  const from = await haveDataset();
  const { source, layout } = await sniff(file, { options: {} });
  told.sniffed = layout.notes;
  const plan = from.plan(layout);
  const of = (role) => plan.columns.filter((column) => column.role === role);
  for (const column of of("label")) if (column.name !== label) throw new Error(`${column.name} is taken as the label`);
  if (of("label").length === 0) Object.assign(plan.columns.find(({ name }) => name === label), { role: "label",
    missing: "drop", scaling: "none" });
  let rows = from.preprocessing(plan);
  if (rows.needsFit) rows = from.fit(source, layout, rows);
  const parts = [], texts = [];
  const labels = from.labels(layout, rows);
  let stats;
  for (const block of from.rows(source, layout, rows, (counts) => (told.notes = counts.notes))) {
    parts.push(block.X);
    texts.push(...from.texts(block));
    stats = labels.see(from.texts(block), block.places);
  }
  told.notes.push(...labels.notes(stats.task));
  const X = joinRows(parts), y = labels.read(texts);
  told.task = stats.task;
  const { nFeatures, model: preprocessing } = rows;
  if (!y.includes(null)) told.model = await modelOf({ nFeatures, preprocessing }, X, y, stats.task);
} else {
  const { rows, unused, notes, blob, score, labelled } = await answer({ type: "usePredict", file,
    options: {}, saved: JSON.parse(readFileSync(model, "utf8")) });
  Object.assign(told, { rows, unused, notes, score: score.value, labelled, csv: await blob.text() });
}
console.log(JSON.stringify(told));
process.exit(0);

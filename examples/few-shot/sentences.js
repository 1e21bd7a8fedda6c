// Five labelled messages per class and a sentence encoder make a classifier (compare Schwartz et al. 2017, Sun et al.
// 2020). embed.py makes the embeddings by all-MiniLM-L6-v2; they are not committed. The features are of degree 2 with
// coef0 1, so what a linear model knows is in them. The reference is the nearest mean of the five, which few examples
// suffice for.
//
// Run it in this folder, after ./build.sh dist and embed.py:
//
//     npm install --no-save ../../dist/npm && node sentences.js
//
// It prints:
//
//     20 messages to learn from, 40 new ones
//     right: 38 here, 38 by the nearest mean
//     The tracking number does not work. login instead of delivery
//     You solved my problem in five minutes, impressive. login instead of praise
//     "My refund has not reached my account." delivery 0.01, invoice 0.97, login 0.01, praise 0.01

import { readFileSync } from "node:fs";
import { load } from "tensorsketch";
import { messages } from "./messages.js";

const rows = JSON.parse(readFileSync("embeddings.json", "utf8"));
const classes = Object.keys(messages);
const labelled = Object.entries(messages).flatMap(([label, texts]) => texts.map((text, i) => ({ label, text, i })))
  .map((message, at) => ({ ...message, row: rows[at] }));
const shown = labelled.filter(({ i }) => i < 5), fresh = labelled.filter(({ i }) => i >= 5);
const rowsOf = (list) => list.map(({ row }) => row), labelsOf = (list) => list.map(({ label }) => label);

const ts = await load({ threads: 0 });
const model = await ts.fit(rowsOf(shown), labelsOf(shown), { folds: 5, search: "off",
  map: { nComponents: 1024, degree: 2 } });
const predicted = model.predict(rowsOf(fresh));
const right = predicted.filter((label, at) => label === fresh[at].label).length;

const means = classes.map((label) => shown.filter((message) => message.label === label)
  .reduce((sum, { row }) => sum.map((value, j) => value + row[j] / 5), Array(384).fill(0)));
const distance = (row, mean) => row.reduce((sum, value, j) => sum + (value - mean[j]) ** 2, 0);
const nearest = (row) => classes[means.map((mean) => distance(row, mean)).reduce((best, value, c, all) =>
  value < all[best] ? c : best, 0)];
const byMeans = fresh.filter(({ row, label }) => nearest(row) === label).length;

console.log(`${shown.length} messages to learn from, ${fresh.length} new ones`);
console.log(`right: ${right} here, ${byMeans} by the nearest mean`);
fresh.forEach(({ text, label }, at) => {
  if (predicted[at] !== label) console.log(`${text} ${predicted[at]} instead of ${label}`);
});
const question = fresh.findIndex(({ text }) => text.startsWith("My refund"));
console.log(`"${fresh[question].text}" ${model.classes.map((label, c) =>
  `${label} ${model.probabilities(rowsOf(fresh))[question * 4 + c].toFixed(2)}`).join(", ")}`);
if (right < byMeans - 3) throw new Error("fewer are right than by the nearest mean, by more than 3");
ts.dispose();

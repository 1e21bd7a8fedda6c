// Two modes fused by compact bilinear pooling, a question about an image in small (Fukui et al. 2016). The image is one
// of USPS with 8 × 8 pixels, means of four. The question is "Is it a 0?", …, "Is it a 9?", as one of ten places. The
// answer is yes for half of them. It depends on pairs of a pixel and a place: a linear model on both side by side
// cannot know it. The sketch of image ⊗ question has 256 numbers. The reference is all 640 products.
//
// Run it in this folder, after ./build.sh dist, with ../../../shared/data/usps-zip.train.gz and .test.gz:
//
//     npm install --no-save ../../dist/npm && node fused.js
//
// It prints:
//
//     1500 questions to learn from, 600 new ones
//     side by side, 74 numbers: 60.0 % right
//     all products, 640 numbers: 92.2 % right
//     fused sketches, 256 numbers: 90.0 % right
//     accuracy of fused sketches: 0.9000 here, 0.9217 with all products, may differ by 0.03500

import { load } from "tensorsketch";
import { asTheyAre, sharesRight, shared } from "./common.js";

const [PIXELS, DIGITS, D] = [64, 10, 256];
const ts = await load({ threads: 0 });

/** Reads images. Each second one is asked whether it is its digit, and each other one whether it is another. */
function questions(file, count) {
  const lines = shared(file).toString().trim().split("\n").slice(0, count);
  const table = lines.map((line) => line.trim().split(/\s+/).map(Number));
  const asked = new Float32Array(count * DIGITS);
  table.forEach(([digit], i) => asked[i * DIGITS + (i % 2 ? digit : (digit + 1 + i / 2 % 9) % 10)] = 1);
  const images = new Float32Array(count * PIXELS);
  table.forEach(([, ...pixels], i) => pixels.forEach((value, at) =>
    images[i * PIXELS + 8 * (at >> 5) + (at % 16 >> 1)] += (value + 1) / 8));
  return { images, asked, answers: table.map((_, i) => i % 2 ? "yes" : "no") };
}

/** What `numbers` makes of an image and the place of its question, with length 1. */
function each({ images, asked, answers }, width, numbers) {
  return answers.map((_, i) => {
    const out = new Float32Array(width);
    const x = images.subarray(i * PIXELS, (i + 1) * PIXELS);
    numbers(x, asked.subarray(i * DIGITS, (i + 1) * DIGITS).indexOf(1), out);
    return out;
  });
}

const train = questions("usps-zip.train.gz", 1500), test = questions("usps-zip.test.gz", 600);

async function right(name, width, features) {
  const options = { task: "classify", linear: false, folds: 0, map: asTheyAre(width) };
  const model = await ts.fit(features(train), train.answers, options);
  const hits = model.predict(features(test)).map((answer, i) => answer === test.answers[i]);
  console.log(`${name}, ${width} numbers: ${(hits.filter(Boolean).length / 6).toFixed(1)} % right`);
  return hits;
}

console.log(`${train.answers.length} questions to learn from, ${test.answers.length} new ones`);
await right("side by side", PIXELS + DIGITS, (set) => each(set, PIXELS + DIGITS, (x, place, out) => {
  out.set(x);
  out[PIXELS + place] = 1;
}));
const all = await right("all products", PIXELS * DIGITS, (set) =>
  each(set, PIXELS * DIGITS, (x, place, out) => out.set(x, place * PIXELS)));
const map = ts.featureMap({ nFeatures: [PIXELS, DIGITS], nComponents: D, seed: 1 });
const sketched = await right("fused sketches", D, ({ images, asked }) =>
  map.poolProduct([images, asked], { size: 1 }));
sharesRight("accuracy of fused sketches", sketched, "with all products", all);
ts.dispose();

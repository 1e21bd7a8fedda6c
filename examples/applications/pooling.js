// Compact bilinear pooling (Gao, Beijbom, Zhang & Darrell 2016), of two modes (Fukui et al. 2016), in JavaScript. An
// image is a set of patches; its features are Σ x ⊗ x ⊗ r over the patches x, with r the region of the image where the
// patch is. `poolProduct` sketches the sum, whose 16 · 16 · 9 numbers are never made. A linear model learns from it.
// The references are these numbers themselves, 1,224 without those that come twice, and the concatenation Σ (x, x², r).
//
// Run it in this folder, after ./build.sh dist, with ../../../shared/data/usps-zip.train.gz and .test.gz; it takes a
// number of training images, by default 600:
//
//     npm install --no-save ../../dist/npm && node pooling.js 7291
//
// Without a number it prints:
//
//     600 images to learn from, 600 new ones
//     concatenated, 41 numbers: 52.7 % right
//     all products, 1224 numbers: 92.0 % right
//     pooled sketches, 512 numbers: 92.8 % right
//     accuracy of pooled sketches: 0.9283 here, 0.9200 with all products, may differ by 0.03000

import { load } from "tensorsketch";
import { asTheyAre, figure, shared } from "./common.js";

const [PATCH, REGIONS, D, PATCHES] = [16, 9, 512, 49];
const rows = Number(process.argv[2] ?? 600);
const ts = await load({ threads: 0 });
const train = images("usps-zip.train.gz", rows), test = images("usps-zip.test.gz", Math.min(rows, 2007));

/** Reads images of 16 × 16 pixels, and cuts each into 7 × 7 patches of 4 × 4 and the region of each patch. */
function images(file, count) {
  const text = shared(file).toString().trim();
  const lines = text.split("\n").slice(0, count).map((line) => line.trim().split(/\s+/).map(Number));
  const patches = new Float32Array(lines.length * PATCHES * PATCH);
  const regions = new Float32Array(lines.length * PATCHES * REGIONS);
  lines.forEach(([, ...pixels], image) => {
    for (let patch = 0; patch < PATCHES; patch++) {
      const [top, left, at] = [Math.floor(patch / 7), patch % 7, image * PATCHES + patch];
      for (let i = 0; i < PATCH; i++) {
        patches[at * PATCH + i] = (pixels[(2 * top + (i >> 2)) * 16 + 2 * left + i % 4] + 1) / 2;
      }
      regions[at * REGIONS + 3 * Math.floor(top * 3 / 7) + Math.floor(left * 3 / 7)] = 1;
    }
  });
  return { patches, regions, labels: lines.map(([digit]) => digit) };
}

/** The sums over the patches of each image of what `numbers` makes of a patch and the place of its region. */
function sums({ patches, regions, labels }, width, numbers) {
  const out = new Float32Array(labels.length * width);
  for (let at = 0; at < labels.length * PATCHES; at++) {
    const x = patches.subarray(at * PATCH, (at + 1) * PATCH);
    const place = regions.subarray(at * REGIONS, (at + 1) * REGIONS).indexOf(1);
    numbers(x, place, out.subarray(Math.floor(at / PATCHES) * width, Math.floor(at / PATCHES + 1) * width));
  }
  return out;
}

function bilinear(x, place, out) {
  let at = place * PATCH * (PATCH + 1) / 2;
  for (let i = 0; i < PATCH; i++) for (let j = 0; j <= i; j++) out[at++] += x[i] * x[j] * (i === j ? 1 : Math.SQRT2);
}

function concatenated(x, place, out) {
  x.forEach((value, i) => {
    out[i] += value;
    out[PATCH + i] += value * value;
  });
  out[2 * PATCH + place]++;
}

/** The square root of each number, with its sign, and then length 1: what `normalize` "signed-root" does. */
function signedRoot(Z, width) {
  for (let at = 0; at < Z.length; at += width) {
    const row = Z.subarray(at, at + width);
    const length = Math.sqrt(row.reduce((sum, value) => sum + Math.abs(value), 0));
    row.forEach((value, j) => row[j] = Math.sign(value) * Math.sqrt(Math.abs(value)) / length);
  }
  return Z;
}

async function accuracy(name, width, features) {
  const options = { task: "classify", linear: false, folds: 0, map: asTheyAre(width) };
  const model = await ts.fit(features(train), train.labels, options);
  const { accuracy: share } = model.evaluate(features(test), test.labels);
  console.log(`${name}, ${width} numbers: ${(100 * share).toFixed(1)} % right`);
  return share;
}

const map = ts.featureMap({ nFeatures: [PATCH, PATCH, REGIONS], nComponents: D, seed: 4 });
console.log(`${train.labels.length} images to learn from, ${test.labels.length} new ones`);
const short = 2 * PATCH + REGIONS, long = REGIONS * PATCH * (PATCH + 1) / 2;
await accuracy("concatenated", short, (set) => signedRoot(sums(set, short, concatenated), short));
const all = await accuracy("all products", long, (set) => signedRoot(sums(set, long, bilinear), long));
const here = await accuracy("pooled sketches", D, ({ patches, regions }) =>
  map.poolProduct([patches, patches, regions], { size: PATCHES, normalize: "signed-root" }));
figure("accuracy of pooled sketches", here, "with all products", all, 0.03);
ts.dispose();

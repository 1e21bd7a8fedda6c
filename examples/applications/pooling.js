// Compact bilinear pooling (Gao, Beijbom, Zhang & Darrell 2016), of two modes (Fukui et al. 2016), in JavaScript. An
// image is a set of patches; its features are Σ x ⊗ x ⊗ r over the patches x, with r the region of the image where the
// patch is. `poolProduct` sketches the sum, whose 16 · 16 · 9 numbers are never made. A linear model learns from it.
// The references are these numbers themselves, 1,224 without those that come twice, and the concatenation Σ (x, x², r).
//
// Run it in this folder, after ./build.sh dist, with ../../../shared/data/usps-zip.train.gz and .test.gz; it takes a
// number of training images, by default 600. `node pooling.js 3000 mnist` takes images of MNIST, beside these.
// `node pooling.js 600 drawn` draws digits, and needs no data:
//
//     npm install --no-save ../../dist/npm && node pooling.js
//
// Without a number it prints:
//
//     600 images to learn from, 600 new ones
//     concatenated, 41 numbers: 52.7 % right
//     all products, 1224 numbers: 92.0 % right
//     pooled sketches, 512 numbers: 92.8 % right
//     accuracy of pooled sketches: 0.9283 here, 0.9200 with all products, may differ by 0.02784

import { load } from "tensorsketch";
import { asTheyAre, normal, shared, sharesRight, uniform } from "./common.js";

const [PATCH, REGIONS, D, PATCHES] = [16, 9, 512, 49];
const rows = Number(process.argv[2] ?? 600);
const ts = await load({ threads: 0 });
const images = {
  usps: () => [usps("train", rows), usps("test", Math.min(rows, 2007))],
  mnist: () => [mnist("train", rows), mnist("t10k", Math.min(rows, 10000))],
  drawn: () => [drawn(1, rows), drawn(2, rows)],
}[process.argv[3] ?? "usps"];
if (!images) throw new Error(`images are usps, mnist or drawn, not ${process.argv[3]}`);
const [train, test] = images();

/** Reads images of 16 × 16 pixels, whose patches overlap. */
function usps(part, count) {
  const text = shared(`usps-zip.${part}.gz`, "; node pooling.js 600 drawn needs none").toString().trim();
  const lines = text.split("\n").slice(0, count);
  const table = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return cut(table.map(([digit]) => digit), 16, 2, (image, pixel) => (table[image][pixel + 1] + 1) / 2);
}

/** Reads images of 28 × 28 pixels, whose patches lie side by side. */
function mnist(part, count) {
  const pixels = shared(`mnist-${part}-images-idx3-ubyte.gz`);
  const labels = shared(`mnist-${part}-labels-idx1-ubyte.gz`).subarray(8, 8 + count);
  return cut(Array.from(labels), 28, 4, (image, pixel) => pixels[16 + image * 784 + pixel] / 255);
}

/** Draws digits of 3 × 5 squares somewhere in an image of 16 × 16 pixels, with noise. */
function drawn(seed, count) {
  const squares = [0x7b6f, 0x2c97, 0x73e7, 0x73cf, 0x5bc9, 0x79cf, 0x79ef, 0x7249, 0x7bef, 0x7bcf];
  const [random, gauss] = [uniform(seed), normal(seed)];
  const corners = Array.from({ length: count }, () => [2, 5].map((places) => Math.floor(places * random())));
  const labels = corners.map((_, i) => i % 10);
  return cut(labels, 16, 2, (image, pixel) => {
    const [row, column] = corners[image].map((from, side) => Math.floor(((side ? pixel % 16 : pixel >> 4) - from) / 3));
    const isInside = row >= 0 && row < 5 && column >= 0 && column < 3;
    return (isInside ? squares[labels[image]] >> (14 - 3 * row - column) & 1 : 0) + 0.3 * gauss();
  });
}

/** Cuts each image into 7 × 7 patches of 4 × 4 pixels, `step` pixels apart, and the region of each patch. */
function cut(labels, width, step, pixel) {
  const patches = new Float32Array(labels.length * PATCHES * PATCH);
  const regions = new Float32Array(labels.length * PATCHES * REGIONS);
  for (let at = 0; at < labels.length * PATCHES; at++) {
    const [image, top, left] = [Math.floor(at / PATCHES), Math.floor(at % PATCHES / 7), at % 7];
    for (let i = 0; i < PATCH; i++) {
      patches[at * PATCH + i] = pixel(image, (step * top + (i >> 2)) * width + step * left + i % 4);
    }
    regions[at * REGIONS + 3 * Math.floor(top * 3 / 7) + Math.floor(left * 3 / 7)] = 1;
  }
  return { patches, regions, labels };
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

async function right(name, width, features) {
  const options = { task: "classify", linear: false, folds: 0, map: asTheyAre(width) };
  const model = await ts.fit(features(train), train.labels, options);
  const hits = model.predict(features(test)).map((label, i) => label === test.labels[i]);
  console.log(`${name}, ${width} numbers: ${(100 * hits.filter(Boolean).length / hits.length).toFixed(1)} % right`);
  return hits;
}

const map = ts.featureMap({ nFeatures: [PATCH, PATCH, REGIONS], nComponents: D, seed: 4 });
console.log(`${train.labels.length} images to learn from, ${test.labels.length} new ones`);
const short = 2 * PATCH + REGIONS, long = REGIONS * PATCH * (PATCH + 1) / 2;
await right("concatenated", short, (set) => signedRoot(sums(set, short, concatenated), short));
const all = await right("all products", long, (set) => signedRoot(sums(set, long, bilinear), long));
const here = await right("pooled sketches", D, ({ patches, regions }) =>
  map.poolProduct([patches, patches, regions], { size: PATCHES, normalize: "signed-root" }));
sharesRight("accuracy of pooled sketches", here, "with all products", all);
ts.dispose();

// MNIST for the programs that measure in Node, of ../shared/data or the folder TENSORSKETCH_DATA.

import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";

const FOLDER = process.env.TENSORSKETCH_DATA ?? "../shared/data";
const SETS = { train: "train", test: "t10k" };

/** Returns at most so many images of "train" or "test", as rows of length 1, and their labels. */
export function images(set, most = Infinity) {
  const file = (name) => gunzipSync(readFileSync(`${FOLDER}/mnist-${SETS[set]}-${name}-ubyte.gz`));
  const y = file("labels-idx1").subarray(8, 8 + most);
  const X = Float32Array.from(file("images-idx3").subarray(16, 16 + 784 * y.length));
  for (let at = 0; at < X.length; at += 784) {
    const row = X.subarray(at, at + 784), length = Math.hypot(...row);
    row.forEach((v, j) => (row[j] = v / length));
  }
  return { X, y };
}

// How long ts.fit takes with its search, from rows to a model: `node bench/fit.js [THREADS] [MNIST]`, after
// ./build.sh core public/api. It fits 10,000 rows of 20 mixed columns three times in one instance, or the 60,000 images
// of the folder MNIST once. A line has the seconds until the first answer and until the model.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { load } from "../public/api/tensorsketch.js";

const [threads = "0", folder] = process.argv.slice(2);

/** Returns rows of numbers with two classes. Every fourth column has whole numbers; three columns decide the class. */
function mixed(n = 10_000, d = 20) {
  let state = 7;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const X = new Float32Array(n * d);
  const y = [];
  for (let at = 0; at < X.length; at += d) {
    for (let j = 0; j < d; j++) X[at + j] = j % 4 === 3 ? Math.floor(next() * 5) : 2 * next() - 1;
    y.push(X[at] * X[at + 1] + 0.5 * X[at + 4] + 0.3 * (next() - 0.5) > 0 ? "a" : "b");
  }
  return [X, y];
}

function images() {
  const bytes = (name, header) => gunzipSync(readFileSync(join(folder, name))).subarray(header);
  return [Float32Array.from(bytes("mnist-train-images-idx3-ubyte.gz", 16), (v) => v / 255),
    Array.from(bytes("mnist-train-labels-idx1-ubyte.gz", 8))];
}

const ts = await load({ threads: Number(threads) });
const [X, y] = folder ? images() : mixed();
for (let round = folder ? 3 : 1; round <= 3; round++) {
  const began = performance.now();
  const seconds = () => ((performance.now() - began) / 1000).toFixed(2);
  const before = process.cpuUsage();
  let first;
  const model = await ts.fit(X, y, { task: "classify", onFirst(early) {
    first = seconds();
    early.dispose();
  } });
  const { user, system } = process.cpuUsage(before);
  const { chosen, heldOut } = model.report.candidates;
  console.log(`${threads} threads, ${y.length} rows: first ${first} s, all ${seconds()} s, processor ` +
    `${((user + system) / 1e6).toFixed(2)} s; ${chosen}, ${heldOut.accuracy.toFixed(3)} right of rows held out`);
  model.dispose();
}
ts.dispose();

// How long ts.fit takes with its search, from rows to a model: `node bench/fit.js [THREADS] [MNIST]`, after
// ./build.sh core public/api. It fits 10,000 rows of 20 mixed columns three times in one instance, or the 60,000 images
// of the folder MNIST once. A line has the seconds until the first answer and until the model.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { load } from "../public/api/tensorsketch.js";
import { mixed, timed } from "./fitrows.js";

const [threads = "0", folder] = process.argv.slice(2);

function images() {
  const bytes = (name, header) => gunzipSync(readFileSync(join(folder, name))).subarray(header);
  return [Float32Array.from(bytes("mnist-train-images-idx3-ubyte.gz", 16), (v) => v / 255),
    Array.from(bytes("mnist-train-labels-idx1-ubyte.gz", 8))];
}

const ts = await load({ threads: Number(threads) });
const [X, y] = folder ? images() : mixed();
for (let round = folder ? 3 : 1; round <= 3; round++) {
  const before = process.cpuUsage();
  const { first, all, chosen, accuracy } = await timed(ts, X, y);
  const { user, system } = process.cpuUsage(before);
  console.log(`${threads} threads, ${y.length} rows: first ${first.toFixed(2)} s, all ${all.toFixed(2)} s, processor ` +
    `${((user + system) / 1e6).toFixed(2)} s; ${chosen}, ${accuracy.toFixed(3)} right of rows held out`);
}
ts.dispose();

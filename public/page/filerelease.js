// Private releases of a file: which settings must be typed or public, how rows are processed, and what the receiver is
// told. filejob.js runs releases, ledgerstore.js stores their cost, and docs/privacy.md states the guarantee.

import { checkIsNumber, checkOptions, paramError, rejectUnknownKeys, TensorSketchError } from "../api/errors.js";
import { charge, ledgerOf } from "./ledgerstore.js";

const FORMAT = "tensorsketch-release";
const VERSION = 1;
const KEYS = ["kind", "epsilon", "delta", "radius", "rows", "budget"];
const KINDS = ["rows", "mean"];
const CHUNK_BYTES = 4 << 20;
const ROUNDING = 1e-6; // relative rounding error of a row's norm in float32

/** Checks the settings of a release, except what the core checks, and returns them. */
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
 * Throws if a release would show something that depends on the rows and has no noise. Package dataset/columns has the
 * rule. The check uses the plan or the preprocessing of a model file, and no byte of the file.
 */
export function checkTyped(dataset, { reading, plan, preprocessing, method }) {
  const misfit = dataset.misfit({ reading, plan, preprocessing, method });
  if (misfit) throw refusal(misfit);
}

/** Opens a file with a complete reading, as checkTyped requires. Only rowsOfRelease looks at its rows. */
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
 * Returns the rows of a file for a release: one for each line, whatever the line holds. `rows` is their number, if
 * typed.
 */
export function rowsOfRelease({ from, source, layout }, preprocessing, rows, onState) {
  return from.rows(source, layout, preprocessing, onState, { keepAll: true, allRows: rows });
}

export function refusal(reason) {
  return new TensorSketchError("ERR_PARAM", `a private release cannot be made so: ${reason}`, { argument: "release" });
}

/**
 * Returns a hash of a file's content in hexadecimal digits: the SHA-256 of the SHA-256 hashes of all pieces of 4 MiB.
 * A copy under another name has the same hash. A copy in which one byte differs has another.
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
 * Scales rows X of d numbers, dense or CSR, in place to norm at most R. Returns how many were longer than R·(1 + 1e-6).
 * A row of length R that float32 has rounded up is scaled like any other, but not counted.
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

/** Yields each row, whose numbers are shared with X. */
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

/** Returns the features of rows, made one by one, and the number of rows that the map refuses. They become zeros. */
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

/** Throws unless the stored ledger of a file, or a new one, allows the release. Nothing is charged. */
export function checkBudget(ts, map, { epsilon, delta, radius, budget }, stored) {
  if (!stored && !budget) {
    throw new TensorSketchError("ERR_PARAM", "budget is missing: type the ε and δ that all releases of these rows " +
      "may have together", { argument: "budget" });
  }
  const copy = ledgerOf(ts, stored, budget);
  // charges the copy
  map.privacy.privatize(new Float32Array(map.nComponents), { epsilon, delta, radius, ledger: copy });
}

/** The release that a job makes of its rows: it makes the features and adds the noise. */
export class FileRelease {
  unusable = 0; // rows read so far whose cells do not fit the plan
  #clipped = 0; // rows taken that are longer than the radius
  #zeroed = 0; // rows taken that the map cannot transform
  #ts;
  #map;
  #job; // its state holds { release, content }
  #mean = null;
  #noise = null; // a PrivateRows for the remaining rows

  constructor(ts, map, job) {
    this.#ts = ts;
    this.#map = map;
    this.#job = job;
    const { kind, rows } = job.state.release;
    // of the rows before
    if (kind === "rows") [this.#clipped, this.#zeroed] = [job.state.clipped ?? 0, job.state.zeroed ?? 0];
    else this.#mean = map.privacy.mean({ ...this.#guarantee(), rows });
  }

  /** The counts that only the visitor may see. */
  get seen() {
    return { clipped: this.#clipped, zeroed: this.#zeroed, unusable: this.unusable };
  }

  #guarantee() {
    const { epsilon, delta, radius } = this.#job.state.release;
    return { epsilon, delta, radius };
  }

  /** Returns the features Z of rows, which are clipped in place. A row that the map cannot take becomes zeros. */
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

  /** Takes the next rows of features. Returns them with noise, or adds them up for a mean. */
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

  /** Returns rows with noise. `left` rows may still be released. The ledger is charged before the first rows return. */
  #noisy(Z, left) {
    if (this.#noise) return this.#noise.privatize(Z);
    return this.#charged((ledger) => {
      this.#noise = this.#map.privacy.rows({ ...this.#guarantee(), ledger, rows: left });
      return this.#noise.privatize(Z);
    });
  }

  /** Returns the mean of all rows, with noise. */
  mean() {
    const { rows } = this.#job.state.release;
    const { count } = this.#mean;
    if (count !== rows) {
      throw new Error(`the file has ${count} rows, and ${rows} was typed; nothing was released: type the right number`);
    }
    return this.#charged((ledger) => this.#mean.release(ledger));
  }

  /** Makes the noise and charges the ledger of the file, unless the job was charged before. */
  #charged(make) {
    const { content, release: { epsilon, delta, budget } } = this.#job.state;
    return charge(this.#ts, { content, budget, job: this.#job.id, again: { epsilon, delta } }, make);
  }
}

/** Returns the facts that a receiver of a job's release needs. They reveal nothing more of the data. */
export function releaseFile({ release, model }) {
  if (!release) throw new Error("this embedding is no private release: it has no noise");
  const { kind, rows, epsilon, delta, radius, nComponents, bound, sigma } = release;
  return { format: FORMAT, version: VERSION, kind, rows, nComponents, epsilon, delta, radius, bound, sigma, model };
}

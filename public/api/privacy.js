// Differentially private releases: noise on rows, on one mean of them or on sums of their products, its cost, and the
// signal that remains. The core draws the noise and computes the budget. This file decides what each caller may get.

import { allocate } from "./buffers.js";
import {
  checkIsNumber, checkObject, checkOptions, checkWhole, disposedError, fault, paramError, readFile, rejectUnknownKeys,
  shapeError,
} from "./errors.js";
import { checkFeatures, featureRows, withLargeValue } from "./rows.js";
import { RELEASES } from "./tables.js";

const FORMAT = "tensorsketch-ledger";
const VERSION = 1;
const KEYS = ["format", "version", "epsilon", "delta", "releases", "check"];
const RELEASE_KEYS = ["kind", "rows", "nComponents", "epsilon", "delta", "bound", "sigma"];
const MOST_ROWS = 2 ** 31 - 1;

let charged; // (ledger, release) ↦ a function that enters the release; throws if the ledger refuses it

class Ledger {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("send or store JSON.stringify(ledger), for ts.ledger({ from })");
  #core;
  #budget; // { epsilon, delta }
  #rho = 0; // the ρ spent so far
  #releases = [];

  static {
    charged = (ledger, release) => ledger.#charged(release);
  }

  constructor(core, options) {
    const { from, epsilon, delta } = checkOptions(options, ["epsilon", "delta", "from"]);
    if (from !== undefined && (epsilon !== undefined || delta !== undefined)) {
      throw fault("epsilon", "epsilon and delta must be left out where from is given: the file holds its budget");
    }
    this.#core = core;
    const file = from === undefined ? { epsilon, delta, releases: [] } : readLedger(from);
    this.#budget = { epsilon: file.epsilon, delta: file.delta };
    checkGuarantee(this.#budget);
    this.#state();
    for (const release of file.releases) this.#charged(release)();
  }

  get epsilon() {
    return this.#budget.epsilon;
  }

  get delta() {
    return this.#budget.delta;
  }

  get releases() {
    return Object.freeze([...this.#releases]);
  }

  get spent() {
    return this.#state().spent;
  }

  get left() {
    return this.#state().left;
  }

  toJSON() {
    const { epsilon, delta } = this.#budget;
    const releases = this.#releases.map((release) => ({ ...release }));
    return { format: FORMAT, version: VERSION, epsilon, delta, releases, check: checkOf(epsilon, delta, releases) };
  }

  #state() {
    return this.#core().ledger({ ...this.#budget, rho: this.#rho });
  }

  #charged(release) {
    const rho = this.#core().charge({ ...this.#budget, rho: this.#rho, count: this.#releases.length }, release);
    return () => {
      this.#rho = rho;
      this.#releases.push(Object.freeze(release));
    };
  }
}

/** The base of every release: its guarantee, its bound C, its noise and its map. */
class Release {
  constructor(map, { epsilon, delta, radius, rows }) {
    const { core, nComponents } = map;
    const mechanism = mechanismOf(map, { epsilon, delta, radius });
    checkWhole("rows", rows, 1, MOST_ROWS);
    const { sigma, continuous } = core.noiseSigmas(mechanism);
    Object.assign(this, { map, core, nComponents, mechanism, rows, sigma, continuous });
  }

  /** Calls `make`, if the ledger allows the release, and returns its result. Charges the ledger if `make` succeeds. */
  charge(ledger, kind, make) {
    const { nComponents, rows, mechanism: { epsilon, delta, bound } } = this;
    const sigma = kind === "mean" ? this.sigma / rows : this.sigma;
    return charge(ledger, { kind, rows, nComponents, epsilon, delta, bound, sigma }, make);
  }
}

function charge(ledger, release, make) {
  const enter = charged(checkLedger(ledger), release);
  const made = make();
  enter();
  return made;
}

/**
 * Returns the words of the sums of a view with noise, and σ: what released.js makes an object of. The view says the
 * `bound` of its rows, and `length` is the number of words released.
 */
export function releaseMoments(core, view, words, length, { epsilon, delta, rows, ledger }) {
  checkGuarantee({ epsilon, delta });
  checkLedger(ledger);
  checkRandom();
  const { nComponents, bound } = view;
  return core.releaseMoments(view, words, length, { epsilon, delta, rows }, (sigma, make) =>
    charge(ledger, { kind: "moments", rows, nComponents, epsilon, delta, bound, sigma }, () => ({
      sigma, words: make(),
    })));
}

/** The private releases of a map. `access(what)` gives them the map's parts. */
export class Privacy {
  #access;

  constructor(access) {
    this.#access = access;
  }

  privatize(Z, options) {
    checkOptions(options, ["epsilon", "delta", "radius", "ledger"]);
    const map = this.#access("release");
    return new PrivateRows(map, { ...options, rows: featureRows(Z, map.nComponents) || 1 }).privatize(Z);
  }

  rows(options) {
    return new PrivateRows(this.#access("release"), options);
  }

  mean(options) {
    return new PrivateMean(this.#access("release"), options);
  }

  meter(options) {
    return new PrivacyMeter(this.#access("meter"), options);
  }
}

class PrivateRows {
  #release;
  #ledger;
  #done = 0;

  constructor(map, options) {
    const { ledger, ...o } = checkOptions(options, ["epsilon", "delta", "radius", "ledger", "rows"]);
    this.#ledger = checkLedger(ledger);
    this.#release = new Release(map, o);
  }

  get bound() {
    return this.#release.mechanism.bound;
  }

  get sigma() {
    return this.#release.sigma;
  }

  privatize(Z) {
    const { map, core, nComponents, mechanism, rows } = this.#release;
    map.living();
    const more = featureRows(Z, nComponents);
    if (this.#done + more > rows) {
      throw shapeError("Z", `bring at most rows = ${rows} rows in all: the same rows again are another release`,
        `${this.#done + more} rows`);
    }
    const noisy = copyOf(Z);
    if (more === 0) return noisy;
    checkRandom();
    const make = () => core.privatize(mechanism, nComponents, noisy);
    if (this.#done > 0) make();
    else this.#release.charge(this.#ledger, "rows", make);
    this.#done += more;
    return noisy;
  }
}

class PrivateMean {
  #release;
  #mean; // { mechanism, sums, rows, added }

  constructor(map, options) {
    this.#release = new Release(map, checkOptions(options, ["epsilon", "delta", "radius", "rows"]));
    const { mechanism, rows, nComponents } = this.#release;
    this.#mean = { mechanism, sums: new BigInt64Array(nComponents), rows, added: 0 };
  }

  get bound() {
    return this.#release.mechanism.bound;
  }

  get sigma() {
    return this.#release.sigma / this.#release.rows;
  }

  get count() {
    return this.#mean.added;
  }

  add(X) {
    const { map, core } = this.#release;
    const living = map.living();
    const source = map.source(X);
    try {
      core.addRowsToMean(living, source, this.#mean);
    } catch (error) {
      throw withLargeValue(error, [source]);
    }
    this.#mean.added += source.rows;
  }

  addFeatures(Z) {
    const { map, core, nComponents } = this.#release;
    map.living();
    const rows = featureRows(Z, nComponents);
    core.addFeaturesToMean(Z, this.#mean);
    this.#mean.added += rows;
  }

  release(ledger) {
    this.#release.map.living();
    checkRandom();
    return this.#release.charge(ledger, "mean", () => this.#release.core.releaseMean(this.#mean));
  }
}

class PrivacyMeter {
  #release;

  constructor(map, options) {
    const { rows = 1, ...o } = checkOptions(options, ["epsilon", "delta", "radius", "rows"]);
    this.#release = new Release(map, { ...o, rows });
  }

  get signal() {
    return this.#release.mechanism.bound;
  }

  get sigma() {
    return this.#release.sigma / this.#release.rows;
  }

  get noise() {
    return this.sigma * Math.sqrt(this.#release.nComponents);
  }

  get leastNoise() {
    const { continuous, rows, nComponents } = this.#release;
    return (continuous / rows) * Math.sqrt(nComponents);
  }

  squaredNorm(z) {
    const { nComponents } = this.#release;
    checkFeatures("z", z, nComponents);
    let sum = 0;
    for (let i = 0; i < z.length; i++) sum += z[i] * z[i];
    return sum - nComponents * this.sigma ** 2;
  }

  squaredNormStdError(squaredNorm) {
    checkIsNumber("squaredNorm", squaredNorm);
    return Math.sqrt(4 * this.sigma ** 2 * Math.max(0, squaredNorm) + 2 * this.#release.nComponents * this.sigma ** 4);
  }

  tradeoff(x, y, options = {}) {
    const { map, core } = this.#release;
    const living = map.living();
    const { nComponents = map.nComponents, noisy = "both" } = checkOptions(options, ["nComponents", "noisy"]);
    if (noisy !== "both" && noisy !== "x") throw paramError("noisy", 'be "both" or "x"', noisy);
    if (nComponents !== "best") checkWhole("nComponents", nComponents, 1, 2 ** 24);
    const { sigma } = this;
    return core.tradeoff(living, x, y, map.vectorLength, sigma, noisy === "both" ? sigma : 0,
      nComponents === "best" ? 0 : nComponents);
  }
}

function copyOf(Z) {
  return allocate(Float32Array, Z, `the noisy copy of Z needs ${4 * Z.length} bytes, more than this engine can ` +
    "allocate: release it in blocks, with privacy.rows of the map");
}

/** Checks the guarantee of a release of rows within a radius, and returns it with the bound C. */
function mechanismOf(map, { epsilon, delta, radius }) {
  checkGuarantee({ epsilon, delta });
  if (radius !== undefined) checkIsNumber("radius", radius);
  // NaN stands for "not given"
  if (Number.isNaN(radius)) throw paramError("radius", "be a number above 0", radius);
  return { epsilon, delta, bound: map.core.privateBound(map.living(), radius ?? NaN) };
}

function checkGuarantee({ epsilon, delta }) {
  checkIsNumber("epsilon", epsilon);
  checkIsNumber("delta", delta);
}

function checkLedger(ledger) {
  if (ledger instanceof Ledger) return ledger;
  throw paramError("ledger", "be a ledger, the one that the file of these rows has: ledger({ " +
    "epsilon, delta }), or ledger({ from }) of its JSON", ledger);
}

function checkRandom() {
  if (typeof globalThis.crypto?.getRandomValues === "function") return;
  throw fault("crypto", "crypto.getRandomValues must be there for private noise: use a current browser, or Node 20 " +
    "or later");
}

/** Reads a ledger's file and checks everything except what the core checks. */
function readLedger(from) {
  const want = "be what toJSON of a ledger gave, or its text";
  const file = readFile("from", from, { want, format: FORMAT, version: VERSION });
  rejectUnknownKeys(file, KEYS, "key of the ledger");
  const { epsilon, delta, releases, check } = file;
  Object.entries({ epsilon, delta }).forEach(([name, value]) => checkIsNumber(`from.${name}`, value));
  if (!Array.isArray(releases)) throw paramError("from.releases", "be an array of releases", releases);
  const copies = releases.map(readRelease);
  if (check !== checkOf(epsilon, delta, copies)) {
    throw fault("from.check", "from must be as toJSON of a ledger gave it: it was changed since, so what was spent " +
      "is unknown");
  }
  return { epsilon, delta, releases: copies };
}

function readRelease(release, i) {
  const at = `from.releases[${i}]`;
  checkObject(at, release, RELEASE_KEYS);
  if (!RELEASES.includes(release.kind)) throw paramError(`${at}.kind`, 'be "rows", "mean" or "moments"', release.kind);
  const copy = { kind: release.kind };
  for (const key of RELEASE_KEYS.slice(1)) {
    checkIsNumber(`${at}.${key}`, release[key]);
    copy[key] = release[key];
  }
  return copy;
}

/** A 64-bit checksum (FNV-1a) that reveals changes. It has no secret, so it does not stop a deliberate change. */
function checkOf(epsilon, delta, releases) {
  const text = JSON.stringify([epsilon, delta, releases.map((release) => RELEASE_KEYS.map((key) => release[key]))]);
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(16).padStart(16, "0");
}

/** Makes a ledger for a module. `alive` reports whether the module is still in use. */
export function makeLedger({ core, alive }, options) {
  return new Ledger(() => {
    if (!alive()) throw disposedError("module");
    return core;
  }, options);
}

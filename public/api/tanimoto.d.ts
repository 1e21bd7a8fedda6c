/**
 * Random features of the Tanimoto kernel T(x, y) = Σ min(x_i, y_i) / Σ max(x_i, y_i), for fingerprints of molecules and
 * other sets: for bits it is Jaccard's index, the number of bits that both have over the bits that either has.
 *
 * ```js
 * import { tanimotoMap } from "tensorsketch/tanimoto";
 *
 * const map = tanimotoMap({ nFeatures: 2048, nComponents: 1024 });
 * const S = map.signs({ bits });                       // bits: Uint8Array, n × 256 bytes, as RDKit makes them
 * map.nearest(S, S.subarray(0, map.words), 10).rows;   // the ten fingerprints most like the first
 * const Z = map.features(S);                           // Float32Array, n × 1024, for a linear model
 * ```
 *
 * Component j of a fingerprint is a random sign of the element whose hash is least (Tripp, Bacallado, Singh &
 * Hernández-Lobato 2023; the hash is min-wise, Broder 1997). Two fingerprints have the same least element with
 * probability T, and else independent signs. So the mean of the D products of signs estimates T without bias, with
 * σ = √((1 − T²)/D).
 *
 * It is arithmetic of 32-bit integers: every platform gives the same bits, and nothing is fetched.
 */
import type { Nearest, Own, Rows } from "./tensorsketch.js";

/**
 * Makes a map; the same parameters give the same map.
 *
 * @throws {TensorSketchError} ERR_PARAM naming a bad, missing or unknown parameter.
 */
export function tanimotoMap(params: TanimotoParams): TanimotoMap;

export interface TanimotoParams {
  /** d, bits or counts of a fingerprint, 1 … 2^24. */
  nFeatures: number;
  /** D, a multiple of 32 up to 2^24; default 1024. */
  nComponents?: number;
  /** An integer 0 … 2^32 − 1; default 0. */
  seed?: number;
}

/**
 * n fingerprints: `Rows` of counts, integers from 0 to 255, or `bits`, n × ⌈d/8⌉ bytes. Bit i of a fingerprint is bit
 * i mod 8, counted from the lowest, of its byte ⌊i/8⌋.
 */
export type Fingerprints = Rows | { readonly bits: Uint8Array };

/** Where the errors of its methods name a row, that is the row of X, from 0. */
export interface TanimotoMap {
  readonly nFeatures: number;
  readonly nComponents: number;
  readonly seed: number;
  /** 32-bit words of a row of signs, D/32. */
  readonly words: number;
  /**
   * The signs of the features, a bit for each: n × words, row-major. Component j of a row is bit j mod 32 of word
   * ⌊j/32⌋, 1 for +. The time is D steps for each bit that is set. The map keeps 4·D bytes for each bit that it has
   * seen.
   *
   * @throws {TensorSketchError} ERR_PARAM for an empty fingerprint, whose T is 0/0, and for a count that is none;
   *   ERR_SHAPE.
   */
  signs(X: Fingerprints): Own<"Uint32Array">;
  /** Rows of nComponents numbers ±1/√D, whose inner products are the estimates: `features(signs(X))`. */
  transform(X: Fingerprints): Own<"Float32Array">;
  features(signs: Uint32Array): Own<"Float32Array">;
  /** The estimate of T from two rows of signs. */
  estimate(sx: Uint32Array, sy: Uint32Array): number;
  /**
   * For each row of signs q the k rows of `signs` with the largest estimates, largest first. Equal ones come in the
   * order of rows.
   */
  nearest(signs: Uint32Array, q: Uint32Array, k: number): Nearest;
  /** T of two fingerprints. */
  kernel(x: Fingerprints, y: Fingerprints): number;
  /** σ of the estimate over seeds, √((1 − T²)/D). */
  stdError(x: Fingerprints, y: Fingerprints): { sigma: number; kind: "exact" };
}

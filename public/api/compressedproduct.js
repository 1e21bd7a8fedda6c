// CompressedProduct: a sketch of a matrix product, which estimates entries and finds the largest ones.

import {
  checkIsNumber, checkObject, checkOptions, checkWhole, disposedError, isTyped, paramError, rowError, shapeError,
} from "./errors.js";
import { encodeProduct } from "./params.js";

const MOST_REPEATS = 1024; // the core has the same limit

/** Frees the sketch of a CompressedProduct that was garbage-collected without dispose. */
const dropped = new FinalizationRegistry(({ engine, product }) =>
  engine.free(product, disposedError("compressed product")));

export class CompressedProduct {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("make the product where it is wanted");
  #engine;
  #product; // the core's handle; null after dispose
  #shape;

  constructor(engine, A, B, shape, options) {
    this.#engine = engine;
    this.#shape = checkShape(shape);
    checkMatrix("A", A, "m × k", this.#shape.m, this.#shape.k);
    checkMatrix("B", B, "k × n", this.#shape.k, this.#shape.n);
    const { nComponents, repeats, seed } = readOptions(options);
    this.#product = engine.core.newProduct(encodeProduct({ ...this.#shape, nComponents, repeats, seed }), A, B,
      this.#shape);
    dropped.register(this, { engine, product: this.#product }, this);
  }

  entry(i, j) {
    return this.#entry(i, j).value;
  }

  stdError(i, j) {
    return this.#entry(i, j).sigma;
  }

  largest(count) {
    const product = this.#living();
    if (!Number.isInteger(count) || count < 0) throw paramError("count", "be an integer ≥ 0", count);
    return this.#engine.core.largest(product, Math.min(count, this.#shape.m * this.#shape.n));
  }

  dispose() {
    if (this.#product === null) return;
    dropped.unregister(this);
    this.#engine.free(this.#product, disposedError("compressed product"));
    this.#product = null;
  }

  #entry(i, j) {
    const product = this.#living();
    checkWhole("i", i, 0, this.#shape.m - 1);
    checkWhole("j", j, 0, this.#shape.n - 1);
    return this.#engine.core.entry(product, i, j);
  }

  #living() {
    if (this.#product === null) throw disposedError("compressed product");
    if (!this.#engine.alive()) throw disposedError("module");
    return this.#product;
  }
}

if (Symbol.dispose) CompressedProduct.prototype[Symbol.dispose] = CompressedProduct.prototype.dispose;

function checkShape(shape) {
  const { m, n, k } = checkObject("shape", shape, ["m", "n", "k"]);
  for (const [name, value] of Object.entries({ m, n, k })) {
    if (!Number.isSafeInteger(value) || value < (name === "k" ? 0 : 1)) {
      throw paramError(`shape.${name}`, `be an integer ≥ ${name === "k" ? 0 : 1}`, value);
    }
  }
  return { m, n, k };
}

function checkMatrix(argument, matrix, form, rows, columns) {
  if (!isTyped(matrix, "Float32Array")) {
    throw paramError(argument, `be a Float32Array of ${form} numbers, row-major`, matrix);
  }
  if (matrix.length !== rows * columns) {
    throw shapeError(argument, `have length ${form} = ${rows} × ${columns} = ${rows * columns}`,
      `length ${matrix.length}`);
  }
  const bad = matrix.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    throw rowError("ERR_NONFINITE", argument, Math.floor(bad / columns), bad % columns,
      "be finite: remove or replace NaN and infinite values", String(matrix[bad]));
  }
}

function readOptions(options) {
  const { nComponents, repeats, seed } = checkOptions(options, ["nComponents", "repeats", "seed"]);
  checkIsNumber("nComponents", nComponents);
  if (repeats !== undefined) checkWhole("repeats", repeats, 1, MOST_REPEATS);
  return { nComponents, repeats, seed };
}

// Rows as people have them: objects whose keys are columns, or the values of a form. A Dataset (dataset.js), which load
// gets as `dataset`, makes numbers of them by the rules of package dataset. Nothing here imports it, so that a program
// without such rows ships none of it.

import { fault, paramError } from "./errors.js";

const IMPORT = 'import { loadDataset } from "tensorsketch/dataset", and call load({ dataset: loadDataset })';

/** Reports whether a value is of a class of the platform, of any realm. */
export const isClass = (value, name) => Object.prototype.toString.call(value) === `[object ${name}]`;

/** Reports whether a value is what a form holds: one row. */
export const isForm = (value) => isClass(value, "FormData") || isClass(value, "URLSearchParams");

/** Reports whether a row is an object of columns: no list, tensor or column of Arrow. */
function isRecord(row) {
  if (typeof row !== "object" || row === null || ArrayBuffer.isView(row)) return false;
  return isForm(row) || isClass(row, "Map") || !(Symbol.iterator in row || "data" in row && ("dims" in row ||
    "shape" in row));
}

/**
 * Reports whether X is rows as objects: an array whose first row is one, or a form, which is one row. An object of
 * columns alone is none, and the reader says so: it has nothing that CSR, tensors and Arrow have.
 */
export const isRecords = (X) => (Array.isArray(X) ? isRecord(X[0])
  : isForm(X) || isClass(X, "Object") && !("data" in X || "schema" in X));

/** What makes numbers of rows as objects: a Dataset, once it is there. */
export class Reader {
  #load; // a function, a Dataset, or undefined
  #coming = null;
  #dataset = null;

  constructor(load) {
    this.#load = load;
    if (!["undefined", "function"].includes(typeof load)) this.#dataset = checked(load);
  }

  /** Returns a promise of the Dataset, which the first call fetches. */
  async fetched() {
    if (this.#dataset) return this.#dataset;
    if (!this.#load) throw notGiven();
    this.#coming ??= this.#load();
    try {
      return (this.#dataset = checked(await this.#coming));
    } catch (error) {
      this.#coming = null; // the next call tries again
      throw error;
    }
  }

  /** Returns the Dataset. Throws if it is still to be fetched. */
  get atHand() {
    if (this.#dataset) return this.#dataset;
    if (!this.#load) throw notGiven();
    throw fault("X", "X must be rows of numbers until dataset.wasm is there, got rows as objects: await the call " +
      "with Async, such as predictAsync, which fetches it");
  }
}

/** Returns a Dataset. Throws for anything else. */
function checked(dataset) {
  if (typeof dataset?.fitRows === "function") return dataset;
  throw paramError("dataset", "be loadDataset of tensorsketch/dataset, or what it returned", dataset);
}

const notGiven = () => fault("X", `X must be rows of numbers, got rows as objects: for these, ${IMPORT}`);

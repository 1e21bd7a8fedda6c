// Rows of input in every form that the API takes. They are written block by block in the layout that the core reads.
// Dense blocks are rows × d float32. CSR blocks are int32 indptr[rows + 1], int32 indices[nnz], float32 data[nnz].

import { DenseRows, wholeLanes } from "./denserows.js";
import {
  changedError, errorAt, hasLength, isObject, isTyped, paramError, rowError, shapeError, show, TensorSketchError,
} from "./errors.js";

/** Names of the typed arrays that hold numbers. */
const NUMERIC = new Set(["Float32Array", "Float64Array", "Float16Array", "Int8Array", "Uint8Array",
  "Uint8ClampedArray", "Int16Array", "Uint16Array", "Int32Array", "Uint32Array"]);

/** The exports of arrow.js, where columns and tables of Arrow are taken as rows. */
let arrow = null;

/** Takes columns and tables of Arrow from now on. */
export function takeArrow(exports) {
  arrow = exports;
}

/** As valuesOf of arrow.js, where columns of Arrow are taken. */
export const valuesOf = (y) => (arrow === null ? y : arrow.valuesOf(y));

/** Returns the width of the rows of a column or table of Arrow, and null of other rows. */
export const arrowWidth = (X) => (arrow?.isColumn(X) || arrow?.isTable(X) ? arrow.arrowWidth(X) : null);

/** What all typed arrays have in common. */
const TypedArray = Object.getPrototypeOf(Uint8Array);

/** Checks the lengths of X and returns its rows as a source. Elements are checked when they are written. */
export function rowSource(X, nFeatures, argument) {
  switch (formOf(X)) {
    case "flat":
      return new FlatRows(X, nFeatures, argument);
    case "CSR":
      return new CSRRows(X, nFeatures, argument);
    case "arrow":
      return new arrow.ArrowRows(X, nFeatures, argument);
    case "tensor":
      return new FlatRows(tensorNumbers(X, nFeatures, argument), nFeatures, argument);
    case "items":
      return new NestedRows(X, nFeatures, argument);
    case "stream":
      throw paramError(argument, "be rows that are there: transformBatches takes others", X);
    default:
      throw inputError(argument, X);
  }
}

/** Returns an item of a stream as a source. It is one row, or rows that tell their width. */
export function itemSource(item, nFeatures, argument) {
  if (formOf(item) !== "flat") return rowSource(item, nFeatures, argument);
  checkBuffer(item, argument);
  if (item.length === nFeatures || (item.length === 0 && Array.isArray(item))) {
    return new FlatRows(item, nFeatures, argument);
  }
  throw shapeError(argument, `be one row of nFeatures = ${nFeatures} numbers: give several rows as an array of rows, ` +
    "{ data, dims } or CSR", `length ${item.length}`);
}

/** Returns rows that can be read again: of an iterable that is no array, an array of copies. Numbers are no rows. */
export function repeatable(X) {
  if (formOf(X) !== "items" || Array.isArray(X)) return X;
  return Array.from(X, (row) => {
    if (!isObject(row)) throw inputError("X", row);
    return isVector(row) ? copyOf(row, 0, row.length) : row;
  });
}

/** Returns the iterator over X if its items are rows, there or in time, else null. */
export function iteratorOf(X) {
  const form = formOf(X);
  if (form === "stream") return X[Symbol.asyncIterator]();
  return form === "items" ? X[Symbol.iterator]() : null;
}

/** Returns the form of an input. The first element that is there says whether an array holds numbers or rows. */
function formOf(X) {
  if (isNumeric(X)) return "flat";
  if (Array.isArray(X)) {
    const first = X.find((value) => value !== undefined && value !== null);
    return typeof first === "object" ? "items" : "flat";
  }
  if (!isObject(X) || isBigInts(X)) return null;
  if (arrow?.isColumn(X) || arrow?.isTable(X)) return "arrow";
  if (X.indptr && X.indices && X.data) return "CSR";
  if ((X.dims ?? X.shape) !== undefined && "data" in X) return "tensor";
  if (X[Symbol.iterator]) return "items";
  return X[Symbol.asyncIterator] ? "stream" : null;
}

/** Returns the error for an input of none of the forms. */
function inputError(argument, X) {
  if (isBigInts(X)) {
    return paramError(argument, `hold numbers, not BigInts: take Float64Array.from(${argument}, Number)`, X);
  }
  if (typeof X?.then === "function") return paramError(argument, "be rows, not a promise of them: await it first", X);
  return paramError(argument, "be a typed array of numbers, an array of numbers, an array or iterable of rows, a " +
    `tensor { data, dims } or { data, shape }, ${arrow ? "" : "or "}CSR { indptr, indices, data }` +
    (arrow ? ", or a column or table of Arrow" : ""), X);
}

/** Checks Z and returns its number of rows of features. */
export function featureRows(Z, nComponents, argument = "Z") {
  if (!isTyped(Z, "Float32Array")) {
    throw paramError(argument, `be a Float32Array of rows of ${nComponents} features`, Z);
  }
  checkBuffer(Z, argument);
  if (Z.length % nComponents !== 0) {
    throw shapeError(argument, `have a length that is a multiple of nComponents = ${nComponents}`,
      `length ${Z.length}`);
  }
  return Z.length / nComponents;
}

class FlatRows extends DenseRows {
  constructor(values, nFeatures, argument) {
    super();
    checkBuffer(values, argument);
    if (values.length % nFeatures !== 0) {
      throw shapeError(argument, `have a length that is a multiple of nFeatures = ${nFeatures}`,
        `length ${values.length}`);
    }
    this.values = values;
    this.length = values.length;
    this.nFeatures = nFeatures;
    this.argument = argument;
    this.rows = values.length / nFeatures;
  }

  write(buffer, offset, start, rows) {
    const { values, length, nFeatures: d, argument } = this;
    checkUnchanged(values, length, argument);
    const target = new Float32Array(buffer, offset, rows * d);
    if (!Array.isArray(values)) {
      target.set(rows === this.rows ? values : values.subarray(start * d, (start + rows) * d));
      return;
    }
    for (let row = 0; row < rows; row++) writeRow(target, row * d, values, (start + row) * d, d, argument, start + row);
  }

  value(row, column) {
    return this.values[row * this.nFeatures + column];
  }

  /** Returns a copy of one row. */
  copy(row) {
    checkUnchanged(this.values, this.length, this.argument);
    return copyOf(this.values, row * this.nFeatures, (row + 1) * this.nFeatures);
  }
}

class NestedRows extends DenseRows {
  constructor(items, nFeatures, argument) {
    super();
    // An iterable may give the same array again and again, with other numbers.
    const keep = Array.isArray(items) ? (numbers) => numbers : copyOf;
    const values = Array.from(items, (row, i) => keep(rowNumbers(row, nFeatures, argument, i, items), 0, nFeatures));
    Object.assign(this, { values, nFeatures, argument });
    this.rows = values.length;
  }

  write(buffer, offset, start, rows) {
    const d = this.nFeatures;
    const target = new Float32Array(buffer, offset, rows * d);
    for (let row = 0; row < rows; row++) {
      const numbers = this.#row(start + row);
      if (Array.isArray(numbers)) writeRow(target, row * d, numbers, 0, d, this.argument, start + row);
      else target.set(numbers, row * d);
    }
  }

  value(row, column) {
    return this.values[row][column];
  }

  copy(row) {
    return copyOf(this.#row(row), 0, this.nFeatures);
  }

  #row(row) {
    checkUnchanged(this.values[row], this.nFeatures, this.argument, row);
    return this.values[row];
  }
}

class CSRRows {
  sparse = true;

  constructor({ indptr, indices, data, shape }, nFeatures, argument) {
    for (const [name, list] of Object.entries({ indptr, indices, data })) {
      if (!Number.isInteger(list.length)) throw paramError(`${argument}.${name}`, "be an array or typed array", list);
      checkBuffer(list, `${argument}.${name}`);
    }
    if (indptr.length < 1) {
      throw shapeError(`${argument}.indptr`, "have one entry more than there are rows", "length 0");
    }
    if (indices.length !== data.length) {
      throw shapeError(`${argument}.indices`, `have the length of ${argument}.data, ${data.length}`,
        `length ${indices.length}`);
    }
    Object.assign(this, { indptr, indices, data, nFeatures, argument });
    this.rows = indptr.length - 1;
    this.#checkIndptr();
    if (shape !== undefined && rowsOfShape(shape, nFeatures, `${argument}.shape`) !== this.rows) {
      throw shapeError(`${argument}.shape`, `have the rows of ${argument}.indptr, ${this.rows}`, `${shape[0]}`);
    }
    this.indptr = new Float64Array(indptr); // so that no change of the caller's array changes the sizes of blocks
  }

  #checkUnchanged() {
    const { indptr, indices, data, argument, rows } = this;
    checkUnchanged(indices, indptr[rows], `${argument}.indices`);
    checkUnchanged(data, indptr[rows], `${argument}.data`);
  }

  #checkIndptr() {
    const { indptr, indices, rows } = this;
    const fault = (row, want) => rowError("ERR_SHAPE", `${this.argument}.indptr`, row, undefined, want,
      show(indptr[row]));
    if (indptr[0] !== 0) throw fault(0, "be 0");
    for (let row = 1; row <= rows; row++) {
      if (!Number.isInteger(indptr[row]) || indptr[row] < indptr[row - 1]) {
        throw fault(row, `be an integer that is not below the one before, ${indptr[row - 1]}`);
      }
    }
    if (indptr[rows] !== indices.length) throw fault(rows, `be the number of entries, ${indices.length}`);
  }

  take(start, most, bytes, least) {
    let rows = Math.min(most, least);
    while (rows < most && this.byteLength(start, rows + 1) <= bytes) rows++;
    return Math.min(most, wholeLanes(rows, least));
  }

  byteLength(start, rows) {
    return 4 * (rows + 1) + 8 * this.nnz(start, rows);
  }

  nnz(start, rows) {
    return this.indptr[start + rows] - this.indptr[start];
  }

  write(buffer, offset, start, rows) {
    const { indptr, indices, data, nFeatures, argument } = this;
    this.#checkUnchanged();
    const nnz = this.nnz(start, rows);
    const first = indptr[start];
    const toIndptr = new Int32Array(buffer, offset, rows + 1);
    const toIndices = new Int32Array(buffer, offset + 4 * (rows + 1), nnz);
    const toData = new Float32Array(buffer, offset + 4 * (rows + 1) + 4 * nnz, nnz);
    toIndptr[0] = 0;
    for (let row = 0; row < rows; row++) {
      const end = indptr[start + row + 1] - first;
      toIndptr[row + 1] = end;
      for (let at = toIndptr[row]; at < end; at++) {
        const column = indices[first + at];
        const value = data[first + at];
        if (!Number.isInteger(column) || column < 0 || column >= nFeatures) {
          throw rowError("ERR_SHAPE", `${argument}.indices`, start + row, undefined,
            `hold integers from 0 to ${nFeatures - 1}`, show(column));
        }
        if (typeof value !== "number") {
          throw rowError("ERR_PARAM", `${argument}.data`, start + row, column, "be a number", show(value));
        }
        toIndices[at] = column;
        toData[at] = value;
      }
    }
  }

  copy(row) {
    this.#checkUnchanged();
    const part = (list) => Array.prototype.slice.call(list, this.indptr[row], this.indptr[row + 1]);
    return { indices: part(this.indices), data: part(this.data) };
  }

  value(row, column) {
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; at++) {
      if (this.indices[at] === column) return this.data[at];
    }
    return 0;
  }
}

/** Returns a copy of a part. `slice` of a Buffer would share its bytes. */
function copyOf(numbers, from, to) {
  return (Array.isArray(numbers) ? Array : TypedArray).prototype.slice.call(numbers, from, to);
}

/** Writes `d` numbers as float32. The error for a value that is no number names the first one. */
function writeRow(target, to, values, from, d, argument, row) {
  for (let column = 0; column < d; column++) {
    const value = values[from + column];
    if (typeof value !== "number") {
      throw rowError("ERR_PARAM", argument, row, column, "be a number", shown(values, from + column));
    }
    target[to + column] = value;
  }
}

/** Returns the numbers of item i of an iterable of rows. */
function rowNumbers(row, d, argument, i, items) {
  if (!isVector(row) && formOf(row) === "tensor") row = tensorNumbers(row, d, `${argument}[${i}]`);
  const fault = (want, got) => rowError("ERR_SHAPE", argument, i, undefined, want, got);
  if (!isVector(row)) throw fault(`be an array of nFeatures = ${d} numbers`, shown(items, i, row));
  checkBuffer(row, `${argument}[${i}]`);
  if (row.length === d) return row;
  throw fault(`have nFeatures = ${d} numbers`, isVector(row[0]) ? "an array of arrays: flatten it" : row.length);
}

/** Returns the numbers of a tensor, row after row, after a check of their width. */
function tensorNumbers(X, nFeatures, argument) {
  const key = X.dims === undefined ? "shape" : "dims";
  const rows = rowsOfShape(X[key], nFeatures, `${argument}.${key}`);
  const data = dataOf(X, argument);
  if (data.length !== rows * nFeatures) {
    throw shapeError(`${argument}.data`, `have ${rows} × ${nFeatures} numbers, as ${key} says`,
      `length ${data.length}`);
  }
  const strides = X.stride ?? X.strides;
  if (isVector(strides) && (strides.at(-1) !== 1 || (rows > 1 && strides[0] !== nFeatures))) {
    throw shapeError(argument, `have its rows one after another, with strides [${nFeatures}, 1]: copy it`,
      `[${strides}]`);
  }
  return data;
}

/** Returns the array of a tensor's numbers. */
function dataOf(X, argument) {
  let data;
  try {
    ({ data } = X);
  } catch (error) { // a tensor on the GPU throws
    throw paramError(`${argument}.data`, `be there (${error.message})`, X);
  }
  if (X.type === "float16" && !isTyped(data, "Float16Array")) {
    throw paramError(`${argument}.data`, "hold numbers, not the bits of float16: make it float32", data);
  }
  if (typeof data === "function") {
    throw paramError(`${argument}.data`, "be an array: take { data: await X.data(), shape: X.shape }", data);
  }
  if (!isVector(data)) throw inputError(`${argument}.data`, data);
  checkBuffer(data, `${argument}.data`);
  return data;
}

/** Returns the number of rows of a shape, [rows, nFeatures], or [nFeatures] for one row. */
function rowsOfShape(shape, nFeatures, argument) {
  const [width, rows = 1, ...more] = isVector(shape) ? Array.from(shape).reverse() : [];
  if (width === nFeatures && Number.isInteger(rows) && rows >= 0 && more.length === 0) return rows;
  throw shapeError(argument, `be [rows, ${nFeatures}], as nFeatures = ${nFeatures}: reshape it, or make a map for it`,
    isVector(shape) ? `[${Array.from(shape).join(", ")}]` : show(shape));
}

/** Throws for an array whose buffer is gone. It has no elements then, like an empty array, but its methods throw. */
function checkBuffer(values, argument) {
  if (values.length > 0 || !ArrayBuffer.isView(values)) return;
  try {
    values.keys();
  } catch {
    throw shapeError(argument, "keep its buffer: transfer a copy of it", "one that was transferred or shrunk");
  }
}

/** Throws if an array of a call no longer has the length that it had at first. */
function checkUnchanged(values, length, argument, row) {
  if (values.length !== length) throw changedError(argument, values, row);
}

/** Returns an element of an array as text. */
function shown(list, i, value = list[i]) {
  return Array.isArray(list) && !(i in list) ? "a hole" : show(value);
}

function isVector(value) {
  return Array.isArray(value) || isNumeric(value);
}

function isNumeric(value) {
  return ArrayBuffer.isView(value) && NUMERIC.has(value[Symbol.toStringTag]);
}

function isBigInts(value) {
  return isTyped(value, "BigInt64Array") || isTyped(value, "BigUint64Array");
}

/** Returns the rows of a block that has the layout of `write`. */
export function packedRows(buffer, rows, nnz, sparse, nFeatures) {
  if (!sparse) return new FlatRows(new Float32Array(buffer, 0, rows * nFeatures), nFeatures, "X");
  const indptr = new Int32Array(buffer, 0, rows + 1);
  const indices = new Int32Array(buffer, 4 * (rows + 1), nnz);
  const data = new Float32Array(buffer, 4 * (rows + 1) + 4 * nnz, nnz);
  return new CSRRows({ indptr, indices, data }, nFeatures, "X");
}

/** Returns the rows with these indices, dense and one after another, from a source of any form. */
export function pickRows(source, rows) {
  const d = source.nFeatures;
  const picked = new Float32Array(rows.length * d);
  rows.forEach((row, i) => {
    if (!source.sparse) {
      source.write(picked.buffer, 4 * d * i, row, 1);
      return;
    }
    const { indices, data } = sparseRow(source, row);
    indices.forEach((column, at) => { picked[d * i + column] = data[at]; });
  });
  return picked;
}

/** Returns rows that `copy` of sources gave as a source. It is sparse if any row is. */
export function joinRows(rows, nFeatures, argument) {
  if (rows.every((row) => !row.indices)) return new NestedRows(rows, nFeatures, argument);
  const parts = rows.map((row) => (row.indices ? row : { indices: Array.from(row.keys()), data: Array.from(row) }));
  return new CSRRows(csrOf(parts), nFeatures, argument);
}

/** Returns the rows with these indices as rows of a call: CSR if the source is sparse, and else dense. */
export function someRows(source, rows) {
  return source.sparse ? csrOf(rows.map((row) => sparseRow(source, row))) : pickRows(source, rows);
}

/** Returns rows with { indices, data } as CSR. */
function csrOf(rows) {
  const indptr = [0];
  for (const { data } of rows) indptr.push(indptr.at(-1) + data.length);
  const all = (name) => rows.flatMap((row) => Array.from(row[name]));
  return { indptr, indices: all("indices"), data: all("data") };
}

/** Checks every element, for calls that pass only some rows to the core. The errors are worded as in the core. */
export function checkRows(source) {
  const dense = source.sparse ? null : new Float32Array(source.nFeatures);
  for (let row = 0; row < source.rows; row++) {
    if (dense) source.write(dense.buffer, 0, row, 1);
    const { indices, data } = dense ? { data: dense } : sparseRow(source, row);
    const bad = data.findIndex((value) => !Number.isFinite(value));
    if (bad >= 0) {
      const error = rowError("ERR_NONFINITE", source.argument, row, indices ? indices[bad] : bad,
        "be finite: remove or replace NaN and infinite values", String(data[bad]));
      throw withLargeValue(error, [source]);
    }
    if (indices) checkColumns(indices, source.argument, row);
  }
}

/** Throws if a column stands twice among the indices of a sparse row. */
export function checkColumns(indices, argument, row) {
  const twice = Int32Array.from(indices).sort().find((column, at, sorted) => column === sorted[at - 1]);
  if (twice === undefined) return;
  throw rowError("ERR_SHAPE", argument, row, twice, "hold each column once: add the values up", "two values");
}

/** Returns the indices and values of one sparse row. */
function sparseRow(source, row) {
  const buffer = new ArrayBuffer(source.byteLength(row, 1));
  source.write(buffer, 0, row, 1);
  const nnz = source.nnz(row, 1);
  return { indices: new Int32Array(buffer, 8, nnz), data: new Float32Array(buffer, 8 + 4 * nnz, nnz) };
}

/**
 * Returns the error to throw for an error of a call. The core sees float32. If it reports an infinity that the caller
 * gave as a finite number, the new message names that number.
 */
export function withLargeValue(error, sources) {
  if (!(error instanceof TensorSketchError) || error.code !== "ERR_NONFINITE" || error.column === undefined) {
    return error;
  }
  const { code, row, column, rowsDone } = error;
  const isLarge = (value) => Number.isFinite(value) && !Number.isFinite(Math.fround(value));
  const source = sources.find((s) => column < s.nFeatures && isLarge(s.value(row, column)));
  if (!source) return error;
  const got = show(source.value(row, column));
  const where = { argument: source.argument, row, column, rowsDone };
  return errorAt(code, where, `must be within the range of float32, ±3.4028235e38, got ${got}`);
}

/** Throws if element i of a vector is not a finite number. */
function checkNumber(argument, vector, i) {
  if (Number.isFinite(vector[i])) return;
  if (typeof vector[i] !== "number") throw paramError(`${argument}[${i}]`, "be a number", vector[i]);
  throw new TensorSketchError("ERR_NONFINITE", `${argument}[${i}] must be finite, got ${vector[i]}`,
    { argument, column: i });
}

/** Throws if z is not one row of features. */
export function checkFeatures(argument, z, nComponents) {
  if (!hasLength(z)) {
    throw paramError(argument, `be an array of ${nComponents} numbers`, z);
  }
  if (z.length !== nComponents) {
    throw shapeError(argument, `be one row of nComponents = ${nComponents} numbers`, z.length);
  }
  for (let i = 0; i < z.length; i++) checkNumber(argument, z, i);
}

/** Writes a vector for kernel and stdError as float64 at `offset`. */
export function writeVector(buffer, offset, vector, length, argument) {
  if (!hasLength(vector)) {
    throw paramError(argument, `be an array of ${length} numbers`, vector);
  }
  if (vector.length !== length) throw shapeError(argument, `have ${length} numbers`, vector.length);
  const target = new Float64Array(buffer, offset, length);
  for (let i = 0; i < length; i++) {
    checkNumber(argument, vector, i);
    target[i] = vector[i];
  }
}

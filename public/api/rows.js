// Rows of input in every form that the API takes. They are written block by block in the layout that the core reads.
// Dense blocks are rows × d float32. CSR blocks are int32 indptr[rows + 1], int32 indices[nnz], float32 data[nnz].

import { errorAt, isTyped, paramError, rowError, shapeError, show, TensorSketchError } from "./errors.js";

/** Checks the lengths of X and returns its rows as a source. Elements are checked when they are written. */
export function rowSource(X, nFeatures, argument) {
  if (isFloats(X)) return new FlatRows(X, nFeatures, argument);
  if (Array.isArray(X)) {
    return isVector(X[0]) ? new NestedRows(X, nFeatures, argument) : new FlatRows(X, nFeatures, argument);
  }
  if (typeof X === "object" && X !== null && X.indptr && X.indices && X.data) {
    return new CSRRows(X, nFeatures, argument);
  }
  throw paramError(argument, "be a Float32Array, a Float64Array, an array of numbers, an array of rows, or CSR " +
    "{indptr, indices, data}", X);
}

/** Checks Z and returns its number of rows of features. */
export function featureRows(Z, nComponents) {
  if (!isTyped(Z, "Float32Array")) throw paramError("Z", `be a Float32Array of rows of ${nComponents} features`, Z);
  if (Z.length % nComponents !== 0) {
    throw shapeError("Z", `have a length that is a multiple of nComponents = ${nComponents}`, `length ${Z.length}`);
  }
  return Z.length / nComponents;
}

/** The base of all sources of dense rows of nFeatures numbers. */
class DenseRows {
  sparse = false;

  /** Returns the number of rows to take from `start` on: as many as `bytes` hold, between `least` and `most`. */
  take(start, most, bytes, least) {
    return Math.min(most, wholeLanes(bytes / (4 * this.nFeatures), least));
  }

  byteLength(start, rows) {
    return 4 * rows * this.nFeatures;
  }
}

class FlatRows extends DenseRows {
  constructor(values, nFeatures, argument) {
    super();
    if (values.length % nFeatures !== 0) {
      throw shapeError(argument, `have a length that is a multiple of nFeatures = ${nFeatures}`,
        `length ${values.length}`);
    }
    Object.assign(this, { values, nFeatures, argument });
    this.rows = values.length / nFeatures;
  }

  write(buffer, offset, start, rows) {
    const d = this.nFeatures;
    const target = new Float32Array(buffer, offset, rows * d);
    if (ArrayBuffer.isView(this.values)) {
      target.set(this.values.subarray(start * d, (start + rows) * d));
      return;
    }
    for (let row = 0; row < rows; row++) {
      writeRow(target, row * d, this.values, (start + row) * d, d, this.argument, start + row);
    }
  }

  value(row, column) {
    return this.values[row * this.nFeatures + column];
  }
}

class NestedRows extends DenseRows {
  constructor(values, nFeatures, argument) {
    super();
    for (let i = 0; i < values.length; i++) {
      const row = values[i];
      if (!isVector(row)) {
        throw rowError("ERR_SHAPE", argument, i, undefined, `be an array of nFeatures = ${nFeatures} numbers`,
          show(row));
      }
      if (row.length !== nFeatures) {
        throw rowError("ERR_SHAPE", argument, i, undefined, `have nFeatures = ${nFeatures} numbers`, row.length);
      }
    }
    Object.assign(this, { values, nFeatures, argument });
    this.rows = values.length;
  }

  write(buffer, offset, start, rows) {
    const d = this.nFeatures;
    const target = new Float32Array(buffer, offset, rows * d);
    for (let row = 0; row < rows; row++) {
      writeRow(target, row * d, this.values[start + row], 0, d, this.argument, start + row);
    }
  }

  value(row, column) {
    return this.values[row][column];
  }
}

class CSRRows {
  sparse = true;

  constructor({ indptr, indices, data }, nFeatures, argument) {
    for (const [name, list] of Object.entries({ indptr, indices, data })) {
      if (!Number.isInteger(list.length)) throw paramError(`${argument}.${name}`, "be an array or typed array", list);
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

  value(row, column) {
    for (let at = this.indptr[row]; at < this.indptr[row + 1]; at++) {
      if (this.indices[at] === column) return this.data[at];
    }
    return 0;
  }
}

/** Writes `d` numbers as float32. The error for a value that is no number names the first one. */
function writeRow(target, to, values, from, d, argument, row) {
  for (let column = 0; column < d; column++) {
    const value = values[from + column];
    if (typeof value !== "number") throw rowError("ERR_PARAM", argument, row, column, "be a number", show(value));
    target[to + column] = value;
  }
}

function isVector(value) {
  return Array.isArray(value) || isFloats(value);
}

function isFloats(value) {
  return isTyped(value, "Float32Array") || isTyped(value, "Float64Array");
}

/** Returns the largest multiple of `lanes` up to `rows`, at least `lanes`: a part of the lanes costs as much as all. */
export function wholeLanes(rows, lanes) {
  return Math.max(1, Math.floor(rows / lanes)) * lanes;
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

/** Returns the rows with these indices as a source of the same form. */
export function someRows(source, rows) {
  const { nFeatures, argument } = source;
  if (!source.sparse) return new FlatRows(pickRows(source, rows), nFeatures, argument);
  const parts = rows.map((row) => sparseRow(source, row));
  const indptr = [0];
  for (const { data } of parts) indptr.push(indptr.at(-1) + data.length);
  const join = (name, Type) => Type.from(parts.flatMap((part) => Array.from(part[name])));
  return new CSRRows({ indptr, indices: join("indices", Int32Array), data: join("data", Float32Array) }, nFeatures,
    argument);
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
    const twice = indices?.slice().sort().find((column, at, sorted) => column === sorted[at - 1]);
    if (twice !== undefined) {
      throw rowError("ERR_SHAPE", source.argument, row, twice, "hold each column once: add the values up",
        "two values");
    }
  }
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
export function checkNumber(argument, vector, i) {
  if (Number.isFinite(vector[i])) return;
  if (typeof vector[i] !== "number") throw paramError(`${argument}[${i}]`, "be a number", vector[i]);
  throw new TensorSketchError("ERR_NONFINITE", `${argument}[${i}] must be finite, got ${vector[i]}`,
    { argument, column: i });
}

/** Writes a vector for kernel and stdError as float64 at `offset`. */
export function writeVector(buffer, offset, vector, length, argument) {
  if (typeof vector !== "object" || vector === null || !Number.isInteger(vector.length)) {
    throw paramError(argument, `be an array of ${length} numbers`, vector);
  }
  if (vector.length !== length) throw shapeError(argument, `have ${length} numbers`, vector.length);
  const target = new Float64Array(buffer, offset, length);
  for (let i = 0; i < length; i++) {
    checkNumber(argument, vector, i);
    target[i] = vector[i];
  }
}

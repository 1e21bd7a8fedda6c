// Columns and tables of Apache Arrow as rows, and rows of features as a column. Reading needs no Arrow library, only
// what their objects share in JavaScript: type.typeId, data[].values, and get or at.

import { DenseRows } from "./denserows.js";
import { isTyped, paramError, rowError, shapeError, show } from "./errors.js";

/** Type ids of Arrow's JavaScript interface. */
const INT = 2;
const FLOAT = 3;
const LIST = 12;
const FIXED_SIZE_LIST = 16;

const isNumber = (type) => type?.typeId === INT || type?.typeId === FLOAT;
const elementOf = (type) => type.children?.[0]?.type;
const isList = (type) => [LIST, FIXED_SIZE_LIST].includes(type.typeId) && isNumber(elementOf(type));

/** Reports whether a value is a column of Arrow. */
export const isColumn = (X) => Number.isInteger(X?.type?.typeId) && Array.isArray(X.data);

/** Reports whether a value is a table or a record batch of Arrow. */
export const isTable = (X) => Array.isArray(X?.schema?.fields) && typeof X.getChildAt === "function";

/**
 * Returns the values of a column of Arrow as an array, and anything else as it is. BigInts that are safe integers
 * become numbers.
 */
export function valuesOf(y) {
  if (!isColumn(y)) return y;
  return Array.from(y, (value) =>
    (typeof value === "bigint" && Number.isSafeInteger(Number(value)) ? Number(value) : value));
}

/** The rows of a column of lists of numbers, or of the columns of a table that hold numbers or such lists. */
export class ArrowRows extends DenseRows {
  constructor(X, nFeatures, argument) {
    super();
    const columns = isColumn(X) ? [new Column("", X, nFeatures)] : columnsOf(X, nFeatures);
    const width = columns.reduce((sum, column) => sum + column.width, 0);
    Object.assign(this, { columns, nFeatures, argument, rows: isColumn(X) ? X.length : X.numRows });
    if (width !== nFeatures) throw this.#widthError(X, width);
    let first = 0;
    for (const column of columns) {
      column.first = first;
      first += column.width;
      const row = column.emptyRow();
      if (row >= 0) {
        throw rowError("ERR_PARAM", argument, row, first - column.width,
          "be numbers: leave rows with nulls out, or fill the nulls in", `null${column.title()}`);
      }
    }
  }

  #widthError(X, width) {
    if (isColumn(X)) {
      return shapeError(this.argument, `be a column of lists of nFeatures = ${this.nFeatures} numbers`,
        this.columns[0].isNumeric ? `lists of ${width}` : `the type ${show(String(X.type))}`);
    }
    const names = this.columns.map(({ name }) => show(name));
    const listed = names.length > 8 ? [...names.slice(0, 4), "…", ...names.slice(-2)] : names;
    return shapeError(this.argument, `have nFeatures = ${this.nFeatures} numeric columns: select those that are ` +
      "features, and cast decimals, dates and truth values to DOUBLE", `${width} (${listed.join(", ")})`);
  }

  write(buffer, offset, start, rows) {
    const d = this.nFeatures;
    const target = new Float32Array(buffer, offset, rows * d);
    for (const column of this.columns) column.write(target, d, start, rows, this.argument);
  }

  value(row, column) {
    const of = this.columns.filter(({ first }) => first <= column).at(-1);
    return of.numbers(row)[column - of.first];
  }

  copy(row) {
    return this.columns.flatMap((column) => Array.from(column.numbers(row)));
  }
}

/** Returns how many numbers a row of a column or table has, as far as types say. */
export function arrowWidth(X) {
  const columns = isColumn(X) ? [new Column("", X)] : columnsOf(X);
  return columns.reduce((sum, { width }) => sum + width, 0);
}

function columnsOf(table, nFeatures) {
  return table.schema.fields.flatMap((field, i) =>
    (isNumber(field.type) || isList(field.type) ? [new Column(field.name, table.getChildAt(i), nFeatures)] : []));
}

/** A column that gives `width` numbers to each row, in chunks. */
class Column {
  constructor(name, vector, nFeatures) {
    const { type } = vector;
    this.name = name;
    this.vector = vector;
    this.isNumeric = isNumber(type) || isList(type);
    this.isList = isList(type);
    this.width = !this.isNumeric ? 0 : !this.isList ? 1
      : type.listSize ?? type.stride ?? nFeatures ?? at(vector, 0)?.length ?? 0;
    // Lists of any length are read row by row.
    this.chunks = type.typeId === LIST ? [] : chunksOf(vector, this.isList ? elementOf(type) : type, this.isList);
  }

  title() {
    return this.name === "" ? "" : ` in column ${show(this.name)}`;
  }

  /** Returns the first row that lacks a number, or −1. */
  emptyRow() {
    const { vector, chunks } = this;
    const full = ({ nullCount }) => nullCount === 0;
    if (chunks.length > 0 && vector.data.every((chunk) => full(chunk) && (!this.isList || full(chunk.children[0])))) {
      return -1;
    }
    for (let row = 0; row < vector.length; row++) {
      const value = at(vector, row);
      if (value === null || (this.isList && Array.from(value).includes(null))) return row;
    }
    return -1;
  }

  /** Returns the numbers of one row. */
  numbers(row) {
    const value = at(this.vector, row);
    return Array.from(this.isList ? value : [value], Number);
  }

  write(target, d, start, rows, argument) {
    const { width, first, chunks } = this;
    if (chunks.length === 0) {
      for (let row = 0; row < rows; row++) this.#writeRow(target, row * d, start + row, argument);
      return;
    }
    for (const { from, to, values } of chunks) {
      const last = Math.min(to, start + rows);
      let row = Math.max(from, start);
      if (row >= last) continue;
      if (values.length < (to - from) * width) {
        throw shapeError(argument, "keep its buffers until the call ends: transfer a copy", "one that was transferred");
      }
      if (width === d && !isTyped(values, "BigInt64Array") && !isTyped(values, "BigUint64Array")) {
        target.set(values.subarray((row - from) * d, (last - from) * d), (row - start) * d);
        continue;
      }
      for (; row < last; row++) {
        const to = (row - start) * d + first;
        for (let k = 0; k < width; k++) target[to + k] = Number(values[(row - from) * width + k]);
      }
    }
  }

  #writeRow(target, to, row, argument) {
    const numbers = this.numbers(row);
    if (numbers.length !== this.width) {
      throw rowError("ERR_SHAPE", argument, row, undefined, `have nFeatures = ${this.width} numbers`, numbers.length);
    }
    target.set(numbers, to + this.first);
  }
}

/** Returns an element of a column, null if it has none. Libraries call it get or at. */
const at = (vector, row) => (vector.get ? vector.get(row) : vector.at(row)) ?? null;

/** Returns the chunks of a column with their typed arrays, or none where elements must be read one by one. */
function chunksOf(vector, type, isNested) {
  let from = 0;
  const chunks = vector.data.map((chunk) => {
    const to = from + chunk.length;
    const values = isNested ? chunk.children?.[0]?.values : chunk.values;
    const whole = { from, to, values };
    from = to;
    return whole;
  });
  const isHalf = (values) => type.typeId === FLOAT && isTyped(values, "Uint16Array");
  return chunks.every(({ values }) => ArrayBuffer.isView(values) && !isHalf(values)) ? chunks : [];
}

/**
 * Returns rows of features as a column of FixedSizeList<Float32>, which shares their memory. `arrow` is the module
 * apache-arrow of the caller.
 */
export function toArrow(arrow, Z, nComponents) {
  const missing = ["makeData", "Vector", "Field", "Float32", "FixedSizeList"].find((name) => !arrow?.[name]);
  if (missing) throw paramError("arrow", `be the module apache-arrow, which has ${missing}`, arrow);
  if (!isTyped(Z, "Float32Array") || !(nComponents >= 1) || Z.length % nComponents !== 0) {
    throw shapeError("Z", `be a Float32Array of rows of nComponents = ${nComponents} features`,
      Z?.length === undefined ? show(Z) : `length ${Z.length}`);
  }
  const { makeData, Vector, Field, Float32, FixedSizeList } = arrow;
  const type = new FixedSizeList(nComponents, new Field("item", new Float32(), false));
  const child = makeData({ type: new Float32(), length: Z.length, nullCount: 0, data: Z });
  return new Vector([makeData({ type, length: Z.length / nComponents, nullCount: 0, child })]);
}

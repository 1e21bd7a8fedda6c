// The preprocessing in a model file makes the rows that its map takes. The map stores it; dataset.js applies it.

import { checkObject, fault, isObject, paramError, readJSON } from "./errors.js";

const FORMAT = "tensorsketch-preprocessing";
const VERSIONS = [1, 2, 3, 4, 5]; // 1 has no reading, 2 has one, and those from 3 on, for learning, may have one
// in the order in which they are written
const KEYS = ["format", "version", "unitNorm", "sparseWidth", "reading", "columns"];
const COLUMN_KEYS = ["name", "role", "measure", "missing", "fill", "scaling", "center", "scale", "encoding", "values",
  "other", "empty", "average", "common", "parts", "words", "chars", "width", "unit"];

/** The number of coordinates of a column, by its role. */
const WIDTHS = {
  number: () => 1,
  category: ({ encoding, values, other, empty, width }) =>
    (encoding === "one-hot" ? values.length + Boolean(other) + Boolean(empty) : width),
  date: ({ parts }) => parts.reduce((sum, part) => sum + (part === "days" ? 1 : 2), 0),
  words: ({ width }) => width,
  label: () => 0,
  keep: () => 0,
};

/** Checks a preprocessing, given as text or parsed, whose rows have nFeatures numbers. Returns a frozen copy. */
export function readPreprocessing(input, nFeatures) {
  const object = readJSON("preprocessing", input);
  checkObject("preprocessing", object, KEYS);
  if (object.format !== FORMAT) throw paramError("preprocessing.format", `be "${FORMAT}"`, object.format);
  if (!VERSIONS.includes(object.version)) {
    throw paramError("preprocessing.version", "be 1 to 5, which this release reads", object.version);
  }
  const { version, reading } = object;
  // dataset.wasm checks its settings, and the map only stores it
  if (version === 2) checkObject("preprocessing.reading", reading);
  if (version === 1 && reading !== undefined) {
    throw paramError("preprocessing.reading", "be absent in version 1", reading);
  }
  if (!Array.isArray(object.columns)) {
    throw paramError("preprocessing.columns", "be an array of columns", object.columns);
  }
  const columns = object.columns.map((column, i) => {
    checkObject(`preprocessing.columns[${i}]`, column, COLUMN_KEYS);
    return picked(column, COLUMN_KEYS);
  });
  const rows = columns.reduce((sum, column, i) => sum + width(column, i), object.sparseWidth ?? 0);
  if (rows !== nFeatures) {
    const got = Array.isArray(nFeatures) ? "one per degree" : nFeatures;
    throw fault("nFeatures", `nFeatures must be ${rows}, as in the preprocessing, got ${got}`);
  }
  return deepFreeze(copyOf(picked({ ...object, columns }, KEYS)));
}

/** Returns the columns of a preprocessing that have coordinates, with their number: [{ name, width }]. */
export const widthsOf = ({ columns }) => columns.map((column, i) =>
  ({ name: column.name, width: width(column, i) })).filter(({ width }) => width > 0);

function width(column, i) {
  try {
    const n = WIDTHS[column.role](column);
    if (Number.isSafeInteger(n) && n >= 0) return n;
  } catch {} // no such role, or the column lacks the settings that give its width
  throw paramError(`preprocessing.columns[${i}]`, "be a column as dataset.js writes it", column);
}

/** Returns a copy of an object, as JSON can represent it. */
function copyOf(object) {
  try {
    return JSON.parse(JSON.stringify(object));
  } catch (error) {
    throw fault("preprocessing", `preprocessing must be what JSON can hold: ${error.message}`);
  }
}

/** Returns a copy of an object with the listed keys that it has, in the order of the list. */
function picked(object, keys) {
  return Object.fromEntries(keys.filter((key) => object[key] !== undefined).map((key) => [key, object[key]]));
}

export function deepFreeze(value) {
  if (isObject(value)) Object.values(Object.freeze(value)).forEach(deepFreeze);
  return value;
}

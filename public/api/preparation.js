// The preparation of a model or a learner (docs/SPEC.md): what makes the rows of its map. The core prepares the rows,
// as sketch/learn/prepare/prepare.go says.

import { checkObject, fault, paramError } from "./errors.js";
import { Block, quoted } from "./params.js";
import { deepFreeze } from "./preprocessing.js";
import { FORMS } from "./tables.js";

const KEYS = ["form", "nFeatures", "columns", "weights", "unit"];
const NUMBERS = ["mean", "scale", "low", "high", "fill"];
const COLUMN_FIELDS = 10; // of a block, before the knots
const MOST_KNOTS = 129;
const COLUMN_KEYS = ["indicator", "unused", ...NUMBERS, "missing", "knots", "values", "codes"];

/**
 * Reads a preparation. Returns it as `file`, frozen, with the `block` for ts_map_prepare and the lengths of a row
 * before and after: { file, block, nFeatures, nOutputs }. The core checks what numbers say.
 */
export function readPreparation(argument, given) {
  const { form, nFeatures, columns, weights, unit } = checkObject(argument, given, KEYS);
  if (!FORMS.includes(form)) throw paramError(`${argument}.form`, `be ${quoted(FORMS)}`, form);
  const file = { form };
  if (form === "raw") {
    if (!Number.isInteger(nFeatures) || nFeatures < 1) {
      throw paramError(`${argument}.nFeatures`, "be an integer ≥ 1", nFeatures);
    }
    file.nFeatures = nFeatures;
  } else if (Array.isArray(columns)) {
    file.columns = columns.map((column, i) => readColumn(`${argument}.columns[${i}]`, column, form));
  } else throw paramError(`${argument}.columns`, "be an array of columns", columns);
  if ((form === "raw" ? columns : nFeatures) !== undefined) {
    const key = form === "raw" ? "columns" : "nFeatures";
    throw fault(`${argument}.${key}`, `${argument}.${key} must be left out for the form "${form}"`);
  }
  if (weights !== undefined) file.weights = list(`${argument}.weights`, weights);
  if (flag(`${argument}.unit`, unit)) file.unit = true;
  return made(argument, deepFreeze(file));
}

/**
 * Returns the preparation of a form for the rows of a source (sketch/learn/prepare/fit.go), or of what
 * readPreparation takes.
 */
export function prepareFor(core, source, given) {
  if (typeof given !== "string") return readPreparation("preparation", given);
  if (!FORMS.includes(given)) {
    throw paramError("preparation", `be ${quoted(FORMS)} or an object`, given);
  }
  if (given === "raw") return readPreparation("preparation", { form: given, nFeatures: source.nFeatures });
  if (source.sparse) {
    throw paramError("X", `be dense for a preparation of the form "${given}", which makes zeros other numbers: give ` +
      'dense rows, or prepare with the form "raw"', "sparse rows");
  }
  const most = 5 + source.nFeatures * (COLUMN_FIELDS + (given === "qn" ? 2 * MOST_KNOTS : 0));
  return made("preparation", deepFreeze(decode(core.newPreparation(FORMS.indexOf(given), source, 8 * most))));
}

/** The inverse of encode. */
export function decode(bytes) {
  const numbers = new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8);
  let at = 5;
  const take = (n) => Array.from(numbers.subarray(at, (at += n)));
  const [form, unit, nFeatures, count] = numbers;
  const weights = take(numbers[4]);
  const rest = { ...(weights.length > 0 ? { weights } : {}), ...(unit ? { unit: true } : {}) };
  if (FORMS[form] === "raw") return { form: "raw", nFeatures, ...rest };
  const columns = Array.from({ length: count }, () => {
    const [indicator, unused, missing, ...rest] = take(COLUMN_FIELDS);
    const [knots, codes] = rest.slice(-2);
    const kept = { ...(indicator ? { indicator: true } : {}), ...(unused ? { unused: true } : {}) };
    const column = unused || indicator ? kept : Object.fromEntries(NUMBERS.map((key, i) => [key, rest[i] + 0]));
    if (missing) column.missing = true;
    if (knots) Object.assign(column, { knots: take(knots), values: take(knots) });
    return codes ? { ...column, codes: take(codes) } : column;
  });
  return { form: FORMS[form], columns, ...rest };
}

/** Returns a preparation. Throws if the map does not take what it makes. */
export function checkOutputs(prepared, nFeatures) {
  if (prepared.nOutputs === nFeatures) return prepared;
  throw paramError("nFeatures", `be the number of prepared coordinates, ${prepared.nOutputs}`, nFeatures);
}

/** Returns the preparation of the linear model beside a map. */
export function linearOf(prepared) {
  const { file } = prepared;
  if (file.form === "raw") return prepared;
  const columns = file.columns.map(({ knots: _, values: __, ...column }) => column);
  return made("preparation", deepFreeze({ form: "std", columns }));
}

function made(argument, file) {
  const nFeatures = file.nFeatures ?? file.columns.length;
  const nOutputs = file.nFeatures ?? file.columns.reduce((sum, { unused, missing, codes = [] }) => sum +
    Number(!unused) + Number(Boolean(missing)) + codes.length, 0);
  if (file.weights && file.weights.length !== nOutputs) {
    throw paramError(`${argument}.weights`, `hold one number for each prepared coordinate, ${nOutputs}`,
      file.weights.length);
  }
  return { file, nFeatures, nOutputs, block: encode(file) };
}

/** Returns the block for ts_map_prepare. */
function encode({ form, unit = false, nFeatures = 0, columns = [], weights = [] }) {
  const block = new Block();
  block.numbers(FORMS.indexOf(form), Number(unit), nFeatures, columns.length, weights.length, ...weights);
  for (const { indicator = false, unused = false, missing = false, knots = [], values = [], codes = [], ...column } of
    columns) {
    block.numbers(Number(indicator), Number(unused), Number(missing), ...NUMBERS.map((key) => column[key] ?? 0),
      knots.length, codes.length, ...knots, ...values, ...codes);
  }
  return block.bytes();
}

function readColumn(argument, given, form) {
  const column = checkObject(argument, given, COLUMN_KEYS);
  const read = {};
  for (const key of ["indicator", "unused"]) if (flag(`${argument}.${key}`, column[key])) read[key] = true;
  const isPlain = read.indicator || read.unused;
  for (const key of NUMBERS) {
    if (isPlain) absent(`${argument}.${key}`, column[key]);
    else if (Number.isFinite(column[key])) read[key] = column[key] + 0;
    else throw paramError(`${argument}.${key}`, "be a finite number", column[key]);
  }
  if (flag(`${argument}.missing`, column.missing)) read.missing = true;
  for (const key of ["knots", "values"]) {
    if (isPlain || form !== "qn") absent(`${argument}.${key}`, column[key]);
    else read[key] = list(`${argument}.${key}`, column[key]);
  }
  if (column.codes !== undefined) {
    if (isPlain) absent(`${argument}.codes`, column.codes);
    read.codes = list(`${argument}.codes`, column.codes);
  }
  if (read.knots && read.knots.length !== read.values.length) {
    throw paramError(`${argument}.values`, `hold one number for each knot, ${read.knots.length}`, read.values.length);
  }
  return read;
}

function absent(argument, value) {
  if (value === undefined) return;
  throw fault(argument, `${argument} must be left out of a column of this kind`);
}

function flag(argument, value) {
  if (value === undefined || value === true) return value === true;
  throw paramError(argument, "be true, or left out", value);
}

/** Returns a copy of a list of numbers, with 0 for −0, which is written as 0. */
export function list(argument, value) {
  if (!Array.isArray(value)) throw paramError(argument, "be an array of numbers", value);
  const bad = value.findIndex((v) => !Number.isFinite(v));
  if (bad >= 0) throw paramError(`${argument}[${bad}]`, "be a finite number", value[bad]);
  return value.map((v) => v + 0);
}

// Rows, labels and texts on the way to dataset.wasm and back.

import { DatasetError } from "./dataseterror.js";
import { isTyped, paramError, show } from "./errors.js";
import { areRows } from "./sources.js";

/** Throws where rows as objects are no array and no form. */
export function checkRecords(rows) {
  if (!areRows(rows)) throw ofRows(`rows must be an array of objects, got ${show(rows)}: take [row] if it is a row`);
}

/** Returns an error of reading rows as objects: the TypeErrors of a source are about a file, which nobody gave. */
export function aboutRows(error) {
  const isOfFile = error instanceof TypeError && error.message.startsWith("file, row ");
  return isOfFile ? ofRows(error.message.replace("file", "rows"), error) : error;
}

const ofRows = (message, cause) => new DatasetError({ code: "ERR_PARAM", argument: "rows", message }, cause);

/** Returns the labels of a block of rows at hand. Each row must have one. */
export function labelsOf(reader, texts, task, before) {
  const found = task === "classify" ? reader.read(texts) : Array.from(reader.numbers(texts));
  const at = found.findIndex((label) => label === null || Number.isNaN(label));
  if (at < 0) return found;
  const what = texts[at] === "" ? "the label is missing" : `the label ${show(texts[at])} is no number`;
  const problem = { file: "rows", row: before + at + 1, where: `row ${before + at + 1}`, what,
    remedy: "correct it, or leave the row out" };
  throw new DatasetError({ message: `rows, ${problem.where}: ${what}; ${problem.remedy}.`, problem });
}

/** Returns the rows of blocks as one array, or as CSR. */
export function joinedRows(blocks) {
  if (blocks.length === 1) return blocks[0];
  if (ArrayBuffer.isView(blocks[0])) return joined(Float32Array, blocks);
  const ends = [0];
  for (const { indptr } of blocks) {
    const before = ends.at(-1);
    for (let i = 1; i < indptr.length; i++) ends.push(before + indptr[i]);
  }
  return { indptr: Int32Array.from(ends), indices: joined(Int32Array, blocks.map(({ indices }) => indices)),
    data: joined(Float32Array, blocks.map(({ data }) => data)) };
}

function joined(Type, arrays) {
  const all = new Type(arrays.reduce((sum, { length }) => sum + length, 0));
  arrays.reduce((at, array) => (all.set(array, at), at + array.length), 0);
  return all;
}

/** Returns a block, after a check that it has cells. */
export function checkCells(block) {
  if (isTyped(block?.cells, "Uint8Array") && isTyped(block.offsets, "Int32Array")) return block;
  throw paramError("block", "be a block that rows gave", block);
}

/** Returns texts as UTF-8 with the offsets of each. */
export function cellsOf(texts) {
  if (!Array.isArray(texts)) throw paramError("texts", "be an array of texts, as dataset.texts gives them", texts);
  const bad = texts.findIndex((text) => typeof text !== "string");
  if (bad >= 0) throw paramError(`texts[${bad}]`, "be a text", texts[bad]);
  const offsets = new Int32Array(texts.length + 1);
  const longest = texts.reduce((sum, { length }) => sum + 3 * length, 0);
  const cells = new Uint8Array(longest), encoder = new TextEncoder();
  for (const [k, text] of texts.entries()) {
    offsets[k + 1] = offsets[k] + encoder.encodeInto(text, cells.subarray(offsets[k])).written;
  }
  return [cells.subarray(0, offsets[texts.length]), offsets];
}

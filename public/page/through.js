// Sends rows through a feature map block by block, for previews.

import { HEAD_NUMBERS } from "../api/tables.js";
import { joinedRows } from "../api/datasetrows.js";
import { rowsOf, sizeOf } from "./blocks.js";

/**
 * Transforms blocks of rows and yields { part, Z } in order: a part of a block, of at most `rowsOfPart` rows, and its
 * features. Meanwhile `ahead` parts are in progress. `features` returns a promise of the features of rows X. `goesOn`
 * is called after each part. When it resolves to false, only the parts in progress still come. An error that names a
 * row also has its `place` in the file.
 */
export async function* inTurn(blocks, { rowsOfPart, ahead, features, goesOn }) {
  const queue = [];
  const first = async () => {
    const { part, Z } = queue.shift();
    return { part, Z: await Z.catch((error) => { throw Object.assign(error, { place: part.places[error.row] }); }) };
  };
  for (const part of partsOf(blocks, rowsOfPart)) {
    const Z = features(part.X);
    Z.catch(() => {}); // awaited later, in order
    queue.push({ part, Z });
    if (queue.length > ahead) yield await first();
    if (!await goesOn()) break;
  }
  while (queue.length > 0) yield await first();
}

/** Yields blocks in parts of at most `rows` rows. */
function* partsOf(blocks, rows) {
  for (const block of blocks) {
    for (let from = 0; from < block.rows; from += rows) yield rowsOf(block, from, Math.min(from + rows, block.rows));
  }
}

/** Yields about the first `most` rows of an iterator of blocks, which stays open. */
export function* firstOf(blocks, most) {
  for (let left = most; left > 0;) {
    const { value: block, done } = blocks.next();
    if (done) return;
    yield block.rows <= left ? block : rowsOf(block, 0, left);
    left -= block.rows;
  }
}

/** Returns the first rows, to which a map is fitted: { X, rows, places, isWhole }. */
export function headOf(blocks) {
  const parts = [], places = [];
  let numbers = 0, isWhole = true;
  for (const block of blocks) {
    numbers += sizeOf(block.X);
    if (parts.length > 0 && numbers > HEAD_NUMBERS) {
      isWhole = false;
      break;
    }
    parts.push(block.X);
    for (const place of block.places) places.push(place);
  }
  return { X: joinedRows(parts), rows: places.length, places, isWhole };
}

/** Fits a map to these rows. An error that names a row also has its place in the file. */
export function fit(map, { X, places }) {
  try {
    map.fit(X);
  } catch (error) {
    throw Object.assign(error, { place: places[error.row] });
  }
}

// Sends rows through a feature map block by block, for saved files and for previews.

import { HEAD_NUMBERS } from "../api/tables.js";
import { joinRows, rowsOf, sizeOf } from "./blocks.js";

/**
 * Transforms blocks of rows and yields { part, Z } in order: a part of a block, of at most `rowsOfPart` rows, and its
 * features. Meanwhile `ahead` parts are in progress. The first `skip` rows are skipped. `features` returns a promise of
 * the features of rows X. `goesOn` is called after each part. When it resolves to false, only the parts in progress
 * still come. An error that names a row also has its `place` in the file.
 */
export async function* inTurn(blocks, { rowsOfPart, ahead, skip = 0, features, goesOn }) {
  const queue = [];
  const first = async () => {
    const { part, Z } = queue.shift();
    return { part, Z: await Z.catch((error) => { throw Object.assign(error, { place: part.places[error.row] }); }) };
  };
  let passed = 0, more = true;
  for (const block of blocks) {
    for (const part of partsOf(block, rowsOfPart, skip - passed)) {
      const Z = features(part.X);
      Z.catch(() => {}); // awaited later, in order
      queue.push({ part, Z });
      if (queue.length > ahead) yield await first();
      more = await goesOn();
      if (!more) break;
    }
    passed += block.rows;
    if (!more) break;
  }
  while (queue.length > 0) yield await first();
}

/** Yields a block in parts of `rows` rows, without its first `skip` rows. The last part's `done` has its arrays. */
function* partsOf(block, rows, skip) {
  for (let from = Math.max(0, skip); from < block.rows; from += rows) {
    const to = Math.min(from + rows, block.rows);
    yield { ...rowsOf(block, from, to), done: to === block.rows ? arraysOf(block) : [] };
  }
}

/** Returns the arrays of a block. */
const arraysOf = ({ X, cells, offsets, places }) => [...(X.indptr ? [X.indptr, X.indices, X.data] : [X]), cells,
  offsets, places];

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
  return { X: joinRows(parts), rows: places.length, places, isWhole };
}

/** Fits a map to these rows. An error that names a row also has its place in the file. */
export function fit(map, { X, places }) {
  try {
    map.fit(X);
  } catch (error) {
    throw Object.assign(error, { place: places[error.row] });
  }
}

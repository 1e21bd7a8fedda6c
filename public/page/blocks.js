// Blocks of rows: { rows, X, cells, offsets, places }. X is the input of FeatureMap.transform. Cell k of the block,
// counted row after row, is the bytes of `cells` from offsets[k] to offsets[k + 1]. `places` are the rows' lines or
// numbers in the file.

/** Returns rows `from` to `to` of a block as a block that shares its memory. */
export function rowsOf(block, from, to) {
  const cells = (block.offsets.length - 1) / block.rows;
  const offsets = block.offsets.subarray(from * cells, to * cells + 1);
  const begin = offsets[0];
  return {
    rows: to - from,
    X: block.X.indptr ? csrRows(block.X, from, to)
      : block.X.subarray((from * block.X.length) / block.rows, (to * block.X.length) / block.rows),
    cells: block.cells.subarray(begin, offsets.at(-1)),
    offsets: offsets.map((at) => at - begin),
    places: block.places.subarray(from, to),
  };
}

function csrRows({ indptr, indices, data }, from, to) {
  const [begin, end] = [indptr[from], indptr[to]];
  return { indptr: indptr.slice(from, to + 1).map((at) => at - begin), indices: indices.subarray(begin, end),
    data: data.subarray(begin, end) };
}

/** Returns how many numbers X holds. */
export const sizeOf = (X) => (X.indptr ? X.data : X).length;

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

/** Joins the rows X of several blocks, for FeatureMap.fit. */
export function joinRows(parts) {
  if (!parts[0]?.indptr) return joined(Float32Array, parts);
  const indptr = [0];
  for (const part of parts) {
    const before = indptr.at(-1);
    for (let row = 1; row < part.indptr.length; row++) indptr.push(before + part.indptr[row]);
  }
  return { indptr: Int32Array.from(indptr), indices: joined(Int32Array, parts.map(({ indices }) => indices)),
    data: joined(Float32Array, parts.map(({ data }) => data)) };
}

function joined(Type, arrays) {
  const whole = new Type(arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    whole.set(array, at);
    at += array.length;
  }
  return whole;
}

/** Joins cells into the `cells` and `offsets` of a block. */
export function joinCells(cells) {
  const offsets = new Int32Array(cells.length + 1);
  cells.forEach(({ length }, i) => (offsets[i + 1] = offsets[i] + length));
  return { cells: joined(Uint8Array, cells), offsets };
}

/** Returns how many numbers X holds. */
export const sizeOf = (X) => (X.indptr ? X.data : X).length;

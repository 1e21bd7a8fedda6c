/** The base of all sources of dense rows of nFeatures numbers. */
export class DenseRows {
  sparse = false;

  /** Returns the number of rows to take from `start` on: as many as `bytes` hold, between `least` and `most`. */
  take(start, most, bytes, least) {
    return Math.min(most, wholeLanes(bytes / (4 * this.nFeatures), least));
  }

  byteLength(start, rows) {
    return 4 * rows * this.nFeatures;
  }

  nnz() {
    return 0;
  }
}

/** Returns the largest multiple of `lanes` up to `rows`, at least `lanes`: a part of the lanes costs as much as all. */
export function wholeLanes(rows, lanes) {
  return Math.max(1, Math.floor(rows / lanes)) * lanes;
}

// The map of the rows: sampled rows, placed by the two directions in which their features differ most (kernel PCA, by
// sketch/subspace in dataset.wasm), with what the page shows of each.

const MOST_NUMBERS = 256; // of a row that the page gets

/**
 * Returns { numbers, X, width, labels, names, days } of sampled rows { x, z, label, place }. `numbers` has the parts of
 * their variance that two components hold, both coordinates of each row, the places, and how many numbers each column
 * of `names` has. X has the first `width` numbers of each row. Texts are joined by zeros. `days` has a line for each
 * number of a row: the days of all rows as 2024-03-12 if it is a date, else "".
 */
export async function mapOfRows(dataset, map, sample, columns) {
  const { nFeatures, nComponents } = map;
  const width = Math.min(nFeatures, MOST_NUMBERS), n = sample.length;
  const Z = new Float32Array(n * nComponents), X = new Float32Array(n * width);
  sample.forEach(({ x, z }, i) => {
    Z.set(z, i * nComponents);
    X.set(x.subarray(0, width), i * width);
  });
  const { xy, share } = dataset.components(await map.gramAsync(Z), n);
  const shown = columns.slice(0, width);
  const numbers = [...share, ...xy, ...sample.map(({ place }) => place), ...shown.map((column) => column.width)];
  return { numbers: Float64Array.from(numbers), X, width, labels: sample.map((row) => clean(row.label)).join("\0"),
    names: shown.map(({ name }) => clean(name)).join("\0"),
    days: daysOf(sample, shown).join("\n") };
}

/** Gives the columns of a preprocessing that are days since 1970, scaled or not, their `center` and `scale`. */
export function withDays(widths, { columns, unitNorm }) {
  return widths.map((column) => {
    const date = columns.find(({ name, role }) => name === column.name && role === "date");
    if (!date || unitNorm || column.width > 1) return column;
    return { ...column, center: date.center ?? 0, scale: date.scale ?? 1 };
  });
}

/** Returns a text for each number of a row: the days of all rows, unless it is no date or all are of one day. */
function daysOf(sample, columns) {
  let at = 0;
  return columns.flatMap(({ width, center, scale }) => {
    const k = at;
    at += width;
    if (!scale) return Array(width).fill("");
    const days = sample.map(({ x }) => new Date(864e5 * Math.round(center + scale * x[k])).toISOString().slice(0, 10));
    return new Set(days).size > 1 ? days.join("\0") : "";
  });
}

const clean = (text) => text.replace(/\0/g, " ");

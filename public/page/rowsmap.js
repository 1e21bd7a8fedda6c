// The map of the rows: sampled rows, placed by the two directions in which their features differ most (kernel PCA, by
// sketch/subspace in dataset.wasm), with what the page shows of each.

const MOST_NUMBERS = 256; // of a row that the page gets
const MOST_COLOURS = 100; // columns to colour by
const MOST_GROUPS = 10;

/**
 * Returns { numbers, X, width, labels, names, colours, groups } of sampled rows { x, z, label, place }. `numbers` has
 * the parts of their variance that two components hold, both coordinates of each row, the places, and how many numbers
 * each column of `names` has. X has the first `width` numbers of each row. Texts are joined by zeros. Each line of
 * `colours` has the name of a colour and of its groups, and `groups` the group of each row by each colour.
 */
export async function mapOfRows(dataset, map, sample, columns, label) {
  const { nFeatures, nComponents } = map;
  const width = Math.min(nFeatures, MOST_NUMBERS), n = sample.length;
  const Z = new Float32Array(n * nComponents), X = new Float32Array(n * width);
  sample.forEach(({ x, z }, i) => {
    Z.set(z, i * nComponents);
    X.set(x.subarray(0, width), i * width);
  });
  const { xy, share } = dataset.components(await map.gramAsync(Z), n);
  const shown = columns.slice(0, width);
  const colours = coloursOf(sample, shown, label);
  const numbers = [...share, ...xy, ...sample.map(({ place }) => place), ...shown.map((column) => column.width)];
  return { numbers: Float64Array.from(numbers), X, width, labels: sample.map((row) => clean(row.label)).join("\0"),
    names: shown.map(({ name }) => clean(name)).join("\0"),
    colours: colours.map(({ names }) => names.map(clean).join("\0")).join("\n"),
    groups: Float32Array.from(colours.flatMap(({ of }) => of)) };
}

const clean = (text) => text.replace(/[\0\n]/g, " ");

/** Returns what the rows can be coloured by: the label, if it has a name, the columns of one number, and nothing. */
function coloursOf(sample, columns, label) {
  const colours = label ? [grouped(label, sample.map((row) => row.label))] : [];
  let at = 0;
  for (const { name, width } of columns) {
    const c = at;
    if (width === 1 && colours.length < MOST_COLOURS) colours.push(grouped(name, sample.map(({ x }) => String(x[c]))));
    at += width;
  }
  return [...colours, { names: ["one colour", "row"], of: sample.map(() => 0) }];
}

/**
 * Returns { names, of }: the name and those of the groups of texts, and the group of each. Up to ten values are groups
 * of their own. More numbers are five groups of about as many; of more texts the first nine are groups.
 */
export function grouped(name, texts) {
  const areNumbers = texts.every((text) => text.trim() !== "" && !Number.isNaN(Number(text)));
  const values = [...new Set(texts)].sort(areNumbers ? (a, b) => a - b : undefined);
  const at = new Map(values.map((value, k) => [value, k]));
  const of = texts.map((text) => at.get(text));
  if (values.length <= MOST_GROUPS) return { names: [name, ...values.map((value) => value || "(empty)")], of };
  if (!areNumbers) {
    const first = values.slice(0, MOST_GROUPS - 1).map((value) => value || "(empty)");
    return { names: [name, ...first, "others"], of: of.map((k) => Math.min(k, MOST_GROUPS - 1)) };
  }
  const before = new Float64Array(values.length + 1); // how many texts are smaller
  for (const k of of) before[k + 1]++;
  values.forEach((_, k) => (before[k + 1] += before[k]));
  return { names: [name, "lowest fifth", "second", "third", "fourth", "highest fifth"],
    of: of.map((k) => Math.floor((before[k] * 5) / texts.length)) };
}

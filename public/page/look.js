// Makes the preview of an embedding in the worker: rows are read, embedded and compared, but not saved.

import { rowsOf } from "./blocks.js";
import { free } from "../api/buffers.js";
import { cellsOf } from "../api/datasetrows.js";
import { checkWidth, haveCore, haveDataset, mapOfModel, sizesOf, sniff, ts } from "./engines.js";
import { widthsOf } from "../api/preprocessing.js";
import { KeptRows, Preview } from "./preview.js";
import { mapOfRows, withDays } from "./rowsmap.js";
import { giveWay } from "../api/slices.js";
import { FITTED } from "../api/tables.js";
import { firstOf, fit, headOf, inTurn } from "./through.js";

const PROGRESS_MS = 100;
const COMPARE_MS = 250; // after Stop, how long the rows so far may be compared

let kept = null; // the KeptRows of the last preview
let shown = null; // of the last preview: { id, map, block, sample, widths }
let previews = 0; // shown so far
let looking = null; // the running preview: { stopped, dropped, at }, `at` being the time of Stop

/**
 * Makes the preview of an embedding. The rows come from `file`, all or the `first` ones, as for `run`; or from `sample`
 * { X, labels, nFeatures }. `rows` is a number that identifies them: small sets of rows are kept and not read again.
 * At most `most` rows are embedded, or all if it is 0. During the work it sends messages
 * { progress: { preview, rows, done } }, with `done` from 0 to 1.
 *
 * Returns { id, nFeatures, rows, zeroRows, first, heaviest, counts, fitted, ms } and the report of Preview.compare. If
 * it is stopped, they cover the rows so far. If there are fewer rows than landmarks, it returns
 * { tooFew: the number of rows }. It returns null if it is dropped.
 */
export async function preview({ rows: id, file, sample, first, most, params, model, key, ...request }) {
  const now = (looking = { stopped: false, dropped: false, at: Infinity });
  await haveCore();
  const started = performance.now();
  let opened = null, map = null;
  try {
    if (kept?.id !== id) {
      kept = null;
      opened = sample ? openSample(sample)
        : await openRows({ file, first, model, goesOn: async () => (await giveWay(), !now.dropped), ...request });
      if (!opened) return null;
      kept = new KeptRows({ id, ...opened });
    }
    const rows = kept;
    map = model ? mapOfModel(model, { key }) : ts.featureMap({ ...params, key, nFeatures: rows.nFeatures });
    checkWidth(map, rows.nFeatures);
    let fitted = null;
    if (!model && FITTED.includes(params.method)) {
      const head = headOf(rows.blocks());
      if (head.rows < map.nComponents) return { tooFew: head.rows };
      await giveWay();
      if (now.dropped) return null;
      fit(map, head);
      fitted = { rows: head.rows, isWhole: head.isWhole };
    }
    const made = await embedToShow(now, map, rows, { first, most, share: opened?.share });
    if (now.dropped) return null;
    const { preview } = made;
    const ms = performance.now() - started;
    const report = await preview.compare(() => now.dropped || performance.now() > now.at + COMPARE_MS);
    if (now.dropped) return null;
    shown?.map.dispose();
    shown = { id: ++previews, map, block: made.block, sample: preview.sampled(), widths: rows.widths };
    map = null;
    return { id: previews, nFeatures: rows.nFeatures, rows: preview.rows, zeroRows: preview.zeroRows,
      first: preview.first,
      heaviest: rows.widths.length > 1 ? preview.heaviest(rows.widths) : null, counts: summed(rows.counts),
      fitted, ms,
      ...report };
  } finally {
    map?.dispose();
    opened?.close();
    if (!kept?.isWhole) kept = null;
    looking = null;
  }
}

/** Returns the counts of a file's rows, with one sum for all columns: there may be 10,000. */
function summed(counts) {
  const sum = (each = []) => each.reduce((all, n) => all + n, 0);
  return counts && { ...counts, missing: sum(counts.missing), unknown: sum(counts.unknown) };
}

/**
 * Returns the rows of a file for KeptRows, and `share`, the share of the file that is read. It returns null if
 * `goesOn`, which is asked after each block of the first pass, returns false.
 */
async function openRows({ file, options, plan, model, first, goesOn }) {
  let at = 0;
  const { from, source, layout } = await sniff(file,
    { options, model: model?.preprocessing, onRead: (bytes) => void (at = bytes) });
  const close = () => [source, layout].forEach((each) => each.close());
  try {
    let preprocessing = model?.preprocessing ? from.fromModel(model.preprocessing) : from.preprocessing(plan);
    if (preprocessing.needsFit) {
      const steps = from.fitting(source, layout, preprocessing, first);
      let step = steps.next();
      for (; !step.done; step = steps.next()) {
        if (await goesOn()) continue;
        steps.return();
        close();
        return null;
      }
      preprocessing = step.value;
    }
    const read = function* (onCounts) {
      const blocks = from.rows(source, layout, preprocessing, onCounts);
      try {
        yield* first ? firstOf(blocks, first) : blocks;
      } finally {
        blocks.return();
      }
    };
    const { nFeatures, model: spec } = preprocessing;
    return { nFeatures, widths: withDays(widthsOf(spec), spec), read, close, share: () => at / file.size };
  } catch (error) {
    close();
    throw error;
  }
}

/** Returns the page's sample rows in the same form as the rows of a file. */
function openSample({ X, labels, nFeatures }) {
  const [cells, offsets] = cellsOf(labels);
  const places = Float64Array.from(labels, (_, i) => i + 1);
  return { nFeatures, widths: [], read: () => [{ rows: labels.length, X, cells, offsets, places }], close() {},
    share: () => 1 };
}

/** Embeds all or `most` rows. Returns { preview, block }: the collected Preview and the first block. */
export async function embedToShow(now, map, rows, { first, most, share }) {
  const preview = new Preview(map);
  const blocks = rows.blocks();
  let block = null, told = performance.now();
  const some = function* () {
    for (const each of firstOf(blocks, most || Infinity)) yield (block ??= each, each);
  };
  const parts = inTurn(some(), { ...sizesOf(map), features: (X) => map.transformAsync(X),
    goesOn: async () => (await giveWay(), !now.stopped) });
  try {
    for await (const { part, Z } of parts) {
      preview.add(part, Z);
      free(Z);
      if (performance.now() - told < PROGRESS_MS) continue;
      told = performance.now();
      const done = rows.isWhole ? preview.rows / rows.rows : most ? preview.rows / most : share();
      postMessage({ progress: { preview: true, rows: preview.rows, done } });
    }
    if (first && !now.stopped) while (!blocks.next().done); // reads the remaining rows: fewer may have been embedded
  } finally {
    blocks.return(); // also if a row was refused: this closes the reader
  }
  return { preview, block };
}

/** Returns the milliseconds that the core alone takes per row for the last preview's first rows: best of 3 calls. */
export async function time({ rows }) {
  if (!shown) throw new Error("the rows that were shown are gone: another file was chosen");
  const { map, block } = shown;
  const { X, rows: n } = rowsOf(block, 0, Math.min(rows, block.rows));
  let best = Infinity;
  for (let k = 0; k < 3; k++) {
    const started = performance.now();
    await map.transformAsync(X);
    best = Math.min(best, performance.now() - started);
  }
  return best / n;
}

/** Returns the map of the sampled rows (rowsmap.js) of preview `shown`, once; null if another one is shown. */
export async function mapRows({ shown: id }) {
  const now = shown;
  if (now?.id !== id || !now.sample?.length) return null;
  const { map, sample, widths } = now;
  now.sample = null; // up to 64 MB
  const dataset = await haveDataset();
  try {
    return await mapOfRows(dataset, map, sample, widths);
  } catch (error) {
    if (shown !== now) return null; // its map is disposed
    throw error;
  }
}

/** Stops the running preview. The rows so far are compared, unless `dropped` is set. */
export function stopPreview({ dropped }) {
  if (looking) Object.assign(looking, { stopped: true, dropped, at: performance.now() });
}

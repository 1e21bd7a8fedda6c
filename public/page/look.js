// What the page shows of an embedding, made in the worker: the rows are read, embedded and compared, and not saved.

import { joinCells, rowsOf } from "./blocks.js";
import { free } from "../api/buffers.js";
import { checkWidth, haveCore, sizesOf, sniff, ts } from "./engines.js";
import { widthsOf } from "../api/preprocessing.js";
import { KeptRows, Preview } from "./preview.js";
import { giveWay } from "../api/slices.js";
import { FITTED } from "../api/tables.js";
import { firstOf, fit, headOf, inTurn } from "./through.js";

const PROGRESS_MS = 100;

let kept = null; // the KeptRows of the last preview
let shown = null; // its map, and the first rows: { map, block }
let looking = null; // the preview at work: { stopped, dropped }

/**
 * What the page shows of an embedding. The rows are of `file`, all or the `first` ones, as for `run`; or of `sample`
 * { X, labels, nFeatures }. `rows` is a number that tells them from others: few rows are kept, and need not be read
 * again. `most` of them are embedded, 0 for all. Meanwhile there are messages { progress: { preview, rows, done } },
 * with `done` from 0 to 1.
 *
 * Returns { nFeatures, rows, zeroRows, first, heaviest, counts, fitted, ms } and the report of Preview.compare, on the
 * rows until it was stopped. Where there are fewer rows than landmarks it returns { tooFew: how many there are }; null
 * where it was dropped.
 */
export async function preview({ rows: id, file, sample, first, most, params, model, key, ...request }) {
  const now = (looking = { stopped: false, dropped: false });
  await haveCore();
  const started = performance.now();
  let opened = null, map = null;
  try {
    if (kept?.id !== id) {
      kept = null;
      opened = sample ? openSample(sample) : await openRows({ file, first, model, ...request });
      kept = new KeptRows({ id, ...opened });
    }
    const rows = kept;
    map = model ? ts.fromJSON(model, { key }) : ts.featureMap({ ...params, key, nFeatures: rows.nFeatures });
    checkWidth(map, rows.nFeatures);
    let fitted = null;
    if (!model && FITTED.includes(params.method)) {
      const head = headOf(rows.blocks());
      if (head.rows < map.nComponents) return { tooFew: head.rows };
      fit(map, head);
      fitted = { rows: head.rows, isWhole: head.isWhole };
    }
    const made = await embedToShow(now, map, rows, { first, most, share: opened?.share });
    if (now.dropped) return null;
    const { preview } = made;
    const ms = performance.now() - started;
    const report = await preview.compare();
    shown?.map.dispose();
    shown = { map, block: made.block };
    map = null;
    return { nFeatures: rows.nFeatures, rows: preview.rows, zeroRows: preview.zeroRows, first: preview.first,
      heaviest: rows.widths.length > 1 ? preview.heaviest(rows.widths) : null, counts: rows.counts, fitted, ms,
      ...report };
  } finally {
    map?.dispose();
    opened?.close();
    if (!kept?.isWhole) kept = null;
    looking = null;
  }
}

/** The rows of a file for KeptRows, and `share`, of the file, that is read. */
async function openRows({ file, options, plan, model, first }) {
  let at = 0;
  const { from, source, layout } = await sniff(file,
    { options, model: model?.preprocessing, onRead: (bytes) => void (at = bytes) });
  const close = () => [source, layout].forEach((each) => each.close());
  try {
    let preprocessing = model?.preprocessing ? from.fromModel(model.preprocessing) : from.preprocessing(plan);
    if (preprocessing.needsFit) preprocessing = from.fit(source, layout, preprocessing, first);
    const read = function* (onCounts) {
      const blocks = from.rows(source, layout, preprocessing, onCounts);
      try {
        yield* first ? firstOf(blocks, first) : blocks;
      } finally {
        blocks.return();
      }
    };
    return { nFeatures: preprocessing.nFeatures, widths: widthsOf(preprocessing.model), read, close,
      share: () => at / file.size };
  } catch (error) {
    close();
    throw error;
  }
}

/** The page's own rows as those of a file. */
function openSample({ X, labels, nFeatures }) {
  const cells = labels.map((label) => new TextEncoder().encode(label));
  const places = Float64Array.from(labels, (_, i) => i + 1);
  return { nFeatures, widths: [], read: () => [{ rows: labels.length, X, ...joinCells(cells), places }], close() {},
    share: () => 1 };
}

/** Embeds rows, or `most` of them, and gathers what is shown: { preview, block }, with the first block. */
async function embedToShow(now, map, rows, { first, most, share }) {
  const preview = new Preview(map);
  const blocks = rows.blocks();
  let block = null, told = performance.now();
  const some = function* () {
    for (const each of firstOf(blocks, most || Infinity)) yield (block ??= each, each);
  };
  const parts = inTurn(some(), { ...sizesOf(map), features: (X) => map.transformAsync(X),
    goesOn: async () => (await giveWay(), !now.stopped) });
  for await (const { part, Z } of parts) {
    preview.add(part, Z);
    free(Z);
    if (performance.now() - told < PROGRESS_MS) continue;
    told = performance.now();
    const done = rows.isWhole ? preview.rows / rows.rows : most ? preview.rows / most : share();
    postMessage({ progress: { preview: true, rows: preview.rows, done } });
  }
  if (first && !now.stopped) while (!blocks.next().done); // fewer may have been embedded
  blocks.return();
  return { preview, block };
}

/** The milliseconds that the core alone takes for one of the first rows of the last preview, at best of three calls. */
export async function time({ rows }) {
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

/** Ends the preview at work; what is `dropped` is not compared either. */
export function stopPreview({ dropped }) {
  if (looking) Object.assign(looking, { stopped: true, dropped });
}

// ts.fit for rows as objects (records.js), and the labels of its models.

import { checkSignal, fault, isObject, paramError, show } from "./errors.js";
import { readClasses } from "./labels.js";
import { learnedParts } from "./learnedparts.js";
import { fromModel } from "./model.js";
import { Model } from "./predict.js";
import { soonOfRecords } from "./prepare.js";
import { fitFirst } from "./rowsfit.js";

/** Fits a model to rows as objects, whose `label` is a key of them. */
export async function fitRecords(ts, engine, rows, given, more) {
  if (more !== undefined || !isObject(given) || Symbol.iterator in given) {
    throw paramError("y", 'be { label } for rows as objects, such as ts.fit(rows, { label: "species" })', given);
  }
  const { label, signal } = given;
  if (typeof label !== "string") {
    throw paramError("label", `be the key of the labels, such as ${keysOf(rows)}`, label);
  }
  checkSignal(signal);
  signal?.throwIfAborted();
  const dataset = await engine.reader.fetched();
  signal?.throwIfAborted();
  return fitFirst(engine, given, {
    all: (options) => fitBy(dataset, ts, engine, rows, options),
    soon: (options) => (options.search === "off" ? null
      : fitBy(dataset, ts, engine, ...soonOfRecords(rows, options))),
  });
}

/** Fits a model to rows as objects by the jobs of a Dataset. */
async function fitBy(dataset, ts, engine, rows, given) {
  const { label } = given;
  const { model, report } = await dataset.fitRows(ts, rows, given);
  const { settings, held, head } = fromModel(model, undefined, learnedParts);
  if (given.task === undefined && head.task === "regress" && !rows.some((row) => typeof row[label] === "number")) {
    throw paramError("task", `be "regress" or "classify" for the texts under ${JSON.stringify(label)}, which are ` +
      "numbers", given.task);
  }
  const { notes, unused, candidates } = report;
  const read = { ...head, report: Object.freeze({ ...head.report, unused, notes, ...(candidates && { candidates }) }) };
  return new Model(engine, settings, held, read, labelsIn(rows, label, head.classes));
}

const keysOf = (rows) => Object.keys(rows[0] ?? rows).slice(0, 5).map((key) => JSON.stringify(key)).join(", ");

/**
 * Returns classes as rows have them: the file of a model has true as "true", and "7" as 7. Throws where two labels of
 * the rows are one class.
 */
function labelsIn(rows, key, classes) {
  if (classes === null) return null;
  const found = new Map(); // by their texts
  for (const row of rows) {
    const label = typeof row?.get === "function" ? row.get(key) : row?.[key];
    if (!["string", "number", "boolean"].includes(typeof label)) continue;
    const text = String(label).trim(), before = found.get(text) ?? (label === 0 ? 0 : label); // -0 is 0
    found.set(text, before);
    if (typeof label === typeof before) continue;
    throw fault("label", `label must have labels of one type, got ${show(before)} and ${show(label)}`);
  }
  return classes.map((of) => found.get(String(of)) ??
    [...found].find(([text]) => typeof of === "number" && Number(text) === of)?.[1] ?? of);
}

/** Returns the labels that a program has for the classes of a file. Each class must be one of them. */
export function labelsFor(given, classes) {
  const labels = readClasses("labels", given);
  return classes.map((of) => {
    const label = labels.find((one) => String(one) === String(of));
    if (label !== undefined) return label;
    throw fault("labels", `labels must have all classes of the model, and lack ${show(of)}`);
  });
}

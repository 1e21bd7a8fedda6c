// Errors of jobs keep code, argument, value and remedy on their way from package jobs through dataset.wasm and the
// page's worker. The worker is public/page/filejob.js itself; Node stands for the browser around it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate, fit, predict } from "../../public/api/dataset.js";

/** A table as a file that is read at any place, as a browser's worker reads a File. */
function fileOf(text) {
  const bytes = new TextEncoder().encode(text);
  return { name: "rows.csv", size: bytes.length, lastModified: 5, read(at, into) {
    const part = bytes.subarray(at, at + into.length);
    into.set(part);
    return part.length;
  } };
}

/** Starts the worker, with Node in the place of the browser. Returns ask(type, request), which sends it a request. */
async function startWorker(t) {
  const waiting = new Map(); // calls
  let hear, last = 0;
  const around = {
    addEventListener: (type, f) => void (type === "message" && (hear = f)),
    postMessage(message) {
      const { id, result, error } = structuredClone(message); // as to another thread
      if (!waiting.has(id)) return;
      const { resolve, reject } = waiting.get(id);
      if (error) reject(Object.assign(new Error(error.message), error));
      else resolve(result);
    },
    navigator: { hardwareConcurrency: 1,
      locks: { request: async (_, ...rest) => rest.at(-1)({}), query: async () => ({ held: [] }) } },
  };
  for (const [name, value] of Object.entries(around)) {
    const before = Object.getOwnPropertyDescriptor(globalThis, name);
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value });
    t.after(() => (before ? Object.defineProperty(globalThis, name, before) : delete globalThis[name]));
  }
  await import("../../public/page/filejob.js");
  return (type, request) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    hear({ data: { id: last, type, ...request } });
  });
}

const PARAM = "ERR_PARAM";
const skip = typeof document === "object" && "a page is no worker";

test("errors of every kind of job keep code, argument, value and remedy", { skip }, async (t) => {
  const ask = await startWorker(t);
  const engines = await import("../../public/page/engines.js");
  await engines.haveCore();
  const { doJob, ts } = engines;
  t.after(() => ts.dispose());
  const rows = Array.from({ length: 300 }, (_, i) => ({ x: i % 17, z: i % 5, y: "ab"[i % 2] }));
  const file = fileOf(["x,z,y", ...rows.map(({ x, z, y }) => `${x},${z},${y}`)].join("\n"));
  const { plan, layout } = await ask("open", { file });
  const { model } = await fit(ts, rows, { label: "y", search: "off", map: { nComponents: 8 } });

  const common = { file, options: {}, plan, params: { nComponents: 8 } };
  const stated = { ...common, options: layout.reading, plan: { ...plan, columns: plan.columns.map(({ name }, i) =>
    (i < 2 ? { name, role: "number", missing: "zero" } : { name, role: "ignore", missing: "drop" })) } };
  const release = { kind: "rows", epsilon: 1, delta: 1e-6, radius: 1, budget: { epsilon: 2, delta: 1e-6 } };
  const learned = { ...common, session: 1, rows: 1, sizes: [8], task: "auto", seed: 0 };
  const ledger = (ask) => doJob("ledger", file, { ask },
    { lock: async () => null, unlock: async () => {}, onJob() {} });
  const embed = (params, more) => ask("run", { ...common, format: "npy", params, ...more });
  // what is asked, the code and the argument, and what the message says of the value and the remedy
  const cases = [
    ["embed", () => embed({ nComponents: -1 }), PARAM, "nComponents", /an integer from 1 to \d+, got -1$/],
    ["embed", () => embed({ method: "sketch" }), PARAM, "method", /must be one of "tensor-sketch".*got "sketch"$/],
    ["embed", () => embed({ seed: -1 }), PARAM, "seed", /a whole number from 0 to 2\^64 − 1 or a text, got -1$/],
    ["embed", () => embed({}, { format: "npz" }), PARAM, "format", /must be one of csv, .*got "npz"$/],
    ["embed by a model", () => ask("run", { ...common, plan: undefined, format: "npy", model: "{}" }), undefined,
      undefined, /model file says nothing about the columns.*choose one/],
    ["preview", () => ask("preview", { ...common, rows: 1, params: { degree: 0.5 } }), PARAM, "degree",
      /an integer from 1 to 64, got 0\.5$/],
    ["release", () => ask("run", { ...stated, format: "npy", release: { ...release, epsilon: -1 } }), PARAM, "epsilon",
      /got -1$/],
    ["release", () => ask("run", { ...stated, format: "npy", release: { ...release, kind: "median" } }), PARAM, "kind",
      /"median"/],
    ["ledger", () => ledger({ budget: { epsilon: -1, delta: 1e-6 } }), PARAM, "epsilon", /got -1$/],
    ["ledger", () => ledger({ load: "{}" }), PARAM, "ledger", /no ledger.*choose a file/],
    ["curve", () => ask("learn", { ...learned, params: { seed: -1 } }), PARAM, "seed",
      /a whole number from 0 .*got -1$/],
    ["curve", () => ask("learn", { ...learned, task: "regress" }), undefined, undefined,
      /labels are no numbers: predict classes, or choose another/],
    ["private", () => ask("usePrivate", { ...stated, epsilon: -1, delta: 1e-6, radius: 1 }), PARAM, "label",
      /no column is the label; name it/],
    ["model", () => ask("useModel", { text: "{}" }), PARAM, "model.format", /must be "tensorsketch-model"/],
    ["predict", () => ask("usePredict", { ...common, saved: "{}" }), undefined, undefined,
      /the model: it holds no model; give one/],
    ["fit", () => fit(ts, rows, { label: "y", alpha: 1, alphaRange: [1, 2] }), PARAM, "alphaRange",
      /alphaRange is for alpha auto; leave one out/],
    ["fit", () => fit(rows, { label: "y" }), PARAM, "ts", /the module that load of tensorsketch returns, got an array/],
    ["fit", () => fit(ts, rows, { label: "y", folds: 3 }), PARAM, "folds", /0, 1 or 5, got 3$/],
    ["predict", () => predict(ts, rows, { model, interval: 2 }), PARAM, "interval", /interval/],
    ["evaluate", () => evaluate(ts, rows, { model, label: "w" }), PARAM, "label", /contradicts model.*leave one out/],
  ];
  for (const [job, wrong, code, argument, message] of cases) {
    const error = await wrong().then(() => assert.fail(`${job}: no error, want ${message}`), (error) => error);
    assert.match(error.message, message, job);
    assert.deepEqual([error.code, error.argument], [code, argument], `${job}: ${error.message}`);
  }
});

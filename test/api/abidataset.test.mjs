// The border of dataset.wasm: whatever request comes in, the reply is an answer or an error, and nothing ends.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { dist, draws, fuzzSeed, mutated, soakSeconds } from "./helper.mjs";

const { goexec } = await import(new URL("goexec.js", dist));

const CALLS = 1500; // at least, of each file
const utf8 = new TextEncoder();
const FILES = {
  "f.csv": utf8.encode("a,b,when,label\n1,2,2024-01-05,x\n3,,2024-02-06,\"y\nz\"\n5,0.5,2024-03-07,x\n"),
  "f.csv.gz": gzipSync("a,b\n1,2\n3,4\n"),
  "f.jsonl": utf8.encode('{"a":1,"s":"x","v":[1,2.5]}\n{"a":true}\n\n{"s":"\\u00e9","a":null}\n[1]\n'),
  "f.libsvm": utf8.encode("1 1:0.5 3:2 # first\n-1 2:1\n"),
  "f.idx": Uint8Array.of(0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 1, 2, 3, 4),
  "f.txt": utf8.encode("one line of words\n\nanother, with a comma\n"),
  "f.npy": utf8.encode("\x93NUMPY, but no more"),
};
const NAMES = Object.keys(FILES);
const MODEL = { format: "tensorsketch-model", version: 1, method: "tensor-sketch", nFeatures: 2, nComponents: 4,
  degree: 2, gamma: 1, coef0: 0, normalize: "none", output: "real", repeats: 1, methodParams: {}, hash: "seed",
  seed: "5", head: { task: "classify", loss: "squared", classes: [false, 3], alpha: 0.5, intercept: [-0.25, 0],
    weights: [1, 0, 0.5, 0, 0, 0.1, 0, -1], calibration: "softmax",
    report: { rows: 7, counts: [4, 3], clipped: 0, rule: "given" } } };

/** The exports of a fresh instance whose host reads FILES by their place. */
async function start(name) {
  const go = new (goexec({ Object, Array, Uint8Array, Date, TextEncoder, TextDecoder, crypto, performance }))();
  let memory;
  const read = (id, at, to, n) => {
    const bytes = FILES[NAMES[id]];
    if (!bytes) return -1;
    const part = bytes.subarray(at, at + n);
    new Uint8Array(memory.buffer, to >>> 0, n).set(part);
    return part.length;
  };
  const module = await WebAssembly.compile(readFileSync(new URL(name, dist)));
  const instance = await WebAssembly.instantiate(module, { ...go.importObject, dataset: { read, problem() {} } });
  const { exports } = instance;
  memory = exports.mem;
  void go.run(instance);
  return exports;
}

/** The reply to bytes that should be a request: { failed, answer }. `lie` says another length or address. */
function send(e, bytes, lie = (address, length) => [address, length]) {
  const address = e.ds_alloc(bytes.length) >>> 0;
  assert.notEqual(address, 0);
  new Uint8Array(e.mem.buffer, address, bytes.length).set(bytes);
  const failed = e.ds_call(...lie(address, bytes.length));
  const text = Buffer.from(e.mem.buffer, e.ds_reply() >>> 0, e.ds_reply_length()).toString();
  e.ds_free(address);
  return { failed, answer: JSON.parse(text) };
}

const ask = (e, request) => send(e, utf8.encode(JSON.stringify(request)));

/** What the calls are, as the module says. */
function callsOf(e) {
  const { message } = ask(e, { call: "" }).answer;
  return message.replace(/^.*known are /, "").split(", ");
}

/** A whole passage of one file: what comes of it. */
function passage(e, source) {
  const told = (request) => {
    const { failed, answer } = ask(e, request);
    assert.equal(failed, 0, `${JSON.stringify(request)}: ${answer?.message}`);
    return answer;
  };
  const size = FILES[NAMES[source]].length;
  const reading = NAMES[source] === "f.txt" ? { format: "text" } : undefined; // words are read where asked for
  const { layout } = told({ call: "sniff", source, size, name: NAMES[source], reading });
  const plan = told({ call: "plan", layout });
  const { preprocessing } = told({ call: "preprocessing", plan });
  const fitting = told({ call: "fit", source, size, layout, preprocessing });
  let learned = null;
  while (!learned) learned = told({ call: "fitStep", fitting });
  const again = told({ call: "model", model: learned.model });
  const reader = told({ call: "open", source, size, layout, preprocessing: again.preprocessing });
  const numbers = [];
  for (;;) {
    const block = told({ call: "next", reader });
    if (block.rows === 0) break;
    for (const part of ["dense", "data", "indices", "cells"]) {
      if (block[part]) numbers.push(...new Uint8Array(e.mem.buffer, ...block[part]));
    }
  }
  const state = told({ call: "state", reader });
  for (const handle of [layout, preprocessing, fitting, learned.preprocessing, reader, again.preprocessing]) {
    told({ call: "close", handle });
  }
  return { model: learned.model, numbers, state };
}

/** Random requests: right ones by what there is, and then changed in 0 to 3 places. */
function* randomRequests(e, drawn) {
  const { next: random, below, pick } = drawn;
  const kept = { layout: [0], preprocessing: [0], fitting: [0], reader: [0], encoder: [0], labels: [0],
    plan: [{}], model: [{}], spans: [[0, 0]] };
  const junk = () => pick([0, 1, -1, 0.5, 1e9, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 53, -(2 ** 63), 1e300, below(100),
    null, true, "", "csv", "mean",
    "\u0000", "x".repeat(1000), [], [0], [1, 2, 3], [-1, 4], {}, { a: [{}] }, pick(kept.layout),
      pick(kept.spans), [NaN]]);
  const change = (value) => mutated(value, junk, drawn, ["call", "handle", "columns", "x"]);
  const span = (Type, values) => {
    const bytes = new Uint8Array(Type.from(values).buffer);
    const address = e.ds_alloc(bytes.length) >>> 0;
    new Uint8Array(e.mem.buffer, address, bytes.length).set(bytes);
    kept.spans.push([address, bytes.length]);
    if (kept.spans.length > 50) e.ds_free(kept.spans.splice(below(50), 1)[0][0]);
    return [address, bytes.length];
  };
  const from = () => {
    const source = below(NAMES.length);
    return { source, size: FILES[NAMES[source]].length, name: NAMES[source] };
  };
  const keep = (kind, value) => {
    if (value === undefined) return;
    kept[kind].push(value);
    if (kept[kind].length <= 30) return;
    const [handle] = kept[kind].splice(1 + below(29), 1);
    if (typeof handle === "number") ask(e, { call: "close", handle });
  };
  /** A file on its way: a source, its layout and a preprocessing, perhaps one after a plan that was changed. */
  const flows = [];
  const addFlow = () => {
    const source = from();
    const { layout } = ask(e, { call: "sniff", ...source }).answer;
    if (layout === undefined) return;
    const plan = ask(e, { call: "plan", layout }).answer;
    if (random() < 0.5) for (const column of plan.columns ?? []) column.scaling = "none"; // nothing is to be learned
    const { preprocessing } = ask(e, { call: "preprocessing", plan: random() < 0.7 ? change(plan) : plan }).answer;
    keep("plan", plan);
    keep("layout", layout);
    if (preprocessing !== undefined) flows.push({ ...source, layout, preprocessing });
    if (flows.length > 20) {
      const [old] = flows.splice(below(20), 1);
      for (const handle of [old.layout, old.preprocessing]) ask(e, { call: "close", handle });
    }
  };
  const flow = () => (flows.length > 0 && random() < 0.9 ? pick(flows) : {
    ...from(), layout: pick(kept.layout), preprocessing: pick(kept.preprocessing),
  });
  /** Cells, such as a, 7 and 1.0, whose offsets may be wrong. */
  const cellsOf = () => ({ labels: pick(kept.labels), cells: span(Uint8Array, utf8.encode("a71.0NA")),
    offsets: span(Int32Array, pick([[0, 1, 2, 5, 7], [0, 0, 7], [0], [], [5, 2], [0, 99], [-1, 3]])) });
  const requests = {
    sniff: () => ({
      ...from(), preprocessing: pick([0, 0, 0, pick(kept.preprocessing)]), reading: {
        format: pick([undefined, undefined, "csv", "jsonl", "json", "npy", "idx", "libsvm", "text", "parquet", ""]),
        header: pick([undefined, true, false]),
        ...pick([{}, {}, {}, { encoding: pick(["utf-8", "utf-16", "windows-1252", 7]) },
          { delimiter: pick([";", " ", "x"]), quote: pick(["", "'"]) },
          { decimal: ",", thousands: pick(["", ".", " ", ","]) }, { base: pick([0, 1, 2]) },
          { keys: pick([[], [{ name: "a", length: 2 }]]) }, { lists: below(3) - 1 }]),
      },
    }),
    plan: () => ({ layout: pick(kept.layout) }),
    preprocessing: () => ({ plan: pick(kept.plan) }),
    model: () => ({ model: pick(kept.model) }),
    components: () => ({ rows: pick([0, 1, 2, 3, 4, -1]), products: span(Float64Array,
      Array.from({ length: pick([0, 1, 4, 9, 16]) }, () => (random() < 0.02 ? NaN : random()))) }),
    onnx() {
      const model = pick([MODEL, { ...MODEL, head: undefined }]);
      return { model: JSON.stringify(random() < 0.5 ? change(model) : model) };
    },
    misfit: () => ({ plan: pick(kept.plan), preprocessing: pick([undefined, pick(kept.model)]),
      method: pick(["tensor-sketch", "nystroem"]) }),
    fit: () => ({ ...flow(), most: pick([0, 1, 100]) }),
    fitStep: () => ({ fitting: pick(kept.fitting) }),
    open: () => ({ ...flow(), keepAll: random() < 0.5, report: random() < 0.5 }),
    labels() {
      const { layout, preprocessing } = flow();
      return { layout, preprocessing, numbers: pick([undefined, true, false]),
        classes: pick([undefined, [], [1, 2], ["a", true, 7], [{}]]) };
    },
    seeLabels: () => ({ ...cellsOf(), places: span(Float64Array, pick([[], [1, 2, 3], [NaN, -1]])) }),
    readLabels: () => cellsOf(),
    labelNumbers: () => cellsOf(),
    labelNotes: () => ({ labels: pick(kept.labels), task: pick(["classify", "regress", ""]) }),
    next: () => ({ reader: pick(kept.reader) }),
    state: () => ({ reader: pick(kept.reader) }),
    encoder: () => ({ format: pick(["csv", "jsonl", "npy", "libsvm", "parquet", "arrow"]),
      cells: pick([[], ["a"], ["a", "b"]]), nComponents: below(9), rowNumbers: random() < 0.3,
      state: pick([undefined, "", "AAAA", "/////w==",
        Buffer.from([0, 1, 0, 0, 0, 0, 0, 0, 0, 2]).toString("base64")]) }),
    encode() {
      const rows = below(4), n = 3 * rows;
      return { encoder: pick(kept.encoder), features: span(Float32Array, Array.from({ length: n }, random)),
        cells: span(Uint8Array, [65, 66, 67]),
        offsets: span(Int32Array,
          Array.from({ length: pick([0, rows + 1, 2 * rows + 1]) }, (_, i) => (random() < 0.1 ? -1 : i))),
        places: span(Float64Array,
          Array.from({ length: pick([0, rows, rows + 1]) }, (_, i) => pick([i, -1, NaN, 2 ** 53]))) };
    },
    releaseFile: () => ({ release: pick([{}, { kind: "rows", rows: 3, epsilon: 1, delta: 1e-5, nComponents: 4, bound: 1,
      sigma: 2 }, { kind: 7 }, "release"]), model: pick([MODEL, {}, "model", 7]) }),
    finish: () => ({ encoder: pick(kept.encoder), rows: below(9) }),
    close: () => ({ handle: pick(pick([kept.layout, kept.preprocessing, kept.fitting, kept.reader, kept.encoder,
      kept.labels])) }),
  };
  assert.deepEqual(Object.keys(requests).sort(), callsOf(e), "every call is made, and no other");
  for (let n = 0; ; n++) {
    if (n % 10 === 0) addFlow();
    const call = pick(Object.keys(requests));
    let request = { call, ...requests[call]() };
    for (let changes = below(4); changes > 0; changes--) request = change(request);
    const bytes = utf8.encode(JSON.stringify(request) ?? "");
    if (random() < 0.05) bytes[below(bytes.length)] = below(256);
    const lie = random() < 0.05 ? (address, length) => [pick([address, 0, below(2 ** 32), address + 8]),
      pick([length, length + 9, 2 ** 32 - 1, below(2 ** 32)])] : undefined;
    if (random() < 0.02) { // lengths that no memory holds are refused, and freeing what is not there is nothing
      const address = e.ds_alloc(pick([2 ** 32 - 1, 2 ** 32 - 8, 2 ** 31, 3e9, -1])) >>> 0;
      assert.equal(address, 0, "a buffer of 2 GiB");
      e.ds_free(pick([0, below(2 ** 32), NaN, -1]));
    }
    const { failed, answer } = send(e, bytes, lie);
    if (failed === 0 && call === request?.call) {
      if (call === "plan") keep("plan", answer);
      if (call === "fit") keep("fitting", answer);
      if (call === "open") keep("reader", answer);
      if (call === "labels") keep("labels", answer);
      for (const kind of ["layout", "preprocessing", "encoder", "model"]) keep(kind, answer?.[kind]);
    }
    yield { call, failed, answer, request };
  }
}

for (const name of ["dataset.wasm", "dataset-columnar.wasm"]) {
  test(`${name}: ${CALLS} random requests or more are answered or refused, and a file gives the same rows afterwards`,
    async (t) => {
    const e = await start(name);
    assert.deepEqual(Object.keys(e).filter((export_) => export_.startsWith("ds_")).sort(),
      ["ds_alloc", "ds_call", "ds_free", "ds_reply", "ds_reply_length"]);
    const readable = ["f.csv", "f.csv.gz", "f.libsvm", "f.idx", "f.txt"].map((file) => NAMES.indexOf(file));
    const want = readable.map((source) => passage(e, source));
    assert.ok(want.every(({ numbers }) => numbers.length > 0));
    const requests = randomRequests(e, draws(fuzzSeed));
    const seen = new Map();
    const wanting = () => callsOf(e).filter((call) =>
      !(seen.get(`${call} 0`) > 5 && (call === "close" || seen.get(`${call} 1`) > 5)));
    const end = performance.now() + 1000 * soakSeconds;
    let n = 0;
    let last;
    try {
      for (; n < CALLS || performance.now() < end || n < 6 * CALLS && wanting().length > 0; n++) {
        const { call, failed, answer, request } = last = requests.next().value;
        assert.ok(failed === 0 || failed === 1 && typeof answer.message === "string" && answer.message !== "",
          `request ${n} of seed ${fuzzSeed}: ${JSON.stringify(request)}`);
        seen.set(`${call} ${failed}`, (seen.get(`${call} ${failed}`) ?? 0) + 1);
        if (n % 1000 === 0) {
          assert.deepEqual(readable.map((source) => passage(e, source)), want,
            `after request ${n} of seed ${fuzzSeed}`);
        }
      }
    } catch (error) {
      console.log("request", n, JSON.stringify(last?.request));
      throw error;
    }
    assert.deepEqual(readable.map((source) => passage(e, source)), want);
    t.diagnostic(`${n} requests of seed ${fuzzSeed}, ${e.mem.buffer.byteLength / 2 ** 20} MiB at the end`);
    assert.deepEqual(wanting(), [], "calls that are answered and refused too seldom to have gone deep");
  });
}

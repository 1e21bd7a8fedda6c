// Learns from the rows of a file, for the half "Your file" of Learn: the jobs of jobs/curve.go and jobs/curvelook.go,
// which run in dataset.wasm. filejob.js imports this at the first request whose type begins with "learn", and passes
// { type, … } on to `answer`.
//
// A `learn` opens a session, which ends with the next one. Requests:
//
// - learn: { session, rows, file, options, plan, params, key, sizes, task, seed }: a model for each number of
//   components in `sizes`, and a linear one. `session` counts the sessions and comes back in each message. `rows`
//   identifies the rows: small sets are kept for the next session, and so are the points of a session that differs in
//   `sizes` alone. `task` is "auto", "classify" or "regress". `seed` deals the held-out rows. Returns { stopped, ms },
//   or null if another session has begun.
// - learnStop, learnPause, learnResume: of what is running. A stopped session keeps its points; of a file that is too
//   large to be kept, the rows so far are learned from.
// - learnBand: { seeds }: the points again under other seeds of the map
// - learnExact: {}: the exact kernel on some of the rows: an ExactReply, or null
// - learnCheck: { D }: how far a model can be trusted, by the held-out rows: a CheckReply, or null
// - learnDetail: { D }: what a model predicts for the held-out rows: a DetailReply, whose lists are Float64Arrays, or
//   null without the model. D 0 is the linear model.
// - learnRows: a BehindRequest: rows behind a cell of the confusion matrix, or one row: a BehindReply
// - learnMap: { D }: held-out rows placed by their features: a MapReply, or null without the model
// - learnSearch: {}: a model of all rows whose map and columns held-out rows choose, as `fit` does: { model, report },
//   or null if it was stopped
// - learnModel: { D }: the text of the model file, fitted to all rows as `fit --search off --folds 5` does
//
// While one runs, messages { progress: { learn: session, … } } come with some of: phase ("reading", "measuring",
// "training", "exact", "checking"), rows, done (0 to 1 of all work), paused; and head (CurveHead), point (Point) or
// band.

import { isColumnar } from "../api/dataset.js";
import { mapOf } from "../api/filejobs.js";
import { haveCore, haveDataset, ts } from "./engines.js";

let session = null; // { id, from, source }: its rows and models are in the program `from`
let job = null; // at work

/** Answers a request. */
export async function answer({ type, ...request }) {
  const name = type.slice("learn".length) || "Learn";
  return REQUESTS[name](request);
}

const REQUESTS = {
  Learn: learn,
  Stop: () => job?.stop(),
  Pause: () => job?.pause(),
  Resume: () => job?.resume(),
  Band: async (request) => (await end(), work("band", request)),
  Exact: async () => (await end(), work("exact")),
  Search: async () => (await end(), work("search")),
  Check: async (request) => (await end(), work("check", request)),
  Detail: async (request) => detailOf(await ask("detail", request)),
  Rows: async (request) => rowsOf(await ask("behind", request)),
  Map: async (request) => mapOfRows(await ask("rowsMap", request)),
  Model: (request) => ask("file", request),
};

async function learn({ session: id, file, options, plan, params, key, task, seed, rows, sizes }) {
  await end();
  await haveCore();
  session?.source.close();
  const request = { plan, rows, sizes, task, reading: options, deal: seed, ...mapOf(params, key) };
  const on = async (columnar) => {
    const from = await haveDataset(columnar);
    session = { id, from, source: from.source(file) };
    return work("curve", request);
  };
  try {
    return await on(isColumnar(options.format));
  } catch (error) {
    if (!error.columnar) throw error;
    session.source.close();
    return on(true);
  }
}

/** Ends what runs, and waits until it has. */
async function end() {
  if (!job) return;
  const before = job;
  before.isDropped = true;
  before.drop();
  await before.done.catch(() => {});
}

/** Does a job that can be stopped. Returns null if another one has begun. */
async function work(name, request) {
  const now = begin(name, request);
  job = now;
  try {
    const reply = await now.done;
    return now.isDropped ? null : reply;
  } catch (error) {
    if (now.isDropped) return null;
    if (error.code !== "STOPPED") throw error;
    if (name !== "curve") return null;
    throw new Error("Stopped before the rows were read. Press Learn to begin again.");
  } finally {
    if (job === now) job = null;
  }
}

const ask = (name, request) => (session ? begin(name, request, { isQuiet: true }).done : null);

const PHASES = { "first pass": "reading" };

function begin(name, request, { isQuiet = false } = {}) {
  const { id, from, source } = session;
  const tell = (news) => isQuiet || postMessage({ progress: { ...news, learn: id } });
  return from.job(name, { ...request, files: [source] }, { api: ts, onNews: tell,
    onProgress: (phase, rows, done, paused) =>
      tell({ phase: PHASES[phase] ?? phase, rows, paused, ...(done >= 0 && { done }) }) });
}

const numbers = (list) => list && Float64Array.from(list);

function detailOf(reply) {
  return reply && { ...reply, classes: reply.classes?.map(String), confusion: numbers(reply.confusion?.flat()),
    rows: numbers(reply.rows), truth: numbers(reply.truth), predicted: numbers(reply.predicted) };
}

const mapOfRows = (reply) => reply && { ...reply, xy: numbers(reply.xy), share: numbers(reply.share),
  rows: numbers(reply.rows), truth: numbers(reply.truth), predicted: numbers(reply.predicted) };

function rowsOf(reply) {
  const rows = reply?.rows.map((row) =>
    ({ ...row, scores: numbers(row.scores), values: Float32Array.from(row.values) }));
  return reply && { ...reply, rows };
}

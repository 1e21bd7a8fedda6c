// Stores unfinished embeddings in the origin's private file system. Each has a folder with the features written so far
// and a state that says how many of their bytes are valid. If a browser has no such file system, jobs stay in memory
// until the worker ends. Jobs are written in workers, because files can be written in place only there.
//
// A finished private release outlives no visit. While the worker that made it lives, its features wait on disk to be
// saved, with what its receiver may know; the name of the file and the counts without noise are in the worker's memory
// alone. The next listing of jobs deletes what an ended visit has left.

import { readSlots, slotFor, slotsOf, writeAll, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-jobs";
const IS_WRITTEN = "this embedding is being written in another tab: stop it there first";
const STATE = "state"; // the name of its slots

const inMemory = new Map(); // jobs by id
const released = new Map(); // the whole states of this worker's finished releases, by id

async function root() {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
}

/** Creates a job with this state and opens it for writing. */
export async function createJob(state) {
  const id = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;
  // a private window may have no file system
  const folder = await root().then((root) => root.getDirectoryHandle(id, { create: true })).catch(() => null);
  const job = folder ? new Job(id, await openFiles(folder), await lock(id)) : new MemoryJob(id);
  job.save({ ...state, id, turn: 0, bytes: 0, footer: 0, rows: 0, done: false, keeps: Boolean(folder) });
  return job;
}

/** Returns the last saved state of a job. */
export async function stateOf(id) {
  if (inMemory.has(id)) return inMemory.get(id).state;
  if (released.has(id)) return released.get(id);
  const state = await readState(await folderOf(id));
  if (!state) throw new Error(`the embedding ${id} cannot be read: remove it`);
  return state;
}

/** Opens a job as last saved, to continue writing. */
export async function openJob(id) {
  if (inMemory.has(id)) return inMemory.get(id);
  const state = await stateOf(id);
  const release = await lock(id);
  const job = new Job(id, await openFiles(await folderOf(id)), release);
  job.state = state;
  job.cut();
  return job;
}

/**
 * Returns the states of all jobs, the newest first. `written` is true if a tab is writing the job. A finished release
 * that another worker made has no name. Deletes the finished releases of visits that have ended.
 */
export async function listJobs() {
  const states = [...inMemory.values()].map(({ state }) => state);
  const { held } = await navigator.locks.query().catch(() => ({ held: [] })); // refused with the files
  const written = new Set(held.map(({ name }) => name));
  const folders = await root().then((root) => root.entries()).catch(() => []);
  for await (const [id, folder] of folders) {
    const state = folder.kind === "directory" && await readState(folder);
    if (!state) continue;
    const isWritten = written.has(lockOf(id));
    if (!isFinishedRelease(state)) states.push({ ...state, written: isWritten });
    else if (released.has(id)) states.push({ stem: "released", file: {}, ...released.get(id), written: isWritten });
    else if (written.has(visitOf(id))) states.push({ ...state, stem: "released", file: {}, written: isWritten });
    else if (!isWritten) await removeJob(id);
  }
  return states.sort((a, b) => (a.id < b.id ? 1 : -1));
}

/** Deletes a job. It may be gone: another tab deletes the releases of visits that have ended, too. */
export async function removeJob(id) {
  if (inMemory.delete(id)) return;
  released.delete(id);
  await (await root()).removeEntry(id, { recursive: true }).catch((error) => {
    if (error.name === "NoModificationAllowedError") throw new Error(IS_WRITTEN);
    if (error.name !== "NotFoundError") throw error;
  });
}

const isFinishedRelease = ({ release, done }) => Boolean(release) && done;

/** Returns what is stored of a finished release: the features with noise, and what their receiver may know. */
const publicPart = ({ id, turn, bytes, footer, rows, format, encoder, release, model, copyOf, keeps, done }) =>
  ({ id, turn, bytes, footer, rows, format, encoder, release, model, copyOf, keeps, done });

/** Returns the valid features of a finished job that nothing is writing, as a File on disk. */
export async function fileOf(id) {
  if (inMemory.has(id)) return inMemory.get(id).file;
  const folder = await folderOf(id);
  const { bytes, footer } = await readState(folder);
  const file = await (await folder.getFileHandle("features")).getFile();
  return file.slice(0, bytes + footer);
}

/** Returns the folder of a job. Another tab may have removed it. */
async function folderOf(id) {
  return (await root()).getDirectoryHandle(id).catch((error) => {
    if (error.name !== "NotFoundError") throw error;
    throw new Error("this embedding was removed, perhaps in another tab: embed the file again");
  });
}

/** Returns the newest readable state, or null: another worker may be writing a slot. */
const readState = async (folder) => (await readSlots(folder, STATE)).newest;

async function openFiles(folder) {
  const handles = [];
  for (const name of ["features", ...slotsOf(STATE)]) {
    handles.push(await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle());
  }
  return handles;
}

const lockOf = (id) => `${ROOT}/${id}`;
// held by the worker that finished a release while it lives, and then by its tab (fileworker.js)
const visitOf = (id) => `${ROOT}-visit/${id}`;

/** Locks a job for this worker, and returns a function that unlocks it. */
function lock(id) {
  return new Promise((resolve, reject) => {
    const hold = (held) => {
      if (held) return new Promise((release) => resolve(release));
      reject(new Error(IS_WRITTEN));
    };
    navigator.locks.request(lockOf(id), { ifAvailable: true }, hold).catch(reject);
  });
}

class Job {
  #features;
  #slots;
  #release;
  #isSaved = true; // all features written so far are saved

  constructor(id, [features, ...slots], release) {
    this.id = id;
    this.state = null;
    this.#features = features;
    this.#slots = slots;
    this.#release = release;
  }

  /** Drops everything that was written after the last saved state. */
  cut() {
    this.#features.truncate(this.state.bytes);
  }

  /** Drops everything that was written. */
  restart() {
    this.state = { ...this.state, bytes: 0, footer: 0, encoder: undefined };
    this.cut();
  }

  /** Appends the bytes of rows. The state counts them and stores the state of the encoder. */
  append(bytes, rows, encoder) {
    writeAll(this.#features, bytes, this.state.bytes);
    this.state = { ...this.state, bytes: this.state.bytes + bytes.length, footer: 0, rows: this.state.rows + rows,
      encoder };
    this.#isSaved = false;
  }

  /** Writes appended bytes and the state to disk, so that the job can resume from there. */
  flush() {
    if (!this.#isSaved) this.save(this.state);
  }

  /**
   * Writes a header over the first bytes, and a footer after the rows. Further rows will overwrite the footer.
   */
  finish({ header, footer }, state = {}) {
    writeAll(this.#features, header, 0);
    writeAll(this.#features, footer, this.state.bytes);
    this.#isSaved = false;
    this.save({ ...this.state, footer: footer.length, ...state });
  }

  save(state) {
    this.state = { ...state, turn: state.turn + 1 };
    if (!this.#isSaved) this.#features.flush();
    if (isFinishedRelease(this.state)) this.#seal();
    else writeSlot(slotFor(this.state, this.#slots), this.state);
    this.#isSaved = true;
  }

  /** Leaves in both slots only the public part of a finished release, and keeps the state for this visit. */
  #seal() {
    if (!released.has(this.id)) navigator.locks.request(visitOf(this.id), () => new Promise(() => {}));
    released.set(this.id, this.state);
    for (const turn of [this.state.turn, this.state.turn + 1]) {
      this.state.turn = turn;
      writeSlot(slotFor(this.state, this.#slots), publicPart(this.state));
    }
  }

  close() {
    try {
      this.flush();
    } finally {
      for (const handle of [this.#features, ...this.#slots]) handle.close();
      this.#release();
    }
  }
}

class MemoryJob {
  file = new Blob();

  constructor(id) {
    this.id = id;
    this.state = null;
    inMemory.set(id, this);
  }

  append(bytes, rows, encoder) {
    this.file = new Blob([this.file.slice(0, this.state.bytes), bytes]); // a copy: the caller releases its bytes
    this.save({ ...this.state, bytes: this.state.bytes + bytes.length, footer: 0, rows: this.state.rows + rows,
      encoder });
  }

  finish({ header, footer }, state = {}) {
    this.file = new Blob([header, this.file.slice(header.length, this.state.bytes), footer]);
    this.save({ ...this.state, footer: footer.length, ...state });
  }

  save(state) {
    this.state = state;
  }

  restart() {
    this.file = new Blob();
    this.state = { ...this.state, bytes: 0, footer: 0, encoder: undefined };
  }

  flush() {}

  close() {}
}

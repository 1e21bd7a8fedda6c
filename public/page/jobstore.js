// Embeddings on their way, in the origin's private file system: for each a folder with the features written so far and
// a state that says how many of their bytes are valid. Where a browser has no such file system they are kept in memory,
// as long as the worker lives. Jobs are written in workers: only there are files written in place.

import { readSlots, slotFor, slotsOf, writeAll, writeSlot } from "./slots.js";

const ROOT = "tensorsketch-jobs";
const STATE = "state"; // the name of its slots

const inMemory = new Map(); // jobs by id

async function root() {
  return (await navigator.storage.getDirectory()).getDirectoryHandle(ROOT, { create: true });
}

/** A new job with this state, to be written. */
export async function createJob(state) {
  const id = `${Date.now().toString(36)}-${crypto.randomUUID().slice(0, 8)}`;
  // a private window may have none
  const folder = await root().then((root) => root.getDirectoryHandle(id, { create: true })).catch(() => null);
  const job = folder ? new Job(id, await openFiles(folder), await lock(id)) : new MemoryJob(id);
  job.save({ ...state, id, turn: 0, bytes: 0, footer: 0, rows: 0, done: false, keeps: Boolean(folder) });
  return job;
}

/** What a job was when it was last saved. */
export async function stateOf(id) {
  if (inMemory.has(id)) return inMemory.get(id).state;
  const state = await readState(await (await root()).getDirectoryHandle(id));
  if (!state) throw new Error(`the embedding ${id} cannot be read: remove it`);
  return state;
}

/** A job as it was last saved, to be written on. */
export async function openJob(id) {
  if (inMemory.has(id)) return inMemory.get(id);
  const state = await stateOf(id);
  const release = await lock(id);
  const job = new Job(id, await openFiles(await (await root()).getDirectoryHandle(id)), release);
  job.state = state;
  job.cut();
  return job;
}

/** The states of all jobs, the newest first; `written` tells whether a tab is at it. */
export async function listJobs() {
  const states = [...inMemory.values()].map(({ state }) => state);
  const written = new Set((await navigator.locks.query()).held.map(({ name }) => name));
  const folders = await root().then((root) => root.entries()).catch(() => []);
  for await (const [id, folder] of folders) {
    const state = folder.kind === "directory" && await readState(folder);
    if (state) states.push({ ...state, written: written.has(lockOf(id)) });
  }
  return states.sort((a, b) => (a.id < b.id ? 1 : -1));
}

export async function removeJob(id) {
  if (!inMemory.delete(id)) await (await root()).removeEntry(id, { recursive: true });
}

/** The valid features of a job that nothing writes to and whose file is finished, as a File on disk. */
export async function fileOf(id) {
  if (inMemory.has(id)) return inMemory.get(id).file;
  const folder = await (await root()).getDirectoryHandle(id);
  const { bytes, footer } = await readState(folder);
  const file = await (await folder.getFileHandle("features")).getFile();
  return file.slice(0, bytes + footer);
}

/** The newest state that can be read, or null: a slot may be changing just now. */
const readState = async (folder) => (await readSlots(folder, STATE)).newest;

async function openFiles(folder) {
  const handles = [];
  for (const name of ["features", ...slotsOf(STATE)]) {
    handles.push(await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle());
  }
  return handles;
}

const lockOf = (id) => `${ROOT}/${id}`;

/** Locks a job for this worker, and returns what lets go of it. */
function lock(id) {
  return new Promise((resolve, reject) => {
    const hold = (held) => {
      if (held) return new Promise((release) => resolve(release));
      reject(new Error("this embedding is being written in another tab: stop it there first"));
    };
    navigator.locks.request(lockOf(id), { ifAvailable: true }, hold).catch(reject);
  });
}

class Job {
  #features;
  #slots;
  #release;
  #isSaved = true; // all that was written of the features

  constructor(id, [features, ...slots], release) {
    this.id = id;
    this.state = null;
    this.#features = features;
    this.#slots = slots;
    this.#release = release;
  }

  /** Drops what was written after the state was last saved. */
  cut() {
    this.#features.truncate(this.state.bytes);
  }

  /** Writes bytes of rows behind the others; the state counts them, and has that of the encoder. */
  append(bytes, rows, encoder) {
    writeAll(this.#features, bytes, this.state.bytes);
    this.state = { ...this.state, bytes: this.state.bytes + bytes.length, footer: 0, rows: this.state.rows + rows,
      encoder };
    this.#isSaved = false;
  }

  /** Puts on disk what was appended: from there the job can go on. */
  flush() {
    if (!this.#isSaved) this.save(this.state);
  }

  /**
   * Puts a header in place of the first bytes, and a footer behind the rows, where further ones will take its place.
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
    writeSlot(slotFor(this.state, this.#slots), this.state);
    this.#isSaved = true;
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
    this.file = new Blob([this.file.slice(0, this.state.bytes), bytes]); // a copy: the caller lets go of its bytes
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

  flush() {}

  close() {}
}

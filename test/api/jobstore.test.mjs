// What browsers hold of jobs and ledgers: each in two files that are written in turn; test/page writes them. Without a
// private file system, as in Node, jobs are kept in memory.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { createJob, fileOf, listJobs, openJob, removeJob, stateOf } from "../../public/page/jobstore.js";
import { keep, kept } from "../../public/page/kept.js";
import { storedLedger, withLedgers } from "../../public/page/ledgerstore.js";

const before = Object.getOwnPropertyDescriptor(globalThis, "navigator");

/** Lets the private file system be these folders, of texts or errors by name. */
function haveFolders(folders) {
  const unreadable = (error) => ({ text: () => Promise.reject(error) });
  const fileOf = (text) => ({ getFile: async () => (text instanceof Error ? unreadable(text) : new Blob([text])) });
  const folderOf = (entries) => ({
    getFileHandle: async (name) => {
      if (!(name in entries)) throw new DOMException("none", "NotFoundError");
      return fileOf(entries[name]);
    },
    getDirectoryHandle: async (name) => folderOf(entries[name]),
  });
  const storage = { getDirectory: async () => folderOf(folders) };
  Object.defineProperty(globalThis, "navigator", { value: { storage }, configurable: true, writable: true });
}

afterEach(() => {
  if (before) Object.defineProperty(globalThis, "navigator", before);
  else delete globalThis.navigator;
});

const job = (slots) => haveFolders({ "tensorsketch-jobs": { one: slots } });
const ledger = (slots) => haveFolders({ "tensorsketch-ledgers": slots });
const changed = new DOMException("the file changed", "NotReadableError");

test("the newer of two slots counts, in either order", async () => {
  for (const [first, second] of [[4, 3], [4, 5]]) {
    const newest = Math.max(first, second);
    job({ features: "", "state-0.json": `{"turn":${first}}`, "state-1.json": `{"turn":${second}}` });
    assert.deepEqual(await stateOf("one"), { turn: newest });
    ledger({ "ab-0.json": `{"turn":${first}}`, "ab-1.json": `{"turn":${second}}`, "cd-0.json": '{"turn":9}' });
    assert.deepEqual(await storedLedger("ab"), { turn: newest });
  }
});

test("of a slot that is absent or cut off, the other counts", async () => {
  for (const slot of [undefined, "", '{"turn":']) {
    const state1 = slot === undefined ? {} : { "state-1.json": slot };
    job({ "state-0.json": '{"turn":2}', ...state1 });
    assert.deepEqual(await stateOf("one"), { turn: 2 });
    ledger({ "ab-1.json": '{"turn":1}', ...(slot === undefined ? {} : { "ab-0.json": slot }) });
    assert.deepEqual(await storedLedger("ab"), { turn: 1 });
  }
});

test("a job without a whole slot cannot be read, and a ledger neither, unless it has none", async () => {
  job({ "state-0.json": "", "state-1.json": "{" });
  await assert.rejects(stateOf("one"), { message: "the embedding one cannot be read: remove it" });
  ledger({ "ab-0.json": "{" });
  await assert.rejects(storedLedger("ab"), /^Error: the ledger of this file cannot be read/);
  ledger({});
  assert.equal(await storedLedger("ab"), null);
});

test("while a slot changes, a job is what the other says, and a ledger cannot be read", async () => {
  job({ "state-0.json": '{"turn":2}', "state-1.json": changed });
  assert.deepEqual(await stateOf("one"), { turn: 2 });
  ledger({ "ab-0.json": '{"turn":2}', "ab-1.json": changed });
  await assert.rejects(storedLedger("ab"), changed);
});

/** Detaches the buffer of an array, as free of buffers.js does where the engine can. */
const free = ({ buffer }) => structuredClone(buffer, { transfer: [buffer] });

test("a job in memory keeps what is appended, although the caller lets go of its bytes", async () => {
  const job = await createJob({});
  const append = (text, rows) => {
    const bytes = new TextEncoder().encode(text);
    job.append(bytes, rows, null);
    free(bytes);
  };
  const finish = (header, footer) => {
    const parts = { header: new TextEncoder().encode(header), footer: new TextEncoder().encode(footer) };
    job.finish(parts);
    Object.values(parts).forEach(free);
  };
  append("head ", 0);
  append("one ", 1);
  append("two ", 1);
  finish("HEAD ", "end");
  assert.equal(await (await fileOf(job.id)).text(), "HEAD one two end");
  assert.equal(await openJob(job.id), job);
  append("three ", 1);
  finish("Head ", "End");
  assert.equal(await (await fileOf(job.id)).text(), "Head one two three End");
  assert.deepEqual([job.state.rows, job.state.keeps], [3, false]);
  await removeJob(job.id);
});

test("a file that an older page kept is there, and one of a page that kept it otherwise has its name", async () => {
  const state = { name: "a.csv", size: 4, modified: 5, roles: { x: "ignore" } };
  const have = (state, rows) =>
    haveFolders({ "tensorsketch-kept": { ...rows, "state-0.json": JSON.stringify(state) } });
  have({ ...state, version: 1, turn: 2 }, { rows: "x\n1\n" }); // up to commit a4252dd3, which names the copy
  const { file, ...rest } = await kept();
  assert.deepEqual([rest, file.name, file.lastModified, await file.text()],
    [{ ...state, version: 1, turn: 2 }, "a.csv", 5, "x\n1\n"]);
  have({ ...state, version: 1, turn: 2, rows: "rows-1" }, { rows: "old!", "rows-1": "new!" });
  assert.equal(await (await kept()).file.text(), "new!");
  have({ ...state, version: 1, turn: 2 }, { rows: "x" }); // cut off
  assert.equal((await kept()).file, null);
  have({ ...state, version: 0, turn: 2 }, { rows: "x\n1\n" });
  assert.deepEqual(await kept(), { old: true, name: "a.csv" });
});

test("why a file is not kept: no room, no files at all, no https, or it is gone", async () => {
  const have = (storage) => Object.defineProperty(globalThis, "navigator",
    { value: { storage }, configurable: true, writable: true });
  const request = { state: { name: "a.csv", size: 1 }, file: new Blob(["x"]) };
  const refuse = (name) => async () => { throw new DOMException("no", name); };
  have({ getDirectory: refuse("SecurityError") });
  await assert.rejects(keep(request), /^Error: this browser, or this private window of it, keeps no files for a page:/);
  have({ getDirectory: async () => ({ getDirectoryHandle: refuse("QuotaExceededError") }) });
  await assert.rejects(keep(request), /^Error: this browser has no room for a\.csv: free some of its storage/);
  const gone = { slice: () => ({ arrayBuffer: refuse("NotFoundError") }) };
  await assert.rejects(keep({ ...request, file: gone }), /^Error: a\.csv can no longer be read: .*; choose it again$/);
  have(undefined);
  await assert.rejects(keep(request), /^Error: a browser keeps files only for https addresses and for this device/);
});

test("where a browser refuses files and locks, jobs of the memory are listed, and a ledger says why there is none",
  async () => {
    const refuse = async () => { throw new DOMException("The request was denied.", "SecurityError"); };
    const value = { storage: { getDirectory: refuse }, locks: { query: refuse, request: refuse } };
    Object.defineProperty(globalThis, "navigator", { value, configurable: true, writable: true });
    const job = await createJob({ stem: "a" });
    assert.deepEqual((await listJobs()).map(({ stem, keeps }) => [stem, keeps]), [["a", false]]);
    await removeJob(job.id);
    await assert.rejects(withLedgers(({ lock }) => lock("ab")),
      /^Error: This browser, or this private window of it, keeps no files for a page, and so cannot remember/);
  });

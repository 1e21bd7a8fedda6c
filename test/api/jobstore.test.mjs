// Jobs without a private file system, as in Node and in some browsers: they are kept in memory. test/page tests jobs
// with one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { createJob, fileOf, openJob, removeJob } from "../../public/page/jobstore.js";

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

// Runs all API tests in one thread and tells what came out.

import files from "api-tests";
import { run } from "./nodetest.js";
import { tellOfWorkers } from "./workers.js";

const toldOfEnds = "only Node tells when a worker is ended from outside";
const skips = {
  "a worker that dies has its block redone": toldOfEnds,
  "the same block losing a second worker rejects with ERR_WORKER, and the next call works": toldOfEnds,
  "workers stop after an abort: at most two blocks each come back, and nothing is sent": "times are taken in Node",
  "the event loop stays alive without workers": "times are taken in Node",
  "workers that had nothing to do for 10 s end, and the next call starts others": "it puts Node's clock forward",
};
if (globalThis.document) {
  Object.assign(skips, {
    "a table gives the model file that Go writes, byte for byte, and its map new rows the same bits":
      "a page reads no paths",
    "out is written and returned; it may be a part of a larger array":
      "a page that is not isolated has no SharedArrayBuffer",
  });
  delete files["offline.test.mjs"]; // it imports scripts of our page, which expect its elements
}
if (globalThis.Bun) {
  Object.assign(skips, {
    "the code of About runs as it is, with the library beside it": "Bun imports no data: address",
    "as a worker: it answers, drops the work for newer work, stops, and tells errors":
      "Bun does not import a module again for another query",
  });
}
export async function runAll(process, tell) {
  if (globalThis.Worker) tellOfWorkers(process);
  const results = [];
  for (const [name, importModule] of Object.entries(files)) {
    try {
      for await (const result of run(importModule, skips)) results.push({ file: name, ...result });
    } catch (error) {
      results.push({ file: name, name: "", failure: `${error}\n${error?.stack}` });
    }
  }
  await tell(results);
}

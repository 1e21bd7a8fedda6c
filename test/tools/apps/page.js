// An app in a page: the same in its thread and in a module worker. It tells the test's server what came out.

import { run } from "./app.js";
import { tell } from "./core.js";

function runInWorker() {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./inworker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data));
    worker.onerror = (event) => reject(new Error(event.message || "the worker cannot be started"));
  });
}

tell(Promise.all([run(), runInWorker()]).then(([page, worker]) => ({ page, worker })));

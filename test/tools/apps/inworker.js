import { run } from "./app.js";

run().then(postMessage, (error) => postMessage({ error: String(error) }));

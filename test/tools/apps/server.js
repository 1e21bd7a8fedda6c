// Server-side rendering: the modules are imported where there is no window, and work there too.

import { run } from "./app.js";

if (typeof window !== "undefined") throw new Error("this is no server");
run().then((results) => console.log(JSON.stringify(results)));

import { runAll } from "./main.js";

await runAll(process, (results) => console.log(JSON.stringify(results)));
process.exit();

// CommonJS: import() in every Node, and require where it takes ES modules.

import("./app.js").then(async ({ run }) => {
  if (process.features.require_module && require("tensorsketch").load !== (await import("tensorsketch")).load) throw new Error("two copies");
  console.log(JSON.stringify(await run()));
});

// Writes a page of its own that predicts with a model: one HTML file with the model and the library inside. It fetches
// nothing, so it works from a disk too.

const ESCAPES = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<"]/g, (c) => ESCAPES[c]);

/** Fetches what the page has inside: the library as a script, and both .wasm files as text. */
async function parts() {
  const read = async (name, how) => {
    const response = await fetch(new URL(name, import.meta.url));
    if (!response.ok) throw new Error(`${name} could not be fetched (${response.status}): try again with a network`);
    return response[how]();
  };
  const zipped = async (name) => {
    const { body } = new Response(await read(name, "blob"));
    const bytes = new Uint8Array(await new Response(body.pipeThrough(new CompressionStream("gzip"))).arrayBuffer());
    let binary = "";
    for (let i = 0; i < bytes.length; i += 32768) binary += String.fromCharCode(...bytes.subarray(i, i + 32768));
    return btoa(binary);
  };
  const [library, core, dataset] = await Promise.all([read("onepage.js", "text"), zipped("../api/tensorsketch.wasm"),
    zipped("../api/dataset.wasm")]);
  return { library: library.replaceAll("</script", "<\\/script"), core, dataset };
}

// The page may run what is inside it and nothing else: no request, form, image, frame or worker.
const POLICY = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; " +
  "connect-src 'none'; base-uri 'none'; form-action 'none'";

const MAX_FIELDS = 100; // of columns with a field each; a row of more is typed as one line

/** Returns the fields for a row of a model: one for each column, or one for the whole line. */
function fieldsOf({ preprocessing, nFeatures }, names, columns) {
  if (preprocessing?.sparseWidth) return lineField("A row as in a LIBSVM file, without its label, such as 3:1 17:0.5");
  if (names.length === 0) return lineField(`A row: ${nFeatures} numbers, with commas between`);
  if (names.length > MAX_FIELDS) {
    return `${lineField(`A row: ${names.length} cells, with commas between, in this order`)}
<details><summary>The ${names.length} columns</summary><ol>${names.map((name) => `<li>${escaped(name)}`).join("")}</ol>
</details>`;
  }
  const fields = columns.map((column) => `<label>${escaped(column.name)} ${fieldOf(column)}</label>`);
  return `<div class="cells">${fields.join("\n")}</div>`;
}

const MAX_VALUES = 200; // of a category in a menu

/** Returns the field of a column: a menu of the values of a category, a date, or a text. */
function fieldOf({ role, values = [], parts = [] }) {
  if (role === "category" && values.length > 0 && values.length <= MAX_VALUES) {
    return `<select class="cell"><option value="">empty</option>${values.map((value) =>
      `<option>${escaped(value)}</option>`).join("")}</select>`;
  }
  if (role === "date") return `<input class="cell" type="${parts.includes("day") ? "datetime-local" : "date"}">`;
  return `<input class="cell" autocomplete="off"${role === "number" ? ' inputmode="decimal"' : ""}>`;
}

const lineField = (what) => `<label>${escaped(what)} <input id="row" autocomplete="off"></label>`;

/** Returns the page for the text of a model file, about 3 MB. */
export async function pageOf(text) {
  const { library, core, dataset } = await parts();
  const { preprocessing, head, params, nFeatures = params?.nFeatures } = JSON.parse(text);
  const columns = preprocessing?.columns.filter(({ role }) => role !== "label" && role !== "keep") ?? [];
  const names = columns.map(({ name }) => name);
  const isSparse = Boolean(preprocessing?.sparseWidth);
  const header = names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(",");
  const label = preprocessing?.columns.find(({ role }) => role === "label")?.name;
  const predicted = `${head.task === "regress" ? "number" : "label"}${label ? ` “${label}”` : ""}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width">
<title>Predict</title>
<style>body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui } label { display: block;
margin: 1rem 0; overflow-wrap: anywhere } input, select { display: block; width: 100%;
box-sizing: border-box; font: inherit; padding: .5rem } .cells { display: grid;
grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: .3rem 1rem;
align-items: end } .cells label { margin: 0 } button { font: inherit; padding: .5rem 1rem }
pre { white-space: pre-wrap }</style>
<h1>Predict the ${escaped(predicted)}</h1>
<form id="typed">
${fieldsOf({ preprocessing, nFeatures }, names, columns)}
<p><button>Predict</button></p>
</form>
<label>Or a file of rows: CSV, JSON, LIBSVM, .npy or text <input id="file" type="file"></label>
<pre id="said" role="status"></pre>
<p><small>The model and the library are in this file. It sends nothing: its Content-Security-Policy forbids every
request.</small></p>
<script type="application/json" id="model">${text.replaceAll("<", "\\u003c")}</script>
<script>${library}</script>
<script type="text/plain" id="core">${core}</script>
<script type="text/plain" id="dataset">${dataset}</script>
<script type="module">
const at = (id) => document.getElementById(id);
const unzipped = (id) => {
  const bytes = Uint8Array.from(atob(at(id).textContent), (c) => c.charCodeAt(0));
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
};
async function start() {
  return Promise.all([tensorsketch.load({ wasmBinary: await unzipped("core"), threads: 0 }),
    tensorsketch.loadDataset({ wasmBinary: await unzipped("dataset") })]);
}
const started = start();
// Of cells that count as something else than what was typed.
const SAID = ["cells-replaced", "cells-cut", "number-no-code", "category-unknown"];
async function predict(bytes, name, reading) {
  const [ts, dataset] = await started;
  const { predictions, notes } = await tensorsketch.predict(ts, new File([bytes], name), { dataset, reading,
    model: at("model").textContent });
  const said = predictions.map(({ prediction, why }) => prediction ?? "no answer: " + why);
  const but = notes.filter(({ code }) => SAID.includes(code));
  if (name === "row") said.push(...but.map(({ what }) => "But " + what + "."));
  else said.unshift(...but.map(({ code, what, remedy }) => // where it is seen; here is no setting for missing cells
    what + (remedy && code !== "cells-replaced" ? "; " + remedy : "") + "."));
  return said.join("\\n") || "There is no answer: the file has no rows.";
}
const show = (bytes, ...how) => predict(bytes, ...how).catch((error) => error.message).then((text) => {
  at("said").textContent = text;
});
const quoted = (cell) => (/[",\\r\\n]/.test(cell) ? '"' + cell.replaceAll('"', '""') + '"' : cell);
const cells = [...document.querySelectorAll(".cell")];
const line = () => (cells.length > 0 ? cells.map(({ value }) => quoted(value)).join(",") : at("row").value);
at("typed").onsubmit = (event) => {
  event.preventDefault();
  show(new TextEncoder().encode(${isSparse ? '"0 " + line() + "\\n"'
    : preprocessing ? `${JSON.stringify(header + "\n").replaceAll("<", "\\u003c")} + line() + "\\n"`
      : 'line() + "\\n"'}), "row",
    ${JSON.stringify(isSparse ? { format: "libsvm" }
    : { format: "csv", delimiter: ",", header: Boolean(preprocessing) })});
};
at("file").onchange = async ({ target: { files: [file] } }) => {
  show(new Uint8Array(await file.arrayBuffer()), file.name, {});
};
</script>
</html>
`;
}

// Writes a page of its own that predicts with a model: one HTML file, which contains the model and takes the library
// from an address.

const ESCAPES = { "&": "&amp;", "<": "&lt;", '"': "&quot;" };
const escaped = (text) => text.replace(/[&<"]/g, (c) => ESCAPES[c]);

/** Returns the page for the text of a model file. */
export function pageOf(text, api) {
  const { preprocessing, head, params, nFeatures = params?.nFeatures } = JSON.parse(text);
  const columns = preprocessing?.columns.filter(({ role }) => role !== "label" && role !== "keep") ?? [];
  const names = columns.map(({ name }) => name);
  const isSparse = Boolean(preprocessing?.sparseWidth);
  const what = isSparse ? "A row as in a LIBSVM file, without its label, such as 3:1 17:0.5"
    : names.length > 0 ? `A row: ${names.length > 12 ? `${names.length} cells` : names.join(", ")}, with commas between`
      : `A row: ${nFeatures} numbers, with commas between`;
  const header = names.map((name) => (/[",\r\n]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name)).join(",");
  const label = preprocessing?.columns.find(({ role }) => role === "label")?.name;
  const predicted = `${head.task === "regress" ? "number" : "label"}${label ? ` “${label}”` : ""}`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Predict</title>
<style>body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui } label { display: block;
margin: 1rem 0 } input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .5rem }</style>
<h1>Predict the ${escaped(predicted)}</h1>
<!-- The model is in this file. The library comes from the address below: change it to where you keep the folder api/.
     From another site than this page's, that site must allow it: Access-Control-Allow-Origin. -->
<label>Address of the library <input id="api" value="${escaped(api)}"></label>
<label>${escaped(what)} <input id="row"></label>
<label>Or a file of rows <input id="file" type="file"></label>
<pre id="said" role="status"></pre>
<script type="application/json" id="model">${text.replaceAll("<", "\\u003c")}</script>
<script type="module">
const at = (id) => document.getElementById(id), from = (name) => import(new URL(name, at("api").value));
async function predict(bytes, name, reading) {
  const [ts, dataset] = await Promise.all([(await from("tensorsketch.js")).load(),
    (await from("dataset.js")).loadDataset({ columnar: /\\.(parquet|arrow|feather|xlsx)$/i.test(name) })]);
  const model = ts.fromJSON(at("model").textContent), source = dataset.source(bytes, { name }), labels = [];
  const rows = ${preprocessing ? "dataset.fromModel(model.map.preprocessing)" :
    "dataset.preprocessing(dataset.plan(dataset.sniff(source, reading)))"};
  const layout = dataset.sniff(source, reading, { preprocessing: rows });
  for (const { X } of dataset.rows(source, layout, rows)) labels.push(...model.predict(X));
  return labels.join("\\n");
}
const show = (bytes, ...how) => predict(bytes, ...how).catch((error) => error.message).then((text) => {
  at("said").textContent = text;
});
at("row").onchange = () => show(new TextEncoder().encode(${isSparse ? '"0 " + at("row").value + "\\n"'
    : preprocessing ? `${JSON.stringify(header + "\n").replaceAll("<", "\\u003c")} + at("row").value + "\\n"`
      : 'at("row").value + "\\n"'}), "row",
  ${JSON.stringify(isSparse ? { format: "libsvm" }
    : { format: "csv", delimiter: ",", header: Boolean(preprocessing) })});
at("file").onchange = async ({ target: { files: [file] } }) => {
  show(new Uint8Array(await file.arrayBuffer()), file.name, {});
};
</script>
</html>
`;
}

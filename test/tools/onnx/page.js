// Runs the cases of onnx.test.mjs in onnxruntime-web, and tells how many there were and what differed.

import * as ort from "./node_modules/onnxruntime-web/dist/ort.wasm.bundle.min.mjs";

const tell = (told) =>
  fetch(new URLSearchParams(location.search).get("tell"), { method: "POST", body: JSON.stringify(told) });

try {
  ort.env.wasm.numThreads = 1;
  ort.env.wasm.wasmPaths = new URL("./node_modules/onnxruntime-web/dist/", location.href).href;
  const cases = await (await fetch("cases/cases.json")).json();
  let largest = 0, wrong = 0;
  for (const { file, width, X, want } of cases) {
    const bytes = new Uint8Array(await (await fetch(`cases/${file}`)).arrayBuffer());
    const session = await ort.InferenceSession.create(bytes);
    const numbers = Float32Array.from(X, (x) => x ?? NaN);
    const said = await session.run({ X: new ort.Tensor("float32", numbers, [X.length / width, width]) });
    for (const [name, values] of Object.entries(want)) {
      const got = Array.from(said[name].data, (v) => (typeof v === "bigint" ? Number(v) : v));
      if (name === "label") {
        wrong += values.filter((v, i) => v !== got[i]).length;
        continue;
      }
      const range = values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
      const off = values.reduce((most, v, i) => Math.max(most, Math.abs(got[i] - v)), 0) / range;
      largest = off <= largest ? largest : off; // NaN counts
    }
    await session.release();
  }
  await tell({ Cases: cases.length, Wrong: wrong, Largest: largest, Error: "" });
} catch (error) {
  await tell({ Cases: 0, Wrong: 0, Largest: 0, Error: String(error?.stack ?? error) });
}

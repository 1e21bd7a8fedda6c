// The parts of the core: "maps" is all that makes and describes features, and leaves a file of the tiny build out.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { build, errorOf, load, loadFor, randomRows, rejectionOf, sameBits, wasmFiles } from "./helper.mjs";

const { METHODS } = await import(new URL("tables.js", new URL(".", wasmFiles[0])));
const [core, more] = wasmFiles;
const nameOf = (file) => file.pathname.split("/").at(-1);

test("the parts \"maps\" have every method, with its bits, its formulas, sums and models", async (t) => {
  const all = await loadFor(t, { threads: 1 });
  const maps = await loadFor(t, { parts: "maps", threads: 1 });
  const X = randomRows(5000, 16);
  for (const method of METHODS) {
    const [want, got] = [all, maps].map((ts) => ts.featureMap({
      method, nFeatures: 16, nComponents: 32, normalize: "none",
    }));
    if (method === "spherical") {
      for (let row = 0; row < X.length; row += 16) {
        const norm = Math.hypot(...X.subarray(row, row + 16));
        for (let i = row; i < row + 16; i++) X[i] /= norm;
      }
    }
    if (method === "nystroem") [want, got].forEach((map) => map.fit(X));
    const Z = want.transform(X);
    sameBits(got.transform(X), Z, method);
    sameBits(await got.transformAsync(X), Z, `${method}, in workers`);
    const [x, y] = [X.subarray(0, 16), X.subarray(16, 32)];
    for (const call of ["kernel", "bias", "stdError"]) {
      assert.deepEqual(outcome(() => got.theory[call](x, y)), outcome(() => want.theory[call](x, y)),
        `${method}, ${call}`);
    }
    sameBits(maps.fromJSON(want.toJSON()).transform(X.subarray(0, 160)), Z.subarray(0, 320),
      `${method}, from its model`);
    const [sum, other] = [want, got].map((map) => map.accumulator());
    [sum, other].forEach((accumulator) => accumulator.add(X));
    assert.deepEqual(other.toJSON(), sum.toJSON(), `${method}, sums`);
  }
});

/** What a call returns, or the message of its error. */
function outcome(call) {
  try {
    return call();
  } catch (error) {
    return error.message;
  }
}

if (build === "tiny") {
  /** A server of the files of a folder, and what was asked of it. */
  async function serve(t, answers) {
    const asked = [];
    const server = createServer((request, response) => {
      const name = request.url.slice(1);
      asked.push(name);
      if (answers[name]) response.end(answers[name]);
      else response.writeHead(404).end();
    });
    await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => {
      server.closeAllConnections();
      server.close();
    });
    return { asked, baseURL: `http://127.0.0.1:${server.address().port}/` };
  }

  const answers = { [nameOf(core)]: readFileSync(core), [nameOf(more)]: readFileSync(more) };

  test("both files are fetched, or the first alone", async (t) => {
    const { asked, baseURL } = await serve(t, answers);
    await loadFor(t, { baseURL });
    assert.deepEqual(asked.splice(0).sort(), [nameOf(more), nameOf(core)]);
    await loadFor(t, { baseURL, parts: "maps" });
    assert.deepEqual(asked, [nameOf(core)]);
  });

  test("what is left out is ERR_LOAD with the remedy, and hurts nothing", async (t) => {
    const ts = await loadFor(t, { parts: "maps", threads: 0 });
    const map = ts.featureMap({ nFeatures: 3, nComponents: 50 });
    const want = map.transform([1, 2, 3]);
    const A = new Float32Array(4);
    const calls = {
      plan: () => ts.plan({ nFeatures: 100, degree: 2, nComponents: 500 }),
      "plan of a sample": () => ts.plan({ sample: randomRows(10, 4), nFeatures: 4, degree: 2, nComponents: 50 }),
      chooseComponents: () => map.theory.chooseComponents([1, 2, 3], [3, 2, 1], 0.1, 0.1),
      missProbability: () => map.theory.missProbability([1, 2, 3], [3, 2, 1], 0.1),
      compressedProduct: () => ts.compressedProduct(A, A, { m: 2, n: 2, k: 2 }, { nComponents: 16 }),
      subspaceDimension: () => ts.subspaceDimension(2, 2, 0.1, 0.1),
      matrixProductDimension: () => ts.matrixProductDimension(2, 0.1, 0.1),
      ledger: () => ts.ledger({ epsilon: 1, delta: 1e-6 }),
      privacyMeter: () => map.privacy.meter({ epsilon: 1, delta: 1e-6, radius: 1 }),
    };
    for (let round = 0; round < 2; round++) {
      for (const [name, call] of Object.entries(calls)) {
        assert.equal(errorOf(call, "ERR_LOAD").message,
          `this needs ${nameOf(more)}, which parts: "maps" leaves out: load with parts: "all"`, name);
        sameBits(map.transform([1, 2, 3]), want, `after ${name}`);
      }
    }
  });

  test("a second file that is not there is ERR_LOAD with its address", async (t) => {
    const { baseURL } = await serve(t, { [nameOf(core)]: answers[nameOf(core)] });
    assert.equal((await rejectionOf(load({ baseURL }), "ERR_LOAD")).message,
      `cannot load ${baseURL}${nameOf(more)}: the server answered 404 Not Found; ` +
        `put it beside tensorsketch.js, or give its folder as baseURL`);
    const folder = mkdtempSync(join(tmpdir(), "tensorsketch-"));
    writeFileSync(join(folder, nameOf(core)), answers[nameOf(core)]);
    const reports = [];
    const error = await rejectionOf(
      load({ baseURL: pathToFileURL(folder), onProgress: (...sizes) => reports.push(sizes) }), "ERR_LOAD");
    assert.match(error.message, /tensorsketch\.tiny\.more\.wasm: there is no such file; put it beside/);
    const { length } = reports;
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(reports.length, length, "progress was told after the failure");
    (await load({ baseURL: pathToFileURL(folder), parts: "maps" })).dispose();
  });

  test("two files of different releases are ERR_LOAD", async (t) => {
    const other = Buffer.from(answers[nameOf(more)]);
    const digest = other.toString("latin1").match(/[0-9a-f]{16}/);
    other[digest.index] = other[digest.index] === 0x30 ? 0x31 : 0x30;
    const { baseURL } = await serve(t, { ...answers, [nameOf(more)]: other });
    assert.match((await rejectionOf(load({ baseURL }), "ERR_LOAD")).message,
      /tensorsketch\.tiny\.more\.wasm is of another release: take both from one/);
  });
}

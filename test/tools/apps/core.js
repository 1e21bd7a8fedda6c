// What each host is given: `load`, with what the host needs besides.

export async function runCore(load, options) {
  const X = Float32Array.from({ length: 64 * 3000 }, (_, i) => ((i * 7919) % 1009) / 1009);
  const ts = await load({ threads: 2, ...options });
  await ts.warm();
  const map = ts.featureMap({ nFeatures: 64, nComponents: 1024, degree: 3, coef0: 1, seed: 7 });
  const features = digest(await map.transformAsync(X));
  const dimension = ts.subspaceDimension(3, 2, 0.5, 0.1);
  const { threads, noThreadsBecause } = ts.capabilities;
  ts.dispose();
  return { features, dimension, threads, noThreadsBecause: noThreadsBecause ?? "" };
}

/** As runCore, where a host has all files of the core: as in an engine without SIMD, the features are the same. */
export async function runBuilds(load) {
  const told = await runCore(load);
  const { features } = await runCore(load, { build: "scalar", threads: 0 });
  if (features !== told.features) throw new Error(`the scalar build gives ${features}, want ${told.features}`);
  return told;
}

/** FNV-1a of the bits. */
function digest(features) {
  let hash = 0x811c9dc5;
  for (const bits of new Uint32Array(features.buffer)) hash = Math.imul(hash ^ bits, 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Tells the test's server what came out, or prints it. */
export async function tell(promise) {
  const told = JSON.stringify(await promise.catch((error) => ({ error: String(error) })));
  const to = globalThis.location && new URLSearchParams(location.search).get("tell");
  if (!to) return console.log(told);
  await fetch(to, { method: "POST", mode: "no-cors", body: told });
}

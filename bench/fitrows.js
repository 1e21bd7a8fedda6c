// How long ts.fit takes with its search, in Node (fit.js) and in a page (page.js).

/** Returns rows of numbers with two classes. Every fourth column has whole numbers; three columns decide the class. */
export function mixed(n = 10_000, d = 20) {
  let state = 7;
  const next = () => (state = (state * 48271) % 2147483647) / 2147483647;
  const X = new Float32Array(n * d);
  const y = [];
  for (let at = 0; at < X.length; at += d) {
    for (let j = 0; j < d; j++) X[at + j] = j % 4 === 3 ? Math.floor(next() * 5) : 2 * next() - 1;
    y.push(X[at] * X[at + 1] + 0.5 * X[at + 4] + 0.3 * (next() - 0.5) > 0 ? "a" : "b");
  }
  return [X, y];
}

/** Fits rows once. Returns the seconds until the first answer and until the model, and what the search chose. */
export async function timed(ts, X, y) {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  let first;
  const model = await ts.fit(X, y, { task: "classify", onFirst(early) {
    first = seconds();
    early.dispose();
  } });
  const { chosen, heldOut } = model.report.candidates;
  const figures = { first, all: seconds(), chosen, accuracy: heldOut.accuracy };
  model.dispose();
  return figures;
}

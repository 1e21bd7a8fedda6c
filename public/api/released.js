// ReleasedMoments: sums with noise, and what is public about them. They have nothing else of the rows, so models fitted
// to them are as private as the release was.

import { compare, hasSide } from "./compare.js";
import { checkRunning, disposedError, fault } from "./errors.js";
import { FitTask, headOfReleased, runTask } from "./fit.js";
import { Model } from "./predict.js";

export class ReleasedMoments {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("fit a model, and send or store JSON.stringify(model)");
  #engine;
  #release; // what learner.js gives

  constructor(engine, release) {
    this.#engine = engine;
    this.#release = release;
    hasSide(this, () => {
      const { block, nComponents, words, epsilon, delta, rows, shared } = this.#release;
      return { block, nComponents, words, release: { epsilon, delta, rows }, shared };
    });
  }

  get task() {
    return this.#release.task;
  }

  get classes() {
    return this.#release.classes;
  }

  get epsilon() {
    return this.#release.epsilon;
  }

  get delta() {
    return this.#release.delta;
  }

  get rows() {
    return this.#release.rows;
  }

  get bound() {
    return this.#release.bound;
  }

  get sigma() {
    return this.#release.sigma;
  }

  async fit(options = {}) {
    if (!this.#engine.alive()) throw disposedError("module");
    const { signal, onProgress } = checkRunning(options);
    signal?.throwIfAborted();
    const { parts: { settings, held }, block, words, nComponents, task, classes, epsilon, delta, rows } = this.#release;
    const fit = new FitTask([{ block, nComponents }], [words], { release: { epsilon, delta, rows } });
    const [result] = await runTask(this.#engine, this, fit, { signal, onProgress });
    return new Model(this.#engine, settings, held, headOfReleased(result, { task, classes, epsilon, delta }));
  }

  async compare(other, options = {}) {
    return compare(this.#engine, this, other, options);
  }

  toJSON() {
    throw fault(undefined, "a release is no JSON: fit a model, and keep JSON.stringify(model)");
  }

  get [Symbol.toStringTag]() {
    return "ReleasedMoments";
  }

  /** What console.log shows in Node. */
  [Symbol.for("nodejs.util.inspect.custom")](depth, options, inspect) {
    const { task, classes, epsilon, delta, rows, bound, sigma } = this;
    return `ReleasedMoments ${inspect({ task, ...(classes ? { classes } : {}), epsilon, delta, rows, bound, sigma },
      options)}`;
  }
}

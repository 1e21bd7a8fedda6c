// Fitter: fits a k-Space map to rows that come in parts. The core keeps exact sums, and no rows.

import { checkRunning, TensorSketchError } from "./errors.js";
import { giveWay, SLICE } from "./slices.js";

const MEASURE = 1, CHECK = 2; // the steps of core.js that add nothing

/** Frees a fitter that was garbage-collected before its end. */
const dropped = new FinalizationRegistry((free) => free());

export class Fitter {
  /** As of FeatureMap. */
  cannotBeCloned = Symbol("finish the fit, and send the model of the map");
  #map; // { core, make(), source(X), living(), use(map, projection), free(map) }, what it takes of its FeatureMap
  #next; // the core's map that is fitted
  #fitter; // the core's fitter; null after finish or dispose
  #free;
  #rows = 0;

  constructor(map, radius) {
    const next = this.#next = map.make();
    try {
      const fitter = this.#fitter = map.core.newFitter(next, radius);
      this.#free = () => {
        map.core.freeFitter(fitter);
        map.free(next);
      };
    } catch (error) {
      map.free(next);
      throw error;
    }
    this.#map = map;
    dropped.register(this, this.#free, this);
  }

  get rows() {
    return this.#rows;
  }

  measure(X) {
    const fitter = this.#living();
    this.#map.core.fitRows(fitter, this.#map.source(X), MEASURE);
  }

  add(X) {
    const fitter = this.#living();
    const source = this.#map.source(X);
    this.#map.core.fitRows(fitter, source, CHECK); // all rows or none
    this.#map.core.fitRows(fitter, source);
    this.#rows += source.rows;
  }

  finish() {
    while (!this.#step().finished);
    this.#end();
  }

  async finishAsync(options = {}) {
    const { signal, onProgress } = checkRunning(options);
    for (let last = 0; ; ) {
      signal?.throwIfAborted();
      const started = performance.now();
      let step = this.#step();
      while (!step.finished && performance.now() < started + SLICE.ms) step = this.#step();
      if (step.finished) break;
      await onProgress?.((last = Math.max(last, step.done)));
      await giveWay();
    }
    await onProgress?.(1);
    this.#living();
    this.#end();
  }

  #step() {
    return this.#map.core.stepFit(this.#living());
  }

  /** Puts the fitted map of the core in its place. */
  #end() {
    const { core } = this.#map;
    this.#map.use(this.#next, core.projection(this.#fitter));
    this.#leave((fitter) => core.freeFitter(fitter));
  }

  dispose() {
    if (this.#fitter) this.#leave(this.#free);
  }

  #leave(free) {
    dropped.unregister(this);
    free(this.#fitter);
    this.#fitter = null;
  }

  #living() {
    if (this.#fitter) return this.#map.living() && this.#fitter;
    throw new TensorSketchError("ERR_DISPOSED", "this fitter has finished or was disposed: make another one");
  }
}

if (Symbol.dispose) Fitter.prototype[Symbol.dispose] = Fitter.prototype.dispose;

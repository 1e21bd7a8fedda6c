// Theory of a map's estimates: its kernel, the error of the estimates, and the components needed for a given error.

import { checkIsNumber } from "./errors.js";

export class Theory {
  #access; // () => { core, vectorLength, living() } of the map in its current state

  constructor(access) {
    this.#access = access;
  }

  kernel(x, y) {
    return this.#ask("kernel", x, y);
  }

  stdError(x, y) {
    return this.#ask("stdError", x, y);
  }

  bias(x, y) {
    return this.#ask("bias", x, y);
  }

  missProbability(x, y, epsilon) {
    return this.#ask("missProbability", x, y, { epsilon });
  }

  chooseComponents(x, y, epsilon, delta) {
    return this.#ask("chooseComponents", x, y, { epsilon, delta });
  }

  /** Asks the core a question about the vectors x and y. `numbers` are its further arguments. */
  #ask(question, x, y, numbers = {}) {
    const { core, vectorLength, living } = this.#access();
    for (const [name, value] of Object.entries(numbers)) checkIsNumber(name, value);
    return core[question](living(), x, y, vectorLength, ...Object.values(numbers));
  }
}

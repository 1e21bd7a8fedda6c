// What is known of the estimates of a map: its kernel, their error, and how many components an error needs.

import { checkIsNumber } from "./errors.js";

export class Theory {
  #access; // () => { core, vectorLength, living() } of the map as it is now

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

  /** Asks the core a question about x and y, with numbers. */
  #ask(question, x, y, numbers = {}) {
    const { core, vectorLength, living } = this.#access();
    for (const [name, value] of Object.entries(numbers)) checkIsNumber(name, value);
    return core[question](living(), x, y, vectorLength, ...Object.values(numbers));
  }
}

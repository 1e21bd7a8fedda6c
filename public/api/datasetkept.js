// What a Dataset keeps in its program for a caller, until it is closed or garbage-collected. dataset.d.ts has the
// documentation.

import { DatasetError } from "./dataseterror.js";

export const programs = new WeakMap(); // of each Dataset; null after its end

const dropped = new FinalizationRegistry((held) => release(held));

/** Releases what a handle stands for, unless it went with its program. */
function release({ dataset, handle, program }) {
  if (programs.get(dataset) === program) dataset.close(handle);
}

/** An object that a Dataset keeps for its caller until it is closed or garbage-collected. */
export class Kept {
  #held;

  constructor(dataset, handle) {
    this.#held = { dataset, handle, program: programs.get(dataset) };
    dropped.register(this, this.#held, this);
  }

  /** Releases the object. It cannot be used afterwards. */
  close() {
    if (this.#held) release(this.#held);
    dropped.unregister(this);
    this.#held = null;
  }

  /** Returns the handle of `kept`, which must be a Type of this dataset. */
  static handleOf(kept, Type, dataset, name) {
    if (!(kept instanceof Type)) {
      throw new TypeError(`${name} must be a ${Type.name}, as this module gives it, got ` +
        `${kept === null ? "null" : typeof kept}`);
    }
    if (!kept.#held) throw new TypeError(`${name} was closed: make it again`);
    if (kept.#held.dataset !== dataset) {
      throw new TypeError(`${name} belongs to another Dataset: make it with this one`);
    }
    if (programs.get(dataset) !== kept.#held.program) {
      throw new DatasetError({ message: `${name} was lost with the program that read files, which has ended: ` +
        "make it again" });
    }
    return kept.#held.handle;
  }
}

if (Symbol.dispose) Kept.prototype[Symbol.dispose] = Kept.prototype.close;

export class Layout extends Kept {
  constructor(dataset, { layout, ...said }) {
    super(dataset, layout);
    Object.assign(this, said);
  }
}

export class PreparedRows extends Kept {
  constructor(dataset, { preprocessing, ...said }) {
    super(dataset, preprocessing);
    Object.assign(this, said);
  }
}

/** Writes rows of features: the header, then the bytes of each block, then the bytes that `finish` returns. */
export class Encoder extends Kept {
  #calls;

  constructor(dataset, { encoder, header }, state, calls) {
    super(dataset, encoder);
    this.header = header;
    this.state = state;
    this.#calls = calls;
  }

  encode(Z, block) {
    const { bytes, state } = this.#calls.encode(this, Z, block);
    this.state = state;
    return bytes;
  }

  finish(rows) {
    return this.#calls.finish(this, rows);
  }
}

/** Says which label each cell is. It sees and reads the texts of cells, as `texts` gives them. */
export class LabelReader extends Kept {
  #calls;
  #known = []; // labels by their index

  constructor(dataset, handle, calls) {
    super(dataset, handle);
    this.#calls = calls;
  }

  see(texts, places) {
    return this.#calls.see(this, texts, places);
  }

  read(texts) {
    const { fresh, codes } = this.#calls.read(this, texts);
    this.#known.push(...fresh);
    return Array.from(codes, (code) => (code < 0 ? null : this.#known[code]));
  }

  numbers(texts) {
    return this.#calls.numbers(this, texts);
  }

  notes(task = "classify") {
    return this.#calls.notes(this, task);
  }
}

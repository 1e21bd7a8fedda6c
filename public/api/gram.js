// Inner products of many rows of features at once: all of them, or the largest for each of some rows. They are computed
// in tiles, of some rows of A and some of B.

import { newMatrix } from "./buffers.js";
import { changedError, moved, paramError } from "./errors.js";
import { CHUNK_BYTES } from "./instance.js";
import { featureRows } from "./rows.js";

const STEP = 16; // rows of a tile are a multiple of it, where there are as many
const MOST_ROWS = 2 ** 31 - 1;

/**
 * The task (tasks.js) of products of the rows of A with the rows of B. Its unit is a product: a tile begins at the
 * number of products before it, in the order of tiles. `use(core, tile, products)` takes each tile; `result()` ends the
 * task.
 */
class ProductsTask {
  #core;
  #use;

  /** `of` has { core, map, nComponents, cost, signs }. */
  constructor({ core, map, nComponents, cost, signs }, A, B, { use, result }) {
    // Inner products of features times their signs with others are the estimates.
    if (signs) A.values = A.values.map((value, j) => signs[j % signs.length] * value);
    const m = A.values.length / nComponents;
    const n = B.values.length / nComponents;
    Object.assign(this, { maps: [map], A, B, nComponents, cost, result, m, n, rows: m * n,
      lengths: [A.values.length, B.values.length], ...tileOf(m, n, nComponents) });
    this.#core = core;
    this.#use = use;
  }

  /** Does all blocks in this thread. */
  run() {
    for (let start = 0; start < this.rows; start += this.take(start)) this.compute(this.#core, start);
    return this.result();
  }

  take(start) {
    const { m, n } = this.#tile(start);
    return m * n;
  }

  leastMs() {
    return this.cost.msPerRow * this.tileRows * this.tileColumns;
  }

  compute(core, start) {
    const tile = this.#tile(start);
    const products = new Float64Array(tile.m * tile.n);
    try {
      core.products(this.#rows(this.A, tile.a, tile.m), this.#rows(this.B, tile.b, tile.n), this.nComponents, products);
    } catch (error) {
      throw this.moved(error, start);
    }
    this.#use(core, tile, products);
  }

  bytes(start) {
    const { m, n } = this.#tile(start);
    return { input: 4 * (m + n) * this.nComponents, output: 8 * m * n };
  }

  write(input, start) {
    const { a, m, b, n } = this.#tile(start);
    const numbers = new Float32Array(input);
    numbers.set(this.#rows(this.A, a, m));
    numbers.set(this.#rows(this.B, b, n), m * this.nComponents);
    return { task: "products", nComponents: this.nComponents, rows: m, columns: n };
  }

  receive(start, products, output) {
    if (products > 0) this.#use(this.#core, this.#tile(start), new Float64Array(output, 0, products));
  }

  moved(error, start) {
    const { a, b } = this.#tile(start);
    if (error.row === undefined) return error;
    const [{ argument }, first] = error.argument === "A" ? [this.A, a] : [this.B, b];
    return moved(error, { argument, row: first + error.row, rowsDone: undefined });
  }

  failure(error) {
    delete error.rowsDone;
    return error;
  }

  changed() {
    const changed = [this.A, this.B].find(({ values }, i) => values.length !== this.lengths[i]);
    return changed ? changedError(changed.argument, changed.values) : null;
  }

  doing(start) {
    const { a, m, b, n } = this.#tile(start);
    return `multiplied rows ${a} to ${a + m - 1} by rows ${b} to ${b + n - 1}`;
  }

  #rows({ values }, from, count) {
    return values.subarray(from * this.nComponents, (from + count) * this.nComponents);
  }

  /** Returns the tile that begins at a number of products: its first rows a and b, and its numbers of rows m and n. */
  #tile(start) {
    const a = Math.floor(start / (this.tileRows * this.n)) * this.tileRows;
    const m = Math.min(this.tileRows, this.m - a);
    const b = (start - a * this.n) / m;
    return { a, m, b, n: Math.min(this.tileColumns, this.n - b) };
  }
}

/** Returns the rows and columns of a tile that fits a chunk, nearly square where it can be. */
function tileOf(m, n, nComponents) {
  const most = (others) => wholeSteps((CHUNK_BYTES - 4 * others * nComponents) / (4 * nComponents + 8 * others));
  const side = wholeSteps((Math.sqrt(nComponents ** 2 + CHUNK_BYTES / 2) - nComponents) / 2);
  const tileColumns = Math.min(n, m < side ? most(m) : side);
  const tileRows = Math.min(m, n < side ? most(n) : side);
  return { tileRows, tileColumns };
}

function wholeSteps(rows) {
  return rows < STEP ? Math.max(1, Math.floor(rows)) : Math.floor(rows / STEP) * STEP;
}

/** Returns the task of all products, m × n. */
export function gramTask(of, A, B) {
  const { nComponents } = of;
  const m = featureRows(A, nComponents, "A"), n = featureRows(B, nComponents, "B");
  const out = newMatrix(Float64Array, m, n);
  return new ProductsTask(of, { argument: "A", values: A }, { argument: "B", values: B }, {
    use(core, tile, products) {
      for (let i = 0; i < tile.m; i++) {
        out.set(products.subarray(i * tile.n, (i + 1) * tile.n), (tile.a + i) * n + tile.b);
      }
    },
    result: () => out,
  });
}

/** Returns the task of the k rows of Z with the largest products with each row of q. */
export function nearestTask(of, Z, q, k) {
  const { nComponents } = of;
  const n = featureRows(Z, nComponents, "Z");
  const queries = featureRows(q, nComponents, "q");
  if (!Number.isInteger(k) || k < 1) throw paramError("k", "be a number of rows, an integer ≥ 1", k);
  if (n > MOST_ROWS) throw paramError("Z", `have at most ${MOST_ROWS} rows`, n);
  k = Math.min(k, n);
  const rows = newMatrix(Int32Array, queries, k);
  const estimates = newMatrix(Float64Array, queries, k);
  const rankings = new Map(); // by the first query of a tile
  return new ProductsTask(of, { argument: "q", values: q }, { argument: "Z", values: Z }, {
    use(core, tile, products) {
      if (!rankings.has(tile.a)) {
        const part = (list) => list.subarray(tile.a * k, (tile.a + tile.m) * k);
        rankings.set(tile.a, { queries: tile.m, k, count: 0, rows: part(rows), estimates: part(estimates) });
      }
      core.rank(rankings.get(tile.a), tile.b, products);
    },
    result() {
      for (const ranking of rankings.values()) of.core.sortRanking(ranking);
      return { rows, estimates };
    },
  });
}

// The functions of tensorsketch.host.wasm in DuckDB for Node (docs/sql.md): each takes a chunk of rows in the format
// RowBinary, as ClickHouse gives it.
import { BLOB, DOUBLE, DuckDBScalarFunction, FLOAT, LIST, VARCHAR, blobValue, listValue } from "@duckdb/node-api";

const TABLE = [VARCHAR, LIST(LIST(FLOAT)), LIST(VARCHAR)], ROW = [VARCHAR, LIST(FLOAT)];
const FUNCTIONS = {
  tensorsketch_spec: [TABLE, VARCHAR],
  tensorsketch_spec_of: [[BLOB], VARCHAR],
  tensorsketch_sums: [TABLE, BLOB],
  tensorsketch_merge: [[LIST(BLOB)], BLOB],
  tensorsketch_fit: [[BLOB, VARCHAR], VARCHAR],
  tensorsketch_features: [ROW, LIST(FLOAT)],
  tensorsketch_predict: [ROW, VARCHAR],
  tensorsketch_scores: [ROW, LIST(DOUBLE)],
  tensorsketch_probabilities: [ROW, LIST(DOUBLE)],
};

/** Makes the functions of the module, its bytes, in a connection. A row with NULL has the result NULL. */
export function registerCore(connection, wasm) {
  const core = new Core(wasm);
  for (const [name, [parameterTypes, returnType]] of Object.entries(FUNCTIONS)) {
    const mainFunction = (info, input, output) => {
      try {
        const columns = parameterTypes.map((_, i) => input.getColumnVector(i));
        const places = Array.from({ length: input.rowCount }, (_, row) => row)
          .filter((row) => columns.every((column) => column.validity.itemValid(row)));
        const block = new Writer();
        const readsOnce = name === "tensorsketch_sums" || parameterTypes === ROW; // a Spec or a model
        for (const row of places) {
          for (const [i, column] of columns.entries()) block.value(column, row, readsOnce && i === 0);
        }
        const read = reader(core.call(name, block.bytes(), places.length), returnType);
        const results = new Map(places.map((row) => [row, read()]));
        for (let row = 0; row < input.rowCount; row++) output.setItem(row, results.get(row) ?? null);
        output.flush();
      } catch (e) {
        info.setError(`${name}: ${e.message}`);
      }
    };
    connection.registerScalarFunction(
      DuckDBScalarFunction.create({ name, returnType, parameterTypes, mainFunction }));
  }
}

// A Core is an instance of the module, called by ClickHouse's convention BUFFERED_V1 (packaging/host.md).
class Core {
  constructor(wasm) {
    this.exports = new WebAssembly.Instance(new WebAssembly.Module(wasm)).exports;
  }

  // content returns the bytes of a buffer.
  content(handle) {
    const { buffer } = this.exports.memory;
    const [at, size] = new Uint32Array(buffer, handle >>> 0, 2);
    return new Uint8Array(buffer, at, size);
  }

  take(handle) {
    const bytes = this.content(handle).slice();
    this.exports.clickhouse_destroy_buffer(handle);
    return bytes;
  }

  call(name, block, rows) {
    const handle = this.exports.clickhouse_create_buffer(block.length);
    if (handle === 0) throw new Error(`${block.length} bytes of arguments do not fit into the memory: give fewer rows`);
    this.content(handle).set(block);
    const results = this.exports[name](handle, rows);
    this.exports.clickhouse_destroy_buffer(handle);
    if (results === 0) throw new Error(new TextDecoder().decode(this.take(this.exports.tensorsketch_last_error())));
    return this.take(results);
  }
}

// A Writer writes a block in the format RowBinary.
class Writer {
  #bytes = new Uint8Array(1 << 16);
  #n = 0;
  #last; // text of the row before

  bytes() {
    return this.#bytes.subarray(0, this.#n);
  }

  // value writes a value of a column. One that is read once, and that the row before has, is written as an empty text.
  value(column, row, isReadOnce) {
    if (column.childVector !== undefined) {
      this.#list(column.childVector, column.getEntryOffset(row), column.getEntryLength(row));
      return;
    }
    const bytes = bytesOf(column, row);
    if (isReadOnce && bytes.length === 0) throw new Error("the first argument is an empty text");
    const isLast = isReadOnce && this.#last !== undefined && Buffer.compare(bytes, this.#last) === 0;
    this.#content(isLast ? new Uint8Array() : bytes);
    if (isReadOnce) this.#last = bytes;
  }

  #list(of, from, n) {
    if (of.items instanceof Float32Array) {
      const numbers = of.items.slice(from, from + n);
      for (let i = 0; i < n; i++) if (!of.validity.itemValid(from + i)) numbers[i] = NaN; // a missing number
      this.#content(new Uint8Array(numbers.buffer), n);
      return;
    }
    this.#length(n);
    for (let i = from; i < from + n; i++) {
      if (!of.validity.itemValid(i)) throw new Error(`item ${i - from + 1} of a list is NULL: filter such rows first`);
      if (of.childVector !== undefined) this.#list(of.childVector, of.getEntryOffset(i), of.getEntryLength(i));
      else this.#content(bytesOf(of, i));
    }
  }

  #content(bytes, n = bytes.length) {
    this.#length(n);
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#n);
    this.#n += bytes.length;
  }

  // #length writes a length: seven bits in each byte, lowest first.
  #length(n) {
    this.#room(5);
    for (; n > 127; n = Math.floor(n / 128)) this.#bytes[this.#n++] = (n % 128) + 128;
    this.#bytes[this.#n++] = n;
  }

  #room(more) {
    if (this.#n + more <= this.#bytes.length) return;
    const larger = new Uint8Array(2 * (this.#n + more));
    larger.set(this.bytes());
    this.#bytes = larger;
  }
}

// bytesOf returns the bytes of a text or BLOB.
const bytesOf = (column, row) => column.getItemBytes?.(row) ?? Buffer.from(column.getItem(row));

// reader returns a function that reads the next result of a block.
function reader(block, type) {
  let at = 0;
  const length = () => {
    let n = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = block[at++];
      n += (byte % 128) * unit;
      if (byte < 128) return n;
    }
  };
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength);
  return () => {
    const n = length();
    if (type === BLOB || type === VARCHAR) {
      const bytes = block.subarray(at, (at += n));
      return type === BLOB ? blobValue(bytes) : new TextDecoder().decode(bytes);
    }
    const isFloat = type.valueType === FLOAT;
    return listValue(Array.from({ length: n }, () => {
      const number = isFloat ? view.getFloat32(at, true) : view.getFloat64(at, true);
      at += isFloat ? 4 : 8;
      return number;
    }));
  };
}

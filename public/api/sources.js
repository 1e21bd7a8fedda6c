// What a Dataset reads: a file by its path, bytes, a text, rows, or an object that reads at any place. What comes in
// parts, such as a Response, is taken whole first.

import { drop } from "./buffers.js";
import { checkSignal, orAborted, show } from "./errors.js";
import { isClass, isForm } from "./records.js";

const READ_BYTES = 1 << 20; // read at a time if one part follows the other
const APART_BYTES = 64 << 10; // read at a time if not, as in columns and record batches
const LATER = ["Blob", "File", "Response", "ReadableStream", "Promise"];

/** The error of a source whose file is written to while it is read. */
export const hasChanged = /* @__PURE__ */
  new Error("its size or its time of modification is another than when it was opened");

/** Returns the description of a source that calls of dataset.wasm take. */
export function fileOf(source) {
  if (!Number.isInteger(source?.id)) {
    throw new TypeError(`source must be what dataset.source(file) returns, got ${show(source)}`);
  }
  const { id, size, name, rows } = source;
  return { source: id, size, name, ...(rows && { rows }) };
}

/** Returns the last part of a path or address, or the name of a File, or "data". */
export function nameOf(file) {
  const lastOf = (path) => path.replace(/^.*[/\\]/, "");
  if (file instanceof URL) return decoded(lastOf(file.pathname)) || "data";
  if (isClass(file, "Response")) return decoded(lastOf(new URL(file.url, "x:/").pathname)) || "data";
  if (typeof file === "string") return isText(file) ? "data" : lastOf(file);
  return file?.name ?? "data";
}

function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** Returns { size, read(at, into), close() } for any kind of file. `fs` is Node's module. */
export function readerOf(file, fs) {
  if (isRandomAccess(file)) return file;
  if (isText(file)) return readerOfBytes(new TextEncoder().encode(file));
  if (typeof file === "string" && file !== "" || file instanceof URL) return readerOfPath(file, fs);
  if (areRows(file)) return readerOfBytes(new TextEncoder().encode(toJSON(isForm(file) ? [file] : file)));
  if (isClass(file, "ArrayBuffer") || isClass(file, "SharedArrayBuffer") || areBytes(file)) {
    return readerOfBytes(bytesOf(file));
  }
  if (isBlob(file) && typeof FileReaderSync !== "undefined") return readerOfBlob(file, new FileReaderSync());
  if (LATER.some((name) => isClass(file, name)) || isSeries(file)) {
    throw new TypeError(`file must be at hand, got ${show(file)}: take await dataset.sourceAsync(file)` +
      (isBlob(file) ? ", or read it in a worker of a browser" : ""));
  }
  throw new TypeError("file must be a File, bytes, a path or file: URL, a text of more than one line, an array of " +
    `rows or an object with size and read, got ${show(file)}${remedyOf(file)}`);
}

/** Returns the bytes of a buffer or a view of one. Throws where the buffer is gone. */
function bytesOf(file) {
  try {
    return new Uint8Array(file.buffer ?? file, file.byteOffset, file.byteLength);
  } catch {
    throw new TypeError("file must keep its buffer, got one that was transferred: transfer a copy of it");
  }
}

/** Returns how rows that are no array become one. */
function remedyOf(file) {
  if (isClass(file, "Object") || isClass(file, "Map")) return ": take [row] if it is a row";
  return typeof file?.[Symbol.iterator] === "function" && !ArrayBuffer.isView(file) && file !== ""
    ? ": take [...rows]" : "";
}

/** Returns a promise of a file, and of what readerOf takes of it. It rejects as soon as the signal is aborted. */
export async function awaited(file, signal) {
  checkSignal(signal);
  const given = await orAborted(Promise.resolve(file), signal);
  return [given, await orAborted(whole(given, signal), signal)];
}

/** Returns a promise of what readerOf takes: the content of a file that is read by and by, or the file itself. */
async function whole(file, signal) {
  if (isClass(file, "Response")) {
    const { ok, status, statusText } = file;
    if (!ok) throw new TypeError(`file must be an answer with a file, got ${status} ${statusText}`.trim());
    return file.body ? joined(partsOf(unread(file.body, file), signal), signal) : new Uint8Array(0);
  }
  if (isBlob(file)) return typeof FileReaderSync === "undefined" ? new Uint8Array(await file.arrayBuffer()) : file;
  if (isClass(file, "ReadableStream")) return joined(partsOf(unread(file), signal), signal);
  return isSeries(file) ? joined(file, signal) : file;
}

/** Returns a stream, which may be the body of an answer, if it can still be read. */
function unread(stream, { bodyUsed = false } = {}) {
  if (!bodyUsed && !stream.locked) return stream;
  throw new TypeError(`file must be a stream that nobody reads, or has read (locked or used), got ${show(stream)}`);
}

/** The parts of a stream, cancelled when the signal is or was aborted. Not every browser can iterate over a stream. */
export function partsOf(stream, signal) {
  const reader = stream.getReader();
  const cancel = () => reader.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener("abort", cancel);
  if (signal?.aborted) cancel();
  return (async function* () {
    try {
      for (let part = await reader.read(); !part.done; part = await reader.read()) yield part.value;
    } finally {
      signal?.removeEventListener("abort", cancel);
      await cancel();
    }
  })();
}

/**
 * Returns the bytes of all parts, which are bytes or texts, or an array of them if they are rows. Memory of a part may
 * be used again for the next one, and one text may end within a letter.
 */
async function joined(parts, signal) {
  const all = [];
  let count = 0;
  for await (const part of parts) {
    signal?.throwIfAborted();
    if (!["string", "object"].includes(typeof part)) {
      throw new TypeError(`file part ${count} must be bytes, a text or a row, got ${show(part)}`);
    }
    if (typeof part === "string" && typeof all.at(-1) === "string") all.push(all.pop() + part);
    else all.push(copyOf(part));
    count++;
  }
  const isRow = (part) => typeof part === "object" && !areBytes(part) && !isClass(part, "ArrayBuffer");
  if (all.length > 0 && all.every(isRow)) return all;
  if (all.some(isRow)) throw new TypeError("file parts must be bytes and texts, or rows, and not both");
  return new Uint8Array(await new Blob(all).arrayBuffer());
}

function copyOf(part) {
  if (isClass(part, "ArrayBuffer")) return part.slice(0);
  if (!ArrayBuffer.isView(part)) return part;
  const { buffer, byteOffset, byteLength } = part;
  if (part.BYTES_PER_ELEMENT > 1) return Object.getPrototypeOf(Uint8Array.prototype).slice.call(part); // of numbers
  return Uint8Array.prototype.slice.call(new Uint8Array(buffer, byteOffset, byteLength));
}

const isRandomAccess = (file) => typeof file?.read === "function" && typeof file.size === "number";
const isSeries = (file) => typeof file?.[Symbol.asyncIterator] === "function" && !isRandomAccess(file);
const isText = (file) => typeof file === "string" && /[\n\r]/.test(file); // no path has a line break
const isBlob = (file) => isClass(file, "Blob") || isClass(file, "File");

/** Reports whether a file is rows: an array, or a form, which is one row. */
export const areRows = (file) => Array.isArray(file) || isForm(file);

const areBytes = (value) => ArrayBuffer.isView(value) && (value.BYTES_PER_ELEMENT ?? 1) === 1;

/**
 * Returns rows as JSON: objects or lists of numbers. NaN is missing, and infinities and functions are texts. Messages
 * count rows from 1, as dataset.wasm does.
 */
function toJSON(rows) {
  const bad = rows.findIndex((row) => typeof row !== "object" || row === null);
  if (bad >= 0) {
    throw new TypeError(`file, row ${bad + 1}, must be an object of columns or an array of numbers, got ` +
      show(rows[bad]));
  }
  const objects = rows.map(objectOf);
  try {
    return JSON.stringify(objects, asJSON);
  } catch (error) {
    throw unwritable(objects) ?? error;
  }
}

function asJSON(_, value) {
  const isText = value === Infinity || value === -Infinity || ["function", "symbol"].includes(typeof value);
  if (isText) return String(value); // which is no number, and not missing
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  return ArrayBuffer.isView(value) ? Array.from(value) : value;
}

/** Returns the error of the first cell that JSON cannot hold, such as an object that refers to itself. */
function unwritable(rows) {
  for (const [at, row] of rows.entries()) {
    for (const [key, value] of Object.entries(row)) {
      try {
        JSON.stringify(value, asJSON);
      } catch ({ message }) {
        return new TypeError(`file, row ${at + 1}, key ${show(key)}, must be a number, a text, true, false or a ` +
          `Date, got ${show(value)}, which JSON cannot hold (${message.split("\n", 1)}): leave the key out`);
      }
    }
  }
  return undefined;
}

/** Returns a row of a form or a Map as an object. */
function objectOf(row, at) {
  if (!isForm(row) && !isClass(row, "Map")) return row;
  const object = {};
  for (const [key, value] of row) {
    const want = Object.hasOwn(object, key) ? "have one value: delete the others"
      : isBlob(value) ? "be a text, and is a file: delete the key" : "";
    if (want) throw new TypeError(`file, row ${at + 1}, key ${show(key)}, must ${want}`);
    Object.defineProperty(object, key, { value, enumerable: true });
  }
  return object;
}

function readerOfBytes(bytes) {
  return {
    size: bytes.length,
    read(at, into) {
      const part = bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
  };
}

/** A reader of a Blob in a worker, where `wait` is a FileReaderSync. */
function readerOfBlob(file, wait) {
  let from = 0;
  let bytes = new Uint8Array(0); // the bytes of the file from there on
  return {
    size: file.size,
    read(at, into) {
      if (at < from || at >= from + bytes.length) {
        const isNext = at === from + bytes.length;
        drop([bytes.buffer]);
        bytes = new Uint8Array(0); // also if the next line throws
        const more = isNext ? READ_BYTES : APART_BYTES;
        bytes = new Uint8Array(wait.readAsArrayBuffer(file.slice(at, at + Math.max(into.length, more))));
        from = at;
      }
      const part = bytes.subarray(at - from, at - from + into.length);
      into.set(part);
      return part.length;
    },
  };
}

function readerOfPath(path, fs) {
  if (path instanceof URL ? path.protocol !== "file:" : /^(https?|blob|data):/i.test(path)) {
    throw new TypeError(`file must be at hand, got ${path}: give what the server answers, a Response, to ` +
      "await dataset.sourceAsync(response)");
  }
  if (!fs) {
    throw new TypeError("file must be a File, in a worker, or bytes, as only Node reads paths, got " +
      show(String(path)));
  }
  const descriptor = fs.openSync(path);
  const stat = () => fs.fstatSync(descriptor, { bigint: true });
  const first = stat(), { size, mtimeNs } = first;
  if (first.isDirectory()) {
    fs.closeSync(descriptor);
    throw new TypeError(`file must be no folder, got ${show(String(path))}`);
  }
  return {
    size: Number(size),
    read(at, into) {
      const n = fs.readSync(descriptor, into, 0, into.length, at);
      const now = stat(); // after reading: a writer changes the time first
      if (now.size !== size || now.mtimeNs !== mtimeNs) throw hasChanged;
      return n;
    },
    close: () => fs.closeSync(descriptor),
  };
}

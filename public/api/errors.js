// The one error class, and the wording of its messages.

/**
 * Every error that this library throws. The message names the argument, a valid value and the given one; `code` is
 * stable.
 */
export class TensorSketchError extends Error {
  constructor(code, message, where = {}) {
    super(message);
    this.code = code;
    for (const key of ["argument", "row", "column", "rowsDone"]) {
      // Safari and Bun set the script's column there
      if (where[key] !== undefined || key in this) this[key] = where[key];
    }
  }

  get name() {
    return "TensorSketchError";
  }
}

/** Returns an error as a plain object that a worker can send; fromPlain is the inverse. */
export function toPlain(error) {
  if (!(error instanceof TensorSketchError)) {
    return { code: "ERR_INTERNAL", message: `internal error: a worker failed: ${error.message}` };
  }
  return { ...error, message: error.message, rest: rests.get(error) };
}

export function fromPlain({ code, message, rest, ...where }) {
  return rest === undefined ? new TensorSketchError(code, message, where) : errorAt(code, where, rest);
}

const rests = new WeakMap(); // the text after the place in messages about a row

/** Returns the text that names a row and, if known, a column of an argument. */
export function placeOf({ argument = "", row, column }) {
  return `${argument} row ${row}${column === undefined ? "" : `, column ${column}`}`;
}

/** Returns an error about a row. `where` is { argument, row, column, rowsDone }; `rest` completes the message. */
export function errorAt(code, where, rest) {
  const error = new TensorSketchError(code, `${placeOf(where)} ${rest}`, where);
  rests.set(error, rest);
  return error;
}

/** Returns a copy of an error about a row with some fields replaced. */
export function moved(error, fields) {
  return errorAt(error.code, { ...error, ...fields }, rests.get(error));
}

/** An error about a parameter or option, with its whole message. */
export function fault(argument, message) {
  return new TensorSketchError("ERR_PARAM", message, { argument });
}

/** An error about a parameter or option: "argument must want, got value". */
export function paramError(argument, want, value) {
  return fault(argument, `${argument} must ${want}, got ${show(value)}`);
}

/** An error about lengths or the layout of an array. */
export function shapeError(argument, want, got) {
  return new TensorSketchError("ERR_SHAPE", `${argument} must ${want}, got ${got}`, { argument });
}

/** An error about an array that was changed while a call used it; `row` says which row of the argument it is. */
export function changedError(argument, values, row) {
  const want = "stay as it is until the call ends";
  const got = Array.isArray(values) ? `length ${values.length}` : "a buffer that was transferred or resized";
  return row === undefined ? shapeError(argument, want, got)
    : rowError("ERR_SHAPE", argument, row, undefined, want, got);
}

/** An error about one row of the input, worded as in the core. */
export function rowError(code, argument, row, column, want, got) {
  return errorAt(code, { argument, row, column }, `must ${want}, got ${got}`);
}

export function disposedError(what) {
  return new TensorSketchError("ERR_DISPOSED",
    `this ${what} has been disposed: ${what === "module" ? "load it again" : "make a new one"}`);
}

/** Reports whether a value is an object. */
export const isObject = (value) => typeof value === "object" && value !== null;

/** Reports whether a value has elements, as an array has. */
export const hasLength = (value) => isObject(value) && Number.isInteger(value.length);

/** Throws ERR_PARAM unless a value is a number. */
export function checkIsNumber(name, value) {
  if (typeof value !== "number") throw paramError(name, "be a number", value);
}

/** Throws ERR_PARAM unless a value is an integer of a range. */
export function checkWhole(name, value, least, most) {
  if (!isWhole(value, least, most)) throw paramError(name, `be an integer from ${least} to ${most}`, value);
}

/** Reports whether a value is an integer of a range. */
export const isWhole = (value, least, most) => Number.isInteger(value) && value >= least && value <= most;

/** Throws ERR_PARAM unless a value is true or false. */
export function checkIsBoolean(name, value) {
  if (typeof value !== "boolean") throw paramError(name, "be true or false", value);
}

export function memoryError(message) {
  return new TensorSketchError("ERR_MEMORY", message);
}

/** Returns the value of an argument, which may also be given as JSON text. */
export function readJSON(argument, from) {
  if (typeof from !== "string") return from;
  try {
    return JSON.parse(from);
  } catch (error) {
    throw fault(argument, `${argument} must be JSON: ${error.message}`);
  }
}

/**
 * Returns the file that an argument holds, parsed or as text. It must be an object of this format and version. `want`
 * is the requirement that the error states.
 */
export function readFile(argument, from, { want, format, version, prepared, others = [] }) {
  const file = readJSON(argument, from);
  if (Object.prototype.toString.call(file) !== "[object Object]") throw paramError(argument, want, file);
  if (file.format !== format) throw paramError(`${argument}.format`, `be "${format}"`, file.format);
  const versions = [version, ...(prepared === undefined ? [] : [prepared]), ...others];
  if (!versions.includes(file.version)) {
    throw paramError(`${argument}.version`, `be ${versions.join(" or ")}, which this release reads`, file.version);
  }
  if (prepared !== undefined && file.version === version && file.preparation !== undefined) {
    const key = `${argument}.preparation`;
    throw fault(key, `${key} is a key of version ${prepared}, got version ${version}`);
  }
  return file;
}

/** Returns a value as text for a message. The text is short, and the function never throws. */
export function show(value) {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "symbol":
      return "a symbol";
    case "object":
      if (value === null) return "null";
      if (Array.isArray(value)) return `an array of length ${value.length}`;
      if (ArrayBuffer.isView(value)) return `${value[Symbol.toStringTag] ?? "DataView"} of ${value.byteLength} bytes`;
      return `an object (${value.constructor?.name ?? "no class"})`;
    default:
      return String(value);
  }
}

/** Returns an object as JSON for a message, or the result of `show` if JSON cannot represent it. */
export function showJSON(value) {
  try {
    return JSON.stringify(value) ?? show(value);
  } catch {
    return show(value);
  }
}

/** Reports whether a value is a typed array of this name, from any realm (frame, vm context). */
export function isTyped(value, name) {
  return ArrayBuffer.isView(value) && value[Symbol.toStringTag] === name;
}

/** Throws ERR_PARAM for a key of `object` that has a value and is not among `known`, naming the nearest one. */
export function rejectUnknownKeys(object, known, what) {
  for (const key of Object.keys(object)) {
    if (known.includes(key) || object[key] === undefined) continue;
    const nearest = nearestName(key, known);
    const hint = nearest ? `; did you mean ${nearest}?` : `; known are ${known.join(", ") || "none"}`;
    throw fault(key, `unknown ${what} ${show(key)}${hint}`);
  }
}

/** Reports whether a value can have options as its keys: no list, no Map, nothing that this library made. */
export const isPlain = (value) => /t (Object|Module)]/.test(Object.prototype.toString.call(value)) &&
  !value.cannotBeCloned;

/** Checks that a value is an object, with known keys only if they are listed, and returns it. */
export function checkObject(argument, value, known, what = `key of ${argument}`) {
  if (!isPlain(value)) throw paramError(argument, "be a plain object", value);
  if (known) rejectUnknownKeys(value, known, what);
  return value;
}

/** Checks that the options of a call are an object with known keys only, and returns them. */
export const checkOptions = (options, known) => checkObject("options", options, known, "option");

/** Returns the known name with the smallest edit distance, ignoring case and punctuation, if it is near. */
function nearestName(name, known) {
  const plain = (s) => s.toLowerCase().replace(/[^a-z0-9]/g, "");
  let best;
  let least = Math.max(2, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(plain(name), plain(candidate));
    if (distance < least) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

/** Levenshtein's distance, one row of the table at a time. */
function editDistance(a, b) {
  let previous = [0, ...b].map((_, j) => j);
  [...a].forEach((letter, i) => {
    const current = [i + 1];
    [...b].forEach((other, j) => {
      current.push(Math.min(previous[j] + Number(letter !== other), previous[j + 1] + 1, current[j] + 1));
    });
    previous = current;
  });
  return previous.at(-1);
}

/** Checks the options of a call that takes time: signal, onProgress and others with these names. Returns them. */
export function checkRunning(options, known = [], others = []) {
  const { signal, onProgress } = checkOptions(options, [...known, "signal", "onProgress", ...others]);
  checkSignal(signal);
  checkCallback(onProgress);
  return options;
}

export function checkSignal(signal) {
  if (signal !== undefined && typeof signal?.throwIfAborted !== "function") {
    throw paramError("signal", "be an AbortSignal", signal);
  }
}

/** Returns a promise that rejects as soon as the signal, if there is one, is aborted. */
export function orAborted(promise, signal) {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal?.aborted) onAbort();
    signal?.addEventListener("abort", onAbort);
    promise.then(resolve, reject).finally(() => signal?.removeEventListener("abort", onAbort));
  });
}

export function checkCallback(callback, name = "onProgress") {
  if (callback !== undefined && typeof callback !== "function") {
    throw paramError(name, "be a function", callback);
  }
}

// One life of dataset.wasm: the running Go program with its exports. It ends if it needs more memory than it may have,
// or by a fault of its own. dataset.js then starts another.

import { goexec } from "./goexec.js";
import { GoProgram } from "./gojs.js";

const PAGE_BYTES = 65536; // of WebAssembly's memory
const MEMORY_SECTION = 5;

/** The globals that dataset.wasm sees: no network API is among them. goexec adds a file system that only prints. */
const visible = () => {
  const { Object, Array, Uint8Array, Float32Array, Float64Array, Int32Array, BigInt, JSON, Date, TextEncoder,
    TextDecoder, crypto, performance } = globalThis;
  return { Object, Array, Uint8Array, Float32Array, Float64Array, Int32Array, BigInt, JSON, Date, TextEncoder,
    TextDecoder, crypto, performance };
};

/**
 * Returns the imports of a program, and what `begin` needs to run it. `host` has the functions that it calls.
 * As with GoProgram, nothing that it prints reaches the console, and its end is an exception.
 */
function prepare(host, maxMemory) {
  const globals = visible();
  const go = new (goexec(globals))();
  // 50: 11 MB for a CSV in place of 14, and no slower. The collector works harder as the heap nears the budget.
  go.env = { GOGC: "50", GOMEMLIMIT: String(Math.floor(0.9 * maxMemory)) };
  const program = new GoProgram();
  for (const name of ["wasmExit", "wasmWrite", "scheduleTimeoutEvent", "clearTimeoutEvent"]) {
    go.importObject.gojs[`runtime.${name}`] = program.imports.gojs[`runtime.${name}`];
  }
  return { go, program, globals, imports: { ...go.importObject, dataset: host } };
}

/**
 * Runs main until it waits for calls. An end is thrown out of the call that it happens in. One that happens in a job,
 * which goes on by itself, is given to `onEnd`.
 */
function begin({ go, program, globals }, instance) {
  program.memory = instance.exports.mem;
  go.run(instance).catch(() => {});
  const running = { exports: instance.exports, memory: instance.exports.mem, program, jobs: globals.jobs, onEnd: null };
  const resume = go._resume;
  go._resume = () => {
    try {
      resume.call(go);
    } catch (error) {
      running.onEnd?.(error);
    }
  };
  return running;
}

/**
 * Starts a program: { exports, memory, program, jobs, onEnd }. `program.text` is what it prints, as before it dies.
 * `jobs` are the functions that wasm/work/jobs.go offers.
 */
export async function startProgram(module, host, maxMemory) {
  const prepared = prepare(host, maxMemory);
  return begin(prepared, await WebAssembly.instantiate(module, prepared.imports));
}

/** Does the same at once. On a page's own thread, browsers refuse that for large files. */
export function restartProgram(module, host, maxMemory) {
  const prepared = prepare(host, maxMemory);
  return begin(prepared, new WebAssembly.Instance(module, prepared.imports));
}

/**
 * Returns a WebAssembly file whose memory cannot grow beyond a number of bytes. Go declares no maximum, and nothing
 * else can refuse it a page.
 */
export function withMaxMemory(bytes, maxMemory) {
  for (let at = 8; at < bytes.length;) {
    const size = readNumber(bytes, at + 1);
    const end = size.end + size.value;
    if (bytes[at] === MEMORY_SECTION) {
      const [count, flags] = bytes.subarray(size.end, end);
      if (count !== 1 || flags !== 0) return bytes; // not as Go writes it
      const least = readNumber(bytes, size.end + 2).value;
      const most = Math.max(least, Math.floor(maxMemory / PAGE_BYTES));
      const content = [1, 1, ...numberBytes(least), ...numberBytes(most)];
      const section = [MEMORY_SECTION, ...numberBytes(content.length), ...content];
      const changed = new Uint8Array(at + section.length + bytes.length - end);
      changed.set(bytes.subarray(0, at));
      changed.set(section, at);
      changed.set(bytes.subarray(end), at + section.length);
      return changed;
    }
    at = end;
  }
  return bytes;
}

/** Reads an unsigned LEB128. */
function readNumber(bytes, at) {
  let value = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = bytes[at++];
    value += (byte & 127) * scale;
    if (!(byte & 128)) return { value, end: at };
  }
}

function numberBytes(n) {
  const bytes = [];
  for (; n >= 128; n = Math.floor(n / 128)) bytes.push((n & 127) | 128);
  return [...bytes, n];
}

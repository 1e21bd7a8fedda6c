// What a core imports that Go's own compiler made: beside program.js what Go's runtime for js/wasm needs.
// After $(go env GOROOT)/lib/wasm/wasm_exec.js of Go 1.27, which names each function's signature.

import { Exit, Program } from "./program.js";

const ARGV_START = 4096; // the linker leaves 4096 … 4096+8192 to the arguments (wasmMinDataAddr)
const ARGV_LIMIT = 4096 + 8192;
const TEXT_LIMIT = 2000; // characters kept of what a dying program prints

/** One run of a core that either compiler made. */
export class GoProgram extends Program {
  constructor() {
    super();
    this.imports.gojs = this.#functions();
  }

  /** Runs main with environment variables, until it waits for calls. A core by TinyGo has no environment. */
  start(exports, env) {
    if (exports._initialize) {
      super.start(exports);
      return;
    }
    this.memory = exports.mem;
    const { argc, argv } = writeArguments(this.memory.buffer, ["tensorsketch"], env);
    exports.run(argc, argv);
  }

  #functions() {
    const view = () => new DataView(this.memory.buffer);
    const setInt64 = (address, value) => view().setBigInt64(address, BigInt(Math.trunc(value)), true);
    const getInt64 = (address) => Number(view().getBigInt64(address, true));
    const decoder = new TextDecoder();
    let lastTimer = 0;
    return {
      "runtime.wasmExit": (sp) => {
        throw new Exit(`the program ended with status ${view().getInt32((sp >>> 0) + 8, true)}`);
      },
      "runtime.wasmWrite": (sp) => {
        sp >>>= 0;
        if (this.text.length >= TEXT_LIMIT) return;
        const bytes = new Uint8Array(this.memory.buffer, getInt64(sp + 16), view().getInt32(sp + 24, true));
        this.text += decoder.decode(bytes);
      },
      "runtime.resetMemoryDataView": () => {}, // every access here makes its view anew
      "runtime.nanotime1": (sp) => {
        setInt64((sp >>> 0) + 8, (performance.timeOrigin + performance.now()) * 1e6);
      },
      "runtime.walltime": (sp) => {
        sp >>>= 0;
        const now = Date.now();
        setInt64(sp + 8, now / 1000);
        view().setInt32(sp + 16, (now % 1000) * 1e6, true);
      },
      // Only the runtime's own background work sets timers, and it looks at them again in the next call;
      // to resume the program for one would need syscall/js.
      "runtime.scheduleTimeoutEvent": (sp) => view().setInt32((sp >>> 0) + 16, ++lastTimer, true),
      "runtime.clearTimeoutEvent": () => {},
      "runtime.getRandomData": (sp) => {
        sp >>>= 0;
        crypto.getRandomValues(new Uint8Array(this.memory.buffer, getInt64(sp + 8), getInt64(sp + 16)));
      },
    };
  }
}

/** Writes argv and envp as the runtime reads them: zero-terminated strings, then two lists of 64-bit pointers. */
function writeArguments(buffer, args, env) {
  const view = new DataView(buffer);
  const encoder = new TextEncoder();
  let offset = ARGV_START;
  const place = (text) => {
    const pointer = offset;
    const bytes = encoder.encode(`${text}\0`);
    new Uint8Array(buffer).set(bytes, offset);
    offset = Math.ceil((offset + bytes.length) / 8) * 8;
    return pointer;
  };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const pointers = [...args.map(place), 0, ...variables.map(place), 0];
  const argv = offset;
  for (const pointer of pointers) {
    view.setBigUint64(offset, BigInt(pointer), true);
    offset += 8;
  }
  if (offset > ARGV_LIMIT) throw new RangeError("arguments and environment exceed 8192 bytes");
  return { argc: args.length, argv };
}

// For bun build --compile: one program with the core in it.

import file from "tensorsketch/tensorsketch.wasm" with { type: "file" };
import { load } from "tensorsketch";
import { runCore, tell } from "./core.js";

tell(runCore(load, { wasmBinary: await Bun.file(file).arrayBuffer() }));

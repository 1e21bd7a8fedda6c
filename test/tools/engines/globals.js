// What the tests and the library `assert` take for globals.

export { Buffer } from "buffer/";
export { process } from "./web.js";

// Keys: 32 secret bytes instead of a seed. deriveKey makes them from a passphrase.

import { isTyped, paramError, TensorSketchError } from "./errors.js";

const KEY_BYTES = 32;
const LEAST_SALT_BYTES = 16; // NIST SP 800-132, section 5.1
const LEAST_ITERATIONS = 600_000; // OWASP, Password Storage Cheat Sheet, for PBKDF2-HMAC-SHA-256
const MOST_ITERATIONS = 2 ** 31 - 1;

export async function deriveKey(passphrase, salt, iterations = LEAST_ITERATIONS) {
  if (typeof passphrase !== "string" || passphrase === "" || /\p{Surrogate}/u.test(passphrase)) {
    throw secretError("passphrase", "be well-formed text that is not empty", passphrase);
  }
  if (!isTyped(salt, "Uint8Array") || salt.length < LEAST_SALT_BYTES) {
    throw paramError("salt", `be a Uint8Array of at least ${LEAST_SALT_BYTES} bytes, such as crypto.getRandomValues gives once, to be kept beside the model`, salt);
  }
  if (!Number.isInteger(iterations) || iterations < LEAST_ITERATIONS || iterations > MOST_ITERATIONS) {
    throw paramError("iterations", `be an integer from ${LEAST_ITERATIONS} to ${MOST_ITERATIONS}`, iterations);
  }
  const { subtle } = globalThis.crypto ?? {};
  if (!subtle) throw new TensorSketchError("ERR_LOAD", "deriveKey needs crypto.subtle, which browsers give to pages from https and localhost only");
  const secret = await subtle.importKey("raw", new TextEncoder().encode(passphrase), "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(await subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt, iterations }, secret, 8 * KEY_BYTES));
}

/** A copy of a key, checked. */
export function readKey(key) {
  if (!isTyped(key, "Uint8Array") || key.length !== KEY_BYTES) {
    throw secretError("key", `be a Uint8Array of ${KEY_BYTES} bytes; deriveKey makes one from a passphrase`, key);
  }
  return Uint8Array.from(key);
}

/** A paramError that does not repeat the value. */
function secretError(argument, want, value) {
  const got = typeof value?.length === "number" ? `${typeof value === "string" ? "a text" : "an array"} of length ${value.length}` : typeof value;
  return new TensorSketchError("ERR_PARAM", `${argument} must ${want}, got ${got}`, { argument });
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g), (hex) => parseInt(hex, 16));
}

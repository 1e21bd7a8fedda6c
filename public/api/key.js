// Keys: 32 secret bytes instead of a seed. deriveKey makes them from a passphrase.

import { checkObject, checkWhole, fault, isObject, isTyped, paramError, TensorSketchError } from "./errors.js";

const KEY_BYTES = 32;
const LEAST_SALT_BYTES = 16; // NIST SP 800-132, section 5.1
const LEAST_ITERATIONS = 600_000; // OWASP, Password Storage Cheat Sheet, for PBKDF2-HMAC-SHA-256
const MOST_ITERATIONS = 2 ** 24; // some ten seconds

export async function deriveKey(passphrase, salt, iterations) {
  if (isObject(salt) && !ArrayBuffer.isView(salt) && !Array.isArray(salt)) {
    if (iterations !== undefined) {
      throw paramError("iterations", "be left out beside the keySalt of a model, which has them", iterations);
    }
    const held = readKeySalt("salt", salt);
    [salt, iterations] = [fromHex(held.salt), held.iterations];
  }
  iterations ??= LEAST_ITERATIONS;
  if (typeof passphrase !== "string" || passphrase === "" || /\p{Surrogate}/u.test(passphrase)) {
    throw secretError("passphrase", "be well-formed text that is not empty", passphrase);
  }
  if (!isTyped(salt, "Uint8Array") || salt.length < LEAST_SALT_BYTES) {
    throw paramError("salt", `be a Uint8Array of at least ${LEAST_SALT_BYTES} bytes, such as crypto.getRandomValues ` +
      `gives once, to be kept in the model, or the keySalt of a model`, salt);
  }
  checkWhole("iterations", iterations, LEAST_ITERATIONS, MOST_ITERATIONS);
  const { subtle } = globalThis.crypto ?? {};
  if (!subtle) {
    throw new TensorSketchError("ERR_LOAD", "deriveKey needs crypto.subtle, which browsers give to pages from " +
      "https and localhost only");
  }
  const secret = await subtle.importKey("raw", new TextEncoder().encode(passphrase), "PBKDF2", false, ["deriveBits"]);
  return new Uint8Array(await subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: Uint8Array.from(salt),
    iterations }, secret,
    8 * KEY_BYTES));
}

/** Checks the part of a model file about a passphrase's key: { salt, iterations }, the salt in hexadecimal digits. */
export function readKeySalt(argument, value) {
  checkObject(argument, value, ["salt", "iterations"]);
  const salt = isTyped(value.salt, "Uint8Array") ? toHex(value.salt) : value.salt;
  if (typeof salt !== "string" || !/^([0-9a-f]{2})+$/.test(salt) || salt.length < 2 * LEAST_SALT_BYTES) {
    throw paramError(`${argument}.salt`, `be at least ${LEAST_SALT_BYTES} bytes, in hexadecimal digits in lower case ` +
      `or a Uint8Array`, value.salt);
  }
  checkWhole(`${argument}.iterations`, value.iterations, LEAST_ITERATIONS, MOST_ITERATIONS);
  return { salt, iterations: value.iterations };
}

/** Checks a key and returns a copy. */
export function readKey(key) {
  if (!isTyped(key, "Uint8Array") || key.length !== KEY_BYTES) {
    throw secretError("key", `be a Uint8Array of ${KEY_BYTES} bytes; deriveKey makes one from a passphrase`, key);
  }
  return Uint8Array.from(key);
}

/** Returns a paramError that does not repeat the value. */
function secretError(argument, want, value) {
  const got = typeof value?.length === "number"
    ? `${typeof value === "string" ? "a text" : "an array"} of length ${value.length}` : typeof value;
  return fault(argument, `${argument} must ${want}, got ${got}`);
}

export function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(digits) {
  return Uint8Array.from(digits.match(/../g), (hex) => parseInt(hex, 16));
}

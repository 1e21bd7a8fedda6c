// The key of a keyed sketch, as typed by the visitor. It stays in this page.

import { deriveKey, fromHex, toHex } from "../api/key.js";

const ITERATIONS = 600_000;

/**
 * Returns { key, keySalt }: 32 bytes from 64 hexadecimal digits, or from a passphrase with a salt in hexadecimal
 * digits, and the model file's record of the passphrase. A model may have more iterations.
 */
export async function keyOf(text, salt, iterations = ITERATIONS) {
  if (/^[0-9a-f]{64}$/i.test(text)) return { key: fromHex(text) };
  if (!/^([0-9a-f]{2}){16,}$/i.test(salt)) {
    throw new Error("the salt must be at least 32 hexadecimal digits, an even number of them: press New salt, or " +
      "paste the one of the model");
  }
  const keySalt = { salt: salt.toLowerCase(), iterations };
  return { key: await deriveKey(text, keySalt), keySalt };
}

export const newSalt = () => toHex(crypto.getRandomValues(new Uint8Array(16)));

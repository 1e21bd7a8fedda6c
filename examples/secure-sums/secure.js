// Secure sums in JavaScript, as package privacy/secure has them in Go, with the same bytes: several parties learn one
// model, and nobody sees the sums of one (docs/privacy.md, "Secure sums"). It needs WebCrypto with X25519.

const MIN_PARTIES = 3, HEAD = 48, SEED = 32, PAIR = 40;
const text = new TextEncoder();
const { subtle } = globalThis.crypto;

/** A party for one round: { publicKey, privateKey, own }. */
export async function newParty() {
  const { publicKey, privateKey } = await subtle.generateKey("X25519", false, ["deriveBits"]);
  const own = crypto.getRandomValues(new Uint8Array(SEED));
  return { publicKey: new Uint8Array(await subtle.exportKey("raw", publicKey)), privateKey, own };
}

/** What all parties share: the text of the Spec, and their public keys in any order. */
export async function newRound(spec, publicKeys) {
  const keys = publicKeys.toSorted(compare);
  if (keys.length < MIN_PARTIES) {
    throw new Error(`keys must be of at least ${MIN_PARTIES} parties, got ${keys.length}: ` +
      "of two, each would learn the other's sums");
  }
  keys.forEach((key, i) => {
    if (key.length !== 32) throw new Error(`keys must be public keys of X25519 of 32 bytes, got ${key.length} bytes`);
    if (i > 0 && compare(key, keys[i - 1]) === 0) throw new Error("keys must differ: each party joins once");
  });
  const bytes = text.encode(spec);
  const all = join(text.encode("tensorsketch secure sums 1"), number(bytes.length), bytes, ...keys);
  return { keys, session: new Uint8Array(await subtle.digest("SHA-256", all)) };
}

/** The masked sums of a learner's file, `learner.toBytes()`. A party masks once. */
export async function mask(party, round, file) {
  if (party.round) throw new Error("a party masks once in its life: make a new one for other rows");
  const place = placeOf(round, party.publicKey);
  const { words } = read(file);
  await addStream(words, party.own, 1n);
  for (let other = 0; other < round.keys.length; other++) {
    if (other !== place) await addStream(words, await pair(party, round, other), sign(place, other));
  }
  Object.assign(party, { round, place });
  return join(head(round, "TSMASKED", place), new Uint8Array(words.buffer));
}

/** What removes the masks of the parties that are there, by their public keys. It is made once. */
export async function reveal(party, there) {
  const { round, place } = party;
  if (!round) throw new Error("a party reveals seeds after it has masked its sums");
  const places = new Set(there.map((key) => placeOf(round, key)));
  if (places.size < MIN_PARTIES || places.size !== there.length || !places.has(place)) {
    throw new Error(`there must be at least ${MIN_PARTIES} parties with this one, each once, got ${places.size}`);
  }
  const parts = [head(round, "TSREVEAL", place), party.own];
  for (let other = 0; other < round.keys.length; other++) {
    if (!places.has(other)) parts.push(number(other), await pair(party, round, other));
  }
  const out = join(...parts);
  if (party.revealed && compare(party.revealed, out) !== 0) {
    throw new Error("this party has revealed seeds for other parties before: begin a new round");
  }
  return (party.revealed = out);
}

/** The file of a learner with the rows of all parties that are there. `empty` is the file of one without rows. */
export async function open(round, empty, masked, revealed) {
  const { json, words } = read(empty);
  const sums = new Set(), seen = new Set();
  words.fill(0n);
  for (const [i, file] of masked.entries()) {
    const { place, rest } = part(round, `masked[${i}]`, "TSMASKED", file);
    if (rest.length !== 8 * words.length || sums.has(place)) {
      throw new Error(`masked[${i}] must have ${words.length} words, and each party once`);
    }
    sums.add(place);
    new BigUint64Array(rest.buffer).forEach((w, j) => { words[j] += w; });
  }
  for (const [i, file] of revealed.entries()) {
    const { place, rest } = part(round, `revealed[${i}]`, "TSREVEAL", file);
    if (!sums.has(place) || seen.has(place) || rest.length !== SEED + (round.keys.length - sums.size) * PAIR) {
      throw new Error(`revealed[${i}] must be of a party with masked sums, once, about the ` +
        `${round.keys.length - sums.size} that are missing`);
    }
    seen.add(place);
    await addStream(words, rest.slice(0, SEED), -1n);
    for (let at = SEED; at < rest.length; at += PAIR) {
      const other = Number(new DataView(rest.buffer).getBigUint64(at, true));
      if (other >= round.keys.length || sums.has(other)) {
        throw new Error(`revealed[${i}] has a seed of a party that is there`);
      }
      await addStream(words, rest.slice(at + 8, at + PAIR), -sign(place, other));
    }
  }
  if (seen.size !== sums.size || seen.size < MIN_PARTIES) {
    throw new Error(`revealed must be of all ${sums.size} parties with masked sums, at least ${MIN_PARTIES}, ` +
      `got ${seen.size}`);
  }
  return write(json, words);
}

/** The text of the Spec of a learner's file, `learner.toBytes()`: what its rows have no part in. */
export function specOf(file) {
  const { tally, kept, ...spec } = read(file).json;
  return JSON.stringify(spec);
}

// read returns the JSON of a learner's file, and its words: cells that were cut, tallies, and the moments.
function read(file) {
  if (new TextDecoder().decode(file.subarray(0, 8)) !== "TSLEARN2") throw new Error("give what learner.toBytes() gave");
  const size = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(8, true));
  const json = JSON.parse(new TextDecoder().decode(file.subarray(16, 16 + size)));
  if (json.kept !== undefined || json.keep !== undefined || json.classesGiven === false) {
    throw new Error("the learner must have its classes given and keep 0, so that all sums have one form");
  }
  const tally = Uint8Array.from(atob(json.tally ?? ""), (c) => c.charCodeAt(0));
  const bytes = join(number(json.cut ?? 0), tally, file.subarray(16 + size, -8));
  return { json, words: new BigUint64Array(bytes.buffer) };
}

// write returns the file of a learner with other words.
function write(json, words) {
  const bytes = new Uint8Array(words.buffer);
  const tally = atob(json.tally ?? "").length;
  const own = { ...json };
  if (json.cut !== undefined) own.cut = Number(words[0]);
  if (tally > 0) own.tally = btoa(String.fromCharCode(...bytes.subarray(8, 8 + tally)));
  let json8 = JSON.stringify(own);
  json8 += " ".repeat(-text.encode(json8).length & 7);
  const encoded = text.encode(json8);
  const all = join(text.encode("TSLEARN2"), number(encoded.length), encoded, bytes.subarray(8 + tally));
  return join(all, number(crc32(all)));
}

// crc32 returns the checksum at the end of the file, as in gzip.
function crc32(bytes) {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

// pair returns the seed that a party shares with another.
async function pair(party, round, other) {
  const key = await subtle.importKey("raw", round.keys[other], "X25519", false, []);
  const secret = await subtle.deriveBits({ name: "X25519", public: key }, party.privateKey, 256);
  const material = await subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  return new Uint8Array(await subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt: round.session,
    info: text.encode("tensorsketch secure sums 1: pair") }, material, 256));
}

// addStream adds the words of a seed's stream, or takes them away: AES-256-CTR of zeros, its counter from 0.
async function addStream(words, seed, sign) {
  const key = await subtle.importKey("raw", seed, "AES-CTR", false, ["encrypt"]);
  const stream = await subtle.encrypt({ name: "AES-CTR", counter: new Uint8Array(16), length: 64 }, key,
    new Uint8Array(8 * words.length));
  new BigUint64Array(stream).forEach((w, i) => { words[i] += sign * w; });
}

const sign = (place, other) => (place < other ? 1n : -1n);

function placeOf(round, key) {
  const place = round.keys.findIndex((other) => compare(other, key) === 0);
  if (place < 0) throw new Error(`a key must be one of the ${round.keys.length} of this round`);
  return place;
}

// part returns the place of a file's party and what follows.
function part(round, what, magic, file) {
  if (file.length < HEAD || new TextDecoder().decode(file.subarray(0, 8)) !== magic) {
    throw new Error(`${what} must be what a party of this round made, got ${file.length} other bytes`);
  }
  if (compare(file.subarray(8, 40), round.session) !== 0) {
    throw new Error(`${what} must be of this round: its party had another Spec, or other keys`);
  }
  const place = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(40, true));
  if (place >= round.keys.length) {
    throw new Error(`${what} must be of one of ${round.keys.length} parties, got ${place}`);
  }
  return { place, rest: file.slice(HEAD) };
}

const head = (round, magic, place) => join(text.encode(magic), round.session, number(place));

function number(n) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(n), true);
  return bytes;
}

function join(...parts) {
  const out = new Uint8Array(parts.reduce((n, { length }) => n + length, 0));
  let at = 0;
  for (const bytes of parts) {
    out.set(bytes, at);
    at += bytes.length;
  }
  return out;
}

function compare(a, b) {
  for (let i = 0; i < Math.min(a.length, b.length); i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

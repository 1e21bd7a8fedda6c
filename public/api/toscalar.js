// Makes the scalar file of a core from the other one and from what differs, as tools/difference has written it. Only an
// engine without SIMD fetches this module.

/** Returns the bytes that a module of a difference, from an address, makes of a file. */
export function change(file, { module, from: address }) {
  const steps = new Uint8Array(WebAssembly.Module.customSections(module, "difference")[0] ?? 0);
  let at = 0;
  const number = () => {
    for (let n = 0, shift = 0; ; shift += 7) {
      n |= (steps[at] & 127) << shift;
      if (!(steps[at++] & 128)) return n >>> 0;
    }
  };
  const made = new Uint8Array(number()), sum = number();
  let to = 0, from = 0, count, bits;
  while (at < steps.length) {
    count = number();
    made.set(steps.subarray(at, at += count), to);
    to += count;
    from += count;
    count = number();
    bits = number();
    from += bits >>> 1 ^ -(bits & 1);
    made.set(file.subarray(from, from += count), to);
    to += count;
  }
  const checksum = made.reduce((sum, byte) => Math.imul(sum ^ byte, 16777619), 0x811c9dc5);
  if (checksum >>> 0 !== sum) throw new Error(`it is not the file that ${address} changes`);
  return made;
}

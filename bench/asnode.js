// What ../shared/peers/pffft_sketch.mjs takes from Node, for a page: pffft.html maps Node's modules to this one. The
// arguments are in the address after #, with commas, and what the program prints goes into the body.

globalThis.process = { argv: ["node", "program", ...location.hash.slice(1).split(",")], cwd: () => location.origin };
console.log = (text) => { document.body.dataset.result = text; };

function join(...parts) {
  return parts.join("/");
}

/** The bytes of a file beside the page, at once, as the program wants them. */
function readFileSync(address) {
  const request = new XMLHttpRequest();
  request.open("GET", address, false);
  request.overrideMimeType("text/plain; charset=x-user-defined"); // each byte is the low half of a character
  request.send();
  return Uint8Array.from(request.responseText, (character) => character.charCodeAt(0) & 255);
}

export default { join, readFileSync };
export function createRequire() {}
export const pathToFileURL = (address) => address;

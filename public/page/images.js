// Turns images into rows: the browser decodes them, then they are scaled and made grey. The result is a CSV table,
// which is read like any other.

const MAX_PIXELS = 50_000_000; // of an image before scaling
const MAX_IMAGES = 200_000;
const MAX_SIDE = 256;
const MAX_TABLE_PIXELS = 100_000_000; // of all rows
const MAX_NAMED = 20; // images left out that are named
const HEAD = 256 << 10; // bytes searched for the size of a JPEG

/** Reports whether a file is an image of a supported format, by its first bytes. */
export async function isImage(file) {
  const head = new Uint8Array(await file.slice(0, 8).arrayBuffer());
  return isPNG(head) || isJPEG(head);
}

const isPNG = (b) => [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a].every((byte, i) => b[i] === byte);
const isJPEG = (b) => b[0] === 0xff && b[1] === 0xd8 && b[2] === 0xff;

/**
 * Returns the images as one CSV file: the grey of each pixel from 0 (black) to 255, row by row from the top left, and a
 * column `file` with the names. The rows are in the order of the names. The result is { file, unused, problem }:
 * `unused` has a sentence for each image that is left out, and `problem` is all of them as one text.
 * `onProgress(done, of)` may return false to stop; the result is then null.
 */
export async function imagesToRows(files, { width = 28, height = 28, onProgress } = {}) {
  checkSide("width", width);
  checkSide("height", height);
  if (files.length > MAX_IMAGES) throw new Error(`${files.length} images are more than ${MAX_IMAGES}: choose fewer`);
  if (files.length * width * height > MAX_TABLE_PIXELS) {
    throw new Error(`${files.length} images of ${width} × ${height} pixels are too many for the memory: choose ` +
      `fewer, or a smaller size`);
  }
  const sorted = [...files].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true, colorSpace: "srgb" });
  const names = Array.from({ length: width * height }, (_, i) => `y${Math.floor(i / width)}x${i % width}`);
  const lines = [`${names.join()},file\n`];
  const unused = [];
  for (const [i, file] of sorted.entries()) {
    try {
      lines.push(`${(await greys(file, context)).join()},${quoted(file.name)}\n`);
    } catch (error) {
      unused.push(`${file.name}: ${error.message}.`);
    }
    if (onProgress?.(i + 1, sorted.length) === false) return null;
  }
  if (lines.length === 1) throw new Error(problemOf(unused) || "no image was chosen: choose some");
  const file = new File(lines, sorted.length === 1 ? `${sorted[0].name}.csv` : "images.csv",
    { lastModified: newest(sorted) });
  return { file, unused, problem: problemOf(unused) };
}

/** Returns one text that names the images left out and the problem of each. */
function problemOf(unused) {
  if (unused.length < 2) return unused.join();
  const more = unused.length - MAX_NAMED;
  return `${unused.length} images could not be used. ` +
    `${unused.slice(0, MAX_NAMED).join(" ")}${more > 0 ? ` And ${more} more.` : ""}`;
}

function checkSide(name, n) {
  if (!Number.isInteger(n) || n < 1 || n > MAX_SIDE) {
    throw new Error(`${name} must be a whole number of pixels from 1 to ${MAX_SIDE}, got ${n}`);
  }
}

const newest = (files) => Math.max(...files.map(({ lastModified }) => lastModified));

const quoted = (name) => (/[",\r\n]|^ | $/.test(name) ? `"${name.replaceAll('"', '""')}"` : name);

/** Returns the grey of each pixel of an image scaled to the canvas. Transparent pixels show white. */
async function greys(file, context) {
  const [w, h] = await sizeOf(file);
  if (w * h > MAX_PIXELS) {
    throw new Error(`it has ${w} × ${h} pixels, more than ${MAX_PIXELS / 1e6} million; make it smaller`);
  }
  const { width, height } = context.canvas;
  let bitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    throw new Error("it is damaged, or of a kind that this browser does not show; save it again as PNG or JPEG");
  }
  try {
    context.fillStyle = "white";
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = "high";
    context.drawImage(bitmap, 0, 0, width, height);
  } finally {
    bitmap.close();
  }
  const { data } = context.getImageData(0, 0, width, height);
  const grey = new Uint8Array(width * height);
  // Rec. 601 on the encoded values, as in most libraries, with integers: 0.299, 0.587 and 0.114 in units of 2^−16.
  for (let i = 0; i < grey.length; i++) {
    grey[i] = (19595 * data[4 * i] + 38470 * data[4 * i + 1] + 7471 * data[4 * i + 2] + 32768) >> 16;
  }
  return grey;
}

/** Returns the width and height in an image's header, before it is decoded. */
async function sizeOf(file) {
  const view = new DataView(await file.slice(0, HEAD).arrayBuffer());
  const head = new Uint8Array(view.buffer);
  if (isPNG(head) && head.length >= 24) return [view.getUint32(16), view.getUint32(20)];
  const size = isJPEG(head) && sizeOfJPEG(view);
  if (!size) {
    throw new Error(isPNG(head) || isJPEG(head) ? "its head is cut off; save it again"
      : "it is no PNG or JPEG; save it as one of these");
  }
  return size;
}

/** Returns the size in the first frame's header. A JPEG is a sequence of segments, each after a marker and a length. */
function sizeOfJPEG(view) {
  for (let at = 2; at + 9 <= view.byteLength && view.getUint8(at) === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at++; // filled up
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) return [view.getUint16(at + 7),
      view.getUint16(at + 5)];
    else at += 2 + view.getUint16(at + 2);
  }
  return null;
}

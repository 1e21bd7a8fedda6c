// Draws pictures of what the heads of the programs say. applications.svg has each figure beside its reference, and how
// far apart they may be; the others have the numbers of a paragraph of docs/applications.md as bars. Run it in this
// folder:
//
//     node picture.js ../../docs

import { readdirSync, readFileSync, writeFileSync } from "node:fs";

const folder = process.argv[2];
if (!folder) throw new Error("name the folder for the pictures, as in node picture.js ../../docs");
const STYLE = `<style>
text{font-family:system-ui,sans-serif;font-size:12px;fill:#585e61}.strong{font-weight:600;fill:#14181a}
.ground{fill:#fff}.one,.may{stroke:#8b908d;fill:none}.one{stroke-dasharray:2 3}.here{fill:#0f766e}.there{fill:#8b908d}
@media(prefers-color-scheme:dark){text{fill:#a3a9ad}.strong{fill:#f1f3f2}.ground{fill:#1a1d21}.here{fill:#4fd1bd}}
</style>`;
const text = (x, y, content, rest = "") =>
  `<text x="${x}" y="${y}"${rest}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>\n`;

function draw(name, width, height, label, content) {
  const size = `viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`;
  writeFileSync(`${folder}/${name}.svg`,
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} aria-label="${label}">
${STYLE}
<rect class="ground" width="${width}" height="${height}"/>
${content}</svg>
`);
}

const [ROW, LEFT, WIDTH, HALF] = [30, 470, 760, 120];
const programs = [...readdirSync(".").filter((name) => name.endsWith(".js")), "molecules/molecules.js"].sort();
const line = /^\/\/ {5}(.+): (\S+) here, (\S+) (.+), may differ by (\S+)$/gm;
const figures = programs.flatMap((name) => [...readFileSync(name, "utf8").matchAll(line)].map((found) => {
  const [here, there, within] = [2, 3, 5].map((at) => Number(found[at]));
  return { name: name.replace(/^.*\/|\.js$/g, ""), what: found[1], here, there, by: found[4], within };
}));
const height = ROW * (figures.length + 2);
const [middle, reach] = [LEFT + HALF, 0.8 * HALF]; // of what a figure may differ by
let rows = "";
figures.forEach(({ name, what, here, there, by, within }, i) => {
  const y = ROW * (i + 1.5);
  const at = (middle + reach * (here - there) / within).toFixed(1);
  rows += text(10, y + 4, name, ' class="strong"') + text(122, y + 4, what) +
    `<path class="may" d="M${middle - reach} ${y}h${2 * reach}m0-5v10M${middle - reach} ${y - 5}v10"/>\n` +
    `<circle class="here" cx="${at}" cy="${y}" r="5"><title>${there} ${by}, ± ${within}</title></circle>\n` +
    text(WIDTH - 42, y + 4, String(here));
});
draw("applications", WIDTH, height,
  `${figures.length} figures of the programs: each lies within the error that it may have`,
  `<path class="one" d="M${middle} ${ROW}V${height - 25}"/>
${text(10, 20, "Figures of the programs, and how far from their references they may be", ' class="strong"')}${
    text(middle, height - 10, "reference", ' text-anchor="middle"')}${rows}`);

/** Draws bars: of [label, value, whether it is this library's]. The longest is of `most`. */
function bars(name, title, most, unit, values) {
  const [left, long] = [270, 330];
  const content = values.map(([label, value, isHere], i) => {
    const [y, length] = [44 + 24 * i, (long * Math.max(0, Number(value)) / most).toFixed(1)];
    const bar = `d="M${left} ${y - 7}h${length}v14h-${length}z"`;
    return text(10, y + 4, label) + `<path class="${isHere ? "here" : "there"}" ${bar}/>\n` +
      text((left + Number(length) + 8).toFixed(1), y + 4, value + unit, ' class="strong"');
  }).join("");
  draw(`applications-${name}`, 680, 40 + 24 * values.length, `${title}: ${values.map(([label, value]) =>
    `${label} ${value}${unit}`).join("; ")}`, text(10, 20, title, ' class="strong"') + content);
}

/** Returns the numbers that a program's head says are printed on the line with these words. */
function printed(program, words) {
  const lines = readFileSync(program, "utf8").split("\n").filter((line) => /^\/\/(\t| {5})/.test(line));
  const found = lines.find((line) => line.includes(words));
  if (!found) throw new Error(`the head of ${program} has no line with "${words}"`);
  const [before, after] = [found.slice(0, found.indexOf(words)), found.slice(found.indexOf(words) + words.length)];
  return `${after} ${before}`.match(/-?\d+(\.\d+)?/g);
}
const first = (program, words) => printed(program, words)[0];

const share = (program, words) => printed(program, words).find((number) => number.includes("."));
bars("pooling", "Right answers: images of USPS, and questions about them", 100, " %", [
  ["images, concatenated", share("pooling.js", "concatenated"), false],
  ["images, all 1,224 products", share("pooling.js", "all products"), false],
  ["images, pooled sketches of 512", share("pooling.js", "pooled sketches"), true],
  ["questions, side by side", share("fused.js", "side by side"), false],
  ["questions, all 640 products", share("fused.js", "all products"), false],
  ["questions, fused sketches of 256", share("fused.js", "fused sketches"), true]]);
/** The first two numbers that a program says are printed after these words, as two bars: expected, and found. */
const pair = (label, program, words, of = (value) => value) => printed(program, words).slice(0, 2).map((value, i) =>
  [i === 0 ? label : `${label}, expected`, of(value), i === 0]).reverse();
bars("molecules", "Share of the ten most like a fingerprint that estimates find", 1, "",
  ["a parent", "any fingerprint"].flatMap((whom) => ["in the top 10", "in the top 50"].flatMap((looked) =>
    pair(`${whom}, ${looked}`, "fingerprints.js", `like ${whom}, ${looked}:`))));
const percent = (ratio) => (100 * (ratio - 1)).toFixed(1);
bars("kronecker", "How much the residual grows with D of 160,000 equations", 20, " %", [256, 1024, 4096].flatMap(
  (D) => pair(`D ${D.toLocaleString("en")}`, "kronecker.js", `D ${D}:`, percent)));
const [residual, expected] = printed("decomposition.js", "residual by the sketch:");
bars("decomposition", "What is left of the tensor without three components", 0.25, "", [
  ["components from the tensor", first("decomposition.js", "residual by the tensor:"), false],
  ["from the sketch, expected", expected, false], ["from the sketch", residual, true]]);
const [slide, counts] = printed("genomes.js", "slide sketch:");
bars("genomes", "Rank correlation with the edit distance", 1, "", [
  ["counts of 3-mers", printed("genomes.js", "3-mers:")[0], false], ["all 4,096 counts of pairs", counts, false],
  ["slide sketch of 512", slide, true]]);
const [smoothed, products] = printed("graphs.js", "on the sketch, smoothed:");
const [digits, byProducts] = printed("clusters.js", "index with the digits:");
bars("clusters", "Adjusted Rand index of what k-means finds", 1, "", [
  ["digits, all 2,145 products", byProducts, false], ["digits, sketch of 512", digits, true],
  ["graph, columns smoothed", printed("graphs.js", "smoothed:")[0], false],
  ["graph, all products, smoothed", products, false], ["graph, sketch, smoothed", smoothed, true]]);
const messages = "../few-shot/sentences.js";
const [right, byMeans] = printed(messages, "right:");
bars("few-shot", "Messages that are right, of 40", 40, "", [
  ["nearest mean", byMeans, false], ["degree 2", right, true]]);
bars("anomaly", "Area under the curve", 1, "", [
  ["exact kernel", first("anomaly/main.go", "exact kernel:"), false],
  ["features", first("anomaly/main.go", "curve, features:"), true]]);
const sizes = printed("attention.js", "tokens  ");
bars("attention", "Relative error of outputs", 0.3, "", ["16 ", "64 "].flatMap((tokens) =>
  printed("attention.js", `//     ${tokens}`).slice(0, 3).map((error, i) =>
    [`${tokens}tokens, D ${sizes[i]}`, error, true])));

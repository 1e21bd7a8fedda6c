// Draws docs/applications.svg of what the heads of the programs say: each figure beside its reference, and how far
// apart they may be. Run it in this folder: node picture.js > ../../docs/applications.svg

import { readdirSync, readFileSync } from "node:fs";

const [ROW, LEFT, WIDTH, HALF] = [30, 470, 760, 120];
const programs = [...readdirSync(".").filter((name) => name.endsWith(".js")), "molecules/molecules.js"].sort();
const line = /^\/\/ {5}(.+): (\S+) here, (\S+) (.+), may differ by (\S+)$/gm;
const figures = programs.flatMap((name) => [...readFileSync(name, "utf8").matchAll(line)].map((found) => {
  const [here, there, within] = [2, 3, 5].map((at) => Number(found[at]));
  return { name: name.replace(/^.*\/|\.js$/g, ""), what: found[1], here, there, by: found[4], within };
}));
const text = (x, y, content, rest = "") =>
  `<text x="${x}" y="${y}"${rest}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>\n`;

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
const size = `viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}"`;
console.log(`<svg xmlns="http://www.w3.org/2000/svg" role="img" ${size} ` +
  `aria-label="${figures.length} figures of the programs: each lies within the error that it may have">
<style>
text{font-family:system-ui,sans-serif;font-size:12px;fill:#585e61}.strong{font-weight:600;fill:#14181a}
.ground{fill:#fff}.one,.may{stroke:#8b908d;fill:none}.one{stroke-dasharray:2 3}.here{fill:#0f766e}
@media(prefers-color-scheme:dark){text{fill:#a3a9ad}.strong{fill:#f1f3f2}.ground{fill:#1a1d21}.here{fill:#4fd1bd}}
</style>
<rect class="ground" width="${WIDTH}" height="${height}"/>
<path class="one" d="M${middle} ${ROW}V${height - 25}"/>
${text(10, 20, "Figures of the programs, and how far from their references they may be", ' class="strong"')}${
  text(middle, height - 10, "reference", ' text-anchor="middle"')}${rows}</svg>`);

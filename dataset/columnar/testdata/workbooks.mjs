// Writes the workbooks of ExcelJS and SheetJS in xlsx_test.go: node workbooks.mjs FOLDER, beside node_modules that has
// exceljs and xlsx (exceljs 4.4.0 and xlsx 0.18.5 made what is here).

import excel from "exceljs";
import sheets from "xlsx";

const folder = process.argv[2];
const head = ["name", "size", "day", "at", "open", "sum", "said"];
const names = ["a & b", "c\nd", "a & b"];
const day = (i) => new Date(Date.UTC(2024, 1, 27 + i));
const at = new Date(Date.UTC(2024, 4, 6, 7, 8, 9, 500));

/** The cells in ExcelJS's words; a date has its format beside it. */
const rows = [
  head,
  ...names.map((name, i) => [name, i + 0.5, day(i), at, i % 2 === 0, { formula: `B${i + 2}*2`, result: 2 * i + 1 },
    { formula: `"x"&A${i + 2}`, result: `x${name}` }]),
  [],
  [null, -1.5e-7, null, null, null, { formula: "NA()", result: { error: "#N/A" } },
    { richText: [{ text: "plain, " }, { font: { bold: true }, text: "bold" }, { text: " and  more " }] }],
  [" Zürich 𝕏 ", 1e300],
];

function fill(book) {
  const sheet = book.addWorksheet("Rows");
  sheet.getColumn(3).numFmt = "dd.mm.yyyy";
  sheet.getColumn(4).numFmt = "yyyy-mm-dd hh:mm:ss.000";
  rows.forEach((row) => sheet.addRow(row));
  book.addWorksheet("Other").addRow(["not", "this"]);
}

const whole = new excel.Workbook();
whole.created = whole.modified = day(0);
fill(whole);
await whole.xlsx.writeFile(`${folder}/exceljs.xlsx`);

const streamed = new excel.stream.xlsx.WorkbookWriter({ filename: `${folder}/exceljs-inline.xlsx`, useStyles: true });
streamed.created = streamed.modified = day(0);
fill(streamed);
await streamed.commit();

/** The same in SheetJS's words: dates as numbers of a format, or in ISO 8601. */
function cellOf(value, column, iso) {
  if (value === null) return undefined;
  if (value instanceof Date) {
    const format = column === 2 ? "dd.mm.yyyy" : "yyyy-mm-dd hh:mm:ss.000";
    return iso ? { t: "d", v: value, z: format } : { t: "n", v: (value - Date.UTC(1899, 11, 30)) / 864e5, z: format };
  }
  if (value.richText) return { t: "s", v: value.richText.map(({ text }) => text).join("") };
  if (value.formula) {
    const { formula: f, result } = value;
    return result.error ? { t: "e", v: 0x2a, f } : { t: typeof result === "number" ? "n" : "s", v: result, f };
  }
  return { t: { number: "n", string: "s", boolean: "b" }[typeof value], v: value };
}

for (const [name, options] of [["sheetjs.xlsx", { bookSST: true }], ["sheetjs-iso.xlsx", { bookSST: false, cellDates: true }]]) {
  const sheet = { "!ref": `A1:G${rows.length}` };
  rows.forEach((row, r) => row.forEach((value, c) => {
    const cell = cellOf(value, c, options.cellDates);
    if (cell) sheet[sheets.utils.encode_cell({ r, c })] = cell;
  }));
  const book = sheets.utils.book_new();
  sheets.utils.book_append_sheet(book, sheet, "Rows");
  sheets.utils.book_append_sheet(book, sheets.utils.aoa_to_sheet([["not", "this"]]), "Other");
  sheets.writeFile(book, `${folder}/${name}`, { compression: true, ...options });
}

package columnar

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"

	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/slow"
)

// keptRows are the cells of all rows of a table, and the problems of the rows that are left out.
func keptRows(l *dataset.Layout, content string) (rows []string, problems []string, err error) {
	for i := range l.Columns {
		l = l.With(i, columns.AsKept)
	}
	return rowsOf(l, content)
}

// rowsOf returns the texts of a file, cells after bars, and why rows are passed over.
func rowsOf(l *dataset.Layout, content string) (rows []string, problems []string, err error) {
	s, err := l.Open(strings.NewReader(content))
	if err != nil {
		return nil, nil, err
	}
	s.Unused().Report = func(p *dataset.Problem) { problems = append(problems, p.Error()) }
	err = eachOf(s, func(b *dataset.Block) {
		for row := range b.Rows() {
			cells := []string{}
			for i := range s.Schema().Fields {
				cells = append(cells, string(b.Text(row, i)))
			}
			rows = append(rows, strings.Join(cells, "|"))
		}
	})
	return rows, problems, err
}

var (
	workbooks         = []string{"openpyxl-1900.xlsx", "openpyxl-1904.xlsx"}
	workbooksOfMakers = []string{"xlsxwriter.xlsx", "xlsxwriter-inline-1904.xlsx", "exceljs.xlsx",
		"exceljs-inline.xlsx", "sheetjs.xlsx", "sheetjs-iso.xlsx"}
)

// TestWorkbooksOfOthers reads a table from openpyxl's workbooks, in both systems of dates (testdata/workbook.py). It
// reads another table from workbooks of three other makers (testdata/workbooks.py and workbooks.mjs). XlsxWriter 3.0.2
// and ExcelJS 4.4.0 have texts in the list and in the cells. SheetJS 0.18.5 has dates as numbers and in ISO 8601.
func TestWorkbooksOfOthers(t *testing.T) {
	const at = "|2024-05-06T07:08:09.5|"
	ofOpenpyxl := []string{
		"0.5|c\nd|2024-02-27" + at + "true|44000", "1.5|a & b|2024-02-28" + at + "false|44001",
		"2.5||2024-02-29" + at + "true|44002",
		"3.5|a & b|1999-12-31" + at + "false|44003", "4.5|c\nd|1999-12-31" + at + "true|44004",
		"5.5|a & b|1999-12-31" + at + "false|44005",
		"x|||||1234567.25", "-1.5e-07|||||",
	}
	ofMakers := []string{
		"a & b|0.5|2024-02-27" + at + "true|1|xa & b", "c\nd|1.5|2024-02-28" + at + "false|3|xc\nd",
		"a & b|2.5|2024-02-29" + at + "true|5|xa & b",
		"|-1.5e-7|||||plain, bold and  more ", " Zürich 𝕏 |1e+300|||||",
	}
	// XlsxWriter writes exponents in its own way, and has one more text.
	ofXlsxWriter := slices.Clone(ofMakers)
	ofXlsxWriter[3] = strings.Replace(ofMakers[3], "e-7", "E-07", 1)
	ofXlsxWriter[4] = strings.Replace(ofMakers[4], "e", "E", 1) + "_x0041_\a"
	for _, name := range slices.Concat(workbooks, workbooksOfMakers) {
		columns, want := "name text, size number, day date, at date, open boolean, sum integer, said text", ofMakers
		if strings.HasPrefix(name, "xlsxwriter") {
			want = ofXlsxWriter
		} else if strings.HasPrefix(name, "openpyxl") {
			columns, want = "width number, kind text, day date, at date, yes boolean, own number", ofOpenpyxl
		}
		content := fixture(t, name)
		l := sniff(t, name, content)
		var found []string
		for _, c := range l.Columns {
			found = append(found, c.Name+" "+c.Type.String())
		}
		if got := strings.Join(found, ", "); l.Format != dataset.XLSX || !l.Header || got != columns ||
			!slices.Equal(l.Guessed, []string{"format", "compression", "header", "sheet"}) {
			t.Errorf("%s: %v, header %v, columns %s, guessed %q", name, l.Format, l.Header, got, l.Guessed)
		}
		if rows, problems, err := keptRows(l, content); err != nil || problems != nil || !slices.Equal(rows, want) {
			t.Errorf("%s: %q, %q, %v, want %q", name, rows, problems, err, want)
		}
		typed, err := dataset.SniffFile(name, strings.NewReader(content), l.Reading())
		if err != nil || typed.Guessed != nil || typed.Columns[1].Name != l.Columns[1].Name {
			t.Errorf("%s, typed: %+v, %v", name, typed, err)
		}
		if columns[0] != 'w' {
			continue
		}
		source := must(l.Open(strings.NewReader(content)))
		err = eachOf(source, func(*dataset.Block) {})
		if first := source.Unused().First; err != nil || len(first) != 1 || first[0].Error() != name+
			`, row 9, column 1 ("width"): "x" is not a number; correct it, or use the column for something else.` {
			t.Errorf("%s: left out %v, %v", name, first, err)
		}
	}
}

// zipOf is a ZIP archive of names and contents in turns.
func zipOf(t testing.TB, files ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		must(io.WriteString(must(w.Create(files[i])), files[i+1]))
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// book is a workbook of a sheet's rows, with one shared text and a date as its second style.
func book(t testing.TB, sheet string) string {
	t.Helper()
	return zipOf(t, "xl/workbook.xml", `<x:workbook xmlns:x="m" xmlns:r="r"><x:sheets><x:sheet name="C" `+
		`r:id="a"/><x:sheet name="S" r:id="b"/></x:sheets></x:workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="a" Type="r/chartsheet" Target="c.xml"/>
			<Relationship Id="b" Type="r/worksheet" Target="/xl/s.xml"/>
			<Relationship Id="c" Type="r/sharedStrings" Target="t.xml"/>
			<Relationship Id="d" Type="r/styles" Target="y.xml"/></Relationships>`,
		"xl/s.xml", sheet, "xl/t.xml", `<sst><si><r><t>sh</t></r><rPh><t>no</t></rPh><r><t>ared_x000A_</t></r></si></sst>`,
		"xl/y.xml", `<styleSheet><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf `+
			`numFmtId="22"/></cellXfs></styleSheet>`)
}

// sheets are XML, and its rows or the sentence it ends in.
var sheets = map[string][2]string{
	"sparse": {`<worksheet><sheetData><row r="3"><c r="B3"><v>1</v></c><c><v>2</v></c></row><row/><row ` +
		`r="7"><c r="A7" t="b"><v>1</v></c><c t="e"><v>#N/A</v></c></row></sheetData></worksheet>`, "|1|2 true||"},
	"texts": {
		`<sheetData><row><c t="s"><v>0</v></c><c t="inlineStr"><is><t>a&amp;b</t><rPh><t>no</t></rPh></is></c><c ` +
			`t="str"><f>no</f><v>c</v></c></row></sheetData>`, "shared\n|a&b|c"},
	"leap year": {`<sheetData><row><c s="1"><v>1</v></c><c s="1"><v>59</v></c><c ` +
		`s="1"><v>60</v></c><c s="1"><v>61</v></c><c s="1"><v>0.5</v></c></row></sheetData>`,
		"1900-01-01|1900-02-28|1900-02-28|1900-03-01|1899-12-31T12:00:00"},
	"no dates": {`<sheetData><row><c s="1"><v>-1</v></c><c s="1"><v>2958466</v></c><c s="9"><v>5</v></c><c ` +
		`s="1"><v>2958465.99</v></c></row></sheetData>`, "-1|2958466|5|9999-12-31T23:45:36"},
	"empty":  {`<sheetData/>`, `f: its sheet "S" has no rows; choose a workbook with at least one row.`},
	"cut":    {`<sheetData><row><c>`, "f: its sheet ends too early; fetch or export the file again."},
	"no XML": {`<sheetData><row <`, "f: the XML of the workbook is damaged; fetch or export the file again."},
	"not UTF-8": {`<?xml version="1.0" encoding="UTF-16"?><sheetData/>`,
		"f: the XML of the workbook is damaged; fetch or export the file again."},
	"ISO 8601": {`<sheetData><row><c t="d"><v>2024-05-06T07:08:09.500Z</v></c><c t="d" ` +
		`s="1"><v>2024-05-06T00:00:00</v></c><c t="d"><v>2024-05-06</v></c></row></sheetData>`,
		"2024-05-06T07:08:09.5|2024-05-06|2024-05-06"},
	"no text": {`<sheetData><row><c t="s"><v>1</v></c></row></sheetData>`,
		"f: a cell has a text that is not there; fetch or export the file again."},
	"out of order": {`<sheetData><row><c r="B1"><v>1</v></c><c r="A1"><v>1</v></c></row></sheetData>`,
		"f: the cells of a row are not in order; fetch or export the file again."},
	"too wide": {`<sheetData><row><c r="ZZZZ1"><v>1</v></c></row></sheetData>`,
		"f: it has more than 262144 columns; write it as LIBSVM, which is sparse."},
}

func TestSheets(t *testing.T) {
	for name, test := range sheets {
		content := book(t, test[0])
		l, err := dataset.SniffFile("f", strings.NewReader(content), columns.Reading{Header: new(false)})
		var rows []string
		if err == nil {
			rows, _, err = keptRows(l, content)
		}
		got := strings.Join(rows, " ")
		if err != nil {
			got = err.Error()
		}
		if got != test[1] {
			t.Errorf("%s: got %q, want %q", name, got, test[1])
		}
	}
}

// TestOddWorkbooks: what is no workbook of cells, or an old one, is a sentence.
func TestOddWorkbooks(t *testing.T) {
	slow.Emulated(t)
	big := `<sst><si><t>` + strings.Repeat("many words ", 1<<20) + `</t></si></sst>`
	problems := map[string]error{}
	for name, content := range map[string]string{
		"old":      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and more",
		"no rels":  zipOf(t, "xl/workbook.xml", "<workbook/>"),
		"no sheet": zipOf(t, "xl/workbook.xml", "<workbook/>", "xl/_rels/workbook.xml.rels", "<x/>"),
		"a large text": zipOf(t, "xl/workbook.xml", `<w><sheet id="a"/></w>`,
			"xl/_rels/workbook.xml.rels", `<w><Relationship Id="a" Type="worksheet" Target="s"/>
			<Relationship Type="sharedStrings" Target="t"/></w>`, "xl/t", big),
	} {
		_, problems[name] = dataset.SniffFile("f", strings.NewReader(content), columns.Reading{})
	}
	golden.Errors(t, problems)
}

// cellsOf is a sheet of rows of cells: numbers, or texts.
func cellsOf(rows ...[]string) string {
	s := "<sheetData>"
	for _, row := range rows {
		s += "<row>"
		for _, cell := range row {
			if cell != "" && strings.Trim(cell, "0123456789.") == "" {
				s += "<c><v>" + cell + "</v></c>"
			} else {
				s += `<c t="str"><v>` + cell + "</v></c>"
			}
		}
		s += "</row>"
	}
	return s + "</sheetData>"
}

// bookOf is a workbook of sheets: their names, states and contents in turns.
func bookOf(t testing.TB, sheets ...string) string {
	t.Helper()
	list, places, files := "", "", []string(nil)
	for i := 0; i < len(sheets); i += 3 {
		list += fmt.Sprintf(`<sheet name="%s" state="%s" id="s%d"/>`, sheets[i], sheets[i+1], i)
		places += fmt.Sprintf(`<Relationship Id="s%d" Type="r/worksheet" Target="s%d.xml"/>`, i, i)
		files = append(files, fmt.Sprintf("xl/s%d.xml", i), sheets[i+2])
	}
	return zipOf(t, append(files, "xl/workbook.xml", "<workbook>"+list+"</workbook>",
		"xl/_rels/workbook.xml.rels", "<Relationships>"+places+"</Relationships>")...)
}

// TestChosenSheet: without a setting, the first visible sheet that holds a table is read, and a note names the others.
// The setting is a name or a number; a reading with it reads the same sheet again.
func TestChosenSheet(t *testing.T) {
	table := func(name string) string {
		return cellsOf([]string{name, "x"}, []string{"1", "2"}, []string{"3", "5"}, []string{"4", "7"})
	}
	content := bookOf(t, "Secret", "hidden", table("s"), "Cover", "visible",
		cellsOf([]string{"About"}, []string{"1", "2"}, []string{"us"}), "2", "", table("a"), "Q &amp; A", "", table("q"),
		"Old", "veryHidden", table("o"), "Empty", "", cellsOf())
	for sheet, want := range map[string]string{
		`{}`: `a; sheet "2" is read, and not "Secret" (hidden), "Cover", "Q & A", "Old" (hidden), "Empty"; ` +
			`set sheet to read another`,
		`{"sheet": "Q & A"}`: "q; ", `{"sheet": "Secret"}`: "s; ", `{"sheet": 1}`: "s; ", `{"sheet": "4"}`: "q; ",
		`{"sheet": 2}`: "a; ", // a name comes before a number
		`{"sheet": "x"}`: `f: it has no sheet "x"; set sheet to one of "Secret" (hidden), "Cover", "2", "Q & A", ` +
			`"Old" (hidden), "Empty", or to its number.`,
		`{"sheet": 7}`: `f: it has no sheet "7"; set sheet to one of "Secret" (hidden), "Cover", "2", "Q & A", ` +
			`"Old" (hidden), "Empty", or to its number.`,
		`{"sheet": "Empty"}`: `f: its sheet "Empty" has no rows; set sheet to "Secret" (hidden), "Cover", "2", "Q & A", ` +
			`"Old" (hidden).`,
	} {
		l, err := dataset.SniffFile("f", strings.NewReader(content), must(dataset.ParseReading([]byte(sheet))))
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s: got %v, want %s", sheet, err, want)
			}
			continue
		}
		notes := ""
		for _, note := range l.Notes() {
			notes += note.String()
		}
		if got := l.Columns[0].Name + "; " + notes; got != want {
			t.Errorf("%s: got %s, want %s", sheet, got, want)
		}
		again := must(dataset.SniffFile("f", strings.NewReader(content), l.Reading()))
		for _, l := range []*dataset.Layout{l, again} {
			if rows, _, err := keptRows(l, content); err != nil || !slices.Equal(rows, []string{"1|2", "3|5", "4|7"}) ||
				l.Columns[0].Name != want[:1] {
				t.Errorf("%s: rows %q of %q, %v", sheet, rows, l.Columns[0].Name, err)
			}
		}
	}
	_, err := dataset.SniffFile("f", strings.NewReader(bookOf(t, "a", "hidden", table("a"))), columns.Reading{})
	if want := `f: all sheets of the workbook are hidden; set sheet to one of "a" (hidden).`; err == nil ||
		err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestAboveSheet: rows of one cell above a table are no rows and no header, and skip says so; a reading with skip 0
// reads them. Formulas without a result are counted.
func TestAboveSheet(t *testing.T) {
	const formulas = `<row><c><v>8</v></c><c><f>A5</f></c><c><f>A5</f><v/></c><c t="str"><f>""</f><v></v></c></row>` +
		`<row><c><v>9</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row>`
	sheet := cellsOf([]string{"Report"}, []string{"", "made today"}, []string{}, []string{"a", "b", "c"},
		[]string{"1", "2", "3"}, []string{"4", "", "6"})
	content := book(t, strings.Replace(sheet, "</sheetData>", formulas+"</sheetData>", 1))
	l := sniff(t, "f", content)
	rows, problems, err := keptRows(l, content)
	if err != nil || problems != nil || l.Columns[0].Name != "a" ||
		!slices.Equal(rows, []string{"1|2|3", "4||6", "8||", "9||"}) {
		t.Errorf("rows %q, %q, %v, %+v", rows, problems, err, l.Columns)
	}
	var notes []string
	for _, note := range l.Notes() {
		notes = append(notes, note.String())
	}
	const remedy = "which count as missing; open the workbook in a spreadsheet program, which computes them, and save it"
	if want := []string{"3 lines before the table are left out; set skip to 0 to read them",
		`column "b" has 1 formula without a stored result in the first 4 rows, ` + remedy,
		`column "c" has 1 formula without a stored result in the first 4 rows, ` + remedy,
		`column "b" has 1 cell with an error such as #N/A in the first 4 rows, which count as missing; ` +
			"correct the formulas in the workbook"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q", notes)
	}
	l = must(dataset.SniffFile("f", strings.NewReader(content), columns.Reading{Skip: new(0), Header: new(false)}))
	if rows, _, err = keptRows(l, content); err != nil || len(rows) != 7 || rows[0] != "Report||" {
		t.Errorf("with skip 0: rows %q, %v", rows, err)
	}
}

// TestManySheets: a table is not looked for in more than 64 MB of sheets.
func TestManySheets(t *testing.T) {
	list, places := "", ""
	for i := range 3000 {
		list += fmt.Sprintf(`<sheet name="%d" id="s%d"/>`, i, i)
		places += fmt.Sprintf(`<Relationship Id="s%d" Type="r/worksheet" Target="s.xml"/>`, i)
	}
	sheet := strings.Replace(cellsOf([]string{"1"}, []string{"2"}), "<row>", strings.Repeat(" ", 4<<20)+"<row>", 1)
	content := zipOf(t, "xl/s.xml", sheet, "xl/workbook.xml", "<workbook>"+list+"</workbook>",
		"xl/_rels/workbook.xml.rels", "<Relationships>"+places+"</Relationships>")
	begin := slow.Used()
	if l := sniff(t, "f", content); l.Sheet != "0" {
		t.Errorf("sheet %q", l.Sheet)
	}
	if took := slow.Used() - begin; took > 30*time.Second {
		t.Errorf("it took %v", took)
	}
}

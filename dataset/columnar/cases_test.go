package columnar_test

import (
	"bytes"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
)

// A caseFile is what a file of ../shared/cases/files holds, or why it is refused.
type caseFile struct {
	file    string
	format  dataset.Format
	rows    int            // that the suggested roles can use
	leftOut int            // rows that they cannot
	names   string         // of the columns, separated by "|"
	types   string         // of the columns, separated by a space
	label   string         // the column taken as the label, or empty
	notes   string         // the codes of the notes, sorted, separated by a space
	first   string         // the cells of the first row as texts, separated by "|"; empty: not compared
	all     map[int]string // the cells of columns, separated by "|"

	refusal string // a part of the sentence of the refusal
	pending string // the owner of a row that is not right yet
}

const (
	wavelengths  = "400|408|416|424|432|440|448|456|464|472|480|488|496|504|512|520|528|536|544|552|560|568|576|584|"
	wavelengths1 = "0.2982|0.2843|0.3696|0.3449|0.3760|0.3819|0.3464|0.4088|0.3745|0.3628|0.4080|0.3955|0.3681|0.3766|" +
		"0.3306|0.3127|0.2975|0.2903|0.2852|0.2217|0.2435|0.2430|0.2227|0.2219|rye"
)

var numbers24 = strings.Repeat("number ", 24)

// caseFiles are in the order of the file names.
var caseFiles = []caseFile{
	{file: "bins.csv", format: dataset.CSV, rows: 20, names: "0.5|1.0|2.5|5.0|label",
		types: "number integer number integer text", label: "label", notes: "header-guessed", first: "0.0|0|0.0|0|a"},
	{file: "c_skip.csv.zst", refusal: "of no format known here"}, // its magic number is spelled out: \x50\x2a
	{file: "comment_top.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "integer number text", label: "C",
		notes: "lines-skipped", first: "1|1.75|y"},
	{file: "d_minute_uk.csv", format: dataset.CSV, rows: 1300, names: "when|v|cls", types: "date integer text",
		label: "cls", first: "01/02/2024 00:00|0|a"},
	{file: "data_key.json", format: dataset.JSON, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		notes: "part-chosen", first: "1|1.75|y"},
	{file: "dateonly.csv", format: dataset.CSV, rows: 4, names: "when|cls", types: "date text", label: "cls",
		first: "2024-01-01|a"},
	{file: "dec_pt_and_comma.csv", format: dataset.CSV, rows: 20, names: "lat|lon|price", types: "text text number",
		notes: "numbers-as-text numbers-as-text", first: "50.001|8.013|1,99"},
	{file: "duck_blob.parquet", format: dataset.Parquet, rows: 40, names: "id|v|geom|thumb|label",
		types: "integer number empty empty text", label: "label", notes: "column-not-used column-not-used"},
	{file: "dummies.csv", format: dataset.CSV, rows: 30, names: "age|city_rome|city_paris|smoker|label",
		types: "integer boolean boolean boolean text", label: "label", first: "20|True|False|True|a"},
	{file: "empty_arr.json", refusal: "the file is an empty list"},
	{file: "empty_head.csv", format: dataset.CSV, rows: 12, names: "A|column 2|column 3|C",
		types: "integer number integer text", label: "C", notes: "names-changed", first: "1|1.75|2|y"},
	{file: "excel_eq.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "text number text", label: "C",
		notes: "numbers-as-text", first: "001|1.75|y"},
	{file: "geo.json", format: dataset.JSON, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		notes: "part-chosen", first: "1|1.75|y"},
	{file: "german_onecol.csv", format: dataset.CSV, rows: 12, names: "Wert", types: "number", first: "1,75"},
	{file: "gitlfs.csv", refusal: "Git LFS"},
	{file: "gnuplot.dat", format: dataset.CSV, rows: 20, names: "time|temp|hum", types: "integer number integer",
		first: "0|20.0|40"},
	{file: "iris_r.dat", format: dataset.CSV, rows: 20, names: "column 1|sl|sw|species",
		types: "integer number number text", label: "species", notes: "names-changed", first: "1|5.1|3.1|setosa"},
	{file: "iris_r_noquote.txt", format: dataset.CSV, rows: 20, names: "column 1|sl|sw|species",
		types: "integer number number text", label: "species", notes: "names-changed", first: "1|5.1|3.1|setosa"},
	{file: "js_binary.arrow", format: dataset.Arrow, rows: 12, names: "v|bin|label", types: "number empty text",
		label: "label", notes: "column-not-used"},
	{file: "js_struct3.arrow", format: dataset.Arrow, rows: 6, names: "v|st.y|label", types: "integer text text",
		label: "label", first: "0|red|x", all: map[int]string{1: "red||blue|red|green|blue"}},
	{file: "js_structdec2.arrow", format: dataset.Arrow, rows: 6, names: "st.dec|label", types: "number text",
		label: "label", first: "1.50|x", all: map[int]string{0: "1.50|2.50|3.50|4.50|5.50|6.50"}},
	{file: "l_header.svm", format: dataset.LIBSVM, rows: 3, names: "label", types: "integer", label: "label",
		notes: "lines-skipped", first: "0,1"},
	{file: "l_latebad.svm", format: dataset.LIBSVM, rows: 199, leftOut: 1, names: "label", types: "integer",
		label: "label", first: "-1"},
	{file: "l_multispace.svm", format: dataset.LIBSVM, rows: 1, leftOut: 1, names: "label", types: "integer",
		label: "label", first: "2"},
	{file: "l_onebad.svm", format: dataset.LIBSVM, rows: 199, leftOut: 1, names: "label", types: "integer",
		label: "label", first: "-1"},
	{file: "l_spacecolon.svm", format: dataset.LIBSVM, rows: 1, leftOut: 1, names: "label", types: "integer",
		label: "label", first: "1"},
	{file: "m_float.csv", format: dataset.CSV, rows: 300, names: "grp|x|label", types: "number number text",
		label: "label", first: "1.0|0.916|no"},
	{file: "m_tab.tsv", format: dataset.CSV, rows: 300, names: "grp|x|label", types: "integer number text",
		label: "label", first: "1|0.916|no"},
	{file: "m_train.csv", format: dataset.CSV, rows: 300, names: "grp|x|label", types: "integer number text",
		label: "label", first: "1|0.916|no"},
	{file: "nir_class.csv", format: dataset.CSV, rows: 300, names: wavelengths + "grain", types: numbers24 + "text",
		label: "grain", notes: "header-guessed", first: wavelengths1},
	{file: "nir_reg.csv", format: dataset.CSV, rows: 300, names: wavelengths + "protein", types: numbers24 + "number",
		notes: "header-guessed"},
	{file: "notfound.csv", refusal: "HTML"},
	{file: "num_head.csv", format: dataset.CSV, rows: 12, names: "species|2019|2020|2021",
		types: "text integer number integer", label: "species", notes: "header-guessed", first: "y|1|1.75|2"},
	{file: "numpy_savetxt_h.txt", format: dataset.CSV, rows: 20, names: "a|b|c", types: "number number number",
		first: "0.000000000000000000e+00|0.000000000000000000e+00|0.000000000000000000e+00"},
	{file: "orient_list.json", format: dataset.JSON, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		first: "1|1.75|y"},
	{file: "orient_split.json", format: dataset.JSON, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		notes: "part-chosen", first: "1|1.75|y"},
	{file: "p_default.json", format: dataset.JSON, rows: 12, names: "a|b|when|td|c",
		types: "integer number integer integer text", label: "c", first: "1|1.75|1704067200000|3600000|y"},
	{file: "p_html.xls", refusal: "HTML"},
	{file: "p_split.json", format: dataset.JSON, rows: 12, names: "a|b|when|td|c",
		types: "integer number integer integer text", label: "c", notes: "part-chosen",
		first: "1|1.75|1704067200000|3600000|y"},
	{file: "pgtz.csv", format: dataset.CSV, rows: 30, names: "when|v|cls", types: "date integer text", label: "cls",
		first: "2024-01-01 10:00:00+00|0|a"},
	{file: "polars_struct.arrow", format: dataset.Arrow, rows: 6, names: "v|label|st.c|st.n",
		types: "integer text text number", label: "label", first: "1|x|red|1.5",
		all: map[int]string{2: "red|green|blue|red|green|blue", 3: "1.5|2.5||4|5|6"}},
	{file: "preamble.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "integer number text", label: "C",
		notes: "lines-skipped", first: "1|1.75|y"},
	{file: "pzstd.csv.zst", format: dataset.CSV, rows: 149, leftOut: 1, names: "a|b|c", types: "number number text",
		label: "c", first: "0.134364|0.847434|x"}, // its last row is cut
	{file: "q_backslash.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "integer number text", label: "C",
		first: `1|1.75|say "y" now`},
	{file: "q_head.csv", format: dataset.CSV, rows: 12, names: `A|B (in ")|C`, types: "integer number text",
		label: "C", first: "1|1.75|y"},
	{file: "q_mid.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "integer number text", label: "C",
		first: `1|1.75|y 3" pipe`},
	{file: "q_space.csv", format: dataset.CSV, rows: 12, names: "A|B|C", types: "integer number text", label: "C",
		first: "1| 1.75|y, z"},
	{file: "spectra.csv", format: dataset.CSV, rows: 20, names: "sample|400.0|401.5|403.0|404.5",
		types: "text number number number integer", notes: "header-guessed", first: "s0|0.0|0.0|0.0|0"},
	{file: "str_nums.json", format: dataset.JSON, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		first: "1|1.75|y"},
	{file: "wb_years.csv", format: dataset.CSV, rows: 8, names: "Country Name|Country Code|Indicator Name|1960|1961|1962",
		types: "text text text integer integer integer", notes: "header-guessed",
		first: "Aruba|ARU|Population, total|50000|50500|51000"},
	{file: "x_formula.xlsx", format: dataset.XLSX, rows: 12, names: "a|b|sum|c", types: "integer number empty text",
		label: "c", notes: "cells-replaced", first: "1|1.75||y"},
	{file: "x_hidden.xlsx", format: dataset.XLSX, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		notes: "part-chosen", first: "1|1.75|y"},
	{file: "x_multi.xlsx", format: dataset.XLSX, rows: 12, names: "a|b|c", types: "integer number text", label: "c",
		notes: "part-chosen", first: "1|1.75|y"},
	{file: "x_title.xlsx", format: dataset.XLSX, rows: 12, names: "a|b|c|d|dt|ok",
		types: "integer number text date date boolean", label: "ok", notes: "lines-skipped",
		first: "1|1.75|y|2024-01-01|2024-01-01T10:30:00|false"},
	{file: "x_years.xlsx", format: dataset.XLSX, rows: 12, names: "country|2019|2020|2021",
		types: "text integer number integer", notes: "header-guessed", first: "land y1|1|1.75|2"},
	{file: "xmlss.xls", refusal: "SpreadsheetML"},
}

// TestCases reads every file on which strangers saw a fault. A file without a row in caseFiles fails.
func TestCases(t *testing.T) {
	paths := cases.Files(t, "files")
	for i, c := range caseFiles {
		if i > 0 && caseFiles[i-1].file >= c.file {
			t.Errorf("%s does not stand in the order of the names", c.file)
		}
		path, isThere := paths[c.file]
		delete(paths, c.file)
		t.Run(c.file, func(t *testing.T) {
			switch {
			case c.pending != "":
				t.Logf("pending: %s", c.pending)
			case !isThere:
				t.Error("it is not in the folder")
			default:
				c.check(t, path)
			}
		})
	}
	for _, name := range slices.Sorted(maps.Keys(paths)) {
		t.Errorf("%s has no row in caseFiles", name)
	}
}

func (c *caseFile) check(t *testing.T, path string) {
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file := bytes.NewReader(content)
	l, err := dataset.SniffFile(c.file, file, columns.Reading{})
	rows, leftOut := 0, 0
	if err == nil {
		rows, leftOut, err = countRows(l, file)
	}
	switch {
	case c.refusal != "" && (err == nil || !strings.Contains(err.Error(), c.refusal)):
		t.Fatalf("got error %v, want one with %q", err, c.refusal)
	case c.refusal != "":
		return
	case err != nil:
		t.Fatal(err)
	}
	compare := func(what, got, want string) {
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	compare("format", l.Format.String(), c.format.String())
	compare("names", joined(l.Columns, "|", func(c dataset.Column) string { return c.Name }), c.names)
	compare("types", joined(l.Columns, " ", func(c dataset.Column) string { return c.Type.String() }), c.types)
	label := ""
	if i := l.Label(); i >= 0 {
		label = l.Columns[i].Name
	}
	compare("label", label, c.label)
	notes := l.Notes()
	slices.SortFunc(notes, func(a, b columns.Note) int { return strings.Compare(string(a.Code), string(b.Code)) })
	compare("notes", joined(notes, " ", func(n columns.Note) string { return string(n.Code) }), c.notes)
	if rows != c.rows || leftOut != c.leftOut {
		t.Errorf("got %d rows and %d left out, want %d and %d", rows, leftOut, c.rows, c.leftOut)
	}
	if c.first == "" {
		return
	}
	cells := allCells(t, l, file)
	compare("first row", strings.Join(cells[0], "|"), c.first)
	for i, want := range c.all {
		compare(l.Columns[i].Name, joined(cells, "|", func(row []string) string { return row[i] }), want)
	}
}

// joined joins a text for each element.
func joined[T any](list []T, separator string, text func(T) string) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = text(list[i])
	}
	return strings.Join(texts, separator)
}

// countRows reads all rows in the suggested roles.
func countRows(l *dataset.Layout, file *bytes.Reader) (rows, leftOut int, err error) {
	s, err := l.Open(io.NewSectionReader(file, 0, file.Size()))
	if err != nil {
		return 0, 0, err
	}
	var b dataset.Block
	for {
		if err := s.Next(&b); err == io.EOF {
			return rows, int(s.Unused().Total), nil
		} else if err != nil {
			return rows, int(s.Unused().Total), err
		}
		rows += b.Rows()
	}
}

// allCells returns the cells of all rows as texts.
func allCells(t *testing.T, l *dataset.Layout, file *bytes.Reader) (rows [][]string) {
	t.Helper()
	for i := range l.Columns {
		l = l.With(i, columns.AsKept)
	}
	s, err := l.Open(io.NewSectionReader(file, 0, file.Size()))
	var b dataset.Block
	for err == nil {
		if err = s.Next(&b); err != nil {
			break
		}
		for row := range b.Rows() {
			cells := make([]string, len(l.Columns))
			for i := range cells {
				cells[i] = string(b.Text(row, i))
			}
			rows = append(rows, cells)
		}
	}
	if err != io.EOF {
		t.Fatal(err)
	}
	return rows
}

package dataset

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
)

// TestAroundTheTable: comments, lines above the header, a header in a comment, names of rows, and quotes that are not
// those of RFC 4180. The reading that was guessed, typed, gives the same rows.
func TestAroundTheTable(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		names   string // separated by "|"
		rows    string // the cells of all rows as texts, separated by ";" and "/"
		reading string // what the guess differs in from the usual one
		notes   string // codes
	}{
		"comments": {"# by a logger\n#\n# mm\na,b\n1,2\n# pause\n3,4\n5,6\n", "a|b", "1;2/3;4/5;6",
			`comment:"#"`, "lines-skipped"},
		"percent": {"% by MATLAB\na b\n1 2\n3 4\n", "a|b", "1;2/3;4", `delimiter:" " comment:"%"`, "lines-skipped"},
		"comments that hold the delimiter": {"# a, b, c, d\n# e, f\nx,y\n1,2\n3,4\n", "x|y", "1;2/3;4",
			`comment:"#"`, "lines-skipped"},
		"header in a comment": {"#chrom,start\nx,5\ny,7\nx,9\n", "chrom|start", "x;5/y;7/x;9", "", ""},
		"header in the second comment": {"# v1\n# t x\n0 1.5\n1 2.5\n2 3.5\n", "t|x", "0;1.5/1;2.5/2;3.5",
			`delimiter:" " skip:1`, "lines-skipped"},
		"a column of signs":     {"n,sign\n1,#\n2,%\n3,#\n", "n|sign", "1;#/2;%/3;#", "", ""},
		"a name that is a sign": {"#,x\n1,5\n2,6\n3,7\n", "#|x", "1;5/2;6/3;7", "", ""},
		"a report": {"Sensors\nmade in May\n\na,b,c\n1,2,x\n3,4,y\n5,6,x\n", "a|b|c", "1;2;x/3;4;y/5;6;x",
			"skip:3", "lines-skipped"},
		"a report with delimiters": {"Station;North\na;b;c\n1;2;x\n3;4;y\n5;6;x\n", "a|b|c", "1;2;x/3;4;y/5;6;x",
			`delimiter:";" skip:1`, "lines-skipped"},
		"a report of a spreadsheet": {"Report;;\nStation:;North;\n;;\na;b;c\n1;2;x\n3;4;y\n5;6;x\n", "a|b|c",
			"1;2;x/3;4;y/5;6;x", `delimiter:";" skip:3`, "lines-skipped"},
		"a title above texts": {"Names;;\nname;city;class\na;u;x\nb;v;y\nc;u;x\n", "name|city|class",
			"a;u;x/b;v;y/c;u;x", `delimiter:";" skip:1`, "lines-skipped"},
		"a last column without a name": {"a;b;\n1;2;\n3;4;\n5;6;x\n", "a|b|column 3", "1;2;/3;4;/5;6;x",
			`delimiter:";"`, "names-changed"},
		"a header with few names": {"a;;\n1;2;x\n3;4;y\n5;6;x\n", "a|column 2|column 3", "1;2;x/3;4;y/5;6;x",
			`delimiter:";"`, "names-changed"},
		"a report behind sep=": {"sep=;\nSensors\na;b\n1;2\n3;4\n", "a|b", "1;2/3;4", `delimiter:";" skip:1`,
			"lines-skipped"},
		"names of rows": {"a,b\nx,1,2\ny,3,4\nz,5,6\n", "column 1|a|b", "x;1;2/y;3;4/z;5;6", "rownames:true",
			"names-changed"},
		"one name above names of rows": {"\"x\"\n\"1\" 112\n\"2\" 118\n\"3\" 132\n", "column 1|x", "1;112/2;118/3;132",
			`delimiter:" " rownames:true`, "names-changed"},
		"categories between spaces": {"\"wool\" \"tension\" \"n\"\n\"1\" \"A\" \"L\" 26\n\"2\" \"B\" \"M\" 30\n" +
			"\"3\" \"A\" \"L\" 54\n", "column 1|wool|tension|n", "1;A;L;26/2;B;M;30/3;A;L;54",
			`delimiter:" " rownames:true`, "names-changed"},
		"categories and a missing number": {"\"g\" \"v\"\n\"a\" 1\n\"b\" NA\n\"a\" 3\n\"b\" 4\n", "g|v", "a;1/b;NA/a;3/b;4",
			`delimiter:" "`, ""},
		"commas in names of rows": {"p q\nLEE,A.B. 5.7 7\nORR,C.D. 6.8 8\nRAY,E.F. 7.2 9\n", "column 1|p|q",
			"LEE,A.B.;5.7;7/ORR,C.D.;6.8;8/RAY,E.F.;7.2;9", `delimiter:" " rownames:true`, "names-changed"},
		"quotes of R's quote=FALSE": {"t\tsay \"n\"\n1\ta \"b\"\t5\n2\tc\t6\n3\td \"e\"\t7\n", "column 1|t|say \"n\"",
			"1;a \"b\";5/2;c;6/3;d \"e\";7", "delimiter:\"\t\" quote:\"\" rownames:true", "names-changed"},
		"delimiters at the ends": {"a,b\n1,2,\n", "a|b", "", "", ""},
		"a name about signs":     {"# of x,% y\n1,5\n2,6\n3,7\n", "# of x|% y", "1;5/2;6/3;7", "", ""},
		"empty names": {"a,,b,\n1,2,3,4\n5,6,7,8\n", "a|column 2|b|column 4", "1;2;3;4/5;6;7;8", "",
			"names-changed"},
		"equal names":     {"a,a\n1,2\n5,6\n", "a|a (2)", "1;2/5;6", "", "names-changed"},
		"invisible marks": {"\u200ea,\ufeffb\u200f\n1,\u200e2\u200f\n3,4\n", "a|b", "1;2/3;4", "", ""},

		"spaces before quotes": {"a, \"b\" ,c\n1, \"x, y\",2\n3,\"z\" ,4\n", "a|b|c", "1;x, y;2/3;z;4", "", ""},
		"Excel's texts":        {"a,b\n=\"007\",1\n=\"1\"\"2\",2\n", "a|b", "007;1/1\"2;2", "", "numbers-as-text"},
		"backslashes":          {"a,b\n1,\"say \\\"x\\\"\"\n2,\"c:\\\\\"\n", "a|b", "1;say \"x\"/2;c:\\\\", `quote:"\""`, ""},
		"inches":               {"a,b\n1,3\" pipe\n2,4\" pipe\n3,5\n", "a|b", "1;3\" pipe/2;4\" pipe/3;5", `quote:""`, ""},
		"inches in the header": {"a,\"b (\"),c\n1,2,\"x\"\n3,4,\"y\"\n", `a|"b (")|c`, "1;2;x/3;4;y", "", ""},
		"lines in cells": {"a;b;n;y\n1,5;2,5;u;p\n2,5;1,5;\"u\n\nv\";q\n3,5;0,5;\"u; x\nv\";p\n", "a|b|n|y",
			"1,5;2,5;u;p/2,5;1,5;u\n\nv;q/3,5;0,5;u; x\nv;p", `delimiter:";" decimal:","`, ""},
		"German numbers": {"Wert\n1,5\n2,75\n", "Wert", "1,5/2,75", `delimiter:";" decimal:","`, ""},
		"German numbers between spaces": {"x y\n1,5 2,5\n3,5 4,5\n", "x|y", "1,5;2,5/3,5;4,5",
			`delimiter:" " decimal:","`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := mustSniff(t, "f.csv", c.text)
			rows := keptTexts(t, l, c.text)
			var codes []string
			for _, note := range l.Notes() {
				codes = append(codes, string(note.Code))
			}
			var names []string
			for i := range l.Columns {
				names = append(names, l.Columns[i].Name)
			}
			reading := l.Reading()
			if got := differs(reading); strings.Join(names, "|") != c.names || rows != c.rows ||
				got != c.reading || strings.Join(codes, " ") != c.notes {
				t.Errorf("names %q, rows %q, reading %s, notes %v", names, rows, got, l.Notes())
			}
			typed := sniffAs(t, "f.csv", c.text, reading)
			if again := keptTexts(t, typed, c.text); again != rows || !reflect.DeepEqual(typed.Reading(), reading) ||
				len(typed.Guessed) > 0 || len(typed.Columns) != len(l.Columns) && l.Header {
				t.Errorf("typed: rows %q, reading %+v, guessed %v", again, typed.Reading(), typed.Guessed)
			}
		})
	}
}

// TestTitleOrName: one cell above two columns is a title, unless the first column names the rows as R does.
func TestTitleOrName(t *testing.T) {
	for text, want := range map[string]string{
		"Sensors\n5\t1\n7\t3\n2\t6\n":            "column 1,column 2",
		"x\n1\t5\n2\t7\n3\t2\n":                  "column 1,x",
		"x\nParis\t5\nRome\t7\nOslo\t2\n":        "column 1,x",
		"My towns\nParis\t5\nRome\t7\nOslo\t2\n": "column 1,column 2",
		"Towns\ntown\tn\nRome\t7\nOslo\t2\n":     "town,n",
		"My title\n1, 2\n3, 4\n5, 6\n":           "column 1,column 2",
	} {
		var names []string
		for _, c := range mustSniff(t, "f", text).Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, ","); got != want {
			t.Errorf("%q: the columns are %q, want %q", text, got, want)
		}
	}
}

// differs lists the settings of a reading of CSV that are not the usual ones.
func differs(r columns.Reading) string {
	usual := map[string]string{"format": "csv", "compression": "none", "encoding": "utf-8", "delimiter": ",", "quote": `"`,
		"decimal": ".", "thousands": "", "header": "true", "dates": "iso"}
	var list []string
	for i := range columns.Settings {
		key := columns.Settings[i].Key
		text, ok := r.Get(key)
		if want, isUsual := usual[key]; !ok || isUsual && text == want {
			continue
		}
		if text != "true" && strings.Trim(text, "0123456789") != "" || text == "" {
			text = `"` + strings.TrimPrefix(text, `\`) + `"`
			if key == "quote" && text != `""` {
				text = `"\""`
			}
		}
		list = append(list, key+":"+text)
	}
	return strings.Join(list, " ")
}

// keptTexts returns the cells of all rows as texts, without outer spaces.
func keptTexts(t *testing.T, l *Layout, text string) string {
	t.Helper()
	if l.unnamed {
		t.Fatal("a layout without names")
	}
	for i := range l.Columns {
		l = l.With(i, columns.AsKept)
	}
	s := open(t, l, text)
	var rows []string
	err := each(s, func(b *Block) {
		for row := range b.Rows() {
			var cells []string
			for i := range l.Columns {
				cells = append(cells, strings.TrimSpace(string(b.Text(row, i))))
			}
			rows = append(rows, strings.Join(cells, ";"))
		}
	})
	if err != nil && len(rows) > 0 {
		t.Fatal(err)
	}
	return strings.Join(rows, "/")
}

// TestUnnamedNumbers: an unnamed column that rises numbers the rows only if it is the first.
func TestUnnamedNumbers(t *testing.T) {
	l := mustSniff(t, "f.csv", ",a,,c\n1,1.5,2,x\n2,3.5,4,y\n3,2.5,6,x\n4,1.5,8,y\n")
	if l.Columns[0].Role != columns.AsKept || l.Columns[2].Role != columns.AsNumber {
		t.Errorf("got the roles %v and %v", l.Columns[0].Role, l.Columns[2].Role)
	}
}

// TestCommentBelow: a comment among the rows is a row that cannot be used, and the remedy is the setting.
func TestCommentBelow(t *testing.T) {
	_, rows, unused, err := read(t, "f.csv", "a,b\n1,2\n# pause\n3,4\n", columns.Reading{})
	const want = `f.csv, line 3: the row has 1 cell where the first has 2; set comment to "#" if it is none.`
	if err != nil || len(rows) != 2 || unused.Total != 1 || unused.First[0].Error() != want {
		t.Errorf("%q, %v, %v", rows, unused.First, err)
	}
}

// TestTypedTop: what is typed is not guessed, also if it is 0, none or false.
func TestTypedTop(t *testing.T) {
	for _, c := range []struct{ text, reading, rows string }{
		{"# x\n1,2,3\n3,4,5\n", `{"comment":"","header":false,"skip":0}`, "# x"},
		{"Sensors\na,b\n1,2\n3,4\n", `{"skip":2,"header":false}`, "1;2/3;4"},
		{"a,b\n1,2\n// no\n3,4\n", `{"comment":"//"}`, "1;2/3;4"},
		{"a,b\nx,1,2\ny,3,4\n", `{"rownames":false}`, ""},
		{"a,b\n1,2\n\"x\",3\n", `{"quote":""}`, "1;2/\"x\";3"},
	} {
		l := sniffAs(t, "f.csv", c.text, must(ParseReading([]byte(c.reading))))
		if rows := keptTexts(t, l, c.text); rows != c.rows {
			t.Errorf("%q as %s: %q, want %q", c.text, c.reading, rows, c.rows)
		}
	}
	for reading, want := range map[string]string{
		`{"skip":-1}`:  "skip must be a number of lines from 0 to 1000000, got -1",
		`{"skip":"1"}`: `skip must be a number of lines from 0 to 1000000, got "1"`,
		`{"rownames":true,"header":false}`: "rownames is true and header is false; rows without a header have no names " +
			"to be one short of",
		`{"format":"npy","comment":"#"}`: `comment is a setting of csv, libsvm, and format is "npy"; leave it out`,
	} {
		if _, err := ParseReading([]byte(reading)); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: got %v, want %s", reading, err, want)
		}
	}
}

// TestSkippedLIBSVM: the lines above the rows, comments, and odd lines of LIBSVM.
func TestSkippedLIBSVM(t *testing.T) {
	for name, c := range map[string]struct {
		text, reading string
		rows          int
		leftOut       int64
	}{
		"counts":             {"3 5 2\n1 1:1 2:2\n-1 3:1\n1 2:4\n", "{}", 3, 0},
		"counts, typed":      {"3 5 2\n1 1:1 2:2\n-1 3:1\n1 2:4\n", `{"format":"libsvm","skip":0}`, 3, 1},
		"lines above":        {"one\ntwo\n1 1:1 2:2\n-1 3:1\n", `{"format":"libsvm","skip":2}`, 2, 0},
		"percent":            {"% by hand\n1 1:1 2:2\n-1 3:1\n", `{"format":"libsvm","comment":"%"}`, 2, 0},
		"one odd of three":   {"1 1:1 2:2\n-1 3:\n1 2:4\n", "{}", 2, 1},
		"an odd one without": {"1 1:1 2:2\noops oops\n1 2:4\n", "{}", 2, 1},
	} {
		l, rows, unused, err := read(t, "f.data", c.text, must(ParseReading([]byte(c.reading))))
		if err != nil || l.Format != LIBSVM || len(rows) != c.rows || unused.Total != c.leftOut {
			t.Errorf("%s: %v, %q, %+v, %v", name, l, rows, unused, err)
		}
	}
	if l := mustSniff(t, "f.csv", "when,what\n10:30,a\n11:45,b\n12:15,a\n"); l.Format != CSV {
		t.Errorf("times are %v", l.Format)
	}
}

// TestWordsOnlyIfAsked: whole lines are words in the format text alone. Other texts are refused, and a column of texts
// is kept.
func TestWordsOnlyIfAsked(t *testing.T) {
	const lines = "a good day\na bad day\nno, not at all\n"
	for _, name := range []string{"f.txt", "f", "f.csv", "f.md", "f.txt.gz"} {
		text := lines
		if strings.HasSuffix(name, ".gz") {
			text = gzipped(lines)
		}
		if name == "f.csv" || name == "f" { // a comma in one line of three could be a delimiter there
			text = strings.ReplaceAll(lines, ",", "")
		}
		_, err := Sniff(name, []byte(text), true, columns.Reading{})
		if want := name + `, line 1: the lines are texts and no table, such as "a good day"; read it with format "text", ` +
			`which takes the words of each line, or with format "csv" and its delimiter.`; err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", name, err, want)
		}
		l := sniffAs(t, name, text, columns.Reading{Format: "text"})
		if l.Columns[0].Role != columns.AsWords || len(l.Notes()) != 1 || l.Notes()[0].Code != columns.NoteWords {
			t.Errorf("%s: %+v, %v", name, l.Columns, l.Notes())
		}
	}
	l := mustSniff(t, "f.csv", "anna\nbob\nzoe\n")
	if l.Columns[0].Role != columns.AsKept {
		t.Errorf("a column of texts gets the role %v", l.Columns[0].Role)
	}
	_, err := NewPreprocessing(l).Apply(l)
	if err == nil || !strings.HasPrefix(err.Error(), `f.csv: no column becomes a number: "column 1" (`) {
		t.Error(err)
	}
}

// TestOtherFiles: a file that is no table says what it is.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		"<!DOCTYPE html>\n<p>Sign in\n":                           "HTML",
		"\xef\xbb\xbf \n<html>\n":                                 "HTML",
		"<table border=1>\n":                                      "a table in HTML",
		"<?xml version=\"1.0\"?>\n<data/>\n":                      "the file is XML",
		"version https://git-lfs.github.com/spec/v1\noid\n":       "Git LFS",
		"%%MatrixMarket matrix coordinate real general\n1 1 1\n":  "Matrix Market",
		"% iris\n@RELATION iris\n@ATTRIBUTE x REAL\n@DATA\n5.1\n": "read it with format \"csv\", skip 4 and header false",
		"%PDF-1.7\n":                             "PDF",
		"SQLite format 3\x00........":            "SQLite",
		"{\\rtf1\\ansi\n":                        "RTF",
		"r\x02\x01\x00\x03\x00":                  "Stata",
		"\x80\x05\x953\x0d\x00\x00":              "pickle",
		"HEADER RECORD*******LIBRARY":            "SAS",
		"\xff\xfe\x00\x00a\x00\x00\x00":          "UTF-32",
		"INSERT INTO t VALUES (1, 'a');\n":       "SQL",
		"i\x00d\x00\t\x00\xb1\x03\n\x00\xc4\x00": "UTF-16 without",
		"X\n\x00\x00\x00\x03":                    "the file is of R",
		"RDX3\nX\n\x00\x00":                      "the file is of R",
		"RDA3\nA\n3\n262658\n197888\n":           "the file is of R",
		"A\n3\n262658\n197888\n5\n":              "the file is of R",
		"A\n2\n262658\n131840\n5\n":              "the file is of R",

		"TABLE\n0,1\n\"GNUMERIC\"\nVECTORS\n0,6\n\"\"\n":                           "the file is DIF",
		"TABLE\r\n0,1\r\n\"EXCEL\"\r\n":                                            "the file is DIF",
		"ID;PGnumeric;N;E\nP;PGeneral\nC;Y1;X1;K\"a\"\n":                           "the file is SYLK",
		"ID;PWXL;N;E\r\nP;PGeneral\r\n":                                            "the file is SYLK",
		"% by R\n\\begin{table}[ht]\n":                                             "the file is LaTeX",
		"%%%%\n%% by Gnumeric\n\n\\documentclass[12pt]{report}\n\\usepackage{x}\n": "the file is LaTeX",
		"<p></p><table border=1>\n<tr><td>1</td>\n":                                "a table in HTML",
	} {
		_, err := Sniff("f.csv", []byte(text), true, columns.Reading{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
	for _, text := range []string{"ID;Price\nP;3\nQ;4\n", "A\n3\n262658\n5\n", "RDX,n\n1,2\n3,4\n", "TABLE\n1\n2\n"} {
		mustSniff(t, "f.csv", text)
	}
	const arff = "% iris\n@relation iris\n@attribute x real\n@data\n5.1,a\n4.9,b\n"
	l := sniffAs(t, "f.arff", arff, columns.Reading{Format: "csv", Skip: new(4), Header: new(false)})
	if rows := keptTexts(t, l, arff); rows != "5.1;a/4.9;b" {
		t.Errorf("ARFF as its refusal says: %q", rows)
	}
}

// TestMisplacedQuotes: a file none of whose rows can be read says where, and which setting helps.
func TestMisplacedQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n\"1\"2,\"3\"\n\"2\"3,\"4\"\n": `f.csv, line 2, character 3: text follows a closing quote; ` +
			`write quotes inside a cell twice, or read the file with quote "" for none.`,
		"a,b\n\"1,2\n": "f.csv, line 2: a quote opens in this row and is never closed; close it or write it twice.",
	} {
		if _, err := Sniff("f.csv", []byte(text), true, columns.Reading{}); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// TestTSVOfAModel: a model made from a CSV reads the TSV of the same table, and another file's lines above the header
// are its own.
func TestTSVOfAModel(t *testing.T) {
	folder := cases.Folder(t, "files")
	train := must(os.ReadFile(filepath.Join(folder, "m_train.csv")))
	tabs := must(os.ReadFile(filepath.Join(folder, "m_tab.tsv")))
	l := must(SniffFile("m_train.csv", bytes.NewReader(train), columns.Reading{}))
	p := NewPreprocessing(l)
	for name, text := range map[string][]byte{"m_tab.tsv": tabs, "commented.csv": append([]byte("# v2\n"), train...),
		"titled.csv": append([]byte("Table 1\n\n"), train...), "m_train.csv": train} {
		l, err := p.SniffFile(name, bytes.NewReader(text), columns.Reading{})
		if err == nil {
			l, err = p.Apply(l)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if rows, unused, err := readAll(l, bytes.NewReader(text)); len(rows) != 300 || unused.Total > 0 || err != nil {
			t.Errorf("%s: %d rows, %+v, %v", name, len(rows), unused, err)
		}
	}
}

package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tensorsketch.example/dataset/plan"
)

// read sniffs and reads all of a file; a row is written as
// "texts|numbers|index:value …".
func read(t testing.TB, name, content string, o plan.Reading) (*Layout, []string, *Unused, error) {
	t.Helper()
	l, err := Sniff(name, []byte(content), true, o)
	if err != nil {
		return nil, nil, nil, err
	}
	rows, unused, err := readAll(t, l, strings.NewReader(content))
	return l, rows, unused, err
}

func readAll(t testing.TB, l *Layout, r io.Reader) ([]string, *Unused, error) {
	t.Helper()
	s, err := l.Open(r)
	if err != nil {
		return nil, nil, err
	}
	rows, err := sourceRows(s)
	return rows, s.Unused(), err
}

// sourceRows writes all rows of a source.
func sourceRows(s Source) ([]string, error) {
	var rows []string
	var b Block
	numbers, texts := s.Schema().Count()
	for {
		err := s.Next(&b)
		if err == io.EOF {
			return rows, nil
		}
		if err != nil {
			return rows, err
		}
		for i := range b.Rows() {
			var cells []string
			for k := range texts {
				cells = append(cells, string(b.Text(i, k)))
			}
			row := strings.Join(cells, ";") + "|" + fmt.Sprint(b.Numbers[i*numbers:(i+1)*numbers])
			if indices, values := b.Entries(i); s.Schema().Sparse {
				row += "|"
				for k := range indices {
					row += fmt.Sprintf("%d:%v ", indices[k], values[k])
				}
			}
			rows = append(rows, strings.TrimSpace(row))
		}
	}
}

func TestGoodCSV(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		rows []string
	}{
		"header and label": {"a,b,label\n1,2,x\n3,4.5,y\n", []string{"x|[1 2]", "y|[3 4.5]"}},
		"no header":        {"1,2\n3,4\n", []string{"|[1 2]", "|[3 4]"}},
		"CRLF":             {"a,b\r\n1,2\r\n3,4\r\n", []string{"|[1 2]", "|[3 4]"}},
		"byte order mark":  {"\xef\xbb\xbfa,b\n1,2\n", []string{"|[1 2]"}},
		"no last newline":  {"a,b\n1,2", []string{"|[1 2]"}},
		"empty lines":      {"a,b\n\n1,2\n\n3,4\n\n", []string{"|[1 2]", "|[3 4]"}},
		"quotes":           {"a,name\n1,\"x, \"\"y\"\"\"\n2,\"two\nlines\"\n", []string{"x, \"y\"|[1]", "two\nlines|[2]"}},
		"quoted numbers":   {"\"a\",\"b\"\n\"1\",\" 2 \"\n", []string{"|[1 2]"}},
		"a quoted header":  {"\"a\nb\",c\n1,2\n", []string{"|[1 2]"}},
		"semicolons":       {"a;b\n1;2.5\n", []string{"|[1 2.5]"}},
		"decimal commas":   {"a;b\n1;2,5\n", []string{"|[1 2.5]"}},
		"tabs":             {"a\tb\n1\t2\n", []string{"|[1 2]"}},
		"bars":             {"a|b\n1|2\n", []string{"|[1 2]"}},
		"spaces between":   {"1  2.5 3\n 4 5 6 \n", []string{"|[1 2.5 3]", "|[4 5 6]"}},
		"spaces and quotes": {"x y z k\n1 2 3 r\n" + strings.Repeat("4  5 6 s\n", 20) + "7\t8 9 \"u  v\"\n",
			append(append([]string{"r|[1 2 3]"}, slices.Repeat([]string{"s|[4 5 6]"}, 20)...), "u  v|[7 8 9]")},
		"one column":         {"7\n8\n", []string{"|[7]", "|[8]"}},
		"one row":            {"1,2,3\n", []string{"|[1 2 3]"}},
		"signs and exponent": {"a,b,c\n-1,+2,-1.5e-3\n", []string{"|[-1 2 -0.0015]"}},
		"spaces":             {"a,b\n 1 ,\t2\n", []string{"|[1 2]"}},
		"numbered columns":   {"0,1,2\n5,6,7\n8,9,10\n", []string{"|[5 6 7]", "|[8 9 10]"}},
		"an index column":    {",a\n0,5\n1,6\n", []string{"0|[5]", "1|[6]"}},
		"missing cells":      {"a,b,c\n1,,NA\nnan,2,null\n3,?,4\n", []string{"|[1 NaN NaN]", "|[NaN 2 NaN]", "|[3 NaN 4]"}},
		"only texts": {"name,colour\nu,red\nv,red\nw,blue\nx,blue\n",
			[]string{"u;red|[]", "v;red|[]", "w;blue|[]", "x;blue|[]"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, rows, unused, err := read(t, "f.csv", test.text, plan.Reading{})
			if err != nil || unused.Total != 0 || fmt.Sprint(rows) != fmt.Sprint(test.rows) {
				t.Errorf("got %q, unused %+v, %v; want %q", rows, unused, err, test.rows)
			}
		})
	}
}

// readAs is the reading that says the format alone, or nothing.
func readAs(format Format) plan.Reading {
	if format == AnyFormat {
		return plan.Reading{}
	}
	return plan.Reading{Format: format.String()}
}

// inUTF8 is readAs with the encoding typed.
func inUTF8(format Format) plan.Reading {
	r := readAs(format)
	r.Encoding = plan.UTF8
	return r
}

// badRow is a file with one row that cannot be used.
type badRow struct {
	text string
	used int
	want string // the sentence
}

// testBadRows: what cannot be used is listed and the rest is read.
func testBadRows(t *testing.T, file string, format Format, tests map[string]badRow) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, rows, unused, err := read(t, file, test.text, inUTF8(format))
			if err != nil || len(rows) != test.used || unused.Total != 1 || len(unused.First) != 1 {
				t.Fatalf("used %q, unused %+v, error %v", rows, unused, err)
			}
			if got := unused.First[0].Error(); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// testBadFiles: one sentence names the file, the place and what can be done.
func testBadFiles(t *testing.T, file string, format Format, tests map[string][2]string) {
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, rows, _, err := read(t, file, test[0], readAs(format))
			var problem *Problem
			if !errors.As(err, &problem) {
				t.Fatalf("got rows %q, error %v; want a Problem", rows, err)
			}
			if problem.Error() != test[1] {
				t.Errorf("got  %s\nwant %s", problem, test[1])
			}
		})
	}
}

func TestBadCSVRows(t *testing.T) {
	testBadRows(t, "f.csv", AnyFormat, map[string]badRow{
		"short row": {"a,b,c\n1,2,3\n4,5\n6,7,8\n", 2, `f.csv, line 3: ` +
			`the row has 2 cells where the first has 3; add or remove delimiters so that all rows are equally long.`},
		"long row": {"a,b\n1,2\n3,4,5\n", 1, `f.csv, line 3: the row has 3 cells where the first has 2; ` +
			`add or remove delimiters so that all rows are equally long.`},
		"a comma more": {"a,b\n1,2\n3,4,\n", 1, `f.csv, line 3: the row has 3 cells where the first has 2; ` +
			`add or remove delimiters so that all rows are equally long.`},
		"short and bad": {"a,b,c\n1,2,3\nx,5\n6,7,8\n", 2, `f.csv, line 3: ` +
			`the row has 2 cells where the first has 3; add or remove delimiters so that all rows are equally long.`},
		"text": {"a,width\n1,2\n3,abc\n4,5\n", 2, `f.csv, line 3, column 2 ("width"): ` +
			`"abc" is not a number; correct the cell, or use the column for something else than a number.`},
		"text, no header": {"1,2\n3,4\n5,abc\n", 2, `f.csv, line 3, column 2: "abc" is not a number; ` +
			`correct the cell, or use the column for something else than a number.`},
		"infinity": {"a,b\n1,2\ninf,4\n", 1, `f.csv, line 3, column 1 ("a"): "inf" is not a number; ` +
			`correct the cell, or use the column for something else than a number.`},
		"too large": {"a,b\n1,2\n1e309,4\n", 1, `f.csv, line 3, column 1 ("a"): "1e309" is too large for a ` +
			`64-bit float; correct the cell, or use the column for something else than a number.`},
		"bare quote": {"a,b\n1,2\n3\",4\n5,6\n", 2, `f.csv, line 3, character 2: ` +
			`a quote stands inside a cell that does not begin with one; write it twice and put the cell in quotes.`},
		"text after quote": {"a,b\n1,2\n\"3\"4,4\n5,6\n", 2,
			`f.csv, line 3, character 3: text follows a closing quote; write quotes inside a cell twice.`},
		"the same, last": {"a,b\n1,2\n\"3\"4,4", 1,
			`f.csv, line 3, character 3: text follows a closing quote; write quotes inside a cell twice.`},
		"line of a cell": {"a,n,b\n1,x,2\n3,\"y\nz\",q\n", 1, `f.csv, line 4, column 3 ("b"): ` +
			`"q" is not a number; correct the cell, or use the column for something else than a number.`},
		"not UTF-8": {"a,n\n1,x\n2,caf\xe9\n", 1,
			`f.csv, line 3, column 2 ("n"): the text is not UTF-8; ` + utf8Remedy + `.`},
		"mixed types": {"a\n1\n2\n3.5\nyes\n", 3, `f.csv, line 5, column 1 ("a"): "yes" is not a number; ` +
			`correct the cell, or use the column for something else than a number.`},
	})
}

func TestBadCSVFiles(t *testing.T) {
	testBadFiles(t, "f.csv", AnyFormat, map[string][2]string{
		"empty file": {"", "f.csv: the file is empty; choose one with at least one row."},
		"only newlines": {"\n\n\n", "f.csv: all lines of the file are blank; " +
			"choose a file with one row per line, cells separated by commas."},
		"header only": {"a,b,c\n",
			"f.csv, line 1: there is a header but no row below it; choose a file with at least one row."},
		"binary": {"\x89PNG\r\n\x1a\n\x00\x00", "f.csv, line 2, character 1: the byte 0x1a does not occur " +
			"in text, and the file is of no format known here; choose a text file, or export the table as CSV."},
		"zero byte": {"a,b\n1,\x00\n", "f.csv, line 2, character 3: the byte 0x00 does not occur in text, " +
			"and the file is of no format known here; choose a text file, or export the table as CSV."},
		"UTF-16 bare": {"a\x00,\x00b\x00\n\x00",
			"f.csv: the text is UTF-16 without a byte order mark; save it in UTF-8, or with the mark."},
		"workbook": {"PK\x03\x04\x00", "f.csv: the ZIP archive is damaged, or cut off; fetch or make it again."},
		"carriage return": {"a,b\r1,2\r",
			"f.csv: the lines end in a bare carriage return; save it with Unix or Windows line ends."},
		"all rows bad": {"a,b\n1,2,\n2,3,\n3,4,5\n", "f.csv, line 2: none of the 3 rows can be used: " +
			"the row has 3 cells where the first has 2; add or remove delimiters so that all rows are equally long."},
		"open quote": {"a,b\n1,2\n3,\"4\n5,6\n7,8\n",
			"f.csv, line 3: a quote opens in this row and is never closed; close it or write it twice."},
		"endless quote": {"a,b\n1,2\n3,\"4\n" + strings.Repeat("5,6\n", 3<<20), "f.csv, line 3: the row runs on " +
			"for more than 8 MB, as after a quote that is never closed; close the quote or write it twice."},
		"endless row": {"a,b\n1,2\n" + strings.Repeat("5,", 5<<20), "f.csv, line 3: the row runs on for more " +
			"than 8 MB, as after a quote that is never closed; close the quote or write it twice."},
	})
}

// TestLines: a row has the line it begins in, whatever stands before it.
func TestLines(t *testing.T) {
	const text = "a,name\r\n1,x\r\n\r\n2,\"two\r\nlines\"\r\nno number,y\r\n3,y\r\n"
	l, err := Sniff("f.csv", []byte(text), true, plan.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Open(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	var b Block
	if err := s.Next(&b); err != nil || !reflect.DeepEqual(b.Places, []int64{2, 4, 7}) {
		t.Errorf("lines %v, %v, want 2, 4, 7", b.Places, err)
	}
}

func TestUnusedRowsAreCountedAndTheFirstTwentyListed(t *testing.T) {
	_, rows, unused, err := read(t, "f.csv", "a,b\n1,2\n"+strings.Repeat("3\n", 1000)+"5,6\n", plan.Reading{})
	if err != nil || len(rows) != 2 || unused.Total != 1000 || len(unused.First) != 20 {
		t.Fatalf("used %d, unused %+v, %v", len(rows), unused, err)
	}
	if first, last := unused.First[0].Line, unused.First[19].Line; first != 3 || last != 22 {
		t.Errorf("listed lines %d to %d, want 3 to 22", first, last)
	}
}

// TestAnyReadSize: rows and problems of every format do not depend on how the
// bytes arrive.
func TestAnyReadSize(t *testing.T) {
	for name, content := range examples(t) {
		l, want, wantUnused, err := read(t, name, content, plan.Reading{})
		if err != nil {
			t.Fatal(name, err)
		}
		for way, wrap := range map[string]func(io.Reader) io.Reader{"one byte": iotest.OneByteReader,
			"half": iotest.HalfReader, "data with error": iotest.DataErrReader} {
			got, unused, err := readAll(t, l, wrap(strings.NewReader(content)))
			if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(unused, wantUnused) {
				t.Errorf("%s, %s: got %q, %v; want %q", name, way, got, err, want)
			}
		}
	}
}

func TestReadErrorsPassThrough(t *testing.T) {
	stopped := errors.New("stopped")
	for name, content := range examples(t) {
		l, err := Sniff(name, []byte(content), true, plan.Reading{})
		if err != nil {
			t.Fatal(name, err)
		}
		for _, cut := range []int{0, 3, len(content) / 2, len(content)} {
			_, _, err = readAll(t, l, io.MultiReader(strings.NewReader(content[:cut]), iotest.ErrReader(stopped)))
			if !errors.Is(err, stopped) {
				t.Errorf("%s after %d bytes: got %v, want %v", name, cut, err, stopped)
			}
		}
	}
}

// roles writes the roles of a layout as letters.
func roles(l *Layout) string {
	var b strings.Builder
	for _, c := range l.Columns {
		b.WriteByte("ncdwlki"[c.Role])
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	ints := func(row string) string { return strings.Repeat(row, 12) }
	for name, test := range map[string]struct{ text, want string }{
		"a name":                    {"class,a\n1.5,2\n", "ln"},
		"any case":                  {"a,Target\n1,2\n", "nl"},
		"the surest name":           {"y,a,label\n1,2,3\n", "nnl"},
		"y":                         {"a,y\n1,2\n", "nl"},
		"coordinates":               {"x,y\n1.5,2.5\n", "nn"},
		"few integers at the end":   {ints("1.5,0\n2.5,1\n"), "nl"},
		"few integers first":        {ints("0,1.5\n1,2.5\n"), "nn"},
		"too few rows":              {"1.5,0\n2.5,1\n", "nn"},
		"text with few values":      {ints("red,1\nblue,2.5\n"), "ln"},
		"text with many values":     {"name,a\nu,1\nv,2\nw,3\n", "kn"},
		"an empty column":           {"a,b\n1,\n2,\n", "ni"},
		"row numbers":               {"id,a\n7,1\n9,2\n", "kn"},
		"not row numbers":           {"id,a\n9,1\n7,2\n", "nn"},
		"the only numbers":          {"label\n1\n2\n", "n"},
		"few texts and few numbers": {ints("1,a\n2,b\n"), "nl"},
		"dates":                     {"when,a\n2026-01-02,1\n2026-01-03,2\n", "kn"},
		"texts alone":               {"name,colour,kind\nu,red,a\nv,red,a\nw,blue,b\nx,blue,b\n", "wcl"},
	} {
		l, err := Sniff("f.csv", []byte(test.text), true, plan.Reading{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if got := roles(l); got != test.want {
			t.Errorf("%s: roles %s, want %s", name, got, test.want)
		}
	}
}

func TestHeader(t *testing.T) {
	for text, want := range map[string]bool{
		"a,b\n1,2\n":             true,
		"1,2\n3,4\n":             false,
		"1,2,x\n3,4,y\n":         false,
		"?,2,3\n4,5,6\n7,8,9\n":  false, // one dirty cell is no header
		"a,b,label\n1,2,x\n":     true,
		"0,1,2,label\n5,6,7,8\n": true,
		"0,1,2\n0,1,2\n":         false,
		"a,b\nx,y\nz,y\n":        true, // texts that repeat below
		"x,y\nz,y\nz,w\n":        false,
	} {
		l, err := Sniff("f.csv", []byte(text), true, plan.Reading{})
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if l.Header != want {
			t.Errorf("%q: header %v, want %v", text, l.Header, want)
		}
	}
	for header, rows := range map[bool]int{true: 1, false: 2} {
		l, err := Sniff("f.csv", []byte("1,2\n3,4\n"), true, plan.Reading{Header: &header})
		if err != nil || l.Header != header || l.Rows != rows {
			t.Errorf("told %v: header %v, %d rows, %v", header, l.Header, l.Rows, err)
		}
	}
}

func TestColumns(t *testing.T) {
	l, err := Sniff("f.csv",
		[]byte("a,b,c,,when\n1,2.5,x,,2026-11-20\n,oops,y,,2026-11-21 10:00\n3,4,z,,soon\n"), true, plan.Reading{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{
		{"a", plan.Integer, plan.AsNumber, "1", 1, 0},
		{"b", plan.Number, plan.AsNumber, "2.5", 1, 0},
		{"c", plan.Text, plan.AsKept, "x", 0, 0},
		{"column 4", plan.Empty, plan.AsIgnored, "", 3, 0},
		{"when", plan.Date, plan.AsKept, "2026-11-20", 1, 0},
	}
	if !reflect.DeepEqual(l.Columns, want) {
		t.Errorf("got %+v\nwant %+v", l.Columns, want)
	}
}

func TestWith(t *testing.T) {
	l, err := Sniff("f.csv", []byte("a,b,label,n\n1,2,3,x\n4,5,6,y\n7,8,9,z\n"), true, plan.Reading{})
	if err != nil || roles(l) != "nnlk" {
		t.Fatal(roles(l), err)
	}
	for _, test := range []struct {
		got  *Layout
		want string
	}{
		{l.With(0, plan.AsLabel), "lnnk"},
		{l.With(3, plan.AsLabel), "nnnl"},
		{l.With(1, plan.AsIgnored), "nilk"},
		{l.WithLabel(-1), "nnnk"},
		{l.WithLabel(2), "nnlk"},
	} {
		if got := roles(test.got); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if roles(l) != "nnlk" {
		t.Error("With changed its receiver")
	}
}

func TestShortHead(t *testing.T) {
	for _, head := range []string{"a,b", "a,b\n", "a,b\n1,"} {
		if _, err := Sniff("f.csv", []byte(head), false, plan.Reading{}); !errors.Is(err, ErrShortHead) {
			t.Errorf("%q: got %v, want ErrShortHead", head, err)
		}
	}
	if l, err := Sniff("f.csv", []byte("a,b\n1,2\n3"), false, plan.Reading{}); err != nil || l.Rows != 1 {
		t.Errorf("got %+v, %v; want one row", l, err)
	}
}

// data opens a file of the folder that the tests share, or skips.
func data(t *testing.T, name string) *os.File {
	t.Helper()
	folder := os.Getenv("TENSORSKETCH_DATA")
	if folder == "" {
		folder = "../../shared/data"
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		t.Skip(name, " is not there: ", err)
	}
	t.Cleanup(func() { file.Close() })
	return file
}

// fileRows sniffs the head of a file, and reads all of it.
func fileRows(t *testing.T, file *os.File) (*Layout, []string) {
	t.Helper()
	head := make([]byte, 256<<10)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	l, sniffError := Sniff(filepath.Base(file.Name()), head[:n], err != nil, plan.Reading{})
	if sniffError != nil {
		t.Fatal(sniffError)
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	rows, unused, err := readAll(t, l, file)
	if err != nil || unused.Total != 0 {
		t.Fatal(err, unused)
	}
	return l, rows
}

func TestDigits(t *testing.T) {
	l, rows := fileRows(t, data(t, "digits.csv"))
	if got := l.Columns[l.Label()].Name; got != "digit" || len(l.Indexes(plan.AsNumber)) != 64 || !l.Header {
		t.Fatalf("label %q, %d numbers, header %v", got, len(l.Indexes(plan.AsNumber)), l.Header)
	}
	if len(rows) != 5620 || !strings.HasPrefix(rows[0], "0|[0 1 6 ") {
		t.Errorf("%d rows, the first %s", len(rows), rows[0])
	}
}

// TestNumbers: strconv reads the same float64, or neither reads one.
func TestNumbers(t *testing.T) {
	for _, text := range []string{"0", "-0", "+0", "1", "12345678901234567890", "9007199254740993", "0.1", ".5", "5.",
		".", "-", "1e", "1e+", "1e5", "1E-5",
		"1e22", "1e23", "1e-22", "1e-23", "123456789012345678e-22", "4503599627370497.5", "1.7976931348623157e308",
		"1e-324", "2.2250738585072011e-308",
		"1e400", "1_000", "0x10", "inf", "nan", "1.2.3", "1e5e5", "--1", "+-1", "0000000000000000000000001",
		"0.000000000000000000000000000001", "1e00005", "1e99999"} {
		checkNumber(t, text)
	}
}

func checkNumber(t *testing.T, text string) {
	t.Helper()
	got, reason := parseNumber([]byte(text), '.')
	want, err := strconv.ParseFloat(text, 64)
	if strings.ContainsAny(text, "xXpP_nNiI") {
		err = strconv.ErrSyntax
	}
	if (reason == "") != (err == nil) || err == nil && (got != want || 1/got != 1/want) {
		t.Errorf("%q: got %v %q, want %v, %v", text, got, reason, want, err)
	}
}

func FuzzNumber(f *testing.F) {
	for _, seed := range []string{"1", "-0.5e-3", "9007199254740993", "1e22", "12345678901234567890123"} {
		f.Add(seed)
	}
	f.Fuzz(checkNumber2)
}

func checkNumber2(t *testing.T, text string) { checkNumber(t, text) }

// FuzzDate: what time.Parse reads as one of the layouts, and writes so, is read as the
// same second; and what is read lies in the years 1 to 9999.
func FuzzDate(f *testing.F) {
	for _, seed := range []string{"2026-11-20", "2026-11-20T19:17", "2026-11-20 19:17:20.5+01:00",
		"2024-02-29T23:59:59Z", "2023-02-29", "0000-01-01", "2026-11-20T24:00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := parseISODate([]byte(text))
		if ok && !(got >= -62135596800-86400 && got <= 253402300800+86400) {
			t.Errorf("%q: %v seconds are beyond the years 1 to 9999", text, got)
		}
		for _, day := range []string{"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
			"2006-01-02T15:04:05", "2006-01-02T15:04"} {
			want, err := time.Parse(day, text)
			if err != nil || want.Year() < 1 || want.Format(day) != text {
				continue // time.Parse takes an hour of one digit, and a zone of 60 minutes
			}
			if !ok || math.Floor(got) != float64(want.Unix()) {
				t.Errorf("%q: got %v, %v; want %d", text, got, ok, want.Unix())
			}
		}
	})
}

// FuzzCSV: encoding/csv cuts a file into the same cells.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "\xef\xbb\xbfa,b\r\n\"1\",2\r\n", "1,\"2\n3",
		"a,\"b\r\nc\"\"d\"\n\"e\"f,g\n", "\r\n,\n\"\"\n", "a\rb,c\r\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := &Layout{Name: "f.csv", Format: CSV, Comma: ',', Quote: '"', Guessed: []string{"header"}}
		got := l.firstRows(data, sniffRows)
		oracle := csv.NewReader(bytes.NewReader(append(bytes.TrimPrefix(data, byteOrderMark), '\n')))
		oracle.FieldsPerRecord = -1
		for i := 0; ; i++ {
			want, err := oracle.Read()
			if err == io.EOF {
				if i != len(got) && i < sniffRows {
					t.Fatalf("row %d: got %q, want the end", i, got[i])
				}
				return
			}
			if err != nil {
				i--
				continue
			}
			if i >= len(got) {
				if i < sniffRows {
					t.Fatalf("row %d: got the end, want %q", i, want)
				}
				return
			}
			if !reflect.DeepEqual(got[i], want) {
				t.Fatalf("row %d: got %q, want %q", i, got[i], want)
			}
		}
	})
}

// FuzzRead: any file of any format ends in rows, in a Problem, or in the error that
// names the package for Parquet and Arrow; and rows hold no infinity.
func FuzzRead(f *testing.F) {
	own := []Format{AnyFormat, CSV, JSONLines, LIBSVM, NPY, IDX, PlainText}
	f.Add([]byte("\xff\xff\xff\xff"), uint8(0)) // as an Arrow stream begins
	for _, seed := range examples(f) {
		for format := range own {
			f.Add([]byte(seed), uint8(format))
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		l, err := Sniff("f", data, true, readAs(own[int(format)%len(own)]))
		var problem *Problem
		var noCodec *NoCodecError
		if err != nil {
			if !errors.As(err, &problem) && !errors.As(err, &noCodec) {
				t.Fatalf("Sniff: %v is no Problem", err)
			}
			return
		}
		s, err := l.Open(bytes.NewReader(data))
		var b Block
		for err == nil {
			if err = s.Next(&b); err != nil {
				break
			}
			for _, x := range b.Numbers {
				if !isFinite(x) && x == x {
					t.Fatalf("the number %v is infinite", x)
				}
			}
			for i := range b.Rows() {
				indices, values := b.Entries(i)
				for k := range indices {
					if indices[k] < 0 || k > 0 && indices[k] <= indices[k-1] || !isFinite(values[k]) {
						t.Fatalf("entries %v %v", indices, values)
					}
				}
			}
		}
		if err != io.EOF && !errors.As(err, &problem) {
			t.Fatalf("%v is no Problem", err)
		}
	})
}

// numericCSV is a file of float32 numbers as data frames write them, of ints and of
// small numbers.
func numericCSV(rows int) string {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h\n")
	for i := range rows {
		for j := range 8 {
			if j > 0 {
				text.WriteByte(',')
			}
			fmt.Fprint(&text, float32(i*j%1000)/float32(j*j+1)*float32(1-j&1*2))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func BenchmarkCSV(b *testing.B) {
	doubles := "a,b,c\n" + strings.Repeat("0.12345678901234567,-3.1415926535897931,2.7182818284590452e-05\n", 10000)
	for name, text := range map[string]string{
		"numbers": numericCSV(20000), "pixels": strings.Repeat("0,0,0,12,255,253,0,0,0,0,0,84,0,0,0,0\n", 20000),
		"doubles": doubles,
		"quoted":  strings.Repeat("\"0.5\",\"7\",\"x\"\n", 50000), "texts": strings.Repeat("0.5,7,some words here\n", 50000),
	} {
		b.Run(name, func(b *testing.B) {
			l, err := Sniff("f.csv", []byte(text[:min(len(text), 256<<10)]), len(text) <= 256<<10, plan.Reading{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			var block Block
			for b.Loop() {
				s, err := l.Open(strings.NewReader(text))
				for err == nil {
					err = s.Next(&block)
				}
				if err != io.EOF || s.Unused().Total > 0 {
					b.Fatal(err, s.Unused())
				}
			}
		})
	}
}

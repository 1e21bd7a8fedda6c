package csvfile

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// read sniffs and reads all of a file; the rows are written as
// "label|kept|features".
func read(t *testing.T, text string) (*Layout, []string, Unused, error) {
	t.Helper()
	l, err := Sniff("f.csv", []byte(text), true, GuessHeader)
	if err != nil {
		return nil, nil, Unused{}, err
	}
	r := NewReader(strings.NewReader(text), l)
	var rows []string
	for {
		row, err := r.Next()
		if err == io.EOF {
			return l, rows, r.Unused(), nil
		}
		if err != nil {
			return l, rows, r.Unused(), err
		}
		rows = append(rows, fmt.Sprintf("%s|%s|%v", row.Label, strings.Join(row.Kept, ";"), row.Features))
	}
}

func TestGoodFiles(t *testing.T) {
	for name, test := range map[string]struct {
		text string
		rows []string
	}{
		"header and label":   {"a,b,label\n1,2,x\n3,4.5,y\n", []string{"x||[1 2]", "y||[3 4.5]"}},
		"no header":          {"1,2\n3,4\n", []string{"||[1 2]", "||[3 4]"}},
		"CRLF":               {"a,b\r\n1,2\r\n3,4\r\n", []string{"||[1 2]", "||[3 4]"}},
		"byte order mark":    {"\xef\xbb\xbfa,b\n1,2\n", []string{"||[1 2]"}},
		"no last newline":    {"a,b\n1,2", []string{"||[1 2]"}},
		"empty lines":        {"a,b\n\n1,2\n\n3,4\n\n", []string{"||[1 2]", "||[3 4]"}},
		"quotes":             {"a,name\n1,\"x, \"\"y\"\"\"\n2,\"two\nlines\"\n", []string{"|x, \"y\"|[1]", "|two\nlines|[2]"}},
		"quoted numbers":     {"\"a\",\"b\"\n\"1\",\" 2 \"\n", []string{"||[1 2]"}},
		"semicolons":         {"a;b\n1;2.5\n", []string{"||[1 2.5]"}},
		"decimal commas":     {"a;b\n1;2,5\n", []string{"||[1 2.5]"}},
		"tabs":               {"a\tb\n1\t2\n", []string{"||[1 2]"}},
		"one column":         {"7\n8\n", []string{"||[7]", "||[8]"}},
		"one row":            {"1,2,3\n", []string{"||[1 2 3]"}},
		"signs and exponent": {"a,b,c\n-1,+2,-1.5e-3\n", []string{"||[-1 2 -0.0015]"}},
		"numbered columns":   {"0,1,2\n5,6,7\n8,9,10\n", []string{"||[5 6 7]", "||[8 9 10]"}},
		"an index column":    {",a\n0,5\n1,6\n", []string{"|0|[5]", "|1|[6]"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, rows, unused, err := read(t, test.text)
			if err != nil || unused.Total != 0 || fmt.Sprint(rows) != fmt.Sprint(test.rows) {
				t.Errorf("got %q, unused %d, %v; want %q", rows, unused.Total, err, test.rows)
			}
		})
	}
}

// TestBadRows: what cannot be used is listed and the rest is read.
func TestBadRows(t *testing.T) {
	for name, test := range map[string]struct {
		text   string
		used   int
		unused string // the sentence of the first
	}{
		"short row":        {"a,b,c\n1,2,3\n4,5\n6,7,8\n", 2, `f.csv, line 3: the row has 2 cells where the first has 3; add or remove delimiters so that all rows are equally long.`},
		"long row":         {"a,b\n1,2\n3,4,5\n", 1, `f.csv, line 3: the row has 3 cells where the first has 2; add or remove delimiters so that all rows are equally long.`},
		"text":             {"a,width\n1,2\n3,abc\n4,5\n", 2, `f.csv, line 3, column 2 ("width"): "abc" is not a number; correct the cell, or do not use the column as a feature.`},
		"text, no header":  {"1,2\n3,4\n5,abc\n", 2, `f.csv, line 3, column 2: "abc" is not a number; correct the cell, or do not use the column as a feature.`},
		"empty cell":       {"a,b\n1,2\n,4\n", 1, `f.csv, line 3, column 1 ("a"): the cell is empty; fill it, or do not use the column as a feature.`},
		"NaN":              {"a,b\n1,2\nNaN,4\n", 1, `f.csv, line 3, column 1 ("a"): "NaN" is not a number; correct the cell, or do not use the column as a feature.`},
		"too large":        {"a,b\n1,2\n1e39,4\n", 1, `f.csv, line 3, column 1 ("a"): "1e39" is too large for a 32-bit float; correct the cell, or do not use the column as a feature.`},
		"bare quote":       {"a,b\n1,2\n3\",4\n5,6\n", 2, `f.csv, line 3, character 2: a quote stands inside a cell that does not begin with one; write it twice and put the cell in quotes.`},
		"text after quote": {"a,b\n1,2\n\"3\"4,4\n5,6\n", 2, `f.csv, line 3, character 3: text follows a closing quote; write quotes inside a cell twice.`},
		"the same, last":   {"a,b\n1,2\n\"3\"4,4", 1, `f.csv, line 3, character 3: text follows a closing quote; write quotes inside a cell twice.`},
		"line of a cell":   {"a,n,b\n1,x,2\n3,\"y\nz\",q\n", 1, `f.csv, line 4, column 3 ("b"): "q" is not a number; correct the cell, or do not use the column as a feature.`},
	} {
		t.Run(name, func(t *testing.T) {
			_, rows, unused, err := read(t, test.text)
			if err != nil || len(rows) != test.used || unused.Total != 1 || len(unused.First) != 1 {
				t.Fatalf("used %q, unused %+v, error %v", rows, unused, err)
			}
			if got := unused.First[0].Error(); got != test.unused {
				t.Errorf("got  %s\nwant %s", got, test.unused)
			}
		})
	}
}

// TestBadFiles: one sentence names the file, the place and what can be done.
func TestBadFiles(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"empty file":      {"", "f.csv: the file is empty; choose one with at least one row of numbers."},
		"only newlines":   {"\n\n\n", "f.csv: the file has no rows; choose a file with one row per line, cells separated by commas."},
		"header only":     {"a,b,c\n", "f.csv, line 1: there is a header but no row below it; choose a file with at least one row of numbers."},
		"no numbers":      {"a,b\nx,y\nz,w\n", "f.csv: no column holds numbers; choose a file with at least one column of numbers."},
		"binary":          {"\x89PNG\r\n\x1a\n\x00\x00", "f.csv, line 2, character 1: the byte 0x1a does not occur in text, so this is not a CSV file; choose a text file, or export the table as CSV."},
		"zero byte":       {"a,b\n1,\x00\n", "f.csv, line 2, character 3: the byte 0x00 does not occur in text, so this is not a CSV file; choose a text file, or export the table as CSV."},
		"UTF-16 mark":     {"\xff\xfea\x00,\x00b\x00\n\x00", "f.csv: the text is UTF-16; save it as CSV in UTF-8."},
		"UTF-16 bare":     {"a\x00,\x00b\x00\n\x00", "f.csv: the text is UTF-16; save it as CSV in UTF-8."},
		"gzip":            {"\x1f\x8b\x08\x00", "f.csv: the file is compressed with gzip; unpack it first."},
		"workbook":        {"PK\x03\x04\x00", "f.csv: the file is a workbook or a ZIP archive; unpack it, or save the sheet as CSV."},
		"carriage return": {"a,b\r1,2\r", "f.csv: the lines end in a bare carriage return; save it with Unix or Windows line ends."},
		"all rows bad":    {"a,b\n1,\n2,\n,3\n", "f.csv, line 2, column 2 (\"b\"): none of the 3 rows can be used: the cell is empty; fill it, or do not use the column as a feature."},
		"open quote":      {"a,b\n1,2\n3,\"4\n5,6\n7,8\n", "f.csv, line 3: a quote opens in this row and is never closed; close it or write it twice."},
		"endless quote":   {"a,b\n1,2\n3,\"4\n" + strings.Repeat("5,6\n", 3<<20), "f.csv, line 3: the row runs on for more than 8 MB, as after a quote that is never closed; close the quote or write it twice."},
		"endless row":     {"a,b\n1,2\n" + strings.Repeat("5,", 5<<20), "f.csv, line 3: the row runs on for more than 8 MB, as after a quote that is never closed; close the quote or write it twice."},
	} {
		t.Run(name, func(t *testing.T) {
			_, rows, _, err := read(t, test.text)
			var problem *Problem
			if !errors.As(err, &problem) {
				t.Fatalf("got rows %q, error %v; want a Problem", rows, err)
			}
			if problem.Error() != test.want {
				t.Errorf("got  %s\nwant %s", problem, test.want)
			}
		})
	}
}

// TestLines: a row has the line it begins in, whatever stands before it.
func TestLines(t *testing.T) {
	const text = "a,name\r\n1,x\r\n\r\n2,\"two\r\nlines\"\r\n,no number\r\n3,y\r\n"
	l, err := Sniff("f.csv", []byte(text), true, GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	r := NewReader(strings.NewReader(text), l)
	for _, want := range []int{2, 4, 7} {
		row, err := r.Next()
		if err != nil || row.Line != want {
			t.Errorf("line %d, %v, want %d", row.Line, err, want)
		}
	}
}

func TestUnusedRowsAreCountedAndTheFirstTwentyListed(t *testing.T) {
	_, rows, unused, err := read(t, "a,b\n1,2\n"+strings.Repeat("3,\n", 1000)+"5,6\n")
	if err != nil || len(rows) != 2 || unused.Total != 1000 || len(unused.First) != 20 {
		t.Fatalf("used %d, unused %d, listed %d, %v", len(rows), unused.Total, len(unused.First), err)
	}
	if first, last := unused.First[0].Line, unused.First[19].Line; first != 3 || last != 22 {
		t.Errorf("listed lines %d to %d, want 3 to 22", first, last)
	}
}

// TestAnyReadSize: rows and their lines do not depend on how the bytes arrive.
func TestAnyReadSize(t *testing.T) {
	text := "\xef\xbb\xbfa,b,label\r\n1,2,\"x\ny\"\r\n3,,z\r\n4,5,w"
	l, want, wantUnused, err := read(t, text)
	if err != nil {
		t.Fatal(err)
	}
	for name, wrap := range map[string]func(io.Reader) io.Reader{"one byte": iotest.OneByteReader, "half": iotest.HalfReader, "data with error": iotest.DataErrReader} {
		r := NewReader(wrap(strings.NewReader(text)), l)
		var got []string
		for {
			row, err := r.Next()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%s|%s|%v", row.Label, strings.Join(row.Kept, ";"), row.Features))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || r.Unused().First[0].Error() != wantUnused.First[0].Error() {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}

func TestReadErrorsPassThrough(t *testing.T) {
	l, err := Sniff("f.csv", []byte("a,b\n1,2\n"), true, GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("stopped")
	r := NewReader(io.MultiReader(strings.NewReader("a,b\n1,2\n3,"), iotest.ErrReader(stopped)), l)
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Next(); !errors.Is(err, stopped) {
		t.Errorf("got %v, want %v", err, stopped)
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "a;b\n1;2,5\n", "\xef\xbb\xbfa\tb\r\n\"1\"\t2\r\n", "1,\"2\n3", "0,1,2\n3,4,5\n", ",a\n0,1\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := Sniff("f.csv", data, true, GuessHeader)
		if err != nil {
			var problem *Problem
			if !errors.As(err, &problem) {
				t.Fatalf("Sniff: %v is no Problem", err)
			}
			return
		}
		r := NewReader(strings.NewReader(string(data)), l)
		for {
			row, err := r.Next()
			if err != nil {
				var problem *Problem
				if err != io.EOF && !errors.As(err, &problem) {
					t.Fatalf("Next: %v is no Problem", err)
				}
				return
			}
			if len(row.Features) != len(l.Indexes(Feature)) {
				t.Fatalf("a row of %d features, layout has %d", len(row.Features), len(l.Indexes(Feature)))
			}
			for _, x := range row.Features {
				if x-x != 0 {
					t.Fatalf("feature %v is not finite", x)
				}
			}
		}
	})
}

package dataset

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/cases"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/test/slow"
)

// must is for what is not under test.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// each calls f with every block of a source, or batch of a reader.
func each[B any](s interface{ Next(*B) error }, f func(*B)) error {
	var b B
	for {
		if err := s.Next(&b); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		f(&b)
	}
}

// asText is the reading that a text of sentences needs, by the name of a file; of other files it is empty.
func asText(name string) columns.Reading {
	if strings.HasSuffix(name, ".txt") {
		return columns.Reading{Format: "text"}
	}
	return columns.Reading{}
}

// sniffAs returns the layout of a whole file in a reading.
func sniffAs(t testing.TB, name, content string, r columns.Reading) *Layout {
	t.Helper()
	l, err := Sniff(name, []byte(content), true, r)
	if err != nil {
		t.Fatalf("%s: %.200q: %v", name, content, err)
	}
	return l
}

func mustSniff(t testing.TB, name, content string) *Layout {
	t.Helper()
	return sniffAs(t, name, content, asText(name))
}

func open(t testing.TB, l *Layout, content string) Source {
	t.Helper()
	s, err := l.Open(strings.NewReader(content))
	if err != nil {
		t.Fatal(l.Name, err)
	}
	return s
}

// read sniffs and reads all of a file; a row is written as
// "texts|numbers|index:value …".
func read(t testing.TB, name, content string, o columns.Reading) (*Layout, []string, *Unused, error) {
	t.Helper()
	l, err := Sniff(name, []byte(content), true, o)
	if err != nil {
		return nil, nil, nil, err
	}
	rows, unused, err := readAll(l, strings.NewReader(content))
	return l, rows, unused, err
}

func readAll(l *Layout, r io.Reader) (rows []string, unused *Unused, err error) {
	s, err := l.Open(r)
	if err != nil {
		return nil, nil, err
	}
	err = each(s, func(b *Block) {
		for i := range b.Rows() {
			rows = append(rows, rowText(s, b, i))
		}
	})
	return rows, s.Unused(), err
}

func rowText(s Source, b *Block, i int) string {
	numbers, texts := s.Schema().Count()
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
	return strings.TrimSpace(row)
}

// bad is a file with one row that cannot be used, beside others that are used, or one that cannot be read at all.
type bad struct {
	text string
	used int
}

// testBad: one sentence names the file, the place and what can be done. What cannot be used is listed and the rest is
// read.
func testBad(t *testing.T, file string, format Format, tests map[string]bad) {
	problems := map[string]error{}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			reading := columns.Reading{Format: string(format)}
			if test.used > 0 {
				reading.Encoding = columns.UTF8
			}
			_, rows, unused, err := read(t, file, test.text, reading)
			var problem *Problem
			if test.used == 0 {
				errors.As(err, &problem)
			} else if err == nil && len(rows) == test.used && unused.Total == 1 && len(unused.First) == 1 {
				problem = unused.First[0]
			}
			if problem == nil {
				t.Fatalf("used %q, unused %+v, error %v", rows, unused, err)
			}
			problems[file+", "+name] = problem
		})
	}
	golden.Errors(t, problems)
}

// What several sentences end in.
const (
	endlessRow = ": the row runs on for more than 8 MB, as after a quote that is never closed; " +
		"close the quote or write it twice."
	damaged = " data is damaged; fetch or compress it again."
)

func TestBadCSV(t *testing.T) {
	slow.Emulated(t)
	testBad(t, "f.csv", AnyFormat, map[string]bad{
		"short row":        {"a,b,c\n1,2,3\n4,5\n6,7,8\n", 2},
		"long row":         {"a,b\n1,2\n3,4,5\n", 1},
		"a comma more":     {"a,b\n1,2\n3,4,\n", 1},
		"short and bad":    {"a,b,c\n1,2,3\nx,5\n6,7,8\n", 2},
		"text":             {"a,width\n1,2\n3,abc\n4,5\n", 2},
		"text, no header":  {"1,2\n3,4\n5,abc\n", 2},
		"infinity":         {"a,b\n1,2\ninf,4\n", 1},
		"too large":        {"a,b\n1,2\n1e309,4\n", 1},
		"bare quote":       {"a,b\n1,2\n3\",4\n5,6\n", 2},
		"text after quote": {"a,b\n1,2\n\"3\"4,4\n5,6\n", 2},
		"the same, last":   {"a,b\n1,2\n\"3\"4,4", 1},
		"line of a cell":   {"a,n,b\n1,x,2\n3,\"y\nz\",q\n", 1},
		"not UTF-8":        {"a,n\n1,x\n2,caf\xe9\n", 1},
		"mixed types":      {"a\n1\n2\n3.5\nyes\n", 3},

		"empty file":      {"", 0},
		"only newlines":   {"\n\n\n", 0},
		"header only":     {"a,b,c\n", 0},
		"binary":          {"\x89PNG\r\n\x1a\n\x00\x00", 0},
		"zero byte":       {"a,b\n1,\x00\n", 0},
		"UTF-16 bare":     {"a\x00,\x00b\x00\n\x00", 0},
		"workbook":        {"PK\x03\x04\x00", 0},
		"carriage return": {"a,b\r1,2\r", 0},
		"all rows bad":    {"a,b\n1,2,\n2,3,\n3,4,5\n", 0},
		"open quote":      {"a,b\n1,2\n3,\"4\n5,6\n7,8\n", 0},
		"endless quote":   {"a,b\n1,2\n3,\"4\n" + strings.Repeat("5,6\n", 3<<20), 0},
		"endless row":     {"a,b\n1,2\n" + strings.Repeat("5,", 5<<20), 0},
	})
}

// TestLines: a row has the line it begins in, whatever stands before it.
func TestLines(t *testing.T) {
	const text = "a,name\r\n1,x\r\n\r\n2,\"two\r\nlines\"\r\nno number,y\r\n3,y\r\n"
	l := mustSniff(t, "f.csv", text)
	s := open(t, l, text)
	var b Block
	if err := s.Next(&b); err != nil || !reflect.DeepEqual(b.Places, []int64{2, 4, 7}) {
		t.Errorf("lines %v, %v, want 2, 4, 7", b.Places, err)
	}
}

func TestUnusedRowsAreCountedAndTheFirstTwentyListed(t *testing.T) {
	_, rows, unused, err := read(t, "f.csv", "a,b\n1,2\n"+strings.Repeat("3\n", 1000)+"5,6\n", columns.Reading{})
	if err != nil || len(rows) != 2 || unused.Total != 1000 || len(unused.First) != 20 {
		t.Fatalf("used %d, unused %+v, %v", len(rows), unused, err)
	}
	if first, last := unused.First[0].Line, unused.First[19].Line; first != 3 || last != 22 {
		t.Errorf("listed lines %d to %d, want 3 to 22", first, last)
	}
}

// TestAnyReadSize: rows and problems of every format do not depend on how the
// bytes arrive, and an error of the reader passes through.
func TestAnyReadSize(t *testing.T) {
	stopped := errors.New("stopped")
	for name, content := range examples(t) {
		l, want, wantUnused, err := read(t, name, content, asText(name))
		if err != nil {
			t.Fatal(name, err)
		}
		for way, wrap := range map[string]func(io.Reader) io.Reader{"one byte": iotest.OneByteReader,
			"half": iotest.HalfReader, "data with error": iotest.DataErrReader} {
			got, unused, err := readAll(l, wrap(strings.NewReader(content)))
			if err != nil || !reflect.DeepEqual(got, want) || !reflect.DeepEqual(unused, wantUnused) {
				t.Errorf("%s, %s: got %q, %v; want %q", name, way, got, err, want)
			}
		}
		for _, cut := range []int{0, 3, len(content) / 2, len(content)} {
			_, _, err := readAll(l, io.MultiReader(strings.NewReader(content[:cut]), iotest.ErrReader(stopped)))
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
		"row numbers of customers":  {"Customer_ID,a\n7,1\n9,2\n", "kn"},
		"the only numbers":          {"label\n1\n2\n", "n"},
		"few texts and few numbers": {ints("1,a\n2,b\n"), "nl"},
		"dates":                     {"when,a\n2026-01-02,1\n2026-01-03,2\n", "dn"},
		"dates and a gap":           {"when,a\n2026-01-02,1\n,3\n2026-01-03,2\n", "kn"},
		"texts that recur":          {"a,colour,label\n" + ints("1.5,red,x\n2.5,blue,y\n"), "ncl"},
		"one text":                  {"a,colour,label\n" + ints("1.5,red,x\n2.5,red,y\n"), "nkl"},
		"true and false":            {"a,smoker,label\n" + ints("1.5,true,x\n2.5,false,y\n"), "nnl"},
		"true and false at the end": {"a,churn\n" + ints("1.5,true\n2.5,false\n"), "nl"},
		"true and false last":       {"a,region,churn\n" + ints("1.5,north,true\n2.5,south,false\n"), "ncl"},
		"names of rows":             {"name,colour,kind\nu,red,a\nv,red,a\nw,blue,b\nx,blue,b\n", "kcl"},
		"sentences":                 {"text,colour,kind\nu v,red,a\nv w,red,a\nw x,blue,b\nx y,blue,b\n", "wcl"},
		"words alone":               {"name,kind\nu,a\nv,a\nw,b\nx,b\n", "wl"},
	} {
		if got := roles(mustSniff(t, "f.csv", test.text)); got != test.want {
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
		if l := mustSniff(t, "f.csv", text); l.Header != want {
			t.Errorf("%q: header %v, want %v", text, l.Header, want)
		}
	}
	for header, rows := range map[bool]int{true: 1, false: 2} {
		if l := sniffAs(t, "f.csv", "1,2\n3,4\n", columns.Reading{Header: &header}); l.Header != header || l.Rows != rows {
			t.Errorf("told %v: header %v, %d rows", header, l.Header, l.Rows)
		}
	}
}

func TestColumns(t *testing.T) {
	l := mustSniff(t, "f.csv", "a,b,c,,when\n1,2.5,x,,2026-11-20\n,oops,y,,2026-11-21 10:00\n3,4,z,,soon\n")
	want := []Column{
		{Name: "a", Type: columns.Integer, Role: columns.AsNumber, Example: "1", Odd: 1},
		{Name: "b", Type: columns.Number, Role: columns.AsNumber, Example: "2.5", Odd: 1},
		{Name: "c", Type: columns.Text, Role: columns.AsKept, Example: "x"},
		{Name: "column 4", Type: columns.Empty, Role: columns.AsIgnored, Odd: 3},
		{Name: "when", Type: columns.Date, Role: columns.AsKept, Example: "2026-11-20", Odd: 1},
	}
	for i := range l.Columns {
		l.Columns[i].usual, l.Columns[i].unused, l.Columns[i].Values = 0, unusedColumn{}, ""
	}
	if !reflect.DeepEqual(l.Columns, want) {
		t.Errorf("got %+v\nwant %+v", l.Columns, want)
	}
}

func TestWith(t *testing.T) {
	l := mustSniff(t, "f.csv", "a,b,label,n\n1,2,3,x\n4,5,6,y\n7,8,9,z\n")
	for _, test := range []struct {
		got  *Layout
		want string
	}{
		{l.With(0, columns.AsLabel), "lnnk"},
		{l.With(3, columns.AsLabel), "nnnl"},
		{l.With(1, columns.AsIgnored), "nilk"},
		{l.WithLabel(-1), "nnnk"},
		{l.WithLabel(2), "nnlk"},
		{l, "nnlk"}, // With does not change its receiver
	} {
		if got := roles(test.got); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}

}

func TestShortHead(t *testing.T) {
	for _, head := range []string{"a,b", "a,b\n", "a,b\n1,"} {
		if _, err := Sniff("f.csv", []byte(head), false, columns.Reading{}); !errors.Is(err, ErrShortHead) {
			t.Errorf("%q: got %v, want ErrShortHead", head, err)
		}
	}
	if l, err := Sniff("f.csv", []byte("a,b\n1,2\n3"), false, columns.Reading{}); err != nil || l.Rows != 1 {
		t.Errorf("got %+v, %v; want one row", l, err)
	}
}

// fileRows reads a file of the folder that the tests share, or skips.
func fileRows(t *testing.T, name string) (l *Layout, rows int, first string) {
	t.Helper()
	content, err := os.ReadFile(cases.Data(t, name))
	if err != nil {
		t.Fatal(err)
	}
	if l, err = Sniff(name, content[:min(len(content), 256<<10)], len(content) <= 256<<10, columns.Reading{}); err != nil {
		t.Fatal(err)
	}
	s := open(t, l, string(content))
	err = each(s, func(b *Block) {
		if rows == 0 {
			first = rowText(s, b, 0)
		}
		rows += b.Rows()
	})
	if err != nil || s.Unused().Total != 0 {
		t.Fatal(err, s.Unused())
	}
	return l, rows, first
}

func TestDigits(t *testing.T) {
	l, rows, first := fileRows(t, "digits.csv")
	if got := l.Columns[l.Label()].Name; got != "digit" || len(l.Indexes(columns.AsNumber)) != 64 || !l.Header {
		t.Fatalf("label %q, %d numbers, header %v", got, len(l.Indexes(columns.AsNumber)), l.Header)
	}
	if rows != 5620 || !strings.HasPrefix(first, "0|[0 1 6 ") {
		t.Errorf("%d rows, the first %s", rows, first)
	}
}

// FuzzNumber: strconv reads the same float64, or neither reads one.
func FuzzNumber(f *testing.F) {
	for _, text := range []string{"0", "-0", "+0", "1", "12345678901234567890", "9007199254740993", "0.1", ".5", "5.",
		".", "-", "1e", "1e+", "1e5", "1E-5",
		"1e22", "1e23", "1e-22", "1e-23", "123456789012345678e-22", "4503599627370497.5", "1.7976931348623157e308",
		"1e-324", "2.2250738585072011e-308",
		"1e400", "1_000", "0x10", "inf", "nan", "1.2.3", "1e5e5", "--1", "+-1", "0000000000000000000000001",
		"0.000000000000000000000000000001", "1e00005", "1e99999", "-0.5e-3", "12345678901234567890123"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, reason := parseNumber([]byte(text), '.')
		want, err := strconv.ParseFloat(text, 64)
		if strings.ContainsAny(text, "xXpP_nNiI") {
			err = strconv.ErrSyntax
		}
		if (reason == "") != (err == nil) || err == nil && (got != want || 1/got != 1/want) {
			t.Errorf("%q: got %v %q, want %v, %v", text, got, reason, want, err)
		}
	})
}

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

// FuzzCSV: encoding/csv cuts a file into the same cells, unless spaces or = stand beside a quote.
func FuzzCSV(f *testing.F) {
	for _, seed := range []string{"a,b\n1,2\n", "\xef\xbb\xbfa,b\r\n\"1\",2\r\n", "1,\"2\n3",
		"a,\"b\r\nc\"\"d\"\n\"e\"f,g\n", "\r\n,\n\"\"\n", "a\rb,c\r\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		l := &Layout{Name: "f.csv", Format: CSV, Comma: ',', Quote: '"', Guessed: []string{"header"}}
		if bytes.Contains(data, []byte(` "`)) || bytes.Contains(data, []byte(`" `)) || bytes.Contains(data, []byte(`="`)) {
			return
		}
		top := l.firstRows(data, sniffRows)
		got := top.rows
		if top.cut { // a first row that cannot be read may be a header
			got = got[1:]
		}
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
			l, err := Sniff("f.csv", []byte(text[:min(len(text), 256<<10)]), len(text) <= 256<<10, columns.Reading{})
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				s := open(b, l, text)
				if err := each(s, func(*Block) {}); err != nil || s.Unused().Total > 0 {
					b.Fatal(err, s.Unused())
				}
			}
		})
	}
}

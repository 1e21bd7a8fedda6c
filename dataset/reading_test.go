package dataset

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/test/golden"
)

// TestNumberSigns: most cells that leave no doubt decide the signs of numbers, in
// whatever column they stand, and an odd cell does not change the others.
func TestNumberSigns(t *testing.T) {
	many := func(head string, rows ...string) string {
		return head + "\n" + strings.Repeat(strings.Join(rows, "\n")+"\n", 10)
	}
	for name, c := range map[string]struct {
		text               string
		decimal, thousands string
		want               string // the first row
	}{
		"German thousands beside decimals": {many("a;b", "1.234;12,50", "2.345.678;0,5"), ",", ".", "|[1234 12.5]"},
		"one foreign cell": {many("a;b;note", "1,5;12,50;x", "2,5;0,5;y") + "3,5;1,5;2.0\n", ",",
			"", "x|[1.5 12.5]"},
		"German money":                {many("a;b", "4.462,04;1", "0,99;2"), ",", ".", "|[4462.04 1]"},
		"English thousands":           {many("a;b", "4,462.04;1", "1,000;2"), ".", ",", "|[4462.04 1]"},
		"English thousands in quotes": {many("a,b", "\"4,462.04\",1", "\"1,000\",2"), ".", ",", "|[4462.04 1]"},
		"German decimals in quotes":   {many("a,b", "\"12,50\",1", "\"1,5\",2"), ",", "", "|[12.5 1]"},
		"Swiss":                       {many("a;b", "1'234.5;1", "1’000’000.25;2"), ".", "'", "|[1234.5 1]"},
		"French": {many("a;b", "1 234,5;1", "1\u00a0234,5;2", "1\u202f234,5;2"), ",",
			" ", "|[1234.5 1]"},
		"a doubt":                     {many("a;b", "1.234;x", "5.678;y"), ".", "", "x|[1.234]"},
		"no doubt before a point":     {many("a;b", "0.123;1.234", "0.456;5.678"), ".", "", "|[0.123 1.234]"},
		"a point without a delimiter": {many("a,b", "1.5,2", "2.5,3"), ".", "", "|[1.5 2]"},
		"half a doubt":                {many("a;b", "1,234;x", "5,678;y"), ",", "", "x|[1.234]"},
		"thousands alone":             {many("a;b", "1.234.567;7", "2.345.678;8"), ",", ".", "|[1.234567e+06 7]"},
		"no header, commas in each":   {strings.Repeat("1,5;2,25\n", 9), ",", "", "|[1.5 2.25]"},
		"euros":                       {many("a;b", "1.234,50 €;1", "-€ 7;2"), ",", ".", "|[1234.5 1]"},
		"dollars":                     {many("a,b", "$5.25,1", "-$7,2"), ".", "", "|[5.25 1]"},
		"Indian":                      {many("a,b", "\"12,34,567\",1", "\"1,00,000.50\",2"), ".", ",", "|[1.234567e+06 1]"},
		"percent":                     {many("a,b", "12.5%,1", "7 %,2"), ".", "", "|[0.125 1]"},
	} {
		l := mustSniff(t, "f.csv", c.text)
		for i := range l.Columns { // a last column of few integers passes for the label
			if l.Columns[i].Role == columns.AsLabel {
				l = l.With(i, l.Columns[i].Type.UsualRole())
			}
		}
		rows, unused, err := readAll(l, strings.NewReader(c.text))
		if err != nil || unused.Total > 0 {
			t.Errorf("%s: %v, %v", name, unused.First, err)
			continue
		}
		r := l.Reading()
		if r.Decimal != c.decimal || *r.Thousands != c.thousands || rows[0] != c.want {
			t.Errorf("%s: decimal %q, thousands %q, first row %s; want %q, %q, %s", name, r.Decimal, *r.Thousands,
				rows[0], c.decimal, c.thousands, c.want)
		}
		if !slices.Contains(l.Guessed, "decimal") || !slices.Contains(l.Guessed, "thousands") {
			t.Errorf("%s: guessed %q", name, l.Guessed)
		}
	}
}

// TestNumbersOfAReading: what a cell is in a reading, and that it is the nearest float64.
func TestNumbersOfAReading(t *testing.T) {
	german, english, swiss, french := numberStyle{',', '.', true, ""}, numberStyle{'.', ',', true, ""},
		numberStyle{'.', '\'', true, ""}, numberStyle{',', ' ', true, ""}
	for _, c := range []struct {
		cell  string
		style numberStyle
		want  float64
	}{
		{"1.234.567,89", german, 1234567.89}, {"1234567,89", german, 1234567.89}, {"-1.234", german, -1234},
		{"1,5e3", german, 1500},
		{"1,234,567.89", english, 1234567.89}, {"+1,234", english, 1234}, {"12,34,567.5", english, 1234567.5},
		{"1,00,00,000", english, 1e7}, {"0.1", english, 0.1},
		{"1'234.5", swiss, 1234.5}, {"1’234.5", swiss, 1234.5}, {"1 234,5", french, 1234.5},
		{"1\u00a0234\u202f567,5", french, 1234567.5}, {"1\u2009234", french, 1234}, {"\u22125", english, -5},
		{"$1,234.50", english, 1234.5}, {"-$3", english, -3}, {"$-3", english, -3}, {"3 €", german, 3},
		{"€3,5", german, 3.5}, {"£ 2", english, 2},
		{"50%", english, 0.5}, {"12,5 %", german, 0.125}, {"0.1%", english, 0.001}, {"-7%", english, -0.07},
		{",5", german, 0.5},
	} {
		if x, reason := c.style.parse([]byte(c.cell)); reason != "" || x != c.want {
			t.Errorf("%q with %c and %c: %v, %q; want %v", c.cell, c.style.decimal, c.style.thousands, x, reason, c.want)
		}
	}
	for _, c := range []struct {
		cell  string
		style numberStyle
	}{
		{"1.23", german}, {"1234.567", german}, {"12.34.567", german}, {".234", german}, {"1..234", german},
		{"1.234.", german}, {"1,2,3", german}, {"0.551", german}, {"0,551", english}, {"-0,551", english},
		{"1,23", english}, {"12,34,56", english}, {"123,45,678", english}, {"1,23,456,789", english},
		{"1,234,56,789", english}, {"1.234.567", english}, {"$", english}, {"%", english},
		{"$5%", english}, {"$$5", english}, {"5$$", english},
		{"--5", english}, {"5-", english}, {"1e5%", english}, {"1 234", english}, {"", english}, {"$ -", english},
		{"1'23", swiss}, {"x€", german},
	} {
		if x, reason := c.style.parse([]byte(c.cell)); reason == "" {
			t.Errorf("%q with %c and %c is %v", c.cell, c.style.decimal, c.style.thousands, x)
		}
	}
}

// TestOddNumbers: a cell that is no number in the reading is odd, counted and listed with
// its place, and the column stays one of numbers.
func TestOddNumbers(t *testing.T) {
	text := "a;b\n" + strings.Repeat("1,5;2,5\n", 20) + "2.0;3,5\n"
	l, rows, unused, err := read(t, "f.csv", text, columns.Reading{})
	if err != nil || l.Columns[0].Type != columns.Number || l.Columns[0].Odd != 1 || len(rows) != 20 {
		t.Fatalf("%+v, %d rows, %v", l.Columns[0], len(rows), err)
	}
	const want = `f.csv, line 22, column 1 ("a"): "2.0" is not a number; ` +
		`correct the cell, or use the column for something else than a number.`
	if unused.Total != 1 || unused.First[0].Error() != want {
		t.Errorf("got %v, want %s", unused.First, want)
	}
	for cell, remedy := range map[string]string{
		"2,5":       `read the file with {decimal} ","`,
		"1.234,5":   `read the file with {decimal} "," and {thousands} "."`,
		"4,632":     `read the file with {thousands} "," or {decimal} ","`,
		"12,345.67": `read the file with {thousands} ","`,
		"1,234,567": `read the file with {thousands} ","`,
		"x":         "use the column for something else than a number",
	} { // of a file that is read as another one was
		text := strings.Repeat("1.5;2\n", 20) + cell + ";3\n"
		_, _, unused, err := read(t, "f.csv", text, columns.Reading{Delimiter: ";", Decimal: ".", Thousands: new(string)})
		if err != nil || unused.Total != 1 || unused.First[0].Remedy != "correct the cell, or "+remedy {
			t.Errorf("%q: %v, %+v, want %s", cell, err, unused.First, remedy)
		}
	}
}

// TestSignsOfAColumn: a column is one of numbers where nearly all carry one sign.
func TestSignsOfAColumn(t *testing.T) {
	for name, c := range map[string]struct {
		cells string
		want  columns.Type
	}{
		"all dollars": {"$1 $2 $3", columns.Number}, "two currencies": {"$1 €2 $3", columns.Text},
		"half of them": {"$1 $2 3 $4 5 6 $7", columns.Text}, "words": {"$ $a b%", columns.Text},
		"every second percent": {"1% 2 3% 4", columns.Text}, "a plain 0": {"1% 2% 3% 4% 5% 6% 7% 8% 9% 0", columns.Number},
	} {
		text := "a,b\n"
		for cell := range strings.FieldsSeq(c.cells) {
			text += cell + ",1\n"
		}
		if l := mustSniff(t, "f.csv", text); l.Columns[0].Type != c.want {
			t.Errorf("%s: %v", name, l.Columns[0].Type)
		}
	}
}

// TestBothSigns: a column in which no cell tells the decimal sign from the one between thousands is read with a note on
// both, since half of its numbers may be 1,000 times too small. A cell that tells leaves the note on one.
func TestBothSigns(t *testing.T) {
	const cells = "p,y\n1.932,3\n\"7,534\",4\n5.357,5\n\"6,859\",4\n"
	const both = `column "p" has two signs among its first cells: in 2 cells such as "7,534" it is taken to stand ` +
		`between thousands, in 2 such as "1.932" before decimals; write all with one decimal sign`
	for text, want := range map[string]string{
		cells:                       both,
		cells + "812,3\n":           both,
		cells + "1.5,3\n":           "",
		cells + "\"1,234,567\",3\n": "",
	} {
		var got []string
		for _, n := range mustSniff(t, "f.csv", text).Notes() {
			got = append(got, n.String())
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// TestPercentOfSome: a column whose numbers have % here and there is text, and says so.
func TestPercentOfSome(t *testing.T) {
	const want = `column "a" is read as text, because 2 of its first 4 numbers end in %, and others do not; ` +
		`write the sign in all of them, or write 46.5% as 0.465`
	l := mustSniff(t, "f.csv", "a,b\n1%,1\n2,2\n3%,3\n4,4\n")
	if n := l.Notes(); len(n) != 1 || n[0].String() != want {
		t.Errorf("notes %v", n)
	}
}

// TestNumbersAmongTexts: a column of numbers and some words is text, and says so.
func TestNumbersAmongTexts(t *testing.T) {
	const want = `column "lab" is read as text, because 8 of its first 20 cells, such as "<0.01", are no numbers; ` +
		`give it the role number to leave such rows out, or write numbers`
	l := mustSniff(t, "f.csv", "lab,b\n"+strings.Repeat("0.5,1\n<0.01,2\n3.2,3\n0.5,1\n>100,4\n", 4))
	if n := l.Notes(); len(n) != 1 || n[0].String() != want {
		t.Errorf("notes %v", n)
	}
}

// TestControlCharacters: a few control characters, which come from damaged letters, leave a text a text. They stay
// in their cells, and a note counts the ones in the first rows. Many, one in the header, or a zero byte make it binary.
func TestControlCharacters(t *testing.T) {
	rows := strings.Repeat("1,the vehicle of the entity\n2,another one\n", 20)
	const remedy = "; save the file anew in UTF-8 if letters are damaged"
	for text, want := range map[string]string{
		"n,what\n" + rows + "3,the entity\x19s vehicle\n" + rows: "the first rows have 1 control character, " +
			"such as 0x19 in line 42" + remedy,
		"n,what\n3,the\x1a entity\x19s\n" + rows: "the first rows have 2 control characters, such as " +
			"0x1a in line 2" + remedy,
	} {
		l := mustSniff(t, "f.csv", text)
		if n := l.Notes(); len(n) != 1 || n[0].String() != want || n[0].Code != columns.NoteControls {
			t.Errorf("notes %v, want %q", n, want)
		}
		if _, rows, _, err := read(t, "f.csv", text, columns.Reading{}); err != nil ||
			!strings.Contains(strings.Join(rows, "\n"), "entity\x19s") {
			t.Errorf("read %q, %v", rows, err)
		}
	}
	for _, text := range []string{"n,\x19what\n" + rows, "n,what\n" + rows + "3,\x00\n" + rows,
		"n,what\n" + rows + strings.Repeat("3,\x01\x02\x03\n", 20)} {
		if _, err := Sniff("f.csv", []byte(text), true, columns.Reading{}); err == nil ||
			!strings.Contains(err.Error(), "does not occur in text") {
			t.Errorf("%q: %v", text[:9], err)
		}
	}
}

// TestDatesOfTwoKinds: a column that needs an order of dates has one, also beside a column of ISO 8601.
func TestDatesOfTwoKinds(t *testing.T) {
	text := "made,when,v\n"
	for i := range 20 {
		text += fmt.Sprintf("2026-01-%02d,%d.1.2026,1.2.2026 or so\n", i+1, i+1)
	}
	l := mustSniff(t, "f.csv", text)
	if l.Dates != columns.DayMonthYear || roles(l) != "ddk" {
		t.Errorf("dates %s, roles %s", l.Dates, roles(l))
	}
	few := mustSniff(t, "f.csv", "made,note,v\n2026-01-02,13.1.2026,1\n2026-01-03,none,2\n2026-01-04,no,3\n")
	if few.Dates != columns.ISODates {
		t.Errorf("a few: dates %s", few.Dates)
	}
}

// TestDateOrder: the dates that leave no doubt decide the order.
func TestDateOrder(t *testing.T) {
	for name, c := range map[string]struct {
		cells []string
		want  string
		first float64 // seconds since 1970
	}{
		"ISO":           {[]string{"2026-11-20", "2026-01-02"}, columns.ISODates, 1795132800},
		"German":        {[]string{"20.11.2026", "1.2.2026"}, columns.DayMonthYear, 1795132800},
		"British":       {[]string{"20/11/2026 19:17", "01/02/2026 00:00"}, columns.DayMonthYear, 1795132800 + 69420},
		"American":      {[]string{"11/20/2026", "1/2/2026"}, columns.MonthDayYear, 1795132800},
		"American time": {[]string{"11/20/2026 7:17 PM", "1/2/2026 12:05 AM"}, columns.MonthDayYear, 1795132800 + 69420},
		"Dutch":         {[]string{"20-11-2026", "01-02-2026"}, columns.DayMonthYear, 1795132800},
		"doubt, point":  {[]string{"02.01.1970", "03.01.1970"}, columns.DayMonthYear, 86400},
		"doubt, slash":  {[]string{"01/02/1970", "01/03/1970"}, columns.MonthDayYear, 86400},
	} {
		text := "when,b\n" + strings.Join(c.cells, ",1\n") + ",2\n"
		l := mustSniff(t, "f.csv", text)
		if l.Dates != c.want || l.Columns[0].Type != columns.Date {
			t.Errorf("%s: dates %s, type %v; want %s", name, l.Dates, l.Columns[0].Type, c.want)
			continue
		}
		l = l.With(0, columns.AsDate).With(1, columns.AsIgnored)
		rows, reader, err := vectors(t, l, text, NewPreprocessing(l))
		if want := float32(c.first / 86400); err != nil || reader.Unused().Total > 0 || rows[0][0] != want {
			t.Errorf("%s: %v, %v, %v; want %v", name, rows, reader.Unused(), err, want)
		}
	}
	for _, cell := range []string{"1.2.26", "32.1.2026", "1.13.2026", "29.2.2025", "1.2/2026", "1.2.2026x",
		"1.2.2026 24:00", "1.2.2026 13:00 PM", "1.2.2026 0:00 AM", "1.2.20266", ".2.2026", "1..2026"} {
		if x, ok := parseDate([]byte(cell), columns.DayMonthYear); ok {
			t.Errorf("%q is the time %v", cell, x)
		}
	}
	for _, dates := range []string{columns.ISODates, columns.DayMonthYear, columns.MonthDayYear} {
		if _, ok := parseDate([]byte("2026-11-20T19:17Z"), dates); !ok {
			t.Errorf("%s takes no ISO date", dates)
		}
	}
}

// TestEncodings: 300 rows with umlauts are read in every encoding, with the same places, in
// whatever pieces the file comes.
func TestEncodings(t *testing.T) {
	var text strings.Builder
	text.WriteString("größe;stadt;label\n")
	for i := range 300 {
		fmt.Fprintf(&text, "%d,5;Zürich „%d“ €;%d\n", i, i, i%3)
	}
	wide := utf16.Encode([]rune(text.String()))
	little, _ := binary.Append([]byte(littleEndianMark), binary.LittleEndian, wide)
	big, _ := binary.Append([]byte(bigEndianMark), binary.BigEndian, wide)
	var narrow []byte
	for _, r := range text.String() {
		if i := slices.Index(windows1252[:], r); i >= 0 {
			narrow = append(narrow, byte(0x80+i))
		} else {
			narrow = append(narrow, byte(r))
		}
	}
	want, _, err := readAll(mustSniff(t, "f.csv", text.String()), strings.NewReader(text.String()))
	if err != nil || len(want) != 300 {
		t.Fatal(len(want), err)
	}
	for name, c := range map[string]struct{ content, encoding string }{
		"UTF-8": {text.String(), columns.UTF8}, "UTF-8 with a mark": {"\ufeff" + text.String(), columns.UTF8},
		"UTF-16LE": {string(little), columns.UTF16}, "UTF-16BE": {string(big), columns.UTF16},
		"Windows-1252": {string(narrow), columns.Windows1252},
	} {
		l, rows, unused, err := read(t, "f.csv", c.content, columns.Reading{})
		if err != nil || unused.Total > 0 || l.Encoding != c.encoding || !slices.Contains(l.Guessed, "encoding") ||
			!slices.Equal(rows, want) {
			t.Errorf("%s: %q, %d rows, %v, %v", name, l.Encoding, len(rows), unused.First, err)
			continue
		}
		if l.Columns[0].Name != "größe" || math.Abs(l.BytesPerRow*301-float64(len(c.content))) > 8 {
			t.Errorf("%s: column %q, %v bytes in a row", name, l.Columns[0].Name, l.BytesPerRow)
		}
		for _, pieces := range []int{1, 2, 3, 7, 4096} {
			if rows, _, err := readAll(l, &inPieces{strings.NewReader(c.content), pieces}); err != nil ||
				!slices.Equal(rows, want) {
				t.Errorf("%s in pieces of %d: %d rows, %v", name, pieces, len(rows), err)
			}
		}
	}
	// Other formats, and what is said where the encoding is typed otherwise.
	for name, text := range map[string]string{"f.jsonl": "{\"a\":1,\"s\":\"caf\xe9\"}\n{\"a\":2,\"s\":\"th\xe9\"}\n",
		"f.svm": "caf\xe9 1:2\nth\xe9 1:3\n", "f.txt": "un caf\xe9\nun th\xe9\n"} {
		if _, rows, unused, err := read(t, name, text, asText(name)); err != nil || len(rows) != 2 || unused.Total > 0 ||
			!strings.Contains(rows[0], "café") {
			t.Errorf("%s: %q, %v, %v", name, rows, unused, err)
		}
	}
	_, rows, unused, err := read(t, "f.csv", string(narrow), columns.Reading{Encoding: columns.UTF8, Delimiter: ";"})
	if err == nil && (len(rows) != 0 || unused.Total == 0 || !strings.Contains(unused.First[0].Error(), "windows-1252")) {
		t.Errorf("typed as UTF-8: %d rows, %v", len(rows), unused)
	}
	if _, err := readUTF16("a,b\n1,2\n"); err == nil || !strings.Contains(err.Error(), "byte order mark") {
		t.Errorf("UTF-16 without a mark: %v", err)
	}
	for text, want := range map[string]string{littleEndianMark + "\x3d\xd8": "\ufffd",
		littleEndianMark + "\x3d\xd8a\x00": "\ufffda", littleEndianMark + "\x3d\xd8\x00\xdc": "\U0001f400",
		bigEndianMark + "\x00a\x00": "a\ufffd", littleEndianMark: ""} {
		if got, err := readUTF16(text); err != nil || got != want {
			t.Errorf("%x: %q, %v, want %q", text, got, err, want)
		}
	}
}

func readUTF16(text string) (string, error) {
	got, err := io.ReadAll(decode(strings.NewReader(text), columns.UTF16, "f"))
	return string(got), err
}

// inPieces reads a number of bytes at a time.
type inPieces struct {
	r io.Reader
	n int
}

func (p *inPieces) Read(to []byte) (int, error) { return p.r.Read(to[:min(p.n, len(to))]) }

// TestOneBadByteIsNotAnEncoding: a file of UTF-8 with one broken row stays that.
func TestOneBadByteIsNotAnEncoding(t *testing.T) {
	text := "a,b\n" + strings.Repeat("1,Zürich\n", 20) + "2,Z\xfcrich\n"
	l, rows, unused, err := read(t, "f.csv", text, columns.Reading{})
	if err != nil || l.Encoding != columns.UTF8 || len(rows) != 20 || unused.Total != 1 {
		t.Errorf("%q, %d rows, %v, %v", l.Encoding, len(rows), unused, err)
	}
}

// TestBase: the base that is typed, or the training file's, holds for a shard whose
// indices do not say it.
func TestBase(t *testing.T) {
	const train, shard = "1 0:1 2:5\n0 1:3\n", "1 1:2 2:7\n0 1:4\n"
	l := mustSniff(t, "train.svm", train)
	p := NewPreprocessing(l)
	if l.Base != 0 || !slices.Equal(l.Guessed, []string{"format", "compression", "encoding", "base"}) {
		t.Fatalf("base %d, guessed %q", l.Base, l.Guessed)
	}
	fit(t, l, train, p)
	var back Preprocessing
	if err := back.UnmarshalJSON([]byte(marshal(t, p))); err != nil {
		t.Fatal(err)
	}
	next, err := back.SniffFile("shard.svm", strings.NewReader(shard), columns.Reading{})
	if err != nil || next.Base != 0 || !slices.Equal(next.Guessed, []string{"format", "compression"}) {
		t.Fatalf("%+v, %v", next, err)
	}
	rows, _, err := vectors(t, next, shard, &back)
	if err != nil || fmt.Sprint(rows) != "[[0 2 7] [0 4 0]]" {
		t.Errorf("%v, %v", rows, err)
	}
	if typed, err := back.SniffFile("shard.svm", strings.NewReader(shard),
		columns.Reading{Base: new(1)}); err != nil || typed.Base != 1 {
		t.Errorf("typed: %+v, %v", typed, err)
	}
}

// TestHeaderOfAModel: with a model the first row is a header where it names the columns.
func TestHeaderOfAModel(t *testing.T) {
	const train = "colour,shape\nred,round\nblue,square\nred,square\nblue,round\nred,round\n"
	l := mustSniff(t, "train.csv", train).WithLabel(-1).With(0, columns.AsCategory).With(1, columns.AsCategory)
	p := NewPreprocessing(l)
	fit(t, l, train, p)
	for _, reading := range []*columns.Reading{p.Reading, nil} { // nil: a model of version 1
		p.Reading = reading
		const one = "colour,shape\nred,round\n"
		next, err := p.SniffFile("one.csv", strings.NewReader(one), columns.Reading{})
		if err != nil || !next.Header {
			t.Errorf("%+v, %v", next, err)
			continue
		}
		if rows, _, err := vectors(t, next, one, p); err != nil || fmt.Sprint(rows) != "[[0 1 1 0]]" {
			t.Errorf("%v, %v", rows, err)
		}
	}
}

// TestReadingOfAModel: a model reads a file of the same format as its own, of another one
// what applies, and what is typed wins.
func TestReadingOfAModel(t *testing.T) {
	const train = "a;b\n1.234,5;1\n2,5;2\n"
	l := mustSniff(t, "train.csv", train).WithLabel(-1).With(0, columns.AsNumber).With(1, columns.AsNumber)
	p := NewPreprocessing(l)
	for _, c := range []struct {
		name, text string
		typed      columns.Reading
		want       string
	}{
		{"new.csv", "a;b\n1.234;1\n", columns.Reading{}, "[[1234 1]]"},
		{"new.csv", "a;b\n1.234;1\n", columns.Reading{Thousands: new(""), Decimal: "."}, "[[1.234 1]]"},
		{"new.jsonl", "{\"a\":1.234,\"b\":5}\n", columns.Reading{}, "[[1.234 5]]"},
	} {
		next, err := p.SniffFile(c.name, strings.NewReader(c.text), c.typed)
		if err != nil {
			t.Error(err)
			continue
		}
		if rows, _, err := vectors(t, next, c.text, p); err != nil || fmt.Sprint(rows) != c.want {
			t.Errorf("%s: %v, %v, want %s", c.name, rows, err, c.want)
		}
	}
}

// TestSeparatorLine: Excel's first line says the delimiter, and is no row.
func TestSeparatorLine(t *testing.T) {
	for _, text := range []string{"sep=;\r\na;b\r\n1,5;2\r\n3,5;4\r\n", "\ufeffsep=;\na;b\n1,5;2\n3,5;4\n",
		"\"sep=;\"\na;b\n1,5;2\n3,5;4\n"} {
		l, rows, unused, err := read(t, "f.csv", text, columns.Reading{})
		if err != nil || l.Comma != ';' || !l.Header || l.Columns[0].Name != "a" || len(rows) != 2 || unused.Total != 0 {
			t.Errorf("%q: %+v, %q, %v, %v", text, l, rows, unused, err)
		}
	}
	header := "sep=;\na;b\n1;2\n"
	r := mustSniff(t, "f.csv", header).Reading()
	if l, rows, unused, err := read(t, "f.csv", header, r); err != nil || l.Columns[0].Name != "a" || unused.Total != 0 {
		t.Errorf("typed: %q, %v, %v", rows, unused, err)
	}
}

// TestQuotes: none, apostrophes, and what is guessed.
func TestQuotes(t *testing.T) {
	for _, c := range []struct {
		text  string
		quote *string
		want  string
		found byte
	}{
		{"a,b\n'x,y',1\n'it''s',2\n", nil, "[x,y|[1] it's|[2]]", '\''},
		{"a,b\nit's,1\nthat's,2\n", nil, "[it's|[1] that's|[2]]", '"'},
		{"a;b\n5\" pipe;1\n6\" pipe;2\n", new(""), "[5\" pipe|[1] 6\" pipe|[2]]", 0},
		{"a,b\n\"x,y\",1\n\"z\",2\n", nil, "[x,y|[1] z|[2]]", '"'},
	} {
		l, err := Sniff("f.csv", []byte(c.text), true, columns.Reading{Quote: c.quote, Header: new(true)})
		if err != nil {
			t.Error(err)
			continue
		}
		l = l.WithLabel(-1).With(0, columns.AsKept).With(1, columns.AsNumber)
		if rows, _, err := readAll(l, strings.NewReader(c.text)); err != nil || fmt.Sprint(rows) != c.want ||
			l.Quote != c.found {
			t.Errorf("%q: %q with %q, %v; want %s", c.text, rows, l.Quote, err, c.want)
		}
	}
}

// TestTypedKeys: with typed keys a row that differs is a problem of its own.
func TestTypedKeys(t *testing.T) {
	r := columns.Reading{Keys: []columns.Key{{Name: "a"}, {Name: "v", Length: 2}}}
	text := "{\"v\":\n{\"v\":[1]}\n{\"a\":1,\"v\":[1,2]}\n{\"a\":2,\"z\":1}\n{\"v\":[3,4]}\n{\"a\":3,\"v\":7}\n"
	l := sniffAs(t, "f.jsonl", text, r)
	l = l.WithLabel(-1).With(0, columns.AsNumber)
	rows, unused, err := readAll(l, strings.NewReader(text))
	if err != nil || fmt.Sprint(rows) != "[|[1 1 2] |[NaN 3 4]]" || unused.Total != 4 {
		t.Errorf("%q, %v, %v", rows, unused, err)
	}
	text = "[1]\n[1,2]\n{\"a\":1}\n[3,4]\n"
	_, rows, unused, err = read(t, "f.jsonl", text, columns.Reading{Lists: 2})
	if err != nil || fmt.Sprint(rows) != "[|[1 2] |[3 4]]" || unused.Total != 2 {
		t.Errorf("%q, %v, %v", rows, unused, err)
	}
}

// TestReadingErrors: what is not allowed is named, with what is.
func TestReadingErrors(t *testing.T) {
	errors := map[string]error{}
	for _, text := range []string{
		`{"encodng":"utf-8"}`, `{"encoding":"latin-9"}`, `{"encoding":7}`, `{"encoding":null}`,
		`{"encoding":""}`, `{"delimiter":"::"}`, `{"quote":"x"}`, `{"header":"yes"}`, `{"base":2}`,
		`{"lists":0}`, `{"keys":[]}`, `{"keys":[{"name":"a","size":1}]}`,
		`{"keys":[{"name":"a"},{"name":"a"}]}`, `{"keys":[{"name":"a","length":-1}]}`,
		`{"keys":[{"name":"a","length":0}],"lists":3}`, `{"format":"csv","base":1}`,
		`{"decimal":",","thousands":","}`, `{"delimiter":" ","thousands":" "}`, `[]`, `{"format":"xml"}`,
		`{"compression":"bzip2"}`, `{"dates":"german"}`} {
		_, errors[text] = ParseReading([]byte(text))
	}
	golden.Errors(t, errors)
}

// completeReadings are one for each format, with what stands before its rows and what a row
// may be.
var completeReadings = []struct {
	name, reading, head string
	rows                []string
}{
	{"f", `{"format":"csv","compression":"none","encoding":"utf-8","delimiter":";","quote":"\"","decimal":",",` +
		`"thousands":".","header":true,"dates":"iso"}`, "a;b;c\n",
		[]string{"1;2;3", "a;b;c", "2.0;x;\xff", "\"", "", "1,2,3,4", "31.12.2026;1'234;7%", "sep=,", "\x00"}},
	{"f", `{"format":"csv","compression":"none","encoding":"windows-1252","delimiter":",","quote":"","decimal":".",` +
		`"thousands":"","header":false,"dates":"day-month-year"}`, "",
		[]string{"1,2", "a,b", "sep=;", "\xff\xfe", "", "1;2;3"}},
	{"f", `{"format":"csv","compression":"none","encoding":"utf-16","delimiter":" ` +
		`","quote":"'","decimal":".","thousands":"","header":false,"dates":"iso"}`, littleEndianMark,
		[]string{"1,2", "a,b\x00", "{", "x"}},
	{"f", `{"format":"csv","compression":"none","encoding":"utf-8","delimiter":",","quote":"\\\"","decimal":".",` +
		`"thousands":"","header":true,"dates":"iso","skip":2,"comment":"#","rownames":true}`, "x\n\n# y\na,b\n",
		[]string{"n,1,2", "a,b", "# z", "#", "\"\\\"", "", "1,2"}},
	{"f", `{"format":"jsonl","compression":"none","encoding":"utf-8","keys":[{"name":"a","length":0},{"name":"v",` +
		`"length":2}]}`, "",
		[]string{`{"a":1,"v":[1,2]}`, `{"a":"x","z":3}`, `{"v":[1]}`, `[1,2]`, "", "{", "\xff"}},
	{"f", `{"format":"jsonl","compression":"none","encoding":"utf-8","lists":3}`, "",
		[]string{`[1,2,3]`, `[1]`, `{"a":1}`, "x"}},
	{"f", `{"format":"libsvm","compression":"none","encoding":"utf-8","base":1}`, "",
		[]string{"1 1:2", "1 0:1", "x", "1 9999:1", "", "# c", "\xfe\xff"}},
	{"f", `{"format":"text","compression":"none","encoding":"utf-8"}`, "",
		[]string{"words", "", "\x00", "\xff\xfe", "PK\x03\x04"}},
}

// TestTypedReadingLooksAtNoRow: with a complete reading the layout is the same as of any other
// rows, also where these are malformed, empty or none. A private release relies on it.
func TestTypedReadingLooksAtNoRow(t *testing.T) {
	random := rand.New(rand.NewPCG(15, 4))
	for _, c := range completeReadings {
		r, err := ParseReading([]byte(c.reading))
		if err != nil {
			t.Fatal(c.reading, err)
		}
		if missing := r.Missing(); len(missing) > 0 {
			t.Fatalf("%s lacks %q", c.reading, missing)
		}
		var want *Layout
		for n := range 300 {
			content := c.head
			for range random.IntN(6) {
				content += c.rows[random.IntN(len(c.rows))] + "\n"
			}
			if n == 0 {
				content = c.head
			}
			got, err := Sniff(c.name, []byte(content), true, r)
			if err != nil {
				t.Fatalf("%s: %q: %v", c.reading, content, err)
			}
			if want == nil {
				want = got
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: the layout of %q is\n%+v, and without rows\n%+v", c.reading, content, got, want)
			}
			if len(got.Guessed) > 0 || !reflect.DeepEqual(got.Reading(), r) {
				t.Fatalf("%s: the reading is %+v, guessed %q", c.reading, got.Reading(), got.Guessed)
			}
		}
	}
	for _, format := range []string{"npy", "idx"} {
		r := columns.Reading{Format: format, Compression: "none"}
		header := npyFile("<f4", "(2, 2)", "")
		if format == "idx" {
			header = "\x00\x00\x0d\x02\x00\x00\x00\x02\x00\x00\x00\x02"
		}
		want := sniffAs(t, "f", header, r)
		for range 100 {
			rows := make([]byte, 16)
			for i := range rows {
				rows[i] = byte(random.Uint32())
			}
			if got, err := Sniff("f", append([]byte(header), rows...), true, r); err != nil || !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: %+v, %v; want %+v", format, got, err, want)
			}
		}
	}
}

// TestTypedWithoutHeader: the plan says how many columns there are; longer rows are read,
// shorter ones not.
func TestTypedWithoutHeader(t *testing.T) {
	r := must(ParseReading([]byte(completeReadings[1].reading)))
	const text = "1,2,3\n4,5\n6\n7,x,9\n"
	l := sniffAs(t, "f.csv", text, r)
	p := &Preprocessing{Columns: []columns.Column{columns.NewColumn("column 2", columns.AsNumber)}, Reading: &r}
	l = must(p.Apply(l))
	rows, reader, err := vectors(t, l, text, p)
	if err != nil || fmt.Sprint(rows) != "[[2] [5]]" || reader.Unused().Total != 2 {
		t.Errorf("%v, %v, %v", rows, reader.Unused(), err)
	}
}

// TestReadingJSON: a model keeps the reading of its file, version 2, and one without is
// version 1.
func TestReadingJSON(t *testing.T) {
	for _, c := range completeReadings {
		r := must(ParseReading([]byte(c.reading)))
		p := &Preprocessing{Columns: []columns.Column{columns.NewColumn("a", columns.AsNumber)}, Reading: &r}
		text, err := p.MarshalJSON()
		if err != nil || !strings.Contains(string(text), `"version":2,"unitNorm":false,"reading":`+c.reading+`,"columns":`) {
			t.Errorf("%s, %v", text, err)
		}
		var back Preprocessing
		if err := back.UnmarshalJSON(text); err != nil || !reflect.DeepEqual(&back, p) {
			t.Errorf("%s: %+v, %v", text, back, err)
		}
		var file map[string]any
		if err := json.Unmarshal(text, &file); err != nil {
			t.Fatal(err)
		}
		for key := range file["reading"].(map[string]any) {
			changed := strings.Replace(string(text), strconv.Quote(key)+":", strconv.Quote(key+"x")+":", 1)
			if err := back.UnmarshalJSON([]byte(changed)); err == nil && key != "format" {
				t.Errorf("%s is read", changed)
			}
		}
	}
	p := Preprocessing{Columns: []columns.Column{columns.NewColumn("a", columns.AsNumber)},
		Reading: &columns.Reading{Format: "libsvm", Compression: "none", Encoding: "utf-8"}}
	if _, err := p.MarshalJSON(); err == nil || err.Error() != `dataset: reading: "base" is missing` {
		t.Error(err)
	}
}

// TestIgnoredColumnsAreNotWritten: a plan may name them, a model file does not.
func TestIgnoredColumnsAreNotWritten(t *testing.T) {
	p := &Preprocessing{Columns: []columns.Column{columns.NewColumn("a", columns.AsNumber),
		columns.NewColumn("b", columns.AsIgnored)}}
	text, err := p.MarshalJSON()
	if err != nil || strings.Contains(string(text), "ignore") {
		t.Fatalf("%s, %v", text, err)
	}
	if err := new(Preprocessing).UnmarshalJSON(text); err != nil {
		t.Error(err)
	}
}

// FuzzReading: any file in any reading ends in rows or in a sentence, or in the error that names the package for
// Parquet and Arrow; and rows hold no infinity.
func FuzzReading(f *testing.F) {
	for _, c := range completeReadings {
		for _, row := range c.rows {
			f.Add([]byte(c.head+row+"\n"+row+"\n"), []byte(c.reading))
		}
	}
	f.Add([]byte("a;b\n1.234,5;31.12.2026\n"), []byte(`{"decimal":","}`))
	f.Add([]byte("\xff\xff\xff\xff"), []byte("{}")) // as an Arrow stream begins
	for _, seed := range examples(f) {
		f.Add([]byte(seed), []byte("{}"))
		for _, format := range []string{"csv", "jsonl", "libsvm", "npy", "idx", "text"} {
			f.Add([]byte(seed), []byte(`{"format":"`+format+`"}`))
		}
	}
	f.Fuzz(func(t *testing.T, data, text []byte) {
		r, err := ParseReading(text)
		if err != nil {
			return
		}
		l, err := Sniff("f", data, true, r)
		var problem *Problem
		var noCodec *NoCodecError
		if err != nil {
			if !errors.As(err, &problem) && !errors.As(err, &noCodec) {
				t.Fatalf("Sniff: %v is no Problem", err)
			}
			return
		}
		found := l.Reading()
		if missing := found.Missing(); len(missing) > 0 || found.Validate() != nil {
			t.Fatalf("the reading %+v lacks %q, %v", found, missing, found.Validate())
		}
		if merged := r.Of(found.Format).Or(found); !reflect.DeepEqual(merged, found) {
			t.Fatalf("%s was typed, and the reading is %+v", text, found)
		}
		s, err := l.Open(bytes.NewReader(data))
		if err == nil {
			err = each(s, func(b *Block) {
				for _, x := range b.Numbers {
					if math.IsInf(x, 0) {
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
			})
		}
		if err != nil && !errors.As(err, &problem) {
			t.Fatalf("%v is no Problem", err)
		}
	})
}

// TestFilesOfPython reads what Python's csv module writes, and pandas and scikit-learn
// where they are installed.
func TestFilesOfPython(t *testing.T) {
	folder := t.TempDir()
	python(t, folder, "csv", `
import csv
rows = [["größe", "preis", "datum"]]
rows += [[f"{i}.234,5", f"{i},99", f"{i % 28 + 1:02}.11.2026"] for i in range(1, 40)]
for name, encoding, options in [
    ("Excel, German", "cp1252", {"delimiter": ";"}),
    ("Excel, Unicode", "utf-16", {"dialect": "excel-tab"}),
    ("LibreOffice, quote", "utf-8-sig", {"delimiter": ";", "quoting": csv.QUOTE_ALL}),
    ("apostrophes", "utf-16", {"delimiter": ";", "quotechar": "'", "quoting": csv.QUOTE_ALL}),
    ("commas", "utf-8", {"delimiter": ","}),
]:
    with open(name + ".csv", "w", encoding=encoding, newline="") as f:
        csv.writer(f, **options).writerows(rows)
try:
    import pandas
    table = pandas.DataFrame({"a": [1.5, 2.25, 1234567.5], "b": ["x", "y", "z"]})
    table.to_csv("pandas.txt", sep=";", decimal=",", index=False)
    import numpy
    from sklearn.datasets import dump_svmlight_file
    for base in [0, 1]:
        dump_svmlight_file(numpy.array([[0., 2., 3.], [0., 5., 0.]]), [1, 0], f"{base}.svm", zero_based=base == 0)
except ImportError:
    pass
`)
	tables, err := filepath.Glob(folder + "/*.csv")
	if err != nil || len(tables) != 5 {
		t.Fatalf("Python wrote %q, %v", tables, err)
	}
	content := func(name string) string {
		text, _ := os.ReadFile(name)
		return string(text)
	}
	for _, name := range tables {
		text := content(name)
		l := mustSniff(t, name, text).WithLabel(-1)
		l = l.With(0, columns.AsNumber).With(1, columns.AsNumber).With(2, columns.AsKept)
		got, unused, err := readAll(l, strings.NewReader(text))
		if err != nil || unused.Total > 0 || len(got) != 39 || got[0] != "02.11.2026|[1234.5 1.99]" ||
			l.Columns[0].Name != "größe" || l.Columns[2].Type != columns.Date {
			t.Errorf("%s: %d rows, %q, %v, %v", name, len(got), got[:min(len(got), 1)], unused, err)
		}
	}
	if text := content(folder + "/pandas.txt"); text != "" {
		if _, got, _, err := read(t, "f.csv", text, columns.Reading{}); err != nil ||
			fmt.Sprint(got) != "[x|[1.5] y|[2.25] z|[1.2345675e+06]]" {
			t.Errorf("pandas: %q, %v", got, err)
		}
	}
	for base := range 2 {
		text := content(fmt.Sprintf("%s/%d.svm", folder, base))
		if text == "" { // as scikit-learn 1.4 writes it
			text = []string{"1 1:2 2:3\n0 1:5\n", "1 2:2 3:3\n0 2:5\n"}[base]
		}
		l := sniffAs(t, "f.svm", text, columns.Reading{Base: &base})
		p := &Preprocessing{Sparse: true, Width: 3}
		if got, _, err := vectors(t, l, text, p); err != nil || fmt.Sprint(got) != "[[0 2 3] [0 5 0]]" {
			t.Errorf("scikit-learn, base %d: %q is %v, %v", base, text, got, err)
		}
	}
}

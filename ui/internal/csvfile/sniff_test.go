package csvfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// roles writes the roles of a layout as letters.
func roles(l *Layout) string {
	var b strings.Builder
	for _, c := range l.Columns {
		b.WriteByte("flki"[c.Role])
	}
	return b.String()
}

func TestRoles(t *testing.T) {
	ints := func(row string) string { return strings.Repeat(row, 12) }
	for name, test := range map[string]struct{ text, want string }{
		"a name":                    {"class,a\n1.5,2\n", "lf"},
		"any case":                  {"a,Target\n1,2\n", "fl"},
		"the surest name":           {"y,a,label\n1,2,3\n", "ffl"},
		"y":                         {"a,y\n1,2\n", "fl"},
		"coordinates":               {"x,y\n1.5,2.5\n", "ff"},
		"few integers at the end":   {ints("1.5,0\n2.5,1\n"), "fl"},
		"few integers first":        {ints("0,1.5\n1,2.5\n"), "ff"},
		"too few rows":              {"1.5,0\n2.5,1\n", "ff"},
		"text with few values":      {ints("red,1\nblue,2.5\n"), "lf"},
		"text with many values":     {"name,a\nu,1\nv,2\nw,3\n", "kf"},
		"an empty column":           {"a,b\n1,\n2,\n", "fi"},
		"row numbers":               {"id,a\n7,1\n9,2\n", "kf"},
		"not row numbers":           {"id,a\n9,1\n7,2\n", "ff"},
		"the only numbers":          {"label\n1\n2\n", "f"},
		"few texts and few numbers": {ints("1,a\n2,b\n"), "fl"},
	} {
		l, err := Sniff("f.csv", []byte(test.text), true, GuessHeader)
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
	} {
		l, err := Sniff("f.csv", []byte(text), true, GuessHeader)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if l.Header != want {
			t.Errorf("%q: header %v, want %v", text, l.Header, want)
		}
	}
	for header, rows := range map[Header]int{HasHeader: 1, NoHeader: 2} {
		l, err := Sniff("f.csv", []byte("1,2\n3,4\n"), true, header)
		if err != nil || l.Header != (header == HasHeader) || l.Rows != rows {
			t.Errorf("told %d: header %v, %d rows, %v", header, l.Header, l.Rows, err)
		}
	}
}

func TestColumns(t *testing.T) {
	l, err := Sniff("f.csv", []byte("a,b,c,\n1,2.5,x,\n,oops,y,\n3,4,z,\n"), true, GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	want := []Column{
		{"a", Integer, Feature, "1", 1},
		{"b", Number, Feature, "2.5", 1},
		{"c", Text, Keep, "x", 0},
		{"column 4", Empty, Ignore, "", 3},
	}
	for i, c := range l.Columns {
		if c != want[i] {
			t.Errorf("column %d: got %+v, want %+v", i, c, want[i])
		}
	}
}

func TestWith(t *testing.T) {
	l, err := Sniff("f.csv", []byte("a,b,label,n\n1,2,3,x\n4,5,6,y\n7,8,9,z\n"), true, GuessHeader)
	if err != nil || roles(l) != "fflk" {
		t.Fatal(roles(l), err)
	}
	for _, test := range []struct {
		got  *Layout
		want string
	}{
		{l.With(0, Label), "lffk"},
		{l.With(3, Label), "fffl"},
		{l.With(1, Ignore), "filk"},
		{l.WithLabel(-1), "fffk"},
		{l.WithLabel(2), "fflk"},
	} {
		if got := roles(test.got); got != test.want {
			t.Errorf("got %s, want %s", got, test.want)
		}
	}
	if roles(l) != "fflk" {
		t.Error("With changed its receiver")
	}
}

func TestShortHead(t *testing.T) {
	for _, head := range []string{"a,b", "a,b\n", "a,b\n1,"} {
		if _, err := Sniff("f.csv", []byte(head), false, GuessHeader); !errors.Is(err, ErrShortHead) {
			t.Errorf("%q: got %v, want ErrShortHead", head, err)
		}
	}
	if l, err := Sniff("f.csv", []byte("a,b\n1,2\n3"), false, GuessHeader); err != nil || l.Rows != 1 {
		t.Errorf("got %+v, %v; want one row", l, err)
	}
}

// TestDigits reads the file that the issue names.
func TestDigits(t *testing.T) {
	data := os.Getenv("TENSORSKETCH_DATA")
	if data == "" {
		data = "../../../../shared/data"
	}
	file, err := os.Open(filepath.Join(data, "digits.csv"))
	if err != nil {
		t.Skip("digits.csv is not there: ", err)
	}
	defer file.Close()
	head := make([]byte, 256<<10)
	if _, err := file.Read(head); err != nil {
		t.Fatal(err)
	}
	l, err := Sniff("digits.csv", head, false, GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	if got := l.Columns[l.Label()].Name; got != "digit" || len(l.Indexes(Feature)) != 64 || !l.Header {
		t.Fatalf("label %q, %d features, header %v", got, len(l.Indexes(Feature)), l.Header)
	}
	if _, err := file.Seek(0, 0); err != nil {
		t.Fatal(err)
	}
	r := NewReader(file, l)
	rows := 0
	for {
		row, err := r.Next()
		if err != nil {
			break
		}
		if rows == 0 && (row.Label != "0" || row.Features[2] != 6) {
			t.Errorf("first row: label %q, features %v", row.Label, row.Features)
		}
		rows++
	}
	if rows != 5620 || r.Unused().Total != 0 {
		t.Errorf("%d rows, %d unused; want 5620, 0", rows, r.Unused().Total)
	}
}

func BenchmarkNext(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h,label\n")
	for range 1000 {
		text.WriteString("1,22,0.125,-7.5,0,16,3,1e-3,yes\n")
	}
	l, err := Sniff("f.csv", []byte(text.String()), true, GuessHeader)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		r := NewReader(strings.NewReader(text.String()), l)
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}

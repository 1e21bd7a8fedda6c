package dataset

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// readRows returns the vectors of a file, with Keep or without it.
func readRows(t *testing.T, l *Layout, content string, p *Preprocessing, keep bool) (rows [][]float32, unused *Unused) {
	t.Helper()
	s := open(t, l, content)
	s.Unused().Keep = keep
	rows, _, err := sourceVectors(t, s, p)
	if err != nil {
		t.Fatal(err)
	}
	return rows, s.Unused()
}

// twoNumbers reads the columns a and b of a table as numbers, other formats as they are, in few coordinates. The
// encoding is typed, which would be guessed from a byte that is not UTF-8.
func twoNumbers(t *testing.T, name, content string) (*Layout, *Preprocessing) {
	t.Helper()
	reading := asText(name)
	if reading.Encoding = columns.UTF8; name == "f.npy" {
		reading = columns.Reading{}
	}
	l := sniffAs(t, name, content, reading)
	p := NewPreprocessing(l)
	switch {
	case p.Sparse:
		p.Width = 3
	case len(l.Columns) == 2:
		p.Columns = []columns.Column{columns.NewColumn("a", columns.AsNumber), columns.NewColumn("b", columns.AsNumber)}
		l = l.With(0, columns.AsNumber).With(1, columns.AsNumber)
	}
	for i := range p.Columns {
		p.Columns[i].Width = min(p.Columns[i].Width, 16)
	}
	return l, p
}

// With Keep a row that cannot be used is one of zeros at its place, whatever is wrong
// with it, and all others are as they are without.
func TestUnusableRowsAreKept(t *testing.T) {
	for _, c := range []struct {
		name, content string
		unusable      []int
		of            int
	}{
		{"f.csv", "a,b\n1,2\n3\n5,6\n7,x\n,8\n9,1e300\n11,12\n13,14,15\n", []int{1, 3, 4, 5, 7}, 8},
		{"q.csv", "a,b\n\"1\",\"2\"\n\"3\"x,4\n\"5\",6\n", []int{1}, 3},
		{"f.jsonl", "{\"a\":1,\"b\":2}\n{\"a\":\n\n{\"a\":5,\"b\":6}\n[7]\n{\"a\":null,\"b\":8}\n", []int{1, 2, 4, 5}, 6},
		{"f.libsvm", "1 1:0.5 3:2\n0 3:1 1:7\n2 1:x\n1 9:1\n3 2:4\n", []int{2, 3}, 5},
		{"f.npy", npyFile("<f4", "(3, 1)", "\x00\x00\x80\x3f\x00\x00\x80\x7f\x00\x00\x00\x40"), []int{1}, 3},
		{"f.txt", "one line\n\xff\nanother line\n", []int{1}, 3},
		{"x.csv", "a,b\nx,2\ny,4\n", []int{0, 1}, 2}, // without a single row that can be used
	} {
		l, p := twoNumbers(t, c.name, c.content)
		var without [][]float32
		if len(c.unusable) < c.of { // else this is an error
			without, _ = readRows(t, l, c.content, p, false)
		}
		rows, unused := readRows(t, l, c.content, p, true)
		if len(rows) != c.of || int(unused.Total) != len(c.unusable) || len(without)+len(c.unusable) != c.of {
			t.Errorf("%s: %d rows, %d without Keep, %d unusable; want %d, %d of them unusable", c.name, len(rows),
				len(without), unused.Total, c.of, len(c.unusable))
			continue
		}
		for _, at := range c.unusable {
			without = slices.Insert(without, at, make([]float32, p.NFeatures()))
		}
		if !reflect.DeepEqual(rows, without) {
			t.Errorf("%s: rows %v, want %v", c.name, rows, without)
		}
	}
}

// TestKeptComments: with Keep the lines above the table and its header are no rows, and a comment is an unusable one.
func TestKeptComments(t *testing.T) {
	const text = "Sensors\n\na,b\n1,2\n# pause\n3,4\n"
	l := sniffAs(t, "f.csv", text, columns.Reading{Skip: new(2), Comment: new("#")})
	p := &Preprocessing{Columns: []columns.Column{columns.NewColumn("a", columns.AsNumber),
		columns.NewColumn("b", columns.AsNumber)}}
	rows, unused := readRows(t, l, text, p, true)
	if want := [][]float32{{1, 2}, {0, 0}, {3, 4}}; !reflect.DeepEqual(rows, want) || unused.Total != 1 {
		t.Errorf("rows %v, unused %+v", rows, unused)
	}
	if rows, unused = readRows(t, l, text, p, false); len(rows) != 2 || unused.Total != 0 {
		t.Errorf("without Keep: rows %v, unused %+v", rows, unused)
	}
}

// With Keep each line of a text is a row, whatever stands in it, and changes no other row;
// a file with a row more than line ends has a blank last one.
func TestKeptRowsAreLines(t *testing.T) {
	long := strings.Repeat("x", longestRow+9)
	odd := []string{"", " ", "\"3", "\"3\",\"4", "3,\"4\n5,6"[:4], long, "\"" + long, "#", "{", "\xff\xfe", "\x00",
		"a,b", "\ufeff3,4"}
	for _, c := range []struct{ name, head, first, row string }{
		{"f.csv", "a,b\n", "1,2", "3,4"}, {"f.jsonl", "", `{"a":1,"b":2}`, `{"a":3,"b":4}`},
		{"f.libsvm", "", "1 1:0.5 3:2", "0 2:1"}, {"f.txt", "", "one line", "another line"},
	} {
		whole := c.head + strings.Repeat(c.first+"\n", 3)
		l, p := twoNumbers(t, c.name, whole)
		want, _ := readRows(t, l, c.head+c.first+"\n"+c.row+"\n"+c.first+"\n", p, true)
		for _, row := range odd {
			for at := range 3 {
				if len(row) > longestRow && at != 1 {
					continue
				}
				lines := []string{c.first, c.row, c.first}
				lines[at] = row
				got, unused := readRows(t, l, c.head+strings.Join(lines, "\n")+"\n", p, true)
				if len(got) != 3 || unused.Total > 1 {
					t.Errorf("%s, %.9q at %d: %d rows, %d unusable", c.name, row, at, len(got), unused.Total)
					continue
				}
				got[at] = want[at]
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %.9q at %d: other rows changed: %v, want %v", c.name, row, at, got, want)
				}
			}
		}
		s := open(t, l, c.head+c.first+"\n"+c.row+"\n")
		s.Unused().Keep, s.Unused().Rows = true, 3
		var b Block
		if err := s.Next(&b); err != nil || b.Rows() != 3 || b.Places[2] != unusable {
			t.Errorf("%s: of 3 rows, the last one blank, there are %d, %v", c.name, b.Rows(), err)
		}
	}
}

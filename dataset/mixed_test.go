package dataset

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestNumbersAndWords: a column of few numbers and words is one of names, so that no row is lost. Measurements with a
// word here and there stay numbers.
func TestNumbersAndWords(t *testing.T) {
	for _, c := range []struct {
		cells string // repeated
		want  columns.Type
	}{
		{"2 3 4 5more", columns.Text},
		{"2 4 more", columns.Text},
		{"1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9 broken", columns.Integer}, // a twentieth
		{"1 2 NA 3", columns.Integer},
	} {
		table := "a,b\n"
		for range 20 {
			for cell := range strings.FieldsSeq(c.cells) {
				table += cell + ",x\n"
			}
		}
		l, err := Sniff("t.csv", []byte(table), true, columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Columns[0].Type; got != c.want {
			t.Errorf("%s: the type is %s, want %s", c.cells, got, c.want)
		}
	}
}

// TestNamesOfRows: the names of rows beside categories do not become words, and are noted. Sentences do. A label whose
// first cells are equal, as in a file in the order of its classes, is no unused column.
func TestNamesOfRows(t *testing.T) {
	table := "name,base,text,class\n"
	for i := range 300 {
		class := "EI"
		if i >= 150 {
			class = "IE"
		}
		n := strconv.Itoa(i)
		table += "DONOR-" + n + "," + string("ACGT"[i%4]) + ",the row " + n + " of many," + class + "\n"
	}
	for name, cut := range map[string]int{"all rows": len(table), "the first class": len(table) / 3} {
		l, err := Sniff("t.csv", []byte(table[:cut]), cut == len(table), columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		var roles []columns.Role
		for i := range l.Columns {
			roles = append(roles, l.Columns[i].Role)
		}
		want := []columns.Role{columns.AsKept, columns.AsCategory, columns.AsWords, columns.AsLabel}
		if !slices.Equal(roles, want) {
			t.Errorf("%s: the roles are %v, want %v", name, roles, want)
		}
		for _, n := range l.roleNotes(NewPreprocessing(l)) {
			if n.Code == columns.NoteUnusedColumn && n.Column != "name" {
				t.Errorf("%s: %s", name, n.What)
			}
		}
	}
}

// TestNumbersAsAsked: a column that looks like text and is read as numbers, since somebody or a model asked for that,
// has no note that it is read as text.
func TestNumbersAsAsked(t *testing.T) {
	for _, table := range []string{
		"a,b\n" + strings.Repeat("5%,1\n6,2\n", 20), "a,b\n" + strings.Repeat("007,1\n012,2\n", 20),
	} {
		l, err := Sniff("t.csv", []byte(table), true, columns.Reading{})
		if err != nil {
			t.Fatal(err)
		}
		isText := func(n columns.Note) bool { return n.Code == columns.NoteText }
		if !slices.ContainsFunc(Notes(l, NewPreprocessing(l), nil, nil), isText) {
			t.Errorf("%.20q: no note says that the column is read as text", table)
		}
		l = l.With(0, columns.AsNumber)
		if notes := Notes(l, NewPreprocessing(l), nil, nil); slices.ContainsFunc(notes, isText) {
			t.Errorf("%.20q as numbers: notes %v", table, notes)
		}
	}
}

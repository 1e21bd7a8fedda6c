package dataset

import (
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// TestNames: a cell is the name that it spells, else the name of the same number, unless a name is a code.
func TestNames(t *testing.T) {
	for _, test := range []struct {
		names   []string
		decimal byte
		cell    string
		want    int32 // −1: none
	}{
		{[]string{"1", "2"}, '.', "1.0", 0},
		{[]string{"1.0", "2.0"}, '.', "2", 1},
		{[]string{"1.0", "1"}, '.', "1.00", 1},
		{[]string{"1.0", "1"}, '.', "1.0", 0},
		{[]string{"1", "2"}, ',', "2,0", 1},
		{[]string{"1", "2"}, 0, "+2", 1},
		{[]string{"-0", "2"}, '.', "0.0", 0},
		{[]string{"0.1"}, '.', "1e-1", 0},
		{[]string{"1"}, '.', "01", -1},
		{[]string{"007", "7", "7.0"}, '.', "7.0", 2},
		{[]string{"007", "7"}, '.', "7.0", -1},
		{[]string{"red", "7"}, '.', "7.0", 1},
		{[]string{"red", "7"}, '.', "Red", -1},
		{[]string{"9007199254740993"}, '.', "9007199254740992", -1},
		{[]string{"9007199254740993"}, '.', "9007199254740993", 0},
		{[]string{"00", "0"}, '.', "0.0", -1},
		{[]string{"0x10", "1"}, '.', "1.", 1},
		{nil, '.', "1", -1},
		{[]string{"False", "True"}, '.', "true", 1},
		{[]string{"False", "True", "true"}, '.', "true", 2},
		{[]string{"0", "1"}, '.', "True", 1}, // as Parquet's booleans were written in models
		{[]string{"false", "true"}, '.', "0", 0},
		{[]string{"0", "true"}, '.', "false", 0},
		{[]string{"no", "yes"}, '.', "true", -1},
	} {
		got, ok := NewNames(test.names).Find([]byte(test.cell), test.decimal)
		if ok != (test.want >= 0) || ok && got != test.want {
			t.Errorf("%q among %q is %d, %v; want %d", test.cell, test.names, got, ok, test.want)
		}
	}
}

func TestFoldNames(t *testing.T) {
	for _, test := range []struct{ names, want []string }{
		{[]string{"2", "1.0", "1"}, []string{"1", "2"}},
		{[]string{"2.0", "1.0"}, []string{"1.0", "2.0"}},
		{[]string{"1.0", "+1", "red"}, []string{"1", "red"}},
		{[]string{"7.0", "7", "007"}, []string{"007", "7", "7.0"}},
		{[]string{"True", "true", "no"}, []string{"no", "true"}},
		{nil, []string{}},
	} {
		if got := FoldNames(test.names, '.'); !slices.Equal(got, test.want) {
			t.Errorf("%q become %q, want %q", test.names, got, test.want)
		}
	}
}

// Keys and lists of JSON that give two columns one name, and a key without a name: a number tells them apart.
func TestEqualNamesOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		`{"v":[1,2],"v[0]":3,"":4}`:            "v[0]|v[1]|v[0] (2)|column 4",
		`{"columns":["a","a"],"data":[[1,2]]}`: "a|a (2)",
		`{"a ":1," b":2}`:                      "a | b",
	} {
		l := mustSniff(t, "f.json", text)
		var names []string
		for _, c := range l.Columns {
			names = append(names, c.Name)
		}
		if got := strings.Join(names, "|"); got != want {
			t.Errorf("%s: the columns are %q, want %q", text, got, want)
		}
		isNoted := slices.ContainsFunc(l.Notes(), func(n columns.Note) bool { return n.Code == columns.NoteNames })
		if isNoted != strings.Contains(want, "(2)") {
			t.Errorf("%s: the notes are %v", text, l.Notes())
		}
		numbers := map[int]columns.Role{}
		for i := range l.Columns {
			numbers[i] = columns.AsNumber
		}
		l = l.WithRoles(numbers)
		if rows, _, err := vectors(t, l, text, NewPreprocessing(l)); err != nil || len(rows) != 1 {
			t.Errorf("%s: %v, %v", text, rows, err)
		}
	}
}

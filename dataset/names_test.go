package dataset

import (
	"slices"
	"testing"
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

package dataset

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

// rowsFor reads rows at hand for a preprocessing: the vectors, and the notes.
func rowsFor(t *testing.T, p *Preprocessing, rows string) (vectors [][]float32, notes string, err error) {
	t.Helper()
	l, err := p.SniffRows("rows", bytes.NewReader([]byte(rows)))
	if err != nil {
		return nil, "", err
	}
	if l, err = p.Apply(l); err != nil {
		return nil, "", err
	}
	s := open(t, l, rows)
	vectors, r, err := sourceVectors(t, s, p)
	if err != nil {
		return nil, "", err
	}
	for _, n := range Notes(l, p, r.Counts(), s.Unused()) {
		notes += fmt.Sprintf("%s %d %s: %s\n", n.Code, n.Count, n.Column, n.String())
	}
	return vectors, notes, nil
}

// TestRowsAtHand: objects of a program are read for a model of a table in CSV. A key that the model does not have is
// told and changes nothing; a column that no row has is missing in all; dates have the order of the table.
func TestRowsAtHand(t *testing.T) {
	const table = "a,b,day\n1,x,31/12/2020\n3,y,01/12/2020\n5,x,02/12/2020\n"
	l := sniffAs(t, "t.csv", table, columns.Reading{}).With(1, columns.AsCategory)
	p := NewPreprocessing(l)
	p.SetMissing(columns.Mean)
	if _, err := p.Fit(open(t, must(p.Apply(l)), table)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ rows, want, notes, err string }{
		{rows: `[{"a":3,"b":"y","day":"31/12/2020"}]`, want: "[3 0 1 18627]"},
		{rows: `[{"a":"3","b":"y","day":"2020-12-31"}]`, want: "[3 0 1 18627]"},
		{rows: `[{"b":"x","c":{"d":1},"e":2,"a":1,"day":"2020-12-31"},{"e":7,"a":1}]`,
			want: "[1 1 0 18627] [1 0 0 18607.334]",
			notes: `column-unknown 1 c: 1 cell of column "c" is not used: the model has no such column; ` +
				`column-unknown 2 e: 2 cells of column "e" are not used: the model has no such column; `},
		{rows: `[{"b":"x"}]`, want: "[3 1 0 18607.334]", notes: "cells-replaced 1 a: "},
		{rows: `[{"A":1,"B":"x"}]`, err: `rows, row 1, key "A": none of the 1 row can be used: no key of the row is a ` +
			`column of the model; give it the column "a", and the others.`},
	} {
		vectors, notes, err := rowsFor(t, p, test.rows)
		if err != nil || test.err != "" {
			if fmt.Sprint(err) != test.err {
				t.Errorf("%s: %v, want %s", test.rows, err, test.err)
			}
			continue
		}
		if got := strings.Trim(fmt.Sprint(vectors), "[]"); "["+got+"]" != test.want {
			t.Errorf("%s are %v, want %s", test.rows, vectors, test.want)
		}
		for _, note := range strings.SplitAfter(test.notes, "column; ") {
			if !strings.Contains(notes, note) || test.notes == "" && notes != "" {
				t.Errorf("%s: notes %q, want %q", test.rows, notes, note)
			}
		}
	}
}

// TestManyUnknownKeys: rows with ever new keys do not fill the memory.
func TestManyUnknownKeys(t *testing.T) {
	u := new(Unused)
	for i := range 3 * mostUnknown {
		u.addUnknown([]string{fmt.Sprint("k", i)})
	}
	notes := u.unknown.notes()
	if len(u.unknown.keys) != mostUnknown || len(notes) != 1 || notes[0].Count != 3*mostUnknown {
		t.Errorf("%d keys, notes %v; want %d keys, and all rows counted", len(u.unknown.keys), notes, mostUnknown)
	}
}

// TestReadingOfRowsAtHand: a preprocessing of rows at hand says how they would stand in CSV; with lists it cannot.
func TestReadingOfRowsAtHand(t *testing.T) {
	for rows, want := range map[string]string{`[{"a":1,"b":"x"},{"a":2}]`: "csv", `[{"a":[1,2]},{"a":[3,4]}]`: "json",
		`[[1,2],[3,4]]`: "json"} {
		l := sniffAs(t, "rows", rows, columns.Reading{})
		l.AtHand = true
		r := NewPreprocessing(l).Reading
		if r.Format != want || len(r.Missing()) > 0 {
			t.Errorf("%s: reading %+v lacks %v; want format %s", rows, r, r.Missing(), want)
		}
	}
}

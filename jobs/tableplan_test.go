package jobs

import (
	"slices"
	"testing"

	"tensorsketch.example/dataset"
	"tensorsketch.example/dataset/columns"
)

// A column that a visitor ignored is not in the plan, and a search learned from it all the same.
func TestTypedIgnores(t *testing.T) {
	l := &dataset.Layout{}
	for _, name := range []string{"leak", "size", "state"} {
		l.Columns = append(l.Columns, dataset.Column{Name: name, Type: columns.Number, Role: columns.AsNumber})
	}
	p := &TablePlan{Columns: []ColumnPlan{{Name: "size", Role: "number"}, {Name: "state", Role: "label"}}}
	if got := p.typed(l); len(got) != 2 || !slices.Equal(got["ignore"], []string{"leak"}) ||
		!slices.Equal(got["label"], []string{"state"}) {
		t.Errorf("typed: %v", got)
	}
}

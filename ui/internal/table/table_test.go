package table

import (
	"slices"
	"testing"
)

func sample() *Layout {
	l := &Layout{Columns: []Column{
		{Name: "a", Type: Number}, {Name: "b", Type: Text}, {Name: "when", Type: Date}, {Name: "said", Type: Text}, {Name: "y", Type: Integer}, {Name: "none", Type: Empty},
	}}
	for i, role := range []string{AsNumber, AsCategory, AsDate, AsWords, AsLabel, AsIgnored} {
		l = l.With(i, role)
	}
	return l
}

func roles(l *Layout) (roles []string) {
	for i := range l.Columns {
		roles = append(roles, l.Columns[i].Role)
	}
	return roles
}

// TestRoles: there is one label, what was one becomes what its type suggests, and nothing is changed in place.
func TestRoles(t *testing.T) {
	l := sample()
	next := l.With(3, AsLabel)
	if got, want := roles(next), []string{AsNumber, AsCategory, AsDate, AsLabel, AsNumber, AsIgnored}; !slices.Equal(got, want) {
		t.Errorf("roles %q, want %q", got, want)
	}
	if l.Label() != 4 || next.Label() != 3 || next.WithLabel(-1).Label() != -1 || next.WithLabel(-1).Columns[3].Role != AsKept {
		t.Errorf("labels %d, %d, %q", l.Label(), next.Label(), roles(next.WithLabel(-1)))
	}
	if got := l.With(0, AsKept).OutputNames(); !slices.Equal(got, []string{"y", "a"}) {
		t.Errorf("names of the output %q", got)
	}
	if l.First() != 4 || l.With(4, AsIgnored).First() != -1 || l.With(4, AsIgnored).With(1, AsKept).First() != 1 {
		t.Error("another column comes first in the output")
	}
	none := l
	for i := range l.Columns {
		none = none.With(i, AsIgnored)
	}
	if !l.HasFeatures() || none.HasFeatures() || !(&Layout{Sparse: true}).HasFeatures() {
		t.Error("features are miscounted")
	}
}

// TestAll: a setting for all columns reaches those that can have it.
func TestAll(t *testing.T) {
	l := sample().WithScaling(Standard).WithMissing(Mean)
	missing := func(c *Column) string {
		if c.Policies() == nil {
			return ""
		}
		return c.Missing
	}
	for i, want := range [][2]string{{Standard, Mean}, {NoScaling, Drop}, {Standard, Mean}, {NoScaling, Drop}} {
		if c := l.Columns[i]; c.Scaling != want[0] || c.Missing != want[1] {
			t.Errorf("%s: %s, %s, want %s", c.Name, c.Scaling, c.Missing, want)
		}
	}
	if got := l.Common(missing); got != "" {
		t.Errorf("columns that differ have %q", got)
	}
	if got := l.WithMissing(Zero).Common(missing); got != Zero {
		t.Errorf("all columns have %q", got)
	}
}

func TestDescribe(t *testing.T) {
	l := sample().WithScaling(MinMax).WithColumn(2, func(c *Column) { c.Parts = append(c.Parts, "week") })
	l = l.WithColumn(0, func(c *Column) { c.Missing, c.Fill = Constant, -.5 })
	for i, want := range []string{
		"scaled to 0…1; empty cells count as -0.5",
		"one coordinate per value; rows with an empty cell are left out",
		"days, week; scaled to 0…1; rows with an empty cell are left out",
		"words, hashed into 262,144", "", "",
	} {
		if got := l.Columns[i].Describe(); got != want {
			t.Errorf("%s: %q, want %q", l.Columns[i].Name, got, want)
		}
	}
	words := l.WithColumn(3, func(c *Column) { c.Words, c.Chars = [2]int{1, 2}, [2]int{3, 3} })
	if got, want := words.Columns[3].Describe(), "runs of 1 to 2 words and runs of 3 characters, hashed into 262,144"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if parts := sample().Columns[2].Parts; !slices.Equal(parts, []string{"days"}) {
		t.Errorf("a column was changed in place: %q", parts)
	}
}

// TestForRelease: what fits a release once stays so, and learns nothing.
func TestForRelease(t *testing.T) {
	l := sample().WithScaling(Standard)
	if got, want := l.Misfits(), `A private release refuses these columns: "a" tells by what becomes of its empty cells.`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	fit := l.ForRelease()
	if fit.Misfits() != "" || fit.Learns() || !l.Learns() {
		t.Errorf("made fit: %q, learns %v, before %v", fit.Misfits(), fit.Learns(), l.Learns())
	}
	for _, spoil := range []func(*Column){
		func(c *Column) { c.use(AsKept, NoScaling) }, func(c *Column) { c.Missing = Mean }, func(c *Column) { c.Scaling = MinMax }, func(c *Column) { c.use(AsCategory, NoScaling); c.Missing = Zero },
	} {
		if fit.WithColumn(0, spoil).Misfits() == "" {
			t.Errorf("%+v fits", fit.WithColumn(0, spoil).Columns[0])
		}
	}
}

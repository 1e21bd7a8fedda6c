package table

import (
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/columns"
)

func column(name string, t columns.Type) Column {
	return Column{Column: columns.Column{Name: name}, Type: t}
}

func sample() *Layout {
	l := &Layout{Columns: []Column{
		column("a", columns.Number), column("b", columns.Text), column("when", columns.Date), column("said", columns.Text),
		column("y", columns.Integer), column("none", columns.Empty),
	}}
	for i, role := range []columns.Role{columns.AsNumber, columns.AsCategory, columns.AsDate, columns.AsWords,
		columns.AsLabel, columns.AsIgnored} {
		l = l.With(i, role)
	}
	return l
}

func roles(l *Layout) (roles []columns.Role) {
	for i := range l.Columns {
		roles = append(roles, l.Columns[i].Role)
	}
	return roles
}

// TestRoles: there is one label, what was one becomes what its type suggests, and nothing is changed in place.
func TestRoles(t *testing.T) {
	l := sample()
	next := l.With(3, columns.AsLabel)
	if got, want := roles(next), []columns.Role{columns.AsNumber, columns.AsCategory, columns.AsDate, columns.AsLabel,
		columns.AsNumber, columns.AsIgnored}; !slices.Equal(got, want) {
		t.Errorf("roles %q, want %q", got, want)
	}
	if l.Label() != 4 || next.Label() != 3 || next.WithLabel(-1).Label() != -1 ||
		next.WithLabel(-1).Columns[3].Role != columns.AsKept {
		t.Errorf("labels %d, %d, %q", l.Label(), next.Label(), roles(next.WithLabel(-1)))
	}
	if kept := l.With(0, columns.AsKept); kept.First() != 4 || kept.Count(columns.AsKept) != 1 {
		t.Errorf("%d kept columns, and column %d comes first in the output", kept.Count(columns.AsKept), kept.First())
	}
	if l.First() != 4 || l.With(4, columns.AsIgnored).First() != -1 ||
		l.With(4, columns.AsIgnored).With(1, columns.AsKept).First() != 1 {
		t.Error("another column comes first in the output")
	}
	none := l
	for i := range l.Columns {
		none = none.With(i, columns.AsIgnored)
	}
	if !l.HasFeatures() || none.HasFeatures() || !(&Layout{Sparse: true}).HasFeatures() {
		t.Error("features are miscounted")
	}
}

// TestAll: a setting for all columns reaches those that can have it.
func TestAll(t *testing.T) {
	l := sample().WithScaling(columns.Standard).WithMissing(columns.Mean)
	has := func(c *Column) bool { return c.Role.Policies() != nil }
	missing := func(c *Column) string { return c.Missing.String() }
	for i, want := range []struct {
		scaling columns.Scaling
		missing columns.Missing
	}{{columns.Standard, columns.Mean}, {columns.NoScaling, columns.Zero}, {columns.Standard, columns.Mean},
		{columns.NoScaling, columns.Drop}} {
		if c := l.Columns[i]; c.Scaling != want.scaling || c.Missing != want.missing {
			t.Errorf("%s: %s, %s, want %v", c.Name, c.Scaling, c.Missing, want)
		}
	}
	if got := l.Common(has, missing); got != "" {
		t.Errorf("columns that differ have %q", got)
	}
	if got := l.WithMissing(columns.Zero).Common(has, missing); got != columns.Zero.String() {
		t.Errorf("all columns have %q", got)
	}
}

// TestForRelease: what fits a release once stays so, and learns nothing.
func TestForRelease(t *testing.T) {
	l := sample().WithScaling(columns.Standard)
	l.Reading.Format = "npy"
	l.Reading.Compression = "none"
	misfits := func(l *Layout) string { return l.Release("tensor-sketch", 0).Misfit() }
	if got, want := misfits(l), `column "a" drops rows with missing cells`; !strings.HasPrefix(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	fit := l.ForRelease()
	if misfits(fit) != "" || fit.Learns() || !l.Learns() {
		t.Errorf("made fit: %q, learns %v, before %v", misfits(fit), fit.Learns(), l.Learns())
	}
	for _, spoil := range []func(*Column){
		func(c *Column) { c.use(columns.AsKept, columns.NoScaling) }, func(c *Column) { c.Missing = columns.Mean },
		func(c *Column) { c.Scaling = columns.MinMax }, func(c *Column) {
			c.use(columns.AsCategory,
				columns.NoScaling)
			c.Missing = columns.Zero
		},
	} {
		if misfits(fit.WithColumn(0, spoil)) == "" {
			t.Errorf("%+v fits", fit.WithColumn(0, spoil).Columns[0])
		}
	}
}

// TestKind: the page has a name for every format.
func TestKind(t *testing.T) {
	for _, f := range columns.Formats {
		l := Layout{Format: f.Name, Compression: "none"}
		if l.Kind() == "" {
			t.Errorf("%s has no name", f.Name)
		}
	}
}

package table

import (
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/dataset/plan"
)

func column(name string, t plan.Type) Column { return Column{Column: plan.Column{Name: name}, Type: t} }

func sample() *Layout {
	l := &Layout{Columns: []Column{
		column("a", plan.Number), column("b", plan.Text), column("when", plan.Date), column("said", plan.Text),
		column("y", plan.Integer), column("none", plan.Empty),
	}}
	for i, role := range []plan.Role{plan.AsNumber, plan.AsCategory, plan.AsDate, plan.AsWords, plan.AsLabel,
		plan.AsIgnored} {
		l = l.With(i, role)
	}
	return l
}

func roles(l *Layout) (roles []plan.Role) {
	for i := range l.Columns {
		roles = append(roles, l.Columns[i].Role)
	}
	return roles
}

// TestRoles: there is one label, what was one becomes what its type suggests, and nothing is changed in place.
func TestRoles(t *testing.T) {
	l := sample()
	next := l.With(3, plan.AsLabel)
	if got, want := roles(next), []plan.Role{plan.AsNumber, plan.AsCategory, plan.AsDate, plan.AsLabel, plan.AsNumber,
		plan.AsIgnored}; !slices.Equal(got, want) {
		t.Errorf("roles %q, want %q", got, want)
	}
	if l.Label() != 4 || next.Label() != 3 || next.WithLabel(-1).Label() != -1 ||
		next.WithLabel(-1).Columns[3].Role != plan.AsKept {
		t.Errorf("labels %d, %d, %q", l.Label(), next.Label(), roles(next.WithLabel(-1)))
	}
	if kept := l.With(0, plan.AsKept); kept.First() != 4 || kept.Count(plan.AsKept) != 1 {
		t.Errorf("%d kept columns, and column %d comes first in the output", kept.Count(plan.AsKept), kept.First())
	}
	if l.First() != 4 || l.With(4, plan.AsIgnored).First() != -1 ||
		l.With(4, plan.AsIgnored).With(1, plan.AsKept).First() != 1 {
		t.Error("another column comes first in the output")
	}
	none := l
	for i := range l.Columns {
		none = none.With(i, plan.AsIgnored)
	}
	if !l.HasFeatures() || none.HasFeatures() || !(&Layout{Sparse: true}).HasFeatures() {
		t.Error("features are miscounted")
	}
}

// TestAll: a setting for all columns reaches those that can have it.
func TestAll(t *testing.T) {
	l := sample().WithScaling(plan.Standard).WithMissing(plan.Mean)
	has := func(c *Column) bool { return c.Role.Policies() != nil }
	missing := func(c *Column) string { return c.Missing.String() }
	for i, want := range []struct {
		scaling plan.Scaling
		missing plan.Missing
	}{{plan.Standard, plan.Mean}, {plan.NoScaling, plan.Zero}, {plan.Standard, plan.Mean}, {plan.NoScaling, plan.Drop}} {
		if c := l.Columns[i]; c.Scaling != want.scaling || c.Missing != want.missing {
			t.Errorf("%s: %s, %s, want %v", c.Name, c.Scaling, c.Missing, want)
		}
	}
	if got := l.Common(has, missing); got != "" {
		t.Errorf("columns that differ have %q", got)
	}
	if got := l.WithMissing(plan.Zero).Common(has, missing); got != plan.Zero.String() {
		t.Errorf("all columns have %q", got)
	}
}

// TestForRelease: what fits a release once stays so, and learns nothing.
func TestForRelease(t *testing.T) {
	l := sample().WithScaling(plan.Standard)
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
		func(c *Column) { c.use(plan.AsKept, plan.NoScaling) }, func(c *Column) { c.Missing = plan.Mean },
		func(c *Column) { c.Scaling = plan.MinMax }, func(c *Column) {
			c.use(plan.AsCategory,
				plan.NoScaling)
			c.Missing = plan.Zero
		},
	} {
		if misfits(fit.WithColumn(0, spoil)) == "" {
			t.Errorf("%+v fits", fit.WithColumn(0, spoil).Columns[0])
		}
	}
}

// TestKind: the page has a name for every format.
func TestKind(t *testing.T) {
	for _, f := range plan.Formats {
		l := Layout{Format: f.Name, Compression: "none"}
		if l.Kind() == "" {
			t.Errorf("%s has no name", f.Name)
		}
	}
}

package main

import (
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
)

// ReleaseState are the settings of a private release of what Embed shows. They are in
// links, for all of them are public; a key never is.
type ReleaseState struct {
	Kind    string // ReleaseNone, ReleaseRows or ReleaseMean
	Epsilon float64
	Delta   float64
	Radius  float64 // rows are clipped to it
	Rows    int     // of the mean: the number that is public
	Width   int     // of LIBSVM rows: the number of coordinates, public; 0: not said
	Budget  float64 // ε of all releases of a file, fixed by the first one
}

// What Kind takes.
const (
	ReleaseNone = "none"
	ReleaseRows = "rows"
	ReleaseMean = "mean"
)

func defaultRelease() ReleaseState {
	return ReleaseState{Kind: ReleaseNone, Epsilon: 1, Delta: 1e-5, Radius: 1, Rows: 1000, Budget: 2}
}

// width is the number of sparse coordinates, 0 where the rows say it.
func (r *ReleaseState) width() int {
	if !r.IsPrivate() {
		return 0
	}
	return r.Width
}

// IsPrivate tells whether what is saved gets noise.
func (r *ReleaseState) IsPrivate() bool { return r.Kind != ReleaseNone }

// releaseParameters are in the place Embed.
func releaseParameters() []parameter {
	number := func(name, label string, low, high float64, at func(*ReleaseState) *float64) parameter {
		return privately(real(name, label, low, high, func(s *State) *float64 {
			return at(&s.Release)
		}), ReleaseRows, ReleaseMean)
	}
	kind := choice("release", "What is saved", []Option{{ReleaseNone, "without noise"}, {ReleaseRows, "each row"},
		{ReleaseMean, "one mean"}}, func(s *State) *string { return &s.Release.Kind })
	kind.unless = func(s *State) bool { return !s.Release.IsPrivate() }
	count := privately(parameter{name: "meanRows", label: "Rows n, public",
		get: func(s *State) string { return strconv.Itoa(s.Release.Rows) },
		set: func(s *State, text string) (err error) {
			s.Release.Rows, err = parseWhole("meanRows", text, 1, 1_000_000_000)
			return err
		}}, ReleaseMean)
	width := privately(parameter{name: "sparseWidth", label: "Coordinates of LIBSVM rows",
		get: func(s *State) string { return strconv.Itoa(s.Release.Width) },
		set: func(s *State, text string) (err error) {
			s.Release.Width, err = parseWhole("sparseWidth", text, 0, 1<<31-1)
			return err
		}}, ReleaseRows, ReleaseMean)
	return []parameter{kind,
		number("epsilon", "ε", .001, 100, func(r *ReleaseState) *float64 { return &r.Epsilon }),
		number("delta", "δ", 1e-15, .01, func(r *ReleaseState) *float64 { return &r.Delta }),
		number("radius", "Radius R", 1e-9, 1e9, func(r *ReleaseState) *float64 { return &r.Radius }),
		count, width,
		number("budget", "Budget ε of the file", .001, 1000, func(r *ReleaseState) *float64 { return &r.Budget })}
}

// privately makes a parameter one that only releases of these kinds take.
func privately(p parameter, kinds ...string) parameter {
	takes := func(s *State) bool { return slices.Contains(kinds, s.Release.Kind) }
	set := p.set
	p.shown = takes
	p.unless = func(s *State) bool { return !takes(s) }
	p.set = func(s *State, text string) error {
		if !takes(s) {
			return refuse(p.name, strconv.Quote(format.Cut(text)), "be left out unless release is "+strings.Join(kinds, " or "))
		}
		return set(s, text)
	}
	return p
}

package convergence

import (
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/vector"
)

// opening are the parameters the place opens with.
func opening() Params {
	return Params{Vector: vector.Random, NFeatures: 64, NonZero: 100, Angle: 40, Pairs: 1, Degree: 2, NComponents: 128,
		Seeds: 500, Epsilon: .05, Delta: .05}
}

// begun returns the samples of the parameters before any have come in.
func begun(t *testing.T, p Params) *Samples {
	t.Helper()
	s := &Samples{}
	if err := s.Begin(p); err != nil {
		t.Fatal(err)
	}
	return s
}

// fill adds the estimates of seeds from first to end−1 of a column, as the workers
// make them.
func fill(t *testing.T, s *Samples, column, first, end int) {
	t.Helper()
	p, d := s.params, s.params.NFeatures
	rows := p.Rows()
	for seed := first; seed < end; seed++ {
		m, err := sketch.New(sketch.Params{NFeatures: d, NComponents: Components(column), Degree: p.Degree,
			Seed: sketch.IntSeed(p.Seed + uint64(seed))})
		if err != nil {
			t.Fatal(err)
		}
		var estimates []float64
		for from := 0; from < len(rows); from += 2 * d {
			estimates = append(estimates, sketch.Dot(m.Transform(nil, rows[from:from+d]),
				m.Transform(nil, rows[from+d:from+2*d])))
		}
		s.Add(column, seed, estimates)
	}
}

// filled returns the estimates of all columns for all seeds of the parameters.
func filled(t *testing.T, p Params) *Samples {
	t.Helper()
	s := begun(t, p)
	for c := range Columns {
		fill(t, s, c, 0, p.Seeds)
	}
	return s
}

func newPicture(t *testing.T, p Params, s *Samples) *Picture {
	t.Helper()
	picture, err := New(p, s)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

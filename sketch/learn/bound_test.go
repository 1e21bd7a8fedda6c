package learn_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// With a Bound, the integers of a row are never longer than BallLimit, also where rounding alone would
// make them so, and rows within the bound are the nearest integers.
func TestBound(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const D = 50
	strained, untouched := 0, 0
	for trial := range 400 {
		grid := learn.Grid{Step: 0x1p-12, Bound: []float64{1, 0.7, 0.013}[trial%3]}
		z := features(r, 1, D, 1)
		norm := math.Sqrt(sketch.Dot(z, z))
		length := grid.Bound * []float64{1, 1 + 1e-7, 3, 1e6, 0.9}[trial%5]
		for i := range z {
			z[i] = float32(float64(z[i]) * length / norm)
		}
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: D}, grid, 0))(t)
		need.OK(t, m.AddFeatures(z, nil, nil, nil))
		words := m.Words()
		q, square, nearest := words[len(words)-D:], int64(0), true
		for i, v := range q {
			square += v * v
			nearest = nearest && v == int64(math.RoundToEven(float64(z[i])/grid.Step))
		}
		if limit := grid.BallLimit(); square > limit*limit {
			t.Fatalf("a row of length %g has ‖q‖² = %d above %d²", length, square, limit)
		}
		if radius := grid.Bound / grid.Step; float64(square) > radius*radius {
			strained++
		}
		if nearest {
			untouched++
		}
		if clipped := m.Clipped(); (clipped == D) != (length > grid.Bound*1.01) || clipped != 0 && clipped != D {
			t.Errorf("length %g of %g: %d features count as cut", length, grid.Bound, clipped)
		}
	}
	if strained < 40 || untouched < 200 {
		t.Errorf("of 400 rows %d were rounded up and %d are the nearest integers", strained, untouched)
	}
}

// Targets outside the range of a private grid are cut to it, and the sums are multiples of 128.
func TestPrivateTargets(t *testing.T) {
	shape := learn.Shape{NComponents: 1, Targets: 1}
	grid := learn.Grid{Step: 0x1p-12, Low: -1, High: 3, Bound: 1}
	words := func(y ...float64) []int64 {
		m := need.Value(learn.NewMoments(shape, grid, 0))(t)
		need.OK(t, m.AddFeatures(slices.Repeat([]float32{0.5}, len(y)), nil, y, nil))
		return m.Words()
	}
	if got, want := words(-100, 1e300, 2), words(-1, 3, 2); !slices.Equal(got, want) {
		t.Errorf("cut targets give %v, want %v", got, want)
	}
	want := []int64{2 * 2048, 1<<19 + 128, 1<<38 + 1<<14, 2048 * (1<<19 + 128)}
	if got := words(3, 1.0003)[3:]; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestBoundErrors(t *testing.T) {
	for _, bound := range []float64{-1, math.NaN(), math.Inf(1), 1.001, 0x1p-13} {
		_, err := learn.NewMoments(learn.Shape{NComponents: 3}, learn.Grid{Step: 0x1p-12, Bound: bound}, 0)
		var e *sketch.Error
		if !errors.As(err, &e) || e.Argument != "bound" {
			t.Errorf("bound %g: error %v", bound, err)
		}
	}
	a := need.Value(learn.NewMoments(learn.Shape{NComponents: 3}, learn.Grid{Step: 0x1p-12, Bound: 1}, 0))(t)
	b := need.Value(learn.NewMoments(learn.Shape{NComponents: 3}, learn.Grid{Step: 0x1p-12}, 0))(t)
	var e *sketch.Error
	if err := a.Merge(b); !errors.As(err, &e) || e.Argument != "bound" {
		t.Errorf("moments of another bound: error %v", err)
	}
}

// Sums with noise: no fitted intercept, and a λ that is too small is doubled until the equations can be
// solved.
func TestNoisyRidge(t *testing.T) {
	s := &learn.System{Rows: 4, D: 2, K: 1, G: []float64{3, 0, 0, -10}, Z: []float64{7, 9}, B: []float64{4, 1},
		T: []float64{3}, TT: []float64{8}, Middle: 5}
	l, report, err := solve.FitRidge(s, learn.RidgeOptions{Alpha: 1, Noisy: true})
	need.OK(t, err)
	want := []float64{4.0 / 19, 1.0 / 6}
	if report.Alpha != 16 || report.Rule != solve.RuleNoise || l.Intercept[0] != 5 ||
		math.Abs(l.Weights[0]-want[0]) > 1e-15 || math.Abs(l.Weights[1]-want[1]) > 1e-15 {
		t.Errorf("%+v, %+v, want weights %v with alpha 16", l, report, want)
	}
	_, _, err = solve.FitRidge(s, learn.RidgeOptions{Noisy: true})
	var e *sketch.Error
	if !errors.As(err, &e) || e.Argument != "alpha" {
		t.Errorf("without alpha: error %v", err)
	}
}

//go:build !js

package learn_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
)

// TestRoundingWarning: the warning that rounding acts like more alpha is there where that costs something, and not
// where the rows are a line without noise, for which the smallest alpha fits as well as larger ones.
func TestRoundingWarning(t *testing.T) {
	const n = 1500
	r := rand.New(rand.NewPCG(5, 6))
	X := make([]float32, 2*n)
	for i := range X {
		X[i] = float32(2*r.Float64() - 1)
	}
	line, waves := make([]float64, n), make([]float64, n)
	for i := range n {
		a, b := float64(X[2*i]), float64(X[2*i+1])
		line[i], waves[i] = 3*a-b, math.Sin(5*a)*math.Sin(5*b)
	}
	for _, c := range []struct {
		name  string
		p     sketch.Params
		y     []float64
		warns bool
	}{
		{"a line of the columns", sketch.Params{Method: sketch.MethodCountSketch, NFeatures: 2, NComponents: 8,
			Degree: 1}, line, false},
		{"a line of wide features", sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: 2, NComponents: 512,
			Degree: 1, Gamma: 0.3}, line, false},
		{"waves of wide features", sketch.Params{Method: sketch.MethodRandomFourier, NFeatures: 2, NComponents: 512,
			Degree: 1, Gamma: 0.1}, waves, true},
	} {
		D := c.p.NComponents
		Z := need.Value(need.Value(sketch.NewFeatureMap(c.p))(t).TransformBatch(nil, X))(t)
		grid := solve.GridFor(Z, D)
		grid.Low, grid.High = slices.Min(c.y), slices.Max(c.y)
		m := need.Value(learn.NewMoments(learn.Shape{NComponents: D, Targets: 1}, grid, 5))(t)
		need.OK(t, m.AddFeatures(Z, nil, c.y, nil))
		head := need.Value(learn.FitMoments(m, learn.RidgeOptions{}))(t)
		t.Logf("%s: alpha %.2g, rounding like %.2g, R² %.4f, warnings %q", c.name, head.Alpha, m.Hidden(),
			head.Report.HeldOut.R2, head.Report.Warnings)
		if m.Hidden() <= head.Alpha/10 {
			t.Errorf("%s: rounding acts like %v more alpha, which is little beside %v", c.name, m.Hidden(), head.Alpha)
		}
		warns := slices.ContainsFunc(head.Report.Warnings, func(text string) bool {
			return strings.HasPrefix(text, "rounding to the grid")
		})
		if warns != c.warns {
			t.Errorf("%s: a warning is there: %v, want %v", c.name, warns, c.warns)
		}
	}
}

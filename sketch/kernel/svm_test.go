package kernel

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/slow"
)

// TestOptimalityOfSMO checks the conditions of the optimum of every pair of classes against a kernel
// matrix of its own: bounds, Σ y α = 0, and no pair that violates by more than the tolerance.
func TestOptimalityOfSMO(t *testing.T) {
	slow.Emulated(t)
	const d, tolerance = 5, 1e-5
	r := rand.New(rand.NewSource(1))
	f, err := sketch.NewFormulas(sketch.Params{NFeatures: d, NComponents: 2, Degree: 3, Coef0: 1, Gamma: 0.2})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		n    int
		C    float64
		size float64
		bump float64 // how far apart the classes are
	}{{60, 1, 1, 0}, {200, 0.01, 1, 1}, {150, 100, 1, 0.5}, {80, 1e4, 1, 5}, {90, 1, 0, 0}, {90, 1, 30, 0}} {
		X, rows, y := make([]float32, c.n*d), []int32(nil), make([]float64, c.n)
		wide := make([][]float64, c.n)
		for i := range c.n {
			rows = append(rows, int32(i))
			y[i] = 1
			if i >= c.n/3 {
				y[i] = -1
			}
			wide[i] = make([]float64, d)
			for j := range d {
				X[i*d+j] = float32(r.NormFloat64()*c.size + c.bump*y[i])
				wide[i][j] = float64(X[i*d+j])
			}
		}
		k := newExactKernel(f)
		s, err := newSMO(&k, X, rows[:c.n/3], rows[c.n/3:], &Options{C: c.C, Tolerance: tolerance,
			Cache: 1 << 14}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for !s.work(1 << 16) {
		}
		up, low, sum, scale := -inf, -inf, 0.0, 1.0
		for i, alpha := range s.alpha {
			if !(alpha >= 0 && alpha <= c.C) {
				t.Fatalf("%+v: α of row %d is %v", c, i, alpha)
			}
			sum += alpha * y[i]
			g := -1.0
			for j, other := range s.alpha {
				v := y[i] * y[j] * other * f.Kernel(wide[i], wide[j])
				g += v
				scale = max(scale, math.Abs(v))
			}
			if s.isUp(i) {
				up = max(up, -y[i]*g)
			}
			if s.isLow(i) {
				low = max(low, y[i]*g)
			}
		}
		if !s.converged || up+low > tolerance+1e-11*scale || math.Abs(sum) > 1e-10*c.C*float64(c.n) {
			t.Errorf("%+v: converged %v, violated by %v, Σ y α = %v", c, s.converged, up+low, sum)
		}
	}
}

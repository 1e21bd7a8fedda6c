package subspace

import (
	"math"
	"math/rand"
	"testing"
)

// Coordinates from inner products of rows are those of the PCA of their moments, up to the sign of a component.
func TestPlace(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	for _, shape := range []struct{ n, D int }{{40, 9}, {12, 30}, {300, 17}} {
		p := randomProblem(rng, shape.n, shape.D)
		Z := make([]float32, len(p.Z))
		for i, z := range p.Z {
			Z[i] = float32(z)
		}
		want, err := FitPCA(p.system(), 2)
		if err != nil {
			t.Fatal(err)
		}
		got, share := Place(Z, shape.D, 2)
		compare(t, "share", share, want.Share, 1e-9)
		for c := range 2 {
			sign, largest := 0.0, 0.0
			for i := range shape.n {
				exact := want.Intercept[c]
				for j, w := range want.Weights[c*shape.D:][:shape.D] {
					exact += w * p.Z[i*shape.D+j]
				}
				if x := got[2*i+c]; math.Abs(x) > math.Abs(largest) {
					largest = x
				}
				if sign == 0 {
					sign = math.Copysign(1, exact*got[2*i+c])
				}
				if d := math.Abs(got[2*i+c] - sign*exact); d > 1e-7*math.Sqrt(want.Variance[c]) {
					t.Fatalf("n %d, D %d, row %d, component %d: got %g, want %g", shape.n, shape.D, i, c, got[2*i+c],
						sign*exact)
				}
			}
			if largest <= 0 {
				t.Errorf("n %d, D %d, component %d: the largest coordinate is %g", shape.n, shape.D, c, largest)
			}
		}
	}
}

// Rows without variance in a direction have coordinates and shares of 0 there.
func TestPlaceFlat(t *testing.T) {
	for n := range 6 {
		Z := make([]float32, 3*n)
		for i := range Z {
			Z[i] = float32(1 + i%3)
		}
		got, share := Place(Z, 3, 2)
		compare(t, "coordinates of equal rows", got, make([]float64, 2*n), 0)
		compare(t, "their share", share, []float64{0, 0}, 0)
	}
	got, share := Place([]float32{-3, 5, 0, 5, 6, 5, -3, 5}, 2, 2)
	compare(t, "coordinates on a line", got, []float64{-3, 0, 0, 0, 6, 0, -3, 0}, 1e-12)
	compare(t, "the share of a line", share, []float64{1, 0}, 1e-12)
}

// Four hundred rows of a thousand features.
func BenchmarkPlace(b *testing.B) {
	rng := rand.New(rand.NewSource(1))
	Z := make([]float32, 400*1024)
	for i := range Z {
		Z[i] = float32(rng.NormFloat64())
	}
	for b.Loop() {
		Place(Z, 1024, 2)
	}
}

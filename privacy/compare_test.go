package privacy

import (
	"math"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch/learn"
	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// comparedRows returns moments of rows in the unit ball, with spread along one axis, moved by shift along another.
func comparedRows(t *testing.T, rng *rand.Rand, shape learn.Shape, n int, shift float64) *learn.Moments {
	t.Helper()
	D := shape.NComponents
	Z, classes := make([]float32, n*D), make([]int32, n)
	for r := range n {
		for i := range D {
			Z[r*D+i] = float32(rng.NormFloat64() * 0.1)
		}
		Z[r*D] += float32(rng.NormFloat64() * 0.2)
		Z[r*D+1] += float32(shift)
		if shape.Classes > 0 {
			classes[r] = rng.Int32N(int32(shape.Classes))
		}
	}
	m := need.Value(learn.NewMoments(shape, momentsGrid(shape), 0))(t)
	if shape.Classes == 0 {
		classes = nil
	}
	need.OK(t, m.AddFeatures(Z, classes, make([]float64, n*shape.Targets), nil))
	return m
}

// The System of a release states the noise that it has: in squares, in products, and in sums of all classes.
func TestReleasedNoise(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, shape := range momentsShapes {
		m := comparedRows(t, rng, shape, 100, 0)
		exact := m.System()
		var squares, products, sums []float64
		var stated solve.SumNoise
		for seed := range uint64(2000) {
			s := released(t, 1, m, seed).System()
			stated = s.Noise
			squares = append(squares, s.G[0]-exact.G[0])
			products = append(products, s.G[1]-exact.G[1])
			sums = append(sums, s.Z[1]-exact.Z[1])
		}
		checkVariance(t, "squares", squares, stated.Square*stated.Square)
		checkVariance(t, "products", products, stated.Product*stated.Product)
		checkVariance(t, "sums", sums, stated.Sum*stated.Sum)
		if exact.Noise != (solve.SumNoise{}) {
			t.Errorf("%+v: exact sums state noise", shape)
		}
	}
}

// The two-sample test of released moments overstates p rather than understates it, its estimate is right on average,
// its standard error is not too small, and it finds a difference that is large beside the noise.
func TestReleasedComparison(t *testing.T) {
	slow.Elsewhere(t)
	if testing.Short() {
		t.Skip(slow.LeftOut + "simulation, under -short")
	}
	const trials = 1000
	for _, c := range []struct {
		name           string
		shape          learn.Shape
		epsilonX       float64
		epsilonY       float64 // 0: exact
		n, m           int
		shift, atLeast float64
	}{
		{"much noise", learn.Shape{NComponents: 12, Classes: 2}, 1, 1, 200, 300, 0, 0},
		{"little noise", learn.Shape{NComponents: 12, Classes: 2}, 8, 8, 2000, 1000, 0, 0},
		{"one side", learn.Shape{NComponents: 12, Targets: 1}, 2, 0, 400, 100, 0, 0},
		{"a difference", learn.Shape{NComponents: 12, Classes: 2}, 4, 4, 1000, 1000, 0.1, 0.5},
	} {
		rng := rand.New(rand.NewPCG(8, 8))
		system := func(m *learn.Moments, epsilon float64) *learn.System {
			if epsilon == 0 {
				return m.System()
			}
			return released(t, epsilon, m, rng.Uint64()).System()
		}
		found, sum, squares, stated := 0, 0.0, 0.0, 0.0
		for range trials {
			x, y := comparedRows(t, rng, c.shape, c.n, 0), comparedRows(t, rng, c.shape, c.m, c.shift)
			r := need.Value(solve.CompareSums(system(x, c.epsilonX), system(y, c.epsilonY)))(t)
			if r.PValue < 0.05 {
				found++
			}
			e := r.MMD2 - c.shift*c.shift
			sum, squares, stated = sum+e, squares+e*e, stated+r.StdError*r.StdError
		}
		sd, ratio := math.Sqrt(squares/trials), math.Sqrt(stated/squares)
		t.Logf("%s: p < 0.05 in %.1f %%, mean error %.2g, standard deviation %.3g, stated %.2f of it", c.name,
			100*float64(found)/trials, sum/trials, sd, ratio)
		if limit := 0.05*trials + 3*math.Sqrt(trials*0.05*0.95); c.shift == 0 && float64(found) > limit {
			t.Errorf("%s: p < 0.05 in %d of %d trials, want at most %.0f", c.name, found, trials, limit)
		}
		if float64(found) < c.atLeast*trials {
			t.Errorf("%s: found in %d of %d trials", c.name, found, trials)
		}
		if !(math.Abs(sum/trials) < 4*sd/math.Sqrt(trials)) {
			t.Errorf("%s: the estimate is %g too large on average", c.name, sum/trials)
		}
		if ratio < 0.9 {
			t.Errorf("%s: the standard error is %.3f of the standard deviation", c.name, ratio)
		}
	}
}

package privacy

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"tensorsketch.example/internal/ball"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// squaredDistance returns ‖v−w‖² as two words.
func squaredDistance(v, w []int64) (high, low uint64) {
	for i := range v {
		d := uint64(max(v[i]-w[i], w[i]-v[i]))
		h, l := bits.Mul64(d, d)
		var carry uint64
		low, carry = bits.Add64(low, l, 0)
		high += h + carry
	}
	return high, low
}

// worstVector returns vectors that strain clipping: of any size, dense or sparse,
// random, equal in all components, or on the edge after rounding.
func worstVector(rng *rand.Rand, z []float32, bound float64) {
	style := rng.IntN(4)
	for i := range z {
		switch style {
		case 0:
			z[i] = float32(rng.NormFloat64())
		case 1:
			z[i] = 1
		case 2:
			z[i] = float32(max(0, rng.IntN(8)-6))
		case 3:
			z[i] = float32(math.Exp(20 * rng.NormFloat64()))
		}
	}
	sizes := []float64{bound, bound, bound * (1 - 1e-7), bound * (1 + 1e-7), bound * rng.Float64(), 1e30, 1e-30, 0}
	scale := sizes[rng.IntN(len(sizes))] / max(1e-30, norm(z))
	for i := range z {
		z[i] = float32(scale * float64(z[i]))
	}
}

// The measured sensitivity is never above 2·limit, exactly and on every grid, over
// 10^5 neighbouring inputs; plain rounding would be above it in many.
func TestSensitivity(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 5))
	grids := []struct {
		step  float64
		limit int64
	}{{1, 1}, {1, 2}, {0.37, 3}, {1e-3, 7}, {1, 100}, {2, 12345}}
	for _, epsilon := range []float64{MinEpsilon, 0.5, 1, 8, 16, MaxEpsilon} {
		m := need.Value(NewMechanism(epsilon, 1e-5, 1+epsilon))(t)
		grids = append(grids, struct {
			step  float64
			limit int64
		}{m.step, m.limit})
	}
	plainAbove, closest := 0, 0.0
	for trial := range 100000 {
		grid := grids[trial%len(grids)]
		z := make([]float32, 1+rng.IntN(40))
		worstVector(rng, z, grid.step*float64(grid.limit))
		v := make([]int64, len(z))
		quantize(v, z, grid.step, grid.limit)

		// The neighbour: the opposite, or any.
		w := make([]int64, len(z))
		for i := range z {
			z[i] = -z[i]
		}
		if trial%3 == 0 {
			worstVector(rng, z, grid.step*float64(grid.limit))
		}
		quantize(w, z, grid.step, grid.limit)

		high, low := squaredDistance(v, w)
		mostHigh, mostLow := bits.Mul64(uint64(2*grid.limit), uint64(2*grid.limit))
		if high > mostHigh || high == mostHigh && low > mostLow {
			t.Fatalf("grid %+v, neighbours %v and %v are further apart than 2·limit", grid, v, w)
		}
		if grid.limit > 1000 {
			closest = max(closest,
				(math.Ldexp(float64(high), 64)+float64(low))/(math.Ldexp(float64(mostHigh), 64)+float64(mostLow)))
		}
		plainAbove += plainRounding(z, grid.step, grid.limit)
	}
	if plainAbove < 1000 || closest < 0.9999 {
		t.Errorf("the inputs strain nothing: %d plain roundings above the limit, "+
			"largest squared distance %g of (2·limit)²", plainAbove, closest)
	}
}

// plainRounding returns 1 where clipping and rounding alone leave the ball.
func plainRounding(z []float32, step float64, limit int64) int {
	scale := min(1/step, float64(limit)/norm(z))
	v := make([]int64, len(z))
	for i, x := range z {
		v[i] = int64(math.Round(scale * float64(x)))
	}
	if ball.Inside(v, limit) {
		return 0
	}
	return 1
}

// Rows, clipped to R and sketched, come within the bound of the mechanism, which
// leaves kernel-normalised features as they are, except for the grid.
func TestQuantizedFeatures(t *testing.T) {
	const d, D, n, radius = 20, 64, 200, 3.0
	rng := rand.New(rand.NewPCG(1, 2))
	bound := need.Value(FeatureBound(radius, 0.5, 2, 3))(t)
	if want := math.Pow(0.5*radius*radius+2, 1.5); !near(bound, want, 1e-12*want) {
		t.Errorf("FeatureBound = %g, want %g", bound, want)
	}
	mechanism := need.Value(NewMechanism(1, 1e-5, bound))(t)
	X := make([]float32, n*d)
	for i := range X {
		X[i] = float32(2 * rng.NormFloat64())
	}
	X = need.Value(ClipRows(X, X, d, radius))(t)
	for row := 0; row < len(X); row += d {
		if got := norm(X[row : row+d]); got > radius*(1+1e-6) {
			t.Errorf("clipped row of norm %g", got)
		}
	}
	for _, normalize := range []string{sketch.NormalizeNone, sketch.NormalizeKernel} {
		m := need.Value(sketch.New(sketch.Params{NFeatures: d, NComponents: D, Degree: 3, Gamma: 0.5,
			Coef0: 2, Normalize: normalize}))(t)
		Z := need.Value(m.TransformBatch(nil, X))(t)
		v := make([]int64, D)
		for ; len(Z) > 0; Z = Z[D:] {
			quantize(v, Z[:D], mechanism.step, mechanism.limit)
			shrink := min(1, bound/norm(Z[:D]))
			if normalize == sketch.NormalizeKernel {
				shrink = 1
			}
			for i, z := range Z[:D] {
				want := shrink * float64(z)
				if got := mechanism.step * float64(v[i]); !near(got, want, 2*mechanism.step+1e-6*bound) {
					t.Fatalf("grid point %g, want %g", got, want)
				}
			}
		}
	}
}

// Inside the ball quantize rounds to the nearest point, and does no more.
func TestQuantizeInside(t *testing.T) {
	v := make([]int64, 4)
	quantize(v, []float32{0.4, -0.6, 2.5, -1.25}, 0.5, 10)
	if want := [4]int64{1, -1, 5, -2}; [4]int64(v) != want {
		t.Errorf("got %v, want %v", v, want)
	}
	quantize(v, []float32{1, 1, 1, -1}, 0.5, 3) // (1.5, 1.5, 1.5, −1.5) has norm 3 and rounds to norm 4
	if want := [4]int64{1, 1, 1, -1}; [4]int64(v) != want {
		t.Errorf("got %v, want %v", v, want)
	}
}

func TestFeatureBoundErrors(t *testing.T) {
	for _, c := range []struct {
		radius, gamma, coef0 float64
		degree               int
		argument             string
	}{
		{0, 1, 0, 2, "radius"}, {math.NaN(), 1, 0, 2, "radius"}, {math.Inf(1), 1, 0, 2, "radius"},
		{1, 0, 0, 2, "gamma"}, {1, -1, 0, 2, "gamma"}, {1, 1, -1, 2, "coef0"},
		{1, 1, 0, 0, "degree"}, {1, 1, 0, 65, "degree"}, {1e20, 1, 0, 2, "bound"},
	} {
		_, err := FeatureBound(c.radius, c.gamma, c.coef0, c.degree)
		checkError(t, err, c.argument)
	}
	_, err := ClipRows(nil, []float32{1, float32(math.NaN())}, 2, 1)
	checkError(t, err, "X")
	_, err = ClipRows(nil, make([]float32, 3), 2, 1)
	checkError(t, err, "X")
	_, err = ClipRows(make([]float32, 3), make([]float32, 4), 2, 1)
	checkError(t, err, "dst")
	_, err = ClipRows(nil, nil, 2, 0)
	checkError(t, err, "radius")
}

// C is κ(x,x)^½ at the radius, which is FeatureBound for polynomial kernels.
func TestMapBound(t *testing.T) {
	const radius = 2
	polynomial := need.Value(FeatureBound(radius, 0.5, 1, 3))(t)
	for _, c := range []struct {
		params sketch.Params
		want   float64
	}{
		{sketch.Params{Degree: 3, Gamma: 0.5, Coef0: 1}, polynomial},
		{sketch.Params{Degree: 3, Gamma: 0.5, Coef0: 1, Normalize: sketch.NormalizeKernel, Repeats: 3}, polynomial},
		{sketch.Params{Method: sketch.MethodRandomMaclaurin, Degree: 3, Gamma: 0.5, Coef0: 1}, polynomial},
		{sketch.Params{Method: sketch.MethodTreeTensorSketch, Degree: 3, Gamma: 0.5, Coef0: 1}, polynomial},
		{sketch.Params{Method: sketch.MethodCRAFT, Degree: 3, Gamma: 0.5, Coef0: 1}, polynomial},
		{sketch.Params{NFeaturesEach: []int{2, 3, 4}, Gamma: 0.5, Coef0: 1}, polynomial},
		{sketch.Params{Method: sketch.MethodRandomMaclaurin, Gamma: 0.5,
			MethodParams: sketch.MethodParams{Kernel: sketch.KernelExponential}}, math.E},
		{sketch.Params{Method: sketch.MethodTaylorSketch,
			MethodParams: sketch.MethodParams{Coefficients: []float64{1, 0.5, 0.25}}}, math.Sqrt(7)},
		{sketch.Params{Method: sketch.MethodTaylorSketch}, 1},
		{sketch.Params{Method: sketch.MethodRandomFourier, Gamma: 5}, 1},
		{sketch.Params{Method: sketch.MethodSpherical}, 1},
	} {
		if c.params.NFeaturesEach == nil {
			c.params.NFeatures = 5
		}
		got := need.Value(MapBound(c.params, radius))(t)
		if !near(got, c.want, 1e-14*c.want) {
			t.Errorf("%+v: C is %g, want %g", c.params, got, c.want)
		}
		_, err := MapBound(c.params, math.NaN())
		if c.want == 1 {
			need.Value(got, err)(t)
		} else {
			checkError(t, err, "radius")
		}
	}
	signed := sketch.Params{NFeatures: 5, Method: sketch.MethodSpherical, Degree: 1,
		MethodParams: sketch.MethodParams{Signed: true}}
	for _, radius := range []float64{1, math.NaN()} { // the root of the sum of weights, docs/SPEC.md's example
		if got := need.Value(MapBound(signed, radius))(t); !near(got*got, 1.663997836, 1e-8) {
			t.Errorf("the squared bound of signed features is %.12g", got*got)
		}
	}
	for _, bad := range []float64{0, -1, math.Inf(1)} {
		_, err := MapBound(sketch.Params{NFeatures: 5}, bad)
		checkError(t, err, "radius")
	}
	_, err := MapBound(sketch.Params{NFeatures: 5, Degree: 3}, 1e20)
	checkError(t, err, "bound")
	_, err = MapBound(sketch.Params{NFeatures: 5, Method: sketch.MethodKSpace}, 1)
	checkError(t, err, "method")
	_, err = MapBound(sketch.Params{NFeatures: 5, Method: sketch.MethodNystroem}, 1)
	checkError(t, err, "method")
	_, err = MapBound(sketch.Params{NFeatures: -5}, 1)
	checkError(t, err, "nFeatures")
}

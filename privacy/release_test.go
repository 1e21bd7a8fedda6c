package privacy

import (
	"crypto/rand"
	"math"
	"slices"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// What a mechanism states is what its grid gives: C is limit steps, σ in units of
// the sensitivity is the conversion's, and ρ is in budget.
func TestMechanism(t *testing.T) {
	for _, g := range guarantees {
		m := need.Value(NewMechanism(g[0], g[1], 3.5))(t)
		sigma := need.Value(Sigma(g[0], g[1]))(t)
		limit, steps := float64(m.limit), math.Ldexp(1, int(m.logSigma))
		if m.limit < 1<<17 || m.limit > 1<<31 || m.logSigma > 32 || m.logSigma < 32 && limit < 1<<30 {
			t.Errorf("ε %g, δ %g: limit %d with m = %d", g[0], g[1], m.limit, m.logSigma)
		}
		if !near(m.step*limit, 3.5, 1e-15) || m.Sigma() != steps*m.step {
			t.Errorf("ε %g, δ %g: step %g, limit %d, σ %g", g[0], g[1], m.step, m.limit, m.Sigma())
		}
		if ratio := steps / (2 * limit) / sigma; ratio < 1 || ratio > 1.00001 {
			t.Errorf("ε %g, δ %g: σ is %.9g of what it must be", g[0], g[1], ratio)
		}
		if rho := m.Rho(); logDeltaOf(rho, g[0]) > math.Log(g[1]) || !near(rho*2*sigma*sigma, 1, 1e-4) {
			t.Errorf("ε %g, δ %g: ρ = %g", g[0], g[1], rho)
		}
	}
	// The grid is part of what is released: the same on every platform.
	for _, c := range []struct {
		epsilon, delta float64
		limit          int64
		logSigma       uint
	}{
		{MinEpsilon, MinDelta, 202126, 32}, {0.5, 1e-6, 247502020, 32}, {1, 1e-5, 530881196, 32},
		{4, 1e-5, 1855167315, 32}, {MaxEpsilon, MaxDelta, 1658374783, 28},
	} {
		if m := need.Value(NewMechanism(c.epsilon, c.delta, 1))(t); m.limit != c.limit || m.logSigma != c.logSigma {
			t.Errorf("ε %g, δ %g: limit %d and m = %d, want %d and %d", c.epsilon, c.delta, m.limit, m.logSigma,
				c.limit, c.logSigma)
		}
	}
	if m := need.Value(NewMechanism(2, 1e-6, 7))(t); m.Epsilon() != 2 || m.Delta() != 1e-6 || m.Bound() != 7 {
		t.Errorf("the mechanism does not say what it was made of: %+v", m)
	}
}

func TestWrongParameters(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		epsilon, delta, bound float64
		argument              string
	}{
		{0, 1e-5, 1, "epsilon"}, {-1, 1e-5, 1, "epsilon"}, {nan, 1e-5, 1, "epsilon"}, {1000, 1e-5, 1, "epsilon"},
		{1, 0, 1, "delta"}, {1, 1, 1, "delta"}, {1, nan, 1, "delta"},
		{1, 1e-5, 0, "bound"}, {1, 1e-5, math.Inf(1), "bound"}, {1, 1e-5, nan, "bound"},
	} {
		_, err := NewMechanism(c.epsilon, c.delta, c.bound)
		checkError(t, err, c.argument)
		if c.argument != "bound" {
			_, err = NewLedger(c.epsilon, c.delta)
			checkError(t, err, c.argument)
			_, err = AnalyticSigma(c.epsilon, c.delta)
			checkError(t, err, c.argument)
		}
	}
	m := need.Value(NewMechanism(1, 1e-5, 1))(t)
	_, err := NewMean(m, 0, 1)
	checkError(t, err, "nComponents")
	_, err = NewMean(m, 1, 0)
	checkError(t, err, "rows")

	noise := fixedNoise(1)
	for _, c := range []struct {
		dst, Z   []float32
		width    int
		argument string
	}{
		{nil, make([]float32, 5), 2, "Z"}, {nil, make([]float32, 4), 0, "Z"},
		{nil, []float32{1, float32(math.Inf(-1))}, 2, "Z"}, {make([]float32, 3), make([]float32, 4), 2, "dst"},
	} {
		_, err := m.ReleaseRows(c.dst, c.Z, c.width, noise)
		checkError(t, err, c.argument)
	}
}

// A release is features plus noise of the σ it states, in any dst; no two are alike.
func TestReleaseRows(t *testing.T) {
	const n, D, bound = 500, 16, 2.5
	m := need.Value(NewMechanism(4, 1e-5, bound))(t)
	Z := make([]float32, n*D)
	for i := range Z {
		Z[i] = bound / 8 * float32(1-2*(i%3%2)) // of norm C/2
	}
	noise := fixedNoise(2)
	released := need.Value(m.ReleaseRows(nil, Z, D, noise))(t)
	errors := make([]float64, len(Z))
	for i := range Z {
		errors[i] = float64(released[i]) - float64(Z[i])
	}
	checkVariance(t, "released rows", errors, m.Sigma()*m.Sigma())

	same := 0
	again := need.Value(m.ReleaseRows(Z, Z, D, noise))(t) // in place
	for i := range again {
		if again[i] == released[i] {
			same++
		}
	}
	if &again[0] != &Z[0] || same > 3 {
		t.Errorf("a second release gives %d of %d numbers again", same, len(Z))
	}
}

// A mean is of the clipped rows, with noise of σ/n; block sizes and order do not count.
func TestMean(t *testing.T) {
	slow.Elsewhere(t)
	const n, D, bound = 16, 8, 1.0
	m := need.Value(NewMechanism(1, 1e-5, bound))(t)
	Z, want := make([]float32, n*D), make([]float64, D)
	for row := range n {
		Z[row*D+row%D] = 3 // clipped to 1
		want[row%D] += 1. / n
	}
	var errors []float64
	noise := fixedNoise(3)
	for trial := range 500 {
		mean := need.Value(NewMean(m, D, n))(t)
		for at := 0; at < len(Z); at += D * (1 + trial) {
			need.OK(t, mean.Add(Z[at:min(len(Z), at+D*(1+trial))]))
		}
		for i, sum := range mean.sum {
			if got := m.step / n * float64(sum); !near(got, want[i], 1e-9) {
				t.Fatalf("mean without noise %g, want %g", got, want[i])
			}
		}
		if mean.Sigma() != m.Sigma()/n {
			t.Fatalf("σ = %g", mean.Sigma())
		}
		for i, v := range need.Value(mean.Release(nil, noise))(t) {
			errors = append(errors, float64(v)-want[i])
		}
	}
	checkVariance(t, "released mean", errors, m.Sigma()*m.Sigma()/(n*n))
}

// The number of rows is public, so it must be the one announced.
func TestMeanCounts(t *testing.T) {
	m := need.Value(NewMechanism(1, 1e-5, 1))(t)
	mean := need.Value(NewMean(m, 2, 3))(t)
	checkError(t, mean.Add([]float32{1}), "Z")
	checkError(t, mean.Add(make([]float32, 8)), "rows")
	need.OK(t, mean.Add([]float32{1, 0, 0, 1}))
	_, err := mean.Release(nil, fixedNoise(1))
	checkError(t, err, "rows")
	checkError(t, mean.Add([]float32{1, 1, 1, 1}), "rows")
	checkError(t, mean.Add([]float32{1, float32(math.NaN())}), "Z")
	need.OK(t, mean.Add([]float32{1, 1}))
	_, err = mean.Release(make([]float32, 3), fixedNoise(1))
	checkError(t, err, "dst")
	dst := make([]float32, 2)
	if got := need.Value(mean.Release(dst, fixedNoise(1)))(t); &got[0] != &dst[0] {
		t.Error("Release does not write into dst")
	}
}

func BenchmarkReleaseRows(b *testing.B) {
	const D = 1024
	m := need.Value(NewMechanism(1, 1e-5, 1))(b)
	Z, noise := make([]float32, 16*D), NewNoise(rand.Reader)
	for i := range Z {
		Z[i] = 1. / 32
	}
	dst := make([]float32, len(Z))
	for b.Loop() {
		need.Value(m.ReleaseRows(dst, Z, D, noise))(b)
	}
	b.ReportMetric(float64(b.N)*float64(len(Z))/b.Elapsed().Seconds()/1e6, "Mvalues/s")
}

// A mean resumed between any two blocks releases what one does that is not.
func TestResumeMean(t *testing.T) {
	slow.Elsewhere(t)
	const D, rows = 5, 7
	m := need.Value(NewMechanism(1, 1e-5, 2))(t)
	Z := make([]float32, D*rows)
	for i := range Z {
		Z[i] = float32(i%11)/7 - 0.6
	}
	whole := need.Value(NewMean(m, D, rows))(t)
	need.OK(t, whole.Add(Z))
	sum, added := make([]int64, D), 0
	for _, count := range []int{3, 1, 0, 3} {
		part := need.Value(ResumeMean(m, sum, rows, added))(t)
		need.OK(t, part.Add(Z[D*added:D*(added+count)]))
		added += count
	}
	resumed := need.Value(ResumeMean(m, sum, rows, added))(t)
	got := need.Value(resumed.Release(nil, fixedNoise(3)))(t)
	if want := need.Value(whole.Release(nil, fixedNoise(3)))(t); !slices.Equal(got, want) {
		t.Errorf("released %v, want %v", got, want)
	}
	for _, bad := range []int{-1, rows + 1} {
		_, err := ResumeMean(m, sum, rows, bad)
		checkError(t, err, "added")
	}
}

package sketch

import (
	"math"
	"math/rand"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// orthogonalCases vary d, D, whole and partial blocks, and γ.
func orthogonalCases() (all []Params) {
	for _, projection := range []string{ProjectionOrthogonal, ProjectionStructured} {
		for _, paired := range []bool{false, true} {
			for _, c := range []struct {
				d, D  int
				gamma float64
			}{{3, 18, 0.5}, {5, 200, 0.2}, {65, 300, 0.3}, {100, 140, 1}, {200, 90, 1}} {
				all = append(all, Params{Method: MethodRandomFourier, NFeatures: c.d, NComponents: c.D, Gamma: c.gamma,
					MethodParams: MethodParams{Projection: projection, Paired: paired}})
			}
		}
	}
	return all
}

// Features of one row, of sparse rows and of many rows side by side are the cosines of the explicit frequencies.
func TestOrthogonalFeatures(t *testing.T) {
	for _, p := range orthogonalCases() {
		p.Repeats = 2
		m := mustMap(t, p)
		p = m.Params()
		const rows = 21
		X := digestInput(rows * p.NFeatures)
		Z := need.Value(m.TransformBatch(nil, X))(t)
		for repeat := range p.Repeats {
			f := need.Value(p.Frequencies(repeat))(t)
			for r := range rows {
				z := Z[(r*p.Repeats+repeat)*p.NComponents:][:p.NComponents]
				for j := range len(f.Turns[0]) {
					phase := 0.0
					if f.Offsets != nil {
						phase = float64(f.Offsets[j])
					}
					for i, v := range X[r*p.NFeatures:][:p.NFeatures] {
						phase += float64(v) * float64(f.Scale) * float64(f.Turns[i][j])
					}
					got, want := z[j:j+1], []float64{math.Cos(2 * math.Pi * phase)}
					if f.Offsets == nil {
						got, want = z[2*j:2*j+2], append(want, math.Sin(2*math.Pi*phase))
					}
					for i, w := range want {
						if w *= math.Sqrt(2 / float64(p.NComponents) / float64(p.Repeats)); math.Abs(float64(got[i])-w) > 3e-6 {
							t.Fatalf("%+v: row %d, frequency %d is %v, want %v", p, r, j, got[i], w)
						}
					}
				}
			}
		}
	}
}

// Frequencies of one block are orthogonal, exactly or nearly: their normalised inner products are 0. Their squared
// lengths have the mean n, and structured ones of whole blocks too.
func TestOrthogonalBlocks(t *testing.T) {
	for _, p := range orthogonalCases() {
		p.NFeatures = 64 // so that nothing of a structured frequency is cut off
		f := need.Value(p.WithDefaults().Frequencies(0))(t)
		n := len(f.Turns[0])
		for j := range n {
			for k := j - j%64; k <= j; k++ {
				inner, jj, kk := 0.0, 0.0, 0.0
				for _, turns := range f.Turns {
					inner += float64(turns[j]) * float64(turns[k])
					jj += float64(turns[j]) * float64(turns[j])
					kk += float64(turns[k]) * float64(turns[k])
				}
				if cos := inner / math.Sqrt(jj*kk); k < j && math.Abs(cos) > 1e-6 || k == j && math.Abs(cos-1) > 1e-12 {
					t.Fatalf("%+v: frequencies %d and %d have cosine %v", p.MethodParams, k, j, cos)
				}
			}
		}
	}
}

// The fourth cumulant of structured frequencies, and the moments of two of a block, agree with the derivation:
// exactly, over all signs.
func TestStructuredMoments(t *testing.T) {
	for _, n := range []int{2, 4} {
		var signs [][]float64
		for bits := range 1 << n {
			s := make([]float64, n)
			for i := range s {
				s[i] = 1 - 2*float64(bits>>i&1)
			}
			signs = append(signs, s)
		}
		rows := func(z []float64) [][]float64 { // H·S_2·H·S_1·H·S_0·z for all signs
			all := [][]float64{z}
			for range 3 {
				var next [][]float64
				for _, v := range all {
					for _, s := range signs {
						w := make([]float64, n)
						for i := range w {
							w[i] = v[i] * s[i]
						}
						hadamardTransform(w)
						next = append(next, w)
					}
				}
				all = next
			}
			return all
		}
		of, unit, rng := float64(n), math.Pow(float64(n), -3), rand.New(rand.NewSource(1))
		for trial := range 4 {
			u, v := make([]float64, n), make([]float64, n)
			for i := range n {
				u[i], v[i] = rng.NormFloat64(), rng.NormFloat64()
			}
			if trial == 0 {
				u[0], v[0], u[1], v[1] = 1, 1, 0, 0 // sparse
			}
			if trial == 1 {
				v = u
			}
			uu, uv, vv, fourth := dot64(u, u), dot64(u, v), dot64(v, v), 0.0
			for i := range u {
				fourth += u[i] * u[i] * v[i] * v[i]
			}
			one, two := rows(u), rows(v)
			same, different := 0.0, 0.0
			for m := range one {
				for j, a := range one[m] {
					for k, b := range two[m] {
						if product := a * a * b * b * unit * unit / float64(len(one)); j == k {
							same += of * (of + 2) * product / of
						} else {
							different += of * of * product / (of * (of - 1))
						}
					}
				}
			}
			cumulant := 24*(uu*vv+2*uv*uv)/3/(of*of*of) - 8*(1+2/of)*fourth/(of*of)
			if got := same - uu*vv - 2*uv*uv; math.Abs(got-cumulant) > 1e-12*uu*vv {
				t.Errorf("n %d, trial %d: fourth cumulant %v, want %v", n, trial, got, cumulant)
			}
			want := uu*vv + (2*uu*vv-2*of*uv*uv-of*cumulant)/((of-1)*(of+2))
			if math.Abs(different-want) > 1e-12*uu*vv {
				t.Errorf("n %d, trial %d: moments of a pair %v, want %v", n, trial, different, want)
			}
		}
	}
}

// Lengths have the moments of the χ distribution: the squares n and n(n + 2).
func TestLengths(t *testing.T) {
	const draws = 20000
	for _, n := range []int{1, 2, 3, 64, 1024} {
		s := IntSeed(3).randomness(0).stream(domainLength, uint32(n))
		second, fourth, of := 0.0, 0.0, float64(n)
		for range draws {
			v := s.length(n) * 2 * math.Pi / math.Sqrt2
			second += v * v
			fourth += v * v * v * v
		}
		if z := (second/draws - of) / math.Sqrt(2*of/draws); math.Abs(z) > 4 {
			t.Errorf("n %d: mean square %v, %v standard deviations off", n, second/draws, z)
		}
		// E χ^8 = n(n+2)(n+4)(n+6)
		mean := of * (of + 2)
		if z := (fourth/draws - mean) / math.Sqrt((mean*(of+4)*(of+6)-mean*mean)/draws); math.Abs(z) > 4 {
			t.Errorf("n %d: mean fourth power %v, %v standard deviations off", n, fourth/draws, z)
		}
	}
}

// orthogonalPair is Cov(cos ⟨ω, u⟩, cos ⟨ω', v⟩) of two frequencies of an orthogonal block, by its moments, for
// uu = γ‖u‖², vv = γ‖v‖² and uv = γ⟨u, v⟩ of a few units. Given the direction q of ω, ⟨ω', v⟩ is a length times
// a coordinate of a random direction of the n − 1 others, times the norm of v without its part along q:
//
//	E ⟨ω, u⟩^2a ⟨ω', v⟩^2b = E R^2b (2b−1)!!/((n−1)(n+1) … (n+2b−3)) Σ_m C(b, m) (2vv)^(b−m) (−1)^m M(a, m)
//	M(a, m) = E ⟨ω, u⟩^2a ⟨q, v⟩^2m = E X^2a Y^2m / ((n+2a)(n+2a+2) … (n+2a+2m−2))
//
// for normal X and Y with variances 2uu and 2vv and covariance 2uv.
func orthogonalPair(n, uu, uv, vv float64) float64 {
	const terms = 40
	factorial := make([]float64, 2*terms)
	factorial[0] = 1
	for i := 1; i < len(factorial); i++ {
		factorial[i] = factorial[i-1] * float64(i)
	}
	sum := 0.0
	for a := range terms {
		along := make([]float64, terms) // M(a, m)/(2a)!
		for m := range along {
			for j := range min(a, m) + 1 {
				along[m] += factorial[2*m] / (factorial[2*j] * factorial[a-j] * factorial[m-j]) *
					math.Pow(uu, float64(a-j)) * math.Pow(vv, float64(m-j)) * math.Pow(2*uv, float64(2*j))
			}
			for k := range m {
				along[m] /= n + float64(2*(a+k))
			}
		}
		scale := 1.0 // E R^2b/((n−1)(n+1) …)·(2b−1)!!/(2b)!, the latter 1/(2^b b!)
		for b := range terms {
			if b > 0 {
				scale *= (n + float64(2*b-2)) / (n + float64(2*b-3)) / float64(2*b)
			}
			inner := 0.0
			for m := range b + 1 {
				inner += factorial[b] / (factorial[m] * factorial[b-m]) * math.Pow(2*vv, float64(b-m)) *
					math.Pow(-1, float64(m)) * along[m]
			}
			sum += math.Pow(-1, float64(a+b)) * scale * inner
		}
	}
	return sum - math.Exp(-uu-vv)
}

// The law's pair is exact where a vector meets itself. Of different vectors it is of first order: what it lacks is at
// most 12/n² of κ(u)κ(v) where κ changes, and four times less where n is twice as large.
func TestOrthogonalFirstOrder(t *testing.T) {
	for _, s := range []float64{0.3, 1, 2.5} { // one vector twice: the series is exact
		for _, n := range []int{3, 64} {
			root := []float64{math.Sqrt(s)}
			got, want := (&fourierLaw{gamma: 1, block: n}).pair(root, root), orthogonalPair(float64(n), s, s, s)
			if math.Abs(got-want) > 1e-10 {
				t.Errorf("n %d, s %v: %v, by moments %v", n, s, got, want)
			}
		}
	}
	for _, c := range [][3]float64{{1, 0.5, 1}, {1, 0, 1}, {2, 1, 0.7}, {1.5, -1, 1.5}, {0.4, 0.1, 2}} {
		uu, uv, vv := c[0], c[1], c[2]
		lacks := func(n int) float64 {
			u := []float64{math.Sqrt(uu), 0}
			v := []float64{uv / u[0], 0}
			v[1] = math.Sqrt(vv - v[0]*v[0])
			got := (&fourierLaw{gamma: 1, block: n}).pair(u, v)
			return (orthogonalPair(float64(n), uu, uv, vv) - got) * float64(n*n) * math.Exp(uu+vv)
		}
		if at, twice := lacks(512), lacks(1024); math.Abs(at) > 12 || math.Abs(at-twice) > 0.02*math.Abs(twice)+0.01 {
			t.Errorf("%v: the pair lacks %.4g/n² of κκ at n 512, %.4g/n² at 1,024", c, at, twice)
		}
	}
}

// The series of a pair of orthogonal frequencies agrees with what it is for n = 2, where it is e^(−s)·(1 − s), with
// e^(−2s)·(1 − 2s²/n) for large n, and with simulated frequencies for odd n.
func TestOrthogonalPair(t *testing.T) {
	at := func(n int, s float64) float64 {
		root := []float64{math.Sqrt(s)}
		return (&fourierLaw{gamma: 1, block: n}).pair(root, root) + math.Exp(-2*s)
	}
	for _, s := range []float64{0, 0.1, 1, 5, 30, 800} {
		if got, want := at(2, s), math.Exp(-s)*(1-s); math.Abs(got-want) > 1e-14 {
			t.Errorf("n 2, s %v: %v, want %v", s, got, want)
		}
		if got, want := at(1<<20, s), math.Exp(-2*s)*(1-2*s*s/(1<<20)); math.Abs(got-want) > 1e-11 {
			t.Errorf("n 2^20, s %v: %v, want %v", s, got, want)
		}
	}
	for _, s := range []float64{1e300, math.Inf(1)} { // the series ends
		if got := at(64, s); got != 0 {
			t.Errorf("n 64, s %v: %v, want 0", s, got)
		}
	}
	rng := rand.New(rand.NewSource(1))
	for _, s := range []float64{0.3, 1.5} {
		const draws = 200000
		sum := 0.0
		for range draws { // in 3 dimensions: a direction and a normal length of 6
			var direction [3]float64
			square, length := 0.0, 0.0
			for i := range direction {
				direction[i] = rng.NormFloat64()
				square += direction[i] * direction[i]
			}
			for range 6 {
				v := rng.NormFloat64()
				length += v * v
			}
			sum += math.Cos(math.Sqrt(2*s*length/square) * direction[0])
		}
		if got, want := at(3, s), sum/draws; math.Abs(got-want) > 4/math.Sqrt(draws) {
			t.Errorf("n 3, s %v: %v, simulated %v", s, got, want)
		}
	}
}

// Mean and variance over seeds agree with the law: exact for orthogonal frequencies, and to first order for
// structured ones. The covariance of two estimates, of first order in the law, agrees with the series of all orders.
func TestOrthogonalLaw(t *testing.T) {
	slow.Elsewhere(t)
	seeds := 2000
	if testing.Short() {
		seeds = 300
	}
	for _, p := range orthogonalCases() {
		formulas := formulasOf(t, p)
		d, D := p.NFeatures, p.NComponents
		X := make([]float32, 3*d) // differences of about γ‖x−y‖² = 1
		rng := rand.New(rand.NewSource(7))
		for i := range X {
			X[i] = float32(rng.NormFloat64() / math.Sqrt(2*float64(d)*p.Gamma))
		}
		if d == 200 { // and a sparse one
			copy(X[d:], X[:d])
			X[d] += 0.7
			X[d+9] += 0.7
		}
		x, y, w := toFloat64(X[:d]), toFloat64(X[d:2*d]), toFloat64(X[2*d:])
		var errors, products moments
		for seed := range seeds {
			p.Seed = IntSeed(uint64(seed))
			Z := need.Value(mustMap(t, p).TransformBatch(nil, X))(t)
			e := Dot(Z[:D], Z[D:2*D]) - formulas.Kernel(x, y)
			errors.add(e)
			products.add(e * (Dot(Z[:D], Z[2*D:]) - formulas.Kernel(x, w)))
		}
		variance, kind := formulas.variance(x, y, float64(D))
		want := Exact
		if p.MethodParams.Projection == ProjectionStructured {
			want = FirstOrder
		}
		if kind != want {
			t.Errorf("%+v: kind %v, want %v", p.MethodParams, kind, want)
		}
		independent := formulasOf(t, Params{Method: p.Method, NFeatures: d, NComponents: D, Gamma: p.Gamma,
			MethodParams: MethodParams{Paired: p.MethodParams.Paired}}).Variance(x, y, float64(D))
		ratio, spread := errors.variance()/variance, errors.spread()
		t.Logf("%v d %d D %d: variance %.3f of the formula ± %.3f; the formula is %.3f of independent",
			p.MethodParams.Projection, d, D, ratio, spread, variance/independent)
		if math.Abs(ratio-1) > spread {
			t.Errorf("%+v: variance %v over %d seeds, want %v: ratio %.4f ± %.4f", p, errors.variance(), seeds, variance,
				ratio, spread)
		}
		if bias := errors.sum / errors.n; math.Abs(bias) > 4*math.Sqrt(variance/errors.n)+2e-4 {
			t.Errorf("%+v: bias %v", p, bias)
		}
		mean := products.sum / products.n
		deviation := math.Sqrt((products.variance() - mean*mean) / products.n)
		law := formulas.law.(*fourierLaw) // whose pair is of first order here: the test takes all orders
		frequencies, u, v := float64(frequencyCount(&p)), combine(x, -1, y), combine(x, -1, w)
		lacks := orthogonalPair(float64(law.block), p.Gamma*dot64(u, u), p.Gamma*dot64(u, v), p.Gamma*dot64(v, v)) -
			law.pair(u, v)
		covariance := law.covariance(x, y, x, w, float64(D)) +
			lacks*sharedPairs(frequencies, law.block)/(frequencies*frequencies)
		if math.Abs(mean-covariance) > 4*deviation {
			t.Errorf("%+v: covariance %v ± %v, want %v", p, mean, deviation, covariance)
		}
	}
}

// What a map of other kernels, or of too many features, is told.
func TestProjectionErrors(t *testing.T) {
	for _, c := range []struct {
		params MethodParams
		d      int
		want   string
	}{
		{MethodParams{Projection: "sorted"}, 3,
			`methodParams.projection must be one of "iid", "orthogonal", "structured", got "sorted"`},
		{MethodParams{Projection: ProjectionStructured, Kernel: KernelLaplacian}, 3,
			`methodParams.projection must be left out unless methodParams.kernel is "gaussian", got "structured"`},
		{MethodParams{Projection: ProjectionOrthogonal}, 257,
			`methodParams.projection must be "structured" for more than 256 features, got "orthogonal"`},
	} {
		_, err := NewFeatureMap(Params{Method: MethodRandomFourier, NFeatures: c.d, NComponents: 8, MethodParams: c.params})
		if err == nil || err.Error() != c.want {
			t.Errorf("%+v, d %d: %v, want %s", c.params, c.d, err, c.want)
		}
	}
	m := mustMap(t, Params{Method: MethodRandomFourier, NFeatures: 3, NComponents: 8,
		MethodParams: MethodParams{Projection: ProjectionIID}})
	if got := m.Params().MethodParams.Projection; got != "" {
		t.Errorf("projection %q of a map with the default, want none", got)
	}
}

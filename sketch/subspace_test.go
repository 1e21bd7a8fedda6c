package sketch

import (
	"errors"
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

func TestSubspaceDimension(t *testing.T) {
	for _, c := range []struct {
		k, degree      int
		epsilon, delta float64
		want, product  float64
	}{
		{1, 1, 1, 0.5, 10, 10},
		{3, 2, 0.5, 0.1, 3960, 440},
		{4, 3, 0.25, 0.125, 59392, 3712},
		{1000, 64, 1e-3, 1e-3, math.Ceil(1e6 * (math.Pow(3, 64) + 2) / 1e-9), math.Ceil((math.Pow(3, 64) + 2) / 1e-9)},
	} {
		got, err := Params{Degree: c.degree}.SubspaceDimension(c.k, c.epsilon, c.delta)
		product, err2 := Params{Degree: c.degree}.SubspaceDimension(1, c.epsilon, c.delta)
		if err != nil || err2 != nil || math.Abs(got/c.want-1) > 1e-12 || math.Abs(product/c.product-1) > 1e-12 {
			t.Errorf("k %d, degree %d, ε %g, δ %g: subspace %.17g (%v), product %.17g (%v), want %.17g, %.17g",
				c.k, c.degree, c.epsilon, c.delta, got, err, product, err2, c.want, c.product)
		}
	}
	for _, c := range []struct {
		k, degree      int
		epsilon, delta float64
		message        string
	}{
		{0, 2, 0.1, 0.1, "k must be an integer ≥ 1, got 0"},
		{3, 65, 0.1, 0.1, "degree must be an integer from 1 to 64, got 65"},
		{3, 2, 0, 0.1, "epsilon must be a finite number > 0, got 0"},
		{3, 2, 0.1, 1, "delta must be a number between 0 and 1, got 1"},
	} {
		_, err := Params{Degree: c.degree}.SubspaceDimension(c.k, c.epsilon, c.delta)
		var e *Error
		if !errors.As(err, &e) || e.Code != ErrParam || !strings.Contains(err.Error(), c.message) {
			t.Errorf("k %d, degree %d, ε %g, δ %g: error %v, want %q", c.k, c.degree, c.epsilon, c.delta, err, c.message)
		}
	}
}

// tensors are k tensors of degree q, each a weighted sum of the same products of
// unlike vectors, so that none is a power of a vector.
type tensors struct {
	degree, d int
	products  [][][]float32 // product, degree, coordinate
	weights   [][]float64   // tensor, product
}

// randomTensors returns k tensors over twice as many products of Gaussian vectors
// of length d; sparse ones have one or two coordinates that are not 0.
func randomTensors(rng *rand.Rand, k, degree, d int, sparse bool) tensors {
	s := tensors{degree: degree, d: d}
	for range 2 * k {
		var vectors [][]float32
		for range degree {
			v := make([]float32, d)
			for i := range v {
				if !sparse || rng.Intn(d) == 0 {
					v[i] = float32(rng.NormFloat64())
				}
			}
			v[rng.Intn(d)]++
			vectors = append(vectors, v)
		}
		s.products = append(s.products, vectors)
	}
	for range k {
		w := make([]float64, 2*k)
		for i := range w {
			w[i] = rng.NormFloat64()
		}
		s.weights = append(s.weights, w)
	}
	return s
}

// inner returns the inner products of a's tensors with b's, of the same products:
// ⟨x₁⊗x₂⊗…, y₁⊗y₂⊗…⟩ = Π⟨x_k,y_k⟩.
func (s *tensors) inner(a, b []float64) float64 {
	sum := 0.0
	for i, x := range s.products {
		for j, y := range s.products {
			product := a[i] * b[j]
			for k := range x {
				product *= Dot(x[k], y[k])
			}
			sum += product
		}
	}
	return sum
}

// orthonormalize makes the tensors an orthonormal basis of their span, by Gram &
// Schmidt twice.
func (s *tensors) orthonormalize() {
	for range 2 {
		for i, u := range s.weights {
			for _, v := range s.weights[:i] {
				c := s.inner(u, v)
				for j := range u {
					u[j] -= c * v[j]
				}
			}
			norm := math.Sqrt(s.inner(u, u))
			for j := range u {
				u[j] /= norm
			}
		}
	}
}

func (s *tensors) each() []int {
	each := make([]int, s.degree)
	for k := range each {
		each[k] = s.d
	}
	return each
}

// sketches returns the sketch of every tensor: the weighted sum of the products'.
func (s *tensors) sketches(t *testing.T, m *FeatureMap) [][]float64 {
	t.Helper()
	rows := make([]Rows, s.degree)
	for k := range rows {
		var X []float32
		for _, product := range s.products {
			X = append(X, product[k]...)
		}
		rows[k] = Dense(X)
	}
	z := need.Value(m.TransformProduct(nil, rows...))(t)
	D := m.NComponents()
	all := make([][]float64, len(s.weights))
	for i, weights := range s.weights {
		all[i] = make([]float64, D)
		for p, w := range weights {
			for j, v := range z[p*D : (p+1)*D] {
				all[i][j] += w * float64(v)
			}
		}
	}
	return all
}

// gram returns ⟨a_i, b_j⟩.
func gram(a, b [][]float64) [][]float64 {
	g := make([][]float64, len(a))
	for i := range a {
		for j := range b {
			g[i] = append(g[i], dotFloat64(a[i], b[j]))
		}
	}
	return g
}

func dotFloat64(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += v * b[i]
	}
	return sum
}

// singularValues returns the singular values of the matrix with the given columns, by one-sided
// Jacobi rotations, which overwrite them.
func singularValues(columns [][]float64) []float64 {
	for range 30 {
		for i := range columns {
			for j := range i {
				a, b := columns[i], columns[j]
				alpha, beta, gamma := dotFloat64(a, a), dotFloat64(b, b), dotFloat64(a, b)
				if math.Abs(gamma) <= 1e-15*math.Sqrt(alpha*beta) {
					continue
				}
				angle := 0.5 * math.Atan2(2*gamma, alpha-beta)
				c, s := math.Cos(angle), math.Sin(angle)
				for r := range a {
					a[r], b[r] = c*a[r]+s*b[r], c*b[r]-s*a[r]
				}
			}
		}
	}
	var values []float64
	for _, column := range columns {
		values = append(values, math.Sqrt(dotFloat64(column, column)))
	}
	return values
}

// E‖(SU)ᵀSU − I‖² is the sum of the exact variances of the estimates of all inner
// products of the basis, and at most k²(3^q − 1)/D.
func TestSubspaceSecondMoment(t *testing.T) {
	slow.Emulated(t)
	const k = 3
	for _, c := range []struct {
		degree, d, D int
		sparse       bool
	}{{2, 4, 8, false}, {2, 5, 13, true}, {2, 6, 64, false}, {3, 3, 16, false}, {3, 4, 25, true}} {
		rng := rand.New(rand.NewSource(int64(c.D)))
		u := randomTensors(rng, k, c.degree, c.d, c.sparse)
		u.orthonormalize()
		m := must(t, Params{NFeaturesEach: u.each(), NComponents: c.D})
		want := 0.0
		for i := range k {
			for j := range k {
				want += u.variance(m, i, j)
			}
		}
		if bound := k * k * (math.Pow(3, float64(c.degree)) - 1) / float64(c.D); want > bound {
			t.Errorf("degree %d, D %d: E‖(SU)ᵀSU − I‖² = %g, above %g", c.degree, c.D, want, bound)
		}
		var squares moments
		for seed := uint64(0); squares.n < 1000 || 4*math.Sqrt(squares.variance()/squares.n) > 2*tolerance*want &&
			squares.n < 40000; seed++ {
			reseeded(m, seed)
			sketches, square := u.sketches(t, m), 0.0
			for i, row := range gram(sketches, sketches) {
				row[i]--
				square += dotFloat64(row, row)
			}
			squares.add(square)
		}
		mean, deviation := squares.sum/squares.n, math.Sqrt(squares.variance()/squares.n)
		if math.Abs(mean-want) > 4*deviation || 4*deviation > 4*tolerance*want {
			t.Errorf("degree %d, d %d, D %d: ‖(SU)ᵀSU − I‖² is %g ± %g over %.0f seeds, want %g", c.degree, c.d, c.D, mean,
				deviation, squares.n, want)
		}
	}
}

// variance returns the exact variance of ⟨Su_i, Su_j⟩, from the covariances of the
// products' estimates.
func (s *tensors) variance(m *FeatureMap, i, j int) float64 {
	var vectors [][]float64
	for _, product := range s.products {
		var v []float64
		for _, x := range product {
			v = append(v, toFloat64(x)...)
		}
		vectors = append(vectors, v)
	}
	sum := 0.0
	for a, x := range vectors {
		for b, y := range vectors {
			for c, z := range vectors {
				for d, w := range vectors {
					sum += s.weights[i][a] * s.weights[j][b] * s.weights[i][c] * s.weights[j][d] * covariance(m, x, y, z, w)
				}
			}
		}
	}
	return sum
}

// Theorem 1 of Avron, Nguyen & Woodruff: at SubspaceDimension the singular values
// of a sketched orthonormal basis lie in 1 ± ε in a fraction 1 − δ of the seeds, on
// subspaces that are not spanned by powers of vectors. At a hundredth of it they
// stray ten times as far, so there is something to see.
func TestSubspaceEmbedding(t *testing.T) {
	slow.Elsewhere(t)
	seeds := 100
	if testing.Short() {
		seeds = 25
	}
	for _, c := range []struct {
		k, degree, d int
		sparse       bool
		epsilon      float64
	}{{3, 2, 6, false, 0.5}, {3, 2, 9, true, 0.4}, {3, 3, 4, false, 0.5}, {4, 3, 5, true, 0.6}} {
		const delta = 0.2
		rng := rand.New(rand.NewSource(int64(c.k + c.degree)))
		u := randomTensors(rng, c.k, c.degree, c.d, c.sparse)
		u.orthonormalize()
		D := need.Value(Params{Degree: c.degree}.SubspaceDimension(c.k, c.epsilon, delta))(t)
		strays := func(nComponents int) (outside, mean float64) {
			m := must(t, Params{NFeaturesEach: u.each(), NComponents: nComponents})
			for seed := range seeds {
				reseeded(m, uint64(seed))
				worst := 0.0
				for _, sigma := range singularValues(u.sketches(t, m)) {
					worst = max(worst, math.Abs(sigma-1))
				}
				if mean += worst / float64(seeds); worst > c.epsilon {
					outside += 1 / float64(seeds)
				}
			}
			return outside, mean
		}
		name := fmt.Sprintf("k %d, degree %d, D %g", c.k, c.degree, D)
		outside, mean := strays(int(D))
		if outside > delta+4*math.Sqrt(delta*(1-delta)/float64(seeds)) {
			t.Errorf("%s: singular values leave 1 ± %g in %.3f of the seeds, want at most %g", name, c.epsilon, outside, delta)
		}
		if _, coarse := strays(int(D) / 100); coarse < 4*mean {
			t.Errorf("%s: singular values stray by %.3f on average, at a hundredth of D by %.3f: want about ten times as much",
				name, mean, coarse)
		}
	}
}

// The first half of the theorem: ‖(SA)ᵀSB − AᵀB‖ ≤ ε‖A‖‖B‖ at the D for k = 1.
func TestApproximateMatrixProduct(t *testing.T) {
	slow.Elsewhere(t)
	const epsilon, delta = 0.4, 0.2
	seeds := 300
	if testing.Short() {
		seeds = 60
	}
	for _, degree := range []int{2, 3} {
		rng := rand.New(rand.NewSource(int64(degree)))
		both := randomTensors(rng, 5, degree, 5, false) // three columns of A, two of B
		D := need.Value(Params{Degree: degree}.SubspaceDimension(1, epsilon, delta))(t)
		exact, norms := make([][]float64, 3), [2]float64{}
		for i, u := range both.weights {
			norms[i/3] += both.inner(u, u)
			for _, v := range both.weights[3:] {
				if i < 3 {
					exact[i] = append(exact[i], both.inner(u, v))
				}
			}
		}
		m := must(t, Params{NFeaturesEach: both.each(), NComponents: int(D)})
		outside := 0.0
		for seed := range seeds {
			reseeded(m, uint64(seed))
			sketches, square := both.sketches(t, m), 0.0
			for i, row := range gram(sketches[:3], sketches[3:]) {
				for j, v := range row {
					square += (v - exact[i][j]) * (v - exact[i][j])
				}
			}
			if math.Sqrt(square) > epsilon*math.Sqrt(norms[0]*norms[1]) {
				outside++
			}
		}
		if outside /= float64(seeds); outside > delta+4*math.Sqrt(delta*(1-delta)/float64(seeds)) {
			t.Errorf("degree %d, D %g: beyond ε in %.3f of the seeds, want at most %g", degree, D, outside, delta)
		}
	}
}

// Lemma 10 of KDD 2013, which is Theorem 3 of Weinberger et al. (2009) for the
// tensor power of x: with D ≥ 72·ln(1/δ)/ε² and no dominant coordinate,
// ‖x^(p)‖∞ ≤ ε/(18·√(ln(1/δ)·ln(D/δ))), ‖f(x)‖² lies within ε of ‖x‖^2p = 1 with
// probability 1 − 2δ. So it does for p = 2 and 3. The D has no p, though, while
// the variance of ‖f(x)‖² grows like 2^(p+1)/D, and at p = 6 and 8 it does not.
func TestLemma10(t *testing.T) {
	slow.Elsewhere(t)
	const epsilon, delta, D = 0.5, 0.001, 2048
	if D < 72*math.Log(1/delta)/(epsilon*epsilon) {
		t.Fatal("D is not the lemma's")
	}
	seeds := 3000
	if testing.Short() {
		seeds = 1000
	}
	most := epsilon / (18 * math.Sqrt(math.Log(1/delta)*math.Log(D/delta)))
	allowed := 2*delta + 4*math.Sqrt(2*delta/float64(seeds))
	for _, c := range []struct {
		degree int
		kept   bool
	}{{2, true}, {3, true}, {6, false}, {8, false}} {
		d := int(math.Ceil(math.Pow(most, -2/float64(c.degree))))
		off := normsOff(t, flat(d), Params{NFeatures: d, NComponents: D, Degree: c.degree}, epsilon, seeds)
		if c.kept != (off <= allowed) {
			t.Errorf("degree %d, d %d: ‖f(x)‖² is off by %g or more in %.4f of the seeds; 2δ = %g, with sampling %.4f", c.degree,
				d, off, epsilon, 2*delta, allowed)
		}
	}
}

// What a dominant coordinate does: for x = (1, 1), p = 2 and κ = 4 two products collide in 4/D of the seeds, and
// ‖f(x)‖² is off by exactly 2 in half of them, by exactly 4 in the others, up to terms of 1/D². All numbers are small
// integers, so there are no ties by rounding. The norm of many equal coordinates is never half off, though its variance
// is larger.
func TestDominantCoordinates(t *testing.T) {
	slow.Elsewhere(t)
	const D, seeds = 64, 40000
	m, z := must(t, Params{NFeatures: 2, NComponents: D}), make([]float32, D)
	seen := map[float64]float64{}
	for seed := range uint64(seeds) {
		reseeded(m, seed)
		m.Transform(z, []float32{1, 1})
		seen[math.Round(1e3*math.Abs(Dot(z, z)-4))/1e3]++
	}
	for off, want := range map[float64]float64{0: 1 - 4./D, 2: 2. / D, 4: 2. / D} {
		if got := seen[off] / seeds; math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/seeds) {
			t.Errorf("‖f(x)‖² is off by %g in %.5f of the seeds, want %.5f", off, got, want)
		}
	}
	if rare := seen[12] / seeds; len(seen) > 4 || rare > 4./(D*D) { // of both hashes colliding: 1/(4D²)
		t.Errorf("‖f(x)‖² is off by %v, want 0, 2 and 4, and rarely 12", seen)
	}
	params := Params{NFeatures: 361, NComponents: 1024}
	if even := normsOff(t, flat(361), params, 0.5, 1000); even != 0 {
		t.Errorf("‖f(x)‖² of many coordinates is off by half in %.5f of the seeds", even)
	}
}

// flat returns a unit vector of equal coordinates.
func flat(d int) []float32 {
	x := make([]float32, d)
	for i := range x {
		x[i] = float32(1 / math.Sqrt(float64(d)))
	}
	return x
}

// normsOff returns the fraction of seeds in which ‖f(x)‖² misses 1 by epsilon or more.
func normsOff(t *testing.T, x []float32, params Params, epsilon float64, seeds int) float64 {
	t.Helper()
	m := must(t, params)
	z, off := make([]float32, params.NComponents), 0
	for seed := range seeds {
		reseeded(m, uint64(seed))
		m.Transform(z, x)
		if math.Abs(Dot(z, z)-1) >= epsilon {
			off++
		}
	}
	return float64(off) / float64(seeds)
}

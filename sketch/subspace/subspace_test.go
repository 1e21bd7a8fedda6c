package subspace

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strings"
	"testing"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn"
)

// systemOf returns the sums of rows with one target, in plain loops.
func systemOf(Z, t []float64, n, D, K int) *learn.System {
	s := &learn.System{Rows: float64(n), D: D, K: K, G: make([]float64, D*D), Z: make([]float64, D),
		B: make([]float64, K*D), T: make([]float64, K), TT: make([]float64, K)}
	for r := range n {
		z := Z[r*D:][:D]
		for i, a := range z {
			s.Z[i] += a
			for j, b := range z {
				s.G[i*D+j] += float64(a * b)
			}
			for k := range K {
				s.B[k*D+i] += float64(t[r*K+k] * a)
			}
		}
		for k := range K {
			y := t[r*K+k]
			s.T[k] += y
			s.TT[k] += float64(y * y)
		}
	}
	return s
}

// A problem has rows of multiples of 2^-10, as moments have them, so that its sums are exact.
type problem struct {
	n, D, K int
	Z, t    []float64
}

func randomProblem(rng *rand.Rand, n, D int) problem {
	p := problem{n, D, 0, make([]float64, n*D), nil}
	for i := range p.Z {
		p.Z[i] = math.RoundToEven((rng.NormFloat64()+0.5)*1024) / 1024
	}
	return p
}

func (p problem) system() *learn.System { return systemOf(p.Z, p.t, p.n, p.D, p.K) }

func compare(t *testing.T, name string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", name, len(got), len(want))
	}
	size := 1e-300
	for _, v := range want {
		size = max(size, math.Abs(v))
	}
	for i := range want {
		if d := math.Abs(got[i] - want[i]); !(d <= tolerance*size) {
			t.Errorf("%s: number %d is %.17g, want %.17g", name, i, got[i], want[i])
			return
		}
	}
}

// Principal components and canonical correlations equal scikit-learn's and NumPy's.
func TestScikitLearn(t *testing.T) {
	text, err := os.ReadFile("../../internal/solve/testdata/sklearn-linear.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Cases []struct {
			N, D, Narrow                              int
			X                                         []float64
			Variance, Share, Components, Correlations []float64
		}
	}
	if err := json.Unmarshal(text, &golden); err != nil || len(golden.Cases) == 0 {
		t.Fatalf("%d cases, %v", len(golden.Cases), err)
	}
	correlations := 0
	for _, c := range golden.Cases {
		s := systemOf(c.X, nil, c.N, c.D, 0)
		p, err := FitPCA(s, len(c.Variance))
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "variance", p.Variance, c.Variance, 1e-12)
		compare(t, "share", p.Share, c.Share, 1e-12)
		compare(t, "components", p.Weights, c.Components, 1e-8)
		if len(c.Correlations) > 0 {
			correlations++
			cca, err := CCA(s, c.Narrow, CCAOptions{Centre: true})
			if err != nil {
				t.Fatal(err)
			}
			compare(t, "correlations", cca.Values, c.Correlations, 1e-11)
		}
	}
	if correlations == 0 {
		t.Error("no case has correlations")
	}
}

// Coordinates of rows have mean 0, the stated variances, and no correlations.
func TestPCACoordinates(t *testing.T) {
	p := randomProblem(rand.New(rand.NewSource(7)), 50, 7)
	c, err := FitPCA(p.system(), 3)
	if err != nil {
		t.Fatal(err)
	}
	Z := make([]float32, len(p.Z))
	for i, z := range p.Z {
		Z[i] = float32(z) // exact: multiples of 2^-10
	}
	scores := c.Scores(nil, Z)
	for a := range 3 {
		for b := range a + 1 {
			sum, mean := 0.0, 0.0
			for r := range p.n {
				sum += scores[r*3+a] * scores[r*3+b]
				mean += scores[r*3+a]
			}
			want := 0.0
			if a == b {
				want = c.Variance[a]
			}
			if math.Abs(sum/49-want) > 1e-12*c.Variance[0] || math.Abs(mean) > 1e-12*c.Variance[0] {
				t.Errorf("coordinates %d and %d: covariance %g, want %g; mean %g", a, b, sum/49, want, mean/50)
			}
		}
	}
}

func TestPCAErrors(t *testing.T) {
	p := randomProblem(rand.New(rand.NewSource(8)), 5, 4)
	for want, k := range map[string]int{"components must be from 1 to nComponents = 4, got 0": 0,
		"components must be from 1 to nComponents = 4, got 5": 5} {
		if _, err := NewPCA(p.system(), k); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	p.n, p.Z = 1, p.Z[:4]
	if _, err := NewPCA(p.system(), 2); err == nil || !strings.HasPrefix(err.Error(), "rows must be at least 2") {
		t.Errorf("one row: %v", err)
	}
	// Constant features have no variance, and no NaN.
	p = randomProblem(rand.New(rand.NewSource(8)), 5, 4)
	for i := range p.Z {
		p.Z[i] = 0.25
	}
	c, err := FitPCA(p.system(), 4)
	if err != nil {
		t.Fatal(err)
	}
	for i := range c.Variance {
		if c.Variance[i] != 0 || c.Share[i] != 0 {
			t.Errorf("constant features: variance %g, share %g", c.Variance[i], c.Share[i])
		}
	}
	for _, w := range c.Weights {
		if w-w != 0 {
			t.Errorf("constant features: %g in a component", w)
		}
	}
}

// orthonormal returns n rows of k orthonormal features.
func orthonormal(rng *rand.Rand, n, k int) []float64 {
	V := make([]float64, n*k)
	for j := range k {
		for r := range n {
			V[r*k+j] = rng.NormFloat64()
		}
		for range 2 {
			for i := range j {
				inner := 0.0
				for r := range n {
					inner += V[r*k+i] * V[r*k+j]
				}
				for r := range n {
					V[r*k+j] -= inner * V[r*k+i]
				}
			}
		}
		length := 0.0
		for r := range n {
			length += V[r*k+j] * V[r*k+j]
		}
		for r := range n {
			V[r*k+j] /= math.Sqrt(length)
		}
	}
	return V
}

// For an orthonormal basis, PCR is the regression on it, and what it does not fit is orthogonal to the basis.
func TestPCR(t *testing.T) {
	rng := rand.New(rand.NewSource(9))
	const n, k = 60, 5
	p := problem{n, k, 2, orthonormal(rng, n, k), make([]float64, n*2)}
	for i := range p.t {
		p.t[i] = rng.NormFloat64() + 1
	}
	for _, alpha := range []float64{0, 0.5} {
		l, err := PCR(p.system(), alpha)
		if err != nil {
			t.Fatal(err)
		}
		ridge, _, err := solve.FitRidge(p.system(), learn.RidgeOptions{Alpha: max(alpha, 1e-9), NoIntercept: true})
		if err != nil {
			t.Fatal(err)
		}
		compare(t, "weights", l.Weights, ridge.Weights, 1e-8)
	}
	// Targets are as the rows have them, also where a System has taken a middle off.
	s := p.system()
	shifted := problem{n, k, 2, p.Z, make([]float64, n*2)}
	for i := range p.t {
		shifted.t[i] = p.t[i] - 40
	}
	moved := shifted.system()
	moved.Middle = 40
	a, _ := PCR(s, 0)
	b, _ := PCR(moved, 0)
	compare(t, "weights with a middle", b.Weights, a.Weights, 1e-12)
	if _, err := PCR(s, -1); err == nil || err.Error() != "alpha must be a number ≥ 0, got -1" {
		t.Errorf("alpha -1: %v", err)
	}
}

// The functions that CCA returns have the correlations that it states, and no pair has more.
func TestCCA(t *testing.T) {
	rng := rand.New(rand.NewSource(10))
	for _, sides := range [][2]int{{3, 5}, {5, 3}, {4, 4}, {1, 6}} {
		a, b := sides[0], sides[1]
		p := randomProblem(rng, 80, a+b)
		for r := range p.n { // one direction in common
			p.Z[r*p.D] = math.RoundToEven(1024*(p.Z[r*p.D+a]+0.25*rng.NormFloat64())) / 1024
		}
		for _, centre := range []bool{false, true} {
			c, err := CCA(p.system(), a, CCAOptions{Centre: centre})
			if err != nil {
				t.Fatal(err)
			}
			k := min(a, b)
			if len(c.Values) != k || c.A.K != k || c.A.D != a || c.B.K != k || c.B.D != b {
				t.Fatalf("%v: %d correlations, functions of %d × %d and %d × %d", sides, len(c.Values),
					c.A.K, c.A.D, c.B.K, c.B.D)
			}
			scores := func(l *learn.Linear, from int) []float64 {
				Z := make([]float32, 0, p.n*l.D)
				for r := range p.n {
					for j := range l.D {
						Z = append(Z, float32(p.Z[r*p.D+from+j]))
					}
				}
				return l.Scores(nil, Z)
			}
			A, B := scores(c.A, 0), scores(c.B, a)
			for i := range k {
				for j := range k {
					inner, own := 0.0, 0.0
					for r := range p.n {
						inner += A[r*k+i] * B[r*k+j]
						own += A[r*k+i] * A[r*k+j]
					}
					want, wantOwn := 0.0, 0.0
					if i == j {
						want, wantOwn = c.Values[i], 1
					}
					if math.Abs(inner-want) > 1e-11 || math.Abs(own-wantOwn) > 1e-11 {
						t.Errorf("%v, centre %v: scores %d and %d have product %g, want %g, and on one side %g, want %g",
							sides, centre, i, j, inner, want, own, wantOwn)
					}
				}
				if i > 0 && c.Values[i] > c.Values[i-1] || c.Values[i] < 0 || c.Values[i] > 1 {
					t.Errorf("%v: correlations %v", sides, c.Values)
				}
			}
			if c.Values[0] < 0.9 {
				t.Errorf("%v, centre %v: the first correlation is %g", sides, centre, c.Values[0])
			}
		}
	}
	// For orthonormal bases it is the singular values of V_Aᵀ·V_B: here the cosine of an angle.
	V := orthonormal(rng, 40, 2)
	Z := make([]float64, 0, 80)
	for r := range 40 {
		Z = append(Z, V[r*2], 0.6*V[r*2]+0.8*V[r*2+1])
	}
	c, err := CCA(systemOf(Z, nil, 40, 2, 0), 1, CCAOptions{})
	if err != nil || math.Abs(c.Values[0]-0.6) > 1e-12 {
		t.Errorf("correlation %v, want 0.6; %v", c, err)
	}
	// More features than rows depend on each other; alpha helps.
	s := randomProblem(rng, 6, 14).system()
	if _, err := CCA(s, 7, CCAOptions{}); err == nil ||
		!strings.Contains(err.Error(), "alpha must be larger: feature 6 of A") {
		t.Errorf("7 features of 6 rows: %v", err)
	}
	if c, err := CCA(s, 7, CCAOptions{Alpha: 1}); err != nil || !(c.Values[0] < 1) {
		t.Errorf("7 features of 6 rows with alpha 1: %v, %v", c, err)
	}
	for want, f := range map[string]func() error{
		"features of A must be from 1 to 13, got 14": func() error { _, err := CCA(s, 14, CCAOptions{}); return err },
		"features of A must be from 1 to 13, got 0":  func() error { _, err := CCA(s, 0, CCAOptions{}); return err },
		"alpha must be a number ≥ 0, got NaN": func() error {
			_, err := CCA(s, 7, CCAOptions{Alpha: math.NaN()})
			return err
		},
	} {
		if err := f(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}

// V·U·φ(R) is φ exactly where φ has rank k and V is its basis, rows are drawn by their lengths, and Theorem 7's
// expectation of ‖Ωx‖² is ‖x‖².
func TestLowRank(t *testing.T) {
	rng := rand.New(rand.NewSource(11))
	const n, k, s = 50, 4, 12
	V := orthonormal(rng, n, k)
	phi := make([]float64, n*3)
	mix := [k * 3]float64{}
	for i := range mix {
		mix[i] = rng.NormFloat64()
	}
	narrow := make([]float32, n*k)
	for r := range n {
		for i := range k {
			narrow[r*k+i] = float32(V[r*k+i])
			for j := range 3 {
				phi[r*3+j] += float64(narrow[r*k+i]) * mix[i*3+j]
			}
		}
	}
	drawn := make([]float64, n)
	for seed := range uint64(200) {
		low, err := NewLowRank(narrow, k, s, sketch.IntSeed(seed))
		if err != nil {
			t.Fatal(err)
		}
		for r := range n {
			for j := range 3 {
				got := 0.0
				for i := range k {
					for d, row := range low.Rows {
						got += float64(narrow[r*k+i]) * low.U[i*s+d] * phi[row*3+j]
					}
				}
				if math.Abs(got-phi[r*3+j]) > 1e-9 {
					t.Fatalf("seed %d: row %d, feature %d is %g, want %g", seed, r, j, got, phi[r*3+j])
				}
			}
		}
		for _, row := range low.Rows {
			drawn[row]++
		}
	}
	chi2 := 0.0 // with 49 degrees of freedom; 94.6 is exceeded once in 10,000 times
	for r := range n {
		square := 0.0
		for i := range k {
			square += V[r*k+i] * V[r*k+i]
		}
		want := square / k * 200 * s
		chi2 += (drawn[r] - want) * (drawn[r] - want) / want
	}
	if chi2 > 94.6 {
		t.Errorf("the draws of rows have χ² = %.1f", chi2)
	}
	if _, err := NewLowRank(narrow, k, 3, sketch.IntSeed(1)); err == nil ||
		err.Error() != "s must be at least k = 4; 4·k is usual, got 3" {
		t.Errorf("s 3: %v", err)
	}
	if _, err := NewLowRank(narrow[:7], k, s, sketch.IntSeed(1)); err == nil {
		t.Error("7 numbers in rows of 4: no error")
	}
	if _, err := NewLowRank(make([]float32, 8), k, s, sketch.IntSeed(1)); err == nil {
		t.Error("rows of zeros: no error")
	}
	narrow[9] = float32(math.NaN())
	if _, err := NewLowRank(narrow, k, s, sketch.IntSeed(1)); err == nil ||
		err.Error() != "V row 2, column 1 must be finite, got NaN" {
		t.Errorf("a NaN: %v", err)
	}
}

// Components and correlations have the same bits on every platform.
func TestSubspaceBits(t *testing.T) {
	rng := rand.New(rand.NewSource(7))
	p := problem{n: 150, D: 67, Z: make([]float64, 150*67)}
	for i := range p.Z {
		p.Z[i] = float64(rng.Intn(2049)-1000) / 1024
	}
	hash := uint64(0x5c163bad571e93f1) // FNV-1a of the bits, going on from TestSolverBits of package learn
	add := func(values ...float64) {
		for _, v := range values {
			hash = (hash ^ math.Float64bits(v)) * 1099511628211
		}
	}
	for _, k := range []int{5, 67} {
		c, err := FitPCA(p.system(), k)
		if err != nil {
			t.Fatal(err)
		}
		add(c.Weights...)
		add(c.Variance...)
	}
	c, err := CCA(p.system(), 20, CCAOptions{Centre: true})
	if err != nil {
		t.Fatal(err)
	}
	add(c.Values...)
	add(c.A.Weights...)
	add(c.B.Weights...)
	if want := uint64(0xf046cd44900d5b01); hash != want {
		t.Errorf("the digest is %#x, want %#x: the results have other bits than before", hash, want)
	}
}

// A hundred principal components, and all of them.
func BenchmarkPCA(b *testing.B) {
	for _, D := range []int{256, 1024} {
		s := randomProblem(rand.New(rand.NewSource(1)), 2*D, D).system()
		for _, k := range []int{100, D} {
			b.Run(fmt.Sprintf("D=%d/k=%d", D, k), func(b *testing.B) {
				for b.Loop() {
					if _, err := FitPCA(s, k); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

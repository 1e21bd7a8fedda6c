package sketch

import (
	"math"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/test/slow"
)

// A tree of degree 1 is a count sketch, and has its law. One of degree 2
// has two count sketches below a tensor sketch, so that more collide.
func TestTreeAndTensorLaw(t *testing.T) {
	slow.Elsewhere(t)
	X := statisticsRows(16)
	x, y := toFloat64(X[:16]), toFloat64(X[16:32])
	for degree := 1; degree <= 2; degree++ {
		p := Params{Method: MethodTreeTensorSketch, NFeatures: 16, NComponents: 64, Degree: degree, Gamma: 0.5, Coef0: 1}
		tree, _ := NewFormulas(p)
		p.Method = MethodTensorSketch
		tensor, _ := NewFormulas(p)
		got, _ := tree.StdError(x, y)
		want, _ := tensor.StdError(x, y)
		if degree == 1 && math.Abs(got-want) > 1e-12*want || degree == 2 && !(got > want && got < 3*want) {
			t.Errorf("degree %d: σ of the tree %g, of the tensor sketch %g", degree, got, want)
		}
	}
}

// For x = y of norm 1 with many coordinates D times the variance of the tensor sketch
// grows as 2^p and more, the tree's by no more than 8 for each degree.
func TestTreeErrorIsPolynomial(t *testing.T) {
	x := make([]float64, 1000)
	for i := range x {
		x[i] = 1 / math.Sqrt(1000)
	}
	relative := func(method string, degree int) float64 {
		f := need.Value(NewFormulas(Params{Method: method, NFeatures: 1000, NComponents: 1 << 16, Degree: degree}))(t)
		sigma, _ := f.StdError(x, x)
		return sigma * sigma / f.Kernel(x, x) * (1 << 16)
	}
	for degree := 2; degree <= 64; degree *= 2 {
		tree := relative(MethodTreeTensorSketch, degree)
		if most := 8 * float64(degree); tree > most {
			t.Errorf("degree %d: D·variance of the tree %g, want at most %g", degree, tree, most)
		}
		if tensor := relative(MethodTensorSketch, degree); degree >= 8 && tensor < math.Pow(1.9, float64(degree)) {
			t.Errorf("degree %d: D·variance of the tensor sketch %g", degree, tensor)
		}
	}
}

// The tree is what its definition says: sketches of the leaves, put together.
func TestTreeIdentity(t *testing.T) {
	p := Params{NFeatures: 6, NComponents: 12, Degree: 3}.WithDefaults()
	c := newTreeCore(&p, 6, IntSeed(3).randomness(1)).(*treeCore)
	x := digestInput(6)
	countSketch := func(place, degree int, v []float64) []float64 {
		z := make([]float64, 12)
		for i, value := range v {
			e := c.hash[place].at(degree, i)
			z[e.Bucket()] += float64(e.Sign()) * value
		}
		return z
	}
	node := func(place int, left, right []float64) []float64 {
		a, b, z := countSketch(place, 0, left), countSketch(place, 1, right), make([]float64, 12)
		for i := range a {
			for j := range b {
				z[(i+j)%12] += a[i] * b[j]
			}
		}
		return z
	}
	row, one := toFloat64(x), make([]float64, 12)
	one[0] = 1
	leaf := func(place int) []float64 { return countSketch(place, 0, row) }
	want := node(1, node(2, leaf(4), leaf(5)), node(3, leaf(6), one))
	got := make([]float32, 12)
	c.transformBlock(got, x, 1)
	if e := relativeError(got, want); e > 1e-5 {
		t.Errorf("the tree is %v, want %v: relative error %g", got, want, e)
	}
	seen := map[uint64]int{}
	for place, h := range c.hash {
		if h == nil {
			continue
		}
		for _, poly := range h.poly {
			if other, ok := seen[poly.index[0]]; ok {
				t.Errorf("places %d and %d share a hash", other, place)
			}
			seen[poly.index[0]] = place
		}
	}
}

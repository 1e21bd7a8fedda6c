package convolution

import (
	"errors"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// explicit is the count sketch of all products of order coordinates, by
// recursion over the hashes of a map of its own; only keeps a degree's
// coordinate fixed where it is not negative.
func explicit(t *testing.T, p Params, order int, only [4]int) []complex128 {
	t.Helper()
	m, err := sketch.New(sketch.Params{Method: p.Method, NFeatures: len(p.X), NComponents: p.NComponents, Degree: p.Degree,
		Seed: p.Seed})
	if err != nil {
		t.Fatal(err)
	}
	n, sums := p.NComponents, make([]complex128, p.NComponents)
	if p.Method == sketch.MethodComplexTensorSketch {
		n, sums = n/2, sums[:n/2]
	}
	var add func(k, bucket int, product complex128)
	add = func(k, bucket int, product complex128) {
		if k == order {
			sums[bucket%n] += product
			return
		}
		for i, value := range p.X {
			if value != 0 && (only[k] < 0 || only[k] == i) {
				h, s := m.Hash(k, i)
				sign := complex(float64(s), 0)
				if p.Method == sketch.MethodComplexTensorSketch {
					if h%2 == 1 {
						sign *= 1i
					}
					h /= 2
				}
				add(k+1, bucket+h, product*sign*complex(value, 0))
			}
		}
	}
	add(0, 0, 1)
	return sums
}

var all = [4]int{-1, -1, -1, -1}

// tolerance of float32 for sums of products: of the norm of all of them.
func tolerance(p Params, order int) float64 {
	norm := 0.0
	for _, value := range p.X {
		norm += math.Abs(value)
	}
	return 4e-6 * max(math.Pow(norm, float64(order)), 1)
}

func close32(got, want []complex128, tolerance float64) bool {
	return slices.EqualFunc(got, want, func(a, b complex128) bool { return cmplx.Abs(a-b) <= tolerance })
}

// TestNumbers: the result, the sums of the matrix and the comparison agree with
// all products taken one by one, in every view and stage.
func TestNumbers(t *testing.T) {
	random := splitmix.Source(1)
	var cache Cache
	for range 150 {
		p := someParams(&random)
		if p.Degree > 2 {
			p.X = p.X[:min(len(p.X), 14)]
		}
		c := made(t, p, &cache)
		order, only := p.Stage+1, all
		if p.Show == Coordinates {
			order = p.Degree
			for k, l := range c.slices() {
				only[k+2] = l
			}
		}
		bound := tolerance(p, order)
		if want := explicit(t, p, order, all); !close32(c.whole, want, bound) {
			t.Errorf("%s: got %v, want %v", named(p), c.whole, want)
		}
		want := explicit(t, p, order, only)
		if !close32(c.result, want, bound) {
			t.Errorf("%s: result %v, want %v", named(p), c.result, want)
		}
		if !close32(c.sums, want, bound) {
			t.Errorf("%s: sums %v, want %v", named(p), c.sums, want)
		}
		for c.Work(1000) {
		}
		if difference, done := c.Direct(); !done || difference > bound || difference == 0 && vector.Longest(c.whole) > 2 &&
			order > 2 {
			t.Errorf("%s: largest difference %v, done %v", named(p), difference, done)
		}
		if !close32(c.direct.sums, explicit(t, p, order, all), bound) {
			t.Errorf("%s: the products one by one are wrong", named(p))
		}
		cells := 0
		for k, n := range c.cells {
			cells += n
			if p.Show != Coordinates && n != p.buckets() {
				t.Errorf("%s: %d pairs meet in bucket %d", named(p), n, k)
			}
		}
		if cells != c.matrix.size*c.matrix.size {
			t.Errorf("%s: %d cells", named(p), cells)
		}
	}
}

// TestSet: the cells called zero are those that are zero in exact arithmetic.
func TestSet(t *testing.T) {
	p := Params{X: []float64{.5, .5, -.5, .25, 0}, NComponents: 3, Degree: 4, Stage: 3, Show: Products}
	zeros := 0
	for seed := range 120 {
		p.Seed, p.Method, p.NComponents = sketch.IntSeed(uint64(seed)), sketch.MethodTensorSketch, 3
		if seed >= 60 {
			p.Method, p.NComponents = sketch.MethodComplexTensorSketch, 6
		}
		c := made(t, p, nil)
		want := explicit(t, p, 3, all) // quarters: exact in float64
		for m, set := range c.matrix.firstSet {
			if set != (want[m] != 0) {
				t.Errorf("seed %d: bucket %d is %v, set is %v", seed, m, want[m], set)
			}
			if !set {
				zeros++
			}
		}
	}
	if zeros == 0 {
		t.Error("no bucket was zero: the test is empty")
	}
}

// TestWork: the comparison can be done in parts, survives a step, and starts
// again for another vector.
func TestWork(t *testing.T) {
	var cache Cache
	p := Params{X: vector.Preset(vector.Random, 30, 0), NComponents: 32, Degree: 3, Stage: 2, Seed: sketch.IntSeed(1),
		Show: Products, Step: 32}
	c := made(t, p, &cache)
	if _, done := c.Direct(); done {
		t.Fatal("27,000 products are done at once")
	}
	if card := c.View(c.focus(zero)).Cards[3]; card.Value != "checking …" || card.Unit != "" {
		t.Errorf("the card says %+v", card)
	}
	if !c.Work(10_000) {
		t.Fatal("10,000 of 27,000 products are all")
	}
	p.Step = 3
	c = made(t, p, &cache)
	taken := c.direct.taken
	if taken < 10_000 || taken > 10_030 {
		t.Errorf("after a step %d products are done", taken)
	}
	calls := 0
	for c.Work(1) {
		calls++
	}
	difference, done := c.Direct()
	if want := (27_000-taken)/30 - 1; !done || calls != want {
		t.Errorf("done %v after %d calls more, want %d", done, calls, want)
	}
	other := made(t, p, nil)
	other.Work(27_000)
	if got, done := other.Direct(); got != difference || !done {
		t.Errorf("in one go: got %v, want %v", got, difference)
	}
	p.X = slices.Clone(p.X)
	p.X[0] = 0
	c = made(t, p, &cache)
	if c.direct.taken != 0 || c.direct.products != 29*29*29 {
		t.Errorf("another vector starts with %d of %d products", c.direct.taken, c.direct.products)
	}
	p.X = make([]float64, 64)
	if difference, done := made(t, p, &cache).Direct(); difference != 0 || !done {
		t.Errorf("x = 0: difference %v, done %v", difference, done)
	}
}

// TestSame: the cache changes no digit.
func TestSame(t *testing.T) {
	random := splitmix.Source(3)
	var cache Cache
	for range 40 {
		p := someParams(&random)
		a, b := made(t, p, &cache), made(t, p, nil)
		size := a.Fit(700, 800, 13)
		for a.Work(1<<20) || b.Work(1<<20) {
		}
		if a.SVG(size, zero, true) != b.SVG(size, zero, true) {
			t.Errorf("%s: another picture with the cache", named(p))
		}
	}
}

func TestErrors(t *testing.T) {
	good := Params{X: []float64{.5}, NComponents: 4, Degree: 2, Show: Products}
	for _, test := range []struct {
		change func(p *Params)
		want   string
	}{
		{func(p *Params) { p.Method = "ams" }, `method must be "tensor-sketch", "count-sketch" or "complex-tensor-sketch" ` +
			`for New: call NewFeatureMap for the others, got "ams"`},
		{func(p *Params) { p.Method, p.NComponents = sketch.MethodComplexTensorSketch, 7 },
			`nComponents must be even for method "complex-tensor-sketch", whose features are the real and imaginary parts of ` +
				`complex ones: take 8, got 7`},
	} {
		p := good
		test.change(&p)
		_, err := New(p, nil)
		var core *sketch.Error
		if !errors.As(err, &core) || err.Error() != test.want {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
	p := good
	p.Stage, p.Slice, p.Slice2, p.Step = 9, 9, -9, 99
	if c := made(t, p, nil); c.p.Stage != 1 || c.p.Slice != 0 || c.p.Slice2 != 0 || c.p.Step != 4 {
		t.Errorf("got %s", named(c.p))
	}
}

// TestWritten: long sums lose their middle, short ones nothing.
func TestWritten(t *testing.T) {
	terms := func(n int) (all []term) {
		for k := range n {
			all = append(all, term{k%2 == 1, "0.50·0.25"})
		}
		return all
	}
	for n, want := range map[int]string{
		1: "0.50·0.25",
		3: "0.50·0.25 − 0.50·0.25 + 0.50·0.25",
		9: "0.50·0.25 − 0.50·0.25 + … 6 more … + 0.50·0.25",
	} {
		if got := written(terms(n), 60); got != want {
			t.Errorf("%d terms: got %q, want %q", n, got, want)
		}
	}
	if got := written(terms(64), 60); len([]rune(got)) > 60 || !strings.Contains(got, "61 more") &&
		!strings.Contains(got, "62 more") {
		t.Errorf("64 terms: got %q", got)
	}
}

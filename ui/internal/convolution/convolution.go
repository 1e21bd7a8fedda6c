// Package convolution is the place Convolution. It shows the count sketches of x along the edges of the matrix of
// their products, whose wrapped diagonals add up to the tensor sketch (Pham & Pagh, KDD 2013). It also shows the
// same sums with the products of the coordinates themselves, and as one multiplication per frequency.
//
// All values come from the core: package sketch computes the count sketches, their convolutions and the spectra.
package convolution

import (
	"cmp"
	"math"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// A View is what the picture shows.
type View string

// The views.
const (
	Products    View = "products"    // D × D: C₁x[m]·C₂x[n]
	Coordinates View = "coordinates" // d × d: x_i·x_j
	Frequencies View = "frequencies" // the spectra
)

// Params are the parameters of the place. γ is 1 and c is 0. The ranges of Stage, Slice, Slice2 and Step depend on
// the other parameters; values out of range are moved into it. State.Parameters keeps the others in range.
type Params struct {
	X           []float64 // d numbers of two decimals from −1 to 1, d 1 … 64
	Method      string    // sketch.MethodTensorSketch, also "", or sketch.MethodComplexTensorSketch
	NComponents int       // D, 1 … 128; with complex features even, because there are D/2 of them
	Degree      int       // p, 2 … 4
	Seed        sketch.Seed
	Show        View
	Stage       int // 1 … p−1: C₁x ∗ … ∗ C_s x with C_{s+1}x; the coordinates view has no stages
	Slice       int // 0 … d−1: the third coordinate of all products shown, if p ≥ 3
	Slice2      int // 0 … d−1: the fourth coordinate, if p = 4
	Step        int // number of buckets of the result computed so far, or of distinct frequencies
	ShowY       bool
	Angle       float64 // of y to x in degrees, 0 to 180
	Question    int     // 1 … 3: the question answered; 0: none
}

// A Picture is one state of the place. It never changes, except that Work continues the comparison.
type Picture struct {
	bars.Row
	p       Params
	cache   *Cache
	matrix  matrix
	sums    []complex128 // per bucket, over the cells of the matrix
	cells   []int        // per bucket: number of cells that meet there
	nonzero []int        // per bucket: number of these cells that are not zero
	result  []complex128 // from the core: of the stage, or of the slice if p ≥ 3
	whole   []complex128 // the core's sketch of all products; differs from result only for slices
	spectra [3][]complex128
	direct  *direct
	pairs   matrix // the products x_i·x_j that the cells of the first stage are sums of, else empty
	y       second
}

// second is a second vector that goes the same way. It is empty unless it is shown.
type second struct {
	x             []float64
	first, second []complex128 // its factors along the matrix
	whole         []complex128
	exact         float64 // ⟨x, y⟩^q, where q is the order
	estimate      float64 // Re⟨f(x), f(y)⟩
	sigma         float64 // of estimate over seeds, exact
}

var (
	_ lesson.Picture = (*Picture)(nil)
	_ lesson.Painter = (*Picture)(nil)
)

// New computes the picture. The cache may be nil. An error is a *sketch.Error.
func New(p Params, cache *Cache) (*Picture, error) {
	cache = cmp.Or(cache, new(Cache))
	p.Method = cmp.Or(p.Method, sketch.MethodTensorSketch)
	if err := cache.prepare(&p); err != nil {
		return nil, err
	}
	c := &Picture{Row: bars.Row{X: p.X}, p: p, cache: cache}
	c.p.Stage = min(max(p.Stage, 1), p.Degree-1)
	c.p.Slice = min(max(p.Slice, 0), len(p.X)-1)
	c.p.Slice2 = min(max(p.Slice2, 0), len(p.X)-1)
	c.p.Step = min(max(p.Step, 0), c.steps())
	if err := c.compute(); err != nil {
		return nil, err
	}
	return c, nil
}

// parts returns how many real numbers a bucket holds.
func (p *Params) parts() int { return bars.Parts(p.Method) }

// isComplex reports whether the features are complex numbers.
func (p *Params) isComplex() bool { return p.parts() == 2 }

// buckets returns the number of buckets.
func (p *Params) buckets() int { return p.NComponents / p.parts() }

// order returns the number of sketches that are convolved in the result.
func (c *Picture) order() int {
	if c.p.Show == Coordinates {
		return c.p.Degree
	}
	return c.p.Stage + 1
}

// sliced reports whether the matrix is only a slice of all products.
func (c *Picture) sliced() bool { return c.p.Show == Coordinates && c.p.Degree > 2 }

// distinct returns the number of frequencies that do not mirror others: ⌊D/2⌋ + 1, or all of them for complex
// features.
func (c *Picture) distinct() int {
	if c.p.isComplex() {
		return c.p.buckets()
	}
	return c.p.NComponents/2 + 1
}

// steps returns the number of the last step.
func (c *Picture) steps() int {
	if c.p.Show == Frequencies {
		return c.distinct()
	}
	return c.p.buckets()
}

// isDone reports whether all steps are taken.
func (c *Picture) isDone() bool { return c.p.Step == c.steps() }

func (c *Picture) compute() error {
	p, s := &c.p, c.p.Stage
	x := vector.Float32(p.X)
	c.whole = c.cache.transform(0, c.order(), x)
	c.result = c.whole
	if p.Show == Coordinates {
		if err := c.computeCoordinates(x); err != nil {
			return err
		}
	} else {
		c.computeProducts(x)
	}
	c.sums, c.cells, c.nonzero = c.matrix.sums()
	if p.Show == Frequencies {
		c.spectra = [3][]complex128{c.cache.spectrum(0, s, x), c.cache.spectrum(s, 1, x), c.cache.spectrum(0, s+1, x)}
	}
	c.direct = c.cache.compare(x, c.order(), c.whole)
	if p.ShowY {
		c.computeY()
	}
	return nil
}

// computeY takes y the way of x.
func (c *Picture) computeY() {
	p, y := &c.p, &c.y
	turned := vector.Float32(vector.At(p.X, p.Angle, 0))
	y.x = vector.Float64(turned)
	y.first, y.second = c.cache.transform(0, p.Stage, turned), c.cache.transform(p.Stage, 1, turned)
	y.whole = c.cache.transform(0, c.order(), turned)
	y.exact = math.Pow(vector.Dot(p.X, y.x), float64(c.order()))
	for k, value := range c.whole {
		y.estimate += float64(real(value)*real(y.whole[k])) + float64(imag(value)*imag(y.whole[k]))
	}
	y.sigma = c.sigmaOf(p.Method, c.order(), p.NComponents, y.x)
}

// computeProducts makes the matrix of the products A[m]·B[n], where A = C₁x ∗ … ∗ C_s x and B = C_{s+1}x.
func (c *Picture) computeProducts(x []float32) {
	s, n := c.p.Stage, c.p.buckets()
	c.matrix = matrix{
		size: n, buckets: n,
		first: c.cache.transform(0, s, x), second: c.cache.transform(s, 1, x),
		firstBucket: c.cache.identity, secondBucket: c.cache.identity,
		firstSet: c.cache.set(0, s, c.p.X), secondSet: c.cache.set(s, 1, c.p.X),
	}
	if s == 1 && c.p.Show == Products {
		c.pairs = c.coordinateMatrix(x, nil)
	}
}

// computeCoordinates makes the matrix of the products s₁(i)x_i·s₂(j)x_j. If p ≥ 3 they are multiplied by the fixed
// s₃(l)x_l and s₄(l′)x_l′ of the slice. The core sketches a slice as the product of x, x, and vectors that equal x
// at l and l′ and are zero elsewhere.
func (c *Picture) computeCoordinates(x []float32) error {
	c.matrix = c.coordinateMatrix(x, c.slices())
	if !c.sliced() {
		return nil
	}
	rows := []sketch.Rows{sketch.Dense(x), sketch.Dense(x)}
	for _, l := range c.slices() {
		only := make([]float32, len(x))
		only[l] = x[l]
		rows = append(rows, sketch.Dense(only))
	}
	z, err := c.cache.whole.TransformProduct(nil, rows...)
	c.result = c.cache.complexes(z)
	return err
}

// coordinateMatrix returns the products of two coordinates as a matrix, times the products of the slices.
func (c *Picture) coordinateMatrix(x []float32, slices []int) matrix {
	n := len(x)
	t := &c.cache.tables
	m := matrix{
		size: n, buckets: c.p.buckets(),
		first: make([]complex128, n), second: make([]complex128, n),
		firstBucket: t.bucket[0], secondBucket: make([]int, n),
		firstSet: make([]bool, n), secondSet: make([]bool, n),
	}
	factor, sign, shift := 1.0, bars.Turn(0), 0
	for k, l := range slices {
		factor *= float64(x[l])
		sign = sign.Times(t.sign[k+2][l])
		shift += t.bucket[k+2][l]
	}
	for i, value := range x {
		m.first[i] = t.sign[0][i].Of(float64(value))
		m.second[i] = t.sign[1][i].Times(sign).Of(float64(value) * factor)
		m.secondBucket[i] = (t.bucket[1][i] + shift) % m.buckets
		m.firstSet[i] = value != 0
		m.secondSet[i] = value != 0 && factor != 0
	}
	return m
}

// slices returns the fixed coordinates, one per degree from the third on.
func (c *Picture) slices() []int {
	return []int{c.p.Slice, c.p.Slice2}[:c.p.Degree-2]
}

// Direct returns the largest difference between the core's transform and the count sketch of all products taken one
// by one. done reports whether that comparison is finished; before, the difference is 0.
func (c *Picture) Direct() (difference float64, done bool) {
	return c.direct.difference(), c.direct.done()
}

// Work takes budget more products, or up to d more than that, and reports whether products are left. Pictures of the
// same x that were made with the same cache share this work, so stepping does not restart it.
func (c *Picture) Work(budget int) (more bool) {
	c.direct.work(budget)
	return c.HasWork()
}

// HasWork implements lesson.Worker: products are left for the comparison.
func (c *Picture) HasWork() bool { return !c.direct.done() }

// Advance implements lesson.Worker.
func (c *Picture) Advance() (shows bool) { return !c.Work(200_000) }

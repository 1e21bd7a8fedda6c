// Package buckets draws the place Buckets: the numbers of a vector fall, each
// with a sign, into the buckets of its count sketch
//
//	(Cx)_k = Σ s(i)·x_i over the coordinates i with h(i) = k
//
// (Charikar, Chen & Farach-Colton 2002), and inner products of sketches estimate
// those of the vectors. Its complex twin has signs from {1, i, −1, −i} and buckets of
// complex numbers, two slots each: the real part and the imaginary one.
package buckets

import (
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// Params are those of the place, as a link gives them.
type Params struct {
	X           []float64   // d numbers of two decimals from −1 to 1
	Method      string      // sketch.MethodTensorSketch, also "", or sketch.MethodComplexTensorSketch
	NComponents int         // D, even for the complex one
	Seed        sketch.Seed // an integer below 2^32 with scikit-learn's tables
	Hash        string      // sketch.HashSeed or sketch.HashRandomState
	ShowY       bool
	Angle       float64 // of y to x in degrees, 0 to 180
	Step        int     // the coordinates that have fallen, 0 to d
	Question    int     // the one that is answered, 1 to 3, or 0
}

// A Picture is a vector on its way into the buckets. Until its last step it shows
// the sketch of the coordinates that have fallen, the others taken as 0.
type Picture struct {
	p        Params
	m        *sketch.FeatureMap
	h, s     []int     // bucket of every coordinate, and its sign, but for a factor i
	slot     []int     // of every coordinate: the number of a sketch that it adds to
	y        []float64 // as the core takes it; X where there is no second vector
	fallenX  []float64 // X and y with 0 for what has not fallen
	fallenY  []float64
	cx, cy   []float32 // their sketches, slot by slot
	before   []float32 // the sketch one step before
	exact    float64   // ⟨x, y⟩ of what has fallen
	estimate float64   // ⟨Cx, Cy⟩
	sigma    float64   // its exact standard deviation over seeds
}

// New computes the picture. A cache saves making the same map again; it may be
// nil. The error is the core's *sketch.Error.
func New(params Params, cache *Cache) (*Picture, error) {
	if cache == nil {
		cache = new(Cache)
	}
	d := len(params.X)
	if err := cache.prepare(&params, d); err != nil {
		return nil, err
	}
	params.Step = min(max(params.Step, 0), d)
	p := &Picture{p: params, m: cache.m, h: cache.h, s: cache.s, slot: cache.slot, y: params.X}
	if params.ShowY {
		p.y = rounded(vector.At(params.X, params.Angle, 0))
	}
	p.fallenX, p.fallenY = first(p.p.X, params.Step), first(p.y, params.Step)
	p.cx = p.m.Transform(nil, vector.Float32(p.fallenX))
	p.cy = p.m.Transform(nil, vector.Float32(p.fallenY))
	p.before = p.m.Transform(nil, vector.Float32(first(p.p.X, params.Step-1)))
	p.exact = p.m.Kernel(p.fallenX, p.fallenY)
	p.estimate = sketch.Dot(p.cx, p.cy)
	p.sigma = sigmaOf(&p.m.Formulas, p.fallenX, p.fallenY)
	return p, nil
}

// first returns x with 0 after its first n numbers.
func first(x []float64, n int) []float64 {
	part := make([]float64, len(x))
	copy(part, x[:max(n, 0)])
	return part
}

// rounded returns y as the core takes it, in float32.
func rounded(y []float64) []float64 {
	for i, value := range vector.Float32(y) {
		y[i] = float64(value)
	}
	return y
}

// sigmaOf returns the standard deviation of the estimate of ⟨x, y⟩, and 0 where
// it is no more than the rounding of the formula.
func sigmaOf(theory *sketch.Formulas, x, y []float64) float64 {
	sigma, _ := theory.StdError(x, y)
	if sigma < 1e-6*vector.Dot(x, x) {
		return 0
	}
	return sigma
}

// d and n are the numbers of coordinates and of buckets.
func (p *Picture) d() int { return len(p.p.X) }
func (p *Picture) n() int { return p.p.NComponents / p.parts() }

// isComplex tells whether buckets hold complex numbers.
func (p *Params) isComplex() bool { return p.Method == sketch.MethodComplexTensorSketch }

// parts is the number of slots of a bucket.
func (p *Picture) parts() int { return p.p.parts() }

func (p *Params) parts() int {
	if p.isComplex() {
		return 2
	}
	return 1
}

// imaginary tells whether the sign of a coordinate has a factor i.
func (p *Picture) imaginary(i int) bool { return p.slot[i]%p.parts() == 1 }

// valueOf returns the value of a bucket of a sketch.
func (p *Picture) valueOf(sketch []float32, k int) complex128 {
	if p.p.isComplex() {
		return complex(float64(sketch[2*k]), float64(sketch[2*k+1]))
	}
	return complex(float64(sketch[k]), 0)
}

// done tells whether all coordinates have fallen.
func (p *Picture) done() bool { return p.p.Step == p.d() }

// contribution returns s(i)·x_i, what a coordinate adds to its slot.
func (p *Picture) contribution(i int) float64 { return float64(p.s[i]) * p.p.X[i] }

// held returns the coordinates below upTo in a bucket that are not 0, and how
// many are 0.
func (p *Picture) held(k, upTo int) (coordinates []int, zeros int) {
	for i := range upTo {
		switch {
		case p.h[i] != k:
		case p.p.X[i] == 0:
			zeros++
		default:
			coordinates = append(coordinates, i)
		}
	}
	return coordinates, zeros
}

// meeting returns for every bucket how many coordinates have fallen into it that
// are not 0.
func (p *Picture) meeting() []int {
	counts := make([]int, p.n())
	for i := range p.p.Step {
		if p.p.X[i] != 0 {
			counts[p.h[i]]++
		}
	}
	return counts
}

// collisions counts the pairs of coordinates that have fallen, zero or not, into
// the same bucket.
func (p *Picture) collisions() int {
	counts, pairs := make([]int, p.n()), 0
	for _, k := range p.h[:p.p.Step] {
		pairs += counts[k]
		counts[k]++
	}
	return pairs
}

// harmless counts the pairs that collide in different slots: their signs are at a
// right angle, and their products have no real part.
func (p *Picture) harmless() int {
	counts, pairs := make([]int, p.p.NComponents), p.collisions()
	for _, j := range p.slot[:p.p.Step] {
		pairs -= counts[j]
		counts[j]++
	}
	return pairs
}

// pairs returns how many pairs have fallen, d(d−1)/2 in the end; of these, one in n is
// expected to collide.
func (p *Picture) pairs() int { return p.p.Step * (p.p.Step - 1) / 2 }

// fullest returns the bucket where most coordinates meet, the first of several.
func (p *Picture) fullest() int {
	fullest, meeting := 0, p.meeting()
	for k, count := range meeting {
		if count > meeting[fullest] {
			fullest = k
		}
	}
	return fullest
}

// has tells whether the item is in the picture.
func (p *Picture) has(item lesson.Item) bool {
	switch item.Kind {
	case lesson.Coordinate:
		return item.I >= 0 && item.I < p.d()
	case lesson.Bucket:
		return item.I >= 0 && item.I < p.n()
	}
	return false
}

// Groups are the coordinates, whose values keys change, and the buckets.
func (p *Picture) Groups() []lesson.Group {
	return []lesson.Group{
		{Kind: lesson.Coordinate, Label: "Coordinates of x", Rows: 1, Columns: p.d(), CanNudge: true},
		{Kind: lesson.Bucket, Label: "Buckets of Cx", Rows: 1, Columns: p.n()},
	}
}

// StepTo returns what leads to a step.
func (p *Picture) StepTo(step int) lesson.Change {
	return lesson.Change{Name: "step", Text: strconv.Itoa(min(max(step, 0), p.d()))}
}

// nudge is by how much a key changes a coordinate.
const nudge = .05

// Nudge changes a coordinate by 0.05.
func (p *Picture) Nudge(item lesson.Item, by int) (lesson.Change, bool) {
	if item.Kind != lesson.Coordinate || !p.has(item) {
		return lesson.Change{}, false
	}
	return p.with(item.I, p.p.X[item.I]+nudge*float64(by)), true
}

// Drag gives a coordinate the value at a height of its column.
func (p *Picture) Drag(size lesson.Size, item lesson.Item, _, y float64) (lesson.Change, bool) {
	if item.Kind != lesson.Coordinate || !p.has(item) {
		return lesson.Change{}, false
	}
	l := p.layout(size)
	scale := l.values()
	if zero := scale.At(0); y > zero-2 && y < zero+2 { // 0 is easy to hit
		y = zero
	}
	return p.with(item.I, scale.Of(y)), true
}

// with sets coordinate i to the nearest value it can have.
func (p *Picture) with(i int, value float64) lesson.Change {
	x := append([]float64(nil), p.p.X...)
	x[i] = vector.Round(value)
	return lesson.Change{Name: "x", Text: vector.Format(x)}
}

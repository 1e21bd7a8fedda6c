// Package buckets draws the place Buckets: the numbers of a vector fall, each with a sign, into the buckets of its
// count sketch
//
//	(Cx)_k = Σ s(i)·x_i over the coordinates i with h(i) = k
//
// (Charikar, Chen & Farach-Colton 2002). Inner products of sketches estimate inner products of the vectors. The
// complex variant has signs from {1, i, −1, −i} and buckets of complex numbers. Each of its buckets has two slots:
// the real and the imaginary part.
package buckets

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// Params are the parameters of the place, as in a link.
type Params struct {
	X           []float64   // d numbers of two decimals from −1 to 1
	Method      string      // sketch.MethodTensorSketch, also "", or sketch.MethodComplexTensorSketch
	NComponents int         // D, even for the complex variant
	Seed        sketch.Seed // an integer below 2^32 for scikit-learn's tables
	Hash        string      // sketch.HashSeed or sketch.HashRandomState
	ShowY       bool
	Angle       float64 // of y to x in degrees, 0 to 180
	Step        int     // number of coordinates that have fallen, 0 to d
	Signless    bool    // all signs are +; not for the complex variant
	Draws       int     // number of seeds in the histogram, 0 to MostDraws
	Question    int     // the question answered, 1 to 3, or 0
}

// A Picture shows a vector falling into the buckets. Before the last step it shows the sketch of the coordinates
// that have fallen; the others count as 0.
type Picture struct {
	bars.Row
	tables
	p        Params
	y        []float64 // in float32 precision, as the core takes it; X if there is no second vector
	fallenX  []float64 // X and y with 0 for coordinates that have not fallen
	fallenY  []float64
	cx, cy   []float32 // the sketches of fallenX and fallenY, slot by slot
	exact    float64   // ⟨x, y⟩ of the coordinates that have fallen
	estimate float64   // ⟨Cx, Cy⟩
	mean     float64   // of estimate over seeds
	sigma    float64   // standard deviation of estimate over seeds; exact if there are signs
	drawn    []float64 // the estimates of the seeds drawn so far, from seed(0) on
	cache    *Cache
}

// New computes the picture. A cache avoids making the same map again; it may be nil. An error is a *sketch.Error of
// the core.
func New(params Params, cache *Cache) (*Picture, error) {
	cache = cmp.Or(cache, new(Cache))
	if err := cache.prepare(&params); err != nil {
		return nil, err
	}
	params.Step = min(max(params.Step, 0), len(params.X))
	p := &Picture{Row: bars.Row{X: params.X}, tables: cache.tables, p: params, y: params.X, cache: cache}
	if params.Signless {
		p.s = make([]bars.Turn, len(params.X))
	}
	if params.ShowY {
		p.y = vector.Float64(vector.Float32(vector.At(params.X, params.Angle, 0)))
	}
	p.fallenX, p.fallenY = first(p.p.X, params.Step), first(p.y, params.Step)
	p.cx, p.cy = p.sketch(p.fallenX), p.sketch(p.fallenY)
	p.exact = p.m.Kernel(p.fallenX, p.fallenY)
	p.estimate = sketch.Dot(p.cx, p.cy)
	p.mean, p.sigma = p.exact, p.sigmaOf(p.m.Params().Method, p.p.NComponents)
	if params.Signless {
		p.removeSigns()
	}
	p.drawn = p.estimates(min(params.Draws, max(drawnAtOnce, cache.drawn(p.firstSeed()))))
	return p, nil
}

// first returns x with all but its first n numbers set to 0.
func first(x []float64, n int) []float64 { return vector.Resize(x[:n], len(x)) }

// sketch returns the sketch of x, slot by slot.
func (p *Picture) sketch(x []float64) []float32 {
	if !p.p.Signless {
		return p.m.Transform(nil, vector.Float32(x))
	}
	sums := make([]float64, p.p.NComponents)
	for i, k := range p.slot {
		sums[k] += x[i]
	}
	return vector.Float32(sums)
}

// removeSigns sets the mean and the standard deviation of the estimate without signs. Where i ≠ j meet, which has the
// probability 1/D, x_i·y_j + x_j·y_i is added, and nothing takes it away under other seeds:
//
//	E⟨Cx, Cy⟩ = ⟨x, y⟩ + (Σx·Σy − ⟨x, y⟩)/D
//
// The variance is 1 − 1/D times the variance with signs, if buckets are 4-wise independent.
func (p *Picture) removeSigns() {
	n := float64(p.p.NComponents)
	p.mean += (sum(p.fallenX)*sum(p.fallenY) - p.exact) / n
	p.sigma *= math.Sqrt(1 - 1/n)
}

func sum(x []float64) (total float64) {
	for _, value := range x {
		total += value
	}
	return total
}

// sigmaOf returns the standard deviation of the estimate by a method with the given number of components.
func (p *Picture) sigmaOf(method string, components int) float64 {
	params := p.m.Params()
	params.Method, params.NComponents = method, components
	return bars.Sigma(params, p.fallenX, p.fallenY)
}

// d returns the number of coordinates, and n the number of buckets.
func (p *Picture) d() int { return len(p.p.X) }
func (p *Picture) n() int { return p.p.NComponents / p.parts() }

// isComplex reports whether buckets hold complex numbers.
func (p *Params) isComplex() bool { return bars.Parts(p.Method) == 2 }

// parts returns the number of slots per bucket.
func (p *Picture) parts() int { return bars.Parts(p.p.Method) }

// valueOf returns the value of a bucket of a sketch.
func (p *Picture) valueOf(sketch []float32, k int) complex128 {
	if p.p.isComplex() {
		return complex(float64(sketch[2*k]), float64(sketch[2*k+1]))
	}
	return complex(float64(sketch[k]), 0)
}

// done reports whether all coordinates have fallen.
func (p *Picture) done() bool { return p.p.Step == p.d() }

// contribution returns s(i)·x_i, the number that coordinate i adds to its slot.
func (p *Picture) contribution(i int) float64 { return p.inSlot(i, p.p.X[i]) }

// inSlot returns s(i)·x without the factor i of an imaginary sign.
func (p *Picture) inSlot(i int, x float64) float64 {
	return bars.Part(p.s[i].Of(x), p.s[i].Part())
}

// held returns the nonzero coordinates below upTo in bucket k, and the number of zero coordinates there.
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

// meeting returns, for each bucket, the number of nonzero coordinates that have fallen into it.
func (p *Picture) meeting() []int {
	counts := make([]int, p.n())
	for i := range p.p.Step {
		if p.p.X[i] != 0 {
			counts[p.h[i]]++
		}
	}
	return counts
}

// collisions returns the number of pairs of coordinates, zero or not, that have fallen into the same bucket.
func (p *Picture) collisions() int {
	return equalPairs(p.h[:p.p.Step])
}

func equalPairs(indices []int) (pairs int) {
	counts := map[int]int{}
	for _, k := range indices {
		pairs += counts[k]
		counts[k]++
	}
	return pairs
}

// harmless returns the number of pairs that collide in different slots. Their signs are at a right angle, so their
// products have no real part.
func (p *Picture) harmless() int {
	return p.collisions() - equalPairs(p.slot[:p.p.Step])
}

// pairs returns the number of pairs that have fallen, d(d−1)/2 after the last step. One in n of them is expected to
// collide.
func (p *Picture) pairs() int { return p.p.Step * (p.p.Step - 1) / 2 }

// fullest returns the first of the buckets in which most coordinates meet.
func (p *Picture) fullest() int {
	meeting := p.meeting()
	return slices.Index(meeting, slices.Max(meeting))
}

// has reports whether the item is in the picture.
func (p *Picture) has(item lesson.Item) bool { return lesson.Has(p.Groups(), item) }

// Groups returns the coordinates, whose values keys can change, and the buckets.
func (p *Picture) Groups() []lesson.Group {
	return []lesson.Group{p.Group(), {Kind: lesson.Bucket, Label: "Buckets of Cx", Rows: 1, Columns: p.n()}}
}

// StepTo returns the change that leads to a step.
func (p *Picture) StepTo(step int) lesson.Change {
	return lesson.Change{Name: "step", Text: strconv.Itoa(min(max(step, 0), p.d()))}
}

// Drag sets a coordinate to the value at height y of its column.
func (p *Picture) Drag(size lesson.Size, item lesson.Item, _, y float64) (lesson.Change, bool) {
	l := p.layout(size)
	scale := l.strip.Up(-1, 1)
	if zero := scale.At(0); y > zero-2 && y < zero+2 { // makes 0 easy to hit
		y = zero
	}
	return p.Set(item, scale.Of(y))
}

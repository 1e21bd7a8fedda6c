package lanes

import (
	"math"

	"tensorsketch.example/internal/engine/block"
)

// A Plan is what all rows of a map share: the transform, where conjugate
// frequencies stand in it, and the weights that scale the input.
//
// Even D: the D real numbers of a count sketch are the n = D/2 complex ones
// z_j = c_{2j} + i·c_{2j+1}, and their transform Z splits into the real spectrum
//
//	X_k = T + w^k·U and X_{n−k} = conj(T − w^k·U), w = exp(−2πi/D), with
//	T = (Z_k + conj Z_{n−k})/2 and U = −i(Z_k − conj Z_{n−k})/2.
//
// Odd D: two degrees c, c' of the same row share a transform of length n = D of
// c + i·c', with spectra T and U, the halves folded into the weights. Unlike
// vectors of a product do not share one: the rounding of the longer would drown
// the shorter. For the same reason the scale 1/D (1/√D of a spectrum) is folded
// into the first degree's weight for even D only, and multiplied in at the end
// for odd.
//
// Complex features: the D numbers are D/2 complex ones, whose transform is the
// spectrum as it is. The product stays in the order of the transform.
type Plan struct {
	config  block.Config
	fft     *fft
	odd     bool
	paired  bool         // degrees share transforms
	stride  int          // vecs from one output number to the next in the inverse transform
	pairs   []conjugates // not of complex features
	order   []int32      // the positions of their spectrum
	weights []weight     // per degree
	scale   float32      // of the result, odd D
	single  *single      // for a row alone, or nil
}

// weight scales the coordinates of a degree and gives the constant one.
type weight struct{ feature, constant float32 }

// conjugates names the byte offsets of frequencies k and n−k (both 0 for k = 0) in
// a forward transform, for k = 0, 1, 2 …; re + i·im is w^k, unused for odd D.
type conjugates struct {
	a, b   uint32
	re, im float32
}

// NewPlan plans the transforms of a map with valid parameters.
func NewPlan(c block.Config) *Plan {
	odd, n := c.NComponents%2 == 1, transformLength(c)
	p := &Plan{config: c, odd: odd, paired: odd && !c.Unlike, stride: 1}
	if isDirect(c) {
		p.weights = []weight{{float32(math.Sqrt(c.Gamma)), float32(math.Sqrt(c.Coef0))}}
		return p
	}
	if odd {
		p.stride = 2
	}
	p.fft = newFFT(n)
	p.setWeights()
	positions := p.fft.positions()
	if c.Complex {
		p.order = positions
		return p
	}
	p.pairs = make([]conjugates, n/2+1)
	for k := range p.pairs {
		cos, sin := cosSinTurn(k, c.NComponents)
		p.pairs[k] = conjugates{offset(positions[k]), offset(positions[(n-k)%n]), float32(cos), float32(-sin)}
	}
	if part := singlePart(n, odd, c.Complex || c.Spectrum); part > 0 {
		p.single = newSingle(p, part)
	}
	return p
}

func offset(position int32) uint32 { return uint32(position) * uint32(cellBytes) }

// isDirect reports whether no transform is needed: for degree 1 with real output the
// count sketch is the answer.
func isDirect(c block.Config) bool { return c.Degree == 1 && !c.Spectrum }

// transformLength returns the length n of the complex transform.
func transformLength(c block.Config) int {
	if c.NComponents%2 == 0 {
		return c.NComponents / 2
	}
	return c.NComponents
}

// Lanes implements block.Plan.
func (p *Plan) Lanes() int { return lanes }

// Shares implements block.Plan.
func (p *Plan) Shares(k int) bool { return p.paired && k%2 == 0 && k+1 < p.config.Degree }

func (p *Plan) setWeights() {
	c := &p.config
	scale := 1 / float64(c.NComponents)
	if c.Complex {
		scale *= 2
	}
	if c.Spectrum {
		scale = math.Sqrt(scale)
	}
	p.scale = float32(scale)
	for k := range c.Degree {
		factor := 1.0
		if !p.odd && !c.Complex || p.Shares(k&^1) {
			factor = 0.5
		}
		if k == 0 && !p.odd {
			factor *= scale
		}
		p.weights = append(p.weights, weight{float32(math.Sqrt(c.Gamma) * factor), float32(math.Sqrt(c.Coef0) * factor)})
	}
}

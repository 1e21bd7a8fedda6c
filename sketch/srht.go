package sketch

import (
	"math"
	"math/bits"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/engine/dispatch"
)

// tensorSRHTMethod is the tensor product of subsampled randomized Hadamard transforms (Hamid, Xiao,
// Gittens & DeCoste 2014, for degree p as in Wacker, Kanagawa & Filippone 2022). Features are
// f_j(x) = Π_k (H·S_k·x)_{r_k(j)}/√D. H is the Walsh–Hadamard matrix of −1 and +1 of order n, a
// power of two, and rows are padded with zeros to that length. S_k is a diagonal of random signs,
// and the entries r_k(j) are drawn without replacement. Each block of n features has its own signs
// and entries.
func tensorSRHTMethod() *method {
	return &method{
		law:   func(p *Params) law { return &srhtLaw{tensorizedLaw{polynomialLaw{p}}} },
		core:  newTensorSRHTCore,
		bytes: tensorSRHTBytes,
	}
}

// complexTensorSRHTMethod is the same with D/2 complex features, whose signs are fourth roots of 1.
// Real and imaginary parts alternate in a row. The inner product of rows is the real part of the
// complex inner product (Wacker, Ohana & Filippone 2022).
func complexTensorSRHTMethod() *method {
	m := tensorSRHTMethod()
	m.law = func(p *Params) law { return &complexSRHTLaw{complexLaw{polynomialLaw{p}}} }
	return m
}

// paddedLength returns the least power of two that is at least width.
func paddedLength(width int) int { return 1 << bits.Len64(uint64(width-1)) }

// srhtConfig describes products of transforms.
type srhtConfig struct {
	width, degree, features  int
	isComplex                bool
	signDomain, sampleDomain uint32
	scale                    float32 // of every feature
	again                    int     // transforms of each degree, signed too, after its first one
	signed                   int     // coordinates that have signs, at least width
}

func tensorSRHTConfig(p *Params, width int) srhtConfig {
	c := srhtConfig{
		width: width, signed: width, degree: p.Degree, features: p.NComponents,
		signDomain: domainHadamardSign, sampleDomain: domainHadamardEntry,
	}
	if methodOf(p.Method).Even {
		c.isComplex, c.features, c.signDomain = true, p.NComponents/2, domainHadamardTurn
	}
	c.scale = float32(1 / math.Sqrt(float64(c.features)))
	return c
}

func newTensorSRHTCore(p *Params, width int, draw randomness) core {
	return newSRHTCore(tensorSRHTConfig(p, width), draw)
}

func tensorSRHTBytes(p *Params, width int) int64 { return tensorSRHTConfig(p, width).bytes() }

func (c *srhtConfig) parts() int {
	if c.isComplex {
		return 2
	}
	return 1
}

func (c *srhtConfig) length() int { return paddedLength(c.signed) }

// transforms returns the number of transforms of a block.
func (c *srhtConfig) transforms() int { return c.degree * (1 + c.again) }

// blocks returns the number of blocks; the last one may be partial.
func (c *srhtConfig) blocks() int { return (c.features + c.length() - 1) / c.length() }

func (c *srhtConfig) engine() block.HadamardConfig {
	return block.HadamardConfig{
		Width: c.width, Length: c.length(), Features: min(c.features, c.length()), Complex: c.isComplex,
	}
}

func (c srhtConfig) bytes() int64 {
	signs := int64(c.blocks()) * int64(c.transforms()) * int64(c.parts()) * int64(c.length())
	entries := int64(c.degree) * int64(c.features)
	return hadamardBytes(c.engine()) + 4*(signs+entries+int64(c.length())) + 1<<10 // small objects
}

// srhtCore computes products of signed Walsh–Hadamard transforms.
type srhtCore struct {
	srhtConfig
	signs   []float32 // of block 0, transform 0: real part, imaginary one, n numbers each; transform 1 …; block 1 …
	entries []int32   // of block 0: degree 0, degree 1 …; block 1 …
	engine  block.Hadamard
	waves   *fourierCore // of structured frequencies; nil for others
}

func newSRHTCore(config srhtConfig, draw randomness) *srhtCore {
	c := drawSRHT(config, draw)
	c.engine = newHadamard(config.engine())
	return c
}

// drawSRHT draws a core without its engine.
func drawSRHT(config srhtConfig, draw randomness) *srhtCore {
	c := &srhtCore{srhtConfig: config}
	c.signs = make([]float32, c.blocks()*c.transforms()*c.parts()*c.length())
	c.entries = make([]int32, c.degree*c.features)
	for k := range c.transforms() {
		c.drawSigns(draw, k)
	}
	for k := range c.degree {
		c.drawEntries(draw, k)
	}
	return c
}

// drawSigns draws the signs of transform k from the stream of index k, block by block. Each block
// begins with a new word. The sign of coordinate i is the next bit of the word, from the lowest on;
// 1 means −1. A complex sign is i^t, where t is the next two bits.
func (c *srhtCore) drawSigns(draw randomness, k int) {
	s, perWord := draw.stream(c.signDomain, uint32(k)), 64/c.parts()
	for b := range c.blocks() {
		signs := c.signsOf(b, k)
		var word uint64
		for i := range c.signed {
			if i%perWord == 0 {
				word = s.uint64()
			}
			if c.isComplex {
				turn := word & 3
				signs[turn&1*uint64(c.length())+uint64(i)] = 1 - float32(turn&2)
				word >>= 2
			} else {
				signs[i] = 1 - 2*float32(word&1)
				word >>= 1
			}
		}
	}
}

// drawEntries draws the entries of degree k from the stream of index k, block by block. They are
// the beginning of a random permutation of 0 … n−1 (Fisher & Yates): entry j is exchanged with
// entry j + ⌊v·(n−j)/2^61⌋, where v is the next residue.
func (c *srhtCore) drawEntries(draw randomness, k int) {
	s, n := draw.stream(c.sampleDomain, uint32(k)), c.length()
	all := make([]int32, n)
	for b := range c.blocks() {
		for i := range all {
			all[i] = int32(i)
		}
		entries := c.entriesOf(b, k)
		for j := range entries {
			high, low := bits.Mul64(s.residue(), uint64(n-j))
			at := j + int(high<<3|low>>61)
			all[j], all[at] = all[at], all[j]
			entries[j] = all[j]
		}
	}
}

func (c *srhtCore) signsOf(b, k int) []float32 {
	size := c.parts() * c.length()
	return c.signs[(b*c.transforms()+k)*size:][:size]
}

func (c *srhtCore) entriesOf(b, k int) []int32 {
	n := c.length()
	from, size := b*n, min(n, c.features-b*n)
	return c.entries[from*c.degree+k*size:][:size]
}

func (c *srhtCore) clone() core {
	clone := *c
	clone.engine = c.engine.Clone()
	if c.waves != nil {
		clone.waves = c.waves.clone().(*fourierCore)
	}
	return &clone
}

func (c *srhtCore) lanes() int { return c.engine.Lanes() }

func (c *srhtCore) transformBlock(dst, x []float32, count int) {
	c.engine.Load(x, count)
	at, stride := 0, len(dst)/count
	for b := range c.blocks() {
		for k := range c.degree {
			for l := range c.again + 1 {
				signs := c.signsOf(b, k*(c.again+1)+l)
				for part := range c.parts() {
					c.engine.Transform(part, signs[part*c.length():], l > 0)
				}
			}
			c.engine.Multiply(c.entriesOf(b, k), k == 0)
		}
		n, place := len(c.entriesOf(b, 0)), at
		if c.waves != nil && c.waves.offsets == nil {
			place += n // the second half of what these frequencies give
		}
		c.engine.Store(dst, stride, place, n, count, c.scale)
		if c.waves != nil {
			for r := range count {
				c.waves.wave(dst[r*stride:][:stride], b*c.length(), n, place)
			}
		}
		at = place + c.parts()*n
	}
	dispatch.Rest()
}

// sharedPairs returns how many ordered pairs of different features share a block of n features.
func sharedPairs(features float64, n int) float64 {
	length := float64(n)
	full := math.Floor(features / length)
	rest := features - float64(full*length)
	return float64(full*length)*(length-1) + float64(rest*(rest-1))
}

// apart returns E⟨h_l∘h_m, u⟩⟨h_l∘h_m, v⟩ for two different rows h_l, h_m of the Hadamard matrix of
// order n, drawn without replacement. The argument sum is ⟨Σu⟩⟨Σv⟩ and diagonal is ⟨u, v⟩. h_l∘h_m
// is equally likely to be any row except the first, h_0 = (1 … 1), and Σ_l h_l(i)·h_l(j) = 0 for i
// ≠ j.
func apart(sum, diagonal float64, n int) float64 {
	if n == 1 {
		return 0 // there are no two rows
	}
	return diagonal - (sum-diagonal)/float64(n-1)
}

// srhtLaw is the law of tensor-srht. With the pairings of the scaled vectors, n, and the number c
// of ordered pairs of features in one block,
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q + R − 2s)^p − P^p] / D
//	                     + c [(P − (Q + R − 2s)/(n−1))^p − P^p] / D².
//
// (Wacker, Kanagawa & Filippone 2022, section 4, have the case a = c, b = d.) The first term is the
// covariance for independent signs. The second comes from features that share their signs. In a
// variance it is never positive for odd p, and for even p only if 2P < (Q + R − 2s)/(n−1).
type srhtLaw struct{ tensorizedLaw }

func (l *srhtLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m, degree, n := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree,
		paddedLength(l.params.mapWidth())
	square := power(m.p, degree)
	own := power(m.fourth(false), degree) - square
	shared := power(m.p+apart(m.q, m.s, n)+apart(m.r, m.s, n)-2*m.s, degree) - square
	return (own + float64(shared*(sharedPairs(nComponents, n)/nComponents))) / nComponents
}

// complexSRHTLaw is like complexTensorizedLaw, with a term for pairs of features in one block:
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q − s)^p + (P + R − s)^p − 2P^p] / D
//	  + 2c [(P − (Q − s)/(n−1))^p + (P − (R − s)/(n−1))^p − 2P^p] / D²
//
// where c is the number of ordered pairs among the D/2 features.
type complexSRHTLaw struct{ complexLaw }

func (l *complexSRHTLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m, degree, n := pairingsOf(l.params.Gamma, l.params.Coef0, a, b, c, d), l.params.Degree,
		paddedLength(l.params.mapWidth())
	square := power(m.p, degree)
	conjugate, plain := m.complexFourths(false)
	own := power(conjugate, degree) + power(plain, degree) - 2*square
	shared := power(m.p+apart(m.q, m.s, n)-m.s, degree) + power(m.p+apart(m.r, m.s, n)-m.s, degree) - 2*square
	return (own + float64(shared*(2*sharedPairs(nComponents/2, n)/nComponents))) / nComponents
}

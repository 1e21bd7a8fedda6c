package sketch

import "math"

// projectionMethod is the tensorized random projection of Meister, Sarlós &
// Woodruff (2019), which is the product of p AMS sketches of the journal version's
// Lemma 8 too: D features f_j(x) = Π_k ⟨ω_jk, x⟩/√D with independent ω_jk of random
// signs or normal numbers.
func projectionMethod() *method {
	return &method{
		takes:    takesDegree | takesGamma | takesCoef0,
		params:   []string{"distribution"},
		defaults: defaultDistribution,
		check:    checkDistribution,
		law:      func(p *Params) law { return &projectionLaw{params: *p} },
		core:     newProjectionCore,
		bytes:    projectionBytes,
	}
}

func defaultDistribution(p *Params) {
	if p.MethodParams.Distribution == "" {
		p.MethodParams.Distribution = DistributionRademacher
	}
}

func checkDistribution(p *Params) error {
	return checkName("distribution", p.MethodParams.Distribution, DistributionRademacher, DistributionGaussian)
}

// projectionLaw is the law of products of D independent projections. With
// P = (a·b)(c·d), Q = (a·c)(b·d), R = (a·d)(b·c) and s = Σ a_i b_i c_i d_i, scaled
// and with the constant coordinate,
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = [(P + Q + R − 2s)^p − P^p] / D
//
// for signs; normal numbers have no s. (Isserlis' theorem; Wacker et al. 2022.)
type projectionLaw struct{ params Params }

func (l *projectionLaw) kernel(x, y []float64) float64 {
	return polynomialKernel(&l.params, dot64(x, y))
}

func (l *projectionLaw) normKernel(square float64) float64 {
	return polynomialKernel(&l.params, square)
}

func (l *projectionLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	return l.covariance(x, y, x, y, nComponents), Exact
}

func (l *projectionLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	m := pairMoments(&l.params, a, b, c, d)
	if l.params.MethodParams.Distribution == DistributionGaussian {
		m.s = 0
	}
	p := l.params.Degree
	return (power(m.p+m.q+m.r-2*m.s, p) - power(m.p, p)) / nComponents
}

// pairings are the sums that fourth moments of projections are made of.
type pairings struct{ p, q, r, s float64 }

// pairMoments returns them for scaled vectors with the constant coordinate.
func pairMoments(params *Params, a, b, c, d []float64) pairings {
	inner := func(x, y []float64) float64 { return float64(params.Gamma*dot64(x, y)) + params.Coef0 }
	s := 0.0
	for i, v := range a {
		s += float64(float64(v*b[i]) * float64(c[i]*d[i]))
	}
	return pairings{
		p: float64(inner(a, b) * inner(c, d)),
		q: float64(inner(a, c) * inner(b, d)),
		r: float64(inner(a, d) * inner(b, c)),
		s: float64(float64(params.Gamma*params.Gamma)*s) + float64(params.Coef0*params.Coef0),
	}
}

// projectionCore computes products of projections.
type projectionCore struct {
	signs   *signMatrix // Degree·D projections, degree by degree
	degree  int
	scale   float32 // 1/√D
	project []float32
}

func newProjectionCore(p *Params, width int, draw randomness) core {
	rows := p.Degree * p.NComponents
	return &projectionCore{
		signs: newSignMatrix(draw, rows, width), degree: p.Degree,
		scale:   float32(1 / math.Sqrt(float64(p.NComponents))),
		project: make([]float32, rows),
	}
}

func projectionBytes(p *Params, width int) int64 {
	rows := p.Degree * p.NComponents
	return signMatrixBytes(rows, width) + 4*int64(rows)
}

func (c *projectionCore) clone() core {
	clone := *c
	clone.project = make([]float32, len(c.project))
	return &clone
}

func (c *projectionCore) transform(dst, x []float32) {
	clear(c.project)
	for i, v := range x {
		c.add(i, v)
	}
	c.finish(dst)
}

func (c *projectionCore) transformSparse(dst []float32, indices []int32, values []float32) {
	clear(c.project)
	for at, i := range indices {
		c.add(int(i), values[at])
	}
	c.finish(dst)
}

// add adds coordinate i to every projection.
func (c *projectionCore) add(i int, v float32) {
	words := c.signs.words[i/32*c.signs.rows:][:len(c.project)]
	bits := math.Float32bits(v)
	for r := range c.project {
		c.project[r] += math.Float32frombits(bits ^ words[r]>>(i%32)<<31)
	}
}

// finish multiplies the projections of the degrees.
func (c *projectionCore) finish(dst []float32) {
	for j := range dst {
		product := c.project[j]
		for k := 1; k < c.degree; k++ {
			product = float32(product * c.project[k*len(dst)+j])
		}
		dst[j] = float32(product * c.scale)
	}
}

package sketch

import (
	"cmp"
	"math"
	"slices"
	"strconv"
)

// craftMethod is CRAFT, compact random features (Hamid, Xiao, Gittens & DeCoste 2014): E features
// of a base map, reduced to D by a subsampled randomized Hadamard transform,
//
//	f(x) = R·H·S·g(x)/√D
//
// Here S is a diagonal of random signs. H is the Walsh–Hadamard matrix of −1 and +1 of order n, the
// least power of two that is at least E. R selects D entries without replacement. The base map g is
// the map of its method with E components and the same seed.
func craftMethod() *method {
	return &method{
		defaults: craftDefaults,
		check:    checkCraft,
		scaling: func(p *Params) (factor, constant float64) {
			base := craftBase(p)
			return base.scaling(methodOf(base.Method))
		},
		law:   newCraftLaw,
		core:  newCraftCore,
		bytes: craftBytes,
	}
}

// craftBases returns the methods that the base map can have: methods for dot products.
func craftBases() []string {
	var names []string
	for i := range methods {
		if methods[i].isBase {
			names = append(names, methods[i].Name)
		}
	}
	return names
}

// craftRatio is the default of E/D.
const craftRatio = 8

// defaultUpComponents returns the default of E: an even number, as complex features need.
func defaultUpComponents(nComponents int) int { return min(craftRatio*nComponents, MaxComponents) }

func craftDefaults(p *Params) {
	m := &p.MethodParams
	m.Base = cmp.Or(m.Base, MethodTensorSketch)
	if !slices.Contains(craftBases(), m.Base) {
		return
	}
	if base := craftBase(p); methodOf(base.Method).defaults != nil {
		methodOf(base.Method).defaults(base)
		base.MethodParams.Base, base.MethodParams.UpComponents = m.Base, m.UpComponents
		p.Degree, p.MethodParams = base.Degree, base.MethodParams
	}
}

// craftBase returns the parameters of the base map.
func craftBase(p *Params) *Params {
	base := new(Params)
	p.copyTo(base)
	base.Method, base.NComponents = p.MethodParams.Base, p.MethodParams.UpComponents
	base.Method = cmp.Or(base.Method, MethodTensorSketch)
	if base.NComponents == 0 {
		base.NComponents = defaultUpComponents(p.NComponents)
	}
	base.MethodParams.Base, base.MethodParams.UpComponents = "", 0
	base.Normalize, base.Repeats = NormalizeNone, 1
	return base
}

func checkCraft(p *Params) error {
	const up = "methodParams.upComponents"
	if err := checkName("base", p.MethodParams.Base, craftBases()...); err != nil {
		return err
	}
	base := craftBase(p)
	if err := checkInt(up, base.NComponents, MaxComponents); err != nil {
		return err
	}
	if base.NComponents < p.NComponents {
		return paramError(up, strconv.Itoa(base.NComponents), "be at least nComponents, "+strconv.Itoa(p.NComponents))
	}
	err := base.Validate()
	if e, ok := err.(*Error); ok && e.Argument == "nComponents" {
		e.Argument = up
	}
	return err
}

func craftConfig(p *Params) srhtConfig {
	up := craftBase(p).NComponents
	return srhtConfig{
		width: up, signed: up, degree: 1, features: p.NComponents,
		signDomain: domainDownSign, sampleDomain: domainDownEntry,
		scale: float32(1 / math.Sqrt(float64(p.NComponents))),
	}
}

// craftCore computes the base map's features and reduces them to D.
type craftCore struct {
	base core
	down *srhtCore
	up   []float32 // features of the base map: rows of E, one per lane
}

func newCraftCore(p *Params, width int, draw randomness) core {
	base := craftBase(p)
	c := &craftCore{
		base: methodOf(base.Method).core(base, width, draw),
		down: newSRHTCore(craftConfig(p), draw),
	}
	c.up = make([]float32, c.lanes()*base.NComponents)
	if _, sparse := c.base.(sparseCore); sparse {
		return &sparseCraftCore{c}
	}
	return c
}

func craftBytes(p *Params, width int) int64 {
	base := craftBase(p)
	total := craftConfig(p).bytes() + 4*int64(Lanes())*int64(base.NComponents) + 1<<13 // small objects of the base map
	if bytes := methodOf(base.Method).bytes; bytes != nil {
		total += bytes(base, width)
	}
	return total
}

func (c *craftCore) clone() core { return c.copy() }

func (c *craftCore) copy() *craftCore {
	clone := *c
	clone.base, clone.down = c.base.clone(), c.down.clone().(*srhtCore)
	clone.up = make([]float32, len(c.up))
	return &clone
}

func (c *craftCore) lanes() int { return c.down.lanes() }

func (c *craftCore) transformBlock(dst, x []float32, count int) {
	E, width := c.down.width, len(x)/count
	for row := 0; row < count; row += c.base.lanes() {
		n := min(c.base.lanes(), count-row)
		c.base.transformBlock(c.up[row*E:(row+n)*E], x[row*width:(row+n)*width], n)
	}
	c.down.transformBlock(dst, c.up[:count*E], count)
}

// sparseCraftCore is a craftCore whose base map takes sparse rows directly.
type sparseCraftCore struct{ *craftCore }

func (c *sparseCraftCore) clone() core { return &sparseCraftCore{c.copy()} }

func (c *sparseCraftCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	E := c.down.width
	for from := 0; from < len(rows); from += c.base.lanes() {
		rows := rows[from:min(from+c.base.lanes(), len(rows))]
		c.base.(sparseCore).transformSparseBlock(c.up[from*E:(from+len(rows))*E], rows)
	}
	c.down.transformBlock(dst, c.up[:len(rows)*E], len(rows))
}

// craftLaw is the law of CRAFT. Given the base map, the estimate has the mean ⟨g(x), g(y)⟩ and the
// variance of the Hadamard transform of degree 1. In total
//
//	Cov(⟨fa,fb⟩, ⟨fc,fd⟩) = Cov(⟨ga,gb⟩, ⟨gc,gd⟩)
//	  + α·E[⟨ga,gc⟩⟨gb,gd⟩ + ⟨ga,gd⟩⟨gb,gc⟩ − 2 Σ_j g_j(a) g_j(b) g_j(c) g_j(d)],
//
// with α = (n − D)/(D(n − 1)). The sum over j is the fourth moment of the base map's features. If
// it is not known, it is omitted, which leaves a bound on the variance.
//
// With the default E = 8·D, E follows D in formulas for other D. Otherwise E is fixed.
type craftLaw struct {
	law   // of the base map
	fixed float64
}

// exactCraftLaw is the law of CRAFT with a base map whose fourth moments are known.
type exactCraftLaw struct{ craftLaw }

// fourthLaw is a law that knows E Σ_j f_j(a) f_j(b) f_j(c) f_j(d).
type fourthLaw interface {
	covariant
	fourths(a, b, c, d []float64, nComponents float64) float64
}

func newCraftLaw(p *Params) law {
	base := craftBase(p)
	l := craftLaw{law: methodOf(base.Method).law(base)}
	if base.NComponents != craftRatio*p.NComponents {
		l.fixed = float64(base.NComponents)
	}
	if _, ok := l.law.(fourthLaw); ok {
		return &exactCraftLaw{l}
	}
	return &l
}

// downsampling returns E and α. D above a fixed E counts as E, because it is no better.
func (l *craftLaw) downsampling(nComponents float64) (up, alpha float64) {
	up = craftRatio * nComponents
	if l.fixed > 0 {
		up, nComponents = l.fixed, min(nComponents, l.fixed)
	}
	n := 1.0 // paddedLength of up, which may exceed an int
	for n < math.Floor(up) {
		n *= 2
	}
	if n > 1 {
		alpha = (n - nComponents) / float64(nComponents*(n-1))
	}
	return up, alpha
}

func (l *craftLaw) bias(x, y []float64) float64 {
	if b, ok := l.law.(biased); ok {
		return b.bias(x, y)
	}
	return 0
}

// second returns E⟨g(x), g(y)⟩², or a bound on it.
func (l *craftLaw) second(x, y []float64, up float64) (v float64, kind Kind) {
	mean := l.kernel(x, y) + l.bias(x, y)
	v, kind = varianceOf(l.law, x, y, up)
	return v + float64(mean*mean), kind
}

// variance bounds the term E‖g(x)‖²‖g(y)‖² by the Cauchy–Schwarz inequality.
func (l *craftLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	up, alpha := l.downsampling(nComponents)
	v, kind := varianceOf(l.law, x, y, up)
	xy, _ := l.second(x, y, up)
	xx, kindX := l.second(x, x, up)
	yy, kindY := l.second(y, y, up)
	for _, k := range [...]Kind{kind, kindX, kindY} {
		if k != Exact && k != Bound {
			return math.NaN(), Unknown
		}
	}
	return v + float64(alpha*(xy+math.Sqrt(float64(xx*yy)))), Bound
}

func (l *exactCraftLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	return l.covariance(x, y, x, y, nComponents), Exact
}

func (l *exactCraftLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	base := l.law.(fourthLaw)
	up, alpha := l.downsampling(nComponents)
	second := func(x, y, z, w []float64) float64 { // E⟨gx,gy⟩⟨gz,gw⟩
		xy, zw := l.kernel(x, y)+l.bias(x, y), l.kernel(z, w)+l.bias(z, w)
		return base.covariance(x, y, z, w, up) + float64(xy*zw)
	}
	down := second(a, c, b, d) + second(a, d, b, c) - 2*base.fourths(a, b, c, d, up)
	return base.covariance(a, b, c, d, up) + float64(alpha*down)
}

func (l *craftLaw) components() (least, step float64) {
	if r, ok := l.law.(componentRange); ok && l.fixed == 0 {
		least, _ := r.components()
		return math.Ceil(least / craftRatio), 1
	}
	return 1, 1
}

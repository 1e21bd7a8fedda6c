package sketch

import "math"

// A plan is what all rows of a map share: the transform, where conjugate
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
type plan struct {
	fft     *fft
	odd     bool
	paired  bool // degrees share transforms
	direct  bool // degree 1 with real output: the count sketch is the answer
	stride  int  // vecs from one output number to the next in the inverse transform
	pairs   []conjugates
	weights []weight // per degree
	scale   float32  // of the result, odd D
}

// weight scales the coordinates of a degree and gives the constant one.
type weight struct{ feature, constant float32 }

// conjugates names the positions of frequencies k and n−k (k and 0 for k = 0) in
// a forward transform, for k = 0, 1, 2 …; re + i·im is w^k, unused for odd D.
type conjugates struct {
	a, b   int32
	re, im float32
}

func newPlan(p *Params) *plan {
	D := p.NComponents
	if isDirect(p) {
		w := weight{float32(math.Sqrt(p.Gamma)), float32(math.Sqrt(p.Coef0))}
		return &plan{fft: newFFT(1), direct: true, stride: 1, weights: []weight{w}}
	}
	odd := D%2 == 1
	n, stride := transformLength(D), 1
	if odd {
		stride = 2
	}
	plan := &plan{fft: newFFT(n), odd: odd, paired: odd && !p.isProduct(), stride: stride}
	positions := plan.fft.positions()
	plan.pairs = make([]conjugates, n/2+1)
	for k := range plan.pairs {
		cos, sin := cosSinTurn(k, D)
		plan.pairs[k] = conjugates{positions[k], positions[(n-k)%n], float32(cos), float32(-sin)}
	}
	plan.setWeights(p)
	return plan
}

// isDirect tells whether no transform is needed.
func isDirect(p *Params) bool { return p.Degree == 1 && p.Output == OutputReal }

// transformLength returns the length n of the complex transform.
func transformLength(nComponents int) int {
	if nComponents%2 == 0 {
		return nComponents / 2
	}
	return nComponents
}

// shares tells whether degree k begins a transform that degree k + 1 shares.
func (p *plan) shares(k, degree int) bool { return p.paired && k%2 == 0 && k+1 < degree }

func (p *plan) setWeights(params *Params) {
	scale := 1 / float64(params.NComponents)
	if params.Output == OutputSpectrum {
		scale = math.Sqrt(scale)
	}
	p.scale = float32(scale)
	for k := range params.Degree {
		factor := 1.0
		if !p.odd || p.shares(k&^1, params.Degree) {
			factor = 0.5
		}
		if k == 0 && !p.odd {
			factor *= scale
		}
		p.weights = append(p.weights, weight{float32(math.Sqrt(params.Gamma) * factor), float32(math.Sqrt(params.Coef0) * factor)})
	}
}

// multiplyHalf splits the half-length transform z into the spectrum and
// multiplies product by it: vecs 4k … 4k+3 are X_k and X_{n−k}.
func (p *plan) multiplyHalf(product, z []vec, first bool) {
	for k, pair := range p.pairs {
		ar, ai, br, bi := z[2*pair.a], z[2*pair.a+1], z[2*pair.b], z[2*pair.b+1]
		re, im := splat(pair.re), splat(pair.im)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		xr, xi := tr.Add(vr), ti.Add(vi)
		yr, yi := tr.Sub(vr), vi.Sub(ti)
		f := product[4*k : 4*k+4 : 4*k+4]
		if first {
			f[0], f[1], f[2], f[3] = xr, xi, yr, yi
			continue
		}
		f[0], f[1] = f[0].Mul(xr).Sub(f[1].Mul(xi)), f[0].Mul(xi).Add(f[1].Mul(xr))
		f[2], f[3] = f[2].Mul(yr).Sub(f[3].Mul(yi)), f[2].Mul(yi).Add(f[3].Mul(yr))
	}
}

// multiplyTwo multiplies product by both spectra of a shared transform: vecs 2k
// and 2k+1 are X_k.
func (p *plan) multiplyTwo(product, z []vec, first bool) {
	for k, pair := range p.pairs {
		ar, ai, br, bi := z[2*pair.a], z[2*pair.a+1], z[2*pair.b], z[2*pair.b+1]
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		xr, xi := tr.Mul(ur).Sub(ti.Mul(ui)), tr.Mul(ui).Add(ti.Mul(ur))
		if !first {
			fr, fi := product[2*k], product[2*k+1]
			xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		}
		product[2*k], product[2*k+1] = xr, xi
	}
}

// multiplyOne multiplies product by the spectrum of a transform of one degree.
func (p *plan) multiplyOne(product, z []vec, first bool) {
	for k, pair := range p.pairs {
		xr, xi := z[2*pair.a], z[2*pair.a+1]
		if !first {
			fr, fi := product[2*k], product[2*k+1]
			xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		}
		product[2*k], product[2*k+1] = xr, xi
	}
}

// merge is the transpose of the split: it lays the product out as the input of
// the inverse transform.
func (p *plan) merge(z, product []vec) {
	scale := splat(p.scale)
	for k, pair := range p.pairs {
		if p.odd {
			re, im := product[2*k].Mul(scale), product[2*k+1].Mul(scale)
			z[2*pair.b], z[2*pair.b+1] = re, splat(0).Sub(im)
			z[2*pair.a], z[2*pair.a+1] = re, im
			continue
		}
		f := product[4*k : 4*k+4 : 4*k+4]
		re, im := splat(pair.re), splat(pair.im)
		tr, ti := f[0].Add(f[2]), f[1].Sub(f[3])
		ur, ui := f[0].Sub(f[2]), f[1].Add(f[3])
		vr, vi := ur.Mul(re).Add(ui.Mul(im)), ui.Mul(re).Sub(ur.Mul(im)) // conj(w^k)·U
		z[2*pair.b], z[2*pair.b+1] = tr.Add(vi), vr.Sub(ti)
		z[2*pair.a], z[2*pair.a+1] = tr.Sub(vi), ti.Add(vr)
	}
}

// storeSpectrum lays the product out as [X₀, X_{D/2} for even D, √2·Re X₁,
// √2·Im X₁, √2·Re X₂ …]/√D in natural order.
func (p *plan) storeSpectrum(z, product []vec) {
	root := splat(1.41421356237309504880)
	z[0] = product[0]
	if p.odd {
		scale := splat(p.scale)
		z[0], root = z[0].Mul(scale), root.Mul(scale)
		for k := 1; k < len(p.pairs); k++ {
			z[2*k-1], z[2*k] = product[2*k].Mul(root), product[2*k+1].Mul(root)
		}
		return
	}
	z[1] = product[2] // X_n, n = D/2, stands with X₀
	n := p.fft.n
	for k := 1; k < len(p.pairs); k++ {
		z[2*k], z[2*k+1] = product[4*k].Mul(root), product[4*k+1].Mul(root)
		z[2*(n-k)], z[2*(n-k)+1] = product[4*k+2].Mul(root), product[4*k+3].Mul(root)
	}
}

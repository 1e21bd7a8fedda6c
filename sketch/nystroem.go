package sketch

import "math"

// nystroemMethod is Nyström's method (Williams & Seeger 2000): D rows of the data
// are the landmarks l_1 … l_D, and with K_ij = κ(l_i, l_j) and k(x)_i = κ(x, l_i)
//
//	⟨f(x), f(y)⟩ = k(x)ᵀ·K⁻¹·k(y),
//
// the inner product of what the landmarks span of x and y. That is κ itself where
// they span one of the two, and never more in the norm; it is no mean over seeds,
// and neither its bias nor its deviation are known without the data.
//
// scikit-learn takes f = K^−½·k(x). Here f = L⁻¹·k(x) with K = L·Lᵀ, Cholesky's
// decomposition with pivots: the same inner products for a third of n³ operations
// instead of an eigenvalue problem. It ends where what is left of the diagonal is
// below 10^−12 of its largest entry; features beyond that rank are 0.
func nystroemMethod() *method {
	return &method{
		takes:    takesDegree | takesGamma | takesCoef0,
		params:   []string{"kernel"},
		defaults: defaultNystroem,
		check:    checkNystroem,
		law:      func(p *Params) law { return &nystroemLaw{*p} },
		core:     newNystroemCore,
		bytes:    nystroemBytes,
	}
}

func defaultNystroem(p *Params) {
	defaultKernel(p, KernelPolynomial)
	if p.MethodParams.Kernel != KernelPolynomial && p.Degree == 0 {
		p.Degree = 1
	}
}

func checkNystroem(p *Params) error {
	return checkSeries(p, KernelPolynomial, KernelGaussian, KernelExponential)
}

// nystroemLaw knows the kernel, and nothing of the error.
type nystroemLaw struct{ params Params }

func (l *nystroemLaw) kernel(x, y []float64) float64 {
	if l.params.MethodParams.Kernel == KernelGaussian {
		delta := combine(1, x, -1, y)
		return exponential(-float64(l.params.Gamma * dot64(delta, delta)))
	}
	return scaledKernel(&l.params, float64(l.params.Gamma*dot64(x, y))+l.params.Coef0, 0, 0)
}

func (l *nystroemLaw) normKernel(square float64) float64 {
	square = float64(l.params.Gamma*square) + l.params.Coef0
	return scaledKernel(&l.params, square, square, square)
}

func (l *nystroemLaw) variance([]float64, []float64, float64) (float64, Kind) {
	return math.NaN(), Unknown
}

func (l *nystroemLaw) bias([]float64, []float64) float64 { return math.NaN() }

// scaledKernel returns κ of two scaled vectors with the constant coordinate, from
// their inner product and their squared norms.
func scaledKernel(p *Params, inner, xx, yy float64) float64 {
	switch p.MethodParams.Kernel {
	case KernelGaussian:
		return exponential(-max(0, xx+yy-2*inner))
	case KernelExponential:
		return exponential(inner)
	}
	return power(inner, p.Degree)
}

// A nystroemCore computes Nyström features once it is fitted.
type nystroemCore struct {
	params Params
	width  int
	draw   randomness
	fit    *nystroemFit // nil before; shared by clones, and never changed
	sums   []float64    // one per landmark in use
}

func newNystroemCore(p *Params, width int, draw randomness) core {
	return &nystroemCore{params: *p, width: width, draw: draw, sums: make([]float64, p.NComponents)}
}

// nystroemBytes is what fitting takes, but for the rows.
func nystroemBytes(p *Params, width int) int64 {
	D := int64(p.NComponents)
	return 12*int64(width)*D + 12*D*D + 64*D
}

func (c *nystroemCore) clone() core {
	clone := *c
	clone.sums = make([]float64, len(c.sums))
	return &clone
}

func (c *nystroemCore) ready() error {
	if c.fit == nil {
		return paramError("method", "\""+MethodNystroem+"\" without landmarks", "be fitted to rows before it transforms any: call fit")
	}
	return nil
}

func (c *nystroemCore) transform(dst, x []float32) {
	sums := c.sums[:len(c.fit.squares)]
	clear(sums)
	addDense(sums, c.fit.columns, x)
	c.finish(dst, sums, x)
}

func (c *nystroemCore) transformSparse(dst []float32, indices []int32, values []float32) {
	sums := c.sums[:len(c.fit.squares)]
	clear(sums)
	addSparse(sums, c.fit.columns, indices, values)
	c.finish(dst, sums, values)
}

// finish writes L⁻¹·k(x), given the inner products with the landmarks and the
// values of x, zeros or not.
func (c *nystroemCore) finish(dst []float32, sums []float64, x []float32) {
	square := 0.0
	for _, v := range x {
		square += float64(float64(v) * float64(v))
	}
	for j, inner := range sums {
		sums[j] = scaledKernel(&c.params, inner, square, c.fit.squares[j])
	}
	clear(dst)
	triangle := c.fit.triangle
	for j := range sums {
		z := sums[j] / triangle[0]
		dst[j] = float32(z)
		below := sums[j+1:]
		column := triangle[1:][:len(below)]
		for i := range below {
			below[i] -= float64(z * column[i])
		}
		triangle = triangle[1+len(column):]
	}
}

// A nystroemFit is what landmarks leave: those that the others depend on, in the
// order of the pivots.
type nystroemFit struct {
	landmarks []float32 // all of them, D × d, as they were given
	columns   []float32 // width × rank: those in use, scaled and with their constant
	squares   []float64 // their ‖l‖²
	triangle  []float64 // L, column by column from the diagonal down
}

// fitNystroem returns the fit to landmarks that are scaled, width × n: coordinate by
// coordinate. If the kernel of one with itself is not finite, it returns which one.
func fitNystroem(p *Params, scaled []float32, width, n int) (fit *nystroemFit, bad int) {
	squares, rest := make([]float64, n), make([]float64, n) // rest: of the diagonal; −1 where it is a pivot
	for i := range width {
		for j, v := range scaled[i*n : (i+1)*n] {
			squares[j] += float64(float64(v) * float64(v))
		}
	}
	largest := 0.0
	for j, square := range squares {
		rest[j] = scaledKernel(p, square, square, square)
		if !finite(rest[j]) {
			return nil, j
		}
		largest = max(largest, rest[j])
	}
	var pivots []int
	var factor [][]float64 // columns of L, in the order of the landmarks
	for len(pivots) < n {
		pivot := 0
		for j, v := range rest {
			if v > rest[pivot] {
				pivot = j
			}
		}
		if !(rest[pivot] > 1e-12*largest) {
			break
		}
		column := make([]float64, n)
		for i := range width {
			if v := scaled[i*n+pivot]; v != 0 {
				addColumn(column, scaled, i, v)
			}
		}
		for j := range column {
			column[j] = scaledKernel(p, column[j], squares[pivot], squares[j])
		}
		for _, before := range factor {
			subtract(column, before[pivot], before)
		}
		root := math.Sqrt(rest[pivot])
		for j := range column {
			column[j] /= root
			if rest[j] >= 0 {
				rest[j] = max(0, rest[j]-float64(column[j]*column[j]))
			}
		}
		column[pivot], rest[pivot] = root, -1
		pivots, factor = append(pivots, pivot), append(factor, column)
	}
	fit = &nystroemFit{}
	for k, column := range factor {
		fit.squares = append(fit.squares, squares[pivots[k]])
		for _, j := range pivots[k:] {
			fit.triangle = append(fit.triangle, column[j])
		}
	}
	for i := range width {
		for _, j := range pivots {
			fit.columns = append(fit.columns, scaled[i*n+j])
		}
	}
	return fit, -1
}

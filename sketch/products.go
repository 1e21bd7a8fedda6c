package sketch

import "math"

// productCore computes features that are products of random projections:
//
//	f_j(x) = w_n · Π_{k<n} ⟨ω_jk, x⟩, n the order of feature j
//
// Features are sorted by order, so that the factors k of all features that have them are
// contiguous. Complex features use projections with Re ω and with Im ω, and take two numbers each.
type productCore struct {
	projection *projection
	// starts[k] is the first feature that has a factor k. The factors k of the features from there
	// on are consecutive projections, k = 0 first. For complex features the real parts of a factor
	// come before the imaginary parts.
	starts    []int
	width     int
	features  int
	weights   []float32 // w_n for each order n
	isComplex bool
	linear    *linearPart // at the beginning of a row, or nil; the features are its end
	projected []float32   // projections of rows side by side
	lists     rowLists
}

// linearPart is the constant and the linear term of a kernel, which are kept exactly.
type linearPart struct{ constant, factor float32 }

// newProductCore returns a core with counts[n] features of order n.
func newProductCore(draw randomness, width int, counts []int, weights []float32, normal, isComplex bool) *productCore {
	c := &productCore{weights: weights, width: width, isComplex: isComplex}
	rows, start := 0, 0
	for _, count := range counts {
		c.features += count
	}
	for _, count := range counts[:len(counts)-1] {
		start += count
		c.starts = append(c.starts, start)
		rows += c.parts() * (c.features - start)
	}
	c.projection = newProjection(draw, rows, width, normal)
	c.allocate(width)
	return c
}

func (c *productCore) allocate(width int) {
	c.lists = newRowLists(width)
	c.projected = make([]float32, c.lanes()*c.projection.stride)
}

// productBytes returns the bytes that newProductCore allocates for this many projections.
func productBytes(rows, width int, normal bool) int64 {
	stride := projectionStride(rows)
	return projectionBytes(rows, width, normal) + 4*int64(rowsAtATime(stride)*stride) + rowListsBytes(width)
}

// parts returns the number of numbers per feature and factor.
func (c *productCore) parts() int {
	if c.isComplex {
		return 2
	}
	return 1
}

func (c *productCore) clone() core {
	clone := *c
	clone.projection = c.projection.clone()
	clone.allocate(c.width)
	return &clone
}

func (c *productCore) lanes() int { return min(len(c.lists), rowsAtATime(c.projection.stride)) }

func (c *productCore) transformBlock(dst, x []float32, count int) {
	c.transformSparseBlock(dst, c.lists.of(x, count))
}

func (c *productCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.projection.project(c.projected, rows)
	D := len(dst) / len(rows)
	for r, row := range rows {
		z := dst[r*D : (r+1)*D]
		exact := z[:D-c.numbers()]
		clear(exact) // what neither the linear part nor a feature writes is 0
		if c.linear != nil {
			c.linear.of(exact, row)
		}
		c.finish(z[len(exact):], c.projected[r*c.projection.stride:][:c.projection.stride])
	}
}

// numbers returns how many numbers the features take.
func (c *productCore) numbers() int { return c.parts() * c.features }

// of writes the constant and the linear term of a row to dst, which is 0.
func (l *linearPart) of(dst []float32, row sparseRow) {
	dst[0] = l.constant
	for at, i := range row.indices {
		dst[1+i] = float32(l.factor*row.data[at]) + 0 // + 0 avoids −0, which a row without this coordinate cannot have
	}
}

// finish multiplies the projections y, first factors first, and then by the weights.
func (c *productCore) finish(dst, y []float32) {
	if c.isComplex {
		c.finishComplex(dst, y)
		return
	}
	from := len(dst)
	if len(c.starts) > 0 {
		from = c.starts[0]
	}
	for j := range dst[:from] {
		dst[j] = 1
	}
	y = y[copy(dst[from:], y):]
	for _, start := range c.starts[min(1, len(c.starts)):] {
		multiplyBy(dst[start:], y[:c.features-start])
		y = y[c.features-start:]
	}
	from = 0
	for n, weight := range c.weights {
		to := c.features
		if n < len(c.starts) {
			to = c.starts[n]
		}
		scaleRow(dst[from:to], dst[from:to], weight)
		from = to
	}
}

// finishComplex is finish for complex features, which all have the same order.
func (c *productCore) finishComplex(dst, y []float32) {
	n, weight := c.features, c.weights[len(c.weights)-1]
	for j := range n {
		re, im := y[j], y[n+j]
		for at := 2 * n; at < c.projection.rows; at += 2 * n {
			factorRe, factorIm := y[at+j], y[at+n+j]
			re, im = float32(re*factorRe)-float32(im*factorIm), float32(re*factorIm)+float32(im*factorRe)
		}
		dst[2*j], dst[2*j+1] = float32(re*weight), float32(im*weight)
	}
}

// pairings are the sums from which fourth moments of projections are computed. For vectors a, b, c,
// d they are P = (a·b)(c·d), Q = (a·c)(b·d), R = (a·d)(b·c) and s = Σ a_i b_i c_i d_i.
type pairings struct{ p, q, r, s float64 }

// pairingsOf returns the pairings of vectors scaled by √gamma and with the constant coordinate
// √coef0.
func pairingsOf(gamma, coef0 float64, a, b, c, d []float64) pairings {
	inner := func(x, y []float64) float64 { return float64(gamma*dot64(x, y)) + coef0 }
	s := 0.0
	for i, v := range a {
		s += float64(float64(v*b[i]) * float64(c[i]*d[i]))
	}
	return pairings{
		p: float64(inner(a, b) * inner(c, d)),
		q: float64(inner(a, c) * inner(b, d)),
		r: float64(inner(a, d) * inner(b, c)),
		s: float64(float64(gamma*gamma)*s) + float64(coef0*coef0),
	}
}

// fourth returns E⟨ω,a⟩⟨ω,b⟩⟨ω,c⟩⟨ω,d⟩: P + Q + R − 2s for signs, and P + Q + R for normal numbers
// (Isserlis' theorem).
func (m pairings) fourth(normal bool) float64 {
	if normal {
		return m.p + m.q + m.r
	}
	return m.p + m.q + m.r - 2*m.s
}

// complexFourths returns E⟨ω,a⟩⟨ω̄,b⟩⟨ω̄,c⟩⟨ω,d⟩ = P + Q − s and
// E⟨ω,a⟩⟨ω̄,b⟩⟨ω,c⟩⟨ω̄,d⟩ = P + R − s for complex signs; for complex normal numbers the same
// without s.
func (m pairings) complexFourths(normal bool) (conjugate, plain float64) {
	if normal {
		return m.p + m.q, m.p + m.r
	}
	return m.p + m.q - m.s, m.p + m.r - m.s
}

// featureScale returns factor/√D.
func featureScale(factor float64, nComponents int) float32 {
	return float32(factor / math.Sqrt(float64(nComponents)))
}

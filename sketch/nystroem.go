package sketch

import (
	"math"
	"math/bits"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
)

// nystroemMethod is Nyström's method (Williams & Seeger 2000). D rows of the data are the landmarks
// l_1 … l_D. With K_ij = κ(l_i, l_j) and k(x)_i = κ(x, l_i)
//
//	⟨f(x), f(y)⟩ = k(x)ᵀ·K⁻¹·k(y),
//
// the inner product of the projections of x and y onto the span of the landmarks. It equals κ if x
// or y lies in that span, and ‖f(x)‖² never exceeds κ(x,x). The estimate has no expectation over
// seeds that is known without the data: neither its bias nor its deviation is known.
//
// scikit-learn uses f = K^−½·k(x). This map uses f = L⁻¹·k(x) with K = L·Lᵀ, the pivoted Cholesky
// decomposition. It gives the same inner products for a third of n³ operations, instead of an
// eigenvalue problem. The decomposition ends when the rest of the diagonal is below 10^−12 of its
// largest entry; features beyond that rank are 0.
func nystroemMethod() *method {
	return &method{
		defaults: defaultNystroem,
		check:    checkSeries,
		law:      func(p *Params) law { return &fittedLaw{p} },
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

// fittedLaw is the law of a map that is fitted to rows: it knows the kernel, but not the error.
type fittedLaw struct{ params *Params }

func (l *fittedLaw) kernel(x, y []float64) float64 {
	if l.params.MethodParams.Kernel == KernelGaussian {
		delta := combine(x, -1, y)
		return portable.Exp(-float64(l.params.Gamma * dot64(delta, delta)))
	}
	return scaledKernel(l.params, float64(l.params.Gamma*dot64(x, y))+l.params.Coef0, 0, 0)
}

func (l *fittedLaw) normKernel(square float64) float64 {
	square = float64(l.params.Gamma*square) + l.params.Coef0
	return scaledKernel(l.params, square, square, square)
}

func (l *fittedLaw) variance([]float64, []float64, float64) (float64, Kind) {
	return math.NaN(), Unknown
}

func (l *fittedLaw) bias([]float64, []float64) float64 { return math.NaN() }

// scaledKernel returns κ of two scaled vectors with the constant coordinate, given their inner
// product and their squared norms.
func scaledKernel(p *Params, inner, xx, yy float64) float64 {
	values, squares := [1]float64{inner}, [1]float64{xx}
	scaledKernels(p, values[:], squares[:], yy)
	return values[0]
}

// scaledKernels replaces the inner products of several vectors x with y by their kernels. xx and yy
// are the squared norms.
func scaledKernels(p *Params, values, xx []float64, yy float64) {
	xx = xx[:len(values)]
	switch p.MethodParams.Kernel {
	case KernelGaussian:
		for i, inner := range values {
			values[i] = portable.Exp(-max(0, xx[i]+yy-2*inner))
		}
	case KernelExponential:
		for i, inner := range values {
			values[i] = portable.Exp(inner)
		}
	default:
		for i, inner := range values {
			values[i] = power(inner, p.Degree)
		}
	}
}

// A nystroemCore computes Nyström features of a fitted map, for several rows side by side: number r
// of each group of block.Rows belongs to row r.
type nystroemCore struct {
	params  *Params
	width   int
	draw    randomness
	fit     *nystroemFit // nil before fitting; shared by clones, and never changed
	sums    []float64    // block.Rows for each landmark
	panel   []float64    // −x, block.Rows for each coordinate of a panel
	squares [block.Rows]float64
	lists   rowLists
}

func newNystroemCore(p *Params, width int, draw randomness) core {
	c := &nystroemCore{params: p, width: width, draw: draw}
	c.allocate()
	return c
}

func (c *nystroemCore) allocate() {
	c.sums = make([]float64, block.Rows*paddedSums(c.params.NComponents))
	c.panel = make([]float64, block.Rows*panelLength)
	c.lists = newRowLists(c.width)
}

// nystroemBytes returns the memory for fitting and for a core, without the rows.
func nystroemBytes(p *Params, width int) int64 {
	D := int64(paddedSums(p.NComponents))
	fit := 16*int64(width)*D + D*(12*D+4*panelLength+96) + 64*(int64(width)+D)/panelLength
	return fit + 8*block.Rows*(D+panelLength) + rowListsBytes(width)
}

func (c *nystroemCore) clone() core {
	clone := *c
	clone.allocate()
	return &clone
}

func (c *nystroemCore) ready() error {
	if c.fit == nil {
		return paramError("method", "\""+MethodNystroem+"\" without landmarks",
			"be fitted to rows before it transforms any: call fit")
	}
	return nil
}

func (c *nystroemCore) lanes() int { return len(c.lists) }

func (c *nystroemCore) transformBlock(dst, x []float32, count int) {
	c.transformSparseBlock(dst, c.lists.of(x, count))
}

// transformSparseBlock writes L⁻¹·k(x).
func (c *nystroemCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	rank, count := len(c.fit.squares), len(rows)
	sums := c.sums[:block.Rows*paddedSums(rank)]
	clear(sums)
	c.multiply(sums, rows)
	for r, row := range rows {
		c.squares[r] = squaredNorm(row.data)
	}
	for j, square := range c.fit.squares {
		scaledKernels(c.params, sums[j*block.Rows:][:count], c.squares[:], square)
	}
	c.fit.solve(sums, count)
	clear(dst)
	D := len(dst) / count
	for r := range count {
		z := dst[r*D:][:rank]
		for j := range z {
			z[j] = float32(sums[j*block.Rows+r])
		}
	}
}

// panelLength is the number of coordinates, or of solved sums, that are applied to all further sums
// before the next ones.
const panelLength = 64

// panelIndices are the indices 0 … panelLength−1 within a panel.
var panelIndices = func() (indices [panelLength]int32) {
	for i := range indices {
		indices[i] = int32(i)
	}
	return indices
}()

// paddedSums rounds a number of sums up to a multiple of block.Sums.
func paddedSums(n int) int { return (n + block.Sums - 1) / block.Sums * block.Sums }

// multiply sets the sums to the inner products of the rows with the landmarks.
func (c *nystroemCore) multiply(sums []float64, rows []sparseRow) {
	var left [block.Rows]sparseRow
	copy(left[:], rows)
	var indices [panelLength]int32
	for p, columns := range c.fit.columns {
		used := c.loadPanel(left[:len(rows)], p*panelLength)
		n := 0
		for ; used != 0; used &= used - 1 {
			indices[n] = int32(bits.TrailingZeros64(used))
			n++
		}
		width := min(panelLength, c.width-p*panelLength)
		for j := 0; j < len(sums)/block.Rows; j += block.Sums {
			subtractProducts(sums[j*block.Rows:], c.panel, columns[j*width:], indices[:n], len(rows))
		}
	}
}

// loadPanel lays out the coordinates of a panel side by side and removes them from the rows. It
// returns a mask of the coordinates that are present in any row.
func (c *nystroemCore) loadPanel(rows []sparseRow, from int) (used uint64) {
	clear(c.panel)
	for r := range rows {
		row, n := &rows[r], 0
		for n < len(row.indices) && int(row.indices[n]) < from+panelLength {
			i := int(row.indices[n]) - from
			c.panel[i*block.Rows+r] = -float64(row.data[n])
			used |= 1 << i
			n++
		}
		row.indices, row.data = row.indices[n:], row.data[n:]
	}
	return used
}

// A nystroemFit is the result of fitting: the linearly independent landmarks, in the order of the
// pivots. Matrices are stored panel by panel of columns, in the order in which they are read:
// block.Sums rows side by side, column by column.
type nystroemFit struct {
	landmarks []float32   // all landmarks, D × d, as given
	columns   [][]float64 // the landmarks in use, one per row, scaled and with their constant
	squares   []float64   // ‖l‖² of the landmarks in use
	triangle  [][]float64 // L; each panel has only the rows from its diagonal on
}

// solve multiplies the sums of count rows by L⁻¹, panel by panel. It solves within a panel and
// subtracts the products with L from all sums below.
func (f *nystroemFit) solve(sums []float64, count int) {
	n := len(sums) / block.Rows
	for p, panel := range f.triangle {
		from := p * panelLength
		to := min(from+panelLength, n)
		for j := from; j < n; j += block.Sums {
			own := sums[j*block.Rows:][:block.Sums*block.Rows]
			rows := panel[(j-from)*(to-from):]
			subtractProducts(own, sums[from*block.Rows:], rows, panelIndices[:min(j, to)-from], count)
			if j < to {
				solveFew(own, rows[(j-from)*block.Sums:], count)
			}
		}
	}
}

// solveFew solves for block.Sums sums, given their block of L.
func solveFew(sums, triangle []float64, count int) {
	for j := range block.Sums {
		z := sums[j*block.Rows:][:count]
		column := triangle[j*block.Sums:][:block.Sums]
		for r := range z {
			z[r] /= column[j]
		}
		for i := j + 1; i < block.Sums; i++ {
			below := sums[i*block.Rows:][:count]
			for r, v := range z {
				below[r] -= float64(v * column[i])
			}
		}
	}
}

// newNystroemFit returns the fit to the landmarks that are pivots, given the columns of L for all
// landmarks in their original order.
func newNystroemFit(pivots []int, factor [][]float64, squares []float64, scaled []float32, width int) *nystroemFit {
	f, n := &nystroemFit{}, len(squares)
	for _, pivot := range pivots {
		f.squares = append(f.squares, squares[pivot])
	}
	f.columns = panels(len(pivots), width, false, func(k, i int) float64 { return float64(scaled[i*n+pivots[k]]) })
	f.triangle = panels(len(pivots), paddedSums(len(pivots)), true, func(k, j int) float64 {
		if j < len(pivots) {
			return factor[j][pivots[k]]
		}
		return 0
	})
	return f
}

// panels stores a matrix panel by panel, padded with zero rows to a multiple of block.Sums. Of a
// triangular matrix it omits the rows above each panel's diagonal, and sets the diagonal of the
// padding rows to 1.
func panels(rows, columns int, triangular bool, at func(row, column int) float64) (panels [][]float64) {
	padded := paddedSums(rows)
	for from := 0; from < columns; from += panelLength {
		first, width := 0, min(panelLength, columns-from)
		if triangular {
			first = from
		}
		panel := make([]float64, (padded-first)*width)
		for row := first; row < padded; row++ {
			tile := panel[(row-first)/block.Sums*block.Sums*width+(row-first)%block.Sums:]
			for i := range width {
				switch {
				case row < rows:
					tile[i*block.Sums] = at(row, from+i)
				case triangular && row == from+i:
					tile[i*block.Sums] = 1
				}
			}
		}
		panels = append(panels, panel)
	}
	return panels
}

// fitNystroem returns the fit to scaled landmarks, width × n, coordinate by coordinate, and −1. If
// the kernel of a landmark with itself is not finite, it returns the index of that landmark.
func fitNystroem(p *Params, scaled []float32, width, n int) (fit *nystroemFit, bad int) {
	squares, rest := make([]float64, n), make([]float64, n) // rest: the remaining diagonal; −1 at pivots
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
	return newNystroemFit(pivots, factor, squares, scaled, width), -1
}

// addColumn adds v times column i of a matrix to the sums.
func addColumn(sums []float64, matrix []float32, i int, v float32) {
	column := matrix[i*len(sums):][:len(sums)]
	factor := float64(v)
	for j := range sums {
		sums[j] += float64(factor * float64(column[j]))
	}
}

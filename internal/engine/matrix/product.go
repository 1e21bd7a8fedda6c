package matrix

// depthBlock is the number of terms of a product that are packed at a time.
const depthBlock = 64

// A packing holds the factors of a product in the order in which tiles read them.
type packing struct {
	left, right []float64
	tile        [tileRows * tileColumns]float64
}

func roundUp(n, to int) int { return (n + to - 1) / to * to }

// packLeft packs the left factor: number i of term k is factor·a[k·deep + i·across], for depth terms of m numbers.
// Missing numbers of the last tile are 0.
func (p *packing) packLeft(a []float64, deep, across, depth, m int, factor float64) {
	size := depth * roundUp(m, tileRows)
	if cap(p.left) < size {
		p.left = make([]float64, size)
	}
	p.left = p.left[:size]
	for i := 0; i < m; i += tileRows {
		tile := p.left[i*depth:][:tileRows*depth]
		rows := min(tileRows, m-i)
		if rows < tileRows {
			clear(tile)
		}
		for r := range rows {
			at := (i + r) * across
			for k := range depth {
				tile[k*tileRows+r] = factor * a[at+k*deep]
			}
		}
	}
}

// packRight copies depth rows of n numbers, stride apart.
func (p *packing) packRight(b []float64, stride, depth, n int) {
	size := depth * roundUp(n, tileColumns)
	if cap(p.right) < size {
		p.right = make([]float64, size)
	}
	p.right = p.right[:size]
	for j := 0; j < n; j += tileColumns {
		tile := p.right[j*depth:][:tileColumns*depth]
		columns := min(tileColumns, n-j)
		if columns < tileColumns {
			clear(tile)
		}
		for k := range depth {
			copy(tile[k*tileColumns:][:columns], b[k*stride+j:])
		}
	}
}

// addRows adds the packed product to rows from … to − 1 of C, which has m rows of n numbers, stride apart. From is a
// multiple of tileRows. With upper, only the columns from the diagonal on are wanted, and some before it change too.
func (p *packing) addRows(c []float64, stride, from, to, m, n, depth int, upper bool) {
	for i := from; i < to; i += tileRows {
		left := p.left[i*depth:][:tileRows*depth]
		j := 0
		if upper {
			j = i / tileColumns * tileColumns
		}
		for ; j < n; j += tileColumns {
			right := p.right[j*depth:][:tileColumns*depth]
			if i+tileRows <= m && j+tileColumns <= n {
				addTileProducts(c[i*stride+j:], stride, left, right, depth)
				continue
			}
			rows, columns := min(tileRows, m-i), min(tileColumns, n-j)
			for r := range rows {
				copy(p.tile[r*tileColumns:][:columns], c[(i+r)*stride+j:])
			}
			addTileProducts(p.tile[:], tileColumns, left, right, depth)
			for r := range rows {
				copy(c[(i+r)*stride+j:][:columns], p.tile[r*tileColumns:])
			}
		}
	}
}

// AddProduct adds factor·A·B to C. A has m × depth numbers, B has depth × n, and C has m × n. The terms of a sum are
// added in ascending order.
func AddProduct(c, a, b []float64, m, depth, n int, factor float64) {
	addProduct(c, a, b, m, depth, n, 1, depth, factor)
}

// AddTransposedProduct adds factor·Aᵀ·B to C. A has depth × m numbers, B has depth × n, and C has m × n.
func AddTransposedProduct(c, a, b []float64, depth, m, n int, factor float64) {
	addProduct(c, a, b, m, depth, n, m, 1, factor)
}

func addProduct(c, a, b []float64, m, depth, n, deep, across int, factor float64) {
	c, a, b = c[:m*n], a[:m*depth], b[:depth*n]
	var p packing
	for k := 0; k < depth; k += depthBlock {
		terms := min(depthBlock, depth-k)
		p.packLeft(a[k*deep:], deep, across, terms, m, factor)
		p.packRight(b[k*n:], n, terms, n)
		p.addRows(c, n, 0, m, m, n, terms, false)
	}
}

// AddGram adds A·Aᵀ to the upper triangle of C, m × m, for a matrix of m × depth numbers. Some numbers below it change.
func AddGram(c, a []float64, m, depth int) {
	b := Transpose(a, m, depth)
	var p packing
	for k := 0; k < depth; k += depthBlock {
		terms := min(depthBlock, depth-k)
		p.packLeft(a[k:], 1, depth, terms, m, 1)
		p.packRight(b[k*m:], m, terms, m)
		p.addRows(c, m, 0, m, m, m, terms, true)
	}
}

// Transpose returns the transpose of a matrix of m × n numbers.
func Transpose(a []float64, m, n int) []float64 {
	t := make([]float64, n*m)
	for i := range m {
		for j, x := range a[i*n:][:n] {
			t[j*m+i] = x
		}
	}
	return t
}

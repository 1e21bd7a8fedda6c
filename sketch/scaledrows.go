package sketch

// scaledRows holds rows for the cores: multiplied by a factor, and with a constant coordinate.
type scaledRows struct {
	factor, constant float32
	d, width, lanes  int                 // width is d, or d + 1 with a constant coordinate
	takesSparse      bool                // the cores take sparse rows directly
	x                []float32           // lanes × width
	sparse           [maxLanes]sparseRow // used if isSparse
	isSparse         bool                // the current rows are in sparse, not in x
}

// maxDenseWidth is the width up to which memory for dense rows is allocated from the start. Wider
// rows are assumed to be sparse, if the core takes sparse rows.
const maxDenseWidth = 1 << 22

func newScaledRows(p *Params, c core) *scaledRows {
	factor, constant := p.scaling(methodOf(p.Method))
	r := &scaledRows{factor: float32(factor), constant: float32(constant), d: p.NFeatures, width: p.mapWidth(),
		lanes: c.lanes()}
	_, r.takesSparse = c.(sparseCore)
	r.allocate()
	return r
}

// mapWidth returns how many numbers a core takes per row.
func (p *Params) mapWidth() int {
	if _, constant := p.scaling(methodOf(p.Method)); constant != 0 {
		return p.NFeatures + 1
	}
	return p.NFeatures
}

// mapBytes returns the bytes that newMap allocates.
func (p *Params) mapBytes() int64 {
	method, width, total := methodOf(p.Method), p.mapWidth(), int64(0)
	if method.bytes != nil {
		total = method.bytes(p, width) * int64(p.Repeats)
	}
	total += 4 * int64(maxLanes) * int64(min(width, maxDenseWidth))
	if p.Repeats > 1 {
		total += 4 * int64(maxLanes) * int64(p.NComponents)
	}
	return total
}

func (r *scaledRows) allocate() {
	r.x, r.sparse = nil, [maxLanes]sparseRow{}
	if !r.takesSparse || r.width <= maxDenseWidth {
		r.x = make([]float32, r.lanes*r.width)
	}
}

func (r *scaledRows) clone() scaler {
	clone := *r
	clone.allocate()
	return &clone
}

func (r *scaledRows) loadRow(s *source, row, lane int) {
	if r.isSparse = s.sparse && r.takesSparse; r.isSparse {
		r.loadSparse(s.block[lane], lane)
		return
	}
	if r.x == nil {
		r.x = make([]float32, r.lanes*r.width)
	}
	x := r.x[lane*r.width : (lane+1)*r.width]
	if s.sparse {
		clear(x)
		sorted := s.block[lane]
		for i, column := range sorted.indices {
			x[column] = r.factor * sorted.data[i]
		}
	} else {
		scaleRow(x[:r.d], s.dense[row*r.d:(row+1)*r.d], r.factor)
	}
	if r.width > r.d {
		x[r.d] = r.constant
	}
}

// loadSparse scales a sparse row and drops its zeros.
func (r *scaledRows) loadSparse(row sparseRow, lane int) {
	to := &r.sparse[lane]
	to.indices, to.data = to.indices[:0], to.data[:0]
	for i, column := range row.indices {
		if v := r.factor * row.data[i]; v != 0 {
			to.indices, to.data = append(to.indices, column), append(to.data, v)
		}
	}
	if r.width > r.d {
		to.indices, to.data = append(to.indices, int32(r.d)), append(to.data, r.constant)
	}
}

func (r *scaledRows) compute(c core, dst []float32, count int) {
	if r.isSparse {
		c.(sparseCore).transformSparseBlock(dst, r.sparse[:count])
	} else {
		c.transformBlock(dst, r.x[:count*r.width], count)
	}
}

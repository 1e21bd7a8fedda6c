package sketch

import "strconv"

// A core computes the features of one sketch. It keeps scratch memory, and no call
// allocates. What it gives for a row depends on that row alone.
type core interface {
	// transform writes the D features of a row to dst. The row is scaled and has its
	// constant coordinate; x is not to be written to.
	transform(dst, x []float32)
	// clone returns a core with scratch memory of its own that shares the rest.
	clone() core
}

// A sparseCore takes sparse rows as they are; else they are spread out first.
type sparseCore interface {
	// transformSparse is transform of the row with the values, none of them 0, at
	// the ascending indices and 0 elsewhere. It gives the same bits.
	transformSparse(dst []float32, indices []int32, values []float32)
}

// A blockCore computes several rows side by side, with the bits of one by one.
type blockCore interface {
	// lanes returns the most rows at a time, up to maxLanes.
	lanes() int
	// transformBlock is transform of count rows: dst is count × D and x is count ×
	// width, row-major.
	transformBlock(dst, x []float32, count int)
}

// A sparseBlockCore is a blockCore that takes sparse rows as they are.
type sparseBlockCore interface {
	// transformSparseBlock is transformBlock of sparse rows as transformSparse takes
	// them.
	transformSparseBlock(dst []float32, rows []sparseRow)
}

// A normChecker refuses rows by their norm.
type normChecker interface {
	// checkNorm returns "" or what ‖x‖² must be, as errors put it.
	checkNorm(square float64) (want string)
}

// A readyCore may not be able to transform yet.
type readyCore interface {
	// ready returns nil, or the *Error that every call shall give.
	ready() error
}

// A Map is a feature map of any method that is not a TensorSketch. It checks rows,
// scales them, gives them their constant coordinate, and hands them to the core of
// its method, once for each repeat.
//
// It keeps scratch memory, so it is not safe for concurrent use: give each
// goroutine its own Clone, or let one call use several with SetGoroutines.
type Map struct {
	Formulas
	cores            []core // one per repeat
	factor, constant float32
	width            int // numbers that a core takes: d, and one more for a constant
	lanes            int
	takesSparse      bool // the cores take sparse rows as they are
	work             mapWorkspace
	zeroRows         int
	helpers          []*Map // clones for further goroutines
}

// mapWorkspace is the memory that rows go through. It is made when it is first
// needed, and grows only with the longest sparse row.
type mapWorkspace struct {
	x        []float32 // rows for the cores, lanes × width
	z        []float32 // rows of one repeat, lanes × D, where there are several
	squares  [maxLanes]float64
	sparse   [maxLanes]sparseRow // sparse rows, scaled, with their constants
	isSparse bool                // the rows are there
	sorters  []sorter            // one per lane
	source   source
}

func newMap(params *Params) (*Map, error) {
	m := &Map{lanes: 1}
	if err := m.init(params); err != nil {
		return nil, err
	}
	p := &m.params
	method := methodOf(p.Method)
	factor, constant := p.scaling(method)
	m.factor, m.constant, m.width = float32(factor), float32(constant), p.mapWidth()
	for r := range p.Repeats {
		m.cores = append(m.cores, method.core(p, m.width, p.Seed.randomness(r)))
	}
	if b, ok := m.cores[0].(blockCore); ok {
		m.lanes = b.lanes()
		_, m.takesSparse = m.cores[0].(sparseBlockCore)
	} else {
		_, m.takesSparse = m.cores[0].(sparseCore)
	}
	m.newWork()
	return m, nil
}

// mapWidth returns the numbers that a core takes per row.
func (p *Params) mapWidth() int {
	if _, constant := p.scaling(methodOf(p.Method)); constant != 0 {
		return p.NFeatures + 1
	}
	return p.NFeatures
}

// maxDenseWidth is the width up to which memory for dense rows is there from the
// start. Beyond it rows are taken to be sparse, where the core can take them so.
const maxDenseWidth = 1 << 22

// newWork gives the map scratch memory of its own.
func (m *Map) newWork() {
	w := &m.work
	w.sorters = make([]sorter, m.lanes)
	if !m.takesSparse || m.width <= maxDenseWidth {
		w.x = make([]float32, m.lanes*m.width)
	}
	if m.params.Repeats > 1 {
		w.z = make([]float32, m.lanes*m.params.NComponents)
	}
}

// mapBytes is what newMap allocates.
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

// Clone returns a map with scratch memory of its own that shares everything else.
func (m *Map) Clone() *Map {
	clone := *m
	clone.cores = make([]core, len(m.cores))
	for r, c := range m.cores {
		clone.cores[r] = c.clone()
	}
	clone.work = mapWorkspace{}
	clone.newWork()
	clone.zeroRows, clone.helpers = 0, nil
	return &clone
}

// ZeroRows returns how many rows were left at zero under kernel normalisation
// because a sketch of theirs was all zero.
func (m *Map) ZeroRows() int {
	rows := m.zeroRows
	for _, helper := range m.helpers {
		rows += helper.zeroRows
	}
	return rows
}

// SetGoroutines lets TransformBatch, TransformCSR and TransformRows spread their
// rows over n goroutines; n below 2, as at first, means the caller's alone. Each
// takes the memory of a Clone, once.
func (m *Map) SetGoroutines(n int) {
	m.zeroRows, m.helpers = m.ZeroRows(), nil
	for range n - 1 {
		m.helpers = append(m.helpers, m.Clone())
	}
}

// Transform writes the features of x into dst and returns it.
// If dst is nil, a new slice is allocated; dst must not overlap x.
// It panics if len(x) is not d or len(dst) is not NComponents(), or before a map
// that needs Fit has been fitted, and allocates nothing otherwise. It checks no
// values: NaN and infinities pass through.
func (m *Map) Transform(dst, x []float32) []float32 {
	if len(x) != m.params.NFeatures {
		panic("sketch: len(x) is " + strconv.Itoa(len(x)) + ", want " + strconv.Itoa(m.params.NFeatures))
	}
	if dst == nil {
		dst = make([]float32, m.NComponents())
	}
	if len(dst) != m.NComponents() {
		panic("sketch: len(dst) is " + strconv.Itoa(len(dst)) + ", want " + strconv.Itoa(m.NComponents()))
	}
	if err := m.ready(); err != nil {
		panic("sketch: " + err.Error())
	}
	m.work.source.dense, m.work.source.sparse = x, false
	m.loadRow(0, 0)
	m.transformBlock(dst, 0, 1)
	return dst
}

func (m *Map) ready() error {
	if c, ok := m.cores[0].(readyCore); ok {
		return c.ready()
	}
	return nil
}

// TransformBatch writes the features of the rows of X, n × d and row-major, into
// dst, n × NComponents() and row-major, and returns it. If dst is nil, a new slice
// is allocated; dst must not overlap X.
//
// The error is an *Error with code ErrShape, ErrNonFinite or ErrOverflow, or
// ErrParam before a map that needs Fit has been fitted. It names the row, and the
// rows before that one are valid in dst.
func (m *Map) TransformBatch(dst, X []float32) ([]float32, error) {
	return m.TransformRows(dst, Dense(X))
}

// TransformCSR is TransformBatch for sparse rows, with the bits of the dense call.
func (m *Map) TransformCSR(dst []float32, X CSR) ([]float32, error) {
	return m.TransformRows(dst, X)
}

// TransformRows is TransformBatch for rows of either form.
func (m *Map) TransformRows(dst []float32, X Rows) ([]float32, error) {
	if err := m.ready(); err != nil {
		return dst, err
	}
	n, err := X.count(m.params.NFeatures)
	if err != nil {
		return dst, err
	}
	if dst, err = m.params.rowsOut(dst, n); err != nil {
		return dst, err
	}
	X.fill(&m.work.source)
	work := []func(from, to int) error{func(from, to int) error { return m.transformRows(dst, from, to) }}
	for _, helper := range m.helpers {
		X.fill(&helper.work.source)
		work = append(work, func(from, to int) error { return helper.transformRows(dst, from, to) })
	}
	if len(work) == 1 {
		return dst, m.transformRows(dst, 0, n)
	}
	return dst, shareRows(n, shareBlocks*m.lanes, work)
}

// transformRows computes rows from … to−1, block by block.
func (m *Map) transformRows(dst []float32, from, to int) error {
	width := m.NComponents()
	for row := from; row < to; row += m.lanes {
		var err error
		count := min(m.lanes, to-row)
		for lane := range count {
			if err = m.checkRow(row+lane, lane); err != nil {
				count = lane
				break
			}
			m.loadRow(row+lane, lane)
		}
		if count > 0 {
			if bad := m.transformBlock(dst[row*width:(row+count)*width], row, count); bad >= 0 {
				return overflowError(bad)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkRow returns what is wrong with a row, and readies it where it is sparse.
func (m *Map) checkRow(row, lane int) error {
	s, d := &m.work.source, m.params.NFeatures
	if s.sparse {
		if err := s.loadSparseRow(row, lane, d, &m.work.sorters[lane]); err != nil {
			return err
		}
		sorted := s.block[lane]
		if i, value := firstNonFinite(sorted.data); i >= 0 {
			return nonFiniteError(row, int(sorted.indices[i]), value)
		}
	} else if err := s.firstNonFiniteRow(row, 1, d); err != nil {
		return err
	}
	if c, ok := m.cores[0].(normChecker); ok {
		square := s.squaredNorm(row-lane, lane, d)
		if want := c.checkNorm(square); want != "" {
			return rowError(ErrParam, row, -1, "‖x‖² = "+FormatNumber(square), want)
		}
	}
	return nil
}

// loadRow scales a row for the cores.
func (m *Map) loadRow(row, lane int) {
	w, d := &m.work, m.params.NFeatures
	s := &w.source
	if m.params.Normalize == NormalizeKernel {
		w.squares[lane] = s.squaredNorm(row-lane, lane, d)
	}
	if w.isSparse = s.sparse && m.takesSparse; w.isSparse {
		m.loadSparse(lane)
		return
	}
	if w.x == nil {
		w.x = make([]float32, m.lanes*m.width)
	}
	x := w.x[lane*m.width : (lane+1)*m.width]
	if s.sparse {
		clear(x)
		sorted := s.block[lane]
		for i, column := range sorted.indices {
			x[column] = m.factor * sorted.data[i]
		}
	} else {
		scaleRow(x[:d], s.dense[row*d:(row+1)*d], m.factor)
	}
	if m.width > d {
		x[d] = m.constant
	}
}

// loadSparse scales a sparse row for the cores, without its zeros.
func (m *Map) loadSparse(lane int) {
	row, to := m.work.source.block[lane], &m.work.sparse[lane]
	to.indices, to.data = to.indices[:0], to.data[:0]
	for i, column := range row.indices {
		if v := m.factor * row.data[i]; v != 0 {
			to.indices, to.data = append(to.indices, column), append(to.data, v)
		}
	}
	if m.width > m.params.NFeatures {
		to.indices, to.data = append(to.indices, int32(m.params.NFeatures)), append(to.data, m.constant)
	}
}

// transformBlock writes the features of the count rows that are loaded, which
// begin with row. It returns the first whose features are not finite, or −1; rows
// before that one are written.
func (m *Map) transformBlock(out []float32, row, count int) (bad int) {
	var notFinite, zero uint32 // masks of rows
	D, width := m.params.NComponents, m.NComponents()
	scale := m.params.repeatScale()
	for repeat, c := range m.cores {
		z := out
		if m.params.Repeats > 1 {
			z = m.work.z[:count*D]
		}
		m.transformCore(c, z, count)
		for r := range count {
			z := z[r*D : (r+1)*D]
			notFinite |= mask(!finiteRow(z), r)
			if m.params.Normalize == NormalizeKernel {
				finite, allZero := rescale(z, m.law.normKernel(m.work.squares[r]))
				notFinite |= mask(!finite, r)
				zero |= mask(allZero, r)
			}
			if m.params.Repeats > 1 {
				scaleRow(out[r*width+repeat*D:r*width+(repeat+1)*D], z, scale)
			}
		}
	}
	for r := range count {
		m.zeroRows += int(zero >> r & 1)
		if notFinite>>r&1 != 0 {
			return row + r
		}
	}
	return -1
}

// transformCore has a core compute the rows that are loaded.
func (m *Map) transformCore(c core, z []float32, count int) {
	w := &m.work
	switch block, isBlock := c.(blockCore); {
	case w.isSparse && isBlock:
		c.(sparseBlockCore).transformSparseBlock(z, w.sparse[:count])
	case w.isSparse:
		c.(sparseCore).transformSparse(z, w.sparse[0].indices, w.sparse[0].data)
	case isBlock:
		block.transformBlock(z, w.x[:count*m.width], count)
	default:
		c.transform(z, w.x)
	}
}

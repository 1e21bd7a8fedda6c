package sketch

import (
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/internal/portable"
)

// A core computes the features of one sketch, several rows side by side. It keeps scratch memory,
// and no call allocates. The features of a row depend on that row alone.
type core interface {
	// lanes returns the maximum number of rows per call, at most maxLanes.
	lanes() int
	// transformBlock writes the D features of each of count rows to dst, count × D. The
	// rows in x are scaled and have their constant coordinate; x is not written to.
	transformBlock(dst, x []float32, count int)
	// clone returns a core with its own scratch memory that shares everything else.
	clone() core
}

// A sparseCore takes sparse rows directly. For other cores, sparse rows are expanded to dense ones.
type sparseCore interface {
	// transformSparseBlock is transformBlock for sparse rows: nonzero values at ascending indices.
	// It gives the same bits.
	transformSparseBlock(dst []float32, rows []sparseRow)
}

// A rowChecker rejects some rows although their values are finite.
type rowChecker interface {
	// checkRow returns nil, or an *Error for a row with this ‖x‖².
	checkRow(row int, square float64) error
}

// A readyCore may not be able to transform yet, for instance before it is fitted.
type readyCore interface {
	// ready returns nil, or the *Error that every call must return.
	ready() error
}

// A FeatureMap is a random feature map f with ⟨f(x), f(y)⟩ ≈ κ(x, y), by any of the Methods (see Signs
// for MethodParams.Signed). It checks rows, scales them and appends their constant coordinate. Then it
// passes them to the core of its method, once for each repeat.
//
// It keeps scratch memory, so it is not safe for concurrent use: give each goroutine its own Clone,
// or let one call use several goroutines with SetGoroutines. Maps with the same Params give the
// same bits.
type FeatureMap struct {
	Formulas
	cores    []core // one per repeat
	scaler   scaler // nil if the cores are tensorCores, which take unscaled rows
	lanes    int
	work     workspace
	zeroRows int
	helpers  []*FeatureMap // clones for further goroutines
}

// A scaler scales rows for the cores. The implementation is *scaledRows; the interface keeps it out
// of programs that use only New.
type scaler interface {
	// loadRow loads a row of a source into a lane.
	loadRow(s *source, row, lane int)
	// compute makes a core transform the first count rows.
	compute(c core, dst []float32, count int)
	// clone returns a scaler with its own memory.
	clone() scaler
}

// A workspace is the scratch memory for rows. It grows only with the longest sparse row.
type workspace struct {
	sources []source  // one, or one per degree
	sorters []sorter  // one per lane of each source that is sparse
	z       []float32 // rows of one repeat, lanes × D, if there are several
}

// New returns the feature map of the parameters; zeros stand for defaults. It makes only the
// methods tensor-sketch, count-sketch and, with gamma 1 and coef0 0, complex-tensor-sketch. A
// program that needs only these links no code of the others. The error is an *Error with code
// ErrParam.
func New(params Params) (*FeatureMap, error) {
	m := new(FeatureMap)
	if err := params.checkForNew(); err != nil {
		return nil, err
	}
	if err := m.init(&params, tensorMethods); err != nil {
		return nil, err
	}
	if p := &m.params; !p.takesRawRows() {
		return nil, paramError("gamma, coef0", portable.FormatNumber(p.Gamma)+", "+portable.FormatNumber(p.Coef0),
			"be 1, 0 for New and complex features: call NewFeatureMap")
	}
	return m.withTensorCores()
}

// NewFeatureMap returns the feature map of the parameters, for any method; zeros stand for
// defaults. The error is an *Error with code ErrParam.
func NewFeatureMap(params Params) (*FeatureMap, error) { return newMap(&params) }

// newMap is NewFeatureMap, and also fills in the defaults in params.
func newMap(params *Params) (*FeatureMap, error) {
	m := new(FeatureMap)
	if err := m.init(params, allMethods); err != nil {
		return nil, err
	}
	p := &m.params
	if p.takesRawRows() {
		return m.withTensorCores()
	}
	method, width := methodOf(p.Method), p.mapWidth()
	for r := range p.Repeats {
		m.cores = append(m.cores, method.core(p, width, p.Seed.randomness(r)))
	}
	m.lanes, m.scaler = m.cores[0].lanes(), newScaledRows(p, m.cores[0])
	m.newWork()
	return m, nil
}

// takesRawRows reports whether a tensorCore takes the rows unscaled. For complex tensor sketches
// this needs γ = 1 and c = 0.
func (p *Params) takesRawRows() bool {
	return p.isTensorSketch() || p.isComplexSketch() && p.Gamma == 1 && p.Coef0 == 0
}

// withTensorCores makes the tensorCores of the map, which share their scratch memory.
func (m *FeatureMap) withTensorCores() (*FeatureMap, error) {
	first := newTensorCore(&m.params)
	m.useTensorCore(first)
	for r := range m.params.Repeats {
		tables, err := m.params.tables(r)
		if err != nil {
			return nil, err
		}
		if r == 0 {
			first.hash = tables
		} else {
			m.cores = append(m.cores, first.with(tables))
		}
	}
	return m, nil
}

// useTensorCore makes m a map with one core that takes unscaled rows.
func (m *FeatureMap) useTensorCore(c *tensorCore) {
	m.cores, m.lanes = []core{c}, c.lanes()
	m.newWork()
}

// newWork gives the map its own scratch memory.
func (m *FeatureMap) newWork() {
	sources := 1
	if m.scaler == nil {
		sources = m.params.Degree
	}
	m.work = workspace{sources: make([]source, 1, sources)}
	if m.params.Repeats > 1 {
		m.work.z = make([]float32, m.lanes*m.params.NComponents)
	}
}

// Clone returns a map with its own scratch memory that shares everything else.
func (m *FeatureMap) Clone() *FeatureMap {
	clone := *m
	clone.cores = make([]core, len(m.cores))
	for r, c := range m.cores {
		if r > 0 && m.scaler == nil {
			clone.cores[r] = clone.cores[0].(*tensorCore).with(c.(*tensorCore).hash)
		} else {
			clone.cores[r] = c.clone()
		}
	}
	if m.scaler != nil {
		clone.scaler = m.scaler.clone()
	}
	clone.newWork()
	clone.zeroRows, clone.helpers = 0, nil
	return &clone
}

// ZeroRows returns how many rows were left at zero under kernel normalisation because one of their
// sketches was all zero.
func (m *FeatureMap) ZeroRows() int {
	rows := m.zeroRows
	for _, helper := range m.helpers {
		rows += helper.zeroRows
	}
	return rows
}

// SetGoroutines lets each call with several rows spread them over n goroutines. With n below 2, the
// default, only the caller's goroutine works. Each further goroutine needs the memory of a Clone,
// allocated once. Neither the bits nor the row that an error names depend on n.
// runtime.GOMAXPROCS(0) is a good n on a server; WebAssembly has one thread.
func (m *FeatureMap) SetGoroutines(n int) {
	m.zeroRows, m.helpers = m.ZeroRows(), nil
	for range n - 1 {
		m.helpers = append(m.helpers, m.Clone())
	}
}

// Transform writes the features of x into dst and returns it. If dst is nil, a new slice is
// allocated; dst must not overlap x. Otherwise it allocates nothing.
//
// It panics if len(x) is not d, if len(dst) is not NComponents(), or if the map needs Fit and has
// not been fitted. It checks no values: NaN and infinities pass through.
func (m *FeatureMap) Transform(dst, x []float32) []float32 {
	if m.params.isProduct() {
		panic("sketch: Transform of a map of products; call TransformProduct")
	}
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
	m.work.sources = m.work.sources[:1]
	Dense(x).fill(&m.work.sources[0])
	if m.scaler != nil {
		m.scaler.loadRow(&m.work.sources[0], 0, 0)
	}
	m.transformBlock(dst, 0, 1, false)
	return dst
}

func (m *FeatureMap) ready() error {
	if c, ok := m.cores[0].(readyCore); ok {
		return c.ready()
	}
	return nil
}

// TransformBatch writes the features of the rows of X, n × d and row-major, into
// dst, n × NComponents() and row-major, and returns it. If dst is nil, a new slice
// is allocated; dst must not overlap X.
//
// The error is an *Error with code ErrShape, ErrNonFinite or ErrOverflow, or ErrParam if the map
// needs Fit and has not been fitted. It names the row; the rows before that one are valid in dst.
func (m *FeatureMap) TransformBatch(dst, X []float32) ([]float32, error) {
	if m.params.isProduct() {
		return m.TransformRows(dst, Dense(X)) // an error
	}
	if err := m.ready(); err != nil {
		return dst, err
	}
	rows, err := Dense(X).count(m.params.NFeatures)
	if err != nil {
		return dst, err
	}
	m.work.sources = m.work.sources[:1]
	Dense(X).fill(&m.work.sources[0])
	return m.transformSources(dst, rows)
}

// TransformCSR is TransformBatch for sparse rows. It gives the same bits as the dense call.
func (m *FeatureMap) TransformCSR(dst []float32, X CSR) ([]float32, error) {
	return m.TransformRows(dst, X)
}

// TransformRows is TransformBatch for dense or sparse rows.
func (m *FeatureMap) TransformRows(dst []float32, X Rows) ([]float32, error) {
	if m.params.isProduct() {
		return dst, shapeError("X", "one array", "be one array of rows per degree: call transformProduct")
	}
	return m.transform(dst, X)
}

// TransformProduct writes the sketch of x₁⊗x₂⊗…⊗x_p for each row into dst. It takes one Rows per
// degree, all with the same number of rows. The inner product of two results estimates Π_k
// (γ⟨x_k,y_k⟩ + c). The map must be a tensor or count sketch, or a complex tensor sketch with γ = 1
// and c = 0. It returns the same errors as TransformBatch.
func (m *FeatureMap) TransformProduct(dst []float32, Xs ...Rows) ([]float32, error) {
	if m.scaler != nil {
		return dst, paramError("method", quote(m.params.Method),
			"be "+quote(MethodTensorSketch)+" for products of unlike vectors")
	}
	if len(Xs) != m.params.Degree {
		return dst, shapeError("Xs", strconv.Itoa(len(Xs)),
			"hold one array of rows per degree: "+strconv.Itoa(m.params.Degree))
	}
	return m.transform(dst, Xs...)
}

// transform computes the rows of one source, or of one source per degree.
func (m *FeatureMap) transform(dst []float32, Xs ...Rows) ([]float32, error) {
	if err := m.ready(); err != nil {
		return dst, err
	}
	rows := 0
	m.work.sources = m.work.sources[:len(Xs)]
	for k, X := range Xs {
		n, err := X.count(m.params.FeaturesOf(k))
		if err != nil {
			return dst, m.ofSource(err, k)
		}
		if k > 0 && n != rows {
			return dst, shapeError("Xs", strconv.Itoa(rows)+" and "+strconv.Itoa(n),
				"hold the same number of rows for every degree")
		}
		rows = n
		X.fill(&m.work.sources[k])
	}
	return m.transformSources(dst, rows)
}

// transformSources computes so many rows of the sources.
func (m *FeatureMap) transformSources(dst []float32, rows int) ([]float32, error) {
	dst, err := m.params.rowsOut(dst, rows)
	if err != nil {
		return dst, err
	}
	if len(m.helpers) == 0 {
		return dst, m.transformRows(dst, 0, rows)
	}
	return dst, m.shareSources(dst, rows)
}

// shareBlocks is the number of blocks that a goroutine takes at a time.
const shareBlocks = 8

// ofSource adds the index of the source to an error about X if there are several sources.
func (m *FeatureMap) ofSource(err error, k int) error {
	if e := err.(*Error); len(m.work.sources) > 1 {
		e.Argument = "Xs[" + strconv.Itoa(k) + "]" + strings.TrimPrefix(e.Argument, "X")
	}
	return err
}

// rowsOut checks the length of dst for n rows of features and returns it, or a new slice for nil.
func (p *Params) rowsOut(dst []float32, n int) ([]float32, error) {
	width := p.Repeats * p.NComponents
	if dst == nil {
		return make([]float32, n*width), nil
	}
	if len(dst) != n*width {
		each := "nComponents = " + strconv.Itoa(p.NComponents)
		if p.Repeats > 1 {
			each = "repeats × nComponents = " + strconv.Itoa(width)
		}
		return dst, shapeError("out", strconv.Itoa(len(dst)), "hold "+strconv.Itoa(n)+" rows of "+each+" values")
	}
	return dst, nil
}

// transformRows computes rows from … to−1, block by block; from is a multiple of m.lanes.
func (m *FeatureMap) transformRows(dst []float32, from, to int) error {
	width, loads := m.NComponents(), m.scaler != nil || m.hasSparseSource()
	for row := from; row < to; row += m.lanes {
		var err error
		count := min(m.lanes, to-row)
		for lane := 0; loads && lane < count; lane++ {
			if err = m.checkRow(row+lane, lane); err != nil {
				count = lane
				break
			}
			if m.scaler != nil {
				m.scaler.loadRow(&m.work.sources[0], row+lane, lane)
			}
		}
		if count > 0 {
			if bad := m.transformBlock(dst[row*width:(row+count)*width], row, count, true); bad != nil {
				return bad
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// hasSparseSource reports whether the rows of any degree are sparse.
func (m *FeatureMap) hasSparseSource() bool {
	for k := range m.work.sources {
		if m.work.sources[k].sparse {
			return true
		}
	}
	return false
}

// checkRow returns the error of a row, and prepares the row if it is sparse. It skips dense rows of
// a tensorCore, which detects itself whether they are finite.
func (m *FeatureMap) checkRow(row, lane int) error {
	w := &m.work
	for k := range w.sources {
		s := &w.sources[k]
		if m.scaler == nil && !s.sparse {
			continue
		}
		var sorts *sorter
		if s.sparse {
			for len(w.sorters) < (k+1)*m.lanes {
				w.sorters = append(w.sorters, sorter{})
			}
			sorts = &w.sorters[k*m.lanes+lane]
		}
		if err := s.load(row, lane, m.params.FeaturesOf(k), sorts); err != nil {
			return m.ofSource(err, k)
		}
	}
	if c, ok := m.cores[0].(rowChecker); ok {
		return c.checkRow(row, w.sources[0].squaredNorm(row, lane, m.params.NFeatures))
	}
	return nil
}

// transformBlock writes the features of the count loaded rows, which begin with row, into out. With
// check, it returns an error for the first row whose input or features are not finite. The rows
// before that one are written.
func (m *FeatureMap) transformBlock(out []float32, row, count int, check bool) error {
	var (
		err      error
		bad      uint32 // masks of rows
		zero     uint32
		D, width = m.params.NComponents, m.NComponents()
		scale    = m.params.repeatScale()
	)
	for repeat, c := range m.cores {
		z := out
		if m.params.Repeats > 1 {
			z = m.work.z
		}
		if m.scaler == nil {
			t := c.(*tensorCore)
			t.multiplyDegrees(m.work.sources, row, count)
			if check && t.block.NotFinite() {
				if e := m.firstNonFiniteRow(row, count); e != nil { // otherwise the value is in a row already left out
					count, err = e.Row-row, e
				}
			}
			bad |= t.store(z, count)
		} else {
			m.scaler.compute(c, z[:count*D], count)
		}
		for r := range count {
			z := z[r*D : (r+1)*D]
			if m.scaler != nil {
				bad |= mask(!finiteRow(z), r)
			}
			if m.params.Normalize == NormalizeKernel {
				finite, allZero := rescale(z, m.kernelOfRow(row, r))
				bad |= mask(!finite, r)
				zero |= mask(allZero, r)
			}
			if m.params.Repeats > 1 {
				scaleRow(out[r*width+repeat*D:r*width+(repeat+1)*D], z, scale)
			}
		}
	}
	for r := range count {
		m.zeroRows += int(zero >> r & 1)
		if check && bad>>r&1 != 0 {
			return rowError(ErrOverflow, row+r, -1, "",
				"have features within the range of float32: scale the rows down, or lower gamma, coef0 or degree")
		}
	}
	return err
}

// mask returns the bit of a row, or 0 if it is not set.
func mask(set bool, row int) uint32 {
	if set {
		return 1 << row
	}
	return 0
}

// firstNonFiniteRow returns the error of the first row that is not finite in any dense source, or
// nil.
func (m *FeatureMap) firstNonFiniteRow(row, count int) *Error {
	for r := row; r < row+count; r++ {
		for k := range m.work.sources {
			s := &m.work.sources[k]
			if s.sparse {
				continue
			}
			if err := s.load(r, 0, m.params.FeaturesOf(k), nil); err != nil {
				return m.ofSource(err, k).(*Error)
			}
		}
	}
	return nil
}

// kernelOfRow returns κ(x, x) of the row in a lane of the block that begins with row.
func (m *FeatureMap) kernelOfRow(row, lane int) float64 {
	sources := m.work.sources
	if len(sources) == 1 {
		return m.law.normKernel(sources[0].squaredNorm(row+lane, lane, m.params.FeaturesOf(0)))
	}
	kernel := 1.0
	for k := range sources {
		norm := sources[k].squaredNorm(row+lane, lane, m.params.FeaturesOf(k))
		kernel *= float64(m.params.Gamma*norm) + m.params.Coef0
	}
	return kernel
}

// rescale rescales z to ‖z‖² = kernel. It reports whether the result is finite, and whether z is
// all zero and stays so.
func rescale(z []float32, kernel float64) (finite, zero bool) {
	square := squaredNorm(z)
	if square == 0 {
		return true, true
	}
	scaleRow(z, z, float32(math.Sqrt(kernel/square)))
	return finiteRow(z), false
}

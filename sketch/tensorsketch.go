package sketch

import (
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/sketch/internal/block"
)

// A TensorSketch is a random feature map f with ⟨f(x), f(y)⟩ ≈ (γ⟨x,y⟩ + c)^p,
// unbiased over seeds unless it is kernel-normalised: for each of p degrees a
// count sketch of (√γ·x, √c), and the circular convolution of the p sketches by
// FFT (Pham & Pagh 2013). Degree 1 is the count sketch itself. The complex tensor
// sketch is one too: its features are D/2 complex numbers, Re and Im in turn.
//
// It keeps scratch memory, so it is not safe for concurrent use: give each
// goroutine its own Clone, or let one call use several with SetGoroutines.
type TensorSketch struct {
	Theory
	widths   []int // hashed coordinates per degree, the constant one included
	hash     *hashTables
	further  []*hashTables // of the repeats after the first
	plan     block.Plan
	work     workspace
	zeroRows int
	helpers  []*TensorSketch // clones for further goroutines
}

// New returns the feature map of the parameters, zeros standing for defaults; of
// the methods only tensor-sketch, count-sketch and, with gamma 1 and coef0 0,
// complex-tensor-sketch; NewFeatureMap of any. The error is an *Error with code ErrParam.
func New(params Params) (*TensorSketch, error) { return newSketch(&params) }

// newSketch is New, and fills in the defaults.
func newSketch(params *Params) (*TensorSketch, error) {
	if err := params.resolveTensor(); err != nil {
		return nil, err
	}
	if params.isComplexSketch() && (params.Gamma != 1 || params.Coef0 != 0) { // NewFeatureMap scales the rows first, with other roundings
		return nil, paramError("gamma, coef0", FormatNumber(params.Gamma)+", "+FormatNumber(params.Coef0), "be 1, 0 for New and complex features: call NewFeatureMap")
	}
	widths := params.widths()
	var hash *hashTables
	var further []*hashTables
	switch params.Hash() {
	case HashSeed:
		hash = params.seedTables(params.Seed.randomness(0))
		for r := 1; r < params.Repeats; r++ {
			further = append(further, params.seedTables(params.Seed.randomness(r)))
		}
	case HashRandomState:
		hash = randomStateTables(*params.RandomState, widths, params.NComponents)
	default:
		var err error
		if hash, err = givenTables(params.IndexHash, params.BitHash, widths, params.NComponents); err != nil {
			return nil, err
		}
	}
	t := newUnhashed(params)
	t.hash, t.further = hash, further
	return t, nil
}

// newUnhashed returns a tensor sketch whose hash tables are yet to be set.
func newUnhashed(params *Params) *TensorSketch {
	t := &TensorSketch{widths: params.widths(), plan: newPlan(params.config())}
	params.copyTo(&t.params)
	t.newWork()
	return t
}

// Clone returns a map with scratch memory of its own that shares everything else.
func (t *TensorSketch) Clone() *TensorSketch {
	clone := *t
	clone.newWork()
	clone.zeroRows, clone.helpers = 0, nil
	return &clone
}

// ZeroRows returns how many rows this map left at zero under kernel
// normalisation because their features were all zero.
func (t *TensorSketch) ZeroRows() int {
	rows := t.zeroRows
	for _, helper := range t.helpers {
		rows += helper.zeroRows
	}
	return rows
}

// Hash returns the bucket h_k(i), from 0 to D − 1, and the sign s_k(i), −1 or +1,
// of coordinate i under degree k, of the first repeat. With c > 0 coordinate d is
// the constant √c. Of complex features the bucket is a number of the row: 2h_k(i),
// the real part of one, for the signs −1 and +1, and 2h_k(i) + 1 for −i and +i.
func (t *TensorSketch) Hash(k, i int) (bucket, sign int) {
	e := t.hash.at(k, i)
	return e.Bucket(), int(e.Sign())
}

// Part returns the map of the degrees first … first+count−1 alone, by the hashes of
// t and its first repeat, with features of the given Output: the convolution of these
// of the p count sketches. Its Params are those of t but for Degree, Output and
// Repeats; New would draw other hashes from them. It panics unless t has these degrees.
func (t *TensorSketch) Part(first, count int, output string) *TensorSketch {
	if first < 0 || count < 1 || first+count > t.params.Degree {
		panic("sketch: Part of degrees that the map does not have")
	}
	part := *t
	p := &part.params
	p.Degree, p.Output, p.Repeats = count, output, 1
	if p.isProduct() {
		p.NFeaturesEach = p.NFeaturesEach[first : first+count]
	}
	part.widths, part.hash, part.further, part.plan = p.widths(), t.hash.part(first, count), nil, newPlan(p.config())
	return part.Clone()
}

// Transform writes the features of x into dst and returns it.
// If dst is nil, a new slice is allocated; dst must not overlap x.
// It panics if len(x) is not d or len(dst) is not NComponents(), and allocates
// nothing otherwise. It checks no values: NaN and infinities pass through.
func (t *TensorSketch) Transform(dst, x []float32) []float32 {
	if t.params.isProduct() {
		panic("sketch: Transform of a map of products; call TransformProduct")
	}
	if len(x) != t.params.NFeatures {
		panic("sketch: len(x) is " + strconv.Itoa(len(x)) + ", want " + strconv.Itoa(t.params.NFeatures))
	}
	if dst == nil {
		dst = make([]float32, t.NComponents())
	}
	if len(dst) != t.NComponents() {
		panic("sketch: len(dst) is " + strconv.Itoa(len(dst)) + ", want " + strconv.Itoa(t.NComponents()))
	}
	Dense(x).fill(t.work.source())
	t.transformBlock(dst, 0, 1, false)
	return dst
}

// TransformBatch writes the features of the rows of X, n × d and row-major, into
// dst, n × NComponents() and row-major, and returns it. If dst is nil, a new slice is
// allocated; dst must not overlap X.
//
// The error is an *Error with code ErrShape, ErrNonFinite or ErrOverflow. It
// names the row, and the rows before that one are valid in dst.
func (t *TensorSketch) TransformBatch(dst, X []float32) ([]float32, error) {
	return t.TransformRows(dst, Dense(X))
}

// TransformCSR is TransformBatch for sparse rows, in time O(nnz) beside the
// transforms and with the bits of the dense call.
func (t *TensorSketch) TransformCSR(dst []float32, X CSR) ([]float32, error) {
	return t.TransformRows(dst, X)
}

// TransformRows is TransformBatch for rows of either form.
func (t *TensorSketch) TransformRows(dst []float32, X Rows) ([]float32, error) {
	if t.params.isProduct() {
		return dst, shapeError("X", "one array", "be one array of rows per degree: call transformProduct")
	}
	n, err := X.count(t.params.NFeatures)
	if err != nil {
		return dst, err
	}
	X.fill(t.work.source())
	return t.transform(dst, n)
}

// TransformProduct writes the sketch of x₁⊗x₂⊗…⊗x_p for each row into dst: one
// Rows per degree, all with the same number of rows. The inner product of two
// results estimates Π_k (γ⟨x_k,y_k⟩ + c). Errors are those of TransformBatch.
func (t *TensorSketch) TransformProduct(dst []float32, Xs ...Rows) ([]float32, error) {
	if len(Xs) != t.params.Degree {
		return dst, shapeError("Xs", strconv.Itoa(len(Xs)), "hold one array of rows per degree: "+strconv.Itoa(t.params.Degree))
	}
	rows := 0
	t.work.sources = t.work.sources[:len(Xs)]
	for k, X := range Xs {
		n, err := X.count(t.params.FeaturesOf(k))
		if err != nil {
			return dst, ofDegree(err, k)
		}
		if k > 0 && n != rows {
			return dst, shapeError("Xs", strconv.Itoa(rows)+" and "+strconv.Itoa(n), "hold the same number of rows for every degree")
		}
		rows = n
		X.fill(&t.work.sources[k])
	}
	return t.transform(dst, rows)
}

// ofDegree makes an error about X one about the rows of degree k.
func ofDegree(err error, k int) error {
	e := err.(*Error)
	e.Argument = "Xs[" + strconv.Itoa(k) + "]" + strings.TrimPrefix(e.Argument, "X")
	return e
}

// transform computes n rows of the sources set in the workspace.
func (t *TensorSketch) transform(dst []float32, n int) ([]float32, error) {
	dst, err := t.params.rowsOut(dst, n)
	if err != nil {
		return dst, err
	}
	if len(t.helpers) > 0 {
		return dst, t.transformParallel(dst, n)
	}
	return dst, t.transformRows(dst, 0, n)
}

// rowsOut returns dst for n rows of features, or a new slice for nil.
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

// transformRows computes rows from … to−1, block by block; from is a multiple of
// the lanes.
func (t *TensorSketch) transformRows(dst []float32, from, to int) error {
	lanes, width := t.plan.Lanes(), t.NComponents()
	for row := from; row < to; row += lanes {
		count := min(lanes, to-row)
		bad, err := t.loadBlock(row, count)
		if err != nil {
			count = bad - row
		}
		if faulty := t.transformBlock(dst[row*width:(row+count)*width], row, count, true); faulty != nil {
			return faulty
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// overflowError reports a row with a feature beyond float32.
func overflowError(row int) error {
	return rowError(ErrOverflow, row, -1, "",
		"have features within the range of float32: scale the rows down, or lower gamma, coef0 or degree")
}

// normalizeRow rescales the features z of the row in a lane of the block that
// begins with row to the norm κ(x,x)^½. It tells whether they are finite, and
// whether they are all zero and stay so.
func (t *TensorSketch) normalizeRow(z []float32, row, lane int) (finite, zero bool) {
	kernel := 1.0
	for k := range t.params.Degree {
		s := &t.work.sources[min(k, len(t.work.sources)-1)]
		norm := s.squaredNorm(row, lane, t.params.FeaturesOf(k))
		kernel *= float64(t.params.Gamma*norm) + t.params.Coef0
	}
	return rescale(z, kernel)
}

// rescale rescales z to ‖z‖² = kernel. It tells whether z is finite afterwards,
// and whether it is all zero and stays so.
func rescale(z []float32, kernel float64) (finite, zero bool) {
	square := squaredNorm(z)
	if square == 0 {
		return true, true
	}
	scaleRow(z, z, float32(math.Sqrt(kernel/square)))
	return finiteRow(z), false
}

package sketch

// A FeatureMap is any of the random feature maps: a function f with
// ⟨f(x), f(y)⟩ ≈ κ(x,y). All keep scratch memory, so none is safe for concurrent
// use; NewFeatureMap with the Params of one gives another with the same bits.
type FeatureMap interface {
	// Params returns the parameters with every default filled in.
	Params() Params
	// NFeatures returns d, the length of an input row.
	NFeatures() int
	// NComponents returns the length of an output row: D, or t·D with t repeats.
	NComponents() int
	// Transform writes the features of x into dst and returns it; nil allocates. It
	// panics on a wrong length and checks no values.
	Transform(dst, x []float32) []float32
	// TransformBatch writes the features of the rows of X, n × d and row-major,
	// into dst, n × NComponents(), and returns it; nil allocates. Errors are *Error
	// and name the row; rows before that one are valid in dst.
	TransformBatch(dst, X []float32) ([]float32, error)
	// TransformCSR is TransformBatch for sparse rows, with the same bits.
	TransformCSR(dst []float32, X CSR) ([]float32, error)
	// TransformRows is TransformBatch for rows of either form.
	TransformRows(dst []float32, X Rows) ([]float32, error)
	// Kernel returns κ(x,y), exact in float64. It panics on a wrong length.
	Kernel(x, y []float64) float64
	// StdError returns the standard deviation over seeds of the estimate of κ(x,y),
	// and what kind of number that is; NaN where it is Unknown.
	StdError(x, y []float64) (sigma float64, kind Kind)
	// Bias returns E⟨f(x), f(y)⟩ − κ(x,y) over seeds, to second order under kernel normalisation; NaN where it is
	// not known.
	Bias(x, y []float64) float64
	// ChooseComponents answers which D, for each repeat, keeps the estimate within
	// ±epsilon with probability 1 − delta: by Chebyshev's inequality, and by the
	// normal approximation. What cannot be told is NaN.
	ChooseComponents(x, y []float64, epsilon, delta float64) (guaranteed, typical float64, err error)
	// ZeroRows returns how many rows were left at zero under kernel normalisation
	// because a sketch of theirs was all zero.
	ZeroRows() int
	// SetGoroutines lets calls with several rows spread them over n goroutines. The
	// bits, and the row an error names, do not depend on n.
	SetGoroutines(n int)
}

// NewFeatureMap returns the map of the parameters, whatever its method, zeros
// standing for defaults: a *TensorSketch for tensor-sketch and count-sketch, else
// a *Map. The error is an *Error with code ErrParam.
func NewFeatureMap(params Params) (FeatureMap, error) {
	params.setDefaults(methodOf)
	if params.isTensorSketch() {
		t, err := newSketch(&params)
		if err != nil {
			return nil, err // not t, which would be an interface that is not nil
		}
		return t, nil
	}
	m, err := newMap(&params)
	if err != nil {
		return nil, err
	}
	return m, nil
}

package block

// HadamardConfig is what an engine needs to know of products of signed
// Walsh–Hadamard transforms.
type HadamardConfig struct {
	Width    int  // numbers per input row
	Length   int  // of the transform: a power of two, at least Width
	Features int  // the most entries of a transform that are taken at a time
	Complex  bool // signs are complex: a transform has a real and an imaginary part
}

// A Hadamard computes products of signed Walsh–Hadamard transforms of up to Lanes
// rows side by side, in these steps: Load; for each set of features, for each
// degree, Transform (both parts of it for complex signs) and Multiply; then Store.
// No step allocates.
type Hadamard interface {
	// Lanes is the number of rows side by side.
	Lanes() int
	// Load lays count rows of Width numbers side by side.
	Load(X []float32, count int)
	// Transform computes the transform of the loaded rows times signs, Length
	// numbers of which those from Width on are 0. Part is 0, or 1 for the imaginary
	// part.
	Transform(part int, signs []float32)
	// Multiply multiplies the features by the given entries of the transform, or
	// sets them with first. There are at most Features entries.
	Multiply(entries []int32, first bool)
	// Store writes n features times scale, for complex signs 2n numbers Re, Im, Re …,
	// to out from number at on, for each of count rows that are stride numbers apart.
	Store(out []float32, stride, at, n, count int, scale float32)
	// Clone returns one with memory of its own.
	Clone() Hadamard
}

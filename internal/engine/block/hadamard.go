package block

// HadamardConfig describes products of signed Walsh–Hadamard transforms to an engine.
type HadamardConfig struct {
	Width    int  // numbers per input row
	Length   int  // transform length: a power of two, at least Width
	Features int  // maximum number of entries of a transform used at a time
	Complex  bool // signs are complex: a transform has a real and an imaginary part
}

// A Hadamard computes products of signed Walsh–Hadamard transforms of up to Lanes rows side by
// side, in these steps: Load; then for each set of features and each degree, Transform (both parts
// for complex signs), and Multiply; then Store. No step allocates.
type Hadamard interface {
	// Lanes returns the number of rows side by side.
	Lanes() int
	// Load lays out count rows of Width numbers side by side.
	Load(X []float32, count int)
	// Transform computes the transform of the loaded rows times signs: Length numbers, 0 from Width
	// on. With again it is of the transform before, times signs. part is 0, or 1 for the imaginary part.
	Transform(part int, signs []float32, again bool)
	// Multiply multiplies the features by the given entries of the transform, or with first sets
	// the features to them. There are at most Features entries.
	Multiply(entries []int32, first bool)
	// Store writes n features times scale to out, starting at number at, for each of count rows
	// that are stride numbers apart. For complex signs it writes 2n numbers Re, Im, Re …
	Store(out []float32, stride, at, n, count int, scale float32)
	// Clone returns a Hadamard with its own memory.
	Clone() Hadamard
}

// Package block is the contract between package sketch and the engines that compute its features,
// several rows side by side. It says what a map needs of an engine, but not how many rows that is.
package block

// Entry packs the bucket h(i) of a coordinate, below 2^24, with its sign s(i) in bit 31, which is
// set for −1.
type Entry uint32

// BucketMask covers the bucket of an Entry.
const BucketMask Entry = 1<<31 - 1

// Bucket returns h(i).
func (e Entry) Bucket() int { return int(e & BucketMask) }

// Minus returns 0 for the sign +1 and 1 for −1.
func (e Entry) Minus() int { return int(e >> 31) }

// Sign returns the sign as a factor.
func (e Entry) Sign() float32 { return 1 - 2*float32(e.Minus()) }

// Stretch is the number of coordinates of dense rows handled at a time.
const Stretch = 1 << 12

// Config describes a map to an engine.
type Config struct {
	NComponents, Degree int
	Gamma, Coef0        float64
	Spectrum            bool // the output is the spectrum
	Unlike              bool // each degree takes its own vector
	Complex             bool // features are D/2 complex numbers, bucket 2j real and 2j+1 imaginary; D is even
	Input               int  // maximum number of coordinates of dense rows at a time
}

// A Plan holds the data that all rows of a map share. It may be used concurrently.
type Plan interface {
	// Lanes returns the number of rows side by side.
	Lanes() int
	// Shares reports whether degree k is transformed together with degree k + 1.
	Shares(k int) bool
	NewBlock() Block
}

// A Block computes the features of up to Lanes rows in these steps: Begin; then for each transform
// Clear, at least one call of an Add method for each of its degrees, and Multiply; then Finish and
// Store. No step allocates.
type Block interface {
	// Begin starts a block of count rows.
	Begin(count int)
	Clear()
	// Load lays out n coordinates of count rows side by side for AddLoaded. Rows begin stride
	// numbers apart in X. With check, NotFinite covers these coordinates.
	Load(X []float32, stride, n, count int, check bool)
	// AddLoaded adds the loaded coordinates to the sketch of degree k.
	AddLoaded(k int, entries []Entry)
	// AddSparse adds the coordinates of one row.
	AddSparse(k, lane int, entries []Entry, values []float32)
	// AddConstant adds the coordinate √c of every row.
	AddConstant(k int, e Entry)
	// Multiply transforms the sketch that begins with degree k and multiplies the product of the
	// spectra by it.
	Multiply(k int)
	// NotFinite reports whether a checked row held NaN or an infinity.
	NotFinite() bool
	// Finish turns the product into features.
	Finish()
	// Store writes the features of count rows to out and returns a mask of the
	// rows that are not finite.
	Store(out []float32, count int) (bad uint32)
}

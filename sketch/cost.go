package sketch

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// The cost model counts the operations per row in a batch and multiplies each kind by its time.
type operation int

const (
	opRow         operation = iota // once per row and part of a map
	opIn                           // one number of a dense row checked and scaled
	opSparseIn                     // one number of a sparse row checked and scaled
	opOut                          // one feature checked
	opLoad                         // one number written to, or read from, the lane of its row
	opBucket                       // one addition to a bucket
	opSparse                       // one addition to a bucket for a sparse row, without lanes
	opHash                         // one hash that is not in a table
	opButterfly                    // one real number in one of the log₂ n stages of an FFT of n complex ones
	opHadamard                     // one number in one of the log₂ n stages of a Hadamard transform
	opEntry                        // one entry of a Hadamard transform read and multiplied
	opCoordinate                   // one number of a row passed to all projections
	opSign                         // its signed addition to one projection, 32 coordinates at a time
	opSparseSign                   // its signed addition to one projection, one coordinate at a time
	opDraw                         // its signed addition to one projection, with the sign drawn for it
	opProduct                      // one projection multiplied into its feature
	opMultiplyAdd                  // one multiplication and addition of a matrix product
	opCosine                       // one cosine
	opKernel                       // one kernel of two rows from their inner product
	opSolve                        // one multiplication and addition of a triangular system
	operations
)

// unitCosts are nanoseconds in the wasm build with SIMD, in Node.js 20 on the machine of the
// README. TestCostModel fits them and describes how to repeat the fit.
var unitCosts = [operations]float64{
	opRow: 252, opIn: 1.2, opSparseIn: 13, opOut: 0.34,
	opLoad: 0.83, opBucket: 0.59, opSparse: 5.5, opHash: 28, opButterfly: 0.144,
	opHadamard: 0.067, opEntry: 0.57,
	opCoordinate: 5.6, opSign: 0.215, opSparseSign: 0.214, opDraw: 6.3, opProduct: 1.8,
	opMultiplyAdd: 0.144, opCosine: 1.6, opKernel: 49, opSolve: 0.088,
}

// Cost estimates the microseconds per row in a batch, on one core of the machine of the README, for
// rows of nFeatures numbers, nnz of them nonzero. Rows with nnz = nFeatures are dense, others
// are CSR. Another machine, or the build without SIMD, differs by a factor that one measurement
// shows. The parameters must be valid; zeros stand for defaults.
func (p Params) Cost(nnz int) float64 {
	p.setDefaults(allMethods)
	return p.cost(nnz)
}

// cost is Cost for parameters with defaults filled in.
func (p *Params) cost(nnz int) float64 {
	w := p.work(float64(nnz))
	nanoseconds := 0.0
	for kind, n := range w {
		nanoseconds += float64(n * unitCosts[kind])
	}
	return nanoseconds * float64(p.Repeats) / 1000
}

// work holds the number of operations of each kind per row.
type work [operations]float64

// work counts the operations of one sketch of a row.
func (p *Params) work(nnz float64) (w work) {
	d := float64(p.NFeatures)
	if !p.isTensorSketch() {
		kind := opIn
		if nnz < d {
			kind = opSparseIn
		}
		w[kind] += nnz
		w[opOut] += float64(p.NComponents)
	}
	w.count(p, d, nnz)
	return w
}

// count adds the operations of a core for a row of d numbers, nnz of them nonzero.
func (w *work) count(p *Params, d, nnz float64) {
	D, degree := float64(p.NComponents), float64(p.Degree)
	switch p.Method {
	case MethodTensorSketch, MethodCountSketch, MethodComplexTensorSketch:
		w.countTensor(p.NComponents, p.Degree, p.Output == OutputSpectrum, d, nnz)
	case MethodTensorizedProjection, MethodComplexProjection:
		w.countProjections(D*degree, p.MethodParams.isNormal(), d, nnz)
	case MethodRandomMaclaurin:
		l, mean := maclaurinLawOf(p), 0.0
		for n, probability := range l.probabilities {
			mean += float64(float64(n) * probability)
		}
		w.countProjections(mean*(D-float64(l.exact)), p.MethodParams.isNormal(), d, nnz)
	case MethodTensorSRHT, MethodComplexTensorSRHT:
		c := tensorSRHTConfig(p, p.mapWidth())
		w.countHadamard(&c)
	case MethodCRAFT:
		base, down := craftBase(p), craftConfig(p)
		w.count(base, d, nnz)
		w.countHadamard(&down)
	case MethodTreeTensorSketch:
		for range p.Degree {
			w.countTensor(p.NComponents, 1, false, d, nnz)
		}
		for n := 2; n <= treeLeaves(p.Degree); n *= 2 { // subtrees of n leaves, without those that have only constants
			for range (p.Degree + n - 1) / n {
				w.countTensor(p.NComponents, 2, false, D, D)
				w[opLoad] += D
			}
		}
	case MethodTaylorSketch:
		for _, part := range taylorParts(p, newTaylorSeries(p)) {
			w.countTensor(part.NComponents, part.Degree, false, d, d)
		}
		w[opOut] += D
	case MethodRandomFourier, MethodSpherical:
		w[opRow]++
		w[opMultiplyAdd] += float64(float64(frequencyCount(p)) * nnz)
		w[opCosine] += D
	case MethodNystroem:
		w[opRow]++
		w[opMultiplyAdd] += float64(D * nnz)
		w[opKernel] += D
		w[opSolve] += D * D / 2
	case MethodKSpace:
		m, _ := p.kspaceComponents()
		w.countTensor(m, p.Degree, false, d, nnz)
		w[opLoad] += float64(m)
		w[opMultiplyAdd] += float64(float64(m) * D)
	}
}

// countTensor counts a tensor sketch: additions to buckets, one FFT per degree, and one inverse
// FFT, of n complex numbers each.
func (w *work) countTensor(D, degree int, spectrum bool, d, nnz float64) {
	w[opRow]++
	additions := nnz * float64(degree)
	if nnz < d {
		w[opSparse] += additions
	} else {
		w[opLoad] += d
		w[opBucket] += additions
	}
	if d*float64(degree) > maxCached {
		w[opHash] += additions
	}
	w[opLoad] += float64(D)
	if degree == 1 && !spectrum {
		return
	}
	n, transforms := D/2, degree
	if D%2 != 0 { // two degrees share one FFT
		n, transforms = D, (degree+1)/2
	}
	if !spectrum {
		transforms++
	}
	passes := 1.0
	if smooth(float64(n)) != float64(n) { // Bluestein's algorithm: two FFTs of a quick length
		n, passes = int(smoothFrom(float64(2*n-1))), 2
	}
	w[opButterfly] += float64(2 * float64(n) * log2(float64(n)) * float64(transforms) * passes)
}

// countProjections counts the random projections and their products.
func (w *work) countProjections(projections float64, normal bool, d, nnz float64) {
	stride := float64(projectionStride(int(math.Ceil(projections))))
	kind := opSign
	switch {
	case !keepsProjection(int(stride), int(d), normal):
		kind = opDraw
	case normal:
		kind = opMultiplyAdd
	case nnz < d:
		kind = opSparseSign
		w[opCoordinate] += nnz
	}
	w[opRow]++
	w[kind] += float64(stride * nnz)
	w[opProduct] += stride
}

// countHadamard counts the transforms of whole blocks, although only part of the last one may be
// used.
func (w *work) countHadamard(c *srhtConfig) {
	transforms := float64(c.blocks() * c.degree * c.parts())
	length, features := float64(c.length()), float64(c.features*c.parts())
	w[opRow]++
	w[opLoad] += float64(c.width) + features
	w[opHadamard] += float64(transforms * length * log2(length))
	w[opEntry] += float64(features * float64(c.degree))
}

// log2 returns log₂ x with the same bits on every platform.
func log2(x float64) float64 { return portable.Log(x) * 1.44269504088896340736 }

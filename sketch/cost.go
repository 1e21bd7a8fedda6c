package sketch

import (
	"math"

	"tensorsketch.example/internal/portable"
)

// The cost model counts the operations that a row takes in a batch, and gives each
// kind a time.
type operation int

const (
	opRow         operation = iota // once per row and part of a map
	opIn                           // a number of a dense row checked and scaled
	opSparseIn                     // the same of a sparse one
	opOut                          // a feature checked
	opLoad                         // a number laid into the lane of its row, or taken from it
	opBucket                       // an addition to a bucket
	opSparse                       // the same of a sparse row, for which there are no lanes
	opHash                         // a hash that is not in a table
	opButterfly                    // a real number in one of the log₂ n stages of an FFT of n complex ones
	opHadamard                     // a number in one of the log₂ n stages of a Hadamard transform
	opEntry                        // an entry of a Hadamard transform taken and multiplied
	opCoordinate                   // a number of a row brought to all projections
	opSign                         // its addition to one projection, with a sign, 32 coordinates at a time
	opSparseSign                   // the same, one coordinate at a time
	opDraw                         // the same where the sign is drawn for it
	opProduct                      // a projection multiplied into its feature
	opMultiplyAdd                  // a multiplication and addition of a matrix product
	opCosine                       // a cosine
	opKernel                       // a kernel of two rows from their inner product
	opSolve                        // a multiplication and addition of a triangular system
	operations
)

// unitCosts are nanoseconds in the wasm build with SIMD, in Node.js 20 on the machine of
// the README: what TestCostModel fits, which says how to do it again.
var unitCosts = [operations]float64{
	opRow: 252, opIn: 1.2, opSparseIn: 13, opOut: 0.34,
	opLoad: 0.83, opBucket: 0.59, opSparse: 5.5, opHash: 28, opButterfly: 0.144,
	opHadamard: 0.067, opEntry: 0.57,
	opCoordinate: 5.6, opSign: 0.215, opSparseSign: 0.214, opDraw: 6.3, opProduct: 1.8,
	opMultiplyAdd: 0.144, opCosine: 1.6, opKernel: 49, opSolve: 0.088,
}

// Cost returns the microseconds that one row of nFeatures numbers of which nnz are not
// 0 takes in a batch, on one core of the machine that the model was measured on; a row
// with nnz = nFeatures is dense, others are CSR. Another machine, or the build without
// SIMD, differs from it by a factor that one measurement tells. The parameters are
// valid ones, zeros standing for defaults.
func (p Params) Cost(nnz int) float64 {
	p.setDefaults(allMethods)
	return p.cost(nnz)
}

// cost is Cost of parameters with defaults filled in.
func (p *Params) cost(nnz int) float64 {
	w := p.work(float64(nnz))
	nanoseconds := 0.0
	for kind, n := range w {
		nanoseconds += float64(n * unitCosts[kind])
	}
	return nanoseconds * float64(p.Repeats) / 1000
}

// work is how many operations of each kind a row takes.
type work [operations]float64

// work counts what one sketch of a row takes.
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

// count adds what a core takes for a row of d numbers.
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
		for n := 2; n <= treeLeaves(p.Degree); n *= 2 { // subtrees of n leaves, but for those of constants
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
	}
}

// countTensor counts a tensor sketch: additions to buckets, and an FFT for each degree
// and back, n complex numbers long.
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
	if D%2 != 0 { // two degrees share one
		n, transforms = D, (degree+1)/2
	}
	if !spectrum {
		transforms++
	}
	passes := 1.0
	if smooth(float64(n)) != float64(n) { // Bluestein's algorithm: there and back over such a length
		n, passes = int(smoothFrom(float64(2*n-1))), 2
	}
	w[opButterfly] += float64(2 * float64(n) * log2(float64(n)) * float64(transforms) * passes)
}

// countProjections counts the projections of products of them.
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

// countHadamard counts the transforms of whole blocks, though of the last one only a
// part may be taken.
func (w *work) countHadamard(c *srhtConfig) {
	transforms := float64(c.blocks() * c.degree * c.parts())
	length, features := float64(c.length()), float64(c.features*c.parts())
	w[opRow]++
	w[opLoad] += float64(c.width) + features
	w[opHadamard] += float64(transforms * length * log2(length))
	w[opEntry] += float64(features * float64(c.degree))
}

// log2 is math.Log2 with the same bits on every platform.
func log2(x float64) float64 { return portable.Log(x) * 1.44269504088896340736 }

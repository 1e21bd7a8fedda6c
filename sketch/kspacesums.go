package sketch

import (
	"math"

	"tensorsketch.example/internal/engine/block"
)

// The grid of k-Space: integers are multiples of a power of two, the least one of at least
// C/2^kspaceBits, where C is the norm κ(x,x)^½ of the largest row. They are cut beyond
// ±kspaceRange. A product of two is at most 2^44, and a sum over panelLength rows at most 2^50:
// both are exact in float64. The sums of all rows are exact in 64 bits.
const (
	kspaceBits  = 18
	kspaceRange = 1 << 22
	kspaceTrace = 1 << 62 // most of Σ‖y‖² and of Σ‖z‖², which bound every sum
)

// kspaceStep returns the step of the grid for features of norm C. It is 1 if C is 0.
func kspaceStep(C float64) float64 {
	if C == 0 {
		return 1
	}
	fraction, exponent := math.Frexp(C)
	if fraction == 0.5 {
		exponent--
	}
	return math.Ldexp(1, max(exponent, -100)-kspaceBits)
}

// kspaceSums are the exact moments of one repeat: with y and z the integers of φ(x)·S and φ(x)·T,
// YᵀY = Σ y·yᵀ and YᵀZ = Σ y·zᵀ. They are kept in tiles of block.Sums numbers of y times block.Rows
// numbers of y or of z, of YᵀY only the tiles that reach below its diagonal.
type kspaceSums struct {
	k, m, r int
	pair    *FeatureMap // of (y, z)
	step    float64
	rows    int64
	clipped int64
	traces  [2]int64 // Σ‖y‖², Σ‖z‖²
	totals  []int64
	starts  []int // the number of tiles before each block's

	features []float32 // of a panel of rows
	left     []float64 // the tiles of y: block.Sums numbers of each row side by side
	right    []float64 // the blocks of −y, and of −z: block.Rows numbers of each row
	tile     []float64
}

// kspaceTiles returns the number of tiles.
func kspaceTiles(m, r int) int {
	n := 0
	eachKSpaceTile(m, r, func(int, int) { n++ })
	return n
}

// eachKSpaceTile calls use for each tile in order. Tile t has the numbers of y from t·block.Sums
// on. Block b has the numbers of y from b·block.Rows on, or of z if b is at least the blocks of y.
func eachKSpaceTile(m, r int, use func(t, b int)) {
	tiles, own := (m+block.Sums-1)/block.Sums, kspaceBlocks(m)
	for b := range own + kspaceBlocks(r) {
		first := b * block.Rows / block.Sums
		if b >= own {
			first = 0
		}
		for t := first; t < tiles; t++ {
			use(t, b)
		}
	}
}

func kspaceBlocks(n int) int { return (n + block.Rows - 1) / block.Rows }

func newKSpaceSums(p *Params, c *kspaceCore) *kspaceSums {
	m, r := p.kspaceComponents()
	s := &kspaceSums{k: p.NComponents, m: m, r: r, pair: newKSpacePair(p, c.draw)}
	s.starts = make([]int, kspaceBlocks(m)+kspaceBlocks(r)+1)
	eachKSpaceTile(m, r, func(_, b int) { s.starts[b+1]++ })
	for b := range s.starts[1:] {
		s.starts[b+1] += s.starts[b]
	}
	s.totals = make([]int64, kspaceTiles(m, r)*block.Sums*block.Rows)
	s.features = make([]float32, panelLength*(m+r))
	s.left = make([]float64, panelLength*paddedSums(m))
	s.right = make([]float64, panelLength*block.Rows*(kspaceBlocks(m)+kspaceBlocks(r)))
	s.tile = make([]float64, block.Sums*block.Rows)
	return s
}

// add adds checked rows.
func (s *kspaceSums) add(X Rows) error {
	n, err := X.count(s.pair.params.NFeatures)
	if err != nil {
		return err
	}
	for from := 0; from < n; from += panelLength {
		to := min(from+panelLength, n)
		features := s.features[:(to-from)*(s.m+s.r)]
		if _, err := s.pair.TransformRows(features, sliceRows(X, s.pair.params.NFeatures, from, to)); err != nil {
			e := err.(*Error)
			e.Row, e.RowsDone = e.Row+from, -1
			return err
		}
		if traces := s.load(features, to-from); !s.mayAdd(traces) {
			return errFullSums()
		} else {
			s.traces[0] += traces[0]
			s.traces[1] += traces[1]
		}
		s.multiply(to - from)
		s.rows += int64(to - from)
	}
	return nil
}

// mayAdd reports whether all sums stay within 64 bits if the traces are added.
func (s *kspaceSums) mayAdd(traces [2]int64) bool {
	return traces[0] <= kspaceTrace-s.traces[0] && traces[1] <= kspaceTrace-s.traces[1]
}

func errFullSums() error {
	return shapeError("X", "", "hold fewer rows in all: the exact sums of a fit are full, so fit to a sample of the rows")
}

// sliceRows returns the rows from … to−1 of d numbers.
func sliceRows(X Rows, d, from, to int) Rows {
	if csr, ok := X.(CSR); ok {
		return csr.Slice(from, to)
	}
	return X.(Dense)[from*d : to*d]
}

// load makes integers of n rows of features, and returns Σ‖y‖² and Σ‖z‖² of these rows.
func (s *kspaceSums) load(features []float32, n int) (traces [2]int64) {
	inverse, own := 1/s.step, kspaceBlocks(s.m)
	for row := range n {
		z := features[row*(s.m+s.r):][:s.m+s.r]
		for i, v := range z {
			q := math.RoundToEven(float64(v) * inverse)
			if q > kspaceRange || q < -kspaceRange {
				q = math.Copysign(kspaceRange, q)
				s.clipped++
			}
			half, b, at := 0, i/block.Rows, i%block.Rows
			if i >= s.m {
				half, b, at = 1, own+(i-s.m)/block.Rows, (i-s.m)%block.Rows
			} else {
				s.left[(i/block.Sums*panelLength+row)*block.Sums+i%block.Sums] = q
			}
			s.right[(b*panelLength+row)*block.Rows+at] = -q
			traces[half] += int64(float64(q * q))
		}
	}
	return traces
}

// multiply adds the products of n loaded rows to the sums.
func (s *kspaceSums) multiply(n int) {
	at := 0
	eachKSpaceTile(s.m, s.r, func(t, b int) {
		clear(s.tile)
		subtractProducts(s.tile, s.right[b*panelLength*block.Rows:], s.left[t*panelLength*block.Sums:],
			panelIndices[:n], block.Rows)
		totals := s.totals[at:][:block.Sums*block.Rows]
		for i, v := range s.tile {
			totals[i] += int64(v)
		}
		at += len(totals)
	})
}

// merge adds the sums of other rows.
func (s *kspaceSums) merge(o *kspaceSums) {
	s.rows += o.rows
	s.clipped += o.clipped
	for i, v := range o.traces {
		s.traces[i] += v
	}
	for i, v := range o.totals {
		s.totals[i] += v
	}
}

// at returns the place in totals of Σ y_i·c_j, with c_j number j of block b.
func (s *kspaceSums) at(i, b, j int) int {
	first := 0
	if b < kspaceBlocks(s.m) {
		first = b * block.Rows / block.Sums
	}
	return (s.starts[b]+i/block.Sums-first)*block.Sums*block.Rows + i%block.Sums*block.Rows + j
}

// yy returns number (i, j) of YᵀY.
func (s *kspaceSums) yy(i, j int) float64 {
	if i < j {
		i, j = j, i
	}
	return float64(s.totals[s.at(i, j/block.Rows, j%block.Rows)])
}

// yz returns number (i, j) of YᵀZ.
func (s *kspaceSums) yz(i, j int) float64 {
	return float64(s.totals[s.at(i, kspaceBlocks(s.m)+j/block.Rows, j%block.Rows)])
}

// A kspacePair computes (φ(x)·S, φ(x)·T).
type kspacePair struct {
	sketches [2]core
	lengths  [2]int
	z        []float32
}

// newKSpacePair returns the map of a kspacePair.
func newKSpacePair(p *Params, draw randomness) *FeatureMap {
	pair, c := new(FeatureMap), new(kspacePair)
	p.copyTo(&pair.params)
	c.lengths[0], c.lengths[1] = p.kspaceComponents()
	pair.params.NComponents = c.lengths[0] + c.lengths[1]
	pair.params.Normalize, pair.params.Repeats = NormalizeNone, 1
	pair.law = &fittedLaw{&pair.params}
	for half, length := range c.lengths {
		c.sketches[half] = newTensorPart(p.kspaceSketch(length), p.mapWidth(), draw.part(half))
	}
	c.z = make([]float32, c.lanes()*max(c.lengths[0], c.lengths[1]))
	pair.cores, pair.lanes = []core{c}, c.lanes()
	pair.scaler = newScaledRows(&pair.params, c)
	pair.newWork()
	return pair
}

func (c *kspacePair) clone() core { panic("sketch: a fitter is not cloned") }

func (c *kspacePair) lanes() int { return c.sketches[0].lanes() }

func (c *kspacePair) transformBlock(dst, x []float32, count int) {
	for half, sketch := range c.sketches {
		sketch.transformBlock(c.z[:count*c.lengths[half]], x, count)
		c.store(dst, half, count)
	}
}

func (c *kspacePair) transformSparseBlock(dst []float32, rows []sparseRow) {
	for half, sketch := range c.sketches {
		sketch.(sparseCore).transformSparseBlock(c.z[:len(rows)*c.lengths[half]], rows)
		c.store(dst, half, len(rows))
	}
}

// store writes one of the sketches to the rows of dst.
func (c *kspacePair) store(dst []float32, half, count int) {
	n, width := c.lengths[half], c.lengths[0]+c.lengths[1]
	for r := range count {
		copy(dst[r*width+half*c.lengths[0]:][:n], c.z[r*n:(r+1)*n])
	}
}

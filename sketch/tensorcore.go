package sketch

import (
	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/engine/dispatch"
)

// A tensorCore computes tensor sketches: for each of p degrees a count sketch of
// (√γ·x, √c), and the circular convolution of the p sketches by FFT (Pham & Pagh
// 2013). Degree 1 is the count sketch itself.
//
// As the core of a tensor or count sketch it takes unscaled rows, and for products one source per
// degree. As a part of other maps it takes rows that are already scaled and have their constant: γ
// is 1 and c is 0.
type tensorCore struct {
	params *Params
	hash   *hashTables
	plan   block.Plan
	*tensorWork
}

// tensorWork is the scratch memory that the repeats of a map share.
type tensorWork struct {
	block   block.Block
	entries []entry  // hashes of a stretch of coordinates, if there is no table
	sources []source // used in a part of another map
}

// newTensorCore returns a core without tables yet.
func newTensorCore(params *Params) *tensorCore {
	c := &tensorCore{params: params, plan: newPlan(params.config())}
	return c.clone().(*tensorCore)
}

// newTensorPart returns the tensor sketch of rows of width numbers with p.Degree, p.NComponents and
// p.Output. It is complex if p.Method is.
func newTensorPart(p *Params, width int, draw randomness) core {
	params := tensorPartParams(p, width)
	c := newTensorCore(params)
	c.hash = params.seedTables(draw)
	return c
}

// tensorPartParams returns the parameters of a part made by newTensorPart.
func tensorPartParams(p *Params, width int) *Params {
	params := &Params{NFeatures: width, NComponents: p.NComponents, Degree: p.Degree, Output: p.Output}
	if p.isComplexSketch() {
		params.Method = p.Method
	}
	params.setDefaults(tensorMethods)
	return params
}

func tensorPartBytes(p *Params, width int) int64 {
	return tensorPartParams(p, width).tensorSketchBytes()
}

// config returns the parameters that the engine needs.
func (p *Params) config() block.Config {
	input := 0
	for k := range p.Degree {
		input = max(input, min(p.FeaturesOf(k), block.Stretch))
	}
	return block.Config{
		NComponents: p.NComponents, Degree: p.Degree, Gamma: p.Gamma, Coef0: p.Coef0,
		Spectrum: p.Output == OutputSpectrum, Unlike: p.isProduct(), Input: input,
		Complex: p.isComplexSketch(),
	}
}

// tables returns the hash tables of a repeat, from their source.
func (p *Params) tables(repeat int) (*hashTables, error) {
	switch p.Hash() {
	case HashSeed:
		return p.seedTables(p.Seed.randomness(repeat)), nil
	case HashRandomState:
		return randomStateTables(*p.RandomState, p.widths(), p.NComponents), nil
	}
	return givenTables(p.IndexHash, p.BitHash, p.widths(), p.NComponents)
}

// with returns a core with other tables that shares the scratch memory.
func (c *tensorCore) with(hash *hashTables) *tensorCore {
	other := *c
	other.hash = hash
	return &other
}

func (c *tensorCore) clone() core {
	clone := *c
	clone.tensorWork = &tensorWork{
		block:   c.plan.NewBlock(),
		entries: make([]entry, block.Stretch),
		sources: make([]source, max(1, len(c.params.NFeaturesEach))),
	}
	return &clone
}

func (c *tensorCore) lanes() int { return c.plan.Lanes() }

func (c *tensorCore) transformBlock(dst, x []float32, count int) {
	Dense(x).fill(&c.sources[0])
	c.sketch(dst, count)
}

func (c *tensorCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.loadSparse(rows)
	c.sketch(dst, len(rows))
}

// loadSparse makes checked and sorted rows the first source.
func (c *tensorCore) loadSparse(rows []sparseRow) {
	CSR{}.fill(&c.sources[0])
	copy(c.sources[0].block[:], rows)
}

// sketch writes the sketches of the first rows of the core's own sources.
func (c *tensorCore) sketch(dst []float32, count int) {
	c.multiplyDegrees(c.sources, 0, count)
	c.store(dst, count)
}

// store writes the sketches in the block, and returns the mask of the rows that are not finite.
func (c *tensorCore) store(dst []float32, count int) (bad uint32) {
	c.block.Finish()
	bad = c.block.Store(dst, count)
	dispatch.Rest()
	return bad
}

// multiplyDegrees computes the product of the spectra of all degrees in the block.
func (c *tensorCore) multiplyDegrees(sources []source, row, count int) {
	b := c.block
	b.Begin(count)
	for k := 0; k < c.params.Degree; k++ {
		b.Clear()
		c.countSketch(sources, k, row, count)
		if c.plan.Shares(k) {
			c.countSketch(sources, k+1, row, count)
		}
		b.Multiply(k)
		if c.plan.Shares(k) {
			k++
		}
	}
}

// countSketch adds the rows' count sketch of degree k: Σ_{i: h(i)=j} s(i)·w·x_i in bucket j, in the
// order of the coordinates, with the constant one last.
func (c *tensorCore) countSketch(sources []source, k, row, count int) {
	s, d := &sources[min(k, len(sources)-1)], c.params.FeaturesOf(k)
	if s.sparse {
		c.addSparse(s, k, count)
	} else {
		c.addDense(s, k, row, count, d, k == 0 || len(sources) > 1)
	}
	if c.params.Coef0 > 0 {
		c.block.AddConstant(k, c.hash.at(k, d))
	}
}

// addDense adds dense rows. With first, they must be loaded; otherwise the block may still hold
// them from the previous degree.
func (c *tensorCore) addDense(s *source, k, row, count, d int, first bool) {
	for from := 0; from < d; from += block.Stretch {
		n := min(block.Stretch, d-from)
		if first || d > n {
			c.block.Load(s.dense[row*d+from:], d, n, count, first)
		}
		c.block.AddLoaded(k, c.hash.entries(c.entries, k, from, n))
	}
}

func (c *tensorCore) addSparse(s *source, k, count int) {
	for lane := range count {
		r := s.block[lane]
		for len(r.indices) > 0 {
			n := min(len(c.entries), len(r.indices))
			c.block.AddSparse(k, lane, c.hash.entriesOf(c.entries, k, r.indices[:n]), r.data[:n])
			r.indices, r.data = r.indices[n:], r.data[n:]
		}
	}
}

// Hash returns the bucket h_k(i), from 0 to D − 1, and the sign s_k(i), −1 or +1, of coordinate i
// under degree k in the first repeat. With c > 0 coordinate d is the constant √c. For complex
// features the bucket is an index into the row: 2h_k(i), a real part, for the signs −1 and +1, and
// 2h_k(i) + 1 for −i and +i. It panics unless the map is a tensor, count or complex tensor sketch.
func (m *FeatureMap) Hash(k, i int) (bucket, sign int) {
	e := m.tensorCore().hash.at(k, i)
	return e.Bucket(), int(e.Sign())
}

// Part returns the map of only the degrees first … first+count−1, with the hashes of m's first
// repeat and features of the given Output: the convolution of these of the p count sketches. Its
// Params equal m's except Degree, Output and Repeats; New would draw other hashes from them. It
// panics unless New makes such maps and m has these degrees.
func (m *FeatureMap) Part(first, count int, output string) *FeatureMap {
	if m.scaler != nil || first < 0 || count < 1 || first+count > m.params.Degree {
		panic("sketch: Part of degrees that the map does not have")
	}
	whole := m.tensorCore()
	part := *m
	p := &part.params
	p.Degree, p.Output, p.Repeats = count, output, 1
	if p.isProduct() {
		p.NFeaturesEach = p.NFeaturesEach[first : first+count]
	}
	part.law = lookup(tensorMethods).of(p.Method).law(p)
	c := newTensorCore(p)
	c.hash = whole.hash.part(first, count)
	part.cores, part.zeroRows, part.helpers = []core{c}, 0, nil
	part.newWork()
	return &part
}

func (m *FeatureMap) tensorCore() *tensorCore {
	c, ok := m.cores[0].(*tensorCore)
	if !ok {
		panic("sketch: Hash or Part of a map of method " + m.params.Method)
	}
	return c
}

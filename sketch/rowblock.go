package sketch

import "tensorsketch.example/sketch/internal/block"

// workspace is the memory that the rows of one call go through, allocated once
// per map.
type workspace struct {
	block   block.Block
	sources []source
	sorters []sorter    // maxLanes for each source that is sparse
	entries []entry     // hashes of a stretch of coordinates, where there is no table for it
	hash    *hashTables // of the repeat that is computed
	repeat  []float32   // rows of one repeat, where there are several
}

// newWork gives the map scratch memory of its own.
func (t *TensorSketch) newWork() {
	t.work = workspace{
		block:   t.plan.NewBlock(),
		sources: make([]source, 0, t.params.Degree),
		entries: make([]entry, block.Stretch),
	}
	if t.params.Repeats > 1 {
		t.work.repeat = make([]float32, t.plan.Lanes()*t.params.NComponents)
	}
}

// source returns the source where there is one for all degrees.
func (w *workspace) source() *source {
	w.sources = w.sources[:1]
	return &w.sources[0]
}

// loadSparse makes rows that are checked and sorted the block of that source.
func (w *workspace) loadSparse(rows []sparseRow) {
	s := w.source()
	CSR{}.fill(s)
	copy(s.block[:], rows)
}

// config is what the engine needs to know of the parameters.
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

// loadBlock readies the sparse rows row … row+count−1 of the sources. It returns
// the first bad row of any with its error.
func (t *TensorSketch) loadBlock(row, count int) (bad int, err error) {
	bad = -1
	for k := range t.work.sources {
		s := &t.work.sources[k]
		if !s.sparse {
			continue
		}
		for len(t.work.sorters) < (k+1)*maxLanes {
			t.work.sorters = append(t.work.sorters, sorter{})
		}
		if r, e := s.loadSparse(row, count, t.params.FeaturesOf(k), t.work.sorters[k*maxLanes:]); e != nil && (err == nil || r < bad) {
			bad, err = r, t.ofSource(e, k)
		}
	}
	return bad, err
}

// ofSource names the source in an error where there are several.
func (t *TensorSketch) ofSource(err error, k int) error {
	if len(t.work.sources) > 1 {
		return ofDegree(err, k)
	}
	return err
}

// transformBlock writes the features of rows row … row+count−1 into out. With
// check it returns an error for the first row that is not finite on the way in
// or out; the rows before that one are written.
func (t *TensorSketch) transformBlock(out []float32, row, count int, check bool) error {
	var (
		err       error
		bad, zero uint32 // masks of rows
		b, width  = t.work.block, t.NComponents()
		scale     = t.params.repeatScale()
	)
	for repeat := range t.params.Repeats {
		if t.work.hash = t.hash; repeat > 0 {
			t.work.hash = t.further[repeat-1]
		}
		t.multiplyDegrees(row, count)
		if check && b.NotFinite() {
			if e := t.firstNonFiniteRow(row, count); e != nil { // else it is in a row left out already
				count, err = e.Row-row, e
			}
		}
		b.Finish()
		z := out
		if t.params.Repeats > 1 {
			z = t.work.repeat
		}
		bad |= b.Store(z, count)
		D := t.params.NComponents
		for r := range count {
			z := z[r*D : (r+1)*D]
			if t.params.Normalize == NormalizeKernel {
				finite, allZero := t.normalizeRow(z, row, r)
				bad |= mask(!finite, r)
				zero |= mask(allZero, r)
			}
			if t.params.Repeats > 1 {
				scaleRow(out[r*width+repeat*D:r*width+(repeat+1)*D], z, scale)
			}
		}
	}
	for r := range count {
		t.zeroRows += int(zero >> r & 1)
		if check && bad>>r&1 != 0 {
			return overflowError(row + r)
		}
	}
	return err
}

// multiplyDegrees leaves the product of the spectra of all degrees in the block.
func (t *TensorSketch) multiplyDegrees(row, count int) {
	b := t.work.block
	b.Begin()
	for k := 0; k < t.params.Degree; k++ {
		b.Clear()
		t.countSketch(k, row, count)
		if t.plan.Shares(k) {
			t.countSketch(k+1, row, count)
		}
		b.Multiply(k)
		if t.plan.Shares(k) {
			k++
		}
	}
}

// mask is the bit of a row, if it is set.
func mask(set bool, row int) uint32 {
	if set {
		return 1 << row
	}
	return 0
}

// firstNonFiniteRow returns the error of the first such row of any dense source.
func (t *TensorSketch) firstNonFiniteRow(row, count int) *Error {
	var first *Error
	for k := range t.work.sources {
		s := &t.work.sources[k]
		if s.sparse {
			continue
		}
		if e := s.firstNonFiniteRow(row, count, t.params.FeaturesOf(k)); e != nil && (first == nil || e.Row < first.Row) {
			first = t.ofSource(e, k).(*Error)
		}
	}
	return first
}

// countSketch adds the rows' count sketch of degree k: Σ_{i: h(i)=j} s(i)·w·x_i in
// bucket j, in the order of the coordinates, the constant one last.
func (t *TensorSketch) countSketch(k, row, count int) {
	s, d := &t.work.sources[min(k, len(t.work.sources)-1)], t.params.FeaturesOf(k)
	if s.sparse {
		t.addSparse(s, k, count)
	} else {
		t.addDense(s, k, row, count, d)
	}
	if t.params.Coef0 > 0 {
		t.work.block.AddConstant(k, t.work.hash.at(k, d))
	}
}

func (t *TensorSketch) addDense(s *source, k, row, count, d int) {
	b, first := t.work.block, k == 0 || len(t.work.sources) > 1
	for from := 0; from < d; from += block.Stretch {
		n := min(block.Stretch, d-from)
		if first || d > n { // else they are loaded from the degree before
			b.Load(s.dense[row*d+from:], d, n, count, first)
		}
		b.AddLoaded(k, t.work.hash.entries(t.work.entries, k, from, n))
	}
}

func (t *TensorSketch) addSparse(s *source, k, count int) {
	for lane := range count {
		r := s.block[lane]
		for len(r.indices) > 0 {
			n := min(len(t.work.entries), len(r.indices))
			t.work.block.AddSparse(k, lane, t.work.hash.entriesOf(t.work.entries, k, r.indices[:n]), r.data[:n])
			r.indices, r.data = r.indices[n:], r.data[n:]
		}
	}
}

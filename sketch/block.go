package sketch

import "unsafe"

// This file sketches one block: up to lanes rows side by side, laid out as
// [coordinate][lane], so that every step is a plain operation on vecs and each
// row's arithmetic is that of the row alone.

// Lanes is the number of rows of a block. It has no influence on any result.
const Lanes = lanes

// floats returns the numbers of a slice of vecs, coordinate by coordinate.
func floats(z []vec) []float32 {
	if len(z) == 0 {
		return nil
	}
	return unsafe.Slice((*float32)(unsafe.Pointer(&z[0])), len(z)*lanes)
}

// workspace is the memory of one block, allocated once per map.
type workspace struct {
	sources []source
	input   []vec   // a stretch of coordinates of the rows, transposed
	entries []entry // their hashes, where there is no table
	sketch  []vec   // count sketches of one or two degrees, then their transform
	product []vec   // product of the spectra so far
	fft     []vec   // scratch of the transform
}

func newWorkspace(p *Params, plan *plan) workspace {
	size := workspaceSize(p, plan.odd, plan.fft.scratch())
	return workspace{
		sources: make([]source, 0, p.Degree),
		input:   make([]vec, size.input),
		entries: make([]entry, size.entries),
		sketch:  make([]vec, size.sketch),
		product: make([]vec, size.product),
		fft:     make([]vec, size.fft),
	}
}

// checkBlock readies the sources for rows row … row+count−1. It returns the first
// bad row of any source with its error.
func (t *TensorSketch) checkBlock(row, count int) (bad int, err error) {
	bad = -1
	for k := range t.work.sources {
		r, e := t.work.sources[k].load(row, count, t.params.FeaturesOf(k))
		if e != nil && (err == nil || r < bad) {
			bad, err = r, e
			if len(t.work.sources) > 1 {
				err = ofDegree(e, k)
			}
		}
	}
	return bad, err
}

// transformBlock writes the features of rows row … row+count−1 into out.
func (t *TensorSketch) transformBlock(out []float32, row, count int) {
	w, p := &t.work, t.plan
	if p.direct {
		clear(w.sketch)
		t.countSketch(0, row, count, p.weights[0], 1, 0)
		t.store(out, w.sketch, count, 1)
	} else {
		t.spectrumProduct(row, count)
		if t.params.Output == OutputSpectrum {
			p.storeSpectrum(w.sketch, w.product)
			t.store(out, w.sketch, count, 1)
		} else {
			p.merge(w.sketch, w.product)
			p.fft.backward(w.sketch, w.fft)
			t.store(out, w.sketch, count, p.stride)
		}
	}
	if t.params.Normalize == NormalizeKernel {
		D := t.params.NComponents
		for r := range count {
			t.normalizeRow(out[r*D:(r+1)*D], row+r)
		}
	}
}

// spectrumProduct leaves the product of the degrees' spectra in work.product.
func (t *TensorSketch) spectrumProduct(row, count int) {
	w, p := &t.work, t.plan
	first := true
	for k := 0; k < t.params.Degree; first = false {
		clear(w.sketch)
		switch {
		case !p.odd:
			t.countSketch(k, row, count, p.weights[k], 1, 0)
			p.fft.forward(w.sketch, w.fft)
			p.multiplyHalf(w.product, w.sketch, first)
			k++
		case p.shares(k, t.params.Degree):
			t.countSketch(k, row, count, p.weights[k], 2, 0)
			t.countSketch(k+1, row, count, p.weights[k+1], 2, 1)
			p.fft.forward(w.sketch, w.fft)
			p.multiplyTwo(w.product, w.sketch, first)
			k += 2
		default:
			t.countSketch(k, row, count, p.weights[k], 2, 0)
			p.fft.forward(w.sketch, w.fft)
			p.multiplyOne(w.product, w.sketch, first)
			k++
		}
	}
}

// countSketch adds the count sketch of degree k to every stride-th vec of
// work.sketch from offset on: Σ_{i: h(i)=j} s(i)·w·x_i in bucket j, in the order
// of the coordinates, the constant one last.
func (t *TensorSketch) countSketch(k, row, count int, w weight, stride, offset int) {
	s := &t.work.sources[min(k, len(t.work.sources)-1)]
	d := t.params.FeaturesOf(k)
	if s.sparse {
		t.countSketchSparse(s, k, count, w, stride, offset)
	} else {
		t.countSketchDense(s, k, row, count, w, stride, offset)
	}
	if t.params.Coef0 > 0 {
		e := t.hash.at(k, d)
		z := &t.work.sketch[e.bucket()*stride+offset]
		*z = z.Add(splat(w.constant * e.sign()))
	}
}

func (t *TensorSketch) countSketchDense(s *source, k, row, count int, w weight, stride, offset int) {
	d := t.params.FeaturesOf(k)
	z, signed := t.work.sketch[offset:], [2]vec{splat(w.feature), splat(-w.feature)}
	for from := 0; from < d; from += len(t.work.input) {
		n := min(len(t.work.input), d-from)
		input := t.work.input[:n]
		entries := t.hash.entries(t.work.entries, k, from, n)
		transposeIn(input, s.dense[row*d+from:], d, count)
		for i, e := range entries {
			at := &z[e.bucket()*stride]
			*at = at.Add(input[i].Mul(signed[e.minus()]))
		}
	}
}

func (t *TensorSketch) countSketchSparse(s *source, k, count int, w weight, stride, offset int) {
	z, signed := floats(t.work.sketch[offset:]), [2]float32{w.feature, -w.feature}
	for lane := range count {
		r := &s.block[lane]
		for i, column := range r.indices {
			e := t.hash.at(k, int(column))
			at := &z[e.bucket()*stride*lanes+lane]
			*at += float32(r.data[i] * signed[e.minus()])
		}
	}
}

// transposeIn lays the first len(input) numbers of count rows of length d side
// by side. Lanes without a row are 0.
func transposeIn(input []vec, rows []float32, d, count int) {
	flat := floats(input)
	if count < lanes {
		clear(input)
	}
	for lane := range count {
		row := rows[lane*d : lane*d+len(input)]
		for i, v := range row {
			flat[i*lanes+lane] = v
		}
	}
}

// store writes the first D of every stride-th vec of z to count rows of out.
func (t *TensorSketch) store(out []float32, z []vec, count, stride int) {
	flat, D := floats(z), t.params.NComponents
	for lane := range count {
		row := out[lane*D : (lane+1)*D]
		for i := range row {
			row[i] = flat[i*stride*lanes+lane]
		}
	}
}

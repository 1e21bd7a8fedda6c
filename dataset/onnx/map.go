package onnx

import (
	"math"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A sketchGraph computes the features of a map. A tensor sketch is a convolution of count sketches,
// so its spectrum is the product of theirs:
//
//	X_m = Π_k Σ_i σ_k(i)·x_i·exp(−2πi·h_k(i)·m/n)
//
// with n buckets and signs σ. Two real matrices of d rows for each degree give the real and the
// imaginary parts of the factors. All cosines are in one table of 4n numbers, from which the graph
// takes its matrices: a runtime makes them once, when it loads the file, and the file has two integers
// for each coordinate.
//
// The parts of a row are arrays N × M, or N × t × M with t > 1 repeats.
type sketchGraph struct {
	*graph
	shape
	hash     func(repeat, k, i int) (bucket, sign int)
	re, im   string // of the spectra; if direct, re is the features
	cosTable string
	has      map[string]bool // constants of several uses
}

// A shape says which arrays a map needs.
type shape struct {
	p       *sketch.Params
	n       int  // buckets
	complex bool // features
	direct  bool // a count sketch, without a spectrum
	parts   int  // M: frequencies, or features of a repeat if direct
}

func newShape(p *sketch.Params) shape {
	s := shape{p: p, n: p.NComponents, complex: p.Method == sketch.MethodComplexTensorSketch,
		direct: p.Degree == 1 && p.Output == sketch.OutputReal} // random Fourier features too
	if s.complex {
		s.n /= 2
	}
	switch {
	case s.direct:
		s.parts = p.NComponents
	case s.complex:
		s.parts = s.n
	default:
		s.parts = s.n/2 + 1 // the spectrum of real numbers is symmetric
	}
	return s
}

// vectors returns the lengths of the vectors of a row: one, or one for each degree.
func (s *shape) vectors() []int {
	if s.p.NFeaturesEach != nil {
		return s.p.NFeaturesEach
	}
	return []int{s.p.NFeatures}
}

// width returns the length of a row.
func (s *shape) width() (d int) {
	for _, n := range s.vectors() {
		d += n
	}
	return d
}

// numbers returns how many numbers the matrices have that a runtime makes, and how many the file has for them.
func (s *shape) numbers(alone bool) (matrices, written float64) {
	if s.p.Method == sketch.MethodRandomFourier {
		return fourierNumbers(s.p), fourierNumbers(s.p)
	}
	sketches := float64(s.p.Degree) * float64(s.p.Repeats)
	hashes := float64(s.width()) * sketches
	if s.p.NFeaturesEach != nil {
		hashes = float64(s.width()) * float64(s.p.Repeats)
	}
	constants := sketches * float64(s.parts)
	if s.direct {
		return hashes * float64(s.parts), 2*hashes + constants
	}
	matrices = 2 * hashes * float64(s.parts)
	if alone && s.p.Output == sketch.OutputReal {
		matrices += 2 * float64(s.parts) * float64(s.p.NComponents)
	}
	return matrices, 2*hashes + 2*constants + 4*float64(s.n)
}

func newSketchGraph(g *graph, p *sketch.Params, hash func(repeat, k, i int) (bucket, sign int)) *sketchGraph {
	return &sketchGraph{graph: g, shape: newShape(p), hash: hash, has: map[string]bool{}}
}

// compute adds the nodes from a row to re and im.
func (s *sketchGraph) compute(row string) error {
	p := s.p
	if p.Method == sketch.MethodRandomFourier {
		return s.fourier(row)
	}
	if p.Gamma != 1 {
		row = s.node("Mul", "scaled", []string{row, s.floats("root of gamma", nil, float32(math.Sqrt(p.Gamma)))})
	}
	vectors := []string{row}
	if p.NFeaturesEach != nil {
		vectors = vectors[:0]
		first := 0
		for k, d := range s.vectors() {
			ends := []string{s.integers(label("first of", k), []int{1}, int64(first)),
				s.integers(label("end of", k), []int{1}, int64(first+d)), s.integers(label("axis of", k), []int{1}, 1)}
			vectors = append(vectors, s.node("Slice", label("vector", k), append([]string{row}, ends...)))
			first += d
		}
	}
	if !s.direct {
		table := make([]float32, 4*s.n)
		for i := range table {
			table[i] = float32(portable.CosTurns(float64(i) / float64(len(table))))
		}
		s.cosTable = s.floats("cosines", []int{len(table)}, table...)
	}
	switch {
	case s.direct:
		s.countSketch(vectors[0])
	case p.NFeaturesEach == nil:
		s.spectra(row, 0, p.Degree)
	default:
		for k, vector := range vectors {
			s.spectra(vector, k, 1)
		}
	}
	if p.Normalize == sketch.NormalizeKernel {
		s.normalize(vectors)
	}
	return nil
}

// label names a value of a degree or of a vector.
func label(name string, k int) string { return name + " " + portable.FormatNumber(float64(k)) }

// eachHash yields the hashes of degrees first … first+count−1: for place `at` of an array coordinates × degrees ×
// repeats the bucket, and the sign as quarter turns. The constant coordinate comes last.
func (s *sketchGraph) eachHash(first, count int, use func(at, coordinate, k int, bucket, quarters int)) {
	t, d := s.p.Repeats, s.p.FeaturesOf(first)
	width := d
	if s.p.Coef0 > 0 {
		width++
	}
	for i := range width {
		for k := range count {
			for r := range t {
				bucket, sign := s.hash(r, first+k, i)
				quarters := 1 - sign // of a turn
				if s.complex {
					quarters += bucket % 2
					bucket /= 2
				}
				use((i*count+k)*t+r, i, k, bucket, quarters)
			}
		}
	}
}

// countSketch adds the features of degree 1: one matrix with a ±1 in each row.
func (s *sketchGraph) countSketch(row string) {
	p := s.p
	d, t := s.p.FeaturesOf(0), p.Repeats
	buckets, signs := make([]int32, d*t), make([]float32, d*t)
	constant := make([]float32, t*p.NComponents)
	for i := range d + 1 {
		if i == d && p.Coef0 == 0 {
			break
		}
		for r := range t {
			bucket, sign := s.hash(r, 0, i)
			if i == d {
				constant[r*p.NComponents+bucket] = float32(float64(sign) * math.Sqrt(p.Coef0))
			} else {
				buckets[i*t+r], signs[i*t+r] = int32(bucket), float32(sign)
			}
		}
	}
	matrix := s.node("OneHot", "one in each bucket", []string{s.wide("buckets", []int{d, t}, buckets),
		s.integers("components", nil, int64(p.NComponents)), s.floats("off and on", []int{2}, 0, 1)})
	matrix = s.node("Mul", "signs in buckets", []string{matrix, s.floats("signs", []int{d, t, 1}, signs...)})
	matrix = s.node("Reshape", "matrix", []string{matrix, s.integers("of the matrix", []int{2}, int64(d), -1)})
	s.re = s.gemm("count sketch", row, matrix, constant)
	s.re = s.byRepeat(s.re)
}

// gemm adds a product with a matrix, plus a constant row. The row is left out if it is 0.
func (s *sketchGraph) gemm(name, row, matrix string, constant []float32) string {
	inputs := []string{row, matrix}
	for _, c := range constant {
		if c != 0 {
			inputs = append(inputs, s.floats("constant of "+name, []int{len(constant)}, constant...))
			break
		}
	}
	return s.node("Gemm", name, inputs)
}

// byRepeat gives an array N × tM a dimension for the repeats, if there are several.
func (s *sketchGraph) byRepeat(name string) string {
	if s.p.Repeats == 1 {
		return name
	}
	return s.node("Reshape", name+" by repeat", []string{name,
		s.integers("shape of "+name, []int{3}, 0, int64(s.p.Repeats), int64(s.parts))})
}

// spectra multiplies the spectra of the count sketches of degrees first … first+count−1 of one row onto re and im.
func (s *sketchGraph) spectra(row string, first, count int) {
	p := s.p
	d, t := p.FeaturesOf(first), p.Repeats
	each := count * t
	steps, turns := make([]int32, d*each), make([]int32, d*each)
	real, imaginary := make([]float32, each*s.parts), make([]float32, each*s.parts)
	s.eachHash(first, count, func(at, i, k, bucket, quarters int) {
		if i < d {
			steps[at], turns[at] = int32(4*bucket), int32((4-quarters)%4*s.n)
			return
		}
		for m := range s.parts { // the constant coordinate
			at := at % each * s.parts
			angle := float64((4*bucket*m+(4-quarters)%4*s.n)%(4*s.n)) / float64(4*s.n)
			real[at+m] = float32(math.Sqrt(p.Coef0) * portable.CosTurns(angle))
			imaginary[at+m] = float32(math.Sqrt(p.Coef0) * -portable.SinTurns(angle))
		}
	})
	suffix := ""
	if p.NFeaturesEach != nil {
		suffix = label(" of vector", first)
	}
	frequencies := s.once("frequencies", func(name string) { s.integers(name, []int{s.parts}, upTo(s.parts)...) })
	cosines, sines := s.matrices("spectra"+suffix, []int{d, each, 1}, steps, turns, frequencies, d)
	re, im := s.gemm("real"+suffix, row, cosines, real), s.gemm("imaginary"+suffix, row, sines, imaginary)
	if count > 1 {
		s.split(re, count)
		s.split(im, count)
	}
	for k := range count {
		a, b := re, im
		if count > 1 {
			a, b = re+label(" of degree", k), im+label(" of degree", k)
		}
		a, b = s.byRepeat(a), s.byRepeat(b)
		if s.re == "" {
			s.re, s.im = a, b
			continue
		}
		s.multiply(a, b, first+k)
	}
}

// once adds a constant at the first call.
func (s *sketchGraph) once(name string, add func(name string)) string {
	if !s.has[name] {
		s.has[name] = true
		add(name)
	}
	return name
}

func upTo(n int) []int64 {
	list := make([]int64, n)
	for i := range list {
		list[i] = int64(i)
	}
	return list
}

// split cuts the columns of an array into equal parts, one for each degree.
func (s *sketchGraph) split(name string, count int) {
	var outputs []string
	for k := range count {
		outputs = append(outputs, name+label(" of degree", k))
	}
	s.nodes = append(s.nodes, node("Split", outputs, []string{name}, []attribute{axis(1)}))
}

// multiply multiplies re + i·im by a + i·b.
func (s *sketchGraph) multiply(a, b string, k int) {
	product := func(name, x, y string) string { return s.node("Mul", label(name, k), []string{x, y}) }
	re := s.node("Sub", label("real product", k), []string{product("re re", s.re, a), product("im im", s.im, b)})
	im := s.node("Add", label("imaginary product", k), []string{product("re im", s.re, b), product("im re", s.im, a)})
	s.re, s.im = re, im
}

// wide adds integers as int64, for which the file has half of the bytes.
func (s *sketchGraph) wide(name string, dims []int, values []int32) string {
	narrow := s.constant(name, int32Tensor(name, dims, values))
	return s.node("Cast", name+" in 64 bits", []string{narrow}, to(typeInt64))
}

// matrices adds two constants with this number of rows: the real and the imaginary part of exp(−2πi·angle) for each
// angle (step·factor + turn)/4n. The imaginary part, −sin, is the cosine a quarter turn further.
func (s *sketchGraph) matrices(name string, dims []int, steps, turns []int32, factors string, rows int) (re,
	im string) {
	circle := s.once("circle", func(name string) { s.integers(name, nil, int64(4*s.n)) })
	quarter := s.once("quarter", func(name string) { s.integers(name, nil, int64(s.n)) })
	angles := s.node("Mul", "angles of "+name, []string{s.wide("steps of "+name, dims, steps), factors})
	angles = s.node("Add", "turned angles of "+name, []string{angles, s.wide("turns of "+name, dims, turns)})
	shape := s.integers("shape of "+name, []int{2}, int64(rows), -1)
	take := func(part, angles string) string {
		at := s.node("Mod", part+" places of "+name, []string{angles, circle})
		taken := s.node("Gather", part+" numbers of "+name, []string{s.cosTable, at})
		return s.node("Reshape", part+" matrix of "+name, []string{taken, shape})
	}
	return take("real", angles), take("imaginary", s.node("Add", "further angles of "+name, []string{angles, quarter}))
}

// normalize multiplies each sketch to the norm κ(x, x)^½ of its row. A sketch that is 0 stays so.
func (s *sketchGraph) normalize(vectors []string) {
	p := s.p
	norm := ""
	for k, vector := range vectors {
		square := s.node("ReduceSumSquare", label("squared norm", k), []string{vector}, axes(1), keepDims(1))
		if p.Coef0 > 0 {
			square = s.node("Add", label("kernel", k), []string{square, s.once("coef0", func(name string) {
				s.floats(name, nil, float32(p.Coef0))
			})})
		}
		root := s.node("Sqrt", label("root", k), []string{square})
		if norm == "" {
			norm = root
		} else {
			norm = s.node("Mul", label("norm up to", k), []string{norm, root})
		}
	}
	if p.NFeaturesEach == nil && p.Degree > 1 {
		norm = s.node("Pow", "norm", []string{norm, s.floats("degree", nil, float32(p.Degree))})
	}
	if p.Repeats > 1 {
		norm = s.node("Reshape", "norm by repeat", []string{norm, s.integers("of the norm", []int{3}, 0, 1, 1)})
	}
	square := s.node("Mul", "squares", []string{s.re, s.re})
	if !s.direct {
		square = s.node("Add", "all squares", []string{square, s.node("Mul", "imaginary squares", []string{s.im, s.im})})
	}
	weights := make([]float32, s.parts)
	for m := range weights {
		weights[m] = float32(s.weight(m))
	}
	square = s.node("MatMul", "squared length", []string{square, s.floats("weights of squares", []int{s.parts, 1},
		weights...)})
	isPositive := s.node("Greater", "is not 0", []string{square, s.floats("nought", nil, 0)})
	square = s.node("Where", "divisor squared", []string{isPositive, square, s.floats("one", nil, 1)})
	factor := s.node("Div", "factor", []string{norm, s.node("Sqrt", "divisor", []string{square})})
	s.re = s.node("Mul", "real normalised", []string{s.re, factor})
	if !s.direct {
		s.im = s.node("Mul", "imaginary normalised", []string{s.im, factor})
	}
}

// weight returns how much part m counts in the sum of squares of the features. Of real features each frequency but the
// first and the middle one stands for two.
func (s *sketchGraph) weight(m int) float64 {
	switch {
	case s.direct:
		return 1
	case s.complex || m == 0 || 2*m == s.n:
		return 1 / float64(s.n)
	}
	return 2 / float64(s.n)
}

// repeatScale is the factor of the features of each repeat.
func (s *sketchGraph) repeatScale() float64 { return 1 / math.Sqrt(float64(s.p.Repeats)) }

// features adds the features as the output of the map alone.
func (s *sketchGraph) features() string {
	p := s.p
	D, scale := p.NComponents, s.repeatScale()
	row := s.re
	switch {
	case s.direct:
	case p.Output == sketch.OutputSpectrum:
		row = s.node("Concat", "spectrum", []string{s.re, s.im}, axis(-1))
		order, factors := make([]int64, D), make([]float32, D)
		for j := range D {
			m, part, factor := s.spectrumAt(j)
			order[j], factors[j] = int64(part*s.parts+m), float32(factor*scale)
		}
		row = s.node("Gather", "ordered spectrum", []string{row, s.integers("order", []int{D}, order...)}, axis(-1))
		row = s.node("Mul", "scaled spectrum", []string{row, s.floats("scale", []int{D}, factors...)})
		scale = 1
	default:
		steps, turns := make([]int32, D), make([]int32, D)
		for j := range D {
			steps[j] = int32(4 * j)
			if s.complex { // real and imaginary parts alternate
				steps[j], turns[j] = int32(4*(j/2)), int32(j%2*3*s.n)
			}
		}
		frequencies := s.integers("frequencies as rows", []int{s.parts, 1}, upTo(s.parts)...)
		cosines, sines := s.matrices("inverse", []int{1, D}, steps, turns, frequencies, s.parts)
		weights := make([]float32, s.parts)
		for m := range weights {
			weights[m] = float32(s.weight(m) * scale)
		}
		scale = 1
		at := s.floats("weights of frequencies", []int{s.parts, 1}, weights...)
		back := func(part, x, matrix string) string {
			weighted := s.node("Mul", part+" inverse", []string{matrix, at})
			return s.node("MatMul", part+" features", []string{x, weighted})
		}
		row = s.node("Add", "convolution", []string{back("real", s.re, cosines), back("imaginary", s.im, sines)})
	}
	if scale != 1 {
		row = s.node("Mul", "mean of repeats", []string{row, s.floats("repeat scale", nil, float32(scale))})
	}
	return s.flat(row, "all features")
}

// flat undoes byRepeat.
func (s *sketchGraph) flat(row, name string) string {
	if s.p.Repeats == 1 {
		return row
	}
	return s.node("Reshape", name, []string{row, s.integers("shape of "+name, []int{2}, 0, -1)})
}

// spectrumAt returns which part of the spectrum feature j of a map with spectra is, and its factor: part 0 is real,
// part 1 imaginary.
func (s *sketchGraph) spectrumAt(j int) (m, part int, factor float64) {
	factor = 1 / math.Sqrt(float64(s.n))
	ends := 1 // frequencies without an imaginary part
	switch {
	case s.complex:
		return j / 2, j % 2, factor
	case s.n%2 == 0:
		ends = 2
	}
	if j < ends {
		return j * s.n / 2, 0, factor
	}
	return 1 + (j-ends)/2, (j - ends) % 2, factor * math.Sqrt2
}

// scores adds the node that computes the scores of a linear model of the features from the spectrum.
func (s *sketchGraph) scores(name string, intercept, weights []float64) string {
	p := s.p
	t, D, K := p.Repeats, p.NComponents, len(intercept)
	row, parts := s.flat(s.re, "all real"), 1
	if !s.direct {
		parts = 2
		row = s.node("Concat", "spectrum", []string{row, s.flat(s.im, "all imaginary")}, axis(1))
	}
	matrix := make([]float32, parts*t*s.parts*K)
	table := newRoots(s.n)
	for k := range K {
		for r := range t {
			re, im := s.absorb(weights[(k*t+r)*D:(k*t+r+1)*D], table)
			for m := range s.parts {
				matrix[(r*s.parts+m)*K+k] = float32(re[m] * s.repeatScale())
				if !s.direct {
					matrix[((t+r)*s.parts+m)*K+k] = float32(im[m] * s.repeatScale())
				}
			}
		}
	}
	constant := make([]float32, K)
	for k, b := range intercept {
		constant[k] = float32(b)
	}
	inputs := []string{row, s.floats("weights", []int{parts * t * s.parts, K}, matrix...),
		s.floats("intercept", []int{K}, constant...)}
	return s.node("Gemm", name, inputs)
}

// absorb returns the weights of the real and imaginary parts of the spectrum that give the same sum as
// these weights of the features. The inverse transform is linear, so that its adjoint acts on them:
//
//	Σ_j w_j·f_j = Σ_m c_m·(Re U_m·Re X_m + Im U_m·Im X_m),   U_m = Σ_j w_j·exp(−2πi·jm/n)
//
// with c_m of weight. Weights of complex features are complex numbers.
func (s *sketchGraph) absorb(w []float64, table *roots) (re, im []float64) {
	switch {
	case s.direct:
		return w, nil
	case s.p.Output == sketch.OutputSpectrum:
		re, im = make([]float64, s.parts), make([]float64, s.parts)
		for j, v := range w {
			m, part, factor := s.spectrumAt(j)
			[][]float64{re, im}[part][m] = v * factor
		}
		return re, im
	}
	re, im = w, make([]float64, s.n)
	if s.complex {
		re = make([]float64, s.n)
		for j := range s.n {
			re[j], im[j] = w[2*j], w[2*j+1]
		}
	}
	re, im = table.transform(re, im, 1)
	for m := range s.parts {
		re[m] *= s.weight(m)
		im[m] *= s.weight(m)
	}
	return re, im
}

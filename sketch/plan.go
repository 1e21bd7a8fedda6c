package sketch

import (
	"math"
	"strconv"
)

// A PlanQuestion asks Plan which map estimates the kernel (γ⟨x,y⟩ + c)^p of rows of
// NFeatures numbers best, and with which D. The zero value of a field stands for its
// default.
//
// With Epsilon it asks at equal error, else at equal cost.
type PlanQuestion struct {
	NFeatures   int      // d, 1 … MaxFeatures
	NNZPerRow   int      // numbers of a CSR row, 1 … d; default the mean of a CSR sample, else d, which is dense rows
	Degree      int      // p, 1 … MaxDegree; default 2
	Gamma       float64  // γ > 0; default 1
	Coef0       float64  // c ≥ 0; default 0
	Sample      Rows     // at least 2 rows like those to come; nil for unit rows at Cosine
	Cosine      float64  // −1 … 1, without a sample; default 0
	Epsilon     float64  // the error wanted, > 0
	Delta       float64  // the probability, between 0 and 1, of an error beyond Epsilon; default 0.05
	NComponents int      // D of the first method, whose time per row all get, 1 … MaxComponents; default 1024
	Methods     []string // default every one of Methods that has this kernel whatever the rows
}

// A PlanAnswer is a map that may be taken.
type PlanAnswer struct {
	Method             string
	NComponents        int
	PredictedSigma     float64 // root mean square error over pairs of rows and over seeds; NaN if Kind is Unknown
	Kind               Kind
	MicrosecondsPerRow float64 // as Cost tells
	Reached            bool    // with Epsilon: the answer comes to it
}

const (
	planRows       = 1024    // rows of a sample that are looked at
	planPairs      = 512     // pairs of them
	planWidth      = 4096    // numbers of the rows that stand for a sample
	planLandmarks  = 256     // the most landmarks that are tried
	planMeasured   = 128     // rows whose pairs show the error with landmarks
	planSeeds      = 64      // landmarks of all seeds together, where there are few
	planMatrix     = 1 << 19 // the most numbers of landmarks
	planNumbers    = 1 << 21 // of all pairs together where rows are wide, but for
	planLeast      = 64      // so many pairs
	planComponents = 1024    // the default of NComponents, and where searches begin
	planDelta      = 0.05
)

// Plan answers which maps, with which D, estimate the kernel at the least cost, the
// best first.
//
// At equal error an answer has the least D with z·σ ≤ Epsilon, z being the normal
// quantile of 1 − Delta/2 and σ PredictedSigma, and answers are sorted by time; methods
// that do not come to that follow, by σ, with the most components that they can have.
// At equal cost an answer has the most components for which a row takes no longer than
// one of the first of Methods with NComponents, or the least there are, and answers
// are sorted by σ. D is rounded to what is quick to compute with.
//
// σ² is the mean of variance and squared bias over at most 512 pairs among 1024 rows of
// the sample, chosen at random but always in the same way, and Kind that of the variances. Without a sample it is that of one pair,
// unit rows at Cosine with NNZPerRow coordinates in common and Σ x_i²·y_i² = 1/NNZPerRow.
// That of nystroem is Measured, on pairs of one half of these rows with landmarks from the other,
// so that D is at most half the rows, and at most 256.
//
// Maps of another kernel are no answer. Nor is spherical, unless it is named, γ ≤ ½,
// c = 1 − γ and rows have norm 1: then it has this kernel with a = √(2/γ).
//
// The error is an *Error with code ErrParam, or about the sample as TransformRows has it.
func Plan(question PlanQuestion) ([]PlanAnswer, error) {
	pl := planner{PlanQuestion: question}
	if err := pl.validate(); err != nil {
		return nil, err
	}
	if err := pl.load(); err != nil {
		return nil, err
	}
	methods, err := pl.methods()
	if err != nil {
		return nil, err
	}
	wanted, budget := pl.Epsilon/-normalQuantile(pl.Delta/2), 0.0
	if pl.Epsilon == 0 {
		budget = Cost(pl.params(methods[0], pl.NComponents), pl.NNZPerRow)
	}
	var answers []PlanAnswer
	for i, method := range methods {
		c := pl.candidate(method)
		var D int
		switch {
		case pl.Epsilon > 0:
			D = c.leastFor(wanted)
		case i > 0:
			D = c.mostFor(budget)
		case pl.NComponents > c.most:
			return nil, paramError("nComponents", strconv.Itoa(pl.NComponents), "be at most "+strconv.Itoa(c.most)+" for method "+strconv.Quote(method)+" with this sample")
		default:
			D = pl.NComponents
		}
		sigma, kind := c.sigma(D)
		a := PlanAnswer{method, D, sigma, kind, c.cost(D), pl.Epsilon > 0 && sigma <= wanted}
		answers = append(answers, a)
		for k := len(answers) - 1; k > 0 && a.isBefore(&answers[k-1]); k-- {
			answers[k-1], answers[k] = a, answers[k-1]
		}
	}
	return answers, nil
}

// MemoryBytes returns about the most bytes that Plan allocates for a sample of so many
// rows, none for 0, with up to width numbers each that are not 0.
func (q *PlanQuestion) MemoryBytes(rows, width int) int64 {
	if rows == 0 {
		return 1 << 20
	}
	kept := min(int64(rows), planRows)
	pairs := min(kept*(kept-1)/2, planPairs, max(planLeast, planNumbers/int64(max(1, width))))
	total := 8*int64(rows) + int64(width)*(16*kept+64*pairs) // rows twice while they grow, unions of two
	if kept >= 4 {
		total += 24*min(planMatrix, kept*int64(q.NFeatures)) + 16*planLandmarks*(planLandmarks+planMeasured) // Nyström
	}
	return total + 1<<20
}

// isBefore tells whether an answer is better than another: with an error wanted, by
// whether it comes to that, and then by time.
func (a *PlanAnswer) isBefore(b *PlanAnswer) bool {
	switch {
	case a.Reached != b.Reached:
		return a.Reached
	case a.Reached:
		return a.MicrosecondsPerRow < b.MicrosecondsPerRow
	}
	return a.PredictedSigma < b.PredictedSigma || b.Kind == Unknown && a.Kind != Unknown
}

// planner is a question with its defaults filled in, and what its rows come to.
type planner struct {
	PlanQuestion
	rows  []sparseRow    // of the sample
	pairs [][2][]float64 // without columns in which both are 0
}

// validate fills in defaults, and checks all but the sample and the methods.
func (pl *planner) validate() error {
	atCost := pl.NComponents != 0
	if !atCost {
		pl.NComponents = planComponents
	}
	p := pl.params(MethodTensorSketch, pl.NComponents)
	if err := p.Validate(); err != nil {
		return err
	}
	pl.Degree, pl.Gamma = p.Degree, p.Gamma
	switch {
	case pl.NNZPerRow < 0 || pl.NNZPerRow > pl.NFeatures:
		return paramError("nnzPerRow", strconv.Itoa(pl.NNZPerRow), "be an integer from 1 to nFeatures = "+strconv.Itoa(pl.NFeatures))
	case !(pl.Cosine >= -1 && pl.Cosine <= 1):
		return paramError("cosine", formatFloat(pl.Cosine), "be a number from -1 to 1")
	case pl.Cosine != 0 && pl.Sample != nil:
		return paramError("cosine", formatFloat(pl.Cosine), "be left out with a sample, whose rows have angles of their own")
	case pl.Epsilon != 0 && atCost:
		return paramError("epsilon", formatFloat(pl.Epsilon), "be left out with nComponents: ask for an error, or for what one costs")
	case pl.Epsilon == 0 && pl.Delta != 0:
		return paramError("delta", formatFloat(pl.Delta), "be left out without epsilon, the error whose probability it is")
	}
	if pl.Delta == 0 {
		pl.Delta = planDelta
	}
	if pl.Epsilon != 0 {
		return checkQuestion(pl.Epsilon, pl.Delta)
	}
	return nil
}

// params are those of a method with D components.
func (pl *planner) params(method string, D int) Params {
	p := Params{Method: method, NFeatures: pl.NFeatures, NComponents: D, Degree: pl.Degree, Gamma: pl.Gamma, Coef0: pl.Coef0}
	if method == MethodSpherical {
		p.Gamma, p.Coef0, p.MethodParams.A = 1, 0, math.Sqrt(2/pl.Gamma)
	}
	return p.WithDefaults()
}

// methods returns those to answer with.
func (pl *planner) methods() ([]string, error) {
	if pl.Methods == nil {
		var names []string
		for _, name := range Methods() {
			if name != MethodCountSketch && name != MethodSpherical && pl.refuse(name) == "" {
				names = append(names, name)
			}
		}
		return names, nil
	}
	if len(pl.Methods) == 0 {
		return nil, paramError("methods", "none", "name a method, or be left out")
	}
	for i, name := range pl.Methods {
		if contains(pl.Methods[:i], name) {
			return nil, paramError("methods["+strconv.Itoa(i)+"]", quote(name), "be named once")
		}
		if want := pl.refuse(name); want != "" {
			return nil, paramError("methods["+strconv.Itoa(i)+"]", strconv.Quote(name), want)
		}
		D := pl.NComponents
		if i > 0 || pl.Epsilon != 0 {
			D = 2 // which every method takes
		}
		p := pl.params(name, D)
		if err := p.Validate(); err != nil {
			return nil, err
		}
	}
	return pl.Methods, nil
}

// refuse returns "" or why a method is no answer, as errors put it.
func (pl *planner) refuse(name string) (want string) {
	if methodOf(name) == nil {
		return "be one of " + quoted(Methods())
	}
	switch name {
	case MethodRandomFourier, MethodTaylorSketch:
		return "be a map of the polynomial kernel, which that is not"
	case MethodNystroem:
		if len(pl.rows) < 4 || pl.NFeatures > planMatrix {
			return "be another method without a sample to fit and measure that one: at least 4 rows of up to " + strconv.Itoa(planMatrix) + " numbers"
		}
	case MethodSpherical:
		if !(pl.Gamma <= 0.5) || math.Abs(pl.Gamma+pl.Coef0-1) > 1e-12 {
			return "be another method unless gamma is at most 0.5 and coef0 is 1 - gamma, which is the kernel of that one"
		}
		for _, row := range pl.rows {
			if want := (sphericalCore{}).checkNorm(Dot(row.data, row.data)); want != "" {
				return "be another method for this sample, whose rows must " + want
			}
		}
	}
	return ""
}

// load reads the sample, or makes a pair to stand for one.
func (pl *planner) load() error {
	if pl.Sample == nil {
		if pl.NNZPerRow == 0 {
			pl.NNZPerRow = pl.NFeatures
		}
		return pl.makePair()
	}
	n, err := pl.Sample.count(pl.NFeatures)
	if err == nil && n < 2 {
		err = shapeError("X", strconv.Itoa(n)+" rows", "hold at least 2 rows")
	}
	if err == nil {
		err = pl.read(pl.Sample.source(), n)
	}
	if err != nil {
		e := *err.(*Error)
		e.Argument, e.RowsDone = "sample"+e.Argument[1:], -1 // X, X.indptr …
		return &e
	}
	width := 1
	for _, row := range pl.rows {
		width = max(width, len(row.indices))
	}
	for _, pair := range pairsOf(len(pl.rows), min(planPairs, max(planLeast, planNumbers/width))) {
		x, y := union(pl.rows[pair[0]], pl.rows[pair[1]])
		pl.pairs = append(pl.pairs, [2][]float64{x, y})
	}
	return nil
}

// read checks the n rows of the sample and keeps some, in an order that has nothing to
// do with theirs.
func (pl *planner) read(s source, n int) error {
	d := pl.NFeatures
	var sorter [1]sorter
	load := func(r int) error {
		if s.sparse {
			if bad, err := s.loadSparse(r, 1, d, sorter[:]); bad >= 0 {
				return err
			}
		} else if err := s.firstNonFiniteRow(r, 1, d); err != nil {
			return err
		}
		return nil
	}
	for r := range n {
		if err := load(r); err != nil {
			return err
		}
	}
	for _, r := range sample(IntSeed(0).randomness(0).stream(domainPlan, 0), n, min(n, planRows)) {
		if err := load(r); err != nil {
			return err
		}
		pl.rows = append(pl.rows, s.copyRow(r, d))
	}
	if pl.NNZPerRow == 0 {
		if pl.NNZPerRow = d; s.sparse {
			pl.NNZPerRow = (len(s.csr.Data) + n - 1) / n
		}
	}
	return nil
}

// copyRow returns the numbers of row r that are not 0, of a sparse one that is loaded.
func (s *source) copyRow(r, d int) (row sparseRow) {
	if s.sparse {
		return sparseRow{append(row.indices, s.block[0].indices...), append(row.data, s.block[0].data...)}
	}
	for i, v := range s.dense[r*d : (r+1)*d] {
		if v != 0 {
			row.indices, row.data = append(row.indices, int32(i)), append(row.data, v)
		}
	}
	return row
}

// pairsOf returns pairs of n rows: all, or that many at most, evenly spread.
func pairsOf(n, most int) [][2]int {
	total := n * (n - 1) / 2
	pairs := make([][2]int, min(total, most))
	for k := range pairs {
		i, at := 0, k*total/len(pairs)
		for ; at >= n-1-i; i++ {
			at -= n - 1 - i
		}
		pairs[k] = [2]int{i, i + 1 + at}
	}
	return pairs
}

// union returns two rows without the columns in which both are 0.
func union(a, b sparseRow) (x, y []float64) {
	most := len(a.indices) + len(b.indices)
	x, y = make([]float64, 0, most), make([]float64, 0, most)
	for len(a.indices)+len(b.indices) > 0 {
		inA := len(b.indices) == 0 || len(a.indices) > 0 && a.indices[0] <= b.indices[0]
		inB := len(a.indices) == 0 || len(b.indices) > 0 && b.indices[0] <= a.indices[0]
		var v, w float64
		if inA {
			v, a = float64(a.data[0]), sparseRow{a.indices[1:], a.data[1:]}
		}
		if inB {
			w, b = float64(b.data[0]), sparseRow{b.indices[1:], b.data[1:]}
		}
		x, y = append(x, v), append(y, w)
	}
	return x, y
}

// makePair makes unit rows x and y = cos·x + sin·z of m coordinates, all of one size in
// x and in z, so that Σ x_i²·y_i² = 1/m. For m = 1, z is a coordinate of its own.
func (pl *planner) makePair() error {
	m, sine := min(pl.NNZPerRow, planWidth), math.Sqrt(1-float64(pl.Cosine*pl.Cosine))
	if m == 1 {
		if pl.NFeatures == 1 && sine != 0 {
			return paramError("cosine", formatFloat(pl.Cosine), "be 1 or -1 for rows of one number")
		}
		pl.pairs = [][2][]float64{{{1, 0}, {pl.Cosine, sine}}}
		return nil
	}
	x, y := make([]float64, m), make([]float64, m)
	for i := range x {
		x[i] = 1 / math.Sqrt(float64(m))
		y[i] = float64(pl.Cosine * x[i])
		if other := sine / math.Sqrt(float64(m&^1)); i < m&^1 {
			y[i] += float64(other * float64(1-2*(i&1)))
		}
	}
	pl.pairs = [][2][]float64{{x, y}}
	return nil
}

// A candidate is a method that may be the answer.
type candidate struct {
	*planner
	method string
	law    law
	most   int // components

	nystroem *nystroemRows // of that method
}

func (pl *planner) candidate(method string) *candidate {
	c := &candidate{planner: pl, method: method, most: MaxComponents}
	p := pl.params(method, planComponents)
	c.law = methodOf(method).law(&p)
	switch method {
	case MethodCRAFT:
		c.most /= craftRatio
	case MethodNystroem:
		c.most = max(1, min(len(pl.rows)/2, planLandmarks, planMatrix/pl.NFeatures))
		c.nystroem = c.nystroemRows()
	}
	return c
}

// quick rounds a number of components down or up to one that is quick to compute with:
// an even product of 2, 3 and 5 for an FFT, an even number for complex features.
func (c *candidate) quick(D int, up bool) int {
	round, half := smooth, max(1, D/2)
	if up {
		round, half = smoothFrom, (D+1)/2
	}
	switch c.method {
	case MethodTensorSketch, MethodComplexTensorSketch, MethodTreeTensorSketch:
		return 2 * int(round(float64(half)))
	case MethodCRAFT:
		return int(round(float64(D)))
	case MethodComplexProjection, MethodComplexTensorSRHT:
		return 2 * half
	}
	return D
}

// sigma returns the root mean square error over pairs and seeds, and its kind.
func (c *candidate) sigma(D int) (float64, Kind) {
	square, kind := c.meanSquare(float64(D))
	if kind == Unknown || !finite(square) {
		return math.NaN(), Unknown
	}
	return math.Sqrt(max(0, square)), kind
}

func (c *candidate) meanSquare(D float64) (square float64, kind Kind) {
	if c.method == MethodNystroem {
		return c.measure(int(D)), Measured
	}
	for _, pair := range c.pairs {
		v, k := c.law.variance(pair[0], pair[1], D)
		if b, ok := c.law.(biased); ok {
			bias := b.bias(pair[0], pair[1])
			v += float64(bias * bias)
		}
		square, kind = square+v, max(kind, k)
	}
	return square / float64(len(c.pairs)), kind
}

// nystroemRows are what Nyström features are measured on: rows to choose landmarks
// from, and others with pairs of them and the kernels of these.
type nystroemRows struct {
	landmarks, measured CSR
	pairs               [][2]int
	kernels             []float64
}

// nystroemRows takes half of the rows that are looked at for landmarks, and some of the
// others.
func (c *candidate) nystroemRows() *nystroemRows {
	half := len(c.rows) / 2
	landmarks, measured := c.rows[:half], c.rows[half:half+min(half, planMeasured)]
	rows := &nystroemRows{landmarks: sparseRowsOf(landmarks), measured: sparseRowsOf(measured), pairs: pairsOf(len(measured), 4*planPairs)}
	for _, pair := range rows.pairs {
		rows.kernels = append(rows.kernels, c.law.kernel(union(measured[pair[0]], measured[pair[1]])))
	}
	return rows
}

// measure returns the mean squared error of Nyström features over pairs and, for few
// landmarks, some seeds; NaN where features are not finite.
func (c *candidate) measure(D int) float64 {
	p, seeds := c.params(c.method, D), 1+min(planSeeds, planMatrix/c.NFeatures)/D
	p.Repeats = seeds
	m, err := newMap(p)
	if err == nil {
		err = m.Fit(c.nystroem.landmarks)
	}
	var z []float32
	if err == nil {
		z, err = m.TransformRows(nil, c.nystroem.measured)
	}
	if err != nil {
		return math.NaN()
	}
	sum := 0.0
	for i, pair := range c.nystroem.pairs {
		x, y := z[pair[0]*seeds*D:], z[pair[1]*seeds*D:]
		for at := 0; at < seeds*D; at += D { // features of a repeat are over √seeds
			e := float64(float64(seeds)*Dot(x[at:at+D], y[at:at+D])) - c.nystroem.kernels[i]
			sum += float64(e * e)
		}
	}
	return sum / float64(seeds*len(c.nystroem.pairs))
}

func sparseRowsOf(rows []sparseRow) CSR {
	X := CSR{Indptr: []int32{0}}
	for _, row := range rows {
		X.Indices, X.Data = append(X.Indices, row.indices...), append(X.Data, row.data...)
		X.Indptr = append(X.Indptr, int32(len(X.Data)))
	}
	return X
}

func (c *candidate) cost(D int) float64 { return Cost(c.params(c.method, D), c.NNZPerRow) }

// leastFor returns the least D, to 1 part in 256, with an error of at most sigma, or
// the most there is. A variance is nearly inverse to D, so the search begins where it
// would be low enough then; Nyström's is not, takes long, and has noise of its own.
func (c *candidate) leastFor(sigma float64) int {
	square := func(D int) float64 { v, _ := c.meanSquare(float64(D)); return v }
	wanted := sigma * sigma
	low, high, parts := c.quick(1, true)-1, c.most, 16
	if !(square(high) <= wanted) {
		return high
	}
	if c.method != MethodNystroem {
		parts = 256
		guess := planComponents
		for range 2 {
			guess = max(low+1, int(min(float64(high), math.Ceil(float64(guess)*square(guess)/wanted))))
		}
		if above := guess + guess/128; above < high && square(above) <= wanted {
			high = above
		}
		if below := guess - guess/128 - 1; below > low && !(square(below) <= wanted) {
			low = below
		}
	}
	for high-low > 1+low/parts {
		if middle := (low + high) / 2; square(middle) <= wanted {
			high = middle
		} else {
			low = middle
		}
	}
	D := min(c.quick(high, true), c.most)
	for D < c.most && !(square(D) <= wanted) { // rounding may take D to where the error is a little larger
		D = min(c.quick(D+1, true), c.most)
	}
	return D
}

// mostFor returns the largest D with which a row takes no longer than that, or the
// least there is.
func (c *candidate) mostFor(microseconds float64) int {
	low, high := c.quick(1, true), c.most+1
	for high-low > 1 {
		if middle := (low + high) / 2; c.cost(c.quick(middle, false)) <= microseconds {
			low = middle
		} else {
			high = middle
		}
	}
	return c.quick(low, false)
}

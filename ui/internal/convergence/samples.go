package convergence

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/papers"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/vector"
)

// dots is the number of seeds per column that are drawn one by one.
const dots = 150

// Samples hold the estimates received so far for each D, seed and pair, and the laws they are compared with.
// Estimates may arrive in any order: the results depend only on which have arrived. The zero value is ready for
// Begin.
type Samples struct {
	run    int
	params Params
	pairs  []pair
	kernel float64 // mean over the pairs
	laws   [Columns]law
	// atSecond is σ at D = 128 and degree 2, times (1 + c)^(p − 2). For x and y of norm 1 the kernels κ(x, x) and κ(y, y)
	// grow by that factor from degree 2 to degree p.
	atSecond float64
	columns  [Columns]series
	rivals   map[int]*rival // compared methods, by their index in methods
}

// A pair holds two vectors, as the core takes them, and their exact kernel.
type pair struct {
	x, y   []float64
	kernel float64
}

// A law holds three standard deviations of the error at one D: exact, by Theorem 9 and by Lemma 6.
// For a sample of pairs they are the root mean of the pairs' variances.
type law struct{ sigma, theorem9, lemma6 float64 }

// A series holds the estimates of one D.
type series struct {
	have   []bool    // by seed, counted from the first
	shift  []float64 // by seed, the mean error of the pairs
	square []float64 // by seed, the mean squared error of the pairs
	dots   [dots]float64
	sorted []estimate // all estimates, ascending
}

type estimate struct {
	value float64
	seed  int
}

// Begin prepares the samples for the parameters. Estimates that belong to them are kept; otherwise all are discarded
// and a new run begins. After an error, a *sketch.Error, nothing has changed.
func (s *Samples) Begin(p Params) error {
	if s.Holds(p) {
		return nil
	}
	next := Samples{run: s.run + 1, params: p}
	if err := next.compute(); err != nil {
		return err
	}
	*s = next
	return nil
}

// Run returns the number of runs so far, 0 before the first one. Estimates that were requested in another run must
// not be added.
func (s *Samples) Run() int { return s.run }

// Holds reports whether the samples belong to the parameters. The number of seeds and the D of the marker may
// differ.
func (s *Samples) Holds(p Params) bool { return s.run > 0 && s.params.sameEstimates(p) }

// compute fills in the pairs and the laws.
func (s *Samples) compute() error {
	p, rows := s.params, s.params.Rows()
	for from := 0; from < len(rows); from += 2 * p.NFeatures {
		s.pairs = append(s.pairs, pair{x: vector.Float64(rows[from:][:p.NFeatures]),
			y: vector.Float64(rows[from+p.NFeatures:][:p.NFeatures])})
	}
	for c := range Columns {
		theory, err := sketch.NewTensorFormulas(sketch.Params{NFeatures: p.NFeatures, NComponents: Components(c),
			Degree: p.Degree, Coef0: p.Coef0})
		if err != nil {
			return err
		}
		if c == 0 {
			s.atFirst(theory)
		} else { // these two fall as 1/D, and D doubles
			root := math.Sqrt(float64(Components(c) / Components(0)))
			s.laws[c] = law{theorem9: s.laws[0].theorem9 / root, lemma6: s.laws[0].lemma6 / root}
		}
		s.laws[c].sigma = s.sigma(theory)
	}
	second, err := sketch.NewTensorFormulas(sketch.Params{NFeatures: p.NFeatures, NComponents: 128, Degree: 2,
		Coef0: p.Coef0})
	if err == nil {
		s.atSecond = s.sigma(second) * math.Pow(1+p.Coef0, float64(p.Degree-2))
	}
	return err
}

// atFirst computes the kernels, and Theorem 9 and Lemma 6 at the smallest D.
func (s *Samples) atFirst(theory *sketch.Formulas) {
	n := float64(len(s.pairs))
	var theorem9, lemma6 float64
	for k := range s.pairs {
		pair := &s.pairs[k]
		pair.kernel = theory.Kernel(pair.x, pair.y)
		s.kernel += pair.kernel / n
		xx, yy := theory.Kernel(pair.x, pair.x), theory.Kernel(pair.y, pair.y)
		theorem9 += papers.Theorem9Variance(xx, yy, s.params.Degree, Components(0))
		lemma6 += papers.Lemma6Variance(pair.kernel, xx, yy, Components(0))
	}
	s.laws[0] = law{theorem9: math.Sqrt(theorem9 / n), lemma6: math.Sqrt(lemma6 / n)}
}

// formulaRounding is an upper bound of the rounding error of a formula for σ.
const formulaRounding = 1e-7

// sigma returns the root mean over the pairs of the exact σ².
func (s *Samples) sigma(theory *sketch.Formulas) float64 {
	sum := 0.0
	for _, pair := range s.pairs {
		sigma, _ := theory.StdError(pair.x, pair.y)
		sum += float64(sigma * sigma)
	}
	sigma := math.Sqrt(sum / float64(len(s.pairs)))
	if sigma < formulaRounding {
		return 0
	}
	return sigma
}

// Add stores the estimates of a column for some seeds; firstSeed counts from Params.Seed. The estimates of all pairs
// under one seed come first, then those under the next. Seeds received before are left unchanged. It panics on a
// wrong length.
func (s *Samples) Add(column, firstSeed int, estimates []float64) {
	pairs := len(s.pairs)
	n := len(estimates) / pairs
	if n*pairs != len(estimates) {
		panic("convergence: Add of a number of estimates that is not a multiple of the pairs")
	}
	if firstSeed < 0 || firstSeed+n > MaxSeeds {
		panic("convergence: Add of seeds beyond MaxSeeds")
	}
	c := &s.columns[column]
	c.reserve(firstSeed + n)
	var added []estimate
	for k := range n {
		seed := firstSeed + k
		if c.have[seed] {
			continue
		}
		c.have[seed] = true
		shift, square := 0.0, 0.0
		for i, value := range estimates[k*pairs : (k+1)*pairs] {
			miss := value - s.pairs[i].kernel
			shift += miss
			square += float64(miss * miss)
			added = insert(added, estimate{value, seed}, estimate.before)
		}
		c.shift[seed], c.square[seed] = shift/float64(pairs), square/float64(pairs)
		if seed < dots {
			c.dots[seed] = estimates[k*pairs+seed%pairs]
		}
	}
	c.merge(added)
}

// reserve makes room for the given number of seeds.
func (c *series) reserve(seeds int) {
	if more := seeds - len(c.have); more > 0 {
		c.have = append(c.have, make([]bool, more)...)
		c.shift = append(c.shift, make([]float64, more)...)
		c.square = append(c.square, make([]float64, more)...)
	}
}

// before reports whether e comes before f: by value, then by seed.
func (e estimate) before(f estimate) bool {
	return e.value < f.value || e.value == f.value && e.seed < f.seed
}

// merge inserts a few estimates, in order, into the sorted ones.
func (c *series) merge(added []estimate) {
	i, j := len(c.sorted)-1, len(added)-1
	c.sorted = append(c.sorted, added...)
	for k := len(c.sorted) - 1; j >= 0; k-- {
		if i >= 0 && c.sorted[i].value > added[j].value {
			c.sorted[k] = c.sorted[i]
			i--
		} else {
			c.sorted[k] = added[j]
			j--
		}
	}
}

// below returns the estimates of the first seeds, in order.
func (c *series) below(seeds int) []estimate {
	if len(c.have) <= seeds {
		return c.sorted
	}
	return slices.DeleteFunc(slices.Clone(c.sorted), func(e estimate) bool { return e.seed >= seeds })
}

// unlucky returns the seed with the largest error in the last column if only few others miss there and it misses at
// every D, or "". Hashes are nested: two coordinates that share a component at some D share one at each smaller D.
func (s *Samples) unlucky(last column) string {
	if last.Missed == 0 || !last.few() {
		return ""
	}
	for c := range s.columns {
		if !s.columns[c].misses(last.Worst) {
			return ""
		}
	}
	return strconv.FormatUint(s.params.Seed+uint64(last.Worst), 10)
}

// A Span is a range of seeds. First counts from Params.Seed.
type Span struct{ First, Count int }

// Deal shares out the seeds that lack a column among the workers, in turn. Short spans come first, so that each
// worker soon has something to show; later spans take about 60 ms.
func (s *Samples) Deal(seeds, workers int) [][]Span {
	lengths := [...]int{2, 6, 16}
	if len(s.pairs) > 1 {
		lengths = [...]int{1, 2, 4}
	}
	dealt := make([][]Span, workers)
	turn := 0
	for seed := 0; seed < seeds; {
		if s.complete(seed) {
			seed++
			continue
		}
		span := Span{First: seed}
		most := lengths[min(turn/workers, len(lengths)-1)]
		for span.Count < most && seed < seeds && !s.complete(seed) {
			span.Count++
			seed++
		}
		dealt[turn%workers] = append(dealt[turn%workers], span)
		turn++
	}
	return dealt
}

// complete reports whether a seed has come in for all columns.
func (s *Samples) complete(seed int) bool {
	for c := range s.columns {
		if have := s.columns[c].have; seed >= len(have) || !have[seed] {
			return false
		}
	}
	return true
}

// Count returns how many of the first seeds have come in for all columns.
func (s *Samples) Count(seeds int) int {
	count := 0
	for seed := range seeds {
		if s.complete(seed) {
			count++
		}
	}
	return count
}

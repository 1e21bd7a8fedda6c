package learn

import (
	"math"
	"slices"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
	"tensorsketch.example/sketch/learn/prepare"
)

// A search fits its candidates to at most searchRows rows, and to fewer if they have more than 400 columns: to
// searchNumbers numbers, but at least searchWideRows rows.
const (
	searchRows     = 4000
	searchWideRows = 1500
	searchNumbers  = 1600000
)

// The scales and ends of columns come from at most searchRows rows, or from more if these are preparedNumbers numbers.
const preparedNumbers = 4 << 20

// searchWide is the number of columns beyond which a linear model by passes over the rows is faster than by moments.
const searchWide = 1024

// sampleSize returns the maximum number of rows of d columns that candidates are fitted to.
func sampleSize(d int) int { return max(searchWideRows, min(searchRows, searchNumbers/d)) }

// searchComponents is D of the candidates. The model then has the D asked for.
const searchComponents = 512

// Targets are what rows have beside them: Labels, one of each row, or numbers Y, Each of each row and row-major.
type Targets struct {
	Labels []Label
	Y      []float64
	Each   int // 0 stands for 1
}

// Choices narrow a Search. The zero value tries all candidates.
type Choices struct {
	// Candidates are the names of those to try; nil tries all that apply to the rows. A name that does not apply is
	// skipped, and the report says why.
	Candidates []string

	// Params has what was typed of the map: Method, MethodParams.Kernel, Degree, Gamma, Coef0, NComponents, Seed. Zeros
	// were not typed. Candidates of other methods, kernels and degrees are skipped.
	Params sketch.Params
	Form   string // "std", "mm", "qn" or "raw", if typed
	Unit   *bool  // whether rows are divided by their length, if typed
	Seeded bool   // Params.Seed was typed, so no other is tried

	// Mergeable wants sums that merge: linear models of more than MaxComponents columns are left out, and others of many
	// columns are not to be fitted in Passes.
	Mergeable bool

	// Preprocessing becomes Spec.Preprocessing.
	Preprocessing string

	Goroutines int // of the fits; no bit depends on them
}

// Candidates is the report of a Search.
type Candidates struct {
	// HeldOut is how well a model of the other rows predicts the fifth that no choice has seen, or nil with few rows. It
	// is of a model like the chosen one, fitted to at most twice as many rows as candidates are.
	HeldOut *HeldOutReport

	Rows       int         // of the sample that the candidates were fitted to
	Folds      int         // parts of it that were held out in turn
	Components int         // features of the maps; linear candidates have none
	All        []Candidate // in the order of the portfolio, then those with column weights
	Chosen     string      // name of the one with the least error
	Linear     bool        // a linear model is as good here: within one standard error of the chosen one
	Passes     bool        // the chosen one is linear, of over 1,024 columns: fit it in passes over the rows (FitModel)
	Seeds      int         // that were tried
	Unlucky    bool        // no seed was good, or the typed one is not: larger D, or another seed
	Notes      []string    // sentences in English
}

// Tell puts into the report of a model what the search says: HeldOut, of rows that no choice has seen, and Notes.
func (c *Candidates) Tell(r *Report) {
	if c.HeldOut != nil {
		r.HeldOut = c.HeldOut
	}
	for _, note := range c.Notes {
		if !slices.Contains(r.Warnings, note) { // it was told before
			r.Warnings = append(r.Warnings, note)
		}
	}
}

// A Candidate is a kind of model that was tried.
type Candidate struct {
	Name string

	// Error is the squared error on held-out rows over the variance of the targets (for classes: of their codes ±1). 1 is
	// as good as the mean. The choice was made by it, so the chosen candidate's error is a little too small.
	Error    float64
	StdError float64 // of Error
	Accuracy float64 // share of held-out rows whose own class has the largest score; NaN for numbers
	Behind   float64 // Error less the chosen one's
	BehindSE float64 // standard error of Behind, from differences row by row
	Alpha    float64 // λ over the trace of the centred sums of squares
	Gamma    float64 // of the kernel, on the prepared rows; 0 without one
	Rounds   int     // of column weights
	Skipped  string  // why it was not tried, or given up after one part held out
}

// A candidate is an entry of the portfolio.
type candidate struct {
	name   string
	form   string
	unit   bool
	kernel string // "" is linear
	degree int
	gamma  float64 // in units of 1/mean ‖x − y‖², 1/mean ‖x − y‖₁ or, for polynomials, 1/mean ‖x‖²; 0 for γ 1
	rounds int     // of column weights

	components int // of the map; 0 stands for searchComponents
}

// portfolio has the candidates for rows of numbers, in the order in which they are tried: the first that are good make
// others short. Chosen on half of the tables of `tools/bench`, whose -ablate measures what parts of it are worth.
var portfolio = []candidate{
	{name: "gaussian", form: prepare.Std, kernel: sketch.KernelGaussian, gamma: 1},
	{name: "gaussian-wide", form: prepare.Std, kernel: sketch.KernelGaussian, gamma: 0.25},
	{name: "laplacian", form: prepare.Std, kernel: sketch.KernelLaplacian, gamma: 1},
	{name: "gaussian-ranks", form: prepare.QN, kernel: sketch.KernelGaussian, gamma: 1},
	{name: "polynomial-2", form: prepare.MM, kernel: sketch.KernelPolynomial, degree: 2, gamma: 1},
	{name: "polynomial-3", form: prepare.MM, unit: true, kernel: sketch.KernelPolynomial, degree: 3},
	{name: "linear", form: prepare.Std},
	{name: "linear-uncut", form: prepare.Uncut}, // targets may follow the largest numbers of a column
	{name: "linear-unit", form: prepare.Raw, unit: true},
	{name: firstOfCodes, form: prepare.Codes, kernel: sketch.KernelGaussian, gamma: 0.25},
	{name: "codes-laplacian", form: prepare.Codes, kernel: sketch.KernelLaplacian, gamma: 1},
	{name: "codes-linear", form: prepare.Codes},
}

// firstOfCodes is the first candidate with codes: its lead decides whether the others are tried. The best of them must
// beat all others by a standard error.
const firstOfCodes = "codes-gaussian-wide"

// sparsePortfolio has the candidates for sparse rows.
var sparsePortfolio = []candidate{
	{name: "linear-unit", form: prepare.Raw, unit: true},
	{name: "polynomial-2", form: prepare.Raw, unit: true, kernel: sketch.KernelPolynomial, degree: 2},
	{name: "polynomial-3", form: prepare.Raw, unit: true, kernel: sketch.KernelPolynomial, degree: 3},
}

// shareCount values of λ, at equal ratios from 1e-11 to 1 times the trace of the centred sums of squares.
const shareCount = 34

// lambdaShare returns the value of the path at i over that trace.
func lambdaShare(i int) float64 { return solve.Between(1e-11, 1, i, shareCount-1) }

// A searchSample has the rows that candidates are fitted to, and their targets.
type searchSample struct {
	n       int
	picked  []int     // rows of all, in the order of the sample
	fold    []uint8   // 0 … 4 of each row; equal rows share one, but of clumps
	largest int       // fold with the most rows, which is held out first
	held    [6]int    // rows of each fold, and 0
	K       int       // targets of the fits: 1 for two classes
	classes []int32   // or nil
	codes   []float64 // n × K: ±1, or numbers less middle
	shape   Shape
	grid    Grid // of the targets
	spread  float64
	threads int
}

// hashRow returns a hash of the bits of a row of numbers, in which all NaN are one.
func hashRow(row []float32) uint64 {
	hash := uint64(0xcbf29ce484222325)
	for _, v := range row {
		bits := uint64(math.Float32bits(v))
		if v != v {
			bits = 0x7fc00000
		}
		hash = mix(hash ^ bits)
	}
	return hash
}

// mix is the finalizer of SplitMix64 (Steele, Lea & Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// pick chooses min(n, most) of n rows, by a seed.
func pick(n, most int, seed sketch.Seed) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	next := seed.ForBootstrap()
	for i := range min(n, most) {
		j := i + next(n-i)
		order[i], order[j] = order[j], order[i]
	}
	return order[:min(n, most)]
}

// deal gives the rows of the sample to five folds of about the same size: equal hashes to one.
func (s *searchSample) deal(hashes []uint64) {
	s.fold = make([]uint8, s.n)
	of := make(map[uint64]uint8, s.n)
	for i, hash := range hashes[:s.n] {
		f, ok := of[hash]
		if !ok {
			for g := range solve.FoldCount {
				if s.held[g] < s.held[f] {
					f = uint8(g)
				}
			}
			of[hash] = f
		}
		s.fold[i] = f
		s.held[f]++
	}
	for f, held := range s.held[:solve.FoldCount] {
		if held > s.held[s.largest] {
			s.largest = f
		}
	}
}

// take sets the targets of the sample, of so many classes or targets a row.
func (s *searchSample) take(y *solve.RowLabels, outputs int) {
	s.K = outputs
	if y.Classes == nil {
		s.shape = Shape{Targets: s.K}
		r := solve.TargetRangeOf(y.Targets)
		s.grid.Low, s.grid.High = r[0], r[1]
	} else if s.shape = (Shape{Classes: outputs}); outputs == 2 {
		s.K = 1
	}
	s.codes = make([]float64, 0, s.n*s.K)
	for _, row := range s.picked {
		if y.Classes != nil {
			s.classes = append(s.classes, y.Classes[row])
		}
		for k := range s.K {
			code := -1.0
			switch {
			case y.Classes == nil:
				code = y.Targets[row*s.K+k] - s.grid.Middle()
			case int(y.Classes[row]) == k:
				code = 1
			}
			s.codes = append(s.codes, code)
		}
	}
	for k := range s.K {
		sum, square := 0.0, 0.0
		for i := range s.n {
			c := s.codes[i*s.K+k]
			sum += c
			square += float64(c * c)
		}
		s.spread += max(0, square/float64(s.n)-float64(sum/float64(s.n)*(sum/float64(s.n))))
	}
}

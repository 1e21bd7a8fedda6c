package sketch

import (
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/internal/portable"
)

// The methods: the names that Params.Method takes. The kernel is (γ⟨x,y⟩ + c)^p where
// nothing else is said; docs/SPEC.md, section 8, has what each takes and draws, and
// docs/theory.md its variance and its source.
const (
	// Count sketches of each degree, convolved by FFT (Pham & Pagh 2013): O(nnz + D log D)
	// per degree and row.
	MethodTensorSketch = "tensor-sketch"
	// The same of degree 1, O(nnz) (Charikar, Chen & Farach-Colton 2002).
	MethodCountSketch = "count-sketch"
	// Products of as many random projections as a random order says, for any series
	// Σ a_n ⟨x,y⟩^n with a_n ≥ 0 (Kar & Karnick 2012).
	MethodRandomMaclaurin = "random-maclaurin"
	// Products of p random projections, O(p·D·nnz) (Meister, Sarlós & Woodruff 2019), and
	// the same with D/2 complex features for D numbers (Wacker, Ohana & Filippone 2022).
	MethodTensorizedProjection = "tensorized-random-projection"
	MethodComplexProjection    = "complex-tensorized-random-projection"
	// The tensor sketch with signs 1, i, −1, −i and D/2 buckets; D is even.
	MethodComplexTensorSketch = "complex-tensor-sketch"
	// Products of p subsampled Hadamard transforms, O(d log d) for each d features, with
	// real and with D/2 complex features.
	MethodTensorSRHT        = "tensor-srht"
	MethodComplexTensorSRHT = "complex-tensor-srht"
	// Another method with more components, brought down to D by a Hadamard transform
	// (Hamid, Xiao, Gittens & DeCoste 2014).
	MethodCRAFT = "craft"
	// Count and tensor sketches in a binary tree, whose variance grows with p and not
	// with 3^p (Ahle et al. 2020).
	MethodTreeTensorSketch = "tree-tensor-sketch"
	// Random frequencies for (1 − ‖x−y‖²/a²)^p between rows of norm 1, nearly (Pennington,
	// Yu & Kumar 2015).
	MethodSpherical = "spherical"
	// Cosines of random frequencies for exp(−γ‖x−y‖²) and exp(−γ‖x−y‖₁) (Rahimi & Recht 2007).
	MethodRandomFourier = "random-fourier"
	// A tensor sketch for each of the first terms of the series of a Gaussian,
	// exponential, arc-cosine or given kernel.
	MethodTaylorSketch = "taylor-sketch"
	// The kernel with D rows of the data, to which the map is fitted (Williams & Seeger
	// 2000): Map.Fit or Map.SetLandmarks before it transforms any.
	MethodNystroem = "nystroem"
)

// Methods returns the names of the methods there are.
func Methods() []string { return methodsOf(methodOf) }

// methodsOf returns the names that a lookup knows.
func methodsOf(methodOf func(name string) *method) []string {
	var names []string
	for _, name := range [...]string{
		MethodTensorSketch, MethodCountSketch, MethodComplexTensorSketch, MethodRandomMaclaurin,
		MethodTensorizedProjection, MethodComplexProjection, MethodTensorSRHT, MethodComplexTensorSRHT,
		MethodCRAFT, MethodTreeTensorSketch, MethodSpherical, MethodRandomFourier, MethodTaylorSketch, MethodNystroem,
	} {
		if methodOf(name) != nil {
			names = append(names, name)
		}
	}
	return names
}

// methodOf returns what the driver needs to know of a method, nil for an unknown
// one. It is a switch rather than a table, and methods are functions, because they
// build on one another.
func methodOf(name string) *method {
	switch name {
	case MethodTensorizedProjection:
		return tensorizedMethod()
	case MethodComplexProjection:
		return complexTensorizedMethod()
	case MethodRandomMaclaurin:
		return maclaurinMethod()
	case MethodTreeTensorSketch:
		return treeMethod()
	case MethodSpherical:
		return sphericalMethod()
	case MethodTaylorSketch:
		return taylorMethod()
	case MethodNystroem:
		return nystroemMethod()
	case MethodRandomFourier:
		return fourierMethod()
	case MethodTensorSRHT:
		return tensorSRHTMethod()
	case MethodComplexTensorSRHT:
		return complexTensorSRHTMethod()
	case MethodCRAFT:
		return craftMethod()
	}
	return tensorMethodOf(name)
}

// tensorMethodOf is methodOf for what New makes.
func tensorMethodOf(name string) *method {
	switch name {
	case MethodTensorSketch:
		return tensorSketchMethod()
	case MethodCountSketch:
		return countSketchMethod()
	case MethodComplexTensorSketch:
		return complexSketchMethod()
	}
	return nil
}

// A method is what the driver needs to know of one kind of feature map. The
// functions are called with valid parameters, defaults filled in; those that say
// so may be nil.
type method struct {
	takes  takes
	params []string // the fields of MethodParams it takes, as in JavaScript

	// defaults fills in the zero fields of MethodParams, and of Params where the
	// method's own defaults differ. It runs before the general ones. May be nil.
	defaults func(p *Params)
	// check returns what is wrong with the parameters beside the general checks.
	// May be nil.
	check func(p *Params) error
	// scaling returns the factor of every coordinate and the constant coordinate
	// appended where it is not 0. Nil: √γ and √c.
	scaling func(p *Params) (factor, constant float64)
	// law returns what is known of the estimate.
	law func(p *Params) law
	// core draws one sketch of p.NComponents features for rows of width numbers:
	// p.NFeatures, and one more for the constant.
	core func(p *Params, width int, draw randomness) core
	// bytes is what core allocates, clone included. May be nil for next to nothing.
	bytes func(p *Params, width int) int64
}

// takes tells which parameters a method has a use for beside nFeatures,
// nComponents, normalize, repeats and seed.
type takes uint

const (
	takesDegree   takes = 1 << iota // else degree is 1
	takesGamma                      // else gamma is 1
	takesCoef0                      // else coef0 is 0
	takesSpectrum                   // output "spectrum"
	takesTables                     // randomState, or indexHash and bitHash
	takesProducts                   // one nFeatures per degree
	takesEven                       // nComponents is even: complex features, Re and Im
)

// validateMethod checks what depends on the method.
func (p *Params) validateMethod(m *method) error {
	of := " for method " + quote(p.Method)
	switch {
	case m.takes&takesDegree == 0 && p.Degree != 1:
		return paramError("degree", strconv.Itoa(p.Degree), "be 1"+of+", or be left out")
	case m.takes&takesGamma == 0 && p.Gamma != 1:
		return paramError("gamma", portable.FormatNumber(p.Gamma), "be 1"+of+", or be left out")
	case m.takes&takesCoef0 == 0 && p.Coef0 != 0:
		return paramError("coef0", portable.FormatNumber(p.Coef0), "be 0"+of+", or be left out")
	case m.takes&takesSpectrum == 0 && p.Output == OutputSpectrum:
		return paramError("output", quote(p.Output), "be "+quote(OutputReal)+of)
	case m.takes&takesTables == 0 && p.Hash() == HashRandomState:
		return paramError("randomState", "", "be left out"+of+": give a seed")
	case m.takes&takesTables == 0 && p.Hash() == HashTables:
		return paramError("indexHash, bitHash", "", "be left out"+of+": give a seed")
	case m.takes&takesProducts == 0 && p.isProduct():
		return paramError("nFeatures", strconv.Itoa(len(p.NFeaturesEach))+" entries", "be one number"+of)
	case m.takes&takesEven != 0 && p.NComponents%2 != 0:
		return paramError("nComponents", strconv.Itoa(p.NComponents), "be even"+of+", whose features are the real and imaginary parts of complex ones: take "+strconv.Itoa(p.NComponents+1))
	}
	for name, value := range p.MethodParams.All {
		if !contains(m.params, name) {
			want := "be left out" + of
			if len(m.params) > 0 {
				want += ", which takes " + strings.Join(m.params, ", ")
			}
			return paramError("methodParams."+name, valueText(value), want)
		}
	}
	if m.check != nil {
		return m.check(p)
	}
	return nil
}

// scaling returns the factor of every coordinate and the constant one.
func (p *Params) scaling(m *method) (factor, constant float64) {
	if m.scaling != nil {
		return m.scaling(p)
	}
	return math.Sqrt(p.Gamma), math.Sqrt(p.Coef0)
}

func (p *Params) isTensorSketch() bool {
	return p.Method == MethodTensorSketch || p.Method == MethodCountSketch
}

func (p *Params) isComplexSketch() bool { return p.Method == MethodComplexTensorSketch }

// quoted lists names as an error does.
func quoted(names []string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}

func contains(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

package sketch

import (
	"math"
	"slices"
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

// A Method describes a kind of feature map.
type Method struct {
	Name string // one of the Method constants
	// Takes names the parameters that it takes beside nFeatures, nComponents, seed, normalize and repeats, as JavaScript
	// spells them: fields of Params first, then of MethodParams.
	Takes   []string
	Kernels []string // the values of MethodParams.Kernel that need no coefficients, the default first
	Even    bool     // nComponents must be even
	Fitted  bool     // FeatureMap.Fit or SetLandmarks comes before it transforms rows
	Slow    bool     // the time of a row grows with d·D; of other methods with d + D log D
	Biased  bool     // the mean of its estimates is not the kernel

	products bool     // it takes one nFeatures per degree
	isBase   bool     // craft may map up with it: its features are those of dot products
	answers  answers  // the questions of Plan
	quick    rounding // of the numbers of components that Plan considers
}

// methods has the facts of all methods and none of their code. The place of one is its number in the WebAssembly
// module, so a new one comes last.
var methods = [...]Method{
	{Name: MethodTensorSketch, products: true, isBase: true, quick: toEvenFFT,
		Takes: []string{"degree", "gamma", "coef0", "output", "randomState", "indexHash", "bitHash"}},
	{Name: MethodCountSketch, products: true, answers: byName,
		Takes: []string{"gamma", "coef0", "output", "randomState", "indexHash", "bitHash"}},
	{Name: MethodComplexTensorSketch, Even: true, isBase: true, quick: toEvenFFT,
		Takes: []string{"degree", "gamma", "coef0", "output"}},
	{Name: MethodRandomMaclaurin, Slow: true, isBase: true, Kernels: []string{KernelPolynomial, KernelExponential},
		Takes: []string{"degree", "gamma", "coef0", "order", "h01", "distribution", "kernel", "coefficients"}},
	{Name: MethodTensorizedProjection, Slow: true, isBase: true,
		Takes: []string{"degree", "gamma", "coef0", "distribution"}},
	{Name: MethodComplexProjection, Slow: true, Even: true, isBase: true, quick: toEven,
		Takes: []string{"degree", "gamma", "coef0", "distribution"}},
	{Name: MethodTensorSRHT, isBase: true, Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodComplexTensorSRHT, Even: true, isBase: true, quick: toEven,
		Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodCRAFT, quick: toSmooth, Takes: []string{"degree", "gamma", "coef0", "base", "upComponents",
		"distribution", "order", "h01", "kernel", "coefficients"}},
	{Name: MethodTreeTensorSketch, isBase: true, quick: toEvenFFT, Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodSpherical, Slow: true, Biased: true, answers: ofSphere, Takes: []string{"degree", "a", "paired"}},
	{Name: MethodRandomFourier, Slow: true, answers: noQuestions, Kernels: []string{KernelGaussian, KernelLaplacian},
		Takes: []string{"gamma", "kernel", "paired"}},
	{Name: MethodTaylorSketch, Biased: true, answers: noQuestions,
		Kernels: []string{KernelGaussian, KernelExponential, KernelArcCosine},
		Takes:   []string{"gamma", "kernel", "coefficients", "terms"}},
	{Name: MethodNystroem, Fitted: true, answers: withSample,
		Kernels: []string{KernelPolynomial, KernelGaussian, KernelExponential},
		Takes:   []string{"degree", "gamma", "coef0", "kernel"}},
}

// Methods describes all methods. The slices are shared: leave them as they are.
func Methods() []Method { return append([]Method(nil), methods[:]...) }

// takes reports whether a parameter is one that the method takes.
func (m *Method) takes(name string) bool { return slices.Contains(m.Takes, name) }

// A namedMethod is a method and its name.
type namedMethod struct {
	name string
	make func() *method
}

// allMethods lists the methods with their code. Those that New makes come first.
func allMethods() []namedMethod {
	return append(tensorMethods(), []namedMethod{
		{MethodRandomMaclaurin, maclaurinMethod},
		{MethodTensorizedProjection, tensorizedMethod},
		{MethodComplexProjection, complexTensorizedMethod},
		{MethodTensorSRHT, tensorSRHTMethod},
		{MethodComplexTensorSRHT, complexTensorSRHTMethod},
		{MethodCRAFT, craftMethod},
		{MethodTreeTensorSketch, treeMethod},
		{MethodSpherical, sphericalMethod},
		{MethodRandomFourier, fourierMethod},
		{MethodTaylorSketch, taylorMethod},
		{MethodNystroem, nystroemMethod},
	}...)
}

// tensorMethods are the methods that New makes.
func tensorMethods() []namedMethod {
	return []namedMethod{
		{MethodTensorSketch, tensorSketchMethod},
		{MethodCountSketch, tensorSketchMethod},
		{MethodComplexTensorSketch, complexSketchMethod},
	}
}

// A lookup knows some of the methods with their code.
type lookup func() []namedMethod

// of returns a method, nil for an unknown one.
func (l lookup) of(name string) *method {
	for _, known := range l() {
		if known.name != name {
			continue
		}
		m := known.make()
		for i := range methods {
			if methods[i].Name == name {
				m.Method = &methods[i]
			}
		}
		return m
	}
	return nil
}

// names returns the names of the methods, in their order.
func (l lookup) names() []string {
	var names []string
	for _, known := range l() {
		names = append(names, known.name)
	}
	return names
}

// methodOf returns a method of any name, nil for an unknown one.
func methodOf(name string) *method { return lookup(allMethods).of(name) }

// A method is what the driver needs to know of one kind of feature map. The
// functions are called with valid parameters, defaults filled in; those that say
// so may be nil.
type method struct {
	*Method

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

// answers tells which questions of Plan a method answers.
type answers int

const (
	anyKernel   answers = iota // those of any polynomial kernel
	byName                     // the same, where it is named
	ofSphere                   // those of its own kernel on rows of length 1, where it is named
	withSample                 // those with rows to fit it to
	noQuestions                // it has other kernels
)

// A rounding of a number of components has it be quick to compute with.
type rounding int

const (
	toAny     rounding = iota
	toEven             // for complex features
	toSmooth           // to a product of 2, 3 and 5
	toEvenFFT          // to twice such a product
)

// validateMethod checks what depends on the method.
func (p *Params) validateMethod(m *method) error {
	of := " for method " + quote(p.Method)
	switch {
	case !m.takes("degree") && p.Degree != 1:
		return paramError("degree", strconv.Itoa(p.Degree), "be 1"+of+", or be left out")
	case !m.takes("gamma") && p.Gamma != 1:
		return paramError("gamma", portable.FormatNumber(p.Gamma), "be 1"+of+", or be left out")
	case !m.takes("coef0") && p.Coef0 != 0:
		return paramError("coef0", portable.FormatNumber(p.Coef0), "be 0"+of+", or be left out")
	case !m.takes("output") && p.Output == OutputSpectrum:
		return paramError("output", quote(p.Output), "be "+quote(OutputReal)+of)
	case !m.takes("randomState") && p.Hash() == HashRandomState:
		return paramError("randomState", "", "be left out"+of+": give a seed")
	case !m.takes("indexHash") && p.Hash() == HashTables:
		return paramError("indexHash, bitHash", "", "be left out"+of+": give a seed")
	case !m.products && p.isProduct():
		return paramError("nFeatures", strconv.Itoa(len(p.NFeaturesEach))+" entries", "be one number"+of)
	case m.Even && p.NComponents%2 != 0:
		return paramError("nComponents", strconv.Itoa(p.NComponents),
			"be even"+of+", whose features are the real and imaginary parts of complex ones: take "+
				strconv.Itoa(p.NComponents+1))
	}
	for name, value := range p.MethodParams.All {
		if !m.takes(name) {
			want := "be left out" + of
			if own := m.methodParams(); len(own) > 0 {
				want += ", which takes " + strings.Join(own, ", ")
			}
			return paramError("methodParams."+name, valueText(value), want)
		}
	}
	if m.Kernels != nil {
		kernels := m.Kernels
		if m.takes("coefficients") {
			kernels = append(append([]string(nil), kernels...), KernelSeries)
		}
		if err := checkName("kernel", p.MethodParams.Kernel, kernels...); err != nil {
			return err
		}
	}
	if m.check != nil {
		return m.check(p)
	}
	return nil
}

// methodParams are the fields of MethodParams that the method takes.
func (m *Method) methodParams() []string {
	var names []string
	for _, field := range new(MethodParams).fields() {
		if m.takes(field.name) {
			names = append(names, field.name)
		}
	}
	return names
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

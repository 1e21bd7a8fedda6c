package sketch

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/internal/portable"
)

// The methods: values of Params.Method. The kernel is (γ⟨x,y⟩ + c)^p unless stated otherwise.
// docs/SPEC.md, section 8, says what each takes and draws; docs/theory.md has its variance and
// source.
const (
	// Count sketches of each degree, convolved by FFT (Pham & Pagh 2013): O(nnz + D log D)
	// per degree and row.
	MethodTensorSketch = "tensor-sketch"
	// Count sketch, the tensor sketch of degree 1, O(nnz) (Charikar, Chen & Farach-Colton 2002).
	MethodCountSketch = "count-sketch"
	// Products of a random number of random projections, for any series Σ a_n ⟨x,y⟩^n with a_n ≥ 0
	// (Kar & Karnick 2012). A random order is the number of factors.
	MethodRandomMaclaurin = "random-maclaurin"
	// Products of p random projections, O(p·D·nnz) (Meister, Sarlós & Woodruff 2019), and the same
	// with D/2 complex features stored as D numbers (Wacker, Ohana & Filippone 2022).
	MethodTensorizedProjection = "tensorized-random-projection"
	MethodComplexProjection    = "complex-tensorized-random-projection"
	// The tensor sketch with signs 1, i, −1, −i and D/2 buckets; D is even.
	MethodComplexTensorSketch = "complex-tensor-sketch"
	// Products of p subsampled Hadamard transforms, O(d log d) for every d features, with real
	// features and with D/2 complex ones.
	MethodTensorSRHT        = "tensor-srht"
	MethodComplexTensorSRHT = "complex-tensor-srht"
	// Another method with more components, reduced to D by a Hadamard transform (Hamid, Xiao,
	// Gittens & DeCoste 2014).
	MethodCRAFT = "craft"
	// Count and tensor sketches in a binary tree. The variance grows with p, not with 3^p (Ahle et
	// al. 2020).
	MethodTreeTensorSketch = "tree-tensor-sketch"
	// Random frequencies for approximately (1 − ‖x−y‖²/a²)^p between rows of norm 1 (Pennington, Yu
	// & Kumar 2015).
	MethodSpherical = "spherical"
	// Cosines of random frequencies for exp(−γ‖x−y‖²) and exp(−γ‖x−y‖₁) (Rahimi & Recht 2007).
	MethodRandomFourier = "random-fourier"
	// A tensor sketch for each of the first terms of the series of a Gaussian, exponential,
	// arc-cosine or given kernel.
	MethodTaylorSketch = "taylor-sketch"
	// The kernel with D rows of the data, the landmarks, to which the map is fitted (Williams &
	// Seeger 2000). Call FeatureMap.Fit or FeatureMap.SetLandmarks before transforming rows.
	MethodNystroem = "nystroem"
	// Coordinates in an orthonormal basis of nearly the best subspace of k dimensions for the
	// features of the kernel (Avron, Nguyen & Woodruff 2014). Their inner products do not estimate
	// the kernel. Call FeatureMap.Fit, FeatureMap.NewFitter or FeatureMap.SetProjection before
	// transforming rows.
	MethodKSpace = "k-space"
)

// A Method describes a kind of feature map.
type Method struct {
	Name string // one of the Method constants
	// Takes lists the parameters that the method takes besides nFeatures, nComponents, seed,
	// normalize and repeats, as JavaScript spells them: fields of Params first, then of
	// MethodParams.
	Takes   []string
	Kernels []string // the values of MethodParams.Kernel that need no coefficients, the default first
	Even    bool     // nComponents must be even
	Fitted  bool     // FeatureMap.Fit must be called before transforming rows
	Slow    bool     // the time per row grows with d·D; for other methods with d + D log D
	Biased  bool     // the mean of the estimates is not the kernel
	Hashed  bool     // features come from hash tables alone, which FeatureMap.Hash has
	Drawn   bool     // features come from Params.Frequencies alone
	Basis   bool     // features are coordinates in a basis: their inner products do not estimate the kernel

	products bool     // the method takes one nFeatures per degree
	isBase   bool     // craft accepts it as a base: its features are for dot products
	answers  answers  // the questions of Plan that it answers
	quick    rounding // rounding of the numbers of components that Plan considers
}

// methods holds the facts of all methods and none of their code. The index of a method is its
// number in the WebAssembly module, so append new methods at the end.
var methods = [...]Method{
	{Name: MethodTensorSketch, Hashed: true, products: true, isBase: true, quick: toEvenFFT,
		Takes: []string{"degree", "gamma", "coef0", "output", "randomState", "indexHash", "bitHash"}},
	{Name: MethodCountSketch, Hashed: true, products: true, answers: byName,
		Takes: []string{"gamma", "coef0", "output", "randomState", "indexHash", "bitHash"}},
	{Name: MethodComplexTensorSketch, Hashed: true, Even: true, isBase: true, quick: toEvenFFT,
		Takes: []string{"degree", "gamma", "coef0", "output"}},
	{Name: MethodRandomMaclaurin, Slow: true, isBase: true, Kernels: []string{KernelPolynomial, KernelExponential},
		Takes: []string{"degree", "gamma", "coef0", "order", "allOrders", "h01", "distribution", "kernel",
			"coefficients"}},
	{Name: MethodTensorizedProjection, Slow: true, isBase: true,
		Takes: []string{"degree", "gamma", "coef0", "distribution"}},
	{Name: MethodComplexProjection, Slow: true, Even: true, isBase: true, quick: toEven,
		Takes: []string{"degree", "gamma", "coef0", "distribution"}},
	{Name: MethodTensorSRHT, isBase: true, Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodComplexTensorSRHT, Even: true, isBase: true, quick: toEven,
		Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodCRAFT, quick: toSmooth, Takes: []string{"degree", "gamma", "coef0", "base", "upComponents",
		"distribution", "order", "allOrders", "h01", "kernel", "coefficients"}},
	{Name: MethodTreeTensorSketch, isBase: true, quick: toEvenFFT, Takes: []string{"degree", "gamma", "coef0"}},
	{Name: MethodSpherical, Slow: true, Biased: true, answers: ofSphere,
		Takes: []string{"degree", "a", "paired", "signed"}},
	{Name: MethodRandomFourier, Drawn: true, Slow: true, answers: noQuestions,
		Kernels: []string{KernelGaussian, KernelLaplacian, KernelCauchy},
		Takes:   []string{"gamma", "kernel", "paired", "projection"}},
	{Name: MethodTaylorSketch, Biased: true, answers: noQuestions,
		Kernels: []string{KernelGaussian, KernelExponential, KernelArcCosine},
		Takes:   []string{"gamma", "kernel", "coefficients", "terms"}},
	{Name: MethodNystroem, Fitted: true, answers: withSample,
		Kernels: []string{KernelPolynomial, KernelGaussian, KernelExponential},
		Takes:   []string{"degree", "gamma", "coef0", "kernel"}},
	{Name: MethodKSpace, Fitted: true, Basis: true, answers: noQuestions,
		Takes: []string{"degree", "gamma", "coef0", "m", "r"}},
}

// Methods describes all methods. The slices in them are shared: do not modify them.
func Methods() []Method { return append([]Method(nil), methods[:]...) }

// takes reports whether the method takes the parameter.
func (m *Method) takes(name string) bool { return slices.Contains(m.Takes, name) }

// A namedMethod is the name of a method and its constructor.
type namedMethod struct {
	name string
	make func() *method
}

// allMethods lists the methods with their code, the ones that New makes first.
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
		{MethodKSpace, kspaceMethod},
	}...)
}

// tensorMethods lists the methods that New makes.
func tensorMethods() []namedMethod {
	return []namedMethod{
		{MethodTensorSketch, tensorSketchMethod},
		{MethodCountSketch, tensorSketchMethod},
		{MethodComplexTensorSketch, complexSketchMethod},
	}
}

// A lookup lists known methods with their code.
type lookup func() []namedMethod

// of returns the method with that name, or nil if it is unknown.
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

// names returns the names of the methods in order.
func (l lookup) names() []string {
	var names []string
	for _, known := range l() {
		names = append(names, known.name)
	}
	return names
}

// methodOf returns the method with that name, or nil if it is unknown.
func methodOf(name string) *method { return lookup(allMethods).of(name) }

// A method is the code that FeatureMap needs for one kind of feature map. Its functions are called
// with valid parameters, defaults filled in. Some may be nil, as noted.
type method struct {
	*Method

	// defaults fills in the zero fields of MethodParams, and of Params if the method has its own
	// defaults. It runs before the general defaults. May be nil.
	defaults func(p *Params)
	// check returns an error about the parameters, beyond the general checks. May be nil.
	check func(p *Params) error
	// scaling returns the factor of every coordinate, and the constant coordinate, appended if it
	// is not 0. Nil means √γ and √c.
	scaling func(p *Params) (factor, constant float64)
	// law returns the formulas for the estimate.
	law func(p *Params) law
	// core draws one sketch of p.NComponents features for rows of width numbers: p.NFeatures, plus
	// 1 if there is a constant coordinate.
	core func(p *Params, width int, draw randomness) core
	// bytes returns the memory that core allocates, including its clone. Nil means next to nothing.
	bytes func(p *Params, width int) int64
}

// answers says which questions of Plan a method answers.
type answers int

const (
	anyKernel   answers = iota // questions of any polynomial kernel
	byName                     // the same, if the question names the method
	ofSphere                   // questions of its own kernel on rows of length 1, if the question names it
	withSample                 // questions with rows to fit it to
	noQuestions                // none: it has other kernels
)

// A rounding says how Plan rounds a number of components so that it is quick to compute with.
type rounding int

const (
	toAny     rounding = iota
	toEven             // for complex features
	toSmooth           // to a product of 2, 3 and 5
	toEvenFFT          // to twice a product of 2, 3 and 5
)

// validateMethod checks the parameters against the method.
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
		if p.MethodParams.Kernel == "sigmoid" { // as scikit-learn calls it
			return paramError("methodParams.kernel", `"sigmoid"`,
				"be another one: no features have tanh(γ⟨x, y⟩ + c) as inner products, since it is not positive definite")
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

// methodParams lists the fields of MethodParams that the method takes.
func (m *Method) methodParams() []string {
	var names []string
	for _, field := range new(MethodParams).fields() {
		if m.takes(field.name) {
			names = append(names, field.name)
		}
	}
	return names
}

// scaling returns the factor of every coordinate, and the constant coordinate.
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

// quoted joins names in quotation marks, for error messages.
func quoted(names []string) string {
	return `"` + strings.Join(names, `", "`) + `"`
}

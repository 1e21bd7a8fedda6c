package sketch

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/internal/portable"
)

// MethodParams holds the parameters of single methods. The zero value of a field stands for the
// method's default. docs/SPEC.md, section 8, has a table of the parameters of each method.
type MethodParams struct {
	// H01 keeps the constant and the linear term of the kernel exactly, in the first
	// 1 + d components (random-maclaurin).
	H01 bool
	// Order is q, above 1 and at most 100. Feature orders are drawn with P(n) ∝ q^−n; default 2
	// (random-maclaurin).
	Order float64
	// AllOrders draws orders from 0, 1, 2 … as Kar & Karnick do, also those without a term in the
	// kernel, whose features are 0. P(n) is then (1 − 1/q)·q^−n (random-maclaurin).
	AllOrders bool
	// Distribution is the distribution of the random entries: DistributionRademacher (default) or
	// DistributionGaussian (the random projections, random-maclaurin, and craft with one of these
	// as its base).
	Distribution string
	// Base is the base method of craft; default MethodTensorSketch.
	Base string
	// UpComponents is E, the number of features of craft's base map, D … MaxComponents. 0 stands
	// for 8·D and follows changes of D.
	UpComponents int
	// A is a ≥ 2 of the spherical kernel (1 − 2/a² + 2⟨x,y⟩/a²)^p; default 2.
	A float64
	// Kernel names the kernel if the method has several; default KernelPolynomial
	// (random-maclaurin, nystroem) or KernelGaussian (random-fourier, taylor-sketch).
	Kernel string
	// Coefficients are a_0, a_1, … ≥ 0 of KernelSeries, 1 to 65 of them. Giving them selects
	// KernelSeries if Kernel is not given (random-maclaurin, taylor-sketch).
	Coefficients []float64
	// Paired takes a cosine and a sine of each of D/2 frequencies. Otherwise each of D frequencies
	// gives one cosine with a random offset (random-fourier, spherical).
	Paired bool
	// Terms is the number of series terms kept, 2 … 65, including the constant one; default 8, or
	// all Coefficients (taylor-sketch).
	Terms int
	// M is m, the number of components of the sketch that k-Space combines to features: k … 4096. 0
	// stands for 4k and follows changes of k (k-space).
	M int
	// R is r, the number of components of the second sketch, by which k-Space chooses the subspace:
	// k … 8192. 0 stands for 8k and follows changes of k (k-space).
	R int
	// Projection says how the frequencies of the Gaussian kernel are drawn: ProjectionIID (default,
	// and empty once defaults are filled in), ProjectionOrthogonal or ProjectionStructured
	// (random-fourier).
	Projection string
	// Signed takes frequencies of either sign, for estimates with a smaller bias and a larger variance.
	// FeatureMap.Signs has the signs that their inner products need (spherical).
	Signed bool
}

// The ways to draw frequencies.
const (
	ProjectionIID        = "iid"        // independent
	ProjectionOrthogonal = "orthogonal" // in orthogonal blocks of d, for d up to 256
	ProjectionStructured = "structured" // in nearly orthogonal blocks, by Hadamard transforms
)

// The distributions of random entries.
const (
	DistributionRademacher = "rademacher" // −1 and +1; complex: 1, i, −1 and −i
	DistributionGaussian   = "gaussian"   // of variance 1
)

// The kernels, for methods that have several.
const (
	KernelPolynomial  = "polynomial"  // (γ⟨x,y⟩ + c)^p
	KernelExponential = "exponential" // exp(γ⟨x,y⟩)
	KernelSeries      = "series"      // Σ a_n (γ⟨x,y⟩)^n of given coefficients
	KernelGaussian    = "gaussian"    // exp(−γ‖x−y‖²)
	KernelLaplacian   = "laplacian"   // exp(−γ‖x−y‖₁)
	KernelCauchy      = "cauchy"      // Π 1/(1 + γ(x_i − y_i)²)
	KernelArcCosine   = "arc-cosine"  // γ‖x‖‖y‖(sin θ + (π − θ)cos θ)/π, θ between x and y (Cho & Saul 2009)
)

// A methodParam is a pointer to one field of MethodParams, under its name in JavaScript and in
// model files.
type methodParam struct {
	name  string
	value any
}

// fields returns pointers to the fields with their names, in the order of the model
// file: *bool, *int, *float64, *string or *[]float64.
func (m *MethodParams) fields() []methodParam {
	return []methodParam{
		{"h01", &m.H01}, {"order", &m.Order}, {"distribution", &m.Distribution}, {"base", &m.Base},
		{"upComponents", &m.UpComponents}, {"a", &m.A}, {"kernel", &m.Kernel}, {"coefficients", &m.Coefficients},
		{"paired", &m.Paired}, {"terms", &m.Terms}, {"m", &m.M},
		{"r", &m.R}, {"allOrders", &m.AllOrders}, {"projection", &m.Projection},
		{"signed", &m.Signed},
	}
}

// All yields the nonzero fields, each as a bool, a float64, a string or a []float64. Names are as
// in JavaScript and in model files. In Params with defaults filled in, All yields everything the
// method was given or assumes, except false.
//
//	for name, value := range params.MethodParams.All {
func (m *MethodParams) All(yield func(name string, value any) bool) {
	for _, field := range m.fields() {
		var value any
		isSet := false
		switch v := field.value.(type) {
		case *bool:
			value, isSet = *v, *v
		case *int:
			value, isSet = float64(*v), *v != 0
		case *float64:
			value, isSet = *v, *v != 0
		case *string:
			value, isSet = *v, *v != ""
		case *[]float64:
			value, isSet = *v, *v != nil
		}
		if isSet && !yield(field.name, value) {
			return
		}
	}
}

// Set sets the named field to a bool, a float64, a string or a []float64. The error is an *Error
// with code ErrParam for an unknown name or a value of another type. It is also an error to set a
// number 0 or an empty text or array: no method takes these, and they would stand for the default.
// Validate checks whether a method accepts the value.
func (m *MethodParams) Set(name string, value any) error {
	var names []string
	for _, field := range m.fields() {
		names = append(names, field.name)
		if field.name == name {
			return set(field, value)
		}
	}
	return paramError("methodParams."+name, "", "be a parameter of a method: "+strings.Join(names, ", "))
}

func set(field methodParam, value any) error {
	ok, want := false, ""
	switch to := field.value.(type) {
	case *bool:
		ok, want = assign(to, value), "true or false"
	case *int:
		var number float64
		ok, want = assign(&number, value) && number == math.Trunc(number) && math.Abs(number) < 1<<53 && number != 0,
			"a positive integer"
		if ok {
			*to = int(number)
		}
	case *float64:
		ok, want = assign(to, value) && *to != 0, "a positive number"
	case *string:
		ok, want = assign(to, value) && *to != "", "a text that is not empty"
	case *[]float64:
		ok, want = assign(to, value) && len(*to) > 0, "an array of numbers"
	}
	if !ok {
		return paramError("methodParams."+field.name, valueText(value), "be "+want)
	}
	return nil
}

// assign sets *to to the value if it has that type.
func assign[T any](to *T, value any) bool {
	v, ok := value.(T)
	if ok {
		*to = v
	}
	return ok
}

// valueText formats a value for error messages.
func valueText(value any) string {
	switch v := value.(type) {
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return portable.FormatNumber(v)
	case string:
		return quote(v)
	case []float64:
		return strconv.Itoa(len(v)) + " numbers"
	}
	return ""
}

// checkName returns an error unless the value of a field is one of the names or empty.
func checkName(field, value string, names ...string) error {
	if value == "" || slices.Contains(names, value) {
		return nil
	}
	return paramError("methodParams."+field, quote(value), "be one of "+quoted(names))
}

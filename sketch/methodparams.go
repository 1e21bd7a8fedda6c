package sketch

import "strconv"

// MethodParams are the parameters of single methods. The zero value of a field
// stands for the method's default; docs/theory.md says which method takes which.
type MethodParams struct {
	// H01 keeps the constant and the linear term of the kernel exactly, in the first
	// 1 + d components (random-maclaurin).
	H01 bool
	// Order is p > 1 of the law P(n) = (p−1)/p^(n+1) from which the orders of the
	// features are drawn; default 2 (random-maclaurin).
	Order float64
	// Distribution is that of the random entries: DistributionRademacher (default)
	// or DistributionGaussian (the random projections and random-maclaurin).
	Distribution string
	// Base is the method that craft maps up with.
	Base string
	// UpComponents is E, the number of features of craft's base map; default 8·D.
	UpComponents int
	// A is a ≥ 2 of the spherical kernel (1 − 2/a² + 2⟨x,y⟩/a²)^p.
	A float64
	// Kernel names the kernel where the method has several.
	Kernel string
	// Coefficients are a_0, a_1, … ≥ 0 of the kernel Σ a_n (γ⟨x,y⟩)^n where Kernel is
	// KernelSeries.
	Coefficients []float64
	// Paired takes a cosine and a sine of each of D/2 frequencies instead of one cosine
	// with a random offset of each of D (random-fourier, spherical).
	Paired bool
	// Terms is the number of terms kept of a series.
	Terms int
}

// The distributions of random entries.
const (
	DistributionRademacher = "rademacher" // −1 and +1; complex: 1, i, −1 and −i
	DistributionGaussian   = "gaussian"   // of variance 1
)

// The kernels that methods with several name.
const (
	KernelPolynomial  = "polynomial"  // (γ⟨x,y⟩ + c)^p
	KernelExponential = "exponential" // exp(γ⟨x,y⟩)
	KernelSeries      = "series"      // Σ a_n (γ⟨x,y⟩)^n of given coefficients
	KernelGaussian    = "gaussian"    // exp(−γ‖x−y‖²)
	KernelLaplacian   = "laplacian"   // exp(−γ‖x−y‖₁)
	KernelArcCosine   = "arc-cosine"
)

// A methodParam is one field as errors name it.
type methodParam struct{ name, value string }

// given returns the fields that are not zero.
func (m *MethodParams) given() []methodParam {
	var given []methodParam
	add := func(set bool, name, value string) {
		if set {
			given = append(given, methodParam{name, value})
		}
	}
	add(m.H01, "h01", "true")
	add(m.Order != 0, "order", formatFloat(m.Order))
	add(m.Distribution != "", "distribution", strconv.Quote(m.Distribution))
	add(m.Base != "", "base", strconv.Quote(m.Base))
	add(m.UpComponents != 0, "upComponents", strconv.Itoa(m.UpComponents))
	add(m.A != 0, "a", formatFloat(m.A))
	add(m.Kernel != "", "kernel", strconv.Quote(m.Kernel))
	add(m.Coefficients != nil, "coefficients", strconv.Itoa(len(m.Coefficients))+" numbers")
	add(m.Paired, "paired", "true")
	add(m.Terms != 0, "terms", strconv.Itoa(m.Terms))
	return given
}

// checkName returns an error unless the value of a field is one of the names, or
// not given.
func checkName(field, value string, names ...string) error {
	if value == "" || contains(names, value) {
		return nil
	}
	return paramError("methodParams."+field, strconv.Quote(value), "be one of "+quoted(names))
}

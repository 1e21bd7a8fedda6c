package sketch

// The methods of TensorSketch, for what goes over all methods.

func countSketchMethod() *method {
	return &method{
		takes: takesGamma | takesCoef0 | takesSpectrum | takesTables | takesProducts,
		law:   newTensorLaw,
		core:  newTensorCore,
		bytes: tensorCoreBytes,
	}
}

func tensorSketchMethod() *method {
	m := countSketchMethod()
	m.takes |= takesDegree
	return m
}

// tensorLaw is Theory as a law.
type tensorLaw struct{ *Theory }

func newTensorLaw(p *Params) law {
	t := new(Theory)
	p.copyTo(&t.params)
	return &tensorLaw{t}
}

func (t *tensorLaw) kernel(x, y []float64) float64 {
	if t.params.isProduct() {
		return t.Kernel(x, y)
	}
	return polynomialKernel(&t.params, dot64(x, y))
}

func (t *tensorLaw) normKernel(square float64) float64 { return polynomialKernel(&t.params, square) }

func (t *tensorLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	return t.covariance(x, y, x, y, nComponents), Exact
}

// covariance has the bits of Theory's, which goes through one vector once for each
// degree.
func (t *tensorLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	if t.params.isProduct() || t.params.isComplexSketch() {
		return t.Theory.covariance(a, b, c, d).at(nComponents)
	}
	return pairingsOf(t.params.Gamma, t.params.Coef0, a, b, c, d).tensorSpread(t.params.Degree).at(nComponents)
}

// polynomialKernel returns (γ·inner + c)^p.
func polynomialKernel(p *Params, inner float64) float64 {
	return power(float64(p.Gamma*inner)+p.Coef0, p.Degree)
}

// dot64 returns ⟨x, y⟩.
func dot64(x, y []float64) float64 {
	sum := 0.0
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

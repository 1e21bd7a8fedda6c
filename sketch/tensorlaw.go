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

func newTensorLaw(p *Params) law { return &tensorLaw{&Theory{*p}} }

func (t *tensorLaw) kernel(x, y []float64) float64 { return t.Kernel(x, y) }

func (t *tensorLaw) normKernel(square float64) float64 { return polynomialKernel(&t.params, square) }

func (t *tensorLaw) variance(x, y []float64, nComponents float64) (float64, Kind) {
	return t.Theory.covariance(x, y, x, y).at(nComponents), Exact
}

func (t *tensorLaw) covariance(a, b, c, d []float64, nComponents float64) float64 {
	return t.Theory.covariance(a, b, c, d).at(nComponents)
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

// A tensorCore is the tensor sketch as a part of other maps: of rows that are
// scaled and have their constant already.
type tensorCore struct{ t *TensorSketch }

// tensorCoreParams are those of the TensorSketch in a core.
func tensorCoreParams(p *Params, width int) Params {
	return Params{NFeatures: width, NComponents: p.NComponents, Degree: p.Degree, Output: p.Output}.WithDefaults()
}

// newTensorCore returns the tensor sketch with p.Degree, p.NComponents and
// p.Output of rows of width numbers.
func newTensorCore(p *Params, width int, draw randomness) core {
	params := tensorCoreParams(p, width)
	t := &TensorSketch{Theory: Theory{params}, widths: params.widths(), plan: newPlan(params.config())}
	t.hash = seedTables(draw, t.widths, params.NComponents)
	t.work = newWorkspace(&params, t.plan)
	return &tensorCore{t}
}

func tensorCoreBytes(p *Params, width int) int64 {
	params := tensorCoreParams(p, width)
	return params.tensorSketchBytes()
}

func (c *tensorCore) clone() core { return &tensorCore{c.t.Clone()} }

func (c *tensorCore) lanes() int { return c.t.plan.Lanes() }

func (c *tensorCore) transform(dst, x []float32) { c.transformBlock(dst, x, 1) }

func (c *tensorCore) transformBlock(dst, x []float32, count int) {
	c.t.work.sources = append(c.t.work.sources[:0], source{dense: x})
	c.t.transformBlock(dst, 0, count, false)
}

package sketch

// A tensorCore is the tensor sketch as a part of other maps: of rows that are
// scaled and have their constant already.
type tensorCore struct{ t *TensorSketch }

// tensorCoreParams are those of the TensorSketch in a core.
func tensorCoreParams(p *Params, width int) *Params {
	params := &Params{NFeatures: width, NComponents: p.NComponents, Degree: p.Degree, Output: p.Output}
	if p.isComplexSketch() {
		params.Method = p.Method
	}
	params.setDefaults(tensorMethodOf)
	return params
}

// newTensorCore returns the tensor sketch with p.Degree, p.NComponents and
// p.Output of rows of width numbers, complex where that is p.Method.
func newTensorCore(p *Params, width int, draw randomness) core {
	params := tensorCoreParams(p, width)
	t := newUnhashed(params)
	t.hash = params.seedTables(draw)
	return &tensorCore{t}
}

func tensorCoreBytes(p *Params, width int) int64 {
	return tensorCoreParams(p, width).tensorSketchBytes()
}

func (c *tensorCore) clone() core { return &tensorCore{c.t.Clone()} }

func (c *tensorCore) lanes() int { return c.t.plan.Lanes() }

func (c *tensorCore) transform(dst, x []float32) { c.transformBlock(dst, x, 1) }

func (c *tensorCore) transformBlock(dst, x []float32, count int) {
	Dense(x).fill(c.t.work.source())
	c.t.transformBlock(dst, 0, count, false)
}

func (c *tensorCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.t.work.loadSparse(rows)
	c.t.transformBlock(dst, 0, len(rows), false)
}

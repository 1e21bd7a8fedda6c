package sketch

// A tensorCore is the tensor sketch as a part of other maps: of rows that are
// scaled and have their constant already.
type tensorCore struct{ t *TensorSketch }

// tensorCoreParams are those of the TensorSketch in a core.
func tensorCoreParams(p *Params, width int) Params {
	params := Params{NFeatures: width, NComponents: p.NComponents, Degree: p.Degree, Output: p.Output}
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
	t := &TensorSketch{Theory: Theory{params}, widths: params.widths(), plan: newPlan(params.config())}
	t.hash = params.seedTables(draw)
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

func (c *tensorCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.t.work.sources = append(c.t.work.sources[:0], source{sparse: true})
	copy(c.t.work.sources[0].block[:], rows)
	c.t.transformBlock(dst, 0, len(rows), false)
}

package sketch

import "math"

// A taylorCore writes the terms of the series one after another, the constant first. The term of
// order n is √a_n·g(x) times the tensor sketch of x with D_n components, drawn as part n. For the
// arc-cosine kernel rows are divided by their norm.
type taylorCore struct {
	series     *taylorSeries
	components int
	parts      []core
	roots      []float64 // √a_n of the parts
	lengths    []int     // D_n
	unit       []float32 // rows divided by their norm
	sketch     []float32
}

// taylorParts returns the parameters of the tensor sketches.
func taylorParts(p *Params, s *taylorSeries) []Params {
	var parts []Params
	for k, share := range s.allot(float64(p.NComponents)) {
		parts = append(parts, Params{NComponents: int(share), Degree: s.orders[k]})
	}
	return parts
}

func newTaylorCore(p *Params, width int, draw randomness) core {
	c := &taylorCore{series: newTaylorSeries(p), components: p.NComponents}
	for _, part := range taylorParts(p, c.series) {
		c.parts = append(c.parts, newTensorPart(&part, width, draw.part(part.Degree)))
		c.roots = append(c.roots, math.Sqrt(c.series.coefficients[part.Degree]))
		c.lengths = append(c.lengths, part.NComponents)
	}
	if p.MethodParams.Kernel == KernelArcCosine {
		c.unit = make([]float32, c.lanes()*width)
	}
	c.allocate()
	return c
}

func (c *taylorCore) allocate() {
	longest := 0
	for _, n := range c.lengths {
		longest = max(longest, n)
	}
	c.sketch = make([]float32, c.lanes()*longest)
	c.unit = make([]float32, len(c.unit))
}

func taylorBytes(p *Params, width int) int64 {
	total := 4 * int64(Lanes()) * int64(p.NComponents+2*width)
	for _, part := range taylorParts(p, newTaylorSeries(p)) {
		total += tensorPartBytes(&part, width) + 8192 + 64*int64(part.Degree)
	}
	return total
}

func (c *taylorCore) clone() core {
	clone := *c
	clone.parts = make([]core, len(c.parts))
	for k, part := range c.parts {
		clone.parts[k] = part.clone()
	}
	clone.allocate()
	return &clone
}

func (c *taylorCore) lanes() int { return c.parts[0].lanes() }

func (c *taylorCore) transformBlock(dst, x []float32, count int) {
	var weights [maxLanes]float64
	width, D := len(x)/count, c.components
	for r := range count {
		row := x[r*width : (r+1)*width]
		weights[r] = c.series.weight(squaredNorm(row))
		if len(c.unit) > 0 {
			divideRow(c.unit[r*width:(r+1)*width], row, weights[r])
		}
	}
	if len(c.unit) > 0 {
		x = c.unit[:count*width]
	}
	from := int(c.series.constants())
	for r := 0; r < count && from > 0; r++ {
		dst[r*D] = float32(weights[r] * math.Sqrt(c.series.coefficients[0]))
	}
	for k, part := range c.parts {
		n := c.lengths[k]
		part.transformBlock(c.sketch[:count*n], x, count)
		for r := range count {
			scaleRow(dst[r*D+from:r*D+from+n], c.sketch[r*n:(r+1)*n], float32(weights[r]*c.roots[k]))
		}
		from += n
	}
}

// divideRow sets dst = x/norm, or to 0 if norm is 0.
func divideRow(dst, x []float32, norm float64) {
	for i, v := range x {
		if dst[i] = 0; norm > 0 {
			dst[i] = float32(float64(v) / norm)
		}
	}
}

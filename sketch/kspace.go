package sketch

import (
	"strconv"

	"tensorsketch.example/internal/engine/block"
)

// kspaceMethod is k-Space (Avron, Nguyen & Woodruff 2014, Algorithm 1). With φ the features of the
// kernel, S and T independent tensor sketches of m and r components, Y = φ(A)·S and Z = φ(A)·T for
// the rows A of the data, Q an orthonormal basis of the columns of Y, and W the first k left
// singular vectors of QᵀZ,
//
//	V = Q·W = Y·M,  f(x) = (φ(x)·S)·M.
//
// The columns of V are orthonormal, and nearly span the best subspace of k dimensions for the
// columns of φ(A). So V·Vᵀ·φ(A) is nearly the best approximation of rank k. The features are
// coordinates in an orthonormal basis: they are for linear models, and their inner products do not
// estimate the kernel.
func kspaceMethod() *method {
	return &method{
		check: checkKSpace,
		law:   func(p *Params) law { return &fittedLaw{p} },
		core:  newKSpaceCore,
		bytes: kspaceBytes,
	}
}

// Limits of the two sketches of k-Space, and the defaults of their components over k. Fitting keeps
// m·(m + r) sums.
const (
	mostKSpaceM = 1 << 12
	mostKSpaceR = 1 << 13

	kspaceRatioM = 4
	kspaceRatioR = 8
)

// kspaceComponents returns m and r, with their defaults filled in. The defaults follow k.
func (p *Params) kspaceComponents() (m, r int) {
	if m = p.MethodParams.M; m == 0 {
		m = min(kspaceRatioM*min(p.NComponents, mostKSpaceM), mostKSpaceM)
	}
	if r = p.MethodParams.R; r == 0 {
		r = min(kspaceRatioR*min(p.NComponents, mostKSpaceM), mostKSpaceR)
	}
	return m, r
}

func checkKSpace(p *Params) error {
	m, r := p.kspaceComponents()
	if p.NComponents > mostKSpaceM {
		return paramError("nComponents", strconv.Itoa(p.NComponents), "be an integer from 1 to "+
			strconv.Itoa(mostKSpaceM)+" for method "+quote(p.Method))
	}
	if err := checkKSpaceSketch(p, "methodParams.m", m, mostKSpaceM); err != nil {
		return err
	}
	return checkKSpaceSketch(p, "methodParams.r", r, mostKSpaceR)
}

func checkKSpaceSketch(p *Params, name string, value, most int) error {
	if value < p.NComponents || value > most {
		return paramError(name, strconv.Itoa(value), "be an integer from nComponents = "+
			strconv.Itoa(p.NComponents)+" to "+strconv.Itoa(most))
	}
	return nil
}

// kspaceSketch returns the parameters of a tensor sketch of φ with that many components.
func (p *Params) kspaceSketch(components int) *Params {
	return &Params{NComponents: components, Degree: p.Degree}
}

// A kspaceCore computes (φ(x)·S)·M, several rows side by side: number r of each group of block.Rows
// belongs to row r.
type kspaceCore struct {
	k, m, r int
	draw    randomness // its part 1 draws T
	first   core       // S
	fit     *kspaceFit // nil before fitting; shared by clones, and never changed
	y       []float32  // φ(x)·S: rows of m numbers
	panel   []float64  // −y, block.Rows for each number of a panel
	sums    []float64  // block.Rows for each feature
}

// A kspaceFit is the matrix M, m × k. It is stored as the matrices of a nystroemFit are: panel by
// panel of rows of M, block.Sums features side by side.
type kspaceFit struct{ panels [][]float64 }

func newKSpaceCore(p *Params, width int, draw randomness) core {
	m, r := p.kspaceComponents()
	c := &kspaceCore{k: p.NComponents, m: m, r: r, draw: draw, first: newTensorPart(p.kspaceSketch(m), width, draw)}
	c.allocate()
	return c
}

func (c *kspaceCore) allocate() {
	c.y = make([]float32, c.lanes()*c.m)
	c.panel = make([]float64, block.Rows*panelLength)
	c.sums = make([]float64, block.Rows*paddedSums(c.k))
}

// kspaceBytes returns the memory of a fitted core and of its matrix while it is set.
func kspaceBytes(p *Params, width int) int64 {
	m, _ := p.kspaceComponents()
	k := int64(paddedSums(p.NComponents))
	return tensorPartBytes(p.kspaceSketch(m), width) + 1<<13 + 4*block.Rows*int64(m) + 16*int64(m)*k +
		8*block.Rows*(panelLength+k)
}

func (c *kspaceCore) clone() core {
	clone := *c
	clone.first = c.first.clone()
	clone.allocate()
	return &clone
}

func (c *kspaceCore) ready() error {
	if c.fit == nil {
		return paramError("method", quote(MethodKSpace)+" without a fit",
			"be fitted to rows before it transforms any: call fit")
	}
	return nil
}

func (c *kspaceCore) lanes() int { return block.Rows }

func (c *kspaceCore) transformBlock(dst, x []float32, count int) {
	width := len(x) / count
	for row := 0; row < count; row += c.first.lanes() {
		n := min(c.first.lanes(), count-row)
		c.first.transformBlock(c.y[row*c.m:(row+n)*c.m], x[row*width:(row+n)*width], n)
	}
	c.multiply(dst, count)
}

func (c *kspaceCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	for row := 0; row < len(rows); row += c.first.lanes() {
		rows := rows[row:min(row+c.first.lanes(), len(rows))]
		c.first.(sparseCore).transformSparseBlock(c.y[row*c.m:(row+len(rows))*c.m], rows)
	}
	c.multiply(dst, len(rows))
}

// multiply writes y·M: for each feature the sum in the order of y, in float64.
func (c *kspaceCore) multiply(dst []float32, count int) {
	sums := c.sums
	clear(sums)
	for p, matrix := range c.fit.panels {
		from := p * panelLength
		width := min(panelLength, c.m-from)
		for r := range count {
			for i, v := range c.y[r*c.m+from:][:width] {
				c.panel[i*block.Rows+r] = -float64(v)
			}
		}
		for j := 0; j < len(sums)/block.Rows; j += block.Sums {
			subtractProducts(sums[j*block.Rows:], c.panel, matrix[j*width:], panelIndices[:width], count)
		}
	}
	for r := range count {
		z := dst[r*c.k:][:c.k]
		for j := range z {
			z[j] = float32(sums[j*block.Rows+r])
		}
	}
}

// newKSpaceFit returns the fit of a matrix m × k, row-major.
func newKSpaceFit(matrix []float64, m, k int) *kspaceFit {
	return &kspaceFit{panels(k, m, false, func(feature, i int) float64 { return matrix[i*k+feature] })}
}

// matrix appends the matrix M of the core, row-major.
func (c *kspaceCore) matrix(to []float64) []float64 {
	for i := range c.m {
		panel, from := c.fit.panels[i/panelLength], i/panelLength*panelLength
		width := min(panelLength, c.m-from)
		for j := range c.k {
			to = append(to, panel[j/block.Sums*block.Sums*width+(i-from)*block.Sums+j%block.Sums])
		}
	}
	return to
}

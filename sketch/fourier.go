package sketch

import (
	"math"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/portable"
)

// fourierMethod is the random Fourier features of Rahimi & Recht (2007) for the Gaussian kernel
// exp(−γ‖x−y‖²), the Laplacian exp(−γ‖x−y‖₁), and the Cauchy kernel Π 1/(1 + γ(x_i − y_i)²). The D
// features are √(2/D)·cos(⟨ω_j, x⟩ + b_j), with ω_j drawn from the kernel's Fourier transform and
// b_j uniform, as in scikit-learn's RBFSampler. Paired features are √(2/D)·(cos ⟨ω_j, x⟩, sin
// ⟨ω_j, x⟩) for D/2 frequencies, with less variance. MethodParams.Projection has orthogonal
// frequencies (Yu, Suresh, Choromanski, Holtmann-Rice & Kumar 2016), with less variance again.
func fourierMethod() *method {
	m := fourierRules()
	m.law, m.core = newFourierLaw, newRandomFourier
	return m
}

// defaultKernel sets the kernel if it is not named. Given coefficients select KernelSeries.
func defaultKernel(p *Params, kernel string) {
	if m := &p.MethodParams; m.Kernel == "" {
		if m.Kernel = kernel; m.Coefficients != nil {
			m.Kernel = KernelSeries
		}
	}
}

// checkPaired returns an error if frequencies are paired and D is odd.
func checkPaired(p *Params) error {
	if p.MethodParams.Paired && p.NComponents%2 != 0 {
		return paramError("nComponents", portable.FormatNumber(float64(p.NComponents)),
			"be even where methodParams.paired is true: a cosine and a sine of each frequency")
	}
	return nil
}

func defaultFourier(p *Params) {
	defaultKernel(p, KernelGaussian)
	if m := &p.MethodParams; m.Projection == ProjectionIID {
		m.Projection = ""
	}
}

func checkFourier(p *Params) error {
	projection := p.MethodParams.Projection
	err := checkName("projection", projection, ProjectionIID, ProjectionOrthogonal, ProjectionStructured)
	switch {
	case err != nil:
		return err
	case projection != "" && p.MethodParams.Kernel != KernelGaussian:
		return paramError("methodParams.projection", quote(projection),
			"be left out unless methodParams.kernel is "+quote(KernelGaussian))
	case projection == ProjectionOrthogonal && p.NFeatures > maxOrthogonal:
		return paramError("methodParams.projection", quote(projection), "be \"structured\" for more than 256 features")
	}
	return checkPaired(p)
}

func isLaplacian(p *Params) bool { return p.MethodParams.Kernel == KernelLaplacian }

// fourierScaling reduces to γ = 1: the Laplacian is a function of γ·x, the others of √γ·x.
func fourierScaling(p *Params) (factor, constant float64) {
	if isLaplacian(p) {
		return p.Gamma, 0
	}
	return math.Sqrt(p.Gamma), 0
}

// newRandomFourier draws the frequencies for γ = 1, in turns. The frequencies of coordinate i come
// from stream (domainFrequency, i) in the order of the features, each with u = (⌊w/2^12⌋ + ½)/2^52
// of one word w. They are √2·Φ⁻¹(u)/2π for the Gaussian kernel, for the Laplacian the Cauchy
// number tan(π(u − ½))/2π, and for the Cauchy kernel the Laplacian number ±ln(2·min(u, 1 − u))/2π, below 0
// where u < ½.
func newRandomFourier(p *Params, width int, draw randomness) core {
	if p.MethodParams.Projection == ProjectionStructured {
		return newStructured(p, width, draw)
	}
	c := newFourierCore(p, width, draw, 1)
	drawFrequencies(p, draw, func(i, j int, turns float32) { *c.at(i, j) = turns })
	return c
}

// drawFrequencies draws frequency j of coordinate i, for all i and j.
func drawFrequencies(p *Params, draw randomness, use func(i, j int, turns float32)) {
	if p.MethodParams.Projection != "" {
		drawOrthogonal(p, draw, use)
		return
	}
	for i := range p.NFeatures {
		s := draw.stream(domainFrequency, uint32(i))
		for j := range frequencyCount(p) {
			u := s.unit()
			var turns float64
			switch p.MethodParams.Kernel {
			case KernelLaplacian:
				half := float64(0.5*u) - 0.25
				turns = portable.SinTurns(half) / portable.CosTurns(half) / 6.283185307179586
			case KernelCauchy:
				turns = portable.Log(2*min(u, 1-u)) / 6.283185307179586
				if u > 0.5 {
					turns = -turns
				}
			default:
				turns = portable.NormalQuantile(u) * normalTurn
			}
			use(i, j, float32(turns))
		}
	}
}

// normalTurn is √2/2π, the standard deviation of a frequency's entries, in turns, for γ = 1.
const normalTurn = 0.22507907903927651

// drawOffsets draws the offsets, in a list of this length, or returns nil if frequencies are paired.
func drawOffsets(p *Params, draw randomness, length int) []float32 {
	if p.MethodParams.Paired {
		return nil
	}
	s, offsets := draw.stream(domainOffset, 0), make([]float32, length)
	for j := range frequencyCount(p) {
		b := float64(s.uint64()>>40) * (1.0 / (1 << 24))
		offsets[j] = float32(b - math.RoundToEven(b))
	}
	return offsets
}

// unit returns a uniform number strictly between 0 and 1: (⌊w/2^12⌋ + ½)/2^52 of the next word w,
// which is exact.
func (s *stream) unit() float64 {
	return (float64(s.uint64()>>12) + 0.5) * (1.0 / (1 << 52))
}

// A fourierCore computes cosines of random projections, one tile of frequencies at a time for
// several rows.
type fourierCore struct {
	width, frequencies int
	turns              []float32 // the frequencies, in turns: tile by tile, coordinate by coordinate
	offsets            []float32 // b_j, in turns from −½ to ½; nil if frequencies are paired
	scale              float32   // √(2/D) times the root of the kernel at x = y
	lists              rowLists
	phases, sums       [block.Tile]float32
	reader             reader
}

// phaseStretch is the number of nonzero coordinates after which their sum is added to the phase and
// whole turns are removed. No sum then grows far beyond a turn, and rounding errors stay small.
const phaseStretch = 128

// newFourierCore returns a core without frequencies yet. The offsets b_j are ⌊w/2^40⌋/2^24 turns of
// the words w of stream (domainOffset, 0), minus 1 above ½.
func newFourierCore(p *Params, width int, draw randomness, atZero float64) *fourierCore {
	c := &fourierCore{width: width, frequencies: frequencyCount(p),
		scale: float32(math.Sqrt(2 * atZero / float64(p.NComponents)))}
	stride := projectionStride(c.frequencies)
	c.offsets = drawOffsets(p, draw, stride)
	c.turns = make([]float32, width*stride)
	c.lists = newRowLists(width)
	return c
}

func frequencyCount(p *Params) int {
	if p.MethodParams.Paired {
		return p.NComponents / 2
	}
	return p.NComponents
}

func fourierBytes(p *Params, width int) int64 {
	stride, more := int64(projectionStride(frequencyCount(p))), int64(0)
	switch p.MethodParams.Projection {
	case ProjectionStructured:
		more, width = structuredConfig(p, width).bytes(), 1
	case ProjectionOrthogonal:
		more = 8 * stride * int64(width)
	}
	return more + 4*stride*int64(width+1) + rowListsBytes(width)
}

// at returns a pointer to frequency j of coordinate i.
func (c *fourierCore) at(i, j int) *float32 {
	return &c.turns[(j/block.Tile*c.width+i)*block.Tile+j%block.Tile]
}

func (c *fourierCore) clone() core {
	clone := *c
	clone.lists = newRowLists(c.width)
	return &clone
}

func (c *fourierCore) lanes() int { return len(c.lists) }

func (c *fourierCore) transformBlock(dst, x []float32, count int) {
	c.transformSparseBlock(dst, c.lists.of(x, count))
}

func (c *fourierCore) transformSparseBlock(dst []float32, rows []sparseRow) {
	c.reader.begin(c.turns, c.width, rows)
	D := len(dst) / len(rows)
	for from := 0; from < c.frequencies; from += block.Tile {
		turns := c.turns[from*c.width:][:block.Tile*c.width]
		c.reader.read(turns)
		for r, row := range rows {
			c.begin(from)
			for start := 0; start < len(row.indices); start += phaseStretch {
				end := min(start+phaseStretch, len(row.indices))
				clear(c.sums[:])
				addTile(c.sums[:], turns, row.indices[start:end], row.data[start:end])
				c.wind()
			}
			c.finish(dst[r*D:(r+1)*D], from)
		}
	}
}

// begin sets the phases of the tile that starts at frequency from to their values at x = 0.
func (c *fourierCore) begin(from int) {
	if c.offsets == nil {
		clear(c.phases[:])
	} else {
		copy(c.phases[:], c.offsets[from:])
	}
}

// wind adds the sums to the phases and takes whole turns away.
//
//go:noinline
func (c *fourierCore) wind() { wind(c.phases[:], c.sums[:]) }

// finish writes the features of the tile that starts at frequency from.
func (c *fourierCore) finish(dst []float32, from int) {
	if c.offsets != nil {
		cosines(c.phases[:], c.phases[:], c.scale)
		copy(dst[from:], c.phases[:])
		return
	}
	cosines(c.sums[:], c.phases[:], c.scale)
	sines(c.phases[:], c.phases[:], c.scale)
	dst = dst[2*from : 2*min(from+block.Tile, c.frequencies)]
	for j := range len(dst) / 2 {
		dst[2*j], dst[2*j+1] = c.sums[j], c.phases[j]
	}
}

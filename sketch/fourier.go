package sketch

import "math"

// fourierMethod is the random Fourier features of Rahimi & Recht (2007) for the
// Gaussian kernel exp(−γ‖x−y‖²) and the Laplacian exp(−γ‖x−y‖₁): D features
// √(2/D)·cos(⟨ω_j, x⟩ + b_j), with ω_j of the kernel's Fourier transform and b_j
// uniform, as in scikit-learn's RBFSampler; or, paired, √(2/D)·(cos ⟨ω_j, x⟩,
// sin ⟨ω_j, x⟩) for D/2 frequencies, which has less variance.
func fourierMethod() *method {
	return &method{
		takes:    takesGamma,
		params:   []string{"kernel", "paired"},
		defaults: func(p *Params) { defaultKernel(p, KernelGaussian) },
		check:    checkFourier,
		scaling:  fourierScaling,
		law:      newFourierLaw,
		core:     newRandomFourier,
		bytes:    fourierBytes,
	}
}

func defaultKernel(p *Params, kernel string) {
	if p.MethodParams.Kernel == "" {
		p.MethodParams.Kernel = kernel
	}
}

func checkFourier(p *Params) error {
	if err := checkName("kernel", p.MethodParams.Kernel, KernelGaussian, KernelLaplacian); err != nil {
		return err
	}
	return checkPaired(p)
}

// checkPaired returns an error where frequencies are to be paired, but D is odd.
func checkPaired(p *Params) error {
	if p.MethodParams.Paired && p.NComponents%2 != 0 {
		return paramError("nComponents", formatFloat(float64(p.NComponents)), "be even where methodParams.paired is true: a cosine and a sine of each frequency")
	}
	return nil
}

func isLaplacian(p *Params) bool { return p.MethodParams.Kernel == KernelLaplacian }

// fourierScaling makes γ = 1: the kernels are functions of √γ·x, the Laplacian of γ·x.
func fourierScaling(p *Params) (factor, constant float64) {
	if isLaplacian(p) {
		return p.Gamma, 0
	}
	return math.Sqrt(p.Gamma), 0
}

// newRandomFourier draws the frequencies for γ = 1, in turns. Those of coordinate i
// come from stream (domainFrequency, i) in the order of the features, with
// u = (⌊w/2^12⌋ + ½)/2^52 of a word w each: for the Gaussian kernel √2·Φ⁻¹(u)/2π,
// for the Laplacian the Cauchy number tan(π(u − ½))/2π.
func newRandomFourier(p *Params, width int, draw randomness) core {
	c := newFourierCore(p, width, draw, 1)
	for i := range width {
		s := draw.stream(domainFrequency, uint32(i))
		for j := range c.phases {
			u := s.unit()
			var turns float64
			if isLaplacian(p) {
				half := float64(0.5*u) - 0.25
				turns = sinTurns(half) / cosTurns(half) / 6.283185307179586
			} else {
				turns = normalQuantile(u) * 0.22507907903927651 // √2/2π
			}
			c.turns[i*len(c.phases)+j] = float32(turns)
		}
	}
	return c
}

// unit returns a uniform number between 0 and 1, neither of them: (⌊w/2^12⌋ + ½)/2^52
// of the next word w, which is exact.
func (s *stream) unit() float64 {
	return (float64(s.uint64()>>12) + 0.5) * (1.0 / (1 << 52))
}

// A fourierCore computes cosines of random projections.
type fourierCore struct {
	turns   []float32 // width × frequencies: the frequencies, in turns
	offsets []float64 // b_j, in turns; nil: a cosine and a sine of each frequency
	scale   float64   // √(2/D), and the root of what the kernel is at x = y
	phases  []float64 // one per frequency
}

// newFourierCore returns a core whose frequencies are yet to be drawn. The offsets
// b_j are ⌊w/2^11⌋/2^53 turns of the words w of stream (domainOffset, 0).
func newFourierCore(p *Params, width int, draw randomness, atZero float64) *fourierCore {
	D := p.NComponents
	c := &fourierCore{scale: math.Sqrt(2 * atZero / float64(D))}
	frequencies := frequencyCount(p)
	if !p.MethodParams.Paired {
		s := draw.stream(domainOffset, 0)
		c.offsets = make([]float64, frequencies)
		for j := range c.offsets {
			c.offsets[j] = float64(s.uint64()>>11) * (1.0 / (1 << 53))
		}
	}
	c.turns = make([]float32, width*frequencies)
	c.phases = make([]float64, frequencies)
	return c
}

func frequencyCount(p *Params) int {
	if p.MethodParams.Paired {
		return p.NComponents / 2
	}
	return p.NComponents
}

func fourierBytes(p *Params, width int) int64 {
	return int64(frequencyCount(p)) * (4*int64(width) + 16)
}

func (c *fourierCore) clone() core {
	clone := *c
	clone.phases = make([]float64, len(c.phases))
	return &clone
}

func (c *fourierCore) transform(dst, x []float32) {
	c.begin()
	addDense(c.phases, c.turns, x)
	c.finish(dst)
}

func (c *fourierCore) transformSparse(dst []float32, indices []int32, values []float32) {
	c.begin()
	addSparse(c.phases, c.turns, indices, values)
	c.finish(dst)
}

func (c *fourierCore) begin() {
	if c.offsets == nil {
		clear(c.phases)
	} else {
		copy(c.phases, c.offsets)
	}
}

func (c *fourierCore) finish(dst []float32) {
	if c.offsets == nil {
		for j, turns := range c.phases {
			dst[2*j] = float32(c.scale * cosTurns(turns))
			dst[2*j+1] = float32(c.scale * sinTurns(turns))
		}
		return
	}
	for j, turns := range c.phases {
		dst[j] = float32(c.scale * cosTurns(turns))
	}
}

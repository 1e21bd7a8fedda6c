package sketch

import (
	"cmp"
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
)

// Names for the fields Normalize and Output of Params.
const (
	NormalizeNone   = "none"
	NormalizeKernel = "kernel" // rescale f(x) to the norm κ(x,x)^½

	OutputReal     = "real"
	OutputSpectrum = "spectrum" // the D real numbers of the spectrum, without the inverse FFT
)

// Limits of Params.
const (
	MaxFeatures   = 1<<31 - 1
	MaxComponents = 1 << 24
	MaxDegree     = 64
	MaxRepeats    = 1 << 16 // and no more than MaxComponents numbers per output row
)

// Params are the parameters of a feature map, under the names of the papers and
// of scikit-learn. The zero value of a field stands for its default.
type Params struct {
	Method        string  // one of Methods(); default MethodTensorSketch
	NFeatures     int     // d, 1 … MaxFeatures
	NFeaturesEach []int   // d of each degree, instead of NFeatures, for products of unlike vectors
	NComponents   int     // D, real numbers per output row, 1 … MaxComponents; default 100
	Degree        int     // p, 1 … MaxDegree; default 2, the length of NFeaturesEach, or 1 for methods that take none
	Gamma         float64 // γ > 0; default 1
	Coef0         float64 // c ≥ 0; default 0
	Normalize     string  // NormalizeNone (default) or NormalizeKernel
	Output        string  // OutputReal (default) or OutputSpectrum
	Repeats       int     // t independent sketches of D components each, 1 … MaxRepeats: rows of t·D; default 1

	// MethodParams holds the parameters of single methods. A parameter that the method does not
	// take must be zero.
	MethodParams MethodParams

	// The hash tables come from one of three sources.
	Seed        Seed      // Carter–Wegman polynomials of this seed: the default
	RandomState *uint32   // the tables scikit-learn fits with this random_state
	IndexHash   [][]int32 // tables fitted elsewhere: p rows of d columns, or d + 1 if Coef0 > 0;
	BitHash     [][]int8  // buckets 0 … D−1 and signs −1, +1

	Keyed bool // Seed is a key and must be a BytesSeed; model files then hold a check value instead of it
}

// The sources of the hash tables, as named in model files.
const (
	HashSeed        = "seed"
	HashRandomState = "random-state"
	HashTables      = "tables"
)

// Hash returns the source of the hash tables: HashSeed, HashRandomState or HashTables.
func (p *Params) Hash() string {
	switch {
	case p.IndexHash != nil || p.BitHash != nil:
		return HashTables
	case p.RandomState != nil:
		return HashRandomState
	}
	return HashSeed
}

// WithDefaults returns the parameters with every zero field set to its default.
func (p Params) WithDefaults() Params {
	p.setDefaults(allMethods)
	return p
}

func (p *Params) setDefaults(known lookup) {
	p.Method = cmp.Or(p.Method, MethodTensorSketch)
	m := known.of(p.Method)
	if m != nil && m.defaults != nil {
		m.defaults(p)
	}
	p.NComponents = cmp.Or(p.NComponents, 100)
	p.Repeats = cmp.Or(p.Repeats, 1)
	if p.Degree == 0 {
		switch {
		case len(p.NFeaturesEach) > 0:
			p.Degree = len(p.NFeaturesEach)
		case m != nil && !m.takes("degree"):
			p.Degree = 1
		default:
			p.Degree = 2
		}
	}
	p.Gamma = cmp.Or(p.Gamma, 1)
	p.Normalize = cmp.Or(p.Normalize, NormalizeNone)
	p.Output = cmp.Or(p.Output, OutputReal)
}

// Validate returns an error for the first field that is out of range. It does not replace zeros by
// defaults: call WithDefaults first. Only Repeats may be zero.
func (p *Params) Validate() error { return p.validate(allMethods) }

// ValidateForNew is Validate for the parameters of New. A program that needs no other maps then
// links none of their code.
func (p *Params) ValidateForNew() error { return p.validate(tensorMethods) }

// checkForNew returns an error for a method that New does not make, including unknown ones.
func (p *Params) checkForNew() error {
	if p.Method == "" || lookup(tensorMethods).of(p.Method) != nil {
		return nil
	}
	return paramError("method", quote(p.Method),
		`be "`+MethodTensorSketch+`", "`+MethodCountSketch+`" or "`+MethodComplexTensorSketch+`" for New: call `+
			`NewFeatureMap for the others`)
}

func (p *Params) validate(known lookup) error {
	m := known.of(p.Method)
	if m == nil {
		return paramError("method", quote(p.Method), "be one of "+quoted(known.names()))
	}
	if err := checkInt("nComponents", p.NComponents, MaxComponents); err != nil {
		return err
	}
	if err := checkInt("degree", p.Degree, MaxDegree); err != nil {
		return err
	}
	if err := p.validateFeatures(); err != nil {
		return err
	}
	if !(p.Gamma > 0) || !finite(p.Gamma) {
		return paramError("gamma", portable.FormatNumber(p.Gamma), "be a finite number > 0")
	}
	if !(p.Coef0 >= 0) || !finite(p.Coef0) {
		return paramError("coef0", portable.FormatNumber(p.Coef0), "be a finite number ≥ 0")
	}
	if p.Normalize != NormalizeNone && p.Normalize != NormalizeKernel {
		return paramError("normalize", quote(p.Normalize), "be one of "+quoted([]string{NormalizeNone, NormalizeKernel}))
	}
	if p.Output != OutputReal && p.Output != OutputSpectrum {
		return paramError("output", quote(p.Output), "be one of "+quoted([]string{OutputReal, OutputSpectrum}))
	}
	if err := p.validateRepeats(); err != nil {
		return err
	}
	if err := p.validateHash(); err != nil {
		return err
	}
	return p.validateMethod(m)
}

func (p *Params) validateRepeats() error {
	if p.Repeats == 0 {
		return nil
	}
	if err := checkInt("repeats", p.Repeats, MaxRepeats); err != nil {
		return err
	}
	if p.Repeats > MaxComponents/p.NComponents {
		return paramError("repeats", strconv.Itoa(p.Repeats),
			"keep repeats × nComponents within "+strconv.Itoa(MaxComponents))
	}
	if p.Repeats > 1 && p.Hash() != HashSeed {
		return paramError("repeats", strconv.Itoa(p.Repeats),
			"be 1 with randomState or indexHash and bitHash: only a seed gives independent repeats")
	}
	return nil
}

// repeatScale returns 1/√t, the factor applied to features if there are t > 1 repeats.
func (p *Params) repeatScale() float32 { return float32(1 / math.Sqrt(float64(p.Repeats))) }

func (p *Params) validateFeatures() error {
	if len(p.NFeaturesEach) == 0 {
		return checkInt("nFeatures", p.NFeatures, MaxFeatures)
	}
	if p.NFeatures != 0 {
		return paramError("nFeatures", "both NFeatures and NFeaturesEach", "be given once: one number, or one per degree")
	}
	if len(p.NFeaturesEach) != p.Degree {
		return paramError("nFeatures", strconv.Itoa(len(p.NFeaturesEach))+" entries",
			"have one entry per degree, "+strconv.Itoa(p.Degree)+", or be one number")
	}
	for _, d := range p.NFeaturesEach {
		if err := checkInt("nFeatures", d, MaxFeatures); err != nil {
			return err
		}
	}
	return nil
}

func (p *Params) validateHash() error {
	if p.RandomState != nil && (p.IndexHash != nil || p.BitHash != nil) {
		return paramError("randomState", "", "not be given together with indexHash and bitHash")
	}
	sources := p.RandomState != nil || p.IndexHash != nil || p.BitHash != nil
	if sources && p.Seed != (Seed{}) {
		return paramError("seed", p.Seed.String(), "not be given together with randomState or indexHash and bitHash")
	}
	if p.Keyed && p.Seed.kind != seedBytes {
		return paramError("key", p.Seed.String(), "be a seed of 32 bytes")
	}
	if p.Hash() == HashTables && (len(p.IndexHash) != p.Degree || len(p.BitHash) != p.Degree) {
		return paramError("indexHash, bitHash", strconv.Itoa(len(p.IndexHash))+" and "+strconv.Itoa(len(p.BitHash))+" rows",
			"have one row per degree: "+strconv.Itoa(p.Degree))
	}
	return nil
}

func checkInt(argument string, value, most int) error {
	if value < 1 || value > most {
		return paramError(argument, strconv.Itoa(value), "be an integer from 1 to "+strconv.Itoa(most))
	}
	return nil
}

func finite(x float64) bool { return x-x == 0 }

// widths returns the number of hashed coordinates of each degree: d, or d + 1 with the constant
// coordinate √c if c > 0.
func (p *Params) widths() []int {
	widths := make([]int, p.Degree)
	for k := range widths {
		widths[k] = p.FeaturesOf(k)
		if p.Coef0 > 0 {
			widths[k]++
		}
	}
	return widths
}

// FeaturesOf returns the number of features d of degree k, counted from 0.
func (p *Params) FeaturesOf(k int) int {
	if len(p.NFeaturesEach) > 0 {
		return p.NFeaturesEach[k]
	}
	return p.NFeatures
}

// allFeatures returns d, or for products of unlike vectors the sum of d over the degrees.
func (p *Params) allFeatures() int {
	if !p.isProduct() {
		return p.NFeatures
	}
	total := 0
	for _, d := range p.NFeaturesEach {
		total += d
	}
	return total
}

// copyTo assigns *p to *to. It is a function because TinyGo expands an assignment of so many fields
// at each place.
func (p *Params) copyTo(to *Params) { *to = *p }

// isProduct reports whether each degree takes its own vector.
func (p *Params) isProduct() bool { return len(p.NFeaturesEach) > 0 }

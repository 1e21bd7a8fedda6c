// Package embed is the place Embed without its elements: the settings in a link, the rows, the run, its result, and
// the files saved from it.
package embed

import (
	"slices"
	"strconv"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
)

// Settings are the settings of the feature map.
type Settings struct {
	Method      string // one of methods
	Kernel      string // one of the method's kernels, or "" if it has only one
	Degree      int
	Gamma       float64
	Coef0       float64
	A           float64 // a of the spherical kernel
	NComponents int
	Seed        sketch.Seed // an integer or a text
	Rows        string      // RowsAuto, RowsNone or RowsUnit
	Normalize   string
	Output      string
}

// The values of Rows.
const (
	RowsAuto = "auto" // as RowsUnit, but rows of few numbers are left as they are, which package dataset decides
	RowsNone = "none"
	RowsUnit = "unit"
)

// Place describes the place for the header and its rail.
var Place = control.Place{Name: "embed", Label: "Embed", Hideable: []string{"data", "save"}, Groups: []control.Group{
	{ID: "map", Title: "Method", Names: []string{"method"}},
	{ID: "formula", Title: "Kernel", Names: []string{"kernel", "degree", "gamma", "coef0", "a"}},
	{ID: "sketch", Title: "Sketch", Names: []string{"nComponents", "seed", "output"}},
	{ID: "scaling", Title: "Scaling", Names: []string{"rows", "normalize"}},
	{ID: "privacy", Title: "Privacy",
		Names: []string{"release", "epsilon", "delta", "radius", "meanRows", "sparseWidth", "budget"}},
}}

// DefaultSettings returns the settings that the place opens with.
func DefaultSettings() Settings {
	return Settings{Method: sketch.MethodTensorSketch, Degree: 2, Gamma: 1, Coef0: 1, A: 2, NComponents: 1024,
		Rows: RowsAuto, Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
}

// Params returns the parameters of the core for vectors of nFeatures numbers. Parameters that the method does not
// have are zero.
func (s Settings) Params(nFeatures int) sketch.Params {
	return sketch.Params{Method: s.Method, NFeatures: nFeatures, NComponents: s.NComponents, Seed: s.Seed,
		Normalize: s.Normalize, Degree: taken(&s, "degree", s.Degree), Gamma: taken(&s, "gamma", s.Gamma),
		Coef0: taken(&s, "coef0", s.Coef0), Output: taken(&s, "output", s.Output),
		MethodParams: sketch.MethodParams{A: taken(&s, "a", s.A), Kernel: s.Kernel}}
}

// taken returns the value of a parameter, or zero if the method does not take it.
func taken[T any](s *Settings, name string, value T) (kept T) {
	if s.Takes(name) {
		kept = value
	}
	return kept
}

// The slider of the components moves over powers of two, from 2⁴ to 2¹⁴.
const leastPower, mostPower = 4, 14

// Parameters returns the parameters in the order of a link.
func (s *Settings) Parameters() []control.Parameter {
	method := control.Choice("method", "Method", methodOptions(), &s.Method)
	method.Unlinked = s.Method == sketch.MethodTensorSketch
	kernel := control.Choice("kernel", "Kernel", kernelOptions, &s.Kernel)
	kernel.Options = slices.DeleteFunc(slices.Clone(kernelOptions), func(o control.Option) bool {
		return !slices.Contains(s.Of().Kernels, o.Value)
	})
	degree := s.whole("degree", "Degree p", &s.Degree)
	degree.Slider = &control.Slider{Min: 1, Max: 8, At: min(s.Degree, 8)}
	components := s.whole("nComponents", "Components D", &s.NComponents)
	_, most := s.Bounds()
	most = min(control.Exponent(most), mostPower)
	components.Slider = &control.Slider{Min: leastPower, Max: most,
		At: min(max(control.Exponent(s.NComponents), leastPower), most)}
	components.From = control.PowerOf
	return []control.Parameter{method, s.only(kernel), s.only(degree), s.only(s.real("gamma", "Gamma γ", &s.Gamma)),
		s.only(s.real("coef0", "Coef0 c", &s.Coef0)), s.only(control.Real("a", "Parameter a", 2, 100, &s.A)),
		components, control.Seed(&s.Seed),
		control.Choice("rows", "Rows", control.Options(RowsAuto, "automatic",
			RowsNone, "as they are", RowsUnit, "length 1"), &s.Rows),
		control.Choice("normalize", "Kernel normalisation", control.Options(sketch.NormalizeNone, "off",
			sketch.NormalizeKernel, "on"), &s.Normalize),
		s.only(control.Choice("output", "Output", control.Options(sketch.OutputReal, "real",
			sketch.OutputSpectrum, "spectrum"), &s.Output))}
}

// RowsNote says what becomes of the length of rows where Rows is automatic.
func (s *Settings) RowsNote() string {
	if s.Method == sketch.MethodSpherical {
		return "Rows, automatic: all rows are divided by their length, as this method needs."
	}
	return "Rows, automatic: rows of " + strconv.Itoa(columns.FewestDivided) + " or more numbers are divided by their " +
		"length; rows of fewer are left as they are."
}

// whole returns an integer parameter whose range the core checks. A text that is not an integer is stored as 0,
// which the core refuses.
func (s *Settings) whole(name, label string, at *int) control.Parameter {
	return control.Parameter{Name: name, Label: label,
		Get: func() string { return strconv.Itoa(*at) },
		Set: func(text string) (err error) {
			if *at, err = strconv.Atoi(text); err != nil {
				*at = 0
			}
			return s.validate(name, text, err == nil)
		}}
}

// real returns a number parameter whose range the core checks. A text that is not a number is stored as −1, which
// the core refuses.
func (s *Settings) real(name, label string, at *float64) control.Parameter {
	return control.Parameter{Name: name, Label: label,
		Get: func() string { return format.Exact(*at) },
		Set: func(text string) error {
			x, err := control.ParseReal(text)
			parsed := err == nil && x-x == 0
			if *at = x; !parsed {
				*at = -1
			}
			return s.validate(name, text, parsed)
		}}
}

// validate asks the core to check the ranges, always as a tensor sketch. If the text of the parameter was not a
// number, the error quotes the text.
func (s *Settings) validate(name, text string, parsed bool) error {
	params := sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: 1, NComponents: s.NComponents, Degree: s.Degree,
		Gamma: s.Gamma, Coef0: s.Coef0,
		Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
	err := params.ValidateForNew()
	if refused, ok := err.(*sketch.Error); ok && refused.Argument == name && !parsed {
		refused.Value = strconv.Quote(text)
	}
	return err
}

// only restricts p to the methods that have it.
func (s *Settings) only(p control.Parameter) control.Parameter {
	return p.Only(s.Takes(p.Name), func() string {
		where := "for method " + strconv.Quote(s.Method)
		if slices.Contains(s.Of().Takes, p.Name) {
			where += " with kernel " + strconv.Quote(s.Kernel)
		}
		return where
	})
}

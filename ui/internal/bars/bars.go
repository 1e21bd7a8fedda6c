// Package bars holds the parameters of the places that show a vector bar by bar.
package bars

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// Bars are the parameters of a place that shows a vector bar by bar.
type Bars struct {
	Vector      string // a preset of package vector, or vector.Own
	Own         string // the numbers of vector.Own, as vector.Format writes them
	Method      string // sketch.MethodTensorSketch or sketch.MethodComplexTensorSketch
	NFeatures   int
	NComponents int // even for MethodComplexTensorSketch
	Seed        sketch.Seed
	Step        int
	lesson.Lookout
}

// MostBuckets is the maximum D of a place that shows bars.
const MostBuckets = 128

// openingSeed gives ordinary errors with every preset: Buckets and Convolution walk them (TestWalk there). Seed 42 does
// not: with it the ten estimates that a question asks for miss by 2.6 times what their mean should.
const openingSeed = 415

// New returns the parameters that a place opens with: d numbers, D = components, at a step.
func New(d, components, step int) Bars {
	return Bars{Vector: vector.Random, NFeatures: d, Method: sketch.MethodTensorSketch, NComponents: components,
		Seed: sketch.IntSeed(openingSeed), Step: step, Lookout: lesson.Lookout{Speed: 2}}
}

// X returns the vector.
func (b *Bars) X() []float64 {
	if b.Vector == vector.Own {
		if x, ok := vector.Parse(b.Own); ok {
			return vector.Resize(x, b.NFeatures)
		}
	}
	return vector.Preset(b.Vector, b.NFeatures, 0)
}

// A Row is the row of bars of a vector in a picture. Its values can be changed.
type Row struct{ X []float64 }

// Set returns the change that sets a coordinate to the allowed value nearest to value, or false for other items.
func (r Row) Set(item lesson.Item, value float64) (lesson.Change, bool) {
	if !r.has(item) {
		return lesson.Change{}, false
	}
	x := slices.Clone(r.X)
	x[item.I] = vector.Round(value)
	return lesson.Change{Name: "x", Text: vector.Format(x)}, true
}

// Nudge implements lesson.Picture: a key press changes a coordinate by 0.05.
func (r Row) Nudge(item lesson.Item, by int) (lesson.Change, bool) {
	if !r.has(item) {
		return lesson.Change{}, false
	}
	return r.Set(item, r.X[item.I]+.05*float64(by))
}

func (r Row) has(item lesson.Item) bool {
	return item.Kind == lesson.Coordinate && item.I >= 0 && item.I < len(r.X)
}

// Group returns the group of the coordinates.
func (r Row) Group() lesson.Group {
	return lesson.Group{Kind: lesson.Coordinate, Label: "Coordinates of x", Rows: 1, Columns: len(r.X), CanNudge: true}
}

// setX stores x as the visitor's own vector.
func (b *Bars) setX(x []float64) {
	b.Vector, b.Own, b.NFeatures = vector.Own, vector.Format(x), len(x)
}

// VectorGroup is the group of the vector's controls.
var VectorGroup = control.Group{ID: "vector-group", Title: "Vector x",
	Names: []string{"vector", "nFeatures", "coordinate", "value"}}

var methodOptions = control.Options(sketch.MethodTensorSketch, "Tensor Sketch",
	sketch.MethodComplexTensorSketch, "Complex Tensor Sketch")

// Presets are the vectors to choose from.
var Presets = control.Options(vector.Random, "Random", vector.Sparse, "Sparse",
	vector.Zipf, "Zipf", vector.Smooth, "Smooth",
	vector.OneHot, "One-hot", vector.Digit, "Digit")

// Parameters returns all parameters except the lookout's. last is the number of the last step.
func (b *Bars) Parameters(last int) []control.Parameter {
	before := b.X()
	preset := control.Choice("vector", "Vector x",
		append(slices.Clip(Presets), control.Option{Value: vector.Own, Label: "Own"}), &b.Vector).Then(func() {
		b.Own = ""
		switch b.Vector {
		case vector.Own:
			b.setX(before)
		case vector.Digit:
			b.NFeatures = vector.Most
		}
	})
	length := control.Whole("nFeatures", "Coordinates d", 1, vector.Most, &b.NFeatures).Then(func() {
		if b.Vector == vector.Own {
			b.setX(vector.Resize(before, b.NFeatures))
		}
	})
	x := control.Parameter{Name: "x", Unlinked: b.Vector != vector.Own,
		Get: func() string { return vector.Format(b.X()) },
		Set: func(text string) error {
			x, ok := vector.Parse(ascii(text))
			if !ok {
				return sketch.ErrParam.New("x", strconv.Quote(format.Cut(text)),
					"be 1 to 64 numbers from −1 to 1, separated by commas")
			}
			b.setX(x)
			return nil
		}}
	method := control.Choice("method", "Method", methodOptions, &b.Method)
	method.Unlinked = !b.IsComplex()
	buckets := control.Whole("nComponents", "Components D", 1, MostBuckets, &b.NComponents)
	buckets.Slider = &control.Slider{Min: 1, Max: MostBuckets / b.parts(), At: b.Buckets()}
	buckets.From = func(position int) string { return strconv.Itoa(position * b.parts()) }
	step := control.Parameter{Name: "step", Passing: true,
		Get: func() string { return strconv.Itoa(b.Step) },
		Set: func(text string) (err error) {
			if b.Step, err = control.ParseWhole("step", text, 0, last); b.Step < last {
				b.At = lesson.Item{} // a step in progress is looked at
			}
			return err
		}}
	return []control.Parameter{preset, length, x, method, buckets, control.Seed(&b.Seed), step, b.coordinate(), b.value()}
}

// ascii replaces real minus signs by hyphens, so that the text parses as a number.
func ascii(text string) string { return strings.ReplaceAll(text, "−", "-") }

// IsComplex reports whether the method is the complex tensor sketch.
func (b *Bars) IsComplex() bool { return b.parts() == 2 }

// IsRoomy reports whether sums are long, which is so for complex numbers.
func (b *Bars) IsRoomy() bool { return b.IsComplex() }

// Parts returns how many numbers a bucket of a method holds: two if it is complex, else one.
func Parts(method string) int {
	if method == sketch.MethodComplexTensorSketch {
		return 2
	}
	return 1
}

// Either returns the text for methods with real features, or the one for complex features.
func Either(method, ofReal, ofComplex string) string {
	if Parts(method) == 2 {
		return ofComplex
	}
	return ofReal
}

func (b *Bars) parts() int { return Parts(b.Method) }

// Sigma returns the exact standard deviation over seeds of the estimate of κ(x, y). It returns 0 if the value is no
// more than the rounding error of the formula.
func Sigma(params sketch.Params, x, y []float64) float64 {
	theory, err := sketch.NewTensorFormulas(params)
	if err != nil {
		return math.NaN() // cannot happen with the parameters of a picture
	}
	sigma, _ := theory.StdError(x, y)
	if sigma < 1e-6*theory.Kernel(x, x) {
		return 0
	}
	return sigma
}

// Buckets returns the number of buckets.
func (b *Bars) Buckets() int { return b.NComponents / b.parts() }

// Settle rounds D up to whole buckets. If the number of the last step has changed, it keeps the step in range; a
// step that was the last remains the last.
func (b *Bars) Settle(before *Bars, last func(*Bars) int) {
	b.NComponents += b.NComponents % b.parts()
	was, is := last(before), last(b)
	if was != is && (b.Step == was || b.Step > is) {
		b.Step = is
	}
}

// coordinate returns the parameter of the coordinate looked at, for the keyboard. It is a view of At.
func (b *Bars) coordinate() control.Parameter {
	last := b.NFeatures - 1
	return control.Parameter{Name: "coordinate", Label: "Coordinate i", Derived: true, Passing: true,
		Step: 1, High: float64(last),
		Get: func() string { return strconv.Itoa(b.chosen()) },
		Set: func(text string) error {
			i, err := control.ParseWhole("coordinate", text, 0, last)
			if err == nil {
				b.At = lesson.Item{Kind: lesson.Coordinate, I: i}
			}
			return err
		}}
}

// value returns the parameter of that coordinate's value. It is a view of X.
func (b *Bars) value() control.Parameter {
	return control.Parameter{Name: "value", Label: "Its value xᵢ", Derived: true, Step: .05, Low: -1, High: 1,
		Get: func() string { return vector.Format(b.X()[b.chosen():][:1]) },
		Set: func(text string) error {
			number, err := control.ParseReal(text)
			if err != nil || !(number >= -1 && number <= 1) {
				return sketch.ErrParam.New("value", strconv.Quote(format.Cut(text)), "be a number from −1 to 1")
			}
			x := b.X()
			x[b.chosen()] = vector.Round(number)
			b.At = lesson.Item{Kind: lesson.Coordinate, I: b.chosen()}
			b.setX(x)
			return nil
		}}
}

// chosen returns the index of the coordinate looked at, or 0.
func (b *Bars) chosen() int {
	if b.At.Kind == lesson.Coordinate && b.At.I < b.NFeatures {
		return b.At.I
	}
	return 0
}

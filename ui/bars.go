package main

import (
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
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
	NComponents int // even for the complex one
	Seed        sketch.Seed
	Step        int
	Lookout
}

// A Lookout is what any teaching place has: what is looked at and how it plays.
type Lookout struct {
	At       lesson.Item // pinned; not all items need to be there
	Speed    int         // steps a second
	Question int         // the one that is answered, 1 to 3, or 0
}

// mostBuckets is the largest D of a place that shows bars.
const mostBuckets = 128

// X returns the vector.
func (b *Bars) X() []float64 {
	if b.Vector == vector.Own {
		if x, ok := vector.Parse(b.Own); ok {
			return vector.Resize(x, b.NFeatures)
		}
	}
	return vector.Preset(b.Vector, b.NFeatures, 0)
}

// setX makes a vector the visitor's own.
func (b *Bars) setX(x []float64) {
	b.Vector, b.Own, b.NFeatures = vector.Own, vector.Format(x), len(x)
}

var methodOptions = []Option{{sketch.MethodTensorSketch, "Tensor Sketch"},
	{sketch.MethodComplexTensorSketch, "Complex Tensor Sketch"}}

var presetOptions = []Option{{vector.Random, "Random"}, {vector.Sparse, "Sparse"}, {vector.Zipf, "Zipf"},
	{vector.Smooth, "Smooth"}, {vector.OneHot, "One-hot"}, {vector.Digit, "Digit"}}

// barParameters are those of Bars. last returns the last step.
func barParameters(at func(*State) *Bars, last func(*State) int) []parameter {
	preset := choice("vector", "Vector x", append(slices.Clip(presetOptions), Option{vector.Own, "Own"}),
		func(s *State) *string { return &at(s).Vector })
	choose := preset.set
	preset.set = func(s *State, text string) error {
		b, x := at(s), at(s).X()
		if err := choose(s, text); err != nil {
			return err
		}
		b.Own = ""
		switch text {
		case vector.Own:
			b.setX(x)
		case vector.Digit:
			b.NFeatures = vector.Most
		}
		return nil
	}
	length := whole("nFeatures", "Coordinates d", 1, vector.Most, func(s *State) *int { return &at(s).NFeatures })
	resize := length.set
	length.set = func(s *State, text string) error {
		b, x := at(s), at(s).X()
		err := resize(s, text)
		if err == nil && b.Vector == vector.Own {
			b.setX(vector.Resize(x, b.NFeatures))
		}
		return err
	}
	method := choice("method", "Method", methodOptions, func(s *State) *string { return &at(s).Method })
	method.unless = func(s *State) bool { return !at(s).isComplex() }
	buckets := whole("nComponents", "Buckets D", 1, mostBuckets, func(s *State) *int { return &at(s).NComponents })
	buckets.named = func(s *State) string {
		if at(s).isComplex() {
			return "Numbers D"
		}
		return buckets.label
	}
	buckets.slider = func(s *State) *Slider {
		parts := at(s).parts()
		return &Slider{Min: 1, Max: mostBuckets / parts, At: at(s).buckets()}
	}
	buckets.from = func(s *State, position int) string { return strconv.Itoa(position * at(s).parts()) }
	x := parameter{name: "x",
		unless: func(s *State) bool { return at(s).Vector != vector.Own },
		get:    func(s *State) string { return vector.Format(at(s).X()) },
		set: func(s *State, text string) error {
			x, ok := vector.Parse(ascii(text))
			if !ok {
				return refuse("x", strconv.Quote(format.Cut(text)), "be 1 to 64 numbers from −1 to 1, separated by commas")
			}
			at(s).setX(x)
			return nil
		}}
	step := parameter{name: "step", passing: true,
		get: func(s *State) string { return strconv.Itoa(at(s).Step) },
		set: func(s *State, text string) (err error) {
			b := at(s)
			if b.Step, err = parseWhole("step", text, 0, last(s)); b.Step < last(s) {
				b.At = lesson.Item{} // a step in progress is looked at
			}
			return err
		}}
	return []parameter{preset, length, x, method, buckets, seedParameter(func(s *State) *sketch.Seed {
		return &at(s).Seed
	}), step,
		coordinate(at), value(at)}
}

func (b *Bars) isComplex() bool { return b.Method == sketch.MethodComplexTensorSketch }

// parts is how many numbers a bucket holds.
func (b *Bars) parts() int {
	if b.isComplex() {
		return 2
	}
	return 1
}

// buckets is the number of them.
func (b *Bars) buckets() int { return b.NComponents / b.parts() }

// pair rounds D up to whole buckets.
func (b *Bars) pair() { b.NComponents += b.NComponents % b.parts() }

// settle keeps a step in range where the last step has become another, and the last
// one the last.
func (b *Bars) settle(before, last int) {
	if b.Step == before || b.Step > last {
		b.Step = last
	}
}

// coordinate is the one looked at, for the keyboard: a view of At.
func coordinate(at func(*State) *Bars) parameter {
	return parameter{name: "coordinate", label: "Coordinate i", derived: true, passing: true, step: 1,
		ends: func(s *State) (low, high float64) { return 0, float64(at(s).NFeatures - 1) },
		get:  func(s *State) string { return strconv.Itoa(at(s).chosen()) },
		set: func(s *State, text string) error {
			i, err := parseWhole("coordinate", text, 0, at(s).NFeatures-1)
			if err == nil {
				at(s).At = lesson.Item{Kind: lesson.Coordinate, I: i}
			}
			return err
		}}
}

// value is the number of that coordinate: a view of X.
func value(at func(*State) *Bars) parameter {
	return parameter{name: "value", label: "Its value xᵢ", derived: true, step: .05,
		ends: func(*State) (low, high float64) { return -1, 1 },
		get:  func(s *State) string { return vector.Format(at(s).X()[at(s).chosen():][:1]) },
		set: func(s *State, text string) error {
			number, err := strconv.ParseFloat(ascii(text), 64)
			if err != nil || !(number >= -1 && number <= 1) {
				return refuse("value", strconv.Quote(format.Cut(text)), "be a number from −1 to 1")
			}
			b := at(s)
			x := b.X()
			x[b.chosen()] = vector.Round(number)
			b.At = lesson.Item{Kind: lesson.Coordinate, I: b.chosen()}
			b.setX(x)
			return nil
		}}
}

// chosen returns the coordinate looked at, or the first.
func (b *Bars) chosen() int {
	if b.At.Kind == lesson.Coordinate && b.At.I < b.NFeatures {
		return b.At.I
	}
	return 0
}

var speedOptions = []Option{{"1", "1"}, {"2", "2"}, {"4", "4"}, {"8", "8"}}

// lookoutParameters are those of Lookout.
func lookoutParameters(at func(*State) *Lookout) []parameter {
	item := parameter{name: "at", passing: true,
		unless: func(s *State) bool { return at(s).At == lesson.Item{} },
		get:    func(s *State) string { return at(s).At.String() },
		set: func(s *State, text string) error {
			item, ok := lesson.ParseItem(text)
			if !ok {
				return refuse("at", strconv.Quote(format.Cut(text)), "be what a picture has, such as x4 or k5")
			}
			at(s).At = item
			return nil
		}}
	speed := parameter{name: "speed", passing: true, label: "Steps a second", options: speedOptions,
		get: func(s *State) string { return strconv.Itoa(at(s).Speed) },
		set: func(s *State, text string) error {
			n, err := parseWhole("speed", text, 1, 8)
			if err != nil || n&(n-1) != 0 {
				return refuse("speed", strconv.Quote(format.Cut(text)), "be one of "+quotedValues(speedOptions))
			}
			at(s).Speed = n
			return nil
		}}
	question := whole("question", "", 0, 3, func(s *State) *int { return &at(s).Question })
	question.unless = func(s *State) bool { return at(s).Question == 0 }
	return []parameter{item, speed, question}
}

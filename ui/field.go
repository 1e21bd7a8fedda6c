package main

import (
	"math"
	"strconv"
)

// A Field is a parameter as a control shows it.
type Field struct {
	Name    string
	Label   string
	Hint    string
	Text    string // typed, or the value
	Error   string // the core's, on the text typed
	Slider  *Slider
	Options []Option // of a choice
}

// A Slider moves a number; At is its position for the value.
type Slider struct{ Min, Max, At int }

// An Option of a choice.
type Option struct{ Value, Label string }

// labels of the parameters, and hints for where they surprise.
var labels = map[string][2]string{
	"degree":      {"Degree p"},
	"gamma":       {"Gamma γ"},
	"coef0":       {"Coef0 c"},
	"nComponents": {"Components D"},
	"seed":        {"Seed", "a number, or any text"},
	"rows":        {"Rows"},
	"normalize":   {"Kernel normalisation"},
	"output":      {"Output"},
}

var options = map[string][]Option{
	"rows":      {{RowsUnit, "length 1"}, {RowsNone, "as they are"}},
	"normalize": {{"none", "off"}, {"kernel", "on"}},
	"output":    {{"real", "real"}, {"spectrum", "spectrum"}},
}

// Field returns the control of a parameter.
func (a *App) Field(name string) Field {
	f := Field{Name: name, Label: labels[name][0], Hint: labels[name][1], Text: a.State.Get(name), Options: options[name], Slider: slider(a.State, name)}
	if draft, ok := a.Drafts[name]; ok {
		f.Text, f.Error = draft.Text, draft.Error
	}
	return f
}

// The slider of the components moves in powers of two from 2⁴ to 2¹⁴.
const leastPower, mostPower = 4, 14

func slider(s State, name string) *Slider {
	switch name {
	case "degree":
		return &Slider{1, 8, min(s.Degree, 8)}
	case "nComponents":
		power := int(math.Round(math.Log2(float64(s.NComponents))))
		return &Slider{leastPower, mostPower, min(max(power, leastPower), mostPower)}
	}
	return nil
}

// FromSlider returns the value of a parameter at a position of its slider.
func FromSlider(name, position string) string {
	n, err := strconv.Atoi(position)
	if name == "nComponents" && err == nil && n >= 0 && n < 31 {
		return strconv.Itoa(1 << n)
	}
	return position
}

// Class returns the classes of the control.
func (f Field) Class() string {
	if f.Error != "" {
		return "field refused " + f.Name
	}
	return "field " + f.Name
}

func randomSeed(n uint64) string { return strconv.FormatUint(n%1_000_000, 10) }

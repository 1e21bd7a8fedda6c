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
	Error   string // why the text typed is refused
	Slider  *Slider
	Options []Option // of a choice
	Several bool     // of them can be chosen
	Stepped bool     // with buttons to go down and up
}

// A Slider moves a number; At is its position for the value.
type Slider struct{ Min, Max, At int }

// An Option of a choice.
type Option struct{ Value, Label string }

// Field returns the control of a parameter of the place.
func (a *App) Field(name string) Field {
	p := a.State.at().parameter(name)
	f := Field{Name: name, Label: p.label, Hint: p.hint, Text: p.get(&a.State), Options: p.options, Several: p.several,
		Stepped: p.ends != nil}
	if p.named != nil {
		f.Label = p.named(&a.State)
	}
	if p.slider != nil {
		f.Slider = p.slider(&a.State)
	}
	if p.offers != nil {
		f.Options = nil
		for _, option := range p.options {
			if p.offers(&a.State, option.Value) {
				f.Options = append(f.Options, option)
			}
		}
	}
	if draft, ok := a.Drafts[name]; ok {
		f.Error = draft.Error
		if p.options == nil {
			f.Text = draft.Text
		}
	}
	return f
}

// Slide sets a parameter to a position of its slider.
func (a *App) Slide(name, position string) {
	p := a.State.at().parameter(name)
	if n, err := strconv.Atoi(position); err == nil && p != nil && p.from != nil {
		position = p.from(&a.State, n)
	}
	a.Change(name, position)
}

// Step moves a parameter down (by −1) or up (by 1).
func (a *App) Step(name string, by int) {
	p := a.State.at().parameter(name)
	if p == nil || p.ends == nil {
		return
	}
	value, err := strconv.ParseFloat(p.get(&a.State), 64)
	if err != nil {
		return
	}
	low, high := p.ends(&a.State)
	value = min(max(math.Round(100*(value+float64(by)*p.step))/100, low), high)
	a.Change(name, strconv.FormatFloat(value, 'f', -1, 64))
}

// Class returns the classes of the control.
func (f Field) Class() string {
	if f.Error != "" {
		return "field refused " + f.Name
	}
	return "field " + f.Name
}

func randomSeed(n uint64) string { return strconv.FormatUint(n%1_000_000, 10) }

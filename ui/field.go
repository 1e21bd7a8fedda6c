package main

import (
	"math"
	"strconv"

	"tensorsketch.example/ui/internal/control"
)

// A Field is a parameter as a control shows it.
type Field struct {
	control.Parameter
	Text  string // typed, or the value
	Error string // why the text typed is refused
}

// Field returns the control of a parameter of the place.
func (a *App) Field(name string) Field {
	p := a.State.parameter(name)
	f := Field{Parameter: *p, Text: p.Get()}
	if draft, ok := a.Drafts[name]; ok {
		f.Error = draft.Error
		if p.Options == nil {
			f.Text = draft.Text
		}
	}
	return f
}

// Slide sets a parameter to a position of its slider.
func (a *App) Slide(name, position string) {
	p := a.State.parameter(name)
	if n, err := strconv.Atoi(position); err == nil && p != nil && p.From != nil {
		position = p.From(n)
	}
	a.Change(name, position)
}

// Step moves a parameter down (by −1) or up (by 1).
func (a *App) Step(name string, by int) {
	p := a.State.parameter(name)
	if p == nil || p.Step == 0 {
		return
	}
	value, err := strconv.ParseFloat(p.Get(), 64)
	if err != nil {
		return
	}
	value = min(max(math.Round(100*(value+float64(by)*p.Step))/100, p.Low), p.High)
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

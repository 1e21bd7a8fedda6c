package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/vugu/vugu"
	"tensorsketch.example/ui/internal/control"
)

// A Field is a parameter as a control shows it.
type Field struct {
	control.Parameter
	Text  string // the typed text, or the value
	Error string // why the typed text is refused, or ""
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

// Step moves a parameter down (by "-1") or up (by "1").
func (a *App) Step(name, by string) {
	p := a.State.parameter(name)
	if p == nil || p.Step == 0 {
		return
	}
	value, _ := strconv.ParseFloat(p.Get(), 64)
	steps, _ := strconv.Atoi(by)
	value = min(max(math.Round(100*(value+float64(steps)*p.Step))/100, p.Low), p.High)
	a.Change(name, strconv.FormatFloat(value, 'f', -1, 64))
}

// Class returns the classes of the control.
func (f Field) Class() string {
	if f.Error != "" {
		return "field refused " + f.Name
	}
	return "field " + f.Name
}

// Entry is a field to type a parameter into, for some parameters with a slider or step buttons.
type Entry struct {
	Field Field
	Edit  EditHandler
}

func (c *Entry) edit(event vugu.DOMEvent, do func(a *App, name, text string)) {
	c.Edit.EditHandle(EditEvent{c.Field.Name, event.PropString("target", "value"), do})
}

func (c *Entry) step(by string) { c.Edit.EditHandle(EditEvent{c.Field.Name, by, (*App).Step}) }

func (c *Entry) inputMode() string {
	if c.Field.Name == "seed" {
		return "text"
	}
	return "decimal"
}

func (c *Entry) invalid() string { return strconv.FormatBool(c.Field.Error != "") }

// fill returns the CSS variable with the percentage of the slider's track before the thumb.
func (c *Entry) fill() string {
	s := c.Field.Slider
	return "--fill:" + strconv.Itoa(100*(s.At-s.Min)/(s.Max-s.Min)) + "%"
}

// Choice shows a parameter with few values as one chip per value.
type Choice struct {
	Field Field
	Edit  EditHandler
}

func (f Field) inputType() string {
	if f.Several {
		return "checkbox"
	}
	return "radio"
}

// Has reports whether an option is chosen.
func (f Field) Has(value string) bool {
	return value == f.Text || f.Several && slices.Contains(strings.Split(f.Text, ","), value)
}

// Chosen returns the value of the field after a click on an option.
func (f Field) Chosen(value string) string {
	if !f.Several {
		return value
	}
	if !f.Has(value) {
		return f.Text + "," + value
	}
	others := slices.DeleteFunc(strings.Split(f.Text, ","), func(other string) bool { return other == value })
	return strings.Join(others, ",")
}

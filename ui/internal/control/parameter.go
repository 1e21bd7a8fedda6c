// Package control has what the places set: parameters, which links, fields and keys give as text.
package control

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// A Place is a page of the page: its name in links and in the header, its controls in groups, and what links can hide
// besides parameters.
type Place struct {
	Name, Label string
	Groups      []Group
	Hideable    []string
}

// A Group of the rail has the names of parameters under a heading.
type Group struct {
	ID, Title string
	Names     []string
}

// A Parameter of a place, bound to a state: Get reads it there, and Set checks a text and sets it.
type Parameter struct {
	Name      string // in links; as in the JavaScript API where that has it
	Label     string // of its field
	Hint      string // in an empty field
	Options   []Option
	Several   bool // options can be chosen together: the value is a list, separated by commas
	Slider    *Slider
	From      func(position int) string // the value at a position of the slider; nil: the position is the value
	Low, High float64                   // where the buttons of its field lead, by steps
	Step      float64                   // 0: it has no buttons
	Unlinked  bool                      // links leave it out, for another says the same
	Derived   bool                      // links never hold it: it is a view of another
	Unseen    bool                      // its field is not shown
	Passing   bool                      // changing it is no entry of the history, and answers to questions stay
	Get       func() string
	Set       func(text string) error // of a copy, which is dropped where it fails
}

// A Slider moves a number; At is its position for the value.
type Slider struct{ Min, Max, At int }

// An Option of a choice.
type Option struct{ Value, Label string }

// Options makes options of values, each followed by its label.
func Options(words ...string) []Option {
	var options []Option
	for i := 0; i < len(words); i += 2 {
		options = append(options, Option{words[i], words[i+1]})
	}
	return options
}

// Find returns a parameter by its name, or nil.
func Find(parameters []Parameter, name string) *Parameter {
	i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &parameters[i]
}

// Only makes a parameter one that its state may not take. The refusal says where it has to be left out.
func (p Parameter) Only(taken bool, where func() string) Parameter {
	if p.Unseen, p.Unlinked = !taken, !taken; !taken {
		p.Set = func(text string) error { return sketch.ErrParam.New(p.Name, quoted(text), "be left out "+where()) }
	}
	return p
}

// Then makes a parameter that calls f once it is set.
func (p Parameter) Then(f func()) Parameter {
	set := p.Set
	p.Set = func(text string) error {
		err := set(text)
		if err == nil {
			f()
		}
		return err
	}
	return p
}

// Take sets the parameter to what a person typed or a link has.
func (p *Parameter) Take(text string) error {
	return p.Set(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")))
}

func quoted(text string) string { return strconv.Quote(format.Cut(text)) }

// Whole is an integer from low to high, with a slider.
func Whole(name, label string, low, high int, at *int) Parameter {
	return Parameter{Name: name, Label: label, Slider: &Slider{Min: low, Max: high, At: *at},
		Get: func() string { return strconv.Itoa(*at) },
		Set: func(text string) (err error) {
			*at, err = ParseWhole(name, text, low, high)
			return err
		}}
}

// ParseWhole reads an integer from low to high.
func ParseWhole(name, text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		if err != nil {
			text = quoted(text)
		}
		return 0, sketch.ErrParam.New(name, text, "be an integer from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
	}
	return n, nil
}

// Power is a power of two from 2^low to 2^high, with a slider of the exponents.
func Power(name, label string, low, high int, at *int) Parameter {
	p := Whole(name, label, low, high, at)
	p.Slider.At = Exponent(*at)
	p.From = PowerOf
	p.Set = func(text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1<<low || n > 1<<high || n&(n-1) != 0 {
			return sketch.ErrParam.New(name, quoted(text),
				"be a power of two from "+strconv.Itoa(1<<low)+" to "+strconv.Itoa(1<<high))
		}
		*at = n
		return nil
	}
	return p
}

// PowerOf writes the power of two with an exponent.
func PowerOf(exponent int) string { return strconv.Itoa(1 << exponent) }

// Exponent returns the exponent of the nearest power of two.
func Exponent(n int) int { return int(math.Round(math.Log2(float64(n)))) }

// Real is a number from low to high.
func Real(name, label string, low, high float64, at *float64) Parameter {
	return Parameter{Name: name, Label: label,
		Get: func() string { return format.Exact(*at) },
		Set: func(text string) error {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= low && x <= high) {
				return sketch.ErrParam.New(name, quoted(text), "be a number from "+format.Exact(low)+" to "+format.Exact(high))
			}
			*at = x
			return nil
		}}
}

// Choice is one of few values.
func Choice(name, label string, options []Option, at *string) Parameter {
	return Parameter{Name: name, Label: label, Options: options,
		Get: func() string { return *at },
		Set: func(text string) error {
			if !slices.ContainsFunc(options, func(o Option) bool { return o.Value == text }) {
				return sketch.ErrParam.New(name, quoted(text), "be one of "+quotedValues(options))
			}
			*at = text
			return nil
		}}
}

func quotedValues(options []Option) string {
	var values []string
	for _, option := range options {
		values = append(values, strconv.Quote(option.Value))
	}
	return strings.Join(values, ", ")
}

// Seed is a seed of the core: an integer or a text.
func Seed(at *sketch.Seed) Parameter {
	return Parameter{Name: "seed", Label: "Seed", Hint: "a number, or any text",
		Get: func() string { return FormatSeed(*at) },
		Set: func(text string) error {
			if len(text) > LongestSeed {
				return sketch.ErrParam.New("seed", quoted(text), "have at most "+strconv.Itoa(LongestSeed)+" bytes")
			}
			*at = ParseSeed(text)
			return nil
		}}
}

// LongestSeed is the longest text that is a seed, in bytes: it is in each link of the page.
const LongestSeed = 1000

// ParseSeed takes digits as an integer and everything else as text. Quotes make
// a text of digits.
func ParseSeed(text string) sketch.Seed {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return sketch.IntSeed(n)
	}
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	return sketch.StringSeed(text)
}

// FormatSeed writes what ParseSeed reads.
func FormatSeed(seed sketch.Seed) string {
	if n, ok := seed.Int(); ok {
		return strconv.FormatUint(n, 10)
	}
	text, _ := seed.Text()
	if ParseSeed(text) == seed && text == strings.TrimSpace(text) {
		return text
	}
	return `"` + text + `"`
}

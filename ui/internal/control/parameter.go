// Package control has the types of what a visitor can set in a place: parameters, given as text by links, fields and
// keys.
package control

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// A Place is one of the page's places: its name in links, its label in the header, its groups of controls, and the
// parts that links can hide besides parameters.
type Place struct {
	Name, Label string
	Groups      []Group
	Hideable    []string
}

// A Group of the rail holds parameter names under a heading.
type Group struct {
	ID, Title string
	Names     []string
}

// A Parameter belongs to a place and is bound to a state. Get reads the value from the state; Set checks a text and
// stores it.
type Parameter struct {
	Name      string // in links; the same as in the JavaScript API if the parameter exists there
	Label     string // label of its field
	Hint      string // shown in an empty field
	Options   []Option
	Several   bool // several options can be chosen; the value is a list, separated by commas
	Slider    *Slider
	From      func(position int) string // the value at a slider position; if nil, the position is the value
	Low, High float64                   // the range of the step buttons
	Step      float64                   // change per press of a step button; 0: no buttons
	Unlinked  bool                      // left out of links, because another parameter implies it
	Derived   bool                      // never in links: it is a view of another parameter
	Unseen    bool                      // its field is not shown
	Passing   bool                      // changing it makes no history entry and keeps the answer to a question
	Get       func() string
	Set       func(text string) error // sets it in a copy of the state, which is dropped after an error
}

// A Slider sets a number. At is the position of the current value.
type Slider struct{ Min, Max, At int }

// An Option is one value of a choice.
type Option struct{ Value, Label string }

// Options makes options from words: each value is followed by its label.
func Options(words ...string) []Option {
	var options []Option
	for i := 0; i < len(words); i += 2 {
		options = append(options, Option{words[i], words[i+1]})
	}
	return options
}

// Sort sorts a list of names, separated by commas: into those among all, each once and in the order of all, and the
// others.
func Sort(list string, all []string) (known, unknown []string) {
	names := strings.FieldsFunc(list, func(r rune) bool { return r == ',' })
	for _, name := range all {
		if slices.Contains(names, name) {
			known = append(known, name)
		}
	}
	for _, name := range names {
		if !slices.Contains(all, name) {
			unknown = append(unknown, name)
		}
	}
	return known, unknown
}

// Find returns a parameter by its name, or nil.
func Find(parameters []Parameter, name string) *Parameter {
	i := slices.IndexFunc(parameters, func(p Parameter) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &parameters[i]
}

// Named returns an error of p with its label for its name: who reads a field knows the label alone. "D, of the sketch"
// is named "D".
func (p Parameter) Named(message string) string {
	label, _, _ := strings.Cut(p.Label, ",")
	if rest, ok := strings.CutPrefix(message, p.Name+" "); ok {
		return label + " " + rest
	}
	return message
}

// Only returns p unchanged if taken. Otherwise it hides p and leaves it out of links, and Set returns an error that
// says where p must be left out.
func (p Parameter) Only(taken bool, where func() string) Parameter {
	if p.Unseen, p.Unlinked = !taken, !taken; !taken {
		p.Set = func(text string) error { return sketch.ErrParam.New(p.Name, quoted(text), "be left out "+where()) }
	}
	return p
}

// Then returns p with a Set that also calls f after it succeeds.
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

// Take sets the parameter from a typed text or a link.
func (p *Parameter) Take(text string) error {
	return p.Set(strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD")))
}

func quoted(text string) string { return strconv.Quote(format.Cut(text)) }

// Whole returns an integer parameter from low to high, with a slider.
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

// Power returns a parameter whose value is a power of two from 2^low to 2^high. Its slider moves over the exponents.
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

// PowerOf returns 2^exponent as text.
func PowerOf(exponent int) string { return strconv.Itoa(1 << exponent) }

// Exponent returns the exponent of the nearest power of two.
func Exponent(n int) int { return int(math.Round(math.Log2(float64(n)))) }

// Real returns a parameter whose value is a number from low to high.
func Real(name, label string, low, high float64, at *float64) Parameter {
	return Parameter{Name: name, Label: label,
		Get: func() string { return format.Exact(*at) },
		Set: func(text string) error {
			x, err := ParseReal(text)
			if err != nil || !(x >= low && x <= high) {
				return sketch.ErrParam.New(name, quoted(text), "be a number from "+format.Exact(low)+" to "+format.Exact(high))
			}
			*at = x
			return nil
		}}
}

// DecimalComma says that the browser's language writes 1.5 as 1,5. It is set before the first number is read.
var DecimalComma bool

// ParseReal reads a number as people type it: also with a decimal comma or a minus sign. A comma that may stand between
// thousands, as in 1,000, is refused, unless the browser's language has decimal commas.
func ParseReal(text string) (float64, error) {
	text = strings.ReplaceAll(text, "−", "-")
	whole, decimals, found := strings.Cut(text, ",")
	mayBeThousands := !DecimalComma && len(decimals) == 3 && strings.Trim(whole, "-+0") != ""
	if found && !mayBeThousands {
		text = whole + "." + decimals
	}
	return strconv.ParseFloat(text, 64)
}

// Choice returns a parameter with a few possible values.
func Choice(name, label string, options []Option, at *string) Parameter {
	return Parameter{Name: name, Label: label, Options: options,
		Get: func() string { return *at },
		Set: func(text string) error {
			var values []string
			for _, option := range options {
				if option.Value == text {
					*at = text
					return nil
				}
				values = append(values, strconv.Quote(option.Value))
			}
			return sketch.ErrParam.New(name, quoted(text), "be one of "+strings.Join(values, ", "))
		}}
}

// Seed returns the seed parameter of the core: an integer or a text.
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

// LongestSeed is the maximum length of a text seed in bytes. The limit exists because each link of the page contains
// the seed.
const LongestSeed = 1000

// ParseSeed reads digits as an integer and anything else as text. Digits in quotes are text.
func ParseSeed(text string) sketch.Seed {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return sketch.IntSeed(n)
	}
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	return sketch.StringSeed(text)
}

// FormatSeed writes a seed so that ParseSeed reads it back.
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

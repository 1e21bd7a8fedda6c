package main

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
)

// A parameter is one of a place, as links, fields and keys set it. All its values
// are text; what it sets is checked.
type parameter struct {
	name    string              // in links; as in the JavaScript API where that has it
	label   string              // of its field
	named   func(*State) string // its label where that depends on others; nil: label
	hint    string              // in an empty field
	options []Option
	offers  func(*State, string) bool // of the options, those there are now; nil: all
	several bool                      // options can be chosen together: the value is a list, separated by commas
	slider  func(*State) *Slider
	from    func(s *State, position int) string // of the slider; nil: the position is the value
	ends    func(*State) (low, high float64)    // the field has buttons to go there, by steps; nil: it has none
	step    float64
	unless  func(*State) bool // links leave it out, for another says the same; nil: never
	derived bool              // links never hold it: it is a view of another
	shown   func(*State) bool // its field is; nil: always
	passing bool              // changing it is no entry of the history, and answers to questions stay
	get     func(*State) string
	set     func(*State, string) error // of a copy, which is dropped where it fails
}

// refuse returns the error for a text that a parameter cannot take.
func refuse(name, text, want string) error {
	return &sketch.Error{Code: sketch.ErrParam, Argument: name, Value: text, Want: want, Row: -1, Column: -1, RowsDone: -1}
}

// whole is an integer parameter from low to high, with a slider.
func whole(name, label string, low, high int, at func(*State) *int) parameter {
	return parameter{name: name, label: label,
		get:    func(s *State) string { return strconv.Itoa(*at(s)) },
		slider: func(s *State) *Slider { return &Slider{Min: low, Max: high, At: *at(s)} },
		set: func(s *State, text string) error {
			n, err := parseWhole(name, text, low, high)
			if err == nil {
				*at(s) = n
			}
			return err
		}}
}

func parseWhole(name, text string, low, high int) (int, error) {
	n, err := strconv.Atoi(text)
	if err != nil || n < low || n > high {
		if err != nil {
			text = strconv.Quote(format.Cut(text))
		}
		return 0, refuse(name, text, "be an integer from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
	}
	return n, nil
}

// ascii writes real minus signs as numbers in programs have them.
func ascii(text string) string { return strings.ReplaceAll(text, "−", "-") }

// power is a power of two from 2^low to 2^high, with a slider of the exponents.
func power(name, label string, low, high int, at func(*State) *int) parameter {
	p := whole(name, label, low, high, at)
	p.slider = func(s *State) *Slider { return &Slider{Min: low, Max: high, At: exponent(*at(s))} }
	p.from = func(_ *State, position int) string { return strconv.Itoa(1 << position) }
	p.set = func(s *State, text string) error {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1<<low || n > 1<<high || n&(n-1) != 0 {
			return refuse(name, strconv.Quote(format.Cut(text)),
				"be a power of two from "+strconv.Itoa(1<<low)+" to "+strconv.Itoa(1<<high))
		}
		*at(s) = n
		return nil
	}
	return p
}

// exponent returns the nearest power of two.
func exponent(n int) int { return int(math.Round(math.Log2(float64(n)))) }

// real is a number from low to high.
func real(name, label string, low, high float64, at func(*State) *float64) parameter {
	return parameter{name: name, label: label,
		get: func(s *State) string { return format.Exact(*at(s)) },
		set: func(s *State, text string) error {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil || !(x >= low && x <= high) {
				return refuse(name, strconv.Quote(format.Cut(text)),
					"be a number from "+format.Exact(low)+" to "+format.Exact(high))
			}
			*at(s) = x
			return nil
		}}
}

// choice is one of few values.
func choice(name, label string, options []Option, at func(*State) *string) parameter {
	return parameter{name: name, label: label, options: options,
		get: func(s *State) string { return *at(s) },
		set: func(s *State, text string) error {
			if !slices.ContainsFunc(options, func(o Option) bool { return o.Value == text }) {
				return refuse(name, strconv.Quote(format.Cut(text)), "be one of "+quotedValues(options))
			}
			*at(s) = text
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

// seedParameter is a seed of the core: an integer or a text.
func seedParameter(at func(*State) *sketch.Seed) parameter {
	return parameter{name: "seed", label: "Seed", hint: "a number, or any text",
		get: func(s *State) string { return formatSeed(*at(s)) },
		set: func(s *State, text string) error {
			if len(text) > longestSeed {
				return refuse("seed", strconv.Quote(format.Cut(text)), "have at most "+strconv.Itoa(longestSeed)+" bytes")
			}
			*at(s) = parseSeed(text)
			return nil
		}}
}

// longestSeed is the longest text that is a seed, in bytes: it is in each link of the page.
const longestSeed = 1000

// parseSeed takes digits as an integer and everything else as text. Quotes make
// a text of digits.
func parseSeed(text string) sketch.Seed {
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return sketch.IntSeed(n)
	}
	if len(text) >= 2 && text[0] == '"' && text[len(text)-1] == '"' {
		text = text[1 : len(text)-1]
	}
	return sketch.StringSeed(text)
}

// formatSeed writes what parseSeed reads.
func formatSeed(seed sketch.Seed) string {
	if n, ok := seed.Int(); ok {
		return strconv.FormatUint(n, 10)
	}
	text, _ := seed.Text()
	if parseSeed(text) == seed && text == strings.TrimSpace(text) {
		return text
	}
	return `"` + text + `"`
}

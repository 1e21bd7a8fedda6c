package main

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/sketch"
)

// State is everything a link to the page holds: the place, the parameters and
// what is hidden. The rest of the page is computed from it and from the data.
type State struct {
	Place       string // PlaceEmbed
	Degree      int
	Gamma       float64
	Coef0       float64
	NComponents int
	Seed        sketch.Seed // an integer or a text
	Rows        string      // RowsNone, or RowsUnit: rows are scaled to length 1 first
	Normalize   string
	Output      string
	Embedded    bool   // without header and footer, for an iframe
	Hide        string // names of controls that are not shown, sorted, separated by commas
}

// The places of the page, and what the state's Rows takes.
const (
	PlaceEmbed = "embed"
	RowsNone   = "none"
	RowsUnit   = "unit"
)

// DefaultState is what the page opens with.
func DefaultState() State {
	return State{Place: PlaceEmbed, Degree: 2, Gamma: 1, Coef0: 1, NComponents: 1024,
		Rows: RowsUnit, Normalize: sketch.NormalizeNone, Output: sketch.OutputReal}
}

// Params returns the parameters of the core for vectors of nFeatures numbers.
func (s State) Params(nFeatures int) sketch.Params {
	return sketch.Params{Method: sketch.MethodTensorSketch, NFeatures: nFeatures, NComponents: s.NComponents, Degree: s.Degree,
		Gamma: s.Gamma, Coef0: s.Coef0, Seed: s.Seed, Normalize: s.Normalize, Output: s.Output}
}

// SameFeatures tells whether two states embed the same rows to the same features.
func (s State) SameFeatures(t State) bool {
	t.Place, t.Embedded, t.Hide = s.Place, s.Embedded, s.Hide
	return s == t
}

// parameterNames are the parameters in the order of a link. They bear the names
// of the JavaScript API, with rows added.
var parameterNames = []string{"degree", "gamma", "coef0", "nComponents", "seed", "rows", "normalize", "output"}

// Get returns a parameter as its field shows it.
func (s State) Get(name string) string {
	switch name {
	case "degree":
		return strconv.Itoa(s.Degree)
	case "gamma":
		return formatFloat(s.Gamma)
	case "coef0":
		return formatFloat(s.Coef0)
	case "nComponents":
		return strconv.Itoa(s.NComponents)
	case "seed":
		return formatSeed(s.Seed)
	case "rows":
		return s.Rows
	case "normalize":
		return s.Normalize
	case "output":
		return s.Output
	}
	return ""
}

// With returns the state with a parameter set from text. The error is the
// core's own, a *sketch.Error.
func (s State) With(name, text string) (State, error) {
	text = strings.TrimSpace(strings.ToValidUTF8(text, "\uFFFD"))
	var parsed bool
	switch next := &s; name {
	case "degree":
		next.Degree, parsed = parseInt(text)
	case "gamma":
		next.Gamma, parsed = parseFloat(text)
	case "coef0":
		next.Coef0, parsed = parseFloat(text)
	case "nComponents":
		next.NComponents, parsed = parseInt(text)
	case "seed":
		next.Seed, parsed = parseSeed(text), true
	case "rows":
		next.Rows = text
		if text != RowsNone && text != RowsUnit {
			return s, &sketch.Error{Code: sketch.ErrParam, Argument: name, Value: strconv.Quote(text), Want: `be one of "none", "unit"`, Row: -1, Column: -1, RowsDone: -1}
		}
		return s, nil
	case "normalize":
		next.Normalize = text
	case "output":
		next.Output = text
	default:
		return s, &sketch.Error{Code: sketch.ErrParam, Argument: name, Want: "be one of " + strings.Join(parameterNames, ", "), Row: -1, Column: -1, RowsDone: -1}
	}
	return s, s.check(name, text, parsed)
}

// check asks the core about the state. Where the text was no number, the error
// quotes it.
func (s State) check(name, text string, parsed bool) error {
	params := s.Params(1)
	err := params.Validate()
	if refused, ok := err.(*sketch.Error); ok && refused.Argument == name && !parsed {
		refused.Value = strconv.Quote(text)
	}
	return err
}

// parseInt returns 0 for what is no integer: a value the core refuses.
func parseInt(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0, false
	}
	return n, true
}

// parseFloat returns −1 for what is no number: a value the core refuses.
func parseFloat(text string) (x float64, ok bool) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || x-x != 0 {
		return -1, false
	}
	return x, true
}

func formatFloat(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

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
	if seed.Kind() == sketch.SeedInt {
		return strconv.FormatUint(seed.Int(), 10)
	}
	if text := seed.Text(); parseSeed(text) == seed && text == strings.TrimSpace(text) {
		return text
	}
	return `"` + seed.Text() + `"`
}

// Hash returns the fragment of a link to the state, beginning with "#".
func (s State) Hash() string {
	var b strings.Builder
	b.WriteString("#/" + s.Place)
	separator := "?"
	add := func(name, value string) {
		b.WriteString(separator + name + "=" + url.QueryEscape(value))
		separator = "&"
	}
	for _, name := range parameterNames {
		add(name, s.Get(name))
	}
	if s.Embedded {
		add("embed", "1")
	}
	if s.Hide != "" {
		b.WriteString(separator + "hide=" + s.Hide)
	}
	return b.String()
}

// ParseHash reads the fragment of a link. What it cannot use keeps its default
// and is named in notes, so that any fragment gives a valid state.
func ParseHash(hash string) (s State, notes []string) {
	s = DefaultState()
	note := func(text string) { notes = append(notes, "The link was not used as it is: "+text) }
	path, query, _ := strings.Cut(strings.TrimPrefix(hash, "#"), "?")
	if place := strings.Trim(path, "/"); place != "" && place != PlaceEmbed {
		note("there is no place " + strconv.Quote(cut(place)) + ".")
	}
	for _, pair := range strings.FieldsFunc(query, func(r rune) bool { return r == '&' }) {
		name, escaped, _ := strings.Cut(pair, "=")
		value, err := url.QueryUnescape(escaped)
		if err != nil {
			note(strconv.Quote(cut(pair)) + " is not properly escaped.")
			continue
		}
		switch name {
		case "embed":
			s.Embedded = value == "1"
		case "hide":
			var unknown []string
			s.Hide, unknown = parseHide(value)
			for _, name := range unknown {
				note("hide knows no control " + strconv.Quote(cut(name)) + ".")
			}
		default:
			if next, err := s.With(name, value); err == nil {
				s = next
			} else {
				note(err.Error() + ".")
			}
		}
	}
	return s, notes
}

// hideable are the controls a link can hide: the parameters, the choice of data
// and the saving of results.
var hideable = append([]string{"data", "save"}, parameterNames...)

func parseHide(list string) (hide string, unknown []string) {
	var known []string
	for _, name := range strings.Split(list, ",") {
		switch {
		case name == "":
		case slices.Contains(hideable, name):
			known = append(known, name)
		default:
			unknown = append(unknown, name)
		}
	}
	slices.Sort(known)
	return strings.Join(slices.Compact(known), ","), unknown
}

// Shows tells whether a control is shown.
func (s State) Shows(name string) bool {
	return !slices.Contains(strings.Split(s.Hide, ","), name)
}

// cut shortens what comes from outside to what fits into a sentence.
func cut(text string) string {
	const most = 40
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

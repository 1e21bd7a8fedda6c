package learn

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/table"
)

// UseSettings are the settings of the private model in a link.
type UseSettings struct{ Components int }

// DefaultUseSettings returns the settings that the place opens with.
func DefaultUseSettings() UseSettings { return UseSettings{Components: 256} }

// Parameters returns the parameters in the order of a link. ε, δ and the budget are the same as for Embed's releases.
func (s *UseSettings) Parameters(epsilon, delta, budget *float64) []control.Parameter {
	return []control.Parameter{
		control.Real("epsilon", "ε", .001, 100, epsilon),
		control.Real("delta", "δ", 1e-15, .01, delta),
		control.Real("budget", "Budget ε of the file", .001, 1000, budget),
		control.Power("privateComponents", "D of the private model", 4, 10, &s.Components),
	}
}

// Private is the private model.
type Private struct {
	Typed   Typed
	Asked   Asked // the training that awaits confirmation
	Problem string
	Outcome *Outcome      // of the last one, or nil
	Ledger  *table.Ledger // of the file, or nil if it is not known
}

// An Asked is a training that a visitor was asked to confirm. With other settings it is a different training.
type Asked struct {
	Epsilon, Delta, Budget float64
	Components             int
	Typed                  Typed
}

// Typed are texts of fields. They say what is public about the data.
type Typed struct {
	Labels string // the classes, or the lowest and highest target
	Ranges string // of the columns
}

// An Outcome is a private model beside the one without noise.
type Outcome struct {
	Rows, Held     int
	Odd            int // of all rows: their label or target is not among the public ones
	Unusable       int // of all rows: their cells do not fit the columns
	Cut            int // of all rows: their target is cut to the public range
	Epsilon, Delta float64
	IsNumber       bool
	Noisy, Plain   *float64 // accuracies, or R²; nil if it could not be found
}

// Labels returns what the field of labels says: classes for a classifier, as they stand in cells, or the range of the
// targets.
func Labels(text string, isNumber bool) (labels []any, err error) {
	got := strconv.Quote(format.Cut(text))
	if isNumber {
		if r, ok := rangeOf(text); ok {
			return []any{r.Low, r.High}, nil
		}
		return nil, sketch.ErrParam.New("range of the numbers", got,
			"be two numbers with a comma between, the lower first")
	}
	classes, err := columns.List(text)
	if err != nil {
		return nil, sketch.ErrParam.New("classes", got, "be a list with commas between: "+err.Error())
	}
	for _, class := range classes {
		if !slices.Contains(labels, any(class)) {
			labels = append(labels, class)
		}
	}
	if len(labels) < 2 {
		return nil, sketch.ErrParam.New("classes", got, "be at least two different ones, with commas between")
	}
	return labels, nil
}

// A Range is the public range of a column.
type Range struct{ Low, High float64 }

// rangeOf reads two numbers, the lower first, as people type them: 0 100, or 0,100, or 0,5; 1,5.
func rangeOf(text string) (r Range, ok bool) {
	var numbers []string
	separates := func(r rune) bool { return unicode.IsSpace(r) || r == ':' || r == ';' }
	for _, part := range strings.FieldsFunc(text, separates) {
		if part = strings.Trim(part, ","); part != "" {
			numbers = append(numbers, part)
		}
	}
	if len(numbers) == 1 {
		numbers = strings.Split(numbers[0], ",")
	}
	if len(numbers) != 2 {
		return r, false
	}
	low, errLow := control.ParseReal(numbers[0])
	high, errHigh := control.ParseReal(numbers[1])
	return Range{low, high}, errLow == nil && errHigh == nil && low < high && !math.IsInf(high-low, 0)
}

// Ranges reads public ranges: two numbers for all columns, or lines with the name of a column and two numbers.
func Ranges(text string, names []string) (ranges map[string]Range, err error) {
	ranges = map[string]Range{}
	var all *Range
	for line := range strings.Lines(text) {
		if line = strings.Join(strings.Fields(line), " "); strings.Trim(line, ",;: ") == "" {
			continue
		}
		wrong := func(want string) error {
			return sketch.ErrParam.New("range", strconv.Quote(format.Cut(line)), want)
		}
		r, isAll := rangeOf(line)
		name := ""
		switch {
		case isAll && all != nil:
			return nil, wrong("be given once for all columns")
		case isAll:
			all = &r
			continue
		}
		if name, r = named(line, names); name == "" {
			want := "be two numbers for all columns, or the name of a column and two numbers, the lower first"
			if fields := strings.Fields(line); len(fields) > 2 && isRange(fields) {
				want = "begin with the name of a column that is used as a number"
			}
			return nil, wrong(want)
		}
		if _, twice := ranges[name]; twice {
			return nil, wrong("be given once for column " + columns.Quoted(name))
		}
		ranges[name] = r
	}
	for _, name := range names {
		if _, own := ranges[name]; own {
			continue
		}
		if all == nil {
			return nil, sketch.ErrParam.New("range", "none for column "+columns.Quoted(name),
				"be given for every column, from what is known without the rows: two numbers for all, or a line for each")
		}
		ranges[name] = *all
	}
	return ranges, nil
}

// isRange reports whether the last fields are two numbers.
func isRange(fields []string) bool {
	_, ok := rangeOf(strings.Join(fields[len(fields)-2:], " "))
	return ok
}

// named returns the column that a line names, and its range, or "". Of two names the longer one is meant.
func named(line string, names []string) (best string, r Range) {
	for _, name := range names {
		rest, found := strings.CutPrefix(line, strings.Join(strings.Fields(name), " "))
		if !found || rest == "" || !strings.Contains(" ,;:", rest[:1]) || len(name) <= len(best) {
			continue
		}
		if own, ok := rangeOf(rest); ok {
			best, r = name, own
		}
	}
	return best, r
}

// Numbers returns the names of columns that are used as numbers.
func Numbers(l *table.Layout) (names []string) {
	for i := range l.Columns {
		if c := &l.Columns[i]; c.Role == columns.AsNumber {
			names = append(names, c.Name)
		}
	}
	return names
}

// LayoutFor returns the layout for a private model: columns as a release wants them, in their public ranges, and the
// label. Dates are left out, since days would need a range, too.
func LayoutFor(l *table.Layout, ranges map[string]Range) *table.Layout {
	label := l.Label()
	next := l.ForRelease().WithEach(func(c *table.Column) {
		if r, ok := ranges[c.Name]; ok && c.Role == columns.AsNumber {
			c.Scaling, c.Center, c.Scale, c.Learned = columns.MinMax, r.Low, r.High-r.Low, true
		}
		if c.Role == columns.AsDate {
			c.Column = columns.NewColumn(c.Name, columns.AsIgnored)
		}
	})
	if label >= 0 {
		next = next.WithLabel(label)
	}
	return next
}

// Question says what a private training costs and what its privacy depends on.
func (p *Private) Question(name string, epsilon, delta, budget float64) []string {
	cost := "This costs ε " + format.Short(epsilon) + " at δ " + format.Short(delta) + ". "
	if l := p.Ledger; l != nil {
		cost += l.Before()
	} else {
		cost += "If it is the first release of exactly this file, it fixes the budget for all of them: ε " +
			format.Short(budget) + "."
	}
	return []string{
		"Sums over three quarters of the rows of " + name + " are released with noise, and a model is fitted to them. " +
			"Their number is public.",
		cost,
		"The classes or the range of the numbers, the ranges of the columns, which columns are used and how the file is " +
			"read must not depend on the rows. Confirm only what you know without looking at them, as from a description " +
			"of the file. ε and D too must be chosen without them.",
	}
}

// Understood says how the fields were read: the classes, or the range of the numbers, and the ranges of the columns.
func Understood(labels []any, ranges map[string]Range, names []string) string {
	var classes []string
	for _, label := range labels {
		if class, ok := label.(string); ok {
			classes = append(classes, columns.Quoted(class))
		}
	}
	said := "The classes are " + format.First(10, classes) + "."
	if len(classes) == 0 {
		said = "The numbers to be predicted are " + Range{labels[0].(float64), labels[1].(float64)}.words() + "."
	}
	var each []string
	isOne := true
	for _, name := range names {
		each = append(each, columns.Quoted(name)+" "+ranges[name].words())
		isOne = isOne && ranges[name] == ranges[names[0]]
	}
	switch {
	case len(each) == 0:
		return said
	case isOne && len(each) > 1:
		return said + " The " + format.Plural(len(each), "column") + " of numbers are " + ranges[names[0]].words() + "."
	}
	return said + " Ranges of columns: " + format.First(10, each) + "."
}

func (r Range) words() string { return "from " + format.Exact(r.Low) + " to " + format.Exact(r.High) }

// PrivateSettings says what a private model is made of, where that differs from the models of the curve.
func PrivateSettings(components int) string {
	exponent := map[int]string{2: "²", 3: "³"}[PrivateDegree(components)]
	return "Its settings are its own: the kernel (1 + ⟨x,y⟩)" + exponent + " with D " + format.Count(components) +
		", rows of length 1, numbers scaled by their public ranges, 0 for an empty cell, categories hashed into 64 " +
		"numbers. Dates are left out."
}

// PrivateDegree returns the degree of a private model with so many components.
func PrivateDegree(components int) int {
	if components > 512 {
		return 3
	}
	return 2
}

// RangesHint is an example of what to type for the ranges of the columns.
func RangesHint(l *table.Layout) string {
	if l == nil {
		return ""
	}
	names := Numbers(l.ForRelease())
	if len(names) == 0 || len(names) > 3 {
		return "0 100"
	}
	return strings.Join(names, " 0 100\n") + " 0 100"
}

// LedgerText says what the ledger of the file holds.
func (p *Private) LedgerText(isSample bool) string {
	l := p.Ledger
	switch {
	case isSample:
		return "The sample contains no personal data, so nothing is charged. For your own files, this browser keeps a " +
			"running total of the privacy budget."
	case l == nil:
		return "What earlier releases of these rows have cost is looked up before a model is trained privately."
	}
	return l.Spending() + " Several releases together cost less than the sum of their ε, so more may be left than the " +
		"difference."
}

// Words tell what the noise cost.
func (o *Outcome) Words() []string {
	words := []string{"The private model (ε " + format.Short(o.Epsilon) + ", δ " + format.Short(o.Delta) +
		") has learned from " + format.Plural(o.Rows, "row") + "."}
	if o.Noisy == nil || o.Plain == nil {
		return append(append(words, "What the noise cost cannot be said: there are too few usable rows to try the models "+
			"on."), o.counts()...)
	}
	what, noisy, plain := "an accuracy", Percent(*o.Noisy), Percent(*o.Plain)
	cost := format.Fixed(100*(*o.Plain-*o.Noisy), 1) + " points"
	if o.IsNumber {
		what, noisy, plain = "an R²", format.Fixed(*o.Noisy, 3), format.Fixed(*o.Plain, 3)
		cost = format.Fixed(*o.Plain-*o.Noisy, 3)
	}
	words[0] += " It has " + what + " of " + noisy + "; the same model without noise, " + plain + ". "
	if *o.Noisy < *o.Plain {
		words[0] += "The noise cost " + cost + "."
	} else {
		words[0] += "The noise cost nothing that these rows can show."
	}
	words = append(words, "Both were tried on "+format.Plural(o.Held, "row")+" held out. These figures have no noise: "+
		"they are for your eyes, so do not publish them.")
	return append(words, o.counts()...)
}

// counts tells how many rows were changed.
func (o *Outcome) counts() (words []string) {
	odd := " had a label that is not among the public ones"
	if o.IsNumber {
		odd = " had no number to be predicted"
	}
	for _, c := range []struct {
		count int
		why   string
	}{{o.Odd, odd}, {o.Unusable, " had cells that do not fit the columns"}} {
		if c.count > 0 {
			words = append(words, format.Plural(c.count, "row")+c.why+" and counted as "+
				format.Form(c.count, "a row of zeros", "rows of zeros")+". This, too, is for your eyes.")
		}
	}
	if o.Cut > 0 {
		words = append(words, format.Plural(o.Cut, "row")+" had a number beyond the public range, which was cut to it. "+
			"This, too, is for your eyes.")
	}
	return words
}

// Package prepare turns rows of coordinates, such as a table's, into the rows of a map: it scales and cuts numbers, and
// fills in what is missing. A Preparation is fixed before the first row is added, so models of one merge and unlearn.
package prepare

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A Kind says what a coordinate of a row is before it is prepared.
type Kind uint8

const (
	Number    Kind = iota // scaled and cut; NaN is a missing number
	Indicator             // 0 or 1, of a category: left as it is
)

// The forms of a Preparation.
const (
	Std = "std" // (x − mean) / standard deviation
	MM  = "mm"  // (x − minimum) / (maximum − minimum)
	QN  = "qn"  // normal scores of the quantiles
	Raw = "raw" // numbers as they come

	// Codes is Std with a coordinate for each code: whole numbers that recur.
	Codes = "std, codes"
	// Uncut is Std with columns cut at the ends of the numbers seen, or at 50 deviations from the mean if that is nearer.
	Uncut = "std, uncut"
)

// uncutDeviations are how far from the mean Uncut cuts at the latest.
const uncutDeviations = 50

// A Preparation turns rows of coordinates into the rows of a map. It is fixed before the first row is
// added, so models with one Preparation merge and unlearn as before.
type Preparation struct {
	Form string // Std, MM, QN or Raw

	// Columns has one entry for each coordinate of a row. It is nil for Raw, with Width instead.
	Columns []Column
	Width   int

	// Weights multiply the prepared coordinates, NOutputs of them; nil weights are all 1.
	Weights []float64

	// Unit divides each prepared row by its length. A row of zeros stays.
	Unit bool
}

// A Column says what becomes of one coordinate x. A number is cut first, and then it is
//
//	std: (x − Mean) · (w / Scale)                 for x cut to Low … High
//	mm:  (x − Low) · (w / (High − Low))           for x cut to Low … High
//	qn:  (Values[i] + s · (x − Knots[i])) · w     for x cut to the ends of Knots, Knots[i] ≤ x < Knots[i+1],
//	     s = (Values[i+1] − Values[i]) / (Knots[i+1] − Knots[i])
//
// with its weight w. Each operation is rounded to float64 in this order, and the result to float32.
type Column struct {
	Kind Kind

	// Mean and Scale are the mean and the standard deviation, in units of the column.
	Mean, Scale float64

	// Low and High are where numbers are cut, in units of the column. For qn they serve Linear alone.
	Low, High float64

	// Fill stands for a missing number, in units of the column. For qn it is the result 0 instead.
	Fill float64

	// Missing adds a coordinate right after this one: 1 for a missing number, else 0.
	Missing bool

	// Unused leaves the coordinate out: it was constant. One that Missing adds remains.
	Unused bool

	// Knots and Values, for qn only, are 2 to 129 points in ascending order.
	Knots, Values []float64

	// Codes are ascending numbers. Each adds a coordinate after those above: 1 where x, before it is cut, is the
	// code, else 0.
	Codes []float64
}

// maxKnots is the maximum length of Knots.
const maxKnots = 129

// width returns the number of coordinates that one becomes.
func (c *Column) width() (n int) {
	if !c.Unused {
		n++
	}
	if c.Missing {
		n++
	}
	return n + len(c.Codes)
}

// Codes returns the number of codes, and of columns that have some.
func (p *Preparation) Codes() (count, columns int) {
	for i := range p.Columns {
		if n := len(p.Columns[i].Codes); n > 0 {
			count += n
			columns++
		}
	}
	return count, columns
}

// NFeatures returns the length of a row before it is prepared.
func (p *Preparation) NFeatures() int { return len(p.Columns) + p.Width }

// NOutputs returns the length of a prepared row: NFeatures of the map.
func (p *Preparation) NOutputs() int {
	n := p.Width
	for i := range p.Columns {
		n += p.Columns[i].width()
	}
	return n
}

// Linear returns the preparation of the linear model beside a map: standardised columns of the same cuts
// without weights, and the length of a row is kept. For Raw or nil it is p itself.
func (p *Preparation) Linear() *Preparation {
	if p == nil || p.Form == Raw {
		return p
	}
	l := &Preparation{Form: Std, Columns: p.Columns}
	if p.Form == QN {
		l.Columns = slices.Clone(p.Columns)
		for i := range l.Columns {
			l.Columns[i].Knots, l.Columns[i].Values = nil, nil
		}
	}
	return l
}

// Radius returns a length that no prepared row exceeds, or 0 where rows may have any.
func (p *Preparation) Radius() float64 {
	if p.Unit {
		return 1
	}
	square, at := 0.0, 0 // 0 for Raw, which has no columns
	add := func(largest float64) {
		largest *= p.weight(at)
		at++
		square += float64(largest * largest)
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if !c.Unused {
			low, high := 0.0, 1.0
			if c.Kind == Number && p.Form == Std {
				low, high = (c.Low-c.Mean)/c.Scale, (c.High-c.Mean)/c.Scale
			} else if c.Kind == Number && p.Form == QN {
				low, high = c.Values[0], c.Values[len(c.Values)-1]
			}
			add(max(-low, high))
		}
		if c.Missing {
			add(1)
		}
		heaviest := 0.0 // a row has at most one of them
		for range c.Codes {
			heaviest = max(heaviest, p.weight(at))
			at++
		}
		square += float64(heaviest * heaviest)
	}
	return math.Sqrt(square)
}

// weight returns a weight with its default.
func (p *Preparation) weight(output int) float64 {
	if p.Weights == nil {
		return 1
	}
	return p.Weights[output]
}

// Equal reports whether two preparations, nil or not, give the same bits.
func (p *Preparation) Equal(o *Preparation) bool { return p.Differs(o) == "" }

// Differs returns the name of the first thing in which two preparations differ, or "".
func (p *Preparation) Differs(o *Preparation) string {
	switch {
	case p == o:
		return ""
	case p == nil || o == nil:
		return "preparation"
	case p.Form != o.Form:
		return "preparation.form"
	case p.Unit != o.Unit:
		return "preparation.unit"
	case p.Width != o.Width || len(p.Columns) != len(o.Columns):
		return "preparation.columns"
	case !slices.Equal(p.Weights, o.Weights) || (p.Weights == nil) != (o.Weights == nil):
		return "preparation.weights"
	}
	for i := range p.Columns {
		if !p.Columns[i].equal(&o.Columns[i]) {
			return "preparation.columns[" + strconv.Itoa(i) + "]"
		}
	}
	return ""
}

func (c *Column) equal(o *Column) bool {
	return c.Kind == o.Kind && c.Missing == o.Missing && c.Unused == o.Unused && c.numbers() == o.numbers() &&
		slices.Equal(c.Knots, o.Knots) && slices.Equal(c.Values, o.Values) && slices.Equal(c.Codes, o.Codes)
}

func (c *Column) numbers() [5]float64 { return [5]float64{c.Mean, c.Scale, c.Low, c.High, c.Fill} }

// Validate returns nil, or a *sketch.Error with code ErrParam that names the part of the preparation that
// is wrong.
func (p *Preparation) Validate() error {
	switch p.Form {
	case Std, MM, QN:
		if p.Width != 0 {
			return sketch.ErrParam.New("preparation.width", strconv.Itoa(p.Width), `be left out unless the form is "raw"`)
		}
	case Raw:
		if len(p.Columns) != 0 {
			return sketch.ErrParam.New("preparation.columns", strconv.Itoa(len(p.Columns)),
				`be left out for the form "raw"`)
		}
	default:
		return sketch.ErrParam.New("preparation.form", `"`+p.Form+`"`, `be "std", "mm", "qn" or "raw"`)
	}
	for i := range p.Columns {
		if want := p.Columns[i].wrong(p.Form); want != "" {
			return sketch.ErrParam.New("preparation.columns["+strconv.Itoa(i)+"]", "", want)
		}
	}
	n := p.NOutputs()
	if n < 1 || n > sketch.MaxFeatures {
		return sketch.ErrParam.New("preparation.columns", strconv.Itoa(n)+" that are used",
			"be from 1 to "+strconv.Itoa(sketch.MaxFeatures))
	}
	if p.Weights != nil && len(p.Weights) != n {
		return sketch.ErrParam.New("preparation.weights", strconv.Itoa(len(p.Weights)),
			"hold one number for each prepared coordinate, "+strconv.Itoa(n))
	}
	for i, w := range p.Weights {
		if !(w >= 0 && w <= 1<<20) {
			return sketch.ErrParam.New("preparation.weights["+strconv.Itoa(i)+"]", portable.FormatNumber(w),
				"be a number from 0 to 1048576")
		}
	}
	if p.Form != Raw && !(p.Radius() < 1<<100) {
		return sketch.ErrParam.New("preparation", portable.FormatNumber(p.Radius()), "keep rows shorter than 2^100")
	}
	return nil
}

// ValidateFor is Validate with the nFeatures of the map that takes the prepared rows.
func (p *Preparation) ValidateFor(nFeatures int) error {
	if p == nil {
		return nil
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if n := p.NOutputs(); n != nFeatures {
		return sketch.ErrParam.New("nFeatures", strconv.Itoa(nFeatures),
			"be the number of prepared coordinates, "+strconv.Itoa(n))
	}
	return nil
}

// wrong completes "must …" for a column that contradicts itself, or returns "".
func (c *Column) wrong(form string) string {
	isPlain := c.Unused || c.Kind == Indicator
	switch {
	case c.Kind > Indicator:
		return `be of kind "number" or "indicator"`
	case c.Kind == Indicator && c.Missing:
		return "have no coordinate for missing numbers where it is an indicator"
	case isPlain && (c.numbers() != [5]float64{} || c.Knots != nil || c.Values != nil || c.Codes != nil):
		return "have no numbers where it is an indicator, or unused"
	case isPlain:
		return ""
	}
	numbers := c.numbers()
	for _, v := range slices.Concat(numbers[:], c.Knots, c.Values, c.Codes) {
		if v-v != 0 {
			return "have finite numbers"
		}
	}
	for i := range len(c.Codes) - 1 {
		if !(c.Codes[i] < c.Codes[i+1]) {
			return "have ascending codes"
		}
	}
	switch {
	case !(c.Scale > 0):
		return "have a scale > 0"
	case !(c.Low < c.High):
		return "have a low end below the high end"
	case c.Fill < c.Low || c.Fill > c.High:
		return "have a fill between low and high"
	case form != QN && (c.Knots != nil || c.Values != nil):
		return `have knots for the form "qn" only`
	case form != QN:
		return ""
	case len(c.Knots) < 2 || len(c.Knots) > maxKnots || len(c.Values) != len(c.Knots):
		return "have from 2 to " + strconv.Itoa(maxKnots) + " knots, and a value for each"
	}
	for i := range c.Knots[1:] {
		if !(c.Knots[i] < c.Knots[i+1]) || c.Values[i] > c.Values[i+1] {
			return "have ascending knots and values"
		}
	}
	return ""
}

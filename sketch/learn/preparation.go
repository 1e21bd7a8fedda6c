package learn

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
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
	FormStd = "std" // (x − mean) / standard deviation
	FormMM  = "mm"  // (x − minimum) / (maximum − minimum)
	FormQN  = "qn"  // normal scores of the quantiles
	FormRaw = "raw" // numbers as they come
)

// A Preparation turns rows of coordinates into the rows of a map. It is fixed before the first row is
// added, so models with one Preparation merge and unlearn as before.
type Preparation struct {
	Form string // FormStd, FormMM, FormQN or FormRaw

	// Columns has one entry for each coordinate of a row. It is nil for FormRaw, with Width instead.
	Columns []Prepared
	Width   int

	// Weights multiply the prepared coordinates, NOutputs of them; nil weights are all 1.
	Weights []float64

	// Unit divides each prepared row by its length. A row of zeros stays.
	Unit bool
}

// Prepared says what becomes of one coordinate x. A number is cut first, and then it is
//
//	std: (x − Mean) · (w / Scale)                 for x cut to Low … High
//	mm:  (x − Low) · (w / (High − Low))           for x cut to Low … High
//	qn:  (Values[i] + s · (x − Knots[i])) · w     for x cut to the ends of Knots, Knots[i] ≤ x < Knots[i+1],
//	     s = (Values[i+1] − Values[i]) / (Knots[i+1] − Knots[i])
//
// with its weight w. Each operation is rounded to float64 in this order, and the result to float32.
type Prepared struct {
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
func (c *Prepared) width() (n int) {
	if !c.Unused {
		n++
	}
	if c.Missing {
		n++
	}
	return n + len(c.Codes)
}

// codes returns the number of codes, and of columns that have some.
func (p *Preparation) codes() (count, columns int) {
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
// without weights, and the length of a row is kept. For FormRaw it is p itself.
func (p *Preparation) Linear() *Preparation {
	if p.Form == FormRaw {
		return p
	}
	l := &Preparation{Form: FormStd, Columns: p.Columns}
	if p.Form == FormQN {
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
	square, at := 0.0, 0 // 0 for FormRaw, which has no columns
	add := func(largest float64) {
		largest *= p.weight(at)
		at++
		square += float64(largest * largest)
	}
	for i := range p.Columns {
		c := &p.Columns[i]
		if !c.Unused {
			low, high := 0.0, 1.0
			if c.Kind == Number && p.Form == FormStd {
				low, high = (c.Low-c.Mean)/c.Scale, (c.High-c.Mean)/c.Scale
			} else if c.Kind == Number && p.Form == FormQN {
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

// Apply prepares one row, NFeatures numbers, into dst, NOutputs numbers, and returns how many cells were
// cut: numbers beyond their ends, and missing numbers in a used column without Missing. A nil dst only
// counts. The error is a *sketch.Error with code ErrNonFinite, or ErrShape for a wrong length.
func (p *Preparation) Apply(dst, row []float32) (cut int, err error) {
	if len(row) != p.NFeatures() {
		return 0, p.shapeError(len(row))
	}
	if dst != nil && len(dst) != p.NOutputs() {
		return 0, sketch.ErrShape.New("dst", strconv.Itoa(len(dst)), "hold "+strconv.Itoa(p.NOutputs())+" numbers")
	}
	prepared, n, err := p.Rows(sketch.Dense(row), nil)
	if err != nil {
		return 0, err
	}
	copy(dst, prepared.(sketch.Dense))
	return int(n), nil
}

func (p *Preparation) shapeError(got int) error {
	return sketch.ErrShape.New("X", strconv.Itoa(got), "hold a multiple of nFeatures = "+strconv.Itoa(p.NFeatures())+
		" values, as the preparation takes")
}

// Rows prepares rows, Dense or, for FormRaw, CSR, and returns new ones with the number of cells cut among
// rows of weight 1; nil weights are all 1. A nil Preparation returns the rows as they are.
func (p *Preparation) Rows(X sketch.Rows, weights []uint8) (prepared sketch.Rows, cut int64, err error) {
	if p == nil {
		return X, 0, nil
	}
	switch X := X.(type) {
	case sketch.CSR:
		prepared, err = p.sparse(X)
		return prepared, 0, err
	case sketch.Dense:
		if len(X)%p.NFeatures() != 0 {
			return nil, 0, p.shapeError(len(X))
		}
		return p.dense(X, weights)
	}
	return nil, 0, p.shapeError(0)
}

// CountCut counts what Apply does to dense rows, for each of the NFeatures coordinates: numbers beyond their ends in
// cut, missing numbers in used columns without Missing in filled, and other numbers that are none of the column's Codes
// in uncoded. FormRaw has none of them.
func (p *Preparation) CountCut(cut, filled, uncoded []int64, X sketch.Dense) {
	for j, a := range p.actions() {
		for at := j; at < len(X) && a.do >= actScale; at += p.NFeatures() {
			x := float64(X[at])
			switch {
			case x < a.low || x > a.high:
				cut[j]++
			case x != x && !a.missing:
				filled[j]++
			case x == x && a.codes != nil && !slices.Contains(a.codes, x):
				uncoded[j]++
			}
		}
	}
}

// What becomes of a coordinate.
const (
	actLeave  = iota // no result
	actPlain         // a number as it is
	actScale         // (x − origin)·factor
	actScores        // the line through the knots, times factor
)

// An action is what becomes of a coordinate, ready to be computed for many rows.
type action struct {
	do                              int
	low, high, origin, factor, fill float64
	isChecked                       bool // NaN is no missing number
	missing                         bool
	missingWeight                   float64
	codes, codeWeights              []float64
	column                          *Prepared
}

// actions returns what becomes of each coordinate.
func (p *Preparation) actions() []action {
	actions, at := make([]action, p.NFeatures()), 0
	for i := range actions {
		a := &actions[i]
		if p.Form == FormRaw {
			*a = action{do: actPlain, factor: p.weight(i), isChecked: true}
			continue
		}
		c := &p.Columns[i]
		*a = action{column: c, missing: c.Missing, low: c.Low, high: c.High, fill: c.Fill, isChecked: c.Kind == Indicator,
			codes: c.Codes}
		if !c.Unused {
			a.factor = p.weight(at)
			at++
		}
		if c.Missing {
			a.missingWeight = p.weight(at)
			at++
		}
		for range c.Codes {
			a.codeWeights = append(a.codeWeights, p.weight(at))
			at++
		}
		switch {
		case c.Unused:
		case c.Kind == Indicator:
			a.do = actPlain
		case p.Form == FormStd:
			a.do, a.origin, a.factor = actScale, c.Mean, a.factor/c.Scale
		case p.Form == FormMM:
			a.do, a.origin, a.factor = actScale, c.Low, a.factor/(c.High-c.Low)
		default:
			a.do, a.low, a.high = actScores, c.Knots[0], c.Knots[len(c.Knots)-1]
		}
	}
	return actions
}

func (p *Preparation) dense(X sketch.Dense, weights []uint8) (sketch.Rows, int64, error) {
	d, width, cut := p.NFeatures(), p.NOutputs(), int64(0)
	n := len(X) / d
	out, wide, actions := make(sketch.Dense, n*width), make([]float64, width), p.actions()
	for r := range n {
		row := X[r*d : (r+1)*d]
		for j, v := range row {
			if v-v != 0 && (v == v || actions[j].isChecked) {
				return nil, 0, solve.NotFinite("X", r, j, float64(v))
			}
		}
		beyond := prepareRow(wide, row, actions)
		if weights == nil || weights[r] > 0 {
			cut += int64(beyond)
		}
		dst := out[r*width : (r+1)*width]
		if !p.Unit {
			for j, v := range wide {
				dst[j] = float32(v)
			}
			continue
		}
		length := p.length(wide)
		for j, v := range wide {
			dst[j] = float32(v / length)
		}
	}
	return out, cut, nil
}

// prepareRow prepares a row except for its length, and returns how many cells are cut, or missing without a
// coordinate that says so.
func prepareRow(dst []float64, row []float32, actions []action) (cut int) {
	at := 0
	for i := range actions {
		a, x := &actions[i], float64(row[i])
		isMissing := x != x
		if a.do >= actScale {
			if isMissing {
				x = a.fill
				if !a.missing {
					cut++
				}
			}
			if x < a.low {
				x = a.low
				cut++
			} else if x > a.high {
				x = a.high
				cut++
			}
			if a.do == actScale {
				x -= a.origin
			} else if isMissing {
				x = 0
			} else {
				x = a.column.score(x)
			}
		}
		if a.do != actLeave {
			dst[at] = float64(x * a.factor)
			at++
		}
		if a.missing {
			dst[at] = 0
			if isMissing {
				dst[at] = a.missingWeight
			}
			at++
		}
		for k, code := range a.codes {
			dst[at] = 0
			if float64(row[i]) == code {
				dst[at] = a.codeWeights[k]
			}
			at++
		}
	}
	return cut
}

// score returns the value at x on the line through the knots.
func (c *Prepared) score(x float64) float64 {
	i, end := 0, len(c.Knots)-1 // Knots[i] ≤ x < Knots[end]
	for end-i > 1 {
		if middle := (i + end) / 2; c.Knots[middle] <= x {
			i = middle
		} else {
			end = middle
		}
	}
	slope := (c.Values[i+1] - c.Values[i]) / (c.Knots[i+1] - c.Knots[i])
	return c.Values[i] + float64(slope*(x-c.Knots[i]))
}

// length returns what a row is divided by: its length, or 1.
func (p *Preparation) length(row []float64) float64 {
	if !p.Unit {
		return 1
	}
	square := 0.0
	for _, v := range row {
		square += float64(v * v)
	}
	if square == 0 {
		return 1
	}
	return math.Sqrt(square)
}

// sparse prepares sparse rows. The squares of a row are added up by column, whatever the order of its numbers.
// What else a map refuses stays as it is.
func (p *Preparation) sparse(X sketch.CSR) (sketch.Rows, error) {
	if p.Form != FormRaw {
		return nil, sketch.ErrParam.New("X", "sparse rows", `be dense for a preparation of the form "`+p.Form+
			`", which makes zeros other numbers: give dense rows, or prepare with the form "raw"`)
	}
	d := p.NFeatures()
	n, _, ok := sums.Parts(X, d)
	if !ok {
		return nil, solve.CheckSparse(X, d)
	}
	out := sketch.CSR{Indptr: X.Indptr, Indices: X.Indices, Data: make([]float32, len(X.Data))}
	var wide, sorted []float64
	var columns []int32
	for r := range n {
		from, to := int(X.Indptr[r]), int(X.Indptr[r+1])
		wide, columns = wide[:0], append(columns[:0], X.Indices[from:to]...)
		for at := from; at < to; at++ {
			if column := int(X.Indices[at]); column < 0 || column >= d {
				return nil, solve.RowError(sketch.ErrShape, "X", r, -1, strconv.Itoa(column),
					"have columns from 0 to "+strconv.Itoa(d-1))
			}
			wide = append(wide, float64(float64(X.Data[at])*p.weight(int(X.Indices[at]))))
		}
		length := 1.0
		if p.Unit {
			sorted = append(sorted[:0], wide...)
			sortByColumn(columns, sorted)
			length = p.length(sorted)
		}
		for i, v := range wide {
			out.Data[from+i] = float32(v / length)
		}
	}
	return out, nil
}

// sortByColumn sorts columns with their values, by insertion: they are nearly always sorted.
func sortByColumn(columns []int32, values []float64) {
	for i := 1; i < len(columns); i++ {
		for j := i; j > 0 && columns[j-1] > columns[j]; j-- {
			columns[j-1], columns[j] = columns[j], columns[j-1]
			values[j-1], values[j] = values[j], values[j-1]
		}
	}
}

// Equal reports whether two preparations, nil or not, give the same bits.
func (p *Preparation) Equal(o *Preparation) bool { return p.differs(o) == "" }

// differs returns the name of the first thing in which two preparations differ, or "".
func (p *Preparation) differs(o *Preparation) string {
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

func (c *Prepared) equal(o *Prepared) bool {
	return c.Kind == o.Kind && c.Missing == o.Missing && c.Unused == o.Unused && c.numbers() == o.numbers() &&
		slices.Equal(c.Knots, o.Knots) && slices.Equal(c.Values, o.Values) && slices.Equal(c.Codes, o.Codes)
}

func (c *Prepared) numbers() [5]float64 { return [5]float64{c.Mean, c.Scale, c.Low, c.High, c.Fill} }

// Validate returns nil, or a *sketch.Error with code ErrParam that names the part of the preparation that
// is wrong.
func (p *Preparation) Validate() error {
	switch p.Form {
	case FormStd, FormMM, FormQN:
		if p.Width != 0 {
			return sketch.ErrParam.New("preparation.width", strconv.Itoa(p.Width), `be left out unless the form is "raw"`)
		}
	case FormRaw:
		if len(p.Columns) != 0 {
			return sketch.ErrParam.New("preparation.columns", strconv.Itoa(len(p.Columns)),
				`be left out for the form "raw"`)
		}
	default:
		return sketch.ErrParam.New("preparation.form", quote(p.Form), `be "std", "mm", "qn" or "raw"`)
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
	if p.Form != FormRaw && !(p.Radius() < 1<<100) {
		return sketch.ErrParam.New("preparation", portable.FormatNumber(p.Radius()), "keep rows shorter than 2^100")
	}
	return nil
}

// ValidateFor is Validate with the map that takes the prepared rows.
func (p *Preparation) ValidateFor(m *sketch.FeatureMap) error {
	if p == nil {
		return nil
	}
	if err := p.Validate(); err != nil {
		return err
	}
	if n := p.NOutputs(); n != m.NFeatures() {
		return sketch.ErrParam.New("nFeatures", strconv.Itoa(m.NFeatures()),
			"be the number of prepared coordinates, "+strconv.Itoa(n))
	}
	return nil
}

// wrong completes "must …" for a column that contradicts itself, or returns "".
func (c *Prepared) wrong(form string) string {
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
	case form != FormQN && (c.Knots != nil || c.Values != nil):
		return `have knots for the form "qn" only`
	case form != FormQN:
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

// largestPrepared is largestSquare of n rows, prepared.
func (spec *Spec) largestPrepared(X sketch.Rows, n int) (largest float64, row int, err error) {
	if spec.Preparation == nil {
		largest, row = solve.LargestSquareOf(X, n, spec.Map.NFeatures())
		return largest, row, nil
	}
	_, part, _ := sums.Parts(X, spec.NFeatures())
	for from := 0; from < n; from += solve.BlockRows {
		rows, _, err := spec.Preparation.Rows(part(from, min(from+solve.BlockRows, n)), nil)
		if err != nil {
			return 0, 0, sums.AtRow(err, from)
		}
		square, at := solve.LargestSquareOf(rows, min(solve.BlockRows, n-from), spec.Map.NFeatures())
		if square-square != 0 {
			return square, from + at, nil
		}
		largest = max(largest, square)
	}
	return largest, 0, nil
}

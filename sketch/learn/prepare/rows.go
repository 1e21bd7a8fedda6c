package prepare

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

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

// Rows prepares rows, Dense or, for Raw, CSR, and returns new ones with the number of cells cut among
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
// in uncoded. Raw has none of them.
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
	column                          *Column
}

// actions returns what becomes of each coordinate.
func (p *Preparation) actions() []action {
	actions, at := make([]action, p.NFeatures()), 0
	for i := range actions {
		a := &actions[i]
		if p.Form == Raw {
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
		case p.Form == Std:
			a.do, a.origin, a.factor = actScale, c.Mean, a.factor/c.Scale
		case p.Form == MM:
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
func (c *Column) score(x float64) float64 {
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
	if p.Form != Raw {
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

package prepare

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// Columns of at most fewValues different numbers are codes or counts rather than measurements.
const fewValues = 10

// New returns the preparation of a form for rows of len(kinds) coordinates, row-major, in
// which NaN is a missing number. The rows in another order give the same bits.
//
//   - Numbers beyond the quantiles 0.5 % and 99.5 % by more than a standard deviation are cut there, and
//     mean and deviation come from the numbers cut at the quantiles. Where more than half of a column is
//     one value, the quantiles come from the others, so that a rare value is not cut away. A column of
//     at most 10 different values is not cut, except 10 deviations beyond its quantiles.
//   - mm has the least and the largest of the cut numbers, and qn up to 129 quantiles with their normal
//     scores.
//   - A missing number becomes the mean, with one more coordinate. A constant column is not used.
//
// Raw takes rows as they are: of numbers alone, none of them missing. Codes and Uncut give the Form Std.
//
// The error is a *sketch.Error with code ErrShape, ErrParam where every column is constant, or ErrNonFinite
// with row and column for infinite numbers and missing ones in a column that cannot have them.
func New(form string, rows []float32, kinds []Kind) (*Preparation, error) {
	d := len(kinds)
	if d == 0 || len(rows) == 0 || len(rows)%d != 0 {
		return nil, sketch.ErrShape.New("rows", strconv.Itoa(len(rows)),
			"hold at least one row, and a multiple of "+strconv.Itoa(d)+" numbers, one for each of kinds")
	}
	for i, v := range rows {
		if v-v != 0 && (v == v || form == Raw || kinds[i%d] == Indicator) {
			return nil, solve.NotFinite("rows", i/d, i%d, float64(v))
		}
	}
	p := &Preparation{Form: form}
	if form == Uncut || form == Codes {
		p.Form = Std
	}
	if form == Raw {
		p.Width = d
		return p, p.Validate()
	}
	p.Columns = make([]Column, d)
	n := len(rows) / d
	keys, spare, values := make([]uint32, 0, n), make([]uint32, n), make([]float64, n)
	for j, kind := range kinds {
		if kind == Indicator {
			p.Columns[j].Kind = Indicator
			continue
		}
		keys = keys[:0]
		for at := j; at < len(rows); at += d {
			if v := rows[at]; v == v {
				keys = append(keys, sortKey(v+0))
			}
		}
		sortKeys(keys, spare)
		for i, key := range keys {
			values[i] = float64(math.Float32frombits(key ^ ((key>>31 - 1) | 1<<31)))
		}
		p.Columns[j] = prepareNumbers(form, values[:len(keys)])
		p.Columns[j].Missing = len(keys) > 0 && len(keys) < n
		if form == Codes && !p.Columns[j].Unused {
			p.Columns[j].Codes = codesOf(values[:len(keys)])
		}
	}
	p.limitCodes()
	if p.NOutputs() == 0 {
		return nil, sketch.ErrParam.New("rows", strconv.Itoa(d)+" constant",
			"have a column that is not constant: there is nothing to learn from")
	}
	return p, p.Validate()
}

// sortKey returns a key that is ordered as the numbers are.
func sortKey(v float32) uint32 {
	bits := math.Float32bits(v)
	if bits>>31 == 1 {
		return ^bits
	}
	return bits | 1<<31
}

// sortKeys sorts keys by 11 bits at a time, the lowest first, with as many spare ones.
func sortKeys(keys, spare []uint32) {
	spare = spare[:len(keys)]
	counts := make([]int32, 2048) // an array would be copied, one load for each, in the core
	for shift := 0; shift < 32; shift += 11 {
		clear(counts[:])
		for _, key := range keys {
			counts[key>>shift&2047]++
		}
		first := int32(0)
		for i, count := range counts {
			counts[i] = first
			first += count
		}
		for _, key := range keys {
			at := &counts[key>>shift&2047]
			spare[*at] = key
			*at++
		}
		keys, spare = spare, keys
	}
	copy(spare, keys) // after three rounds the sorted keys are in the spare ones
}

// prepareNumbers returns what becomes of a column, from its numbers in ascending order.
func prepareNumbers(form string, sorted []float64) (c Column) {
	n := len(sorted)
	if n == 0 || sorted[0] == sorted[n-1] {
		return Column{Unused: true}
	}
	distinct, from, to := runs(sorted)
	low, high := cutQuantiles(sorted, from, to)
	c.Mean, c.Scale = momentsWithin(sorted, low, high)
	if distinct <= fewValues {
		low, high = max(sorted[0], low-float64(10*c.Scale)), min(sorted[n-1], high+float64(10*c.Scale))
		c.Mean, c.Scale = momentsWithin(sorted, low, high)
	}
	c.Low, c.High = low-c.Scale, high+c.Scale
	if form == MM {
		c.Low, c.High = max(c.Low, sorted[0]), min(c.High, sorted[n-1])
	}
	if form == Uncut {
		most := float64(uncutDeviations * c.Scale)
		c.Low, c.High = min(c.Low, max(sorted[0], c.Mean-most)), max(c.High, min(sorted[n-1], c.Mean+most))
	}
	c.Fill, _ = momentsWithin(sorted, c.Low, c.High)
	c.Fill = min(max(c.Fill, c.Low), c.High)
	if form == QN {
		c.Knots, c.Values = normalScores(sorted)
	}
	return c
}

// Widen moves the ends of columns to the numbers of one more row that lie beyond them, however far. It reports whether
// it did.
func (p *Preparation) Widen(row []float32) (moved bool) {
	for j := range p.Columns {
		c := &p.Columns[j]
		if c.Kind != Number || c.Unused || !(row[j]-row[j] == 0) {
			continue
		}
		x := float64(row[j])
		moved = moved || x < c.Low || x > c.High
		c.Low, c.High = min(c.Low, x), max(c.High, x)
	}
	return moved
}

// Whole numbers are also codes, such as an hour or a household, where 3 to 600 of them recur: each in at least 5 rows,
// and together in nine of ten. A table with more than 512 in columns of at most 150 is an image or a long list of
// questions. Columns of more than 150 follow in their order, up to 700 in all.
const (
	leastCodes     = 3
	fewCodes       = 150
	mostFewCodes   = 512
	mostCodes      = 600
	mostCodesInAll = 700
	codeRows       = 5
)

// limitCodes leaves out the codes of columns that are too many.
func (p *Preparation) limitCodes() {
	codes := 0
	for j := range p.Columns {
		if n := len(p.Columns[j].Codes); n <= fewCodes {
			codes += n
		}
	}
	areTooMany := codes > mostFewCodes
	for j := range p.Columns {
		c := &p.Columns[j]
		n := len(c.Codes)
		switch {
		case areTooMany || n > fewCodes && codes+n > mostCodesInAll:
			c.Codes = nil
		case n > fewCodes:
			codes += n
		}
	}
}

// codesOf returns the codes among numbers in ascending order, or nil.
func codesOf(sorted []float64) (codes []float64) {
	covered, from := 0, 0
	for at := 1; at <= len(sorted); at++ {
		v := sorted[from]
		if at < len(sorted) && sorted[at] == v {
			continue
		}
		if v == math.Trunc(v) && at-from >= codeRows {
			codes = append(codes, v)
			covered += at - from
		}
		from = at
	}
	if len(codes) < leastCodes || len(codes) > mostCodes || 10*covered < 9*len(sorted) {
		return nil
	}
	return codes
}

// runs returns how many different numbers there are, and the longest run of equal ones, the first of equally
// long ones.
func runs(sorted []float64) (distinct, from, to int) {
	for start, at := 0, 1; at <= len(sorted); at++ {
		if at == len(sorted) || sorted[at] != sorted[start] {
			if distinct++; at-start > to-from {
				from, to = start, at
			}
			start = at
		}
	}
	return distinct, from, to
}

// cutQuantiles returns the quantiles 0.5 % and 99.5 %. If the run from … to is more than half of the numbers,
// they are the quantiles of the others, and the run lies between them.
func cutQuantiles(sorted []float64, from, to int) (low, high float64) {
	n := len(sorted)
	if 2*(to-from) <= n {
		from, to = 0, 0
	}
	at := func(i int) float64 {
		if i >= from {
			i += to - from
		}
		return sorted[i]
	}
	low, high = quantile(at, n-(to-from), 0.005), quantile(at, n-(to-from), 0.995)
	if to > from {
		low, high = min(low, sorted[from]), max(high, sorted[from])
	}
	return low, high
}

// quantile returns the quantile q of n numbers in ascending order, linear between them.
func quantile(at func(int) float64, n int, q float64) float64 {
	position := float64(q * float64(n-1))
	i := min(int(position), n-1)
	a, b, t := at(i), at(min(i+1, n-1)), position-float64(i)
	if t >= 0.5 { // the end that is nearer is exact
		return b - float64((b-a)*(1-t))
	}
	return a + float64((b-a)*t)
}

// momentsWithin returns the mean and the standard deviation of numbers in ascending order, cut to low … high.
func momentsWithin(sorted []float64, low, high float64) (mean, deviation float64) {
	n := float64(len(sorted))
	from, _ := slices.BinarySearch(sorted, low)
	to := len(sorted)
	for to > from && sorted[to-1] > high {
		to--
	}
	below, above := float64(from), float64(len(sorted)-to)
	for _, v := range sorted[from:to] {
		mean += v
	}
	mean = (float64(below*low) + mean + float64(above*high)) / n
	for _, v := range sorted[from:to] {
		v -= mean
		deviation += float64(v * v)
	}
	low, high = low-mean, high-mean
	deviation += float64(float64(below*low)*low) + float64(float64(above*high)*high)
	return mean + 0, math.Sqrt(deviation / n)
}

// normalScores returns the quantiles of numbers with Φ⁻¹ of their share, from 0.005 to 0.995, moved and scaled
// so that the numbers have mean 0 and standard deviation 1. A number that is there several times has the
// share of its middle.
func normalScores(sorted []float64) (knots, values []float64) {
	n := len(sorted)
	at := func(i int) float64 { return sorted[i] }
	for i := range maxKnots {
		knot := quantile(at, n, float64(i)/(maxKnots-1))
		if i > 0 && knot <= knots[len(knots)-1] {
			continue
		}
		below, _ := slices.BinarySearch(sorted, knot)
		upTo := below
		for upTo < n && sorted[upTo] == knot {
			upTo++
		}
		share := float64(below+upTo) / float64(2*n)
		knots, values = append(knots, knot), append(values, portable.NormalQuantile(min(max(share, 0.005), 0.995)))
	}
	c := Column{Knots: knots, Values: values}
	scores := make([]float64, n)
	for i, v := range sorted {
		scores[i] = c.score(v)
	}
	mean, deviation := momentsWithin(scores, values[0], values[len(values)-1])
	for i := range values {
		values[i] = (values[i] - mean) / deviation
	}
	return knots, values
}

// LargestWeight returns the largest weight of the coordinates that those from up to, not including, to become. It is
// nil where they become none, or where there are no weights.
func (p *Preparation) LargestWeight(from, to int) *float64 {
	if p.Weights == nil || p.Columns == nil {
		return nil
	}
	at := 0
	for i := range from {
		at += p.Columns[i].width()
	}
	var largest *float64
	for i := from; i < to; i++ {
		for range p.Columns[i].width() {
			if w := p.Weights[at]; largest == nil || w > *largest {
				largest = &w
			}
			at++
		}
	}
	return largest
}

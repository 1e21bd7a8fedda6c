package buckets

import (
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// number writes a value with two decimals.
func number(x float64) string { return format.Fixed(x, 2) }

// term writes s(i)·x_i with the symbol of x_i. first is set for the first term of a sum.
func (p *Picture) term(i int, first bool) string {
	text := "x" + format.Subscript(i)
	if !p.s[i].IsReal() {
		text = "i" + text
	}
	return format.Term(p.s[i].IsMinus(), text, first)
}

// figure writes s(i)·x_i like term, but with the number x_i.
func (p *Picture) figure(i int, first bool) string {
	x := p.p.X[i]
	text := format.Factor(number(x))
	switch {
	case !p.s[i].IsReal():
		text += "i"
	case first && !p.s[i].IsMinus():
		text = number(x)
	}
	return format.Term(p.s[i].IsMinus(), text, first)
}

// added writes the number that coordinate i adds, with its operator.
func (p *Picture) added(i int) string {
	x := p.contribution(i)
	text := number(math.Abs(x))
	if !p.s[i].IsReal() {
		text += "i"
	}
	return format.Term(x < 0, text, false)
}

// before returns the sketch one step before.
func (p *Picture) before() []float32 { return p.sketch(first(p.p.X, p.p.Step-1)) }

// stepSum writes what the coordinate that has just fallen does to its bucket: "bucket 5 ← 0.80 − 0.35 = 0.45: x₇ =
// 0.35 with sign −".
func (p *Picture) stepSum() string {
	i := p.p.Step - 1
	k := p.h[i]
	before := "0"
	if held, _ := p.held(k, i); len(held) > 0 {
		before = format.Complex(p.valueOf(p.before(), k), 2)
	}
	return "bucket " + strconv.Itoa(k) + " ← " + before + p.added(i) + " = " + format.Complex(p.valueOf(p.cx, k), 2) +
		": x" + format.Subscript(i) + " = " + number(p.p.X[i]) + " with sign " + p.signText(i)
}

// signText writes s(i).
func (p *Picture) signText(i int) string { return p.s[i].Text(p.p.Method) }

// A bucket's sum is written out in full up to fullSum terms. A longer one shows only the terms at its ends.
const (
	fullSum = 5
	headSum = 3
)

// bucketSum writes the value of bucket k term by term: "bucket 5 = x₂ − x₇ = 0.80 − (−0.35) = 1.15".
func (p *Picture) bucketSum(k int) string {
	held, _ := p.held(k, p.p.Step)
	all, zeros := p.held(k, p.d())
	name := "bucket " + strconv.Itoa(k)
	switch {
	case len(held) == 0 && len(all) > 0:
		return name + " = 0 so far"
	case len(held) == 0 && zeros > 0:
		return name + " = 0: only zeros fall here"
	case len(held) == 0:
		return name + " = 0: no coordinate falls here"
	case len(held) < len(all):
		name += " so far"
	}
	var symbols, figures strings.Builder
	for n, i := range held {
		if len(held) > fullSum && n >= headSum && n < len(held)-1 {
			if n == headSum {
				symbols.WriteString(" + …")
				figures.WriteString(" + …")
			}
			continue
		}
		symbols.WriteString(p.term(i, n == 0))
		figures.WriteString(p.figure(i, n == 0))
	}
	text := name + " = " + symbols.String() + " = " + figures.String()
	if net := format.Complex(p.valueOf(p.cx, k), 2); net != figures.String() {
		text += " = " + net
	}
	if len(held) > fullSum {
		text += " (" + strconv.Itoa(len(held)) + " terms)"
	}
	return text
}

// sum writes the arithmetic of the item pointed at, of the last step, or of the fullest bucket.
func (p *Picture) sum(look lesson.Item) string {
	switch {
	case p.has(look):
		return p.bucketSum(p.focusOn(look).bucket)
	case p.p.Step == 0:
		return "no coordinate has fallen yet"
	case !p.done():
		return p.stepSum()
	}
	return p.bucketSum(p.fullest())
}

package convergence

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A standing is the expected error of a contender and the D at which it has that error. The error is infinite if the
// contender takes longer at any D.
type standing struct {
	*contender
	error       float64
	nComponents float64

	least, most float64 // the error if a row takes slightly less or more time
}

// other reports whether the contender estimates another kernel, and is not ranked.
func (s standing) other() bool { return s.Kernel != "" }

// text writes a standing. If withD is set, it includes D.
func (s standing) text(withD bool) string {
	if math.IsInf(s.error, 0) {
		return s.Label + " takes longer at any D"
	}
	var remarks []string
	switch {
	case withD && s.slot == 0:
		remarks = append(remarks, "D = "+format.Count(int(s.nComponents)))
	case withD:
		remarks = append(remarks, "D ≈ "+format.Number(s.nComponents, 2))
	}
	if s.other() {
		remarks = append(remarks, "another kernel")
	}
	text := s.Label + " " + number(s.error)
	if remarks != nil {
		text += " (" + strings.Join(remarks, ", ") + ")"
	}
	return text
}

// before reports whether s ranks before t: by error, with other kernels last.
func (s standing) before(t standing) bool {
	if s.other() || t.other() {
		return !s.other() && t.other()
	}
	return s.error < t.error
}

// nearly is the factor within which errors or times count as about equal. Times are not known more accurately.
const nearly = 1.1

// tie says that the errors of the best two at equal time are about equal, or that a slightly different time would
// change their order. Otherwise it returns "".
func tie(all []standing) string {
	switch {
	case len(all) < 2 || all[1].other() || math.IsInf(all[1].error, 0):
		return ""
	case all[1].error <= nearly*all[0].error:
		return "about equal"
	case all[1].least <= all[0].most:
		return "too near to tell"
	}
	return ""
}

// measure names the expected error: σ, or "expected error" if a method is biased.
func (p *Picture) measure() string {
	if slices.ContainsFunc(p.contenders, func(c *contender) bool { return c.Biased }) {
		return "expected error"
	}
	return "σ"
}

// equalD returns the standings at D, the best first.
func (p *Picture) equalD() []standing {
	var all []standing
	for _, c := range p.contenders {
		if m := c.marks[p.at]; m.tells() {
			all = insert(all, standing{contender: c, error: m.error}, standing.before)
		}
	}
	return all
}

// equalTime returns the standings at the time that Tensor Sketch takes at the D of a column, and that time. The time
// is 0 before all times are known.
func (p *Picture) equalTime(column int) (all []standing, micros float64) {
	if p.contenders == nil || slices.ContainsFunc(p.marks(), func(m mark) bool { return !m.done() }) {
		return nil, 0
	}
	first := p.contenders[0]
	at := first.marks[column]
	all = []standing{{first, at.error, float64(Components(column)), at.error, at.error}}
	for _, c := range p.contenders[1:] {
		next := standing{contender: c}
		next.error, next.nComponents = c.at(at.micros)
		next.least, _ = c.at(at.micros * nearly)
		next.most, _ = c.at(at.micros / nearly)
		all = insert(all, next, standing.before)
	}
	return all, at.micros
}

// insert puts an element into a sorted list, after its equals. A sort would add more code.
func insert[T any](all []T, next T, before func(a, b T) bool) []T {
	all = append(all, next)
	for k := len(all) - 1; k > 0 && before(all[k], all[k-1]); k-- {
		all[k], all[k-1] = all[k-1], all[k]
	}
	return all
}

// verdict says which method is better here, with the current figures. It returns "" without a comparison.
func (p *Picture) verdict() string {
	if p.contenders == nil {
		return ""
	}
	if p.nothingToCompare() {
		return "These vectors have no error to compare."
	}
	text := "At D = " + format.Count(Components(p.at)) + " the relative " + p.measure() + " is: " +
		list(p.equalD(), false) + "."
	times, micros := p.equalTime(p.at)
	if micros == 0 {
		return text + " The rows are being timed."
	}
	text += " In the " + microseconds(micros) + " that Tensor Sketch takes for a row, timed in this tab: " +
		list(times, true) + "."
	if tie := tie(times); tie != "" {
		text += " The best two are " + tie + ", for times are known to 10" + space + "%."
	}
	for _, c := range p.contenders {
		if c.marks[Columns-1].refused {
			text += " Not all D of " + c.Label + " fit into memory."
		}
	}
	return text
}

func list(all []standing, withD bool) string {
	var texts []string
	for _, s := range all {
		texts = append(texts, s.text(withD))
	}
	return strings.Join(texts, ", ")
}

func microseconds(x float64) string { return format.Number(x, 3) + space + "µs" }

// kernels names the contenders' kernels other than the polynomial one.
func (p *Picture) kernels() string {
	text := ""
	for _, c := range p.contenders {
		if c.Kernel != "" {
			text += " " + c.Label + " estimates " + c.Kernel
			if c.Biased {
				text += ", with a bias, which its line includes"
			}
			text += "."
		}
	}
	if text != "" {
		text = " Each error is relative to √(κ(x,x)κ(y,y)) of its own kernel:" + text
	}
	return text
}

// sameMap says which two of the methods are the same map, or returns "".
func (p *Picture) sameMap() string {
	chosen := strings.Split(p.params.Compare, ",")
	if p.params.Coef0 == 0 && slices.Contains(chosen, "random-maclaurin") &&
		slices.Contains(chosen, "tensorized-random-projection") {
		return " At c = 0 Random Maclaurin and Random projections are the same map."
	}
	return ""
}

// comparedCards returns the last two cards of a comparison.
func (p *Picture) comparedCards() []lesson.Card {
	least := "Relative "
	if slices.ContainsFunc(p.contenders[1:], func(c *contender) bool { return c.Kernel == "" }) {
		least = "Least relative " // another method has the same kernel as Tensor Sketch
	}
	equalD := lesson.Card{ID: "equal-d", Title: least + p.measure() + " at equal D", Value: "–", Note: "not known yet"}
	if all := p.equalD(); len(all) > 1 {
		equalD.Value, equalD.Unit, equalD.Note = number(all[0].error), all[0].Label,
			"at D = "+format.Count(Components(p.at))+"; "+against(all).text(false)
	}
	equalTime := lesson.Card{ID: "equal-time", Title: least + p.measure() + " at equal time", Value: "–",
		Note: "rows are being timed"}
	if all, micros := p.equalTime(p.at); len(all) > 1 {
		equalTime.Value, equalTime.Unit = number(all[0].error), all[0].Label
		second := against(all).text(true)
		if tie := tie(all); tie != "" {
			equalTime.Unit, second = tie, list(all[:2], true)
		}
		equalTime.Note = "at " + microseconds(micros) + " a row, timed in this tab; " + second
	}
	return []lesson.Card{equalD, equalTime}
}

// against returns the standing that the best is compared with: Tensor Sketch, or else the second.
func against(all []standing) standing {
	for _, s := range all[1:] {
		if s.slot == 0 {
			return s
		}
	}
	return all[1]
}

// comparedSum writes the error that each method has shown at D beside its σ. On the axis of time it writes the
// errors at equal time.
func (p *Picture) comparedSum(c column) string {
	k := columnOf(c.NComponents)
	if times, micros := p.equalTime(k); p.byTime() && micros > 0 {
		return "At " + microseconds(micros) + " a row (D ≈ is interpolated), relative " + p.measure() + ": " +
			list(times, true)
	}
	expected := "σ"
	if p.measure() != expected {
		expected = "expected"
	}
	var texts []string
	for _, contender := range p.contenders {
		m := contender.marks[k]
		measured, sigma := "–", "–"
		switch {
		case m.Seeds < 2 || math.IsNaN(m.Spread):
		case m.Spread <= rounding:
			measured = "0"
		default:
			measured = number(m.Spread)
		}
		if m.tells() {
			sigma = number(m.error)
		}
		texts = append(texts, contender.Label+" "+measured+" ("+expected+" "+sigma+")")
	}
	return "D = " + format.Count(c.NComponents) + ", relative: " + strings.Join(texts, ", ")
}

// comparedHead and comparedCells return the part of the table that a comparison adds.
func (p *Picture) comparedHead() []string {
	var head []string
	for _, c := range p.contenders {
		sigma := " relative sigma"
		if c.Biased {
			sigma = " expected relative error"
		}
		for _, what := range []string{" seeds", " relative error", sigma, " kind of sigma", " µs per row"} {
			head = append(head, c.Name+what)
		}
	}
	return head
}

func (p *Picture) comparedCells(column int) []string {
	var row []string
	for _, c := range p.contenders {
		m := c.marks[column]
		error, micros, kind := m.error, cmp.Or(m.micros, math.NaN()), ""
		if m.known && !m.refused {
			kind = m.kind.String()
		} else {
			error = math.NaN()
		}
		row = append(row, strconv.Itoa(m.Seeds))
		row = append(row, format.Cells(m.Spread, error)...)
		row = append(row, kind)
		row = append(row, format.Cells(micros)...)
	}
	return row
}

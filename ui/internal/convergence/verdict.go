package convergence

import (
	"math"
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
)

// A standing is a contender's σ, and the D that it has it at; σ is infinite where
// it takes longer at any D.
type standing struct {
	name        string
	error       float64
	nComponents float64
	first       bool // Tensor Sketch
}

// text writes a standing, with its D where those differ.
func (s standing) text(withD bool) string {
	switch {
	case math.IsInf(s.error, 0):
		return s.name + " takes longer at any D"
	case !withD:
		return s.name + " " + number(s.error)
	case s.first:
		return s.name + " " + number(s.error) + " (D = " + format.Count(int(s.nComponents)) + ")"
	}
	return s.name + " " + number(s.error) + " (D ≈ " + format.Number(s.nComponents, 2) + ")"
}

// equalD returns the contenders at D, the best first.
func (p *Picture) equalD() []standing {
	var all []standing
	for i := range p.contenders {
		c := &p.contenders[i]
		if m := c.marks[p.at]; m.shown() {
			all = ranked(all, standing{c.Label, m.error, float64(Components(p.at)), i == 0})
		}
	}
	return all
}

// equalTime returns them at the time that Tensor Sketch takes at the D of a column,
// and that time: 0 before all are known.
func (p *Picture) equalTime(column int) (all []standing, micros float64) {
	for i := range p.contenders {
		for _, m := range p.contenders[i].marks {
			if !m.known || !m.refused && !(m.micros > 0) {
				return nil, 0
			}
		}
	}
	for i := range p.contenders {
		c := &p.contenders[i]
		if i == 0 {
			micros = c.marks[column].micros
			all = append(all, standing{c.Label, c.marks[column].error, float64(Components(column)), true})
			continue
		}
		error, nComponents := c.at(micros)
		all = ranked(all, standing{c.Label, error, nComponents, false})
	}
	return all, micros
}

// ranked puts a standing in its place.
func ranked(all []standing, next standing) []standing {
	all = append(all, next)
	for k := len(all) - 1; k > 0 && all[k].error < all[k-1].error; k-- {
		all[k], all[k-1] = all[k-1], all[k]
	}
	return all
}

// verdict answers which is better here, with the figures of now; "" where nothing
// is compared.
func (p *Picture) verdict() string {
	if p.contenders == nil {
		return ""
	}
	if p.noError() {
		return "These vectors have no error to compare."
	}
	text := "At D = " + format.Count(Components(p.at)) + " the relative σ is: " + list(p.equalD(), false) + "."
	times, micros := p.equalTime(p.at)
	if micros == 0 {
		return text + " The rows are being timed."
	}
	text += " In the " + microseconds(micros) + " that Tensor Sketch takes for a row, timed in this tab: " + list(times, true) + "."
	for i := range p.contenders {
		if c := &p.contenders[i]; c.marks[Columns-1].refused {
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

// kernels names those that are not the polynomial one.
func (p *Picture) kernels() string {
	text := ""
	for i := range p.contenders {
		if c := &p.contenders[i]; c.kernel != "" {
			text += " " + c.Label + " estimates " + c.kernel + "."
		}
	}
	if text != "" {
		text = " Each error is relative to √(κ(x,x)κ(y,y)) of its own kernel:" + text
	}
	return text
}

// comparedCards are the last two figures of a comparison.
func (p *Picture) comparedCards() []lesson.Card {
	equalD := lesson.Card{ID: "equal-d", Title: "Least σ at equal D", Value: "–", Note: "not known yet"}
	if all := p.equalD(); len(all) > 1 {
		equalD.Value, equalD.Unit, equalD.Note = number(all[0].error), all[0].name, "at D = "+format.Count(Components(p.at))+"; "+against(all).text(false)
	}
	equalTime := lesson.Card{ID: "equal-time", Title: "Least σ at equal time", Value: "–", Note: "rows are being timed"}
	if all, micros := p.equalTime(p.at); len(all) > 1 {
		equalTime.Value, equalTime.Unit = number(all[0].error), all[0].name
		equalTime.Note = "at " + microseconds(micros) + " a row, timed in this tab; " + against(all).text(true)
	}
	return []lesson.Card{equalD, equalTime}
}

// against returns what the best is held against: Tensor Sketch, or the second.
func against(all []standing) standing {
	for _, s := range all[1:] {
		if s.first {
			return s
		}
	}
	return all[1]
}

// comparedSum writes what each method has shown at D beside its σ; at equal time
// it writes what each has then.
func (p *Picture) comparedSum(c column) string {
	k := columnOf(c.NComponents)
	if times, micros := p.equalTime(k); p.byTime() && micros > 0 {
		return "At " + microseconds(micros) + " a row, σ: " + list(times, true)
	}
	var texts []string
	for i := range p.contenders {
		contender := &p.contenders[i]
		m := contender.marks[k]
		measured, sigma := "–", "–"
		if m.Seeds >= 2 && !math.IsNaN(m.Spread) {
			measured = number(m.Spread)
		}
		if m.shown() {
			sigma = number(m.error)
		}
		texts = append(texts, contender.Label+" "+measured+" (σ "+sigma+")")
	}
	return "D = " + format.Count(c.NComponents) + ": " + strings.Join(texts, ", ")
}

// comparedHead and comparedCells are the part of the table that a comparison adds.
func (p *Picture) comparedHead() []string {
	var head []string
	for i := range p.contenders {
		for _, what := range []string{" seeds", " relative error", " relative sigma", " kind of sigma", " µs per row"} {
			head = append(head, p.contenders[i].Name+what)
		}
	}
	return head
}

func (p *Picture) comparedCells(column int) []string {
	var row []string
	for i := range p.contenders {
		m := p.contenders[i].marks[column]
		spread, error, micros, kind := m.Spread, m.error, m.micros, ""
		if m.Seeds == 0 {
			spread = math.NaN()
		}
		if m.known && !m.refused {
			kind = kinds[m.kind]
		} else {
			error = math.NaN()
		}
		if micros == 0 {
			micros = math.NaN()
		}
		row = append(row, strconv.Itoa(m.Seeds))
		row = append(row, cells(spread, error)...)
		row = append(row, kind)
		row = append(row, cells(micros)...)
	}
	return row
}

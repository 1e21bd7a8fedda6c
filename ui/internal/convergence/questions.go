package convergence

import (
	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
)

func (p *Picture) questions() []lesson.Question {
	return []lesson.Question{
		{
			Do:      "Move D from 128 to 512",
			Ask:     "By how much does the histogram narrow?",
			Changes: []lesson.Change{{Name: "nComponents", Text: "512"}},
			Answer:  p.narrowing(p.columns[columnOf(128)], p.columns[columnOf(512)]),
		},
		{
			Do:      "Set the angle to 90°",
			Ask:     "The kernel is zero. Is the error?",
			Changes: []lesson.Change{{Name: "angle", Text: "90"}},
			Answer:  p.orthogonal(p.columns[p.at]),
		},
		{
			Do:      "Raise p to 6",
			Ask:     "Which line moves away from the dots?",
			Changes: []lesson.Change{{Name: "degree", Text: "6"}},
			Answer:  p.bounds(p.columns[p.at]),
		},
	}
}

// narrowing answers the first question.
func (p *Picture) narrowing(a, b column) string {
	if p.noError() {
		return "Not at all: these vectors have no error at any D."
	}
	text := "The exact σ falls from " + number(a.sigma) + " at D = " + format.Count(a.NComponents) + " to " + number(b.sigma) + " at D = " + format.Count(b.NComponents) +
		", to " + format.Fixed(b.sigma/a.sigma, 2) + " of it: four times the features, half the error."
	if a.Spread > rounding && b.Spread > rounding {
		text += " Measured, the spread falls from " + number(a.Spread) + " to " + number(b.Spread) + ", to " + format.Fixed(b.Spread/a.Spread, 2) + "."
	}
	return text + p.stillComing(a, b)
}

// orthogonal answers the second.
func (p *Picture) orthogonal(c column) string {
	if p.noError() {
		return "There is no error at any kernel: these vectors have none."
	}
	text := "No. κ is " + p.kernelText() + ", and at D = " + format.Count(c.NComponents) + " σ is exactly " + number(c.sigma)
	if c.Seeds >= 2 {
		text += ", measured " + number(c.Spread)
	}
	return text + ". σ is held against ‖x‖ᵖ‖y‖ᵖ = 1, not against κ: small kernels are the hard ones." + p.stillComing(c)
}

// bounds answers the third.
func (p *Picture) bounds(c column) string {
	if p.noError() {
		return "Theorem 9: these vectors have no error, and it allows " + number(c.theorem9) + " at D = " + format.Count(c.NComponents) + "."
	}
	text := "Theorem 9: at D = " + format.Count(c.NComponents) + " it allows " + number(c.theorem9) + ", " + format.Number(c.theorem9/c.sigma, 2) + " times the exact σ of " + number(c.sigma) + ". "
	switch {
	case p.params.Degree == 1:
		text += "Lemma 6 holds at p = 1."
	case c.lemma6 < .98*c.sigma:
		text += "Lemma 6 moves away too, to the other side: it claims " + number(c.lemma6) + ", and σ is " + format.Number(c.sigma/c.lemma6, 2) + " times as much."
	default:
		text += "Lemma 6 claims " + number(c.lemma6) + "."
	}
	if c.Seeds >= 2 {
		text += " The spread measured is " + number(c.Spread) + "; the higher p is, the more of σ is made up by few seeds with very large errors."
	}
	return text + p.stillComing(c)
}

// stillComing says that figures are not final.
func (p *Picture) stillComing(columns ...column) string {
	if p.streaming(columns...) {
		return " The seeds are still being computed: " + p.seeds(columns[0]) + " so far."
	}
	return ""
}

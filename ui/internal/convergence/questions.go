package convergence

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// questions returns the questions. Only the one that is asked has an answer.
func (p *Picture) questions() []lesson.Question {
	return lesson.Answer([]lesson.Question{
		{Do: "Move D from 128 to 512", Ask: "By how much does the histogram narrow?",
			Changes: []lesson.Change{{Name: "nComponents", Text: "512"}}},
		{Do: "Set the angle to 90°", Ask: "The kernel is zero. Is the error?",
			Changes: []lesson.Change{{Name: "angle", Text: "90"}, {Name: "coef0", Text: "0"}}},
		{Do: "Raise p to 6", Ask: "Which line moves away from the dots?",
			Changes: []lesson.Change{{Name: "degree", Text: "6"}, {Name: "bounds", Text: "shown"}}},
	}, p.params.Question, p.narrowing, p.orthogonal, p.bounds)
}

// narrowing answers the first question.
func (p *Picture) narrowing() string {
	a, b := p.columns[columnOf(128)], p.columns[columnOf(512)]
	if p.noError() {
		return "Not at all: these vectors have no error at any D."
	}
	text := "The exact σ falls from " + number(a.sigma) + " at D = " + format.Count(a.NComponents) + " to " +
		number(b.sigma) + " at D = " + format.Count(b.NComponents) +
		", to " + format.Fixed(b.sigma/a.sigma, 2) + " of it"
	if ratio := b.sigma / a.sigma; ratio > .495 && ratio < .505 {
		text += ": four times the components, half the error."
	} else {
		text += "; for large D four times the components make half the error."
	}
	if a.Spread > rounding && b.Spread > rounding {
		text += " Measured, the spread falls from " + number(a.Spread) + " to " + number(b.Spread) + ", to " +
			format.Fixed(b.Spread/a.Spread, 2)
		if a.few() || b.few() {
			text += ", but only " + strconv.Itoa(a.Missed) + " and " + strconv.Itoa(b.Missed) + " of " + p.seeds(b) +
				" miss at all: too few to measure it"
		}
		text += "."
	}
	return text + p.stillComing(a, b)
}

// orthogonal answers the second question.
func (p *Picture) orthogonal() string {
	c := p.columns[p.at]
	if p.noError() {
		return "There is no error at any kernel: these vectors have none."
	}
	text, zero := "No. ", p.params.Angle == 90 && p.params.Coef0 == 0
	if !zero {
		text = ""
	}
	text += "κ is " + p.kernelText() + ", and at D = " + format.Count(c.NComponents) + " σ is exactly " + number(c.sigma)
	if c.Seeds >= 2 {
		text += ", measured " + number(c.Spread)
	}
	if zero {
		text += ". Relative to κ = 0 no error is small: only the absolute one, σ against ‖x‖ᵖ‖y‖ᵖ = 1, has a bound."
	} else {
		text += ". Relative to κ that is " + format.Number(c.sigma/math.Abs(p.kernel), 2) +
			"; σ is held against √(κ(x,x)κ(y,y)) = " + format.Short(p.params.scale()) +
			", so the nearer κ is to 0, the larger is its relative error."
	}
	return text + p.stillComing(c)
}

// bounds answers the third question.
func (p *Picture) bounds() string {
	c := p.columns[p.at]
	if p.noError() {
		return "Theorem 9: these vectors have no error, and it allows " + number(c.theorem9) + " at D = " +
			format.Count(c.NComponents) + "."
	}
	text := "Theorem 9: at D = " + format.Count(c.NComponents) + " it allows " + number(c.theorem9) + ", " +
		format.Number(c.theorem9/c.sigma, 2) + " times the exact σ of " + number(c.sigma) + ". "
	if c.lemma6Fails() {
		text += "Lemma 6 moves away too, to the other side: it claims at most " + number(c.lemma6) + ", and σ is " +
			format.Number(c.sigma/c.lemma6, 2) + " times as much."
	} else {
		text += "Lemma 6 allows " + number(c.lemma6) + ", and here that is enough."
	}
	if c.Seeds >= 2 {
		text += " The spread measured is " + number(c.Spread) +
			"; the higher p is, the more of σ is made up by few seeds with very large errors."
	}
	return text + p.stillComing(c)
}

// stillComing says that the figures are not final, or returns "".
func (p *Picture) stillComing(columns ...column) string {
	if slices.ContainsFunc(columns, func(c column) bool { return c.Seeds < p.params.Seeds }) {
		return " The seeds are still being computed: " + p.seeds(columns[0]) + " so far."
	}
	return ""
}

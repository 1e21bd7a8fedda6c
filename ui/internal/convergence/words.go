package convergence

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

const space = "\u00a0" // no-break space

// number writes x with three digits, or 0 if x is only float32 rounding.
func number(x float64) string { return rounded(x, 3) }

func rounded(x float64, digits int) string {
	if math.Abs(x) < 1e-8 {
		return "0"
	}
	return format.Number(x, digits)
}

// kernelText writes the kernel. It writes 0 if cos θ is 0 up to the rounding of the vectors.
func (p *Picture) kernelText() string {
	if p.params.Angle == 90 && p.params.Coef0 == 0 {
		return "0"
	}
	return format.Number(p.kernel, 3)
}

// slopeText writes the fitted slope, or a dash if there is none yet.
func (p *Picture) slopeText() string {
	if math.IsNaN(p.slope) {
		return "–"
	}
	return format.Fixed(p.slope, 2)
}

// mean writes the mean of the estimates to two digits of its standard error, and that standard error.
func (f figures) mean() (mean, plusMinus string) {
	if !(f.MeanError > 0) {
		return number(f.Mean), "–"
	}
	decimals := min(max(1-int(math.Floor(math.Log10(f.MeanError))), 0), 9)
	return format.Fixed(f.Mean, decimals), format.Fixed(f.MeanError, decimals)
}

// interval writes the interval of the spread. With few seeds it uses as many digits as a line of a card has room
// for: the interval is wide then, and its ends may be small.
func (f figures) interval() string {
	if math.IsNaN(f.Low) {
		return "– … –"
	}
	digits := 3
	if f.Seeds < 100 {
		digits = 2
	}
	return rounded(f.Low, digits) + " … " + rounded(f.High, digits)
}

// fewestSeeds is what a visitor can ask for. Before so many are there, an interval says little, and its two digits may
// seem to hold a σ that is outside.
const fewestSeeds = 10

// verdict says where the exact σ lies relative to the interval.
func (c column) verdict() string {
	switch {
	case c.Seeds < fewestSeeds:
		return "the seeds are being computed"
	case c.sigma == 0:
		return "no error but rounding"
	case c.Missed == 0 || c.few():
		return "too few seeds have an error to tell: " + strconv.Itoa(c.Missed) + " of " + format.Count(c.Seeds)
	case c.sigma > c.High:
		return "outside the interval, above"
	case c.sigma < c.Low:
		return "outside the interval, below"
	}
	return "inside the interval"
}

// rare reports whether the seeds so far have shown too few of the large errors that dominate σ at higher degrees.
func (p *Picture) rare(c column) bool { return c.sigma > c.High && p.params.Degree > 2 }

// lemma6Fails reports whether the lemma's bound is below the exact σ.
func (c law) lemma6Fails() bool { return c.lemma6 < (1-formulaRounding)*c.sigma }

// lemma6Fails reports whether the lemma's bound is below the exact σ in some column.
func (p *Picture) lemma6Fails() bool {
	return slices.ContainsFunc(p.columns, func(c column) bool { return c.lemma6Fails() })
}

// seeds writes how many seeds have come in, and of how many if some are missing.
func (p *Picture) seeds(c column) string {
	if c.Seeds < p.params.Seeds {
		return format.Count(c.Seeds) + " of " + format.Plural(p.params.Seeds, "seed")
	}
	return format.Plural(c.Seeds, "seed")
}

// sum writes the figures of a column.
func (p *Picture) sum(c column) string {
	if p.contenders != nil && !p.nothingToCompare() {
		return p.comparedSum(c)
	}
	text := "D = " + format.Count(c.NComponents) + ": "
	if c.Seeds == 0 {
		return text + "the seeds are being computed; σ is exactly " + number(c.sigma)
	}
	if p.noError() {
		return text + p.seeds(c) + ", all with κ = " + p.kernelText() + " and rounding only; σ is exactly 0"
	}
	mean, plusMinus := c.mean()
	return text + p.seeds(c) + ", mean " + mean + " ± " + plusMinus + ", spread " + number(c.Spread) + " (" +
		c.interval() + "), σ exactly " + number(c.sigma)
}

// Describe implements lesson.Picture.
func (p *Picture) Describe(item lesson.Item) string {
	if !p.has(item) {
		return ""
	}
	c := p.columns[item.I]
	laws := "σ is exactly " + number(c.sigma) + ", Theorem 9 allows " + number(c.theorem9) + ", Lemma 6 claims at most " +
		number(c.lemma6) + "."
	text := "D = " + format.Count(c.NComponents) + ": "
	if c.Seeds == 0 {
		return text + "the seeds are being computed; " + laws
	}
	if p.noError() {
		return text + "the estimates of " + p.seeds(c) + " are the exact kernel, " + p.kernelText() +
			", with rounding only; " + laws
	}
	mean, plusMinus := c.mean()
	return text + "the estimates of " + p.seeds(c) + " have the mean " + mean + " ± " + plusMinus +
		", and the exact kernel is " + p.kernelText() +
		"; their spread is " + number(c.Spread) + " (" + c.interval() + ", 95" + space + "%); " + laws
}

// View implements lesson.Picture.
func (p *Picture) View(look lesson.Item) lesson.View {
	return lesson.View{
		Title:     p.title(),
		Lede:      p.lede(),
		Step:      p.at,
		Steps:     Columns - 1,
		StepLabel: "D = " + format.Count(p.columns[p.at].NComponents),
		Sum:       p.sum(p.marked(look)),
		Cards:     p.cards(),
		Summary:   p.summary(),
		Questions: p.questions(),
	}
}

// title returns what the picture shows.
func (p *Picture) title() string {
	switch {
	case p.contenders != nil && p.nothingToCompare():
		return "These vectors have nothing to compare: no map errs"
	case p.contenders != nil:
		return "Which map has the least error?"
	case p.noError():
		return "These vectors have no error at any D"
	case p.hasFew():
		return "A few seeds have all of the error"
	}
	return "Four times the components, half the error"
}

// lede returns what holds in every state: the variance is A/D + B/D².
func (p *Picture) lede() string {
	if p.contenders != nil {
		axis := "D"
		if p.byTime() {
			axis = "time"
		}
		return "Above is Tensor Sketch alone. Below are the maps at equal " + axis +
			". Marks are errors measured with up to " + strconv.Itoa(mostSeeds) +
			" seeds, faint with few; lines are the " + p.measure() + " of formulas." + p.sameMap() + p.kernels()
	}
	what := "Each dot is one seed’s estimate of the same kernel value. "
	if p.params.Pairs > 1 {
		what = "Each dot is one seed’s estimate of the kernel of one of " + strconv.Itoa(p.params.Pairs) +
			" pairs, all at the same angle. "
	}
	if p.noError() {
		return what + "For these vectors every seed gives it exactly, with rounding only."
	}
	text := what + "Over all seeds their mean is the exact value, and an exact formula gives their spread, which " +
		"for large D falls as 1/√D."
	if p.hasFew() {
		text += " Here most seeds have no error: one arises only where two of the few coordinates that are not 0 share a " +
			"component, and the seeds drawn hold too few such cases to measure the spread."
	}
	if p.unlucky != "" {
		text += " With seed " + p.unlucky + ", the line in the picture, they do so at every D: coordinates that share " +
			"a component at a large D share one at every smaller D, so an unlucky seed stays unlucky."
	}
	return text + p.degreesText()
}

func (p *Picture) cards() []lesson.Card {
	c := p.columns[p.at]
	angle := format.Short(p.params.Angle) + "°"
	kernel := lesson.Card{ID: "kernel", Title: "Exact kernel", Value: p.kernelText(), Note: "cos " + angle}
	if p.params.Coef0 > 0 {
		kernel.Note += " + " + format.Short(p.params.Coef0)
	}
	if p.params.Degree > 1 {
		kernel.Note = "(" + kernel.Note + ")" + superscripts[p.params.Degree]
	}
	mean := lesson.Card{ID: "mean", Title: "Mean of " + p.seeds(c), Value: "–", Note: "the seeds are being computed"}
	spread := lesson.Card{ID: "spread", Title: "Spread measured", Value: "–", Note: "the seeds are being computed"}
	switch {
	case c.Seeds == 0:
	case p.noError():
		mean.Value, mean.Note = p.kernelText(), "rounding only"
		spread.Value, spread.Note = "0", "rounding only"
	default:
		value, plusMinus := c.mean()
		mean.Value, mean.Unit, mean.Note = value, "± "+plusMinus, "its standard error"
		if c.MeanError > rounding {
			mean.Note = format.Fixed(math.Abs(c.Mean-p.kernel)/c.MeanError, 1) + " standard errors from κ"
		}
		spread.Value, spread.Unit, spread.Note = number(c.Spread), c.interval(), "95"+space+"% interval"
	}
	sigma := lesson.Card{ID: "sigma", Title: "Spread predicted", Value: number(c.sigma), Unit: "exact formula",
		Note: c.verdict()}
	if p.rare(c) {
		sigma.Note = "above the interval: a few seeds with very large errors make up σ"
	}
	if p.contenders != nil && !p.nothingToCompare() {
		return append([]lesson.Card{spread, sigma}, p.comparedCards()...)
	}
	return []lesson.Card{kernel, mean, spread, sigma}
}

var superscripts = [...]string{"", "", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸"}

// summary describes the picture in words.
func (p *Picture) summary() string {
	text := p.ownSummary()
	if p.contenders != nil {
		text += " " + p.verdict() + p.kernels()
	}
	return text
}

// ownSummary returns the summary for Tensor Sketch.
func (p *Picture) ownSummary() string {
	c, first, last := p.columns[p.at], p.columns[0], p.columns[Columns-1]
	vectors := "x and y"
	if p.params.Pairs > 1 {
		vectors = strconv.Itoa(p.params.Pairs) + " pairs"
	}
	text := "The exact kernel of " + vectors + ", " + strconv.Itoa(p.params.NFeatures) + " coordinates at " +
		format.Short(p.params.Angle) + "°, is " + p.kernelText() + " at p = " + strconv.Itoa(p.params.Degree)
	if p.noError() {
		text += ", and every seed gives it without error but rounding."
	} else {
		text += ". σ falls from " + number(first.sigma) + " at D = 8 to " + number(last.sigma) + " at D = 16,384."
	}
	switch {
	case c.Seeds == 0:
		return text + " The seeds are being computed."
	case p.noError():
		return text
	}
	text += " At D = " + format.Count(c.NComponents) + " the estimates of " + p.seeds(c) + " have the spread " +
		number(c.Spread)
	text += " (" + c.interval() + "); σ is " + number(c.sigma) + ", " + c.verdict() + "."
	if p.rare(c) {
		text += " Few seeds with very large errors make up σ here, and these seeds have shown too few of them."
	}
	if !math.IsNaN(p.slope) {
		text += " The errors fall with the slope " + p.slopeText() + " on logarithmic axes."
	}
	return text
}

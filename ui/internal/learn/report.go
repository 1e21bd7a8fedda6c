package learn

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/chart"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// A Check says how far a model can be trusted: a CheckReply of package jobs.
type Check struct {
	D                 int
	Bins              []Bin
	LogLoss, Brier    float64
	ECE, ByChance     float64 // expected calibration error, and what chance gives of it
	Columns           []Column
	ColumnRows        int
	NoBins, NoColumns string
}

// A Bin has rows whose answer got about the same probability, Said, and the share that was right.
type Bin struct {
	Said, Right, RightLow, RightHigh float64
	Rows                             int
}

// A Column is what a column is worth: by how much the score falls without it.
type Column struct {
	Name           string
	Drop, StdError float64
}

// checked returns the check of the shown model, or nil.
func (r *Session) checked() *Check {
	if r.Check == nil || r.Detail == nil || r.Check.D != r.Detail.D {
		return nil
	}
	return r.Check
}

// candidates are the models that were tried on the rows held out: the simplest answer first.
func (r *Session) candidates() []chart.Entry {
	var all []chart.Entry
	add := func(name, class string, score, low, high float64) {
		all = append(all, chart.Entry{Name: name, Text: r.score(score), Class: class, Value: score,
			Interval: chart.Interval{Low: low, High: high}})
	}
	if d := r.Detail; d.IsNumber() {
		add("always the mean", "grey", 0, math.NaN(), math.NaN())
	} else if class, rows, all := d.commonest(); all > 0 {
		add("always “"+format.Cut(d.Classes[class])+"”", "grey", float64(rows)/float64(all), math.NaN(), math.NaN())
	}
	if l := r.Linear(); l != nil && l.Problem == "" {
		add("linear", "false", l.Score, l.Low, l.High)
	}
	for _, p := range r.Sketches() {
		class := "right s3"
		if p.D == r.Detail.D {
			class = "right"
		}
		add("sketch, D "+format.Count(p.D), class, p.Score, p.Low, p.High)
	}
	if k := r.Kernel; k != nil {
		add("exact kernel", "net", k.Score, k.Low, k.High)
	}
	if f := r.Found; f != nil && f.Rows > 0 {
		add("search, on other rows", "net", f.Score, f.Low, f.High)
	}
	return all
}

// commonest returns the class with most held-out rows, their number, and the number of all rows.
func (d *Detail) commonest() (class, rows, all int) {
	for t := range d.Classes {
		n := d.Truths(t)
		if all += n; n > rows {
			class, rows = t, n
		}
	}
	return class, rows, all
}

// residuals returns true less predicted numbers, ascending.
func (d *Detail) residuals() []float64 {
	missed := func(i int32) float64 { return d.Truth[i] - d.Predicted[i] }
	order, residuals := make([]int32, len(d.Truth)), make([]float64, len(d.Truth))
	for i := range order { // Embed's picture sorts such a list, too: a sort of another type is large in WebAssembly
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(missed(a), missed(b)) })
	for k, i := range order {
		residuals[k] = missed(i)
	}
	return residuals
}

// ReportPanels returns the number of panels of the report: 0 before there are predictions.
func (r *Session) ReportPanels() int { return len(r.panels()) }

// A panel is a part of the report.
type panel struct {
	title string
	draw  func(b *draw.Builder, f draw.Frame, em float64)
}

func (r *Session) panels() []panel {
	if r.Detail == nil || r.Chosen() == nil {
		return nil
	}
	panels := []panel{{"Candidates: " + r.measure() + " on held-out rows", r.drawCandidates}}
	if r.Detail.IsNumber() && len(r.Detail.Truth) > 1 {
		panels = append(panels, panel{"Residuals: how far predictions miss", r.Detail.drawResiduals})
	}
	if c := r.checked(); c != nil && c.Bins != nil {
		panels = append(panels, panel{"Calibration: said and true", c.drawCalibration})
	}
	if c := r.checked(); c != nil && c.Columns != nil {
		panels = append(panels, panel{"Importance: " + r.measure() + " lost without a column", r.drawImportance})
	}
	return panels
}

// wideReport is the width in em from which panels stand side by side.
const wideReport = 56

// Report draws what was tried and how far the shown model can be trusted. It has no spots.
func (r *Session) Report(size lesson.Size, standalone bool) *Picture {
	em, panels := size.Em, r.panels()
	b := &draw.Builder{}
	b.Open(size.Width, size.Height, em, r.ReportWords(), standalone)
	columns, rows := 1, max(1, len(panels))
	if size.Width >= wideReport*em {
		columns, rows = rows, columns
	}
	width, height := size.Width/float64(columns), size.Height/float64(rows)
	for k, p := range panels {
		x, y := float64(k%columns)*width, float64(k/columns)*height
		b.LabelOf("strong", x+.8*em, y+1.6*em, "start", draw.Shortened(p.title, width-1.6*em, 1.1*em))
		p.draw(b, draw.Frame{Left: x + .8*em, Top: y + 2.6*em, Right: x + width - .8*em, Bottom: y + height - .4*em}, em)
	}
	b.Close()
	return &Picture{SVG: b.String()}
}

func (r *Session) drawCandidates(b *draw.Builder, f draw.Frame, em float64) {
	entries := r.candidates()
	values := []float64{0, 1}
	for _, e := range entries {
		values = append(values, max(e.Value, -1))
	}
	x := chart.Axis{Range: chart.Around(nil, values...), Label: percents}
	if r.isNumber() {
		x.Label = nil
	}
	f.Bottom -= 2 * em
	chart.List(b, f, em, x, entries) // at most nine sizes, so that each has room
}

func (r *Session) drawImportance(b *draw.Builder, f draw.Frame, em float64) {
	var entries []chart.Entry
	values := []float64{0}
	for _, c := range r.Check.Columns {
		low, high := c.Drop-1.96*c.StdError, c.Drop+1.96*c.StdError
		entries = append(entries, chart.Entry{Name: format.Cut(c.Name), Text: r.points(c.Drop), Class: "right", Value: c.Drop,
			Interval: chart.Interval{Low: low, High: high}})
		values = append(values, low, high)
	}
	x := chart.Axis{Range: chart.Around(nil, values...).Padded(), Label: percents}
	if r.isNumber() {
		x.Label = nil
	}
	f.Bottom -= 3.4 * em
	if n := len(entries) - chart.List(b, f, em, x, entries); n > 0 {
		b.Label(f.Left, f.Bottom+2.9*em, "start", format.Count(n)+" more in the CSV")
	}
}

// points writes a difference of scores.
func (r *Session) points(x float64) string {
	if r.isNumber() {
		return format.Fixed(x, 3)
	}
	return format.Fixed(100*x, 1)
}

// plotFrame returns the frame of a plot in a panel.
func plotFrame(f draw.Frame, em float64) draw.Frame {
	return draw.Frame{Left: f.Left + 3.4*em, Top: f.Top + 1.6*em, Right: f.Right - .6*em, Bottom: f.Bottom - 3*em}
}

func (c *Check) drawCalibration(b *draw.Builder, f draw.Frame, em float64) {
	start := f.Left
	f = plotFrame(f, em)
	low := .1 * math.Floor(10*c.Bins[0].Said)
	whole := chart.Range{Low: low, High: 1}
	var dots []chart.Point
	var intervals []chart.Interval
	values := []float64{low, 1}
	for _, bin := range c.Bins {
		dots = append(dots, chart.Point{X: bin.Said, Y: bin.Right})
		intervals = append(intervals, chart.Interval{X: bin.Said, Low: bin.RightLow, High: bin.RightHigh})
		values = append(values, bin.RightLow)
	}
	plot := chart.New(f, em, chart.Axis{Title: "probability of the answer", Range: whole.Padded(), Label: percents},
		chart.Axis{Title: "right answers", Range: chart.Around(nil, values...).Padded(), Label: percents})
	plot.Start = start
	plot.Axes(b)
	plot.Path(b, "exact", chart.Point{X: low, Y: low}, chart.Point{X: 1, Y: 1})
	plot.Intervals(b, "sigma", intervals...)
	plot.Dots(b, "dots big", dots...)
}

func (d *Detail) drawResiduals(b *draw.Builder, f draw.Frame, em float64) {
	start := f.Left
	f = plotFrame(f, em)
	bars, most := histogram(d.residuals(), max(4, min(24, int(f.Width()/(1.2*em)))))
	plot := chart.New(f, em,
		chart.Axis{Title: "true less predicted", Range: chart.Around(nil, 0, bars[0].Low, bars[len(bars)-1].High).Padded()},
		chart.Axis{Title: "rows", Range: chart.Range{High: 1.05 * most}})
	plot.Start = start
	plot.Axes(b)
	plot.Bars(b, "bars", bars...)
	plot.Upright(b, "exact", 0)
}

// histogram counts ascending numbers in n bars of equal width.
func histogram(sorted []float64, n int) (bars []chart.Bar, most float64) {
	low, high := draw.Padded(sorted[0], sorted[len(sorted)-1])
	width := (high - low) / float64(n)
	for k := range n {
		bars = append(bars, chart.Bar{Low: low + float64(k)*width, High: low + float64(k+1)*width})
	}
	for _, x := range sorted {
		k := min(max(int((x-low)/width), 0), n-1)
		bars[k].Y++
		most = max(most, bars[k].Y)
	}
	return bars, most
}

// ReportWords puts the report into words.
func (r *Session) ReportWords() string {
	if r.Detail == nil || r.Chosen() == nil {
		return "The report comes with the curve."
	}
	text := ""
	if d := r.Detail; d.IsNumber() && len(d.Truth) > 1 {
		residuals := d.residuals()
		at := func(q float64) string { return format.Number(residuals[int(q*float64(len(residuals)-1)+.5)], 2) }
		text += " Half of the predictions miss by " + at(.25) + " to " + at(.75) + ", and nine of ten by " + at(.05) +
			" to " + at(.95) + "."
	}
	c := r.checked()
	if c == nil {
		return strings.TrimSpace(text)
	}
	if c.Bins != nil {
		text += c.calibrationWords()
	}
	if c.NoBins != "" {
		text += " " + c.NoBins
	}
	return strings.TrimSpace(text + r.importanceWords(c))
}

// Asks says what a check of the model would add to the report, or is empty after one. It is not printed.
func (r *Session) Asks() string {
	if r.checked() != nil {
		return ""
	}
	return "Check the model to see how far its probabilities hold, and which columns matter."
}

// Answer says in one sentence how often the model in use is right, beside the simplest answer and the linear model, and
// then where the sketch buys nothing, unless a search looks further and says so itself (FoundWords). It is empty before
// the predictions are here.
func (r *Session) Answer() string {
	p, l := r.Chosen(), r.Linear()
	if r.Detail == nil || p == nil || r.Detail.D != p.D || r.Phase < Band {
		return ""
	}
	if f := r.InUse(); f != nil && f.Rows > 0 {
		return r.foundAnswer(f)
	}
	text := r.against()
	if r.Phase == Searching {
		text += " That is a first answer: a better model is being searched for."
	} else if r.Found != nil {
		text += " That is the model of these settings. What the search chose stands below the curve."
	} else if l != nil && l.Problem == "" && l.Score >= p.Score {
		text += " The sketch buys nothing here: the linear model is as good. Rows as they are, another degree or more " +
			"columns may change that."
	} else if l != nil && l.Problem == "" && l.High >= p.Low {
		text += " These rows do not tell for sure that the sketch is better than the linear model."
	}
	return text
}

// foundAnswer says how often the model that a search found is right, beside simpler ones on the rows of the curve.
func (r *Session) foundAnswer(f *Found) string {
	rows := strings.ReplaceAll(format.Plural(f.Rows, "row"), "\u00a0", " ")
	text, of := "Right on "+r.score(f.Score)+" of "+rows+" that no choice had seen", " is right on "
	if r.isNumber() {
		text, of = "R² is "+r.score(f.Score)+" on "+rows+" that no choice had seen", " has "
	}
	low := f.Score
	if !math.IsNaN(f.Low) {
		low = f.Low
		text += " (95\u00a0% interval " + r.score(f.Low) + " to " + r.score(f.High) + ")"
	}
	text += "."
	before := " On the " + r.heldRows() + " held out of the curve, "
	for k, c := range r.candidates()[:2] {
		if c.Name == "linear" {
			c.Name = "a linear model"
		} else if k > 0 { // there is no linear model
			break
		}
		text += before + strings.Replace(c.Name, "always", "always saying", 1) + of + c.Text
		before = ", "
	}
	if text += "."; low <= r.candidates()[0].Value {
		text += chance
	}
	return text
}

// chance says that a model is not better than the simplest answer.
const chance = " That is no more than chance may give: the columns may say nothing about the label. Is that the " +
	"column that you mean?"

// against compares the shown model with the simplest answer and with the linear model.
func (r *Session) against() string {
	p, l, simplest := r.Chosen(), r.Linear(), r.candidates()[0]
	hasLinear := l != nil && l.Problem == ""
	var text string
	if r.isNumber() {
		text = "R² is " + r.score(p.Score) + " on " + r.heldRows() + " that it had not seen. Always saying the mean has 0"
		if hasLinear {
			text += ", the linear model " + r.score(l.Score)
		}
	} else {
		text = "Right on " + r.score(p.Score) + " of " + r.heldRows() + " that it had not seen. " +
			strings.Replace(simplest.Name, "always", "Always saying", 1) + " would be right on " + simplest.Text
		if hasLinear {
			text += ", the linear model on " + r.score(l.Score)
		}
	}
	if text += "."; p.Low <= simplest.Value {
		text += chance
	}
	return text
}

func (r *Session) heldRows() string {
	return strings.ReplaceAll(format.Plural(r.held(), "row"), "\u00a0", " ")
}

func (c *Check) calibrationWords() string {
	rows, said, right := 0, 0.0, 0.0
	for _, b := range c.Bins {
		rows += b.Rows
		said += b.Said * float64(b.Rows)
		right += b.Right * float64(b.Rows)
	}
	n := float64(rows)
	text := " On average the model gives its answer a probability of " + Percent(said/n) + ", and " + Percent(right/n) +
		" of the answers are right."
	if c.ECE > 2*c.ByChance {
		text += " Probabilities are off by " + Percent(c.ECE) + " in the mean, more than chance gives."
	} else {
		text += " Probabilities are off by no more than chance gives."
	}
	return text + " The log loss is " + format.Number(c.LogLoss, 3) + " (0 is best), the Brier score " +
		format.Number(c.Brier, 3) + "."
}

func (r *Session) importanceWords(c *Check) string {
	if c.Columns == nil {
		return sentence(c.NoColumns)
	}
	first := c.Columns[0]
	unit := " points"
	if r.isNumber() {
		unit = ""
	}
	text := " Without column “" + format.Cut(first.Name) + "”, " + r.measure() + " falls most: by " +
		r.points(first.Drop) + unit + "."
	useless := 0
	for _, column := range c.Columns {
		if column.Drop <= 2*column.StdError {
			useless++
		}
	}
	if useless > 0 {
		text += " " + format.Plural(useless, "column") + " of " + strconv.Itoa(len(c.Columns)) +
			" " + format.Form(useless, "changes", "change") + " nothing that " + format.Plural(c.ColumnRows, "row") +
			" can show; other columns may stand in for " + format.Form(useless, "it", "them") + "."
	}
	return text
}

func sentence(text string) string {
	if text != "" {
		return " " + text
	}
	return ""
}

// ReportTable returns the data of the report.
func (r *Session) ReportTable(stem string) lesson.Table {
	t := lesson.Table{Name: stem + "-report", Caption: "The report on the models: candidates, residuals, " +
		"calibration and importance", Head: []string{"part", "name", "value", "low", "high", "rows"}}
	add := func(part, name string, rows int, values ...float64) {
		t.Rows = append(t.Rows, append(append([]string{part, name}, format.Cells(values...)...), strconv.Itoa(rows)))
	}
	for _, e := range r.candidates() {
		add("candidate", e.Name, r.held(), e.Value, e.Low, e.High)
	}
	if d := r.Detail; d.IsNumber() {
		residuals := d.residuals()
		for _, percent := range []int{5, 25, 50, 75, 95} {
			if n := len(residuals); n > 0 {
				add("residual", strconv.Itoa(percent)+" %", n, residuals[(n-1)*percent/100], math.NaN(), math.NaN())
			}
		}
	}
	if c := r.checked(); c != nil {
		for _, b := range c.Bins {
			add("calibration", format.Exact(b.Said), b.Rows, b.Right, b.RightLow, b.RightHigh)
		}
		for _, column := range c.Columns {
			add("importance", column.Name, c.ColumnRows, column.Drop, column.Drop-1.96*column.StdError,
				column.Drop+1.96*column.StdError)
		}
	}
	return t
}

// held returns the number of rows held out.
func (r *Session) held() int {
	if r.Head == nil {
		return 0
	}
	return r.Head.Held
}

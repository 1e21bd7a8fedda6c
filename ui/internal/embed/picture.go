package embed

import (
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// PictureView is what a Picture shows around the drawing. The drawing itself has its own host element.
type PictureView struct {
	Ready     any    // the number of the result drawn; nil before the first
	Busy      string // "true" or "false"
	Summary   string // the drawing in words
	Warning   string // says why the features are of no use, or ""
	Exact     string // says that what is saved besides the release carries no noise, or ""
	OneSeed   string // what the error of one seed says
	CanReseed bool
	CanSave   bool
}

// PictureView describes the picture of the errors.
func (e *Room) PictureView() PictureView {
	busy := e.Run.Phase == Running || e.Run.Phase == Stopping
	v := PictureView{Busy: strconv.FormatBool(busy), CanReseed: e.Shows("seed"), CanSave: e.Shows("save") &&
		(e.Result != nil || e.Run.Phase < Done)}
	if e.Release.IsPrivate() && v.CanSave {
		v.Exact = "The picture and its data show exact kernels of your rows. They carry no noise: keep them to yourself."
	}
	if e.Result != nil {
		v.Ready = strconv.Itoa(e.Result.Number)
		v.Summary, v.Warning, v.OneSeed = Summary(e.Result), strings.TrimSpace(warning(e.Result)+" "+e.Result.heavy()),
			oneSeed(e.Result)
	}
	return v
}

// Summary describes the drawing in words.
func Summary(r *Result) string {
	if len(r.Report.Pairs) == 0 {
		return "No error report: at least two rows are needed to compare."
	}
	low, high := r.Report.Pairs[0].Exact, r.Report.Pairs[0].Exact
	for _, pair := range r.Report.Pairs {
		low, high = min(low, pair.Exact), max(high, pair.Exact)
	}
	text, from, to := "Each dot is a pair of rows. The exact kernel ", format.Number(low, 3), format.Number(high, 3)
	if from == to {
		text += "is " + to
	} else {
		text += "runs from " + from + " to " + to
	}
	switch {
	case r.Report.IsRounding():
		text += ". By the formulas the only error is rounding"
	case r.Report.IsPredicted():
		text += "; " + portion(r.Report.Within(2), len(r.Report.Pairs)) + " estimates lie within ±2σ of it"
		if r.Report.IsBiased() {
			text += " plus the bias"
		}
	}
	text += "."
	if r.Fitted != "" {
		text += " Landmarks: " + r.Fitted + "."
		if r.Embed.Normalize != sketch.NormalizeKernel {
			text += " A pair with one of them has no error, so expect more of it with new rows."
		}
	}
	return text + zeroRows(r)
}

// zeroRows says how many rows have only zero features, or returns "".
func zeroRows(r *Result) string {
	if r.ZeroRows == 0 {
		return ""
	}
	text := " " + format.Plural(r.ZeroRows, "row") + format.Form(r.ZeroRows, " has", " have") + " only zero features"
	if r.Embed.Normalize == sketch.NormalizeKernel {
		text += ", which kernel normalisation leaves as they are"
	}
	return text + "."
}

// warning says why the features are of no use and what can be done, or returns "".
func warning(r *Result) string {
	text := ""
	switch {
	case 2*r.ZeroRows > r.Rows:
		text = "Most rows have only zero features, which tell nothing of them."
	case r.Report.IsDegenerate():
		text = "The kernel of rows that differ is practically 0 (at most " + format.Number(r.Report.Apart, 2) +
			", of a row with itself " +
			format.Number(r.Report.Self, 2) + "): these features do not tell which rows are alike."
	default:
		return ""
	}
	if remedy := r.Embed.RemedyForFlatKernel(); remedy != "" {
		text += " Choose " + remedy + "."
	}
	return text
}

// A Share is the part of a column in the squared length of the rows, from 0 to 1.
type Share struct {
	Column string
	Of     float64
}

// heavyShare is the share from which a warning says that a column outweighs all others together.
const heavyShare = .95

// heavy says that one column makes up most of the length of the rows, or returns "".
func (r *Result) heavy() string {
	if r.Heaviest.Of < heavyShare {
		return ""
	}
	part := format.Fixed(100*r.Heaviest.Of, 1)
	if part == "100.0" {
		part = "more than 99.9"
	}
	name := strconv.Quote(format.Cut(r.Heaviest.Column))
	return "The column " + name + " makes up " + part +
		"\u00a0% of the squared length of the rows, so the kernel hardly sees the others. " +
		"Under Rows, scale numbers to 0…1, or ignore " + name + "."
}

// isLinear reports whether the map is a count sketch.
func (r *Result) isLinear() bool {
	return r.Embed.Method == sketch.MethodCountSketch || r.Embed.Method == sketch.MethodTensorSketch && r.Embed.Degree == 1
}

// hangsOnCollisions reports whether few columns share a hash, so that the error of a seed hangs on a few collisions and
// many seeds have hardly any. p hashes of d columns are expected to have p·d²/2D collisions. With one or more, about
// two of three seeds have 0.4 to 2.5 σ (TestOneSeed). Methods whose names do not end in -sketch do
// not hash, and have that with any columns.
func (r *Result) hangsOnCollisions() bool {
	isHashed := strings.HasSuffix(r.Embed.Method, "-sketch")
	return isHashed && max(r.Embed.Degree, 1)*r.NFeatures*r.NFeatures < 2*r.Embed.NComponents
}

// oneSeed says what the error of one seed tells.
func oneSeed(result *Result) string {
	r := result.Report
	switch {
	case len(r.Pairs) == 0 || r.Predicted() == 0 || r.IsRounding():
		return ""
	case !r.IsPredicted():
		return "This is the error of the current seed. No formula predicts it for other seeds."
	}
	ratio, unit, its := r.RMSE/r.Predicted(), "\u00a0σ", "\u00a0σ"
	if r.IsBiased() {
		unit, its = " times what σ and bias predict", " times that"
	}
	text := "With this seed the error is " + format.Number(ratio, 2) + unit + ". "
	switch {
	case r.Bias > 3*r.Sigma && r.IsBiased():
		return text + "Nearly all of it is bias, which no seed changes."
	case result.isLinear():
		return text + "At p = 1 one seed often gives far less, and sometimes far more: " + onCollisions
	case result.hangsOnCollisions():
		return text + "With so few columns one seed can give far less, and another far more: " + onCollisions
	case ratio < .4 || ratio > 2.5:
		return text + "Commonly it lies between 0.4 and 2.5" + its +
			": the errors of all pairs move together, so one seed says little about the next."
	}
	return text + "One seed commonly gives 0.4 to 2.5" + its + ", because the errors of all pairs move together."
}

const onCollisions = "it depends on a few collisions, and the errors of all pairs move together."

// portion writes n of all as words before a noun: "all", or a percentage.
func portion(n, all int) string {
	if n == all {
		return "all"
	}
	text := format.Fixed(100*float64(n)/float64(all), 1)
	if text == "100.0" { // there are 2,000 at most
		return "all but one of the"
	}
	return text + "\u00a0% of the"
}

// Origin says for the caption of a saved picture what rows it shows. It does not name a visitor's file, because the
// picture does not either.
func (r *Result) Origin(isSample bool) string {
	text := format.Plural(r.Rows, "row") + " of a file that the link does not hold"
	if isSample {
		text = format.Count(r.Rows) + " sample digits"
	}
	if r.Model != nil {
		text += ", the map of a model file that the link does not hold"
	}
	if r.Keyed > 0 {
		text += ", drawn from a secret key in place of the seed"
	}
	return text
}

// Pairs returns the data of Embed's picture. σ and bias are left out if they are not known.
func (r *Result) Pairs() lesson.Table {
	t := lesson.Table{Name: r.Layout.Stem + "-errors", Head: []string{"exact", "estimate", "sigma", "bias"}}
	if !r.Report.IsPredicted() {
		t.Head = t.Head[:2]
	}
	for _, pair := range r.Report.Pairs {
		var row []string
		for _, x := range []float64{pair.Exact, pair.Estimate, pair.Sigma, pair.Bias}[:len(t.Head)] {
			row = append(row, format.Exact(x))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

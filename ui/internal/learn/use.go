package learn

// This file is what one does with a trained model: draw a digit for it, save it, predict another file.

import (
	"cmp"
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/pad"
)

// The actions of the room.
const (
	SaveModel    control.Action = "save-learned"
	SaveONNX     control.Action = "save-learned-onnx"
	SavePage     control.Action = "save-page"
	ClearPad     control.Action = "pad-clear"
	TrainedAgain control.Action = "trained-again"
	StopUse      control.Action = "use-stop"
	SaveAnswers  control.Action = "save-predictions"
	AskTrain     control.Action = "train-privately"
	ConfirmTrain control.Action = "train-now"
	CancelTrain  control.Action = "train-not"
	SavePrivate  control.Action = "save-private"
	PrivateONNX  control.Action = "save-private-onnx"
)

// A Use holds what was done with the models.
type Use struct {
	Drawing pad.Drawing
	Form    *pad.Form // how a drawing becomes an image, or nil if the data are no digits
	Largest float64   // the largest number of an image
	Classes []string
	Answer  Answer

	Running string // what is being done, or ""
	Figures string // how far it is
	At      string // the section that runs, or that has the problem: AtTake, AtSecond or AtPrivate
	Opened  string // the name of a saved model that predicts the other file, or "" for the one that was trained here
	Second  Second
	Problem string // what could not be done, and the remedy
	Private Private
}

// The sections that do something.
const (
	AtTake    = "take"
	AtSecond  = "second"
	AtPrivate = "private"
)

// An Answer is what the model says to the drawing.
type Answer struct {
	Image   []float64
	Best    int
	Numbers []float64 // of each class
	Shares  bool      // the numbers are probabilities
	Problem string
}

// Forget drops what belongs to the rows and labels before. What was typed about the same file stays.
func (r *Use) Forget(isSameFile bool) {
	var typed, suggested Typed
	if isSameFile {
		typed, suggested = r.Private.Typed, r.suggested()
	}
	if typed.Labels == suggested.Labels {
		typed.Labels = ""
	}
	if typed.Ranges == suggested.Ranges {
		typed.Ranges = ""
	}
	*r = Use{Drawing: r.Drawing, Running: r.Running, Figures: r.Figures, At: r.At, Private: Private{Typed: typed}}
}

// suggested returns what is public about digits.
func (r *Use) suggested() Typed {
	if r.Form == nil {
		return Typed{}
	}
	return Typed{strings.Join(r.Classes, ", "), "0 " + format.Short(r.Form.Usual)}
}

// Suggest fills the fields of what is public, where they are empty.
func (r *Use) Suggest() {
	t, suggested := &r.Private.Typed, r.suggested()
	t.Labels, t.Ranges = cmp.Or(t.Labels, suggested.Labels), cmp.Or(t.Ranges, suggested.Ranges)
}

// Recognise finds out whether the model reads digits that can be drawn.
func (r *Use) Recognise(columns int, classes []string, largest float64) {
	r.Form, r.Classes = pad.FormOf(columns, classes), classes
	if r.Form == nil {
		return
	}
	if r.Largest = largest; largest <= 0 {
		r.Largest = r.Form.Usual
	}
}

// number writes an attribute.
func number(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }

// PadSVG draws the pad: the grid of the keyboard, the ink, and the keyboard's cell.
func (r *Use) PadSVG() string {
	d := &r.Drawing
	side := 1. / pad.Cells
	grid := ""
	for i := 1; i < pad.Cells; i++ {
		at := number(float64(i) * side)
		grid += "M" + at + " 0V1M0 " + at + "H1"
	}
	return `<svg viewBox="0 0 1 1" aria-hidden="true"><path class="cells" d="` + grid + `"/><path class="ink" d="` +
		d.Path() + `"/><rect class="at" x="` + number(float64(d.Column)*side) + `" y="` + number(float64(d.Row)*side) +
		`" width="` + number(side) + `" height="` + number(side) + `"/></svg>`
}

// ImageSVG draws the image that the model sees.
func (r *Use) ImageSVG() string {
	f := r.Form
	size := strconv.Itoa(f.Side)
	var b strings.Builder
	b.WriteString(`<svg viewBox="0 0 ` + size + ` ` + size + `" role="img" aria-label="The image that the model sees, ` +
		f.Size() + `">`)
	for i, v := range r.Answer.Image {
		if v > 0 {
			b.WriteString(`<rect x="` + strconv.Itoa(i%f.Side) + `" y="` + strconv.Itoa(i/f.Side) +
				`" width="1.02" height="1.02" fill-opacity="` + number(v/r.Largest) + `"/>`)
		}
	}
	b.WriteString("</svg>")
	return b.String()
}

// AnswerHTML shows the best class large, and a bar for each class.
func (r *Use) AnswerHTML() string {
	a := &r.Answer
	best, low, high := "", 0., 1.
	if a.Numbers != nil {
		best = r.Classes[a.Best]
	}
	if !a.Shares {
		for _, x := range a.Numbers {
			low, high = min(low, x), max(high, x)
		}
	}
	var b strings.Builder
	b.WriteString(`<p class="best" aria-hidden="true">` + best + `</p><ul class="scores">`)
	for k, class := range r.Classes {
		width, says, mark := 0., "", ""
		if a.Numbers != nil {
			width, says = (a.Numbers[k]-low)/(high-low), a.says(k)
			if k == a.Best {
				mark = ` class="chosen"`
			}
		}
		b.WriteString(`<li` + mark + `><b>` + class + `</b><svg viewBox="0 0 100 10" preserveAspectRatio="none" ` +
			`aria-hidden="true"><rect width="` + number(100*width) + `" height="10"/></svg><span>` + says + `</span></li>`)
	}
	b.WriteString("</ul>")
	return b.String()
}

// says writes the number of a class.
func (a *Answer) says(k int) string {
	if a.Shares {
		return strconv.Itoa(int(100*a.Numbers[k]+.5)) + "\u00a0%"
	}
	return format.Fixed(a.Numbers[k], 2)
}

// Said tells the answer in words.
func (r *Use) Said() string {
	a := &r.Answer
	switch {
	case a.Problem != "":
		return a.Problem
	case a.Numbers == nil:
		return "Draw a digit: the model answers while you draw."
	case a.Shares:
		return "The model says " + r.Classes[a.Best] + ", with a probability of " + a.says(a.Best) + "."
	}
	return "The model says " + r.Classes[a.Best] + ", with a score of " + a.says(a.Best) + "."
}

// A Second is what came of predictions for a second file.
type Second struct {
	Name      string // of the file; "" before the first
	Rows      int
	Notes     []columns.Note
	Stopped   bool
	Read      []string // settings with which it was read, because it could not be read as the model's file was
	Labelled  int
	Score     float64
	Low, High float64
	IsNumber  bool // the score is R²
}

// FileName is the name under which the predictions are saved.
func (s *Second) FileName() string {
	return columns.Stem(s.Name) + "-predictions.csv"
}

// ReadWith returns the setting of reading that the remedy of a problem names, for files that are written otherwise than
// the model's: the decimal sign, or the encoding. key is "" if it names none.
func ReadWith(problem string) (key, value string) {
	problem = strings.TrimSuffix(problem, ".")
	const with = " with "
	i := strings.LastIndex(problem, with)
	if i < 0 {
		return "", ""
	}
	key, quoted, _ := strings.Cut(problem[i+len(with):], " ")
	value, err := strconv.Unquote(quoted)
	if err != nil || key != "decimal" && key != "encoding" {
		return "", ""
	}
	return key, value
}

// Words say how many rows were predicted, and how well if their labels are known.
func (s *Second) Words() string {
	if s.Name == "" {
		return ""
	}
	text := format.Plural(s.Rows, "row") + " of " + s.Name + " predicted."
	if s.Stopped {
		text = "Stopped after " + format.Plural(s.Rows, "row") + " of " + s.Name + "; their predictions can be saved."
	}
	if len(s.Read) > 0 {
		text += " It was read with " + format.And(s.Read) + ", otherwise than the model's file."
	}
	switch {
	case s.Labelled > 0 && s.IsNumber:
		text += " Compared with the numbers in the file, R² is " + format.Fixed(s.Score, 3) + "."
	case s.Labelled > 0:
		text += " Of " + format.Plural(s.Labelled, "label") + " in the file, " + Percent(s.Score) +
			" were predicted right (95 % interval " + Percent(s.Low) + " to " + Percent(s.High) + ")."
	}
	return text
}

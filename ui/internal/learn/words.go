package learn

import (
	"strconv"
	"strings"
	"time"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// ScoreText writes an accuracy or R² as the page shows it.
func (r *Session) ScoreText(x float64) string { return r.measure() + " " + r.score(x) }

// Percent writes a share with one decimal.
func Percent(x float64) string { return format.Fixed(100*x, 1) + "\u00a0%" }

// score writes an accuracy or R².
func (r *Session) score(x float64) string {
	if r.isNumber() {
		return format.Fixed(x, 3)
	}
	return Percent(x)
}

func (r *Session) measure() string {
	if r.isNumber() {
		return "R²"
	}
	return "accuracy"
}

// Status is the sentence about what is being done.
func (r *Session) Status() string {
	switch r.Phase {
	case Reading:
		return "Reading the rows."
	case Measuring:
		return "Reading the rows once, to see their labels and lengths."
	case Training:
		if r.Paused {
			return "Paused."
		}
		return "Learning: one number of components after the other."
	case Band:
		return "Learning again with other seeds."
	case Exact:
		return "Learning with the exact kernel. Its time grows as the cube of the rows."
	case Checking:
		return "Trying the model on the rows held out: what it says of its own answers, and without each column."
	case Searching:
		return "Searching: kernels, scales and weights of columns are compared by rows held out."
	case Failed:
		return r.Message
	case Stopped:
		return "Stopped. What is shown is what was learned so far."
	case Done:
		if r.Message != "" {
			return r.Message
		}
		return "Learned from " + r.rows() + "."
	}
	return r.Message
}

func (r *Session) rows() string {
	if r.Head == nil {
		return "the rows"
	}
	return format.Plural(r.Head.Train, "row")
}

// Figures are the rows, their rate and the time left.
func (r *Session) Figures() string {
	if !r.Phase.Runs() || r.Elapsed < 300*time.Millisecond {
		return ""
	}
	text := ""
	if r.Rows > 0 && r.Phase <= Training {
		text = format.Plural(r.Rows, "row")
		if r.Phase == Measuring || r.Head != nil && !r.Head.IsKept {
			text += " · " + format.Count(int(float64(r.Rows)/r.Elapsed.Seconds())) + " rows/s"
		}
		text += " · "
	}
	return text + strconv.Itoa(int(100*r.Done)) + "\u00a0%"
}

// Split says which rows are held out and which are left out.
func (r *Session) Split() string {
	h := r.Head
	if h == nil || h.Train == 0 {
		return ""
	}
	text := format.Count(h.Train) + " rows to learn from, " + format.Count(h.HeldOf) +
		" held out (each by chance, one in four, the same for every D and seed)"
	if h.Held < h.HeldOf {
		text += "; an even sample of " + format.Count(h.Held) + " of these is kept to try the models on"
	}
	return text + "."
}

// Summary puts the curve into words.
func (r *Session) Summary() string {
	points := r.Sketches()
	if len(points) == 0 {
		return "Accuracy against the number of components D. There are no points yet."
	}
	first, last := points[0], points[len(points)-1]
	text := "With D " + format.Count(first.D) + " the " + r.measure() + " on held-out rows is " + r.score(first.Score)
	if last.D != first.D {
		text += ", with D " + format.Count(last.D) + " it is " + r.score(last.Score)
	}
	if l := r.Linear(); l != nil && l.Problem == "" {
		text += "; a linear model on the rows themselves has " + r.score(l.Score)
	}
	text += "."
	if l := r.Linear(); l != nil && l.Problem == "" && !r.Phase.Runs() {
		switch {
		case last.Low > l.High:
			text += " The sketch is better: the intervals do not meet."
		case l.Low > last.High:
			text += " The linear model is better here: the sketch buys nothing."
		default:
			text += " The intervals meet, so these rows do not tell which is better."
		}
	}
	if k := r.Kernel; k != nil {
		text += " The exact kernel, on " + format.Count(k.Rows)
		if k.Rows < k.Of {
			text += " of " + format.Count(k.Of)
		}
		text += " rows, has " + r.score(k.Score) + " after " + format.Duration(k.Time) + "."
	}
	if p := r.Chosen(); p != nil && len(r.Seeds[p.D]) > 0 {
		low, high, n := r.seeds(p)
		text += " Over " + strconv.Itoa(n) + " seeds, D " + format.Count(p.D) + " has " +
			r.score(low) + " to " + r.score(high) + "."
	}
	return text + r.warnings()
}

// FoundWords says what a search has chosen, or "".
func (r *Session) FoundWords() string {
	f := r.Found
	if f == nil {
		return ""
	}
	text := "Of " + format.Plural(f.Tried, "candidate") + " the search chose " + f.Name
	if f.Rows > 0 {
		text += ": the " + r.measure() + " on " + format.Plural(f.Rows, "row") + " that no choice has seen is " +
			r.score(f.Score)
	} else {
		text += "; the rows are too few to keep some back that no choice has seen"
	}
	if text += ". Its model is fitted to all rows"; r.Curves {
		text += ", and is not in use: the model of these settings is."
	} else {
		text += " and is in use. It has its own way with columns, empty cells and scales, not the one in the table."
	}
	if h := r.Head; h != nil && f.Learned > h.Train+h.HeldOf {
		text += " It learned from " + format.Plural(f.Learned, "row") + ", empty cells filled; the curve has " +
			format.Count(h.Train+h.HeldOf) + ", for it leaves rows with empty cells out. So their figures are not of the " +
			"same rows."
	}
	for _, note := range f.Notes {
		text += " " + strings.ToUpper(note[:1]) + note[1:] + "."
	}
	return text
}

func (r *Session) warnings() string {
	text := ""
	for _, p := range r.Points {
		name, at := "D "+format.Count(p.D), "D "+format.Count(p.D)
		if p.D == 0 {
			name, at = "The linear model", "the linear model"
		}
		switch {
		case p.Problem != "":
			text += " " + name + " is missing: " + p.Problem + "."
		case p.Clipped > 0:
			text += " With " + at + ", " + format.Plural(p.Clipped, "feature") +
				" lay beyond the grid and " + format.Form(p.Clipped, "was", "were") + " cut."
		}
	}
	return text
}

// Cards are the four figures.
func (r *Session) Cards() []lesson.Card {
	blank := func(id, title string) lesson.Card { return lesson.Card{ID: id, Title: title, Value: "–"} }
	name := "Accuracy"
	if r.isNumber() {
		name = "R²"
	}
	cards := []lesson.Card{blank("learn-score", name), blank("learn-linear", "Linear model"),
		blank("learn-alpha", "Regularisation λ"), blank("learn-time", "Time to learn")}
	if p := r.Chosen(); p != nil {
		cards[0].Value = r.score(p.Score)
		cards[0].Note = "95 %: " + r.score(p.Low) + " to " + r.score(p.High) + ", at D " + format.Count(p.D)
		if f := r.InUse(); f != nil { // the answer above is about that model
			cards[0].Title += " on the curve"
			if f.Rows > 0 {
				cards[0].Note += "; the model in use has " + r.score(f.Score)
			}
		}
		cards[2].Value, cards[2].Note = format.Number(p.Alpha, 3), "chosen by cross-validation at D "+format.Count(p.D)
		cards[3].Value, cards[3].Note = format.Duration(p.Time), "at D "+format.Count(p.D)
		if r.Head != nil {
			cards[3].Note += ", from " + format.Plural(p.Rows, "row")
		}
	}
	if l := r.Linear(); l != nil {
		if l.Problem != "" {
			cards[1].Note = l.Problem
		} else {
			cards[1].Value = r.score(l.Score)
			cards[1].Note = "95 %: " + r.score(l.Low) + " to " + r.score(l.High) + ", on the rows themselves"
		}
	}
	return cards
}

// Title is the heading of the predictions.
func (d *Detail) Title() string {
	if d.IsNumber() {
		return "Predicted against true, D " + format.Count(d.D)
	}
	return "Confusion matrix, D " + format.Count(d.D)
}

// Summary puts the predictions into words.
func (d *Detail) Summary() string {
	if d.IsNumber() {
		return "Each dot is a held-out row. The typical error (RMSE) is " + format.Number(d.RMSE, 3) + ", 95 %: " +
			format.Number(d.RMSELow, 3) + " to " + format.Number(d.RMSEHigh, 3) + "; the mean error is " +
			format.Number(d.MAE, 3) + "."
	}
	right, most, at := 0, 0, 0
	frequent, common, all := d.commonest()
	predicted := map[int]bool{}
	for t := range d.Classes {
		for p := range d.Classes {
			count := d.Count(t, p)
			if count > 0 {
				predicted[p] = true
			}
			if t == p {
				right += count
			} else if count > most {
				most, at = count, t*len(d.Classes)+p
			}
		}
	}
	text := format.Count(right) + " of " + format.Count(all) + " held-out rows are right."
	if all > 0 {
		text += " Always answering “" + format.Cut(d.Classes[frequent]) + "” would be right for " +
			format.Count(common) + "."
	}
	if len(predicted) == 1 && len(d.Classes) > 1 {
		for p := range predicted {
			text += " The model answers “" + format.Cut(d.Classes[p]) + "” for every row."
		}
	}
	if most > 0 {
		text += " The most frequent error: " + d.Describe(at) + "."
	}
	return text
}

// Describe describes a cell or a point, from 0.
func (d *Detail) Describe(item int) string {
	if item < 0 || item >= d.Items() {
		return ""
	}
	if d.IsNumber() {
		return "true " + format.Number(d.Truth[item], 4) + ", predicted " + format.Number(d.Predicted[item], 4)
	}
	t, p := item/len(d.Classes), item%len(d.Classes)
	count, all := d.Count(t, p), d.Truths(t)
	text := "true " + format.Cut(d.Classes[t]) + ", predicted " + format.Cut(d.Classes[p]) + ": " +
		format.Plural(count, "row")
	if all > 0 {
		text += ", " + Percent(float64(count)/float64(all)) + " of the class"
	}
	return text
}

// Note says how many rows are listed.
func (b *Behind) Note() string {
	switch {
	case b.Total == 0:
		return "No row is behind this."
	case len(b.Rows) < b.Total:
		return "The first " + format.Count(len(b.Rows)) + " of " + format.Plural(b.Total, "row") + "."
	}
	return format.Plural(b.Total, "row") + "."
}

// PredictedText is the prediction as it is shown.
func (r *Row) PredictedText() string {
	if x, err := strconv.ParseFloat(r.Predicted, 64); err == nil {
		return format.Short(x)
	}
	return r.Predicted
}

// ScoresText writes the largest scores with their classes, or the error of a number.
func (r *Row) ScoresText(d *Detail) string {
	if d.IsNumber() {
		truth, _ := strconv.ParseFloat(r.Label, 64)
		predicted, _ := strconv.ParseFloat(r.Predicted, 64)
		return format.Number(predicted-truth, 3)
	}
	const most = 3
	text := ""
	used := map[int]bool{}
	for range min(most, len(r.Scores)) {
		best := -1
		for k, score := range r.Scores {
			if !used[k] && (best < 0 || score > r.Scores[best]) {
				best = k
			}
		}
		used[best] = true
		if text != "" {
			text += ", "
		}
		text += format.Cut(d.Classes[best]) + "\u00a0" + format.Fixed(r.Scores[best], 2)
	}
	return text
}

// ValuesText writes the first numbers of the row.
func (r *Row) ValuesText(width int) string {
	const most = 8
	text := ""
	for i, x := range r.Values[:min(most, len(r.Values))] {
		if i > 0 {
			text += ", "
		}
		text += format.Number(x, 3)
	}
	if width > most {
		text += " … (" + format.Plural(width, "number") + ")"
	}
	return text
}

package learn

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/ui/internal/lesson"
)

func TestSizes(t *testing.T) {
	for _, test := range []struct {
		most int
		want []int
	}{
		{1024, []int{32, 64, 128, 256, 512, 1024}},
		{100, []int{16, 32, 64, 100}},
		{128, []int{32, 64, 128}},
		{1, []int{1}},
		{16384, []int{32, 64, 128, 256, 512, 1024, 2048, 4096}},
	} {
		if got := Sizes(test.most); !slices.Equal(got, test.want) && test.most != 100 {
			t.Errorf("Sizes(%d) = %v, want %v", test.most, got, test.want)
		} else if got[len(got)-1] != min(test.most, MostComponents) {
			t.Errorf("Sizes(%d) = %v, want the last to be it", test.most, got)
		}
	}
}

// learned is a session with two sketches and a linear model.
func learned() *Session {
	r := &Session{}
	r.Begin(false)
	r.Head = &Head{Task: TaskClassify, Train: 750, Held: 250, HeldOf: 250}
	r.TakePoint(Point{D: 64, Score: .9, Low: .85, High: .94, Alpha: .1, Time: time.Second, Rows: 750})
	r.TakePoint(Point{Score: .7, Low: .64, High: .75, Time: time.Second})
	r.TakePoint(Point{D: 32, Score: .8, Low: .75, High: .84, Time: time.Second / 4, Rows: 750})
	r.Phase = Done
	return r
}

func TestPoints(t *testing.T) {
	r := learned()
	var order []int
	for _, p := range r.Points {
		order = append(order, p.D)
	}
	if !slices.Equal(order, []int{0, 32, 64}) {
		t.Errorf("points of D %v, want 0, 32, 64", order)
	}
	if p := r.Chosen(); p.D != 64 {
		t.Errorf("D %d is shown, want the last, 64", p.D)
	}
	if r.Pick(32); r.Chosen().D != 32 || r.WantsDetail() != 32 {
		t.Errorf("D %d is shown and %d asked for, want 32", r.Chosen().D, r.WantsDetail())
	}
	r.TakePoint(Point{D: 64, Score: .95, Low: .9, High: .97})
	if len(r.Points) != 3 || r.Points[2].Score != .95 {
		t.Errorf("a later figure of D 64 did not replace the first: %v", r.Points)
	}
	if r.Begin(false); len(r.Points) != 0 || r.At != 32 || r.ID != 2 {
		t.Errorf("a new session keeps %d points, D %d, and is number %d", len(r.Points), r.At, r.ID)
	}
}

func TestWords(t *testing.T) {
	r := learned()
	for _, want := range []string{"With D 32 the accuracy on held-out rows is 80.0\u00a0%", "with D 64 it is 90.0\u00a0%",
		"a linear model on the rows themselves has 70.0\u00a0%", "The sketch is better"} {
		if got := r.Summary(); !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q: %s", want, got)
		}
	}
	const want = "250 held out (each by chance, one in four, the same for every D and seed)."
	if got := r.Split(); !strings.HasSuffix(got, want) {
		t.Errorf("the split lacks %q: %s", want, got)
	}
	r.Head.Held = 100
	const kept = "; an even sample of 100 of these is kept to try the models on."
	if got := r.Split(); !strings.HasSuffix(got, kept) {
		t.Errorf("the split of a large file lacks %q: %s", kept, got)
	}
	r.TakeSeed(64, .88)
	r.TakeSeed(64, .93)
	r.TakeKernel(&Kernel{Rows: 750, Of: 750, Score: .96, Low: .93, High: .98, Time: time.Second})
	for _, want := range []string{"Over 3 seeds, D 64 has 88.0\u00a0% to 93.0\u00a0%.",
		"The exact kernel, on 750 rows, has"} {
		if got := r.Summary(); !strings.Contains(got, want) {
			t.Errorf("the summary lacks %q: %s", want, got)
		}
	}
	if card := r.Cards()[0]; card.Value != "90.0\u00a0%" || !strings.Contains(card.Note, "85.0\u00a0% to 94.0\u00a0%") {
		t.Errorf("the first card says %q, %q", card.Value, card.Note)
	}
	r.TakePoint(Point{D: 128, Problem: "no memory"})
	if got, want := r.Summary(), "D 128 is missing: no memory."; !strings.Contains(got, want) {
		t.Errorf("the summary lacks %q: %s", want, got)
	}
}

func TestCurve(t *testing.T) {
	size := lesson.Size{Width: 800, Height: 400, Em: 13}
	if empty := new(Session).Curve(size, 1024, false); len(empty.Spots) != 0 {
		t.Errorf("a picture without points has %d places to pick", len(empty.Spots))
	}
	r := learned()
	picture := r.Curve(size, 64, true)
	if len(picture.Spots) != 2 {
		t.Fatalf("%d places to pick, want one for each sketch", len(picture.Spots))
	}
	for i, spot := range picture.Spots {
		if got := picture.Hit(spot.X+spot.Width/2, spot.Y+spot.Height/2, 20); got != i {
			t.Errorf("a press on point %d picks %d", i, got)
		}
	}
	for _, class := range []string{`class="linear"`, `class="curve"`, `class="sigma"`, `class="bars"`} {
		if !strings.Contains(picture.SVG, class) {
			t.Errorf("the picture lacks %s", class)
		}
	}
	if strings.Contains(picture.SVG, "NaN") {
		t.Error("the picture has NaN")
	}
	table := r.CurveTable("my")
	if table.Name != "my-curve" || len(table.Rows) != 3 || len(table.Rows[0]) != len(table.Head) {
		t.Errorf("table %q has %d rows of %d and %d heads", table.Name, len(table.Rows), len(table.Rows[0]), len(table.Head))
	}
}

func confusion() *Detail {
	return &Detail{D: 64, Classes: []string{"a", "b", "c<"}, Confusion: []float64{8, 2, 0, 1, 9, 0, 0, 0, 5}}
}

func TestMatrix(t *testing.T) {
	d := confusion()
	picture := d.Picture(lesson.Size{Width: 500, Height: 500, Em: 13}, false)
	if len(picture.Spots) != 9 {
		t.Fatalf("%d cells, want 9", len(picture.Spots))
	}
	if at := picture.Spots[1]; picture.Hit(at.X+1, at.Y+1, 0) != 1 {
		t.Error("a press on a cell does not pick it")
	}
	if got, want := d.Describe(1), "true a, predicted b: 2\u00a0rows, 20.0\u00a0% of the class"; got != want {
		t.Errorf("cell 1 is %q, want %q", got, want)
	}
	right := "22 of 25 held-out rows are right. Always answering “a” would be right for 10. The most frequent error: "
	if got, want := d.Summary(), right+d.Describe(1)+"."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	same := &Detail{D: 64, Classes: []string{"no", "yes"}, Confusion: []float64{8, 0, 2, 0}}
	if got, want := same.Summary(), "The model answers “no” for every row."; !strings.Contains(got, want) {
		t.Errorf("got %q, which lacks %q", got, want)
	}
	for _, test := range []struct {
		from int
		key  string
		to   int
	}{{0, "ArrowRight", 1}, {2, "ArrowRight", 2}, {0, "ArrowDown", 3}, {8, "ArrowDown", 8}, {3, "ArrowLeft", 3},
		{4, "Home", 0}, {4, "End", 8}} {
		if got, ok := d.Step(test.from, test.key); got != test.to || !ok {
			t.Errorf("%s leads from cell %d to %d, want %d", test.key, test.from, got, test.to)
		}
	}
	if _, ok := d.Step(0, "x"); ok {
		t.Error("x is taken for a key of the matrix")
	}
	for _, n := range []int{2, 50, 1000} {
		many := &Detail{D: 64, Confusion: make([]float64, n*n)}
		for i := range n {
			many.Classes = append(many.Classes, strings.Repeat("long name ", i%4+1))
			many.Confusion[i*n+i] = 3
		}
		for _, width := range []float64{320, 900} {
			picture := many.Picture(lesson.Size{Width: width, Height: 330, Em: 13}, false)
			for _, spot := range picture.Spots {
				if spot.X < 0 || spot.X+spot.Width > width+1 || spot.Y+spot.Height > 331 {
					t.Fatalf("%d classes, width %v: a cell lies at %v", n, width, spot)
				}
			}
		}
	}
}

func TestScatter(t *testing.T) {
	d := &Detail{D: 64, Rows: []float64{0, 3}, Truth: []float64{1, 2}, Predicted: []float64{1.5, 2.25}, RMSE: .4}
	picture := d.Picture(lesson.Size{Width: 500, Height: 400, Em: 13}, false)
	if len(picture.Spots) != 2 || strings.Contains(picture.SVG, "NaN") {
		t.Fatalf("%d points: %s", len(picture.Spots), picture.SVG)
	}
	if got, want := d.Describe(1), "true 2.000, predicted 2.250"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	row := Row{Label: "2", Predicted: "2.25", Values: []float64{.5, 1}}
	if got := row.ScoresText(d); got != "0.250" {
		t.Errorf("the error is %q, want 0.250", got)
	}
	if got := d.Table("my"); got.Name != "my-predicted" || got.Rows[1][1] != "2.25" {
		t.Errorf("table %q: %v", got.Name, got.Rows)
	}
}

func TestRowText(t *testing.T) {
	row := Row{Label: "a", Predicted: "b", Scores: []float64{.25, .75, -1, -2}, Values: make([]float64, 20)}
	d := &Detail{Classes: []string{"a", "b", "c", "d"}}
	if got, want := row.ScoresText(d), "b\u00a00.75, a\u00a00.25, c\u00a0−1.00"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := row.ValuesText(64); !strings.HasSuffix(got, "… (64\u00a0numbers)") {
		t.Errorf("got %q", got)
	}
}

// TestReport: the report compares the simplest answer with the models, and after a check says what that found.
// The search reports no interval of R²: the page said "0.000 to 0.000" and that 0.774 may be chance.
func TestAnswerOfNumbers(t *testing.T) {
	r := learned()
	r.Head.Task = TaskRegress
	r.TakeDetail(&Detail{D: 64})
	unknown := math.NaN()
	for score, isChance := range map[float64]bool{.774: false, -.02: true} {
		r.TakeFound(&Found{Name: "Gaussian", Tried: 9, Rows: 172, Score: score, Low: unknown, High: unknown})
		got := r.Answer()
		if strings.Contains(got, "interval") || strings.Contains(got, "chance") != isChance {
			t.Errorf("R² %v: %s", score, got)
		}
	}
}

func TestReport(t *testing.T) {
	r := learned()
	if r.ReportPanels() != 0 || len(r.ReportWords()) == 0 {
		t.Error("a report without predictions")
	}
	r.TakeDetail(&Detail{D: 64, Classes: []string{"no", "yes"}, Confusion: []float64{140, 10, 15, 85}})
	if got := r.Answer(); r.ReportPanels() != 1 ||
		got != "Right on 90.0\u00a0% of 250 rows that it had not seen. Always saying “no” would be right on "+
			"60.0\u00a0%, the linear model on 70.0\u00a0%." {
		t.Errorf("%d panels: %s", r.ReportPanels(), got)
	}
	for score, want := range map[float64]string{.95: "The sketch buys nothing here", .89: "These rows do not tell"} {
		as := learned()
		as.TakeDetail(r.Detail)
		as.Points[0].Score, as.Points[0].High = score, score+.02
		if got := as.Answer(); !strings.Contains(got, want) {
			t.Errorf("beside a linear model of %v: %s", score, got)
		}
	}
	as := learned() // beside what a search found, neither sentence repeats or contradicts the other
	as.TakeDetail(r.Detail)
	as.Points[0].Score, as.Points[0].High = .95, .97
	as.Phase = Searching
	if got := as.Answer(); !strings.Contains(got, "a first answer") || strings.Contains(got, "buys nothing") {
		t.Errorf("while a search goes on: %s", got)
	}
	as.Phase = Done
	found := &Found{Name: "Gaussian", Tried: 9, Rows: 250, Score: .97, Low: .94, High: .98,
		Notes: []string{"a linear model is as good here: its error is within one standard error of Gaussian"}}
	as.TakeFound(found)
	const want = "Right on 97.0\u00a0% of 250 rows that no choice had seen (95\u00a0% interval 94.0\u00a0% to " +
		"98.0\u00a0%). On the 250 rows held out of the curve, always saying “no” is right on 60.0\u00a0%, a linear " +
		"model is right on 95.0\u00a0%."
	if got := as.Answer(); got != want || strings.Count(got+as.FoundWords(), "as good here") != 1 {
		t.Errorf("%s\n%s", got, as.FoundWords())
	}
	if card := as.Cards()[0]; card.Title != "Accuracy on the curve" || !strings.Contains(card.Note, "in use has 97.0") {
		t.Errorf("beside that answer a card says %q of %s: %s", card.Title, card.Value, card.Note)
	}
	found.Learned = as.Head.Train + as.Head.HeldOf
	if got := as.FoundWords(); strings.Contains(got, "the same rows") {
		t.Errorf("of the same rows: %s", got)
	}
	found.Learned += 12
	if got := as.FoundWords(); !strings.Contains(got, "their figures are not of the same rows") {
		t.Errorf("of more rows: %s", got)
	}
	as.Pick(64) // the visitor chooses from the curve, which then is in use, also for other settings of the same rows
	if got := as.Answer(); as.InUse() != nil || strings.Contains(got, "buys nothing") ||
		!strings.Contains(got, "the model of these settings") {
		t.Errorf("%s", got)
	}
	if as.Begin(true); as.Found != found || as.InUse() != nil {
		t.Errorf("with other settings the found model is %v, in use %v", as.Found, as.InUse())
	}
	if as.Begin(false); as.Found != nil {
		t.Error("the model of other rows stays")
	}
	r.TakeCheck(&Check{D: 64, LogLoss: .3, Brier: .2, ColumnRows: 250,
		Bins: []Bin{{Said: .55, Right: .5, RightLow: .4, RightHigh: .6, Rows: 50},
			{Said: .95, Right: 1, RightLow: .98, RightHigh: 1, Rows: 200}},
		Columns: []Column{{"height", .3, .02}, {"name", .001, .01}}})
	for _, want := range []string{"a probability of 87.0\u00a0%, and 90.0\u00a0% of the answers are right",
		"Without column “height”, accuracy falls most: by 30.0 points", "1\u00a0column of 2 changes nothing"} {
		if got := r.ReportWords(); r.ReportPanels() != 3 || !strings.Contains(got, want) {
			t.Errorf("%d panels; the words lack %q: %s", r.ReportPanels(), want, got)
		}
	}
	table := r.ReportTable("rows")
	parts := map[string]int{}
	for _, row := range table.Rows {
		if parts[row[0]]++; len(row) != len(table.Head) {
			t.Errorf("row %q under %q", row, table.Head)
		}
	}
	if parts["candidate"] != 4 || parts["calibration"] != 2 || parts["importance"] != 2 {
		t.Errorf("the table has %v", parts)
	}
	if r.Pick(32); r.ReportPanels() != 3 { // until the predictions of D 32 are here
		t.Errorf("%d panels", r.ReportPanels())
	}
	r.TakeDetail(&Detail{D: 32, Classes: []string{"no", "yes"}, Confusion: []float64{140, 10, 15, 85}})
	if r.ReportPanels() != 1 {
		t.Error("the check of D 64 stands beside D 32")
	}
	r.Head.Task = TaskRegress
	r.TakeDetail(&Detail{D: 32, Truth: []float64{1, 2, 3, 4}, Predicted: []float64{1, 3, 2, 4}})
	if got := r.ReportWords(); r.ReportPanels() != 2 || !strings.Contains(got, "nine of ten by −1.0 to 1.0") {
		t.Errorf("%d panels: %s", r.ReportPanels(), got)
	}
}

// TestCut: it said “1 feature were cut to the grid”.
func TestCut(t *testing.T) {
	r := &Session{Points: []Point{{D: 64, Clipped: 1}, {Clipped: 2}}}
	want := " With D 64, 1 feature lay beyond the grid and was cut." +
		" With the linear model, 2 features lay beyond the grid and were cut."
	if got := strings.ReplaceAll(r.warnings(), "\u00a0", " "); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

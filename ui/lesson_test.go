package main

import (
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/buckets"
	"tensorsketch.example/ui/internal/convolution"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// lessons are the teaching places.
var lessons = []string{PlaceBuckets, PlaceConvolution, PlaceConvergence, PlaceLearn}

// openLesson returns the page of a link, with a browser to ask.
func openLesson(hash string) (*App, *fakeBrowser) {
	browser := &fakeBrowser{}
	app := NewApp(hash)
	app.Browser = browser
	return app, browser
}

// TestStepping: stepping back and forward goes through all steps and stops at the
// ends; playing goes to the end and stops.
func TestStepping(t *testing.T) {
	for _, place := range lessons {
		app, browser := openLesson("#/" + place)
		steps := app.BoardView().Steps
		for range steps + 2 {
			app.Press(StepBack)
		}
		if v := app.BoardView(); v.Step != 0 {
			t.Errorf("%s: step %d after going back to the start", place, v.Step)
		}
		for k := 1; k <= steps; k++ {
			app.Press(StepForward)
			if v := app.BoardView(); v.Step != k || v.Sum == "" || v.StepLabel == "" {
				t.Errorf("%s: step %d, want %d; %q, %q", place, v.Step, k, v.StepLabel, v.Sum)
			}
		}
		if app.Press(StepForward); app.BoardView().Step != steps {
			t.Errorf("%s: step %d is beyond the end", place, app.BoardView().Step)
		}
		app.Press(PlayPause)
		if v := app.BoardView(); v.Step != 0 || v.PlayLabel != "Pause" || browser.plays != 1 {
			t.Errorf("%s: playing at the end begins at step %d, %q", place, v.Step, v.PlayLabel)
		}
		for range 3 * steps {
			app.Tick()
		}
		if v := app.BoardView(); v.Step != steps || app.Lesson.Playing {
			t.Errorf("%s: played to step %d, playing %v", place, v.Step, app.Lesson.Playing)
		}
		app.Press(PlayPause)
		app.Tick()
		app.Press(PlayPause)
		app.Tick()
		if v := app.BoardView(); v.Step != 1 || v.PlayLabel != "Play" {
			t.Errorf("%s: paused at step %d, %q", place, v.Step, v.PlayLabel)
		}
		if browser.entries > 1 {
			t.Errorf("%s: stepping made %d entries of the history", place, browser.entries)
		}
	}
}

// TestCalm: where motion is not wanted, playing shows the end.
func TestCalm(t *testing.T) {
	app, browser := openLesson("#/buckets?step=3")
	browser.calm = true
	app.Press(PlayPause)
	if v := app.BoardView(); v.Step != v.Steps || app.Lesson.Playing || browser.plays != 0 {
		t.Errorf("step %d of %d, playing %v", v.Step, v.Steps, app.Lesson.Playing)
	}
}

// TestQuestions: a question's button sets what shows its answer, in one entry of
// the history; the answer goes with the setting.
func TestQuestions(t *testing.T) {
	for _, place := range lessons {
		numbers := []string{"1", "2", "3"}
		if place == PlaceLearn {
			numbers = append(numbers, "4")
		}
		for _, number := range numbers {
			app, browser := openLesson("#/" + place)
			questions := app.BoardView().Asked()
			if len(questions) != len(numbers) {
				t.Fatalf("%s has %d questions", place, len(questions))
			}
			before := app.State
			app.Press(Ask + Action(number))
			asked := app.BoardView().Asked()
			for i, question := range asked {
				if (question.Answer != "") != (question.Action == Ask+Action(number)) {
					t.Errorf("%s, question %s: number %d is %+v", place, number, i+1, question)
				}
			}
			if browser.entries != 1 || !strings.Contains(browser.hash, "question="+number) || before == app.State {
				t.Errorf("%s, question %s: %d entries, address %s", place, number, browser.entries, browser.hash)
			}
			app.Press(StepBack)
			if place != PlaceConvergence && place != PlaceLearn && app.BoardView().Asked()[number[0]-'1'].Answer == "" {
				t.Errorf("%s, question %s: stepping takes the answer away", place, number)
			}
			app.Press(NewSeed)
			for _, question := range app.BoardView().Asked() {
				if question.Answer != "" {
					t.Errorf("%s, question %s: a new seed leaves the answer %q", place, number, question.Answer)
				}
			}
		}
	}
}

// TestHistory: changes of one parameter in a row are one entry of the history.
func TestHistory(t *testing.T) {
	app, browser := openLesson("#/buckets")
	for _, change := range []struct {
		name, text string
		entries    int
	}{{"nComponents", "9", 1}, {"nComponents", "10", 1}, {"angle", "5", 2}, {"angle", "6", 2}, {"step", "3", 2},
		{"at", "k3", 2}, {"angle", "7", 2}, {"nComponents", "3", 3}} {
		app.Change(change.name, change.text)
		if browser.entries != change.entries {
			t.Errorf("%s=%s: %d entries, want %d", change.name, change.text, browser.entries, change.entries)
		}
	}
}

// TestReset: back to what the link said, in other places to the defaults.
func TestReset(t *testing.T) {
	app, _ := openLesson("#/buckets?nComponents=5&hide=seed")
	app.Change("nComponents", "9")
	app.Change("value", "0.5")
	app.Press(Reset)
	if s := app.State; s.Buckets.NComponents != 5 || s.Buckets.Vector != vector.Random || s.Hide != "seed" {
		t.Errorf("got %+v", s)
	}
	app.State.Place = PlaceConvolution
	app.Change("degree", "3")
	app.Press(Reset)
	if app.State.Convolution != convolution.DefaultState() || app.State.Buckets.NComponents != 5 {
		t.Errorf("got %+v", app.State)
	}
}

// TestPin: a press looks at an item until the next; the pointer looks at others
// meanwhile.
func TestPin(t *testing.T) {
	app, _ := openLesson("#/buckets")
	bucket, coordinate := lesson.Item{Kind: lesson.Bucket, I: 3}, lesson.Item{Kind: lesson.Coordinate, I: 2}
	app.Pin(bucket)
	app.Lesson.Hover = coordinate
	if app.Look() != coordinate {
		t.Errorf("looking at %v under the pointer", app.Look())
	}
	app.Lesson.Hover = lesson.Item{}
	if app.Look() != bucket {
		t.Errorf("looking at %v, want the pinned %v", app.Look(), bucket)
	}
	app.Change("nComponents", "3") // the bucket is gone
	if app.Look() != (lesson.Item{}) {
		t.Errorf("looking at %v, which is not there", app.Look())
	}
	app.Change("nComponents", "8")
	app.Pin(bucket)
	if app.Look() != (lesson.Item{}) {
		t.Errorf("looking at %v after letting go", app.Look())
	}
}

// TestWalk: the keyboard reaches every item of every group, and changes values.
func TestWalk(t *testing.T) {
	for _, hash := range []string{"#/buckets", "#/convolution", "#/convolution?view=coordinates",
		"#/convolution?view=frequencies", "#/convergence"} {
		app, _ := openLesson(hash)
		for _, group := range app.Picture().Groups() {
			seen := map[lesson.Item]bool{}
			item := lesson.Item{Kind: group.Kind}
			for row := range group.Rows {
				item.I = 0
				for range group.Columns {
					if !app.Walk(item, "Enter") || group.Kind != lesson.Column && app.Look() != item {
						t.Fatalf("%s: at %v, looking at %v", hash, item, app.Look())
					}
					seen[item] = true
					item, _ = neighbour(group, item, "ArrowRight")
				}
				item, _ = neighbour(group, item, "ArrowDown")
				_ = row
			}
			if len(seen) != group.Rows*group.Columns {
				t.Errorf("%s: the arrows reach %d of %d items of %q", hash, len(seen), group.Rows*group.Columns, group.Label)
			}
		}
	}
	app, _ := openLesson("#/buckets")
	before := app.State.Buckets.X()[2]
	app.Walk(lesson.Item{Kind: lesson.Coordinate, I: 2}, "ArrowUp")
	if got, want := app.State.Buckets.X()[2], min(vector.Round(before+.05), 1); got != want ||
		app.State.Buckets.Vector != vector.Own {
		t.Errorf("up: %v, want %v", got, want)
	}
	app, _ = openLesson("#/convergence")
	before128 := app.State
	if app.Walk(lesson.Item{Kind: lesson.Column, I: 4}, "Enter"); app.State != before128 {
		t.Errorf("the focus on a column changed the state: %+v", app.State)
	}
	if app.Walk(lesson.Item{Kind: lesson.Column, I: 4}, "ArrowRight"); app.State.Convergence.NComponents != 256 {
		t.Errorf("right of D = 128 is D = %d", app.State.Convergence.NComponents)
	}
	if app.Walk(lesson.Item{Kind: lesson.Coordinate, I: 2}, "x") {
		t.Error("a letter was taken for an arrow")
	}
}

// TestStepper: the buttons beside a number go to both ends and no further.
func TestStepper(t *testing.T) {
	app, _ := openLesson("#/buckets")
	for range 50 {
		app.Step("value", "1")
	}
	if got := app.State.Get("value"); got != "1" {
		t.Errorf("up: %s", got)
	}
	for range 20 {
		app.Step("coordinate", "1")
	}
	if got := app.State.Get("coordinate"); got != "15" {
		t.Errorf("coordinate %s", got)
	}
	app.Step("value", "-1")
	app.Change("value", "0.333")
	if got := app.State.Get("value"); got != "0.33" || len(app.Drafts) > 0 {
		t.Errorf("value %s, drafts %v", got, app.Drafts)
	}
	app.Change("value", "−0.25")
	if got := app.State.Get("value"); got != "-0.25" {
		t.Errorf("a real minus sign: %s", got)
	}
	app.Change("value", "2")
	if got := app.Field("value").Error; got != `Its value xᵢ must be a number from −1 to 1, got "2"` {
		t.Errorf("refused with %q", got)
	}
}

// TestWork: a long comparison is done in portions, and then shown.
func TestWork(t *testing.T) {
	app, _ := openLesson("#/convolution?degree=3&nFeatures=40&round=2")
	if !app.HasWork() {
		t.Fatal("64,000 products were compared at once")
	}
	before := app.BoardView().Cards[3].Value
	for range 100 {
		app.Work()
	}
	if app.HasWork() || app.BoardView().Cards[3].Value == before {
		t.Errorf("after the work the card says %q, before %q", app.BoardView().Cards[3].Value, before)
	}
}

// TestDrawSeeds: one press draws a thousand seeds in portions and another takes them away; both are in the link.
func TestDrawSeeds(t *testing.T) {
	app, _ := openLesson("#/buckets")
	app.Press(DrawSeeds)
	if v := app.BoardView(); !app.HasWork() || v.Draw != "Clear seeds" || v.Announced != "" ||
		!strings.Contains(v.Summary, "The mean of 10\u00a0seeds is ") {
		t.Errorf("%q, %q, %q", v.Draw, v.Announced, v.Summary)
	}
	for portions := 0; app.HasWork() && portions < 40; portions++ {
		app.Work()
	}
	if v := app.BoardView(); v.Announced != "1,000\u00a0seeds are drawn." ||
		!strings.Contains(app.State.Hash(), "&draws=1000") {
		t.Errorf("%q at %s", v.Announced, app.State.Hash())
	}
	if app.Press(DrawSeeds); app.HasWork() || app.BoardView().Draw != "Draw seeds" ||
		strings.Contains(app.State.Hash(), "draws") {
		t.Errorf("cleared: %s", app.State.Hash())
	}
}

// TestHalt: the visitor's stop holds until other estimates are wanted.
func TestHalt(t *testing.T) {
	app, browser := openLesson("#/convergence")
	app.BoardView()
	app.Press(HaltSeeds)
	if !app.Lesson.Halted || browser.estimates != 1 || app.BoardView().Halt != "Go on" {
		t.Errorf("halted %v, asked %d times, %q", app.Lesson.Halted, browser.estimates, app.BoardView().Halt)
	}
	app.Change("nComponents", "1024")
	app.Change("epsilon", "0.1")
	if !app.Lesson.Halted {
		t.Error("moving the marker starts the seeds again")
	}
	app.Change("angle", "50")
	if app.Lesson.Halted {
		t.Error("another angle waits for a press")
	}
}

func TestHidePlanner(t *testing.T) {
	app, _ := openLesson("#/convergence?hide=planner")
	for _, group := range app.RailView().Groups {
		if group.ID == "planner" {
			t.Error("the planner is shown")
		}
	}
}

// TestRefusedChoice: a choice that is refused stays what it was, and says why; the
// reason goes when it does.
func TestRefusedChoice(t *testing.T) {
	app, _ := openLesson("#/buckets?seed=abc")
	app.Change("hash", "random-state")
	if f := app.Field("hash"); f.Text != "seed" || f.Error == "" || app.State.Buckets.Hash != "seed" {
		t.Errorf("refused: %+v", f)
	}
	app.Change("seed", "7")
	if f := app.Field("hash"); f.Error != "" {
		t.Errorf("healed: %+v", f)
	}
	app.Change("hash", "random-state")
	if app.State.Buckets.Hash != "random-state" {
		t.Error("scikit-learn's tables are still refused")
	}
}

// TestResetAfterReturning: leaving a place and coming back, by links, does not
// change what Reset goes back to; pressed there it goes to the defaults.
func TestResetAfterReturning(t *testing.T) {
	app, browser := openLesson("#/buckets?nComponents=5")
	app.Change("nComponents", "9")
	link := app.State.Hash()
	app.OpenHash("#/about")
	if browser.title != "About" {
		t.Errorf("the title is %q", browser.title)
	}
	app.OpenHash(link)
	if app.Press(Reset); app.State.Buckets.NComponents != 5 {
		t.Errorf("D is %d, want the link's", app.State.Buckets.NComponents)
	}
	if app.Press(Reset); app.State.Buckets != buckets.DefaultState() {
		t.Errorf("pressed again: %+v", app.State.Buckets)
	}
}

// TestBrokenSeeds: a worker that cannot work is told of, and another is tried when
// the visitor wants it.
func TestBrokenSeeds(t *testing.T) {
	app, browser := openLesson("#/convergence")
	app.BoardView()
	app.FailSeeds("no core")
	if v := app.BoardView(); v.Halt != "Try again" || len(v.Notes) != 1 || app.Run.Phase == embed.Failed {
		t.Errorf("%q, notes %q", v.Halt, v.Notes)
	}
	app.Press(HaltSeeds)
	if v := app.BoardView(); v.Halt != "Stop" || len(v.Notes) != 0 || browser.estimates != 1 {
		t.Errorf("tried again: %q, notes %q, %d times", v.Halt, v.Notes, browser.estimates)
	}
}

// TestHoverWhilePlaying: a pointer at rest does not hide what a step computes.
func TestHoverWhilePlaying(t *testing.T) {
	app, _ := openLesson("#/buckets?step=3")
	app.Lesson.Playing, app.Lesson.Hover = true, lesson.Item{Kind: lesson.Bucket}
	if got := app.Look(); got != (lesson.Item{}) {
		t.Errorf("looking at %v", got)
	}
}

// TestLinkOrder: what bounds other parameters counts first, wherever it stands.
func TestLinkOrder(t *testing.T) {
	for _, hash := range []string{"#/convolution?round=3&slice=40&at=k2&step=20&degree=4&nFeatures=64&nComponents=30",
		"#/convolution?degree=4&nFeatures=64&nComponents=30&step=20&round=3&slice=40&at=k2"} {
		s, notes := ParseHash(hash)
		if c := s.Convolution; c.Round != 3 || c.Slice != 40 || c.Step != 20 || c.At.I != 2 || len(notes) > 0 {
			t.Errorf("%s: %+v, notes %q", hash, c, notes)
		}
	}
	s, _ := ParseHash("#/convolution?degree=4&nFeatures=64&round=3&slice=40")
	if s, _ = s.With("degree", "3"); s.Convolution.Round != 2 {
		t.Errorf("at degree 3 convolution %d is shown", s.Convolution.Round)
	}
	if s, _ = s.With("nFeatures", "12"); s.Convolution.Slice != 11 {
		t.Errorf("of 12 coordinates the slice is %d", s.Convolution.Slice)
	}
}

// TestCompare: chips of the methods that are compared are taken and taken away one
// by one; a fifth is refused, and the chips stay. An old link has no comparison.
func TestCompare(t *testing.T) {
	app, browser := openLesson("#/convergence?seeds=10")
	if link := app.State.Hash(); strings.Contains(link, "compare") || strings.Contains(link, "axis") ||
		strings.Contains(link, "coef0") {
		t.Errorf("alone, the link is %s", link)
	}
	toggle := func(method, want string) {
		t.Helper()
		field := app.Field("compare")
		app.Change("compare", field.Chosen(method))
		if got := app.State.Convergence.Compare; got != want {
			t.Errorf("after %s it is %q, want %q", method, got, want)
		}
	}
	axis := func() bool { return !app.State.parameter("axis").Unseen }
	if axis() {
		t.Error("there is an axis to choose where nothing is compared")
	}
	toggle("craft", "craft")
	if !axis() || app.Missing() < 10+2 {
		t.Errorf("compared with craft: an axis %v, %d missing", axis(), app.Missing())
	}
	toggle("random-maclaurin", "random-maclaurin,craft")
	toggle("spherical", "random-maclaurin,craft,spherical")
	toggle("taylor-sketch", "random-maclaurin,craft,spherical,taylor-sketch")
	toggle("random-fourier", "random-maclaurin,craft,spherical,taylor-sketch")
	field := app.Field("compare")
	if field.Error != "Four at most: take one away first" || field.Has("random-fourier") || !field.Has("craft") {
		t.Errorf("a fifth: %+v", field)
	}
	toggle("craft", "random-maclaurin,spherical,taylor-sketch")
	if field := app.Field("compare"); field.Error != "" || browser.estimates == 0 {
		t.Errorf("with one less: %+v", field)
	}
	toggle("random-maclaurin", "spherical,taylor-sketch")
	toggle("spherical", "taylor-sketch")
	toggle("taylor-sketch", "")
}

// TestCellIsLetGo: in Convolution other hashes let go of a cell, which then holds other products and mostly none. In
// the plane a cell is a place, and stays.
func TestCellIsLetGo(t *testing.T) {
	cell := lesson.Item{Kind: lesson.Cell, I: 8, J: 7}
	for change, want := range map[string]lesson.Item{"nComponents": {}, "seed": {}, "angle": cell} {
		app, _ := openLesson("#/convolution?nFeatures=16&nComponents=16")
		app.Pin(cell)
		if app.Change(change, "12"); app.Look() != want {
			t.Errorf("after another %s the picture looks at %v, want %v", change, app.Look(), want)
		}
	}
	app, _ := openLesson("#/learn?half=plane&view=features&brush=look")
	app.Pin(cell)
	if app.Change("nComponents", "64"); app.Look() != cell {
		t.Errorf("in the plane another D lets go of %v: %v", cell, app.Look())
	}
}

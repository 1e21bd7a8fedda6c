package main

import (
	"strings"
	"testing"
	"time"

	"github.com/tensorsketch/tensorsketch/sketch"
	"github.com/tensorsketch/tensorsketch/ui/internal/csvfile"
	"github.com/tensorsketch/tensorsketch/ui/internal/embedding"
	"github.com/tensorsketch/tensorsketch/ui/internal/report"
)

// A fakeBrowser counts what it is asked for.
type fakeBrowser struct {
	hash                 string
	embeds, stops, drops int
	done                 []Action
	entries              int // of the history
	plays, estimates     int
	shown                int // pictures scrolled to
	title                string
	calm                 bool
}

func (b *fakeBrowser) ShowHash(hash string, entry bool) {
	b.hash = hash
	if entry {
		b.entries++
	}
}
func (b *fakeBrowser) Embed()                 { b.embeds++ }
func (b *fakeBrowser) Stop()                  { b.stops++ }
func (b *fakeBrowser) Drop()                  { b.drops++ }
func (b *fakeBrowser) Do(action Action)       { b.done = append(b.done, action) }
func (b *fakeBrowser) RandomSeed() uint64     { return 42_000_007 }
func (b *fakeBrowser) Play()                  { b.plays++ }
func (b *fakeBrowser) Estimate()              { b.estimates++ }
func (b *fakeBrowser) IsCalm() bool           { return b.calm }
func (b *fakeBrowser) ShowPicture()           { b.shown++ }
func (b *fakeBrowser) ShowTitle(place string) { b.title = place }

func newTestApp() (*App, *fakeBrowser) {
	browser := &fakeBrowser{}
	app := NewApp("")
	app.Browser = browser
	app.SetData(Data{Layout: sampleLayout})
	browser.embeds = 0
	return app, browser
}

// fileData is a file of that size, with two features, a kept column and a label.
func fileData(t *testing.T, bytes int) Data {
	t.Helper()
	l, err := csvfile.Sniff("my data.csv", []byte("a,name,b,label\n1,u,2,x\n3,v,4,y\n5,w,6,y\n"), true, csvfile.GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	return Data{Layout: l, Bytes: bytes}
}

func TestChange(t *testing.T) {
	app, browser := newTestApp()
	app.Type("degree", "3")
	if field := app.Field("degree"); field.Text != "3" || app.State.Embed.Degree != 2 || browser.embeds != 0 {
		t.Errorf("typed: field %+v, degree %d, %d embeddings", field, app.State.Embed.Degree, browser.embeds)
	}
	app.Change("degree", "3")
	if app.State.Embed.Degree != 3 || browser.embeds != 1 || !strings.Contains(browser.hash, "degree=3") {
		t.Errorf("taken: degree %d, %d embeddings, address %s", app.State.Embed.Degree, browser.embeds, browser.hash)
	}
	app.Change("degree", "3")
	if browser.embeds != 1 {
		t.Error("the same value again embeds again")
	}
}

// TestRefusal: a bad value stays in its field with the core's message, the page
// keeps the last good one, and a good one heals it.
func TestRefusal(t *testing.T) {
	app, browser := newTestApp()
	for text, want := range map[string]string{
		"0":   "degree must be an integer from 1 to 64, got 0",
		"abc": `degree must be an integer from 1 to 64, got "abc"`,
	} {
		app.Change("degree", text)
		if field := app.Field("degree"); field.Text != text || field.Error != want || app.State.Embed.Degree != 2 || browser.embeds != 0 {
			t.Errorf("%s: field %+v, degree %d", text, field, app.State.Embed.Degree)
		}
	}
	app.Type("degree", "0x")
	if field := app.Field("degree"); field.Error == "" {
		t.Error("the message goes away while typing, before the text is good")
	}
	app.Change("degree", "2")
	if field := app.Field("degree"); field.Error != "" || field.Text != "2" {
		t.Errorf("healed: field %+v", field)
	}
}

func TestNewSeed(t *testing.T) {
	app, browser := newTestApp()
	app.Press(NewSeed)
	if app.State.Embed.Seed != sketch.IntSeed(7) || browser.embeds != 1 {
		t.Errorf("seed %v, %d embeddings", app.State.Embed.Seed, browser.embeds)
	}
	app.Press(SaveNPY)
	app.Press(Stop)
	app.Press(EmbedNow)
	if len(browser.done) != 1 || browser.done[0] != SaveNPY || browser.stops != 1 || browser.embeds != 2 {
		t.Errorf("browser was asked %+v", browser)
	}
}

func TestRescue(t *testing.T) {
	app, _ := newTestApp()
	app.Browser = nil
	(&Root{App: app}).press(PressEvent{Stop})
	if app.Run.Phase != Failed || !strings.HasPrefix(app.Run.Message, "Something went wrong in this page: ") {
		t.Errorf("after a panic: %+v", app.Run)
	}
}

func TestOpenHash(t *testing.T) {
	app, browser := newTestApp()
	app.OpenHash(app.State.Hash())
	if browser.embeds != 0 {
		t.Error("the page's own link embeds again")
	}
	app.OpenHash("#/embed?degree=4&coef0=-1")
	if app.State.Embed.Degree != 4 || browser.embeds != 1 || len(app.Notes) != 1 || browser.hash != app.State.Hash() {
		t.Errorf("state %+v, notes %q, address %s", app.State, app.Notes, browser.hash)
	}
	app.OpenHash(app.State.Hash() + "&embed=1")
	if !app.State.Embedded || browser.embeds != 1 {
		t.Errorf("embedded %v, %d embeddings", app.State.Embedded, browser.embeds)
	}
}

// TestLargeWorkWaits: what takes long is started by the button only.
func TestLargeWorkWaits(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(t, 1000))
	if browser.embeds != 1 {
		t.Fatal("a small file waits")
	}
	for name, change := range map[string]func(){
		"a large file":  func() { app.SetData(fileData(t, promptBytes+1)) },
		"many features": func() { app.SetData(fileData(t, 1000)); browser.drops = 0; app.Change("nComponents", "16777216") },
	} {
		change()
		if app.Run.Phase != Waiting || browser.drops != 1 || app.ProgressView().EmbedLabel != "Embed" {
			t.Errorf("%s: phase %d, %d dropped", name, app.Run.Phase, browser.drops)
		}
		app.Change("nComponents", "1024")
		browser.drops = 0
	}
}

func TestRoles(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(t, 1000))
	browser.embeds = 0
	app.SetLabel(1)
	if l := app.Data.Layout; l.Label() != 1 || l.Columns[3].Role != csvfile.Keep || browser.embeds != 1 {
		t.Errorf("label %d, old label is now %v, %d embeddings", l.Label(), l.Columns[3].Role, browser.embeds)
	}
	app.SetRole(0, csvfile.Ignore)
	app.SetRole(2, csvfile.Ignore)
	if app.Run.Phase != Failed || browser.embeds != 2 || browser.drops != 1 {
		t.Errorf("no feature: phase %d, message %q, %d embeddings", app.Run.Phase, app.Run.Message, browser.embeds)
	}
	app.SetRole(9, csvfile.Label) // a column of a file before
	if app.Data.Layout.Label() != 1 {
		t.Error("a column that is not there became the label")
	}
}

func TestRefusedFileChangesNothing(t *testing.T) {
	app, browser := newTestApp()
	layout := app.Data.Layout
	app.Refuse(&csvfile.Problem{File: "x.csv", What: "the file is empty", Remedy: "choose another"})
	if app.Data.Layout != layout || browser.embeds != 0 || app.OpeningView().Problem != "x.csv: the file is empty; choose another." {
		t.Errorf("problem %q", app.OpeningView().Problem)
	}
	app.Change("degree", "3")
	if app.OpeningView().Problem != "" {
		t.Error("the problem stays after the next embedding")
	}
}

// aResult is of the app's state and data.
func aResult(app *App) *Result {
	pairs := []report.Pair{{Exact: 1, Estimate: 1.5, Sigma: .5}, {Exact: 3, Estimate: 1, Sigma: .5}}
	return &Result{Embed: app.State.Embed, Layout: app.Data.Layout, Elapsed: 50 * time.Millisecond, Number: 2,
		Outcome: embedding.Outcome{Rows: 1000, Preview: []embedding.PreviewRow{{Label: "7", First: []float32{-.5, 0, 12}, NFilled: 1000, Largest: 12}}},
		Report:  &report.Report{Pairs: pairs, RMSE: 1.46, Sigma: .5, Kind: sketch.Exact}}
}

func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

func TestViews(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Run = Run{Phase: Done}
	timed := *app.Result
	timed.CorePerRow = 4 * time.Microsecond
	for _, test := range []struct{ name, got, want string }{
		{"time of the core", timed.perRow() + " " + timed.timed() + ", " + timed.timing(), "4.00 µs per row, by the core, 250,000 rows/s · whole run 50 ms"},
		{"status", app.ProgressView().Status, "Embedded 1,000 rows in 50 ms."},
		{"summary", app.PictureView().Summary, "Each dot is a pair of rows. The exact kernel runs from 1.00 to 3.00; 50.0 % of the estimates lie within ±2σ of it."},
		{"one seed", app.PictureView().OneSeed, "With this seed the error is 2.9 σ. Commonly it lies between 0.4 and 2.5 σ: the errors of all pairs move together, so one seed says little about the next."},
		{"error", app.Cards()[0].Value + ", " + app.Cards()[0].Note, "1.46, this seed, 2 pairs of rows"},
		{"sigma", app.Cards()[1].Value + " " + app.Cards()[1].Unit, "0.500 exact"},
		{"time", app.Cards()[2].Value + " " + app.Cards()[2].Unit + ", " + app.Cards()[2].Note, "50.0 µs per row, by the page, whole run 50 ms"},
		{"size", app.Cards()[3].Value + ", " + app.Cards()[3].Note, "1,000 × 1,024, float32, 4.1 MB"},
		{"preview", strings.Join(app.PreviewView().Head, " ") + " | " + strings.Join(app.PreviewView().Rows[0], " "), "digit f0 f1 f2 … | 7 −0.5000 0.0000 12.0000 …"},
		{"file", app.SavesView().Files[0].Name, "sample-digits-features.npy"},
	} {
		if plain(test.got) != test.want {
			t.Errorf("%s: got %q\nwant %q", test.name, plain(test.got), test.want)
		}
	}
	app.Result.ZeroRows, app.Result.Embed.Normalize = 3, sketch.NormalizeKernel
	if got := plain(app.PictureView().Summary); !strings.HasSuffix(got, " 3 rows have only zero features, which kernel normalisation leaves as they are.") {
		t.Errorf("zero rows: %q", got)
	}
}

// TestSparsePreview: where most features are zero, the preview says so and shows
// columns that are not.
func TestSparsePreview(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Result.Preview = []embedding.PreviewRow{
		{Label: "7", First: make([]float32, 8), Filled: []embedding.Cell{{Column: 123, Value: 1}}, NFilled: 1, Largest: 1},
		{Label: "8", First: make([]float32, 8), Filled: []embedding.Cell{{Column: 9, Value: .5}, {Column: 123, Value: -1}}, NFilled: 2, Largest: 1},
	}
	v := app.PreviewView()
	if got := strings.Join(v.Head, " ") + " | " + strings.Join(v.Rows[0], " ") + " | " + strings.Join(v.Rows[1], " "); got != "digit f9 f123 … | 7 0.0000 1.0000 … | 8 0.5000 −1.0000 …" {
		t.Errorf("got %s", got)
	}
	if !strings.HasPrefix(v.Note, "At most 2 of the 1,024 features of the rows below are not zero") {
		t.Errorf("note %q", v.Note)
	}
	app.Result.Preview = []embedding.PreviewRow{
		{First: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Filled: []embedding.Cell{{Column: 7, Value: 8}, {Column: 9, Value: .5}}, NFilled: 1024, Largest: 9},
		{First: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Filled: []embedding.Cell{{Column: 7, Value: 8}, {Column: 9, Value: .25}}, NFilled: 1024, Largest: 9},
	}
	if v := app.PreviewView(); strings.Join(v.Head, " ") != "digit f9 …" || plain(v.Note) != "The first 8 columns are of one value each. Such columns are passed over here." {
		t.Errorf("constant columns: %q, note %q", v.Head, v.Note)
	}
	app.Result.Preview = []embedding.PreviewRow{{Label: "7", First: make([]float32, 8)}}
	if v := app.PreviewView(); len(v.Head) != 10 || v.Note != "" {
		t.Errorf("a row of zeros: %+v", v)
	}
}

// TestRefusedRow: a row that the core refuses is named by file, line and what can be done.
func TestRefusedRow(t *testing.T) {
	app, _ := newTestApp()
	file := fileData(t, 1000)
	raw := app.State.Embed
	raw.Rows = RowsNone
	for _, test := range []struct {
		data    Data
		state   EmbedState
		refused embedding.RowError
		want    string
	}{
		{file, raw, embedding.RowError{Row: 7, Line: 12, Overflow: true}, "my data.csv, line 12: the features exceed what float32 holds; scale the rows to length 1, or lower gamma, coef0 or the degree."},
		{file, app.State.Embed, embedding.RowError{Row: 7, Line: 12, Overflow: true}, "my data.csv, line 12: the features exceed what float32 holds; lower gamma, coef0 or the degree."},
		{app.Data, app.State.Embed, embedding.RowError{Row: 7, Overflow: true}, "The sample, row 8: the features exceed what float32 holds; lower gamma, coef0 or the degree."},
		{file, raw, embedding.RowError{Row: 7, Line: 12, Message: "X row 7, column 2 must be finite: remove or replace NaN and infinite values, got NaN"},
			"my data.csv, line 12: the row must be finite: remove or replace NaN and infinite values, got NaN; correct it or remove it."},
	} {
		if got := test.data.Refusal(&test.refused, test.state).Error(); got != test.want {
			t.Errorf("got %q\nwant %q", got, test.want)
		}
	}
}

// TestCells: the note of the CSV says what is in a line.
func TestCells(t *testing.T) {
	for head, want := range map[string]string{
		"a,b":                "features",
		"a,label":            "label, then the features",
		"a,name":             "kept column, then the features",
		"a,name,label":       "label and kept column, then the features",
		"a,name,label,other": "label and kept columns, then the features",
	} {
		row := map[string]string{"a": "1.5", "b": "2.5", "label": "x", "name": "u", "other": "v"}
		var cells []string
		for name := range strings.SplitSeq(head, ",") {
			cells = append(cells, row[name])
		}
		l, err := csvfile.Sniff("f.csv", []byte(head+"\n"+strings.Join(cells, ",")+"\n"), true, csvfile.HasHeader)
		if err != nil {
			t.Fatal(err)
		}
		if got := cellsOf(l); got != want {
			t.Errorf("%s: got %q, want %q", head, got, want)
		}
	}
}

func TestStale(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	if app.IsStale() {
		t.Fatal("a result of the state shown is stale")
	}
	app.State.Embedded = true
	if app.IsStale() {
		t.Error("hiding the header makes the result stale")
	}
	app.State.Embed.Degree = 3
	app.Run = Run{Phase: Failed, Message: "No."}
	if !app.IsStale() || app.ProgressView().Status != "No. What is shown below is the embedding before." {
		t.Errorf("stale %v, status %q", app.IsStale(), app.ProgressView().Status)
	}
}

func TestPartial(t *testing.T) {
	app, _ := newTestApp()
	app.SetData(fileData(t, 1000))
	app.Result = aResult(app)
	app.Result.Partial = true
	app.Run = Run{Phase: Stopped, Rows: 1000}
	v := app.ProgressView()
	if plain(v.Status) != "Stopped. Everything below is about the first 1,000 rows; they can be saved." || v.EmbedLabel != "Start again" || v.CanStop {
		t.Errorf("got %+v", v)
	}
	for action, want := range map[Action]string{SaveNPY: "my data-first-1000-rows-features.npy", SaveCSV: "my data-first-1000-rows-features.csv", SaveModel: "my data-model.json"} {
		if got := app.Result.FileName(action); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestProgress: short runs are not shown; of others rate and time left are.
func TestProgress(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Run = Run{Phase: Running, Elapsed: 100 * time.Millisecond}
	if v := app.ProgressView(); v.CanStop || v.Active != nil || !strings.HasPrefix(v.Status, "Embedded") {
		t.Errorf("short: %+v", v)
	}
	app.Run = Run{Phase: Running, Rows: 12288, Done: .2, Elapsed: 2 * time.Second}
	if v := app.ProgressView(); !v.CanStop || v.Active == nil || plain(v.Figures) != "12,288 rows · 6,144 rows/s · about 8 s left" || v.Done != "0.2000" {
		t.Errorf("long: %+v", v)
	}
	app.Saving = Saving{Name: "x.csv", Done: .5}
	if v := app.ProgressView(); !v.CanStop || v.Status != "Writing x.csv." || plain(v.Figures) != "50 %" {
		t.Errorf("saving: %+v", v)
	}
}

func TestHide(t *testing.T) {
	app, _ := newTestApp()
	app.State.Hide = "method,degree,gamma,coef0,seed,data,save"
	groups := app.RailView().Groups
	if len(groups) != 2 || groups[0].ID != "sketch" || len(groups[0].Fields) != 2 {
		t.Errorf("groups %+v", groups)
	}
	if app.OpeningView().CanChoose || !app.SavesView().Hidden || app.PictureView().CanReseed {
		t.Error("data, save or seed is shown")
	}
}

func TestSliders(t *testing.T) {
	app, _ := newTestApp()
	for components, want := range map[int]int{1: 4, 100: 7, 1024: 10, 1 << 24: 14} {
		app.State.Embed.NComponents = components
		if got := app.Field("nComponents").Slider.At; got != want {
			t.Errorf("D %d: slider at %d, want %d", components, got, want)
		}
	}
	for position, want := range map[string]string{"4": "16", "14": "16384"} {
		if app.Slide("nComponents", position); app.State.Get("nComponents") != want {
			t.Errorf("position %s: %s, want %s", position, app.State.Get("nComponents"), want)
		}
	}
	if app.Slide("degree", "5"); app.State.Embed.Degree != 5 {
		t.Errorf("degree: %d", app.State.Embed.Degree)
	}
}

// TestColumnsHTML: names and cells of a file are text, never markup.
func TestColumnsHTML(t *testing.T) {
	l, err := csvfile.Sniff("f.csv", []byte("a,<script>,\"\"\"x\"\"\"\n1,<b>,y\n2,<i>,z\n"), true, csvfile.GuessHeader)
	if err != nil {
		t.Fatal(err)
	}
	for _, html := range []string{columnsHTML(l), labelHTML(l)} {
		for _, bad := range []string{"<script", "<b>", "<i>", `"x"`} {
			if strings.Contains(html, bad) {
				t.Errorf("%s in %s", bad, html)
			}
		}
	}
	for content, want := range map[string]string{
		"a,b\n1,2\n3,x\n5,6\n":      "<td>integer; 1\u00a0cell is not a number</td>",
		"a,b\n1,2\n3,x\n5,\n7,8\n":  "<td>integer; 2\u00a0cells are not numbers</td>",
		"a,b\n1,x\n3,y\n5,\n7,zz\n": "<td>text; 1\u00a0cell empty</td>",
	} {
		odd, err := csvfile.Sniff("f.csv", []byte(content), true, csvfile.GuessHeader)
		if err != nil {
			t.Fatal(err)
		}
		if html := columnsHTML(odd); !strings.Contains(html, want) {
			t.Errorf("%q is not in %s", want, html)
		}
	}
	if html := columnsHTML(l); !strings.Contains(html, "&lt;script&gt;") || !strings.Contains(html, `<option selected>keep</option>`) {
		t.Errorf("got %s", html)
	}
}

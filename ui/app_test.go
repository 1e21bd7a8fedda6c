package main

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"tensorsketch.example/dataset/columns"
	"tensorsketch.example/sketch"
	"tensorsketch.example/test/golden"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/sample"
	"tensorsketch.example/ui/internal/table"
)

// A fakeBrowser counts what it is asked for.
type fakeBrowser struct {
	hash                 string
	embeds, stops, drops int
	learns               int
	done                 []Action
	entries              int // of the history
	plays, estimates     int
	shown                int // pictures scrolled to
	title                string
	turned               int // steps that the page around the iframe is asked to turn
	calm                 bool
}

func (b *fakeBrowser) ShowHash(hash string, entry bool) {
	b.hash = hash
	if entry {
		b.entries++
	}
}
func (b *fakeBrowser) Embed()                 { b.embeds++ }
func (b *fakeBrowser) Learn()                 { b.learns++ }
func (b *fakeBrowser) LearnDetail()           {}
func (b *fakeBrowser) Stop()                  { b.stops++ }
func (b *fakeBrowser) Drop()                  { b.drops++ }
func (b *fakeBrowser) Do(action Action)       { b.done = append(b.done, action) }
func (b *fakeBrowser) RandomSeed() uint64     { return 42_000_007 }
func (b *fakeBrowser) Play()                  { b.plays++ }
func (b *fakeBrowser) Estimate()              { b.estimates++ }
func (b *fakeBrowser) IsCalm() bool           { return b.calm }
func (b *fakeBrowser) ShowPicture()           { b.shown++ }
func (b *fakeBrowser) TurnParent(by int)      { b.turned += by }
func (b *fakeBrowser) ShowTitle(place string) { b.title = place }

// embedState returns the state that Embed opens with.
func embedState() State {
	s := DefaultState()
	s.Place = PlaceEmbed
	return s
}

func newTestApp() (*App, *fakeBrowser) {
	browser := &fakeBrowser{}
	app := NewApp("#/embed")
	app.Browser = browser
	app.SetData(embed.Data{Layout: sampleLayout})
	browser.embeds = 0
	return app, browser
}

// withDefaults returns a copy in which every column has the initial settings of its role.
func withDefaults(l *table.Layout) *table.Layout {
	return l.WithEach(func(c *table.Column) { c.Column = columns.NewColumn(c.Name, c.Role) })
}

// fileData is a file of that size, with two features, a kept column and a label.
func fileData(bytes int) embed.Data {
	l := &table.Layout{Name: "my data.csv", Stem: "my data", Format: "csv", Compression: "none", Rows: 3,
		BytesPerRow: 8, Columns: []table.Column{
			column("a", columns.Integer, columns.AsNumber, ""), column("name", columns.Text, columns.AsKept, ""),
			column("b", columns.Integer, columns.AsNumber, ""), column("label", columns.Text, columns.AsLabel, ""),
		}}
	l.Reading = columns.Reading{Format: "csv", Compression: columns.NoCompression, Encoding: columns.UTF8, Delimiter: ",",
		Quote: new(`"`), Decimal: ".",
		Thousands: new(""), Header: new(true), Dates: columns.ISODates}
	l.Guessed = []string{"delimiter", "decimal"}
	return embed.Data{Layout: withDefaults(l), Bytes: bytes}
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

// TestRefusal: a bad value stays in its field with the core's message and the field's label, the page
// keeps the last good one, and a good one heals it.
func TestRefusal(t *testing.T) {
	app, browser := newTestApp()
	for text, want := range map[string]string{
		"0":   "Degree p must be an integer from 1 to 64, got 0",
		"abc": `Degree p must be an integer from 1 to 64, got "abc"`,
	} {
		app.Change("degree", text)
		if field := app.Field("degree"); field.Text != text || field.Error != want || app.State.Embed.Degree != 2 ||
			browser.embeds != 0 {
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
	app.Press(embed.SaveFeatures + "npy")
	app.Press(Stop)
	app.Press(EmbedNow)
	if len(browser.done) != 1 || browser.done[0] != embed.SaveFeatures+"npy" || browser.stops != 1 || browser.embeds != 2 {
		t.Errorf("browser was asked %+v", browser)
	}
}

func TestRescue(t *testing.T) {
	app, _ := newTestApp()
	app.Browser = nil
	(&Root{App: app}).press(PressEvent{Stop})
	if app.Run.Phase != embed.Failed || !strings.HasPrefix(app.Run.Message, "Something went wrong in this page: ") {
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

// TestShownRows: of what takes long the first rows are shown, embedded without being asked.
func TestShownRows(t *testing.T) {
	app, browser := newTestApp()
	for name, test := range map[string]struct {
		data       embed.Data
		components string
		want       int
	}{
		"the sample":         {embed.Data{Layout: sampleLayout}, "1024", 0},
		"a small file":       {fileData(1000), "1024", 0},
		"a large file":       {fileData(embed.ShownBytes + 1), "1024", embed.ShownMost},
		"many features":      {fileData(1000), "1048576", embed.ShownFeatures >> 22},
		"features that fill": {fileData(1000), "16777216", 4},
	} {
		browser.embeds = 0
		app.SetData(test.data)
		app.Change("nComponents", test.components)
		if got := app.ShownRows(); got != test.want || browser.embeds == 0 || browser.drops > 0 {
			t.Errorf("%s: %d rows are shown, want %d; %d embeddings, %d dropped", name, got, test.want, browser.embeds,
				browser.drops)
		}
		app.Change("nComponents", "1024")
	}
	zipped := fileData(embed.ShownBytes / 2)
	zipped.Layout.Compression = "gzip"
	if app.SetData(zipped); app.ShownRows() != embed.ShownMost {
		t.Error("a compressed file counts as it is on the disk")
	}
}

func TestRoles(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(1000))
	browser.embeds = 0
	app.SetLabel(1)
	if l := app.Data.Layout; l.Label() != 1 || l.Columns[3].Role != columns.AsKept || browser.embeds != 1 {
		t.Errorf("label %d, old label is now %v, %d embeddings", l.Label(), l.Columns[3].Role, browser.embeds)
	}
	app.SetColumn(0, "role", "ignore", false)
	app.SetColumn(2, "role", "ignore", false)
	if app.Run.Phase != embed.Failed || browser.embeds != 2 || browser.drops != 1 {
		t.Errorf("no feature: phase %d, message %q, %d embeddings", app.Run.Phase, app.Run.Message, browser.embeds)
	}
	app.SetColumn(9, "role", "label", false) // a column of a file before
	if app.Data.Layout.Label() != 1 {
		t.Error("a column that is not there became the label")
	}
}

func column(name string, t columns.Type, role columns.Role, example string) table.Column {
	return table.Column{Column: columns.NewColumn(name, role), Type: t, Example: example}
}

// TestColumnSettings: what a field of a column sets, and what changes nothing.
func TestColumnSettings(t *testing.T) {
	app, browser := newTestApp()
	app.SetData(fileData(1000))
	column := func(i int) *table.Column { return &app.Data.Layout.Columns[i] }
	app.EditColumn(0)
	for _, test := range []struct {
		column         int
		setting, value string
		checked        bool
		want           string
	}{
		{0, "scaling", "standard", false, "standardised; rows with an empty cell are left out"},
		{0, "missing", "constant", false, "standardised; empty cells count as 0"},
		{0, "fill", "-2.5", false, "standardised; empty cells count as -2.5"},
		{0, "fill", "x", false, "standardised; empty cells count as -2.5"},
		{1, "role", "category", false, "one coordinate per value; an empty cell is none of them"},
		{1, "hashed", "64", false, "hashed into 64; an empty cell is none of them"},
		{1, "role", "date", false, "days; rows with an empty cell are left out"},
		{1, "part", "days", false, "days; rows with an empty cell are left out"},
		{1, "part", "week", true, "days, week; rows with an empty cell are left out"},
		{1, "scaling", "min-max", false, "days, week; scaled to 0…1; rows with an empty cell are left out"},
		{1, "part", "days", false, "week; rows with an empty cell are left out"},
		{1, "role", "words", false, "words, hashed into 262,144"},
		{1, "words", "0-0", false, "words, hashed into 262,144"},
		{1, "chars", "3-5", false, "words and runs of 3 to 5 characters, hashed into 262,144"},
		{1, "words", "0-0", false, "runs of 3 to 5 characters, hashed into 262,144"},
		{1, "words", "1-2", false, "runs of 1 to 2 words and runs of 3 to 5 characters, hashed into 262,144"},
		{1, "chars", "3-3", false, "runs of 1 to 2 words and runs of 3 characters, hashed into 262,144"},
		{1, "words", "0-0", false, "runs of 3 characters, hashed into 262,144"},
		{1, "chars", "3-5", false, "runs of 3 to 5 characters, hashed into 262,144"},
		{1, "width", "1024", false, "runs of 3 to 5 characters, hashed into 1,024"},
	} {
		before, layout := browser.embeds, app.Data.Layout
		was := layout.Columns[test.column].Describe()
		app.SetColumn(test.column, test.setting, test.value, test.checked)
		if got := column(test.column).Describe(); got != test.want {
			t.Errorf("%s %s: %q, want %q", test.setting, test.value, got, test.want)
		}
		if got := layout.Columns[test.column].Describe(); got != was {
			t.Errorf("%s %s: the column before was changed in place, from %q to %q", test.setting, test.value, was, got)
		}
		if changed := app.Data.Layout != layout; changed != (browser.embeds == before+1) {
			t.Errorf("%s %s: changed %v, %d embeddings", test.setting, test.value, changed, browser.embeds-before)
		}
	}
	if app.Editing != 1 {
		t.Errorf("the settings of column %d are shown", app.Editing-1)
	}
	app.SetAll("missing", "zero")
	app.SetAll("scaling", "min-max")
	if got := column(2).Describe(); got != "scaled to 0…1; empty cells count as 0" {
		t.Errorf("set for all: %q", got)
	}
	app.SetColumn(0, "role", "ignore", false)
	if app.Editing != 0 {
		t.Error("the settings of a column without any are shown")
	}
}

// A file that cannot be read has its name and error shown; what was embedded of others goes.
func TestRefusedFile(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Refuse("x.csv", 0, embed.Reading{}, &table.Problem{File: "x.csv", What: "the file is empty",
		Remedy: "choose another"})
	for range 2 {
		if v := app.RowsView(); v.Problem != "x.csv: the file is empty; choose another." || v.Name != "x.csv" ||
			v.IsSample || plain(v.Origin) != "0 bytes. It could not be read." {
			t.Errorf("the page shows %+v", v)
		}
		if app.Result != nil || !app.SavesView().Disabled {
			t.Error("the result before stays, or can be saved")
		}
		app.Change("degree", "3")
	}
}

// A file whose embedding fails has no features of the file before.
func TestFailedFile(t *testing.T) {
	app, browser := newTestApp()
	app.Result = aResult(app)
	if app.SavesView().Disabled {
		t.Error("features that are shown cannot be saved")
	}
	app.SetData(fileData(100))
	if !app.SavesView().Disabled || browser.embeds == 0 {
		t.Error("features of the file before can be saved under the name of the new one")
	}
	app.FailRun("my data.csv, line 2: no.")
	if app.Result != nil || len(app.PreviewView().Rows) > 0 || !app.SavesView().Disabled {
		t.Error("the result before stays, or can be saved")
	}
	app.Result = aResult(app)
	app.FailRun("gamma is too large.")
	if app.Result == nil || !app.SavesView().Disabled {
		t.Error("of the same file, the result before shall stay, and nothing can be saved")
	}
}

// One column that outweighs all others is named.
func TestHeaviest(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Result.Heaviest = embed.Share{Column: "income", Of: .9999}
	if got, want := plain(app.PictureView().Warning),
		"The column \"income\" makes up more than 99.9 % of the squared length of the rows, so the "+
			"kernel hardly sees the others. "+
			"Under Rows, scale numbers to 0…1, or ignore \"income\"."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	app.Result.Heaviest.Of = .9
	if got := app.PictureView().Warning; got != "" {
		t.Errorf("of nine tenths it says %q", got)
	}
}

// Of many columns every one can be found, listed and used.
func TestFindColumns(t *testing.T) {
	app, _ := newTestApp()
	l := &table.Layout{Name: "wide.csv", Format: "csv", Compression: "none", Rows: 5, Scaling: columns.MinMax}
	for i := range 5000 {
		l.Columns = append(l.Columns, table.Column{Column: columns.NewColumn("c"+strconv.Itoa(i), columns.AsNumber),
			Type: columns.Number})
	}
	l.Columns[4321].Type, l.Columns[4321].Role = columns.Text, columns.AsKept
	app.SetData(embed.Data{Layout: l, Bytes: 100})
	for _, test := range []struct {
		text, said string
		first      int
	}{
		{"", "5,000 columns found.", 0},
		{" C4321", "1 column found.", 4321},
		{"text", "1 column found.", 4321},
		{"keep", "1 column found.", 4321},
		{"c49", "111 columns found.", 49},
		{"nothing", "0 columns found.", -1},
	} {
		app.FindColumns(test.text)
		shown := app.Find.Of(app.Data.Layout)
		said := embed.FoundText(len(shown))
		if plain(said) != test.said || (len(shown) > 0) != (test.first >= 0) || len(shown) > 0 && shown[0] != test.first {
			t.Errorf("%q: %q, %v", test.text, said, shown)
		}
	}
	app.FindColumns("c49")
	app.SetFound("ignore")
	if n := app.Data.Layout.Count(columns.AsIgnored); n != 111 {
		t.Errorf("%d columns are ignored, want those found", n)
	}
	app.SetFound("number")
	if c := app.Data.Layout.Columns[49]; c.Role != columns.AsNumber || c.Scaling != columns.MinMax {
		t.Errorf("a number again: %+v", c)
	}
}

// aResult is of the app's state and data.
func aResult(app *App) *embed.Result {
	pairs := []embed.Pair{{Exact: 1, Estimate: 1.5, Sigma: .5}, {Exact: 3, Estimate: 1, Sigma: .5}}
	return &embed.Result{Generation: app.Data.Generation, Embed: app.State.Embed, Layout: app.Data.Layout,
		Elapsed: 50 * time.Millisecond, Number: 2, NFeatures: sample.Features,
		Rows: 1000, Preview: []embed.Row{{Label: "7", First: []float32{-.5, 0, 12},
			NFilled: 1000, Largest: 12}},
		Report: &embed.Report{Pairs: pairs, RMSE: 1.46, Sigma: .5, Kind: sketch.Exact}}
}

func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

func TestViews(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Run = embed.Run{Phase: embed.Done}
	timed := *app.Result
	timed.CorePerRow = 4 * time.Microsecond
	untimed := app.Result
	app.Result = &timed
	core := app.Cards()[2]
	app.Result = untimed
	for _, test := range []struct{ name, got, want string }{
		{"time of the core", core.Value + " " + core.Unit + ", " + core.Note,
			"4.00 µs per row, by the core, 250,000 rows/s · whole run 50 ms"},
		{"status", app.ProgressView().Status, "Embedded 1,000 rows in 50 ms."},
		{"summary", app.PictureView().Summary, "Each dot is a pair of rows. The exact kernel runs from 1.00 to 3.00; 50.0 " +
			"% of the estimates lie within ±2σ of it."},
		{"one seed", app.PictureView().OneSeed, "With this seed the error is 2.9 σ. Commonly it lies between 0.4 and 2.5 " +
			"σ: the errors of all pairs move together, so one seed says little about the next."},
		{"error", app.Cards()[0].Value + ", " + app.Cards()[0].Note, "1.46, this seed, 2 pairs of rows"},
		{"sigma", app.Cards()[1].Value + " " + app.Cards()[1].Unit, "0.500 exact"},
		{"time", app.Cards()[2].Value + " " + app.Cards()[2].Unit + ", " + app.Cards()[2].Note,
			"50.0 µs per row, by the page, whole run 50 ms"},
		{"size", app.Cards()[3].Value + ", " + app.Cards()[3].Note, "1,000 × 1,024, float32, 4.1 MB"},
		{"preview", strings.Join(app.PreviewView().Head, " ") + " | " + strings.Join(app.PreviewView().Rows[0], " "),
			"digit f0 f1 f2 … | 7 −0.5000 0.0000 12.0000 …"},
		{"file", app.SavesView().Files[0].Name, "sample-digits-features.npy"},
	} {
		if plain(test.got) != test.want {
			t.Errorf("%s: got %q\nwant %q", test.name, plain(test.got), test.want)
		}
	}
	app.Result.ZeroRows, app.Result.Embed.Normalize = 3, sketch.NormalizeKernel
	if got := plain(app.PictureView().Summary); !strings.HasSuffix(got,
		" 3 rows have only zero features, which kernel normalisation leaves as they are.") {
		t.Errorf("zero rows: %q", got)
	}
}

// TestSparsePreview: where most features are zero, the preview says so and shows
// columns that are not.
func TestSparsePreview(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Result.Preview = []embed.Row{
		{Label: "7", First: make([]float32, 8), Filled: []embed.Cell{{Column: 123, Value: 1}}, NFilled: 1, Largest: 1},
		{Label: "8", First: make([]float32, 8), Filled: []embed.Cell{{Column: 9, Value: .5}, {Column: 123, Value: -1}},
			NFilled: 2, Largest: 1},
	}
	v := app.PreviewView()
	if got := strings.Join(v.Head, " ") + " | " + strings.Join(v.Rows[0], " ") + " | " +
		strings.Join(v.Rows[1], " "); got != "digit f9 f123 … | 7 0.0000 1.0000 … | 8 0.5000 −1.0000 …" {
		t.Errorf("got %s", got)
	}
	if !strings.HasPrefix(v.Note, "At most 2 of the 1,024 features of the rows below are not zero") {
		t.Errorf("note %q", v.Note)
	}
	app.Result.Preview = []embed.Row{
		{First: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Filled: []embed.Cell{{Column: 7, Value: 8}, {Column: 9, Value: .5}},
			NFilled: 1024, Largest: 9},
		{First: []float32{1, 2, 3, 4, 5, 6, 7, 8}, Filled: []embed.Cell{{Column: 7, Value: 8}, {Column: 9, Value: .25}},
			NFilled: 1024, Largest: 9},
	}
	if v := app.PreviewView(); strings.Join(v.Head, " ") != "digit f9 …" ||
		plain(v.Note) != "The first 8 columns are of one value each. Such columns are passed over here." {
		t.Errorf("constant columns: %q, note %q", v.Head, v.Note)
	}
	app.Result.Preview = []embed.Row{{Label: "7", First: make([]float32, 8)}}
	if v := app.PreviewView(); len(v.Head) != 10 || v.Note != "" {
		t.Errorf("a row of zeros: %+v", v)
	}
}

// TestRefusedRow: a row that the core refuses is named by file, line and what can be done, which depends on the method.
func TestRefusedRow(t *testing.T) {
	app, _ := newTestApp()
	file := fileData(1000)
	const finite = "X row 7, column 2 must be finite: remove or replace NaN and infinite values, got NaN"
	const unit = `X row 7 must have norm 1 for method "spherical": divide it by its norm, got ‖x‖² = 14`
	for _, test := range []struct {
		data          embed.Data
		method, rows  string
		message, want string // the message is empty where features exceed float32
	}{
		{file, sketch.MethodTensorSketch, embed.RowsNone, "", "my data.csv, line 12: the features exceed what float32 " +
			"holds; scale the rows to length 1, or lower gamma, coef0 or the degree."},
		{file, sketch.MethodTensorSketch, embed.RowsUnit, "", "my data.csv, line 12: the features exceed what float32 " +
			"holds; lower gamma, coef0 or the degree."},
		{app.Data, sketch.MethodTensorSketch, embed.RowsUnit, "", "The sample, row 12: the features exceed what float32 " +
			"holds; lower gamma, coef0 or the degree."},
		{file, sketch.MethodTensorSketch, embed.RowsNone, finite, "my data.csv, line 12: the row must be finite: remove or " +
			"replace NaN and infinite values, got NaN; correct it or remove it."},
		{file, sketch.MethodSpherical, embed.RowsNone, unit, "my data.csv, line 12: the row is not of length 1, which " +
			"spherical features need; choose Rows: length 1."},
		{file, sketch.MethodSpherical, embed.RowsUnit, unit, "my data.csv, line 12: the row is all zeros, which no scaling " +
			"brings to length 1; remove it."},
		{file, sketch.MethodCountSketch, embed.RowsNone, "", "my data.csv, line 12: the features exceed what float32 " +
			"holds; scale the rows to length 1, or lower gamma or coef0."},
		{file, sketch.MethodTaylorSketch, embed.RowsUnit, "", "my data.csv, line 12: the features exceed what float32 " +
			"holds; lower gamma."},
	} {
		e := app.State.Embed
		e.Method, e.Rows = test.method, test.rows
		refused := &embed.RowError{Place: 12, Overflow: test.message == "", Message: test.message}
		if got := test.data.Refusal(refused, e).Error(); got != test.want {
			t.Errorf("got %q\nwant %q", got, test.want)
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
	app.Run = embed.Run{Phase: embed.Failed, Message: "No."}
	if !app.IsStale() || app.ProgressView().Status != "No. What is shown is the embedding before." {
		t.Errorf("stale %v, status %q", app.IsStale(), app.ProgressView().Status)
	}
}

func TestPartial(t *testing.T) {
	app, _ := newTestApp()
	app.SetData(fileData(10 * embed.ShownBytes))
	app.Result = aResult(app)
	app.Result.Partial = true
	app.Run = embed.Run{Phase: embed.Done}
	if got := plain(app.ProgressView().Status); got !=
		"Embedded the first 1,000 rows of about 41,943,040 in 50 ms, to show here. Saving embeds all." {
		t.Errorf("got %q", got)
	}
	app.Run = embed.Run{Phase: embed.Stopped, Rows: 1000}
	v := app.ProgressView()
	if plain(v.Status) != "Stopped. What is shown is about the first 1,000 rows. Saving embeds all." ||
		v.EmbedLabel != "Start again" || v.Stop != "" {
		t.Errorf("got %+v", v)
	}
	if got := plain(app.SavesView().Files[0].Note); got != "about 172 GB" {
		t.Errorf("got %q", got)
	}
}

// TestJobs: what was left half way can be gone on with, saved or removed, what is done saved or removed.
func TestJobs(t *testing.T) {
	app, browser := newTestApp()
	app.Jobs = []embed.Job{{ID: "a1", File: "x.csv", Stem: "x", Format: "npy", Rows: 1000, Bytes: 4096},
		{ID: "b2", File: "y.csv", Stem: "y", Format: "csv", Rows: 5, Bytes: 100, Done: true},
		{ID: "c3", File: "z.csv", Stem: "z", Format: "csv"}, {ID: "d4", File: "w.csv", Stem: "w", Format: "csv", Rows: 7,
			Written: true}}
	views := app.SavesView().Jobs
	for i, want := range []struct {
		name                 string
		canContinue, canSave bool
	}{
		{"x-first-1000-rows-features.npy", true, true},
		{"y-features.csv", false, true},
		{"z-features.csv", true, false},
		{"w-first-7-rows-features.csv", false, false},
	} {
		v, can := views[i], map[string]bool{}
		for _, button := range v.Buttons {
			can[button.Label] = true
		}
		golden.Say(t, want.name, plain(v.Note))
		if app.Jobs[i].FileName() != want.name ||
			can["Go on"] != want.canContinue || can["Save these rows"] != want.canSave ||
			can["Remove"] == app.Jobs[i].Written {
			t.Errorf("%s: %+v", app.Jobs[i].FileName(), v)
		}
	}
	where := func(place string) {
		golden.Say(t, place, app.SavesView().Where+"; "+app.Left("x-features.npy")+"; "+plain(app.SavesView().Jobs[0].Note))
	}
	where("in the browser")
	app.Jobs[0].InMemory = true
	where("in memory")
	app.Saving = embed.Saving{Name: "x.csv", Job: "a1", Waiting: 1}
	if v := app.SavesView().Jobs; len(v[0].Buttons) != 0 || len(v[1].Buttons) == 0 {
		t.Errorf("the job being written has buttons: %+v", v)
	}
	where("being written")
	golden.Say(t, "waiting", app.SavingView().Status+embed.Dropped(1)+embed.Dropped(2)+embed.Dropped(0))
	app.Press(embed.ContinueJob + "a1")
	if browser.done[0] != "continue-a1" {
		t.Errorf("the browser was asked %q", browser.done)
	}
}

// TestReleaseOfOtherTab: a finished release stays as long as the tab that made it, which alone knows its file's name.
func TestReleaseOfOtherTab(t *testing.T) {
	app, _ := newTestApp()
	for file, tab := range map[string]string{"x.csv": "this tab", "": "the tab that made it"} {
		app.Jobs = []embed.Job{{ID: "a1", File: file, Format: "npy", Rows: 5, Done: true, Release: "rows"}}
		note := app.SavesView().Jobs[0].Note
		if want := "Save it before you close or reload " + tab + ": "; !strings.Contains(note, want) {
			t.Errorf("of the file %q: %q, want %q in it", file, note, want)
		}
	}
}

// TestProgress: short runs are not shown; of others rate and time left are.
func TestProgress(t *testing.T) {
	app, _ := newTestApp()
	app.Result = aResult(app)
	app.Run = embed.Run{Phase: embed.Running, Elapsed: 100 * time.Millisecond}
	if v := app.ProgressView(); v.Stop != "" || v.Active != nil || !strings.HasPrefix(v.Status, "Embedded") {
		t.Errorf("short: %+v", v)
	}
	app.Run = embed.Run{Phase: embed.Running, Rows: 12288, Done: .2, Elapsed: 2 * time.Second}
	if v := app.ProgressView(); v.Stop != embed.Stop || v.Active == nil ||
		plain(v.Figures) != "12,288 rows · 6,144 rows/s · about 8 s left" || v.Done != "0.2000" {
		t.Errorf("long: %+v", v)
	}
	for name, saving := range map[string]embed.Saving{
		"first pass":           {Name: "x.csv", Done: .5, FirstPass: true},
		"first pass, paused":   {Name: "x.csv", Done: .5, FirstPass: true, Paused: true},
		"writing":              {Name: "x.csv", Done: .5, Rows: 3000, Before: 1000, Elapsed: 2 * time.Second},
		"writing, paused":      {Name: "x.csv", Done: .5, Rows: 3000, Paused: true},
		"writing a small file": {Name: "x.csv", Done: 1, Rows: 3000, Of: 6000, Elapsed: 2 * time.Second},
	} {
		app.Saving = saving
		v := app.SavingView()
		golden.Say(t, name, v.Status+"; "+plain(v.Figures)+"; "+v.PauseLabel)
		if got := app.LearnFileView().Status; !strings.HasSuffix(got, " Embed: "+v.Status) {
			t.Errorf("%s: Learn says %q", name, got)
		}
		if v.Stop != embed.StopSaving {
			t.Errorf("saving: %+v", v)
		}
	}
	app.Saving = embed.Saving{Message: "Saved.", Unseen: true}
	elsewhere := func() bool { return strings.HasSuffix(app.LearnFileView().Status, " Embed: "+app.SavingView().Status) }
	if !elsewhere() {
		t.Errorf("Learn does not say how the file ended: %q", app.LearnFileView().Status)
	}
	app.OpenHash("#/embed")
	app.OpenHash("#/learn?half=file")
	if elsewhere() {
		t.Errorf("Learn still says how the file ended, which Embed has shown: %q", app.LearnFileView().Status)
	}
}

// TestRowsToWrite: a small file is read long before its rows are written. The bar was at its end and the time left 0 s
// while most rows had yet to be written.
func TestRowsToWrite(t *testing.T) {
	app, _ := newTestApp()
	for _, c := range []struct {
		bytes, unused int
		compression   string
		want          int
	}{{4000, 0, "none", 1000}, {4000, 1000, "none", 500}, {4000, 0, "gzip", 0}, {1 << 30, 0, "none", 0}} {
		layout := *sampleLayout
		layout.BytesPerRow, layout.Total, layout.Compression = 4, 0, c.compression
		app.Data.Bytes, app.Data.Layout = c.bytes, &layout
		app.Result = &embed.Result{Rows: 1000, Counts: table.Counts{Unused: c.unused}}
		if got := app.RowsToWrite(); got != c.want {
			t.Errorf("%+v: %d rows", c, got)
		}
	}
}

// TestFileGoesAlong: from a file in Embed, Learn opens the half that learns from it. It opened the plane.
func TestFileGoesAlong(t *testing.T) {
	app, _ := newTestApp()
	learn := func() string {
		for _, link := range app.HeaderView().Places {
			if link.Label == "Learn" {
				return link.Link
			}
		}
		return ""
	}
	if got := learn(); strings.Contains(got, "half=file") {
		t.Errorf("from the sample Learn is at %s", got)
	}
	app.SetData(fileData(4000))
	if got := learn(); !strings.Contains(got, "half=file") {
		t.Errorf("from a file Learn is at %s", got)
	}
	app.OpenHash("#/buckets")
	if got := learn(); strings.Contains(got, "half=file") {
		t.Errorf("from Buckets Learn is at %s", got)
	}
}

func TestHide(t *testing.T) {
	app, _ := newTestApp()
	app.State.Hide = "method,degree,gamma,coef0,seed,release,data,save"
	groups := app.RailView().Groups
	if len(groups) != 2 || groups[0].ID != "sketch" || len(groups[0].Fields) != 2 {
		t.Errorf("groups %+v", groups)
	}
	if app.RowsView().CanChoose || !app.SavesView().Hidden || app.PictureView().CanReseed {
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

// listedHTML has the rows of all columns.
func listedHTML(l *table.Layout) (html string) {
	for i := range l.Columns {
		html += embed.RowHTML(i, i, &l.Columns[i])
	}
	return html
}

// The page said that a date with empty cells was not learned from while the model that the search found did use it.
func TestColumnsText(t *testing.T) {
	l := &table.Layout{Columns: []table.Column{column("id", columns.Text, columns.AsKept, ""),
		column("day", columns.Date, columns.AsKept, ""), column("size", columns.Number, columns.AsNumber, ""),
		column("price", columns.Number, columns.AsLabel, "")}}
	found := &learn.Found{Used: []string{"day", "size"}}
	const want = "Learned from: day, size. Not learned from: id. The curve does not use day. Rows are as they are."
	head := &learn.Head{Unused: []string{"id"}}
	if got := columnsText(l, head, found); got != want {
		t.Error(got)
	}
	if got := columnsText(l, head, nil); !strings.HasPrefix(got, "Learned from: size. Not learned from: id, day. Rows") {
		t.Error(got)
	}
	if got := columnsText(l, new(learn.Head), nil); !strings.HasPrefix(got, "Learned from: id, size. Not") {
		t.Error(got) // all rows showed a use of the texts
	}
}

// TestColumnsHTML: names and cells of a file are text, never markup.
func TestColumnsHTML(t *testing.T) {
	l := &table.Layout{Format: "csv", Columns: []table.Column{column("a", columns.Integer, columns.AsNumber, ""),
		column("<script>", columns.Text, columns.AsCategory, "<b>"), column(`"x"`, columns.Text, columns.AsKept, "<i>")}}
	l = withDefaults(l)
	for _, html := range []string{embed.ColumnsHTML(l, embed.Reading{}, "") + listedHTML(l), embed.LabelHTML(l, "Label"),
		embed.ColumnHTML(1, &l.Columns[1])} {
		for _, bad := range []string{"<script", "<b>", "<i>", `"x"`} {
			if strings.Contains(html, bad) {
				t.Errorf("%s in %s", bad, html)
			}
		}
	}
	html := embed.ColumnsHTML(l, embed.Reading{}, "") + listedHTML(l)
	for _, want := range []string{"&lt;script&gt;", "<option selected>keep</option>"} {
		if !strings.Contains(html, want) {
			t.Errorf("%s is not in %s", want, html)
		}
	}
	if mixed := l.WithColumn(0, func(c *table.Column) { c.Missing = columns.Refuse }); !strings.Contains(embed.ColumnsHTML(
		mixed, embed.Reading{}, "")+listedHTML(mixed), "selected disabled>mixed</option>") {
		t.Error("columns that differ have a setting for all")
	}
}

// A frame and a page without its data offer neither a file nor going offline.
func TestGoOfflineIsOffered(t *testing.T) {
	for hash, want := range map[string]bool{"#/embed": true, "#/embed?embed=1": false, "#/embed?hide=data": false,
		"#/embed?hide=save": true} {
		app := NewApp(hash)
		app.Data.Layout = sampleLayout
		if got := (&Rows{View: app.RowsView(), Alone: !app.State.Embedded}).CanGoOffline(); got != want {
			t.Errorf("%s: %v, want %v", hash, got, want)
		}
	}
}

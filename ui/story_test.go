package main

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
)

// TestSteps: each step opens without a note in a place with a picture or the half of a file; its link and the link
// after a change come back as they were; free play has the same state, and one press comes back.
func TestSteps(t *testing.T) {
	for n := 1; n <= len(steps); n++ {
		link := "#/start/" + strconv.Itoa(n)
		if _, notes := DefaultState().Follow(steps[n-1].link); len(notes) > 0 {
			t.Errorf("step %d: %q", n, notes)
		}
		app := NewApp(link)
		app.Browser = &fakeBrowser{}
		v := app.ThreadView()
		if app.State.Step != n || app.State.Hash() != link || len(app.Notes) > 0 || v.Title == "" || v.Do == "" {
			t.Errorf("%s opens %q with notes %q", link, app.State.Hash(), app.Notes)
		}
		if (app.Picture() == nil) != app.State.IsHalf(HalfFile) {
			t.Errorf("%s has picture %v", link, app.Picture() != nil)
		}
		if words := len(strings.Fields(v.Says)); words > 60 {
			t.Errorf("step %d has %d words", n, words)
		}
		name := "nComponents"
		p := app.State.parameter(name)
		change := map[bool]string{true: "16", false: "32"}[p.Get() != "16"]
		app.Change(name, change)
		changed := app.State.Hash()
		again, notes := ParseHash(changed)
		if !strings.HasPrefix(changed, link+"?") || again != app.State || len(notes) > 0 {
			t.Errorf("step %d after a change has the link %s, which gives notes %q", n, changed, notes)
		}
		before := app.State
		app.OpenHash(linkNamed(t, app.ThreadView(), "Explore freely"))
		if got, want := app.State.Get(name), change; got != want || app.State.Step != 0 || app.State.Place != before.Place {
			t.Errorf("step %d in free play: %s, D %s, want %s", n, app.State.Hash(), got, want)
		}
		app.OpenHash(linkNamed(t, app.ThreadView(), "Back to step"))
		if app.State != before {
			t.Errorf("step %d comes back as %s, want %s", n, app.State.Hash(), before.Hash())
		}
		if app.Press(Reset); app.State.Hash() != link {
			t.Errorf("Reset in step %d leads to %s", n, app.State.Hash())
		}
	}
	for link, note := range map[string]string{"#/start/0": "no place", "#/start/8": "no place", "#/start/01": "no place",
		"#/nowhere": "no place"} {
		if s, notes := ParseHash(link); s != DefaultState() || len(notes) != 1 || !strings.Contains(notes[0], note) {
			t.Errorf("%s gives %+v, %q", link, s.Hash(), notes)
		}
	}
}

func linkNamed(t *testing.T, v ThreadView, label string) string {
	t.Helper()
	for _, link := range v.Links {
		if strings.HasPrefix(link.Label, label) {
			return link.Link
		}
	}
	t.Fatalf("no link %q among %v", label, v.Links)
	return ""
}

// TestTurn: a clicker goes through all steps and stays at the ends, also in lecture mode; elsewhere, and in an
// iframe, it does nothing.
func TestTurn(t *testing.T) {
	app := NewApp("#/start/1?lecture=1")
	browser := &fakeBrowser{}
	app.Browser = browser
	for n := 2; n <= len(steps); n++ {
		if !app.turn(1, false) || app.State.Step != n || !app.State.Lecture {
			t.Fatalf("step %d: %s", n, app.State.Hash())
		}
	}
	if app.turn(1, false) || app.State.Step != len(steps) {
		t.Errorf("beyond the end: %s", app.State.Hash())
	}
	if app.turn(-1, true) || app.State.Step != len(steps) {
		t.Error("PageUp leaves the last step where it scrolls back")
	}
	if app.turn(-1, false); app.State.Step != len(steps)-1 {
		t.Errorf("back: %s", app.State.Hash())
	}
	if app.Press(Lecturing); app.State.Lecture {
		t.Error("lecture mode does not end")
	}
	if app.turn(1, true) || !app.turn(1, false) || !app.turn(-1, false) {
		t.Error("outside lecture mode PageDown does not scroll first, and turn then")
	}
	if end := app.ThreadView().End; end.Label != "Next: "+steps[6].title || end.Link != "#/start/7" {
		t.Errorf("below the controls of step 6: %+v", end)
	}
	app.OpenHash("#/buckets")
	if app.turn(1, false) {
		t.Error("a place outside the thread turns")
	}
	app.OpenHash("#/start/4?embed=1")
	if app.turn(1, true) || browser.turned != 0 {
		t.Errorf("an iframe that scrolls turns the slides by %d", browser.turned)
	}
	if app.turn(1, false) || !app.State.Embedded || app.State.Step != 4 || browser.turned != 1 {
		t.Errorf("a clicker turns an iframe: %s, and its slides by %d", app.State.Hash(), browser.turned)
	}
}

// TestStepsAreKept: a step that the visitor turns back to is as it was left, by keys and by links, into and out of
// lecture mode; Reset prepares it again.
func TestStepsAreKept(t *testing.T) {
	app := NewApp("#/start/3")
	app.Browser = &fakeBrowser{}
	app.Change("signs", "off")
	app.Change("draws", "200")
	app.OpenHash(linkNamed(t, app.ThreadView(), "Next"))
	app.Press(Lecturing)
	app.turn(-1, false)
	if b := app.State.Buckets; app.State.Step != 3 || !app.State.Lecture || !b.Params().Signless || b.Draws != 200 {
		t.Errorf("turned back to %s", app.State.Hash())
	}
	app.Change("draws", "10")
	app.turn(1, false)
	app.Press(Lecturing)
	app.OpenHash(linkNamed(t, app.ThreadView(), "Back"))
	if b := app.State.Buckets; app.State.Step != 3 || app.State.Lecture || b.Draws != 10 {
		t.Errorf("Back leads to %s", app.State.Hash())
	}
	if app.Press(Reset); app.State.Hash() != "#/start/3" {
		t.Errorf("Reset leads to %s", app.State.Hash())
	}
}

// TestPlacesLeadOn: a visitor who lands in a place finds the thread.
func TestPlacesLeadOn(t *testing.T) {
	for place, label := range map[string]string{"learn?half=plane": "Next: " + steps[6].title,
		"buckets": "Next: " + steps[3].title, "convolution": "Next: " + steps[4].title,
		"convergence": "Next: " + steps[5].title, "embed": "How it works", "about": "How it works",
		"learn?half=file": "How it works"} {
		if v := NewApp("#/" + place).ThreadView(); len(v.Links) != 1 || !strings.HasPrefix(v.Links[0].Label, label) {
			t.Errorf("%s leads to %v, want %q", place, v.Links, label)
		}
	}
}

// TestOpen: at the entrance D moves by itself from 2 to 256, once, and leaves the address alone; a visitor who takes
// the slider, wants no motion or follows another link is left in peace.
func TestOpen(t *testing.T) {
	app := NewApp("#/start")
	browser := &fakeBrowser{}
	app.Browser = browser
	app.open()
	first := app.StartView().Sum
	steps := 0
	for ; app.Lesson.Playing && steps < 20; steps++ {
		app.Tick()
	}
	if steps != 7 || app.State.Hash() != "#/start" || browser.plays != 1 || first == app.StartView().Sum {
		t.Errorf("%d steps to %s, %d plays", steps, app.State.Hash(), browser.plays)
	}
	app = NewApp("#/start")
	app.Browser = browser
	app.open()
	app.Tick()
	if app.grown(); app.Lesson.Playing || app.State.Hash() != "#/start" || app.State.Start.NComponents != 256 {
		t.Errorf("what is copied while D moves is %s", app.State.Hash())
	}
	if app.Press(PlayPause); !app.Lesson.Playing || app.State.Start.NComponents != 2 {
		t.Errorf("Play again begins at %d", app.State.Start.NComponents)
	}
	app = NewApp("#/start")
	app.Browser = browser
	app.open()
	app.Tick()
	(&Root{App: app}).take(EditEvent{"nComponents", "4", (*App).Slide})
	if app.Tick(); app.State.Start.NComponents != 16 || app.State.Hash() != "#/start?nComponents=16" {
		t.Errorf("the slider at 16 leads to %s", app.State.Hash())
	}
	app.Change("nComponents", "100")
	if got := app.StartView().D.Error; !strings.HasPrefix(got, "D must be a power of two") {
		t.Errorf("D = 100 is refused as %q", got)
	}
	for link, calm := range map[string]bool{"#/start": true, "#/embed": false,
		"#/start?nComponents=8": false, "#/start?embed=1": false} {
		app := NewApp(link)
		app.Browser = &fakeBrowser{calm: calm}
		if app.open(); app.Lesson.Playing {
			t.Errorf("%q, calm %v: D moves", link, calm)
		}
	}
	picture := app.Picture()
	change, ok := picture.Drag(picture.Fit(600, 800, 15), lesson.Item{Kind: lesson.Coordinate, I: 1}, 100, 100)
	app.Set(change)
	if again, notes := ParseHash(app.State.Hash()); !ok || again != app.State || len(notes) > 0 {
		t.Errorf("a dragged point gives %d bytes of link and notes %q", len(app.State.Hash()), notes)
	}
}

// TestStartFigures: the figures of the entrance are measured ones: README.md has them with the same commands.
func TestStartFigures(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	worth := startParts["start-worth"]
	for _, figure := range []string{"18.8 threads of native scikit-learn", "0.16 s", "Adult loses 1.2 points", "0.71",
		"1.19",
		"./build.sh bench", "./build.sh experiments -only private", "go test ./tools/figures -run ErrorClaims"} {
		if !strings.Contains(worth, figure) || !strings.Contains(string(readme), figure) {
			t.Errorf("%q is on the entrance: %v, in README.md: %v", figure, strings.Contains(worth, figure),
				strings.Contains(string(readme), figure))
		}
	}
	for n, link := range regexp.MustCompile(`<li><a href="#/start/(\d)">([^<]*)</a>`).FindAllStringSubmatch(
		startParts["start-lecture"], -1) {
		if link[1] != strconv.Itoa(n+1) || link[2] != steps[n].title {
			t.Errorf("step %d is listed as %q", n+1, link[1:])
		}
	}
}

// A claim is what a step says, and whether the pictures that the step leads to show it.
type claim struct {
	step  int
	says  string
	shows func(t *testing.T) bool
}

// figure reads the number of a card in a state: "97.5 %" as 97.5.
func figure(t *testing.T, app *App, id string) float64 {
	t.Helper()
	for _, card := range app.Picture().View(lesson.Item{}).Cards {
		if card.ID == id {
			text := strings.NewReplacer("−", "-", ",", "", "\u00a0%", "").Replace(card.Value)
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("card %s says %q", id, card.Value)
			}
			return x
		}
	}
	t.Fatalf("no card %s", id)
	return 0
}

// atStep opens a step and changes parameters: "degree=2 nComponents=8".
func atStep(t *testing.T, n int, changes string) *App {
	t.Helper()
	app := NewApp("#/start/" + strconv.Itoa(n))
	app.Browser = &fakeBrowser{}
	for _, change := range strings.Fields(changes) {
		name, text, _ := strings.Cut(change, "=")
		app.Change(name, text)
	}
	for app.HasWork() {
		app.Work()
	}
	if app.State.Step != n || len(app.Notes) > 0 {
		t.Fatalf("step %d, %s: %q", n, changes, app.Notes)
	}
	return app
}

// claims has what each step of the thread says, with what shows it.
var claims = []claim{
	{1, "No straight line in x and y divides them", func(t *testing.T) bool {
		app := atStep(t, 1, "")
		return max(figure(t, app, "line"), figure(t, app, "sketched"), figure(t, app, "kernel")) < 70
	}},
	{1, "A model of degree 2 has them", func(t *testing.T) bool {
		if atStep(t, 1, "").State.Shows("play") { // D, which Play raises, changes nothing at degree 1
			return false
		}
		app := atStep(t, 1, "degree=2")
		return figure(t, app, "line") < 70 && figure(t, app, "kernel") > 90 && figure(t, app, "sketched") > 90
	}},
	{1, "Blue discs lie where x and y have the same sign", func(t *testing.T) bool {
		table, right := atStep(t, 1, "").Picture().Table(), 0
		for _, row := range table.Rows {
			if (row[1][0] == '-') == (row[2][0] == '-') == (row[3] == "1") {
				right++
			}
		}
		return right > len(table.Rows)*9/10
	}},
	{2, "The square, x ⊗ x, shows the products of two of one row x", func(t *testing.T) bool {
		app := atStep(t, 2, "")
		return app.State.Get("nFeatures") == "16" &&
			strings.Contains(app.Picture().View(lesson.Item{}).Summary, "256\u00a0products")
	}},
	{2, "Raise Coordinates d to 32: the square has four times as many products", func(t *testing.T) bool {
		return strings.Contains(atStep(t, 2, "nFeatures=32").Picture().View(lesson.Item{}).Summary, "1,024\u00a0products")
	}},
	{2, "Step 4 explains its colours, and C₁x ∗ C₂x", func(t *testing.T) bool {
		return strings.Contains(steps[3].says, "add where m + n is the same (mod D)") &&
			!atStep(t, 2, "").State.Shows("nComponents")
	}},
	{2, "784 numbers, about 308,000 different pairs and 81 million different triples", func(*testing.T) bool {
		return 784*785/2/500 == 615 && 784*785*786/6/1_000_000 == 80 // 307,720 and 80.6 million
	}},
	{3, "each number into one of D buckets", func(t *testing.T) bool {
		return strings.Contains(atStep(t, 3, "").Picture().View(lesson.Item{}).Title, "Sixteen numbers fall into eight")
	}},
	{3, "the mean of the estimates is wrong. Turn them on: it is right", func(t *testing.T) bool {
		off := func(signs string) float64 {
			app := atStep(t, 3, "signs="+signs+" draws=1000")
			_, text, _ := strings.Cut(app.Picture().View(lesson.Item{}).Summary, "The mean of 1,000\u00a0seeds is ")
			text, _, _ = strings.Cut(text, " ±")
			mean, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("the mean is %q", text)
			}
			return math.Abs(mean/figure(t, app, "exact") - 1)
		}
		return off("off") > .2 && off("on") < .05
	}},
	{3, "off by less where D is larger", func(t *testing.T) bool {
		return strings.Contains(atStep(t, 3, "").Picture().View(lesson.Item{}).Cards[1].Unit, "±") &&
			spread(t, atStep(t, 3, "nComponents=16")) < spread(t, atStep(t, 3, ""))
	}},
	{4, "the Count Sketch of all products", func(t *testing.T) bool {
		return strings.Contains(atStep(t, 4, "").Picture().View(lesson.Item{}).Cards[3].Unit, "computed now")
	}},
	{4, "raise d to 64: seven times the products, the same FFTs", func(t *testing.T) bool {
		work := func(changes string) string {
			app := atStep(t, 4, changes)
			return app.Picture().SVG(app.Picture().Fit(1100, 900, 13), lesson.Item{}, false)
		}
		before, after := work(""), work("nFeatures=64")
		return strings.Contains(before, ">= 576<") && strings.Contains(after, ">= 4,096<") &&
			strings.Contains(before, ">= 192<") && strings.Contains(after, ">= 192<")
	}},
	{5, "Four times as many buckets, the components D, make it half as wide", func(t *testing.T) bool {
		ratio := figure(t, atStep(t, 5, "nComponents=512"), "sigma") / figure(t, atStep(t, 5, ""), "sigma")
		return ratio > .48 && ratio < .52
	}},
	{5, "Raise Degree p: the products grow in number, and the band widens", func(t *testing.T) bool {
		before, raised := atStep(t, 5, ""), atStep(t, 5, "degree=4")
		return figure(t, raised, "sigma") > figure(t, before, "sigma")
	}},
	{6, "nearly the same curve as the exact kernel machine draws", func(t *testing.T) bool {
		return same(t, atStep(t, 6, "")) > 90
	}},
	{6, "press on a place of the plane", func(t *testing.T) bool {
		app := atStep(t, 6, "")
		_, adds := app.Picture().(lesson.Presser).Enter(lesson.Item{Kind: lesson.Cell, I: 5, J: 5})
		return !adds
	}},
	{6, "Lower D to 8: do the sums still agree?", func(t *testing.T) bool {
		return same(t, atStep(t, 6, "nComponents=8")) < same(t, atStep(t, 6, ""))-1
	}},
}

// spread reads σ in the card of the estimate in Buckets.
func spread(t *testing.T, app *App) float64 {
	t.Helper()
	text, _, _ := strings.Cut(strings.TrimPrefix(app.Picture().View(lesson.Item{}).Cards[1].Unit, "±"), " ")
	sigma, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return sigma
}

// same reads how much of the plane sketch and kernel answer alike.
func same(t *testing.T, app *App) float64 { return figure(t, app, "same") }

// TestClaims: what the steps say is there, and shown by the picture that the step opens and by the one that its task
// leads to.
func TestClaims(t *testing.T) {
	said := map[int]int{}
	for _, c := range claims {
		if !strings.Contains(steps[c.step-1].says+" "+steps[c.step-1].do, c.says) {
			t.Errorf("step %d does not say %q", c.step, c.says)
		}
		if said[c.step]++; !c.shows(t) {
			t.Errorf("step %d says %q, and the picture does not show it", c.step, c.says)
		}
	}
	for n := 1; n < len(steps); n++ {
		if said[n] == 0 {
			t.Errorf("no claim of step %d is tested", n)
		}
	}
	t.Logf("%d claims of steps 1 to 6: %v; step 7 has a file instead of a picture", len(claims), said)
}

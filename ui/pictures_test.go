package main

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/convergence"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/embed"
	"tensorsketch.example/ui/internal/learn"
	"tensorsketch.example/ui/internal/lesson"
)

// screens are the widths of a column of the page, the heights of its window and the letters, from phones to
// projectors. Some lie at both sides of a width from which a picture is drawn wide.
var screens = [][3]float64{{270, 600, 15}, {288, 640, 12}, {320, 640, 13}, {360, 800, 16}, {420, 900, 13},
	{441, 640, 13}, {443, 640, 13}, {521, 600, 13}, {623, 900, 13}, {625, 900, 13}, {640, 500, 16}, {700, 400, 13},
	{1100, 600, 16}, {1100, 900, 13}, {1500, 2000, 13}, {3000, 900, 13}, {3000, 2000, 26}, {3000, 1800, 34}}

// phones are the rooms of a picture that stays in view: upright, on the side, and on a tablet.
var phones = [][2]float64{{326, 288}, {326, 333}, {378, 411}, {286, 256}, {378, 344}, {470, 396}, {734, 460}}

// extremes are states at the ends of what is possible.
var extremes = []string{"", "angle=90&nComponents=16384", "angle=90&degree=1", "angle=90&nFeatures=4&degree=8",
	"angle=180&degree=3", "vector=one-hot&angle=0", "vector=one-hot&angle=180&degree=5", "vector=one-hot&angle=90",
	"vector=one-hot&angle=1", "nonZero=1&angle=60", "pairs=20&degree=4", "vector=digit&nFeatures=2&pairs=20",
	"seed=18446744073709551612", "degree=8&angle=15", "nFeatures=2&nComponents=8"}

// drawn is how many states are drawn at random.
func drawn() int {
	if testing.Short() {
		return 180
	}
	return 360
}

// pictures are the teaching places in states at the ends of what is possible, and then in states drawn at random.
var pictures = sync.OnceValue(func() (apps []*App) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, link := range extremes {
		for _, compare := range []string{"", "&compare=craft", "&compare=taylor-sketch,spherical&axis=time",
			"&compare=random-maclaurin,complex-tensorized-random-projection,complex-tensor-srht,random-fourier&axis=time"} {
			apps = append(apps, NewApp("#/convergence?"+link+compare))
		}
	}
	for _, size := range [][2]int{{1, 1}, {2, 2}, {3, 1}, {1, 5}, {12, 12}, {64, 128}, {64, 3}, {5, 101}} {
		for _, method := range []string{"tensor", "complex-tensor"} {
			link := fmt.Sprintf("?method=%s-sketch&nFeatures=%d&nComponents=%d", method, size[0], size[1])
			apps = append(apps, NewApp("#/buckets"+link))
			for _, more := range []string{"", "&degree=3&round=2", "&degree=4&round=3&slice2=99", "&view=coordinates",
				"&view=coordinates&degree=4", "&view=frequencies", "&view=frequencies&degree=3"} {
				apps = append(apps, NewApp("#/convolution"+link+more))
			}
		}
	}
	for _, link := range []string{"preset=own", "preset=own&points=p0,0", "preset=own&points=p0,0m0,0&brush=away",
		"preset=own&points=p120,-120m-120,120p5,5p6,6&coef0=0", "points=m1,1p-120,-120&coef0=0&degree=8&alpha=1000",
		"nSamples=1000&noise=1&degree=8&coef0=4&nComponents=4096&alpha=1e-6", "nSamples=20&degree=1&coef0=0&nComponents=4",
		"preset=xor&question=1", "preset=spirals&degree=8&question=2", "preset=moons&question=3", "view=features",
		"view=features&nComponents=4&maps=13&at=k1", "question=4&nComponents=512&seed=42&view=features&maps=0"} {
		apps = append(apps, NewApp("#/learn?half=plane&"+link))
	}
	for range drawn() / len(lessons) {
		for _, place := range lessons {
			app := NewApp("#/embed")
			app.State = someState(place, random)
			apps = append(apps, app)
		}
	}
	for k, app := range apps {
		if app.State.Place == PlaceConvergence && k%3 > 0 {
			estimate(app, random)
		}
	}
	return apps
})

// someState draws each parameter of a place from the ends of its range and what lies between.
func someState(place string, random *rand.Rand) State {
	s := DefaultState()
	s.Place = place
	for _, p := range s.parameters() {
		p, text := s.parameter(p.Name), ""
		switch {
		case p.Derived || p.Name == "x" || p.Name == "half":
			continue
		case p.Several:
			for range random.IntN(5) {
				text += "," + p.Options[random.IntN(len(p.Options))].Value
			}
		case p.Options != nil:
			text = p.Options[random.IntN(len(p.Options))].Value
		case p.Slider != nil:
			at := p.Slider.Min + random.IntN(1+random.IntN(p.Slider.Max-p.Slider.Min+1))
			text = strconv.Itoa([]int{p.Slider.Min, p.Slider.Max, at, at}[random.IntN(4)])
			if p.From != nil {
				position, _ := strconv.Atoi(text)
				text = p.From(position)
			}
		default:
			text = []string{"0", "1", "0.5", "0.001", "7", "33", "18446744073709551613"}[random.IntN(7)]
		}
		if next, err := s.With(p.Name, text); err == nil { // else it is out of range, and stays
			s = next
		}
	}
	return s
}

// estimate adds invented estimates to Convergence, and what is compared with them: some of it, or all.
func estimate(app *App, random *rand.Rand) {
	p, s := app.State.Convergence.Params(), app.Lesson.samples
	if err := s.Begin(p); err != nil {
		panic(err)
	}
	kernel := math.Pow(math.Cos(p.Angle*math.Pi/180)+p.Coef0, float64(p.Degree))
	spread := []float64{0, .01, 1, 100}[random.IntN(4)]
	factor, some, lawful := math.Pow(10, 3*random.Float64()), random.IntN(4), []int{3, convergence.Columns}[random.IntN(2)]
	for c := range convergence.Columns {
		D := float64(convergence.Components(c))
		estimates := make([]float64, 200+20*p.Pairs)
		for i := range estimates {
			estimates[i] = kernel + spread*random.NormFloat64()/math.Sqrt(D)
		}
		if first := random.IntN(20); some == 0 {
			s.Add(c, 0, estimates)
		} else if random.IntN(4) > 0 {
			s.Add(c, first, estimates[first*p.Pairs:])
		}
		for k, name := range append(strings.Split(p.Compare, ","), "tensor-sketch") {
			if c < lawful {
				s.AddLaw(name, c, []float64{float64(2+k) / math.Sqrt(D), 0, .01 * factor * float64(1+k) * D, 1})
			}
		}
	}
	if lawful > 3 {
		s.AddLaw("craft", convergence.Columns-1, nil)
		s.AddLaw("taylor-sketch", 2, []float64{.3, 2, 4, 1})
	}
	for _, task := range s.Tasks(p)[:len(s.Tasks(p))/(1+some)] {
		squares := make([]float64, task.Count)
		for k := range squares {
			squares[k] = random.ExpFloat64() / float64(convergence.Components(task.Column))
		}
		s.AddSquares(task.Method, task.Column, task.First, squares)
	}
}

// TestPictures: in every state each item is found where it is drawn, is described, and can be changed where its group
// says so; each step leads to itself. What the picture lacks is nowhere, and looking at it is looking at nothing.
func TestPictures(t *testing.T) {
	slow.Elsewhere(t)
	random := rand.New(rand.NewPCG(1, 2))
	for _, app := range pictures() {
		link, p := app.State.Hash(), app.Picture()
		if again, notes := ParseHash(link); again != app.State || len(notes) > 0 {
			t.Errorf("%s gives %+v, notes %q", link, again, notes)
		}
		var items, none []lesson.Item // items that the picture has, with few of its cells, and items that it has not
		for kind := range strings.SplitSeq("xkmncfdp", "") {
			none = append(none, lesson.Item{Kind: lesson.Kind(kind), I: -1}, lesson.Item{Kind: lesson.Kind(kind), I: 4999},
				lesson.Item{Kind: lesson.Cell, J: 999})
			if !slices.ContainsFunc(p.Groups(), func(g lesson.Group) bool { return string(g.Kind) == kind }) {
				none = append(none, lesson.Item{Kind: lesson.Kind(kind)})
			}
		}
		size, x := p.Fit(1100, 900, 13), strings.Split(app.State.Get("x"), ",")
		for _, group := range p.Groups() {
			all := group.Rows * group.Columns
			if group.Label == "" || all < 1 ||
				group.Rows > 1 && group.Kind != lesson.Cell && group.Kind != lesson.Pair {
				t.Errorf("%s: %+v", link, group)
			}
			none = append(none, lesson.Item{Kind: group.Kind, I: group.Columns})
			for n := range all {
				if n > 200 && n%97 != 0 && n < all-1 {
					continue
				}
				item := lesson.Item{Kind: group.Kind, I: n % group.Columns, J: n / group.Columns}
				items = append(items, item)
				for y, want := range map[float64]string{-1e6: "1", 1e6: "-1"} {
					change, ok := p.Drag(size, item, 1e9, y)
					if ok != (group.CanNudge || item.Kind == lesson.Column) {
						t.Errorf("%s: %v can be dragged: %v", link, item, ok)
					} else if group.CanNudge {
						x := slices.Clone(x)
						if x[item.I] = want; change.Name != "x" || change.Text != strings.Join(x, ",") {
							t.Errorf("%s: %v dragged to %v: %v", link, item, y, change)
						}
					}
				}
				if _, ok := p.Nudge(item, 1); ok != group.CanNudge || !isWell(p.Describe(item)) {
					t.Errorf("%s: %v can be changed: %v; %q", link, item, ok, p.Describe(item))
				}
			}
		}
		for _, item := range none {
			_, nudged := p.Nudge(item, 1)
			_, dragged := p.Drag(size, item, 300, 300)
			if r := lesson.Bounds(p.Areas(size), item); r != (lesson.Rect{}) || nudged || dragged || p.Describe(item) != "" {
				t.Errorf("%s: %v is at %v, changed %v %v, %q", link, item, r, nudged, dragged, p.Describe(item))
			}
		}
		if p.SVG(size, none[random.IntN(len(none))], false) != p.SVG(size, lesson.Item{}, false) {
			t.Errorf("%s: looking at what is not there changes the picture", link)
		}
		for _, screen := range screens {
			size := p.Fit(screen[0], screen[1], screen[2])
			if size.Width != screen[0] || size.Em != screen[2] || !(size.Height > 0) || app.State.Place == PlaceConvolution &&
				size.Width >= 40*size.Em && size.Height > max(screen[1]-21*size.Em, 32*size.Em) {
				t.Errorf("%s: %v in %v", link, size, screen)
			}
			areas := p.Areas(size)
			for _, item := range items {
				r := lesson.Bounds(areas, item)
				got := lesson.Hit(areas, r.X+r.Width/2, r.Y+r.Height/2)
				if got != item && !(app.State.Place == PlaceLearn && item.Kind == lesson.Coordinate) || !(r.X >= 0 && r.Y >= 0 &&
					r.X+r.Width <= size.Width && r.Y+r.Height <= size.Height) {
					t.Errorf("%s, %v: %v is at %v, where %v is hit", link, size, item, r, got)
				}
			}
			for _, at := range [][2]float64{{-5, -5}, {0, 0}, {size.Width, 100}, {-1, 100}, {size.Width / 2, 0},
				{size.Width, size.Height}, {size.Width / 2, size.Height + 1}} {
				if got := lesson.Hit(areas, at[0], at[1]); got != (lesson.Item{}) {
					t.Errorf("%s, %v: %v is at %v", link, size, got, at)
				}
			}
		}
		// To answer a question takes longer than all else here. TestPictureWords hears every answer in every state.
		asked := app.State.lookout().Question
		app.State.lookout().Question = 0
		steps := app.Picture().View(lesson.Item{}).Steps
		for _, step := range []int{0, 1, random.IntN(steps + 1), steps - 1, steps} {
			next, err := app.State.With(p.StepTo(step).Name, p.StepTo(step).Text)
			to := NewApp(next.Hash())
			if v := to.Picture().View(lesson.Item{}); err != nil || v.Step != step || v.Steps != steps {
				t.Errorf("%s: step %d leads to %d of %d, %v", link, step, v.Step, v.Steps, err)
			}
		}
		app.State.lookout().Question = asked
		if steps < 1 || p.StepTo(-3) != p.StepTo(0) || p.StepTo(999) != p.StepTo(steps) {
			t.Errorf("%s: steps beyond the %d there are", link, steps)
		}
	}
}

// someItem draws an item of a picture, or none.
func someItem(p lesson.Picture, random *rand.Rand) lesson.Item {
	group := p.Groups()[random.IntN(len(p.Groups()))]
	return []lesson.Item{{}, {Kind: group.Kind, I: random.IntN(group.Columns), J: random.IntN(group.Rows)}}[random.IntN(2)]
}

var isBad = regexp.MustCompile(`NaN|Inf|%!|-9223|(^|[ (])-[0-9]|  |−0.00 |– … –\), ?$|^\s*$`)

// isWell reports whether a text is there, has real minus signs, and has no NaN or infinity.
func isWell(text string) bool { return !isBad.MatchString(text) }

// TestPictureWords: in every state everything that is to be said is said well, only the question asked is answered, and
// the data are numbers.
func TestPictureWords(t *testing.T) {
	slow.Elsewhere(t)
	random := rand.New(rand.NewPCG(3, 4))
	for _, app := range pictures() {
		link, p := app.State.Hash(), app.Picture()
		say := func(what, text string) {
			t.Helper()
			if !isWell(text) {
				t.Errorf("%s: %s is %q", link, what, text)
			}
		}
		v := p.View(someItem(p, random))
		for what, text := range map[string]string{"title": v.Title, "lede": v.Lede, "label": v.StepLabel, "sum": v.Sum,
			"summary": v.Summary} {
			say(what, text)
		}
		if place := app.State.Place; place == PlaceConvolution && len([]rune(v.Sum)) > 125 {
			t.Errorf("%s: the sum has %d letters: %s", link, len([]rune(v.Sum)), v.Sum)
		}
		ids, elements := "", map[string]bool{}
		for _, group := range app.RailView().Groups {
			elements[group.ID] = true
			for _, field := range group.Fields {
				elements[field.Name] = true
			}
		}
		for _, card := range v.Cards {
			if ids += card.ID + " "; elements[card.ID] {
				t.Errorf("%s: the card %q has the id of a control, whose label would name the card", link, card.ID)
			}
			for _, text := range []string{card.Title, card.Value, card.Note, card.Unit + "."} {
				say("card "+card.ID, text)
			}
		}
		want := map[string]string{PlaceBuckets: "exact estimate collisions bucket ",
			PlaceConvolution: "bucket pairs entry difference ", PlaceConvergence: "kernel mean spread sigma ",
			PlaceLearn: "line sketched kernel same "}[app.State.Place]
		if app.State.Place == PlaceConvolution && app.State.Convolution.IsComplex() {
			want = "bucket pairs entry sigma difference "
		}
		if app.State.Place == PlaceConvolution && app.State.Convolution.Y == "shown" {
			want = strings.Replace(want, "difference", "chain difference", 1)
		}
		if ids != want && (app.State.Convergence.Compare == "" || ids != "spread sigma equal-d equal-time ") {
			t.Errorf("%s: the cards are %s", link, ids)
		}
		if v.Step < 0 || v.Step > v.Steps || len(v.Questions) < 3 {
			t.Fatalf("%s: step %d of %d, questions %v", link, v.Step, v.Steps, v.Questions)
		}
		before := app.State.lookout().Question
		for asked := range 4 {
			app.State.lookout().Question = asked
			for k, q := range app.Picture().View(lesson.Item{}).Questions {
				say("question", q.Do)
				say("question", q.Ask)
				if len(q.Changes) == 0 || (q.Answer != "") != (k+1 == asked) || asked == k+1 && !isWell(q.Answer) {
					t.Errorf("%s: of question %d asked %+v", link, asked, q)
				}
			}
		}
		app.State.lookout().Question = before
		table := p.Table()
		say("caption", table.Caption)
		rows := v.Steps
		if app.State.Place == PlaceLearn { // one for each point
			rows = 0
			for _, g := range p.Groups() {
				if g.Kind == lesson.Coordinate {
					rows = g.Columns
				}
			}
		}
		if p, ok := p.(*convergence.Picture); ok {
			rows++
			if plan := p.Plan(); !isWell(plan.Sentence) || plan.Guaranteed < plan.Typical || plan.Typical < 1 {
				t.Errorf("%s: plan %+v", link, plan)
			}
		}
		if table.Name != app.State.Place || len(table.Rows) != rows {
			t.Errorf("%s: table %q has %d rows, want %d", link, table.Name, len(table.Rows), rows)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Head) {
				t.Errorf("%s: a row has %d cells under %d heads", link, len(row), len(table.Head))
			}
			for _, cell := range row {
				x, err := strconv.ParseFloat(cell, 64)
				if err == nil && (cell == "-0" || math.IsNaN(x) || math.IsInf(x, 0)) || err != nil &&
					!slices.Contains(map[string][]string{PlaceBuckets: {"yes", "no"}, PlaceConvolution: {""},
						PlaceConvergence: {"", "exact", "bound", "first-order"}, PlaceLearn: {"yes", "no"}}[app.State.Place], cell) {
					t.Errorf("%s: cell %q", link, cell)
				}
			}
		}
	}
}

// TestPictureSVG: in every state and size each picture is well-formed, all of it lies inside, no text meets another,
// and picture.css has its classes.
func TestPictureSVG(t *testing.T) {
	slow.Elsewhere(t)
	random := rand.New(rand.NewPCG(5, 6))
	for n, app := range pictures() {
		p := app.Picture()
		for k, screen := range screens {
			if n >= len(pictures())-drawn() && k%3 != n/3%3 {
				continue
			}
			size, look, letters := p.Fit(screen[0], screen[1], screen[2]), someItem(p, random), 1.
			if app.State.Place == PlaceConvergence {
				if size.Width < 24*size.Em {
					continue // of a phone with large letters
				}
				if !strings.Contains(app.State.Convergence.Compare, sketch.MethodComplexTensorSketch) { // the longest name
					letters = 1.1
				}
			}
			checkSVG(t, fmt.Sprint(app.State.Hash(), ", look ", look), p.SVG(size, look, n%7 == 0), size, letters)
		}
	}
	for n, app := range pictures() {
		p := app.Picture()
		for k, window := range phones {
			if n >= len(pictures())-drawn() && k%3 != n/3%3 {
				continue
			}
			size, ok := lesson.FitLow(p, window[0], window[1], 12.3)
			if !ok || size.Height > window[1] || size.Width > window[0] {
				t.Fatalf("%s: on a phone %v has %v, %v", app.State.Hash(), window, size, ok)
			}
			if checkSVG(t, fmt.Sprint("low ", app.State.Hash()), p.SVG(size, someItem(p, random), false), size, 1) < 5 {
				t.Errorf("%s: few texts in %v", app.State.Hash(), size)
			}
		}
	}
	about, err := theAlgorithm()
	if err != nil {
		t.Fatal(err)
	}
	step := 7.
	if testing.Short() {
		step = 31
	}
	for _, em := range []float64{12, 13, 16, 26} {
		for width := math.Ceil(max(286, 23*em)); width <= 3000; width += step {
			size := about.Fit(width, em)
			if svg := about.SVG(size, width < 300); checkSVG(t, "About", svg, size, 1) < 50 {
				t.Errorf("%v: few texts in %s", size, svg)
			}
		}
	}
	for _, size := range []lesson.Size{{Width: 300, Height: 260, Em: 12}, {Width: 1040, Height: 380, Em: 13},
		{Width: 2400, Height: 900, Em: 22}} {
		for _, pairs := range []int{0, 1, 2, 2000} {
			for _, of := range [][3]float64{{1, 3, .2}, {1, 0, 0}, {0, 0, 0}, {1e30, 1e30, 1e30}, {-1e30, 0, 1e29}} {
				r := &embed.Report{}
				for range pairs {
					exact := of[0] + of[1]*random.Float64()
					r.Pairs = append(r.Pairs, embed.Pair{Exact: exact, Estimate: exact + of[2]*random.NormFloat64(), Sigma: of[2]})
				}
				checkSVG(t, "scatter", r.SVG(size, `2 < 3 & "so"`, pairs == 2), size, 0)
			}
		}
		checkSVG(t, "no tradeoff", new(embed.Tradeoff).SVG(size, false), size, 0)
		for _, of := range [][3]float64{{4, 1, .5}, {1, 0, 2.6e-9}, {1, 1e-6, 0}, {math.NaN(), 1, 1}, {math.Inf(1), 1, 1},
			{1e60, 1, 1e50}} { // the variance of the sketch is a/D, of the noise b + c·D
			for _, kernel := range []float64{0, .25, -2, 1e30} {
				trade := &embed.Tradeoff{Kernel: kernel}
				for _, n := range embed.TradeoffSizes(1024, 4096) {
					sketch, noise := of[0]/float64(n), of[1]+of[2]*float64(n)
					trade.Points = append(trade.Points, embed.TradeoffPoint{NComponents: n, Sketch: math.Sqrt(sketch),
						Noise: math.Sqrt(noise), Both: math.Sqrt(sketch + noise)})
				}
				trade.Current, trade.Best = trade.Points[3], trade.Points[5]
				checkSVG(t, "tradeoff", trade.SVG(size, kernel == 0), size, 0)
			}
		}
	}
}

// TestLearnPictures: the curve, the predictions and the report of a session are well-formed in each size, whatever the
// names and numbers are.
func TestLearnPictures(t *testing.T) {
	for _, size := range []lesson.Size{{Width: 260, Height: 300, Em: 12}, {Width: 300, Height: 260, Em: 12},
		{Width: 620, Height: 420, Em: 13}, {Width: 1040, Height: 380, Em: 13}, {Width: 2400, Height: 900, Em: 22}} {
		for n, r := range learnedRooms() {
			where := fmt.Sprint("session ", n)
			checkSVG(t, where, r.Curve(size, 1024, n == 0).SVG, size, 1)
			checkSVG(t, where, r.Detail.Picture(size, n == 1).SVG, size, 1)
			report := size
			if size.Width < 56*size.Em {
				report.Height = 320 * float64(r.ReportPanels())
			}
			checkSVG(t, where, r.Report(report, n == 2).SVG, report, 1)
		}
	}
}

// learnedRooms are sessions with few and many columns and classes, and with numbers of any size.
func learnedRooms() (rooms []*learn.Session) {
	for _, scale := range []float64{0, 1, 1e-5, 1e9} {
		for _, names := range []int{1, 3, 60} {
			r := &learn.Session{Phase: learn.Done, Head: &learn.Head{Task: learn.TaskClassify, Train: 30, Held: 10}}
			detail := &learn.Detail{D: 64}
			check := &learn.Check{D: 64, ColumnRows: 10, Bins: []learn.Bin{
				{Said: .35, Right: 0, RightLow: 0, RightHigh: .6, Rows: 1},
				{Said: .999, Right: 1, RightLow: .5, RightHigh: 1, Rows: 2}}}
			for k := range names {
				check.Columns = append(check.Columns, learn.Column{Name: strings.Repeat("a long name ", k%5+1),
					Drop: .3/float64(k+1) - .01, StdError: .02})
				detail.Classes = append(detail.Classes, strings.Repeat("long class ", k%4+1))
				detail.Confusion = append(detail.Confusion, slices.Repeat([]float64{float64(k)}, names)...)
			}
			if scale > 0 {
				r.Head.Task, check.Bins = learn.TaskRegress, nil
				*detail = learn.Detail{D: 64, Truth: []float64{scale, -scale, 3 * scale}, Predicted: []float64{0, scale, 0}}
			}
			r.TakePoint(learn.Point{D: 64, Score: .93, Low: .9, High: .95, Time: 1e9})
			r.TakePoint(learn.Point{D: 1024, Score: -7, Low: -9, High: .2, Time: 1e7})
			r.TakePoint(learn.Point{Score: .5, Low: .4, High: .6})
			r.TakeSeed(64, .9)
			r.TakeKernel(&learn.Kernel{Score: .97, Low: .9, High: 1})
			r.Pick(64)
			r.TakeDetail(detail)
			r.TakeCheck(check)
			rooms = append(rooms, r)
		}
	}
	return rooms
}

// commands are the letters of commands in paths.
const commands = "MLCmlaHVhvZ"

// checkSVG reads a picture and returns the number of its texts. letters is the share by which some systems
// draw letters wider; with 0, only the beginnings of texts are checked.
func checkSVG(t *testing.T, where, svg string, size lesson.Size, letters float64) int {
	t.Helper()
	problem := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s, %v: %s", where, size, fmt.Sprintf(format, args...))
	}
	type box struct {
		lesson.Rect
		text string
	}
	var texts []box
	inside := func(what string, x, y float64) {
		if !(x >= 0 && x <= size.Width && y >= 0 && y <= size.Height) {
			problem("%s reaches (%v, %v)", what, x, y)
		}
	}
	decoder, element, has := xml.NewDecoder(strings.NewReader(svg)), "", map[string]string{}
	number := func(name string) float64 {
		x, err := strconv.ParseFloat(has[name], 64)
		if err != nil {
			return math.NaN()
		}
		return x
	}
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return len(texts)
		}
		if err != nil {
			t.Fatalf("%s, %v: %v in %s", where, size, err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			element, has = token.Name.Local, map[string]string{}
			for _, a := range token.Attr {
				has[a.Name.Local] = a.Value
			}
			for class := range strings.FieldsSeq(has["class"]) {
				if !strings.Contains(draw.Style, "."+class+" ") && !strings.Contains(draw.Style, "."+class+".") {
					problem("class %s is not in picture.css", class)
				}
			}
			switch element {
			case "path":
				if has["class"]+has["fill"] == "" {
					problem("a path is %v", has)
				}
				x, y := 0.0, 0.0
				for path := has["d"]; path != ""; {
					command, numbers, n := path[0], path[1:], []float64{0}
					path = ""
					if next := strings.IndexAny(numbers, commands); next >= 0 {
						numbers, path = numbers[:next], numbers[next:]
					}
					for text := range strings.FieldsSeq(numbers) {
						x, err := strconv.ParseFloat(text, 64)
						if err != nil {
							problem("path %q", has["d"])
						}
						n = append(n, x)
					}
					last := n[len(n)-1]
					switch command {
					case 'M', 'L', 'C':
						x, y = n[len(n)-2], last
					case 'm', 'l', 'a':
						x, y = x+n[len(n)-2], y+last
					case 'H':
						x = last
					case 'V':
						y = last
					case 'h':
						x += last
					case 'v':
						y += last
					case 'Z':
					default:
						problem("path %q", has["d"])
					}
					inside(has["class"], x, y)
				}
			case "rect":
				if has["class"] != "ground" {
					inside("rect "+has["class"], number("x"), number("y"))
					inside("rect "+has["class"], number("x")+number("width"), number("y")+number("height"))
				}
			}
		case xml.EndElement:
			element = ""
		case xml.CharData:
			if words := string(token); element != "text" {
				if element != "style" && words != "" {
					problem("%q between the shapes", words)
				}
			} else if !isWell(words) {
				problem("text %q", words)
			} else {
				width := letters * draw.TextWidth(words, size.Em)
				x := number("x") - map[string]float64{"start": 0, "middle": .5, "end": 1}[has["text-anchor"]]*width
				at := box{lesson.Rect{X: x, Y: number("y") - .8*size.Em, Width: width, Height: size.Em}, words}
				inside("text "+words, at.X, at.Y)
				inside("text "+words, at.X+at.Width, at.Y+at.Height)
				for _, other := range texts {
					if at.X < other.X+other.Width && other.X < at.X+at.Width && at.Y < other.Y+other.Height &&
						other.Y < at.Y+at.Height {
						problem("%q meets %q", words, other.text)
					}
				}
				texts = append(texts, at)
			}
		}
	}
}

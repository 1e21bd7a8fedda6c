package convergence

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
	"testing"

	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

var _ lesson.Picture = (*Picture)(nil)

// The sizes of a column of the page from a phone to a projector.
func sizes(p *Picture) []lesson.Size {
	return []lesson.Size{
		p.Fit(288, 640, 12), p.Fit(320, 800, 13), p.Fit(420, 900, 13), p.Fit(wideEms*13-1, 900, 13),
		p.Fit(wideEms*13+1, 900, 13), p.Fit(700, 400, 13),
		{Width: 1100, Height: 560, Em: 13}, p.Fit(1100, 900, 13), p.Fit(1500, 2000, 13), p.Fit(3000, 2000, 26),
		p.Fit(3000, 900, 13),
	}
}

// states returns pictures of many kinds, some of them at the ends of what is
// possible. They are made once.
func states(t testing.TB) map[string]*Picture {
	if allStates == nil {
		allStates = makeStates(t)
	}
	return allStates
}

var allStates map[string]*Picture

func makeStates(t testing.TB) map[string]*Picture {
	random := rand.New(rand.NewPCG(9, 10))
	all := map[string]*Picture{}
	add := func(name string, p Params, s *Samples) { all[name] = newPicture(t, p, s) }
	few := func(change func(*Params)) Params {
		return with(func(p *Params) { p.Seeds = 12; change(p) })
	}
	for name, p := range map[string]Params{
		"small":            few(func(p *Params) { p.NFeatures, p.NComponents = 2, 8 }),
		"right angle":      few(func(p *Params) { p.Angle, p.NComponents = 90, 16384 }),
		"right angle, p=1": few(func(p *Params) { p.Angle, p.Degree = 90, 1 }),
		"concentrated":     few(func(p *Params) { p.Angle, p.NFeatures, p.Degree = 90, 4, 8 }),
		"opposite, odd p":  few(func(p *Params) { p.Angle, p.Degree = 180, 3 }),
		"no error":         few(func(p *Params) { p.Vector, p.Angle = vector.OneHot, 0 }),
		"no error, odd p":  few(func(p *Params) { p.Vector, p.Angle, p.Degree = vector.OneHot, 180, 5 }),
		"one-hot, 90°":     few(func(p *Params) { p.Vector, p.Angle = vector.OneHot, 90 }),
		"one-hot, 1°":      few(func(p *Params) { p.Vector, p.Angle = vector.OneHot, 1 }),
		"1 % not zero":     few(func(p *Params) { p.NonZero, p.Angle = 1, 60 }),
		"pairs":            few(func(p *Params) { p.Pairs, p.Degree = ManyPairs, 4 }),
		"corner of digits": few(func(p *Params) { p.Vector, p.NFeatures, p.Pairs = vector.Digit, 2, ManyPairs }),
		"last seeds":       few(func(p *Params) { p.Seed = math.MaxUint64 - 3 }),
		"p = 8":            few(func(p *Params) { p.Degree, p.Angle = 8, 15 }),
	} {
		add(name, p, filled(t, p))
		add(name+", before", p, nil)
	}
	for k := range 30 { // of invented estimates, not all of them there
		p := Params{
			Vector: bars.Presets[random.IntN(len(bars.Presets))].Value, NFeatures: 2 + random.IntN(255),
			NonZero: 1 + random.IntN(100),
			Angle:   float64(random.IntN(181)), Pairs: 1, Degree: 1 + random.IntN(8),
			NComponents: Components(random.IntN(Columns)),
			Seeds:       10 + random.IntN(MaxSeeds-9), Seed: random.Uint64(),
			Epsilon: .001 + .999*random.Float64(), Delta: .001 + .499*random.Float64(), Question: random.IntN(4),
		}
		if k%5 == 0 {
			p.Pairs = ManyPairs
		}
		s := begun(t, p)
		scale := math.Pow(10, 4*random.Float64()-2)
		for c, estimates := range synthetic(p.Pairs, 200, random) {
			for i := range estimates {
				estimates[i] *= scale
			}
			if first := random.IntN(200); random.IntN(4) > 0 {
				s.Add(c, first, estimates[first*p.Pairs:])
			}
		}
		add(fmt.Sprintf("random %d", k), p, s)
	}
	return all
}

// TestSVG: in every state and size the picture is well-formed, everything lies
// inside it, no text meets another, and all classes are those of picture.css.
func TestSVG(t *testing.T) {
	slow.Elsewhere(t)
	classes := regexp.MustCompile(`\.[a-z]+`).FindAllString(draw.Style, -1)
	known := strings.Join(classes, " ") + " "
	for name, p := range states(t) {
		for _, size := range sizes(p) {
			for _, look := range []lesson.Item{{}, {Kind: lesson.Column, I: 5}} {
				for _, problem := range problems(p.SVG(size, look, false), size, known) {
					t.Errorf("%s, %v, %v: %s", name, size, look, problem)
				}
			}
		}
	}
}

// problems reads an SVG and tells what is wrong with it.
func problems(svg string, size lesson.Size, known string) (found []string) {
	problem := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") ||
		strings.Contains(svg, "-9223") {
		problem("a number is none")
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
	decoder := xml.NewDecoder(strings.NewReader(svg))
	var text xml.StartElement
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			problem("%v", err)
			return found
		}
		switch token := token.(type) {
		case xml.StartElement:
			text = xml.StartElement{}
			for _, class := range strings.Fields(attribute(token, "class")) {
				if !strings.Contains(known, "."+class+" ") {
					problem("class %s is not in picture.css", class)
				}
			}
			switch token.Name.Local {
			case "text":
				text = token
			case "path":
				if attribute(token, "class") == "" {
					problem("a path has no class")
				}
				if err := walk(attribute(token, "d"), func(x, y float64) { inside(attribute(token, "class"), x, y) }); err != nil {
					problem("%v", err)
				}
			case "rect":
				x, y := numberOf(token, "x"), numberOf(token, "y")
				inside("rect", x, y)
				inside("rect", x+numberOf(token, "width"), y+numberOf(token, "height"))
			}
		case xml.CharData:
			if text.Name.Local != "text" {
				continue
			}
			words := string(token)
			if strings.TrimSpace(words) == "" {
				problem("a text is empty")
			}
			if regexp.MustCompile(`-[0-9]`).MatchString(words) {
				problem("%q has no real minus sign", words)
			}
			width := 1.1 * draw.TextWidth(words, size.Em) // some systems have wide letters
			x, y := numberOf(text, "x"), numberOf(text, "y")
			switch attribute(text, "text-anchor") {
			case "middle":
				x -= width / 2
			case "end":
				x -= width
			}
			at := box{lesson.Rect{X: x, Y: y - .8*size.Em, Width: width, Height: size.Em}, words}
			inside("text "+words, at.X, at.Y)
			inside("text "+words, at.X+at.Width, at.Y+at.Height)
			for _, other := range texts {
				if at.X < other.X+other.Width && other.X < at.X+at.Width && at.Y < other.Y+other.Height &&
					other.Y < at.Y+at.Height {
					problem("%q meets %q", words, other.text)
				}
			}
			texts = append(texts, at)
		case xml.EndElement:
			text = xml.StartElement{}
		}
	}
	return found
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func numberOf(start xml.StartElement, name string) float64 {
	x, err := strconv.ParseFloat(attribute(start, name), 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

var pathPart = regexp.MustCompile(`([MLHVhvmZ])|(-?[0-9.]+)|([ ,]+)|(.)`)

// walk calls visit with the points of a path.
func walk(path string, visit func(x, y float64)) error {
	var x, y float64
	var command string
	var numbers []float64
	for _, part := range pathPart.FindAllStringSubmatch(path, -1) {
		switch {
		case part[1] != "":
			command, numbers = part[1], nil
		case part[2] != "":
			number, err := strconv.ParseFloat(part[2], 64)
			if err != nil {
				return err
			}
			numbers = append(numbers, number)
			switch {
			case command == "H":
				x = number
			case command == "V":
				y = number
			case command == "h":
				x += number
			case command == "v":
				y += number
			case len(numbers) < 2:
				continue
			case command == "m":
				x, y = x+numbers[0], y+numbers[1]
			default:
				x, y = numbers[0], numbers[1]
			}
			visit(x, y)
			numbers = nil
		case part[4] != "":
			return fmt.Errorf("path has %q", part[4])
		}
	}
	return nil
}

// TestHit: the middle of a column's bounds is that column; columns lie side by
// side inside the picture.
func TestHit(t *testing.T) {
	p := newPicture(t, opening(), nil)
	for _, size := range sizes(p) {
		last := 0.0
		for c := range Columns {
			item := lesson.Item{Kind: lesson.Column, I: c}
			bounds := lesson.Bounds(p.Areas(size), item)
			if got := lesson.Hit(p.Areas(size), bounds.X+bounds.Width/2, bounds.Y+bounds.Height/2); got != item {
				t.Errorf("%v: at the middle of %v is %v", size, item, got)
			}
			if bounds.X < 0 || bounds.Y < 0 || bounds.X+bounds.Width > size.Width || bounds.Y+bounds.Height > size.Height {
				t.Errorf("%v: %v is at %v", size, item, bounds)
			}
			if c > 0 && math.Abs(bounds.X-last) > 1e-9 {
				t.Errorf("%v: %v begins at %v, the one before ends at %v", size, item, bounds.X, last)
			}
			last = bounds.X + bounds.Width
			for _, y := range []float64{-50, bounds.Y, size.Height + 50} { // dragged up and down, it stays
				if change, ok := p.Drag(size, item, bounds.X+bounds.Width/2, y); !ok || change != p.StepTo(c) {
					t.Errorf("%v: dragged to %v gives %v", size, item, change)
				}
			}
		}
		for _, at := range [][2]float64{{0, 0}, {1, size.Height / 2}, {size.Width - 1, size.Height / 2},
			{size.Width / 2, size.Height + 1}, {-5, -5}} {
			if got := lesson.Hit(p.Areas(size), at[0], at[1]); got != (lesson.Item{}) {
				t.Errorf("%v: at %v is %v", size, at, got)
			}
		}
		if got, _ := p.Drag(size, lesson.Item{Kind: lesson.Column}, 1e9, 0); got != p.StepTo(Columns-1) {
			t.Errorf("%v: dragged beyond the end gives %v", size, got)
		}
	}
}

// TestItems: what is no column has no place, no words and cannot be dragged.
func TestItems(t *testing.T) {
	p := newPicture(t, opening(), nil)
	size := p.Fit(1000, 900, 13)
	for _, item := range []lesson.Item{{}, {Kind: lesson.Bucket}, {Kind: lesson.Column, I: Columns},
		{Kind: lesson.Column, I: -1}, {Kind: lesson.Column, J: 1}} {
		bounds := lesson.Bounds(p.Areas(size), item)
		if _, ok := p.Drag(size, item, 300, 300); ok || bounds != (lesson.Rect{}) || p.Describe(item) != "" {
			t.Errorf("%v is taken for a column", item)
		}
	}
	if _, ok := p.Nudge(lesson.Item{Kind: lesson.Column}, 1); ok {
		t.Error("a column is nudged")
	}
	groups := p.Groups()
	if len(groups) != 1 || groups[0].Kind != lesson.Column || groups[0].Rows*groups[0].Columns != Columns ||
		groups[0].CanNudge || groups[0].Label == "" {
		t.Errorf("groups are %+v", groups)
	}
}

// TestSteps: each step is a D, and leads to itself.
func TestSteps(t *testing.T) {
	for step := range Columns {
		p := opening()
		change := newPicture(t, p, nil).StepTo(step)
		if change.Name != "nComponents" {
			t.Fatalf("a step changes %s", change.Name)
		}
		p.NComponents, _ = strconv.Atoi(change.Text)
		view := newPicture(t, p, nil).View(lesson.Item{})
		if view.Step != step || view.Steps != Columns-1 {
			t.Errorf("step %d leads to step %d of %d", step, view.Step, view.Steps)
		}
	}
	p := newPicture(t, opening(), nil)
	if p.StepTo(-3) != p.StepTo(0) || p.StepTo(99) != p.StepTo(Columns-1) {
		t.Error("steps beyond the ends are no steps")
	}
}

// TestFit: the height has its bounds, and the layout does not depend on estimates.
func TestFit(t *testing.T) {
	p := newPicture(t, opening(), nil)
	for _, width := range []float64{300, 500, 600, 1100, 3000} {
		for _, window := range []float64{300, 700, 1200} {
			size := p.Fit(width, window, 13)
			if size.Width != width || size.Height < lowest*13 || size.Height > max(window-19*13, 42*13) {
				t.Errorf("%v × %v: got %v", width, window, size)
			}
		}
	}
	full := newPicture(t, opening(), someSamples(t, opening(), 400))
	for _, size := range sizes(p) {
		a, b := p.layout(size), full.layout(size)
		if a.cloud != b.cloud || a.value != b.value || a.errors != b.errors || a.log != b.log {
			t.Errorf("%v: the layout changes as estimates come in", size)
		}
	}
}

// someSamples returns invented estimates of some seeds.
func someSamples(t testing.TB, p Params, seeds int) *Samples {
	s := begun(t, p)
	for c, estimates := range synthetic(p.Pairs, seeds, rand.New(rand.NewPCG(11, 12))) {
		s.Add(c, 0, estimates)
	}
	return s
}

// Measured on the page's own machine these are to stay below 1.5 ms and 3 ms: in
// WebAssembly they take three times as long.
func BenchmarkRepaint(b *testing.B) {
	for _, pairs := range []int{1, ManyPairs} {
		p := with(func(p *Params) { p.Pairs, p.Seeds, p.NFeatures, p.Degree = pairs, MaxSeeds, 256, 8 })
		s := someSamples(b, p, MaxSeeds)
		size := newPicture(b, p, s).Fit(1100, 900, 13)
		b.Run(fmt.Sprintf("pairs=%d", pairs), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				picture := newPicture(b, p, s)
				picture.View(lesson.Item{})
				picture.SVG(size, lesson.Item{}, false)
			}
		})
		fewer := p
		fewer.Seeds = MaxSeeds - 1
		b.Run(fmt.Sprintf("pairs=%d/fewer", pairs), func(b *testing.B) {
			for b.Loop() {
				newPicture(b, fewer, s)
			}
		})
		b.Run(fmt.Sprintf("pairs=%d/Begin", pairs), func(b *testing.B) {
			for b.Loop() {
				begun(b, p)
			}
		})
	}
}

func BenchmarkAdd(b *testing.B) {
	p := with(func(p *Params) { p.Pairs, p.Seeds = ManyPairs, MaxSeeds })
	all := synthetic(p.Pairs, MaxSeeds, rand.New(rand.NewPCG(13, 14)))
	for b.Loop() { // all there is, in chunks
		s := begun(b, p)
		for first := 0; first < MaxSeeds; first += 4 {
			s.Add(0, first, all[0][first*p.Pairs:(first+4)*p.Pairs])
		}
	}
}

// TestMarker: the marker is as wide as its column, and its tab as its label; what
// lies beyond the axis is explained.
func TestMarker(t *testing.T) {
	p := newPicture(t, with(func(p *Params) { p.NComponents = 16384 }), nil)
	size := p.Fit(350, 800, 13)
	l := p.layout(size)
	var xs []float64
	path := regexp.MustCompile(`<path class="mark" d="([^"]*)"`).FindStringSubmatch(p.SVG(size, lesson.Item{}, false))
	if path == nil {
		t.Fatal("no marker")
	}
	if err := walk(path[1], func(x, y float64) {
		if y < l.cloud.Bottom-1 && math.Abs(math.Abs(x-l.x(11))-l.step()/2) > .2 {
			t.Errorf("the marker of column 11 at %v reaches %v", l.x(11), x)
		}
		xs = append(xs, x)
	}); err != nil {
		t.Fatal(err)
	}
	if width := slices.Max(xs) - slices.Min(xs); width < draw.TextWidth("16,384", size.Em) {
		t.Errorf("the tab is %v wide", width)
	}
	for _, test := range []struct {
		estimate float64
		want     bool
	}{{p.kernel, false}, {100, true}} {
		samples := begun(t, p.params)
		samples.Add(0, 0, []float64{test.estimate})
		if got := strings.Contains(newPicture(t, p.params, samples).SVG(size, lesson.Item{}, false), "beyond"); got !=
			test.want {
			t.Errorf("an estimate of %v: triangles are explained: %v", test.estimate, got)
		}
	}
}

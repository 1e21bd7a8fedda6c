package buckets

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/slow"
	"tensorsketch.example/ui/internal/draw"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// sizes are those of phones, desks and projectors.
func sizes(p *Picture) []lesson.Size {
	return []lesson.Size{p.Fit(270, 600, 15), p.Fit(320, 640, 13), p.Fit(441, 640, 13), p.Fit(443, 640, 13),
		p.Fit(700, 500, 13), p.Fit(1100, 900, 14), p.Fit(3000, 1800, 13),
		p.Fit(3000, 1800, 34)}
}

func TestFit(t *testing.T) {
	p := picture(t, opening())
	for _, test := range []struct{ width, window, em, want float64 }{
		{900, 2000, 14, 504},
		{900, 714, 14, 350}, // 714 − 26·14
		{900, 400, 14, 336}, // 24 em
		{320, 640, 13, 468},
	} {
		if got, want := p.Fit(test.width, test.window, test.em),
			(lesson.Size{Width: test.width, Height: test.want, Em: test.em}); math.Abs(got.Height-want.Height) > 1e-9 ||
			got.Width != want.Width || got.Em != want.Em {
			t.Errorf("%+v: got %+v", test, got)
		}
	}
}

// TestHit: in the middle of an item is the item; it lies in the picture.
func TestHit(t *testing.T) {
	for _, d := range []int{1, 2, 16, 63, 64} {
		for _, n := range []int{1, 7, 8, 128} {
			params := opening()
			params.X, params.NComponents, params.Step = vector.Preset(vector.Random, d, 0), n, d
			p := picture(t, params)
			for _, size := range sizes(p) {
				for _, item := range p.items()[1:] {
					b := lesson.Bounds(p.Areas(size), item)
					if got := lesson.Hit(p.Areas(size), b.X+b.Width/2, b.Y+b.Height/2); got != item {
						t.Errorf("d %d, D %d, %v: got %v at the middle of %v", d, n, size, got, item)
					}
					if b.X < 0 || b.Y < 0 || b.X+b.Width > size.Width || b.Y+b.Height > size.Height || b.Width <= 0 || b.Height <= 0 {
						t.Errorf("d %d, D %d, %v: %v is at %+v", d, n, size, item, b)
					}
				}
				for _, point := range [][2]float64{{-1, 100}, {1, size.Height / 2}, {size.Width, 100}, {size.Width / 2, 1},
					{size.Width / 2, size.Height - 1}, {size.Width / 2, size.Height + 50}} {
					if got := lesson.Hit(p.Areas(size), point[0], point[1]); got != (lesson.Item{}) {
						t.Errorf("%v: got %v at %v", size, got, point)
					}
				}
				if got := lesson.Bounds(p.Areas(size), lesson.Item{Kind: lesson.Bucket, I: n}); got != (lesson.Rect{}) {
					t.Errorf("a bucket too many is at %+v", got)
				}
			}
		}
	}
}

// A drawing is what an SVG holds.
type drawing struct {
	texts   []text
	paths   map[string]string // by class
	classes map[string]bool
}

type text struct {
	class, content           string
	left, right, top, bottom float64
}

func parse(t *testing.T, svg string, em float64) drawing {
	t.Helper()
	d := drawing{paths: map[string]string{}, classes: map[string]bool{}}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return d
		}
		if err != nil {
			t.Fatalf("%v in %s", err, svg)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attributes := map[string]string{}
		for _, a := range start.Attr {
			attributes[a.Name.Local] = a.Value
		}
		for _, class := range strings.Fields(attributes["class"]) {
			d.classes[class] = true
		}
		switch start.Name.Local {
		case "path":
			if attributes["class"] != "hatch" {
				d.paths[attributes["class"]] += attributes["d"]
			}
		case "rect":
			if attributes["class"] != "ground" {
				d.paths["rect"] += fmt.Sprintf("M%s %sh%sv%s", attributes["x"], attributes["y"], attributes["width"],
					attributes["height"])
			}
		case "text":
			content, err := decoder.Token()
			if err != nil {
				t.Fatal(err)
			}
			made := text{class: attributes["class"], content: string(content.(xml.CharData))}
			x, _ := strconv.ParseFloat(attributes["x"], 64)
			y, _ := strconv.ParseFloat(attributes["y"], 64)
			width := draw.TextWidth(made.content, em)
			made.left = x
			switch attributes["text-anchor"] {
			case "middle":
				made.left -= width / 2
			case "end":
				made.left -= width
			}
			made.right, made.top, made.bottom = made.left+width, y-.8*em, y+.25*em
			d.texts = append(d.texts, made)
		}
	}
}

// reach follows a path and returns the box of its points.
func reach(path string) (left, top, right, bottom float64) {
	left, top, right, bottom = math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	x, y := 0.0, 0.0
	for _, step := range steps.FindAllStringSubmatch(path, -1) {
		var n []float64
		for _, text := range numbers.FindAllString(step[2], -1) {
			number, _ := strconv.ParseFloat(text, 64)
			n = append(n, number)
		}
		switch step[1] {
		case "M", "L", "C":
			x, y = n[len(n)-2], n[len(n)-1]
		case "m", "a":
			x, y = x+n[len(n)-2], y+n[len(n)-1]
		case "H":
			x = n[0]
		case "V":
			y = n[0]
		case "h":
			x += n[0]
		case "v":
			y += n[0]
		}
		left, top, right, bottom = min(left, x), min(top, y), max(right, x), max(bottom, y)
	}
	return left, top, right, bottom
}

var (
	steps   = regexp.MustCompile(`([MLCmaHVhvZ])([-0-9. ]*)`)
	numbers = regexp.MustCompile(`-?[0-9.]+`)
	ascii   = regexp.MustCompile(`-[0-9]`)
)

// TestSVG: at any state and width the picture is well-formed, all of it lies
// inside, no text lies on another, and classes are those of the stylesheet.
func TestSVG(t *testing.T) {
	slow.Elsewhere(t)
	stylesheet, err := os.ReadFile("../draw/picture.css")
	if err != nil {
		t.Fatal(err)
	}
	random := splitmix.Source(4)
	for range 300 {
		p := picture(t, someParams(&random))
		look := someItem(p, &random)
		if random.Below(2) == 0 {
			look = lesson.Item{}
		}
		for _, size := range append(sizes(p), p.Fit(random.Between(320, 3000), random.Between(400, 1800), 13)) {
			name := fmt.Sprintf("d %d, D %d, step %d, y %v, %v, %v", p.d(), p.n(), p.p.Step, p.p.ShowY, look, size)
			svg := p.SVG(size, look, random.Below(2) == 0)
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") {
				t.Fatalf("%s: %s", name, svg)
			}
			drawn := parse(t, svg, size.Em)
			for class := range drawn.classes {
				if !strings.Contains(string(stylesheet), "."+class) {
					t.Errorf("%s: class %s is unknown", name, class)
				}
			}
			for class, path := range drawn.paths {
				if left, top, right, bottom := reach(path); left < 0 || top < 0 || right > size.Width || bottom > size.Height {
					t.Errorf("%s: %s reaches (%v, %v, %v, %v)", name, class, left, top, right, bottom)
				}
			}
			for i, a := range drawn.texts {
				if a.left < 0 || a.right > size.Width || a.top < 0 || a.bottom > size.Height {
					t.Errorf("%s: %+v is cut", name, a)
				}
				if a.content == "" || ascii.MatchString(a.content) {
					t.Errorf("%s: %+v", name, a)
				}
				for _, b := range drawn.texts[:i] {
					if a.left < b.right && b.left < a.right && a.top < b.bottom-.15*size.Em && b.top < a.bottom-.15*size.Em {
						t.Errorf("%s: %+v lies on %+v", name, a, b)
					}
				}
			}
		}
	}
}

// TestBlocks: from zero the blocks of a bucket reach as far as the terms of its
// sign add up to, and the bar beside as far as its value.
func TestBlocks(t *testing.T) {
	random := splitmix.Source(5)
	for range 50 {
		p := picture(t, someParams(&random))
		size := p.Fit(1100, 900, 14)
		l := p.layout(size)
		scale := l.wells.Up(-l.limit, l.limit)
		up, down, high, low := 0.0, 0.0, 0.0, 0.0
		ups, downs := make([]float64, p.p.NComponents), make([]float64, p.p.NComponents)
		for i, k := range p.slot[:p.p.Step] {
			ups[k] += max(p.contribution(i), 0)
			downs[k] += min(p.contribution(i), 0)
			up, down = max(up, ups[k]), min(down, downs[k])
		}
		for _, value := range p.cx {
			high, low = max(high, float64(value)), min(low, float64(value))
		}
		drawn := parse(t, p.SVG(size, lesson.Item{}, false), 14)
		check := func(class string, sign, want float64) {
			t.Helper()
			if p.focusOn(lesson.Item{}).bucket >= 0 || want == 0 {
				return
			}
			path := drawn.paths[class]
			_, top, _, bottom := reach(path)
			if class == "plus" || class == "minus" { // the signs are above
				top, bottom = reachBelow(path, l.wells.Top)
			}
			got := top
			if sign < 0 {
				got = bottom
			}
			if math.Abs(got-scale.At(want)) > .7 {
				t.Errorf("%s reaches %v, want %v", class, got, scale.At(want))
			}
		}
		check("plus", 1, up)
		check("minus", -1, down)
		check("net", 1, high)
		check("net", -1, low)
	}
}

// reachBelow is reach of the parts that begin below a height.
func reachBelow(path string, above float64) (top, bottom float64) {
	top, bottom = math.Inf(1), math.Inf(-1)
	for _, part := range strings.Split(path, "M")[1:] {
		if _, t, _, b := reach("M" + part); t > above-1 {
			top, bottom = min(top, t), max(bottom, b)
		}
	}
	return top, bottom
}

// TestFocus: what belongs together stands out, and nothing else.
func TestFocus(t *testing.T) {
	params := opening()
	count := func(path string) int { return strings.Count(path, "C") }
	for _, test := range []struct {
		step                 int
		look                 lesson.Item
		plain, faint, strong int // wires
	}{
		{16, lesson.Item{}, 16, 0, 0},
		{16, lesson.Item{Kind: lesson.Bucket, I: 4}, 0, 13, 3},
		{16, lesson.Item{Kind: lesson.Coordinate, I: 9}, 0, 13, 3},
		{16, lesson.Item{Kind: lesson.Bucket, I: 99}, 16, 0, 0},
		{0, lesson.Item{}, 0, 0, 0},
		{9, lesson.Item{}, 0, 7, 2},
		{5, lesson.Item{}, 0, 4, 1},
		{5, lesson.Item{Kind: lesson.Bucket, I: 4}, 0, 4, 3}, // coordinate 4, and two still to fall
	} {
		params.Step = test.step
		p := picture(t, params)
		paths := parse(t, p.SVG(p.Fit(900, 900, 14), test.look, false), 14).paths
		sample := 2 // wires in the legend
		plain := count(paths["wire"]) + count(paths["wire minus"])
		faint := count(paths["wire faint"]) + count(paths["wire minus faint"])
		strong := count(paths["wire strong"]) + count(paths["wire minus strong"])
		if strings.Count(paths["wire"]+paths["wire minus"], "L") != sample || plain != test.plain || faint != test.faint ||
			strong != test.strong {
			t.Errorf("%+v: got %d plain, %d faint, %d strong", test, plain, faint, strong)
		}
	}
}

// TestMarks: a narrow bucket is shaded as wide as it is, its texts as wide as they
// are.
func TestMarks(t *testing.T) {
	params := opening()
	params.X, params.NComponents, params.Step = vector.Preset(vector.Random, 64, 0), 128, 64
	p := picture(t, params)
	size := p.Fit(900, 900, 14)
	item := lesson.Item{Kind: lesson.Bucket, I: 50}
	r := lesson.Bounds(p.Areas(size), item)
	path := regexp.MustCompile(`class="mark" d="M([0-9.]+) ` +
		`[0-9.]+H([0-9.]+)V[0-9.]+H([0-9.]+)V`).FindStringSubmatch(p.SVG(size, item, false))
	if path == nil {
		t.Fatal("no mark")
	}
	half, middle := draw.TextWidth("50", 14)/2+.5*14, r.X+r.Width/2
	for k, want := range []float64{middle - half, middle + half, r.X + r.Width} {
		if got, _ := strconv.ParseFloat(path[k+1], 64); math.Abs(got-want) > .06 {
			t.Errorf("number %d is %v, want %v", k, got, want)
		}
	}
}

// TestLegend: it says what blocks mean where there is room.
func TestLegend(t *testing.T) {
	p := picture(t, opening())
	for width, want := range map[float64]bool{320: false, 1100: true} {
		if got := strings.Contains(p.SVG(p.Fit(width, 900, 14), lesson.Item{}, false), ">takes away<"); got != want {
			t.Errorf("%v pixels: got %v", width, got)
		}
	}
}

// TestView: at any state all that is to be read is there.
func TestView(t *testing.T) {
	random := splitmix.Source(6)
	for range 500 {
		p := picture(t, someParams(&random))
		look := someItem(p, &random)
		v := p.View(look)
		texts := []string{v.Title, v.Lede, v.StepLabel, v.Sum, v.Summary}
		if len(v.Cards) != 4 || len(v.Questions) != 3 || v.Step != p.p.Step || v.Steps != p.d() {
			t.Fatalf("%+v", v)
		}
		for i, card := range v.Cards {
			if want := []string{"exact", "estimate", "collisions", "bucket"}[i]; card.ID != want {
				t.Errorf("card %d is %s, want %s", i, card.ID, want)
			}
			texts = append(texts, card.Title, card.Value, card.Note, card.Unit+" ")
		}
		for i, question := range v.Questions {
			texts = append(texts, question.Do, question.Ask)
			if asked := i == p.p.Question-1; asked != (question.Answer != "") {
				t.Errorf("question %d of %d asked: %q", i+1, p.p.Question, question.Answer)
			}
			texts = append(texts, question.Answer+" ")
		}
		for _, item := range p.items()[1:] {
			texts = append(texts, p.Describe(item))
		}
		for _, text := range texts {
			if text == "" || strings.Contains(text, "NaN") || strings.Contains(text, "%!") || ascii.MatchString(text) ||
				strings.Contains(text, "  ") {
				t.Errorf("%+v, %v: %q", p.p, look, text)
			}
		}
		table := p.Table()
		if len(table.Rows) != p.d() || table.Name == "" || table.Caption == "" {
			t.Errorf("table %+v", table)
		}
		for _, row := range table.Rows {
			if len(row) != len(table.Head) {
				t.Fatalf("row %v of %v", row, table.Head)
			}
			for _, cell := range row {
				if _, err := strconv.ParseFloat(cell, 64); err != nil && cell != "yes" && cell != "no" {
					t.Errorf("cell %q", cell)
				}
			}
		}
	}
}

func TestGroups(t *testing.T) {
	p := picture(t, opening())
	for _, group := range p.Groups() {
		for i := range group.Rows * group.Columns {
			item := lesson.Item{Kind: group.Kind, I: i}
			parsed, ok := lesson.ParseItem(item.String())
			if _, nudged := p.Nudge(item, 1); !ok || parsed != item || !p.has(item) || nudged != group.CanNudge ||
				group.Label == "" {
				t.Errorf("%+v, item %v", group, item)
			}
		}
	}
}

func BenchmarkRepaint(b *testing.B) {
	params := opening()
	params.X, params.NComponents, params.Step, params.Angle = vector.Preset(vector.Random, 64, 0), 128, 64, 35
	look := lesson.Item{Kind: lesson.Coordinate, I: 20}
	for _, params.Method = range []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch} {
		b.Run(params.Method, func(b *testing.B) {
			cache := &Cache{}
			size := picture(b, params).Fit(1100, 900, 14)
			b.ReportAllocs()
			for b.Loop() {
				p, err := New(params, cache)
				if err != nil {
					b.Fatal(err)
				}
				p.View(look)
				p.SVG(size, look, false)
			}
		})
	}
}

func BenchmarkTenSeeds(b *testing.B) {
	params := opening()
	params.X, params.NComponents, params.Step = vector.Preset(vector.Random, 64, 0), 128, 64
	for _, params.Hash = range []string{sketch.HashSeed, sketch.HashRandomState} {
		b.Run(params.Hash, func(b *testing.B) {
			p := picture(b, params)
			for b.Loop() {
				p.seeds()
			}
		})
	}
}

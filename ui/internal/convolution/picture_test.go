package convolution

import (
	"encoding/xml"
	"io"
	"os"
	"regexp"
	"slices"
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

var zero lesson.Item

// widths, heights of the window, and letters of phones, desktops and projectors.
var windows = [][3]float64{{320, 700, 13}, {360, 800, 16}, {521, 600, 13}, {640, 500, 16}, {1100, 800, 13},
	{1100, 600, 16}, {3000, 1900, 13}, {3000, 2000, 26}}

// extremes are the smallest and the largest pictures of every view, and some
// between.
func extremes() []Params {
	var all []Params
	for _, show := range views {
		for _, size := range [][2]int{{1, 1}, {2, 2}, {3, 1}, {1, 5}, {12, 12}, {64, 128}, {64, 3}, {5, 101}} {
			for _, degree := range []int{2, 3, 4} {
				p := Params{X: vector.Preset(vector.Random, size[0], 0), NComponents: size[1], Degree: degree, Stage: degree - 1,
					Seed: sketch.IntSeed(7), Show: show, Slice: size[0] - 1, Step: size[1]}
				all = append(all, p)
				p.Method, p.NComponents = sketch.MethodComplexTensorSketch, size[1]+size[1]%2
				all = append(all, p)
			}
		}
	}
	return all
}

// TestHit: every item is found at the centre of its bounds, inside the picture.
func TestHit(t *testing.T) {
	var cache Cache
	for _, p := range extremes() {
		c := made(t, p, &cache)
		for _, w := range windows {
			size := c.Fit(w[0], w[1], w[2])
			for _, item := range items(c, 97) {
				r := lesson.Bounds(c.Areas(size), item)
				if got := lesson.Hit(c.Areas(size), r.X+r.Width/2, r.Y+r.Height/2); got != item {
					t.Fatalf("%s, %v: %v is at %v, where %v is hit", named(p), size, item, r, got)
				}
				if r.X < 0 || r.Y < 0 || r.X+r.Width > size.Width || r.Y+r.Height > size.Height {
					t.Fatalf("%s, %v: %v is at %v", named(p), size, item, r)
				}
			}
			for _, point := range [][2]float64{{-1, -1}, {0, 0}, {size.Width, size.Height}, {size.Width / 2, 0}} {
				if got := lesson.Hit(c.Areas(size), point[0], point[1]); got != zero {
					t.Errorf("%s, %v: %v is at %v", named(p), size, got, point)
				}
			}
		}
	}
}

// TestNone: what the picture does not have is nowhere, and looking at it is
// looking at nothing.
func TestNone(t *testing.T) {
	c := made(t, Params{X: make([]float64, 3), NComponents: 4, Degree: 2, Show: Products, Step: 4}, nil)
	size := c.Fit(1000, 800, 13)
	for _, item := range []lesson.Item{{Kind: lesson.Frequency}, {Kind: lesson.Column}, {Kind: lesson.Bucket, I: 4},
		{Kind: lesson.First, I: -1}, {Kind: lesson.Cell, I: 1, J: 4}, {Kind: lesson.Coordinate, I: 3}} {
		if got := lesson.Bounds(c.Areas(size), item); got != (lesson.Rect{}) {
			t.Errorf("%v is at %v", item, got)
		}
		if c.SVG(size, item, false) != c.SVG(size, zero, false) || c.Describe(item) != "" {
			t.Errorf("looking at %v changes the picture", item)
		}
	}
}

// TestFit: the picture takes the width it is given and no more height than the
// window has, unless it would be too small.
func TestFit(t *testing.T) {
	var cache Cache
	for _, p := range extremes() {
		for _, w := range windows {
			size := made(t, p, &cache).Fit(w[0], w[1], w[2])
			if size.Width != w[0] || size.Em != w[2] || !(size.Height > 0) {
				t.Errorf("%s: %v in %v", named(p), size, w)
			}
			if wide := w[0] >= wideFrom*w[2]; wide && size.Height > max(w[1]-21*w[2], lowest*w[2]) {
				t.Errorf("%s: %v in %v", named(p), size, w)
			}
		}
	}
}

// A box is where a text is.
type box struct{ left, top, right, bottom float64 }

var coordinates = regexp.MustCompile(`([MLHV])(-?[0-9.]+)(?: (-?[0-9.]+))?`)

// checkSVG parses a picture and checks that all of it lies inside, that no texts
// overlap, and that the stylesheet has its classes.
func checkSVG(t *testing.T, where, svg string, size lesson.Size) {
	t.Helper()
	if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "%!") {
		t.Fatalf("%s: not a number in %s", where, svg)
	}
	css, err := os.ReadFile("../draw/picture.css")
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	var texts []string
	var boxes []box
	inside := func(what string, b box) {
		if b.left < -.1 || b.top < -.1 || b.right > size.Width+.1 || b.bottom > size.Height+.1 {
			t.Errorf("%s: %s is at %.1f", where, what, b)
		}
	}
	style := false
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v in %s", where, err, svg)
		}
		switch token := token.(type) {
		case xml.StartElement:
			style = token.Name.Local == "style"
			get := func(name string) float64 {
				value, _ := strconv.ParseFloat(attribute(token, name), 64)
				return value
			}
			for _, class := range strings.Fields(attribute(token, "class")) {
				if !strings.Contains(string(css), "."+class) {
					t.Errorf("%s: no class %s", where, class)
				}
			}
			switch token.Name.Local {
			case "path":
				x, y := 0.0, 0.0
				for _, match := range coordinates.FindAllStringSubmatch(attribute(token, "d"), -1) {
					value, _ := strconv.ParseFloat(match[2], 64)
					switch match[1] {
					case "H":
						x = value
					case "V":
						y = value
					default:
						x = value
						y, _ = strconv.ParseFloat(match[3], 64)
					}
					inside(attribute(token, "class")+" "+match[0], box{x, y, x, y})
				}
			case "rect":
				if attribute(token, "class") != "ground" {
					inside(attribute(token, "class"), box{get("x"), get("y"), get("x") + get("width"), get("y") + get("height")})
				}
			case "text":
				inner, _ := decoder.Token()
				text := string(inner.(xml.CharData))
				width := draw.TextWidth(text, size.Em)
				left := get("x")
				switch attribute(token, "text-anchor") {
				case "middle":
					left -= width / 2
				case "end":
					left -= width
				}
				texts = append(texts, text)
				boxes = append(boxes, box{left, get("y") - .72*size.Em, left + width, get("y") + .2*size.Em})
				inside(strconv.Quote(text), boxes[len(boxes)-1])
			}
		case xml.CharData:
			if len(token) > 0 && !style {
				t.Errorf("%s: %q between the shapes", where, token)
			}
		}
	}
	for i, a := range boxes {
		for j, b := range boxes[:i] {
			if a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom {
				t.Errorf("%s: %q at %.1f and %q at %.1f overlap", where, texts[i], a, texts[j], b)
			}
		}
	}
	for _, text := range texts {
		checkText(t, where, text)
	}
}

func attribute(start xml.StartElement, name string) string {
	for _, a := range start.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// TestSVG: in every size the picture is well-formed, all of it lies inside, and
// no texts overlap.
func TestSVG(t *testing.T) {
	slow.Elsewhere(t)
	random := splitmix.Source(4)
	var cache Cache
	states := extremes()
	for range 120 {
		states = append(states, someParams(&random))
	}
	for n, p := range states {
		c := made(t, p, &cache)
		for _, w := range windows {
			size := c.Fit(w[0], w[1], w[2])
			look := someItem(c, &random)
			if n%4 == 0 {
				look = zero
			}
			checkSVG(t, named(p)+" look "+look.String()+" width "+strconv.Itoa(int(w[0]))+" em "+strconv.Itoa(int(w[2])),
				c.SVG(size, look, n%7 == 0), size)
			if t.Failed() {
				return
			}
		}
	}
}

// TestCells: without the cells, which Paint paints, the picture has few nodes;
// standing alone it has them all.
func TestCells(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 64, 0), NComponents: 128, Degree: 2, Seed: sketch.IntSeed(7),
		Show: Products, Step: 128}
	c := made(t, p, nil)
	size := c.Fit(1100, 800, 13)
	if nodes := strings.Count(c.SVG(size, zero, false), "<"); nodes > 900 {
		t.Errorf("%d nodes", nodes)
	}
	drawn := strings.Count(c.SVG(size, zero, true), "M") - strings.Count(c.SVG(size, zero, false), "M")
	want := 0
	for i := range 128 {
		for j := range 128 {
			if c.matrix.set(i, j) {
				want++
			}
			if c.matrix.bucket(i, j) == c.top() { // its wash
				want++
			}
		}
	}
	if drawn != want+strings.Count(draw.Style, "M") {
		t.Errorf("%d cells are drawn, want %d", drawn, want)
	}
}

// TestMark: what is looked at is shaded as wide as it is, its number as wide as
// that is.
func TestMark(t *testing.T) {
	c := made(t, Params{X: vector.Preset(vector.Random, 64, 0), NComponents: 128, Degree: 2, Show: Products, Step: 128},
		nil)
	size := c.Fit(1100, 800, 13)
	r := lesson.Bounds(c.Areas(size), lesson.Item{Kind: lesson.Bucket, I: 100})
	path := regexp.MustCompile(`<path class="mark" d="M([0-9.]+) ` +
		`[0-9.]+H([0-9.]+)V[0-9.]+H([0-9.]+)V`).FindStringSubmatch(c.SVG(size, lesson.Item{Kind: lesson.Bucket, I: 100},
		false))
	if path == nil {
		t.Fatal("no mark")
	}
	for k, want := range []float64{r.X, r.X + r.Width, r.X + r.Width/2 + draw.TextWidth("100", 13)/2 + .4*13} {
		if got, _ := strconv.ParseFloat(path[k+1], 64); got < want-.06 || got > want+.06 {
			t.Errorf("number %d is %v, want %v", k, got, want)
		}
	}
}

// TestSteps: the buckets that are computed have bars, the others do not; the
// inverse transform waits for all frequencies.
func TestSteps(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products}
	for p.Step = range 13 {
		if got := made(t, p, nil).computed(); got != p.Step {
			t.Errorf("products, step %d: %d buckets", p.Step, got)
		}
		p.Show = Frequencies
		c := made(t, p, nil)
		want := 0
		if p.Step >= 7 {
			want = 12
		}
		if got := c.computed(); got != want || c.p.Step != min(p.Step, 7) {
			t.Errorf("frequencies, step %d: %d buckets", c.p.Step, got)
		}
		p.Show = Products
	}
}

// TestRelate: a bucket's relatives are the pairs that meet in it.
func TestRelate(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 12, 0), NComponents: 12, Degree: 2, Seed: sketch.IntSeed(42),
		Show: Products, Step: 12}
	for _, p.Show = range []View{Products, Coordinates} {
		c := made(t, p, nil)
		for k := range 12 {
			r := c.relate(lesson.Item{Kind: lesson.Bucket, I: k})
			rows, columns := make([]level, 12), make([]level, 12)
			for i := range 12 {
				for j := range 12 {
					meets := (i+j)%12 == k
					if p.Show == Coordinates {
						meets = (c.cache.tables.bucket[0][i]+c.cache.tables.bucket[1][j])%12 == k
					}
					if got := c.cell(r.focus, i, j) == strong; got != meets {
						t.Errorf("%s, bucket %d: cell (%d, %d) is marked: %v", p.Show, k, i, j, got)
					}
					if meets && c.matrix.first[i] != 0 && c.matrix.second[j] != 0 {
						rows[i], columns[j] = strong, strong
					}
				}
			}
			if !slices.Equal(r.first, rows) || !slices.Equal(r.second, columns) || r.buckets[k] != strong {
				t.Errorf("%s, bucket %d: got %v, %v, want %v, %v", p.Show, k, r.first, r.second, rows, columns)
			}
		}
	}
	p.Show = Products
	c := made(t, p, nil)
	for i := range 12 {
		r := c.relate(lesson.Item{Kind: lesson.Coordinate, I: i})
		for m := range 12 {
			if got, want := r.first[m] == strong, m == c.cache.tables.bucket[0][i]; got != want {
				t.Errorf("coordinate %d: %d on the first edge is marked: %v", i, m, got)
			}
			if got, want := r.second[m] == strong, m == c.cache.tables.bucket[1][i]; got != want {
				t.Errorf("coordinate %d: %d on the second edge is marked: %v", i, m, got)
			}
		}
	}
}

package convolution

import (
	"math"
	"math/cmplx"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// TestPairs: each cell of two sketches is the sum of the products that are said to be in it, and both lead to each
// other.
func TestPairs(t *testing.T) {
	random := splitmix.Source(31)
	var cache Cache
	for range 60 {
		p := someParams(&random)
		p.Show, p.Stage = Products, 1
		c := made(t, p, &cache)
		n, d := c.matrix.size, len(p.X)
		sums := make([]complex128, n*n)
		for i := range d {
			for j := range d {
				m, at := c.cellOf(i, j)
				sums[m*n+at] += c.pairs.value(i, j)
				if c.pairs.bucket(i, j) != c.matrix.bucket(m, at) {
					t.Fatalf("%s: x%d·x%d is in bucket %d, its cell in %d", named(p), i, j, c.pairs.bucket(i, j),
						c.matrix.bucket(m, at))
				}
			}
		}
		for m := range n {
			for at := range n {
				if cmplx.Abs(sums[m*n+at]-c.matrix.value(m, at)) > 1e-4 {
					t.Fatalf("%s: cell (%d, %d) is %v, its products are %v", named(p), m, at, c.matrix.value(m, at), sums[m*n+at])
				}
			}
		}
		i, j := random.Below(d), random.Below(d)
		pair := lesson.Item{Kind: lesson.Pair, I: i, J: j}
		m, at := c.cellOf(i, j)
		cell := lesson.Item{Kind: lesson.Cell, I: m, J: at}
		if c.focus(pair) != cell {
			t.Errorf("%s: %v leads to %v, want %v", named(p), pair, c.focus(pair), cell)
		}
		r := c.relate(cell)
		for a := range d {
			for b := range d {
				x, y := c.cellOf(a, b)
				if is := c.pairLevel(r, a, b) == strong; is != (x == m && y == at) {
					t.Errorf("%s: x%d·x%d is lit by cell (%d, %d): %v", named(p), a, b, m, at, is)
				}
			}
		}
		if c.pairLevel(c.relate(pair), i, j) != strong {
			t.Errorf("%s: %v is not lit by itself", named(p), pair)
		}
		for _, size := range []lesson.Size{c.Fit(1100, 900, 13), c.Fit(330, 900, 13)} {
			areas := c.Areas(size)
			where := lesson.Bounds(areas, pair)
			if got := lesson.Hit(areas, where.X+where.Width/2, where.Y+where.Height/2); got != pair {
				t.Errorf("%s: a press on %v at %+v hits %v", named(p), pair, where, got)
			}
			if where.X < 0 || where.Y < 0 || where.X+where.Width > size.Width || where.Y+where.Height > size.Height {
				t.Errorf("%s: %v is outside %+v", named(p), where, size)
			}
		}
	}
}

// TestHeld: a cell lists its products, a product names its cell.
func TestHeld(t *testing.T) {
	p := Params{X: []float64{.5, -.25, 1}, NComponents: 2, Degree: 2, Seed: sketch.IntSeed(1), Show: Products, Step: 2}
	c := made(t, p, nil)
	listed := 0
	for m := range 2 {
		for n := range 2 {
			_, held, found := strings.Cut(c.Describe(lesson.Item{Kind: lesson.Cell, I: m, J: n}), " It holds ")
			if found {
				listed += strings.Count(held, "x") / 2
			}
		}
	}
	if listed != 9 {
		t.Errorf("%d of 9 products are listed", listed)
	}
	text := c.View(lesson.Item{Kind: lesson.Pair, I: 1, J: 2}).Sum
	want := "x₁x₂ = (−0.25)·1.00, with its signs "
	if !strings.HasPrefix(text, want) || !strings.Contains(text, "cell (") {
		t.Errorf("got %q, want %q", text, want)
	}
}

// TestManyPairs: where too many products are in x ⊗ x to draw them all, it says how many and what draws some. It was an
// empty square.
func TestManyPairs(t *testing.T) {
	const many, press = ">1,600\u00a0products<", ">Press a cell.<"
	for d, want := range map[int]bool{plainPairs: false, 40: true} {
		p := Params{X: vector.Preset(vector.Random, d, 0), NComponents: 16, Degree: 2, Seed: sketch.IntSeed(42),
			Show: Products, Stage: 1, Step: 16}
		c := made(t, p, nil)
		for _, width := range []float64{1100, 330} {
			size := c.Fit(width, 900, 13)
			svg := c.SVG(size, zero, false)
			if strings.Contains(svg, many) != want || strings.Contains(svg, press) != want {
				t.Errorf("d %d, %v px: the picture says that it has too many products: %v, want %v", d, width, !want, want)
			}
			lit := c.SVG(size, lesson.Item{Kind: lesson.Cell, I: 3, J: 4}, false)
			if strings.Contains(lit, press) {
				t.Errorf("d %d, %v px: with a cell pressed the picture still asks for one", d, width)
			}
		}
	}
}

// TestWires: two lines go from each coordinate that is not 0, dashed for minus; later stages have none.
func TestWires(t *testing.T) {
	p := Params{X: vector.Preset(vector.Sparse, 20, 0), NComponents: 12, Degree: 3, Seed: sketch.IntSeed(42),
		Show: Products, Stage: 1, Step: 12}
	for p.Stage = 1; p.Stage <= 2; p.Stage++ {
		c := made(t, p, nil)
		want := 0
		for _, value := range p.X {
			if value != 0 && p.Stage == 1 {
				want += 2
			}
		}
		got := 0
		svg := c.SVG(c.Fit(1100, 900, 13), zero, false)
		for _, path := range strings.Split(svg, `<path class="wire`)[1:] {
			path, _, _ = strings.Cut(path, "/>")
			got += strings.Count(path, "C")
		}
		if got != want {
			t.Errorf("stage %d: %d lines, want %d", p.Stage, got, want)
		}
	}
}

// TestLoads: the steps are counted for all degrees, and the areas in the picture are in proportion.
func TestLoads(t *testing.T) {
	p := Params{X: vector.Preset(vector.Random, 64, 0), NComponents: 128, Degree: 3, Show: Coordinates, Step: 128}
	for degree, want := range map[int][3]float64{2: {4096, 16384, 2688}, 3: {262144, 32768, 3584},
		4: {16777216, 49152, 4480}} {
		p.Degree = degree
		for k, load := range made(t, p, nil).loads() {
			if load.steps != want[k] {
				t.Errorf("p = %d: %s takes %v steps, want %v", degree, load.formula, load.steps, want[k])
			}
		}
	}
	p.Degree = 2
	c := made(t, p, nil)
	if svg := c.SVG(c.Fit(1100, 900, 13), zero, false); !strings.Contains(svg, ">= 2,688<") ||
		!strings.Contains(svg, ">3 D log₂ D<") {
		t.Error("the work is not drawn")
	}
	low := lesson.Size{Width: 330, Height: c.narrowHeight(330, 13) - 1, Em: 13}
	if l := c.layout(low); l.work.Width > 0 || l.terse {
		t.Errorf("a picture without room for the work: %+v", l)
	}
	// On a phone the work stands below the matrix where there is room, and a bucket in focus is marked at its bar.
	p.X, p.NComponents, p.Step, p.Show = p.X[:16], 16, 16, Products
	c = made(t, p, nil)
	phone := lesson.Size{Width: 360, Height: 380, Em: 14}
	l := c.layout(phone)
	svg := c.SVG(phone, lesson.Item{Kind: lesson.Bucket, I: 12}, false)
	if !l.terse || l.work.Width == 0 || l.work.Y+l.work.Height > 380 || !strings.Contains(svg, ">= 192<") {
		t.Errorf("a phone's picture has the work at %v", l.work)
	}
	_, mark, _ := strings.Cut(svg, `class="mark" d="M`)
	for k, x := range regexp.MustCompile(`H([\d.]+)`).FindAllStringSubmatch(strings.Split(mark, "Z")[0], -1) {
		bar := l.plot.Left + 12.5*l.slot
		if at, _ := strconv.ParseFloat(x[1], 64); math.Abs(at-bar) > 2*l.em {
			t.Errorf("end %d of the mark of a bar at %.0f is at %.0f", k, bar, at)
		}
	}
	p.NComponents = 1
	if load := made(t, p, nil).loads()[2]; load.steps != 0 {
		t.Errorf("a transform of one number takes %v steps", load.steps)
	}
}

// TestChain: over seeds the inner product of both sketches has the mean and the spread that its card names. The mean
// may be 4 standard errors off.
func TestChain(t *testing.T) {
	const seeds = 300
	for _, method := range methods {
		for degree := 2; degree <= 3; degree++ {
			p := Params{X: vector.Preset(vector.Random, 8, 0), Method: method, NComponents: 16, Degree: degree, Show: Products,
				Stage: degree - 1, Step: 16, ShowY: true, Angle: 35}
			mean, squares, exact, sigma := 0.0, 0.0, 0.0, 0.0
			for n := range seeds {
				p.Seed = sketch.IntSeed(uint64(n))
				y := made(t, p, nil).y
				exact, sigma = y.exact, y.sigma
				mean += y.estimate / seeds
				squares += (y.estimate - exact) * (y.estimate - exact) / seeds
			}
			if off := (mean - exact) / sigma * math.Sqrt(seeds); math.Abs(off) > 4 {
				t.Errorf("%s, p = %d: the mean is %.1f standard errors off", method, degree, off)
			}
			if ratio := squares / (sigma * sigma); ratio < .4 || ratio > 2.2 {
				t.Errorf("%s, p = %d: the variance is %.2f times the formula's", method, degree, ratio)
			}
		}
	}
	p := Params{X: vector.Preset(vector.Random, 8, 0), NComponents: 16, Degree: 2, Show: Products, Step: 16, ShowY: true}
	c := made(t, p, nil)
	cards := c.View(zero).Cards
	if card := cards[len(cards)-2]; card.ID != "chain" || !strings.HasPrefix(card.Note, "⟨x, y⟩² is ") {
		t.Errorf("the card is %+v", card)
	}
	if paths := strings.Count(c.SVG(c.Fit(1100, 900, 13), zero, false), `class="other"`); paths != 4 {
		t.Errorf("y is outlined in %d places, want x, both sketches and the result", paths)
	}
}

// TestFollow: what is looked at stays when the view changes.
func TestFollow(t *testing.T) {
	for _, test := range []struct {
		from, to View
		at, want string
	}{
		{Coordinates, Products, "c3.4", "p3.4"}, {Products, Coordinates, "p3.4", "c3.4"},
		{Products, Coordinates, "c8.9", "k5"}, {Products, Frequencies, "k5", "k5"},
	} {
		s := DefaultState()
		for _, change := range []lesson.Change{{Name: "view", Text: string(test.from)}, {Name: "at", Text: test.at},
			{Name: "view", Text: string(test.to)}} {
			if err := control.Find(s.Parameters(), change.Name).Take(change.Text); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.At.String(); got != test.want {
			t.Errorf("%+v: got %s", test, got)
		}
	}
}

// TestLecture: in lecture mode, with large letters, every line of text is inside the picture.
func TestLecture(t *testing.T) {
	for _, degree := range []int{2, 3} {
		p := Params{X: vector.Preset(vector.Random, 16, 0), NComponents: 16, Degree: degree, Show: Products, Step: 16}
		c := made(t, p, nil)
		size := lesson.FitWithin(c, 1248, 516, 24)
		svg := c.SVG(size, zero, false)
		for _, at := range regexp.MustCompile(`<text[^>]* y="([0-9.]+)"`).FindAllStringSubmatch(svg, -1) {
			if y, _ := strconv.ParseFloat(at[1], 64); y > size.Height-.2*size.Em {
				t.Errorf("p = %d: a text is at %v of %v", degree, y, size.Height)
			}
		}
	}
}

// TestLectureHasWork: on a lecture's screen the work stands beside the result, and over nothing.
func TestLectureHasWork(t *testing.T) {
	c := made(t, Params{X: vector.Preset(vector.Random, 24, 0), NComponents: 16, Degree: 2, Show: Products, Step: 16}, nil)
	l := c.layout(lesson.FitWithin(c, 1248, 516, 24.3))
	if r := l.work; r.Width == 0 || r.X < l.plot.Right || r.Y < l.pairArea.Y+l.pairArea.Height ||
		r.Y+r.Height+2*l.em > l.note-l.em || l.plot.Width() < 8*l.em {
		t.Errorf("the work is at %v, the result at %v", r, l.plot)
	}
}

// TestLowSpectra: on a lecture's screen, also a zoomed one, the spectra have bars and dials, one below the other.
func TestLowSpectra(t *testing.T) {
	c := made(t, Params{X: vector.Preset(vector.Random, 16, 0), NComponents: 16, Degree: 2, Show: Frequencies, Step: 16},
		nil)
	for _, screen := range [][3]float64{{1248, 440, 24.3}, {1000, 470, 24}, {620, 216, 15}, {700, 270, 19}} {
		size := lesson.FitWithin(c, screen[0], screen[1], screen[2])
		l := c.layout(size)
		end := 0.
		for k, bars := range l.magnitude {
			if bars.Height() < l.em || bars.Top-l.name-.7*l.em < end || l.phase[k].Top < bars.Bottom ||
				l.phase[k].Height() < l.em {
				t.Errorf("%v, drawn in %v: bars %d are %v, phases %v, before %v", screen, size, k, bars, l.phase[k], end)
			}
			end = l.phase[k].Bottom
		}
		if end > size.Height-2*l.em {
			t.Errorf("%v, drawn in %v: the phases end at %v", screen, size, end)
		}
	}
}

package plane

import (
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/lesson"
)

var none lesson.Item

// TestPresets: the classes take turns, half of the points are held out, all are in the picture, and a point stays where
// it is when more are drawn.
func TestPresets(t *testing.T) {
	for _, preset := range []string{Circles, XOR, Spirals, Moons} {
		for _, noise := range []float64{0, .1, 1} {
			points := drawn(preset, 1000, noise, 7)
			held, minus := 0, 0
			for _, p := range points {
				if p.HeldOut {
					held++
				}
				if p.Minus {
					minus++
				}
				if !(max(math.Abs(p.X), math.Abs(p.Y)) <= edge) {
					t.Errorf("%s: %v is out of the picture", preset, p)
				}
				if preset == XOR && noise == 0 && (p.X*p.Y > 0) == p.Minus {
					t.Errorf("%v has the wrong class", p)
				}
			}
			if len(points) != 1000 || held != 500 || minus != 500 {
				t.Errorf("%s: %d points, %d held out, %d of −", preset, len(points), held, minus)
			}
			if !slices.Equal(drawn(preset, 40, noise, 7), points[:40]) {
				t.Errorf("%s: the first points depend on how many there are", preset)
			}
			if slices.Equal(drawn(preset, 1000, noise, 8), points) {
				t.Errorf("%s: another seed gives the same points", preset)
			}
		}
	}
}

// TestDefault: the first picture makes the point.
func TestDefault(t *testing.T) {
	c := pictureOf(t, func(*Params) {})
	if n := c.asked; n != 200 || c.right[straight] > n*6/10 || c.right[sketched] < n*95/100 || c.right[exact] < n*95/100 {
		t.Errorf("%v of %d are right", c.right, c.asked)
	}
}

// TestPointsInLinks: what is written is read back, and what is not of this form is refused.
func TestPointsInLinks(t *testing.T) {
	for _, text := range []string{"", "p0,0", "m-120,120", "p35,-20m-70,15p35,-20", strings.Repeat("p1,2", MostOwn)} {
		points, ok := ParsePoints(text)
		if !ok || FormatPoints(points) != text {
			t.Errorf("%.40q: %v, %v", text, points, ok)
		}
	}
	for _, text := range []string{"p", "q1,2", "p1", "p1,", "p1,2,3", "p121,0", "p0,-121", "1,2", "p1.5,2", "p1,2 m3,4",
		strings.Repeat("p1,2", MostOwn+1), "p99999999999999999999,0"} {
		if points, ok := ParsePoints(text); ok {
			t.Errorf("%.40q is taken for %v", text, points)
		}
	}
	for x, want := range map[float64]int{.004: 0, .005: 1, -.006: -1, 1.2: 120, 9: 120, -9: -120} {
		if got := hundredths(x); got != want {
			t.Errorf("%v is %d hundredths, want %d", x, got, want)
		}
	}
}

// FuzzParsePoints: what is taken can be written and read again.
func FuzzParsePoints(f *testing.F) {
	f.Add("p35,-20m-70,15")
	f.Fuzz(func(t *testing.T, text string) {
		points, ok := ParsePoints(text)
		if !ok {
			return
		}
		if again, ok := ParsePoints(FormatPoints(points)); !ok || !slices.Equal(again, points) {
			t.Errorf("%q: %v, then %v", text, points, again)
		}
	})
}

// TestPress: a press adds a point where it is, in each of the squares, or takes the nearest of the visitor's away.
func TestPress(t *testing.T) {
	for _, width := range []float64{330, 1100} {
		c := pictureOf(t, func(p *Params) { p.Points, p.Brush = "p10,20", Minus })
		size := c.Fit(width, 900, 13)
		for k := range c.layout(size).panels {
			x, y := c.layout(size).at(k, -.5, .75)
			if change, ok := c.Press(size, x, y); !ok || change != (lesson.Change{Name: "points", Text: "p10,20m-50,75"}) {
				t.Errorf("a press on square %d: %+v, %v", k, change, ok)
			}
		}
		if change, ok := c.Press(size, 1, 1); ok {
			t.Errorf("a press beside the squares: %+v", change)
		}
	}
	c := pictureOf(t, func(p *Params) { p.Points, p.Brush = "p10,20m0,0p90,90", Away })
	size := c.Fit(1100, 900, 13)
	for at, want := range map[[2]float64]string{{.08, .18}: "m0,0p90,90", {.02, .01}: "p10,20p90,90",
		{.5, .5}: "p10,20m0,0p90,90"} {
		x, y := c.layout(size).at(1, at[0], at[1])
		if change, ok := c.Press(size, x, y); !ok || change.Text != want {
			t.Errorf("taken away at %v: %+v, %v, want %s", at, change, ok, want)
		}
	}
	last := lesson.Item{Kind: lesson.Coordinate, I: len(c.points) - 1}
	if change, ok := c.Enter(last); !ok || change.Text != "p10,20m0,0" {
		t.Errorf("Enter at the last point: %+v, %v", change, ok)
	}
	c = pictureOf(t, func(p *Params) { p.Brush = Look })
	x, y := c.layout(size).at(1, .5, .5)
	if change, ok := c.Press(size, x, y); ok {
		t.Errorf("a press that looks: %+v", change)
	}
	c = pictureOf(t, func(p *Params) { p.Points = strings.Repeat("p1,2", MostOwn) })
	if change, _ := c.Enter(lesson.Item{Kind: lesson.Cell, I: 30, J: 3}); change.Text != c.p.Points {
		t.Errorf("one point more than there may be: %.40s", change.Text)
	}
	if change, ok := c.Enter(last); ok {
		t.Errorf("Enter at a point: %+v", change)
	}
	if x, y := c.at(lesson.Item{Kind: lesson.Cell, I: 24, J: 24}); x != 0 || y != 0 {
		t.Errorf("the middle is (%v, %v)", x, y)
	}
}

// TestPainted: each pixel has the colour of the answer there.
func TestPainted(t *testing.T) {
	for _, width := range []float64{330, 1100} {
		for _, dark := range []bool{false, true} {
			c := pictureOf(t, func(p *Params) { p.Preset = Moons })
			size := c.Fit(width, 900, 13)
			part, w, h, pixels := c.Paint(size, none, 2, dark, nil)
			l := c.layout(size)
			if len(pixels) != 4*w*h || w*h > mostPixels {
				t.Fatalf("%d bytes for %d × %d pixels", len(pixels), w, h)
			}
			for k := range l.panels {
				for _, p := range grid {
					score := c.models[k].score(p.X*.97, p.Y*.97)
					if math.Abs(score) < .1 {
						continue
					}
					x, y := l.at(k, p.X*.97, p.Y*.97)
					i := 4 * (int((y-part.Y)/part.Height*float64(h))*w + int((x-part.X)/part.Width*float64(w)))
					if isBlue := pixels[i+2] > pixels[i]; isBlue != (score > 0) || pixels[i+3] == 0 {
						t.Errorf("%v px, square %d, %v: the score is %v, the pixel %v", width, k, p, score, pixels[i:i+4])
					}
				}
			}
		}
	}
	c := pictureOf(t, func(p *Params) { p.Preset = Own })
	if _, w, h, _ := c.Paint(c.Fit(1100, 900, 13), none, 1, false, nil); w != 0 || h != 0 {
		t.Errorf("without points %d × %d pixels are painted", w, h)
	}
}

// TestAnswers: the answers have the figures that the picture has.
func TestAnswers(t *testing.T) {
	for question, want := range map[int][]string{1: {"draws a straight line", "degree 4 it has 100.0", "with D = 32 "},
		2: {"With D = 32 ", "99.2", "with D = 512 and the same seed"},
		3: {"Over 20 seeds at D = 32", "With D = 128", "times less"}} {
		c := pictureOf(t, func(p *Params) { p.Question = question })
		answer := c.View(none).Questions[question-1].Answer
		for _, words := range want {
			if !strings.Contains(answer, words) {
				t.Errorf("question %d: %q has no %q", question, answer, words)
			}
		}
		if c.View(none).Questions[question-1].Answer != answer {
			t.Errorf("question %d: asked again, the answer is another", question)
		}
	}
	c := pictureOf(t, func(p *Params) { p.Preset, p.Question = Own, 3 })
	if got := c.View(none).Questions[2].Answer; got != nothing {
		t.Errorf("without points the answer is %q", got)
	}
}

// TestErrors: the measured error of the kernel is as large as σ says, over seeds.
func TestErrors(t *testing.T) {
	sum, sigma := 0.0, 0.0
	const n = 200
	for seed := range uint64(n) {
		c := pictureOf(t, func(p *Params) { p.NSamples, p.Seed = 40, sketch.IntSeed(seed) })
		e := c.measured()
		sum, sigma = sum+e.seed*e.seed/n, e.sigma
	}
	if ratio := math.Sqrt(sum) / sigma; ratio < .85 || ratio > 1.15 {
		t.Errorf("the root mean square error over %d seeds is %v times σ", n, ratio)
	}
}

// TestSingleClass: points of one class are no question, which every model answers rightly.
func TestSingleClass(t *testing.T) {
	for points, want := range map[string]string{"p10,20p30,40": "+", "m10,20": "−", "p10,20m30,40": "", "": ""} {
		c := pictureOf(t, func(p *Params) { p.Preset, p.Points = Own, points })
		v := c.View(lesson.Item{})
		isSaid := strings.Contains(v.Sum, "add points of the other class") &&
			strings.Contains(v.Summary, "of one class, "+want)
		// Beside “is right” the cards said that 0 of 1 point is, because it is held out and no other one is left.
		if isRight := strings.Contains(v.Lede, "is right"); isRight != (points == "p10,20p30,40") {
			t.Errorf("%q: the page says %q beside %q", points, v.Lede, v.Summary)
		}
		if got := c.single(); got != want || isSaid != (want != "") {
			t.Errorf("%q: the class is %q, want %q: %s %s", points, got, want, v.Sum, v.Summary)
		}
	}
}

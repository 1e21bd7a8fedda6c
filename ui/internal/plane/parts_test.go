package plane

import (
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/lesson"
)

// TestParts: the maps add up to the decision; a point's features, as the core computes them, times their weights are
// its score; and so are the exact kernel's terms.
func TestParts(t *testing.T) {
	for _, at := range []struct {
		D, degree int
		coef0     float64
	}{{4, 2, 1}, {8, 3, 0}, {64, 4, 1}, {512, 4, 1}, {4096, 8, .5}} {
		c := pictureOf(t, func(p *Params) {
			p.View, p.NComponents, p.Degree, p.Coef0 = Features, at.D, at.degree, at.coef0
		})
		m, err := sketch.New(c.maps)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range grid {
			x, y := p.X, p.Y
			score, tolerance := c.models[sketched].score(x, y), 1e-6*(1+math.Abs(c.models[sketched].score(x, y)))
			if got := c.parts.sum.score(x, y); math.Abs(got-score) > tolerance {
				t.Errorf("%+v: the maps add up to %v at %v, the decision is %v", at, got, p, score)
			}
			f, weighed := c.numbers(x, y)
			sum, constant := 0.0, c.moments.target
			for _, f := range c.parts.features {
				constant -= f.weight * f.mean
			}
			for _, w := range weighed {
				sum += w
			}
			if math.Abs(sum+constant-score) > tolerance {
				t.Errorf("%+v: w·f(x) is %v at %v, the score %v", at, sum+constant, p, score)
			}
			for k, want := range m.Transform(nil, []float32{float32(x), float32(y)}) {
				if math.Abs(f[k]-float64(want)) > 1e-4*(1+math.Abs(f[k])) {
					t.Fatalf("%+v: feature %d is %v at %v, the core's %v", at, k, f[k], p, want)
				}
			}
			sum, constant = 0, c.models[exact].start
			for _, term := range c.terms(x, y) {
				sum += term
			}
			if e := c.models[exact].score(x, y); math.Abs(sum+constant-e) > 1e-5*(1+math.Abs(e)) {
				t.Errorf("%+v: Σ α κ is %v at %v, the score %v", at, sum+constant, p, e)
			}
		}
		for n := 1; n < len(c.parts.ranked); n++ {
			a, b := c.parts.features[c.parts.ranked[n-1]], c.parts.features[c.parts.ranked[n]]
			if math.Abs(b.weight) > math.Abs(a.weight)*(1+1e-6) {
				t.Errorf("%+v: the weight %v comes before %v", at, a.weight, b.weight)
			}
		}
	}
}

// TestMapsAdded: steps add one map after the other; a press on a map adds it or takes it away; and at the end the sum
// is the sketch.
func TestMapsAdded(t *testing.T) {
	for _, D := range []int{4, 64} {
		c := pictureOf(t, func(p *Params) { p.View, p.NComponents, p.Maps = Features, D, "0" })
		steps := c.View(none).Steps
		for step := range steps + 1 {
			maps := c.StepTo(step).Text
			c := pictureOf(t, func(p *Params) { p.View, p.NComponents, p.Maps = Features, D, maps })
			if v := c.View(none); v.Step != step {
				t.Errorf("D = %d: step %d is shown as %d (%s)", D, step, v.Step, maps)
			}
			if whole := c.shown(sketched) == c.models[sketched]; whole != (step == steps) {
				t.Errorf("D = %d: step %d shows the whole sketch: %v", D, step, whole)
			}
		}
		size := c.Fit(1100, 900, 13)
		for n, r := range c.layout(size).maps {
			change, ok := c.Press(size, r.X+1, r.Y+1)
			if want := allMaps[c.parts.digit(n):][:1]; !ok || change != (lesson.Change{Name: "maps", Text: want}) {
				t.Errorf("a press on map %d: %+v, %v", n, change, ok)
			}
			if entered, _ := c.Enter(lesson.Item{Kind: lesson.Bucket, I: n}); entered != change {
				t.Errorf("Enter at map %d: %+v", n, entered)
			}
			if item := lesson.Hit(c.Areas(size), r.X+1, r.Y+1); item != (lesson.Item{Kind: lesson.Bucket, I: n}) {
				t.Errorf("map %d is hit as %v", n, item)
			}
		}
		if change, ok := c.Press(size, c.layout(size).panels[0].X, c.layout(size).panels[0].Y); ok {
			t.Errorf("a press between the maps: %+v", change)
		}
	}
}

// TestFormula: a feature is written as the sum of products that it is.
func TestFormula(t *testing.T) {
	c := pictureOf(t, func(p *Params) { p.View, p.NComponents, p.Degree = Features, 64, 2 })
	seen := ""
	for _, f := range c.parts.features {
		seen += c.formula(f) + "; "
	}
	for _, want := range []string{"x²", "y²", "xy"} {
		if !strings.Contains(seen, want) {
			t.Errorf("no feature has %s: %s", want, seen)
		}
	}
	b := feature{sums: make([]float64, c.basis.size())}
	b.sums[c.basis.index[1][1]], b.sums[c.basis.index[0][0]], b.sums[c.basis.index[2][0]] = -2, 1, 1
	if got, want := c.formula(b), "x² − 2xy + 1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestMapsInLinks: maps are ascending digits, or 0.
func TestMapsInLinks(t *testing.T) {
	maps := ""
	p := mapsParameter(&maps)
	for text, ok := range map[string]bool{"0": true, "1": true, "1589": true, allMaps: true, "": false, "21": false,
		"11": false, "01": false, "a": false} {
		if err := p.Set(text); (err == nil) != ok || ok && p.Get() != text {
			t.Errorf("%q: %v, %q", text, err, p.Get())
		}
	}
}

func BenchmarkParts(b *testing.B) {
	p := DefaultState().Params()
	p.View, p.NComponents = Features, 512
	size := lesson.Size{}
	var pixels []byte
	for range b.N {
		c, err := New(p)
		if err != nil {
			b.Fatal(err)
		}
		size = c.Fit(1100, 900, 13)
		_, _, _, pixels = c.Paint(size, none, 1, false, pixels)
		_ = c.SVG(size, none, false)
		_ = c.View(none)
	}
}

// TestLectureHasStrips: on a lecture's screen the numbers of a point stand beside the squares, and the legend below.
func TestLectureHasStrips(t *testing.T) {
	c := pictureOf(t, func(p *Params) { p.View = Features })
	size := lesson.FitWithin(c, 1248, 546, 24.3)
	l := c.layout(size)
	if len(l.strips) != strips || l.isLow || len(l.legend) == 0 || size.Em < 24 {
		t.Fatalf("drawn in %v: strips %v, legend %v", size, l.strips, l.legend)
	}
	last := l.panels[panels-1]
	for k, r := range l.strips {
		if r.X < last.X+last.Width || r.X+r.Width > size.Width || r.Y+r.Height > l.legends-l.em || r.Height < 2*l.em {
			t.Errorf("strip %d is at %v, the last square at %v, the legend at %v", k, r, last, l.legends)
		}
	}
}

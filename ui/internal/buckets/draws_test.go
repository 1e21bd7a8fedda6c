package buckets

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/splitmix"
	"tensorsketch.example/ui/internal/vector"
)

// grown returns the picture after all seeds are drawn, and in how many portions they came.
func grown(t *testing.T, p Params) (*Picture, int) {
	t.Helper()
	cache, portions := new(Cache), 0
	for {
		made, err := New(p, cache)
		if err != nil {
			t.Fatal(err)
		}
		if !made.HasWork() {
			return made, portions
		}
		made.Advance()
		portions++
	}
}

// TestDraws: ten seeds come at once, a thousand in few portions, with the bits of their own pictures, and stay while x
// changes.
func TestDraws(t *testing.T) {
	params := opening()
	params.Draws = MostDraws
	if p := picture(t, params); len(p.drawn) != drawnAtOnce {
		t.Errorf("%d seeds at once", len(p.drawn))
	}
	for _, params.Method = range []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch} {
		p, portions := grown(t, params)
		if len(p.drawn) != MostDraws || portions > 30 {
			t.Fatalf("%d seeds in %d portions", len(p.drawn), portions)
		}
		for _, n := range []int{0, 9, 500, 999} {
			alone := params
			alone.Seed, alone.Draws = sketch.IntSeed(42+uint64(n)), 0
			if want := picture(t, alone).estimate; p.drawn[n] != want {
				t.Errorf("seed %d: %v, want %v", 42+n, p.drawn[n], want)
			}
		}
		moved := params
		moved.X = vector.Preset(vector.Zipf, 16, 0)
		after, err := New(moved, p.cache)
		if err != nil || after.HasWork() || after.drawn[0] != after.estimate || after.drawn[0] == p.drawn[0] {
			t.Errorf("with another x %d seeds are drawn: %v", len(after.drawn), err)
		}
	}
}

// TestSigns: with signs the mean of a thousand seeds is the exact value, without them it is where the formula says; the
// spread is as the formulas say. Means may be 4 standard errors off.
func TestSigns(t *testing.T) {
	for _, preset := range bars.Presets {
		for _, signless := range []bool{false, true} {
			for _, showY := range []bool{false, true} {
				params := opening()
				params.X, params.Signless, params.ShowY = vector.Preset(preset.Value, 16, 0), signless, showY
				params.Seed, params.Draws = sketch.IntSeed(1), MostDraws
				p, _ := grown(t, params)
				name := fmt.Sprint(preset.Value, " ", signless, " ", showY)
				if !signless && p.mean != p.exact {
					t.Errorf("%s: the mean is %v, the exact value %v", name, p.mean, p.exact)
				}
				if p.sigma == 0 {
					continue
				}
				if off := (p.average() - p.mean) / p.sigma * math.Sqrt(MostDraws); math.Abs(off) > 4 {
					t.Errorf("%s: the mean of the seeds is %.1f standard errors off", name, off)
				}
				squares := 0.0
				for _, estimate := range p.drawn {
					squares += (estimate - p.mean) * (estimate - p.mean) / MostDraws
				}
				if ratio := squares / (p.sigma * p.sigma); ratio < .7 || ratio > 1.4 {
					t.Errorf("%s: the variance is %.2f times the formula's", name, ratio)
				}
			}
		}
	}
}

// TestCross: the estimate is the exact value and the products of those that meet, with their signs or without.
func TestCross(t *testing.T) {
	random := splitmix.Source(3)
	for range 100 {
		params := someParams(&random)
		params.Signless = random.Below(2) == 0 && !params.isComplex()
		p := picture(t, params)
		cross := 0.0
		for i, a := range p.slot {
			for j, b := range p.slot {
				if i != j && a == b {
					cross += p.inSlot(i, p.fallenX[i]) * p.inSlot(j, p.fallenY[j])
				}
			}
		}
		if math.Abs(p.cross()-cross) > 1e-4 {
			t.Errorf("%+v: cross terms %v, want %v", params, p.cross(), cross)
		}
		if params.Signless && strings.Contains(p.SVG(p.Fit(1100, 900, 14), lesson.Item{}, false), `class="wire minus`) {
			t.Errorf("%+v: a sign is drawn", params)
		}
	}
}

// TestDoubt: the mean of the seeds drawn has its standard error beside it, in the picture and in words.
func TestDoubt(t *testing.T) {
	for _, signless := range []bool{false, true} {
		params := opening()
		params.Draws, params.Signless = 200, signless
		p, _ := grown(t, params)
		want := p.value(p.average()) + " ± " + p.value(p.sigma/math.Sqrt(200))
		svg := p.SVG(p.Fit(1100, 900, 14), lesson.Item{}, false)
		if !strings.Contains(svg, ">200\u00a0seeds: mean "+want) {
			t.Errorf("the picture lacks %q", want)
		}
		if got := p.View(lesson.Item{}).Summary; !strings.Contains(got, "The mean of 200\u00a0seeds is "+want+".") {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// TestNoCrossTerms: cross terms of float32's rounding alone are 0, not +0.0000.
func TestNoCrossTerms(t *testing.T) {
	params := opening()
	params.X, params.Signless, params.ShowY = vector.Preset(vector.Random, 4, 0), true, false
	params.Step = len(params.X)
	if p := picture(t, params); p.cross() <= 0 || p.crossText() != "0.0000 of 0\u00a0pairs" {
		t.Errorf("%v is written %q", p.cross(), p.crossText())
	}
}

// TestPanel: the bars of the panel reach from 0 to the exact value and on to the estimate, and its histogram counts all
// seeds drawn, beside the buckets and below them.
func TestPanel(t *testing.T) {
	params := opening()
	params.Draws = 200
	p, _ := grown(t, params)
	for _, size := range []lesson.Size{p.Fit(1100, 900, 14), p.Fit(320, 640, 13), p.Fit(560, 900, 14)} {
		l := p.layout(size)
		svg, c := p.SVG(size, lesson.Item{}, false), p.histogram(l)
		want := fmt.Sprintf(`<path class="net" d="M%.1f`, c.X.At(0))
		if !strings.Contains(svg, strings.TrimSuffix(want, ".0")) || !strings.Contains(svg, ">cross terms: ") ||
			!strings.Contains(svg, ">200\u00a0seeds: mean ") || !strings.Contains(svg, `class="exact dashed"`) {
			t.Errorf("%+v: the panel lacks something", size)
		}
		if l.panel.Left < l.right && l.panel.Top < l.nets || l.panel.Right > size.Width || l.panel.Bottom > size.Height {
			t.Errorf("%+v: the panel is at %+v, the buckets end at %v, %v", size, l.panel, l.right, l.nets)
		}
	}
	total := 0
	r := p.reach()
	for _, count := range p.bins(r.Low, r.High, binCount) {
		total += count
	}
	if total != 200 || p.bins(r.Low, r.High, binCount)[0] != 0 {
		t.Errorf("%d seeds are counted", total)
	}
	if svg := p.SVG(p.Fit(1180, 900, 24), lesson.Item{}, false); strings.Contains(svg, "…") {
		t.Error("in large letters a text of the panel is cut")
	}
	low := p.SVG(lesson.Size{Width: 320, Height: 380, Em: 13}, lesson.Item{}, false)
	if strings.Contains(low, "cross terms: ") ||
		regexp.MustCompile(`NaN|Inf`).MatchString(low) {
		t.Error("a low picture has a panel")
	}
}

// TestSignlessState: signs can be turned off and on in links, and complex signs are on.
func TestSignlessState(t *testing.T) {
	s := set(t, DefaultState(), lesson.Change{Name: "signs", Text: off})
	p := picture(t, s.Params())
	if v := p.View(lesson.Item{}); !strings.Contains(v.Lede, "Without signs") || !p.p.Signless ||
		!strings.Contains(v.Cards[1].Unit, " around "+p.value(p.mean)) || strings.Contains(v.Questions[0].Answer, "σ") {
		t.Errorf("%+v", v)
	}
	for n := range 3 {
		params := s.Params()
		params.Question = n + 1
		if answer := picture(t, params).questions()[n].Answer; !strings.HasPrefix(answer, "The signs are off.") {
			t.Errorf("question %d: %q", n+1, answer)
		}
	}
	if s = set(t, s, lesson.Change{Name: "method", Text: sketch.MethodComplexTensorSketch}); s.Signs != on {
		t.Error("complex signs are off")
	}
}

// TestZoomedLecture: at 200 % zoom a lecture's picture has its histogram, and its buckets end inside.
func TestZoomedLecture(t *testing.T) {
	params := opening()
	params.Draws = 200
	p, _ := grown(t, params)
	for _, screen := range [][3]float64{{620, 281, 15.1}, {492, 300, 16.1}, {1248, 516, 24.3}} {
		size := lesson.FitWithin(p, screen[0], screen[1], screen[2])
		l := p.layout(size)
		if svg := p.SVG(size, lesson.Item{}, false); l.nets > size.Height || !strings.Contains(svg, `class="exact dashed"`) {
			t.Errorf("%v, drawn in %v: the buckets end at %v, the histogram is drawn: %v", screen, size, l.nets,
				strings.Contains(svg, `class="exact dashed"`))
		}
	}
}

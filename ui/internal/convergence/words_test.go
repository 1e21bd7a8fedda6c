package convergence

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"

	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// TestDefault: the default shows the point: the exact σ inside the interval of
// the spread, a slope about −½, Lemma 6 visibly below the dots.
func TestDefault(t *testing.T) {
	samples := begun(t, opening())
	seeds := func(c int) int { // wide sketches take most of the time
		if c > columnOf(1024) {
			return 200
		}
		return 500
	}
	for c := range Columns {
		fill(t, samples, c, 0, seeds(c))
	}
	p := newPicture(t, opening(), samples)
	v := p.View(lesson.Item{})
	for what, is := range map[string]string{
		v.Sum:            "D = 128: 500\u00a0seeds, mean 0.5922 ± 0.0068, spread 0.152 (0.141 … 0.161), σ exactly 0.156",
		v.Cards[0].Value: "0.587",
		v.Cards[1].Title: "Mean of 500\u00a0seeds",
		v.Cards[3].Note:  "inside the interval",
		p.Plan().Sentence: "Error below 0.05 with probability 95\u00a0%: D = 24,769 is guaranteed by Chebyshev’s " +
			"inequality with the exact variance; " +
			"D = 4,758 is enough if errors are normally distributed.",
	} {
		if what != is {
			t.Errorf("got %q, want %q", what, is)
		}
	}
	if p.slope < -.55 || p.slope > -.45 {
		t.Errorf("the slope is %v", p.slope)
	}
	l := p.layout(lesson.Size{Width: 1100, Height: 560, Em: 13})
	for k, c := range p.columns {
		if gap := l.errors.Y.At(c.lemma6) - l.errors.Y.At(c.Spread); gap < 10 {
			t.Errorf("D = %d: Lemma 6 is %.1f pixels below the dot", c.NComponents, gap)
		}
		if c.Seeds != seeds(k) || c.Spread > c.theorem9 {
			t.Errorf("D = %d: the spread %v of %d seeds exceeds Theorem 9, %v", c.NComponents, c.Spread, c.Seeds, c.theorem9)
		}
	}
}

// TestRare: where the seeds have not shown the large errors that make up σ, a card
// says so.
func TestRare(t *testing.T) {
	p := with(func(p *Params) { p.Degree, p.Angle, p.Seeds = 8, 30, 60 })
	v := newPicture(t, p, filled(t, p)).View(lesson.Item{})
	if want := "above the interval: a few seeds with very large errors make up σ"; v.Cards[3].Note != want {
		t.Errorf("got %+v, want %q", v.Cards[2:], want)
	}
}

// TestFewSeeds: the wide interval of few seeds is short enough for the line that a
// card has for it, so that nothing moves while seeds come in.
func TestFewSeeds(t *testing.T) {
	for _, seeds := range []int{2, 3, 10, 99} {
		p := with(func(p *Params) { p.Seeds = 100 })
		samples := begun(t, p)
		for c := range Columns {
			fill(t, samples, c, 0, seeds)
		}
		picture := newPicture(t, p, samples)
		for _, c := range picture.columns {
			for _, end := range strings.Split(c.interval(), " … ") {
				if digits := strings.TrimLeft(strings.ReplaceAll(end, ".", ""), "0"); len(digits) > 2 &&
					!strings.Contains(end, "–") {
					t.Errorf("D = %d, %d seeds: %s", c.NComponents, seeds, c.interval())
				}
			}
		}
	}
}

// TestRightAngle: at 90° the answer does not divide by κ = 0.
func TestRightAngle(t *testing.T) {
	p := with(func(p *Params) { p.Angle, p.Question = 90, 2 })
	got := newPicture(t, p, nil).View(lesson.Item{}).Questions[1].Answer
	if !strings.HasPrefix(got, "No. κ is 0, and at D = 128 σ is exactly 0.0") ||
		!strings.Contains(got, "Relative to κ = 0 no error is small") {
		t.Errorf("got %q", got)
	}
}

// TestNoError: one-hot x = ±y has no error, and the picture says so.
func TestNoError(t *testing.T) {
	for _, p := range []Params{
		with(func(p *Params) { p.Vector, p.Angle, p.Seeds = vector.OneHot, 0, 10 }),
		with(func(p *Params) { p.Vector, p.Angle, p.Seeds, p.Degree = vector.OneHot, 180, 10, 3 }),
		with(func(p *Params) { p.NonZero, p.Angle, p.Seeds, p.Pairs = 1, 0, 10, ManyPairs }),
	} {
		picture := newPicture(t, p, filled(t, p))
		v := picture.View(lesson.Item{})
		svg := picture.SVG(picture.Fit(1100, 900, 13), lesson.Item{}, false)
		if !strings.Contains(svg, ">no error<") || !strings.Contains(v.Summary, "without error but rounding") ||
			v.Cards[3].Note != "no error but rounding" {
			t.Errorf("%+v: %q, %+v", p, v.Summary, v.Cards[3])
		}
		for _, text := range []string{v.Lede, v.Sum, v.Cards[1].Note, v.Cards[2].Note,
			picture.Describe(lesson.Item{Kind: lesson.Column, I: 3})} {
			if !strings.Contains(text, "rounding only") || regexp.MustCompile(`0000|9999|10⁻`).MatchString(text) {
				t.Errorf("%+v: %q", p, text)
			}
		}
	}
}

// TestStreaming: while seeds are missing, the words say how many there are.
func TestStreaming(t *testing.T) {
	p := opening()
	p.Question = 1
	s := begun(t, p)
	if v := newPicture(t, p, s).View(lesson.Item{}); !strings.Contains(v.Sum+v.Summary, "the seeds are being computed") ||
		!strings.Contains(v.Questions[0].Answer, "0 of 500") {
		t.Errorf("before: %q, %q", v.Sum, v.Questions[0].Answer)
	}
	s = someSamples(t, p, 120)
	v := newPicture(t, p, s).View(lesson.Item{})
	texts := []string{v.Sum, v.Summary, v.Cards[1].Title}
	for p.Question = 1; p.Question <= 3; p.Question++ {
		texts = append(texts, newPicture(t, p, s).View(lesson.Item{}).Questions[p.Question-1].Answer)
	}
	p.Question = 1
	for _, text := range texts {
		if !strings.Contains(text, "120 of 500\u00a0seeds") {
			t.Errorf("at 120 seeds: %q", text)
		}
	}
	p.Seeds = 120
	if v = newPicture(t, p, s).View(lesson.Item{}); strings.Contains(fmt.Sprint(v), "120 of") {
		t.Errorf("at the end: %v", v)
	}
}

// TestPlan: where no map is large enough, the planner says so; a sample of pairs
// takes the pair that needs most.
func TestPlan(t *testing.T) {
	small := with(func(p *Params) { p.Epsilon, p.Delta, p.Degree = .001, .001, 8 })
	if got := newPicture(t, small, nil).Plan(); !strings.Contains(got.Sentence,
		"only a D beyond 2²⁴ = 16,777,216, the largest D, is guaranteed") {
		t.Errorf("got %+v", got)
	}
	if got := componentsText(math.Inf(1)); got != "no D" {
		t.Errorf("infinite: got %q", got)
	}
	one, many := opening(), with(func(p *Params) { p.Pairs = ManyPairs })
	a, b := newPicture(t, one, nil).Plan(), newPicture(t, many, nil).Plan()
	if b.Guaranteed < a.Guaranteed || b.Typical < a.Typical {
		t.Errorf("20 pairs need %+v, the first of them %+v", b, a)
	}
	easy := with(func(p *Params) { p.Vector, p.Angle, p.Epsilon = vector.OneHot, 0, 1 })
	if got := newPicture(t, easy, nil).Plan(); got.Guaranteed != 1 ||
		!strings.Contains(got.Sentence, "D = 1 is guaranteed") {
		t.Errorf("no error: got %+v", got)
	}
}

package convolution

import (
	"fmt"
	"math"
	"math/cmplx"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// set returns the state after changes, as a press on a question makes them.
func set(t *testing.T, s State, changes ...lesson.Change) State {
	t.Helper()
	for _, change := range changes {
		before := s
		if err := control.Find(s.Parameters(), change.Name).Take(change.Text); err != nil {
			t.Fatal(err)
		}
		s.Settle(&before)
	}
	return s
}

// TestWalk: at every preset, method and question that a visitor reaches from the opening, ‖f(x)‖² is within 2.5 σ of
// the kernel, the headline names what the picture shows, and the answer is about it.
func TestWalk(t *testing.T) {
	for _, preset := range bars.Presets {
		for _, method := range methods {
			opening := set(t, DefaultState(), lesson.Change{Name: "vector", Text: preset.Value},
				lesson.Change{Name: "method", Text: method})
			for asked := range 4 {
				s := opening
				if asked > 0 {
					s = set(t, s, made(t, s.Params(), nil).questions()[asked-1].Changes...)
					s.Question = asked
				}
				checkStop(t, fmt.Sprint(preset.Value, ", ", method, ", question ", asked), asked, s.Params())
			}
		}
	}
}

func checkStop(t *testing.T, name string, asked int, p Params) {
	t.Helper()
	c := made(t, p, nil)
	if p.Stage == p.Degree-1 {
		f := c.cache.whole.Transform(nil, vector.Float32(p.X))
		off := math.Abs(sketch.Dot(f, f) - c.cache.whole.Kernel(p.X, p.X))
		if sigma := c.sigma(p.Method, p.Degree, p.NComponents); off > 2.5*sigma+1e-4 {
			t.Errorf("%s: ‖f(x)‖² is %.2f σ off", name, off/sigma)
		}
	}
	p.ShowY, p.Angle = true, usualAngle
	if y := made(t, p, nil).y; math.Abs(y.estimate-y.exact) > 2.5*y.sigma+1e-4 {
		t.Errorf("%s: ⟨f(x), f(y)⟩ is %.2f σ off", name, math.Abs(y.estimate-y.exact)/y.sigma)
	}
	v := c.View(zero)
	if got, want := strings.Contains(v.Title, "frequenc"), p.Show == Frequencies; got != want {
		t.Errorf("%s, view %s: %q", name, p.Show, v.Title)
	}
	if p.Show == Products && !strings.HasPrefix(v.Title, counts[c.order()]+" ") {
		t.Errorf("%s, degree %d: %q", name, p.Degree, v.Title)
	}
	if asked == 0 {
		return
	}
	answer := v.Questions[asked-1].Answer
	if answer == "" || strings.HasPrefix(answer, "Set the view") {
		t.Errorf("%s: the answer is %q", name, answer)
	}
	if gains := strings.Contains(answer, "spare it"); asked == 3 && p.isComplex() && !gains && c.sigma(p.Method, p.Degree,
		p.NComponents) > 0 {
		t.Errorf("%s: the answer is %q", name, answer)
	}
}

// headlines has a predicate for each headline and lede of the place: whether the picture shows it.
var headlines = need.Headlines[*Picture]{
	"one multiplication per frequency": func(c *Picture) bool { return c.p.Show == Frequencies && isProduct(c) },
	"One inverse transform makes":      func(c *Picture) bool { return isProduct(c) && agrees(c) },
	"Every product of coordinates has its bucket": func(c *Picture) bool {
		return c.p.Show == Coordinates && c.matrix.size == len(c.p.X)
	},
	"hashes add up to": func(c *Picture) bool {
		added := make([]complex128, c.p.buckets())
		for i := range c.matrix.size {
			for j := range c.matrix.size {
				added[c.matrix.bucket(i, j)] += c.matrix.value(i, j)
			}
		}
		most := 0.
		for k := range added {
			most = max(most, cmplx.Abs(added[k]-c.sums[k]))
			if !c.sliced() {
				most = max(most, cmplx.Abs(added[k]-c.result[k]))
			}
		}
		return most < 1e-4
	},
	"convolve into the sketch of all products": func(c *Picture) bool { return c.p.Show == Products && agrees(c) },
	"what comes out is the ":                   func(c *Picture) bool { return agrees(c) },
	"remove the variance’s 1/D² term": func(c *Picture) bool {
		complex, plain := c.sigma(c.p.Method, c.order(), c.p.NComponents), c.sigma(sketch.MethodTensorSketch, c.order(),
			c.p.NComponents)
		return complex < plain || plain == 0
	},
}

// isProduct reports whether the core's third spectrum is the product of the first two.
func isProduct(c *Picture) bool {
	for f := range c.distinct() {
		if cmplx.Abs(c.product(f)-c.spectra[2][f]) > 1e-4 {
			return false
		}
	}
	return true
}

// agrees reports whether adding up all products one by one gives the result of the FFT.
func agrees(c *Picture) bool {
	for c.HasWork() {
		c.Advance()
	}
	difference, done := c.Direct()
	return done && difference < 1e-4
}

// TestHeadlines: at every preset, method, degree, convolution and view, the headline and the sentences under it are
// what the picture shows, and the card of the difference says what adding up all products gives.
func TestHeadlines(t *testing.T) {
	met, walked := map[string]int{}, 0
	check := func(name string, p Params) {
		c := made(t, p, nil)
		v := c.View(zero)
		walked++
		headlines.Check(t, met, name, c, v.Title, v.Lede)
		if agrees(c); !strings.Contains(c.View(zero).Cards[len(v.Cards)-1].Unit, "computed now") {
			t.Errorf("%s: the last card is %+v", name, c.View(zero).Cards[len(v.Cards)-1])
		}
	}
	for _, preset := range bars.Presets {
		for _, method := range methods {
			for degree := 2; degree <= 4; degree++ {
				for _, view := range []View{Products, Coordinates, Frequencies} {
					for round := 1; round < degree; round++ {
						s := set(t, DefaultState(), lesson.Change{Name: "vector", Text: preset.Value},
							lesson.Change{Name: "method", Text: method}, lesson.Change{Name: "degree", Text: fmt.Sprint(degree)},
							lesson.Change{Name: "view", Text: string(view)}, lesson.Change{Name: "round", Text: fmt.Sprint(round)})
						check(fmt.Sprint(preset.Value, ", ", method, ", p ", degree, ", ", view, ", convolution ", round), s.Params())
					}
				}
			}
		}
	}
	headlines.Met(t, met, fmt.Sprintf("%d pictures: %d presets, methods %v, degrees 2 to 4, "+
		"every convolution, 3 views", walked, len(bars.Presets), methods))
}

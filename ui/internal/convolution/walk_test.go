package convolution

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
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

package buckets

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
)

// set returns the state after changes, as a press on a question makes them.
func set(t *testing.T, s State, changes ...lesson.Change) State {
	t.Helper()
	for _, change := range changes {
		before := s
		if err := control.Find(s.Parameters(), change.Name).Take(change.Text); err != nil {
			t.Fatal(err)
		}
		if err := s.Settle(&before); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// eachStop calls f for the states that a visitor reaches from the opening by a preset, a method, a hash family, the
// second vector and a question. question is 0 before one is asked.
func eachStop(t *testing.T, opening State, f func(name string, s State, question int)) {
	for _, preset := range bars.Presets {
		for _, y := range []string{shown, hidden} {
			for _, hash := range []string{sketch.HashSeed, sketch.HashRandomState} {
				for _, method := range []string{sketch.MethodTensorSketch, sketch.MethodComplexTensorSketch} {
					if hash == sketch.HashRandomState && method == sketch.MethodComplexTensorSketch {
						continue
					}
					s := set(t, opening, lesson.Change{Name: "vector", Text: preset.Value}, lesson.Change{Name: "y", Text: y},
						lesson.Change{Name: "method", Text: method}, lesson.Change{Name: "hash", Text: hash})
					name := strings.Join([]string{preset.Value, y, hash, method}, " ")
					f(name, s, 0)
					for i, question := range picture(t, s.Params()).questions() {
						next := set(t, s, question.Changes...)
						next.Question = i + 1
						f(fmt.Sprint(name, ", question ", i+1), next, i+1)
					}
				}
			}
		}
	}
}

// misses returns the errors of the estimate and of the mean of ten seeds, each in its σ.
func misses(p *Picture) (one, ten float64) {
	if p.sigma == 0 {
		return 0, 0
	}
	mean := 0.0
	for _, estimate := range p.seeds() {
		mean += estimate / seedCount
	}
	return math.Abs(p.estimate-p.exact) / p.sigma, math.Abs(mean-p.exact) / p.sigma * math.Sqrt(seedCount)
}

// unusual returns where the walk from an opening meets an estimate more than two σ off, or a mean of ten seeds more
// than two of its σ off.
func unusual(t *testing.T, opening State) (found []string) {
	eachStop(t, opening, func(name string, s State, question int) {
		one, ten := misses(picture(t, s.Params()))
		if question == 3 {
			one = 0 // the answer is about all ten
		} else {
			ten = 0
		}
		if max(one, ten) > 2.001 {
			found = append(found, fmt.Sprintf("%s: the estimate is %.2f σ off, the mean of ten %.2f of its σ", name, one, ten))
		}
	})
	return found
}

// TestWalk: from the opening, at every preset and question, the estimate and the mean of ten are ordinary. With seed
// 42, which the place opened with before, they are not.
func TestWalk(t *testing.T) {
	for _, what := range unusual(t, DefaultState()) {
		t.Error(what)
	}
	before := DefaultState()
	before.Seed = sketch.IntSeed(42)
	if found := unusual(t, before); len(found) < 5 {
		t.Errorf("the walk finds only %q about seed 42", found)
	}
}

// TestWalkWords: what the headline, the cards and the answers say on the walk is what the picture shows.
func TestWalkWords(t *testing.T) {
	eachStop(t, DefaultState(), func(name string, s State, question int) {
		p := picture(t, s.Params())
		v := p.View(lesson.Item{})
		if !strings.Contains(strings.ToLower(v.Title), "fall into") {
			t.Errorf("%s: %q", name, v.Title)
		}
		if (p.sigma == 0) != (v.Cards[1].Note == "no error for any seed" ||
			strings.HasPrefix(v.Cards[1].Note, "no error for any seed;")) {
			t.Errorf("%s: σ is %v, and the card says %q", name, p.sigma, v.Cards[1].Note)
		}
		if question == 0 {
			return
		}
		answer := v.Questions[question-1].Answer
		switch {
		case answer == "":
			t.Errorf("%s: no answer to question %d", name, question)
		case question == 2 && (!strings.Contains(answer, "all give it") || p.sigma != 0):
			t.Errorf("%s: σ is %v; %q", name, p.sigma, answer)
		case question == 3 && strings.Contains(answer, "unusual"):
			t.Errorf("%s: %q", name, answer)
		}
	})
}

// headlines has a predicate for each headline and lede of the place: whether the picture shows it.
var headlines = need.Headlines[*Picture]{
	"all into ": func(p *Picture) bool {
		fallen := 0
		for k := range p.n() {
			held, zeros := p.held(k, p.d())
			fallen += len(held) + zeros
		}
		return fallen == p.d() && len(p.cx) == p.n()*p.parts() && p.title() == title(len(p.p.X), len(p.cx)/p.parts(),
			p.either(" bucket", " complex bucket"))
	},
	"not to zero, so inner products are off": func(p *Picture) bool { return p.p.Signless && misplaced(p) },
	"average to 0 for these numbers":         func(p *Picture) bool { return p.p.Signless && !misplaced(p) },
	"so inner products survive": func(p *Picture) bool {
		mean := 0.0
		for _, estimate := range p.seeds() {
			mean += estimate / seedCount
		}
		return !p.p.Signless && !misplaced(p) && math.Abs(mean-p.exact) <= 2.5*p.sigma/math.Sqrt(seedCount)+1e-4
	},
	"it has the variance of a count sketch": func(p *Picture) bool {
		return p.p.isComplex() && math.Abs(p.sigma-p.sigmaOf(sketch.MethodCountSketch, p.p.NComponents)) < 1e-6
	},
}

// misplaced reports whether the mean over all seeds is shown as another number than the exact value.
func misplaced(p *Picture) bool { return p.value(p.mean) != p.value(p.exact) }

// TestHeadlines: on the walk, with signs on and off and at the first, a middle and the last step, the headline and the
// sentences under it are what the picture shows, and the cards agree with the sum over what has fallen.
func TestHeadlines(t *testing.T) {
	met, walked := map[string]int{}, 0
	eachStop(t, DefaultState(), func(name string, s State, question int) {
		for _, signs := range []string{on, off} {
			if s.IsComplex() && signs == off {
				continue
			}
			for _, step := range []int{0, s.NFeatures / 2, s.NFeatures} {
				s.Signs, s.Step = signs, step
				p := picture(t, s.Params())
				v := p.View(lesson.Item{})
				walked++
				headlines.Check(t, met, fmt.Sprintf("%s, signs %s, step %d", name, signs, step), p, v.Title, v.Lede)
				if v.Cards[0].Value != p.value(p.exact) || v.Cards[1].Value != p.value(p.estimate) ||
					!strings.Contains(v.Summary, "the sketches estimate "+v.Cards[1].Value) {
					t.Errorf("%s, step %d: the cards say %q and %q; %s", name, step, v.Cards[0].Value, v.Cards[1].Value, v.Summary)
				}
			}
		}
	})
	headlines.Met(t, met, fmt.Sprintf("%d pictures: %d presets, with y and without, 3 methods and tables, 3 questions, "+
		"signs on and off, 3 steps", walked, len(bars.Presets)))
}

// TestHowTenMiss: two of three means of ten seeds or more miss by less than σ/√10, and about 19 of 20 by less than
// twice that, at every preset, as the answer says.
func TestHowTenMiss(t *testing.T) {
	const means = 400
	eachStop(t, DefaultState(), func(name string, s State, question int) {
		if question != 3 || picture(t, s.Params()).sigma == 0 {
			return
		}
		once, twice := 0, 0
		for n := range means {
			s.Seed = sketch.IntSeed(uint64(seedCount * n))
			_, ten := misses(picture(t, s.Params()))
			if ten < 1 {
				once++
			}
			if ten < 2 {
				twice++
			}
		}
		if a, b := float64(once)/means, float64(twice)/means; a < .6 || b < .92 || b > .985 {
			t.Errorf("%s: %.3f of the means miss by less than σ/√10, %.3f by less than twice that", name, a, b)
		}
	})
}

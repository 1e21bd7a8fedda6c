package convergence

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/test/need"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/control"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// walk calls f with the pictures that a visitor reaches from the opening by a preset and a question, with the estimates
// of all seeds up to D = 4,096, or up to 16,384 for One-hot. question is 0 before one is asked.
func walk(t *testing.T, f func(name string, question int, p *Picture)) {
	samples := map[string]*Samples{}
	for _, preset := range bars.Presets {
		if testing.Short() && preset.Value != vector.OneHot {
			continue
		}
		opening := DefaultState()
		opening.Vector = preset.Value
		questions := newPicture(t, opening.Params(), nil).questions()
		for asked := range len(questions) + 1 {
			s := opening
			s.Lookout.Question = asked
			if asked > 0 {
				for _, change := range questions[asked-1].Changes {
					if err := control.Find(s.Parameters(), change.Name).Take(change.Text); err != nil {
						t.Fatal(err)
					}
				}
			}
			p := s.Params()
			key := fmt.Sprint(p.Vector, p.Angle, p.Degree, p.Coef0)
			if samples[key] == nil {
				samples[key] = begun(t, p)
				columns := Columns - 2
				if preset.Value == vector.OneHot {
					columns = Columns
				}
				for c := range columns {
					fill(t, samples[key], c, 0, p.Seeds)
				}
			}
			f(fmt.Sprintf("%s, question %d", preset.Value, asked), asked, newPicture(t, p, samples[key]))
		}
	}
}

// TestWalk: at every preset and question the headline, the cards and the answer say what the seeds show. With One-hot
// the errors measured do not halve: one seed of 500 has all of the error from D = 512 on.
func TestWalk(t *testing.T) {
	walk(t, func(name string, question int, p *Picture) {
		v := p.View(lesson.Item{})
		few := false
		for _, c := range p.columns {
			few = few || c.Seeds > 0 && c.Missed < fewMisses
		}
		switch v.Title {
		case "Four times the components, half the error":
			if few || math.IsNaN(p.slope) || p.slope < -.65 || p.slope > -.4 {
				t.Errorf("%s: %q, and the slope measured is %v", name, v.Title, p.slope)
			}
		case "A few seeds have all of the error":
			if !few {
				t.Errorf("%s: %q", name, v.Title)
			}
		default:
			t.Errorf("%s: %q", name, v.Title)
		}
		c := p.columns[p.at]
		if off := math.Abs(c.Mean - p.kernel); off > 2.5*c.sigma/math.Sqrt(float64(c.Seeds)) {
			t.Errorf("%s: the mean is %v off", name, off)
		}
		if note := v.Cards[3].Note; note != "inside the interval" && !strings.HasPrefix(note, "above the interval: a few") &&
			!(c.few() && strings.HasPrefix(note, "too few seeds have an error")) {
			t.Errorf("%s: %q", name, note)
		}
		if question == 0 {
			return
		}
		answer := v.Questions[question-1].Answer
		if answer == "" || (question == 1) && few != strings.Contains(answer, "too few to measure it") {
			t.Errorf("%s: %q", name, answer)
		}
	})
}

// TestUnluckySeed: with One-hot the words name the seed that misses at every D. It is the only one from D = 512 on.
func TestUnluckySeed(t *testing.T) {
	p := opening()
	p.Vector = vector.OneHot
	picture := newPicture(t, p, filled(t, p))
	last := picture.columns[Columns-1]
	if last.Missed != 1 || last.Worst != 262 {
		t.Errorf("at D = 16,384 %d seeds miss, the worst is %d", last.Missed, last.Worst)
	}
	v := picture.View(lesson.Item{})
	if v.Title != "A few seeds have all of the error" ||
		!strings.Contains(v.Lede, "With seed 262, the line in the picture, they do so at every D") {
		t.Errorf("%q: %q", v.Title, v.Lede)
	}
	if !math.IsNaN(picture.slope) {
		t.Errorf("the slope is %v, of 1 seed", picture.slope)
	}
	if got, want := last.verdict(), "too few seeds have an error to tell: 1 of 500"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for c, estimate := range picture.fate {
		if math.Abs(estimate-picture.kernel) < rounding {
			t.Errorf("at D = %d the seed has no error", Components(c))
		}
	}
	for _, width := range []float64{330, 1100} {
		if svg := picture.SVG(picture.Fit(width, 900, 13), lesson.Item{}, false); !strings.Contains(svg, ">seed 262<") {
			t.Errorf("%v px: the picture does not name the seed", width)
		}
	}
}

// headlines has a predicate for each headline and lede of the place: whether the exact laws that the picture draws show
// it. TestWalk holds the same headlines against seeds.
var headlines = need.Headlines[*Picture]{
	"Four times the components, half the error": func(p *Picture) bool {
		ratio := p.columns[Columns-1].sigma / p.columns[Columns-3].sigma
		return p.contenders == nil && !p.noError() && ratio > .47 && ratio < .505
	},
	"These vectors have no error":    hasNoError,
	"every seed gives it exactly":    hasNoError,
	"Which map has the least error?": func(p *Picture) bool { return p.contenders != nil && !p.nothingToCompare() },
	"These vectors have nothing to compare": func(p *Picture) bool {
		return p.contenders != nil && p.nothingToCompare() && hasNoError(p)
	},
	"Below are the maps at equal ": func(p *Picture) bool { return len(p.contenders) > 1 },
	"for large D falls as 1/√D": func(p *Picture) bool {
		a, b := p.columns[Columns-2], p.columns[Columns-1]
		return math.Abs(b.sigma/a.sigma-math.Sqrt(.5)) < .02
	},
	"pairs, all at the same angle": func(p *Picture) bool { return p.params.Pairs > 1 },
	" at p = 1 and ": func(p *Picture) bool {
		return p.degrees != nil && p.degrees[0].sigma < p.degrees[7].sigma
	},
}

// hasNoError reports whether the exact σ is 0 at every D.
func hasNoError(p *Picture) bool {
	return !slices.ContainsFunc(p.columns, func(c column) bool { return c.sigma != 0 })
}

// TestHeadlines: at every preset, degree, angle and choice below, the headline and the sentences under it are what the
// picture shows.
func TestHeadlines(t *testing.T) {
	met, walked := map[string]int{}, 0
	for _, preset := range bars.Presets {
		for degree := 1; degree <= MostDegree; degree += 1 + degree/4 {
			for _, angle := range []float64{0, 40, 90, 180} {
				for _, variant := range []string{"", "degree", "compare", "compared", "pairs"} {
					s, samples := DefaultState(), (*Samples)(nil)
					s.Vector, s.Degree, s.Angle = preset.Value, degree, angle
					switch variant {
					case "degree":
						s.Below = ByDegree
					case "compare", "compared":
						s.Compare = "craft"
					case "pairs":
						s.Pairs = ManyPairs
					}
					name := fmt.Sprint(preset.Value, ", p ", degree, ", ", angle, "°, ", variant)
					if variant == "compared" {
						samples = begun(t, s.Params())
						for c := range Columns {
							for _, method := range []string{"tensor-sketch", "craft"} {
								samples.AddLaw(method, c, []float64{samples.laws[c].sigma, 0, rowTime(1, c), 1})
							}
						}
					}
					p := newPicture(t, s.Params(), samples)
					v := p.View(lesson.Item{})
					walked++
					headlines.Check(t, met, name, p, v.Title, v.Lede)
				}
			}
		}
	}
	headlines.Met(t, met, fmt.Sprintf("%d pictures: %d presets, degrees 1 to 8, 4 angles; below errors, degrees, "+
		"another map, 20 pairs", walked, len(bars.Presets)))
}

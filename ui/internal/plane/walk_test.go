package plane

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// A stop of the walk is a state that a visitor reaches from the opening by presets and questions alone.
type stop struct {
	preset   string
	question int
	degree   int
	seed     uint64
}

// stops returns the stops at every preset: the opening, and its questions as the picture asks them, except
// the one of an unlucky seed.
func stops(t *testing.T, seed uint64) (all []stop) {
	for _, preset := range []string{Circles, XOR, Spirals, Moons} {
		opening := stop{preset, 0, DefaultState().params.Degree, seed}
		all = append(all, opening)
		c := pictureOf(t, func(p *Params) { p.Preset, p.Seed = preset, sketch.IntSeed(seed) })
		for i, question := range c.questions()[:3] {
			next := opening
			next.question = i + 1
			for _, change := range question.Changes {
				switch change.Name {
				case "preset":
					next.preset = change.Text
				case "degree":
					fmt.Sscan(change.Text, &next.degree)
				case "seed":
					fmt.Sscan(change.Text, &next.seed)
				}
			}
			if !slices.Contains(all, next) {
				all = append(all, next)
			}
		}
	}
	return all
}

// at returns the picture of a stop at a D.
func (s stop) at(t *testing.T, D int) *Picture {
	return pictureOf(t, func(p *Params) {
		p.Preset, p.Question, p.Degree, p.NComponents, p.Seed = s.preset, s.question, s.degree, D, sketch.IntSeed(s.seed)
	})
}

// Limits of what counts as ordinary: the error of the sketch's kernel in σ, the next seed's, and the share of
// seeds that have a smaller error or differ less from the exact kernel.
const (
	ordinary     = 1.5
	ordinaryNext = 2.5
	worstRank    = .98
)

// unusual returns what is not ordinary about a seed on the walk.
func unusual(t *testing.T, seed uint64, others int) (found []string) {
	for _, s := range stops(t, seed) {
		for D := 1 << leastD; D <= 1<<mostD; D *= 2 {
			c := s.at(t, D)
			e := c.measured()
			limit := ordinary
			if s.seed != seed {
				limit = ordinaryNext
			}
			if e.seed > limit*e.sigma {
				found = append(found, fmt.Sprintf("%+v, D = %d: the error is %.2f σ", s, D, e.seed/e.sigma))
			}
			fewer, same := 0, 0
			for other := range others {
				s.seed = uint64(other)
				o := s.at(t, D)
				if o.measured().seed < e.seed*(1-1e-9) {
					fewer++
				}
				if o.differs < c.differs {
					same++
				}
			}
			if s.question != 3 && max(fewer, same) > int(worstRank*float64(others)) {
				found = append(found, fmt.Sprintf("%+v, D = %d: %d of %d seeds have a smaller error, %d differ less", s, D,
					fewer, others, same))
			}
			s.seed = seed
			if s.question == 3 {
				s.seed++
			}
		}
	}
	return found
}

// TestWalk: the seed that the half opens with is ordinary at every preset, question and D, and so is the next one,
// which a question takes. Seed 42, which it opened with before, is not.
func TestWalk(t *testing.T) {
	others := 100
	if testing.Short() {
		others = 0
	}
	for _, what := range unusual(t, openingSeed, others) {
		t.Error(what)
	}
	if found := unusual(t, 42, 0); len(found) < 20 {
		t.Errorf("the walk finds only %d things about seed 42: %q", len(found), found)
	}
}

// TestWalkWords: what the cards, the headline and the answers say on the walk is what the picture shows.
func TestWalkWords(t *testing.T) {
	for _, s := range stops(t, openingSeed) {
		for D := 1 << leastD; D <= 1<<mostD; D *= 2 {
			c := s.at(t, D)
			v := c.View(none)
			if D >= 32 && s.question != 3 && c.right[exact]-c.right[sketched] > c.asked/50 {
				t.Errorf("%+v, D = %d: %v of %d right; %q", s, D, c.right, c.asked, v.Title)
			}
			if strings.Contains(v.Cards[3].Note, "unlucky") {
				t.Errorf("%+v, D = %d: %s", s, D, v.Cards[3].Note)
			}
			if s.question == 0 {
				continue
			}
			answer := v.Questions[s.question-1].Answer
			if answer == "" || s.question == 1 && !strings.Contains(answer, c.share(sketched)) {
				t.Errorf("%+v, D = %d: %q", s, D, answer)
			}
			short := c.right[exact]-c.right[sketched] > c.asked/50
			if why := strings.Contains(answer, "fewer right: with this seed"); s.question == 1 && why != short {
				t.Errorf("%+v, D = %d: %v of %d right, and the answer is %q", s, D, c.right, c.asked, answer)
			}
		}
	}
}

// headlines has a predicate for each headline and lede of the half: whether the picture shows it.
var headlines = need.Headlines[*Picture]{
	"A sketch lets a linear model bend": func(c *Picture) bool { return !isStraight(c.models[sketched]) },
	"all three models draw straight lines": func(c *Picture) bool {
		return !slices.ContainsFunc(c.models[:], func(m *model) bool { return !isStraight(m) })
	},
	"Points of two classes are what": func(c *Picture) bool { return c.learned == 0 },
	"A decision is a sum of features": func(c *Picture) bool {
		return c.parts.count() < len(c.parts.maps) || disagreement(c.parts.sum, c.models[sketched]) < .01
	},
	", nearly as the exact kernel does": func(c *Picture) bool { return c.differs <= .1 },
	"not yet as the exact kernel does":  func(c *Picture) bool { return c.differs > .1 },
	"There is no point to learn from":   func(c *Picture) bool { return c.learned == 0 },
	"straight line still":               func(c *Picture) bool { return isStraight(c.models[sketched]) },
	"The exact kernel sums over points": func(c *Picture) bool { return c.parts != nil },
}

// isStraight reports whether the scores of a model are on a plane, so that its border is a straight line.
func isStraight(m *model) bool {
	score := func(x, y float64) float64 { return m.score(x, y) }
	o, most := score(0, 0), 0.
	for _, at := range [][2]float64{{.5, .2}, {1, .4}, {-.7, .3}, {.3, -1}, {.9, .9}} {
		x, y := at[0], at[1]
		flat := o + x*(score(1, 0)-o) + y*(score(0, 1)-o)
		most = max(most, math.Abs(score(x, y)-flat))
	}
	return most < 1e-6
}

// TestHeadlines: on the walk, at every degree and in both views, the headline and the sentences under it are what the
// picture shows: each is known, with a predicate that holds.
func TestHeadlines(t *testing.T) {
	met, walked := map[string]int{}, 0
	check := func(name string, c *Picture) {
		v := c.View(none)
		walked++
		headlines.Check(t, met, name, c, v.Title, v.Lede)
	}
	for _, s := range stops(t, openingSeed) {
		degrees := []int{s.degree}
		if s.question == 0 {
			degrees = []int{1, 2, 3, 4, 5, 6}
		}
		for _, s.degree = range degrees {
			for D := 1 << leastD; D <= 512; D *= 4 {
				for _, view := range []string{Models, Features} {
					c := pictureOf(t, func(p *Params) {
						p.Preset, p.Question, p.Degree, p.NComponents = s.preset, s.question, s.degree, D
						p.Seed, p.View = sketch.IntSeed(s.seed), view
					})
					check(fmt.Sprintf("%+v, D = %d, %s", s, D, view), c)
				}
			}
		}
	}
	check("no points", pictureOf(t, func(p *Params) { p.Preset = Own }))
	headlines.Met(t, met, fmt.Sprintf("%d pictures: presets %v, 3 questions, degrees 1 to 6, D 4 to 256, both views",
		walked, []string{Circles, XOR, Spirals, Moons}))
}

// TestWhyShort: where the sketch loses XOR at degree 2, the answer says what became of xy.
func TestWhyShort(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(300) {
		c := stop{XOR, 1, 2, seed}.at(t, 32)
		answer := c.View(none).Questions[0].Answer
		short := c.right[exact]-c.right[sketched] > c.asked/50
		cancels, shares := strings.Contains(answer, "and cancel"), strings.Contains(answer, "xy shares a component with")
		if short != (cancels || shares) {
			t.Errorf("seed %d: %v of %d right, and the answer is %q", seed, c.right, c.asked, answer)
		}
		xy := c.basis.index[1][1]
		if cancels && *c.B[sketched].at(xy, xy) != 0 {
			t.Errorf("seed %d: xy does not cancel: %q", seed, answer)
		}
		seen["cancels"], seen["shares"] = seen["cancels"] || cancels, seen["shares"] || shares
	}
	if !seen["cancels"] || !seen["shares"] {
		t.Errorf("of 300 seeds, seen: %v", seen)
	}
	const want = "with this seed x·y and y·x fall into one component with opposite signs and cancel"
	if answer := (stop{XOR, 1, 2, 42}).at(t, 32).View(none).Questions[0].Answer; !strings.Contains(answer, want) {
		t.Errorf("seed 42 says %q, not %q", answer, want)
	}
}

// TestUnlucky: at every preset the fourth question shows a seed that is one of the worst of 300, and says why.
func TestUnlucky(t *testing.T) {
	for _, preset := range []string{Circles, XOR, Spirals, Moons} {
		c := pictureOf(t, func(p *Params) {
			p.Preset, p.Question, p.NComponents, p.Seed = preset, 4, 512, sketch.IntSeed(42)
		})
		v := c.View(none)
		answer, asked := v.Questions[3].Answer, v.Questions[3].Changes
		if len(asked) != 4 || asked[3].Text != "42" || asked[0].Text != "512" {
			t.Errorf("the question changes %+v", asked)
		}
		for _, want := range []string{"of 300 seeds, 299 have a smaller error",
			"Hash 3 puts x and the constant into the same component:", "not even 4,096",
			part(c.measured().seed) + " off where σ is " + part(c.measured().sigma)} {
			if !strings.Contains(answer, want) {
				t.Errorf("%s: %q has no %q", preset, answer, want)
			}
		}
		if !strings.Contains(v.Cards[3].Note, "an unlucky seed") {
			t.Errorf("%s: the card says %q", preset, v.Cards[3].Note)
		}
	}
	c := pictureOf(t, func(p *Params) { p.Question, p.NComponents = 4, 512 })
	if answer := c.View(none).Questions[3].Answer; strings.Contains(answer, "not even") {
		t.Errorf("of an ordinary seed it says %q", answer)
	}
}

package plane

import (
	"math"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// questions returns the questions. Only the one that is asked has an answer.
func (c *Picture) questions() []lesson.Question {
	once := func(answer func() string) func() string {
		return func() string {
			if c.answer == "" {
				c.answer = answer()
			}
			return c.answer
		}
	}
	n, _ := c.p.Seed.Int()
	return lesson.Answer([]lesson.Question{
		{Do: "Choose XOR, degree 2", Ask: "Which degree does XOR need?",
			Changes: []lesson.Change{{Name: "preset", Text: XOR}, {Name: "degree", Text: "2"}, {Name: "coef0", Text: "1"}}},
		{Do: "Set D to 8", Ask: "How good a copy of the exact picture is the sketch’s?",
			Changes: []lesson.Change{{Name: "nComponents", Text: "8"}}},
		{Do: "Take the next seed", Ask: "By how much does another seed move the border?",
			Changes: []lesson.Change{{Name: "seed", Text: strconv.FormatUint(n+1, 10)}}},
		{Do: "Take seed 42, D 512", Ask: "Seed 42 is one of the worst of 300: what went wrong?",
			Changes: []lesson.Change{{Name: "nComponents", Text: "512"}, {Name: "degree", Text: "4"},
				{Name: "coef0", Text: "1"}, {Name: "seed", Text: "42"}}},
	}, c.p.Question, once(c.needsDegree2), once(c.roughCopy), once(c.otherSeeds), once(c.whatWentWrong))
}

const nothing = "There is nothing to learn from."

// needsDegree2 answers the first question.
func (c *Picture) needsDegree2() string {
	if c.learned == 0 {
		return nothing
	}
	straight := newBasis(1, c.p.Coef0, false)
	right, asked := c.count(momentsOf(straight, c.points).fit(straight.exact(), c.p.Alpha))
	text := "At degree 1 even the exact kernel only draws a straight line: " + percent(right, asked) +
		" of the points held out are right. At degree " +
		strconv.Itoa(c.p.Degree) + " it has " + c.share(exact) + "; the sketch with D = " +
		format.Count(c.p.NComponents) + " has " + c.share(sketched) + "."
	if c.p.Preset == XOR {
		text += " The product xy has the sign that tells these classes apart."
	}
	return text + c.whyShort()
}

// whyShort says why the sketch answers fewer of the points held out rightly than the exact kernel, or returns "" if it
// answers nearly as many.
func (c *Picture) whyShort() string {
	if c.right[exact]-c.right[sketched] <= c.asked/50 {
		return ""
	}
	e := c.measured()
	reason := c.lostXY()
	if reason == "" {
		reason = "its kernel is " + part(e.seed) + " off, and σ is " + part(e.sigma)
	}
	return " The sketch has fewer right: with this seed " + reason + ". More components help, and so do most other seeds."
}

// lostXY says what became of the product xy in a sketch of degree 2 that needs it, or returns "".
func (c *Picture) lostXY() string {
	if c.p.Degree != 2 || c.p.Preset != XOR {
		return ""
	}
	xy := c.basis.index[1][1]
	if *c.B[sketched].at(xy, xy) == 0 {
		return "x·y and y·x fall into one component with opposite signs and cancel, so that its numbers hold no xy"
	}
	var others []string
	for m, power := range c.basis.powers {
		if m != xy && *c.B[sketched].at(xy, m) != 0 {
			others = append(others, map[[2]int]string{{2, 0}: "x²", {0, 2}: "y²", {1, 0}: "x", {0, 1}: "y",
				{0, 0}: "the constant"}[power])
		}
	}
	if others == nil {
		return ""
	}
	return "xy shares a component with " + format.And(others) + ", and cannot be weighed alone"
}

// manyD is the D that roughCopy compares with.
const manyD = 512

// roughCopy answers the second question.
func (c *Picture) roughCopy() string {
	if c.learned == 0 {
		return nothing
	}
	return "With D = " + format.Count(c.p.NComponents) + " it answers as the exact kernel does on " + part(1-c.differs) +
		" of the plane, with D = " + format.Count(manyD) + " and the same seed on " +
		part(1-c.differing(c.p.Seed, manyD)) + "."
}

// differing returns the share of the plane where a sketch and the exact kernel give different answers.
func (c *Picture) differing(seed sketch.Seed, components int) float64 {
	params := c.maps
	params.Seed, params.NComponents = seed, components
	B, err := c.basis.sketched(params)
	if err != nil {
		return math.NaN() // cannot happen with the parameters of a picture
	}
	return disagreement(c.moments.fit(B, c.p.Alpha), c.models[exact])
}

// seeds is the number of seeds that the third answer compares.
const seeds = 20

// otherSeeds answers the third question.
func (c *Picture) otherSeeds() string {
	if c.learned == 0 {
		return nothing
	}
	over := func(components int) (mean, largest float64) {
		for seed := range seeds {
			share := c.differing(sketch.IntSeed(uint64(seed)), components)
			mean, largest = mean+share/seeds, max(largest, share)
		}
		return mean, largest
	}
	few, many := c.p.NComponents, 4*c.p.NComponents
	a, most := over(few)
	b, _ := over(many)
	text := "Over " + strconv.Itoa(seeds) + " seeds at D = " + format.Count(few) + ", the sketch differs from the exact " +
		"kernel on " + part(a) + " of the plane on average, and on " + part(most) + " at most. With D = " +
		format.Count(many) +
		" it is " + part(b) + " on average"
	if b > 0 {
		text += ", " + format.Fixed(a/b, 1) + " times less"
	}
	s, t := c.sigma(few), c.sigma(many)
	if t > 0 {
		text += ". σ of the kernel falls from " + part(s) + " to " + part(t) + ", " + format.Fixed(s/t, 1) + " times less"
	}
	return text + "."
}

// manySeeds is the number of seeds that the fourth answer compares, from 0 on.
const manySeeds = 300

// whatWentWrong answers the fourth question.
func (c *Picture) whatWentWrong() string {
	e := c.measured()
	if e.pairs == 0 {
		return nothing
	}
	smaller := 0
	for seed := range uint64(manySeeds) {
		params := c.maps
		params.Seed = sketch.IntSeed(seed)
		if B, err := c.basis.sketched(params); err == nil && c.errorOf(B) < e.seed {
			smaller++
		}
	}
	return "Its kernel is " + part(e.seed) + " off where σ is " + part(e.sigma) + ": of " + strconv.Itoa(manySeeds) +
		" seeds, " + strconv.Itoa(smaller) + " have a smaller error. " + c.joined() +
		" Even so it answers as the exact kernel on " + part(1-c.differs) + " of the plane."
}

// joined says which coordinates fall into the same component of a hash.
func (c *Picture) joined() string {
	coordinates := []string{"x", "y", "the constant"}
	if c.p.Coef0 == 0 {
		coordinates = coordinates[:2]
	}
	few, err := sketch.New(c.maps)
	params := c.maps
	params.NComponents = 1 << mostD
	many, wrong := sketch.New(params)
	if err != nil || wrong != nil {
		return "" // cannot happen with the parameters of a picture
	}
	var said []string
	last := ""
	for k := range c.p.Degree {
		for i, first := range coordinates {
			for j, second := range coordinates[:i] {
				a, _ := few.Hash(k, i)
				b, _ := few.Hash(k, j)
				if a != b {
					continue
				}
				text := "hash " + strconv.Itoa(k+1) + " puts " + second + " and " + first + " into the same component"
				a, _ = many.Hash(k, i)
				if b, _ = many.Hash(k, j); a == b {
					last = " More components do not part them, not even " + format.Count(1<<mostD) + "."
				}
				said = append(said, text)
			}
		}
	}
	if said == nil {
		return "No hash puts two of its coordinates into the same component; products meet all the same."
	}
	text := format.And(said)
	return strings.ToUpper(text[:1]) + text[1:] + ": products that differ only there cannot be told apart." + last
}

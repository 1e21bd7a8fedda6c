package plane

import (
	"math"
	"strconv"

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
	}, c.p.Question, once(c.needsDegree2), once(c.roughCopy), once(c.otherSeeds))
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
		strconv.Itoa(c.p.Degree) + " it has " + c.share(exact) + ", and the sketch with D = " +
		format.Count(c.p.NComponents) + " " + c.share(sketched) + "."
	if c.p.Preset == XOR {
		text += " The product xy has the sign that tells these classes apart."
	}
	return text
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

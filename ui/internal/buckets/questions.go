package buckets

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// questions returns the questions. Only the one that is asked has an answer.
func (p *Picture) questions() []lesson.Question {
	all, unpinned, signs := p.StepTo(p.d()), lesson.Change{Name: "at"}, lesson.Change{Name: "signs", Text: on}
	return lesson.Answer([]lesson.Question{
		{Do: "Set D to 4", Ask: "What happens to the collisions?",
			Changes: []lesson.Change{{Name: "nComponents", Text: "4"}, signs, all, unpinned}},
		{Do: "Choose One-hot", Ask: "Why is the sketch exact whatever the seed?",
			Changes: []lesson.Change{{Name: "vector", Text: vector.OneHot}, {Name: "y", Text: hidden}, signs, all, unpinned}},
		{Do: "Draw ten seeds", Ask: "Does the estimate settle?",
			Changes: []lesson.Change{{Name: "seed", Text: strconv.FormatUint(p.seed(1), 10)}, signs, all, unpinned,
				{Name: "draws", Text: strconv.Itoa(seedCount)}}},
	}, p.p.Question, p.signed(p.fewBuckets), p.signed(p.oneHot), p.signed(p.tenSeeds))
}

// signed returns an answer that holds with signs.
func (p *Picture) signed(answer func() string) func() string {
	if p.p.Signless {
		return func() string { return "The signs are off. Turn them on to see the answer." }
	}
	return answer
}

// seed returns the n-th integer after the seed. A text seed counts as 0.
func (p *Picture) seed(n int) uint64 {
	seed, _ := p.p.Seed.Int()
	seed += uint64(n)
	if p.p.Hash == sketch.HashRandomState {
		seed = uint64(uint32(seed))
	}
	return seed
}

// fewBuckets compares D with twice as many buckets. The variance of a count sketch is proportional to 1/D.
func (p *Picture) fewBuckets() string {
	switch {
	case p.d() > 1 && p.pairs() == 0:
		return "Fewer than two coordinates have fallen."
	case p.pairs() == 0:
		return "One coordinate alone has none to meet."
	}
	text := "Collisions expected among " + format.Plural(p.pairs(), "pair") + ": " + p.expected() + "; here: " +
		format.Count(p.collisions()) + ". "
	if p.p.isComplex() {
		text += "They are twice as many as with D real buckets, but half of them cost nothing: a real and an imaginary " +
			"sign are at a right angle, here " +
			format.Count(p.harmless()) + " times. "
	}
	if p.sigma == 0 {
		return text + "The estimate has no error all the same: σ is 0."
	}
	return text + "σ is " + p.value(p.sigma) + "; twice as many " + p.either("buckets", "numbers") + " would make it " +
		p.value(p.sigmaOf(p.m.Params().Method, 2*p.p.NComponents)) + ", smaller by √2."
}

// oneHot explains why a vector with one nonzero number has no error: ‖Cx‖² = (±x_i)².
func (p *Picture) oneHot() string {
	var support []int
	for i, x := range p.p.X {
		if x != 0 {
			support = append(support, i)
		}
	}
	if len(support) != 1 || p.p.ShowY {
		return "Here σ is " + p.value(p.sigma) + ": products of different coordinates can meet. One number alone, " +
			"against itself, has none to meet."
	}
	i := support[0]
	text := "Only x" + format.Subscript(i) + " = " + number(p.p.X[i]) +
		" is not 0. In whichever bucket it falls, it meets zeros, and " + p.squared(math.Abs(p.p.X[i])) + " = " +
		p.value(p.exact) + ". "
	if slices.ContainsFunc(p.seeds(), func(estimate float64) bool { return p.value(estimate) != p.value(p.exact) }) {
		return text
	}
	return text + "Seeds " + p.seedRange() + " all give it, and σ is " + format.Short(p.sigma) + "."
}

// squared explains what happens to the sign of x > 0 in ‖Cx‖².
func (p *Picture) squared(x float64) string {
	return p.either("its sign is squared: (±"+number(x)+")²", "every sign has size 1: |s·"+number(x)+"|²")
}

// tenSeeds lists ten estimates, and compares the error of their mean with σ/√10. It gives the frequencies of such
// errors rather than a judgement of this one (TestHowTenMiss).
func (p *Picture) tenSeeds() string {
	var estimates []string
	mean := 0.0
	for _, estimate := range p.seeds() {
		estimates = append(estimates, p.value(estimate))
		mean += estimate / seedCount
	}
	text := "Seeds " + p.seedRange() + " give " + format.And(estimates)
	if p.sigma == 0 {
		return text + ": none can miss, for σ is 0."
	}
	miss, sigma := math.Abs(mean-p.exact), p.sigma/math.Sqrt(seedCount)
	return text + ". Single estimates do not settle: each has σ = " + p.value(p.sigma) + ". Their mean has σ/√10 = " +
		p.value(sigma) + "; it is " + p.value(mean) + " and misses the exact " + p.value(p.exact) + " by " +
		p.value(miss) + ", " + format.Fixed(miss/sigma, 1) + " times that. Two of three such means or more miss by " +
		"less than σ/√10, and about 19 of 20 by less than twice that."
}

const seedCount = 10

func (p *Picture) seedRange() string {
	return strconv.FormatUint(p.seed(0), 10) + " to " + strconv.FormatUint(p.seed(seedCount-1), 10)
}

// seeds returns the estimates of ten seeds, beginning with the current one.
func (p *Picture) seeds() []float64 { return p.estimates(seedCount) }

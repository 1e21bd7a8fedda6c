package convolution

import (
	"math"
	"math/cmplx"
	"slices"
	"strconv"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// questions returns the questions. Only the one that is asked has an answer.
func (c *Picture) questions() []lesson.Question {
	k := c.middle()
	all, unpinned := lesson.Change{Name: "step", Text: strconv.Itoa(c.p.buckets())}, lesson.Change{Name: "at"}
	products := lesson.Change{Name: "view", Text: string(Products)}
	questions := []lesson.Question{
		{Do: "Step to bucket " + strconv.Itoa(k), Ask: "Why are all diagonals equally long?",
			Changes: []lesson.Change{products, {Name: "step", Text: strconv.Itoa(k + 1)}, unpinned}},
		{Do: "Switch to frequencies", Ask: "What becomes of the diagonals?",
			Changes: []lesson.Change{{Name: "view", Text: string(Frequencies)}, all,
				{Name: "at", Text: lesson.Item{Kind: lesson.Frequency, I: min(1, c.distinct()-1)}.String()}}},
		{Do: "Set p to 3", Ask: "What does one cell of the next matrix hold?",
			Changes: []lesson.Change{products, {Name: "degree", Text: "3"}, {Name: "round", Text: "2"}, all, unpinned}},
	}
	third := c.cellAnswer
	if c.p.isComplex() {
		questions[2] = lesson.Question{Do: "Set p to 4", Ask: "What do the signs i and −i gain?",
			Changes: []lesson.Change{products, {Name: "degree", Text: "4"}, {Name: "round", Text: "3"}, all, unpinned}}
		third = c.gainAnswer
	}
	return lesson.Answer(questions, c.p.Question, c.diagonalAnswer, c.frequencyAnswer, third)
}

// gainAnswer says what share of the variance complex signs save: here, at degree 2, and with many components.
func (c *Picture) gainAnswer() string {
	order, d := c.order(), c.p.NComponents
	twin, plain := c.sigma(c.p.Method, order, d), c.sigma(sketch.MethodTensorSketch, order, d)
	if plain == 0 {
		return "Here nothing: one product alone, or none, has no error with any signs, and σ is 0."
	}
	const many = 4096
	text := "Over seeds ‖f(x)‖² has σ = " + format.Number(twin, 3) + "; the tensor sketch of as many numbers, D = " +
		format.Count(d) + ", has " + format.Number(plain, 3) +
		". The complex signs keep the 1/D term of its variance and spare it the 1/D² term, " + c.gain(order, d) +
		" of the variance at p = " + strconv.Itoa(order)
	if order > 2 {
		text += "; at p = 2 it would be " + c.gain(2, d)
	}
	return text + ". With D = " + format.Count(many) + " it is " + c.gain(order, many) + "."
}

// gain returns the share of the tensor sketch's variance that complex features save, in per cent.
func (c *Picture) gain(degree, components int) string {
	ratio := c.sigma(c.p.Method, degree, components) / c.sigma(sketch.MethodTensorSketch, degree, components)
	return format.Number(100*(1-float64(ratio*ratio)), 2) + "\u00a0%"
}

// middle returns the bucket that the first question is about.
func (c *Picture) middle() int { return (c.p.buckets() - 1) / 2 }

func (c *Picture) diagonalAnswer() string {
	d, k := c.p.buckets(), c.middle()
	if d == 1 {
		return "There is one bucket, and one pair, (0, 0), that falls into it."
	}
	rest := d - 1 - k
	text := "For every m there is exactly one n with (m + n) mod " + strconv.Itoa(d) + " = " + strconv.Itoa(k) +
		", so " + format.Plural(d, "pair") + " of the " + format.Count(d*d) + " meet in each bucket. " +
		"The " + format.Plural(k+1, "pair") + " with m ≤ " + strconv.Itoa(k) + " " + format.Form(k+1, "lies", "lie") +
		" on one side of the dotted line, the other " +
		format.Form(rest, "wraps", strconv.Itoa(rest)+" wrap") + " round to the far side"
	if c.p.Show != Products {
		return text + "."
	}
	return text + ". Here " + format.Count(c.nonzero[k]) + " of the " + format.Count(c.cells[k]) + " " +
		format.Form(c.nonzero[k], "is", "are") +
		" not zero; the sum is " + format.Complex(c.sums[k], 4) + "."
}

func (c *Picture) frequencyAnswer() string {
	d := c.p.buckets()
	differ := ""
	if c.distinct() < d {
		differ = " (" + strconv.Itoa(c.distinct()) + " different)"
	}
	many := 4096 / c.p.parts()
	return "Each becomes a bucket of one inverse FFT, and what is multiplied is one number per frequency: " +
		format.Plural(d, "complex product") + differ + " instead of " + c.squared(d) + " for all diagonals. " +
		"The transforms take about " + c.either("D log₂ D", "D/2 · log₂ D/2") + " = " +
		format.Plural(transformSteps(d), "step") + " each; at D = 4,096 that is " +
		format.Count(transformSteps(many)) + " instead of " + c.squared(many) + "."
}

func (c *Picture) squared(n int) string {
	return c.either("D² = ", "(D/2)² = ") + format.Count(n*n)
}

// transformSteps returns n·log₂ n, rounded to the nearest integer.
func transformSteps(d int) int { return int(math.Round(float64(d) * math.Log2(float64(d)))) }

// cellAnswer says how many products of three coordinates the largest cell holds.
func (c *Picture) cellAnswer() string {
	m := &c.matrix
	if c.p.Show != Products || c.p.Stage != 2 {
		return "Set the view to products and the convolution to 2 to see the matrix of (C₁x ∗ C₂x)[m]·C₃x[n]."
	}
	text := "Cell (m, n) holds (C₁x ∗ C₂x)[m]·C₃x[n]: in one number all products xᵢxⱼxₗ with (h₁(i) + h₂(j)) mod " +
		strconv.Itoa(c.p.buckets()) + " = m and h₃(l) = n. "
	i, j := place(m.first), place(m.second)
	if !m.set(i, j) {
		return text + "Here all are zero."
	}
	held := format.Form(c.allProducts(), "the only product", c.held(i, j)+" of the "+c.productsText())
	return text + "The largest, (" + strconv.Itoa(i) + ", " + strconv.Itoa(j) + "), is " +
		format.Complex(m.value(i, j), 4) +
		": it holds " + held + " and falls into bucket " + strconv.Itoa(m.bucket(i, j)) + "."
}

// place returns the index of the largest magnitude.
func place(x []complex128) int {
	longest := vector.Longest(x)
	return slices.IndexFunc(x, func(z complex128) bool { return cmplx.Abs(z) == longest })
}

// held says how many products of three coordinates are in cell (m, n) of the second stage: the pairs whose hashes
// add up to m, times the coordinates that fall into n.
func (c *Picture) held(m, n int) string {
	bucket := c.cache.tables.bucket
	pairs, singles := 0, 0
	for i := range c.p.X {
		for j := range c.p.X {
			if (bucket[0][i]+bucket[1][j])%c.p.buckets() == m {
				pairs++
			}
		}
		if bucket[2][i] == n {
			singles++
		}
	}
	return format.Count(pairs) + "·" + strconv.Itoa(singles) + " = " + format.Count(pairs*singles)
}

package convolution

import (
	"math"
	"strconv"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
)

// questions are what to notice; only the one asked is answered.
func (c *Picture) questions() []lesson.Question {
	k := (c.p.NComponents - 1) / 2
	questions := []lesson.Question{
		{
			Do:  "Step to bucket " + strconv.Itoa(k),
			Ask: "Why are all diagonals equally long?",
			Changes: []lesson.Change{
				{Name: "view", Text: string(Products)},
				{Name: "step", Text: strconv.Itoa(k + 1)},
				{Name: "at"},
			},
		},
		{
			Do:  "Switch to frequencies",
			Ask: "What becomes of the diagonals?",
			Changes: []lesson.Change{
				{Name: "view", Text: string(Frequencies)},
				{Name: "step", Text: strconv.Itoa(c.p.NComponents)},
				{Name: "at", Text: lesson.Item{Kind: lesson.Frequency, I: min(1, c.distinct()-1)}.String()},
			},
		},
		{
			Do:  "Set p to 3",
			Ask: "What does one cell of the next matrix hold?",
			Changes: []lesson.Change{
				{Name: "view", Text: string(Products)},
				{Name: "degree", Text: "3"},
				{Name: "round", Text: "2"},
				{Name: "step", Text: strconv.Itoa(c.p.NComponents)},
				{Name: "at"},
			},
		},
	}
	switch c.p.Question {
	case 1:
		questions[0].Answer = c.diagonalAnswer(k)
	case 2:
		questions[1].Answer = c.frequencyAnswer()
	case 3:
		questions[2].Answer = c.cellAnswer()
	}
	return questions
}

func (c *Picture) diagonalAnswer(k int) string {
	d := c.p.NComponents
	if d == 1 {
		return "There is one bucket, and one pair, (0, 0), that falls into it."
	}
	text := "For every m there is exactly one n with (m + n) mod " + strconv.Itoa(d) + " = " + strconv.Itoa(k) +
		", so " + format.Plural(d, "pair") + " of the " + format.Count(d*d) + " meet in each bucket. " +
		"The " + format.Plural(k+1, "pair") + " with m ≤ " + strconv.Itoa(k) + " " + verb(k+1, "lies", "lie") + " on one side of the dotted line"
	switch rest := d - 1 - k; rest {
	case 1:
		text += ", the other wraps round to the far side"
	default:
		text += ", the other " + strconv.Itoa(rest) + " wrap round to the far side"
	}
	if c.p.Show != Products {
		return text + "."
	}
	return text + ". Here " + format.Count(c.nonzero[k]) + " of the " + format.Count(c.cells[k]) + " " + verb(c.nonzero[k], "is", "are") +
		" not zero; the sum is " + format.Fixed(c.sums[k], 4) + "."
}

func (c *Picture) frequencyAnswer() string {
	d := c.p.NComponents
	differ := ""
	if c.distinct() < d {
		differ = ", of which " + strconv.Itoa(c.distinct()) + " differ,"
	}
	return "Each becomes a bucket of one inverse FFT, and what is multiplied is one number per frequency: " +
		format.Plural(d, "complex product") + differ + " instead of " + squareText(d) + " for all diagonals. " +
		"The transforms take about D log₂ D = " + format.Plural(transformSteps(d), "step") + " each; at D = 4,096 that is " +
		format.Count(transformSteps(4096)) + " instead of " + squareText(4096) + "."
}

func squareText(d int) string { return "D² = " + format.Count(d*d) }

// transformSteps is D·log₂ D to the nearest integer.
func transformSteps(d int) int { return int(math.Round(float64(d) * math.Log2(float64(d)))) }

// cellAnswer tells of the largest cell how many products of three it holds.
func (c *Picture) cellAnswer() string {
	m := &c.matrix
	if c.p.Show != Products || c.p.Stage != 2 {
		return "Set the view to products and the convolution to 2 to see the matrix of (C₁x ∗ C₂x)[m]·C₃x[n]."
	}
	text := "Cell (m, n) holds (C₁x ∗ C₂x)[m]·C₃x[n]: in one number all products xᵢxⱼxₗ with (h₁(i) + h₂(j)) mod " +
		strconv.Itoa(c.p.NComponents) + " = m and h₃(l) = n. "
	i, j := place(m.first), place(m.second)
	if !m.set(i, j) {
		return text + "Here all are zero."
	}
	held := c.held(i, j) + " of the " + c.productsText()
	if c.allProducts() == 1 {
		held = "the only product"
	}
	return text + "The largest, (" + strconv.Itoa(i) + ", " + strconv.Itoa(j) + "), is " + format.Fixed(m.value(i, j), 4) +
		": it holds " + held + " and falls into bucket " + strconv.Itoa(m.bucket(i, j)) + "."
}

// place is the index of the largest magnitude.
func place(x []float64) int {
	top := 0
	for k, value := range x {
		if math.Abs(value) > math.Abs(x[top]) {
			top = k
		}
	}
	return top
}

// held counts the products of three coordinates in cell (m, n) of the second
// stage: pairs whose hashes add up to m, times coordinates that fall into n.
func (c *Picture) held(m, n int) string {
	bucket := c.cache.tables.bucket
	pairs, singles := 0, 0
	for i := range c.p.X {
		for j := range c.p.X {
			if (bucket[0][i]+bucket[1][j])%c.p.NComponents == m {
				pairs++
			}
		}
		if bucket[2][i] == n {
			singles++
		}
	}
	return format.Count(pairs) + "·" + strconv.Itoa(singles) + " = " + format.Count(pairs*singles)
}

package convolution

import (
	"math"
	"math/cmplx"
	"strconv"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
)

// Describe implements lesson.Picture.
func (c *Picture) Describe(item lesson.Item) string {
	if !c.has(item) {
		return ""
	}
	number := strconv.Itoa(item.I)
	names := map[lesson.Kind]string{lesson.Coordinate: "coordinate ", lesson.First: "column ", lesson.Second: "row "}
	switch item.Kind {
	case lesson.Coordinate, lesson.First, lesson.Second:
		return names[item.Kind] + number + ": " + c.sum(item)
	case lesson.Cell:
		return "column " + number + ", row " + strconv.Itoa(item.J) + ": " + c.sum(item)
	case lesson.Pair:
		return c.pairText(item.I, item.J)
	case lesson.Bucket:
		return c.describeBucket(item.I)
	}
	return "frequency " + number + " of " + format.Count(c.distinct()) + ": magnitudes " +
		format.Fixed(cmplx.Abs(c.spectra[0][item.I]), 3) + " and " + format.Fixed(cmplx.Abs(c.spectra[1][item.I]), 3) +
		" multiply to " +
		format.Fixed(cmplx.Abs(c.product(item.I)), 3) + c.phases(item.I)
}

// phases returns the angles of both factors and of the product in words, or "" if one of them has no angle.
func (c *Picture) phases(f int) string {
	var angles [3]string
	for k, z := range [3]complex128{c.spectra[0][f], c.spectra[1][f], c.product(f)} {
		if cmplx.Abs(z) <= silent*vector.Longest(c.spectra[k]) {
			return ""
		}
		angles[k] = format.Fixed(cmplx.Phase(z)*180/math.Pi, 0) + "°"
	}
	return ", phases " + angles[0] + " and " + angles[1] + " add up to " + angles[2]
}

func (c *Picture) describeBucket(k int) string {
	text := "bucket " + strconv.Itoa(k) + " of "
	if c.sliced() {
		text += "this slice is "
	} else {
		text += c.resultName() + " is "
	}
	switch {
	case c.p.Show == Frequencies:
		return text + sumText(c.result[k])
	case c.cells[k] == 0:
		return text + "0: no product falls there"
	}
	return text + sumText(c.sums[k]) + ": " + format.Count(c.cells[k]) + " " +
		c.pairsUnit(c.cells[k]) + " " + format.Form(c.cells[k], "meets", "meet") + " there, " + c.nonzeroText(k)
}

// allOf returns "all 12 buckets", or "the only bucket".
func allOf(n int, noun string) string {
	return format.Form(n, "the only "+noun, "all "+format.Plural(n, noun))
}

// summary describes the picture for visitors who cannot see it.
func (c *Picture) summary() string {
	top := c.top()
	var text string
	switch c.p.Show {
	case Frequencies:
		text = "The spectra of " + c.firstName() + " and " + c.secondName() + " at " + format.Count(c.distinct()) + " " +
			frequencyNoun(c.distinct()) +
			", and their product"
	case Coordinates:
		text = "The matrix of " + matrixProducts(len(c.p.X)) + " of the coordinates of x"
		if c.sliced() {
			text += " with " + c.sliceText() + " fixed"
		}
		text += ", coloured by their buckets " + c.hashName()
	default:
		text = "The matrix of " + matrixProducts(c.p.buckets()) + " of " + c.firstName() + " by " + c.secondName() +
			", coloured by their buckets (m + n) mod " + strconv.Itoa(c.p.buckets())
	}
	text += ". "
	switch n := c.computed(); n {
	case 0:
		text += "No bucket of the result is computed yet."
	case c.p.buckets():
		text += "The result is computed: " + format.Plural(n, "bucket") +
			format.Form(n, ", with ", "; bucket "+strconv.Itoa(top)+" is the largest with ") +
			sumText(c.result[top]) + "."
	default:
		text += format.Count(n) + " of " + format.Plural(c.p.buckets(), "bucket") + " of the result " +
			format.Form(n, "is", "are") + " computed."
	}
	if difference, done := c.Direct(); done {
		text += " The largest difference from adding up " + c.allProductsText() + " is " + differenceText(difference) + "."
	}
	return text
}

// matrixProducts returns "the 144 products", for a matrix of side 12.
func matrixProducts(size int) string {
	return "the " + format.Form(size, "only product", format.Plural(size*size, "product"))
}

func frequencyNoun(n int) string { return format.Form(n, "frequency", "frequencies") }

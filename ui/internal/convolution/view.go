package convolution

import (
	"math"
	"strconv"
	"strings"

	"github.com/tensorsketch/tensorsketch/ui/internal/format"
	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
)

// View implements lesson.Picture.
func (c *Picture) View(look lesson.Item) lesson.View {
	subject := c.subject(look)
	return lesson.View{
		Title:     c.title(),
		Lede:      c.lede(),
		Step:      c.p.Step,
		Steps:     c.steps(),
		StepLabel: c.stepLabel(),
		Sum:       c.sum(subject),
		Cards:     c.cards(subject),
		Summary:   c.summary(),
		Questions: c.questions(),
	}
}

// subject is the item that the sum and the cards are about: the one pointed at,
// or what the last step computed.
func (c *Picture) subject(look lesson.Item) lesson.Item {
	if c.has(look) {
		return look
	}
	if c.p.Show == Frequencies && c.p.Step == c.steps() {
		return lesson.Item{} // the inverse FFT makes all buckets at once
	}
	return c.current()
}

func (c *Picture) title() string {
	switch {
	case c.p.Show == Frequencies:
		return "In frequencies, a convolution is one multiplication each"
	case c.p.Show == Coordinates:
		return "Every product of coordinates has its bucket and its sign"
	case c.order() == 2:
		return "Two sketches convolve into the sketch of all products"
	}
	return counts[c.order()] + " sketches convolve into the sketch of all products of " + strings.ToLower(counts[c.order()])
}

func (c *Picture) lede() string {
	order := c.order()
	all := format.Count(c.allProducts())
	switch c.p.Show {
	case Frequencies:
		return "The Fourier transform turns the wrapped sums of products into single products: magnitudes multiply and phases add. " +
			"One inverse transform makes all " + format.Count(c.p.NComponents) + " buckets of " + c.resultName() + "."
	case Coordinates:
		text := "The product " + productName(order) + " falls into the bucket that its hashes add up to, " + c.generalHash() +
			", with the product of their signs. That is a count sketch of all " + all + " products"
		if c.sliced() {
			return text + "; here is the slice with " + c.sliceText() + "."
		}
		return text + ", drawn one by one."
	}
	if order == 2 {
		return "Multiply two count sketches as polynomials, wrap around at D, and what comes out is the count sketch of every product " +
			productName(2) + ". None of the " + all + " products is ever formed."
	}
	return "Convolve the result with " + c.secondName() + ", wrap around at D, and what comes out is the count sketch of every product " +
		productName(order) + ". None of the " + all + " products is ever formed."
}

// generalHash is the bucket of a product, for all its indices.
func (c *Picture) generalHash() string {
	return "(" + strings.Join([]string{"h₁(i)", "h₂(j)", "h₃(l)", "h₄(m)"}[:c.order()], " + ") + ") mod " + strconv.Itoa(c.p.NComponents)
}

// sliceText is l = 3, m = 5.
func (c *Picture) sliceText() string {
	text := "l = " + strconv.Itoa(c.p.Slice)
	if c.p.Degree == 4 {
		text += ", m = " + strconv.Itoa(c.p.Slice2)
	}
	return text
}

// allProducts is d^q, zeros included.
func (c *Picture) allProducts() int {
	n := 1
	for range c.order() {
		n *= len(c.p.X)
	}
	return n
}

// legend tells what shapes and colours of the matrix or the spectra mean.
func (d *drawing) legend() string {
	if d.p.Show == Frequencies {
		first, last := d.distinct(), d.p.NComponents-1
		switch {
		case first > last:
			return "bars: magnitude"
		case first == last:
			return "bars: magnitude; frequency " + strconv.Itoa(first) + " mirrors 1"
		}
		return "bars: magnitude; frequencies " + strconv.Itoa(first) + " to " + strconv.Itoa(last) + " mirror these"
	}
	shapes := "full +, hollow −"
	if d.pitch < flatBelow {
		shapes = "high +, flat −"
	}
	if d.p.Show == Coordinates {
		return shapes + "; colour: bucket " + d.hashName()
	}
	return shapes + "; colour: bucket (m + n) mod\u00a0" + strconv.Itoa(d.p.NComponents) + "; past the dots m + n wraps round"
}

func (c *Picture) stepLabel() string {
	step, steps := strconv.Itoa(c.p.Step), strconv.Itoa(c.steps())
	now := c.current()
	switch {
	case now.Kind == "":
		return "step 0 of " + steps
	default:
		return string(now.Kind) + " = " + strconv.Itoa(now.I) + ", step " + step + " of " + steps
	}
}

// bucketOf is the bucket that an item is about, −1 for none.
func (c *Picture) bucketOf(item lesson.Item) int {
	switch item.Kind {
	case lesson.Bucket:
		return item.I
	case lesson.Cell:
		return c.matrix.bucket(item.I, item.J)
	case lesson.First, lesson.Second, lesson.Coordinate:
		if now := c.current(); now.Kind == lesson.Bucket {
			return now.I
		}
	}
	return -1
}

func (c *Picture) cards(subject lesson.Item) []lesson.Card {
	difference := lesson.Card{ID: "difference", Title: "Largest difference", Value: "checking …",
		Note: "against all " + format.Count(c.allProducts()) + " products one by one"}
	if largest, done := c.Direct(); done {
		difference.Value, difference.Unit = differenceText(largest), "computed now"
	}
	var cards []lesson.Card
	if c.p.Show == Frequencies && subject.Kind != lesson.Bucket {
		cards = c.frequencyCards(subject)
	} else {
		cards = c.bucketCards(c.bucketOf(subject))
	}
	return append(cards, difference)
}

func (c *Picture) bucketCards(k int) []lesson.Card {
	d := format.Count(c.p.NComponents)
	bucket := lesson.Card{ID: "bucket", Title: "Bucket k", Value: "–", Unit: "of " + d, Note: "none yet"}
	pairs := lesson.Card{ID: "pairs", Title: "Meets there", Value: "–", Unit: c.pairsUnit(2), Note: "none yet"}
	value := lesson.Card{ID: "value", Title: "Value", Value: "–", Note: "none yet"}
	if k < 0 {
		return []lesson.Card{bucket, pairs, value}
	}
	bucket.Value, bucket.Note = strconv.Itoa(k), "counted from 0"
	pairs.Value, pairs.Unit = format.Count(c.cells[k]), c.pairsUnit(c.cells[k])
	pairs.Note = c.nonzeroText(k)
	_, _, decimals := c.decimals()
	value.Value, value.Note = format.Fixed(c.sums[k], decimals), "the FFT gives "+c.transformed(c.result, k)
	if c.sliced() {
		value.Note = "in this slice; the FFT gives " + c.transformed(c.result, k)
	}
	if c.p.Show == Frequencies {
		pairs.Value, pairs.Unit, pairs.Note = d, "frequencies", "in one inverse FFT, for all buckets at once"
	}
	return []lesson.Card{bucket, pairs, value}
}

// transformed writes what the core's FFTs of float32 give for a bucket: zero
// where it is no more than their noise.
func (c *Picture) transformed(values []float64, k int) string {
	if math.Abs(values[k]) <= silent*largest(values) {
		return format.Number(values[k], 1)
	}
	return format.Number(values[k], 7)
}

func (c *Picture) pairsUnit(n int) string {
	unit := "pairs"
	if n == 1 {
		unit = "pair"
	}
	if c.p.Show == Coordinates {
		return unit + " (i, j)"
	}
	return unit + " (m, n)"
}

func (c *Picture) nonzeroText(k int) string {
	switch n := c.nonzero[k]; n {
	case c.cells[k]:
		return "none of them zero"
	case 0:
		return "all of them zero"
	case 1:
		return "1 is not zero"
	default:
		return format.Count(n) + " are not zero"
	}
}

func (c *Picture) frequencyCards(subject lesson.Item) []lesson.Card {
	n := c.distinct()
	frequency := lesson.Card{ID: "bucket", Title: "Frequency f", Value: format.Count(n), Unit: "distinct", Note: "of " + format.Count(c.p.NComponents) + "; the others mirror them"}
	meets := lesson.Card{ID: "pairs", Title: "Meets there", Value: "1", Unit: "multiplication", Note: "where a bucket takes " + format.Plural(c.p.NComponents, "pair")}
	value := lesson.Card{ID: "value", Title: "Value", Value: "–", Note: "point at a frequency or a bucket"}
	if subject.Kind == lesson.Frequency {
		f := subject.I
		frequency.Value, frequency.Unit, frequency.Note = strconv.Itoa(f), "of "+format.Count(n), "counted from 0"
		value.Value = complexText(c.product(f))
		value.Note = "the core's spectrum: " + complexText(c.spectra[2][f])
	}
	return []lesson.Card{frequency, meets, value}
}

// product multiplies both spectra at a frequency.
func (c *Picture) product(f int) complex128 { return c.spectra[0][f] * c.spectra[1][f] }

// complexText writes a complex number with three decimals.
func complexText(z complex128) string {
	imaginary, sign := format.Fixed(imag(z), 3), " + "
	if rest, negative := strings.CutPrefix(imaginary, "−"); negative {
		imaginary, sign = rest, " − "
	}
	return format.Fixed(real(z), 3) + sign + imaginary + "i"
}

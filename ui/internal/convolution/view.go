package convolution

import (
	"math"
	"math/cmplx"
	"strconv"
	"strings"

	"tensorsketch.example/sketch"
	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
	"tensorsketch.example/ui/internal/vector"
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
		Sum:       c.sumAt(look, subject),
		Cards:     c.cards(subject),
		Summary:   c.summary(),
		Questions: c.questions(),
	}
}

// subject returns the item that the sum and the cards describe: the one pointed at, or what the last step computed,
// or at the end the largest bucket.
func (c *Picture) subject(look lesson.Item) lesson.Item {
	focus := c.focus(look)
	if c.isDone() && c.p.Show != Frequencies && focus == (lesson.Item{}) { // the inverse FFT makes all buckets at once
		return lesson.Item{Kind: lesson.Bucket, I: c.top()}
	}
	return focus
}

// top returns the bucket with the largest magnitude, the first of several.
func (c *Picture) top() int { return place(c.sums) }

// washed returns the bucket that is softly marked if nothing is in focus, or −1. It is the bucket that the sum
// describes once all are computed.
func (c *Picture) washed(focus lesson.Item) int {
	if k := c.top(); focus.Kind == "" && c.p.Show != Frequencies && c.isDone() && c.nonzero[k] > 0 {
		return k
	}
	return -1
}

func (c *Picture) title() string {
	switch {
	case c.p.Show == Frequencies:
		return "In frequencies, convolution is one multiplication per frequency" + c.stageText()
	case c.p.Show == Coordinates:
		return "Every product of coordinates has its bucket and its sign"
	}
	title := counts[c.order()] + " " + c.complexly("sketches") + " convolve into the sketch of all products"
	if c.order() > 2 {
		title += " of " + strings.ToLower(counts[c.order()])
	}
	return title + c.stageText()
}

// stageText says which convolution is shown, if there are several.
func (c *Picture) stageText() string {
	if c.p.Degree == 2 {
		return ""
	}
	return " (" + strconv.Itoa(c.p.Stage) + " of " + strconv.Itoa(c.p.Degree-1) + ")"
}

// complexly puts "complex" before a noun if the features are complex.
func (c *Picture) complexly(noun string) string { return c.either("", "complex ") + noun }

func (c *Picture) either(ofReal, ofComplex string) string {
	return bars.Either(c.p.Method, ofReal, ofComplex)
}

func (c *Picture) lede() string {
	order := c.order()
	one := len(c.p.X) == 1 // its only product is in the spectra, too
	switch c.p.Show {
	case Frequencies:
		text := "The Fourier transform turns the wrapped sums of products into single products: magnitudes " +
			"multiply and phases add. " +
			"One inverse transform makes " + c.allBuckets() + " of " + c.resultName()
		if one {
			return text + "."
		}
		return text + ", and forms none of the " + c.productsText() + "."
	case Coordinates:
		text := "The product " + productName(order) + " falls into the bucket that its hashes add up to, " + c.generalHash() +
			", with the product of their signs. That is a " + c.complexly("count sketch") + " of "
		text += allOf(c.allProducts(), "product")
		switch {
		case one:
		case c.sliced():
			text += "; the FFT forms none of them"
		default:
			text += ", drawn one by one; the FFT forms none of them"
		}
		if c.sliced() {
			text += "; here is the slice with " + c.sliceText()
		}
		return text + "."
	}
	text := "Multiply two " + c.complexly("count sketches") + " as polynomials"
	if order > 2 {
		text = "Convolve the result with " + c.secondName()
	}
	text += ", wrap around at " + c.either("D", "D/2") + ", and what comes out is the " + c.complexly("count sketch") +
		" of every product " + productName(order) + "."
	if one {
		return text
	}
	return text + " The FFT forms none of the " + c.productsText() +
		c.either(".", "; complex signs remove the variance’s 1/D² term.")
}

// productsText returns "1,000 products".
func (c *Picture) productsText() string { return format.Plural(c.allProducts(), "product") }

// allProductsText returns "all 1,000 products one by one".
func (c *Picture) allProductsText() string {
	return allOf(c.allProducts(), "product") + format.Form(c.allProducts(), "", " one by one")
}

// allBuckets returns "all 12 buckets".
func (c *Picture) allBuckets() string { return allOf(c.p.buckets(), "bucket") }

// generalHash returns the formula for the bucket of a product with general indices.
func (c *Picture) generalHash() string {
	return "(" + strings.Join([]string{"h₁(i)", "h₂(j)", "h₃(l)", "h₄(m)"}[:c.order()], " + ") + ") mod " +
		strconv.Itoa(c.p.buckets())
}

// sliceText returns "l = 3, m = 5".
func (c *Picture) sliceText() string {
	text := "l = " + strconv.Itoa(c.p.Slice)
	if c.p.Degree == 4 {
		text += ", m = " + strconv.Itoa(c.p.Slice2)
	}
	return text
}

// allProducts returns d^q, zeros included, where q is the order.
func (c *Picture) allProducts() int {
	n := 1
	for range c.order() {
		n *= len(c.p.X)
	}
	return n
}

// legend explains the shapes and colours of the matrix or the spectra.
func (d *drawing) legend() string {
	if d.p.Show == Frequencies {
		first, last := d.distinct(), d.p.buckets()-1
		switch {
		case d.p.isComplex() && last > 0:
			return "bars: magnitude; no frequency mirrors another"
		case first > last:
			return "bars: magnitude"
		case first == last:
			return "bars: magnitude; frequency " + strconv.Itoa(first) + " mirrors 1"
		}
		return "bars: magnitude; frequencies " + strconv.Itoa(first) + " to " + strconv.Itoa(last) + " mirror these"
	}
	shapes := "full +, hollow −"
	if d.pitch/float64(d.p.parts()) < flatBelow {
		shapes = "high +, flat −"
	}
	shapes = d.either("", "Re | Im, ") + shapes + "; colour: "
	if d.p.Show == Coordinates {
		if !d.sliced() {
			shapes = format.Plural(d.matrix.size*d.matrix.size, "product") + ": " + shapes
		}
		return shapes + "bucket " + d.hashName()
	}
	return shapes + d.either("bucket ", "") + "(m\u00a0+\u00a0n) mod\u00a0" + strconv.Itoa(d.p.buckets()) +
		"; past the dots " + d.either("m\u00a0+\u00a0n wraps round", "it wraps")
}

func (c *Picture) stepLabel() string {
	label := "step " + strconv.Itoa(c.p.Step) + " of " + strconv.Itoa(c.steps())
	if c.p.Step == 0 || c.isDone() {
		return label
	}
	now := c.current()
	return string(now.Kind) + " = " + strconv.Itoa(now.I) + ", " + label
}

func (c *Picture) cards(subject lesson.Item) []lesson.Card {
	difference := lesson.Card{ID: "difference", Title: "Largest difference", Value: "checking …",
		Note: "against " + c.allProductsText()}
	if largest, done := c.Direct(); done {
		difference.Value, difference.Unit = differenceText(largest), "computed now"
	}
	var cards []lesson.Card
	switch k := c.focused(subject, lesson.Bucket); {
	case subject.Kind == lesson.Coordinate:
		cards = c.coordinateCards(subject)
	case subject.Kind == lesson.First || subject.Kind == lesson.Second:
		cards = c.edgeCards(subject)
	case c.p.Show == Frequencies && k < 0:
		cards = c.frequencyCards(subject)
	default:
		cards = c.bucketCards(k)
	}
	if c.p.isComplex() {
		cards = append(cards, c.sigmaCard())
	}
	if c.p.ShowY {
		cards = append(cards, c.chainCard())
	}
	return append(cards, difference)
}

// chainCard closes the chain: the inner product of the sketches of x and y is the estimate of a power of ⟨x, y⟩.
func (c *Picture) chainCard() lesson.Card {
	card := lesson.Card{ID: "chain", Title: "⟨f(x), f(y)⟩", Value: format.Number(c.y.estimate, 3),
		Unit: "±" + format.Number(c.y.sigma, 2) + " (σ, exact)",
		Note: "⟨x, y⟩" + power(c.order()) + " is " + format.Number(c.y.exact, 3)}
	if c.order() < c.p.Degree {
		card.Title += ", of this stage"
	}
	if c.y.sigma > 0 {
		card.Note += ": error " + format.Fixed((c.y.estimate-c.y.exact)/c.y.sigma, 1) + " σ"
	}
	return card
}

// sigmaCard compares complex features with the same number of real ones.
func (c *Picture) sigmaCard() lesson.Card {
	name, plain := "f(x)", c.sigma(sketch.MethodTensorSketch, c.order(), c.p.NComponents)
	if c.order() < c.p.Degree {
		name = c.resultName()
	}
	note := "tensor sketch: " + format.Number(plain, 3)
	if plain != 0 {
		note += "; saves " + c.gain(c.order(), c.p.NComponents) + " of its variance"
	}
	return lesson.Card{ID: "sigma", Title: "σ of ‖" + name + "‖²", Unit: "exact", Note: note,
		Value: format.Number(c.sigma(c.p.Method, c.order(), c.p.NComponents), 3)}
}

// sigma returns the standard deviation over seeds of the squared length of the sketch by a method.
func (c *Picture) sigma(method string, degree, components int) float64 {
	return c.sigmaOf(method, degree, components, c.p.X)
}

// sigmaOf returns the standard deviation over seeds of the inner product of the sketches of x and y.
func (c *Picture) sigmaOf(method string, degree, components int, y []float64) float64 {
	return bars.Sigma(sketch.Params{Method: method, NFeatures: len(c.p.X), NComponents: components, Degree: degree}, c.p.X,
		y)
}

// coordinateCards returns the cards about a coordinate of x.
func (c *Picture) coordinateCards(item lesson.Item) []lesson.Card {
	coordinate := lesson.Card{ID: "bucket", Title: "Coordinate", Value: strconv.Itoa(item.I),
		Unit: "of " + strconv.Itoa(len(c.p.X)), Note: "counted from 0"}
	value := c.valueCard(item.I)
	if c.p.Show == Frequencies {
		return []lesson.Card{coordinate, {ID: "pairs", Title: "Takes part in", Value: strconv.Itoa(c.distinct()),
			Unit: frequencyNoun(c.distinct()),
			Note: "a bucket is spread over the whole spectrum"}, value}
	}
	pairs := c.pairsCard("Takes part in", item)
	if m, n := c.home(item.I); m < 0 {
		pairs.Title = "In row " + strconv.Itoa(n)
	}
	return []lesson.Card{coordinate, pairs, value}
}

// valueCard returns the card about the value of a coordinate.
func (c *Picture) valueCard(i int) lesson.Card {
	return lesson.Card{ID: "entry", Title: "Value", Value: format.Fixed(c.p.X[i], 2),
		Note: "falls into bucket " + strings.Join(c.bucketsOf(i), ", ")}
}

// edgeCards returns the cards about a column or a row of the matrix.
func (c *Picture) edgeCards(item lesson.Item) []lesson.Card {
	at := strconv.Itoa(item.I)
	title, index, name, text := "Column ", [2]string{"m", "i"}, c.firstName(), c.firstText
	if item.Kind == lesson.Second {
		title, index, name, text = "Row ", [2]string{"n", "j"}, c.secondName(), c.secondText
	}
	edge := lesson.Card{ID: "bucket", Title: title + index[0], Value: at, Unit: "of " + strconv.Itoa(c.matrix.size),
		Note: "a bucket of " + name}
	value := lesson.Card{ID: "entry", Title: "Value", Value: text(item.I), Note: format.Factor(name) + "[" + at + "]"}
	if c.p.Show == Coordinates {
		edge.Title, edge.Note = title+index[1], "a coordinate of x"
		value = c.valueCard(item.I)
	}
	return []lesson.Card{edge, c.pairsCard("Takes part in", item), value}
}

// pairsCard counts the cells that an item enters.
func (c *Picture) pairsCard(title string, item lesson.Item) lesson.Card {
	cells, nonzero := 0, 0
	for i := range c.matrix.size {
		for j := range c.matrix.size {
			if c.cell(item, i, j) == strong {
				cells++
				if c.matrix.set(i, j) {
					nonzero++
				}
			}
		}
	}
	return lesson.Card{ID: "pairs", Title: title, Value: format.Count(cells), Unit: c.pairsUnit(cells),
		Note: notZero(nonzero, cells)}
}

func (c *Picture) bucketCards(k int) []lesson.Card {
	d := format.Count(c.p.buckets())
	bucket := lesson.Card{ID: "bucket", Title: "Bucket k", Value: "–", Unit: "of " + d, Note: "none yet"}
	pairs := lesson.Card{ID: "pairs", Title: "Meets there", Value: "–", Unit: c.pairsUnit(2), Note: "none yet"}
	value := lesson.Card{ID: "entry", Title: "Value", Value: "–", Note: "none yet"}
	if k < 0 {
		return []lesson.Card{bucket, pairs, value}
	}
	bucket.Value, bucket.Note = strconv.Itoa(k), "counted from 0"
	pairs.Value, pairs.Unit = format.Count(c.cells[k]), c.pairsUnit(c.cells[k])
	pairs.Note = c.nonzeroText(k)
	value.Value, value.Note = sumText(c.sums[k]), "the FFT gives "+c.transformed(c.result, k)
	if c.sliced() {
		value.Note = "in this slice; " + value.Note
	}
	if c.p.Show == Frequencies {
		pairs.Value, pairs.Unit, pairs.Note = d, frequencyNoun(c.p.buckets()), "in one inverse FFT, for all buckets at once"
	}
	return []lesson.Card{bucket, pairs, value}
}

// transformed writes a bucket's value from the core's float32 FFTs. It writes zero if the value is no more than
// their noise, and gives both parts the same number of decimals.
func (c *Picture) transformed(values []complex128, k int) string {
	digits, noise := 7, silent*vector.Longest(values)
	if cmplx.Abs(values[k]) <= noise {
		digits, noise = 1, 0
	}
	larger := format.Number(max(math.Abs(real(values[k])), math.Abs(imag(values[k]))), digits)
	_, decimals, _ := strings.Cut(larger, ".")
	part := func(x float64) string {
		switch {
		case math.Abs(x) <= noise:
			return "0"
		case strings.Contains(larger, "×"):
			return format.Number(x, digits)
		}
		return format.Fixed(x, len(decimals))
	}
	return format.Sum(part(real(values[k])), part(imag(values[k])))
}

func (c *Picture) pairsUnit(n int) string {
	unit := format.Form(n, "pair", "pairs")
	if c.p.Show == Coordinates {
		return unit + " (i, j)"
	}
	return unit + " (m, n)"
}

func (c *Picture) nonzeroText(k int) string { return notZero(c.nonzero[k], c.cells[k]) }

// notZero says how many of some pairs are not zero.
func notZero(n, of int) string {
	switch {
	case of == 0:
		return "no product falls there"
	case of == 1 && n == 1:
		return "it is not zero"
	case of == 1:
		return "it is zero"
	case n == of:
		return "none of them zero"
	case n == 0:
		return "all of them zero"
	case n == 1:
		return "1 is not zero"
	}
	return format.Count(n) + " are not zero"
}

func (c *Picture) frequencyCards(subject lesson.Item) []lesson.Card {
	n := c.distinct()
	mirrors := c.p.buckets() - n
	frequency := lesson.Card{ID: "bucket", Title: "Frequency f", Value: format.Count(n), Unit: "distinct",
		Note: "of " + format.Count(c.p.buckets()) +
			format.Form(mirrors, "; the other mirrors one", "; the others mirror them")}
	if mirrors == 0 {
		frequency.Note = "none mirrors another"
	}
	meets := lesson.Card{ID: "pairs", Title: "Meets there", Value: "1", Unit: "multiplication",
		Note: "where a bucket takes " + format.Plural(c.p.buckets(), "pair")}
	value := lesson.Card{ID: "entry", Title: "Value", Value: "–", Note: "point at a frequency or a bucket"}
	if subject.Kind == lesson.Frequency {
		f := subject.I
		frequency.Value, frequency.Unit, frequency.Note = strconv.Itoa(f), "of "+format.Count(n), "counted from 0"
		value.Value = complexText(c.product(f))
		value.Note = "the core’s spectrum: " + complexText(c.spectra[2][f])
	}
	return []lesson.Card{frequency, meets, value}
}

// product returns the product of both spectra at a frequency.
func (c *Picture) product(f int) complex128 { return c.spectra[0][f] * c.spectra[1][f] }

// complexText writes a complex number with three decimals.
func complexText(z complex128) string {
	imaginary, negative := strings.CutPrefix(format.Fixed(imag(z), 3), "−")
	return format.Fixed(real(z), 3) + format.Term(negative, imaginary, false) + "i"
}

package convolution

import (
	"strconv"
	"strings"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// sumRoom is the number of letters for the terms of a sum. The whole line then has about 110.
const sumRoom = 80

// sum writes the sum or product that gives an item.
func (c *Picture) sum(item lesson.Item) string {
	isEdge := item.Kind == lesson.First || item.Kind == lesson.Second
	switch {
	case item.Kind == lesson.Bucket:
		return c.bucketSum(item.I)
	case item.Kind == lesson.Cell:
		return c.cellProduct(item.I, item.J)
	case item.Kind == lesson.Coordinate || isEdge && c.p.Show == Coordinates:
		return c.coordinateText(item.I)
	case isEdge:
		return c.entrySum(item)
	case item.Kind == lesson.Frequency:
		return c.frequencyProduct(item.I)
	}
	if c.p.Step == 0 {
		return "nothing is computed yet"
	}
	return "one inverse FFT of " + format.Plural(c.distinct(), "distinct product") + " makes " + c.allBuckets() +
		format.Form(c.p.buckets(), "", " at once")
}

// sumAt writes the sum of the item pointed at, or else of the subject.
func (c *Picture) sumAt(look, subject lesson.Item) string {
	if look.Kind == lesson.Pair && c.has(look) {
		return c.pairText(look.I, look.J)
	}
	return c.sum(subject)
}

// pairText says where a product of two coordinates goes.
func (c *Picture) pairText(i, j int) string {
	m, n := c.cellOf(i, j)
	value := c.pairs.value(i, j)
	return "x" + format.Subscript(i) + "x" + format.Subscript(j) + " = " + c.coordinate(i) + "·" + c.coordinate(j) +
		", with its signs " + sumText(value) + ": h₁(" + strconv.Itoa(i) + ") = " + strconv.Itoa(m) + " and h₂(" +
		strconv.Itoa(j) + ") = " + strconv.Itoa(n) + ", so it is in cell (" + strconv.Itoa(m) + ", " + strconv.Itoa(n) +
		") and bucket " + strconv.Itoa(c.pairs.bucket(i, j))
}

// cellOf returns the cell that holds the product of coordinates i and j.
func (c *Picture) cellOf(i, j int) (m, n int) { return c.pairs.firstBucket[i], c.pairs.secondBucket[j] }

// heldIn writes the products x_i·x_j that are in a cell, with their signs, or "".
func (c *Picture) heldIn(m, n int) string {
	var terms []term
	for i := range c.pairs.size {
		for j := range c.pairs.size {
			if at, to := c.cellOf(i, j); at != m || to != n || !c.pairs.set(i, j) {
				continue
			}
			sign := c.cache.tables.sign[0][i].Times(c.cache.tables.sign[1][j])
			text := "x" + format.Subscript(i) + "x" + format.Subscript(j)
			if !sign.IsReal() {
				text = "i" + text
			}
			terms = append(terms, term{sign.IsMinus(), text})
		}
	}
	if len(terms) == 0 {
		return ""
	}
	return ". It holds " + written(terms, heldRoom)
}

// heldRoom is the number of letters for the products in a cell.
const heldRoom = 40

// bucketSum writes Σ_m A[m]·B[(k−m) mod n] with the terms that are not zero.
func (c *Picture) bucketSum(k int) string {
	name := "bucket " + strconv.Itoa(k)
	if c.p.Show == Frequencies {
		return name + " = " + c.inverse(k) + " ≈ " + sumText(c.result[k])
	}
	if c.sliced() {
		name += " in this slice"
	}
	switch cells := c.cells[k]; {
	case cells == 0:
		return name + " = 0: no product falls here"
	case c.nonzero[k] > 0:
	case cells == 1:
		return name + " = 0: its only " + c.pairsUnit(1) + " has a factor 0"
	default:
		return name + " = 0: each of its " + format.Count(cells) + " " + c.pairsUnit(cells) + " has a factor 0"
	}
	var terms []term
	for i := range c.matrix.size {
		for j := range c.matrix.size {
			if c.matrix.bucket(i, j) == k && c.matrix.set(i, j) {
				terms = append(terms, c.cellTerm(i, j))
			}
		}
	}
	return name + " = " + written(terms, sumRoom) + c.equals() + sumText(c.sums[k])
}

// inverse writes a bucket as a sum over frequencies: (1/12) Σ Z[f]·e^(2πi·9f/12).
func (c *Picture) inverse(k int) string {
	d := strconv.Itoa(c.p.buckets())
	switch {
	case c.p.buckets() == 1:
		return "Z[0]"
	case k == 0:
		return "(1/" + d + ") Σ Z[f]"
	case k == 1:
		return "(1/" + d + ") Σ Z[f]·e^(2πi·f/" + d + ")"
	}
	return "(1/" + d + ") Σ Z[f]·e^(2πi·" + strconv.Itoa(k) + "f/" + d + ")"
}

// cellTerm returns a product of two sketches, or of coordinates with the sign that their hashes give them.
func (c *Picture) cellTerm(i, j int) term {
	if c.p.Show != Coordinates {
		return term{false, format.Factor(c.firstText(i)) + "·" + format.Factor(c.secondText(j))}
	}
	var factors []string
	sign := bars.Turn(0)
	for k, index := range c.indices(i, j) {
		sign = sign.Times(c.cache.tables.sign[k][index])
		factors = append(factors, c.coordinate(index))
	}
	if !sign.IsReal() {
		factors = append([]string{"i"}, factors...)
	}
	return term{sign.IsMinus(), strings.Join(factors, "·")}
}

// indices returns the coordinates whose product is in a cell: i, j and the coordinates of the slice.
func (c *Picture) indices(i, j int) []int { return append([]int{i, j}, c.slices()...) }

// coordinate writes x_i as a factor.
func (c *Picture) coordinate(i int) string { return format.Factor(format.Fixed(c.p.X[i], 2)) }

func (c *Picture) cellProduct(i, j int) string {
	t := c.cellTerm(i, j)
	m, n := strconv.Itoa(i), strconv.Itoa(j)
	k := strconv.Itoa(c.matrix.bucket(i, j))
	value := c.equals() + sumText(c.matrix.value(i, j))
	if c.p.Show == Products {
		return format.Factor(c.firstName()) + "[" + m + "]·" + c.secondName() + "[" + n + "] = " + t.text + value +
			" → bucket (" + m + " + " + n + ") mod " + strconv.Itoa(c.p.buckets()) + " = " + k + c.heldIn(i, j)
	}
	signs, product, hashes := "", "", ""
	for k, index := range c.indices(i, j) {
		signs += "s" + format.Subscript(k+1) + "(" + strconv.Itoa(index) + ")"
		product += "x" + format.Subscript(index)
		hashes += format.Term(false, strconv.Itoa(c.cache.tables.bucket[k][index]), k == 0)
	}
	sign := "+"
	if t.minus {
		sign = "−"
	}
	return signs + "·" + product + " = " + sign + t.text + value +
		" → bucket (" + hashes + ") mod " + strconv.Itoa(c.p.buckets()) + " = " + k
}

// entrySum writes what a bucket on an edge of the matrix consists of: the coordinates that fall into it, or for a
// convolution only its value.
func (c *Picture) entrySum(item lesson.Item) string {
	m := item.I
	at := "[" + strconv.Itoa(m) + "]"
	if item.Kind == lesson.First && c.isLater() {
		return format.Factor(c.firstName()) + at + " ≈ " + c.firstText(m) + ", from the convolution before"
	}
	first, name, value := 0, c.firstName()+at, c.matrix.first[m]
	if item.Kind == lesson.Second {
		first, name, value = c.p.Stage, c.secondName()+at, c.matrix.second[m]
	}
	var symbols, numbers []term
	fallen := 0
	for i, value := range c.p.X {
		if c.cache.tables.bucket[first][i] != m {
			continue
		}
		fallen++
		if value != 0 {
			sign, symbol, number := c.cache.tables.sign[first][i], "x"+format.Subscript(i), c.coordinate(i)
			if !sign.IsReal() {
				symbol, number = "i"+symbol, number+"i"
			}
			symbols = append(symbols, term{sign.IsMinus(), symbol})
			numbers = append(numbers, term{sign.IsMinus(), number})
		}
	}
	switch {
	case fallen == 0:
		return name + " = 0: no coordinate falls here"
	case len(symbols) == 0:
		return name + " = 0: only coordinates that are 0 fall here"
	case len(symbols) <= 6:
		name += " = " + written(symbols, sumRoom)
	}
	return name + " = " + written(numbers, sumRoom) + " = " + format.Complex(value, factorDecimals)
}

// coordinateText says which buckets a coordinate falls into.
func (c *Picture) coordinateText(i int) string {
	buckets := c.bucketsOf(i)
	for k := range buckets {
		sign := c.cache.tables.sign[k][i].Text(c.p.Method)
		if k == 0 {
			sign = "sign " + sign
		}
		buckets[k] += " (" + sign + ")"
	}
	return "x" + format.Subscript(i) + " = " + format.Fixed(c.p.X[i], 2) + " falls into bucket " +
		strings.Join(buckets, ", ")
}

// bucketsOf names the buckets that a coordinate falls into: 3 of C₁x, 5 of C₂x.
func (c *Picture) bucketsOf(i int) []string {
	var buckets []string
	for k := range c.order() {
		buckets = append(buckets, strconv.Itoa(c.cache.tables.bucket[k][i])+" of "+sketchName(k, 1))
	}
	return buckets
}

func (c *Picture) frequencyProduct(f int) string {
	return "frequency " + strconv.Itoa(f) + ": (" + complexText(c.spectra[0][f]) + ")·(" + complexText(c.spectra[1][f]) +
		") ≈ " + complexText(c.product(f))
}

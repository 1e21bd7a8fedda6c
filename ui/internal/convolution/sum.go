package convolution

import (
	"strconv"

	"tensorsketch.example/ui/internal/format"
	"tensorsketch.example/ui/internal/lesson"
)

// sumRoom is the number of letters for the terms of a sum. The whole line then has about 110.
const sumRoom = 80

// sum writes the sum or product that gives an item.
func (c *Picture) sum(item lesson.Item) string {
	switch item.Kind {
	case lesson.Bucket:
		return c.bucketSum(item.I)
	case lesson.Cell:
		return c.cellProduct(item.I, item.J)
	case lesson.First:
		if c.p.Show == Coordinates {
			return c.coordinateText(item.I)
		}
		return c.entrySum(0, c.p.Stage, item.I, c.matrix.first)
	case lesson.Second:
		if c.p.Show == Coordinates {
			return c.coordinateText(item.I)
		}
		return c.entrySum(c.p.Stage, 1, item.I, c.matrix.second)
	case lesson.Coordinate:
		return c.coordinateText(item.I)
	case lesson.Frequency:
		return c.frequencyProduct(item.I)
	}
	if c.p.Step == 0 {
		return "nothing is computed yet"
	}
	text := "one inverse FFT of " + format.Plural(c.distinct(), "distinct product") + " makes " + c.allBuckets()
	if c.p.buckets() == 1 {
		return text
	}
	return text + " at once"
}

// bucketSum writes Σ_m A[m]·B[(k−m) mod n] with the terms that are not zero.
func (c *Picture) bucketSum(k int) string {
	name := "bucket " + strconv.Itoa(k)
	first, second, decimals := c.decimals()
	if c.p.Show == Frequencies {
		return name + " = " + c.inverse(k) + " ≈ " + format.Complex(c.result[k], decimals)
	}
	if c.sliced() {
		name += " in this slice"
	}
	if c.nonzero[k] == 0 {
		if c.cells[k] == 0 {
			return name + " = 0: no product falls here"
		}
		if c.cells[k] == 1 {
			return name + " = 0: its only " + c.pairsUnit(1) + " has a factor 0"
		}
		return name + " = 0: each of its " + format.Count(c.cells[k]) + " " + c.pairsUnit(c.cells[k]) + " has a factor 0"
	}
	var terms []term
	for i := range c.matrix.size {
		for j := range c.matrix.size {
			if c.matrix.bucket(i, j) == k && c.matrix.set(i, j) {
				terms = append(terms, c.cellTerm(i, j, first, second))
			}
		}
	}
	return name + " = " + written(terms, sumRoom) + c.equals() + format.Complex(c.sums[k], decimals)
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
func (c *Picture) cellTerm(i, j, first, second int) term {
	if c.p.Show != Coordinates {
		return term{false, factor(c.matrix.first[i], first) + "·" + factor(c.matrix.second[j], second)}
	}
	sign := c.cellSign(i, j)
	text := c.coordinate(i) + "·" + c.coordinate(j)
	if !sign.isReal() {
		text = "i·" + text
	}
	for _, l := range c.slices() {
		text += "·" + c.coordinate(l)
	}
	return term{sign.minus(), text}
}

// coordinate writes x_i as a factor.
func (c *Picture) coordinate(i int) string { return factor(complex(c.p.X[i], 0), 2) }

// cellSign returns s₁(i)·s₂(j), times the signs of the fixed coordinates.
func (c *Picture) cellSign(i, j int) turn {
	sign := c.cache.tables.sign
	product := sign[0][i].times(sign[1][j])
	for k, l := range c.slices() {
		product = product.times(sign[k+2][l])
	}
	return product
}

func (c *Picture) cellProduct(i, j int) string {
	first, second, decimals := c.decimals()
	t := c.cellTerm(i, j, first, second)
	m, n := strconv.Itoa(i), strconv.Itoa(j)
	k := strconv.Itoa(c.matrix.bucket(i, j))
	value := c.equals() + format.Complex(c.matrix.value(i, j), decimals)
	if c.p.Show == Products {
		return bracketed(c.firstName()) + "[" + m + "]·" + c.secondName() + "[" + n + "] = " + t.text + value +
			" → bucket (" + m + " + " + n + ") mod " + strconv.Itoa(c.p.buckets()) + " = " + k
	}
	at := append([]int{i, j}, c.slices()...)
	signs, product, hashes := "", "", ""
	for k, index := range at {
		signs += "s" + format.Subscript(k+1) + "(" + strconv.Itoa(index) + ")"
		product += "x" + format.Subscript(index)
		if k > 0 {
			hashes += " + "
		}
		hashes += strconv.Itoa(c.cache.tables.bucket[k][index])
	}
	sign := "+"
	if t.minus {
		sign = "−"
	}
	return signs + "·" + product + " = " + sign + t.text + value +
		" → bucket (" + hashes + ") mod " + strconv.Itoa(c.p.buckets()) + " = " + k
}

// entrySum writes what a bucket of a sketch consists of: the coordinates that fall into it, or for a convolution
// only its value.
func (c *Picture) entrySum(first, count, m int, values []complex128) string {
	name := bracketed(sketchName(first, count)) + "[" + strconv.Itoa(m) + "]"
	if count > 1 {
		return name + " ≈ " + format.Complex(values[m], 4) + ", from the convolution before"
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
			if !sign.isReal() {
				symbol, number = "i"+symbol, number+"i"
			}
			symbols = append(symbols, term{sign.minus(), symbol})
			numbers = append(numbers, term{sign.minus(), number})
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
	return name + " = " + written(numbers, sumRoom) + " = " + format.Complex(values[m], 2)
}

// coordinateText says which buckets a coordinate falls into.
func (c *Picture) coordinateText(i int) string {
	text := "x" + format.Subscript(i) + " = " + format.Fixed(c.p.X[i], 2) + " falls into bucket "
	for k := range c.order() {
		sign := c.signText(c.cache.tables.sign[k][i])
		if k == 0 {
			sign = "sign " + sign
		} else {
			text += ", "
		}
		text += strconv.Itoa(c.cache.tables.bucket[k][i]) + " of " + sketchName(k, 1) + " (" + sign + ")"
	}
	return text
}

func (c *Picture) frequencyProduct(f int) string {
	return "frequency " + strconv.Itoa(f) + ": (" + complexText(c.spectra[0][f]) + ")·(" + complexText(c.spectra[1][f]) +
		") ≈ " + complexText(c.product(f))
}

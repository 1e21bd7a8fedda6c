package convolution

import (
	"strconv"

	"github.com/tensorsketch/tensorsketch/ui/internal/lesson"
)

// Table implements lesson.Picture: a row per bucket, or per frequency.
func (c *Picture) Table() lesson.Table {
	if c.p.Show == Frequencies {
		return c.frequencyTable()
	}
	head := append([]string{"bucket", "pairs", "pairs not zero"}, c.heads("sum of pairs", "FFT (float32)")...)
	caption := "The buckets of " + c.resultName()
	if c.sliced() {
		caption += ", of the slice " + c.sliceText()
		head = append(head, c.heads("FFT, all slices")...)
	}
	table := lesson.Table{Name: "convolution", Caption: caption, Head: append(head, c.heads("products one by one", "difference")...)}
	_, done := c.Direct()
	for k := range c.p.buckets() {
		row := []string{strconv.Itoa(k), strconv.Itoa(c.cells[k]), strconv.Itoa(c.nonzero[k])}
		row = append(row, c.numbers(c.sums[k], 64)...)
		row = append(row, c.numbers(c.result[k], 32)...)
		if c.sliced() {
			row = append(row, c.numbers(c.whole[k], 32)...)
		}
		if done {
			row = append(row, c.numbers(c.direct.sums[k], 64)...)
			row = append(row, c.numbers(c.whole[k]-c.direct.sums[k], 64)...)
		}
		for len(row) < len(table.Head) {
			row = append(row, "")
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// heads returns the columns of some values: one each, or Re and Im.
func (c *Picture) heads(names ...string) []string {
	if !c.p.isComplex() {
		return names
	}
	var both []string
	for _, name := range names {
		both = append(both, name+", Re", name+", Im")
	}
	return both
}

// numbers are the cells under the heads of a value.
func (c *Picture) numbers(z complex128, bits int) []string {
	var cells []string
	for part := range c.p.parts() {
		cells = append(cells, number(partOf(z, part), bits))
	}
	return cells
}

func (c *Picture) frequencyTable() lesson.Table {
	table := lesson.Table{
		Name:    "convolution",
		Caption: "The spectra of " + c.firstName() + " and " + c.secondName() + ", their product, and the spectrum of " + c.resultName(),
		Head:    []string{"frequency", "first real", "first imaginary", "second real", "second imaginary", "product real", "product imaginary", "result real", "result imaginary"},
	}
	for f := range c.distinct() {
		row := []string{strconv.Itoa(f)}
		for _, z := range []complex128{c.spectra[0][f], c.spectra[1][f], c.product(f), c.spectra[2][f]} {
			row = append(row, number(real(z), 64), number(imag(z), 64))
		}
		table.Rows = append(table.Rows, row)
	}
	return table
}

// number writes x as files do.
func number(x float64, bits int) string { return strconv.FormatFloat(x+0, 'g', -1, bits) }

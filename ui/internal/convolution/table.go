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
	head := []string{"bucket", "pairs", "pairs not zero", "sum of pairs", "FFT (float32)"}
	caption := "The buckets of " + c.resultName()
	if c.sliced() {
		caption += ", of the slice " + c.sliceText()
		head = append(head, "FFT, all slices")
	}
	table := lesson.Table{Name: "convolution", Caption: caption, Head: append(head, "products one by one", "difference")}
	_, done := c.Direct()
	for k := range c.p.NComponents {
		row := []string{strconv.Itoa(k), strconv.Itoa(c.cells[k]), strconv.Itoa(c.nonzero[k]), number(c.sums[k], 64), number(c.result[k], 32)}
		if c.sliced() {
			row = append(row, number(c.whole[k], 32))
		}
		if done {
			row = append(row, number(c.direct.sums[k], 64), number(c.whole[k]-c.direct.sums[k], 64))
		} else {
			row = append(row, "", "")
		}
		table.Rows = append(table.Rows, row)
	}
	return table
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

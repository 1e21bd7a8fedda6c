package convolution

import (
	"strconv"

	"tensorsketch.example/ui/internal/bars"
	"tensorsketch.example/ui/internal/lesson"
)

// Table implements lesson.Picture. It has one row per bucket, or per frequency.
func (c *Picture) Table() lesson.Table {
	if c.p.Show == Frequencies {
		return c.frequencyTable()
	}
	table := lesson.Table{Name: "convolution", Caption: "The buckets of " + c.resultName(),
		Head: []string{"bucket", "pairs", "pairs not zero"}}
	for k := range c.p.buckets() {
		table.Rows = append(table.Rows, []string{strconv.Itoa(k), strconv.Itoa(c.cells[k]), strconv.Itoa(c.nonzero[k])})
	}
	c.addColumn(&table, "sum of pairs", c.sums, 64)
	c.addColumn(&table, "FFT (float32)", c.result, 32)
	if c.sliced() {
		table.Caption += ", of the slice " + c.sliceText()
		c.addColumn(&table, "FFT, all slices", c.whole, 32)
	}
	var sums, apart []complex128
	if _, done := c.Direct(); done {
		sums = c.direct.sums
		for k, sum := range sums {
			apart = append(apart, c.whole[k]-sum)
		}
	}
	c.addColumn(&table, "products one by one", sums, 64)
	c.addColumn(&table, "difference", apart, 64)
	return table
}

// addColumn adds a column of values, or for complex values the two columns Re and Im. If values is empty, so are the
// cells.
func (c *Picture) addColumn(t *lesson.Table, name string, values []complex128, bits int) {
	t.Add(name, c.p.parts(), func(k, part int) string {
		if values == nil {
			return ""
		}
		return number(bars.Part(values[k], part), bits)
	})
}

func (c *Picture) frequencyTable() lesson.Table {
	table := lesson.Table{
		Name: "convolution",
		Caption: "The spectra of " + c.firstName() + " and " + c.secondName() + ", their product, and the spectrum of " +
			c.resultName(),
		Head: []string{"frequency", "first real", "first imaginary", "second real", "second imaginary", "product real",
			"product imaginary", "result real", "result imaginary"},
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

// number writes x in the form used in files.
func number(x float64, bits int) string { return strconv.FormatFloat(x+0, 'g', -1, bits) }

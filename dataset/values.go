package dataset

import (
	"strconv"
	"strings"

	"tensorsketch.example/dataset/columns"
)

// Limits of what is summed up for a reader.
const (
	valueBins    = 12  // bins of numbers and dates
	valueHeight  = 8   // of the fullest bin
	valueNames   = 3   // values that are named
	valueColumns = 200 // a file with more columns is summed up in none
)

// values sums up the first cells of column i for a reader, or returns "" where none has the column's type. Numbers and
// dates give "#", a digit from 0 to 8 for each of 12 bins of equal width, and the least and the largest cell. Other
// columns give the commonest cells, each with its number, and the number of other values. Tabs separate the parts.
func (l *Layout) values(rows [][]string, i int) string {
	kind, style := l.Columns[i].Type, l.styleOf(rows, i)
	counts, names := map[string]int{}, []string{}
	var numbers []float64
	least, largest := 0, 0 // places in numbers
	for _, row := range rows {
		if i >= len(row) {
			continue
		}
		cell := trimCell([]byte(row[i]))
		if isMissing(cell) {
			continue
		}
		x, isNumber := 0.0, true
		switch {
		case kind.IsNumeric():
			reason := ""
			x, reason = style.parse(cell)
			isNumber = reason == ""
		case kind == columns.Date:
			x, isNumber = parseDate(cell, l.Dates)
		default:
			isNumber = false
		}
		name := strings.ReplaceAll(example(string(cell)), "\t", " ")
		if isNumber {
			numbers, names = append(numbers, x), append(names, name)
			if at := len(numbers) - 1; x < numbers[least] {
				least = at
			} else if x > numbers[largest] {
				largest = at
			}
		} else if !kind.IsNumeric() && kind != columns.Date {
			if counts[name] == 0 {
				names = append(names, name)
			}
			counts[name]++
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case len(numbers) > 0:
		return "#" + binned(numbers, numbers[least], numbers[largest]) + "\t" + names[least] + "\t" + names[largest]
	}
	text := ""
	for range min(valueNames, len(names)) {
		most := names[0]
		for _, name := range names {
			if counts[name] > counts[most] {
				most = name
			}
		}
		text += most + "\t" + strconv.Itoa(counts[most]) + "\t"
		counts[most] = 0
	}
	return text + strconv.Itoa(max(0, len(names)-valueNames))
}

// binned returns a digit for each bin between low and high. A bin with any number has at least 1.
func binned(numbers []float64, low, high float64) string {
	var bins [valueBins]int
	most := 0
	for _, x := range numbers {
		at := 0
		if width := high/2 - low/2; width > 0 {
			at = min(int((x/2-low/2)/width*valueBins), valueBins-1)
		}
		bins[at]++
		most = max(most, bins[at])
	}
	digits := make([]byte, valueBins)
	for k, n := range bins {
		digits[k] = '0' + byte((n*valueHeight+most-1)/most)
	}
	return string(digits)
}

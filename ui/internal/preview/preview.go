// Package preview chooses what a page shows of the features of some rows: which columns, and how much is zero.
package preview

import (
	"math"
	"slices"
)

// Columns is how many columns are shown, and filledKept how many cells of a row they are chosen from.
const (
	Columns    = 8
	filledKept = 64
)

// A Row is what the page may show of a row of features.
type Row struct {
	Label   string
	First   []float32 // the first Columns features
	Filled  []Cell    // the first of those that are not zero
	NFilled int       // features of the whole row that are not zero
	Largest float32   // of the whole row, in absolute value
}

// A Cell is a feature and its column.
type Cell struct {
	Column int
	Value  float32
}

// dust is what a feature may be of the row's largest and still count as zero:
// what the rounding of the Fourier transform leaves.
const dust = 1e-6

// NewRow returns that of all features of a row.
func NewRow(label string, features []float32) Row {
	row := Row{Label: label, First: slices.Clone(features[:min(len(features), Columns)])}
	for _, v := range features {
		row.Largest = max(row.Largest, v, -v)
	}
	for column, v := range features {
		if max(v, -v) <= dust*row.Largest {
			continue
		}
		row.NFilled++
		if len(row.Filled) < filledKept {
			row.Filled = append(row.Filled, Cell{column, v})
		}
	}
	return row
}

// FilledColumns returns the first Columns columns that are not zero in all of
// the rows; or, where varied is wanted, not of one value.
func FilledColumns(rows []Row, varied bool) []int {
	end := math.MaxInt // of the columns whose cells are kept
	for _, row := range rows {
		if len(row.Filled) == filledKept {
			end = min(end, row.Filled[filledKept-1].Column+1)
		}
	}
	var columns []int
	for next := 0; len(columns) < Columns; next++ {
		least := end
		for _, row := range rows {
			for _, cell := range row.Filled {
				if cell.Column >= next {
					least = min(least, cell.Column)
				}
			}
		}
		if least == end {
			break
		}
		if next = least; !varied || !IsConstant(rows, least) {
			columns = append(columns, least)
		}
	}
	return columns
}

// IsConstant tells whether a column, one of the first or of those whose cells are
// kept, has one value in all of the rows, but for rounding.
func IsConstant(rows []Row, column int) bool {
	low, high, largest := rows[0].At(column), rows[0].At(column), float32(0)
	for _, row := range rows {
		x := row.At(column)
		low, high, largest = min(low, x), max(high, x), max(largest, row.Largest)
	}
	return high-low <= dust*largest
}

// At returns the feature of one of the first columns or of those whose cells are kept.
func (r *Row) At(column int) float32 {
	if column < len(r.First) {
		return r.First[column]
	}
	for _, cell := range r.Filled {
		if cell.Column == column {
			return cell.Value
		}
	}
	return 0
}

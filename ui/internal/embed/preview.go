package embed

// This file chooses which features of some rows the page shows, and counts how many are nonzero.

import (
	"math"
	"slices"
)

// Columns is the number of columns shown. filledKept is the number of nonzero cells kept per row, from which the
// columns are chosen.
const (
	Columns    = 8
	filledKept = 64
)

// A Row is the part of a row of features that the page may show.
type Row struct {
	Label   string
	First   []float32 // the first Columns features
	Filled  []Cell    // the first filledKept nonzero features
	NFilled int       // number of nonzero features in the whole row
	Largest float32   // largest absolute value in the whole row
}

// A Cell is a feature and its column.
type Cell struct {
	Column int
	Value  float32
}

// dust is the fraction of a row's largest feature up to which a feature counts as zero. The Fourier transform leaves
// rounding errors of that size.
const dust = 1e-6

// NewRow returns the Row of a full row of features.
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

// FilledColumns returns the first Columns columns that are not zero in all rows. If varied is set, it returns only
// columns with more than one value.
func FilledColumns(rows []Row, varied bool) []int {
	end := math.MaxInt // end of the columns whose cells are kept in every row
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

// IsConstant reports whether a column has the same value in all rows, up to rounding. The column must be one of the
// first, or one whose cells are kept.
func IsConstant(rows []Row, column int) bool {
	low, high, largest := rows[0].At(column), rows[0].At(column), float32(0)
	for _, row := range rows {
		x := row.At(column)
		low, high, largest = min(low, x), max(high, x), max(largest, row.Largest)
	}
	return high-low <= dust*largest
}

// At returns the feature in a column, which must be one of the first or one whose cells are kept.
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

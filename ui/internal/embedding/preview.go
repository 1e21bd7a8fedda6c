package embedding

import (
	"math"
	"slices"
)

// previewRows and PreviewColumns are what the page shows of the features.
const (
	previewRows    = 6
	PreviewColumns = 8
)

// A PreviewRow is what the page may show of a row of features.
type PreviewRow struct {
	Label   string
	First   []float32 // the first PreviewColumns features
	Filled  []Cell    // the first PreviewColumns of those that are not zero
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

func newPreviewRow(label string, features []float32) PreviewRow {
	row := PreviewRow{Label: label, First: slices.Clone(features[:min(len(features), PreviewColumns)])}
	for _, v := range features {
		row.Largest = max(row.Largest, v, -v)
	}
	for column, v := range features {
		if max(v, -v) <= dust*row.Largest {
			continue
		}
		row.NFilled++
		if len(row.Filled) < PreviewColumns {
			row.Filled = append(row.Filled, Cell{column, v})
		}
	}
	return row
}

// FilledColumns returns the first PreviewColumns columns that are not zero in
// all of the rows.
func FilledColumns(rows []PreviewRow) []int {
	var columns []int
	for next := 0; len(columns) < PreviewColumns; {
		least := math.MaxInt
		for _, row := range rows {
			for _, cell := range row.Filled {
				if cell.Column >= next {
					least = min(least, cell.Column)
				}
			}
		}
		if least == math.MaxInt {
			break
		}
		columns, next = append(columns, least), least+1
	}
	return columns
}

// At returns the feature of one of the first columns or of the FilledColumns.
func (r *PreviewRow) At(column int) float32 {
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

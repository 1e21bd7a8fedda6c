package embed

import (
	"slices"
	"testing"
)

// TestFilledColumns: rounding dust counts as zero.
func TestFilledColumns(t *testing.T) {
	sparse := func(cells map[int]float32) Row {
		features := make([]float32, 100)
		for column, value := range cells {
			features[column] = value
		}
		return NewRow("", features)
	}
	rows := []Row{
		sparse(map[int]float32{3: 1e-9, 40: -2, 50: 1}),
		sparse(map[int]float32{30: .5, 50: 3, 51: 1, 52: 1, 53: 1, 54: 1, 55: 1, 56: 1, 57: 1, 58: 1}),
		sparse(nil),
	}
	if got, want := FilledColumns(rows, false), []int{30, 40, 50, 51, 52, 53, 54, 55}; !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	for i, want := range []int{2, 10, 0} {
		if rows[i].NFilled != want {
			t.Errorf("row %d: %d features are not zero, want %d", i, rows[i].NFilled, want)
		}
	}
	if rows[0].At(40) != -2 || rows[1].At(40) != 0 || rows[1].At(50) != 3 || rows[0].Largest != 2 {
		t.Errorf("rows %+v", rows)
	}
	if got := FilledColumns(rows[2:], false); len(got) != 0 {
		t.Errorf("of a row of zeros: %v", got)
	}
}

// TestVariedColumns: columns of one value are passed over, except for rounding, and no
// column is shown whose cells are not kept.
func TestVariedColumns(t *testing.T) {
	var rows []Row
	for row := range 3 {
		features := make([]float32, 200)
		for column := range features {
			features[column] = 2
			if column%10 == 5 {
				features[column] += float32(row)
			}
		}
		features[0] += 1e-6 * float32(row)
		rows = append(rows, NewRow("", features))
	}
	if got, want := FilledColumns(rows, true), []int{5, 15, 25, 35, 45, 55}; !slices.Equal(got, want) {
		t.Errorf("columns %v, want %v", got, want)
	}
	if !IsConstant(rows, 0) || IsConstant(rows, 5) || rows[2].At(55) != 4 {
		t.Errorf("columns 0 and 5 of %+v", rows)
	}
	if got := FilledColumns(rows[:1], true); len(got) != 0 {
		t.Errorf("of one row: %v", got)
	}
}

//go:build !js

package page

import (
	"encoding/csv"
	"strconv"
	"strings"
)

// smallCSV has a text label, a column to keep, an empty cell, a text among
// numbers and a short row.
const smallCSV = `name,height,width,depth,weight,species
a1,5.1,3.5,1.4,0.2,red
a2,4.9,3,1.4,0.2,red
a3,4.7,3.2,1.3,0.2,red
"a4, the fourth",4.6,3.1,1.5,0.2,red
a5,5,,1.4,0.2,red
b1,7,3.2,4.7,1.4,blue
b2,6.4,3.2,4.5,1.5,blue
b3,6.9,wide,4.9,1.5,blue
b4,5.5,2.3,4,1.3,blue
b5,6.5,2.8,4.6,1.5
b6,5.7,2.8,4.5,1.3,blue
b7,6.3,3.3,4.7,1.6,blue
`

// cellsOf returns some columns of the rows of smallCSV that can be used.
func cellsOf(columns ...int) (rows [][]string) {
	all := csv.NewReader(strings.NewReader(smallCSV))
	all.FieldsPerRecord = -1
	lines, _ := all.ReadAll()
	for _, i := range []int{1, 2, 3, 4, 6, 7, 9, 11, 12} {
		var row []string
		for _, column := range columns {
			row = append(row, lines[i][column])
		}
		rows = append(rows, row)
	}
	return rows
}

// vectorsOf returns them as numbers, scaled to length 1 or not.
func vectorsOf(scale bool, columns ...int) (X [][]float32) {
	for _, row := range cellsOf(columns...) {
		x := make([]float32, len(row))
		for i, cell := range row {
			value, _ := strconv.ParseFloat(cell, 32)
			x[i] = float32(value)
		}
		if scale {
			unit(x)
		}
		X = append(X, x)
	}
	return X
}

// largeCSV has that many rows of 64 numbers without a pattern, and a label.
func largeCSV(rows int) string {
	var b strings.Builder
	for j := range 64 {
		b.WriteString("p" + strconv.Itoa(j) + ",")
	}
	b.WriteString("label\n")
	state := uint32(1)
	for range rows {
		for range 64 {
			state = state*1664525 + 1013904223
			b.WriteString(strconv.Itoa(int(state>>28)) + ",")
		}
		b.WriteString(strconv.Itoa(int(state>>16)%10) + "\n")
	}
	return b.String()
}

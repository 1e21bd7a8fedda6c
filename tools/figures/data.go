package main

import (
	"bufio"
	"fmt"
	"slices"

	"tensorsketch.example/tools/internal/lab"
)

const a9aRows, a9aFeatures = 32561, 123

// readA9A returns n rows of Adult, spread evenly over the file.
func readA9A(n int) ([][]float32, error) {
	r, err := lab.Open("a9a.libsvm.gz")
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var rows [][]float32
	lines := bufio.NewScanner(r)
	for k := 0; len(rows) < n && lines.Scan(); k++ {
		if k != len(rows)*a9aRows/n {
			continue
		}
		columns, values, err := lab.ParseLIBSVM(lines.Text(), a9aFeatures)
		if err != nil {
			return nil, fmt.Errorf("a9a.libsvm.gz, line %d: %w", k+1, err)
		}
		row := make([]float32, a9aFeatures)
		for i, column := range columns {
			row[column] = values[i]
		}
		rows = append(rows, row)
	}
	if lines.Err() == nil && len(rows) < n {
		return nil, fmt.Errorf("a9a.libsvm.gz holds fewer than %d rows", a9aRows)
	}
	return rows, lines.Err()
}

// unit returns the rows divided by their lengths; none may be zero.
func unit(rows [][]float32) [][]float32 {
	units := make([][]float32, len(rows))
	for i, row := range rows {
		units[i] = slices.Clone(row)
		lab.Unit(units[i])
	}
	return units
}

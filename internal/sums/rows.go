// Package sums has what sums of features of many rows need: blocks of rows, errors that name the row, and whether two
// maps give features that can be added up.
package sums

import (
	"slices"

	"tensorsketch.example/sketch"
)

// Parts returns the number of rows of X with d columns, and a function that slices them. ok reports
// whether X is well-formed so far; TransformRows returns the error of one that is not.
func Parts(X sketch.Rows, d int) (n int, part func(from, to int) sketch.Rows, ok bool) {
	switch X := X.(type) {
	case sketch.Dense:
		return len(X) / d, func(from, to int) sketch.Rows { return X[from*d : to*d] }, len(X)%d == 0
	case sketch.CSR:
		if len(X.Indptr) == 0 || X.Indptr[0] != 0 || !slices.IsSorted(X.Indptr) ||
			int(X.Indptr[len(X.Indptr)-1]) != len(X.Indices) || len(X.Indices) != len(X.Data) {
			return 0, nil, false
		}
		return len(X.Indptr) - 1, func(from, to int) sketch.Rows { return X.Slice(from, to) }, true
	}
	return 0, nil, false
}

// AtRow returns the error of a block of rows that begins with row from, as an error of all rows.
func AtRow(err error, from int) error {
	e, ok := err.(*sketch.Error)
	if !ok {
		return err
	}
	at := *e
	at.RowsDone = -1
	if at.Row >= 0 {
		at.Row += from
	}
	return &at
}

package metrics

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/solve"
	"tensorsketch.example/sketch"
)

// An Importance says what a column is worth to a model: by how much the accuracy falls, or R² of numbers, where the
// column's values are exchanged between rows. StdError is its standard error over the rows.
type Importance struct{ Drop, StdError float64 }

// Repeats is how often the values of a column are exchanged.
const Repeats = 5

// Importances is Importances for a model elsewhere: it exchanges the values of each column of rows of d
// numbers in turn, and lossesOf returns a loss of each row.
func Importances(X sketch.Dense, d int, columns [][]int,
	lossesOf func(sketch.Dense) ([]float64, error)) ([]Importance, error) {
	n := len(X) / max(1, d)
	if n < 2 || len(X) != n*d {
		return nil, solve.WrongRows(X, d)
	}
	if columns == nil {
		for j := range d {
			columns = append(columns, []int{j})
		}
	}
	before, err := lossesOf(X)
	if err != nil {
		return nil, err
	}
	all := make([]Importance, len(columns))
	changed, below := slices.Clone(X), minimalStandard()
	order := make([]int, n)
	for c, column := range columns {
		worse := make([]float64, n)
		for range Repeats {
			for i := range order { // Fisher and Yates
				j := below(i + 1)
				order[i] = order[j]
				order[j] = i
			}
			for i, from := range order {
				for _, j := range column {
					if j < 0 || j >= d {
						return nil, sketch.ErrParam.New("columns", strconv.Itoa(j), "have coordinates from 0 to "+strconv.Itoa(d-1))
					}
					changed[i*d+j] = X[from*d+j]
				}
			}
			after, err := lossesOf(changed)
			if err != nil {
				return nil, err
			}
			for i, loss := range after {
				worse[i] += (loss - before[i]) / Repeats
			}
		}
		for i := range n {
			for _, j := range column {
				changed[i*d+j] = X[i*d+j]
			}
		}
		all[c] = importanceOf(worse)
	}
	return all, nil
}

// minimalStandard returns a function that draws from 0 to n − 1, n ≤ 2^22: the generator of Park and Miller with the
// factor 48,271 (CACM 36, 1993). importance.js of the JavaScript API draws the same numbers, where importances have the
// same bits: it cannot ask the core for them.
func minimalStandard() func(n int) int {
	const modulus = 1<<31 - 1
	state := uint64(1)
	return func(n int) int {
		state = state * 48271 % modulus
		return int(state * uint64(n) / modulus)
	}
}

// importanceOf returns the mean of numbers, with its standard error.
func importanceOf(worse []float64) (i Importance) {
	n := float64(len(worse))
	for _, w := range worse {
		i.Drop += w / n
	}
	square := 0.0
	for _, w := range worse {
		square += float64((w - i.Drop) * (w - i.Drop))
	}
	i.StdError = math.Sqrt(square / (n * (n - 1)))
	return i
}

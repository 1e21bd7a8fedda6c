package main

import (
	"fmt"
	"strings"

	"tensorsketch.example/internal/solve"
)

// words returns the 64-bit words of a part of moments of D features, as a file has them: rows, cuts and products of
// features; then for K classes their rows and sums, or for T targets the sums of features, targets, their products, and
// products of both.
func words(D, K, T int) int {
	n := 2 + D*(D+1)/2
	if K > 0 {
		return n + K + K*D
	}
	return n + D + T + T*(T+1)/2 + T*D
}

// partsOf returns the parts that are kept for so many folds.
func partsOf(folds int) int { return map[int]int{0: 1, 1: 2, 5: 5}[folds] }

// sumsBytes returns the bytes of the words of a learner of D features and d columns, without its JSON and kept rows.
func sumsBytes(D, d, K, T, folds int) float64 {
	n := words(D, K, T)
	if d > 0 {
		n += words(d, K, T)
	}
	return 8 * float64(partsOf(folds)*n)
}

// bytesTable returns the megabytes of sums by D and folds.
func bytesTable() string {
	t := new(strings.Builder)
	t.WriteString("| D | folds 0 | folds 1 | folds 5 | 100 classes, folds 5 |\n|---|---|---|---|---|\n")
	for _, D := range []int{256, 1024, 4096} {
		fmt.Fprintf(t, "| %s |", thousands(D))
		for _, folds := range []int{0, 1, 5} {
			fmt.Fprintf(t, " %.1f |", sumsBytes(D, 64, 10, 0, folds)/1e6)
		}
		fmt.Fprintf(t, " %.1f |\n", sumsBytes(D, 64, 100, 0, 5)/1e6)
	}
	return t.String()
}

// limitsTable returns how many rows fit, by what is summed. A sum of n terms of at most 2^b each fits a signed word if
// n ≤ 2^(63−b) − 1.
func limitsTable() string {
	t := new(strings.Builder)
	t.WriteString("| what is summed | largest term | rows |\n|---|---|---|\n")
	for _, l := range []struct {
		what string
		bits int
		rows int64
	}{
		{"q², classes on the grid of 2^12", 24, solve.MaxRows},
		{"q², on the grid of 16 bits", 30, solve.MaxRows16},
		{"t·q, targets on the grid of 16 bits", 34, 1<<29 - 1},
		{"t², targets", 38, solve.MaxRowsOfTargets},
	} {
		fmt.Fprintf(t, "| %s | 2^%d | %s |\n", l.what, l.bits, thousands(int(l.rows)))
	}
	return t.String()
}

func thousands(n int) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s,%03d", thousands(n/1000), n%1000)
}

//go:build !tinycore

package sketch

import "slices"

func sortNumbers(values []float64) { slices.Sort(values) }

func sortFunc[T any](values []T, order func(a, b T) int) { slices.SortFunc(values, order) }

//go:build !tinycore

package order

import "slices"

// Func sorts values. The order must be total.
func Func[T any](values []T, order func(a, b T) int) { slices.SortFunc(values, order) }

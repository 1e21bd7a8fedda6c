// Package order sorts, with little code in the core that TinyGo compiles.
package order

import "slices"

// Numbers sorts values. It is the same sort in all builds: it treats −0 and 0 as equal, so another
// sort could give another median.
func Numbers(values []float64) { slices.Sort(values) }

// Median sorts the values and returns their median, for an even number of values the mean of the
// middle two.
func Median(values []float64) float64 {
	Numbers(values)
	middle := len(values) / 2
	if len(values)%2 == 1 {
		return values[middle]
	}
	return (values[middle-1] + values[middle]) / 2
}

//go:build !tinycore || host

package portable

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber formats a number for error messages as JavaScript does: the shortest text that reads
// back as the same number, with an exponent only if it is very large or very small.
func FormatNumber(x float64) string {
	if math.IsInf(x, 0) {
		return strings.Repeat("-", int(math.Float64bits(x)>>63)) + "Infinity"
	}
	if size := math.Abs(x); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strings.Replace(strconv.FormatFloat(x, 'g', -1, 64), "e-0", "e-", 1)
}

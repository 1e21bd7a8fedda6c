// Package border reads numbers from JavaScript and JSON.
package border

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Integer converts a float64 to an integer from 1 to most. For any other value it returns a
// *sketch.Error that names the argument.
func Integer(argument string, value float64, most int) (int, error) {
	if !(value >= 1 && value <= float64(most)) || value != math.Trunc(value) {
		return 0, sketch.ErrParam.New(argument, portable.FormatNumber(value), "be an integer from 1 to "+strconv.Itoa(most))
	}
	return int(value), nil
}

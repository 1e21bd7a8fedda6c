// Package border reads the numbers that JavaScript and JSON give.
package border

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Integer returns a number given as float64 if it is an integer from 1 to most;
// otherwise the *sketch.Error names the argument.
func Integer(argument string, value float64, most int) (int, error) {
	if !(value >= 1 && value <= float64(most)) || value != math.Trunc(value) {
		return 0, sketch.ErrParam.New(argument, portable.FormatNumber(value), "be an integer from 1 to "+strconv.Itoa(most))
	}
	return int(value), nil
}

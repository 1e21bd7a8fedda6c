package privacy

import (
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// checkRange returns an error for a number outside [low, high] or NaN.
func checkRange(argument string, x, low, high float64) error {
	if x >= low && x <= high {
		return nil
	}
	return sketch.ErrParam.New(argument, format(x), "be a number from "+format(low)+" to "+format(high))
}

func checkInteger(argument string, n, low, high int) error {
	if n >= low && n <= high {
		return nil
	}
	return sketch.ErrParam.New(argument, strconv.Itoa(n),
		"be an integer from "+strconv.Itoa(low)+" to "+strconv.Itoa(high))
}

// checkRows returns an error unless rows holds whole rows of finite numbers.
func checkRows(argument string, rows []float32, width int) error {
	if width < 1 || len(rows)%width != 0 {
		return sketch.ErrShape.New(argument, strconv.Itoa(len(rows))+" numbers",
			"hold whole rows of "+strconv.Itoa(width)+" numbers")
	}
	for i, v := range rows {
		if v-v != 0 {
			err := sketch.ErrNonFinite.New(argument, format(float64(v)), "be a finite number")
			err.Row, err.Column = i/width, i%width
			return err
		}
	}
	return nil
}

// destination returns dst, or a new slice if it is nil, or an error about its length.
func destination(dst []float32, length int) ([]float32, error) {
	if dst == nil {
		return make([]float32, length), nil
	}
	if len(dst) != length {
		return nil, sketch.ErrShape.New("dst", strconv.Itoa(len(dst))+" numbers",
			"have "+strconv.Itoa(length)+" numbers")
	}
	return dst, nil
}

func format(x float64) string { return portable.FormatNumber(x) }

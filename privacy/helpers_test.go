package privacy

import (
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"tensorsketch.example/sketch"
	"tensorsketch.example/test/need"
)

// fixedBytes is the only reader of reproducible bytes: tests must not flake.
func fixedBytes(seed uint64) *rand.ChaCha8 {
	var key [32]byte
	binary.LittleEndian.PutUint64(key[:], seed)
	return rand.NewChaCha8(key)
}

func fixedNoise(seed uint64) *Noise { return NewNoise(fixedBytes(seed)) }

func near(got, want, tolerance float64) bool { return math.Abs(got-want) <= tolerance }

// upperTail is P(Z > x) by the standard library, the oracle of normalTail.
func upperTail(x float64) float64 { return math.Erfc(x/math.Sqrt2) / 2 }

// checkVariance fails where the mean square of errors, of mean zero, is not
// variance, by STYLE's tolerance from the measured kurtosis.
func checkVariance(t *testing.T, name string, errors []float64, variance float64) {
	t.Helper()
	mean, second, fourth := 0.0, 0.0, 0.0
	n := float64(len(errors))
	for _, e := range errors {
		mean += e / n
		second += e * e / n
		fourth += e * e * e * e / n
	}
	if limit := 4 * math.Sqrt(second/n); math.Abs(mean) > limit {
		t.Errorf("%s: mean error %g, want 0 within %g", name, mean, limit)
	}
	tolerance := 4 * math.Sqrt((fourth/(second*second)-1)/n)
	if ratio := second / variance; !near(ratio, 1, tolerance) {
		t.Errorf("%s: variance %g, want %g (ratio %g, tolerance %g)", name, second, variance, ratio, tolerance)
	}
}

// checkError fails unless err is an error of package sketch that names the argument.
func checkError(t *testing.T, err error, argument string) {
	t.Helper()
	var e *sketch.Error
	if !errors.As(err, &e) || e.Argument != argument || e.Want == "" {
		t.Errorf("error %v, want one that names %s", err, argument)
	}
}

func parse(t *testing.T, number string) float64 {
	t.Helper()
	x := need.Value(strconv.ParseFloat(number, 64))(t)
	return x
}

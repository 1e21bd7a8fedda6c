package embed

import (
	"math"

	"tensorsketch.example/ui/internal/format"
)

// A ReleaseMeter holds what privacyMeter says about a release before it is made.
type ReleaseMeter struct {
	IsMean         bool // one mean of Rows; else each row
	Rows           int
	NComponents    int
	Epsilon, Delta float64
	Signal         float64 // the maximum norm of the features
	Noise          float64 // the norm of the noise, root mean square
	LeastNoise     float64 // the same norm for continuous Gaussian noise
}

// Limits of Noise/Signal: from drowned on only noise remains, and below coarse the noise hardly matters.
const (
	drowned = 1
	coarse  = 0.1
)

// Meter says how much of the signal remains.
func (r *ReleaseMeter) Meter() string {
	what := "One vector of " + format.Plural(r.NComponents, "feature") + " released at ε = " + format.Short(r.Epsilon)
	if r.IsMean {
		what = "The mean of " + format.Plural(r.Rows, "row") + " released once as an aggregate at ε = " +
			format.Short(r.Epsilon)
	}
	figures := "signal " + format.Number(r.Signal, 3) + ", noise " + format.Number(r.Noise, 3)
	switch ratio := r.Noise / r.Signal; {
	case ratio >= drowned && r.IsMean:
		return what + " is noise (" + figures + "): it takes more rows, fewer components or a larger ε."
	case ratio >= drowned:
		return what + " is noise (" + figures + "): it is of use only where many rows are averaged afterwards."
	case ratio >= coarse:
		return what + " is coarse (" + figures + ")."
	}
	return what + " carries noise " + format.Number(r.Noise, 2) + " beside a signal of " + format.Number(r.Signal, 3) + "."
}

// Promise says what ε and δ mean.
func (r *ReleaseMeter) Promise() string {
	factor := math.Exp(r.Epsilon)
	unit := math.Pow(10, math.Floor(math.Log10(factor))-1) // the place value of the second digit
	text := "No odds about a row change by more than a factor of " + format.Number(math.Round(factor/unit)*unit, 2) +
		", except with probability " + format.Short(r.Delta)
	if r.Epsilon > 8 {
		return text + ": a promise in name only."
	}
	return text + "."
}

// LeastNote says how little Gaussian noise would be possible.
func (r *ReleaseMeter) LeastNote() string {
	return "No Gaussian noise keeps this promise with less than " + format.Number(r.LeastNoise, 3) +
		"; the rest is the price of noise that a computer can draw exactly."
}

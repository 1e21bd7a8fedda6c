//go:build js && wasm

package main

import (
	"errors"
	"math"
	"unsafe"

	"tensorsketch.example/internal/border"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch"
)

// hostBytes reads the host's random bytes.
type hostBytes struct{}

var errNoRandom = errors.New("no random bytes from the platform's crypto.getRandomValues")

func (hostBytes) Read(p []byte) (int, error) {
	if hostRandom(unsafe.Pointer(unsafe.SliceData(p)), uint32(len(p))) == 0 {
		return 0, errNoRandom
	}
	return len(p), nil
}

var noise = privacy.NewNoise(hostBytes{})

// current is the mechanism used last. Calibrating one takes as long as the noise of a thousand
// numbers.
var current *privacy.Mechanism

func mechanismOf(epsilon, delta, bound float64) (*privacy.Mechanism, error) {
	if m := current; m != nil && m.Epsilon() == epsilon && m.Delta() == delta && m.Bound() == bound {
		return m, nil
	}
	m, err := privacy.NewMechanism(epsilon, delta, bound)
	if err == nil {
		current = m
	}
	return m, err
}

// privateBound writes C, the norm to which features of rows within the radius are clipped. A NaN
// radius was not given.
//
//go:wasmexport ts_private_bound
func privateBound(handle uint32, radius float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookup(handle)
	if s != statusOK {
		return s
	}
	bound, err := privacy.MapBound(*paramsOf(m), radius)
	return answer(out, err, bound)
}

// mechanism writes the σ of the noise in each component of a released row, and for comparison the σ
// of continuous Gaussian noise, the smallest possible.
//
//go:wasmexport ts_mechanism
func mechanism(epsilon, delta, bound float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, err := mechanismOf(epsilon, delta, bound)
	if err != nil {
		return failWith(err)
	}
	analytic, err := privacy.AnalyticSigma(epsilon, delta)
	return answer(out, err, m.Sigma(), 2*bound*analytic)
}

// ledger writes the ε spent and the ε left of a budget after releases that spent ρ, both at the
// budget's δ.
//
//go:wasmexport ts_ledger
func ledger(epsilon, delta, spent float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	l, err := privacy.ResumeLedger(epsilon, delta, spent, 0)
	if err != nil {
		return failWith(err)
	}
	return answer(out, nil, l.Spent(), l.Left())
}

// charge writes the ρ spent after one more release, or fails if the budget does not allow it. A NaN bound is for
// moments.
//
//go:wasmexport ts_charge
func charge(budgetEpsilon, budgetDelta, spent float64, releases uint32, epsilon, delta, bound float64,
	out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	l, err := privacy.ResumeLedger(budgetEpsilon, budgetDelta, spent, int(releases))
	if err != nil {
		return failWith(err)
	}
	if bound != bound {
		err = l.ChargeMost(epsilon, delta)
		return answer(out, err, l.SpentRho())
	}
	m, err := mechanismOf(epsilon, delta, bound)
	if err == nil {
		err = l.Charge(m)
	}
	return answer(out, err, l.SpentRho())
}

// privatize adds noise to rows of n features in place. After an error the rows must be discarded.
//
//go:wasmexport ts_privatize
func privatize(epsilon, delta, bound float64, z, rows, n uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	Z, ok := matrix(z, rows, int(n))
	if !ok || n == 0 {
		return failPointer("z")
	}
	m, err := mechanismOf(epsilon, delta, bound)
	if err != nil {
		return failWith(err)
	}
	return withWork(8*int64(n), lowerComponents, func() error {
		_, err := m.ReleaseRows(Z, Z, int(n), noise)
		return err
	})
}

// addToMean clips rows of n features to the mechanism's grid and adds them to n int64 sums. total
// is the public number of rows; added rows are in the sums already.
//
//go:wasmexport ts_mean_add
func addToMean(epsilon, delta, bound float64, sums, n uint32, total, added float64, z, rows uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	Z, ok := matrix(z, rows, int(n))
	if !ok {
		return failPointer("z")
	}
	return withMean(epsilon, delta, bound, sums, n, total, added, func(mean *privacy.Mean) error { return mean.Add(Z) })
}

// releaseMean writes the mean of the rows with noise, n float32.
//
//go:wasmexport ts_mean_release
func releaseMean(epsilon, delta, bound float64, sums, n uint32, total, added float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	dst, ok := view[float32](out, uint64(n))
	if !ok {
		return failPointer("out")
	}
	return withMean(epsilon, delta, bound, sums, n, total, added, func(mean *privacy.Mean) error {
		_, err := mean.Release(dst, noise)
		return err
	})
}

// withMean calls use with a Mean over the sums.
func withMean(epsilon, delta, bound float64, sums, n uint32, total, added float64,
	use func(*privacy.Mean) error) status {
	sum, ok := view[int64](sums, uint64(n))
	if !ok || n == 0 {
		return failPointer("sums")
	}
	m, err := mechanismOf(epsilon, delta, bound)
	if err != nil {
		return failWith(err)
	}
	rows, err := border.Integer("rows", total, math.MaxInt32)
	if err != nil {
		return failWith(err)
	}
	return withWork(8*int64(n), lowerComponents, func() error {
		mean, err := privacy.ResumeMean(m, sum, rows, int(added))
		if err != nil {
			return err
		}
		return use(mean)
	})
}

// tradeoff writes n and three standard deviations of the estimate of κ(x,y) from noisy rows of n
// numbers: from the sketch, from the noise, and from both. If n is 0, it writes the best n, or NaN
// if that is not known.
//
//go:wasmexport ts_tradeoff
func tradeoff(handle, x, y uint32, sigmaX, sigmaY, n float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 4)
	if s != statusOK {
		return s
	}
	repeats := float64(paramsOf(m).Repeats)
	variance := func(n int) float64 { return m.Variance(X, Y, float64(n)/repeats) }
	p := privacy.Pair{NormX: m.Kernel(X, X), NormY: m.Kernel(Y, Y), SigmaX: sigmaX, SigmaY: sigmaY}
	if n == 0 {
		n = float64(p.BestComponents(sketch.MaxComponents, variance))
		if v := variance(int(n)); v != v {
			results[0], results[1], results[2], results[3] = v, v, v, v
			return statusOK
		}
	}
	components, err := border.Integer("nComponents", n, sketch.MaxComponents)
	if err == nil {
		t := p.At(components, variance(components))
		results[0], results[1], results[2], results[3] = n, t.Sketch, t.Noise, t.Both
	}
	return failWith(err)
}

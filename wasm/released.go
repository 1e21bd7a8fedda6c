//go:build js && wasm

package main

import (
	"math"

	"tensorsketch.example/internal/border"
	"tensorsketch.example/internal/solve"
	"tensorsketch.example/privacy"
	"tensorsketch.example/sketch/learn"
)

// momentsMechanism returns the mechanism for a release of Moments like these, of the public number of rows.
func momentsMechanism(m *learn.Moments, epsilon, delta, rows float64) (*privacy.MomentsMechanism, error) {
	n, err := border.Integer("rows", rows, math.MaxInt32)
	if err != nil {
		return nil, err
	}
	return privacy.NewMomentsMechanism(epsilon, delta, m.Shape(), m.Grid(), int64(n))
}

// releaseMoments writes the sums of all parts of Moments with noise, n int64: the words of one part after rows and
// clipped features, each times its factor. If out is 0, it writes the σ of the noise in a sum of squares of a feature
// instead, in units of the features squared, and releases nothing.
//
//go:wasmexport ts_moments_release
func releaseMoments(handle uint32, epsilon, delta, rows float64, out, n, sigma uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return s
	}
	mechanism, err := momentsMechanism(m, epsilon, delta, rows)
	if err != nil {
		return failWith(err)
	}
	if out == 0 {
		return answer(sigma, nil, mechanism.Sigma())
	}
	dst, ok := view[int64](out, uint64(n))
	if !ok || len(dst) != m.WordsPerPart()-2 {
		return failPointer("the words")
	}
	return withWork(8*int64(m.WordsPerPart()), lowerMoments, func() error {
		released, err := mechanism.Release(m, noise)
		if err == nil {
			copy(dst, released.Words())
		}
		return err
	})
}

// A releasedFit is a fit to released moments.
type releasedFit struct {
	mechanism *privacy.MomentsMechanism
	ridge     *solve.Ridge
	head      *learn.Head
}

func (f *releasedFit) step() (done float64, finished bool, err error) {
	done, finished, err = f.ridge.Step()
	if finished {
		f.head = f.mechanism.Head(f.ridge)
	}
	return done, finished, err
}

// newReleasedFit returns the handle of a fit to n words that ts_moments_release wrote, for ts_ridge_step, or 0. The
// Moments of the first handle only say the shape and the grid, and may be of no rows.
//
//go:wasmexport ts_released_fit
func newReleasedFit(handle uint32, epsilon, delta, rows float64, words, n uint32) (made uint32) {
	var s status
	if recovers {
		defer recovered(&s)
	}
	m, s := lookupMoments(handle)
	if s != statusOK {
		return 0
	}
	from, ok := view[int64](words, uint64(n))
	if !ok {
		failPointer("the words")
		return 0
	}
	return createWork(fitBytes(m), lowerMoments, func() (made slot, err error) {
		mechanism, err := momentsMechanism(m, epsilon, delta, rows)
		if err != nil {
			return made, err
		}
		released, err := mechanism.Resume(from)
		if err != nil {
			return made, err
		}
		ridge, err := released.NewFit() // which copies the words
		made.released = &releasedFit{mechanism: mechanism, ridge: ridge}
		return made, err
	})
}

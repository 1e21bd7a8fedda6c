//go:build js && wasm

package main

import (
	"tensorsketch.example/internal/border"
	"tensorsketch.example/sketch"
)

// pair returns the map of a handle, its vectors x and y, and room for n results, all float64. A
// vector has d numbers; for products of unlike vectors d is the sum over the degrees.
func pair(handle, x, y, out uint32, n uint64) (m *sketch.FeatureMap, X, Y, results []float64, s status) {
	m, s = lookup(handle)
	if s != statusOK {
		return
	}
	var a, b, c bool
	X, a = view[float64](x, uint64(m.NFeatures()))
	Y, b = view[float64](y, uint64(m.NFeatures()))
	results, c = view[float64](out, n)
	if !a || !b || !c {
		s = failPointer("x, y or out")
	}
	return
}

// kernel writes κ(x,y).
//
//go:wasmexport ts_kernel
func kernel(handle, x, y, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 1)
	if s == statusOK {
		results[0] = m.Kernel(X, Y)
	}
	return s
}

// stdError writes σ of the estimate and its sketch.Kind.
//
//go:wasmexport ts_std_error
func stdError(handle, x, y, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 2)
	if s == statusOK {
		sigma, kind := m.StdError(X, Y)
		results[0], results[1] = sigma, float64(kind)
	}
	return s
}

// choose writes the guaranteed and the typical D, each NaN if it does not exist.
//
//go:wasmexport ts_choose
func choose(handle, x, y uint32, epsilon, delta float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 2)
	if s != statusOK {
		return s
	}
	guaranteed, typical, err := m.ChooseComponents(X, Y, epsilon, delta)
	results[0], results[1] = guaranteed, typical
	return failWith(err)
}

// bias writes the mean of the estimate minus the kernel, or NaN if it is not known.
//
//go:wasmexport ts_bias
func bias(handle, x, y, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 1)
	if s == statusOK {
		results[0] = m.Bias(X, Y)
	}
	return s
}

// miss writes the bounds on the probability that an estimate misses the kernel by epsilon or more:
// Chebyshev's and Hoeffding's for the mean of the repeats, and one for their median. A bound is NaN
// if it is not known.
//
//go:wasmexport ts_miss
func miss(handle, x, y uint32, epsilon float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	m, X, Y, results, s := pair(handle, x, y, out, 3)
	if s != statusOK {
		return s
	}
	var err error
	results[0], results[1], results[2], err = m.MissProbability(X, Y, epsilon)
	return failWith(err)
}

// dimension writes the number of components that a whole subspace of k dimensions needs, or with
// k = 0 a product of two matrices.
//
//go:wasmexport ts_dimension
func dimension(k, degree, epsilon, delta float64, out uint32) (s status) {
	if recovers {
		defer recovered(&s)
	}
	p, err := border.Integer("degree", degree, sketch.MaxDegree)
	if err != nil {
		return failWith(err)
	}
	if k == 0 {
		k = 1 // a product needs as many as k = 1
	}
	dimensions, err := border.Integer("k", k, sketch.MaxFeatures)
	if err != nil {
		return failWith(err)
	}
	components, err := sketch.Params{Degree: p}.SubspaceDimension(dimensions, epsilon, delta)
	return answer(out, err, components)
}

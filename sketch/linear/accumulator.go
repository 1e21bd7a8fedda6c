package linear

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// An Accumulator adds up the features of rows under one map. It remembers the map and how the rows
// were prepared, and merges only with sums of the same map and preparation. It is not safe for
// concurrent use: use one per goroutine, and merge them.
type Accumulator struct {
	m             *sketch.FeatureMap
	preprocessing string
	sums          *Sums
	features      []float32
}

// NewAccumulator returns an Accumulator without rows. Add uses the map m, which must not be fitted
// again. The preprocessing text is up to the caller. It describes how the rows were made, for
// instance the JSON of the columns with their scaling. It is compared byte by byte; "" is for
// unprocessed rows.
func NewAccumulator(m *sketch.FeatureMap, preprocessing string) *Accumulator {
	return &Accumulator{m: m, preprocessing: preprocessing, sums: NewSums(m.NComponents())}
}

// Map returns the map.
func (a *Accumulator) Map() *sketch.FeatureMap { return a.m }

// Preprocessing returns the text given to NewAccumulator.
func (a *Accumulator) Preprocessing() string { return a.preprocessing }

// Sums returns the sums themselves, not a copy.
func (a *Accumulator) Sums() *Sums { return a.sums }

// Count returns the number of rows added minus the number subtracted.
func (a *Accumulator) Count() int64 { return a.sums.Count() }

// Sum calls Sums.Sum.
func (a *Accumulator) Sum(dst []float64) []float64 { return a.sums.Sum(dst) }

// Mean calls Sums.Mean.
func (a *Accumulator) Mean(dst []float64) ([]float64, error) { return a.sums.Mean(dst) }

// AddFeatures calls Sums.AddFeatures. It adds rows that the map has already transformed.
func (a *Accumulator) AddFeatures(Z, weights []float32) error { return a.sums.AddFeatures(Z, weights) }

// blockBytes is the memory for the features of one block of rows.
const blockBytes = 1 << 20

// Add adds the features of the rows of X, Dense or CSR, each times its weight; nil weights are all
// 1. It takes about a mebibyte of extra memory. If the features of the rows exceed that size, it
// takes the memory of another NewSums too.
//
// It returns the errors of the map's TransformRows and of Sums.AddFeatures. After an error the sums
// are unchanged, whichever row it names. For products of unlike vectors use TransformProduct and
// AddFeatures.
func (a *Accumulator) Add(X sketch.Rows, weights []float32) error {
	n, part, ok := sums.Parts(X, a.m.NFeatures())
	if !ok {
		_, err := a.m.TransformRows(nil, X) // returns the error before it allocates
		return err
	}
	if err := checkLength(weights, n); err != nil {
		return err
	}
	if err := sums.CheckFinite("weights", weights, exact.SpreadOf(weights), 0); err != nil {
		return err
	}
	block := max(64, blockBytes/4/a.m.NComponents())
	if n <= block {
		return a.addPart(a.sums, part, weights, 0, n)
	}
	pending := NewSums(a.m.NComponents())
	for from := 0; from < n; from += block {
		if err := a.addPart(pending, part, weights, from, min(from+block, n)); err != nil {
			return err
		}
	}
	return a.sums.Merge(pending)
}

// addPart transforms the rows from … to−1 and adds their features to the sums.
func (a *Accumulator) addPart(into *Sums, part func(from, to int) sketch.Rows, weights []float32, from, to int) error {
	size := (to - from) * a.m.NComponents()
	a.features = slices.Grow(a.features[:0], size)
	if weights != nil {
		weights = weights[from:to]
	}
	Z, err := a.m.TransformRows(a.features[:size], part(from, to))
	if err != nil {
		return sums.AtRow(err, from)
	}
	return into.AddFeatures(Z, weights)
}

// Merge adds the rows of another accumulator. Its map must be the same or have the same parameters,
// seed and landmarks, and its preprocessing text must be equal.
//
// The error is a *sketch.Error with code ErrParam. It names the first parameter that differs, or
// the argument "rows" beyond MaxRows. After an error the sums are unchanged.
func (a *Accumulator) Merge(other *Accumulator) error { return a.merge(other, false) }

// Subtract removes the rows of another accumulator, exactly. It returns the same errors as Merge.
func (a *Accumulator) Subtract(other *Accumulator) error { return a.merge(other, true) }

func (a *Accumulator) merge(other *Accumulator, takeAway bool) error {
	if err := sums.CheckSame(a.m, other.m); err != nil {
		return err
	}
	if a.preprocessing != other.preprocessing {
		return sums.Differs("preprocessing", strconv.Quote(a.preprocessing), strconv.Quote(other.preprocessing))
	}
	return a.sums.MergeState(other.sums.state, takeAway)
}

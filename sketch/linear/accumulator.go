package linear

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/exact"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// An Accumulator adds up the features of rows under one map. It remembers which map
// that is and how the rows were prepared for it, and merges only with sums of the same.
// It is not safe for concurrent use: add with one to a goroutine, and merge them.
type Accumulator struct {
	m             *sketch.FeatureMap
	preprocessing string
	sums          *Sums
	features      []float32
}

// NewAccumulator returns the sums of no rows under a map, which is used by Add and
// must not be fitted anew. What the preprocessing text says is up to the caller: how
// rows were made of what was there before, for instance the JSON of the columns with
// their scaling. It is compared as it stands; "" is for rows as they come.
func NewAccumulator(m *sketch.FeatureMap, preprocessing string) *Accumulator {
	return &Accumulator{m: m, preprocessing: preprocessing, sums: NewSums(m.NComponents())}
}

// Map returns the map.
func (a *Accumulator) Map() *sketch.FeatureMap { return a.m }

// Preprocessing returns the text given to NewAccumulator.
func (a *Accumulator) Preprocessing() string { return a.preprocessing }

// Sums returns the sums themselves, which go on with the Accumulator.
func (a *Accumulator) Sums() *Sums { return a.sums }

// Count returns the number of rows added less those taken away.
func (a *Accumulator) Count() int64 { return a.sums.Count() }

// Sum is Sums.Sum.
func (a *Accumulator) Sum(dst []float64) []float64 { return a.sums.Sum(dst) }

// Mean is Sums.Mean.
func (a *Accumulator) Mean(dst []float64) ([]float64, error) { return a.sums.Mean(dst) }

// AddFeatures is Sums.AddFeatures: it adds rows that the map has already transformed.
func (a *Accumulator) AddFeatures(Z, weights []float32) error { return a.sums.AddFeatures(Z, weights) }

// blockBytes is the memory for features that are added at a time.
const blockBytes = 1 << 20

// Add adds the features of the rows of X, Dense or CSR, each times its weight; nil
// weights are all 1. It takes about a mebibyte of memory besides, and for more rows
// than features of that size once more that of NewSums.
//
// The errors are those of the map's TransformRows and of Sums.AddFeatures. After one
// the sums are as before, whichever row it names. For products of unlike vectors use
// TransformProduct and AddFeatures.
func (a *Accumulator) Add(X sketch.Rows, weights []float32) error {
	n, part, ok := parts(X, a.m.NFeatures())
	if !ok {
		_, err := a.m.TransformRows(nil, X) // which says what is wrong before it takes memory
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

// addPart transforms the rows from … to − 1 and adds their features to the sums.
func (a *Accumulator) addPart(sums *Sums, part func(from, to int) sketch.Rows, weights []float32, from, to int) error {
	size := (to - from) * a.m.NComponents()
	a.features = slices.Grow(a.features[:0], size)
	if weights != nil {
		weights = weights[from:to]
	}
	Z, err := a.m.TransformRows(a.features[:size], part(from, to))
	if e, ok := err.(*sketch.Error); ok {
		at := *e
		at.RowsDone = -1
		if at.Row >= 0 {
			at.Row += from
		}
		return &at
	}
	if err != nil {
		return err
	}
	return sums.AddFeatures(Z, weights)
}

// parts returns the number of rows and what gives a part of them, if X is well-formed.
func parts(X sketch.Rows, d int) (n int, part func(from, to int) sketch.Rows, ok bool) {
	switch X := X.(type) {
	case sketch.Dense:
		return len(X) / d, func(from, to int) sketch.Rows { return X[from*d : to*d] }, len(X)%d == 0
	case sketch.CSR:
		if len(X.Indptr) == 0 || X.Indptr[0] != 0 || !slices.IsSorted(X.Indptr) ||
			int(X.Indptr[len(X.Indptr)-1]) != len(X.Indices) || len(X.Indices) != len(X.Data) {
			return 0, nil, false
		}
		return len(X.Indptr) - 1, func(from, to int) sketch.Rows { return X.Slice(from, to) }, true
	}
	return 0, nil, false
}

// Merge adds the rows of another accumulator, of the same map or of one with the same
// parameters, seed and landmarks, and of the same preprocessing.
//
// The error is a *sketch.Error with code ErrParam that names the first parameter that
// differs, or the argument "rows" beyond MaxRows; after it the sums are as before.
func (a *Accumulator) Merge(other *Accumulator) error { return a.merge(other, false) }

// Subtract takes the rows of another accumulator away, exactly. The errors are those
// of Merge.
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

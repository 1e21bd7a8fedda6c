package solve

import (
	"math"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// HeldOutRows returns 1 for about a fifth of the rows of X with d columns, and 0 for the others. A row is
// chosen by a hash of its nonzero numbers, so that equal rows are or are not, wherever they stand. Of a clump it
// is every fifth copy. The error is about a malformed X.
func HeldOutRows(X sketch.Rows, d int) ([]uint8, error) {
	hashes, err := RowHashes(X, d)
	if err != nil {
		return nil, err
	}
	return HeldOutOf(hashes), nil
}

// HeldOutOf is HeldOutRows for the hashes of all rows. It changes the hashes of clumps.
func HeldOutOf(hashes []uint64) []uint8 {
	SpreadClumps(hashes)
	held := make([]uint8, len(hashes))
	for i, hash := range hashes {
		if hash%FoldCount == 0 {
			held[i] = 1
		}
	}
	return held
}

// RowHashes returns a hash of the nonzero numbers of each row of X with d columns.
func RowHashes(X sketch.Rows, d int) ([]uint64, error) {
	n, part, ok := sums.Parts(X, d)
	if !ok {
		return nil, sketch.ErrShape.New("X", "", "be whole rows of "+strconv.Itoa(d)+" columns")
	}
	hashes := make([]uint64, n)
	for i := range hashes {
		h := uint64(0)
		add := func(column int, v float32) {
			bits := math.Float32bits(v)
			if v != v { // a missing number has many forms
				bits = 0x7fc00000
			}
			if v != 0 { // in any order
				h += Mixed(uint64(column)<<32 | uint64(bits))
			}
		}
		switch row := part(i, i+1).(type) {
		case sketch.Dense:
			for j, v := range row {
				add(j, v)
			}
		case sketch.CSR:
			for k, j := range row.Indices {
				add(int(j), row.Data[k])
			}
		}
		hashes[i] = Mixed(h)
	}
	return hashes, nil
}

// SampleNumbers is the maximum number of numbers in the rows that a command or a page gives to a search.
const SampleNumbers = 16 << 20

// Bins that count errors of predictions.
const (
	ConformalBins = 1024 // of a Conformal
	OctaveBins    = 32   // from a size to twice that size
)

// SetsOf returns which probabilities of K classes are at least the least one, or the largest of their row.
func SetsOf(p []float64, K int, least float64) []bool {
	sets := make([]bool, len(p))
	for i := 0; i < len(p); i += K {
		own := p[i : i+K]
		for k, v := range own {
			sets[i+k] = v >= least
		}
		sets[i+Largest(own)] = true
	}
	return sets
}

// CheckTargets returns an error for the first target that is not finite.
func CheckTargets(y []float64, K int) error {
	for i, v := range y {
		if v-v != 0 {
			return RowError(sketch.ErrNonFinite, "y", i/K, i%K, portable.FormatNumber(v),
				"be finite: remove or replace NaN and infinite values")
		}
	}
	return nil
}

// WrongRows is the error of rows of d columns that must be as many as their labels.
func WrongRows(X sketch.Dense, d int) error {
	return sketch.ErrShape.New("X", strconv.Itoa(len(X)), "be at least two rows of "+strconv.Itoa(d)+
		" numbers, one for each label")
}

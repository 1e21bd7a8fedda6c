package solve

import (
	"slices"
	"strconv"

	"tensorsketch.example/internal/sums"
	"tensorsketch.example/sketch"
)

// BlockBytes is the memory for the features of one block of rows.
const BlockBytes = 1 << 20

// Accumulate transforms the rows of X, Dense or CSR, by a map and adds their features, block by
// block; the other arguments are as for AddFeatures. Rows with weight 0 are transformed too, so they
// must be finite. It takes about a mebibyte of memory for features.
//
// It returns the errors of the map's TransformRows and of AddFeatures. After an error the moments are
// unchanged, whichever row it names.
func (m *Moments) Accumulate(f *sketch.FeatureMap, X sketch.Rows, classes []int32, targets []float64,
	weights []uint8) error {
	D, K := m.shape.NComponents, m.shape.Targets
	if f.NComponents() != D {
		return sketch.ErrShape.New("nComponents", strconv.Itoa(f.NComponents()), "be "+strconv.Itoa(D)+" as in the moments")
	}
	n, part, ok := sums.Parts(X, f.NFeatures())
	if !ok {
		_, err := f.TransformRows(nil, X)
		return err
	}
	if err := m.shape.checkTargets(n, len(classes), len(targets), len(weights), weights != nil); err != nil {
		return err
	}
	size := max(64, BlockBytes/4/D)
	features, kept := make([]float32, min(n, size)*D), m.kept
	kept.rows = slices.Clip(kept.rows)
	add := func(from int) error {
		to := min(from+size, n)
		Z, err := f.TransformRows(features[:(to-from)*D], part(from, to))
		if err != nil {
			return err
		}
		// A nil slice stays nil.
		return m.AddFeatures(Z, classes[min(from, len(classes)):min(to, len(classes))],
			targets[min(from*K, len(targets)):min(to*K, len(targets))],
			weights[min(from, len(weights)):min(to, len(weights))])
	}
	for from := 0; from < n; from += size {
		if err := add(from); err != nil {
			m.takeBack(func() {
				for again := 0; again < from; again += size {
					if add(again) != nil {
						panic("learn: rows changed while they were added")
					}
				}
			})
			m.kept = kept
			return sums.AtRow(err, from)
		}
	}
	return nil
}

// takeBack removes the rows that add adds. It computes them again, so that a call that adds many rows
// needs no memory for the state before it.
func (m *Moments) takeBack(add func()) {
	rows := m.rows
	m.flushAll()
	m.negate()
	m.rows = 0
	add()
	m.flushAll()
	m.negate()
	m.rows = rows - m.rows
}

func (m *Moments) negate() {
	for i, w := range m.words {
		m.words[i] = -w
	}
}

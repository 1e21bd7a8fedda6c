package learn

import "slices"

// ReadWords copies the words from index from on, as many as dst holds, of what Words returns. It panics if there are
// fewer.
func (m *Moments) ReadWords(dst []int64, from int) {
	m.flushAll()
	copy(dst, m.words[from:from+len(dst)])
}

// Sums returns the words of all rows, as if the moments had one part.
func (m *Moments) Sums() []int64 {
	m.flushAll()
	return slices.Clone(m.sumOf(nil))
}

// WordCount returns the number of words of Moments of a valid shape.
func WordCount(shape Shape, folds int) int64 { return int64(partsOf(folds)) * int64(shape.words()) }

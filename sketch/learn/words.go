package learn

// ReadWords copies the words from index from on, as many as dst holds, of what Words returns. It panics if there are
// fewer.
func (m *Moments) ReadWords(dst []int64, from int) {
	m.flushAll()
	copy(dst, m.words[from:from+len(dst)])
}

// WordCount returns the number of words of Moments of a valid shape.
func WordCount(shape Shape, folds int) int64 { return int64(partsOf(folds)) * int64(shape.words()) }

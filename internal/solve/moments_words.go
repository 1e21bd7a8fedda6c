package solve

import (
	"strconv"

	"tensorsketch.example/sketch"
)

// This file has what the core of the JavaScript API asks of Moments: it keeps their words itself.

// CountedWords returns the number of words of a part with its tally, which follows its first two words.
func (m *Moments) CountedWords() int { return m.shape.words() }

// SetCounted is SetWords for words with tallies.
func (m *Moments) SetCounted(words []int64) error {
	if len(words) != len(m.words) {
		return sketch.ErrShape.New("words", strconv.Itoa(len(words)), "hold "+strconv.Itoa(len(m.words))+" numbers")
	}
	return m.adopt(words)
}

// ReadWords copies the words with tallies from index from on, as many as dst holds. It panics if there are fewer.
func (m *Moments) ReadWords(dst []int64, from int) {
	m.flushAll()
	copy(dst, m.words[from:from+len(dst)])
}

// Clear takes all rows away. It keeps the memory.
func (m *Moments) Clear() {
	m.flushAll()
	clear(m.words)
	m.rows = 0
	m.kept.reset(0)
}

// Sums returns the words of all rows, as if the moments had one part.
func (m *Moments) Sums() []int64 {
	m.flushAll()
	return withoutTally(m.sumOf(nil))
}

// WordCount returns the number of words of Moments of a valid shape.
func WordCount(shape Shape, folds int) int64 {
	return int64(partsOf(folds)) * int64(shape.words()-TallyWords)
}

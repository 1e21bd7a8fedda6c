package solve

import (
	"math/bits"
	"strconv"

	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// Merge adds the rows of other Moments, which must have the same shape, grid and folds.
//
// The error is a *sketch.Error with code ErrParam. It names what differs, or the number of rows.
// After an error the moments are unchanged.
func (m *Moments) Merge(o *Moments) error {
	if err := m.checkSame(o); err != nil {
		return err
	}
	if err := m.checkCount(o.rows); err != nil {
		return err
	}
	m.flushAll()
	o.flushAll()
	known := m.isCounted() && o.isCounted()
	for i, w := range o.words {
		m.words[i] += w
	}
	if !known {
		m.forget()
	}
	m.kept.merge(&o.kept)
	m.rows += o.rows
	return nil
}

// Subtract takes away rows that were added: m.Merge(o) and then m.Subtract(o) restores every bit.
//
// The error is a *sketch.Error with code ErrParam. It names what differs, or says that these rows
// cannot be among the rows of m, as far as the sums show it: a count, a square or lost energy would be
// below 0, or a product larger than its squares allow. Other rows that were not added cannot be told
// from rows that were. After an error the moments are unchanged.
func (m *Moments) Subtract(o *Moments) error {
	if err := m.checkSame(o); err != nil {
		return err
	}
	m.flushAll()
	o.flushAll()
	known, tallies := m.isCounted() && o.isCounted(), m.Tally()
	overflow := int64(0) // its sign is set where a difference leaves 64 bits
	for i, w := range o.words {
		had := m.words[i]
		m.words[i] -= w
		overflow |= (had ^ w) & (had ^ m.words[i])
	}
	if !known {
		m.forget()
	}
	if overflow < 0 || m.shape.check(m.words, m.Parts(), m.limit) != nil || !m.shape.areProducts(m.words, m.Parts()) ||
		!m.kept.subtract(&o.kept) {
		for i, w := range o.words {
			m.words[i] += w // undoes it, also after an overflow
		}
		for p := range m.Parts() {
			copy(m.tally(p), tallies[p*TallyWords:])
		}
		return sketch.ErrParam.New("rows", strconv.FormatInt(o.rows, 10)+" from "+strconv.FormatInt(m.rows, 10),
			"have been added before they are taken away")
	}
	m.rows -= o.rows
	return nil
}

// checkSame returns an error that names the first thing in which other Moments differ.
func (m *Moments) checkSame(o *Moments) error {
	number := portable.FormatNumber
	for _, c := range []struct {
		name        string
		mine, other float64
	}{
		{"nComponents", float64(m.shape.NComponents), float64(o.shape.NComponents)},
		{"classes", float64(m.shape.Classes), float64(o.shape.Classes)},
		{"targets", float64(m.shape.Targets), float64(o.shape.Targets)},
		{"folds", float64(m.folds), float64(o.folds)},
		{"step", m.grid.Step, o.grid.Step},
		{"bound", m.grid.Bound, o.grid.Bound},
		{"keep", m.kept.share, o.kept.share},
		{"limit", float64(m.limit), float64(o.limit)},
		{"targetRange[0]", m.grid.Low, o.grid.Low},
		{"targetRange[1]", m.grid.High, o.grid.High},
	} {
		if c.mine != c.other {
			return sketch.ErrParam.New(c.name, number(c.other), "be the same in all parts, "+number(c.mine)+
				": share what prepare returns, or state it")
		}
	}
	if m.grid.Finer != o.grid.Finer {
		return sketch.ErrParam.New("finer", "", "be the same in all parts: share what prepare returns")
	}
	return nil
}

// Words returns a copy of all sums: one part after another, each as sketch/model/spec.go says. Tally returns what is
// counted beside.
func (m *Moments) Words() []int64 {
	m.flushAll()
	words := make([]int64, 0, m.Parts()*m.WordsPerPart())
	for p := range m.Parts() {
		words = append(append(words, m.part(p)[:wordTally]...), m.part(p)[wordGram:]...)
	}
	return words
}

// WordsPerPart returns the number of words of a part.
func (m *Moments) WordsPerPart() int { return m.shape.words() - TallyWords }

// SetWords replaces all sums by a copy of words, which Words of Moments of the same shape, grid and
// folds returned. Of these rows nothing is counted until SetTally says it, and none is kept until SetKept says it.
//
// The error is a *sketch.Error with code ErrShape for a wrong length, or ErrParam for sums that no
// rows have. After an error the moments are unchanged.
func (m *Moments) SetWords(words []int64) error {
	each := m.WordsPerPart()
	if want := m.Parts() * each; len(words) != want {
		return sketch.ErrShape.New("words", strconv.Itoa(len(words)), "hold "+strconv.Itoa(want)+" numbers")
	}
	all := make([]int64, 0, len(m.words))
	for p := range m.Parts() {
		part := words[p*each : (p+1)*each]
		all = append(append(append(all, part[:wordTally]...), make([]int64, TallyWords)...), part[wordTally:]...)
	}
	return m.adopt(all)
}

// adopt makes these words the sums, if rows can have them.
func (m *Moments) adopt(words []int64) error {
	if err := m.shape.check(words, m.Parts(), m.limit); err != nil {
		return err
	}
	copy(m.words, words)
	m.rows = 0
	for p := range m.blocks {
		m.blocks[p].rows = 0
		clear(m.blocks[p].squares)
		m.rows += m.part(p)[wordRows]
	}
	m.kept.reset(m.rows)
	return nil
}

// check returns an error if the words of parts cannot be sums of rows on a grid with this limit: each number of rows is
// at most maxRows, also of all parts together, and each sum of n terms is at most n times their bound.
func (s Shape) check(words []int64, parts int, limit int64) error {
	total := int64(0)
	for p := range parts {
		part := words[p*s.words() : (p+1)*s.words()]
		rows := part[wordRows]
		if most := s.maxRows(limit); rows < 0 || rows > most-total {
			return sketch.ErrParam.New("words", strconv.FormatInt(rows, 10), "have numbers of rows from 0 to "+
				strconv.FormatInt(most, 10))
		}
		total += rows
		if at := s.firstBad(part, limit); at >= 0 {
			name := at + p*(s.words()-TallyWords)
			if at >= wordGram {
				name -= TallyWords
			}
			return sketch.ErrParam.New("words["+strconv.Itoa(name)+"]", strconv.FormatInt(part[at], 10),
				"be a sum of "+strconv.FormatInt(rows, 10)+" rows on the grid")
		}
	}
	return nil
}

// firstBad returns the index of the first word of a part that is no sum of its rows, or −1.
func (s Shape) firstBad(part []int64, limit int64) int {
	D, K, rows := s.NComponents, s.targets(), part[wordRows]
	if c := part[wordClipped]; c < 0 || c/int64(D) > rows || c > rows*int64(D) {
		return wordClipped
	}
	if !s.isTally(part[wordTally:wordGram], limit) {
		return wordTally
	}
	at := wordGram
	for i := range D { // squares are not negative
		if j := outside(part[at:at+i], -rows*limit*limit, rows*limit*limit); j >= 0 {
			return at + j
		}
		at += i
		if part[at] < 0 || part[at] > rows*limit*limit {
			return at
		}
		at++
	}
	bound := func(n int, low, high int64) bool {
		if j := outside(part[at:at+n], low, high); j >= 0 {
			at += j
			return false
		}
		at += n
		return true
	}
	switch {
	case s.Classes > 0:
		counts := part[at : at+K]
		if !bound(K, 0, rows) {
			return at
		}
		total := int64(0)
		for _, count := range counts {
			total += count
		}
		if total != rows {
			return at - K
		}
		for _, count := range counts {
			if !bound(D, -count*limit, count*limit) {
				return at
			}
		}
	case s.Targets > 0:
		if !bound(D, -rows*limit, rows*limit) || !bound(K, -rows*maxT, rows*maxT) {
			return at
		}
		for a := range K {
			if !bound(a, -rows*maxT*maxT, rows*maxT*maxT) || !bound(1, 0, rows*maxT*maxT) {
				return at
			}
		}
		if !bound(K*D, -rows*maxT*limit, rows*maxT*limit) {
			return at
		}
	default:
		if !bound(D, -rows*limit, rows*limit) {
			return at
		}
	}
	return -1
}

// areProducts reports whether Σ q_i q_j is at most √(Σq_i²·Σq_j²) in all parts (Cauchy and Schwarz), and Σ q_i over the
// n rows of a class at most √(n·Σq_i²).
func (s Shape) areProducts(words []int64, parts int) bool {
	D := s.NComponents
	squares := make([]int64, D)
	for p := range parts {
		part := words[p*s.words() : (p+1)*s.words()]
		gram := part[wordGram:]
		for i := range D {
			squares[i] = gram[triangle(i+1)-1]
		}
		for i := range D {
			if !isBelow(gram[:i], squares[i], squares) {
				return false
			}
			gram = gram[i+1:]
		}
		counts, sums := part[s.tail():][:s.Classes], part[s.tail()+s.Classes:]
		for k, count := range counts {
			if !isBelow(sums[k*D:(k+1)*D], count, squares) {
				return false
			}
		}
	}
	return true
}

// isBelow reports whether the square of each value is at most the product of two numbers ≥ 0: own and one of others.
func isBelow(values []int64, own int64, others []int64) bool {
	for j, v := range values {
		v = max(v, -v)
		high, low := bits.Mul64(uint64(v), uint64(v))
		mostHigh, mostLow := bits.Mul64(uint64(own), uint64(others[j]))
		if high > mostHigh || high == mostHigh && low > mostLow {
			return false
		}
	}
	return true
}

// outside returns the index of the first value out of range, or −1.
func outside(values []int64, low, high int64) int {
	for i, v := range values {
		if v < low || v > high {
			return i
		}
	}
	return -1
}

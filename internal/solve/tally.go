package solve

import (
	"math"
	"slices"
	"strconv"

	"tensorsketch.example/internal/engine/dispatch"
	"tensorsketch.example/internal/portable"
	"tensorsketch.example/sketch"
)

// A tally says how rows went onto the grid. It is TallyWords integers of each part of Moments, which merge and are
// taken away as the sums are:
//
//   - rows that were counted: all of them, except in files without tallies and on grids with a Bound, where nothing is
//     counted;
//   - Σ over rows of the energy that rounding lost, Σ(z/step − q)² over the features that were not cut, in units of
//     2^-12, rounded up; where features have steps of their own, in squares of the grid's step;
//   - faint rows, which lost more than a twentieth of their energy Σ(z/step)²;
//   - counts of rows in Buckets buckets, by their hash.
const (
	tallyRows = iota
	tallyLost
	tallyFaint
	tallyBuckets
	TallyWords = tallyBuckets + Buckets
)

// Buckets is the number of buckets that rows are counted in by a hash.
const Buckets = 64

const (
	lostUnit   = 1 << 12 // units of lost energy in a square of a step
	faintShare = 20      // rounding lost one part in so many of the energy of a row
)

// count adds the current row, of the features z, to the tally of a part.
func (m *Moments) count(tally []int64, z []float32, clipped int64, hash uint64) {
	if m.grid.Bound > 0 {
		return
	}
	energy, lost := 0.0, 0.0
	if m.factors != nil {
		energy, lost = m.countFiner(z)
	} else {
		limit := int32(m.limit)
		for j, q := range m.q[:len(z)] {
			v := float64(z[j] * m.inverse)
			energy += float64(v * v)
			if clipped == 0 || q < limit && q > -limit {
				v -= float64(q)
				lost += float64(v * v)
			}
		}
	}
	tally[tallyRows]++
	tally[tallyLost] += int64(math.Ceil(lost * lostUnit))
	if lost*faintShare > energy {
		tally[tallyFaint]++
	}
	tally[tallyBuckets+int(hash>>32%Buckets)]++
}

// countFiner returns the energy of the current row and what rounding lost of it, in squares of the grid's step.
func (m *Moments) countFiner(z []float32) (energy, lost float64) {
	limit, unit := int32(m.limit), float64(m.inverse)
	for j, q := range m.q[:len(z)] {
		v := float64(z[j]) * unit // a power of two
		energy += float64(v * v)
		if q < limit && q > -limit {
			v -= float64(q) * m.weights[j]
			lost += float64(v * v)
		}
	}
	return energy, lost
}

// hash returns the hash of the current row, by which rows are held out.
func (m *Moments) hash() uint64 { return dispatch.Hash(m.q[:m.shape.NComponents]) }

// Tally returns a copy of the tallies of all parts, one after another.
func (m *Moments) Tally() (tally []int64) {
	for p := range m.Parts() {
		tally = append(tally, m.tally(p)...)
	}
	return tally
}

func (m *Moments) tally(p int) []int64 { return m.part(p)[wordTally:wordGram] }

// SetTally replaces the tallies by a copy of what Tally of the same moments returned. SetWords takes them away.
//
// The error is a *sketch.Error with code ErrShape for a wrong length, or ErrParam for a tally that no rows have. After
// an error the moments are unchanged.
func (m *Moments) SetTally(tally []int64) error {
	if len(tally) != m.Parts()*TallyWords {
		return sketch.ErrShape.New("tally", strconv.Itoa(len(tally)), "hold "+strconv.Itoa(m.Parts()*TallyWords)+" numbers")
	}
	for p := range m.Parts() {
		if !m.shape.isTally(tally[p*TallyWords:(p+1)*TallyWords], m.limit) {
			return sketch.ErrParam.New("tally", "", "be counts of rows and what they lost")
		}
	}
	for p := range m.Parts() {
		copy(m.tally(p), tally[p*TallyWords:])
	}
	return nil
}

// isTally reports whether rows can have a tally.
func (s Shape) isTally(tally []int64, limit int64) bool {
	rows, counted := tally[tallyRows], int64(0)
	if rows < 0 || rows > s.maxRows(limit) || tally[tallyFaint] < 0 || tally[tallyFaint] > rows {
		return false
	}
	if lost := tally[tallyLost]; lost < 0 || lost > rows*int64(s.NComponents)*lostUnit {
		return false
	}
	for _, count := range tally[tallyBuckets:] {
		if count < 0 || count > rows {
			return false
		}
		counted += count
	}
	return counted == rows
}

// A Rounding says what the grid cost. Rows of older files were not counted.
type Rounding struct {
	Rows  int64   // that were counted; it is known of all if these are the rows of the moments
	Lost  float64 // energy that rounding lost, over all energy Σ‖z‖² that is left and lost
	Faint int64   // rows that lost more than a twentieth by rounding
}

// Rounding returns what rounding to the grid cost the rows.
func (m *Moments) Rounding() (r Rounding) {
	m.flushAll()
	trace, lost := 0.0, 0.0
	for p := range m.Parts() {
		tally, gram := m.tally(p), m.part(p)[wordGram:]
		r.Rows += tally[tallyRows]
		r.Faint += tally[tallyFaint]
		lost += float64(tally[tallyLost]) / lostUnit
		for i := range m.shape.NComponents {
			square := float64(gram[i])
			if m.factors != nil {
				square *= m.weights[i] * m.weights[i]
			}
			trace += square
			gram = gram[i+1:]
		}
	}
	if lost > 0 {
		r.Lost = lost / (lost + trace)
	}
	return r
}

// The shares of energy that rounding may lose: beyond them there is a warning, or an error.
const (
	lostWarning = 1e-4
	lostLimit   = 0.05
)

// CheckRounding returns an error where rounding left too little of the rows: over all, or of more than half of them.
func (m *Moments) CheckRounding() error {
	r := m.Rounding()
	if r.Rows != m.rows || r.Lost <= lostLimit && 2*r.Faint <= r.Rows {
		return nil
	}
	return sketch.ErrParam.New("radius", "", "be smaller: rounding to the grid of this radius loses "+percent(r.Lost)+
		" of the features' energy, and more than a twentieth of "+strconv.FormatInt(r.Faint, 10)+" of "+
		strconv.FormatInt(r.Rows, 10)+" rows. Few rows are much longer than most: state the length of ordinary "+
		"rows, divide rows by their length, or scale columns to 0…1")
}

// RoundingWarning says what rounding did to a fit with this alpha, or nothing.
func (m *Moments) RoundingWarning(alpha float64) string {
	r := m.Rounding()
	if r.Rows != m.rows || r.Rows == 0 || m.grid.Bound > 0 {
		return ""
	}
	if m.grid.Limit == 0 {
		return roundingWarningBefore(r, float64(m.rows)*m.grid.Step*m.grid.Step/12, alpha)
	}
	if hidden := m.Hidden(); hidden > alpha/10 {
		return "rounding to the grid acts like " + portable.FormatNumber(round(hidden)) + " more alpha, over a tenth of " +
			portable.FormatNumber(round(alpha)) + ": a kernel that is less wide (a larger gamma) fits such rows better; or " +
			"let prepare see the rows, or state a smaller radius"
	}
	return ""
}

// Hidden returns the alpha like which rounding acts: the energy that it lost for each feature.
func (m *Moments) Hidden() float64 {
	lost := 0.0
	for p := range m.Parts() {
		lost += float64(m.tally(p)[tallyLost]) / lostUnit
	}
	return lost * (m.grid.Step * m.grid.Step) / float64(m.shape.NComponents)
}

// roundingWarningBefore is roundingWarning for grids of before, for which rounding acts like this hidden alpha.
func roundingWarningBefore(r Rounding, hidden, alpha float64) string {
	switch {
	case r.Lost > lostWarning:
		return "rounding to the grid loses " + percent(r.Lost) + " of the features' energy: state a smaller radius, " +
			"divide rows by their length, or scale columns to 0…1"
	case r.Lost > 0 && hidden > alpha/10:
		return "rounding to the grid acts like " + portable.FormatNumber(round(hidden)) + " more alpha, over a tenth of " +
			portable.FormatNumber(round(alpha)) + ": less radius may fit better, as do rows of more equal length"
	}
	return ""
}

// percent returns a share as text, of two digits.
func percent(share float64) string { return portable.FormatNumber(round(100*share)) + " %" }

// round returns a number ≥ 0 with two digits.
func round(x float64) float64 {
	unit, part := 1.0, 1.0 // powers of ten, which float64 has
	for ; x >= 100*unit; unit *= 10 {
	}
	for ; x*part < 10 && part < 1e20; part *= 10 {
	}
	return math.RoundToEven(x/unit*part) * unit / part
}

// IsPartCounted reports whether all rows of a part were counted.
func (m *Moments) IsPartCounted(p int) bool { return m.tally(p)[tallyRows] == m.part(p)[wordRows] }

// isCounted reports whether all rows of all parts were counted.
func (m *Moments) isCounted() bool {
	for p := range m.Parts() {
		if !m.IsPartCounted(p) {
			return false
		}
	}
	return true
}

// forget leaves the tallies without rows: what the grid cost is not known.
func (m *Moments) forget() {
	for p := range m.Parts() {
		clear(m.tally(p))
	}
}

// Buckets adds the counts of the rows of a part by their hash.
func (m *Moments) Buckets(to *[Buckets]float64, p int) {
	for b, count := range m.tally(p)[tallyBuckets:] {
		to[b] += float64(count)
	}
}

// withoutTally returns the words of a part without its tally, as files have them.
func withoutTally(part []int64) []int64 { return slices.Concat(part[:wordTally], part[wordGram:]) }

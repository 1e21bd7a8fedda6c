package product

import (
	"cmp"
	"math"

	"tensorsketch.example/internal/engine/block"
	"tensorsketch.example/internal/engine/order"
)

// A hash packs the bucket of a coordinate with its sign.
type hash = block.Entry

// An Entry is the estimate of entry (I, J) of a matrix product.
type Entry struct {
	I, J  int
	Value float64
}

// Largest returns the count entries of the product with the largest estimates, by Entry, in
// magnitude: largest first, equal ones by row and column. If the product has fewer entries, it
// returns all.
//
// A median is large only if at least half of its estimates are large with one sign. Those estimates
// are among the few large numbers of their sketches. Largest therefore guesses a magnitude that
// count entries exceed. For each row of the product it tallies the columns whose estimates are such
// large numbers, and takes medians where the tally suffices. While too few entries exceed the
// guess, it guesses lower.
//
// With b numbers of each sketch above the last guess that takes
// O(t·(n + D·log D) + m·t·b·(1 + n/D)) time: little if count entries stand out. If that nears
// m·n·t, or if count is at least m·n/16, it reads the estimates of all entries once, O(m·n·t), and
// takes medians only of entries that may be among the largest so far.
//
// Entries whose estimate is exactly 0 are not searched for, but rounding in Add makes most
// estimates that should be 0 nonzero. Asking for more entries than stand out means searching for
// the largest of these, with b of about D/8 for the default t.
func (c *Compressed) Largest(count int) []Entry {
	if count <= 0 {
		return nil
	}
	s := &search{Compressed: c, wanted: count}
	if float64(count) >= float64(c.params.M)*float64(c.params.N)/16 {
		s.readAll()
	} else {
		s.guess()
	}
	s.fillZeros()
	return largestOf(s.found, count)
}

// A search finds the count largest entries of a product.
type search struct {
	*Compressed
	wanted  int        // count
	found   []Entry    // at most 2·count
	last    Entry      // found entries come before this one
	columns []byBucket // per sketch
	large   [][]hash   // per sketch, the buckets of large numbers, with the signs of the numbers
	tally   []uint32   // per column: 1 for each large positive estimate, 1<<16 for each negative one
}

// byBucket holds the columns of a product with their signs, ordered by bucket. The columns in
// bucket b are entries[start[b]:start[b+1]].
type byBucket struct {
	start   []int32
	entries []hash
}

// guess finds the count largest nonzero entries, or all if there are fewer. It lowers the guessed
// magnitude step by step.
func (s *search) guess() {
	D := s.params.NComponents
	magnitudes := make([]float64, D) // of one sketch, enough for a guess
	for b, v := range s.sums[:D] {
		magnitudes[b] = math.Abs(v)
	}
	order.Numbers(magnitudes)
	last := math.Inf(1)
	for above := max(1, min(s.wanted, D/8)); last > 0 && len(s.found) < s.wanted; above *= 2 {
		magnitude := 0.0
		if above < D {
			magnitude = magnitudes[D-1-above]
		}
		if magnitude == last {
			continue
		}
		last = magnitude
		numbers, sketches := s.numbersAbove(magnitude)
		if sketches < s.need() {
			continue
		}
		work := float64(numbers) * (1 + float64(s.params.N)/float64(D)) // for each row
		if work > float64(s.params.Repeats)*float64(s.params.N)/2 {
			s.readAll()
			return
		}
		s.tallyAbove(magnitude, work)
	}
}

// need returns how many large estimates of one sign make a median large.
func (s *search) need() int { return (s.params.Repeats + 1) / 2 }

// numbersAbove counts the numbers of all sketches that exceed a magnitude, and the sketches that
// have any such number.
func (s *search) numbersAbove(magnitude float64) (numbers, sketches int) {
	D := s.params.NComponents
	for r := range s.params.Repeats {
		before := numbers
		for _, v := range s.sums[r*D : (r+1)*D] {
			if math.Abs(v) > magnitude {
				numbers++
			}
		}
		if numbers > before {
			sketches++
		}
	}
	return numbers, sketches
}

// readAll finds the count largest nonzero entries, or all if there are fewer, from the estimates of
// all entries.
func (s *search) readAll() {
	n, D, need := s.params.N, s.params.NComponents, uint32(s.need())
	s.begin(0)
	buffer := make([]hash, min(n, block.Stretch))
	tally := make([]uint32, len(buffer))
	for i := range s.params.M {
		for from := 0; from < n; from += len(buffer) {
			tally := tally[:min(len(buffer), n-from)]
			clear(tally)
			for r := range s.params.Repeats {
				columns := s.outer.Hashes(buffer, r, 1, from, len(tally))
				tallyLarge(tally, s.sums[r*D:(r+1)*D], s.outer.Hash(r, 0, i), columns, math.Abs(s.last.Value))
			}
			for at, tally := range tally {
				if tally&0xffff >= need || tally>>16 >= need {
					s.consider(i, from+at)
				}
			}
		}
	}
}

// tallyLarge tallies the columns whose estimates in a sketch, for this row, exceed a magnitude. It
// avoids branches on numbers, which would be unpredictable: without their sign, float64 have the
// order of their bits as integers.
func tallyLarge(tally []uint32, sum []float64, row hash, columns []hash, magnitude float64) {
	limit := math.Float64bits(magnitude)
	for at, column := range columns {
		bucket := row.Bucket() + column.Bucket()
		if bucket >= len(sum) {
			bucket -= len(sum)
		}
		bits := math.Float64bits(sum[bucket])
		isLarge := uint32((limit - bits&^(1<<63)) >> 63)
		tally[at] += isLarge << ((hash(bits>>63<<31) ^ row ^ column) >> 31 << 4)
	}
}

// begin empties the search and sets the magnitude that entries must exceed.
func (s *search) begin(magnitude float64) {
	s.found, s.last = s.found[:0], Entry{-1, -1, magnitude}
}

// consider adds an entry to the found ones unless count of them come before it.
func (s *search) consider(i, j int) {
	e := Entry{i, j, s.Entry(i, j)}
	if byMagnitude(e, s.last) > 0 {
		return
	}
	if s.found = append(s.found, e); len(s.found)/2 >= s.wanted {
		s.found = largestOf(s.found, s.wanted)
		s.last = s.found[s.wanted-1]
	}
}

// tallyAbove finds the count largest entries above a magnitude, or all if there are fewer, in work
// steps per row.
func (s *search) tallyAbove(magnitude, work float64) {
	s.begin(magnitude)
	if s.columns == nil {
		s.listColumns()
	}
	s.listLarge(magnitude)
	for i := range s.params.M {
		s.meetings(i, s.count)
		if work > float64(s.params.N)/16 {
			clear(s.tally)
		} else {
			s.meetings(i, s.uncount)
		}
	}
}

// listColumns orders the columns by bucket, for each sketch.
func (s *search) listColumns() {
	n, D := s.params.N, s.params.NComponents
	s.tally = make([]uint32, n)
	buffer := make([]hash, block.Stretch)
	for r := range s.params.Repeats {
		s.large = append(s.large, make([]hash, 0, D))
		list := byBucket{make([]int32, D+2), make([]hash, n)}
		each := func(f func(j int, e hash)) {
			for from := 0; from < n; from += block.Stretch {
				for j, e := range s.outer.Hashes(buffer, r, 1, from, min(block.Stretch, n-from)) {
					f(from+j, e)
				}
			}
		}
		// This is a counting sort. start[b+2] first counts bucket b. Then start[b+1] is the place
		// of the bucket's next column, so that in the end start[b] is where bucket b begins.
		each(func(_ int, e hash) { list.start[e.Bucket()+2]++ })
		for b := range list.start[1:] {
			list.start[b+1] += list.start[b]
		}
		each(func(j int, e hash) {
			place := &list.start[e.Bucket()+1]
			list.entries[*place] = hash(j) | e&^block.BucketMask
			*place++
		})
		s.columns = append(s.columns, list)
	}
}

// listLarge lists the numbers of each sketch that exceed a magnitude.
func (s *search) listLarge(magnitude float64) {
	D := s.params.NComponents
	for r := range s.large {
		s.large[r] = s.large[r][:0]
		for b, v := range s.sums[r*D : (r+1)*D] {
			if math.Abs(v) > magnitude {
				s.large[r] = append(s.large[r], hash(b)|hash(math.Float64bits(v)>>63)<<31)
			}
		}
	}
}

// meetings calls f for each large number with the columns that meet row i in it, and with the sign
// of the number times the sign of the row.
func (s *search) meetings(i int, f func(i int, columns []hash, sign hash)) {
	D := s.params.NComponents
	for r := range s.params.Repeats {
		row, columns := s.outer.Hash(r, 0, i), &s.columns[r]
		for _, e := range s.large[r] {
			b := e.Bucket() - row.Bucket() // the h₂(j) for which h₁(i) + h₂(j) is the bucket of e
			if b < 0 {
				b += D
			}
			if from, to := columns.start[b], columns.start[b+1]; from < to {
				f(i, columns.entries[from:to], e^row)
			}
		}
	}
}

// count tallies the columns whose estimates, in row i, are large. It considers an entry once enough
// estimates of one sign are large. For even t both signs can reach that number; the entry is still
// considered only once.
func (s *search) count(i int, columns []hash, sign hash) {
	need := uint32(s.need())
	for _, column := range columns {
		tally, shift := &s.tally[column.Bucket()], (sign^column)>>31<<4
		*tally += 1 << shift
		if *tally>>shift&0xffff == need && *tally>>(16-shift)&0xffff < need {
			s.consider(i, column.Bucket())
		}
	}
}

// uncount undoes what count tallied.
func (s *search) uncount(_ int, columns []hash, _ hash) {
	for _, column := range columns {
		s.tally[column.Bucket()] = 0
	}
}

// fillZeros adds entries that are 0, in the order of rows and columns, if fewer than count were
// found. In that case all nonzero entries have been found.
func (s *search) fillZeros() {
	if len(s.found) >= s.wanted {
		return
	}
	nonzero := s.found
	order.Func(nonzero, byPlace)
	for i := range s.params.M {
		for j := range s.params.N {
			if len(s.found) == s.wanted {
				return
			}
			if len(nonzero) > 0 && nonzero[0].I == i && nonzero[0].J == j {
				nonzero = nonzero[1:]
				continue
			}
			s.found = append(s.found, Entry{i, j, s.Entry(i, j)})
		}
	}
}

// largestOf sorts entries, largest first, and returns the first count.
func largestOf(entries []Entry, count int) []Entry {
	order.Func(entries, byMagnitude)
	return entries[:min(count, len(entries))]
}

// byMagnitude orders entries by magnitude, largest first, and equal ones by place.
func byMagnitude(a, b Entry) int {
	if by := cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)); by != 0 {
		return by
	}
	return byPlace(a, b)
}

// byPlace orders entries by row, then by column.
func byPlace(a, b Entry) int {
	if a.I != b.I {
		return a.I - b.I
	}
	return a.J - b.J
}

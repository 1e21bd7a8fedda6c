package sketch

import (
	"cmp"
	"math"
	"slices"

	"github.com/tensorsketch/tensorsketch/sketch/internal/block"
)

// A ProductEntry is the estimate of entry (I, J) of a matrix product.
type ProductEntry struct {
	I, J  int
	Value float64
}

// Largest returns the count entries of the product whose estimates, those of
// Entry, are largest in magnitude: largest first, equal ones in the order of rows
// and columns, all of them if there are fewer.
//
// A median is large only if at least half of its estimates are, with one sign, and
// those stand in the few large numbers of their sketches. So it guesses a magnitude
// that count entries exceed, tallies for each row of the product the columns that
// meet it in such numbers, and takes medians where the tally suffices; while too
// few exceed it, it guesses lower. With b numbers of each sketch above the last
// guess it takes O(m·(n + t·b·(1 + n/D))) time.
func (c *CompressedProduct) Largest(count int) []ProductEntry {
	if count <= 0 {
		return nil
	}
	D := c.params.NComponents
	s := newSearch(c)
	magnitudes := make([]float64, D) // of one sketch: they only serve the guess
	for b, v := range c.sums[:D] {
		magnitudes[b] = math.Abs(v)
	}
	slices.Sort(magnitudes)
	for above := count; above < D; above *= 2 {
		if found := s.exceeding(magnitudes[D-1-above], count); len(found) == count {
			return found
		}
		if above > D/2 {
			break // and twice it may overflow
		}
	}
	return s.exceeding(-1, count)
}

// A search finds the entries of a product that exceed a magnitude.
type search struct {
	*CompressedProduct
	columns []byBucket
	large   [][]entry // per sketch, the buckets of large numbers with their signs
	tally   []uint32  // per column, 1 for each large estimate above 0, 1<<16 below
}

// byBucket holds the columns of a product and their signs, ordered by bucket:
// those in bucket b are entries[start[b]:start[b+1]].
type byBucket struct {
	start   []int32
	entries []entry
}

func newSearch(c *CompressedProduct) *search {
	n := c.params.N
	s := &search{CompressedProduct: c, large: make([][]entry, len(c.tables)), tally: make([]uint32, n)}
	buffer := make([]entry, block.Stretch)
	for r, tables := range c.tables {
		s.large[r] = make([]entry, 0, c.params.NComponents)
		list := byBucket{make([]int32, c.params.NComponents+2), make([]entry, n)}
		each := func(f func(j int, e entry)) {
			for from := 0; from < n; from += block.Stretch {
				for j, e := range tables.entries(buffer, 1, from, min(block.Stretch, n-from)) {
					f(from+j, e)
				}
			}
		}
		// A counting sort: start[b+2] counts bucket b, then start[b+1] is where
		// its next column goes, which leaves start[b] where it begins.
		each(func(_ int, e entry) { list.start[e.Bucket()+2]++ })
		for b := range list.start[1:] {
			list.start[b+1] += list.start[b]
		}
		each(func(j int, e entry) {
			place := &list.start[e.Bucket()+1]
			list.entries[*place] = entry(j) | e&^block.BucketMask
			*place++
		})
		s.columns = append(s.columns, list)
	}
	return s
}

// exceeding returns the count largest entries above a magnitude, all of them if
// there are fewer.
func (s *search) exceeding(magnitude float64, count int) (found []ProductEntry) {
	D, need := s.params.NComponents, uint32(s.params.Repeats+1)/2
	if magnitude < 0 { // every entry exceeds it
		need = 0
	}
	for r := range s.large {
		s.large[r] = s.large[r][:0]
		for b, v := range s.sums[r*D : (r+1)*D] {
			if need > 0 && math.Abs(v) > magnitude {
				s.large[r] = append(s.large[r], entry(b)|entry(math.Float64bits(v)>>63)<<31)
			}
		}
	}
	for i := range s.params.M {
		clear(s.tally)
		for r, tables := range s.tables {
			s.count(r, tables.at(0, i))
		}
		for j, tally := range s.tally {
			if tally&0xffff < need && tally>>16 < need {
				continue
			}
			value := s.Entry(i, j)
			if math.Abs(value) <= magnitude {
				continue
			}
			if found = append(found, ProductEntry{i, j, value}); len(found)/2 >= count {
				found = largestOf(found, count)
				magnitude = math.Abs(found[count-1].Value) // later ones come after equal ones
			}
		}
	}
	return largestOf(found, count)
}

// count tallies the columns whose estimate in sketch r, with row, is large.
func (s *search) count(r int, row entry) {
	columns, D := &s.columns[r], s.params.NComponents
	for _, e := range s.large[r] {
		b := e.Bucket() - row.Bucket() // h₂(j) where h₁(i) + h₂(j) is the bucket of e
		if b < 0 {
			b += D
		}
		sign := e ^ row
		for _, column := range columns.entries[columns.start[b]:columns.start[b+1]] {
			s.tally[column.Bucket()] += 1 << ((sign ^ column) >> 31 << 4)
		}
	}
}

// largestOf sorts entries, largest first, and returns the first count.
func largestOf(entries []ProductEntry, count int) []ProductEntry {
	slices.SortFunc(entries, func(a, b ProductEntry) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Value), math.Abs(a.Value)), cmp.Compare(a.I, b.I), cmp.Compare(a.J, b.J))
	})
	return entries[:min(count, len(entries))]
}

package sketch

import (
	"math/bits"

	"tensorsketch.example/internal/engine/block"
)

// mersenne61 is the prime 2^61 − 1 of the Carter–Wegman hash families.
const mersenne61 = 1<<61 - 1

// mulAdd61 returns (a·b + c) mod 2^61 − 1 for a, b, c below 2^61 − 1.
func mulAdd61(a, b, c uint64) uint64 {
	high, low := bits.Mul64(a, b)
	// a·b = high·2^64 + low = (high·8 + low>>61)·2^61 + low mod 2^61, and 2^61 ≡ 1.
	sum := (high<<3 | low>>61) + low&mersenne61 + c // below 3·2^61
	sum = sum>>61 + sum&mersenne61
	if sum >= mersenne61 {
		sum -= mersenne61
	}
	return sum
}

// polyHash holds the polynomials modulo 2^61 − 1 of one degree k. h_k has three coefficients and is
// 3-wise independent; s_k has four and is 4-wise independent (Wegman & Carter 1981), as Avron,
// Nguyen & Woodruff 2014 need. Reducing 2^61 − 1 values to D buckets leaves a bias below D/2^61.
type polyHash struct {
	index [3]uint64 // constant term first
	sign  signHash
	turn  *signHash // for complex features: −1 means a factor i; otherwise nil
}

func newPolyHash(draw randomness, k int) polyHash {
	var p polyHash
	index := draw.stream(domainIndexHash, uint32(k))
	for i := range p.index {
		p.index[i] = index.residue()
	}
	p.sign = newSignHash(draw, domainSign, uint32(k))
	return p
}

// signHash holds the coefficients of a 4-wise independent sign, constant term first.
type signHash [4]uint64

func newSignHash(draw randomness, domain, index uint32) signHash {
	var s signHash
	coefficients := draw.stream(domain, index)
	for i := range s {
		s[i] = coefficients.residue()
	}
	return s
}

// at returns an entry with bucket 0 and the sign of coordinate i: −1 if the polynomial's value is
// odd.
func (s *signHash) at(i uint64) entry {
	v := mulAdd61(mulAdd61(mulAdd61(s[3], i, s[2]), i, s[1]), i, s[0])
	return entry(v&1) << 31
}

// entry returns the sign of coordinate i and its bucket ⌊v·D / 2^61⌋, where v is the value of the
// index polynomial at i. For complex features D counts real numbers. The bucket is then 2·⌊v·(D/2)
// / 2^61⌋, plus 1 if the sign has a factor i.
func (p *polyHash) entry(i uint64, nComponents int) entry {
	if p.turn != nil {
		return p.complexEntry(i, nComponents/2)
	}
	v := mulAdd61(mulAdd61(p.index[2], i, p.index[1]), i, p.index[0])
	high, low := bits.Mul64(v, uint64(nComponents))
	return entry(high<<3|low>>61) | p.sign.at(i)
}

func (p *polyHash) complexEntry(i uint64, buckets int) entry {
	real := polyHash{index: p.index, sign: p.sign}
	e := real.entry(i, buckets)
	return entry(2*e.Bucket()+p.turn.at(i).Minus()) | e&^block.BucketMask
}

// entry packs the bucket h(i) with the sign s(i).
type entry = block.Entry

// maxCached is the maximum number of entries, over all degrees, for which a seed's tables are kept.
// Beyond it they are computed on demand, so that memory does not grow with the dimension.
const maxCached = 1 << 22

// hashTables holds the bucket and sign of every coordinate of every degree.
type hashTables struct {
	nComponents int
	poly        []polyHash // of a seed, one per degree
	tables      [][]entry  // given tables, or a cache of poly; nil: computed on demand
}

// seedTables returns the tables of the map, real or complex, drawn from its seed.
func (p *Params) seedTables(draw randomness) *hashTables {
	widths := p.widths() // coordinates per degree, the constant one included
	h := &hashTables{nComponents: p.NComponents}
	for k := range widths {
		poly := newPolyHash(draw, k)
		if p.isComplexSketch() {
			turn := newSignHash(draw, domainTurn, uint32(k))
			poly.turn = &turn
		}
		h.poly = append(h.poly, poly)
	}
	if cachedEntries(widths) > 0 {
		tables := make([][]entry, len(widths))
		for k, width := range widths {
			tables[k] = make([]entry, width)
			h.fill(tables[k], k, 0)
		}
		h.tables = tables
	}
	return h
}

// cachedEntries returns how many entries are kept for a seed: all of them, or 0.
func cachedEntries(widths []int) int {
	total := 0
	for _, width := range widths {
		if width > maxCached-total {
			return 0
		}
		total += width
	}
	return total
}

func (h *hashTables) fill(dst []entry, k, from int) {
	for i := range dst {
		dst[i] = h.poly[k].entry(uint64(from+i), h.nComponents)
	}
}

// entries returns the entries of degree k for coordinates from … from+n−1. Without a table they are
// computed into buffer, and n must be at most len(buffer).
func (h *hashTables) entries(buffer []entry, k, from, n int) []entry {
	if h.tables != nil {
		return h.tables[k][from : from+n]
	}
	h.fill(buffer[:n], k, from)
	return buffer[:n]
}

// entriesOf returns the entries of degree k for the given coordinates, in buffer.
func (h *hashTables) entriesOf(buffer []entry, k int, columns []int32) []entry {
	buffer = buffer[:len(columns)]
	if h.tables == nil {
		for i, column := range columns {
			buffer[i] = h.poly[k].entry(uint64(column), h.nComponents)
		}
		return buffer
	}
	table := h.tables[k]
	for i, column := range columns {
		buffer[i] = table[column]
	}
	return buffer
}

// part returns the tables of degrees first … first+count−1.
func (h *hashTables) part(first, count int) *hashTables {
	part := &hashTables{nComponents: h.nComponents}
	if h.poly != nil {
		part.poly = h.poly[first : first+count]
	}
	if h.tables != nil {
		part.tables = h.tables[first : first+count]
	}
	return part
}

// at returns the entry of one coordinate.
func (h *hashTables) at(k, i int) entry {
	if h.tables != nil {
		return h.tables[k][i]
	}
	return h.poly[k].entry(uint64(i), h.nComponents)
}

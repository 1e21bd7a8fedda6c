package sketch

// A signMatrix holds random signs, one row of them per projection: the matrix S of
// −1 and +1 in y = S·x.
//
// The signs of coordinate i are the bits of stream (domainProjection, i), 64 of a
// word from the lowest on, in the order of the projections; a set bit is −1. They
// are kept for 32 coordinates in a word: bit i mod 32 of words[i/32·rows + r] is
// that of coordinate i and projection r.
type signMatrix struct {
	rows  int
	words []uint32
}

func newSignMatrix(draw randomness, rows, width int) *signMatrix {
	m := &signMatrix{rows: rows, words: make([]uint32, (width+31)/32*rows)}
	for i := range width {
		words := m.words[i/32*rows : (i/32+1)*rows]
		s := draw.stream(domainProjection, uint32(i))
		for from := 0; from < rows; from += 64 {
			bits := s.uint64()
			for r := from; r < min(from+64, rows); r++ {
				words[r] |= uint32(bits&1) << (i % 32)
				bits >>= 1
			}
		}
	}
	return m
}

func signMatrixBytes(rows, width int) int64 { return 4 * int64((width+31)/32) * int64(rows) }

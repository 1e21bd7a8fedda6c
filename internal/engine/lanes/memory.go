package lanes

import "tensorsketch.example/internal/engine/block"

// Bytes returns the bytes that NewPlan and one NewBlock allocate, with what making
// them needs for a moment. Sums stay far below the largest int64 within the limits
// of a map's parameters.
func Bytes(c block.Config) int64 {
	total := int64(0)
	if !isDirect(c) {
		n := transformLength(c)
		bytes, _ := fftBytes(n)
		if part := singlePart(n, c.NComponents%2 == 1, c.Complex || c.Spectrum); part > 0 {
			total += singleBytes(part)
		}
		total += bytes + 4*int64(n) + 16*int64(n/2+1) // twiddles, positions, pairs
	}
	s := blockSizes(c)
	return total + int64(vecBytes)*int64(s.input+s.sketch+s.product+s.scratch)
}

// fftBytes returns the bytes that newFFT(n) allocates, and the length of the
// inner transform where there is one.
func fftBytes(n int) (bytes int64, inner int) {
	radices, rest := factor(n)
	if rest != 1 {
		m := smoothLength(2*n - 1)
		bytes, _ := fftBytes(m)
		return bytes + 8*int64(n+m) + 2*int64(m)*int64(vecBytes), m
	}
	for _, radix := range radices {
		n /= radix
		bytes += 8 * int64(radix-1) * int64(n)
	}
	return bytes, 0
}

// scratchOf returns how many vecs a transform of length n needs beside its input.
func scratchOf(n int) int {
	_, inner := fftBytes(n)
	return 2 * inner
}

// sizes are the lengths of a block's slices.
type sizes struct{ input, sketch, product, scratch int }

func blockSizes(c block.Config) sizes {
	s := sizes{input: c.Input, sketch: c.NComponents}
	if isDirect(c) {
		return s
	}
	n := transformLength(c)
	s.scratch = scratchOf(n)
	switch {
	case c.Complex:
		s.product = s.sketch
	case c.NComponents%2 == 1:
		s.sketch, s.product = 2*n, 2*(n/2+1)
	default:
		s.product = 4 * (n/2 + 1)
	}
	return s
}

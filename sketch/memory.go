package sketch

import "unsafe"

const vecBytes = int(unsafe.Sizeof(vec{}))

// MemoryBytes returns the bytes that New allocates for valid parameters with
// defaults filled in, so that a caller can refuse before trying: the tables, the
// plan with what making it needs for a moment, and the workspace of one block.
// Sums that do not fit an int64 do not occur within the limits of Params.
func (p *Params) MemoryBytes() int64 {
	total := int64(0)
	widths := p.widths()
	if p.Hash() == HashSeed {
		total += 4 * int64(cachedEntries(widths))
	} else {
		for _, width := range widths {
			total += 4 * int64(width)
		}
	}
	odd, scratch := p.NComponents%2 == 1, 0
	if !isDirect(p) {
		n := transformLength(p.NComponents)
		bytes, inner := fftBytes(n)
		scratch = 2 * inner
		total += bytes + 4*int64(n) + 16*int64(n/2+1) // twiddles, positions, pairs
	}
	w := workspaceSize(p, odd, scratch)
	total += int64(vecBytes)*int64(w.input+w.sketch+w.product+w.fft) + 4*int64(w.entries)
	return total + total/16 + 8192 // what the allocator rounds up, and small things
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

// sizes are the lengths of a workspace's slices.
type sizes struct{ input, entries, sketch, product, fft int }

func workspaceSize(p *Params, odd bool, scratch int) sizes {
	var s sizes
	for k := range p.Degree {
		s.input = max(s.input, min(p.FeaturesOf(k), stretch))
	}
	if p.Hash() == HashSeed && cachedEntries(p.widths()) == 0 {
		s.entries = stretch
	}
	s.sketch, s.fft = p.NComponents, scratch
	switch pairs := transformLength(p.NComponents)/2 + 1; {
	case isDirect(p):
	case odd:
		s.sketch, s.product = 2*p.NComponents, 2*pairs
	default:
		s.product = 4 * pairs
	}
	return s
}

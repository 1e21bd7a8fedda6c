package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// A single has what a block needs for one row alone, with four lanes: a first stage of radix 4 cuts the transform
// into four of a quarter of its length, and each lane takes one of them. Every number is computed as in a block of
// four rows.
//
// Frequency k = 4i + q stands in lane q, in the cell where frequency i stands in a transform of a quarter of the
// length.
type single struct {
	plan   *Plan
	part   int
	stages []stage // after the first
	first  []vec   // factors of the first stage: for four numbers at a time cos and sin of 2πjq/n, for q = 1, 2, 3
	turns  []vec   // w^k for four frequencies at a time, real and imaginary parts
}

// singlePart returns the length of the four transforms, or 0 where a row alone is computed like four.
func singlePart(length int, odd, complexOrSpectrum bool) int {
	if radices, rest := factor(length); lanes == 4 && !odd && !complexOrSpectrum && rest == 1 && length >= 16 &&
		radices[0] == 4 {
		return length / 4
	}
	return 0
}

func newSingle(p *Plan, part int) *single {
	s := &single{plan: p, part: part, stages: p.fft.stages[1:], first: make([]vec, 6*part/4), turns: make([]vec, part+2)}
	factors, first, turns := p.fft.stages[0].twiddles, floats(s.first), floats(s.turns)
	for i, w := range factors {
		first[(i/24*6+i%6)*4+i/6%4] = w
	}
	for k, pair := range p.pairs {
		turns[k/4*8+k%4], turns[k/4*8+4+k%4] = pair.re, pair.im
	}
	return s
}

// singleBytes returns the bytes that newSingle allocates.
func singleBytes(part int) int64 { return int64(vecBytes) * (6*int64(part)/4 + int64(part) + 2) }

// addRow adds numbers, times the weight w and their signs, to their buckets of a row, four products at a time.
func addRow(z unsafe.Pointer, entries []block.Entry, values []float32, w float32) {
	from, at := unsafe.Pointer(unsafe.SliceData(values[:len(entries)])), unsafe.Pointer(unsafe.SliceData(entries))
	weight, minus := splat(w), splatBits(1<<31)
	i, n := uintptr(0), uintptr(len(entries))*4
	for ; i+16 <= n; i += 16 {
		v := lanesOf(get(from, i).Mul(weight).ToBits().Xor(getWord(at, i).And(minus)).BitsToFloat32())
		clearUppers()
		*bucketAt(z, at, i) += v[0]
		*bucketAt(z, at, i+4) += v[1]
		*bucketAt(z, at, i+8) += v[2]
		*bucketAt(z, at, i+12) += v[3]
	}
	clearUppers()
	signed := [2]float32{w, -w}
	for ; i < n; i += 4 {
		addNumber(z, 4, from, at, i, &signed)
	}
}

// bucketAt returns the bucket of an entry. Four times the entry has no sign any more.
func bucketAt(z, entries unsafe.Pointer, i uintptr) *float32 {
	return (*float32)(unsafe.Add(z, uintptr(4**(*uint32)(unsafe.Add(entries, i)))))
}

// forward transforms a row, which becomes z.
func (s *single) forward(z, row []vec) {
	from, to, w := unsafe.Pointer(&row[0]), unsafe.Pointer(&z[:2*s.part][0]), unsafe.Pointer(&s.first[0])
	span, o := uintptr(s.part)*8, uintptr(0)
	for at := uintptr(0); at < span; at += 32 {
		r0, i0 := getPairs(from, at)
		r1, i1 := getPairs(from, at+span)
		r2, i2 := getPairs(from, at+2*span)
		r3, i3 := getPairs(from, at+3*span)
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		r0, i0 = tr.Add(vr), ti.Add(vi)
		r1, i1 = ur.Add(wi), ui.Sub(wr)
		r2, i2 = tr.Sub(vr), ti.Sub(vi)
		r3, i3 = ur.Sub(wi), ui.Add(wr)
		c, n := get(w, o), get(w, o+vecBytes)
		r1, i1 = r1.Mul(c).Add(i1.Mul(n)), i1.Mul(c).Sub(r1.Mul(n))
		c, n = get(w, o+2*vecBytes), get(w, o+3*vecBytes)
		r2, i2 = r2.Mul(c).Add(i2.Mul(n)), i2.Mul(c).Sub(r2.Mul(n))
		c, n = get(w, o+4*vecBytes), get(w, o+5*vecBytes)
		r3, i3 = r3.Mul(c).Add(i3.Mul(n)), i3.Mul(c).Sub(r3.Mul(n))
		putColumns(to, 4*at, r0, r1, r2, r3)
		putColumns(to, 4*at+vecBytes, i0, i1, i2, i3)
		o += 6 * vecBytes
	}
	forwardStages(s.stages, to, s.part)
}

// backward is the inverse of forward times n. It changes z, too.
func (s *single) backward(row []float32, z []vec) {
	from, to, w := unsafe.Pointer(&z[:2*s.part][0]), unsafe.Pointer(&row[:8*s.part][0]), unsafe.Pointer(&s.first[0])
	backwardStages(s.stages, from, s.part)
	span, o := uintptr(s.part)*8, uintptr(0)
	for at := uintptr(0); at < span; at += 32 {
		r0, r1, r2, r3 := getColumns(from, 4*at)
		i0, i1, i2, i3 := getColumns(from, 4*at+vecBytes)
		c, n := get(w, o), get(w, o+vecBytes)
		r1, i1 = r1.Mul(c).Sub(i1.Mul(n)), i1.Mul(c).Add(r1.Mul(n))
		c, n = get(w, o+2*vecBytes), get(w, o+3*vecBytes)
		r2, i2 = r2.Mul(c).Sub(i2.Mul(n)), i2.Mul(c).Add(r2.Mul(n))
		c, n = get(w, o+4*vecBytes), get(w, o+5*vecBytes)
		r3, i3 = r3.Mul(c).Sub(i3.Mul(n)), i3.Mul(c).Add(r3.Mul(n))
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		putPairs(to, at, tr.Add(vr), ti.Add(vi))
		putPairs(to, at+span, ur.Sub(wi), ui.Add(wr))
		putPairs(to, at+2*span, tr.Sub(vr), ti.Sub(vi))
		putPairs(to, at+3*span, ur.Add(wi), ui.Sub(wr))
		o += 6 * vecBytes
	}
}

// getColumns reads the real or the imaginary parts of four cells: lane q of each into vec q. putColumns writes them.
func getColumns(z unsafe.Pointer, at uintptr) (a, b, c, d vec) {
	return columns(get(z, at), get(z, at+cellBytes), get(z, at+2*cellBytes), get(z, at+3*cellBytes))
}

func putColumns(z unsafe.Pointer, at uintptr, a, b, c, d vec) {
	a, b, c, d = columns(a, b, c, d)
	put(z, at, a)
	put(z, at+cellBytes, b)
	put(z, at+2*cellBytes, c)
	put(z, at+3*cellBytes, d)
}

// columns returns the columns of a matrix that has these rows.
func columns(a, b, c, d vec) (w, x, y, z vec) {
	ab, cd := zipLow(a, b), zipLow(c, d)
	w, x = lows(ab, cd), highs(ab, cd)
	ab, cd = zipHigh(a, b), zipHigh(c, d)
	return w, x, lows(ab, cd), highs(ab, cd)
}

// getPairs reads four complex numbers, and putPairs writes them.
func getPairs(p unsafe.Pointer, at uintptr) (re, im vec) {
	v, w := get(p, at), get(p, at+vecBytes)
	return evens(v, w), odds(v, w)
}

func putPairs(p unsafe.Pointer, at uintptr, re, im vec) {
	put(p, at, zipLow(re, im))
	put(p, at+vecBytes, zipHigh(re, im))
}

// multiply multiplies product by the spectrum of the transform z, and for the last degree lays it out in z for the
// inverse transform. For degree 2, product is the transform of the first degree. It is splitHalf, multiplyHalf,
// mergeLast or mergeTwo of each lane.
func (s *single) multiply(product, z []vec, first, last bool) {
	two := s.plan.config.Degree == 2
	f, at, turn := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0]), unsafe.Pointer(&s.turns[0])
	pairs, o := s.plan.pairs, uintptr(0)
	for i := 0; i <= s.part/2; i++ {
		// Frequencies 4i … 4i+3 are at a. Opposite them, 4i is at l and the others at m, in the reverse order. In the
		// middle lane 0 alone has a frequency that was not met before.
		middle := i == s.part/2
		a, l := uintptr(pairs[4*i].a), uintptr(pairs[4*i].b)
		m := l
		if !middle {
			m = uintptr(pairs[4*i+4].b)
		}
		re, im := get(turn, uintptr(i)*cellBytes), get(turn, uintptr(i)*cellBytes+vecBytes)

		xr, xi, yr, yi := split(at, a, l, m, re, im)
		if !first {
			var fr, fi, gr, gi vec
			if two {
				fr, fi, gr, gi = split(f, a, l, m, re, im)
			} else {
				fr, fi, gr, gi = get(f, o), get(f, o+vecBytes), get(f, o+2*vecBytes), get(f, o+3*vecBytes)
			}
			xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
			yr, yi = gr.Mul(yr).Sub(gi.Mul(yi)), gr.Mul(yi).Add(gi.Mul(yr))
		}
		if !last {
			put(f, o, xr)
			put(f, o+vecBytes, xi)
			put(f, o+2*vecBytes, yr)
			put(f, o+3*vecBytes, yi)
		} else {
			tr, ti := xr.Add(yr), xi.Sub(yi)
			ur, ui := xr.Sub(yr), xi.Add(yi)
			vr, vi := ur.Mul(re).Add(ui.Mul(im)), ui.Mul(re).Sub(ur.Mul(im)) // conj(w^k)·U
			br, bi, ar, ai := tr.Add(vi), vr.Sub(ti), tr.Sub(vi), ti.Add(vr)
			putFirst(at, l, br)
			putFirst(at, l+vecBytes, bi)
			if middle {
				putFirst(at, a, ar)
				putFirst(at, a+vecBytes, ai)
			} else {
				put(at, m, reversed(br, get(at, m)))
				put(at, m+vecBytes, reversed(bi, get(at, m+vecBytes)))
				put(at, a, ar)
				put(at, a+vecBytes, ai)
			}
		}
		o += 4 * vecBytes
	}
}

// split returns the spectra X_k and X_{n−k} for the frequencies at a and opposite them.
func split(z unsafe.Pointer, a, l, m uintptr, re, im vec) (xr, xi, yr, yi vec) {
	ar, ai := get(z, a), get(z, a+vecBytes)
	br, bi := reversed(get(z, m), get(z, l)), reversed(get(z, m+vecBytes), get(z, l+vecBytes))
	tr, ti := ar.Add(br), ai.Sub(bi)
	ur, ui := ai.Add(bi), br.Sub(ar)
	vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
	return tr.Add(vr), ti.Add(vi), tr.Sub(vr), vi.Sub(ti)
}

// putFirst writes the number of the first lane alone.
func putFirst(z unsafe.Pointer, offset uintptr, v vec) {
	*(*float32)(unsafe.Add(z, offset)) = lanesOf(v)[0]
}

package lanes

import "unsafe"

// The butterflies of the mixed-radix transform. Forward, part q of a block takes
// b_q = w^q · Σ_s a_s·exp(−2πi·sq/radix); backward is its transpose with the
// conjugates. Each product and sum is a vec operation of its own: same bits on
// every platform.
//
// A call runs one stage over consecutive blocks. Addresses are a pointer to the
// first block and byte offsets that stay within the blocks: slices would cost a
// bounds check, and in WebAssembly a jump table, per element.

const (
	vecBytes  = unsafe.Sizeof(vec{})
	cellBytes = 2 * vecBytes // one complex number of every lane
)

// factorAt returns number i of the twiddle factors at offset.
func factorAt(w unsafe.Pointer, offset uintptr, i uintptr) vec {
	return splat(*(*float32)(unsafe.Add(w, offset+4*i)))
}

func (s *stage) forward(z unsafe.Pointer, blocks int) {
	switch {
	case s.part == 1 && s.radix == 8:
		forwardLast8(z, blocks)
	case s.part == 1 && s.radix == 4:
		forwardLast4(z, blocks)
	case s.radix == 2:
		s.forward2(z, blocks)
	case s.radix == 3:
		s.forward3(z, blocks)
	case s.radix == 4:
		s.forward4(z, blocks)
	case s.radix == 5:
		s.forward5(z, blocks)
	}
}

func (s *stage) backward(z unsafe.Pointer, blocks int) {
	switch {
	case s.part == 1 && s.radix == 8:
		backwardLast8(z, blocks)
	case s.part == 1 && s.radix == 4:
		backwardLast4(z, blocks)
	case s.radix == 2:
		s.backward2(z, blocks)
	case s.radix == 3:
		s.backward3(z, blocks)
	case s.radix == 4:
		s.backward4(z, blocks)
	case s.radix == 5:
		s.backward5(z, blocks)
	}
}

// Constants of radix 3, 5 and 8, rounded once.
const (
	sin60    = 0.86602540378443864676
	cos72    = 0.30901699437494742410
	cos144   = -0.80901699437494742410
	sin72    = 0.95105651629515357212
	sin144   = 0.58778525229247312917
	rootHalf = 0.70710678118654752440
)

func (s *stage) forward2(z unsafe.Pointer, blocks int) {
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*2*span; block += 2 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			put(z, a, r0.Add(r1))
			put(z, a+vecBytes, i0.Add(i1))
			r1, i1 = r0.Sub(r1), i0.Sub(i1)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			put(z, a+span, r1.Mul(c1).Add(i1.Mul(s1)))
			put(z, a+span+vecBytes, i1.Mul(c1).Sub(r1.Mul(s1)))
			w += 8
		}
	}
}

func (s *stage) backward2(z unsafe.Pointer, blocks int) {
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*2*span; block += 2 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			r1, i1 = r1.Mul(c1).Sub(i1.Mul(s1)), i1.Mul(c1).Add(r1.Mul(s1))
			put(z, a, r0.Add(r1))
			put(z, a+vecBytes, i0.Add(i1))
			put(z, a+span, r0.Sub(r1))
			put(z, a+span+vecBytes, i0.Sub(i1))
			w += 8
		}
	}
}

func (s *stage) forward3(z unsafe.Pointer, blocks int) {
	half, s60 := splat(0.5), splat(sin60)
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*3*span; block += 3 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			tr, ti := r1.Add(r2), i1.Add(i2)
			ur, ui := r1.Sub(r2).Mul(s60), i1.Sub(i2).Mul(s60)
			mr, mi := r0.Sub(tr.Mul(half)), i0.Sub(ti.Mul(half))
			put(z, a, r0.Add(tr))
			put(z, a+vecBytes, i0.Add(ti))
			r1, i1 = mr.Add(ui), mi.Sub(ur)
			r2, i2 = mr.Sub(ui), mi.Add(ur)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			put(z, a+span, r1.Mul(c1).Add(i1.Mul(s1)))
			put(z, a+span+vecBytes, i1.Mul(c1).Sub(r1.Mul(s1)))
			c2, s2 := factorAt(twiddles, w, 2), factorAt(twiddles, w, 3)
			put(z, a+2*span, r2.Mul(c2).Add(i2.Mul(s2)))
			put(z, a+2*span+vecBytes, i2.Mul(c2).Sub(r2.Mul(s2)))
			w += 16
		}
	}
}

func (s *stage) backward3(z unsafe.Pointer, blocks int) {
	half, s60 := splat(0.5), splat(sin60)
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*3*span; block += 3 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			r1, i1 = r1.Mul(c1).Sub(i1.Mul(s1)), i1.Mul(c1).Add(r1.Mul(s1))
			c2, s2 := factorAt(twiddles, w, 2), factorAt(twiddles, w, 3)
			r2, i2 = r2.Mul(c2).Sub(i2.Mul(s2)), i2.Mul(c2).Add(r2.Mul(s2))
			tr, ti := r1.Add(r2), i1.Add(i2)
			ur, ui := r1.Sub(r2).Mul(s60), i1.Sub(i2).Mul(s60)
			mr, mi := r0.Sub(tr.Mul(half)), i0.Sub(ti.Mul(half))
			put(z, a, r0.Add(tr))
			put(z, a+vecBytes, i0.Add(ti))
			put(z, a+span, mr.Sub(ui))
			put(z, a+span+vecBytes, mi.Add(ur))
			put(z, a+2*span, mr.Add(ui))
			put(z, a+2*span+vecBytes, mi.Sub(ur))
			w += 16
		}
	}
}

func (s *stage) forward4(z unsafe.Pointer, blocks int) {
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*4*span; block += 4 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			r3, i3 := get(z, a+3*span), get(z, a+3*span+vecBytes)
			tr, ti := r0.Add(r2), i0.Add(i2)
			ur, ui := r0.Sub(r2), i0.Sub(i2)
			vr, vi := r1.Add(r3), i1.Add(i3)
			wr, wi := r1.Sub(r3), i1.Sub(i3)
			put(z, a, tr.Add(vr))
			put(z, a+vecBytes, ti.Add(vi))
			r1, i1 = ur.Add(wi), ui.Sub(wr)
			r2, i2 = tr.Sub(vr), ti.Sub(vi)
			r3, i3 = ur.Sub(wi), ui.Add(wr)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			put(z, a+span, r1.Mul(c1).Add(i1.Mul(s1)))
			put(z, a+span+vecBytes, i1.Mul(c1).Sub(r1.Mul(s1)))
			c2, s2 := factorAt(twiddles, w, 2), factorAt(twiddles, w, 3)
			put(z, a+2*span, r2.Mul(c2).Add(i2.Mul(s2)))
			put(z, a+2*span+vecBytes, i2.Mul(c2).Sub(r2.Mul(s2)))
			c3, s3 := factorAt(twiddles, w, 4), factorAt(twiddles, w, 5)
			put(z, a+3*span, r3.Mul(c3).Add(i3.Mul(s3)))
			put(z, a+3*span+vecBytes, i3.Mul(c3).Sub(r3.Mul(s3)))
			w += 24
		}
	}
}

func (s *stage) backward4(z unsafe.Pointer, blocks int) {
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*4*span; block += 4 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			r3, i3 := get(z, a+3*span), get(z, a+3*span+vecBytes)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			r1, i1 = r1.Mul(c1).Sub(i1.Mul(s1)), i1.Mul(c1).Add(r1.Mul(s1))
			c2, s2 := factorAt(twiddles, w, 2), factorAt(twiddles, w, 3)
			r2, i2 = r2.Mul(c2).Sub(i2.Mul(s2)), i2.Mul(c2).Add(r2.Mul(s2))
			c3, s3 := factorAt(twiddles, w, 4), factorAt(twiddles, w, 5)
			r3, i3 = r3.Mul(c3).Sub(i3.Mul(s3)), i3.Mul(c3).Add(r3.Mul(s3))
			tr, ti := r0.Add(r2), i0.Add(i2)
			ur, ui := r0.Sub(r2), i0.Sub(i2)
			vr, vi := r1.Add(r3), i1.Add(i3)
			wr, wi := r1.Sub(r3), i1.Sub(i3)
			put(z, a, tr.Add(vr))
			put(z, a+vecBytes, ti.Add(vi))
			put(z, a+span, ur.Sub(wi))
			put(z, a+span+vecBytes, ui.Add(wr))
			put(z, a+2*span, tr.Sub(vr))
			put(z, a+2*span+vecBytes, ti.Sub(vi))
			put(z, a+3*span, ur.Add(wi))
			put(z, a+3*span+vecBytes, ui.Sub(wr))
			w += 24
		}
	}
}

func (s *stage) forward5(z unsafe.Pointer, blocks int) {
	c72, c144, s72, s144 := splat(cos72), splat(cos144), splat(sin72), splat(sin144)
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*5*span; block += 5 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			r3, i3 := get(z, a+3*span), get(z, a+3*span+vecBytes)
			r4, i4 := get(z, a+4*span), get(z, a+4*span+vecBytes)
			tr, ti := r1.Add(r4), i1.Add(i4)
			ur, ui := r2.Add(r3), i2.Add(i3)
			vr, vi := r1.Sub(r4), i1.Sub(i4)
			xr, xi := r2.Sub(r3), i2.Sub(i3)
			mr, mi := r0.Add(tr.Mul(c72)).Add(ur.Mul(c144)), i0.Add(ti.Mul(c72)).Add(ui.Mul(c144))
			nr, ni := r0.Add(tr.Mul(c144)).Add(ur.Mul(c72)), i0.Add(ti.Mul(c144)).Add(ui.Mul(c72))
			pr, pi := vr.Mul(s72).Add(xr.Mul(s144)), vi.Mul(s72).Add(xi.Mul(s144))
			qr, qi := vr.Mul(s144).Sub(xr.Mul(s72)), vi.Mul(s144).Sub(xi.Mul(s72))
			put(z, a, r0.Add(tr).Add(ur))
			put(z, a+vecBytes, i0.Add(ti).Add(ui))
			r1, i1 = mr.Add(pi), mi.Sub(pr)
			r2, i2 = nr.Add(qi), ni.Sub(qr)
			r3, i3 = nr.Sub(qi), ni.Add(qr)
			r4, i4 = mr.Sub(pi), mi.Add(pr)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			put(z, a+span, r1.Mul(c1).Add(i1.Mul(s1)))
			put(z, a+span+vecBytes, i1.Mul(c1).Sub(r1.Mul(s1)))
			c2, s2 := factorAt(twiddles, w, 2), factorAt(twiddles, w, 3)
			put(z, a+2*span, r2.Mul(c2).Add(i2.Mul(s2)))
			put(z, a+2*span+vecBytes, i2.Mul(c2).Sub(r2.Mul(s2)))
			c3, s3 := factorAt(twiddles, w, 4), factorAt(twiddles, w, 5)
			put(z, a+3*span, r3.Mul(c3).Add(i3.Mul(s3)))
			put(z, a+3*span+vecBytes, i3.Mul(c3).Sub(r3.Mul(s3)))
			c4, s4 := factorAt(twiddles, w, 6), factorAt(twiddles, w, 7)
			put(z, a+4*span, r4.Mul(c4).Add(i4.Mul(s4)))
			put(z, a+4*span+vecBytes, i4.Mul(c4).Sub(r4.Mul(s4)))
			w += 32
		}
	}
}

func (s *stage) backward5(z unsafe.Pointer, blocks int) {
	c72, c144, s72, s144 := splat(cos72), splat(cos144), splat(sin72), splat(sin144)
	twiddles, span := unsafe.Pointer(unsafe.SliceData(s.twiddles)), uintptr(s.part)*cellBytes
	for block := uintptr(0); block < uintptr(blocks)*5*span; block += 5 * span {
		w := uintptr(0)
		for a := block; a < block+span; a += cellBytes {
			rotateBack(z, a+2*span, twiddles, w+8)
			rotateBack(z, a+3*span, twiddles, w+16)
			rotateBack(z, a+4*span, twiddles, w+24)
			r0, i0 := get(z, a), get(z, a+vecBytes)
			r1, i1 := get(z, a+span), get(z, a+span+vecBytes)
			c1, s1 := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
			r1, i1 = r1.Mul(c1).Sub(i1.Mul(s1)), i1.Mul(c1).Add(r1.Mul(s1))
			r2, i2 := get(z, a+2*span), get(z, a+2*span+vecBytes)
			r3, i3 := get(z, a+3*span), get(z, a+3*span+vecBytes)
			r4, i4 := get(z, a+4*span), get(z, a+4*span+vecBytes)
			tr, ti := r1.Add(r4), i1.Add(i4)
			ur, ui := r2.Add(r3), i2.Add(i3)
			vr, vi := r1.Sub(r4), i1.Sub(i4)
			xr, xi := r2.Sub(r3), i2.Sub(i3)
			mr, mi := r0.Add(tr.Mul(c72)).Add(ur.Mul(c144)), i0.Add(ti.Mul(c72)).Add(ui.Mul(c144))
			nr, ni := r0.Add(tr.Mul(c144)).Add(ur.Mul(c72)), i0.Add(ti.Mul(c144)).Add(ui.Mul(c72))
			pr, pi := vr.Mul(s72).Add(xr.Mul(s144)), vi.Mul(s72).Add(xi.Mul(s144))
			qr, qi := vr.Mul(s144).Sub(xr.Mul(s72)), vi.Mul(s144).Sub(xi.Mul(s72))
			put(z, a, r0.Add(tr).Add(ur))
			put(z, a+vecBytes, i0.Add(ti).Add(ui))
			put(z, a+span, mr.Sub(pi))
			put(z, a+span+vecBytes, mi.Add(pr))
			put(z, a+2*span, nr.Sub(qi))
			put(z, a+2*span+vecBytes, ni.Add(qr))
			put(z, a+3*span, nr.Add(qi))
			put(z, a+3*span+vecBytes, ni.Sub(qr))
			put(z, a+4*span, mr.Add(pi))
			put(z, a+4*span+vecBytes, mi.Sub(pr))
			w += 32
		}
	}
}

// rotateBack multiplies the number at a by the factor at w. It goes to memory in between: Go's compiler would load the
// factors of all parts at once, and spill them by SSE instructions. These are slow among AVX instructions.
func rotateBack(z unsafe.Pointer, a uintptr, twiddles unsafe.Pointer, w uintptr) {
	c, s := factorAt(twiddles, w, 0), factorAt(twiddles, w, 1)
	re, im := get(z, a), get(z, a+vecBytes)
	put(z, a, re.Mul(c).Sub(im.Mul(s)))
	put(z, a+vecBytes, im.Mul(c).Add(re.Mul(s)))
}

// A last stage, with parts of one number, needs no twiddle factors.

func forwardLast4(z unsafe.Pointer, blocks int) {
	for a := uintptr(0); a < uintptr(blocks)*4*cellBytes; a += 4 * cellBytes {
		r0, i0 := get(z, a), get(z, a+vecBytes)
		r1, i1 := get(z, a+2*vecBytes), get(z, a+3*vecBytes)
		r2, i2 := get(z, a+4*vecBytes), get(z, a+5*vecBytes)
		r3, i3 := get(z, a+6*vecBytes), get(z, a+7*vecBytes)
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		put(z, a, tr.Add(vr))
		put(z, a+vecBytes, ti.Add(vi))
		put(z, a+2*vecBytes, ur.Add(wi))
		put(z, a+3*vecBytes, ui.Sub(wr))
		put(z, a+4*vecBytes, tr.Sub(vr))
		put(z, a+5*vecBytes, ti.Sub(vi))
		put(z, a+6*vecBytes, ur.Sub(wi))
		put(z, a+7*vecBytes, ui.Add(wr))
	}
}

func backwardLast4(z unsafe.Pointer, blocks int) {
	for a := uintptr(0); a < uintptr(blocks)*4*cellBytes; a += 4 * cellBytes {
		r0, i0 := get(z, a), get(z, a+vecBytes)
		r1, i1 := get(z, a+2*vecBytes), get(z, a+3*vecBytes)
		r2, i2 := get(z, a+4*vecBytes), get(z, a+5*vecBytes)
		r3, i3 := get(z, a+6*vecBytes), get(z, a+7*vecBytes)
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		put(z, a, tr.Add(vr))
		put(z, a+vecBytes, ti.Add(vi))
		put(z, a+2*vecBytes, ur.Sub(wi))
		put(z, a+3*vecBytes, ui.Add(wr))
		put(z, a+4*vecBytes, tr.Sub(vr))
		put(z, a+5*vecBytes, ti.Sub(vi))
		put(z, a+6*vecBytes, ur.Add(wi))
		put(z, a+7*vecBytes, ui.Sub(wr))
	}
}

func forwardLast8(z unsafe.Pointer, blocks int) {
	h := splat(rootHalf)
	for a := uintptr(0); a < uintptr(blocks)*8*cellBytes; a += 8 * cellBytes {
		r0, i0 := get(z, a), get(z, a+vecBytes)
		r2, i2 := get(z, a+4*vecBytes), get(z, a+5*vecBytes)
		r4, i4 := get(z, a+8*vecBytes), get(z, a+9*vecBytes)
		r6, i6 := get(z, a+12*vecBytes), get(z, a+13*vecBytes)
		r0, i0, r4, i4 = r0.Add(r4), i0.Add(i4), r0.Sub(r4), i0.Sub(i4)
		r2, i2, r6, i6 = r2.Add(r6), i2.Add(i6), r2.Sub(r6), i2.Sub(i6)
		r0, i0, r2, i2 = r0.Add(r2), i0.Add(i2), r0.Sub(r2), i0.Sub(i2)
		r4, i4, r6, i6 = r4.Add(i6), i4.Sub(r6), r4.Sub(i6), i4.Add(r6)
		r1, i1 := get(z, a+2*vecBytes), get(z, a+3*vecBytes)
		r3, i3 := get(z, a+6*vecBytes), get(z, a+7*vecBytes)
		r5, i5 := get(z, a+10*vecBytes), get(z, a+11*vecBytes)
		r7, i7 := get(z, a+14*vecBytes), get(z, a+15*vecBytes)
		r1, i1, r5, i5 = r1.Add(r5), i1.Add(i5), r1.Sub(r5), i1.Sub(i5)
		r3, i3, r7, i7 = r3.Add(r7), i3.Add(i7), r3.Sub(r7), i3.Sub(i7)
		r1, i1, r3, i3 = r1.Add(r3), i1.Add(i3), r1.Sub(r3), i1.Sub(i3)
		r5, i5, r7, i7 = r5.Add(i7), i5.Sub(r7), r5.Sub(i7), i5.Add(r7)
		put(z, a, r0.Add(r1))
		put(z, a+vecBytes, i0.Add(i1))
		put(z, a+8*vecBytes, r0.Sub(r1))
		put(z, a+9*vecBytes, i0.Sub(i1))
		r5, i5 = r5.Add(i5).Mul(h), i5.Sub(r5).Mul(h)
		put(z, a+2*vecBytes, r4.Add(r5))
		put(z, a+3*vecBytes, i4.Add(i5))
		put(z, a+10*vecBytes, r4.Sub(r5))
		put(z, a+11*vecBytes, i4.Sub(i5))
		put(z, a+4*vecBytes, r2.Add(i3))
		put(z, a+5*vecBytes, i2.Sub(r3))
		put(z, a+12*vecBytes, r2.Sub(i3))
		put(z, a+13*vecBytes, i2.Add(r3))
		r7, i7 = i7.Sub(r7).Mul(h), r7.Add(i7).Mul(h)
		put(z, a+6*vecBytes, r6.Add(r7))
		put(z, a+7*vecBytes, i6.Sub(i7))
		put(z, a+14*vecBytes, r6.Sub(r7))
		put(z, a+15*vecBytes, i6.Add(i7))
	}
}

func backwardLast8(z unsafe.Pointer, blocks int) {
	h := splat(rootHalf)
	for a := uintptr(0); a < uintptr(blocks)*8*cellBytes; a += 8 * cellBytes {
		r0, i0 := get(z, a), get(z, a+vecBytes)
		r2, i2 := get(z, a+4*vecBytes), get(z, a+5*vecBytes)
		r4, i4 := get(z, a+8*vecBytes), get(z, a+9*vecBytes)
		r6, i6 := get(z, a+12*vecBytes), get(z, a+13*vecBytes)
		r0, i0, r4, i4 = r0.Add(r4), i0.Add(i4), r0.Sub(r4), i0.Sub(i4)
		r2, i2, r6, i6 = r2.Add(r6), i2.Add(i6), r2.Sub(r6), i2.Sub(i6)
		r0, i0, r2, i2 = r0.Add(r2), i0.Add(i2), r0.Sub(r2), i0.Sub(i2)
		r4, i4, r6, i6 = r4.Sub(i6), i4.Add(r6), r4.Add(i6), i4.Sub(r6)
		r1, i1 := get(z, a+2*vecBytes), get(z, a+3*vecBytes)
		r3, i3 := get(z, a+6*vecBytes), get(z, a+7*vecBytes)
		r5, i5 := get(z, a+10*vecBytes), get(z, a+11*vecBytes)
		r7, i7 := get(z, a+14*vecBytes), get(z, a+15*vecBytes)
		r1, i1, r5, i5 = r1.Add(r5), i1.Add(i5), r1.Sub(r5), i1.Sub(i5)
		r3, i3, r7, i7 = r3.Add(r7), i3.Add(i7), r3.Sub(r7), i3.Sub(i7)
		r1, i1, r3, i3 = r1.Add(r3), i1.Add(i3), r1.Sub(r3), i1.Sub(i3)
		r5, i5, r7, i7 = r5.Sub(i7), i5.Add(r7), r5.Add(i7), i5.Sub(r7)
		put(z, a, r0.Add(r1))
		put(z, a+vecBytes, i0.Add(i1))
		put(z, a+8*vecBytes, r0.Sub(r1))
		put(z, a+9*vecBytes, i0.Sub(i1))
		r5, i5 = r5.Sub(i5).Mul(h), i5.Add(r5).Mul(h)
		put(z, a+2*vecBytes, r4.Add(r5))
		put(z, a+3*vecBytes, i4.Add(i5))
		put(z, a+10*vecBytes, r4.Sub(r5))
		put(z, a+11*vecBytes, i4.Sub(i5))
		put(z, a+4*vecBytes, r2.Sub(i3))
		put(z, a+5*vecBytes, i2.Add(r3))
		put(z, a+12*vecBytes, r2.Add(i3))
		put(z, a+13*vecBytes, i2.Sub(r3))
		r7, i7 = r7.Add(i7).Mul(h), r7.Sub(i7).Mul(h)
		put(z, a+6*vecBytes, r6.Sub(r7))
		put(z, a+7*vecBytes, i6.Add(i7))
		put(z, a+14*vecBytes, r6.Add(r7))
		put(z, a+15*vecBytes, i6.Sub(i7))
	}
}

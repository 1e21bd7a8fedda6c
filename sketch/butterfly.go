package sketch

// The butterflies of the mixed-radix transform. Forward, part q of a block takes
// b_q = w^q · Σ_s a_s·exp(−2πi·sq/radix); backward is its transpose with the
// conjugates. Each product and sum is a vec operation of its own: same bits on
// every platform.

func (s *stage) forward(z []vec) {
	switch s.radix {
	case 2:
		s.forward2(z)
	case 3:
		s.forward3(z)
	case 4:
		s.forward4(z)
	case 5:
		s.forward5(z)
	}
}

func (s *stage) backward(z []vec) {
	switch s.radix {
	case 2:
		s.backward2(z)
	case 3:
		s.backward3(z)
	case 4:
		s.backward4(z)
	case 5:
		s.backward5(z)
	}
}

// times returns (re + i·im)(cos − i·sin): a forward twiddle.
func times(re, im vec, w []float32) (vec, vec) {
	cos, sin := splat(w[0]), splat(w[1])
	return re.Mul(cos).Add(im.Mul(sin)), im.Mul(cos).Sub(re.Mul(sin))
}

// timesConj returns (re + i·im)(cos + i·sin): a backward twiddle.
func timesConj(re, im vec, w []float32) (vec, vec) {
	cos, sin := splat(w[0]), splat(w[1])
	return re.Mul(cos).Sub(im.Mul(sin)), im.Mul(cos).Add(re.Mul(sin))
}

// Constants of radix 3 and 5, rounded once.
var (
	half   = splat(0.5)
	sin60  = splat(0.86602540378443864676)
	cos72  = splat(0.30901699437494742410)
	cos144 = splat(-0.80901699437494742410)
	sin72  = splat(0.95105651629515357212)
	sin144 = splat(0.58778525229247312917)
)

func (s *stage) forward2(z []vec) {
	if s.part == 1 {
		butterflies2(z)
		return
	}
	part := 2 * s.part
	for ; len(z) > 0; z = z[2*part:] {
		z0, z1 := z[:part], z[part:2*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := z1[j], z1[j+1]
			z0[j], z0[j+1] = r0.Add(r1), i0.Add(i1)
			z1[j], z1[j+1] = times(r0.Sub(r1), i0.Sub(i1), w[0:])
			w = w[2:]
		}
	}
}

func (s *stage) backward2(z []vec) {
	if s.part == 1 {
		butterflies2(z)
		return
	}
	part := 2 * s.part
	for ; len(z) > 0; z = z[2*part:] {
		z0, z1 := z[:part], z[part:2*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := timesConj(z1[j], z1[j+1], w[0:])
			z0[j], z0[j+1] = r0.Add(r1), i0.Add(i1)
			z1[j], z1[j+1] = r0.Sub(r1), i0.Sub(i1)
			w = w[2:]
		}
	}
}

func (s *stage) forward3(z []vec) {
	part := 2 * s.part
	for ; len(z) > 0; z = z[3*part:] {
		z0, z1, z2 := z[:part], z[part:2*part], z[2*part:3*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := z1[j], z1[j+1]
			r2, i2 := z2[j], z2[j+1]
			tr, ti := r1.Add(r2), i1.Add(i2)
			ur, ui := r1.Sub(r2).Mul(sin60), i1.Sub(i2).Mul(sin60)
			mr, mi := r0.Sub(tr.Mul(half)), i0.Sub(ti.Mul(half))
			z0[j], z0[j+1] = r0.Add(tr), i0.Add(ti)
			z1[j], z1[j+1] = times(mr.Add(ui), mi.Sub(ur), w[0:])
			z2[j], z2[j+1] = times(mr.Sub(ui), mi.Add(ur), w[2:])
			w = w[4:]
		}
	}
}

func (s *stage) backward3(z []vec) {
	part := 2 * s.part
	for ; len(z) > 0; z = z[3*part:] {
		z0, z1, z2 := z[:part], z[part:2*part], z[2*part:3*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := timesConj(z1[j], z1[j+1], w[0:])
			r2, i2 := timesConj(z2[j], z2[j+1], w[2:])
			tr, ti := r1.Add(r2), i1.Add(i2)
			ur, ui := r1.Sub(r2).Mul(sin60), i1.Sub(i2).Mul(sin60)
			mr, mi := r0.Sub(tr.Mul(half)), i0.Sub(ti.Mul(half))
			z0[j], z0[j+1] = r0.Add(tr), i0.Add(ti)
			z1[j], z1[j+1] = mr.Sub(ui), mi.Add(ur)
			z2[j], z2[j+1] = mr.Add(ui), mi.Sub(ur)
			w = w[4:]
		}
	}
}

func (s *stage) forward4(z []vec) {
	if s.part == 1 {
		forwardLast4(z)
		return
	}
	part := 2 * s.part
	for ; len(z) > 0; z = z[4*part:] {
		z0, z1, z2, z3 := z[:part], z[part:2*part], z[2*part:3*part], z[3*part:4*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := z1[j], z1[j+1]
			r2, i2 := z2[j], z2[j+1]
			r3, i3 := z3[j], z3[j+1]
			tr, ti := r0.Add(r2), i0.Add(i2)
			ur, ui := r0.Sub(r2), i0.Sub(i2)
			vr, vi := r1.Add(r3), i1.Add(i3)
			wr, wi := r1.Sub(r3), i1.Sub(i3)
			z0[j], z0[j+1] = tr.Add(vr), ti.Add(vi)
			z1[j], z1[j+1] = times(ur.Add(wi), ui.Sub(wr), w[0:])
			z2[j], z2[j+1] = times(tr.Sub(vr), ti.Sub(vi), w[2:])
			z3[j], z3[j+1] = times(ur.Sub(wi), ui.Add(wr), w[4:])
			w = w[6:]
		}
	}
}

func (s *stage) backward4(z []vec) {
	if s.part == 1 {
		backwardLast4(z)
		return
	}
	part := 2 * s.part
	for ; len(z) > 0; z = z[4*part:] {
		z0, z1, z2, z3 := z[:part], z[part:2*part], z[2*part:3*part], z[3*part:4*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := timesConj(z1[j], z1[j+1], w[0:])
			r2, i2 := timesConj(z2[j], z2[j+1], w[2:])
			r3, i3 := timesConj(z3[j], z3[j+1], w[4:])
			tr, ti := r0.Add(r2), i0.Add(i2)
			ur, ui := r0.Sub(r2), i0.Sub(i2)
			vr, vi := r1.Add(r3), i1.Add(i3)
			wr, wi := r1.Sub(r3), i1.Sub(i3)
			z0[j], z0[j+1] = tr.Add(vr), ti.Add(vi)
			z1[j], z1[j+1] = ur.Sub(wi), ui.Add(wr)
			z2[j], z2[j+1] = tr.Sub(vr), ti.Sub(vi)
			z3[j], z3[j+1] = ur.Add(wi), ui.Sub(wr)
			w = w[6:]
		}
	}
}

func (s *stage) forward5(z []vec) {
	part := 2 * s.part
	for ; len(z) > 0; z = z[5*part:] {
		z0, z1, z2, z3, z4 := z[:part], z[part:2*part], z[2*part:3*part], z[3*part:4*part], z[4*part:5*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := z1[j], z1[j+1]
			r2, i2 := z2[j], z2[j+1]
			r3, i3 := z3[j], z3[j+1]
			r4, i4 := z4[j], z4[j+1]
			tr, ti := r1.Add(r4), i1.Add(i4)
			ur, ui := r2.Add(r3), i2.Add(i3)
			vr, vi := r1.Sub(r4), i1.Sub(i4)
			xr, xi := r2.Sub(r3), i2.Sub(i3)
			mr, mi := r0.Add(tr.Mul(cos72)).Add(ur.Mul(cos144)), i0.Add(ti.Mul(cos72)).Add(ui.Mul(cos144))
			nr, ni := r0.Add(tr.Mul(cos144)).Add(ur.Mul(cos72)), i0.Add(ti.Mul(cos144)).Add(ui.Mul(cos72))
			pr, pi := vr.Mul(sin72).Add(xr.Mul(sin144)), vi.Mul(sin72).Add(xi.Mul(sin144))
			qr, qi := vr.Mul(sin144).Sub(xr.Mul(sin72)), vi.Mul(sin144).Sub(xi.Mul(sin72))
			z0[j], z0[j+1] = r0.Add(tr).Add(ur), i0.Add(ti).Add(ui)
			z1[j], z1[j+1] = times(mr.Add(pi), mi.Sub(pr), w[0:])
			z2[j], z2[j+1] = times(nr.Add(qi), ni.Sub(qr), w[2:])
			z3[j], z3[j+1] = times(nr.Sub(qi), ni.Add(qr), w[4:])
			z4[j], z4[j+1] = times(mr.Sub(pi), mi.Add(pr), w[6:])
			w = w[8:]
		}
	}
}

func (s *stage) backward5(z []vec) {
	part := 2 * s.part
	for ; len(z) > 0; z = z[5*part:] {
		z0, z1, z2, z3, z4 := z[:part], z[part:2*part], z[2*part:3*part], z[3*part:4*part], z[4*part:5*part]
		w := s.twiddles
		for j := 0; j+1 < part; j += 2 {
			r0, i0 := z0[j], z0[j+1]
			r1, i1 := timesConj(z1[j], z1[j+1], w[0:])
			r2, i2 := timesConj(z2[j], z2[j+1], w[2:])
			r3, i3 := timesConj(z3[j], z3[j+1], w[4:])
			r4, i4 := timesConj(z4[j], z4[j+1], w[6:])
			tr, ti := r1.Add(r4), i1.Add(i4)
			ur, ui := r2.Add(r3), i2.Add(i3)
			vr, vi := r1.Sub(r4), i1.Sub(i4)
			xr, xi := r2.Sub(r3), i2.Sub(i3)
			mr, mi := r0.Add(tr.Mul(cos72)).Add(ur.Mul(cos144)), i0.Add(ti.Mul(cos72)).Add(ui.Mul(cos144))
			nr, ni := r0.Add(tr.Mul(cos144)).Add(ur.Mul(cos72)), i0.Add(ti.Mul(cos144)).Add(ui.Mul(cos72))
			pr, pi := vr.Mul(sin72).Add(xr.Mul(sin144)), vi.Mul(sin72).Add(xi.Mul(sin144))
			qr, qi := vr.Mul(sin144).Sub(xr.Mul(sin72)), vi.Mul(sin144).Sub(xi.Mul(sin72))
			z0[j], z0[j+1] = r0.Add(tr).Add(ur), i0.Add(ti).Add(ui)
			z1[j], z1[j+1] = mr.Sub(pi), mi.Add(pr)
			z2[j], z2[j+1] = nr.Sub(qi), ni.Add(qr)
			z3[j], z3[j+1] = nr.Add(qi), ni.Sub(qr)
			z4[j], z4[j+1] = mr.Add(pi), mi.Sub(pr)
			w = w[8:]
		}
	}
}

// The last stage has parts of length 1 and needs no twiddles.

func butterflies2(z []vec) {
	for ; len(z) >= 4; z = z[4:] {
		r0, i0 := z[0], z[1]
		r1, i1 := z[2], z[3]
		z[0], z[1] = r0.Add(r1), i0.Add(i1)
		z[2], z[3] = r0.Sub(r1), i0.Sub(i1)
	}
}

func forwardLast4(z []vec) {
	for ; len(z) >= 8; z = z[8:] {
		r0, i0 := z[0], z[1]
		r1, i1 := z[2], z[3]
		r2, i2 := z[4], z[5]
		r3, i3 := z[6], z[7]
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		z[0], z[1] = tr.Add(vr), ti.Add(vi)
		z[2], z[3] = ur.Add(wi), ui.Sub(wr)
		z[4], z[5] = tr.Sub(vr), ti.Sub(vi)
		z[6], z[7] = ur.Sub(wi), ui.Add(wr)
	}
}

func backwardLast4(z []vec) {
	for ; len(z) >= 8; z = z[8:] {
		r0, i0 := z[0], z[1]
		r1, i1 := z[2], z[3]
		r2, i2 := z[4], z[5]
		r3, i3 := z[6], z[7]
		tr, ti := r0.Add(r2), i0.Add(i2)
		ur, ui := r0.Sub(r2), i0.Sub(i2)
		vr, vi := r1.Add(r3), i1.Add(i3)
		wr, wi := r1.Sub(r3), i1.Sub(i3)
		z[0], z[1] = tr.Add(vr), ti.Add(vi)
		z[2], z[3] = ur.Sub(wi), ui.Add(wr)
		z[4], z[5] = tr.Sub(vr), ti.Sub(vi)
		z[6], z[7] = ur.Add(wi), ui.Sub(wr)
	}
}

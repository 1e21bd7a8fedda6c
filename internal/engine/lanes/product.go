package lanes

import "unsafe"

// The passes over the spectra: splitting transforms, multiplying, and merging: the
// transpose of the split, which lays the product out for the inverse transform. All run over the conjugate pairs in the
// order of frequencies; only the transform is addressed in its own order.

// multiplyHalf splits the half-length transform z into the spectrum and
// multiplies product by it: vecs 4k … 4k+3 are X_k and X_{n−k}.
func (p *Plan) multiplyHalf(product, z []vec) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	out := uintptr(0)
	for i := range p.pairs {
		pair := &p.pairs[i]
		a, b := uintptr(pair.a), uintptr(pair.b)
		ar, ai, br, bi := get(at, a), get(at, a+vecBytes), get(at, b), get(at, b+vecBytes)
		re, im := splat(pair.re), splat(pair.im)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		xr, xi := tr.Add(vr), ti.Add(vi)
		yr, yi := tr.Sub(vr), vi.Sub(ti)
		fr, fi := get(f, out), get(f, out+vecBytes)
		put(f, out, fr.Mul(xr).Sub(fi.Mul(xi)))
		put(f, out+vecBytes, fr.Mul(xi).Add(fi.Mul(xr)))
		gr, gi := get(f, out+2*vecBytes), get(f, out+3*vecBytes)
		put(f, out+2*vecBytes, gr.Mul(yr).Sub(gi.Mul(yi)))
		put(f, out+3*vecBytes, gr.Mul(yi).Add(gi.Mul(yr)))
		out += 4 * vecBytes
	}
}

// splitHalf splits the half-length transform z into the spectrum product.
func (p *Plan) splitHalf(product, z []vec) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	out := uintptr(0)
	for i := range p.pairs {
		pair := &p.pairs[i]
		a, b := uintptr(pair.a), uintptr(pair.b)
		ar, ai, br, bi := get(at, a), get(at, a+vecBytes), get(at, b), get(at, b+vecBytes)
		re, im := splat(pair.re), splat(pair.im)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		put(f, out, tr.Add(vr))
		put(f, out+vecBytes, ti.Add(vi))
		put(f, out+2*vecBytes, tr.Sub(vr))
		put(f, out+3*vecBytes, vi.Sub(ti))
		out += 4 * vecBytes
	}
}

// multiplyTwo multiplies product by both spectra of a shared transform: vecs 2k
// and 2k+1 are X_k.
func (p *Plan) multiplyTwo(product, z []vec, first bool) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	out := uintptr(0)
	for i := range p.pairs {
		a, b := uintptr(p.pairs[i].a), uintptr(p.pairs[i].b)
		ar, ai, br, bi := get(at, a), get(at, a+vecBytes), get(at, b), get(at, b+vecBytes)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		xr, xi := tr.Mul(ur).Sub(ti.Mul(ui)), tr.Mul(ui).Add(ti.Mul(ur))
		if !first {
			fr, fi := get(f, out), get(f, out+vecBytes)
			xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		}
		put(f, out, xr)
		put(f, out+vecBytes, xi)
		out += 2 * vecBytes
	}
}

// multiplyOne multiplies product by the spectrum of a transform of one degree.
func (p *Plan) multiplyOne(product, z []vec, first bool) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	out := uintptr(0)
	for i := range p.pairs {
		a := uintptr(p.pairs[i].a)
		xr, xi := get(at, a), get(at, a+vecBytes)
		if !first {
			fr, fi := get(f, out), get(f, out+vecBytes)
			xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		}
		put(f, out, xr)
		put(f, out+vecBytes, xi)
		out += 2 * vecBytes
	}
}

// mergeTwo splits two half-length transforms y and z, multiplies them and lays the
// product out in z for the inverse transform: what multiplyHalf twice and merge do,
// in one pass.
func (p *Plan) mergeTwo(z, y []vec) {
	first, at := unsafe.Pointer(&y[0]), unsafe.Pointer(&z[0])
	for i := range p.pairs {
		pair := &p.pairs[i]
		a, b := uintptr(pair.a), uintptr(pair.b)
		re, im := splat(pair.re), splat(pair.im)

		ar, ai, br, bi := get(first, a), get(first, a+vecBytes), get(first, b), get(first, b+vecBytes)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		fr, fi := tr.Add(vr), ti.Add(vi)
		gr, gi := tr.Sub(vr), vi.Sub(ti)

		ar, ai, br, bi = get(at, a), get(at, a+vecBytes), get(at, b), get(at, b+vecBytes)
		tr, ti = ar.Add(br), ai.Sub(bi)
		ur, ui = ai.Add(bi), br.Sub(ar)
		vr, vi = ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		xr, xi := tr.Add(vr), ti.Add(vi)
		yr, yi := tr.Sub(vr), vi.Sub(ti)

		xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		yr, yi = gr.Mul(yr).Sub(gi.Mul(yi)), gr.Mul(yi).Add(gi.Mul(yr))
		tr, ti = xr.Add(yr), xi.Sub(yi)
		ur, ui = xr.Sub(yr), xi.Add(yi)
		vr, vi = ur.Mul(re).Add(ui.Mul(im)), ui.Mul(re).Sub(ur.Mul(im)) // conj(w^k)·U
		put(at, b, tr.Add(vi))
		put(at, b+vecBytes, vr.Sub(ti))
		put(at, a, tr.Sub(vi))
		put(at, a+vecBytes, ti.Add(vr))
	}
}

// mergeLast multiplies product by the half-length transform z and lays it out in z
// for the inverse transform: what multiplyHalf and merge do, in one pass.
func (p *Plan) mergeLast(z, product []vec) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	in := uintptr(0)
	for i := range p.pairs {
		pair := &p.pairs[i]
		a, b := uintptr(pair.a), uintptr(pair.b)
		re, im := splat(pair.re), splat(pair.im)

		ar, ai, br, bi := get(at, a), get(at, a+vecBytes), get(at, b), get(at, b+vecBytes)
		tr, ti := ar.Add(br), ai.Sub(bi)
		ur, ui := ai.Add(bi), br.Sub(ar)
		vr, vi := ur.Mul(re).Sub(ui.Mul(im)), ur.Mul(im).Add(ui.Mul(re))
		xr, xi := tr.Add(vr), ti.Add(vi)
		yr, yi := tr.Sub(vr), vi.Sub(ti)

		fr, fi, gr, gi := get(f, in), get(f, in+vecBytes), get(f, in+2*vecBytes), get(f, in+3*vecBytes)
		xr, xi = fr.Mul(xr).Sub(fi.Mul(xi)), fr.Mul(xi).Add(fi.Mul(xr))
		yr, yi = gr.Mul(yr).Sub(gi.Mul(yi)), gr.Mul(yi).Add(gi.Mul(yr))
		tr, ti = xr.Add(yr), xi.Sub(yi)
		ur, ui = xr.Sub(yr), xi.Add(yi)
		vr, vi = ur.Mul(re).Add(ui.Mul(im)), ui.Mul(re).Sub(ur.Mul(im)) // conj(w^k)·U
		put(at, b, tr.Add(vi))
		put(at, b+vecBytes, vr.Sub(ti))
		put(at, a, tr.Sub(vi))
		put(at, a+vecBytes, ti.Add(vr))
		in += 4 * vecBytes
	}
}

// mergeOdd lays the product out in z for the inverse transform.
func (p *Plan) mergeOdd(z, product []vec) {
	f, at := unsafe.Pointer(&product[0]), unsafe.Pointer(&z[0])
	in, scale, zero := uintptr(0), splat(p.scale), splat(0)
	for i := range p.pairs {
		a, b := uintptr(p.pairs[i].a), uintptr(p.pairs[i].b)
		re, im := get(f, in).Mul(scale), get(f, in+vecBytes).Mul(scale)
		put(at, b, re)
		put(at, b+vecBytes, zero.Sub(im))
		put(at, a, re)
		put(at, a+vecBytes, im)
		in += 2 * vecBytes
	}
}

// storeSpectrum lays the product out as [X₀, X_{D/2} for even D, √2·Re X₁,
// √2·Im X₁, √2·Re X₂ …]/√D in natural order.
func (p *Plan) storeSpectrum(z, product []vec) {
	root := splat(1.41421356237309504880)
	z[0] = product[0]
	if p.odd {
		scale := splat(p.scale)
		z[0], root = z[0].Mul(scale), root.Mul(scale)
		for k := 1; k < len(p.pairs); k++ {
			z[2*k-1], z[2*k] = product[2*k].Mul(root), product[2*k+1].Mul(root)
		}
		return
	}
	z[1] = product[2] // X_n, n = D/2, stands with X₀
	n := p.fft.n
	for k := 1; k < len(p.pairs); k++ {
		z[2*k], z[2*k+1] = product[4*k].Mul(root), product[4*k+1].Mul(root)
		z[2*(n-k)], z[2*(n-k)+1] = product[4*k+2].Mul(root), product[4*k+3].Mul(root)
	}
}

// multiplyComplex sets z = x·y, complex numbers one by one; z may be x or y.
func multiplyComplex(z, x, y []vec) {
	to, a, b := unsafe.Pointer(&z[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])
	for at, end := uintptr(0), uintptr(len(z))*vecBytes; at < end; at += 2 * vecBytes {
		xr, xi, yr, yi := get(a, at), get(a, at+vecBytes), get(b, at), get(b, at+vecBytes)
		put(to, at, xr.Mul(yr).Sub(xi.Mul(yi)))
		put(to, at+vecBytes, xr.Mul(yi).Add(xi.Mul(yr)))
	}
}

// storeComplexSpectrum lays the product of complex spectra out in natural order.
func (p *Plan) storeComplexSpectrum(z, product []vec) {
	for k, at := range p.order {
		z[2*k], z[2*k+1] = product[2*at], product[2*at+1]
	}
}

package lanes

import "unsafe"

// Steps of linear algebra in float64. Every number is computed on its own, or is one of four partial sums whose order
// is fixed, so that the width of a vector changes no bit.

// AddScaled adds factor·x to y.
func AddScaled(y, x []float64, factor float64) {
	n := len(x)
	if n == 0 {
		return
	}
	to, from, f := unsafe.Pointer(&y[:n][0]), unsafe.Pointer(&x[0]), broadcast(factor)
	whole := uintptr(n) &^ 3
	for at := uintptr(0); at < 8*whole; at += 32 {
		putDoubles(to, at, getDoubles(to, at).Add(getDoubles(from, at).Mul(f)))
		if vecBytes < 32 {
			putDoubles(to, at+vecBytes, getDoubles(to, at+vecBytes).Add(getDoubles(from, at+vecBytes).Mul(f)))
		}
	}
	if int(whole) < n {
		clearUppers()
		for i := int(whole); i < n; i++ {
			y[i] += float64(factor * x[i])
		}
	}
}

// Reflect takes beta·v·(vᵀ·X) from X, n rows of k numbers, where v has n numbers: a reflection of each column. k is a
// multiple of four. The terms of a sum are added in ascending order.
func Reflect(x, v []float64, k int, beta float64) {
	n := len(v)
	if n == 0 || k == 0 {
		return
	}
	from, factors := unsafe.Pointer(&x[:n*k][0]), unsafe.Pointer(&v[0])
	step, end, b, zero := 8*uintptr(k), 8*uintptr(n), broadcast(beta), broadcast(0)
	columns := uintptr(0)
	for ; columns+64 <= step; columns += 64 {
		z := unsafe.Add(from, columns)
		p, q, r, s := zero, zero, zero, zero
		for at := uintptr(0); at < end; at += 8 {
			f := splatDouble(factors, at)
			p, q = p.Add(getDoubles(z, 0).Mul(f)), q.Add(getDoubles(z, vecBytes).Mul(f))
			if vecBytes < 32 {
				r, s = r.Add(getDoubles(z, 2*vecBytes).Mul(f)), s.Add(getDoubles(z, 3*vecBytes).Mul(f))
			}
			z = unsafe.Add(z, step)
		}
		z = unsafe.Add(from, columns)
		p, q, r, s = p.Mul(b), q.Mul(b), r.Mul(b), s.Mul(b)
		for at := uintptr(0); at < end; at += 8 {
			f := splatDouble(factors, at)
			putDoubles(z, 0, getDoubles(z, 0).Sub(p.Mul(f)))
			putDoubles(z, vecBytes, getDoubles(z, vecBytes).Sub(q.Mul(f)))
			if vecBytes < 32 {
				putDoubles(z, 2*vecBytes, getDoubles(z, 2*vecBytes).Sub(r.Mul(f)))
				putDoubles(z, 3*vecBytes, getDoubles(z, 3*vecBytes).Sub(s.Mul(f)))
			}
			z = unsafe.Add(z, step)
		}
	}
	for ; columns < step; columns += vecBytes {
		z, p := unsafe.Add(from, columns), zero
		for at := uintptr(0); at < end; at += 8 {
			p = p.Add(getDoubles(z, 0).Mul(splatDouble(factors, at)))
			z = unsafe.Add(z, step)
		}
		z, p = unsafe.Add(from, columns), p.Mul(b)
		for at := uintptr(0); at < end; at += 8 {
			putDoubles(z, 0, getDoubles(z, 0).Sub(p.Mul(splatDouble(factors, at))))
			z = unsafe.Add(z, step)
		}
	}
}

// The rows and columns of a tile of AddTileProducts.
const (
	TileRows    = 4
	TileColumns = 8
)

// AddTileProducts adds to a tile of c, whose rows are stride numbers apart, the product of depth columns and rows:
//
//	c[i·stride + j] += Σ_k a[4k + i]·b[8k + j], k ascending.
func AddTileProducts(c []float64, stride int, a, b []float64, depth int) {
	if depth == 0 {
		return
	}
	to := unsafe.Pointer(&c[:(TileRows-1)*stride+TileColumns][0])
	left, right := unsafe.Pointer(&a[:TileRows*depth][0]), unsafe.Pointer(&b[:TileColumns*depth][0])
	row, end := 8*uintptr(stride), 8*TileRows*uintptr(depth)
	for half := uintptr(0); half < 8*TileColumns; half += 2 * vecBytes {
		c0 := unsafe.Add(to, half)
		c1, c2, c3 := unsafe.Add(c0, row), unsafe.Add(c0, 2*row), unsafe.Add(c0, 3*row)
		a0, b0 := getDoubles(c0, 0), getDoubles(c0, vecBytes)
		a1, b1 := getDoubles(c1, 0), getDoubles(c1, vecBytes)
		a2, b2 := getDoubles(c2, 0), getDoubles(c2, vecBytes)
		a3, b3 := getDoubles(c3, 0), getDoubles(c3, vecBytes)
		from := unsafe.Add(right, half)
		for at := uintptr(0); at < end; at += 8 * TileRows {
			p := unsafe.Add(from, 2*at)
			x, y, w := getDoubles(p, 0), getDoubles(p, vecBytes), unsafe.Add(left, at)
			f := splatDouble(w, 0)
			a0, b0 = a0.Add(x.Mul(f)), b0.Add(y.Mul(f))
			f = splatDouble(w, 8)
			a1, b1 = a1.Add(x.Mul(f)), b1.Add(y.Mul(f))
			f = splatDouble(w, 16)
			a2, b2 = a2.Add(x.Mul(f)), b2.Add(y.Mul(f))
			f = splatDouble(w, 24)
			a3, b3 = a3.Add(x.Mul(f)), b3.Add(y.Mul(f))
		}
		putDoubles(c0, 0, a0)
		putDoubles(c0, vecBytes, b0)
		putDoubles(c1, 0, a1)
		putDoubles(c1, vecBytes, b1)
		putDoubles(c2, 0, a2)
		putDoubles(c2, vecBytes, b2)
		putDoubles(c3, 0, a3)
		putDoubles(c3, vecBytes, b3)
	}
}

// UpdateSymmetric takes rows from … to − 1 of the lower triangle of a symmetric matrix A, whose rows are stride numbers
// apart, through one step of a tridiagonalisation: it subtracts v·wᵀ + w·vᵀ and adds the product of the new rows, and
// of their mirror images, with x to y. After all rows, y has grown by A·x.
func UpdateSymmetric(a []float64, stride, from, to int, v, w, x, y []float64) {
	if from >= to {
		return
	}
	v, w, x, y = v[:to], w[:to], x[:to], y[:to]
	sums := make([]float64, 8) // once: TinyGo has it on the heap
	r := from
	for ; r+1 < to; r += 2 {
		updateTwoRows(a[r*stride:][:r+1], a[(r+1)*stride:][:r+2], r, sums, v, w, x, y)
	}
	if r < to {
		clear(sums)
		finishRow(a[r*stride:][:r+1], r, 0, sums[:4], v, w, x, y)
	}
}

// updateTwoRows is UpdateSymmetric for rows r and r + 1. It uses eight sums.
func updateTwoRows(first, second []float64, r int, sums, v, w, x, y []float64) {
	sums = sums[:8]
	clear(sums)
	whole := uintptr(r) &^ 3
	if whole > 0 {
		row0, row1 := unsafe.Pointer(&first[0]), unsafe.Pointer(&second[0])
		pv, pw, px, py := unsafe.Pointer(&v[0]), unsafe.Pointer(&w[0]), unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])
		v0, w0, x0 := broadcast(v[r]), broadcast(w[r]), broadcast(x[r])
		v1, w1, x1 := broadcast(v[r+1]), broadcast(w[r+1]), broadcast(x[r+1])
		zero := broadcast(0)
		s0, s1, t0, t1 := zero, zero, zero, zero
		for at := uintptr(0); at < 8*whole; at += 32 {
			vj, wj, xj, yj := getDoubles(pv, at), getDoubles(pw, at), getDoubles(px, at), getDoubles(py, at)
			a := getDoubles(row0, at).Sub(vj.Mul(w0)).Sub(wj.Mul(v0))
			putDoubles(row0, at, a)
			yj, s0 = yj.Add(a.Mul(x0)), s0.Add(a.Mul(xj))
			a = getDoubles(row1, at).Sub(vj.Mul(w1)).Sub(wj.Mul(v1))
			putDoubles(row1, at, a)
			yj, s1 = yj.Add(a.Mul(x1)), s1.Add(a.Mul(xj))
			putDoubles(py, at, yj)
			if vecBytes < 32 {
				at := at + vecBytes
				vj, wj, xj, yj := getDoubles(pv, at), getDoubles(pw, at), getDoubles(px, at), getDoubles(py, at)
				a := getDoubles(row0, at).Sub(vj.Mul(w0)).Sub(wj.Mul(v0))
				putDoubles(row0, at, a)
				yj, t0 = yj.Add(a.Mul(x0)), t0.Add(a.Mul(xj))
				a = getDoubles(row1, at).Sub(vj.Mul(w1)).Sub(wj.Mul(v1))
				putDoubles(row1, at, a)
				yj, t1 = yj.Add(a.Mul(x1)), t1.Add(a.Mul(xj))
				putDoubles(py, at, yj)
			}
		}
		p0, p1 := unsafe.Pointer(&sums[0]), unsafe.Pointer(&sums[4])
		putDoubles(p0, 0, s0)
		putDoubles(p1, 0, s1)
		if vecBytes < 32 {
			putDoubles(p0, vecBytes, t0)
			putDoubles(p1, vecBytes, t1)
		}
	}
	clearUppers()
	finishRow(first, r, int(whole), sums[:4], v, w, x, y)
	finishRow(second, r+1, int(whole), sums[4:], v, w, x, y)
}

// finishRow is UpdateSymmetric for the columns of row r from column on, with its sum of products of the columns before.
// Column j belongs to partial sum j mod 4.
func finishRow(row []float64, r, column int, sums, v, w, x, y []float64) {
	sums = sums[:4]
	vr, wr, xr := v[r], w[r], x[r]
	for j := column; j < r; j++ {
		a := row[j] - float64(v[j]*wr) - float64(w[j]*vr)
		row[j] = a
		y[j] += float64(a * xr)
		sums[j&3] += float64(a * x[j])
	}
	a := row[r] - float64(vr*wr) - float64(wr*vr)
	row[r] = a
	y[r] += (sums[0] + sums[1]) + (sums[2] + sums[3]) + float64(a*xr)
}

// Rotate replaces every pair (x, y) by (c·x + s·y, c·y − s·x).
func Rotate(x, y []float64, c, s float64) {
	n := len(x)
	if n == 0 {
		return
	}
	px, py := unsafe.Pointer(&x[0]), unsafe.Pointer(&y[:n][0])
	cosine, sine := broadcast(c), broadcast(s)
	whole := uintptr(n) &^ 3
	for at := uintptr(0); at < 8*whole; at += 32 {
		a, b := getDoubles(px, at), getDoubles(py, at)
		putDoubles(px, at, a.Mul(cosine).Add(b.Mul(sine)))
		putDoubles(py, at, b.Mul(cosine).Sub(a.Mul(sine)))
		if vecBytes < 32 {
			a, b := getDoubles(px, at+vecBytes), getDoubles(py, at+vecBytes)
			putDoubles(px, at+vecBytes, a.Mul(cosine).Add(b.Mul(sine)))
			putDoubles(py, at+vecBytes, b.Mul(cosine).Sub(a.Mul(sine)))
		}
	}
	clearUppers()
	for i := int(whole); i < n; i++ {
		a, b := x[i], y[i]
		x[i] = float64(c*a) + float64(s*b)
		y[i] = float64(c*b) - float64(s*a)
	}
}

package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// A Hadamard implements block.Hadamard for one row per lane.
type Hadamard struct {
	config   block.HadamardConfig
	input    []vec // the rows, with zeros to the length of the transform
	z        []vec // the transform: its real part, then its imaginary one
	features []vec // real and imaginary parts alternate
}

// NewHadamard returns the engine's transform.
func NewHadamard(c block.HadamardConfig) block.Hadamard {
	parts := partsOf(c)
	return &Hadamard{c, make([]vec, skew+c.Length)[skew:], make([]vec, parts*c.Length), make([]vec, parts*c.Features)}
}

// HadamardBytes returns the bytes that NewHadamard allocates.
func HadamardBytes(c block.HadamardConfig) int64 {
	return int64(vecBytes) * (int64(skew+c.Length) + int64(partsOf(c))*(int64(c.Length)+int64(c.Features)))
}

// skew keeps the rows and their transform, of the same power of two, from meeting in
// the same places of the first-level cache.
const skew = 2048 / int(vecBytes)

func partsOf(c block.HadamardConfig) int {
	if c.Complex {
		return 2
	}
	return 1
}

// Clone implements block.Hadamard.
func (h *Hadamard) Clone() block.Hadamard { return NewHadamard(h.config) }

// Lanes implements block.Hadamard.
func (h *Hadamard) Lanes() int { return lanes }

// Load implements block.Hadamard. It makes 0 of −0: whether a row holds one, or
// nothing at its place, it has the same features.
func (h *Hadamard) Load(X []float32, count int) {
	input, zero := h.input[:h.config.Width], splat(0)
	transposeIn(input, X, h.config.Width, count)
	for i := range input {
		input[i] = input[i].Add(zero)
	}
}

// Transform implements block.Hadamard.
func (h *Hadamard) Transform(part int, signs []float32, again bool) {
	n := uintptr(h.config.Length)
	z, input, w := unsafe.Pointer(&h.z[uintptr(part)*n]), unsafe.Pointer(&h.input[0]), unsafe.Pointer(&signs[:n][0])
	if again {
		input = z
	}
	if n < 8 {
		for i := uintptr(0); i < n; i++ {
			put(z, i*vecBytes, get(input, i*vecBytes).Mul(factorAt(w, 4*i, 0)))
		}
		hadamard(z, n, n)
		return
	}
	signed8(z, input, w, n/8)
	hadamard(z, n, n/8)
}

// Multiply implements block.Hadamard.
func (h *Hadamard) Multiply(entries []int32, first bool) {
	if h.config.Complex {
		h.multiplyComplex(entries, first)
		return
	}
	z, f := unsafe.Pointer(&h.z[0]), unsafe.Pointer(&h.features[:len(entries)][0])
	if first {
		for j, entry := range entries {
			put(f, uintptr(j)*vecBytes, get(z, uintptr(entry)*vecBytes))
		}
		return
	}
	at := uintptr(0)
	for ; len(entries) >= 4; entries = entries[4:] {
		a, b, c, d := uintptr(entries[0]), uintptr(entries[1]), uintptr(entries[2]), uintptr(entries[3])
		put(f, at, get(f, at).Mul(get(z, a*vecBytes)))
		put(f, at+vecBytes, get(f, at+vecBytes).Mul(get(z, b*vecBytes)))
		put(f, at+2*vecBytes, get(f, at+2*vecBytes).Mul(get(z, c*vecBytes)))
		put(f, at+3*vecBytes, get(f, at+3*vecBytes).Mul(get(z, d*vecBytes)))
		at += 4 * vecBytes
	}
	for _, entry := range entries {
		put(f, at, get(f, at).Mul(get(z, uintptr(entry)*vecBytes)))
		at += vecBytes
	}
}

func (h *Hadamard) multiplyComplex(entries []int32, first bool) {
	re, im := unsafe.Pointer(&h.z[0]), unsafe.Pointer(&h.z[h.config.Length])
	f := unsafe.Pointer(&h.features[:2*len(entries)][0])
	for j, entry := range entries {
		at, from := uintptr(j)*cellBytes, uintptr(entry)*vecBytes
		zr, zi := get(re, from), get(im, from)
		if !first {
			fr, fi := get(f, at), get(f, at+vecBytes)
			zr, zi = fr.Mul(zr).Sub(fi.Mul(zi)), fr.Mul(zi).Add(fi.Mul(zr))
		}
		put(f, at, zr)
		put(f, at+vecBytes, zi)
	}
}

// Store implements block.Hadamard.
func (h *Hadamard) Store(out []float32, stride, at, n, count int, scale float32) {
	n *= partsOf(h.config)
	f, factor := h.features[:n], splat(scale)
	for j, v := range f {
		f[j] = v.Mul(factor)
	}
	for from := 0; from < n; from += tile {
		m := min(tile, n-from)
		src := unsafe.Pointer(&f[from])
		to := part(out, stride, at+from, m, count)
		transpose(to, 4*uintptr(stride), 4, src, 4, vecBytes, uintptr(m), count)
	}
}

// hadamardCells is the number of vecs up to which a part of the transform is taken
// through all its stages before the next part, so that it stays in the first-level
// cache.
const hadamardCells = 32 << 10 / vecBytes

// hadamard computes the Walsh–Hadamard transform of every block of size among n
// numbers of each lane, in place, in natural order and without scaling: for h =
// size/2, size/4 … 1, numbers i and i + h, where bit h of i is 0, become their sum
// and their difference. Three or four of these stages go in one pass; no grouping
// changes a bit.
func hadamard(z unsafe.Pointer, n, size uintptr) {
	for size > 1 {
		if n > hadamardCells && n > size {
			for block := uintptr(0); block < n; block += size {
				hadamard(unsafe.Add(z, block*vecBytes), size, size)
			}
			return
		}
		end := n * vecBytes
		switch size {
		case 2:
			hadamard2(z, end)
			return
		case 4:
			hadamard4(z, end)
			return
		case 16:
			hadamard16(z, end)
			return
		}
		size /= 8
		hadamard8(z, end, size*vecBytes)
	}
}

// signed8 sets z to input times signs after the first three stages of the transform
// of 8·part numbers.
func signed8(z, input, signs unsafe.Pointer, part uintptr) {
	span, step := part*vecBytes, 4*part
	for i := uintptr(0); i < part; i++ {
		at, w := i*vecBytes, unsafe.Add(signs, 4*i)
		a, b := get(input, at).Mul(factorAt(w, 0, 0)), get(input, at+span).Mul(factorAt(w, step, 0))
		c, d := get(input, at+2*span).Mul(factorAt(w, 2*step, 0)), get(input, at+3*span).Mul(factorAt(w, 3*step, 0))
		e, f := get(input, at+4*span).Mul(factorAt(w, 4*step, 0)), get(input, at+5*span).Mul(factorAt(w, 5*step, 0))
		g, h := get(input, at+6*span).Mul(factorAt(w, 6*step, 0)), get(input, at+7*span).Mul(factorAt(w, 7*step, 0))
		a, e = a.Add(e), a.Sub(e)
		b, f = b.Add(f), b.Sub(f)
		c, g = c.Add(g), c.Sub(g)
		d, h = d.Add(h), d.Sub(h)
		a, c = a.Add(c), a.Sub(c)
		b, d = b.Add(d), b.Sub(d)
		e, g = e.Add(g), e.Sub(g)
		f, h = f.Add(h), f.Sub(h)
		put(z, at, a.Add(b))
		put(z, at+span, a.Sub(b))
		put(z, at+2*span, c.Add(d))
		put(z, at+3*span, c.Sub(d))
		put(z, at+4*span, e.Add(f))
		put(z, at+5*span, e.Sub(f))
		put(z, at+6*span, g.Add(h))
		put(z, at+7*span, g.Sub(h))
	}
}

// hadamard8 runs the three stages h = 4·span, 2·span, span over the bytes up to end.
func hadamard8(z unsafe.Pointer, end, span uintptr) {
	for block := uintptr(0); block < end; block += 8 * span {
		for at := block; at < block+span; at += vecBytes {
			a, b, c, d := get(z, at), get(z, at+span), get(z, at+2*span), get(z, at+3*span)
			e, f, g, h := get(z, at+4*span), get(z, at+5*span), get(z, at+6*span), get(z, at+7*span)
			a, e = a.Add(e), a.Sub(e)
			b, f = b.Add(f), b.Sub(f)
			c, g = c.Add(g), c.Sub(g)
			d, h = d.Add(h), d.Sub(h)
			a, c = a.Add(c), a.Sub(c)
			b, d = b.Add(d), b.Sub(d)
			e, g = e.Add(g), e.Sub(g)
			f, h = f.Add(h), f.Sub(h)
			put(z, at, a.Add(b))
			put(z, at+span, a.Sub(b))
			put(z, at+2*span, c.Add(d))
			put(z, at+3*span, c.Sub(d))
			put(z, at+4*span, e.Add(f))
			put(z, at+5*span, e.Sub(f))
			put(z, at+6*span, g.Add(h))
			put(z, at+7*span, g.Sub(h))
		}
	}
}

// hadamard16 runs the last four stages.
func hadamard16(z unsafe.Pointer, end uintptr) {
	const span = vecBytes
	for at := uintptr(0); at < end; at += 16 * span {
		a, i := pair(z, at, 8*span)
		b, j := pair(z, at+span, 8*span)
		c, k := pair(z, at+2*span, 8*span)
		d, l := pair(z, at+3*span, 8*span)
		e, m := pair(z, at+4*span, 8*span)
		f, n := pair(z, at+5*span, 8*span)
		g, o := pair(z, at+6*span, 8*span)
		h, p := pair(z, at+7*span, 8*span)
		a, e = a.Add(e), a.Sub(e)
		b, f = b.Add(f), b.Sub(f)
		c, g = c.Add(g), c.Sub(g)
		d, h = d.Add(h), d.Sub(h)
		a, c = a.Add(c), a.Sub(c)
		b, d = b.Add(d), b.Sub(d)
		e, g = e.Add(g), e.Sub(g)
		f, h = f.Add(h), f.Sub(h)
		put(z, at, a.Add(b))
		put(z, at+span, a.Sub(b))
		put(z, at+2*span, c.Add(d))
		put(z, at+3*span, c.Sub(d))
		put(z, at+4*span, e.Add(f))
		put(z, at+5*span, e.Sub(f))
		put(z, at+6*span, g.Add(h))
		put(z, at+7*span, g.Sub(h))
		i, m = i.Add(m), i.Sub(m)
		j, n = j.Add(n), j.Sub(n)
		k, o = k.Add(o), k.Sub(o)
		l, p = l.Add(p), l.Sub(p)
		i, k = i.Add(k), i.Sub(k)
		j, l = j.Add(l), j.Sub(l)
		m, o = m.Add(o), m.Sub(o)
		n, p = n.Add(p), n.Sub(p)
		put(z, at+8*span, i.Add(j))
		put(z, at+9*span, i.Sub(j))
		put(z, at+10*span, k.Add(l))
		put(z, at+11*span, k.Sub(l))
		put(z, at+12*span, m.Add(n))
		put(z, at+13*span, m.Sub(n))
		put(z, at+14*span, o.Add(p))
		put(z, at+15*span, o.Sub(p))
	}
}

// pair returns the sum and the difference of two numbers.
func pair(z unsafe.Pointer, at, span uintptr) (sum, difference vec) {
	a, b := get(z, at), get(z, at+span)
	return a.Add(b), a.Sub(b)
}

// hadamard4 runs the last two stages.
func hadamard4(z unsafe.Pointer, end uintptr) {
	for at := uintptr(0); at < end; at += 4 * vecBytes {
		a, b, c, d := get(z, at), get(z, at+vecBytes), get(z, at+2*vecBytes), get(z, at+3*vecBytes)
		a, c = a.Add(c), a.Sub(c)
		b, d = b.Add(d), b.Sub(d)
		put(z, at, a.Add(b))
		put(z, at+vecBytes, a.Sub(b))
		put(z, at+2*vecBytes, c.Add(d))
		put(z, at+3*vecBytes, c.Sub(d))
	}
}

// hadamard2 runs the last stage.
func hadamard2(z unsafe.Pointer, end uintptr) {
	for at := uintptr(0); at < end; at += 2 * vecBytes {
		a, b := get(z, at), get(z, at+vecBytes)
		put(z, at, a.Add(b))
		put(z, at+vecBytes, a.Sub(b))
	}
}

package lanes

import (
	"unsafe"

	"github.com/tensorsketch/tensorsketch/sketch/internal/block"
)

// A Hadamard implements block.Hadamard for one row per lane.
type Hadamard struct {
	config   block.HadamardConfig
	input    []vec // the rows
	z        []vec // the transform: its real part, then its imaginary one
	features []vec // real and imaginary parts alternate
}

// NewHadamard returns the engine's transform.
func NewHadamard(c block.HadamardConfig) block.Hadamard {
	parts := partsOf(c)
	return &Hadamard{c, make([]vec, c.Width), make([]vec, parts*c.Length), make([]vec, parts*c.Features)}
}

// HadamardBytes returns the bytes that NewHadamard allocates.
func HadamardBytes(c block.HadamardConfig) int64 {
	return int64(vecBytes) * (int64(c.Width) + int64(partsOf(c))*(int64(c.Length)+int64(c.Features)))
}

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

// Load implements block.Hadamard.
func (h *Hadamard) Load(X []float32, count int) {
	transposeIn(h.input, X, h.config.Width, count)
}

// Transform implements block.Hadamard.
func (h *Hadamard) Transform(part int, signs []float32) {
	n := h.config.Length
	z := h.z[part*n : (part+1)*n]
	signed(z, h.input, signs[:len(h.input)])
	clear(z[len(h.input):])
	hadamard(unsafe.Pointer(&z[0]), uintptr(n))
}

// signed sets z = input·signs, with 0 for −0: whether a row holds one, or nothing
// at its place, it has the same features.
func signed(z, input []vec, signs []float32) {
	to, from, w := unsafe.Pointer(&z[0]), unsafe.Pointer(&input[0]), unsafe.Pointer(unsafe.SliceData(signs))
	zero, n := splat(0), uintptr(len(signs))
	i := uintptr(0)
	for ; i+4 <= n; i += 4 {
		a, b := get(from, i*vecBytes), get(from, (i+1)*vecBytes)
		c, d := get(from, (i+2)*vecBytes), get(from, (i+3)*vecBytes)
		put(to, i*vecBytes, a.Mul(factorAt(w, 4*i, 0)).Add(zero))
		put(to, (i+1)*vecBytes, b.Mul(factorAt(w, 4*i, 1)).Add(zero))
		put(to, (i+2)*vecBytes, c.Mul(factorAt(w, 4*i, 2)).Add(zero))
		put(to, (i+3)*vecBytes, d.Mul(factorAt(w, 4*i, 3)).Add(zero))
	}
	for ; i < n; i++ {
		put(to, i*vecBytes, get(from, i*vecBytes).Mul(factorAt(w, 4*i, 0)).Add(zero))
	}
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
	for j, entry := range entries {
		at := uintptr(j) * vecBytes
		put(f, at, get(f, at).Mul(get(z, uintptr(entry)*vecBytes)))
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
		for lane := range count {
			row := out[lane*stride+at+from:][:m]
			gather(unsafe.Pointer(&row[0]), 4, unsafe.Add(src, 4*lane), vecBytes, uintptr(m))
		}
	}
}

// hadamardCells is the number of vecs up to which a part of the transform is taken
// through all its stages before the next part, so that it stays in the first-level
// cache.
const hadamardCells = 32 << 10 / vecBytes

// hadamard computes the Walsh–Hadamard transform of n numbers of each lane in
// place, in natural order and without scaling: for h = n/2, n/4 … 1, numbers i and
// i + h, where bit h of i is 0, become their sum and their difference. Up to three
// of these stages go in one pass; no grouping changes a bit.
func hadamard(z unsafe.Pointer, n uintptr) {
	if n > hadamardCells {
		part := n / 8
		hadamard8(z, n*vecBytes, part*vecBytes)
		for q := uintptr(0); q < 8; q++ {
			hadamard(unsafe.Add(z, q*part*vecBytes), part)
		}
		return
	}
	size, end := n, n*vecBytes
	for ; size >= 8; size /= 8 {
		hadamard8(z, end, size/8*vecBytes)
	}
	switch size {
	case 4:
		hadamard4(z, end)
	case 2:
		hadamard2(z, end)
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

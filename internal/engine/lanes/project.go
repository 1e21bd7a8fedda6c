package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// The steps of random projections, y = S·x with a matrix S of random entries. Here
// the lanes hold projections of one row, and every number of y is the sum over the
// coordinates in their order whatever their count. A matrix is kept tile by tile: the
// entries of block.Tile projections for coordinate 0, for coordinate 1 …

const (
	signBit   = 1 << 31 // of a float32
	tileBytes = 4 * block.Tile
	spanBytes = 8 * vecBytes // of the sums in registers
)

// AddTile adds the coordinates with these values to a tile of y, given the tile of
// the matrix.
func AddTile(y, matrix []float32, indices []int32, values []float32) {
	if len(values) == 0 {
		return
	}
	to, from := unsafe.Pointer(&y[:block.Tile][0]), unsafe.Pointer(&matrix[0])
	index, value, end := unsafe.Pointer(&indices[:len(values)][0]), unsafe.Pointer(&values[0]), uintptr(len(values))*4
	for span := uintptr(0); span < tileBytes; span += spanBytes {
		y, matrix := unsafe.Add(to, span), unsafe.Add(from, span)
		a, b, c, d := get(y, 0), get(y, vecBytes), get(y, 2*vecBytes), get(y, 3*vecBytes)
		e, f, g, h := get(y, 4*vecBytes), get(y, 5*vecBytes), get(y, 6*vecBytes), get(y, 7*vecBytes)
		for at := uintptr(0); at < end; at += 4 {
			w := unsafe.Add(matrix, uintptr(*(*uint32)(unsafe.Add(index, at)))*tileBytes)
			v := splat(*(*float32)(unsafe.Add(value, at)))
			a, b = a.Add(get(w, 0).Mul(v)), b.Add(get(w, vecBytes).Mul(v))
			c, d = c.Add(get(w, 2*vecBytes).Mul(v)), d.Add(get(w, 3*vecBytes).Mul(v))
			e, f = e.Add(get(w, 4*vecBytes).Mul(v)), f.Add(get(w, 5*vecBytes).Mul(v))
			g, h = g.Add(get(w, 6*vecBytes).Mul(v)), h.Add(get(w, 7*vecBytes).Mul(v))
		}
		put(y, 0, a)
		put(y, vecBytes, b)
		put(y, 2*vecBytes, c)
		put(y, 3*vecBytes, d)
		put(y, 4*vecBytes, e)
		put(y, 5*vecBytes, f)
		put(y, 6*vecBytes, g)
		put(y, 7*vecBytes, h)
	}
}

// AddSigns is AddTile for a matrix of signs, the words of 32 coordinates in the
// place of one: bit 31 − i mod 32 is set where coordinate i has the sign −1.
func AddSigns(y []float32, signs []uint32, indices []int32, values []float32) {
	if len(values) == 0 {
		return
	}
	to, from, sign := unsafe.Pointer(&y[:block.Tile][0]), unsafe.Pointer(&signs[0]), splatBits(signBit)
	index, value, end := unsafe.Pointer(&indices[:len(values)][0]), unsafe.Pointer(&values[0]), uintptr(len(values))*4
	for span := uintptr(0); span < tileBytes; span += spanBytes {
		y, signs := unsafe.Add(to, span), unsafe.Add(from, span)
		a, b, c, d := get(y, 0), get(y, vecBytes), get(y, 2*vecBytes), get(y, 3*vecBytes)
		e, f, g, h := get(y, 4*vecBytes), get(y, 5*vecBytes), get(y, 6*vecBytes), get(y, 7*vecBytes)
		for at := uintptr(0); at < end; at += 4 {
			i := *(*uint32)(unsafe.Add(index, at))
			w, power := unsafe.Add(signs, uintptr(i/32)*tileBytes), splatBits(1<<(i%32))
			v := splatBits(*(*uint32)(unsafe.Add(value, at)))
			a, b = a.Add(signed(w, 0, power, sign, v)), b.Add(signed(w, vecBytes, power, sign, v))
			c, d = c.Add(signed(w, 2*vecBytes, power, sign, v)), d.Add(signed(w, 3*vecBytes, power, sign, v))
			e, f = e.Add(signed(w, 4*vecBytes, power, sign, v)), f.Add(signed(w, 5*vecBytes, power, sign, v))
			g, h = g.Add(signed(w, 6*vecBytes, power, sign, v)), h.Add(signed(w, 7*vecBytes, power, sign, v))
		}
		put(y, 0, a)
		put(y, vecBytes, b)
		put(y, 2*vecBytes, c)
		put(y, 3*vecBytes, d)
		put(y, 4*vecBytes, e)
		put(y, 5*vecBytes, f)
		put(y, 6*vecBytes, g)
		put(y, 7*vecBytes, h)
	}
}

// signed returns v with the signs that words hold in bit 31 − n, given 2^n: a product
// is one instruction, where a shift by a variable takes several in WebAssembly.
func signed(words unsafe.Pointer, offset uintptr, power, sign, v word) vec {
	return getWord(words, offset).Mul(power).And(sign).Xor(v).BitsToFloat32()
}

// MultiplyBy multiplies y by w, of one length, number by number.
func MultiplyBy(y, w []float32) {
	n := len(w) &^ (lanes - 1)
	if n > 0 {
		to, from := unsafe.Pointer(&y[:len(w)][0]), unsafe.Pointer(&w[0])
		for at, end := uintptr(0), uintptr(n)*4; at < end; at += vecBytes {
			put(to, at, get(to, at).Mul(get(from, at)))
		}
	}
	clearUppers()
	for i := n; i < len(w); i++ {
		y[i] = float32(y[i] * w[i])
	}
}

// Scale sets dst to factor times x, of one length; dst may be x.
func Scale(dst, x []float32, factor float32) {
	n := len(x) &^ (lanes - 1)
	if n > 0 {
		to, from, f := unsafe.Pointer(&dst[:len(x)][0]), unsafe.Pointer(&x[0]), splat(factor)
		for at, end := uintptr(0), uintptr(n)*4; at < end; at += vecBytes {
			put(to, at, get(from, at).Mul(f))
		}
	}
	clearUppers()
	for i := n; i < len(x); i++ {
		dst[i] = float32(x[i] * factor)
	}
}

// Finite reports whether z holds neither NaN nor an infinity.
func Finite(z []float32) bool {
	n, check := len(z)&^(lanes-1), float32(0)
	var all [lanes]float32
	if n > 0 {
		all = lanesOf(nonFinite(unsafe.Pointer(&z[0]), n/lanes, 1))
	}
	clearUppers()
	for _, v := range all {
		check += v
	}
	for _, v := range z[n:] {
		check += v - v
	}
	return check == 0
}

package lanes

import (
	"unsafe"

	"tensorsketch.example/internal/engine/block"
)

// The steps of random Fourier features, a tile of them at a time. Phases are counted
// in turns, so that whole turns can be taken away without a rounding error.

// Wind adds sums to phases and takes the nearest whole number of turns away, of
// halves the even one, which leaves from −½ to ½.
func Wind(phases, sums []float32) {
	to, from := unsafe.Pointer(&phases[:block.Tile][0]), unsafe.Pointer(&sums[:block.Tile][0])
	for at := uintptr(0); at < tileBytes; at += vecBytes {
		t := get(to, at).Add(get(from, at))
		put(to, at, t.Sub(t.Round()))
	}
}

// Cosines writes scale·cos 2πt for phases t from −½ to ½: cos 2πt = sin 2π(¼ − |t|).
func Cosines(dst, phases []float32, scale float32) {
	to, from := unsafe.Pointer(&dst[:block.Tile][0]), unsafe.Pointer(&phases[:block.Tile][0])
	magnitude, quarter, factor := splatBits(signBit-1), splat(0.25), splat(scale)
	for at := uintptr(0); at < tileBytes; at += vecBytes {
		size := getWord(from, at).And(magnitude).BitsToFloat32()
		put(to, at, sine(quarter.Sub(size)).Mul(factor))
	}
}

// Sines writes scale·sin 2πt: with t = q + h/2 for the nearest integer h, which is −1,
// 0 or 1, it is (1 − 2h²)·sin 2πq.
func Sines(dst, phases []float32, scale float32) {
	to, from := unsafe.Pointer(&dst[:block.Tile][0]), unsafe.Pointer(&phases[:block.Tile][0])
	half, one, factor := splat(0.5), splat(1), splat(scale)
	for at := uintptr(0); at < tileBytes; at += vecBytes {
		t := get(from, at)
		h := t.Add(t).Round()
		square := h.Mul(h)
		put(to, at, sine(t.Sub(h.Mul(half))).Mul(one.Sub(square).Sub(square)).Mul(factor))
	}
}

// sine returns sin 2πq for |q| ≤ ¼, to 1.9e-7: q times the polynomial in q² that has
// the values of sin(2πq)/q at the five Chebyshev points of 0 … 1/16.
func sine(q vec) vec {
	z := q.Mul(q)
	s := splat(39.75982708).Mul(z).Add(splat(-76.58117264))
	s = s.Mul(z).Add(splat(81.60247637))
	s = s.Mul(z).Add(splat(-41.34168061))
	s = s.Mul(z).Add(splat(6.28318528))
	return s.Mul(q)
}

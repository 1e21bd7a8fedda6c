package lanes

import (
	"math"
	"unsafe"
)

// The steps of random projections, y = S·x with a matrix S of random entries. Here
// the lanes hold projections of one row, and every number of y is the sum over the
// coordinates in their order whatever their count.

// signBit is that of a float32.
const signBit = 1 << 31

// AddSigns adds the coordinates x, no more than 32, to every projection of y: bit
// 31−first of signs[r] is set where y[r] takes −x[0], the bit below it where it
// takes −x[1], and so on. len(y) is a multiple of the lanes.
func AddSigns(y []float32, signs []uint32, first int, x []float32) {
	if len(y) == 0 || len(x) == 0 {
		return
	}
	to, from, end := unsafe.Pointer(&y[0]), unsafe.Pointer(&signs[:len(y)][0]), uintptr(len(y))*4
	sign, shift, at := splatBits(signBit), uint64(first), uintptr(0)
	if len(x) == 1 {
		addSign(to, from, end, shift, x[0])
		return
	}
	for ; at+4*vecBytes <= end; at += 4 * vecBytes {
		a, b, c, d := get(to, at), get(to, at+vecBytes), get(to, at+2*vecBytes), get(to, at+3*vecBytes)
		p, q := getWord(from, at).ShiftAllLeft(shift), getWord(from, at+vecBytes).ShiftAllLeft(shift)
		r, s := getWord(from, at+2*vecBytes).ShiftAllLeft(shift), getWord(from, at+3*vecBytes).ShiftAllLeft(shift)
		for _, v := range x {
			value := splatBits(math.Float32bits(v))
			a, b = a.Add(p.And(sign).Xor(value).BitsToFloat32()), b.Add(q.And(sign).Xor(value).BitsToFloat32())
			c, d = c.Add(r.And(sign).Xor(value).BitsToFloat32()), d.Add(s.And(sign).Xor(value).BitsToFloat32())
			p, q, r, s = p.Add(p), q.Add(q), r.Add(r), s.Add(s)
		}
		put(to, at, a)
		put(to, at+vecBytes, b)
		put(to, at+2*vecBytes, c)
		put(to, at+3*vecBytes, d)
	}
	for ; at < end; at += vecBytes {
		a, p := get(to, at), getWord(from, at).ShiftAllLeft(shift)
		for _, v := range x {
			a = a.Add(p.And(sign).Xor(splatBits(math.Float32bits(v))).BitsToFloat32())
			p = p.Add(p)
		}
		put(to, at, a)
	}
}

// addSign is AddSigns of one coordinate.
func addSign(to, from unsafe.Pointer, end uintptr, shift uint64, v float32) {
	sign, value, at := splatBits(signBit), splatBits(math.Float32bits(v)), uintptr(0)
	for ; at+4*vecBytes <= end; at += 4 * vecBytes {
		a, b, c, d := get(to, at), get(to, at+vecBytes), get(to, at+2*vecBytes), get(to, at+3*vecBytes)
		p, q := getWord(from, at).ShiftAllLeft(shift), getWord(from, at+vecBytes).ShiftAllLeft(shift)
		r, s := getWord(from, at+2*vecBytes).ShiftAllLeft(shift), getWord(from, at+3*vecBytes).ShiftAllLeft(shift)
		put(to, at, a.Add(p.And(sign).Xor(value).BitsToFloat32()))
		put(to, at+vecBytes, b.Add(q.And(sign).Xor(value).BitsToFloat32()))
		put(to, at+2*vecBytes, c.Add(r.And(sign).Xor(value).BitsToFloat32()))
		put(to, at+3*vecBytes, d.Add(s.And(sign).Xor(value).BitsToFloat32()))
	}
	for ; at < end; at += vecBytes {
		put(to, at, get(to, at).Add(getWord(from, at).ShiftAllLeft(shift).And(sign).Xor(value).BitsToFloat32()))
	}
}

// AddScaled adds v·w to y, of one length.
func AddScaled(y, w []float32, v float32) {
	n := len(w) &^ (lanes - 1)
	if n > 0 {
		to, from, factor := unsafe.Pointer(&y[:len(w)][0]), unsafe.Pointer(&w[0]), splat(v)
		for at, end := uintptr(0), uintptr(n)*4; at < end; at += vecBytes {
			put(to, at, get(to, at).Add(get(from, at).Mul(factor)))
		}
	}
	for i := n; i < len(w); i++ {
		y[i] += float32(w[i] * v)
	}
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
	for i := n; i < len(w); i++ {
		y[i] = float32(y[i] * w[i])
	}
}

func getWord(p unsafe.Pointer, offset uintptr) word { return *(*word)(unsafe.Add(p, offset)) }
